//! The tools of the shop's service desk.

use weir_desk::common::{CALCULATE, TRANSFER};
use weir_desk::tools::{TEXT, TEXTS, ToolSpec, required};
use weir_plugin::domain::{Effect, Role};

/// The agent's tools.
pub const OFFERED: &[ToolSpec] = &[
    CALCULATE,
    ToolSpec {
        name: "cancel_pending_order",
        description: "Cancel an order that has not been processed yet.",
        effect: Effect::SideEffect,
        parameters: &[required("order_id", Role::Target, TEXT), required("reason", Role::Content, TEXT)],
    },
    ToolSpec {
        name: "exchange_delivered_order_items",
        description: "Exchange items of a delivered order for other variants of the same products.",
        effect: Effect::SideEffect,
        parameters: &[
            required("order_id", Role::Target, TEXT),
            required("item_ids", Role::Content, TEXTS),
            required("new_item_ids", Role::Content, TEXTS),
            required("payment_method_id", Role::Target, TEXT),
        ],
    },
    ToolSpec {
        name: "find_user_id_by_name_zip",
        description: "Find a customer by first name, last name and postal code.",
        effect: Effect::Read,
        parameters: &[
            required("first_name", Role::Other, TEXT),
            required("last_name", Role::Other, TEXT),
            required("zip", Role::Other, TEXT),
        ],
    },
    ToolSpec {
        name: "find_user_id_by_email",
        description: "Find a customer by e-mail address.",
        effect: Effect::Read,
        parameters: &[required("email", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "get_order_details",
        description: "Show one order.",
        effect: Effect::Read,
        parameters: &[required("order_id", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "get_product_details",
        description: "Show a product with all its variants.",
        effect: Effect::Read,
        parameters: &[required("product_id", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "get_item_details",
        description: "Show one variant of a product.",
        effect: Effect::Read,
        parameters: &[required("item_id", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "get_user_details",
        description: "Show a customer's profile and the numbers of their orders.",
        effect: Effect::Read,
        parameters: &[required("user_id", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "list_all_product_types",
        description: "List the products by name.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "modify_pending_order_address",
        description: "Send a pending order to another address.",
        effect: Effect::SideEffect,
        parameters: &[
            required("order_id", Role::Target, TEXT),
            required("address1", Role::Recipient, TEXT),
            required("address2", Role::Recipient, TEXT),
            required("city", Role::Recipient, TEXT),
            required("state", Role::Recipient, TEXT),
            required("country", Role::Recipient, TEXT),
            required("zip", Role::Recipient, TEXT),
        ],
    },
    ToolSpec {
        name: "modify_pending_order_items",
        description: "Change items of a pending order to other variants of the same products.",
        effect: Effect::SideEffect,
        parameters: &[
            required("order_id", Role::Target, TEXT),
            required("item_ids", Role::Content, TEXTS),
            required("new_item_ids", Role::Content, TEXTS),
            required("payment_method_id", Role::Target, TEXT),
        ],
    },
    ToolSpec {
        name: "modify_pending_order_payment",
        description: "Let a pending order be paid in another way.",
        effect: Effect::SideEffect,
        parameters: &[required("order_id", Role::Target, TEXT), required("payment_method_id", Role::Target, TEXT)],
    },
    ToolSpec {
        name: "modify_user_address",
        description: "Set a customer's standing address.",
        effect: Effect::SideEffect,
        parameters: &[
            required("user_id", Role::Target, TEXT),
            required("address1", Role::Recipient, TEXT),
            required("address2", Role::Recipient, TEXT),
            required("city", Role::Recipient, TEXT),
            required("state", Role::Recipient, TEXT),
            required("country", Role::Recipient, TEXT),
            required("zip", Role::Recipient, TEXT),
        ],
    },
    ToolSpec {
        name: "return_delivered_order_items",
        description: "Take items of a delivered order back, for a refund.",
        effect: Effect::SideEffect,
        parameters: &[
            required("order_id", Role::Target, TEXT),
            required("item_ids", Role::Content, TEXTS),
            required("payment_method_id", Role::Target, TEXT),
        ],
    },
    TRANSFER,
];

/// Nothing occurs in histories beside the agent's tools.
pub const HISTORIC: &[ToolSpec] = &[];
