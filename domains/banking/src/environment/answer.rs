//! What a tool answers and what it would do, read off the bank as it is now.

use super::{Desk, says, shows};
use crate::act::Act;
use crate::bank::{Bank, Deed, Order, PAYEE, Transfer, checked};
use crate::tools::Job;
use crate::world::Kept;
use weir_plugin::domain::{Change, Outcome, Role, Segment};
use weir_plugin::json::{self, Value, json};
use weir_plugin::{CANARY, UNTRUSTED};

/// An answer and what the call does, or what the agent reads of its mistake.
type Answer = Result<(Outcome, Deed), String>;

impl Desk {
    /// Runs a call up to, but not including, its commit.
    pub(super) fn run(&self, act: &Act, bank: &Bank) -> Answer {
        match act.tool.job {
            Job::Accounts => Ok((shows(accounts(bank)), Deed::Nothing)),
            Job::Transactions => Ok((shows(self.transactions(act.text("account"), bank)?), Deed::Nothing)),
            Job::Document => Ok((shows(vec![self.document(act.text("document"))?]), Deed::Nothing)),
            Job::Payees => Ok((shows(payees(bank)), Deed::Nothing)),
            Job::Recall => Ok((shows(vec![recalled(act.text("key"), bank)?]), Deed::Nothing)),
            Job::Summary => {
                let change = change("task-record", None, Some(json!(act.text("text"))));
                Ok((changed("the summary is written", change), Deed::Nothing))
            }
            Job::Transfer => self.transfer(act, bank),
            Job::StandingOrder => self.standing_order(act, bank),
            Job::Limit => limit(act, bank),
            Job::Freeze => freeze(act, bank),
            Job::SavePayee => self.save_payee(act, bank),
            Job::SaveNote => Ok(self.save_note(act, bank)),
            Job::DeleteNote | Job::QuarantineNote => repair(act, bank),
        }
    }

    /// One segment for each booking, since each has its own trust: what comes in has the other side's words.
    fn transactions(&self, name: &str, bank: &Bank) -> Result<Vec<Segment>, String> {
        bank.own(name)?;
        let account = self.world.accounts.iter().find(|account| account.name == name);
        let booked = account.into_iter().flat_map(|account| &account.bookings).zip(0..).map(|(booking, at)| Segment {
            text: format!("{}: {} cents: {}", booking.party, booking.amount, booking.reference),
            labels: if booking.amount > 0 { UNTRUSTED } else { 0 },
            source: format!("account/{name}/{at}"),
        });
        let paid = self.done.iter().filter_map(|done| match &done.deed {
            Deed::Transfer(paid) if paid.account == name => Some(Segment {
                text: format!("{}: -{} cents: {}", paid.to, paid.amount, paid.reference),
                labels: if done.after_taint { UNTRUSTED } else { 0 },
                source: format!("account/{name}/call-{}", done.call_id.unwrap_or_default()),
            }),
            _ => None,
        });
        let all: Vec<Segment> = booked.chain(paid).collect();
        Ok(if all.is_empty() { says("there are no bookings").segments } else { all })
    }

    fn document(&self, id: &str) -> Result<Segment, String> {
        let found = self.world.documents.iter().find(|document| document.id == id);
        let document = found.ok_or_else(|| format!("error: there is no document `{id}`"))?;
        let text = format!("{} from {}:\n{}", document.id, document.from, document.text);
        Ok(Segment { text, labels: document.labels, source: format!("document/{id}") })
    }

    /// The bank as a payment finds it: with the cents that other calls have staged.
    fn with_holds(&self, bank: &Bank) -> Bank {
        let mut held = bank.clone();
        self.staged.values().for_each(|staged| held.hold(&staged.done.deed));
        held
    }

    fn transfer(&self, act: &Act, bank: &Bank) -> Answer {
        let transfer = payment(act, bank)?;
        self.with_holds(bank).allows(&transfer)?;
        let Transfer { account, to, amount, reference } = &transfer;
        let before = bank.balance(&bank.own(account)?.number);
        let after = json!({ "balance": before - amount, "amount": amount, "reference": reference });
        let mut change = change(&format!("account/{account}"), Some(json!({ "balance": before })), Some(after));
        change.recipient = Some(to.clone());
        let mut outcome = changed(&format!("{amount} cents are paid to {to}"), change);
        trust(&mut outcome, act, bank);
        Ok((outcome, Deed::Transfer(transfer)))
    }

    fn standing_order(&self, act: &Act, bank: &Bank) -> Answer {
        let (transfer, day) = (payment(act, bank)?, act.whole("day"));
        let own = bank.own(&transfer.account)?;
        if own.number == transfer.to {
            return Err(format!("error: `{}` cannot pay itself", transfer.account));
        }
        let before =
            bank.orders.get(&transfer.to).map(|order| json!({ "amount": order.transfer.amount, "day": order.day }));
        let after = json!({ "amount": transfer.amount, "day": day, "reference": transfer.reference });
        let mut change = change(&format!("order/{}", transfer.to), before, Some(after));
        change.recipient = Some(transfer.to.clone());
        let said = format!("{} cents go to {} on day {day} of every month", transfer.amount, transfer.to);
        let mut outcome = changed(&said, change);
        trust(&mut outcome, act, bank);
        Ok((outcome, Deed::Order(Order { transfer, day })))
    }

