//! One ask after the other.

use crate::cache::{Kept, strides};
use crate::chat::ChatFormat;
use crate::choice::{Draws, choose};
use crate::gguf::{Unfit, Weights};
use crate::grammar::{Grammars, Rules};
use crate::network::{Architecture, Network};
use crate::vocabulary::{Cut, Vocabulary};
use weir_agent::{Ask, Reply};

/// A loaded model.
pub(crate) struct Engine {
    network: Network,
    vocabulary: Vocabulary,
    format: ChatFormat,
    grammars: Grammars,
    kept: Kept,
    facts: Facts,
}

/// What is to be known of a loaded model.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// SHA-256 of the weights' file, lower-case hex.
    pub(crate) digest: String,
    /// The architecture's name.
    pub(crate) architecture: &'static str,
    /// How its text is cut.
    pub(crate) cut: &'static str,
    /// The longest prompt and answer together, in tokens.
    pub(crate) context: usize,
    /// The context that it was trained for, in tokens.
    pub(crate) trained_context: usize,
}

impl Engine {
    /// Loads a model that holds `context` tokens, or as many as it was trained for if these are fewer.
    pub(crate) fn load(mut weights: Weights, context: usize) -> Result<Self, Unfit> {
        let architecture = Architecture::of(&weights)?;
        let cut = Cut::of(&weights)?;
        let trained_context = weights.number(&format!("{}.context_length", architecture.name()))?;
        let context = context.min(trained_context);
        let vocabulary = Vocabulary::read(&weights, cut)?;
        let format = ChatFormat::of(&vocabulary, cut)?;
        let grammars = Grammars::new(&vocabulary, format.ends())?;
        let network = Network::read(&mut weights, architecture, context)?;
        let facts = Facts {
            digest: weights.digest,
            architecture: architecture.name(),
            cut: cut.name(),
            context,
            trained_context,
        };
        Ok(Engine { network, vocabulary, format, grammars, kept: Kept::default(), facts })
    }

    /// What is to be known of it.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Answers.
    ///
    /// # Errors
    /// Why this ask has no answer, in words. Asking again will not help.
    pub(crate) fn answer(&mut self, ask: &Ask) -> Result<Reply, String> {
        if !ask.tools.is_empty() {
            return Err("native tool calls are not supported by in-process models: use `schema` or `text`".into());
        }
        if !(ask.temperature >= 0.0 && ask.temperature.is_finite()) {
            return Err(format!("a temperature of {} cannot be sampled with: expected 0 or more", ask.temperature));
        }
        let prompt = self.format.prompt(&ask.messages, &self.vocabulary)?;
        let most = usize::try_from(ask.max_tokens).unwrap_or(usize::MAX);
        let context = self.facts.context;
        if prompt.len().saturating_add(most) > context {
            return Ok(Reply { input_tokens: wide(prompt.len()), ..Reply::overflow() });
        }
        let rules = self.grammars.rules(ask.schema.as_ref())?;
        let scores = read(&mut self.network, &mut self.kept, &prompt).map_err(|error| error.to_string())?;
        let mut answer = Answer { written: Vec::new(), finish: "length" };
        if most > 0 {
            let ends = self.format.ends();
            answer.write(&mut self.network, rules, scores, ask, ends, prompt.len())?;
        }
        Ok(Reply {
            text: self.vocabulary.decode(&answer.written),
            finish: answer.finish.into(),
            input_tokens: wide(prompt.len()),
            output_tokens: wide(answer.written.len()),
            ..Reply::default()
        })
    }
}

/// Reads a prompt, as far as it is not kept; gives the scores of the first token to write.
fn read(network: &mut Network, kept: &mut Kept, prompt: &[u32]) -> candle_core::Result<Vec<f32>> {
    let (slot, shared) = kept.keep(prompt);
    network.choose(slot);
    let mut state = None;
    for places in strides(shared, prompt.len()) {
        let place = places.start;
        state = Some(network.read_tokens(prompt.get(places).unwrap_or_default(), place)?);
    }
    kept.read(prompt);
    match state {
        Some(state) => network.scores(&state),
        None => Err(candle_core::Error::Msg("the prompt is empty".into())),
    }
}

/// What has been written of an answer.
struct Answer {
    written: Vec<u32>,
    finish: &'static str,
}

impl Answer {
    /// Writes until an end or until the ask's last token. `place` is the prompt's length.
    fn write(
        &mut self,
        network: &mut Network,
        mut rules: Rules<'_>,
        mut scores: Vec<f32>,
        ask: &Ask,
        ends: [u32; 2],
        place: usize,
    ) -> Result<(), String> {
        let mut draws = Draws::of(ask);
        loop {
            let token = {
                let allowed = rules.allowed()?;
                choose(&scores, &allowed, ask.temperature, &mut draws)
            };
            let token = token.ok_or("no token that may come next has a score")?;
            if ends.contains(&token) {
                self.finish = "stop";
                return Ok(());
            }
            rules.write(token)?;
            self.written.push(token);
            if rules.done() {
                self.finish = "stop";
                return Ok(());
            }
            if wide(self.written.len()) >= u64::from(ask.max_tokens) {
                return Ok(());
            }
            let state = network.read_tokens(&[token], place + self.written.len() - 1);
            scores = state.and_then(|state| network.scores(&state)).map_err(|error| error.to_string())?;
        }
    }
}

/// Widens; no platform has more than 64 bits.
fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
