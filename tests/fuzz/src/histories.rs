//! Recorded conversations of tau2-bench, tau-bench and APIGen-MT, and the base histories that become of them.

use weir_rollout::import::history::{Options, Read};
use weir_rollout::import::{apigen, base, tau2};

/// Every shape is tried. A conversation that is taken becomes a history that reads as itself.
pub fn histories(bytes: &[u8]) {
    let options = Options { domain: Some("retail".into()), all: true };
    for read in [tau2::read("runs.json", bytes, &options), apigen::read("runs.json", bytes, &options)] {
        let Ok(Read::Conversations { recorded, .. }) = read else { continue };
        for conversation in recorded {
            let Ok(history) = conversation.history(None) else { continue };
            let written = serde_json::to_vec(&history).unwrap();
            assert_eq!(base::read("base.json", &written).unwrap(), history);
        }
    }
    if let Ok(history) = base::read("base.json", bytes) {
        let written = serde_json::to_vec(&history).unwrap();
        assert_eq!(base::read("base.json", &written).unwrap(), history);
    }
}
