//! `urlid.Reference`: the Theory of URLs in Python (docs/spec/theory.md).
//!
//! Wraps [`ReferenceBuf`]. Crate `urlid` implements the algebra.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::PyString;
use urlid::reference::{Class, Context, ReferenceBuf, Token, TokenKind, check_structure};

use crate::choice::{choose, word_of};
use crate::error::raise;
use crate::text::Text;

pub(crate) const CONTEXTS: &[(&str, Context)] = &[
    ("generic", Context::Whatwg(Class::Generic)),
    ("web", Context::Whatwg(Class::Web)),
    ("file", Context::Whatwg(Class::File)),
    ("rfc3986", Context::Rfc3986),
];

/// A token of Python's: its kind and its text.
type PyToken = (&'static str, String);

/// A URL reference: the text as written, and the tokens that it is read as.
///
/// Every text is a reference. `context` selects the rules for reading it: `web`, `file` or `generic` of the
/// URL Standard (with `\\` as a slash after web schemes, and drives after `file`), or `rfc3986`. The first
/// three differ only for texts without a scheme, for which they name the class of the base.
///
/// >>> from urlid import Reference
/// >>> reference = Reference("https://h/a/b?q#f")
/// >>> reference.tokens
/// [('scheme', 'https'), ('authority', 'h'), ('root', '/'), ('directory', 'a'), ('file', 'b'), ('query', 'q'), ('fragment', 'f')]
/// >>> str(reference.goto("../c"))
/// 'https://h/a/../c'
/// >>> reference.upto("query") == Reference("https://h/a/b")
/// True
#[pyclass(name = "Reference", module = "urlid", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyReference {
    inner: ReferenceBuf,
}

#[pymethods]
impl PyReference {
    #[new]
    #[pyo3(signature = (text, context = "web"))]
    fn new(text: Text<'_>, context: &str) -> PyResult<Self> {
        let context = choose("context", context, CONTEXTS)?;
        Ok(Self { inner: ReferenceBuf::parse(text.to_string(), context).map_err(raise)? })
    }

    /// Returns the reference that consists of these tokens, as pairs of a kind and a text.
    ///
    /// Raises ERR_NO_URL for tokens that cannot be written as a text.
    ///
    /// >>> from urlid import Reference
    /// >>> str(Reference.from_tokens([("scheme", "https"), ("authority", "h"), ("root", "/")]))
    /// 'https://h/'
    #[staticmethod]
    #[pyo3(signature = (tokens, context = "web"))]
    fn from_tokens(tokens: Vec<(String, String)>, context: &str) -> PyResult<Self> {
        let context = choose("context", context, CONTEXTS)?;
        let inner = ReferenceBuf::from_tokens(context, read_tokens(&tokens)?).map_err(raise)?;
        Ok(Self { inner })
    }

    /// The tokens, as pairs of a kind and a text.
    #[getter]
    fn tokens(&self) -> Vec<PyToken> {
        self.inner.as_reference().tokens().map(|token| (token.kind.name(), token.text.to_owned())).collect()
    }

