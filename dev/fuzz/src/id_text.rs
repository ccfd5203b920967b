//! The readers of identifiers: a text that is accepted is written again as the same value, and all other
//! texts are rejected.

use urlid::compat::detect;
use urlid::hashed_uri::HashedUri;
use urlid::snapshot::Snapshot;
use urlid::sxurl::Sxurl;
use urlid::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};

use crate::text::texts;

/// Reads a text.
pub fn target(data: &[u8]) {
    let [text] = texts(data);
    let lower = text.to_ascii_lowercase();
    if let Ok(id) = Sxurl::from_hex(&text) {
        assert_eq!(id.to_string(), lower);
    }
    if let Ok(hashed) = HashedUri::parse(&text) {
        assert_eq!(HashedUri::parse(&hashed.to_string()), Ok(hashed));
    }
    if let Ok(hash) = text.parse::<UrlHash>() {
        assert_eq!(hash.to_string(), text);
    }
    if let Ok(hash) = text.parse::<UrlShortHash>() {
        assert_eq!(hash.to_string(), text);
    }
    if let Ok(hash) = text.parse::<UrlVeryShortHash>() {
        assert_eq!(hash.to_string(), text);
    }
    if let Ok(hash) = UrlHash::from_hex(&text) {
        assert_eq!(hash.to_hex(), lower);
    }
    if let Ok(snapshot) = text.parse::<Snapshot>() {
        assert_eq!(snapshot.to_string().parse(), Ok(snapshot));
    }
    let formats = detect(&text);
    assert_eq!(formats.contains(&urlid::compat::Format::Sxurl), Sxurl::from_hex(&text).is_ok());
}
