//! Handles: values that C has a pointer to, and frees.

use crate::border::guard_or;
use crate::bytes::Bytes;
use crate::code::Code;

/// Makes a handle and writes it to `place`. If that is NULL, the handle is not made.
///
/// # Safety
/// `place` is NULL, or points to a pointer that can be written.
pub(crate) unsafe fn make<T>(
    place: *mut *mut T,
    value: impl FnOnce() -> Result<T, Code>,
) -> Result<(), Code> {
    if place.is_null() {
        return Err(Code::URLID_MISUSE);
    }
    let handle = Box::into_raw(Box::new(value()?));
    // SAFETY: not NULL, and otherwise promised by the caller.
    unsafe { place.write(handle) };
    Ok(())
}

/// Frees a handle. NULL is ignored.
///
/// # Safety
/// The handle is from [`make`] and is not used again, or is NULL.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    guard_or((), || {
        if !handle.is_null() {
            // SAFETY: it is from Box::into_raw, and freed once.
            drop(unsafe { Box::from_raw(handle) });
        }
    });
}

/// Returns the text of a handle, such as its message. The text of NULL is empty.
///
/// # Safety
/// The handle is NULL, or from [`make`] and no other thread uses it.
pub(crate) unsafe fn text_of<T>(handle: *const T, text: impl FnOnce(&T) -> &str) -> Bytes {
    guard_or(Bytes::EMPTY, || {
        // SAFETY: promised by the caller.
        unsafe { handle.as_ref() }.map_or(Bytes::EMPTY, |handle| Bytes::from(text(handle)))
    })
}
