//! What is demanded of a domain.

use crate::cases::Case;
use crate::check::corpus::values;
use crate::check::rollouts::{turned_round, unequal};
use crate::check::{
    HOSTILE, HOSTILE_ADVICE, Line, NO_STATE, NO_STATE_ADVICE, Wrongs, is_refusal, line, not_the_hosts, told,
};
use crate::error::Error;
use crate::plugins::Plugins;
use crate::sample::{rollouts, stage_cases};
use serde::Deserialize;
use serde_json::{Map, Value};
use weir_runtime::Fault;
use weir_runtime::wit::domains::{Call, Info, Request, Verdict};
use weir_runtime::world::{DomainPlugin, Environment, Scene};
use weir_trace::json::canonical;

pub(super) fn check(plugins: &Plugins, domain: &DomainPlugin) -> Result<Vec<Line>, Error> {
    let info = domain.describe()?;
    let mut lines = vec![line("describes itself the same each time", info == domain.describe()?, printed(&info.title))];
    let (mut cases, mut kinds) = (Vec::new(), Vec::new());
    for stage in &info.stages {
        match stage_cases(domain, &info, stage) {
            Ok(found) => {
                let again = stage_cases(domain, &info, stage)?;
                kinds.push(scenarios(stage, &found, &again));
                cases.extend(found);
            }
            // A domain of recorded runs has no scenarios without a record.
            Err(Error::Plugin(fault)) if is_refusal(&fault) => {
                kinds.push(line(
                    &format!("stage `{}`", printed(stage)),
                    true,
                    format!("needs parameters: {}", fault.cause),
                ));
            }
            Err(Error::Input(what) | Error::Infra(weir_rollout::Infra::Input(what))) => {
                kinds.push(line(&format!("stage `{}`", printed(stage)), false, printed(&what)));
            }
            Err(other) => return Err(other),
        }
    }
    lines.extend(kinds);
    if !cases.is_empty() {
        lines.push(work(domain, &cases)?);
        lines.extend(in_rollouts(plugins, domain, &cases)?);
        lines.push(kept(domain, &cases)?);
    }
    lines.push(hostile(domain, &info, &cases)?);
    Ok(lines)
}

fn printed(text: &str) -> String {
    weir_runtime::fault::printable(text)
}

fn scenarios(stage: &str, cases: &[Case], again: &[Case]) -> Line {
    let demand = format!("stage `{}`", printed(stage));
    let ids: std::collections::BTreeSet<&str> = cases.iter().map(|case| case.scenario.id.as_str()).collect();
    if cases.is_empty() {
        return line(&demand, false, "it has no scenario: leave the stage out of `stages`, or make one".into());
    }
    if ids.len() < cases.len() {
        return line(&demand, false, "two scenarios have one `id`: each needs one of its own".into());
    }
    let same = cases.len() == again.len() && cases.iter().zip(again).all(|(a, b)| a.scenario == b.scenario);
    let said = if same { "the same" } else { "and others: take all that is random from the request's seed" };
    line(&demand, same, format!("{} scenarios, made twice, {said}", cases.len()))
}

/// Rollouts without a defence: once, again, and in the opposite order.
fn in_rollouts(plugins: &Plugins, domain: &DomainPlugin, cases: &[Case]) -> Result<Vec<Line>, Error> {
    let (none, _) = plugins.policy("none")?;
    let first = rollouts(domain, &none, cases)?;
    let again = rollouts(domain, &none, cases)?;
    let order: Vec<&Case> = cases.iter().rev().collect();
    let mut second = Vec::new();
    for case in order {
        second.extend(rollouts(domain, &none, std::slice::from_ref(case))?);
    }
    let n = first.len();
    let (repeated, turned) = (unequal(&first, &again)?, unequal(&first, turned_round(&second))?);
    Ok(vec![
        line("deterministic", repeated == 0, format!("{repeated} of {n} traces differ when run again")),
        line(
            "no state between rollouts",
            turned == 0,
            format!("{turned} of {n} traces differ when run again in the opposite order"),
        ),
    ])
}

/// What of a script is done here: its calls.
#[derive(Deserialize)]
struct Script {
    benign: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    tool: Option<String>,
    #[serde(default)]
    arguments: Map<String, Value>,
    #[serde(default)]
    session: u32,
}

/// What became of a script's calls.
struct Done {
    verdict: Verdict,
    /// Calls whose outcome names changes.
    changing: usize,
}

