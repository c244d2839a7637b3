//! A data file: a script with one call that hands over a value, `weir.put(NAME, JSON.parse(TEXT))`.
//!
//! A page that is opened from disk may not fetch files, but run scripts beside it. What stands in a run is hostile, and these
//! files are code, so three things hold of each: it is ASCII, whatever the encoding that a reader assumes; all that comes
//! from a run stands in one string literal, in which neither quote, line end nor `</script` can occur; and the string is read
//! by `JSON.parse`, for which `__proto__` is a key like any other, as it is not in code.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io::{self, Write};
use weir_suite::Error;

/// Ends the path of a data file, and is no part of its name.
const EXTENSION: &str = ".js";

/// The file's path, of a name.
#[must_use]
pub fn path(name: &str) -> String {
    format!("{name}{EXTENSION}")
}

/// A script that hands over a value under a name of `[a-z0-9/-]`.
///
/// # Errors
/// Where the value cannot be written as JSON.
pub fn value(name: &str, value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut json = Vec::new();
    value
        .serialize(&mut Serializer::with_formatter(&mut json, Ascii))
        .map_err(|e| Error::Input(format!("{name} cannot be written as JSON: {e}")))?;
    let mut script = format!("weir.put(\"{name}\",JSON.parse('").into_bytes();
    script.reserve(json.len() + json.len() / 16);
    // Within a string of code, a backslash of JSON is written twice. There is no quote: see `Ascii`.
    for byte in json {
        if byte == b'\\' {
            script.push(b'\\');
        }
        script.push(byte);
    }
    script.extend(b"'));\n");
    Ok(script)
}

/// A script that hands over bytes in base64 under a name of `[a-z0-9/-]`.
#[must_use]
pub fn bytes(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut script = format!("weir.put(\"{name}\",\"");
    STANDARD.encode_string(bytes, &mut script);
    script.push_str("\");\n");
    script.into_bytes()
}

/// JSON in ASCII, without a character that ends a string or a script, and whole numbers without a fraction.
struct Ascii;

impl Formatter for Ascii {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // Beyond 2^53 a float no longer names one integer.
        if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 {
            // Minus zero is zero.
            return write!(writer, "{:.0}", value + 0.0);
        }
        write!(writer, "{value}")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let plain = |c: char| (' '..='~').contains(&c) && !matches!(c, '<' | '>' | '&' | '\'');
        let mut rest = fragment;
        while let Some(at) = rest.find(|c| !plain(c)) {
            let (before, after) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            let mut characters = after.chars();
            if let Some(c) = characters.next() {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
            rest = characters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// What a browser makes of a script: undoes the string literal, then parses.
    fn read(script: &[u8]) -> Value {
        let text = std::str::from_utf8(script).unwrap();
        let literal = text.strip_prefix("weir.put(\"data/x\",JSON.parse('").unwrap().strip_suffix("'));\n").unwrap();
        let (mut json, mut characters) = (String::new(), literal.chars());
        while let Some(c) = characters.next() {
            assert!(c.is_ascii() && !c.is_ascii_control() && c != '\'', "{c:?} in {literal}");
            json.push(if c == '\\' {
                assert_eq!(characters.next(), Some('\\'), "a backslash that means something in code");
                '\\'
            } else {
                c
            });
        }
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn whatever_a_run_says_is_one_string_of_ascii_and_comes_back_to_the_letter() {
        let hostile = [
            "</script><script>alert(1)</script>",
            "'));alert(1);//",
            "\\'));alert(1);//",
            "\\\\u0027",
            "`${alert(1)}`",
            "<!--<script>",
            "]]>",
            "\u{2028}\u{2029}\u{feff}\u{202e}",
            "\n\r\t\0\u{7f}\u{1b}[31m",
            "ü 漢 \u{1f600}",
            "__proto__",
        ];
        for text in hostile {
            let said = json!({ text: [text, { "__proto__": text }] });
            let script = value("data/x", &said).unwrap();
            assert_eq!(read(&script), said);
            let script = String::from_utf8(script).unwrap();
            assert!(!script.contains(['<', '>', '&']), "{script}");
        }
    }

    #[test]
    fn numbers_are_exact_and_short() {
        let numbers = json!([1.0, -0.0, 0.1, 1e300, 3, -2.5, 18_446_744_073_709_551_615_u64]);
        let script = String::from_utf8(value("data/x", &numbers).unwrap()).unwrap();
        assert!(script.contains("'[1,0,0.1,1000"), "{script}");
        let read = read(script.as_bytes());
        assert_eq!(read[2].as_f64(), Some(0.1));
        assert_eq!(read[3].as_f64(), Some(1e300));
        assert_eq!(read[6].as_u64(), Some(u64::MAX));
    }

    #[test]
    fn a_frame_is_a_string_of_base64() {
        assert_eq!(bytes("traces/t/e/0", &[0xfb, 0xff, 0]), b"weir.put(\"traces/t/e/0\",\"+/8A\");\n");
    }
}
