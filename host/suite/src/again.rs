//! A live run's units, made ready again from nothing but its folder: `weir verify` runs each of them once more.

use crate::cases::{Case, Variant, cases, reference, writing};
use crate::error::Error;
use crate::grid::{ModelEntry, Parts, Place, Setup};
use crate::manifest::Manifest;
use crate::models::{self, Known, NoRealModels};
use crate::perturb::Condition;
use crate::plan::Identities;
use crate::row::Row;
use weir_agent::Model;
use weir_rollout::Infra;
use weir_rollout::live::ledger_of;
use weir_rollout::models::Source;
use weir_rollout::rerun::{Words, header_difference, rerun};
use weir_runtime::world::{DomainPlugin, PolicyPlugin, WriterPlugin};
use weir_trace::codec::Toolsets;
use weir_trace::{PluginRef, Trace};

/// All that the units follow from.
pub(crate) struct Again {
    setup: Setup,
    conditions: Vec<Condition>,
    /// With the models whose profiles are at hand.
    models: Vec<(ModelEntry, Option<Known>)>,
    domains: Vec<DomainPlugin>,
    /// In the settings' order.
    writers: Vec<(PluginRef, WriterPlugin)>,
    /// With the position of each one's domain.
    cases: Vec<(usize, Case)>,
    identities: Identities,
}

impl Again {
    /// Asks the run's domains for its scenarios once more.
    ///
    /// # Errors
    /// Where the manifest or a domain is not what it was.
    pub(crate) fn new(
        manifest: &Manifest,
        domains: Vec<DomainPlugin>,
        writers: Vec<WriterPlugin>,
    ) -> Result<Self, Error> {
        let setup = Setup::of(&manifest.settings)
            .map_err(|e| Error::Input(format!("the manifest's settings are not those of a live run: {e}")))?;
        let mut all = Vec::new();
        let mut toolsets = Toolsets::default();
        for asked in &setup.requests {
            let found = domains.iter().enumerate().find(|(_, domain)| domain.component().digest() == asked.domain);
            let (position, domain) =
                found.ok_or_else(|| Error::Input(format!("domain {} is not in the manifest", asked.domain)))?;
            let made = cases(domain, &domain.describe()?, &asked.request(), &mut toolsets)?;
            let taken = made.into_iter().filter(|case| asked.takes(&case.scenario));
            all.extend(taken.map(|case| (position, case)));
        }
        let mut given: Vec<_> = writers.into_iter().map(|writer| (reference(writer.component()), writer)).collect();
        let mut writers = Vec::with_capacity(setup.writers.len());
        for entry in &setup.writers {
            let found = given.iter().position(|(known, _)| known.digest == entry.digest && known.name == entry.name);
            let found = found.ok_or_else(|| {
                Error::Input(format!("memory writer {} ({}) is not in the manifest", entry.name, entry.digest))
            })?;
            writers.push(given.swap_remove(found));
        }
        let models = setup.models.iter().map(|entry| {
            let known = models::find(&entry.name, &NoRealModels).ok().filter(|known| known.entry() == *entry);
            (entry.clone(), known)
        });
        Ok(Again {
            conditions: setup.conditions(),
            models: models.collect(),
            writers,
            domains,
            cases: all,
            identities: manifest.identities(),
            setup,
        })
    }

    /// What is wrong with the unit at a position, if anything is: its identity, its row's names, its trace's header, or, where
    /// `in_full`, that it comes out otherwise when it is run again.
    ///
    /// # Errors
    /// A host failure.
    pub(crate) fn check(
        &self,
        position: usize,
        row: &Row,
        trace: &Trace,
        policies: &[(String, PolicyPlugin)],
        in_full: bool,
    ) -> Result<Option<String>, Infra> {
        let of = Place {
            condition: self.conditions.len(),
            policy: policies.len(),
            model: self.models.len(),
            case: self.cases.len(),
            seed: self.setup.seeds.len(),
        };
        let unit = Place::at(position, of).and_then(|at| {
            let (domain, case) = self.cases.get(at.case)?;
            Some((
                *self.conditions.get(at.condition)?,
                &policies.get(at.policy)?.1,
                self.models.get(at.model)?,
                self.domains.get(*domain)?,
                case,
                *self.setup.seeds.get(at.seed)?,
            ))
        });
        let Some((condition, policy, (entry, known), domain, case, seed)) = unit else {
            return Ok(Some("the manifest's settings give no such unit".into()));
        };
        let (policy_reference, domain_reference) = (reference(policy.component()), reference(domain.component()));
        let parts = Parts {
            scenario: &case.digest,
            domain: &domain_reference.digest,
            policy: &policy_reference.digest,
            model: &entry.digest,
            seed,
            ledger: &self.setup.ledger,
            confirmation: self.setup.confirmation,
            turns: self.setup.turns,
            condition,
            writer: self.setup.writer(condition).map(|writer| writer.digest.as_str()),
        };
        let identity = parts.identity(&self.identities);
        if identity != row.unit || row.condition != self.setup.name(condition) || row.model != entry.name {
            return Ok(Some("its row is not of the unit that the manifest's settings give here".into()));
        }
        let scenario = &case.scenario;
        let ledger = ledger_of(scenario, &self.setup.ledger)?;
        let rollout = case.rollout(Variant {
            domain,
            domain_reference,
            policy,
            policy_reference,
            ledger: condition.ledger(ledger, &scenario.id, &scenario.script, &case.tools),
            confirmation: condition.confirmation(self.setup.confirmation),
            turns: self.setup.turns,
            seed,
            unit: identity,
            models: Source::Trace(&trace.header),
            writer: condition
                .writer
                .and_then(|writer| self.writers.get(writer))
                .map(|(reference, writer)| writing(writer, reference)),
        });
        let mut model: Box<dyn Model + '_> = match (known, Words::of(trace)) {
            (Some(known), _) => case.agent(known, seed, 0),
            (None, Some(words)) => Box::new(words),
            (None, None) => return Ok(Some("its trace is of a recorded run".into())),
        };
        if in_full {
            rerun(trace, &rollout, model.as_mut())
        } else {
            Ok(header_difference(trace, &rollout, model.as_ref()))
        }
    }
}
