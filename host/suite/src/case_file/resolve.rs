//! From a file's words to the contract's types: the episode, and the steps in order.

use super::raw::{Raw, RawEntry, RawRule, RawTool};
use super::steps::Steps;
use super::{Case, Lookup, labels};
use crate::Error;
use std::ops::Range;
use weir_runtime::wit::policies::Episode;
use weir_trace::contract::{Authorization, Constraint, Parameter, Rule, Tool};
use weir_trace::json::canonical;

/// Reads a case's text. `file` is its name in messages.
pub(super) fn case(file: &str, text: &str, lookup: &mut Lookup<'_>) -> Result<Case, Error> {
    // The parser's own message has the line, the key and what may stand there.
    let raw: Raw = toml::from_str(text).map_err(|e| Error::Input(format!("{file}: {}", e.to_string().trim_end())))?;
    let input = |what: String| Error::Input(format!("{file}: {what}"));
    let mut tools = match (&raw.domain, &raw.toolset) {
        (Some(domain), toolset) => lookup(domain, toolset.as_deref())?,
        (None, Some(_)) => return Err(input("`toolset` is one of a domain's: name the `domain` too".into())),
        (None, None) => Vec::new(),
    };
    tools.extend(raw.tools.iter().map(tool));
    if let Some(twice) = tools.iter().enumerate().find(|(at, tool)| tools.iter().take(*at).any(|t| t.name == tool.name))
    {
        return Err(input(format!("tool `{}` is there twice", twice.1.name)));
    }
    let ledger = raw.ledger.iter().map(entry).collect::<Result<Vec<_>, _>>().map_err(input)?;
    let taint = labels::bits(&raw.taint, &raw.label_names).map_err(|what| input(format!("`taint`: {what}")))?;
    let mut steps = Steps::new(&tools, &raw.agents, &raw.label_names);
    for (number, step) in (1..).zip(&raw.steps) {
        let place = line(text, step.span());
        steps
            .add(number, place, step.as_ref())
            .map_err(|what| Error::Input(format!("{file}:{place}: step {number}: {what}")))?;
    }
    let steps = steps.finish();
    Ok(Case {
        file: file.to_owned(),
        about: raw.about,
        episode: Episode {
            goal: raw.goal,
            ledger: ledger.iter().map(Into::into).collect(),
            tools: tools.iter().map(Into::into).collect(),
            agents: raw.agents,
            label_names: raw.label_names,
            taint_vocabulary: taint,
        },
        canaries: raw.canaries,
        steps,
    })
}

/// The line on which a piece of the text begins, from 1.
fn line(text: &str, span: Range<usize>) -> usize {
    text.bytes().take(span.start).filter(|byte| *byte == b'\n').count().saturating_add(1)
}

fn tool(raw: &RawTool) -> Tool {
    let parameter = |raw: &super::raw::RawParameter| Parameter {
        name: raw.name.clone(),
        role: raw.role,
        required: raw.required,
        schema: raw.schema.clone(),
    };
    Tool {
        name: raw.name.clone(),
        description: raw.description.clone(),
        effect: raw.effect,
        parameters: raw.parameters.iter().map(parameter).collect(),
    }
}

fn entry(raw: &RawEntry) -> Result<Authorization, String> {
    let constraint = |raw: &super::raw::RawConstraint| {
        let value = |value: &toml::Value| json(value).map(|value| canonical(&value));
        let rule = match &raw.rule {
            RawRule::Any => Ok(Rule::Any),
            RawRule::Absent => Ok(Rule::Absent),
            RawRule::Equals(one) => value(one).map(Rule::Equals),
            RawRule::OneOf(many) => many.iter().map(value).collect::<Result<_, _>>().map(Rule::OneOf),
            RawRule::Prefix(beginning) => Ok(Rule::Prefix(beginning.clone())),
            RawRule::AtMost(number) => Ok(Rule::AtMost(*number)),
            RawRule::MaxLength(length) => Ok(Rule::MaxLength(*length)),
        };
        let rule = rule.map_err(|what| format!("the ledger's rule on `{}`: {what}", raw.argument))?;
        Ok::<_, String>(Constraint { argument: raw.argument.clone(), rule })
    };
    Ok(Authorization {
        action: raw.action.clone(),
        targets: raw.targets.clone(),
        constraints: raw.constraints.iter().map(constraint).collect::<Result<_, _>>()?,
    })
}

/// A TOML value as JSON.
pub(super) fn json(value: &toml::Value) -> Result<serde_json::Value, String> {
    Ok(match value {
        toml::Value::String(text) => text.as_str().into(),
        toml::Value::Integer(number) => (*number).into(),
        toml::Value::Float(number) => {
            serde_json::Number::from_f64(*number).ok_or_else(|| format!("JSON has no number {number}"))?.into()
        }
        toml::Value::Boolean(is) => (*is).into(),
        toml::Value::Datetime(_) => return Err("JSON has no dates: write it as a string, in quotes".into()),
        toml::Value::Array(items) => items.iter().map(json).collect::<Result<Vec<_>, _>>()?.into(),
        toml::Value::Table(pairs) => serde_json::Value::Object(object(pairs)?),
    })
}

/// A TOML table as a JSON object.
pub(super) fn object(pairs: &toml::Table) -> Result<serde_json::Map<String, serde_json::Value>, String> {
    pairs.iter().map(|(key, value)| Ok((key.clone(), json(value)?))).collect()
}
