use super::*;
use crate::testing::{Synthetic, manifest};

#[test]
fn rows_come_back_as_they_went_in_and_what_does_not_apply_stays_so() {
    let run = Synthetic::new(&["none", "guard"], &["security", "clean"], 3, 2);
    let collected = run.collect(|unit| match (unit.policy, unit.stage) {
        ("none", "security") => vec![("committed_harm", Some(1.0))],
        (_, "security") => vec![("committed_harm", Some(0.0))],
        _ => vec![("clean_benign_completion", Some(0.5))],
    });
    assert_eq!((collected.rows, collected.scenarios.len(), collected.seeds.len()), (24, 6, 2));
    let key = ArmKey { condition: 0, model: 0, policy: 1 };
    let (harm, clean) =
        (collected.metric("committed_harm").unwrap(), collected.metric("clean_benign_completion").unwrap());
    let values: Vec<_> = collected.rollouts(key).map(|r| (r.value(harm), r.value(clean))).collect();
    assert_eq!(values.len(), 12);
    assert_eq!((values[0], values[11]), ((Some(0.0), None), (None, Some(0.5))));
}

#[test]
fn a_rollout_that_another_policy_has_is_missed_by_name() {
    let run = Synthetic::new(&["none", "guard"], &["security"], 3, 2);
    let mut rows = run.rows(|_| vec![]);
    rows.remove(8);
    let error = Collected::of(&manifest(rows.len()), rows.into_iter().map(Ok::<_, String>)).unwrap_err().to_string();
    assert!(error.contains("policy `guard`") && error.contains("scenario `d/security/1`, seed 1"), "{error}");
}

#[test]
fn a_policy_without_rows_under_a_model_that_others_have_is_missed() {
    let run = Synthetic::new(&["none", "guard"], &["security"], 2, 1);
    let mut rows = run.rows(|_| vec![]);
    rows[0].model = "another".into();
    rows[1].model = "another".into();
    let error = Collected::of(&manifest(4), rows.into_iter().map(Ok::<_, String>)).unwrap_err().to_string();
    assert!(error.contains("a rollout is missing"), "{error}");
}

#[test]
fn fewer_rows_than_units_are_no_run() {
    let rows = Synthetic::new(&["none"], &["security"], 2, 1).rows(|_| vec![]);
    let error = Collected::of(&manifest(3), rows.into_iter().map(Ok::<_, String>)).unwrap_err();
    assert_eq!(error, CollectError::Incomplete { rows: 2, units: 3 });
}

#[test]
fn a_rollout_that_is_there_twice_is_refused() {
    let mut rows = Synthetic::new(&["none"], &["security"], 2, 1).rows(|_| vec![]);
    rows.push(rows[0].clone());
    let error = Collected::of(&manifest(3), rows.into_iter().map(Ok::<_, String>)).unwrap_err();
    assert!(matches!(error, CollectError::Twice(_)), "{error}");
}

#[test]
fn rows_in_another_order_give_the_same_rollouts_with_their_losses() {
    let run = Synthetic::new(&["none"], &["security"], 3, 2);
    let mut rows = run.rows(|unit| vec![("committed_harm", Some(f64::from(unit.seed == 2)))]);
    rows[1].lost.insert("rule".into(), 3);
    rows.swap(0, 1);
    rows.swap(2, 3);
    let collected = Collected::of(&manifest(6), rows.into_iter().map(Ok::<_, String>)).unwrap();
    let key = ArmKey { condition: 0, model: 0, policy: 0 };
    let lost = collected.losses(key).next().unwrap();
    let harm = collected.metric("committed_harm").unwrap();
    let of_lost = collected.rollouts(key).find(|rollout| rollout.row == lost.0).unwrap();
    assert_eq!((lost.1, lost.2, of_lost.value(harm)), ("rule", 3, Some(1.0)));
    assert_eq!(collected.seeds.get(of_lost.seed), Some(&2));
}
