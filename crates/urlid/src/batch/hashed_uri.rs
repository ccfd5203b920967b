//! The phases that make hashed URIs by SHA-1 and variant N.

use urlid_simd::{Kernels, Label, Simd, Task};

use super::encoder::Batch;
use super::encoder::{BATCH, Exception, FindBoundaries, Identifier, Phases};
use super::encoder::{Encoder, take_slow_path};
use super::message_blocks::{HashIndex, MessageBlocks};
use super::text::{LineRange, Text};
use crate::error::Error;
use crate::hashed_uri::{
    Algorithm, HashedUri, Keep, Variant, canonical_prefix_of_line, canonicalize, sha1, start_of_hashed_uri,
};
use crate::plain::Boundaries;

/// A hashed URI with SHA-1: the digest of a canonical text, and the kept parts.
///
/// ```
/// use urlid::batch::{Encoder, Kernels};
/// use urlid::hashed_uri::{HashedUri, Keep};
///
/// let mut encoder = Encoder::<HashedUri>::new(Keep::QUERY);
/// encoder.encode_all(["http://h/?q"], |batch| {
///     assert_eq!(batch.ids()[0].kept, Keep::QUERY);
///     assert_eq!(batch.ids()[0].digest[..2], [0xc8, 0x1b]);
/// });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sha1AndKept {
    /// The SHA-1 digest of the canonical text.
    pub digest: [u8; 20],
    /// The kept parts: query, fragment, both or neither.
    pub kept: Keep,
}

impl Identifier for HashedUri {
    type Value = Sha1AndKept;
    type Error = Error;
    type Phases = HashedUriPhases;

    fn from_encoder(Sha1AndKept { digest, kept }: Sha1AndKept) -> Self {
        HashedUri::from_parts(Algorithm::Sha1, &digest, kept).expect("the length is that of SHA-1")
    }
}

impl Encoder<HashedUri> {
    /// Makes an encoder of hashed URIs with SHA-1, variant N and no base. These are the default
    /// [`Options`](crate::hashed_uri::Options), except for `keep`. The encoder uses the best kernels of the
    /// CPU.
    pub fn new(keep: Keep) -> Self {
        Self::with_kernels(keep, Kernels::detect())
    }

    /// Makes the same encoder with the given kernels.
    pub fn with_kernels(keep: Keep, kernels: Kernels) -> Self {
        Self::with_phases(HashedUriPhases::new(keep, kernels))
    }
}

impl Batch<'_, HashedUri> {
    /// Appends the text of each hashed URI as a line, and an empty line for each missing one.
    pub fn write_hashed_uris(&self, out: &mut Vec<u8>) {
        let start = start_of_hashed_uri(&Algorithm::Sha1);
        self.write_lines(out, |ids, out| {
            for ids in ids.chunks(DIGITS_AT_ONCE) {
                let mut digests = [[0; 32]; DIGITS_AT_ONCE];
                let mut digits = [[0; 65]; DIGITS_AT_ONCE];
                for (digest, id) in digests.iter_mut().zip(ids) {
                    // The kernel writes 32 bytes. The digits of the zeros after the digest are dropped below.
                    digest[..20].copy_from_slice(&id.digest);
                }
                self.phases.kernels().hex_lines(&digests[..ids.len()], &mut digits[..ids.len()]);
                for (id, digits) in ids.iter().zip(&digits) {
                    out.extend_from_slice(start.as_bytes());
                    out.extend_from_slice(&digits[..40]);
                    out.extend_from_slice(id.kept.flags().as_bytes());
                    out.push(b'\n');
                }
            }
        });
    }
}

/// The number of digests that are written together.
const DIGITS_AT_ONCE: usize = 32;

