//! Lists of tracking parameters, in the format of Firefox's `StripOnShare.json`.

use core::fmt;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::error;
use super::tracked::{Group, OnSite, Tracked};
use urlid::hex;
use urlid::internal::digest;
use urlid::{Error, ErrorCode, ErrorKind};

/// The list of Firefox that is part of this library, under the Mozilla Public License 2.0.
static FIREFOX: LazyLock<TrackingList> = LazyLock::new(|| {
    TrackingList::parse(include_str!("data/strip_on_share.json")).expect("a test reads the list")
});

/// Query parameters that only track, for all sites and for some.
///
/// The name of a list depends only on its text. It is the format, and the first digits of the SHA-256 of the
/// text.
///
/// ```
/// use urlid_canonical::{Form, Profile, FormStep, TrackingList};
///
/// let list = TrackingList::parse(r#"{"global": {"queryParams": ["ref"], "topLevelSites": ["*"]}}"#)?;
/// let form = Form::new(Profile::named("web")?, vec![FormStep::DropTracking(list)])?;
/// assert_eq!(form.to_string(), "web+drop-tracking@firefox-b52dde4d");
/// assert_eq!(form.canonicalize("https://docs.rs/?ref=x&q=y")?, "https://docs.rs/?q=y");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackingList {
    name: Arc<str>,
    tracked: Arc<Tracked>,
}

impl TrackingList {
    /// The most bytes of a list.
    // Keeps places in the list within 32 bits (`Tracked`), and the time for a hostile list small.
    pub const MOST_BYTES: usize = 1 << 20;

    /// Returns the list of Firefox that is part of this library.
    pub fn firefox() -> &'static TrackingList {
        &FIREFOX
    }

    /// Reads a list, which is a JSON object. Its values are objects with the keys `queryParams` and
    /// `topLevelSites`, and both are lists of strings. The site `*` means all sites. The keys of the outer
    /// object are names for people. If entries have the same key, each of them counts.
    ///
    /// # Errors
    /// [`Error`] if the text is not such an object, has no parameter, or is too long.
    pub fn parse(text: &str) -> Result<Self, Error> {
        if text.len() > Self::MOST_BYTES {
            return Err(TOO_LONG.error().with_shown(text.len()).with_expected(Self::MOST_BYTES.to_string()));
        }
        let Groups(groups) = serde_json::from_str(text)
            .map_err(|error| MALFORMED.error().with_shown(&error).with_number(error.line() as u64))?;
        if groups.iter().all(|group| group.parameters.is_empty() || group.sites.is_empty()) {
            return Err(EMPTY.error());
        }
        let digest = hex::encode(&digest::sha256(&[text.as_bytes()])[..4]);
        Ok(Self { name: format!("firefox-{digest}").into(), tracked: Arc::new(Tracked::new(groups)) })
    }

    /// Returns the list with a name, which is the library's own list or one of the given lists.
    pub(super) fn named<'l>(name: &str, given: &'l [Self]) -> Result<&'l Self, Error> {
        // The library's own list comes first, so a given list cannot replace it.
        let lists = || std::iter::once(Self::firefox()).chain(given);
        lists().find(|list| *list.name == *name).ok_or_else(|| {
            let names: Vec<&str> = lists().map(Self::name).collect();
            error::NO_TRACKING_LIST.found(name).with_expected(names.join(" or "))
        })
    }

    /// Returns the name, such as `firefox-46740ded`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the parameters that track on a host.
    pub(super) fn on(&self, host: &[u8]) -> OnSite<'_> {
        self.tracked.on(host)
    }
}

/// The values of the object. Its keys are names for people.
struct Groups(Vec<Group>);

impl<'de> Deserialize<'de> for Groups {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(GroupsVisitor)
    }
}

struct GroupsVisitor;

impl<'de> Visitor<'de> for GroupsVisitor {
    type Value = Groups;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of lists of parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Groups, A::Error> {
        let mut groups = Vec::new();
        // A map would keep only the last of the entries with one key.
        while let Some((IgnoredAny, group)) = map.next_entry()? {
            groups.push(group);
        }
        Ok(Groups(groups))
    }
}

