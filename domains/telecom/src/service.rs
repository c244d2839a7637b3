//! What the phone company's tools do. Records: `customers`, `lines`, `bills`, `plans`, `devices`, and the customer's phone.

use crate::phone::{self, PHONE};
use serde_json::{Map, Value, json};
use weir_desk::common::money;
use weir_desk::world::{Answer, Arguments, Look, Ran, World};

/// The day on which the desk works.
const TODAY: &str = "2025-02-25";
/// The most data that can be added at once, in gigabytes.
const MOST_DATA: f64 = 2.0;
/// What a gigabyte costs where a line's plan does not say.
const DATA_PRICE: f64 = 2.0;

/// Tables and the field that identifies their records; a record with the first of them that it has is of that table.
const KINDS: &[(&str, &str)] = &[
    ("lines", "line_id"),
    ("bills", "bill_id"),
    ("customers", "customer_id"),
    ("plans", "plan_id"),
    ("devices", "device_id"),
];

/// Where a record belongs. A line names its plan and device, and a bill its customer: so the order decides, and what a
/// record must have beside its identifier.
pub fn place(record: &Map<String, Value>) -> Option<(&'static str, String)> {
    let whole = |table: &str| match table {
        "lines" => record.contains_key("roaming_enabled"),
        "bills" => record.contains_key("total_due"),
        "customers" => record.contains_key("line_ids"),
        "plans" => record.contains_key("price_per_month"),
        _ => record.contains_key("device_type"),
    };
    let (table, field) = KINDS.iter().find(|(table, field)| record.contains_key(*field) && whole(table))?;
    record.get(*field).and_then(Value::as_str).map(|id| (*table, id.to_owned()))
}

/// Runs a tool.
pub fn run(world: &World, tool: &str, given: &Arguments) -> Answer {
    if let Some(answer) = phone::run(world, tool, given) {
        return answer;
    }
    match tool {
        "get_customer_by_phone" => by_phone(world, given.text("phone_number")),
        "get_customer_by_id" => Ok(Ran::shows(one(world, "customers", given.text("customer_id"))?)),
        "get_customer_by_name" => {
            let (name, dob) = (given.text("full_name"), given.text("dob"));
            let is = |customer: &Value| customer.at("full_name") == name && customer.at("date_of_birth") == dob;
            let all: Vec<&Value> = world.all("customers").map(|(_, one)| one).filter(|one| is(one)).collect();
            Ok(Ran::says(json!(all).to_string()))
        }
        "get_details_by_id" => {
            let id = given.text("id");
            let hit = KINDS.iter().find_map(|(table, _)| world.get(table, id));
            hit.map(Ran::shows).ok_or_else(|| format!("nothing is known under {id}"))
        }
        "get_bills_for_customer" => bills(world, given),
        "get_data_usage" => usage(world, given),
        "send_payment_request" => ask_for_payment(world, given),
        "suspend_line" => suspend(world, given),
        "resume_line" => resume(world, given),
        "enable_roaming" => roaming(world, given, true),
        "disable_roaming" => roaming(world, given, false),
        "refuel_data" => refuel(world, given),
        other => Err(format!("`{other}` is not served")),
    }
}

fn one<'a>(world: &'a World, table: &str, id: &str) -> Result<&'a Value, String> {
    world.get(table, id).ok_or_else(|| format!("{} {id} not found", table.trim_end_matches('s')))
}

fn holds(list: &Value, id: &str) -> bool {
    list.as_array().is_some_and(|all| all.iter().any(|one| one == id))
}

fn by_phone(world: &World, number: &str) -> Answer {
    let has_line = |customer: &Value| {
        world.all("lines").any(|(id, line)| line.at("phone_number") == number && holds(customer.at("line_ids"), id))
    };
    let hit = world.all("customers").find(|(_, one)| one.at("phone_number") == number || has_line(one));
    hit.map(|(_, one)| Ran::shows(one)).ok_or_else(|| format!("no customer has the number {number}"))
}

/// A line of the customer's, listed on the account or not.
fn line(world: &World, given: &Arguments) -> Result<Value, String> {
    let (owner, id) = (given.text("customer_id"), given.text("line_id"));
    let customer = one(world, "customers", owner)?;
    let line = one(world, "lines", id)?;
    if holds(customer.at("line_ids"), id) || line.at("customer_id") == owner {
        Ok(line.clone())
    } else {
        Err(format!("line {id} is not one of customer {owner}"))
    }
}

