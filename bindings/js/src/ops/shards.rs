//! Hidden lists in shards. JavaScript asks for the needed shards, fetches them and passes their bytes.

use serde_json::json;
use urlid_lists::{InvalidAs, Scratch, Shard, ShardIndex, ShardMatcher, rejection_marker};

use super::identifiers::key;
use super::lists::{number, wrong};
use crate::arguments::Arguments;
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    // A new number, the bytes of an index, and a key.
    ("shards_open", |session, arguments| {
        let new = number(arguments)?;
        let index = ShardIndex::from_bytes(arguments.bytes()?)?;
        let matcher = ShardMatcher::new(index, key(arguments)?.as_ref())?;
        let header = matcher.index().header();
        let described = output::json(&json!({
            "size": header.count(),
            "bits": matcher.index().bits(),
            "sequence": header.edition().sequence,
            "expires": header.edition().expires.map(|date| date.to_string()),
        }));
        session.shards.insert(new, matcher);
        Ok(described)
    }),
    // A list, a URL, and the result for a rejected URL. A rejected URL with a result needs no shards.
    ("shards_asks", |session, arguments| {
        let matcher = read(session, arguments)?;
        let (url, invalid_as) = (arguments.text()?, invalid_as(arguments)?);
        let asked = match (matcher.asks(&mut Scratch::default(), url, None), invalid_as) {
            (Ok(asked), _) => asked,
            (Err(error), InvalidAs::Error) => return Err(error.into()),
            (Err(_), InvalidAs::Match | InvalidAs::NoMatch) => Vec::new(),
        };
        let asked = asked
            .iter()
            .map(|&number| json!({ "number": number, "file": matcher.index().file_name(number) }));
        Ok(output::json(&asked.collect::<Vec<_>>()))
    }),
    // A list, a URL, the result for a rejected URL, and the number and the bytes of each needed shard.
    ("shards_find", |session, arguments| {
        let matcher = read(session, arguments)?;
        let (url, invalid_as) = (arguments.text()?, invalid_as(arguments)?);
        let mut shards = Vec::new();
        while let Some(number) = arguments.optional_text()? {
            let number = number.parse().map_err(wrong)?;
            shards.push(matcher.index().read(number, arguments.bytes()?.to_vec())?);
        }
        let shards: Vec<&Shard> = shards.iter().collect();
        let mut scratch = Scratch::default();
        if let Err(error) = matcher.asks(&mut scratch, url, None) {
            let marked = || json!({ "entry": rejection_marker(error.code()), "canonical": url });
            return match invalid_as {
                InvalidAs::Error => Err(error.into()),
                InvalidAs::Match => Ok(output::json(&marked())),
                InvalidAs::NoMatch => Ok(Output::Null),
            };
        }
        // A missing shard is an error for every setting of rejected URLs.
        let found = matcher.find(&mut scratch, url, None, &shards)?;
        let found =
            found.map(|found| json!({ "entry": found.entry.to_string(), "canonical": found.canonical }));
        Ok(found.map_or(Output::Null, |found| output::json(&found)))
    }),
    // A list.
    ("shards_free", |session, arguments| {
        session.shards.remove(number(arguments)?);
        Ok(Output::Null)
    }),
];

/// Returns the matcher whose number is the next argument.
fn read<'s>(session: &'s Session, arguments: &mut Arguments<'_>) -> Result<&'s ShardMatcher, Fault> {
    session.shards.get(number(arguments)?)
}

fn invalid_as(arguments: &mut Arguments<'_>) -> Result<InvalidAs, Fault> {
    Ok(arguments.optional_text()?.map(str::parse).transpose().map_err(wrong)?.unwrap_or_default())
}
