//! Colour: on a terminal, unless the environment or `--color` disables it.

use std::io;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// Colours that are legible on light and dark terminals.
pub(crate) const RED: Style = AnsiColor::Red.on_default();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();
pub(crate) const BLUE: Style = AnsiColor::Blue.on_default();
pub(crate) const MAGENTA: Style = AnsiColor::Magenta.on_default();
pub(crate) const CYAN: Style = AnsiColor::Cyan.on_default();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// Returns `text` in a style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}

/// Returns a styled text as standard output should have it.
pub(crate) fn for_stdout(choice: ColorChoice, text: String) -> String {
    let choice = match choice {
        ColorChoice::Auto => AutoStream::choice(&io::stdout()),
        chosen => chosen,
    };
    match choice {
        ColorChoice::Never => strip_str(&text).to_string(),
        _ => text,
    }
}
