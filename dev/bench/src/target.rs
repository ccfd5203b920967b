//! How many times as fast as another a work must be.

use crate::race::Time;
use crate::record::Row;

/// What one work must reach, and should, against a peer; crawl first, then mixed.
pub(crate) struct Target {
    pub(crate) work: &'static str,
    pub(crate) against: &'static str,
    pub(crate) must: [f64; 2],
    pub(crate) aim: [f64; 2],
}

impl Target {
    /// Returns what was reached, by the times on crawl and on mixed.
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
