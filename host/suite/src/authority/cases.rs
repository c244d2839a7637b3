//! Histories made ready to run: parsed, checked, and with what an acting model is told.

use super::setup::Asked;
use crate::cases::{Case, cases};
use crate::error::Error;
use std::collections::BTreeMap;
use std::sync::Arc;
use weir_agent::{ActionCue, ParameterSpec, ToolSpec};
use weir_memory::checks::{self, Pair};
use weir_memory::partition;
use weir_memory::schema::{Parameter, Tool};
use weir_memory::{History, Partition, Side, Variant};
use weir_rollout::memory::{episode, turns};
use weir_runtime::wit::domains::{Info, Request};
use weir_runtime::wit::memory::Turn;
use weir_runtime::wit::policies::Episode;
use weir_runtime::world::DomainPlugin;
use weir_trace::codec::Toolsets;

/// Imported bases in a run's folder.
pub const BASES: &str = "bases.json";

/// Failures of the checks that an error lists.
const SHOWN: usize = 10;

/// One history of a pair.
pub(crate) struct AuthorityCase {
    /// The scenario with its tools. Its state has no turns.
    pub(crate) case: Case,
    /// Position of its domain.
    pub(crate) domain: usize,
    pub(crate) variant: Variant,
    pub(crate) history: Vec<Turn>,
    pub(crate) partition: Partition,
    pub(crate) cue: Arc<ActionCue>,
    /// What a policy is told first.
    pub(crate) episode: Episode,
}

/// A domain with what it says of itself.
pub(crate) struct Known {
    pub(crate) plugin: DomainPlugin,
    pub(crate) info: Info,
}

/// Asks the domains for their pairs, base by base, and checks them all.
///
/// # Errors
/// A domain's fault, a record in another form, or pairs that break the construction contract, each named with its check.
pub(crate) fn all(
    requests: &[Asked],
    bases: Option<&[History]>,
    domains: &[Known],
    toolsets: &mut Toolsets,
) -> Result<Vec<AuthorityCase>, Error> {
    let mut found = Vec::new();
    for asked in requests {
        let position = domains.iter().position(|domain| domain.plugin.component().digest() == asked.domain);
        let Some((position, domain)) = position.and_then(|at| Some((at, domains.get(at)?))) else {
            return Err(Error::Input(format!("domain {} is not in the manifest", asked.domain)));
        };
        for request in base_by_base(asked, bases) {
            for case in cases(&domain.plugin, &domain.info, &request, toolsets)? {
                found.push(ready(position, case)?);
            }
        }
    }
    check(&found, bases.unwrap_or_default())?;
    assign(&mut found, domains);
    Ok(found)
}

/// One request a base: an answer stays small, whatever the number of bases.
fn base_by_base(asked: &Asked, bases: Option<&[History]>) -> Vec<Request> {
    let request = |parameters: serde_json::Value| Request {
        stage: asked.stage.clone(),
        count: 1,
        seed: asked.seed,
        parameters: parameters.to_string(),
    };
    match bases {
        None => (0..asked.count).map(|first| request(serde_json::json!({ "first": first }))).collect(),
        Some(bases) => bases
            .iter()
            .filter(|base| base.domain == asked.name)
            .map(|base| request(serde_json::json!({ "bases": [base] })))
            .collect(),
    }
}

fn ready(domain: usize, mut case: Case) -> Result<AuthorityCase, Error> {
    let id = case.scenario.id.clone();
    let wrong = |what: String| {
        Error::Input(format!("scenario {id}: its state is no `{}`: {what}", weir_memory::variant::FORMAT))
    };
    let variant: Variant = serde_json::from_str(&case.scenario.state).map_err(|e| wrong(e.to_string()))?;
    if variant.format != weir_memory::variant::FORMAT {
        return Err(wrong(format!("`format` is `{}`", variant.format)));
    }
    let history = turns(&variant);
    let slim = Variant { turns: Vec::new(), ..variant.clone() };
    case.scenario.state = serde_json::to_string(&slim).map_err(|e| wrong(e.to_string()))?;
    let cue = ActionCue {
        pair: format!("{}/{}", case.scenario.stage, variant.pair),
        value: variant.focal.value.clone(),
        tool: variant.target.tool.clone(),
        arguments: variant.target.arguments.clone(),
    };
    let episode = episode(&case.scenario, &case.tools);
    Ok(AuthorityCase { case, domain, variant, history, partition: Partition::Main, cue: Arc::new(cue), episode })
}

