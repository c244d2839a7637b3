//! The matters that a customer of a phone company may come with.

use crate::Telecom;
use serde_json::json;
use weir_desk::scene::Scene;
use weir_desk::world::Look;

type Talk = Scene<Telecom>;

/// One matter: how it is brought up, and how it goes on from there.
pub struct Matter {
    /// Something is wrong with the phone; then it comes first.
    pub phone: bool,
    /// What is wrong.
    pub flaws: &'static str,
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
        phone: true,
        flaws: r#"{"served":false}"#,
        opening: &[
            "Hi, my phone has had no service since last week.",
            "Hello, I cannot call anybody; I think that my line is blocked.",
            "Good morning. My phone says that there is no network at all.",
        ],
        next: &[],
        play: arrears,
    },
    Matter {
        phone: false,
        flaws: "{}",
        opening: &["Hello, my data for the month is nearly gone.", "Hi, can I get more data before the month ends?"],
        next: &["I also need more data for this month.", "Another thing: the data of my line runs out."],
        play: refuel,
    },
    Matter {
        phone: true,
        flaws: r#"{"abroad":true}"#,
        opening: &[
            "Hello from France! My data does not work here.",
            "Hi, I am abroad and cannot get online.",
            "Good day. Since I crossed the border there is no internet on my phone.",
        ],
        next: &[],
        play: abroad,
    },
    Matter {
        phone: false,
        flaws: "{}",
        opening: &["Hi, my daughter's phone has gone missing.", "Hello, one of our phones was stolen on the bus."],
        next: &["Also, a phone of the family got lost.", "And I have to report a lost phone."],
        play: lost,
    },
    Matter {
        phone: true,
        flaws: r#"{"saver":true,"mode":"3g_only"}"#,
        opening: &[
            "Hello, the internet on my phone is terribly slow.",
            "Hi, pages take forever to load on my phone.",
            "Good evening. My connection crawls, and I do not know why.",
        ],
        next: &[],
        play: slow,
    },
    Matter {
        phone: false,
        flaws: "{}",
        opening: &[
            "Hi, I do not want one of our lines to work abroad.",
            "Hello, can you block roaming for my son's line?",
        ],
        next: &["Please keep one of my lines from roaming, too.", "And roaming should be off on the third line."],
        play: stay_home,
    },
    Matter {
        phone: true,
        flaws: r#"{"airplane":true,"seated":false}"#,
        opening: &[
            "Hi, my phone shows no bars at all.",
            "Hello, I have no signal since I cleaned my phone.",
            "Good afternoon. There is no reception on my phone, not even outside.",
        ],
        next: &[],
        play: dead,
    },
    Matter {
        phone: true,
        flaws: r#"{"apps":{"messaging":["sms"],"browser":["network"]},"mmsc":false}"#,
        opening: &[
            "Hello, I cannot send pictures in messages any more.",
            "Hi, picture messages fail on my phone.",
            "Good day, my photos do not go out with text messages.",
        ],
        next: &[],
        play: pictures,
    },
    Matter {
        phone: false,
        flaws: "{}",
        opening: &["Hello, I do not understand my bills.", "Hi, could you explain what I pay for?"],
        next: &["Could you also tell me what I owe at the moment?", "One question about the bills, too."],
        play: explain,
    },
];

fn fact(scene: &Talk, name: &str) -> String {
    scene.facts.get(name).cloned().unwrap_or_default()
}

fn arrears(scene: &mut Talk) {
    let (customer, line, bill) = (fact(scene, "customer"), fact(scene, "main"), fact(scene, "arrears"));
    scene.call("get_details_by_id", json!({"id": line}));
    scene.call("get_bills_for_customer", json!({"customer_id": customer}));
    scene.says(&[
        "Your line {main} is suspended because bill {arrears} is overdue. Shall I send you a request to pay it?",
        "Bill {arrears} was not paid, so line {main} is suspended. I can send a request, and you pay it on the phone. Yes?",
    ]);
    scene.user(&["Oh, I forgot. Yes, please send it.", "Yes, do that.", "I see. Please send me the request."]);
    scene.call("send_payment_request", json!({"customer_id": customer, "bill_id": bill}));
    scene.says(&[
        "It is on its way. Please look for it and pay if you agree.",
        "You should see it now. Please pay when ready.",
    ]);
    scene.device("check_payment_request", json!({}));
    scene.device("make_payment", json!({}));
    scene.user(&["It is paid.", "Done, I have paid it.", "The payment went through."]);
    scene.call("get_details_by_id", json!({"id": bill}));
    scene.call("resume_line", json!({"customer_id": customer, "line_id": line}));
    scene.says(&[
        "Thank you. The line is in service again; how does the phone look?",
        "The line is back. What do you see now?",
    ]);
    scene.device("check_status_bar", json!({}));
    scene.user(&["There are bars again, great.", "It has a signal, thank you!"]);
    scene.says(&["Very good. Is there anything else?", "Perfect. What else can I do?"]);
}

