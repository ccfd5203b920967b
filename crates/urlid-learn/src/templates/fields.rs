//! Finds the fields of the templates that end at a place, and the values that tell kinds of pages apart.

use std::collections::{BTreeMap, HashMap, HashSet};

use urlid_canonical::SegmentLook;

use super::open::{ONE, log2};
use super::sample::{Sample, TextId};

/// The fields of a template by name. `None` is any value.
pub(super) type TemplateFields = Vec<(TextId, Option<TextId>)>;

/// The maximum number of names, because each has a bit of a `u64`.
const MOST_NAMES: usize = 64;
/// The maximum number of values of a field with literal values.
const MOST_VALUES: usize = 24;
/// The minimum number of URLs of a kind.
const FEWEST: usize = 12;

/// The fields of a URL: a bit for each name, and all values.
#[derive(Clone, Copy)]
struct Query<'s> {
    names: u64,
    fields: &'s [(TextId, TextId)],
}

/// Returns the fields of each template of the URLs that end at a place. If the paths also occur without fields,
/// only a field with many values per path makes a template.
pub(super) fn kinds(sample: &Sample<'_>, urls: &[u32]) -> Vec<TemplateFields> {
    let url = |id: &u32| &sample.urls[*id as usize];
    let mut values = HashMap::<TextId, (usize, HashSet<TextId>)>::new();
    let is_writable = |name: TextId| !sample.text(name).is_empty() && !sample.text(name).contains(['{', '}']);
    for (name, value) in urls.iter().flat_map(|id| &url(id).fields).filter(|(name, _)| is_writable(*name)) {
        let entry = values.entry(*name).or_default();
        entry.0 += 1;
        entry.1.insert(*value);
    }
    if values.is_empty() {
        return vec![Vec::new()];
    }
    let paths: HashSet<&[TextId]> = urls.iter().map(|id| &*url(id).segments).collect();
    let bare: HashSet<&[TextId]> =
        urls.iter().map(url).filter(|url| url.fields.is_empty()).map(|url| &*url.segments).collect();
    let is_bare = bare.len() * 20 >= paths.len();
    let mut names: Vec<(TextId, usize)> = values.iter().map(|(name, (count, _))| (*name, *count)).collect();
    names.sort_unstable_by_key(|(name, count)| (usize::MAX - count, *name));
    names.truncate(MOST_NAMES);
    let bits: HashMap<TextId, u64> =
        names.iter().zip(0..).map(|((name, _), bit)| (*name, 1 << bit)).collect();
    let makes_kinds = |name: &TextId| !is_bare || values[name].1.len() >= 48 * paths.len();
    let firsts: Vec<TextId> = names.iter().map(|(name, _)| *name).filter(makes_kinds).take(16).collect();
    let mut by_first = vec![Vec::new(); firsts.len() + 1];
    for id in urls {
        let fields = &*url(id).fields;
        let set = fields.iter().filter_map(|(name, _)| bits.get(name)).fold(0, |set, bit| set | bit);
        let first = firsts.iter().position(|name| set & bits[name] != 0).unwrap_or(firsts.len());
        by_first[first].push(Query { names: set, fields });
    }
    let mut kinds = Vec::new();
    let is_rest = by_first.iter().zip(&firsts).any(|(group, _)| (1..FEWEST).contains(&group.len()));
    if is_rest || !by_first[firsts.len()].is_empty() {
        kinds.push(Vec::new());
    }
    let bits = Bits { names: names.iter().map(|(name, _)| *name).collect() };
    for (group, first) in by_first.iter().zip(&firsts).filter(|(group, _)| group.len() >= FEWEST) {
        bits.split(sample, group, *first, &mut Vec::new(), &mut kinds);
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// A way to divide URLs into kinds.
#[derive(Clone, Copy)]
enum Division {
    ByValue,
    ByPresence,
}

/// The role of a field in a template.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fixed {
    Value(TextId),
    Present,
    Absent,
}

/// The names of bits.
struct Bits {
    names: Vec<TextId>,
}

impl Bits {
    /// Divides URLs by the field that tells most about their other fields, and appends the kinds.
    fn split(
        &self,
        sample: &Sample<'_>,
        queries: &[Query<'_>],
        first: TextId,
        fixed: &mut Vec<(usize, Fixed)>,
        kinds: &mut Vec<TemplateFields>,
    ) {
        let count = queries.len();
        let mut best: Option<(i64, usize, Division)> = None;
        let has = |bit: usize| queries.iter().filter(|query| query.names >> bit & 1 == 1).count();
        let with: Vec<usize> = (0..self.names.len()).map(has).collect();
        let mut order: Vec<usize> = (0..self.names.len()).filter(|bit| with[*bit] > 0).collect();
        order.sort_unstable_by_key(|bit| self.names[*bit]);
        for &bit in order.iter().filter(|bit| fixed.len() < 3 && fixed.iter().all(|(other, _)| other != *bit))
        {
            let name = self.names[bit];
            let values = counts(queries.iter().map(|query| value(query, name)));
            let is_partly = with[bit] >= FEWEST
                && count - with[bit] >= FEWEST
                && (count..=9 * count).contains(&(with[bit] * 10));
            let is_word = |id: TextId| {
                let text = sample.text(id);
                !text.is_empty()
                    && !text.contains(['{', '}'])
                    && sample.shape(id).look != SegmentLook::Value
                    && !matches!(sample.shape(id).look, SegmentLook::Numbered(_))
            };
            let are_words = (2..=MOST_VALUES).contains(&values.len())
                && values.iter().all(|(value, count)| *count >= 3 && value.is_none_or(is_word));
            let is_flag = are_words && is_partly && values.len() == 2;
            let mut consider = |division, score: i64| {
                if score * 5 > 2 * ONE && best.is_none_or(|(most, ..)| score > most) {
                    best = Some((score, bit, division));
                }
            };
            let flag = if is_flag { ONE / 2 } else { 0 };
            if are_words && with[bit] * 10 >= 3 * count {
                let is_dispatcher = name == first && with[bit] * 50 >= 49 * count;
                let told = told(queries, bit, |query| value(query, name));
                consider(Division::ByValue, told + flag + if is_dispatcher { ONE } else { 0 });
            }
            if is_partly {
                consider(Division::ByPresence, told(queries, bit, |query| query.names >> bit & 1) + flag);
            }
        }
        let Some((_, bit, division)) = best else {
            return kinds.push(self.fields(&with, count, fixed));
        };
        let name = self.names[bit];
        let mut groups = BTreeMap::<Option<TextId>, Vec<Query<'_>>>::new();
        for query in queries {
            let group = match division {
                Division::ByValue => value(query, name),
                Division::ByPresence => value(query, name).map(|_| 0),
            };
            groups.entry(group).or_default().push(*query);
        }
        for (value, group) in groups {
            let part = match (value, division) {
                (None, _) => Fixed::Absent,
                (Some(_), Division::ByPresence) => Fixed::Present,
                (Some(value), Division::ByValue) => Fixed::Value(value),
            };
            fixed.push((bit, part));
            self.split(sample, &group, first, fixed, kinds);
            fixed.pop();
        }
    }

    /// Returns the fixed fields and the fields that nine tenths of the URLs have.
    fn fields(&self, with: &[usize], count: usize, fixed: &[(usize, Fixed)]) -> TemplateFields {
        let mut fields: TemplateFields = Vec::new();
        for (bit, name) in self.names.iter().enumerate() {
            match fixed.iter().find(|(other, _)| *other == bit) {
                Some((_, Fixed::Value(value))) => fields.push((*name, Some(*value))),
                Some((_, Fixed::Present)) => fields.push((*name, None)),
                None if with[bit] * 10 >= 9 * count && with[bit] > 0 => fields.push((*name, None)),
                _ => {}
            }
        }
        fields.sort_unstable();
        fields
    }
}

/// Returns the value of a field, if the URL has it.
fn value(query: &Query<'_>, name: TextId) -> Option<TextId> {
    let place = query.fields.binary_search_by_key(&name, |(name, _)| *name).ok()?;
    Some(query.fields[place].1)
}

fn counts<T: Ord>(items: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    items.fold(BTreeMap::new(), |mut counts, item| {
        *counts.entry(item).or_default() += 1;
        counts
    })
}

/// Returns the mutual information of a property of a field and the set of other fields, in bits per URL.
fn told<T: Ord>(queries: &[Query<'_>], bit: usize, of: impl Fn(&Query<'_>) -> T) -> i64 {
    let others = |query: &Query<'_>| query.names & !(1 << bit);
    let mut by = BTreeMap::<T, BTreeMap<u64, usize>>::new();
    for query in queries {
        *by.entry(of(query)).or_default().entry(others(query)).or_default() += 1;
    }
    let left: i64 = by.values().map(bits).sum();
    (bits(&counts(queries.iter().map(others))) - left) / queries.len().max(1) as i64
}

/// Returns the total entropy of all items in bits.
fn bits(counts: &BTreeMap<u64, usize>) -> i64 {
    let all = log2(counts.values().sum::<usize>() as u64);
    counts.values().map(|count| *count as i64 * (all - log2(*count as u64))).sum()
}
