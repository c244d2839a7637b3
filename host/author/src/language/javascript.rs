//! Plugins in JavaScript: rolldown makes one module of the project's, and jco puts it and QuickJS into one component.

use crate::language::parts::{FOLDER, Parts, WORLD};
use crate::language::tool;
use crate::project_file::ProjectFile;
use std::path::{Path, absolute};
use std::process::Command;
use weir_suite::Error;

/// The command that installs what `weir build` needs, in the versions of package.json.
pub(super) const INSTALL: &str = "npm install";

/// The command that runs a project's own tests.
pub(super) const TEST: &str = "node --test";

/// Builds the component.
pub(super) fn build(folder: &Path, file: &ProjectFile) -> Result<Vec<u8>, Error> {
    let folder = absolute(folder).map_err(|e| Error::io(folder, e))?;
    let found = |name: &str| {
        let what = format!("there is no `{name}` in node_modules/.bin or on the search path");
        tool::find(&folder, "node_modules/.bin", name).ok_or_else(|| tool::missing(&folder, &what, INSTALL))
    };
    let (rolldown, jco) = (found("rolldown")?, found("jco")?);
    let parts = Parts::new(&folder, file)?;
    parts.write("entry.js", &entry(&parts, file))?;
    let mut bundle = Command::new(rolldown);
    bundle.args([&format!("{FOLDER}/entry.js"), "--file", &format!("{FOLDER}/bundle.js"), "--format", "esm"]);
    // For no platform's own modules: there is neither a browser nor Node.
    bundle.args(["--platform", "neutral", "--log-level", "warn"]);
    for name in Parts::imports(file) {
        bundle.args(["--external", &parts.full_name(name)]);
    }
    parts.run("rolldown", bundle, file)?;
    let mut command = Command::new(jco);
    // By whole paths: jco changes to the folder of the first before it looks for it.
    let own = folder.join(FOLDER);
    command.arg("componentize").arg(own.join("bundle.js")).arg("--wit").arg(own.join("wit"));
    command.args(["--world-name", WORLD, "--out"]).arg(own.join("component.wasm"));
    // QuickJS is a tenth of the other engine's size and compiles in a tenth of its time. Stubs in the place of WASI: with them
    // the component has no import but what it asks of Weir. Weir's engine has no asynchronous components.
    command.args(["--backend", "qjs", "--backend-qjs-stub-wasi", "--backend-qjs-disable-async"]);
    parts.run("jco", command, file)?;
    parts.take("component.wasm", file)
}

/// The module whose exports are the component's.
fn entry(parts: &Parts, file: &ProjectFile) -> String {
    let imports = Parts::imports(file);
    let lines = imports.iter().map(|name| format!("import * as {name} from '{}';\n", parts.full_name(name)));
    format!(
        "{}import {{ component }} from '../vendor/weir-plugin/component.js';\nimport Guard from '../src/guard.js';\n\nexport \
         const policy = component(Guard, {{ {} }});\n",
        lines.collect::<String>(),
        imports.join(", ")
    )
}
