//! Answers to questions: rows, counts and groups, of whatever passes the answers through all threads.

use std::ops::ControlFlow;

use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_plan::{Group, GroupBy, Question, Row, Stats, StatsTally, StoredUrl, Tally};

/// Passes the answers to a question through all threads.
pub(super) trait Scan {
    /// Makes a state for some neighbouring answers, passes it with each of them to `step`, and the states in order to `each`, until
    /// that returns `Break`. Pages that cannot be read are passed over, and the first error is returned at the end.
    fn answers<S: Send>(
        &self,
        question: &Question,
        make: &(impl Fn() -> S + Sync),
        step: &(impl Fn(&mut S, &str, &StoredUrl<'_>) + Sync),
        each: &mut dyn FnMut(S) -> ControlFlow<()>,
    ) -> Result<(), Error>;
}

/// Calls `each` with every answer until it returns `Break`, and returns their number.
pub(super) fn find(
    scan: &impl Scan,
    question: &Question,
    with_ids: bool,
    each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
) -> Result<u64, Error> {
    let mut found = 0;
    let step = |rows: &mut Rows, text: &str, url: &StoredUrl<'_>| {
        let id = match url {
            StoredUrl::Sxurl(components) if with_ids => Some(components.encode()),
            _ => None,
        };
        rows.push(Row { id, url: text });
    };
    scan.answers(question, &Rows::default, &step, &mut |rows| {
        rows.each(&mut |row| {
            found += 1;
            each(row)
        })
    })?;
    Ok(found)
}

/// Counts the answers to a question.
pub(super) fn count(scan: &impl Scan, question: &Question) -> Result<u64, Error> {
    let mut found = 0;
    let step = |count: &mut u64, _: &str, _: &StoredUrl<'_>| *count += 1;
    scan.answers(question, &u64::default, &step, &mut |count| {
        found += count;
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// Counts the answers to a question by a part, and returns the number of all.
pub(super) fn group(
    scan: &impl Scan,
    question: &Question,
    part: GroupBy,
) -> Result<(Vec<Group>, u64), Error> {
    let mut total = Tally::new(part);
    let step = |tally: &mut Tally, _: &str, url: &StoredUrl<'_>| tally.add(url);
    scan.answers(question, &|| Tally::new(part), &step, &mut |tally| {
        total.merge(tally);
        ControlFlow::Continue(())
    })?;
    let groups = total.sorted();
    let rows = groups.iter().map(|group| group.rows).sum();
    Ok((groups, rows))
}

/// Counts everything in one pass over the rows.
pub(super) fn stats(scan: &impl Scan) -> Result<Stats, Error> {
    let mut total = StatsTally::default();
    let step = |tally: &mut StatsTally, text: &str, url: &StoredUrl<'_>| tally.add(text, url);
    scan.answers(&Question::default(), &StatsTally::default, &step, &mut |tally| {
        total.merge(tally);
        ControlFlow::Continue(())
    })?;
    Ok(total.finish())
}

/// Calls `each` with every URL of an identifier until it returns `Break`, and returns the number of calls. Every row is read.
pub(super) fn of_id(
    scan: &impl Scan,
    id: &Sxurl,
    each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
) -> Result<u64, Error> {
    let mut found = 0;
    find(scan, &Question::default(), true, &mut |row| {
        if row.id.as_ref() != Some(id) {
            return ControlFlow::Continue(());
        }
        found += 1;
        each(row)
    })?;
    Ok(found)
}

/// Rows that are kept until it is their turn: their texts, one after the other.
#[derive(Debug, Default)]
struct Rows {
    text: String,
    /// The end of each text, and the identifier.
    rows: Vec<(usize, Option<Sxurl>)>,
}

impl Rows {
    /// Appends a row.
    fn push(&mut self, row: Row<'_>) {
        self.text.push_str(row.url);
        self.rows.push((self.text.len(), row.id));
    }

    /// Calls `each` with every row until it returns `Break`.
    fn each(&self, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut start = 0;
        self.rows.iter().try_for_each(|&(end, id)| {
            let url = &self.text[start..end];
            start = end;
            each(Row { id, url })
        })
    }
}
