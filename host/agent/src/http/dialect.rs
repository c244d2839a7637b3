//! In what the servers differ that all call themselves OpenAI-compatible. What is not listed here they have in common, or a
//! probe finds out (`preflight`): streams, `tools` with `tool_choice`, `response_format` with a JSON Schema.

/// The name of the field with the most tokens to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenLimit {
    /// `max_completion_tokens`: OpenAI's reasoning models refuse the older name.
    MaxCompletionTokens,
    /// `max_tokens`: the name that every other server knows.
    MaxTokens,
}

impl TokenLimit {
    /// The field.
    #[must_use]
    pub fn field(self) -> &'static str {
        match self {
            TokenLimit::MaxCompletionTokens => "max_completion_tokens",
            TokenLimit::MaxTokens => "max_tokens",
        }
    }
}

/// What one kind of server supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Its name, which is a provider's name; `generic` for all others.
    pub name: &'static str,
    /// Where it listens by default.
    pub default_url: Option<&'static str>,
    /// Whether it works without a key, so that `EMPTY` is sent where none is given.
    pub keyless: bool,
    /// Whether `seed` is sent. Where it is not, samples under different seeds differ by chance alone.
    pub seed: bool,
    /// The name of the token limit.
    pub token_limit: TokenLimit,
    /// Whether a stream can be asked for token counts (`stream_options.include_usage`).
    pub stream_usage: bool,
    /// Whether `parallel_tool_calls: false` is known. An answer is at most one action, so it is sent where it may be.
    pub parallel_tool_calls: bool,
}

impl Dialect {
    /// The servers that are known by name.
    pub const KNOWN: [Dialect; 4] = [
        Dialect {
            name: "openai",
            default_url: Some("https://api.openai.com/v1"),
            keyless: false,
            seed: true,
            token_limit: TokenLimit::MaxCompletionTokens,
            stream_usage: true,
            parallel_tool_calls: true,
        },
        Dialect {
            name: "vllm",
            default_url: Some("http://localhost:8000/v1"),
            keyless: true,
            seed: true,
            token_limit: TokenLimit::MaxTokens,
            stream_usage: true,
            parallel_tool_calls: true,
        },
        Dialect {
            name: "llama-cpp",
            default_url: Some("http://localhost:8080/v1"),
            keyless: true,
            seed: true,
            token_limit: TokenLimit::MaxTokens,
            stream_usage: true,
            parallel_tool_calls: true,
        },
        Dialect {
            name: "ollama",
            default_url: Some("http://localhost:11434/v1"),
            keyless: true,
            seed: true,
            token_limit: TokenLimit::MaxTokens,
            stream_usage: true,
            // Not among the fields that its documentation lists.
            parallel_tool_calls: false,
        },
    ];

    /// Any other server: only what has been in the interface from its beginning.
    pub const GENERIC: Dialect = Dialect {
        name: "generic",
        default_url: None,
        keyless: false,
        seed: false,
        token_limit: TokenLimit::MaxTokens,
        stream_usage: false,
        parallel_tool_calls: false,
    };

    /// A provider's dialect.
    #[must_use]
    pub fn of(provider: &str) -> Dialect {
        Dialect::KNOWN.into_iter().find(|dialect| dialect.name == provider).unwrap_or(Dialect::GENERIC)
    }
}