fn set(record: &mut Value, name: &str, value: Value) {
    if let Some(map) = record.as_object_mut() {
        map.insert(name.into(), value);
    }
}

fn saved(said: Value, line: Value) -> Answer {
    let id = line.at("line_id").as_str().unwrap_or_default().to_owned();
    Ok(Ran::says(said.to_string()).and("lines", &id, line))
}

fn bills(world: &World, given: &Arguments) -> Answer {
    let customer = one(world, "customers", given.text("customer_id"))?;
    let limit = usize::try_from(given.integer("limit")).ok().filter(|limit| *limit > 0).unwrap_or(12);
    let mut all: Vec<&Value> = customer
        .at("bill_ids")
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|id| world.get("bills", id.as_str()?))
        .collect();
    all.sort_by(|one, other| other.at("issue_date").as_str().cmp(&one.at("issue_date").as_str()));
    all.truncate(limit);
    Ok(Ran::says(json!(all).to_string()))
}

fn usage(world: &World, given: &Arguments) -> Answer {
    let line = line(world, given)?;
    let plan = world.get("plans", line.at("plan_id").as_str().unwrap_or_default());
    Ok(Ran::says(
        json!({
            "line_id": line.at("line_id"),
            "data_used_gb": line.at("data_used_gb"),
            "data_limit_gb": plan.map(|plan| plan.at("data_limit_gb").clone()).unwrap_or_default(),
            "data_refueling_gb": line.at("data_refueling_gb"),
            "cycle_end_date": "2025-02-28",
        })
        .to_string(),
    ))
}

fn ask_for_payment(world: &World, given: &Arguments) -> Answer {
    let (owner, id) = (given.text("customer_id"), given.text("bill_id"));
    let customer = one(world, "customers", owner)?;
    let bill = one(world, "bills", id)?;
    if !holds(customer.at("bill_ids"), id) && bill.at("customer_id") != owner {
        return Err(format!("bill {id} is not one of customer {owner}"));
    }
    let mut bill = bill.clone();
    set(&mut bill, "status", "Awaiting Payment".into());
    let mut phone = world.get(PHONE, PHONE).cloned().unwrap_or_else(phone::well);
    set(&mut phone, "request", id.into());
    Ok(Ran::says(format!("The customer has been asked to pay bill {id}."))
        .and("bills", id, bill)
        .and(PHONE, PHONE, phone))
}

fn suspend(world: &World, given: &Arguments) -> Answer {
    let mut line = line(world, given)?;
    if line.at("status") != "Active" {
        return Err(format!("line {} is not active", given.text("line_id")));
    }
    set(&mut line, "status", "Suspended".into());
    set(&mut line, "suspension_start_date", TODAY.into());
    saved(json!({"message": "The line is suspended", "line": line, "reason": given.text("reason")}), line)
}

fn resume(world: &World, given: &Arguments) -> Answer {
    let mut line = line(world, given)?;
    if !matches!(line.at("status").as_str(), Some("Suspended" | "Pending Activation")) {
        return Err(format!("line {} is not suspended", given.text("line_id")));
    }
    set(&mut line, "status", "Active".into());
    set(&mut line, "suspension_start_date", Value::Null);
    let ran = saved(json!({"message": "The line is in service again", "line": line}), line)?;
    let mut phone = world.get(PHONE, PHONE).cloned().unwrap_or_else(phone::well);
    set(&mut phone, "served", true.into());
    Ok(ran.and(PHONE, PHONE, phone))
}

fn roaming(world: &World, given: &Arguments, on: bool) -> Answer {
    let mut line = line(world, given)?;
    if line.at("roaming_enabled") == on {
        return Err(format!("roaming is {} already", if on { "on" } else { "off" }));
    }
    set(&mut line, "roaming_enabled", on.into());
    let said = if on { "The line can be used abroad" } else { "The line cannot be used abroad" };
    saved(json!({"message": said, "line_id": line.at("line_id")}), line)
}

