//! World conformance: which plugin kind a component is, and, where it does not fit its world, which items are missing or
//! differ.

use crate::fault::{Cause, printable};
use crate::load::Kind;
use serde::{Deserialize, Serialize};
use wit_parser::decoding::{DecodedWasm, decode};
use wit_parser::{Function, InterfaceId, Resolve, Type, TypeDefKind, WorldId, WorldItem, WorldKey};

/// The contract as this host was built with it.
const WIT: &[(&str, &str)] = &[
    ("types.wit", include_str!("../../../../wit/types.wit")),
    ("trace.wit", include_str!("../../../../wit/trace.wit")),
    ("host.wit", include_str!("../../../../wit/host.wit")),
    ("memory.wit", include_str!("../../../../wit/memory.wit")),
    ("policy.wit", include_str!("../../../../wit/policy.wit")),
    ("domain.wit", include_str!("../../../../wit/domain.wit")),
    ("writer.wit", include_str!("../../../../wit/writer.wit")),
    ("reducer.wit", include_str!("../../../../wit/reducer.wit")),
];

/// The contract's package and version.
pub const CONTRACT: &str = "weir:plugin@0.1.0";

/// SHA-256 over the contract's files, in lower-case hex.
#[must_use]
pub fn contract_digest() -> String {
    let all: String = WIT.iter().map(|(name, text)| format!("{name}\n{text}\n")).collect();
    weir_trace::json::sha256(all.as_bytes())
}

/// A component's interfaces, read from its bytes.
pub struct Interfaces {
    resolve: Resolve,
    world: WorldId,
}

impl Interfaces {
    /// Reads them.
    ///
    /// # Errors
    /// Where the bytes are not a component.
    pub fn read(bytes: &[u8]) -> Result<Self, Cause> {
        let malformed = |message: String| Cause::Malformed { message, offset: 0 };
        match decode(bytes).map_err(|e| malformed(printable(&format!("{e:#}"))))? {
            DecodedWasm::Component(resolve, world) => Ok(Interfaces { resolve, world }),
            DecodedWasm::WitPackage(..) => Err(malformed("this is an encoded WIT package, not a component".into())),
        }
    }

    /// Names of the imported interfaces and items.
    #[must_use]
    pub fn imports(&self) -> Vec<String> {
        let world = self.resolve.worlds.get(self.world);
        world.map(|w| w.imports.keys().map(|key| self.resolve.name_world_key(key)).collect()).unwrap_or_default()
    }

    /// Names of the exported interfaces and items.
    #[must_use]
    pub fn exports(&self) -> Vec<String> {
        let world = self.resolve.worlds.get(self.world);
        world.map(|w| w.exports.keys().map(|key| self.resolve.name_world_key(key)).collect()).unwrap_or_default()
    }

    /// The plugin kind, by the interface that it exports, whatever its version.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        let exports = self.exports();
        Kind::ALL.into_iter().find(|kind| {
            let prefix = format!("weir:plugin/{}@", kind.name());
            exports.iter().any(|export| export.starts_with(&prefix))
        })
    }

    fn export(&self, name: &str) -> Option<InterfaceId> {
        let world = self.resolve.worlds.get(self.world)?;
        world.exports.iter().find_map(|(key, item)| match item {
            WorldItem::Interface { id, .. } if self.resolve.name_world_key(key) == name => Some(*id),
            _ => None,
        })
    }
}

/// What is known of a component's interfaces, as the reading process hands it over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The plugin kind, by the interface that it exports.
    pub kind: Option<Kind>,
    /// Names of imports.
    pub imports: Vec<String>,
    /// Names of exports.
    pub exports: Vec<String>,
    /// Why it does not implement the world of the wanted kind; empty where it does.
    pub problems: Vec<String>,
    /// What only wit-component's own check finds, where the imports are all of the contract.
    pub remainder: Vec<String>,
}

