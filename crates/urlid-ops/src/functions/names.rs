//! Arguments that are names. They are parsed once for a run of rows with the same name.

use urlid::hashed_uri::{Algorithm, HashedUri, Hasher, Variant};
use urlid::suffix::Sections;
use urlid::sxurl::{Field, Flags, Slice};
use urlid::web::{Part, is_scheme};
use urlid::{Error, ErrorCode, ErrorKind, HostSplit};
use urlid_canonical::{Form, Templates};

const UNKNOWN: ErrorKind =
    ErrorKind::new(ErrorCode::Argument, "unknown {subject}: found {found}, expected {expected}");

/// The length of an unknown name in an error, in characters.
// The name may come from a column, so its length is not bounded by the query.
const LONGEST_FOUND: usize = 40;

/// The names of the last row. A function uses the names of its own arguments.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) algorithm: Name<Hasher>,
    pub(crate) decoded: Name<Decoded>,
    pub(crate) field: Name<Field>,
    pub(crate) form: Name<Form>,
    pub(crate) hashed: Name<Option<HashedUri>>,
    pub(crate) host_part: Name<HostPart>,
    pub(crate) part: Name<Part>,
    pub(crate) scheme: Name<String>,
    pub(crate) sections: Name<Sections>,
    pub(crate) slice: Name<Slice>,
    pub(crate) templates: Name<Templates>,
    pub(crate) variant: Name<Variant>,
}

/// A name and its value. The value is missing before the first parse and after an error.
pub(crate) struct Name<T> {
    text: String,
    value: Option<T>,
}

// A derived implementation would need a default of `T`.
impl<T> Default for Name<T> {
    fn default() -> Self {
        Name { text: String::new(), value: None }
    }
}

impl<T> Name<T> {
    /// Returns the value of a name. It is parsed only if it differs from the previous row's name.
    pub(crate) fn get(
        &mut self,
        text: &str,
        parse: impl FnOnce(&str) -> Result<T, Error>,
    ) -> Result<&T, Error> {
        // An error leaves no value, so the previous name is parsed again if it returns.
        if self.text != text {
            self.value = None;
        }
        if self.value.is_none() {
            self.value = Some(parse(text)?);
            text.clone_into(&mut self.text);
        }
        Ok(self.value.as_ref().expect("it has just been parsed"))
    }
}

pub(crate) fn parse_algorithm(name: &str) -> Result<Hasher, Error> {
    // The hasher has no key, because a key in a query would be in the logs of the database.
    Hasher::new(&name.parse::<Algorithm>()?, None)
}

pub(crate) fn parse_variant(name: &str) -> Result<Variant, Error> {
    let all = [("none", Variant::None), ("n", Variant::N), ("p", Variant::P)];
    // The draft writes variants in upper case and the command line in lower case, so both are accepted.
    choose("variant", &name.to_ascii_lowercase(), all)
}

/// Parses a text that may be a hashed URI. Any other text gives `None`, which does not match any URL.
pub(crate) fn parse_hashed(text: &str) -> Result<Option<HashedUri>, Error> {
    Ok(text.parse().ok())
}

pub(crate) fn parse_field(name: &str) -> Result<Field, Error> {
    choose("slice", name, Field::ALL.map(|field| (field.name(), field)))
}

pub(crate) fn parse_slice(name: &str) -> Result<Slice, Error> {
    choose("slice", name, Slice::ALL.map(|slice| (slice.label(), slice)))
}

/// A property of the URL of an SXURL.
#[derive(Clone, Copy)]
pub(crate) enum Decoded {
    Version,
    Scheme,
    Has(Flags),
    Port,
    Digits(Slice),
}

pub(crate) fn parse_decoded(name: &str) -> Result<Decoded, Error> {
    let header = [
        ("version", Decoded::Version),
        ("scheme", Decoded::Scheme),
        ("has_sub", Decoded::Has(Flags::SUB)),
        ("has_params", Decoded::Has(Flags::PARAMS)),
        ("has_frag", Decoded::Has(Flags::FRAG)),
        ("has_port", Decoded::Has(Flags::PORT)),
        ("port", Decoded::Port),
    ];
    let slices = Slice::ALL.map(|slice| (slice.label(), Decoded::Digits(slice)));
    choose("field", name, header.into_iter().chain(slices))
}

/// Parses the scheme for URLs without one.
pub(crate) fn parse_scheme(text: &str) -> Result<String, Error> {
    if is_scheme(text) {
        Ok(text.to_owned())
    } else {
        Err(unknown("scheme", text, &["a scheme such as https"]))
    }
}

/// Parses the name of a part.
pub(crate) fn parse_part(name: &str) -> Result<Part, Error> {
    Part::from_name(name).ok_or_else(|| unknown("part", name, &Part::ALL.map(Part::name)))
}

/// Returns a part of a split host.
pub(crate) type HostPart = for<'s> fn(&'s HostSplit<'_>) -> Option<&'s str>;

/// Parses the name of a part of a host, with the names of `urlid parts --of host`.
pub(crate) fn parse_host_part(name: &str) -> Result<HostPart, Error> {
    let all: [(_, HostPart); 6] = [
        ("sub", |split| split.sub()),
        ("domain", |split| split.domain()),
        ("tld", |split| split.tld()),
        ("registered_domain", |split| split.registered_domain()),
        ("host", |split| split.host()),
        ("host_kind", |split| split.kind()),
    ];
    choose("part", &name.replace('-', "_"), all)
}

/// Parses the sections of the suffix list that count.
pub(crate) fn parse_sections(name: &str) -> Result<Sections, Error> {
    choose("sections", name, [("all", Sections::All), ("icann", Sections::Icann)])
}

/// Returns the value with a name from a table of all values.
fn choose<T>(
    what: &'static str,
    found: &str,
    all: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<T, Error> {
    let mut expected = Vec::new();
    for (name, value) in all {
        if name == found {
            return Ok(value);
        }
        expected.push(name);
    }
    Err(unknown(what, found, &expected))
}

fn unknown(what: &'static str, found: &str, expected: &[&str]) -> Error {
    // The name is cut by characters, because a cut at a byte can split a character.
    let found: String = found.chars().take(LONGEST_FOUND).collect();
    let error = UNKNOWN.error().with_subject(what).with_shown(format_args!("{found:?}"));
    error.with_expected(expected.join(", "))
}
