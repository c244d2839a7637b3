//! The units of an authority run as a plan: their identities, and the plan's lines about them.

use super::Prepared;
use crate::authority::setup::Place;
use crate::plan::Plan;
use serde_json::json;

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
        let mut line = json!({
            "unit": self.unit(position)?,
            "domain": self.loaded.domains.get(case.domain)?.plugin.component().name(),
            "scenario": case.case.scenario.id,
            "scenario_digest": case.case.digest,
        });
        let more = match place {
            Place::Writing { writer: at, view, .. } => json!({ "module": "A", "writer": writer(at)?, "view": view }),
            Place::Acting { condition, model, seed, .. } => json!({
                "module": "B",
                "condition": self.setup.conditions.get(condition)?.key,
                "model": self.setup.models.get(model)?.name,
                "seed": seed,
            }),
            Place::Pipeline { writer: at, view, arm, model, seed, .. } => json!({
                "module": "C",
                "writer": writer(at)?,
                "view": view,
                "arm": self.setup.arms.get(arm)?.key,
                "model": self.setup.models.get(model)?.name,
                "seed": seed,
            }),
        };
        if let (Some(line), Some(more)) = (line.as_object_mut(), more.as_object()) {
            line.extend(more.clone());
        }
        Some(line.to_string())
    }
}
