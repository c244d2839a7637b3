//! What the shop's tools do. Records: `users`, `orders`, `products`, and `payments`, ways to pay that a profile does not
//! list.

use serde_json::{Map, Value, json};
use weir_desk::common::money;
use weir_desk::world::{Answer, Arguments, Look, Ran, World};

/// Reasons for which an order can be cancelled.
pub const REASONS: &[&str] = &["no longer needed", "ordered by mistake"];
const ADDRESS: &[&str] = &["address1", "address2", "city", "country", "state", "zip"];

/// Where a record belongs.
pub fn place(record: &Map<String, Value>) -> Option<(&'static str, String)> {
    let text = |name: &str| record.get(name).and_then(Value::as_str).map(str::to_owned);
    if record.contains_key("items") {
        return text("order_id").map(|id| ("orders", id));
    }
    if record.contains_key("variants") {
        return text("product_id").map(|id| ("products", id));
    }
    if record.contains_key("payment_methods") && record.contains_key("orders") {
        return text("user_id").map(|id| ("users", id));
    }
    None
}

/// Runs a tool.
pub fn run(world: &World, tool: &str, given: &Arguments) -> Answer {
    match tool {
        "find_user_id_by_email" => found(world, |user| same(user.at("email"), given.text("email"))),
        "find_user_id_by_name_zip" => found(world, |user| {
            same(user.at("name").at("first_name"), given.text("first_name"))
                && same(user.at("name").at("last_name"), given.text("last_name"))
                && user.at("address").at("zip") == given.text("zip")
        }),
        "get_user_details" => Ok(Ran::shows(one(world, "users", given.text("user_id"))?)),
        "get_order_details" => Ok(Ran::shows(one(world, "orders", given.text("order_id"))?)),
        "get_product_details" => Ok(Ran::shows(one(world, "products", given.text("product_id"))?)),
        "get_item_details" => Ok(Ran::shows(variant(world, given.text("item_id"))?.1)),
        "list_all_product_types" => {
            let named = world.all("products").map(|(id, product)| {
                (product.at("name").as_str().unwrap_or_default().to_owned(), Value::from(id.as_str()))
            });
            Ok(Ran::says(Value::Object(named.collect()).to_string()))
        }
        "cancel_pending_order" => cancel(world, given),
        "modify_pending_order_address" => {
            let mut order = pending(world, given)?;
            set(&mut order, "address", address(given));
            saved(order)
        }
        "modify_user_address" => {
            let id = given.text("user_id");
            let mut user = one(world, "users", id)?.clone();
            set(&mut user, "address", address(given));
            Ok(Ran::sets("users", id, user))
        }
        "modify_pending_order_payment" => payment(world, given),
        "modify_pending_order_items" => items(world, given),
        "return_delivered_order_items" => take_back(world, given),
        "exchange_delivered_order_items" => exchange(world, given),
        other => Err(format!("`{other}` is not served")),
    }
}

fn same(value: &Value, text: &str) -> bool {
    value.as_str().is_some_and(|value| value.eq_ignore_ascii_case(text))
}

fn found(world: &World, is: impl Fn(&Value) -> bool) -> Answer {
    let user = world.all("users").find(|(_, user)| is(user));
    user.map(|(id, _)| Ran::says(id.as_str())).ok_or_else(|| "user not found".into())
}

fn one<'a>(world: &'a World, table: &str, id: &str) -> Result<&'a Value, String> {
    world.get(table, id).ok_or_else(|| format!("{} {id} not found", table.trim_end_matches('s')))
}

/// A variant and its product.
fn variant<'a>(world: &'a World, item: &str) -> Result<(&'a Value, &'a Value), String> {
    let hit = world.all("products").find_map(|(_, product)| product.at("variants").get(item).map(|one| (product, one)));
    hit.ok_or_else(|| format!("item {item} not found"))
}

fn set(record: &mut Value, name: &str, value: Value) {
    if let Some(map) = record.as_object_mut() {
        map.insert(name.into(), value);
    }
}

fn saved(order: Value) -> Answer {
    let id = order.at("order_id").as_str().unwrap_or_default().to_owned();
    Ok(Ran::sets("orders", &id, order))
}

fn address(given: &Arguments) -> Value {
    Value::Object(ADDRESS.iter().map(|name| ((*name).to_owned(), given.value(name))).collect())
}

fn pending(world: &World, given: &Arguments) -> Result<Value, String> {
    let order = one(world, "orders", given.text("order_id"))?;
    let open = order.at("status").as_str().is_some_and(|status| status.starts_with("pending"));
    if open { Ok(order.clone()) } else { Err(format!("order {} is not pending", given.text("order_id"))) }
}

