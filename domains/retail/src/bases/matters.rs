//! The matters that a customer of a shop may come with.

use crate::Retail;
use crate::service::REASONS;
use serde_json::{Value, json};
use weir_desk::scene::Scene;
use weir_desk::world::Look;

type Talk = Scene<Retail>;

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
            "Hello, I want to cancel something that I ordered.",
            "Hi, can I still get out of an order?",
            "Good morning. One of my orders has to go.",
        ],
        next: &["I also want to cancel an order.", "There is an order that I do not want any more, too."],
        play: cancel,
    },
    Matter {
        opening: &[
            "Hi, a parcel of mine should go somewhere else.",
            "Hello, I moved and an order is still on its way to the old place.",
            "Good day. Can you send an order to another address?",
        ],
        next: &["Next, an order has to go to another address.", "And could one of my orders be sent elsewhere?"],
        play: redirect,
    },
    Matter {
        opening: &[
            "Hello, I picked the wrong variant in an order that is still open.",
            "Hi! Can I swap something in an order before you ship it?",
            "Good afternoon, I would like another version of a thing I ordered.",
        ],
        next: &[
            "One thing in an open order should be a different variant.",
            "I would like to swap something in a pending order, too.",
        ],
        play: modify,
    },
    Matter {
        opening: &[
            "Hi, I want to send something back.",
            "Hello. Something I received is not what I expected, I would like to return it.",
            "Good morning, how do I return a thing from an order?",
        ],
        next: &["I have something to send back as well.", "There is also a return that I want to make."],
        play: take_back,
    },
    Matter {
        opening: &[
            "Hello, what I received does not fit and I want to exchange it.",
            "Hi, can I exchange a thing from an order that came last week?",
            "Good day, I would like a different version of something that you delivered.",
        ],
        next: &["Then I would like to exchange something.", "I also need an exchange for a thing that has arrived."],
        play: exchange,
    },
    Matter {
        opening: &[
            "Hi, please charge an order to my other payment method.",
            "Hello, I chose the wrong way to pay for an order.",
            "Good evening. Can the payment of an open order be changed?",
        ],
        next: &["One order should be paid otherwise.", "Could you also switch the payment of an order?"],
        play: pay_otherwise,
    },
    Matter {
        opening: &[
            "Hello, I have a new address that you should keep.",
            "Hi, please update where I live.",
            "Good day! We have moved, so my profile needs the new address.",
        ],
        next: &["My address has changed as well, for good.", "Please also update my standing address."],
        play: move_house,
    },
];

fn fact(scene: &Talk, name: &str) -> String {
    scene.facts.get(name).cloned().unwrap_or_default()
}

/// The customer names the order for this purpose, and the assistant opens it.
fn open(scene: &mut Talk, name: &str) -> (Value, String) {
    let number = fact(scene, name);
    scene.fact("number", &number);
    scene.says(&[
        "Thank you, {first}. Which order is it?",
        "I found your account. What is the order's number?",
        "Which of your orders do you mean?",
    ]);
    scene.user(&["Order {number}.", "The number is {number}.", "It says {number} here.", "{number}, please."]);
    let order = scene.call("get_order_details", json!({"order_id": number}));
    scene.fact("thing", order.at("items").nth(0).at("name").as_str().unwrap_or_default());
    scene.fact("other", order.at("items").nth(1).at("name").as_str().unwrap_or_default());
    (order, number)
}

/// Another variant of an item's product: its identifier; facts tell its kind and what it costs.
fn another(scene: &mut Talk, item: &Value) -> String {
    let product = scene.call("get_product_details", json!({"product_id": item.at("product_id")}));
    let variants = product.at("variants").as_object().cloned().unwrap_or_default();
    let others: Vec<&Value> = variants.values().filter(|one| one.at("item_id") != item.at("item_id")).collect();
    let last = scene.seed.below(2) == 0;
    let one = if last { others.last() } else { others.first() }.copied().cloned().unwrap_or_default();
    scene.fact("kind", one.at("options").at("kind").as_str().unwrap_or_default());
    scene.fact("price", one.at("price").as_f64().unwrap_or_default());
    one.at("item_id").as_str().unwrap_or_default().to_owned()
}

fn cancel(scene: &mut Talk) {
    let (_, number) = open(scene, "cancel");
    let reason = scene.seed.pick(REASONS);
    scene.fact("why", reason);
    scene.says(&["Why do you want to cancel it?", "It has the {thing} and the {other}. May I ask for the reason?"]);
    scene.user(&["It was {why}.", "Put down: {why}.", "Simply {why}."]);
    scene.says(&[
        "I would cancel {number} as {why}; the money goes back to the card within a week. Yes?",
        "So all of {number} is cancelled, reason {why}, refund to your card. Do you agree?",
    ]);
    scene.user(&["Yes, please.", "Yes, cancel it.", "I agree."]);
    scene.call("cancel_pending_order", json!({"order_id": number, "reason": reason}));
    scene.says(&["Order {number} is cancelled. Anything else?", "That is done. What else can I do for you?"]);
}

fn new_address(scene: &mut Talk) -> Value {
    let street = format!("{} Harbour Road", scene.seed.between(10, 980));
    let (city, state, area) =
        scene.seed.pick(&[("Tucson", "AZ", "857"), ("Boise", "ID", "837"), ("Omaha", "NE", "681")]);
    let zip = format!("{area}{:02}", scene.seed.between(1, 99));
    let floor = format!("Floor {}", scene.seed.between(2, 9));
    let full = format!("{street}, {floor}, {city}, {state} {zip}");
    scene.fact("place", full);
    json!({"address1": street, "address2": floor, "city": city, "state": state, "country": "USA", "zip": zip})
}

