//! Lookups of one URL, and of many at once.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::question::{StoredUrl, UrlLookup};
use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_canonical::Form;

use super::Dataset;
use super::folder::DatasetFolder;
use super::part::PageNumber;
use super::scan::all_of;
use crate::dataset::error::EMPTY_FORM;
use crate::dataset::key::key_of;

/// Texts that one thread parses at a time.
const BATCH_URLS: usize = 1_024;

/// A URL that is looked up.
pub(super) struct WantedUrl {
    key: Vec<u8>,
    text: String,
    /// Whether it was found, or the error of a page that can hold it.
    found: Result<bool, Error>,
}

impl WantedUrl {
    fn new(url: &StoredUrl<'_>) -> Self {
        let text = url.to_text();
        Self { key: key_of(url, &text), text, found: Ok(false) }
    }
}

/// Converts a text to a canonical form, and passes its stored text to `then`.
fn read<T>(
    text: &str,
    form: Option<&Form>,
    list: &SuffixList,
    then: impl FnOnce(&StoredUrl<'_>) -> T,
) -> Result<T, Error> {
    let canonical = form.map(|form| form.canonicalize(text)).transpose()?;
    // Builders reject such lines, so the result is the same error instead of "not stored".
    if canonical.as_ref().is_some_and(String::is_empty) {
        return Err(EMPTY_FORM.error());
    }
    StoredUrl::read(canonical.as_deref().unwrap_or(text), list, |url, _| then(url))
}

impl Dataset {
    /// Looks up one URL, converted to the canonical form of the datasets. `form` is needed if that form
    /// contains a list that is not part of the library.
    ///
    /// # Errors
    /// If the text is not an absolute URL or has no canonical form, or if rows cannot be read.
    pub fn get_url(&self, url: &str, form: Option<&Form>) -> Result<UrlLookup, Error> {
        let form = self.form(form)?;
        let read = read(url, form.as_ref(), self.list(), |url| (url.id(), [WantedUrl::new(url)]));
        let (id, mut wanted) = read?;
        self.folders.iter().for_each(|folder| folder.look_up(&mut wanted, self.threads));
        let [WantedUrl { text, found, .. }] = wanted;
        Ok(UrlLookup { id, url: text, is_stored: found?, others: 0 })
    }

    /// Looks up many URLs like [`get_url`](Self::get_url), and returns for each whether it is stored. Each
    /// page that can hold some of them is read once, on all cores.
    ///
    /// # Errors
    /// If a list that the form contains is missing. An error of one URL, or of the rows where it would be, is
    /// returned as the result of that URL only.
    pub fn are_stored(&self, urls: &[&str], form: Option<&Form>) -> Result<Vec<Result<bool, Error>>, Error> {
        let form = self.form(form)?;
        let pieces: Vec<&[&str]> = urls.chunks(BATCH_URLS).collect();
        let parse = |texts: &&[&str]| -> Vec<Result<WantedUrl, Error>> {
            texts.iter().map(|text| read(text, form.as_ref(), self.list(), WantedUrl::new)).collect()
        };
        let mut wanted = Vec::with_capacity(urls.len());
        let mut numbers = Vec::with_capacity(urls.len());
        for result in all_of(self.threads, &pieces, &parse).into_iter().flatten() {
            numbers.push(result.map(|one| {
                wanted.push(one);
                wanted.len() - 1
            }));
        }
        self.folders.iter().for_each(|folder| folder.look_up(&mut wanted, self.threads));
        let found = |number: usize| wanted[number].found.clone();
        Ok(numbers.into_iter().map(|number| number.and_then(found)).collect())
    }
}

impl DatasetFolder {
    /// Marks the URLs that are in this folder. Each page that can hold some of them is read once.
    fn look_up(&self, wanted: &mut [WantedUrl], threads: NonZeroUsize) {
        let mut places: Vec<(PageNumber, usize)> = Vec::new();
        for (number, one) in wanted.iter_mut().enumerate() {
            // A different folder has the URL, so damage in this one does not change the answer.
            if one.found == Ok(true) {
                continue;
            }
            // This is the least key after `one.key`, so the range contains only `one.key`.
            let behind = [&one.key[..], &[0]].concat();
            let (pages, damage) = self.pages_between(&one.key, Some(&behind));
            places.extend(pages.into_iter().map(|page| (page, number)));
            if let Some(error) = damage {
                one.found = Err(error);
            }
        }
        // The order by page lets each page be read once for all texts that it can hold.
        places.sort_unstable();
        let pages: Vec<_> = places.chunk_by(|a, b| a.0 == b.0).collect();
        let results = all_of(threads, &pages, &|places| self.look_up_in_page(places, wanted));
        for (places, result) in pages.iter().zip(results) {
            match result {
                Ok(found) => found.into_iter().for_each(|number| wanted[number].found = Ok(true)),
                Err(error) => {
                    for (_, number) in places.iter() {
                        let found = &mut wanted[*number].found;
                        // The URL may have been found in a different page that can hold it.
                        if *found != Ok(true) {
                            *found = Err(error.clone());
                        }
                    }
                }
            }
        }
    }

    /// Returns the numbers of the URLs that are in a page.
    fn look_up_in_page(
        &self,
        places: &[(PageNumber, usize)],
        wanted: &[WantedUrl],
    ) -> Result<Vec<usize>, Error> {
        let Some(((part, page), _)) = places.first() else { return Ok(Vec::new()) };
        let mut texts: HashSet<&str> = places.iter().map(|(_, number)| &*wanted[*number].text).collect();
        let all = texts.len();
        let part = self.part(*part)?;
        let mut left = all;
        part.each_text(&part.pages[*page], &mut |text| {
            left -= usize::from(texts.remove(text));
            if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        // URLs that were found were removed from the set. Several numbers may have the same text.
        let is_found = |number: &usize| !texts.contains(&*wanted[*number].text);
        Ok(places.iter().map(|(_, number)| *number).filter(is_found).collect())
    }
}
