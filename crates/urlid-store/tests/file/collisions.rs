//! Different URLs with one identifier, or with one slice, are stored, found and told apart.

use std::ops::ControlFlow;

use crate::{PAIRS, find, fresh, load};
use urlid::sxurl::Sxurl;
use urlid_store::file::Index;
use urlid_store::question::Condition;

#[test]
fn both_of_a_pair_are_there_in_either_order_and_by_either_way() {
    for (one, other, id) in PAIRS {
        for (first, second) in [(one, other), (other, one)] {
            for in_two_loads in [false, true] {
                let (_directory, path) = fresh("pair.urlid");
                if in_two_loads {
                    assert_eq!(load(&path, &[first]).new, 1);
                    assert_eq!(load(&path, &[second, first]).new, 1);
                } else {
                    assert_eq!(load(&path, &[first, second, second, first]).new, 2);
                }
                check_pair(&Index::open(&path).expect("opens"), one, other, id);
            }
        }
    }
}

fn check_pair(index: &Index, one: &str, other: &str, id: &str) {
    assert_eq!(index.rows().expect("is counted"), 2);
    let mut rows = find(index, &[]).0;
    rows.sort_unstable();
    let mut both = vec![one.to_owned(), other.to_owned()];
    both.sort_unstable();
    assert_eq!(rows, both);
    for url in [one, other] {
        let lookup = index.get_url(url, None).expect("is looked up");
        assert!(lookup.is_stored);
        if id.is_empty() {
            continue;
        }
        assert_eq!((lookup.others, lookup.id.map(|id| id.to_string()).as_deref()), (1, Some(id)));
        let mut under_id = Vec::new();
        let collect = &mut |row: urlid_store::question::Row<'_>| {
            under_id.push(row.url.to_owned());
            ControlFlow::Continue(())
        };
        assert_eq!(index.get_id(&Sxurl::from_hex(id).expect("is an id"), collect).expect("is read"), 2);
        assert_eq!(under_id, both);
    }
}

#[test]
fn neither_of_a_pair_answers_for_the_other() {
    let (_directory, path) = fresh("pairs.urlid");
    let urls: Vec<&str> = PAIRS.iter().flat_map(|(one, other, _)| [*one, *other]).collect();
    load(&path, &urls);
    let index = Index::open(&path).expect("opens");
    let asks: [(Condition, &str); 6] = [
        (Condition::Query, "id=27901"),
        (Condition::Fragment, "s2087"),
        (Condition::Sub, "u47858"),
        (Condition::Path, "/aa1bc0670ee7201"),
        (Condition::Domain, "d4f44fff7a187fb"),
        (Condition::Tld, "sc"),
    ];
    for (ask, (one, _, _)) in asks.into_iter().zip(PAIRS) {
        let questions = match ask.0 {
            Condition::Tld => vec![vec![ask]],
            _ => vec![vec![ask], vec![ask, (Condition::Tld, "com")]],
        };
        for conditions in questions {
            let (urls, found) = find(&index, &conditions);
            assert_eq!(urls, [one], "{conditions:?}");
            assert_eq!((found.rows, found.dropped), (1, 1), "{conditions:?}");
        }
    }
}

/// The slice of this fragment is that of no fragment, and rows without one are not in an index on fragments.
#[test]
fn a_fragment_with_the_slice_of_the_empty_text_is_found_whatever_the_indexes() {
    let (_directory, path) = fresh("index.urlid");
    let url = "https://example.com/#542829";
    load(&path, &[url, "https://example.com/", "https://example.com/#other"]);
    let questions = [
        vec![(Condition::Fragment, "542829")],
        vec![(Condition::Fragment, "542829"), (Condition::Under, "com")],
    ];
    let ask =
        || questions.each_ref().map(|conditions| find(&Index::open(&path).expect("opens"), conditions).0);
    assert_eq!(ask(), [[url], [url]]);
    urlid_store::file::add_slice_indexes(&path, &urlid_store::question::SliceIndex::ALL).expect("makes");
    assert_eq!(ask(), [[url], [url]]);
}

#[test]
fn two_thousand_rows_under_two_tlds_of_one_slice() {
    let (_directory, path) = fresh("tlds.urlid");
    let urls: Vec<String> =
        (0..1000).flat_map(|n| ["sc", "tax"].map(|tld| format!("https://h{n}.example.{tld}/"))).collect();
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    let index = Index::open(&path).expect("opens");
    for tld in ["sc", "tax"] {
        let (urls, found) = find(&index, &[(Condition::Tld, tld)]);
        assert_eq!((found.rows, found.dropped), (1000, 1000));
        assert!(urls.iter().all(|url| url.ends_with(&format!(".{tld}/"))));
    }
    let stats = index.stats().expect("counts");
    let tlds: Vec<(&str, u64)> = stats.tlds.iter().map(|group| (group.name.as_str(), group.rows)).collect();
    assert_eq!(tlds, [("sc", 1000), ("tax", 1000)]);
    let domains: Vec<&str> = stats.domains.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(domains, ["example.sc", "example.tax"]);
}
