//! Packs header, port and hashes into 256 bits.

use super::header::Header;

// The bits are two numbers of 128 bits, drawn with the highest bit on the left. The left half depends only on
// the authority, so batches cache it with the host. The port is split between the halves.
//
//   highest bit   127      115   99       39    7
//   left         | header | tld | domain | sub | port >> 8 |
//   bits           12       16    60       32    8
//
//   highest bit   127           119    59       23
//   right        | port & 0xff | path | params | frag |
//   bits           8             60     36       24

/// Packs the fields (section 6, step 6). The hashes are in the order of [`Slice::ALL`](super::Slice::ALL),
/// and only their low bits are used.
#[inline]
pub(crate) fn pack(header: Header, port: u16, [tld, domain, sub, path, params, frag]: [u64; 6]) -> [u8; 32] {
    join_halves(header, pack_left(tld, domain, sub, port), pack_right(port as u8, path, params, frag))
}

/// Packs the fields of an authority, except the low byte of the port, into the left half of an identifier.
#[inline(always)]
pub(crate) fn pack_left(tld: u64, domain: u64, sub: u64, port: u16) -> u128 {
    low(tld, 16) << 100 | low(domain, 60) << 40 | low(sub, 32) << 8 | u128::from(port >> 8)
}

/// Packs the low byte of the port and the following fields into the right half.
#[inline(always)]
pub(crate) fn pack_right(port_low: u8, path: u64, params: u64, frag: u64) -> u128 {
    u128::from(port_low) << 120 | low(path, 60) << 60 | low(params, 36) << 24 | low(frag, 24)
}

/// The position of the header in the left half.
pub(crate) const HEADER_SHIFT: u32 = 116;

/// Returns the identifier with this header and these halves.
#[inline(always)]
pub(crate) fn join_halves(header: Header, left: u128, right: u128) -> [u8; 32] {
    let left = u128::from(header.bits()) << HEADER_SHIFT | left;
    let mut id = [0; 32];
    id[..16].copy_from_slice(&left.to_be_bytes());
    id[16..].copy_from_slice(&right.to_be_bytes());
    id
}

#[inline(always)]
fn low(value: u64, bits: u32) -> u128 {
    // A field has neither 0 nor 64 bits, so the shift is in range.
    u128::from(value & (u64::MAX >> (64 - bits)))
}

#[cfg(test)]
mod tests {
    use super::super::header::Flags;
    use super::super::header::Scheme;
    use super::super::layout::{Field, Slice};
    use super::*;

    #[test]
    fn packed_fields_are_where_the_slice_map_has_them() {
        let header = Header { scheme: Scheme::Http, flags: Flags::ALL };
        let port = 0x20fb;
        let hashes = [0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6].map(|byte| 0x0123_4567_89ab_cd00 << 4 | byte);
        let none = Header { scheme: Scheme::Https, flags: Flags::NONE };
        for (header, port, hashes) in
            [(header, port, hashes), (none, 0xffff, [u64::MAX; 6]), (none, 0, [0; 6])]
        {
            let mut expected = [0; 32];
            Field::Header.set(&mut expected, u64::from(header.bits()));
            Field::Port.set(&mut expected, u64::from(port));
            for (slice, hash) in Slice::ALL.into_iter().zip(hashes) {
                slice.field().set(&mut expected, hash);
            }
            assert_eq!(pack(header, port, hashes), expected);
        }
    }
}
