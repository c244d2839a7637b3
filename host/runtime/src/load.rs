//! The load path: from bytes to something that can be started.
//!
//! Each step is cheap enough to trust with what the step before let through, and only bytes that were read once and
//! digested are ever looked at: a plugin is never opened by path again.

use crate::cache::Cache;
use crate::check::conform::Look;
use crate::check::imports::{self, Import};
use crate::check::prescan::{self, Structure};
use crate::compile::Compiler;
use crate::contract;
use crate::engine::Engines;
use crate::fault::{Cause, Fault, Phase, printable};
use crate::grants::{Asks, Grants, Profile};
use crate::limits::Limits;
use crate::meter::Meter;
use crate::state::wide;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use wasmtime::Engine;
use weir_metadata::Metadata;

pub use weir_metadata::Kind;

/// What is known of a component without compiling it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The name by which it was asked for.
    pub name: String,
    /// Its kind; none where it exports no interface of the contract.
    pub kind: Option<Kind>,
    /// The number of the contract's version that it was built against, whether or not that is loaded.
    pub contract: Option<String>,
    /// SHA-256 in lower-case hex.
    pub digest: String,
    /// Bytes.
    pub size: u64,
    /// What it consists of.
    pub structure: Structure,
    /// What it imports.
    pub imports: Vec<Import>,
    /// What it exports.
    pub exports: Vec<String>,
    /// What it says of itself.
    pub metadata: Option<Metadata>,
}

/// A loaded plugin: compiled, linked against nothing yet.
#[derive(Clone)]
pub struct Component {
    pub(crate) identity: Arc<Identity>,
    pub(crate) compiled: wasmtime::component::Component,
    pub(crate) engine: Engine,
    pub(crate) meter: Option<Meter>,
}

/// Who a plugin is and what it may use.
pub(crate) struct Identity {
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) digest: String,
    pub(crate) profile: Profile,
    pub(crate) limits: Arc<Limits>,
    pub(crate) roles: Arc<BTreeSet<String>>,
}

impl Component {
    /// The name by which it was asked for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.identity.name
    }

    /// Its own version, where it says.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.identity.version.as_deref()
    }

    /// SHA-256 in lower-case hex.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.identity.digest
    }

    /// The same component, whose calls a meter keeps.
    #[must_use]
    pub fn metered(&self, meter: &Meter) -> Self {
        Component { meter: Some(meter.clone()), ..self.clone() }
    }

    pub(crate) fn fault(&self, phase: Phase, cause: Cause) -> Box<Fault> {
        let mut fault = Fault::early(&self.identity.name, &self.identity.digest, phase, cause);
        fault.version.clone_from(&self.identity.version);
        fault
    }
}

/// Loads plugins for one operator's grants.
pub struct Loader {
    engines: Engines,
    grants: Grants,
    compiler: Compiler,
    cache: Option<Cache>,
    watch: Option<Arc<dyn Watch>>,
}

/// Told of compilations, which take seconds for a language runtime, so that whoever waits knows what for.
pub trait Watch: Send + Sync {
    /// A plugin of so many bytes is compiled until the answer is dropped.
    fn compiling(&self, plugin: &str, bytes: u64) -> Box<dyn Any>;
}

/// What is found out of a component before it is compiled.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Examined {
    structure: Structure,
    look: Look,
}

/// Counts the changes of what pre-scan and validation look at. With Weir's version and the engine's it is part of the key under
/// which their result is kept, so that what an older build let through is examined again: raise it with each such change.
const CHECKS: u32 = 2;

fn examined_key(digest: &str, wanted: Option<Kind>) -> String {
    let contract = contract::digest();
    let short = contract.get(..16).unwrap_or(&contract);
    let kind = wanted.map_or("interfaces", Kind::name);
    format!("{digest}-{kind}-{short}-{}-{CHECKS}", env!("CARGO_PKG_VERSION"))
}

