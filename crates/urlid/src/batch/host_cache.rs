//! The host cache keeps the hashes of recent authorities, so that they are not computed again.
//!
//! The cache is bounded and direct-mapped: each authority has one slot, and a new authority replaces the old
//! one in its slot. The slot depends on a secret key, so an attacker without the key cannot choose hosts that
//! share a slot. A lookup compares every byte of the authority, so a shared slot costs time but never gives
//! wrong hashes.
//!
//! An entry is one cache line of 64 bytes, drawn with the first byte on the left:
//!
//! ```text
//! | authority, up to 47 bytes, then zeros | length | value    |
//! | 47 bytes                              | 1      | 16 bytes |
//! ```
//!
//! The authority and its length are six words, so one comparison without branches covers both. An unused
//! entry has length 0, which no authority has.

use core::fmt;
use std::hash::{BuildHasher, RandomState};

use urlid_simd::first_bytes;

use crate::sxurl::{Flags, HEADER_SHIFT};

/// The secret key that determines the slot of each authority in the host cache. Use a random key in each
/// process.
///
/// ```
/// use urlid::batch::{Encoder, HostCacheKey, Kernels};
/// use urlid::{Sxurl, suffix::SuffixList};
///
/// let key = HostCacheKey::random();
/// let mut encoder = Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), key, Kernels::detect());
/// assert_eq!(encoder.encode("https://docs.rs/"), Sxurl::encode("https://docs.rs/"));
/// ```
#[derive(Clone, Copy)]
pub struct HostCacheKey(pub [u64; 2]);

impl HostCacheKey {
    /// Returns a random key, from the same source as the keys of the standard library's maps.
    pub fn random() -> Self {
        let state = RandomState::new();
        Self([0, 1].map(|word: u64| state.hash_one(word)))
    }
}

impl fmt::Debug for HostCacheKey {
    /// Does not show the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HostCacheKey(..)")
    }
}

/// The length of the longest authority that is cached. With its length byte, the authority has 48 bytes,
/// which leaves 16 of a 64-byte entry for the value.
pub(super) const LONGEST: usize = 47;

/// The number of entries of 64 bytes. The cache has 2 MiB. Half as many entries were 5 % slower on mixed
/// hosts.
const ENTRIES: usize = 1 << 15;

/// An authority of up to 47 bytes in the form that entries compare: the bytes, then zeros, then their count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CachedAuthority([u64; 6]);

impl PartialEq for CachedAuthority {
    /// Compares all words at once. A comparison of arrays would be a call.
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
    }
}

impl CachedAuthority {
    /// Reads the first `len` bytes of a window, from 1 to [`LONGEST`].
    #[inline(always)]
    pub(super) fn new(window: &[u8; 64], len: usize) -> Self {
        let bytes = first_bytes(window, len);
        let mut words = [0; 6];
        // Six of the window's eight words are used. The 47 bytes end before the last byte of the sixth word,
        // which stores the count.
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        words[5] |= (len as u64) << 56;
        Self(words)
    }
}

/// The cached value of an authority, packed by [`HostFields::pack`] or [`CachedHost::of_index`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CachedHost(pub(super) u128);

#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Entry {
    authority: CachedAuthority,
    value: CachedHost,
}

/// A bounded map from authorities to values.
#[derive(Debug)]
pub(super) struct HostCache {
    entries: Box<[Entry]>,
    key: [u64; 6],
}

/// The index of the only entry that can hold an authority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slot(u32);

impl HostCache {
    pub(super) fn new(key: HostCacheKey) -> Self {
        let [first, second] = key.0;
        let key =
            core::array::from_fn(|index| mix(first.wrapping_add(mix(second.wrapping_add(index as u64)))));
        HostCache { entries: vec![Entry::default(); ENTRIES].into(), key }
    }

    /// Returns the slot of an authority, and prefetches its entry.
    #[inline(always)]
    pub(super) fn slot(&self, authority: &CachedAuthority) -> Slot {
        // The words are first combined with the key. Without the key, an attacker cannot choose words with
        // known products, in particular 0. The halves of the result are then folded together. The
        // multiplication spreads every bit to the highest fifteen bits, which are the slot.
        let word = |index: usize| u128::from(authority.0[index] ^ self.key[index]);
        let product = (word(0) * word(1)) ^ (word(2) * word(3)) ^ (word(4) * word(5));
        let folded = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The shift keeps as many bits as an index has, so the slot is always in range.
        let slot = Slot((folded >> (64 - ENTRIES.trailing_zeros())) as u32);
        urlid_simd::prefetch(&self.entries[slot.0 as usize]);
        slot
    }

    #[inline(always)]
    pub(super) fn get(&self, slot: Slot, authority: &CachedAuthority) -> Option<CachedHost> {
        let entry = &self.entries[slot.0 as usize];
        (entry.authority == *authority).then_some(entry.value)
    }

    /// Caches the value of an authority and drops the previous content of the slot.
    pub(super) fn insert(&mut self, slot: Slot, authority: &CachedAuthority, value: CachedHost) {
        self.entries[slot.0 as usize] = Entry { authority: *authority, value };
    }

    /// Replaces the value in the slot if it is `old`.
    pub(super) fn replace(&mut self, slot: Slot, old: CachedHost, new: CachedHost) {
        let value = &mut self.entries[slot.0 as usize].value;
        if *value == old {
            *value = new;
        }
    }
}

