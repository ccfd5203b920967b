//! Reads decisions from bytes.

/// Decisions read from bytes. After the last byte every decision is the first option, which is the simplest.
#[derive(Clone, Debug)]
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    /// Returns the decisions that `bytes` represent.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns a number below `count`, which is 1 to 256.
    pub fn below(&mut self, count: usize) -> usize {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                (usize::from(byte) * count) >> 8
            }
            None => 0,
        }
    }

    /// Returns one of `options`.
    pub fn one<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    /// Returns true in `chances` of 16 cases.
    pub fn is(&mut self, chances: usize) -> bool {
        // A missing byte selects the simpler option, which is false.
        self.below(16) >= 16 - chances
    }

    /// Returns whether all bytes have been read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