/// The state of the phases.
#[derive(Debug)]
pub struct HashedUriPhases {
    kernels: Kernels,
    keep: Keep,
    boundaries: Vec<Boundaries>,
    messages: MessageBlocks<[u8; 20]>,
    /// For each line, its digest and the kept parts.
    hashes: Vec<(HashIndex, Keep)>,
    /// Lines for the slow path, by ascending index.
    unrecognised: Vec<u32>,
}

impl HashedUriPhases {
    fn new(keep: Keep, kernels: Kernels) -> Self {
        HashedUriPhases {
            kernels,
            keep,
            boundaries: Vec::new(),
            // Lines for the slow path use the precomputed hash as a placeholder.
            messages: MessageBlocks::new(&[[0; 20]], BATCH),
            hashes: Vec::new(),
            unrecognised: Vec::new(),
        }
    }

    #[inline]
    fn find_boundaries(&mut self, text: Text<'_>, lines: &[LineRange]) {
        self.kernels.run(FindBoundaries { text, lines, boundaries: &mut self.boundaries });
    }

    #[inline]
    fn build_messages(&mut self, text: Text<'_>, lines: &[LineRange]) {
        let Self { kernels, keep, boundaries, messages, hashes, unrecognised } = self;
        let (kernels, keep) = (*kernels, *keep);
        kernels.run(BuildMessages { kernels, keep, text, lines, boundaries, messages, hashes, unrecognised });
    }

    #[inline]
    fn take_hashes(&self, ids: &mut Vec<Sha1AndKept>) {
        let value = |&(index, kept)| Sha1AndKept { digest: self.messages.hash_at(index), kept };
        ids.extend(self.hashes.iter().map(value));
    }

    fn canonicalise_and_hash(&self, uri: &str) -> Result<Sha1AndKept, Error> {
        let canonical = canonicalize(uri, None, self.keep, Variant::N)?;
        Ok(Sha1AndKept { digest: sha1(canonical.as_str().as_bytes()), kept: canonical.kept() })
    }
}

#[expect(private_interfaces, reason = "sealed, as the trait is")]
impl Phases<HashedUri> for HashedUriPhases {
    #[inline]
    fn identify(
        &mut self,
        text: Text<'_>,
        lines: &[LineRange],
        ids: &mut Vec<Sha1AndKept>,
        exceptions: &mut Vec<Exception>,
    ) {
        self.messages.clear();
        self.hashes.clear();
        self.unrecognised.clear();

        self.find_boundaries(text, lines);
        self.build_messages(text, lines);
        self.messages.hash(self.kernels);
        self.take_hashes(ids);
        take_slow_path(&self.unrecognised, text, lines, ids, exceptions, |line| {
            self.canonicalise_and_hash(line).map_err(|error| error.code())
        });
    }

    fn encode_alone(&self, uri: &str) -> Result<HashedUri, Error> {
        self.canonicalise_and_hash(uri).map(HashedUri::from_encoder)
    }

    fn kernels(&self) -> Kernels {
        self.kernels
    }
}

/// Builds a message of each line that starts with its canonical text.
struct BuildMessages<'t> {
    kernels: Kernels,
    keep: Keep,
    text: Text<'t>,
    lines: &'t [LineRange],
    boundaries: &'t [Boundaries],
    messages: &'t mut MessageBlocks<[u8; 20]>,
    hashes: &'t mut Vec<(HashIndex, Keep)>,
    unrecognised: &'t mut Vec<u32>,
}

impl Task for BuildMessages<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        let bytes = self.text.bytes();
        for (index, (line, boundaries)) in self.lines.iter().zip(self.boundaries).enumerate() {
            self.hashes.push(match canonical_prefix_of_line(simd, bytes, boundaries, self.keep) {
                Some((end, kept)) => {
                    (self.messages.push(&Label::EMPTY, bytes, line.start..end, self.kernels), kept)
                }
                None => {
                    self.unrecognised.push(index as u32);
                    (MessageBlocks::<[u8; 20]>::precomputed(0), Keep::NONE)
                }
            });
        }
    }
}
