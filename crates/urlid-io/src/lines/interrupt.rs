//! Interrupting a read that waits.

use std::fs::File;
use std::io;
use std::path::Path;

/// Ends reads that wait for a pipe, a socket or a terminal.
///
/// Clones share one state. After it is triggered, reads that wait, and later ones that would, return an
/// error. Regular files are read as before. On platforms other than Unix it does nothing.
#[derive(Clone, Debug)]
pub struct Interrupt(platform::Interrupt);

impl Interrupt {
    /// Makes an interrupt that is not triggered.
    ///
    /// # Errors
    /// If the system has no more descriptors.
    pub fn new() -> io::Result<Self> {
        platform::Interrupt::new().map(Interrupt)
    }

    /// Ends the reads, for good.
    pub fn trigger(&self) {
        self.0.trigger();
    }

    /// Waits until `file` can be read.
    pub(crate) fn wait_for_input(&self, file: &File) -> io::Result<()> {
        self.0.wait_for_input(file)
    }
}

/// Opens a file. Opening a FIFO does not wait for its writer.
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    platform::open_without_waiting(path)
}

#[cfg(unix)]
mod platform {
    use std::fs::{File, OpenOptions};
    use std::io::{self, PipeReader, PipeWriter};
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
    use std::path::Path;
    use std::sync::{Arc, Mutex, PoisonError};

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::fs::{OFlags, fcntl_setfl};
    use rustix::io::Errno;

    /// A pipe that is never written to. Closing its writing end makes its reading end ready, for good and for
    /// every `poll` on it.
    #[derive(Clone, Debug)]
    pub(super) struct Interrupt {
        reader: Arc<PipeReader>,
        writer: Arc<Mutex<Option<PipeWriter>>>,
    }

    impl Interrupt {
        pub(super) fn new() -> io::Result<Self> {
            let (reader, writer) = io::pipe()?;
            Ok(Interrupt { reader: Arc::new(reader), writer: Arc::new(Mutex::new(Some(writer))) })
        }

        pub(super) fn trigger(&self) {
            *self.writer.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }

        pub(super) fn wait_for_input(&self, file: &File) -> io::Result<()> {
            let mut polled = [PollFd::new(file, PollFlags::IN), PollFd::new(&*self.reader, PollFlags::IN)];
            loop {
                match poll(&mut polled, None) {
                    Err(Errno::INTR) => {}
                    // Where polling fails, reading reports why.
                    Err(_) => return Ok(()),
                    // The interrupt counts before input, so that a fast writer cannot delay it.
                    Ok(_) if !polled[1].revents().is_empty() => {
                        return Err(io::Error::other("reading was interrupted"));
                    }
                    Ok(_) => return Ok(()),
                }
            }
        }
    }

    pub(super) fn open_without_waiting(path: &Path) -> io::Result<File> {
        if !path.metadata()?.file_type().is_fifo() {
            return File::open(path);
        }
        let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)?;
        // Only opening must not wait. Reads wait in `poll`, which the interrupt ends.
        fcntl_setfl(&file, OFlags::empty())?;
        Ok(file)
    }
}

#[cfg(not(unix))]
mod platform {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    #[derive(Clone, Debug)]
    pub(super) struct Interrupt;

    impl Interrupt {
        pub(super) fn new() -> io::Result<Self> {
            Ok(Interrupt)
        }

        pub(super) fn trigger(&self) {}

        pub(super) fn wait_for_input(&self, _: &File) -> io::Result<()> {
            Ok(())
        }
    }

    pub(super) fn open_without_waiting(path: &Path) -> io::Result<File> {
        File::open(path)
    }
}
