//! Names that the paper's tables need: stages, policies and metrics of ContainmentBench, and how it prints them.

/// The four evidence stages of the full-scale run (table 3), in its order, with the names that it prints.
pub(crate) const STAGES: [(&str, &str); 4] =
    [(SECURITY, "Security"), (MEMORY, "Memory/recovery"), (ACTIVE, "Active-tainted utility"), (CLEAN, "Clean utility")];
pub(crate) const SECURITY: &str = "security";
pub(crate) const MEMORY: &str = "memory-recovery";
pub(crate) const ACTIVE: &str = "active-tainted";
pub(crate) const CLEAN: &str = "clean";
pub(crate) const STRESS: &str = "stress";
pub(crate) const CARRIED: &str = "carried-over";

pub(crate) const NONE: &str = "none";
pub(crate) const TOOL_BOUNDARY: &str = "tool-boundary";
pub(crate) const V1: &str = "taint-only";
pub(crate) const V2: &str = "intent-ledger";
pub(crate) const ROLLBACK: &str = "rollback";

/// What a stage's policies are ranked by: its endpoint (table 6), or what a positive control is a control for.
pub(crate) fn primary(stage: &str) -> &'static str {
    match stage {
        ACTIVE => COMPLETION,
        CLEAN => CLEAN_COMPLETION,
        MEMORY | "control-rollback" => RECOVERY,
        "control-leak" => LEAK,
        "control-reinfection" => REINFECTION,
        _ => HARM,
    }
}

/// The work of a stage.
pub(crate) fn completion(stage: &str) -> &'static str {
    match stage {
        ACTIVE => COMPLETION,
        CLEAN => CLEAN_COMPLETION,
        MEMORY => RECOVERY,
        _ => BENIGN,
    }
}

/// The domains that stand for those of the full-scale run: mail, documents, and a calendar with customers.
pub(crate) const DOMAINS: [&str; 3] = ["email", "documents", "crm"];

/// The seven methods of table 8.
const POLICIES: [(&str, &str); 7] = [
    (NONE, "None"),
    ("prompt-only", "Prompt-only"),
    ("structured-guard", "Structured guard"),
    (TOOL_BOUNDARY, "Tool-boundary"),
    (V1, "Taint-only v1"),
    (V2, "Intent-ledger v2"),
    (ROLLBACK, "Rollback v2"),
];

/// A policy as the paper prints it; any other by its own name.
pub(crate) fn policy(name: &str) -> &str {
    POLICIES.iter().find(|(known, _)| *known == name).map_or(name, |(_, printed)| printed)
}

/// Whether the paper evaluates a policy of this name.
pub(crate) fn is_published(name: &str) -> bool {
    POLICIES.iter().any(|(known, _)| *known == name)
}

/// A stage as the paper prints it; any other by its own name.
pub(crate) fn stage(name: &str) -> &str {
    STAGES.iter().find(|(known, _)| *known == name).map_or(name, |(_, printed)| printed)
}

pub(crate) const HARM: &str = "committed_harm";
pub(crate) const LEAK: &str = "secret_leakage";
pub(crate) const RECIPIENT: &str = "wrong_recipient_rate";
pub(crate) const ATTEMPT: &str = "harm_attempt";
pub(crate) const SPREAD: &str = "blast_radius_norm";
pub(crate) const TAINTED: &str = "blast_radius_raw";
pub(crate) const REACHABLE: &str = "reachable_nodes";
pub(crate) const COMPLETION: &str = "authorized_tainted_action_success";
pub(crate) const COMPLETION_RATIO: &str = "authorized_tainted_action_ratio";
pub(crate) const COMPLETION_APPLICABLE: &str = "authorized_tainted_action_applicable";
pub(crate) const CLEAN_COMPLETION: &str = "clean_benign_completion";
pub(crate) const BENIGN: &str = "benign_completion";
pub(crate) const FP_BLOCK: &str = "false_positive_block_rate";
pub(crate) const FP_CONFIRM: &str = "false_positive_confirm_rate";
pub(crate) const RECOVERY: &str = "recovery_success";
pub(crate) const NOT_CONFIRMED: &str = "confirmation_not_committed";
pub(crate) const PARSE_FAILURE: &str = "parse_failure_rate";
pub(crate) const OVERFLOW: &str = "context_overflow";
pub(crate) const REINFECTION: &str = "memory_reinfection";
pub(crate) const ROLLBACKS: &str = "rollback_events";
pub(crate) const TARGET: &str = "target_path_success";
pub(crate) const LABEL_SURVIVAL: &str = "label_survival";
pub(crate) const SOURCE_SURVIVAL: &str = "source_survival";

/// Metrics that are yes or no for each rollout.
const INDICATORS: [&str; 15] = [
    HARM,
    "unauthorized_action",
    LEAK,
    RECIPIENT,
    ATTEMPT,
    "privilege_jump_rate",
    COMPLETION,
    COMPLETION_APPLICABLE,
    CLEAN_COMPLETION,
    BENIGN,
    RECOVERY,
    REINFECTION,
    TARGET,
    "off_target_harm",
    "false_positive_block_any",
];

/// Metrics that count, without an upper end.
const COUNTS: [&str; 15] = [
    TAINTED,
    "br_agent",
    "br_message",
    "br_memory",
    "br_tool",
    "br_side_effect",
    "cascade_depth",
    "confirmation_burden",
    "confirmation_not_committed",
    "plugin_faults",
    "false_positive_blocks",
    "false_positive_confirms",
    "tainted_memory_writes",
    ROLLBACKS,
    REACHABLE,
];

/// What should not happen, so that a low value is read as safety; each at most 1 for a rollout.
const SAFETY: [&str; 7] = [HARM, "unauthorized_action", LEAK, RECIPIENT, ATTEMPT, REINFECTION, SPREAD];

/// Whether a metric is about memory writers, without which it applies nowhere.
pub(crate) fn needs_writers(metric: &str) -> bool {
    [LABEL_SURVIVAL, SOURCE_SURVIVAL].contains(&metric)
}

/// Whether a metric's low values are read as safety.
pub(crate) fn is_safety(metric: &str) -> bool {
    SAFETY.contains(&metric)
}

/// Whether a metric is yes or no for each rollout.
pub(crate) fn is_indicator(metric: &str) -> bool {
    INDICATORS.contains(&metric) || metric == "false_positive_confirm_any"
}

/// Whether a metric counts, without an upper end.
pub(crate) fn is_count(metric: &str) -> bool {
    COUNTS.contains(&metric)
}
