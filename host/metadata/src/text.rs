//! Text that somebody else wrote, on its way to a reader's eyes.

/// Whether a character is a control, reorders text, has no width, or is none: soft hyphen, the joiners and marks of
/// direction, the embeddings and isolates, variation selectors, tags (which spell ASCII invisibly) and noncharacters.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
        || ('\u{fdd0}'..='\u{fdef}').contains(&c)
}
