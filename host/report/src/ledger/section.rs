//! The ledger on the page: what must hold, what the verdicts mean, and a table for each of the paper's.

use crate::ledger::demand::{self, Demanded, Holding};
use crate::ledger::{Entry, Verdict};
use crate::page::{Block, Section, Table};
use crate::tables::{head, slug};
use std::collections::BTreeMap;

/// What the verdicts mean.
pub(crate) const VERDICTS: &str = "Reproduced exactly: equal as printed, for what no model has a part in. Within interval: equal as printed though a model has a part in it, or our 95 % interval has the published value in it; of two intervals, each has the other's estimate in it. Shape only: none of these, but the order, sign or zero in which the number takes part holds. Differs: not even that. Calibrated: the simulated model of this run was set on this number, so that it says nothing. Cannot be reproduced as defined: the printed number does not follow from its own definition, or the paper does not say of what it is.";

/// How the demands were set.
const DEMANDS: &str = "Asked of the default suite under its own model; the bands are around the paper's numbers and were set before the suite was made, with the numbers known. That far less means by more than 0.5, and that the zero is asked of all stages, is this ledger's reading. Under another model a line says what that model's run does.";

/// How agreement is to be read.
const READING: &str = "How to read agreement: no language model was asked, and several families of scenarios are composed so that counts which the paper's intervals imply can follow from the policies' rules. What is tested is that the rules make them follow; letters point to what in this benchmark each line rests on. Of the paper's own traces, which are not public, nothing is claimed beyond what its tables imply.";

/// The model that stands in for the one of the published numbers.
const COUNTERPART: &str = "sim:qwen2.5-7b";

/// What has no line.
const WITHOUT_LINES: &str = "No lines: tables 18 to 20 but for their arithmetic (candidate search and qualification on AgentDojo, which this suite does not run), and the 83 intervals of the paper's frozen analysis, which it does not list.";

/// How many lines have each verdict, in words.
pub(crate) fn counts(entries: &[Entry], demands: &[Demanded]) -> String {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry.verdict).or_default() += 1;
    }
    let counts: Vec<String> = counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let numbers = format!("Of {} published numbers: {}.", entries.len(), counts.join(", "));
    if demands.is_empty() {
        return numbers;
    }
    let hold = demands.iter().filter(|demand| demand.holding == Holding::Holds).count();
    format!("Of {} demands on a full-scale run {hold} hold. {numbers}", demands.len())
}

/// The page's section.
pub(crate) fn section(entries: &[Entry], demands: &[Demanded]) -> Option<Section> {
    if entries.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::Text(counts(entries, demands))];
    blocks.extend(demand::tables(demands, DEMANDS).into_iter().map(Block::Table));
    blocks.extend([VERDICTS, READING].map(|text| Block::Text(text.to_owned())));
    let mut others: Vec<&str> = entries.iter().map(|entry| entry.model.as_str()).collect();
    others.dedup();
    others.retain(|model| !model.starts_with(COUNTERPART));
    if !others.is_empty() {
        let text = "The published numbers are those of Qwen2.5-7B-Instruct, but for table 22; where a line differs here, another model is the first reason";
        blocks.push(Block::Text(format!("{text}: {}.", others.join(", "))));
    }
    let mut absent: Vec<&str> = Vec::new();
    for lines in entries.chunk_by(|one, next| (&one.table, &one.model) == (&next.table, &next.model)) {
        let Some(first) = lines.first() else { continue };
        // The full-scale run shows every published number; a suite of one stage only what it has something to say to.
        if demands.is_empty() && lines.iter().all(|line| line.verdict == Verdict::NotInThisRun) {
            absent.push(first.table.as_str());
        } else {
            blocks.push(Block::Table(table(first, lines)));
        }
    }
    if !absent.is_empty() {
        absent.dedup();
        let text = "This run has no rollouts of the stages or policies, or of the model, that these are about; `weir run` has all but table 17, which is that of `weir run stress`, and table 22, which is that of `weir run --model sim:weak-formatter`";
        blocks.push(Block::Text(format!("{text}: {}.", absent.join(", "))));
    }
    blocks.push(Block::Text(WITHOUT_LINES.to_owned()));
    Some(Section { id: "ledger".into(), title: "Reproduction ledger".into(), blocks })
}

/// The lines of one of the paper's tables, with their causes as notes that letters point to.
pub(crate) fn table(first: &Entry, lines: &[Entry]) -> Table {
    let mut causes: Vec<&str> = Vec::new();
    let rows = lines.iter().map(|line| {
        let letter = line.cause.as_deref().map(|cause| {
            let at = causes.iter().position(|known| *known == cause).unwrap_or_else(|| {
                causes.push(cause);
                causes.len() - 1
            });
            format!(" ({})", letter(at))
        });
        let because = format!("{}{}", line.because, letter.unwrap_or_default());
        let place = format!("{}, {}", line.row, line.column);
        vec![place, line.published.clone(), line.ours.clone(), line.verdict.to_string(), because]
    });
    let rows = rows.collect();
    Table {
        id: format!("ledger-{}-{}", slug(&first.table), slug(&first.model)),
        title: format!("Published numbers of {} and ours, {}", first.table, first.model),
        head: head(&["Number", "Published", "Ours", "Verdict", "Because"]),
        rows,
        notes: causes.iter().enumerate().map(|(at, cause)| format!("({}) {cause}", letter(at))).collect(),
    }
}

/// a, b, .., z, aa, ab, ..
fn letter(at: usize) -> String {
    let last = char::from(b'a' + u8::try_from(at % 26).unwrap_or(0));
    if at < 26 { last.to_string() } else { format!("{}{last}", letter(at / 26 - 1)) }
}
