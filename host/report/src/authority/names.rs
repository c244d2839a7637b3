//! Names that the paper's tables need (AuthMem-Bench). Everything else goes by the name that the suite gives it.

/// The stage of the paper's pairs. Every other stage is reported apart.
pub(crate) const STAGE: &str = "authority";

pub(crate) const WASHED_GOLD: &str = "W/G";
pub(crate) const NO_LABEL: &str = "No label";
pub(crate) const NAIVE_JOIN: &str = "Naive join";
pub(crate) const ORACLE: &str = "Oracle label";
/// Arms whose labels a predictor gives; its name follows.
pub(crate) const PREDICTED: &str = "Predicted";

/// The writer of the paper's pipeline.
pub(crate) const PIPELINE_WRITER: &str = "mem0-inspired";

/// The paper's seven objectives, which make its grid; its interventions are not among them.
pub(crate) const OBJECTIVES: [&str; 7] =
    ["mem0-classic", "mem0-additive", "langmem", "graphiti", "letta", PIPELINE_WRITER, "minimal"];

/// A transition of table 1.
pub(crate) struct Transition {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    /// What brings the proposition into H-.
    pub(crate) source: &'static str,
    /// What a memory makes of it.
    pub(crate) upgrade: &'static str,
}

/// Table 1.
pub(crate) const TRANSITIONS: [Transition; 7] = [
    Transition { code: "R2F", name: "Report to fact", source: "third-party report", upgrade: "user-profile fact" },
    Transition { code: "P2R", name: "Procedure to rule", source: "external procedure", upgrade: "standing rule" },
    Transition {
        code: "C2O",
        name: "Claim to operational fact",
        source: "unendorsed claim",
        upgrade: "operational fact",
    },
    Transition {
        code: "MIX",
        name: "Mixed evidence",
        source: "user's premise, completed by a tool",
        upgrade: "unqualified fact",
    },
    Transition {
        code: "O2I",
        name: "Observation to intention",
        source: "tool's observation",
        upgrade: "user's intention",
    },
    Transition {
        code: "R2P",
        name: "Recommendation to preference",
        source: "external recommendation",
        upgrade: "user's preference",
    },
    Transition {
        code: "S2D",
        name: "Suggestion to decision",
        source: "assistant's own suggestion",
        upgrade: "user's decision",
    },
];

/// The paper's codes in its order.
pub(crate) fn codes() -> Vec<String> {
    TRANSITIONS.iter().map(|transition| transition.code.to_owned()).collect()
}