    /// The context under which a text without a scheme was read.
    #[getter]
    fn context(&self) -> &'static str {
        word_of(&self.inner.as_reference().context(), CONTEXTS)
    }

    /// Whether the tokens meet the specification's constraints.
    #[getter]
    fn is_valid(&self) -> bool {
        self.inner.as_reference().is_valid()
    }

    /// Whether the path is without structure, like the path of `mailto:`.
    #[getter]
    fn is_opaque(&self) -> bool {
        self.inner.as_reference().is_opaque()
    }

    /// The kind of the first token, or `fragment` if there are no tokens.
    #[getter]
    fn ord(&self) -> &'static str {
        self.inner.as_reference().ord().name()
    }

    /// The scheme, without its colon.
    #[getter]
    fn scheme(&self) -> Option<&str> {
        self.inner.as_reference().scheme()
    }

    /// The authority as written, without its slashes.
    #[getter]
    fn authority(&self) -> Option<&str> {
        self.inner.as_reference().authority_text()
    }

    /// The user as written.
    #[getter]
    fn user(&self) -> Option<&str> {
        self.inner.as_reference().authority().and_then(|authority| authority.user)
    }

    /// The password as written.
    #[getter]
    fn password(&self) -> Option<&str> {
        self.inner.as_reference().authority().and_then(|authority| authority.password)
    }

    /// The host as written.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.inner.as_reference().authority().map(|authority| authority.host)
    }

    /// The port as written, as a text.
    #[getter]
    fn port(&self) -> Option<&str> {
        self.inner.as_reference().authority().and_then(|authority| authority.port)
    }

    /// The drive, as in `c:`.
    #[getter]
    fn drive(&self) -> Option<&str> {
        self.inner.as_reference().drive()
    }

    /// The path as written, drive and root included.
    #[getter]
    fn path(&self) -> &str {
        self.inner.as_reference().path()
    }

    /// The segments of the path after its root.
    #[getter]
    fn segments(&self) -> Vec<&str> {
        self.inner.as_reference().segments().collect()
    }

    /// The query, without its `?`.
    #[getter]
    fn query(&self) -> Option<&str> {
        self.inner.as_reference().query()
    }

    /// The fragment, without its `#`.
    #[getter]
    fn fragment(&self) -> Option<&str> {
        self.inner.as_reference().fragment()
    }

    /// Returns the tokens of a kind below the given one. For `directory`, the directories are included.
    fn upto(&self, kind: &str) -> PyResult<Self> {
        Ok(Self { inner: self.inner.as_reference().upto(token_kind(kind)?).into() })
    }

    /// Returns the target of a reference relative to this one. A text is read in the context of this
    /// reference.
    ///
    /// Raises ERR_NO_URL if the specification does not define a URL for the pair.
    fn goto(&self, reference: &Bound<'_, PyAny>) -> PyResult<Self> {
        let other = self.read(reference)?;
        let inner = self.inner.as_reference().goto(&other.as_reference()).map_err(raise)?;
        Ok(Self { inner })
    }

    /// Returns the target of a reference relative to this one. A scheme that both have is ignored.
    fn goto_nonstrict(&self, reference: &Bound<'_, PyAny>) -> PyResult<Self> {
        let other = self.read(reference)?;
        let inner = self.inner.as_reference().goto_nonstrict(&other.as_reference()).map_err(raise)?;
        Ok(Self { inner })
    }

    fn __str__(&self) -> &str {
        self.inner.as_str()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let this = slf.get();
        // Quoted by Python, because its escapes differ from Rust's.
        Ok(format!("Reference({}, {:?})", PyString::new(slf.py(), this.__str__()).repr()?, this.context()))
    }

    fn __hash__(&self) -> u64 {
        // Only the text is hashed. Equal references have equal texts, and the comparison of other parts does
        // not matter here.
        let mut hasher = DefaultHasher::new();
        self.inner.as_str().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, &'static str)) {
        let this = slf.get();
        (slf.get_type().into_any(), (this.__str__().to_owned(), this.context()))
    }
}

impl From<ReferenceBuf> for PyReference {
    fn from(inner: ReferenceBuf) -> Self {
        Self { inner }
    }
}

impl PyReference {
    /// Reads the second argument of goto: a reference unchanged, or a text in the class of this reference.
    fn read(&self, reference: &Bound<'_, PyAny>) -> PyResult<ReferenceBuf> {
        if let Ok(other) = reference.cast::<Self>() {
            return Ok(other.get().inner.clone());
        }
        let base = self.inner.as_reference();
        // The scheme of the base decides how a reference is read (URL Standard), not the context in which
        // the base was read.
        let context = match base.context() {
            Context::Whatwg(_) => Context::Whatwg(base.class()),
            Context::Rfc3986 => Context::Rfc3986,
        };
        ReferenceBuf::parse(reference.extract()?, context).map_err(raise)
    }
}

pub(crate) fn token_kind(name: &str) -> PyResult<TokenKind> {
    let kinds = TokenKind::ALL.map(|kind| (kind.name(), kind));
    choose("kind of token", name, &kinds)
}

fn read_tokens(tokens: &[(String, String)]) -> PyResult<Vec<Token<'_>>> {
    tokens.iter().map(|(kind, text)| Ok(Token::new(token_kind(kind)?, text))).collect()
}

/// Checks pairs of a kind and a text against the specification's constraints. Raises ERR_NO_URL for the
/// first broken one.
///
/// >>> import urlid
/// >>> urlid.check_tokens([("scheme", "https"), ("authority", "h"), ("file", "f")])
/// Traceback (most recent call last):
/// urlid.UrlidError: root is missing: expected one between an authority or drive and a directory or file
#[pyfunction]
pub(crate) fn check_tokens(tokens: Vec<(String, String)>) -> PyResult<()> {
    check_structure(read_tokens(&tokens)?).map_err(raise)
}

/// Returns the text of the target of `reference` relative to `base` (Theory of URLs), both read as the URL
/// standard reads them.
///
/// >>> import urlid
/// >>> urlid.goto("https://h/a/b", "../c?q")
/// 'https://h/a/../c?q'
#[pyfunction]
pub(crate) fn goto(base: Text<'_>, reference: &Bound<'_, PyAny>) -> PyResult<String> {
    let base = PyReference::new(base, "web")?;
    Ok(base.goto(reference)?.inner.into_string())
}
