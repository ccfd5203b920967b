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
    fn run<S: Simd>(&mut self, simd: S) {
        let (bytes, is_utf8) = (self.text.bytes(), self.text.is_utf8());
        self.boundaries.resize(self.lines.len(), Boundaries::default());
        for (line, boundaries) in self.lines.iter().zip(self.boundaries.iter_mut()) {
            self.text.prefetch_next(line.start);
            *boundaries = Boundaries::of_line(simd, bytes, is_utf8, line.start..line.end);
        }
    }
}
