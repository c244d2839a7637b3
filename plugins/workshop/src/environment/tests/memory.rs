//! Memory: over sessions, repaired, and missing.

use super::*;

#[test]
fn a_memory_is_a_source_and_a_target_by_its_key() {
    let mut rollout = Rollout::of(&with_memory(false), 0);
    let segment = rollout.run("recall", &[("key", "k")]).0.segments.remove(0);
    assert_eq!((segment.source.as_str(), segment.labels), ("memory/k", UNTRUSTED));
    let change = rollout.run("remember", &[("key", "k"), ("value", "v"), ("scope", "session")]).0.changes.remove(0);
    assert_eq!((change.target.as_str(), change.visibility.as_deref()), ("memory/k", Some("session")));
    assert_eq!((change.before.as_deref(), change.after.as_deref()), (Some("\"poison\""), Some("\"v\"")));
}

#[test]
fn the_next_session_drops_what_was_for_one_session_and_starts_untainted() {
    let mut rollout = Rollout::of(&with_memory(true), 2);
    rollout.run("remember", &[("key", "short"), ("value", "x"), ("scope", "session")]);
    rollout.run("remember", &[("key", "long"), ("value", "x"), ("scope", "persistent")]);
    rollout.run("remember", &[("key", "usual"), ("value", "x")]);
    assert_eq!(rollout.recalls("k"), ("poison".into(), UNTRUSTED));
    rollout.office.next_session().unwrap();
    assert_eq!((rollout.recalls("k"), rollout.recalls("short")), (gone("k"), gone("short")));
    assert_eq!((rollout.recalls("long").0, rollout.recalls("usual").0), ("x".into(), "x".into()));
    rollout.run("remember", &[("key", "new"), ("value", "x")]);
    assert_eq!(rollout.recalls("new").1, 0);
    rollout.office.next_session().unwrap();
    assert!(matches!(rollout.office.next_session(), Err(Error::InvalidInput(_))));
}

#[test]
fn scrubbed_and_quarantined_memory_is_not_recalled_whoever_repaired_it() {
    let held = ("error: the memory under `k` is in quarantine".to_owned(), 0);
    let mut by_agent = Rollout::of(&with_memory(false), 0);
    by_agent.run("quarantine_memory", &[("key", "k")]);
    assert_eq!(by_agent.recalls("k"), held);
    by_agent.office.rollback(0).unwrap();
    assert_eq!(by_agent.recalls("k").0, "poison");
    by_agent.run("scrub_memory", &[("key", "k")]);
    assert_eq!(by_agent.recalls("k"), gone("k"));

    let mut by_host = Rollout::of(&with_memory(false), 0);
    by_host.office.quarantine("k").unwrap();
    assert_eq!(by_host.recalls("k"), held);
    by_host.office.scrub("k").unwrap();
    assert_eq!(by_host.recalls("k"), gone("k"));
    assert!(matches!(by_host.office.scrub("k"), Err(Error::InvalidInput(_))));
    assert!(matches!(by_host.office.quarantine("other"), Err(Error::InvalidInput(_))));
}

#[test]
fn a_repair_of_a_missing_key_is_answered_to_the_agent_and_does_nothing() {
    let mut rollout = Rollout::of(&with_memory(false), 0);
    let (outcome, violation) = rollout.run("scrub_memory", &[("key", "nowhere")]);
    assert_eq!(outcome.segments[0].text, gone("nowhere").0);
    assert_eq!((outcome.changes.len(), violation), (0, NO_HARM));
    assert_eq!(rollout.recalls("k").0, "poison");
}
