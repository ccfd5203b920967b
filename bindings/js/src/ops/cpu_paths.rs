//! Compares the kernels of every CPU path of this module with the portable ones.

use urlid_simd::{AsciiSet, Cpu, Kernels, MessageBlock, Simd, Task, Window};

use crate::arguments::Arguments;
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[("compare_cpu_paths", compare)];

/// Argument: random bytes. Returns the names of the paths that agree with the portable one.
fn compare(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let bytes = arguments.bytes()?;
    let blocks: Vec<MessageBlock> = bytes.as_chunks().0.iter().map(|bytes| MessageBlock(*bytes)).collect();
    let results = |cpu| Kernels::new(cpu).map(|kernels| results(kernels, &blocks));
    let expected = results(Cpu::Portable);
    let agrees = |cpu: &Cpu| results(*cpu) == expected;
    let names: Vec<&str> = Cpu::available().filter(agrees).map(Cpu::name).collect();
    Ok(output::json(&names))
}

/// All results that kernels compute from some blocks.
type Results = (Vec<[u8; 32]>, Vec<u64>, Vec<[u8; 20]>, Vec<[u64; 3]>);

fn results(kernels: Kernels, blocks: &[MessageBlock]) -> Results {
    let mut all: Results = Default::default();
    for each in 1..=3 {
        for count in (0..=9).chain([blocks.len() / each]) {
            let blocks = &blocks[..each * count];
            let (mut digests, mut ends, mut short) =
                (vec![[0; 32]; count], vec![0; count], vec![[0; 20]; count]);
            kernels.hash(blocks, each, &mut digests);
            kernels.hash(blocks, each, &mut ends);
            kernels.hash(blocks, each, &mut short);
            all.0.extend(digests);
            all.1.extend(ends);
            all.2.extend(short);
        }
    }
    all.3.extend(blocks.iter().map(|block| kernels.run(Masks(block))));
    all
}

/// The masks of a window.
struct Masks<'a>(&'a MessageBlock);

impl Task for Masks<'_> {
    type Output = [u64; 3];

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) -> [u64; 3] {
        const SET: AsciiSet = AsciiSet::EMPTY.with_range(b'a', b'z').with(b"\0/%\x7f");
        let window = simd.window(&self.0.0);
        [window.equal(self.0.0[0]), window.within(&SET), window.non_ascii()]
    }
}
