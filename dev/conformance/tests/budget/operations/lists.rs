//! Suffix lists, lists of tracking parameters and hidden lists: reading them, and looking up texts in them.

use std::fmt::Write;

use urlid::hashed_uri::{Algorithm, Keep, Variant};
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList, diff};
use urlid_canonical::{Form, TrackingList};
use urlid_generators::shapes::{FILTERS, HIDDEN_LISTS, LINES, SUFFIX_LISTS, TRACKING_LISTS, URLS};
use urlid_lists::{
    Audit, Covers, Delta, HiddenList, Intake, ListBuilder, ListFormat, ListImport, ListKind, ListMatcher,
    ListReader, ListRules, Scratch, Store,
};

use super::operation::{CHEAP, LONG, Operation, kernels, only};
use crate::law::Order;

pub(super) fn operations() -> Vec<Operation> {
    [suffix_lists(), tracking_lists(), hidden_lists(), filters(), candidates()]
        .into_iter()
        .flatten()
        .collect()
}

fn suffix_lists() -> Vec<Operation> {
    let parse = |text: &str| SuffixList::parse(text, Sections::All).ok();
    let after_parsing = |name: &str, work: fn(&SuffixList, &str) -> usize| {
        Operation::prepared(name, SUFFIX_LISTS, Order::Sorting, move |text| {
            let list = parse(&text);
            Box::new(move || list.as_ref().map_or(0, |list| work(list, &text)))
        })
    };
    vec![
        Operation::sorting("suffix list", SUFFIX_LISTS, move |text| {
            parse(text).map_or(0, |list| list.version().len())
        }),
        after_parsing("suffix list, names", |list, _| list.names().map(|name| name.len()).sum()),
        after_parsing("suffix list, compared", |list, _| diff(list, list).gone.len()),
        after_parsing("suffix list, snapshot", |list, _| Snapshot::new(list).to_string().len()),
        // Splits every name of the list. More names than are examined one by one for the same hash.
        after_parsing("suffix list, splits", |list, text| {
            text.lines().map(|host| list.split_normal(host).domain.len().min(1)).sum()
        })
        .from(LONG),
    ]
}

fn tracking_lists() -> Vec<Operation> {
    let parameters = &only(&["different parameters"])[0];
    vec![
        Operation::sorting("tracking list", TRACKING_LISTS, |text| {
            TrackingList::parse(text).map_or(0, |list| list.name().len())
        }),
        Operation::prepared("tracking list, many parameters", TRACKING_LISTS, Order::Sorting, |text| {
            let url = parameters.text(text.len());
            let form = TrackingList::parse(&text).ok().and_then(|list| {
                Form::parse_with(&format!("web+drop-tracking@{}", list.name()), &[list]).ok()
            });
            Box::new(move || {
                let canonical = form.as_ref().and_then(|form| form.canonicalize(&url).ok());
                url.len() + canonical.map_or(0, |canonical| canonical.len())
            })
        })
        .from(CHEAP),
    ]
}

fn read(text: &str) -> Option<HiddenList> {
    let mut reader = ListReader::new();
    for line in text.lines() {
        match reader.line(line) {
            Ok(()) => {}
            Err(error) if error.code() == urlid::ErrorCode::ListLine => {}
            Err(_) => return None,
        }
    }
    reader.finish().ok()
}

/// Returns a list of as many URLs as fit in this many bytes.
fn list_of(length: usize) -> HiddenList {
    list_with(Covers::Subdomains, length)
}

/// Returns such a list with this coverage of entries.
fn list_with(covers: Covers, length: usize) -> HiddenList {
    let rules = ListRules { covers, keep: Keep::ALL, ..ListRules::default() };
    let mut builder =
        ListBuilder::new(rules, &[Algorithm::Sha1, Algorithm::XSha256], None).expect("no key is needed");
    let mut url = String::new();
    for number in 0..length / 20 {
        url.clear();
        write!(url, "http://a{number}.example/").expect("writing to a String does not fail");
        builder.add(&url, None).expect("it is a URL");
    }
    builder.finish()
}

