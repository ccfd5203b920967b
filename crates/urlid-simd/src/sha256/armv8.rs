//! SHA-256 of one message at a time on 64-bit ARM: the crate `sha2` uses the instructions for the rounds if they are there.

use sha2::block_api::compress256;

use super::INITIAL;
use crate::message::Block;
use crate::part::OfWords;

/// Hashes messages of `each` blocks.
pub(crate) fn hash<P: OfWords<8>>(blocks: &[Block], each: usize, out: &mut [P]) {
    for (message, part) in blocks.chunks_exact(each).zip(out) {
        let mut state = INITIAL;
        for block in message {
            compress256(&mut state, core::slice::from_ref(&block.0));
        }
        *part = P::of(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::portable;
    use crate::sha256::Sha256;

    #[test]
    fn the_instructions_give_what_the_portable_rounds_give() {
        let blocks: Vec<Block> = (0..12_u8).map(|n| Block([n.wrapping_mul(23); 64])).collect();
        for each in [1, 2, 3, 4] {
            let (mut one, mut other) = (vec![[0_u8; 32]; 12 / each], vec![[0_u8; 32]; 12 / each]);
            hash(&blocks, each, &mut one);
            portable::hash::<Sha256, _, 8>(&blocks, each, &mut other);
            assert_eq!(one, other, "{each} blocks");
        }
    }
}
