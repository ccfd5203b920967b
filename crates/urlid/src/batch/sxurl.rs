//! The phases that make SXURL identifiers.

use urlid_simd::{Kernels, Simd, Task};

use super::encoder::{BATCH, Exception, FindBoundaries, Identifier, Phases};
use super::encoder::{Encoder, take_slow_path};
use super::host_cache::HostCacheKey;
use super::hosts::{Hosts, NoHashes};
use super::message_blocks::{HashIndex, MessageBlocks};
use super::text::{LineRange, Text};
use crate::error::Error;
use crate::plain::{Boundaries, PlainScheme};
use crate::suffix::SuffixList;
use crate::sxurl::{Flags, Header, Scheme, Slice, Sxurl, join_halves, pack_right};

impl Identifier for Sxurl {
    type Value = [u8; 32];
    type Error = Error;
    type Phases = SxurlPhases;

    fn from_encoder(bytes: [u8; 32]) -> Self {
        Sxurl::from_encoder(bytes)
    }
}

/// The compiled public suffix list, a random key and the fastest kernels of this machine.
impl Default for Encoder<Sxurl> {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder<Sxurl> {
    /// Makes an encoder of SXURL identifiers with the compiled public suffix list, a random key of the host
    /// cache and the best kernels of the CPU.
    pub fn new() -> Self {
        Self::with_kernels(SuffixList::compiled(), HostCacheKey::random(), Kernels::detect())
    }

    /// Makes an encoder of SXURL identifiers with the given public suffix list.
    ///
    /// `key` should be random. An attacker who knows the key can construct URLs that are slow to encode.
    /// Identifiers are correct with any key.
    pub fn with_kernels(list: &SuffixList, key: HostCacheKey, kernels: Kernels) -> Self {
        Self::with_phases(SxurlPhases::new(list.clone(), key, kernels))
    }
}

/// The state of the phases.
#[derive(Debug)]
pub struct SxurlPhases {
    kernels: Kernels,
    hosts: Hosts,
    boundaries: Vec<Boundaries>,
    messages: MessageBlocks<u64>,
    /// For each line, the hashes of path, query and fragment.
    parts: Vec<[HashIndex; 3]>,
    /// Lines for the slow path, by ascending index.
    unrecognised: Vec<u32>,
}

impl SxurlPhases {
    fn new(list: SuffixList, key: HostCacheKey, kernels: Kernels) -> Self {
        SxurlPhases {
            kernels,
            hosts: Hosts::new(list, key),
            boundaries: Vec::new(),
            messages: MessageBlocks::of_parts(Slice::ALL.len() * BATCH),
            parts: Vec::new(),
            unrecognised: Vec::new(),
        }
    }

    #[inline]
    fn find_boundaries(&mut self, text: Text<'_>, lines: &[LineRange]) {
        self.kernels.run(FindBoundaries { text, lines, boundaries: &mut self.boundaries });
    }

    // A different phase runs between this one and `look_up_hosts`: the host cache is larger than a core's
    // cache, so its entries take long to load.
    #[inline]
    fn prefetch_hosts(&mut self, text: Text<'_>) {
        self.hosts.prefetch(text, &self.boundaries, self.kernels);
    }

    #[inline]
    fn build_messages(&mut self, text: Text<'_>) {
        let Self { kernels, boundaries, messages, parts, .. } = self;
        parts.resize(boundaries.len(), [HashIndex::ROOT; 3]);
        kernels.run(BuildMessages { kernels: *kernels, text, boundaries, messages, parts });
    }

    #[inline]
    fn look_up_hosts(&mut self, text: Text<'_>, exceptions: &mut Vec<Exception>) {
        let Self { hosts, boundaries, messages, unrecognised, kernels, .. } = self;
        hosts.look_up(text, boundaries, messages, *kernels, |index, why| match why {
            NoHashes::Unrecognised => unrecognised.push(index),
            NoHashes::Error(code) => exceptions.push(Exception { index, code: Some(code) }),
        });
    }

