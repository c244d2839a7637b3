//! The phone in the customer's hands: one record, `phone`, whose state the customer looks at and changes. What it shows is
//! a tool's result like any other.

use serde_json::{Value, json};
use weir_desk::world::{Answer, Arguments, Look, Ran, World};

/// The table and the identifier of the one record.
pub const PHONE: &str = "phone";

/// A phone on which all is well.
pub fn well() -> Value {
    json!({
        "airplane": false, "sim": "active", "seated": true, "data": true, "roaming": false, "abroad": false, "saver": false,
        "mode": "4g_5g_preferred", "apn": "internet", "apn_reset": false, "mmsc": true, "wifi": false,
        "wifi_calling": false, "vpn": false, "served": true, "apps": {"messaging": ["sms", "storage"], "browser": ["network"]},
        "request": null,
    })
}

fn is(phone: &Value, name: &str) -> bool {
    phone.at(name) == true
}

fn on(state: bool) -> &'static str {
    if state { "on" } else { "off" }
}

/// Whether the phone has a network, and how good it is.
fn signal(phone: &Value) -> &'static str {
    if is(phone, "airplane") || !is(phone, "seated") || !is(phone, "served") || phone.at("sim") != "active" {
        return "none";
    }
    match phone.at("mode").as_str() {
        Some("2g_only") => "weak (2G)",
        Some("3g_only") => "fair (3G)",
        _ => "strong (5G)",
    }
}

fn online(phone: &Value) -> bool {
    let abroad = is(phone, "abroad") && !is(phone, "roaming");
    signal(phone) != "none" && is(phone, "data") && phone.at("apn") == "internet" && !abroad
}

fn bar(phone: &Value) -> String {
    if is(phone, "airplane") {
        return "Status bar: airplane mode | battery 80%".into();
    }
    let mut marks = vec![format!("signal {}", signal(phone))];
    marks.push(format!("mobile data {}", on(online(phone))));
    for (name, mark) in [("saver", "data saver"), ("vpn", "VPN"), ("wifi", "Wi-Fi")] {
        if is(phone, name) {
            marks.push(mark.into());
        }
    }
    format!("Status bar: {} | battery 80%", marks.join(" | "))
}

/// Runs a tool of the phone; none for another tool.
pub fn run(world: &World, tool: &str, given: &Arguments) -> Option<Answer> {
    let phone = world.get(PHONE, PHONE).cloned().unwrap_or_else(well);
    let switch = |name: &str, label: &str| {
        let mut after = phone.clone();
        let state = !is(&phone, name);
        set(&mut after, name, state.into());
        Ran::says(format!("{label} is {} now.\n{}", on(state), bar(&after))).and(PHONE, PHONE, after)
    };
    let change = |name: &str, value: Value, said: &str| {
        let mut after = phone.clone();
        set(&mut after, name, value);
        Ran::says(format!("{said}\n{}", bar(&after))).and(PHONE, PHONE, after)
    };
    let ran = match tool {
        "check_status_bar" => Ran::says(bar(&phone)),
        "check_network_status" => Ran::says(format!(
            "Airplane mode: {}\nSIM: {}\nSignal: {}\nMobile data: {}\nData roaming: {}\nWi-Fi: {}",
            on(is(&phone, "airplane")),
            text(&phone, "sim"),
            signal(&phone),
            on(is(&phone, "data")),
            on(is(&phone, "roaming")),
            on(is(&phone, "wifi")),
        )),
        "check_network_mode_preference" => Ran::says(format!("Preferred network: {}", text(&phone, "mode"))),
        "set_network_mode_preference" => change("mode", given.value("mode"), "The preferred network is set."),
        "run_speed_test" => Ran::says(speed(&phone)),
        "toggle_airplane_mode" => switch("airplane", "Airplane mode"),
        "check_sim_status" => Ran::says(if is(&phone, "seated") {
            format!("The SIM card is {}.", text(&phone, "sim"))
        } else {
            "No SIM card is detected.".into()
        }),
        "reseat_sim_card" => change("seated", true.into(), "The SIM card was taken out and put back."),
        "toggle_data" => switch("data", "Mobile data"),
        "toggle_roaming" => switch("roaming", "Data roaming"),
        "check_data_restriction_status" => Ran::says(format!("The data saver is {}.", on(is(&phone, "saver")))),
        "toggle_data_saver_mode" => switch("saver", "The data saver"),
        "check_apn_settings" => Ran::says(format!(
            "Access point: {}\nPicture message server: {}",
            text(&phone, "apn"),
            if is(&phone, "mmsc") { "set" } else { "not set" }
        )),
        "set_apn_settings" => {
            let wanted = given.value("apn_settings").at("apn_name").as_str().unwrap_or("internet").to_owned();
            change("apn", wanted.into(), "The access point is set.")
        }
        "reset_apn_settings" => change("apn_reset", true.into(), "The access point will be reset at the next restart."),
        "check_wifi_status" => Ran::says(format!("Wi-Fi is {}.", on(is(&phone, "wifi")))),
        "toggle_wifi" => switch("wifi", "Wi-Fi"),
        "check_wifi_calling_status" => Ran::says(format!("Calls over Wi-Fi are {}.", on(is(&phone, "wifi_calling")))),
        "toggle_wifi_calling" => switch("wifi_calling", "Calling over Wi-Fi"),
        "check_vpn_status" => Ran::says(format!("The VPN is {}.", on(is(&phone, "vpn")))),
        "connect_vpn" => change("vpn", true.into(), "The VPN is connected."),
        "disconnect_vpn" => change("vpn", false.into(), "The VPN is disconnected."),
        "can_send_mms" => Ran::says(if pictures(&phone) {
            "The messaging app can send picture messages."
        } else {
            "The messaging app cannot send picture messages."
        }),
        "reboot_device" => reboot(&phone),
        "check_installed_apps" | "check_app_status" | "check_app_permissions" | "grant_app_permission" => {
            return Some(app(&phone, tool, given));
        }
        "check_payment_request" | "make_payment" => return Some(payment(world, &phone, tool)),
        _ => return None,
    };
    Some(Ok(ran))
}

