#![no_main]

libfuzzer_sys::fuzz_target!(init: weir_fuzz::begin(), |bytes: &[u8]| weir_fuzz::submission(bytes));
