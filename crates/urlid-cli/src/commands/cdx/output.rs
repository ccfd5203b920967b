//! The output of index lines: standard output, a file, or the three files of a ZipNum index.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_archives::cdxj::{IndexLayout, ZipNumWriter};
use urlid_io::files::{Existing, NewFile, directory_of};
use urlid_store::sort::LineSorter;

use super::extend::{self, Expected, OldIndex};
use crate::input::line_run::LineRun;
use crate::input::parse_memory;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::progress::Progress;
use crate::report::exit::Failure;
use crate::report::signals;

/// How an index is written.
#[derive(Debug, Args)]
pub(crate) struct IndexOutput {
    /// Write the index to this file instead of standard output
    ///
    /// The file appears when it is complete.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace an existing index of this name
    #[arg(long, requires = "out")]
    replace: bool,

    /// Write a ZipNum index with gzip blocks of this many lines
    ///
    /// The blocks are in FILE.gz, and their index is next to it as .idx and .loc.
    #[arg(long, value_name = "LINES", requires = "out", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    zipnum: Option<u32>,

    /// Use at most this much memory for sorting
    ///
    /// K, M and G are powers of 1024. The machine's memory is the maximum.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    memory: usize,
}

/// The files of a ZipNum index.
struct ZipNumPaths {
    blocks: PathBuf,
    index: PathBuf,
    locations: PathBuf,
    /// The blocks that the new ones replace, if an index is extended.
    old_blocks: Option<PathBuf>,
}

impl ZipNumPaths {
    /// Gives the new blocks a name that differs from the name of the present ones: in turn `a.cdxj.gz` and
    /// `a-2.cdxj.gz`. Then only one file, the index, is replaced when all is complete.
    fn extending(mut self) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::read(&self.index, &error);
        let index = match fs::File::open(&self.index) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(self),
            index => BufReader::new(index.map_err(failed)?),
        };
        let mut parts = BTreeSet::new();
        for line in index.split(b'\n') {
            let line = line.map_err(failed)?;
            parts.insert(line.split(|byte| *byte == b'\t').nth(1).unwrap_or_default().to_owned());
        }
        let name = self.blocks.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (base, end) = name.split_once('.').unwrap_or((&name, "gz"));
        let other = format!("{base}-2.{end}");
        let parts: Vec<_> = parts.into_iter().collect();
        let (old, new) = match parts.as_slice() {
            [] => return Ok(self),
            [part] if *part == name.as_bytes() => (name, other),
            [part] if *part == other.as_bytes() => (other, name),
            _ => {
                let index = Escaped::path(&self.index);
                return Err(Failure::usage(format!("{index}: expected an index whose blocks are in {name}")));
            }
        };
        self.old_blocks = Some(self.blocks.with_file_name(old));
        self.blocks.set_file_name(new);
        Ok(self)
    }

    /// Returns `a.cdxj.gz`, `a.idx` and `a.loc` for `a.cdxj` and for `a.cdxj.gz`.
    fn new(output: &Path) -> Self {
        let plain = if output.extension().is_some_and(|end| end == "gz") {
            output.with_extension("")
        } else {
            output.to_owned()
        };
        let mut blocks = plain.clone().into_os_string();
        blocks.push(".gz");
        let is_index = plain.extension().is_some_and(|end| end == "cdxj" || end == "cdx");
        let base = if is_index { plain.with_extension("") } else { plain };
        let beside = |end: &str| {
            let mut name = base.clone().into_os_string();
            name.push(end);
            PathBuf::from(name)
        };
        let (index, locations) = (beside(".idx"), beside(".loc"));
        ZipNumPaths { blocks: blocks.into(), index, locations, old_blocks: None }
    }
}

impl IndexOutput {
    /// Returns a sorter of the lines.
    pub(crate) fn sorter(&self) -> LineSorter {
        LineSorter::new(self.directory(), self.memory)
    }

    /// Returns whether a ZipNum index is written.
    pub(super) fn is_zipnum(&self) -> bool {
        self.zipnum.is_some()
    }

    /// Returns the directory for files of the sort.
    fn directory(&self) -> PathBuf {
        self.out.as_deref().map_or_else(std::env::temp_dir, |path| directory_of(path).to_owned())
    }

    /// Returns the paths of the files that are written.
    fn paths(&self) -> Vec<PathBuf> {
        match (&self.out, self.zipnum) {
            (Some(path), Some(_)) => {
                let ZipNumPaths { blocks, index, locations, .. } = ZipNumPaths::new(path);
                vec![blocks, index, locations]
            }
            (path, _) => path.iter().cloned().collect(),
        }
    }

