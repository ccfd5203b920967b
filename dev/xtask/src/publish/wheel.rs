//! `cargo xtask build wheel`: builds the released Python wheel and source distribution under `target/dist`.
//!
//! The wheel is built from the source distribution only, by `pip`, as on a stranger's machine. It runs with any
//! glibc from 2.28 on and any CPython from 3.11 on. `auditwheel` checks the former.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Tools, folder, third_party};
use crate::command::{cache, finish, finish_quietly, root};

const PLATFORM: &str = "manylinux_2_28";
/// The maximum size of a wheel, 6 MB.
const MOST_BYTES: u64 = 6_000_000;
/// An identifier, a function and a drop-in.
const SMOKE_TEST: &str = "
import urlid
from urlid.compat import surt
print(urlid.Sxurl.encode('https://docs.rs/'))
print(urlid.registered_domain('https://www.example.co.uk/'), surt.surt('http://www.Example.com/a'))
";
const SMOKE_TEST_PRINTS: &str = "\
1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356
example.co.uk com,example)/a
";

/// Builds both and returns the path of the wheel.
pub(crate) fn run() -> Result<PathBuf, String> {
    let is_wheel = |file: &PathBuf| file.extension().is_some_and(|end| end == "whl");
    wheels()?.into_iter().find(is_wheel).ok_or_else(|| "maturin made no wheel".to_owned())
}

/// Builds the wheel and the source distribution and returns their paths.
pub(super) fn wheels() -> Result<Vec<PathBuf>, String> {
    let tools = Tools::install()?;
    let paths = tools.paths()?;
    let project = root()?.join("bindings/python");
    // Wheels for all platforms are built from the source distribution.
    let crates = third_party::crates(&project.join("Cargo.toml"), None)?;
    let licences = project.join("LICENSE-THIRD-PARTY.txt");
    std::fs::write(&licences, third_party::licences(&crates, &[])?)
        .map_err(|error| format!("{}: {error}", licences.display()))?;
    let out = folder()?.join("python");
    let in_place = |error| format!("{}: {error}", out.display());
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(in_place)?;
    }
    let mut maturin = Command::new(tools.program("maturin"));
    finish(maturin.arg("sdist").arg("--out").arg(&out).current_dir(&project))?;
    let environment = cache()?.join("wheel-alone");
    finish(Command::new("python3.11").args(["-m", "venv", "--clear"]).arg(&environment))?;
    let mut pip = Command::new(environment.join("bin/pip"));
    pip.args(["wheel", "--no-deps", "--wheel-dir"]).arg(&out).arg(format!(
        "--config-settings=build-args=--profile wheel --zig --compatibility {PLATFORM} --compression-level 9"
    ));
    pip.arg(unpack(&out)?).env("PATH", &paths).env("CARGO_TARGET_DIR", cache()?.join("wheel-target"));
    finish(&mut pip)?;
    let entries = std::fs::read_dir(&out).map_err(in_place)?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files.iter().filter(|file| file.extension().is_some_and(|end| end == "whl")).try_for_each(|wheel| {
        let mut auditwheel = Command::new(tools.program("auditwheel"));
        let shown = finish_quietly(auditwheel.arg("show").arg(wheel).env("PATH", &paths))?;
        check(wheel, &shown)?;
        try_alone(wheel, &environment)
    })?;
    Ok(files)
}

/// Unpacks the source distribution next to itself and returns the folder.
fn unpack(out: &Path) -> Result<PathBuf, String> {
    let name = format!("urlid-{}", env!("CARGO_PKG_VERSION"));
    let folder = out.with_file_name("source");
    let in_place = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(in_place)?;
    }
    std::fs::create_dir_all(&folder).map_err(in_place)?;
    let mut tar = Command::new("tar");
    finish(tar.args(["--extract", "--file"]).arg(out.join(format!("{name}.tar.gz"))).arg("-C").arg(&folder))?;
    Ok(folder.join(name))
}

/// Installs a wheel into an environment without other packages and runs the smoke test there.
fn try_alone(wheel: &Path, environment: &Path) -> Result<(), String> {
    let bin = environment.join("bin");
    finish(Command::new(bin.join("pip")).args(["install", "--quiet", "--no-index"]).arg(wheel))?;
    let printed = finish_quietly(Command::new(bin.join("python")).args(["-I", "-c", SMOKE_TEST]))?;
    if printed == SMOKE_TEST_PRINTS { Ok(()) } else { Err(format!("{} prints {printed}", wheel.display())) }
}

/// Fails if a wheel is too large, or needs more of the system than its name states.
fn check(wheel: &Path, shown: &str) -> Result<(), String> {
    let bytes = wheel.metadata().map_err(|error| format!("{}: {error}", wheel.display()))?.len();
    if bytes > MOST_BYTES {
        return Err(format!("{}: {bytes} bytes, expected at most {MOST_BYTES}", wheel.display()));
    }
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let platform =
        shown.split_once("following platform tag: \"").and_then(|(_, rest)| rest.split('"').next());
    let version =
        platform.and_then(|name| name.strip_prefix("manylinux_2_")?.split('_').next()?.parse().ok());
    match version {
        Some(0..=28) => Ok(()),
        _ => Err(format!("{}: expected {PLATFORM} or lower, found: {shown}", wheel.display())),
    }
}
