//! The suffix table: its layout, and the walk that finds a host's public suffix.
//!
//! The table is the tree of the names in the rules, with the last label first: `com` is a child of the root,
//! `co.com` a child of `com`. All edges are in one hash table. A hash only selects the slot where a search
//! starts. A name matches if its parent and every byte of its label are equal. `suffix_filter` makes the walk
//! unnecessary for most hosts. `dat` parses the text of a list, and `builder` builds a table from it.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::dat::Section;
use crate::label::{HostLabel, label_start};
use crate::suffix_filter::{LastLabels, SuffixFilter};

/// The sections of the list that are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sections {
    /// The rules between the ICANN markers.
    Icann,
    /// All rules: the ICANN ones and the ones that owners of domains submitted.
    #[default]
    All,
}

impl Sections {
    /// Returns whether the rules of a section are used.
    pub fn include(self, section: Section) -> bool {
        self == Sections::All || section == Section::Icann
    }

    /// Returns `icann` or `all`.
    pub fn name(self) -> &'static str {
        match self {
            Sections::Icann => "icann",
            Sections::All => "all",
        }
    }

    #[inline(always)]
    fn mask(self) -> u64 {
        match self {
            Sections::Icann => ICANN,
            Sections::All => ICANN | PRIVATE,
        }
    }
}

// The flags of a name. The next higher bit of each of the first three has the same meaning in the private
// section.
pub(crate) const RULE: u64 = 1 << FLAGS_SHIFT;
pub(crate) const WILDCARD: u64 = 1 << (FLAGS_SHIFT + 2);
pub(crate) const EXCEPTION: u64 = 1 << (FLAGS_SHIFT + 4);
/// The table has rules for names below this one.
pub(crate) const INNER: u64 = 1 << (FLAGS_SHIFT + 6);

const ICANN: u64 = RULE | WILDCARD | EXCEPTION;
const PRIVATE: u64 = ICANN << 1;
/// The product of this and one of the first three flags is its bits for both sections.
pub(crate) const EITHER: u64 = 0b11;

// The fields of `Name::fields`:
//
//   63     56 55                          26 25    20 19                  0
//  │ flags  8│ offset of the rest         30│ len   6│ parent            20│
//                                           └──────── KEY_MASK ───────────┘
pub(crate) const PARENT_BITS: u32 = 20;
const LEN_SHIFT: u32 = PARENT_BITS;
pub(crate) const REST_SHIFT: u32 = LEN_SHIFT + 6;
pub(crate) const FLAGS_SHIFT: u32 = REST_SHIFT + 30;
const KEY_MASK: u64 = (1 << REST_SHIFT) - 1;
const REST_MASK: usize = (1 << (FLAGS_SHIFT - REST_SHIFT)) - 1;

/// The root of the tree, which is the parent of the top-level names. In the hash table, it marks an empty
/// slot.
pub(crate) const ROOT: u32 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// The last eight bytes of its first label, as in `HostLabel::last`.
    pub(crate) last: u64,
    /// The index of its parent, the length of its first label, the offset in `SuffixTable::rest` of the bytes
    /// before the last eight, and the flags.
    pub(crate) fields: u64,
}

/// Packs a name. `last` is the last eight bytes of its first label, or all bytes of a shorter label.
pub(crate) const fn n(last: &[u8], parent: u32, len: u8, rest: u32, flags: u8) -> Name {
    let mut word = 0;
    let mut index = 0;
    while index < last.len() {
        word = word << 8 | last[index] as u64;
        index += 1;
    }
    let fields = parent as u64
        | (len as u64) << LEN_SHIFT
        | (rest as u64) << REST_SHIFT
        | (flags as u64) << FLAGS_SHIFT;
    Name { last: word, fields }
}

impl Name {
    /// Returns the index of the name without its first label.
    pub(crate) fn parent(self) -> u32 {
        (self.fields & ((1 << PARENT_BITS) - 1)) as u32
    }

    fn unpack(self) -> NameFields {
        let field = |shift: u32, end: u32| (self.fields >> shift & ((1 << (end - shift)) - 1)) as u32;
        NameFields {
            last: self.last.to_be_bytes(),
            parent: field(0, LEN_SHIFT),
            len: field(LEN_SHIFT, REST_SHIFT) as u8,
            rest: field(REST_SHIFT, FLAGS_SHIFT),
            flags: field(FLAGS_SHIFT, 64) as u8,
        }
    }
}

/// A name of a table, for code that prints the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameFields {
    /// The last eight bytes of its first label. A shorter label has zeros before it.
    pub last: [u8; 8],
    /// The index of the name without its first label.
    pub parent: u32,
    /// The length of its first label.
    pub len: u8,
    /// The offset in [`SuffixTable::rest`] of the bytes of its first label before the last eight.
    pub rest: u32,
    /// The rules of the name, as bits.
    pub flags: u8,
}

