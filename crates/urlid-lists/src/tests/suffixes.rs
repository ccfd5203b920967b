//! The public suffix list by which hosts climb: carried, named, given or refused.

use super::*;
use urlid::suffix::{Sections, SuffixList};
use urlid::{Error, ErrorCode};

/// A suffix list without the rule `github.io`, so that `a.github.io` climbs to `github.io`. By the compiled one it does not.
fn own() -> SuffixList {
    SuffixList::parse("// VERSION: own\nio\n", Sections::All).unwrap()
}

/// A list of `http://github.io/`, made by a suffix list.
fn list_by(suffixes: &SuffixList, ladder: Ladder) -> HiddenList {
    let builder = ListBuilder::new(Rules { ladder, ..Rules::default() }, &[Algorithm::Sha1], None).unwrap();
    let mut builder = builder.with_suffixes(suffixes);
    builder.add("http://github.io/", None).unwrap();
    builder.finish()
}

/// Returns whether a URL below the entry is found, or the code and the message of the error.
fn find(matcher: Result<ListMatcher, Error>) -> Result<bool, (ErrorCode, String)> {
    let matcher = matcher.map_err(|error| (error.code(), error.to_string()))?;
    let found = matcher.find(&mut Scratch::default(), "http://a.github.io/x", None);
    Ok(found.unwrap().is_some())
}

fn as_text(list: &HiddenList) -> HiddenList {
    read(&text(list)).unwrap().0
}

fn as_compiled(list: &HiddenList) -> HiddenList {
    HiddenList::from_compiled(compiled(list)).unwrap()
}

#[test]
fn a_compiled_list_climbs_by_the_suffix_list_that_it_carries() {
    let list = list_by(&own(), Ladder::Hosts);
    for list in [&list, &as_compiled(&list), &as_compiled(&as_compiled(&list))] {
        assert_eq!(list.suffixes().map(SuffixList::text), Some(own().text()));
        assert_eq!(find(ListMatcher::new(list, None)), Ok(true));
    }
    assert_eq!(compiled(&as_compiled(&list)), compiled(&list));
    let by_compiled = list_by(SuffixList::compiled(), Ladder::Hosts);
    assert_eq!(find(ListMatcher::new(&as_compiled(&by_compiled), None)), Ok(false));
}

#[test]
fn a_text_needs_the_suffix_list_that_it_names() {
    let list = as_text(&list_by(&own(), Ladder::Hosts));
    assert!(list.suffixes().is_none());
    let (code, message) = find(ListMatcher::new(&list, None)).unwrap_err();
    assert_eq!(code, ErrorCode::Snapshot);
    let start = "list climbs by another public suffix list: found `2026-10-22_08-36-41_UTC` with the SHA-256 0232f4df08319113…, sections `all`, expected `own` with the SHA-256 ";
    assert!(message.starts_with(start), "{message}");

    let by = |suffixes: Option<&SuffixList>, on_other| {
        find(ListMatcher::with_suffixes(&list, None, suffixes, on_other)).map_err(|(code, _)| code)
    };
    let (fail, accept) = (OnOtherSuffixes::Fail, OnOtherSuffixes::Accept);
    assert_eq!(by(Some(&own()), fail), Ok(true));
    assert_eq!(by(Some(&own()), accept), Ok(true));
    assert_eq!(by(Some(SuffixList::compiled()), fail), Err(ErrorCode::Snapshot));
    assert_eq!(by(Some(SuffixList::compiled()), accept), Ok(false));
    assert_eq!(by(None, accept), Ok(false));

    assert_eq!(list.clone().with_suffixes(SuffixList::compiled()).unwrap_err().code(), ErrorCode::Snapshot);
    let whole = list.with_suffixes(&own()).unwrap();
    assert_eq!(find(ListMatcher::new(&as_compiled(&whole), None)), Ok(true));
}

/// Without its suffix list a list is compiled without it, and needs it then as its text does.
#[test]
fn a_list_that_lacks_its_suffix_list_lacks_it_when_compiled() {
    let list = as_compiled(&as_text(&list_by(&own(), Ladder::Hosts)));
    assert_eq!(find(ListMatcher::new(&list, None)).unwrap_err().0, ErrorCode::Snapshot);
    assert_eq!(list.check_suffixes().unwrap_err().code(), ErrorCode::Snapshot);
    assert!(list.with_suffixes(&own()).unwrap().check_suffixes().is_ok());
}

