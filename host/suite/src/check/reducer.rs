//! What is demanded of a reducer.

use crate::check::corpus::traces;
use crate::check::{
    HOSTILE, HOSTILE_ADVICE, Line, NO_STATE, NO_STATE_ADVICE, Wrongs, is_refusal, line, not_the_hosts, told,
};
use crate::error::Error;
use crate::plugins::Plugins;
use crate::sample::{all_cases, rollouts};
use std::collections::BTreeSet;
use weir_rollout::reduce::Reducers;
use weir_runtime::wit::reducers::Measurement;
use weir_runtime::world::ReducerPlugin;

pub(super) fn check(plugins: &Plugins, reducer: ReducerPlugin) -> Result<Vec<Line>, Error> {
    let metrics = reducer.metrics()?;
    let names: BTreeSet<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
    let described = !metrics.is_empty() && names.len() == metrics.len() && same(&metrics, &reducer.metrics()?);
    let mut lines = vec![line(
        "describes its metrics",
        described,
        format!("{} metrics, {} names, the same each time", metrics.len(), names.len()),
    )];
    lines.extend(on_corpus(&reducer, metrics.len())?);
    lines.insert(1, in_rollouts(plugins, reducer)?);
    Ok(lines)
}

fn same<T: std::fmt::Debug>(a: &T, b: &T) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

fn in_rollouts(plugins: &Plugins, reducer: ReducerPlugin) -> Result<Line, Error> {
    let (email, _) = plugins.domain("email")?;
    let (none, _) = plugins.policy("none")?;
    let traces = rollouts(&email, &none, &all_cases(&email)?)?;
    let reducers = Reducers::new(vec![Box::new(reducer)])?;
    let mut unequal = 0_usize;
    for trace in &traces {
        unequal = unequal.saturating_add(usize::from(reducers.measure(trace)? != reducers.measure(trace)?));
    }
    let n = traces.len();
    Ok(line("deterministic", unequal == 0, format!("{unequal} of {n} traces measured otherwise the second time")))
}

fn on_corpus(reducer: &ReducerPlugin, metrics: usize) -> Result<Vec<Line>, Error> {
    let (mut hostile, mut kept) = (Wrongs::default(), Wrongs::default());
    let (mut refused, mut measured) = (0_usize, 0_usize);
    let corpus = traces::corpus();
    let n = corpus.len();
    for odd in corpus {
        let found = match not_the_hosts(reducer.fold(&odd.header, &odd.batches))? {
            Ok(found) => found,
            Err(fault) if is_refusal(&fault) => {
                refused = refused.saturating_add(1);
                continue;
            }
            Err(fault) => {
                hostile.add(&odd.name, told(&fault));
                continue;
            }
        };
        if let Some(wrong) = undescribed(&found, metrics) {
            hostile.add(&odd.name, wrong);
        }
        measured = measured.saturating_add(found.len());
        match not_the_hosts(reducer.fold_twice(&odd.header, &odd.batches))? {
            Ok(second) if !same(&second, &found) => {
                kept.add(&odd.name, "other measurements the second time in one instance")
            }
            Ok(_) => {}
            Err(fault) => kept.add(&odd.name, told(&fault)),
        }
    }
    Ok(vec![
        kept.line(NO_STATE, format!("{n} traces, each twice in one instance"), NO_STATE_ADVICE),
        hostile.line(
            HOSTILE,
            format!("{n} traces, {refused} refused by an error; {measured} measurements of described metrics"),
            HOSTILE_ADVICE,
        ),
    ])
}

/// A measurement of a metric that is not described, or of one twice.
fn undescribed(found: &[Measurement], metrics: usize) -> Option<String> {
    let mut seen = BTreeSet::new();
    found.iter().find_map(|one| {
        if !usize::try_from(one.metric).is_ok_and(|index| index < metrics) {
            return Some(format!("it measures metric {}, and describes {metrics}", one.metric));
        }
        (!seen.insert(one.metric)).then(|| format!("it measures metric {} twice", one.metric))
    })
}
