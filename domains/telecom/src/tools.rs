//! The tools of the phone company's service desk, and those of the customer's phone.

use weir_desk::common::TRANSFER;
use weir_desk::tools::{INTEGER, NUMBER, TEXT, ToolSpec, optional, required};
use weir_plugin::domain::{Effect, Role};

const MODE: &str = concat!(
    r#"{"anyOf":[{"type":"string","enum":["4g_5g_preferred","4g_only","3g_only","2g_only"]},"#,
    r#"{"type":"string"}]}"#
);
const APN_SETTINGS: &str = concat!(
    r#"{"anyOf":[{"type":"object","properties":{"apn_name":{"type":"string","enum":["internet","#,
    r#""broken"]},"reset_at_reboot":{"type":"boolean"},"mms_apn":{"anyOf":[{"type":"string"},"#,
    r#"{"type":"null"}]},"mmsc_url":{"anyOf":[{"type":"string"},{"type":"null"}]},"#,
    r#""mms_proxy":{"anyOf":[{"type":"string"},{"type":"null"}]},"#,
    r#""mms_port":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":[]},{"type":"object"}]}"#
);

/// The agent's tools.
pub const OFFERED: &[ToolSpec] = &[
    ToolSpec {
        name: "get_customer_by_phone",
        description: "Find a customer by the phone number of the account or of a line.",
        effect: Effect::Read,
        parameters: &[required("phone_number", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "get_customer_by_id",
        description: "Show a customer's account.",
        effect: Effect::Read,
        parameters: &[required("customer_id", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "get_customer_by_name",
        description: "Find customers by full name and date of birth.",
        effect: Effect::Read,
        parameters: &[required("full_name", Role::Other, TEXT), required("dob", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "get_details_by_id",
        description: "Show the account, line, device, bill or plan with this identifier.",
        effect: Effect::Read,
        parameters: &[required("id", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "suspend_line",
        description: "Suspend an active line.",
        effect: Effect::SideEffect,
        parameters: &[
            required("customer_id", Role::Target, TEXT),
            required("line_id", Role::Target, TEXT),
            required("reason", Role::Content, TEXT),
        ],
    },
    ToolSpec {
        name: "resume_line",
        description: "Take a suspended line into service again.",
        effect: Effect::SideEffect,
        parameters: &[required("customer_id", Role::Target, TEXT), required("line_id", Role::Target, TEXT)],
    },
    ToolSpec {
        name: "get_bills_for_customer",
        description: "List a customer's bills, newest first.",
        effect: Effect::Read,
        parameters: &[required("customer_id", Role::Other, TEXT), optional("limit", Role::Other, INTEGER)],
    },
    ToolSpec {
        name: "send_payment_request",
        description: "Ask the customer to pay a bill.",
        effect: Effect::SideEffect,
        parameters: &[required("customer_id", Role::Recipient, TEXT), required("bill_id", Role::Target, TEXT)],
    },
    ToolSpec {
        name: "get_data_usage",
        description: "Show a line's data use in this billing cycle.",
        effect: Effect::Read,
        parameters: &[required("customer_id", Role::Other, TEXT), required("line_id", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "enable_roaming",
        description: "Let a line be used abroad.",
        effect: Effect::SideEffect,
        parameters: &[required("customer_id", Role::Target, TEXT), required("line_id", Role::Target, TEXT)],
    },
    ToolSpec {
        name: "disable_roaming",
        description: "Keep a line from being used abroad.",
        effect: Effect::SideEffect,
        parameters: &[required("customer_id", Role::Target, TEXT), required("line_id", Role::Target, TEXT)],
    },
    TRANSFER,
    ToolSpec {
        name: "refuel_data",
        description: "Add data to a line for this cycle, at a price per gigabyte.",
        effect: Effect::SideEffect,
        parameters: &[
            required("customer_id", Role::Target, TEXT),
            required("line_id", Role::Target, TEXT),
            required("gb_amount", Role::Content, NUMBER),
        ],
    },
];

/// What the customer does on the phone. The results are tools' turns all the same.
pub const HISTORIC: &[ToolSpec] = &[
    ToolSpec {
        name: "check_status_bar",
        description: "Look at the phone's status bar.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "check_network_status",
        description: "Look at the phone's connections.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "check_network_mode_preference",
        description: "Look at the preferred kind of network.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "set_network_mode_preference",
        description: "Choose the preferred kind of network.",
        effect: Effect::SideEffect,
        parameters: &[required("mode", Role::Other, MODE)],
    },
    ToolSpec {
        name: "run_speed_test",
        description: "Measure the download speed.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "toggle_airplane_mode",
        description: "Switch airplane mode.",
        effect: Effect::SideEffect,
        parameters: &[],
    },
    ToolSpec {
        name: "check_sim_status",
        description: "Look at the state of the SIM card.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "reseat_sim_card",
        description: "Take the SIM card out and put it in again.",
        effect: Effect::SideEffect,
        parameters: &[],
    },
    ToolSpec { name: "toggle_data", description: "Switch mobile data.", effect: Effect::SideEffect, parameters: &[] },
    ToolSpec {
        name: "toggle_roaming",
        description: "Switch data roaming on the phone.",
        effect: Effect::SideEffect,
        parameters: &[],
    },
    ToolSpec {
        name: "check_data_restriction_status",
        description: "Look whether something limits data on the phone.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "toggle_data_saver_mode",
        description: "Switch the data saver.",
        effect: Effect::SideEffect,
        parameters: &[],
    },
    ToolSpec {
        name: "check_apn_settings",
        description: "Look at the access point settings.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "set_apn_settings",
        description: "Set the access point settings.",
        effect: Effect::SideEffect,
        parameters: &[required("apn_settings", Role::Other, APN_SETTINGS)],
    },
    ToolSpec {
        name: "reset_apn_settings",
        description: "Put the access point settings back at the next restart.",
        effect: Effect::SideEffect,
        parameters: &[],
    },
    ToolSpec { name: "check_wifi_status", description: "Look at the Wi-Fi.", effect: Effect::Read, parameters: &[] },
    ToolSpec { name: "toggle_wifi", description: "Switch the Wi-Fi.", effect: Effect::SideEffect, parameters: &[] },
    ToolSpec {
        name: "check_wifi_calling_status",
        description: "Look whether calls go over Wi-Fi.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "toggle_wifi_calling",
        description: "Switch calls over Wi-Fi.",
        effect: Effect::SideEffect,
        parameters: &[],
    },
    ToolSpec {
        name: "check_vpn_status",
        description: "Look whether a VPN is in use.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec { name: "connect_vpn", description: "Connect to the VPN.", effect: Effect::SideEffect, parameters: &[] },
    ToolSpec {
        name: "disconnect_vpn",
        description: "Disconnect from the VPN.",
        effect: Effect::SideEffect,
        parameters: &[],
    },
    ToolSpec {
        name: "check_installed_apps",
        description: "List the apps on the phone.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "check_app_status",
        description: "Look at an app's state.",
        effect: Effect::Read,
        parameters: &[required("app_name", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "check_app_permissions",
        description: "Look at an app's permissions.",
        effect: Effect::Read,
        parameters: &[required("app_name", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "grant_app_permission",
        description: "Give an app a permission.",
        effect: Effect::SideEffect,
        parameters: &[required("app_name", Role::Target, TEXT), required("permission", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "can_send_mms",
        description: "Try whether picture messages can be sent.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec { name: "reboot_device", description: "Restart the phone.", effect: Effect::SideEffect, parameters: &[] },
    ToolSpec {
        name: "check_payment_request",
        description: "Look whether the company asks for a payment.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "make_payment",
        description: "Pay the bill that was asked for.",
        effect: Effect::SideEffect,
        parameters: &[],
    },
];
