//! `weir test`: a policy's cases, each a file with an episode, events, questions and the answers that must come.

use crate::common::{Failure, Operator, Outcome, print, print_json};
use clap::Args;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use weir_runtime::fault::printable;
use weir_suite::case_file::{self, Case, Domains, blessed, files};
use weir_suite::{Error, Plugins, input};

/// Where cases are unless it is said.
pub const CASES: &str = "cases";

/// Arguments.
#[derive(Args)]
pub struct Test {
    /// The policy: its file, or a built-in name [default: the one component in this folder]
    #[arg(value_name = "FILE|NAME")]
    policy: Option<String>,
    /// The folder of its cases, or one case [default: cases]
    #[arg(value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Write what was found in the place of what was expected
    #[arg(long)]
    bless: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Test {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let (policy, folder) = self.subject()?;
        let plugins = self.operator.plugins()?;
        let cases = read(&plugins, &folder)?;
        let (policy, found) = plugins.policy(&policy)?;
        let (mut outcomes, mut rewritten) = (Vec::new(), 0);
        for Read { path, text, case } in cases {
            let outcome = case.run(&policy)?;
            if self.bless && !outcome.holds {
                input::write(&path, blessed(&outcome.file, &text, &outcome.failures)?.as_bytes())?;
                rewritten += 1;
            }
            outcomes.push(outcome);
        }
        let held = outcomes.iter().filter(|outcome| outcome.holds).count();
        let good = self.bless || held == outcomes.len();
        if self.json {
            let policy = serde_json::json!({ "name": found.name, "sha256": policy.component().digest() });
            let summary =
                serde_json::json!({ "policy": policy, "cases": outcomes, "hold": held, "rewritten": rewritten });
            print_json(&summary)?;
            return Ok(good);
        }
        let mut text = String::new();
        for outcome in &outcomes {
            tell(&mut text, outcome, self.bless);
        }
        let (all, name) = (outcomes.len(), &found.name);
        // Writing to a String cannot fail.
        let _ = match self.bless {
            true => writeln!(text, "`{name}`: {held} of {all} cases hold, {rewritten} rewritten"),
            false => writeln!(text, "`{name}`: {held} of {all} cases hold"),
        };
        print(&text)?;
        Ok(good)
    }

    /// The policy and its cases. One argument that is a folder or a case names the cases, any other the policy.
    fn subject(&self) -> Result<(String, PathBuf), Failure> {
        let is_cases = |given: &str| Path::new(given).is_dir() || given.ends_with(".toml");
        let (policy, cases) = match (&self.policy, &self.cases) {
            (Some(given), None) if is_cases(given) => (None, Some(PathBuf::from(given))),
            (policy, cases) => (policy.clone(), cases.clone()),
        };
        let policy = policy.map_or_else(the_one_component, Ok)?;
        Ok((policy, cases.unwrap_or_else(|| CASES.into())))
    }
}

/// A case with the file that it stands in.
pub struct Read {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What it says.
    pub case: Case,
}

/// The cases in a folder, or the one in a file. All are read before any is run: a broken one is told before there are
/// results.
pub fn read(plugins: &Plugins, folder: &Path) -> Result<Vec<Read>, Error> {
    let mut domains = Domains::new(plugins);
    let one = |path: PathBuf| {
        let name = path.display().to_string();
        let text =
            String::from_utf8(input::read(&path)?).map_err(|e| Error::Input(format!("{name}: not UTF-8: {e}")))?;
        let case = Case::parse(&name, &text, &mut |domain, toolset| domains.tools(domain, toolset))?;
        Ok(Read { path, text, case })
    };
    files(folder)?.into_iter().map(one).collect()
}

/// The component in the current folder.
fn the_one_component() -> Result<String, Error> {
    let entries = fs::read_dir(".").map_err(|e| Error::io(".", e))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut found: Vec<String> = names.filter(|name| Plugins::is_path(name)).collect();
    found.sort();
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Error::Input(
            "there is no component in this folder to test\n  name a policy: a built-in one, or a file such as ./mine.wasm".into(),
        )),
        many => Err(Error::Input(format!("which one is to be tested? Here are {}", many.join(", ")))),
    }
}

/// Tells what became of a case.
pub fn tell(text: &mut String, outcome: &case_file::Outcome, bless: bool) {
    let mark = match (outcome.holds, bless) {
        (true, _) => "pass",
        (false, true) => "NEW ",
        (false, false) => "FAIL",
    };
    let mut line = |line: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{line}");
    };
    line(format!("{mark}  {}: {}", outcome.file, printable(&outcome.about)));
    for failure in &outcome.failures {
        line(format!("      line {}, step {}: {}", failure.line, failure.step, printable(&failure.asked)));
        if failure.differences.is_empty() {
            line("        nothing is expected yet; --bless writes down what was found:".into());
            for (key, value) in failure.found.stated().into_iter().filter(|(key, _)| *key != "message") {
                line(format!("        + {key} = {}", one_line(&value.to_string())));
            }
        }
        for difference in &failure.differences {
            for (sign, value) in [('-', &difference.expected), ('+', &difference.found)] {
                if let Some(value) = value {
                    line(format!("        {sign} {} = {}", difference.key, one_line(value)));
                }
            }
        }
        let shown = failure.differences.iter().any(|difference| difference.key == "message");
        if let Some(message) = failure.found.message.as_deref().filter(|_| !shown) {
            line(format!("        it says: {}", printable(message)));
        }
    }
}

/// A value of several lines in one.
fn one_line(value: &str) -> String {
    value.replace('\n', "\\n")
}
