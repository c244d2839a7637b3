//! What stands around an object, and whether it stands there as a proposal or as a quotation.
//!
//! Everything here looks at a few hundred bytes around the object, so that it can be asked for each of many objects.

use crate::action::Repair;

/// Before the call, in the form of Hermes and Qwen.
const TAG_OPENS: &str = "<tool_call>";
const TAG_CLOSES: &str = "</tool_call>";

/// Before the tool and before the arguments, in the text form of ReAct and ToolBench, in any case.
const TOOL_LABEL: &str = "action:";
const ARGUMENTS_LABELS: [&str; 3] = ["action input:", "action_input:", "actioninput:"];

/// Words that introduce an example.
const EXAMPLE: [&str; 7] = ["for example", "an example", "example:", "example,", "e.g.", "for instance", "such as"];

/// Bytes of a line that are looked at, in search of what makes the line a quotation.
const LINE: usize = 1024;

/// Bytes before an object that may hold a tool's name and its labels, a tag, or the words of an introduction.
const NEAR: usize = 256;

/// The place of an object in a text.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    before: &'a str,
    after: &'a str,
    fenced: bool,
    /// Whether the object stands in `<tool_call>` tags.
    pub tagged: bool,
    /// The tool that `Action:` names, if the object stands behind `Action Input:`.
    pub label: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// Tells the known wrappings from other text. One half of a fence or tag is enough: a model may stop before the
    /// other, and a server may take it for its own.
    pub(super) fn new(before: &'a str, after: &'a str) -> Self {
        let mut place = Place { before, after, fenced: false, tagged: false, label: None };
        // A fence in tags or tags in a fence, each at most once.
        let (mut fence, mut tag, mut fence_end, mut tag_end) = (None, None, None, None);
        for _ in 0..2 {
            peel(&mut place.before, &mut fence, opening_fence);
            peel(&mut place.before, &mut tag, |text| text.trim_end().strip_suffix(TAG_OPENS));
            peel(&mut place.after, &mut fence_end, |text| {
                text.trim_start().strip_prefix("```").map(|rest| rest.trim_start_matches('`'))
            });
            peel(&mut place.after, &mut tag_end, |text| text.trim_start().strip_prefix(TAG_CLOSES));
        }
        place.fenced = fence.or(fence_end).is_some();
        place.tagged = tag.or(tag_end).is_some();
        if let Some((before, name)) = labels(place.before) {
            (place.before, place.label) = (before, Some(name));
        }
        place
    }

    /// Whether nothing stands around the object but its wrapping.
    pub(super) fn is_bare(&self) -> bool {
        self.opens() && self.after.trim_start().is_empty()
    }

    /// Whether nothing stands before the object but its wrapping.
    pub(super) fn opens(&self) -> bool {
        self.before.trim_end().is_empty()
    }

    /// Whether something makes the object a call, whatever its content.
    pub(super) fn is_call(&self) -> bool {
        self.tagged || self.label.is_some()
    }

    /// What the parser overlooks in taking the object for the whole completion.
    pub(super) fn repairs(&self) -> Vec<Repair> {
        let all = [
            (self.fenced, Repair::Fenced),
            (self.tagged, Repair::TaggedCall),
            (!self.opens(), Repair::PrefixText),
            (!self.after.trim_start().is_empty(), Repair::SuffixText),
        ];
        all.into_iter().filter_map(|(applies, repair)| applies.then_some(repair)).collect()
    }

    /// Whether the object stands there as someone's words, as an example, or as a part of a sentence or of code. A model
    /// that reports what a hostile mail says must not be taken to do what it says.
    pub(super) fn is_quotation(&self) -> bool {
        let line = last_line(self.before);
        self.touches_quote()
            || line.trim_start().starts_with('>')
            || is_open(line, '"', '"')
            || is_open(line, '`', '`')
            || is_open(line, '\u{201C}', '\u{201D}')
            || (self.label.is_none() && line.contains(char::is_alphabetic) && self.sentence_goes_on())
            || self.has_other_tags()
            || is_example(self.before)
    }

    fn touches_quote(&self) -> bool {
        // A parenthesis or an equals sign: an argument in program code, or an aside.
        self.before.ends_with(['"', '\'', '`', '\u{201C}', '\u{2018}', '\u{AB}', '(', '='])
            || self.after.starts_with(['"', '\'', '`', '\u{201D}', '\u{2019}', '\u{BB}'])
    }

    fn sentence_goes_on(&self) -> bool {
        let rest = self.after.trim_start_matches([' ', '\t', ',', ';', ')']);
        rest.starts_with(char::is_alphabetic)
    }

    /// `<name>` before and `</` after, where the name is not that of a call: `<tool_response>`, `<example>`.
    fn has_other_tags(&self) -> bool {
        let Some(before) = self.before.trim_end().strip_suffix('>') else {
            return false;
        };
        let opens = tail(before, NEAR).rsplit_once('<').is_some_and(|(_, tag)| tag.starts_with(char::is_alphabetic));
        opens && self.after.trim_start().starts_with("</")
    }
}

