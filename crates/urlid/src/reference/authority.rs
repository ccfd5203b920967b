//! The authority as a tuple of user, password, host and port (Theory of URLs, "URLs").
//!
//! All parts are kept as written. Other modules check whether a host or a port is valid for an identifier.

use super::error::Violation;

/// The raw parts of an authority.
///
/// The port is a text, so `h:0080` and `h:` are kept as written. An empty port text counts as null.
///
/// ```
/// use urlid::reference::Authority;
///
/// let authority = Authority::split("u:p@[::1]:0080");
/// assert_eq!((authority.user, authority.password, authority.host), (Some("u"), Some("p"), "[::1]"));
/// assert_eq!((authority.port, authority.port_number()), (Some("0080"), Some(80)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Authority<'a> {
    /// The text before the last `@`, up to the first `:`.
    pub user: Option<&'a str>,
    /// The text between that `:` and the last `@`.
    pub password: Option<&'a str>,
    /// The host. An IPv6 address keeps its brackets.
    pub host: &'a str,
    /// The text after the host's `:`.
    pub port: Option<&'a str>,
}

impl<'a> Authority<'a> {
    /// Splits the text of an authority token. The user information ends at the last `@`, and its first `:`
    /// separates the password. The port starts at the first `:` of the rest that is outside a leading pair of
    /// brackets.
    pub fn split(text: &'a str) -> Self {
        if memchr::memchr2(b'@', b':', text.as_bytes()).is_none() {
            return Self { user: None, password: None, host: text, port: None };
        }
        let find = |text: &str, byte: u8| text.bytes().position(|other| other == byte);
        // Browsers use the last `@`. An earlier one belongs to the user, so it cannot forge a host.
        let at_sign = text.bytes().rposition(|byte| byte == b'@');
        let (user, password) = match at_sign.map(|end| &text[..end]) {
            Some(userinfo) => match find(userinfo, b':') {
                Some(end) => (Some(&userinfo[..end]), Some(&userinfo[end + 1..])),
                None => (Some(userinfo), None),
            },
            None => (None, None),
        };
        let host_and_port = &text[at_sign.map_or(0, |offset| offset + 1)..];
        // An unclosed bracket extends to the end of the text, so a `:` of an address is never read as the
        // start of a port.
        let bracket_end = if host_and_port.starts_with('[') {
            find(host_and_port, b']').unwrap_or(host_and_port.len())
        } else {
            0
        };
        match find(&host_and_port[bracket_end..], b':') {
            Some(offset) => {
                let (host, port) = host_and_port.split_at(bracket_end + offset);
                Self { user, password, host, port: Some(&port[1..]) }
            }
            None => Self { user, password, host: host_and_port, port: None },
        }
    }

    /// Returns the port, if it is written and is a number from 0 to 65535.
    pub fn port_number(&self) -> Option<u16> {
        let digits =
            self.port.filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))?;
        match digits.trim_start_matches('0') {
            "" => Some(0),
            significant => significant.parse().ok(),
        }
    }

    /// Checks the constraints of the specification: a password needs a user, an empty host cannot have a
    /// user, password or port, and a port is a number from 0 to 65535.
    ///
    /// # Errors
    /// The first [`Violation`].
    pub fn check(&self) -> Result<(), Violation> {
        self.presence().check()
    }

    /// Returns which parts are present. An empty port counts as absent.
    pub(super) fn presence(&self) -> Presence {
        let has_port = self.port.is_some_and(|port| !port.is_empty());
        Presence {
            has_user: self.user.is_some(),
            has_password: self.password.is_some(),
            has_host: !self.host.is_empty(),
            has_port,
            is_port_in_range: !has_port || self.port_number().is_some(),
        }
    }
}

impl core::fmt::Display for Authority<'_> {
    /// Writes the text of the token. A password without a user cannot be written and is omitted.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if let Some(user) = self.user {
            f.write_str(user)?;
            if let Some(password) = self.password {
                write!(f, ":{password}")?;
            }
            f.write_str("@")?;
        }
        f.write_str(self.host)?;
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

/// The presence of each part of an authority.
#[derive(Clone, Copy)]
pub(super) struct Presence {
    pub(super) has_user: bool,
    pub(super) has_password: bool,
    pub(super) has_host: bool,
    pub(super) has_port: bool,
    pub(super) is_port_in_range: bool,
}

impl Presence {
    pub(super) fn check(self) -> Result<(), Violation> {
        if self.has_password && !self.has_user {
            return Err(Violation::PasswordWithoutUser);
        }
        if !self.has_host && (self.has_user || self.has_port) {
            return Err(Violation::EmptyHost);
        }
        if !self.is_port_in_range {
            return Err(Violation::PortOutOfRange);
        }
        Ok(())
    }

    pub(super) fn has_more_than_host(self) -> bool {
        self.has_user || self.has_password || self.has_port
    }
}

/// Returns the default port of a lower-case scheme. Each system uses the schemes that its specification
/// names.
pub fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        "gopher" => Some(70),
        "telnet" => Some(23),
        "nntp" => Some(119),
        "ldap" => Some(389),
        "rtsp" => Some(554),
        _ => None,
    }
}
