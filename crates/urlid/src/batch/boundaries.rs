//! The phase that finds the boundaries of each line's parts.

use urlid_simd::{Simd, Task};

use super::text::{LineRange, Text};
use crate::plain::Boundaries;

/// Finds the boundaries of lines.
pub(super) struct FindBoundaries<'t> {
    pub(super) text: Text<'t>,
    pub(super) lines: &'t [LineRange],
    pub(super) boundaries: &'t mut Vec<Boundaries>,
}

impl Task for FindBoundaries<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (bytes, is_utf8) = (self.text.bytes(), self.text.is_utf8());
        self.boundaries.clear();
        for line in self.lines {
            self.boundaries.push(Boundaries::of_line(simd, bytes, is_utf8, line.start..line.end));
        }
    }
}
