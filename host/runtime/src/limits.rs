//! The one profile of limits. Each number says why it is what it is; an operator changes them in the grants file.

use crate::fault::Cause;
use crate::state::wide;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weir_metadata::Limit;

/// What a plugin may use. Counts are per rollout and component unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Limits {
    /// Bytes of a component file. The largest language runtime that builds plugins, Python's, makes 18 MB.
    pub component_bytes: u64,
    /// Core modules in a component; language runtimes with adapters have under ten.
    pub modules: u32,
    /// Functions over all modules. Python's runtime has about 20,000.
    pub functions: u32,
    /// Bytes of one function's body. The compiler needs more than linear time in it.
    pub function_bytes: u32,
    /// Locals declared by one function. 10,000 locals made a 548 kB module take 13 to 25 s and 2.6 GB to compile; a large
    /// interpreter loop has under 1,000.
    pub function_locals: u32,
    /// Types, imports, exports, instances and aliases declared over the whole component.
    pub declarations: u32,
    /// Bytes of custom sections: names and metadata.
    pub custom_bytes: u64,
    /// CPU seconds of the compiling child process.
    pub compile_seconds: u64,
    /// Address space of the compiling child process, in bytes.
    pub compile_bytes: u64,
    /// Fuel for one policy hook, about one unit an instruction. The heaviest built-in hook that asks no model uses
    /// under 100,000; one that quotes content for a model takes about 40 a byte of it, and 7 M at worst. A policy whose
    /// interpreter runs in the guest takes a hundred times what compiled code does. This still ends a hostile loop within
    /// about 100 ms.
    pub hook_fuel: u64,
    /// Fuel for one call of a domain, writer or reducer: scenario generation is the heaviest, at about 10 M.
    pub call_fuel: u64,
    /// Wall-clock seconds of one call: only a safety net behind fuel. A hit is a host error, never a score.
    pub call_seconds: u64,
    /// Bytes of linear memory, summed over a component's memories.
    pub memory_bytes: usize,
    /// Elements of tables, summed.
    pub table_elements: usize,
    /// Core instances.
    pub instances: usize,
    /// Tables.
    pub tables: usize,
    /// Memories.
    pub memories: usize,
    /// Live resource handles.
    pub handles: usize,
    /// Bytes that one call may hand to the host: arguments of an import, or a returned value.
    pub output_bytes: usize,
    /// Bytes of one text in an answer: a reason, a replacement.
    pub text_bytes: usize,
    /// Lines written to the log.
    pub log_lines: u32,
    /// Bytes written to the log.
    pub log_bytes: u64,
    /// Texts pulled through `transcript`.
    pub transcript_calls: u32,
    /// Bytes pulled through `transcript`.
    pub transcript_bytes: u64,
    /// Completions asked through `model`. A writer asks once for each history and a predictor of labels once for each set
    /// of memories; the rest is for plugins that answer in steps.
    pub model_calls: u32,
    /// Tokens that models read for the plugin. The longest recorded history, with its instructions, is under 30,000, so the
    /// default lets every call of the budget above show one.
    pub model_input_tokens: u64,
    /// Tokens that models write for the plugin: every call of the budget above at its full length.
    pub model_output_tokens: u64,
    /// Tokens that a model may write in one answer; a plugin that asks for more gets no more. 16 memories of 80 words are
    /// about 2,000; the rest is for models that think first, and it is the ceiling that AuthMem-Bench's predictors have.
    pub model_answer_tokens: u32,
    /// Money that models may cost the plugin, in millionths of the price file's currency; no limit where there is none, for
    /// most models have no price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_cost_millionths: Option<u64>,
    /// Calls of virtual WASI functions that have the host work, in the compat profile: of clocks, and of random numbers, of
    /// which every KiB counts as a call.
    pub wasi_calls: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            component_bytes: 32 << 20,
            modules: 64,
            functions: 100_000,
            function_bytes: 1 << 20,
            function_locals: 4_000,
            declarations: 100_000,
            custom_bytes: 16 << 20,
            compile_seconds: 120,
            compile_bytes: 4 << 30,
            hook_fuel: 100_000_000,
            call_fuel: 1_000_000_000,
            call_seconds: 30,
            memory_bytes: 64 << 20,
            table_elements: 100_000,
            instances: 64,
            tables: 16,
            memories: 4,
            handles: 10_000,
            output_bytes: 1 << 20,
            text_bytes: 64 << 10,
            log_lines: 1_000,
            log_bytes: 256 << 10,
            transcript_calls: 100_000,
            transcript_bytes: 64 << 20,
            model_calls: 32,
            model_input_tokens: 1_000_000,
            model_output_tokens: 32 * 8_192,
            model_answer_tokens: 8_192,
            model_cost_millionths: None,
            wasi_calls: 100_000,
        }
    }
}

