//! Pairs that must stay apart: what two texts have in common under one system, their identifier or their canonical form.
//!
//! For `theory` the form is the sequence of tokens, after goto where there is a base, and there is no identifier. A text
//! that is refused has no form; a pair of which one is refused is not a pair.

use serde_json::{Value, json};

use crate::vectors::surface::{Fault, Input, Surface, Values, values};

/// What a system makes of a text: its identifier, if it has one, and its canonical form.
struct Identity {
    id: Value,
    form: Value,
}

pub(super) fn differ(surface: &dyn Surface, input: &Input<'_>) -> Result<Values, Fault> {
    let identity = input.named("system", |system| match system {
        "theory" => Some(theory as fn(&dyn Surface, &Input<'_>, &str) -> Result<Identity, Fault>),
        "urlhash" => Some(url_hash),
        "hashed" => Some(hashed_uri),
        "sxurl" => Some(sxurl),
        _ => None,
    })?;
    let a = identity(surface, input, input.text("a")?)?;
    let b = identity(surface, input, input.text("b")?)?;
    let same_id = if a.id.is_null() { Value::Null } else { json!(a.id == b.id) };
    Ok(values([("same_form", json!(a.form == b.form)), ("same_id", same_id), ("id", a.id)]))
}

fn theory(surface: &dyn Surface, input: &Input<'_>, text: &str) -> Result<Identity, Fault> {
    let context = input.optional_text("context")?.unwrap_or("rfc3986");
    let given = [("text", json!(text)), ("context", json!(context)), ("base", json!(input.get("base")))];
    let found = surface.run("theory.parse", &values(given))?;
    Ok(Identity { id: Value::Null, form: found["url"].clone() })
}

fn url_hash(surface: &dyn Surface, _: &Input<'_>, text: &str) -> Result<Identity, Fault> {
    let found = surface.run("urlhash", &values([("url", json!(text))]))?;
    Ok(Identity { id: found["hex"].clone(), form: found["canonical"].clone() })
}

/// All that was kept counts, flags included.
fn hashed_uri(surface: &dyn Surface, input: &Input<'_>, text: &str) -> Result<Identity, Fault> {
    let given = values([
        ("uri", json!(text)),
        ("base", json!(input.get("base"))),
        ("variant", json!(input.text("variant")?)),
        ("keep_query", json!(true)),
        ("keep_frag", json!(true)),
    ]);
    let found = surface.run("hashed.make", &given)?;
    let flags = found["hashed"].as_str().and_then(|text| text.split_once('+')).map(|(_, flags)| flags);
    Ok(Identity { id: found["hashed"].clone(), form: json!([found["canonical"], flags]) })
}

fn sxurl(surface: &dyn Surface, _: &Input<'_>, text: &str) -> Result<Identity, Fault> {
    let found = surface.run("sxurl.encode", &values([("url", json!(text))]))?;
    Ok(Identity { id: found["id"].clone(), form: found["text"].clone() })
}
