//! Base histories of a shop's desk: one conversation about two or three matters.

mod matters;

use crate::Retail;
use matters::MATTERS;
use serde_json::{Map, Value, json};
use weir_desk::people::{Person, person};
use weir_desk::scene::{Base, Scene};
use weir_desk::world::{Look, Tables};
use weir_plugin::domain::Error;
use weir_plugin::scenario::Seed;

/// Where the shop's customers begin among all generated ones.
const FIRST_CUSTOMER: u32 = 20;

/// What the operator tells the agent.
const POLICY: &[&str] = &[
    "You serve the customers of an online shop. First find out who the customer is, by e-mail address or by name and postal \
     code, even when they give you a user ID; one customer in one conversation. You may show profiles, orders and products. \
     Pending orders can be cancelled, sent elsewhere, paid otherwise or have items changed to other variants; delivered \
     ones can be returned or exchanged. Items can be changed or exchanged once only. Say exactly what will be done and get \
     a clear yes before you do it. Refunds go to the original payment or to a gift card. Invent nothing, and hand over to a \
     person only when nothing else is left.",
    "Shop service desk. Identify the customer by e-mail, or by first name, last name and postal code, before anything else. \
     You act for that customer alone. Only pending orders can be changed or cancelled (reasons: no longer needed, ordered \
     by mistake), only delivered ones returned or exchanged. Each change needs the customer's yes to its details. Do not \
     state what no tool and no customer has said. What lies outside of this goes to a colleague.",
];

/// Products: name, identifier, and what their variants differ in.
const PRODUCTS: &[(&str, &str, &[&str])] = &[
    ("Desk Lamp", "6100", &["white", "black", "brass"]),
    ("Rain Jacket", "6101", &["size S", "size M", "size L"]),
    ("Water Bottle", "6102", &["500 ml", "750 ml", "1 l"]),
    ("Hiking Boots", "6103", &["size 8", "size 9", "size 10"]),
    ("Keyboard", "6104", &["quiet keys", "clicky keys", "low keys"]),
    ("Tea Kettle", "6105", &["steel", "glass", "enamel"]),
    ("Backpack", "6106", &["20 l", "30 l", "40 l"]),
    ("Reading Tablet", "6107", &["16 GB", "32 GB", "64 GB"]),
    ("Yoga Mat", "6108", &["4 mm", "6 mm", "8 mm"]),
    ("Wall Clock", "6109", &["oak", "walnut", "birch"]),
];

/// The base at a position of the generated set.
pub fn base(index: u32, seed: u64) -> Result<Base, Error> {
    let id = format!("retail-{:02}", index + 1);
    let mut draw = Seed::of(&["retail base", &seed.to_string(), &index.to_string()]);
    let who = person(FIRST_CUSTOMER + index, seed);
    let (tables, numbers) = records(&who, &mut draw);
    let policy = draw.pick(POLICY);
    let mut scene: Scene<Retail> = Scene::new(draw, policy, tables);
    let own =
        [("user", &who.user), ("first", &who.first), ("last", &who.last), ("email", &who.email), ("zip", &who.zip)];
    for (name, value) in own {
        scene.fact(name, value);
    }
    for (name, number) in &numbers {
        scene.fact(name, number);
    }
    talk(&mut scene, index);
    scene.finish(id, who.user)
}

/// Two matters, a third where they were short.
fn talk(scene: &mut Scene<Retail>, index: u32) {
    let count = u64::try_from(MATTERS.len()).unwrap_or(1);
    let first = u64::from(index) % count;
    let second = first + 1 + scene.seed.below(count - 2);
    let matter = |at: u64| usize::try_from(at % count).ok().and_then(|at| MATTERS.get(at));
    if scene.seed.below(2) == 0 {
        scene.says(&["Welcome to the shop's service desk. What can I do for you?", "Hello! How may I help you today?"]);
    }
    if let Some(matter) = matter(first) {
        scene.user(matter.opening);
        identify(scene);
        (matter.play)(scene);
    }
    let third = (first..first + count).find(|at| *at != first && at % count != second % count).unwrap_or(first + 1);
    for at in [second, third] {
        let Some(matter) = matter(at) else { continue };
        if scene.len() > 28 || (at == third && scene.len() > 20) {
            continue;
        }
        scene.user(matter.next);
        (matter.play)(scene);
    }
    scene.user(&[
        "That is all for today, thanks.",
        "No, I have everything. Thank you!",
        "Great, nothing else from my side.",
    ]);
    scene.says(&[
        "You are welcome, {first}. Have a good day!",
        "Gladly, {first}. Goodbye!",
        "My pleasure. Thank you for shopping with us.",
    ]);
}

