//! Makes a suffix table from the text of a list.
//!
//! The same text gives the same table, byte for byte. The caller maps names in Unicode to ASCII: this crate does not depend on
//! IDNA.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::dat::{self, ListError, ListFault, Rule, RuleKind, Section, excerpt};
use crate::label::Label;
use crate::suffix_filter::{LastLabels, SuffixFilter, WILDCARDS};
use crate::table::{
    EITHER, EXCEPTION, INNER, Name, PARENT_BITS, REST_SHIFT, ROOT, RULE, Table, WILDCARD, first_slot, key,
    text_of,
};

/// The most names that a table can hold.
pub(crate) const MAX_NAMES: usize = (1 << PARENT_BITS) - 1;

/// A suffix table that owns its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableBuf {
    search: Search,
    names: Vec<Name>,
    rest: String,
}

impl TableBuf {
    /// Makes the table of a list, both sections.
    ///
    /// `to_ascii` maps a name to the form that hosts have (lower case, `xn--` labels), or returns `None` for a name that no
    /// host can have.
    pub fn from_dat(dat: &str, to_ascii: impl FnMut(&str) -> Option<String>) -> Result<TableBuf, ListError> {
        Ok(TableBuf::of(names(dat, to_ascii, MAX_NAMES)?))
    }

    /// Returns the table.
    #[inline]
    pub fn as_table(&self) -> Table<'_> {
        self.search.table(&self.names, &self.rest)
    }

    fn of(names: Names) -> TableBuf {
        let mut builder = Builder::with_room(names.len());
        let mut indexes = BTreeMap::from([(Vec::new(), ROOT)]);
        for ((_, labels), rules) in names {
            let (first, parent) = labels.split_last().expect("a name has a label");
            let index = builder.add(indexes[parent], first, rules);
            indexes.insert(labels, index);
        }
        builder.table
    }
}

/// A table that is being made, name by name: a name comes after its parent.
pub(crate) struct Builder {
    pub(crate) table: TableBuf,
    /// The hash of each name, the root first.
    hashes: Vec<u64>,
    /// Where the beginnings of long labels are in the rest.
    rests: BTreeMap<String, u64>,
    /// The last top-level name that had a child, and its text.
    top: (u32, String),
}

impl Builder {
    pub(crate) fn with_room(count: usize) -> Self {
        let mut names = Vec::with_capacity(count + 1);
        // The default rule `*`: every child of the root is a suffix, in either section.
        names.push(Name { last: 0, fields: EITHER * WILDCARD });
        let table = TableBuf { search: Search::with_room(count), names, rest: String::new() };
        Builder { table, hashes: vec![0], rests: BTreeMap::new(), top: (ROOT, String::new()) }
    }

    /// Adds a name by its parent and its first label, and returns its index.
    pub(crate) fn add(&mut self, parent: u32, first: &str, rules: u64) -> u32 {
        let label = Label::within(first.as_bytes(), 0, first.len());
        let hash = label.hash(self.hashes[parent as usize]);
        let rest = self.place_of(&first[..first.len().saturating_sub(8)]);
        let table = &mut self.table;
        let index = table.names.len() as u32;
        table.names.push(Name { last: label.last, fields: key(parent, &label) | rest << REST_SHIFT | rules });
        table.search.add_hash(hash, index);
        if parent == ROOT {
            table.search.filter_wildcard(first, rules);
        } else if table.names[parent as usize].parent() == ROOT {
            if self.top.0 != parent {
                let text = text_of(&table.names, &table.rest, parent as usize).expect("the parent is there");
                self.top = (parent, text);
            }
            table.search.filter_pair(first, &self.top.1);
        }
        self.hashes.push(hash);
        index
    }

    /// Returns where the beginning of a long label is in the rest, to which it is added once.
    fn place_of(&mut self, beginning: &str) -> u64 {
        if beginning.is_empty() {
            return 0;
        }
        if let Some(place) = self.rests.get(beginning) {
            return *place;
        }
        let place = self.table.rest.len() as u64;
        self.table.rest.push_str(beginning);
        self.rests.insert(beginning.to_owned(), place);
        place
    }
}

/// What the filter has before a name: labels of other hosts. Those with a long top-level name take the walk.
const BEFORE: &str = "................";

/// What finds the names of a table: its hash table and its filter.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Search {
    slots: Vec<u32>,
    pairs: Vec<u64>,
    wildcards: Box<[u8; WILDCARDS]>,
}

impl Search {
    fn with_room(count: usize) -> Self {
        Search {
            slots: vec![ROOT; (2 * count).next_power_of_two()],
            pairs: vec![0; (count / 4).next_power_of_two()],
            wildcards: Box::new([0; WILDCARDS]),
        }
    }

