//! What the airline's tools do. Records: `users`, `reservations`, `flights` by number, and `payments`, ways to pay that a
//! profile does not list.

use serde_json::{Map, Value, json};
use weir_desk::world::{Answer, Arguments, Look, Ran, World};
use weir_plugin::scenario::Seed;

/// What one checked bag beyond the free ones costs.
const BAG: i64 = 50;
/// What insurance costs for each passenger.
const INSURANCE: i64 = 30;

/// Airports that are served, with their cities.
pub const AIRPORTS: &[(&str, &str)] = &[
    ("DEN", "Denver"),
    ("AUS", "Austin"),
    ("BOS", "Boston"),
    ("SEA", "Seattle"),
    ("PHX", "Phoenix"),
    ("ORD", "Chicago"),
    ("ATL", "Atlanta"),
    ("PDX", "Portland"),
    ("MIA", "Miami"),
    ("JFK", "New York"),
];

/// Where a record belongs.
pub fn place(record: &Map<String, Value>) -> Option<(&'static str, String)> {
    let text = |name: &str| record.get(name).and_then(Value::as_str).map(str::to_owned);
    if record.contains_key("payment_history") {
        return text("reservation_id").map(|id| ("reservations", id));
    }
    if record.contains_key("payment_methods") && record.contains_key("reservations") {
        return text("user_id").map(|id| ("users", id));
    }
    None
}

/// Runs a tool.
pub fn run(world: &World, tool: &str, given: &Arguments) -> Answer {
    match tool {
        "get_user_details" => Ok(Ran::shows(user(world, given.text("user_id"))?)),
        "get_reservation_details" => Ok(Ran::shows(reservation(world, given.text("reservation_id"))?)),
        "list_all_airports" => {
            let all: Map<String, Value> =
                AIRPORTS.iter().map(|(code, city)| ((*code).into(), (*city).into())).collect();
            Ok(Ran::says(Value::Object(all).to_string()))
        }
        "search_direct_flight" => {
            let found = direct(world, given.text("origin"), Some(given.text("destination")), given.text("date"));
            Ok(Ran::says(Value::from(found).to_string()))
        }
        "search_onestop_flight" => Ok(one_stop(world, given)),
        "get_flight_status" => status(world, given),
        "send_certificate" => certificate(world, given),
        "cancel_reservation" => cancel(world, given),
        "update_reservation_baggages" => bags(world, given),
        "update_reservation_flights" => flights(world, given),
        "update_reservation_passengers" => passengers(world, given),
        "book_reservation" => book(world, given),
        other => Err(format!("`{other}` is not served")),
    }
}

fn user<'a>(world: &'a World, id: &str) -> Result<&'a Value, String> {
    world.get("users", id).ok_or_else(|| format!("user {id} not found"))
}

fn reservation<'a>(world: &'a World, id: &str) -> Result<&'a Value, String> {
    world.get("reservations", id).ok_or_else(|| format!("reservation {id} not found"))
}

/// A booking that can be changed.
fn open(world: &World, given: &Arguments) -> Result<Value, String> {
    let id = given.text("reservation_id");
    let booking = reservation(world, id)?;
    if booking.at("status") == "cancelled" {
        Err(format!("reservation {id} is cancelled"))
    } else {
        Ok(booking.clone())
    }
}

/// A way to pay is the customer's own, on the profile or beside it.
fn payable(world: &World, owner: &Value, payment: &str) -> Result<(), String> {
    let owner = owner.as_str().unwrap_or_default();
    let listed = world.get("users", owner).is_some_and(|user| user.at("payment_methods").get(payment).is_some());
    let beside = world.get("payments", payment).is_some_and(|one| one.at("owner") == owner);
    if listed || beside { Ok(()) } else { Err(format!("payment method {payment} not found")) }
}

fn count(value: &Value) -> i64 {
    i64::try_from(value.as_array().map_or(0, Vec::len)).unwrap_or(i64::MAX)
}

fn set(record: &mut Value, name: &str, value: Value) {
    if let Some(map) = record.as_object_mut() {
        map.insert(name.into(), value);
    }
}

