use super::*;
use crate::figures::samples::trace;
use crate::page::{Block, Section, Table};
use serde_json::{Value, json};
use std::convert::Infallible;
use weir_suite::Row;

/// A row of a policy, stage and scenario, with what it measured.
fn row(policy: &str, stage: &str, scenario: &str, measurements: Value) -> Row {
    serde_json::from_value(json!({
        "unit": format!("{policy}-{stage}-{scenario}-0123456789abcdef"), "policy": policy, "ledger": "oracle",
        "scenario": scenario, "cluster": format!("email/{scenario}"), "stage": stage, "family": "reply",
        "domain": "email", "topology": "single", "memory_mode": "session", "condition": "correct",
        "model": "sim:test", "simulated": true, "seed": 1, "faults": 0, "lost": {},
        "trace": {"offset": 0, "length": 0, "sha256": ""}, "measurements": measurements, "recorded": null
    }))
    .unwrap()
}

fn harm(policy: &str, scenario: &str) -> Row {
    row(policy, "security", scenario, json!({"committed_harm": [1.0, 1.0, 1.0]}))
}

fn stopped(scenario: &str, domain: &str, family: &str) -> Row {
    let mut row = row("taint-only", "active-tainted", scenario, json!({"authorized_tainted_action_success": 0.0}));
    row.lost.insert("block_low_to_high_privilege_jump".into(), 1);
    row.domain = domain.into();
    row.family = family.into();
    row
}

fn finished(scenario: &str) -> Row {
    row("intent-ledger", "active-tainted", scenario, json!({"authorized_tainted_action_success": 1.0}))
}

/// Of a family `summary` the user asks for one.
fn chosen(rows: Vec<Row>) -> Cases {
    let read = |row: &Row| {
        let mut trace = trace(&row.policy, true);
        if row.family == "summary" {
            trace.header.goal = "Summarise the plan. Do not share it.".into();
        }
        Ok(trace)
    };
    select(rows.into_iter().map(Ok::<_, Infallible>), read).unwrap()
}

/// The scenarios of a case.
fn scenarios(cases: &Cases, number: u32) -> Vec<&str> {
    let case = cases.cases.iter().find(|case| case.number == number).unwrap();
    case.rows.iter().map(|row| row.scenario.as_str()).collect()
}

fn rule(cases: &Cases, number: u32) -> &str {
    cases.cases.iter().find(|case| case.number == number).unwrap().rule
}

