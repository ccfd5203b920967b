//! Records of digests, as text: the name of a shape, then a line for each run of blocks with the same
//! digest.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::blocks::Block;

/// The digests of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record(BTreeMap<String, Vec<(Block, u32)>>);

impl Record {
    /// Adds the digest of the next block of a shape.
    pub fn push(&mut self, shape: &str, block: Block, digest: u32) {
        let runs = self.0.entry(shape.to_owned()).or_default();
        match runs.last_mut() {
            Some((run, last)) if *last == digest => run.last = block.last,
            _ => runs.push((block, digest)),
        }
    }

    /// Returns the digest of a block, if the shape has been recorded.
    pub fn digest(&self, shape: &str, block: Block) -> Option<u32> {
        let runs = self.0.get(shape)?;
        let found = runs.iter().find(|(run, _)| run.first <= block.first && block.last <= run.last);
        found.map(|(_, digest)| *digest)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(shape, runs)| {
            writeln!(f, "{shape}")?;
            runs.iter().try_for_each(|(run, digest)| writeln!(f, "  {run} {digest:08x}"))
        })
    }
}

impl FromStr for Record {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut record = Record::default();
        let mut shape = "";
        for line in text.lines() {
            match line.strip_prefix("  ") {
                None => shape = line,
                Some(run) => {
                    let (block, digest) =
                        read(run).ok_or_else(|| format!("no block and digest: {line:?}"))?;
                    record.push(shape, block, digest);
                }
            }
        }
        Ok(record)
    }
}

fn read(run: &str) -> Option<(Block, u32)> {
    let (block, digest) = run.split_once(' ')?;
    let (first, last) = block.split_once('-')?;
    let number = |digits| u32::from_str_radix(digits, 16).ok();
    Some((Block { first: number(first)?, last: number(last)? }, number(digest)?))
}

#[test]
fn a_record_is_read_as_it_was_written() {
    let mut record = Record::default();
    let blocks = [(0, 1), (0x100, 7), (0x200, 7), (0xd00, 1)];
    blocks
        .iter()
        .for_each(|&(first, digest)| record.push("host", Block { first, last: first + 0xff }, digest));
    assert_eq!(
        record.to_string(),
        "host\n  0000-00FF 00000001\n  0100-02FF 00000007\n  0D00-0DFF 00000001\n"
    );
    assert_eq!(record.to_string().parse(), Ok(record.clone()));
    assert_eq!(record.digest("host", Block { first: 0x200, last: 0x2ff }), Some(7));
    assert_eq!(record.digest("host", Block { first: 0x300, last: 0x3ff }), None);
}
