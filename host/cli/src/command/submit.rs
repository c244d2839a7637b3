//! `weir submit`: a run's component as an entry for a leaderboard.

mod prepare;
mod validate;
mod verify;

pub use verify::roles;

use crate::common::{Failure, Outcome, print, print_json};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::fmt::Write;
use weir_leaderboard::validate::Validated;
use weir_suite::verify::Verification;

/// Findings that are printed.
const SHOWN: usize = 10;

/// Arguments.
#[derive(Args)]
pub struct Submit {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Make a submission of a finished run: checked, verified in full, and cut down to one component
    Prepare(Box<prepare::Prepare>),
    /// Check a submission's form, digests, signatures and plan; nothing is executed
    Validate(validate::Validate),
    /// Validate a submission, take its every decision again, and run a share of its rollouts again in full
    Verify(verify::Verify),
}

impl Submit {
    /// Runs it.
    pub fn run(self) -> Outcome {
        match self.step {
            Step::Prepare(prepare) => prepare.run(),
            Step::Validate(validate) => validate.run(),
            Step::Verify(verify) => verify.run(),
        }
    }
}

/// Prints what was found of a submission; whether all holds. `more` is printed, and of JSON part, where it does.
pub fn print_found(
    found: &Validated,
    verification: Option<&Verification>,
    more: &[(&str, Value)],
    json: bool,
) -> Result<bool, Failure> {
    let good = found.findings.is_empty();
    let entry = &found.entry;
    if json {
        let mut value = json!({
            "submission": entry.path,
            "component": entry.submission.component,
            "plan": found.measure,
            "executed": verification.map(|v| json!({ "traces": v.traces, "decisions": v.decisions, "rerun": v.rerun })),
            "holds": good,
            "findings": found.findings,
        });
        if let Some(object) = value.as_object_mut() {
            object.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        }
        print_json(&value)?;
        return Ok(good);
    }
    let mut text = String::new();
    // Writing to a String cannot fail.
    for (number, finding) in found.findings.iter().take(SHOWN).enumerate() {
        let of = finding.unit.as_ref().map(|unit| format!("unit {unit}: ")).unwrap_or_default();
        let _ = writeln!(text, "{of}{}", finding.what);
        if let Some(unit) = finding.unit.as_ref().filter(|_| number == 0) {
            let _ = writeln!(text, "    weir trace {} --unit {unit}", entry.path.display());
        }
    }
    if found.findings.len() > SHOWN {
        let _ = writeln!(text, "... and {} more", found.findings.len() - SHOWN);
    }
    let component = &entry.submission.component;
    let _ = writeln!(text, "{} {}  sha256 {}", component.kind.name(), component.name, component.sha256);
    if let Some(measure) = &found.measure {
        let _ = writeln!(text, "covers {measure}: {} rollouts", entry.submission.run.units);
    }
    let _ = match &entry.submission.public_key {
        _ if !good => Ok(()),
        Some(key) => writeln!(text, "signed with {key}"),
        None => writeln!(text, "not signed"),
    };
    if let Some(v) = verification {
        let _ = writeln!(
            text,
            "{} decisions in {} traces re-executed, {} rollouts run again in full",
            v.decisions, v.traces, v.rerun
        );
    }
    if good {
        for (name, value) in more {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let _ = writeln!(text, "{name}  {value}");
        }
    }
    let verdict = match (good, verification) {
        (true, Some(_)) => "verified",
        (true, None) => "valid",
        (false, Some(_)) => "NOT verified",
        (false, None) => "NOT valid",
    };
    let _ = writeln!(text, "{verdict}");
    print(&text)?;
    Ok(good)
}
