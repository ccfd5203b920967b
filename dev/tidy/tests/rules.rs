//! One test for each rule.

use std::collections::BTreeMap;

use tidy::repeats::repeats;
use tidy::{File, files, root};

/// A longer file has more than one idea.
const LONGEST_FILE: usize = 600;
/// A longer decision record is not read.
const LONGEST_DECISION: usize = 40;
/// More records hide the important ones. Join two, or move a reason into the code.
const MOST_DECISIONS: usize = 12;
/// The maximum number of pages, without the READMEs of packages and `.github`.
const MOST_PAGES: usize = 48;
/// The maximum number of lines of README.md and ARCHITECTURE.md.
const LONGEST_MAP: usize = 130;
/// The maximum number of public error types of all crates. A caller should need only `urlid::Error`
/// (docs/decisions/0008-errors.md).
const MOST_ERROR_TYPES: usize = 15;

#[test]
fn every_source_file_places_itself() {
    check(sources(), "does not open with `//!`", |file| file.text.starts_with("//!"));
}

#[test]
fn no_source_file_is_longer_than_600_lines() {
    check(sources(), "is too long", |file| file.text.lines().count() <= LONGEST_FILE);
}

/// The crates that may have `unsafe`, with the reasons.
const UNSAFE: &[(&str, &str)] = &[
    ("crates/urlid-simd/", "vector instructions"),
    ("crates/urlid-stdio/", "a look at the descriptors before the runtime starts"),
    ("bindings/c/", "pointers of the caller, and names that C can link"),
    ("bindings/duckdb/", "the C interface of DuckDB, behind safe types"),
    ("bindings/js/", "the import of a function of JavaScript"),
    ("bindings/sqlite/", "the entry point of an extension, and tables whose layout is SQLite's"),
];

#[test]
fn unsafe_is_where_it_must_be_only() {
    let roots = files(&["/src/lib.rs", "/src/main.rs"]).into_iter();
    let libraries = roots.filter(|file| file.path.starts_with("crates/"));
    let may = |path: &str| UNSAFE.iter().any(|(folder, _)| path.starts_with(folder));
    let others = libraries.filter(|file| !may(&file.path));
    check(others, "does not forbid unsafe code", |file| file.text.contains("#![forbid(unsafe_code)]"));

    let keyword = ["unsafe", " "].concat();
    let has_unsafe = |file: &File| {
        file.text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(&keyword))
    };
    let bindings = sources().filter(|file| file.path.starts_with("bindings/")).collect::<Vec<_>>();
    for (folder, why) in UNSAFE.iter().filter(|(folder, _)| folder.starts_with("bindings/")) {
        let needs = bindings.iter().any(|file| file.path.starts_with(folder) && has_unsafe(file));
        assert!(needs, "{folder} has no unsafe code any more, for {why}");
    }
    let others = bindings.into_iter().filter(|file| !may(&file.path));
    check(others, "has unsafe code", |file| !has_unsafe(file));
}

#[test]
fn no_doc_comment_only_repeats_a_name() {
    let crates = sources().filter(|file| file.path.starts_with("crates/"));
    let places =
        |file: File| repeats(&file.text).map(|line| format!("{}:{line}", file.path)).collect::<Vec<_>>();
    let found: Vec<String> = crates.flat_map(places).collect();
    assert!(found.is_empty(), "say a unit, a range, an owner or a source, or nothing: {found:#?}");
}

#[test]
fn lints_are_silenced_with_a_reason() {
    let is_plain =
        |line: &str| line.trim_start().starts_with("#[allow(") || line.trim_start().starts_with("#![allow(");
    check(sources(), "silences a lint by `allow`", |file| !file.text.lines().any(is_plain));
    let has_reasons = |file: &File| {
        file.text
            .split("#[expect(")
            .skip(1)
            .all(|rest| rest.split("]\n").next().is_some_and(|attribute| attribute.contains("reason = ")))
    };
    check(sources(), "silences a lint without a reason", has_reasons);
}

#[test]
fn there_are_few_public_error_types() {
    let is_library = |file: &File| file.path.starts_with("crates/") && file.path.contains("/src/");
    let types: Vec<String> = sources().filter(is_library).flat_map(|file| error_types(&file.text)).collect();
    assert!(types.iter().any(|name| name == "Error"), "{types:?}");
    assert!(types.len() <= MOST_ERROR_TYPES, "{} public error types: {types:#?}", types.len());
}

/// Returns the public types of a file that implement `Error` or are named after it.
fn error_types(text: &str) -> Vec<String> {
    let declared = |line: &str| {
        let rest = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))?;
        rest.split(|c: char| !c.is_alphanumeric()).next().map(str::to_owned)
    };
    let is_error = |name: &String| name.ends_with("Error") || text.contains(&format!("Error for {name} {{"));
    text.lines().filter_map(declared).filter(is_error).collect()
}

