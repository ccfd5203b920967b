//! Builds a suffix table from the text of a list.
//!
//! The same text always gives the same table, byte for byte. The caller maps Unicode names to ASCII, because
//! this crate does not depend on IDNA.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::dat::{self, ListError, ListFault, Section, SuffixRule, SuffixRuleKind, excerpt};
use crate::label::HostLabel;
use crate::suffix_filter::{LastLabels, SuffixFilter, WILDCARDS};
use crate::table::{
    EITHER, EXCEPTION, INNER, MOST_STEPS, Name, PARENT_BITS, REST_SHIFT, ROOT, RULE, SuffixTable, WILDCARD,
    first_slot, key, text_of,
};

/// The maximum number of names of a table: the index of a parent has 20 bits, and 0 is the root.
pub(crate) const MAX_NAMES: usize = (1 << PARENT_BITS) - 1;

/// A suffix table that owns its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuffixTableBuf {
    search: Search,
    names: Vec<Name>,
    rest: String,
}

impl SuffixTableBuf {
    /// Builds the table of a list, with both sections.
    ///
    /// `to_ascii` maps a name to the form of hosts (lower case, `xn--` labels), or returns `None` for a name
    /// that cannot be a host.
    pub fn from_dat(
        dat: &str,
        to_ascii: impl FnMut(&str) -> Option<String>,
    ) -> Result<SuffixTableBuf, ListError> {
        Ok(SuffixTableBuf::of(&Names::read(dat, to_ascii, MAX_NAMES)?))
    }

    /// Borrows the table for lookups.
    #[inline]
    pub fn as_table(&self) -> SuffixTable<'_> {
        self.search.table(&self.names, &self.rest)
    }

    fn of(names: &Names) -> SuffixTableBuf {
        let mut builder = Builder::with_room(names.rules.len() - 1);
        // The order is breadth first: names with fewer labels come first, so a parent gets its index before
        // its children.
        let mut level = alloc::vec![(0, ROOT)];
        while !level.is_empty() {
            let mut next = Vec::new();
            for (name, index) in level {
                for (label, child) in names.children(name) {
                    next.push((child, builder.add(index, label, names.rules[child as usize])));
                }
            }
            level = next;
        }
        builder.table
    }
}

/// A table under construction. Each name is added after its parent.
pub(crate) struct Builder {
    pub(crate) table: SuffixTableBuf,
    /// The hash of each name, starting with the root.
    hashes: Vec<u64>,
    /// The offsets in `rest` of the first bytes of long labels, so that equal ones are stored once.
    rests: BTreeMap<String, u64>,
    /// The text of a parent of names of two labels, and its index. Children of the same parent come one after
    /// the other, so the text is made once.
    top: (u32, String),
}

impl Builder {
    pub(crate) fn with_room(count: usize) -> Self {
        let mut names = Vec::with_capacity(count + 1);
        // The default rule `*`: every child of the root is a suffix, in both sections.
        names.push(Name { last: 0, fields: EITHER * WILDCARD });
        let table = SuffixTableBuf { search: Search::with_room(count), names, rest: String::new() };
        // The hash of the root is 0, as in the lookups of `SuffixTable`.
        Builder { table, hashes: vec![0], rests: BTreeMap::new(), top: (ROOT, String::new()) }
    }

