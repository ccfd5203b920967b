//! Records which standard descriptors were closed when the process started.
//!
//! The runtime of Rust opens `/dev/null` at closed standard descriptors, so that files that are opened later
//! do not get their numbers. Only this crate lets a program distinguish `prog >&-`, whose output is lost,
//! from `prog >/dev/null`. On systems other than Unix the state is unknown, and every descriptor counts as
//! open.

use std::sync::atomic::{AtomicU8, Ordering};

/// A standard descriptor, with its number as its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// Standard input.
    Input = 0,
    /// Standard output.
    Output = 1,
}

/// One bit for each descriptor that was closed.
static CLOSED: AtomicU8 = AtomicU8::new(0);

impl Standard {
    /// Returns whether the descriptor was closed when the process started.
    #[must_use]
    pub fn was_closed(self) -> bool {
        // Relaxed, because the only thread set the bits before `main`.
        CLOSED.load(Ordering::Relaxed) >> self as u8 & 1 == 1
    }
}

/// The loader calls what this section lists before `main`, and so before the runtime looks at the
/// descriptors.
#[cfg(unix)]
#[used]
// SAFETY: the section is an array of pointers to functions that the loader calls with the C convention, once,
// on the only thread of the process; `look` needs no arguments and nothing that the runtime initialises.
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK: extern "C" fn() = look;

#[cfg(unix)]
extern "C" fn look() {
    for standard in [Standard::Input, Standard::Output] {
        // SAFETY: the call only reads the flags of a descriptor, and takes any number. `EBADF` is its only
        // error here.
        if unsafe { libc::fcntl(standard as libc::c_int, libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << standard as u8, Ordering::Relaxed);
        }
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
