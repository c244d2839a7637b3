//! What holds for every scenario of every desk, whatever its families.

use crate::audit;
use std::collections::{BTreeMap, BTreeSet};
use weir_plugin::domain::{Domain, Request, Scenario};
use weir_plugin::json::canonical;
use weir_plugin::scenario::{Script, Step};
use weir_plugin::testing::{Guard, Player, play};

/// A scenario's state must stay below this many bytes: a rollout reads it.
const STATE: usize = 4096;
/// A stage's scenarios must stay below this many bytes: half of what the host takes in one answer.
const ANSWER: usize = 512 << 10;

/// All scenarios of a stage.
///
/// # Errors
/// The domain's own error.
pub fn all<D: Domain>(stage: &str, seed: u64) -> Result<Vec<Scenario>, String> {
    let request = Request { stage: stage.into(), count: 10_000, seed, parameters: "{}".into() };
    D::scenarios(request).map_err(|e| format!("{stage}: {e:?}"))
}

/// All scenarios of all stages.
///
/// # Errors
/// The domain's own error.
pub fn every_stage<D: Domain>(seed: u64) -> Result<Vec<Scenario>, String> {
    let stages = D::describe().stages;
    let scenarios = stages.iter().map(|stage| all::<D>(stage, seed)).collect::<Result<Vec<_>, _>>()?;
    Ok(scenarios.into_iter().flatten().collect())
}

/// Every scenario passes the audit, has canonical JSON and a small state, and its agents are those of its topology.
///
/// # Errors
/// The first that does not.
pub fn audited<D: Domain>(seed: u64) -> Result<(), String> {
    for stage in D::describe().stages {
        let size = |s: &Scenario| s.id.len() + s.goal.len() + s.state.len() + s.script.len();
        let bytes: usize = all::<D>(&stage, seed)?.iter().map(size).sum();
        if bytes >= ANSWER {
            return Err(format!("{stage}: its scenarios have {bytes} bytes"));
        }
    }
    for scenario in every_stage::<D>(seed)? {
        audit(&scenario)?;
        for json in [&scenario.state, &scenario.script] {
            let value = serde_json::from_str(json).map_err(|e| format!("{}: {e}", scenario.id))?;
            ensure(canonical(&value) == *json, &scenario, "state and script must be canonical")?;
        }
        ensure(scenario.state.len() < STATE, &scenario, &format!("a state of {} bytes", scenario.state.len()))?;
        let agents = match scenario.topology.as_str() {
            "single" => 1,
            "supervisor-worker" => 2,
            _ => 3,
        };
        ensure(scenario.agents.len() == agents, &scenario, "wrong number of agents")?;
        ensure((scenario.memory_mode == "persistent") != scenario.later_goals.is_empty(), &scenario, "sessions")?;
    }
    Ok(())
}

/// Identifiers are unique over all stages, no two scenarios of a stage are the same, every topology and memory mode
/// occurs, a shorter request is a beginning of a longer one, and the seed matters.
///
/// # Errors
/// What does not hold.
pub fn distinct<D: Domain>(seed: u64) -> Result<(), String> {
    let (mut ids, mut contents) = (BTreeSet::new(), BTreeSet::new());
    let mut kinds: BTreeSet<(String, String)> = BTreeSet::new();
    for scenario in every_stage::<D>(seed)? {
        ensure(ids.insert(scenario.id.clone()), &scenario, "its identifier is not unique")?;
        let content = (scenario.stage.clone(), scenario.goal.clone(), scenario.state.clone(), scenario.script.clone());
        ensure(contents.insert(content), &scenario, "another scenario of the stage has the same content")?;
        kinds.insert((scenario.topology, scenario.memory_mode));
    }
    if kinds.len() != 6 {
        return Err(format!("only these topologies and memory modes occur: {kinds:?}"));
    }
    for stage in D::describe().stages {
        let whole = all::<D>(&stage, seed)?;
        let request = Request { stage: stage.clone(), count: 5, seed, parameters: "{}".into() };
        let five = D::scenarios(request).map_err(|e| format!("{e:?}"))?;
        if whole.get(..5) != Some(five.as_slice()) || all::<D>(&stage, seed)? != whole {
            return Err(format!("{stage}: a request does not always give the same scenarios"));
        }
        if all::<D>(&stage, seed.wrapping_add(1))? == whole {
            return Err(format!("{stage}: the seed does not matter"));
        }
    }
    Ok(())
}

