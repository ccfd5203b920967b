//! The reasons a body is not read as JSON.

/// The reason a body is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is not JSON; its lines may be.
    Syntax,
    /// Its text is not Unicode, or it has more than Python can hold.
    Other,
}
