//! The stages' counts are those of the design; what the checks mean is said where they are defined.

use super::*;
use weir_workshop::testing as check;

const SEEDS: [u64; 3] = [1, 7, 2026];

/// Each seed must pass.
fn each(check: impl Fn(u64) -> Result<(), String>) {
    for seed in SEEDS {
        check(seed).unwrap();
    }
}

#[test]
fn every_text_of_every_scenario_passes_the_audit() {
    each(check::audited::<Documents>);
}

#[test]
fn identifiers_are_unique_and_every_topology_and_memory_mode_occurs() {
    each(check::distinct::<Documents>);
}

#[test]
fn every_step_has_the_contracts_form() {
    each(check::step_forms::<Documents>);
}

#[test]
fn competent_agents_meet_every_goal_without_a_violation() {
    each(check::complete::<Documents>);
}

#[test]
fn a_third_of_the_security_stage_lures_by_a_task_step_and_four_scenarios_leave_a_field_open() {
    each(|seed| check::security::<Documents>(seed, 64, 21, 4));
}

#[test]
fn the_active_tainted_stage_has_its_four_classes() {
    each(|seed| check::active_tainted::<Documents>(seed, [23, 7, 3, 7]));
}

#[test]
fn the_clean_stage_is_clean() {
    each(|seed| check::clean::<Documents>(seed, 32));
}

#[test]
fn recovery_never_depends_on_what_a_policy_blocks() {
    each(|seed| check::memory_recovery::<Documents>(seed, [20, 20, 21]));
}

#[test]
fn injections_under_stress_know_whom_the_ledger_allows() {
    each(|seed| check::stress::<Documents>(seed, 4));
}

#[test]
fn the_positive_controls_discriminate() {
    each(check::control_leak::<Documents>);
    each(check::control_reinfection::<Documents>);
    each(check::control_rollback::<Documents>);
}

#[test]
fn a_carried_instruction_does_nothing_unless_it_is_remembered() {
    each(check::carried_over::<Documents>);
}

#[test]
fn the_catalogue_names_every_recipient_target_and_visibility() {
    use weir_plugin::testing::declared;
    let tools = Documents::describe().toolsets.remove(0).tools;
    let roles = declared(&tools);
    let expected = [
        "post_note 101",
        "share_document 111",
        "create_document 000",
        "append_document 010",
        "set_reviewer 010",
        "publish_document 011",
        "delete_document 010",
        "remember 011",
        "scrub_memory 010",
        "quarantine_memory 010",
    ];
    assert_eq!(roles, expected);
}
