//! The text form and the compiled form.

use super::*;
use urlid::ErrorCode;

#[test]
fn both_forms_read_back_as_they_were_written() {
    let uris = uris();
    for (variant, intake) in VARIANT_INTAKES {
        for covers in COVERS {
            let rules = ListRules { variant, intake, keep: Keep::ALL, covers };
            let list = build(
                rules,
                &[Algorithm::Sha1, Algorithm::Md5, Algorithm::XSha512],
                uris.iter().map(String::as_str),
            );
            let (again, rejected) = read(&text(&list)).unwrap();
            assert_eq!((text(&again), rejected), (text(&list), Vec::new()));
            let again = HiddenList::from_compiled(compiled(&list)).unwrap();
            assert_eq!((text(&again), compiled(&again)), (text(&list), compiled(&list)));
            assert_eq!(again.header(), list.header());
        }
    }
}

#[test]
fn lines_are_sorted_and_do_not_depend_on_order_or_repeats() {
    let uris = uris();
    let rules = rfc3986(Variant::N, Keep::ALL, Covers::Url);
    let list = build(rules, &[Algorithm::XBlake3, Algorithm::Md5], uris.iter().map(String::as_str));
    let lines: Vec<String> =
        text(&list).lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    assert!(lines.is_sorted_by(|a, b| a < b));
    assert_eq!(lines.len() as u64, list.header().count());
    let twice = uris.iter().rev().chain(&uris).map(String::as_str);
    assert_eq!(
        text(&build(rules, &[Algorithm::Md5, Algorithm::XBlake3, Algorithm::Md5], twice)),
        text(&list)
    );
}

/// The order of the rows of groups, in a list and in a delta, is that of the flags' texts.
#[test]
fn rows_are_in_the_order_of_the_texts_of_flags() {
    let rules = rfc3986(Variant::N, Keep::ALL, Covers::Url);
    let uris = ["http://a/", "http://a/?q", "http://a/#f", "http://a/?q#f"];
    let list = build(rules, &[Algorithm::Sha1], uris);
    let flags = |bytes: &[u8], section: usize, row: usize| -> Vec<u8> {
        let lengths =
            bytes[20..].chunks_exact(8).map(|length| usize::from(length[0]) | usize::from(length[1]) << 8);
        let start = 20 + 8 * section + lengths.take(2).sum::<usize>();
        bytes[start..start + 4 * row].chunks_exact(row).map(|row| row[16]).collect()
    };
    assert_eq!(flags(&compiled(&list), 4, 32), [0, 2, 3, 1]);
    let empty = build(rules, &[Algorithm::Sha1], []);
    let mut delta = Vec::new();
    Delta::between(&empty, &list, None).unwrap().write(&mut delta).unwrap();
    assert_eq!(flags(&delta, 6, 48), [0, 2, 3, 1]);
    let texts: Vec<String> = list.entries().map(|entry| entry.keep.flags().to_string()).collect();
    let mut sorted = ["", "+frag", "+frag+query", "+query"].to_vec();
    sorted.sort_unstable();
    assert!(sorted.iter().all(|flags| texts.iter().any(|text| text == flags)));
}

/// `digest` is that of the entries as they are written: in lower case, sorted, each once; `count` counts the
/// lines.
#[test]
fn repeats_count_and_do_not_change_the_digest() {
    let line = "hashed:md5=be96302a0468481aca954431cf293e05\n";
    let repeated =
        SMALL.replace("count: 3", "count: 4") + &line.to_uppercase().replace("HASHED:MD5", "hashed:md5");
    assert_eq!(read(&repeated).map(|(list, _)| text(&list)), Ok(SMALL.to_owned()));
    assert!(read(&(SMALL.to_owned() + line)).is_err());
    assert_eq!(read(&SMALL.replace(line, &format!("\n{line}\n"))).map(|(list, _)| list.len()), Ok(3));
}

