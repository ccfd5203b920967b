//! The statements of a publisher about an edition of a list, on the command line.

use clap::Args;
use urlid_lists::{Date, Edition, Publisher};

use crate::clock;
use crate::report::message;

/// The edition of a list.
#[derive(Debug, Args)]
pub(super) struct EditionArgs {
    /// The publisher of the list, for its header: a name or an address
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    publisher: Option<Publisher>,

    /// The number of this edition, for the header; each edition has a greater one than those before it
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    sequence: Option<u64>,

    /// When the list was made, for the header: as 2026-01-31, or as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "DATE")]
    made: Option<Date>,

    /// From when on the list is no longer to be used, for the header
    #[arg(long, value_name = "DATE", hide_short_help = true)]
    expires: Option<Date>,
}

impl EditionArgs {
    /// Returns what was given, for the header of a list.
    pub(super) fn edition(&self) -> Edition {
        let Self { publisher, sequence, made, expires } = self;
        if let Some(expires) = expires.filter(|expires| expires.seconds() <= clock::now()) {
            message::print(&format!(
                "--expires {expires}: this is over, so no reader who trusts the list uses it"
            ));
        }
        Edition { publisher: publisher.clone(), sequence: *sequence, made: *made, expires: *expires }
    }
}
