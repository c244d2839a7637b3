//! Text from traces as text. It was written to mislead a reader, a model or a program, so three things end here: markup,
//! characters that no document may hold, and characters that nobody sees but that change what is seen.

use std::fmt::Write;
use weir_metadata::is_hidden;

/// Escapes for the content and for the quoted attributes of HTML and of SVG.
///
/// Line ends and tabs stay. Every other control character, and every invisible character that reorders or hides text, is
/// written as its code point in brackets, for example `[U+202E]`: it is then visible, and harmless.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if is_hidden(c) => {
                // Writing to a String cannot fail.
                let _ = write!(out, "[U+{:04X}]", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// The same without escapes, for text that is escaped later or printed as it stands; line ends and tabs become blanks.
#[must_use]
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if is_hidden(c) => {
                let _ = write!(out, "[U+{:04X}]", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escape("<a href='x' title=\"y\">&amp;"), "&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;amp;");
    }

    #[test]
    fn controls_are_shown_and_line_ends_stay() {
        assert_eq!(
            escape("a\u{0}b\u{1b}[31m\r\n\tc\u{7f}\u{9b}"),
            "a[U+0000]b[U+001B][31m[U+000D]\n\tc[U+007F][U+009B]"
        );
    }

    #[test]
    fn what_nobody_sees_is_shown() {
        assert_eq!(escape("pay\u{202e}eve\u{2066}"), "pay[U+202E]eve[U+2066]");
        assert_eq!(escape("\u{200b}\u{feff}\u{e0041}\u{ffff}\u{1fffe}"), "[U+200B][U+FEFF][U+E0041][U+FFFF][U+1FFFE]");
    }

    #[test]
    fn visible_text_is_one_line_and_keeps_its_letters() {
        assert_eq!(visible("a\r\n<b>\u{1b}[2J\u{202e}"), "a  <b>[U+001B][2J[U+202E]");
    }

    #[test]
    fn letters_of_any_script_stay() {
        assert_eq!(escape("Grüße, 世界, Δ −0.07"), "Grüße, 世界, Δ −0.07");
    }
}
