//! What was decided on the high-risk proposals of a replay.

use std::collections::BTreeMap;
use std::path::Path;
use weir_suite::store::{TRACES, open_traces};
use weir_trace::{Body, Event, Hook, NodeKind, Origin, RecordedRun, Trace, Verdict, fact};

/// A proposal and the decision on it.
pub struct Call {
    pub tool: String,
    /// The rule; the verdict where the policy gives no rule.
    pub rule: String,
}

/// Decisions by run, policy and ledger.
#[derive(Default)]
pub struct Decided(BTreeMap<(String, String, String), Vec<Call>>);

impl Decided {
    /// Reads a replay's traces. `key` names the runs that are wanted.
    pub fn read(run: &Path, key: impl Fn(&RecordedRun) -> Option<String>) -> Self {
        let mut decided = Decided::default();
        let file = run.join(TRACES);
        let mut reader = open_traces(&file).unwrap();
        while let Some((trace, _)) = reader.next_trace().unwrap() {
            let Origin::Recorded { run } = &trace.header.origin else { panic!("a live rollout in a replay") };
            let Some(key) = key(run) else { continue };
            let policy = trace.header.policy.as_ref().expect("a replay has a policy").name.clone();
            let [ledger] = trace.header.ledgers.as_slice() else { panic!("a replay has one ledger") };
            let calls = calls(&trace);
            let before = decided.0.insert((key, policy, ledger.form.clone()), calls);
            assert!(before.is_none(), "{} twice", run.file);
        }
        decided
    }

    /// The high-risk calls of a run under a policy.
    pub fn of(&self, key: &str, policy: &str, ledger: &str) -> Option<&[Call]> {
        self.0.get(&(key.to_owned(), policy.to_owned(), ledger.to_owned())).map(Vec::as_slice)
    }
}

fn calls(trace: &Trace) -> Vec<Call> {
    let high_risk = trace.events.iter().filter(|e| e.kind == NodeKind::Proposal && e.is(fact::HIGH_RISK));
    high_risk.map(|proposal| call(trace, proposal)).collect()
}

fn call(trace: &Trace, proposal: &Event) -> Call {
    let tool = usize::try_from(proposal.tool.unwrap()).unwrap();
    let decision = trace.events.iter().find_map(|event| match &event.body {
        Body::Decision { hook: Hook::Authorize, verdict, rule, .. } if event.edges[0].parent == proposal.id => {
            Some((*verdict, rule.clone()))
        }
        _ => None,
    });
    let (verdict, rule) = decision.expect("every proposal is decided on");
    // A rule that says one thing while the gate does another would be the worst of faults.
    // Nobody confirms in a recorded run, so a confirmation stops the call.
    let (done, verdict) = match verdict {
        Verdict::Allow => (fact::ALLOWED, "allow"),
        Verdict::Confirm => (fact::BLOCKED | fact::CONFIRM_ASKED, "confirm"),
        _ => (fact::BLOCKED, "block"),
    };
    assert!(proposal.is(done) && !proposal.is(fact::ALLOWED | fact::BLOCKED), "{}", trace.header.scenario);
    let rule = rule.unwrap_or_else(|| verdict.into());
    assert!(rule.starts_with(verdict), "{}: {verdict} by {rule}", trace.header.scenario);
    Call { tool: trace.tools[tool].name.clone(), rule }
}
