//! Splits hosts at their public suffix, as WebAssembly for `urlid/suffix` of the npm package.
//!
//! A split is one call. JavaScript writes a text as UTF-8 at the address from `room`, calls `split` with its
//! length, and reads the values at `places`. Crate `urlid` reads texts and maps hosts as in the other
//! modules of the package. Only the Unicode mapping of crate `idna` is replaced by the platform's.

use std::cell::RefCell;

use urlid::suffix::{Sections, SuffixList};

/// The kinds of hosts, by the number in `places`.
const KINDS: [&str; 4] = ["domain", "ipv4", "ipv6", "opaque"];

#[derive(Default)]
struct Buffers {
    text: Vec<u8>,
    /// A host that is not a substring of the text, or an error: its code, a space and its message.
    made: String,
    /// The address of the host, its length, the lengths of its public suffix and of the label before it, and
    /// the number of its kind, from 1. For an error, the address and the length of its text.
    places: [usize; 5],
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Returns the address of space for `length` bytes of a text.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.text.resize(length, 0);
        buffers.text.as_mut_ptr()
    })
}

/// Returns the address of the places, which never changes.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
extern "C" fn places() -> *const usize {
    BUFFERS.with_borrow(|buffers| buffers.places.as_ptr())
}

/// Splits the first `length` bytes of the space by all sections of the list, or by the ICANN section.
/// Returns whether the text has a host or is a URL without one.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
extern "C" fn split(length: usize, is_icann: bool) -> bool {
    BUFFERS.with_borrow_mut(|Buffers { text, made, places }| {
        let text = str::from_utf8(&text[..length]).expect("JavaScript writes UTF-8");
        let sections = if is_icann { Sections::Icann } else { Sections::All };
        match SuffixList::compiled_with(sections).split(text) {
            Ok(split) => {
                let host = split.host().unwrap_or_default();
                let length = |part: Option<&str>| part.unwrap_or_default().len();
                let is_kind = |kind: &&str| split.kind() == Some(*kind);
                let kind = KINDS.iter().position(is_kind).map_or(0, |index| index + 1);
                let (tld, domain) = (length(split.tld()), length(split.domain()));
                let is_piece = text.as_bytes().as_ptr_range().contains(&host.as_ptr());
                let host = if is_piece {
                    host
                } else {
                    made.clear();
                    made.push_str(host);
                    made
                };
                *places = [host.as_ptr().addr(), host.len(), tld, domain, kind];
                true
            }
            Err(error) => {
                *made = format!("{} {error}", error.code());
                *places = [made.as_ptr().addr(), made.len(), 0, 0, 0];
                false
            }
        }
    })
}
