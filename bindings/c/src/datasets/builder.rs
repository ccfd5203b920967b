//! Building one dataset.

use std::num::NonZeroUsize;
use std::path::Path;

use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_store::dataset::{BuildOptions, Builder, Built};

use super::failed;
use crate::border::guard;
use crate::bytes::{Bytes, Column};
use crate::code::Code;
use crate::handle::{free, make, text_of};

/// Builds a dataset of URLs, as they come, by the compiled public suffix list.
#[derive(Debug, Default)]
pub struct DatasetBuilder {
    /// `None` before it begins, while it runs, and forever after an error.
    builder: Option<Builder>,
    message: String,
}

/// The counts of a dataset that was built.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DatasetCounts {
    /// The texts that were pushed.
    pub lines: u64,
    /// The texts that are empty.
    pub blank: u64,
    /// The texts that are not absolute URLs.
    pub refused: u64,
    /// The texts that are URLs.
    pub taken: u64,
    /// The rows: different URLs.
    pub rows: u64,
    /// The length of all Parquet files in bytes.
    pub bytes: u64,
}

/// Makes a builder, for urlid_dataset_builder_begin. Free it with urlid_dataset_builder_free.
///
/// # Safety
/// `builder` points to a pointer that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_builder_new(builder: *mut *mut DatasetBuilder) -> Code {
    // SAFETY: promised by the caller.
    guard(|| unsafe { make(builder, || Ok(Default::default())) })
}

/// Frees a builder. A dataset that is not finished leaves nothing. NULL is ignored.
///
/// # Safety
/// `builder` is from urlid_dataset_builder_new and is not used again, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_builder_free(builder: *mut DatasetBuilder) {
    // SAFETY: promised by the caller.
    unsafe { free(builder) }
}

/// Begins a dataset at a path, which must not exist. Temporary files lie beside it. `memory` is for sorting,
/// in bytes; encoding takes about 64 MiB in addition.
///
/// # Safety
/// `builder` is from urlid_dataset_builder_new, and no other thread uses it. `path` is a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_builder_begin(
    builder: *mut DatasetBuilder,
    path: Bytes,
    memory: u64,
) -> Code {
    guard(|| {
        // SAFETY: promised by the caller.
        let (builder, path) = unsafe { (builder.as_mut(), path.get()) };
        let builder = builder.filter(|builder| builder.builder.is_none()).ok_or(Code::URLID_MISUSE)?;
        let path = path.and_then(|path| str::from_utf8(path).ok()).ok_or(Code::URLID_MISUSE)?;
        let memory = usize::try_from(memory).unwrap_or(usize::MAX);
        let options = BuildOptions { memory, threads: NonZeroUsize::MIN, ..BuildOptions::default() };
        let begun = Builder::begin(Path::new(path), SuffixList::compiled(), options);
        builder.builder = Some(begun.map_err(|error| failed(&mut builder.message, &error))?);
        Ok(())
    })
}

/// Adds the URLs of a column, which is passed as to urlid_encoder_encode_column. Texts that are not URLs are
/// counted. After an error the builder can only be freed.
///
/// # Safety
/// `builder` is from urlid_dataset_builder_new, and no other thread uses it. `data` points to `length` bytes,
/// and `offsets` to `count + 1` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_builder_push_column(
    builder: *mut DatasetBuilder,
    data: *const u8,
    length: usize,
    offsets: *const i32,
    count: usize,
) -> Code {
    guard(|| {
        // SAFETY: promised by the caller.
        let (handle, column) = unsafe { (builder.as_mut(), Column::new(data, length, offsets, count)?) };
        let handle = handle.ok_or(Code::URLID_MISUSE)?;
        let builder = handle.builder.take().ok_or(Code::URLID_MISUSE)?;
        push(&builder, column.texts()).map_err(|error| failed(&mut handle.message, &error))?;
        handle.builder = Some(builder);
        Ok(())
    })
}

/// Sorts and writes what was added. The folder then appears under its name.
///
/// # Safety
/// `builder` is from urlid_dataset_builder_new, and no other thread uses it. `counts` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_builder_finish(
    builder: *mut DatasetBuilder,
    counts: *mut DatasetCounts,
) -> Code {
    guard(|| {
        // SAFETY: promised by the caller.
        let handle = unsafe { builder.as_mut() };
        let handle = handle.filter(|_| !counts.is_null()).ok_or(Code::URLID_MISUSE)?;
        let builder = handle.builder.take().ok_or(Code::URLID_MISUSE)?;
        let built = builder.finish().map_err(|error| failed(&mut handle.message, &error))?;
        // SAFETY: not NULL, and otherwise promised by the caller.
        unsafe { counts.write(DatasetCounts::from(built)) };
        Ok(())
    })
}

/// Returns the message of the last error of a builder, with its causes. It is valid until the builder is used
/// again or freed.
///
/// # Safety
/// `builder` is from urlid_dataset_builder_new, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_dataset_builder_message(builder: *const DatasetBuilder) -> Bytes {
    // SAFETY: promised by the caller.
    unsafe { text_of(builder, |builder: &DatasetBuilder| &builder.message) }
}

fn push<'a>(builder: &Builder, texts: impl Iterator<Item = &'a [u8]>) -> Result<(), Error> {
    let mut adder = builder.adder();
    for text in texts {
        match str::from_utf8(text) {
            Ok(text) => drop(adder.push(text)?),
            Err(_) => adder.count_refused(),
        }
    }
    Ok(())
}

impl From<Built> for DatasetCounts {
    fn from(built: Built) -> Self {
        let Built { lines, blank, refused, taken, rows, bytes, .. } = built;
        DatasetCounts { lines, blank, refused, taken, rows, bytes }
    }
}
