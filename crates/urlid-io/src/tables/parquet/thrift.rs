//! A walk over a value of Thrift's compact protocol that checks every count, length and type.
//!
//! Parquet's footer and page headers are such values. The reader of the `parquet` crate allocates as much as
//! they claim, and reads each field as the type that it expects, whatever type the file declares. A file
//! could then mean different things to that reader and to a reader that trusts the declared types. The walk
//! therefore comes first. It does not allocate for claims, and it rejects every value that lacks the
//! [`Shape`] as which it will be read. This module depends on the protocol, but not on the fields of Parquet.

use super::bits::{signed, varint};

/// The deepest nesting of structures. Parquet's own structures are 7 deep.
const DEEPEST: usize = 32;

/// The type as which a field is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A truth value, which is stored in the type of its field. In a list each value is one byte, 1 or 2.
    /// Lists of them that are skipped are rejected, because readers differ in the bytes of an element.
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
    /// The fields that are read, by their numbers, at most 32 (a bit each in `met`). All others are skipped
    /// by their declared types.
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

    /// Returns whether an integer of this shape can be `number`. The crate would read the lower bits of a
    /// wider one.
    fn holds(self, number: i64) -> bool {
        match self {
            Self::I16 => i16::try_from(number).is_ok(),
            Self::I32 => i32::try_from(number).is_ok(),
            _ => true,
        }
    }
}

/// A value in a field that is read, reported with the path of its field numbers. An element of a list is
/// field 0 of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen<'b> {
    /// A truth value.
    Bool(bool),
    /// An integer of any width.
    Integer(i64),
    /// Bytes or a text.
    Binary(&'b [u8]),
    /// The number of elements of a list, reported before them.
    List(u64),
    /// The end of a structure.
    End,
}

/// The message for bytes that end before the value does.
const SHORT: &str = "it ends too early";

/// Walks over the structure at the start of `bytes`, calls `seen` with the values of `fields`, and returns
/// the length of the structure.
pub(super) fn walk<'b>(
    bytes: &'b [u8],
    fields: &'static [(i16, Shape)],
    seen: &mut dyn FnMut(&[i16], Seen<'b>),
) -> Result<usize, String> {
    let mut walk = Walk { rest: bytes, path: Vec::new(), seen };
    walk.structure(Some(fields))?;
    Ok(bytes.len() - walk.rest.len())
}

struct Walk<'b, 's> {
    rest: &'b [u8],
    path: Vec<i16>,
    seen: &'s mut dyn FnMut(&[i16], Seen<'b>),
}

impl Walk<'_, '_> {
    /// Walks over a structure of which `fields` are read, or skips it.
    fn structure(&mut self, fields: Option<&'static [(i16, Shape)]>) -> Result<(), String> {
        if self.path.len() >= DEEPEST {
            return Err(too_deep());
        }
        let (mut field, mut met) = (0_i16, 0_u32);
        loop {
            let head = self.byte()?;
            // The high half is the difference from the previous field number, or 0 if the number follows. The
            // low half is the type.
            if head == 0 {
                if fields.is_some() {
                    (self.seen)(&self.path, Seen::End);
                }
                return Ok(());
            }
            field = match head >> 4 {
                // Cut to 16 bits as in the crate, so that both see the same field.
                0 => self.integer()? as i16,
                delta => field.wrapping_add(i16::from(delta)),
            };
            let place = fields.and_then(|fields| fields.iter().position(|(number, _)| *number == field));
            let shape = place.and_then(|place| fields.map(|fields| fields[place].1));
            let bit = place.map_or(0, |place| 1 << place);
            if met & bit > 0 {
                return Err(format!("it has the field {field} twice"));
            }
            met |= bit;
            self.path.push(field);
            match (head & 15, shape) {
                // True and false are separate types without a value.
                (1 | 2, None) => {}
                (kind @ (1 | 2), Some(Shape::Bool)) => (self.seen)(&self.path, Seen::Bool(kind == 1)),
                (kind, shape) => self.value(kind, shape)?,
            }
            self.path.pop();
        }
    }

