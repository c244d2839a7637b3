//! Weir's manual. Its chapters are `chapters/*.md`; what must not part from the program is made from the program: the
//! contract's page from the WIT that the host was built with, the table of limits from their defaults.

mod contract;
mod limits;

use mdbook_driver::MDBook;
use mdbook_driver::book::{Book, BookItem};
use mdbook_driver::errors::Result as BookResult;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use std::path::Path;

/// Where the book's settings and chapters stand.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Builds the manual as HTML into a folder, which is made anew.
///
/// # Errors
/// A chapter that is missing, or what the file system refuses.
pub fn build(out: &Path) -> Result<(), String> {
    let out = std::path::absolute(out).map_err(|e| format!("{}: {e}", out.display()))?;
    let mut book = MDBook::load(ROOT).map_err(|e| format!("the manual cannot be read: {e:#}"))?;
    book.config.build.build_dir = out;
    let made = Made { contract: contract::page()?, limits: limits::table()? };
    book.with_preprocessor(made);
    book.build().map_err(|e| format!("the manual cannot be built: {e:#}"))
}

/// What is made from the program, in place of its marks in the chapters.
struct Made {
    contract: String,
    limits: String,
}

impl Preprocessor for Made {
    fn name(&self) -> &'static str {
        "made-from-the-program"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> BookResult<Book> {
        book.for_each_mut(|item| {
            if let BookItem::Chapter(chapter) = item {
                chapter.content = chapter.content.replace("{{contract}}", &self.contract);
                chapter.content = chapter.content.replace("{{limits}}", &self.limits);
            }
        });
        Ok(book)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;

    /// Every page of a built book, by its name.
    fn pages(folder: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let html = entries.filter(|path| path.extension().is_some_and(|extension| extension == "html"));
        html.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
            .collect()
    }

    #[test]
    fn the_manual_builds_and_its_links_lead_somewhere() {
        let out = tempfile::tempdir().unwrap();
        build(out.path()).unwrap();
        let pages = pages(out.path());
        let contract = &pages.iter().find(|(name, _)| name == "contract.html").expect("the contract's page").1;
        assert!(contract.contains("authorize") && !contract.contains("{{contract}}"));
        for (name, html) in &pages {
            for link in html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                if link.contains("://") || link.starts_with("mailto:") {
                    continue;
                }
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let file = if file.is_empty() { name } else { file };
                let target = out.path().join(file);
                assert!(target.is_file(), "{name} links to {link}, which is not there");
                if !anchor.is_empty() && file.ends_with(".html") {
                    let there = fs::read_to_string(target).unwrap();
                    assert!(there.contains(&format!("id=\"{anchor}\"")), "{name} links to {link}: no such place");
                }
            }
        }
    }

    #[test]
    fn every_chapter_is_in_the_summary() {
        let chapters = Path::new(ROOT).join("chapters");
        let summary = fs::read_to_string(chapters.join("SUMMARY.md")).unwrap();
        let named: BTreeSet<&str> = summary.split('(').skip(1).filter_map(|rest| rest.split(')').next()).collect();
        let there: BTreeSet<String> = fs::read_dir(&chapters)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "SUMMARY.md")
            .collect();
        assert_eq!(named, there.iter().map(String::as_str).collect());
    }
}
