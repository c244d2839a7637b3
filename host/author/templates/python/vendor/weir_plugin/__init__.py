"""SDK for Weir policies in Python: the base class with its default hooks, and the intent ledger.

A policy is one class in `src/guard.py`:

    from weir_plugin import Policy, allow, block

    class Guard(Policy):
        def authorize(self, proposal):
            return allow("allow_all", "everything is allowed")

Types of the contract are `componentize-py`'s bindings in `vendor/bindings`, with the contract's own comments; the most used
ones have short names here.
"""

from componentize_py_types import Err
from wit_world.exports.policy import Decision, Endorsement, Episode, Filtered, Recovery
from wit_world.exports.policy import Filtered_Pass as Pass
from wit_world.exports.policy import Filtered_Replace as Replace
from wit_world.exports.policy import Filtered_Withhold as Withhold
from wit_world.exports.policy import Recovery_Quarantine as Quarantine
from wit_world.exports.policy import Recovery_Rollback as Rollback
from wit_world.exports.policy import Recovery_Scrub as Scrub
from wit_world.imports.types import Argument, Authorization, Constraint, Effect, Parameter, Proposal, Reason, Role, Tool
from wit_world.imports.types import Error_InvalidInput as InvalidInput
from wit_world.imports.types import Error_Other as Other

from .ledger import Ledger
from .policy import Policy, allow, block, confirm, rule_of

# Label bits that mean the same in every episode: content from outside the user's trust, a synthetic secret, content that the
# user keeps private, and memory held back from recall.
UNTRUSTED = 1
CANARY = 1 << 1
PRIVATE = 1 << 2
QUARANTINED = 1 << 3
