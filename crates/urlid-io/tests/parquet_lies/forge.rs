//! A small writer of Parquet files in which every number can be a lie.
//!
//! The `parquet` crate writes only what is true. Here each length and count of the footer, the page headers
//! and the pages is written by [`Forge::number`] or [`Forge::signed`], in one order, so a test can count them
//! and change one after the other.

use std::mem;

/// How the values of a page are encoded, by the numbers of `parquet.thrift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    Plain = 0,
    DeltaLength = 6,
    DeltaPrefix = 7,
    Dictionary = 8,
}

/// The methods of compression, by the numbers of `parquet.thrift`.
pub(crate) const NONE: u64 = 0;
pub(crate) const SNAPPY: u64 = 1;
pub(crate) const GZIP: u64 = 2;
pub(crate) const BROTLI: u64 = 4;
pub(crate) const LZ4: u64 = 5;
pub(crate) const ZSTD: u64 = 6;
pub(crate) const LZ4_RAW: u64 = 7;

// Types of Thrift's compact protocol, as they are in the low half of the head of a field.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// The texts of the file, and a null after the first where nulls are possible.
pub(crate) const TEXTS: [&str; 3] = ["https://a/1", "https://a/2", "https://b/"];

/// A file with one column of texts, `url`, in one row group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) values: Values,
    /// Whether its page is one of version 2.
    pub(crate) is_v2: bool,
    pub(crate) is_nullable: bool,
}

/// Writes a file, and counts its numbers.
#[derive(Default)]
pub(crate) struct Forge {
    out: Vec<u8>,
    /// The numbers that were written.
    pub(crate) numbers: usize,
    /// Which of them is replaced, and by what.
    lie: Option<(usize, u64)>,
}

/// Returns a file, and how many numbers it has; the number `lie.0` is `lie.1`.
pub(crate) fn file(shape: Shape, lie: Option<(usize, u64)>) -> (Vec<u8>, usize) {
    let mut forge = Forge { lie, ..Forge::default() };
    forge.out.extend_from_slice(b"PAR1");
    let start = forge.out.len() as u64;
    if shape.values == Values::Dictionary {
        let body = forge.part(|forge| TEXTS.iter().for_each(|text| forge.plain(text)));
        forge.page(2, body.len(), |forge| {
            forge.field(7 - 3, STRUCT);
            forge.int(1, TEXTS.len() as u64);
            forge.int(1, 0);
            forge.end();
        });
        forge.out.extend_from_slice(&body);
    }
    let data = forge.out.len() as u64;
    let rows = (TEXTS.len() + usize::from(shape.is_nullable)) as u64;
    let levels = forge.part(|forge| {
        if shape.is_nullable {
            // Two runs: a packed one of eight levels, the last four unused.
            forge.varint(3);
            forge.out.push(0b1101);
        }
    });
    let values = forge.part(|forge| forge.values(shape.values));
    if shape.is_v2 {
        forge.page(3, levels.len() + values.len(), |forge| {
            forge.field(8 - 3, STRUCT);
            forge.int(1, rows);
            forge.int(1, u64::from(shape.is_nullable));
            forge.int(1, rows);
            forge.int(1, shape.values as u64);
            forge.int(1, levels.len() as u64);
            forge.int(1, 0);
            forge.end();
        });
    } else {
        let before = if shape.is_nullable { 4 + levels.len() } else { 0 };
        forge.page(0, before + values.len(), |forge| {
            forge.field(5 - 3, STRUCT);
            forge.int(1, rows);
            forge.int(1, shape.values as u64);
            forge.int(1, 3);
            forge.int(1, 3);
            forge.end();
        });
        if shape.is_nullable {
            forge.fixed(levels.len() as u64);
        }
    }
    forge.out.extend_from_slice(&levels);
    forge.out.extend_from_slice(&values);
    let has_dictionary = shape.values == Values::Dictionary;
    let chunk = Chunk { rows, start, data, has_dictionary, codec: NONE, is_nullable: shape.is_nullable };
    forge.footer(&chunk);
    (forge.out, forge.numbers)
}

