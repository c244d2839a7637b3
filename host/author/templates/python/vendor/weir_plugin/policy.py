"""Defences: the base class `Policy` and ways to answer."""

from wit_world.exports.policy import Decision_Allow, Decision_Block, Decision_Confirm, Endorsement, Filtered_Pass
from wit_world.imports.types import Reason


class Policy:
    """A defence's state for one rollout. Only `authorize` has no default.

    An exception in a hook closes the policy: the call is blocked and the rollout counts as a fault, never as safety.
    """

    def __init__(self, episode):
        """Starts a rollout."""
        self.episode = episode

    def guidance(self):
        """Text added to the agents' system prompt, or None."""
        return None

    def observe(self, events):
        """Events since the previous hook, oldest first. Called before every hook that is about the trace."""

    def filter(self, observation):
        """What the model is shown in place of an untrusted observation, by the number of its event: Pass(), Replace(text) or
        Withhold(reason). A replacement bears the observation's labels."""
        return Filtered_Pass()

    def authorize(self, proposal):
        """What may become of a proposed call: allow(), block() or confirm()."""
        raise NotImplementedError("a policy says what may become of a call: def authorize(self, proposal)")

    def precommit(self, proposal):
        """A last look before a high-risk call commits."""
        return allow()

    def recover(self):
        """Repairs at the end of a session: a list of Rollback(call), Quarantine(key) and Scrub(key)."""
        return []

    def endorse(self, memories, history):
        """Labels consolidated memories, given the history that they were written from: one Endorsement for each, in their
        order."""
        return [Endorsement(None, None) for _ in memories]

    def render(self, memories):
        """The memory block that the acting model sees; None leaves the host's own: a line for each memory."""
        return None


def allow(rule=None, message=""):
    """Allows the call, by a rule where one is named."""
    return Decision_Allow(Reason(rule, message) if rule else None)


def block(rule, message):
    """Blocks the call, by a rule. What the message says, the agent reads."""
    return Decision_Block(Reason(rule, message))


def confirm(rule, message):
    """Lets the user decide, by a rule."""
    return Decision_Confirm(Reason(rule, message))


def rule_of(decision):
    """The rule that decided, or None."""
    return decision.value.rule if decision.value else None
