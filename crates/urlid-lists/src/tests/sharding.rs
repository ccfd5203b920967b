//! Lists in shards: they match what the whole list matches, and a shard of something else is never taken.

use super::*;
use urlid::hashed_uri::Key;
use urlid::suffix::{Sections, SuffixList};

/// Returns the bytes of the shards.
fn files(shards: &ShardSet) -> Vec<Vec<u8>> {
    let write = |number| {
        let mut bytes = Vec::new();
        shards.write(number, &mut bytes).unwrap();
        bytes
    };
    (0..shards.count()).map(write).collect()
}

fn sharded(list: &HiddenList, routes: Option<&Routes>, bits: u32) -> (ShardMatcher, Vec<Vec<u8>>) {
    let shards = list.shards(bits, routes, Padding::Equal).unwrap();
    let index = ShardIndex::from_bytes(shards.index()).unwrap();
    assert_eq!((index.header().count(), index.bits()), (list.len(), bits));
    assert_eq!(index.header().snapshot().is_some(), list.header().rules().covers == Covers::Subdomains);
    (ShardMatcher::new(index, None).unwrap(), files(&shards))
}

#[test]
fn shards_match_what_the_list_matches() {
    let uris = uris();
    let mut uris: Vec<&str> = uris.iter().map(String::as_str).collect();
    uris.extend([
        "http://a.co.uk/x/",
        "http://b.a.co.uk/x/y",
        "http://co.uk/",
        "http://c.d.e.f.g.b.a.co.uk/x/?q",
        "http://.a.co.uk/",
        "http://amazonaws.com/",
        "http://b.s3.amazonaws.com/x",
        "http://com/",
    ]);
    let algorithms = [Algorithm::Sha1, Algorithm::XSha256];
    for (variant, intake) in VARIANT_INTAKES {
        for covers in COVERS {
            let rules = ListRules { variant, intake, keep: Keep::ALL, covers };
            let builder = ListBuilder::new(rules, &algorithms, None).unwrap();
            let mut builder = builder.with_routes(SuffixList::compiled());
            uris.iter().step_by(3).for_each(|uri| builder.add(uri, None).unwrap());
            let (whole, routes) = builder.finish_routed();
            let mut written = Vec::new();
            routes.write(&mut written).unwrap();
            let routes = Routes::read(str::from_utf8(&written).unwrap(), SuffixList::compiled()).unwrap();
            for store in [Store::WHOLE, Store::usual(ListKind::Exact), Store::usual(ListKind::Prefix)] {
                let list = whole.compile(store).unwrap();
                let (matcher, files) = sharded(&list, Some(&routes), 5);
                let plain = ListMatcher::new(&list, None).unwrap();
                let mut scratch = Scratch::default();
                for uri in &uris {
                    let asked = matcher.asks(&mut scratch, uri, None).unwrap();
                    // One shard is asked for, whatever there is above a candidate.
                    let most = if covers == Covers::Url { 8 } else { 1 };
                    assert!((1..=most).contains(&asked.len()), "{rules:?} {uri}: {asked:?}");
                    let fetch = |number: u32| Ok(files[number as usize].clone());
                    let found = matcher.find_by(&mut scratch, uri, None, fetch).unwrap();
                    assert_eq!(found, plain.find(&mut scratch, uri, None).unwrap(), "{rules:?} {uri}");
                }
            }
        }
    }
}

#[test]
fn padded_shards_have_one_size_and_others_are_smaller() {
    let uris: Vec<String> = (0..500).map(|number| format!("http://h.example/{number}")).collect();
    let list = build(ListRules::default(), &[Algorithm::Sha1], uris.iter().map(String::as_str));
    let padded = list.shards(4, None, Padding::Equal).unwrap();
    let plain = list.shards(4, None, Padding::None).unwrap();
    assert_eq!(padded.index(), plain.index());
    let index = ShardIndex::from_bytes(plain.index()).unwrap();
    let [padded, plain] = [files(&padded), files(&plain)];
    assert!(padded.iter().all(|shard| shard.len() == padded[0].len()));
    assert!(plain.iter().any(|shard| shard.len() < padded[0].len()));
    for shard in [padded, plain].iter().flat_map(|shards| (0..).zip(shards)) {
        index.read(shard.0, shard.1.clone()).unwrap();
    }
}

