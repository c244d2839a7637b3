//! The agents of a rollout: their conversations, whose turn it is, and how the turn passes on.

use weir_agent::{Message, Role, Team, ToolSpec, Topology, system_prompt};
use weir_runtime::wit::domains::Scenario;
use weir_trace::{EventId, NewEvent, NodeKind, TraceBuilder};

/// One agent.
pub(super) struct At {
    /// Its system prompt.
    pub(super) prompt: String,
    /// The node that stands for the prompt, once the agent has had a turn.
    briefing: Option<EventId>,
    /// Its conversation in this session.
    pub(super) messages: Vec<Message>,
    /// Events that it will read with its next turn.
    pub(super) unread: Vec<EventId>,
    /// Events that it has read in this session.
    pub(super) read: Vec<EventId>,
    /// Its state after its last turn in this session.
    pub(super) state: Option<EventId>,
}

/// All agents.
pub(super) struct Crew<'a> {
    agents: Vec<At>,
    teams: Vec<Option<Team<'a>>>,
    names: &'a [String],
    active: u32,
    /// Agents that wait for an answer, the last one first to get it.
    waiting: Vec<u32>,
    chain: bool,
}

impl<'a> Crew<'a> {
    /// The agents of a scenario.
    pub(super) fn new(scenario: &'a Scenario, specs: &[ToolSpec], guidance: Option<&str>) -> Self {
        let topology = Topology::from_name(&scenario.topology);
        let names = scenario.agents.as_slice();
        let teams: Vec<Option<Team<'a>>> =
            (0..names.len()).map(|index| topology.and_then(|t| Team::new(t, names, index))).collect();
        let agents = teams
            .iter()
            .map(|team| At {
                prompt: system_prompt(specs, team.as_ref(), guidance),
                briefing: None,
                messages: Vec::new(),
                unread: Vec::new(),
                read: Vec::new(),
                state: None,
            })
            .collect();
        let chain = topology == Some(Topology::PeerChain);
        Crew { agents, teams, names, active: 0, waiting: Vec::new(), chain }
    }

    /// One agent that works alone, with a system prompt of its own.
    pub(super) fn alone(scenario: &'a Scenario, prompt: String) -> Self {
        let (messages, unread, read) = (Vec::new(), Vec::new(), Vec::new());
        let at = At { prompt, briefing: None, messages, unread, read, state: None };
        let (agents, teams, names) = (vec![at], vec![None], scenario.agents.as_slice());
        Crew { agents, teams, names, active: 0, waiting: Vec::new(), chain: false }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.agents.len()
    }

    /// Whose turn it is.
    pub(super) fn active(&self) -> u32 {
        self.active
    }

    /// An agent.
    pub(super) fn at(&mut self, agent: u32) -> Option<&mut At> {
        self.agents.get_mut(usize::try_from(agent).ok()?)
    }

    /// The agent whose turn it is.
    pub(super) fn current(&mut self) -> Option<&mut At> {
        self.at(self.active)
    }

    /// Empties all conversations and hands the user's request to the first agent.
    pub(super) fn begin_session(&mut self, user: EventId, goal: &str) {
        for agent in &mut self.agents {
            agent.messages.clear();
            agent.unread.clear();
            agent.read.clear();
            agent.state = None;
            agent.unread.extend(agent.briefing);
        }
        (self.active, self.waiting) = (0, Vec::new());
        self.deliver(0, user, Role::User, goal.to_owned());
    }

    /// Puts the system prompt of the agent that has the turn into the trace, once.
    pub(super) fn brief(&mut self, out: &mut TraceBuilder) {
        let agent = self.active;
        let Some(at) = self.current().filter(|at| at.briefing.is_none()) else { return };
        let event = out.push(NewEvent { agent, ..NewEvent::text(NodeKind::Source, "system", at.prompt.as_str()) });
        at.briefing = Some(event);
        at.unread.insert(0, event);
    }

    /// Something for an agent to read.
    pub(super) fn deliver(&mut self, agent: u32, event: EventId, role: Role, text: String) {
        if let Some(at) = self.at(agent) {
            at.unread.push(event);
            at.messages.push(Message::new(role, text));
        }
    }

    /// Those to whom the agent that has the turn may write.
    pub(super) fn recipients(&self) -> &'a [String] {
        let team = usize::try_from(self.active).ok().and_then(|index| self.teams.get(index));
        team.and_then(Option::as_ref).map_or(&[], Team::recipients)
    }

    /// The agent of this name, if the one that has the turn may write to it.
    pub(super) fn recipient(&self, name: &str) -> Option<u32> {
        self.recipients().iter().find(|known| *known == name)?;
        self.index(name)
    }

    /// Who gets the final answer of the agent that has the turn; none where it goes to the user.
    pub(super) fn answers_to(&self) -> Option<u32> {
        let team = usize::try_from(self.active).ok().and_then(|index| self.teams.get(index))?.as_ref()?;
        self.index(team.answers_to()?)
    }

    /// Passes the turn on with a message. A supervisor waits for the answer; a peer has done its part.
    pub(super) fn pass_on(&mut self, to: u32) {
        if !self.chain {
            self.waiting.push(self.active);
        }
        self.active = to;
    }

    /// Passes the turn on with a final answer.
    pub(super) fn hand_over(&mut self, to: u32) {
        self.active = self.waiting.pop().unwrap_or(to);
    }

    fn index(&self, name: &str) -> Option<u32> {
        u32::try_from(self.names.iter().position(|known| known == name)?).ok()
    }
}
