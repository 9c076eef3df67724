//! The README and the book hold together: links and includes lead somewhere, every page is in the
//! summary, every design note is about something that is there.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Markdown files below a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What stands between `open` and `close`, every time.
fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
    let pieces = text.split(open).skip(1);
    pieces.filter_map(|rest| rest.split(close).next()).collect()
}

/// The text outside fenced blocks and inline code.
fn prose(text: &str) -> String {
    let outside = text.split("```").step_by(2).collect::<String>();
    outside.split('`').step_by(2).collect()
}

#[test]
fn links_and_includes_lead_somewhere() {
    let mut all = pages(&root().join("docs/src"));
    all.push(root().join("README.md"));
    let mut checked = 0;
    for page in &all {
        let text = fs::read_to_string(page).unwrap();
        let here = page.parent().unwrap();
        for link in between(&prose(&text), "](", ')') {
            let target = link.split('#').next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            assert!(here.join(target).exists(), "{}: {link}", page.display());
            checked += 1;
        }
        for include in between(&text, "{{#include ", '}') {
            assert!(here.join(include).exists(), "{}: {include}", page.display());
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked}");
}

#[test]
fn every_page_is_in_the_summary() {
    let book = root().join("docs/src");
    let summary = fs::read_to_string(book.join("SUMMARY.md")).unwrap();
    for page in pages(&book) {
        let name = page.strip_prefix(&book).unwrap().display().to_string();
        assert!(name == "SUMMARY.md" || summary.contains(&name), "{name}");
    }
}

#[test]
fn the_example_game_is_as_short_as_the_readme_says() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let example = fs::read_to_string(root().join("bench/examples/my_game.rs")).unwrap();
    let lines = example.lines().count();
    assert!(lines < 100);
    assert!(
        readme.contains(&format!("a complete game in {lines} lines")),
        "{lines}"
    );
}
