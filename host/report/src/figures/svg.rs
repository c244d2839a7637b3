//! Drawing: a canvas that writes SVG. It takes numbers, class names of the code and text; text is escaped here and nowhere
//! else.

use super::mark::Slot;
use crate::html::escape;
use std::fmt::Write;

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG under construction.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
}

impl Canvas {
    pub(super) fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64), radius: f64) {
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
            n(x),
            n(y),
            n(width.max(0.0)),
            n(height.max(0.0)),
            n(radius)
        );
    }

    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let _ = write!(
            self.body,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            n(x1),
            n(y1),
            n(x2),
            n(y2)
        );
    }

    pub(super) fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", n(x), n(y))).collect();
        let _ = write!(self.body, "<polyline class=\"{class}\" points=\"{}\"/>", points.join(" "));
    }

    pub(super) fn polygon(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", n(x), n(y))).collect();
        let _ = write!(self.body, "<polygon class=\"{class}\" points=\"{}\"/>", points.join(" "));
    }

    pub(super) fn circle(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let _ = write!(self.body, "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", n(x), n(y), n(radius));
    }

    /// A quadratic curve through a control point.
    pub(super) fn curve(&mut self, class: &str, from: (f64, f64), control: (f64, f64), to: (f64, f64)) {
        let _ = write!(
            self.body,
            "<path class=\"{class}\" d=\"M{} {}Q{} {} {} {}\"/>",
            n(from.0),
            n(from.1),
            n(control.0),
            n(control.1),
            n(to.0),
            n(to.1)
        );
    }

    pub(super) fn text(&mut self, class: &str, anchor: Anchor, (x, y): (f64, f64), text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " mid",
            Anchor::End => " end",
        };
        let _ = write!(
            self.body,
            "<text class=\"{class}{anchor}\" x=\"{}\" y=\"{}\">{}</text>",
            n(x),
            n(y),
            escape(&one_line(text))
        );
    }

    /// Lines of text, one under the other.
    pub(super) fn lines(&mut self, class: &str, anchor: Anchor, (x, y): (f64, f64), step: f64, lines: &[String]) {
        let mut y = y;
        for line in lines {
            self.text(class, anchor, (x, y), line);
            y += step;
        }
    }

    /// A policy's mark: its colour and its shape.
    pub(super) fn mark(&mut self, slot: Slot, at: (f64, f64), size: f64) {
        let class = format!("mark {}", slot.colour());
        match slot.outline(at, size) {
            Some(points) => self.polygon(&class, &points),
            None if slot.is_ring() => self.circle(&format!("ring {}", slot.colour()), at, size * 0.85),
            None => self.circle(&class, at, size),
        }
    }

    /// The document. `title` names it and `description` says what it shows, for those who do not see it.
    pub(super) fn finish(self, title: &str, description: &str, (width, height): (f64, f64)) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"weir-figure\" role=\"img\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\"><title>{}</title><desc>{}</desc><style>{}</style>{}</svg>",
            escape(&one_line(title)),
            escape(&one_line(description)),
            super::STYLE,
            self.body,
            w = n(width),
            h = n(height),
        )
    }
}

/// A coordinate: a tenth of a pixel is enough, and short.
fn n(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".into() } else { text.into() }
}

/// White space of any kind as one blank.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many characters, with an ellipsis where some are missing.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let text = one_line(text);
    if text.chars().count() <= most {
        return text;
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// About how wide a text is in the sans-serif faces that a browser may take; rather too wide than too narrow. A hidden
/// character is written out, so the width is that of the escape.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let em: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | 't' | 'f' | 'r' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '(' | ')' | '['
            | ']' => 0.39,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.96,
            'A'..='Z' => 0.72,
            '\u{20}'..='\u{7e}' | '…' | '−' | '–' | '·' => 0.62,
            c if c.is_alphanumeric() => 1.0,
            _ => 4.5,
        })
        .sum();
    em * size
}

/// Lines no wider than `most` pixels, at most `lines` of them; broken at blanks and after `_`, `-`, `/` and `,`, within a word
/// only where it is too long for a line. The last line ends with an ellipsis where something is missing.
pub(super) fn wrap(text: &str, size: f64, most: f64, lines: usize) -> Vec<String> {
    let text = one_line(text);
    let (mut out, mut line) = (Vec::new(), String::new());
    for piece in text.split_inclusive([' ', '_', '-', '/', ',']) {
        if !line.is_empty() && width(&line, size) + width(piece.trim_end(), size) > most {
            out.push(std::mem::take(&mut line));
        }
        for c in piece.chars() {
            if !line.is_empty() && width(&line, size) + width(&c.to_string(), size) > most && c != ' ' {
                out.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    out.push(line);
    let cut = out.len() > lines;
    out.truncate(lines);
    if let Some(last) = out.last_mut().filter(|_| cut) {
        let room = last.trim_end().chars().count().saturating_sub(1);
        *last = last.chars().take(room).chain(['…']).collect();
    }
    out.into_iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_have_no_negative_zero() {
        assert_eq!([n(1.0), n(0.25), n(-0.01), n(12.36)], ["1", "0.2", "0", "12.4"]);
    }

    #[test]
    fn a_long_rule_breaks_after_its_underscores_and_loses_nothing() {
        let lines = wrap("block_low_to_high_privilege_jump", 10.0, 90.0, 9);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 10.0) <= 90.0), "{lines:?}");
        assert_eq!(lines.concat(), "block_low_to_high_privilege_jump");
    }

    #[test]
    fn a_word_without_end_is_broken_and_what_is_cut_is_shown_to_be_cut() {
        let lines = wrap(&"x".repeat(1000), 10.0, 60.0, 3);
        assert_eq!(lines.len(), 3);
        assert!(lines[2].ends_with('…') && lines.iter().all(|line| width(line, 10.0) <= 66.0), "{lines:?}");
    }

    #[test]
    fn text_cannot_leave_its_element() {
        let mut canvas = Canvas::default();
        canvas.text("t", Anchor::Start, (0.0, 0.0), "</text><script>x</script>\u{0}");
        let svg = canvas.finish("</title><script>", "\"]]>", (10.0, 10.0));
        assert!(!svg.contains("<script") && !svg.contains('\u{0}'), "{svg}");
    }
}
