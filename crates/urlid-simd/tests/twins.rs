//! Compares every kernel on every CPU path of this machine with a naive one-liner, in one runner.
//!
//! Paths that this machine lacks are not run, and `cargo xtask test` prints them.
//!
//! Command under the address sanitizer (it does not need a nightly toolchain): `RUSTC_BOOTSTRAP=1
//! RUSTFLAGS=-Zsanitizer=address cargo test -p urlid-simd --tests --target x86_64-unknown-linux-gnu`

use sha1::Sha1;
use sha2::{Digest, Sha256};
use urlid_generators::Seeded;
use urlid_simd::{AsciiSet, Cpu, Kernels, Label, MessageBlock, Simd, Task, Window};

/// Calls `check` with the kernels of every path of this machine, and records these paths.
fn on_every_path(check: impl Fn(Kernels)) {
    urlid_testing::note_cpu_paths(Cpu::ALL.map(|cpu| (cpu.name(), cpu.is_available())));
    for cpu in Cpu::available() {
        let kernels = Kernels::new(cpu).expect("an available path has kernels");
        assert_eq!(kernels.cpu(), cpu);
        check(kernels);
    }
    assert_eq!(Kernels::detect().cpu(), Cpu::detect());
}

/// Returns the first `len` bytes of a seed.
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    Seeded::new(seed).bytes(len)
}

#[test]
fn digests_match_the_crates_for_every_count_and_length() {
    let label = Label::new(b"path\0");
    on_every_path(|kernels| {
        for each in 1..=5_usize {
            for count in (0..=35).chain([64, 100]) {
                let len = |message: usize| (64 * each - 14).saturating_sub(message % 64);
                let texts: Vec<_> = (0..count).map(|i| bytes(i as u64, len(i))).collect();
                let mut blocks = vec![MessageBlock([0; 64]); each * count];
                for (text, message) in texts.iter().zip(blocks.chunks_exact_mut(each)) {
                    label.write(text, 0..text.len(), message);
                }
                let expected: Vec<[u8; 32]> =
                    texts.iter().map(|text| Sha256::digest([b"path\0", &text[..]].concat()).into()).collect();
                let tails: Vec<u64> =
                    expected.iter().map(|d| u64::from_be_bytes(d[24..].try_into().unwrap())).collect();

                let mut digests = vec![[0; 32]; count];
                kernels.hash(&blocks, each, &mut digests);
                assert_eq!(digests, expected, "{} messages of {each} blocks", count);
                let mut found = vec![0_u64; count];
                kernels.hash(&blocks, each, &mut found);
                assert_eq!(found, tails, "{} messages of {each} blocks", count);

                let expected: Vec<[u8; 20]> =
                    texts.iter().map(|text| Sha1::digest([b"path\0", &text[..]].concat()).into()).collect();
                let mut digests = vec![[0; 20]; count];
                kernels.hash(&blocks, each, &mut digests);
                assert_eq!(digests, expected, "{} messages of {each} blocks", count);
            }
        }
    });
}

#[test]
fn random_blocks_hash_alike_on_every_path() {
    let blocks: Vec<MessageBlock> =
        bytes(7, 64 * 420).as_chunks().0.iter().map(|bytes| MessageBlock(*bytes)).collect();
    let portable = Kernels::new(Cpu::Portable).expect("every machine has it");
    for each in [1, 2, 3, 4, 5, 6, 7, 20] {
        let count = blocks.len() / each;
        let (mut sha256, mut sha1) = (vec![[0_u8; 32]; count], vec![[0_u8; 20]; count]);
        portable.hash(&blocks, each, &mut sha256);
        portable.hash(&blocks, each, &mut sha1);
        on_every_path(|kernels| {
            let (mut found_256, mut found_1) = (vec![[0; 32]; count], vec![[0; 20]; count]);
            kernels.hash(&blocks, each, &mut found_256);
            kernels.hash(&blocks, each, &mut found_1);
            assert_eq!((found_256, found_1), (sha256.clone(), sha1.clone()));
        });
    }
}

#[test]
#[should_panic(expected = "as many blocks as the messages have")]
fn a_missing_block_is_a_fault_of_the_caller() {
    Kernels::detect().hash(&[MessageBlock([0; 64])], 2, &mut [0_u64]);
}

#[test]
fn hex_matches_format() {
    let mut sources: Vec<Vec<u8>> = (0..70).map(|count| bytes(count, 32 * count as usize)).collect();
    sources.push((0..=255).collect());
    on_every_path(|kernels| {
        for source in &sources {
            let values: &[[u8; 32]] = source.as_chunks().0;
            let mut lines = vec![[0; 65]; values.len()];
            kernels.hex_lines(values, &mut lines);
            for (line, value) in lines.iter().zip(values) {
                let digits: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(line, (digits + "\n").as_bytes());
            }
        }
    });
}

/// Runs every query on every window of a text.
struct Queries<'t> {
    text: &'t [u8],
    byte: u8,
    set: &'t AsciiSet,
}

impl Task for Queries<'_> {
    type Output = Vec<[u64; 3]>;

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) -> Self::Output {
        let windows = self.text.windows(64).filter_map(<[u8]>::first_chunk);
        windows
            .map(|bytes| {
                let window = simd.window(bytes);
                [window.equal(self.byte), window.within(self.set), window.non_ascii()]
            })
            .collect()
    }
}

#[test]
fn window_answers_match_a_loop_over_its_bytes() {
    let mut text = bytes(3, 700);
    text.extend(0..=255);
    text.extend((0..=255).rev());
    let sets = [
        AsciiSet::EMPTY,
        AsciiSet::EMPTY.complement(),
        AsciiSet::EMPTY.with(b"/?#"),
        AsciiSet::EMPTY.with_range(b'a', b'z').with_range(b'0', b'9').with(b"-._"),
        AsciiSet::EMPTY.with_range(0, b' ').with(b"\"<>\x7f\x80\xff").complement(),
    ];
    on_every_path(|kernels| {
        for set in &sets {
            for byte in [0, b'\n', b'/', 0x7f, 0x80, 0xff] {
                let answers = kernels.run(Queries { text: &text, byte, set });
                assert_eq!(answers.len(), text.len() - 63);
                for (window, answer) in text.windows(64).zip(answers) {
                    let mask = |yes: &dyn Fn(u8) -> bool| {
                        (0..64).map(|index| u64::from(yes(window[index])) << index).sum::<u64>()
                    };
                    let member = |other: u8| other.is_ascii() && set.contains(other);
                    assert_eq!(
                        answer,
                        [mask(&|other| other == byte), mask(&member), mask(&|o| !o.is_ascii())]
                    );
                }
            }
        }
    });
}

#[test]
fn sets_hold_what_they_were_given() {
    let set = AsciiSet::EMPTY.with_range(b'a', b'f').with(b"-\xff");
    for byte in 0..=255 {
        let member = matches!(byte, b'a'..=b'f' | b'-');
        assert_eq!(set.contains(byte), member, "byte {byte:#x}");
        assert_eq!(set.complement().contains(byte), byte.is_ascii() && !member, "byte {byte:#x}");
    }
    assert!(AsciiSet::EMPTY.with_range(0x70, 0xff).contains(0x7f));
}
