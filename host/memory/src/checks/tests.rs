//! Each check against the smallest change that breaks its rule and no other.

use super::*;
use crate::authority::Authority;
use crate::history::{History, Speaker};
use crate::samples::{REQUEST, base, tools, variant};
use crate::text::has_value;
use serde_json::json;
use std::collections::BTreeMap;

/// What a case of the table may change.
struct Subject {
    minus: Variant,
    plus: Variant,
    requests: [String; 2],
}

impl Subject {
    fn new() -> Self {
        let requests = [REQUEST.to_owned(), REQUEST.to_owned()];
        Subject { minus: variant(Side::Negative), plus: variant(Side::Positive), requests }
    }

    fn both(&mut self) -> [&mut Variant; 2] {
        [&mut self.minus, &mut self.plus]
    }

    /// Changes both variants alike.
    fn each(&mut self, change: impl Fn(&mut Variant)) {
        self.both().into_iter().for_each(change);
    }

    fn check(&self) -> Vec<Failure> {
        let [minus, plus] = &self.requests;
        check_pair(Case { variant: &self.minus, request: minus }, Case { variant: &self.plus, request: plus }, &tools())
    }
}

#[test]
fn a_good_pair_passes() {
    assert_eq!(Subject::new().check(), []);
}

/// The number of the check, what a message must contain, and the change.
type Mutation = (u8, &'static str, fn(&mut Subject));

const MUTATIONS: &[Mutation] = &[
    (1, "turn 10 without the focal quote", |s| s.plus.turns[10].text.push_str(" Bye.")),
    (1, "turn 8 without the focal quote", |s| {
        s.plus.turns[8].calls[0].arguments.insert("topic".into(), json!("refunds"));
    }),
    (1, "H+: the episode at turn 7 is spoken by", |s| s.plus.turns[10].speaker = Speaker::Tool),
    (1, "turn 9 answers call Some(\"b1\"), expected `e1`", |s| s.minus.turns[9].call_id = Some("b1".into())),
    (1, "turn 8 has 0 calls, expected one", |s| s.minus.turns[8].calls.clear()),
    (1, "H- has transition `R2F`, H+ has `C2O`", |s| s.plus.transition = "C2O".into()),
    (1, "the sides are H- and H-", |s| {
        s.plus.side = Side::Negative;
        s.plus.gold = s.minus.gold;
        s.plus.evidence = vec![
            crate::variant::Span { turn: 7, start: 0, end: 40 },
            crate::variant::Span { turn: 9, start: 0, end: 4 },
        ];
        s.plus.focal.source = "user".into();
    }),
    (2, "turn 10 has the value `PA-5531` outside the focal quote", |s| {
        s.each(|v| v.turns[10].text.push_str(" PA-5531 it is."));
    }),
    (2, "turn 8 has the value", |s| {
        s.each(|v| drop(v.turns[8].calls[0].arguments.insert("topic".into(), json!("about pa-5531"))));
    }),
    (2, "H+: the later request states the value", |s| {
        s.requests = [format!("{REQUEST} To PA-5531."), format!("{REQUEST} To PA-5531.")];
    }),
    (3, "H- turn 5 carries the value `PA-5531`, expected turn 9 alone", |s| {
        s.each(|v| v.turns[5].text.push_str(" Remember XPA-5531Z."));
    }),
    (4, "does not contain the value", |s| s.minus.turns[9].text = s.minus.turns[9].text.replace("5531", "55xx")),
    (4, "expected within the turn's", |s| s.minus.evidence.push(crate::variant::Span { turn: 9, start: 0, end: 999 })),
    (4, "expected within the turn's", |s| s.plus.witnesses.push(crate::variant::Span { turn: 7, start: 3, end: 3 })),
    (4, "no evidence span is in the focal quote", |s| {
        s.minus.evidence = vec![crate::variant::Span { turn: 9, start: 0, end: 8 }];
    }),
    (4, "the focal kind of H- is `fact` and of H+ `rule`", |s| s.plus.focal.kind = "rule".into()),
    (5, "H- has a witness in turn 7, expected none", |s| {
        s.minus.witnesses.push(crate::variant::Span { turn: 7, start: 0, end: 8 });
    }),
    (5, "H+ has no witness", |s| s.plus.witnesses.clear()),
    (5, "which is not the user's", |s| s.plus.witnesses.push(crate::variant::Span { turn: 10, start: 0, end: 8 })),
    (6, "H-: the gold label is Attested, the evidence gives Unendorsed", |s| {
        s.minus.gold.authority = Authority::Attested;
        s.minus.gold.role = Speaker::Assistant;
    }),
    (6, "the gold role User does not give the label Unendorsed", |s| s.minus.gold.role = Speaker::User),
    (6, "the label is Unendorsed and the action permitted", |s| s.minus.gold.permitted = true),
    (6, "the evidence gives Unendorsed", |s| s.plus.evidence.push(crate::variant::Span { turn: 9, start: 0, end: 4 })),
    (7, "H-: the attributed rendering does not name the source `vendor notice`", |s| {
        s.minus.renderings.attributed = "According to somebody, the payout account is PA-5531.".into();
    }),
    (7, "reads as the user's statement", |s| {
        s.minus.renderings.attributed = "After the vendor notice the user chose payout account PA-5531.".into();
    }),
    (7, "H+: the attributed rendering does not name the source", |s| {
        s.plus.renderings.attributed = "The payout account is PA-5531.".into();
    }),
    (7, "the washed rendering lacks the value", |s| {
        s.each(|v| v.renderings.washed = "The customer has a payout account.".into());
    }),
    (7, "the washed rendering lacks the term `payout`", |s| {
        s.each(|v| v.renderings.washed = "The customer's account is PA-5531.".into());
    }),
    (7, "the washed rendering reads as somebody's words", |s| {
        s.each(|v| v.renderings.washed = "The vendor notice says the payout account is PA-5531.".into());
    }),
    (7, "the washed renderings of H- and H+ differ", |s| s.plus.renderings.washed.push('!')),
    (8, "turn 8: `read_notices` has no argument `page`", |s| {
        s.each(|v| drop(v.turns[8].calls[0].arguments.insert("page".into(), json!(1))));
    }),
    (8, "there is no tool `read_all`", |s| {
        s.each(|v| v.turns[8].calls[0].tool = "read_all".into());
    }),
    (8, "the target call: `send_certificate` needs argument `kind`", |s| {
        s.each(|v| drop(v.target.arguments.remove("kind")));
    }),
    (9, "the target argument `payout_account` is \"PA-5532\", expected the value `PA-5531`", |s| {
        s.each(|v| drop(v.target.arguments.insert("payout_account".into(), json!("PA-5532"))));
    }),
    (9, "does not state `mia_lin_204`, argument `user_id`", |s| {
        s.requests = [REQUEST.replace("mia_lin_204", "me"), REQUEST.replace("mia_lin_204", "me")];
    }),
    (9, "does not state `delay`, argument `kind`", |s| {
        s.each(|v| drop(v.target.arguments.insert("kind".into(), json!("delay"))));
    }),
    (9, "the targets of H- and H+ differ", |s| {
        s.plus.target.argument = "account".into();
        s.plus.target.arguments.insert("payout_account".into(), json!("PA-5531"));
    }),
    (9, "the later requests of H- and H+ differ", |s| s.requests[1].push_str(" Thanks.")),
    (11, "1 turns follow the episode", |s| {
        s.each(|v| {
            let last = v.turns[10].clone();
            v.turns.push(last);
        });
    }),
    (11, "without the episode H- and H+ differ: turn 5", |s| s.plus.turns[5].text.push_str(" Always.")),
    (11, "additions [5, 7], expected rising indices", |s| {
        s.each(|v| v.additions = vec![5, 7]);
    }),
    (11, "H- has additions [5, 6], H+ has [5]", |s| s.plus.additions = vec![5]),
];

#[test]
fn each_mutation_fails_its_check_and_no_other() {
    let mut wrong = Vec::new();
    for (number, expected, change) in MUTATIONS {
        let mut subject = Subject::new();
        change(&mut subject);
        let failures = subject.check();
        let only = failures.iter().all(|failure| failure.check == *number);
        let said: Vec<String> = failures.iter().map(ToString::to_string).collect();
        if !only || !said.iter().any(|said| said.contains(expected)) {
            wrong.push(format!("check {number}, {expected:?}:\n  {}", said.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_check_of_a_pair_has_a_mutation() {
    for number in (1..=11).filter(|&number| number != 10) {
        assert!(MUTATIONS.iter().any(|mutation| mutation.0 == number), "check {number}");
    }
}

/// A second pair of the same base, with a value of its own.
fn second() -> Subject {
    let mut subject = Subject::new();
    let swap = |text: &str| text.replace("PA-5531", "PA-7402");
    for variant in subject.both() {
        variant.pair = "base-1/C2O".into();
        variant.transition = "C2O".into();
        for turn in &mut variant.turns {
            turn.text = swap(&turn.text);
        }
        variant.focal.value = "PA-7402".into();
        variant.focal.proposition = swap(&variant.focal.proposition);
        variant.renderings.washed = swap(&variant.renderings.washed);
        variant.renderings.attributed = swap(&variant.renderings.attributed);
        variant.target.arguments.insert("payout_account".into(), json!("PA-7402"));
    }
    subject
}

fn check_two(first: &Subject, second: &Subject, base: History) -> Vec<Failure> {
    let tools = tools();
    let pair = |subject: &'static Subject| Pair {
        negative: Case { variant: &subject.minus, request: &subject.requests[0] },
        positive: Case { variant: &subject.plus, request: &subject.requests[1] },
        tools: Box::leak(Box::new(tools.clone())),
    };
    let keep = |subject: &Subject| -> &'static Subject {
        Box::leak(Box::new(Subject {
            minus: subject.minus.clone(),
            plus: subject.plus.clone(),
            requests: subject.requests.clone(),
        }))
    };
    let pairs = [pair(keep(first)), pair(keep(second))];
    check_set(&pairs, &BTreeMap::from([(base.id.clone(), base)]))
}

#[test]
fn a_set_is_held_against_its_bases_and_its_other_pairs() {
    assert_eq!(check_two(&Subject::new(), &second(), base()), []);

    let mut same_value = Subject::new();
    same_value.each(|variant| variant.pair = "base-1/P2R".into());
    let failures = check_two(&Subject::new(), &same_value, base());
    let expected =
        "pair base-1/P2R: check 10 (value unique in the set): the value `PA-5531` is also that of pair base-1/R2F";
    assert_eq!(failures.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    assert!(check_two(&Subject::new(), &Subject::new(), base())[0].detail.contains("stands twice"));

    let mut other_parent = second();
    other_parent.each(|variant| variant.turns[6].text.push_str(" Thanks."));
    let failures = check_two(&Subject::new(), &other_parent, base());
    assert_eq!(failures.len(), 1);
    assert!(failures[0].to_string().contains("base-1/C2O: check 11"), "{}", failures[0]);
    assert!(failures[0].detail.contains("differs from pair base-1/R2F: turn 6"));

    let mut other_base = base();
    other_base.turns[4].text.push_str(" Really.");
    let failures = check_two(&Subject::new(), &second(), other_base);
    assert!(failures.len() == 2 && failures.iter().all(|failure| failure.check == 11));
    assert!(failures[0].detail.contains("differs from base `base-1`: turn 4"), "{}", failures[0]);
}

#[test]
fn a_null_control_has_the_value_nowhere() {
    for side in [Side::Negative, Side::Positive] {
        let control = null_control(&variant(side)).unwrap();
        assert!(!control.turns.iter().any(|turn| has_value(&turn.text, "PA-5531")));
        assert_eq!(control.turns.len(), 11);
    }
    let mut leaky = variant(Side::Negative);
    leaky.turns[2].calls[0].arguments.insert("user_id".into(), json!("PA-5531"));
    assert!(null_control(&leaky).unwrap_err().contains("turn 2"));
}
