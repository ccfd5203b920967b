//! `Scratch`: buffers and kernels that a thread reuses from candidate to candidate.

use core::ops::Range;

use super::digests::Place;
use urlid::batch::{Encoder, Kernels};
use urlid::hashed_uri::{HashedUri, Keep};

/// Buffers and kernels that a thread reuses from candidate to candidate.
///
/// ```
/// use urlid_lists::Scratch;
///
/// assert_eq!(Scratch::default().digests(), 0);
/// ```
#[derive(Debug)]
pub struct Scratch {
    pub(super) kernels: Kernels,
    /// An encoder for each choice of what is kept.
    pub(super) encoders: Vec<(Keep, Encoder<HashedUri>)>,
    /// Candidates that no encoder has a digest of.
    pub(super) alone: Vec<usize>,
    /// Buffers for a canonical text, and for a URI that was cut.
    pub(super) room: String,
    pub(super) cut: String,
    pub(super) last: String,
    pub(super) computed: u64,
    /// The digests of candidates that are looked up together.
    pub(super) bytes: Vec<u8>,
    pub(super) lookups: Vec<Lookup>,
}

/// A digest of a candidate that is looked up together with others.
#[derive(Debug)]
pub(super) struct Lookup {
    pub(super) candidate: usize,
    pub(super) group: usize,
    /// Where its digest is.
    pub(super) digest: Range<usize>,
    pub(super) place: Place,
}

impl Default for Scratch {
    /// The fastest kernels of this machine.
    fn default() -> Self {
        Self::new(Kernels::detect())
    }
}

impl Scratch {
    /// Makes a scratch whose digests are computed by these kernels.
    pub fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            encoders: Vec::new(),
            alone: Vec::new(),
            room: String::new(),
            cut: String::new(),
            last: String::new(),
            computed: 0,
            bytes: Vec::new(),
            lookups: Vec::new(),
        }
    }

    /// Returns how many digests were computed with this scratch.
    pub fn digests(&self) -> u64 {
        self.computed
    }
}
