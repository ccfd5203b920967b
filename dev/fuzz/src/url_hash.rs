//! url-hash: texts have equal hashes if and only if their normal forms are equal, and every text form is
//! read back.

use urlid::url_hash::UrlHash;
use urlid::web::Url;

use crate::text::texts;

/// Reads two texts.
pub fn target(data: &[u8]) {
    let [a, b] = texts(data);
    let (Ok(a), Ok(b)) = (Url::parse(&a), Url::parse(&b)) else { return };
    let (hash, other) = (UrlHash::from(&a), UrlHash::from(&b));
    assert_eq!(hash == other, a.as_str() == b.as_str());
    assert_eq!(hash.to_string().parse(), Ok(hash));
    assert_eq!(UrlHash::from_hex(&hash.to_hex()), Ok(hash));
    assert!(hash.starts_with(&hash.short()) && hash.short().starts_with(&hash.very_short()));
    assert_eq!(hash.starts_with(&other.short()), hash.short() == other.short());
}
