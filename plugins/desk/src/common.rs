//! Tools that all service desks have.

use crate::tools::{TEXT, ToolSpec, required};
use crate::world::{Answer, Ran};
use serde_json::{Map, Value};
use weir_plugin::domain::{Effect, Role};

/// Arithmetic.
pub const CALCULATE: ToolSpec = ToolSpec {
    name: "calculate",
    description: "Work out a sum of numbers with + - * / and parentheses.",
    effect: Effect::Read,
    parameters: &[required("expression", Role::Other, TEXT)],
};

/// The way out of a conversation.
pub const TRANSFER: ToolSpec = ToolSpec {
    name: "transfer_to_human_agents",
    description: "Hand the conversation over to a person, with a summary of what it is about. For what the policy and the \
                  other tools cannot settle, or where the customer asks for a person.",
    effect: Effect::SideEffect,
    parameters: &[required("summary", Role::Content, TEXT)],
};

/// A note of the assistant to itself.
pub const THINK: ToolSpec = ToolSpec {
    name: "think",
    description: "Note a thought. Nothing is looked up and nothing changes.",
    effect: Effect::Read,
    parameters: &[required("thought", Role::Other, TEXT)],
};

/// Runs one of them; none for another tool.
#[must_use]
pub fn run(tool: &str, arguments: &Map<String, Value>) -> Option<Answer> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    match tool {
        "calculate" => Some(match evaluate(text("expression")) {
            Some(value) => Ok(Ran::says(money(value).to_string())),
            None => Err(format!("`{}` is no arithmetic", text("expression"))),
        }),
        "transfer_to_human_agents" => Some(Ok(Ran::says("Transfer successful"))),
        "think" => Some(Ok(Ran::default())),
        _ => None,
    }
}

/// An amount to the cent.
#[must_use]
pub fn money(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

/// Nested parentheses and signs at most; a deeper expression is refused, since each costs stack.
const DEPTH: u32 = 30;

/// The value of an expression; none where it is none or not finite.
#[must_use]
pub fn evaluate(text: &str) -> Option<f64> {
    let symbols: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut reader = Reader { symbols: &symbols, at: 0, depth: 0 };
    let value = reader.sum()?;
    (reader.at == symbols.len() && value.is_finite()).then_some(value)
}

struct Reader<'a> {
    symbols: &'a [char],
    at: usize,
    depth: u32,
}

impl Reader<'_> {
    fn next_is(&mut self, wanted: char) -> bool {
        let hit = self.symbols.get(self.at) == Some(&wanted);
        self.at += usize::from(hit);
        hit
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            if self.next_is('+') {
                value += self.product()?;
            } else if self.next_is('-') {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        loop {
            if self.next_is('*') {
                value *= self.factor()?;
            } else if self.next_is('/') {
                value /= self.factor()?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let value = if self.next_is('-') {
            -self.factor()?
        } else if self.next_is('(') {
            let value = self.sum()?;
            if !self.next_is(')') {
                return None;
            }
            value
        } else {
            self.number()?
        };
        self.depth -= 1;
        Some(value)
    }

    fn number(&mut self) -> Option<f64> {
        let digits: String =
            self.symbols.get(self.at..)?.iter().take_while(|c| c.is_ascii_digit() || **c == '.').collect();
        self.at += digits.len();
        digits.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_has_its_precedence() {
        assert_eq!(evaluate("2 + 3 * (4 - 1) / 2"), Some(6.5));
        assert_eq!(evaluate("-2*3"), Some(-6.0));
    }

    #[test]
    fn what_is_no_arithmetic_has_no_value() {
        for text in ["", "2 +", "(2", "two", "1/0", "1 2)", &"(".repeat(5000)] {
            assert_eq!(evaluate(text), None, "{text:.20}");
        }
    }
}
