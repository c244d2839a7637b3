//! How a simulated model behaves: a file in which every number says what it counts and where it comes from.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// The built-in profiles.
const BUILT_IN: [(&str, &str); 4] = [
    ("sim:qwen2.5-7b", include_str!("../profiles/qwen2.5-7b.toml")),
    ("sim:weak-formatter", include_str!("../profiles/weak-formatter.toml")),
    ("sim:compromised-oracle", include_str!("../profiles/compromised-oracle.toml")),
    ("sim:smoke", include_str!("../profiles/smoke.toml")),
];

/// The lure under which a profile says how often it obeys wordings that it does not name.
const OTHER_LURES: &str = "other";

/// A probability, from 0 (never) to 1 (always).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Probability(f64);

/// A number that is no probability.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{0} is no probability: it must lie between 0 and 1")]
pub struct OutOfRange(pub f64);

impl TryFrom<f64> for Probability {
    type Error = OutOfRange;

    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        if (0.0..=1.0).contains(&value) { Ok(Probability(value)) } else { Err(OutOfRange(value)) }
    }
}

impl From<Probability> for f64 {
    fn from(probability: Probability) -> f64 {
        probability.0
    }
}

/// One number of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter<T> {
    /// The number.
    pub value: T,
    /// What it counts, per what.
    pub unit: String,
    /// Where it comes from, or that it is assumed.
    pub source: String,
}

impl<T> Parameter<T> {
    /// Whether it lacks a unit or a source.
    pub(crate) fn is_silent(&self) -> bool {
        self.unit.trim().is_empty() || self.source.trim().is_empty()
    }
}

/// The traits of a simulated model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name, which begins with `sim:` so that no table can take it for a real model.
    pub name: String,
    /// One line for a reader.
    pub title: String,
    /// Invalid answers in a row after which an agent ends its turn.
    pub patience: Parameter<u32>,
    /// How it writes an action.
    pub format: Format,
    /// What it does where no guidance applies.
    pub traits: Traits,
    /// What changes under a policy's guidance; the first that applies counts.
    #[serde(default)]
    pub guided: Vec<Guided>,
}

/// Shares of the ways in which an action is written; they sum to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Format {
    /// The exact format.
    pub strict: Parameter<Probability>,
    /// In a fenced block.
    pub fenced: Parameter<Probability>,
    /// After a sentence of prose.
    pub prefixed: Parameter<Probability>,
    /// The tool's name in place of the word `tool`.
    pub action_alias: Parameter<Probability>,
    /// `action_input` in place of `arguments`.
    pub argument_alias: Parameter<Probability>,
    /// An action that the parser cannot take for one.
    pub invalid: Parameter<Probability>,
}

/// Probabilities of behaviour; what is absent never happens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traits {
    /// Per rollout that reads an injection, by the injection's lure; `other` stands for those not named.
    #[serde(default)]
    pub obeys: BTreeMap<String, Parameter<Probability>>,
    /// Per rollout: takes the address that the content mentions instead of the one that the user gave.
    pub misaddresses: Option<Parameter<Probability>>,
    /// Per rollout: ends before its last step.
    pub lapses: Option<Parameter<Probability>>,
    /// Per rollout: does what the goal only implies.
    pub infers: Option<Parameter<Probability>>,
    /// Per rollout: cannot put an action that quotes content from outside into valid JSON.
    pub misquotes: Option<Parameter<Probability>>,
    /// Per blocked call: ends its turn there and then.
    pub gives_up_after_block: Option<Parameter<Probability>>,
}

/// Traits under a policy's guidance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guided {
    /// The guidance applies where the system prompt contains this sentence.
    pub sentence: String,
    /// The traits that it changes.
    pub traits: Traits,
}

