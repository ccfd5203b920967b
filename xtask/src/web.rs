//! `cargo xtask web`: makes the page, one HTML file that needs no server, and prints its path on the last line.
//!
//! `web/build.mjs` puts it together from the package of `bindings/js` and the sources in `web/src`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{finish, root};
use crate::npm;

/// Takes no arguments.
#[expect(clippy::print_stdout, reason = "the path is the output")]
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let web = root()?.join("web");
    let modules = npm::install("web", &web)?;
    let package = package()?;
    let out = target()?.join("web");
    std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let page = out.join("urlid.html");
    finish(Command::new("node").arg(web.join("build.mjs")).args([&modules, &package, &page]))?;
    println!("{}", page.display());
    Ok(())
}

/// Builds the package of `bindings/js` and returns its folder.
fn package() -> Result<PathBuf, String> {
    let mut cargo = Command::new(env!("CARGO"));
    let build = cargo.args(["xtask", "build", "js"]).current_dir(root()?).stderr(Stdio::inherit());
    let output = build.output().map_err(|error| format!("cargo: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    match printed.lines().last().map(PathBuf::from) {
        Some(folder) if output.status.success() => Ok(folder),
        _ => Err(format!("`cargo xtask build js` failed: {}", output.status)),
    }
}

/// Returns the folder of built files.
fn target() -> Result<PathBuf, String> {
    let root = root()?;
    Ok(std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), |folder| root.join(Path::new(&folder))))
}
