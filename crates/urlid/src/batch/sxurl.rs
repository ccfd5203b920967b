//! The phases that make SXURL identifiers.

use urlid_simd::{Kernels, Simd, Task};

use super::cut::{Cut, CutLines};
use super::encoder::{BATCH, Phases};
use super::memo::MemoKey;
use super::messages::{Messages, Place};
use super::output::Exception;
use super::plain::take_plain_path;
use super::sites::{NoSite, Sites};
use super::text::{Line, Text};
use crate::error_code::Coded;
use crate::suffix::SuffixList;
use crate::sxurl::{
    EncodeError, FRAG_PRESENT, KnownHashes, PARAMS_PRESENT, Scheme, Slice, Sxurl, flag, header, pack,
};

/// What the phases hand to each other.
#[derive(Debug)]
pub struct SxurlPhases {
    kernels: Kernels,
    sites: Sites,
    cuts: Vec<Cut>,
    messages: Messages<u64>,
    /// For each line, where the hashes of path, query and fragment will be.
    places: Vec<[Place; 3]>,
    /// Lines for the plain path, by ascending index.
    plain: Vec<u32>,
}

/// The place of the hash of `/`, behind those of the empty parts.
const ROOT: Place = Messages::<u64>::known(6);

impl Place {
    /// Returns the place of the hash of an empty part.
    #[inline]
    pub(super) const fn of_empty(slice: Slice) -> Place {
        Messages::<u64>::known(slice as usize)
    }
}

impl SxurlPhases {
    pub(super) fn new(list: SuffixList, key: MemoKey, kernels: Kernels) -> Self {
        let KnownHashes { empty, root } = *KnownHashes::get();
        let [tld, domain, sub, path, params, frag] = empty;
        SxurlPhases {
            kernels,
            sites: Sites::new(list, key),
            cuts: Vec::new(),
            messages: Messages::new(&[tld, domain, sub, path, params, frag, root], Slice::ALL.len() * BATCH),
            places: Vec::new(),
            plain: Vec::new(),
        }
    }

    fn cut_lines(&mut self, text: Text<'_>, lines: &[Line]) {
        self.kernels.run(CutLines { text, lines, cuts: &mut self.cuts });
    }

    // Between this and `find_sites` lies another phase: what the memo holds is often far away.
    fn ask_memo(&mut self, text: Text<'_>) {
        self.sites.ask(text, &self.cuts, self.kernels);
    }

    fn find_sites(&mut self, text: Text<'_>, exceptions: &mut Vec<Exception>) {
        let Self { sites, cuts, messages, plain, kernels, .. } = self;
        sites.find(text, cuts, messages, *kernels, |index, why| match why {
            NoSite::Unknown => plain.push(index),
            NoSite::Refused(code) => exceptions.push(Exception { index, code: Some(code) }),
        });
    }

    fn build_messages(&mut self, text: Text<'_>) {
        let Self { kernels, cuts, messages, places, .. } = self;
        kernels.run(BuildMessages { kernels: *kernels, text, cuts, messages, places });
    }

    fn pack_ids(&self, ids: &mut Vec<[u8; 32]>) {
        for (index, (cut, &[path, params, frag])) in self.cuts.iter().zip(&self.places).enumerate() {
            let site = self.sites.of_line(index);
            let header = header(cut.scheme.unwrap_or(Scheme::Https))
                | site.flags
                | flag(PARAMS_PRESENT, params != Place::of_empty(Slice::Params))
                | flag(FRAG_PRESENT, frag != Place::of_empty(Slice::Frag));
            let hash = |place| self.messages.at(place);
            let hashes = [site.tld, site.domain, site.sub, hash(path), hash(params), hash(frag)];
            ids.push(pack(header, site.port, hashes));
        }
    }
}

#[expect(private_interfaces, reason = "sealed, as the trait is")]
impl Phases<Sxurl> for SxurlPhases {
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
        self.ask_memo(text);
        lap("ask memo");
        self.build_messages(text);
        lap("messages");
        self.find_sites(text, exceptions);
        lap("sites");
        self.messages.hash(self.kernels);
        lap("sha-256");
        self.sites.remember(&self.messages);
        self.pack_ids(ids);
        lap("pack");
        take_plain_path(&self.plain, text, lines, ids, exceptions, |line| match self.plain(line) {
            Ok(id) => Ok(id.to_bytes()),
            Err(error) => Err(error.code()),
        });
        lap("plain path");
    }

    fn plain(&self, url: &str) -> Result<Sxurl, EncodeError> {
        Sxurl::encode_with(url, self.sites.list())
    }

    fn kernels(&self) -> Kernels {
        self.kernels
    }
}

/// Builds the messages of paths, queries and fragments. A task without windows: it is compiled with the path's instructions.
struct BuildMessages<'t> {
    kernels: Kernels,
    text: Text<'t>,
    cuts: &'t [Cut],
    messages: &'t mut Messages<u64>,
    places: &'t mut Vec<[Place; 3]>,
}

impl Task for BuildMessages<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, _: S) {
        for cut in self.cuts {
            let path = match cut.path_end - cut.authority_end {
                // Only `/` begins a path, and an empty one counts as that.
                0 | 1 => ROOT,
                _ => self.part(Slice::Path, cut.authority_end, cut.path_end),
            };
            let params = self.part(Slice::Params, cut.path_end + 1, cut.query_end);
            let frag = self.part(Slice::Frag, cut.query_end + 1, cut.end);
            self.places.push([path, params, frag]);
        }
    }
}

impl BuildMessages<'_> {
    #[inline(always)]
    fn part(&mut self, slice: Slice, start: u32, end: u32) -> Place {
        match start < end {
            true => self.messages.push(slice.message_label(), self.text.bytes(), start..end, self.kernels),
            false => Place::of_empty(slice),
        }
    }
}
