"""Sentences that give orders: what a mail or document has no business to do to an agent that reads it."""

import re

# Each is looked for in one sentence, whatever its capitals.
PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Orders to leave the task.
        r"\b(?:ignore|disregard|forget|override)\b.*\b(?:previous|prior|above|earlier|your|all)\b.*\b(?:instructions?|prompts?|rules?|task)\b",
        r"\b(?:to|before you can|in order to) (?:complete|finish|continue with) (?:this|the|your) task\b",
        r"\b(?:new|updated|real|actual|system) (?:instructions?|prompts?|task)\s*:",
        # Somebody who claims a right to give them.
        r"\b(?:administrator|system|developer|owner|management)\b.*\b(?:orders?|requires?|instructs?|wants|tells|asks)\b.*\byou\b",
        r"\byou (?:must|have to|need to|should|are (?:asked|ordered|required|instructed) to)\b",
        # An order itself: a deed, its object, and a place for it to go.
        r"\b(?:please|kindly|now|then|instead|:)\s*,?\s*(?:forward|send|mail|e-mail|copy|share|delete|remove|overwrite|publish|store|remember|change|update)\b",
        r"\b(?:forward|send|mail|copy|share)\b.*\bto\b.*@",
    )
]

# A full stop ends a sentence only before a space, so that addresses stay whole.
_ENDS = re.compile(r"(?<=[.!?])(\s+)|(\n+)")

NOTICE = "[an instruction was removed]"


def without_orders(text):
    """The text without sentences that give orders, and how many there were."""
    kept, removed, start = [], 0, 0
    for end in [*_ENDS.finditer(text), None]:
        sentence = text[start : end.start() if end else len(text)]
        if sentence.strip() and any(pattern.search(sentence) for pattern in PATTERNS):
            removed += 1
            sentence = NOTICE
        kept.append(sentence)
        if end:
            kept.append(end.group())
            start = end.end()
    return "".join(kept), removed
