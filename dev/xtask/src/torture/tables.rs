//! Experiment 29: Parquet files with false footers, pages and sizes, given to `urlid index add --column`.
//!
//! Each run has a small address space, so an allocation for a false size would end the program. The program
//! must end by itself, with an error or with rows.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

use super::child::output;
use super::crash::remove;
use super::program::{Bench, Outcome, orderly, show, text};

/// Kilobytes of address space, enough for an index and for a valid file.
const SPACE: u64 = 700_000;

pub(super) fn hostile(bench: &mut Bench) -> Result<Outcome, String> {
    let urls = bench.urls("urls", 3_000)?;
    let dataset = bench.path("dataset");
    bench.done([OsStr::new("build"), dataset.as_os_str(), urls.as_os_str(), "--ids".as_ref()])?;
    let good = std::fs::read(dataset.join("part-00000.parquet")).map_err(|e| e.to_string())?;
    let bad = bench.path("bad.parquet");
    let code = orderly(&add(bench, &good, &bad)?)?;
    if code != 0 {
        return Err(format!("the file that nobody changed: exit {code}"));
    }
    let (mut rejected, mut read) = (0, 0);
    for (name, bytes) in lies(&good) {
        let output = add(bench, &bytes, &bad)?;
        let is_named = text(&output.stderr).contains("ERR_TABLE: ");
        if orderly(&output)? != 4 || !is_named {
            return Err(format!("{name}: {}", show(&output)));
        }
        rejected += 1;
    }
    for _ in 0..bench.times(40, 2_000) {
        let mut bytes = good.clone();
        for _ in 0..1 + bench.random.below(3) {
            // Half of the changes are to the footer, where the sizes are.
            let len = bytes.len() as u64;
            let place = match bench.random.below(2) {
                0 => bench.random.below(len),
                _ => len - 1 - bench.random.below(len.min(3_000)),
            } as usize;
            bytes[place] = bench.random.below(256) as u8;
        }
        let output = add(bench, &bytes, &bad)?;
        match orderly(&output)? {
            4 if text(&output.stderr).contains(": ERR_") => rejected += 1,
            0 | 3 => read += 1,
            _ => return Err(show(&output)),
        }
    }
    Ok(Outcome::Seen(format!(
        "{rejected} files rejected by name, {read} read, in {} MB of address space",
        SPACE / 1_000
    )))
}

/// Files that declare data which they do not have.
fn lies(good: &[u8]) -> Vec<(String, Vec<u8>)> {
    let tail = good.len() - 8;
    let with_footer_len = |len: u32| {
        let mut bytes = good.to_vec();
        bytes[tail..tail + 4].copy_from_slice(&len.to_le_bytes());
        bytes
    };
    let footer = |bytes: &[u8]| {
        let len = (bytes.len() as u32).to_le_bytes();
        [&b"PAR1"[..], bytes, &len, b"PAR1"].concat()
    };
    // Thrift's compact protocol: 15 02 is the version, and 19 and 39 start the lists of the schema and,
    // without it, of row groups.
    let mut lies = vec![
        ("no footer".to_owned(), with_footer_len(0)),
        ("a footer of 4 GiB".to_owned(), with_footer_len(u32::MAX)),
        ("a footer one byte longer".to_owned(), with_footer_len(good.len() as u32 - 11)),
        ("2^31 row groups".to_owned(), footer(&[0x15, 2, 0x39, 0xfc, 0xff, 0xff, 0xff, 0xff, 7, 0])),
        ("2^31 schema elements".to_owned(), footer(&[0x15, 2, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7, 0])),
        ("a text of 2^62 bytes".to_owned(), footer(&[&[0x15, 2, 0x58][..], &[0xff; 8], &[0x3f, 0]].concat())),
        ("structures without end".to_owned(), footer(&[0x1c; 1 << 20])),
    ];
    lies.extend(
        [0, 4, 11, 12, 100, good.len() / 2, tail, good.len() - 1]
            .map(|len| (format!("cut to {len}"), good[..len].to_vec())),
    );
    lies
}

fn add(bench: &Bench, bytes: &[u8], file: &Path) -> Result<Output, String> {
    let index = bench.path("index");
    remove(&index)?;
    std::fs::write(file, bytes).map_err(|e| e.to_string())?;
    let script = format!("ulimit -v {SPACE}; exec \"$0\" index add \"$1\" \"$2\" --column url --memory 16M");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(&bench.urlid).arg(&index).arg(file);
    output(&mut command)
}
