//! `cargo xtask proof targets`: compiles the crates for other platforms, and runs tests on emulated ones.
//!
//! The compilers for C and the emulators are Debian's. `docs/platforms.md` lists the missing features of
//! each platform.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{finish, finish_quietly, install, report, root};
use crate::toolchain::Toolchain;

/// A target platform.
pub(crate) struct Target {
    pub(crate) triple: &'static str,
    /// The parts of the standard library to build.
    parts: &'static str,
    /// Packages of Debian with its C compiler and its emulator.
    pub(crate) packages: &'static [&'static str],
    /// The linker and the emulator.
    tools: Option<(&'static str, &'static str)>,
    /// Cargo commands, each with its verb first.
    commands: &'static [&'static str],
}

/// The tests of the library, and every vector.
const LIBRARY: &str = "test --package urlid --package urlid-canonical --package urlid-lists --package urlid-simd --package urlid-ops --features urlid/serde,urlid/url \
                       --lib --tests";

const TARGETS: &[Target] = &[
    Target {
        triple: "wasm32-unknown-unknown",
        parts: "std,panic_abort",
        packages: &[],
        tools: None,
        commands: &[
            "check --package urlid --package urlid-canonical --package urlid-lists --features urlid/serde,urlid/url",
            "check --package urlid-ops",
        ],
    },
    Target {
        triple: "x86_64-pc-windows-gnu",
        parts: "std,test",
        packages: &["gcc-mingw-w64-x86-64-win32", "wine64", "wine"],
        tools: Some(("x86_64-w64-mingw32-gcc", "wine")),
        commands: &[
            "build --package urlid-cli",
            "test --package urlid-io --lib --tests",
            "check --package xtask --package tidy",
        ],
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        parts: "std,test",
        packages: &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"],
        tools: Some(("aarch64-linux-gnu-gcc", "qemu-aarch64 -L /usr/aarch64-linux-gnu")),
        commands: &[
            LIBRARY,
            "test --package urlid-store --features sqlite --lib --tests",
            "check --package urlid-cli",
        ],
    },
    Target {
        triple: "s390x-unknown-linux-gnu",
        parts: "std,test",
        packages: &["gcc-s390x-linux-gnu", "libc6-dev-s390x-cross", "qemu-user"],
        tools: Some(("s390x-linux-gnu-gcc", "qemu-s390x -L /usr/s390x-linux-gnu")),
        commands: &[LIBRARY],
    },
];

/// The number of generated inputs for each law. An emulator is ten to fifty times slower.
const CASES: &str = "32";

/// Runs all targets, or those whose names contain one of the arguments.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let toolchain = Toolchain::install()?;
    let is_wanted = |target: &&Target| args.is_empty() || args.iter().any(|arg| target.triple.contains(arg));
    for target in TARGETS.iter().filter(is_wanted) {
        report(&format!("== {}", target.triple));
        install(target.packages)?;
        let is_windows = target.triple.ends_with("-windows-gnu");
        if is_windows {
            make_the_missing_library(&builds(&toolchain).join(target.triple).join("debug"))?;
        }
        for command in target.commands {
            finish(&mut target.cargo(&toolchain, command)?)?;
        }
        if is_windows {
            run_the_windows_program(&toolchain, target.triple)?;
        }
    }
    Ok(())
}

impl Target {
    /// Returns the platform with this name.
    pub(crate) fn find(triple: &str) -> Result<&'static Self, String> {
        TARGETS
            .iter()
            .find(|target| target.triple == triple)
            .ok_or_else(|| format!("{triple} is not a platform"))
    }

    /// Returns the emulator and its arguments.
    pub(crate) fn emulator(&self) -> Vec<&'static str> {
        self.tools.map(|(_, emulator)| emulator.split(' ').collect()).unwrap_or_default()
    }

    /// Returns a cargo command for this target. All code is slightly optimised, because an emulator is slow.
    pub(crate) fn cargo(&self, toolchain: &Toolchain, command: &str) -> Result<Command, String> {
        let (verb, arguments) = command.split_once(' ').unwrap_or((command, ""));
        let mut cargo = toolchain.cargo(verb, self.triple, self.parts)?;
        cargo.args(arguments.split_whitespace()).args(["--config", "profile.dev.package.\"*\".opt-level=1"]);
        // One folder for all targets, so that code that runs on this machine, such as macros, is built once.
        cargo.env("CARGO_TARGET_DIR", builds(toolchain));
        cargo.env("URLID_CASES", CASES).env("CARGO_PROFILE_DEV_DEBUG", "0").env("WINEDEBUG", "-all");
        if let Some((linker, runner)) = self.tools {
            let name = self.triple.to_uppercase().replace('-', "_");
            cargo.env(format!("CARGO_TARGET_{name}_LINKER"), linker);
            cargo.env(format!("CARGO_TARGET_{name}_RUNNER"), runner);
        }
        Ok(cargo)
    }
}

