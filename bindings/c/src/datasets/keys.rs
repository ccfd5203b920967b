//! Sort keys of URLs, by which they are divided into ranges.

use urlid::suffix::SuffixList;
use urlid_store::dataset::sort_key;

use crate::border::guard;
use crate::bytes::Column;
use crate::code::Code;
use crate::handle::{free, make};

/// Makes sort keys of URLs. Owns its memory.
#[derive(Debug, Default)]
pub struct DatasetKeys {
    bytes: Vec<u8>,
    offsets: Vec<i64>,
}

/// The keys of a column: key number `i` is in `data` from `offsets[i]` to `offsets[i + 1]`. Keys are compared
/// as unsigned bytes. That of a text that is not an absolute URL is empty; no other key is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DatasetKeyColumn {
    /// The bytes of all keys.
    pub data: *const u8,
    /// One more number than there are keys.
    pub offsets: *const i64,
}

/// Makes a maker of sort keys. Free it with urlid_dataset_keys_free.
///
/// # Safety
/// `keys` points to a pointer that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_keys_new(keys: *mut *mut DatasetKeys) -> Code {
    // SAFETY: promised by the caller.
    guard(|| unsafe { make(keys, || Ok(Default::default())) })
}

/// Frees a maker of sort keys. NULL is ignored.
///
/// # Safety
/// `keys` is from urlid_dataset_keys_new and is not used again, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_keys_free(keys: *mut DatasetKeys) {
    // SAFETY: promised by the caller.
    unsafe { free(keys) }
}

/// Makes the keys by which a dataset sorts the URLs of a column, which is passed as to
/// urlid_encoder_encode_column. The result is valid until `keys` is used again or freed.
///
/// # Safety
/// `keys` is from urlid_dataset_keys_new, and no other thread uses it. `data` points to `length` bytes,
/// `offsets` to `count + 1` numbers, and `result` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_keys_of_column(
    keys: *mut DatasetKeys,
    data: *const u8,
    length: usize,
    offsets: *const i32,
    count: usize,
    result: *mut DatasetKeyColumn,
) -> Code {
    guard(|| {
        // SAFETY: promised by the caller.
        let (keys, column) = unsafe { (keys.as_mut(), Column::new(data, length, offsets, count)?) };
        let keys = keys.filter(|_| !result.is_null()).ok_or(Code::URLID_MISUSE)?;
        keys.make(column.texts());
        let made = DatasetKeyColumn { data: keys.bytes.as_ptr(), offsets: keys.offsets.as_ptr() };
        // SAFETY: not NULL, and otherwise promised by the caller.
        unsafe { result.write(made) };
        Ok(())
    })
}

impl DatasetKeys {
    fn make<'a>(&mut self, texts: impl Iterator<Item = &'a [u8]>) {
        let list = SuffixList::compiled();
        self.bytes.clear();
        self.offsets.clear();
        self.offsets.push(0);
        for text in texts {
            if let Ok(key) =
                str::from_utf8(text).map_err(drop).and_then(|text| sort_key(text, list, None).map_err(drop))
            {
                self.bytes.extend_from_slice(&key);
            }
            // A vector has fewer bytes than an i64 can count.
            self.offsets.push(self.bytes.len() as i64);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn keys_are_those_of_the_dataset_and_empty_for_other_texts() {
        let texts: [&[u8]; 4] = [b"https://www.a.example/2", b"", b"no URL", b"http://\xff/"];
        let data = texts.concat();
        let mut offsets = vec![0];
        offsets.extend(texts.iter().scan(0, |end, text| {
            *end += i32::try_from(text.len()).expect("is short");
            Some(*end)
        }));
        let mut keys = ptr::null_mut();
        let mut result = DatasetKeyColumn { data: ptr::null(), offsets: ptr::null() };
        // SAFETY: all pointers are to what lives here.
        let mut make_keys = |keys, offsets: &[i32]| unsafe {
            let (start, ends) = (data.as_ptr(), offsets.as_ptr());
            let code = urlid_dataset_keys_of_column(keys, start, data.len(), ends, 4, &raw mut result);
            (code, result)
        };
        // SAFETY: as above.
        let made = unsafe {
            assert_eq!(urlid_dataset_keys_new(&raw mut keys), Code::URLID_OK);
            let (code, result) = make_keys(keys, &offsets);
            assert_eq!(code, Code::URLID_OK);
            let ends = std::slice::from_raw_parts(result.offsets, 5);
            let key = std::slice::from_raw_parts(result.data, usize::try_from(ends[4]).expect("is positive"));
            (key.to_vec(), ends.to_vec())
        };
        let expected = sort_key("https://www.a.example/2", SuffixList::compiled(), None).expect("is a URL");
        let end = i64::try_from(expected.len()).expect("is short");
        assert_eq!(made, (expected, vec![0, end, end, end, end]));

        offsets.swap(0, 1);
        // SAFETY: as above.
        unsafe {
            let (code, _) = make_keys(keys, &offsets);
            assert_eq!(code, Code::URLID_MISUSE);
            urlid_dataset_keys_free(keys);
        }
    }
}
