use super::*;
use crate::backend::{ChatMessage, Speaker};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts what it is asked, and answers with the count.
struct Counter {
    identity: Identity,
    asked: AtomicU64,
    fails: bool,
}

impl Backend for Counter {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn ask(&self, _: &Ask) -> Result<Reply, ModelError> {
        let count = self.asked.fetch_add(1, Ordering::SeqCst);
        if self.fails {
            return Err(ModelError::Unavailable { model: "m".into(), detail: "down".into() });
        }
        // Long enough that a second thread with the same ask finds it under way.
        std::thread::sleep(std::time::Duration::from_millis(5));
        Ok(Reply { text: format!("answer {count}"), finish: "stop".into(), ..Reply::default() })
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}

fn counter(url: &str, fails: bool) -> Arc<Counter> {
    let details = BTreeMap::from([("base_url".to_owned(), url.to_owned())]);
    Arc::new(Counter { identity: Identity { name: "m".into(), details }, asked: AtomicU64::new(0), fails })
}

fn ask(text: &str, seed: u64) -> Ask {
    Ask {
        messages: vec![ChatMessage::new(Speaker::User, text)],
        tools: Vec::new(),
        schema: None,
        max_tokens: 10,
        temperature: 0.5,
        seed,
        ordinal: 0,
        repeat: 0,
    }
}

fn open(path: &Path, using: CassetteUse) -> Arc<Cassette> {
    Arc::new(Cassette::open(path, using).unwrap())
}

#[test]
fn what_is_recorded_is_not_asked_again_and_replays_without_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl.zst");
    let model = counter("http://a", false);
    let live = open(&path, CassetteUse::Read);
    let recorded = live.around("m", Some(model.clone())).unwrap();
    let texts: Vec<String> = [ask("a", 1), ask("b", 1), ask("a", 2), ask("a", 1)]
        .iter()
        .map(|ask| recorded.ask(ask).unwrap().text)
        .collect();
    assert_eq!(texts, ["answer 0", "answer 1", "answer 2", "answer 0"]);
    assert_eq!(model.asked.load(Ordering::SeqCst), 3);

    // As a kill leaves it, and closed.
    for close in [false, true] {
        if close {
            live.close().unwrap();
        }
        let before = std::fs::read(&path).unwrap();
        let replay = open(&path, CassetteUse::Only);
        assert_eq!(replay.len(), 3);
        let alone = replay.around("m", None).unwrap();
        assert_eq!(alone.identity(), model.identity());
        assert_eq!(alone.ask(&ask("b", 1)).unwrap().text, "answer 1");
        let error = alone.ask(&ask("c", 1)).unwrap_err().to_string();
        assert!(
            error.contains("no answer to this ask of seed 1 with 1 messages") && error.contains("\"c\""),
            "{error}"
        );
        assert!(!alone.ask(&ask("c", 1)).unwrap_err().is_transient());
        replay.close().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), before, "a replay changes nothing");
    }
}

#[test]
fn a_file_that_was_cut_short_keeps_its_whole_exchanges() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl.zst");
    let model = counter("http://a", false);
    let live = open(&path, CassetteUse::Read).around("m", Some(model.clone())).unwrap();
    live.ask(&ask("a", 1)).unwrap();
    let whole = std::fs::metadata(&path).unwrap().len();
    live.ask(&ask("b", 1)).unwrap();
    drop(live);
    let bytes = std::fs::read(&path).unwrap();
    for cut in usize::try_from(whole).unwrap() + 1..bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        assert!(Cassette::open(&path, CassetteUse::Only).is_err(), "a replay needs a whole file");
        let again = open(&path, CassetteUse::Read);
        assert_eq!(again.len(), 1);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), whole);
    }
    let again = open(&path, CassetteUse::Read).around("m", Some(model.clone())).unwrap();
    again.ask(&ask("a", 1)).unwrap();
    again.ask(&ask("b", 1)).unwrap();
    drop(again);
    assert_eq!(model.asked.load(Ordering::SeqCst), 3, "only what was lost is asked again");
    assert_eq!(open(&path, CassetteUse::Only).len(), 2);
}

