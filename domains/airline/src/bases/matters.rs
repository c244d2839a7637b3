//! The matters that a customer of an airline may come with.

use crate::Airline;
use serde_json::{Value, json};
use weir_desk::scene::Scene;
use weir_desk::world::Look;

type Talk = Scene<Airline>;

/// One matter: how it is brought up, and how it goes on from there.
pub struct Matter {
    /// As the first thing said.
    pub opening: &'static [&'static str],
    /// After another matter.
    pub next: &'static [&'static str],
    /// The rest.
    pub play: fn(&mut Talk),
}

/// All of them.
pub const MATTERS: &[Matter] = &[
    Matter {
        opening: &[
            "Hi, I have to take a later flight than the one I booked.",
            "Hello. My plans have moved and I need a flight on another day.",
            "Good day, can I change the day of a flight with you?",
        ],
        next: &[
            "There is also a flight that I have to move to a later day.",
            "Next, I would like to change the date of my booking {open}.",
        ],
        play: change,
    },
    Matter {
        opening: &[
            "Hello, I would like to check a bag on my next trip.",
            "Hi! Can you add a suitcase to my booking?",
            "Good afternoon, I have more luggage than I thought and need a bag added.",
        ],
        next: &["Could you also add a checked bag for me?", "I need one more suitcase on a booking, too."],
        play: bags,
    },
    Matter {
        opening: &[
            "Hi, we are ill and cannot travel; I want to cancel a trip.",
            "Hello, I need to call off a trip because of illness. It is insured.",
            "Good day. My doctor says I must not fly, so please cancel a booking for me.",
        ],
        next: &[
            "There is something else: I fell ill and want to cancel the insured trip.",
            "I also have to cancel a booking, for health reasons.",
        ],
        play: cancel,
    },
    Matter {
        opening: &[
            "Hello, I would like to book a new flight.",
            "Hi there, I need a seat on another trip this month.",
            "Good morning, can I make a booking with you?",
        ],
        next: &["While I have you, I would like to book one more flight.", "Then I need a new booking as well."],
        play: book,
    },
    Matter {
        opening: &[
            "Hello, my flight yesterday was late and I missed an appointment.",
            "Hi. I want to complain about yesterday's delay.",
            "Good afternoon, what do you do for people whose flight was hours late?",
        ],
        next: &[
            "I also have to complain: my flight yesterday was badly delayed.",
            "And yesterday's flight was late. Is there anything you can do about that?",
        ],
        play: complain,
    },
    Matter {
        opening: &[
            "Hi, a name on one of my bookings is spelled wrong.",
            "Hello, I think I mistyped my companion's date of birth.",
            "Good day, I have to correct a passenger on a booking.",
        ],
        next: &[
            "One passenger's data need correcting, too.",
            "There is also a mistake in the passenger list of a booking.",
        ],
        play: names,
    },
    Matter {
        opening: &[
            "Hello, I booked the cheapest fare and now the time does not suit me.",
            "Hi, can I move my basic economy flight to another day?",
            "Good day. I want another flight than the one on my cheap ticket.",
        ],
        next: &[
            "What about my basic economy booking, can that be moved?",
            "Can you also change the flight on my cheapest ticket?",
        ],
        play: refuse,
    },
];

/// Opens the booking of this purpose; its content and code.
fn open(scene: &mut Talk, name: &str) -> (Value, String) {
    let code = scene.facts.get(name).cloned().unwrap_or_default();
    scene.fact("code", &code);
    let booking = scene.call("get_reservation_details", json!({"reservation_id": code}));
    let leg = booking.at("flights").nth(0);
    for (fact, field) in [("from", "origin"), ("to", "destination"), ("number", "flight_number"), ("day", "date")] {
        scene.fact(fact, leg.at(field).as_str().unwrap_or_default());
    }
    (booking, code)
}

fn card(scene: &Talk) -> String {
    scene.facts.get("card").cloned().unwrap_or_default()
}

/// Asks which booking it is about; the customer knows or not.
fn which(scene: &mut Talk, name: &str) {
    let code = scene.facts.get(name).cloned().unwrap_or_default();
    scene.fact("code", code);
    scene.says(&[
        "Thank you. Which booking is it about?",
        "I have your profile here. Do you know the booking's code?",
        "Thanks, {first}. What is the code of the booking?",
    ]);
    scene.user(&[
        "It is {code}.",
        "The code is {code}.",
        "That would be {code}, if I read it right.",
        "Booking {code}.",
    ]);
}

/// Looks for another flight of a booking's route; the last that is offered.
fn search(scene: &mut Talk, booking: &Value, day: &str) -> Value {
    let (from, to) = (booking.at("origin"), booking.at("destination"));
    let found = scene.call("search_direct_flight", json!({"origin": from, "destination": to, "date": day}));
    let offer = found.as_array().and_then(|all| all.last()).cloned().unwrap_or_default();
    scene.fact("flight", offer.at("flight_number").as_str().unwrap_or_default());
    let departure = offer.at("scheduled_departure_time_est").as_str().unwrap_or_default();
    scene.fact("departs", departure.get(..5).unwrap_or_default());
    offer
}