/// Reads a component's interfaces and compares them with the world of the wanted kind, if one is wanted.
///
/// wit-parser's reader was made for what its own tools write: a valid component can send it into endless recursion or a
/// panic. So this runs in a process of its own, see `compile`.
///
/// # Errors
/// Where the bytes are not a component.
pub fn look(bytes: &[u8], wanted: Option<Kind>) -> Result<Look, Cause> {
    let interfaces = Interfaces::read(bytes)?;
    let mut look = Look {
        kind: interfaces.kind(),
        imports: interfaces.imports(),
        exports: interfaces.exports(),
        problems: Vec::new(),
        remainder: Vec::new(),
    };
    let Some(kind) = wanted else { return Ok(look) };
    let (contract, world) = contract(kind)?;
    let name = format!("weir:plugin/{}@0.1.0", kind.name());
    match interfaces.export(&name) {
        Some(found) => {
            let expected = exported_interface(&contract, world, &name);
            compare(&contract, expected, &interfaces.resolve, found, &name, &mut look.problems);
        }
        None => look.problems.push(format!("missing export  {name}")),
    }
    let explained = |problems: &mut Vec<String>| {
        problems.extend(hint(&interfaces, kind));
        problems.insert(0, format!("does not implement world `{}-plugin` of {CONTRACT}", kind.name()));
    };
    if !look.problems.is_empty() {
        explained(&mut look.problems);
    } else if look.imports.iter().all(|import| import.starts_with("weir:plugin/")) {
        // Whatever the comparison by name does not see. It knows no import outside the world, so with those of the compat
        // profile the link is the check.
        if let Err(error) = wit_component::targets(&contract, world, bytes) {
            look.remainder.push(printable(&format!("{error:#}")));
            explained(&mut look.remainder);
        }
    }
    Ok(look)
}

/// What the author probably did.
fn hint(interfaces: &Interfaces, wanted: Kind) -> Option<String> {
    let exports = interfaces.exports();
    let other = exports.iter().find_map(|export| {
        let rest = export.strip_prefix("weir:plugin/")?;
        let (kind, version) = rest.split_once('@')?;
        Some((kind.to_owned(), version.to_owned()))
    });
    Some(match other {
        Some((kind, _)) if kind != wanted.name() => format!("this component is a {kind}, not a {}", wanted.name()),
        Some((_, version)) if version != "0.1.0" => {
            format!("it was built against weir:plugin@{version}: rebuild it against {CONTRACT}")
        }
        Some(_) => format!("rebuild it against {CONTRACT}"),
        None => format!("it exports {}", if exports.is_empty() { "nothing".into() } else { exports.join(", ") }),
    })
}

/// The contract, parsed; a failure would be a fault of this build and is caught by a test.
fn contract(kind: Kind) -> Result<(Resolve, WorldId), Cause> {
    let broken = |e: String| Cause::Host { message: format!("the built-in contract does not parse: {e}") };
    let mut map = wit_parser::SourceMap::default();
    for (name, text) in WIT {
        map.push(std::path::Path::new(name), *text);
    }
    let group = map.parse().map_err(|(_, e)| broken(format!("{e:?}")))?;
    let mut resolve = Resolve::default();
    let package = resolve.push_group(group).map_err(|e| broken(format!("{e:#}")))?;
    let world = resolve
        .select_world(&[package], Some(&format!("{}-plugin", kind.name())))
        .map_err(|e| broken(e.to_string()))?;
    Ok((resolve, world))
}

fn exported_interface(resolve: &Resolve, world: WorldId, name: &str) -> Option<InterfaceId> {
    resolve.worlds.get(world)?.exports.iter().find_map(|(key, item)| match (key, item) {
        (WorldKey::Interface(_), WorldItem::Interface { id, .. }) if resolve.name_world_key(key) == name => Some(*id),
        _ => None,
    })
}

fn compare(
    expected: &Resolve,
    expected_id: Option<InterfaceId>,
    found: &Resolve,
    found_id: InterfaceId,
    interface: &str,
    problems: &mut Vec<String>,
) {
    let Some(wanted) = expected_id.and_then(|id| expected.interfaces.get(id)) else { return };
    let Some(given) = found.interfaces.get(found_id) else { return };
    for (name, function) in &wanted.functions {
        match given.functions.get(name) {
            None => problems.push(format!("missing export  {interface} {name}")),
            Some(other) => {
                let (want, have) = (signature(expected, function), signature(found, other));
                if want != have {
                    problems.push(format!("mismatching export  {interface} {name}"));
                    problems.push(format!("  contract   {want}"));
                    problems.push(format!("  component  {have}"));
                }
            }
        }
    }
}

