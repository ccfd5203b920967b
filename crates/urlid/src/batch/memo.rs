//! A memo of authorities: what a host is split into and hashed to is computed once while it is remembered.
//!
//! Bounded and direct-mapped: a new authority takes the place of an older one with the same slot. Where an authority goes
//! is known only to who knows the key, so nobody can aim at one slot; what is found is compared byte by byte.

/// A secret that says where authorities are remembered. Take it from a random source, once a process.
#[derive(Clone, Copy)]
pub struct MemoKey(pub [u64; 2]);

impl std::fmt::Debug for MemoKey {
    /// Keeps the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MemoKey(..)")
    }
}

/// Longer authorities are not remembered.
pub(super) const LONGEST: usize = 47;

/// Entries, of 64 bytes each.
const ENTRIES: usize = 1 << 15;

/// An authority: up to 47 bytes, zeros behind them, and their count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Name([u64; 6]);

impl PartialEq for Name {
    /// Compares all words at once; a comparison of arrays would be a call.
    #[inline(always)]
    fn eq(&self, other: &Name) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
    }
}

impl Name {
    /// Takes the first `len` bytes of a window, 1 to [`LONGEST`].
    #[inline(always)]
    pub(super) fn of(window: &[u8; 64], len: usize) -> Name {
        let mut words = [0; 6];
        for ((index, word), bytes) in words.iter_mut().enumerate().zip(window.as_chunks().0) {
            let bits = (8 * len as u32).saturating_sub(64 * index as u32);
            *word = u64::from_le_bytes(*bytes) & !u64::MAX.unbounded_shl(bits);
        }
        words[5] |= (len as u64) << 56;
        Name(words)
    }
}

/// What is remembered of an authority, in the words of who remembers.
pub(super) type Value = [u64; 2];

#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Entry {
    name: Name,
    value: Value,
}

/// A bounded map from authorities to values.
#[derive(Debug)]
pub(super) struct Memo {
    entries: Box<[Entry]>,
    key: [u64; 6],
}

/// Where an authority is remembered, if it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u32);

impl Memo {
    pub(super) fn new(key: MemoKey) -> Memo {
        let [first, second] = key.0;
        let key =
            std::array::from_fn(|index| mix(first.wrapping_add(mix(second.wrapping_add(index as u64)))));
        Memo { entries: vec![Entry::default(); ENTRIES].into(), key }
    }

    /// Returns the slot of a name, and asks the machine to bring it near.
    #[inline(always)]
    pub(super) fn slot(&self, name: &Name) -> Slot {
        let word = |index: usize| u128::from(name.0[index] ^ self.key[index]);
        let product = (word(0) * word(1)) ^ (word(2) * word(3)) ^ (word(4) * word(5));
        let folded = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = Slot((folded >> (64 - ENTRIES.trailing_zeros())) as u32);
        urlid_simd::prefetch(&self.entries[slot.0 as usize]);
        slot
    }

    /// Returns what is remembered of a name.
    #[inline(always)]
    pub(super) fn get(&self, slot: Slot, name: &Name) -> Option<Value> {
        let entry = &self.entries[slot.0 as usize];
        (entry.name == *name).then_some(entry.value)
    }

    /// Remembers the value of a name in place of what was in the slot.
    pub(super) fn set(&mut self, slot: Slot, name: &Name, value: Value) {
        self.entries[slot.0 as usize] = Entry { name: *name, value };
    }

    /// Changes what the slot remembers, if that is `old`.
    pub(super) fn replace(&mut self, slot: Slot, old: Value, new: Value) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        let mut window = [b'?'; 64];
        window[..text.len()].copy_from_slice(text.as_bytes());
        Name::of(&window, text.len())
    }

    #[test]
    fn names_are_equal_if_their_bytes_are() {
        let texts = ["a", "a\0", "a\0\0", "b", &"x".repeat(46), &"x".repeat(47), &"\0".repeat(47), "\0"];
        for (index, one) in texts.iter().enumerate() {
            for (other_index, other) in texts.iter().enumerate() {
                assert_eq!(name(one) == name(other), index == other_index, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn the_last_of_two_in_one_slot_is_remembered() {
        let mut memo = Memo::new(MemoKey([1, 2]));
        let (a, b) = (name("a.example"), name("b.example"));
        let slot = memo.slot(&a);
        assert_eq!(memo.get(slot, &a), None);
        memo.set(slot, &a, [1, 2]);
        assert_eq!((memo.get(slot, &a), memo.get(slot, &b)), (Some([1, 2]), None));
        memo.set(slot, &b, [3, 4]);
        assert_eq!((memo.get(slot, &a), memo.get(slot, &b)), (None, Some([3, 4])));
        memo.replace(slot, [1, 2], [5, 6]);
        assert_eq!(memo.get(slot, &b), Some([3, 4]));
        memo.replace(slot, [3, 4], [5, 6]);
        assert_eq!(memo.get(slot, &b), Some([5, 6]));
    }

    #[test]
    fn the_key_decides_about_the_slot_and_is_not_shown() {
        let slots = |key| {
            let memo = Memo::new(MemoKey(key));
            (0..100).map(|n| memo.slot(&name(&format!("h{n}.example"))).0).collect::<Vec<_>>()
        };
        assert_eq!(slots([7, 7]), slots([7, 7]));
        let (one, other) = (slots([7, 7]), slots([7, 8]));
        assert!(one.iter().zip(&other).filter(|(one, other)| one == other).count() < 5);
        let mut spread = one;
        spread.sort_unstable();
        spread.dedup();
        assert!(spread.len() > 95);
        assert_eq!(format!("{:?}", MemoKey([7, 7])), "MemoKey(..)");
    }
}
