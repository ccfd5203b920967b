//! The hashes of a URL's parts (SXURL, section 4). Several are computed together in SIMD lanes.
//!
//! Most parts of most URLs fit into one block of SHA-256. Several parts are empty or `/`, so their hashes are
//! constants.

use alloc::vec::Vec;

use urlid_simd::{Kernels, Label, MessageBlock};

use super::layout::Slice;

/// The parts' labels, each followed by a zero byte, in the order of [`Slice::ALL`].
const LABELS: [Label; 6] = [
    Label::new(b"tld\0"),
    Label::new(b"domain\0"),
    Label::new(b"sub\0"),
    Label::new(b"path\0"),
    Label::new(b"params\0"),
    Label::new(b"frag\0"),
];

impl Slice {
    /// Returns the label at the start of the part's hashed message.
    #[inline]
    pub(crate) const fn message_label(self) -> &'static Label {
        &LABELS[self as usize]
    }
}

/// The hashes of the most common parts. A hash is the last eight bytes of a digest, and a slice is its low
/// bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrecomputedHashes {
    /// The hash of each empty part, in the order of [`Slice::ALL`].
    pub(crate) empty: [u64; 6],
    /// The hash of the path `/`.
    pub(crate) root: u64,
}

pub(crate) const PRECOMPUTED: PrecomputedHashes = PrecomputedHashes {
    empty: [
        0x9b08_8f63_b334_5054,
        0xb014_337c_03e8_e747,
        0x441b_92a2_440f_00a9,
        0x02a5_7b58_2e4b_77f3,
        0xc330_611c_354b_043a,
        0xa076_96fc_0529_e356,
    ],
    root: 0xf989_11d7_8458_0332,
};

impl PrecomputedHashes {
    #[inline]
    fn of(&self, slice: Slice, value: &str) -> Option<u64> {
        match value {
            "" => Some(self.empty[slice as usize]),
            "/" if slice == Slice::Path => Some(self.root),
            _ => None,
        }
    }
}

/// Returns the hashes of all parts. The hash of the public suffix may be precomputed.
pub(super) fn hash_parts<'p>(part: impl Fn(Slice) -> &'p str, tld_hash: Option<u64>) -> [u64; 6] {
    // Messages of one block are collected, because the kernels hash several side by side. Longer messages are
    // rare and hashed one at a time.
    let (mut hashes, mut blocks, mut waiting) = ([0; 6], [MessageBlock([0; 64]); 6], [Slice::Tld; 6]);
    let mut count = 0;
    for slice in Slice::ALL {
        let (value, label) = (part(slice), slice.message_label());
        // A public suffix is never empty, so only the list can have its precomputed hash.
        let hash = if slice == Slice::Tld { tld_hash } else { PRECOMPUTED.of(slice, value) };
        match hash {
            Some(hash) => hashes[slice as usize] = hash,
            None if label.blocks(value.len()) == 1 => {
                label.write(value.as_bytes(), 0..value.len(), &mut blocks[count..=count]);
                waiting[count] = slice;
                count += 1;
            }
            None => hashes[slice as usize] = hash_alone(slice, value),
        }
    }
    let mut found = [0; 6];
    Kernels::detect().hash(&blocks[..count], 1, &mut found[..count]);
    for (slice, hash) in waiting.into_iter().zip(found).take(count) {
        hashes[slice as usize] = hash;
    }
    hashes
}

/// Returns the hash of one part of any length.
pub(super) fn hash_alone(slice: Slice, value: &str) -> u64 {
    // Up to four blocks, about 240 bytes of text, fit without an allocation.
    let (label, mut few, mut many) = (slice.message_label(), [MessageBlock([0; 64]); 4], Vec::new());
    let count = label.blocks(value.len());
    let message = match few.get_mut(..count) {
        Some(few) => few,
        None => {
            many.resize(count, MessageBlock([0; 64]));
            &mut many[..]
        }
    };
    label.write(value.as_bytes(), 0..value.len(), message);
    let mut hash = [0];
    Kernels::detect().hash(message, count, &mut hash);
    hash[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H_n as the specification writes it.
    fn check(slice: Slice, value: &str) {
        let message = [slice.label().as_bytes(), &[0], value.as_bytes()].concat();
        let digest = crate::digest::sha256(&[&message]);
        let expected = u64::from_be_bytes(core::array::from_fn(|index| digest[24 + index]));
        assert_eq!(hash_alone(slice, value), expected, "{slice} {value:?}");
        let parts = hash_parts(|other| if other == slice { value } else { "" }, None);
        assert_eq!(parts[slice as usize], expected, "{slice} {value:?}");
    }

    #[test]
    fn hashes_match_the_labelled_message() {
        for slice in Slice::ALL {
            assert!(slice.label().len() <= 7, "a label and its zero byte fit in eight bytes");
            for length in 0..200 {
                check(slice, &"/x".repeat(100)[..length]);
            }
        }
    }
}
