//! A page of a sorted file: keys in order, and a checksum.

use crate::seen::key::Key;

/// The bytes of a page. The last four are the CRC-32 of the others.
pub(crate) const PAGE: usize = 4096;

/// Returns how many keys a page has, unless it is the last.
pub(crate) const fn keys_of_page(width: usize) -> usize {
    (PAGE - 4) / width
}

/// Writes the checksum after the keys of a page.
pub(crate) fn seal(page: &mut [u8; PAGE]) {
    let sum = crc32fast::hash(&page[..PAGE - 4]);
    page[PAGE - 4..].copy_from_slice(&sum.to_le_bytes());
}

/// Returns whether the checksum of a page is right.
pub(crate) fn is_whole(page: &[u8; PAGE]) -> bool {
    page[PAGE - 4..] == crc32fast::hash(&page[..PAGE - 4]).to_le_bytes()
}

/// Returns the key at an index.
pub(crate) fn key_at(page: &[u8; PAGE], width: usize, index: usize) -> Key {
    Key::padded(&page[index * width..][..width])
}

/// Returns whether one of the first `count` keys of a page is this one.
pub(crate) fn has(page: &[u8; PAGE], width: usize, count: usize, key: &Key) -> bool {
    let wanted = key.bytes(width);
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        match page[middle * width..][..width].cmp(wanted) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    false
}
