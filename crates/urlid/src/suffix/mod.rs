//! The split of a host into subdomain, registrable label and public suffix (publicsuffix.org/list,
//! "Algorithm").
//!
//! A [`SuffixList`] is compiled in or read from a text at run time; both use the table of the crate
//! `urlid_psl`. Identifiers depend on the list, so a list has the date, the commit and the SHA-256 of its
//! text. Here hosts are in lower-case ASCII: `host_split` reads
//! other texts.

#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use urlid_psl::dat;
use urlid_psl::{ListError, ListFault, SuffixMatch, SuffixTableBuf};

pub use urlid_psl::dat::{SuffixRule, SuffixRuleKind};
pub use urlid_psl::{Section, Sections};

use crate::digest;
use crate::error::{Error, ErrorCode, ErrorKind};
use crate::host::{self, DomainProfile};

/// A host in normal form, split at its public suffix: `www`, `example`, `co.uk`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Split<'h> {
    /// The labels before the domain; may be empty.
    pub sub: &'h str,
    /// The label before the public suffix; empty if the host is a suffix itself.
    pub domain: &'h str,
    /// The public suffix.
    pub tld: &'h str,
}

impl<'h> Split<'h> {
    /// Returns domain and suffix together, as they are at the end of the host that was split.
    pub fn registered_domain(self, host: &'h str) -> Option<&'h str> {
        let length = self.domain.len() + ".".len() + self.tld.len();
        (!self.domain.is_empty()).then(|| host.get(host.len().checked_sub(length)?..)).flatten()
    }
}

/// The offsets of a split host, for code that hashes the parts of many.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitOffsets {
    /// Byte offset of the public suffix.
    pub tld: usize,
    /// Byte offset of the label before it; 0 without one.
    pub domain: usize,
    /// The TLD slice of a SXURL, if it is precomputed, as for all names of the compiled list.
    pub tld_hash: Option<u16>,
}

/// A public suffix list, with the sections of it that count.
///
/// ```
/// use urlid::suffix::{SuffixList, Sections};
///
/// let list = SuffixList::compiled();
/// assert_eq!(list.registered_domain("www.example.co.uk")?.as_deref(), Some("example.co.uk"));
/// assert_eq!(list.split("octocat.github.io")?.tld(), Some("github.io"));
///
/// let own = SuffixList::parse("com\nexample.com\n", Sections::All)?;
/// assert_eq!(own.registered_domain("https://a.b.example.com/")?.as_deref(), Some("b.example.com"));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone)]
pub struct SuffixList {
    source: ListSource,
    sections: Sections,
}

#[derive(Clone)]
enum ListSource {
    Compiled,
    Parsed(Arc<Parsed>),
}

struct Parsed {
    text: Box<str>,
    sha256: [u8; 32],
    table: SuffixTableBuf,
}

impl Parsed {
    // Kept apart, so that the code for the compiled table, whose sizes are known, stands alone where `split`
    // is inlined.
    #[inline(never)]
    fn find_offsets(&self, host: &str, sections: Sections) -> (usize, usize) {
        self.table.as_table().find_offsets(host, sections)
    }
}

static COMPILED_ICANN: SuffixList = SuffixList { source: ListSource::Compiled, sections: Sections::Icann };
static COMPILED_ALL: SuffixList = SuffixList { source: ListSource::Compiled, sections: Sections::All };

