//! One host for one attack, and how to look at what became of it.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use wasm_encoder::{ComponentExportKind, ComponentInstanceSection, ComponentSection, ComponentSectionId, RawSection};
use wasmparser::{Parser, Payload};
use weir_metadata::Surface;
use weir_rollout::gate::Gate;
use weir_runtime::compile::Compiler;
use weir_runtime::grants::{PluginGrants, Profile};
use weir_runtime::wit::policies::{Decision, Episode};
use weir_runtime::wit::types::Proposal;
use weir_runtime::world::policy::Delta;
use weir_runtime::world::{Defence, PolicyPlugin, PolicySession};
use weir_runtime::{Capability, Cause, Component, Engines, Fault, Grants, Kind, Limits, Loader, Phase};
use weir_trace::{NewEvent, NodeKind, TraceBuilder, Verdict};

/// The name under which every attacker is loaded.
pub const NAME: &str = "hostile";

/// Engines, a loader and a compiled cache of its own.
pub struct Host {
    pub loader: Loader,
    pub engines: Engines,
    _cache: TempDir,
}

impl Host {
    /// With the default grants.
    pub fn new() -> Self {
        Self::with(Grants::default())
    }

    /// With an operator's grants.
    pub fn with(grants: Grants) -> Self {
        let cache = tempfile::tempdir().unwrap();
        let engines = Engines::new(2).unwrap();
        let compiler = Compiler { program: PathBuf::from(env!("CARGO_BIN_EXE_weir-under-test")) };
        let loader = Loader::new(engines.clone(), grants, compiler, Some(cache.path().into()));
        Host { loader, engines, _cache: cache }
    }

    /// With these limits.
    pub fn limited(limits: Limits) -> Self {
        Self::with(Grants { limits, ..Grants::default() })
    }

    /// With the compat profile for the attacker, and these limits.
    pub fn compat(limits: Limits) -> Self {
        let own = PluginGrants { grant: Grants::default().grant, profile: Profile::Compat };
        Self::with(Grants { plugin: [(NAME.to_owned(), own)].into(), limits, ..Grants::default() })
    }

    /// The whole load path.
    pub fn load(&self, kind: Kind, bytes: &[u8]) -> Result<Component, Box<Fault>> {
        self.loader.load(NAME, kind, bytes)
    }

    /// Loads and links a policy.
    pub fn policy(&self, bytes: &[u8]) -> PolicyPlugin {
        PolicyPlugin::new(self.load(Kind::Policy, bytes).unwrap()).unwrap()
    }

    /// Starts a rollout with this goal, which tells some guests what to do.
    pub fn session(&self, bytes: &[u8], goal: &str) -> PolicySession {
        self.policy(bytes).session(&episode(goal), &Arc::from([])).unwrap()
    }

    /// Loads these bytes as a policy, which must fail.
    pub fn refusal(&self, bytes: &[u8]) -> Fault {
        match self.load(Kind::Policy, bytes) {
            Err(fault) => *fault,
            Ok(_) => panic!("the component was loaded"),
        }
    }

    /// Loads, links and starts a policy, which must fail somewhere on the way.
    pub fn fault_before_any_call(&self, bytes: &[u8]) -> Fault {
        let started = self.load(Kind::Policy, bytes).and_then(PolicyPlugin::new);
        match started.and_then(|policy| policy.session(&episode(""), &Arc::from([]))) {
            Err(fault) => *fault,
            Ok(_) => panic!("the session started"),
        }
    }

    /// Starts a rollout, which must fail.
    pub fn failed_start(&self, bytes: &[u8], goal: &str) -> Fault {
        match self.policy(bytes).session(&episode(goal), &Arc::from([])) {
            Err(fault) => *fault,
            Ok(_) => panic!("the session started"),
        }
    }

    /// The fault of `authorize` in a rollout with this goal.
    pub fn failed_authorize(&self, bytes: &[u8], goal: &str) -> Fault {
        *self.session(bytes, goal).authorize(nothing(), &proposal(0)).unwrap_err()
    }

    /// The host has survived: a policy loads, starts and decides as ever.
    pub fn goes_on(&self) {
        let decision = self.session(none(), "a goal").authorize(nothing(), &proposal(0)).unwrap();
        assert_eq!(decision.value, Decision::Allow(None));
        note(WENT_ON);
    }
}