    /// Adds the files that are written.
    pub(crate) fn add_to(&self, files: &mut FilesInUse) -> Result<(), Failure> {
        self.paths().iter().try_for_each(|path| files.write("--out", Some(path)))
    }

    /// Returns an error if the index exists and must not be replaced, because it may be the work of many
    /// runs. `ways` names the alternatives. Called after the check that the outputs are not inputs, which has
    /// a different message.
    pub(super) fn check_new(&self, ways: &str) -> Result<(), Failure> {
        match self.paths().iter().find(|path| !self.replace && is_filled(path)) {
            Some(path) => Err(Failure::usage(format!(
                "--out {}: the file exists: {ways}--replace replaces it",
                Escaped::path(path)
            ))),
            None => Ok(()),
        }
    }

    /// Adds the files that are written if an existing index is extended.
    pub(super) fn extend(&self, files: &mut FilesInUse, layout: IndexLayout) -> Result<(), Failure> {
        let Some(path) = &self.out else { return Ok(()) };
        let zipnum = ZipNumPaths::new(path);
        let written = if self.zipnum.is_some() { &zipnum.index } else { path };
        let failure = match (self.zipnum, is_filled(path), is_filled(&zipnum.index)) {
            (None, false, true) => (&zipnum.index, "--zipnum LINES adds to a ZipNum index"),
            (Some(_), true, false) if *path != zipnum.blocks => {
                (path, "without --zipnum, lines are added to it")
            }
            _ => {
                files.write("--out", Some(written))?;
                // Opened before the archives are read, so that an index of a different kind is found early.
                let lines =
                    if self.zipnum.is_some() { zipnum.extending()?.old_blocks } else { Some(path.clone()) };
                let lines = lines.filter(|path| is_filled(path));
                return lines.map_or(Ok(()), |path| extend::recognised(&path, layout).map(drop));
            }
        };
        let (path, way) = failure;
        Err(Failure::usage(format!("{}: the file exists: {way}", Escaped::path(path))))
    }

    /// Returns the failure of a sort, which names the directory of its temporary file.
    pub(crate) fn sort_failure(&self, error: &io::Error) -> Failure {
        Failure::write(&self.directory(), error)
    }

    /// Writes the optional header and the sorted lines, merged with the lines of the existing index if that
    /// is extended. `show` returns the written form of a new line. Returns the number of lines.
    pub(crate) fn write(
        &self,
        header: Option<&str>,
        sorter: LineSorter,
        extended: Option<Expected<'_>>,
        show: fn(&str) -> Cow<'_, str>,
        run: &mut LineRun,
    ) -> Result<u64, Failure> {
        if self.paths().iter().any(|path| run.keeps(path)) {
            return Ok(0);
        }
        let (mut target, mut old) = match (&self.out, self.zipnum) {
            (None, _) => (Target::Printed(&mut run.out), None),
            (Some(path), None) => {
                let old = extended.map(|expected| OldIndex::open(path, expected)).transpose()?.flatten();
                // If the index to extend is missing, a different program may make one in the meantime, which
                // is kept.
                (Target::File(path, create(path, self.replace || old.is_some())?), old)
            }
            (Some(path), Some(lines)) => {
                let new = ZipNumPaths::new(path);
                // The lock is taken first, because its holder may change the name of the blocks.
                let lock = extended.map(|_| extend::lock(&new.index)).transpose();
                let lock = lock.map_err(|error| Failure::write(&new.index, &error))?.flatten();
                let new = if lock.is_some() { new.extending()? } else { new };
                let old = match (lock, &new.old_blocks, extended) {
                    (Some(lock), Some(blocks), Some(expected)) => {
                        Some(OldIndex::locked(blocks, lock, expected)?)
                    }
                    _ => None,
                };
                (Target::zipnum(new, lines, self.replace || old.is_some())?, old)
            }
        };
        if let Some(header) = header {
            target.push(header)?;
        }
        // Lines that are printed on a terminal would appear between two states of the bar.
        let progress =
            if self.out.is_some() { Progress::work("writing the index") } else { Progress::hidden() };
        let mut lines = sorter.finish().map_err(|error| self.sort_failure(&error))?;
        let mut count = 0;
        loop {
            if signals::is_stopping() {
                return Err(Failure::Stopped);
            }
            let line = lines.next_line().map_err(|error| self.sort_failure(&error))?;
            // The lines of the extended index come first, and a line that both have is written once.
            while let Some(before) = old.as_ref().and_then(|old| old.line_up_to(line)) {
                if line != Some(before) {
                    target.push(before)?;
                    count += 1;
                }
                old.as_mut().map_or(Ok(()), OldIndex::advance)?;
            }
            let Some(line) = line else { break };
            target.push(&show(line))?;
            count += 1;
        }
        target.publish()?;
        progress.finish();
        Ok(count)
    }
}