impl Loader {
    /// A loader. `cache_dir` is the compiled cache's directory; none means the user's own.
    #[must_use]
    pub fn new(engines: Engines, grants: Grants, compiler: Compiler, cache_dir: Option<PathBuf>) -> Self {
        let cache = Cache::open(cache_dir.as_deref(), &engines.compat);
        Loader { engines, grants, compiler, cache, watch: None }
    }

    /// The same loader, whose compilations are watched.
    #[must_use]
    pub fn watched(self, watch: Arc<dyn Watch>) -> Self {
        Loader { watch: Some(watch), ..self }
    }

    /// The operator's grants.
    #[must_use]
    pub fn grants(&self) -> &Grants {
        &self.grants
    }

    /// Looks at a component without compiling it: size gate, digest, pre-scan, interfaces.
    ///
    /// # Errors
    /// A fault of phase load.
    pub fn inspect(&self, name: &str, bytes: &[u8]) -> Result<Report, Box<Fault>> {
        self.look(name, bytes, None).map(|(report, _)| report)
    }

    /// The world of a component that was looked at, and what it speaks of, as WIT.
    ///
    /// # Errors
    /// A fault of phase load.
    pub fn wit(&self, name: &str, bytes: &[u8]) -> Result<String, Box<Fault>> {
        let printed = self.compiler.wit(bytes, &self.limits(name));
        printed.map_err(|cause| Fault::early(name, &weir_trace::json::sha256(bytes), Phase::Load, cause))
    }

    fn look(&self, name: &str, bytes: &[u8], wanted: Option<Kind>) -> Result<(Report, Look), Box<Fault>> {
        let limits = self.limits(name);
        let size = wide(bytes.len());
        if size > limits.component_bytes {
            let cause = Cause::TooLarge { bytes: size, limit: limits.component_bytes };
            return Err(Fault::early(name, "", Phase::Load, cause));
        }
        let digest = weir_trace::json::sha256(bytes);
        let early = |cause| Fault::early(name, &digest, Phase::Load, cause);
        let Examined { structure, look } = self.examined(bytes, &digest, &limits, wanted).map_err(early)?;
        let metadata =
            weir_metadata::read(bytes).map_err(|e| early(Cause::Metadata { message: printable(&e.to_string()) }))?;
        let report = Report {
            name: name.into(),
            kind: look.kind,
            contract: look.contract.clone(),
            size,
            structure,
            imports: imports::report(&look.imports),
            exports: look.exports.clone(),
            metadata,
            digest,
        };
        Ok((report, look))
    }

    /// Loads a component as a plugin of this kind: the whole load path.
    ///
    /// # Errors
    /// The fault of the first step that refused it.
    pub fn load(&self, name: &str, kind: Kind, bytes: &[u8]) -> Result<Component, Box<Fault>> {
        let (report, look) = self.look(name, bytes, Some(kind))?;
        let version = report.metadata.as_ref().map(|said| said.version.clone());
        let at = |phase, cause| {
            let mut fault = Fault::early(name, &report.digest, phase, cause);
            fault.version.clone_from(&version);
            fault
        };
        let implements = |problems: Vec<String>| match problems.is_empty() {
            true => Ok(()),
            false => Err(at(Phase::Load, Cause::WrongWorld { problems })),
        };
        implements(look.problems)?;
        let asks = Asks::of(report.metadata.as_ref());
        imports::check(&report.imports, name, &asks, &self.grants).map_err(|cause| at(Phase::Link, cause))?;
        implements(look.remainder)?;
        let profile = self.grants.profile(name);
        let engine = match profile {
            Profile::Strict => &self.engines.strict,
            Profile::Compat => &self.engines.compat,
        };
        let wanted = report.metadata.as_ref().map(|said| said.limits.clone()).unwrap_or_default();
        let limits = self.limits(name).wanted(&wanted).map_err(|cause| at(Phase::Link, cause))?;
        let (engine, compiled) =
            self.compiled(engine, name, bytes, &report.digest, &limits).map_err(|cause| at(Phase::Compile, cause))?;
        let identity = Identity {
            name: name.into(),
            version,
            digest: report.digest,
            profile,
            limits: Arc::new(limits),
            roles: Arc::new(self.grants.roles(name, &asks)),
        };
        Ok(Component { identity: Arc::new(identity), compiled, engine, meter: None })
    }

