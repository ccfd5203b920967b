//! A WACZ file as lines: those of the files of one part, one after the other.

use std::sync::Arc;

use urlid::Error;

use crate::error;
use crate::lines::archive::WarcLines;
use crate::lines::decode::decoded;
use crate::lines::recovered::{OnLoss, Recovered};
use crate::lines::stream::{ByteStream, ReaderStream};
use urlid_archives::{Range, Records, Wacz, WaczEntry, WaczPart};

/// The lines of a WACZ file.
pub(crate) struct WaczLines {
    /// The file before the first read.
    closed: Option<Range>,
    wacz: Option<Wacz>,
    records: Records,
    /// Takes what is lost of damaged archives, if reading continues after damage.
    on_loss: Option<OnLoss>,
    entries: std::vec::IntoIter<WaczEntry>,
    current: Option<Box<dyn ByteStream>>,
    /// Whether the bytes until now end with a whole line.
    is_at_line: bool,
    /// The first error of an entry, which is returned after the other entries.
    failed: Option<Error>,
}

impl WaczLines {
    /// Reads a WACZ file.
    pub(crate) fn new(file: Range, records: Records) -> Self {
        let closed = Some(file);
        let entries = Vec::new().into_iter();
        WaczLines {
            closed,
            wacz: None,
            records,
            on_loss: None,
            entries,
            current: None,
            is_at_line: true,
            failed: None,
        }
    }

    /// Continues after damage of the archives.
    pub(crate) fn recovered(self, on_loss: Option<OnLoss>) -> Self {
        WaczLines { on_loss, ..self }
    }

    fn open(&mut self) -> Result<(), Error> {
        let Some(file) = self.closed.take() else { return Ok(()) };
        let mut wacz = Wacz::open(file)?;
        self.entries = wacz.entries(self.records.part())?.into_iter();
        self.wacz = Some(wacz);
        Ok(())
    }

    /// Opens the next file of the part and returns whether there is one.
    fn next_entry(&mut self) -> Result<bool, Error> {
        let (Some(wacz), Some(entry)) = (&self.wacz, self.entries.next()) else { return Ok(false) };
        let (content, part) = (wacz.content(&entry), self.records.part());
        // In a compressed entry no later place can be found.
        if let Some(on_loss) = self.on_loss.clone().filter(|_| part == WaczPart::Archive && entry.is_plain())
        {
            let source = Recovered::new(content, Some(entry.name), on_loss).map_err(error::read)?;
            self.current = Some(Box::new(WarcLines::of(source, self.records)));
            return Ok(true);
        }
        // Without a count of its own: the range of the whole file counts these bytes.
        let (stream, _) = decoded(Box::new(ReaderStream(content)), Arc::default())?;
        self.current = Some(match part {
            WaczPart::Archive => Box::new(WarcLines::new(stream, self.records)),
            WaczPart::Indexes | WaczPart::Pages => stream,
        });
        Ok(true)
    }
}

impl ByteStream for WaczLines {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        if room.is_empty() {
            return Ok(0);
        }
        self.open()?;
        loop {
            let Some(stream) = &mut self.current else {
                match self.next_entry() {
                    Ok(true) => {}
                    Ok(false) => return self.failed.take().map_or(Ok(0), Err),
                    Err(error) => self.failed = self.failed.take().or(Some(error)),
                }
                continue;
            };
            match stream.read(room) {
                Ok(0) => self.current = None,
                Ok(n) => {
                    self.is_at_line = room[n - 1] == b'\n';
                    return Ok(n);
                }
                Err(error) => {
                    self.current = None;
                    self.failed = self.failed.take().or(Some(error));
                }
            }
            if !self.is_at_line {
                // The next file begins a line of its own.
                self.is_at_line = true;
                room[0] = b'\n';
                return Ok(1);
            }
        }
    }

    fn is_ready(&mut self) -> bool {
        self.current.as_mut().is_none_or(|stream| stream.is_ready())
    }
}
