//! Every decoration that the parser knows, in every combination that a fixed seed draws: the action comes back as it was,
//! and exactly what was put on is what the parser says it overlooked.

use super::*;

/// Draws. Enough that each pair of decorations meets often; the tally at the end holds each to at least a hundred.
const DRAWS: usize = 20_000;

/// SplitMix64 (Steele, Lea and Flood 2014): short, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Texts that a careless parser takes for something else than text.
const TEXTS: [&str; 12] = [
    "",
    "Paid.",
    "a } b { c",
    "she said \"no\" \\ it's",
    STRICT,
    "```json\n{}\n```",
    "</tool_call>",
    "<think> </think>",
    "Action: read_mail\nAction Input: {}",
    "for example: ` “ >",
    "Größe \u{1F600}",
    "\u{0} \u{2028}",
];

/// Keys of arguments. No key of an action is among them: behind `Action Input:` such arguments are refused.
const KEYS: [&str; 6] = ["to", "text", "id", "when", "Größe", "a\"b"];

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth < 3 { 7 } else { 5 }) {
        0 => Value::Null,
        1 => random.chance(2).into(),
        2 => (i64::try_from(random.below(2_000)).unwrap() - 1_000).into(),
        3 => 0.1.into(),
        4 => random.pick(&TEXTS).into(),
        5 => (0..random.below(3)).map(|_| value(random, depth + 1)).collect(),
        _ => Value::Object(arguments(random, depth + 1)),
    }
}

fn arguments(random: &mut Random, depth: usize) -> Map<String, Value> {
    (0..random.below(4)).map(|_| (random.pick(&KEYS).to_owned(), value(random, depth))).collect()
}

fn action(random: &mut Random) -> Action {
    let text = random.pick(&TEXTS).to_owned();
    match random.below(6) {
        0 => Action::Final { text },
        1 => Action::Message { to: random.pick(&["worker", "`a` b", "final"]).to_owned(), text },
        _ => Action::Call { tool: random.pick(&TOOLS).to_owned(), arguments: arguments(random, 0) },
    }
}

/// A decorated action: the text, and what was put on.
struct Decorated {
    text: String,
    repairs: Vec<Repair>,
}

/// Writes a JSON value on one line or on several.
fn write(random: &mut Random, value: &Value) -> String {
    if random.chance(2) { value.to_string() } else { serde_json::to_string_pretty(value).unwrap() }
}

/// A key's exact name or, as a repair, another one.
fn alias<'a>(
    random: &mut Random,
    repairs: &mut Vec<Repair>,
    exact: &'a str,
    others: &[&'a str],
    repair: Repair,
) -> &'a str {
    if random.chance(2) {
        return exact;
    }
    repairs.push(repair);
    random.pick(others)
}

/// The entries of a call, in one of the forms with which an object can name its tool.
fn call(
    random: &mut Random,
    repairs: &mut Vec<Repair>,
    tool: &str,
    arguments: &Map<String, Value>,
) -> Vec<(&'static str, Value)> {
    let mut given = Value::Object(arguments.clone());
    if random.chance(3) {
        given = write(random, &given).into();
        repairs.push(Repair::ArgumentsAsString);
    }
    match random.below(5) {
        0 => {
            repairs.push(Repair::FunctionCall);
            vec![("type", "function".into()), ("function", json!({"name": tool, "arguments": given}))]
        }
        1 => {
            let function = json!({"name": tool, "arguments": given});
            let mut calls = vec![json!({"id": "call_1", "type": "function", "function": function})];
            repairs.push(Repair::ToolCalls);
            if random.chance(2) {
                calls.push(json!({"type": "function", "function": {"name": "list_mail", "arguments": "{}"}}));
                repairs.push(Repair::SuffixText);
            }
            vec![("tool_calls", calls.into())]
        }
        form => {
            let others = ["action_input", "parameters", "args", "input"];
            let mut entries = vec![(alias(random, repairs, "arguments", &others, Repair::ArgumentsAlias), given)];
            if form == 2 {
                entries.push((alias(random, repairs, "action", &["action_type"], Repair::ActionKeyAlias), tool.into()));
                repairs.push(Repair::ActionTypeAsTool);
                return entries;
            }
            let others = ["tool_name", "name", "function"];
            entries.push((alias(random, repairs, "tool", &others, Repair::ToolAlias), tool.into()));
            if form == 3 {
                repairs.push(Repair::ActionOmitted);
            } else {
                let key = alias(random, repairs, "action", &["action_type"], Repair::ActionKeyAlias);
                entries.push((key, "tool".into()));
            }
            entries
        }
    }
}

