//! The phases that make url-hash values.

use std::net::Ipv4Addr;

use urlid_simd::{AsciiSet, Kernels, Label, Simd, Task, Window};

use super::cut::{Cut, CutLines};
use super::encoder::{BATCH, Phases};
use super::messages::{Messages, Place};
use super::output::Exception;
use super::plain::take_plain_path;
use super::text::{Line, ROOM_BEHIND, Text, window};
use crate::error_code::Coded;
use crate::escape::PATH;
use crate::sxurl::Scheme;
use crate::url_hash::UrlHash;
use crate::web::ParseError;

/// What the phases hand to each other.
#[derive(Debug)]
pub struct UrlHashPhases {
    kernels: Kernels,
    cuts: Vec<Cut>,
    forms: Vec<Form>,
    messages: Messages<[u8; 32]>,
    /// For each line, where its hash will be.
    places: Vec<Place>,
    /// Lines for the plain path, by ascending index.
    plain: Vec<u32>,
    /// A line with a slash added and room around it; a scratch of `build_messages`.
    rooted: Vec<u8>,
}

/// How a line differs from its normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Not at all.
    Normal,
    /// It is a scheme and a host, and lacks the slash of an empty path.
    Rootless,
    /// Only the plain path can tell.
    Unknown,
}

impl UrlHashPhases {
    pub(super) fn new(kernels: Kernels) -> Self {
        UrlHashPhases {
            kernels,
            cuts: Vec::new(),
            forms: Vec::new(),
            // One more, for the place of a line whose hash is not here.
            messages: Messages::new(&[[0; 32]], BATCH),
            places: Vec::new(),
            plain: Vec::new(),
            rooted: Vec::new(),
        }
    }

    fn cut_lines(&mut self, text: Text<'_>, lines: &[Line]) {
        self.kernels.run(CutLines { text, lines, cuts: &mut self.cuts });
    }

    fn check_forms(&mut self, text: Text<'_>, lines: &[Line]) {
        self.kernels.run(CheckForms { bytes: text.bytes(), lines, cuts: &self.cuts, forms: &mut self.forms });
    }

    fn build_messages(&mut self, text: Text<'_>, lines: &[Line]) {
        let Self { kernels, forms, messages, places, plain, rooted, .. } = self;
        kernels.run(BuildMessages { kernels: *kernels, text, lines, forms, messages, places, plain, rooted });
    }

    fn take_hashes(&self, ids: &mut Vec<[u8; 32]>) {
        ids.extend(self.places.iter().map(|&place| self.messages.at(place)));
    }
}

#[expect(private_interfaces, reason = "sealed, as the trait is")]
impl Phases<UrlHash> for UrlHashPhases {
    fn identify(
        &mut self,
        text: Text<'_>,
        lines: &[Line],
        ids: &mut Vec<[u8; 32]>,
        exceptions: &mut Vec<Exception>,
        lap: &mut impl FnMut(&'static str),
    ) {
        self.messages.clear();
        self.places.clear();
        self.plain.clear();

        self.cut_lines(text, lines);
        lap("cut");
        self.check_forms(text, lines);
        lap("check");
        self.build_messages(text, lines);
        lap("messages");
        self.messages.hash(self.kernels);
        lap("sha-256");
        self.take_hashes(ids);
        lap("take");
        take_plain_path(&self.plain, text, lines, ids, exceptions, |line| match self.plain(line) {
            Ok(hash) => Ok(hash.to_bytes()),
            Err(error) => Err(error.code()),
        });
        lap("plain path");
    }

    fn plain(&self, url: &str) -> Result<UrlHash, ParseError> {
        UrlHash::encode(url)
    }

    fn kernels(&self) -> Kernels {
        self.kernels
    }
}

/// Bytes of a domain name that is its own normal form.
const HOST: AsciiSet = AsciiSet::EMPTY.with_range(b'a', b'z').with_range(b'0', b'9').with(b"-._");
/// Bytes behind the host that stand for themselves whether in path, query or fragment; `?` and `#` end parts there.
///
/// `\` is a slash in a path, and `'` is escaped in a query only: such lines are left to the plain path.
const PLAIN: AsciiSet = PATH.others().without(b'\\').without(b'\'').with(b"?#");

/// Builds a message of each line in normal form. A task without windows: it is compiled with the path's instructions.
struct BuildMessages<'t> {
    kernels: Kernels,
    text: Text<'t>,
    lines: &'t [Line],
    forms: &'t [Form],
    messages: &'t mut Messages<[u8; 32]>,
    places: &'t mut Vec<Place>,
    plain: &'t mut Vec<u32>,
    rooted: &'t mut Vec<u8>,
}

impl Task for BuildMessages<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let whole = &Label::EMPTY;
        for (index, (line, form)) in self.lines.iter().zip(self.forms).enumerate() {
            self.places.push(match form {
                Form::Normal => {
                    self.messages.push(whole, self.text.bytes(), line.start..line.end, self.kernels)
                }
                Form::Rootless => {
                    self.rooted.clear();
                    self.rooted.extend_from_slice(self.text.line(*line));
                    self.rooted.push(b'/');
                    let end = self.rooted.len() as u32;
                    self.rooted.extend_from_slice(&[0; ROOM_BEHIND]);
                    self.messages.push(whole, self.rooted, 0..end, self.kernels)
                }
                Form::Unknown => {
                    self.plain.push(index as u32);
                    Messages::<[u8; 32]>::known(0)
                }
            });
        }
    }
}

