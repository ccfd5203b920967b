//! Damaged archives: whether reading continues after the damage, and the ranges of bytes that are lost.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::Args;
use urlid::Error;
use urlid_archives::Lost;
use urlid_io::files::NewFile;
use urlid_io::lines::{Input, Loss};

use crate::output::escape::Reversible;
use crate::output::files::{self, FilesInUse};
use crate::output::progress::Progress;
use crate::report::exit::Failure;
use crate::report::message;
use crate::report::rejections::{PRINTED, Rejection, print_failed};

/// What is done about damage.
#[derive(Clone, Debug, Args)]
pub(crate) struct RecoverArgs {
    /// Continue after damage in a WARC, ARC or WACZ file, at the next readable record
    ///
    /// The lost ranges of bytes are reported, and the exit code is 4.
    #[arg(long, hide_short_help = true)]
    recover: bool,

    /// Write lost ranges to this file
    ///
    /// Each row has the file, the start offset, the end offset (exclusive), the code and the message,
    /// tab-separated.
    #[arg(long, value_name = "FILE", requires = "recover", hide_short_help = true)]
    lost: Option<PathBuf>,
}

impl RecoverArgs {
    /// Returns whether reading continues after damage.
    pub(crate) fn is_given(&self) -> bool {
        self.recover
    }

    /// Starts to collect the lost ranges, if reading continues after damage.
    pub(crate) fn begin(
        &self,
        files: &mut FilesInUse,
        progress: &Progress,
    ) -> Result<Option<LostRanges>, Failure> {
        if !self.recover {
            return Ok(None);
        }
        files.write("--lost", self.lost.as_deref())?;
        let file = match &self.lost {
            None => None,
            Some(path) => Some((path.clone(), BufWriter::new(files::create(path)?))),
        };
        let state = LostFile { file, failed: None, count: 0, progress: progress.clone() };
        Ok(Some(LostRanges(Arc::new(Mutex::new(state)))))
    }
}

/// The lost ranges. The first few are printed, and a file may receive all of them.
///
/// Clones share them, because the reading thread finds them.
#[derive(Clone)]
pub(crate) struct LostRanges(Arc<Mutex<LostFile>>);

struct LostFile {
    file: Option<(PathBuf, BufWriter<NewFile>)>,
    /// The error of the file, after which it is no longer written.
    failed: Option<io::Error>,
    count: u64,
    progress: Progress,
}

impl LostRanges {
    fn state(&self) -> MutexGuard<'_, LostFile> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether there are any.
    pub(crate) fn are_any(&self) -> bool {
        self.state().count > 0
    }

    /// Reads on behind damage of an input with this name.
    pub(crate) fn collect(&self, input: &mut Input, name: &Path) {
        let (lost, name) = (self.clone(), name.to_owned());
        input.recover(move |Loss { entry, range, error }| {
            let inner = entry.map(|entry| name.join(entry));
            lost.push(inner.as_deref().unwrap_or(&name), range, error);
        });
    }

    /// Reports a range of an archive and the error at its start.
    pub(crate) fn push(&self, archive: &Path, lost: Lost, error: Error) {
        self.state().push(archive, lost, error);
    }

    /// Ends the file.
    pub(crate) fn publish(&self) -> Result<(), Failure> {
        let mut state = self.state();
        // Moved out, because the run publishes once more after a command that needs the file earlier.
        let Some((path, file)) = state.file.take() else { return Ok(()) };
        let file = match state.failed.take() {
            Some(error) => Err(error),
            None => file.into_inner().map_err(io::IntoInnerError::into_error),
        };
        file.and_then(NewFile::publish).map_err(|error| Failure::write(&path, &error))
    }
}

impl LostFile {
    fn push(&mut self, archive: &Path, Lost { start, end }: Lost, error: Error) {
        let (code, rejection) = (error.code(), Rejection::from(error));
        self.count += 1;
        match self.count {
            ..=PRINTED => {
                let lost = format!(": {} from {start} to {end} lost", message::count(end - start, "byte"));
                print_failed(&self.progress, archive, &rejection, &lost);
            }
            // Printed once. With --lost the file has the others.
            _ if self.count == PRINTED + 1 && self.file.is_none() => {
                let more = ": more is lost; --lost FILE has every range";
                print_failed(&self.progress, archive, &rejection, more);
            }
            _ => {}
        }
        let Some((_, file)) = self.file.as_mut().filter(|_| self.failed.is_none()) else { return };
        let archive = Reversible(archive.as_os_str().as_encoded_bytes());
        // The callback that receives the ranges cannot return an error, so `publish` returns it later.
        self.failed = writeln!(file, "{archive}\t{start}\t{end}\t{code}\t{}", rejection.message()).err();
    }
}
