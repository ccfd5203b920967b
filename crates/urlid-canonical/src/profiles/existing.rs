//! The forms of urlid's own identifiers, each as one rule. Their actual rules are in separate modules.

use crate::draft::Draft;
use crate::error;
use crate::profile::{Idna, Kind, Profile, Rule};
use urlid::Error;
use urlid::generic;
use urlid::hashed_uri::{self, HashedUri, Keep, Variant};
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid::web::{self, Url};

/// The properties that these forms share.
const OWN: Profile = Profile {
    name: "",
    about: "",
    kind: Kind::Url,
    is_idempotent: true,
    needs_suffix_list: false,
    idna: Idna::None,
    runtime: None,
    frozen_since: "2026-11-22",
    quirks: &[],
    proof: "The vectors and laws of its own module.",
    plain: None,
    groups: &[],
};

pub(super) static WEB: Profile = Profile {
    name: "web",
    about: "The normal form of the URL Standard, which a url-hash is made of.",
    idna: Idna::Uts46,
    plain: Some(web::push_normal),
    groups: &[&[Rule::checked("web", "Parse and serialise as the URL Standard does.", |d| {
        whole(d, |text| Ok(Url::parse(text)?.into_string()))
    })]],
    ..OWN
};

pub(super) static GENERIC: Profile = Profile {
    name: "generic",
    about: "The syntax-based normal form of RFC 3986, section 6.2.2.",
    groups: &[&[Rule::checked(
        "generic",
        "Normalise case, escapes and dot segments as RFC 3986 does.",
        |d| whole(d, generic::normalise),
    )]],
    ..OWN
};

pub(super) static SXURL: Profile = Profile {
    name: "sxurl",
    about: "The components of an SXURL as a URL, which an index stores: no credentials, and no empty query or fragment.",
    idna: Idna::Uts46,
    quirks: &[
        "A URL without an SXURL lacks a form, such as a URL with a different scheme, an address as host, or \
         a host that ends with a dot.",
    ],
    groups: &[&[Rule::checked(
        "sxurl",
        "Split the components as section 3 does, and join them again. Only scheme, host and port are mapped.",
        // The parts of the host come together again, whatever list splits it.
        |d| whole(d, |text| Ok(Components::parse(text, SuffixList::compiled())?.to_normal_text())),
    )]],
    ..OWN
};

pub(super) static HASHED_NONE: Profile = Profile {
    name: "hashed-none",
    about: "The Hashed URI without a variant's rules: the scheme in lower case, without query and fragment.",
    groups: &[&[Rule::checked("hashed-none", "Lower-case the scheme; drop query and fragment.", |d| {
        whole(d, |text| Ok(hashed_uri::canonicalize(text, None, Keep::NONE, Variant::None)?.into_string()))
    })]],
    ..OWN
};

pub(super) static HASHED_N: Profile = Profile {
    name: "hashed-n",
    about: "Variant N of The Hashed URI, without query and fragment.",
    is_idempotent: false,
    quirks: &[
        "A dotted quad is read as decimal.",
        "With the scheme `http`, a last segment `index.htm` or `index.html` is dropped.",
    ],
    groups: &[&[Rule::checked(
        "hashed-n",
        "Canonicalise as appendix A of the draft does for variant N.",
        |d| whole(d, |text| Ok(hashed_uri::canonicalize(text, None, Keep::NONE, Variant::N)?.into_string())),
    )]],
    ..OWN
};

pub(super) static HASHED_P: Profile = Profile {
    name: "hashed-p",
    about: "Variant P of The Hashed URI, without query and fragment.",
    is_idempotent: false,
    quirks: &["All is lower case, and `.jpeg` becomes `.jpg`."],
    groups: &[&[Rule::checked(
        "hashed-p",
        "Canonicalise as appendix A of the draft does for variant P.",
        |d| whole(d, |text| Ok(hashed_uri::canonicalize(text, None, Keep::NONE, Variant::P)?.into_string())),
    )]],
    ..OWN
};

pub(super) static HASHED_TEXT: Profile = Profile {
    name: "hashed-text",
    about: "A hashed URI in the form in which it is compared, in lower case with each flag once, as \
            `+frag+query`. Any other text is unchanged.",
    kind: Kind::Key,
    frozen_since: "2026-11-28",
    quirks: &["Hashed URIs with different algorithms or flags are different, even for one URL."],
    groups: &[&[Rule::checked(
        "hashed-text",
        "Write a hashed URI in lower case with its flags in order (section 4.1 of the draft).",
        |d| {
            whole(d, |text| {
                Ok(text.parse().map_or_else(|_| text.to_owned(), |uri: HashedUri| uri.to_string()))
            })
        },
    )]],
    ..OWN
};

pub(crate) fn hashed_variant(profile: &Profile) -> Option<Variant> {
    match profile.name {
        "hashed-none" => Some(Variant::None),
        "hashed-n" => Some(Variant::N),
        "hashed-p" => Some(Variant::P),
        _ => None,
    }
}

/// Finishes with a function of the whole text.
fn whole(draft: &mut Draft, form: fn(&str) -> Result<String, Error>) -> Result<(), Error> {
    let text = core::str::from_utf8(&draft.text).map_err(|_| error::NOT_UTF8.error())?;
    let form = form(text)?;
    draft.finish_with(form.as_bytes());
    Ok(())
}
