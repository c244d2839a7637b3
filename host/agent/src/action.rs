//! What a model's completion can mean, and how it was read (ContainmentBench appendix I).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use thiserror::Error;

/// The one structured action of a completion.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A call of a tool that the agent has. Arguments are not checked against the tool's schema here.
    Call {
        /// The tool's name, letter for letter one of the known names.
        tool: String,
        /// The arguments, in the order in which the model wrote them.
        arguments: Map<String, Value>,
    },
    /// A message to another agent of the team. Whether there is such an agent, and whether this one may write to it, is
    /// not checked here.
    Message {
        /// The other agent's name, as the model gave it; not empty.
        to: String,
        /// What it says.
        text: String,
    },
    /// The agent's answer, which ends its work: for the user, or for whoever handed the task to this agent.
    Final {
        /// The answer.
        text: String,
    },
}

/// How a completion was read. The names are those of Table 24.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParseStatus {
    /// The completion is one action in the exact format.
    ValidStrictJson,
    /// An action was recovered; [`Parsed::repairs`] says how.
    ValidRepairedJson,
    /// The completion tries to be an action and is none; [`Parsed::problem`] says why.
    InvalidSchema,
    /// An action that names a tool which the agent does not have. It is recorded and never executed.
    InvalidTool,
    /// Plain text, taken as a final answer.
    FreeText,
}

impl ParseStatus {
    /// The status's name in traces and tables.
    pub fn name(self) -> &'static str {
        match self {
            ParseStatus::ValidStrictJson => "valid_strict_json",
            ParseStatus::ValidRepairedJson => "valid_repaired_json",
            ParseStatus::InvalidSchema => "invalid_schema",
            ParseStatus::InvalidTool => "invalid_tool",
            ParseStatus::FreeText => "free_text",
        }
    }
}

impl fmt::Display for ParseStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that the parser had to overlook to read an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// The object stood in a fenced code block.
    Fenced,
    /// Text before the object.
    PrefixText,
    /// Text after the object; a second action counts as such and is not read, nor is a second entry of `tool_calls`.
    SuffixText,
    /// The object stood in `<tool_call>` tags, as Hermes and Qwen write calls.
    TaggedCall,
    /// The tool and the arguments stood behind `Action:` and `Action Input:`, as ReAct and ToolBench write calls.
    TextCall,
    /// The call stood in `tool_calls`, as chat interfaces return calls; of several, the first.
    ToolCalls,
    /// The call was a single `function` or `function_call` object of a chat interface.
    FunctionCall,
    /// Keys that were null, taken as absent.
    NullKeys,
    /// Keys that belong to no action, overlooked.
    ExtraKeys,
    /// `action_type` in place of `action`.
    ActionKeyAlias,
    /// No `action`, but a tool's name under another key.
    ActionOmitted,
    /// The tool's name in place of the word `tool`: `{"action": "send_mail", ...}`.
    ActionTypeAsTool,
    /// `tool_name`, `name` or `function` in place of `tool`.
    ToolAlias,
    /// `action_input`, `parameters`, `args` or `input` in place of `arguments`.
    ArgumentsAlias,
    /// `recipient` in place of a message's `to`.
    RecipientAlias,
    /// `message` or `content` in place of a message's `text`.
    TextAlias,
    /// The arguments as a string that holds a JSON object.
    ArgumentsAsString,
    /// No arguments and no key that might hold one, taken as a call without arguments.
    ArgumentsOmitted,
}

/// Why a completion that tries to be an action is none. The text can be shown to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// Nothing but white space. It is no final answer: the model said nothing.
    #[error("the answer is empty")]
    Empty,
    /// Reasoning that is cut off before it comes to an answer.
    #[error("the answer ends amid its reasoning")]
    Unfinished,
    /// Over [`crate::MAX_COMPLETION_BYTES`].
    #[error("the answer is longer than 256 KiB")]
    TooLong,
    /// An action-like object that is no JSON: cut off, badly quoted or nested more than 127 deep.
    #[error("the action is not valid JSON")]
    Malformed,
    /// The whole answer is an object without any of an action's keys.
    #[error("the object has no `action`")]
    NotAnAction,
    /// `action` is not a string.
    #[error("`action` must be \"tool\" or \"final\"")]
    ActionNotText,
    /// A tool call without the tool's name.
    #[error("`tool` must be the name of a tool")]
    NoTool,
    /// Arguments that are neither an object nor a string that holds one.
    #[error("`arguments` must be an object")]
    ArgumentsNotObject,
    /// No arguments, but keys that may have been meant as such. To guess would run another call than the one proposed.
    #[error("the call's parameters must stand inside `arguments`")]
    NoArguments,
    /// A message without the name of an agent.
    #[error("`to` must be the name of an agent")]
    NoRecipient,
    /// A tool whose name is a reserved word, called by anything but the exact format: it may not be meant as a tool.
    #[error("`tool`, `message` and `final` are actions; a tool of that name must be called by the exact format")]
    ReservedName,
    /// A message or final answer without text.
    #[error("`text` must be a string")]
    NoText,
    /// An action, but in quotation marks, in a blockquote, amid a sentence or as an example: not as a proposal.
    #[error("the action stands inside other text; answer with the JSON object alone")]
    Quoted,
    /// A repeated key, two keys that mean the same, an action as another's arguments, or a message or final answer that also names a tool.
    #[error("the object names two actions, tools or sets of arguments")]
    Ambiguous,
}

/// A completion as the parser read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// How it was read.
    pub status: ParseStatus,
    /// The action; `None` for [`ParseStatus::InvalidSchema`] and [`ParseStatus::InvalidTool`], so that neither can run.
    pub action: Option<Action>,
    /// What was overlooked, in the order of [`Repair`], each at most once; empty for strict JSON and free text.
    pub repairs: Vec<Repair>,
    /// For [`ParseStatus::InvalidTool`]: the name that the model gave, as untrusted as any text of the model.
    pub unknown_tool: Option<String>,
    /// For [`ParseStatus::InvalidSchema`]: what is wrong.
    pub problem: Option<Problem>,
}

impl Parsed {
    /// A completion without an action, for this reason.
    pub(crate) fn invalid(problem: Problem) -> Self {
        let status = ParseStatus::InvalidSchema;
        Parsed { status, action: None, repairs: Vec::new(), unknown_tool: None, problem: Some(problem) }
    }

    /// Plain text.
    pub(crate) fn free_text(text: &str) -> Self {
        let action = Some(Action::Final { text: text.to_owned() });
        Parsed { status: ParseStatus::FreeText, action, repairs: Vec::new(), unknown_tool: None, problem: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_has_the_same_name_in_json_and_in_print() {
        for status in [
            ParseStatus::ValidStrictJson,
            ParseStatus::ValidRepairedJson,
            ParseStatus::InvalidSchema,
            ParseStatus::InvalidTool,
            ParseStatus::FreeText,
        ] {
            assert_eq!(serde_json::to_value(status).unwrap(), status.to_string());
        }
    }
}
