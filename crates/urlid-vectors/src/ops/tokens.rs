//! URLs as vectors write them, `[[type, value], …]`, and as the library holds them.
//!
//! The value of an authority is `{username, password, hostname, port}`, any other is a string.

use serde_json::{Value, json};
use urlid::Coded;
use urlid::reference::{
    Authority, Class, Context, Reference, ReferenceBuf, Token, TokenKind, Violation, check_structure,
};

use crate::input::Fault;

/// A sequence of tokens, which may break every rule there is.
pub(super) struct TokenList {
    tokens: Vec<(TokenKind, String)>,
    /// What the authorities break. Their texts cannot tell: a password without a user has none.
    authorities: Result<(), Violation>,
}

/// The readings in which a text for a list of tokens is sought. Most lists have one text in all of them; drives are of
/// the third alone, and a name with a `\` is of the first and the last.
const CONTEXTS: [Context; 4] = [
    Context::Whatwg(Class::Generic),
    Context::Whatwg(Class::Web),
    Context::Whatwg(Class::File),
    Context::Rfc3986,
];

impl TokenList {
    /// Reads a list as a vector writes it.
    pub(super) fn read(value: &Value) -> Result<Self, Fault> {
        let malformed = || Fault::Input(format!("{value} is no list of tokens"));
        let mut list = Self { tokens: Vec::new(), authorities: Ok(()) };
        for token in value.as_array().ok_or_else(malformed)? {
            let [kind, value] = token.as_array().map(Vec::as_slice).unwrap_or_default() else {
                return Err(malformed());
            };
            let kind = kind.as_str().and_then(TokenKind::from_name).ok_or_else(malformed)?;
            let text = match (kind, value) {
                (TokenKind::Authority, Value::Object(_)) => list.read_authority(value),
                (TokenKind::Authority, _) => None,
                (_, value) => value.as_str().map(str::to_owned),
            };
            list.tokens.push((kind, text.ok_or_else(malformed)?));
        }
        Ok(list)
    }

    fn read_authority(&mut self, value: &Value) -> Option<String> {
        let optional = |key: &str| match &value[key] {
            Value::Null => Some(None),
            Value::String(text) => Some(Some(text.as_str())),
            _ => None,
        };
        let port = match &value["port"] {
            Value::Null => None,
            Value::Number(number) => Some(number.to_string()),
            _ => return None,
        };
        let authority = Authority {
            user: optional("username")?,
            password: optional("password")?,
            host: value["hostname"].as_str()?,
            port: port.as_deref(),
        };
        self.authorities = self.authorities.and(authority.check());
        Some(authority.to_string())
    }

    fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        self.tokens.iter().map(|(kind, text)| Token::new(*kind, text))
    }

    /// Checks every structural constraint.
    pub(super) fn check(&self) -> Result<(), Violation> {
        self.authorities.and(check_structure(self.tokens()))
    }

    /// Returns a text that reads as the tokens, in the first context that has one.
    pub(super) fn to_reference(&self) -> Result<ReferenceBuf, Fault> {
        self.authorities.map_err(|violation| Fault::Refused(violation.code().as_str()))?;
        let mut made = ReferenceBuf::from_tokens(CONTEXTS[0], self.tokens());
        for context in &CONTEXTS[1..] {
            made = made.or_else(|_| ReferenceBuf::from_tokens(*context, self.tokens()));
        }
        made.map_err(|error| Fault::Refused(error.code().as_str()))
    }
}

/// Returns the tokens as vectors write them.
pub(super) fn to_json(reference: &Reference<'_>) -> Value {
    reference.tokens().map(token_to_json).collect()
}

fn token_to_json(token: Token<'_>) -> Value {
    match token.kind {
        TokenKind::Authority => {
            let authority = Authority::split(token.text);
            // An empty port is null in the model; a port that is no number is shown as it was written.
            let port = authority.port.filter(|port| !port.is_empty());
            let port =
                port.map(|text| authority.port_number().map_or_else(|| json!(text), |number| json!(number)));
            json!([token.kind.name(), {
                "username": authority.user,
                "password": authority.password,
                "hostname": authority.host,
                "port": port,
            }])
        }
        _ => json!([token.kind.name(), token.text]),
    }
}
