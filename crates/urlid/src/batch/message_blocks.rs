//! Messages as blocks that wait to be hashed. Messages with the same number of blocks are hashed together.
//!
//! The kernels hash several messages side by side, and need them to have equally many blocks. Therefore each
//! number of blocks up to [`QUEUED`] has a queue, and the last queue is for longer messages, which are hashed
//! immediately. The hashes are in one list:
//!
//! ```text
//! | precomputed | 1 block: capacity | 2 blocks: capacity | … | longer: capacity |
//! ```
//!
//! Each queue has as much space as there can be messages in the batch. A message thus gets the index of its
//! hash when it is pushed, before the lengths of later messages are known, and other phases can store the
//! index.

use core::ops::Range;

use urlid_simd::{DigestPart, Kernels, Label, MessageBlock};

use crate::sxurl::{PRECOMPUTED, PrecomputedHashes, Slice};

/// The maximum number of blocks of a message that waits in a queue. A longer message is hashed immediately.
const QUEUED: usize = 8;

/// The number of blocks of a longer message that are kept for the next one: 256 KiB. Without this limit, one
/// long line would use its memory permanently.
const KEPT: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HashIndex(u32);

/// The blocks of a batch's messages, and the needed parts of their digests.
#[derive(Debug)]
pub(super) struct MessageBlocks<P> {
    /// One queue for each number of blocks. The last is for messages that are hashed immediately.
    queues: [Queue; QUEUED + 1],
    /// The precomputed hashes, followed by the hashes of each queue.
    hashes: Vec<P>,
}

/// The blocks of messages with the same number of blocks.
#[derive(Clone, Debug, Default)]
struct Queue {
    /// The blocks of the messages, followed by unused blocks with any bytes.
    blocks: Vec<MessageBlock>,
    messages: usize,
    /// The number of blocks of the messages.
    used: usize,
    /// The index of the first message's hash.
    first_hash: usize,
}

impl<P: DigestPart + Default> MessageBlocks<P> {
    /// Returns empty queues for up to `capacity` messages. The first hashes are the precomputed ones.
    pub(super) fn new(precomputed: &[P], capacity: usize) -> Self {
        // Each queue has space for `capacity` hashes, so a message gets its index when it is pushed.
        let mut hashes = vec![P::default(); precomputed.len() + (QUEUED + 1) * capacity];
        hashes[..precomputed.len()].copy_from_slice(precomputed);
        let queues = core::array::from_fn(|class| Queue {
            first_hash: precomputed.len() + class * capacity,
            ..Queue::default()
        });
        MessageBlocks { queues, hashes }
    }

    pub(super) const fn precomputed(index: usize) -> HashIndex {
        HashIndex(index as u32)
    }

    /// Removes all messages.
    #[inline]
    pub(super) fn clear(&mut self) {
        for queue in &mut self.queues {
            queue.messages = 0;
            queue.used = 0;
        }
        let longer = &mut self.queues[QUEUED].blocks;
        if longer.len() > KEPT {
            longer.truncate(KEPT);
            longer.shrink_to_fit();
        }
    }

    /// Adds the message of a label and a range of the text.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        label: &Label,
        text: &[u8],
        range: Range<u32>,
        kernels: Kernels,
    ) -> HashIndex {
        let range = range.start as usize..range.end as usize;
        let count = label.blocks(range.len());
        // A message has at least one block, for its marker and length.
        let class = count.min(QUEUED + 1) - 1;
        let queue = &mut self.queues[class];
        let index = queue.first_hash + queue.messages;
        queue.messages += 1;
        // One and two blocks are handled without a branch, which would be mispredicted half of the time.
        let free = queue.blocks.get_mut(queue.used..).and_then(<[_]>::first_chunk_mut);
        if free.is_some_and(|free| label.write_short(text, &range, free)) {
            queue.used += count;
        } else {
            self.push_otherwise(label, text, range, (class, index), kernels);
        }
        HashIndex(index as u32)
    }

    /// Adds a message that is longer than two blocks, or for which the queue has to grow.
    #[inline(never)]
    fn push_otherwise(
        &mut self,
        label: &Label,
        text: &[u8],
        range: Range<usize>,
        (class, index): (usize, usize),
        kernels: Kernels,
    ) {
        let queue = &mut self.queues[class];
        let count = label.blocks(range.len());
        // One block more than the message, because `push` always requires two free blocks.
        if queue.blocks.len() < queue.used + count + 1 {
            queue.blocks.resize(2 * queue.used + count + 1, MessageBlock([0; 64]));
        }
        let message = &mut queue.blocks[queue.used..][..count];
        label.write(text, range, message);
        // A longer message is hashed immediately, and the next one reuses its blocks.
        if class < QUEUED {
            queue.used += count;
        } else {
            kernels.hash(message, count, &mut self.hashes[index..=index]);
        }
    }

    #[inline]
    pub(super) fn hash(&mut self, kernels: Kernels) {
        for (index, queue) in self.queues[..QUEUED].iter().enumerate() {
            if queue.messages > 0 {
                let hashes = &mut self.hashes[queue.first_hash..][..queue.messages];
                kernels.hash(&queue.blocks[..queue.used], index + 1, hashes);
            }
        }
    }

    /// Returns the hash of a message, once [`hash`](Self::hash) has run.
    #[inline]
    pub(super) fn hash_at(&self, index: HashIndex) -> P {
        self.hashes[index.0 as usize]
    }
}

impl MessageBlocks<u64> {
    /// Returns empty queues for up to `capacity` parts of SXURLs.
    pub(super) fn of_parts(capacity: usize) -> Self {
        let PrecomputedHashes { empty: [tld, domain, sub, path, params, frag], root } = PRECOMPUTED;
        MessageBlocks::new(&[tld, domain, sub, path, params, frag, root], capacity)
    }
}

impl HashIndex {
    /// The index of the hash of the path `/`, after the hashes of the empty parts.
    pub(super) const ROOT: HashIndex = MessageBlocks::<u64>::precomputed(Slice::ALL.len());

    #[inline]
    pub(super) const fn of_empty(slice: Slice) -> HashIndex {
        MessageBlocks::<u64>::precomputed(slice as usize)
    }
}
