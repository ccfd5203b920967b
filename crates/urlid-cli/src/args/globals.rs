//! The options of every verb.

use anstream::ColorChoice;
use clap::Args;

use crate::args::choice::choice;
use crate::args::psl::PslArgs;

/// Options of every verb.
#[derive(Debug, Args)]
pub(crate) struct Globals {
    #[command(flatten)]
    pub(crate) psl: PslArgs,

    /// When to use colour
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        default_value = "auto",
        value_name = "WHEN",
        value_parser = choice([
            ("auto", ColorChoice::Auto, "When writing to a terminal, unless the variable NO_COLOR is set"),
            ("always", ColorChoice::Always, "Always"),
            ("never", ColorChoice::Never, "Never"),
        ]),
        help_heading = "Global options"
    )]
    pub(crate) color: ColorChoice,

    /// Print errors only: no progress, no notes, no refused lines
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,
}
