//! The section in a component's bytes.

use crate::{Error, FORMAT, Metadata, SECTION, SECTION_BYTES};
use serde::Deserialize;
use std::borrow::Cow;
use std::ops::Range;
use wasm_encoder::{ComponentSection, CustomSection};
use wasmparser::{BinaryReaderError, Encoding, Parser, Payload};

/// Reads what a component says of itself; none where it says nothing.
///
/// # Errors
/// Where the bytes are no component, or what it says is not allowed.
pub fn read(component: &[u8]) -> Result<Option<Metadata>, Error> {
    let mut found = Vec::new();
    visit(component, &mut |payload, _| {
        if let Payload::CustomSection(section) = payload
            && section.name() == SECTION
        {
            found.push(section.data().to_vec());
        }
        Ok(())
    })?;
    match found.as_slice() {
        [] => Ok(None),
        [one] => parse(one).map(Some),
        many => Err(Error::Many(many.len())),
    }
}

/// What only the version of the form is read of.
#[derive(Deserialize)]
struct Head {
    format: String,
}

fn parse(data: &[u8]) -> Result<Metadata, Error> {
    if data.len() > SECTION_BYTES {
        return Err(Error::Long(data.len()));
    }
    let json = |e: serde_json::Error| Error::Json(e.to_string());
    let head: Head = serde_json::from_slice(data).map_err(json)?;
    if head.format != FORMAT {
        return Err(Error::Format(head.format));
    }
    let metadata: Metadata = serde_json::from_slice(data).map_err(json)?;
    metadata.check()?;
    Ok(metadata)
}

/// The component with this metadata in the place of what it said before. Every other byte stays as it is, and the same
/// component with the same metadata is the same again.
///
/// # Errors
/// Where the bytes are no component, or the metadata are not allowed.
pub fn write(component: &[u8], metadata: &Metadata) -> Result<Vec<u8>, Error> {
    metadata.check()?;
    let data = serde_json::to_vec(metadata).map_err(|e| Error::Json(e.to_string()))?;
    if data.len() > SECTION_BYTES {
        return Err(Error::Long(data.len()));
    }
    let mut sections = Vec::new();
    visit(component, &mut |payload, whole| {
        if matches!(payload, Payload::CustomSection(section) if section.name() == SECTION) {
            sections.push(whole);
        }
        Ok(())
    })?;
    let mut bytes = Vec::with_capacity(component.len().saturating_add(data.len()));
    let mut from = 0;
    for section in sections {
        bytes.extend_from_slice(component.get(from..section.start).unwrap_or_default());
        from = section.end;
    }
    bytes.extend_from_slice(component.get(from..).unwrap_or_default());
    CustomSection { name: Cow::Borrowed(SECTION), data: Cow::Owned(data) }.append_to_component(&mut bytes);
    Ok(bytes)
}

/// What is done with a section: its payload, and its bytes from its identifier to its end.
type Visit<'a> = &'a mut dyn FnMut(&Payload, Range<usize>) -> Result<(), BinaryReaderError>;

