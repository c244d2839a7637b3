//! What is demanded of a policy.

use crate::cases::Case;
use crate::check::corpus::episodes::{self, Ask, Episodes, Shown};
use crate::check::rollouts::{turned_round, unequal};
use crate::check::{
    HOSTILE, HOSTILE_ADVICE, Line, NO_STATE, NO_STATE_ADVICE, Wrongs, is_refusal, line, not_the_hosts, told,
    unreadable::{self, Permission},
};
use crate::error::Error;
use crate::plugins::Plugins;
use crate::sample::{all_cases, rollouts};
use std::sync::Arc;
use weir_runtime::wit::policies::Decision;
use weir_runtime::wit::types::Proposal;
use weir_runtime::world::policy::Delta;
use weir_runtime::world::{Defence, PolicyPlugin};
use weir_runtime::{Cause, Fault};
use weir_trace::fact;

/// What a hook answered, in words, or its fault.
pub(super) type Answered = Result<String, Box<Fault>>;

pub(super) fn check(plugins: &Plugins, policy: &PolicyPlugin) -> Result<Vec<Line>, Error> {
    let mut lines = vec![hooks(policy)?];
    lines.extend(in_rollouts(plugins, policy)?);
    lines.extend(on_corpus(policy)?);
    lines.push(unreadable::check(policy)?);
    Ok(lines)
}

/// Each hook on an ordinary episode.
fn hooks(policy: &PolicyPlugin) -> Result<Line, Error> {
    let plain = episodes::plain();
    let mut wrongs = Wrongs::default();
    for (ask, answer) in plain.asks.iter().zip(play(policy, &plain)?) {
        // A policy that cannot do without a model says so here too; that is an answer.
        if let Err(fault) = answer.as_ref().map_err(|fault| fault.as_ref())
            && !is_refusal(fault)
        {
            wrongs.add(ask.hook(), told(fault));
        }
    }
    let good = "guidance, filter, authorize, precommit, recover, endorse and render".into();
    Ok(wrongs.line("every hook answers", good, HOSTILE_ADVICE))
}

/// Rollouts of the mail domain: once, again, and in the opposite order.
fn in_rollouts(plugins: &Plugins, policy: &PolicyPlugin) -> Result<Vec<Line>, Error> {
    let (email, _) = plugins.domain("email")?;
    let cases = all_cases(&email)?;
    let first = rollouts(&email, policy, &cases)?;
    let again = rollouts(&email, policy, &cases)?;
    let backwards: Vec<Case> = cases.into_iter().rev().collect();
    let second = rollouts(&email, policy, &backwards)?;
    let n = first.len();
    let mut wrongs = Wrongs::default();
    for trace in &first {
        if let Some(event) = trace.events.iter().find(|event| event.is(fact::PLUGIN_FAULT)) {
            wrongs.add(
                &trace.header.scenario,
                weir_rollout::gate::Ruling::of(&event.body).map_or_else(String::new, |r| r.message),
            );
        }
    }
    let (repeated, turned) = (unequal(&first, &again)?, unequal(&first, turned_round(&second))?);
    Ok(vec![
        wrongs.line("rollouts without a fault", format!("{n} of the mail domain, every stage"), HOSTILE_ADVICE),
        line("deterministic", repeated == 0, format!("{repeated} of {n} traces differ when run again")),
        line(
            "no state between rollouts",
            turned == 0,
            format!("{turned} of {n} traces differ when run again in the opposite order"),
        ),
    ])
}

fn on_corpus(policy: &PolicyPlugin) -> Result<Vec<Line>, Error> {
    let (mut hostile, mut kept) = (Wrongs::default(), Wrongs::default());
    let (mut asked, mut refused) = (0_usize, 0_usize);
    let corpus = episodes::corpus();
    let cases = corpus.len();
    for case in corpus {
        let first = play(policy, &case)?;
        for answer in &first {
            asked = asked.saturating_add(1);
            if let Err(fault) = answer {
                refused = refused.saturating_add(usize::from(is_refusal(fault)));
                if !is_refusal(fault) {
                    hostile.add(&case.name, told(fault));
                }
            }
        }
        // What has trapped cannot be asked again in the same instance.
        if first.iter().all(|answer| answer.as_ref().err().is_none_or(|fault| is_refusal(fault)))
            && let Some(difference) = renewed(policy, &case, &first)?
        {
            kept.add(&case.name, difference);
        }
    }
    Ok(vec![
        kept.line(
            NO_STATE,
            format!("{cases} episodes, each twice in one instance, with the same answers"),
            NO_STATE_ADVICE,
        ),
        hostile.line(
            HOSTILE,
            format!("{asked} questions in {cases} episodes, {refused} refused by an error"),
            HOSTILE_ADVICE,
        ),
    ])
}