    fn limits(&self, plugin: &str) -> Limits {
        // The compat profile's limits are the wider of its own and the operator's.
        let operator = self.grants.limits.clone();
        match self.grants.profile(plugin) {
            Profile::Strict => operator,
            Profile::Compat => {
                let compat = Limits::compat();
                Limits {
                    memory_bytes: operator.memory_bytes.max(compat.memory_bytes),
                    hook_fuel: operator.hook_fuel.max(compat.hook_fuel),
                    call_fuel: operator.call_fuel.max(compat.call_fuel),
                    call_seconds: operator.call_seconds.max(compat.call_seconds),
                    ..operator
                }
            }
        }
    }

    /// What a component consists of and its interfaces: found out once, and kept under the digest of all of its bytes. Only
    /// what passed is kept, and the limits of today are asked again: they may be narrower than those that it passed under.
    fn examined(&self, bytes: &[u8], digest: &str, limits: &Limits, wanted: Option<Kind>) -> Result<Examined, Cause> {
        let key = examined_key(digest, wanted);
        let kept = self.cache.as_ref().and_then(|cache| cache.get(&key));
        if let Some(examined) = kept.and_then(|json| serde_json::from_slice::<Examined>(&json).ok()) {
            prescan::check(&examined.structure, limits)?;
            return Ok(examined);
        }
        let examined = self.examine(bytes, limits, wanted)?;
        if let (Some(cache), Ok(json)) = (&self.cache, serde_json::to_vec(&examined)) {
            cache.put(&key, &json);
        }
        Ok(examined)
    }

    /// Pre-scan and validation here, the reading of interfaces in a child process.
    fn examine(&self, bytes: &[u8], limits: &Limits, wanted: Option<Kind>) -> Result<Examined, Cause> {
        let structure = examine(bytes, limits)?;
        let look = self.compiler.look(bytes, limits, wanted)?;
        Ok(Examined { structure, look })
    }

    fn compiled(
        &self,
        engine: &Engine,
        name: &str,
        bytes: &[u8],
        digest: &str,
        limits: &Limits,
    ) -> Result<(Engine, wasmtime::component::Component), Cause> {
        // What is compiled is adapted to the current contract.
        let key = format!("{digest}-{}", contract::CURRENT.number);
        if let Some(cache) = &self.cache
            && let Some(native) = cache.get(&key)
        {
            match self.placed(engine, &native) {
                Ok(placed) => return Ok(placed),
                Err(_) => cache.remove(&key),
            }
        }
        let native = {
            let _watched = self.watch.as_ref().map(|watch| watch.compiling(name, wide(bytes.len())));
            self.compiler.compile(bytes, limits)?
        };
        if let Some(cache) = &self.cache {
            cache.put(&key, &native);
        }
        self.placed(engine, &native).map_err(|e| Cause::Host { message: format!("compiled code does not load: {e:#}") })
    }

    /// What does not fit a slot of the pool is allocated by itself; the store's limits hold all the same.
    fn placed(&self, engine: &Engine, native: &[u8]) -> wasmtime::Result<(Engine, wasmtime::component::Component)> {
        match trusted(engine, native) {
            Ok(compiled) => Ok((engine.clone(), compiled)),
            Err(_) => Ok((self.engines.compat.clone(), trusted(&self.engines.compat, native)?)),
        }
    }
}

/// What this process itself does with bytes that nobody has looked at yet: it refuses native code, counts what is declared,
/// and validates. All that follows happens in a child process, or to what that child has made.
///
/// # Errors
/// Why they are no component, or the first limit that is passed.
pub fn examine(bytes: &[u8], limits: &Limits) -> Result<Structure, Cause> {
    if Engine::detect_precompiled(bytes).is_some() {
        return Err(Cause::Precompiled);
    }
    let structure = prescan::scan(bytes, limits)?;
    wasmparser::Validator::new_with_features(features()).validate_all(bytes).map_err(|e| prescan::malformed(&e))?;
    Ok(structure)
}