#[test]
fn other_shards_are_rejected() {
    let list = |number: u32| {
        let uris = [number, number + 1].map(|number| format!("http://h.example/{number}"));
        build(ListRules::default(), &[Algorithm::Sha1], uris.iter().map(String::as_str))
    };
    let (matcher, shards) = sharded(&list(1), None, 2);
    let (_, others) = sharded(&list(2), None, 2);
    let read = |number: u32, bytes: &[u8]| matcher.index().read(number, bytes.to_vec()).map(drop);
    let code = |result: Result<(), Error>| result.unwrap_err().code();
    for number in 0..4 {
        let bytes = &shards[number as usize];
        read(number, bytes).unwrap();
        assert_eq!(code(read(number, &others[number as usize])), ErrorCode::ListShard);
        assert_eq!(code(read(number, &shards[number as usize ^ 1])), ErrorCode::ListShard);
        assert_eq!(code(read(number ^ 1, bytes)), ErrorCode::ListShard);
        assert_eq!(code(read(number + 4, bytes)), ErrorCode::ListShard);
        for offset in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[offset] ^= 4;
            assert_eq!(code(read(number, &damaged)), ErrorCode::ListShard, "byte {offset}");
        }
        for end in 0..bytes.len() {
            assert_eq!(code(read(number, &bytes[..end])), ErrorCode::ListShard);
        }
    }
    // A shard that is not given is an error, never a miss.
    let mut scratch = Scratch::default();
    let missing = matcher.find(&mut scratch, "http://h.example/1", None, &[]).map(drop);
    assert_eq!(code(missing), ErrorCode::ListShard);

    let mut index = list(1).shards(2, None, Padding::None).unwrap().index().to_vec();
    for offset in 0..index.len() {
        index[offset] ^= 4;
        assert_eq!(code(ShardIndex::from_bytes(&index).map(drop)), ErrorCode::ListShard, "byte {offset}");
        index[offset] ^= 4;
        assert!(ShardIndex::from_bytes(&index[..offset]).is_err());
    }
}

#[test]
fn an_impossible_sharding_is_an_error() {
    let list = build(ListRules::default(), &[Algorithm::Sha1], ["http://h.example/"]);
    let code = |list: &HiddenList, bits, routes: Option<&Routes>| {
        list.shards(bits, routes, Padding::None).map(drop).unwrap_err().code()
    };
    assert_eq!(code(&read(SMALL).unwrap().0, 4, None), ErrorCode::ListKind);
    for bits in [0, 21, 64] {
        assert_eq!(code(&list, bits, None), ErrorCode::Argument);
    }
    let rules = ListRules { covers: Covers::Directory, ..ListRules::default() };
    let directories = build(rules, &[Algorithm::Sha1], ["http://h.example/"]);
    assert_eq!(code(&directories, 4, None), ErrorCode::ListShard);
    assert_eq!(code(&directories, 4, Some(&Routes::default())), ErrorCode::ListShard);
    for (bad, said) in [
        ("", "first line"),
        ("# urlid-list-routes: 2\nhashed:sha1=00 00000000\n", "first line"),
        ("# urlid-list-routes: 1\n", "second line"),
        ("# urlid-list-routes: 1\n# snapshot: some\n", "second line"),
        (
            "# urlid-list-routes: 1\n# snapshot: none\nhashed:sha1=00 00000000\n",
            "line 3 of the routes is malformed",
        ),
    ] {
        let error = Routes::read(bad, SuffixList::compiled()).unwrap_err();
        assert!(error.code() == ErrorCode::ListShard && error.to_string().contains(said), "{bad}: {error}");
    }
    // What a shard may have is checked before it is written, and again when it is read.
    let size = |most| list.shards_of(1, None, Padding::Equal, most).map(drop).map_err(|error| error.code());
    assert_eq!([size(100), size(10_000)], [Err(ErrorCode::ListShard), Ok(())]);
    let (matcher, _) = sharded(&list, None, 1);
    let large = matcher.index().read(0, vec![0; ShardIndex::MOST_BYTES + 1]);
    assert_eq!(large.map(drop).unwrap_err().code(), ErrorCode::ListShard);
    assert!(ShardIndex::from_bytes(&vec![0; ShardIndex::MOST_BYTES + 1]).is_err());
}