/// Plays an episode in a fresh instance, to its end or to the first trap.
pub(super) fn play(policy: &PolicyPlugin, case: &Episodes) -> Result<Vec<Answered>, Error> {
    match not_the_hosts(policy.session(&case.episode, &Arc::from([])))? {
        Ok(mut session) => answers(&mut session, case),
        Err(fault) => Ok(vec![Err(fault)]),
    }
}

/// The first answer that is otherwise in a second session of the same instance, if one is.
fn renewed(policy: &PolicyPlugin, case: &Episodes, first: &[Answered]) -> Result<Option<String>, Error> {
    let mut session = policy.session(&case.episode, &Arc::from([]))?;
    answers(&mut session, case)?;
    if let Err(fault) = not_the_hosts(session.renew(&case.episode))? {
        return Ok(Some(told(&fault)));
    }
    let second = answers(&mut session, case)?;
    // What the first session took of the instance's memory and budgets is no state.
    let spent = |answer: &Answered| {
        answer.as_ref().is_err_and(|fault| matches!(fault.cause, Cause::Memory { .. } | Cause::Budget { .. }))
    };
    if second.iter().any(spent) {
        return Ok(None);
    }
    let words = |answer: &Answered| answer.as_ref().map_or_else(|fault| fault.cause.to_string(), Clone::clone);
    let differs = case.asks.iter().zip(first.iter().zip(&second)).find(|(_, (a, b))| words(a) != words(b));
    Ok(differs.map(|(ask, (a, b))| {
        let short = |answer: &Answered| cut(&words(answer));
        format!("{} answered {} in a second session, and {} in the first", ask.hook(), short(b), short(a))
    }))
}

/// The beginning of a long answer.
fn cut(text: &str) -> String {
    let shown = weir_runtime::fault::printable(text.get(..text.floor_char_boundary(120)).unwrap_or_default());
    if shown.len() < text.len() { format!("{shown}...") } else { shown }
}

fn answers(session: &mut dyn Defence, case: &Episodes) -> Result<Vec<Answered>, Error> {
    let mut all = Vec::new();
    for ask in &case.asks {
        let answer = not_the_hosts(put(session, ask))?;
        let trapped = answer.as_ref().err().is_some_and(|fault| !is_refusal(fault));
        all.push(answer);
        if trapped {
            break;
        }
    }
    Ok(all)
}

fn put(session: &mut dyn Defence, ask: &Ask) -> Answered {
    match ask {
        Ask::Guidance => session.guidance().map(|text| format!("{text:?}")),
        Ask::Filter(shown, observation) => session.filter(delta(shown), *observation).map(|a| format!("{:?}", a.value)),
        Ask::Authorize(shown, proposal) => session.authorize(delta(shown), proposal).map(|a| format!("{:?}", a.value)),
        Ask::Precommit(shown, proposal) => session.precommit(delta(shown), proposal).map(|a| format!("{:?}", a.value)),
        Ask::Recover(shown) => session.recover(delta(shown)).map(|a| format!("{:?}", a.value)),
        Ask::Endorse(memories, history) => session.endorse(memories, history).map(|a| format!("{:?}", a.value)),
        Ask::Render(memories) => session.render(memories).map(|a| format!("{:?}", a.value)),
    }
}

fn delta(shown: &Shown) -> Delta<'_> {
    Delta { events: &shown.events, texts: &shown.texts }
}

/// What may become of a proposal. A policy that fails blocks it: the host sees to that.
pub(super) fn permission(policy: &PolicyPlugin, proposal: &Proposal) -> Result<Permission, Error> {
    let session = not_the_hosts(policy.session(&episodes::episode(), &Arc::from([])))?;
    let Ok(mut session) = session else { return Ok(Permission::Blocked) };
    let answer = not_the_hosts(session.authorize(delta(&episodes::shown(4)), proposal))?;
    Ok(match answer.map(|answer| answer.value) {
        Ok(Decision::Allow(_)) => Permission::Allowed,
        Ok(Decision::Confirm(_)) => Permission::Confirmed,
        Ok(Decision::Block(_)) | Err(_) => Permission::Blocked,
    })
}
