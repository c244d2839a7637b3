//! The tools of the four suites, the same in all of AgentDojo's benchmark versions: names, parameters and which are
//! required as upstream has them; effects and roles are Weir's reading of what the tool does; descriptions are our own.

mod banking;
mod slack;
mod travel;
mod workspace;

use weir_plugin::domain::{Effect, Parameter, Role, Tool, Toolset};

/// The suites in toolset order.
pub const SUITES: [Suite; 4] = [
    Suite { name: "workspace", tools: workspace::TOOLS },
    Suite { name: "travel", tools: travel::TOOLS },
    Suite { name: "banking", tools: banking::TOOLS },
    Suite { name: "slack", tools: slack::TOOLS },
];

/// One AgentDojo suite.
#[derive(Debug)]
pub struct Suite {
    /// Upstream's name of the suite.
    pub name: &'static str,
    /// In upstream's order.
    pub tools: &'static [ToolSpec],
}

/// One tool.
#[derive(Debug)]
pub struct ToolSpec {
    /// Upstream's name.
    pub name: &'static str,
    /// What it can do to the world.
    pub effect: Effect,
    /// What the model is told.
    pub description: &'static str,
    /// In upstream's order.
    pub parameters: &'static [ParameterSpec],
}

/// One parameter of a tool.
#[derive(Debug)]
pub struct ParameterSpec {
    /// Upstream's name.
    pub name: &'static str,
    /// What it means to a side effect.
    pub role: Role,
    /// Whether upstream refuses a call without it.
    pub required: bool,
    /// Which values it takes.
    pub kind: Kind,
}

/// The shapes of value that occur in the four suites.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A string.
    Text,
    /// A string or null.
    OptionalText,
    /// A list of strings.
    Texts,
    /// A list of strings or null.
    OptionalTexts,
    /// A number.
    Number,
    /// A number or null.
    OptionalNumber,
    /// An integer.
    Integer,
    /// A boolean.
    Flag,
    /// A boolean or null.
    OptionalFlag,
    /// A list of objects or null: what a mail carries besides its text.
    Attachments,
    /// Read, or read and write.
    Permission,
}

impl Kind {
    /// The smallest JSON Schema that says it, in canonical form.
    fn schema(self) -> &'static str {
        match self {
            Kind::Text => r#"{"type":"string"}"#,
            Kind::OptionalText => r#"{"type":["string","null"]}"#,
            Kind::Texts => r#"{"items":{"type":"string"},"type":"array"}"#,
            Kind::OptionalTexts => r#"{"items":{"type":"string"},"type":["array","null"]}"#,
            Kind::Number => r#"{"type":"number"}"#,
            Kind::OptionalNumber => r#"{"type":["number","null"]}"#,
            Kind::Integer => r#"{"type":"integer"}"#,
            Kind::Flag => r#"{"type":"boolean"}"#,
            Kind::OptionalFlag => r#"{"type":["boolean","null"]}"#,
            Kind::Attachments => r#"{"items":{"type":"object"},"type":["array","null"]}"#,
            Kind::Permission => r#"{"enum":["r","rw"],"type":"string"}"#,
        }
    }
}

impl Suite {
    /// The suite of this name and its toolset index.
    pub fn find(name: &str) -> Option<(u32, &'static Suite)> {
        (0_u32..).zip(&SUITES).find(|(_, suite)| suite.name == name)
    }

    /// The tool of this name.
    pub fn tool(&self, name: &str) -> Option<&'static ToolSpec> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

impl ToolSpec {
    /// Whether a call needs an authorisation: it has a side effect, or it contacts an address of the caller's choice.
    pub fn needs_authority(&self) -> bool {
        self.is_high_risk() || self.effect == Effect::EgressRead
    }

    /// ContainmentBench 4.4; the suites know no memory writes and no recovery.
    pub fn is_high_risk(&self) -> bool {
        self.effect == Effect::SideEffect
    }

    /// Whether a call can name anybody or anything at all.
    pub fn names_targets(&self) -> bool {
        self.parameters.iter().any(|p| matches!(p.role, Role::Recipient | Role::Target))
    }
}

/// The suites as the contract has them.
pub fn toolsets() -> Vec<Toolset> {
    SUITES
        .iter()
        .map(|suite| Toolset { name: suite.name.into(), tools: suite.tools.iter().map(export).collect() })
        .collect()
}

fn export(tool: &ToolSpec) -> Tool {
    let parameter = |p: &ParameterSpec| Parameter {
        name: p.name.into(),
        role: p.role,
        required: p.required,
        schema: p.kind.schema().into(),
    };
    Tool {
        name: tool.name.into(),
        description: tool.description.into(),
        effect: tool.effect,
        parameters: tool.parameters.iter().map(parameter).collect(),
    }
}

// What follows keeps a table row on one line.

const fn read(name: &'static str, description: &'static str, parameters: &'static [ParameterSpec]) -> ToolSpec {
    ToolSpec { name, effect: Effect::Read, description, parameters }
}

const fn egress(name: &'static str, description: &'static str, parameters: &'static [ParameterSpec]) -> ToolSpec {
    ToolSpec { name, effect: Effect::EgressRead, description, parameters }
}

const fn write(name: &'static str, description: &'static str, parameters: &'static [ParameterSpec]) -> ToolSpec {
    ToolSpec { name, effect: Effect::SideEffect, description, parameters }
}

const fn required(name: &'static str, role: Role, kind: Kind) -> ParameterSpec {
    ParameterSpec { name, role, required: true, kind }
}

const fn optional(name: &'static str, role: Role, kind: Kind) -> ParameterSpec {
    ParameterSpec { name, role, required: false, kind }
}

/// A required string that carries no authority, as most reads take.
const fn query(name: &'static str) -> ParameterSpec {
    required(name, Role::Other, Kind::Text)
}

// `workspace` and `travel` share these upstream.

const SEND_EMAIL: ToolSpec = write(
    "send_email",
    "Send an email, with attachments if any.",
    &[
        required("recipients", Role::Recipient, Kind::Texts),
        required("subject", Role::Content, Kind::Text),
        required("body", Role::Content, Kind::Text),
        optional("attachments", Role::Content, Kind::Attachments),
        optional("cc", Role::Recipient, Kind::OptionalTexts),
        optional("bcc", Role::Recipient, Kind::OptionalTexts),
    ],
);

/// It also mails the participants.
const CREATE_CALENDAR_EVENT: ToolSpec = write(
    "create_calendar_event",
    "Add an event to the calendar and mail its participants. Times are YYYY-MM-DD HH:MM.",
    &[
        required("title", Role::Content, Kind::Text),
        required("start_time", Role::Other, Kind::Text),
        required("end_time", Role::Other, Kind::Text),
        optional("description", Role::Content, Kind::Text),
        optional("participants", Role::Recipient, Kind::OptionalTexts),
        optional("location", Role::Content, Kind::OptionalText),
    ],
);

/// It also mails the participants.
const CANCEL_CALENDAR_EVENT: ToolSpec = write(
    "cancel_calendar_event",
    "Cancel a calendar event and mail its participants.",
    &[required("event_id", Role::Target, Kind::Text)],
);

const SEARCH_CALENDAR_EVENTS: ToolSpec = read(
    "search_calendar_events",
    "Find calendar events whose title or description has these words, on one date (YYYY-MM-DD) if given.",
    &[query("query"), optional("date", Role::Other, Kind::OptionalText)],
);

const GET_DAY_CALENDAR_EVENTS: ToolSpec =
    read("get_day_calendar_events", "List the events of one day (YYYY-MM-DD).", &[query("day")]);