    /// Returns the table of names that these are of.
    #[inline]
    fn table<'a>(&'a self, names: &'a [Name], rest: &'a str) -> Table<'a> {
        let filter = SuffixFilter { pairs: &self.pairs, wildcards: &self.wildcards };
        Table { slots: &self.slots, filter, names, rest }
    }

    /// Adds a name by its hash; there is room for it.
    fn add_hash(&mut self, hash: u64, index: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = first_slot(hash) & mask;
        while self.slots[slot] != ROOT {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = index;
    }

    /// Adds a top-level name to the filter if its children are suffixes.
    fn filter_wildcard(&mut self, name: &str, rules: u64) {
        if rules & (EITHER * WILDCARD) != 0
            && let Some(last) = LastLabels::of([BEFORE, name].concat().as_bytes())
        {
            self.wildcards[last.wildcard_index()] = 1;
        }
    }

    /// Adds a name of two labels to the filter.
    fn filter_pair(&mut self, first: &str, top: &str) {
        if let Some(last) = LastLabels::of([BEFORE, first, ".", top].concat().as_bytes()) {
            let mask = self.pairs.len() - 1;
            let (word, [one, other]) = last.pair_bits();
            self.pairs[word & mask] |= 1 << one | 1 << other;
        }
    }
}

/// The rules of each name. A name is its labels, the last one first; those with fewer labels come first.
type Names = BTreeMap<(usize, Vec<String>), u64>;

fn names(
    dat: &str,
    mut to_ascii: impl FnMut(&str) -> Option<String>,
    most: usize,
) -> Result<Names, ListError> {
    let mut names = Names::new();
    for rule in dat::rules(dat) {
        let rule = rule?;
        // The rule `*` holds in every list.
        if rule.name.is_empty() {
            continue;
        }
        let name = to_ascii(rule.name).filter(|name| is_host(name));
        let name = name.ok_or_else(|| ListError::at(rule.line, ListFault::Name(excerpt(rule.text))))?;
        let labels: Vec<String> = name.rsplit('.').map(str::to_owned).collect();
        for count in 1..labels.len() {
            *names.entry((count, labels[..count].to_vec())).or_default() |= INNER;
        }
        *names.entry((labels.len(), labels)).or_default() |= flags_of(&rule);
        if names.len() > most {
            return Err(ListError::at(rule.line, ListFault::TooManyNames { most }));
        }
    }
    Ok(names)
}

fn flags_of(rule: &Rule<'_>) -> u64 {
    let (flags, also) = match rule.kind {
        RuleKind::Plain => (RULE, 0),
        RuleKind::Wildcard => (WILDCARD, INNER),
        RuleKind::Exception => (EXCEPTION, 0),
    };
    match rule.section {
        Section::Icann => flags | also,
        Section::Private => flags << 1 | also,
    }
}

fn is_host(name: &str) -> bool {
    let is_label = |label: &str| (1..=63).contains(&label.len());
    name.is_ascii() && !name.contains(|c: char| c.is_ascii_uppercase()) && name.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ascii(name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    #[test]
    fn a_list_with_too_many_names_is_refused_where_it_goes_too_far() {
        let dat = "com\na.com\n\nb.c.com\n";
        assert_eq!(names(dat, ascii, 4).map(|names| names.len()), Ok(4));
        assert_eq!(names(dat, ascii, 3), Err(ListError::at(4, ListFault::TooManyNames { most: 3 })));
    }

    #[test]
    fn a_name_that_is_no_host_in_lower_case_is_refused() {
        for name in ["A.com", "é.com", &"a".repeat(64)] {
            let fault = ListFault::Name(name.to_owned());
            assert_eq!(TableBuf::from_dat(name, ascii), Err(ListError::at(1, fault)));
        }
        let refusing = TableBuf::from_dat("com\n*.b.com", |name| (name != "b.com").then(|| name.to_owned()));
        assert_eq!(refusing, Err(ListError::at(2, ListFault::Name("*.b.com".to_owned()))));
    }

    #[test]
    fn a_table_names_what_it_was_made_from() {
        let dat = "com\n*.elasticbeanstalk.com\n!x.elasticbeanstalk.com\nabcdefgh\nabcdefghi\n";
        let buf = TableBuf::from_dat(dat, ascii).unwrap();
        let table = buf.as_table();
        let names: Vec<_> = (0..=table.count() + 1).map(|index| table.name(index)).collect();
        let expected = ["abcdefgh", "abcdefghi", "com", "elasticbeanstalk.com", "x.elasticbeanstalk.com"]
            .map(|name| Some(name.to_owned()));
        assert_eq!(names, [&[None], &expected[..], &[None]].concat());
    }
}
