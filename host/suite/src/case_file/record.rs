//! From a trace to a case: all events up to a decision as the policy saw them, every question that it was asked on the way,
//! since it may have kept something of each, and the recorded answer as what must come.
//!
//! Earlier questions expect nothing. In texts a canary is replaced by a stand-in of the same length, which the case lists in
//! its place: where the policy saw a placeholder it sees the same one. An argument keeps its value, which policies do see.

mod write;

use super::expectation::Expectation;
use super::raw::Ask;
use super::{Asked, Case, Step, labels};
use crate::Error;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table};
use weir_rollout::gate::{Ruling, is_untrusted_observation};
use weir_rollout::live::BETWEEN;
use weir_rollout::models::POLICY;
use weir_rollout::reexecute::logged;
use weir_rollout::replay::question;
use weir_runtime::convert::episode;
use weir_runtime::wit::trace as wit;
use weir_trace::{Body, EdgeKind, Event, EventId, Hook, NodeKind, Origin, Trace, TraceBuilder, Verdict, fact};
use write::{list, sources, standing_in, tables};

/// Characters of a unit's identifier in a case's description.
const SHORT: usize = 12;

/// The case of one decision of a trace. `domain` is where the trace's tools can be had by name: the domain, and the toolset
/// where it is not the first; without it they are written down.
///
/// # Errors
/// Where the event is no decision, or it rests on what a case cannot hold.
pub fn of_decision(trace: &Trace, decision: EventId, domain: Option<(&str, Option<&str>)>) -> Result<String, Error> {
    let ruling = ruling(trace, decision)?;
    refuse_what_is_not_in_a_trace(trace, &ruling)?;
    let header = &trace.header;
    let mut document = DocumentMut::new();
    let unit: String = header.unit.chars().take(SHORT).collect();
    let policy = header.policy.as_ref().map_or("a policy", |policy| policy.name.as_str());
    let about = format!("What {policy} decided in event {decision} of unit {unit}, scenario {}.", header.scenario);
    let mut put = |key: &str, value: Item| drop(document.insert(key, value));
    put("about", toml_edit::value(about));
    put("goal", toml_edit::value(header.goal.as_str()));
    if header.agents != ["agent"] {
        put("agents", list(&header.agents));
    }
    let taint = labels::names(header.taint_vocabulary, &header.label_names);
    if taint != ["untrusted"] {
        put("taint", list(&taint));
    }
    if !header.label_names.is_empty() {
        put("label-names", list(&header.label_names));
    }
    let stand_ins = standing_in(&header.canaries);
    if !stand_ins.is_empty() {
        put("canaries", list(&stand_ins));
    }
    match domain {
        Some((domain, toolset)) => {
            put("domain", toml_edit::value(domain));
            toolset.into_iter().for_each(|toolset| put("toolset", toml_edit::value(toolset)));
        }
        None => put("tools", Item::ArrayOfTables(tables(trace.tools.iter().map(write::tool)))),
    }
    let entries = header.ledgers.first().map(|ledger| ledger.entries.as_slice()).unwrap_or_default();
    let ledger = entries.iter().map(write::entry).collect::<Option<Vec<_>>>();
    let ledger = ledger.ok_or_else(|| cannot(decision, "a rule of its ledger compares with JSON's null"))?;
    if !ledger.is_empty() {
        put("ledger", Item::ArrayOfTables(tables(ledger)));
    }
    let mut walk = Walk { trace, decision, stand_ins, steps: ArrayOfTables::new(), next_call: 0 };
    if !walk.through()? {
        return Err(cannot(decision, "no question in the trace led to it"));
    }
    put("steps", Item::ArrayOfTables(walk.steps));
    let text = document.to_string();
    let case = Case::parse("the new case", &text, &mut |_, _| Ok(trace.tools.to_vec()))?;
    same(&case, trace, &header.canaries).map_err(|what| cannot(decision, &what))?;
    Ok(text)
}

fn cannot(decision: EventId, why: &str) -> Error {
    Error::Input(format!("the decision in event {decision} cannot be made a case: {why}"))
}

