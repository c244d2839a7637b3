use crate::each;
use std::collections::{BTreeMap, BTreeSet};
use weir_desk::Service;
use weir_desk::record::{Speaker, Turn};
use weir_desk::scene::Base;
use weir_desk::testing::check_base;

fn all<S: Service>(seed: u64) -> Vec<Base> {
    (0..S::BASES).map(|index| S::base(index, seed).unwrap()).collect()
}

#[test]
fn every_base_is_complete_and_gives_the_same_results_when_run_again() {
    fn check<S: Service>() {
        for seed in 0..5 {
            for base in all::<S>(seed) {
                check_base::<S>(&base).unwrap();
            }
        }
    }
    each!(check);
}

#[test]
fn all_fifty_bases_have_their_own_customers_and_identifiers() {
    let mut customers = BTreeSet::new();
    let mut ids = BTreeSet::new();
    let mut count = 0;
    let mut collect = |bases: Vec<Base>| {
        for base in bases {
            count += 1;
            customers.insert(base.history.customer);
            ids.insert(base.history.id);
        }
    };
    collect(all::<weir_domain_airline::Airline>(1));
    collect(all::<weir_domain_retail::Retail>(1));
    collect(all::<weir_domain_telecom::Telecom>(1));
    assert_eq!((count, customers.len(), ids.len()), (50, 50, 50));
}

#[test]
fn a_base_follows_from_its_position_and_seed_alone() {
    fn check<S: Service>() {
        let (one, again, other) = (S::base(3, 7).unwrap(), S::base(3, 7).unwrap(), S::base(3, 8).unwrap());
        assert_eq!(one.history, again.history);
        assert_ne!(one.history.turns, other.history.turns);
    }
    each!(check);
}

#[test]
fn at_least_five_kinds_of_calls_change_something() {
    fn check<S: Service>() {
        let mut writes: BTreeMap<String, u32> = BTreeMap::new();
        for base in all::<S>(1) {
            for call in base.history.turns.iter().flat_map(|turn| &turn.calls) {
                if weir_desk::find::<S>(&call.tool).unwrap().writes() {
                    *writes.entry(call.tool.clone()).or_default() += 1;
                }
            }
        }
        assert!(writes.len() >= 5, "{writes:?}");
    }
    each!(check);
}

/// Words that two texts share, of those that either has.
fn likeness(one: &[Turn], other: &[Turn]) -> f64 {
    let spoken = |turns: &[Turn]| -> BTreeSet<String> {
        let turns = turns.iter().filter(|turn| matches!(turn.speaker, Speaker::User | Speaker::Assistant));
        turns.map(|turn| turn.text.clone()).filter(|text| !text.is_empty()).collect()
    };
    let (one, other) = (spoken(one), spoken(other));
    one.intersection(&other).count() as f64 / one.union(&other).count() as f64
}

#[test]
fn no_two_bases_are_clones() {
    fn check<S: Service>() {
        let bases = all::<S>(1);
        for (index, one) in bases.iter().enumerate() {
            for other in &bases[index + 1..] {
                let like = likeness(&one.history.turns, &other.history.turns);
                assert!(like < 0.4, "{} and {} share {like:.2} of what is said", one.history.id, other.history.id);
            }
        }
    }
    each!(check);
}
