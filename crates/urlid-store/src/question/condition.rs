//! The table of conditions: the properties of a URL that a question can ask for, their names, and the syntax
//! of their values.
//!
//! Everything that users see of conditions is derived from it: options of the program, files of questions,
//! columns of `urlid_find`, keywords of Python, and fields of JavaScript and the page.

use std::fmt;

/// A property of a URL that a question can require.
///
/// ```
/// use urlid_store::question::Condition;
///
/// assert_eq!(Condition::from_name("path-prefix"), Some(Condition::PathPrefix));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// The scheme without its colon, in any letter case.
    Scheme,
    /// The whole host, or an empty text for URLs without one. Excludes `Tld`, `Domain` and `Sub`.
    Host,
    /// A name that equals the host or a parent of it. An address matches only itself.
    Under,
    /// The domain and its public suffix, by the suffix list of the index. Empty for hosts without one.
    /// Excludes `Host`, `Tld` and `Domain`.
    RegisteredDomain,
    /// The public suffix, without a leading dot.
    Tld,
    /// The label left of the public suffix. A value with a dot is a registered domain.
    Domain,
    /// The labels left of the domain. Empty if there are none.
    Sub,
    /// The port, if one is written.
    Port,
    /// The path, with its leading slash. It may lack the slash only if a scheme like `mailto` or an empty
    /// host is required.
    Path,
    /// A prefix of the path, with its leading slash.
    PathPrefix,
    /// The query without its `?`; empty if there is none.
    Query,
    /// The fragment without its `#`; empty if there is none.
    Fragment,
    /// Optional parts that are present: `sub`, `query`, `fragment`, `port`, with commas between them.
    Has,
    /// Optional parts that are absent.
    Lacks,
}

/// The kind of value that a condition compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compared {
    /// A part of a URL that is a text.
    Text,
    /// A part of a URL that is a number.
    Number,
    /// A property that is not a part of a URL. Its value is a text.
    Property,
}

/// A row of the table.
#[derive(Clone, Copy)]
struct ConditionRow {
    condition: Condition,
    name: &'static str,
    value_name: &'static str,
    compared: Compared,
    help: &'static str,
    label: &'static str,
    example: &'static str,
}

/// The conditions in the order of a URL's parts, which is the order of the variants.
const TABLE: &[ConditionRow] = &[
    ConditionRow {
        condition: Condition::Scheme,
        name: "scheme",
        value_name: "SCHEME",
        compared: Compared::Text,
        help: "The scheme",
        label: "Scheme",
        example: "https",
    },
    ConditionRow {
        condition: Condition::Host,
        name: "host",
        value_name: "HOST",
        compared: Compared::Text,
        help: "The whole host, or an address; an empty text finds URLs without a host",
        label: "Host",
        example: "www.example.org",
    },
    ConditionRow {
        condition: Condition::Under,
        name: "under",
        value_name: "NAME",
        compared: Compared::Property,
        help: "A host and everything below it: github.io, en.wikipedia.org, ai",
        label: "Host, or any below it",
        example: "github.io",
    },
    ConditionRow {
        condition: Condition::RegisteredDomain,
        name: "registered-domain",
        value_name: "DOMAIN",
        compared: Compared::Text,
        help: "The domain with its public suffix: google.com; an empty text finds hosts without one",
        label: "Registered domain",
        example: "example.co.uk",
    },
    ConditionRow {
        condition: Condition::Tld,
        name: "tld",
        value_name: "SUFFIX",
        compared: Compared::Text,
        help: "The public suffix: com, co.uk",
        label: "Public suffix",
        example: "co.uk",
    },
    ConditionRow {
        condition: Condition::Domain,
        name: "domain",
        value_name: "LABEL",
        compared: Compared::Text,
        help: "The label left of the public suffix: google",
        label: "Domain",
        example: "example",
    },
    ConditionRow {
        condition: Condition::Sub,
        name: "sub",
        value_name: "LABELS",
        compared: Compared::Text,
        help: "The labels left of the domain: www; an empty text finds hosts without any",
        label: "Subdomain",
        example: "www",
    },
    ConditionRow {
        condition: Condition::Port,
        name: "port",
        value_name: "PORT",
        compared: Compared::Number,
        help: "The port, if one is written in the URL",
        label: "Port, if written",
        example: "8443",
    },
    ConditionRow {
        condition: Condition::Path,
        name: "path",
        value_name: "PATH",
        compared: Compared::Text,
        help: "The path as written, with its leading slash; without it only for a scheme like mailto or an empty host",
        label: "Whole path",
        example: "/docs/index.html",
    },
    ConditionRow {
        condition: Condition::PathPrefix,
        name: "path-prefix",
        value_name: "PATH",
        compared: Compared::Property,
        help: "A prefix of the path as written, with its leading slash",
        label: "Path begins with",
        example: "/docs/",
    },
    ConditionRow {
        condition: Condition::Query,
        name: "query",
        value_name: "QUERY",
        compared: Compared::Text,
        help: "The query as written, without its question mark; an empty text finds URLs without a query",
        label: "Query",
        example: "lang=en",
    },
    ConditionRow {
        condition: Condition::Fragment,
        name: "fragment",
        value_name: "FRAGMENT",
        compared: Compared::Text,
        help: "The fragment as written, without its number sign; an empty text finds URLs without a fragment",
        label: "Fragment",
        example: "top",
    },
    ConditionRow {
        condition: Condition::Has,
        name: "has",
        value_name: "PARTS",
        compared: Compared::Property,
        help: "Parts that are present: sub, query, fragment, port; a comma-separated list",
        label: "Parts that are present",
        example: "query,port",
    },
    ConditionRow {
        condition: Condition::Lacks,
        name: "lacks",
        value_name: "PARTS",
        compared: Compared::Property,
        help: "Parts that are absent: sub, query, fragment, port; a comma-separated list",
        label: "Parts that are absent",
        example: "sub,fragment",
    },
];

impl Condition {
    /// Every condition, in the order of a URL's parts.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Scheme; TABLE.len()];
        let mut index = 0;
        while index < TABLE.len() {
            all[index] = TABLE[index].condition;
            assert!(all[index] as usize == index, "a row is in the place of its variant");
            index += 1;
        }
        all
    };

    const fn row(self) -> &'static ConditionRow {
        &TABLE[self as usize]
    }

    /// Returns the name for users.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the condition with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|condition| condition.name() == name)
    }

    /// Returns the kind of value that the condition compares.
    #[must_use]
    pub const fn compared(self) -> Compared {
        self.row().compared
    }

    /// Returns the placeholder of a value in usage texts.
    #[must_use]
    pub const fn value_name(self) -> &'static str {
        self.row().value_name
    }

    /// Returns the meaning, for users.
    #[must_use]
    pub const fn help(self) -> &'static str {
        self.row().help
    }

    /// Returns the label of its field in a form.
    #[must_use]
    pub const fn label(self) -> &'static str {
        self.row().label
    }

    /// Returns a value as an example.
    #[must_use]
    pub const fn example(self) -> &'static str {
        self.row().example
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
