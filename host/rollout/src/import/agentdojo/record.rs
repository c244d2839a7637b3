//! The two published schemas, read into one [`Record`]. Keys that Weir does not use are ignored: the files are not ours, and
//! versions of AgentDojo added some over time.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::fmt;
use weir_trace::json::sha256;

/// Where a record stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// File, relative to what was imported.
    pub file: String,
    /// 1-based line in a file of many runs.
    pub line: Option<u64>,
    /// SHA-256 of the file or line.
    pub sha256: String,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{} line {line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// One recorded run.
#[derive(Clone, Debug)]
pub struct Record {
    /// Where it stands.
    pub source: Source,
    /// The agent pipeline.
    pub pipeline: String,
    /// Suite.
    pub suite: String,
    /// User task; `injection_task_N` where the injection was asked for directly.
    pub user_task: String,
    /// Injected task.
    pub injection_task: Option<String>,
    /// Attack.
    pub attack: Option<String>,
    /// Injected texts, where the record has them.
    pub injections: Vec<String>,
    /// The user's task was done; none in a run that died.
    pub utility: Option<bool>,
    /// The attack succeeded; none in a run that died, meaningless without attack.
    pub security: Option<bool>,
    /// The run's own error.
    pub error: Option<String>,
    /// Benchmark version, where the record has it.
    pub version: Option<String>,
    /// The conversation.
    pub messages: Vec<Message>,
}

impl Record {
    /// The user's first words.
    #[must_use]
    pub fn prompt(&self) -> &str {
        self.messages.iter().find(|m| m.role == "user").map_or("", |m| m.text.as_str())
    }
}

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// Its text; empty where there is none.
    pub text: String,
    /// Calls that an assistant made.
    pub calls: Vec<Call>,
    /// For a tool's message: the call that it answers.
    pub answers: Option<String>,
    /// For a tool's message: why the call failed.
    pub error: Option<String>,
}

/// One tool call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The record's own identifier.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// Why a file or line is not a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Not JSON.
    #[error("{source}: not JSON: {message}")]
    Json {
        /// Where.
        source: Source,
        /// The parser's words.
        message: String,
    },
    /// JSON, but not a run of either schema.
    #[error("{source}: not an AgentDojo run: {message}")]
    Shape {
        /// Where.
        source: Source,
        /// What is missing or wrong.
        message: String,
    },
}

// Where a record stands is no error's cause.
impl std::error::Error for Source {}

#[derive(Deserialize)]
struct Native {
    suite_name: String,
    pipeline_name: String,
    user_task_id: String,
    injection_task_id: Option<String>,
    attack_type: Option<String>,
    #[serde(default)]
    injections: Map<String, Value>,
    messages: Vec<RawMessage>,
    error: Option<String>,
    benchmark_version: Option<String>,
    utility: Option<bool>,
    security: Option<bool>,
}

#[derive(Deserialize)]
struct Exported {
    messages: Vec<RawMessage>,
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    suite_name: String,
    model: String,
    success: Option<bool>,
    security: Option<bool>,
    user_task_id: String,
    injection_task_id: Option<String>,
    attack_type: Option<String>,
}

#[derive(Deserialize)]
struct RawMessage {
    role: String,
    content: Option<Content>,
    #[serde(default)]
    tool_calls: Option<Vec<RawCall>>,
    tool_call_id: Option<String>,
    error: Option<String>,
}

/// A plain string in old logs, a list of blocks in new ones.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    content: Option<String>,
}

