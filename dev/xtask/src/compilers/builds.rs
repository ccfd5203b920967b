//! The compared builds and their commands.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use super::patched;
use crate::command::{finish, finish_quietly, install, root};
use crate::targets::Target;
use crate::toolchain::Toolchain;

/// A build of the program, and its expected differences.
pub(super) struct Build {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Builds the program. The folder is the place for programs.
    pub(super) make: fn(&Path) -> Result<Probe, String>,
    /// One of this many code points is compared, because an emulator takes thirty times as long.
    pub(super) one_in: u32,
    /// The expected differences, or `None` if the bytes must be the same.
    pub(super) expected: Option<&'static str>,
}

pub(super) const BUILDS: &[Build] = &[
    Build {
        name: "debian",
        about: "Debian's rustc-web with its own standard library",
        make: debian,
        one_in: 1,
        expected: None,
    },
    Build {
        name: "ascii",
        about: "a standard library with tables of Unicode that only have ASCII",
        make: ascii,
        one_in: 1,
        expected: None,
    },
    Build {
        name: "idna-oldest",
        about: "the oldest idna_adapter that the library accepts",
        make: |folder| idna_adapter(folder, "idna-oldest", &["--precise", "1.2.0"]),
        one_in: 64,
        expected: Some("dev/conformance/expected_differences/idna-oldest.txt"),
    },
    Build {
        name: "idna-newest",
        about: "the newest idna_adapter that the library accepts",
        make: |folder| idna_adapter(folder, "idna-newest", &[]),
        one_in: 64,
        expected: Some("dev/conformance/expected_differences/idna-newest.txt"),
    },
    Build { name: "big-endian", about: "s390x under qemu", make: big_endian, one_in: 64, expected: None },
];

/// A program that prints the results of a build for code points.
pub(super) struct Probe {
    /// The emulator and its arguments, if there is one, then the program.
    command: Vec<PathBuf>,
    /// The results of [`Probe::digests`], by argument. For every code point they take half an hour, and each
    /// build is compared with the same baseline.
    digests: RefCell<BTreeMap<u32, Rc<str>>>,
}

impl Probe {
    /// Keeps the program of a build in a folder where later builds do not replace it.
    fn keep(program: &Path, folder: &Path, name: &str, emulator: &[&str]) -> Result<Self, String> {
        let copy = folder.join(format!("probe-{name}"));
        std::fs::copy(program, &copy).map_err(|error| format!("{}: {error}", program.display()))?;
        let command = emulator.iter().map(PathBuf::from).chain([copy]).collect();
        Ok(Self { command, digests: RefCell::default() })
    }

    /// Returns the digests of every function, of one in this many code points.
    pub(super) fn digests(&self, one_in: u32) -> Result<Rc<str>, String> {
        if let Some(digests) = self.digests.borrow().get(&one_in) {
            return Ok(Rc::clone(digests));
        }
        let digests: Rc<str> = self.run(&["digests", &one_in.to_string()])?.into();
        self.digests.borrow_mut().insert(one_in, Rc::clone(&digests));
        Ok(digests)
    }

    /// Runs the program in the root of the repository and returns its output.
    pub(super) fn run(&self, args: &[&str]) -> Result<String, String> {
        let mut command = Command::new(&self.command[0]);
        finish_quietly(command.args(&self.command[1..]).args(args).current_dir(root()?))
    }
}

/// Builds with the toolchain that runs this task.
pub(super) fn baseline(folder: &Path) -> Result<Probe, String> {
    let mut cargo = Command::new("cargo");
    cargo.arg("build").current_dir(root()?);
    build(&mut cargo, &folder.join("target"))?;
    Probe::keep(&folder.join("target/debug/probe"), folder, "baseline", &[])
}

fn debian(folder: &Path) -> Result<Probe, String> {
    let mut cargo = Toolchain::install()?.host_cargo("build")?;
    build(&mut cargo, &folder.join("target-debian"))?;
    Probe::keep(&folder.join("target-debian/debug/probe"), folder, "debian", &[])
}

fn ascii(folder: &Path) -> Result<Probe, String> {
    const HOST: &str = "x86_64-unknown-linux-gnu";
    let compiler = Toolchain::install()?;
    let patched = compiler.at(patched::copy(compiler.folder(), &folder.join("ascii"))?);
    build(&mut patched.cargo("build", HOST, "std")?, &folder.join("target-ascii"))?;
    Probe::keep(&folder.join("target-ascii").join(HOST).join("debug/probe"), folder, "ascii", &[])
}

fn big_endian(folder: &Path) -> Result<Probe, String> {
    let target = Target::find("s390x-unknown-linux-gnu")?;
    install(target.packages)?;
    let mut cargo = target.cargo(&Toolchain::install()?, "build")?;
    build(&mut cargo, &folder.join("target-s390x"))?;
    let program = folder.join("target-s390x").join(target.triple).join("debug/probe");
    Probe::keep(&program, folder, "s390x", &target.emulator())
}

/// Builds in a copy of the tree, after `cargo update` of the crate with the Unicode data of host names.
fn idna_adapter(folder: &Path, name: &str, release: &[&str]) -> Result<Probe, String> {
    let tree = folder.join("tree");
    copy_the_tree(&tree)?;
    let cargo = |verb: &str| {
        let mut cargo = Command::new("cargo");
        cargo.arg(verb).current_dir(&tree);
        cargo
    };
    finish(cargo("update").args(["--package", "idna_adapter"]).args(release))?;
    build(&mut cargo("build"), &folder.join("target-idna"))?;
    Probe::keep(&folder.join("target-idna/debug/probe"), folder, name, &[])
}

/// The crates of the program.
const CRATES: [&str; 10] = [
    "dev/conformance/probe",
    "dev/conformance/sweep",
    "crates/urlid",
    "crates/urlid-canonical",
    "dev/generators",
    "crates/urlid-lists",
    "crates/urlid-ops",
    "crates/urlid-psl",
    "crates/urlid-simd",
    "dev/testing",
];

/// Copies these crates into a separate workspace, because other crates pin releases of the crate that is
/// updated.
fn copy_the_tree(tree: &Path) -> Result<(), String> {
    let in_place = |error| format!("{}: {error}", tree.display());
    if tree.exists() {
        std::fs::remove_dir_all(tree).map_err(in_place)?;
    }
    for folder in CRATES {
        let copy = tree.join(folder);
        std::fs::create_dir_all(copy.parent().unwrap_or(tree)).map_err(in_place)?;
        finish(Command::new("cp").arg("--recursive").arg(root()?.join(folder)).arg(copy))?;
    }
    let manifest = std::fs::read_to_string(root()?.join("Cargo.toml")).map_err(in_place)?;
    let (_, rest) =
        manifest.split_once("[workspace.package]").ok_or("Cargo.toml has no [workspace.package]")?;
    let head = format!("[workspace]\nresolver = \"3\"\nmembers = {CRATES:?}\n\n[workspace.package]");
    std::fs::write(tree.join("Cargo.toml"), head + rest).map_err(in_place)?;
    std::fs::copy(root()?.join("Cargo.lock"), tree.join("Cargo.lock")).map_err(in_place).map(drop)
}

fn build(cargo: &mut Command, target: &Path) -> Result<(), String> {
    cargo.args(["--package", "probe"]).env("CARGO_TARGET_DIR", target);
    // Every code point in every function is half an hour of work, which justifies more optimisation than
    // tests do.
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "3");
    finish(cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0"))
}
