//! The operations on texts: resolution, canonical forms, formats, snapshots, explanations, and the functions
//! of SQL.

use serde::Serialize;
use serde_json::{Value as Json, json};
use urlid::compat;
use urlid::generic::{self, Mode, normalise, remove_dot_segments};
use urlid::hex;
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};
use urlid::web::Url;
use urlid_canonical::{Form, NoVarySearch, NoVarySearchSyntax, Rules};

use crate::explain::UrlDiff;
use crate::functions::{Output, SqlValue};
use crate::vectors::surface::{Input, Values, VectorFault, values};

pub(super) fn web(input: &Input<'_>) -> Result<Values, VectorFault> {
    let text = input.text("url")?;
    let url = match input.optional_text("base")? {
        Some(base) => Url::parse(base)?.join(text)?,
        None => Url::parse(text)?,
    };
    Ok(values([
        ("href", json!(url.as_str())),
        ("username", json!(url.username())),
        ("password", json!(url.password())),
        ("host", json!(url.host_str())),
        ("port", json!(url.port())),
        ("path", json!(url.path())),
        ("query", json!(url.query())),
        ("fragment", json!(url.fragment())),
    ]))
}

pub(super) fn resolve(input: &Input<'_>) -> Result<Values, VectorFault> {
    let (base, reference) = (input.text("base")?, input.text("reference")?);
    let mode = input.named_or("mode", None, |mode| match mode {
        "web" => Some(None),
        "strict" => Some(Some(Mode::Strict)),
        "nonstrict" => Some(Some(Mode::Nonstrict)),
        "rfc2396" => Some(Some(Mode::Rfc2396)),
        _ => None,
    })?;
    let target = match mode {
        None => Url::parse(base)?.join(reference)?.into_string(),
        Some(mode) => generic::resolve(base, reference, mode)?,
    };
    Ok(values([("target", json!(target))]))
}

pub(super) fn normal(input: &Input<'_>) -> Result<Values, VectorFault> {
    Ok(values([("normal", json!(normalise(input.text("uri")?)?))]))
}

pub(super) fn dots(input: &Input<'_>) -> Result<Values, VectorFault> {
    Ok(values([("path", json!(remove_dot_segments(input.text("path")?)))]))
}

pub(super) fn canon(input: &Input<'_>) -> Result<Values, VectorFault> {
    let text = input.text("text")?;
    let form = form_of(input)?;
    Ok(values([("canonical", json!(form.canonicalize(text)?))]))
}

/// Compares two URLs by a `No-Vary-Search` field.
pub(super) fn no_vary_search(input: &Input<'_>) -> Result<Values, VectorFault> {
    let syntax = match input.optional_text("syntax")? {
        Some("browsers") => NoVarySearchSyntax::Browsers,
        None => NoVarySearchSyntax::Ietf,
        // A misspelled syntax must not be compared under the default.
        Some(other) => return Err(VectorFault::Failed(format!("input `syntax` is {other:?}"))),
    };
    let field = NoVarySearch::parse_as(input.optional_text("field")?.unwrap_or_default(), syntax);
    let equivalent = field.are_equivalent(input.text("a")?, input.text("b")?)?;
    let form = field.to_form().to_string();
    Ok(values([
        ("equivalent", json!(equivalent)),
        ("field", json!(field.to_string())),
        ("form", json!(form)),
    ]))
}

/// Reads a file of site rules.
pub(super) fn rules(input: &Input<'_>) -> Result<Values, VectorFault> {
    let rules = Rules::parse(input.text("text")?)?;
    let sha256 = json!(hex::encode(&rules.sha256()));
    Ok(values([("name", json!(rules.name())), ("sha256", sha256), ("canonical", json!(rules.text()))]))
}

/// Reads the name of a canonical form, and the rules that it may name.
fn form_of(input: &Input<'_>) -> Result<Form, VectorFault> {
    let name = input.optional_text("form")?.unwrap_or("web");
    let rules = input.optional_text("rules")?.map(Rules::parse).transpose()?;
    Form::parse_with_rules(name, &[], rules.as_ref())
        .map_err(|error: urlid::Error| VectorFault::Failed(format!("input `form`: {error}")))
}

