//! `cargo xtask proof targets`: the crates compiled for platforms that this machine is not, and tests on emulated ones.
//!
//! The compilers for C and the emulators are Debian's. What each platform lacks is in `docs/platforms.md`.

use std::process::Command;

use crate::command::{finish, finish_quietly, install, report, root};
use crate::toolchain::Toolchain;

/// A platform that is compiled for.
struct Target {
    triple: &'static str,
    /// What is built of the standard library.
    parts: &'static str,
    /// Packages of Debian with its C compiler and its emulator.
    packages: &'static [&'static str],
    /// The linker and the emulator.
    tools: Option<(&'static str, &'static str)>,
    /// Cargo commands, each with its verb first.
    commands: &'static [&'static [&'static str]],
}

const TARGETS: &[Target] = &[
    Target {
        triple: "wasm32-unknown-unknown",
        parts: "std,panic_abort",
        packages: &[],
        tools: None,
        commands: &[
            &["check", "--package", "urlid", "--features", "canonical,serde,url"],
            &["check", "--package", "urlid-functions", "--package", "urlid-explain"],
        ],
    },
    Target {
        triple: "x86_64-pc-windows-gnu",
        parts: "std,test",
        packages: &["gcc-mingw-w64-x86-64-win32", "wine64", "wine"],
        tools: Some(("x86_64-w64-mingw32-gcc", "wine")),
        commands: &[
            &["check", "--package", "xtask", "--package", "tidy"],
            &["build", "--package", "urlid-cli"],
            &["test", "--package", "urlid-files", "--package", "urlid-sort", "--lib"],
        ],
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        parts: "std,test",
        packages: &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"],
        tools: Some(("aarch64-linux-gnu-gcc", "qemu-aarch64 -L /usr/aarch64-linux-gnu")),
        commands: &[
            &[
                "test",
                "--package",
                "urlid",
                "--package",
                "urlid-simd",
                "--package",
                "urlid-index",
                "--lib",
                "--tests",
            ],
            &["check", "--package", "urlid-cli"],
        ],
    },
    Target {
        triple: "s390x-unknown-linux-gnu",
        parts: "std,test",
        packages: &["gcc-s390x-linux-gnu", "libc6-dev-s390x-cross", "qemu-user"],
        tools: Some(("s390x-linux-gnu-gcc", "qemu-s390x -L /usr/s390x-linux-gnu")),
        commands: &[&["test", "--package", "urlid", "--package", "urlid-simd", "--lib", "--tests"]],
    },
];

/// Generated inputs of each law: an emulator takes ten to fifty times as long.
const CASES: &str = "32";

/// Runs all targets, or those whose names contain one of the arguments.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let toolchain = Toolchain::install()?;
    let is_wanted = |target: &&Target| args.is_empty() || args.iter().any(|arg| target.triple.contains(arg));
    for target in TARGETS.iter().filter(is_wanted) {
        report(&format!("== {}", target.triple));
        install(target.packages)?;
        for command in target.commands {
            finish(&mut target.cargo(&toolchain, command)?)?;
        }
        if target.triple.ends_with("-windows-gnu") {
            run_the_windows_program(&toolchain, target.triple)?;
        }
    }
    Ok(())
}

impl Target {
    /// Returns a cargo command for this target. The dependencies are not optimised: they are built to be looked at once.
    fn cargo(&self, toolchain: &Toolchain, command: &[&str]) -> Result<Command, String> {
        let mut cargo = toolchain.cargo(command[0], self.triple, self.parts)?;
        cargo.args(&command[1..]).args(["--config", "profile.dev.package.\"*\".opt-level=0"]);
        cargo.env("URLID_CASES", CASES).env("CARGO_PROFILE_DEV_DEBUG", "0").env("WINEDEBUG", "-all");
        if let Some((linker, runner)) = self.tools {
            let name = self.triple.to_uppercase().replace('-', "_");
            cargo.env(format!("CARGO_TARGET_{name}_LINKER"), linker);
            cargo.env(format!("CARGO_TARGET_{name}_RUNNER"), runner);
        }
        Ok(cargo)
    }
}

/// What the Windows program is given, and what it prints.
const SESSION: &[(&[&str], &str)] = &[
    (&["id", "https://docs.rs/"], "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356\n"),
    (&["canon", "--as", "surt-0.3.1", "http://www.Example.com:80/a/../b?d&c"], "com,example)/b?c&d\n"),
    (&["index", "add", "--quiet", "urls.db", "urls.txt"], ""),
    (&["index", "add", "--quiet", "urls.db", "--only-new", "urls.txt"], ""),
    (&["index", "count", "urls.db", "--by", "registered-domain"], "2\texample.com\n1\tdocs.rs\n"),
    (&["index", "verify", "--quiet", "urls.db"], ""),
    (&["index", "compact", "--quiet", "urls.db"], ""),
    (&["index", "seal", "--quiet", "urls.db"], ""),
];

/// Runs the program in a new folder under wine.
fn run_the_windows_program(toolchain: &Toolchain, triple: &str) -> Result<(), String> {
    let program = toolchain.target_directory(triple).join(triple).join("debug/urlid.exe");
    let folder = root()?.join("target/wine");
    let in_place = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(in_place)?;
    }
    std::fs::create_dir_all(&folder).map_err(in_place)?;
    let urls = "https://docs.rs/\nhttps://example.com/a\nhttp://www.example.com/b\n";
    std::fs::write(folder.join("urls.txt"), urls).map_err(in_place)?;
    for (args, expected) in SESSION {
        let mut wine = Command::new("wine");
        wine.arg(&program).args(*args).current_dir(&folder).env("WINEDEBUG", "-all");
        let printed = finish_quietly(&mut wine)?;
        if printed.replace("\r\n", "\n") != *expected {
            return Err(format!("urlid.exe {}: expected {expected:?}, found {printed:?}", args.join(" ")));
        }
    }
    Ok(())
}