/// A function's parameters and result with every named type written out, so that two of them are equal as text iff they
/// are equal in structure.
fn signature(resolve: &Resolve, function: &Function) -> String {
    let params: Vec<String> =
        function.params.iter().map(|p| format!("{}: {}", p.name, shape(resolve, &p.ty))).collect();
    let result = function.result.as_ref().map(|ty| format!(" -> {}", shape(resolve, ty))).unwrap_or_default();
    format!("({}){result}", params.join(", "))
}

fn shape(resolve: &Resolve, ty: &Type) -> String {
    let Type::Id(id) = ty else { return format!("{ty:?}").to_lowercase() };
    let Some(def) = resolve.types.get(*id) else { return "unknown".into() };
    let name = def.name.as_deref().unwrap_or_default();
    let optional = |ty: &Option<Type>| ty.as_ref().map(|ty| shape(resolve, ty)).unwrap_or_else(|| "_".into());
    match &def.kind {
        TypeDefKind::Type(inner) => shape(resolve, inner),
        TypeDefKind::List(inner) => format!("list<{}>", shape(resolve, inner)),
        TypeDefKind::Option(inner) => format!("option<{}>", shape(resolve, inner)),
        TypeDefKind::Result(result) => format!("result<{}, {}>", optional(&result.ok), optional(&result.err)),
        TypeDefKind::Record(record) => {
            let fields: Vec<String> =
                record.fields.iter().map(|f| format!("{}: {}", f.name, shape(resolve, &f.ty))).collect();
            format!("{name} {{{}}}", fields.join(", "))
        }
        TypeDefKind::Variant(variant) => {
            let cases: Vec<String> = variant.cases.iter().map(|c| format!("{}({})", c.name, optional(&c.ty))).collect();
            format!("{name} {{{}}}", cases.join(", "))
        }
        TypeDefKind::Enum(cases) => {
            let cases: Vec<&str> = cases.cases.iter().map(|c| c.name.as_str()).collect();
            format!("{name} {{{}}}", cases.join(", "))
        }
        TypeDefKind::Tuple(tuple) => {
            let types: Vec<String> = tuple.types.iter().map(|ty| shape(resolve, ty)).collect();
            format!("tuple<{}>", types.join(", "))
        }
        TypeDefKind::Handle(wit_parser::Handle::Own(id) | wit_parser::Handle::Borrow(id)) => {
            format!("handle {}", resolve.types.get(*id).and_then(|d| d.name.as_deref()).unwrap_or_default())
        }
        other => other.as_str().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_contract_has_a_world_for_each_kind() {
        for kind in Kind::ALL {
            let (resolve, world) = contract(kind).unwrap();
            let name = format!("weir:plugin/{}@0.1.0", kind.name());
            assert!(exported_interface(&resolve, world, &name).is_some(), "{name}");
        }
    }

    #[test]
    fn the_contract_breaks_no_released_world() {
        // Each released copy's worlds must accept what the current ones describe: types equal, exports not grown.
        let released = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit/released");
        let mut versions = 0;
        for entry in std::fs::read_dir(released).unwrap() {
            let path = entry.unwrap().path();
            let mut resolve = Resolve::default();
            let (old, _) = resolve.push_dir(&path).unwrap();
            for kind in Kind::ALL {
                let world = format!("{}-plugin", kind.name());
                let old_world = resolve.select_world(&[old], Some(&world)).unwrap();
                let (current, current_world) = contract(kind).unwrap();
                let name = format!("weir:plugin/{}@0.1.0", kind.name());
                let mut problems = Vec::new();
                compare(
                    &resolve,
                    exported_interface(&resolve, old_world, &name),
                    &current,
                    exported_interface(&current, current_world, &name).unwrap(),
                    &name,
                    &mut problems,
                );
                assert_eq!(problems, Vec::<String>::new(), "{}", path.display());
                let mut renamed = resolve.clone();
                let remap = renamed.merge(current).unwrap();
                let new_world = remap.map_world(current_world, Default::default()).unwrap();
                wit_component::semver_check(renamed, old_world, new_world).unwrap();
            }
            versions += 1;
        }
        assert!(versions > 0);
    }
}