#[test]
fn a_flipped_digit_of_a_text_list_is_noticed() {
    let flipped = SMALL.replace("hashed:md5=b", "hashed:md5=c");
    let error = read(&flipped).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ListHeader);
    assert!(
        error.to_string().starts_with("entries of the list do not match its header: found digest "),
        "{error}"
    );
    // The order and the case of lines do not count, and a line that is rejected is reported as such.
    let mut lines: Vec<&str> = SMALL.lines().collect();
    lines[11..].reverse();
    let turned = lines.join("\n").replace("hashed:", "HASHED:");
    assert_eq!(
        read(&turned).map(|(list, rejected)| (text(&list), rejected)),
        Ok((SMALL.to_owned(), Vec::new()))
    );
    let (list, rejected) = read(&SMALL.replace("hashed:md5=b", "hashed:md5=x")).unwrap();
    assert_eq!((list.len(), rejected.len()), (2, 1));
}

#[test]
fn keyed_and_unkeyed_algorithms_together_are_rejected_in_both_forms() {
    let key = urlid::hashed_uri::Key::new(&[7; 32]).unwrap();
    let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::XHmacSha256], Some(&key)).unwrap();
    builder.add("http://h.example/", None).unwrap();
    let mut list = builder.finish();
    list.header.algorithms.insert(0, Algorithm::Sha1);
    let message = "list header has keyed and unkeyed algorithms: expected one kind, because unkeyed digests reveal the keyed entries";
    let error = read(&text(&list)).unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (ErrorCode::ListHeader, message));
    let error = HiddenList::from_compiled(compiled(&list)).unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (ErrorCode::ListHeader, message));
}

#[test]
fn unknown_algorithms_are_kept_and_not_checked() {
    let (list, rejected) = read(SMALL).unwrap();
    assert_eq!((text(&list).as_str(), rejected), (SMALL, Vec::new()));
    assert_eq!(list.not_checkable(), ["hashed:x-other=00ff".parse().unwrap()]);
    let compiled = compiled(&list);
    assert!(String::from_utf8_lossy(&compiled).contains("\n# count: 3\n"), "they count among the digests");
    assert_eq!(text(&HiddenList::from_compiled(compiled).unwrap()), SMALL);
    assert_eq!(found(&list, "http://www.thus.net#end"), ["http://www.thus.net#end", "http://www.thus.net"]);
}

#[test]
fn bad_lines_are_rejected_by_number_and_the_others_read() {
    let broken = SMALL.replace("hashed:sha1=31a7", "hashed:sha1=31 7").replace("count: 3", "count: 4")
        + "# late: 1\n\n";
    let (list, rejected) = read(&broken).unwrap();
    assert_eq!(
        rejected,
        [
            (
                13,
                "hashed URI breaks its grammar at byte 14: expected `+frag`, `+query` or the end".to_owned()
            ),
            (15, "header line comes after the first entry: expected it before all entries".to_owned()),
        ]
    );
    assert_eq!(list.len(), 2);
    let mut reader = ListReader::new();
    SMALL.lines().take(13).for_each(|line| reader.line(line).unwrap());
    reader.skip_line().unwrap();
    assert_eq!(reader.finish().unwrap().len(), 2);
}

