//! Operations on one text: parsing, resolution, forms, identifiers, parts, questions.

use std::hint::black_box;

use urlid::batch::{Encoder, HostCacheKey};
use urlid::compat::{self, CrateFormat, CrateSxurl, CrateUrlHash};
use urlid::generic::{Mode, normalise, remove_dot_segments, resolve};
use urlid::hashed_uri::{Keep, Key, Variant, canonicalize};
use urlid::redact::Redactor;
use urlid::reference::{Class, Context, Reference, TokenKind, TokenUrl};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Sxurl};
use urlid::web::{Part, Url, UrlParts};
use urlid::{HashedUri, UrlHash};
use urlid_canonical::{Form, HostReader, HostSuffixes, Profile, TrackingList, expressions};
use urlid_generators::shapes::{LONG_LABELS, NESTED, URLS};
use urlid_ops::functions::{FUNCTIONS, Output, SqlValue, Type};
use urlid_store::question::{Condition, Question};

use super::operation::{CHEAP, DEAR, LONG, Operation, kernels, only, without};
use crate::law::Order;

pub(super) fn operations() -> Vec<Operation> {
    let cheap = references().into_iter().map(|operation| operation.from(CHEAP));
    let others = [systems(), forms(), functions(), batches()];
    cheap.chain(others.into_iter().flatten()).collect()
}

fn on(name: &str, work: impl Fn(&str) -> usize + Clone + 'static) -> Operation {
    Operation::linear(name, URLS, work)
}

fn list() -> &'static SuffixList {
    SuffixList::compiled()
}

fn references() -> Vec<Operation> {
    let mut operations = vec![
        on("dots", |text| remove_dot_segments(text).len()),
        on("normalise", |text| normalise(text).map_or(0, |url| url.len())),
        on("resolve, strict", |text| resolve("http://h/a/b", text, Mode::Strict).map_or(0, |url| url.len())),
        on("resolve, not strict", |text| {
            resolve("http://h/a/b", text, Mode::Nonstrict).map_or(0, |url| url.len())
        }),
        on("resolve against the text", |text| {
            resolve(text, "../x?y", Mode::Strict).map_or(0, |url| url.len())
        }),
    ];
    for (name, context) in [
        ("tokens, RFC 3986", Context::Rfc3986),
        ("tokens, special", Context::Whatwg(Class::Web)),
        ("tokens, file", Context::Whatwg(Class::File)),
    ] {
        operations.push(on(name, move |text| {
            let Ok(url) = Reference::parse(text, context) else { return 0 };
            black_box((url.tokens().count(), url.is_valid(), url.ord(), url.segments().count()));
            let upto = url.upto(TokenKind::File).as_str().len();
            let gone = [url.goto(&url), url.goto_nonstrict(&url)];
            upto + gone.iter().flatten().map(|url| url.as_str().len()).sum::<usize>()
        }));
    }
    operations.push(on("token sequences", |text| {
        let Ok(reference) = Reference::parse(text, Context::Rfc3986) else { return 0 };
        let Ok(url) = TokenUrl::try_from(reference) else { return 0 };
        let gone = url.goto(&url).ok().and_then(|gone| gone.to_reference(Context::Rfc3986).ok());
        gone.map_or(0, |gone| gone.as_str().len())
    }));
    operations
}

