//! What `wit-bindgen` makes of the contract, a module a world. The worlds share one set of types, so that a helper written for
//! one kind of plugin serves the others.
#![allow(missing_docs, unsafe_code, clippy::all, clippy::pedantic, clippy::restriction)]

pub mod policy {
    include!(concat!(env!("OUT_DIR"), "/policy.rs"));
}

pub mod domain {
    include!(concat!(env!("OUT_DIR"), "/domain.rs"));
}

pub mod writer {
    include!(concat!(env!("OUT_DIR"), "/writer.rs"));
}

pub mod reducer {
    include!(concat!(env!("OUT_DIR"), "/reducer.rs"));
}