/// Spreads a seed over all bits (the finaliser of SplitMix64).
fn mix(seed: u64) -> u64 {
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let seed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let seed = (seed ^ seed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    seed ^ seed >> 31
}

/// The fields of an identifier that depend only on the authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HostFields {
    /// The flags of subdomain and port, as in a header.
    pub(super) flags: Flags,
    /// The left half of the identifier, without its header.
    pub(super) left: u128,
    pub(super) port_low: u8,
}

impl HostFields {
    /// Packs the fields. The bits of the header hold the other fields.
    #[inline(always)]
    pub(super) fn pack(self) -> CachedHost {
        let bit = |flag: Flags, bit: u128| if self.flags & flag == flag { bit } else { 0 };
        let rest = u128::from(self.port_low) << 4 | bit(Flags::SUB, 8) | bit(Flags::PORT, 4) | READY;
        CachedHost(rest << HEADER_SHIFT | self.left)
    }

    #[inline(always)]
    pub(super) fn unpack(CachedHost(value): CachedHost) -> Self {
        let rest = (value >> HEADER_SHIFT) as u16;
        HostFields {
            flags: Flags::SUB.when(rest & 8 != 0) | Flags::PORT.when(rest & 4 != 0),
            left: value & (u128::MAX >> (128 - HEADER_SHIFT)),
            port_low: (rest >> 4) as u8,
        }
    }
}

// The left half of an identifier has 12 bits for the header, the highest ones. A cached value uses them for
// its state and other fields:
//
//   127       120   119   118   117  116   115            0
//   | port & 0xff | SUB | PORT |  state  |  left half      |    READY
//   |      0      |  0  |  0   |  state  |  index          |    PENDING, ERROR
//
// State 0 is an authority that is not recognised.
/// The value is packed [`HostFields`].
pub(super) const READY: u128 = 1;
/// The low bits are an index into the new hosts of the current batch.
pub(super) const PENDING: u128 = 2;
/// The authority has an error. The low bits are an index into the error codes of authorities.
pub(super) const ERROR: u128 = 3;

impl CachedHost {
    #[inline(always)]
    pub(super) fn of_index(state: u128, index: usize) -> CachedHost {
        CachedHost(state << HEADER_SHIFT | index as u128)
    }

    #[inline(always)]
    pub(super) fn state(self) -> u128 {
        self.0 >> HEADER_SHIFT & 3
    }

    #[inline(always)]
    pub(super) fn index(self) -> usize {
        // The conversion drops the state, and the index fits in the remaining bits.
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sxurl::pack_left;

    fn authority(text: &str) -> CachedAuthority {
        let mut window = [b'?'; 64];
        window[..text.len()].copy_from_slice(text.as_bytes());
        CachedAuthority::new(&window, text.len())
    }

    #[test]
    fn authorities_are_equal_if_their_bytes_are() {
        let texts = ["a", "a\0", "a\0\0", "b", &"x".repeat(46), &"x".repeat(47), &"\0".repeat(47), "\0"];
        for (index, one) in texts.iter().enumerate() {
            for (other_index, other) in texts.iter().enumerate() {
                assert_eq!(authority(one) == authority(other), index == other_index, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_slot_holds_the_last_of_two_authorities() {
        let mut cache = HostCache::new(HostCacheKey([1, 2]));
        let (a, b) = (authority("a.example"), authority("b.example"));
        let slot = cache.slot(&a);
        assert_eq!(cache.get(slot, &a), None);
        cache.insert(slot, &a, CachedHost(1));
        assert_eq!((cache.get(slot, &a), cache.get(slot, &b)), (Some(CachedHost(1)), None));
        cache.insert(slot, &b, CachedHost(3));
        assert_eq!((cache.get(slot, &a), cache.get(slot, &b)), (None, Some(CachedHost(3))));
        cache.replace(slot, CachedHost(1), CachedHost(5));
        assert_eq!(cache.get(slot, &b), Some(CachedHost(3)));
        cache.replace(slot, CachedHost(3), CachedHost(5));
        assert_eq!(cache.get(slot, &b), Some(CachedHost(5)));
    }

    #[test]
    fn the_key_decides_the_slot_and_is_not_shown() {
        let slots = |key| {
            let cache = HostCache::new(key);
            (0..100).map(|n| cache.slot(&authority(&format!("h{n}.example"))).0).collect::<Vec<_>>()
        };
        let key = HostCacheKey([7, 7]);
        assert_eq!(slots(key), slots(key));
        let (one, other) = (slots(key), slots(HostCacheKey([7, 8])));
        assert!(one.iter().zip(&other).filter(|(one, other)| one == other).count() < 5);
        assert_ne!(slots(HostCacheKey::random()), slots(HostCacheKey::random()));
        let mut spread = one;
        spread.sort_unstable();
        spread.dedup();
        assert!(spread.len() > 95);
        assert_eq!(format!("{key:?}"), "HostCacheKey(..)");
    }

    #[test]
    fn fields_survive_packing() {
        for (flags, port) in
            [(Flags::NONE, 0), (Flags::SUB, 80), (Flags::PORT, 0xffff), (Flags::SUB | Flags::PORT, 0x201)]
        {
            let left = pack_left(u64::MAX, u64::MAX, u64::MAX, port);
            let fields = HostFields { flags, left, port_low: port as u8 };
            assert_eq!(fields.pack().state(), READY);
            assert_eq!(HostFields::unpack(fields.pack()), fields);
        }
        let value = CachedHost::of_index(PENDING, 511);
        assert_eq!((value.state(), value.index()), (PENDING, 511));
    }
}
