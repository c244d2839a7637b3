//! `weir trace`: one rollout, readable.

use crate::common::{Failure, Operator, Outcome, print, print_file, print_json};
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;
use weir_runtime::Kind;
use weir_runtime::fault::printable;
use weir_suite::case_file::{Domains, of_decision};
use weir_suite::store::{Store, TRACES, open_traces};
use weir_suite::{Error, Plugins, input};
use weir_trace::{Body, Event, NodeKind, Origin, Repair, Trace as Whole, Verdict, fact, label};

/// Characters of an event's text that are shown.
const SHOWN: usize = 160;

/// Arguments.
#[derive(Args)]
#[command(
    after_help = "An event is its number, kind, labels, agent where there are several, text, {facts}, and `<-` the events that it comes from. \
Labels: ! untrusted, c canary, p private, q quarantined."
)]
pub struct Trace {
    /// A run's folder, or a file of traces
    path: PathBuf,
    /// Which one: its position from 1, or the beginning of its unit's identifier
    #[arg(long, short, value_name = "UNIT", default_value = "1")]
    unit: String,
    /// Show whole texts
    #[arg(long)]
    full: bool,
    /// Print as JSON
    #[arg(long, conflicts_with = "as_case")]
    json: bool,
    /// Print a case for `weir test` of the decision in this event
    #[arg(long, value_name = "EVENT")]
    as_case: Option<u32>,
    /// With --as-case: write the case to this file instead
    #[arg(long, value_name = "FILE", requires = "as_case")]
    out: Option<PathBuf>,
    #[command(flatten)]
    operator: Operator,
}

impl Trace {
    /// Runs it.
    pub fn run(self) -> Outcome {
        if self.path.is_dir() {
            // Says of any other folder that it is no run, and of a run that was ended early that it is not complete.
            let store = Store::open(&self.path)?;
            store.manifest()?;
            drop(store.rows()?);
        }
        let file = if self.path.is_dir() { self.path.join(TRACES) } else { self.path.clone() };
        let mut reader = open_traces(&file)?;
        let position = self.unit.parse::<usize>().ok().filter(|_| self.unit.len() < 8);
        let mut number = 0;
        while let Some((trace, digest)) = reader.next_trace().map_err(|e| Error::codec(&file, e))? {
            number += 1;
            if position.map_or_else(|| trace.header.unit.starts_with(&self.unit), |wanted| wanted == number) {
                if let Some(decision) = self.as_case {
                    self.write_case(&trace, decision)?;
                } else if self.json {
                    print_json(
                        &serde_json::json!({ "header": trace.header, "events": trace.events, "sha256": digest }),
                    )?;
                } else {
                    print(&readable(&trace, &digest, self.full))?;
                }
                return Ok(true);
            }
        }
        Err(Error::Input(format!("{} has {number} traces, none of them is `{}`", file.display(), self.unit)).into())
    }

    /// The case of a decision.
    fn write_case(&self, trace: &Whole, decision: u32) -> Result<(), Failure> {
        let plugins = self.operator.plugins()?;
        let domain = domain(&plugins, trace)?;
        let domain = domain.as_ref().map(|(domain, toolset)| (domain.as_str(), toolset.as_deref()));
        let case = of_decision(trace, decision, domain)?;
        let Some(file) = &self.out else { return print_file(&case) };
        if file.exists() {
            return Err(Error::Input(format!("{}: exists already: give another --out", file.display())).into());
        }
        input::write(file, case.as_bytes())?;
        print(&format!("wrote {}: `weir test POLICY {0}` runs it\n", file.display()))
    }
}

/// The built-in domain and toolset whose tools the trace has. Of another domain the tools are written down.
fn domain(plugins: &Plugins, trace: &Whole) -> Result<Option<(String, Option<String>)>, Error> {
    let name = &trace.header.domain.name;
    if !Plugins::names(Kind::Domain).any(|known| known == name) {
        return Ok(None);
    }
    let mut domains = Domains::new(plugins);
    let toolsets = domains.toolsets(name)?;
    let place = toolsets.iter().position(|(_, tools)| *tools == *trace.tools);
    let found = place.and_then(|at| Some((at, toolsets.get(at)?)));
    Ok(found.map(|(at, (toolset, _))| (name.clone(), (at > 0).then(|| toolset.clone()))))
}

