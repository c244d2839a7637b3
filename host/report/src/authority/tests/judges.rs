//! Module A's two judges.

use super::*;
use weir_memory::facts::{Facts, ModelWord};
use weir_memory::judge::Outcome;

#[test]
fn a_second_judge_is_compared_and_changes_no_rate() {
    // It calls upgraded what the rules call preserved, and has no word on what was omitted.
    let judged = |row: Row| {
        let facts = row.memory.unwrap();
        let outcome = match facts.retention {
            Some(Retention::Preserved) => Some(Outcome::Upgraded),
            Some(Retention::Omitted) => None,
            Some(other) => other.outcome(),
            None => None,
        };
        let word = (facts.retention != Some(Retention::WriterError)).then_some(ModelWord { outcome });
        Row { memory: Some(Facts { model_word: word, ..facts }), ..row }
    };
    let rows = World::small().writing("minimal", wrote);
    let plain = report(rows.clone()).page;
    let page = report(rows.into_iter().map(judged).collect()).page;
    assert_eq!(table(&page, "table-2").rows, table(&plain, "table-2").rows);
    let by = table(&page, "table-2-by-judge");
    // Of 14 judged histories 3 are omitted; of the other 11 the 2 preserved ones are judged otherwise.
    assert_eq!(counts(&column(by, "minimal", "Same outcome")), "9/11");
    assert_eq!(column(by, "minimal", "Preserved by the rules, upgraded by the model"), "2");
    assert_eq!(column(by, "minimal", "Upgraded by the rules, preserved by the model"), "0");
    assert_eq!(column(by, "minimal", "No judgement"), "3/14");
    let known = |page: &Page| {
        page.sections
            .iter()
            .flat_map(|s| &s.blocks)
            .filter(|b| matches!(b, Block::Table(t) if t.id == "table-2-by-judge"))
            .count()
    };
    assert_eq!((known(&plain), known(&page)), (0, 1));
}