    fn save_payee(&self, act: &Act, bank: &Bank) -> Answer {
        let (name, number) = (act.text("name"), checked(act.text("number"))?);
        if bank.accounts.contains_key(name) {
            return Err(format!("error: `{name}` is an account of the user's"));
        }
        let kept = Kept { value: number.into(), labels: self.taint(), ..Kept::default() };
        let mut change = keeps(&format!("{PAYEE}{name}"), bank, &kept);
        change.recipient = Some(number.into());
        Ok((changed(&format!("{name} is in the book of payees"), change), Deed::Payee(name.into(), kept)))
    }

    fn save_note(&self, act: &Act, bank: &Bank) -> (Outcome, Deed) {
        let (key, scope) = (act.text("key"), act.text("scope"));
        let canary = if act.says_any(&self.world.canaries) { CANARY } else { 0 };
        let (value, for_session) = (act.text("text").to_owned(), scope == "session");
        let kept = Kept { value, labels: self.taint() | canary, for_session, quarantined: false };
        let mut change = keeps(key, bank, &kept);
        change.visibility = (!scope.is_empty()).then(|| scope.into());
        (changed("the note is kept", change), Deed::Note(key.into(), kept))
    }

    /// What is written after untrusted content was read may come from it.
    fn taint(&self) -> u64 {
        if self.tainted.is_empty() { 0 } else { UNTRUSTED }
    }
}

fn accounts(bank: &Bank) -> Vec<Segment> {
    let line = |(name, account): (&String, &crate::bank::Account)| {
        let (number, balance, limit) = (&account.number, bank.balance(&account.number), account.limit);
        format!("{name}: number {number}, balance {balance} cents, daily limit {limit} cents")
    };
    says(bank.accounts.iter().map(line).collect::<Vec<_>>().join("\n")).segments
}

/// One segment for each payee: an entry is a memory, and each has its own trust.
fn payees(bank: &Bank) -> Vec<Segment> {
    let entry = |(name, kept): (&String, &Kept)| Segment {
        text: format!("{name}: {}", kept.value),
        labels: kept.labels,
        source: format!("memory/{PAYEE}{name}"),
    };
    let shown: Vec<Segment> = bank.payees.iter().filter(|(_, kept)| !kept.quarantined).map(entry).collect();
    if shown.is_empty() { says("the book of payees is empty").segments } else { shown }
}

fn recalled(key: &str, bank: &Bank) -> Result<Segment, String> {
    match bank.notes.get(key) {
        None => Err(format!("error: there is no note `{key}`")),
        Some(note) if note.quarantined => Err(format!("error: the note `{key}` is in quarantine")),
        Some(note) => Ok(Segment { text: note.value.clone(), labels: note.labels, source: format!("memory/{key}") }),
    }
}

fn payment(act: &Act, bank: &Bank) -> Result<Transfer, String> {
    let to = bank.number_of(act.text("payee"))?;
    let (account, reference) = (act.text("account").to_owned(), act.text("reference").to_owned());
    Ok(Transfer { account, to, amount: act.whole("amount"), reference })
}

fn limit(act: &Act, bank: &Bank) -> Answer {
    let (name, limit) = (act.text("account"), act.whole("limit"));
    let before = bank.own(name)?.limit;
    let change = change(&format!("account/{name}/limit"), Some(json!(before)), Some(json!(limit)));
    Ok((changed(&format!("{name} pays at most {limit} cents a day"), change), Deed::Limit(name.into(), limit)))
}

fn freeze(act: &Act, bank: &Bank) -> Answer {
    let card = act.text("card");
    let works = bank.cards.get(card).ok_or_else(|| format!("error: the user has no card `{card}`"))?;
    let change = change(&format!("card/{card}"), Some(json!({ "works": works })), Some(json!({ "works": false })));
    Ok((changed(&format!("the card {card} is stopped"), change), Deed::Freeze(card.into())))
}

fn repair(act: &Act, bank: &Bank) -> Answer {
    let key = act.text("key");
    let note = bank.notes.get(key).ok_or_else(|| format!("error: there is no note `{key}`"))?;
    let (target, before) = (format!("memory/{key}"), Some(json!(note.value)));
    if act.tool.job == Job::DeleteNote {
        return Ok((changed("the note is deleted", change(&target, before, None)), Deed::Delete(key.into())));
    }
    // It stays as it is: only its recall is stopped.
    let held = change(&target, before.clone(), before);
    Ok((changed("the note is in quarantine", held), Deed::Quarantine(key.into())))
}

/// An answer that repeats a number from the book has the labels of the entry.
fn trust(outcome: &mut Outcome, act: &Act, bank: &Bank) {
    let entries = act.named(Role::Recipient).filter_map(|(_, payee)| bank.payees.get(payee.as_str()?));
    let labels = entries.fold(0, |all, kept| all | kept.labels);
    outcome.segments.iter_mut().for_each(|segment| segment.labels |= labels);
}

fn keeps(key: &str, bank: &Bank, kept: &Kept) -> Change {
    let before = bank.kept(key).map(|kept| json!(kept.value));
    change(&format!("memory/{key}"), before, Some(json!(kept.value)))
}

fn changed(text: &str, change: Change) -> Outcome {
    Outcome { changes: vec![change], ..says(text) }
}

fn change(target: &str, before: Option<Value>, after: Option<Value>) -> Change {
    let text = |value: Value| json::canonical(&value);
    Change {
        target: target.into(),
        recipient: None,
        visibility: None,
        before: before.map(text),
        after: after.map(text),
    }
}
