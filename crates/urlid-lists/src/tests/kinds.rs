//! Compiled lists of each kind: they match what the whole list matches, and their false hits are as many as
//! is said.

use super::*;
use urlid::hashed_uri::Key;

fn stores() -> Vec<Store> {
    let mut stores = vec![Store::WHOLE];
    stores.extend([ListKind::Exact, ListKind::Prefix].map(Store::usual));
    stores.extend([40, 64, 160, 512].map(|bits| Store::new(ListKind::Exact, Some(bits)).unwrap()));
    stores
}

#[test]
fn every_kind_matches_what_the_whole_list_matches() {
    let uris = uris();
    for (variant, intake) in VARIANT_INTAKES {
        for covers in COVERS {
            let rules = ListRules { variant, intake, keep: Keep::ALL, covers };
            let algorithms = [Algorithm::Sha1, Algorithm::Md5, Algorithm::XSha512];
            let whole = build(rules, &algorithms, uris.iter().map(String::as_str).step_by(2));
            for store in stores() {
                let list = whole.compile(store).unwrap();
                let again = HiddenList::from_compiled(compiled(&list)).unwrap();
                assert_eq!((again.header(), again.len()), (list.header(), list.len()));
                assert_eq!(compiled(&again), compiled(&list));
                for uri in &uris {
                    let expected = found(&whole, uri);
                    for list in [&list, &again] {
                        assert_eq!(found(list, uri), expected, "{store}: {uri}");
                    }
                }
            }
        }
    }
}

#[test]
fn candidates_find_the_same_together_and_separately() {
    let uris: Vec<String> = (0..3000).map(|number| format!("http://h.example/{number}")).collect();
    let key = Key::new(&[7; 32]).unwrap();
    let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::XHmacSha256], Some(&key)).unwrap();
    uris.iter().step_by(3).for_each(|uri| builder.add(uri, None).unwrap());
    let whole = builder.finish();
    for store in stores() {
        let list = HiddenList::from_compiled(compiled(&whole.compile(store).unwrap())).unwrap();
        let matcher = ListMatcher::new(&list, Some(&key)).unwrap();
        let (mut scratch, mut found) = (Scratch::default(), Vec::new());
        let texts: Vec<&str> = uris.iter().map(String::as_str).collect();
        matcher.find_many(&mut scratch, &texts, None, &mut found);
        for (index, found) in found.iter().enumerate() {
            let alone = matcher.find(&mut scratch, texts[index], None).unwrap().map(|found| found.entry);
            assert_eq!(found, &Ok(alone), "{store}");
            assert!(index % 3 != 0 || alone.is_some(), "{store}");
            // A hit shows the digest of the candidate, whole.
            assert!(alone.is_none_or(|entry| entry.digest().len() == 32 && !entry.to_string().contains('*')));
        }
    }
}

/// Of a million candidates that are not listed, as many are found as the certainty says, within five standard
/// deviations.
#[test]
fn false_hits_match_the_prediction() {
    let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None).unwrap();
    for number in 0..40_000 {
        builder.add(&format!("http://listed.example/{number}"), None).unwrap();
    }
    let whole = builder.finish();
    const TRIED: u32 = 200_000;
    for (store, chance) in
        [(Store::usual(ListKind::Prefix), 40_000.0 / 4_294_967_296.0), (Store::usual(ListKind::Exact), 0.0)]
    {
        let list = whole.compile(store).unwrap();
        let said = list.certainty().chance();
        assert!((said - chance).abs() <= chance * 0.01 + 1e-19, "{store}: {said}");
        let matcher = ListMatcher::new(&list, None).unwrap();
        let mut scratch = Scratch::default();
        let mut hits = 0;
        for number in 0..TRIED {
            let uri = format!("http://other.example/{number}");
            hits += u32::from(matcher.find(&mut scratch, &uri, None).unwrap().is_some());
        }
        let expected = f64::from(TRIED) * chance;
        assert!((f64::from(hits) - expected).abs() <= 5.0 * expected.sqrt() + 1.0, "{store}: {hits}");
    }
    assert_eq!(whole.certainty(), Certainty::Certain);
}

#[test]
fn shortened_digests_cannot_be_made_whole_again() {
    let whole = build(ListRules::default(), &[Algorithm::Sha1], ["http://a.example/", "http://b.example/"]);
    let exact = whole.compile(Store::usual(ListKind::Exact)).unwrap();
    let prefix = exact.compile(Store::usual(ListKind::Prefix)).unwrap();
    assert_eq!(compiled(&prefix), compiled(&whole.compile(Store::usual(ListKind::Prefix)).unwrap()));
    let code = |list: Result<HiddenList, Error>| list.map(drop).unwrap_err().code();
    for (list, store) in [
        (&exact, Store::WHOLE),
        (&exact, Store::new(ListKind::Exact, Some(88)).unwrap()),
        (&prefix, Store::usual(ListKind::Exact)),
    ] {
        assert_eq!(code(list.compile(store)), ErrorCode::ListKind, "{store}");
    }
    assert!(exact.write_text(&mut Vec::new()).is_err());
    assert!(whole.write_text(&mut Vec::new()).is_ok());
    let entries = |list: &HiddenList| list.entries().map(|entry| entry.to_string()).collect::<Vec<_>>();
    for (cut, whole) in entries(&prefix).iter().zip(entries(&whole)) {
        assert_eq!(*cut, format!("{}*", &whole[..cut.len() - 1]));
        assert_eq!(cut.len(), "hashed:sha1=".len() + 8 + 1);
    }
    // Sets of digests of one length are merged and compared, others are not.
    let merged = HiddenList::merge(&[prefix.clone(), prefix.clone()]).unwrap();
    assert_eq!(compiled(&merged), compiled(&prefix));
    assert_eq!(prefix.differences(&prefix).unwrap().count(), 0);
    assert_eq!(code(HiddenList::merge(&[prefix.clone(), exact.clone()])), ErrorCode::ListHeader);
    assert!(prefix.differences(&exact).is_err());
}

/// The bytes that the issue of hidden lists allows for an entry, of digests that are random numbers.
#[test]
fn a_list_has_few_bytes_an_entry() {
    const ENTRIES: usize = 1_000_000;
    let mut digests = Collected::default();
    let mut state = 7_u64;
    for _ in 0..ENTRIES * 20 / 8 + 1 {
        // The steps of SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        digests.with(Keep::NONE).extend((mixed ^ mixed >> 31).to_le_bytes());
    }
    digests.with(Keep::NONE).truncate(ENTRIES * 20);
    let header = build(ListRules::default(), &[Algorithm::Sha1], []).header;
    let whole = HiddenList::sort(header, vec![digests], Vec::new());
    for (store, most) in [
        (Store::usual(ListKind::Exact), 7.8),
        // A false match in a million, as few bytes as a filter that has one in 65,536.
        (Store::new(ListKind::Exact, Some(40)).unwrap(), 2.77),
        (Store::usual(ListKind::Prefix), 1.8),
    ] {
        let bytes = compiled(&whole.compile(store).unwrap()).len() as f64 / ENTRIES as f64;
        assert!(bytes <= most, "{store}: {bytes} bytes");
    }
}
