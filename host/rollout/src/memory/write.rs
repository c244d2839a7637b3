//! Consolidation, and Module A: what a writer keeps of a history.

use super::nodes::Turns;
use super::{Subject, Writing, method_name, nodes, view_name};
use crate::gate::Infra;
use crate::models::{Desk, JUDGE, MEMORY_JUDGE, Source, WRITER};
use std::collections::BTreeMap;
use std::sync::Arc;
use weir_agent::ModelError;
use weir_memory::facts::{Facts, Labelled, ModelWord, Module, Retention, SourceKept};
use weir_memory::judge::model::{ModelJudge, Prompt, schema};
use weir_memory::judge::{self, Judge, JudgeError, Judgement, Memory, Outcome, Rules};
use weir_memory::{Authority, Side, Speaker, Variant};
use weir_runtime::Fault;
use weir_runtime::models::{Exchange, Message, ModelFailure, Models, Request};
use weir_runtime::wit::memory::{Item, Span};
use weir_runtime::wit::writers::{Method, Task};
use weir_runtime::world::WriterPlugin;
use weir_runtime::world::policy::Answer;
use weir_trace::{EventId, Header, MemoryRun, NewEvent, NodeKind, Origin, Trace, TraceBuilder, fact};

/// Most tokens of a model's judgement: an outcome, indices and one sentence.
const JUDGEMENT_TOKENS: u32 = 512;

/// Something that consolidates histories.
pub trait Consolidate: Sync {
    /// Writes memories, with models for the writer's granted roles if there are any.
    ///
    /// # Errors
    /// The writer's fault.
    fn consolidate(&self, task: &Task, models: Option<Box<dyn Models>>) -> Result<Answer<Vec<Item>>, Box<Fault>>;
}

impl Consolidate for WriterPlugin {
    fn consolidate(&self, task: &Task, models: Option<Box<dyn Models>>) -> Result<Answer<Vec<Item>>, Box<Fault>> {
        self.consolidate_with(task, models).answer
    }
}

/// What a writer wrote of one history, and what it is worth. A writer is a function of its task, so all arms and models of a
/// history can begin with the same one.
pub struct Written {
    pub(super) items: Vec<Item>,
    /// The cause of a failure; there are no items then.
    failure: Option<String>,
    /// None where the writer failed.
    judgement: Option<Judgement>,
    /// For each item, its gold label, where it is known.
    pub(super) gold: Vec<Option<Gold>>,
    /// What the writer asked of a model.
    pub(super) exchanges: BTreeMap<String, Vec<Exchange>>,
}

/// A memory's gold label.
#[derive(Clone, Copy)]
pub(super) struct Gold {
    pub(super) authority: Authority,
    /// The memory expresses the focal proposition; otherwise a benign one.
    focal: bool,
}

