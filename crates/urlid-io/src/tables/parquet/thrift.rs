//! A walk over a value of Thrift's compact protocol that checks every count, length and type.
//!
//! Parquet's footer and page headers are such values. The reader of the `parquet` crate allocates what they claim, and reads
//! each field as the type that it expects, whatever the file declares. A file could then mean one thing to that reader and
//! another to one that trusts the declared types. So they are walked first: a walk does not allocate for what is claimed, and
//! rejects every value that does not have the [`Shape`] as which it will be read. Depends on the protocol, not on the fields of
//! Parquet.

use std::fmt;

use super::bits::{signed, varint_of};

/// The most structures within each other; Parquet's own are 7 deep.
const DEEPEST: usize = 32;

/// The type as which a field is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A truth value, which is in the type of its field. Lists of them are rejected: readers differ in the bytes of an element.
    Bool,
    /// A signed integer of 8 bits.
    Byte,
    /// An integer of 16 bits.
    I16,
    /// An integer of 32 bits.
    I32,
    /// An integer of 64 bits.
    I64,
    /// A floating-point number.
    Double,
    /// Bytes or a text.
    Binary,
    /// Elements of one shape.
    List(&'static Shape),
    /// The fields that are read, by their numbers, at most 32 (a bit each in `met`). All others are skipped by their declared
    /// types.
    Struct(&'static [(i16, Shape)]),
}

impl Shape {
    /// Returns the type that its header must declare.
    fn kind(self) -> u8 {
        match self {
            Self::Bool => 2,
            Self::Byte => 3,
            Self::I16 => 4,
            Self::I32 => 5,
            Self::I64 => 6,
            Self::Double => 7,
            Self::Binary => 8,
            Self::List(_) => 9,
            Self::Struct(_) => 12,
        }
    }

    /// Returns whether an integer of this shape can be `number`. The crate would read the lower bits of a wider one.
    fn holds(self, number: i64) -> bool {
        match self {
            Self::I16 => i16::try_from(number).is_ok(),
            Self::I32 => i32::try_from(number).is_ok(),
            _ => true,
        }
    }
}

/// A value in a field that is read, reported with the path of its field numbers. An element of a list is field 0 of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// A truth value.
    Bool(bool),
    /// An integer of any width.
    Integer(i64),
    /// The length of bytes or a text.
    Binary(u64),
    /// The number of elements of a list, reported before them.
    List(u64),
    /// The end of a structure.
    End,
}

/// The reason bytes are not such a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Malformed {
    /// They end before the value does.
    Short,
    /// A list, a map or a text claims more than the remaining bytes.
    Claim { claimed: u64, left: usize },
    /// Structures are nested deeper than any of Parquet's.
    Deep,
    /// A type is unknown to the protocol, or that of a truth value in a list or map.
    Type(u8),
    /// A field, or an element of its list, declares another type than that as which it is read.
    Shape { field: i16, found: u8, expected: u8 },
    /// A field occurs twice, of which readers take either.
    Twice(i16),
    /// An integer has more bits than its type.
    Wide { field: i16, number: i64 },
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => f.write_str("it ends too early"),
            Self::Claim { claimed, left } => write!(f, "it claims {claimed} elements in {left} bytes"),
            Self::Deep => write!(f, "it is nested more than {DEEPEST} deep"),
            Self::Type(number) => write!(f, "it has a value of the unknown type {number}"),
            Self::Shape { field, found, expected } => {
                write!(f, "its field {field} is of the type {found}, expected {expected}")
            }
            Self::Twice(field) => write!(f, "it has the field {field} twice"),
            Self::Wide { field, number } => {
                write!(f, "its field {field} is {number}, which is too wide for it")
            }
        }
    }
}

/// Walks over the structure at the start of `bytes`, calls `seen` with the values of `fields`, and returns the length of the
/// structure.
pub(super) fn walk(
    bytes: &[u8],
    fields: &'static [(i16, Shape)],
    seen: &mut dyn FnMut(&[i16], Seen),
) -> Result<usize, Malformed> {
    let mut walk = Walk { bytes, offset: 0, path: Vec::new(), seen };
    walk.structure(Some(fields))?;
    Ok(walk.offset)
}

struct Walk<'b, 's> {
    bytes: &'b [u8],
    offset: usize,
    path: Vec<i16>,
    seen: &'s mut dyn FnMut(&[i16], Seen),
}

