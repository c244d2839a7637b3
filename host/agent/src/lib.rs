//! The agent's side of a rollout: the system prompt, the models that answer it, and the parser that turns an answer
//! into at most one action. Nothing here executes a tool or asks a policy.

mod acting;
mod action;
mod backend;
mod cassette;
mod chat;
mod draw;
pub mod http;
mod model;
mod parser;
mod profile;
mod prompt;
mod script;
mod simulated;
mod team;

pub use acting::{ActingProfile, ActionCue, Labelled, SimulatedActor, Unlabelled};
pub use action::{Action, ParseStatus, Parsed, Problem, Repair};
pub use backend::{ActionMode, Ask, Backend, ChatCall, ChatMessage, ChatTool, Identity, Reply, Speaker, Usage};
pub use cassette::{Cassette, CassetteError, CassetteUse};
pub use chat::{ChatModel, ChatSettings};
pub use model::{Completion, Message, Model, ModelError, ParameterSpec, Request, Role, ToolSpec};
pub use parser::{MAX_COMPLETION_BYTES, parse};
pub use profile::{Behaviour, Format, Guided, OutOfRange, Parameter, Probability, Profile, ProfileError, Traits};
pub use prompt::{acting_prompt, system_prompt};
pub use script::{Script, ScriptError};
pub use simulated::{BLOCKED_PREFIX, INJECTION_CUE, INVALID_PREFIX, SimulatedModel};
pub use team::{Team, Topology};
