//! The values of a page: levels that mark the nulls, and byte arrays in Parquet's four encodings, or numbers.
//!
//! Every text is passed on when it is decoded. A length that leads out of the page is an error, and claims do
//! not allocate.
//!
//! The decoders of the `parquet` crate are not used (decision 3). Version 59.3 panics on damaged pages,
//! allocates 32 bytes for each entry of a dictionary and 8 GiB for a page of ten bytes, and is three times
//! slower in the encoding of datasets.

use parquet::basic::{Encoding, Type as Physical};
use parquet::schema::types::ColumnDescriptor;

use super::bits::{Deltas, Runs};
use super::pages::{Page, PageKind};

/// The most entries of a dictionary. The offset of each costs 4 bytes.
const MOST_ENTRIES: u32 = 1 << 24;

/// The values of a dictionary page.
#[derive(Debug)]
pub(super) struct Dictionary {
    page: Page,
    /// The offset of each value. At the end, the offset that one more would have.
    starts: Vec<u32>,
    shape: ValueShape,
}

impl Dictionary {
    /// Reads a dictionary page.
    pub(super) fn new(page: Page, shape: ValueShape) -> Result<Self, String> {
        let count = page.values;
        if count > MOST_ENTRIES {
            return Err(format!("its dictionary has {count} entries, expected at most {MOST_ENTRIES}"));
        }
        let mut starts = Vec::new();
        let mut rest: &[u8] = &page.bytes;
        let whole = rest.len();
        for _ in 0..count {
            // The cast cannot overflow, because a page has at most 128 MiB.
            starts.push((whole - rest.len()) as u32 + shape.head());
            shape.split_off(&mut rest)?;
        }
        starts.push((whole - rest.len()) as u32 + shape.head());
        Ok(Self { page, starts, shape })
    }

    fn get(&self, index: u32) -> Result<&[u8], String> {
        let count = self.starts.len() - 1;
        let (Some(&start), Some(&next)) =
            (self.starts.get(index as usize), self.starts.get(index as usize + 1))
        else {
            return Err(format!("it has the index {index} into a dictionary of {count}"));
        };
        Ok(&self.page.bytes[start as usize..(next - self.shape.head()) as usize])
    }
}

/// Called with each value, nulls as `None`. An error ends the reading.
pub(super) type Take<'t, E> = dyn FnMut(Option<&[u8]>) -> Result<(), E> + 't;

/// Calls `each` with every value of a data page, until it returns an error.
pub(super) fn each_value<E: From<String>>(
    page: &Page,
    dictionary: Option<&Dictionary>,
    Kind { shape, level, .. }: Kind,
    each: &mut Take<'_, E>,
) -> Result<(), E> {
    let count = u64::from(page.values);
    let (_, levels, bytes) = split(page, 0, level)?;
    let mut levels = Runs::new(levels, width(level))?;
    let mut values = Values::parse(page.encoding, shape, bytes, count, dictionary)?;
    for _ in 0..count {
        let is_there = level == 0 || levels.next()? == level;
        each(if is_there { Some(values.next()?) } else { None })?;
    }
    Ok(())
}

/// Called with the repetition level and the definition level of each value, and with the value if it is there.
pub(super) type TakeSlot<'t, E> = dyn FnMut(u32, u32, Option<&[u8]>) -> Result<(), E> + 't;

/// Calls `each` with every value of a data page of any column, until it returns an error. A row starts at
/// each repetition level 0.
pub(super) fn each_slot<E: From<String>>(
    page: &Page,
    dictionary: Option<&Dictionary>,
    Kind { shape, level, most_repetition }: Kind,
    each: &mut TakeSlot<'_, E>,
) -> Result<(), E> {
    let count = u64::from(page.values);
    let (repetitions, levels, bytes) = split(page, most_repetition, level)?;
    let mut repetitions = Runs::new(repetitions, width(most_repetition))?;
    let mut levels = Runs::new(levels, width(level))?;
    let mut values = Values::parse(page.encoding, shape, bytes, count, dictionary)?;
    for _ in 0..count {
        let repetition = if most_repetition == 0 { 0 } else { repetitions.next()? };
        let found = if level == 0 { 0 } else { levels.next()? };
        if repetition > most_repetition || found > level {
            return Err("it has a level that its column has not".to_owned().into());
        }
        each(repetition, found, if found == level { Some(values.next()?) } else { None })?;
    }
    Ok(())
}

/// Returns the width in bits of packed levels, as many as the greatest level needs.
fn width(greatest: u32) -> u32 {
    u32::BITS - greatest.leading_zeros()
}