impl Limits {
    /// The wider limits of the compat profile: an interpreter in the guest needs memory and instructions of its own.
    #[must_use]
    pub fn compat() -> Self {
        Limits {
            memory_bytes: 512 << 20,
            hook_fuel: 2_000_000_000,
            call_fuel: 20_000_000_000,
            call_seconds: 120,
            ..Limits::default()
        }
    }

    /// The limits of a plugin that wants some of them otherwise: what it wants, up to what the operator allows.
    ///
    /// # Errors
    /// The first that it wants more of than is allowed.
    pub fn wanted(&self, wanted: &BTreeMap<Limit, u64>) -> Result<Self, Cause> {
        let mut limits = self.clone();
        for (&limit, &wanted) in wanted {
            let allowed = self.allowed(limit);
            if wanted > allowed {
                return Err(Cause::LimitWanted { limit: limit.name().into(), wanted, allowed });
            }
            limits.lower(limit, wanted);
        }
        Ok(limits)
    }

    fn allowed(&self, limit: Limit) -> u64 {
        match limit {
            Limit::HookFuel => self.hook_fuel,
            Limit::CallFuel => self.call_fuel,
            Limit::MemoryBytes => wide(self.memory_bytes),
            Limit::TableElements => wide(self.table_elements),
            Limit::LogLines => self.log_lines.into(),
            Limit::LogBytes => self.log_bytes,
            Limit::TranscriptCalls => self.transcript_calls.into(),
            Limit::TranscriptBytes => self.transcript_bytes,
            Limit::ModelCalls => self.model_calls.into(),
            Limit::ModelInputTokens => self.model_input_tokens,
            Limit::ModelOutputTokens => self.model_output_tokens,
        }
    }

    fn lower(&mut self, limit: Limit, to: u64) {
        match limit {
            Limit::HookFuel => self.hook_fuel = to,
            Limit::CallFuel => self.call_fuel = to,
            Limit::MemoryBytes => put(&mut self.memory_bytes, to),
            Limit::TableElements => put(&mut self.table_elements, to),
            Limit::LogLines => put(&mut self.log_lines, to),
            Limit::LogBytes => self.log_bytes = to,
            Limit::TranscriptCalls => put(&mut self.transcript_calls, to),
            Limit::TranscriptBytes => self.transcript_bytes = to,
            Limit::ModelCalls => put(&mut self.model_calls, to),
            Limit::ModelInputTokens => self.model_input_tokens = to,
            Limit::ModelOutputTokens => self.model_output_tokens = to,
        }
    }
}

/// A smaller number of the same type always fits.
fn put<T: TryFrom<u64>>(place: &mut T, smaller: u64) {
    if let Ok(number) = T::try_from(smaller) {
        *place = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_gets_what_it_wants_up_to_what_is_allowed_and_each_limit_is_its_own() {
        let limits = Limits::default();
        let all = |change: fn(u64) -> u64| Limit::ALL.map(|limit| (limit, change(limits.allowed(limit))));
        let halved = limits.wanted(&all(|n| n / 2).into()).unwrap();
        for (limit, half) in all(|n| n / 2) {
            assert_eq!(halved.allowed(limit), half, "{limit}");
            let one = limits.wanted(&[(limit, half)].into()).unwrap();
            let others = Limit::ALL.into_iter().filter(|other| *other != limit);
            assert!(others.into_iter().all(|other| one.allowed(other) == limits.allowed(other)), "{limit}");
        }
        assert_eq!(limits.wanted(&all(|n| n).into()).unwrap(), limits);
        let refused = limits.wanted(&[(Limit::HookFuel, 100_000_001)].into()).unwrap_err();
        assert_eq!(
            refused,
            Cause::LimitWanted { limit: "hook-fuel".into(), wanted: 100_000_001, allowed: 100_000_000 }
        );
    }

    #[test]
    fn a_limits_name_is_the_operators_key() {
        let keys = serde_json::to_value(Limits::default()).unwrap();
        assert!(Limit::ALL.iter().all(|limit| keys.get(limit.name()).is_some()));
    }
}
