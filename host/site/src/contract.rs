//! The data files, as `web/src/data.ts` documents them: what only the site has. Estimates are the report's own types.

use crate::input::{Attestation, Badge, Kind};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use weir_report::Estimate;
use weir_report::authority::Difference;
use weir_report::board::{AxisPair, Cell, Measure, Pair, Stage};

/// The format's name, in `data/site.js` and in the marker.
pub const FORMAT: &str = "weir-site/1";

#[derive(Serialize)]
pub(crate) struct SiteFile<'a> {
    pub(crate) format: &'static str,
    pub(crate) title: &'a str,
    pub(crate) weir: &'static str,
    pub(crate) kind: Kind,
    pub(crate) tracks: Vec<TrackRef>,
}

#[derive(Serialize)]
pub(crate) struct TrackRef {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) kind: &'static str,
}

#[derive(Serialize)]
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) simulated: bool,
}

#[derive(Serialize)]
pub(crate) struct BoardFile {
    pub(crate) suite: String,
    pub(crate) plan: String,
    pub(crate) models: Vec<Model>,
    pub(crate) domains: Vec<String>,
    pub(crate) stages: Vec<Stage>,
    pub(crate) metrics: Vec<Measure>,
    pub(crate) axes: Vec<AxisPair>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) notes: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) digest: String,
    pub(crate) folder: String,
    pub(crate) authors: Vec<String>,
    pub(crate) badge: Badge,
    pub(crate) baseline: bool,
    pub(crate) built_in: bool,
    pub(crate) date: Option<String>,
    pub(crate) counts: Counts,
    pub(crate) fuel: Fuel,
    pub(crate) tokens: Option<Tokens>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    pub(crate) planned: usize,
    pub(crate) done: usize,
    pub(crate) faulted: usize,
    pub(crate) invalid: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Fuel {
    pub(crate) median: u64,
    pub(crate) p95: u64,
    pub(crate) total: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Tokens {
    pub(crate) read: u64,
    pub(crate) written: u64,
}

#[derive(Serialize)]
pub(crate) struct PairsFile {
    pub(crate) pairs: Vec<Pair>,
}

/// A column of names, each kept once, and the place of each row's.
#[derive(Debug, Default)]
pub(crate) struct Named {
    pub(crate) names: Vec<String>,
    pub(crate) places: Vec<usize>,
}

impl Named {
    pub(crate) fn push(&mut self, name: &str) {
        let place = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        self.places.push(place);
    }
}

#[derive(Serialize)]
pub(crate) struct ScenariosFile<'a> {
    pub(crate) ids: Vec<&'a str>,
    pub(crate) stage: Vec<usize>,
    pub(crate) stages: Vec<String>,
    pub(crate) domain: Vec<usize>,
    pub(crate) domains: Vec<String>,
    pub(crate) family: Vec<usize>,
    pub(crate) families: Vec<String>,
    pub(crate) topology: Vec<usize>,
    pub(crate) topologies: Vec<String>,
    pub(crate) memory: Vec<usize>,
    pub(crate) memories: Vec<String>,
}

/// A scenario, as [`ScenariosFile`] lists them.
pub(crate) struct ScenarioLine<'a> {
    pub(crate) id: &'a str,
    pub(crate) stage: &'a str,
    pub(crate) domain: &'a str,
    pub(crate) family: &'a str,
    pub(crate) topology: &'a str,
    pub(crate) memory: &'a str,
}

