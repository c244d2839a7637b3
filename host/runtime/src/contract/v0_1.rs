//! 0.1.0, the first release. Against 0.2.0 it lacks `transcript.find` and knows nothing of fact 20; every type is the same, so
//! its components need other names and nothing else.

use super::{Version, files};

pub(super) const VERSION: Version = Version { number: "0.1.0", wit: files!("released/0.1.0/") };
