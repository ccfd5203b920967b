//! Candidates that a list has, counted as the program asks for them.

use urlid_lists::{Entry, ListMatcher, Scratch};

/// How often each way runs over all candidates.
pub(super) const ROUNDS: usize = 12;

/// As many candidates as the program gives to the matcher at once.
pub(super) const TOGETHER: usize = 256;

/// Returns the number of lines that are listed; `found` is a reused buffer.
pub(super) fn count_listed<'l>(
    matcher: &'l ListMatcher,
    scratch: &mut Scratch,
    lines: &[&str],
    found: &mut Vec<Result<Option<Entry<'l>>, urlid::Error>>,
) -> u64 {
    let mut count = 0;
    for lines in lines.chunks(TOGETHER) {
        found.clear();
        matcher.find_many(scratch, lines, None, found);
        count += found.iter().filter(|found| matches!(found, Ok(Some(_)))).count() as u64;
    }
    count
}
