//! Laws of url-hash values.

use proptest::prop_assert_eq;
use urlid::compat::{Format, detect};
use urlid::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use urlid::web::Url;
use urlid_generators::{id_text, web_url};

use urlid_testing::{check_all, skip};

#[test]
fn hashes_are_equal_exactly_if_the_normal_forms_are() {
    check_all(|choices| {
        let (a, b) = (web_url(choices), web_url(choices));
        let (Ok(a), Ok(b)) = (Url::parse(&a), Url::parse(&b)) else { return skip() };
        prop_assert_eq!(UrlHash::from(&a) == UrlHash::from(&b), a.as_str() == b.as_str());
        Ok(())
    });
}

#[test]
fn every_text_form_is_read_back() {
    check_all(|choices| {
        let Ok(hash) = UrlHash::encode(&web_url(choices)) else { return skip() };
        let (short, very_short) = (hash.short(), hash.very_short());
        prop_assert_eq!(hash.to_string().parse(), Ok(hash));
        prop_assert_eq!(UrlHash::from_hex(&hash.to_hex().to_uppercase()), Ok(hash));
        prop_assert_eq!(short.to_string().parse(), Ok(short));
        prop_assert_eq!(UrlShortHash::from_hex(&short.to_hex()), Ok(short));
        prop_assert_eq!(very_short.to_string().parse(), Ok(very_short));
        prop_assert_eq!(UrlVeryShortHash::from_hex(&very_short.to_hex()), Ok(very_short));
        Ok(())
    });
}

#[test]
fn a_short_form_is_the_beginning_of_the_longer_one() {
    check_all(|choices| {
        let (Ok(a), Ok(b)) = (UrlHash::encode(&web_url(choices)), UrlHash::encode(&web_url(choices))) else {
            return skip();
        };
        prop_assert_eq!(&a.words()[..2], a.short().words());
        prop_assert_eq!(a.short().words()[0], a.very_short().word());
        prop_assert_eq!(a.starts_with(&b.short()), a.short() == b.short());
        prop_assert_eq!(a.starts_with_just(&b.very_short()), a.very_short() == b.very_short());
        prop_assert_eq!(a.short().starts_with(&b.very_short()), a.very_short() == b.very_short());
        prop_assert_eq!(a.cmp(&b), a.as_bytes().cmp(b.as_bytes()));
        Ok(())
    });
}

/// A value has exactly one decimal text, so texts can be compared instead of values.
#[test]
fn parsed_hashes_are_printed_unchanged() {
    check_all(|choices| {
        let text = id_text(choices);
        if let Ok(hash) = text.parse::<UrlHash>() {
            prop_assert_eq!(hash.to_string(), text);
        } else if let Ok(short) = text.parse::<UrlShortHash>() {
            prop_assert_eq!(short.to_string(), text);
        } else if let Ok(very_short) = text.parse::<UrlVeryShortHash>() {
            prop_assert_eq!(very_short.to_string(), text);
        }
        Ok(())
    });
}

#[test]
fn detected_formats_can_be_parsed() {
    check_all(|choices| {
        let text = id_text(choices);
        for format in detect(&text) {
            let is_read = match format {
                Format::UrlHash | Format::CrateUrlHash => {
                    text.parse::<UrlHash>().is_ok() || UrlHash::from_hex(&text).is_ok()
                }
                Format::UrlShortHash | Format::CrateUrlShortHash => {
                    text.parse::<UrlShortHash>().is_ok() || UrlShortHash::from_hex(&text).is_ok()
                }
                Format::UrlVeryShortHash | Format::CrateUrlVeryShortHash => {
                    text.parse::<UrlVeryShortHash>().is_ok() || UrlVeryShortHash::from_hex(&text).is_ok()
                }
                Format::Sxurl => urlid::sxurl::Sxurl::from_hex(&text).is_ok(),
                Format::HashedUri => urlid::hashed_uri::HashedUri::parse(&text).is_ok(),
                Format::Url => Url::parse(&text).is_ok(),
                Format::CrateSxurl(format) => urlid::compat::CrateSxurl::from_hex(&text, format).is_ok(),
                _ => false,
            };
            prop_assert_eq!((format, is_read), (format, true));
        }
        Ok(())
    });
}
