//! Warns of URLs that grow without end: repeated segments, calendars, facets and session values.
//!
//! Warnings are computed from the sample and its templates only. Each is a hint with its reason. They do not
//! filter URLs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use urlid_canonical::{SegmentClass, SegmentShape, SplitUrl};

/// A warning about URLs of a host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trap {
    /// The kind: `repeat`, `calendar`, `facets` or `session`.
    pub kind: &'static str,
    /// The path of the template, with `*` at its end for several templates, or the start of an example's path.
    pub template: String,
    /// The number of URLs in the sample.
    pub urls: usize,
    /// The observation behind the warning.
    pub reason: String,
}

/// The minimum number of URLs of a warning.
const FEWEST: usize = 30;
/// The maximum number of values of a facet.
const FEW_VALUES: usize = 24;
/// The maximum number of fields of a template that are examined as session values.
const MOST_SESSIONS: usize = 16;

/// The segments and fields of a URL.
struct Page<'u> {
    segments: Vec<&'u str>,
    /// The first value of each name.
    fields: BTreeMap<&'u str, &'u str>,
}

/// A place of values: a segment, or a field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ValuePlace<'u> {
    Segment(usize),
    Field(&'u str),
}

/// Finds the traps of a host. `assigned` has the template of each URL, without the host.
pub(super) fn find(urls: &[(&str, u32)], assigned: &[String]) -> Vec<Trap> {
    let pages: Vec<Page<'_>> = urls
        .iter()
        .map(|(url, _)| {
            let split = SplitUrl::new(url);
            let mut fields = BTreeMap::new();
            split.iter().flat_map(SplitUrl::fields).for_each(|(name, value)| {
                fields.entry(name).or_insert(value);
            });
            Page { segments: split.iter().flat_map(SplitUrl::segments).collect(), fields }
        })
        .collect();
    let mut traps = Vec::new();
    // The smallest URL is the example, so the order of the URLs does not matter.
    let repeated: Vec<&Page<'_>> = pages.iter().filter(|page| repeats(&page.segments)).collect();
    if let Some(first) = repeated
        .iter()
        .min_by_key(|page| &page.segments)
        .filter(|_| repeated.len() * 100 >= pages.len().max(500))
    {
        let path =
            |segments: usize| ["/", &first.segments[..segments.min(first.segments.len())].join("/")].concat();
        let reason = path(usize::MAX).chars().take(80).collect();
        traps.push(Trap { kind: "repeat", template: path(2), urls: repeated.len(), reason });
    }
    let mut groups = BTreeMap::<String, Vec<&Page<'_>>>::new();
    for (page, template) in pages.iter().zip(assigned) {
        let path = template.split('?').next().unwrap_or_default();
        groups.entry(path.to_owned()).or_default().push(page);
        // Sibling pages with fields are also examined together.
        if page.segments.len() > 1 && !page.fields.is_empty() && !path.ends_with('}') {
            let siblings = path.rsplit_once('/').map_or("", |(parent, _)| parent);
            groups.entry([siblings, "/*"].concat()).or_default().push(page);
        }
    }
    let fewest = FEWEST.max(pages.len() * 3 / 200);
    for (template, pages) in groups.into_iter().filter(|(_, pages)| pages.len() >= fewest) {
        let group = Group::new(&pages);
        let found =
            [("facets", group.facets()), ("session", group.session()), ("calendar", group.calendar())];
        for (kind, (urls, reason)) in found.into_iter().filter_map(|(kind, found)| Some((kind, found?))) {
            let template = if template.is_empty() { "/".to_owned() } else { template.clone() };
            traps.push(Trap { kind, template, urls, reason });
        }
    }
    traps.sort_unstable();
    traps
}

/// Returns whether a segment occurs three times, or a run of two to four segments occurs twice in a row. Two
/// occurrences of a segment are normal, because a project may have the name of its owner.
fn repeats(segments: &[&str]) -> bool {
    let is_number = |segment: &&str| segment.bytes().all(|byte| byte.is_ascii_digit());
    let mut counts = HashMap::<&str, usize>::new();
    let is_thrice = segments.iter().filter(|segment| !is_number(segment)).any(|segment| {
        let count = counts.entry(segment).or_default();
        *count += 1;
        *count >= 3
    });
    is_thrice
        || (2..=4).any(|run| {
            segments
                .windows(2 * run)
                .any(|pair| pair[..run] == pair[run..] && !pair[..run].iter().all(is_number))
        })
}

/// The URLs of a template, and the values at each place.
struct Group<'p, 'u> {
    pages: &'p [&'p Page<'u>],
    values: BTreeMap<ValuePlace<'u>, HashMap<&'u str, usize>>,
}

impl<'p, 'u> Group<'p, 'u> {
    fn new(pages: &'p [&'p Page<'u>]) -> Self {
        let mut values = BTreeMap::<_, HashMap<&str, usize>>::new();
        for page in pages {
            let fields = page.fields.iter().map(|(name, value)| (ValuePlace::Field(name), *value));
            let segments = page
                .segments
                .iter()
                .enumerate()
                .map(|(place, segment)| (ValuePlace::Segment(place), *segment));
            for (place, value) in fields.chain(segments) {
                *values.entry(place).or_default().entry(value).or_default() += 1;
            }
        }
        Self { pages, values }
    }

