//! Parquet files that lie, structured and at random: an error or rows, never a panic, and memory within the
//! limits.
//!
//! A binary of its own, because all memory of the process is counted.

mod forge;

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::write::GzEncoder;
use urlid::{Error, ErrorCode};
use urlid_generators::{Seeded, cases, seed};
use urlid_io::tables::{ParquetColumn, ParquetTable};

use forge::{Shape, TEXTS, Values};

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

const MIB: usize = 1 << 20;
/// The memory of a file that is rejected before it is unpacked: the window in which page headers are looked
/// for, and that of a decoder, which is 8 MiB for ZSTD.
const LITTLE: usize = 12 * MIB;
/// The most memory of any file: a page as it is stored and unpacked, and a dictionary.
const MOST: usize = (128 + 150 + 128) * MIB;

/// Held by each test, so that no other one takes memory meanwhile.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("writes");
    file
}

/// Reads the column `url`, and returns its values and the most memory that this took.
fn read(bytes: &[u8]) -> (Result<Vec<Option<String>>, Error>, usize) {
    let file = file_of(bytes);
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut values = Vec::new();
    let result = ParquetColumn::open(file, &"url".into()).and_then(|column| {
        column.each_value(&mut |value| {
            // A page of nulls takes a few bytes for any number of rows; the test keeps only some.
            if values.len() < 1000 {
                values.push(
                    value.map(|text| String::from_utf8_lossy(&text[..text.len().min(100)]).into_owned()),
                );
                return ControlFlow::Continue(());
            }
            ControlFlow::Break(())
        })
    });
    (result.map(|()| values), MEMORY.peak_usage() - before)
}

/// Checks that a file is rejected, and that this takes little memory. Returns the message.
fn rejected(bytes: &[u8], most: usize) -> String {
    let (result, memory) = read(bytes);
    let error = result.expect_err("it lies");
    assert_eq!(error.code(), ErrorCode::Table, "{error}");
    assert!(memory <= most, "{memory} bytes for: {error}");
    error.to_string()
}

fn shapes() -> impl Iterator<Item = Shape> {
    [Values::Plain, Values::DeltaLength, Values::DeltaPrefix, Values::Dictionary].into_iter().flat_map(
        |values| {
            [(false, false), (false, true), (true, false), (true, true)].map(|(is_v2, is_nullable)| Shape {
                values,
                is_v2,
                is_nullable,
            })
        },
    )
}

#[test]
fn every_number_can_be_a_lie() {
    let _alone = alone();
    for shape in shapes() {
        let (honest, numbers) = forge::file(shape, None);
        let mut expected: Vec<_> = TEXTS.iter().map(|text| Some((*text).to_owned())).collect();
        if shape.is_nullable {
            expected.insert(1, None);
        }
        assert_eq!(read(&honest).0.expect("it is honest"), expected, "{shape:?}");
        let mut found = 0;
        for place in 0..numbers {
            let small = (0..10).chain([63, 64, 65, 127, 128, 129, 255, 256]);
            let powers = (10..64).step_by(3).flat_map(|bits| [(1 << bits) - 1, 1 << bits]);
            let limits = [(1 << 32) - 2, (1 << 32) - 1, 1 << 32, u64::MAX - 1, u64::MAX];
            for lie in small.chain(powers).chain(limits) {
                let (bytes, _) = forge::file(shape, Some((place, lie)));
                let (result, memory) = read(&bytes);
                assert!(memory <= LITTLE, "{shape:?}: number {place} is {lie}: {memory} bytes");
                if let Err(error) = result {
                    assert!(
                        matches!(error.code(), ErrorCode::Table | ErrorCode::Column),
                        "{shape:?}: number {place} is {lie}: {error}"
                    );
                    found += 1;
                }
            }
        }
        // Most lies are found; some, such as the total size of a row group, are never looked at.
        assert!(found > numbers * 20, "{shape:?}: {found} lies about {numbers} numbers");
    }
}

#[test]
fn files_that_end_other_readers_are_rejected() {
    let _alone = alone();
    let two_to_the_31 = 1 << 31;
    // A list of 2^31 row groups, for which 206 GB would be reserved.
    let bytes = forge::row_groups(two_to_the_31);
    assert!(bytes.len() < 64, "{}", bytes.len());
    assert!(rejected(&bytes, LITTLE).contains("it claims 2147483648 elements in 1 bytes"));

    // A dictionary of 2^31 - 1 values, in a file of a few hundred bytes.
    let shape = Shape { values: Values::Dictionary, is_v2: false, is_nullable: false };
    let (honest, _) = forge::file(shape, None);
    let (place, _) = (0..)
        .map(|place| (place, forge::file(shape, Some((place, 2 * (two_to_the_31 - 1)))).0))
        .find(|(_, bytes)| read(bytes).0.is_err_and(|error| error.to_string().contains("dictionary has")))
        .expect("the number of values is one of them");
    let (bytes, _) = forge::file(shape, Some((place, 2 * (two_to_the_31 - 1))));
    assert!(bytes.len() < honest.len() + 8);
    rejected(&bytes, LITTLE);

    // A schema of 1.6 MB that is nested deeper than the stack.
    let bytes = forge::nested(270_000);
    assert!(bytes.len() > 1_600_000);
    assert!(rejected(&bytes, bytes.len() + LITTLE).contains("expected at most 100"));

    // A page of SNAPPY that says 2 GiB, in its header, in its own head, or in both.
    let snappy_claim = [0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0];
    for claimed in [5, two_to_the_31 - 1] {
        let bytes = forge::packed(forge::SNAPPY, &snappy_claim, claimed);
        assert!(bytes.len() < 130, "{}", bytes.len());
        rejected(&bytes, LITTLE);
    }

    // 3.1 MB of GZIP that say 5 bytes, and are 3 GiB.
    let bomb = gzip(64 * MIB).repeat(48);
    assert!(bomb.len() > 3_000_000, "{}", bomb.len());
    let bytes = forge::packed(forge::GZIP, &bomb, 5);
    let message = rejected(&bytes, bomb.len() + LITTLE);
    assert!(message.contains("it unpacks to 6 bytes or more, and claims 5"), "{message}");
}