fn ruling(trace: &Trace, decision: EventId) -> Result<Ruling, Error> {
    let event = usize::try_from(decision).ok().and_then(|index| trace.events.get(index));
    event.and_then(|event| Ruling::of(&event.body)).ok_or_else(|| {
        let decisions = trace.events.iter().filter(|event| event.kind == NodeKind::Decision);
        let known: Vec<String> = decisions.map(|event| event.id.to_string()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Error::Input(format!("event {decision} of this trace is no decision\n  its decisions are {known}"))
    })
}

fn refuse_what_is_not_in_a_trace(trace: &Trace, ruling: &Ruling) -> Result<(), Error> {
    let refused = |why: &str| Err(Error::Input(format!("this decision cannot be made a case: {why}")));
    let authority = trace.header.memory.as_ref().is_some_and(|memory| memory.module != BETWEEN);
    if authority || matches!(ruling.hook, Hook::Endorse | Hook::Render) {
        return refused(
            "the policy was shown memories and a history, which a trace does not hold as it saw them\n  write such a case by hand: `endorse` and `render` take `memories` and `history`",
        );
    }
    if trace.header.exchanges.contains_key(POLICY) {
        return refused("the policy asked a model, and a case has none\n  `weir verify` takes such a decision again");
    }
    Ok(())
}

/// On the way through a trace.
struct Walk<'a> {
    trace: &'a Trace,
    decision: EventId,
    stand_ins: Vec<String>,
    steps: ArrayOfTables,
    next_call: u32,
}