#[test]
fn a_list_that_carries_its_suffix_list_takes_another_only_if_that_is_accepted() {
    let list = as_compiled(&list_by(&own(), Ladder::Hosts));
    let by = |suffixes: Option<&SuffixList>, on_other| {
        find(ListMatcher::with_suffixes(&list, None, suffixes, on_other)).map_err(|(code, _)| code)
    };
    assert_eq!(by(None, OnOtherSuffixes::Accept), Ok(true));
    assert_eq!(by(Some(SuffixList::compiled()), OnOtherSuffixes::Fail), Err(ErrorCode::Snapshot));
    assert_eq!(by(Some(SuffixList::compiled()), OnOtherSuffixes::Accept), Ok(false));
}

/// The digest of the text and the sections count, and nothing else that a snapshot names.
#[test]
fn only_the_text_and_the_sections_of_a_suffix_list_are_compared() {
    let text = text(&list_by(SuffixList::compiled(), Ladder::Hosts));
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        find(ListMatcher::new(&read(&text.replace(from, to)).unwrap().0, None)).map_err(|(code, _)| code)
    };
    assert_eq!(changed("psl_version=2026", "psl_version=2025"), Ok(false));
    assert_eq!(changed("psl_commit=8437", "psl_commit=0000"), Ok(false));
    assert_eq!(changed(" unicode=18.0", " unicode=15.0"), Ok(false));
    assert_eq!(changed("host_mapping=e5", "host_mapping=00"), Ok(false));
    assert_eq!(changed("psl_sha256=0232", "psl_sha256=0000"), Err(ErrorCode::Snapshot));
    assert_eq!(changed("psl_sections=all", "psl_sections=some"), Err(ErrorCode::Snapshot));
    // The list of this library is at hand by either sections.
    assert_eq!(changed("psl_sections=all", "psl_sections=icann"), Ok(true));
}

#[test]
fn other_ladders_need_no_suffix_list() {
    for ladder in [Ladder::None, Ladder::Path] {
        let list = list_by(&own(), ladder);
        assert!(list.suffixes().is_none() && list.check_suffixes().is_ok());
        for suffixes in [None, Some(&own())] {
            let matcher = ListMatcher::with_suffixes(&list, None, suffixes, OnOtherSuffixes::Fail);
            assert_eq!(find(matcher), Ok(false));
        }
        assert!(compiled(&list).len() < 1000);
    }
}

/// A forged list can have a correct checksum, so the suffix list is compared with the header.
#[test]
fn a_compiled_list_that_carries_another_suffix_list_is_an_error() {
    let good = compiled(&list_by(&own(), Ladder::Hosts));
    let number = |offset: usize| u32::from_le_bytes(good[offset..][..4].try_into().unwrap()) as usize;
    let (header, packed) = (number(12), number(16));
    let start = 28 + header;
    let other = super::super::other_suffixes::pack(&SuffixList::parse("com\n", Sections::All).unwrap());
    let with = |packed_list: &[u8]| {
        let mut bytes = good[..good.len() - 32].to_vec();
        bytes.splice(start..start + packed, packed_list.iter().copied());
        bytes[16..20].copy_from_slice(&(packed_list.len() as u32).to_le_bytes());
        bytes.extend(urlid::internal::digest::sha256(&[&bytes]));
        HiddenList::from_compiled(bytes).map(drop)
    };
    let own = good[start..start + packed].to_vec();
    assert_eq!(with(&own), Ok(()));
    assert_eq!(with(&[]), Ok(()), "it is not carried");
    let message = "compiled list carries another public suffix list than its header names";
    for forged in [&other[..], b"io\n", &own[..packed - 1], &[&own[..], b"\0"].concat()] {
        assert_eq!(with(forged).map_err(|error| error.to_string()), Err(message.to_owned()));
    }
}

#[test]
fn a_merged_list_has_the_suffix_list_of_its_parts() {
    let list = list_by(&own(), Ladder::Hosts);
    for lists in [[list.clone(), as_text(&list)], [as_text(&list), list.clone()]] {
        assert_eq!(find(ListMatcher::new(&HiddenList::merge(&lists).unwrap(), None)), Ok(true));
    }
}
