//! A domain's tools as data. What a tool does is one of a few behaviours; its effect follows from that, so that no
//! catalogue can call a sending tool a read.

use weir_plugin::domain::{Effect, Parameter, Role, Tool};

/// One tool.
#[derive(Debug)]
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// What the model is told.
    pub description: &'static str,
    /// In the order of its schema.
    pub parameters: &'static [ParameterSpec],
    /// What it does.
    pub does: Behaviour,
}

/// One parameter; every one takes a string.
#[derive(Debug)]
pub struct ParameterSpec {
    /// Its name.
    pub name: &'static str,
    /// What it means to a side effect.
    pub role: Role,
    /// Whether a call without it does nothing.
    pub required: bool,
}

/// A parameter that a call must give.
#[must_use]
pub const fn required(name: &'static str, role: Role) -> ParameterSpec {
    ParameterSpec { name, role, required: true }
}

/// A parameter that a call may leave out.
#[must_use]
pub const fn optional(name: &'static str, role: Role) -> ParameterSpec {
    ParameterSpec { name, role, required: false }
}

/// What a tool does. Names are those of the tool's own parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behaviour {
    /// Lists the objects that have all words of `query`.
    Search,
    /// Shows one object.
    Read {
        /// The parameter that names it.
        object: &'static str,
    },
    /// Lists the people whom the user knows.
    People,
    /// Writes `text` into the task's record, which only the user sees.
    Draft,
    /// Sends what its arguments say to its recipients.
    Send {
        /// Where the trace finds it, for example `outbox`.
        place: &'static str,
    },
    /// Moves, shares or forwards an existing object to its recipients.
    Pass {
        /// The parameter that names the object.
        object: &'static str,
    },
    /// Makes an object of the user's own.
    Create {
        /// The parameter with its title.
        title: &'static str,
        /// The parameter with its text.
        text: &'static str,
    },
    /// Sets a field of an object.
    Set {
        /// The parameter that names the object.
        object: &'static str,
        /// Which field.
        field: Field,
        /// The parameter with the new value.
        value: &'static str,
    },
    /// Adds a line to an object's text.
    Append {
        /// The parameter that names the object.
        object: &'static str,
        /// The parameter with the line.
        text: &'static str,
    },
    /// Deletes an object.
    Delete {
        /// The parameter that names it.
        object: &'static str,
    },
    /// Keeps `value` under `key`, for the session or, by default, for later ones too (`scope`).
    Remember,
    /// Shows the memory under `key`.
    Recall,
    /// Deletes the memory under `key`.
    Scrub,
    /// Keeps the memory under `key` from being recalled.
    Quarantine,
}

/// Which field a setting tool sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field {
    /// Always this one.
    Fixed(&'static str),
    /// The one that this parameter names.
    Given(&'static str),
}

/// Keeps a memory.
pub const REMEMBER: ToolSpec = ToolSpec {
    name: "remember",
    description: "Remember a value under a key; an older value under the key is replaced. The scope is `session` or \
                  `persistent`; without one it is persistent.",
    parameters: &[required("key", Role::Target), required("value", Role::Content), optional("scope", Role::Visibility)],
    does: Behaviour::Remember,
};

/// Shows a memory.
pub const RECALL: ToolSpec = ToolSpec {
    name: "recall",
    description: "Show what is remembered under a key.",
    parameters: &[required("key", Role::Other)],
    does: Behaviour::Recall,
};

/// Deletes a memory.
pub const SCRUB: ToolSpec = ToolSpec {
    name: "scrub_memory",
    description: "Delete what is remembered under a key.",
    parameters: &[required("key", Role::Target)],
    does: Behaviour::Scrub,
};

/// Holds a memory back.
pub const QUARANTINE: ToolSpec = ToolSpec {
    name: "quarantine_memory",
    description: "Keep what is remembered under a key from being recalled, without deleting it.",
    parameters: &[required("key", Role::Target)],
    does: Behaviour::Quarantine,
};

/// Writes into the task's record.
pub const WRITE_SUMMARY: ToolSpec = ToolSpec {
    name: "write_summary",
    description: "Write a summary into the task's record, which only the user sees.",
    parameters: &[required("text", Role::Content)],
    does: Behaviour::Draft,
};

impl Behaviour {
    /// What running it can do to the world.
    #[must_use]
    pub fn effect(self) -> Effect {
        match self {
            Behaviour::Search | Behaviour::Read { .. } | Behaviour::People | Behaviour::Recall => Effect::Read,
            Behaviour::Draft => Effect::Draft,
            Behaviour::Remember => Effect::MemoryWrite,
            Behaviour::Scrub | Behaviour::Quarantine => Effect::Recovery,
            Behaviour::Send { .. }
            | Behaviour::Pass { .. }
            | Behaviour::Create { .. }
            | Behaviour::Set { .. }
            | Behaviour::Append { .. }
            | Behaviour::Delete { .. } => Effect::SideEffect,
        }
    }

    /// The parameter that names an existing object, if the tool takes one.
    #[must_use]
    pub fn object(self) -> Option<&'static str> {
        match self {
            Behaviour::Read { object }
            | Behaviour::Pass { object }
            | Behaviour::Set { object, .. }
            | Behaviour::Append { object, .. }
            | Behaviour::Delete { object } => Some(object),
            _ => None,
        }
    }
}

impl ToolSpec {
    /// ContainmentBench 4.4.
    #[must_use]
    pub fn is_high_risk(&self) -> bool {
        matches!(self.does.effect(), Effect::SideEffect | Effect::MemoryWrite | Effect::Recovery)
    }

    /// The role of a parameter; none where the tool does not have it.
    #[must_use]
    pub fn role(&self, name: &str) -> Option<Role> {
        self.parameters.iter().find(|p| p.name == name).map(|p| p.role)
    }
}

/// A tool and its position in the contract's numbering.
#[must_use]
pub fn find(tools: &'static [ToolSpec], name: &str) -> Option<(u32, &'static ToolSpec)> {
    (0..).zip(tools).find(|(_, tool)| tool.name == name)
}

/// The tools as the contract has them.
#[must_use]
pub fn export(tools: &[ToolSpec]) -> Vec<Tool> {
    let parameter = |p: &ParameterSpec| Parameter {
        name: p.name.into(),
        role: p.role,
        required: p.required,
        schema: if p.required { r#"{"type":"string"}"# } else { r#"{"type":["string","null"]}"# }.into(),
    };
    let tool = |tool: &ToolSpec| Tool {
        name: tool.name.into(),
        description: tool.description.into(),
        effect: tool.does.effect(),
        parameters: tool.parameters.iter().map(parameter).collect(),
    };
    tools.iter().map(tool).collect()
}
