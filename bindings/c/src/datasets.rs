//! Datasets: sort keys of URLs, a builder, and datasets of ranges of keys that are joined. Only with the feature `datasets`.
//!
//! An engine divides URLs into ranges by their keys, builds a dataset of each range, and joins them.

use std::iter;

use urlid::Error;

use crate::border::guard_or;
use crate::bytes::{Bytes, array};
use crate::code::Code;

pub mod builder;
pub mod joining;
pub mod keys;

/// Returns the message of an error and those of its causes, as one line.
fn message_of(error: &Error) -> String {
    let cause = std::error::Error::source(error);
    let causes = iter::successors(cause, |cause| cause.source()).map(ToString::to_string);
    iter::once(error.to_string()).chain(causes).collect::<Vec<_>>().join(": ")
}

/// Keeps the message of an error, and returns its code.
fn failed(message: &mut String, error: &Error) -> Code {
    *message = message_of(error);
    Code::from(error.code())
}

/// Returns the texts of a column as Arrow has it; those that are not UTF-8 too.
///
/// # Safety
/// `data` points to `length` bytes, and `offsets` to `count + 1` numbers, that nobody changes during `'a`.
unsafe fn column<'a>(
    data: *const u8,
    length: usize,
    offsets: *const i32,
    count: usize,
) -> Result<impl Iterator<Item = &'a [u8]>, Code> {
    let ends = count.checked_add(1).ok_or(Code::URLID_MISUSE)?;
    // SAFETY: promised by the caller.
    let (data, offsets) = unsafe { (array(data, length), array(offsets, ends)) };
    let (data, offsets) = (data.ok_or(Code::URLID_MISUSE)?, offsets.ok_or(Code::URLID_MISUSE)?);
    let is_within = |&offset: &i32| usize::try_from(offset).is_ok_and(|offset| offset <= length);
    if !offsets.iter().all(is_within) || !offsets.is_sorted() {
        return Err(Code::URLID_MISUSE);
    }
    Ok(offsets.windows(2).map(|ends| &data[ends[0] as usize..ends[1] as usize]))
}

/// Returns the text of a handle, such as its message; that of NULL is empty.
///
/// # Safety
/// The handle is NULL, or from [`make`] and no other thread uses it.
unsafe fn text_of<T>(handle: *const T, text: impl FnOnce(&T) -> &str) -> Bytes {
    guard_or(Bytes::EMPTY, || {
        // SAFETY: promised by the caller.
        unsafe { handle.as_ref() }.map_or(Bytes::EMPTY, |handle| Bytes::from(text(handle)))
    })
}

/// Makes a handle of C.
///
/// # Safety
/// `place` is NULL, or points to a pointer that can be written.
unsafe fn make<T: Default>(place: *mut *mut T) -> Result<(), Code> {
    if place.is_null() {
        return Err(Code::URLID_MISUSE);
    }
    // SAFETY: not NULL, and otherwise promised by the caller.
    unsafe { place.write(Box::into_raw(Box::default())) };
    Ok(())
}

/// Frees a handle of C.
///
/// # Safety
/// The handle is from [`make`] and is not used again, or is NULL.
unsafe fn free<T>(handle: *mut T) {
    guard_or((), || {
        if !handle.is_null() {
            // SAFETY: it is from Box::into_raw, and freed once.
            drop(unsafe { Box::from_raw(handle) });
        }
    });
}
