//! Table 4: what labels are worth, against gold.

use super::{INTERVALS, of};
use crate::authority::gather::Writer;
use crate::authority::names::{NAIVE_JOIN, ORACLE, PREDICTED};
use crate::authority::study::{Chosen, Over, Study};
use crate::estimate::Estimate;
use crate::page::Table;
use crate::tables::{NOT_APPLICABLE, head};
use serde::Serialize;
use weir_memory::Authority;
use weir_memory::scores::{Labels, Share};

/// The parts of Table 4, in the order of its columns.
const PARTS: [(&str, Over<'static>); 4] =
    [("validation", Over::VALIDATION), ("main", Over::MAIN), ("held out", Over::HELD_OUT), ("all", Over::ALL)];

/// An arm's labels on a part of the bases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelRow {
    /// Evidence stage.
    pub stage: String,
    /// The arm that labels; of the baseline, the most frequent label.
    pub arm: String,
    /// The most frequent gold label on every memory.
    pub baseline: bool,
    /// `validation`, `main`, `held out` or `all`.
    pub partition: String,
    /// Memories with the right label.
    pub accuracy: Estimate,
    /// The same, of those that express the focal proposition.
    pub focal_accuracy: Estimate,
    /// Mean F1 over the labels that occur.
    pub macro_f1: Option<f64>,
    /// Memories by gold label and label given, least permissive first; the last column has those without a label.
    pub counts: [[u32; 4]; 3],
    #[serde(skip)]
    labels: Labels,
}

/// Every arm that labels anything, part by part; after them what the most frequent gold label would be worth.
pub(crate) fn rows(study: &Study, writer: &Writer) -> Vec<LabelRow> {
    let labels_any = |arm: &String| study.labelled(writer, arm, Over::ALL).labels_any();
    let arms: Vec<String> = study.run.arms().into_iter().filter(labels_any).collect();
    let row = |arm: String, partition: &str, labels: Labels| LabelRow {
        stage: study.stage.to_owned(),
        arm,
        baseline: false,
        partition: partition.to_owned(),
        accuracy: Estimate::none(),
        focal_accuracy: Estimate::none(),
        macro_f1: labels.macro_f1(),
        counts: labels.counts(),
        labels,
    };
    let mut rows = Vec::new();
    for arm in &arms {
        for (partition, over) in PARTS {
            let scored = study.labelled(writer, arm, over);
            rows.push(LabelRow {
                accuracy: scored.accuracy(study.resamples),
                focal_accuracy: scored.focal_accuracy(study.resamples),
                ..row(arm.clone(), partition, scored.labels)
            });
        }
    }
    // Gold labels are the memories' own, whatever an arm makes of them, so that any arm has them.
    for (partition, over) in PARTS.iter().filter(|_| !arms.is_empty()) {
        let scored = arms.first().and_then(|arm| study.labelled(writer, arm, *over).majority());
        let Some((label, labels)) = scored else { continue };
        let Share { count, of } = labels.accuracy();
        // No interval: it is nobody's prediction.
        let accuracy = Estimate {
            value: labels.accuracy().value(),
            numerator: count.into(),
            denominator: of.into(),
            counted: true,
            ..Estimate::none()
        };
        rows.push(LabelRow { baseline: true, accuracy, ..row(label.to_string(), partition, labels) });
    }
    rows
}

/// Table 4: accuracy and macro F1.
pub(crate) fn table(study: &Study, writer: &Writer, rows: &[LabelRow], chosen: &Chosen) -> Table {
    let mut columns = head(&["Labels by"]);
    for (part, _) in PARTS {
        columns.extend([format!("Accuracy, {part}"), format!("Macro F1, {part}")]);
    }
    columns.push("Focal accuracy, all".into());
    let mut lines: Vec<Vec<String>> = Vec::new();
    let (arms, baselines): (Vec<&LabelRow>, Vec<&LabelRow>) = rows.iter().partition(|row| !row.baseline);
    for row in &arms {
        let mark = if chosen.predictor.as_ref() == Some(&row.arm) { " (chosen)" } else { "" };
        let name = format!("{}{mark}", row.arm);
        match lines.last_mut().filter(|line| line.first() == Some(&name)) {
            Some(line) => line.extend(pair(row)),
            None => lines.push(std::iter::once(name).chain(pair(row)).collect()),
        }
        if let Some(line) = lines.last_mut().filter(|_| row.partition == "all") {
            line.push(row.focal_accuracy.cell());
        }
    }
    if !baselines.is_empty() {
        // Its label can be another one in each part.
        let mut line = vec!["Majority label of each part".to_owned()];
        for (part, _) in PARTS {
            let of = baselines.iter().find(|row| row.partition == part);
            line.extend(of.map_or_else(|| [NOT_APPLICABLE.to_owned(), NOT_APPLICABLE.to_owned()], |row| pair(row)));
        }
        line.push(NOT_APPLICABLE.into());
        lines.push(line);
    }
    let mut notes = vec![
        format!(
            "Over the memories of {} ({} view) whose gold label is known, those of H- and of H+; each history's once, since labels do not depend on the acting model. {PREDICTED}: primary supporting message, mapped by its role; {NAIVE_JOIN}: the least permissive label of the window on every memory; {ORACLE}: gold itself, so that its row must be 1.",
            writer.name, writer.view
        ),
        "A memory without a label is wrong. Macro F1: the mean over the labels that occur in gold or are given.".into(),
        INTERVALS.into(),
    ];
    notes.extend(differing(study, writer));
    Table { head: columns, rows: lines, notes, ..super::table(study, "4", "labels against gold") }
}

fn pair(row: &LabelRow) -> [String; 2] {
    [row.accuracy.cell(), row.macro_f1.map_or_else(|| NOT_APPLICABLE.to_owned(), |f1| format!("{f1:.3}"))]
}

fn differing(study: &Study, writer: &Writer) -> Vec<String> {
    let arms = study.run.arms().into_iter().map(|arm| (study.labels_differ(writer, &arm), arm));
    arms.filter(|(count, _)| *count > 0)
        .map(|(count, arm)| {
            format!(
                "{arm}: in {count} histories the labels are not the same with every acting model and seed; those of the first by name and seed are counted."
            )
        })
        .collect()
}

/// Precision and recall of each label, over all bases.
pub(crate) fn by_label(study: &Study, rows: &[LabelRow]) -> Table {
    let mut columns = head(&["Labels by"]);
    for label in Authority::ALL {
        columns.extend([format!("{label}: precision"), format!("{label}: recall")]);
    }
    columns.push("Without a label".into());
    let line = |row: &LabelRow| {
        let mut cells = vec![row.arm.clone()];
        for label in Authority::ALL {
            cells.extend([row.labels.precision(label), row.labels.recall(label)].map(share));
        }
        let without = row.counts.iter().filter_map(|row| row.last()).sum();
        cells.push(of(without, row.labels.accuracy().of));
        cells
    };
    Table {
        head: columns,
        rows: rows.iter().filter(|row| row.partition == "all" && !row.baseline).map(line).collect(),
        notes: vec!["Over all bases. Precision: right / given; recall: right / gold.".into()],
        ..super::table(study, "4 by label", "precision and recall of each label")
    }
}

fn share(share: Share) -> String {
    share.value().map_or_else(|| NOT_APPLICABLE.to_owned(), |value| format!("{value:.3}  {}/{}", share.count, share.of))
}