    /// Walks over a value, or skips it if it lacks a shape.
    fn value(&mut self, kind: u8, shape: Option<Shape>) -> Result<(), String> {
        if let Some(shape) = shape
            && shape.kind() != kind
        {
            return Err(format!(
                "its field {} is of the type {kind}, expected {}",
                self.field(),
                shape.kind()
            ));
        }
        match kind {
            3 => self.skip(1),
            4..=6 => {
                let number = self.integer()?;
                if let Some(shape) = shape {
                    if !shape.holds(number) {
                        let field = self.field();
                        return Err(format!("its field {field} is {number}, which is too wide for it"));
                    }
                    (self.seen)(&self.path, Seen::Integer(number));
                }
                Ok(())
            }
            7 => self.skip(8),
            8 => {
                let len = self.varint()?;
                self.claim(len)?;
                // The cast is exact, because `claim` has found at least as many bytes.
                let (bytes, rest) = self.rest.split_at(len as usize);
                self.rest = rest;
                if shape.is_some() {
                    (self.seen)(&self.path, Seen::Binary(bytes));
                }
                Ok(())
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
            other => Err(format!("it has a value of the unknown type {other}")),
        }
    }

    fn list(&mut self, element: Option<Shape>) -> Result<(), String> {
        let head = self.byte()?;
        let len = match head >> 4 {
            15 => self.varint()?,
            len => u64::from(len),
        };
        self.claim(len)?;
        if element.is_some() {
            (self.seen)(&self.path, Seen::List(len));
        }
        self.nested(|walk| {
            (0..len).try_for_each(|_| match (head & 15, element) {
                (1 | 2, Some(Shape::Bool)) => walk.truth(),
                (kind, element) => walk.value(kind, element),
            })
        })
    }

    /// Walks over a truth value in a list.
    fn truth(&mut self) -> Result<(), String> {
        let byte = self.byte()?;
        if !(1..=2).contains(&byte) {
            return Err(format!("it has the truth value {byte}, expected 1 or 2"));
        }
        (self.seen)(&self.path, Seen::Bool(byte == 1));
        Ok(())
    }

    fn map(&mut self) -> Result<(), String> {
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

    /// Returns the number of the current field. Within a list, returns the number of the list.
    fn field(&self) -> i16 {
        self.path.iter().rev().copied().find(|field| *field != 0).unwrap_or(0)
    }

    /// Walks over elements, which are one step deeper than their list.
    fn nested(&mut self, elements: impl FnOnce(&mut Self) -> Result<(), String>) -> Result<(), String> {
        if self.path.len() >= DEEPEST {
            return Err(too_deep());
        }
        self.path.push(0);
        elements(self)?;
        self.path.pop();
        Ok(())
    }

    /// Rejects an impossible number of elements, because each element has at least one byte. This also bounds
    /// the time of a walk.
    fn claim(&self, claimed: u64) -> Result<(), String> {
        let left = self.rest.len();
        if claimed > left as u64 {
            Err(format!("it claims {claimed} elements in {left} bytes"))
        } else {
            Ok(())
        }
    }

    fn skip(&mut self, len: usize) -> Result<(), String> {
        self.rest = self.rest.get(len..).ok_or(SHORT)?;
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, String> {
        let (byte, rest) = self.rest.split_first().ok_or(SHORT)?;
        self.rest = rest;
        Ok(*byte)
    }

    fn varint(&mut self) -> Result<u64, String> {
        varint(&mut self.rest, SHORT)
    }

    fn integer(&mut self) -> Result<i64, String> {
        self.varint().map(signed)
    }
}

fn too_deep() -> String {
    format!("it is nested more than {DEEPEST} deep")
}

#[cfg(test)]
mod tests {
    use super::*;

    type Place = (Vec<i16>, Seen<'static>);

    /// A structure within a list, and fields of other shapes.
    const FIELDS: &[(i16, Shape)] = &[
        (1, Shape::I32),
        (3, Shape::List(&Shape::Struct(&[(2, Shape::I64), (3, Shape::List(&Shape::I32))]))),
        (4, Shape::Bool),
        (5, Shape::Binary),
        (6, Shape::I16),
    ];

    /// Returns the length of a structure, and what was seen where.
    fn seen(bytes: &'static [u8]) -> Result<(usize, Vec<Place>), String> {
        let mut all = Vec::new();
        let len = walk(bytes, FIELDS, &mut |path, seen| all.push((path.to_vec(), seen)))?;
        Ok((len, all))
    }

    #[test]
    fn values_are_reported_with_their_fields() {
        // 1: i32 -1; 3: a list of two structures, each with 2: i64 64; 4: true; 5: the text "ab"; 9: i32 1,
        // which is passed over; then the end, and more.
        let bytes = &[
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
            (vec![5], Seen::Binary(b"ab")),
            (vec![], Seen::End),
        ];
        assert_eq!(seen(bytes), Ok((20, expected)));
    }

    #[test]
    fn claimed_lengths_must_fit_the_input() {
        let table: [(&'static [u8], &str); 7] = [
            (&[], SHORT),
            (&[0x15], SHORT),
            (&[0x27, 0, 0], SHORT),
            (&[0x58, 5, b'a'], "it claims 5 elements in 1 bytes"),
            (&[0x39, 0xfc, 0xff, 0xff, 0xff, 0xff, 7, 0], "it claims 2147483647 elements in 1 bytes"),
            (&[0x2b, 9, 0x55, 0], "it claims 9 elements in 2 bytes"),
            (&[0x2e, 0], "it has a value of the unknown type 14"),
        ];
        for (bytes, malformed) in table {
            assert_eq!(seen(bytes), Err(malformed.to_owned()), "{bytes:x?}");
        }
        assert_eq!(seen(&[0x2c; 1000]), Err(too_deep()));
        assert_eq!(seen(&[0x29; 1000]), Err(too_deep()));
    }

    #[test]
    fn fields_must_have_the_expected_type() {
        let table: [(&'static [u8], &str); 9] = [
            (&[0x13, 0, 0], "its field 1 is of the type 3, expected 5"),
            (&[0x11, 0], "its field 1 is of the type 1, expected 5"),
            (&[0x35, 0xfc, 0xff, 7, 0], "its field 3 is of the type 5, expected 9"),
            (&[0x39, 0x15, 0, 0], "its field 3 is of the type 5, expected 12"),
            (&[0x39, 0x1c, 0x39, 0x13, 0, 0, 0], "its field 3 is of the type 3, expected 5"),
            (&[0x45, 0, 0], "its field 4 is of the type 5, expected 2"),
            (&[0x15, 0, 0x05, 2, 0, 0], "it has the field 1 twice"),
            (&[0x15, 0x80, 0x80, 0x80, 0x80, 0x10, 0], "its field 1 is 2147483648, which is too wide for it"),
            // A list of truth values: some readers take a byte for each, and some none.
            (&[0x29, 0x11, 0, 0], "it has a value of the unknown type 1"),
        ];
        for (bytes, malformed) in table {
            assert_eq!(seen(bytes), Err(malformed.to_owned()), "{bytes:x?}");
        }
    }
}
