//! Groups of files that import each other, found in a graph of imports.

use std::collections::{BTreeMap, BTreeSet};

/// The imports of files by files, each with the name of one imported item.
#[derive(Default)]
pub struct Imports(BTreeMap<String, BTreeMap<String, String>>);

impl Imports {
    /// Adds that `from` imports `name`, which is defined in `to`.
    pub fn add(&mut self, from: &str, to: &str, name: &str) {
        if from != to {
            let names = self.0.entry(from.to_owned()).or_default();
            names.entry(to.to_owned()).or_insert_with(|| name.to_owned());
        }
    }

    /// Returns each importing file with each file that it imports.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(from, names)| names.keys().map(|to| (from.as_str(), to.as_str())))
    }

    /// Returns the groups of files in which each file imports every other, directly or indirectly.
    pub fn circles(&self) -> Vec<BTreeSet<String>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.0.keys().map(|file| (file.as_str(), self.reached_from(file))).collect();
        let mut circles = BTreeSet::new();
        for (file, others) in reached.iter().filter(|(file, others)| others.contains(*file)) {
            let is_mutual = |other: &&&str| reached.get(**other).is_some_and(|back| back.contains(file));
            circles.insert(others.iter().filter(is_mutual).map(|&other| other.to_owned()).collect());
        }
        circles.into_iter().collect()
    }

    /// Returns the imports inside a group, one on each line.
    pub fn inside(&self, group: &BTreeSet<String>) -> String {
        let of_file = |from: &String| {
            let names = self.0.get(from).into_iter().flatten().filter(|(to, _)| group.contains(*to));
            names.map(|(to, name)| format!("  {from} imports {name} of {to}\n")).collect::<String>()
        };
        group.iter().map(of_file).collect()
    }

    fn reached_from<'a>(&'a self, file: &'a str) -> BTreeSet<&'a str> {
        // The file itself is not in `reached` at first. It is added only if it is in a circle.
        let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
        while let Some(file) = open.pop() {
            let names = self.0.get(file).into_iter().flatten();
            open.extend(names.map(|(to, _)| to.as_str()).filter(|to| reached.insert(*to)));
        }
        reached
    }
}