fn gzip(zeros: usize) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), flate2::Compression::best());
    let block = vec![0; MIB];
    (0..zeros / MIB).for_each(|_| out.write_all(&block).expect("writes"));
    out.finish().expect("writes")
}

/// 16 MiB of zeros, by `brotli` 1.2 of PyPI.
const BROTLI_BOMB: &[u8] = b"\xcb\xff\xff\x3f\x00\x24\x00\xe2\xb1\x40\x72\xef\xff\xf8\xff\xff\x07\x80\x04\x40\x1c\x16\x80\xee\xfd\xdf";

#[test]
fn no_method_unpacks_a_bomb() {
    let _alone = alone();
    let zeros = vec![0; 16 * MIB];
    let block = lz4_flex::block::compress(&zeros);
    let framed =
        [&(zeros.len() as u32).to_be_bytes()[..], &(block.len() as u32).to_be_bytes(), &block].concat();
    let mut frame = lz4_flex::frame::FrameEncoder::new(Vec::new());
    frame.write_all(&zeros).expect("writes");
    let frame = frame.finish().expect("writes");
    let bombs = [
        (forge::SNAPPY, snap::raw::Encoder::new().compress_vec(&zeros).expect("packs")),
        (forge::GZIP, gzip(zeros.len())),
        (forge::BROTLI, BROTLI_BOMB.to_vec()),
        (forge::LZ4, framed),
        (forge::LZ4, frame),
        (forge::LZ4, block.clone()),
        (forge::LZ4_RAW, block),
        (forge::ZSTD, zstd::bulk::compress(&zeros, 3).expect("packs")),
    ];
    let len = zeros.len();
    drop(zeros);
    for (codec, bomb) in bombs {
        // Its true length, so it is no other damage that is found.
        let (result, _) = read(&forge::packed(codec, &bomb, len as u64));
        assert!(result.is_ok(), "{codec}: {result:?}");
        for claimed in [0, 1, 5, 1000] {
            rejected(&forge::packed(codec, &bomb, claimed), bomb.len() + LITTLE);
        }
        for claimed in [len as u64 - 1, len as u64 + 1] {
            rejected(&forge::packed(codec, &bomb, claimed), len + bomb.len() + LITTLE);
        }
        for claimed in [(128 << 20) + 1, (1 << 31) - 1] {
            rejected(&forge::packed(codec, &bomb, claimed), LITTLE);
        }
    }
    assert!(rejected(&forge::packed(3, b"", 1), LITTLE).contains("LZO"));
}

/// Changes some bytes: overwrites, inserts, removes, or copies them to another place.
fn mutated(rng: &mut Seeded, whole: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len() as u64) as usize;
        let len = (1 + rng.below(8) as usize).min(bytes.len() - at);
        match rng.below(6) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = rng.one(&[0, 1, 0x7f, 0x80, 0xfe, 0xff]),
            2 => rng.fill(&mut bytes[at..at + len]),
            3 => drop(bytes.splice(at..at, rng.bytes(len))),
            4 if bytes.len() > 2 * len => drop(bytes.drain(at..at + len)),
            _ => {
                let to = rng.below((bytes.len() - len + 1) as u64) as usize;
                bytes.copy_within(at..at + len, to);
            }
        }
    }
    bytes
}

#[test]
fn random_mutants_are_rows_or_errors() {
    let _alone = alone();
    let mut plain = Vec::new();
    for text in TEXTS.iter().cycle().take(40) {
        plain.extend_from_slice(&(text.len() as u32).to_le_bytes());
        plain.extend_from_slice(text.as_bytes());
    }
    let packed = [
        (forge::SNAPPY, snap::raw::Encoder::new().compress_vec(&plain).expect("packs")),
        (forge::GZIP, {
            let mut out = GzEncoder::new(Vec::new(), flate2::Compression::default());
            out.write_all(&plain).expect("writes");
            out.finish().expect("writes")
        }),
        (forge::BROTLI, BROTLI_BOMB.to_vec()),
        (forge::LZ4, lz4_flex::block::compress(&plain)),
        (forge::LZ4_RAW, lz4_flex::block::compress(&plain)),
        (forge::ZSTD, zstd::bulk::compress(&plain, 3).expect("packs")),
    ];
    let packed = packed.map(|(codec, bytes)| forge::packed(codec, &bytes, plain.len() as u64));
    let files: Vec<Vec<u8>> = shapes().map(|shape| forge::file(shape, None).0).chain(packed).collect();
    let (mut rng, mut read_whole, mut most) = (Seeded::new(seed()), 0, 0);
    let cases = cases(20_000);
    for case in 0..cases {
        let bytes = mutated(&mut rng, &files[case as usize % files.len()]);
        let (result, memory) = read(&bytes);
        read_whole += u64::from(result.is_ok());
        most = most.max(memory);
        // The other reader of the same pages: columns that are added.
        if let Ok(table) = ParquetTable::open(file_of(&bytes), &["url".into()]) {
            for group in 0..table.groups() {
                let _ = table.make_group(group, &mut |_, _, _| {});
            }
        }
    }
    assert!(most <= MOST, "{most} bytes");
    assert!(read_whole > cases / 20 && read_whole < cases * 19 / 20, "{read_whole} of {cases} were read");
}
