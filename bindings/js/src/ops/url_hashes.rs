//! url-hash and its short forms. A hash of 32, 16 or 8 bytes is a url-hash, a short or a very short one.

use urlid::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use urlid::web::Url;

use crate::arguments::Arguments;
use crate::choice::choose;
use crate::output::{Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    ("url_hash", url_hash),
    ("url_hash_parse", parse),
    ("url_hash_from_hex", from_hex),
    ("url_hash_from_bytes", from_bytes),
    ("url_hash_text", text),
];

/// How many bytes a hash has.
#[derive(Clone, Copy)]
enum Length {
    Full,
    Short,
    VeryShort,
}

fn length(arguments: &mut Arguments<'_>) -> Result<Length, Fault> {
    const LENGTHS: [(&str, Length); 3] =
        [("32", Length::Full), ("16", Length::Short), ("8", Length::VeryShort)];
    choose("length", arguments.text()?, &LENGTHS)
}

/// Arguments: a URL, and a base for a relative one.
fn url_hash(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (url, base) = (arguments.text()?, arguments.optional_text()?);
    let hash = match base {
        Some(base) => UrlHash::from(&Url::parse(base)?.join(url)?),
        None => UrlHash::encode(url)?,
    };
    Ok(hash.as_bytes()[..].into())
}

/// Arguments: the number of bytes, and decimal words.
fn parse(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (length, text) = (length(arguments)?, arguments.text()?);
    Ok(match length {
        Length::Full => text.parse::<UrlHash>()?.as_bytes()[..].into(),
        Length::Short => text.parse::<UrlShortHash>()?.as_bytes()[..].into(),
        Length::VeryShort => text.parse::<UrlVeryShortHash>()?.as_bytes()[..].into(),
    })
}

/// Arguments: the number of bytes, and hexadecimal digits.
fn from_hex(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (length, text) = (length(arguments)?, arguments.text()?);
    Ok(match length {
        Length::Full => UrlHash::from_hex(text)?.as_bytes()[..].into(),
        Length::Short => UrlShortHash::from_hex(text)?.as_bytes()[..].into(),
        Length::VeryShort => UrlVeryShortHash::from_hex(text)?.as_bytes()[..].into(),
    })
}

/// Arguments: the number of bytes, and the bytes.
fn from_bytes(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (length, bytes) = (length(arguments)?, arguments.bytes()?);
    Ok(match length {
        Length::Full => UrlHash::try_from(bytes)?.as_bytes()[..].into(),
        Length::Short => UrlShortHash::try_from(bytes)?.as_bytes()[..].into(),
        Length::VeryShort => UrlVeryShortHash::try_from(bytes)?.as_bytes()[..].into(),
    })
}

/// Arguments: the number of bytes, and the bytes. Returns the decimal words.
fn text(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (length, bytes) = (length(arguments)?, arguments.bytes()?);
    Ok(match length {
        Length::Full => UrlHash::try_from(bytes)?.to_string().into(),
        Length::Short => UrlShortHash::try_from(bytes)?.to_string().into(),
        Length::VeryShort => UrlVeryShortHash::try_from(bytes)?.to_string().into(),
    })
}
