//! Figure 2: the same scenario and seed under two policies, step by step, down to where they part (ContainmentBench figure 2,
//! cases 2 and 3 of table 21).

use super::svg::{Anchor, Canvas, shorten, wrap};
use crate::cases::redact;
use crate::page::Figure;
use weir_trace::{Body, Event, NodeKind, Trace, Verdict, fact};

/// The two rollouts. They are of one scenario and one seed.
#[derive(Clone, Copy, Debug)]
pub struct Parting<'a> {
    /// On the left, for example under taint-only.
    pub left: &'a Trace,
    /// On the right, for example under the intent ledger.
    pub right: &'a Trace,
}

/// Cards in a column; what comes after is told in a line.
const CARDS: usize = 8;
const WIDE: f64 = 372.0;
const GAP: f64 = 24.0;
const INSIDE: f64 = WIDE - 28.0;

/// A card of the figure.
struct Card {
    class: &'static str,
    head: (&'static str, String),
    lines: Vec<String>,
}

/// Figure 2.
#[must_use]
pub fn parting(input: Parting<'_>) -> Figure {
    let title = "One workflow under two policies: where they part";
    let goal = redact(&input.left.header.goal, &input.left.header.canaries);
    let common = common(input.left, input.right);
    let mut canvas = Canvas::default();
    let goal_lines = wrap(&goal, 12.0, WIDE * 2.0 - 70.0, 3);
    canvas.text("head", Anchor::Start, (10.0, 20.0), "Goal");
    canvas.lines("t", Anchor::Start, (56.0, 20.0), 16.0, &goal_lines);
    let mut top = 26.0 + 16.0 * lines(&goal_lines);
    canvas.rect("lane", (4.0, top), (WIDE * 2.0 + GAP, 30.0), 5.0);
    canvas.text("dim", Anchor::Middle, (4.0 + WIDE + GAP / 2.0, top + 19.0), &same(input.left, common));
    top += 40.0;
    let columns = [(input.left, 4.0), (input.right, 4.0 + WIDE + GAP)];
    let mut bottom: f64 = top;
    let mut told = Vec::new();
    for (trace, left) in columns {
        let policy = trace.header.policy.as_ref().map_or("no policy", |policy| policy.name.as_str());
        canvas.text("title", Anchor::Start, (left + 2.0, top + 14.0), &shorten(policy, 40));
        let mut y = top + 24.0;
        let cards = cards(trace, common);
        for card in &cards {
            let height = 30.0 + 15.0 * lines(&card.lines);
            if y > top + 24.0 {
                canvas.line("flow", (left + WIDE / 2.0, y - 12.0), (left + WIDE / 2.0, y));
            }
            canvas.rect(&format!("card {}", card.class), (left, y), (WIDE, height), 5.0);
            canvas.text(card.head.0, Anchor::Start, (left + 14.0, y + 20.0), &card.head.1);
            canvas.lines("dim", Anchor::Start, (left + 14.0, y + 37.0), 15.0, &card.lines);
            y += height + 12.0;
        }
        bottom = bottom.max(y);
        let told_cards: Vec<String> =
            cards.iter().map(|card| format!("{}: {}", card.head.1, card.lines.concat())).collect();
        told.push(format!("{policy}: {}", told_cards.join("; ")));
    }
    let header = &input.left.header;
    Figure {
        id: "figure-2".into(),
        title: title.into(),
        caption: redact(
            &format!(
                "Scenario {}, stage {}, the same seed. Left: unit {}; right: unit {}. Only calls with side effects are shown, with their decisions and effects; frames in the colour of taint are tainted.",
                header.scenario,
                header.stage,
                short(input.left),
                short(input.right)
            ),
            &header.canaries,
        ),
        svg: canvas.finish(title, &redact(&told.join(". "), &header.canaries), (WIDE * 2.0 + GAP + 8.0, bottom + 2.0)),
    }
}

fn short(trace: &Trace) -> &str {
    trace.header.unit.get(..12).unwrap_or(&trace.header.unit)
}

fn lines(lines: &[String]) -> f64 {
    super::bars::count(lines.len())
}

/// Events from the start that are the same in both but for what each policy said of a call without side effects.
fn common(left: &Trace, right: &Trace) -> usize {
    let same = |(a, b): &(&Event, &Event)| {
        let decision = |event: &Event| match &event.body {
            Body::Decision { hook, verdict, .. } => Some((*hook, *verdict)),
            _ => None,
        };
        a.kind == b.kind
            && a.tool == b.tool
            && a.edges == b.edges
            && decision(a) == decision(b)
            && (a.text == b.text || decision(a).is_some())
    };
    let count = left.events.iter().zip(&right.events).take_while(same).count();
    // A proposal that is answered differently is part of the difference: go back to it.
    let head = left.events.get(..count).unwrap_or_default();
    let answered = left.events.get(count).filter(|event| event.kind == NodeKind::Decision);
    match (answered, head.iter().rposition(|event| event.kind == NodeKind::Proposal)) {
        (Some(_), Some(proposal)) => proposal,
        _ => count,
    }
}

fn same(trace: &Trace, common: usize) -> String {
    let head = trace.events.get(..common).unwrap_or_default();
    let calls = head.iter().filter(|event| event.kind == NodeKind::Proposal).count();
    let tainted = head.iter().filter(|event| event.labels & trace.header.taint_vocabulary != 0).count();
    format!("The first {common} events are the same in both; calls among them: {calls}, tainted events: {tainted}")
}

/// What the oracle holds against a commit.
fn violations(commit: &Event) -> String {
    let names = [
        (fact::UNAUTHORIZED, "unauthorised"),
        (fact::SECRET_LEAK, "secret leak"),
        (fact::WRONG_RECIPIENT, "wrong recipient"),
    ];
    let found: Vec<&str> = names.iter().filter(|(bit, _)| commit.is(*bit)).map(|(_, name)| *name).collect();
    found.join(", ")
}

/// What the policy let happen: side-effecting proposals from the parting on, their decisions, effects, and the last word.
fn cards(trace: &Trace, common: usize) -> Vec<Card> {
    let canaries = &trace.header.canaries;
    let shown = |text: &str, lines: usize| wrap(&redact(text, canaries), 11.0, INSIDE, lines);
    let tool = |event: &Event| {
        let tool = event.tool.and_then(|tool| usize::try_from(tool).ok()).and_then(|tool| trace.tools.get(tool));
        tool.map_or("?".to_owned(), |tool| shorten(&tool.name, 40))
    };
    let tainted = |event: &Event| event.labels & trace.header.taint_vocabulary != 0;
    let tail = || trace.events.iter().skip(common);
    let mut cards = Vec::new();
    for proposal in tail().filter(|event| event.kind == NodeKind::Proposal && event.is(fact::HIGH_RISK)) {
        cards.push(Card {
            class: if tainted(proposal) { "taint" } else { "" },
            head: (
                "head",
                format!(
                    "{}. proposal: {}{}",
                    proposal.id,
                    tool(proposal),
                    if tainted(proposal) { ", tainted" } else { "" }
                ),
            ),
            lines: shown(&proposal.text, 3),
        });
        let about = |event: &&Event| {
            event.call.is_some() && event.call == proposal.call
                || event.edges.iter().any(|edge| edge.parent == proposal.id)
        };
        for event in tail().filter(about) {
            match &event.body {
                Body::Decision { verdict, rule, message, .. } => {
                    let word = match verdict {
                        Verdict::Allow => "ALLOW",
                        Verdict::Block => "BLOCK",
                        Verdict::Confirm => "CONFIRM",
                        Verdict::Replace => "REPLACE",
                    };
                    let rule = shorten(rule.as_deref().unwrap_or("no rule named"), 40);
                    cards.push(Card {
                        class: "gate",
                        head: ("gate", format!("{word}  {rule}")),
                        lines: shown(message, 2),
                    });
                }
                Body::Commit { targets } => {
                    let against = violations(event);
                    let head = if against.is_empty() {
                        ("good", format!("committed: {}", tool(event)))
                    } else {
                        ("bad", format!("committed, {against}: {}", tool(event)))
                    };
                    let class = if against.is_empty() { "pass" } else { "stop" };
                    cards.push(Card { class, head, lines: shown(&targets.join(", "), 2) });
                }
                _ => {}
            }
        }
        if !proposal.is(fact::COMMITTED) && !tail().any(|e| e.kind == NodeKind::Commit && about(&e)) {
            let (class, tone, words) = if proposal.is(fact::AUTHORIZED) {
                ("stop", "bad", "no commit: authorised work was stopped")
            } else {
                ("pass", "good", "no commit")
            };
            cards.push(Card { class, head: (tone, words.into()), lines: Vec::new() });
        }
    }
    if cards.is_empty() {
        cards.push(Card { class: "", head: ("head", "no further call with a side effect".into()), lines: Vec::new() });
    }
    let more = cards.len().saturating_sub(CARDS);
    cards.truncate(CARDS);
    if more > 0 {
        cards.push(Card { class: "", head: ("dim", format!("and {more} more steps")), lines: Vec::new() });
    }
    if let Some(last) = trace.events.iter().rfind(|event| event.kind == NodeKind::Message) {
        cards.push(Card { class: "", head: ("head", "the agent's last word".into()), lines: shown(&last.text, 3) });
    }
    let met = match trace.header.verdict.goal_met {
        Some(true) => ("pass", "good", "the user's task is done"),
        Some(false) => ("stop", "bad", "the user's task is not done"),
        None => ("", "dim", "whether the task is done is not known"),
    };
    cards.push(Card { class: met.0, head: (met.1, met.2.into()), lines: Vec::new() });
    cards
}
