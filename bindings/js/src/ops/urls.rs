//! URLs by the URL Standard, by RFC 3986 and by the Theory of URLs, hosts at their public suffix, and
//! explanations. The comment of an operation lists its arguments.

use serde_json::{Map, json};
use urlid::ErrorCode;
use urlid::compat;
use urlid::generic::{self, Mode};
use urlid::host::Host;
use urlid::reference::{Context, Reference, ReferenceBuf, Token, check_structure};
use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid::web::{Part, Url};
use urlid_ops::explain::{Goto, GotoMode, explain};

use crate::arguments::{CONTEXTS, choose, context, sections, token_kind, word_of};
use crate::output::{self, Fault, Output};
use crate::session::Op;

pub(super) const OPS: &[Op] = &[
    // A host as people have it, the sections of the suffix list.
    ("split", |_, arguments| {
        let (text, sections) = (arguments.text()?, sections(arguments.text()?)?);
        let split = SuffixList::compiled_with(sections).split(text)?;
        Ok(output::json(&json!({
            "sub": split.sub(),
            "domain": split.domain(),
            "tld": split.tld(),
            "registeredDomain": split.registered_domain(),
            "hostKind": split.kind(),
        })))
    }),
    // A URL.
    ("host", |_, arguments| Ok(Part::Host.of(arguments.text()?, SuffixList::compiled())?.into())),
    // A host as people have it, the sections of the suffix list.
    ("registered_domain", |_, arguments| {
        let (text, sections) = (arguments.text()?, sections(arguments.text()?)?);
        Ok(SuffixList::compiled_with(sections).registered_domain(text)?.into())
    }),
    // A URL, and a base for a relative one.
    ("href", |_, arguments| {
        let (text, base) = (arguments.text()?, arguments.optional_text()?);
        let url = match base {
            Some(base) => Url::parse(base)?.join(text)?,
            None => Url::parse(text)?,
        };
        Ok(url.into_string().into())
    }),
    // A URL.
    ("url", |_, arguments| {
        let url = Url::parse(arguments.text()?)?;
        let host_kind = url.host().map(|host| match host {
            Host::Empty => "empty",
            Host::Domain(_) => "domain",
            Host::Ipv4(_) => "ipv4",
            Host::Ipv6(_) => "ipv6",
            Host::Opaque(_) => "opaque",
        });
        Ok(output::json(&json!({
            "href": url.as_str(),
            "scheme": url.scheme(),
            "username": url.username(),
            "password": url.password(),
            "host": url.host_str(),
            "hostKind": host_kind,
            "port": url.port(),
            "path": url.path(),
            "query": url.query(),
            "fragment": url.fragment(),
            "registeredDomain": url.registered_domain(SuffixList::compiled()),
        })))
    }),
    // Base, reference, mode.
    ("resolve", |_, arguments| {
        const MODES: [(&str, Option<Mode>); 4] = [
            ("web", None),
            ("strict", Some(Mode::Strict)),
            ("nonstrict", Some(Mode::Nonstrict)),
            ("rfc2396", Some(Mode::Rfc2396)),
        ];
        let (base, reference) = (arguments.text()?, arguments.text()?);
        Ok(match choose("mode", arguments.text()?, &MODES)? {
            None => Url::parse(base)?.join(reference)?.into_string().into(),
            Some(mode) => generic::resolve(base, reference, mode)?.into(),
        })
    }),
    // A URI.
    ("normalise", |_, arguments| Ok(generic::normalise(arguments.text()?)?.to_string().into())),
    // A path.
    ("remove_dot_segments", |_, arguments| {
        Ok(generic::remove_dot_segments(arguments.text()?).into_owned().into())
    }),
    // A text and the context in which it is read.
    ("reference", |_, arguments| {
        let (text, context) = (arguments.text()?, context(arguments.text()?)?);
        Ok(described(&Reference::parse(text, context)?))
    }),
    // Pairs of a kind and a text as JSON, and a context.
    ("reference_from_tokens", |_, arguments| {
        let (tokens, context) = (arguments.text()?, context(arguments.text()?)?);
        let tokens = pairs(tokens)?;
        Ok(described(&ReferenceBuf::from_tokens(context, read_tokens(&tokens)?)?.as_reference()))
    }),
    // Pairs of a kind and a text as JSON.
    ("check_tokens", |_, arguments| {
        check_structure(read_tokens(&pairs(arguments.text()?)?)?)?;
        Ok(Output::Null)
    }),
    // A text, its context, and a kind of token.
    ("upto", |_, arguments| {
        let (text, context) = (arguments.text()?, context(arguments.text()?)?);
        Ok(described(&Reference::parse(text, context)?.upto(token_kind(arguments.text()?)?)))
    }),
    // Base, its context, reference, its context, nonstrict. A reference without its own context is read in
    // the context of the base.
    ("goto", |_, arguments| {
        let base = Reference::parse(arguments.text()?, context(arguments.text()?)?)?;
        let reference = arguments.text()?;
        let own = arguments.optional_text()?.map(context).transpose()?.unwrap_or(match base.context() {
            Context::Whatwg(_) => Context::Whatwg(base.class()),
            Context::Rfc3986 => Context::Rfc3986,
        });
        let reference = Reference::parse(reference, own)?;
        let target = if arguments.flag() { base.goto_nonstrict(&reference)? } else { base.goto(&reference)? };
        Ok(described(&target.as_reference()))
    }),
    // A text.
    ("explain", |_, arguments| Ok(output::json(&explain(arguments.text()?, SuffixList::compiled())?))),
    // Base, reference, nonstrict.
    ("explain_goto", |_, arguments| {
        let (base, reference) = (arguments.text()?, arguments.text()?);
        let mode = if arguments.flag() { GotoMode::Nonstrict } else { GotoMode::Strict };
        Ok(output::json(&Goto::new(base, reference, mode)?))
    }),
    // A text. Returns the formats that it can have.
    ("detect", |_, arguments| {
        let formats = compat::detect(arguments.text()?);
        Ok(output::json(&formats.into_iter().map(|format| format.name()).collect::<Vec<_>>()))
    }),
    // The line of a snapshot. The default is the line of this build.
    ("snapshot", |_, arguments| {
        let snapshot = match arguments.optional_text()? {
            Some(line) => line.parse()?,
            None => Snapshot::new(SuffixList::compiled()),
        };
        let entries: Map<_, _> =
            snapshot.entries().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
        Ok(output::json(&json!({ "line": snapshot.to_string(), "entries": entries })))
    }),
    // No arguments. Returns the texts of all codes, in the order of their numbers.
    ("codes", |_, _| Ok(output::json(&ErrorCode::ALL.map(ErrorCode::as_str)[..]))),
];

