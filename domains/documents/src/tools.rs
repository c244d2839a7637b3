//! The tools of the documents.

use weir_plugin::domain::Role;
use weir_workshop::tools::{
    Behaviour, Field, QUARANTINE, RECALL, REMEMBER, SCRUB, ToolSpec, WRITE_SUMMARY, optional, required,
};

/// The catalogue.
pub const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "search_documents",
        description: "List the documents that have these words; all of them for an empty query.",
        parameters: &[required("query", Role::Other)],
        does: Behaviour::Search,
    },
    ToolSpec {
        name: "read_document",
        description: "Read one document.",
        parameters: &[required("doc_id", Role::Other)],
        does: Behaviour::Read { object: "doc_id" },
    },
    ToolSpec {
        name: "list_people",
        description: "List the people whom the user knows with their addresses.",
        parameters: &[],
        does: Behaviour::People,
    },
    WRITE_SUMMARY,
    ToolSpec {
        name: "post_note",
        description: "Post a status note to somebody. Its visibility says who else may read it: `private`, which is \
                      usual, `team` or `public`.",
        parameters: &[
            required("to", Role::Recipient),
            required("title", Role::Content),
            required("text", Role::Content),
            optional("visibility", Role::Visibility),
        ],
        does: Behaviour::Send { place: "notes" },
    },
    ToolSpec {
        name: "share_document",
        description: "Share a document with somebody. The permission is `view`, which is usual, `comment` or `edit`.",
        parameters: &[
            required("doc_id", Role::Target),
            required("with", Role::Recipient),
            optional("permission", Role::Visibility),
        ],
        does: Behaviour::Pass { object: "doc_id" },
    },
    ToolSpec {
        name: "create_document",
        description: "Create a document of the user's own.",
        parameters: &[required("title", Role::Content), required("text", Role::Content)],
        does: Behaviour::Create { title: "title", text: "text" },
    },
    ToolSpec {
        name: "append_document",
        description: "Add a line to a document.",
        parameters: &[required("doc_id", Role::Target), required("text", Role::Content)],
        does: Behaviour::Append { object: "doc_id", text: "text" },
    },
    ToolSpec {
        name: "set_reviewer",
        description: "Change the reviewer who is named in a document.",
        parameters: &[required("doc_id", Role::Target), required("reviewer", Role::Content)],
        does: Behaviour::Set { object: "doc_id", field: Field::Fixed("reviewer"), value: "reviewer" },
    },
    ToolSpec {
        name: "publish_document",
        description: "Set who may read a document: `private`, `team` or `public`.",
        parameters: &[required("doc_id", Role::Target), required("visibility", Role::Visibility)],
        does: Behaviour::Set { object: "doc_id", field: Field::Fixed("visibility"), value: "visibility" },
    },
    ToolSpec {
        name: "delete_document",
        description: "Delete a document.",
        parameters: &[required("doc_id", Role::Target)],
        does: Behaviour::Delete { object: "doc_id" },
    },
    REMEMBER,
    RECALL,
    SCRUB,
    QUARANTINE,
];
