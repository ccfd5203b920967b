//! Laws of SXURL: encode, decode, normal text, key ranges. Laws of the formats of the published crates.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq};
use urlid::compat::{CrateFormat, CrateSxurl};
use urlid::suffix::{SuffixList, SuffixRule, SuffixRuleKind};
use urlid::sxurl::{Components, HostPart, Slice, Sxurl, key_ranges};
use urlid::{ErrorCode, Place};
use urlid_generators::{Choices, hostile_text, id_text, sxurl_url, web_url};

use urlid_testing::{check_all, skip};

fn list() -> &'static SuffixList {
    SuffixList::compiled()
}

fn text(choices: &mut Choices<'_>) -> String {
    if choices.is(12) { sxurl_url(choices) } else { web_url(choices) }
}

#[test]
fn encoded_ids_are_decoded() {
    check_all(|choices| {
        let text = text(choices);
        let Ok(parts) = Components::parse(&text, list()) else { return skip() };
        let id = parts.encode();
        prop_assert_eq!(Sxurl::from_hex(&id.to_string()), Ok(id));
        prop_assert_eq!(Sxurl::from_hex(&id.to_string().to_uppercase()), Ok(id));
        prop_assert_eq!(Sxurl::from_bytes(id.to_bytes()), Ok(id));
        prop_assert_eq!(id.scheme(), parts.scheme());
        prop_assert_eq!(id.port(), parts.port());
        prop_assert_eq!(id.has_sub(), !parts.sub().is_empty());
        prop_assert_eq!(id.has_params(), !parts.query().is_empty());
        prop_assert_eq!(id.has_frag(), !parts.fragment().is_empty());
        for slice in Slice::ALL {
            prop_assert!(id.matches(slice, parts.part(slice)), "{slice}");
            prop_assert_eq!(&id.to_hex()[slice.hex_range()], slice.hash_hex(parts.part(slice)));
        }
        Ok(())
    });
}

#[test]
fn the_normal_text_has_the_same_parts_and_is_its_own_normal_text() {
    check_all(|choices| {
        let text = text(choices);
        let Ok(parts) = Components::parse(&text, list()) else { return skip() };
        let normal = parts.to_normal_text();
        let again =
            Components::parse(&normal, list()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(again.to_normal_text(), normal.as_str());
        prop_assert_eq!(again.encode(), parts.encode());
        prop_assert!(!again.has_userinfo());
        for slice in Slice::ALL {
            prop_assert_eq!(again.part(slice), parts.part(slice));
        }
        Ok(())
    });
}

#[test]
fn normal_texts_are_equal_exactly_if_the_parts_are() {
    check_all(|choices| {
        let (a, b) = (text(choices), text(choices));
        let (Ok(a), Ok(b)) = (Components::parse(&a, list()), Components::parse(&b, list())) else {
            return skip();
        };
        let parts = |url: &Components<'_>| {
            let hashed = Slice::ALL.map(|slice| url.part(slice).to_owned());
            (url.scheme(), url.port(), hashed)
        };
        prop_assert_eq!(a.to_normal_text() == b.to_normal_text(), parts(&a) == parts(&b));
        Ok(())
    });
}

#[test]
fn the_parts_of_a_host_make_the_host() {
    check_all(|choices| {
        let text = text(choices);
        let Ok(parts) = Components::parse(&text, list()) else { return skip() };
        let split = [parts.sub(), parts.domain(), parts.tld()];
        let joined = split.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        prop_assert_eq!(joined, parts.host());
        // The parent of an exception to a wildcard need not be a suffix by its own rule.
        let name = [parts.domain(), parts.tld()].join(".");
        let is_exception = |rule: SuffixRule<'_>| rule.kind == SuffixRuleKind::Exception && rule.name == name;
        prop_assert!(
            list().is_normal_suffix(parts.tld()) || list().rules().any(is_exception),
            "{}",
            parts.host()
        );
        prop_assert!(parts.domain().is_empty() || !list().is_normal_suffix(&name));
        Ok(())
    });
}

#[test]
fn a_host_part_is_mapped_like_an_encoded_host() {
    check_all(|choices| {
        let text = text(choices);
        let Ok(parts) = Components::parse(&text, list()) else { return skip() };
        for part in [parts.tld(), parts.domain(), parts.sub(), parts.host()] {
            let mapped = HostPart::map(part).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(mapped.as_str(), part);
        }
        Ok(())
    });
}

