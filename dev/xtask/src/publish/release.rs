//! `cargo xtask release --check` builds all parts of a release that this machine can build, and checks the
//! contents of each file. `cargo xtask formula` prints the formula of Homebrew for its archives.
//!
//! `.github/workflows/release.yml` makes the release (docs/releasing.md).

use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

use super::{folder, program, wheel};
use crate::build;
use crate::command::{cache, finish, finish_quietly, report, root};

/// The placeholder for the project's address.
const PLACEHOLDER: &str = "https://example.org/";
/// The archives that Homebrew installs: the system, the processor, and the triple in the name.
const BREWED: [(&str, &str, &str); 4] = [
    ("on_macos", "on_arm", "aarch64-apple-darwin"),
    ("on_macos", "on_intel", "x86_64-apple-darwin"),
    ("on_linux", "on_arm", "aarch64-unknown-linux-gnu"),
    ("on_linux", "on_intel", "x86_64-unknown-linux-musl"),
];

/// Takes `--check`.
#[expect(clippy::print_stdout, reason = "the placeholder is the output")]
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if args != ["--check"] {
        return Err("expected --check, because .github/workflows/release.yml makes releases".to_owned());
    }
    report("== packages of the crates");
    dry_run()?;
    report("== program");
    let files = program::dist()?;
    // The formula itself is made from the archives of all machines.
    formula_of(&folder()?)?;
    report("== wheel and source distribution");
    let python = wheel::wheels()?;
    report("== npm package");
    let mut pack = Command::new("npm");
    finish(pack.args(["pack", "--silent", "--pack-destination"]).arg(folder()?).arg(build::make("js")?))?;
    let npm = folder()?.join(format!("urlid-{}.tgz", env!("CARGO_PKG_VERSION")));
    report("== contents");
    for file in files.iter().chain(&python).chain([&npm]) {
        check(file)?;
    }
    match placeholder()? {
        Some(found) => println!("1 placeholder: {found}"),
        None => println!("0 placeholders"),
    }
    Ok(())
}

/// Publishes the crates without sending them. The folder is empty and has a new name, because Cargo trusts the
/// packages of an earlier run, and the sources that it unpacked under `CARGO_HOME` for a folder of this name.
fn dry_run() -> Result<(), String> {
    let target = cache()?.join(format!("release-target-{}", std::process::id()));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["publish", "--workspace", "--dry-run", "--allow-dirty", "--target-dir"]).arg(&target);
    // Debug information would take a third of the time.
    let done = finish(cargo.current_dir(root()?).env("CARGO_PROFILE_DEV_DEBUG", "0"));
    done.and(std::fs::remove_dir_all(&target).map_err(|error| format!("{}: {error}", target.display())))
}

/// Fails if a file lacks contents that its users need.
fn check(file: &Path) -> Result<(), String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let (mut list, wanted): (Command, &[&str]) = if name.ends_with(".deb") {
        let mut dpkg = Command::new("dpkg-deb");
        dpkg.arg("--contents").arg(file);
        (dpkg, &["/usr/bin/urlid", "/man1/urlid.1", "/completions/urlid", "/copyright"])
    } else if name.ends_with(".json") {
        let mut cat = Command::new("cat");
        cat.arg(file);
        (cat, &["CycloneDX", "\"idna\""])
    } else if name.ends_with(".whl") {
        let mut unzip = Command::new("python3");
        unzip.args(["-m", "zipfile", "--list"]).arg(file);
        (
            unzip,
            &[
                "urlid/py.typed",
                "urlid/_urlid.pyi",
                "_urlid.abi3.so",
                "LICENSE-THIRD-PARTY.txt",
                "LICENSE-MPL",
            ],
        )
    } else {
        let mut tar = Command::new("tar");
        tar.arg("--list").arg("--file").arg(file);
        let wanted: &[&str] = if name.ends_with(".tgz") {
            &[
                "package/suffix.js",
                "package/suffix.d.ts",
                "package/lib/suffix.wasm",
                "package/README.md",
                "package/LICENSE-MPL",
            ]
        } else if name.contains("linux") {
            &["/urlid\n", "/man/urlid.1", "/completions/_urlid", "/LICENSE-THIRD-PARTY.txt"]
        } else {
            &["/PKG-INFO", "/Cargo.lock", "/LICENSE-MIT", "/LICENSE-THIRD-PARTY.txt"]
        };
        (tar, wanted)
    };
    let printed = finish_quietly(&mut list)?;
    match wanted.iter().find(|part| !printed.contains(*part)) {
        Some(part) => Err(format!("{}: found no {}", file.display(), part.trim())),
        None => Ok(()),
    }
}

/// Returns the address of the project with the tracked files that repeat it, unless it was chosen.
fn placeholder() -> Result<Option<String>, String> {
    let address = env!("CARGO_PKG_REPOSITORY");
    let Some(name) = address.strip_prefix("https://").filter(|_| address.starts_with(PLACEHOLDER)) else {
        return Ok(None);
    };
    // Without the scheme, because a forge's name of a repository lacks it.
    let mut git = Command::new("git");
    git.args(["grep", "--files-with-matches", "--fixed-strings", name]).current_dir(root()?);
    let files = finish_quietly(&mut git)?;
    let others: Vec<&str> = files.lines().filter(|file| *file != "Cargo.toml").collect();
    Ok(Some(format!("repository = \"{address}\" in Cargo.toml, repeated in {}", others.join(", "))))
}

/// Reads a folder of archives and prints the formula.
#[expect(clippy::print_stdout, reason = "the formula is the output")]
pub(crate) fn formula(args: &[String]) -> Result<(), String> {
    let [folder] = args else { return Err("expected a folder of archives".to_owned()) };
    print!("{}", formula_of(Path::new(folder))?);
    Ok(())
}

fn formula_of(folder: &Path) -> Result<String, String> {
    let (version, address) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_REPOSITORY"));
    let mut blocks = String::new();
    for (system, processor, triple) in BREWED {
        let name = format!("urlid-{version}-{triple}.tar.gz");
        let Ok(bytes) = std::fs::read(folder.join(&name)) else { continue };
        let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let url = format!("{address}/releases/download/v{version}/{name}");
        blocks += &format!(
            "  {system} do\n    {processor} do\n      url \"{url}\"\n      sha256 \"{digest}\"\n    end\n  end\n"
        );
    }
    if blocks.is_empty() {
        return Err(format!("{}: found no archive of the release", folder.display()));
    }
    Ok(format!(
        "class Urlid < Formula
  desc \"Canonical forms, identifiers, indexes and hidden lists of URLs\"
  homepage \"{address}\"
  version \"{version}\"
  license any_of: [\"MIT\", \"Apache-2.0\"]
{blocks}
  def install
    bin.install \"urlid\"
    man1.install Dir[\"man/*.1\"]
    bash_completion.install \"completions/urlid\"
    zsh_completion.install \"completions/_urlid\"
    fish_completion.install \"completions/urlid.fish\"
  end

  test do
    assert_match \"1002397f\", shell_output(\"#{{bin}}/urlid id https://docs.rs/\")
  end
end
"
    ))
}