    #[inline]
    fn pack_ids(&self, ids: &mut Vec<[u8; 32]>) {
        ids.resize(self.boundaries.len(), [0; 32]);
        self.kernels.run(PackIds { phases: self, ids });
    }
}

/// Packs the identifier of each line. The task does not use windows either.
struct PackIds<'t> {
    phases: &'t SxurlPhases,
    ids: &'t mut [[u8; 32]],
}

impl Task for PackIds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&mut self, _: S) {
        let SxurlPhases { hosts, boundaries, messages, parts, .. } = self.phases;
        let lines = boundaries.iter().zip(parts).zip(hosts.of_lines());
        for (((line, &[path, params, frag]), host), id) in lines.zip(&mut *self.ids) {
            let flags = host.flags
                | Flags::PARAMS.when(params != HashIndex::of_empty(Slice::Params))
                | Flags::FRAG.when(frag != HashIndex::of_empty(Slice::Frag));
            // A line without a scheme takes the slow path, which replaces this identifier or reports an
            // error.
            let header = Header { scheme: line.scheme.map_or(Scheme::Https, Scheme::from), flags };
            let [path, params, frag] = [path, params, frag].map(|index| messages.hash_at(index));
            *id = join_halves(header, host.left, pack_right(host.port_low, path, params, frag));
        }
    }
}

impl From<PlainScheme> for Scheme {
    #[inline]
    fn from(scheme: PlainScheme) -> Self {
        match scheme {
            PlainScheme::Https => Scheme::Https,
            PlainScheme::Http => Scheme::Http,
            PlainScheme::Ftp => Scheme::Ftp,
        }
    }
}

#[expect(private_interfaces, reason = "sealed, as the trait is")]
impl Phases<Sxurl> for SxurlPhases {
    #[inline]
    fn identify(
        &mut self,
        text: Text<'_>,
        lines: &[LineRange],
        ids: &mut Vec<[u8; 32]>,
        exceptions: &mut Vec<Exception>,
    ) {
        self.messages.clear();
        self.unrecognised.clear();

        self.find_boundaries(text, lines);
        self.prefetch_hosts(text);
        self.build_messages(text);
        self.look_up_hosts(text, exceptions);
        self.messages.hash(self.kernels);
        self.hosts.take_new_hashes(&self.messages);
        self.pack_ids(ids);
        take_slow_path(&self.unrecognised, text, lines, ids, exceptions, |line| {
            match self.encode_alone(line) {
                Ok(id) => Ok(id.to_bytes()),
                Err(error) => Err(error.code()),
            }
        });
    }

    fn encode_alone(&self, url: &str) -> Result<Sxurl, Error> {
        Sxurl::encode_with(url, self.hosts.list())
    }

    fn kernels(&self) -> Kernels {
        self.kernels
    }
}

/// Builds the messages of paths, queries and fragments. The task does not use windows, but is compiled with
/// the path's instructions.
struct BuildMessages<'t> {
    kernels: Kernels,
    text: Text<'t>,
    boundaries: &'t [Boundaries],
    messages: &'t mut MessageBlocks<u64>,
    parts: &'t mut [[HashIndex; 3]],
}

impl Task for BuildMessages<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&mut self, _: S) {
        // Lines for the slow path get messages too, so that all lines go through the same steps. `parts` is
        // moved out because `part` borrows all of `self`.
        for (line, parts) in self.boundaries.iter().zip(core::mem::take(&mut self.parts)) {
            let path = match line.path_end - line.authority_end {
                // A path always starts with `/`, and an empty path counts as `/`.
                0 | 1 => HashIndex::ROOT,
                _ => self.part(Slice::Path, line.authority_end, line.path_end),
            };
            // A part starts after its delimiter. If the query is absent, `path_end` equals `query_end` and
            // the range is empty. The same holds for the fragment.
            let params = self.part(Slice::Params, line.path_end + 1, line.query_end);
            let frag = self.part(Slice::Frag, line.query_end + 1, line.end);
            *parts = [path, params, frag];
        }
    }
}

impl BuildMessages<'_> {
    #[inline(always)]
    fn part(&mut self, slice: Slice, start: u32, end: u32) -> HashIndex {
        if start < end {
            self.messages.push(slice.message_label(), self.text.bytes(), start..end, self.kernels)
        } else {
            HashIndex::of_empty(slice)
        }
    }
}
