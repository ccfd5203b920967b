//! The house tasks: `cargo xtask VERB`. Each verb has its file; this one lists them.

use std::process::ExitCode;

mod build;
mod check;
mod command;
mod compilers;
mod features;
mod inlined;
mod no_std;
mod npm;
mod oldest;
mod oracles;
mod package;
mod proof;
mod psl;
mod publish;
mod targets;
mod test;
mod toolchain;
#[cfg(unix)]
mod torture;
mod unicode;
mod web;
mod workflows;

/// The experiments send signals, set limits and take permissions away, as Unix has them.
#[cfg(not(unix))]
mod torture {
    pub(crate) fn run(_: &[String]) -> Result<(), String> {
        Err("needs Unix".to_owned())
    }
}

/// A task: its name, what it takes and does, and what runs it.
struct Verb {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const VERBS: &[Verb] = &[
    Verb {
        name: "book",
        about: "           build the documentation as a site, and follow its links",
        run: publish::book,
    },
    Verb {
        name: "build",
        about: "NAME       build a binding: c, duckdb, js, postgres, spark, sqlite, wheel",
        run: build::run,
    },
    Verb {
        name: "check",
        about: "[--no-tests]  format, house rules, lints and the tests of the crates: all that needs the repository alone",
        run: check::run,
    },
    Verb {
        name: "dist",
        about: "[--twice]  build the program as it is released: archive, Debian package, bill of materials, checksums",
        run: publish::dist,
    },
    Verb {
        name: "features",
        about: "           check the library with each of its features alone",
        run: features::run,
    },
    Verb {
        name: "inlined",
        about: "[PROGRAM]  check that no function calls what should be one instruction, in the default release",
        run: inlined::run,
    },
    Verb {
        name: "no-std",
        about: "           build the library from `core` and `alloc` alone, for a target without `std`",
        run: no_std::run,
    },
    Verb {
        name: "oracles",
        about: "           install the packages that canonical forms are compared with",
        run: oracles::run,
    },
    Verb {
        name: "package",
        about: "           build every crate that is published from its package alone",
        run: package::run,
    },
    Verb {
        name: "proof",
        about: "NAME       run a comparison that is too long for every run; without a name, list them",
        run: proof::run,
    },
    Verb {
        name: "psl",
        about: "[--check]  write the suffix table from the list, or only say whether it is current",
        run: psl::run,
    },
    Verb {
        name: "test",
        about: "[NAME…]    run every test, or the steps whose names contain one of the given",
        run: test::run,
    },
    Verb {
        name: "torture",
        about: "[--long] [--seed N] [--within SECONDS] [--urlid FILE] [NUMBER…]  the failure experiments on the index",
        run: torture::run,
    },
    Verb {
        name: "unicode",
        about: "[--check]  write the Unicode tables of canonical forms, or only say whether they are current",
        run: unicode::run,
    },
    Verb {
        name: "web",
        about: "           make the page, one HTML file that needs no server, and print its path",
        run: web::run,
    },
    Verb { name: "workflows", about: "           check the workflow files of .github", run: workflows::run },
];

#[expect(clippy::print_stderr, reason = "a task talks to the developer who started it")]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let verb = args.first().and_then(|name| VERBS.iter().find(|verb| verb.name == name));
    let Some(verb) = verb else {
        eprintln!("usage: cargo xtask VERB");
        for verb in VERBS {
            eprintln!("  {:9} {}", verb.name, verb.about);
        }
        return ExitCode::from(2);
    };
    match (verb.run)(&args[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{}: {message}", verb.name);
            ExitCode::FAILURE
        }
    }
}