/// Returns a file of one page with these bytes, and with these lengths in its header.
pub(crate) fn packed(codec: u64, packed: &[u8], unpacked_len: u64) -> Vec<u8> {
    let mut forge = Forge::default();
    forge.out.extend_from_slice(b"PAR1");
    forge.page_of(0, unpacked_len, packed.len() as u64, |forge| {
        forge.field(5 - 3, STRUCT);
        [1, 0, 3, 3].into_iter().for_each(|number| forge.int(1, number));
        forge.end();
    });
    forge.out.extend_from_slice(packed);
    forge.footer(&Chunk { rows: 1, start: 4, data: 4, has_dictionary: false, codec, is_nullable: false });
    forge.out
}

/// Returns a file without rows, whose schema has groups within each other.
pub(crate) fn nested(depth: usize) -> Vec<u8> {
    let mut forge = Forge::default();
    forge.out.extend_from_slice(b"PAR1");
    let start = forge.out.len();
    forge.int(1, 1);
    forge.list(1, STRUCT, depth as u64 + 1);
    for _ in 0..depth {
        forge.text(4, "a");
        forge.int(1, 1);
        forge.end();
    }
    forge.text(4, "b");
    forge.end();
    forge.long(1, 0);
    forge.list(1, STRUCT, 0);
    forge.end();
    forge.tail(start);
    forge.out
}

/// Returns a file whose footer is nothing but a list of so many row groups.
pub(crate) fn row_groups(count: u64) -> Vec<u8> {
    let mut forge = Forge::default();
    forge.out.extend_from_slice(b"PAR1");
    let start = forge.out.len();
    forge.int(1, 1);
    forge.schema(false);
    forge.long(1, 0);
    forge.list(1, STRUCT, count);
    forge.end();
    forge.tail(start);
    forge.out
}

/// The facts of the footer about its only column.
struct Chunk {
    rows: u64,
    start: u64,
    data: u64,
    has_dictionary: bool,
    codec: u64,
    is_nullable: bool,
}

impl Forge {
    /// Returns what `write` writes, apart from the rest.
    fn part(&mut self, write: impl FnOnce(&mut Self)) -> Vec<u8> {
        let before = mem::take(&mut self.out);
        write(self);
        mem::replace(&mut self.out, before)
    }

    /// Counts a number, and returns it or the lie in its place.
    fn number(&mut self, honest: u64) -> u64 {
        let place = self.numbers;
        self.numbers += 1;
        self.lie.filter(|(at, _)| *at == place).map_or(honest, |(_, lie)| lie)
    }

