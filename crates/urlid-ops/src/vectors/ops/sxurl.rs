//! SXURL: encode, decode, slices and layout, and what the versions of crate `sxurl` emit.

use serde_json::json;
use urlid::compat::{CrateFormat, CrateSxurl};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Field, Slice, Sxurl};

use crate::vectors::input::Input;
use crate::vectors::surface::{Fault, Values, values};

pub(super) fn encode(input: &Input<'_>) -> Result<Values, Fault> {
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

pub(super) fn decode(input: &Input<'_>) -> Result<Values, Fault> {
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

pub(super) fn slice(input: &Input<'_>) -> Result<Values, Fault> {
    let slice = input.named("label", Slice::from_label)?;
    let bits = input.number("bits")?;
    if bits != u64::from(slice.bits()) {
        return Err(Fault::Failed(format!("slice `{slice}` has {} bits, not {bits}", slice.bits())));
    }
    Ok(values([("hex", json!(slice.hash_hex(input.text("value")?)))]))
}

pub(super) fn field(input: &Input<'_>) -> Result<Values, Fault> {
    let id = Sxurl::encode(input.text("url")?)?;
    let field = input.named("field", field_from_name)?;
    Ok(values([("hex", json!(&id.to_hex()[field.hex_range()])), ("number", json!(id.field(field)))]))
}

/// The place and the width of a field, in how many values it can have, and the width of the whole.
pub(super) fn layout(input: &Input<'_>) -> Result<Values, Fault> {
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

pub(super) fn matches(input: &Input<'_>) -> Result<Values, Fault> {
    let id = Sxurl::encode(input.text("url")?)?;
    let slice = input.named("label", Slice::from_label)?;
    Ok(values([("match", json!(id.matches(slice, input.text("value")?)))]))
}

pub(super) fn sxurl_crate(input: &Input<'_>) -> Result<Values, Fault> {
    let format = input.named("version", CrateFormat::of_version)?;
    let id = CrateSxurl::encode(input.text("url")?, format)?;
    Ok(values([("id", json!(id.to_hex())), ("host_id", json!(id.host_id()))]))
}

fn field_from_name(name: &str) -> Option<Field> {
    Field::ALL.into_iter().find(|field| field.name() == name)
}
