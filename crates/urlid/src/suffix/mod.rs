//! Splits a host into subdomain, registrable label and public suffix (publicsuffix.org/list, "Algorithm").
//!
//! A [`SuffixList`] is compiled in or parsed from a text at run time. Both kinds use the table of the crate
//! `urlid_psl`. Identifiers depend on the list, so a list stores the date, the commit and the SHA-256 digest
//! of its text. Hosts in this module are lower-case ASCII; `host_split` reads other texts.

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
    /// The labels before the domain. May be empty.
    pub sub: &'h str,
    /// The label before the public suffix. Empty if the host is a public suffix itself.
    pub domain: &'h str,
    /// The public suffix.
    pub tld: &'h str,
}

impl<'h> Split<'h> {
    /// Returns the domain and the suffix together, as a slice of the end of the split host.
    pub fn registered_domain(self, host: &'h str) -> Option<&'h str> {
        let length = self.domain.len() + ".".len() + self.tld.len();
        (!self.domain.is_empty()).then(|| host.get(host.len().checked_sub(length)?..)).flatten()
    }
}

/// The offsets of a split host, for code that hashes the parts of many hosts.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitOffsets {
    /// Byte offset of the public suffix.
    pub tld: usize,
    /// Byte offset of the preceding label. 0 if there is no such label.
    pub domain: usize,
    /// The TLD slice of an SXURL, if it is precomputed. It is precomputed for all names of the compiled list.
    pub tld_hash: Option<u16>,
}

/// A public suffix list and the sections of it that are used.
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
    // A separate function, so that only the code for the compiled table, whose sizes are known, is inlined
    // with `split`.
    #[inline(never)]
    fn find_offsets(&self, host: &str, sections: Sections) -> (usize, usize) {
        self.table.as_table().find_offsets(host, sections)
    }
}

static COMPILED_ICANN: SuffixList = SuffixList { source: ListSource::Compiled, sections: Sections::Icann };
static COMPILED_ALL: SuffixList = SuffixList { source: ListSource::Compiled, sections: Sections::All };

impl SuffixList {
    /// Returns the compiled list with all sections.
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