/// The object of an action: its keys renamed, left out, added and shuffled.
fn object(random: &mut Random, action: &Action) -> Decorated {
    let mut repairs = Vec::new();
    let mut entries: Vec<(&str, Value)> = Vec::new();
    match action {
        Action::Final { text } => {
            let key = alias(random, &mut repairs, "action", &["action_type"], Repair::ActionKeyAlias);
            entries.extend([(key, "final".into()), ("text", text.as_str().into())]);
        }
        Action::Message { to, text } => {
            let key = alias(random, &mut repairs, "action", &["action_type"], Repair::ActionKeyAlias);
            entries.push((key, "message".into()));
            let key = alias(random, &mut repairs, "to", &["recipient"], Repair::RecipientAlias);
            entries.push((key, to.as_str().into()));
            entries.push((
                alias(random, &mut repairs, "text", &["message", "content"], Repair::TextAlias),
                text.as_str().into(),
            ));
        }
        Action::Call { tool, arguments } => entries = call(random, &mut repairs, tool, arguments),
    }
    if random.chance(4) {
        entries.push(("reason", Value::Null));
        repairs.push(Repair::NullKeys);
    }
    if random.chance(4) {
        entries.push(("thought", random.pick(&TEXTS).into()));
        repairs.push(Repair::ExtraKeys);
    }
    for at in (1..entries.len()).rev() {
        entries.swap(at, random.below(at + 1));
    }
    let object = entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Decorated { text: write(random, &Value::Object(object)), repairs }
}

/// An action as a completion.
fn decorate(random: &mut Random, action: &Action) -> Decorated {
    let labelled = match action {
        Action::Call { tool, arguments } if random.chance(6) => Some((tool, arguments)),
        _ => None,
    };
    let Decorated { mut text, mut repairs } = match labelled {
        Some((_, arguments)) => {
            let text = write(random, &Value::Object(arguments.clone()));
            Decorated { text, repairs: vec![Repair::TextCall] }
        }
        None => object(random, action),
    };
    let (fenced, tagged, tags_inside) = (random.chance(3), labelled.is_none() && random.chance(4), random.chance(2));
    for tags in [tags_inside, !tags_inside] {
        if tags && tagged {
            text = format!("<tool_call>\n{text}\n{}", random.pick(&["</tool_call>", "</tool_call>\n"]));
            repairs.push(Repair::TaggedCall);
        } else if !tags && fenced {
            text = format!("{}\n{text}\n```", random.pick(&["```", "```json", "``` JSON", "````"]));
            repairs.push(Repair::Fenced);
        }
    }
    if let Some((tool, _)) = labelled {
        let (action, input) = (random.pick(&["Action:", "action:"]), random.pick(&["Action Input:", "Action_Input:"]));
        text = format!("{action} {tool}\n{input}\n{text}");
    }
    if random.chance(2) {
        let prefixes =
            ["Sure, I do that.\n", "Next: ", "Found {\"id\": 7} and {x}.\n\n", "- ", "**Größe** \u{1F600}\n"];
        text = format!("{}{text}", random.pick(&prefixes));
        repairs.push(Repair::PrefixText);
    }
    if random.chance(2) {
        let suffixes =
            ["\nI wait for the answer.", "\nObservation: {\"ok\": true}", "\n{\"action\": \"list_mail\"}", "\n}"];
        text.push_str(random.pick(&suffixes));
        repairs.push(Repair::SuffixText);
    }
    if random.chance(5) {
        text = format!("<think>\nPerhaps {STRICT}?\n</think>\n\n{text}");
        repairs.push(Repair::PrefixText);
    }
    let space = random.pick(&["", "\n", "  "]);
    text = format!("{space}{text}{space}");
    repairs.sort_unstable();
    repairs.dedup();
    Decorated { text, repairs }
}

#[test]
fn a_decorated_action_is_read_as_it_was_with_exactly_the_repairs_put_on() {
    let mut random = Random(24);
    let mut tally = std::collections::BTreeMap::<Option<Repair>, usize>::new();
    for _ in 0..DRAWS {
        let action = action(&mut random);
        let Decorated { text, repairs } = decorate(&mut random, &action);
        let parsed = parse(&text, &TOOLS);
        assert_eq!(parsed.action.as_ref(), Some(&action), "{text}\n{parsed:?}");
        assert_eq!(parsed.repairs, repairs, "{text}");
        let status = if repairs.is_empty() { ParseStatus::ValidStrictJson } else { ParseStatus::ValidRepairedJson };
        assert_eq!((parsed.status, parsed.problem, parsed.unknown_tool), (status, None, None), "{text}");
        let found = repairs.into_iter().map(Some).collect::<Vec<_>>();
        for repair in if found.is_empty() { vec![None] } else { found } {
            *tally.entry(repair).or_default() += 1;
        }
    }
    // All repairs but the omission of arguments, which has no arguments to bring back, and none at all.
    assert_eq!(tally.len(), 18, "{tally:?}");
    assert!(tally.values().all(|count| *count >= 100), "{tally:?}");
}

#[test]
fn an_action_cut_off_anywhere_never_becomes_another_one() {
    let mut random = Random(7);
    for _ in 0..500 {
        let action = action(&mut random);
        let Decorated { text, .. } = object(&mut random, &action);
        for at in (1..text.trim_end().len()).filter(|at| text.is_char_boundary(*at)) {
            let cut = &text[..at];
            assert_eq!(parse(cut, &TOOLS).action, None, "{cut}");
        }
    }
}