fn pairs(json: &str) -> Result<Vec<(String, String)>, Fault> {
    serde_json::from_str(json).map_err(|error| Fault::Wrong(format!("tokens: {error}")))
}

fn read_tokens(pairs: &[(String, String)]) -> Result<Vec<Token<'_>>, Fault> {
    pairs.iter().map(|(kind, text)| Ok(Token::new(token_kind(kind)?, text))).collect()
}

/// Returns a reference as an object.
fn described(reference: &Reference<'_>) -> Output {
    let tokens: Vec<_> = reference.tokens().map(|token| (token.kind.name(), token.text)).collect();
    let authority = reference.authority();
    output::json(&json!({
        "text": reference.as_str(),
        "context": word_of(&reference.context(), &CONTEXTS),
        "tokens": tokens,
        "isValid": reference.is_valid(),
        "isOpaque": reference.is_opaque(),
        "ord": reference.ord().name(),
        "scheme": reference.scheme(),
        "authority": reference.authority_text(),
        "user": authority.and_then(|authority| authority.user),
        "password": authority.and_then(|authority| authority.password),
        "host": authority.map(|authority| authority.host),
        "port": authority.and_then(|authority| authority.port),
        "drive": reference.drive(),
        "path": reference.path(),
        "segments": reference.segments().collect::<Vec<_>>(),
        "query": reference.query(),
        "fragment": reference.fragment(),
    }))
}
