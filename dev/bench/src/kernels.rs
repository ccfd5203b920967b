//! `bench kernels`: the cost of each kernel on each CPU path of this machine.

use std::ops::Range;

use sha1::Sha1;
use sha2::{Digest, Sha256};
use urlid_simd::{AsciiSet, Cpu, Kernels, MessageBlock, Simd, Task, Window};

use crate::race::{Race, Time};

const BLOCKS: usize = 8000;
const ROUNDS: usize = 40;

/// Prints nanoseconds for each block, window or value.
pub(crate) fn run() -> Result<(), String> {
    let blocks: Vec<MessageBlock> =
        (0..BLOCKS).map(|i| MessageBlock(std::array::from_fn(|at| (i * 31 + at * 7) as u8))).collect();
    let values: Vec<[u8; 32]> = (0..BLOCKS).map(|i| [i as u8; 32]).collect();
    let bytes: Vec<u8> = blocks.iter().flat_map(|block| block.0).collect();

    let mut race = Race::over(BLOCKS);
    race.add("sha2: digest of 55 bytes", |range| {
        range.map(|index| u64::from(Sha256::digest(&blocks[index].0[..55])[0])).sum()
    });
    race.add("sha1: digest of 55 bytes", |range| {
        range.map(|index| u64::from(Sha1::digest(&blocks[index].0[..55])[0])).sum()
    });
    print("peer", race.run(ROUNDS));
    for cpu in Cpu::available() {
        let kernels = Kernels::new(cpu).ok_or("the path went away")?;
        let (blocks, values, bytes) = (&blocks, &values, &bytes);
        let mut race = Race::over(BLOCKS);
        let mut digests = vec![[0_u8; 32]; BLOCKS];
        race.add("sha-256, whole digest", move |range| {
            kernels.hash(&blocks[range.clone()], 1, &mut digests[range.clone()]);
            u64::from(digests[range.start][0])
        });
        let mut tails = vec![0_u64; BLOCKS];
        race.add("sha-256, last eight bytes", move |range| {
            kernels.hash(&blocks[range.clone()], 1, &mut tails[range.clone()]);
            tails[range.start]
        });
        let mut two = vec![0_u64; BLOCKS];
        race.add("sha-256, two messages at a time", move |range| {
            for (pair, out) in blocks[range.clone()].chunks(2).zip(two[range.clone()].chunks_mut(2)) {
                kernels.hash(pair, 1, out);
            }
            two[range.start]
        });
        let mut sha1 = vec![[0_u8; 20]; BLOCKS];
        race.add("sha-1", move |range| {
            kernels.hash(&blocks[range.clone()], 1, &mut sha1[range.clone()]);
            u64::from(sha1[range.start][0])
        });
        let mut digits = vec![[0; 65]; BLOCKS];
        race.add("hex line of 32 bytes", move |range| {
            kernels.hex_lines(&values[range.clone()], &mut digits[range.clone()]);
            u64::from(digits[range.start][0])
        });
        race.add("window, three bytes and a set", move |range| kernels.run(WindowQuery { bytes, range }));
        print(cpu.name(), race.run(ROUNDS));
    }
    Ok(())
}

struct WindowQuery<'a> {
    bytes: &'a [u8],
    range: Range<usize>,
}

impl Task for WindowQuery<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) -> u64 {
        const HOST: AsciiSet = AsciiSet::EMPTY.with_range(b'a', b'z').with_range(b'0', b'9').with(b"-._");
        let windows = &self.bytes.as_chunks().0[self.range.clone()];
        windows.iter().fold(0, |sum, bytes| {
            let window = simd.window(bytes);
            let mask = window.equal(b'/') | window.equal(b'?') ^ window.equal(b'#') | window.within(&HOST);
            sum.wrapping_add(mask)
        })
    }
}

#[expect(clippy::print_stdout, reason = "the figures are the program's output")]
fn print(path: &str, times: Vec<Time>) {
    for time in times {
        println!("{path:>9}  {:<34} {:7.2} ns", time.name, time.nanoseconds);
    }
}
