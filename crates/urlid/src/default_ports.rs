//! The default ports of schemes, in one table. Each system uses the schemes that its specification names.

/// Returns the default port of a scheme in lower case.
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
