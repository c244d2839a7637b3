//! Base histories from a folder, and the tools that their calls are checked against.

use crate::error::Error;
use crate::input;
use crate::plugins::Plugins;
use std::collections::BTreeMap;
use std::path::Path;
use weir_memory::History;
use weir_memory::schema::{Parameter, Tool};
use weir_rollout::import::base;
use weir_runtime::Kind;

/// The tools of the built-in domains, each asked once.
pub struct DomainTools<'a> {
    plugins: &'a Plugins,
    known: BTreeMap<String, Option<Vec<Tool>>>,
}

impl<'a> DomainTools<'a> {
    /// Those of these plugins.
    #[must_use]
    pub fn new(plugins: &'a Plugins) -> Self {
        DomainTools { plugins, known: BTreeMap::new() }
    }

    /// A domain's tools, of all its toolsets; none where no domain of that name is built in.
    ///
    /// # Errors
    /// The domain's fault, or a parameter whose schema is not JSON.
    pub fn of(&mut self, domain: &str) -> Result<Option<&[Tool]>, Error> {
        if !self.known.contains_key(domain) {
            let built_in = Plugins::names(Kind::Domain).any(|name| name == domain);
            let tools = if built_in { Some(described(self.plugins, domain)?) } else { None };
            self.known.insert(domain.to_owned(), tools);
        }
        Ok(self.known.get(domain).and_then(Option::as_deref))
    }
}

fn described(plugins: &Plugins, domain: &str) -> Result<Vec<Tool>, Error> {
    let (plugin, _) = plugins.domain(domain)?;
    let info = plugin.describe().map_err(weir_rollout::Infra::Domain)?;
    let mut tools: Vec<Tool> = Vec::new();
    for tool in info.toolsets.iter().flat_map(|toolset| &toolset.tools) {
        if tools.iter().any(|known| known.name == tool.name) {
            continue;
        }
        let mut parameters = Vec::with_capacity(tool.parameters.len());
        for parameter in &tool.parameters {
            let schema = serde_json::from_str(&parameter.schema).map_err(|e| {
                let (tool, parameter) = (&tool.name, &parameter.name);
                Error::Input(format!("domain `{domain}`: the schema of `{parameter}` of `{tool}` is not JSON: {e}"))
            })?;
            parameters.push(Parameter { name: parameter.name.clone(), required: parameter.required, schema });
        }
        tools.push(Tool { name: tool.name.clone(), parameters });
    }
    Ok(tools)
}

/// Reads the bases below a folder, in the order of their files' paths. Every `.json` file there must be one; other files
/// are none of it. Calls are checked where the base's domain is built in.
///
/// # Errors
/// What is wrong, with file and turn; two bases of one name; a folder without any.
pub fn read_bases(folder: &Path, tools: &mut DomainTools<'_>) -> Result<Vec<History>, Error> {
    let mut bases: Vec<History> = Vec::new();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let at = |message: &dyn std::fmt::Display| Error::Input(format!("{}: {message}", folder.display()));
    input::walk(folder, &mut |entry| {
        if !entry.path.ends_with(".json") {
            return Ok(());
        }
        let base = base::read(&entry.path, &entry.bytes).map_err(|e| at(&e))?;
        if let Some(tools) = tools.of(&base.domain)? {
            base::check_calls(&entry.path, &base, tools).map_err(|e| at(&e))?;
        }
        if let Some(other) = files.insert(base.id.clone(), entry.path.clone()) {
            return Err(at(&format!("{}: the base is called `{}` as that of {other}", entry.path, base.id)));
        }
        bases.push(base);
        Ok(())
    })?;
    if bases.is_empty() {
        return Err(at(&"no base history found: `weir import tau2` and `weir import apigen` write them"));
    }
    Ok(bases)
}
