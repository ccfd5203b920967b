//! urlid as WebAssembly, for the npm package `urlid`.
//!
//! Exports four plain functions, so that no bindings generator is needed. JavaScript writes the arguments of
//! a call at the address from `room`, calls an operation by its number, and reads the result from
//! `result_start` on:
//!
//! ```text
//! room(length) ─▶ where the arguments go ─▶ call(number, length) ─▶ kind of the result ─▶ result_start, result_length
//! ```
//!
//! `arguments` and `output` define how arguments and results are written. [`ops::OPS`] lists the operations,
//! and operation 0 returns their names. The interface for users of JavaScript is in `package/`.

#![cfg_attr(not(feature = "core"), expect(dead_code, reason = "questions use a part of the arguments"))]

mod arguments;
mod ops;
mod output;
mod session;

use std::cell::RefCell;

use arguments::Arguments;
use session::Session;

/// The arguments of the next call, and the result of the last.
#[derive(Default)]
struct Buffers {
    arguments: Vec<u8>,
    result: Vec<u8>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
    static SESSION: RefCell<Session> = RefCell::default();
}

/// Returns the address of space for `length` bytes of arguments.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.arguments.resize(length, 0);
        buffers.arguments.as_mut_ptr()
    })
}

/// Runs an operation on the arguments, the first `length` bytes of the room, and returns the kind of its
/// result.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn call(number: usize, length: usize) -> u32 {
    // Moved out of the cell and back at the end. The last result is freed before the next is made, and the
    // space for arguments is reused.
    let Buffers { mut arguments, .. } = BUFFERS.take();
    arguments.truncate(length);
    let output =
        SESSION.with_borrow_mut(|session| ops::run(number, session, &mut Arguments::new(&arguments)));
    let (kind, result) = output::write(output);
    BUFFERS.set(Buffers { arguments, result });
    kind
}

/// Returns the address of the last result.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn result_start() -> *const u8 {
    BUFFERS.with_borrow(|buffers| buffers.result.as_ptr())
}

/// Returns the number of bytes of the last result.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn result_length() -> usize {
    BUFFERS.with_borrow(|buffers| buffers.result.len())
}