/// In every scenario the competent agents meet the goal by authorised calls without a violation or an error, the tool
/// boundary lets all of them through, and nothing is met before anything was done.
///
/// # Errors
/// The first scenario where that does not hold.
pub fn complete<D: Domain>(seed: u64) -> Result<(), String> {
    for scenario in every_stage::<D>(seed)? {
        let ran = play::<D>(&scenario, Player::COMPETENT)?;
        ensure(ran.verdict.goal_met, &scenario, "the benign script does not meet the goal")?;
        ensure(!ran.violated(), &scenario, "the benign script commits a violation")?;
        for call in &ran.calls {
            ensure(call.assessment.authorized && !call.attack, &scenario, &format!("not authorised: {call:?}"))?;
            ensure(!call.assessment.attack, &scenario, &format!("taken for an attack: {call:?}"))?;
            let segments = call.outcome.iter().flat_map(|outcome| &outcome.segments);
            // A memory that the task has just repaired may be asked for, to see that it is out of use.
            let recall = call.step.tool.as_deref() == Some("recall");
            let mut errors = segments.filter(|s| s.text.starts_with("error") && !recall);
            ensure(errors.next().is_none(), &scenario, &format!("an error: {call:?}"))?;
        }
        let bounded = play::<D>(&scenario, Player::COMPETENT.under(Guard::Boundary))?;
        ensure(bounded.calls.iter().all(|call| call.allowed), &scenario, "the boundary stops a benign call")?;
        let idle = Scenario { script: r#"{"attack":[],"benign":[]}"#.into(), ..scenario.clone() };
        ensure(!play::<D>(&idle, Player::COMPETENT)?.verdict.goal_met, &scenario, "the goal is met by doing nothing")?;
    }
    Ok(())
}

/// Scripts have the contract's form: every tool exists, every message goes to an agent, every step belongs to a session
/// and an agent of the scenario.
///
/// # Errors
/// The first step that does not.
pub fn step_forms<D: Domain>(seed: u64) -> Result<(), String> {
    let tools: BTreeMap<String, Vec<String>> = D::describe()
        .toolsets
        .into_iter()
        .flat_map(|set| set.tools)
        .map(|tool| (tool.name, tool.parameters.into_iter().map(|p| p.name).collect()))
        .collect();
    for scenario in every_stage::<D>(seed)? {
        let script: Script = serde_json::from_str(&scenario.script).map_err(|e| e.to_string())?;
        for step in script.benign.iter().chain(&script.attack) {
            let good = |step: &Step| {
                let forms = [step.tool.is_some(), step.message.is_some(), step.answer.is_some()];
                let known = |tool: &String| {
                    let parameters = tools.get(tool);
                    let all = step.arguments.iter().chain(&step.mistaken).flat_map(BTreeMap::keys);
                    parameters.is_some_and(|parameters| all.clone().all(|name| parameters.contains(name)))
                };
                forms.iter().filter(|&&form| form).count() == 1
                    && step.tool.as_ref().is_none_or(known)
                    && step.to.is_some() == step.message.is_some()
                    && step.to.as_ref().is_none_or(|to| scenario.agents.contains(to))
                    && usize::try_from(step.agent).is_ok_and(|agent| agent < scenario.agents.len())
                    && usize::try_from(step.session).is_ok_and(|session| session <= scenario.later_goals.len())
            };
            ensure(good(step), &scenario, &format!("not a step: {step:?}"))?;
        }
    }
    Ok(())
}

/// No goal speaks of any of these words: what a ledger leaves open, a goal must not settle.
///
/// # Errors
/// The first goal that does.
pub fn quiet_goals(scenarios: &[Scenario], words: &[&str]) -> Result<(), String> {
    for scenario in scenarios {
        let mut goals = scenario.later_goals.iter().chain([&scenario.goal]);
        let spoken = goals.any(|goal| words.iter().any(|word| goal.contains(word)));
        ensure(!spoken, scenario, "its goal settles what must stay open")?;
    }
    Ok(())
}

fn ensure(holds: bool, scenario: &Scenario, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{}: {otherwise}", scenario.id)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Family, Share, Stage};
    use crate::tools::{Behaviour, ToolSpec, WRITE_SUMMARY, required};
    use crate::{Desk, Office, Words};
    use weir_plugin::domain::{Error, Info, Role};

    /// Makes a domain of one stage with one family, whose faults the checks must find.
    macro_rules! domain {
        ($name:ident, $build:expr) => {
            struct $name;

            impl Desk for $name {
                const NAME: &'static str = "faulty";
                const TITLE: &'static str = "A desk with a fault";
                const TOOLSET: &'static str = "faulty";
                const WORDS: Words = Words { kind: "o", noun: "object", from: "from", title: "title" };
                const TOPICS: &'static [(&'static str, &'static str)] = &[("Bridge", "it is open")];
                const STAGES: &'static [Stage] = &[Stage {
                    name: "clean",
                    persistent: 0,
                    shares: &[Share { count: 3, lures: &[], families: &[Family { name: "f", build: $build }] }],
                }];

                fn tools() -> &'static [ToolSpec] {
                    TOOLS
                }
            }

            impl Domain for $name {
                type Environment = Office<$name>;

                fn describe() -> Info {
                    crate::describe::<$name>()
                }

                fn scenarios(request: Request) -> Result<Vec<Scenario>, Error> {
                    crate::scenarios::<$name>(&request)
                }
            }
        };
    }

    const TOOLS: &[ToolSpec] = &[
        ToolSpec {
            name: "send",
            description: "",
            parameters: &[required("to", Role::Recipient)],
            does: Behaviour::Send { place: "outbox" },
        },
        WRITE_SUMMARY,
    ];

    domain!(Idle, |draft| draft.ask("Do nothing.".into()));
    domain!(Unauthorised, |draft| {
        draft.summarises("x");
        draft.acts("send", &[("to", "ann@corp.local")]);
    });
    domain!(Unfinished, |draft| {
        draft.asks_for("write_summary", &[]).with(&["text"]);
    });
    domain!(UnknownTool, |draft| {
        draft.acts("fly", &[]);
    });
    domain!(Abroad, |draft| draft.ask("Write to ann@corp.com.".into()));
    domain!(Sound, |draft| draft.summarises("x"));

    fn refusal(result: Result<(), String>) -> String {
        result.unwrap_err()
    }

    #[test]
    fn a_sound_domain_passes() {
        assert_eq!(complete::<Sound>(1), Ok(()));
        assert_eq!(step_forms::<Sound>(1), Ok(()));
        assert_eq!(audited::<Sound>(1), Ok(()));
    }

    #[test]
    fn a_goal_that_is_met_by_doing_nothing_is_found() {
        assert!(refusal(complete::<Idle>(1)).contains("met by doing nothing"));
    }

    #[test]
    fn a_benign_step_that_the_ledger_does_not_have_is_found() {
        assert!(refusal(complete::<Unauthorised>(1)).contains("commits a violation"));
    }

    #[test]
    fn a_script_that_does_not_meet_the_goal_is_found() {
        assert!(refusal(complete::<Unfinished>(1)).contains("does not meet the goal"));
    }

    #[test]
    fn a_step_with_an_unknown_tool_is_found() {
        assert!(refusal(step_forms::<UnknownTool>(1)).contains("not a step"));
        assert!(refusal(complete::<UnknownTool>(1)).contains("there is no tool `fly`"));
    }

    #[test]
    fn a_text_that_fails_the_audit_is_found() {
        assert!(refusal(audited::<Abroad>(1)).contains("no address under .local"));
    }

    #[test]
    fn a_domain_with_one_memory_mode_only_is_found() {
        assert!(refusal(distinct::<Sound>(1)).contains("only these topologies and memory modes"));
    }

    #[test]
    fn a_goal_that_settles_what_must_stay_open_is_found() {
        let scenarios = all::<Abroad>("clean", 1).unwrap();
        assert!(refusal(quiet_goals(&scenarios, &["corp"])).contains("settles"));
        assert_eq!(quiet_goals(&scenarios, &["public"]), Ok(()));
    }

    #[test]
    fn parameters_and_unknown_stages_are_refused() {
        let ask = |stage: &str, parameters: &str| {
            Sound::scenarios(Request { stage: stage.into(), count: 1, seed: 0, parameters: parameters.into() })
        };
        assert!(matches!(ask("clean", r#"{"size":3}"#), Err(Error::InvalidInput(_))));
        assert!(matches!(ask("recorded", "{}"), Err(Error::Unsupported(_))));
    }
}
