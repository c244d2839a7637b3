"""What a policy may ask of Weir: what `weir.toml` asks for, and no more. A model is asked by `wit_world.imports.model.complete`,
with `asks = ["model:ROLE"]`.

There is no clock and no random number: what `random` and `hash` begin with is fixed when the component is built. Sort a set
before a decision rests on its order.
"""


def log(message, level="info"):
    """Writes a line to the audit log: "debug", "info", "warn" or "error". Needs `asks = ["log"]`."""
    from wit_world.imports import log as interface

    interface.write(interface.Level[level.upper()], message)


def text(event):
    """The text or JSON of an event that this policy was shown, or None. Needs `asks = ["transcript"]`."""
    from wit_world.imports import transcript

    return transcript.text(event)


def find(text, limit):
    """Events that this policy was shown and whose text contains this one, letter for letter: the oldest, at most so many. Needs
    `asks = ["transcript"]`."""
    from wit_world.imports import transcript

    return transcript.find(text, limit)