    /// Returns the number of different URLs without some fields, of the URLs that meet a condition.
    fn without(&self, has: impl Fn(&Page<'_>) -> bool, is_left_out: impl Fn(&str) -> bool) -> usize {
        let rest = |page: &&&Page<'u>| -> (Vec<&'u str>, Vec<(&'u str, &'u str)>) {
            let fields = page
                .fields
                .iter()
                .filter(|(name, _)| !is_left_out(name))
                .map(|(name, value)| (*name, *value));
            (page.segments.clone(), fields.collect())
        };
        self.pages.iter().filter(|page| has(page)).map(|page| rest(&page)).collect::<HashSet<_>>().len()
    }

    /// Finds several fields with few values that are combined freely.
    fn facets(&self) -> Option<(usize, String)> {
        let count = self.pages.len();
        let facets: BTreeSet<&str> = self
            .values
            .iter()
            .filter_map(|(place, values)| match place {
                ValuePlace::Field(name) if values.len() <= FEW_VALUES => Some((*name, values)),
                _ => None,
            })
            .filter(|(_, values)| {
                let with: usize = values.values().sum();
                values.len() >= 2 || (count * 3..=count * 97).contains(&(with * 100))
            })
            .map(|(name, _)| name)
            .collect();
        // Optional fields of a page usually occur one or two at a time.
        let is_combined =
            |page: &&&Page<'_>| page.fields.keys().filter(|name| facets.contains(*name)).count() >= 3;
        let combined = self.pages.iter().filter(is_combined).count();
        if facets.len() < 3 || combined * 10 < count {
            return None;
        }
        let left = self.without(|_| true, |name| facets.contains(name));
        let reason =
            || format!("{} fields, {} URLs for each without them", facets.len(), count / left.max(1));
        (count >= 6 * left).then(|| (count, reason()))
    }

    /// Finds a field of tokens that are new in each URL, on pages that occur again.
    fn session(&self) -> Option<(usize, String)> {
        let is_token = |value: &&&str| {
            let class = SegmentShape::new(value, false).class;
            matches!(class, SegmentClass::Hash | SegmentClass::Token | SegmentClass::Uuid)
        };
        let fields = self.values.iter().filter_map(|(place, values)| {
            let ValuePlace::Field(name) = place else { return None };
            let with: usize = values.values().sum();
            let tokens = values.keys().filter(is_token).count();
            let are_new = with >= FEWEST && values.len() * 5 >= with * 4 && tokens * 5 >= values.len() * 4;
            are_new.then_some((*name, values.len(), with))
        });
        // The bound keeps the cost of hostile URLs with many such fields in proportion to their bytes.
        fields.take(MOST_SESSIONS).find_map(|(name, values, with)| {
            let left = self.without(|page| page.fields.contains_key(name), |other| other == name);
            // On a single page, the field is the id of the content.
            let is_session = left >= 5 && left * 10 <= with * 7;
            is_session.then(|| (with, format!("{name}: {values} values, {left} URLs without it")))
        })
    }

    /// Finds dates or years in which pages are not written.
    fn calendar(&self) -> Option<(usize, String)> {
        self.values.iter().find_map(|(place, values)| {
            let with: usize = values.values().sum();
            let dates: Vec<&str> = values
                .keys()
                .copied()
                .filter(|value| SegmentShape::new(value, false).class == SegmentClass::Date)
                .collect();
            let years: BTreeSet<&str> = dates.iter().map(|date| &date[..4]).collect();
            let is_far = years.len() >= 25 || years.last().is_some_and(|year| **year > *"2035");
            if dates.len() >= FEWEST && is_far {
                let [first, last] =
                    [dates.iter().min(), dates.iter().max()].map(|date| date.copied().unwrap_or_default());
                return Some((with, format!("{first} to {last}")));
            }
            let mut numbers: Vec<u32> = values
                .keys()
                .filter(|value| value.len() <= 9)
                .filter_map(|value| value.parse().ok())
                .collect();
            numbers.sort_unstable();
            let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else { return None };
            let are_years = numbers.len() >= FEWEST
                && numbers.len() * 10 >= values.len() * 9
                && first > 1_000
                && last < 10_000;
            let is_outside = first < 1_950 || last > 2_035;
            let is_dense = numbers.len() * 2 > (last - first + 1) as usize && values.len() < with.max(2);
            (are_years && is_outside && (is_dense || self.has_months_after(*place)))
                .then(|| (with, format!("{first} to {last}")))
        })
    }

    /// Returns whether the segments after a place are months.
    fn has_months_after(&self, place: ValuePlace<'_>) -> bool {
        let ValuePlace::Segment(place) = place else { return false };
        let is_month = |value: &&str| value.len() <= 2 && matches!(value.parse(), Ok(1..=12_u8));
        self.values.get(&ValuePlace::Segment(place + 1)).is_some_and(|values| values.keys().all(is_month))
    }
}
