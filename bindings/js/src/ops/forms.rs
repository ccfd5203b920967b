//! Canonical forms, the formats of published crates, and the functions of SQL.

use serde_json::{Value as Json, json};
use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash};
use urlid::hashed_uri::Key;
use urlid::redact::{NameList, Redactor};
use urlid::suffix::SuffixList;
use urlid_canonical::{Form, Idna, Kind, NoVarySearch, NoVarySearchSyntax, Templates};
use urlid_ops::explain;
use urlid_ops::functions::{FUNCTIONS, SqlValue};

use super::identifiers::keep;
use crate::arguments::{Arguments, choose};
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    // A text, the name of a form, base, whether query and fragment are kept, and rules of sites.
    ("canon", |session, arguments| {
        let (text, form, base) = (arguments.text()?, arguments.text()?, arguments.optional_text()?);
        let keep = keep(arguments);
        Ok(form_of(session, form, arguments)?.canonicalize_with(text, base, keep)?.into())
    }),
    // A URL, a key, and the names of secret parameters, one on each line, or the name of a list of them.
    ("redact", |_, arguments| {
        let (url, key, names) = (arguments.text()?, arguments.optional_bytes(), arguments.optional_text()?);
        let mut redactor = Redactor::default();
        if let Some(names) = names {
            let names = names.split('\n').filter(|name| !name.is_empty());
            redactor = redactor.with_names(names.map(str::to_owned));
        }
        if let Some(list) = arguments.optional_text()? {
            redactor = redactor.with_list(choose("list", list, &NameList::BY_NAME)?);
        }
        if let Some(key) = key {
            redactor = redactor.with_key(&Key::new(key)?);
        }
        Ok(redactor.redact(url)?.into_owned().into())
    }),
    // A text, the name of a form, and rules of sites.
    ("explain_form", |session, arguments| {
        let (text, form) = (arguments.text()?, arguments.text()?);
        Ok(output::json(&explain::RuleTrace::new(&form_of(session, form, arguments)?, text)))
    }),
    // Two texts, the name of a form, and rules of sites.
    ("diff", |session, arguments| {
        let (a, b, form) = (arguments.text()?, arguments.text()?, arguments.text()?);
        let form = form_of(session, form, arguments)?;
        Ok(output::json(&explain::UrlDiff::new(a, b, &form, SuffixList::compiled())))
    }),
    // A field No-Vary-Search, and whether it is read as the first browsers read it.
    ("no_vary_search", |_, arguments| {
        let field = arguments.text()?;
        let syntax = if arguments.flag() { NoVarySearchSyntax::Browsers } else { NoVarySearchSyntax::Ietf };
        let field = NoVarySearch::parse_as(field, syntax);
        let form = field.to_form().to_string();
        Ok(output::json(
            &json!({ "field": field.to_string(), "form": form, "isDefault": field.is_default() }),
        ))
    }),
    // The text of a file of rules of sites.
    ("rules", |session, arguments| {
        let rules = session.rules(arguments.text()?)?;
        let sha256 = urlid::hex::encode(&rules.sha256());
        Ok(output::json(&json!({ "name": rules.name(), "sha256": sha256, "text": rules.text() })))
    }),
    // The text of a file of templates.
    ("templates", |_, arguments| {
        let templates = Templates::parse(arguments.text()?)?;
        Ok(output::json(&json!({ "name": templates.name(), "text": templates.text() })))
    }),
    ("profiles", |_, _| {
        let described = urlid_canonical::Profile::all().iter().map(|profile| {
            let kind = match profile.kind {
                Kind::Url => "url",
                Kind::Key => "key",
            };
            let idna = match profile.idna {
                Idna::None => None,
                Idna::Idna2003 => Some("2003"),
                Idna::Idna2008 => Some("2008"),
                Idna::Uts46 => Some("uts46"),
            };
            json!({
                "name": profile.name,
                "kind": kind,
                "about": profile.about,
                "isIdempotent": profile.is_idempotent,
                "needsSuffixList": profile.needs_suffix_list,
                "idna": idna,
                "runtime": profile.runtime,
                "frozenSince": profile.frozen_since,
            })
        });
        Ok(output::json(&described.collect::<Vec<_>>()))
    }),
    // A URL and a format.
    ("crate_sxurl", |_, arguments| {
        const FORMATS: [(&str, CrateFormat); 3] = [
            ("sxurl-crate-0", CrateFormat::V0),
            ("sxurl-crate-1.0", CrateFormat::V1_0),
            ("sxurl-crate-1.1", CrateFormat::V1_1),
        ];
        let (url, format) = (arguments.text()?, choose("format", arguments.text()?, &FORMATS)?);
        let id = CrateSxurl::encode(url, format)?;
        Ok(output::json(&json!({ "hex": id.to_hex(), "hostId": id.host_id() })))
    }),
    // A URL.
    ("crate_url_hash", |_, arguments| {
        let hash = CrateUrlHash::encode(arguments.text()?)?;
        Ok(output::json(&json!({ "hex": hash.to_hex(), "text": hash.to_string() })))
    }),
    ("functions", |_, _| {
        let described = FUNCTIONS.iter().map(|function| {
            let arguments = function.arguments.iter();
            let arguments: Vec<_> = arguments
                .map(|argument| json!({ "name": argument.name, "type": argument.of.to_string() }))
                .collect();
            json!({
                "name": function.name,
                "arguments": arguments,
                "result": function.result.to_string(),
                "about": function.about,
            })
        });
        Ok(output::json(&described.collect::<Vec<_>>()))
    }),
    // The name of a function, and its arguments: for each, the type `text`, `bytes` or `null`, and the value.
    ("function", |_, arguments| {
        let name = arguments.text()?;
        let function = urlid_ops::functions::function(name);
        let function = function.ok_or_else(|| Fault::Wrong(format!("unknown function: found {name:?}")))?;
        let mut values = Vec::new();
        while let Some(of) = arguments.optional_text()? {
            values.push(match (of, arguments.optional_bytes()) {
                ("bytes", Some(bytes)) => SqlValue::Bytes(bytes),
                ("text", Some(text)) => str::from_utf8(text).map_or(SqlValue::Null, SqlValue::Text),
                _ => SqlValue::Null,
            });
        }
        Ok(match function.call().run(&values)? {
            urlid_ops::functions::Output::Null => Output::Null,
            urlid_ops::functions::Output::Text(text) => text.into_owned().into(),
            urlid_ops::functions::Output::Id(id) => id[..].into(),
            // As text, because a number of JSON is a double in JavaScript, which is exact only up to 53
            // bits.
            urlid_ops::functions::Output::Integer(number) => {
                output::json(&json!({ "integer": number.to_string() }))
            }
            urlid_ops::functions::Output::Boolean(flag) => output::json(&Json::Bool(flag)),
        })
    }),
];

/// Returns the form with a name, which may refer to the rules of sites in the next argument.
fn form_of(session: &mut Session, name: &str, arguments: &mut Arguments<'_>) -> Result<Form, Fault> {
    let rules = arguments.optional_text()?.map(|text| session.rules(text)).transpose()?;
    Ok(Form::parse_with_rules(name, &[], rules)?)
}
