//! Answers questions to an index file that JavaScript has open in SQLite. Crate `urlid-store` answers them,
//! and calls JavaScript for rows.

use std::cell::RefCell;
use std::ops::ControlFlow;

use serde_json::json;
use urlid::suffix::SuffixList;
use urlid_store::question::schema::{self, APPLICATION_ID, FORMAT_VERSION, Object};
use urlid_store::question::{
    Condition, GroupBy, Layout, Plan, Question, Reader, RowValue, SliceIndex, Statement,
};

use crate::arguments::{Arguments, choose};
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    ("conditions", conditions),
    ("group_parts", group_parts),
    ("index_format", index_format),
    ("index_layout", index_layout),
    ("plan", plan),
    ("search", search),
];

// Texts and bytes are written in both directions as `arguments` defines. They are preceded by a text with
// `t` for each text and `b` for bytes.
#[link(wasm_import_module = "search")]
unsafe extern "C" {
    /// Starts to read the rows of a statement, from the SQL, the kinds of the parameters and the parameters.
    /// Returns 0 on failure.
    safe fn open(start: *const u8, length: usize) -> u32;
    /// Writes the kinds and values of the next row at the address from `row_room`. Returns their length, or
    /// 0 after the last row or on failure.
    safe fn next() -> usize;
    /// Ends the reading of a statement. Returns 0 on failure.
    safe fn close() -> u32;
    /// Passes on an answer with its URL and its group. Returns 0 if no more answers are wanted.
    safe fn found(start: *const u8, length: usize) -> u32;
}

thread_local! {
    static ROW: RefCell<Vec<u8>> = RefCell::default();
}

/// Returns the address of space for a row of `length` bytes.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
extern "C" fn row_room(length: usize) -> *mut u8 {
    ROW.with_borrow_mut(|row| {
        row.resize(length, 0);
        row.as_mut_ptr()
    })
}

/// Returns the name, the value's name and the meaning of each condition.
fn conditions(_: &mut Session, _: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(output::json(&Condition::ALL.map(|condition| {
        json!({ "name": condition.name(), "value": condition.value_name(), "about": condition.help() })
    })))
}

/// Returns the names of the parts by which answers can be grouped.
fn group_parts(_: &mut Session, _: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(output::json(&GroupBy::ALL.map(GroupBy::name)))
}

/// Returns the header of a new index file, and the statements that make the file.
fn index_format(_: &mut Session, _: &mut Arguments<'_>) -> Result<Output, Fault> {
    let statements = [schema::URL_TABLE, schema::META_TABLE, schema::HEX_VIEW, schema::OTHER_TABLE];
    Ok(output::json(&json!({
        "applicationId": APPLICATION_ID,
        "version": FORMAT_VERSION,
        "statements": statements,
    })))
}

/// Arguments: kind, name and SQL of each object of a file. Returns the layout that a plan needs, or the name
/// of an object that differs from the format.
fn index_layout(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let mut objects = Vec::new();
    while let Some(kind) = arguments.optional_text()? {
        let (name, sql) = (arguments.text()?, arguments.optional_text()?);
        objects.push(Object { kind: kind.to_owned(), name: name.to_owned(), sql: sql.map(str::to_owned) });
    }
    Ok(output::json(&match schema::check(&objects) {
        Ok(indexes) => json!({ "indexes": names(&indexes) }),
        Err(object) => json!({ "wrong": object }),
    }))
}

fn names(indexes: &[SliceIndex]) -> Vec<&'static str> {
    indexes.iter().map(|index| index.name()).collect()
}

/// A question and its plan.
struct Asked {
    question: Question,
    plan: Plan,
}