fn refuel(world: &World, given: &Arguments) -> Answer {
    let mut line = line(world, given)?;
    let amount = given.value("gb_amount").as_f64().unwrap_or_default();
    if amount <= 0.0 || amount > MOST_DATA || line.at("status") != "Active" {
        return Err(format!("at most {MOST_DATA} GB can be added, to an active line"));
    }
    let plan = world.get("plans", line.at("plan_id").as_str().unwrap_or_default());
    let price = plan.and_then(|plan| plan.at("data_refueling_price_per_gb").as_f64()).unwrap_or(DATA_PRICE);
    let total = money(line.at("data_refueling_gb").as_f64().unwrap_or_default() + amount);
    set(&mut line, "data_refueling_gb", total.into());
    let said = json!({"message": "Data added", "line_id": line.at("line_id"), "added_gb": given.value("gb_amount"), "charge": money(price * amount)});
    saved(said, line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Telecom;
    use weir_desk::world::Tables;

    fn world() -> World {
        let line = |id: &str, status: &str| {
            let line = json!({"line_id": id, "status": status, "plan_id": "P", "data_refueling_gb": 0, "roaming_enabled": false});
            (id.to_owned(), line)
        };
        let customer = json!({"customer_id": "C", "phone_number": "555", "line_ids": ["L1", "L2"], "bill_ids": ["B"]});
        let bill = json!({"bill_id": "B", "customer_id": "C", "total_due": 40, "status": "Overdue"});
        let plan = json!({"plan_id": "P", "data_limit_gb": 10, "data_refueling_price_per_gb": 2.5});
        World::new(Tables::from([
            ("customers".into(), [("C".to_owned(), customer)].into()),
            ("lines".into(), [line("L1", "Active"), line("L2", "Suspended"), line("L3", "Active")].into()),
            ("bills".into(), [("B".to_owned(), bill)].into()),
            ("plans".into(), [("P".to_owned(), plan)].into()),
        ]))
    }

    fn run(world: &mut World, tool: &str, arguments: &Value) -> Result<String, String> {
        let ran = world.answer::<Telecom>(tool, arguments.as_object().unwrap())?;
        world.apply(&ran.edits);
        Ok(ran.text)
    }

    #[test]
    fn a_bill_is_asked_for_and_paid_on_the_phone() {
        let mut world = world();
        let none = json!({});
        assert!(run(&mut world, "make_payment", &none).unwrap_err().contains("no request"));
        run(&mut world, "send_payment_request", &json!({"customer_id": "C", "bill_id": "B"})).unwrap();
        assert!(run(&mut world, "check_payment_request", &none).unwrap().contains("40 dollars for bill B"));
        run(&mut world, "make_payment", &none).unwrap();
        assert_eq!(world.get("bills", "B").unwrap().at("status"), "Paid");
    }

    #[test]
    fn lines_are_suspended_when_active_and_resumed_when_suspended() {
        let resume = |line: &str| json!({"customer_id": "C", "line_id": line});
        let suspend = |line: &str| json!({"customer_id": "C", "line_id": line, "reason": "lost"});
        let mut world = world();
        assert_eq!(run(&mut world, "resume_line", &resume("L1")), Err("line L1 is not suspended".into()));
        assert_eq!(run(&mut world, "suspend_line", &suspend("L2")), Err("line L2 is not active".into()));
        run(&mut world, "resume_line", &resume("L2")).unwrap();
        run(&mut world, "suspend_line", &suspend("L2")).unwrap();
        assert_eq!(run(&mut world, "suspend_line", &suspend("L3")), Err("line L3 is not one of customer C".into()));
    }

    #[test]
    fn data_is_added_up_to_a_limit_at_the_plans_price() {
        let call = |amount: f64| json!({"customer_id": "C", "line_id": "L1", "gb_amount": amount});
        assert!(run(&mut world(), "refuel_data", &call(2.5)).unwrap_err().contains("at most 2 GB"));
        assert!(run(&mut world(), "refuel_data", &call(2.0)).unwrap().contains("\"charge\":5.0"));
    }

    #[test]
    fn a_flaw_of_the_phone_shows_in_its_status_and_its_speed() {
        let mut world = world();
        let none = json!({});
        assert_eq!(run(&mut world, "run_speed_test", &none).unwrap(), "Download speed: 240 Mbit/s");
        run(&mut world, "toggle_data_saver_mode", &none).unwrap();
        assert_eq!(run(&mut world, "run_speed_test", &none).unwrap(), "Download speed: 60 Mbit/s");
        assert!(run(&mut world, "toggle_airplane_mode", &none).unwrap().contains("airplane mode"));
        assert!(run(&mut world, "run_speed_test", &none).unwrap().contains("no connection"));
    }
}
