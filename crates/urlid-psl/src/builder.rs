//! Makes a suffix table from the text of a list.
//!
//! The same text gives the same table, byte for byte. The caller maps names in Unicode to ASCII: this crate does not depend on
//! IDNA.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::dat::{self, ListError, ListFault, Rule, RuleKind, Section, excerpt};
use crate::label::Label;
use crate::suffix_filter::{LastLabels, SuffixFilter, WILDCARDS};
use crate::table::{
    EITHER, EXCEPTION, INNER, Name, PARENT_BITS, REST_SHIFT, ROOT, RULE, Table, WILDCARD, first_slot, key,
};

#[cfg(any(feature = "compact", test))]
use crate::table::text_of;

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
        let count = names.len();
        let mut table = TableBuf {
            search: Search::with_room(count),
            // The default rule `*`: every child of the root is a suffix, in either section.
            names: vec![Name { last: 0, fields: EITHER * WILDCARD }],
            rest: String::new(),
        };
        let mut rests = BTreeMap::new();
        let mut indexes = BTreeMap::from([(Vec::new(), (ROOT, 0))]);
        for ((_, labels), rules) in names {
            let (first, parent) = labels.split_last().expect("a name has a label");
            let (parent, parent_hash) = indexes[parent];
            let label = Label::ending_at(first.as_bytes(), first.len());
            let hash = label.hash(parent_hash);
            let index = table.names.len() as u32;
            let rest = &first[..first.len().saturating_sub(8)];
            let place = *rests.entry(rest.to_owned()).or_insert_with(|| table.add_rest(rest));
            table
                .names
                .push(Name { last: label.last, fields: key(parent, &label) | place << REST_SHIFT | rules });
            let name: String = labels.iter().rev().map(|label| format!(".{label}")).collect();
            table.search.add(&name, rules, hash, index);
            indexes.insert(labels, (index, hash));
        }
        table
    }

    fn add_rest(&mut self, rest: &str) -> u64 {
        let place = self.rest.len();
        self.rest.push_str(rest);
        place as u64
    }
}

/// What finds the names of a table: its hash table and its filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Search {
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

    /// Makes them for the names of a table, the root first.
    #[cfg(any(feature = "compact", test))]
    pub(crate) fn of(names: &[Name], rest: &str) -> Self {
        let mut search = Self::with_room(names.len() - 1);
        let mut hashes = vec![0];
        for (index, name) in (0_u32..).zip(names).skip(1) {
            let text = text_of(names, rest, index as usize).expect("there are as many names");
            let first = text.split('.').next().unwrap_or_default();
            let parent = name.fields & ((1 << PARENT_BITS) - 1);
            let hash = Label::within(text.as_bytes(), 0, first.len()).hash(hashes[parent as usize]);
            search.add(&format!(".{text}"), name.fields, hash, index);
            hashes.push(hash);
        }
        search
    }

    /// Returns the table of names that these are of.
    #[inline]
    pub(crate) fn table<'a>(&'a self, names: &'a [Name], rest: &'a str) -> Table<'a> {
        let filter = SuffixFilter { pairs: &self.pairs, wildcards: &self.wildcards };
        Table { slots: &self.slots, filter, names, rest }
    }

    /// Adds a name, which begins with a dot; there is room for it.
    fn add(&mut self, name: &str, rules: u64, hash: u64, index: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = first_slot(hash) & mask;
        while self.slots[slot] != ROOT {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = index;
        // The filter has names with the dot before them; hosts with a long top-level name take the walk.
        let Some(last) = LastLabels::of(format!("{name:.>16}").as_bytes()) else { return };
        let labels = name.matches('.').count();
        if labels == 1 && rules & (EITHER * WILDCARD) != 0 {
            self.wildcards[last.wildcard_index()] = 1;
        }
        if labels == 2 {
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
