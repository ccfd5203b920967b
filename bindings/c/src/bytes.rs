//! Texts and bytes with a length, in the form in which C passes them.

use std::mem::MaybeUninit;
use std::slice;

use crate::code::Code;

/// A text, or bytes, with a length. `data` may be NULL if `length` is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    /// The first byte.
    pub data: *const u8,
    /// The number of bytes.
    pub length: usize,
}

impl Bytes {
    pub(crate) const EMPTY: Bytes = Bytes { data: std::ptr::null(), length: 0 };

    /// Returns the bytes, or `None` if the pointer is NULL and the length is not 0.
    ///
    /// # Safety
    /// `data` points to `length` bytes that stay unchanged during `'a`, or is NULL.
    pub(crate) unsafe fn get<'a>(self) -> Option<&'a [u8]> {
        // SAFETY: promised by the caller.
        unsafe { array(self.data, self.length) }
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Bytes::from(text.as_bytes())
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Bytes { data: bytes.as_ptr(), length: bytes.len() }
    }
}

/// Returns the items of a C array, or `None` if the pointer is NULL and the length is not 0, or if no array
/// can be that long.
///
/// # Safety
/// `data` points to `length` items that stay unchanged during `'a`, or is NULL.
pub(crate) unsafe fn array<'a, T>(data: *const T, length: usize) -> Option<&'a [T]> {
    match (data.is_null(), length) {
        (_, 0) => Some(&[]),
        (true, _) => None,
        (false, _) if length > isize::MAX as usize / size_of::<T>() => None,
        // SAFETY: promised by the caller. The pointer is not NULL, and an object can have this length.
        (false, _) => Some(unsafe { slice::from_raw_parts(data, length) }),
    }
}

/// A column of texts in Arrow's form: number `i` is in `data` from `offsets[i]` to `offsets[i + 1]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    pub(crate) data: &'a [u8],
    /// The offsets, one more than there are texts. They ascend and are at most the length of `data`.
    pub(crate) offsets: &'a [i32],
}

impl<'a> Column<'a> {
    /// Reads a column of C. Pointers that are NULL, and offsets that descend or are beyond `length`, are
    /// `URLID_MISUSE`.
    ///
    /// # Safety
    /// `data` points to `length` bytes, and `offsets` to `count + 1` numbers, which stay unchanged during
    /// `'a`.
    pub(crate) unsafe fn new(
        data: *const u8,
        length: usize,
        offsets: *const i32,
        count: usize,
    ) -> Result<Self, Code> {
        let ends = count.checked_add(1).ok_or(Code::URLID_MISUSE)?;
        // SAFETY: promised by the caller.
        let (data, offsets) = unsafe { (array(data, length), array(offsets, ends)) };
        let (data, offsets) = (data.ok_or(Code::URLID_MISUSE)?, offsets.ok_or(Code::URLID_MISUSE)?);
        let is_within = |&offset: &i32| usize::try_from(offset).is_ok_and(|offset| offset <= length);
        if !offsets.iter().all(is_within) || !offsets.is_sorted() {
            return Err(Code::URLID_MISUSE);
        }
        Ok(Self { data, offsets })
    }
}

/// Like [`array`], for memory to be written, which C need not have initialised.
///
/// # Safety
/// `data` points to `length` items that are only used here during `'a`, or is NULL.
pub(crate) unsafe fn array_mut<'a, T>(data: *mut T, length: usize) -> Option<&'a mut [MaybeUninit<T>]> {
    match (data.is_null(), length) {
        (_, 0) => Some(&mut []),
        (true, _) => None,
        (false, _) if length > isize::MAX as usize / size_of::<T>() => None,
        // SAFETY: promised by the caller. The pointer is not NULL, and an object can have this length.
        (false, _) => Some(unsafe { slice::from_raw_parts_mut(data.cast(), length) }),
    }
}