fn abroad(scene: &mut Talk) {
    let (customer, line) = (fact(scene, "customer"), fact(scene, "main"));
    scene.call("get_details_by_id", json!({"id": line}));
    scene.says(&[
        "Line {main} is not set up for use abroad. I can enable that at no cost. Shall I?",
        "Roaming is off for line {main}. Enabling it is free; do you want that?",
    ]);
    scene.user(&["Yes, please.", "Yes, enable it.", "Of course."]);
    scene.call("enable_roaming", json!({"customer_id": customer, "line_id": line}));
    scene.says(&[
        "Done. Please switch data roaming on in your phone, too.",
        "Now the phone itself: please turn data roaming on.",
    ]);
    scene.device("toggle_roaming", json!({}));
    scene.user(&["It is on now. What next?", "All right, I switched it on."]);
    scene.says(&["Would you run a speed test?", "Please try a speed test."]);
    scene.device("run_speed_test", json!({}));
    scene.user(&["That is fast. It works!", "It works, I am online."]);
    scene.says(&["Glad to hear that. Anything else?", "Excellent. Is there more I can do?"]);
}

fn slow(scene: &mut Talk) {
    scene.says(&["Please run a speed test first.", "How slow is it? Please run a speed test."]);
    scene.device("run_speed_test", json!({}));
    scene.user(&["That is really low.", "It confirms it, very slow."]);
    scene.says(&["Is a data saver on?", "Please see whether anything limits your data."]);
    scene.device("check_data_restriction_status", json!({}));
    scene.user(&["The data saver is on. Shall I turn it off?", "Yes, there is a data saver. Should it go?"]);
    scene.says(&["Yes, please switch it off.", "Please do turn it off."]);
    scene.device("toggle_data_saver_mode", json!({}));
    scene.device("check_network_mode_preference", json!({}));
    scene.user(&["It is off. The preferred network says 3G, by the way.", "Done. I see that the phone prefers 3G."]);
    scene.says(&["Please set it to 4G and 5G, and test again.", "Then choose 4G and 5G, and run the test again."]);
    scene.device("set_network_mode_preference", json!({"mode": "4g_5g_preferred"}));
    scene.device("run_speed_test", json!({}));
    scene.user(&["Much faster!", "What a difference, thank you."]);
    scene.says(&["Good. Anything else?", "I am glad. What else can I do?"]);
}

fn dead(scene: &mut Talk) {
    scene.says(&["What does the status bar of the phone show?", "Please look at the status bar. What is there?"]);
    scene.device("check_status_bar", json!({}));
    scene.user(&["An airplane, it seems.", "It says airplane mode."]);
    scene.says(&["Please switch that off.", "That explains a lot. Please turn it off."]);
    scene.device("toggle_airplane_mode", json!({}));
    scene.user(&["Off, but still no signal.", "I turned it off. There are still no bars."]);
    scene.says(&["Let us look at the SIM card then.", "Please check the SIM card next."]);
    scene.device("check_sim_status", json!({}));
    scene.user(&["No card is detected.", "It finds no SIM card."]);
    scene.says(&["Please take the card out and put it back in.", "Could you reseat the card?"]);
    scene.device("reseat_sim_card", json!({}));
    scene.user(&["The bars are back!", "Yes! It has a signal again."]);
    scene.says(&["Very good. Anything else today?", "That was it, then. What else can I help with?"]);
}

