//! The bank itself: double entry, numbers, and what it refuses.

use crate::bank::{Bank, Deed, PAYEE, Transfer, checked, number};
use crate::world::{Account, Kept, World};
use weir_plugin::scenario::Seed;

fn account(name: &str, body: u64, balance: i64) -> Account {
    Account { name: name.into(), number: number(body), balance, limit: 500, bookings: Vec::new() }
}

fn world() -> World {
    let ada = Kept { value: number(7), ..Kept::default() };
    World {
        accounts: vec![account("current", 1, 1_000), account("savings", 2, 5_000)],
        payees: [("Ada Press".to_owned(), ada)].into(),
        cards: vec!["card-1".into()],
        ..World::default()
    }
}

fn bank() -> Bank {
    Bank::open(&world())
}

fn transfer(account: &str, to: u64, amount: i64, reference: &str) -> Transfer {
    Transfer { account: account.into(), to: number(to), amount, reference: reference.into() }
}

fn refused(bank: &Bank, transfer: &Transfer) -> String {
    bank.allows(transfer).unwrap_err()
}

#[test]
fn the_sum_of_all_balances_never_changes() {
    let sum = |bank: &Bank| bank.balances.values().sum::<i64>();
    let mut draw = Seed::of(&["payments"]);
    let mut bank = bank();
    let mut made = 0;
    for turn in 0..2_000 {
        let from = draw.pick(&["current", "savings"]);
        let amount = i64::try_from(draw.between(1, 40)).unwrap();
        let payment = transfer(from, draw.between(1, 9), amount, &turn.to_string());
        if bank.allows(&payment).is_ok() {
            bank.make(&Deed::Transfer(payment));
            made += 1;
        }
        if turn % 5 == 0 {
            bank.new_day();
        }
        assert_eq!(sum(&bank), 6_000);
        assert!(["current", "savings"].iter().all(|name| bank.balance(&bank.accounts[*name].number) >= 0));
    }
    assert!(made > 50, "only {made} payments were made");
}

#[test]
fn what_one_account_gives_another_gets() {
    let mut bank = bank();
    bank.make(&Deed::Transfer(transfer("current", 7, 300, "a")));
    bank.make(&Deed::Transfer(transfer("savings", 1, 50, "b")));
    let balance = |body| bank.balance(&number(body));
    assert_eq!((balance(1), balance(2), balance(7)), (750, 4_950, 300));
}

#[test]
fn more_than_there_is_cannot_be_paid_and_what_is_staged_is_not_there() {
    let mut bank = bank();
    bank.make(&Deed::Limit("current".into(), 10_000));
    assert_eq!(bank.allows(&transfer("current", 7, 1_000, "a")), Ok(()));
    let less = "error: `current` has 1000 cents, which is less than 1001";
    assert_eq!(refused(&bank, &transfer("current", 7, 1_001, "a")), less);
    let mut held = bank.clone();
    held.hold(&Deed::Transfer(transfer("current", 7, 600, "b")));
    held.hold(&Deed::Transfer(transfer("savings", 1, 900, "c")));
    assert_eq!(held.allows(&transfer("current", 7, 400, "a")), Ok(()));
    assert!(refused(&held, &transfer("current", 7, 401, "a")).contains("has 400 cents"), "nobody has what is held");
}

#[test]
fn the_daily_limit_counts_payments_to_others_and_begins_anew_every_day() {
    let mut bank = bank();
    bank.make(&Deed::Transfer(transfer("current", 2, 400, "to savings")));
    bank.make(&Deed::Transfer(transfer("current", 7, 300, "a")));
    let refusal = "error: `current` pays at most 500 cents a day, and has paid 300 today";
    assert_eq!(refused(&bank, &transfer("current", 8, 201, "b")), refusal);
    assert_eq!(bank.allows(&transfer("current", 8, 200, "b")), Ok(()));
    assert_eq!(bank.allows(&transfer("savings", 8, 500, "b")), Ok(()), "each account has its own");
    bank.new_day();
    assert_eq!(bank.allows(&transfer("current", 8, 201, "b")), Ok(()));
}

#[test]
fn the_same_payment_twice_in_a_day_is_a_duplicate() {
    let mut bank = bank();
    let payment = transfer("current", 7, 100, "a");
    bank.make(&Deed::Transfer(payment.clone()));
    assert!(refused(&bank, &payment).contains("was made today"));
    assert_eq!(bank.allows(&transfer("current", 7, 100, "b")), Ok(()));
    bank.new_day();
    assert_eq!(bank.allows(&payment), Ok(()));
}

#[test]
fn an_account_cannot_pay_itself_and_must_be_the_users() {
    assert_eq!(refused(&bank(), &transfer("current", 1, 100, "a")), "error: `current` cannot pay itself");
    assert_eq!(refused(&bank(), &transfer("secret", 7, 100, "a")), "error: the user has no account `secret`");
}

#[test]
fn a_payee_is_a_name_in_the_book_an_own_account_or_a_number() {
    let mut bank = bank();
    assert_eq!(bank.number_of("Ada Press"), Ok(number(7)));
    assert_eq!(bank.number_of("savings"), Ok(number(2)));
    assert_eq!(bank.number_of(&number(123)), Ok(number(123)));
    assert!(bank.number_of("Bob").unwrap_err().contains("`Bob` is not in the book of payees"));
    bank.make(&Deed::Quarantine(format!("{PAYEE}Ada Press")));
    assert!(bank.number_of("Ada Press").unwrap_err().contains("in quarantine"));
    bank.make(&Deed::Delete(format!("{PAYEE}Ada Press")));
    assert!(bank.number_of("Ada Press").unwrap_err().contains("not in the book"));
}

#[test]
fn one_wrong_digit_or_two_exchanged_ones_are_found() {
    let right = number(4_821_093);
    assert_eq!(checked(&right), Ok(right.as_str()));
    for at in 2..right.len() {
        let mut wrong = right.clone().into_bytes();
        wrong[at] = if wrong[at] == b'9' { b'0' } else { wrong[at] + 1 };
        assert!(checked(&String::from_utf8(wrong).unwrap()).unwrap_err().contains("check digits"), "digit {at}");
        let mut exchanged = right.clone().into_bytes();
        if at + 1 < exchanged.len() && exchanged[at] != exchanged[at + 1] {
            exchanged.swap(at, at + 1);
            assert!(checked(&String::from_utf8(exchanged).unwrap()).is_err(), "digits {at} and {}", at + 1);
        }
    }
    for text in ["", "XB", "XB12", "XB1234567890123", "GB2912345678", "XBab12345678", "XB+112345678"] {
        assert!(checked(text).is_err(), "{text}");
    }
}

#[test]
fn a_note_for_the_session_is_gone_the_next_day() {
    let mut bank = bank();
    let note = |for_session| Kept { value: "x".into(), for_session, ..Kept::default() };
    bank.make(&Deed::Note("a".into(), note(true)));
    bank.make(&Deed::Note("b".into(), note(false)));
    bank.new_day();
    assert_eq!(bank.notes.keys().collect::<Vec<_>>(), ["b"]);
}
