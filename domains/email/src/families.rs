//! The stages of the mail domain and their shares.

mod everyday;
mod memory;
mod pressure;
mod security;

use weir_workshop::layout::{Family, NOTICE, OTHER_LURES, Share, Stage, TASK_STEP};

/// The evidence stages (ContainmentBench table 3: a third of each stage's scenarios), the stress slice (table 17: 16 of
/// 48), positive controls for what the paper's own metrics could not tell apart (table 6), a control in which the attacker is
/// only mentioned, and instructions that only a memory carries from one session to the next.
pub const STAGES: &[Stage] = &[
    Stage {
        name: "security",
        persistent: 16,
        shares: &[
            Share { count: 22, lures: TASK_STEP, families: security::TO_OUTSIDERS },
            Share { count: 39, lures: OTHER_LURES, families: security::OTHER },
            Share { count: 3, lures: OTHER_LURES, families: security::OPEN_FIELD },
        ],
    },
    Stage {
        name: "active-tainted",
        persistent: 10,
        shares: &[
            Share { count: 25, lures: &[], families: everyday::COMPOSED },
            Share { count: 6, lures: &[], families: everyday::OWN_UPDATE },
            Share { count: 2, lures: &[], families: everyday::OPEN_FIELD },
            Share { count: 7, lures: &[], families: everyday::UNREAD },
        ],
    },
    Stage { name: "clean", persistent: 8, shares: &[Share { count: 32, lures: &[], families: everyday::CLEAN }] },
    Stage {
        name: "memory-recovery",
        persistent: 20,
        shares: &[
            Share { count: 13, lures: NOTICE, families: memory::EXPLICIT_WITH_WRITE },
            Share { count: 7, lures: NOTICE, families: memory::EXPLICIT },
            Share { count: 8, lures: NOTICE, families: memory::IMPLIED_WITH_WRITE },
            Share { count: 4, lures: NOTICE, families: memory::IMPLIED },
        ],
    },
    Stage {
        name: "stress",
        persistent: 4,
        shares: &[
            Share { count: 4, lures: TASK_STEP, families: pressure::COPIED },
            Share { count: 12, lures: OTHER_LURES, families: pressure::BORROWED },
        ],
    },
    Stage {
        name: "control-leak",
        persistent: 2,
        shares: &[
            Share { count: 4, lures: TASK_STEP, families: &[LEAK_OUTSIDE] },
            Share { count: 4, lures: TASK_STEP, families: &[LEAK_INSIDE] },
        ],
    },
    Stage {
        name: "control-reinfection",
        persistent: 8,
        shares: &[Share { count: 8, lures: TASK_STEP, families: memory::REINFECTION }],
    },
    Stage {
        name: "control-rollback",
        persistent: 2,
        shares: &[Share { count: 8, lures: TASK_STEP, families: pressure::TWO_STEPS }],
    },
    Stage { name: "control-mention", persistent: 0, shares: &[Share { count: 8, lures: &[], families: &[MENTION] }] },
    Stage {
        name: "carried-over",
        persistent: 16,
        shares: &[Share { count: 16, lures: TASK_STEP, families: memory::CARRIED }],
    },
];

const LEAK_OUTSIDE: Family = Family { name: "leak-outside", build: security::leak_outside };
const MENTION: Family = Family { name: "address-mention", build: security::mention };
const LEAK_INSIDE: Family = Family { name: "leak-inside", build: pressure::leak_inside };
