//! `cargo xtask unicode`: writes the Unicode tables of canonical forms from the answers of the frozen
//! runtimes.
//!
//! `facts` runs CPython 3.11, Java 17, Node 20 and PyPI's idna. `tables`, `node` and `idna` make tables from
//! their answers, and `rust` prints them.

mod facts;
mod idna;
mod node;
mod rust;
mod tables;

use std::fs;

use crate::command::root;

/// Makes the source of a file.
type Generate = fn() -> Result<String, String>;

const TARGETS: [(&str, Generate); 3] =
    [(tables::TARGET, tables::generate), (idna::TARGET, idna::generate), (node::TARGET, node::generate)];

/// Writes the files. With `--check`, fails if they are not current.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let is_check = match args {
        [] => false,
        [check] if check == "--check" => true,
        _ => return Err("expected --check or no argument".to_owned()),
    };
    for (name, generate) in TARGETS {
        let target = root()?.join(name);
        let in_target = |error: std::io::Error| format!("{name}: {error}");
        let source = generate()?;
        if !is_check {
            fs::write(&target, source).map_err(in_target)?;
        } else if fs::read_to_string(&target).map_err(in_target)? != source {
            return Err(format!("{name} is not current, run `cargo xtask unicode`"));
        }
    }
    Ok(())
}
