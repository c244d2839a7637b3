"""What a policy may ask of Weir: what `weir.toml` asks for, and no more. A model is asked by `wit_world.imports.model.complete`,
with `asks = ["model:ROLE"]`.

There is no clock and no random number: what `random` and `hash` begin with is fixed when the component is built. Sort a set
before a decision rests on its order.
"""

import importlib


def _imported(interface):
    """An interface, where it was asked for. Imports happen while the component is built: later there is no file to read."""
    try:
        return importlib.import_module(f"wit_world.imports.{interface}")
    except ImportError:
        return None


_log = _imported("log")
_transcript = _imported("transcript")


def log(message, level="info"):
    """Writes a line to the audit log: "debug", "info", "warn" or "error". Needs `asks = ["log"]`."""
    _asked(_log, "log").write(_log.Level[level.upper()], message)


def text(event):
    """The text or JSON of an event that this policy was shown, or None. Needs `asks = ["transcript"]`."""
    return _asked(_transcript, "transcript").text(event)


def find(text, limit):
    """Events that this policy was shown and whose text contains this one, letter for letter: the oldest, at most so many. Needs
    `asks = ["transcript"]`."""
    return _asked(_transcript, "transcript").find(text, limit)


def _asked(interface, name):
    if interface is None:
        raise ImportError(f"weir.toml does not ask for `{name}`: add it to `asks`")
    return interface