/// Each benign script reaches its goal where its calls commit, and does not where they are discarded.
fn work(domain: &DomainPlugin, cases: &[Case]) -> Result<Line, Error> {
    let mut wrongs = Wrongs::default();
    let (mut worked, mut silent) = (0_usize, 0_usize);
    for case in cases {
        let id = &case.scenario.id;
        let script: Script = match serde_json::from_str(&case.scenario.script) {
            Ok(script) => script,
            Err(e) => {
                wrongs.add(id, format!("its script cannot be read: {e}"));
                continue;
            }
        };
        if !script.benign.iter().any(|step| step.tool.is_some()) {
            silent = silent.saturating_add(1);
            continue;
        }
        let (committed, discarded) = match (follow(domain, case, &script, true), follow(domain, case, &script, false)) {
            (Ok(committed), Ok(discarded)) => (committed, discarded),
            (Err(fault), _) | (_, Err(fault)) if fault.cause.is_infrastructure() => return Err(fault.into()),
            (Err(fault), _) | (_, Err(fault)) => {
                wrongs.add(id, told(&fault));
                continue;
            }
        };
        worked = worked.saturating_add(1);
        if !committed.verdict.goal_met {
            let changes = committed.changing;
            wrongs.add(id, format!(
                "every call of its benign script was staged and committed, {changes} of them with changes, and `judge` finds the goal not met"
            ));
        } else if discarded.changing > 0 && discarded.verdict.goal_met {
            wrongs.add(id, "its changes were discarded, and `judge` finds the goal met all the same");
        }
    }
    let advice =
        "`stage-call` holds a change back, `commit` of the same call-id makes it, and `judge` looks at what was made";
    let mut good = format!("{worked} benign scripts reach their goal, and by their commits");
    if silent > 0 {
        good.push_str(&format!("; {silent} scenarios have no call in theirs"));
    }
    Ok(wrongs.line("what is staged commits, and what is not does not", good, advice))
}

fn follow(domain: &DomainPlugin, case: &Case, script: &Script, commit: bool) -> Result<Done, Box<Fault>> {
    let mut environment = domain.environment(&case.scenario)?;
    let (mut session, mut call_id, mut changing) = (0, 0_u32, 0_usize);
    // Steps may stand in the order of their agents.
    let mut steps: Vec<&Step> = script.benign.iter().collect();
    steps.sort_by_key(|step| step.session);
    for step in steps {
        let Some(name) = &step.tool else { continue };
        while session < step.session {
            environment.next_session()?;
            session = session.saturating_add(1);
        }
        let position = case.tools.iter().position(|tool| tool.name == *name);
        let Some(tool) = position.and_then(|index| u32::try_from(index).ok()) else { continue };
        let call = Call { call_id, tool, arguments: canonical(&Value::Object(step.arguments.clone())) };
        call_id = call_id.saturating_add(1);
        environment.assess(&call)?;
        let outcome = environment.stage_call(&call)?;
        changing = changing.saturating_add(usize::from(!outcome.changes.is_empty()));
        if commit {
            environment.commit(call.call_id)?;
        } else {
            environment.discard(call.call_id)?;
        }
    }
    while usize::try_from(session).is_ok_and(|session| session < case.scenario.later_goals.len()) {
        environment.next_session()?;
        session = session.saturating_add(1);
    }
    Ok(Done { verdict: environment.judge()?, changing })
}

/// A second environment in the same instance answers as the first did.
fn kept(domain: &DomainPlugin, cases: &[Case]) -> Result<Line, Error> {
    let mut wrongs = Wrongs::default();
    for case in cases {
        let mut environment = domain.environment(&case.scenario)?;
        let first = probed(&mut environment, case)?;
        let renewed = not_the_hosts(environment.renew(&case.scenario))?;
        let second = match renewed {
            Ok(()) => probed(&mut environment, case)?,
            Err(fault) => vec![told(&fault)],
        };
        if first != second {
            wrongs.add(&case.scenario.id, "other answers in a second environment of one instance");
        }
    }
    Ok(wrongs.line(NO_STATE, format!("{} scenarios, each twice in one instance", cases.len()), NO_STATE_ADVICE))
}

/// Every tool called once with what the script has, in words, and the verdict.
fn probed(environment: &mut Environment, case: &Case) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    let steps: Vec<Step> = serde_json::from_str::<Script>(&case.scenario.script).map(|s| s.benign).unwrap_or_default();
    let mut call_id = 0_u32;
    for step in steps {
        let position = case.tools.iter().position(|tool| step.tool.as_ref() == Some(&tool.name));
        let Some(tool) = position.and_then(|index| u32::try_from(index).ok()) else { continue };
        let call = Call { call_id, tool, arguments: canonical(&Value::Object(step.arguments)) };
        call_id = call_id.saturating_add(1);
        let staged = not_the_hosts(environment.stage_call(&call))?;
        all.push(words(&staged));
        all.push(words(&not_the_hosts(environment.commit(call.call_id))?));
    }
    all.push(words(&not_the_hosts(environment.judge())?));
    Ok(all)
}