/// The encoding of the values of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) shape: ValueShape,
    /// The definition level of a value, which is higher than the level of any null. 0 if the column lacks
    /// nulls.
    level: u32,
    /// The greatest repetition level, 0 if each row has one value.
    most_repetition: u32,
}

impl Kind {
    /// Returns the kind of a column.
    pub(super) fn new(column: &ColumnDescriptor) -> Self {
        let shape = match column.physical_type() {
            Physical::BOOLEAN => ValueShape::Bit,
            Physical::INT32 | Physical::FLOAT => ValueShape::Number(4),
            Physical::INT64 | Physical::DOUBLE => ValueShape::Number(8),
            Physical::INT96 => ValueShape::Number(12),
            Physical::FIXED_LEN_BYTE_ARRAY => {
                ValueShape::Number(usize::try_from(column.type_length()).unwrap_or(0))
            }
            Physical::BYTE_ARRAY => ValueShape::Text,
        };
        let [level, most_repetition] =
            [column.max_def_level(), column.max_rep_level()].map(|level| u32::from(level.unsigned_abs()));
        Self { shape, level, most_repetition }
    }
}

/// The encoding of a value in a sequence of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueShape {
    /// A text after its length.
    Text,
    /// A number, or a text of a fixed length, of this many bytes.
    Number(usize),
    /// A truth value of one bit, which is passed on as a byte.
    Bit,
}

impl ValueShape {
    /// Returns the bytes before a value.
    fn head(self) -> u32 {
        match self {
            Self::Text => 4,
            Self::Number(_) | Self::Bit => 0,
        }
    }

    /// Splits off a value.
    fn split_off<'p>(self, bytes: &mut &'p [u8]) -> Result<&'p [u8], String> {
        const OUT: &str = "it has a value that leads out of it";
        let len = match self {
            Self::Text => {
                let (len, rest) = bytes.split_first_chunk().ok_or(OUT)?;
                *bytes = rest;
                u32::from_le_bytes(*len) as usize
            }
            Self::Number(len) => len,
            Self::Bit => return Err("its truth values are in a dictionary".to_owned()),
        };
        let (value, rest) = bytes.split_at_checked(len).ok_or(OUT)?;
        *bytes = rest;
        Ok(value)
    }
}

/// The repetition levels, the definition levels and the values of a page.
type PageParts<'p> = (&'p [u8], &'p [u8], &'p [u8]);

/// Splits a data page of a column with these greatest levels.
fn split(page: &Page, most_repetition: u32, level: u32) -> Result<PageParts<'_>, String> {
    const LEVELS: &str = "its levels lead out of it";
    match page.kind {
        PageKind::Data { levels } => {
            let mut rest = &page.bytes[..];
            let mut next = |greatest: u32| -> Result<&[u8], String> {
                if greatest == 0 {
                    return Ok(&[]);
                }
                if levels != Encoding::RLE {
                    return Err(format!("its levels are encoded by {levels}, expected RLE"));
                }
                let (len, bytes) = rest.split_first_chunk::<4>().ok_or(LEVELS)?;
                let (levels, bytes) =
                    bytes.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or(LEVELS)?;
                rest = bytes;
                Ok(levels)
            };
            let (repetitions, definitions) = (next(most_repetition)?, next(level)?);
            Ok((repetitions, definitions, rest))
        }
        PageKind::DataV2 { repetition, definition } => {
            let (repetitions, rest) = page.bytes.split_at_checked(repetition).ok_or(LEVELS)?;
            let (definitions, values) = rest.split_at_checked(definition).ok_or(LEVELS)?;
            Ok((repetitions, definitions, values))
        }
        PageKind::Dictionary => Err("it has a second dictionary".to_owned()),
    }
}

