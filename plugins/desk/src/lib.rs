//! Customer-service domains for AuthMem-Bench. A domain is a *service*: a catalogue of tools and what they do to records,
//! a generator of base histories, the slots that a value can fill, and things that users mention in passing. The desk makes
//! the rest out of that: enriched bases, paired variants with their gold labels, the environment of the later task, and its
//! oracle.
//!
//! # Writing another such domain
//!
//! The host knows no service by name. Any domain component takes part that
//!
//! - offers the stage `authority` (and, if it likes, `authority-field`), whose `count` is a number of **bases** from
//!   `parameters.first` on; with `parameters.bases`, a list of `weir/history@1` objects, it makes its pairs of those;
//! - answers with one scenario for each variant, `id` = `BASE/TRANSITION/negative` or `/positive`, `family` the transition,
//!   `topology` `single`, `memory-mode` `persistent`, `goal` the later request, and `state` one `weir/variant@1` object
//!   ([`record::Variant`]), whose `environment` is the domain's own affair (here a [`world::Setting`]);
//! - has one ledger of the form `oracle`: the one exact action in H+, nothing in H-;
//! - scripts the exact action as the `benign` step of H+ and as the `attack` step of H-.
//!
//! In Rust the shortest way is to implement [`Service`] and to export [`Desk`] of it, as `domains/airline` does:
//! tools in one file, what they do in another, bases in a third, slots and wishes as data in a fourth. [`testing`] checks the
//! construction's rules on all pairs of a service.
//!
//! # Whose words a tool's result is
//!
//! A result is a tool's turn whoever ran the tool, the user's own phone included: by the role policy it is Unendorsed. Tools
//! that occur in histories but are none of the agent's stand in a toolset of their own ([`Service::HISTORIC`]).

pub mod common;
pub mod enrich;
mod environment;
pub mod field;
pub mod pair;
pub mod pattern;
pub mod people;
pub mod record;
pub mod scene;
pub mod template;
pub mod testing;
pub mod tools;
pub mod wishes;
pub mod world;

pub use environment::Counter;

use pattern::{Transition, Wish};
use record::{HISTORY, History};
use scene::Base;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::marker::PhantomData;
use template::Facts;
use tools::ToolSpec;
use weir_plugin::domain::{Domain, Error, Info, Request, Scenario, Toolset};
use world::{Answer, Arguments, Tables, World};

/// The stage of the paper's seven transitions.
pub const STAGE: &str = "authority";
/// The stage of pairs after reports from the field.
pub const FIELD_STAGE: &str = "authority-field";

/// What a domain is made of.
pub trait Service: 'static {
    /// The domain's short name, which is also the `domain` of its histories.
    const NAME: &'static str;
    /// One line for a reader.
    const TITLE: &'static str;
    /// How many bases the generator has.
    const BASES: u32;
    /// The agent's tools.
    const OFFERED: &'static [ToolSpec];
    /// Name of the toolset and tools that occur in histories but are not the agent's.
    const HISTORIC: (&'static str, &'static [ToolSpec]);
    /// The paper's transitions.
    const TRANSITIONS: &'static [Transition];
    /// What users mention in passing.
    const WISHES: &'static [Wish];

    /// What a tool does. The arguments fit its schema.
    ///
    /// # Errors
    /// A message for the agent where the call cannot run.
    fn run(world: &World, tool: &str, arguments: &Arguments) -> Answer;

    /// The table and identifier of an object in a tool's result, where it is a record.
    fn place(record: &Map<String, Value>) -> Option<(&'static str, String)>;

    /// A generated base history; `index` is below [`Service::BASES`].
    ///
    /// # Errors
    /// `other` where the domain's data is wrong.
    fn base(index: u32, seed: u64) -> Result<Base, Error>;

    /// What templates may mention of a base: taken from its records where they show it, else made from its identifier.
    fn facts(base: &Base) -> Facts;

    /// Records that the facts stand on, for bases whose history does not show them.
    fn stock(facts: &Facts) -> Tables;
}

/// A service as a domain: what its component exports.
pub struct Desk<S>(PhantomData<S>);

