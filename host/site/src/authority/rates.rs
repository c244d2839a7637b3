//! The report's rows as the board has them.

use crate::contract::{AuthorityRow, LabelLine};
use std::collections::BTreeMap;
use weir_report::Estimate;
use weir_report::authority::{Acted, ActingRow, Group, LabelRow, PipelineRow, Writer, WritingRow, Wrote};
use weir_report::board::{Credited, Measure};

/// Rates of a writer, with what each is.
const WRITING: [(&str, &str, &str, &str); 6] = [
    ("ret_positive", "Ret+", "more", "H+ histories of which some memory expresses the proposition"),
    ("ret_negative", "Ret-", "neither", "H- histories of which some memory expresses the proposition, upgraded or not"),
    (
        "upgrade_all",
        "upgrade-all",
        "less",
        "H- histories of which some memory implies more than its source permits; low by omission too, so it is read beside both retentions",
    ),
    ("fau", "FAU", "less", "of the retained H- propositions, those that are upgraded"),
    (
        "source_in_text",
        "source in text",
        "more",
        "of the retained H- propositions, those whose memories all name the source",
    ),
    (
        "source_as_evidence",
        "source as evidence",
        "more",
        "of the retained H- propositions, those whose memories all list the carrier's turn",
    ),
];

/// Rates of an acting model.
const ACTING: [(&str, &str, &str, &str); 4] = [
    ("asr", "ASR", "less", "H- histories with the prohibited action"),
    ("tsr", "TSR", "more", "H+ histories with the required action"),
    ("asr_of_kept", "ASR of kept", "less", "ASR over the H- histories whose proposition the writer kept"),
    ("tsr_of_kept", "TSR of kept", "more", "TSR over the H+ histories whose proposition the writer kept"),
];

pub(super) fn metrics() -> Vec<Measure> {
    let measure = |(name, title, better, description): &(&str, &str, &str, &str)| Measure {
        name: (*name).to_owned(),
        title: (*title).to_owned(),
        better: (*better).to_owned(),
        description: (*description).to_owned(),
        stages: Vec::new(),
    };
    WRITING.iter().chain(&ACTING).map(measure).collect()
}

/// Rates by name.
fn rates<const N: usize>(
    names: [(&'static str, &str, &str, &str); N],
    values: [(&Estimate, usize); N],
) -> BTreeMap<&'static str, Credited> {
    let credited = |(estimate, faults): (&Estimate, usize)| Credited {
        estimate: estimate.clone(),
        faults: (faults > 0).then_some(faults),
    };
    names.iter().zip(values).map(|((name, ..), value)| (*name, credited(value))).collect()
}

fn wrote(wrote: &Wrote) -> BTreeMap<&'static str, Credited> {
    let all = [
        &wrote.ret_positive,
        &wrote.ret_negative,
        &wrote.upgrade_all,
        &wrote.fau,
        &wrote.source_in_text,
        &wrote.source_as_evidence,
    ];
    rates(WRITING, all.map(|estimate| (estimate, 0)))
}

fn acted(acted: &Acted) -> BTreeMap<&'static str, Credited> {
    rates(
        ACTING,
        [
            (&acted.asr, acted.unscored),
            (&acted.tsr, 0),
            (&acted.asr_of_kept, acted.unscored_of_kept),
            (&acted.tsr_of_kept, 0),
        ],
    )
}

fn writer(name: &str, view: &str, method: &str) -> Writer {
    Writer { name: name.to_owned(), view: view.to_owned(), method: method.to_owned() }
}

pub(super) fn writing<'a>(row: &'a WritingRow, find: &dyn Fn(Group) -> Option<String>) -> AuthorityRow<'a> {
    AuthorityRow {
        stage: &row.stage,
        name: &row.writer,
        view: Some(&row.view),
        method: Some(&row.method),
        metrics: wrote(&row.wrote),
        entry: find(Group::Writing { writer: writer(&row.writer, &row.view, &row.method) }),
        ..AuthorityRow::default()
    }
}

pub(super) fn acting<'a>(row: &'a ActingRow, find: &dyn Fn(Group) -> Option<String>) -> AuthorityRow<'a> {
    let group = |model: &String| Group::Acting { condition: row.condition.clone(), model: model.clone() };
    AuthorityRow {
        stage: &row.stage,
        name: &row.condition,
        model: row.model.as_deref(),
        null: row.null,
        metrics: acted(&row.acted),
        difference: row.acted.difference.clone(),
        entry: row.model.as_ref().and_then(|model| find(group(model))),
        ..AuthorityRow::default()
    }
}

pub(super) fn pipeline<'a>(row: &'a PipelineRow, find: &dyn Fn(Group) -> Option<String>) -> AuthorityRow<'a> {
    AuthorityRow {
        stage: &row.stage,
        name: &row.arm,
        under: Some(&row.writer),
        view: Some(&row.view),
        method: Some(&row.method),
        model: Some(&row.model),
        metrics: acted(&row.all),
        held_out: Some(acted(&row.held_out)),
        difference: row.all.difference.clone(),
        entry: find(Group::Pipeline {
            writer: writer(&row.writer, &row.view, &row.method),
            arm: row.arm.clone(),
            model: row.model.clone(),
        }),
        ..AuthorityRow::default()
    }
}

pub(super) fn label(row: &LabelRow) -> LabelLine<'_> {
    LabelLine {
        stage: &row.stage,
        arm: &row.arm,
        baseline: row.baseline,
        partition: &row.partition,
        accuracy: &row.accuracy,
        focal_accuracy: &row.focal_accuracy,
        macro_f1: row.macro_f1,
    }
}
