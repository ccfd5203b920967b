//! An error, and the action that caused it.

use urlid::ErrorCode;

/// An error that was made on purpose.
pub(crate) struct Example {
    pub(crate) code: ErrorCode,
    /// The action.
    pub(crate) from: &'static str,
    /// The message.
    pub(crate) message: String,
}

/// Makes an example of any error.
macro_rules! example {
    ($from:expr, $result:expr) => {{
        let error = $result.err().unwrap_or_else(|| panic!("{} is no error", $from));
        crate::example::Example {
            code: urlid::Coded::code(&error),
            from: $from,
            message: crate::example::chain(&error),
        }
    }};
}
pub(crate) use example;

/// Returns the message of an error and of its causes, as the program prints them.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        assert!(!text.contains(&message), "`{text}` repeats its cause `{message}`");
        text.push_str(": ");
        text.push_str(&message);
        cause = error.source();
    }
    text
}
