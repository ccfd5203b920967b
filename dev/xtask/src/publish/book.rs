//! `cargo xtask book`: the documentation as a site with search, under `target/book/html`.
//!
//! The pages are those of the repository at their places, so that their links hold; every link of the site is
//! followed.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::manual::{self, Page};
use super::tool;
use crate::command::{finish, report, root};

const BOOK: &str = "\
[book]
title = \"urlid\"
src = \"src\"
language = \"en\"

[build]
build-dir = \"html\"
# Otherwise README.md is renamed, and links to it lead nowhere.
use-default-preprocessors = false
";

/// The guides, by reader: a title, and the pages of `docs`. Each page of the folder is in one of them.
const GUIDES: [(&str, &[&str]); 6] = [
    ("Begin here", &["tour", "how-do-i"]),
    ("For crawlers and archives", &["seen-sets", "web-archives", "common-crawl", "coming-from"]),
    ("For data engineers", &["tables", "datasets", "sql", "spark", "scale"]),
    ("For publishers of filter lists", &["publishing-lists", "lists"]),
    ("Reference", &["canonical-forms", "site-rules", "templates", "index-format", "errors", "platforms"]),
    ("Promises and proofs", &["stability", "proofs"]),
];
/// The chapters after them: a title, and the folder whose pages it has.
const CHAPTERS: [(&str, &str); 2] =
    [("Specifications, as they are read", "docs/spec"), ("Decisions", "docs/decisions")];
const PROJECT: [&str; 4] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];
/// The folders of the bindings that have a page.
const BINDINGS: [&str; 5] = ["c", "js", "postgres", "python", "spark"];
/// What pages link to beside pages: folders, and endings of files.
const FILES: [(&str, &str); 5] = [
    ("dev/bench/records", ""),
    ("docs", ".png"),
    ("docs/images", ""),
    ("bindings/c/example", ""),
    ("bindings/c/include", ""),
];

/// Takes no arguments.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let mdbook = tool("mdbook", "0.5.4", &["--no-default-features", "--features", "search"])?;
    let book = root()?.join("target/book");
    if book.exists() {
        std::fs::remove_dir_all(&book).map_err(|error| format!("{}: {error}", book.display()))?;
    }
    write(&book.join("book.toml"), BOOK)?;
    let manual = manual::pages(&book.join("man"))?;
    write(&book.join("src/SUMMARY.md"), &summary(&manual)?)?;
    for page in pages()? {
        copy(&page, &book)?;
    }
    for page in &manual {
        write(&book.join("src").join(&page.path), &page.text)?;
    }
    for (folder, ending) in FILES {
        for file in files(folder, ending)? {
            copy(&file, &book)?;
        }
    }
    finish(Command::new(mdbook).arg("build").arg(&book))?;
    check_links(&book.join("html"))?;
    report(&book.join("html/index.html").display().to_string());
    Ok(())
}

/// Returns the paths of all pages.
fn pages() -> Result<Vec<String>, String> {
    let mut pages: Vec<String> =
        PROJECT.iter().chain(&["README.md"]).map(|page| (*page).to_owned()).collect();
    let guides = GUIDES.iter().flat_map(|(_, names)| names.iter().map(|name| guide(name)));
    pages.extend(guides);
    for (_, folder) in CHAPTERS {
        pages.extend(files(folder, ".md")?);
    }
    if let Some(page) = files("docs", ".md")?.iter().find(|page| !pages.contains(page)) {
        return Err(format!("{page} is in no chapter of the book"));
    }
    pages.extend(bindings());
    Ok(pages)
}

fn guide(name: &str) -> String {
    format!("docs/{name}.md")
}

/// Returns the paths of the bindings' pages.
fn bindings() -> Vec<String> {
    BINDINGS.iter().map(|name| format!("bindings/{name}/README.md")).collect()
}

/// Returns the table of contents. The manual comes after the guides.
fn summary(manual: &[Page]) -> Result<String, String> {
    let mut out = String::from("# Summary\n\n[urlid](README.md)\n");
    for (title, names) in GUIDES {
        let pages: Vec<String> = names.iter().map(|name| guide(name)).collect();
        push_chapter(&mut out, title, &pages)?;
    }
    out += "\n# The manual\n\n";
    for Page { path, text } in manual {
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        writeln!(out, "- [{title}]({path})").expect("a String takes any text");
    }
    for (title, folder) in CHAPTERS {
        push_chapter(&mut out, title, &files(folder, ".md")?)?;
    }
    push_chapter(&mut out, "Bindings", &bindings())?;
    push_chapter(&mut out, "The project", &PROJECT.map(str::to_owned))?;
    Ok(out)
}

/// Appends a chapter to the table of contents.
fn push_chapter(out: &mut String, title: &str, pages: &[String]) -> Result<(), String> {
    write!(out, "\n# {title}\n\n").expect("a String takes any text");
    for page in pages {
        writeln!(out, "- [{}]({page})", title_of(page)?).expect("a String takes any text");
    }
    Ok(())
}

/// Returns the heading of a page.
fn title_of(page: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(root()?.join(page)).map_err(|error| format!("{page}: {error}"))?;
    let title = text.lines().find_map(|line| line.strip_prefix("# "));
    title.map(str::to_owned).ok_or_else(|| format!("{page} has no heading"))
}

/// Returns the files of a folder with an ending, by their paths in the repository.
fn files(folder: &str, ending: &str) -> Result<Vec<String>, String> {
    let Ok(entries) = std::fs::read_dir(root()?.join(folder)) else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| format!("{folder}: {error}"))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() && name.ends_with(ending) {
            names.push(format!("{folder}/{name}"));
        }
    }
    names.sort();
    Ok(names)
}

fn copy(file: &str, book: &Path) -> Result<(), String> {
    let bytes = std::fs::read(root()?.join(file)).map_err(|error| format!("{file}: {error}"))?;
    write(&book.join("src").join(file), bytes)
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, bytes));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// Fails if a link of a page leads to no file, or to no place in one.
fn check_links(html: &Path) -> Result<(), String> {
    let mut broken = BTreeSet::new();
    for page in pages()? {
        let page = html.join(page.replace(".md", ".html"));
        let text = std::fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
        let links = ["href=\"", "src=\""].into_iter().flat_map(|attribute| text.split(attribute).skip(1));
        for link in links.filter_map(|rest| rest.split('"').next()) {
            if !leads_somewhere(&page, link) {
                broken.insert(format!("{}: {link}", page.display()));
            }
        }
    }
    let list: Vec<String> = broken.into_iter().collect();
    if list.is_empty() { Ok(()) } else { Err(format!("links that lead nowhere:\n{}", list.join("\n"))) }
}

fn leads_somewhere(page: &Path, link: &str) -> bool {
    if ["http://", "https://", "mailto:", "data:", "javascript:"].iter().any(|start| link.starts_with(start))
    {
        return true;
    }
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let target: PathBuf = if file.is_empty() { page.to_owned() } else { page.with_file_name("").join(file) };
    // What is not a page, such as a source file, is in the repository.
    let is_there = target.exists() || file.starts_with("..") && !file.ends_with(".html");
    let has_place =
        || std::fs::read_to_string(&target).is_ok_and(|text| text.contains(&format!("id=\"{place}\"")));
    is_there && (place.is_empty() || !file.ends_with(".html") && !file.is_empty() || has_place())
}