fn readable(trace: &Whole, digest: &str, full: bool) -> String {
    let header = &trace.header;
    let mut text =
        format!("unit      {}\nsha256    {digest}\nscenario  {}  ({})\n", header.unit, header.scenario, header.stage);
    // Writing to a String cannot fail.
    let _ = match &header.origin {
        Origin::Live { model, simulated, seed, .. } => {
            writeln!(text, "model     {model}{}  seed {seed}", if *simulated { " (simulated)" } else { "" })
        }
        Origin::Recorded { run } => writeln!(
            text,
            "recorded  {} {}{}  attack success {}",
            run.pipeline,
            run.file,
            run.line.map(|line| format!(" line {line}")).unwrap_or_default(),
            run.attack_success.map_or("N/A".into(), |s| s.to_string())
        ),
    };
    if let Some(policy) = &header.policy {
        let _ = writeln!(text, "policy    {}  {}", policy.name, policy.digest.get(..12).unwrap_or(&policy.digest));
    }
    let _ = writeln!(text, "goal      {}\n", shorten(&header.goal, full));
    for event in &trace.events {
        let _ = writeln!(text, "{}", line(trace, event, full));
    }
    text
}

fn line(trace: &Whole, event: &Event, full: bool) -> String {
    let tool = event.tool.and_then(|t| usize::try_from(t).ok()).and_then(|t| trace.tools.get(t));
    let kind = match event.kind {
        NodeKind::Source => "source",
        NodeKind::AgentState => "agent state",
        NodeKind::Message => "message",
        NodeKind::MemoryRecord => "memory",
        NodeKind::Proposal => "proposal",
        NodeKind::Decision => "decision",
        NodeKind::ToolResult => "result",
        NodeKind::Commit => "commit",
        NodeKind::Recovery => "recovery",
    };
    let parents: Vec<String> = event.edges.iter().map(|edge| edge.parent.to_string()).collect();
    let what = match &event.body {
        Body::Proposal { .. } => format!("{} {}", tool.map_or("?", |t| &t.name), shorten(&event.text, full)),
        Body::Decision { verdict, rule, message, fuel, .. } => {
            let verdict = match verdict {
                Verdict::Allow => "ALLOW",
                Verdict::Block => "BLOCK",
                Verdict::Confirm => "CONFIRM",
                Verdict::Replace => "REPLACE",
            };
            format!("{verdict} {} {} (fuel {fuel})", rule.as_deref().unwrap_or("-"), shorten(message, full))
        }
        Body::Commit { targets } => format!("{} {}", tool.map_or("?", |t| &t.name), shorten(&targets.join(", "), full)),
        Body::Text { origin } => format!("[{origin}] {}", shorten(&event.text, full)),
        Body::ToolResult { .. } => shorten(&event.text, full),
        Body::Message { to } => {
            let to = to.and_then(|to| usize::try_from(to).ok()).and_then(|to| trace.header.agents.get(to));
            format!("[to {}] {}", to.map_or("user", String::as_str), shorten(&event.text, full))
        }
        Body::Repair { action, target, done } => {
            let action = match action {
                Repair::Rollback => "rollback of call",
                Repair::Quarantine => "quarantine of memory",
                Repair::Scrub => "scrub of memory",
            };
            format!("{action} {}{}", shorten(target, full), if *done { "" } else { " (not possible)" })
        }
    };
    let from = if parents.is_empty() { String::new() } else { format!("  <- {}", parents.join(",")) };
    let agents = &trace.header.agents;
    let agent = usize::try_from(event.agent).ok().and_then(|index| agents.get(index)).filter(|_| agents.len() > 1);
    let agent = agent.map(|name| format!("({}) ", shorten(name, full))).unwrap_or_default();
    format!("{:>4} {kind:<12} {:<2} {agent}{what}{}{from}", event.id, labels(event), facts(event))
}

/// `!` untrusted, `c` canary, `p` private.
fn labels(event: &Event) -> String {
    let marks = [(label::UNTRUSTED, '!'), (label::CANARY, 'c'), (label::PRIVATE, 'p'), (label::QUARANTINED, 'q')];
    marks.iter().filter(|(bit, _)| event.labels & bit != 0).map(|(_, mark)| *mark).collect()
}

fn facts(event: &Event) -> String {
    let known: Vec<&str> = fact::SHOWN.iter().filter(|(bit, _)| event.is(*bit)).map(|(_, name)| *name).collect();
    if known.is_empty() { String::new() } else { format!("  {{{}}}", known.join(", ")) }
}

/// Trace text is hostile: control characters never reach the terminal.
fn shorten(text: &str, full: bool) -> String {
    let text = printable(text);
    if full || text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN).chain("...".chars()).collect()
}
