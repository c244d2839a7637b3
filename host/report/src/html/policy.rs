//! The page's Content-Security-Policy.

use weir_trace::json::sha256;

/// Nothing may be loaded, run, framed or sent; of styles only the page's own sheet applies, by its digest, so that a style
/// which slipped in would be dead as well.
pub(super) fn policy(style: &str) -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&sha256(style.as_bytes()))
    )
}

/// A digest in hexadecimal as Base64 (RFC 4648, section 4).
fn base64(hex: &str) -> String {
    const ALPHABET: [char; 64] = {
        let mut letters = ['A'; 64];
        let bytes = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut index = 0;
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which would refuse it")]
        while index < 64 {
            letters[index] = bytes[index] as char;
            index += 1;
        }
        letters
    };
    let digits: Vec<usize> =
        hex.chars().filter_map(|c| c.to_digit(16)).filter_map(|digit| usize::try_from(digit).ok()).collect();
    // Three hexadecimal digits are two of Base64; what is left over is filled with zeros.
    let mut out: String = digits
        .chunks(3)
        .flat_map(|chunk| {
            let digit = |index: usize| chunk.get(index).copied().unwrap_or_default();
            let bits = digit(0) << 8 | digit(1) << 4 | digit(2);
            let second = (chunk.len() > 1).then_some(bits & 63);
            [Some(bits >> 6), second]
        })
        .flatten()
        .filter_map(|index| ALPHABET.get(index))
        .collect();
    while !out.len().is_multiple_of(4) {
        out.push('=');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let examples = [("", ""), ("66", "Zg=="), ("666f", "Zm8="), ("666f6f", "Zm9v"), ("666f6f62", "Zm9vYg==")];
        for (hex, expected) in examples {
            assert_eq!(base64(hex), expected, "{hex}");
        }
    }

    #[test]
    fn a_digest_is_written_as_browsers_expect_it() {
        // SHA-256 of nothing, as published with the Content-Security-Policy recommendation.
        assert!(policy("").contains("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"));
    }
}
