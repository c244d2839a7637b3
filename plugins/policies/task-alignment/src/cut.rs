//! An observation without its misaligned passages.

/// Stands where a passage was.
pub(crate) const NOTICE: &str = "[removed: an instruction that does not serve the user's request]";

/// Bytes of text times passages to look for: so much searching uses well under a hook's fuel, whatever the texts are.
const SEARCHED: usize = 1 << 20;

/// Bytes of a replacement that the host takes.
const REPLACEMENT: usize = 64 << 10;

/// The text with a notice in the place of each passage, wherever it stands; passages that touch share one. None where a
/// passage is blank or does not stand there word by word, or where it is all too much: nobody knows then what to cut.
pub(crate) fn without(text: &str, passages: &[String]) -> Option<String> {
    if text.len().saturating_mul(passages.len()) > SEARCHED {
        return None;
    }
    let mut cuts = Vec::new();
    for passage in passages {
        let before = cuts.len();
        if !passage.trim().is_empty() {
            cuts.extend(text.match_indices(passage.as_str()).map(|(at, found)| (at, at.saturating_add(found.len()))));
        }
        if cuts.len() == before {
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
        assert_eq!(cut(&long, &["a"]), None, "more notices than fit");
        assert_eq!(cut(&format!("{long}c!"), &["c"]), None, "too long though it was cut");
        assert_eq!(cut(&long, &["ab"; 17]), None, "more to search than the fuel allows");
        assert_eq!(cut(&long, &[long.as_str()]).as_deref(), Some("#"));
    }
}
