//! The columns of a table of text: their names, and the choice of the columns that are read.

use super::fields::{Before, field};
use super::fields::{ColumnChoice, Dialect, HeaderRow};
use super::log::{LogColumns, LogFormat};
use super::object::Paths;
use crate::error;
use urlid::{Error, Url};

/// The most columns that a header may name.
const MOST_COLUMNS: usize = 10_000;
/// The most bytes of a column's name.
const MOST_NAME: usize = 4 << 10;

/// The columns of a table that are read.
#[derive(Clone, Debug)]
pub struct TableLayout {
    pub(super) dialect: Dialect,
    /// The names of the columns that are read.
    pub(super) names: Vec<String>,
    /// The indexes of these columns, in tables with separators.
    pub(super) places: Vec<usize>,
    /// The members that they are, in objects.
    pub(super) paths: Paths,
    /// The names of all existing and added columns. For objects, only of the added columns.
    pub(super) others: Vec<String>,
    /// The number of fields.
    pub(super) width: usize,
    /// How the rows of a log are read.
    pub(super) log: Option<LogColumns>,
}

impl TableLayout {
    /// Returns the format of the table.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the names of the columns that are read. A column without a name is `columnN`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns whether rows of the other table can follow the rows of this one. Both must have the same
    /// format and the same columns in the same order, and read the same ones.
    pub fn has_same_columns(&self, other: &TableLayout) -> bool {
        (self.dialect, &self.names, &self.places, &self.others, self.width)
            == (other.dialect, &other.names, &other.places, &other.others, other.width)
    }

    /// Sets the scheme and host, from a URL, for the request targets of a log that lacks them.
    pub fn set_base(&mut self, base: &Url) {
        self.log.iter_mut().for_each(|log| log.set_base(base));
    }

    /// Registers columns to be added.
    ///
    /// # Errors
    /// If one exists already.
    pub fn add(&mut self, columns: &[String]) -> Result<(), Error> {
        for column in columns {
            if self.others.contains(column) || self.names.contains(column) {
                return Err(error::EXISTS.error().with_subject(column.clone()));
            }
            self.others.push(column.clone());
        }
        Ok(())
    }

    /// Finds columns of objects.
    pub(super) fn of_objects(choices: &[ColumnChoice]) -> Result<Self, Error> {
        let mut names = Vec::new();
        for choice in choices {
            match choice {
                ColumnChoice::Name(name) if names.contains(name) => {
                    return Err(error::TWICE.error().with_subject(name.clone()));
                }
                ColumnChoice::Name(name) => names.push(name.clone()),
                ColumnChoice::Number(_) => return Err(error::NUMBERED.error()),
            }
        }
        let paths = Paths::new(&names);
        let (places, others) = (Vec::new(), Vec::new());
        let (width, log) = (0, None);
        Ok(TableLayout { dialect: Dialect::Ndjson, names, places, paths, others, width, log })
    }

    /// Finds columns by the first record.
    pub(super) fn of_record(
        record: &[u8],
        dialect: Dialect,
        header: HeaderRow,
        choices: &[ColumnChoice],
    ) -> Result<Self, Error> {
        let fields = names(record, dialect)?;
        let names: Vec<String> = match header {
            HeaderRow::Names => fields.clone(),
            HeaderRow::None => (1..=fields.len()).map(|number| format!("column{number}")).collect(),
        };
        Self::of_columns(names, &fields, dialect, choices)
    }

    /// Finds columns of a log, by the lines before its first row.
    pub(super) fn of_log(format: LogFormat, head: &[u8], choices: &[ColumnChoice]) -> Result<Self, Error> {
        let names = format.columns(head);
        let log = LogColumns::new(format, &names);
        let layout = Self::of_columns(names.clone(), &names, Dialect::Log(format), choices)?;
        Ok(TableLayout { log: Some(log), ..layout })
    }

