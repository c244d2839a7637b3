use super::*;
use crate::collect::Collected;
use crate::testing::{Synthetic, Unit};
use weir_stats::Resamples;

const FOUR: [&str; 4] = ["security", "memory-recovery", "active-tainted", "clean"];

fn view<'a>(run: &'a Collected, resamples: &'a Resamples) -> View<'a> {
    View::new(run, 0, 0, resamples)
}

fn row<'a>(table: &'a Table, first: &str) -> &'a [String] {
    table.rows.iter().find(|row| row[0] == first).unwrap()
}

/// The paper's Finding 2 in small: of 120 workflows, v2 stops 8 in all seeds, by one rule.
fn active(unit: &Unit) -> Vec<(&'static str, Option<f64>)> {
    let lost = unit.policy == "intent-ledger" && unit.scenario < 8;
    vec![("authorized_tainted_action_success", Some(f64::from(!lost))), ("committed_harm", Some(0.0))]
}

#[test]
fn eight_of_120_scenarios_lost_in_all_seeds_give_the_interval_of_table_12() {
    let run = Synthetic::new(&["none", "tool-boundary", "intent-ledger"], &["active-tainted"], 120, 5).collect(active);
    let resamples = Resamples::default();
    let table = paired::table_12(&view(&run, &resamples)).unwrap();
    let line = row(&table, "Tool-boundary vs Intent-ledger v2");
    assert_eq!(line[3..7], ["1.0000", "0.9333", "-0.0667", "[-0.1167, -0.0250]"]);
    assert!(table.notes[0].contains("taint-only, rollback, which the run has not"), "{}", table.notes[0]);
}

#[test]
fn each_lost_completion_is_due_to_exactly_one_set_of_rules() {
    let shape = Synthetic::new(&["tool-boundary", "intent-ledger"], &["active-tainted"], 10, 5);
    let mut rows = shape.rows(active);
    for row in rows.iter_mut().filter(|row| row.policy == "intent-ledger" && row.scenario.ends_with("/3")) {
        row.lost.insert("block_low_to_high_privilege_jump".into(), 3);
    }
    let manifest = crate::testing::manifest(rows.len());
    let run = Collected::of(&manifest, rows.into_iter().map(Ok::<_, String>)).unwrap();
    let resamples = Resamples::default();
    let found = losses::losses(&view(&run, &resamples), "tool-boundary", "intent-ledger", "active-tainted").unwrap();
    assert_eq!((found.pairs, found.scenarios), (40, 8));
    assert_eq!(found.rules["block_low_to_high_privilege_jump"], (5, 1));
    assert_eq!(found.rules[losses::NO_CALL_STOPPED], (35, 7));
}

#[test]
fn rows_are_counted_as_table_3_has_them() {
    let mut shape = Synthetic::new(&["a", "b", "c", "d", "e", "f", "g"], &FOUR, 0, 5);
    shape.stages = vec![
        ("security".into(), 192),
        ("memory-recovery".into(), 96),
        ("active-tainted".into(), 120),
        ("clean".into(), 96),
    ];
    let run = shape.collect(|_| vec![]);
    let table = accounting::table_3(&run);
    let rows: Vec<&str> = table.rows.iter().map(|row| row[4].as_str()).collect();
    assert_eq!(rows, ["6720", "3360", "4200", "3360", "17640"]);
}

#[test]
fn a_metric_without_events_under_the_control_is_no_ground_for_a_comparison() {
    let run = Synthetic::new(&["none", "tool-boundary"], &["security"], 4, 2).collect(|unit| {
        vec![("committed_harm", Some(f64::from(unit.policy == "none"))), ("secret_leakage", Some(0.0))]
    });
    let resamples = Resamples::default();
    let table = roles::table_6(&view(&run, &resamples));
    assert_eq!(row(&table, "committed_harm")[1], "primary discriminative endpoint");
    let leak = row(&table, "secret_leakage");
    assert_eq!(leak[1], "instrumented but non-discriminative here");
    assert!(
        leak[5].contains("no positive control, 0 events in 8 rollouts") && leak[5].contains("control-leak"),
        "{}",
        leak[5]
    );
    assert!(row(&table, "recovery_success")[5].contains("applies to no rollout"));
}

#[test]
fn two_thirds_of_the_memory_scenarios_diverge_as_in_table_10() {
    let run = Synthetic::new(&["tool-boundary", "intent-ledger"], &["memory-recovery"], 96, 5).collect(|unit| {
        let more = unit.policy == "tool-boundary" && unit.scenario < 64;
        vec![("committed_harm", Some(0.0)), ("br_memory", Some(f64::from(more)))]
    });
    let resamples = Resamples::default();
    let table = divergence::table_10(&view(&run, &resamples)).unwrap();
    let line = &table.rows[0];
    assert_eq!(line[1..5], ["Memory/recovery", "480/480", "0.6667  320/480", "[0.5729, 0.7604]"]);
    assert_eq!(line[7], "br_memory 320");
}

