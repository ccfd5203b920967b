//! Tests of whole lists: an entry is found again in every form and by every rule, and nothing else is found.
//!
//! This file has the lists that the tests share.

mod cleaning;
mod deltas;
mod forms;
mod importing;
mod importing_at_random;
mod importing_names;
mod intake;
mod kinds;
mod matching;
mod merging;
mod sharding;

use super::value::Collected;
use super::*;
use urlid::hashed_uri::{Algorithm, Keep, Variant};
use urlid::{Error, ErrorCode};

/// URIs that differ in every part that a rule depends on.
fn uris() -> Vec<String> {
    let hosts = [
        "h.example",
        "H.Example:80",
        "a.b.h.example",
        "u@h.example",
        "10.020.30.40",
        "[::A]",
        "h.example:8080",
    ];
    let paths = ["", "/", "/A/b.html", "/a//B.htm", "/a/index.html", "/%61/", "/a/b/c/d/"];
    let ends = ["", "?", "?q", "?Q#f", "#f", "#"];
    let mut uris = vec!["mailto:a@b?c#d".to_owned(), "URN:x".to_owned(), "file:///a/b".to_owned()];
    for host in hosts {
        for path in paths {
            uris.extend(ends.map(|end| format!("http://{host}{path}{end}")));
        }
        uris.push(format!("https://{host}/a/index.html"));
    }
    uris
}

const VARIANTS: [Variant; 3] = [Variant::None, Variant::N, Variant::P];
const VARIANT_INTAKES: [(Variant, Intake); 7] = [
    (Variant::None, Intake::Rfc3986),
    (Variant::N, Intake::Rfc3986),
    (Variant::N, Intake::Web(UserInfo::Drop)),
    (Variant::N, Intake::Web(UserInfo::Keep)),
    (Variant::P, Intake::Rfc3986),
    (Variant::P, Intake::Web(UserInfo::Drop)),
    (Variant::P, Intake::Web(UserInfo::Keep)),
];
const COVERS: [Covers; 3] = [Covers::Url, Covers::Directory, Covers::Subdomains];

/// URIs by the generic syntax.
fn rfc3986(variant: Variant, keep: Keep, covers: Covers) -> ListRules {
    ListRules { variant, intake: Intake::Rfc3986, keep, covers }
}

fn build<'u>(
    rules: ListRules,
    algorithms: &[Algorithm],
    uris: impl IntoIterator<Item = &'u str>,
) -> HiddenList {
    let mut builder = ListBuilder::new(rules, algorithms, None).unwrap();
    uris.into_iter().for_each(|uri| builder.add(uri, None).unwrap());
    builder.finish()
}

fn text(list: &HiddenList) -> String {
    let mut text = Vec::new();
    list.write_text(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn compiled(list: &HiddenList) -> Vec<u8> {
    let mut bytes = Vec::new();
    list.write_compiled(&mut bytes).unwrap();
    bytes
}

fn read(text: &str) -> Result<(HiddenList, Vec<(u64, String)>), Error> {
    let mut reader = ListReader::new();
    let mut rejected = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        match reader.line(line) {
            Ok(()) => {}
            Err(error) if error.code() == ErrorCode::ListLine => rejected.push((number, error.to_string())),
            Err(error) => return Err(error),
        }
    }
    Ok((reader.finish()?, rejected))
}

fn found(list: &HiddenList, uri: &str) -> Vec<String> {
    let mut found = Vec::new();
    let matcher = ListMatcher::new(list, None).unwrap();
    matcher
        .each(&mut Scratch::default(), uri, None, |_, canonical| found.push(canonical.to_owned()))
        .unwrap();
    found
}

/// A list of three entries, one of them by an unknown algorithm.
const SMALL: &str = "\
# urlid-list: 1
# variant: n
# intake: rfc3986
# user-info: keep
# algorithms: md5,sha1,x-other
# keep: fragment
# covers: url
# count: 3
# digest: 2f88f822b5d5c34834924cf335e702c8b4f35f415909dd0dd8240a0c888eff8d
# snapshot: none
# made: 2026-11-21
hashed:md5=be96302a0468481aca954431cf293e05
hashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag
hashed:x-other=00ff
";