    fn varint(&mut self, honest: u64) {
        let mut number = self.number(honest);
        while number >= 0x80 {
            self.out.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.out.push(number as u8);
    }

    /// Writes a number of 32 bits, the lowest byte first.
    fn fixed(&mut self, honest: u64) {
        let number = self.number(honest) as u32;
        self.out.extend_from_slice(&number.to_le_bytes());
    }

    /// Begins a field, whose number is so much more than that of the field before.
    fn field(&mut self, step: u8, kind: u8) {
        self.out.push(step << 4 | kind);
    }

    /// Writes an integer, which Thrift writes as twice its value.
    fn int(&mut self, step: u8, honest: u64) {
        self.field(step, I32);
        self.varint(honest << 1);
    }

    fn long(&mut self, step: u8, honest: u64) {
        self.field(step, I64);
        self.varint(honest << 1);
    }

    fn text(&mut self, step: u8, text: &str) {
        self.field(step, BINARY);
        self.element(text);
    }

    fn element(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn list(&mut self, step: u8, kind: u8, len: u64) {
        self.field(step, LIST);
        // Always the long form, so that every length can be replaced by any other.
        self.out.push(0xf0 | kind);
        self.varint(len);
    }

    fn end(&mut self) {
        self.out.push(0);
    }

    fn plain(&mut self, text: &str) {
        self.fixed(text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn values(&mut self, values: Values) {
        match values {
            Values::Plain => TEXTS.iter().for_each(|text| self.plain(text)),
            Values::Dictionary => {
                // Indexes of two bits, of which eight are packed: 0, 1, 2.
                let width = self.number(2) as u8;
                self.out.push(width);
                self.varint(3);
                self.out.extend_from_slice(&[0b10_01_00, 0]);
            }
            Values::DeltaLength => {
                self.deltas(&TEXTS.map(|text| text.len() as u64));
                TEXTS.iter().for_each(|text| self.out.extend_from_slice(text.as_bytes()));
            }
            Values::DeltaPrefix => {
                let shared = [0, 10, 8];
                self.deltas(&shared);
                let rests: Vec<&str> =
                    TEXTS.iter().zip(shared).map(|(text, len)| &text[len as usize..]).collect();
                self.deltas(&rests.iter().map(|rest| rest.len() as u64).collect::<Vec<_>>());
                rests.iter().for_each(|rest| self.out.extend_from_slice(rest.as_bytes()));
            }
        }
    }

    /// Writes numbers as DELTA_BINARY_PACKED: the first, then one block of four miniblocks, of which the
    /// first has eight bits a number.
    fn deltas(&mut self, numbers: &[u64]) {
        [128, 4, numbers.len() as u64, numbers[0] << 1].into_iter().for_each(|number| self.varint(number));
        // The least delta, -64 in zigzag.
        self.varint(127);
        for width in [8, 0, 0, 0] {
            let width = self.number(width) as u8;
            self.out.push(width);
        }
        let mut packed = [0; 32];
        for (packed, pair) in packed.iter_mut().zip(numbers.windows(2)) {
            *packed = (pair[1] + 64 - pair[0]) as u8;
        }
        self.out.extend_from_slice(&packed);
    }

    /// Writes the header of a page that is not compressed. `describe` writes the field of its kind, whose
    /// number is 5, 7 or 8; the one before is 3.
    fn page(&mut self, kind: u64, len: usize, describe: impl FnOnce(&mut Self)) {
        self.page_of(kind, len as u64, len as u64, describe);
    }

    fn page_of(&mut self, kind: u64, unpacked: u64, packed: u64, describe: impl FnOnce(&mut Self)) {
        [kind, unpacked, packed].into_iter().for_each(|number| self.int(1, number));
        describe(self);
        self.end();
    }

    fn schema(&mut self, is_nullable: bool) {
        self.list(1, STRUCT, 2);
        self.text(4, "r");
        self.int(1, 1);
        self.end();
        self.int(1, 6);
        self.int(2, u64::from(is_nullable));
        self.text(1, "url");
        self.end();
    }

    fn footer(&mut self, chunk: &Chunk) {
        let end = self.out.len() as u64;
        let footer = self.out.len();
        self.int(1, 1);
        self.schema(chunk.is_nullable);
        self.long(1, chunk.rows);
        self.list(1, STRUCT, 1);
        // The row group, its columns, and the only one.
        self.list(1, STRUCT, 1);
        self.long(2, chunk.start);
        self.field(1, STRUCT);
        self.int(1, 6);
        self.list(1, I32, 1);
        self.varint(0);
        self.list(1, BINARY, 1);
        self.element("url");
        self.int(1, chunk.codec);
        self.long(1, chunk.rows);
        self.long(1, end - chunk.start);
        self.long(1, end - chunk.start);
        self.long(2, chunk.data);
        if chunk.has_dictionary {
            self.long(2, chunk.start);
        }
        self.end();
        self.end();
        self.long(1, end - chunk.start);
        self.long(1, chunk.rows);
        self.end();
        self.end();
        self.tail(footer);
    }

    fn tail(&mut self, footer: usize) {
        let len = self.out.len() - footer;
        self.fixed(len as u64);
        self.out.extend_from_slice(b"PAR1");
    }
}