fn delivered(world: &World, given: &Arguments) -> Result<Value, String> {
    let order = one(world, "orders", given.text("order_id"))?;
    if order.at("status") == "delivered" {
        Ok(order.clone())
    } else {
        Err(format!("order {} has not been delivered, or something is under way for it", given.text("order_id")))
    }
}

/// A way to pay is the customer's own, on the profile or beside it.
fn payable(world: &World, owner: &Value, payment: &str) -> Result<(), String> {
    let owner = owner.as_str().unwrap_or_default();
    let listed = world.get("users", owner).is_some_and(|user| user.at("payment_methods").get(payment).is_some());
    let beside = world.get("payments", payment).is_some_and(|one| one.at("owner") == owner);
    if listed || beside { Ok(()) } else { Err(format!("payment method {payment} not found")) }
}

fn book(order: &mut Value, kind: &str, amount: f64, payment: &str) {
    if let Some(history) = order.get_mut("payment_history").and_then(Value::as_array_mut) {
        history.push(json!({"transaction_type": kind, "amount": money(amount), "payment_method_id": payment}));
    }
}

fn sum(order: &Value) -> f64 {
    money(order.at("items").as_array().into_iter().flatten().filter_map(|item| item.at("price").as_f64()).sum())
}

fn paid_with(order: &Value) -> String {
    order.at("payment_history").nth(0).at("payment_method_id").as_str().unwrap_or_default().to_owned()
}

fn cancel(world: &World, given: &Arguments) -> Answer {
    let mut order = pending(world, given)?;
    if !REASONS.contains(&given.text("reason")) {
        return Err(format!("the reason must be one of {REASONS:?}"));
    }
    let (total, payment) = (sum(&order), paid_with(&order));
    book(&mut order, "refund", total, &payment);
    set(&mut order, "status", "cancelled".into());
    set(&mut order, "cancel_reason", given.value("reason"));
    saved(order)
}

fn payment(world: &World, given: &Arguments) -> Answer {
    let mut order = pending(world, given)?;
    payable(world, order.at("user_id"), given.text("payment_method_id"))?;
    let (total, old) = (sum(&order), paid_with(&order));
    book(&mut order, "payment", total, given.text("payment_method_id"));
    book(&mut order, "refund", total, &old);
    saved(order)
}

/// The order's items with some of them exchanged for other variants of the same product, and what that costs.
fn swapped(world: &World, order: &Value, given: &Arguments) -> Result<(Vec<Value>, f64), String> {
    let (old, new) = (given.texts("item_ids"), given.texts("new_item_ids"));
    if old.len() != new.len() {
        return Err("as many new items as old ones are needed".into());
    }
    let mut items = order.at("items").as_array().cloned().unwrap_or_default();
    let mut difference = 0.0;
    for (old, new) in old.into_iter().zip(new) {
        let item = items.iter_mut().find(|item| item.at("item_id") == old);
        let item = item.ok_or_else(|| format!("item {old} is not in the order"))?;
        let beside = world.get("items", new);
        let product = world.get("products", item.at("product_id").as_str().unwrap_or_default());
        let listed = product.and_then(|product| product.at("variants").get(new));
        let other = listed.or(beside).ok_or_else(|| format!("item {new} is no variant of the same product"))?;
        if other.at("available") != true {
            return Err(format!("item {new} is not available"));
        }
        difference += other.at("price").as_f64().unwrap_or_default() - item.at("price").as_f64().unwrap_or_default();
        for (name, value) in [
            ("item_id", Value::from(new)),
            ("price", other.at("price").clone()),
            ("options", other.at("options").clone()),
        ] {
            set(item, name, value);
        }
    }
    Ok((items, money(difference)))
}

fn items(world: &World, given: &Arguments) -> Answer {
    let mut order = pending(world, given)?;
    if order.at("status") != "pending" {
        return Err("the items of an order can be changed once only".into());
    }
    payable(world, order.at("user_id"), given.text("payment_method_id"))?;
    let (items, difference) = swapped(world, &order, given)?;
    let kind = if difference < 0.0 { "refund" } else { "payment" };
    book(&mut order, kind, difference.abs(), given.text("payment_method_id"));
    set(&mut order, "items", items.into());
    set(&mut order, "status", "pending (item modified)".into());
    saved(order)
}

fn take_back(world: &World, given: &Arguments) -> Answer {
    let mut order = delivered(world, given)?;
    payable(world, order.at("user_id"), given.text("payment_method_id"))?;
    for item in given.texts("item_ids") {
        let within = order.at("items").as_array().into_iter().flatten().any(|known| known.at("item_id") == item);
        if !within {
            return Err(format!("item {item} is not in the order"));
        }
    }
    set(&mut order, "status", "return requested".into());
    set(&mut order, "return_items", given.value("item_ids"));
    set(&mut order, "return_payment_method_id", given.value("payment_method_id"));
    saved(order)
}

