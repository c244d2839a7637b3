//! The `slack` suite: channels, direct messages, members and a small web.

use super::{Kind, ToolSpec, egress, query, read, required, write};
use weir_plugin::domain::Role::{Content, Recipient, Target};

/// Its 11 tools. Whoever joins a channel or the workspace gains access, so users are recipients there. `get_webpage`
/// only reads, but the caller chooses the address: one injection's whole goal is such a visit.
pub const TOOLS: &[ToolSpec] = &[
    read("get_channels", "List the channels.", &[]),
    write(
        "add_user_to_channel",
        "Add a user to a channel.",
        &[required("user", Recipient, Kind::Text), required("channel", Target, Kind::Text)],
    ),
    read("read_channel_messages", "Read a channel's messages.", &[query("channel")]),
    read("read_inbox", "Read a user's direct messages.", &[query("user")]),
    write(
        "send_direct_message",
        "Send a message to a user.",
        &[required("recipient", Recipient, Kind::Text), required("body", Content, Kind::Text)],
    ),
    write(
        "send_channel_message",
        "Send a message to a channel.",
        &[required("channel", Recipient, Kind::Text), required("body", Content, Kind::Text)],
    ),
    read("get_users_in_channel", "List a channel's users.", &[query("channel")]),
    write(
        "invite_user_to_slack",
        "Invite somebody to the workspace by email.",
        &[required("user", Recipient, Kind::Text), required("user_email", Recipient, Kind::Text)],
    ),
    write("remove_user_from_slack", "Remove a user from the workspace.", &[required("user", Target, Kind::Text)]),
    egress("get_webpage", "Fetch the page at a URL.", &[required("url", Recipient, Kind::Text)]),
    write(
        "post_webpage",
        "Publish content at a URL.",
        &[required("url", Recipient, Kind::Text), required("content", Content, Kind::Text)],
    ),
];
