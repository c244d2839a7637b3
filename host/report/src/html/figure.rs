//! Figures on their way into the page. They are drawn by this project and their texts are escaped there; this gate holds even
//! if one was not: what is let through has only elements and attributes that cannot act.

use crate::figures::STYLE;

const ELEMENTS: [&str; 11] =
    ["svg", "title", "desc", "rect", "line", "circle", "path", "polyline", "polygon", "text", "g"];

const ATTRIBUTES: [&str; 24] = [
    "xmlns",
    "class",
    "role",
    "width",
    "height",
    "viewBox",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "d",
    "points",
    "fill",
    "stroke",
    "transform",
    "id",
    "aria-label",
    "aria-hidden",
];

/// The document without its style sheet, which the page has already; an error names what it has no place for.
pub(super) fn admitted(svg: &str) -> Result<String, String> {
    let bare = svg.replacen(&format!("<style>{STYLE}</style>"), "", 1);
    if !bare.starts_with("<svg ") {
        return Err("it does not begin with `<svg `".into());
    }
    let mut open: Vec<&str> = Vec::new();
    let mut rest = bare.as_str();
    while let Some(at) = rest.find('<') {
        let tail = rest.get(at + 1..).unwrap_or_default();
        let end = tail.find('>').ok_or("a tag has no end")?;
        let tag = tail.get(..end).unwrap_or_default();
        rest = tail.get(end + 1..).unwrap_or_default();
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("`</{name}>` closes what is not open"));
            }
            if open.is_empty() {
                break;
            }
            continue;
        }
        let (inner, closed) = tag.strip_suffix('/').map_or((tag, false), |inner| (inner, true));
        let (name, attributes) = inner.split_once(' ').unwrap_or((inner, ""));
        if !ELEMENTS.contains(&name) {
            return Err(format!("element `{name}`"));
        }
        check(attributes)?;
        if !closed {
            open.push(name);
        }
    }
    if !open.is_empty() || !rest.is_empty() {
        return Err("its elements are not closed, or something follows it".into());
    }
    Ok(bare)
}

/// `name="value"` and blanks, in which no name acts and no value leads anywhere.
fn check(attributes: &str) -> Result<(), String> {
    let mut rest = attributes.trim_start();
    while !rest.is_empty() {
        let (name, tail) = rest.split_once("=\"").ok_or("an attribute without quotes")?;
        let (value, tail) = tail.split_once('"').ok_or("an attribute without an end")?;
        if !ATTRIBUTES.contains(&name) {
            return Err(format!("attribute `{name}`"));
        }
        if name != "xmlns" && value.contains(':') && name != "aria-label" || value.contains("url(") {
            return Err(format!("attribute `{name}` leads elsewhere"));
        }
        rest = tail.trim_start();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_passes_without_the_sheet_that_the_page_has() {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"weir-figure\"><style>{STYLE}</style><text x=\"1\">a &lt; b</text></svg>"
        );
        let inner = admitted(&svg).unwrap();
        assert!(!inner.contains("<style") && inner.contains("a &lt; b"));
    }

    #[test]
    fn what_acts_does_not_pass() {
        for inner in [
            "<script>x</script>",
            "<rect onload=\"x\"/>",
            "<a href=\"https://attacker.example\">x</a>",
            "<image href=\"https://attacker.example/p.png\"/>",
            "<use href=\"#x\"/>",
            "<foreignObject><p>x</p></foreignObject>",
            "<style>*{background:url(//attacker.example)}</style>",
            "<rect style=\"fill:red\"/>",
            "<rect fill=\"url(#x)\"/>",
            "<rect fill=\"javascript:x\"/>",
            "<rect x='1'/>",
            "<animate attributeName=\"x\"/>",
            "<set/>",
            "<!-- --><rect/>",
            "<?xml x?>",
            "<![CDATA[<script>]]>",
            "<rect",
            "</text>",
            "<g>",
        ] {
            let svg = format!("<svg class=\"weir-figure\">{inner}</svg>");
            assert!(admitted(&svg).is_err(), "{svg} became {:?}", admitted(&svg));
        }
    }

    #[test]
    fn nothing_stands_before_or_after_it() {
        for svg in
            ["<p>x</p>", "x<svg ></svg>", "<svg ></svg><p>x</p>", "<svg ></svg>x", "<svg ></svg><svg ></svg>", ""]
        {
            assert!(admitted(svg).is_err(), "{svg}");
        }
    }
}
