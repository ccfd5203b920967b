//! Reproducible archives, with names in order, without owners, and with the time of the last commit.

use std::path::Path;
use std::process::Command;

use crate::command::{finish, finish_quietly, root};

/// Returns the time of the files of a release, which is the time of the last commit, in seconds.
pub(super) fn time() -> Result<String, String> {
    let mut git = Command::new("git");
    let printed = finish_quietly(git.args(["log", "-1", "--format=%ct"]).current_dir(root()?))?;
    Ok(printed.trim().to_owned())
}

/// Packs the folder `name` of `parent` into `parent/name.tar.gz`.
pub(super) fn pack(parent: &Path, name: &str) -> Result<(), String> {
    let tar = parent.join(format!("{name}.tar"));
    let mut command = Command::new("tar");
    command.args([
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mode=go=rX,u+rw",
        "--format=ustar",
    ]);
    command.arg(format!("--mtime=@{}", time()?)).arg("-cf").arg(&tar).arg("-C").arg(parent).arg(name);
    finish(&mut command)?;
    finish(Command::new("gzip").args(["--no-name", "--best", "--force"]).arg(&tar))
}
