//! The contract's page: every interface, type and function of the WIT with the words that document it.

use std::fmt::Write;
use weir_runtime::Kind;
use weir_runtime::contract::CURRENT;
use wit_parser::{
    Docs, Function, FunctionKind, Handle, Interface, Resolve, Type, TypeDef, TypeDefKind, TypeId, WorldItem,
};

/// The page, as Markdown below a heading of the second level.
pub(crate) fn page() -> Result<String, String> {
    let (resolve, _) = CURRENT.world(Kind::Policy)?;
    let mut text = String::new();
    worlds(&resolve, &mut text);
    for (_, interface) in &resolve.interfaces {
        one(&resolve, interface, &mut text)?;
    }
    Ok(text)
}

/// Which interfaces a plugin of each kind has on either side.
fn worlds(resolve: &Resolve, text: &mut String) {
    text.push_str("## Worlds\n\n| world | may import | exports |\n|---|---|---|\n");
    for (_, world) in &resolve.worlds {
        let names = |items: &mut dyn Iterator<Item = &WorldItem>| {
            let named = items.filter_map(|item| match item {
                WorldItem::Interface { id, .. } => resolve.interfaces.get(*id)?.name.clone(),
                _ => None,
            });
            named.map(|name| format!("[`{name}`](#{name})")).collect::<Vec<_>>().join(", ")
        };
        let (imports, exports) = (names(&mut world.imports.values()), names(&mut world.exports.values()));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| `{}` | {imports} | {exports} |", world.name);
    }
}

fn one(resolve: &Resolve, interface: &Interface, text: &mut String) -> Result<(), String> {
    let name = interface.name.as_deref().unwrap_or_default();
    let _ = write!(text, "\n## {name} {{#{name}}}\n\n{}\n", words(&interface.docs, name)?);
    for (type_name, id) in &interface.types {
        let Some(found) = resolve.types.get(*id) else { continue };
        // What another interface defines is documented there.
        if !matches!(found.kind, TypeDefKind::Type(Type::Id(_))) {
            definition(resolve, name, type_name, found, text)?;
        }
        for function in interface.functions.values().filter(|function| function.kind.resource() == Some(*id)) {
            signature(resolve, name, function, text)?;
        }
    }
    for function in interface.functions.values().filter(|function| function.kind.resource().is_none()) {
        signature(resolve, name, function, text)?;
    }
    Ok(())
}

fn definition(
    resolve: &Resolve,
    interface: &str,
    name: &str,
    found: &TypeDef,
    text: &mut String,
) -> Result<(), String> {
    let whole = format!("{interface}.{name}");
    let _ = write!(text, "\n### {} `{name}`\n\n{}\n", found.kind.as_str(), words(&found.docs, &whole)?);
    let parts: Vec<(&str, String, &Docs)> = match &found.kind {
        TypeDefKind::Record(record) => {
            record.fields.iter().map(|field| (field.name.as_str(), shown(resolve, &field.ty), &field.docs)).collect()
        }
        TypeDefKind::Variant(variant) => variant
            .cases
            .iter()
            .map(|case| {
                let of = case.ty.as_ref().map(|ty| shown(resolve, ty)).unwrap_or_default();
                (case.name.as_str(), of, &case.docs)
            })
            .collect(),
        TypeDefKind::Enum(cases) => {
            cases.cases.iter().map(|case| (case.name.as_str(), String::new(), &case.docs)).collect()
        }
        TypeDefKind::Type(alias) => {
            let _ = write!(text, "\nA `{}`.\n", shown(resolve, alias));
            return Ok(());
        }
        _ => return Ok(()),
    };
    // An enumeration whose cases speak for themselves is one line.
    if parts.iter().all(|(_, of, docs)| of.is_empty() && docs.contents.is_none()) {
        let names: Vec<String> = parts.iter().map(|(name, ..)| format!("`{name}`")).collect();
        let _ = write!(text, "\nOne of {}.\n", names.join(", "));
        return Ok(());
    }
    text.push_str("\n| | type | |\n|---|---|---|\n");
    for (part, of, docs) in parts {
        let of = if of.is_empty() { of } else { format!("`{of}`") };
        let _ = writeln!(text, "| `{part}` | {of} | {} |", line(&words(docs, &format!("{whole}.{part}"))?));
    }
    Ok(())
}

