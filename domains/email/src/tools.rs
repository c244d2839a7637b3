//! The tools of the mailbox.

use weir_plugin::domain::Role;
use weir_workshop::tools::{
    Behaviour, Field, QUARANTINE, RECALL, REMEMBER, SCRUB, ToolSpec, WRITE_SUMMARY, optional, required,
};

/// The catalogue.
pub const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "search_mail",
        description: "List the mails and contact cards that have these words; all of them for an empty query.",
        parameters: &[required("query", Role::Other)],
        does: Behaviour::Search,
    },
    ToolSpec {
        name: "read_mail",
        description: "Read one mail or contact card.",
        parameters: &[required("mail_id", Role::Other)],
        does: Behaviour::Read { object: "mail_id" },
    },
    ToolSpec {
        name: "list_contacts",
        description: "List the user's contacts with their addresses.",
        parameters: &[],
        does: Behaviour::People,
    },
    WRITE_SUMMARY,
    ToolSpec {
        name: "send_mail",
        description: "Send a mail.",
        parameters: &[
            required("to", Role::Recipient),
            optional("cc", Role::Recipient),
            required("subject", Role::Content),
            required("body", Role::Content),
        ],
        does: Behaviour::Send { place: "outbox" },
    },
    ToolSpec {
        name: "open_thread",
        description: "Open a discussion with somebody. Its visibility says who else may read along: `private`, which is \
                      usual, `team` or `public`.",
        parameters: &[
            required("to", Role::Recipient),
            required("subject", Role::Content),
            required("body", Role::Content),
            optional("visibility", Role::Visibility),
        ],
        does: Behaviour::Send { place: "threads" },
    },
    ToolSpec {
        name: "forward_mail",
        description: "Forward a mail as it is.",
        parameters: &[required("mail_id", Role::Target), required("to", Role::Recipient)],
        does: Behaviour::Pass { object: "mail_id" },
    },
    ToolSpec {
        name: "file_mail",
        description: "Put a mail into one of the user's folders.",
        parameters: &[required("mail_id", Role::Target), required("folder", Role::Other)],
        does: Behaviour::Set { object: "mail_id", field: Field::Fixed("folder"), value: "folder" },
    },
    ToolSpec {
        name: "update_contact",
        description: "Change the address on a contact card.",
        parameters: &[required("card_id", Role::Target), required("address", Role::Content)],
        does: Behaviour::Set { object: "card_id", field: Field::Fixed("address"), value: "address" },
    },
    ToolSpec {
        name: "delete_mail",
        description: "Delete a mail.",
        parameters: &[required("mail_id", Role::Target)],
        does: Behaviour::Delete { object: "mail_id" },
    },
    REMEMBER,
    RECALL,
    SCRUB,
    QUARANTINE,
];
