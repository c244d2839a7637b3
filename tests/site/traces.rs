//! A trace in the site is its run's frame, to the byte, and what it cost is what its decisions say.

use crate::{data, home, list, text};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use weir_suite::store::Store;
use weir_trace::Body;

#[test]
fn every_trace_is_its_runs_frame_with_the_digest_that_the_unit_names() {
    for (run, track) in [("run", "small"), ("authority", "small-authority")] {
        let (store, site) = (Store::open(&home().join(run)).unwrap(), home().join("site"));
        let board = data(&site, &format!("data/{track}/board"));
        let mut by_digest: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let frames = store.frames().unwrap();
        let rows: Vec<_> = store.rows().unwrap().map(Result::unwrap).collect();
        for row in &rows {
            by_digest.insert(row.trace.sha256.clone(), frames.of(row).unwrap());
        }
        let mut seen = 0;
        for entry in list(&board["entries"]) {
            let id = text(&entry["id"]);
            let units = data(&site, &format!("data/{track}/{id}/units"));
            for (unit, digest) in list(&units["trace"]).iter().enumerate() {
                let name = format!("traces/{track}/{id}/{unit}");
                let script = fs::read_to_string(site.join(format!("{name}.js"))).unwrap();
                let encoded = script.strip_prefix(&format!("weir.put(\"{name}\",\"")).unwrap();
                let frame = STANDARD.decode(encoded.strip_suffix("\");\n").unwrap()).unwrap();
                let (_, kept) = by_digest.range(text(digest).to_owned()..).next().unwrap();
                assert!(frame == *kept, "{name} is another frame");
                seen += 1;
            }
        }
        assert_eq!(seen, rows.len());
    }
}

#[test]
fn fuel_by_hook_is_what_the_decisions_of_the_traces_used() {
    let store = Store::open(&home().join("run")).unwrap();
    let mut spent: BTreeMap<(String, String), Vec<u64>> = BTreeMap::new();
    for row in store.rows().unwrap().map(Result::unwrap) {
        for event in store.trace(&row).unwrap().events {
            if let Body::Decision { hook, fuel, .. } = event.body {
                let hook = text(&serde_json::to_value(hook).unwrap()).to_owned();
                spent.entry((row.policy.clone(), hook)).or_default().push(fuel);
            }
        }
    }
    let site = home().join("site");
    let board = data(&site, "data/small/board");
    let mut compared = 0;
    for entry in list(&board["entries"]) {
        let page = data(&site, &format!("data/small/{}/entry", text(&entry["id"])));
        let mut total = 0;
        for hook in list(&page["hooks"]) {
            let key = (text(&entry["name"]).to_owned(), text(&hook["hook"]).to_owned());
            let fuel = spent.get_mut(&key).unwrap();
            fuel.sort_unstable();
            total += fuel.iter().sum::<u64>();
            let middle = fuel[fuel.len().div_ceil(2) - 1];
            assert_eq!(
                (&hook["decisions"], &hook["median"], &hook["max"]),
                (&Value::from(fuel.len()), &Value::from(middle), &Value::from(*fuel.last().unwrap()))
            );
            compared += 1;
        }
        assert_eq!(entry["fuel"]["total"], total);
    }
    assert_eq!(compared, spent.len());
}