/// Returns the folder in which all targets are built.
fn builds(toolchain: &Toolchain) -> PathBuf {
    toolchain.target_directory("emulated")
}

/// The library from which Rust reads random numbers on Windows. Wine 8 lacks it.
const RANDOM: &str = "\
#include <stddef.h>
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *data, size_t length) {
    return SystemFunction036(data, (unsigned long)length);
}
";

/// Makes that library next to the programs and next to their tests.
fn make_the_missing_library(programs: &Path) -> Result<(), String> {
    for folder in [programs.join("deps"), programs.to_owned()] {
        let source = folder.join("bcryptprimitives.c");
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&source, RANDOM))
            .map_err(|error| format!("{}: {error}", source.display()))?;
        let mut gcc = Command::new("x86_64-w64-mingw32-gcc");
        gcc.args(["-shared", "-o"]).arg(source.with_extension("dll")).arg(&source).arg("-ladvapi32");
        finish(&mut gcc)?;
    }
    Ok(())
}

const URLS: &str = "https://docs.rs/\nhttps://example.com/a\nhttp://www.example.com/b\n";

/// The arguments for the Windows program, and its expected output.
const SESSION: &[(&[&str], &str)] = &[
    (&["id", "https://docs.rs/"], "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356\n"),
    (&["canon", "--as", "surt-0.3.1", "http://www.Example.com:80/a/../b?d&c"], "com,example)/b?c&d\n"),
    (&["uniq", "--seen", "seen", "urls.txt"], URLS),
    (&["uniq", "--seen", "seen", "--resume", "urls.txt"], ""),
    (
        &["index", "add", "--quiet", "urls.db", "urls.txt"],
        "urls.db: 3 lines, 0 blank, 0 rejected, 3 taken, 3 new, 0 without sxurl, 0 credentials removed\n",
    ),
    (&["index", "count", "urls.db", "--by", "registered_domain"], "example.com\t2\ndocs.rs\t1\n"),
    (&["index", "verify", "--quiet", "urls.db"], "urls.db: 3 rows checked, 0 findings\n"),
    (&["index", "compact", "--quiet", "urls.db"], ""),
    (&["index", "seal", "--quiet", "urls.db"], ""),
];

/// Runs the program in a new folder under wine: a session, and every vector.
fn run_the_windows_program(toolchain: &Toolchain, triple: &str) -> Result<(), String> {
    let program = builds(toolchain).join(triple).join("debug/urlid.exe");
    let folder = root()?.join("target/wine");
    let in_place = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(in_place)?;
    }
    std::fs::create_dir_all(&folder).map_err(in_place)?;
    std::fs::write(folder.join("urls.txt"), URLS).map_err(in_place)?;
    let wine = || {
        let mut wine = Command::new("wine");
        wine.arg(&program).current_dir(&folder).env("WINEDEBUG", "-all");
        wine
    };
    for (args, expected) in SESSION {
        let printed = finish_quietly(wine().args(*args))?;
        if printed.replace("\r\n", "\n") != *expected {
            return Err(format!("urlid.exe {}: expected {expected:?}, found {printed:?}", args.join(" ")));
        }
    }
    let entries = std::fs::read_dir(root()?.join("vectors")).map_err(|error| format!("vectors: {error}"))?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let vectors = files.filter(|file| file.extension().is_some_and(|end| end == "json"));
    finish(wine().arg("vectors").args(vectors))
}
