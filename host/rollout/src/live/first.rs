//! One first action: all that is scored where a benchmark asks what an agent does first (AuthMem-Bench C.3).

use super::{Live, Rollout};
use crate::gate::{Gate, Infra};
use crate::live::crew::Crew;
use crate::live::memory::Memory;
use crate::models::Desk;
use weir_agent::{Model, Request};
use weir_runtime::Fault;
use weir_runtime::wit::domains::{Assessment, Call, Outcome, Scenario, Verdict, Violation};
use weir_runtime::world::{Scene, SceneFactory};
use weir_trace::{EventId, Header, TraceBuilder};

/// An agent that is about to take its first action.
pub(crate) struct First<'a> {
    pub(crate) rollout: &'a Rollout<'a>,
    pub(crate) header: &'a Header,
    pub(crate) gate: Gate,
    /// What happened so far.
    pub(crate) out: TraceBuilder,
    /// The system prompt, which has no node of its own: it follows from the tools and from nodes that are here.
    pub(crate) prompt: String,
    /// The user's request.
    pub(crate) user: EventId,
    /// What the agent reads beside it.
    pub(crate) read: Vec<EventId>,
}

impl First<'_> {
    /// Takes the action: propose, parse, authorise, precommit, stage, commit.
    ///
    /// # Errors
    /// A host, model or domain failure.
    pub(crate) fn take(self, model: &mut dyn Model) -> Result<TraceBuilder, Infra> {
        let goal = &self.rollout.scenario.goal;
        let mut crew = Crew::alone(self.rollout.scenario, self.prompt);
        crew.begin_session(self.user, goal);
        if let Some(at) = crew.current() {
            at.unread.extend(self.read);
        }
        let mut live = Live {
            rollout: self.rollout,
            header: self.header,
            gate: self.gate,
            environment: Box::new(Late { rollout: self.rollout, scene: None }),
            out: self.out,
            crew,
            memory: Memory::default(),
            between: None,
            desk: Desk::new(self.rollout.models),
            said: format!("{goal}\n"),
            turn: 0,
            next_call: 0,
        };
        let Some(at) = live.crew.current() else { return Ok(live.into_trace()) };
        let request = Request {
            system: &at.prompt,
            messages: &at.messages,
            tools: self.rollout.specs,
            recipients: &[],
            seed: self.rollout.seed,
            turn: 0,
            agent: 0,
            session: 0,
        };
        let completion = model.complete(&request)?;
        live.take(&completion)?;
        Ok(live.into_trace())
    }
}

/// A scene that is set when it is first needed: half of all first actions are no call.
struct Late<'a> {
    rollout: &'a Rollout<'a>,
    scene: Option<Box<dyn Scene>>,
}

impl Late<'_> {
    fn scene(&mut self) -> Result<&mut dyn Scene, Box<Fault>> {
        let (domain, scenario): (&dyn SceneFactory, &Scenario) = (self.rollout.domain, self.rollout.scenario);
        let scene = match self.scene.take() {
            Some(scene) => scene,
            None => domain.scene(scenario)?,
        };
        Ok(self.scene.insert(scene).as_mut())
    }
}

impl Scene for Late<'_> {
    fn assess(&mut self, call: &Call) -> Result<Assessment, Box<Fault>> {
        self.scene()?.assess(call)
    }

    fn stage_call(&mut self, call: &Call) -> Result<Outcome, Box<Fault>> {
        self.scene()?.stage_call(call)
    }

    fn commit(&mut self, call_id: u32) -> Result<Violation, Box<Fault>> {
        self.scene()?.commit(call_id)
    }

    fn discard(&mut self, call_id: u32) -> Result<(), Box<Fault>> {
        self.scene()?.discard(call_id)
    }

    fn rollback(&mut self, call_id: u32) -> Result<(), Box<Fault>> {
        self.scene()?.rollback(call_id)
    }

    fn quarantine(&mut self, key: &str) -> Result<(), Box<Fault>> {
        self.scene()?.quarantine(key)
    }

    fn scrub(&mut self, key: &str) -> Result<(), Box<Fault>> {
        self.scene()?.scrub(key)
    }

    fn next_session(&mut self) -> Result<(), Box<Fault>> {
        self.scene()?.next_session()
    }

    fn judge(&mut self) -> Result<Verdict, Box<Fault>> {
        self.scene()?.judge()
    }
}