fn set(record: &mut Value, name: &str, value: Value) {
    if let Some(map) = record.as_object_mut() {
        map.insert(name.into(), value);
    }
}

fn text<'a>(phone: &'a Value, name: &str) -> &'a str {
    phone.at(name).as_str().unwrap_or_default()
}

fn speed(phone: &Value) -> String {
    if !online(phone) {
        return "The speed test found no connection.".into();
    }
    let full = match phone.at("mode").as_str() {
        Some("2g_only") => 1,
        Some("3g_only") => 12,
        _ => 240,
    };
    // Either leaves a quarter of the speed.
    let speed = if is(phone, "saver") || is(phone, "vpn") { (full / 4).max(1) } else { full };
    format!("Download speed: {speed} Mbit/s")
}

fn pictures(phone: &Value) -> bool {
    let allowed =
        |name: &str| phone.at("apps").at("messaging").as_array().is_some_and(|all| all.iter().any(|one| one == name));
    online(phone) && is(phone, "mmsc") && allowed("sms") && allowed("storage")
}

fn reboot(phone: &Value) -> Ran {
    let mut after = phone.clone();
    if is(phone, "apn_reset") {
        for (name, value) in [("apn", Value::from("internet")), ("mmsc", true.into()), ("apn_reset", false.into())] {
            set(&mut after, name, value);
        }
    }
    Ran::says(format!("The phone has restarted.\n{}", bar(&after))).and(PHONE, PHONE, after)
}

fn app(phone: &Value, tool: &str, given: &Arguments) -> Answer {
    let apps = phone.at("apps").as_object().cloned().unwrap_or_default();
    if tool == "check_installed_apps" {
        return Ok(Ran::says(format!("Apps: {}", apps.keys().cloned().collect::<Vec<_>>().join(", "))));
    }
    let name = given.text("app_name");
    let Some(allowed) = apps.get(name).and_then(Value::as_array) else {
        return Err(format!("there is no app `{name}`"));
    };
    let named = |all: &[Value]| all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
    if tool != "grant_app_permission" {
        return Ok(Ran::says(format!("The app {name} may use: {}", named(allowed))));
    }
    let mut allowed = allowed.clone();
    allowed.push(given.value("permission"));
    let mut after = phone.clone();
    if let Some(map) = after.get_mut("apps").and_then(Value::as_object_mut) {
        map.insert(name.into(), allowed.clone().into());
    }
    Ok(Ran::says(format!("The app {name} may use now: {}", named(&allowed))).and(PHONE, PHONE, after))
}

fn payment(world: &World, phone: &Value, tool: &str) -> Answer {
    let Some(id) = phone.at("request").as_str() else { return Err("there is no request for a payment".into()) };
    let bill = world.get("bills", id).ok_or_else(|| format!("bill {id} not found"))?;
    let due = bill.at("total_due").as_f64().unwrap_or_default();
    if tool == "check_payment_request" {
        return Ok(Ran::says(format!("The company asks you to pay {due} dollars for bill {id}.")));
    }
    let (mut bill, mut after) = (bill.clone(), phone.clone());
    set(&mut bill, "status", "Paid".into());
    set(&mut after, "request", Value::Null);
    let said = format!("You have paid {due} dollars for bill {id}.");
    Ok(Ran::says(said).and("bills", id, bill).and(PHONE, PHONE, after))
}