#[test]
fn the_order_of_spreads_can_turn_round_under_the_largest_denominator() {
    // The boundary lets the trace grow: 4 of 10 nodes. The ledger stops early: 3 of 6.
    let run = Synthetic::new(&["tool-boundary", "intent-ledger"], &["security"], 6, 2).collect(|unit| {
        let (tainted, reachable) = if unit.policy == "tool-boundary" { (4.0, 10.0) } else { (3.0, 6.0) };
        vec![
            ("blast_radius_raw", Some(tainted)),
            ("reachable_nodes", Some(reachable)),
            ("blast_radius_norm", Some(tainted / reachable)),
        ]
    });
    let resamples = Resamples::default();
    let view = view(&run, &resamples);
    assert_eq!(spread::flips(&view, Scope::Stage("security")), Some(true));
    let table = spread::table_14(&view).unwrap();
    let fixed = row(&table, "Security only, fixed max denominator");
    assert_eq!(fixed[2..4], ["0.4000", "0.3000"]);
    assert!(fixed[6].ends_with("the sign turns round"), "{}", fixed[6]);
}

#[test]
fn a_gap_in_spread_falls_apart_into_its_stages() {
    let run = Synthetic::new(&["tool-boundary", "intent-ledger"], &FOUR, 2, 2).collect(|unit| {
        let spread = match (unit.stage, unit.policy) {
            ("memory-recovery", "tool-boundary") => 0.8,
            ("clean", _) => 0.0,
            _ => 0.4,
        };
        vec![("blast_radius_norm", Some(spread))]
    });
    let resamples = Resamples::default();
    let table = spread::table_13(&view(&run, &resamples)).unwrap();
    assert_eq!(row(&table, "Memory/recovery")[4..], ["0.100000", "1.0000"]);
    assert_eq!(row(&table, "Security")[4..], ["0.000000", "0.0000"]);
}

#[test]
fn a_policy_that_the_paper_does_not_have_is_a_row_like_any_other() {
    let run = Synthetic::new(&["none", "tool-boundary", "intent-ledger", "mine"], &FOUR, 3, 2)
        .collect(|_| vec![("committed_harm", Some(0.0)), ("blast_radius_norm", Some(0.5))]);
    let resamples = Resamples::default();
    let view = view(&run, &resamples);
    assert_eq!(row(&outcomes::table_9(&view).unwrap(), "mine")[1], "6");
    assert!(divergence::table_10(&view).unwrap().rows.iter().any(|row| row[0] == "Tool-boundary vs mine"));
    assert!(paired::table_25(&view).unwrap().rows.iter().any(|row| row[0] == "Intent-ledger v2 vs mine"));
}

#[test]
fn what_does_not_apply_is_not_zero() {
    let run = Synthetic::new(&["none"], &["memory-recovery"], 2, 1).collect(|_| vec![("recovery_success", Some(1.0))]);
    let resamples = Resamples::default();
    let table = outcomes::table_15(&view(&run, &resamples)).unwrap();
    assert_eq!(table.rows[0][2], "N/A");
    assert!(table.rows[0][3].starts_with("1.0000 ["), "{}", table.rows[0][3]);
}

#[test]
fn a_fault_has_a_column_of_its_own() {
    let mut rows = Synthetic::new(&["none", "mine"], &["security"], 2, 1).rows(|_| vec![("committed_harm", Some(0.0))]);
    rows[2].faults = 4;
    let run = Collected::of(&crate::testing::manifest(4), rows.into_iter().map(Ok::<_, String>)).unwrap();
    let resamples = Resamples::default();
    let table = outcomes::table_9(&view(&run, &resamples)).unwrap();
    assert_eq!(table.head.last().unwrap(), "Plugin faults");
    assert_eq!(
        (row(&table, "None").last().unwrap().as_str(), row(&table, "mine").last().unwrap().as_str()),
        ("0/2", "1/2")
    );
}

/// A control that violates always, and a policy that failed in one of its two rollouts and violated in none.
fn failed_once() -> Collected {
    let mut rows = Synthetic::new(&["none", "mine"], &["security"], 2, 1).rows(|unit| {
        let harm = f64::from(unit.policy == "none");
        vec![("committed_harm", Some(harm)), ("benign_completion", Some(harm))]
    });
    rows[2].faults = 4;
    Collected::of(&crate::testing::manifest(4), rows.into_iter().map(Ok::<_, String>)).unwrap()
}

