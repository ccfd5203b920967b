//! Blocks of code points, each with one digest.

use std::fmt;

use crate::shapes::{Reach, has_characters};

/// A block, which is a range of code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// The first code point.
    pub first: u32,
    /// The last code point.
    pub last: u32,
}

/// The number of code points of a block. Planes without characters are single blocks.
const SIZE: u32 = 0x100;
const PLANE: u32 = 0x1_0000;

impl Block {
    /// Returns the blocks of a shape's reach, in order, without the blocks of surrogates.
    pub fn all(reach: Reach) -> impl Iterator<Item = Block> {
        let planes = (0..=0x10).filter(move |&plane| reach == Reach::Every || has_characters(plane));
        planes.flat_map(|plane| {
            let size = if has_characters(plane) { SIZE } else { PLANE };
            let first = (plane * PLANE..(plane + 1) * PLANE).step_by(size as usize);
            let blocks = first.map(move |first| Block { first, last: first + size - 1 });
            blocks.filter(|block| char::from_u32(block.first).is_some())
        })
    }

    /// Returns the planes of a shape's reach as blocks, in order.
    pub fn planes(reach: Reach) -> impl Iterator<Item = Block> {
        let planes = (0..=0x10).filter(move |&plane| reach == Reach::Every || has_characters(plane));
        planes.map(|plane| Block { first: plane * PLANE, last: (plane + 1) * PLANE - 1 })
    }

    /// Returns the code points of the block.
    pub fn code_points(self) -> impl Iterator<Item = char> {
        (self.first..=self.last).filter_map(char::from_u32)
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04X}-{:04X}", self.first, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_are_every_code_point() {
        let count = |reach| Block::all(reach).flat_map(Block::code_points).count();
        assert_eq!(count(Reach::Every), 0x11_0000 - 0x800);
        assert_eq!(count(Reach::Assigned), 5 * 0x1_0000 - 0x800);
    }
}
