//! `cargo xtask inlined PROGRAM`: checks that none of our functions calls an intrinsic.
//!
//! An intrinsic that is not inlined into a function with its CPU features is a call, and a loop over such
//! calls is three times as slow. This happens if a closure or an adapter of the standard library is between
//! the two. The link-time optimisation of a careful build inlines most of them, but Cargo's default, which
//! users have, does not.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::command::{install, target};

/// Disassembles a program, by default the default release.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if Command::new("objdump").arg("--version").stdout(Stdio::null()).status().is_err() {
        install(&["binutils"])?;
    }
    let program = match args.first() {
        Some(path) => path.into(),
        None => target()?.join("release/urlid"),
    };
    let failed = |error| format!("objdump {}: {error}", program.display());
    let mut objdump = Command::new("objdump")
        .args(["--disassemble", "--demangle", "--no-show-raw-insn"])
        .arg(&program)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (mut function, mut functions, mut found) = (String::new(), 0, BTreeSet::new());
    for line in BufReader::new(objdump.stdout.take().ok_or("no output")?).lines() {
        let line = line.map_err(failed)?;
        if let Some(name) = name_of_function(&line) {
            name.clone_into(&mut function);
            functions += usize::from(name.contains("urlid"));
        } else if let Some((_, intrinsic)) = line.split_once("<core::core_arch::")
            && line.contains("call")
            && may_be_ours(&function)
        {
            found.insert(format!("{function} calls core_arch::{intrinsic}"));
        }
    }
    let status = objdump.wait().map_err(failed)?;
    match (status.success(), functions, found.is_empty()) {
        (false, ..) => Err(format!("objdump {}: {status}", program.display())),
        (_, 0, _) => Err(format!("{}: names of functions are missing", program.display())),
        (.., true) => Ok(()),
        _ => Err(found.into_iter().collect::<Vec<_>>().join("\n")),
    }
}

/// Returns the name in the first line of a function, such as `0000000000042a10 <urlid::hex::encode>:`.
fn name_of_function(line: &str) -> Option<&str> {
    let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
    address.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(name)
}

/// Returns whether a function belongs to this repository, or to the standard library for one of its
/// closures.
fn may_be_ours(function: &str) -> bool {
    let function = function.trim_start_matches('<');
    ["urlid", "core::", "alloc::", "std::"].iter().any(|start| function.starts_with(start))
        && !function.starts_with("core::core_arch::")
}