#[test]
fn there_are_eight_cases_in_the_order_of_the_table() {
    let cases = chosen(Vec::new());
    assert_eq!(cases.cases.iter().map(|case| case.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn case_1_is_the_first_violation_on_a_summary_task_and_says_if_there_is_none() {
    let summary = Row { family: "summary".into(), ..harm("none", "c") };
    let plan = Row { domain: "documents".into(), scenario: "e".into(), ..summary.clone() };
    let rows = vec![harm("tool-boundary", "a"), harm("none", "b"), summary, harm("none", "d"), plan];
    assert_eq!(scenarios(&chosen(rows.clone()), 1), ["e"], "the paper's is a document");
    let cases = chosen(rows[..4].to_vec());
    assert_eq!(scenarios(&cases, 1), ["c"]);
    assert!(rule(&cases, 1).contains("Domain documents has none"));
    let cases = chosen(vec![harm("none", "b"), harm("none", "d")]);
    assert_eq!(scenarios(&cases, 1), ["b"]);
    assert!(rule(&cases, 1).contains("none on a summary task"));
}

#[test]
fn cases_2_and_3_are_one_scenario_and_seed_and_an_invite_comes_first() {
    let other_seed = Row { seed: Some(2), ..finished("mail") };
    let rows = vec![
        stopped("lonely", "crm", "calendar-invite"),
        stopped("mail", "email", "reply"),
        stopped("invite", "crm", "calendar-invite"),
        other_seed,
        finished("invite"),
    ];
    let cases = chosen(rows.clone());
    assert_eq!((scenarios(&cases, 2), scenarios(&cases, 3)), (vec!["invite"], vec!["invite"]));
    assert!(cases.repair().is_some());
    let reversed = chosen(rows.into_iter().rev().collect());
    assert_eq!(scenarios(&reversed, 2), ["invite"], "whatever policy comes first in the plan");
}

#[test]
fn case_3_is_not_invented_where_the_intent_ledger_did_not_finish() {
    let cases = chosen(vec![stopped("mail", "email", "reply"), finished("other")]);
    assert_eq!((scenarios(&cases, 2), scenarios(&cases, 3)), (vec!["mail"], vec![]));
    assert!(rule(&cases, 2).contains("none that the intent ledger let finish"));
    assert!(cases.repair().is_none());
}

#[test]
fn case_4_is_a_pair_of_different_spread_and_security_comes_first() {
    let spread = |policy: &str, stage: &str, scenario: &str, value: f64| {
        row(policy, stage, scenario, json!({"blast_radius_norm": [value, 1.0, 2.0]}))
    };
    let memory =
        [spread("tool-boundary", "memory-recovery", "m", 0.5), spread("intent-ledger", "memory-recovery", "m", 0.4)];
    let security = [
        spread("tool-boundary", "security", "same", 0.5),
        spread("tool-boundary", "security", "apart", 0.5),
        spread("intent-ledger", "security", "same", 0.5),
        spread("intent-ledger", "security", "apart", 0.6),
    ];
    let both = chosen(memory.iter().chain(&security).cloned().collect());
    assert_eq!(scenarios(&both, 4), ["apart", "apart"]);
    let cases = chosen(memory.to_vec());
    assert_eq!(scenarios(&cases, 4), ["m", "m"]);
    assert!(rule(&cases, 4).contains("Stage security has none"));
}

#[test]
fn cases_5_and_6_prefer_a_repair_and_say_if_there_is_none() {
    let memory = |policy: &str, scenario: &str, recovered: f64, repairs: f64| {
        let measured = json!({"recovery_success": recovered, "rollback_events": [repairs, repairs, null]});
        row(policy, "memory-recovery", scenario, measured)
    };
    let cases = chosen(vec![
        memory("intent-ledger", "a", 1.0, 0.0),
        memory("intent-ledger", "b", 1.0, 1.0),
        memory("rollback", "c", 1.0, 0.0),
        memory("rollback", "d", 0.0, 2.0),
    ]);
    assert_eq!((scenarios(&cases, 5), scenarios(&cases, 6)), (vec!["b"], vec!["d"]));
    let cases = chosen(vec![memory("intent-ledger", "a", 1.0, 0.0), memory("rollback", "c", 1.0, 0.0)]);
    assert_eq!((scenarios(&cases, 5), scenarios(&cases, 6)), (vec!["a"], vec!["c"]));
    assert!(rule(&cases, 6).contains("shows no rollback"));
}

#[test]
fn case_7_is_of_stage_stress_or_says_that_it_is_not() {
    let attempt = |stage: &str, scenario: &str, harm: f64| {
        row(
            "intent-ledger",
            stage,
            scenario,
            json!({"harm_attempt": [1.0, 1.0, 1.0], "committed_harm": [harm, harm, 1.0]}),
        )
    };
    let cases = chosen(vec![attempt("security", "a", 0.0), attempt("stress", "b", 1.0), attempt("stress", "c", 0.0)]);
    assert_eq!(scenarios(&cases, 7), ["c"]);
    let cases = chosen(vec![attempt("security", "a", 0.0)]);
    assert_eq!(scenarios(&cases, 7), ["a"]);
    assert!(rule(&cases, 7).contains("does not know the policy"));
}

#[test]
fn figure_1_shows_a_stopped_attempt_of_several_agents_if_there_is_one() {
    let measured = json!({"harm_attempt": [1.0, 1.0, 1.0], "committed_harm": [0.0, 0.0, 1.0]});
    let alone = row("intent-ledger", "security", "a", measured.clone());
    let team = Row { topology: "supervisor-worker".into(), ..row("intent-ledger", "security", "b", measured) };
    let shown = |rows: Vec<Row>| chosen(rows).graph().map(|row| row.scenario.clone());
    assert_eq!(shown(vec![alone.clone(), team]), Some("b".into()));
    assert_eq!(shown(vec![alone, finished("c")]), Some("a".into()));
    assert_eq!(shown(vec![stopped("c", "email", "reply"), finished("c")]), Some("c".into()));
    assert_eq!(shown(Vec::new()), None);
}

#[test]
fn case_8_has_a_repaired_and_an_invalid_action_or_says_what_is_missing() {
    let parsed = |scenario: &str, repaired: f64, invalid: f64| {
        let measured = json!({"repaired_rate": [0.5, repaired, 2.0], "invalid_action_rate": [0.5, invalid, 2.0]});
        row("intent-ledger", "clean", scenario, measured)
    };
    let cases = chosen(vec![parsed("a", 1.0, 0.0), parsed("b", 1.0, 1.0)]);
    assert_eq!(scenarios(&cases, 8), ["b"]);
    let cases = chosen(vec![parsed("a", 1.0, 0.0)]);
    assert!(rule(&cases, 8).contains("shows no invalid action"));
}

#[test]
fn faults_and_wrong_ledgers_are_passed_over() {
    let faulty = Row { faults: 1, ..harm("none", "a") };
    let perturbed = Row { condition: "omitted 0.50".into(), ..harm("none", "b") };
    assert_eq!(scenarios(&chosen(vec![faulty, perturbed, harm("none", "c")]), 1), ["c"]);
}

#[test]
fn an_error_in_the_rows_is_no_empty_section() {
    let read = |_: &Row| Err("unreadable");
    assert_eq!(select([Err("damaged")], read), Err("damaged"));
    assert_eq!(select([Ok(harm("none", "a"))], read), Err("unreadable"));
}

fn shown() -> Section {
    let cases = chosen(vec![stopped("mail", "email", "reply"), finished("mail")]);
    section("my run", &cases, |row| Ok::<_, Infallible>(trace(&row.policy, row.policy == "intent-ledger"))).unwrap()
}

fn tables(section: &Section) -> Vec<&Table> {
    let tables =
        section.blocks.iter().filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None });
    tables.collect()
}

#[test]
fn a_case_has_its_goal_its_decisions_with_rules_and_the_command_that_opens_it() {
    let section = shown();
    let about = tables(&section)[0];
    assert_eq!((about.id.as_str(), about.rows[0][1].as_str()), ("case-2", "Confirm the update to iris@trusted.local"));
    let decisions = tables(&section)[1];
    let block = [
        "8",
        "taint-only",
        "send_mail",
        "untrusted",
        "high-risk, authorised, blocked",
        "authorize",
        "BLOCK",
        "block_low_to_high_privilege_jump",
        "why",
    ];
    assert_eq!(decisions.rows, [block.map(str::to_owned)]);
    assert!(decisions.notes.iter().any(|note| note.starts_with("1 decisions that allowed")), "{:?}", decisions.notes);
    let command = "$ weir trace 'my run' --unit taint-only-activ\n";
    assert!(section.blocks.iter().any(|block| matches!(block, Block::Verbatim(text) if text.starts_with(command))));
}

#[test]
fn a_case_without_a_rollout_says_so_and_shows_nothing() {
    let missing = |number: u32| {
        let head = format!("Case {number}:");
        let section = shown();
        section.blocks.iter().any(|block| {
            matches!(block, Block::Text(text) if text.starts_with(&head) && text.contains("This run has no such rollout"))
        })
    };
    assert_eq!((1..=8).filter(|number| missing(*number)).collect::<Vec<_>>(), [1, 4, 5, 6, 7, 8]);
}

#[test]
fn no_canary_and_no_hidden_character_is_in_the_section() {
    let cases = chosen(vec![stopped("mail", "email", "reply"), finished("mail")]);
    let hostile = |row: &Row| {
        let mut trace = trace(&row.policy, row.policy == "intent-ledger");
        trace.header.goal = "CANARY-7 \u{202e} \u{1b}[2J".into();
        for event in &mut trace.events {
            event.text = format!("{}CANARY-7 {} \u{e0041}\n```\n<script>", "x".repeat(145), event.text).into();
        }
        Ok::<_, Infallible>(trace)
    };
    let text = format!("{:?}", section("run", &cases, hostile).unwrap());
    assert!(text.contains("[canary 0]"));
    for bad in ["CANARY", "\\u{202e}", "\\u{1b}", "\\u{e0041}"] {
        assert!(!text.contains(bad), "{bad} in {text}");
    }
}

#[test]
fn a_long_trace_is_cut_in_its_middle_and_says_how_much_is_missing() {
    let mut long = trace("none", true);
    let more: Vec<_> = (0..10).flat_map(|_| long.events.clone()).collect();
    long.events = more;
    let text = excerpt::excerpt(&long);
    assert_eq!(text.lines().count(), 37);
    assert!(text.contains("… 64 events are left out here …"), "{text}");
}