fn exchange(world: &World, given: &Arguments) -> Answer {
    let mut order = delivered(world, given)?;
    payable(world, order.at("user_id"), given.text("payment_method_id"))?;
    let (_, difference) = swapped(world, &order, given)?;
    set(&mut order, "status", "exchange requested".into());
    set(&mut order, "exchange_items", given.value("item_ids"));
    set(&mut order, "exchange_new_items", given.value("new_item_ids"));
    set(&mut order, "exchange_payment_method_id", given.value("payment_method_id"));
    set(&mut order, "exchange_price_difference", difference.into());
    saved(order)
}

#[cfg(test)]
mod tests {
    use crate::Retail;
    use serde_json::{Value, json};
    use weir_desk::world::{Look, Tables, World};

    fn world() -> World {
        let item = json!({"name": "Lamp", "product_id": "p", "item_id": "1", "price": 20.5, "options": {}});
        let order = |id: &str, status: &str| {
            let paid = json!([{"transaction_type": "payment", "amount": 20.5, "payment_method_id": "card"}]);
            let order =
                json!({"order_id": id, "user_id": "u", "items": [item], "status": status, "payment_history": paid});
            (id.to_owned(), order)
        };
        let variants = json!({
            "1": {"item_id": "1", "options": {}, "available": true, "price": 20.5},
            "2": {"item_id": "2", "options": {}, "available": true, "price": 18.0},
            "3": {"item_id": "3", "options": {}, "available": false, "price": 18.0},
        });
        let product = json!({"name": "Lamp", "product_id": "p", "variants": variants});
        let user = json!({"user_id": "u", "payment_methods": {"card": {}}, "orders": ["#A", "#B"]});
        World::new(Tables::from([
            ("users".into(), [("u".to_owned(), user)].into()),
            ("orders".into(), [order("#A", "pending"), order("#B", "delivered")].into()),
            ("products".into(), [("p".to_owned(), product)].into()),
        ]))
    }

    fn run(world: &mut World, tool: &str, arguments: &Value) -> Result<Value, String> {
        let ran = world.answer::<Retail>(tool, arguments.as_object().unwrap())?;
        world.apply(&ran.edits);
        Ok(serde_json::from_str(&ran.text).unwrap_or(Value::from(ran.text)))
    }

    fn swap(order: &str, new: &str) -> Value {
        json!({"order_id": order, "item_ids": ["1"], "new_item_ids": [new], "payment_method_id": "card"})
    }

    #[test]
    fn items_of_an_order_change_once_and_the_difference_is_settled() {
        let mut world = world();
        let order = run(&mut world, "modify_pending_order_items", &swap("#A", "2")).unwrap();
        assert_eq!(order.at("items").nth(0).at("item_id"), "2");
        let refund = json!({"transaction_type": "refund", "amount": 2.5, "payment_method_id": "card"});
        assert_eq!(order.at("payment_history").nth(1), &refund);
        assert!(run(&mut world, "modify_pending_order_items", &swap("#A", "1")).unwrap_err().contains("once only"));
    }

    #[test]
    fn what_is_not_available_or_not_of_the_product_cannot_be_had() {
        let said = |new: &str| run(&mut world(), "exchange_delivered_order_items", &swap("#B", new)).unwrap_err();
        assert_eq!(said("3"), "item 3 is not available");
        assert_eq!(said("9"), "item 9 is no variant of the same product");
    }

    #[test]
    fn pending_orders_are_cancelled_and_delivered_ones_returned_not_the_reverse() {
        let cancel = |order: &str| json!({"order_id": order, "reason": "no longer needed"});
        let back = |order: &str| json!({"order_id": order, "item_ids": ["1"], "payment_method_id": "card"});
        let mut world = world();
        assert!(run(&mut world, "cancel_pending_order", &cancel("#B")).unwrap_err().contains("not pending"));
        assert!(
            run(&mut world, "return_delivered_order_items", &back("#A")).unwrap_err().contains("not been delivered")
        );
        let order = run(&mut world, "cancel_pending_order", &cancel("#A")).unwrap();
        assert_eq!(
            (order.at("status"), order.at("payment_history").nth(1).at("amount")),
            (&json!("cancelled"), &json!(20.5))
        );
        let order = run(&mut world, "return_delivered_order_items", &back("#B")).unwrap();
        assert_eq!(order.at("status"), "return requested");
    }

    #[test]
    fn an_order_is_cancelled_for_one_of_two_reasons() {
        let call = json!({"order_id": "#A", "reason": "a whim"});
        assert!(run(&mut world(), "cancel_pending_order", &call).unwrap_err().contains("ordered by mistake"));
    }
}
