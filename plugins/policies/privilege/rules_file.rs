//! The form of `rules.toml`: what a rule may say, and the table that it becomes. Unknown keys are errors.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "rule")]
    rules: Vec<Rule>,
    fallback: Fallback,
}

/// What decides where no rule does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fallback {
    rule: String,
    effect: Effect,
    message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rule {
    rule: String,
    priority: u32,
    effect: Effect,
    message: String,
    #[serde(default)]
    tools: Vec<String>,
    #[serde(default)]
    effects: Vec<Kind>,
    risk: Option<Risk>,
    ledger: Option<Granted>,
    #[serde(default)]
    task: Task,
    #[serde(default, rename = "argument")]
    arguments: Vec<Argument>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Effect {
    Forbid,
    Confirm,
    Allow,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Read,
    EgressRead,
    Draft,
    SideEffect,
    MemoryWrite,
    Recovery,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Risk {
    High,
    Low,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Granted {
    Call,
    Targets,
    Action,
    Nothing,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Task {
    says: Vec<String>,
    silent_on: Vec<String>,
    names_address: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Argument {
    #[serde(default)]
    roles: Vec<Role>,
    #[serde(default)]
    names: Vec<String>,
    which: Which,
    equals: Option<String>,
    one_of: Option<Vec<String>>,
    prefix: Option<String>,
    suffix: Option<String>,
    glob: Option<Vec<String>>,
    domain: Option<Vec<String>>,
    #[serde(rename = "in")]
    within: Option<Within>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Role {
    Recipient,
    Target,
    Visibility,
    Content,
    Other,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    Every,
    Some,
    NotEvery,
    None,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Within {
    Request,
    Ledger,
    NamedDomains,
}

/// The table that the rules become: a `Rules` in Rust, in the order in which they are asked.
///
/// # Errors
/// What is wrong, with the rule or the line where it stands.
pub fn table(text: &str) -> Result<String, String> {
    let File { mut rules, fallback } = toml::from_str(text).map_err(|e| e.to_string())?;
    let mut seen = BTreeSet::new();
    for name in rules.iter().map(|rule| &rule.rule).chain([&fallback.rule]) {
        identifier(name)?;
        if !seen.insert(name) {
            return Err(format!(
                "two rules are called `{name}`: a decision names its rule, so each needs its own name"
            ));
        }
    }
    for rule in &rules {
        rule.check().map_err(|problem| format!("rule `{}`: {problem}", rule.rule))?;
    }
    // Within a priority the stricter one first; the sort keeps the file's order otherwise.
    rules.sort_by_key(|rule| (rule.priority, rule.effect));
    let mut out = String::from("Rules {\n    rules: &[\n");
    for rule in &rules {
        rule.write(&mut out)?;
    }
    let Fallback { rule, effect, message } = fallback;
    let _ = writeln!(
        out,
        "    ],\n    fallback: Named {{ rule: {rule:?}, effect: Effect::{effect:?}, message: {message:?} }},\n}}"
    );
    Ok(out)
}

/// The contract's form of a rule's name.
fn identifier(name: &str) -> Result<(), String> {
    let mut words = name.split('_');
    if words.all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase())) {
        return Ok(());
    }
    Err(format!("`{name}` is no rule's name: write lower-case words joined by underscores"))
}

impl Rule {
    fn check(&self) -> Result<(), String> {
        let Task { says, silent_on, .. } = &self.task;
        let mut texts: Vec<&String> = self.tools.iter().chain(says).chain(silent_on).collect();
        for argument in &self.arguments {
            argument.test()?;
            let lists = [&argument.one_of, &argument.glob, &argument.domain];
            if lists.iter().any(|list| list.as_ref().is_some_and(Vec::is_empty)) {
                return Err("a test with an empty list never passes: give it at least one text".into());
            }
            texts.extend(&argument.names);
            texts.extend([&argument.equals, &argument.prefix, &argument.suffix].into_iter().flatten());
            texts.extend(lists.into_iter().flatten().flatten());
        }
        match texts.iter().find(|text| text.trim().is_empty() || text.to_lowercase() != ***text) {
            Some(text) if text.trim().is_empty() => Err("an empty text tests nothing: leave it out".into()),
            Some(text) => Err(format!("`{text}` never fits: write it in lower case, as texts are compared")),
            None => Ok(()),
        }
    }

    fn write(&self, out: &mut String) -> Result<(), String> {
        let Rule { rule, effect, message, tools, effects, risk, ledger, task, arguments, .. } = self;
        let Task { says, silent_on, names_address } = task;
        let _ = writeln!(
            out,
            "        Rule {{ named: Named {{ rule: {rule:?}, effect: Effect::{effect:?}, message: {message:?} }},\n\
             tools: &{tools:?}, effects: &[{}], risk: {}, ledger: {},\n\
             task: Task {{ says: &{says:?}, silent_on: &{silent_on:?}, names_address: {names_address:?} }}, arguments: &[",
            listed("Kind", effects),
            maybe("Risk", risk.as_ref()),
            maybe("Granted", ledger.as_ref()),
        );
        for argument in arguments {
            let Argument { roles, names, which, .. } = argument;
            let (roles, test) = (listed("Role", roles), argument.test()?);
            let _ = writeln!(
                out,
                "            Argument {{ roles: &[{roles}], names: &{names:?}, which: Which::{which:?}, test: {test} }},"
            );
        }
        out.push_str("        ] },\n");
        Ok(())
    }
}

impl Argument {
    /// What a value must be, as Rust.
    fn test(&self) -> Result<String, String> {
        let Argument { equals, one_of, prefix, suffix, glob, domain, within, .. } = self;
        let tests = [
            equals.as_ref().map(|text| format!("Test::OneOf(&{:?})", [text])),
            one_of.as_ref().map(|texts| format!("Test::OneOf(&{texts:?})")),
            prefix.as_ref().map(|text| format!("Test::Prefix({text:?})")),
            suffix.as_ref().map(|text| format!("Test::Suffix({text:?})")),
            glob.as_ref().map(|texts| format!("Test::Glob(&{texts:?})")),
            domain.as_ref().map(|texts| format!("Test::Domain(&{texts:?})")),
            within.as_ref().map(|within| format!("Test::In(Within::{within:?})")),
        ];
        let mut given = tests.into_iter().flatten();
        match (given.next(), given.next()) {
            (None, _) => Ok("Test::Given".into()),
            (Some(test), None) => Ok(test),
            (Some(_), Some(_)) => {
                Err("a condition on an argument has one test: write a second `[[rule.argument]]` for the other".into())
            }
        }
    }
}

fn listed<T: std::fmt::Debug>(name: &str, values: &[T]) -> String {
    values.iter().map(|value| format!("{name}::{value:?}")).collect::<Vec<_>>().join(", ")
}

fn maybe<T: std::fmt::Debug>(name: &str, value: Option<&T>) -> String {
    value.map_or("None".into(), |value| format!("Some({name}::{value:?})"))
}
