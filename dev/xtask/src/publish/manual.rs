//! The manual of the program as pages of the book: the help of each verb.

use std::path::Path;
use std::process::Command;

use crate::command::{finish, root};

/// A page of the manual: its path in the book, and its text.
pub(super) struct Page {
    pub(super) path: String,
    pub(super) text: String,
}

/// Returns the pages: the program, then its verbs in the order of their names.
///
/// The names of the verbs are those of the roff pages, which are written into `folder`.
pub(super) fn pages(folder: &Path) -> Result<Vec<Page>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    finish(urlid()?.args(["man", "--out"]).arg(folder))?;
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".1").map(str::to_owned));
    }
    names.sort();
    names.iter().map(|name| page(name)).collect()
}

/// Makes the page of a verb from its name in the manual, which is `urlid-index-find` for `urlid index find`.
fn page(name: &str) -> Result<Page, String> {
    let words: Vec<&str> = name.split('-').collect();
    let output = urlid()?.args(&words[1..]).arg("--help").output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{}: there is no such help", words.join(" ")));
    }
    let help = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    let text = format!("# {}\n\n```text\n{}\n```\n", words.join(" "), help.trim_end());
    Ok(Page { path: format!("manual/{name}.md"), text })
}

/// Returns a command that runs the program of this checkout.
fn urlid() -> Result<Command, String> {
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--release", "--"]).current_dir(root()?);
    Ok(command)
}
