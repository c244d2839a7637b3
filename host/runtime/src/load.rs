//! The load path: from bytes to something that can be started.
//!
//! Each step is cheap enough to trust with what the step before let through, and only bytes that were read once and
//! digested are ever looked at: a plugin is never opened by path again.

use crate::cache::Cache;
use crate::check::conform::{Look, contract_digest};
use crate::check::imports::{self, Import};
use crate::check::prescan::{self, Structure};
use crate::compile::Compiler;
use crate::engine::Engines;
use crate::fault::{Cause, Fault, Phase};
use crate::grants::{Grants, Manifest, Profile};
use crate::limits::Limits;
use crate::state::wide;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use wasmtime::Engine;

/// A plugin kind: one world each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A defence.
    Policy,
    /// A tool environment.
    Domain,
    /// A memory consolidator.
    Writer,
    /// A metric family.
    Reducer,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Policy, Kind::Domain, Kind::Writer, Kind::Reducer];

    /// Its name in the contract.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Policy => "policy",
            Kind::Domain => "domain",
            Kind::Writer => "writer",
            Kind::Reducer => "reducer",
        }
    }
}

/// What is known of a component without compiling it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The name by which it was asked for.
    pub name: String,
    /// Its kind; none where it exports no interface of the contract.
    pub kind: Option<Kind>,
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
}

/// A loaded plugin: compiled, linked against nothing yet.
#[derive(Clone)]
pub struct Component {
    pub(crate) identity: Arc<Identity>,
    pub(crate) compiled: wasmtime::component::Component,
    pub(crate) engine: Engine,
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

    /// Its own version, where its manifest says.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.identity.version.as_deref()
    }

    /// SHA-256 in lower-case hex.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.identity.digest
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
}

impl Loader {
    /// A loader. `cache_dir` is the compiled cache's directory; none means the user's own.
    #[must_use]
    pub fn new(engines: Engines, grants: Grants, compiler: Compiler, cache_dir: Option<PathBuf>) -> Self {
        let cache = Cache::open(cache_dir.as_deref(), &engines.compat);
        Loader { engines, grants, compiler, cache }
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

    fn look(&self, name: &str, bytes: &[u8], wanted: Option<Kind>) -> Result<(Report, Look), Box<Fault>> {
        let limits = self.limits(name);
        let size = wide(bytes.len());
        if size > limits.component_bytes {
            let cause = Cause::TooLarge { bytes: size, limit: limits.component_bytes };
            return Err(Fault::early(name, "", Phase::Load, cause));
        }
        let digest = weir_trace::json::sha256(bytes);
        let early = |cause| Fault::early(name, &digest, Phase::Load, cause);
        let structure = examine(bytes, &limits).map_err(early)?;
        let look = self.interfaces(bytes, &digest, &limits, wanted).map_err(early)?;
        let report = Report {
            name: name.into(),
            kind: look.kind,
            size,
            structure,
            imports: imports::report(&look.imports),
            exports: look.exports.clone(),
            digest,
        };
        Ok((report, look))
    }

    /// Loads a component as a plugin of this kind: the whole load path.
    ///
    /// # Errors
    /// The fault of the first step that refused it.
    pub fn load(&self, name: &str, kind: Kind, bytes: &[u8], manifest: &Manifest) -> Result<Component, Box<Fault>> {
        let (report, look) = self.look(name, bytes, Some(kind))?;
        let at = |phase, cause| {
            let mut fault = Fault::early(name, &report.digest, phase, cause);
            fault.version.clone_from(&manifest.version);
            fault
        };
        let implements = |problems: Vec<String>| match problems.is_empty() {
            true => Ok(()),
            false => Err(at(Phase::Load, Cause::WrongWorld { problems })),
        };
        implements(look.problems)?;
        imports::check(&report.imports, name, manifest, &self.grants).map_err(|cause| at(Phase::Link, cause))?;
        implements(look.remainder)?;
        let profile = self.grants.profile(name);
        let engine = match profile {
            Profile::Strict => &self.engines.strict,
            Profile::Compat => &self.engines.compat,
        };
        let limits = self.limits(name);
        let (engine, compiled) =
            self.compiled(engine, bytes, &report.digest, &limits).map_err(|cause| at(Phase::Compile, cause))?;
        let identity = Identity {
            name: name.into(),
            version: manifest.version.clone(),
            digest: report.digest,
            profile,
            limits: Arc::new(limits),
            roles: Arc::new(self.grants.roles(name, manifest)),
        };
        Ok(Component { identity: Arc::new(identity), compiled, engine })
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

    /// A component's interfaces, read by a child process once and kept.
    fn interfaces(&self, bytes: &[u8], digest: &str, limits: &Limits, wanted: Option<Kind>) -> Result<Look, Cause> {
        let contract = contract_digest();
        let short = contract.get(..16).unwrap_or(&contract);
        let key = format!("{digest}-{}-{short}", wanted.map_or("interfaces", Kind::name));
        let kept = self.cache.as_ref().and_then(|cache| cache.get(&key));
        if let Some(look) = kept.and_then(|json| serde_json::from_slice(&json).ok()) {
            return Ok(look);
        }
        let look = self.compiler.look(bytes, limits, wanted)?;
        if let (Some(cache), Ok(json)) = (&self.cache, serde_json::to_vec(&look)) {
            cache.put(&key, &json);
        }
        Ok(look)
    }

    fn compiled(
        &self,
        engine: &Engine,
        bytes: &[u8],
        digest: &str,
        limits: &Limits,
    ) -> Result<(Engine, wasmtime::component::Component), Cause> {
        if let Some(cache) = &self.cache
            && let Some(native) = cache.get(digest)
        {
            match self.placed(engine, &native) {
                Ok(placed) => return Ok(placed),
                Err(_) => cache.remove(digest),
            }
        }
        let native = self.compiler.compile(bytes, limits)?;
        if let Some(cache) = &self.cache {
            cache.put(digest, &native);
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
    F::default()
        .difference(F::RELAXED_SIMD | F::MEMORY64 | F::TAIL_CALL | F::THREADS | F::EXCEPTIONS | F::GC | F::CM_ASYNC)
}
