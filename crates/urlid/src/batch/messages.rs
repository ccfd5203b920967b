//! Messages waiting to be hashed, those of equal length together.

use std::ops::Range;

use urlid_simd::{Block, Kernels, Label, Part};

use super::encoder::BATCH;

/// Messages of up to so many blocks are gathered; a longer one is hashed at once.
const GATHERED: usize = 8;

/// The room for hashes of messages of one block; the others have their hashes behind it.
///
/// Six parts of each line of a batch, and the known hashes.
const ONE_BLOCK: usize = 6 * BATCH + 8;

/// Where the hash of a message will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u32);

/// Messages and the wanted parts of their digests.
#[derive(Debug)]
pub(super) struct Messages<P> {
    /// The blocks of messages of one block, in the order of their places.
    blocks: Vec<Block>,
    /// Longer messages, by their number of blocks.
    longer: Vec<Longer<P>>,
    /// The hashes: known ones, those of messages of one block, and from [`ONE_BLOCK`] on the others.
    hashes: Vec<P>,
    known: usize,
}

/// Messages of one number of blocks.
#[derive(Debug)]
struct Longer<P> {
    blocks: Vec<Block>,
    places: Vec<Place>,
    hashes: Vec<P>,
}

impl<P: Part + Default> Messages<P> {
    /// Returns an empty gathering in which the first places have known hashes.
    pub(super) fn new(known: &[P]) -> Self {
        let mut hashes = vec![P::default(); ONE_BLOCK];
        hashes[..known.len()].copy_from_slice(known);
        let longer = || Longer { blocks: Vec::new(), places: Vec::new(), hashes: Vec::new() };
        Messages {
            blocks: Vec::new(),
            longer: std::iter::repeat_with(longer).take(GATHERED - 1).collect(),
            hashes,
            known: known.len(),
        }
    }

    /// Returns the place of a known hash.
    pub(super) const fn known(index: usize) -> Place {
        Place(index as u32)
    }

    /// Forgets all messages.
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.hashes.truncate(ONE_BLOCK);
    }

    /// Adds the message of a label and a range of the text.
    #[inline(always)]
    pub(super) fn push(&mut self, label: &Label, text: &[u8], range: Range<u32>, kernels: Kernels) -> Place {
        let range = range.start as usize..range.end as usize;
        match label.blocks(range.len()) {
            1 => {
                label.push_message(text, range, &mut self.blocks);
                Place((self.known + self.blocks.len() - 1) as u32)
            }
            count => self.push_longer(label, text, range, count, kernels),
        }
    }

    #[inline(always)]
    fn push_longer(
        &mut self,
        label: &Label,
        text: &[u8],
        range: Range<usize>,
        count: usize,
        kernels: Kernels,
    ) -> Place {
        let place = Place(self.hashes.len() as u32);
        self.hashes.push(P::default());
        let longer = &mut self.longer[count.min(GATHERED) - 2];
        label.push_message(text, range, &mut longer.blocks);
        longer.places.push(place);
        if count >= GATHERED {
            longer.hash(count, &mut self.hashes, kernels);
        }
        place
    }

    /// Hashes all messages.
    pub(super) fn hash(&mut self, kernels: Kernels) {
        let places = self.known..self.known + self.blocks.len();
        kernels.hash(&self.blocks, 1, &mut self.hashes[places]);
        if self.hashes.len() > ONE_BLOCK {
            for (index, longer) in self.longer.iter_mut().enumerate() {
                longer.hash(index + 2, &mut self.hashes, kernels);
            }
        }
    }

    /// Returns the hash at a place.
    #[inline]
    pub(super) fn at(&self, place: Place) -> P {
        self.hashes[place.0 as usize]
    }
}

impl<P: Part + Default> Longer<P> {
    /// Hashes the messages to their places and forgets them.
    fn hash(&mut self, each: usize, hashes: &mut [P], kernels: Kernels) {
        if self.places.is_empty() {
            return;
        }
        self.hashes.resize(self.places.len(), P::default());
        kernels.hash(&self.blocks, each, &mut self.hashes);
        for (place, hash) in self.places.drain(..).zip(&self.hashes) {
            hashes[place.0 as usize] = *hash;
        }
        self.blocks.clear();
    }
}