fn signature(resolve: &Resolve, interface: &str, function: &Function, text: &mut String) -> Result<(), String> {
    let resource = function.kind.resource().and_then(|id| resolve.types.get(id)?.name.clone());
    let own = function.item_name();
    let title = match (&function.kind, &resource) {
        (FunctionKind::Constructor(_), Some(resource)) => format!("{resource} (constructor)"),
        (_, Some(resource)) => format!("{resource}.{own}"),
        (_, None) => own.to_owned(),
    };
    // The handle that a method is called on goes without saying.
    let own_handle = usize::from(matches!(function.kind, FunctionKind::Method(_)));
    let given: Vec<String> =
        function.params.iter().skip(own_handle).map(|p| format!("{}: {}", p.name, shown(resolve, &p.ty))).collect();
    let result = match (&function.kind, &function.result) {
        (FunctionKind::Constructor(_), _) | (_, None) => String::new(),
        (_, Some(ty)) => format!(" -> {}", shown(resolve, ty)),
    };
    let documented = words(&function.docs, &format!("{interface}.{title}"))?;
    let _ = write!(
        text,
        "\n### func `{title}`\n\n```wit\n{own}: func({}){result}\n```\n\n{documented}\n",
        given.join(", ")
    );
    Ok(())
}

/// A type as the WIT writes it.
fn shown(resolve: &Resolve, ty: &Type) -> String {
    match ty {
        Type::Id(id) => shown_id(resolve, *id),
        Type::String => "string".into(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn shown_id(resolve: &Resolve, id: TypeId) -> String {
    let Some(found) = resolve.types.get(id) else { return String::new() };
    if let Some(name) = &found.name {
        return name.clone();
    }
    let optional = |ty: &Option<Type>| ty.as_ref().map_or_else(|| "_".to_owned(), |ty| shown(resolve, ty));
    match &found.kind {
        TypeDefKind::List(inner) => format!("list<{}>", shown(resolve, inner)),
        TypeDefKind::Option(inner) => format!("option<{}>", shown(resolve, inner)),
        TypeDefKind::Result(result) => match (&result.ok, &result.err) {
            (Some(ok), None) => format!("result<{}>", shown(resolve, ok)),
            (ok, err) => format!("result<{}, {}>", optional(ok), optional(err)),
        },
        TypeDefKind::Tuple(tuple) => {
            let types: Vec<String> = tuple.types.iter().map(|ty| shown(resolve, ty)).collect();
            format!("tuple<{}>", types.join(", "))
        }
        TypeDefKind::Handle(Handle::Own(id) | Handle::Borrow(id)) => shown_id(resolve, *id),
        other => other.as_str().to_owned(),
    }
}

/// What an item's author wrote of it.
fn words(docs: &Docs, item: &str) -> Result<String, String> {
    docs.contents.clone().ok_or_else(|| format!("wit: `{item}` has no `///` comment, and every item needs one"))
}

/// Words in a cell of a table.
fn line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_interface_and_every_hook_is_on_the_page() {
        let page = page().unwrap();
        for interface in
            ["types", "trace", "log", "transcript", "model", "memory", "policy", "domain", "writer", "reducer"]
        {
            assert!(page.contains(&format!("\n## {interface} {{#{interface}}}\n")), "{interface}");
        }
        for hook in ["guidance", "filter", "authorize", "precommit", "recover", "endorse", "render"] {
            assert!(page.contains(&format!("\n### func `session.{hook}`\n")), "{hook}");
        }
        assert!(page.contains("find: func(text: string, limit: u32) -> list<event-id>"));
    }

    #[test]
    fn a_signature_reads_as_in_the_wit() {
        let page = page().unwrap();
        let line = "authorize: func(delta: list<event>, proposal: proposal) -> result<decision, error>";
        assert!(page.contains(line), "{page}");
    }
}