impl SuffixList {
    /// Returns the list that is part of this library, with all sections.
    ///
    /// ```
    /// use urlid::suffix::SuffixList;
    ///
    /// assert_eq!(SuffixList::compiled().split("octocat.github.io")?.tld(), Some("github.io"));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn compiled() -> &'static SuffixList {
        &COMPILED_ALL
    }

    /// Returns the list that is part of this library, of which some sections count.
    pub fn compiled_with(sections: Sections) -> &'static SuffixList {
        match sections {
            Sections::Icann => &COMPILED_ICANN,
            Sections::All => &COMPILED_ALL,
        }
    }

    /// Returns the list without suffixes, whose only rule is the default one: the last label of a host is its
    /// public suffix (SXURL, section 3, "If you do not use PSL"). Its version is `none`, so ids made with it
    /// have a snapshot of their own.
    ///
    /// ```
    /// use urlid::suffix::SuffixList;
    ///
    /// let list = SuffixList::none();
    /// assert_eq!(list.registered_domain("www.example.co.uk")?.as_deref(), Some("co.uk"));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn none() -> SuffixList {
        // `*` is the default rule of every list, and a text without a rule would be rejected.
        Self::parse("// VERSION: none\n*\n", Sections::All).expect("the text is one rule")
    }

    /// Reads a list from its text, in the format of `public_suffix_list.dat`.
    ///
    /// A rule outside both sections counts as one of the ICANN section, so a plain list of names is a list.
    ///
    /// # Errors
    /// [`Error`] if a line is not a rule, if no host can have a rule's name, if a section is not closed (the
    /// text was cut short), or if there is no rule in the given sections.
    pub fn parse(text: &str, sections: Sections) -> Result<SuffixList, Error> {
        let table = SuffixTableBuf::from_dat(text, to_ascii).map_err(invalid)?;
        let parsed = Parsed { text: text.into(), sha256: digest::sha256(&[text.as_bytes()]), table };
        let list = SuffixList { source: ListSource::Parsed(Arc::new(parsed)), sections };
        // Otherwise every host would silently be split by the default rule, as if the list were right.
        if list.rules().next().is_none() {
            return Err(invalid(ListError { line: text.lines().count().max(1), fault: ListFault::NoRules }));
        }
        Ok(list)
    }

    /// Splits a host in normal form at its public suffix. Nothing is checked or copied: `split` is for any text.
    ///
    /// The host is ASCII in lower case, without a trailing dot and without an empty label, as `web::Url` and
    /// SXURL have it. Of the rules that match it an exception decides, else the one with most labels, else
    /// the default rule `*`. A host that is a suffix itself, as one of a single label always is, is all
    /// `tld`.
    ///
    /// Any other text is split at dots by the same rules; the result has no meaning.
    #[doc(hidden)]
    #[inline]
    pub fn split_normal<'h>(&self, host: &'h str) -> Split<'h> {
        let (tld, domain) = match &self.source {
            ListSource::Compiled => urlid_psl::table().find_offsets(host, self.sections),
            ListSource::Parsed(parsed) => parsed.find_offsets(host, self.sections),
        };
        // A byte that continues a character is 10xxxxxx, which is less than -0x40 as a signed number. In this
        // form, without a case for 0, the test lets the compiler drop those of `str`.
        let begins_char =
            |offset: usize| host.as_bytes().get(offset).is_some_and(|&byte| byte as i8 >= -0x40);
        let (sub_end, domain_end) = (domain.saturating_sub(1), tld.saturating_sub(1));
        if begins_char(sub_end) && begins_char(domain) && begins_char(domain_end) && begins_char(tld) {
            pieces(host, tld, domain)
        } else {
            pieces_of_any(host, tld, domain)
        }
    }

    /// Splits a host like `split_normal`, and returns the precomputed slice of its suffix.
    #[doc(hidden)]
    #[inline]
    pub fn split_offsets(&self, host: &str) -> SplitOffsets {
        let SuffixMatch { tld, domain, name } = self.find(host);
        let tld_hash = match self.source {
            ListSource::Compiled => name.and_then(urlid_psl::tld_hash),
            // Hashes are generated for the names of the compiled table alone.
            ListSource::Parsed(_) => None,
        };
        SplitOffsets { tld, domain, tld_hash }
    }

    #[inline]
    fn find(&self, host: &str) -> SuffixMatch {
        match &self.source {
            ListSource::Compiled => urlid_psl::table().find(host, self.sections),
            ListSource::Parsed(parsed) => parsed.table.as_table().find(host, self.sections),
        }
    }

    /// Returns whether a host in normal form is a public suffix itself, by a rule or by the default rule `*`.
    #[doc(hidden)]
    pub fn is_normal_suffix(&self, host: &str) -> bool {
        self.find(host).tld == 0
    }

    /// Returns the rules of the sections that count, in the order of the text.
    pub fn rules(&self) -> impl Iterator<Item = SuffixRule<'_>> {
        dat::rules(self.text()).filter_map(Result::ok).filter(|rule| self.sections.include(rule.section))
    }

    /// Returns the names of these rules in the form that hosts have, each once, in no particular order.
    ///
    /// ```
    /// use urlid::suffix::{Sections, SuffixList};
    ///
    /// let list = SuffixList::parse("com\n*.ck\n!www.ck\n\u{4e2d}\u{56fd}\n", Sections::All)?;
    /// let mut names: Vec<String> = list.names().collect();
    /// names.sort();
    /// assert_eq!(names, ["ck", "com", "www.ck", "xn--fiqs8s"]);
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn names(&self) -> impl Iterator<Item = String> {
        let table = match &self.source {
            ListSource::Compiled => urlid_psl::table(),
            ListSource::Parsed(parsed) => parsed.table.as_table(),
        };
        table.suffixes(self.sections)
    }

    /// Returns the text of the list's `VERSION` line (its date), or nothing if it has none.
    pub fn version(&self) -> &str {
        match &self.source {
            ListSource::Compiled => urlid_psl::VERSION,
            ListSource::Parsed(parsed) => dat::comment(&parsed.text, "VERSION"),
        }
    }

    /// Returns the text of the list's `COMMIT` line, or nothing if it has none.
    pub fn commit(&self) -> &str {
        match &self.source {
            ListSource::Compiled => urlid_psl::COMMIT,
            ListSource::Parsed(parsed) => dat::comment(&parsed.text, "COMMIT"),
        }
    }

    /// Returns the SHA-256 of the list's text.
    pub fn sha256(&self) -> [u8; 32] {
        match &self.source {
            ListSource::Compiled => urlid_psl::SHA256,
            ListSource::Parsed(parsed) => parsed.sha256,
        }
    }

    /// Returns the sections that count.
    pub fn sections(&self) -> Sections {
        self.sections
    }

    /// Returns the list's text, all sections of it.
    pub fn text(&self) -> &str {
        match &self.source {
            ListSource::Compiled => urlid_psl::DAT,
            ListSource::Parsed(parsed) => &parsed.text,
        }
    }
}

