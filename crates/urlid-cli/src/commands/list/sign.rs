//! Signing, in the format of minisign: Ed25519 over the BLAKE2b-512 of a file, in a file next to it.
//!
//! Secret keys have the format that minisign writes without a password (`minisign -G -W`). Verifying is in
//! `urlid_lists`.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use blake2::digest::consts::U32;
use blake2::{Blake2b, Blake2b512, Digest};
use clap::Args;
use ed25519_compact::{KeyPair, SecretKey, Seed};
use urlid::{ErrorCode, ErrorKind};
use urlid_io::files::{Existing, NewFile};

use crate::input::bounded::read_text;
use crate::output::escape::Escaped;
use crate::output::files::{self, FilesInUse};
use crate::report::exit::{Exit, Failure};
use crate::report::message;

const NOT_A_KEY: ErrorKind =
    ErrorKind::new(ErrorCode::Key, "secret key is malformed: expected a secret key written by minisign");
const ENCRYPTED: ErrorKind = ErrorKind::new(ErrorCode::Key, "secret key is protected by a password");

/// The parts of a secret key file: algorithms of signature, key derivation and checksum; salt and limits of
/// the derivation; the number of the key, its 64 bytes, and their checksum.
const SECRET: usize = 2 + 2 + 2 + 32 + 8 + 8 + 8 + 64 + 32;
// The offset of the number in the file. The parts before it have 2 + 2 + 2 + 32 + 8 + 8 bytes.
const NUMBER: usize = 54;

/// The choice of a signing key.
#[derive(Debug, Args)]
pub(super) struct SignArgs {
    /// Sign the output with the secret key in this file
    ///
    /// The signature is a file next to the output, with `.minisig` added to its name. Keys are made by `urlid
    /// list key` or by `minisign -G -W`.
    #[arg(long, value_name = "KEY", requires = "out", hide_short_help = true)]
    sign: Option<PathBuf>,
}

impl SignArgs {
    /// Returns the file of the key.
    pub(super) fn path(&self) -> Option<&Path> {
        self.sign.as_deref()
    }

    /// Reads the key, if one was named.
    pub(super) fn read(&self) -> Result<Option<Signer>, Failure> {
        self.sign.as_deref().map(Signer::read).transpose()
    }
}

/// Returns the file of the signature of a file.
pub(super) fn signature_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".minisig");
    name.into()
}

/// A secret key.
pub(super) struct Signer {
    number: [u8; 8],
    key: SecretKey,
}

impl Signer {
    /// Makes a key of random bytes.
    pub(super) fn from_random(random: [u8; 40]) -> Self {
        let (seed, number) = random.split_at(32);
        let seed = Seed::from_slice(seed).expect("a seed has 32 bytes");
        let number = number.try_into().expect("8 bytes are left of 40");
        Self { number, key: KeyPair::from_seed(seed).sk }
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path)?;
        let failed = |kind: ErrorKind| Failure::of_file(path, &kind.error());
        // The first line is a comment, which is not authenticated.
        let bytes = text.lines().nth(1).and_then(|line| STANDARD.decode(line.trim()).ok());
        let bytes: [u8; SECRET] =
            bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| failed(NOT_A_KEY))?;
        // The function that derives a key from the password. It is zeros if the key lacks a password.
        if bytes[2..4] != [0, 0] {
            return Err(failed(ENCRYPTED).with_hint("`minisign -C -W` removes the password of a key"));
        }
        let (number, key) = (&bytes[NUMBER..NUMBER + 8], &bytes[NUMBER + 8..NUMBER + 72]);
        // minisign writes zeros for the checksum of a key without a password.
        let is_checked = [checksum(number, key), [0; 32]].iter().any(|sum| bytes[NUMBER + 72..] == *sum);
        let is_whole = bytes[..2] == *b"Ed" && bytes[4..6] == *b"B2" && is_checked;
        match (SecretKey::from_slice(key), is_whole) {
            (Ok(key), true) => Ok(Self { number: number.try_into().expect("it has 8 bytes"), key }),
            _ => Err(failed(NOT_A_KEY)),
        }
    }

    /// Returns the text of the file of the secret key.
    pub(super) fn secret_text(&self) -> String {
        let mut bytes = b"Ed\0\0B2".to_vec();
        // Salt and costs of the derivation from a password, which is not used here.
        bytes.extend([0; 48]);
        bytes.extend(self.number);
        bytes.extend(self.key.as_ref());
        bytes.extend(checksum(&self.number, self.key.as_ref()));
        format!("untrusted comment: minisign secret key {}\n{}\n", self.name(), STANDARD.encode(bytes))
    }

    /// Returns the text of the file of the public key.
    pub(super) fn public_text(&self) -> String {
        let bytes = [&b"Ed"[..], &self.number, &self.key.public_key()[..]].concat();
        format!("untrusted comment: minisign public key {}\n{}\n", self.name(), STANDARD.encode(bytes))
    }

    /// Returns the number of the key as minisign prints it.
    fn name(&self) -> String {
        // minisign prints the numbers of keys like this, so the names can be compared.
        format!("{:016X}", u64::from_le_bytes(self.number))
    }

    /// Returns the text of the signature of some bytes. The comment is also signed.
    pub(super) fn sign(&self, bytes: &[u8], comment: &str) -> String {
        // The digest is signed, so that a verifier can read the list as a stream instead of into memory.
        let signature = self.key.sign(Blake2b512::digest(bytes), None);
        // The comment is included, because it could otherwise be changed, or moved to a different signature.
        let global = self.key.sign([&signature[..], comment.as_bytes()].concat(), None);
        // `ED` is a signature of the digest of a file, `Ed` would be one of the file itself.
        let first = STANDARD.encode([&b"ED"[..], &self.number, &signature[..]].concat());
        format!(
            "untrusted comment: signature by minisign secret key {}\n{first}\ntrusted comment: {comment}\n{}\n",
            self.name(),
            STANDARD.encode(&global[..])
        )
    }

    /// Writes the signature of a file with these bytes.
    pub(super) fn sign_file(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // A tab would start the next field of the comment, and a line end would end the comment.
        let name: String = name.chars().filter(|character| !character.is_control()).collect();
        write_signature(path, &self.sign(bytes, &format!("file:{name}\thashed")))
    }
}

