//! The units of an authority run as a plan: their identities, and the plan's lines about them.

use super::Prepared;
use crate::authority::setup::Place;
use crate::authority::suite_file::ViewName;
use crate::plan::Plan;
use serde::Serialize;

/// A line of the plan.
#[derive(Default, Serialize)]
struct Line<'a> {
    unit: &'a str,
    domain: &'a str,
    scenario: &'a str,
    scenario_digest: &'a str,
    module: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    writer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<ViewName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arm: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

impl Plan for Prepared {
    fn len(&self) -> usize {
        self.setup.units(self.cases.len())
    }

    fn unit(&self, position: usize) -> Option<String> {
        let place = self.setup.at(position, self.cases.len())?;
        let case = self.cases.get(place.case())?;
        let domain = self.loaded.domains.get(case.domain)?.plugin.component().digest();
        self.setup.identity(place, &case.case.digest, domain, &self.identities)
    }

    fn line(&self, position: usize) -> Option<String> {
        let place = self.setup.at(position, self.cases.len())?;
        let case = self.cases.get(place.case())?;
        let writer = |at: usize| {
            let entry = self.setup.writers.get(at)?;
            Some(self.loaded.writers.get(&entry.digest)?.0.name.as_str())
        };
        let mut line = Line {
            unit: &self.unit(position)?,
            domain: self.loaded.domains.get(case.domain)?.plugin.component().name(),
            scenario: &case.case.scenario.id,
            scenario_digest: &case.case.digest,
            ..Line::default()
        };
        match place {
            Place::Writing { writer: at, view, .. } => {
                line.module = "A";
                line.writer = Some(writer(at)?);
                line.view = Some(view);
            }
            Place::Acting { condition, model, seed, .. } => {
                line.module = "B";
                line.condition = Some(&self.setup.conditions.get(condition)?.key);
                line.model = Some(&self.setup.models.get(model)?.name);
                line.seed = Some(seed);
            }
            Place::Pipeline { writer: at, view, arm, model, seed, .. } => {
                line.module = "C";
                line.writer = Some(writer(at)?);
                line.view = Some(view);
                line.arm = Some(&self.setup.arms.get(arm)?.key);
                line.model = Some(&self.setup.models.get(model)?.name);
                line.seed = Some(seed);
            }
        }
        serde_json::to_string(&line).ok()
    }
}
