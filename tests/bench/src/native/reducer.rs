//! Reducers.

use super::refused;
use std::marker::PhantomData;
use weir_plugin::reducer as sdk;
use weir_runtime::Fault;
use weir_runtime::wit::reducers as wit;
use weir_runtime::wit::trace::Columns;
use weir_runtime::world::Measure;

/// A native reducer.
pub struct NativeReducer<R>(pub &'static str, pub PhantomData<fn() -> R>);

impl<R: sdk::Reducer> Measure for NativeReducer<R> {
    fn name(&self) -> &str {
        self.0
    }

    fn metrics(&self) -> Result<Vec<wit::Metric>, Box<Fault>> {
        let metric = |m: sdk::Metric| wit::Metric {
            name: m.name.into(),
            family: m.family.into(),
            better: match m.better {
                sdk::Better::More => wit::Better::More,
                sdk::Better::Less => wit::Better::Less,
                sdk::Better::Neither => wit::Better::Neither,
            },
            stages: m.stages.iter().map(|&stage| stage.into()).collect(),
            description: m.description.into(),
        };
        Ok(R::metrics().into_iter().map(metric).collect())
    }

    fn fold(&self, header: &wit::Header, batches: &[Columns]) -> Result<Vec<wit::Measurement>, Box<Fault>> {
        let header = sdk::Header {
            stage: header.stage.clone(),
            topology: header.topology.clone(),
            memory_mode: header.memory_mode.clone(),
            taint_vocabulary: header.taint_vocabulary,
            goal_met: header.goal_met,
            tainted_dependency: header.tainted_dependency,
            recovered: header.recovered,
            reinfected: header.reinfected,
        };
        let stage = header.stage.clone();
        let mut reducer = R::start(header);
        for batch in batches {
            sdk::rows(&columns(batch), |row| reducer.push(row)).map_err(|e| refused(&e))?;
        }
        let measurement = |(metric, v): (u32, sdk::Value)| wit::Measurement {
            metric,
            value: v.value,
            numerator: v.numerator,
            denominator: v.denominator,
        };
        Ok((0..).zip(sdk::measured(&stage, &mut reducer)).map(measurement).collect())
    }
}

fn columns(c: &Columns) -> sdk::Columns {
    sdk::Columns {
        first: c.first,
        kinds: c.kinds.clone(),
        labels: c.labels.clone(),
        agents: c.agents.clone(),
        tools: c.tools.clone(),
        calls: c.calls.clone(),
        edge_offsets: c.edge_offsets.clone(),
        edge_parents: c.edge_parents.clone(),
        edge_kinds: c.edge_kinds.clone(),
        facts: c.facts.clone(),
        strings: c.strings.clone(),
    }
}
