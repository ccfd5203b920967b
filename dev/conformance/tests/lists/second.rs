//! A second reader in Python, which was written only from docs/spec/lists.md, finds the same entries as the
//! library.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use urlid::hashed_uri::{Algorithm, Keep, Variant};
use urlid_lists::{
    Covers, Delta, HiddenList, Intake, ListBuilder, ListKind, ListMatcher, ListRules, Padding, Scratch, Store,
};
use urlid_testing::root;

/// Canonical texts by these rules, so that the reader does not need its own rules.
const RULES: ListRules =
    ListRules { variant: Variant::None, intake: Intake::Rfc3986, keep: Keep::NONE, covers: Covers::Url };
const ENTRIES: u32 = 20_000;

fn text(number: u32) -> String {
    format!("http://h.example/{number}")
}

fn list_of(numbers: impl Iterator<Item = u32>) -> HiddenList {
    let mut builder =
        ListBuilder::new(RULES, &[Algorithm::Sha1, Algorithm::XSha256], None).expect("no key is needed");
    numbers.for_each(|number| builder.add(&text(number), None).expect("it is a URI"));
    builder.finish()
}

fn stores() -> impl Iterator<Item = Store> {
    let usual = [ListKind::Exact, ListKind::Prefix].map(Store::usual);
    let others =
        [40, 48, 160, 200].map(|bits| Store::new(ListKind::Exact, Some(bits)).expect("it is allowed"));
    [Store::WHOLE].into_iter().chain(usual).chain(others)
}

fn compiled(list: &HiddenList) -> Vec<u8> {
    let mut bytes = Vec::new();
    list.write_compiled(&mut bytes).expect("memory can be written");
    bytes
}

fn reader(arguments: &[&Path]) -> String {
    let script = root().join("dev/conformance/tests/lists/reader.py");
    let output = Command::new("python3").arg(script).args(arguments).output().expect("there is Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

/// Returns the lines that the reader prints for the entries of a list.
fn entries(list: &HiddenList) -> BTreeSet<String> {
    let digits = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    list.entries().map(|entry| format!("{} {}", entry.algorithm, digits(entry.digest()))).collect()
}

#[test]
fn every_kind_is_read_alike() {
    let folder = tempfile::tempdir().expect("there is room");
    let (path, texts) = (folder.path().join("list"), folder.path().join("texts"));
    // Every second candidate is listed.
    let candidates: Vec<String> = (0..2 * ENTRIES).map(text).collect();
    std::fs::write(&texts, candidates.join("\n")).expect("there is room");
    let whole = list_of((0..2 * ENTRIES).step_by(2));
    for store in stores() {
        let list = whole.compile(store).expect("it is whole");
        std::fs::write(&path, compiled(&list)).expect("there is room");
        let matcher = ListMatcher::new(&list, None).expect("it is not keyed");
        let mut scratch = Scratch::default();
        let found = candidates.iter().map(|text| {
            let found = matcher.find(&mut scratch, text, None).expect("it is a URI");
            if found.is_some() { "1\n" } else { "0\n" }
        });
        let found: String = found.collect();
        assert!(found.matches('1').count() >= ENTRIES as usize, "{store}");
        assert!(reader(&[&path, &texts]) == found, "{store}");
        let read: BTreeSet<String> =
            reader(&["--entries".as_ref(), &path]).lines().map(str::to_owned).collect();
        assert!(read == entries(&list), "{store}");
        let shards = list.shards(6, None, Padding::Equal).expect("it can be split");
        for number in 0..shards.count() {
            let mut bytes = Vec::new();
            shards.write(number, &mut bytes).expect("memory can be written");
            std::fs::write(folder.path().join(shards.file_name(number)), bytes).expect("there is room");
        }
        std::fs::write(folder.path().join("index"), shards.index()).expect("there is room");
        assert!(reader(&[folder.path(), &texts]) == found, "{store}, shards");
    }
}

#[test]
fn deltas_are_applied_alike() {
    let folder = tempfile::tempdir().expect("there is room");
    let (path, delta_path) = (folder.path().join("list"), folder.path().join("delta"));
    for store in stores() {
        let [old, new] = [0..ENTRIES, 500..ENTRIES + 700]
            .map(|numbers| list_of(numbers).compile(store).expect("it is whole"));
        let delta = Delta::between(&old, &new, None).expect("they are by the same rules");
        let mut bytes = Vec::new();
        delta.write(&mut bytes).expect("memory can be written");
        std::fs::write(&path, compiled(&old)).expect("there is room");
        std::fs::write(&delta_path, bytes).expect("there is room");
        let read: BTreeSet<String> =
            reader(&["--apply".as_ref(), &path, &delta_path]).lines().map(str::to_owned).collect();
        assert!(read == entries(&new), "{store}");
    }
}