#[test]
fn every_id_lies_in_one_range_of_its_suffix_and_domain() {
    check_all(|choices| {
        let text = text(choices);
        let Ok(parts) = Components::parse(&text, list()) else { return skip() };
        let map = |part| HostPart::map(part).map_err(|error| TestCaseError::fail(error.to_string()));
        let (tld, domain, id) = (map(parts.tld())?, map(parts.domain())?, parts.encode());
        for domain in [Some(&domain), None] {
            let ranges: Vec<_> = key_ranges(&tld, domain).collect();
            prop_assert_eq!(ranges.len(), 48);
            prop_assert!(ranges.is_sorted_by(|a, b| a.end() < b.start()));
            prop_assert_eq!(ranges.iter().filter(|range| range.contains(id.as_bytes())).count(), 1);
        }
        Ok(())
    });
}

/// The bits that section 8 forbids, in the order of the checks.
#[test]
fn bytes_are_decoded_exactly_if_every_check_passes() {
    check_all(|choices| {
        let mut bytes: [u8; 32] = std::array::from_fn(|_| choices.below(256) as u8);
        if choices.is(12) {
            bytes[0] = 0x10 | bytes[0] & 0x05;
        }
        if choices.is(8) {
            // The port is in the digits 30 to 34.
            (bytes[15], bytes[16]) = (0, 0);
        }
        let port = u16::from_be_bytes([bytes[15], bytes[16]]);
        let header = u16::from(bytes[0]) << 4 | u16::from(bytes[1] >> 4);
        let expected = match (header >> 8, header >> 5 & 7, header & 1, header & 2 != 0) {
            (version, ..) if version != 1 => Some(ErrorCode::IdVersion),
            (_, scheme, ..) if scheme > 2 => Some(ErrorCode::InvalidScheme),
            (_, _, 1, _) => Some(ErrorCode::IdReserved),
            (.., has_port) if has_port != (port != 0) => Some(ErrorCode::Port),
            _ => None,
        };
        prop_assert_eq!(Sxurl::from_bytes(bytes).err().map(|error| error.code()), expected);
        Ok(())
    });
}

#[test]
fn a_text_is_read_exactly_if_it_is_written_so_in_some_case() {
    check_all(|choices| {
        let text = if choices.is(14) { id_text(choices) } else { hostile_text(choices) };
        match Sxurl::from_hex(&text) {
            Ok(id) => prop_assert_eq!(id.to_string(), text.to_ascii_lowercase()),
            Err(error) if error.code() == ErrorCode::IdLength => {
                prop_assert!(
                    error.found() == Some(&*text.chars().count().to_string()) && text.chars().count() != 64
                );
            }
            Err(error) if error.code() == ErrorCode::IdHex => {
                let Some(Place::Byte(offset)) = error.place() else { panic!("{error}") };
                prop_assert!(!text.as_bytes()[offset].is_ascii_hexdigit());
            }
            Err(_) => prop_assert!(text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())),
        }
        Ok(())
    });
}

#[test]
fn the_parts_of_any_text_make_the_text() {
    check_all(|choices| {
        let text = hostile_text(choices);
        let split = list().split_normal(&text);
        let length = split.sub.len() + split.domain.len() + split.tld.len();
        prop_assert!(
            text.ends_with(split.tld) && length <= text.len() && text.len() <= length + 2,
            "{split:?}"
        );
        Ok(())
    });
}

#[test]
fn an_id_of_a_published_crate_is_read_back() {
    check_all(|choices| {
        let text = text(choices);
        for format in CrateFormat::ALL {
            let Ok(id) = CrateSxurl::encode(&text, format) else { continue };
            prop_assert_eq!(CrateSxurl::from_hex(&id.to_string(), format), Ok(id));
        }
        Ok(())
    });
}

/// Slices ignore userinfo (S-11), the case of the scheme and the case of the host.
#[test]
fn text_outside_the_slices_does_not_change_the_id() {
    check_all(|choices| {
        let text = text(choices);
        let Ok(parts) = Components::parse(&text, list()) else { return skip() };
        let (id, normal) = (parts.encode(), parts.to_normal_text());
        let (scheme, rest) = normal.split_once("://").unwrap_or_default();
        let host = parts.host();
        let shouted =
            [&scheme.to_uppercase(), "://user:p%40ss@", &host.to_uppercase(), &rest[host.len()..]].concat();
        prop_assert_eq!(Sxurl::encode(&shouted), Ok(id));
        Ok(())
    });
}
