//! `weir bench`: what a plugin costs, beside built-in policies, beside an earlier version of itself, and beside the native
//! build of its project.

mod native;

use crate::command::inspect::{built_in, find};
use crate::common::{Failure, Operator, Outcome, print, print_json};
use clap::Args;
use indicatif::ProgressBar;
use native::Side;
use std::path::{Path, PathBuf};
use std::time::Duration;
use weir_author::{Native, ProjectFile};
use weir_report::page::{Block, Page, Section, Table};
use weir_report::render;
use weir_runtime::Kind;
use weir_suite::bench::{BESIDE, Bench as Measured, Change, Cost, against, compare, questions};
use weir_suite::plugins::Found;
use weir_suite::{Error, Plugins};

/// Arguments.
#[derive(Args)]
pub struct Bench {
    /// A project's folder, whose component `weir build` has made; a file; or a built-in plugin's name. A project that is a policy
    /// in Rust is compared with its native build too
    #[arg(default_value = ".")]
    plugin: String,
    /// Compare with the native build of this project, a policy in Rust: it is built with cargo and runs outside of the sandbox
    #[arg(long, value_name = "DIR")]
    native: Option<PathBuf>,
    /// Compare with this one: an earlier build's file, or a built-in name
    #[arg(long, value_name = "FILE|NAME")]
    baseline: Option<String>,
    /// Exit with 100 where the median fuel of an export, or of the whole, grew by more than this many percent
    #[arg(long, value_name = "PERCENT", requires = "baseline", value_parser = percent)]
    fail_above: Option<f64>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Bench {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let plugins = self.operator.plugins()?;
        let (found, kind, side) = self.subject(&plugins)?;
        let before = self.baseline.as_deref().map(|wanted| earlier(&plugins, wanted, kind)).transpose()?;
        let now = bench(&plugins, &found, kind)?;
        // Right after the component: the machine is in no other state.
        let native = match &side {
            Side::Built(native) => {
                let asked = questions(&plugins, &found)?;
                let times = waiting(&format!("{}, natively", now.name), || native.measure(asked.text(), now.rounds))?;
                Some(against(&now, &asked, &times)?)
            }
            Side::Nothing | Side::Missing(_) => None,
        };
        let before = before.map(|before| bench(&plugins, &before, kind)).transpose()?;
        let beside: &[&str] = if kind == Kind::Policy { &BESIDE } else { &[] };
        // A built-in policy stands beside others, and not beside itself.
        let beside = beside
            .iter()
            .filter(|name| **name != self.plugin)
            .map(|name| bench(&plugins, &Plugins::find(kind, name)?, kind))
            .collect::<Result<Vec<_>, Error>>()?;
        let changes = before.as_ref().map(|before| compare(before, &now)).unwrap_or_default();
        let limit = self.fail_above.unwrap_or(f64::INFINITY);
        let worse: Vec<&str> =
            changes.iter().filter(|change| change.grew_above(limit)).map(|change| change.name.as_str()).collect();
        let good = self.fail_above.is_none() || worse.is_empty();
        if self.json {
            print_json(&serde_json::json!({
                "bench": now, "native": native, "beside": beside, "baseline": before, "changes": changes,
                "fail_above": self.fail_above, "grew": if self.fail_above.is_some() { worse } else { Vec::new() },
            }))?;
            return Ok(good);
        }
        let mut blocks = vec![Block::Table(costs(&now))];
        blocks.extend(native.as_ref().map(|native| Block::Table(native::table(&now.name, native))));
        if !beside.is_empty() {
            blocks.push(Block::Table(beside_others(&now, &beside)));
        }
        if let Some(before) = &before {
            blocks.push(Block::Table(changed(before, &changes)));
        }
        let page = Page { sections: vec![Section { blocks, ..Section::default() }], ..Page::default() };
        let mut text = render::summary(&page);
        if let Some(limit) = self.fail_above {
            text += &match worse.as_slice() {
                [] => format!("no median fuel grew by more than {limit} %\n"),
                _ => format!("grew by more than {limit} %: {}\n", worse.join(", ")),
            };
        }
        if let Side::Missing(why) = &side {
            text += &format!("{why}\n");
        }
        print(&text)?;
        Ok(good)
    }

    /// What is measured, its kind, and what stands beside it. A native build that fails does so before anything is measured.
    fn subject(&self, plugins: &Plugins) -> Result<(Found, Kind, Side), Failure> {
        let folder = Path::new(&self.plugin);
        let project =
            (built_in(&self.plugin).is_none() && folder.is_dir()).then(|| ProjectFile::read(folder)).transpose()?;
        let found = match &project {
            Some(project) => component(folder, project)?,
            None => find(&self.plugin)?,
        };
        let kind = kind_of(plugins, &found)?;
        let side = match (&self.native, &project) {
            (Some(_), _) if kind != Kind::Policy => {
                let why = format!("--native: {} is a {}, and policies alone are compared so", found.name, kind.name());
                return Err(Error::Input(why).into());
            }
            (Some(native), _) => Side::Built(Native::build(native)?),
            (None, Some(project)) => Side::of(folder, project)?,
            (None, None) => Side::Nothing,
        };
        Ok((found, kind, side))
    }
}

