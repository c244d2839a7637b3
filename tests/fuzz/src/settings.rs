//! What people write in TOML: suites of both kinds, projects, manifests, grants and the profiles of simulated models.

use weir_agent::Profile;
use weir_author::ProjectFile;
use weir_runtime::{Grants, Manifest};
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
    if let Ok(project) = ProjectFile::parse(text) {
        // The manifest beside the component is written from it, and read by the loader.
        let written = toml::to_string(&project.manifest()).unwrap();
        assert_eq!(toml::from_str::<Manifest>(&written).unwrap(), project.manifest());
    }
    if let Ok(manifest) = toml::from_str::<Manifest>(text) {
        let written = toml::to_string(&manifest).unwrap();
        assert_eq!(toml::from_str::<Manifest>(&written).unwrap(), manifest);
    }
    if let Ok(grants) = toml::from_str::<Grants>(text) {
        for name in grants.plugin.keys().take(4) {
            let _ = (grants.profile(name), grants.roles(name, &Manifest::default()));
        }
    }
    let _ = Profile::parse(text);
}