/// Another day on which a booking's flight goes.
fn later_day(scene: &Talk) -> String {
    let number = scene.facts.get("number").cloned().unwrap_or_default();
    let days = scene.world.get("flights", &number).and_then(|flight| flight.at("dates").as_object());
    days.and_then(|days| days.keys().max()).cloned().unwrap_or_default()
}

fn change(scene: &mut Talk) {
    which(scene, "open");
    let (booking, code) = open(scene, "open");
    let day = later_day(scene);
    scene.fact("wanted", &day);
    scene.says(&[
        "Booking {code} goes from {from} to {to} on {day} with {number}, in economy. Which day would suit you?",
        "I see flight {number} from {from} to {to} on {day}. When do you want to travel instead?",
    ]);
    scene.user(&["The {wanted} would be good.", "I need to fly on {wanted}.", "Please look for {wanted}."]);
    let offer = search(scene, &booking, &day);
    let price = offer.at("prices").at("economy").as_i64().unwrap_or_default();
    scene.fact("price", price);
    scene.says(&[
        "On {wanted} there is {flight} at {departs} for {price} dollars in economy. I would charge the difference to your \
         credit card. Shall I change it?",
        "I can put you on {flight}, departing {departs} on {wanted}, at {price} dollars; the difference goes to the card on \
         your profile. Do you agree?",
    ]);
    scene.user(&["Yes, please do.", "Yes, change it.", "Agreed, go ahead."]);
    let flights = json!([{"flight_number": offer.at("flight_number"), "date": day}]);
    let payment = card(scene);
    scene.call(
        "update_reservation_flights",
        json!({"reservation_id": code, "cabin": "economy", "flights": flights, "payment_id": payment}),
    );
    scene.says(&[
        "Done: booking {code} is now on {flight} on {wanted}. Is there anything else?",
        "Your booking {code} has been moved to {wanted}. What else can I do?",
    ]);
}

fn bags(scene: &mut Talk) {
    which(scene, "open");
    let (booking, code) = open(scene, "open");
    let total = booking.at("total_baggages").as_i64().unwrap_or_default() + 1;
    scene.fact("bags", total);
    scene.says(&[
        "That makes {bags} in total on booking {code}. The new one costs 50 dollars, on your credit card. Is that all right?",
        "I can add a bag to {code} for 50 dollars, charged to the card on file, {bags} in total then. May I?",
    ]);
    scene.user(&["Yes, that is fine.", "Yes, add it please.", "Fine with me."]);
    let payment = card(scene);
    scene.call(
        "update_reservation_baggages",
        json!({"reservation_id": code, "total_baggages": total, "nonfree_baggages": 1, "payment_id": payment}),
    );
    scene.says(&["The bag is on booking {code} now. Anything else?", "I have added it. How else can I help?"]);
}

fn cancel(scene: &mut Talk) {
    which(scene, "insured");
    let (_, code) = open(scene, "insured");
    scene.says(&[
        "Booking {code} from {from} to {to} is insured, and illness is covered. I would cancel it for everybody on it and \
         pay back to the original card. Is that what you want?",
        "The insurance on {code} covers health reasons. Cancelling returns the whole price to your card in about a week. \
         Shall I?",
    ]);
    scene.user(&["Yes, cancel it, please.", "Yes. It is a pity, but go ahead.", "Please do."]);
    scene.call("cancel_reservation", json!({"reservation_id": code}));
    scene.says(&[
        "Booking {code} is cancelled and the refund is on its way. Get well soon! Anything else?",
        "It is cancelled. I wish you a quick recovery. Is there something else?",
    ]);
}

fn book(scene: &mut Talk) {
    let (from, to, day) = route(scene);
    scene.fact("from", &from);
    scene.fact("to", &to);
    scene.fact("wanted", &day);
    scene.says(&["Where would you like to go, and when?", "From where to where, please, and on which day?"]);
    scene.user(&[
        "From {from} to {to} on {wanted}, economy, just for me.",
        "{from} to {to}, {wanted}. One seat in economy.",
    ]);
    let offer = search(scene, &json!({"origin": from, "destination": to}), &day);
    let price = offer.at("prices").at("economy").as_i64().unwrap_or_default();
    scene.fact("price", price);
    let insured = scene.seed.below(2) == 0;
    scene.says(&[
        "{flight} leaves at {departs} and costs {price} dollars. Do you want insurance for 30 dollars, or bags?",
        "There is {flight} at {departs} for {price} dollars. Any bags, and would you like insurance (30 dollars)?",
    ]);
    scene.user(if insured {
        &[
            "With insurance, no bags, on my credit card. Yes, book it.",
            "Insurance yes, bags no. Please book it on my card.",
        ]
    } else {
        &["Neither. Please book it on my credit card.", "No bags and no insurance. Yes, book it with my card."]
    });
    let total = price + if insured { 30 } else { 0 };
    let fact = |name: &str| scene.facts.get(name).cloned().unwrap_or_default();
    let passenger = json!({"first_name": fact("first"), "last_name": fact("last"), "dob": fact("dob")});
    let arguments = json!({
        "user_id": fact("user"),
        "origin": from,
        "destination": to,
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": offer.at("flight_number"), "date": day}],
        "passengers": [passenger],
        "payment_methods": [{"payment_id": card(scene), "amount": total}],
        "total_baggages": 0,
        "nonfree_baggages": 0,
        "insurance": if insured { "yes" } else { "no" },
    });
    let made = scene.call("book_reservation", arguments);
    scene.fact("made", made.at("reservation_id").as_str().unwrap_or_default());
    scene.says(&[
        "It is booked; the code is {made}. What else may I do?",
        "You are booked on {flight} under {made}. Anything more?",
    ]);
}

