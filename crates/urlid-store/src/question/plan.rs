//! The plan of a question: the ranges of identifiers that contain every answer (docs/index-format.md, section
//! 6).
//!
//! Identifiers are ordered, and each slice has a fixed place:
//!
//! ```text
//!  hex digits  0   3    7               22       30   34              49        58     64
//!              │hdr│tld │domain         │sub     │port│path           │params   │frag  │
//! ```
//!
//! A question is therefore a set of prefixes, one for each header that its answers can have. The table
//! `other` is ordered by hosts. This module does not read files.

use std::fmt;
use std::ops::RangeInclusive;

use urlid::suffix::SuffixList;
use urlid::sxurl::{Field, Flags, Header, Pattern, Scheme, Slice};

use crate::question::conditions::Question;
use crate::question::other_keys::OtherKeys;
use crate::question::row::Id;
use crate::question::schema::SliceIndex;
use crate::question::slice_value::slice_value;
use crate::question::under::Branch;

/// The properties of an index that affect planning.
#[derive(Clone, Debug)]
pub struct Layout<'i> {
    /// The suffix list that its identifiers were made with.
    pub suffixes: &'i SuffixList,
    /// Its optional indexes.
    pub slice_indexes: &'i [SliceIndex],
}

/// An index with the compiled list, without optional indexes.
impl Default for Layout<'_> {
    fn default() -> Self {
        Self { suffixes: SuffixList::compiled(), slice_indexes: &[] }
    }
}

/// The way to find every candidate in the table `url`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// Reads every row.
    All,
    /// Reads no rows, because an answer cannot have an SXURL.
    Nothing,
    /// Reads these ranges, which ascend. There is at least one.
    Ranges(Vec<KeyRange>),
    /// Reads the entries of an optional index with the bytes of the pattern, in these ranges.
    Indexed(SliceIndex, Vec<KeyRange>),
    /// Runs a skip scan. It seeks from one header and public suffix in use to the next, and reads the rows of
    /// one domain in each. The number of seeks grows with the suffixes in use, not with the rows.
    Skip {
        /// The headers that answers can have, in ascending order.
        headers: Vec<Header>,
        /// The slice of the domain.
        domain: u64,
    },
}

/// The plan of a question: the data that is read of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(crate) route: Route,
    /// The bits that are known of every candidate's identifier, for all headers.
    pub(crate) pattern: Pattern,
    /// The least number of leading hex digits that are known, for `Display`.
    pub(crate) prefix_digits: usize,
    /// The keys of the table `other` to read. `None` skips the table.
    pub(crate) other: Option<OtherKeys>,
}

impl Plan {
    /// Returns the plan of a question for an index.
    #[must_use]
    pub fn new(question: &Question, index: &Layout<'_>) -> Self {
        let (list, indexes) = (index.suffixes, index.slice_indexes);
        let wanted = Wanted::new(question, list);
        let pattern = wanted.pattern();
        let headers: Vec<Header> = Header::all().filter(|header| wanted.can_have(*header)).collect();
        let by_header: Vec<Pattern> =
            headers.iter().map(|header| wanted.with_header(pattern, *header)).collect();
        let header_digits = Field::Header.hex_range().end;
        let prefix_digits = by_header.iter().map(Pattern::prefix_digits).min().unwrap_or(header_digits);
        let branches = wanted.branches(list, indexes);
        let by_branch: Vec<Pattern> = branches
            .iter()
            .map(slices_of)
            .flat_map(|slices| by_header.iter().map(move |pattern| with_slices(*pattern, slices)))
            .collect();
        let prefix_digits = by_branch.iter().map(Pattern::prefix_digits).min().unwrap_or(prefix_digits);
        // Headers ascend and their ranges cannot overlap. Branches may share a slice, and are not in the
        // order of their hashes.
        let ranges = if by_branch.is_empty() {
            joined(headers.iter().copied().zip(by_header.iter().map(Pattern::range)))
        } else {
            ascending(by_branch.iter().map(Pattern::range).collect())
        };
        let route = match (wanted.part(Slice::Tld), wanted.part(Slice::Domain)) {
            _ if question.is_unconditional() => Route::All,
            // Conditions that exclude each other leave no header, and a statement cannot have an empty list
            // of ranges.
            _ if headers.is_empty() || !question.can_have_sxurl() => Route::Nothing,
            // The digits of the domain follow the digits of the suffix. If the suffix is unknown, the domain
            // cannot be part of a prefix.
            (None, Some(domain)) => Route::Skip { headers, domain: slice_value(Slice::Domain, domain) },
            (None, None) if by_branch.is_empty() => match wanted.usable(indexes) {
                Some(index) => Route::Indexed(index, ranges),
                None => Route::Ranges(ranges),
            },
            (None, None) => Route::Ranges(ranges),
            (Some(_), _) => Route::Ranges(ranges),
        };
        Self { route, pattern, prefix_digits, other: Some(OtherKeys::new(question, list)) }
    }
}

