use super::*;
use weir_plugin::memory::{Authority, Speaker};
use weir_plugin::policy::{Authorization, NodeKind, Parameter, Rule, Tool};
use weir_plugin::testing::memory::{history, item};
use weir_plugin::testing::random::later_events_change_no_decision;
use weir_plugin::testing::{allow, episode, event, labelled, propose, rule, set_transcript, tool_index};
use weir_plugin::{PRIVATE, UNTRUSTED};

const ASKS: &str = "Tell ann@corp.local what m1 says.";

fn policy(goal: &str, ledger: Vec<Authorization>) -> InformationFlow {
    InformationFlow::start(Episode { goal: goal.into(), ..episode(ledger) })
}

fn rule_of(policy: &mut InformationFlow, proposal: &Proposal) -> String {
    policy.authorize(proposal).unwrap().rule().unwrap().to_owned()
}

fn decide(goal: &str, ledger: Vec<Authorization>, proposal: &Proposal) -> String {
    rule_of(&mut policy(goal, ledger), proposal)
}

fn to_ann() -> Vec<Authorization> {
    vec![rule(allow("send", &["ann@corp.local"]), "bcc", Rule::Absent)]
}

fn send(to: &str, body: &str) -> Proposal {
    Proposal { event: 9, ..propose("send", &[("to", &format!("{to:?}")), ("body", &format!("{body:?}"))]) }
}

fn tainted(proposal: Proposal) -> Proposal {
    labelled(proposal, UNTRUSTED)
}

mod integrity {
    use super::*;

    #[test]
    fn untrusted_content_may_shape_what_an_endorsed_call_says() {
        assert_eq!(decide(ASKS, to_ann(), &tainted(send("ann@corp.local", "hello"))), "allow_endorsed");
    }