#[inline(always)]
pub(crate) fn key(parent: u32, label: &HostLabel) -> u64 {
    // The length of a label of 64 bytes or more has bits above `KEY_MASK`, so its key never matches a name.
    u64::from(parent) | (label.len as u64) << LEN_SHIFT
}

/// A borrowed suffix table, which is stored in this crate or in a [`SuffixTableBuf`](crate::SuffixTableBuf).
#[derive(Clone, Copy)]
pub struct SuffixTable<'a> {
    /// A hash table of names. The hash covers the whole name, and an empty slot is 0. The length is a power
    /// of two.
    pub(crate) slots: &'a [u32],
    /// The names that did not find a free slot near the slot of their hash, ascending by parent and label.
    /// Only a list that was made to cause collisions has such names.
    pub(crate) crowded: &'a [u32],
    /// The filter that makes the walk unnecessary for most hosts.
    pub(crate) filter: SuffixFilter<'a>,
    /// The root, followed by the names. Names with fewer labels come first.
    pub(crate) names: &'a [Name],
    /// The bytes of long labels before their last eight bytes.
    pub(crate) rest: &'a str,
}

/// The public suffix of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuffixMatch {
    /// Byte offset of the public suffix.
    pub tld: usize,
    /// Byte offset of the preceding label. Like `tld`, it is 0 if the suffix is the whole host.
    pub domain: usize,
    /// The index of the suffix in the table. `None` for a child of a wildcard and for a top-level name that
    /// is not in the list.
    pub name: Option<usize>,
}

