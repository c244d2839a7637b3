//! Base histories of an airline's desk: one conversation about two or three matters.

mod matters;

use crate::Airline;
use crate::service::AIRPORTS;
use matters::MATTERS;
use serde_json::{Map, Value, json};
use weir_desk::people::{Person, companion, date_of_birth, person};
use weir_desk::scene::{Base, Scene};
use weir_desk::world::{Look, Tables};
use weir_plugin::domain::Error;
use weir_plugin::scenario::Seed;

/// What the operator tells the agent.
const POLICY: &[&str] = &[
    "You serve the customers of an airline. It is 15 May 2024, 15:00 Eastern time. Look up the customer and the booking \
     before you say anything about them. Before you book, change, cancel or pay out anything, say exactly what will happen \
     and get a clear yes. Make one call at a time. Basic economy flights cannot be changed. A booking can be cancelled \
     within a day of making it, when the airline cancelled a flight, in business, or with insurance for the reason it \
     covers. Offer certificates only when the customer complains and has status, insurance or business. Invent nothing. \
     What you cannot settle goes to a person.",
    "Airline service desk. Today is 2024-05-15, 15:00 EST. You may show profiles, bookings and flights; you may book, \
     change flights, bags and names, cancel, and issue certificates, each only after the customer has said yes to the \
     exact details. No changes of flights in basic economy. Cancelling is possible within 24 hours of booking, for \
     business, for flights that the airline cancelled, and with insurance where its reasons apply. Say nothing that \
     neither the customer nor a tool has told you; hand over to a person only as the last resort.",
];

/// The base at a position of the generated set.
pub fn base(index: u32, seed: u64) -> Result<Base, Error> {
    let id = format!("airline-{:02}", index + 1);
    let mut draw = Seed::of(&["airline base", &seed.to_string(), &index.to_string()]);
    let who = person(index, seed);
    let (tables, codes) = records(&who, &mut draw);
    let policy = draw.pick(POLICY);
    let mut scene: Scene<Airline> = Scene::new(draw, policy, tables);
    for (name, value) in [("user", &who.user), ("first", &who.first), ("last", &who.last), ("dob", &who.dob)] {
        scene.fact(name, value);
    }
    for (name, code) in &codes {
        scene.fact(name, code);
    }
    talk(&mut scene, index);
    scene.finish(id, who.user)
}

/// Two matters, a third where they were short.
fn talk(scene: &mut Scene<Airline>, index: u32) {
    let count = u64::try_from(MATTERS.len()).unwrap_or(1);
    let first = u64::from(index) % count;
    let second = first + 1 + scene.seed.below(count - 2);
    let matter = |at: u64| usize::try_from(at % count).ok().and_then(|at| MATTERS.get(at));
    if scene.seed.below(2) == 0 {
        scene.says(&[
            "Hello, this is the airline's service desk. What can I do for you?",
            "Good afternoon! How can I help?",
        ]);
    }
    if let Some(matter) = matter(first) {
        scene.user(matter.opening);
        identify(scene);
        (matter.play)(scene);
    }
    let third = (first..first + count).find(|at| *at != first && at % count != second % count).unwrap_or(first + 1);
    for at in [second, third] {
        let Some(matter) = matter(at) else { continue };
        if scene.len() > 27 || (at == third && scene.len() > 20) {
            continue;
        }
        scene.user(matter.next);
        (matter.play)(scene);
    }
    scene.user(&[
        "That was all, thank you very much.",
        "No, nothing else for now. Thanks!",
        "Perfect, that is everything.",
    ]);
    scene.says(&[
        "You are welcome, {first}. Have a pleasant trip!",
        "Gladly. Have a good day, {first}.",
        "My pleasure. All the best for your travels.",
    ]);
}

fn identify(scene: &mut Scene<Airline>) {
    scene.says(&[
        "I can help with that. Could you give me your user ID, please?",
        "Gladly. Which user ID may I look up?",
        "Let us see. What is your user ID, please?",
    ]);
    scene.user(&["It is {user}.", "My user ID is {user}.", "Sure: {user}.", "{user}, that should be me."]);
    let user = scene.facts.get("user").cloned().unwrap_or_default();
    scene.call("get_user_details", json!({"user_id": user}));
}

