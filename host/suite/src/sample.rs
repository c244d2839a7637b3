//! The rollouts of a domain on which one plugin is tried: a few scenarios of each stage, under each of two simulated models.
//! `weir check` asks whether they go the same way again, `weir bench` what they cost.

use crate::cases::{Case, Variant, cases, reference};
use crate::error::Error;
use crate::models::{self, NoRealModels};
use weir_rollout::live::{Confirmation, TURNS, ledger_of};
use weir_rollout::models::Source;
use weir_runtime::wit::domains::{Info, Request};
use weir_runtime::world::policy::DefenceFactory;
use weir_runtime::world::{DomainPlugin, PolicyPlugin};
use weir_trace::codec::Toolsets;
use weir_trace::{PluginRef, Trace};

/// Scenarios of each stage.
const SCENARIOS: u32 = 4;
/// The stages whose scenarios are histories, asked for base by base; the first is the one of whole pairs.
const HISTORIES: [&str; 2] = ["authority", "authority-field"];

/// Simulated models: one that is untidy, and one that obeys every injection.
pub(crate) const MODELS: [&str; 2] = ["sim:smoke", "sim:compromised-oracle"];

/// A few scenarios of every stage that a domain has.
pub(crate) fn all_cases(domain: &DomainPlugin) -> Result<Vec<Case>, Error> {
    let info = domain.describe()?;
    let mut all = Vec::new();
    for stage in &info.stages {
        all.extend(stage_cases(domain, &info, stage)?);
    }
    Ok(all)
}

/// The first scenarios of a stage.
pub(crate) fn stage_cases(domain: &DomainPlugin, info: &Info, stage: &str) -> Result<Vec<Case>, Error> {
    if HISTORIES.contains(&stage) {
        return histories(domain, info, stage, 0);
    }
    let request = Request { stage: stage.into(), count: SCENARIOS, seed: 1, parameters: "{}".into() };
    cases(domain, info, &request, &mut Toolsets::default())
}

/// The pairs of histories that are made of one base. Those of a few would already be more than one answer may hold.
pub(crate) fn pairs(domain: &DomainPlugin, info: &Info, base: u32) -> Result<Vec<Case>, Error> {
    let [whole, _] = HISTORIES;
    histories(domain, info, whole, base)
}

fn histories(domain: &DomainPlugin, info: &Info, stage: &str, base: u32) -> Result<Vec<Case>, Error> {
    let parameters = format!("{{\"first\":{base}}}");
    let request = Request { stage: stage.into(), count: 1, seed: 1, parameters };
    cases(domain, info, &request, &mut Toolsets::default())
}

/// All rollouts of these scenarios under a policy: for each scenario one under each model.
pub(crate) fn rollouts(domain: &DomainPlugin, policy: &PolicyPlugin, cases: &[Case]) -> Result<Vec<Trace>, Error> {
    let mut traces = Vec::with_capacity(cases.len().saturating_mul(MODELS.len()));
    each(domain, policy, &reference(policy.component()), cases, |trace| {
        traces.push(trace);
        Ok(())
    })?;
    Ok(traces)
}

/// The same, one after the other, for whoever looks at something after each. `who` is the policy.
pub(crate) fn each(
    domain: &DomainPlugin,
    policy: &dyn DefenceFactory,
    who: &PluginRef,
    cases: &[Case],
    mut done: impl FnMut(Trace) -> Result<(), Error>,
) -> Result<(), Error> {
    let models = MODELS.into_iter().map(|name| models::find(name, &NoRealModels)).collect::<Result<Vec<_>, _>>()?;
    for case in cases {
        let form = case.scenario.ledgers.first().map_or("oracle", |l| l.form.as_str());
        for model in &models {
            let with = Variant {
                models: Source::NONE,
                domain,
                domain_reference: reference(domain.component()),
                policy,
                policy_reference: who.clone(),
                ledger: ledger_of(&case.scenario, form)?,
                confirmation: Confirmation::Oracle,
                turns: TURNS,
                seed: 1,
                unit: case.digest.clone(),
                writer: None,
            };
            done(case.run(with, model, 0)?)?;
        }
    }
    Ok(())
}