impl Walk<'_, '_> {
    /// Walks over a structure of which `fields` are read, or skips it.
    fn structure(&mut self, fields: Option<&'static [(i16, Shape)]>) -> Result<(), Malformed> {
        if self.path.len() >= DEEPEST {
            return Err(Malformed::Deep);
        }
        let (mut field, mut met) = (0_i16, 0_u32);
        loop {
            let head = self.byte()?;
            // The high half is the difference to the field number before, or 0 if the number follows; the low half is the type.
            if head == 0 {
                if fields.is_some() {
                    (self.seen)(&self.path, Seen::End);
                }
                return Ok(());
            }
            field = match head >> 4 {
                // Cut to 16 bits, as the crate does: it would take the field for the same one.
                0 => self.integer()? as i16,
                delta => field.wrapping_add(i16::from(delta)),
            };
            let place = fields.and_then(|fields| fields.iter().position(|(number, _)| *number == field));
            let shape = place.and_then(|place| fields.map(|fields| fields[place].1));
            let bit = place.map_or(0, |place| 1 << place);
            if met & bit > 0 {
                return Err(Malformed::Twice(field));
            }
            met |= bit;
            self.path.push(field);
            match (head & 15, shape) {
                // True and false are types of their own, without a value.
                (1 | 2, None) => {}
                (kind @ (1 | 2), Some(Shape::Bool)) => (self.seen)(&self.path, Seen::Bool(kind == 1)),
                (kind, shape) => self.value(kind, shape)?,
            }
            self.path.pop();
        }
    }

    /// Walks over a value, or skips it if it has no shape.
    fn value(&mut self, kind: u8, shape: Option<Shape>) -> Result<(), Malformed> {
        if let Some(shape) = shape
            && shape.kind() != kind
        {
            return Err(Malformed::Shape { field: self.field(), found: kind, expected: shape.kind() });
        }
        match kind {
            3 => self.skip(1),
            4..=6 => {
                let number = self.integer()?;
                if let Some(shape) = shape {
                    if !shape.holds(number) {
                        return Err(Malformed::Wide { field: self.field(), number });
                    }
                    (self.seen)(&self.path, Seen::Integer(number));
                }
                Ok(())
            }
            7 => self.skip(8),
            8 => {
                let len = self.varint()?;
                self.claim(len)?;
                if shape.is_some() {
                    (self.seen)(&self.path, Seen::Binary(len));
                }
                // Exact: `claim` has found at least as many bytes.
                self.skip(len as usize)
            }
            9 | 10 => self.list(match shape {
                Some(Shape::List(element)) => Some(*element),
                _ => None,
            }),
            11 => self.map(),
            12 => self.structure(match shape {
                Some(Shape::Struct(fields)) => Some(fields),
                _ => None,
            }),
            13 => self.skip(16),
            // 1 and 2 in a list or map end here as well.
            other => Err(Malformed::Type(other)),
        }
    }

    fn list(&mut self, element: Option<Shape>) -> Result<(), Malformed> {
        let head = self.byte()?;
        let len = match head >> 4 {
            15 => self.varint()?,
            len => u64::from(len),
        };
        self.claim(len)?;
        if element.is_some() {
            (self.seen)(&self.path, Seen::List(len));
        }
        self.nested(|walk| (0..len).try_for_each(|_| walk.value(head & 15, element)))
    }

    fn map(&mut self) -> Result<(), Malformed> {
        let len = self.varint()?;
        if len == 0 {
            return Ok(());
        }
        self.claim(len)?;
        let kinds = self.byte()?;
        self.nested(|walk| {
            (0..len).try_for_each(|_| {
                walk.value(kinds >> 4, None)?;
                walk.value(kinds & 15, None)
            })
        })
    }

    /// Returns the number of the current field; within a list, that of the list.
    fn field(&self) -> i16 {
        self.path.iter().rev().copied().find(|field| *field != 0).unwrap_or(0)
    }

    /// Walks over elements, which are one step deeper than their list.
    fn nested(&mut self, elements: impl FnOnce(&mut Self) -> Result<(), Malformed>) -> Result<(), Malformed> {
        if self.path.len() >= DEEPEST {
            return Err(Malformed::Deep);
        }
        self.path.push(0);
        elements(self)?;
        self.path.pop();
        Ok(())
    }

    /// Rejects a number of elements that is impossible, as each takes a byte at least. It also bounds the time of a walk.
    fn claim(&self, claimed: u64) -> Result<(), Malformed> {
        let left = self.bytes.len() - self.offset;
        if claimed > left as u64 { Err(Malformed::Claim { claimed, left }) } else { Ok(()) }
    }

    fn skip(&mut self, len: usize) -> Result<(), Malformed> {
        if len > self.bytes.len() - self.offset {
            return Err(Malformed::Short);
        }
        self.offset += len;
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        let byte = *self.bytes.get(self.offset).ok_or(Malformed::Short)?;
        self.offset += 1;
        Ok(byte)
    }

