//! Tables in, the same tables with new columns out; and docs/tables.md shows what its commands print.

mod dataset;
mod parquet;
mod text;

use std::path::Path;
use std::process::Command;

use urlid_testing::root;

use crate::support::{Folder, Ran, finish, urlid};

/// Runs a verb on a table.
fn run(verb: &[&str], options: &[&str], table: &Path) -> Ran {
    let table = table.to_str().expect("a temporary name is UTF-8");
    urlid(verb.iter().chain(options).chain(&[table]))
}

#[test]
fn the_commands_of_the_page_print_what_the_page_shows() {
    let page = root().join("docs/tables.md");
    let text = std::fs::read_to_string(&page).expect("the page is there");
    let folder = Folder::new();
    let (mut shown, mut commands) = (String::new(), 0);
    let mut is_console = false;
    for line in text.lines() {
        match line {
            "```console" => is_console = true,
            "```" => is_console = false,
            // What is shown is written again below.
            _ if is_console && !line.starts_with("$ ") => continue,
            _ => {}
        }
        shown.push_str(&format!("{line}\n"));
        if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
            commands += 1;
            shown.push_str(&printed(command, folder.path()));
        }
    }
    assert!(commands > 10, "{commands}");
    if std::env::var_os("URLID_WRITE_DOCS").is_some() {
        std::fs::write(&page, &shown).expect("the page can be written");
    }
    assert_eq!(text, shown, "URLID_WRITE_DOCS=1 writes the page");
}

/// Runs a command of a shell in which `urlid` is the program.
fn printed(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_urlid"));
    let path = std::env::join_paths(
        program
            .parent()
            .map(Path::to_owned)
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path.expect("a path has no colon"));
    let ran = finish(&mut shell);
    let printed = ran.out + &ran.err;
    if printed.is_empty() || printed.ends_with('\n') { printed } else { printed + "\n" }
}