impl SuffixTable<'_> {
    /// Finds the public suffix of a host by the rules of the given sections and the default rule `*`.
    ///
    /// The host must be lower-case ASCII without a trailing dot. In any other text, labels are the bytes
    /// between dots, compared byte by byte. The first exception decides, even if there is a longer rule below
    /// it.
    #[inline]
    pub fn find(&self, host: &str, sections: Sections) -> SuffixMatch {
        let host = host.as_bytes();
        match LastLabels::of(host) {
            Some(labels) if self.filter.last_label_is_suffix(&labels) => {
                let top = HostLabel::within(host, labels.tld, host.len());
                let name = self.child(ROOT, &top, top.hash(0), host);
                // A top-level name that the list lacks is a suffix by the default rule `*`, but not a name of
                // the table.
                let name = (name != ROOT).then_some(name as usize);
                SuffixMatch { tld: labels.tld, domain: labels.domain, name }
            }
            labels => self.walk(host, sections, labels),
        }
    }

    /// Finds the offsets of the public suffix of a host and of the label before it, like
    /// [`find`](SuffixTable::find).
    #[inline]
    pub fn find_offsets(&self, host: &str, sections: Sections) -> (usize, usize) {
        let host = host.as_bytes();
        match LastLabels::of(host) {
            Some(labels) if self.filter.last_label_is_suffix(&labels) => (labels.tld, labels.domain),
            labels => {
                let found = self.walk(host, sections, labels);
                (found.tld, found.domain)
            }
        }
    }

    /// Walks down the tree from the last label, as long as the table has a name.
    #[inline(never)]
    pub(crate) fn walk(&self, host: &[u8], sections: Sections, labels: Option<LastLabels>) -> SuffixMatch {
        let mask = sections.mask();
        let start = labels.map_or_else(|| label_start(host, host.len()), |labels| labels.tld);
        let mut label = HostLabel::within(host, start, host.len());
        let mut next_start = labels.map(|labels| labels.domain);
        let (mut parent, mut hash) = (ROOT, 0);
        let (mut tld, mut domain, mut name) = (host.len(), None, ROOT);
        loop {
            hash = label.hash(hash);
            // If the table does not have the name, `child` is the root. The root's only flag is its wildcard,
            // so only a wildcard of the parent can match, and the walk ends here.
            let child = self.child(parent, &label, hash, host);
            let (rules, parent_rules) =
                (self.names[child as usize].fields, self.names[parent as usize].fields);
            if rules & mask & (EITHER * EXCEPTION) != 0 {
                // The suffix of an exception is its parent. The parent exists because `dat` rejects an
                // exception with one label.
                (tld, domain, name) = (label.start + label.len + 1, Some(label.start), parent);
                break;
            }
            if rules & mask & (EITHER * RULE) != 0 || parent_rules & mask & (EITHER * WILDCARD) != 0 {
                // The domain is the next label to the left. The next iteration or the code after the loop
                // sets it.
                (tld, domain, name) = (label.start, None, child);
            } else if domain.is_none() {
                domain = Some(label.start);
            }
            if rules & INNER == 0 || label.start == 0 {
                break;
            }
            let end = label.start - 1;
            let start = next_start.take().unwrap_or_else(|| label_start(host, end));
            (parent, label) = (child, HostLabel::within(host, start, end));
        }
        let domain = match domain {
            Some(domain) => domain,
            None if tld == 0 => 0,
            None => label_start(host, tld - 1),
        };
        SuffixMatch { tld, domain, name: (name != ROOT).then_some(name as usize) }
    }

    /// Returns the child of a name with the given first label, or `ROOT` if that child does not exist.
    #[inline(always)]
    fn child(&self, parent: u32, label: &HostLabel, hash: u64, host: &[u8]) -> u32 {
        let key = key(parent, label);
        let mask = self.slots.len() - 1;
        let first = first_slot(hash) & mask;
        // The probes wrap around. Half of the slots are free, so in a small table the search ends within one
        // round.
        for step in 0..MOST_STEPS {
            let child = self.slots[(first + step) & mask];
            if child == ROOT {
                return ROOT;
            }
            let name = &self.names[child as usize];
            if name.last == label.last && name.fields & KEY_MASK == key && self.rest_is(*name, label, host) {
                return child;
            }
        }
        self.crowded_child(parent, &host[label.start..][..label.len])
    }

    /// Searches the names that have no slot. The author of a list can choose labels with equal hashes, so the
    /// number of probes must be limited, and this is a binary search.
    #[cold]
    fn crowded_child(&self, parent: u32, label: &[u8]) -> u32 {
        let found = self.crowded.binary_search_by(|&index| {
            let name = self.names[index as usize].unpack();
            let own = first_label(&name, self.rest);
            name.parent.cmp(&parent).then_with(|| own.bytes().cmp(label.iter().copied()))
        });
        found.map_or(ROOT, |place| self.crowded[place])
    }

    #[inline(always)]
    fn rest_is(&self, name: Name, label: &HostLabel, host: &[u8]) -> bool {
        let len = label.len.saturating_sub(8);
        len == 0
            || self.rest.as_bytes()[(name.fields >> REST_SHIFT) as usize & REST_MASK..][..len]
                == host[label.start..][..len]
    }

    /// Returns the number of names. Their indexes start at 1.
    pub fn count(&self) -> usize {
        self.names.len() - 1
    }

    /// Returns the text of a name, or `None` if the index is 0 or too large.
    pub fn name(&self, index: usize) -> Option<String> {
        text_of(self.names, self.rest, index)
    }

    /// Returns the names that have a rule in the given sections. Each name occurs once.
    pub fn suffixes(self, sections: Sections) -> impl Iterator<Item = String> {
        let mask = sections.mask();
        let has_rule = move |index: &usize| self.names[*index].fields & mask != 0;
        (1..self.names.len()).filter(has_rule).filter_map(move |index| self.name(index))
    }

    /// Returns the names that are not in the hash table.
    pub fn crowded(&self) -> &[u32] {
        self.crowded
    }

    /// Returns the hash table.
    pub fn slots(&self) -> &[u32] {
        self.slots
    }

    /// Returns the two parts of the filter: for names of two labels, and for top-level names with wildcards.
    pub fn filter(&self) -> (&[u64], &[u8]) {
        (self.filter.pairs, self.filter.wildcards)
    }

    /// Returns the root and the names.
    pub fn names(&self) -> impl ExactSizeIterator<Item = NameFields> {
        self.names.iter().map(|name| name.unpack())
    }

    /// Returns the text that holds the first bytes of long labels.
    pub fn rest(&self) -> &str {
        self.rest
    }
}

/// Returns the text of a name, or `None` if the index is 0 or too large.
pub(crate) fn text_of(names: &[Name], rest: &str, index: usize) -> Option<String> {
    if index == ROOT as usize {
        return None;
    }
    let mut text = String::new();
    let mut name = names.get(index)?.unpack();
    loop {
        text.push_str(&first_label(&name, rest));
        if name.parent == ROOT {
            return Some(text);
        }
        text.push('.');
        name = names[name.parent as usize].unpack();
    }
}

fn first_label(name: &NameFields, rest: &str) -> String {
    let len = usize::from(name.len);
    let mut text = rest[name.rest as usize..][..len.saturating_sub(8)].to_owned();
    text.extend(name.last.iter().skip(8_usize.saturating_sub(len)).map(|&byte| char::from(byte)));
    text
}

/// The maximum number of slots that are examined for a name. Half of the slots are free, so in an ordinary
/// list, all names are closer to their first slot.
pub(crate) const MOST_STEPS: usize = 64;

/// Returns the slot where the search for a hash starts, to be reduced modulo the number of slots.
#[inline(always)]
pub(crate) fn first_slot(hash: u64) -> usize {
    (hash >> 32) as usize
}