#[test]
fn no_test_is_ignored_but_those_at_length_which_the_gate_runs() {
    let marker = ["#[", "ignore"].concat();
    let at_length = [&marker, " = \"at length: .ci/run\"]"].concat();
    let is_allowed = |file: &File| {
        let may =
            if file.path.starts_with("dev/conformance/") { file.text.matches(&at_length).count() } else { 0 };
        file.text.matches(&marker).count() == may
    };
    check(sources(), "ignores a test", is_allowed);
    let gate = std::fs::read_to_string(root().join(".ci/run")).expect("the gate is in the repository");
    assert!(gate.contains("-- --ignored"), "the gate runs them");
}

#[test]
fn dependencies_run_one_way() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("urlid-psl", &[][..]),
        ("urlid-simd", &[]),
        ("urlid-stdio", &[]),
        ("urlid", &["urlid-psl", "urlid-simd"]),
        ("urlid-canonical", &["urlid"]),
        ("urlid-lists", &["urlid"]),
        ("urlid-archives", &["urlid", "urlid-canonical"]),
        ("urlid-io", &["urlid", "urlid-archives"]),
        ("urlid-ops", &["urlid", "urlid-canonical"]),
        ("urlid-store", &["urlid", "urlid-canonical", "urlid-io"]),
        ("urlid-learn", &["urlid", "urlid-canonical", "urlid-archives"]),
        (
            "urlid-cli",
            &[
                "urlid",
                "urlid-canonical",
                "urlid-lists",
                "urlid-archives",
                "urlid-learn",
                "urlid-io",
                "urlid-ops",
                "urlid-store",
                "urlid-stdio",
            ],
        ),
    ]);
    for manifest in files(&["Cargo.toml"]).iter().filter(|file| file.path.starts_with("crates/")) {
        let name = manifest.path.split('/').nth(1).unwrap_or_default();
        let own = allowed.get(name).unwrap_or_else(|| panic!("{name} is in no place of the layering"));
        for dependency in
            dependencies(&manifest.text, "dependencies").filter(|name| name.starts_with("urlid"))
        {
            assert!(own.contains(&dependency), "{name} may not depend on {dependency}");
        }
    }
}

#[test]
fn competitors_are_in_benches_and_comparisons_only() {
    const COMPETITORS: [&str; 5] = ["ada-url", "sxurl", "url-hash", "psl", "iri-string"];
    for manifest in files(&["Cargo.toml"]).iter().filter(|file| file.path.starts_with("crates/")) {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let found = dependencies(&manifest.text, section).find(|name| COMPETITORS.contains(name));
            assert_eq!(found, None, "{} has a competitor among its {section}", manifest.path);
        }
    }
}

/// Identifiers, files and answers do not depend on a clock. They are the same in 1970, in 2100 and in every
/// time zone. The program reads a clock in one place, to reject a trusted list that has expired (decision 7).
#[test]
fn no_crate_reads_the_clock() {
    let clocks =
        [["System", "Time"], ["Instant::", "now"], ["clock_", "gettime"]].map(|parts| parts.concat());
    let sources = files(&[".rs"]).into_iter().filter(|file| {
        file.path.starts_with("crates/")
            && file.path != "crates/urlid-cli/src/clock.rs"
            && !file.path.contains("/tests/")
            && !file.path.contains("/benches/")
    });
    check(sources, "reads the clock", |file| !clocks.iter().any(|clock| file.text.contains(clock.as_str())));
}

/// If a thread cannot be started, this is an error, or a different thread does its work. Outside `Builder`,
/// `spawn` panics.
#[test]
fn threads_are_started_by_a_builder() {
    let sources = files(&[".rs"])
        .into_iter()
        .filter(|file| file.path.starts_with("crates/") && !file.path.contains("/tests/"));
    check(sources, "starts a thread that may panic", |file| {
        let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        let mut lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        !lines.any(|line| line.contains("thread::spawn(") || line.contains("scope.spawn("))
    });
}

