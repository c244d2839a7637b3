//! What `bindgen!` makes of the contract, once per world, with the shared interfaces shared.
#![allow(missing_docs, clippy::all, clippy::pedantic, clippy::restriction)]

pub mod policy {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "policy-plugin",
        imports: { default: trappable },
        // Written down for a policy's native build, which reads the same names: both sides are made of the contract.
        additional_derives: [PartialEq, serde::Serialize],
    });
}

pub mod domain {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "domain-plugin",
        imports: { default: trappable },
        additional_derives: [PartialEq],
        with: {
            "weir:plugin/types": super::policy::weir::plugin::types,
            "weir:plugin/log": super::policy::weir::plugin::log,
        },
    });
}

pub mod writer {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "writer-plugin",
        imports: { default: trappable },
        additional_derives: [PartialEq],
        with: {
            "weir:plugin/types": super::policy::weir::plugin::types,
            "weir:plugin/memory": super::policy::weir::plugin::memory,
            "weir:plugin/model": super::policy::weir::plugin::model,
            "weir:plugin/log": super::policy::weir::plugin::log,
        },
    });
}

pub mod reducer {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "reducer-plugin",
        imports: { default: trappable },
        additional_derives: [PartialEq],
        with: {
            "weir:plugin/types": super::policy::weir::plugin::types,
            "weir:plugin/trace": super::policy::weir::plugin::trace,
            "weir:plugin/log": super::policy::weir::plugin::log,
        },
    });
}

pub use domain::exports::weir::plugin::domain as domains;
pub use policy::exports::weir::plugin::policy as policies;
pub use policy::weir::plugin::{log, memory, model, trace, transcript, types};
pub use reducer::exports::weir::plugin::reducer as reducers;
pub use writer::exports::weir::plugin::writer as writers;