fn words<T: std::fmt::Debug>(answer: &Result<T, Box<Fault>>) -> String {
    match answer {
        Ok(answer) => format!("{answer:?}"),
        Err(fault) => fault.cause.to_string(),
    }
}

/// Odd requests, and odd calls in an environment.
fn hostile(domain: &DomainPlugin, info: &Info, cases: &[Case]) -> Result<Line, Error> {
    let mut wrongs = Wrongs::default();
    let (mut asked, mut refused) = (0_usize, 0_usize);
    let mut judge = |name: &str, answer: Result<(), Box<Fault>>| -> Result<(), Error> {
        asked = asked.saturating_add(1);
        match not_the_hosts(answer)? {
            Ok(()) => {}
            Err(fault) if is_refusal(&fault) => refused = refused.saturating_add(1),
            Err(fault) => wrongs.add(name, told(&fault)),
        }
        Ok(())
    };
    for (name, request) in requests(info) {
        judge(&name, domain.scenarios(&request).map(drop))?;
    }
    // One scenario of each stage: tools and state are the same within one.
    let mut seen = std::collections::BTreeSet::new();
    for case in cases.iter().filter(|case| seen.insert(case.scenario.stage.clone())) {
        for (name, call) in calls(case) {
            let mut environment = domain.environment(&case.scenario)?;
            let at = format!("{name}, in {}", case.scenario.id);
            let staged = environment.assess(&call).map(drop);
            judge(&at, staged)?;
            let staged = environment.stage_call(&call).map(drop);
            let trapped = staged.as_ref().err().is_some_and(|fault| !is_refusal(fault));
            judge(&at, staged)?;
            if !trapped {
                judge(&at, out_of_order(&mut environment))?;
            }
        }
    }
    let good = format!("{asked} requests and calls, {refused} refused by an error");
    Ok(wrongs.line(HOSTILE, good, HOSTILE_ADVICE))
}

fn requests(info: &Info) -> Vec<(String, Request)> {
    let stage = info.stages.first().cloned().unwrap_or_default();
    let plain = |count, seed| Request { stage: stage.clone(), count, seed, parameters: "{}".into() };
    let mut all = vec![
        ("a request for no scenario".to_owned(), plain(0, 1)),
        ("a request for as many as a number can say".to_owned(), plain(u32::MAX, 1)),
        ("the last seed".to_owned(), plain(1, u64::MAX)),
        ("a stage that is not there".to_owned(), Request { stage: "no-such-stage".into(), ..plain(1, 1) }),
        ("a stage without a name".to_owned(), Request { stage: String::new(), ..plain(1, 1) }),
    ];
    all.extend(
        values()
            .into_iter()
            .map(|(name, value)| (format!("parameters: {name}"), Request { parameters: value, ..plain(1, 1) })),
    );
    all
}

/// Each tool with each odd value as its arguments, and as each of them.
fn calls(case: &Case) -> Vec<(String, Call)> {
    let mut all =
        vec![("a tool that is not there".to_owned(), Call { call_id: 0, tool: u32::MAX, arguments: "{}".into() })];
    for (tool, index) in case.tools.iter().zip(0_u32..) {
        for (name, value) in values() {
            let each: Vec<String> =
                tool.parameters.iter().map(|p| format!("{}:{value}", Value::from(p.name.as_str()))).collect();
            let arguments = format!("{{{}}}", each.join(","));
            all.push((
                format!("`{}` with arguments that are {name}", tool.name),
                Call { call_id: u32::MAX, tool: index, arguments: value },
            ));
            all.push((
                format!("`{}` with {name} for every argument", tool.name),
                Call { call_id: 0, tool: index, arguments },
            ));
        }
    }
    all
}

/// What follows a call in no rollout: commits, repairs and sessions in any order.
fn out_of_order(environment: &mut Environment) -> Result<(), Box<Fault>> {
    let refused = |answer: Result<(), Box<Fault>>| match answer {
        Err(fault) if !is_refusal(&fault) => Err(fault),
        _ => Ok(()),
    };
    refused(environment.commit(7).map(drop))?;
    refused(environment.discard(7))?;
    refused(environment.rollback(7))?;
    refused(environment.quarantine("no such memory"))?;
    refused(environment.scrub(""))?;
    for _ in 0..3 {
        refused(environment.next_session())?;
    }
    for call_id in [0, u32::MAX] {
        refused(environment.commit(call_id).map(drop))?;
        refused(environment.commit(call_id).map(drop))?;
        refused(environment.rollback(call_id))?;
        refused(environment.rollback(call_id))?;
        refused(environment.discard(call_id))?;
    }
    refused(environment.judge().map(drop))
}
