//! The house tasks: `cargo xtask VERB`. This file lists the verbs, and each verb has its own file.

use std::process::ExitCode;

mod build;
mod check;
mod command;
mod compilers;
mod features;
mod help;
mod inlined;
mod no_std;
mod npm;
mod oldest;
mod oracles;
mod package;
mod proof;
mod psl;
mod publish;
mod sample;
mod targets;
mod test;
mod toolchain;
#[cfg(unix)]
mod torture;
mod unicode;
mod web;
mod workflows;

/// The experiments send signals, set limits and remove permissions, which needs Unix.
#[cfg(not(unix))]
mod torture {
    pub(crate) fn run(_: &[String]) -> Result<(), String> {
        Err("needs Unix".to_owned())
    }
}

/// A task: its name, its arguments, its description and its function.
struct Verb {
    name: &'static str,
    takes: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

/// The tasks, in groups of the help.
const GROUPS: &[(&str, &[Verb])] = &[
    (
        "every change",
        &[
            Verb {
                name: "check",
                takes: "[--no-tests]",
                about: "format, house rules, lints and the tests of the crates: all checks that only need the repository",
                run: check::run,
            },
            Verb {
                name: "test",
                takes: "[NAME…]",
                about: "run every test, or the steps whose names contain one of the given",
                run: test::run,
            },
        ],
    ),
    (
        "build",
        &[
            Verb {
                name: "build",
                takes: "NAME",
                about: "build a binding: c, duckdb, js, postgres, spark, sqlite, wheel",
                run: build::run,
            },
            Verb {
                name: "web",
                takes: "",
                about: "make the page, one HTML file that needs no server, and print its path",
                run: web::run,
            },
            Verb {
                name: "dist",
                takes: "[--twice|--native]",
                about: "build the program as it is released: archive, Debian package, bill of materials, checksums",
                run: publish::dist,
            },
            Verb {
                name: "release",
                takes: "--check",
                about: "build all of a release that this machine can, look into the files, name what has a placeholder",
                run: publish::release,
            },
            Verb {
                name: "formula",
                takes: "FOLDER",
                about: "print the formula of Homebrew for the archives in a folder",
                run: publish::formula,
            },
            Verb {
                name: "package",
                takes: "",
                about: "build every crate that is published from its package alone",
                run: package::run,
            },
        ],
    ),
    (
        "generate",
        &[
            Verb {
                name: "psl",
                takes: "[--check]",
                about: "write the suffix table from the list, or only say whether it is current",
                run: psl::run,
            },
            Verb {
                name: "sample",
                takes: "",
                about: "write samples/forum.warc, the crawl that docs/site-rules.md learns from",
                run: sample::run,
            },
            Verb {
                name: "corpus",
                takes: "",
                about: "write the corpus that tests of bindings read, and print its path",
                run: sample::corpus,
            },
            Verb {
                name: "unicode",
                takes: "[--check]",
                about: "write the Unicode tables of canonical forms, or only say whether they are current",
                run: unicode::run,
            },
        ],
    ),
    (
        "prove",
        &[
            Verb {
                name: "features",
                takes: "",
                about: "check the library with only one feature, for each of them",
                run: features::run,
            },
            Verb {
                name: "no-std",
                takes: "",
                about: "build the library from `core` and `alloc` alone, for a target without `std`",
                run: no_std::run,
            },
            Verb {
                name: "inlined",
                takes: "[PROGRAM]",
                about: "check that no function calls what should be one instruction, in the default release",
                run: inlined::run,
            },
            Verb {
                name: "torture",
                takes: "[--long] [--seed N] [--within SECONDS] [--urlid FILE] [NUMBER…]",
                about: "run the failure experiments on the index",
                run: torture::run,
            },
            Verb {
                name: "oracles",
                takes: "",
                about: "install the packages that canonical forms are compared with",
                run: oracles::run,
            },
            Verb {
                name: "proof",
                takes: "NAME",
                about: "run a comparison that is too long for every run; without a name, list them",
                run: proof::run,
            },
            Verb {
                name: "workflows",
                takes: "",
                about: "check the workflow files of .github",
                run: workflows::run,
            },
        ],
    ),
];

#[expect(clippy::print_stderr, clippy::print_stdout, reason = "a task talks to the developer who started it")]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let name = args.first().map(String::as_str);
    if name == Some("help") {
        print!("{}\n{}", tasks(), help::COMMANDS);
        return ExitCode::SUCCESS;
    }
    let Some(verb) = verbs().find(|verb| Some(verb.name) == name) else {
        eprint!(
            "{}\ncargo xtask help: the same, and the commands of cargo for tests, speed and generated files\n",
            tasks()
        );
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

fn verbs() -> impl Iterator<Item = &'static Verb> {
    GROUPS.iter().flat_map(|(_, verbs)| *verbs)
}

/// Returns the list of tasks.
fn tasks() -> String {
    let mut out = String::from("usage: cargo xtask VERB\n");
    for (title, verbs) in GROUPS {
        out += &format!("\n{title}\n");
        for Verb { name, takes, about, .. } in *verbs {
            let call = format!("{name} {takes}");
            out += &format!("  {:19}  {about}\n", call.trim_end());
        }
    }
    out
}
