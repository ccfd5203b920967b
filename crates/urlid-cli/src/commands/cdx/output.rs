//! Where the lines of an index go: standard output, a file, or the three files of a ZipNum index.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_archives::cdxj::ZipNumWriter;
use urlid_io::files::{NewFile, directory_of};
use urlid_store::sort::LineSorter;

use crate::input::line_run::LineRun;
use crate::input::parse_memory;
use crate::output::Output;
use crate::output::files::{self, FilesInUse};
use crate::output::progress::Progress;
use crate::report::exit::Failure;
use crate::report::signals;

/// How an index is written.
#[derive(Debug, Args)]
pub(crate) struct IndexOutput {
    /// The file to write; it appears when it is complete. Without it, the index is printed
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write a ZipNum index: gzip blocks of this many lines to FILE.gz, and their index beside it as .idx and
    /// .loc
    #[arg(long, value_name = "LINES", requires = "out", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    zipnum: Option<u32>,

    /// The memory for sorting, up to that of the machine; the suffixes K, M and G are powers of 1024
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    memory: usize,
}

/// The files of a ZipNum index.
struct ZipNumPaths {
    blocks: PathBuf,
    index: PathBuf,
    locations: PathBuf,
}

impl ZipNumPaths {
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
        ZipNumPaths { blocks: blocks.into(), index: beside(".idx"), locations: beside(".loc") }
    }
}

impl IndexOutput {
    /// Returns a sorter of the lines.
    pub(crate) fn sorter(&self) -> LineSorter {
        LineSorter::new(self.directory(), self.memory)
    }

    /// Returns the directory for files of the sort.
    fn directory(&self) -> PathBuf {
        self.out.as_deref().map_or_else(std::env::temp_dir, |path| directory_of(path).to_owned())
    }

    /// Returns the paths of the files that are written.
    fn paths(&self) -> Vec<PathBuf> {
        match (&self.out, self.zipnum) {
            (Some(path), Some(_)) => {
                let ZipNumPaths { blocks, index, locations } = ZipNumPaths::new(path);
                vec![blocks, index, locations]
            }
            (path, _) => path.iter().cloned().collect(),
        }
    }

    /// Adds the files that are written.
    pub(crate) fn add_to(&self, files: &mut FilesInUse) -> Result<(), Failure> {
        self.paths().iter().try_for_each(|path| files.write("--out", Some(path)))
    }

    /// Returns the failure of a sort, which names the directory of its temporary file.
    pub(crate) fn sort_failure(&self, error: &io::Error) -> Failure {
        Failure::write(&self.directory(), error)
    }

    /// Writes the header, if there is one, and the sorted lines; returns how many lines there are.
    pub(crate) fn write(
        &self,
        header: Option<&str>,
        sorter: LineSorter,
        run: &mut LineRun,
    ) -> Result<u64, Failure> {
        if self.paths().iter().any(|path| run.keeps(path)) {
            return Ok(0);
        }
        let mut target = match (&self.out, self.zipnum) {
            (None, _) => Target::Printed(&mut run.out),
            (Some(path), None) => Target::File(path, create(path)?),
            (Some(path), Some(lines)) => Target::zipnum(path, lines)?,
        };
        if let Some(header) = header {
            target.push(header)?;
        }
        // Lines that are printed on a terminal would appear between two states of the bar.
        let progress =
            if self.out.is_some() { Progress::work("writing the index") } else { Progress::hidden() };
        let mut lines = sorter.finish().map_err(|error| self.sort_failure(&error))?;
        let mut count = 0;
        while let Some(line) = lines.next_line().map_err(|error| self.sort_failure(&error))? {
            if signals::is_stopping() {
                return Err(Failure::Stopped);
            }
            target.push(line)?;
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
    ZipNum { paths: ZipNumPaths, writer: Box<ZipNumWriter<File, File>> },
}

impl Target<'_> {
    fn zipnum(path: &Path, lines: u32) -> Result<Self, Failure> {
        let paths = ZipNumPaths::new(path);
        // The name of the blocks is a field of the lines of the index and of the locations, which are texts
        // that tabs separate.
        let part = paths.blocks.file_name().unwrap_or_default().to_str();
        let Some(part) = part.filter(|part| !part.contains(['\t', '\n'])).map(str::to_owned) else {
            return Err(Failure::usage(
                "--out: expected a name in UTF-8 without a tab and without a line end",
            ));
        };
        let (blocks, index) = (create(&paths.blocks)?, create(&paths.index)?);
        Ok(Target::ZipNum { paths, writer: Box::new(ZipNumWriter::new(blocks, index, part, lines as usize)) })
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
            Target::ZipNum { paths, writer } => {
                writer.push(line).map_err(|error| Failure::write(&paths.blocks, &error))
            }
        }
    }

    /// Publishes the files. The index comes last, so that the blocks and the locations exist for those who
    /// find it.
    fn publish(self) -> Result<(), Failure> {
        match self {
            Target::Printed(out) => out.flush(),
            Target::File(path, file) => publish(path, file),
            Target::ZipNum { paths, writer } => {
                let ZipNumPaths { blocks, index, locations } = paths;
                let (block_file, index_file) =
                    writer.finish().map_err(|error| Failure::write(&blocks, &error))?;
                let mut location_file = create(&locations)?;
                let name = blocks.file_name().unwrap_or_default().to_string_lossy();
                // The name that the index has for the blocks, and their path: they are beside it.
                writeln!(location_file, "{name}\t{name}")
                    .map_err(|error| Failure::write(&locations, &error))?;
                publish(&blocks, block_file)?;
                publish(&locations, location_file)?;
                publish(&index, index_file)
            }
        }
    }
}

fn create(path: &Path) -> Result<File, Failure> {
    Ok(BufWriter::with_capacity(256 << 10, files::create(path)?))
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
            let ZipNumPaths { blocks, index, locations } = ZipNumPaths::new(Path::new(output));
            assert_eq!([blocks, index, locations], expected.map(PathBuf::from));
        }
    }
}