    fn varint(&mut self) -> Result<u64, Malformed> {
        let number = varint_of(|| self.byte())?;
        number.ok_or_else(|| Malformed::Claim { claimed: u64::MAX, left: self.bytes.len() - self.offset })
    }

    fn integer(&mut self) -> Result<i64, Malformed> {
        self.varint().map(signed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Place = (Vec<i16>, Seen);

    /// A structure within a list, and fields of other shapes.
    const FIELDS: &[(i16, Shape)] = &[
        (1, Shape::I32),
        (3, Shape::List(&Shape::Struct(&[(2, Shape::I64), (3, Shape::List(&Shape::I32))]))),
        (4, Shape::Bool),
        (5, Shape::Binary),
        (6, Shape::I16),
    ];

    /// Returns the length of a structure, and what was seen where.
    fn seen(bytes: &[u8]) -> Result<(usize, Vec<Place>), Malformed> {
        let mut all = Vec::new();
        let len = walk(bytes, FIELDS, &mut |path, seen| all.push((path.to_vec(), seen)))?;
        Ok((len, all))
    }

    #[test]
    fn what_is_read_is_seen_at_its_fields() {
        // 1: i32 -1; 3: a list of two structures, each with 2: i64 64; 4: true; 5: the text "ab"; 9: i32 1, which is passed over;
        // then the end, and more.
        let bytes = [
            0x15, 1, 0x29, 0x2c, 0x26, 0x80, 1, 0, 0x26, 0x80, 1, 0, 0x11, 0x18, 2, b'a', b'b', 0x45, 2, 0, 9,
        ];
        let expected = vec![
            (vec![1], Seen::Integer(-1)),
            (vec![3], Seen::List(2)),
            (vec![3, 0, 2], Seen::Integer(64)),
            (vec![3, 0], Seen::End),
            (vec![3, 0, 2], Seen::Integer(64)),
            (vec![3, 0], Seen::End),
            (vec![4], Seen::Bool(true)),
            (vec![5], Seen::Binary(2)),
            (vec![], Seen::End),
        ];
        assert_eq!(seen(&bytes), Ok((20, expected)));
    }

    #[test]
    fn what_is_claimed_must_be_there() {
        let table: [(&[u8], Malformed); 7] = [
            (&[], Malformed::Short),
            (&[0x15], Malformed::Short),
            (&[0x27, 0, 0], Malformed::Short),
            (&[0x58, 5, b'a'], Malformed::Claim { claimed: 5, left: 1 }),
            (&[0x39, 0xfc, 0xff, 0xff, 0xff, 0xff, 7, 0], Malformed::Claim { claimed: 0x7fff_ffff, left: 1 }),
            (&[0x2b, 9, 0x55, 0], Malformed::Claim { claimed: 9, left: 2 }),
            (&[0x2e, 0], Malformed::Type(14)),
        ];
        for (bytes, malformed) in table {
            assert_eq!(seen(bytes), Err(malformed), "{bytes:x?}");
        }
        assert_eq!(seen(&[0x2c; 1000]), Err(Malformed::Deep));
        assert_eq!(seen(&[0x29; 1000]), Err(Malformed::Deep));
    }

    #[test]
    fn what_is_read_has_the_type_that_it_is_read_as() {
        let table: [(&[u8], Malformed); 9] = [
            (&[0x13, 0, 0], Malformed::Shape { field: 1, found: 3, expected: 5 }),
            (&[0x11, 0], Malformed::Shape { field: 1, found: 1, expected: 5 }),
            (&[0x35, 0xfc, 0xff, 7, 0], Malformed::Shape { field: 3, found: 5, expected: 9 }),
            (&[0x39, 0x15, 0, 0], Malformed::Shape { field: 3, found: 5, expected: 12 }),
            (&[0x39, 0x1c, 0x39, 0x13, 0, 0, 0], Malformed::Shape { field: 3, found: 3, expected: 5 }),
            (&[0x45, 0, 0], Malformed::Shape { field: 4, found: 5, expected: 2 }),
            (&[0x15, 0, 0x05, 2, 0, 0], Malformed::Twice(1)),
            (&[0x15, 0x80, 0x80, 0x80, 0x80, 0x10, 0], Malformed::Wide { field: 1, number: 1 << 31 }),
            // A list of truth values: some readers take a byte for each, and some none.
            (&[0x29, 0x11, 0, 0], Malformed::Type(1)),
        ];
        for (bytes, malformed) in table {
            assert_eq!(seen(bytes), Err(malformed), "{bytes:x?}");
        }
    }
}