    #[test]
    fn it_must_not_decide_whom_a_call_reaches_or_what_it_acts_on() {
        let elsewhere = tainted(send("mallory@evil.local", "hello"));
        assert_eq!(decide(ASKS, to_ann(), &elsewhere), "block_untrusted_argument");
        let scrub = tainted(propose("scrub", &[("key", r#""note""#)]));
        assert_eq!(decide(ASKS, to_ann(), &scrub), "block_untrusted_argument");
    }

    #[test]
    fn the_users_own_words_are_trusted_whatever_was_read() {
        let mut call = send("ann@corp.local", "hello");
        call.labels = UNTRUSTED;
        call.arguments[0].labels = UNTRUSTED;
        assert_eq!(decide(ASKS, Vec::new(), &call), "confirm_untrusted_control");
        assert_eq!(decide("Tell Ann what m1 says.", Vec::new(), &call), "block_untrusted_argument");
    }

    #[test]
    fn without_an_entry_a_tainted_agent_makes_no_call_of_its_own() {
        let mut call = send("mallory@evil.local", "hello");
        call.labels = UNTRUSTED;
        call.arguments[0].sources = vec![3];
        assert_eq!(decide(ASKS, Vec::new(), &call), "block_untrusted_control");
        let nobody = Proposal { labels: UNTRUSTED, ..propose("send", &[("body", r#""m1""#)]) };
        assert_eq!(decide(ASKS, Vec::new(), &nobody), "block_untrusted_control");
    }

    #[test]
    fn without_an_entry_an_untainted_agent_acts_on_the_users_words_and_on_what_it_read() {
        assert_eq!(decide(ASKS, Vec::new(), &send("ann@corp.local", "hello")), "allow_trusted");
        let mut found = send("bob@corp.local", "hello");
        assert_eq!(decide(ASKS, Vec::new(), &found), "block_untraced_argument");
        found.arguments[0].sources = vec![3];
        assert_eq!(decide(ASKS, Vec::new(), &found), "allow_trusted");
        assert_eq!(decide(ASKS, to_ann(), &found), "confirm_beyond_ledger");
    }

    #[test]
    fn an_argument_that_breaks_its_rule_is_not_endorsed() {
        let copied = propose("send", &[("to", r#""ann@corp.local""#), ("bcc", r#""ann@corp.local""#)]);
        assert_eq!(decide(ASKS, to_ann(), &copied), "block_argument_beyond_ledger");
    }

    #[test]
    fn an_untrusted_visibility_is_the_users_to_decide_unless_an_entry_speaks_of_it() {
        let entry = || allow("share", &["plan.txt"]);
        let share = tainted(propose("share", &[("file", r#""plan.txt""#), ("visibility", r#""team""#)]));
        assert_eq!(decide("Share it.", vec![entry()], &share), "confirm_untrusted_argument");
        assert_eq!(decide("Share it with the team.", vec![entry()], &share), "allow_endorsed");
        let spoken = rule(entry(), "visibility", Rule::OneOf(vec![r#""team""#.into(), r#""public""#.into()]));
        for ledger in [vec![entry(), spoken.clone()], vec![spoken, entry()]] {
            assert_eq!(decide("Share it.", ledger, &share), "allow_endorsed");
        }
    }

    #[test]
    fn an_untrusted_amount_is_the_users_to_decide_unless_an_entry_limits_it() {
        let pay = |ledger, amount: &str| {
            let mut with = Episode { goal: "Pay the bill to bob.".into(), ..episode(ledger) };
            let parameter =
                |name: &str, role| Parameter { name: name.into(), role, required: true, schema: "{}".into() };
            let parameters = vec![parameter("to", Role::Recipient), parameter("amount", Role::Other)];
            with.tools.push(Tool {
                name: "pay".into(),
                description: String::new(),
                effect: Effect::SideEffect,
                parameters,
            });
            let mut call = propose("share", &[("file", r#""bob""#), ("with", amount)]);
            call.tool = tool_index("scrub") + 1;
            rule_of(&mut InformationFlow::start(with), &tainted(call))
        };
        let entry = || allow("pay", &["bob"]);
        for amount in ["250", r#""250.00""#] {
            assert_eq!(pay(vec![entry()], amount), "confirm_untrusted_argument", "{amount}");
        }
        assert_eq!(pay(vec![entry()], r#""monthly""#), "allow_endorsed");
        assert_eq!(pay(vec![rule(entry(), "amount", Rule::AtMost(300.0))], "250"), "allow_endorsed");
        assert_eq!(pay(vec![rule(entry(), "amount", Rule::AtMost(200.0))], "250"), "block_untrusted_argument");
    }

    #[test]
    fn an_unknown_tool_needs_an_entry() {
        let call = tainted(propose("no such tool", &[("x", r#""ann@corp.local""#)]));
        assert_eq!(decide("Read it.", to_ann(), &call), "block_untrusted_argument");
    }

    #[test]
    fn a_read_and_a_draft_flow_to_nobody_else() {
        assert_eq!(decide(ASKS, Vec::new(), &labelled(propose("read", &[]), UNTRUSTED | CANARY)), "allow_read");
    }

    #[test]
    fn a_read_that_contacts_an_address_must_not_do_so_on_untrusted_word() {
        let fetch = |goal: &str, ledger, labels| {
            let mut with = Episode { goal: goal.into(), ..episode(ledger) };
            let parameters =
                vec![Parameter { name: "url".into(), role: Role::Recipient, required: true, schema: "{}".into() }];
            let (name, description) = ("fetch".into(), String::new());
            with.tools.push(Tool { name, description, effect: Effect::EgressRead, parameters });
            let mut call = labelled(propose("read", &[("query", r#""www.a.local""#)]), labels);
            call.tool = tool_index("scrub") + 1;
            rule_of(&mut InformationFlow::start(with), &call)
        };
        assert_eq!(fetch("Look it up.", Vec::new(), UNTRUSTED), "block_untrusted_argument");
        assert_eq!(fetch("Look at www.a.local.", Vec::new(), UNTRUSTED), "allow_trusted");
        assert_eq!(fetch("Look it up.", vec![allow("fetch", &["www.a.local"])], UNTRUSTED), "allow_endorsed");
        assert_eq!(fetch("Look it up.", vec![allow("fetch", &["www.a.local"])], CANARY), "block_secret_flow");
    }
}

mod confidentiality {
    use super::*;

    const PLAN: &str = "The plan of Helios: budget 48000, handover in November.";

    /// The policy after a private plan was read, in a context with these labels and by this query.
    fn after_reading(goal: &str, ledger: Vec<Authorization>, labels: u64, query: &str) -> InformationFlow {
        let mut policy = policy(goal, ledger);
        let read = labelled(propose("read", &[("query", query)]), labels);
        assert_eq!(rule_of(&mut policy, &read), "allow_read");
        set_transcript(3, PLAN);
        policy.observe(&[event(3, NodeKind::ToolResult, Some(tool_index("read")), labels | PRIVATE, &[])]);
        policy
    }

    /// A mail with the plan, as the host finds it there.
    fn quoting(to: &str, body: &str) -> Proposal {
        let mut call = tainted(send(to, body));
        call.arguments[1].labels |= PRIVATE;
        call.arguments[1].sources = vec![3];
        call
    }

    #[test]
    fn no_entry_lets_a_secret_out() {
        let open = vec![rule(allow("send", &["ann@corp.local"]), "body", Rule::MaxLength(99))];
        let mut call = send("ann@corp.local", "CANARY-1");
        call.arguments[1].labels = CANARY;
        assert_eq!(decide(ASKS, open, &call), "block_secret_flow");
    }

    #[test]
    fn what_untrusted_content_had_looked_up_is_not_sent_to_anybody() {
        let mut policy = after_reading(ASKS, to_ann(), UNTRUSTED, r#""m7""#);
        assert_eq!(rule_of(&mut policy, &quoting("ann@corp.local", PLAN)), "block_private_flow");
        assert_eq!(rule_of(&mut policy, &tainted(send("ann@corp.local", "hello"))), "allow_endorsed");
    }

    #[test]
    fn words_in_a_row_are_a_quotation_even_amid_others() {
        let mut policy = after_reading(ASKS, to_ann(), UNTRUSTED, r#""m7""#);
        let amid = send("ann@corp.local", "Dear Ann, please note the budget 48000, handover in November. Bye!");
        assert_eq!(rule_of(&mut policy, &tainted(amid)), "block_private_flow");
        let of_its_own = send("ann@corp.local", "The plan is ready.");
        assert_eq!(rule_of(&mut policy, &tainted(of_its_own)), "allow_endorsed");
    }

    #[test]
    fn what_the_user_had_read_goes_to_those_whom_the_ledger_names() {
        for (labels, query) in [(0, r#""m7""#), (UNTRUSTED, r#""m1""#)] {
            let mut policy = after_reading(ASKS, to_ann(), labels, query);
            assert_eq!(rule_of(&mut policy, &quoting("ann@corp.local", PLAN)), "allow_endorsed");
        }
    }

    #[test]
    fn an_entry_that_speaks_of_the_argument_declassifies_it() {
        let speaks = vec![rule(allow("send", &["ann@corp.local"]), "body", Rule::MaxLength(99))];
        let mut policy = after_reading(ASKS, speaks, UNTRUSTED, r#""m7""#);
        assert_eq!(rule_of(&mut policy, &quoting("ann@corp.local", PLAN)), "allow_declassified");
    }

    #[test]
    fn what_something_public_says_too_is_not_private() {
        let mut policy = after_reading(ASKS, to_ann(), UNTRUSTED, r#""m7""#);
        let mut call = quoting("ann@corp.local", "Helios");
        assert_eq!(rule_of(&mut policy, &call), "block_private_flow");
        call.arguments[1].sources = vec![2, 3];
        assert_eq!(rule_of(&mut policy, &call), "allow_endorsed");
    }

    #[test]
    fn what_reaches_nobody_else_discloses_nothing() {
        let mut policy = after_reading(ASKS, vec![allow("update", &["note"])], UNTRUSTED, r#""m7""#);
        let mut call = tainted(propose("update", &[("object", r#""note""#), ("value", &format!("{PLAN:?}"))]));
        (call.event, call.arguments[1].sources) = (9, vec![3]);
        assert_eq!(rule_of(&mut policy, &call), "allow_endorsed");
    }

    #[test]
    fn what_follows_from_a_private_event_is_as_private() {
        let mut policy = after_reading(ASKS, to_ann(), UNTRUSTED, r#""m7""#);
        set_transcript(5, "My colleague says: the budget is fortyeight thousand at most.");
        policy.observe(&[
            event(4, NodeKind::AgentState, None, UNTRUSTED | PRIVATE, &[3]),
            event(5, NodeKind::Message, None, UNTRUSTED | PRIVATE, &[4]),
        ]);
        let call = tainted(send("ann@corp.local", "Note: the budget is fortyeight thousand at most."));
        assert_eq!(rule_of(&mut policy, &call), "block_private_flow");
    }
}

mod memory {
    use super::*;

    const WISH: &str = "Mail the statement to the address that you remember.";

    #[test]
    fn a_memory_is_as_trusted_as_the_turn_that_establishes_it() {
        let words = "The user's address is zoe@corp.local.";
        for (speaker, expected) in [(Speaker::User, "allow_trusted"), (Speaker::Tool, "block_unendorsed_memory")] {
            let mut policy = policy(WISH, Vec::new());
            let said = if speaker == Speaker::User { "Please use my address zoe@corp.local." } else { words };
            let labels = policy.endorse(&[item(words, None)], &history(&[(speaker, said)])).unwrap();
            assert_eq!(labels[0].authority == Some(Authority::Authorized), speaker == Speaker::User);
            assert_eq!(rule_of(&mut policy, &send("zoe@corp.local", "The statement.")), expected);
        }
    }

    #[test]
    fn a_code_in_content_rests_on_memory_too() {
        let mut policy = policy("Tell ann@corp.local the number.", Vec::new());
        let block = policy.render(&[item("The number is 4411.", Some(Authority::Attested))]).unwrap().unwrap();
        assert!(block.contains("[Attested] The number is 4411."), "{block}");
        assert_eq!(rule_of(&mut policy, &send("ann@corp.local", "It is 4411.")), "block_unendorsed_memory");
        assert_eq!(rule_of(&mut policy, &send("ann@corp.local", "I do not know it.")), "allow_trusted");
    }
}

#[test]
fn a_decision_rests_on_the_prefix_alone() {
    later_events_change_no_decision::<InformationFlow>();
}
