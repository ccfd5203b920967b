//! Lists that are damaged or in part unknown.

use super::*;

/// The SHA-256 of `hashed:x-other=00` and a line end.
const UNKNOWN_DIGEST: &str = "17684b6adeabafc7408da3393524fe2dc9ab275f39b3207d243fda36836776cd";

#[test]
fn bad_lists_are_told_by_line_or_as_a_whole() {
    let folder = Folder::new();
    let broken = folder.file("broken", header(2) + "hashed:sha1=xyz\n" + THUS_ENTRY + "\n");
    let ran = finish(command().args(["list", "match", "-c"]).arg(&broken).arg(THUS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), "1\n"));
    assert!(
        ran.err.contains("broken:11: ERR_LIST_LINE: hashed URI breaks its grammar at byte 12"),
        "{}",
        ran.err
    );

    let [_, compiled] = lists(&folder, &[], THUS);
    let mut damaged = std::fs::read(&compiled).expect("it was written");
    *damaged.last_mut().expect("it is not empty") ^= 1;
    for (content, message) in [
        ((header(3) + THUS_ENTRY + "\n").into_bytes(), "found 1 entries, expected 3"),
        (THUS_ENTRY.into(), "list header lacks `urlid-list`"),
        (Vec::new(), "list header lacks `urlid-list`"),
        (b"urlidbin".to_vec(), "compiled list is damaged"),
        // The first bytes of another format.
        (b"urlidlst\x04\0\0\0".to_vec(), "list header lacks `urlid-list`"),
        (damaged, "compiled list is damaged"),
    ] {
        let list = folder.file("list", content);
        for args in [&["match", "-c"][..], &["audit"]] {
            let ran = finish(command().arg("list").args(args).arg(&list).arg(THUS));
            assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{message}");
            assert!(ran.err.contains("ERR_LIST_HEADER") && ran.err.contains(message), "{}", ran.err);
        }
    }
    let unknown = header(1).replace("sha1", "x-other").replace(&"0".repeat(64), UNKNOWN_DIGEST);
    let unknown = unknown + "hashed:x-other=00\n";
    let ran = finish(command().args(["list", "match", "-c"]).arg(folder.file("unknown", unknown)).arg(THUS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "0\n"));
    assert!(
        ran.err.contains("1 entry by unknown algorithms cannot be checked, the first by x-other"),
        "{}",
        ran.err
    );
}
