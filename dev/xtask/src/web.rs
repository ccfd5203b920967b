//! `cargo xtask web`: makes the page, one HTML file that does not need a server, and prints its path on the
//! last line.
//!
//! `web/build.mjs` combines the npm package and the sources in `web/src`.

use std::process::Command;

use crate::build;
use crate::command::{finish, root, target};
use crate::npm;

/// Takes no arguments.
#[expect(clippy::print_stdout, reason = "the path is the output")]
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let web = root()?.join("web");
    let modules = npm::install("web", &web)?;
    let package = build::make("js")?;
    let folder = target()?.join("web");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let page = folder.join("urlid.html");
    finish(Command::new("node").arg(web.join("build.mjs")).args([&modules, &package, &page]))?;
    println!("{}", page.display());
    Ok(())
}
