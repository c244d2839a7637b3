//! Every number of a board is the report's.

use crate::{data, home, json, list, place, text};
use serde_json::Value;

/// What an estimate is made of.
const PARTS: [&str; 7] = ["value", "low", "high", "numerator", "denominator", "clusters", "counted"];

/// Whether two numbers are the same: the site writes 1.0 as 1.
#[track_caller]
fn same(what: &str, ours: &Value, reports: &Value) {
    for part in PARTS {
        let (a, b) = (&ours[part], &reports[part]);
        let equal = if a.is_number() { a.as_f64() == b.as_f64() } else { a == b };
        assert!(equal, "{what}, {part}: {a} in the site, {b} in the report");
    }
}

#[test]
fn a_boards_estimates_are_the_reports_in_every_digit() {
    let (report, board) = (json(&home().join("run/report.json")), data(&home().join("site"), "data/small/board"));
    let entries = list(&board["entries"]);
    let mut compared = 0;
    for row in list(&report["rows"]) {
        let is =
            |cell: &&Value| cell["stage"] == row["stage"] && cell["model"] == row["model"] && cell["domain"].is_null();
        let cell = list(&board["cells"]).iter().find(is).unwrap();
        let entry = entries.iter().position(|entry| entry["name"] == row["policy"]).unwrap();
        for (metric, reports) in row["metrics"].as_object().unwrap() {
            let what = format!("{} of {} in {}", metric, row["policy"], row["stage"]);
            match cell["metrics"].get(metric) {
                Some(ours) => same(&what, &ours[entry], reports),
                // What applies to no policy of the stage has no column.
                None => assert!(reports["value"].is_null(), "{what} is left out"),
            }
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared} estimates");
}

#[test]
fn the_domains_of_a_stage_add_up_to_it() {
    let board = data(&home().join("site"), "data/small/board");
    for whole in list(&board["cells"]).iter().filter(|cell| cell["domain"].is_null()) {
        let parts: Vec<&Value> = list(&board["cells"])
            .iter()
            .filter(|cell| cell["stage"] == whole["stage"] && !cell["domain"].is_null())
            .collect();
        assert_eq!(parts.len(), 2);
        for (metric, all) in whole["metrics"].as_object().unwrap() {
            for (entry, all) in list(all).iter().enumerate() {
                let sum: f64 =
                    parts.iter().filter_map(|part| part["metrics"][metric][entry]["denominator"].as_f64()).sum();
                assert_eq!(Some(sum), all["denominator"].as_f64(), "{metric} in {}", whole["stage"]);
            }
        }
    }
}

#[test]
fn a_comparisons_two_by_two_is_what_its_units_say() {
    let site = home().join("site");
    let (board, pairs) = (data(&site, "data/small/board"), data(&site, "data/small/pairs"));
    let scenarios = data(&site, "data/small/scenarios");
    let side = |entry: usize| {
        let id = text(&board["entries"][entry]["id"]).to_owned();
        (data(&site, &format!("data/small/{id}/units")), data(&site, &format!("data/small/{id}/values")))
    };
    let mut compared = 0;
    for pair in list(&pairs["pairs"]) {
        let ((units, a), (others, b)) = (side(place(&pair["a"])), side(place(&pair["b"])));
        assert_eq!(units["scenario"], others["scenario"], "both have the same units in one order");
        for stage in list(&pair["stages"]).iter().filter(|stage| !stage["table"].is_null()) {
            let mut table = [0_u64; 4];
            let metric = text(&stage["metric"]);
            for (at, scenario) in list(&units["scenario"]).iter().enumerate() {
                let of = &scenarios["stages"][place(&scenarios["stage"][place(scenario)])];
                let (Some(a), Some(b)) = (a[metric][at].as_f64(), b[metric][at].as_f64()) else { continue };
                if *of == stage["stage"] {
                    table[usize::from(a <= 0.0) * 2 + usize::from(b <= 0.0)] += 1;
                }
            }
            let said = ["both", "onlyA", "onlyB", "neither"].map(|name| stage["table"][name].as_u64().unwrap());
            assert_eq!(table, said, "{metric} in {}", stage["stage"]);
            assert_eq!(table.iter().sum::<u64>(), stage["pairs"].as_u64().unwrap());
            // The effect is the difference of the two sides' events.
            let delta = stage["delta"]["value"].as_f64().unwrap() * stage["pairs"].as_f64().unwrap();
            let expected = i64::try_from(table[2]).unwrap() - i64::try_from(table[1]).unwrap();
            assert!((delta - expected as f64).abs() < 1e-9, "{delta} {expected}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared} tables");
}

#[test]
fn outcomes_are_what_the_measurements_say() {
    let site = home().join("site");
    let board = data(&site, "data/small/board");
    for entry in list(&board["entries"]) {
        let id = text(&entry["id"]);
        let (units, values) =
            (data(&site, &format!("data/small/{id}/units")), data(&site, &format!("data/small/{id}/values")));
        let harmed = list(&values["committed_harm"]).iter().filter(|value| value.as_f64() == Some(1.0)).count();
        // The second worst outcome, and no policy of these has failed.
        let outcomes = list(&units["outcome"]).iter().filter(|outcome| outcome.as_u64() == Some(1)).count();
        assert_eq!(harmed, outcomes, "{id}");
        assert_eq!(entry["counts"]["faulted"], 0);
        assert_eq!(place(&entry["counts"]["done"]), list(&units["outcome"]).len());
        let invalid = list(&values["parse_failure_rate"]).iter().filter(|v| v.as_f64().is_some_and(|v| v > 0.0));
        assert_eq!(place(&entry["counts"]["invalid"]), invalid.count(), "{id}");
    }
}

#[test]
fn an_authority_boards_rates_are_the_reports() {
    let (report, board) =
        (json(&home().join("authority/report.json")), data(&home().join("site"), "data/small-authority/board"));
    let rates = |rows: &str, named: &[&str], under: Option<&str>| {
        let (ours, reports) = (list(&board[rows]), list(&report["rows"][rows]));
        assert_eq!(ours.len(), reports.len(), "{rows}");
        assert!(!ours.is_empty());
        for (ours, reports) in ours.iter().zip(reports) {
            assert_eq!(ours["stage"], reports["stage"]);
            let reports = under.map_or(reports, |under| &reports[under]);
            for rate in named {
                same(&format!("{rate} of {}", ours["name"]), &ours["metrics"][rate], &reports[rate]);
            }
        }
    };
    rates("writing", &["ret_positive", "ret_negative", "upgrade_all", "fau", "source_in_text"], None);
    rates("acting", &["asr", "tsr", "asr_of_kept"], None);
    rates("pipeline", &["asr", "tsr", "asr_of_kept", "tsr_of_kept"], Some("all"));
}

#[test]
fn an_authority_cells_rate_is_what_its_units_say() {
    let site = home().join("site");
    let board = data(&site, "data/small-authority/board");
    let scenarios = data(&site, "data/small-authority/scenarios");
    let of_stage = |row: &Value, scenario: &Value| {
        scenarios["stages"][place(&scenarios["stage"][place(scenario)])] == row["stage"]
    };
    for row in list(&board["acting"]).iter().filter(|row| row["null"] == true && !row["model"].is_null()) {
        let units = data(&site, &format!("data/small-authority/{}/units", text(&row["entry"])));
        let negative = |at: &usize| units["side"][*at] == 0 && of_stage(row, &units["scenario"][*at]);
        let histories: Vec<usize> = (0..list(&units["side"]).len()).filter(negative).collect();
        let fired = histories.iter().filter(|at| units["action"][**at] == 0).count();
        assert_eq!(row["metrics"]["asr"]["denominator"].as_f64(), Some(histories.len() as f64));
        assert_eq!(row["metrics"]["asr"]["numerator"].as_f64(), Some(fired as f64));
    }
}
