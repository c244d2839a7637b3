#![no_main]

libfuzzer_sys::fuzz_target!(
    init: {
        weir_fuzz::begin();
        weir_fuzz::agentdojo_domain();
    },
    |bytes: &[u8]| weir_fuzz::agentdojo(bytes)
);
