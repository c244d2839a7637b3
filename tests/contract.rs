//! The contract as a test alters it, and components made from a world alone.

use std::path::Path;
use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{ManglingAndAbi, Resolve, SourceMap};

/// The contract as its files have it, each altered by `edit`, with worlds that import no model: no policy has one by default.
pub fn contract(edit: impl Fn(String) -> String) -> Resolve {
    let mut map = SourceMap::default();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "wit") {
            let text = std::fs::read_to_string(&path).unwrap().replace("import model;", "");
            map.push(&path, edit(text));
        }
    }
    let mut resolve = Resolve::default();
    resolve.push_group(map.parse().map_err(|(_, e)| e).unwrap()).unwrap();
    resolve
}

/// A component that implements a world of `resolve`: each of its functions is one `unreachable`.
pub fn implement(resolve: &Resolve, world: &str) -> Vec<u8> {
    let packages: Vec<_> = resolve.packages.iter().map(|(id, _)| id).collect();
    let world = packages.iter().find_map(|id| resolve.packages[*id].worlds.get(world)).unwrap();
    let mut module = dummy_module(resolve, *world, ManglingAndAbi::Standard32);
    embed_component_metadata(&mut module, resolve, *world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default().module(&module).unwrap().validate(true).encode().unwrap()
}
