//! The commands of cargo and others that are no task: the second half of `cargo xtask help`.

/// Groups of commands, each after a line that says what it is for.
pub(crate) const COMMANDS: &str = "\
format and lints
  format, lint
    cargo fmt --all
    cargo clippy --workspace --all-targets --all-features
  house rules
    cargo test --package tidy

generated files
  those of the tables of SQL functions and of conditions
    URLID_WRITE_DOCS=1 cargo test --package urlid-ops --package urlid-store --test surfaces
  docs/canonical-forms.md
    URLID_WRITE_DOCS=1 cargo test --package conformance --test profiles page
  docs/errors.md
    URLID_WRITE_DOCS=1 cargo test --package conformance --test errors
  transcripts of the program, and docs/tables.md
    URLID_WRITE_DOCS=1 cargo test --package urlid-cli --test cli transcripts pages::tables

tests at length
  live packages, archives, a sample of all code points, budgets: what only .ci/run runs, after `cargo xtask oracles`
    cargo test --workspace --exclude urlid-js --exclude bench --all-features --tests -- --ignored
  laws, a million cases each
    URLID_CASES=1000000 URLID_SEED=7 cargo test --package urlid --test laws
  other implementations, a million cases each
    URLID_CASES=1000000 URLID_SEED=7 cargo test --package conformance --test differential
  batches, ten million URLs on each CPU path
    URLID_CASES=10000000 URLID_SEED=7 cargo test --release --package conformance --test batch
  canonical forms and what they freeze: all code points, 1,000,000 URLs each; then one part
    URLID_ORACLE_SOURCES=FOLDER cargo xtask proof profiles
    cargo run --package conformance --bin live -- --profiles surt --shapes host
  every flipped bit of an index is found
    URLID_FLIPS=10000 cargo test --package urlid-store --features sqlite --test file every_flipped
  random operations on an index with colliding slices
    URLID_MODEL_STEPS=2000 URLID_MODEL_SEED=7 cargo test --package urlid-store --features sqlite --lib model
  the kernels under AddressSanitizer
    RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo test --package urlid-simd --tests \\
      --target x86_64-unknown-linux-gnu
  hostile input at full size
    URLID_LONG=1 cargo test --release --package urlid-cli --test cli hostile
  the cost of every operation a byte (valgrind); URLID_BUDGET_ONLY=PART of a name for some
    URLID_BUDGET_TABLE=1 cargo test --package conformance --test budget -- --include-ignored --nocapture
  fuzz a target of dev/fuzz, after `cargo install --locked cargo-fuzz`
    cargo fuzz run -s none web_against_ada -- -max_total_time=600
  the crates with the oldest compiler
    URLID_OLDEST_RUSTC=RUSTC cargo xtask proof oldest-rust

speed: PYTHON is one with the wheel, and the packages that are named
  beside peers; without a verb, the list of verbs
    cargo run --release --package bench -- peers
  canonical forms beside the packages that they freeze (pyarrow), after `cargo xtask oracles`
    cargo run --profile bench --package bench -- profiles PYTHON
  datasets and the index file; --cores 1,2,4,8,16 for more cores, --rehearsal for the dataset alone
    cargo build --release --package urlid-cli --package urlid-generators --bin urlid --example recombine
    PYTHON dev/bench/datasets.py target/release crawl_50k.txt 5_000_000
  the extension of DuckDB beside the wheel (duckdb, pyarrow)
    PYTHON dev/bench/duckdb_extension.py EXTENSION samples/debian_homepages.txt
  the drop-ins of suffix lists beside their packages (tldextract, tld, publicsuffix2)
    PYTHON dev/bench/suffixes.py
  indexes of archives beside cdxj-indexer
    PYTHON dev/bench/archives.py target/release/urlid samples/debian_homepages.txt
";

#[cfg(test)]
mod tests {
    use super::COMMANDS;
    use crate::command::root;
    use crate::verbs;

    #[test]
    fn commands_name_tasks_and_packages_that_exist() {
        let root = root().expect("the task runs in the repository");
        let contributing = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("it is there");
        let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("it is there");
        let workflows = read(".github/workflows/ci.yml") + &read(".github/workflows/release.yml");
        let releasing = read("docs/releasing.md");
        let texts = [contributing.as_str(), &workflows, &releasing, COMMANDS];
        let words: Vec<&str> = texts.iter().flat_map(|text| text.split_whitespace()).collect();
        let after = |option: &[&str]| -> Vec<&str> {
            let found = words.windows(option.len() + 1).filter(|some| some.starts_with(option));
            found.map(|some| some[option.len()].trim_matches(['`', '.', ',', ':', ';', ')'])).collect()
        };
        let tasks = after(&["xtask"]);
        assert!(tasks.len() > 3, "{tasks:?}");
        for task in tasks {
            assert!(task == "help" || verbs().any(|verb| verb.name == task), "no task {task}");
        }
        let lock = std::fs::read_to_string(root.join("Cargo.lock")).expect("it is there");
        let packages = after(&["--package"]);
        assert!(packages.len() > 10, "{packages:?}");
        for package in packages {
            assert!(lock.contains(&format!("\nname = \"{package}\"\n")), "no package {package}");
        }
    }
}