/// Visits the sections of a component itself, in order, and not those of what is nested in it.
pub(crate) fn visit(component: &[u8], each: Visit) -> Result<(), Error> {
    let broken = |e: &BinaryReaderError| Error::Component { message: e.message().into(), offset: e.offset() };
    let mut depth = 0_usize;
    // A section's range is given without the identifier and the length before it: it begins where the one before ends.
    let mut end = 0_usize;
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload.map_err(|e| broken(&e))?;
        match &payload {
            Payload::Version { encoding: Encoding::Module, .. } if depth == 0 => {
                return Err(Error::Component { message: "it is a core module".into(), offset: 0 });
            }
            Payload::Version { range, .. } => {
                depth = depth.saturating_add(1);
                if depth == 1 {
                    end = place(range.end);
                }
            }
            Payload::End(_) => depth = depth.saturating_sub(1),
            _ if depth == 1 => {
                if let Some((_, range)) = payload.as_section() {
                    let whole = end..place(range.end);
                    end = whole.end;
                    each(&payload, whole).map_err(|e| broken(&e))?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// A place in bytes that are in memory.
fn place(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::metadata;
    use wasm_encoder::{Component, Module, ModuleSection, NestedComponentSection};

    /// A component with nested ones, each with sections of its own.
    fn component() -> Vec<u8> {
        fn custom<'a>(name: &'a str, data: &'a str) -> CustomSection<'a> {
            CustomSection { name: name.into(), data: data.as_bytes().into() }
        }
        let (mut module, mut inner, mut outer) = (Module::new(), Component::new(), Component::new());
        module.section(&custom(SECTION, "not this"));
        inner.section(&custom(SECTION, "nor this")).section(&NestedComponentSection(&Component::new()));
        outer.section(&custom("first", "1")).section(&ModuleSection(&module)).section(&NestedComponentSection(&inner));
        outer.section(&custom("last", "2"));
        outer.finish()
    }

    /// The component with a section of these bytes.
    fn with(data: &[u8]) -> Vec<u8> {
        let mut bytes = component();
        CustomSection { name: Cow::Borrowed(SECTION), data: Cow::Borrowed(data) }.append_to_component(&mut bytes);
        bytes
    }

    fn said(data: &str) -> String {
        read(&with(data.as_bytes())).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read_and_all_else_stays() {
        let bare = component();
        assert_eq!(read(&bare), Ok(None));
        let written = write(&bare, &metadata()).unwrap();
        assert_eq!(read(&written), Ok(Some(metadata())));
        assert_eq!(written[..bare.len()], bare);
        assert_eq!(write(&written, &metadata()).unwrap(), written);
    }

    #[test]
    fn a_section_is_replaced_wherever_it_stands() {
        let old = write(&component(), &metadata()).unwrap();
        let mut followed = old.clone();
        CustomSection { name: "after".into(), data: b"3"[..].into() }.append_to_component(&mut followed);
        let new = crate::Metadata { version: "2.0.0".into(), ..metadata() };
        let replaced = write(&followed, &new).unwrap();
        assert_eq!(read(&replaced).unwrap().unwrap().version, "2.0.0");
        let without = [&component()[..], &followed[old.len()..]].concat();
        assert_eq!(replaced[..without.len()], without);
        // Two are ambiguous, and both are replaced.
        let twice = [&old[..], &old[component().len()..]].concat();
        assert_eq!(read(&twice), Err(Error::Many(2)));
        assert_eq!(write(&twice, &metadata()).unwrap(), old);
    }

    #[test]
    fn a_length_in_more_bytes_than_it_needs_is_cut_out_whole() {
        // The section's identifier, its length of 14 in three bytes, and its name.
        let odd = [&component()[..], b"\0\x8e\x80\0\x0bweir:plugin{}"].concat();
        assert!(matches!(read(&odd), Err(Error::Json(_))));
        assert_eq!(write(&odd, &metadata()).unwrap(), write(&component(), &metadata()).unwrap());
    }

    #[test]
    fn what_is_not_of_the_form_is_refused() {
        let text = serde_json::to_string(&metadata()).unwrap();
        assert!(said("{").contains("EOF"));
        assert!(said("{}").contains("missing field `format`"));
        assert!(
            said(&text.replace("plugin/1", "plugin/2")).contains("the format `weir-plugin/2`, and this weir knows")
        );
        assert!(said(&text.replace("\"asks\"", "\"ask\"")).contains("unknown field `ask`"));
        assert!(said(&text.replace("\"version\":\"1.2.0\",", "")).contains("missing field `version`"));
        assert!(said(&text.replace("hook-fuel", "compile-seconds")).contains("compile-seconds"));
        assert!(said(&text.replace("\"log\"", "\"files\"")).contains("unknown capability `files`"));
        assert!(said(&text.replace("MIT", "\\u001b[2J")).starts_with("`licence`"));
        assert!(said(&" ".repeat(SECTION_BYTES + 1)).contains("16385 bytes, the limit is 16384"));
        assert!(said(&"[".repeat(9_000)).contains("invalid type"));
        assert!(
            said(&text.replace("\"MIT\"", &"[".repeat(9_000))).starts_with("the section `weir:plugin` is not what")
        );
    }
}