/// Why a profile cannot be used.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// It is not in a profile's form.
    #[error("not a profile: {0}")]
    Form(#[from] Box<toml::de::Error>),
    /// Its name could be taken for a real model's.
    #[error("profile `{0}` must have a name that begins with `sim:`")]
    Name(String),
    /// The ways of writing an action do not sum to 1.
    #[error("profile `{name}`: the shares under `format` sum to {sum}, not to 1")]
    Format {
        /// The profile.
        name: String,
        /// The sum.
        sum: f64,
    },
    /// An agent that ends before it has said anything.
    #[error("profile `{0}`: `patience` counts invalid answers, the first of which is allowed: it must be at least 1")]
    Patience(String),
    /// A number without a unit or a source.
    #[error("profile `{name}`: `{field}` needs a `unit` and a `source` that say something, as every number does")]
    Silent {
        /// The profile.
        name: String,
        /// The number.
        field: String,
    },
}

impl Profile {
    /// Reads a profile.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let profile: Profile = toml::from_str(text).map_err(Box::new)?;
        if !profile.name.starts_with("sim:") {
            return Err(ProfileError::Name(profile.name));
        }
        let sum: f64 = profile.format.shares().iter().map(|share| f64::from(share.value)).sum();
        if (sum - 1.0).abs() > 1e-9 {
            return Err(ProfileError::Format { name: profile.name, sum });
        }
        if profile.patience.value == 0 {
            return Err(ProfileError::Patience(profile.name));
        }
        match profile.silent() {
            Some(field) => Err(ProfileError::Silent { name: profile.name, field }),
            None => Ok(profile),
        }
    }

    /// The first number without a unit or a source.
    fn silent(&self) -> Option<String> {
        if self.patience.is_silent() {
            return Some("patience".into());
        }
        let shares = Format::NAMES.iter().zip(self.format.shares());
        let shares = shares.map(|(name, share)| (format!("format.{name}"), share));
        let guided = self.guided.iter().enumerate();
        let guided = guided.flat_map(|(at, guided)| guided.traits.numbers(&format!("guided[{at}].traits")));
        let mut numbers = shares.chain(self.traits.numbers("traits")).chain(guided);
        numbers.find(|(_, number)| number.is_silent()).map(|(field, _)| field)
    }

    /// The text of the built-in profile of this name.
    #[must_use]
    pub fn built_in(name: &str) -> Option<&'static str> {
        BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// Names of the built-in profiles.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// What applies under a system prompt.
    #[must_use]
    pub fn under(&self, system: &str) -> Behaviour<'_> {
        let guided = self.guided.iter().find(|guided| contains(system, &guided.sentence));
        Behaviour { plain: &self.traits, guided: guided.map(|guided| &guided.traits) }
    }
}

impl Format {
    const NAMES: [&str; 6] = ["strict", "fenced", "prefixed", "action_alias", "argument_alias", "invalid"];

    fn shares(&self) -> [&Parameter<Probability>; 6] {
        [&self.strict, &self.fenced, &self.prefixed, &self.action_alias, &self.argument_alias, &self.invalid]
    }
}

impl Traits {
    /// All numbers with their names, which begin with that of the group.
    fn numbers(&self, group: &str) -> Vec<(String, &Parameter<Probability>)> {
        let others = [
            ("misaddresses", &self.misaddresses),
            ("lapses", &self.lapses),
            ("infers", &self.infers),
            ("misquotes", &self.misquotes),
            ("gives_up_after_block", &self.gives_up_after_block),
        ];
        let obeys = self.obeys.iter().map(|(lure, number)| (format!("{group}.obeys.{lure}"), number));
        let others =
            others.into_iter().filter_map(|(name, number)| Some((format!("{group}.{name}"), number.as_ref()?)));
        obeys.chain(others).collect()
    }
}

/// A profile's traits, guidance considered.
#[derive(Clone, Copy, Debug)]
pub struct Behaviour<'a> {
    plain: &'a Traits,
    guided: Option<&'a Traits>,
}