/// Canonical forms use the Unicode data of the runtimes that they freeze, which is in `unicode`. The
/// functions here use the data of the compiler or of a linked library.
#[test]
fn canonical_forms_read_no_unicode_data_of_today() {
    const METHODS: [&str; 17] = [
        ".to_lowercase()",
        ".to_uppercase()",
        ".is_alphanumeric()",
        ".is_alphabetic()",
        ".is_numeric()",
        ".is_uppercase()",
        ".is_lowercase()",
        ".is_whitespace()",
        ".is_control()",
        ".trim()",
        ".trim_start()",
        ".trim_end()",
        ".split_whitespace()",
        "char::is_",
        "str::trim",
        "icu_",
        "stringprep::",
    ];
    let is_canonical = |file: &File| file.path.starts_with("crates/urlid-canonical/src/");
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let reads = |file: &File| {
        file.text.lines().filter(is_code).any(|line| METHODS.iter().any(|method| line.contains(method)))
    };
    check(sources().filter(is_canonical), "reads Unicode data of the compiler or a library", |file| {
        !reads(file)
    });
}

#[test]
fn texts_name_no_registry_and_no_private_place() {
    let forbidden =
        [["crates", ".io"], ["pypi", ".org"], ["npmjs", ".com"], ["/work", "/main"], ["/root", "/."]]
            .map(|parts| parts.concat());
    let texts = files(&[".rs", ".md", ".toml", ".py", ".sh", ".txt", "/run", ".json", ".svg", ".console"]);
    let is_data = |file: &File| file.path.starts_with("samples/") || file.path.starts_with("vectors/");
    for file in texts.iter().filter(|file| !is_data(file)) {
        let found = forbidden.iter().find(|word| file.text.contains(word.as_str()));
        assert_eq!(found, None, "{} names it", file.path);
    }
}

#[test]
fn documents_name_files_and_headings_that_exist() {
    let pages = files(&[".md"]);
    for file in &pages {
        let folder = root().join(&file.path);
        let folder = folder.parent().expect("a file lies in a folder");
        for (target, heading) in links(&file.text) {
            let path = if target.is_empty() { root().join(&file.path) } else { folder.join(target) };
            assert!(path.exists(), "{} links to {target}, which is not there", file.path);
            if !heading.is_empty() && path.extension().is_some_and(|ending| ending == "md") {
                let text = std::fs::read_to_string(&path).expect("a page is text");
                let is_there = headings(&text).any(|anchor| anchor == heading);
                assert!(is_there, "{} links to {target}#{heading}, which is not a heading", file.path);
            }
        }
    }
    let is_linked = |page: &File| {
        let name = page.path.rsplit('/').next().unwrap_or_default();
        let links_to = |other: &&File| links(&other.text).any(|(target, _)| target.ends_with(name));
        pages.iter().filter(|other| other.path != page.path).any(|other| links_to(&other))
    };
    // The records of decisions are reached through their folder.
    let is_guide = |file: &File| file.path.strip_prefix("docs/").is_some_and(|name| !name.contains('/'));
    let guides = files(&[".md"]).into_iter().filter(is_guide);
    check(guides, "is linked from no other page", is_linked);
}

#[test]
fn every_address_of_the_project_matches_the_workspace() {
    let address = env!("CARGO_PKG_REPOSITORY");
    // The repository's name on a forge, which DuckDB requires.
    let name = address.rsplitn(3, '/').take(2).collect::<Vec<_>>();
    for (path, text) in [
        ("bindings/python/pyproject.toml", format!("Source = \"{address}\"")),
        ("bindings/js/package/package.json", format!("\"homepage\": \"{address}\"")),
        ("bindings/js/package/package.json", format!("\"git+{address}.git\"")),
        ("bindings/js/package/package.json", format!("\"{address}/issues\"")),
        ("bindings/duckdb/description.yml", format!("github: {}/{}\n", name[1], name[0])),
        ("bindings/duckdb/description.yml", format!("maintainers:\n    - {}\n", name[1])),
        ("SECURITY.md", format!("{address}/security/advisories/new")),
        ("CITATION.cff", format!("repository-code: \"{address}\"")),
    ] {
        let content = std::fs::read_to_string(root().join(path)).expect("the file is there");
        assert!(content.contains(&text), "{path}: expected {text}");
    }
}

