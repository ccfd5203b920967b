//! Damaged archives: whether the index goes on behind the damage, and the ranges of bytes that are lost.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::Error;
use urlid_io::archives::cdxj::Lost;
use urlid_io::files::NewFile;

use crate::escape::Reversible;
use crate::exit::Failure;
use crate::refusals::{PRINTED, Refusal};
use crate::replace;
use crate::session::Session;

/// What is done about damage.
#[derive(Debug, Args)]
pub(super) struct RecoverArgs {
    /// After damage, go on at the next record that can be read; the ranges of bytes that are lost are reported, and the
    /// exit code is 4
    #[arg(long)]
    recover: bool,

    /// Write every lost range to this file: file, offset of the first byte, offset behind the last byte, code and message,
    /// tab-separated
    #[arg(long, value_name = "FILE", requires = "recover", hide_short_help = true)]
    lost: Option<PathBuf>,
}

impl RecoverArgs {
    /// Returns whether the index goes on behind damage.
    pub(super) fn is_on(&self) -> bool {
        self.recover
    }

    /// Returns the file of the lost ranges.
    pub(super) fn path(&self) -> Option<&Path> {
        self.lost.as_deref()
    }

    /// Begins to write the lost ranges. It is an error if they go to one of the files that are read.
    pub(super) fn begin(&self, in_use: &[PathBuf]) -> Result<LostRanges, Failure> {
        let Some(path) = &self.lost else { return Ok(LostRanges::default()) };
        replace::check_unread("--lost", path, in_use.iter().map(PathBuf::as_path))?;
        Ok(LostRanges { file: Some((path.clone(), BufWriter::new(replace::create(path)?))), count: 0 })
    }
}

/// The ranges that are lost: the first few are printed, and a file may take them all.
#[derive(Default)]
pub(super) struct LostRanges {
    file: Option<(PathBuf, BufWriter<NewFile>)>,
    count: u64,
}

impl LostRanges {
    /// Reports a range of an archive and the error at its start.
    pub(super) fn push(
        &mut self,
        archive: &Path,
        lost: Lost,
        error: Error,
        session: &mut Session,
    ) -> Result<(), Failure> {
        let Lost { start, end } = lost;
        let (code, refusal) = (error.code(), Refusal::from(error));
        self.count += 1;
        match self.count {
            ..=PRINTED => {
                let lost = format!(": {} bytes from {start} to {end} are lost", end - start);
                session.report_failed(archive, &refusal, &lost);
            }
            _ if self.count == PRINTED + 1 && self.file.is_none() => {
                session.report_failed(archive, &refusal, ": more is lost; --lost FILE has every range");
            }
            _ => {}
        }
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let archive = Reversible(archive.as_os_str().as_encoded_bytes());
        writeln!(file, "{archive}\t{start}\t{end}\t{code}\t{}", refusal.message())
            .map_err(|error| Failure::write(path, &error))
    }

    /// Ends the file.
    pub(super) fn publish(&mut self) -> Result<(), Failure> {
        let Some((path, file)) = self.file.take() else { return Ok(()) };
        let file = file.into_inner().map_err(|error| Failure::write(&path, &error.into_error()))?;
        file.publish().map_err(|error| Failure::write(&path, &error))
    }
}
