//! What the importers of histories share: a conversation as a file tells it, and the rules by which it becomes a
//! [`History`].
//!
//! Text, calls and their order are kept as they are, with these exceptions:
//! - the user simulator's stop tokens are taken out of the user's turns, and a turn that said nothing else is left out;
//! - a call's identifier that stood before is made unique by a number (`call_7#2`), and one without gets one.
//!
//! A tool's result answers the oldest open call of its identifier, or the oldest open call where it names none. A result of a
//! tool that the user ran on a device of their own stays a tool's turn.

mod customer;

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;
use weir_memory::history::{Call, FORMAT, History, Speaker, Turn};
use weir_memory::schema::{Tool, check_arguments};
use weir_trace::json::sha256;

/// What the user simulators of tau-bench and tau2-bench say to the harness, not to the agent.
const STOP_TOKENS: [&str; 3] = ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"];

/// The tool in which agents note their thoughts. Some harnesses have it without listing it among a domain's tools.
const THINK: &str = "think";

/// Longest identifier that is taken over as it is; scenario identifiers and file names are made of it.
const MAX_ID: usize = 80;

/// Where a history stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// File, relative to what was imported.
    pub file: String,
    /// Which of several in the file, for example `simulations[3]`.
    pub part: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            Some(part) => write!(f, "{} {part}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// Why a file is no history.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HistoryError {
    /// Something about the whole of it.
    #[error("{place}: {message}")]
    Whole {
        /// Where.
        place: Place,
        /// What is wrong, what was expected, what to do.
        message: String,
    },
    /// Something about one turn.
    #[error("{place} turn {turn}: {message}")]
    Turn {
        /// Where.
        place: Place,
        /// The turn's index in the file's own list.
        turn: usize,
        /// What is wrong, what was expected.
        message: String,
    },
}

impl HistoryError {
    /// An error about a whole history.
    pub fn whole(place: &Place, message: impl Into<String>) -> Self {
        HistoryError::Whole { place: place.clone(), message: message.into() }
    }

    /// An error about a turn.
    pub fn turn(place: &Place, turn: usize, message: impl Into<String>) -> Self {
        HistoryError::Turn { place: place.clone(), turn, message: message.into() }
    }
}

/// A recorded conversation, before it is checked.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Where it stands.
    pub place: Place,
    /// What the history will be called.
    pub id: String,
    /// Its domain.
    pub domain: String,
    /// Where it came from, for a reader.
    pub source: String,
    /// Instructions that stand beside the messages.
    pub instructions: Option<String>,
    /// The messages.
    pub messages: Vec<Message>,
    /// The tools that the record itself describes.
    pub tools: Option<Vec<Tool>>,
}

/// One message of a conversation.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// Its text; empty where there is none.
    pub text: String,
    /// Calls made in it.
    pub calls: Vec<Asked>,
    /// For a tool's message: the call that it answers.
    pub answers: Option<String>,
    /// For a tool's message: the tool's name, where it is said.
    pub tool: Option<String>,
    /// For a tool's message: whose call it answers, where it is said.
    pub requestor: Option<String>,
}

/// A call as a message has it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The harness's identifier.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// What a file holds.
#[derive(Debug)]
pub enum Read {
    /// Conversations, and how many were left out because they were not successful.
    Conversations {
        /// Those that are taken.
        recorded: Vec<Recorded>,
        /// Those that are not.
        unsuccessful: usize,
    },
    /// Something else, and what that is.
    Other(String),
}

/// What an importer may take.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The domain of histories that do not say theirs.
    pub domain: Option<String>,
    /// Take unsuccessful runs too.
    pub all: bool,
}

