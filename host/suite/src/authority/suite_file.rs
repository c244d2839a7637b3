//! Files of authority suites: which bases, writers, conditions, arms and acting models each module has. Unknown keys are
//! errors, and so are names that nothing stands for.

use crate::error::{Error, nearest};
use serde::{Deserialize, Serialize};
use weir_rollout::memory::Given;
use weir_runtime::wit::writers::{Method, View};

/// The built-in suites.
const BUILT_IN: [(&str, &str, Option<&str>); 1] =
    [("authmem", include_str!("../../suites/authmem.toml"), Some(include_str!("../../suites/authmem.scenarios.json")))];

/// The word under `kind` that tells these suites from the others.
pub const KIND: &str = "authority";

/// An authority suite.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuthoritySuite {
    /// [`KIND`].
    pub kind: String,
    /// Its name.
    pub name: String,
    /// One line for a reader.
    pub title: String,
    /// Rollout seeds of Modules B and C.
    pub seeds: Vec<u64>,
    /// The most memories that a writer may write.
    pub limit: u32,
    /// How writers write.
    pub method: MethodName,
    /// Base histories.
    pub bases: Vec<Bases>,
    /// Writers, by name or path.
    pub writers: Vec<Writer>,
    /// Conditions of Module B.
    pub conditions: Vec<Condition>,
    /// Arms of Module C.
    pub arms: Vec<Arm>,
    /// Module A.
    #[serde(default)]
    pub writing: Vec<WritingPart>,
    /// Module B.
    #[serde(default)]
    pub acting: Vec<ActingPart>,
    /// Module C.
    #[serde(default)]
    pub pipeline: Vec<PipelinePart>,
    /// The frozen scenarios of a built-in suite.
    #[serde(skip)]
    pub frozen: Option<&'static str>,
}

/// Base histories that a domain makes pairs of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bases {
    /// The domain, by name or path.
    pub domain: String,
    /// `authority`, or another stage of the domain with pairs.
    pub stage: String,
    /// How many bases.
    pub count: u32,
    /// Seed of the bases themselves.
    pub seed: u64,
}

/// A writer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Writer {
    /// By name or path.
    pub name: String,
    /// The focal span is marked for it, without its label.
    #[serde(default)]
    pub marks: bool,
}

/// A condition of Module B.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Its name in tables.
    pub key: String,
    /// The memory that the benchmark gives.
    pub memory: MemoryName,
    /// The memory comes with its gold label.
    #[serde(default)]
    pub gold: bool,
    /// The policy that shows it, by name or path.
    pub policy: String,
}

/// An arm of Module C.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// Its name in tables.
    pub key: String,
    /// Memories come with their gold labels.
    #[serde(default)]
    pub gold: bool,
    /// The policy that labels and shows them, by name or path.
    pub policy: String,
}

/// Writers in views.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WritingPart {
    /// Of the suite's writers.
    pub writers: Vec<String>,
    /// Which part of the history they read.
    pub view: ViewName,
}

/// Conditions with acting models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActingPart {
    /// Of the suite's conditions.
    pub conditions: Vec<String>,
    /// Acting models: built-in names, or profile files.
    pub models: Vec<String>,
}

/// Writers with arms and acting models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelinePart {
    /// Of the suite's writers.
    pub writers: Vec<String>,
    /// Which part of the history they read.
    pub view: ViewName,
    /// Of the suite's arms.
    pub arms: Vec<String>,
    /// Acting models: built-in names, or profile files.
    pub models: Vec<String>,
}

/// A memory that the benchmark gives, as files write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryName {
    /// None.
    Off,
    /// Without its source.
    Washed,
    /// With its source.
    Attributed,
    /// Everything but the focal proposition.
    Null,
}

/// A view, as files write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViewName {
    /// All turns with their roles.
    Full,
    /// What the memory system really shows to its model.
    Native,
}

/// A method, as files write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodName {
    /// By rules.
    Rules,
    /// With a model.
    Model,
}