fn pictures(scene: &mut Talk) {
    scene.says(&["Let us see whether the phone can send any.", "Please try whether picture messages work at all."]);
    scene.device("can_send_mms", json!({}));
    scene.user(&["It says that it cannot.", "No, it cannot send them."]);
    scene.says(&["What may the messaging app use?", "Please look at the permissions of the messaging app."]);
    scene.device("check_app_permissions", json!({"app_name": "messaging"}));
    scene.user(&["Only text messages, no storage.", "Storage is not among them."]);
    scene.says(&["Please allow storage.", "It needs storage; please grant that."]);
    scene.device("grant_app_permission", json!({"app_name": "messaging", "permission": "storage"}));
    scene.device("check_apn_settings", json!({}));
    scene.user(&[
        "Granted. The server for pictures is not set, though.",
        "I did. There is no picture server in the settings.",
    ]);
    scene.says(&[
        "Then please reset the access point and restart.",
        "Reset the access point settings, and restart the phone.",
    ]);
    scene.device("reset_apn_settings", json!({}));
    scene.device("reboot_device", json!({}));
    scene.device("can_send_mms", json!({}));
    scene.user(&["Now it can!", "It works again, thanks."]);
    scene.says(&["Wonderful. Is there anything else?", "Good. What else may I do?"]);
}

fn refuel(scene: &mut Talk) {
    let (customer, line) = (fact(scene, "customer"), fact(scene, "main"));
    scene.call("get_data_usage", json!({"customer_id": customer, "line_id": line}));
    scene.says(&[
        "Line {main} can get up to 2 GB more, at {gigabyte} dollars each. How much would you like?",
        "I can add 1 or 2 GB to line {main}; one costs {gigabyte} dollars. What do you want?",
    ]);
    let amount = scene.seed.between(1, 2);
    scene.fact("amount", amount);
    scene.user(&["{amount} GB, at that price.", "Please add {amount} GB; the price is fine."]);
    scene.call("refuel_data", json!({"customer_id": customer, "line_id": line, "gb_amount": amount}));
    scene.says(&["{amount} GB are added. Anything else?", "Done, you have {amount} GB more. What else?"]);
}

fn lost(scene: &mut Talk) {
    let (customer, line) = (fact(scene, "customer"), fact(scene, "second"));
    scene.says(&["I am sorry. Which line is it?", "Do you know the identifier of its line?"]);
    scene.user(&["It is {second}.", "Line {second}.", "{second}, the second one."]);
    scene.call("get_details_by_id", json!({"id": line}));
    scene.says(&[
        "I can suspend {second} now, so that nobody can use it. Shall I?",
        "Should {second} be suspended until it turns up?",
    ]);
    scene.user(&["Yes, right away.", "Yes, please.", "Please suspend it."]);
    let reason = scene.seed.pick(&["lost phone", "stolen phone", "phone missing"]);
    scene.call("suspend_line", json!({"customer_id": customer, "line_id": line, "reason": reason}));
    scene.says(&[
        "It is suspended. Tell us when it turns up. Anything else?",
        "Done, {second} cannot be used now. What else?",
    ]);
}

fn stay_home(scene: &mut Talk) {
    let (customer, line) = (fact(scene, "customer"), fact(scene, "third"));
    scene.says(&["Which line should it be?", "Sure. What is the line's identifier?"]);
    scene.user(&["The third one, {third}.", "Line {third}.", "{third}, please."]);
    scene.call("get_details_by_id", json!({"id": line}));
    scene.says(&[
        "Roaming is on for {third}. I will switch it off, yes?",
        "{third} can roam at present. Shall I disable that?",
    ]);
    scene.user(&["Yes.", "Yes, switch it off.", "Please do."]);
    scene.call("disable_roaming", json!({"customer_id": customer, "line_id": line}));
    scene.says(&["It is off. Is there more?", "{third} stays at home now. Anything else?"]);
}

fn explain(scene: &mut Talk) {
    let customer = fact(scene, "customer");
    let bills = scene.call("get_bills_for_customer", json!({"customer_id": customer}));
    for (name, field) in [("newest", "bill_id"), ("until", "due_date")] {
        scene.fact(name, bills.nth(0).at(field).as_str().unwrap_or_default());
    }
    scene.fact("sum", bills.nth(0).at("total_due").as_i64().unwrap_or_default());
    scene.says(&[
        "The newest bill is {newest}: {sum} dollars for your three lines, due on {until}.",
        "At the moment it is {sum} dollars, bill {newest}, for three lines; it was due on {until}.",
    ]);
    scene.user(&["So that covers all three. Thank you.", "Now I understand, it is for all lines together."]);
    scene.says(&["Exactly. Is there anything else?", "That is right. What else can I do?"]);
}
