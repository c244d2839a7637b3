use super::*;
use crate::page::{Block, Figure, Page, Section, Table};

/// Markup, scripts, entities, controls and the characters that nobody sees.
const HOSTILE: &str = "</pre></td></title></style><script>alert(1)</script><img src=x onerror=alert(1)>\"' onload=\"x\" &lt;b&gt; &#x3c;script&#x3e; javascript:x <!-- ]]> \u{0}\u{8}\u{1b}[2J\r\u{202e}\u{200b}\u{e0041} <meta http-equiv=refresh content=0>";

/// A hostile text in every place that a page has.
fn hostile(svg: String) -> Page {
    let text = || HOSTILE.to_owned();
    let table = Table {
        id: text(),
        title: text(),
        head: vec![text(), text()],
        rows: vec![vec![text(), text()]],
        notes: vec![text()],
    };
    let figure = Figure { id: text(), title: text(), caption: text(), svg };
    let blocks = vec![Block::Text(text()), Block::Table(table), Block::Figure(figure), Block::Verbatim(text())];
    Page { title: text(), lead: vec![text()], sections: vec![Section { id: text(), title: text(), blocks }] }
}

/// The tags of a document: what a browser would take for markup. Attribute values have no `<` or `>`.
fn tags(html: &str) -> Vec<&str> {
    html.split('<').skip(1).map(|tail| tail.split('>').next().unwrap()).collect()
}

#[test]
fn hostile_text_stays_text_in_every_block() {
    let calm = Page {
        title: "t".into(),
        lead: vec!["t".into()],
        sections: vec![Section {
            id: "s".into(),
            title: "t".into(),
            blocks: vec![
                Block::Text("t".into()),
                Block::Table(Table {
                    id: "t".into(),
                    title: "t".into(),
                    head: vec!["t".into(), "t".into()],
                    rows: vec![vec!["t".into(), "t".into()]],
                    notes: vec!["t".into()],
                }),
                Block::Figure(Figure { id: "f".into(), title: "t".into(), caption: "t".into(), svg: svg("t") }),
                Block::Verbatim("t".into()),
            ],
        }],
    };
    let names = |html: &str| -> Vec<String> {
        tags(html).iter().map(|tag| tag.split_whitespace().next().unwrap_or_default().to_owned()).collect()
    };
    let (hostile, calm) = (render(&hostile(svg(HOSTILE))), render(&calm));
    assert_eq!(names(&hostile), names(&calm), "hostile text has made or closed an element");
    for tag in tags(&hostile) {
        assert!(!tag.contains(" on") && !tag.contains("javascript:") && !tag.contains("src="), "{tag}");
    }
}

#[test]
fn a_command_in_a_note_is_code_and_a_lone_backtick_is_a_backtick() {
    let page = |note: &str| {
        let table = Table { notes: vec![note.into()], rows: vec![vec!["`q`".into()]], ..Table::default() };
        let section = Section { blocks: vec![Block::Table(table)], ..Section::default() };
        render(&Page { sections: vec![section], ..Page::default() })
    };
    assert!(page("run `a <b>` now").contains("<li>run <code>a &lt;b&gt;</code> now</li>"));
    assert!(page("a ` b").contains("<li>a ` b</li>"));
    assert!(page("").contains("`q`"), "a cell is quoted as it is");
}

fn svg(text: &str) -> String {
    use crate::figures::{Bars, Value, bars};
    let value = Value { value: Some(0.5), low: None, high: None, counts: text.into() };
    bars(&Bars { scope: text.into(), bars: vec![(text.into(), value)] }).svg
}

#[test]
fn no_control_and_no_hidden_character_reaches_the_page() {
    let html = render(&hostile(svg(HOSTILE)));
    for c in html.chars() {
        assert!(!c.is_control() || c == '\n' || c == '\t', "{c:?}");
        assert!(!['\u{202e}', '\u{200b}', '\u{e0041}'].contains(&c), "{c:?}");
    }
    assert!(html.contains("[U+202E]"), "it is shown instead");
}

#[test]
fn a_figure_that_acts_is_not_shown_and_the_page_says_so() {
    let html = render(&hostile("<svg class=\"x\"><script>alert(1)</script></svg>".into()));
    assert!(html.contains("This figure is not shown") && html.contains("element `script`"));
    assert!(!tags(&html).contains(&"script"));
}

#[test]
fn the_policy_of_the_page_allows_its_own_style_and_nothing_else() {
    let html = render(&Page::default());
    let policy = html.split("Content-Security-Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("script-src"), "{policy}");
    assert_eq!(html.matches("<style>").count(), 1);
    assert!(
        !html.contains(" style=\"")
            && !html.contains("<script")
            && !html.contains("http://")
            && !html.contains("https://")
    );
}

#[test]
fn a_figure_does_not_bring_its_sheet_twice_and_has_no_style_of_its_own() {
    let html = render(&hostile(svg("t")));
    assert_eq!(tags(&html).iter().filter(|tag| **tag == "style").count(), 1);
}

#[test]
fn identifiers_are_words_and_none_comes_twice() {
    let section = Section { id: "A \"b\"".into(), title: "t".into(), blocks: vec![] };
    let content = Section { id: "content".into(), ..section.clone() };
    let html = render(&Page { sections: vec![section.clone(), section, content], ..Page::default() });
    for id in ["a-b", "a-b-2", "content", "content-2", "contents"] {
        assert_eq!(html.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
    }
    assert!(html.contains("href=\"#a-b-2\""), "the contents lead to the second one");
}

#[test]
fn numbers_with_their_intervals_stand_to_the_right_and_words_do_not() {
    let table = Table {
        head: vec!["policy".into(), "rate".into(), "rule".into()],
        rows: vec![
            vec!["none".into(), "0.857 [0.796, 0.910]  514/600".into(), "0 of block_x".into()],
            vec!["other".into(), "N/A".into(), "1".into()],
        ],
        ..Table::default()
    };
    let html = render(&Page {
        sections: vec![Section { blocks: vec![Block::Table(table)], ..Section::default() }],
        ..Page::default()
    });
    assert!(html.contains("<th scope=\"col\" class=\"n\">rate</th>"));
    assert!(html.contains("<th scope=\"col\">rule</th>") && html.contains("<td>1</td>"));
    assert!(html.contains("<td class=\"n\">N/A</td>"));
}

#[test]
fn a_verbatim_block_keeps_its_first_empty_line() {
    let section = Section { blocks: vec![Block::Verbatim("\n  a".into())], ..Section::default() };
    let html = render(&Page { sections: vec![section], ..Page::default() });
    assert!(html.contains("<pre tabindex=\"0\">\n\n  a</pre>"));
}
