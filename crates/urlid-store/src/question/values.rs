//! The values of conditions: setting each once, and reading those that are not parts of a host.

use urlid::sxurl::Flags;
use urlid::web::is_scheme;

use crate::question::condition::Condition;
use crate::question::question_error::QuestionError;

/// Sets the value of a condition, which may be given once.
pub(crate) fn set<T>(place: &mut Option<T>, condition: Condition, value: T) -> Result<(), QuestionError> {
    if place.is_some() {
        return Err(QuestionError::Twice { condition });
    }
    *place = Some(value);
    Ok(())
}

pub(crate) fn scheme(value: &str) -> Result<String, QuestionError> {
    if is_scheme(value) {
        Ok(value.to_ascii_lowercase())
    } else {
        Err(QuestionError::Scheme { found: value.to_owned() })
    }
}

pub(crate) fn port(value: &str) -> Result<u16, QuestionError> {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let port = value.parse().ok().filter(|port| is_number && *port > 0);
    port.ok_or_else(|| QuestionError::Port { found: value.to_owned() })
}

/// Reads names of parts that may be absent, with commas between them.
pub(crate) fn flags(condition: Condition, value: &str) -> Result<Flags, QuestionError> {
    value.split(',').try_fold(Flags::NONE, |flags, name| {
        let flag = match name {
            "sub" => Flags::SUB,
            "query" => Flags::PARAMS,
            "fragment" => Flags::FRAG,
            "port" => Flags::PORT,
            _ => return Err(QuestionError::Part { condition, found: name.to_owned() }),
        };
        Ok(flags | flag)
    })
}
