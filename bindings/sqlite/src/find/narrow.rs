//! Conditions of a question, made from the values that SQLite requires in columns.
//!
//! They only narrow the rows that are read, because SQLite evaluates its statement on each row. A condition
//! is therefore made only if every URL with that exact value meets it.
//!
//! Comparisons of text columns with numbers are the exception. Whether the text `'007'` equals 7 depends on
//! the affinity of the other operand, which SQLite does not pass. For `IN`, SQLite compares the rows by a
//! different rule from the statement's (seen in 3.40). Such a comparison therefore yields no rows as long as
//! no text is that number by any rule, and it is an error at the first text that is.

use rusqlite::types::ValueRef;
use urlid::suffix::SuffixList;
use urlid::sxurl::Slice;
use urlid_store::question::{Condition, Question};

use super::columns::Column;

/// Adds conditions that every URL with a value in a column meets, unless they cannot be combined with the
/// other conditions.
pub(super) fn add(
    conditions: &mut Vec<(Condition, String)>,
    column: Column,
    value: ValueRef<'_>,
    list: &SuffixList,
) {
    let Some(text) = text_of(column, value) else { return };
    let new = match column {
        Column::Part(Condition::RegisteredDomain) => {
            // Only if the list splits it into domain and suffix. Otherwise only SQLite compares it with
            // rows.
            let split = list.split_normal(&text);
            let is_whole = split.sub.is_empty() && !split.domain.is_empty();
            if !is_whole {
                return;
            }
            vec![(Condition::Domain, split.domain.to_owned()), (Condition::Tld, split.tld.to_owned())]
        }
        Column::Part(condition) => vec![(condition, text)],
        Column::Id | Column::Url | Column::Index | Column::Argument(_) => return,
    };
    if new.iter().all(|(condition, text)| is_exact(*condition, text, list) && is_free(*condition, conditions))
    {
        conditions.extend(new);
    }
}

/// Returns the text of a value in the form that a condition accepts.
fn text_of(column: Column, value: ValueRef<'_>) -> Option<String> {
    match (column, value) {
        (Column::Part(_), ValueRef::Integer(number)) if !column.is_text() => Some(number.to_string()),
        (_, ValueRef::Text(text)) => Some(str::from_utf8(text).ok()?.to_owned()),
        _ => None,
    }
}

/// Returns whether every URL with exactly this text as its part meets the condition.
fn is_exact(condition: Condition, text: &str, list: &SuffixList) -> bool {
    let Ok(question) = Question::new([(condition, text)]) else { return false };
    // A question maps host names to lower case and ASCII. `Debian` would find URLs with `debian`, which
    // SQLite then drops.
    let is_mapped = |slice| question.part(slice, list) == Some(text);
    match condition {
        Condition::Tld => is_mapped(Slice::Tld),
        Condition::Domain => is_mapped(Slice::Domain),
        Condition::Sub => is_mapped(Slice::Sub),
        // An empty path counts as `/` in a question.
        Condition::Path => text.starts_with('/'),
        Condition::Scheme | Condition::Host | Condition::Port => !text.is_empty(),
        Condition::Query | Condition::Fragment => !text.is_empty(),
        _ => false,
    }
}

/// Returns whether a question can combine the condition with others. Each is allowed once, and `host`
/// excludes its parts.
fn is_free(condition: Condition, others: &[(Condition, String)]) -> bool {
    let of_name = [Condition::Tld, Condition::Domain, Condition::Sub];
    others.iter().all(|(other, _)| {
        let (whole, part) = (Condition::Host, |one| of_name.contains(&one));
        *other != condition && !(*other == whole && part(condition)) && !(condition == whole && part(*other))
    })
}

/// A number with which a text column is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) column: Column,
    value: f64,
}

impl Number {
    pub(super) fn of(column: Column, value: ValueRef<'_>) -> Option<Self> {
        let is_text = column.is_text();
        match value {
            ValueRef::Integer(value) if is_text => Some(Self { column, value: value as f64 }),
            ValueRef::Real(value) if is_text => Some(Self { column, value }),
            _ => None,
        }
    }

    /// Returns whether a text is this number, as SQLite converts texts.
    pub(super) fn is(self, text: &str) -> bool {
        let digits = text.trim_ascii();
        // `f64::from_str` also reads `inf`, `nan` and `infinity`, which SQLite does not treat as numbers.
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        is_number && digits.parse() == Ok(self.value)
    }
}
