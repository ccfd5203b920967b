//! Sorting of concatenated digests.

/// Sorts digests of a width, and drops repeats.
pub(super) fn sort_digests(mut bytes: Vec<u8>, width: usize) -> Vec<u8> {
    // The lengths of the known algorithms and the usual cuts are sorted in place as arrays. Other widths are
    // sorted as slices, which need 16 bytes more for each digest.
    match width {
        4 => sort_records::<4>(&mut bytes),
        10 => sort_records::<10>(&mut bytes),
        16 => sort_records::<16>(&mut bytes),
        20 => sort_records::<20>(&mut bytes),
        32 => sort_records::<32>(&mut bytes),
        48 => sort_records::<48>(&mut bytes),
        64 => sort_records::<64>(&mut bytes),
        _ => bytes = sort_slices(&bytes, width),
    }
    bytes
}

fn sort_records<const N: usize>(bytes: &mut Vec<u8>) {
    let (records, _) = bytes.as_chunks_mut::<N>();
    records.sort_unstable();
    let mut kept = 0;
    for index in 0..records.len() {
        if index == 0 || records[index] != records[kept - 1] {
            records[kept] = records[index];
            kept += 1;
        }
    }
    bytes.truncate(kept * N);
}

/// Sorts records of a length that is rare.
fn sort_slices(bytes: &[u8], width: usize) -> Vec<u8> {
    let mut records: Vec<&[u8]> = bytes.chunks_exact(width).collect();
    records.sort_unstable();
    records.dedup();
    records.concat()
}
