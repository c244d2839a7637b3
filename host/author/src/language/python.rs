//! Plugins in Python: componentize-py puts the interpreter, the standard library and the project's modules into one component.

use crate::language::parts::{FOLDER, Parts, WORLD};
use crate::language::tool;
use crate::project_file::ProjectFile;
use std::path::{Path, absolute};
use std::process::Command;
use weir_suite::Error;

/// The command that installs what `weir build` needs.
pub(super) const INSTALL: &str = "python3 -m venv .venv && .venv/bin/pip install componentize-py==0.25.1";

/// The command that runs a project's own tests.
pub(super) const TEST: &str = "python3 -m unittest";

const TOOL: &str = "componentize-py";

/// The module in which componentize-py looks for the interface of that name.
const ENTRY: &str = "from guard import Guard
from weir_plugin.component import session

Session = session(Guard)
";

/// Builds the component.
pub(super) fn build(folder: &Path, file: &ProjectFile) -> Result<Vec<u8>, Error> {
    let folder = absolute(folder).map_err(|e| Error::io(folder, e))?;
    let program = tool::find(&folder, ".venv/bin", TOOL).ok_or_else(|| {
        tool::missing(&folder, "there is no `componentize-py` in .venv/bin or on the search path", INSTALL)
    })?;
    let parts = Parts::new(&folder, file)?;
    parts.write("policy.py", ENTRY)?;
    let mut command = Command::new(program);
    command.args(["--quiet", "--wit-path", &format!("{FOLDER}/wit"), "--world", WORLD]);
    // Stubs in the place of WASI: without them the component would need the compat profile, and with them it has no import but
    // what it asks of Weir.
    command.args(["componentize", "policy", "--stub-wasi", "--output", &format!("{FOLDER}/component.wasm")]);
    for path in [FOLDER, "src", "vendor"] {
        command.args(["--python-path", path]);
    }
    command.env_remove("PYTHONPATH");
    parts.run(TOOL, command, file)?;
    parts.take("component.wasm", file)
}