/// Routes name the suffix list that they follow from, and the index carries it: its readers may have another.
#[test]
fn candidates_are_routed_by_the_suffix_list_of_the_index() {
    let own = SuffixList::parse("// VERSION: own\nio\nb.io\n", Sections::All).unwrap();
    let rules = ListRules { covers: Covers::Subdomains, ..ListRules::default() };
    let builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).unwrap();
    let mut builder = builder.with_routes(&own);
    for uri in ["http://a.b.io/", "http://github.io/", "http://b.io/", "http://x.github.io/"] {
        builder.add(uri, None).unwrap();
    }
    let (list, routes) = builder.finish_routed();
    let mut written = Vec::new();
    routes.write(&mut written).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert_eq!(written.lines().filter(|line| line.ends_with(" index")).count(), 1, "{written}");
    let other = Routes::read(&written, SuffixList::compiled()).unwrap_err();
    assert_eq!(other.code(), ErrorCode::Snapshot);
    assert!(
        other.to_string().starts_with("routes were made with a different public suffix list: found `2026"),
        "{other}"
    );
    let (matcher, files) = sharded(&list, Some(&Routes::read(&written, &own).unwrap()), 8);
    assert_eq!(matcher.index().entries(), 1);
    let plain = ListMatcher::new(&list, None).unwrap();
    let scratch = &mut Scratch::default();
    for host in ["a.b.io", "c.a.b.io", "c.b.io", "github.io", "y.github.io", "z.x.github.io", "io", "c.io"] {
        let uri = format!("http://{host}/p");
        let found =
            matcher.find_by(scratch, &uri, None, |number| Ok(files[number as usize].clone())).unwrap();
        assert_eq!(found, plain.find(scratch, &uri, None).unwrap(), "{host}");
    }
}

/// Hosts of labels that are rules, inner names or nothing: whatever an entry is, the shard of each candidate
/// has it, or the index.
#[test]
fn every_candidate_looks_where_the_entries_above_it_are() {
    const LABELS: [&str; 14] =
        ["", "a", "b", "com", "co", "uk", "amazonaws", "s3", "kawasaki", "jp", "city", "ck", "www", "1"];
    let mut state = 7_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let mut host = || {
        let labels: Vec<&str> = (0..=below(6)).map(|_| LABELS[below(LABELS.len())]).collect();
        labels.join(".") + ["", "", ".", ".."][below(4)]
    };
    for (variant, intake) in [(Variant::N, Intake::default()), (Variant::P, Intake::Rfc3986)] {
        let rules = ListRules { variant, intake, keep: Keep::NONE, covers: Covers::Subdomains };
        let builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).unwrap();
        let mut builder = builder.with_routes(SuffixList::compiled());
        (0..400).for_each(|_| drop(builder.add(&format!("http://{}/", host()), None)));
        let (list, routes) = builder.finish_routed();
        let (matcher, files) = sharded(&list, Some(&routes), 10);
        assert!(matcher.index().entries() > 20 && 2 * matcher.index().entries() < list.len());
        let plain = ListMatcher::new(&list, None).unwrap();
        let (scratch, mut hits) = (&mut Scratch::default(), 0);
        for _ in 0..6000 {
            let uri = format!("http://{}/x", host());
            let Ok(expected) = plain.find(scratch, &uri, None) else { continue };
            let found = matcher.find_by(scratch, &uri, None, |number| Ok(files[number as usize].clone()));
            hits += u32::from(expected.is_some());
            assert_eq!(found.unwrap(), expected, "{uri}");
        }
        assert!(hits > 500, "{hits}");
    }
}

#[test]
fn a_keyed_list_hides_its_routes_behind_the_key() {
    let key = Key::new(&[7; 32]).unwrap();
    let rules = ListRules { covers: Covers::Subdomains, ..ListRules::default() };
    let builder = ListBuilder::new(rules, &[Algorithm::XHmacSha256], Some(&key)).unwrap();
    let mut builder = builder.with_routes(SuffixList::compiled());
    builder.add("http://example.com/", None).unwrap();
    let (list, routes) = builder.finish_routed();
    let shards = list.shards(8, Some(&routes), Padding::Equal).unwrap();
    let index = ShardIndex::from_bytes(shards.index()).unwrap();
    assert_eq!(ShardMatcher::new(index.clone(), None).unwrap_err().code(), ErrorCode::Key);
    let matcher = ShardMatcher::new(index, Some(&key)).unwrap();
    let files = files(&shards);
    let fetch = |number: u32| Ok(files[number as usize].clone());
    let found = matcher.find_by(&mut Scratch::default(), "http://www.example.com/x", None, fetch).unwrap();
    assert_eq!(found.map(|found| found.canonical).as_deref(), Some("http://example.com/"));
}