#[test]
fn what_a_failed_policy_did_not_do_is_a_range_up_to_all_its_faults() {
    let (run, resamples) = (failed_once(), Resamples::default());
    let view = view(&run, &resamples);
    let table = outcomes::table_9(&view).unwrap();
    assert_eq!(row(&table, "mine")[2], "0.0000 to 0.5000  0/2, 1 fault");
    assert!(row(&table, "None")[2].starts_with("1.0000 ["), "{:?}", row(&table, "None"));
    let interface = interface::table_22(&view);
    assert!(
        row(&interface, "mine")[6].starts_with("0.0000 ["),
        "a task not done is not done: {:?}",
        row(&interface, "mine")
    );
}

#[test]
fn spread_and_seeds_mark_a_policy_that_failed_and_compare_nothing_with_it() {
    let mut rows = Synthetic::new(&["tool-boundary", "intent-ledger"], &FOUR, 2, 1).rows(|_| {
        vec![("blast_radius_norm", Some(0.25)), ("blast_radius_raw", Some(1.0)), ("reachable_nodes", Some(4.0))]
    });
    let failed = rows.iter_mut().find(|row| row.policy == "intent-ledger" && row.stage == "security").unwrap();
    failed.faults = 1;
    let manifest = crate::testing::manifest(rows.len());
    let run = Collected::of(&manifest, rows.into_iter().map(Ok::<_, String>)).unwrap();
    let resamples = Resamples::default();
    let view = view(&run, &resamples);
    let gaps = spread::table_13(&view).unwrap();
    let why = "no comparison: Intent-ledger v2 failed in 1 of 2 rollouts";
    assert_eq!(row(&gaps, "Security")[2..], ["0.2500", "0.2500 to 0.7500, 1 fault", why, "N/A"]);
    assert_eq!(row(&gaps, "Memory/recovery")[2..5], ["0.2500", "0.2500", "0.000000"]);
    let denominators = spread::table_14(&view).unwrap();
    for scope in ["Security only, realised denominator", "Security only, fixed max denominator"] {
        let line = row(&denominators, scope);
        assert_eq!((line[3].as_str(), line[6].as_str()), ("0.2500 to 0.7500, 1 fault", why), "{scope}");
    }
    assert_eq!(row(&denominators, "Active stage, realised denominator")[3], "0.2500");
    let seeds = seeds::table_26(&view).unwrap();
    let of = |policy: &str| seeds.rows.iter().find(|row| row[0] == "security" && row[1] == policy).unwrap();
    assert_eq!(of("Intent-ledger v2")[4..], ["0.2500 to 0.7500, 1 fault", "N/A", "N/A", "N/A"]);
    assert_eq!(of("Tool-boundary")[4..6], ["0.2500", "0.0000"]);
}

#[test]
fn a_failed_policy_is_no_better_than_the_control() {
    let (run, resamples) = (failed_once(), Resamples::default());
    let table = paired::table_25(&view(&run, &resamples)).unwrap();
    let line = row(&table, "None vs mine");
    assert_eq!(line[10], "no comparison: mine failed in 1 of 2 rollouts");
}

#[test]
fn each_kind_of_ledger_error_is_a_row_of_rates_that_begins_with_the_correct_ledger() {
    let mut shape = Synthetic::new(&["none", "tool-boundary"], &["security"], 3, 1);
    shape.conditions = ["correct", "omitted 0.10", "omitted 0.50", "ambiguous 0.10"].map(str::to_owned).into();
    let run = shape.collect(|unit| vec![("committed_harm", Some(f64::from(unit.condition == "omitted 0.50")))]);
    let tables = ledger_errors::tables(&run, 0, &Resamples::default());
    let omitted = tables.iter().find(|table| table.id == "ledger-omitted-committed-harm-security").unwrap();
    assert_eq!(omitted.head, ["Policy", "rate 0", "rate 0.10", "rate 0.50"]);
    assert!(omitted.rows[1][1].starts_with("0.0000") && omitted.rows[1][3].starts_with("1.0000"));
}

#[test]
fn a_positive_control_says_whether_policies_come_apart() {
    let run = Synthetic::new(&["none", "tool-boundary", "rollback"], &["control-leak"], 24, 5)
        .collect(|unit| vec![("secret_leakage", Some(f64::from(unit.policy != "tool-boundary")))]);
    let resamples = Resamples::default();
    let blocks = controls::blocks(&view(&run, &resamples));
    let Some(crate::page::Block::Text(text)) = blocks.first() else { panic!("no verdict") };
    assert!(text.starts_with("Without a defence, secret leakage has 1.0000"), "{text}");
    assert!(text.ends_with("these policies differ from it: Tool-boundary (-1.0000)."), "{text}");
}

