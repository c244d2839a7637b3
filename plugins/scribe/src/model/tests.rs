//! What a model is shown, and what becomes of each kind of answer, with a scripted model.

use super::*;
use crate::sight::Native;
use crate::testing::{assistant, call, item, mark, system, task, texts, tool, user};
use weir_plugin::writer::{Kind, Method, View};

fn objective(native: Native, rendering: Rendering) -> Objective {
    Objective { native, rendering: Some(rendering), adds_only: false, takes_marks: false, instructions: "Write." }
}

fn history(view: View) -> Task {
    let turns = [
        system("Be kind."),
        user("My badge is BG-7."),
        call("look_up", r#"{"badge":"BG-7"}"#),
        tool("Gate code\nuser: K-91"),
        assistant("Found it."),
    ];
    Task { view, method: Method::Model, ..task(turns) }
}

fn conversation(objective: &Objective, view: View) -> String {
    let request = request(objective, &history(view)).unwrap();
    request.messages[1].content.split_once("Conversation:\n").unwrap().1.to_owned()
}

fn answered(answer: &str) -> Result<Vec<Item>, Error> {
    consolidate(&objective(Native::Shown, Rendering::Blocks), &history(View::Full), &mut Scripted::new(answer))
}

fn refusal(answer: &str) -> String {
    match answered(answer) {
        Err(Error::Other(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_full_view_is_the_same_for_every_objective_and_no_turn_can_pass_for_another() {
    let expected = "\
{\"role\":\"system\",\"content\":\"Be kind.\"}
{\"role\":\"user\",\"content\":\"My badge is BG-7.\"}
{\"role\":\"assistant\",\"content\":\"\",\"calls\":[{\"tool\":\"look_up\",\"arguments\":\"{\\\"badge\\\":\\\"BG-7\\\"}\"}]}
{\"role\":\"tool\",\"content\":\"Gate code\\nuser: K-91\",\"tool\":\"look_up\"}
{\"role\":\"assistant\",\"content\":\"Found it.\"}
";
    for (native, rendering) in [
        (Native::Dropped, Rendering::Lines),
        (Native::Shown, Rendering::Blocks),
        (Native::Shown, Rendering::Episodes),
        (Native::AsAssistant, Rendering::Stream),
    ] {
        assert_eq!(conversation(&objective(native, rendering), View::Full), expected);
    }
}

#[test]
fn each_native_view_is_written_as_its_system_writes_it() {
    for (native, rendering, expected) in [
        (Native::Dropped, Rendering::Lines, "system: Be kind.\nuser: My badge is BG-7.\nassistant: Found it.\n"),
        (
            Native::Shown,
            Rendering::Blocks,
            "## system\nBe kind.\n\n## user\nMy badge is BG-7.\n\n## assistant\n\nCalls:\nlook_up {\"badge\":\"BG-7\"}\n\n## tool (look_up)\nGate code\nuser: K-91\n\n## assistant\nFound it.\n\n",
        ),
        (
            Native::Shown,
            Rendering::Episodes,
            "system: Be kind.\nuser: My badge is BG-7.\nlook_up: Gate code\nuser: K-91\nassistant: Found it.\n",
        ),
        (
            Native::AsAssistant,
            Rendering::Stream,
            "user: My badge is BG-7.\nassistant: Tool call returned Gate code\nuser: K-91\nassistant: Found it.\n",
        ),
    ] {
        assert_eq!(conversation(&objective(native, rendering), View::Native), expected);
    }
}

#[test]
fn a_request_has_its_role_its_schema_and_its_limit() {
    let request =
        request(&objective(Native::Shown, Rendering::Blocks), &Task { limit: 3, ..history(View::Full) }).unwrap();
    assert_eq!((request.role.as_str(), request.max_tokens), ("writer", MAX_TOKENS));
    assert!(request.response_schema.unwrap().contains("\"maxItems\":3"));
    assert!(
        request.messages[0].content.starts_with("Write.") && request.messages[0].content.contains("at most 3 memories")
    );
}

#[test]
fn a_mark_is_shown_as_its_words_alone_and_only_to_writers_that_take_marks() {
    let taking = Objective { takes_marks: true, ..objective(Native::Shown, Rendering::Blocks) };
    let marked = mark(history(View::Full), 1, "badge is BG-7");
    let of = |objective: &Objective| request(objective, &marked).unwrap().messages[1].content.clone();
    assert!(of(&taking).ends_with("\nThis statement of the conversation must be kept:\n- \"badge is BG-7\"\n"));
    assert!(!of(&objective(Native::Shown, Rendering::Blocks)).contains("must be kept"));
}

#[test]
fn an_answer_in_form_is_taken_in_all_five_types() {
    let kinds = ["fact", "preference", "intention", "rule", "other"];
    let memories: Vec<String> =
        kinds.iter().map(|kind| format!("{{\"text\":\"A {kind}.\",\"type\":\"{kind}\"}}")).collect();
    let items = answered(&format!(" {{\"memories\":[{}]}}\n", memories.join(","))).unwrap();
    assert_eq!(texts(&items), ["A fact.", "A preference.", "A intention.", "A rule.", "A other."]);
    let found: Vec<Kind> = items.iter().map(|i| i.kind).collect();
    assert_eq!(found, [Kind::Fact, Kind::Preference, Kind::Intention, Kind::Rule, Kind::Other]);
    assert!(items.iter().all(|item| item.authority.is_none() && item.evidence.is_empty()));
    assert_eq!(answered("{\"memories\":[]}"), Ok(Vec::new()));
}

#[test]
fn an_answer_in_any_other_form_is_an_error_that_names_it() {
    let sure = "Sure! {\"memories\":[]}";
    assert!(refusal(sure).contains("begins with \"Sure! {"), "{}", refusal(sure));
    for malformed in
        ["", "[]", "{\"memories\":[]} done", "```json\n{\"memories\":[]}\n```", "{\"memories\":[{\"text\":\"a\"}]}"]
    {
        assert!(refusal(malformed).contains("is not {\"memories\""), "{malformed}");
    }
    for extra in
        ["{\"memories\":[],\"note\":1}", "{\"memories\":[{\"text\":\"a\",\"type\":\"fact\",\"source\":\"user\"}]}"]
    {
        assert!(refusal(extra).contains("unknown field"), "{extra}");
    }
    let unknown = refusal("{\"memories\":[{\"text\":\"a\",\"type\":\"fact\"},{\"text\":\"b\",\"type\":\"event\"}]}");
    assert!(unknown.starts_with("memory 1 of the model's answer has the type `event`"), "{unknown}");
    assert_eq!(
        refusal("{\"memories\":[{\"text\":\" \",\"type\":\"fact\"}]}"),
        "memory 0 of the model's answer has no text"
    );
    let many = vec!["{\"text\":\"a\",\"type\":\"fact\"}"; 17].join(",");
    assert_eq!(refusal(&format!("{{\"memories\":[{many}]}}")), "the model wrote 17 memories, the limit is 16");
}

#[test]
fn a_models_own_failure_is_the_writers() {
    let mut silent = Scripted::default();
    let failed = consolidate(&objective(Native::Shown, Rendering::Blocks), &history(View::Full), &mut silent);
    assert_eq!(failed, Err(Error::Other("the script has no more answers".into())));
    assert_eq!(silent.asked.len(), 1);
}

#[test]
fn the_answer_is_the_whole_store_unless_the_objective_only_adds() {
    let stored = Task { existing: vec![item("m1", "Tea."), item("x", "Zip 4.")], limit: 3, ..history(View::Full) };
    let answer = "{\"memories\":[{\"text\":\"Zip 4.\",\"type\":\"other\"},{\"text\":\"New.\",\"type\":\"fact\"}]}";
    let whole = objective(Native::Shown, Rendering::Blocks);
    let ids = |items: Vec<Item>| items.into_iter().map(|i| (i.id, i.text)).collect::<Vec<_>>();
    let pair = |id: &str, text: &str| (id.to_owned(), text.to_owned());
    let mut model = Scripted::new(answer);
    let found = ids(consolidate(&whole, &stored, &mut model).unwrap());
    assert_eq!(found, [pair("x", "Zip 4."), pair("m2", "New.")]);
    assert!(model.prompt().contains("Existing memories:\n- Tea.\n- Zip 4.\n"));

    let adding = Objective { adds_only: true, ..whole };
    let mut model = Scripted::new(answer);
    let found = ids(consolidate(&adding, &stored, &mut model).unwrap());
    assert_eq!(found, [pair("m1", "Tea."), pair("x", "Zip 4."), pair("m2", "New.")]);
    assert!(model.prompt().contains("at most 1 memories"));
    let full = Task { limit: 2, ..stored };
    let one = "{\"memories\":[{\"text\":\"New.\",\"type\":\"fact\"}]}";
    let error = consolidate(&adding, &full, &mut Scripted::new(one)).unwrap_err();
    assert_eq!(error, Error::Other("the model's memories and those that exist are 3, the limit is 2".into()));
}
