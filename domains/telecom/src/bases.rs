//! Base histories of a phone company's desk: one trouble or wish, and others after it.

mod matters;

use crate::Telecom;
use crate::phone::{PHONE, well};
use matters::{MATTERS, Matter};
use serde_json::{Value, json};
use weir_desk::people::{Person, person};
use weir_desk::scene::{Base, Scene};
use weir_desk::world::{Look, Tables};
use weir_plugin::domain::Error;
use weir_plugin::scenario::Seed;

/// Where the company's customers begin among all generated ones.
const FIRST_CUSTOMER: u32 = 40;

/// What the operator tells the agent.
const POLICY: &[&str] = &[
    "You serve the customers of a phone company. It is 25 February 2025, 12:08 Eastern time. Find the customer by number, by \
     identifier, or by name and date of birth. Overdue bills: send a request, let the customer pay, make sure that it is \
     paid, and only then take a suspended line into service again. At most 2 GB of data can be added, once the price is \
     agreed. Roaming costs nothing to enable for people abroad. With trouble on the phone, go step by step: ask the \
     customer to look, and to tell you what they see. Say nothing that you have not been told or shown. What you cannot \
     solve goes to a person.",
    "Phone company, service desk; today is 2025-02-25. Look the customer up first. You can show accounts, lines, bills and \
     data use, ask for payments, suspend and resume lines, switch roaming, and add up to 2 GB of data after naming its \
     price. Lines suspended for unpaid bills come back after payment only. The customer holds the phone: guide them, one \
     check at a time, and go by what they report. Hand over to a person only when all else has failed.",
];

/// The base at a position of the generated set.
pub fn base(index: u32, seed: u64) -> Result<Base, Error> {
    let id = format!("telecom-{:02}", index + 1);
    let mut draw = Seed::of(&["telecom base", &seed.to_string(), &index.to_string()]);
    let who = person(FIRST_CUSTOMER + index, seed);
    let at = usize::try_from(index).ok().and_then(|index| index.checked_rem(MATTERS.len())).unwrap_or(0);
    let first = MATTERS.get(at);
    // What is wrong with the phone is wrong from the start, so only the first matter can be about that.
    let rest: Vec<&Matter> =
        MATTERS.iter().enumerate().filter(|(other, matter)| *other != at && !matter.phone).map(|(_, m)| m).collect();
    let rest = draw.shuffled(&rest);
    let customer = format!("C{}", draw.digits(5));
    let flaws = first.map_or("{}", |matter| matter.flaws);
    let (tables, facts) = records(&who, &customer, flaws, &mut draw);
    let policy = draw.pick(POLICY);
    let mut scene: Scene<Telecom> = Scene::new(draw, policy, tables);
    for (name, value) in facts {
        scene.fact(name, value);
    }
    if let Some(first) = first {
        talk(&mut scene, first, &rest);
    }
    scene.finish(id, customer)
}

fn talk(scene: &mut Scene<Telecom>, first: &Matter, rest: &[&Matter]) {
    if scene.seed.below(2) == 0 {
        scene.says(&["Hello, this is the service desk. How can I help?", "Welcome! What can I do for you today?"]);
    }
    scene.user(first.opening);
    scene.says(&[
        "I am sorry to hear that. What is your phone number?",
        "Let us look into it. Which number are you calling about?",
        "I will help. Please give me the number of your line.",
    ]);
    scene.user(&["It is {phone}.", "My number is {phone}.", "{phone}, and my name is {first} {last}."]);
    let number = scene.facts.get("phone").cloned().unwrap_or_default();
    scene.call("get_customer_by_phone", json!({"phone_number": number}));
    (first.play)(scene);
    for matter in rest.iter().take(2) {
        if scene.len() > 26 {
            continue;
        }
        scene.user(matter.next);
        (matter.play)(scene);
    }
    scene.user(&["That was everything. Thank you!", "No, thanks, all is well now.", "Wonderful, nothing else."]);
    scene.says(&[
        "You are welcome, {first}. Goodbye!",
        "Glad that I could help. Have a good day!",
        "My pleasure, {first}.",
    ]);
}

