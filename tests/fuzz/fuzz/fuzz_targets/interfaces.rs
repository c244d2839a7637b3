#![no_main]

libfuzzer_sys::fuzz_target!(
    init: {
        weir_fuzz::begin();
        // Its readers' panics are no findings, so the fuzzer's hook, which aborts, is not wanted; what panics beside them
        // ends the process all the same.
        std::panic::set_hook(Box::new(|_| ()));
    },
    |bytes: &[u8]| weir_fuzz::interfaces(bytes)
);
