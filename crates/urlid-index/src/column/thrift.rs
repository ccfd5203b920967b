//! A walk over a value of Thrift's compact protocol that takes no count and no length on trust.
//!
//! Parquet's footer and page headers are such values. Whoever reads them makes room for what they claim, so they are walked
//! first: a walk makes room for nothing. Knows the protocol, and no field of Parquet.

use std::fmt;

/// Structures within structures, at most; Parquet's own are 7 deep.
const DEEPEST: usize = 32;

/// Something that was met, at the path of its field numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// An integer of any width.
    Integer(i64),
    /// The number of elements of a list or set.
    List(u64),
}

/// Why bytes are no such value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Malformed {
    /// They end before the value does.
    Short,
    /// A list, a map or a text claims more than is left.
    Claim { claimed: u64, left: usize },
    /// Structures are nested deeper than any of Parquet's.
    Deep,
    /// A type is none of the protocol's.
    Type(u8),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => f.write_str("it ends too early"),
            Self::Claim { claimed, left } => write!(f, "it claims {claimed} elements in {left} bytes"),
            Self::Deep => write!(f, "it is nested more than {DEEPEST} deep"),
            Self::Type(number) => write!(f, "it has a value of the unknown type {number}"),
        }
    }
}

/// Walks over the structure at the start of `bytes`, hands all integers and list lengths to `seen`, and returns the bytes it takes.
pub(super) fn walk(bytes: &[u8], seen: &mut dyn FnMut(&[i16], Seen)) -> Result<usize, Malformed> {
    let mut walk = Walk { bytes, offset: 0, path: Vec::new(), seen };
    walk.structure()?;
    Ok(walk.offset)
}

struct Walk<'b, 's> {
    bytes: &'b [u8],
    offset: usize,
    path: Vec<i16>,
    seen: &'s mut dyn FnMut(&[i16], Seen),
}

impl Walk<'_, '_> {
    fn structure(&mut self) -> Result<(), Malformed> {
        if self.path.len() >= DEEPEST {
            return Err(Malformed::Deep);
        }
        let mut field = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            field = match head >> 4 {
                0 => self.integer()? as i16,
                delta => field.wrapping_add(i16::from(delta)),
            };
            self.path.push(field);
            match head & 15 {
                // A truth value is in its type.
                1 | 2 => {}
                kind => self.value(kind)?,
            }
            self.path.pop();
        }
    }

    fn value(&mut self, kind: u8) -> Result<(), Malformed> {
        match kind {
            1..=3 => self.skip(1),
            4..=6 => {
                let number = self.integer()?;
                (self.seen)(&self.path, Seen::Integer(number));
                Ok(())
            }
            7 => self.skip(8),
            8 => {
                let len = self.varint()?;
                self.claim(len)?;
                self.skip(len as usize)
            }
            9 | 10 => self.list(),
            11 => self.map(),
            12 => self.structure(),
            13 => self.skip(16),
            other => Err(Malformed::Type(other)),
        }
    }

    fn list(&mut self) -> Result<(), Malformed> {
        let head = self.byte()?;
        let len = match head >> 4 {
            15 => self.varint()?,
            len => u64::from(len),
        };
        self.claim(len)?;
        (self.seen)(&self.path, Seen::List(len));
        self.nested(|walk| (0..len).try_for_each(|_| walk.value(head & 15)))
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
                walk.value(kinds >> 4)?;
                walk.value(kinds & 15)
            })
        })
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

    /// Refuses a number of elements that cannot be there: each takes a byte at least.
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
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Malformed::Claim { claimed: u64::MAX, left: self.bytes.len() - self.offset })
    }

    fn integer(&mut self) -> Result<i64, Malformed> {
        let number = self.varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Place = (Vec<i16>, Seen);

    /// Returns the length of a structure, and what was seen where.
    fn seen(bytes: &[u8]) -> Result<(usize, Vec<Place>), Malformed> {
        let mut all = Vec::new();
        let len = walk(bytes, &mut |path, seen| all.push((path.to_vec(), seen)))?;
        Ok((len, all))
    }

    #[test]
    fn integers_and_lists_are_seen_at_their_fields() {
        // 1: i32 -1; 3: a list of two structures, each with 2: i64 64; 4: true; 5: the text "ab"; then the end, and more.
        let bytes =
            [0x15, 1, 0x29, 0x2c, 0x26, 0x80, 1, 0, 0x26, 0x80, 1, 0, 0x11, 0x18, 2, b'a', b'b', 0, 9];
        let expected = vec![
            (vec![1], Seen::Integer(-1)),
            (vec![3], Seen::List(2)),
            (vec![3, 0, 2], Seen::Integer(64)),
            (vec![3, 0, 2], Seen::Integer(64)),
        ];
        assert_eq!(seen(&bytes), Ok((18, expected)));
    }

    #[test]
    fn what_is_claimed_must_be_there() {
        let table: [(&[u8], Malformed); 7] = [
            (&[], Malformed::Short),
            (&[0x15], Malformed::Short),
            (&[0x17, 0, 0], Malformed::Short),
            (&[0x18, 5, b'a'], Malformed::Claim { claimed: 5, left: 1 }),
            (&[0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7, 0], Malformed::Claim { claimed: 0x7fff_ffff, left: 1 }),
            (&[0x1b, 9, 0x55, 0], Malformed::Claim { claimed: 9, left: 2 }),
            (&[0x1e, 0], Malformed::Type(14)),
        ];
        for (bytes, malformed) in table {
            assert_eq!(seen(bytes), Err(malformed), "{bytes:x?}");
        }
        assert_eq!(seen(&[0x1c; 1000]), Err(Malformed::Deep));
        assert_eq!(seen(&[0x19; 1000]), Err(Malformed::Deep));
    }
}