fn systems() -> Vec<Operation> {
    vec![
        on("web", |text| Url::parse(text).map_or(0, |url| url.as_str().len())),
        // Beyond the limits up to which a label is mapped.
        Operation::linear("web, long labels", LONG_LABELS, |text| {
            Url::parse(text).map_or(0, |url| url.as_str().len())
        })
        .from(2 * LONG),
        on("join", |text| {
            Url::parse("http://h/a/b").and_then(|base| base.join(text)).map_or(0, |url| url.as_str().len())
        }),
        on("parts", |text| {
            let Ok(url) = Url::parse(text) else { return 0 };
            UrlParts::new(&url, list()).all().iter().flatten().map(|part| part.len()).sum()
        }),
        on("query pairs", |text| {
            let Ok(url) = Url::parse(text) else { return 0 };
            url.query_pairs().map(|(name, value)| name.len() + value.len()).sum()
        }),
        on("host part", |text| {
            Part::RegisteredDomain.of(text, list()).ok().flatten().map_or(0, |part| part.len())
        }),
        on("split", |text| list().split_normal(text).domain.len()),
        on("split of any text", |text| {
            list().split(text).map_or(0, |split| split.host().map_or(0, str::len))
        }),
        on("SXURL", |text| Sxurl::encode(text).map_or(0, |id| id.as_bytes().len())),
        on("components", |text| {
            Components::parse(text, list()).map_or(0, |parts| parts.to_normal_text().len())
        }),
        on("url-hash", |text| UrlHash::encode(text).map_or(0, |hash| hash.as_bytes().len())),
        on("hashed URI", |text| HashedUri::encode(text).map_or(0, |uri| uri.to_string().len())),
        on("text of a hashed URI", |text| text.parse::<HashedUri>().map_or(0, |uri| uri.to_string().len())),
        on("canonical, none", |text| hashed(text, Variant::None)),
        on("canonical, N", |text| hashed(text, Variant::N)),
        on("canonical, P", |text| hashed(text, Variant::P)),
        on("SXURL of a crate", |text| {
            CrateSxurl::encode(text, CrateFormat::V1_1).map_or(0, |id| id.as_bytes().len())
        }),
        on("url-hash of a crate", |text| CrateUrlHash::encode(text).map_or(0, |hash| hash.as_bytes().len())),
        // As a function of SQL it does not have a key, and stops at the first reader that differs.
        on("redact, keyed", |text| {
            let redactor = Redactor::default().with_key(&Key::new(&[7; 32]).expect("a key has 32 bytes"));
            redactor.redact(text).map_or(0, |redacted| redacted.len())
        }),
        Operation::linear("redact, URLs in URLs", NESTED, |text| {
            Redactor::default().redact(text).map_or(0, |redacted| redacted.len())
        })
        .from(CHEAP),
        on("host of each reader", |text| {
            let hosts = HostReader::ALL.into_iter().filter_map(|reader| reader.host(text));
            hosts.map(|host| host.len()).sum()
        }),
        on("detect", |text| compat::detect(text).len()),
        on("explain", |text| {
            urlid_ops::explain::explain(text, list()).map_or(0, |found| black_box(found.parts.len()))
        }),
        on("a question's host", |text| {
            Question::new([(Condition::Host, text)])
                .map_or(0, |question| usize::from(question.matches(text, list())))
        }),
        on("a question's name", |text| {
            Question::new([(Condition::Under, text)])
                .map_or(0, |question| usize::from(question.matches(text, list())))
        }),
        on("a question's path", |text| {
            Question::new([(Condition::PathPrefix, text)])
                .map_or(0, |question| usize::from(question.matches(text, list())))
        }),
    ]
}

fn hashed(text: &str, variant: Variant) -> usize {
    canonicalize(text, None, Keep::ALL, variant).map_or(0, |canonical| canonical.as_str().len())
}

