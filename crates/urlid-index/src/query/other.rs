//! Candidates among the URLs without an SXURL, by the keys of their hosts.

use std::ops::ControlFlow;

use rusqlite::Rows;

use super::other_keys::OtherKeys;
use super::question::Question;
use crate::file::open::View;
use crate::url::other::{OtherUrl, host_key};
use crate::url::stored::StoredUrl;

/// Calls `each` with every answer, in the order of keys; returns how many rows no loader wrote.
pub(crate) fn search(
    view: &View<'_>,
    question: &Question,
    keys: &OtherKeys,
    each: &mut dyn FnMut(&OtherUrl<'_>) -> ControlFlow<()>,
) -> rusqlite::Result<u64> {
    let mut damaged = 0;
    match keys {
        OtherKeys::All => {
            let sql = "SELECT host_key, url FROM other ORDER BY host_key, url";
            let mut statement = view.conn().prepare_cached(sql)?;
            let _end = read(view, question, statement.query([])?, &mut damaged, each)?;
        }
        OtherKeys::Ranges(ranges) => {
            let sql = "SELECT host_key, url FROM other WHERE host_key >= ?1 AND host_key < ?2 ORDER BY host_key, url";
            let mut statement = view.conn().prepare_cached(sql)?;
            for range in ranges {
                let rows = statement.query((&range.0, &range.1))?;
                if read(view, question, rows, &mut damaged, each)?.is_break() {
                    break;
                }
            }
        }
    }
    Ok(damaged)
}

fn read(
    view: &View<'_>,
    question: &Question,
    mut rows: Rows<'_>,
    damaged: &mut u64,
    each: &mut dyn FnMut(&OtherUrl<'_>) -> ControlFlow<()>,
) -> rusqlite::Result<ControlFlow<()>> {
    while let Some(row) = rows.next()? {
        let (Ok(key), Ok(url)) = (row.get_ref(0)?.as_str(), row.get_ref(1)?.as_str()) else {
            *damaged += 1;
            continue;
        };
        let Some(url) = OtherUrl::parse(url, view.suffixes()).filter(|url| host_key(url.host) == key) else {
            *damaged += 1;
            continue;
        };
        let url = StoredUrl::Other(url);
        if question.is_met(&url)
            && let StoredUrl::Other(url) = &url
            && each(url).is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}
