//! Structural pre-scan: counts what a component declares, without validating bodies, and refuses what a plugin has no use
//! for. Validation and compilation are more than linear in some of these counts; wasmparser's own caps are far above what
//! is safe to compile.

use crate::fault::Cause;
use crate::limits::Limits;
use crate::state::wide;
use wasmparser::{Encoding, Parser, Payload};

/// What a component consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// Core modules.
    pub modules: u64,
    /// Functions over all modules.
    pub functions: u64,
    /// Bytes of all function bodies.
    pub code_bytes: u64,
    /// Bytes of the largest function body.
    pub largest_function: u64,
    /// Locals of the function with most of them.
    pub most_locals: u64,
    /// Types, imports, exports, instances and aliases.
    pub declarations: u64,
    /// Bytes of custom sections.
    pub custom_bytes: u64,
}

/// Native code as wasmtime writes it: an ELF image.
const ELF: &[u8] = b"\x7fELF";

/// First bytes of a module or component.
const MAGIC: &[u8] = b"\0asm";

/// Counts and refuses.
///
/// # Errors
/// The first limit that is passed, or why the bytes are not a component.
pub fn scan(bytes: &[u8], limits: &Limits) -> Result<Structure, Cause> {
    if bytes.starts_with(ELF) {
        return Err(Cause::Precompiled);
    }
    if !bytes.starts_with(MAGIC) {
        let message = "it does not begin with the WebAssembly magic number `\\0asm`".into();
        return Err(Cause::Malformed { message, offset: 0 });
    }
    if Parser::is_core_wasm(bytes) {
        return Err(Cause::CoreModule);
    }
    let mut found = Structure::default();
    let mut outer = true;
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(|e| malformed(&e))?;
        if let Payload::Version { encoding, .. } = &payload {
            if outer && *encoding == Encoding::Module {
                return Err(Cause::CoreModule);
            }
            outer = false;
        }
        count(&payload, &mut found)?;
        check(&found, limits)?;
    }
    Ok(found)
}

fn count(payload: &Payload, found: &mut Structure) -> Result<(), Cause> {
    let declared = match payload {
        Payload::TypeSection(s) => s.count(),
        Payload::ImportSection(s) => s.count(),
        Payload::ExportSection(s) => s.count(),
        Payload::InstanceSection(s) => s.count(),
        Payload::CoreTypeSection(s) => s.count(),
        Payload::ComponentTypeSection(s) => s.count(),
        Payload::ComponentInstanceSection(s) => s.count(),
        Payload::ComponentAliasSection(s) => s.count(),
        Payload::ComponentImportSection(s) => s.count(),
        Payload::ComponentExportSection(s) => s.count(),
        Payload::ComponentCanonicalSection(s) => s.count(),
        Payload::DataSection(s) => s.count(),
        Payload::ElementSection(s) => s.count(),
        Payload::GlobalSection(s) => s.count(),
        _ => 0,
    };
    found.declarations += u64::from(declared);
    match payload {
        Payload::ModuleSection { .. } => found.modules += 1,
        Payload::FunctionSection(section) => found.functions += u64::from(section.count()),
        Payload::CustomSection(section) => found.custom_bytes += wide(section.data().len()),
        Payload::CodeSectionEntry(body) => {
            let bytes = wide(body.as_bytes().len());
            found.code_bytes = found.code_bytes.saturating_add(bytes);
            found.largest_function = found.largest_function.max(bytes);
            let mut locals = 0_u64;
            for group in body.get_locals_reader().map_err(|e| malformed(&e))? {
                locals += u64::from(group.map_err(|e| malformed(&e))?.0);
            }
            found.most_locals = found.most_locals.max(locals);
        }
        _ => {}
    }
    Ok(())
}

/// Demands that no limit is passed.
///
/// # Errors
/// The first that is.
pub fn check(found: &Structure, limits: &Limits) -> Result<(), Cause> {
    for (what, count, limit) in [
        ("core modules", found.modules, u64::from(limits.modules)),
        ("functions", found.functions, u64::from(limits.functions)),
        ("bytes in one function body", found.largest_function, u64::from(limits.function_bytes)),
        ("locals in one function", found.most_locals, u64::from(limits.function_locals)),
        ("declared types, imports, exports and instances", found.declarations, u64::from(limits.declarations)),
        ("bytes of custom sections", found.custom_bytes, limits.custom_bytes),
    ] {
        if count > limit {
            return Err(Cause::Structure { what: what.into(), found: count, limit });
        }
    }
    Ok(())
}

/// The parser's word on malformed bytes.
#[must_use]
pub fn malformed(error: &wasmparser::BinaryReaderError) -> Cause {
    Cause::Malformed { message: crate::fault::printable(error.message()), offset: error.offset() }
}
