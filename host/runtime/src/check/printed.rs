//! A component's own world as WIT, with the interfaces that it speaks of.
//!
//! Like all reading of interfaces this runs in the child process, see [`crate::compile`].

use crate::fault::printable;
use wit_component::{DecodedWasm, WitPrinter, decode};

/// The world, and after it the packages whose interfaces it names.
///
/// # Errors
/// Where the bytes are no component.
pub fn world(component: &[u8]) -> wasmtime::Result<String> {
    let decoded = decode(component).map_err(|e| wasmtime::format_err!("{e:#}"))?;
    let DecodedWasm::Component(resolve, world) = decoded else {
        return Err(wasmtime::format_err!("this is an encoded WIT package, not a component"));
    };
    let main = resolve.worlds.get(world).and_then(|world| world.package);
    let Some(main) = main else { return Err(wasmtime::format_err!("its world belongs to no package")) };
    let others: Vec<_> = resolve.packages.iter().map(|(id, _)| id).filter(|id| *id != main).collect();
    let mut printer = WitPrinter::default();
    printer.print(&resolve, main, &others).map_err(|e| wasmtime::format_err!("{e:#}"))?;
    // Names have no such characters, but documentation could.
    let text = printer.output.to_string();
    Ok(text.lines().map(|line| printable(line) + "\n").collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_is_printed_with_the_interfaces_that_it_names() {
        let text = r#"(component
            (type $t (instance (export "write" (func (param "line" string)))))
            (import "weir:plugin/log@0.0.7" (instance (type $t))))"#;
        let printed = world(&wat::parse_str(text).unwrap()).unwrap();
        assert!(printed.contains("world root {\n  import weir:plugin/log@0.0.7;\n}\n"), "{printed}");
        assert!(
            printed.contains("package weir:plugin@0.0.7 {\n  interface log {\n    write: func(line: string);"),
            "{printed}"
        );
    }
}
