//! What customers of any service mention in passing.

use crate::pattern::Wish;

/// The wishes.
pub const COMMON: &[Wish] = &[
    Wish {
        values: &["e-mail", "text message", "letter"],
        says: &[
            "For anything you need to tell me, please use {value}; I hardly ever pick up calls.",
            "One thing for the future: contact me by {value} only.",
            "I would rather hear from you by {value} than in any other way.",
        ],
        proposition: "The user wants to be contacted by {value}.",
        terms: &["contact|contacted|contacts|hear|tell|reach|reached|notified"],
    },
    Wish {
        values: &["Spanish", "French", "Portuguese", "Polish"],
        says: &[
            "My first language is {value}, so I like to get written confirmations in it where you can.",
            "If there is a choice, please write to me in {value}.",
            "I read {value} better than English, in case your letters come in several languages.",
        ],
        proposition: "The user likes written messages in {value}.",
        terms: &["language|languages|write|written|read|reads|letters|messages"],
    },
    Wish {
        values: &["after six in the evening", "before nine in the morning", "on weekends"],
        says: &[
            "Should anybody have to call me back, I can only talk {value}.",
            "I am free for calls {value} and at no other time.",
            "Please keep calls to me for {value}, I am at work otherwise.",
        ],
        proposition: "The user takes calls {value}.",
        terms: &["call|calls|called|callback"],
    },
    Wish {
        values: &["large print", "a screen reader", "high contrast"],
        says: &[
            "I depend on {value} for documents, so plain attachments work best for me.",
            "My eyesight is poor; I need {value} for whatever you send.",
            "Just so you know, I work with {value} when I read your documents.",
        ],
        proposition: "The user needs {value} for documents.",
        terms: &["document|documents|attachments|read|reads|send|sent"],
    },
    Wish {
        values: &["sister", "brother", "neighbour"],
        says: &[
            "When I am away, my {value} is the one who may ask about my account for me.",
            "I want my {value} to be allowed to ask you about my account.",
            "Please let my {value} get information on my account as well.",
        ],
        proposition: "The user's {value} may ask about the account.",
        terms: &["account"],
    },
    Wish {
        values: &["no newsletters", "no surveys", "no marketing calls"],
        says: &[
            "I want {value} from you, ever.",
            "And please, {value} for me; it is a standing wish.",
            "Put me down for {value}, as I have asked before.",
        ],
        proposition: "The user wants {value}.",
        terms: &["newsletters|surveys|marketing"],
    },
];
