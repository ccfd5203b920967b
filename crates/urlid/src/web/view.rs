//! A normal text and the offsets of its parts. A `Url` owns one, and the parser of plain texts borrows one.

use memchr::memrchr;

use crate::host::{Host, HostKind};

/// Byte offsets into the text, the kind of the host, and the port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Parts {
    /// The offset after the scheme's colon.
    pub(super) scheme_end: usize,
    pub(super) user_end: usize,
    pub(super) host_start: usize,
    pub(super) host_end: usize,
    pub(super) path_start: usize,
    pub(super) path_end: usize,
    pub(super) query_end: usize,
    pub(super) host: Option<HostKind>,
    pub(super) port: Option<u16>,
}

impl Parts {
    /// Sets the offsets for an absent authority.
    pub(super) fn set_no_authority(&mut self, at: usize) {
        (self.user_end, self.host_start, self.host_end) = (at, at, at);
    }
}

/// A text in normal form and its parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct UrlView<'u> {
    pub(super) text: &'u str,
    pub(super) parts: Parts,
}

/// The methods of [`Url`](super::Url) of the same names.
impl<'u> UrlView<'u> {
    #[inline(always)]
    pub(super) fn scheme(&self) -> &'u str {
        &self.text[..self.parts.scheme_end - 1]
    }

    #[inline(always)]
    pub(super) fn username(&self) -> &'u str {
        match self.parts.host {
            Some(_) => &self.text[self.parts.scheme_end + 2..self.parts.user_end],
            None => "",
        }
    }

    #[inline(always)]
    pub(super) fn host(&self) -> Option<Host<'u>> {
        Some(self.parts.host?.with_text(&self.text[self.parts.host_start..self.parts.host_end]))
    }

    #[inline(always)]
    pub(super) fn host_str(&self) -> Option<&'u str> {
        self.parts.host.map(|_| &self.text[self.parts.host_start..self.parts.host_end])
    }

    #[inline(always)]
    pub(super) fn dns_name(&self) -> Option<&'u str> {
        match self.host()? {
            Host::Domain(name) => dns_name(name),
            _ => None,
        }
    }

    /// Returns the digits of the port, if it is not the scheme's default.
    #[inline(always)]
    pub(super) fn port_str(&self) -> Option<&'u str> {
        self.parts.port.map(|_| &self.text[self.parts.host_end + ":".len()..self.parts.path_start])
    }

    /// Returns the origin if it is a slice of the text, as in a URL without a user.
    #[inline(always)]
    pub(super) fn origin_in_text(&self) -> Option<&'u str> {
        let is_in_text =
            self.has_tuple_origin() && self.parts.host_start == self.parts.scheme_end + "//".len();
        is_in_text.then(|| &self.text[..self.parts.path_start])
    }

    /// Returns whether the origin is scheme, host and port.
    #[inline(always)]
    pub(super) fn has_tuple_origin(&self) -> bool {
        matches!(self.scheme(), "http" | "https" | "ws" | "wss" | "ftp")
    }

    #[inline(always)]
    pub(super) fn path(&self) -> &'u str {
        &self.text[self.parts.path_start..self.parts.path_end]
    }

    /// Returns the last segment of the path, or `None` if the path is opaque.
    #[inline(always)]
    pub(super) fn file(&self) -> Option<&'u str> {
        let path = self.path().strip_prefix('/')?;
        Some(&path[memrchr(b'/', path.as_bytes()).map_or(0, |slash| slash + 1)..])
    }

    #[inline(always)]
    pub(super) fn query(&self) -> Option<&'u str> {
        self.text[self.parts.path_end..self.parts.query_end].strip_prefix('?')
    }

    #[inline(always)]
    pub(super) fn fragment(&self) -> Option<&'u str> {
        self.text[self.parts.query_end..].strip_prefix('#')
    }
}

/// Returns a domain name without its trailing dot, or `None` if it has an empty label.
pub(crate) fn dns_name(name: &str) -> Option<&str> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let has_empty_label =
        name.is_empty() || name.starts_with('.') || name.ends_with('.') || has_two_dots(name.as_bytes());
    (!has_empty_label).then_some(name)
}

/// Returns whether the name has two adjacent dots.
fn has_two_dots(mut name: &[u8]) -> bool {
    // The loop tests eight bytes at a time, the first byte in the lowest bits, drawn on the right. A byte of
    // `differs` is 0 for a dot. For any other byte, adding 0x7f to its low seven bits carries into its
    // highest bit. `others` has this bit as the lowest bit of the byte:
    //
    //   name               c  .  .  b  a  .  .  .
    //   others            01 00 00 01 01 00 00 00
    //   others >> 8       00 01 00 00 01 01 00 00
    //   LOW << 56         01 00 00 00 00 00 00 00    the last byte has no successor
    //
    // A byte that is 0 in all three values is a dot before a dot. The next eight bytes start with the last
    // byte of this word, which may be a dot. The last eight bytes of the name are read at the end of the
    // name.
    let has_two = |word: &[u8; 8]| {
        let differs = u64::from_le_bytes(*word) ^ DOTS;
        let others = (((differs & !HIGH) + !HIGH) | differs) >> 7 & LOW;
        !(others | others >> 8 | LOW << 56) & LOW != 0
    };
    let Some(last) = name.last_chunk() else { return name.windows(2).any(|pair| pair == b"..") };
    while let Some(first) = name.first_chunk() {
        if has_two(first) {
            return true;
        }
        name = &name[7..];
    }
    has_two(last)
}

const LOW: u64 = u64::from_ne_bytes([1; 8]);
const HIGH: u64 = LOW << 7;
const DOTS: u64 = LOW * b'.' as u64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_dots_are_found_wherever_they_are() {
        for len in 0..40 {
            for byte in [b'a', b'.' + 1, b'.' - 1, 0x80, 0xae, 0xff] {
                let mut name = vec![byte; len];
                assert!(!has_two_dots(&name));
                for at in 0..len {
                    name[at] = b'.';
                    assert!(!has_two_dots(&name), "{name:?}");
                    if let Some(next) = name.get_mut(at + 1) {
                        *next = b'.';
                        assert!(has_two_dots(&name), "{name:?}");
                        name[at + 1] = byte;
                    }
                    name[at] = byte;
                }
            }
        }
    }
}