fn pay(record: &mut Value, payment: &str, amount: i64) {
    if amount != 0
        && let Some(history) = record.get_mut("payment_history").and_then(Value::as_array_mut)
    {
        history.push(json!({"payment_id": payment, "amount": amount}));
    }
}

fn saved(record: Value) -> Answer {
    let id = record.at("reservation_id").as_str().unwrap_or_default().to_owned();
    Ok(Ran::sets("reservations", &id, record))
}

/// A flight of a day as a search shows it.
fn offer(number: &str, flight: &Value, date: &str) -> Option<Value> {
    let day = flight.at("dates").get(date)?;
    (day.at("status") == "available").then(|| {
        json!({
            "flight_number": number,
            "origin": flight.at("origin"),
            "destination": flight.at("destination"),
            "scheduled_departure_time_est": flight.at("departure"),
            "scheduled_arrival_time_est": flight.at("arrival"),
            "status": "available",
            "available_seats": day.at("seats"),
            "prices": day.at("prices"),
        })
    })
}

fn direct(world: &World, origin: &str, destination: Option<&str>, date: &str) -> Vec<Value> {
    let flies = |flight: &Value| {
        flight.at("origin") == origin && destination.is_none_or(|destination| flight.at("destination") == destination)
    };
    world.all("flights").filter(|(_, flight)| flies(flight)).filter_map(|(id, f)| offer(id, f, date)).collect()
}

fn one_stop(world: &World, given: &Arguments) -> Ran {
    let (date, destination) = (given.text("date"), given.text("destination"));
    let mut pairs = Vec::new();
    for first in direct(world, given.text("origin"), None, date) {
        let via = first.at("destination").as_str().unwrap_or_default();
        for second in direct(world, via, Some(destination), date) {
            let arrival = first.at("scheduled_arrival_time_est").as_str();
            if second.at("scheduled_departure_time_est").as_str() > arrival {
                pairs.push(json!([first, second]));
            }
        }
    }
    Ran::says(Value::from(pairs).to_string())
}

fn status(world: &World, given: &Arguments) -> Answer {
    let (number, date) = (given.text("flight_number"), given.text("date"));
    let flight = world.get("flights", number).ok_or_else(|| format!("flight {number} not found"))?;
    let day = flight.at("dates").get(date).ok_or_else(|| format!("flight {number} does not fly on {date}"))?;
    Ok(Ran::says(day.at("status").as_str().unwrap_or_default()))
}

fn certificate(world: &World, given: &Arguments) -> Answer {
    let (id, amount) = (given.text("user_id"), given.integer("amount"));
    let mut owner = user(world, id)?.clone();
    let held = owner.at("payment_methods").as_object().map_or(0, Map::len);
    let name = format!("certificate_{}", Seed::of(&["certificate", id, &held.to_string()]).digits(7));
    if let Some(methods) = owner.get_mut("payment_methods").and_then(Value::as_object_mut) {
        methods.insert(name.clone(), json!({"source": "certificate", "id": name, "amount": amount}));
    }
    let ran = Ran::says(format!("Certificate {name} over {amount} added to user {id}."));
    Ok(ran.and("users", id, owner))
}

fn cancel(world: &World, given: &Arguments) -> Answer {
    let mut booking = open(world, given)?;
    let paid = booking.at("payment_history").as_array().cloned().unwrap_or_default();
    for one in paid {
        let amount = one.at("amount").as_i64().unwrap_or_default();
        pay(&mut booking, one.at("payment_id").as_str().unwrap_or_default(), -amount);
    }
    set(&mut booking, "status", "cancelled".into());
    saved(booking)
}

fn bags(world: &World, given: &Arguments) -> Answer {
    let mut booking = open(world, given)?;
    payable(world, booking.at("user_id"), given.text("payment_id"))?;
    let more = given.integer("nonfree_baggages") - booking.at("nonfree_baggages").as_i64().unwrap_or_default();
    pay(&mut booking, given.text("payment_id"), BAG * more.max(0));
    for name in ["total_baggages", "nonfree_baggages"] {
        set(&mut booking, name, given.value(name));
    }
    saved(booking)
}

