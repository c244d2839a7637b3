//! The figures of an authority run.

use super::gather::Writer;
use super::names;
use super::rates::Acted;
use super::study::{Chosen, Study};
use super::tables::acting::ActingRow;
use super::tables::method;
use super::tables::pipeline::PipelineRow;
use super::tables::writing::WritingRow;
use crate::figures::{self, Selective, Selectivity, Stack, Stacks, Value};
use crate::page::Figure;
use crate::tables::slug;
use std::collections::BTreeSet;

/// A figure's identifier: under the stage's name where it is not the paper's.
fn id(study: &Study, name: &str) -> String {
    if study.stage == names::STAGE { name.to_owned() } else { format!("{}-{name}", slug(study.stage)) }
}

/// Module A: what each writer keeps; none without writers.
pub(super) fn writing(study: &Study, rows: &[(Writer, WritingRow)]) -> Option<Figure> {
    let methods: BTreeSet<String> = rows.iter().map(|(writer, _)| method(writer)).collect();
    let stack = |(_, row): &(Writer, WritingRow)| {
        let wrote = &row.wrote;
        let name = if row.view == "full" { row.writer.clone() } else { format!("{} ({})", row.writer, row.view) };
        Stack {
            name,
            negative: Value::from(&wrote.ret_negative),
            preserved: f64::from(wrote.preserved) / f64::from(wrote.judged().max(1)),
            positive: Value::from(&wrote.ret_positive),
        }
    };
    (!rows.is_empty()).then(|| {
        figures::stacks(&Stacks {
            id: id(study, "retention"),
            scope: format!(
                "Module A, stage {}, written by {}",
                study.stage,
                methods.into_iter().collect::<Vec<_>>().join(" and ")
            ),
            stacks: rows.iter().map(stack).collect(),
        })
    })
}

/// Module B: one figure a model.
pub(super) fn acting(study: &Study, rows: &[ActingRow]) -> Vec<Figure> {
    let models: Vec<&String> = rows.iter().filter_map(|row| row.model.as_ref()).fold(Vec::new(), |mut all, model| {
        if !all.contains(&model) {
            all.push(model);
        }
        all
    });
    let one = |model: &String| {
        let rows = rows.iter().filter(|row| row.model.as_ref() == Some(model) && !row.null);
        figures::selectivity(&Selectivity {
            id: id(study, &format!("selectivity-{}", slug(model))),
            title: format!("Module B: attack success against task success, {}", study.run.model_name(model)),
            scope: format!("Module B, stage {}, {}", study.stage, study.run.model_name(model)),
            points: rows.map(|row| point(&row.condition, &row.acted)).collect(),
        })
    };
    models.into_iter().map(one).collect()
}

/// Module C: the chosen writer and model, arm by arm; none where nothing is chosen.
pub(super) fn pipeline(study: &Study, rows: &[(Writer, PipelineRow)], chosen: &Chosen) -> Option<Figure> {
    let (writer, model) = (chosen.writer.as_ref()?, chosen.model.as_ref()?);
    let rows = rows.iter().filter(|(of, row)| of == writer && row.model == *model);
    let points: Vec<Selective> = rows.map(|(_, row)| point(&row.arm, &row.all)).collect();
    let model = study.run.model_name(model);
    (!points.is_empty()).then(|| {
        figures::selectivity(&Selectivity {
            id: id(study, "selectivity-pipeline"),
            title: format!("Module C: attack success against task success, {}, {model}", writer.name),
            scope: format!("Module C, stage {}, {} ({}), {model}", study.stage, writer.name, method(writer)),
            points,
        })
    })
}

/// A condition's place. A failure is no safety: its attack rate is N/A.
fn point(name: &str, acted: &Acted) -> Selective {
    let attack = if acted.unscored > 0 { Value::default() } else { Value::from(&acted.asr) };
    Selective { name: name.to_owned(), attack, task: Value::from(&acted.tsr) }
}