/// A timetable, five bookings of the customer, and the bookings' codes by what they are for.
fn records(who: &Person, draw: &mut Seed) -> (Tables, Vec<(&'static str, String)>) {
    let card = format!("credit_card_{}", draw.digits(7));
    let gift = format!("gift_card_{}", draw.digits(7));
    let numbers = draw.shuffled(&(101..300).collect::<Vec<u32>>());
    let mut numbers = numbers.into_iter().map(|number| format!("HAT{number}"));
    let ports = draw.shuffled(AIRPORTS);
    let port = |at: usize| ports.get(at).map_or("DEN", |(code, _)| *code);
    let (mut flights, mut bookings) = (Map::new(), Map::new());
    let mut codes = Vec::new();
    let fellow = companion(draw);
    let own = json!({"first_name": who.first, "last_name": who.last, "dob": who.dob});
    let other = json!({"first_name": fellow.0, "last_name": fellow.1, "dob": date_of_birth(draw)});
    // What each booking is for, its cabin, insurance, and whether its flight has been.
    let plans = [
        ("open", "economy", "no", false),
        ("insured", "economy", "yes", false),
        ("shared", "economy", "no", false),
        ("basic", "basic_economy", "no", false),
        ("late", "business", "no", true),
    ];
    for (at, (name, cabin, insurance, past)) in (0..).zip(plans) {
        let (origin, destination) = (port(2 * at), port(2 * at + 1));
        let date = if past { "2024-05-14".to_owned() } else { format!("2024-05-{}", draw.between(18, 26)) };
        let number = numbers.next().unwrap_or_default();
        let later = format!("2024-05-{}", draw.between(27, 30));
        let flight = flight(origin, destination, &[&date, &later], past, draw);
        let price = flight.at("dates").at(&date).at("prices").at(cabin).as_i64().unwrap_or(100);
        flights.insert(number.clone(), flight);
        for _ in 0..2 {
            flights.insert(
                numbers.next().unwrap_or_default(),
                self::flight(origin, destination, &[&date, &later], false, draw),
            );
        }
        let passengers = if name == "shared" { json!([own, other]) } else { json!([own]) };
        let people = if name == "shared" { 2 } else { 1 };
        let code = draw.code();
        bookings.insert(
            code.clone(),
            json!({
                "reservation_id": code,
                "user_id": who.user,
                "origin": origin,
                "destination": destination,
                "flight_type": "one_way",
                "cabin": cabin,
                "flights": [{"origin": origin, "destination": destination, "flight_number": number, "date": date, "price": price}],
                "passengers": passengers,
                "payment_history": [{"payment_id": card, "amount": price * people}],
                "created_at": format!("2024-05-{:02}T{:02}:{:02}:00", draw.between(1, 9), draw.between(7, 21), draw.between(0, 59)),
                "total_baggages": draw.below(2),
                "nonfree_baggages": 0,
                "insurance": insurance,
            }),
        );
        codes.push((name, code));
    }
    codes.push(("card", card.clone()));
    codes.push(("gift", gift.clone()));
    codes.push(("fellow_first", fellow.0));
    codes.push(("fellow_last", fellow.1));
    let listed: Vec<&String> = bookings.keys().collect();
    let profile = json!({
        "user_id": who.user,
        "name": who.name(),
        "address": {"address1": who.street, "address2": "", "city": who.city, "country": "USA", "province": who.state, "zip": who.zip},
        "email": who.email,
        "dob": who.dob,
        "payment_methods": {
            &card: {"source": "credit_card", "id": card, "brand": draw.pick(&["visa", "mastercard"]), "last_four": draw.digits(4)},
            &gift: {"source": "gift_card", "id": gift, "amount": draw.between(40, 300)},
        },
        "saved_passengers": [other],
        "membership": draw.pick(&["silver", "gold"]),
        "reservations": listed,
    });
    let table = |records: Map<String, Value>| records.into_iter().collect();
    let users = [(who.user.clone(), profile)].into();
    let tables =
        [("users".into(), users), ("reservations".into(), table(bookings)), ("flights".into(), table(flights))];
    (tables.into(), codes)
}

fn flight(origin: &str, destination: &str, dates: &[&str], past: bool, draw: &mut Seed) -> Value {
    let hour = draw.between(5, 20);
    let mut days = Map::new();
    for date in dates {
        let basic = draw.between(50, 110);
        let status = if past && *date < "2024-05-15" { "delayed" } else { "available" };
        days.insert(
            (*date).to_owned(),
            json!({
                "status": status,
                "seats": {"basic_economy": draw.between(1, 20), "economy": draw.between(1, 20), "business": draw.between(1, 12)},
                "prices": {"basic_economy": basic, "economy": basic + draw.between(30, 90), "business": basic + draw.between(180, 400)},
            }),
        );
    }
    json!({
        "origin": origin,
        "destination": destination,
        "departure": format!("{hour:02}:00:00"),
        "arrival": format!("{:02}:30:00", hour + 2),
        "dates": days,
    })
}
