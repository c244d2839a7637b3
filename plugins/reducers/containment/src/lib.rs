//! ContainmentBench's metrics: five families in one component, since an instance of its own for each would cost more than
//! its work.

mod endpoints;
mod propagation;
mod recovery;
mod survival;
mod utility;

pub use endpoints::Endpoints;
pub use propagation::Propagation;
pub use recovery::Recovery;
pub use survival::Survival;
pub use utility::Utility;

use weir_plugin::export_reducer;

/// All metrics of tables 5, 6 and 23, those that sections 6.3 and 7 speak of, and what becomes of labels in memory.
pub type Containment = (Endpoints, (Propagation, (Recovery, (Utility, Survival))));

export_reducer!(Containment);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use weir_plugin::reducer::Reducer;

    #[test]
    fn no_two_families_have_a_metric_of_the_same_name() {
        let names: Vec<&str> = Containment::metrics().into_iter().map(|metric| metric.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!(names.len() > 35, "{names:?}");
    }
}