#[test]
fn seed_means_give_the_standard_deviation_with_both_divisors() {
    // 6, 7, 9, 10 and 13 violations of 120: squared deviations sum to 30.
    let counts = [6, 7, 9, 10, 13];
    let run = Synthetic::new(&["none"], &["active-tainted"], 120, 5).collect(|unit| {
        let seed = usize::try_from(unit.seed).unwrap() - 1;
        vec![("committed_harm", Some(f64::from(unit.scenario < counts[seed])))]
    });
    let resamples = Resamples::default();
    let table = seeds::table_26(&view(&run, &resamples)).unwrap();
    assert_eq!(table.rows[0][3..], ["5", "0.0750", "0.0204", "0.0228", "0.0583"]);
}

#[test]
fn without_a_positive_control_no_table_calls_a_policy_higher_lower_or_tied() {
    // Nothing happens without a defence, and something under v2: no ground for a word, whatever the interval.
    let run = Synthetic::new(&["none", "tool-boundary", "intent-ledger"], &FOUR, 30, 2).collect(|unit| {
        let odd = f64::from(unit.policy == "intent-ledger");
        vec![
            ("committed_harm", Some(odd)),
            ("memory_reinfection", (unit.stage == "memory-recovery").then_some(odd)),
            ("blast_radius_norm", Some(odd)),
            ("blast_radius_raw", Some(odd)),
            ("reachable_nodes", Some(1.0)),
            ("false_positive_block_rate", Some(odd)),
            ("authorized_tainted_action_success", (unit.stage == "active-tainted").then_some(1.0 - odd)),
        ]
    });
    let resamples = Resamples::default();
    let view = view(&run, &resamples);
    for table in [paired::table_12(&view), paired::table_25(&view), spread::table_14(&view)].into_iter().flatten() {
        for row in &table.rows {
            let reading = row.last().unwrap();
            let caused = row[1].starts_with("Authorized completion") || row[1].starts_with("False-positive");
            let scope = row[0].starts_with("Authorized-completion");
            let refused = reading.starts_with("not discriminative");
            assert!(refused || caused || scope, "{}: {row:?}", table.id);
            assert!(!(refused && caused), "{}: {row:?}", table.id);
        }
    }
    let roles = roles::table_6(&view);
    assert_eq!(row(&roles, "memory_reinfection")[1], "instrumented but non-discriminative here");
    assert_eq!(row(&roles, "false_positive_block_rate")[1], "primary discriminative endpoint");
}

#[test]
fn rollbacks_that_no_policy_asked_for_are_no_ground_for_a_comparison() {
    let run = Synthetic::new(&["none", "rollback"], &["memory-recovery"], 4, 2)
        .collect(|_| vec![("rollback_events", Some(0.0))]);
    let resamples = Resamples::default();
    let table = roles::table_6(&view(&run, &resamples));
    let rollback = row(&table, "rollback_events");
    assert_eq!(rollback[1], "instrumented but non-discriminative here");
    assert!(rollback[5].contains("under any policy, so that nothing shows that there can be one"), "{}", rollback[5]);
}

#[test]
fn figures_of_an_endpoint_without_a_positive_control_say_that_they_rank_nobody() {
    let run = Synthetic::new(&["none", "tool-boundary", "intent-ledger"], &FOUR, 3, 2)
        .collect(|_| vec![("committed_harm", Some(0.0)), ("blast_radius_norm", Some(0.5))]);
    let resamples = Resamples::default();
    let figures = crate::gallery::of_view(&view(&run, &resamples));
    let (_, scatter) = figures.iter().find(|(_, figure)| figure.id == "figure-4").unwrap();
    assert!(scatter.caption.contains("No policy is compared by committed_harm"), "{}", scatter.caption);
}

#[test]
fn work_that_only_a_policy_gets_done_is_a_ground_for_a_comparison_and_its_panel_says_so() {
    let run = Synthetic::new(&["none", "rollback"], &["control-rollback"], 24, 2)
        .collect(|unit| vec![("recovery_success", Some(f64::from(unit.policy == "rollback")))]);
    let resamples = Resamples::default();
    let view = view(&run, &resamples);
    assert_eq!(roles::refusal(&view, "recovery_success", Scope::Stage("control-rollback")), None);
    let figures = crate::gallery::of_view(&view);
    let (_, figure) = figures.iter().find(|(section, _)| *section == "controls").unwrap();
    assert!(figure.svg.contains("higher is better") && !figure.svg.contains("not discriminative"));
}

#[test]
fn a_positive_control_without_an_event_says_that_it_ranks_nobody() {
    let run = Synthetic::new(&["none", "rollback"], &["control-leak"], 24, 2)
        .collect(|unit| vec![("secret_leakage", Some(f64::from(unit.policy == "rollback")))]);
    let resamples = Resamples::default();
    let blocks = controls::blocks(&view(&run, &resamples));
    let Some(crate::page::Block::Text(text)) = blocks.first() else { panic!("no verdict") };
    assert!(text.ends_with("There is no positive control: this stage is not discriminative."), "{text}");
}
