//! The operations on identifiers: SXURL, url-hash and the Hashed URI, and the output of published crates.

use serde_json::json;
use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash};
use urlid::hashed_uri::{Algorithm, HashedUri, Keep, Options, Variant, canonicalize};
use urlid::hex;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Field, Slice, Sxurl};
use urlid::url_hash::UrlHash;
use urlid::web::Url;

use crate::vectors::surface::{Input, Values, VectorFault, values};

pub(super) fn sxurl(input: &Input<'_>) -> Result<Values, VectorFault> {
    let url = input.text("url")?;
    let parts = Components::parse(url, SuffixList::compiled())?;
    Ok(values([
        ("id", json!(parts.encode().to_string())),
        ("scheme", json!(parts.scheme().name())),
        ("tld", json!(parts.tld())),
        ("domain", json!(parts.domain())),
        ("sub", json!(parts.sub())),
        ("port", json!(parts.port())),
        ("path", json!(parts.path())),
        ("query", json!(parts.query())),
        ("fragment", json!(parts.fragment())),
        ("text", json!(parts.to_normal_text())),
    ]))
}

pub(super) fn sxurl_decode(input: &Input<'_>) -> Result<Values, VectorFault> {
    let id = Sxurl::from_hex(input.text("id")?)?;
    let slice = |slice: Slice| json!(&id.to_hex()[slice.hex_range()]);
    Ok(values([
        ("version", json!(id.version())),
        ("scheme", json!(id.scheme().name())),
        ("sub_present", json!(id.has_sub())),
        ("params_present", json!(id.has_params())),
        ("frag_present", json!(id.has_frag())),
        ("port_present", json!(id.has_port())),
        ("port", json!(id.port())),
        ("tld_h", slice(Slice::Tld)),
        ("domain_h", slice(Slice::Domain)),
        ("sub_h", slice(Slice::Sub)),
        ("path_h", slice(Slice::Path)),
        ("params_h", slice(Slice::Params)),
        ("frag_h", slice(Slice::Frag)),
    ]))
}

pub(super) fn sxurl_slice(input: &Input<'_>) -> Result<Values, VectorFault> {
    let slice = input.named("label", Slice::from_label)?;
    let bits = input.number("bits")?;
    // The width is in the specification, so a vector with a different width is wrong and not a rejection.
    if bits != u64::from(slice.bits()) {
        return Err(VectorFault::Failed(format!("slice `{slice}` has {} bits, not {bits}", slice.bits())));
    }
    Ok(values([("hex", json!(slice.hash_hex(input.text("value")?)))]))
}

pub(super) fn sxurl_field(input: &Input<'_>) -> Result<Values, VectorFault> {
    let id = Sxurl::encode(input.text("url")?)?;
    let field = input.named("field", field_from_name)?;
    Ok(values([("hex", json!(&id.to_hex()[field.hex_range()])), ("number", json!(id.field(field)))]))
}

/// Returns the place and the width of a field, its number of values, and the width of the whole.
pub(super) fn sxurl_layout(input: &Input<'_>) -> Result<Values, VectorFault> {
    let field = input.named("field", field_from_name)?;
    let range = field.hex_range();
    let total: u32 = Field::ALL.iter().map(|field| field.bits()).sum();
    Ok(values([
        ("hex_range", json!([range.start, range.end])),
        ("bits", json!(field.bits())),
        ("values", json!(1_u64 << field.bits())),
        ("total_bits", json!(total)),
    ]))
}

pub(super) fn sxurl_matches(input: &Input<'_>) -> Result<Values, VectorFault> {
    let id = Sxurl::encode(input.text("url")?)?;
    let slice = input.named("label", Slice::from_label)?;
    Ok(values([("match", json!(id.matches(slice, input.text("value")?)))]))
}

pub(super) fn sxurl_crate(input: &Input<'_>) -> Result<Values, VectorFault> {
    let format = input.named("version", CrateFormat::of_version)?;
    let id = CrateSxurl::encode(input.text("url")?, format)?;
    Ok(values([("id", json!(id.to_hex())), ("host_id", json!(id.host_id()))]))
}

fn field_from_name(name: &str) -> Option<Field> {
    Field::ALL.into_iter().find(|field| field.name() == name)
}

pub(super) fn url_hash(input: &Input<'_>) -> Result<Values, VectorFault> {
    let url = Url::parse(input.text("url")?)?;
    let hash = UrlHash::from(&url);
    Ok(values([
        ("canonical", json!(url.as_str())),
        ("hex", json!(hash.to_hex())),
        ("words", json!(hash.words())),
        ("display", json!(hash.to_string())),
        ("short_display", json!(hash.short().to_string())),
        ("short_hex", json!(hash.short().to_hex())),
        ("very_short_display", json!(hash.very_short().to_string())),
        ("very_short_hex", json!(hash.very_short().to_hex())),
    ]))
}

pub(super) fn url_hash_crate(input: &Input<'_>) -> Result<Values, VectorFault> {
    let url = Url::parse(input.text("url")?)?;
    let hash = CrateUrlHash::from(&url);
    Ok(values([
        ("canonical", json!(url.as_str())),
        ("hex", json!(hash.to_hex())),
        ("display", json!(hash.to_string())),
    ]))
}

pub(super) fn hashed_make(input: &Input<'_>) -> Result<Values, VectorFault> {
    let (uri, base) = (input.text("uri")?, input.optional_text("base")?);
    let keep = Keep { query: input.flag("keep_query")?, fragment: input.flag("keep_frag")? };
    let variant = variant(input)?;
    let algorithm: Algorithm = input.optional_text("alg")?.unwrap_or("sha1").parse()?;
    // The canonical form is computed separately from the Hashed URI, so that a vector shows whether
    // canonicalisation or hashing was wrong.
    let canonical = canonicalize(uri, base, keep, variant)?;
    let options = Options { base, algorithm, keep, variant, ..Options::default() };
    let hashed = HashedUri::encode_with(uri, &options)?;
    Ok(values([("canonical", json!(canonical.as_str())), ("hashed", json!(hashed.to_string()))]))
}

pub(super) fn hashed_parse(input: &Input<'_>) -> Result<Values, VectorFault> {
    let hashed = HashedUri::parse(input.text("text")?)?;
    let digest = hex::encode(hashed.digest());
    Ok(values([
        ("alg", json!(hashed.algorithm().name())),
        ("digest", json!(digest)),
        ("frag", json!(hashed.keep().fragment)),
        ("query", json!(hashed.keep().query)),
        ("known", json!(hashed.is_known())),
        ("canonical", json!(hashed.to_string())),
    ]))
}

pub(super) fn hashed_matches(input: &Input<'_>) -> Result<Values, VectorFault> {
    let hashed = HashedUri::parse(input.text("hashed")?)?;
    Ok(values([("match", json!(hashed.matches(input.text("uri")?, variant(input)?)?))]))
}

/// Reads the name of a variant.
fn variant(input: &Input<'_>) -> Result<Variant, VectorFault> {
    input.named_or("variant", Variant::N, |name| name.parse().ok())
}