fn forms() -> Vec<Operation> {
    let names = Profile::all().iter().map(|profile| profile.name.to_owned());
    let tracking = TrackingList::firefox().name();
    let steps = format!(
        "web+drop-fragment+drop-anchor+sort-query+drop-query=utm_*,gclid+drop-tracking@{tracking}\
         +drop-session+drop-values+strip-www+trailing-slash+https"
    );
    let long = only(&[
        "segments, then parents",
        "session ids in segments",
        "nested escapes",
        "nested escapes in a query",
        "nested escapes in a host",
        "different parameters",
    ]);
    // The URL Standard does not limit the length of a label. A label of up to 1,000 characters costs time
    // with the square of their number. Longer labels are rejected, as `web, long labels` shows.
    let bounded_labels = without("a label of different characters");
    let mut operations: Vec<Operation> = names
        .chain([steps])
        .flat_map(|name| {
            let is_mapped = name.starts_with("web") || ["page-1", "sxurl"].contains(&&*name);
            let shapes = if is_mapped { bounded_labels } else { URLS };
            let form: Form = name.parse().expect("it is the name of a form");
            let work = move |text: &str| form.canonicalize(text).map_or(0, |canonical| canonical.len());
            // Every form may sort the query.
            [
                Operation::sorting(format!("form {name}"), shapes, work.clone()).from(DEAR),
                Operation::sorting(format!("form {name}, long"), long, work).from(LONG),
            ]
        })
        .collect();
    operations.push(on("expressions", |text| {
        let found = expressions(text, HostSuffixes::FromDomain(list()));
        found.map_or(0, |found| found.iter().map(|expression| expression.as_str().len()).sum())
    }));
    operations.push(Operation::sorting("name of a form", URLS, |text| {
        let Ok(form) = format!("web+drop-query={text}").parse::<Form>() else { return 0 };
        form.to_string().len()
    }));
    operations.push(Operation::prepared(
        "names to drop",
        only(&["different parameters"]),
        Order::Sorting,
        |text| {
            let names =
                text.split(['?', '&']).skip(1).map(|field| field.split('=').next().unwrap_or_default());
            let names: Vec<String> =
                names.filter(|name| !name.is_empty()).map(|name| format!("a{name}*")).collect();
            let form: Form =
                format!("web+drop-query={}", names.join(",")).parse().expect("it is the name of a form");
            Box::new(move || form.canonicalize(&text).map_or(0, |canonical| canonical.len()))
        },
    ));
    operations
}

/// Every function of SQL, with the text as its first argument and its start as the others.
fn functions() -> Vec<Operation> {
    FUNCTIONS
        .iter()
        .map(|function| {
            on(&format!("function {}", function.name), move |text| {
                let arguments: Vec<SqlValue<'_>> = (0..)
                    .zip(function.arguments)
                    .map(|(index, argument)| match (argument.of, argument.name) {
                        (Type::Bytes, _) => SqlValue::Bytes(text.as_bytes()),
                        (_, "form") => SqlValue::Text("web"),
                        (_, "part") => SqlValue::Text("path"),
                        (_, "field") => SqlValue::Text("path"),
                        (_, "algorithm") => SqlValue::Text("sha1"),
                        (_, "variant") => SqlValue::Text("n"),
                        (_, "name") if index > 0 => SqlValue::Text("p0001"),
                        _ => SqlValue::Text(text),
                    })
                    .collect();
                match function.call().run(&arguments) {
                    Ok(Output::Text(text)) => text.len(),
                    _ => 0,
                }
            })
        })
        .collect()
}

/// Many texts at once, here one. The encoders use the path that every machine has.
fn batches() -> Vec<Operation> {
    vec![
        Operation::prepared("batch of SXURLs", URLS, Order::Linear, |text| {
            let mut encoder = Encoder::<Sxurl>::with_kernels(list(), HostCacheKey([1, 2]), kernels());
            Box::new(move || encoder.encode(&text).map_or(0, |id| id.as_bytes().len()))
        }),
        Operation::prepared("batch of url-hashes", URLS, Order::Linear, |text| {
            let mut encoder = Encoder::<UrlHash>::with_kernels(kernels());
            Box::new(move || encoder.encode(&text).map_or(0, |hash| hash.as_bytes().len()))
        }),
        Operation::prepared("batch of hashed URIs", URLS, Order::Linear, |text| {
            let mut encoder = Encoder::<HashedUri>::with_kernels(Keep::ALL, kernels());
            Box::new(move || {
                let mut written = 0;
                encoder.encode_all([text.as_str()], |batch| written += batch.len());
                written
            })
        }),
    ]
}
