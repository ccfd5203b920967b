//! A progress bar on standard error, if that is a terminal.
//!
//! It shows the state of the work, with numbers in powers of ten. Its last field is either the remaining or
//! the elapsed time, and is labelled accordingly.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::report::message;
use crate::report::signals;

/// The time after which a bar appears.
const DELAY: Duration = Duration::from_millis(500);

/// How often the time is shown anew.
const TICK: Duration = Duration::from_millis(250);

/// Returns whether progress is shown at all.
fn is_shown() -> bool {
    std::io::stderr().is_terminal() && !message::is_quiet()
}

fn style(template: &str) -> ProgressStyle {
    // A template may have the name of a file, and in that braces, which make it invalid.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Progress in bytes of stored input, or in items if the size is unknown.
#[derive(Clone, Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Returns a bar that is never shown.
    pub(crate) fn hidden() -> Self {
        Progress(ProgressBar::hidden())
    }

    /// Starts to show bytes read, of `total` if that is known.
    pub(crate) fn bytes(total: Option<u64>) -> Self {
        let template = match total {
            Some(_) => {
                "{msg}{decimal_bytes} of {decimal_total_bytes} [{wide_bar}] {percent}% {decimal_bytes_per_sec} {eta} left"
            }
            None => "{msg}{decimal_bytes} {decimal_bytes_per_sec} {elapsed} elapsed",
        };
        Self::start(total, template)
    }

    /// Starts to show a count of `what`, of `total` if that is known.
    pub(crate) fn count(total: Option<u64>, what: &str) -> Self {
        let template = match total {
            Some(_) => {
                format!("{{human_pos}} of {{human_len}} {what} [{{wide_bar}}] {{percent}}% {{eta}} left")
            }
            None => format!("{{human_pos}} {what} {{per_sec}} {{elapsed}} elapsed"),
        };
        Self::start(total, &template)
    }

    /// Shows `what` and its elapsed time, for work of unknown size.
    pub(crate) fn work(what: &str) -> Self {
        Self::start(None, &format!("{what} {{elapsed}} elapsed"))
    }

    /// Makes a bar that appears after [`DELAY`], so that short work does not show one.
    fn start(total: Option<u64>, template: &str) -> Self {
        if !is_shown() {
            return Self::hidden();
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        bar.set_style(style(template));
        // Weak, so that the thread does not keep the bar of work that is over.
        let shown = bar.downgrade();
        // If the thread cannot be started, the bar is missing, but the work is done.
        let _ = thread::Builder::new().spawn(move || {
            thread::sleep(DELAY);
            // The work may already be over and the bar gone.
            if let Some(bar) = shown.upgrade().filter(|bar| !bar.is_finished()) {
                bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
                // The time advances while the position is unchanged.
                bar.enable_steady_tick(TICK);
            }
        });
        Progress(bar)
    }

    /// Changes the total, if it becomes known only after the work has started.
    pub(crate) fn set_total(&self, total: u64) {
        self.0.set_length(total);
    }

    /// Shows how far the work is.
    pub(crate) fn set(&self, position: u64) {
        self.0.set_position(position);
    }

    /// Shows how far the work is, and returns `Break` after a signal.
    pub(crate) fn advance(&self, position: u64) -> ControlFlow<()> {
        self.set(position);
        if signals::is_stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Runs `print`, which writes to standard error, without breaking the bar.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.0.suspend(print)
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