/// The flights of a booking with their prices. Where no timetable is at hand, as with real histories, a flight is taken
/// as it is named.
fn priced(world: &World, wanted: &[Value], cabin: &str) -> Result<(Vec<Value>, i64), String> {
    let timetable = world.all("flights").next().is_some();
    let (mut all, mut sum) = (Vec::new(), 0);
    for one in wanted {
        let (number, date) =
            (one.at("flight_number").as_str().unwrap_or_default(), one.at("date").as_str().unwrap_or_default());
        let mut leg = json!({"flight_number": number, "date": date});
        match world.get("flights", number).and_then(|flight| offer(number, flight, date)) {
            Some(offer) => {
                let price = offer.at("prices").at(cabin).as_i64().unwrap_or_default();
                sum += price;
                for (name, value) in [("origin", offer.at("origin")), ("destination", offer.at("destination"))] {
                    set(&mut leg, name, value.clone());
                }
                set(&mut leg, "price", price.into());
            }
            None if timetable => return Err(format!("flight {number} is not available on {date}")),
            None => set(&mut leg, "price", 0.into()),
        }
        all.push(leg);
    }
    Ok((all, sum))
}

fn flights(world: &World, given: &Arguments) -> Answer {
    let mut booking = open(world, given)?;
    payable(world, booking.at("user_id"), given.text("payment_id"))?;
    let (legs, sum) = priced(world, given.items("flights"), given.text("cabin"))?;
    let before: i64 =
        booking.at("flights").as_array().into_iter().flatten().filter_map(|leg| leg.at("price").as_i64()).sum();
    let people = count(booking.at("passengers"));
    pay(&mut booking, given.text("payment_id"), (sum - before) * people);
    set(&mut booking, "cabin", given.value("cabin"));
    set(&mut booking, "flights", legs.into());
    saved(booking)
}

fn passengers(world: &World, given: &Arguments) -> Answer {
    let mut booking = open(world, given)?;
    if count(booking.at("passengers")) != count(&given.value("passengers")) {
        return Err("the number of passengers cannot change".into());
    }
    set(&mut booking, "passengers", given.value("passengers"));
    saved(booking)
}

fn book(world: &World, given: &Arguments) -> Answer {
    let owner = given.value("user_id");
    let id = owner.as_str().unwrap_or_default();
    let mut profile = user(world, id)?.clone();
    let cabin = given.text("cabin");
    let (legs, sum) = priced(world, given.items("flights"), cabin)?;
    let insured = if given.text("insurance") == "yes" { INSURANCE } else { 0 };
    let total = (sum + insured) * count(&given.value("passengers")) + BAG * given.integer("nonfree_baggages");
    let mut paid = 0;
    for one in given.items("payment_methods") {
        payable(world, &owner, one.at("payment_id").as_str().unwrap_or_default())?;
        paid += one.at("amount").as_i64().unwrap_or_default();
    }
    if paid != total {
        return Err(format!("the payments come to {paid}, the price is {total}"));
    }
    let held = profile.at("reservations").as_array().map_or(0, Vec::len);
    let code = Seed::of(&["reservation", id, &held.to_string()]).code();
    if let Some(all) = profile.get_mut("reservations").and_then(Value::as_array_mut) {
        all.push(code.as_str().into());
    }
    let mut booking = json!({"reservation_id": code, "user_id": owner});
    for name in ["origin", "destination", "flight_type", "cabin"] {
        set(&mut booking, name, given.value(name));
    }
    set(&mut booking, "flights", legs.into());
    set(&mut booking, "passengers", given.value("passengers"));
    set(&mut booking, "payment_history", given.value("payment_methods"));
    set(&mut booking, "created_at", "2024-05-15T15:00:00".into());
    for name in ["total_baggages", "nonfree_baggages", "insurance"] {
        set(&mut booking, name, given.value(name));
    }
    Ok(Ran::sets("reservations", &code, booking).and("users", id, profile))
}