    /// Adds a name by its parent and its first label, and returns its index.
    pub(crate) fn add(&mut self, parent: u32, first: &str, rules: u64) -> u32 {
        let label = HostLabel::within(first.as_bytes(), 0, first.len());
        let hash = label.hash(self.hashes[parent as usize]);
        // Every offset fits in 30 bits: there are fewer than 2^20 names, and each adds at most 63 - 8 bytes.
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

    /// Returns the offset in `rest` of the first bytes of a long label, and adds them if they are new.
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

/// Placeholder for the labels before a name when its entry in the filter is computed. It has sixteen bytes,
/// so that every word that the filter reads is present. The bytes are dots, so that the preceding labels end
/// where the name starts.
const BEFORE: &str = "................";

/// The search structures of a table: its hash table and its filter.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Search {
    slots: Vec<u32>,
    crowded: Vec<u32>,
    pairs: Vec<u64>,
    wildcards: Box<[u8; WILDCARDS]>,
}

impl Search {
    fn with_room(count: usize) -> Self {
        Search {
            // At most half of the slots are used, so searches are short.
            slots: vec![ROOT; (2 * count).next_power_of_two()],
            crowded: Vec::new(),
            // There are up to four names per word of 64 bits, with two bits each.
            pairs: vec![0; (count / 4).next_power_of_two()],
            wildcards: Box::new([0; WILDCARDS]),
        }
    }

