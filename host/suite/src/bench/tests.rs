use super::*;

fn call(export: &str, fuel: u64, nanoseconds: u64) -> Call {
    Call { export: export.into(), fuel, time: Duration::from_nanos(nanoseconds), memory: 0 }
}

fn rollout(calls: &[(&str, u64, u64)]) -> Piece {
    Piece { name: ROLLOUT, calls: calls.iter().map(|&(export, fuel, time)| call(export, fuel, time)).collect() }
}

fn bench_of(rounds: &[Vec<Piece>]) -> Bench {
    Bench {
        name: "mine".into(),
        kind: Kind::Policy,
        sha256: String::new(),
        work: String::new(),
        rounds: rounds.len(),
        exports: exports(rounds),
        whole: whole(rounds),
        memory: 0,
    }
}

#[test]
fn both_ranks_are_values_that_occurred() {
    assert_eq!(spread((1..=100).rev().collect()), Spread { median: 50, p95: 95 });
    assert_eq!(spread((1..=20).collect()), Spread { median: 10, p95: 19 });
    assert_eq!(spread(vec![7]), Spread { median: 7, p95: 7 });
    assert_eq!(spread(vec![8, 2]), Spread { median: 2, p95: 8 });
    assert_eq!(spread(vec![]), Spread { median: 0, p95: 0 });
}

#[test]
fn a_rollout_costs_what_all_its_calls_cost_and_counts_are_of_one_round() {
    let round =
        |time| vec![rollout(&[("start", 5, time), ("ask", 10, time)]), rollout(&[("start", 5, 1), ("ask", 30, 1)])];
    let found = bench_of(&[round(2), round(4)]);
    let cost = |name: &str, count, fuel, nanoseconds| Cost { name: name.into(), count, fuel, nanoseconds };
    let of = |median, p95| Spread { median, p95 };
    assert_eq!(found.exports, [cost("start", 2, of(5, 5), of(1, 4)), cost("ask", 2, of(10, 30), of(1, 4))]);
    assert_eq!(found.whole, [cost(ROLLOUT, 2, of(15, 35), of(2, 8))]);
}

#[test]
fn other_fuel_for_the_same_questions_is_an_error_that_names_the_export() {
    let first = [rollout(&[("start", 5, 1), ("ask", 10, 1)])];
    same("mine", &first, &[rollout(&[("start", 5, 2), ("ask", 10, 9)])]).unwrap();
    let said = |round: Piece| same("mine", &first, &[round]).unwrap_err().to_string();
    let more = said(rollout(&[("start", 5, 1), ("ask", 11, 1)]));
    assert!(more.contains("`mine`") && more.contains("ask used 10 fuel, and 11 when"), "{more}");
    assert!(said(rollout(&[("start", 5, 1)])).contains("called otherwise"));
    assert!(said(rollout(&[("ask", 10, 1), ("start", 5, 1)])).contains("called otherwise"));
}

#[test]
fn a_regression_is_judged_by_median_fuel_alone() {
    let of = |fuel, time| bench_of(&[vec![rollout(&[("ask", fuel, time)])]]);
    let (before, slower) = (of(200, 1), of(200, 1_000_000));
    assert!(compare(&before, &slower).iter().all(|change| !change.grew_above(0.0)));
    let changes = compare(&before, &of(210, 1));
    assert_eq!(changes.iter().map(|change| change.name.as_str()).collect::<Vec<_>>(), ["ask", ROLLOUT]);
    assert_eq!((changes[0].before, changes[0].now, changes[0].percent), (200, 210, Some(5.0)));
    assert!(!changes[0].grew_above(5.0) && changes[0].grew_above(4.9));
    assert_eq!(compare(&before, &of(100, 1))[0].percent, Some(-50.0));
}

#[test]
fn something_instead_of_nothing_is_more_than_any_percentage() {
    let of = |fuel| bench_of(&[vec![rollout(&[("ask", fuel, 1)])]]);
    let change = &compare(&of(0), &of(1))[0];
    assert!(change.percent.is_none() && change.grew_above(1e9));
    assert_eq!(compare(&of(0), &of(0))[0].percent, Some(0.0));
}

#[test]
fn what_only_one_of_both_has_is_not_compared() {
    let of = |export| bench_of(&[vec![rollout(&[(export, 1, 1)])]]);
    let names: Vec<String> = compare(&of("old"), &of("new")).into_iter().map(|change| change.name).collect();
    assert_eq!(names, [ROLLOUT]);
}