#[cfg(test)]
mod tests {
    use crate::Airline;
    use serde_json::{Value, json};
    use weir_desk::world::{Look, Tables, World};

    fn world() -> World {
        let user = json!({"user_id": "u", "payment_methods": {"card": {}}, "reservations": ["R"]});
        let passenger = json!({"first_name": "A", "last_name": "B", "dob": "1980-01-01"});
        let booking = json!({
            "reservation_id": "R", "user_id": "u", "cabin": "economy", "flights": [{"price": 100}],
            "passengers": [passenger, passenger], "payment_history": [{"payment_id": "card", "amount": 200}],
            "total_baggages": 0, "nonfree_baggages": 0,
        });
        let prices = json!({"basic_economy": 50, "economy": 120, "business": 300});
        let flight = json!({
            "origin": "DEN", "destination": "PHX", "departure": "08:00:00", "arrival": "10:30:00",
            "dates": {"2024-05-20": {"status": "available", "seats": {}, "prices": prices}},
        });
        World::new(Tables::from([
            ("users".into(), [("u".to_owned(), user)].into()),
            ("reservations".into(), [("R".to_owned(), booking)].into()),
            ("flights".into(), [("HAT1".to_owned(), flight)].into()),
        ]))
    }

    fn run(world: &mut World, tool: &str, arguments: &Value) -> Result<Value, String> {
        let ran = world.answer::<Airline>(tool, arguments.as_object().unwrap())?;
        world.apply(&ran.edits);
        Ok(serde_json::from_str(&ran.text).unwrap_or(Value::from(ran.text)))
    }

    #[test]
    fn another_flight_costs_the_difference_for_every_passenger() {
        let flights = json!([{"flight_number": "HAT1", "date": "2024-05-20"}]);
        let call = json!({"reservation_id": "R", "cabin": "economy", "flights": flights, "payment_id": "card"});
        let booking = run(&mut world(), "update_reservation_flights", &call).unwrap();
        assert_eq!(booking.at("payment_history").nth(1), &json!({"payment_id": "card", "amount": 40}));
    }

    #[test]
    fn a_cancelled_booking_is_paid_back_and_cannot_be_changed() {
        let mut world = world();
        let booking = run(&mut world, "cancel_reservation", &json!({"reservation_id": "R"})).unwrap();
        assert_eq!(booking.at("payment_history").nth(1).at("amount"), -200);
        let again = run(&mut world, "cancel_reservation", &json!({"reservation_id": "R"}));
        assert_eq!(again, Err("reservation R is cancelled".into()));
    }

    #[test]
    fn only_the_customers_own_payments_are_taken() {
        let bags = json!({"reservation_id": "R", "total_baggages": 1, "nonfree_baggages": 1, "payment_id": "other"});
        let said = run(&mut world(), "update_reservation_baggages", &bags);
        assert_eq!(said, Err("payment method other not found".into()));
    }

    #[test]
    fn the_payments_of_a_new_booking_must_come_to_its_price() {
        let call = |amount: i64| {
            json!({
                "user_id": "u", "origin": "DEN", "destination": "PHX", "flight_type": "one_way", "cabin": "economy",
                "flights": [{"flight_number": "HAT1", "date": "2024-05-20"}],
                "passengers": [{"first_name": "A", "last_name": "B", "dob": "1980-01-01"}],
                "payment_methods": [{"payment_id": "card", "amount": amount}],
                "total_baggages": 1, "nonfree_baggages": 1, "insurance": "yes",
            })
        };
        assert_eq!(
            run(&mut world(), "book_reservation", &call(120)),
            Err("the payments come to 120, the price is 200".into())
        );
        let mut world = world();
        let made = run(&mut world, "book_reservation", &call(200)).unwrap();
        let profile = run(&mut world, "get_user_details", &json!({"user_id": "u"})).unwrap();
        assert_eq!(profile.at("reservations").nth(1), made.at("reservation_id"));
    }
}