/// Arguments: optional indexes separated by commas, then names and values of conditions.
fn read_question(arguments: &mut Arguments<'_>) -> Result<Asked, Fault> {
    let indexes = arguments.text()?;
    let known = SliceIndex::ALL.map(|index| (index.name(), index));
    let indexes = indexes.split(',').filter(|name| !name.is_empty());
    let indexes = indexes.map(|name| choose("index", name, &known)).collect::<Result<Vec<_>, _>>()?;
    let mut conditions = Vec::new();
    while let Some(name) = arguments.optional_text()? {
        let known = Condition::ALL.map(|condition| (condition.name(), condition));
        conditions.push((choose("condition", name, &known)?, arguments.text()?));
    }
    let question = Question::new(conditions)?;
    let layout = Layout { suffixes: SuffixList::compiled(), slice_indexes: &indexes };
    let plan = Plan::new(&question, &layout);
    Ok(Asked { question, plan })
}

/// Arguments: as for `read_question`. Describes in one line the rows that are read.
fn plan(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(read_question(arguments)?.plan.to_string().into())
}

/// Arguments: a part to group by or nothing, then as for `read_question`. Returns how many rows answered,
/// were dropped and are damaged, or nothing if JavaScript failed.
fn search(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let parts = GroupBy::ALL.map(|part| (part.name(), part));
    let by =
        arguments.optional_text()?.map(|name| choose("part", &name.replace('-', "_"), &parts)).transpose()?;
    let Asked { question, plan } = read_question(arguments)?;
    let mut answer = Vec::new();
    let ran = urlid_store::question::search(
        &JavaScript,
        &plan,
        &question,
        SuffixList::compiled(),
        &mut |row, url| {
            answer.clear();
            write(&mut answer, row.url.as_bytes());
            if let Some(part) = by {
                write(&mut answer, part.name_of(url).as_bytes());
            }
            if found(answer.as_ptr(), answer.len()) == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    Ok(match ran {
        Ok(found) => {
            let damaged = found.damaged + u64::from(found.is_short);
            output::json(&json!({ "rows": found.rows, "dropped": found.dropped, "damaged": damaged }))
        }
        Err(Failed) => Output::Null,
    })
}

/// Writes the length of a value and the value.
fn write(to: &mut Vec<u8>, value: &[u8]) {
    to.extend((value.len() as u32).to_le_bytes());
    to.extend(value);
}

/// The index that JavaScript has open.
struct JavaScript;

/// JavaScript failed, and keeps its exception.
struct Failed;

impl Reader for JavaScript {
    type Error = Failed;
    type Statement<'r> = Sql;

    fn schema(&self) -> &str {
        "main"
    }

    fn prepare(&self, sql: &str) -> Result<Sql, Failed> {
        Ok(Sql(sql.to_owned()))
    }
}

/// A statement, which JavaScript prepares when it is read.
struct Sql(String);

impl Statement for Sql {
    type Error = Failed;

    fn read(
        &mut self,
        parameters: &[RowValue<'_>],
        each: &mut urlid_store::question::EachRow<'_>,
    ) -> Result<(), Failed> {
        let mut message = Vec::new();
        write(&mut message, self.0.as_bytes());
        let kinds = parameters.iter().map(|value| if let RowValue::Text(_) = value { b't' } else { b'b' });
        write(&mut message, &kinds.collect::<Vec<u8>>());
        for value in parameters {
            let (RowValue::Blob(bytes) | RowValue::Text(bytes)) = value else { continue };
            write(&mut message, bytes);
        }
        if open(message.as_ptr(), message.len()) == 0 {
            return Err(Failed);
        }
        while next() > 0 {
            // Moved out of its cell while `each` reads it, because `each` may call JavaScript.
            let row = ROW.take();
            let flow = each(columns(&row));
            ROW.set(row);
            if flow.is_break() {
                break;
            }
        }
        // Also after a row that stopped the search, so that the statement is released.
        if close() == 0 { Err(Failed) } else { Ok(()) }
    }
}

/// Reads the columns of a row.
fn columns(row: &[u8]) -> [RowValue<'_>; 2] {
    let mut values = Arguments::new(row);
    let mut kinds = values.optional_bytes().unwrap_or_default().iter();
    [(); 2].map(|()| match (kinds.next(), values.optional_bytes()) {
        (Some(b't'), Some(text)) => RowValue::Text(text),
        (Some(b'b'), Some(bytes)) => RowValue::Blob(bytes),
        _ => RowValue::Other,
    })
}
