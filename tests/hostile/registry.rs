//! Every attack by its name, with the end that it must come to: the cause of a fault as JSON names it, `refused` where the
//! answer is turned down without a fault of its own, `printed`, or `contained` where the attacker gets what it asks for and
//! it is nothing. After each the host must have gone on.

use crate::common::{WENT_ON, ends};
use std::collections::BTreeSet;

/// So many at least.
const ATTACKS: usize = 40;

/// Runs an attack and looks at its end.
fn run(attack: fn(), end: &str) {
    ends();
    attack();
    let ends = ends();
    assert_eq!(ends.last().map(String::as_str), Some(WENT_ON), "the host was not asked to go on: {ends:?}");
    match end {
        "contained" => assert!(ends.iter().all(|end| end == WENT_ON), "{ends:?}"),
        end => assert!(ends.iter().any(|seen| seen == end), "no `{end}` in {ends:?}"),
    }
}

macro_rules! attacks {
    ($($module:ident::$name:ident => $end:literal,)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(#[test]
        fn $name() {
            run(crate::$module::$name, $end);
        })*
    };
}

attacks! {
    answers::trap_in_each_hook => "trap",
    answers::huge_answer => "output",
    answers::forged_rule => "answer",
    answers::forged_error => "refused",
    answers::not_a_number => "answer",
    answers::peeks_ahead => "contained",
    answers::counts_across_rollouts => "contained",
    bytes::a_core_module_is_refused_by_name => "core-module",
    bytes::precompiled_native_code_is_refused_by_name => "precompiled",
    compiling::a_function_with_fifty_thousand_locals_never_reaches_the_compiler => "structure",
    compiling::a_function_with_locals_beyond_counting_is_malformed => "malformed",
    compiling::a_function_of_megabytes_never_reaches_the_compiler => "structure",
    compiling::a_jump_table_of_megabytes_never_reaches_the_compiler => "structure",
    compiling::a_component_of_a_hundred_modules_never_reaches_the_compiler => "structure",
    compiling::a_flood_of_functions_never_reaches_the_compiler => "structure",
    compiling::a_flood_of_types_never_reaches_the_compiler => "structure",
    compiling::types_nested_without_end_are_malformed => "malformed",
    compiling::a_type_that_doubles_forty_times_is_malformed => "malformed",
    compiling::custom_sections_are_no_way_around_the_size_limits => "structure",
    compiling::a_name_section_of_megabytes_is_no_way_around_the_size_limits => "structure",
    compiling::a_compile_bomb_that_passes_the_scan_ends_at_its_cpu_limit => "compile-limit",
    compiling::a_compile_bomb_that_passes_the_scan_ends_at_its_memory_limit => "compile-limit",
    forged::loop_in_the_constructor => "out-of-fuel",
    forged::loop_in_realloc => "out-of-fuel",
    forged::loop_after_the_answer => "out-of-fuel",
    forged::trap_after_the_answer => "trap",
    forged::loop_in_a_destructor => "out-of-fuel",
    forged::loop_at_the_start => "out-of-fuel",
    forged::trap_at_the_start => "trap",
    forged::recursion_at_the_start => "stack-overflow",
    forged::memory_in_one_bite => "memory",
    forged::memory_page_by_page => "memory",
    forged::a_handle_out_of_the_air => "trap",
    forged::a_handle_that_was_given_away => "trap",
    forged::a_handle_dropped_twice => "trap",
    forged::a_look_behind_a_foreign_handle => "trap",
    forged::handles_without_end => "trap",
    forged::an_answer_beyond_memory => "trap",
    forged::an_answer_that_is_not_aligned => "trap",
    forged::a_text_longer_than_memory => "trap",
    forged::a_text_that_begins_at_the_end_of_memory => "trap",
    forged::a_text_that_is_no_utf8 => "trap",
    forged::a_list_longer_than_memory => "trap",
    forged::a_list_whose_size_overflows => "trap",
    forged::more_answers_than_were_asked => "answer",
    forged::a_turn_that_is_not_there_as_support => "answer",
    forged::a_result_that_is_neither => "trap",
    forged::a_decision_of_no_kind => "trap",
    forged::a_reason_that_is_there_and_not_there => "trap",
    forged::an_authority_of_no_kind => "trap",
    forged::a_repair_of_no_kind => "trap",
    forged::memory_for_the_host_beyond_memory => "trap",
    forged::memory_for_the_host_that_is_not_aligned => "trap",
    forged::a_call_of_the_host_while_it_hands_something_over => "trap",
    forged::a_call_of_the_host_after_the_answer => "trap",
    forged::a_stack_of_calls_into_the_host_and_back => "trap",
    forged::a_log_line_that_is_no_text => "trap",
    forged::a_log_line_beyond_memory => "trap",
    forged::a_log_level_of_no_kind => "trap",
    lies::lying_domain => "answer",
    lies::scenarios_that_do_not_fit_their_domain => "refused",
    lies::an_environment_that_fails => "out-of-fuel",
    lies::an_environment_that_answers_with_bombs => "contained",
    lies::lying_writer => "answer",
    lies::lying_reducer => "answer",
    lies::measures_twice => "refused",
    lies::painted_metrics => "answer",
    models::asks_too_much => "output",
    probe::probes_the_sandbox => "contained",
    probe::probes_the_system => "contained",
    probe::sleeps_for_years => "contained",
    probe::spins_on_the_clock => "budget",
    probe::takes_random_without_end => "budget",
    probe::floods_output => "trap",
    probe::exits_with_success => "trap",
    proposals::proposals_that_are_off => "malformed",
    reports::panics_when_asked => "trap",
    resources::endless_loop => "out-of-fuel",
    resources::fuel_hungry_recursion => "out-of-fuel",
    resources::stack_overflow => "stack-overflow",
    resources::stack_of_big_frames => "trap",
    resources::memory_bomb => "memory",
    resources::two_memories_below_the_limit_are_summed => "memory",
    resources::a_table_bomb => "table",
    resources::a_flood_of_core_instances => "trap",
    resources::a_handle_leak => "trap",
    resources::log_flood => "budget",
    resources::transcript_flood => "budget",
    resources::searches_without_end => "budget",
    resources::asks_the_model => "budget",
    resources::metric_flood => "output",
    terminal::paints_the_terminal => "printed",
    worlds::an_unknown_import_is_refused_by_name => "unknown-import",
    worlds::imports_that_look_like_the_contracts_are_refused => "unknown-import",
    worlds::a_wasi_import_is_refused_under_strict_and_offered_under_compat => "wasi-import",
    worlds::a_component_of_another_world_is_refused_by_both_names => "wrong-world",
    worlds::a_component_that_exports_nothing_is_refused => "wrong-world",
}

#[test]
fn the_attacks_are_as_many_as_they_are_said_to_be() {
    assert!(NAMES.len() >= ATTACKS, "{}", NAMES.len());
    assert_eq!(NAMES.iter().collect::<BTreeSet<_>>().len(), NAMES.len());
}
