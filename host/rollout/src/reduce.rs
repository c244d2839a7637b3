//! Folding a trace through reducers.

use crate::gate::Infra;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use weir_runtime::convert::reducer_header;
use weir_runtime::wit::reducers::{Better, Metric};
use weir_runtime::world::Measure;
use weir_trace::{Columns, Trace};

/// Events in one batch: a long trace crosses the boundary in pieces, so that no reducer holds all of it.
const BATCH: usize = 512;

/// A metric's value for one rollout; none is not applicable. Written as `null`, as a number, or, with its counts, as
/// `[value, numerator, denominator]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(into = "Written")]
pub struct Measured {
    /// The value.
    pub value: Option<f64>,
    /// Count above the line.
    pub numerator: Option<f64>,
    /// Count below the line.
    pub denominator: Option<f64>,
}

/// The short forms. Most rows are mostly plain numbers.
#[derive(Serialize)]
#[serde(untagged)]
enum Written {
    Plain(Option<f64>),
    Counted([Option<f64>; 3]),
}

/// Reads the short forms as they come. A report reads some forty of them in each row, and serde would keep a copy of each
/// to try the forms on.
impl<'de> Deserialize<'de> for Measured {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Short)
    }
}

struct Short;

impl<'de> Visitor<'de> for Short {
    type Value = Measured;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, a number, or a list of value, numerator and denominator")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Measured, E> {
        Ok(Measured { value: None, numerator: None, denominator: None })
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Measured, E> {
        Ok(Measured { value: Some(value), numerator: None, denominator: None })
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Measured, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Measured, E> {
        self.visit_f64(value as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Measured, A::Error> {
        let [value, numerator, denominator] = Deserialize::deserialize(SeqAccessDeserializer::new(items))?;
        Ok(Measured { value, numerator, denominator })
    }
}

impl From<Measured> for Written {
    fn from(m: Measured) -> Self {
        if m.numerator.is_none() && m.denominator.is_none() {
            Written::Plain(m.value)
        } else {
            Written::Counted([m.value, m.numerator, m.denominator])
        }
    }
}

/// A metric's description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricInfo {
    /// The papers' name.
    pub name: String,
    /// Its family.
    pub family: String,
    /// `more`, `less` or `neither`.
    pub better: String,
    /// Stages where it applies; empty means all.
    pub stages: Vec<String>,
    /// Its definition.
    pub description: String,
}

impl From<&Metric> for MetricInfo {
    fn from(metric: &Metric) -> Self {
        let better = match metric.better {
            Better::More => "more",
            Better::Less => "less",
            Better::Neither => "neither",
        };
        MetricInfo {
            name: metric.name.clone(),
            family: metric.family.clone(),
            better: better.into(),
            stages: metric.stages.clone(),
            description: metric.description.clone(),
        }
    }
}

/// Reducers with their metrics, asked once.
pub struct Reducers {
    plugins: Vec<(Box<dyn Measure>, Vec<MetricInfo>)>,
}

impl Reducers {
    /// Asks each reducer for its metrics.
    ///
    /// # Errors
    /// A reducer's fault, or two reducers with a metric of the same name.
    pub fn new(plugins: Vec<Box<dyn Measure>>) -> Result<Self, Infra> {
        let mut with_metrics = Vec::with_capacity(plugins.len());
        let mut owners: BTreeMap<String, String> = BTreeMap::new();
        for plugin in plugins {
            let metrics: Vec<MetricInfo> =
                plugin.metrics().map_err(Infra::Reducer)?.iter().map(MetricInfo::from).collect();
            for metric in &metrics {
                let name = plugin.name().to_owned();
                if let Some(other) = owners.insert(metric.name.clone(), name.clone()) {
                    return Err(Infra::Input(format!(
                        "reducers `{other}` and `{name}` both compute `{}`",
                        metric.name
                    )));
                }
            }
            with_metrics.push((plugin, metrics));
        }
        Ok(Reducers { plugins: with_metrics })
    }

    /// All metrics, in the order of the reducers.
    pub fn metrics(&self) -> impl Iterator<Item = &MetricInfo> {
        self.plugins.iter().flat_map(|(_, metrics)| metrics)
    }

    /// Measures one trace.
    ///
    /// # Errors
    /// A reducer's fault.
    pub fn measure(&self, trace: &Trace) -> Result<BTreeMap<String, Measured>, Infra> {
        let header = reducer_header(&trace.header);
        let names = || trace.tools.iter().map(|tool| tool.name.as_str());
        let batches: Vec<_> = trace
            .events
            .chunks(BATCH)
            .map(|events| Columns::of(events, &trace.header.agents, names()).into())
            .collect();
        let mut all = BTreeMap::new();
        for (plugin, metrics) in &self.plugins {
            for m in plugin.fold(&header, &batches).map_err(Infra::Reducer)? {
                let name = usize::try_from(m.metric).ok().and_then(|index| metrics.get(index));
                let Some(metric) = name else {
                    let name = plugin.name();
                    return Err(Infra::Input(format!("reducer `{name}` measured metric {}, which it lacks", m.metric)));
                };
                let measured = Measured { value: m.value, numerator: m.numerator, denominator: m.denominator };
                if all.insert(metric.name.clone(), measured).is_some() {
                    let name = plugin.name();
                    return Err(Infra::Input(format!("reducer `{name}` measured `{}` twice", metric.name)));
                }
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_is_read_from_each_of_its_forms_and_written_to_the_same_text() {
        for text in ["null", "0.25", "[0.5,1.0,2.0]", "[null,0.0,0.0]", "[0.5,null,2.0]"] {
            let measured: Measured = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&measured).unwrap(), text);
        }
        let whole: Measured = serde_json::from_str("3").unwrap();
        assert_eq!(whole, Measured { value: Some(3.0), numerator: None, denominator: None });
    }

    #[test]
    fn anything_else_is_no_measurement() {
        for text in ["true", r#""0.5""#, "{}", "[1.0,2.0]", "[1.0,2.0,3.0,4.0]", "[1.0,2.0,true]"] {
            assert!(serde_json::from_str::<Measured>(text).is_err(), "{text}");
        }
    }
}
