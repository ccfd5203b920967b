//! SXURL: encode and decode are inverse, the normal text is idempotent, the id is in its key range, and the
//! formats of the published crates are read back.

use urlid::compat::{CrateFormat, CrateSxurl};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, HostPart, Slice, Sxurl, key_ranges};

use crate::text::texts;

/// Reads a URL.
pub fn target(data: &[u8]) {
    let [text] = texts(data);
    let list = SuffixList::compiled();
    for format in CrateFormat::ALL {
        if let Ok(id) = CrateSxurl::encode_with(&text, format, list) {
            assert_eq!(CrateSxurl::from_hex(&id.to_hex(), format), Ok(id));
        }
    }
    let Ok(parts) = Components::parse(&text, list) else { return };
    let id = parts.encode();
    assert_eq!(Sxurl::from_hex(&id.to_string()), Ok(id));
    assert!(Slice::ALL.into_iter().all(|slice| id.matches(slice, parts.part(slice))));

    let normal = parts.to_normal_text();
    let again = Components::parse(&normal, list).expect("a normal text is a URL");
    assert_eq!((again.to_normal_text(), again.encode()), (normal, id));

    let [tld, domain] =
        [parts.tld(), parts.domain()].map(|part| HostPart::map(part).expect("it is part of a host"));
    for domain in [Some(&domain), None] {
        assert_eq!(key_ranges(&tld, domain).filter(|range| range.contains(id.as_bytes())).count(), 1);
    }
}
