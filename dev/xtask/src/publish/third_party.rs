//! The crates inside a build: their licence texts in one file, and a bill of materials in the CycloneDX
//! format.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::command::finish_quietly;

/// A crate that is linked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Crate {
    pub(super) name: String,
    pub(super) version: String,
    licence: String,
    folder: PathBuf,
    /// SHA-256 of the package from the lock file, or `None` for crates of this repository.
    checksum: Option<String>,
}

/// Other works that are linked with crates and that their metadata does not mention.
const BESIDE_THE_CRATES: &str = "\
The standard library of Rust (MIT OR Apache-2.0), SQLite (in the public domain) and Zstandard (BSD-3-Clause) are linked too.
The Public Suffix List and the list of tracking parameters are under the Mozilla Public License 2.0, whose text is below;
their sources are in the crates urlid-psl and urlid-canonical.
";

/// Returns the crates that a package links on a platform, or on any, in the order of their names.
pub(super) fn crates(manifest: &Path, triple: Option<&str>) -> Result<Vec<Crate>, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--locked", "--format-version", "1", "--manifest-path"]).arg(manifest);
    if let Some(triple) = triple {
        cargo.args(["--filter-platform", triple]);
    }
    let metadata: Value = serde_json::from_str(&finish_quietly(cargo.env_remove("RUSTC"))?)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let wanted = manifest.canonicalize().map_err(|error| format!("{}: {error}", manifest.display()))?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = list(&metadata["packages"]);
    let own = packages.iter().find(|package| Path::new(&text(&package["manifest_path"])) == wanted);
    let mut waiting = vec![text(&own.ok_or("the package is not in its own metadata")?["id"])];
    let mut linked = BTreeSet::new();
    let nodes = list(&metadata["resolve"]["nodes"]);
    while let Some(id) = waiting.pop() {
        if !linked.insert(id.clone()) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id.as_str()).ok_or("a package without a node")?;
        let is_linked =
            |dependency: &Value| list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        waiting.extend(list(&node["deps"]).iter().filter(|one| is_linked(one)).map(|one| text(&one["pkg"])));
    }
    let lock = PathBuf::from(text(&metadata["workspace_root"])).join("Cargo.lock");
    let lock = std::fs::read_to_string(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let checksums = checksums(&lock);
    let mut crates: Vec<Crate> = packages
        .iter()
        .filter(|package| linked.contains(&text(&package["id"])))
        .map(|package| {
            let (name, version) = (text(&package["name"]), text(&package["version"]));
            let folder = Path::new(&text(&package["manifest_path"])).with_file_name("");
            let checksum = checksums.get(&(name.clone(), version.clone())).cloned();
            Crate { licence: text(&package["license"]), folder, checksum, name, version }
        })
        .collect();
    crates.sort();
    Ok(crates)
}

/// Returns the checksums of a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.map(|text| text.trim_matches('"').to_owned())
    };
    let packages = lock.split("[[package]]");
    let entry = |package: &str| {
        Some(((value(package, "name")?, value(package, "version")?), value(package, "checksum")?))
    };
    packages.filter_map(entry).collect()
}

/// Returns every licence text once, with the crates that have it. Libraries that are not crates are given
/// with the files of their licences.
pub(super) fn licences(crates: &[Crate], libraries: &[(&str, PathBuf)]) -> Result<String, String> {
    let mut out = format!("Licences of what is inside\n\n{BESIDE_THE_CRATES}\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut add = |file: &Path, name: &str| {
        let text = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let text = String::from_utf8_lossy(&text).replace("\r\n", "\n").trim().to_owned();
        texts.entry(text).or_default().push(name.to_owned());
        Ok::<(), String>(())
    };
    for (name, file) in libraries {
        add(file, name)?;
    }
    for one in crates {
        let name = format!("{} {}", one.name, one.version);
        writeln!(out, "{name}: {}", one.licence).expect("a String takes any text");
        for file in licence_files(&one.folder)? {
            add(&file, &name)?;
        }
    }
    for (text, names) in texts {
        let line = "-".repeat(80);
        write!(out, "\n{line}\n{}\n\n{text}\n", names.join(", ")).expect("a String takes any text");
    }
    Ok(out)
}

/// Returns the files of a crate with licences and notices, including the files of a C library within it.
fn licence_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    const STARTS: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
    let mut files = Vec::new();
    for folder in [folder.to_owned(), folder.join("zstd"), folder.join("data")] {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
            let name = entry.file_name().to_string_lossy().to_uppercase();
            if entry.path().is_file() && STARTS.iter().any(|start| name.starts_with(start)) {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the bill of materials of a program.
pub(super) fn bill_of_materials(program: &str, crates: &[Crate]) -> String {
    let purl = |one: &Crate| format!("pkg:cargo/{}@{}", one.name, one.version);
    let component = |kind: &str, one: &Crate| {
        let mut component = json!({
            "type": kind, "name": one.name, "version": one.version, "purl": purl(one), "bom-ref": purl(one),
            "licenses": [{ "expression": one.licence.replace('/', " OR ") }],
        });
        if let Some(checksum) = &one.checksum {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
        }
        component
    };
    let (own, others): (Vec<&Crate>, Vec<&Crate>) = crates.iter().partition(|one| one.name == program);
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": own.first().map(|one| component("application", one)) },
        "components": others.iter().map(|one| component("library", one)).collect::<Vec<_>>(),
    });
    format!("{bill:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::root;

    #[test]
    fn the_program_has_the_licences_of_all_that_it_links() {
        let manifest = root().expect("it is there").join("crates/urlid-cli/Cargo.toml");
        let crates = crates(&manifest, Some("x86_64-unknown-linux-gnu")).expect("cargo lists them");
        let names: Vec<&str> = crates.iter().map(|one| one.name.as_str()).collect();
        assert!(["urlid-cli", "urlid-psl", "idna", "libsqlite3-sys"].iter().all(|name| names.contains(name)));
        assert!(!names.contains(&"proptest"), "tests are not linked");
        let licences = licences(&crates, &[]).expect("they can be read");
        for text in
            ["Mozilla Public License Version 2.0", "Apache License", "Zstandard software", "UNICODE LICENSE"]
        {
            assert!(licences.contains(text), "{text}");
        }
        let bill: Value = serde_json::from_str(&bill_of_materials("urlid-cli", &crates)).expect("it is JSON");
        assert_eq!(bill["metadata"]["component"]["name"], "urlid-cli");
        let of_registry = |one: &&Value| !one["name"].as_str().is_some_and(|name| name.starts_with("urlid"));
        let components = bill["components"].as_array().expect("a list");
        assert!(components.iter().filter(of_registry).all(|one| one["hashes"][0]["content"].is_string()));
        assert!(components.iter().all(|one| one["licenses"][0]["expression"] != ""), "{components:?}");
    }
}
