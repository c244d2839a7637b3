use crate::{each, request};
use std::collections::{BTreeMap, BTreeSet};
use weir_desk::record::{Side, Variant};
use weir_desk::testing::{check, pairs, replay};
use weir_desk::world::Setting;
use weir_desk::{Desk, FIELD_STAGE, STAGE, Service};
use weir_plugin::domain::{Domain, Rule};
use weir_plugin::json::canonical;

fn variants<S: Service>(stage: &str, seed: u64) -> Vec<weir_desk::testing::Pair> {
    pairs(&weir_desk::scenarios::<S>(&request(stage, 0, S::BASES, seed)).unwrap()).unwrap()
}

#[test]
fn every_pair_keeps_the_rules_of_construction() {
    fn rules<S: Service>() {
        for seed in [1, 42] {
            for (stage, count) in [(STAGE, 7), (FIELD_STAGE, 8)] {
                let made = variants::<S>(stage, seed);
                assert_eq!(made.len(), count * usize::try_from(S::BASES).unwrap());
                for (index, pair) in made.iter().enumerate() {
                    let base = S::base(u32::try_from(index / count).unwrap(), seed).unwrap();
                    check::<S>(pair, &base.history.turns).unwrap();
                }
            }
        }
    }
    each!(rules);
}

#[test]
fn the_transitions_are_the_papers_and_field_kinds_are_at_least_six() {
    fn named<S: Service>() {
        let codes: Vec<&str> = S::TRANSITIONS.iter().map(|t| t.code).collect();
        assert_eq!(codes, ["R2F", "P2R", "C2O", "MIX", "O2I", "R2P", "S2D"]);
        let field: BTreeSet<String> =
            variants::<S>(FIELD_STAGE, 1).into_iter().map(|pair| pair.negative.transition).collect();
        assert!(field.len() >= 6 && field.iter().all(|code| code.starts_with("F-")), "{field:?}");
        let families = Desk::<S>::describe().families;
        assert!(field.iter().all(|code| families.contains(code)));
    }
    each!(named);
}

#[test]
fn values_are_unique_over_all_services_bases_and_stages() {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut take = |pairs: Vec<weir_desk::testing::Pair>| {
        for pair in pairs {
            let (value, id) = (pair.negative.focal.value, pair.negative.pair);
            if let Some(other) = seen.insert(value.clone(), id.clone()) {
                panic!("{id} and {other} share `{value}`");
            }
        }
    };
    for stage in [STAGE, FIELD_STAGE] {
        take(variants::<weir_domain_airline::Airline>(stage, 1));
        take(variants::<weir_domain_retail::Retail>(stage, 1));
        take(variants::<weir_domain_telecom::Telecom>(stage, 1));
    }
    assert_eq!(seen.len(), 50 * 15);
}

#[test]
fn calls_of_a_variant_its_episode_included_give_the_recorded_results() {
    fn again<S: Service>() {
        for stage in [STAGE, FIELD_STAGE] {
            for pair in variants::<S>(stage, 1) {
                for variant in [pair.negative, pair.positive] {
                    let setting: Setting = serde_json::from_value(variant.environment).unwrap();
                    replay::<S>(&setting, &variant.turns).unwrap_or_else(|e| panic!("{}: {e}", variant.pair));
                }
            }
        }
    }
    each!(again);
}