fn hidden_lists() -> Vec<Operation> {
    let of_length = |name: &str, work: fn(&HiddenList, &[u8]) -> usize| {
        Operation::prepared(name, &URLS[..1], Order::Sorting, move |text| {
            let list = list_of(text.len());
            let mut bytes = Vec::new();
            list.write_compiled(&mut bytes).expect("memory can be written");
            Box::new(move || work(&list, &bytes))
        })
    };
    vec![
        Operation::sorting("hidden list, text", HIDDEN_LISTS, |text| {
            let Some(list) = read(text) else { return 0 };
            let mut written = Vec::new();
            list.write_text(&mut written).expect("memory can be written");
            written.len()
        }),
        // As many candidates as the list has entries.
        Operation::prepared("many candidates", LINES, Order::Sorting, |text| {
            let matcher = ListMatcher::new(&list_of(text.len()), None).expect("the list is not keyed");
            Box::new(move || {
                let (candidates, mut found): (Vec<&str>, _) = (text.lines().collect(), Vec::new());
                matcher.find_many(&mut scratch(), &candidates, None, &mut found);
                found.len()
            })
        }),
        of_length("hidden list, made", |list, _| list_of(20 * list.len() as usize / 2).len() as usize),
        of_length("hidden list, compiled", |_, bytes| {
            HiddenList::from_compiled(bytes.to_vec()).map_or(0, |list| list.len() as usize)
        }),
        of_length("hidden list, merged", |list, _| {
            HiddenList::merge(&[list.clone(), list.clone()]).map_or(0, |list| list.len() as usize)
        }),
        of_length("hidden list, compared", |list, _| list.differences(list).map_or(0, Iterator::count)),
        of_length("hidden list, cut and compiled", |list, _| {
            let list = list_with(Covers::Directory, 20 * list.len() as usize / 2);
            let mut bytes = Vec::new();
            let cut = list.compile(Store::usual(ListKind::Prefix)).expect("it is whole");
            cut.write_compiled(&mut bytes).expect("memory can be written");
            HiddenList::from_compiled(bytes).map_or(0, |list| list.len() as usize)
        }),
        of_length("hidden list, changed", |list, _| {
            let [none, list] =
                [0, 20 * list.len() as usize / 2].map(|length| list_with(Covers::Directory, length));
            let delta = Delta::between(&none, &list, None).expect("they are by the same rules");
            let mut bytes = Vec::new();
            delta.write(&mut bytes).expect("memory can be written");
            let delta = Delta::from_bytes(&bytes).expect("it was written");
            delta.apply(&none).map_or(0, |list| list.len() as usize)
        }),
    ]
}

/// Filters from which a list is made.
fn filters() -> Vec<Operation> {
    let rules = ListRules { covers: ListFormat::Abp.covers(), ..ListRules::default() };
    vec![Operation::sorting("filters", FILTERS, move |text| {
        let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("no key is needed");
        let mut import = ListImport::new(ListFormat::Abp, rules, SuffixList::compiled());
        let taken = text.lines().filter(|line| import.line(line, None, &mut builder).is_ok()).count();
        taken + import.finish(&mut builder).taken() as usize
    })]
}

/// Returns buffers for the path that every machine has.
fn scratch() -> Scratch {
    Scratch::new(kernels())
}

/// Looks up candidates in a list by the rules with the most look-ups.
fn candidates() -> Vec<Operation> {
    let mut operations = Vec::new();
    for (variant, intake) in
        [(Variant::N, Intake::default()), (Variant::P, Intake::Rfc3986), (Variant::None, Intake::Rfc3986)]
    {
        let rules = ListRules { variant, intake, keep: Keep::ALL, covers: Covers::Subdomains };
        operations.push(Operation::linear(format!("entry, {intake} {variant}"), URLS, move |text| {
            let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("no key is needed");
            usize::from(builder.add(text, None).is_ok())
        }));
        let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("no key is needed");
        for url in [
            "http://example.org/",
            "http://example.org/?q",
            "http://example.org/#f",
            "http://example.org/?q#f",
        ] {
            builder.add(url, None).expect("it is a URL");
        }
        let matcher = ListMatcher::new(&builder.finish(), None).expect("the list is not keyed");
        let guesser = matcher.clone();
        operations.push(Operation::linear(format!("candidate, {intake} {variant}"), URLS, move |text| {
            let found = matcher.find(&mut scratch(), text, None);
            found.ok().flatten().map_or(0, |found| found.canonical.len())
        }));
        operations.push(Operation::linear(format!("guess, {intake} {variant}"), &URLS[..1], move |text| {
            usize::from(Audit::new(&guesser).guess(text, None).is_ok())
        }));
    }
    operations
}
