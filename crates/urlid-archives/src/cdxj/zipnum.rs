//! ZipNum: an index in gzip members of some lines each, and a second index with the key of the first line of
//! each member.
//!
//! The second index has the format of pywb and Common Crawl. It has key and time of the first line, then,
//! separated by tabs, the name of the file, the offset and the length of the member in it, and the number of
//! the member from 1. This is the only format that pywb reads from a folder, where it ignores the format of
//! WACZ.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

/// Writes the lines of a sorted index as members of `lines_each` lines.
#[derive(Debug)]
pub struct ZipNumWriter<B, I> {
    blocks: B,
    index: I,
    /// The name of the file of the members.
    part: String,
    lines_each: usize,
    block: Vec<u8>,
    lines: usize,
    /// The offset of the next member.
    offset: u64,
    number: u64,
}

impl<B: Write, I: Write> ZipNumWriter<B, I> {
    /// Writes members of `lines_each` lines to `blocks`, a file with the name `part`, and their index to
    /// `index`.
    pub fn new(blocks: B, index: I, part: String, lines_each: usize) -> Self {
        let lines_each = lines_each.max(1);
        ZipNumWriter { blocks, index, part, lines_each, block: Vec::new(), lines: 0, offset: 0, number: 0 }
    }

    /// Writes a line without its line end.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn push(&mut self, line: &str) -> io::Result<()> {
        self.block.extend_from_slice(line.as_bytes());
        self.block.push(b'\n');
        self.lines += 1;
        if self.lines == self.lines_each { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> io::Result<()> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&self.block)?;
        let member = encoder.finish()?;
        self.blocks.write_all(&member)?;
        let first = self.block.splitn(3, |&byte| byte == b' ').take(2).collect::<Vec<_>>().join(&b' ');
        self.number += 1;
        self.index.write_all(&first)?;
        writeln!(self.index, "\t{}\t{}\t{}\t{}", self.part, self.offset, member.len(), self.number)?;
        self.offset += member.len() as u64;
        self.block.clear();
        self.lines = 0;
        Ok(())
    }

    /// Writes the last member, and returns the two files.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn finish(mut self) -> io::Result<(B, I)> {
        if self.lines > 0 {
            self.write_block()?;
        }
        Ok((self.blocks, self.index))
    }
}