/// The byte arrays of a page, in the encoding that it has.
enum Values<'p> {
    Plain(&'p [u8], ValueShape),
    Indexes(Runs<'p>, &'p Dictionary),
    Lengths(Lengths<'p>),
    Prefixes {
        prefixes: Deltas<'p>,
        suffixes: Lengths<'p>,
        last: Vec<u8>,
    },
    /// Numbers of this many bytes.
    Differences(Deltas<'p>, usize, [u8; 8]),
    /// The first bytes of all values, the second ones, and so on, with the index of the next value.
    Split {
        bytes: &'p [u8],
        index: usize,
        value: Vec<u8>,
    },
    Bits(Runs<'p>),
}

/// The error of an encoding that the values of a type never have.
fn unexpected(encoding: Encoding) -> String {
    format!("its values are encoded by {encoding}, which no value of its type is")
}

impl<'p> Values<'p> {
    fn parse(
        encoding: Encoding,
        shape: ValueShape,
        bytes: &'p [u8],
        count: u64,
        dictionary: Option<&'p Dictionary>,
    ) -> Result<Self, String> {
        if shape == ValueShape::Bit {
            return match encoding {
                Encoding::PLAIN => Ok(Values::Bits(Runs::packed(bytes))),
                Encoding::RLE => {
                    let (len, rest) = bytes.split_first_chunk::<4>().ok_or("its values lead out of it")?;
                    let len = u32::from_le_bytes(*len) as usize;
                    let runs = rest.get(..len).ok_or("its values lead out of it")?;
                    Ok(Values::Bits(Runs::new(runs, 1)?))
                }
                other => Err(unexpected(other)),
            };
        }
        Ok(match (encoding, shape) {
            (Encoding::PLAIN, _) => Values::Plain(bytes, shape),
            (Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY, _) => {
                let dictionary = dictionary.ok_or("it has indexes and no dictionary")?;
                // A page with only nulls may lack the byte of the width.
                let (width, runs) = bytes.split_first().unwrap_or((&0, &[]));
                Values::Indexes(Runs::new(runs, u32::from(*width))?, dictionary)
            }
            (Encoding::DELTA_BINARY_PACKED, ValueShape::Number(len @ (4 | 8))) => {
                Values::Differences(Deltas::new(bytes, count)?, len, [0; 8])
            }
            (Encoding::BYTE_STREAM_SPLIT, ValueShape::Number(len @ 1..)) => {
                Values::Split { bytes, index: 0, value: vec![0; len] }
            }
            (Encoding::DELTA_LENGTH_BYTE_ARRAY, ValueShape::Text) => {
                Values::Lengths(Lengths::parse(bytes, count)?)
            }
            (Encoding::DELTA_BYTE_ARRAY, _) => {
                let prefixes = Deltas::new(bytes, count)?;
                // The suffixes start after the last prefix length.
                let suffixes = Lengths::parse(prefixes.clone().rest()?, count)?;
                Values::Prefixes { prefixes, suffixes, last: Vec::new() }
            }
            (other, _) => return Err(unexpected(other)),
        })
    }

    fn next(&mut self) -> Result<&[u8], String> {
        match self {
            Values::Plain(rest, shape) => shape.split_off(rest),
            Values::Indexes(indexes, dictionary) => dictionary.get(indexes.next()?),
            Values::Lengths(lengths) => lengths.next(),
            Values::Prefixes { prefixes, suffixes, last } => {
                let kept = prefixes.next()?.and_then(|len| usize::try_from(len).ok());
                let Some(kept) = kept.filter(|kept| *kept <= last.len()) else {
                    return Err("it has a text that continues more than the one before".to_owned());
                };
                last.truncate(kept);
                // The text is never longer than all suffixes of the page together, whatever the prefixes
                // claim.
                last.extend_from_slice(suffixes.next()?);
                Ok(last)
            }
            Values::Differences(numbers, len, value) => {
                let number = numbers.next()?.ok_or("it has fewer numbers than values")?;
                *value = number.to_le_bytes();
                Ok(&value[..*len])
            }
            Values::Split { bytes, index, value } => {
                let stride = bytes.len() / value.len();
                if *index >= stride {
                    return Err("it has fewer numbers than values".to_owned());
                }
                for (part, byte) in value.iter_mut().enumerate() {
                    *byte = bytes[part * stride + *index];
                }
                *index += 1;
                Ok(value)
            }
            Values::Bits(bits) => Ok(if bits.next()? == 0 { &[0] } else { &[1] }),
        }
    }
}

/// Byte arrays one after the other, with all lengths before them.
struct Lengths<'p> {
    lengths: Deltas<'p>,
    bytes: &'p [u8],
}

impl<'p> Lengths<'p> {
    fn parse(bytes: &'p [u8], count: u64) -> Result<Self, String> {
        let lengths = Deltas::new(bytes, count)?;
        let bytes = lengths.clone().rest()?;
        Ok(Self { lengths, bytes })
    }

    fn next(&mut self) -> Result<&'p [u8], String> {
        let len = self.lengths.next()?.and_then(|len| usize::try_from(len).ok());
        let split = len.and_then(|len| self.bytes.split_at_checked(len));
        let (text, rest) = split.ok_or("it has a text that leads out of it")?;
        self.bytes = rest;
        Ok(text)
    }
}
