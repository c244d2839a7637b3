//! AuthMem-Bench's tables, of one stage of a run. The paper's pairs have the paper's numbers; any other stage has the same
//! tables under its own name.

pub(super) mod accounting;
pub(super) mod acting;
pub(super) mod labels;
pub(super) mod pipeline;
pub(super) mod transitions;
pub(super) mod writing;

use super::gather::Writer;
use super::names;
use super::study::Study;
use crate::page::Table;
use crate::tables::slug;

/// What every interval is.
pub(super) const INTERVALS: &str = "Intervals: 95 %, percentile bootstrap over base histories (10,000 resamples, seed 0); where no or every case counts, the exact one-sided bound over base histories. A difference whose interval has no width is the same in every base.";

/// How a writer writes, in words.
pub(super) fn method(writer: &Writer) -> String {
    match writer.method.as_str() {
        "rules" => "rules (emulation)".into(),
        "model" => "a model".into(),
        other => other.to_owned(),
    }
}

/// A table of a stage: with the paper's number, or under the stage's own name.
pub(super) fn table(study: &Study, number: &str, title: &str) -> Table {
    if study.stage == names::STAGE {
        return Table {
            id: format!("table-{}", slug(number)),
            title: format!("Table {number}: {title}"),
            ..Table::default()
        };
    }
    Table {
        id: format!("{}-table-{}", slug(study.stage), slug(number)),
        title: format!("{}: {title}", study.stage),
        ..Table::default()
    }
}

/// A count and its denominator, or N/A.
pub(super) fn of(count: u32, all: u32) -> String {
    if all == 0 { crate::tables::NOT_APPLICABLE.into() } else { format!("{count}/{all}") }
}
