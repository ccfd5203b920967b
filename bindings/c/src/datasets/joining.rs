//! Datasets of ranges of keys that follow each other, as one.

use serde_json::{Value, json};
use urlid_store::dataset::Joined;

use super::failed;
use crate::border::guard;
use crate::bytes::Bytes;
use crate::code::Code;
use crate::handle::{free, make, text_of};

/// Joins datasets by their descriptions, the texts of their `_urlid.json`.
#[derive(Debug, Default)]
pub struct DatasetJoin {
    descriptions: Vec<Vec<u8>>,
    /// The result, or the message of the last error.
    text: String,
}

/// Makes a join without descriptions. Free it with urlid_dataset_join_free.
///
/// # Safety
/// `join` points to a pointer that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_join_new(join: *mut *mut DatasetJoin) -> Code {
    // SAFETY: promised by the caller.
    guard(|| unsafe { make(join, || Ok(Default::default())) })
}

/// Frees a join. NULL is ignored.
///
/// # Safety
/// `join` is from urlid_dataset_join_new and is not used again, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_join_free(join: *mut DatasetJoin) {
    // SAFETY: promised by the caller.
    unsafe { free(join) }
}

/// Adds a description. Descriptions are numbered from 0 on.
///
/// # Safety
/// `join` is from urlid_dataset_join_new, and no other thread uses it. `description` is a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_join_add(join: *mut DatasetJoin, description: Bytes) -> Code {
    guard(|| {
        // SAFETY: promised by the caller.
        let (join, description) = unsafe { (join.as_mut(), description.get()) };
        let (join, description) = (join.ok_or(Code::URLID_MISUSE)?, description.ok_or(Code::URLID_MISUSE)?);
        join.descriptions.push(description.to_vec());
        Ok(())
    })
}

/// Joins the datasets whose descriptions were added: their ranges of keys must not overlap. No file is read
/// or moved. The result is urlid_dataset_join_text, a JSON object: `files`, each with the number of its
/// `dataset`, its `old_name` there and its `new_name`; the text of `_urlid.json` as `description`; and `rows`
/// and `bytes`.
///
/// # Safety
/// `join` is from urlid_dataset_join_new, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_join_run(join: *mut DatasetJoin) -> Code {
    guard(|| {
        // SAFETY: promised by the caller.
        let join = unsafe { join.as_mut() }.ok_or(Code::URLID_MISUSE)?;
        join.text.clear();
        let joined =
            urlid_store::dataset::join(&join.descriptions).map_err(|error| failed(&mut join.text, &error))?;
        join.text = to_json(&joined);
        Ok(())
    })
}

/// Returns the result of a join, or the message of its last error. It is valid until the join is used again
/// or freed.
///
/// # Safety
/// `join` is from urlid_dataset_join_new, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_join_text(join: *const DatasetJoin) -> Bytes {
    // SAFETY: promised by the caller.
    unsafe { text_of(join, |join: &DatasetJoin| &join.text) }
}