fn redirect(scene: &mut Talk) {
    let (_, number) = open(scene, "redirect");
    let mut address = new_address(scene);
    scene.says(&["It is still pending, so that works. Where should it go?", "Which address should {number} go to?"]);
    scene.user(&["To {place}.", "Please send it to {place}.", "{place}, that is the new one."]);
    scene.says(&[
        "I will send {number} to {place}. Is that right?",
        "{number} would go to {place} then. Shall I change it?",
    ]);
    scene.user(&["Yes, right.", "Yes, please change it.", "Correct."]);
    if let Some(map) = address.as_object_mut() {
        map.insert("order_id".into(), number.into());
    }
    scene.call("modify_pending_order_address", address);
    scene.says(&[
        "Done, the order goes to the new address. Is there more?",
        "It is changed. Can I help with anything else?",
    ]);
}

fn modify(scene: &mut Talk) {
    let (order, number) = open(scene, "modify");
    let item = order.at("items").nth(0);
    scene.says(&[
        "What would you like to change in it?",
        "The order has the {thing} and the {other}. Which one is it about?",
    ]);
    scene.user(&["The {thing}. Which versions are there?", "I want another {thing}. What can I choose from?"]);
    let new = another(scene, item);
    scene.says(&[
        "There is one with {kind} for {price} dollars. Shall I put that in, with the difference on your card?",
        "You could have {kind} at {price} dollars; the difference goes to your card. Should I swap it?",
    ]);
    scene.user(&["Yes, take that one.", "Yes, {kind} is right.", "Please do."]);
    let payment = fact(scene, "card");
    scene.call(
        "modify_pending_order_items",
        json!({"order_id": number, "item_ids": [item.at("item_id")], "new_item_ids": [new], "payment_method_id": payment}),
    );
    scene.says(&["Your order has the {thing} with {kind} now. Anything else?", "It is swapped. What else?"]);
}

fn take_back(scene: &mut Talk) {
    let (order, number) = open(scene, "return");
    scene.says(&[
        "What do you want to send back?",
        "It was delivered with the {thing} and the {other}. Which one goes back?",
    ]);
    scene.user(&["The {thing}, to the same card I paid with.", "I return the {thing}. The refund can go to the card."]);
    scene.says(&[
        "I register the return of the {thing} from {number}, refund to the card. Is that all right?",
        "So the {thing} comes back and your card is refunded. May I book it?",
    ]);
    scene.user(&["Yes.", "Yes, book it.", "That is right."]);
    let payment = fact(scene, "card");
    let item = order.at("items").nth(0).at("item_id");
    scene.call(
        "return_delivered_order_items",
        json!({"order_id": number, "item_ids": [item], "payment_method_id": payment}),
    );
    scene.says(&[
        "You will get a mail that says how to send it. Anything else?",
        "It is registered, a label comes by mail. What else can I do?",
    ]);
}

fn exchange(scene: &mut Talk) {
    let (order, number) = open(scene, "exchange");
    let item = order.at("items").nth(0);
    scene.says(&["What should be exchanged?", "I see the {thing} and the {other}. Which one does not suit?"]);
    scene.user(&["The {thing}. What else is there?", "It is the {thing}; what other versions do you have?"]);
    let new = another(scene, item);
    scene.says(&[
        "I can offer {kind} for {price} dollars. The difference would go through PayPal, as on your profile. Shall I?",
        "There is {kind} at {price} dollars; I would settle the difference by PayPal. Is that what you want?",
    ]);
    scene.user(&["Yes, exchange it.", "Yes, that one.", "Please go ahead."]);
    let payment = fact(scene, "paypal");
    scene.call(
        "exchange_delivered_order_items",
        json!({"order_id": number, "item_ids": [item.at("item_id")], "new_item_ids": [new], "payment_method_id": payment}),
    );
    scene.says(&[
        "The exchange is booked; please keep the old one ready. Anything more?",
        "It is arranged. Is there anything else?",
    ]);
}

fn pay_otherwise(scene: &mut Talk) {
    let (_, number) = open(scene, "redirect");
    scene.says(&[
        "It is on your credit card now. What would you rather use?",
        "At the moment the card pays for it. What should it be?",
    ]);
    scene.user(&["My PayPal account, please.", "PayPal, the one on my profile."]);
    scene.says(&[
        "I would charge {number} to PayPal and refund the card. Yes?",
        "PayPal pays for {number} then, and the card is refunded. Correct?",
    ]);
    scene.user(&["Yes.", "Correct, please do.", "Yes, go on."]);
    let payment = fact(scene, "paypal");
    scene.call("modify_pending_order_payment", json!({"order_id": number, "payment_method_id": payment}));
    scene.says(&["PayPal has been charged. Is there something else?", "The payment is switched. Anything else?"]);
}

fn move_house(scene: &mut Talk) {
    let mut address = new_address(scene);
    scene.says(&["I have your profile open. What is the new address?", "Sure, {first}. Where do you live now?"]);
    scene.user(&["{place}.", "It is {place}.", "We live at {place} now."]);
    scene.says(&["I will set {place} as your standing address. Right?", "So {place} from now on. May I save it?"]);
    scene.user(&["Right.", "Yes, save it.", "Yes, that is it."]);
    let user = fact(scene, "user");
    if let Some(map) = address.as_object_mut() {
        map.insert("user_id".into(), user.into());
    }
    scene.call("modify_user_address", address);
    scene.says(&["Your profile has the new address. Anything else?", "It is saved. What else can I help with?"]);
}
