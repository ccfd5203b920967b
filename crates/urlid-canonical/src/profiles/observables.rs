//! `stix-url-2.1` and `virustotal-url`: the identifiers of threat intelligence, which are computed from the
//! URL as written.

use crate::draft::Draft;
use crate::profile::{Idna, Kind, Profile, Rule};
use urlid::hex;
use urlid::internal::sha1;

pub(super) static STIX: Profile = Profile {
    name: "stix-url-2.1",
    about: "The deterministic identifier of a URL object in STIX 2.1: a UUID of version 5.",
    kind: Kind::Key,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::None,
    runtime: None,
    frozen_since: "2026-11-25",
    quirks: &["The written URL is hashed without normalisation."],
    proof: "Compared with stix2 3.0.2: one code point in 64 at 44 places of a URL and 100,000 generated URLs, 0 differences.",
    plain: None,
    groups: &[&[Rule::new(
        "identifier",
        "`url--` and the UUID of version 5 in the namespace of STIX of the object `{\"value\": …}`, written as RFC 8785 does.",
        |d| {
            let uuid = uuid5(&NAMESPACE, &json(&d.text));
            d.finish_with(["url--", &uuid].concat().as_bytes());
        },
    )]],
};

pub(super) static VIRUSTOTAL: Profile = Profile {
    name: "virustotal-url",
    about: "The identifier of a URL in API version 3 of VirusTotal, which is its base64url, without padding.",
    kind: Kind::Key,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::None,
    runtime: None,
    frozen_since: "2026-11-25",
    quirks: &[
        "The URL is not normalised. The identifier that VirusTotal returns is the SHA-256 of a form with \
         unpublished rules.",
    ],
    proof: "Compared with `url_id` of vt-py 0.22.0: one code point in 64 at 44 places of a URL and 100,000 generated URLs, 0 differences.",
    plain: None,
    groups: &[&[Rule::new(
        "base64",
        "The base64url of the text, RFC 4648, section 5, without padding.",
        base64url,
    )]],
};

/// The namespace of STIX 2.1, section 2.9: `00abedb4-aa42-466c-9c01-fed23315a9b7`.
const NAMESPACE: [u8; 16] =
    [0x00, 0xab, 0xed, 0xb4, 0xaa, 0x42, 0x46, 0x6c, 0x9c, 0x01, 0xfe, 0xd2, 0x33, 0x15, 0xa9, 0xb7];

/// Writes the properties that contribute to the identifier.
fn json(value: &[u8]) -> Vec<u8> {
    let mut json = b"{\"value\":\"".to_vec();
    for &byte in value {
        match byte {
            b'"' | b'\\' => json.extend_from_slice(&[b'\\', byte]),
            8 => json.extend_from_slice(b"\\b"),
            b'\t' => json.extend_from_slice(b"\\t"),
            b'\n' => json.extend_from_slice(b"\\n"),
            0xc => json.extend_from_slice(b"\\f"),
            b'\r' => json.extend_from_slice(b"\\r"),
            // RFC 8785, 3.2.2.2: small hexadecimal digits, and no other character is escaped.
            0..=0x1f => {
                json.extend_from_slice(b"\\u00");
                json.extend_from_slice(hex::encode(&[byte]).as_bytes());
            }
            _ => json.push(byte),
        }
    }
    json.extend_from_slice(b"\"}");
    json
}

/// RFC 9562, section 5.5.
fn uuid5(namespace: &[u8; 16], name: &[u8]) -> String {
    let mut digest = sha1(&[namespace, name].concat());
    // The version, 5, is the upper half of byte 6. The variant, binary 10, is the upper two bits of byte 8.
    digest[6] = digest[6] & 0x0f | 0x50;
    digest[8] = digest[8] & 0x3f | 0x80;
    let digits = hex::encode(&digest[..16]);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

fn base64url(draft: &mut Draft) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut encoded = Vec::with_capacity(draft.text.len().div_ceil(3) * 4);
    for bytes in draft.text.chunks(3) {
        let word =
            bytes.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - bytes.len()));
        // One byte has two digits, two have three, three have four.
        let digit = |place: usize| DIGITS[(word >> (18 - 6 * place)) as usize & 63];
        encoded.extend((0..=bytes.len()).map(digit));
    }
    draft.finish_with(&encoded);
}
