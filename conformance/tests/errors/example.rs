//! An error, and what was done to get it.

use urlid::ErrorCode;

/// An error that was made on purpose.
pub(crate) struct Example {
    pub(crate) code: ErrorCode,
    /// What was done.
    pub(crate) from: &'static str,
    /// What the error says.
    pub(crate) message: String,
}

/// Makes an example of any error.
macro_rules! example {
    ($from:expr, $result:expr) => {{
        let error = $result.err().unwrap_or_else(|| panic!("{} is no error", $from));
        crate::example::Example { code: urlid::Coded::code(&error), from: $from, message: error.to_string() }
    }};
}
pub(crate) use example;
