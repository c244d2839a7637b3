"""Helpers for a policy's own tests: a small mail episode, and ways to write proposals and ledgers in one line.

The episode has one agent and six tools: `read` (a read), `send` (a side effect with `to`, `bcc`, `subject`, `body`), `share` (a
side effect with `file`, `with`, `visibility`), `remember` (a memory write with `key`, `value`, `scope`), `update` (a side effect
on the user's own `object` with `value`) and `scrub` (a recovery with `key`).
"""

import json

from wit_world.exports.policy import Episode
from wit_world.imports import log as _log
from wit_world.imports import transcript as _transcript
from wit_world.imports.types import Argument, Authorization, Constraint, Effect, Parameter, Proposal, Role, Tool

_UNKNOWN = 2**32 - 1
_texts = {}


def episode(ledger=()):
    """The mail episode with this ledger."""
    return Episode(
        goal="a goal",
        ledger=list(ledger),
        tools=[
            _tool("read", Effect.READ, query=Role.OTHER),
            _tool("send", Effect.SIDE_EFFECT, to=Role.RECIPIENT, bcc=Role.RECIPIENT, subject=Role.CONTENT, body=Role.CONTENT),
            _tool("share", Effect.SIDE_EFFECT, **{"file": Role.TARGET, "with": Role.RECIPIENT, "visibility": Role.VISIBILITY}),
            _tool("remember", Effect.MEMORY_WRITE, key=Role.TARGET, value=Role.CONTENT, scope=Role.VISIBILITY),
            _tool("update", Effect.SIDE_EFFECT, object=Role.TARGET, value=Role.CONTENT),
            _tool("scrub", Effect.RECOVERY, key=Role.TARGET),
        ],
        agents=["assistant"],
        label_names=[],
        taint_vocabulary=1,
    )


def permit(action, *targets, **rules):
    """A ledger entry: an action, its targets, and a rule for each argument that it speaks of."""
    return Authorization(action, list(targets), [Constraint(argument, rule) for argument, rule in rules.items()])


def propose(tool, labels=0, **arguments):
    """A proposal of one of the mail episode's tools, each value and the context under these labels. Unknown names become the
    index 4294967295."""
    tools = episode().tools
    index = _index(tools, tool)
    parameters = tools[index].parameters if index != _UNKNOWN else []
    values = [
        Argument(_index(parameters, name), json.dumps(value, separators=(",", ":"), sort_keys=True), labels, [])
        for name, value in arguments.items()
    ]
    return Proposal(event=1, call_id=0, agent=0, tool=index, arguments=values, labels=labels)


def set_text(event, text):
    """Gives the text that `host.text` returns for an event, and in which `host.find` looks."""
    _texts[event] = text


def _tool(name, effect, **parameters):
    return Tool(name, "", effect, [Parameter(each, role, False, "{}") for each, role in parameters.items()])


def _index(named, name):
    return next((position for position, each in enumerate(named) if each.name == name), _UNKNOWN)


# What the component gets from Weir.
_transcript.text = _texts.get
_transcript.find = lambda text, limit: [event for event in sorted(_texts) if text and text in _texts[event]][:limit]
_log.write = lambda level, message: print(f"{level.name.lower()}: {message}")