/// The eleven checks, over each stage's pairs as a set.
fn check(cases: &[AuthorityCase], bases: &[History]) -> Result<(), Error> {
    let bases: BTreeMap<String, History> = bases.iter().map(|base| (base.id.clone(), base.clone())).collect();
    let mut tools: BTreeMap<&str, Vec<Tool>> = BTreeMap::new();
    for case in cases {
        if !tools.contains_key(case.case.toolset()) {
            let schemas = case.case.specs().iter().map(tool).collect::<Result<_, _>>()?;
            tools.insert(case.case.toolset(), schemas);
        }
    }
    let mut stages: BTreeMap<&str, BTreeMap<&str, [Option<&AuthorityCase>; 2]>> = BTreeMap::new();
    for case in cases {
        let stage = stages.entry(&case.case.scenario.stage).or_default();
        let [negative, positive] = stage.entry(&case.variant.pair).or_default();
        let side = if case.variant.side == Side::Negative { negative } else { positive };
        if side.replace(case).is_some() {
            return Err(Error::Input(format!("pair {} has two histories of one side", case.variant.pair)));
        }
    }
    for (stage, pairs) in stages {
        let mut set = Vec::with_capacity(pairs.len());
        for (pair, sides) in &pairs {
            let [Some(negative), Some(positive)] = sides else {
                return Err(Error::Input(format!("pair {pair} has one history: a pair has H- and H+")));
            };
            set.push(Pair {
                negative: checks::Case { variant: &negative.variant, request: &negative.case.scenario.goal },
                positive: checks::Case { variant: &positive.variant, request: &positive.case.scenario.goal },
                tools: tools.get(negative.case.toolset()).map(Vec::as_slice).unwrap_or_default(),
            });
        }
        let failures = checks::check_set(&set, &bases);
        if failures.is_empty() {
            continue;
        }
        let lines: Vec<String> = failures.iter().take(SHOWN).map(|failure| format!("  {failure}")).collect();
        return Err(Error::Input(format!(
            "stage `{stage}`: {} checks of pairs fail\n{}",
            failures.len(),
            lines.join("\n")
        )));
    }
    Ok(())
}

fn tool(spec: &ToolSpec) -> Result<Tool, Error> {
    let parameter = |p: &ParameterSpec| {
        let schema = serde_json::from_str(&p.schema).map_err(|e| {
            Error::Input(format!("the schema of parameter `{}` of tool `{}` is not JSON: {e}", p.name, spec.name))
        })?;
        Ok(Parameter { name: p.name.clone(), required: p.required, schema })
    };
    let parameters = spec.parameters.iter().map(parameter).collect::<Result<_, Error>>()?;
    Ok(Tool { name: spec.name.clone(), parameters })
}

/// Splits the bases: by domain, whole customers at a time.
fn assign(cases: &mut [AuthorityCase], domains: &[Known]) {
    let mut bases: Vec<(usize, String, String)> = Vec::new();
    for case in cases.iter() {
        let base = (case.domain, case.variant.base.clone(), case.variant.customer.clone());
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
    let name = |at: usize| domains.get(at).map_or("", |domain| domain.plugin.component().name());
    let customers: Vec<(&str, &str)> =
        bases.iter().map(|(domain, _, customer)| (name(*domain), customer.as_str())).collect();
    let partitions = partition::split(&customers);
    let of: BTreeMap<(usize, &str), Partition> = bases
        .iter()
        .zip(partitions)
        .map(|((domain, base, _), partition)| ((*domain, base.as_str()), partition))
        .collect();
    for case in cases {
        if let Some(partition) = of.get(&(case.domain, case.variant.base.as_str())) {
            case.partition = *partition;
        }
    }
}