/// An account with three lines, bills and a plan, and the phone with its flaws.
fn records(who: &Person, customer: &str, flaws: &str, draw: &mut Seed) -> (Tables, Vec<(&'static str, String)>) {
    let flaws: Value = serde_json::from_str(flaws).unwrap_or_default();
    let in_arrears = flaws.at("served") == false;
    let plan = format!("P{}", draw.digits(4));
    let price = draw.between(20, 70);
    let mut lines = Vec::new();
    let mut facts = vec![("customer", customer.to_owned()), ("first", who.first.clone()), ("last", who.last.clone())];
    for (at, name) in (0_u32..).zip(["main", "second", "third"]) {
        let (line, number) = (format!("L{}", draw.digits(5)), format!("555-{}-{}", draw.digits(3), draw.digits(4)));
        let suspended = at == 0 && in_arrears;
        lines.push((
            line.clone(),
            json!({
                "line_id": line,
                "phone_number": number,
                "status": if suspended { "Suspended" } else { "Active" },
                "plan_id": plan,
                "device_id": format!("D{}", draw.digits(5)),
                "data_used_gb": draw.between(1, 14),
                "data_refueling_gb": 0.0,
                "roaming_enabled": at == 2,
                "contract_end_date": format!("202{}-{:02}-28", draw.between(6, 8), draw.between(1, 12)),
                "suspension_start_date": if suspended { json!("2025-02-20") } else { Value::Null },
            }),
        ));
        if at == 0 {
            facts.push(("phone", number));
        }
        facts.push((name, line));
    }
    let mut bills = Vec::new();
    for month in 1..=2_u32 {
        let bill = format!("B{}", draw.digits(6));
        let due = if in_arrears && month == 1 {
            "Overdue"
        } else if month == 1 {
            "Paid"
        } else {
            "Issued"
        };
        if month == 1 {
            facts.push(("arrears", bill.clone()));
        }
        bills.push((
            bill.clone(),
            json!({
                "bill_id": bill,
                "customer_id": customer,
                "issue_date": format!("2025-{month:02}-05"),
                "total_due": 3 * price,
                "due_date": format!("2025-{month:02}-19"),
                "line_items": [{"description": "Three lines", "amount": 3 * price}],
                "status": due,
            }),
        ));
    }
    let ids = |records: &[(String, Value)]| records.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
    let account = json!({
        "customer_id": customer,
        "full_name": format!("{} {}", who.first, who.last),
        "date_of_birth": who.dob,
        "email": who.email,
        "phone_number": facts.iter().find(|(name, _)| *name == "phone").map(|(_, number)| number),
        "address": {"street": who.street, "city": who.city, "state": who.state, "zip_code": who.zip},
        "account_status": "Active",
        "line_ids": ids(&lines),
        "bill_ids": ids(&bills),
    });
    let cost = draw.pick(&[2.0, 2.5, 3.0]);
    let plans = json!({
        "plan_id": plan,
        "name": draw.pick(&["Everyday", "Family", "Commuter"]),
        "data_limit_gb": 15,
        "price_per_month": price,
        "data_refueling_price_per_gb": cost,
    });
    facts.push(("gigabyte", cost.to_string()));
    let mut phone = well();
    if let (Some(phone), Some(flaws)) = (phone.as_object_mut(), flaws.as_object()) {
        phone.extend(flaws.clone());
    }
    let tables = [
        ("customers".into(), [(customer.to_owned(), account)].into()),
        ("lines".into(), lines.into_iter().collect()),
        ("bills".into(), bills.into_iter().collect()),
        ("plans".into(), [(plan, plans)].into()),
        (PHONE.into(), [(PHONE.to_owned(), phone)].into()),
    ];
    (tables.into(), facts)
}
