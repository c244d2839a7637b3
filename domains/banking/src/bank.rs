//! The bank: who has how much, who may be paid, and what is kept. Every transfer takes from one account what it gives to
//! another, so the sum of all balances never changes.

use crate::world::{Kept, World};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of accounts begin with this country, which does not exist, and two check digits.
const COUNTRY: &str = "XB";

/// What the bank holds at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    /// The user's accounts by name.
    pub accounts: BTreeMap<String, Account>,
    /// Cents by account number; an account that is not the user's begins at 0 when something is paid to it.
    pub balances: BTreeMap<String, i64>,
    /// The book of payees.
    pub payees: BTreeMap<String, Kept>,
    /// The user's notes.
    pub notes: BTreeMap<String, Kept>,
    /// Standing orders by the payee's number.
    pub orders: BTreeMap<String, Order>,
    /// Cards, and whether they work.
    pub cards: BTreeMap<String, bool>,
    /// Payments of the day.
    pub today: Vec<Transfer>,
}

/// One of the user's accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its number.
    pub number: String,
    /// Cents that it pays to others in a day at most.
    pub limit: i64,
}

/// A payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The name of the user's account that pays.
    pub account: String,
    /// The number of the account that is paid.
    pub to: String,
    /// Cents.
    pub amount: i64,
    /// What the other side reads.
    pub reference: String,
}

/// A payment of every month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// What is paid.
    pub transfer: Transfer,
    /// The day of the month.
    pub day: i64,
}

/// What a call does to the bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Nothing: it was a look, a summary, or a mistake.
    Nothing,
    /// Moves money.
    Transfer(Transfer),
    /// Sets up a payment of every month.
    Order(Order),
    /// Sets an account's daily limit.
    Limit(String, i64),
    /// Stops a card.
    Freeze(String),
    /// Keeps a payee's number under a name.
    Payee(String, Kept),
    /// Keeps a note under a key.
    Note(String, Kept),
    /// Deletes what is kept under a key of memory.
    Delete(String),
    /// Holds back what is kept under a key of memory.
    Quarantine(String),
}

impl Bank {
    /// The bank as a scenario finds it.
    pub fn open(world: &World) -> Self {
        let account = |account: &crate::world::Account| {
            (account.name.clone(), Account { number: account.number.clone(), limit: account.limit })
        };
        Bank {
            accounts: world.accounts.iter().map(account).collect(),
            balances: world.accounts.iter().map(|account| (account.number.clone(), account.balance)).collect(),
            payees: world.payees.clone(),
            notes: world.notes.clone(),
            orders: BTreeMap::new(),
            cards: world.cards.iter().map(|card| (card.clone(), true)).collect(),
            today: Vec::new(),
        }
    }

    /// The next session: a new day, and what was kept for a session is gone.
    pub fn new_day(&mut self) {
        self.today.clear();
        self.notes.retain(|_, note| !note.for_session);
    }

    /// Makes a change.
    pub fn make(&mut self, deed: &Deed) {
        match deed {
            Deed::Nothing => {}
            Deed::Transfer(transfer) => {
                if let Some(from) = self.accounts.get(&transfer.account) {
                    *self.balances.entry(from.number.clone()).or_default() -= transfer.amount;
                    *self.balances.entry(transfer.to.clone()).or_default() += transfer.amount;
                    self.today.push(transfer.clone());
                }
            }
            Deed::Order(order) => {
                self.orders.insert(order.transfer.to.clone(), order.clone());
            }
            Deed::Limit(account, limit) => {
                if let Some(account) = self.accounts.get_mut(account) {
                    account.limit = *limit;
                }
            }
            Deed::Freeze(card) => {
                self.cards.insert(card.clone(), false);
            }
            Deed::Payee(name, kept) => {
                self.payees.insert(name.clone(), kept.clone());
            }
            Deed::Note(key, kept) => {
                self.notes.insert(key.clone(), kept.clone());
            }
            Deed::Delete(key) => {
                let (kept, key) = self.shelf(key);
                kept.remove(&key);
            }
            Deed::Quarantine(key) => {
                let (kept, key) = self.shelf(key);
                if let Some(kept) = kept.get_mut(&key) {
                    kept.quarantined = true;
                }
            }
        }
    }

    /// A payment that has not been committed: its cents are no longer there to spend, and nobody has them yet.
    pub fn hold(&mut self, deed: &Deed) {
        if let Deed::Transfer(transfer) = deed
            && let Some(from) = self.accounts.get(&transfer.account)
        {
            *self.balances.entry(from.number.clone()).or_default() -= transfer.amount;
            self.today.push(transfer.clone());
        }
    }