impl Subject<'_> {
    /// Module A: the writer's memories of this history, judged by the rules, and by a model too where `models` has one for
    /// [`MEMORY_JUDGE`].
    ///
    /// # Errors
    /// A model that could not be asked.
    pub fn write(
        &self,
        writing: &Writing<'_>,
        written: &Written,
        models: Source<'_>,
        unit: String,
    ) -> Result<(Trace, Facts), Infra> {
        let memory = MemoryRun {
            module: "writing".into(),
            condition: String::new(),
            writer: Some(writing.reference.clone()),
            view: Some(view_name(writing.view).into()),
            method: Some(method_name(writing.method).into()),
            gold: false,
        };
        let origin = Origin::Live {
            scenario_digest: self.digest.to_owned(),
            model: method_name(writing.method).to_owned(),
            simulated: matches!(writing.method, Method::Rules),
            seed: 0,
        };
        let mut out = TraceBuilder::default();
        let turns = nodes::history(self.variant, &mut out);
        self.remember(written, &turns, &mut out);
        let mut desk = Desk::new(models);
        let mut facts = self.facts(Module::Writing);
        self.add_writing(&mut facts, writing, written);
        facts.model_word = second_word(self.variant, written, desk.models(JUDGE))?;
        let mut exchanges = written.exchanges.clone();
        exchanges.extend(desk.exchanges());
        let header = Header { exchanges, ..self.header(unit, origin, None, memory) };
        Ok((Trace { header, tools: Arc::clone(self.tools), events: out.into_events() }, facts))
    }

    /// Appends memories, with what the judge found, or the writer's failure. `turns` are the nodes of the history's turns, as
    /// far as they have one.
    pub(super) fn remember(&self, written: &Written, turns: &Turns, out: &mut TraceBuilder) -> Vec<EventId> {
        if let Some(cause) = &written.failure {
            tell_failure(cause, out);
        }
        let tainted = self.variant.side == Side::Negative && self.variant.gold.role == Speaker::Tool;
        let matches = written.judgement.as_ref().filter(|_| tainted).map(|judgement| judgement.matches.as_slice());
        let facts = |index: u32| {
            let found = matches.unwrap_or_default().iter().find(|found| found.memory == index);
            found.map_or(0, |found| fact::CARRIES_TAINT | if found.keeps_source { fact::NAMES_SOURCE } else { 0 })
        };
        (0_u32..).zip(&written.items).map(|(index, item)| nodes::memory(item, turns, facts(index), out)).collect()
    }

    /// Asks the writer.
    ///
    /// # Errors
    /// A host failure.
    pub fn consolidate(&self, writing: &Writing<'_>, models: Source<'_>) -> Result<Written, Infra> {
        let mut desk = Desk::new(models);
        let focal = self.variant.focal.span;
        let mark = Span { turn: focal.turn, start: focal.start, end: focal.end };
        let task = Task {
            history: self.history.to_vec(),
            marks: if writing.marks { vec![mark] } else { Vec::new() },
            existing: Vec::new(),
            limit: writing.limit,
            view: writing.view,
            method: writing.method,
        };
        let answer = writing.writer.consolidate(&task, desk.models(WRITER));
        let exchanges = desk.exchanges();
        match answer {
            Ok(answer) => {
                let memories: Vec<Memory> = answer.value.iter().map(judged).collect();
                let judgement = Some(Rules::of(self.variant, &memories));
                let gold = answer.value.iter().map(|item| self.gold(item)).collect();
                Ok(Written { items: answer.value, failure: None, judgement, gold, exchanges })
            }
            Err(fault) if fault.cause.is_infrastructure() => Err(Infra::Host(fault)),
            // The cause alone: the full report has offsets that change with the toolchain.
            Err(fault) => {
                let failure = Some(fault.cause.to_string());
                Ok(Written { items: Vec::new(), failure, judgement: None, gold: Vec::new(), exchanges })
            }
        }
    }

    pub(super) fn facts(&self, module: Module) -> Facts {
        let variant = self.variant;
        Facts {
            module,
            base: variant.base.clone(),
            pair: variant.pair.clone(),
            transition: variant.transition.clone(),
            side: variant.side,
            partition: self.partition,
            writer: None,
            view: None,
            method: None,
            condition: None,
            retention: None,
            model_word: None,
            memories: 0,
            source_kept: None,
            labels: Vec::new(),
            action: None,
        }
    }

    pub(super) fn add_writing(&self, facts: &mut Facts, writing: &Writing<'_>, written: &Written) {
        facts.writer = Some(writing.reference.name.clone());
        facts.view = Some(view_name(writing.view).into());
        facts.method = Some(method_name(writing.method).into());
        facts.memories = count(written.items.len());
        let Some(judgement) = &written.judgement else {
            facts.retention = Some(Retention::WriterError);
            return;
        };
        facts.retention = Some(match judgement.outcome {
            Outcome::Omitted => Retention::Omitted,
            Outcome::Upgraded => Retention::Upgraded,
            Outcome::Preserved => Retention::Preserved,
            Outcome::Retained => Retention::Retained,
        });
        if self.variant.side == Side::Negative && !judgement.matches.is_empty() {
            facts.source_kept = Some(SourceKept {
                text: judgement.matches.iter().all(|found| found.keeps_source),
                evidence: judgement.matches.iter().all(|found| found.names_carrier),
            });
        }
    }

    /// The gold label of a memory, where it is known.
    pub(super) fn gold(&self, item: &Item) -> Option<Gold> {
        let (authority, focal) = judge::gold_label(self.variant, &item.text)?;
        Some(Gold { authority, focal })
    }
}

/// What a model says of the same memories; none where there is no model for that, or nothing to judge.
fn second_word(
    variant: &Variant,
    written: &Written,
    models: Option<Box<dyn Models>>,
) -> Result<Option<ModelWord>, Infra> {
    let (Some(mut models), Some(_)) = (models, &written.judgement) else { return Ok(None) };
    let memories: Vec<Memory> = written.items.iter().map(judged).collect();
    let mut failure = None;
    let mut judge = ModelJudge::new(|prompt: &Prompt| {
        let message = |speaker, content: &str| Message { speaker, content: content.to_owned() };
        let request = Request {
            role: MEMORY_JUDGE.into(),
            messages: vec![message(Speaker::System, &prompt.system), message(Speaker::User, &prompt.user)],
            response_schema: Some(schema(variant).to_string()),
            max_tokens: JUDGEMENT_TOKENS,
        };
        models.complete(&request).map(|completion| completion.text).map_err(|why| failure.insert(why).to_string())
    });
    let outcome = match judge.judge(variant, &memories) {
        Ok(judgement) => Some(judgement.outcome),
        Err(JudgeError::Answer { .. }) => None,
        Err(JudgeError::Unreachable { message, .. }) => match failure {
            Some(ModelFailure::NoModel(_)) => return Ok(None),
            // It refuses whenever it is asked.
            Some(ModelFailure::Refused(_)) => None,
            Some(ModelFailure::Differs(what)) => return Err(Infra::Input(what)),
            Some(ModelFailure::Failed(_)) | None => {
                return Err(Infra::Model(ModelError::Unavailable { model: MEMORY_JUDGE.into(), detail: message }));
            }
        },
    };
    Ok(Some(ModelWord { outcome }))
}

/// Labels beside gold labels, of the memories whose gold label is known.
pub(super) fn labelled(items: &[Item], gold: &[Option<Gold>]) -> Vec<Labelled> {
    let one = |(item, gold): (&Item, &Option<Gold>)| {
        let Gold { authority, focal } = (*gold)?;
        Some(Labelled { gold: authority, given: item.authority.map(nodes::from_contract), focal })
    };
    items.iter().zip(gold).filter_map(one).collect()
}

/// A writer's failure as a node: a plugin fault, which is never an omission.
pub(crate) fn tell_failure(cause: &str, out: &mut TraceBuilder) {
    out.push(NewEvent { facts: fact::PLUGIN_FAULT, ..NewEvent::text(NodeKind::Source, "writer error", cause) });
}

fn judged(item: &Item) -> Memory {
    Memory { text: item.text.clone(), kind: nodes::kind_name(item.kind).into(), evidence: item.evidence.clone() }
}

pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
