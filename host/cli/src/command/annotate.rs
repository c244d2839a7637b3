//! `weir annotate`: what a component says of itself, written into it.

use crate::common::{Outcome, print, print_json};
use clap::Args;
use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;
use weir_author::{Annotated, Changes};
use weir_metadata::{Capability, Limit};
use weir_suite::Error;

/// Arguments.
#[derive(Args)]
pub struct Annotate {
    /// The component; it is changed in its place, and its code stays as it is
    file: PathBuf,
    /// A project's weir.toml, which says everything; what else is given takes its place
    #[arg(long, value_name = "WEIR.TOML")]
    from: Option<PathBuf>,
    /// Forget what the component says now
    #[arg(long)]
    anew: bool,
    /// What its author calls it
    #[arg(long)]
    name: Option<String>,
    /// Its own version
    #[arg(long)]
    version: Option<String>,
    /// Who wrote it; may be given more than once
    #[arg(long = "author", value_name = "AUTHOR")]
    authors: Vec<String>,
    /// Its licence, as an SPDX expression
    #[arg(long)]
    licence: Option<String>,
    /// Where to read more: an address
    #[arg(long)]
    homepage: Option<String>,
    /// A capability that it cannot do without: log, transcript or model:ROLE; may be given more than once
    #[arg(long = "ask", value_name = "CAPABILITY")]
    asks: Vec<Capability>,
    /// A capability that it uses where it is granted; may be given more than once
    #[arg(long, value_name = "CAPABILITY")]
    optional: Vec<Capability>,
    /// A limit that it wants other than it is by default, such as hook-fuel=5000000; may be given more than once
    #[arg(long = "limit", value_name = "LIMIT=NUMBER", value_parser = limit)]
    limits: Vec<(Limit, u64)>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl Annotate {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let changes = Changes {
            from: self.from,
            anew: self.anew,
            name: self.name,
            version: self.version,
            authors: self.authors,
            licence: self.licence,
            homepage: self.homepage,
            asks: self.asks,
            optional: self.optional,
            limits: self.limits.into_iter().collect(),
        };
        let done = weir_author::annotate(&self.file, &changes)?;
        if self.json {
            print_json(&serde_json::json!({
                "component": self.file,
                "before": done.before,
                "after": done.after,
                "sha256": { "before": done.was, "after": done.is },
            }))?;
        } else {
            print(&readable(&self.file.display().to_string(), &done)?)?;
        }
        Ok(true)
    }
}

fn limit(text: &str) -> Result<(Limit, u64), String> {
    let (name, number) = text.split_once('=').ok_or("expected LIMIT=NUMBER, as in hook-fuel=5000000")?;
    Ok((name.parse()?, number.parse().map_err(|e| format!("{number}: {e}"))?))
}

/// What was said and is no more, and what is said now.
fn readable(file: &str, done: &Annotated) -> Result<String, Error> {
    if done.was == done.is {
        return Ok(format!("{file}: says all that already, nothing changed\n"));
    }
    let json = |e: serde_json::Error| Error::Input(e.to_string());
    let (before, after) =
        (serde_json::to_value(&done.before).map_err(json)?, serde_json::to_value(&done.after).map_err(json)?);
    let keys = |value: &Value| value.as_object().map(|o| o.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let mut all = keys(&after);
    all.extend(keys(&before).into_iter().filter(|key| after.get(key).is_none()));
    let mut text = format!("{file}\n");
    for key in all {
        let (was, is) = (before.get(&key), after.get(&key));
        for (sign, value) in [('-', was), ('+', is)] {
            if let Some(value) = value.filter(|_| was != is) {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "  {sign} {key:<9} {value}");
            }
        }
    }
    let _ = writeln!(text, "  sha256 {} is now {}", done.was, done.is);
    Ok(text)
}