    /// Returns the compiled list with the given sections.
    pub fn compiled_with(sections: Sections) -> &'static SuffixList {
        match sections {
            Sections::Icann => &COMPILED_ICANN,
            Sections::All => &COMPILED_ALL,
        }
    }

    /// Returns a list without suffixes. Only the default rule applies: the last label of a host is its public
    /// suffix (SXURL, section 3, "If you do not use PSL"). The list's version is `none`, so identifiers made
    /// with it have their own snapshot.
    ///
    /// ```
    /// use urlid::suffix::SuffixList;
    ///
    /// let list = SuffixList::none();
    /// assert_eq!(list.registered_domain("www.example.co.uk")?.as_deref(), Some("co.uk"));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn none() -> SuffixList {
        // `*` is the default rule of every list. A text without any rule would be rejected.
        Self::parse("// VERSION: none\n*\n", Sections::All).expect("the text is one rule")
    }

    /// Reads a list from its text, in the format of `public_suffix_list.dat`.
    ///
    /// A rule outside both sections belongs to the ICANN section, so a plain list of names is a valid list.
    ///
    /// # Errors
    /// [`Error`] if a line is not a rule, if a rule's name cannot be a host, if a section is not closed
    /// because the text was cut short, or if the given sections have no rule.
    pub fn parse(text: &str, sections: Sections) -> Result<SuffixList, Error> {
        let table = SuffixTableBuf::from_dat(text, to_ascii).map_err(invalid)?;
        let parsed = Parsed { text: text.into(), sha256: digest::sha256(&[text.as_bytes()]), table };
        let list = SuffixList { source: ListSource::Parsed(Arc::new(parsed)), sections };
        // Without a rule, the default rule would silently split every host, as if the list were right.
        if list.rules().next().is_none() {
            return Err(invalid(ListError { line: text.lines().count().max(1), fault: ListFault::NoRules }));
        }
        Ok(list)
    }

    /// Splits a host in normal form at its public suffix. The host is not checked or copied. `split` reads
    /// any text.
    ///
    /// The host is lower-case ASCII, without a trailing dot and without an empty label, as in `web::Url` and
    /// SXURL. If a matching rule is an exception, it decides. Otherwise the matching rule with the most
    /// labels decides, or the default rule `*` if no rule matches. If the host is a suffix itself, as is
    /// every single label, `tld` is the whole host.
    ///
    /// Any other text is split at dots by the same rules, but the result is meaningless.
    #[doc(hidden)]
    #[inline]
    pub fn split_normal<'h>(&self, host: &'h str) -> Split<'h> {
        let (tld, domain) = match &self.source {
            ListSource::Compiled => urlid_psl::table().find_offsets(host, self.sections),
            ListSource::Parsed(parsed) => parsed.find_offsets(host, self.sections),
        };
        // A byte that continues a character is 10xxxxxx, which is less than -0x40 as a signed number. The
        // test has no case for 0, and in this form lets the compiler remove the boundary checks of `str`.
        let begins_char =
            |offset: usize| host.as_bytes().get(offset).is_some_and(|&byte| byte as i8 >= -0x40);
        let (sub_end, domain_end) = (domain.saturating_sub(1), tld.saturating_sub(1));
        if begins_char(sub_end) && begins_char(domain) && begins_char(domain_end) && begins_char(tld) {
            pieces(host, tld, domain)
        } else {
            pieces_of_any(host, tld, domain)
        }
    }

    /// Splits a host like `split_normal`, and returns the offsets and the precomputed slice of its suffix.
    #[doc(hidden)]
    #[inline]
    pub fn split_offsets(&self, host: &str) -> SplitOffsets {
        let SuffixMatch { tld, domain, name } = self.find(host);
        let tld_hash = match self.source {
            ListSource::Compiled => name.and_then(urlid_psl::tld_hash),
            // Only the names of the compiled table have generated hashes.
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

    /// Returns whether a host in normal form is a public suffix, by a rule or by the default rule `*`.
    #[doc(hidden)]
    pub fn is_normal_suffix(&self, host: &str) -> bool {
        self.find(host).tld == 0
    }

    /// Returns the rules of the used sections, in the order of the text.
    pub fn rules(&self) -> impl Iterator<Item = SuffixRule<'_>> {
        dat::rules(self.text()).filter_map(Result::ok).filter(|rule| self.sections.include(rule.section))
    }

    /// Returns the names of these rules in the form of hosts. Each name occurs once, and the order is
    /// unspecified.
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

    /// Returns the text of the list's `VERSION` line (its date), or an empty text without such a line.
    pub fn version(&self) -> &str {
        match &self.source {
            ListSource::Compiled => urlid_psl::VERSION,
            ListSource::Parsed(parsed) => dat::comment(&parsed.text, "VERSION"),
        }
    }

    /// Returns the text of the list's `COMMIT` line, or an empty text without such a line.
    pub fn commit(&self) -> &str {
        match &self.source {
            ListSource::Compiled => urlid_psl::COMMIT,
            ListSource::Parsed(parsed) => dat::comment(&parsed.text, "COMMIT"),
        }
    }

    /// Returns the SHA-256 digest of the list's text.
    pub fn sha256(&self) -> [u8; 32] {
        match &self.source {
            ListSource::Compiled => urlid_psl::SHA256,
            ListSource::Parsed(parsed) => parsed.sha256,
        }
    }

    /// Returns the sections that are used.
    pub fn sections(&self) -> Sections {
        self.sections
    }

    /// Returns the list's text with all its sections.
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

/// Maps a rule's name like the host of an SXURL, because splits use such hosts. Escapes are not allowed in a
/// list.
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

/// Slices the host like `pieces`, but for a text that is empty or ends in a dot.
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

/// Compares the rules of two lists, using the sections that are selected in each list.
///
/// Two rules are equal if they have the same kind, name and section. The line of a rule and the spelling of
/// its name, in Unicode or in ASCII, do not matter.
pub fn diff<'l>(old: &'l SuffixList, new: &'l SuffixList) -> Diff<'l> {
    let (in_old, in_new) = (meanings(old), meanings(new));
    let only = |list: &'l SuffixList, other: &BTreeSet<Meaning>| {
        list.rules().filter(|rule| !other.contains(&meaning(rule))).collect()
    };
    Diff { gone: only(old, &in_new), came: only(new, &in_old) }
}

type Meaning = (Section, SuffixRuleKind, String);

fn meaning(rule: &SuffixRule<'_>) -> Meaning {
    // The name was mapped when the list was read, and names that cannot be mapped were rejected.
    (rule.section, rule.kind, to_ascii(rule.name).unwrap_or_default())
}

fn meanings(list: &SuffixList) -> BTreeSet<Meaning> {
    list.rules().map(|rule| meaning(&rule)).collect()
}