impl Walk<'_> {
    /// In the order in which `weir verify` asks. Whether the decision was reached.
    fn through(&mut self) -> Result<bool, Error> {
        let started = self.trace.events.first().filter(|event| hook(event) == Some(Hook::Start));
        let live = matches!(self.trace.header.origin, Origin::Live { .. });
        if (live || started.is_some()) && self.ask(Ask::Guidance, started, Table::new()) {
            return Ok(true);
        }
        for event in &self.trace.events {
            let reached = match (event.kind, hook(event)) {
                (NodeKind::Proposal, _) => {
                    let asked = self.call(event)?;
                    self.ask(Ask::Authorize, logged(self.trace, event.id, Hook::Authorize), asked)
                }
                (_, Some(Hook::Recover)) if self.ask(Ask::Recover, Some(event), Table::new()) => true,
                (_, Some(Hook::Authorize)) => {
                    self.event(event);
                    self.precommit(event)
                }
                _ => {
                    self.event(event);
                    is_untrusted_observation(&self.trace.events, event, self.trace.header.taint_vocabulary)
                        && self.ask(Ask::Filter, logged(self.trace, event.id, Hook::Filter), Table::new())
                }
            };
            if reached {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A call that may run and changes something is asked about once more.
    fn precommit(&mut self, decision: &Event) -> bool {
        let at = |id: EventId| usize::try_from(id).ok().and_then(|index| self.trace.events.get(index));
        let proposal = decision.edges.iter().filter_map(|edge| at(edge.parent)).find(|e| e.kind == NodeKind::Proposal);
        let (Some(proposal), Some(ruling)) = (proposal, Ruling::of(&decision.body)) else { return false };
        let confirmed = ruling.verdict == Verdict::Confirm && proposal.is(fact::CONFIRM_GIVEN);
        if !(ruling.verdict == Verdict::Allow || confirmed) || !proposal.is(fact::HIGH_RISK) {
            return false;
        }
        let mut step = Table::new();
        step.extend(proposal.call.map(|call| ("call", toml_edit::value(i64::from(call)))));
        self.ask(Ask::Precommit, logged(self.trace, proposal.id, Hook::Precommit), step)
    }

    /// Adds a question. Whether its answer is the decision that the case is about.
    fn ask(&mut self, ask: Ask, answer: Option<&Event>, more: Table) -> bool {
        let answer = answer.filter(|answer| answer.id == self.decision);
        let ruling = answer.and_then(|answer| Ruling::of(&answer.body));
        let mut step = Table::new();
        step.insert("ask", toml_edit::value(ask.name()));
        *step.decor_mut() = more.decor().clone();
        step.extend(more);
        let expect = ruling.as_ref().map_or_else(Expectation::any, |ruling| Expectation::of(ruling, ask));
        step.insert("expect", write::inline(expect.stated()));
        self.steps.push(step);
        ruling.is_some()
    }

    /// Adds an event.
    fn event(&mut self, event: &Event) {
        let mut step = Table::new();
        step.insert("event", toml_edit::value(write::kind(event.kind)));
        let more = self.what(event, 0);
        *step.decor_mut() = more.decor().clone();
        step.extend(more);
        let text = self.hidden(&event.text);
        if !text.is_empty() {
            step.insert("text", toml_edit::value(text));
        }
        self.steps.push(step);
    }

    /// A proposal's part of the question about it.
    fn call(&mut self, event: &Event) -> Result<Table, Error> {
        let Body::Proposal { arguments } = &event.body else {
            return Err(cannot(self.decision, &format!("event {} is a proposal without arguments", event.id)));
        };
        let mut step = self.what(event, arguments.iter().fold(0, |all, argument| all | argument.labels));
        let call = event.call.unwrap_or_default();
        if call != self.next_call {
            step.insert("call", toml_edit::value(i64::from(call)));
        }
        self.next_call = self.next_call.max(call.saturating_add(1));
        let tool = event.tool.and_then(|tool| usize::try_from(tool).ok()).and_then(|tool| self.trace.tools.get(tool));
        let name = |argument: &weir_trace::Argument| {
            let parameter = usize::try_from(argument.parameter).ok().and_then(|at| tool?.parameters.get(at));
            parameter.map(|parameter| parameter.name.clone()).unwrap_or_default()
        };
        let named: Vec<(String, &weir_trace::Argument)> = arguments.iter().map(|one| (name(one), one)).collect();
        let text = write::arguments(&mut step, &named)?;
        let labelled = named.iter().filter(|(_, one)| one.labels != 0).map(|(name, one)| {
            (name.as_str(), write::strings(&labels::names(one.labels, &self.trace.header.label_names)))
        });
        write::some(&mut step, "argument-labels", labelled);
        write::some(&mut step, "sources", named.iter().filter_map(|(name, one)| Some((name.as_str(), sources(one)?))));
        let said = self.hidden(&event.text);
        if said != text {
            step.insert("text", toml_edit::value(said));
        }
        Ok(step)
    }

    /// What events and calls have in common; labels that follow from edges or arguments are left out.
    fn what(&self, event: &Event, known: u64) -> Table {
        let mut step = Table::new();
        // The number by which later steps, and `weir trace`, speak of it.
        step.decor_mut().set_prefix(format!("\n# event {}\n", event.id));
        let (header, at) = (&self.trace.header, |index: u32| usize::try_from(index).unwrap_or(usize::MAX));
        if event.agent != 0 {
            let agent = header.agents.get(at(event.agent)).map(String::as_str);
            step.insert("agent", toml_edit::value(agent.unwrap_or("?")));
        }
        let tool = event.tool.map(|tool| self.trace.tools.get(at(tool)).map_or("?", |tool| tool.name.as_str()));
        step.extend(tool.map(|tool| ("tool", toml_edit::value(tool))));
        let flows = |edge: &&weir_trace::Edge| edge.kind == EdgeKind::DataFlow;
        let parents = event.edges.iter().filter(flows).filter_map(|edge| self.trace.events.get(at(edge.parent)));
        let carried = parents.fold(known, |all, parent| all | parent.labels);
        let own = labels::names(event.labels & !carried, &header.label_names);
        if !own.is_empty() {
            step.insert("labels", list(&own));
        }
        write::edges(&mut step, &event.edges);
        step
    }

    fn hidden(&self, text: &str) -> String {
        hidden(text, &self.trace.header.canaries, &self.stand_ins)
    }
}

fn hook(event: &Event) -> Option<Hook> {
    Ruling::of(&event.body).map(|ruling| ruling.hook)
}

/// A text with stand-ins for its canaries, in the order in which a policy's view of it is made.
fn hidden(text: &str, canaries: &[String], stand_ins: &[String]) -> String {
    let named = canaries.iter().zip(stand_ins).filter(|(canary, _)| !canary.is_empty());
    named.fold(text.to_owned(), |text, (canary, stand_in)| text.replace(canary, stand_in))
}

/// Demands that a case shows a policy what the trace showed it.
fn same(case: &Case, trace: &Trace, canaries: &[String]) -> Result<(), String> {
    let ledger = trace.header.ledgers.first().map(|ledger| ledger.entries.as_slice()).unwrap_or_default();
    if case.episode != episode(&trace.header, &trace.tools, ledger) {
        return Err("its episode cannot be written down: two tools, agents or labels may have one name".into());
    }
    let mut built = TraceBuilder::default();
    for step in &case.steps {
        let new = match step {
            Step::Event(new) => new,
            Step::Ask(question) => match &question.asked {
                Asked::Authorize(new) => new,
                _ => continue,
            },
        };
        built.push(new.clone());
    }
    for (new, old) in built.events().iter().zip(&trace.events) {
        let seen = wit::Event::from(new) == wit::Event::from(old) && question(new) == question(old);
        if !seen || *new.text != hidden(&old.text, canaries, &case.canaries) {
            return Err(format!("event {} cannot be written down so that a policy sees the same", old.id));
        }
    }
    Ok(())
}