const TOO_LONG: ErrorKind = ErrorKind::new(
    ErrorCode::LineLen,
    "list of tracking parameters is too long: found {found} bytes, expected at most {expected}",
);
const MALFORMED: ErrorKind =
    ErrorKind::new(ErrorCode::ListLine, "list of tracking parameters is malformed: {found}");
const EMPTY: ErrorKind = ErrorKind::new(
    ErrorCode::ListLine,
    "list of tracking parameters is empty: expected a parameter of a site",
);

#[cfg(test)]
mod tests {
    use super::*;
    use urlid::Place;

    #[test]
    fn the_list_of_firefox_has_parameters_for_all_sites_and_for_some() {
        let list = TrackingList::firefox();
        assert_eq!(list.name(), "firefox-46740ded");
        assert!(list.on(b"a.example").contains(b"UTM_source"));
        assert!(!list.on(b"a.example").contains(b"ref_src"));
        assert!(list.on(b"www.twitter.com").contains(b"ref_src"));
        assert!(!list.on(b"a.example").contains(b"queryParams"));
    }

    #[test]
    fn a_malformed_tracking_list_is_an_error_with_its_place() {
        for (text, place) in [
            ("", (1, 0)),
            ("utm_source\n", (1, 1)),
            ("[]", (1, 0)),
            ("{\"global\": 1}", (1, 12)),
            ("{\"global\":\n{\"queryParams\": [\"a\"]}}", (2, 22)),
            ("{\"global\": {\"queryParams\": \"a\", \"topLevelSites\": [\"*\"]}}", (1, 30)),
            ("{\"global\": {\"queryParams\": [null], \"topLevelSites\": [\"*\"]}}", (1, 32)),
            ("{\"global\": {\"queryParams\": [\"a\"], \"topLevelSites\": [\"*\"], \"but\": []}}", (1, 63)),
            ("{\"global\": {\"queryParams\": [\"a\"], \"topLevelSites\": [\"*\"]}", (1, 57)),
            ("{\"global\": {\"queryParams\": [\"a\"], \"topLevelSites\": [\"*\"]}} x", (1, 60)),
        ] {
            match TrackingList::parse(text) {
                Err(error) => {
                    let ending = format!(" at line {} column {}", place.0, place.1);
                    assert!(error.to_string().ends_with(&ending), "{text}: {error}");
                    assert_eq!(error.place(), Some(Place::Number(place.0)), "{text}");
                    assert_eq!(error.code(), ErrorCode::ListLine);
                }
                Ok(list) => panic!("{text}: {list:?}"),
            }
        }
        for text in ["{}", "{\"global\": {\"queryParams\": [], \"topLevelSites\": [\"*\"]}}"] {
            assert_eq!(TrackingList::parse(text), Err(EMPTY.error()), "{text}");
        }
        let long = " ".repeat(TrackingList::MOST_BYTES + 1);
        let error = TrackingList::parse(&long).expect_err("it is too long");
        assert_eq!((error.code(), error.found()), (ErrorCode::LineLen, Some(&*long.len().to_string())));
    }

    #[test]
    fn a_list_that_is_given_is_found_by_its_name_and_no_other() {
        let given = TrackingList::parse(
            r#"{"a": {"queryParams": ["X"], "topLevelSites": ["h.example"]},
                "a": {"queryParams": ["y"], "topLevelSites": ["*"]}}"#,
        );
        let given = [given.expect("a list")];
        let name = format!("web+drop-tracking@{}", given[0].name());
        let form = super::super::Form::parse_with(&name, &given).expect("the list is given");
        assert_eq!(form.to_string(), name);
        for (url, expected) in [
            ("http://h.example/?x=1&y=2&z=3", "http://h.example/?z=3"),
            ("http://g.example/?x=1&y=2&z=3", "http://g.example/?x=1&z=3"),
            ("http://h.example/?utm_id=1", "http://h.example/?utm_id=1"),
        ] {
            assert_eq!(form.canonicalize(url).expect("a URL"), expected);
        }
        let error = name.parse::<super::super::Form>().expect_err("no list is given");
        assert!(error.is(error::NO_TRACKING_LIST), "{error}");
        let built_in = "web+drop-tracking@firefox-46740ded";
        assert!(super::super::Form::parse_with(built_in, &given).is_ok());
    }
}
