//! Messages waiting to be hashed, those of equal length together.

use std::ops::Range;

use urlid_simd::{Block, Kernels, Label, Part};

/// Messages of up to so many blocks are gathered; a longer one is hashed at once.
const GATHERED: usize = 8;

/// Where the hash of a message will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u32);

/// Messages and the wanted parts of their digests.
#[derive(Debug)]
pub(super) struct Messages<P> {
    /// By the number of blocks; the last are those that are hashed at once.
    queues: [Queue; GATHERED + 1],
    /// The known hashes, then those of each queue, `capacity` for each.
    hashes: Vec<P>,
    known: usize,
    capacity: usize,
}

/// The blocks of messages of one number of blocks.
#[derive(Clone, Debug, Default)]
struct Queue {
    /// Those of the messages, then some that hold anything.
    blocks: Vec<Block>,
    messages: usize,
}

impl<P: Part + Default> Messages<P> {
    /// Returns an empty gathering of up to `capacity` messages, in which the first places have known hashes.
    pub(super) fn new(known: &[P], capacity: usize) -> Self {
        let mut hashes = vec![P::default(); known.len() + (GATHERED + 1) * capacity];
        hashes[..known.len()].copy_from_slice(known);
        Messages { queues: Default::default(), hashes, known: known.len(), capacity }
    }

    /// Returns the place of a known hash.
    pub(super) const fn known(index: usize) -> Place {
        Place(index as u32)
    }

    /// Forgets all messages.
    pub(super) fn clear(&mut self) {
        for queue in &mut self.queues {
            queue.messages = 0;
        }
    }

    /// Adds the message of a label and a range of the text.
    #[inline(always)]
    pub(super) fn push(&mut self, label: &Label, text: &[u8], range: Range<u32>, kernels: Kernels) -> Place {
        let range = range.start as usize..range.end as usize;
        let count = label.blocks(range.len());
        let class = count.min(GATHERED + 1) - 1;
        let queue = &mut self.queues[class];
        let place = self.known + class * self.capacity + queue.messages;
        // No branch tells one block from two: it would be guessed wrong every other time.
        let is_written = match queue.blocks.get_mut(count * queue.messages..).and_then(<[_]>::first_chunk_mut)
        {
            Some(room) => label.write_short(text, &range, room),
            None => false,
        };
        queue.messages += 1;
        if !is_written {
            self.push_otherwise(label, text, range, (class, place), kernels);
        }
        Place(place as u32)
    }

    /// Adds a message that is longer, or for which there is no room yet.
    #[inline(never)]
    fn push_otherwise(
        &mut self,
        label: &Label,
        text: &[u8],
        range: Range<usize>,
        (class, place): (usize, usize),
        kernels: Kernels,
    ) {
        let queue = &mut self.queues[class];
        let count = label.blocks(range.len());
        let before = if class < GATHERED { count * (queue.messages - 1) } else { 0 };
        if queue.blocks.len() < before + count + 1 {
            queue.blocks.resize(2 * before + count + 1, Block([0; 64]));
        }
        let message = &mut queue.blocks[before..before + count];
        label.write(text, range, message);
        if class == GATHERED {
            kernels.hash(message, count, &mut self.hashes[place..=place]);
        }
    }

    /// Hashes all messages.
    pub(super) fn hash(&mut self, kernels: Kernels) {
        let mut start = self.known;
        for (index, queue) in self.queues[..GATHERED].iter().enumerate() {
            if queue.messages > 0 {
                let blocks = &queue.blocks[..queue.messages * (index + 1)];
                kernels.hash(blocks, index + 1, &mut self.hashes[start..start + queue.messages]);
            }
            start += self.capacity;
        }
    }

    /// Returns the hash at a place.
    #[inline]
    pub(super) fn at(&self, place: Place) -> P {
        self.hashes[place.0 as usize]
    }
}