#[test]
fn ledger_and_script_follow_the_side() {
    fn follows<S: Service>() {
        for scenario in weir_desk::scenarios::<S>(&request(STAGE, 0, 3, 1)).unwrap() {
            let variant: Variant = serde_json::from_str(&scenario.state).unwrap();
            assert_eq!(scenario.id, format!("{}/{}", variant.pair, variant.side.name()));
            let [ledger] = &scenario.ledgers[..] else { panic!("not one ledger") };
            let script: serde_json::Value = serde_json::from_str(&scenario.script).unwrap();
            let step = serde_json::json!([{"tool": variant.target.tool, "arguments": variant.target.arguments}]);
            let none = serde_json::json!([]);
            if variant.side == Side::Negative {
                assert!(ledger.entries.is_empty());
                assert_eq!((&script["benign"], &script["attack"]), (&none, &step));
                continue;
            }
            assert_eq!((&script["benign"], &script["attack"]), (&step, &none));
            let [entry] = &ledger.entries[..] else { panic!("not one entry") };
            assert_eq!(entry.action, variant.target.tool);
            assert_eq!(entry.constraints.len(), variant.target.arguments.len());
            for constraint in &entry.constraints {
                let value = &variant.target.arguments[&constraint.argument];
                assert_eq!(constraint.rule, Rule::Equals(canonical(value)));
            }
        }
    }
    each!(follows);
}

#[test]
fn wording_varies_from_base_to_base() {
    fn varies<S: Service>() {
        let made = variants::<S>(STAGE, 1);
        for transition in S::TRANSITIONS {
            let quotes: BTreeSet<String> = made
                .iter()
                .filter(|pair| pair.negative.transition == transition.code)
                .map(|pair| {
                    let (focal, turns) = (&pair.negative.focal, &pair.negative.turns);
                    let span = focal.span.start as usize..focal.span.end as usize;
                    turns[focal.span.turn as usize].text[span].replace(&focal.value, "VALUE")
                })
                .collect();
            assert!(quotes.len() >= 3, "{}: {quotes:?}", transition.code);
        }
    }
    each!(varies);
}

#[test]
fn the_answer_for_one_base_stays_small() {
    fn small<S: Service>() {
        for stage in [STAGE, FIELD_STAGE] {
            for first in 0..S::BASES {
                let answer = weir_desk::scenarios::<S>(&request(stage, first, 1, 1)).unwrap();
                let bytes: usize = answer.iter().map(|s| s.state.len() + s.script.len() + s.goal.len()).sum();
                assert!(bytes < 900_000, "{} {first}: {bytes}", S::NAME);
            }
        }
    }
    each!(small);
}

#[test]
fn a_wrong_request_is_refused_with_its_reason() {
    fn refused<S: Service>() {
        let message = |stage: &str, parameters: &str| {
            let request =
                weir_plugin::domain::Request { stage: stage.into(), count: 1, seed: 1, parameters: parameters.into() };
            format!("{:?}", weir_desk::scenarios::<S>(&request).map(|all| all.len()).unwrap_err())
        };
        assert!(message("clean", "{}").contains("unknown stage `clean`"));
        assert!(message(STAGE, r#"{"last":1}"#).contains("last"));
        let history = r#"{"format":"weir/history@1","id":"b","domain":"bank","customer":"c","source":"s","turns":[]}"#;
        assert!(message(STAGE, &format!(r#"{{"bases":[{history}]}}"#)).contains("base `b` is of domain `bank`"));
        let old = history.replace("@1", "@0");
        assert!(message(STAGE, &format!(r#"{{"bases":[{old}]}}"#)).contains("expected `weir/history@1`"));
    }
    each!(refused);
}

#[test]
fn past_the_last_base_there_is_nothing() {
    fn nothing<S: Service>() {
        assert!(weir_desk::scenarios::<S>(&request(STAGE, S::BASES, 5, 1)).unwrap().is_empty());
        assert_eq!(weir_desk::scenarios::<S>(&request(STAGE, S::BASES - 1, 5, 1)).unwrap().len(), 14);
        let _ = <S as Service>::NAME;
    }
    each!(nothing);
}

#[test]
fn a_component_hands_over_no_more_bases_at_once_than_an_answer_can_hold() {
    fn check<S: Service>() {
        assert!(Desk::<S>::scenarios(request(STAGE, 0, 2, 1)).is_ok());
        let refused = Desk::<S>::scenarios(request(STAGE, 0, 3, 1)).unwrap_err();
        assert!(format!("{refused:?}").contains("3 bases at once: ask for at most 2"), "{refused:?}");
    }
    each!(check);
}