impl From<MemoryName> for Given {
    fn from(name: MemoryName) -> Self {
        match name {
            MemoryName::Off => Given::Off,
            MemoryName::Washed => Given::Washed,
            MemoryName::Attributed => Given::Attributed,
            MemoryName::Null => Given::Null,
        }
    }
}

impl From<ViewName> for View {
    fn from(name: ViewName) -> Self {
        match name {
            ViewName::Full => View::Full,
            ViewName::Native => View::Native,
        }
    }
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Rules => Method::Rules,
            MethodName::Model => Method::Model,
        }
    }
}

impl AuthoritySuite {
    /// Reads a suite's text.
    ///
    /// # Errors
    /// What is wrong, with its line or field.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let suite: Self = toml::from_str(text).map_err(|e| Error::Input(format!("{name}: {e}")))?;
        suite.check().map_err(|what| Error::Input(format!("{name}: {what}")))?;
        Ok(suite)
    }

    /// A built-in authority suite by name, or an authority suite's file by path; none where it is a suite of another kind,
    /// or there is none.
    ///
    /// # Errors
    /// Where it cannot be read, or is wrong.
    pub fn find(wanted: &str) -> Result<Option<Self>, Error> {
        #[derive(Deserialize)]
        struct Kinded {
            kind: Option<String>,
        }
        if !wanted.ends_with(".toml") {
            return Self::built_in(wanted);
        }
        let bytes = crate::input::read(std::path::Path::new(wanted))?;
        let text = String::from_utf8(bytes).map_err(|e| Error::Input(format!("{wanted}: not UTF-8: {e}")))?;
        match toml::from_str::<Kinded>(&text) {
            Ok(Kinded { kind: Some(_) }) => Self::parse(wanted, &text).map(Some),
            // What is wrong with a file without a kind is told by the reader of live suites.
            _ => Ok(None),
        }
    }

    /// A built-in authority suite; none where no authority suite has this name.
    ///
    /// # Errors
    /// Where it is wrong.
    pub fn built_in(wanted: &str) -> Result<Option<Self>, Error> {
        let Some((name, text, frozen)) = BUILT_IN.iter().find(|(name, ..)| *name == wanted) else { return Ok(None) };
        Ok(Some(AuthoritySuite { frozen: *frozen, ..Self::parse(name, text)? }))
    }

    /// Names of the built-in authority suites.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, ..)| *name)
    }

    fn check(&self) -> Result<(), String> {
        if self.kind != KIND {
            return Err(format!("`kind` is `{}`: an authority suite says `{KIND}`", self.kind));
        }
        for (what, empty) in [("seeds", self.seeds.is_empty()), ("bases", self.bases.is_empty())] {
            if empty {
                return Err(format!("`{what}` is empty: name at least one"));
            }
        }
        if self.limit == 0 {
            return Err("`limit` is 0: a writer may write at least one memory".into());
        }
        let writers: Vec<&str> = self.writers.iter().map(|writer| writer.name.as_str()).collect();
        let conditions: Vec<&str> = self.conditions.iter().map(|condition| condition.key.as_str()).collect();
        let arms: Vec<&str> = self.arms.iter().map(|arm| arm.key.as_str()).collect();
        for part in &self.writing {
            known("writing.writers", &part.writers, &writers)?;
        }
        for part in &self.acting {
            known("acting.conditions", &part.conditions, &conditions)?;
            filled("acting.models", &part.models)?;
        }
        for part in &self.pipeline {
            known("pipeline.writers", &part.writers, &writers)?;
            known("pipeline.arms", &part.arms, &arms)?;
            filled("pipeline.models", &part.models)?;
        }
        if self.writing.is_empty() && self.acting.is_empty() && self.pipeline.is_empty() {
            return Err("no module: it has none of `writing`, `acting` and `pipeline`".into());
        }
        Ok(())
    }

    /// Lets a policy take part: as a condition with the washed memory, and as an arm, each with every model that the suite
    /// has there.
    pub fn add_policy(&mut self, policy: &str) {
        let key = std::path::Path::new(policy)
            .file_stem()
            .map_or_else(|| policy.to_owned(), |stem| stem.to_string_lossy().into_owned());
        self.conditions.push(Condition {
            key: key.clone(),
            memory: MemoryName::Washed,
            gold: false,
            policy: policy.to_owned(),
        });
        self.arms.push(Arm { key: key.clone(), gold: false, policy: policy.to_owned() });
        self.acting.iter_mut().for_each(|part| part.conditions.push(key.clone()));
        self.pipeline.iter_mut().for_each(|part| part.arms.push(key.clone()));
    }

    /// Lets a writer take part, wherever the suite has writers.
    pub fn add_writer(&mut self, writer: &str) {
        self.writers.push(Writer { name: writer.to_owned(), marks: false });
        self.writing.iter_mut().for_each(|part| part.writers.push(writer.to_owned()));
        self.pipeline.iter_mut().for_each(|part| part.writers.push(writer.to_owned()));
    }

    /// Names of the acting models.
    #[must_use]
    pub fn models(&self) -> Vec<String> {
        self.acting
            .iter()
            .flat_map(|part| &part.models)
            .chain(self.pipeline.iter().flat_map(|p| &p.models))
            .cloned()
            .collect()
    }

    /// Replaces the acting models.
    pub fn set_models(&mut self, models: &[String]) {
        self.acting.iter_mut().for_each(|part| part.models = models.to_vec());
        self.pipeline.iter_mut().for_each(|part| part.models = models.to_vec());
    }
}

