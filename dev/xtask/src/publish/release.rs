//! `cargo xtask release --check`: all of a release that this machine can build, with what must be in each file;
//! and `cargo xtask formula`, the formula of Homebrew for its archives.
//!
//! The release itself is made by `.github/workflows/release.yml` (CONTRIBUTING.md).

use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

use super::{folder, program, wheel};
use crate::command::{cache, finish, finish_quietly, report, root};
use crate::{build, package};

/// The address of the project until it has one.
const PLACEHOLDER: &str = "https://example.org/";
/// The archives that Homebrew installs: the system, the processor, and the triple in the name.
const BREWED: [(&str, &str, &str); 4] = [
    ("on_macos", "on_arm", "aarch64-apple-darwin"),
    ("on_macos", "on_intel", "x86_64-apple-darwin"),
    ("on_linux", "on_arm", "aarch64-unknown-linux-gnu"),
    ("on_linux", "on_intel", "x86_64-unknown-linux-musl"),
];

/// Takes `--check`.
#[expect(clippy::print_stdout, reason = "the placeholders are the output")]
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if args != ["--check"] {
        return Err("takes --check: .github/workflows/release.yml makes releases".to_owned());
    }
    report("== packages of the crates");
    package::run(&[])?;
    dry_run()?;
    report("== program");
    let files = program::dist()?;
    let brewed = formula_of(&folder()?)?;
    write(&folder()?.join("urlid.rb"), &brewed)?;
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
    report("== pip wheel of the source distribution");
    let source = python.iter().find(|file| file.extension().is_some_and(|end| end == "gz"));
    build_by_pip(source.ok_or("maturin made no source distribution")?)?;
    let found = placeholders()?;
    for file in &found {
        println!("has the placeholder {PLACEHOLDER}: {file}");
    }
    println!("{} files have the placeholder of the address, which Cargo.toml sets", found.len());
    Ok(())
}

/// Publishes the crates without sending them. In an empty folder: Cargo trusts the packages of an earlier run.
fn dry_run() -> Result<(), String> {
    let target = cache()?.join("release-target");
    if target.exists() {
        std::fs::remove_dir_all(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["publish", "--workspace", "--dry-run", "--allow-dirty", "--target-dir"]).arg(target);
    finish(cargo.current_dir(root()?))
}

/// Fails if a file lacks what its users look for.
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

/// Builds a wheel of the source distribution as `pip install` does, and uses it in an empty environment.
fn build_by_pip(source: &Path) -> Result<(), String> {
    let folder = cache()?.join("release-pip");
    let bin = folder.join("environment/bin");
    finish(Command::new("python3.11").args(["-m", "venv", "--clear"]).arg(folder.join("environment")))?;
    let mut pip = Command::new(bin.join("pip"));
    pip.args(["wheel", "--quiet", "--no-deps", "--wheel-dir"]).arg(&folder).arg(source);
    // As on a machine of a stranger: neither a configuration nor a build of the checkout.
    finish(pip.current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target")))?;
    let mut install = Command::new(bin.join("pip"));
    install.args(["install", "--quiet", "--no-index", "--find-links"]).arg(&folder).arg("urlid");
    finish(&mut install)?;
    let example = "import urlid; print(urlid.registered_domain('https://www.example.co.uk/'))";
    let printed = finish_quietly(Command::new(bin.join("python")).args(["-I", "-c", example]))?;
    if printed.trim() == "example.co.uk" { Ok(()) } else { Err(format!("the wheel prints {printed}")) }
}

/// Returns the tracked files with the placeholder, but for those that look for it.
fn placeholders() -> Result<Vec<String>, String> {
    let mut git = Command::new("git");
    git.args([
        "grep",
        "--files-with-matches",
        "--fixed-strings",
        PLACEHOLDER,
        "--",
        "*.toml",
        "*.json",
        "*.md",
        "*.cff",
        "*.yml",
    ]);
    let printed = git.current_dir(root()?).output().map_err(|error| format!("git: {error}"))?.stdout;
    Ok(String::from_utf8_lossy(&printed).lines().map(str::to_owned).collect())
}

/// Takes a folder of archives; prints the formula.
#[expect(clippy::print_stdout, reason = "the formula is the output")]
pub(crate) fn formula(args: &[String]) -> Result<(), String> {
    let [folder] = args else { return Err("takes a folder of archives".to_owned()) };
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

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