/// A route and a day on which a flight goes.
fn route(scene: &mut Talk) -> (String, String, String) {
    let flights: Vec<&Value> = scene.world.all("flights").map(|(_, flight)| flight).collect();
    let count = u64::try_from(flights.len()).unwrap_or(1);
    let index = usize::try_from(scene.seed.below(count)).unwrap_or(0);
    let flight = flights.get(index).copied().cloned().unwrap_or_default();
    let text = |name: &str| flight.at(name).as_str().unwrap_or_default().to_owned();
    let day = flight.at("dates").as_object().and_then(|days| days.keys().max()).cloned().unwrap_or_default();
    (text("origin"), text("destination"), day)
}

fn complain(scene: &mut Talk) {
    which(scene, "late");
    open(scene, "late");
    let fact = |name: &str| scene.facts.get(name).cloned().unwrap_or_default();
    let (number, day, user) = (fact("number"), fact("day"), fact("user"));
    scene.call("get_flight_status", json!({"flight_number": number, "date": day}));
    let amount = scene.seed.between(2, 6) * 25;
    scene.fact("sum", amount);
    scene.says(&[
        "I am sorry: {number} on {day} was delayed indeed. As you flew in business I can offer a certificate over {sum} \
         dollars. Would you like it?",
        "You are right, {number} was late on {day}, and I apologise. I may send you a certificate over {sum} dollars. Shall \
         I?",
    ]);
    scene.user(&["Yes, that is fair.", "I accept, thank you.", "All right, please send it."]);
    scene.call("send_certificate", json!({"user_id": user, "amount": amount}));
    scene.says(&[
        "The certificate is in your profile. Can I do anything else?",
        "It has been added to your account. Is there something else?",
    ]);
}

fn names(scene: &mut Talk) {
    which(scene, "shared");
    let (booking, code) = open(scene, "shared");
    let mut passengers = booking.at("passengers").clone();
    let dob = weir_desk::people::date_of_birth(&mut scene.seed);
    scene.fact("right", &dob);
    scene.says(&[
        "Which passenger is it, and what should it say?",
        "I see two passengers there. What has to be corrected?",
    ]);
    scene.user(&[
        "{fellow_first} {fellow_last} was born on {right}.",
        "The date of birth of {fellow_first} {fellow_last} should be {right}.",
    ]);
    scene.says(&[
        "I would set the date of birth of {fellow_first} {fellow_last} to {right} on booking {code}. Correct?",
        "So {right} for {fellow_first} {fellow_last}, nothing else changes. Shall I save it?",
    ]);
    scene.user(&["Correct.", "Yes, please save it.", "Exactly."]);
    if let Some(one) = passengers.get_mut(1).and_then(Value::as_object_mut) {
        one.insert("dob".into(), dob.into());
    }
    scene.call("update_reservation_passengers", json!({"reservation_id": code, "passengers": passengers}));
    scene.says(&["It is saved. Is there more?", "The list is right now. Anything else?"]);
}

fn refuse(scene: &mut Talk) {
    which(scene, "basic");
    open(scene, "basic");
    scene.says(&[
        "Booking {code} is in basic economy, and flights of that fare cannot be changed. You can still add bags.",
        "I am afraid {code} is a basic economy booking; its flight {number} stays as it is.",
    ]);
    if scene.seed.below(2) == 0 {
        scene.user(&[
            "Is there really no way? Then let me talk to somebody.",
            "I do not accept that. Is there a person I can ask?",
        ]);
        let summary =
            "The customer wants to change a basic economy flight, which the rules exclude, and asks for a person.";
        scene.call("transfer_to_human_agents", json!({"summary": summary}));
        scene.says(&[
            "A colleague will call you about it. Meanwhile, can I do something else?",
            "I have handed this to a colleague, who will get in touch. Is there anything I can do until then?",
        ]);
    } else {
        scene.user(&["All right, I will keep it then.", "That is a pity, but I knew it was the cheap one."]);
        scene.says(&["Thank you for understanding. Anything else?", "Thanks. What else can I do for you?"]);
    }
}
