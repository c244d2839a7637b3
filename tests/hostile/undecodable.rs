//! Valid components, a line or two each, that no world describes. The reader of worlds was written for what its own
//! tools make; the host must outlive what others make.
//!
//! `weir check` looks at each: a stack overflow would end this test's own process, and no fault can be made of it.

use std::process::Command;

/// Exit status for a component that may not run.
const REFUSED: i32 = 100;

/// The component, given as text, is refused in an orderly way.
#[track_caller]
fn is_refused(text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hostile.wasm");
    std::fs::write(&file, wat::parse_str(text).unwrap()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_weir-under-test"))
        .arg("check")
        .arg(&file)
        .env("WEIR_CACHE", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(REFUSED), "{}\n{said}", output.status);
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn packages_that_depend_on_each_other() {
    is_refused(
        r#"(component
             (import "a:a/one" (instance $one (export "t" (type (sub resource)))))
             (alias export $one "t" (type $t))
             (import "b:b/two" (instance $two (alias outer 1 $t (type $o)) (export "u" (type (eq $o)))))
             (alias export $two "u" (type $u))
             (import "a:a/three" (instance (alias outer 1 $u (type $o)) (export "v" (type (eq $o))))))"#,
    );
}

#[test]
fn a_function_type_under_a_name_in_an_interface() {
    is_refused(r#"(component (import "a:b/c" (instance (type $f (func)) (export "t" (type (eq $f))))))"#);
}

#[test]
fn a_component_type_under_a_name_in_an_interface() {
    is_refused(r#"(component (import "a:b/c" (instance (type $f (component)) (export "t" (type (eq $f))))))"#);
}

#[test]
fn a_function_type_under_a_name_of_its_own() {
    is_refused(r#"(component (type $f (func)) (import "t" (type (eq $f))))"#);
}

#[test]
fn a_method_of_a_resource_under_its_second_name() {
    is_refused(
        r#"(component
             (import "a:a/x" (instance $x (export "r" (type (sub resource)))))
             (alias export $x "r" (type $r))
             (import "a:a/y" (instance
               (alias outer 1 $r (type $o))
               (export "s" (type $s (eq $o)))
               (export "[method]s.f" (func (param "self" (borrow $s)))))))"#,
    );
}

#[test]
fn a_constructor_of_a_resource_under_its_second_name() {
    is_refused(
        r#"(component
             (import "r" (type $r (sub resource)))
             (import "s" (type $s (eq $r)))
             (import "[constructor]s" (func (result (own $s)))))"#,
    );
}

#[test]
fn a_function_under_the_name_of_an_interface() {
    is_refused(r#"(component (import "a:b/c" (func)))"#);
}

#[test]
fn a_function_under_the_name_of_a_url() {
    is_refused(r#"(component (import "url=<https://x>" (func)))"#);
}

#[test]
fn a_function_in_what_looks_like_a_package() {
    is_refused(r#"(component (type (export "x") (component (export "y" (func)))))"#);
}