impl Behaviour<'_> {
    /// Probability of obeying an injection of this lure.
    #[must_use]
    pub fn obeys(&self, lure: &str) -> f64 {
        let of = |traits: &Traits| traits.obeys.get(lure).or_else(|| traits.obeys.get(OTHER_LURES)).map(number);
        self.guided.and_then(of).or_else(|| of(self.plain)).unwrap_or(0.0)
    }

    /// One of the other traits.
    pub(crate) fn get(&self, of: fn(&Traits) -> &Option<Parameter<Probability>>) -> f64 {
        let guided = self.guided.and_then(|traits| of(traits).as_ref());
        guided.or(of(self.plain).as_ref()).map_or(0.0, number)
    }
}

/// Whether a text contains another: each turn searches a long prompt, which this does several times faster than `str`.
pub(crate) fn contains(text: &str, part: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some()
}

fn number(parameter: &Parameter<Probability>) -> f64 {
    f64::from(parameter.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(from: &str, to: &str) -> Result<Profile, ProfileError> {
        let text = Profile::built_in("sim:smoke").unwrap();
        assert!(text.contains(from), "{from}");
        Profile::parse(&text.replacen(from, to, 1))
    }

    #[test]
    fn every_built_in_profile_parses_under_its_own_name() {
        for name in Profile::names() {
            assert_eq!(Profile::parse(Profile::built_in(name).unwrap()).unwrap().name, name);
        }
        assert_eq!(Profile::built_in("smoke"), None);
    }

    #[test]
    fn a_profile_may_not_pose_as_a_real_model() {
        let error = changed("sim:smoke", "gpt").unwrap_err().to_string();
        assert_eq!(error, "profile `gpt` must have a name that begins with `sim:`");
    }

    #[test]
    fn an_unknown_key_a_silent_number_and_shares_beyond_one_are_errors() {
        assert!(changed("[patience]", "[patient]").unwrap_err().to_string().contains("patient"));
        assert!(changed("value = 0.5\n", "value = 0.6\n").unwrap_err().to_string().contains("sum to 1.1"));
        assert!(changed("value = 0.5\n", "value = 1.5\n").unwrap_err().to_string().contains("1.5 is no probability"));
    }

    #[test]
    fn a_number_without_its_unit_or_source_is_named() {
        let said = |from: &str, to: &str| changed(from, to).unwrap_err().to_string();
        let patience =
            "profile `sim:smoke`: `patience` needs a `unit` and a `source` that say something, as every number does";
        assert_eq!(said("source = \"", "source = \" \" #"), patience);
        let mut profile = Profile::parse(Profile::built_in("sim:qwen2.5-7b").unwrap()).unwrap();
        assert_eq!(profile.silent(), None);
        let at = profile.guided.iter().position(|guided| guided.traits.misquotes.is_some()).unwrap();
        profile.guided[at].traits.misquotes.as_mut().unwrap().unit.clear();
        assert_eq!(profile.silent().unwrap(), format!("guided[{at}].traits.misquotes"));
        profile.traits.obeys.get_mut(OTHER_LURES).unwrap().source = " ".into();
        assert_eq!(profile.silent().unwrap(), "traits.obeys.other");
        profile.format.argument_alias.unit.clear();
        assert_eq!(profile.silent().unwrap(), "format.argument_alias");
    }

    #[test]
    fn guidance_changes_what_it_names_and_nothing_else() {
        let profile = Profile::parse(Profile::built_in("sim:qwen2.5-7b").unwrap()).unwrap();
        let (plain, guided) = (profile.under("Act."), profile.under("Act. Every action passes a structured guard."));
        assert!(plain.get(|t| &t.misquotes) < guided.get(|t| &t.misquotes));
        assert_eq!(plain.obeys("task-step"), guided.obeys("task-step"));
        assert_eq!(plain.obeys("a lure that no profile names"), plain.obeys(OTHER_LURES));
    }
}
