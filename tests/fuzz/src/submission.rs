//! What a submission brings to a leaderboard: its TOML files, its plan, and the envelopes and keys of those who sign.

use weir_leaderboard::board::Config;
use weir_leaderboard::{Attestation, PublicKey, Submission};
use weir_suite::published::Published;

/// Every kind of file is tried. What is read is the same when it is written and read again, and leads nowhere outside of its
/// folder.
pub fn submission(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(submission) = Submission::parse("submission.toml", text) {
        assert_eq!(Submission::parse("again", &submission.text().unwrap()).unwrap(), submission);
        let inside = |path: &String| !path.starts_with('/') && !path.split('/').any(|part| part == "..");
        assert!(submission.files.keys().all(inside));
    }
    if let Ok(config) = Config::parse("leaderboard.toml", text) {
        let inside = |id: &str| !id.is_empty() && !id.contains(['/', '.']);
        assert!(config.tracks.iter().all(|track| inside(&track.id)));
    }
    if let Ok(attestations) = Attestation::read_bundle("bundle", text) {
        for one in attestations {
            assert!(!one.is_signed_by(&PublicKey::of_pem(KEY).unwrap()), "nobody has the secret half of this key");
        }
    }
    if let Ok(plan) = Published::parse(text) {
        assert_eq!(Published::parse(&plan.text()), Ok(plan));
    }
    let _ = PublicKey::of_pem(text);
}

/// The public key of RFC 8032's first test, with another last byte.
const KEY: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURs=
-----END PUBLIC KEY-----
";