/// What `weir build` made in a project's folder.
fn component(folder: &Path, project: &ProjectFile) -> Result<Found, Error> {
    let file = project.component(folder);
    if !file.is_file() {
        return Err(Error::Input(format!("{}: there is no such file yet\n  `weir build` makes it", file.display())));
    }
    Plugins::read(&file.to_string_lossy())
}

/// A component's kind, by what it exports.
fn kind_of(plugins: &Plugins, found: &Found) -> Result<Kind, Failure> {
    let report = plugins.loader().inspect(&found.name, &found.bytes)?;
    let none = || {
        Error::Input(format!("`{}` exports no interface of weir:plugin: `weir check` says what is missing", found.name))
    };
    Ok(report.kind.ok_or_else(none)?)
}

/// Measures one, and says so where standard error is a terminal.
fn bench(plugins: &Plugins, found: &Found, kind: Kind) -> Result<Measured, Error> {
    waiting(&found.name, || weir_suite::bench::bench(plugins, found, kind))
}

fn waiting<T>(what: &str, measure: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let bar = ProgressBar::new_spinner().with_message(format!("measuring {what}"));
    bar.enable_steady_tick(Duration::from_millis(100));
    let measured = measure();
    bar.finish_and_clear();
    measured
}

/// The plugin to compare with, which must be of the same kind.
fn earlier(plugins: &Plugins, wanted: &str, kind: Kind) -> Result<Found, Failure> {
    let found = find(wanted)?;
    let other = kind_of(plugins, &found)?;
    if other != kind {
        let (other, kind) = (other.name(), kind.name());
        return Err(
            Error::Input(format!("--baseline {wanted} is a {other}: a {kind} is compared with a {kind}")).into()
        );
    }
    Ok(found)
}

fn costs(bench: &Measured) -> Table {
    let row = |cost: &Cost| {
        vec![
            cost.name.clone(),
            cost.count.to_string(),
            grouped(cost.fuel.median),
            grouped(cost.fuel.p95),
            microseconds(cost.nanoseconds.median),
            microseconds(cost.nanoseconds.p95),
        ]
    };
    let whole = bench.whole.iter().map(|cost| Cost { name: format!("{}, in all", cost.name), ..cost.clone() });
    let head = ["export", "times", "fuel, median", "fuel, p95", "us, median", "us, p95"];
    Table {
        id: "costs".into(),
        title: format!(
            "{}, a {}, sha256 {}",
            bench.name,
            bench.kind.name(),
            bench.sha256.get(..12).unwrap_or_default()
        ),
        head: head.map(str::to_owned).to_vec(),
        rows: bench.exports.iter().map(row).chain(whole.map(|cost| row(&cost))).collect(),
        notes: vec![
            format!("Measured on {}.", bench.work),
            format!(
                "Fuel is the same on every machine. Times are of this machine as it was, over {} rounds; of an \
                 instantiation the making of its store too.",
                bench.rounds
            ),
            format!("Memory of one instance: at most {} KiB.", bench.memory.div_ceil(1024)),
        ],
    }
}

fn beside_others(bench: &Measured, others: &[Measured]) -> Table {
    let all = || std::iter::once(bench).chain(others);
    let median = |costs: &[Cost], name: &str| {
        costs.iter().find(|cost| cost.name == name).map_or("N/A".to_owned(), |cost| grouped(cost.fuel.median))
    };
    let line = |label: String, name: &str, costs: fn(&Measured) -> &[Cost]| {
        [label].into_iter().chain(all().map(|one| median(costs(one), name))).collect()
    };
    let exports = bench.exports.iter().map(|cost| line(cost.name.clone(), &cost.name, |one| &one.exports));
    let whole = bench.whole.iter().map(|cost| line(format!("{}, in all", cost.name), &cost.name, |one| &one.whole));
    Table {
        id: "beside".into(),
        title: "Median fuel beside built-in policies".into(),
        head: ["export".to_owned()].into_iter().chain(all().map(|one| one.name.clone())).collect(),
        rows: exports.chain(whole).collect(),
        notes: vec!["All are asked the same questions.".into()],
    }
}

fn changed(before: &Measured, changes: &[Change]) -> Table {
    let row = |change: &Change| {
        let percent = change.percent.map_or("from nothing".to_owned(), |percent| format!("{percent:+.1} %"));
        vec![change.name.clone(), grouped(change.before), grouped(change.now), percent]
    };
    Table {
        id: "changes".into(),
        title: format!("Median fuel against {}, sha256 {}", before.name, before.sha256.get(..12).unwrap_or_default()),
        head: ["export", "before", "now", "change"].map(str::to_owned).to_vec(),
        rows: changes.iter().map(row).collect(),
        notes: Vec::new(),
    }
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn microseconds(nanoseconds: u64) -> String {
    format!("{}.{}", nanoseconds / 1000, nanoseconds % 1000 / 100)
}

/// A percentage as people write it: `5` or `5%`.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    let expected = || format!("expected a percentage from 0, such as 5 or 2.5%, not `{text}`");
    number.ok().filter(|percent| percent.is_finite() && *percent >= 0.0).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_percentage_is_a_finite_number_from_zero() {
        assert_eq!(["5", "2.5%", "0", "7 %"].map(percent), [Ok(5.0), Ok(2.5), Ok(0.0), Ok(7.0)]);
        for text in ["-1", "x", "inf", "NaN", "", "%"] {
            assert!(percent(text).unwrap_err().contains("such as 5"), "{text}");
        }
    }
}
