//! What is private in the trace, and whether the user had it read. Untrusted content may make an agent look something private
//! up; what it finds there is not for others, even if the user has something sent to them.

use crate::call::{Call, Value};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use weir_plugin::memory::word_list;
use weir_plugin::policy::{EdgeKind, Event, NodeKind, Proposal, Role};
use weir_plugin::{PRIVATE, host};

/// Words in a row that two texts do not have in common by chance.
const QUOTATION: usize = 5;

/// The private events of one rollout.
#[derive(Default)]
pub(crate) struct Private {
    events: BTreeMap<u32, Held>,
    /// The tool of the last read that was let through, and whether the user asked for it.
    reading: Option<(u32, bool)>,
}

/// A private event.
struct Held {
    /// Whether the user had it read.
    is_asked_for: bool,
    /// Whether it says something, rather than being a step of the agent's.
    has_content: bool,
    /// Its words in rows of [`QUOTATION`], once somebody wants to know.
    rows: OnceCell<BTreeSet<String>>,
}

impl Private {
    pub(crate) fn observe(&mut self, events: &[Event]) {
        for event in events {
            let read = (event.kind == NodeKind::ToolResult).then(|| self.reading.take()).flatten();
            if event.labels & PRIVATE == 0 {
                continue;
            }
            let of_the_read = read.filter(|(tool, _)| Some(*tool) == event.tool).is_none_or(|(_, asked)| asked);
            let flows = event.edges.iter().filter(|edge| edge.kind == EdgeKind::DataFlow);
            let inherited = flows.filter_map(|edge| self.events.get(&edge.parent)).all(|parent| parent.is_asked_for);
            let has_content = matches!(
                event.kind,
                NodeKind::Source | NodeKind::ToolResult | NodeKind::MemoryRecord | NodeKind::Message
            );
            let held = Held { is_asked_for: of_the_read && inherited, has_content, rows: OnceCell::new() };
            self.events.insert(event.id, held);
        }
    }

    /// A read is let through.
    pub(crate) fn reads(&mut self, proposal: &Proposal, is_asked_for: bool) {
        self.reading = Some((proposal.tool, is_asked_for));
    }

    /// The parameters of arguments by which others would get to read something private that the user did not have read.
    pub(crate) fn disclosed(&self, call: &Call<'_>) -> Vec<u32> {
        if self.events.is_empty() || !call.reaches_others() {
            return Vec::new();
        }
        let before = self.events.range(..call.proposal.event);
        let held: Vec<_> = before.filter(|(_, held)| held.has_content && !held.is_asked_for).collect();
        let is_public = |event: &u32| !self.events.contains_key(event);
        // Whom and what a call names is the ledger's business or the user's; here it is about what it says.
        let said = call.arguments.iter().filter(|value| matches!(value.role, Role::Content | Role::Other));
        let discloses = |value: &&Value<'_>| {
            // A single value that something public says too is no secret.
            let is_private = value.leaves.len() != 1 || !value.argument.sources.iter().any(is_public);
            held.iter().any(|&(event, held)| {
                is_private && value.argument.sources.contains(event) || held.is_quoted(*event, value)
            })
        };
        said.filter(discloses).map(|value| value.argument.parameter).collect()
    }
}

impl Held {
    /// Whether an argument has some of its words in a row.
    fn is_quoted(&self, event: u32, value: &Value<'_>) -> bool {
        let own = self.rows.get_or_init(|| host::text(event).map(|text| rows(&text).collect()).unwrap_or_default());
        value.leaves.iter().any(|leaf| rows(leaf).any(|row| own.contains(&row)))
    }
}

/// The words of a text, in rows of [`QUOTATION`].
fn rows(text: &str) -> impl Iterator<Item = String> {
    let words = word_list(text);
    let rows: Vec<String> = words.windows(QUOTATION).map(|row| row.join(" ")).collect();
    rows.into_iter()
}
