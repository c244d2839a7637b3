//! 0.2.0: `transcript.find`, which says where a text was read, and fact 20.

use super::{Version, files};

pub(super) const VERSION: Version = Version { number: "0.2.0", wit: files!("") };