/// Loads native code that our own compiler process made, directly or through the private cache.
#[allow(unsafe_code)]
fn trusted(engine: &Engine, native: &[u8]) -> wasmtime::Result<wasmtime::component::Component> {
    // SAFETY: `native` is either what our own child process has just compiled from validated WebAssembly, or a file of
    // the user's private cache directory whose payload fits its digest; whoever can write there is the user.
    unsafe { wasmtime::component::Component::deserialize(engine, native) }
}

/// The features that the engine accepts; see `engine::config`.
fn features() -> wasmparser::WasmFeatures {
    use wasmparser::WasmFeatures as F;
    let off = F::RELAXED_SIMD | F::MEMORY64 | F::TAIL_CALL | F::THREADS | F::EXCEPTIONS | F::GC | F::CM_ASYNC;
    // Young ones that the engine has off by itself, or does not know.
    let young = F::WIDE_ARITHMETIC | F::FUNCTION_REFERENCES | F::GC_TYPES | F::COMPACT_IMPORTS;
    F::default().difference(off | young)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Cache;

    /// A loader with a compiler that cannot be started, so that only what is kept can be known.
    fn loader(cache: &std::path::Path, limits: Limits) -> Loader {
        let engines = Engines::new(1).unwrap();
        let compiler = Compiler { program: "/nowhere/weir".into() };
        Loader::new(engines, Grants { limits, ..Grants::default() }, compiler, Some(cache.to_path_buf()))
    }

    fn keep(cache: &std::path::Path, key: &str, functions: u64) {
        let look = Look {
            kind: Some(Kind::Policy),
            contract: Some(contract::CURRENT.number.into()),
            imports: Vec::new(),
            exports: Vec::new(),
            problems: Vec::new(),
            remainder: Vec::new(),
        };
        let examined = Examined { structure: Structure { functions, ..Structure::default() }, look };
        let engine = Engine::new(&crate::engine::config()).unwrap();
        Cache::open(Some(cache), &engine).unwrap().put(key, &serde_json::to_vec(&examined).unwrap());
    }

    const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";

    #[test]
    fn what_is_kept_is_held_to_the_limits_of_today() {
        let cache = tempfile::tempdir().unwrap();
        keep(cache.path(), &examined_key(&weir_trace::json::sha256(EMPTY), None), 50);
        let report = loader(cache.path(), Limits::default()).inspect("p", EMPTY).unwrap();
        assert_eq!((report.kind, report.structure.functions), (Some(Kind::Policy), 50));
        let narrow = Limits { functions: 49, ..Limits::default() };
        let fault = loader(cache.path(), narrow).inspect("p", EMPTY).unwrap_err();
        assert!(matches!(fault.cause, Cause::Structure { found: 50, limit: 49, .. }), "{fault}");
        let narrow = Limits { component_bytes: 7, ..Limits::default() };
        let fault = loader(cache.path(), narrow).inspect("p", EMPTY).unwrap_err();
        assert!(matches!(fault.cause, Cause::TooLarge { .. }), "{fault}");
    }

    #[test]
    fn other_bytes_another_kind_and_other_checks_are_examined_anew() {
        let cache = tempfile::tempdir().unwrap();
        let key = examined_key(&weir_trace::json::sha256(EMPTY), None);
        let older = key.strip_suffix(&format!("-{CHECKS}")).unwrap();
        for key in [
            examined_key(&weir_trace::json::sha256(b"other"), None),
            examined_key(&weir_trace::json::sha256(EMPTY), Some(Kind::Policy)),
            format!("{older}-0"),
        ] {
            keep(cache.path(), &key, 50);
        }
        // The compiler is asked, and it cannot be started.
        let fault = loader(cache.path(), Limits::default()).inspect("p", EMPTY).unwrap_err();
        assert!(matches!(fault.cause, Cause::Host { .. }), "{fault}");
    }
}
