//! What is no component at all, or hardly one.

use crate::common::{Host, expect, none, with_rider};
use wasm_encoder::{ComponentSection, CustomSection};
use weir_runtime::{Cause, Kind, Phase};

/// First bytes of every component.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// A small generator (xorshift64*), so that a failing case can be told by its number.
struct Random(u64);

impl Random {
    fn new(case: u64) -> Self {
        Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next().to_le_bytes()[7]).collect()
    }
}

pub fn a_core_module_is_refused_by_name() {
    let host = Host::new();
    let bytes = wat::parse_str("(module (func (export \"authorize\")))").unwrap();
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &Cause::CoreModule);
    host.goes_on();
}

pub fn precompiled_native_code_is_refused_by_name() {
    let host = Host::new();
    for native in [
        host.engines.strict.precompile_component(none()).unwrap(),
        host.engines.strict.precompile_module(b"\0asm\x01\0\0\0").unwrap(),
        b"\x7fELF\x02\x01\x01\0".to_vec(),
        std::fs::read(env!("CARGO_BIN_EXE_weir-under-test")).unwrap()[..4096].to_vec(),
    ] {
        expect(&host.refusal(&native), &native, Phase::Load, None, &Cause::Precompiled);
    }
    host.goes_on();
}

#[test]
fn every_prefix_of_a_component_is_malformed() {
    let host = Host::new();
    // All short prefixes, then steps; a prime, so as not to keep step with anything.
    for length in (0..2048).chain((2048..none().len()).step_by(251)).chain([none().len() - 1]) {
        let bytes = &none()[..length];
        let fault = host.loader.load("hostile", Kind::Policy, bytes).err();
        let fault = fault.unwrap_or_else(|| panic!("{length} bytes were loaded"));
        assert_eq!(fault.phase, Phase::Load, "{length} bytes: {fault}");
        // A cut between two sections leaves a well-formed component that lacks its exports.
        let expected = matches!(fault.cause, Cause::Malformed { .. } | Cause::WrongWorld { .. });
        assert!(expected, "{length} bytes: {fault}");
    }
    host.goes_on();
}

#[test]
fn random_bytes_are_malformed() {
    let host = Host::new();
    for case in 0..4_000 {
        let mut random = Random::new(case);
        let count = random.below(600);
        let mut bytes = random.bytes(count);
        // Half of them pass for a component at first sight.
        if case % 2 == 0 {
            bytes.splice(0..0, COMPONENT.iter().copied());
        }
        match host.loader.inspect("hostile", &bytes) {
            Err(fault) => {
                assert_eq!(fault.phase, Phase::Load);
                let expected = matches!(fault.cause, Cause::Malformed { .. } | Cause::Structure { .. });
                assert!(expected, "case {case}: {fault}");
            }
            // Whatever random bytes declare, it is no plugin.
            Ok(report) => assert_eq!(report.kind, None, "case {case}"),
        }
    }
    host.goes_on();
}

#[test]
fn a_component_with_any_one_byte_altered_is_looked_at_without_a_panic() {
    let host = Host::new();
    let small = with_rider("(component)");
    for case in 0..2_000 {
        let mut random = Random::new(case);
        let mut bytes = small.clone();
        let position = random.below(bytes.len());
        bytes[position] ^= 1 << random.below(8);
        // Many alterations are harmless, in names and in data; the others are faults. Neither may end the process.
        if let Err(fault) = host.loader.inspect("hostile", &bytes) {
            assert_eq!(fault.phase, Phase::Load, "case {case}: {fault}");
        }
    }
    host.goes_on();
}

#[test]
fn components_nested_without_end_are_malformed() {
    let host = Host::new();
    let mut bytes = COMPONENT.to_vec();
    for _ in 0..2_000 {
        let inner = std::mem::replace(&mut bytes, COMPONENT.to_vec());
        wasm_encoder::ComponentSection::append_to_component(
            &wasm_encoder::RawSection { id: wasm_encoder::ComponentSectionId::Component.into(), data: &inner },
            &mut bytes,
        );
    }
    let fault = host.refusal(&bytes);
    assert!(matches!(fault.cause, Cause::Malformed { .. } | Cause::WrongWorld { .. }), "{fault}");
    host.goes_on();
}

/// A component without metadata, and these bytes in their place.
fn saying(data: &[u8]) -> Vec<u8> {
    let mut bytes = crate::ENDLESS_LOOP.to_vec();
    CustomSection { name: "weir:plugin".into(), data: data.into() }.append_to_component(&mut bytes);
    bytes
}

#[test]
fn what_a_component_says_of_itself_is_read_with_care_and_told_without_its_tricks() {
    let host = Host::new();
    let long = vec![b' '; 16_385];
    for (data, said) in [
        (&b""[..], "is not what weir-plugin/1 says: EOF while parsing a value at line 1 column 0"),
        (&long, "has 16385 bytes, the limit is 16384"),
        (
            &[b'['; 16_000],
            "is not what weir-plugin/1 says: invalid type: sequence, expected a string at line 1 column 1",
        ),
        (&[0xff; 100], "is not what weir-plugin/1 says: expected value at line 1 column 1"),
        (br#"{"format":"\u001b]0;owned\u0007"}"#, "has the format ` ]0;owned `, and this weir knows weir-plugin/1"),
        (
            "{\"format\":\"weir-plugin/1\",\"\u{202e}gnp\":1}".as_bytes(),
            "is not what weir-plugin/1 says: unknown field ` gnp`, expected one of `format`, `kind`, `contract`, `name`, \
             `version`, `authors`, `licence`, `homepage`, `asks`, `optional`, `limits` at line 1 column 34",
        ),
    ] {
        let bytes = saying(data);
        let cause = Cause::Metadata { message: format!("the section `weir:plugin` {said}") };
        expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &cause);
    }
    let mut twice = saying(b"{}");
    CustomSection { name: "weir:plugin".into(), data: b"{}"[..].into() }.append_to_component(&mut twice);
    let message = "there are 2 sections `weir:plugin`, and nobody knows which is meant".into();
    expect(&host.refusal(&twice), &twice, Phase::Load, None, &Cause::Metadata { message });
    host.goes_on();
}