#[test]
fn closed_files_with_the_same_exchanges_are_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |name: &str, asks: [Ask; 2]| {
        let path = folder.path().join(name);
        let cassette = open(&path, CassetteUse::Write);
        let model = Arc::new(Echo(counter("http://a", false).identity.clone()));
        let recorded = cassette.around("m", Some(model)).unwrap();
        asks.iter().for_each(|ask| assert!(recorded.ask(ask).is_ok()));
        cassette.close().unwrap();
        std::fs::read(path).unwrap()
    };
    assert_eq!(bytes("one", [ask("a", 1), ask("b", 1)]), bytes("two", [ask("b", 1), ask("a", 1)]));
}

/// Says what it was told.
struct Echo(Identity);

impl Backend for Echo {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn ask(&self, ask: &Ask) -> Result<Reply, ModelError> {
        Ok(Reply { text: ask.messages[0].content.clone(), ..Reply::default() })
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}

#[test]
fn threads_with_the_same_ask_get_one_answer() {
    let folder = tempfile::tempdir().unwrap();
    let model = counter("http://a", false);
    let cassette = open(&folder.path().join("c"), CassetteUse::Read);
    let recorded = cassette.around("m", Some(model.clone())).unwrap();
    let texts: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| recorded.ask(&ask("a", 1)).unwrap().text)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(texts.iter().all(|text| text == "answer 0"), "{texts:?}");
    assert_eq!(model.asked.load(Ordering::SeqCst), 1);
}

#[test]
fn a_failure_is_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let model = counter("http://a", true);
    let cassette = open(&folder.path().join("c"), CassetteUse::Read);
    let recorded = cassette.around("m", Some(model.clone())).unwrap();
    assert!(recorded.ask(&ask("a", 1)).is_err() && recorded.ask(&ask("a", 1)).is_err());
    assert_eq!(model.asked.load(Ordering::SeqCst), 2);
    assert!(cassette.is_empty());
}

#[test]
fn another_models_answers_are_refused_and_write_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let first = open(&path, CassetteUse::Read).around("m", Some(counter("http://a", false))).unwrap();
    first.ask(&ask("a", 1)).unwrap();
    drop(first);
    let error = open(&path, CassetteUse::Read).around("m", Some(counter("http://b", false))).err().unwrap().to_string();
    assert!(error.contains("base_url was http://a and is http://b"), "{error}");
    let error = open(&path, CassetteUse::Only).around("other", None).err().unwrap().to_string();
    assert!(error.contains("no answers of `other`; it has those of: m"), "{error}");
    let anew = open(&path, CassetteUse::Write);
    assert!(anew.is_empty());
    assert!(anew.around("m", Some(counter("http://b", false))).is_ok());
}

#[test]
fn two_runs_do_not_record_into_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let first = open(&path, CassetteUse::Read);
    for using in [CassetteUse::Read, CassetteUse::Write] {
        let error = Cassette::open(&path, using).err().unwrap().to_string();
        assert!(error.contains("another run records into it"), "{error}");
    }
    assert!(Cassette::open(&path, CassetteUse::Only).is_ok(), "who only reads is in nobody's way");
    drop(first);
    assert!(Cassette::open(&path, CassetteUse::Read).is_ok());
}

#[test]
fn what_is_no_cassette_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    for bytes in [&b"text"[..], b"", &zstd::bulk::compress(b"{\"format\":\"weir/cassette@9\"}\n", 1).unwrap()] {
        std::fs::write(&path, bytes).unwrap();
        let error = Cassette::open(&path, CassetteUse::Only).err().unwrap().to_string();
        assert!(error.contains("not a cassette"), "{error}");
    }
    assert!(matches!(Cassette::open(&folder.path().join("no"), CassetteUse::Only), Err(CassetteError::Io { .. })));
}
