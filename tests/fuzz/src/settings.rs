//! What people write in TOML: suites of both kinds, projects, grants and the profiles of simulated models; and the metadata that
//! a component carries.

use weir_agent::Profile;
use weir_author::ProjectFile;
use weir_metadata::Metadata;
use weir_runtime::Grants;
use weir_runtime::grants::Asks;
use weir_suite::authority::AuthoritySuite;
use weir_suite::suite_file::Suite;

/// Every kind of file is tried. What is read keeps what its reader promises of it.
pub fn settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(suite) = Suite::parse("suite.toml", text) {
        assert!(!suite.policies.is_empty() && !suite.models.is_empty() && !suite.seeds.is_empty());
        assert!(suite.turns > 0 && suite.errors.iter().flat_map(|e| &e.rates).all(|rate| (0.0..=1.0).contains(rate)));
    }
    let _ = AuthoritySuite::parse("suite.toml", text);
    let _ = ProjectFile::parse(text);
    if let Ok(metadata) = serde_json::from_str::<Metadata>(text) {
        let written = serde_json::to_string(&metadata).unwrap();
        assert_eq!(serde_json::from_str::<Metadata>(&written).unwrap(), metadata);
        let _ = metadata.check();
    }
    if let Ok(grants) = toml::from_str::<Grants>(text) {
        for name in grants.plugin.keys().take(4) {
            let _ = (grants.profile(name), grants.roles(name, &Asks::of(None)));
        }
    }
    let _ = Profile::parse(text);
}