type File = BufWriter<NewFile>;

/// The target of the lines.
enum Target<'a> {
    Printed(&'a mut Output),
    File(&'a Path, File),
    ZipNum { paths: ZipNumPaths, writer: Box<ZipNumWriter<File, File>>, locations: File },
}

impl Target<'_> {
    fn zipnum(paths: ZipNumPaths, lines: u32, may_replace: bool) -> Result<Self, Failure> {
        // The name of the blocks is a field of the lines of the index and of the locations, which are texts
        // that tabs separate.
        let part = paths.blocks.file_name().unwrap_or_default().to_str();
        let Some(part) = part.filter(|part| !part.contains(['\t', '\n'])).map(str::to_owned) else {
            return Err(Failure::usage(
                "--out: expected a name in UTF-8 without a tab and without a line end",
            ));
        };
        let new = |path: &Path| create(path, may_replace);
        let (blocks, index, locations) = (new(&paths.blocks)?, new(&paths.index)?, new(&paths.locations)?);
        let writer = Box::new(ZipNumWriter::new(blocks, index, part, lines as usize));
        Ok(Target::ZipNum { paths, writer, locations })
    }

    fn push(&mut self, line: &str) -> Result<(), Failure> {
        match self {
            Target::Printed(out) => {
                out.write(line.as_bytes())?;
                out.write(b"\n")
            }
            Target::File(path, file) => {
                writeln!(file, "{line}").map_err(|error| Failure::write(path, &error))
            }
            Target::ZipNum { paths, writer, .. } => {
                writer.push(line).map_err(|error| Failure::write(&paths.blocks, &error))
            }
        }
    }

    /// Publishes the files. The index comes last, so that everyone who finds it also finds the blocks and the
    /// locations.
    fn publish(self) -> Result<(), Failure> {
        match self {
            Target::Printed(out) => out.flush(),
            Target::File(path, file) => publish(path, file),
            Target::ZipNum { paths, writer, locations: mut location_file } => {
                let ZipNumPaths { blocks, index, locations, old_blocks } = paths;
                let (block_file, index_file) =
                    writer.finish().map_err(|error| Failure::write(&blocks, &error))?;
                // The names of the blocks in the index, and their paths next to it. The index has the old
                // name until it is replaced.
                for blocks in [Some(&blocks), old_blocks.as_ref()].into_iter().flatten() {
                    let name = blocks.file_name().unwrap_or_default().to_string_lossy();
                    writeln!(location_file, "{name}\t{name}")
                        .map_err(|error| Failure::write(&locations, &error))?;
                }
                publish(&blocks, block_file)?;
                publish(&locations, location_file)?;
                publish(&index, index_file)?;
                // A reader that has the old index open may still need its blocks, but every other one has the
                // new ones.
                old_blocks
                    .map_or(Ok(()), |old| fs::remove_file(&old).map_err(|error| Failure::write(&old, &error)))
            }
        }
    }
}

/// Makes a file of an index. One that has the name is replaced only if that was chosen, or if it is empty.
fn create(path: &Path, may_replace: bool) -> Result<File, Failure> {
    let is_empty = || path.metadata().is_ok_and(|data| data.is_file() && data.len() == 0);
    let existing = if may_replace || is_empty() { Existing::Replace } else { Existing::Keep };
    let file = NewFile::create(path, existing).map_err(|error| Failure::write(path, &error))?;
    Ok(BufWriter::with_capacity(256 << 10, file))
}

/// Returns whether a path names a file with contents. An empty file, as made by `mktemp`, may be overwritten.
fn is_filled(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.len() > 0)
}

fn publish(path: &Path, file: File) -> Result<(), Failure> {
    let file = file.into_inner().map_err(io::IntoInnerError::into_error);
    file.and_then(NewFile::publish).map_err(|error| Failure::write(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_zipnum_index_are_named_after_the_output() {
        for (output, expected) in [
            ("d/a.cdxj", ["d/a.cdxj.gz", "d/a.idx", "d/a.loc"]),
            ("d/a.cdxj.gz", ["d/a.cdxj.gz", "d/a.idx", "d/a.loc"]),
            ("cdx-00000.gz", ["cdx-00000.gz", "cdx-00000.idx", "cdx-00000.loc"]),
            ("a.b", ["a.b.gz", "a.b.idx", "a.b.loc"]),
        ] {
            let ZipNumPaths { blocks, index, locations, .. } = ZipNumPaths::new(Path::new(output));
            assert_eq!([blocks, index, locations], expected.map(PathBuf::from));
        }
    }
}
