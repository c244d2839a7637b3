"""An observation filter of regular expressions: what an agent reads from outside has its orders taken out, and what it does must
be authorised by the user's ledger all the same, since a filter of patterns finds what its author thought of."""

from instructions import without_orders
from weir_plugin import Ledger, Pass, Policy, Reason, Replace, Withhold, allow, block, host


class Guard(Policy):
    def __init__(self, episode):
        self.ledger = Ledger(episode)
        self.removed = 0

    def filter(self, observation):
        text = host.text(observation)
        if text is None:
            return Withhold(Reason("withhold_unseen", "an observation without its text"))
        cleaned, removed = without_orders(text)
        if removed == 0:
            return Pass()
        self.removed += removed
        host.log(f"event {observation}: {removed} sentences removed")
        return Replace(cleaned)

    def authorize(self, proposal):
        if not self.ledger.is_high_risk(proposal):
            return allow("allow_low_risk", "no side effect")
        if self.ledger.matching(proposal) is not None:
            return allow("allow_ledger_match", "the user's request authorises it")
        seen = f", after {self.removed} orders in what was read" if self.removed else ""
        return block("block_outside_ledger", f"the user's request authorises no such call{seen}")
