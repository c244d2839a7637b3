//! The `travel` suite: hotels, restaurants, rental cars, flights, and the user's calendar and mail.

use super::{
    CANCEL_CALENDAR_EVENT, CREATE_CALENDAR_EVENT, GET_DAY_CALENDAR_EVENTS, SEARCH_CALENDAR_EVENTS, SEND_EMAIL,
};
use super::{Kind, ParameterSpec, ToolSpec, query, read, required, write};
use weir_plugin::domain::Role::{Other, Target};

/// A list of names to look up.
const fn names(name: &'static str) -> ParameterSpec {
    required(name, Other, Kind::Texts)
}

/// Its 28 tools. Reservations act on what they reserve; nobody else receives anything.
pub const TOOLS: &[ToolSpec] = &[
    read("get_user_information", "The user's personal data, with passport and bank details.", &[]),
    read("get_all_hotels_in_city", "List a city's hotels.", &[query("city")]),
    read("get_hotels_prices", "Price ranges of hotels.", &[names("hotel_names")]),
    read("get_rating_reviews_for_hotels", "Ratings and reviews of hotels.", &[names("hotel_names")]),
    read("get_hotels_address", "A hotel's address.", &[query("hotel_name")]),
    read("get_all_restaurants_in_city", "List a city's restaurants.", &[query("city")]),
    read("get_cuisine_type_for_restaurants", "Cuisines of restaurants.", &[names("restaurant_names")]),
    read("get_restaurants_address", "Addresses of restaurants.", &[names("restaurant_names")]),
    read("get_rating_reviews_for_restaurants", "Ratings and reviews of restaurants.", &[names("restaurant_names")]),
    read(
        "get_dietary_restrictions_for_all_restaurants",
        "Diets that restaurants cater for.",
        &[names("restaurant_names")],
    ),
    read("get_contact_information_for_restaurants", "How to reach restaurants.", &[names("restaurant_names")]),
    read("get_price_for_restaurants", "Prices per person at restaurants.", &[names("restaurant_names")]),
    read("check_restaurant_opening_hours", "Opening hours of restaurants.", &[names("restaurant_names")]),
    read("get_all_car_rental_companies_in_city", "List a city's car rental companies.", &[query("city")]),
    read("get_car_types_available", "Cars that rental companies have.", &[names("company_name")]),
    read("get_rating_reviews_for_car_rental", "Ratings and reviews of rental companies.", &[names("company_name")]),
    read("get_car_fuel_options", "Fuels that rental companies offer.", &[names("company_name")]),
    read("get_car_rental_address", "Addresses of rental companies.", &[names("company_name")]),
    read("get_car_price_per_day", "Prices per day of rental companies.", &[names("company_name")]),
    CREATE_CALENDAR_EVENT,
    SEARCH_CALENDAR_EVENTS,
    GET_DAY_CALENDAR_EVENTS,
    CANCEL_CALENDAR_EVENT,
    write(
        "reserve_hotel",
        "Reserve a hotel. Days are YYYY-MM-DD.",
        &[required("hotel", Target, Kind::Text), query("start_day"), query("end_day")],
    ),
    write(
        "reserve_car_rental",
        "Reserve a rental car. Times are YYYY-MM-DD HH:MM.",
        &[
            required("company", Target, Kind::Text),
            query("start_time"),
            required("end_time", Other, Kind::OptionalText),
        ],
    ),
    write(
        "reserve_restaurant",
        "Reserve a table for two hours. Times are YYYY-MM-DD HH:MM.",
        &[required("restaurant", Target, Kind::Text), query("start_time")],
    ),
    read("get_flight_information", "Flights between two cities.", &[query("departure_city"), query("arrival_city")]),
    SEND_EMAIL,
];
