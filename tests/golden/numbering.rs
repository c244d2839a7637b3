//! The trace and the guest SDK number facts and node kinds by hand, since neither may depend on the other: the numbers are
//! the contract's.

use weir_plugin::reducer::{DATA_FLOW, fact as sdk, kind};
use weir_trace::{EdgeKind, NodeKind, fact};

#[test]
fn facts_have_the_same_bits_on_both_sides_and_those_of_the_contract() {
    macro_rules! same {
        ($($bit:literal $name:ident)*) => {
            $(assert_eq!((sdk::$name, fact::$name), (1 << $bit, 1 << $bit), stringify!($name));)*
        };
    }
    same! {
        0 UNTRUSTED_SOURCE 1 HIGH_RISK 2 AUTHORIZED 3 ATTACK 4 ALLOWED 5 BLOCKED 6 CONFIRM_ASKED 7 CONFIRM_GIVEN
        8 COMMITTED 9 UNAUTHORIZED 10 SECRET_LEAK 11 WRONG_RECIPIENT 12 MODEL_ACTION 13 INVALID_ACTION 14 REPAIRED
        15 PLUGIN_FAULT 16 CALL_ERROR 17 INVALID_TOOL 18 CARRIES_TAINT 19 NAMES_SOURCE
        20 CONTEXT_OVERFLOW
    }
}

#[test]
fn kinds_have_the_same_numbers_on_both_sides() {
    let pairs = [
        (kind::SOURCE, NodeKind::Source),
        (kind::AGENT_STATE, NodeKind::AgentState),
        (kind::MESSAGE, NodeKind::Message),
        (kind::MEMORY_RECORD, NodeKind::MemoryRecord),
        (kind::PROPOSAL, NodeKind::Proposal),
        (kind::DECISION, NodeKind::Decision),
        (kind::TOOL_RESULT, NodeKind::ToolResult),
        (kind::COMMIT, NodeKind::Commit),
        (kind::RECOVERY, NodeKind::Recovery),
    ];
    for (sdk, trace) in pairs {
        assert_eq!(sdk, trace as u8, "{trace:?}");
    }
    assert_eq!(DATA_FLOW, EdgeKind::DataFlow as u8);
}