/// The required values of a question. Its host is split by the suffix list of the index.
struct Wanted<'q> {
    question: &'q Question,
    scheme: Option<Scheme>,
    port: Option<u16>,
    /// The required texts of the parts, in the order of [`Slice::ALL`].
    parts: [Option<&'q str>; 6],
}

impl<'q> Wanted<'q> {
    fn new(question: &'q Question, list: &SuffixList) -> Self {
        let parts = Slice::ALL.map(|slice| question.part(slice, list));
        Self { question, scheme: question.sxurl_scheme(), port: question.port(), parts }
    }

    fn part(&self, slice: Slice) -> Option<&'q str> {
        self.parts[slice as usize]
    }

    /// Returns whether the part must be present (true) or absent (false). `None` means that the question has
    /// no condition on it.
    fn presence(&self, slice: Slice) -> Option<bool> {
        self.part(slice).map(|value| !value.is_empty())
    }

    /// Returns the bits that the identifiers of all answers share.
    fn pattern(&self) -> Pattern {
        let mut pattern = Pattern::ANY;
        for slice in Slice::ALL {
            if let Some(value) = self.part(slice) {
                pattern = pattern.with(slice.field(), slice_value(slice, value));
            }
        }
        match self.port {
            Some(port) => pattern.with(Field::Port, u64::from(port)),
            None => pattern,
        }
    }

    /// Returns whether an answer can have a header.
    fn can_have(&self, header: Header) -> bool {
        self.scheme.is_none_or(|scheme| scheme == header.scheme)
            && self.question.can_have(header.flags)
            && (self.port.is_none() || header.flags.contains(Flags::PORT))
            && Slice::ALL
                .into_iter()
                // The suffix, the domain and the path do not have a flag.
                .filter(|slice| Flags::new(slice.field()).is_some())
                .all(|slice| self.presence(slice).is_none_or(|is_present| is_present == header.has(slice)))
    }

    /// Adds the bits that follow from a header: its own digits, and the slices of the parts that are absent
    /// with it.
    fn with_header(&self, pattern: Pattern, header: Header) -> Pattern {
        let mut pattern = pattern.with_header(header);
        for slice in Slice::ALL {
            // An absent part has the hash of the empty text. An unset flag therefore makes one more slice
            // known, and the prefix longer.
            if !header.has(slice) {
                pattern = pattern.with(slice.field(), slice_value(slice, ""));
            }
        }
        if header.flags.contains(Flags::PORT) { pattern } else { pattern.with(Field::Port, 0) }
    }

    /// Returns the branches of the name that hosts must be at or below, if ranges of keys are the best way to
    /// read them.
    fn branches(&self, list: &SuffixList, indexes: &[SliceIndex]) -> Vec<Branch> {
        let is_narrower = self.part(Slice::Tld).is_some() || self.part(Slice::Domain).is_some();
        let under = self.question.under().filter(|under| !is_narrower && under.is_dns_name());
        let branches = under.and_then(|under| under.branches(list)).unwrap_or_default();
        // A value in an optional index has few URLs, but a public suffix has many.
        let is_one_domain = branches.iter().all(|branch| branch.domain.is_some());
        if is_one_domain || self.usable(indexes).is_none() { branches } else { Vec::new() }
    }

    /// Returns the optional index of the file that narrows the question most.
    fn usable(&self, indexes: &[SliceIndex]) -> Option<SliceIndex> {
        let pattern = self.pattern();
        // The part with the fewest repeated values comes first.
        [SliceIndex::Query, SliceIndex::Fragment, SliceIndex::Path, SliceIndex::Sub].into_iter().find(
            |index| {
                // An absent part is not in its index.
                indexes.contains(index) && self.presence(index.slice()) == Some(true) && index.has(&pattern)
            },
        )
    }
}

/// Returns the slices of a branch: its suffix, and its domain if it has one.
fn slices_of(branch: &Branch) -> (u64, Option<u64>) {
    let domain = branch.domain.as_ref().map(|domain| slice_value(Slice::Domain, domain));
    (slice_value(Slice::Tld, &branch.tld), domain)
}

fn with_slices(pattern: Pattern, (tld, domain): (u64, Option<u64>)) -> Pattern {
    let pattern = pattern.with(Field::Tld, tld);
    domain.map_or(pattern, |domain| pattern.with(Field::Domain, domain))
}