#[test]
fn an_invalid_or_contradicted_header_is_an_error() {
    let change = |from: &str, to: &str| read(&SMALL.replace(from, to)).unwrap_err().to_string();
    let cases = [
        ("# urlid-list: 1\n", "", "list header lacks `urlid-list`"),
        ("# urlid-list: 1", "# urlid-list: 2", "list has format version `2`, expected 1"),
        ("# urlid-list: 1", "# urlid-list: 01", "list has format version `01`, expected 1"),
        ("# urlid-list: 1", "# urlid-list: 0", "list has format version `0`, expected 1"),
        (
            "# variant: n",
            "# kind: exact\n# variant: n",
            "list header has an unknown key in line 2: found `kind`",
        ),
        ("# made", "# date", "list header has an unknown key in line 11: found `date`"),
        (
            "# made",
            "# sequence: 07\n# made",
            "list header has an invalid `sequence`: found `07`, expected a number",
        ),
        ("# user-info: keep\n", "", "list header lacks `user-info`"),
        (
            "user-info: keep",
            "user-info: drop",
            "list header has an invalid `user-info`: found `drop`, expected keep, for the intake is rfc3986",
        ),
        (
            "user-info: keep",
            "user-info: name",
            "list header has an invalid `user-info`: found `name`, expected drop or keep",
        ),
        ("# intake: rfc3986\n", "", "list header lacks `intake`"),
        (
            "rfc3986",
            "rfc2396",
            "list header has an invalid `intake`: found `rfc2396`, expected rfc3986 or web",
        ),
        ("rfc3986", "web", "list header lacks `unicode`"),
        (
            "# variant: n\n# intake: rfc3986",
            "# variant: none\n# intake: web",
            "list header has the intake `web` with variant `none`, expected `rfc3986`",
        ),
        ("# made", "# unicode: 18.0\n# made", "list header has `unicode`, and the intake is not `web`"),
        (
            "# digest: ",
            "# digest: 0",
            "list header has an invalid `digest`: found `02f88f822b5d5c34834924cf335e702c8b4f35f415909dd0dd8240a0c888eff8…`, expected 64 hexadecimal digits",
        ),
        ("# variant: n\n", "", "list header lacks `variant`"),
        (
            "# variant: n",
            "#variant: n",
            "list header has a malformed line 2: found `#variant: n`, expected `# key: value`",
        ),
        (
            "# variant: n",
            "# variant: q",
            "list header has an invalid `variant`: found `q`, expected none, n or p",
        ),
        ("# variant: n", "# colour: red", "list header has an unknown key in line 2: found `colour`"),
        ("# variant: n", "# urlid-list: 1", "list header repeats `urlid-list` in line 2: expected it once"),
        (
            "md5,sha1",
            "sha1,md5",
            "list header has an invalid `algorithms`: found `sha1,md5,x-other`, expected names of hash algorithms, ascending, with commas",
        ),
        (
            "keep: fragment",
            "keep: all",
            "list header has an invalid `keep`: found `all`, expected none, query, fragment or query,fragment",
        ),
        (
            "covers: url",
            "covers: hosts",
            "list header has an invalid `covers`: found `hosts`, expected url, directory or subdomains",
        ),
        (
            "snapshot: none",
            "snapshot: some",
            "list header has an invalid `snapshot`: found `some`, expected none, for there are no hosts to route",
        ),
        ("count: 3", "count: +3", "list header has an invalid `count`: found `+3`, expected a number"),
        (
            "2026-11-21",
            "2026-11-31",
            "list header has an invalid `made`: found `2026-11-31`, expected a date as 2026-01-31, or a time as 2026-01-31T12:00:00Z",
        ),
        (
            "# made",
            "# key-id: 0011223344556677\n# made",
            "list header has `key-id`, and no algorithm needs a key",
        ),
        (
            "md5,sha1",
            "md5,sha1,x-hmac-sha256",
            "list header has keyed and unkeyed algorithms: expected one kind, because unkeyed digests reveal the keyed entries",
        ),
        ("md5,sha1,x-other", "x-hmac-sha256", "list header lacks `key-id`"),
        ("count: 3", "count: 4", "length of the list does not match its header: found 3 entries, expected 4"),
        (
            "md5,sha1,x-other",
            "md5,sha1",
            "list has an entry in line 14 by an algorithm that its header does not name: found x-other",
        ),
        (
            "keep: fragment",
            "keep: query",
            "list has an entry in line 13 with flags that its header does not name: found +frag",
        ),
    ];
    for (from, to, message) in cases {
        assert!(SMALL.contains(from));
        assert_eq!(change(from, to), message);
    }
    assert_eq!(read("").unwrap_err().code(), ErrorCode::ListHeader);
    assert_eq!(
        read("hashed:md5=be96302a0468481aca954431cf293e05").unwrap_err().to_string(),
        "list header lacks `urlid-list`"
    );
}