    /// Finds columns by the names of all, which the first record may have in its `fields`.
    fn of_columns(
        names: Vec<String>,
        fields: &[String],
        dialect: Dialect,
        choices: &[ColumnChoice],
    ) -> Result<Self, Error> {
        let mut places: Vec<usize> = Vec::new();
        for choice in choices {
            let place = match choice {
                ColumnChoice::Name(column) => {
                    let mut found = names.iter().enumerate().filter(|(_, name)| *name == column);
                    match (found.next(), found.next()) {
                        (Some((place, _)), None) => Some(place),
                        (Some(_), Some(_)) => return Err(error::TWICE.error().with_subject(column.clone())),
                        (None, _) => None,
                    }
                }
                ColumnChoice::Number(number) => number.checked_sub(1).filter(|place| *place < names.len()),
            };
            match place {
                Some(place) if places.contains(&place) => {
                    return Err(error::TWICE.error().with_subject(subject(choice)));
                }
                Some(place) => places.push(place),
                None => return Err(missing(choice, &names, fields, dialect)),
            }
        }
        let width = names.len();
        let name = |&place: &usize| match names[place].as_str() {
            "" => format!("column{}", place + 1),
            name => name.to_owned(),
        };
        let paths = Paths::default();
        Ok(TableLayout {
            dialect,
            names: places.iter().map(name).collect(),
            places,
            paths,
            others: names,
            width,
            log: None,
        })
    }
}

/// Returns the name or the number of a column, as it was chosen.
fn subject(choice: &ColumnChoice) -> String {
    match choice {
        ColumnChoice::Name(name) => name.clone(),
        ColumnChoice::Number(number) => number.to_string(),
    }
}

/// Returns the error of a table that lacks a column and whose first record has these fields. The text may not
/// be a table, or may have a different delimiter.
fn missing(choice: &ColumnChoice, names: &[String], fields: &[String], dialect: Dialect) -> Error {
    let column = subject(choice);
    let first = fields.first().map_or("", |field| field.trim_start());
    if let Some(error) = json_array(first.as_bytes()) {
        return error;
    }
    if first.starts_with('<') {
        return error::NO_TABLE.error().with_shown("HTML or XML").with_expected("CSV, TSV or ndjson");
    }
    // Spreadsheets put this line before the names.
    if first.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("sep=")) {
        let error = error::NO_TABLE.error().with_shown(format_args!("the line `{first}`"));
        return error
            .with_expected("the names of columns in the first line, and that delimiter by its option");
    }
    let has_column = |delimiter: &char| {
        let mut parts = fields.iter().flat_map(|field| field.split(*delimiter));
        match choice {
            ColumnChoice::Name(name) => parts.any(|part| part.trim_matches('"') == name),
            ColumnChoice::Number(number) => (1..=parts.count()).contains(number),
        }
    };
    let Some(delimiter) = [';', '\t', '|', ','].iter().find(|delimiter| has_column(delimiter)) else {
        return error::missing(column, names);
    };
    let used = char::from(dialect.separator()).escape_default();
    let error = error::DELIMITER.error().with_subject(column).with_shown(used);
    error.with_expected(delimiter.escape_default().to_string())
}

/// Returns the error of a table whose first record starts a JSON array.
pub(super) fn json_array(record: &[u8]) -> Option<Error> {
    let rest = record.trim_ascii_start().strip_prefix(b"[")?.trim_ascii_start();
    let error = error::NO_TABLE.error().with_shown("a JSON array");
    let error = error.with_expected("an object on each line (ndjson), as `jq -c .[]` writes");
    matches!(rest, [] | [b'{' | b'[' | b'"', ..]).then_some(error)
}

/// Returns the error of a table whose first line starts a JSON object that continues on later lines.
pub(super) fn json_document(line: &[u8]) -> Option<Error> {
    let error = error::NO_TABLE.error().with_shown("a JSON object of several lines");
    let error = error.with_expected(
        "an object on each line (ndjson), as `jq -c .` writes, or `jq -c '.NAME[]'` of the array NAME in it",
    );
    let is_open = matches!(line.trim_ascii().last(), Some(b'{' | b'[' | b',' | b':'));
    (line.trim_ascii_start().starts_with(b"{") && is_open).then_some(error)
}

/// Returns the fields of the first record.
fn names(record: &[u8], dialect: Dialect) -> Result<Vec<String>, Error> {
    let (mut names, mut at) = (Vec::new(), 0);
    loop {
        let field = field(record, at, dialect).map_err(|error| error.at(1, dialect))?;
        let name = field.value(dialect);
        if names.len() >= MOST_COLUMNS || name.len() > MOST_NAME {
            let most = format!("at most {MOST_COLUMNS} names of at most {MOST_NAME} bytes");
            return Err(error::HEADER.error().with_expected(most));
        }
        names.push(String::from_utf8_lossy(&name).into_owned());
        if field.before != Before::Field {
            return Ok(names);
        }
        at = field.next;
    }
}
