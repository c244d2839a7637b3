"""What a policy may ask of Weir: what `weir.toml` asks for, and no more. A model is asked by `wit_world.imports.model.complete`,
with `asks = ["model:ROLE"]`.

There is no file, no standard output, no clock and no random number: touching one stops the policy. So every module is imported
at the top of another, which happens when the component is built, and nothing is printed. What `random` and `hash` begin with is
fixed then too: sort a set before a decision rests on its order.
"""

try:
    from wit_world.imports import log as _log
except ImportError:
    _log = None
try:
    from wit_world.imports import transcript as _transcript
except ImportError:
    _transcript = None


def log(message, level="info"):
    """Writes a line to the audit log: "debug", "info", "warn" or "error". Needs `asks = ["log"]`."""
    _asked(_log, "log").write(_log.Level[level.upper()], message)


def may_log():
    """Whether `weir.toml` asks for the log."""
    return _log is not None


def text(event):
    """The text or JSON of an event that this policy was shown, or None. Needs `asks = ["transcript"]`."""
    return _asked(_transcript, "transcript").text(event)


def find(text, limit):
    """Events that this policy was shown and whose text contains this one, letter for letter: the oldest, at most so many. Needs
    `asks = ["transcript"]`."""
    return _asked(_transcript, "transcript").find(text, limit)


def _asked(interface, name):
    if interface is None:
        raise RuntimeError(f'weir.toml does not ask for "{name}"')
    return interface