/// The built-in policy that allows everything.
pub fn none() -> &'static [u8] {
    built_in("policy", "none")
}

/// A built-in component.
pub fn built_in(kind: &str, name: &str) -> &'static [u8] {
    weir_components::find(kind, name).unwrap().bytes
}

/// The component with metadata that ask for this, and for nothing else.
pub fn asking(bytes: &[u8], needed: &[Capability]) -> Vec<u8> {
    let mut metadata = Surface::read(bytes).unwrap().metadata(NAME, "0.0.0").unwrap();
    metadata.asks = needed.to_vec();
    weir_metadata::write(bytes, &metadata).unwrap()
}

/// An episode without tools.
pub fn episode(goal: &str) -> Episode {
    Episode {
        goal: goal.into(),
        ledger: Vec::new(),
        tools: Vec::new(),
        agents: vec!["agent".into()],
        label_names: Vec::new(),
        taint_vocabulary: 1,
    }
}

/// A proposal without arguments.
pub fn proposal(call_id: u32) -> Proposal {
    Proposal { event: 1, call_id, agent: 0, tool: 0, arguments: Vec::new(), labels: 0 }
}

/// Nothing has happened since the last hook.
pub fn nothing() -> Delta<'static> {
    Delta { events: &[], texts: &[] }
}

thread_local! {
    /// How the attacks of this test ended so far.
    static ENDS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// What [`ends`] says of a host that still works.
pub const WENT_ON: &str = "the host went on";

/// Keeps for [`ends`] how an attack ended.
pub fn note(end: &str) {
    ENDS.with_borrow_mut(|ends| ends.push(end.to_owned()));
}

/// How the attacks of this test ended since the last look: by the names that causes have in JSON, and [`WENT_ON`].
pub fn ends() -> Vec<String> {
    ENDS.take()
}

/// A rollout under this policy is closed from its first question on, in the host's own words: what it did not decide is never
/// taken for a decision.
#[track_caller]
pub fn closed(host: &Host, bytes: &[u8]) {
    let mut gate = Gate::start(&host.policy(bytes), &episode("a goal"), &[], None).unwrap();
    assert_eq!(gate.guidance().unwrap(), None);
    let mut before = TraceBuilder::default();
    before.push(NewEvent::text(NodeKind::Source, "user", "a text"));
    for _ in 0..2 {
        let ruling = gate.authorize(before.events(), &proposal(0)).unwrap();
        assert_eq!((ruling.verdict, ruling.is_fault()), (Verdict::Block, true), "{ruling:?}");
    }
}

/// The fault is this one, of this plugin, with the plugin's digest.
#[track_caller]
pub fn expect(fault: &Fault, bytes: &[u8], phase: Phase, export: Option<&str>, cause: &Cause) {
    assert_eq!(fault.cause, *cause, "{fault}");
    assert_eq!((fault.phase, fault.export.as_deref()), (phase, export), "{fault}");
    assert_eq!((fault.plugin.as_str(), fault.digest.as_str()), (NAME, weir_trace::json::sha256(bytes).as_str()));
    note(serde_json::to_value(cause).unwrap()["cause"].as_str().unwrap());
}

/// The fault is one of `authorize`.
#[track_caller]
pub fn expect_in_authorize(fault: &Fault, bytes: &[u8], cause: &Cause) {
    expect(fault, bytes, Phase::Call, Some("session.authorize"), cause);
}

/// The built-in policy `none` with one more component inside, given as text: it is a policy in all that the contract can
/// see, and the rider is instantiated with it.
pub fn with_rider(text: &str) -> Vec<u8> {
    let rider = wat::parse_str(text).unwrap();
    let mut bytes = none().to_vec();
    let index = components_in(&bytes);
    RawSection { id: ComponentSectionId::Component.into(), data: &rider }.append_to_component(&mut bytes);
    let mut instances = ComponentInstanceSection::new();
    instances.instantiate(index, Vec::<(&str, ComponentExportKind, u32)>::new());
    instances.append_to_component(&mut bytes);
    bytes
}

/// Components that stand directly in a component.
fn components_in(bytes: &[u8]) -> u32 {
    let (mut depth, mut found) = (0, 0);
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.unwrap() {
            Payload::Version { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            Payload::ComponentSection { .. } if depth == 1 => found += 1,
            _ => {}
        }
    }
    found
}