impl<'a> ScenariosFile<'a> {
    pub(crate) fn of(scenarios: impl Iterator<Item = ScenarioLine<'a>>) -> Self {
        let mut ids = Vec::new();
        let mut columns: [Named; 5] = Default::default();
        for line in scenarios {
            ids.push(line.id);
            let names = [line.stage, line.domain, line.family, line.topology, line.memory];
            for (column, name) in columns.iter_mut().zip(names) {
                column.push(name);
            }
        }
        let [stage, domain, family, topology, memory] = columns;
        ScenariosFile {
            ids,
            stage: stage.places,
            stages: stage.names,
            domain: domain.places,
            domains: domain.names,
            family: family.places,
            families: family.names,
            topology: topology.places,
            topologies: topology.names,
            memory: memory.places,
            memories: memory.names,
        }
    }
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct UnitsFile {
    pub(crate) scenario: Vec<usize>,
    pub(crate) model: Vec<usize>,
    pub(crate) seed: Vec<u64>,
    pub(crate) outcome: Vec<usize>,
    pub(crate) trace: Vec<String>,
    pub(crate) lost: BTreeMap<usize, BTreeMap<String, u32>>,
}

#[derive(Serialize)]
pub(crate) struct EntryPage<'a> {
    pub(crate) submission: Option<&'a Value>,
    pub(crate) manifest: &'a Value,
    pub(crate) attestations: &'a [Attestation],
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) hooks: Vec<HookFuel>,
    pub(crate) verify: Vec<String>,
    pub(crate) notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Coverage {
    pub(crate) stage: String,
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct HookFuel {
    pub(crate) hook: &'static str,
    pub(crate) decisions: usize,
    pub(crate) median: u64,
    pub(crate) p95: u64,
    pub(crate) max: u64,
}

#[derive(Serialize)]
pub(crate) struct AuthorityFile<'a> {
    pub(crate) suite: String,
    pub(crate) plan: String,
    pub(crate) models: Vec<Model>,
    pub(crate) stages: Vec<String>,
    pub(crate) writing: Vec<AuthorityRow<'a>>,
    pub(crate) acting: Vec<AuthorityRow<'a>>,
    pub(crate) pipeline: Vec<AuthorityRow<'a>>,
    pub(crate) labels: Vec<LabelLine<'a>>,
    pub(crate) metrics: Vec<Measure>,
    pub(crate) entries: Vec<AuthorityEntry>,
    pub(crate) plugins: Vec<Plugin<'a>>,
    pub(crate) notes: Vec<String>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthorityRow<'a> {
    pub(crate) stage: &'a str,
    pub(crate) name: &'a str,
    pub(crate) under: Option<&'a str>,
    pub(crate) view: Option<&'a str>,
    pub(crate) method: Option<&'a str>,
    pub(crate) model: Option<&'a str>,
    pub(crate) null: bool,
    pub(crate) metrics: BTreeMap<&'static str, weir_report::board::Credited>,
    pub(crate) held_out: Option<BTreeMap<&'static str, weir_report::board::Credited>>,
    pub(crate) difference: Option<Difference>,
    pub(crate) entry: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LabelLine<'a> {
    pub(crate) stage: &'a str,
    pub(crate) arm: &'a str,
    pub(crate) baseline: bool,
    pub(crate) partition: &'a str,
    pub(crate) accuracy: &'a Estimate,
    pub(crate) focal_accuracy: &'a Estimate,
    #[serde(rename = "macroF1")]
    pub(crate) macro_f1: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct AuthorityEntry {
    pub(crate) id: String,
    pub(crate) module: &'static str,
    pub(crate) name: String,
    pub(crate) writer: Option<String>,
    pub(crate) view: Option<String>,
    pub(crate) method: Option<String>,
    pub(crate) condition: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) policy: Option<String>,
    pub(crate) folder: String,
    pub(crate) counts: Counts,
    pub(crate) fuel: Fuel,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Plugin<'a> {
    pub(crate) kind: &'a str,
    pub(crate) name: &'a str,
    pub(crate) version: Option<&'a str>,
    pub(crate) digest: &'a str,
    pub(crate) built_in: bool,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct AuthorityUnitsFile {
    pub(crate) scenario: Vec<usize>,
    pub(crate) seed: Vec<u64>,
    pub(crate) pair: Vec<usize>,
    pub(crate) pairs: Vec<String>,
    pub(crate) side: Vec<u8>,
    pub(crate) transition: Vec<usize>,
    pub(crate) transitions: Vec<String>,
    pub(crate) retention: Vec<Option<u8>>,
    pub(crate) action: Vec<Option<u8>>,
    pub(crate) faulted: Vec<bool>,
    pub(crate) trace: Vec<String>,
}