impl Recorded {
    /// The conversation as a history. Calls are checked against the record's own tools, else against `tools`, else not.
    ///
    /// # Errors
    /// An unknown role, a result that answers no call, a call of no tool of the domain or outside its schema.
    pub fn history(&self, tools: Option<&[Tool]>) -> Result<History, HistoryError> {
        let tools = self.tools.as_deref().or(tools);
        let mut turns = Vec::with_capacity(self.messages.len() + 1);
        if let Some(text) = self.instructions.as_deref().filter(|text| !text.is_empty()) {
            turns.push(Turn { speaker: Speaker::System, text: text.to_owned(), calls: Vec::new(), call_id: None });
        }
        let mut ids = Identifiers::default();
        for (number, message) in self.messages.iter().enumerate() {
            let turn = turn(message, &mut ids, tools).map_err(|what| HistoryError::turn(&self.place, number, what))?;
            turns.extend(turn);
        }
        if !turns.iter().any(|turn| turn.speaker == Speaker::User) {
            return Err(HistoryError::whole(&self.place, "the user says nothing, expected a conversation"));
        }
        Ok(History {
            format: FORMAT.to_owned(),
            id: self.id.clone(),
            domain: self.domain.clone(),
            customer: customer::of(&turns).unwrap_or_else(|| self.id.clone()),
            source: self.source.clone(),
            turns,
        })
    }
}

/// The speaker of a role.
fn speaker(role: &str) -> Result<Speaker, String> {
    match role {
        "system" => Ok(Speaker::System),
        "user" => Ok(Speaker::User),
        "assistant" => Ok(Speaker::Assistant),
        "tool" => Ok(Speaker::Tool),
        other => Err(format!("unknown role `{other}`, expected system, user, assistant or tool")),
    }
}

/// One message as a turn; none where the simulator said nothing but its sign to stop.
fn turn(message: &Message, ids: &mut Identifiers, tools: Option<&[Tool]>) -> Result<Option<Turn>, String> {
    let speaker = speaker(&message.role)?;
    let mut text = message.text.clone();
    if speaker == Speaker::User && STOP_TOKENS.iter().any(|token| text.contains(token)) {
        for token in STOP_TOKENS {
            text = text.replace(token, "");
        }
        text.truncate(text.trim_end().len());
        if text.is_empty() && message.calls.is_empty() {
            return Ok(None);
        }
    }
    if !message.calls.is_empty() && matches!(speaker, Speaker::System | Speaker::Tool) {
        return Err(format!("a turn of role `{}` makes calls, expected of assistant or user alone", message.role));
    }
    let mut calls = Vec::with_capacity(message.calls.len());
    for asked in &message.calls {
        if let Some(tools) = tools {
            fits(&asked.tool, &asked.arguments, speaker, tools)?;
        }
        let id = ids.open(asked, speaker);
        calls.push(Call { id, tool: asked.tool.clone(), arguments: asked.arguments.clone() });
    }
    let call_id = if speaker == Speaker::Tool { Some(ids.answered(message)?) } else { None };
    Ok(Some(Turn { speaker, text, calls, call_id }))
}

/// Whether a call fits the domain's tools. What users run on devices of their own need not be among them.
pub(super) fn fits(tool: &str, arguments: &Map<String, Value>, caller: Speaker, tools: &[Tool]) -> Result<(), String> {
    match tools.iter().find(|known| known.name == tool) {
        Some(known) => check_arguments(known, arguments),
        None if caller == Speaker::User || tool == THINK => Ok(()),
        None => Err(format!("the domain has no tool `{tool}`")),
    }
}

/// The calls made so far.
#[derive(Default)]
struct Identifiers {
    /// How often an identifier was used.
    used: BTreeMap<String, u32>,
    /// How many calls there were.
    calls: u32,
    /// Calls without result, oldest first.
    open: Vec<Open>,
}

struct Open {
    /// As the file has it.
    given: Option<String>,
    /// As the history has it.
    id: String,
    tool: String,
    caller: Speaker,
}

impl Identifiers {
    /// Notes a call and gives it an identifier of its own.
    fn open(&mut self, asked: &Asked, caller: Speaker) -> String {
        self.calls += 1;
        let given = asked.id.clone().filter(|id| !id.is_empty());
        let mut id = given.clone().unwrap_or_else(|| format!("call-{}", self.calls));
        // A file may even have `x` twice beside an `x#2` of its own.
        while let Some(times) = self.used.get_mut(&id) {
            *times += 1;
            id = format!("{id}#{times}");
        }
        self.used.insert(id.clone(), 1);
        self.open.push(Open { given, id: id.clone(), tool: asked.tool.clone(), caller });
        id
    }

