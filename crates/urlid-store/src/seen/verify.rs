//! Checks every page, every record and every file of a set.

use std::fs;
use std::path::Path;

use urlid::Error;

use crate::seen::error::{damaged, unread};
use crate::seen::file::{SeenFile, each_line};
use crate::seen::folder::{is_fixed, is_ours};
use crate::seen::key::Key;
use crate::seen::manifest::{MANIFEST, Manifest, Numbered};
use crate::seen::run::Run;

/// Damage: something that no writer writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(
    /// The damage and its place.
    pub Error,
);

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The keys that were read.
    pub keys: u64,
    /// The faults that were found.
    pub faults: Vec<Fault>,
}

impl SeenFile {
    /// Reads every file of a folder, even if the faults of some keep the set from being opened.
    ///
    /// # Errors
    /// If the description cannot be read.
    pub fn verify(folder: &Path) -> Result<Verified, Error> {
        match Self::open(folder) {
            Ok(file) => file.check(),
            Err(error) => {
                let manifest = Manifest::read(folder)?;
                let mut verified = Verified::default();
                let width = manifest.keys.width();
                for run in &manifest.runs {
                    let path = Numbered::Run.path(folder, run.number);
                    match Run::open(&path, width, run.keys, run.checksum) {
                        Ok(run) => check_run(&run, &mut verified),
                        Err(error) => verified.faults.push(Fault(error)),
                    }
                }
                let fault = Fault(error);
                // Opening may have failed because of a file that was checked above.
                if !verified.faults.contains(&fault) {
                    verified.faults.push(fault);
                }
                Ok(verified)
            }
        }
    }

    fn check(&self) -> Result<Verified, Error> {
        let mut verified = Verified { keys: self.state.recent_keys() as u64, faults: Vec::new() };
        self.state.runs().iter().for_each(|run| check_run(run, &mut verified));
        let folder = self.folder();
        let width = self.manifest.keys.width();
        if let Err(error) = each_line(folder, &self.logs, width, &self.pending, &mut |_| {}) {
            verified.faults.push(Fault(error));
        }
        verified.faults.extend(self.site_rules().err().map(Fault));
        let failed = |error| unread(folder, error);
        let (found, recorded) = (self.len(), self.manifest.count);
        // More are right: the log has grown since the description was written.
        if found < recorded {
            let what = format_args!("{found} keys of {recorded}");
            verified.faults.push(Fault(damaged(&folder.join(MANIFEST), what)));
        }
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Files with names of a writer are named by the description soon, or removed by the next writer.
            let is_known = entry.file_name().to_str().is_some_and(|name| is_fixed(name) || is_ours(name));
            if !is_known {
                verified.faults.push(Fault(damaged(&entry.path(), "a file that is not part of it")));
            }
        }
        Ok(verified)
    }
}

/// Checks the pages of a sorted file, their order, and that the filter lets every key pass.
fn check_run(run: &Run, verified: &mut Verified) {
    let mut last: Option<Key> = None;
    for page in 0..run.pages() {
        let (mut first, mut is_sorted, mut is_filtered) = (None, true, true);
        let read = run.each_of_page(page, |key| {
            first = first.or(Some(key));
            is_sorted &= last.is_none_or(|last| last < key);
            is_filtered &= run.may_have(&key);
            last = Some(key);
            verified.keys += 1;
        });
        let fault = match read {
            Err(error) => Some(error),
            Ok(_) if !is_sorted => {
                Some(damaged(run.path(), format_args!("keys out of order in page {page}")))
            }
            Ok(indexed) if first != Some(indexed) => {
                Some(damaged(run.path(), format_args!("a wrong first key of page {page}")))
            }
            Ok(_) if !is_filtered => {
                Some(damaged(run.path(), format_args!("a key of page {page} that its filter lacks")))
            }
            Ok(_) => None,
        };
        verified.faults.extend(fault.map(Fault));
    }
}