/// A number of things, in words.
pub(crate) struct Count(pub(crate) usize, pub(crate) &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, thing) = self;
        write!(f, "{count} {thing}{}", if *count == 1 { "" } else { "s" })
    }
}

impl fmt::Display for Plan {
    /// Writes one line about the data that is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.prefix_digits;
        match &self.route {
            Route::All => f.write_str("scan of every row"),
            Route::Nothing => f.write_str("no SXURL can answer"),
            Route::Ranges(ranges) if digits <= Field::Header.hex_range().end => {
                write!(f, "scan of every row in {} of headers", Count(ranges.len(), "range"))
            }
            Route::Ranges(ranges) => {
                write!(
                    f,
                    "{} with at least {digits} of 64 hex digits known",
                    Count(ranges.len(), "key range")
                )
            }
            Route::Indexed(index, ranges) => {
                write!(f, "index on {}, {} in it", index.name(), Count(ranges.len(), "range"))
            }
            Route::Skip { headers, .. } => {
                write!(f, "skip scan over {} and the public suffixes in use", Count(headers.len(), "header"))
            }
        }?;
        match &self.other {
            Some(OtherKeys::Ranges(ranges)) => {
                write!(f, "; {} of hosts without an SXURL", Count(ranges.len(), "range"))?;
            }
            Some(OtherKeys::All) if self.route != Route::All => {
                f.write_str("; scan of the URLs without an SXURL")?;
            }
            Some(OtherKeys::All) | None => {}
        }
        f.write_str("; every candidate is compared with its own URL")
    }
}

/// Identifiers from a first to a last one, both inclusive.
pub(crate) type KeyRange = RangeInclusive<Id>;

