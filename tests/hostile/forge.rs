//! Policies whose functions are written by hand, in WebAssembly text: what no compiler would make of any source. What is not
//! written does as little as it can: it allows everything and says nothing.

use crate::contract::contract;
use std::collections::BTreeMap;
use std::fmt::Write;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{
    Function, ManglingAndAbi, Resolve, ResourceIntrinsic, TypeDefKind, WasmExport, WasmExportKind, WasmImport, WorldId,
    WorldItem, WorldKey,
};

const NAMES: ManglingAndAbi = ManglingAndAbi::Standard32;

/// Where an answer lies that says nothing: all zeros are an allowing decision, no text, an empty list.
const NOTHING: &str = "(i32.const 1024)";

/// A session's handle for the host.
const NEW: &str = "(call $new (i32.const 7))";

/// Takes memory and never gives it back. Parameter 3 is the size.
const REALLOC: &str = "(global.get $heap)
    (global.set $heap (i32.and (i32.add (global.get $heap) (i32.add (local.get 3) (i32.const 7))) (i32.const -8)))";

/// A policy to be.
#[derive(Default)]
pub struct Forge {
    bodies: BTreeMap<&'static str, String>,
    after: BTreeMap<&'static str, String>,
    realloc: Option<String>,
    destructor: Option<String>,
    fields: String,
}

/// The name of a session's function in the contract.
fn method(name: &str) -> String {
    if name == "constructor" { "[constructor]session".into() } else { format!("[method]session.{name}") }
}

impl Forge {
    /// What a hook does. Functions that it may call: `$log` and `$text`, which the host offers, and `$new`, `$rep` and `$drop`
    /// of sessions' handles.
    pub fn hook(mut self, name: &'static str, body: &str) -> Self {
        self.bodies.insert(name, body.into());
        self
    }

    /// What is done once the host has read a hook's answer.
    pub fn after(mut self, name: &'static str, body: &str) -> Self {
        self.after.insert(name, body.into());
        self
    }

    /// How memory is taken for what the host passes in.
    pub fn realloc(mut self, body: &str) -> Self {
        self.realloc = Some(body.into());
        self
    }

    /// What ends a session.
    pub fn destructor(mut self, body: &str) -> Self {
        self.destructor = Some(body.into());
        self
    }

    /// More of the module: data, functions, a start.
    pub fn with(mut self, fields: &str) -> Self {
        self.fields.push_str(fields);
        self
    }

    /// The component.
    pub fn make(&self) -> Vec<u8> {
        let resolve = contract(|text| text);
        let packages: Vec<_> = resolve.packages.iter().map(|(_, package)| package).collect();
        let world = packages.iter().find_map(|package| package.worlds.get("policy-plugin")).copied().unwrap();
        let mut module = wat::parse_str(self.text(&resolve, world)).unwrap();
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
        ComponentEncoder::default().module(&module).unwrap().validate(true).encode().unwrap()
    }

