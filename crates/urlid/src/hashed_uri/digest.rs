//! `Digest`: the bytes that a hash function makes of a canonical text.

use core::fmt;

use crate::hex;

/// The digest of a canonical text, in the order of its bytes.
///
/// ```
/// use urlid::hashed_uri::Digest;
///
/// assert_eq!(Digest::new(&[0x29, 0xb1]).expect("it is short").as_bytes(), [0x29, 0xb1]);
/// assert_eq!(Digest::new(&[0; 65]), None);
/// ```
// The bytes past the length are zeros, so the derived order is that of the slices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest {
    bytes: [u8; Self::LONGEST],
    length: u8,
}

impl Digest {
    /// The most bytes that a digest has.
    pub const LONGEST: usize = 64;

    /// Takes the bytes of a digest, of which there are at least 1 and at most [`LONGEST`](Self::LONGEST).
    pub fn new(digest: &[u8]) -> Option<Self> {
        let length = u8::try_from(digest.len()).ok().filter(|&length| length > 0)?;
        let mut bytes = [0; Self::LONGEST];
        bytes.get_mut(..digest.len())?.copy_from_slice(digest);
        Some(Self { bytes, length })
    }

    /// Borrows the bytes, 1 to [`LONGEST`](Self::LONGEST) of them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", hex::encode(self.as_bytes()))
    }
}
