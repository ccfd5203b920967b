//! The version and a digest of the linked Unicode data, found by mapping fixed characters and hosts.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::domain::{DomainProfile, domain_to_ascii};
use crate::digest;
use crate::hex;

/// Characters that a version of Unicode was the first to assign, oldest version first.
const FIRST_ASSIGNED: [(&str, &str); 6] = [
    ("14.0", "\u{1df00}"),
    ("15.0", "\u{1df25}"),
    ("15.1", "\u{2ebf0}"),
    ("16.0", "\u{10d4a}"),
    ("17.0", "\u{323b0}"),
    ("18.0", "\u{3e8ac}"),
];

/// Hosts whose mapping once changed or differs between implementations, and code points that no version has
/// assigned.
const OTHERS: [&str; 26] = [
    "fa\u{df}",
    "fa\u{1e9e}",
    "\u{3b2}\u{3cc}\u{3bb}\u{3bf}\u{3c2}",
    "\u{ff41}\u{ff42}",
    "\u{fb01}",
    "A\u{30a}",
    "a\u{ad}b",
    "a\u{200d}b",
    "\u{915}\u{94d}\u{200d}\u{937}",
    "\u{fffd}",
    "a\u{3002}b",
    "\u{5d0}1",
    "1\u{5d0}",
    "\u{627}\u{6cc}\u{631}.ir_",
    "\u{301}a",
    "xn--a",
    "xn--fa-hia",
    "xn--xn---epa",
    "xn--",
    "xn--example-",
    "\u{2fe0}",
    "\u{1c4}",
    "\u{fdfa}",
    "\u{3fd00}",
    "\u{50000}",
    "\u{e0fff}",
];

/// Returns the newest version of Unicode for which this and all older probes are assigned.
pub(crate) fn unicode() -> &'static str {
    let known = FIRST_ASSIGNED.iter().take_while(|(_, host)| mapped(host, DomainProfile::Web).is_some());
    known.last().map_or("", |(version, _)| version)
}

/// Returns the first 16 hexadecimal digits of the SHA-256 over the mappings of the hosts.
pub(crate) fn digest() -> String {
    let hosts = FIRST_ASSIGNED.iter().map(|(_, host)| *host).chain(OTHERS);
    let mut text = String::new();
    for host in hosts {
        // An update of `idna` can change either profile. url-hashes depend on the first, SXURLs on the
        // second.
        for profile in [DomainProfile::Web, DomainProfile::CheckedPunycode] {
            text.push_str(&mapped(host, profile).unwrap_or_else(|| "-".to_owned()));
            text.push('\n');
        }
    }
    // 64 bits are enough: the digest shows that a mapping changed, and does not defend against an attacker.
    hex::encode(&digest::sha256(&[text.as_bytes()])[..8])
}

fn mapped(host: &str, profile: DomainProfile) -> Option<String> {
    domain_to_ascii(host, profile).ok().map(|mapped| mapped.into_owned())
}
