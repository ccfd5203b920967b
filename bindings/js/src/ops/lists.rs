//! Hidden lists. A list that was made or read is stored under a number, which is an argument, until it is
//! freed.

use serde_json::json;
use urlid::ErrorCode;
use urlid::hashed_uri::Algorithm;
use urlid_lists::{
    Edition, HiddenList, InvalidAs, ListBuilder, ListMatcher, ListReader, ListRules, MAGIC, Scratch,
    rejection_marker,
};
use urlid_ops::explain::Rejection;

use super::identifiers::{keep, key, variant};
use crate::arguments::Arguments;
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    // A new number, and the bytes of either form.
    ("list_parse", |session, arguments| {
        let (new, bytes) = (number(arguments)?, arguments.bytes()?);
        if bytes.starts_with(&MAGIC) {
            return Ok(kept(session, new, HiddenList::from_compiled(bytes.to_vec())?, &[]));
        }
        let text = String::from_utf8_lossy(bytes);
        let mut reader = ListReader::new();
        let mut rejected = Vec::new();
        for (number, line) in (1_u32..).zip(text.split_terminator('\n')) {
            match reader.line(line.strip_suffix('\r').unwrap_or(line)) {
                Ok(()) => {}
                Err(error) if error.code() == ErrorCode::ListLine => {
                    rejected.push((number, Rejection::new(&error)))
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(kept(session, new, reader.finish()?, &rejected))
    }),
    // A new number; URIs, one on each line; algorithms separated by commas, variant, whether query and
    // fragment are kept, key, intake, covers and date.
    ("list_make", |session, arguments| {
        let (new, uris, algorithms) = (number(arguments)?, arguments.text()?, arguments.text()?);
        let algorithms = algorithms.split(',').map(str::parse).collect::<Result<Vec<Algorithm>, _>>()?;
        let mut rules = ListRules::of_variant(variant(arguments)?);
        rules.keep = keep(arguments);
        let key = key(arguments)?;
        if let Some(intake) = arguments.optional_text()? {
            rules.intake = intake.parse().map_err(wrong)?;
        }
        if let Some(covers) = arguments.optional_text()? {
            rules.covers = covers.parse().map_err(wrong)?;
        }
        let mut builder = ListBuilder::new(rules, &algorithms, key.as_ref())?;
        if let Some(date) = arguments.optional_text()? {
            builder = builder
                .with_edition(Edition { made: Some(date.parse().map_err(wrong)?), ..Edition::default() });
        }
        uris.lines().try_for_each(|uri| builder.add(uri, None))?;
        Ok(kept(session, new, builder.finish(), &[]))
    }),
    // A list, a URL, a key, and the result for a rejected URL.
    ("list_find", |session, arguments| {
        let (matcher, url) = candidate(session, arguments)?;
        let invalid_as = arguments.optional_text()?.map(str::parse).transpose().map_err(wrong)?;
        let found = match (matcher.find(&mut Scratch::default(), url, None), invalid_as.unwrap_or_default()) {
            (Ok(found), _) => found.map(|found| (found.entry.to_string(), found.canonical)),
            (Err(error), InvalidAs::Error) => return Err(error.into()),
            (Err(error), InvalidAs::Match) => Some((rejection_marker(error.code()), url.to_owned())),
            (Err(_), InvalidAs::NoMatch) => None,
        };
        let found = found.map(|(entry, canonical)| json!({ "entry": entry, "canonical": canonical }));
        Ok(found.map_or(Output::Null, |found| output::json(&found)))
    }),
    // A list, a URL, and a key.
    ("list_expressions", |session, arguments| {
        let (matcher, url) = candidate(session, arguments)?;
        let mut expressions = Vec::new();
        matcher.expressions(&mut Scratch::default(), url, None, |canonical, entry| {
            expressions
                .push(json!({ "canonical": canonical, "entry": entry.map(|entry| entry.to_string()) }));
        })?;
        Ok(output::json(&expressions))
    }),
    // A list.
    ("list_entries", |session, arguments| {
        let list = read(session, arguments)?;
        Ok(output::json(&list.entries().map(|entry| entry.to_string()).collect::<Vec<_>>()))
    }),
    // A list.
    ("list_text", |session, arguments| {
        let mut text = Vec::new();
        read(session, arguments)?.write_text(&mut text).map_err(wrong)?;
        String::from_utf8(text).map(Output::Text).map_err(wrong)
    }),
    // A list.
    ("list_compiled", |session, arguments| {
        let mut bytes = Vec::new();
        read(session, arguments)?.write_compiled(&mut bytes).map_err(wrong)?;
        Ok(Output::Bytes(bytes))
    }),
    // A list.
    ("list_free", |session, arguments| {
        session.lists.remove(number(arguments)?);
        Ok(Output::Null)
    }),
];

/// Reads the number of a list.
pub(super) fn number(arguments: &mut Arguments<'_>) -> Result<u64, Fault> {
    arguments.text()?.parse().map_err(wrong)
}

/// Returns the list whose number is the next argument.
fn read<'s>(session: &'s Session, arguments: &mut Arguments<'_>) -> Result<&'s HiddenList, Fault> {
    session.lists.get(number(arguments)?)
}

pub(super) fn wrong(error: impl std::fmt::Display) -> Fault {
    Fault::Wrong(error.to_string())
}

/// Stores a list, and describes it and its skipped lines.
fn kept(session: &mut Session, number: u64, list: HiddenList, rejected: &[(u32, Rejection)]) -> Output {
    let (header, rules) = (list.header(), list.header().rules());
    let rejected = rejected.iter().map(
        |(line, rejection)| json!({ "line": line, "code": rejection.code.as_str(), "message": rejection.message }),
    );
    let described = output::json(&json!({
        "size": list.len(),
        "algorithms": header.algorithms().iter().map(Algorithm::to_string).collect::<Vec<_>>(),
        "variant": rules.variant.to_string(),
        "intake": rules.intake.to_string(),
        "covers": rules.covers.to_string(),
        "date": header.edition().made.map(|date| date.to_string()),
        "keyId": header.key_id().map(|id| id.to_string()),
        "rejected": rejected.collect::<Vec<_>>(),
    }));
    session.lists.insert(number, list);
    described
}

/// Reads a list, a URL, and a key.
fn candidate<'a>(session: &Session, arguments: &mut Arguments<'a>) -> Result<(ListMatcher, &'a str), Fault> {
    let list = read(session, arguments)?;
    let (url, key) = (arguments.text()?, key(arguments)?);
    Ok((ListMatcher::new(list, key.as_ref())?, url))
}