    fn text(&self, resolve: &Resolve, world: WorldId) -> String {
        let world = &resolve.worlds[world];
        let (mut imports, mut rest) = (String::new(), String::new());
        for (key, function) in functions(resolve, world.imports.iter()) {
            let (module, name) =
                resolve.wasm_import_name(NAMES, WasmImport::Func { interface: Some(key), func: function });
            let name_here = if function.name == "write" { "log" } else { &function.name };
            let signature = signature(resolve, AbiVariant::GuestImport, function);
            let _ = writeln!(imports, "(import {module:?} {name:?} (func ${name_here} {}))", signature.text());
        }
        for (key, item) in &world.exports {
            let WorldItem::Interface { id, .. } = item else { continue };
            for (_, resource) in &resolve.interfaces[*id].types {
                if !matches!(resolve.types[*resource].kind, TypeDefKind::Resource) {
                    continue;
                }
                for (intrinsic, here, signature) in [
                    (ResourceIntrinsic::ExportedDrop, "drop", "(param i32)"),
                    (ResourceIntrinsic::ExportedNew, "new", "(param i32) (result i32)"),
                    (ResourceIntrinsic::ExportedRep, "rep", "(param i32) (result i32)"),
                ] {
                    let import = WasmImport::ResourceIntrinsic { interface: Some(key), resource: *resource, intrinsic };
                    let (module, name) = resolve.wasm_import_name(NAMES, import);
                    let _ = writeln!(imports, "(import {module:?} {name:?} (func ${here} {signature}))");
                }
                let name =
                    resolve.wasm_export_name(NAMES, WasmExport::ResourceDtor { interface: key, resource: *resource });
                let body = self.destructor.as_deref().unwrap_or_default();
                let _ = writeln!(rest, "(func (export {name:?}) (param i32) {body})");
            }
        }
        for (key, function) in functions(resolve, world.exports.iter()) {
            self.export(resolve, key, function, &mut rest);
        }
        let name = |export| resolve.wasm_export_name(NAMES, export);
        let realloc = self.realloc.as_deref().unwrap_or(REALLOC);
        format!(
            "(module {imports} (memory (export {:?}) 4) (global $heap (mut i32) (i32.const 65536))
               (func (export {:?}) (param i32 i32 i32 i32) (result i32) {realloc})
               (func (export {:?})) {rest} {})",
            name(WasmExport::Memory),
            name(WasmExport::Realloc),
            name(WasmExport::Initialize),
            self.fields
        )
    }

    fn export(&self, resolve: &Resolve, key: &WorldKey, function: &Function, rest: &mut String) {
        let given = |bodies: &BTreeMap<&str, String>| {
            bodies.iter().find(|(name, _)| method(name) == function.name).map(|(_, body)| body.clone())
        };
        let name =
            |kind| resolve.wasm_export_name(NAMES, WasmExport::Func { interface: Some(key), func: function, kind });
        let signature = signature(resolve, AbiVariant::GuestExport, function);
        let usual = match (function.name == method("constructor"), signature.results.is_empty()) {
            (true, _) => NEW,
            (false, true) => "",
            (false, false) => NOTHING,
        };
        let body = given(&self.bodies).unwrap_or_else(|| usual.into());
        let _ = writeln!(rest, "(func (export {:?}) {} {body})", name(WasmExportKind::Normal), signature.text());
        if let Some(body) = given(&self.after) {
            let results = Signature { params: signature.results, results: Vec::new() };
            let _ = writeln!(rest, "(func (export {:?}) {} {body})", name(WasmExportKind::PostReturn), results.text());
        }
    }
}

/// Functions of the interfaces of a world.
fn functions<'a>(
    resolve: &'a Resolve,
    items: impl Iterator<Item = (&'a WorldKey, &'a WorldItem)>,
) -> Vec<(&'a WorldKey, &'a Function)> {
    let of = |(key, item): (&'a WorldKey, &'a WorldItem)| match item {
        WorldItem::Interface { id, .. } => {
            resolve.interfaces[*id].functions.values().map(|function| (key, function)).collect()
        }
        _ => Vec::new(),
    };
    items.flat_map(of).collect()
}

struct Signature {
    params: Vec<&'static str>,
    results: Vec<&'static str>,
}

fn signature(resolve: &Resolve, variant: AbiVariant, function: &Function) -> Signature {
    let core = |ty: &WasmType| match ty {
        WasmType::I64 | WasmType::PointerOrI64 => "i64",
        WasmType::F32 => "f32",
        WasmType::F64 => "f64",
        WasmType::I32 | WasmType::Pointer | WasmType::Length => "i32",
    };
    let signature = resolve.wasm_signature(variant, function);
    Signature {
        params: signature.params.iter().map(core).collect(),
        results: signature.results.iter().map(core).collect(),
    }
}

impl Signature {
    fn text(&self) -> String {
        let list = |what: &str, types: &[&str]| match types {
            [] => String::new(),
            types => format!("({what} {}) ", types.join(" ")),
        };
        list("param", &self.params) + &list("result", &self.results)
    }
}