/// Splits a host. Missing parts are null.
pub(super) fn split(input: &Input<'_>) -> Result<Values, VectorFault> {
    let sections = input.named_or("sections", Sections::All, |name| match name {
        "all" => Some(Sections::All),
        "icann" => Some(Sections::Icann),
        _ => None,
    })?;
    let (text, list) = (input.text("text")?, SuffixList::compiled_with(sections));
    let split = list.split(text)?;
    Ok(values([
        ("sub", json!(split.sub())),
        ("domain", json!(split.domain())),
        ("tld", json!(split.tld())),
        ("registered_domain", json!(list.registered_domain(text)?)),
    ]))
}

pub(super) fn detect(input: &Input<'_>) -> Result<Values, VectorFault> {
    let formats: Vec<&str> =
        compat::detect(input.text("text")?).into_iter().map(|format| format.name()).collect();
    Ok(values([("formats", json!(formats))]))
}

pub(super) fn snapshot(input: &Input<'_>) -> Result<Values, VectorFault> {
    let snapshot: Snapshot = input.text("text")?.parse()?;
    Ok(values([("line", json!(snapshot.to_string())), ("unicode", json!(snapshot.unicode))]))
}

/// Explains a text. Offsets are counted as the surface does, in bytes here and in characters elsewhere. They
/// are the same in ASCII.
pub(super) fn explain(input: &Input<'_>) -> Result<Values, VectorFault> {
    object(&crate::explain::explain(input.text("text")?, SuffixList::compiled())?)
}

/// Compares two URLs.
pub(super) fn diff(input: &Input<'_>) -> Result<Values, VectorFault> {
    let (a, b, form) = (input.text("a")?, input.text("b")?, form_of(input)?);
    object(&UrlDiff::new(a, b, &form, SuffixList::compiled()))
}

fn object(value: &impl Serialize) -> Result<Values, VectorFault> {
    match serde_json::to_value(value) {
        Ok(Json::Object(values)) => Ok(values),
        other => Err(VectorFault::Failed(format!("expected an object, found {other:?}"))),
    }
}

/// Calls a function. Bytes are objects with hexadecimal digits: `{"hex": "00ff"}`.
pub(super) fn function(input: &Input<'_>) -> Result<Values, VectorFault> {
    let function = input.named("name", crate::functions::function)?;
    let arguments = input.value("arguments")?;
    let arguments = arguments
        .as_array()
        .ok_or_else(|| VectorFault::Failed("input `arguments` is not a list".to_owned()))?;
    let bytes = arguments.iter().map(bytes).collect::<Result<Vec<_>, _>>()?;
    let arguments: Vec<SqlValue<'_>> = arguments
        .iter()
        .zip(&bytes)
        .map(|(argument, bytes)| match (argument, bytes) {
            (_, Some(bytes)) => SqlValue::Bytes(bytes),
            (Json::Null, _) => SqlValue::Null,
            (Json::String(text), _) => SqlValue::Text(text),
            // The value has a type without counterpart, so that vectors can check the error.
            _ => SqlValue::Other,
        })
        .collect();
    Ok(values([("result", shown(&function.call().run(&arguments)?))]))
}

/// Returns the bytes of an argument that is an object with hexadecimal digits.
fn bytes(argument: &Json) -> Result<Option<Vec<u8>>, VectorFault> {
    let Some(digits) = argument.get("hex").and_then(Json::as_str) else { return Ok(None) };
    // The digits are split as bytes, because slicing a text with non-ASCII characters could panic.
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    let bytes = pairs.iter().map(byte).collect::<Option<Vec<u8>>>().filter(|_| rest.is_empty());
    bytes
        .map(Some)
        .ok_or_else(|| VectorFault::Failed(format!("`{}` is not hexadecimal", digits.escape_debug())))
}

fn shown(output: &Output<'_>) -> Json {
    match output {
        Output::Null => Json::Null,
        Output::Text(text) => json!(text),
        Output::Id(id) => json!({ "hex": hex::encode(id) }),
        Output::Integer(number) => json!(number),
        Output::Boolean(flag) => json!(flag),
    }
}