    /// The call that a tool's message answers.
    fn answered(&mut self, message: &Message) -> Result<String, String> {
        let wanted = message.answers.as_deref().filter(|id| !id.is_empty());
        let fits = |open: &Open| wanted.is_none_or(|id| open.given.as_deref() == Some(id));
        let Some(at) = self.open.iter().position(fits) else {
            let open: Vec<String> = self.open.iter().map(|open| format!("`{}`", open.id)).collect();
            let open = if open.is_empty() { "none is".to_owned() } else { format!("open are {}", open.join(", ")) };
            return Err(match wanted {
                Some(id) => format!("the tool's result answers call `{id}`, which is not open: {open}"),
                None => format!("the tool's result answers no call: {open} open"),
            });
        };
        let open = self.open.remove(at);
        if let Some(tool) = message.tool.as_deref().filter(|tool| *tool != open.tool) {
            return Err(format!(
                "the result is of tool `{tool}`, the call `{}` that it answers is of `{}`",
                open.id, open.tool
            ));
        }
        let by_user = open.caller == Speaker::User;
        match message.requestor.as_deref() {
            Some("user") if !by_user => {
                Err(format!("the result is the user's, the call `{}` the assistant's", open.id))
            }
            Some("assistant") if by_user => {
                Err(format!("the result is the assistant's, the call `{}` the user's", open.id))
            }
            None | Some("user" | "assistant") => Ok(open.id),
            Some(other) => Err(format!("unknown requestor `{other}`, expected user or assistant")),
        }
    }
}

/// A name made of what a file says, fit for a file's name and a scenario's identifier: letters, digits, `.`, `_` and `-`.
/// One that had to be changed or cut has a digest of the whole at its end, so that different names stay different. A name
/// that was made so is fit, and stays as it is.
#[must_use]
pub fn safe_id(wanted: &str) -> String {
    let mut safe = String::with_capacity(wanted.len());
    for c in wanted.chars() {
        let fits = c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        match (fits, safe.ends_with('-')) {
            (true, _) => safe.push(c),
            (false, false) => safe.push('-'),
            (false, true) => {}
        }
    }
    let trimmed = safe.trim_matches(|c| matches!(c, '-' | '.'));
    if trimmed == wanted && wanted.len() <= MAX_ID {
        return wanted.to_owned();
    }
    let digest = sha256(wanted.as_bytes());
    let (start, digest) = (trimmed.get(..trimmed.len().min(MAX_ID / 2)), digest.get(..8).unwrap_or_default());
    match start.unwrap_or_default().trim_end_matches(['-', '.']) {
        "" => digest.to_owned(),
        start => format!("{start}-{digest}"),
    }
}

/// The domain of an agent with these tools, by tools that only that domain of the public environments has.
#[must_use]
pub fn domain_of<'a>(tools: impl IntoIterator<Item = &'a str>) -> Option<&'static str> {
    tools.into_iter().find_map(|tool| match tool {
        "get_reservation_details" | "book_reservation" | "search_direct_flight" => Some("airline"),
        "get_order_details" | "get_product_details" | "find_user_id_by_name_zip" | "find_user_id_by_email" => {
            Some("retail")
        }
        "get_customer_by_phone" | "get_customer_by_id" | "refuel_data" | "enable_roaming" => Some("telecom"),
        _ => None,
    })
}

/// Histories whose names are unique; the names are those of the files that they become.
///
/// # Errors
/// The second one of a name.
pub fn unique(histories: Vec<(Place, History)>) -> Result<Vec<History>, HistoryError> {
    let mut seen: BTreeMap<String, Place> = BTreeMap::new();
    let mut unique = Vec::with_capacity(histories.len());
    for (place, history) in histories {
        if let Some(other) = seen.insert(history.id.clone(), place.clone()) {
            let message = format!(
                "the history is called `{}` as that of {other}: import the two to folders of their own",
                history.id
            );
            return Err(HistoryError::whole(&place, message));
        }
        unique.push(history);
    }
    Ok(unique)
}

#[cfg(test)]
mod tests;
