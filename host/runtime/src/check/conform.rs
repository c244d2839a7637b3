//! World conformance: which plugin kind a component is, and, where it does not fit its world, which items are missing or
//! differ.

use crate::contract::{self, CURRENT, Version};
use crate::fault::{Cause, printable};
use crate::load::Kind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use wit_parser::decoding::{DecodedWasm, decode};
use wit_parser::{Function, InterfaceId, Resolve, Type, TypeDefKind, WorldId, WorldItem, WorldKey};

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

    /// The plugin kind and the version of the contract, by the interface that it exports, whether or not this host loads it.
    #[must_use]
    pub fn kind(&self) -> Option<(Kind, String)> {
        let exports = self.exports();
        Kind::ALL.into_iter().find_map(|kind| {
            let interfaces = exports.iter().filter_map(|export| contract::interface(export));
            interfaces.filter(|(name, _)| *name == kind.name()).map(|(_, number)| (kind, number.to_owned())).next()
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
    /// The number of the contract's version to which that interface belongs.
    pub contract: Option<String>,
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
    let (kind, number) = interfaces.kind().unzip();
    let mut look = Look {
        kind,
        contract: number,
        imports: interfaces.imports(),
        exports: interfaces.exports(),
        problems: Vec::new(),
        remainder: Vec::new(),
    };
    let Some(kind) = wanted else { return Ok(look) };
    // What fits no version is compared with the current one.
    let version = look.contract.as_deref().and_then(Version::find).unwrap_or(CURRENT);
    let (resolve, world) = version.world(kind).map_err(|message| Cause::Host { message })?;
    let name = version.interface(kind.name());
    match interfaces.export(&name) {
        Some(found) => {
            let expected = exported_interface(&resolve, world, &name);
            compare(&resolve, expected, &interfaces.resolve, found, &name, &mut look.problems);
        }
        None => look.problems.push(format!("missing export  {name}")),
    }
    if let Some(problem) = mixed(&look) {
        look.problems.push(problem);
    }
    let explained = |problems: &mut Vec<String>| {
        problems.extend(hint(&interfaces, kind));
        problems.insert(0, format!("does not implement world `{}-plugin` of {}", kind.name(), version.package()));
    };
    if !look.problems.is_empty() {
        explained(&mut look.problems);
    } else if look.imports.iter().all(|import| contract::interface(import).is_some()) {
        // Whatever the comparison by name does not see. It knows no import outside the world, so with those of the compat
        // profile the link is the check.
        if let Err(error) = wit_component::targets(&resolve, world, bytes) {
            look.remainder.push(printable(&format!("{error:#}")));
            explained(&mut look.remainder);
        }
    }
    Ok(look)
}

/// A component is adapted as a whole, so all of the contract that it uses must be of one version. A version that is not loaded
/// is no import at all.
fn mixed(look: &Look) -> Option<String> {
    let names = look.imports.iter().chain(&look.exports);
    let numbers: BTreeSet<&str> = names
        .filter_map(|name| contract::interface(name))
        .map(|(_, number)| number)
        .filter(|n| Version::find(n).is_some())
        .collect();
    let list: Vec<&str> = numbers.into_iter().collect();
    (list.len() > 1).then(|| format!("it uses more than one version of the contract: {}", printable(&list.join(", "))))
}

/// What the author probably did.
fn hint(interfaces: &Interfaces, wanted: Kind) -> Option<String> {
    let exports = interfaces.exports();
    let rebuild = || format!("rebuild it against {}", CURRENT.package());
    Some(match exports.iter().find_map(|export| contract::interface(export)) {
        Some((kind, _)) if kind != wanted.name() => {
            format!("this component is a {}, not a {}", printable(kind), wanted.name())
        }
        Some((_, number)) if Version::find(number).is_none() => {
            format!("it was built against {}@{}: {}", contract::PACKAGE, printable(number), rebuild())
        }
        Some(_) => rebuild(),
        None => format!("it exports {}", if exports.is_empty() { "nothing".into() } else { exports.join(", ") }),
    })
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
