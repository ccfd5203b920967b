//! Signals: an interrupted program ends with 128 plus the signal's number.
//!
//! A command that has work to finish calls [`stop_gracefully`] first. After a signal [`is_stopping`] is true,
//! reads that wait for input return, and only a second signal ends the program at once.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use urlid_io::files::remove_unpublished;
use urlid_io::lines::Interrupt;

/// Whether the command checks `is_stopping` and ends in order.
static IS_GRACEFUL: AtomicBool = AtomicBool::new(false);

/// Whether such a command has received a signal.
static IS_STOPPING: AtomicBool = AtomicBool::new(false);

/// Whether the work that it would have stopped is done.
static IS_TOO_LATE: AtomicBool = AtomicBool::new(false);

/// The exit code of that signal.
static STOPPED_BY: AtomicU8 = AtomicU8::new(0);

/// Ends reads that wait for input.
static READ_INTERRUPT: OnceLock<Interrupt> = OnceLock::new();

/// Makes the command end in order after SIGINT, SIGTERM or SIGHUP. A second signal ends the program at once.
pub(crate) fn stop_gracefully() {
    IS_GRACEFUL.store(true, Ordering::SeqCst);
}

/// Returns whether the command must stop.
pub(crate) fn is_stopping() -> bool {
    IS_STOPPING.load(Ordering::SeqCst)
}

/// Returns the exit code of the signal that stopped the command.
pub(crate) fn exit_code() -> Option<u8> {
    (is_stopping() && !IS_TOO_LATE.load(Ordering::SeqCst)).then(|| STOPPED_BY.load(Ordering::SeqCst))
}

/// Records that the command has completed its work, so that a signal that arrives too late does not change
/// the exit code.
pub(crate) fn too_late() {
    IS_TOO_LATE.store(true, Ordering::SeqCst);
}

/// Returns the interrupt of reads that wait for a pipe or a terminal.
pub(crate) fn read_interrupt() -> &'static Interrupt {
    READ_INTERRUPT.get().expect("it is made when the program starts")
}

/// Ends every read that waits for a pipe or a terminal, now and later.
pub(crate) fn interrupt_reads() {
    read_interrupt().trigger();
}

/// Prepares for signals.
pub(crate) fn install() -> io::Result<()> {
    let interrupt = Interrupt::new()?;
    READ_INTERRUPT.set(interrupt).expect("signals are installed once");
    take_over()
}

/// Stops the command, or ends the program at once if the command does not end in order or is stopping
/// already.
fn stop(code: i32) {
    if !IS_GRACEFUL.load(Ordering::SeqCst) || is_stopping() {
        // `exit` does not run destructors, so temporary files are removed here.
        remove_unpublished();
        std::process::exit(code);
    }
    // At most 128 + 15, for SIGTERM.
    STOPPED_BY.store(code as u8, Ordering::SeqCst);
    // Stored after the code, which is read once this is true, and before the interrupt, so that the error of
    // the read means a stop.
    IS_STOPPING.store(true, Ordering::SeqCst);
    interrupt_reads();
}

/// Takes over the signals.
#[cfg(unix)]
fn take_over() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // With any handler, a write over the limit of file sizes returns EFBIG. The default action of the signal
    // would end the program.
    signal_hook::flag::register(SIGXFSZ, std::sync::Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    // `nohup` ignores SIGHUP, and a handler would undo that.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    // A thread instead of a handler, because `stop` takes locks and removes files, which is not allowed in a
    // handler.
    std::thread::Builder::new().name("urlid-signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            stop(128 + signal);
        }
    })?;
    Ok(())
}

/// Returns whether a signal was ignored when the program started, as far as the system shows it.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit is signal 1.
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Takes over Ctrl+C, Ctrl+Break and the end of the session, all as SIGINT.
#[cfg(windows)]
fn take_over() -> io::Result<()> {
    ctrlc::set_handler(|| stop(128 + 2)).map_err(io::Error::other)
}
