//! An observation without its misaligned passages.

/// Stands where a passage was.
pub(crate) const NOTICE: &str = "[removed: an instruction that does not serve the user's request]";

/// Steps of looking for passages, each about 43 instructions: a third of a hook's fuel, whatever the texts are. In texts
/// that do not repeat themselves it is enough for some five passages in the longest, and for a hundred in a usual one.
const STEPS: usize = 75_000;

/// Bytes passed over in a step, where nothing of a passage is matched yet.
const STRIDE: usize = 6;

/// Places to cut: more notices than that leave nothing to read.
const CUTS: usize = 500;

/// Bytes of a replacement that the host takes.
const REPLACEMENT: usize = 64 << 10;

/// The text with a notice in the place of each passage, wherever it stands; passages that touch share one. None where a
/// passage is blank or does not stand there word by word, or where it is all too much: nobody knows then what to cut.
pub(crate) fn without(text: &str, passages: &[String]) -> Option<String> {
    let (mut cuts, mut steps) = (Vec::new(), STEPS);
    for passage in passages.iter().map(|passage| passage.as_bytes()) {
        let found = Some(passage).filter(|passage| !passage.trim_ascii().is_empty());
        let found = places(text.as_bytes(), found?, &mut steps)?;
        cuts.extend_from_slice(&found);
        if found.is_empty() || cuts.len() > CUTS {
            return None;
        }
    }
    cuts.sort_unstable();
    let (mut kept, mut end) = (String::new(), None);
    for (from, to) in cuts {
        match end {
            Some(end) if from <= end => {}
            _ => {
                kept.push_str(text.get(end.unwrap_or(0)..from)?);
                kept.push_str(NOTICE);
            }
        }
        if kept.len() > REPLACEMENT {
            return None;
        }
        end = end.max(Some(to));
    }
    kept.push_str(text.get(end.unwrap_or(0)..)?);
    (kept.len() <= REPLACEMENT).then_some(kept)
}

/// Where a passage stands in a text, without overlaps, after Knuth, Morris and Pratt; none where that takes more steps than
/// are left. The standard library's search is as linear, but nobody can tell what it costs on a text that repeats itself.
/// Both are whole UTF-8, so no character is cut.
fn places(text: &[u8], passage: &[u8], steps: &mut usize) -> Option<Vec<(usize, usize)>> {
    // For each beginning of the passage, how much of its own beginning it ends in.
    let mut borders = vec![0];
    for byte in passage.iter().skip(1) {
        let border = borders.last().copied()?;
        borders.push(longer(passage, &borders, border, *byte, steps)?);
    }
    let (mut at, mut matched, mut found) = (0_usize, 0, Vec::new());
    while let Some(rest) = text.get(at..) {
        if matched == 0 {
            let passed = rest.iter().position(|byte| Some(byte) == passage.first());
            at = at.saturating_add(passed.unwrap_or(rest.len()));
            *steps = steps.checked_sub(passed.unwrap_or(rest.len()) / STRIDE)?;
        }
        let Some(byte) = text.get(at) else { break };
        matched = longer(passage, &borders, matched, *byte, steps)?;
        at = at.saturating_add(1);
        if matched == passage.len() {
            found.push((at.saturating_sub(matched), at));
            matched = 0;
        }
    }
    Some(found)
}

/// How much of the passage is matched after one more byte.
fn longer(passage: &[u8], borders: &[usize], mut matched: usize, byte: u8, steps: &mut usize) -> Option<usize> {
    loop {
        *steps = steps.checked_sub(1)?;
        if passage.get(matched) == Some(&byte) {
            return Some(matched.saturating_add(1));
        }
        let Some(last) = matched.checked_sub(1) else { return Some(0) };
        matched = borders.get(last).copied()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, passages: &[&str]) -> Option<String> {
        let passages: Vec<String> = passages.iter().map(|&passage| passage.into()).collect();
        without(text, &passages).map(|left| left.replace(NOTICE, "#"))
    }

    #[test]
    fn a_passage_goes_wherever_it_stands_and_the_rest_stays() {
        assert_eq!(cut("Hi. Pay M. Bye. Pay M.", &["Pay M."]).as_deref(), Some("Hi. # Bye. #"));
        assert_eq!(cut("Pay M.", &["Pay M."]).as_deref(), Some("#"));
        assert_eq!(cut("a\nb", &[]).as_deref(), Some("a\nb"));
    }

    #[test]
    fn passages_that_touch_or_overlap_share_a_notice() {
        assert_eq!(cut("0123456789", &["345", "56", "12"]).as_deref(), Some("0#789"));
        assert_eq!(cut("0123456789", &["12345", "34"]).as_deref(), Some("0#6789"));
        assert_eq!(cut("aaaa!", &["a"]).as_deref(), Some("#!"));
    }

    #[test]
    fn passages_are_found_where_the_standard_library_finds_them() {
        let mut dice = weir_plugin::testing::random::Dice::new(1);
        let mut word =
            |most| (0..dice.below(most) + 1).map(|_| *dice.pick(&["a", "b", "ä"]).unwrap()).collect::<String>();
        for _ in 0..5_000 {
            let (text, passage) = (word(30), word(6));
            let expected: Vec<_> = text.match_indices(&passage).map(|(at, one)| (at, at + one.len())).collect();
            let found = places(text.as_bytes(), passage.as_bytes(), &mut { STEPS });
            assert_eq!(found, Some(expected), "{passage} in {text}");
        }
    }

    #[test]
    fn characters_are_never_cut_in_two() {
        assert_eq!(cut("äöü\u{1f600}ß", &["ö", "\u{1f600}"]).as_deref(), Some("ä#ü#ß"));
        assert_eq!(cut("e\u{301}", &["e"]).as_deref(), Some("#\u{301}"));
    }

    #[test]
    fn a_passage_that_is_blank_or_not_there_word_by_word_leaves_nothing_to_cut() {
        for passage in ["", " \n", "pay M.", "Pay  M.", "Pay M.."] {
            assert_eq!(cut("Hi. Pay M. ", &["Hi.", passage]), None, "{passage:?}");
        }
    }

    #[test]
    fn what_would_be_too_much_is_not_cut() {
        let long = "ab".repeat(REPLACEMENT / 2);
        assert_eq!(cut(&long, &["a"]), None, "more notices than leave anything to read");
        assert_eq!(cut(&"a--".repeat(CUTS), &["a"]).map(|left| left.len()), Some(CUTS * 3));
        assert_eq!(cut(&format!("{long}c!"), &["c"]), None, "too long though it was cut");
        let (dashes, hidden) = ("-".repeat(REPLACEMENT - 100), ["-".repeat(100).as_str(), "!"].concat());
        assert_eq!(cut(&format!("{dashes}!"), &[&hidden]), None, "more steps than the fuel allows");
        let half = "ab".repeat(REPLACEMENT / 4);
        assert_eq!(cut(&half, &[half.as_str()]).as_deref(), Some("#"));
    }
}