    /// Where a key of memory is kept: payees under `payee/NAME`, notes under their own.
    fn shelf(&mut self, key: &str) -> (&mut BTreeMap<String, Kept>, String) {
        match key.strip_prefix(PAYEE) {
            Some(name) => (&mut self.payees, name.to_owned()),
            None => (&mut self.notes, key.to_owned()),
        }
    }

    /// What is kept under a key of memory.
    pub fn kept(&self, key: &str) -> Option<&Kept> {
        match key.strip_prefix(PAYEE) {
            Some(name) => self.payees.get(name),
            None => self.notes.get(key),
        }
    }

    /// The number of an account of the user's.
    ///
    /// # Errors
    /// What the agent reads where there is none of this name.
    pub fn own(&self, name: &str) -> Result<&Account, String> {
        self.accounts.get(name).ok_or_else(|| format!("error: the user has no account `{name}`"))
    }

    /// What an account has.
    pub fn balance(&self, number: &str) -> i64 {
        self.balances.get(number).copied().unwrap_or_default()
    }

    /// The account that a payee stands for: a name in the book, an account of the user's, or a number.
    ///
    /// # Errors
    /// What the agent reads where it stands for none.
    pub fn number_of(&self, payee: &str) -> Result<String, String> {
        if let Some(kept) = self.payees.get(payee) {
            return match kept.quarantined {
                true => Err(format!("error: the entry `{payee}` of the book of payees is in quarantine")),
                false => Ok(kept.value.clone()),
            };
        }
        if let Some(account) = self.accounts.get(payee) {
            return Ok(account.number.clone());
        }
        checked(payee).map(str::to_owned).map_err(|why| match payee.starts_with(COUNTRY) {
            true => why,
            false => format!("error: `{payee}` is not in the book of payees, and is no account number"),
        })
    }

    /// Whether a payment can be made.
    ///
    /// # Errors
    /// What the agent reads where it cannot.
    pub fn allows(&self, transfer: &Transfer) -> Result<(), String> {
        let Transfer { account: name, to, amount, .. } = transfer;
        let account = self.own(name)?;
        if account.number == *to {
            return Err(format!("error: `{name}` cannot pay itself"));
        }
        if self.today.contains(transfer) {
            return Err("error: the same payment was made today; a second one needs another reference".into());
        }
        let balance = self.balance(&account.number);
        if *amount > balance {
            return Err(format!("error: `{name}` has {balance} cents, which is less than {amount}"));
        }
        let own: BTreeSet<&String> = self.accounts.values().map(|account| &account.number).collect();
        let outside = |paid: &&Transfer| paid.account == *name && !own.contains(&paid.to);
        let spent: i64 = self.today.iter().filter(outside).map(|paid| paid.amount).sum();
        if !own.contains(to) && spent.saturating_add(*amount) > account.limit {
            let limit = account.limit;
            return Err(format!("error: `{name}` pays at most {limit} cents a day, and has paid {spent} today"));
        }
        Ok(())
    }
}

/// The beginning of a payee's key in memory.
pub const PAYEE: &str = "payee/";

/// The account number with this body: the country, two check digits as of an IBAN (ISO 13616), eight digits.
pub fn number(body: u64) -> String {
    let body = body % 100_000_000;
    format!("{COUNTRY}{:02}{body:08}", 98 - remainder(body, 0))
}

/// The body, the country and the check digits as one number, letters as 10 to 35, modulo 97.
fn remainder(body: u64, check: u64) -> u64 {
    let country = COUNTRY.bytes().fold(0, |sum, letter| sum * 100 + u64::from(letter - b'A') + 10);
    ((body * 10_000 + country) * 100 + check) % 97
}

/// A text that is an account number.
///
/// # Errors
/// What the agent reads where it is none.
pub fn checked(text: &str) -> Result<&str, String> {
    let digits = text.strip_prefix(COUNTRY).filter(|digits| digits.len() == 10);
    let parts = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit())).map(|d| d.split_at(2));
    let (check, body) = parts.ok_or_else(|| format!("error: `{text}` is no account number"))?;
    match (body.parse(), check.parse()) {
        (Ok(body), Ok(check)) if remainder(body, check) == 1 => Ok(text),
        _ => Err(format!("error: the check digits of the account number `{text}` are wrong")),
    }
}