/// Writes the text of the signature of a file.
pub(super) fn write_signature(path: &Path, text: &str) -> Result<(), Failure> {
    write_file(&signature_path(path), text.as_bytes())
}

/// Writes a file, which appears when it is complete.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = files::create(path)?;
    let written = file.write_all(bytes).and_then(|()| file.publish());
    written.map_err(|error| Failure::write(path, &error))
}

/// The checksum of a secret key.
fn checksum(number: &[u8], key: &[u8]) -> [u8; 32] {
    Blake2b::<U32>::digest([b"Ed", number, key].concat()).into()
}

/// Returns random bytes for a key.
pub(super) fn random() -> Result<[u8; 40], Failure> {
    let mut bytes = [0; 40];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(Failure::failed(format!("ERR_IO: the system gave no random numbers: {error}"))),
    }
}

/// Returns the path of the signature of an output, if the command signs.
pub(super) fn signature_of(out: Option<&Path>, key: Option<&Path>) -> Option<PathBuf> {
    key.and(out).map(signature_path)
}

/// Make a pair of keys: a secret one to sign lists, and a public one for readers to trust them
///
/// The files have the format of minisign. The secret key has no password, so keep it where only the publisher
/// can read it. Existing files are not replaced.
///
/// Example: urlid list key --secret bad.key --public bad.pub
#[derive(Debug, Args)]
pub(crate) struct KeyArgs {
    /// Write the secret key to this file
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,

    /// Write the public key to this file
    #[arg(long, value_name = "FILE")]
    public: PathBuf,
}

pub(crate) fn run_key(args: &KeyArgs) -> Result<Exit, Failure> {
    if let Some(path) = [&args.secret, &args.public].into_iter().find(|path| path.symlink_metadata().is_ok())
    {
        let path = Escaped::path(path);
        return Err(Failure::failed(format!(
            "{path}: ERR_IO: the file exists: expected a new name, because keys are not replaced"
        )));
    }
    let mut files = FilesInUse::default();
    files.write("--secret", Some(&args.secret))?;
    files.write("--public", Some(&args.public))?;
    let signer = Signer::from_random(random()?);
    let write = |path: &Path, file: io::Result<NewFile>, text: &str| {
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()).map(|()| file));
        written.map_err(|error| Failure::write(path, &error))
    };
    let secret = write(&args.secret, NewFile::create_private(&args.secret), &signer.secret_text())?;
    let public = NewFile::create(&args.public, Existing::Keep);
    let public = write(&args.public, public, &signer.public_text())?;
    // The secret key is published first, so that a crash between the two cannot leave a public key without
    // its secret one. Both are already written, so a full disk leaves neither.
    secret.publish().map_err(|error| Failure::write(&args.secret, &error))?;
    public.publish().map_err(|error| {
        // The key is unused, and an existing key would block the next attempt.
        let _ = fs::remove_file(&args.secret);
        Failure::write(&args.public, &error)
    })?;
    message::print(&format!("{}: publish this key", Escaped::path(&args.public)));
    Ok(Exit::Done)
}
