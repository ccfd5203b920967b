//! The border between C and Rust. Panics do not cross it, because unwinding into C would be undefined
//! behaviour.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::code::Code;

/// Runs the body of an exported function. A panic becomes [`Code::URLID_PANIC`].
///
/// `AssertUnwindSafe` holds because a body first moves the value that it changes out of its handle. After a
/// panic, the half-changed value is gone, and the handle reports [`Code::URLID_PANIC`].
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Code>) -> Code {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Code::URLID_OK,
        Ok(Err(code)) => code,
        Err(_) => Code::URLID_PANIC,
    }
}

/// Runs the body of an exported function that returns a value. A panic becomes `otherwise`.
pub(crate) fn guard_or<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_code() {
        assert_eq!(guard(|| panic!("of a test")), Code::URLID_PANIC);
        assert_eq!(guard_or(7, || panic!("of a test")), 7);
        assert_eq!(guard(|| Err(Code::URLID_ERR_PORT)), Code::URLID_ERR_PORT);
    }
}