    /// Returns the table of these structures and names.
    #[inline]
    fn table<'a>(&'a self, names: &'a [Name], rest: &'a str) -> SuffixTable<'a> {
        let filter = SuffixFilter { pairs: &self.pairs, wildcards: &self.wildcards };
        SuffixTable { slots: &self.slots, crowded: &self.crowded, filter, names, rest }
    }

    /// Adds a name by its hash. Names are added in the order of the table, so the crowded ones are sorted.
    fn add_hash(&mut self, hash: u64, index: u32) {
        let mask = self.slots.len() - 1;
        let first = first_slot(hash) & mask;
        let mut near = (0..MOST_STEPS).map(|step| (first + step) & mask);
        // `SuffixTable::child` probes the same slots and stops at a free slot. Names are never removed, so a
        // name cannot be behind a free slot.
        match near.find(|&slot| self.slots[slot] == ROOT) {
            Some(slot) => self.slots[slot] = index,
            None => self.crowded.push(index),
        }
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

/// The names of a list as a tree. Number 0 is the root.
#[derive(Debug, PartialEq, Eq)]
struct Names {
    /// The flags of each name.
    rules: Vec<u64>,
    /// The children of each name by their first labels.
    children: BTreeMap<(u32, Box<str>), u32>,
}

impl Names {
    /// Reads the names of a list, up to `most`.
    fn read(
        dat: &str,
        mut to_ascii: impl FnMut(&str) -> Option<String>,
        most: usize,
    ) -> Result<Names, ListError> {
        let mut names = Names { rules: vec![0], children: BTreeMap::new() };
        for rule in dat::rules(dat) {
            let rule = rule?;
            // The rule `*` is the default of every list.
            if rule.name.is_empty() {
                continue;
            }
            // Lengths are checked twice: before mapping because of its cost, and after it (`is_host`) for the
            // limits of DNS.
            let name = Some(rule.name).filter(|name| name.len() <= LONGEST_MAPPED);
            let name = name.and_then(&mut to_ascii).filter(|name| is_host(name));
            let name = name.ok_or_else(|| ListError::at(rule.line, ListFault::Name(excerpt(rule.text))))?;
            names.add(&name, flags_of(&rule));
            if names.rules.len() - 1 > most {
                return Err(ListError::at(rule.line, ListFault::TooManyNames { most }));
            }
        }
        Ok(names)
    }

    /// Adds a name and all its parents.
    fn add(&mut self, name: &str, flags: u64) {
        let mut parent = 0;
        for label in name.rsplit('.') {
            if parent != 0 {
                self.rules[parent as usize] |= INNER;
            }
            let next = self.rules.len() as u32;
            parent = *self.children.entry((parent, label.into())).or_insert(next);
            if parent == next {
                self.rules.push(0);
            }
        }
        self.rules[parent as usize] |= flags;
    }

    /// Iterates over the children of a name, ascending by their first labels.
    fn children(&self, name: u32) -> impl Iterator<Item = (&str, u32)> {
        // The empty label sorts before all others, and labels of a list are not empty.
        let range = (name, Box::default())..(name + 1, Box::default());
        self.children.range(range).map(|((_, label), child)| (&**label, *child))
    }
}

fn flags_of(rule: &SuffixRule<'_>) -> u64 {
    let (flags, also) = match rule.kind {
        SuffixRuleKind::Plain => (RULE, 0),
        // The rule applies to every child, so the walk continues to the next label even if the table has no
        // name below this one.
        SuffixRuleKind::Wildcard => (WILDCARD, INNER),
        SuffixRuleKind::Exception => (EXCEPTION, 0),
    };
    match rule.section {
        Section::Icann => flags | also,
        Section::Private => flags << 1 | also,
    }
}

/// The maximum number of octets of a DNS name as text, and of a label (RFC 1035, section 2.3.4).
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

/// The maximum length of a rule that is mapped. A longer rule could become a name of valid length only if
/// nearly all of it were dropped, and the time for mapping grows faster than the length.
const LONGEST_MAPPED: usize = 1 << 12;

fn is_host(name: &str) -> bool {
    let is_label = |label: &str| (1..=LONGEST_LABEL).contains(&label.len());
    // A host cannot match a longer name, and its lookups would cost its length for each of its labels.
    name.len() <= LONGEST_NAME
        && name.is_ascii()
        && !name.contains(|c: char| c.is_ascii_uppercase())
        && name.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ascii(name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    #[test]
    fn a_list_with_too_many_names_is_rejected_where_it_goes_too_far() {
        let dat = "com\na.com\n\nb.c.com\n";
        assert_eq!(Names::read(dat, ascii, 4).map(|names| names.rules.len() - 1), Ok(4));
        assert_eq!(Names::read(dat, ascii, 3), Err(ListError::at(4, ListFault::TooManyNames { most: 3 })));
    }

    #[test]
    fn a_name_that_is_not_a_lowercase_host_is_rejected() {
        let (label, labels) = ("a".repeat(64), format!("{}.com", "a.".repeat(125) + "a"));
        for name in ["A.com", "é.com", &label, &labels] {
            let fault = ListFault::Name(excerpt(name));
            assert_eq!(SuffixTableBuf::from_dat(name, ascii), Err(ListError::at(1, fault)));
        }
        assert!(SuffixTableBuf::from_dat(&labels[2..], ascii).is_ok());
        let rejecting =
            SuffixTableBuf::from_dat("com\n*.b.com", |name| (name != "b.com").then(|| name.to_owned()));
        assert_eq!(rejecting, Err(ListError::at(2, ListFault::Name("*.b.com".to_owned()))));
    }

    /// The hash of a label covers its last sixteen bytes, so the search for all of these starts at the same
    /// slot.
    #[test]
    fn names_with_one_hash_are_found_and_no_others() {
        let label = |number: usize| format!("{number}abcdefghijklmnop");
        let dat: String = (0..5 * MOST_STEPS).map(|number| format!("{}.com\n", label(2 * number))).collect();
        let buf = SuffixTableBuf::from_dat(&dat, ascii).unwrap();
        assert!(buf.search.crowded.len() >= 4 * MOST_STEPS);
        for number in 0..10 * MOST_STEPS {
            let (host, own) = (format!("x.{}.com", label(number)), label(number).len());
            let tld = if number % 2 == 0 { 2 } else { 3 + own };
            assert_eq!(buf.as_table().find(&host, crate::Sections::All).tld, tld, "{host}");
        }
    }

    #[test]
    fn a_table_names_what_it_was_made_from() {
        let dat = "com\n*.elasticbeanstalk.com\n!x.elasticbeanstalk.com\nabcdefgh\nabcdefghi\n";
        let buf = SuffixTableBuf::from_dat(dat, ascii).unwrap();
        let table = buf.as_table();
        let names: Vec<_> = (0..=table.count() + 1).map(|index| table.name(index)).collect();
        let expected = ["abcdefgh", "abcdefghi", "com", "elasticbeanstalk.com", "x.elasticbeanstalk.com"]
            .map(|name| Some(name.to_owned()));
        assert_eq!(names, [&[None], &expected[..], &[None]].concat());
    }
}
