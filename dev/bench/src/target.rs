//! The required ratio of a work's speed to a peer's.

use crate::race::Time;
use crate::record::Row;

/// The required and the intended ratio of one work to a peer, for crawl, then mixed.
pub(crate) struct Target {
    pub(crate) work: &'static str,
    pub(crate) against: &'static str,
    pub(crate) must: [f64; 2],
    pub(crate) aim: [f64; 2],
}

impl Target {
    /// Returns the measured ratios, from the times on crawl and on mixed.
    pub(crate) fn row(&self, times: &[Vec<Time>; 2]) -> Row {
        let nanoseconds = |times: &[Time], name: &str| {
            times.iter().find(|time| time.name == name).map_or(f64::NAN, |time| time.nanoseconds)
        };
        Row {
            work: self.work.to_owned(),
            against: self.against.to_owned(),
            must: self.must,
            aim: self.aim,
            reached: times
                .each_ref()
                .map(|times| nanoseconds(times, self.against) / nanoseconds(times, self.work)),
        }
    }
}
