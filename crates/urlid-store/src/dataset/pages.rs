//! The pages of URLs of a file, as its metadata list them: the place of each page, its checksum, and its
//! first key.
//!
//! The list is one zstd frame with a checksum, in base64, because Parquet's metadata are texts.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The length to which the key of a page's first row is cut. A cut key is not greater than the whole key.
pub(crate) const KEY_LEN: usize = 256;
/// The most bytes of a list, which has 24 bytes and a key for each page. A file has 1,920 pages of 8,192
/// rows, and at most three times as many where URLs are long. The limit is ten times the length of such a
/// list whose keys share no prefixes.
const MOST: usize = 16 << 20;

/// A page of URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageEntry {
    /// The offset of the page in the file, including its header.
    pub(crate) offset: u64,
    pub(crate) len: u32,
    pub(crate) rows: u32,
    /// The CRC-32 of its bytes in the file.
    pub(crate) checksum: u32,
    /// The key of its first row, cut to [`KEY_LEN`] bytes.
    pub(crate) first: Vec<u8>,
}

/// Returns the list of pages as text.
pub(crate) fn encode(pages: &[PageEntry]) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut before: &[u8] = &[];
    for page in pages {
        bytes.extend_from_slice(&page.offset.to_le_bytes());
        for number in [page.len, page.rows, page.checksum] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let shared = before.iter().zip(&page.first).take_while(|(a, b)| a == b).count();
        for number in [shared, page.first.len() - shared] {
            // Both are at most `KEY_LEN`.
            bytes.extend_from_slice(&(number as u16).to_le_bytes());
        }
        bytes.extend_from_slice(&page.first[shared..]);
        before = &page.first;
    }
    let mut packer = zstd::bulk::Compressor::new(9)?;
    packer.include_checksum(true)?;
    // `decode` allocates this size, and rejects a frame that does not state it.
    packer.include_contentsize(true)?;
    Ok(STANDARD.encode(packer.compress(&bytes)?))
}

/// Reads the output of [`encode`], and returns `None` for anything else.
pub(crate) fn decode(text: &str) -> Option<Vec<PageEntry>> {
    let packed = STANDARD.decode(text).ok()?;
    let len = zstd::zstd_safe::get_frame_content_size(&packed).ok()??;
    // The size is the frame's claim, and it is allocated at once.
    let len = usize::try_from(len).ok().filter(|len| *len <= MOST)?;
    let bytes = zstd::bulk::decompress(&packed, len).ok()?;
    let mut rest = bytes.as_slice();
    let mut pages: Vec<PageEntry> = Vec::new();
    while !rest.is_empty() {
        let offset = u64::from_le_bytes(take(&mut rest)?);
        let [len, rows, checksum] =
            [take(&mut rest)?, take(&mut rest)?, take(&mut rest)?].map(u32::from_le_bytes);
        let [shared, more] = [take(&mut rest)?, take(&mut rest)?].map(u16::from_le_bytes).map(usize::from);
        // Keys share a prefix with the previous key, so without this limit a list of kilobytes could decode
        // to gigabytes.
        if shared + more > KEY_LEN {
            return None;
        }
        let (suffix, after) = rest.split_at_checked(more)?;
        rest = after;
        let before = pages.last().map_or(&[][..], |page| &page.first);
        let first = [before.get(..shared)?, suffix].concat();
        pages.push(PageEntry { offset, len, rows, checksum, first });
    }
    Some(pages)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (number, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u32, first: &str) -> PageEntry {
        PageEntry {
            offset: u64::from(number) << 33,
            len: number,
            rows: 8_192,
            checksum: !number,
            first: first.as_bytes().to_vec(),
        }
    }

    #[test]
    fn a_key_that_is_longer_than_any_of_a_builder_is_rejected() {
        let keys = |lens: &[usize]| lens.iter().map(|len| page(1, &"a".repeat(*len))).collect::<Vec<_>>();
        let read = |lens: &[usize]| decode(&encode(&keys(lens)).expect("fits in memory"));
        assert_eq!(read(&[KEY_LEN, KEY_LEN]), Some(keys(&[KEY_LEN, KEY_LEN])));
        assert_eq!(read(&[KEY_LEN + 1]), None);
        assert_eq!(read(&[KEY_LEN, KEY_LEN + 1]), None);
        assert_eq!(read(&[usize::from(u16::MAX)]), None);
    }

    #[test]
    fn pages_are_read_as_written_and_damage_is_seen() {
        let pages = vec![page(1, ""), page(2, "com.example"), page(3, "com.example.a"), page(4, "com.b")];
        let text = encode(&pages).expect("fits in memory");
        assert_eq!(decode(&text), Some(pages));
        assert_eq!(decode(&encode(&[]).expect("fits")), Some(Vec::new()));
        for end in 0..text.len() {
            assert_eq!(decode(&text[..end]), None);
        }
        let bytes = STANDARD.decode(&text).expect("it is base64");
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            // The size in the head of a frame may change without changing what it unpacks to; what it unpacks
            // to never does.
            let read = decode(&STANDARD.encode(changed));
            assert!(read.is_none() || read == decode(&text), "{bit}");
        }
    }
}
