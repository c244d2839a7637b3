//! Adapts a component of an older version to the current one.
//!
//! Between minor versions the contract only grows (a test in [`super`] holds it to that): all that an older component imports
//! is there with the same types, and all that the host calls is in it. So its interfaces need their current names and nothing
//! else: no call costs more, and the linker checks types as for any other component. Only the outermost imports and exports
//! are renamed; every other section stays byte for byte as it is.

use super::{CURRENT, Version, interface};
use std::borrow::Cow;
use wasm_encoder::reencode::{ReencodeComponent, RoundtripReencoder};
use wasm_encoder::{Component, ComponentExportSection, ComponentImportSection, RawSection};
use wasmparser::{ComponentExternName, Parser, Payload};

/// The component with the current names of the contract's interfaces; the bytes themselves where the names are current.
///
/// # Errors
/// Bytes that are not a component.
pub fn adapted(bytes: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    let mut component = Component::new();
    let mut renamed = 0;
    let mut depth = 0_u32;
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(|e| e.to_string())?;
        match &payload {
            Payload::ComponentImportSection(section) if depth == 0 => {
                let mut imports = ComponentImportSection::new();
                for import in section.clone() {
                    let import = import.map_err(|e| e.to_string())?;
                    let name = current(import.name.name);
                    renamed += u32::from(matches!(name, Cow::Owned(_)));
                    let ty = RoundtripReencoder.component_type_ref(import.ty).map_err(|e| e.to_string())?;
                    imports.import(ComponentExternName { name: &name, ..import.name }, ty);
                }
                component.section(&imports);
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                let mut exports = ComponentExportSection::new();
                for export in section.clone() {
                    let mut export = export.map_err(|e| e.to_string())?;
                    let name = current(export.name.name);
                    renamed += u32::from(matches!(name, Cow::Owned(_)));
                    export.name.name = &name;
                    RoundtripReencoder.parse_component_export(&mut exports, export).map_err(|e| e.to_string())?;
                }
                component.section(&exports);
            }
            _ => {
                if depth == 0
                    && let Some((id, range)) = payload.as_section()
                {
                    let data = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
                    let data =
                        data.and_then(|(start, end)| bytes.get(start..end)).ok_or("a section ends past the file")?;
                    component.section(&RawSection { id, data });
                }
                match payload {
                    Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth = depth.saturating_add(1),
                    Payload::End(_) => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
        }
    }
    Ok(if renamed == 0 { Cow::Borrowed(bytes) } else { Cow::Owned(component.finish()) })
}

/// The name that an interface has in the current version.
fn current(name: &str) -> Cow<'_, str> {
    match interface(name) {
        Some((own, number)) if number != CURRENT.number && Version::find(number).is_some() => {
            Cow::Owned(CURRENT.interface(own))
        }
        _ => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::conform::Interfaces;
    use crate::contract::ALL;
    use crate::load::Kind;
    use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
    use wit_parser::ManglingAndAbi;

    /// A component made from a world alone.
    fn made(version: &Version, kind: Kind) -> Vec<u8> {
        let (resolve, world) = version.world(kind).unwrap();
        let mut module = dummy_module(&resolve, world, ManglingAndAbi::Standard32);
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
        ComponentEncoder::default().module(&module).unwrap().encode().unwrap()
    }

    #[test]
    fn a_component_of_the_current_version_is_left_alone() {
        let bytes = made(CURRENT, Kind::Policy);
        assert!(matches!(adapted(&bytes).unwrap(), Cow::Borrowed(_)));
    }

    #[test]
    fn a_component_of_an_older_version_has_current_names_and_is_still_valid() {
        for version in ALL.iter().filter(|version| version.number != CURRENT.number) {
            for kind in Kind::ALL {
                let bytes = made(version, kind);
                let after = adapted(&bytes).unwrap().into_owned();
                wasmparser::Validator::new().validate_all(&after).unwrap();
                let named = |bytes| {
                    let interfaces = Interfaces::read(bytes).unwrap();
                    (interfaces.imports(), interfaces.exports())
                };
                let renamed = |names: Vec<String>| names.into_iter().map(|name| current(&name).into_owned()).collect();
                let (imports, exports) = named(&bytes);
                assert_eq!(named(&after), (renamed(imports), renamed(exports)), "{kind:?} of {}", version.number);
                assert_eq!(Interfaces::read(&after).unwrap().kind(), Some((kind, CURRENT.number.to_owned())));
            }
        }
    }

    #[test]
    fn what_only_looks_like_the_contract_keeps_its_name() {
        for name in ["weir:plugin/log@0.0.9", "weir:plugin-x/log@0.1.0", "evil:plugin/log@0.1.0", "weir:plugin/log"] {
            assert_eq!(current(name), name);
        }
        assert_eq!(current("weir:plugin/log@0.1.0"), CURRENT.interface("log"));
    }
}