#[test]
fn each_package_has_its_own_description_readme_and_licence() {
    let mut seen = Vec::new();
    for manifest in files(&["Cargo.toml"]).into_iter().filter(|file| file.path.starts_with("crates/")) {
        for field in [
            "description = \"",
            "keywords = [",
            "categories = [",
            "rust-version.workspace = true",
            "repository.workspace = true",
            "readme = \"README.md\"",
            "[package.metadata.docs.rs]\nall-features = true\nrustdoc-args = [\"--cfg\", \"docsrs\"]\n",
        ] {
            assert!(manifest.text.contains(&format!("\n{field}")), "{}: found no {field}", manifest.path);
        }
        let folder = root().join(&manifest.path).with_file_name("");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the package has the file");
        let example = read("README.md").contains("\n```");
        assert!(example, "the README of {} has no example", manifest.path);
        let is_program = folder.ends_with("urlid-cli");
        let source = read(if is_program { "src/main.rs" } else { "src/lib.rs" });
        let is_tested = source.contains("#[doc = include_str!(\"../README.md\")]");
        assert!(is_program || is_tested, "the README of {} is not tested", manifest.path);
        let has_features = manifest.text.contains("\n[features]\n");
        let has_badges = source.contains("\n#![cfg_attr(docsrs, feature(doc_cfg))]\n");
        assert_eq!(has_features, has_badges, "{}: badges of features on docs.rs", manifest.path);
        for (name, own) in [("MIT", "MIT OR"), ("APACHE", "MIT OR"), ("MPL", "MPL-2.0")] {
            let licence = manifest.text.lines().find(|line| line.starts_with("license"));
            let licence =
                licence.expect("a package has a licence").replace("license.workspace = true", "MIT OR");
            // A link that was committed as a file has a path in place of a text.
            let text = std::fs::read_to_string(folder.join(format!("LICENSE-{name}")));
            let is_text = text.is_ok_and(|text| text.len() > 1000);
            assert_eq!(is_text, licence.contains(own), "{}: LICENSE-{name}", manifest.path);
        }
        let words: Vec<&str> = manifest.text.lines().filter(|line| line.starts_with("keywords")).collect();
        assert!(!seen.contains(&words.concat()), "{} has the keywords of another crate", manifest.path);
        seen.push(words.concat());
    }
    assert!(seen.len() >= 12);
}

#[test]
fn decision_records_are_few_and_short() {
    let pages = files(&[".md"]).into_iter();
    let decisions: Vec<File> = pages.filter(|file| file.path.starts_with("docs/decisions/")).collect();
    assert!(decisions.len() <= MOST_DECISIONS, "{} records", decisions.len());
    let mut numbers: Vec<&str> =
        decisions.iter().map(|file| &file.path["docs/decisions/".len()..][..4]).collect();
    numbers.sort_unstable();
    let expected: Vec<String> = (1..=decisions.len()).map(|number| format!("{number:04}")).collect();
    assert_eq!(numbers, expected);
    check(decisions, "is too long", |file| file.text.lines().count() <= LONGEST_DECISION);
}

#[test]
fn pages_are_few_and_the_maps_short() {
    let is_page = |path: &str| !path.starts_with(".github/") && !path.ends_with("/README.md");
    let pages: Vec<File> = files(&[".md"]).into_iter().filter(|file| is_page(&file.path)).collect();
    assert!(pages.len() <= MOST_PAGES, "{} pages", pages.len());
    let maps =
        pages.into_iter().filter(|file| ["README.md", "ARCHITECTURE.md"].contains(&file.path.as_str()));
    check(maps, "is too long", |file| file.text.lines().count() <= LONGEST_MAP);
}

#[test]
fn the_readme_has_two_commands() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let commands: Vec<&str> = readme.lines().filter(|line| line.starts_with("cargo ")).collect();
    assert_eq!(
        commands,
        ["cargo run --release -- index add urls.db samples/debian_homepages.txt", "cargo xtask test"]
    );
}

/// The Rust files of the project, without generated ones.
fn sources() -> impl Iterator<Item = File> {
    files(&[".rs"]).into_iter().filter(|file| !file.path.ends_with("generated.rs"))
}

fn check(files: impl IntoIterator<Item = File>, complaint: &str, holds: impl Fn(&File) -> bool) {
    let bad: Vec<String> = files.into_iter().filter(|file| !holds(file)).map(|file| file.path).collect();
    assert!(bad.is_empty(), "{complaint}: {bad:#?}");
}

/// Returns the names in a section of a manifest.
fn dependencies<'a>(manifest: &'a str, section: &str) -> impl Iterator<Item = &'a str> {
    let header = format!("[{section}]");
    let lines = manifest.lines().skip_while(move |line| *line != header).skip(1);
    let body = lines.take_while(|line| !line.starts_with('['));
    body.filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
}

/// Returns the files that a document links to in the repository, each with the heading after `#`. The file of
/// a link within the document is empty.
fn links(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let inside =
        targets.filter(|target| !target.is_empty() && !target.contains("://") && !target.contains(' '));
    inside.map(|target| target.split_once('#').unwrap_or((target, "")))
}

/// Returns the anchors of a document's headings, as sites of repositories make them.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let titles =
        text.lines().filter_map(|line| line.strip_prefix('#').map(|title| title.trim_start_matches('#')));
    titles.filter_map(|title| title.strip_prefix(' ')).map(|title| {
        let kept =
            title.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    })
}
