//! What a component imports and exports, by name alone: read in one pass, which no component can make slow or deep.

use crate::{Capability, Error, FORMAT, Kind, Metadata, section};
use wasmparser::Payload;

/// The contract's package.
pub const PACKAGE: &str = "weir:plugin";

/// Names that a component imports and exports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surface {
    /// What it imports, in order.
    pub imports: Vec<String>,
    /// What it exports, in order.
    pub exports: Vec<String>,
}

impl Surface {
    /// Reads it.
    ///
    /// # Errors
    /// Where the bytes are not a component.
    pub fn read(component: &[u8]) -> Result<Self, Error> {
        let mut surface = Surface::default();
        section::visit(component, &mut |payload, _| {
            match payload {
                Payload::ComponentImportSection(section) => {
                    for import in section.clone() {
                        surface.imports.push(import?.name.name.to_owned());
                    }
                }
                Payload::ComponentExportSection(section) => {
                    for export in section.clone() {
                        surface.exports.push(export?.name.name.to_owned());
                    }
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(surface)
    }

    /// The plugin kind and the contract that it was built against, by the interface that it exports.
    #[must_use]
    pub fn kind(&self) -> Option<(Kind, String)> {
        self.exports.iter().find_map(|export| {
            let (interface, version) = of_contract(export)?;
            let kind = Kind::ALL.into_iter().find(|kind| kind.name() == interface)?;
            Some((kind, format!("{PACKAGE}@{version}")))
        })
    }

    /// Capabilities that it imports. A model's role is not known from the import.
    #[must_use]
    pub fn capabilities(&self) -> Vec<Capability> {
        let imported = |name: &str| self.imports.iter().filter_map(|i| of_contract(i)).any(|(i, _)| i == name);
        let plain = [("log", Capability::Log), ("transcript", Capability::Transcript)];
        plain.into_iter().filter(|(name, _)| imported(name)).map(|(_, capability)| capability).collect()
    }

    /// Whether it imports models.
    #[must_use]
    pub fn asks_models(&self) -> bool {
        self.imports.iter().filter_map(|import| of_contract(import)).any(|(interface, _)| interface == "model")
    }

    /// Metadata of a plugin with this name and version, which asks for what it imports. None where it is no plugin.
    #[must_use]
    pub fn metadata(&self, name: &str, version: &str) -> Option<Metadata> {
        let (kind, contract) = self.kind()?;
        Some(Metadata {
            format: FORMAT.into(),
            kind,
            contract,
            name: name.into(),
            version: version.into(),
            authors: Vec::new(),
            licence: None,
            homepage: None,
            asks: self.capabilities(),
            optional: Vec::new(),
            limits: Default::default(),
        })
    }
}

/// An interface of the contract: its name and version.
pub fn of_contract(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix(PACKAGE)?.strip_prefix('/')?.split_once('@')
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        Component, ComponentExportKind, ComponentExportSection, ComponentImportSection, ComponentInstanceSection,
        ComponentTypeRef, ComponentTypeSection, InstanceType, Module, NestedComponentSection,
    };

    /// A component that imports and exports empty interfaces of these names.
    fn component(imports: &[&str], export: &str) -> Component {
        let (mut types, mut imported) = (ComponentTypeSection::new(), ComponentImportSection::new());
        types.instance(&InstanceType::new());
        for name in imports {
            imported.import(*name, ComponentTypeRef::Instance(0));
        }
        let (mut instances, mut exports) = (ComponentInstanceSection::new(), ComponentExportSection::new());
        instances.export_items(Vec::<(&str, ComponentExportKind, u32)>::new());
        exports.export(export, ComponentExportKind::Instance, u32::try_from(imports.len()).unwrap(), None);
        let mut component = Component::new();
        component.section(&types).section(&imported).section(&instances).section(&exports);
        component
    }

    #[test]
    fn kind_contract_and_capabilities_are_read_from_names() {
        let imports = ["weir:plugin/log@0.0.7", "weir:plugin/model@0.0.7", "wasi:clocks/wall-clock@0.2.6"];
        let surface = Surface::read(&component(&imports, "weir:plugin/writer@0.0.7").finish()).unwrap();
        assert_eq!(surface.kind(), Some((Kind::Writer, "weir:plugin@0.0.7".into())));
        assert_eq!((surface.capabilities(), surface.asks_models()), (vec![Capability::Log], true));
        assert_eq!(surface.metadata("w", "1").unwrap().asks, [Capability::Log]);
    }

    #[test]
    fn what_stands_in_a_nested_component_is_not_its_own() {
        let mut outer = Component::new();
        outer.section(&NestedComponentSection(&component(&[], "weir:plugin/policy@0.0.7")));
        let surface = Surface::read(&outer.finish()).unwrap();
        assert_eq!(surface, Surface::default());
        assert_eq!((surface.kind(), surface.metadata("w", "1")), (None, None));
    }

    #[test]
    fn other_bytes_are_no_component() {
        for bytes in [&b"not wasm"[..], &Module::new().finish()] {
            assert!(matches!(Surface::read(bytes), Err(Error::Component { .. })));
        }
    }
}