/// `{function: NAME, args}` in native runs, `{function: {name, arguments}}` in exported ones.
#[derive(Deserialize)]
struct RawCall {
    id: Option<String>,
    function: Function,
    args: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Function {
    Name(String),
    Object { name: String, arguments: Arguments },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Arguments {
    Object(Map<String, Value>),
    Text(String),
}

/// Reads one file of AgentDojo's own.
///
/// # Errors
/// Where it is not JSON or not a run.
pub fn read_json(file: &str, bytes: &[u8]) -> Result<Record, RecordError> {
    let source = Source { file: file.into(), line: None, sha256: sha256(bytes) };
    let value = parse(bytes, &source)?;
    let native: Native = shaped(value, &source)?;
    Ok(Record {
        pipeline: native.pipeline_name,
        suite: native.suite_name,
        user_task: native.user_task_id,
        injection_task: native.injection_task_id,
        attack: native.attack_type.filter(|attack| attack != "none"),
        injections: native.injections.into_iter().filter_map(|(_, v)| v.as_str().map(str::to_owned)).collect(),
        utility: native.utility,
        security: native.security,
        error: native.error,
        version: native.benchmark_version,
        messages: messages(native.messages, &source)?,
        source,
    })
}

/// Reads a file of one run a line. A first line that only describes the file is no run.
///
/// # Errors
/// The first line that is not JSON or not a run.
pub fn read_jsonl(file: &str, bytes: &[u8]) -> Result<Vec<Record>, RecordError> {
    let mut records = Vec::new();
    for (number, line) in (1_u64..).zip(bytes.split(|&byte| byte == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let source = Source { file: file.into(), line: Some(number), sha256: sha256(line) };
        let value = parse(line, &source)?;
        if number == 1 && value.get("messages").is_none() && value.pointer("/metadata/benchmark").is_some() {
            continue;
        }
        let Exported { messages: raw, metadata } = shaped(value, &source)?;
        records.push(Record {
            pipeline: metadata.model,
            suite: metadata.suite_name,
            user_task: metadata.user_task_id,
            injection_task: metadata.injection_task_id,
            attack: metadata.attack_type.filter(|attack| attack != "none"),
            injections: Vec::new(),
            utility: metadata.success,
            security: metadata.security,
            error: None,
            version: None,
            messages: messages(raw, &source)?,
            source,
        });
    }
    Ok(records)
}

fn parse(bytes: &[u8], source: &Source) -> Result<Value, RecordError> {
    serde_json::from_slice(bytes).map_err(|e| RecordError::Json { source: source.clone(), message: e.to_string() })
}

fn shaped<T: serde::de::DeserializeOwned>(value: Value, source: &Source) -> Result<T, RecordError> {
    serde_json::from_value(value).map_err(|e| shape(source, e.to_string()))
}

fn shape(source: &Source, message: String) -> RecordError {
    RecordError::Shape { source: source.clone(), message }
}

fn messages(raw: Vec<RawMessage>, source: &Source) -> Result<Vec<Message>, RecordError> {
    raw.into_iter().map(|message| read_message(message, source)).collect()
}

fn read_message(raw: RawMessage, source: &Source) -> Result<Message, RecordError> {
    if !["system", "user", "assistant", "tool"].contains(&raw.role.as_str()) {
        return Err(shape(source, format!("unknown role `{}`", raw.role)));
    }
    let text = match raw.content {
        None => String::new(),
        Some(Content::Text(text)) => text,
        Some(Content::Blocks(blocks)) => blocks.into_iter().filter_map(|block| block.content).collect(),
    };
    let calls = raw.tool_calls.unwrap_or_default().into_iter().map(|call| read_call(call, source));
    Ok(Message {
        role: raw.role,
        text,
        calls: calls.collect::<Result<_, _>>()?,
        answers: raw.tool_call_id,
        error: raw.error,
    })
}

fn read_call(raw: RawCall, source: &Source) -> Result<Call, RecordError> {
    let (tool, arguments) = match raw.function {
        Function::Name(name) => (name, raw.args.unwrap_or_default()),
        Function::Object { name, arguments: Arguments::Object(arguments) } => (name, arguments),
        Function::Object { name, arguments: Arguments::Text(text) } => {
            let arguments = serde_json::from_str(&text)
                .map_err(|e| shape(source, format!("arguments of `{name}` are not a JSON object: {e}")))?;
            (name, arguments)
        }
    };
    Ok(Call { id: raw.id, tool, arguments })
}