/// Finds the form of each line.
struct CheckForms<'t> {
    bytes: &'t [u8],
    lines: &'t [Line],
    cuts: &'t [Cut],
    forms: &'t mut Vec<Form>,
}

impl Task for CheckForms<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.forms.clear();
        for (line, cut) in self.lines.iter().zip(self.cuts) {
            self.forms.push(form(simd, self.bytes, *line, cut));
        }
    }
}

#[inline(always)]
fn form<S: Simd>(simd: S, bytes: &[u8], line: Line, cut: &Cut) -> Form {
    let host = &bytes[cut.authority as usize..cut.authority_end as usize];
    if cut.scheme.is_none() || !(is_name(host) || is_address(host)) {
        return Form::Unknown;
    }
    let is_plain = is_plain(simd, bytes, line, cut, cut.authority_end)
        || port_start(bytes, cut).is_some_and(|colon| is_plain(simd, bytes, line, cut, colon));
    match (cut.authority_end == cut.end, bytes[cut.authority_end as usize] == b'/') {
        _ if !is_plain => Form::Unknown,
        (true, _) => Form::Rootless,
        (false, true) => Form::Normal,
        (false, false) => Form::Unknown,
    }
}

/// Returns whether a host of plain bytes is no address for sure: its last label begins with no digit.
#[inline(always)]
fn is_name(host: &[u8]) -> bool {
    let last_label = host.iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    host.get(last_label).is_some_and(|byte| !byte.is_ascii_digit())
}

/// Returns whether a host is an IPv4 address in its normal form.
#[cold]
fn is_address(host: &[u8]) -> bool {
    // The standard library reads four decimal numbers without leading zeros, and nothing else.
    str::from_utf8(host).is_ok_and(|host| host.parse::<Ipv4Addr>().is_ok())
}

/// Returns where the `:` of a port stands, if the port is in its normal form and the host before it is a name.
#[cold]
fn port_start(bytes: &[u8], cut: &Cut) -> Option<u32> {
    let authority = &bytes[cut.authority as usize..cut.authority_end as usize];
    let colon = authority.iter().position(|&byte| byte == b':')?;
    let (host, digits) = (&authority[..colon], &authority[colon + 1..]);
    let is_number =
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && (digits == b"0" || digits[0] != b'0');
    let port: u16 = str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()?;
    let default = match cut.scheme? {
        Scheme::Https => 443,
        Scheme::Http => 80,
        Scheme::Ftp => 21,
    };
    (port != default && is_name(host)).then_some(cut.authority + colon as u32)
}

/// Returns whether every byte of the line stands for itself for sure, and no segment of the path may be dots. What is between
/// `host_end` and the end of the authority is not looked at.
#[inline(always)]
fn is_plain<S: Simd>(simd: S, bytes: &[u8], line: Line, cut: &Cut, host_end: u32) -> bool {
    let mut offset = cut.authority;
    let mut slash_before = 0;
    while offset < line.end {
        let window = simd.window(window(bytes, offset as usize));
        let [host, authority, path, all] =
            [host_end, cut.authority_end, cut.path_end, line.end].map(|end| first_bits(end, offset));
        let slashes = window.equal(b'/');
        // `%2` may begin an escaped dot; so may a `%` whose next byte is out of sight.
        let escapes = window.equal(b'%') & (window.equal(b'2') >> 1 | 1 << 63);
        let dots = (slashes << 1 | slash_before) & (window.equal(b'.') | escapes);
        let bad = host & !window.within(&HOST)
            | all & !authority & !window.within(&PLAIN)
            | path & !authority & dots;
        if bad != 0 {
            return false;
        }
        slash_before = slashes >> 63;
        offset += 64;
    }
    true
}

/// Returns a mask of the bytes of the window at `offset` that lie before `end`.
#[inline(always)]
fn first_bits(end: u32, offset: u32) -> u64 {
    !u64::MAX.unbounded_shl(end.saturating_sub(offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::escape::{FRAGMENT, SPECIAL_QUERY};

    #[test]
    fn plain_bytes_are_escaped_in_no_part_that_can_hold_them() {
        for byte in (0..=255).filter(|&byte| PLAIN.contains(byte)) {
            assert!(byte == b'?' || byte == b'#' || !PATH.contains(byte), "{byte:#x} in a path");
            assert!(byte == b'#' || !SPECIAL_QUERY.contains(byte), "{byte:#x} in a query");
            assert!(!FRAGMENT.contains(byte), "{byte:#x} in a fragment");
        }
        assert!(
            PLAIN.contains(b'%') && PLAIN.contains(b'|') && !PLAIN.contains(b'\\') && !PLAIN.contains(0x80)
        );
    }
}