#[test]
fn any_changed_byte_of_a_compiled_list_is_noticed() {
    let bytes = compiled(&read(SMALL).unwrap().0);
    for offset in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[offset] ^= 0x20;
        assert!(HiddenList::from_compiled(damaged).is_err(), "byte {offset}");
        assert!(HiddenList::from_compiled(bytes[..offset].to_vec()).is_err(), "cut at {offset}");
    }
    assert!(HiddenList::from_compiled([&bytes[..], b"\0"].concat()).is_err());
}

/// A forged list can have a correct checksum, so its contents are checked too.
#[test]
fn a_contradictory_compiled_list_is_an_error_even_with_the_right_checksum() {
    let good = compiled(&read(SMALL).unwrap().0);
    let table = good.len() - 32 - 17 - 21 - 64;
    let change = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good[..good.len() - 32].to_vec();
        edit(&mut bytes);
        let checksum = urlid::internal::digest::sha256(&[&bytes]);
        bytes.extend(checksum);
        HiddenList::from_compiled(bytes).map(|_| ()).map_err(|error| (error.code(), error.to_string()))
    };
    let error = |text: &str| Err((ErrorCode::ListHeader, text.to_owned()));
    let table_error = "compiled list has a group table that does not fit its header or its digests";
    let text_error = "compiled list has a malformed header or unknown entries";
    assert_eq!(change(&|_| {}), Ok(()));
    let damaged =
        error("compiled list is damaged: it is cut short, is inconsistent, or does not end with its SHA-256");
    let order_error = "compiled list has digests that are missing, repeated or not ascending";
    let other = "compiled list does not start with `urlidbin`";
    assert_eq!(change(&|bytes| bytes[0] = b'U'), error(other));
    assert_eq!(change(&|bytes| bytes[8] = 5), error("compiled list has format version 5, expected 1"));
    for (kind, name) in [(2, "delta"), (4, "shard"), (9, "kind 9")] {
        let other = format!("file has the wrong kind of data: found {name}, expected compiled list");
        assert_eq!(change(&|bytes| bytes[12] = kind), error(&other));
    }
    // A number, more bytes than there are, more than a number can be, and fewer.
    assert_eq!(change(&|bytes| bytes[16] = 1), damaged);
    for section in 0..4 {
        let length = 20 + 8 * section;
        assert_eq!(change(&|bytes| bytes[length] += 1), damaged);
        assert_eq!(change(&|bytes| bytes[length..length + 8].fill(0xff)), damaged);
        assert_eq!(change(&|bytes| bytes[length] -= 1), damaged);
    }
    assert_eq!(change(&|bytes| bytes[table] = b'x'), error(table_error));
    assert_eq!(change(&|bytes| bytes[table + 16] = 4), error(table_error));
    assert_eq!(change(&|bytes| bytes[table + 16] = 1), error(table_error));
    assert_eq!(change(&|bytes| bytes[table + 24..table + 32].fill(0xff)), error(table_error));
    assert_eq!(change(&|bytes| bytes[table + 24] = 0), error(order_error));
    assert_eq!(change(&|bytes| bytes.push(0)), damaged);
    assert_eq!(change(&|bytes| bytes[table - 20..table].make_ascii_uppercase()), error(text_error));
    assert_eq!(change(&|bytes| bytes[table - 1] = 0xff), error(text_error));
}

#[test]
fn lists_matchers_and_builders_can_be_shared_and_sent() {
    fn check<T: Send + Sync>() {}
    check::<HiddenList>();
    check::<ListMatcher>();
    check::<ListBuilder>();
    check::<Audit<'_>>();
}