impl<S: Service> Domain for Desk<S> {
    type Environment = Counter<S>;

    fn describe() -> Info {
        describe::<S>()
    }

    fn scenarios(request: Request) -> Result<Vec<Scenario>, Error> {
        if request.count > AT_ONCE {
            let asked = request.count;
            let what = format!("{asked} bases at once: ask for at most {AT_ONCE}, from the one that `first` names on");
            return Err(Error::InvalidInput(what));
        }
        scenarios::<S>(&request)
    }
}

/// Bases whose pairs are handed over at once: the histories of four are more than an answer may hold.
const AT_ONCE: u32 = 2;

/// The settings of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// The first base.
    #[serde(default)]
    first: u32,
    /// Bases to use instead of generated ones.
    bases: Option<Vec<History>>,
}

/// A tool of any toolset.
#[must_use]
pub fn find<S: Service>(name: &str) -> Option<&'static ToolSpec> {
    S::OFFERED.iter().chain(S::HISTORIC.1).find(|tool| tool.name == name)
}

/// What a service's domain offers.
#[must_use]
pub fn describe<S: Service>() -> Info {
    let toolset = |name: &str, tools: &[ToolSpec]| Toolset {
        name: name.into(),
        tools: tools.iter().map(ToolSpec::export).collect(),
    };
    let codes = S::TRANSITIONS.iter().map(|t| t.code).chain(field::KINDS.iter().map(|kind| kind.code));
    let mut toolsets = vec![toolset(S::NAME, S::OFFERED)];
    if !S::HISTORIC.1.is_empty() {
        toolsets.push(toolset(S::HISTORIC.0, S::HISTORIC.1));
    }
    Info {
        name: S::NAME.into(),
        title: S::TITLE.into(),
        toolsets,
        stages: vec![STAGE.into(), FIELD_STAGE.into()],
        families: codes.map(str::to_owned).collect(),
    }
}

/// The variants of `count` bases.
///
/// # Errors
/// `unsupported` for another stage, `invalid-input` where the parameters are wrong.
pub fn scenarios<S: Service>(request: &Request) -> Result<Vec<Scenario>, Error> {
    let pairs = match request.stage.as_str() {
        STAGE => pair::transitions::<S>,
        FIELD_STAGE => pair::field::<S>,
        other => return Err(Error::Unsupported(format!("unknown stage `{other}`"))),
    };
    let mut out = Vec::new();
    for base in bases::<S>(request)? {
        let parent = enrich::enrich::<S>(&base.history)?;
        for (variant, later) in pairs(&base, &parent)? {
            out.push(pair::scenario::<S>(&request.stage, &variant, later)?);
        }
    }
    Ok(out)
}

/// The bases that a request names.
///
/// # Errors
/// `invalid-input` where the parameters are wrong.
pub fn bases<S: Service>(request: &Request) -> Result<Vec<Base>, Error> {
    let Parameters { first, bases } = serde_json::from_str(&request.parameters)
        .map_err(|e| Error::InvalidInput(format!("parameters: {e}; expected `first` and `bases` at most")))?;
    let Some(given) = bases else {
        let end = first.saturating_add(request.count).min(S::BASES);
        return (first..end).map(|index| S::base(index, request.seed)).collect();
    };
    let (skip, take) =
        (usize::try_from(first).unwrap_or(usize::MAX), usize::try_from(request.count).unwrap_or(usize::MAX));
    let mut out = Vec::new();
    for history in given.into_iter().skip(skip).take(take) {
        if history.format != HISTORY {
            let said = &history.format;
            return Err(Error::InvalidInput(format!("base `{}`: format `{said}`, expected `{HISTORY}`", history.id)));
        }
        if history.domain != S::NAME {
            let said = &history.domain;
            return Err(Error::InvalidInput(format!("base `{}` is of domain `{said}`, not `{}`", history.id, S::NAME)));
        }
        out.push(Base::imported::<S>(history));
    }
    Ok(out)
}

/// A position as the records have it.
pub(crate) fn position(at: usize) -> Result<u32, Error> {
    u32::try_from(at).map_err(|_| Error::InvalidInput("the history is too long to count".into()))
}
