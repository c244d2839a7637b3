//! What writers wrote, kept for a while: every arm and model of a history begins with the same memories.

use super::suite_file::ViewName;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Answers that are kept: all of a usual suite, at some kilobytes each, so that Module C need not ask again for what Module A
/// has; and no more, however many bases there are.
const KEPT: usize = 16_384;

/// A writer, its view and a history, by their positions.
pub(crate) type Key = (usize, ViewName, usize);

/// The last answers.
pub(crate) struct Kept<T>(Mutex<Inner<T>>);

struct Inner<T> {
    answers: BTreeMap<Key, Arc<T>>,
    /// Oldest first.
    order: VecDeque<Key>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Kept(Mutex::new(Inner { answers: BTreeMap::new(), order: VecDeque::new() }))
    }
}

impl<T> Kept<T> {
    /// The answer under a key, or a new one. Two threads may both make it: they make the same.
    ///
    /// # Errors
    /// Those of `make`; none is kept.
    pub(crate) fn get<E>(&self, key: Key, make: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().answers.get(&key) {
            return Ok(Arc::clone(known));
        }
        let answer = Arc::new(make()?);
        let mut inner = lock();
        if inner.answers.insert(key, Arc::clone(&answer)).is_none() {
            inner.order.push_back(key);
        }
        if inner.order.len() > KEPT
            && let Some(oldest) = inner.order.pop_front()
        {
            inner.answers.remove(&oldest);
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_made_once_for_each_key_and_the_oldest_go() {
        let kept = Kept::default();
        let mut made = 0;
        let mut get = |case: usize, view: ViewName| {
            let before = made;
            let answer = kept.get((0, view, case), || {
                made += 1;
                Ok::<_, ()>(case)
            });
            (*answer.unwrap(), made > before)
        };
        assert_eq!(get(0, ViewName::Full), (0, true));
        assert_eq!(get(0, ViewName::Full), (0, false));
        assert_eq!(get(0, ViewName::Native), (0, true), "another view is another answer");
        for case in 1..KEPT {
            assert_eq!(get(case, ViewName::Full), (case, true));
        }
        assert_eq!(get(0, ViewName::Full), (0, true), "it was the oldest");
        assert_eq!(get(KEPT - 1, ViewName::Full), (KEPT - 1, false));
    }

    #[test]
    fn a_failure_is_not_kept() {
        let kept: Kept<u8> = Kept::default();
        let key = (0, ViewName::Full, 0);
        assert_eq!(kept.get(key, || Err("host")), Err("host"));
        assert_eq!(kept.get(key, || Ok::<_, &str>(7)).map(|answer| *answer), Ok(7));
    }
}
