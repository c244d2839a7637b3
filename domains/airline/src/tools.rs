//! The tools of the airline's service desk.

use weir_desk::common::{CALCULATE, THINK, TRANSFER};
use weir_desk::tools::{INTEGER, TEXT, ToolSpec, required};
use weir_plugin::domain::{Effect, Role};

const FLIGHT_TYPE: &str = r#"{"type":"string","enum":["round_trip","one_way"]}"#;
const CABIN: &str = r#"{"type":"string","enum":["business","economy","basic_economy"]}"#;
const FLIGHTS: &str = concat!(
    r#"{"type":"array","items":{"anyOf":[{"type":"object","#,
    r#""properties":{"flight_number":{"type":"string"},"date":{"type":"string"}},"#,
    r#""required":["flight_number","date"]},{"type":"object"}]}}"#
);
const PASSENGERS: &str = concat!(
    r#"{"type":"array","items":{"anyOf":[{"type":"object","#,
    r#""properties":{"first_name":{"type":"string"},"last_name":{"type":"string"},"#,
    r#""dob":{"type":"string"}},"required":["first_name","last_name","dob"]},{"type":"object"}]}}"#
);
const PAYMENT_METHODS: &str = concat!(
    r#"{"type":"array","items":{"anyOf":[{"type":"object","#,
    r#""properties":{"payment_id":{"type":"string"},"amount":{"type":"integer"}},"#,
    r#""required":["payment_id","amount"]},{"type":"object"}]}}"#
);
const INSURANCE: &str = r#"{"type":"string","enum":["yes","no"]}"#;

/// The agent's tools.
pub const OFFERED: &[ToolSpec] = &[
    ToolSpec {
        name: "book_reservation",
        description: "Book flights for a customer.",
        effect: Effect::SideEffect,
        parameters: &[
            required("user_id", Role::Target, TEXT),
            required("origin", Role::Content, TEXT),
            required("destination", Role::Content, TEXT),
            required("flight_type", Role::Other, FLIGHT_TYPE),
            required("cabin", Role::Other, CABIN),
            required("flights", Role::Content, FLIGHTS),
            required("passengers", Role::Content, PASSENGERS),
            required("payment_methods", Role::Target, PAYMENT_METHODS),
            required("total_baggages", Role::Other, INTEGER),
            required("nonfree_baggages", Role::Other, INTEGER),
            required("insurance", Role::Other, INSURANCE),
        ],
    },
    CALCULATE,
    ToolSpec {
        name: "cancel_reservation",
        description: "Cancel a booking with all its flights.",
        effect: Effect::SideEffect,
        parameters: &[required("reservation_id", Role::Target, TEXT)],
    },
    ToolSpec {
        name: "get_reservation_details",
        description: "Show one booking.",
        effect: Effect::Read,
        parameters: &[required("reservation_id", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "get_user_details",
        description: "Show a customer's profile and the codes of their bookings.",
        effect: Effect::Read,
        parameters: &[required("user_id", Role::Other, TEXT)],
    },
    ToolSpec {
        name: "list_all_airports",
        description: "List the airports that are served.",
        effect: Effect::Read,
        parameters: &[],
    },
    ToolSpec {
        name: "search_direct_flight",
        description: "List flights between two airports on a day, without a stop.",
        effect: Effect::Read,
        parameters: &[
            required("origin", Role::Other, TEXT),
            required("destination", Role::Other, TEXT),
            required("date", Role::Other, TEXT),
        ],
    },
    ToolSpec {
        name: "search_onestop_flight",
        description: "List pairs of flights between two airports on a day, with one stop.",
        effect: Effect::Read,
        parameters: &[
            required("origin", Role::Other, TEXT),
            required("destination", Role::Other, TEXT),
            required("date", Role::Other, TEXT),
        ],
    },
    ToolSpec {
        name: "send_certificate",
        description: "Issue a travel certificate to a customer, as compensation.",
        effect: Effect::SideEffect,
        parameters: &[required("user_id", Role::Recipient, TEXT), required("amount", Role::Content, INTEGER)],
    },
    TRANSFER,
    ToolSpec {
        name: "update_reservation_baggages",
        description: "Set the number of checked bags of a booking, and what pays for those that are not free.",
        effect: Effect::SideEffect,
        parameters: &[
            required("reservation_id", Role::Target, TEXT),
            required("total_baggages", Role::Other, INTEGER),
            required("nonfree_baggages", Role::Other, INTEGER),
            required("payment_id", Role::Target, TEXT),
        ],
    },
    ToolSpec {
        name: "update_reservation_flights",
        description: "Set the flights or the cabin of a booking; name all flights, those that stay too.",
        effect: Effect::SideEffect,
        parameters: &[
            required("reservation_id", Role::Target, TEXT),
            required("cabin", Role::Other, CABIN),
            required("flights", Role::Content, FLIGHTS),
            required("payment_id", Role::Target, TEXT),
        ],
    },
    ToolSpec {
        name: "update_reservation_passengers",
        description: "Correct the passengers of a booking; their number stays.",
        effect: Effect::SideEffect,
        parameters: &[
            required("reservation_id", Role::Target, TEXT),
            required("passengers", Role::Content, PASSENGERS),
        ],
    },
    ToolSpec {
        name: "get_flight_status",
        description: "Say whether a flight of a day is on time, delayed, cancelled or landed.",
        effect: Effect::Read,
        parameters: &[required("flight_number", Role::Other, TEXT), required("date", Role::Other, TEXT)],
    },
];

/// What occurs in histories of older versions of the environment: the assistant's notes to itself.
pub const HISTORIC: &[ToolSpec] = &[THINK];
