//! `urlid list key`: a pair of keys to sign lists with.

use std::path::PathBuf;

use clap::Args;

use super::sign::{self, Signer, write_file};
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Make a pair of keys: a secret one, to sign lists with, and a public one, by which readers trust them
///
/// The files are those of minisign. The secret key has no password: keep it where only the publisher can read it. Files that
/// exist are not replaced.
///
/// Example: urlid list key --secret bad.key --public bad.pub
#[derive(Debug, Args)]
pub(crate) struct KeyArgs {
    /// The file to write the secret key to
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,

    /// The file to write the public key to
    #[arg(long, value_name = "FILE")]
    public: PathBuf,
}

/// Makes the keys.
pub(crate) fn run(args: &KeyArgs) -> Result<Exit, Failure> {
    if let Some(path) = [&args.secret, &args.public].into_iter().find(|path| path.symlink_metadata().is_ok())
    {
        let path = Escaped::path(path);
        return Err(Failure::failed(format!("{path}: ERR_IO: the file exists, and keys are not replaced")));
    }
    let mut files = FilesInUse::default();
    files.write("--secret", Some(&args.secret))?;
    files.write("--public", Some(&args.public))?;
    let signer = Signer::from_random(sign::random()?);
    // The secret key comes first: after a crash between the two there is no public key without its secret
    // one.
    write_secret(&args.secret, &signer.secret_text())?;
    write_file(&args.public, signer.public_text().as_bytes())?;
    message::print(&format!("{}: publish this key", Escaped::path(&args.public)));
    Ok(Exit::Done)
}

/// Writes the secret key, which only its owner can read.
fn write_secret(path: &std::path::Path, text: &str) -> Result<(), Failure> {
    use std::io::Write;
    // Not a `NewFile`, which gives a new file the permissions of the umask. `create_new` follows no link and
    // replaces nothing.
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| Failure::write(path, &error))
}
