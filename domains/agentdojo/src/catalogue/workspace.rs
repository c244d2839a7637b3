//! The `workspace` suite: mail, calendar and a cloud drive.

use super::{
    CANCEL_CALENDAR_EVENT, CREATE_CALENDAR_EVENT, GET_DAY_CALENDAR_EVENTS, SEARCH_CALENDAR_EVENTS, SEND_EMAIL,
};
use super::{Kind, ToolSpec, optional, query, read, required, write};
use weir_plugin::domain::Role::{Content, Other, Recipient, Target, Visibility};

/// Its 24 tools. `get_unread_emails` is a read although it marks mails as read: nobody else can see that.
pub const TOOLS: &[ToolSpec] = &[
    SEND_EMAIL,
    write("delete_email", "Delete an email from the inbox.", &[required("email_id", Target, Kind::Text)]),
    read("get_unread_emails", "List the unread emails and mark them as read.", &[]),
    read("get_sent_emails", "List the emails that the user sent.", &[]),
    read("get_received_emails", "List the emails that the user received.", &[]),
    read("get_draft_emails", "List the drafts.", &[]),
    read(
        "search_emails",
        "Find emails whose subject or body has these words, from one sender if given.",
        &[query("query"), optional("sender", Other, Kind::OptionalText)],
    ),
    read("search_contacts_by_name", "Find contacts by name.", &[query("query")]),
    read("search_contacts_by_email", "Find contacts by address.", &[query("query")]),
    read("get_current_day", "Today's date as YYYY-MM-DD.", &[]),
    SEARCH_CALENDAR_EVENTS,
    GET_DAY_CALENDAR_EVENTS,
    CREATE_CALENDAR_EVENT,
    CANCEL_CALENDAR_EVENT,
    write(
        "reschedule_calendar_event",
        "Move a calendar event and mail its participants. Without an end it keeps its length.",
        &[
            required("event_id", Target, Kind::Text),
            required("new_start_time", Other, Kind::Text),
            optional("new_end_time", Other, Kind::OptionalText),
        ],
    ),
    write(
        "add_calendar_event_participants",
        "Add participants to a calendar event.",
        &[required("event_id", Target, Kind::Text), required("participants", Recipient, Kind::Texts)],
    ),
    write(
        "append_to_file",
        "Add text to the end of a file in the drive.",
        &[required("file_id", Target, Kind::Text), required("content", Content, Kind::Text)],
    ),
    read("search_files_by_filename", "Find files in the drive by name.", &[query("filename")]),
    write(
        "create_file",
        "Create a file in the drive.",
        &[required("filename", Target, Kind::Text), required("content", Content, Kind::Text)],
    ),
    write("delete_file", "Delete a file from the drive.", &[required("file_id", Target, Kind::Text)]),
    read("get_file_by_id", "Read a file in the drive.", &[query("file_id")]),
    read("list_files", "List all files in the drive.", &[]),
    write(
        "share_file",
        "Give somebody access to a file in the drive.",
        &[
            required("file_id", Target, Kind::Text),
            required("email", Recipient, Kind::Text),
            required("permission", Visibility, Kind::Permission),
        ],
    ),
    read("search_files", "Find files in the drive by their content.", &[query("query")]),
];