/// Sorts ranges and joins overlapping ones. Overlaps occur because suffixes may share a slice.
pub(crate) fn ascending(mut ranges: Vec<KeyRange>) -> Vec<KeyRange> {
    ranges.sort_unstable_by_key(|range| *range.start());
    let mut joined: Vec<KeyRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start() <= last.end() => {
                *last = *last.start()..=*last.end().max(range.end());
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// Joins the ranges of neighbouring whole headers. The last bit of a header is 0, so headers differ by 2, and
/// there are no identifiers between two neighbours.
pub(crate) fn joined(ranges: impl Iterator<Item = (Header, KeyRange)>) -> Vec<KeyRange> {
    // There are 48 headers. Their first bits are the version, which is not 0, so 2 can be subtracted.
    let mut joined: Vec<KeyRange> = Vec::with_capacity(48);
    let mut before = None;
    for (header, range) in ranges {
        let is_whole = range == Pattern::ANY.with_header(header).range();
        match joined.last_mut() {
            Some(last) if is_whole && before == Some(header.bits() - 2) => {
                *last = *last.start()..=*range.end()
            }
            _ => joined.push(range),
        }
        before = is_whole.then(|| header.bits());
    }
    joined
}

#[cfg(test)]
mod tests {
    use urlid::sxurl::{HostPart, key_ranges};

    use super::*;
    use crate::question::condition::Condition;

    type Conditions = &'static [(Condition, &'static str)];

    fn plan(conditions: Conditions, indexes: &[SliceIndex]) -> Plan {
        let question = Question::new(conditions.iter().copied()).expect("is possible");
        Plan::new(&question, &Layout { slice_indexes: indexes, ..Layout::default() })
    }

    #[test]
    fn tld_and_domain_are_within_the_48_ranges_of_the_codec() {
        let plan = plan(&[(Condition::Tld, "com"), (Condition::Domain, "google")], &SliceIndex::ALL);
        let Route::Ranges(ranges) = &plan.route else { panic!("no ranges: {plan}") };
        let part = |text| HostPart::map(text).expect("is a label");
        let codec: Vec<_> = key_ranges(&part("com"), Some(&part("google"))).collect();
        assert_eq!((ranges.len(), codec.len()), (48, 48));
        for (ours, whole) in ranges.iter().zip(codec) {
            assert!(whole.contains(ours.start()) && whole.contains(ours.end()));
        }
    }

    /// An index on fragments leaves out rows with the slice of the empty text, which is that of `542829` too.
    #[test]
    fn an_index_that_lacks_a_slice_is_not_used_for_it() {
        assert_eq!(Slice::hash(Slice::Frag, "542829"), Slice::hash(Slice::Frag, ""));
        let route = |conditions| plan(conditions, &[SliceIndex::Fragment]).route;
        assert!(matches!(route(&[(Condition::Fragment, "542829")]), Route::Ranges(_)));
        assert!(matches!(route(&[(Condition::Fragment, "542828")]), Route::Indexed(SliceIndex::Fragment, _)));
    }

    #[test]
    fn ranges_ascend_and_do_not_overlap() {
        let questions: [Conditions; 4] = [
            &[(Condition::Tld, "com")],
            &[(Condition::Host, "a.example.com"), (Condition::Path, "/")],
            &[(Condition::Scheme, "http"), (Condition::Port, "8080")],
            &[
                (Condition::Host, "a.com"),
                (Condition::Port, "1"),
                (Condition::Path, "/"),
                (Condition::Query, "q"),
                (Condition::Fragment, "f"),
            ],
        ];
        for conditions in questions {
            let plan = plan(conditions, &[]);
            let Route::Ranges(ranges) = plan.route else { panic!("no ranges") };
            assert!(!ranges.is_empty() && ranges.iter().all(|range| range.start() <= range.end()));
            assert!(ranges.windows(2).all(|pair| pair[0].end() < pair[1].start()));
        }
    }

    #[test]
    fn each_question_has_its_plan() {
        let whole = "; scan of the URLs without an SXURL";
        let one = "; 1 range of hosts without an SXURL";
        let table: [(Conditions, &[SliceIndex], &str, &str); 24] = [
            (
                &[(Condition::Under, "www.google.com")],
                &SliceIndex::ALL,
                "48 key ranges with at least 22 of 64 hex digits known",
                one,
            ),
            (
                &[(Condition::RegisteredDomain, "google.com"), (Condition::Path, "/")],
                &SliceIndex::ALL,
                "48 key ranges with at least 22 of 64 hex digits known",
                one,
            ),
            (&[(Condition::Under, "1.2.3.4")], &[], "no SXURL can answer", one),
            (&[(Condition::Under, "ck")], &[], "scan of every row in 1 range of headers", one),
            (
                &[(Condition::Under, "ac"), (Condition::Query, "q")],
                &SliceIndex::ALL,
                "index on query, 6 ranges in it",
                one,
            ),
            (&[(Condition::Lacks, "query")], &[], "scan of every row in 6 ranges of headers", whole),
            (
                &[(Condition::Tld, "com"), (Condition::Has, "sub,port")],
                &[],
                "12 key ranges with at least 7 of 64 hex digits known",
                one,
            ),
            (&[], &SliceIndex::ALL, "scan of every row", ""),
            (&[(Condition::Scheme, "ftp")], &[], "scan of every row in 1 range of headers", whole),
            (&[(Condition::Scheme, "ws")], &[], "no SXURL can answer", whole),
            (&[(Condition::Host, "1.2.3.4")], &[], "no SXURL can answer", one),
            (
                &[(Condition::Host, "[0::1]")],
                &[],
                "no SXURL can answer",
                "; 2 ranges of hosts without an SXURL",
            ),
            (&[(Condition::Host, "a.com"), (Condition::Has, "sub")], &[], "no SXURL can answer", one),
            (&[(Condition::Port, "80"), (Condition::Lacks, "port")], &[], "no SXURL can answer", whole),
            (&[(Condition::Port, "0")], &[], "no SXURL can answer", whole),
            (
                &[(Condition::Domain, "a"), (Condition::Query, ""), (Condition::Has, "query")],
                &[],
                "no SXURL can answer",
                whole,
            ),
            (
                &[(Condition::Fragment, "f"), (Condition::Lacks, "fragment")],
                &SliceIndex::ALL,
                "no SXURL can answer",
                whole,
            ),
            (&[(Condition::Path, "/a")], &[], "scan of every row in 1 range of headers", whole),
            (&[(Condition::Path, "/a")], &[SliceIndex::Path], "index on path, 1 range in it", whole),
            (
                &[(Condition::Path, "/a"), (Condition::Query, "q")],
                &SliceIndex::ALL,
                "index on query, 6 ranges in it",
                whole,
            ),
            (&[(Condition::Query, "")], &SliceIndex::ALL, "scan of every row in 6 ranges of headers", whole),
            (
                &[(Condition::Domain, "google"), (Condition::Path, "/a")],
                &SliceIndex::ALL,
                "skip scan over 48 headers and the public suffixes in use",
                whole,
            ),
            (&[(Condition::Tld, "com")], &[], "48 key ranges with at least 7 of 64 hex digits known", one),
            (
                &[(Condition::Host, "www.google.com"), (Condition::Port, "80"), (Condition::Path, "/")],
                &[],
                "12 key ranges with at least 49 of 64 hex digits known",
                one,
            ),
        ];
        for (conditions, indexes, expected, other) in table {
            let expected = format!("{expected}{other}; every candidate is compared with its own URL");
            assert_eq!(plan(conditions, indexes).to_string(), expected);
        }
    }
}