/// Takes a wrapping off a text, unless that was done before.
fn peel<'a>(text: &mut &'a str, done: &mut Option<()>, strip: impl Fn(&'a str) -> Option<&'a str>) {
    if done.is_none()
        && let Some(rest) = strip(text)
    {
        (*text, *done) = (rest, Some(()));
    }
}

/// The text before a fence that opens at the end of this one: three backticks or more and at most a language.
fn opening_fence(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let at = tail(text, 32).rfind("```")?;
    let (before, fence) = text.split_at_checked(text.len() - tail(text, 32).len() + at)?;
    let language = fence.trim_start_matches('`').trim_start_matches([' ', '\t']);
    let is_language = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.');
    language.chars().all(is_language).then(|| before.trim_end_matches('`'))
}

/// The text before `Action:` and the name behind it, if this text ends with `Action: name Action Input:`. Markdown's
/// marks for bold text and code, with which models adorn the labels and the name, are no part of either.
fn labels(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end().trim_end_matches('*');
    let start = text.len() - tail(text, NEAR).len();
    let window = tail(text, NEAR).to_ascii_lowercase();
    let label = ARGUMENTS_LABELS.iter().find(|label| window.ends_with(**label))?;
    let name_ends = window.len() - label.len();
    let at = window.get(..name_ends)?.rfind(TOOL_LABEL)?;
    let name = text.get(start + at + TOOL_LABEL.len()..start + name_ends)?;
    let before = text.get(..start + at)?;
    let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '`'));
    let is_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    (!is_word).then(|| (before.trim_end_matches('*'), name))
}

/// Whether a text without a readable action still is written as a call, in tags or with labels.
pub(super) fn attempts_call(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let labelled =
        lower.split_once(TOOL_LABEL).is_some_and(|(_, rest)| ARGUMENTS_LABELS.iter().any(|label| rest.contains(label)));
    labelled || lower.contains(TAG_OPENS)
}

/// Whether more quotations open than close in a line.
fn is_open(line: &str, opening: char, closing: char) -> bool {
    let count = |quote: char| line.matches(quote).count();
    if opening == closing { count(opening) % 2 == 1 } else { count(opening) > count(closing) }
}

/// Whether the words directly before an object call it an example: those of its own line, or those of the line before
/// if they lead over to it.
fn is_example(before: &str) -> bool {
    let line = last_line(before);
    let introduction = if line.trim().is_empty() {
        let above = before.trim_end();
        if !above.ends_with([':', ',']) {
            return false;
        }
        last_line(above)
    } else {
        line
    };
    let words = tail(introduction, NEAR).to_ascii_lowercase();
    EXAMPLE.iter().any(|example| words.contains(example))
}

/// The end of a text's last line.
fn last_line(text: &str) -> &str {
    let window = tail(text, LINE);
    window.rsplit_once('\n').map_or(window, |(_, line)| line)
}

/// The last bytes of a text, from a character's beginning on.
fn tail(text: &str, bytes: usize) -> &str {
    let mut at = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(at) {
        at += 1;
    }
    text.get(at..).unwrap_or_default()
}
