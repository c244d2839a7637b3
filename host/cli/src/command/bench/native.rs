//! What the sandbox costs a policy: its component beside its native build.

use super::grouped;
use weir_author::{Native, ProjectFile};
use weir_report::page::Table;
use weir_suite::Error;
use weir_suite::bench::{Beside, Native as Compared};

/// Bytes of an answer that are shown where the two sides differ.
const SHOWN: usize = 160;

/// What stands beside a component.
pub enum Side {
    /// Nothing: it was given by its name or file alone.
    Nothing,
    /// Nothing, for this reason: its project has no native build.
    Missing(String),
    /// Its native build.
    Built(Native),
}

impl Side {
    /// Of a project whose component is measured.
    pub fn of(folder: &std::path::Path, project: &ProjectFile) -> Result<Self, Error> {
        match Native::missing(project) {
            Some(why) => Ok(Side::Missing(why)),
            None => Ok(Side::Built(Native::build(folder)?)),
        }
    }
}

/// The table of both.
pub fn table(name: &str, compared: &Compared) -> Table {
    let row = |label: String, beside: &Beside| {
        vec![
            label,
            beside.count.to_string(),
            microseconds(beside.wasm.median),
            microseconds(beside.wasm.p95),
            microseconds(beside.native.median),
            microseconds(beside.native.p95),
            beside.ratio.map_or("N/A".to_owned(), |ratio| format!("{ratio:.1}x")),
        ]
    };
    let exports = compared.exports.iter().map(|beside| row(beside.name.clone(), beside));
    let whole = compared.whole.iter().map(|beside| row(format!("{}, in all", beside.name), beside));
    let head = ["export", "times", "Wasm us, median", "p95", "native us, median", "p95", "Wasm / native"];
    let mut notes = vec![
        format!(
            "Native: the same project without the sandbox, in cargo's profile of its component. Both were asked the same {} \
             questions in {} rounds; what a question carries is handed over by value on both sides.",
            grouped(compared.questions.try_into().unwrap_or(u64::MAX)),
            compared.rounds
        ),
        format!(
            "Whole pieces have the component's instantiation in them. The clock itself takes {} ns, which are in each time of a \
             call; what takes hardly longer natively has no ratio.",
            compared.clock_nanoseconds
        ),
        "These are times of this machine as it was. Fuel remains the figure by which a regression is judged.".into(),
    ];
    if let Some(first) = &compared.first {
        notes.push(format!(
            "NOT THE SAME POLICY: {} of {} questions were answered otherwise natively, so the comparison is of two programs. \
             Question {}: the component says {}, the native build {}. Is the component of these sources? `weir build` makes \
             it anew.",
            compared.otherwise,
            compared.questions,
            first.question,
            shortened(&first.component.to_string()),
            shortened(&first.native.to_string())
        ));
    }
    Table {
        id: "native".into(),
        title: format!("What the sandbox costs: {name} beside its native build"),
        head: head.map(str::to_owned).to_vec(),
        rows: exports.chain(whole).collect(),
        notes,
    }
}

/// Two decimals: a native hook takes less than a microsecond.
fn microseconds(nanoseconds: u64) -> String {
    format!("{}.{:02}", grouped(nanoseconds / 1000), nanoseconds % 1000 / 10)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weir_suite::bench::{Otherwise, Spread};

    fn beside(name: &str, ratio: Option<f64>) -> Beside {
        let spread = |median| Spread { median, p95: 1_234_567 };
        Beside { name: name.into(), count: 3, wasm: spread(2_500), native: spread(50), ratio }
    }

    fn compared(first: Option<Otherwise>) -> Compared {
        Compared {
            rounds: 5,
            questions: 1200,
            otherwise: usize::from(first.is_some()),
            first,
            clock_nanoseconds: 20,
            exports: vec![beside("session.authorize", Some(50.0)), beside("session.guidance", None)],
            whole: vec![beside("rollout", Some(1.25))],
        }
    }

    #[test]
    fn each_export_and_whole_piece_stands_beside_its_native_time() {
        let table = table("mine", &compared(None));
        assert_eq!(table.rows[0], ["session.authorize", "3", "2.50", "1,234.56", "0.05", "1,234.56", "50.0x"]);
        assert_eq!(table.rows[1][6], "N/A");
        assert_eq!((table.rows[2][0].as_str(), table.rows[2][6].as_str()), ("rollout, in all", "1.2x"));
        assert!(table.notes[0].contains("the same 1,200 questions in 5 rounds") && table.notes.len() == 3);
    }

    #[test]
    fn answers_that_differ_are_told_and_shortened() {
        let value = |text: &str| serde_json::Value::String(text.into());
        let first = Otherwise { question: 7, component: value(&"\u{e9}".repeat(400)), native: value("b") };
        let table = table("mine", &compared(Some(first)));
        let note = table.notes.last().unwrap();
        assert!(note.contains("1 of 1200 questions") && note.contains("Question 7: the component says \"\u{e9}"));
        assert!(note.contains("...") && note.contains("the native build \"b\"") && note.len() < 800, "{note}");
    }
}
