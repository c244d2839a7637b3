//! Which plugins ship with Weir.

use crate::input::Member;
use weir_components::find;
use weir_suite::manifest::PluginEntry;
use weir_trace::json::sha256;

/// Whether a plugin is Weir's own. A run does not start where a plugin has a built-in's name and is another (of a run, the
/// name says enough: another build of Weir has other bytes); what was submitted must be this build's, to the byte.
pub(crate) fn is_built_in(plugin: &PluginEntry, member: &Member) -> bool {
    let known = find(&plugin.kind, &plugin.name);
    known.is_some_and(|known| member.submission.is_none() || sha256(known.bytes) == plugin.digest)
}
