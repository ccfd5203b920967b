//! The text form and the compiled form.

use super::*;
use crate::error_code::{Coded, ErrorCode};
use crate::hashed_uri::Keep;

#[test]
fn both_forms_read_back_as_they_were_written() {
    let uris = uris();
    for variant in VARIANTS {
        for ladder in LADDERS {
            let rules = Rules { variant, keep: Keep::ALL, ladder };
            let list = build(
                rules,
                &[Algorithm::Sha1, Algorithm::Md5, Algorithm::XSha512],
                uris.iter().map(String::as_str),
            );
            let (again, refused) = read(&text(&list)).unwrap();
            assert_eq!((text(&again), refused), (text(&list), Vec::new()));
            let again = HiddenList::from_compiled(compiled(&list)).unwrap();
            assert_eq!((text(&again), compiled(&again)), (text(&list), compiled(&list)));
            assert_eq!(again.header(), list.header());
        }
    }
}

#[test]
fn lines_are_sorted_and_do_not_depend_on_order_or_repeats() {
    let uris = uris();
    let rules = Rules { keep: Keep::ALL, ..Rules::default() };
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

#[test]
fn unknown_algorithms_are_kept_and_not_checked() {
    let (list, refused) = read(SMALL).unwrap();
    assert_eq!((text(&list).as_str(), refused), (SMALL, Vec::new()));
    assert_eq!(list.not_checkable(), ["hashed:x-other=00ff".parse().unwrap()]);
    assert_eq!(text(&HiddenList::from_compiled(compiled(&list)).unwrap()), SMALL);
    assert_eq!(found(&list, "http://www.thus.net#end"), ["http://www.thus.net#end", "http://www.thus.net"]);
}

#[test]
fn bad_lines_are_refused_by_number_and_the_others_read() {
    let broken = SMALL.replace("hashed:sha1=31a7", "hashed:sha1=31 7").replace("count: 3", "count: 4")
        + "# late: 1\n\n";
    let (list, refused) = read(&broken).unwrap();
    assert_eq!(
        refused,
        [
            (
                10,
                "hashed URI breaks its grammar at byte 14: expected `+frag`, `+query` or the end".to_owned()
            ),
            (12, "line of the header comes after the first entry".to_owned()),
        ]
    );
    assert_eq!(list.len(), 2);
    assert_eq!(LineError::LateHeader.code(), ErrorCode::ListLine);
    let mut reader = Reader::new();
    SMALL.lines().take(10).for_each(|line| reader.line(line).unwrap());
    reader.skip_line().unwrap();
    assert_eq!(reader.finish().unwrap().len(), 2);
}

#[test]
fn a_header_that_is_none_or_is_contradicted_is_an_error() {
    let change = |from: &str, to: &str| read(&SMALL.replace(from, to)).unwrap_err().to_string();
    let cases = [
        ("# urlid-list: 1\n", "", "list header lacks `urlid-list`"),
        ("# urlid-list: 1", "# urlid-list: 2", "list has format version `2`, expected 1"),
        ("# variant: n\n", "", "list header lacks `variant`"),
        (
            "# variant: n",
            "#variant: n",
            "list header has a malformed line 2: found `#variant: n`, expected `# key: value`",
        ),
        ("# variant: n", "# variant: q", "list header has a bad `variant`: found `q`, expected none, n or p"),
        ("# variant: n", "# colour: red", "list header has an unknown key in line 2: found `colour`"),
        ("# variant: n", "# urlid-list: 1", "list header has `urlid-list` again in line 2, expected it once"),
        (
            "md5,sha1",
            "sha1,md5",
            "list header has a bad `algorithms`: found `sha1,md5,x-other`, expected names of hash algorithms, ascending, with commas",
        ),
        (
            "keep: fragment",
            "keep: all",
            "list header has a bad `keep`: found `all`, expected none, query, fragment or query,fragment",
        ),
        (
            "ladder: none",
            "ladder: up",
            "list header has a bad `ladder`: found `up`, expected none, path or hosts",
        ),
        (
            "ladder: none",
            "ladder: hosts",
            "list header has a bad `snapshot`: found `none`, expected a snapshot, for the ladder has hosts",
        ),
        ("count: 3", "count: +3", "list header has a bad `count`: found `+3`, expected a number"),
        (
            "2026-11-21",
            "2026-11-31",
            "list header has a bad `date`: found `2026-11-31`, expected a date as 2026-01-31",
        ),
        (
            "# date",
            "# key-id: 0011223344556677\n# date",
            "list header has a `key-id`, and no algorithm needs a key",
        ),
        ("md5,sha1", "md5,sha1,x-hmac-sha256", "list header lacks `key-id`"),
        ("count: 3", "count: 4", "list has another length than its header says: found 3 entries, expected 4"),
        (
            "md5,sha1,x-other",
            "md5,sha1",
            "list has an entry in line 11 by an algorithm that its header does not name: found x-other",
        ),
        (
            "keep: fragment",
            "keep: query",
            "list has an entry in line 10 with flags that its header does not name: found +frag",
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

/// Whoever makes a checksum can make it right, so what is inside is checked too.
#[test]
fn a_compiled_list_that_contradicts_itself_is_an_error_with_the_right_checksum_too() {
    let good = compiled(&read(SMALL).unwrap().0);
    let table = good.len() - 32 - 16 - 20 - 64;
    let change = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good[..good.len() - 32].to_vec();
        edit(&mut bytes);
        let checksum = crate::digest::sha256(&[&bytes]);
        bytes.extend(checksum);
        HiddenList::from_compiled(bytes).map(|_| ()).map_err(|error| (error.code(), error.to_string()))
    };
    let error = |text: &str| Err((ErrorCode::ListHeader, text.to_owned()));
    let table_error = "compiled list has a group table that does not fit its header or its digests";
    let text_error = "compiled list has a malformed header or unknown entries";
    assert_eq!(change(&|_| {}), Ok(()));
    assert_eq!(
        change(&|bytes| bytes[0] = b'U'),
        error("not a compiled list: expected it to begin with `urlidlst`")
    );
    assert_eq!(change(&|bytes| bytes[8] = 2), error("compiled list has format version 2, expected 1"));
    assert_eq!(change(&|bytes| bytes[12..24].fill(0xff)), error("compiled list ends too early"));
    assert_eq!(change(&|bytes| bytes[20] = 1), error(table_error));
    assert_eq!(change(&|bytes| bytes[table] = b'x'), error(table_error));
    assert_eq!(change(&|bytes| bytes[table + 16] = 4), error(table_error));
    assert_eq!(change(&|bytes| bytes[table + 16] = 1), error(table_error));
    assert_eq!(change(&|bytes| bytes[table + 24..table + 32].fill(0xff)), error(table_error));
    assert_eq!(
        change(&|bytes| bytes[table + 24] = 0),
        error("compiled list has digests that are missing, repeated or not ascending")
    );
    assert_eq!(change(&|bytes| bytes.push(0)), error(table_error));
    assert_eq!(change(&|bytes| bytes[table - 20..table].make_ascii_uppercase()), error(text_error));
    assert_eq!(change(&|bytes| bytes[table - 1] = 0xff), error(text_error));
}

#[test]
fn lists_matchers_and_builders_can_be_shared_and_sent() {
    fn check<T: Send + Sync>() {}
    check::<HiddenList>();
    check::<Matcher<'_>>();
    check::<Builder>();
    check::<Audit<'_>>();
}
