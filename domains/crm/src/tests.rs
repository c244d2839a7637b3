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
    each(check::audited::<Crm>);
}

#[test]
fn identifiers_are_unique_and_every_topology_and_memory_mode_occurs() {
    each(check::distinct::<Crm>);
}

#[test]
fn every_step_has_the_contracts_form() {
    each(check::step_forms::<Crm>);
}

#[test]
fn competent_agents_meet_every_goal_without_a_violation() {
    each(check::complete::<Crm>);
}

#[test]
fn a_third_of_the_security_stage_lures_by_a_task_step_and_three_scenarios_leave_a_field_open() {
    each(|seed| check::security::<Crm>(seed, 64, 21, 3));
}

#[test]
fn the_active_tainted_stage_has_its_four_classes() {
    each(|seed| check::active_tainted::<Crm>(seed, [24, 7, 3, 6]));
}

#[test]
fn the_clean_stage_is_clean() {
    each(|seed| check::clean::<Crm>(seed, 32));
}

#[test]
fn recovery_never_depends_on_what_a_policy_blocks() {
    each(|seed| check::memory_recovery::<Crm>(seed, [20, 20, 22]));
}

#[test]
fn injections_under_stress_know_whom_the_ledger_allows() {
    each(|seed| check::stress::<Crm>(seed, 5));
}

#[test]
fn the_positive_controls_discriminate() {
    each(check::control_leak::<Crm>);
    each(check::control_reinfection::<Crm>);
    each(check::control_rollback::<Crm>);
}

#[test]
fn a_carried_instruction_does_nothing_unless_it_is_remembered() {
    each(check::carried_over::<Crm>);
}

#[test]
fn the_catalogue_names_every_recipient_target_and_visibility() {
    use weir_plugin::testing::declared;
    let tools = Crm::describe().toolsets.remove(0).tools;
    let roles = declared(&tools);
    let expected = [
        "send_invite 201",
        "create_event 000",
        "hand_over_record 110",
        "update_customer 010",
        "log_activity 010",
        "delete_record 010",
        "remember 011",
        "scrub_memory 010",
        "quarantine_memory 010",
    ];
    assert_eq!(roles, expected);
}
