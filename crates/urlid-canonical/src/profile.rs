//! A profile as a value: its properties, and its rules in their order.

use super::draft::Draft;
use urlid::Error;

/// The kind of a profile's canonical forms.
///
/// ```
/// use urlid_canonical::{Kind, Profile};
///
/// assert_eq!(Profile::named("w3lib-2.5")?.kind, Kind::Url);
/// assert_eq!(Profile::named("surt-0.3.1")?.kind, Kind::Key);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A URL, which further steps can change.
    Url,
    /// A key that is not a URL, such as a SURT or a digest.
    Key,
}

/// The mapping of host names that are not ASCII.
///
/// ```
/// use urlid_canonical::{Idna, Profile};
///
/// assert_eq!(Profile::named("web")?.idna, Idna::Uts46);
/// assert_eq!(Profile::named("surt-0.3.1")?.idna, Idna::Idna2003);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Idna {
    /// Such names are not mapped.
    None,
    /// IDNA 2003: Nameprep on Unicode 3.2.
    Idna2003,
    /// UTS 46 and IDNA 2008, or IDNA 2003 if they fail.
    Idna2008,
    /// UTS 46, with the pinned Unicode data or with the data of the runtime that the profile freezes.
    Uts46,
}

/// Appends the form of a text according to the rules of a profile, and returns true. Otherwise appends
/// nothing.
pub(super) type PlainForm = fn(&str, &mut String) -> bool;

/// A named, versioned canonical form. Its rules never change. A change of any output byte would be a
/// different profile.
///
/// ```
/// use urlid_canonical::Profile;
///
/// let surt = Profile::named("surt-0.3.1")?;
/// assert!(!surt.needs_suffix_list);
/// assert!(surt.rules().count() > 10);
/// assert_eq!(surt.runtime, Some("CPython 3.11, Unicode 14.0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Profile {
    /// The name, with the version.
    pub name: &'static str,
    /// A description in one sentence.
    pub about: &'static str,
    /// The kind of its canonical forms.
    pub kind: Kind,
    /// Whether applying it to its own output never changes the output.
    pub is_idempotent: bool,
    /// Whether it depends on the public suffix list, which is then part of the stamp.
    pub needs_suffix_list: bool,
    /// The mapping of host names that are not ASCII.
    pub idna: Idna,
    /// The runtime that the profile freezes with the implementation. Case, digits, white space and
    /// normalisation of text that is not ASCII follow the runtime's Unicode data, with every compiler. A
    /// profile of a specification has no runtime.
    pub runtime: Option<&'static str>,
    /// The day from which this name means these rules in urlid, as `YYYY-MM-DD`.
    pub frozen_since: &'static str,
    /// Peculiarities of the implementation that are reproduced on purpose.
    pub quirks: &'static [&'static str],
    /// The verification of the profile.
    pub proof: &'static str,
    /// The form of a plain URL without the rules, for speed.
    pub(super) plain: Option<PlainForm>,
    /// The rules in their order, in groups that related profiles share.
    pub(super) groups: &'static [&'static [Rule]],
}

impl Profile {
    /// Returns the rules, in their order.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> + use<> {
        self.groups.iter().copied().flatten()
    }
}

/// One rule of a profile.
///
/// ```
/// use urlid_canonical::Profile;
///
/// for rule in Profile::named("surt-0.3.1")?.rules() {
///     println!("{}: {}", rule.name, rule.clause);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// A short name, which traces show.
    pub name: &'static str,
    /// The effect of the rule, in one sentence.
    pub clause: &'static str,
    pub(super) apply: Apply,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Apply {
    Always(fn(&mut Draft)),
    OrError(fn(&mut Draft) -> Result<(), Error>),
    OrText(fn(&mut Draft) -> Result<(), Error>),
}

impl Rule {
    /// A rule that always succeeds.
    pub(super) const fn new(name: &'static str, clause: &'static str, apply: fn(&mut Draft)) -> Self {
        Self { name, clause, apply: Apply::Always(apply) }
    }

    /// A rule that rejects some texts.
    pub(super) const fn checked(
        name: &'static str,
        clause: &'static str,
        apply: fn(&mut Draft) -> Result<(), Error>,
    ) -> Self {
        Self { name, clause, apply: Apply::OrError(apply) }
    }

    /// A rule that rejects some texts. A rejected text is its own form, as it was given.
    pub(super) const fn or_text(
        name: &'static str,
        clause: &'static str,
        apply: fn(&mut Draft) -> Result<(), Error>,
    ) -> Self {
        Self { name, clause, apply: Apply::OrText(apply) }
    }

    /// Applies the rule to a draft of this text.
    pub(super) fn apply_to(&self, draft: &mut Draft, text: &str) -> Result<(), Error> {
        match (self.apply(draft), self.apply) {
            (Err(_), Apply::OrText(_)) => {
                // This is not the draft, which earlier rules have changed, because the package returns its
                // argument.
                draft.finish_with(text.as_bytes());
                Ok(())
            }
            (result, _) => result,
        }
    }

    pub(super) fn apply(&self, draft: &mut Draft) -> Result<(), Error> {
        match self.apply {
            Apply::Always(apply) => {
                apply(draft);
                Ok(())
            }
            Apply::OrError(apply) | Apply::OrText(apply) => apply(draft),
        }
    }
}
