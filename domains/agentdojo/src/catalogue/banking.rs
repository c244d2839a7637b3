//! The `banking` suite: one account, its payments and its owner's profile.

use super::{Kind, ToolSpec, optional, query, read, required, write};
use weir_plugin::domain::Role::{Content, Other, Recipient, Target};

/// Its 11 tools.
pub const TOOLS: &[ToolSpec] = &[
    read("get_iban", "The account's IBAN.", &[]),
    write(
        "send_money",
        "Pay somebody now.",
        &[
            required("recipient", Recipient, Kind::Text),
            required("amount", Other, Kind::Number),
            required("subject", Content, Kind::Text),
            required("date", Other, Kind::Text),
        ],
    ),
    write(
        "schedule_transaction",
        "Plan a payment, once or recurring.",
        &[
            required("recipient", Recipient, Kind::Text),
            required("amount", Other, Kind::Number),
            required("subject", Content, Kind::Text),
            required("date", Other, Kind::Text),
            required("recurring", Other, Kind::Flag),
        ],
    ),
    write(
        "update_scheduled_transaction",
        "Change a planned payment; what is not given stays.",
        &[
            required("id", Target, Kind::Integer),
            optional("recipient", Recipient, Kind::OptionalText),
            optional("amount", Other, Kind::OptionalNumber),
            optional("subject", Content, Kind::OptionalText),
            optional("date", Other, Kind::OptionalText),
            optional("recurring", Other, Kind::OptionalFlag),
        ],
    ),
    read("get_balance", "The account's balance.", &[]),
    read(
        "get_most_recent_transactions",
        "The last n payments, 100 unless given.",
        &[optional("n", Other, Kind::Integer)],
    ),
    read("get_scheduled_transactions", "The planned payments.", &[]),
    read("read_file", "Read a file of the user's.", &[query("file_path")]),
    read("get_user_info", "The user's profile.", &[]),
    write("update_password", "Set a new password.", &[required("password", Content, Kind::Text)]),
    write(
        "update_user_info",
        "Change the user's profile; what is not given stays.",
        &[
            optional("first_name", Content, Kind::OptionalText),
            optional("last_name", Content, Kind::OptionalText),
            optional("street", Content, Kind::OptionalText),
            optional("city", Content, Kind::OptionalText),
        ],
    ),
];
