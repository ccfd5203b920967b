//! Two words as one, for more work while a result is awaited.

use crate::hash::Word;

/// Two words that take the same way: while one waits for a result, the machine works on the other.
#[derive(Clone, Copy)]
pub(super) struct Both<W>(pub(super) W, pub(super) W);

impl<W: Word> Word for Both<W> {
    #[inline(always)]
    fn splat(value: u32) -> Self {
        Both(W::splat(value), W::splat(value))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Both(self.0.add(other.0), self.1.add(other.1))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Both(self.0.xor(other.0), self.1.xor(other.1))
    }

    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        Both(self.0.xor3(second.0, third.0), self.1.xor3(second.1, third.1))
    }

    #[inline(always)]
    fn choose(self, then: Self, otherwise: Self) -> Self {
        Both(self.0.choose(then.0, otherwise.0), self.1.choose(then.1, otherwise.1))
    }

    #[inline(always)]
    fn majority(self, second: Self, third: Self) -> Self {
        Both(self.0.majority(second.0, third.0), self.1.majority(second.1, third.1))
    }

    #[inline(always)]
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Self {
        Both(self.0.rotate::<RIGHT, LEFT>(), self.1.rotate::<RIGHT, LEFT>())
    }

    #[inline(always)]
    fn shift<const RIGHT: i32>(self) -> Self {
        Both(self.0.shift::<RIGHT>(), self.1.shift::<RIGHT>())
    }
}
