//! Options that several verbs have, and what is made of them.

pub(crate) mod choice;
pub(crate) mod cpu;
pub(crate) mod globals;
pub(crate) mod hashed;
pub(crate) mod key;
pub(crate) mod psl;
pub(crate) mod theory;
