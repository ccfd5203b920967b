//! The phases that make url-hash values.

use urlid_simd::{Kernels, Label, Simd, Task};

use super::encoder::{BATCH, Exception, FindBoundaries, Identifier, Phases};
use super::encoder::{Encoder, take_slow_path};
use super::message_blocks::{HashIndex, MessageBlocks};
use super::text::{LineRange, PADDING_BEHIND, Text};
use crate::error::Error;
use crate::plain::Boundaries;
use crate::url_hash::UrlHash;
use crate::web::{PlainForm, form_of_line};

impl Identifier for UrlHash {
    type Value = [u8; 32];
    type Error = Error;
    type Phases = UrlHashPhases;

    fn from_encoder(bytes: [u8; 32]) -> Self {
        UrlHash::from_bytes(bytes)
    }
}

/// The fastest kernels of this machine.
impl Default for Encoder<UrlHash> {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder<UrlHash> {
    /// Makes an encoder of url-hash values, with the best kernels of the CPU.
    pub fn new() -> Self {
        Self::with_kernels(Kernels::detect())
    }

    /// Makes an encoder of url-hash values, with the given kernels.
    pub fn with_kernels(kernels: Kernels) -> Self {
        Self::with_phases(UrlHashPhases::new(kernels))
    }
}

/// The state of the phases.
#[derive(Debug)]
pub struct UrlHashPhases {
    kernels: Kernels,
    boundaries: Vec<Boundaries>,
    forms: Vec<PlainForm>,
    messages: MessageBlocks<[u8; 32]>,
    /// For each line, its hash.
    hashes: Vec<HashIndex>,
    /// Lines for the slow path, by ascending index.
    unrecognised: Vec<u32>,
    /// Scratch of `build_messages`: a line with a slash added and padding around it.
    rooted: Vec<u8>,
}

impl UrlHashPhases {
    fn new(kernels: Kernels) -> Self {
        UrlHashPhases {
            kernels,
            boundaries: Vec::new(),
            forms: Vec::new(),
            // Lines for the slow path use the precomputed hash as a placeholder.
            messages: MessageBlocks::new(&[[0; 32]], BATCH),
            hashes: Vec::new(),
            unrecognised: Vec::new(),
            rooted: Vec::new(),
        }
    }

    #[inline]
    fn find_boundaries(&mut self, text: Text<'_>, lines: &[LineRange]) {
        self.kernels.run(FindBoundaries { text, lines, boundaries: &mut self.boundaries });
    }

    fn find_forms(&mut self, text: Text<'_>) {
        let Self { kernels, boundaries, forms, .. } = self;
        kernels.run(FindForms { bytes: text.bytes(), boundaries, forms });
    }

    #[inline]
    fn build_messages(&mut self, text: Text<'_>, lines: &[LineRange]) {
        let Self { kernels, forms, messages, hashes, unrecognised, rooted, .. } = self;
        let kernels = *kernels;
        kernels.run(BuildMessages { kernels, text, lines, forms, messages, hashes, unrecognised, rooted });
    }

    #[inline]
    fn take_hashes(&self, ids: &mut Vec<[u8; 32]>) {
        ids.extend(self.hashes.iter().map(|&index| self.messages.hash_at(index)));
    }
}

#[expect(private_interfaces, reason = "sealed, as the trait is")]
impl Phases<UrlHash> for UrlHashPhases {
    #[inline]
    fn identify(
        &mut self,
        text: Text<'_>,
        lines: &[LineRange],
        ids: &mut Vec<[u8; 32]>,
        exceptions: &mut Vec<Exception>,
    ) {
        self.messages.clear();
        self.hashes.clear();
        self.unrecognised.clear();

        self.find_boundaries(text, lines);
        self.find_forms(text);
        self.build_messages(text, lines);
        self.messages.hash(self.kernels);
        self.take_hashes(ids);
        take_slow_path(&self.unrecognised, text, lines, ids, exceptions, |line| {
            match self.encode_alone(line) {
                Ok(hash) => Ok(hash.to_bytes()),
                Err(error) => Err(error.code()),
            }
        });
    }

    fn encode_alone(&self, url: &str) -> Result<UrlHash, Error> {
        UrlHash::encode(url)
    }

    fn kernels(&self) -> Kernels {
        self.kernels
    }
}

/// Finds the form of each line.
struct FindForms<'t> {
    bytes: &'t [u8],
    boundaries: &'t [Boundaries],
    forms: &'t mut Vec<PlainForm>,
}

impl Task for FindForms<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        self.forms.clear();
        for line in self.boundaries {
            self.forms.push(form_of_line(simd, self.bytes, line));
        }
    }
}

/// Builds a message of each line in normal form. The task does not use windows, but is compiled with the
/// path's instructions.
struct BuildMessages<'t> {
    kernels: Kernels,
    text: Text<'t>,
    lines: &'t [LineRange],
    forms: &'t [PlainForm],
    messages: &'t mut MessageBlocks<[u8; 32]>,
    hashes: &'t mut Vec<HashIndex>,
    unrecognised: &'t mut Vec<u32>,
    rooted: &'t mut Vec<u8>,
}

impl Task for BuildMessages<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&mut self, _: S) {
        let whole = &Label::EMPTY;
        for (index, (line, form)) in self.lines.iter().zip(self.forms).enumerate() {
            self.hashes.push(match form {
                PlainForm::Normal => {
                    self.messages.push(whole, self.text.bytes(), line.start..line.end, self.kernels)
                }
                PlainForm::Rootless => {
                    // No padding is needed before the text, because there is no label to overwrite it.
                    self.rooted.clear();
                    self.rooted.extend_from_slice(self.text.line(*line));
                    self.rooted.push(b'/');
                    let end = self.rooted.len() as u32;
                    self.rooted.extend_from_slice(&[0; PADDING_BEHIND]);
                    self.messages.push(whole, self.rooted, 0..end, self.kernels)
                }
                PlainForm::Unrecognised => {
                    self.unrecognised.push(index as u32);
                    MessageBlocks::<[u8; 32]>::precomputed(0)
                }
            });
        }
    }
}
