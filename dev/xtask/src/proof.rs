//! `cargo xtask proof NAME`: comparisons that are too long for every run, each as a separate command.
//!
//! `docs/proofs.md` records their results, with dates.

use std::process::Command;

use crate::command::{finish, root};
use crate::{compilers, oldest, oracles, publish, targets};

/// A comparison at length.
struct Proof {
    name: &'static str,
    about: &'static str,
    prepare: fn(&[String]) -> Result<(), String>,
    /// The command after the preparation, empty if the preparation is everything.
    command: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

const PROOFS: &[Proof] = &[
    Proof {
        name: "archives",
        about: "indexes of WARC files and those of cdxj-indexer, on 100,000 generated records; pages from them in pywb",
        prepare: oracles::run,
        command: &["cargo", "test", "--package", "conformance", "--test", "archives"],
        environment: &[("URLID_CASES", "100000"), ("URLID_REQUIRE_DATA", "1")],
    },
    Proof {
        name: "clickhouse",
        about: "the recipe of docs/sql.md for ClickHouse, in chdb: a pool of programs, block after block",
        prepare: |_| Ok(()),
        command: &[
            "bash",
            "-ec",
            ". bindings/testing.sh; venv=${URLID_CACHE:-$HOME/.cache/urlid}/clickhouse; program .
            environment python3.11 \"$venv\" dev/xtask/tools/clickhouse.txt
            \"$venv/bin/python\" dev/conformance/hosts/in_clickhouse.py \"$URLID_CLI\"",
        ],
        environment: &[],
    },
    Proof {
        name: "compilers",
        about: "[NAME…] every form, identifier and vector by other compilers, libraries and Unicode data, and big-endian",
        prepare: compilers::run,
        command: &[],
        environment: &[],
    },
    Proof {
        name: "dropins",
        about: "the drop-ins of urlid.compat and their packages: 100,000 calls each with every option, and the packages' suites",
        prepare: |_| Ok(()),
        command: &["bash", "bindings/python/dropins/run"],
        environment: &[("URLID_REQUIRE_DATA", "1")],
    },
    Proof {
        name: "edge",
        about: "the npm package in workerd, Deno and Bun: every vector; in Chromium under a strict Content Security Policy",
        prepare: |_| Ok(()),
        command: &["bash", "bindings/js/run-tests", "--edge"],
        environment: &[("URLID_REQUIRE_DATA", "1")],
    },
    Proof {
        name: "hosts",
        about: "the functions of SQL in every host: the vectors and 100,000 real URLs, the same bytes",
        prepare: |_| Ok(()),
        command: &["python3.11", "dev/conformance/hosts"],
        environment: &[],
    },
    Proof {
        name: "postgres",
        about: "every vector of the functions of SQL in a PostgreSQL server, with indexes, workers and encodings",
        prepare: |_| Ok(()),
        command: &["bash", "bindings/postgres/run-tests"],
        environment: &[("URLID_REQUIRE_DATA", "1")],
    },
    Proof {
        name: "install",
        about: "[--made] the wheel, the Debian package and the npm package, installed from files into a Debian without Rust",
        prepare: publish::install,
        command: &[],
        environment: &[],
    },
    Proof {
        name: "oldest-rust",
        about: "the crates compiled, and the library tested, by the oldest compiler that is supported",
        prepare: oldest::run,
        command: &[],
        environment: &[],
    },
    Proof {
        name: "profiles",
        about: "canonical forms and what they freeze, live: every code point at every place, 1,000,000 generated URLs each",
        prepare: oracles::run,
        command: &[
            "cargo",
            "test",
            "--package",
            "conformance",
            "--test",
            "profiles",
            "live",
            "--",
            "--nocapture",
            "--test-threads=1",
        ],
        environment: &[("URLID_CASES", "1000000"), ("URLID_SWEEP", "all"), ("URLID_REQUIRE_DATA", "1")],
    },
    Proof {
        name: "spark",
        about: "the jar on two Spark executors, one of which is killed: every vector, and 100,000 real URLs",
        prepare: |_| Ok(()),
        command: &["bash", "bindings/spark/run-tests", "--long"],
        environment: &[("URLID_REQUIRE_DATA", "1")],
    },
    Proof {
        name: "targets",
        about: "[NAME…] the crates compiled for other platforms, and their tests under emulators",
        prepare: targets::run,
        command: &[],
        environment: &[],
    },
    Proof {
        name: "web",
        about: "the page in Chromium: every feature beside the program, accessibility, an index of 100 MB, screenshots",
        prepare: |_| Ok(()),
        command: &["bash", "web/tests/run"],
        environment: &[("URLID_REQUIRE_DATA", "1")],
    },
];

/// Runs a proof. `URLID_SEED` and `URLID_CASES` change what it compares.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let Some(proof) = args.first().and_then(|name| PROOFS.iter().find(|proof| proof.name == name)) else {
        let list: Vec<String> =
            PROOFS.iter().map(|proof| format!("  {:11} {}", proof.name, proof.about)).collect();
        return Err(format!("expected a name:\n{}", list.join("\n")));
    };
    (proof.prepare)(&args[1..])?;
    let [program, arguments @ ..] = proof.command else { return Ok(()) };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()?);
    for (name, value) in proof.environment {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    finish(&mut command)
}
