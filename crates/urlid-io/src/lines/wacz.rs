//! A WACZ file as lines: the files of one part, one after the other.

use std::sync::Arc;

use urlid::Error;

use crate::error;
use crate::lines::archive::{Archive, IndexLines, WarcLines};
use crate::lines::decode::decoded;
use crate::lines::options::LineOptions;
use crate::lines::recovered::{OnLoss, Recovered};
use crate::lines::stream::ReaderStream;
use urlid_archives::{Range, Records, Wacz, WaczEntry, WaczPart};

/// The lines of a WACZ file, file by file.
pub(crate) struct WaczLines {
    /// The file before the first read.
    closed: Option<Range>,
    wacz: Option<Wacz>,
    records: Records,
    /// Receives the lost ranges of damaged archives, if reading continues after damage.
    on_loss: Option<OnLoss>,
    entries: std::vec::IntoIter<WaczEntry>,
}

impl WaczLines {
    /// Reads a WACZ file.
    pub(crate) fn new(file: Range, records: Records) -> Self {
        let closed = Some(file);
        let entries = Vec::new().into_iter();
        WaczLines { closed, wacz: None, records, on_loss: None, entries }
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

    /// Opens the next file of the part and returns its lines, or `None` after the last one.
    ///
    /// # Errors
    /// If the WACZ file or the next file in it cannot be opened. The others can still be read.
    pub(crate) fn next_file(&mut self, options: LineOptions) -> Result<Option<Archive>, Error> {
        self.open()?;
        let (Some(wacz), Some(entry)) = (&self.wacz, self.entries.next()) else { return Ok(None) };
        let (content, part) = (wacz.content(&entry), self.records.part());
        let records = |lines| Archive::Records(Box::new(lines), IndexLines::No);
        // In a compressed entry, reading cannot continue at a later offset.
        if let Some(on_loss) = self.on_loss.clone().filter(|_| part == WaczPart::Archive && entry.is_plain())
        {
            let source = Recovered::new(content, Some(entry.name), on_loss).map_err(error::read)?;
            return Ok(Some(records(WarcLines::of(source, self.records))));
        }
        // The content has its own unused counter, because the range of the whole file counts these bytes.
        let (stream, _) = decoded(Box::new(ReaderStream(content)), Arc::default())?;
        Ok(Some(match part {
            WaczPart::Archive => records(WarcLines::new(stream, self.records)),
            WaczPart::Indexes | WaczPart::Pages => Archive::new(stream, options),
        }))
    }
}