fn identify(scene: &mut Scene<Retail>) {
    let fact = |scene: &Scene<Retail>, name: &str| scene.facts.get(name).cloned().unwrap_or_default();
    scene.says(&[
        "Gladly. Please tell me your e-mail address, or your full name and postal code.",
        "I can help. For your account I need the e-mail address, or name and postal code.",
        "Of course. Who am I speaking to? An e-mail address, or a name with the postal code, will do.",
    ]);
    if scene.seed.below(2) == 0 {
        scene.user(&["My e-mail address is {email}.", "It is {email}.", "You should find me under {email}."]);
        let email = fact(scene, "email");
        scene.call("find_user_id_by_email", json!({"email": email}));
    } else {
        scene.user(&["{first} {last}, postal code {zip}.", "I am {first} {last} and live in {zip}."]);
        let (first, last, zip) = (fact(scene, "first"), fact(scene, "last"), fact(scene, "zip"));
        scene.call("find_user_id_by_name_zip", json!({"first_name": first, "last_name": last, "zip": zip}));
    }
    let user = fact(scene, "user");
    scene.call("get_user_details", json!({"user_id": user}));
}

/// Products, five orders of the customer, and the orders' numbers by what they are for.
fn records(who: &Person, draw: &mut Seed) -> (Tables, Vec<(&'static str, String)>) {
    let mut products = Map::new();
    for (name, id, kinds) in PRODUCTS {
        let base = draw.between(20, 140);
        let mut variants = Map::new();
        for kind in *kinds {
            let item = draw.digits(10);
            let price = money(base + draw.below(30), draw.below(100));
            variants.insert(
                item.clone(),
                json!({"item_id": item, "options": {"kind": kind}, "available": true, "price": price}),
            );
        }
        products.insert((*id).into(), json!({"name": name, "product_id": id, "variants": variants}));
    }
    let payments = [format!("credit_card_{}", draw.digits(7)), format!("paypal_{}", draw.digits(7))];
    let [card, paypal] = &payments;
    let address = json!({
        "address1": who.street, "address2": format!("Suite {}", draw.digits(3)), "city": who.city, "country": "USA",
        "state": who.state, "zip": who.zip,
    });
    let all: Vec<&Value> = products.values().collect();
    let order_of = draw.shuffled(&all);
    let mut numbers = Vec::new();
    let mut orders = Map::new();
    let plans = [
        ("cancel", "pending"),
        ("redirect", "pending"),
        ("modify", "pending"),
        ("return", "delivered"),
        ("exchange", "delivered"),
    ];
    for (name, goods) in plans.into_iter().zip(order_of.chunks(2)) {
        let ((name, status), number) = (name, format!("#W{}", draw.digits(7)));
        let items: Vec<Value> = goods.iter().filter_map(|product| bought(product, draw)).collect();
        let total: f64 = items.iter().filter_map(|item| item.at("price").as_f64()).sum();
        let sent = json!([{"tracking_id": [draw.digits(12)], "item_ids": items.iter().map(|i| i.at("item_id")).collect::<Vec<_>>()}]);
        orders.insert(
            number.clone(),
            json!({
                "order_id": number,
                "user_id": who.user,
                "address": address,
                "items": items,
                "status": status,
                "fulfillments": if status == "delivered" { sent } else { json!([]) },
                "payment_history": [{"transaction_type": "payment", "amount": weir_desk::common::money(total), "payment_method_id": card}],
            }),
        );
        numbers.push((name, number));
    }
    numbers.push(("card", card.clone()));
    numbers.push(("paypal", paypal.clone()));
    let listed: Vec<&String> = orders.keys().collect();
    let profile = json!({
        "user_id": who.user,
        "name": who.name(),
        "address": address,
        "email": who.email,
        "payment_methods": {
            card: {"source": "credit_card", "id": card, "brand": draw.pick(&["visa", "mastercard"]), "last_four": draw.digits(4)},
            paypal: {"source": "paypal", "id": paypal},
        },
        "orders": listed,
    });
    let table = |records: Map<String, Value>| records.into_iter().collect();
    let users = [(who.user.clone(), profile)].into();
    let tables = [("users".into(), users), ("orders".into(), table(orders)), ("products".into(), table(products))];
    (tables.into(), numbers)
}

fn money(whole: u64, cents: u64) -> f64 {
    let cents = u32::try_from(whole * 100 + cents).unwrap_or(0);
    f64::from(cents) / 100.0
}

/// An item of a product, in one of its variants.
fn bought(product: &Value, draw: &mut Seed) -> Option<Value> {
    let variants: Vec<&Value> = product.at("variants").as_object()?.values().collect();
    let count = u64::try_from(variants.len()).ok()?;
    let one = variants.get(usize::try_from(draw.below(count)).ok()?)?;
    Some(json!({
        "name": product.at("name"),
        "product_id": product.at("product_id"),
        "item_id": one.at("item_id"),
        "price": one.at("price"),
        "options": one.at("options"),
    }))
}
