//! Lists of tracking parameters, in the format of Firefox's `StripOnShare.json`.

use std::sync::{Arc, LazyLock};

use crate::{digest, hex};

/// The list of Firefox that is part of this library, under the Mozilla Public License 2.0.
static FIREFOX: LazyLock<TrackingList> =
    LazyLock::new(|| TrackingList::parse("firefox", include_str!("data/strip_on_share.json")));

/// Query parameters that only track, for all sites and for some.
///
/// ```
/// use urlid::canonical::{Form, Step, TrackingList, profile};
///
/// let list = TrackingList::parse("mine", r#"[{"queryParams": ["ref"], "topLevelSites": ["*"]}]"#);
/// let form = Form::new(profile("web")?, vec![Step::DropTracking(list)])?;
/// assert_eq!(form.canonicalize("https://docs.rs/?ref=x&q=y")?, "https://docs.rs/?q=y");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackingList {
    /// The name: the maker's, and the first digits of the SHA-256 of the text.
    name: Arc<str>,
    entries: Arc<[Entry]>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Entry {
    parameters: Vec<String>,
    sites: Vec<String>,
}

impl TrackingList {
    /// Returns the list of Firefox that is part of this library.
    pub fn firefox() -> &'static TrackingList {
        &FIREFOX
    }

    /// Reads a list: JSON objects with the keys `queryParams` and `topLevelSites`, both lists of strings.
    ///
    /// `maker` begins the name of the list; the digest of the text ends it.
    pub fn parse(maker: &str, text: &str) -> Self {
        let digest = hex::encode(&digest::sha256(&[text.as_bytes()])[..4]);
        let mut entries: Vec<Entry> = Vec::new();
        let mut is_site = false;
        let mut pieces = text.split('"').skip(1);
        while let (Some(string), after) = (pieces.next(), pieces.next()) {
            let is_key = after.is_some_and(|after| after.trim_start().starts_with(':'));
            match (string, entries.last_mut()) {
                ("queryParams", _) if is_key => entries.push(Entry::default()),
                ("topLevelSites", _) if is_key => {}
                (_, Some(entry)) if !is_key && is_site => entry.sites.push(string.to_owned()),
                (_, Some(entry)) if !is_key => entry.parameters.push(string.to_ascii_lowercase()),
                _ => {}
            }
            if is_key {
                is_site = string == "topLevelSites";
            }
        }
        Self { name: format!("{maker}-{digest}").into(), entries: entries.into() }
    }

    /// Returns the name, such as `firefox-46740ded`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether a parameter tracks on a host; its case does not matter.
    pub(super) fn contains(&self, host: &[u8], parameter: &[u8]) -> bool {
        self.entries.iter().any(|entry| {
            entry.parameters.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(parameter))
                && entry.sites.iter().any(|site| site == "*" || site.as_bytes() == host)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_firefox_has_parameters_for_all_sites_and_for_some() {
        let list = TrackingList::firefox();
        assert_eq!(list.name(), "firefox-46740ded");
        assert!(list.contains(b"a.example", b"UTM_source"));
        assert!(!list.contains(b"a.example", b"ref_src"));
        assert!(list.contains(b"www.twitter.com", b"ref_src"));
        assert!(!list.contains(b"a.example", b"queryParams"));
    }
}
