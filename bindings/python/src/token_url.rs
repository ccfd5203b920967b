//! `urlid.TokenUrl`: token sequences of the Theory of URLs in Python (docs/spec/theory.md).
//!
//! Wraps [`TokenUrl`]. An authority is a dictionary of its parts.

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use urlid::reference::{Reference, TokenKind, TokenUrl, TypedAuthority, TypedHost, TypedToken, Violation};

use crate::choice::choose;
use crate::error::raise;
use crate::reference::{CONTEXTS, PyReference, token_kind};
use crate::text::Text;

/// A URL as the Theory of URLs defines it: a sequence of tokens, each a pair of a kind and a value.
///
/// The value of an authority is a dictionary with `user`, `password`, `host` and `port`, or its text. Every
/// other value is a string, which may have characters that cannot be written in a text. Schemes are compared
/// without case, ports as numbers and addresses as addresses. Raises ERR_NO_URL if the tokens break a
/// constraint.
///
/// >>> from urlid import TokenUrl
/// >>> url = TokenUrl([("scheme", "HTTP"), ("authority", {"host": "h", "port": 80}), ("root", "/")])
/// >>> url == TokenUrl.parse("http://h:0080/")
/// True
/// >>> url.goto(TokenUrl([("file", "a/b")])).tokens[-1]
/// ('file', 'a/b')
/// >>> str(TokenUrl([("file", "x:y")]).to_reference(guarded=True))
/// './x:y'
#[pyclass(name = "TokenUrl", module = "urlid", frozen, eq, hash)]
#[derive(PartialEq)]
pub(crate) struct PyTokenUrl {
    inner: TokenUrl,
}

impl Hash for PyTokenUrl {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
    }
}

#[pymethods]
impl PyTokenUrl {
    #[new]
    fn new(tokens: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<Self> {
        let tokens: PyResult<Vec<TypedToken>> =
            tokens.iter().map(|(kind, value)| read_token(token_kind(kind)?, value)).collect();
        Ok(Self { inner: TokenUrl::new(tokens?).map_err(raise)? })
    }

    /// Returns the tokens of a text as `Reference` reads it.
    ///
    /// Raises ERR_NO_URL if the tokens break a constraint.
    #[staticmethod]
    #[pyo3(signature = (text, context = "web"))]
    fn parse(text: Text<'_>, context: &str) -> PyResult<Self> {
        let reference = Reference::parse(&text, choose("context", context, CONTEXTS)?).map_err(raise)?;
        Ok(Self { inner: TokenUrl::try_from(reference).map_err(raise)? })
    }

    /// The tokens, as pairs of a kind and a value.
    #[getter]
    fn tokens<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&'static str, Bound<'py, PyAny>)>> {
        let value = |token: &TypedToken| match token.authority() {
            Some(authority) => authority_to_dict(py, authority).map(Bound::into_any),
            None => Ok(PyString::new(py, &token.text()).into_any()),
        };
        self.inner.tokens().iter().map(|token| Ok((token.kind().name(), value(token)?))).collect()
    }

    /// The kind of the first token, or `fragment` if there are no tokens.
    #[getter]
    fn ord(&self) -> &'static str {
        self.inner.ord().name()
    }

    /// Returns the tokens of a kind below the given one. For `directory`, the directories are included.
    fn upto(&self, kind: &str) -> PyResult<Self> {
        Ok(Self { inner: self.inner.upto(token_kind(kind)?) })
    }

    /// Returns the target of a different URL relative to this one.
    ///
    /// Raises ERR_NO_URL if the specification does not define a URL for the pair.
    fn goto(&self, other: &Self) -> PyResult<Self> {
        Ok(Self { inner: self.inner.goto(&other.inner).map_err(raise)? })
    }

    /// Returns the target of a different URL relative to this one. A scheme that both have is ignored.
    fn goto_nonstrict(&self, other: &Self) -> PyResult<Self> {
        Ok(Self { inner: self.inner.goto_nonstrict(&other.inner).map_err(raise)? })
    }

    /// Returns the reference that is read as these tokens. `guarded` adds a directory `.` if the text would
    /// otherwise be read as different tokens.
    ///
    /// Raises ERR_NO_URL if the tokens cannot be written as a text.
    #[pyo3(signature = (context = "web", *, guarded = false))]
    fn to_reference(&self, context: &str, guarded: bool) -> PyResult<PyReference> {
        let context = choose("context", context, CONTEXTS)?;
        let made =
            if guarded { self.inner.to_guarded_reference(context) } else { self.inner.to_reference(context) };
        Ok(PyReference::from(made.map_err(raise)?))
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("TokenUrl({})", self.tokens(py)?.into_pyobject(py)?.repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let tokens = slf.get().tokens(slf.py())?.into_pyobject(slf.py())?;
        Ok((slf.get_type().into_any(), (tokens,)))
    }
}

fn read_token(kind: TokenKind, value: &Bound<'_, PyAny>) -> PyResult<TypedToken> {
    match value.cast::<PyDict>() {
        Ok(parts) if kind == TokenKind::Authority => Ok(TypedToken::Authority(read_authority(parts)?)),
        _ => TypedToken::from_text(kind, value.extract()?).map_err(raise),
    }
}

fn read_authority(parts: &Bound<'_, PyDict>) -> PyResult<TypedAuthority> {
    for name in parts.keys() {
        let name: String = name.extract()?;
        // Without this check a misspelled key would be ignored, and the authority would be wrong.
        choose("part of an authority", &name, &AUTHORITY.map(|name| (name, ())))?;
    }
    let text = |name: &str| match parts.get_item(name)? {
        Some(value) => value.extract::<Option<String>>(),
        None => Ok(None),
    };
    // Wider than a port, so that a number out of range gets the error of the library instead of the
    // conversion's.
    let port: Option<u64> = match parts.get_item("port")? {
        Some(value) => value.extract()?,
        None => None,
    };
    let port = port.map(u16::try_from).transpose().map_err(|_| raise(Violation::PortOutOfRange))?;
    let host = TypedHost::new(&text("host")?.unwrap_or_default());
    Ok(TypedAuthority { user: text("user")?, password: text("password")?, host, port })
}

/// The keys of an authority. The kind of the host follows from its text.
const AUTHORITY: [&str; 5] = ["user", "password", "host", "host_kind", "port"];

fn authority_to_dict<'py>(py: Python<'py>, authority: &TypedAuthority) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    parts.set_item("user", authority.user.as_deref())?;
    parts.set_item("password", authority.password.as_deref())?;
    parts.set_item("host", authority.host.to_string())?;
    parts.set_item("host_kind", authority.host.kind())?;
    parts.set_item("port", authority.port)?;
    Ok(parts)
}
