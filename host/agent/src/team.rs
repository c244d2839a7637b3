//! Who works with whom: what an agent of a team is told about the others.

use std::fmt::Write;

/// How the agents of a team work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topology {
    /// The first agent has the user's task and delegates by message; the others work for it.
    SupervisorWorker,
    /// Each agent hands its final answer to the next, the last one to the user.
    PeerChain,
}

impl Topology {
    /// The topology of a scenario with this name; none for `single` and for names that are unknown.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "supervisor-worker" => Some(Topology::SupervisorWorker),
            "peer-chain" => Some(Topology::PeerChain),
            _ => None,
        }
    }
}

/// One agent's place in its team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Team<'a> {
    topology: Topology,
    before: &'a [String],
    name: &'a str,
    after: &'a [String],
}

impl<'a> Team<'a> {
    /// The place of the agent with this index among all agents of a scenario, in the scenario's order. None where the
    /// agent works alone or the index is none of theirs.
    pub fn new(topology: Topology, agents: &'a [String], index: usize) -> Option<Self> {
        let (before, rest) = agents.split_at_checked(index)?;
        let (name, after) = rest.split_first()?;
        (agents.len() > 1).then_some(Team { topology, before, name, after })
    }

    /// The agents to which this one can send messages, in the scenario's order: those beside it in the topology, so that
    /// nothing is passed on but along its edges. A supervisor reaches its workers, a worker its supervisor, and a peer
    /// the next one.
    pub fn recipients(&self) -> &'a [String] {
        match (self.topology, self.before.is_empty()) {
            (Topology::SupervisorWorker, true) => self.after,
            (Topology::SupervisorWorker, false) => self.before.get(..1).unwrap_or_default(),
            (Topology::PeerChain, _) => self.after.get(..1).unwrap_or_default(),
        }
    }

    /// The agent that gets this one's final answer; none where it goes to the user.
    pub fn answers_to(&self) -> Option<&'a str> {
        match self.topology {
            Topology::SupervisorWorker => self.before.first(),
            Topology::PeerChain => self.after.first(),
        }
        .map(String::as_str)
    }

    /// What the agent is told, for the system prompt.
    pub(crate) fn describe(&self) -> String {
        let mut text = format!("\nYou are the agent `{}` of a team. ", self.name);
        text.push_str(match (self.topology, self.before.is_empty()) {
            (Topology::SupervisorWorker, true) => {
                "You have the user's task and lead the others: delegate parts of it by message, and each answer comes \
                 back to you."
            }
            (Topology::SupervisorWorker, false) => "You do what your supervisor asks of you.",
            (Topology::PeerChain, true) => "You are the first to work on the user's task.",
            (Topology::PeerChain, false) => "You carry on where the agent before you ended.",
        });
        // Writing to a String cannot fail.
        let _ = match self.answers_to() {
            Some(next) => writeln!(
                text,
                " Your final answer goes to `{next}`, not to the user: put into it all that `{next}` needs."
            ),
            None => writeln!(text, " Your final answer goes to the user."),
        };
        let recipients: Vec<String> = self.recipients().iter().map(|name| format!("`{name}`")).collect();
        if !recipients.is_empty() {
            let _ = writeln!(text, "You can send messages to {}:\n{MESSAGE_FORMAT}", recipients.join(", "));
        }
        text
    }
}

/// The exact format of a message.
pub(crate) const MESSAGE_FORMAT: &str = r#"{"action": "message", "to": "agent_name", "text": "your message"}"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Action, ParseStatus};
    use crate::parser::parse;

    fn names<const N: usize>(names: [&str; N]) -> [String; N] {
        names.map(str::to_owned)
    }

    #[test]
    fn an_agent_alone_is_no_team() {
        assert_eq!(Topology::from_name("single"), None);
        for topology in [Topology::SupervisorWorker, Topology::PeerChain] {
            assert_eq!(Team::new(topology, &names(["assistant"]), 0), None);
            assert_eq!(Team::new(topology, &names(["a", "b"]), 2), None);
            assert_eq!(Team::new(topology, &[], 0), None);
        }
    }

    #[test]
    fn a_supervisor_delegates_and_a_worker_answers_to_it() {
        let agents = names(["supervisor", "worker", "clerk"]);
        let topology = Topology::from_name("supervisor-worker").unwrap();
        let team = |index| Team::new(topology, &agents, index).unwrap();
        assert_eq!((team(0).recipients(), team(0).answers_to()), (&agents[1..], None));
        for worker in [1, 2] {
            assert_eq!((team(worker).recipients(), team(worker).answers_to()), (&agents[..1], Some("supervisor")));
        }
    }

    #[test]
    fn a_peer_hands_on_to_the_next_and_the_last_to_the_user() {
        let agents = names(["reader", "planner", "actor"]);
        let topology = Topology::from_name("peer-chain").unwrap();
        let team = |index| Team::new(topology, &agents, index).unwrap();
        assert_eq!((team(0).recipients(), team(0).answers_to()), (&agents[1..2], Some("planner")));
        assert_eq!((team(1).recipients(), team(1).answers_to()), (&agents[2..], Some("actor")));
        assert_eq!((team(2).recipients(), team(2).answers_to()), (&[][..], None));
    }

    #[test]
    fn each_agent_is_told_who_it_is_and_where_its_answer_goes() {
        let pair = names(["supervisor", "worker"]);
        let describe = |topology, agents: &[String], index| Team::new(topology, agents, index).unwrap().describe();
        assert_eq!(
            describe(Topology::SupervisorWorker, &pair, 0),
            concat!(
                "\nYou are the agent `supervisor` of a team. You have the user's task and lead the others: delegate parts ",
                "of it by message, and each answer comes back to you. Your final answer goes to the user.\n",
                "You can send messages to `worker`:\n",
                "{\"action\": \"message\", \"to\": \"agent_name\", \"text\": \"your message\"}\n",
            )
        );
        assert_eq!(
            describe(Topology::SupervisorWorker, &pair, 1),
            concat!(
                "\nYou are the agent `worker` of a team. You do what your supervisor asks of you. Your final answer goes ",
                "to `supervisor`, not to the user: put into it all that `supervisor` needs.\n",
                "You can send messages to `supervisor`:\n",
                "{\"action\": \"message\", \"to\": \"agent_name\", \"text\": \"your message\"}\n",
            )
        );
        let chain = names(["reader", "planner", "actor"]);
        let first = describe(Topology::PeerChain, &chain, 0);
        assert!(first.contains("first to work on the user's task. Your final answer goes to `planner`"), "{first}");
        let last = describe(Topology::PeerChain, &chain, 2);
        assert!(last.ends_with("where the agent before you ended. Your final answer goes to the user.\n"), "{last}");
    }

    #[test]
    fn the_example_of_a_message_is_what_the_parser_calls_strict() {
        let parsed = parse(MESSAGE_FORMAT, &["tool_name"]);
        assert_eq!(parsed.status, ParseStatus::ValidStrictJson);
        assert!(matches!(parsed.action, Some(Action::Message { to, .. }) if to == "agent_name"));
    }
}
