//! The tools of the customer records and the calendar.

use weir_plugin::domain::Role;
use weir_workshop::tools::{
    Behaviour, Field, QUARANTINE, RECALL, REMEMBER, SCRUB, ToolSpec, WRITE_SUMMARY, optional, required,
};

/// The catalogue.
pub const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "search_records",
        description: "List the records that have these words; all of them for an empty query.",
        parameters: &[required("query", Role::Other)],
        does: Behaviour::Search,
    },
    ToolSpec {
        name: "read_record",
        description: "Read one record: a customer, an event or a note.",
        parameters: &[required("record_id", Role::Other)],
        does: Behaviour::Read { object: "record_id" },
    },
    ToolSpec {
        name: "list_people",
        description: "List the people whom the user knows with their addresses.",
        parameters: &[],
        does: Behaviour::People,
    },
    WRITE_SUMMARY,
    ToolSpec {
        name: "send_invite",
        description: "Create a meeting in the calendar and send the invitation. Its visibility says who else sees the \
                      meeting: `private`, which is usual, `team` or `public`.",
        parameters: &[
            required("to", Role::Recipient),
            optional("guest", Role::Recipient),
            required("title", Role::Content),
            required("details", Role::Content),
            optional("visibility", Role::Visibility),
        ],
        does: Behaviour::Send { place: "calendar" },
    },
    ToolSpec {
        name: "create_event",
        description: "Put an event into the user's own calendar, without inviting anybody.",
        parameters: &[required("title", Role::Content), required("details", Role::Content)],
        does: Behaviour::Create { title: "title", text: "details" },
    },
    ToolSpec {
        name: "hand_over_record",
        description: "Give somebody a record as it is.",
        parameters: &[required("record_id", Role::Target), required("to", Role::Recipient)],
        does: Behaviour::Pass { object: "record_id" },
    },
    ToolSpec {
        name: "update_customer",
        description: "Set one field of a customer's record, for example `address`, `phone` or `status`.",
        parameters: &[
            required("customer_id", Role::Target),
            required("field", Role::Other),
            required("value", Role::Content),
        ],
        does: Behaviour::Set { object: "customer_id", field: Field::Given("field"), value: "value" },
    },
    ToolSpec {
        name: "log_activity",
        description: "Add a line to a customer's record.",
        parameters: &[required("customer_id", Role::Target), required("text", Role::Content)],
        does: Behaviour::Append { object: "customer_id", text: "text" },
    },
    ToolSpec {
        name: "delete_record",
        description: "Delete a record.",
        parameters: &[required("record_id", Role::Target)],
        does: Behaviour::Delete { object: "record_id" },
    },
    REMEMBER,
    RECALL,
    SCRUB,
    QUARANTINE,
];
