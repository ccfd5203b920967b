//! The columns of a table of text: their names, and the choice of those that are read.

use super::choice::{ColumnChoice, Dialect, HeaderRow};
use super::fields::{Before, field};
use super::object::Paths;
use crate::error;
use urlid::Error;

/// The most columns that a header may name.
const MOST_COLUMNS: usize = 10_000;
/// The most bytes of a column's name.
const MOST_NAME: usize = 4 << 10;

/// The columns of a table that are read.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) dialect: Dialect,
    /// The names of the columns that are read.
    pub(super) names: Vec<String>,
    /// The indexes of these columns, in tables with separators.
    pub(super) places: Vec<usize>,
    /// The members that they are, in objects.
    pub(super) paths: Paths,
    /// The names of all columns, and of those to be added. Of objects, only the latter.
    pub(super) others: Vec<String>,
    /// The number of fields.
    pub(super) width: usize,
}

impl Layout {
    /// Returns the format of the table.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the names of the columns that are read. A column without a name is `columnN`.
    pub fn names(&self) -> &[String] {
        &self.names
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
        let paths = Paths::of(&names);
        let (places, others) = (Vec::new(), Vec::new());
        Ok(Layout { dialect: Dialect::Ndjson, names, places, paths, others, width: 0 })
    }

    /// Finds columns by the first record.
    pub(super) fn of_record(
        record: &[u8],
        dialect: Dialect,
        header: HeaderRow,
        choices: &[ColumnChoice],
    ) -> Result<Self, Error> {
        let names = match header {
            HeaderRow::Names => names(record, dialect)?,
            HeaderRow::None => {
                (1..=names(record, dialect)?.len()).map(|number| format!("column{number}")).collect()
            }
        };
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
                    return Err(error::TWICE.error().with_subject(names[place].clone()));
                }
                Some(place) => places.push(place),
                None => {
                    let column = match choice {
                        ColumnChoice::Name(name) => name.clone(),
                        ColumnChoice::Number(number) => number.to_string(),
                    };
                    return Err(error::missing(column, &names));
                }
            }
        }
        let width = names.len();
        let name = |&place: &usize| match names[place].as_str() {
            "" => format!("column{}", place + 1),
            name => name.to_owned(),
        };
        let paths = Paths::default();
        Ok(Layout { dialect, names: places.iter().map(name).collect(), places, paths, others: names, width })
    }
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
