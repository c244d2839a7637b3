use crate::{each, request};
use serde_json::{Map, Value};
use weir_desk::record::{Side, Variant};
use weir_desk::{Counter, STAGE, Service};
use weir_plugin::domain::{Call, Environment, Scenario};

fn number<S: Service>(tool: &str) -> u32 {
    u32::try_from(S::OFFERED.iter().position(|known| known.name == tool).unwrap()).unwrap()
}

fn call<S: Service>(id: u32, tool: &str, arguments: &Map<String, Value>) -> Call {
    Call { call_id: id, tool: number::<S>(tool), arguments: Value::Object(arguments.clone()).to_string() }
}

fn scenarios<S: Service>() -> Vec<(Scenario, Variant)> {
    let made = weir_desk::scenarios::<S>(&request(STAGE, 0, 4, 1)).unwrap();
    made.into_iter().map(|s| (s.clone(), serde_json::from_str(&s.state).unwrap())).collect()
}

/// One character of the value is another.
fn inexact(variant: &Variant) -> Map<String, Value> {
    let mut arguments = variant.target.arguments.clone();
    let text = Value::Object(arguments).to_string().replace(&variant.focal.value, &format!("{}0", variant.focal.value));
    arguments = serde_json::from_str(&text).unwrap();
    arguments
}

#[test]
fn the_exact_call_is_authorised_in_one_history_and_an_attack_in_the_other() {
    fn exact<S: Service>() {
        for (scenario, variant) in scenarios::<S>() {
            let positive = variant.side == Side::Positive;
            let mut desk = Counter::<S>::start(scenario).unwrap();
            let target = call::<S>(1, &variant.target.tool, &variant.target.arguments);
            let word = desk.assess(&target).unwrap();
            assert_eq!((word.authorized, word.attack), (positive, !positive), "{}", variant.pair);
            let word = desk.assess(&call::<S>(1, &variant.target.tool, &inexact(&variant))).unwrap();
            assert_eq!((word.authorized, word.attack), (false, false), "{}", variant.pair);

            assert_eq!(desk.judge().unwrap().goal_met, !positive);
            let outcome = desk.stage_call(&target).unwrap();
            assert!(!outcome.segments[0].text.starts_with("Error"), "{}: {:?}", variant.pair, outcome.segments[0].text);
            assert_eq!(desk.judge().unwrap().goal_met, !positive, "staged is not committed");
            let violation = desk.commit(1).unwrap();
            assert_eq!(violation.unauthorized, !positive, "{}", variant.pair);
            assert_eq!(desk.judge().unwrap().goal_met, positive);
            desk.rollback(1).unwrap();
            assert_eq!(desk.judge().unwrap().goal_met, !positive);
            desk.stage_call(&target).unwrap();
            desk.discard(1).unwrap();
            assert!(desk.commit(1).is_err());
            assert_eq!(desk.judge().unwrap().goal_met, !positive);
        }
    }
    each!(exact);
}

#[test]
fn a_rolled_back_call_leaves_no_trace_and_later_ones_stay() {
    fn undo<S: Service>() {
        let (_, variant) = &scenarios::<S>()[0];
        let (scenario, _) = &scenarios::<S>()[0];
        let looked = variant.turns[variant.episode as usize + 1].calls[0].clone();
        let mut desk = Counter::<S>::start(scenario.clone()).unwrap();
        let show = |desk: &mut Counter<S>, id: u32| {
            let shown = desk.stage_call(&call::<S>(id, &looked.tool, &looked.arguments)).unwrap();
            desk.discard(id).unwrap();
            shown.segments.into_iter().map(|segment| segment.text).collect::<Vec<_>>()
        };
        let before = show(&mut desk, 1);
        let target = call::<S>(2, &variant.target.tool, &variant.target.arguments);
        let changes = desk.stage_call(&target).unwrap().changes;
        assert!(!changes.is_empty());
        desk.commit(2).unwrap();
        desk.stage_call(&call::<S>(3, "transfer_to_human_agents", &Map::from_iter([("summary".into(), "s".into())])))
            .unwrap();
        assert!(desk.commit(3).unwrap().unauthorized);
        desk.rollback(2).unwrap();
        assert_eq!(show(&mut desk, 4), before);
        assert!(desk.rollback(2).is_err());
        desk.rollback(3).unwrap();
    }
    each!(undo);
}

#[test]
fn the_words_from_outside_bear_the_untrusted_label_and_records_do_not() {
    fn labelled<S: Service>() {
        for (scenario, variant) in scenarios::<S>() {
            let looked = variant.turns[variant.episode as usize + 1].calls[0].clone();
            let mut desk = Counter::<S>::start(scenario).unwrap();
            let shown = desk.stage_call(&call::<S>(1, &looked.tool, &looked.arguments)).unwrap().segments;
            let by_tool = variant.focal.source != "assistant" && variant.side == Side::Negative;
            assert_eq!(shown.len(), if by_tool { 2 } else { 1 }, "{}", variant.pair);
            assert_eq!(shown[0].labels, 0);
            if by_tool {
                assert_eq!(shown[1].labels, weir_plugin::UNTRUSTED);
                assert!(shown[1].text.contains(&variant.focal.value));
            }
        }
    }
    each!(labelled);
}

#[test]
fn a_call_outside_its_schema_is_answered_with_what_is_wrong() {
    fn answered<S: Service>() {
        let (scenario, variant) = scenarios::<S>().remove(0);
        let mut desk = Counter::<S>::start(scenario).unwrap();
        let mut arguments = variant.target.arguments.clone();
        arguments.insert("extra".into(), 1.into());
        let said = desk.stage_call(&call::<S>(1, &variant.target.tool, &arguments)).unwrap().segments.remove(0).text;
        assert!(said.contains("has no argument `extra`"), "{said}");
        assert!(!desk.commit(1).unwrap().unauthorized, "a call that failed changed nothing");
        let call = Call { call_id: 2, tool: 99, arguments: "{}".into() };
        assert!(desk.stage_call(&call).is_err());
    }
    each!(answered);
}
