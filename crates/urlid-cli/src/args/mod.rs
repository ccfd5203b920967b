//! Options that several verbs have, and what is made of them.

pub(crate) mod choice;
pub(crate) mod globals;
pub(crate) mod hashed;
pub(crate) mod theory;
