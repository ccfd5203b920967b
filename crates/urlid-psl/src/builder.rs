//! Makes a suffix table from the text of a list.
//!
//! The same text gives the same table, byte for byte. How a name in Unicode becomes ASCII is the caller's business, as this
//! crate knows no IDNA.

use std::collections::{BTreeMap, HashMap};

use crate::dat::{self, ListError, ListFault, Rule, RuleKind, Section};
use crate::label::Label;
use crate::table::{
    EXCEPTION, Name, PARENT_BITS, REST_SHIFT, ROOT, RULE, Table, WILDCARD, filter_bits, first_slot, key,
};

/// The most names that a table can hold.
pub(crate) const MAX_NAMES: usize = (1 << PARENT_BITS) - 1;

/// A suffix table that owns its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableBuf {
    pub(crate) slots: Vec<u32>,
    pub(crate) filter: Vec<u64>,
    pub(crate) names: Vec<Name>,
    pub(crate) rest: String,
}

impl TableBuf {
    /// Makes the table of a list, both sections.
    ///
    /// `to_ascii` maps a name to the form that hosts have (lower case, `xn--` labels), or returns `None` for a name that no
    /// host can have.
    pub fn from_dat(
        dat: &str,
        mut to_ascii: impl FnMut(&str) -> Option<String>,
    ) -> Result<TableBuf, ListError> {
        let mut names = Names::default();
        for rule in dat::rules(dat) {
            let rule = rule?;
            let fault = |fault| ListError { line: rule.line, fault };
            let no_name = || fault(ListFault::Name(rule.text.to_owned()));
            let name =
                if rule.name.is_empty() { String::new() } else { to_ascii(rule.name).ok_or_else(no_name)? };
            if !rule.name.is_empty() && !is_host(&name) {
                return Err(no_name());
            }
            names.add(&name, &rule);
            if names.flags.len() > MAX_NAMES {
                return Err(fault(ListFault::TooManyNames));
            }
        }
        Ok(names.into_table())
    }

    /// Returns the table.
    #[inline]
    pub fn as_table(&self) -> Table<'_> {
        Table { slots: &self.slots, filter: &self.filter, names: &self.names, rest: &self.rest }
    }
}

fn is_host(name: &str) -> bool {
    let is_label = |label: &str| (1..=63).contains(&label.len());
    name.is_ascii() && !name.contains(|c: char| c.is_ascii_uppercase()) && name.split('.').all(is_label)
}

/// The tree while it grows.
#[derive(Default)]
struct Names {
    /// What the rules say about each name, by its labels from the last to the first, fewer labels first.
    flags: BTreeMap<(usize, Vec<String>), u64>,
    /// What the rule `*` says about the root.
    root: u64,
}

impl Names {
    fn add(&mut self, name: &str, rule: &Rule<'_>) {
        let flag = match rule.kind {
            RuleKind::Plain => RULE,
            RuleKind::Wildcard => WILDCARD,
            RuleKind::Exception => EXCEPTION,
        } << match rule.section {
            Section::Icann => 0,
            Section::Private => 1,
        };
        if name.is_empty() {
            self.root |= flag;
            return;
        }
        let labels: Vec<String> = name.rsplit('.').map(str::to_owned).collect();
        for count in 1..labels.len() {
            self.flags.entry((count, labels[..count].to_vec())).or_default();
        }
        *self.flags.entry((labels.len(), labels)).or_default() |= flag;
    }

    fn into_table(self) -> TableBuf {
        let count = self.flags.len();
        let mut table = TableBuf {
            slots: vec![ROOT; (2 * count).next_power_of_two()],
            filter: vec![0; (count / 4).next_power_of_two()],
            names: Vec::with_capacity(count + 1),
            rest: String::new(),
        };
        // The default rule `*`: every child of the root is a suffix, in either section.
        table.names.push(Name { last: 0, fields: self.root | WILDCARD | WILDCARD << 1 });
        let mut rests = HashMap::new();
        let mut indexes: HashMap<Vec<String>, (u32, u64)> = HashMap::from([(Vec::new(), (ROOT, 0))]);
        for ((_, labels), flags) in self.flags {
            let (parent, after) = indexes[&labels[..labels.len() - 1]];
            let text = &labels[labels.len() - 1];
            let label = Label::ending_at(text.as_bytes(), text.len());
            let rest = &text[..text.len().saturating_sub(8)];
            let place = *rests.entry(rest.to_owned()).or_insert_with(|| {
                let place = table.rest.len();
                table.rest.push_str(rest);
                place
            });
            let index = table.names.len() as u32;
            table.names.push(Name {
                last: label.last,
                fields: key(parent, &label) | (place as u64) << REST_SHIFT | flags,
            });
            let hash = label.hash(after);
            table.insert(index, hash);
            indexes.insert(labels, (index, hash));
        }
        table
    }
}

impl TableBuf {
    fn insert(&mut self, index: u32, hash: u64) {
        let word = hash as usize & (self.filter.len() - 1);
        self.filter[word] |= filter_bits(hash);
        let mut slot = first_slot(hash);
        while self.slots[slot & (self.slots.len() - 1)] != ROOT {
            slot += 1;
        }
        let last = self.slots.len() - 1;
        self.slots[slot & last] = index;
    }
}