const INVALID: ErrorKind =
    ErrorKind::new(ErrorCode::ListLine, "suffix list is not valid: line {place} {found}");

fn invalid(ListError { line, fault }: ListError) -> Error {
    INVALID.error().with_number(line as u64).with_shown(fault)
}

impl fmt::Debug for SuffixList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SuffixList")
            .field("version", &self.version())
            .field("sections", &self.sections)
            .finish_non_exhaustive()
    }
}

/// Maps a rule's name like the host of a SXURL, which splits follow; escapes have no place in a list.
fn to_ascii(name: &str) -> Option<String> {
    if name.contains('%') {
        return None;
    }
    host::domain_to_ascii(name, DomainProfile::CheckedPunycode).ok().map(|text| text.into_owned())
}

#[inline(always)]
fn pieces(host: &str, tld: usize, domain: usize) -> Split<'_> {
    Split {
        sub: &host[..domain.saturating_sub(1)],
        domain: &host[domain..tld.saturating_sub(1)],
        tld: &host[tld..],
    }
}

/// The same for a text that is empty or ends in a dot.
#[cold]
fn pieces_of_any(host: &str, tld: usize, domain: usize) -> Split<'_> {
    pieces(host, tld, domain)
}

/// The rules that only one of two lists has.
///
/// ```
/// use urlid::suffix::{Sections, SuffixList, diff};
///
/// let old = SuffixList::parse("com\n", Sections::All)?;
/// let new = SuffixList::parse("com\nexample.com\n", Sections::All)?;
/// assert_eq!((diff(&old, &new).gone.len(), diff(&old, &new).came[0].name), (0, "example.com"));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff<'l> {
    /// Rules of the old list that the new one lacks, in the old one's order.
    pub gone: Vec<SuffixRule<'l>>,
    /// Rules of the new list that the old one lacks, in the new one's order.
    pub came: Vec<SuffixRule<'l>>,
}

/// Compares the rules of two lists, those of the sections that count in each.
///
/// Two rules are equal if they are of the same kind, for the same name, in the same section. Whether the name
/// is written in Unicode or in ASCII, and on which line, does not matter.
pub fn diff<'l>(old: &'l SuffixList, new: &'l SuffixList) -> Diff<'l> {
    let (in_old, in_new) = (meanings(old), meanings(new));
    let only = |list: &'l SuffixList, other: &BTreeSet<Meaning>| {
        list.rules().filter(|rule| !other.contains(&meaning(rule))).collect()
    };
    Diff { gone: only(old, &in_new), came: only(new, &in_old) }
}

type Meaning = (Section, SuffixRuleKind, String);

fn meaning(rule: &SuffixRule<'_>) -> Meaning {
    // The name was mapped when the list was read, which fails for one that cannot be.
    (rule.section, rule.kind, to_ascii(rule.name).unwrap_or_default())
}

fn meanings(list: &SuffixList) -> BTreeSet<Meaning> {
    list.rules().map(|rule| meaning(&rule)).collect()
}