/// Returns a joined dataset as JSON.
fn to_json(joined: &Joined) -> String {
    let files: Vec<Value> = joined
        .files
        .iter()
        .map(|file| json!({ "dataset": file.dataset, "old_name": file.old_name, "new_name": file.new_name }))
        .collect();
    json!({ "files": files, "description": joined.description, "rows": joined.rows, "bytes": joined.bytes })
        .to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::ptr;

    use super::super::builder::*;
    use super::*;

    /// Builds a dataset of one URL and two other texts through the functions of C.
    fn build(path: &Path, url: &str) -> DatasetCounts {
        let (data, mut builder, mut counts) =
            (format!("{url}no URL"), ptr::null_mut(), DatasetCounts::default());
        let end = |length: usize| i32::try_from(length).expect("is short");
        let offsets = [0, end(url.len()), end(url.len()), end(data.len())];
        let path = Bytes::from(path.to_str().expect("is UTF-8"));
        // SAFETY: all pointers are to what lives here.
        unsafe {
            assert_eq!(urlid_dataset_builder_new(&raw mut builder), Code::URLID_OK);
            assert_eq!(urlid_dataset_builder_begin(builder, path, 1 << 20), Code::URLID_OK);
            assert_eq!(urlid_dataset_builder_begin(builder, path, 1 << 20), Code::URLID_MISUSE);
            let push = |count| {
                urlid_dataset_builder_push_column(builder, data.as_ptr(), data.len(), offsets.as_ptr(), count)
            };
            assert_eq!((push(2), push(3)), (Code::URLID_OK, Code::URLID_OK));
            assert_eq!(urlid_dataset_builder_finish(builder, &raw mut counts), Code::URLID_OK);
            assert_eq!(push(3), Code::URLID_MISUSE);
            urlid_dataset_builder_free(builder);
        }
        counts
    }

    #[test]
    fn datasets_are_built_and_joined() {
        let directory = tempfile::tempdir().expect("a directory");
        let folders = ["b", "a"].map(|name| directory.path().join(name));
        for folder in &folders {
            let host = folder.file_name().and_then(|name| name.to_str()).expect("a name");
            let counts = build(folder, &format!("https://{host}.example/"));
            let bytes = fs::metadata(folder.join("part-00000.parquet")).expect("is there").len();
            let expected = DatasetCounts { lines: 5, blank: 2, refused: 1, taken: 2, rows: 1, bytes };
            assert_eq!(counts, expected);
        }
        let mut join = ptr::null_mut();
        // SAFETY: all pointers are to what lives here.
        let (code, text) = unsafe {
            assert_eq!(urlid_dataset_join_new(&raw mut join), Code::URLID_OK);
            for folder in &folders {
                let text = fs::read(folder.join("_urlid.json")).expect("is there");
                assert_eq!(urlid_dataset_join_add(join, Bytes::from(&text[..])), Code::URLID_OK);
            }
            let code = urlid_dataset_join_run(join);
            (code, urlid_dataset_join_text(join).get().expect("a text").to_vec())
        };
        let json: serde_json::Value = serde_json::from_slice(&text).expect("is JSON");
        assert_eq!((code, &json["rows"]), (Code::URLID_OK, &serde_json::json!(2)));
        let files = serde_json::json!([
            { "dataset": 1, "old_name": "part-00000.parquet", "new_name": "part-00000.parquet" },
            { "dataset": 0, "old_name": "part-00000.parquet", "new_name": "part-00001.parquet" },
        ]);
        assert_eq!(json["files"], files);
        assert!(json["description"].as_str().is_some_and(|text| text.contains("part-00001.parquet")));
        // SAFETY: as above.
        unsafe {
            assert_eq!(urlid_dataset_join_add(join, Bytes::from("{}")), Code::URLID_OK);
            assert_eq!(urlid_dataset_join_run(join), Code::URLID_ERR_INDEX_DAMAGED);
            let message = urlid_dataset_join_text(join).get().expect("a text").to_vec();
            assert!(String::from_utf8_lossy(&message).starts_with("dataset is damaged: "));
            urlid_dataset_join_free(join);
        }
    }

    #[test]
    fn an_error_of_a_builder_has_a_message_with_its_cause() {
        let mut builder = ptr::null_mut();
        // SAFETY: all pointers are to what lives here.
        unsafe {
            assert_eq!(urlid_dataset_builder_new(&raw mut builder), Code::URLID_OK);
            let path = Bytes::from("/dev/null/urls");
            assert_eq!(urlid_dataset_builder_begin(builder, path, 1 << 20), Code::URLID_ERR_IO);
            let message = urlid_dataset_builder_message(builder).get().expect("a text").to_vec();
            let message = String::from_utf8_lossy(&message);
            assert!(message.starts_with("dataset cannot be written: /dev/null/urls: "), "{message}");
            urlid_dataset_builder_free(builder);
        }
    }
}
