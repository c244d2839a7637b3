//! How many requests are under way at once. The limit adapts to the server as TCP does to a network: it grows by about one
//! for each round of answers, and falls by a fifth where the server says that it is too much.

use super::failure::Kind;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What remains of the limit after a 429.
const CUT: f64 = 0.8;

/// Gives out places for requests.
pub(crate) struct Gate {
    most: f64,
    window: Duration,
    state: Mutex<State>,
    free: Condvar,
}

struct State {
    /// At least 1; its whole part counts.
    limit: f64,
    in_flight: u32,
    /// Threads that wait for a place.
    queued: u32,
    /// No second cut before this: the requests that were under way together are refused together.
    next_cut: Option<Instant>,
    /// No growth before this.
    next_growth: Option<Instant>,
    /// Asks that wait before their next attempt: until when, and why.
    waits: BTreeMap<u64, (Instant, String)>,
    next_wait: u64,
}

/// A place for one request, given back when it is dropped.
pub(crate) struct Place<'a>(&'a Gate);

impl Gate {
    /// A gate that begins with `start` places and never has more than `most`. Within `window` after a cut there is no other,
    /// and after trouble no growth.
    pub(crate) fn new(start: u32, most: u32, window: Duration) -> Gate {
        let most = most.max(1);
        let state = State {
            limit: f64::from(start.clamp(1, most)),
            in_flight: 0,
            queued: 0,
            next_cut: None,
            next_growth: None,
            waits: BTreeMap::new(),
            next_wait: 0,
        };
        Gate { most: f64::from(most), window, state: Mutex::new(state), free: Condvar::new() }
    }

    /// Waits for a place.
    pub(crate) fn enter(&self) -> Place<'_> {
        let mut state = self.lock();
        state.queued += 1;
        while state.in_flight >= state.places() {
            state = self.free.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.queued -= 1;
        state.in_flight += 1;
        Place(self)
    }

    /// Adapts the limit to how a request ended at this time.
    pub(crate) fn learn(&self, failure: Option<Kind>, now: Instant) {
        let mut state = self.lock();
        let over = |until: Option<Instant>| until.is_none_or(|until| now >= until);
        match failure {
            // Only if the limit was what held it back: a limit that is not in use has proved nothing.
            None if over(state.next_growth) && state.in_flight >= state.places() => {
                state.limit = (state.limit + 1.0 / state.limit).min(self.most);
            }
            Some(Kind::Throttled) if over(state.next_cut) => {
                state.limit = (state.limit * CUT).max(1.0);
                state.next_cut = now.checked_add(self.window);
            }
            Some(Kind::Troubled) => state.next_growth = now.checked_add(self.window),
            _ => {}
        }
    }

    /// Waits before the next attempt, without a place, and visibly.
    pub(crate) fn back_off(&self, wait: Duration, why: &str) {
        let ticket = {
            let mut state = self.lock();
            let ticket = state.next_wait;
            state.next_wait += 1;
            let now = Instant::now();
            state.waits.insert(ticket, (now.checked_add(wait).unwrap_or(now), why.to_owned()));
            ticket
        };
        std::thread::sleep(wait);
        self.lock().waits.remove(&ticket);
    }

    /// Requests under way, and how many may be.
    pub(crate) fn places(&self) -> (u32, u32) {
        let state = self.lock();
        (state.in_flight, state.places())
    }

    /// What is being waited for at this time, in words.
    pub(crate) fn waiting(&self, now: Instant) -> Option<String> {
        let state = self.lock();
        let mut parts = Vec::new();
        if let Some((until, why)) = state.waits.values().min_by_key(|(until, _)| *until) {
            let seconds = until.saturating_duration_since(now).as_secs_f64().ceil();
            let asks = match state.waits.len() {
                1 => "1 ask waits".to_owned(),
                asks => format!("{asks} asks wait, the first"),
            };
            parts.push(format!("{asks} {seconds} s after {why}"));
        }
        if state.queued > 0 {
            parts.push(format!("{} queue for {} places", state.queued, state.places()));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn places(&self) -> u32 {
        // Between 1 and `most`, which is a u32.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let places = self.limit as u32;
        places
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.in_flight = state.in_flight.saturating_sub(1);
        // The limit may have grown by one since the last place was given back.
        for _ in 0..state.places().saturating_sub(state.in_flight).min(state.queued) {
            self.0.free.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_secs(10);

    fn limit(gate: &Gate) -> u32 {
        gate.places().1
    }

    #[test]
    fn a_429_takes_a_fifth_once_a_window_and_never_the_last_place() {
        let (gate, start) = (Gate::new(10, 64, WINDOW), Instant::now());
        for _ in 0..5 {
            gate.learn(Some(Kind::Throttled), start);
        }
        assert_eq!(limit(&gate), 8);
        gate.learn(Some(Kind::Throttled), start + WINDOW);
        assert_eq!(limit(&gate), 6);
        for window in 2..40 {
            gate.learn(Some(Kind::Throttled), start + WINDOW * window);
        }
        assert_eq!(limit(&gate), 1);
    }

    #[test]
    fn answers_add_about_one_place_a_round_while_all_are_in_use() {
        let (gate, now) = (Gate::new(4, 6, WINDOW), Instant::now());
        gate.learn(None, now);
        assert_eq!(limit(&gate), 4, "nothing was under way");
        let _places = [gate.enter(), gate.enter(), gate.enter(), gate.enter()];
        for _ in 0..4 {
            gate.learn(None, now);
        }
        assert_eq!(limit(&gate), 4, "4 + 1/4 + 1/4.25 + ... is just below 5");
        gate.learn(None, now);
        assert_eq!(limit(&gate), 5);
        let _places = gate.enter();
        for _ in 0..50 {
            gate.learn(None, now);
        }
        let _places = gate.enter();
        gate.learn(None, now);
        assert_eq!(limit(&gate), 6, "never more than configured");
    }

    #[test]
    fn trouble_pauses_growth_and_takes_no_place() {
        let (gate, now) = (Gate::new(1, 64, WINDOW), Instant::now());
        let _place = gate.enter();
        gate.learn(Some(Kind::Troubled), now);
        gate.learn(None, now);
        assert_eq!(limit(&gate), 1);
        gate.learn(None, now + WINDOW);
        assert_eq!(limit(&gate), 2);
    }

    #[test]
    fn what_is_waited_for_is_told_with_reason_and_number() {
        let (gate, now) = (Gate::new(1, 1, WINDOW), Instant::now());
        assert_eq!(gate.waiting(now), None);
        let why = "429 Too Many Requests".to_owned();
        gate.lock().waits.insert(0, (now + Duration::from_millis(11_200), why.clone()));
        assert_eq!(gate.waiting(now).unwrap(), "1 ask waits 12 s after 429 Too Many Requests");
        gate.lock().waits.insert(1, (now + Duration::from_secs(3), why));
        gate.lock().queued = 5;
        let told = gate.waiting(now).unwrap();
        assert_eq!(told, "2 asks wait, the first 3 s after 429 Too Many Requests; 5 queue for 1 places");
    }
}
