//! The functions of the table. Each one gets the values of a row, which have the types of the table and are
//! not NULL, and the names of the previous row.
//!
//! The result is NULL for a URL or an id that is rejected, and for a part that a URL lacks. An unknown name
//! is an error, which ends the query. A name is therefore parsed even if the URL of its row is rejected.

use std::borrow::Cow;

use urlid::Error;
use urlid::hashed_uri::{HashedUri, Keep, Variant, canonicalize};
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid::web::{Part, Url, assume_scheme};
use urlid_canonical::Templates;

use super::names::{self, Decoded, Names};
use super::{Output, SqlValue};

/// An evaluator of rows.
pub(crate) type Evaluate = for<'v> fn(&[SqlValue<'v>], &mut Names) -> Evaluated<'v>;

pub(crate) type Evaluated<'v> = Result<Output<'v>, Error>;

pub(crate) fn hashed<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    let hasher = names.algorithm.get(row[1].text(), names::parse_algorithm)?;
    let variant = *names.variant.get(row[2].text(), names::parse_variant)?;
    let Ok(canonical) = canonicalize(row[0].text(), None, Keep::default(), variant) else {
        return Ok(Output::Null);
    };
    Ok(owned(HashedUri::from_canonical(&canonical, hasher).to_string()))
}

pub(crate) fn matches<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    // A text that is not a hashed URI gives NULL instead of an error, because it may be a column, unlike the
    // names of the other functions.
    let Some(hashed) = names.hashed.get(row[0].text(), names::parse_hashed)? else { return Ok(Output::Null) };
    Ok(hashed.matches(row[1].text(), Variant::N).map_or(Output::Null, Output::Boolean))
}

pub(crate) fn slice<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    let field = *names.field.get(row[1].text(), names::parse_field)?;
    Ok(Sxurl::try_from(row[0].bytes()).map_or(Output::Null, |id| number(id.field(field))))
}

pub(crate) fn probe<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    let slice = *names.slice.get(row[0].text(), names::parse_slice)?;
    // The value is mapped like a host, because a slice holds the hash of the mapped label.
    Ok(slice.map_value(row[1].text()).map_or(Output::Null, |value| number(slice.hash(&value))))
}

pub(crate) fn decode<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    let decoded = *names.decoded.get(row[1].text(), names::parse_decoded)?;
    let Ok(id) = Sxurl::try_from(row[0].bytes()) else { return Ok(Output::Null) };
    Ok(match decoded {
        Decoded::Version => owned(id.version().to_string()),
        Decoded::Scheme => owned(id.scheme().name().to_owned()),
        Decoded::Has(flag) => owned(id.header().flags.contains(flag).to_string()),
        Decoded::Port => id.port().map_or(Output::Null, |port| owned(port.to_string())),
        Decoded::Digits(slice) => owned(id.to_hex()[slice.hex_range()].to_owned()),
    })
}

pub(crate) fn canon<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    let form = names.form.get(row[1].text(), str::parse)?;
    Ok(form.canonicalize(row[0].text()).map_or(Output::Null, owned))
}

pub(crate) fn template<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    let templates = names.templates.get(row[1].text(), Templates::parse)?;
    Ok(templates.assign(row[0].text()).ok().flatten().map_or(Output::Null, owned))
}

pub(crate) fn assume<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    let scheme = names.scheme.get(row[1].text(), names::parse_scheme)?;
    Ok(Output::Text(assume_scheme(row[0].text(), scheme)))
}

pub(crate) fn part<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    let part = *names.part.get(row[1].text(), names::parse_part)?;
    Ok(part_of(part, row[0].text()))
}

pub(crate) fn registered_domain<'v>(row: &[SqlValue<'v>], _: &mut Names) -> Evaluated<'v> {
    let found = SuffixList::compiled().registered_domain(row[0].text());
    Ok(found.ok().flatten().map_or(Output::Null, Output::Text))
}

pub(crate) fn split<'v>(row: &[SqlValue<'v>], names: &mut Names) -> Evaluated<'v> {
    let part = *names.host_part.get(row[1].text(), names::parse_host_part)?;
    let sections = *names.sections.get(row[2].text(), names::parse_sections)?;
    let split = SuffixList::compiled_with(sections).split(row[0].text());
    Ok(split.ok().and_then(|split| part(&split).map(str::to_owned)).map_or(Output::Null, owned))
}

pub(crate) fn query_param<'v>(row: &[SqlValue<'v>], _: &mut Names) -> Evaluated<'v> {
    let Ok(url) = Url::parse(row[0].text()) else { return Ok(Output::Null) };
    // Keys are compared after decoding, as in `URLSearchParams.get` of the URL Standard.
    let found = url.query_pairs().find(|(key, _)| key == row[1].text());
    Ok(found.map_or(Output::Null, |(_, value)| owned(value)))
}

// The function is inlined, so that the compiler specialises each function for its constant part.
#[inline(always)]
pub(crate) fn part_of(part: Part, url: &str) -> Output<'_> {
    part.of(url, SuffixList::compiled()).ok().flatten().map_or(Output::Null, Output::Text)
}

/// Returns a value that a URL may lack.
pub(crate) fn owned_or_null(value: Result<Option<String>, Error>) -> Output<'static> {
    value.ok().flatten().map_or(Output::Null, owned)
}

fn owned(text: String) -> Output<'static> {
    Output::Text(Cow::Owned(text))
}

/// Fields have at most 60 bits.
fn number(bits: u64) -> Output<'static> {
    Output::Integer(bits as i64)
}
