//! What `wit-bindgen` makes of the contract. The worlds share one set of types, so that a helper written for one kind of
//! plugin serves the others.
#![allow(missing_docs, unsafe_code, clippy::all, clippy::pedantic, clippy::restriction)]

pub mod policy {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "policy-plugin",
        pub_export_macro: true,
        export_macro_name: "export_bindings",
        default_bindings_module: "weir_plugin::bindings::policy",
        additional_derives: [PartialEq, Clone],
    });
}

pub mod domain {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "domain-plugin",
        pub_export_macro: true,
        export_macro_name: "export_bindings_domain",
        default_bindings_module: "weir_plugin::bindings::domain",
        additional_derives: [PartialEq, Clone],
        with: {
            "weir:plugin/types@0.2.0": super::policy::weir::plugin::types,
            "weir:plugin/log@0.2.0": super::policy::weir::plugin::log,
        },
    });
}

pub mod writer {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "writer-plugin",
        pub_export_macro: true,
        export_macro_name: "export_bindings_writer",
        default_bindings_module: "weir_plugin::bindings::writer",
        additional_derives: [PartialEq, Clone],
        with: {
            "weir:plugin/types@0.2.0": super::policy::weir::plugin::types,
            "weir:plugin/memory@0.2.0": super::policy::weir::plugin::memory,
            "weir:plugin/model@0.2.0": super::policy::weir::plugin::model,
            "weir:plugin/log@0.2.0": super::policy::weir::plugin::log,
        },
    });
}

pub mod reducer {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "reducer-plugin",
        pub_export_macro: true,
        export_macro_name: "export_bindings_reducer",
        default_bindings_module: "weir_plugin::bindings::reducer",
        additional_derives: [PartialEq, Clone],
        with: {
            "weir:plugin/types@0.2.0": super::policy::weir::plugin::types,
            "weir:plugin/trace@0.2.0": super::policy::weir::plugin::trace,
            "weir:plugin/log@0.2.0": super::policy::weir::plugin::log,
        },
    });
}
