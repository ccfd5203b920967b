//! The trait of the identifiers that an encoder makes, and of their phases.

use urlid_simd::{Kernels, Simd, Task};

use super::text::{LineRange, Text};
use crate::error::ErrorCode;
use crate::plain::Boundaries;

/// The number of lines that go through the phases together. Fewer would pay more for each phase, more would not fit the
/// nearest caches.
pub(super) const BATCH: usize = 512;

/// An identifier that an [`Encoder`](super::Encoder) makes: [`Sxurl`](crate::Sxurl), [`UrlHash`](crate::UrlHash) and
/// [`HashedUri`](crate::hashed_uri::HashedUri).
///
/// ```
/// use urlid::batch::{Encoder, Identifier};
///
/// fn first<I: Identifier>(encoder: &mut Encoder<I>) -> Option<I> {
///     encoder.encode("https://docs.rs/").ok()
/// }
/// assert!(first(&mut Encoder::<urlid::UrlHash>::default()).is_some());
/// ```
pub trait Identifier: Sized {
    /// What a batch has of each: the 32 bytes of an SXURL or a url-hash, the [`Sha1AndKept`](super::Sha1AndKept) of a
    /// hashed URI.
    type Value: Copy + Default + core::fmt::Debug;

    /// Why a text has no such identifier.
    type Error;

    /// What the encoder does to a batch of lines, and keeps between batches.
    #[doc(hidden)]
    type Phases: Phases<Self>;

    /// Returns the identifier with the value that the phases have made.
    #[doc(hidden)]
    fn from_encoder(value: Self::Value) -> Self;
}

/// The phases of one kind of identifier.
///
/// Their functions are marked `inline`. An encoder is generic and so compiled in the crate that uses it: without the mark each phase is
/// a call into this one, which is a fifth of the time of a single URL.
#[doc(hidden)]
#[expect(private_interfaces, reason = "sealed: the types that the methods take have no public name")]
pub trait Phases<I: Identifier>: core::fmt::Debug {
    /// Takes lines through the phases: one identifier each, and the exceptions by ascending index. `lap` is called with the
    /// name of each phase when it is done.
    fn identify(
        &mut self,
        text: Text<'_>,
        lines: &[LineRange],
        ids: &mut Vec<I::Value>,
        exceptions: &mut Vec<Exception>,
        lap: &mut impl FnMut(&'static str),
    );

    /// Returns the identifier of one URL, made without the phases.
    fn encode_alone(&self, url: &str) -> Result<I, I::Error>;

    /// Returns the kernels in use.
    fn kernels(&self) -> Kernels;
}

/// A line of a batch that has no identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exception {
    /// Which line of the batch.
    pub(super) index: u32,
    /// `None` if the line is blank.
    pub(super) code: Option<ErrorCode>,
}

/// Finds the boundaries of lines.
pub(super) struct FindBoundaries<'t> {
    pub(super) text: Text<'t>,
    pub(super) lines: &'t [LineRange],
    pub(super) boundaries: &'t mut Vec<Boundaries>,
}

impl Task for FindBoundaries<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        let (bytes, is_utf8) = (self.text.bytes(), self.text.is_utf8());
        self.boundaries.resize(self.lines.len(), Boundaries::default());
        for (line, boundaries) in self.lines.iter().zip(self.boundaries.iter_mut()) {
            self.text.prefetch_next(line.start);
            *boundaries = Boundaries::of_line(simd, bytes, is_utf8, line.start..line.end);
        }
    }
}
