//! Colour for people: on a terminal, unless `NO_COLOR` or `--color` says otherwise.

use std::io::IsTerminal;

use clap::ValueEnum;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, if the variable NO_COLOR is not set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl When {
    /// Decides for `stream`.
    pub(crate) fn on(self, stream: &impl IsTerminal) -> Paint {
        let is_wanted = match self {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let is_unwelcome = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                stream.is_terminal() && !is_unwelcome && !is_dumb
            }
        };
        if is_wanted { Paint::Colored } else { Paint::Plain }
    }
}

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Colored,
    Plain,
}

impl Paint {
    /// Returns `text` in a colour of the terminal's eight, or as it is.
    pub(crate) fn paint(self, color: Color, text: &str) -> String {
        match self {
            Paint::Colored if !text.is_empty() => format!("\x1b[{}m{text}\x1b[0m", color.code()),
            _ => text.to_owned(),
        }
    }
}

/// A colour that is legible on light and dark terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
    Bold,
    Dim,
}

impl Color {
    fn code(self) -> &'static str {
        match self {
            Color::Red => "31",
            Color::Green => "32",
            Color::Yellow => "33",
            Color::Blue => "34",
            Color::Magenta => "35",
            Color::Cyan => "36",
            Color::Bold => "1",
            Color::Dim => "2",
        }
    }
}
