//! The answers of a runtime about Unicode, as the scripts of `dev/xtask/unicode` print them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use crate::command::{cache, finish_quietly, install, root};
use crate::oracles;

/// One past the last code point.
pub(super) const END: u32 = 0x11_0000;

/// Properties that are printed where their value changes. All other lines are mappings.
const PROPERTIES: [&str; 8] =
    ["category", "bidi", "combining", "old-category", "old-bidi", "class", "joining", "case"];

/// A mapping from code points to texts.
pub(super) type Mapping = BTreeMap<u32, String>;

/// The answers of a runtime.
#[derive(Default)]
pub(super) struct Facts {
    version: String,
    /// The values of each property, by the code point at which they start.
    runs: BTreeMap<String, BTreeMap<u32, String>>,
    mappings: BTreeMap<String, Mapping>,
}

impl Facts {
    /// Runs CPython 3.11.
    pub(super) fn of_python() -> Result<Self, String> {
        let facts = Self::of(Command::new("python3.11").arg(script("python.py")?))?;
        facts.expect_version("14.0.0 3.2.0", "CPython 3.11")
    }

    /// Runs Java 17 from the path of Debian's package, because the Java on the path may be a different
    /// version.
    pub(super) fn of_java() -> Result<Self, String> {
        install(&["openjdk-17-jdk-headless"])?;
        let machines = std::fs::read_dir("/usr/lib/jvm").map_err(|error| format!("/usr/lib/jvm: {error}"))?;
        let folders = machines.filter_map(|folder| Some(folder.ok()?.path()));
        let is_java_17 = |folder: &PathBuf| folder.to_string_lossy().contains("/java-17-openjdk-");
        let java =
            folders.filter(is_java_17).map(|folder| folder.join("bin/java")).find(|java| java.exists());
        let java = java.ok_or("openjdk-17-jdk-headless has no bin/java under /usr/lib/jvm")?;
        Self::of(Command::new(java).arg(script("Java.java")?))?.expect_version("17", "Java 17")
    }

    /// Runs PyPI's idna 3.20 on CPython 3.11.
    pub(super) fn of_idna() -> Result<Self, String> {
        let environment = cache()?.join("oracles/w3lib-2.5");
        oracles::install(&root()?.join("dev/xtask/oracles/w3lib-2.5.txt"), &environment)?;
        Self::of(Command::new(environment.join("bin/python")).arg(script("package_idna.py")?))?
            .expect_version("3.20 14.0.0", "PyPI's idna")
    }

    /// Runs Node 20.
    pub(super) fn of_node() -> Result<Self, String> {
        let node = oracles::node("normalize-url-9")?;
        Self::of(Command::new(node).arg(script("node.mjs")?))?.expect_version("20.20.2 2.9.2 17.0", "Node 20")
    }

    /// Reads lines with a name, a code point, and a value or the code points to which it is mapped.
    fn of(command: &mut Command) -> Result<Self, String> {
        let output = finish_quietly(command)?;
        let mut facts = Self::default();
        for line in output.lines() {
            let (name, rest) =
                line.split_once(' ').ok_or_else(|| format!("a line is not a fact: {line:?}"))?;
            let (code, value) = rest.split_once(' ').unwrap_or((rest, ""));
            if name == "version" {
                facts.version = rest.to_owned();
            } else if PROPERTIES.contains(&name) {
                facts.runs.entry(name.to_owned()).or_default().insert(number(code)?, value.to_owned());
            } else {
                let text = value.split_whitespace().map(character).collect::<Result<String, String>>()?;
                facts.mappings.entry(name.to_owned()).or_default().insert(number(code)?, text);
            }
        }
        Ok(facts)
    }

    fn expect_version(self, version: &str, runtime: &str) -> Result<Self, String> {
        if self.version == version {
            Ok(self)
        } else {
            Err(format!("the tables are those of {runtime} ({version}), found {:?}", self.version))
        }
    }

    /// Returns the value of a property for every code point. Surrogates have the value of the code point
    /// before them.
    pub(super) fn values(&self, property: &str) -> Vec<&str> {
        let runs = &self.runs[property];
        let ends = runs.keys().copied().skip(1).chain([END]);
        let lengths = runs.iter().zip(ends).map(|((start, value), end)| (value.as_str(), end - start));
        lengths.flat_map(|(value, length)| std::iter::repeat_n(value, length as usize)).collect()
    }

    pub(super) fn mapping(&self, name: &str) -> &Mapping {
        &self.mappings[name]
    }
}

fn script(name: &str) -> Result<PathBuf, String> {
    Ok(root()?.join("dev/xtask/unicode").join(name))
}

fn number(digits: &str) -> Result<u32, String> {
    u32::from_str_radix(digits, 16).map_err(|error| format!("{digits:?}: {error}"))
}

fn character(digits: &str) -> Result<char, String> {
    char::from_u32(number(digits)?).ok_or_else(|| format!("{digits:?} is not a character"))
}
