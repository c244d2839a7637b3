//! Table 1: the transitions, with the pairs that the run has of each.

use crate::authority::names::TRANSITIONS;
use crate::authority::study::Study;
use crate::page::Table;
use crate::tables::{NOT_APPLICABLE, head};
use std::collections::BTreeSet;
use weir_memory::{Authority, Partition, Side, Speaker};

/// Partitions in the order of their use.
const PARTITIONS: [(Partition, &str); 3] =
    [(Partition::Validation, "Validation"), (Partition::Main, "Main"), (Partition::HeldOut, "Held out")];

/// Table 1.
pub(crate) fn table(study: &Study) -> Table {
    let domains: BTreeSet<&str> = study.pairs().map(|pair| pair.domain.as_str()).collect();
    let mut columns =
        head(&["Code", "Transition", "Source in H-", "Role", "Gold label, H-", "Gold label, H+", "Upgrade"]);
    columns.push("Pairs".into());
    columns.extend(domains.iter().map(|domain| (*domain).to_owned()));
    columns.extend(PARTITIONS.map(|(_, name)| name.to_owned()));
    let count = |code: Option<&str>, is: &dyn Fn(&crate::authority::gather::Pair) -> bool| {
        let of = study.pairs().filter(|pair| code.is_none_or(|code| pair.transition == code));
        of.filter(|pair| is(pair)).count().to_string()
    };
    let counts = |code: Option<&str>| {
        let mut cells = vec![count(code, &|_| true)];
        cells.extend(domains.iter().map(|domain| count(code, &|pair| pair.domain == *domain)));
        cells.extend(PARTITIONS.iter().map(|(partition, _)| count(code, &|pair| pair.partition == *partition)));
        cells
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for code in study.transitions() {
        let known = TRANSITIONS.iter().find(|known| known.code == code);
        let word = |word: Option<&str>| word.unwrap_or(NOT_APPLICABLE).to_owned();
        let gold = study.run.gold(study.stage, &code, Side::Negative);
        let mut cells = vec![
            code.clone(),
            word(known.map(|known| known.name)),
            word(known.map(|known| known.source)),
            listed(gold.iter().map(|label| role(*label).to_owned())),
            listed(gold.iter().map(ToString::to_string)),
            listed(study.run.gold(study.stage, &code, Side::Positive).iter().map(ToString::to_string)),
            word(known.map(|known| known.upgrade)),
        ];
        cells.extend(counts(Some(&code)));
        rows.push(cells);
    }
    let mut last = vec!["All".to_owned()];
    last.resize(7, String::new());
    last.extend(counts(None));
    rows.push(last);
    let bases: BTreeSet<&str> = study.pairs().map(|pair| pair.cluster.as_str()).collect();
    Table {
        head: columns,
        rows,
        notes: vec![
            format!("{} base histories; each pair is two histories, H- and H+.", bases.len()),
            "Gold labels are those of the run's memories in Module B; the role is the one to which the role policy gives the label. N/A: the run has no Module B.".into(),
        ],
        ..super::table(study, "1", "source-to-use transitions and their pairs")
    }
}

/// Whose words have a label, by the role policy.
fn role(label: Authority) -> &'static str {
    let speakers = [(Speaker::User, "user"), (Speaker::Assistant, "assistant"), (Speaker::Tool, "tool")];
    speakers.into_iter().find(|(speaker, _)| Authority::of(*speaker) == Some(label)).map_or("", |(_, name)| name)
}

fn listed(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    if words.is_empty() { NOT_APPLICABLE.into() } else { words.join(", ") }
}
