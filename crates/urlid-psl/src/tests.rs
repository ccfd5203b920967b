//! Compares the table's filter with its walk, and the precomputed values with their definitions.

use sha2::{Digest, Sha256};

use super::*;

/// Checks that the filter does not change any result of the walk.
fn check(table: SuffixTable<'_>, host: &str) {
    for sections in [Sections::All, Sections::Icann] {
        let found = table.find(host, sections);
        assert_eq!(found, table.walk(host.as_bytes(), sections, None), "{host:?}");
        assert_eq!((found.tld, found.domain), table.find_offsets(host, sections), "{host:?}");
    }
}

#[test]
fn the_filter_agrees_with_the_walk_at_every_name() {
    for name in (1..=TABLE.count()).filter_map(|index| TABLE.name(index)) {
        check(TABLE, &name);
        for before in [
            "a",
            ".",
            "a.b",
            "a/",
            "é",
            "a-label-that-is-longer-than-a-word-or-two",
            "x.averyveryverylongone",
        ] {
            check(TABLE, &format!("{before}.{name}"));
            check(TABLE, &format!("{before}{name}"));
        }
    }
}

#[test]
fn the_filter_agrees_with_the_walk_for_hosts_of_any_shape() {
    let buf =
        SuffixTableBuf::from_dat("b\n*.c\na.b\n!c.c\nabcdefgh.b\nabcdefghijklmn.b\nb.abcdefgh\n", |name| {
            Some(name.to_owned())
        })
        .unwrap();
    for labels in
        [["a", "b", "c"], ["abcdefgh", "b", "c"], ["abcdefg", "abcdefghijklmn", "b"], ["", "/", "é"]]
    {
        for shape in 0..3_usize.pow(6) {
            let label = |place: u32| labels[shape / 3_usize.pow(place) % 3];
            for count in 0..=6 {
                let host: Vec<&str> = (0..count).map(label).collect();
                check(buf.as_table(), &host.join("."));
            }
        }
    }
}

#[test]
fn the_hash_of_the_text_is_its_hash() {
    assert_eq!(SHA256, Sha256::digest(DAT).as_slice());
}

#[cfg(not(feature = "compact"))]
#[test]
fn every_name_has_the_slice_that_its_text_has() {
    for index in 1..=TABLE.count() {
        let name = TABLE.name(index).unwrap();
        let digest = Sha256::digest(format!("tld\0{name}"));
        assert_eq!(tld_hash(index), Some(u16::from_be_bytes([digest[30], digest[31]])), "{name}");
    }
    assert_eq!(tld_hash(TABLE.count() + 1), None);
}