fn filled(what: &str, names: &[String]) -> Result<(), String> {
    if names.is_empty() { Err(format!("`{what}` is empty: name at least one")) } else { Ok(()) }
}

fn known(what: &str, names: &[String], all: &[&str]) -> Result<(), String> {
    filled(what, names)?;
    let Some(unknown) = names.iter().find(|name| !all.contains(&name.as_str())) else { return Ok(()) };
    let hint = nearest(unknown, all.iter().copied()).map(|name| format!("; did you mean `{name}`?"));
    Err(format!("`{what}` names `{unknown}`{}\n  the file has: {}", hint.unwrap_or_default(), all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> &'static str {
        BUILT_IN[0].1
    }

    /// What is said of the built-in suite's text after a replacement.
    fn said(from: &str, to: &str) -> String {
        assert!(text().contains(from), "{from}");
        AuthoritySuite::parse("mine.toml", &text().replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn the_built_in_suites_parse() {
        for name in AuthoritySuite::names() {
            assert_eq!(AuthoritySuite::built_in(name).unwrap().unwrap().name, name);
        }
        assert_eq!(AuthoritySuite::built_in("smoke").unwrap(), None);
    }

    #[test]
    fn unknown_keys_and_names_are_errors_that_say_where() {
        assert!(said("limit = 16", "limits = 16").contains("unknown field `limits`"));
        assert!(said("limit = 16", "limit = 0").contains("`limit` is 0"));
        assert!(said("kind = \"authority\"", "kind = \"memory\"").contains("`kind` is `memory`"));
        let unknown = said("writers = [\"mem0-classic\"", "writers = [\"mem0-clasic\"");
        assert!(unknown.contains("`writing.writers` names `mem0-clasic`; did you mean `mem0-classic`?"), "{unknown}");
    }

    #[test]
    fn a_policy_and_a_writer_of_ones_own_take_part_everywhere() {
        let mut suite = AuthoritySuite::built_in("authmem").unwrap().unwrap();
        suite.add_policy("./mine.wasm");
        suite.add_writer("./scribe.wasm");
        assert!(suite.acting.iter().all(|part| part.conditions.contains(&"mine".into())));
        assert!(suite.pipeline.iter().all(|part| part.arms.contains(&"mine".into())));
        assert!(suite.pipeline.iter().all(|part| part.writers.contains(&"./scribe.wasm".into())));
        suite.check().unwrap();
    }
}
