//! Recorded AgentDojo runs, if there are any: found, imported and replayed once for all tests.

use crate::support::program::{scratch, tell, weir};
use crate::support::recorded::{replay, with_cache};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use weir_suite::Row;
use weir_suite::store::Store;

/// A row of the runs' own manifest.
#[derive(Deserialize)]
pub struct Listed {
    pub path: String,
    pub suite: String,
    pub user_task: String,
    pub attack: String,
    pub utility: Option<bool>,
    /// The attack succeeded.
    pub security: Option<bool>,
    /// Utility and security as AgentDojo's own environment gives them when the recorded calls are made again.
    pub replayed: Option<(bool, bool)>,
    pub parity: Option<bool>,
    pub sha256: String,
}

impl Listed {
    /// Attacked, with the user's task as the user's.
    pub fn is_attacked(&self) -> bool {
        self.attack != "none" && !self.is_direct()
    }

    /// The injection was asked for as the user's own task.
    pub fn is_direct(&self) -> bool {
        self.user_task.starts_with("injection_task_")
    }
}

/// The runs, imported and replayed.
pub struct Data {
    pub manifest: Vec<Listed>,
    /// What `weir import --json` said.
    pub import: Value,
    /// Folder of the replay with both ledgers.
    pub plain: PathBuf,
    /// Folder of the replay in which egress is gated.
    pub gated: PathBuf,
}

impl Data {
    /// The runs; none, with a line to say so, where there are none.
    pub fn find() -> Option<&'static Data> {
        static DATA: OnceLock<Option<Data>> = OnceLock::new();
        DATA.get_or_init(|| {
            let place = |variable: &str| env::var_os(variable).map(PathBuf::from);
            let places = place("WEIR_AGENTDOJO_DATA").zip(place("WEIR_AGENTDOJO_SUITES"));
            let Some((runs, suites)) = places.filter(|(runs, suites)| runs.is_dir() && suites.is_file()) else {
                tell("skipped: WEIR_AGENTDOJO_DATA and WEIR_AGENTDOJO_SUITES name no recorded AgentDojo runs");
                return None;
            };
            Some(Data::make(&runs, &suites))
        })
        .as_ref()
    }

    fn make(runs: &Path, suites: &Path) -> Self {
        let text = std::fs::read_to_string(runs.join("manifest.jsonl")).unwrap();
        let manifest = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let home = scratch("recorded");
        let (runs, suites) = (runs.display().to_string(), suites.display().to_string());
        let arguments = ["import", "agentdojo", &runs, "--suites", &suites, "--out", "traces.jsonl.zst", "--json"];
        let import = weir(&home, &with_cache(&arguments)).good().stdout;
        replay(&home, "plain", &[]);
        replay(&home, "gated", &["--gate-egress"]);
        let import = serde_json::from_str(&import).unwrap();
        Data { manifest, import, plain: home.join("plain"), gated: home.join("gated") }
    }

    /// The table of the replay.
    pub fn table(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.plain.join("report.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["rows"].as_array().unwrap().clone()
    }

    /// One policy's results with one ledger, each with the SHA-256 of its record.
    pub fn results(&self, policy: &str, ledger: &str) -> BTreeMap<String, Row> {
        let store = Store::open(&self.plain).unwrap();
        let plan: Vec<String> = store.plan().unwrap().map(Result::unwrap).collect();
        let rows: Vec<Row> = store.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(plan.len(), rows.len());
        let record =
            |line: &String| serde_json::from_str::<Value>(line).unwrap()["recorded"].as_str().unwrap().to_owned();
        let wanted = |row: &Row| row.policy == policy && row.ledger == ledger;
        plan.iter().zip(rows).filter(|(_, row)| wanted(row)).map(|(line, row)| (record(line), row)).collect()
    }
}
