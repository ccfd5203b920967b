//! `cargo xtask dist`: builds the released program under `target/dist`.
//!
//! The result is an archive with the program, linked statically against musl, its manual pages, completions
//! and licences; a package for Debian; a bill of materials; and checksums. `--twice` repeats the build in a
//! different place and compares the bytes. `--native` makes only the archive, for the current machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use super::{Tools, archive, folder, third_party, tool};
use crate::command::{cache, finish, finish_quietly, root, target};
use crate::toolchain::{Toolchain, has_target};

const TRIPLE: &str = "x86_64-unknown-linux-musl";

/// Builds the program and packs it; `--twice` compares two builds.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let is_twice = match args {
        [] => false,
        [twice] if twice == "--twice" => true,
        [native] if native == "--native" => return list(&[native_archive()?]),
        _ => return Err("expected --twice, --native or no argument".to_owned()),
    };
    let files = dist()?;
    if is_twice {
        let again = files_of(&cache()?.join("dist-again/out"), &cache()?.join("dist-again/target"))?;
        for (one, other) in files.iter().zip(&again) {
            let read =
                |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
            if read(one)? != read(other)? {
                return Err(format!("two builds differ: {} and {}", one.display(), other.display()));
            }
        }
    }
    list(&files)
}

/// Builds the files of a release and returns their paths.
pub(super) fn dist() -> Result<Vec<PathBuf>, String> {
    files_of(&folder()?, &cache()?.join("dist-target"))
}

/// Makes the files in `out` from a build in `target`.
fn files_of(out: &Path, target: &Path) -> Result<Vec<PathBuf>, String> {
    let version = env!("CARGO_PKG_VERSION");
    let name = format!("urlid-{version}-{TRIPLE}");
    let staged = out.join(&name);
    let tools = Tools::install()?;
    let program = build(&tools, target)?;
    check_is_static(&program)?;
    let crates = third_party::crates(&root()?.join("crates/urlid-cli/Cargo.toml"), Some(TRIPLE))?;
    let musl = tools.packages().join("ziglang/lib/libc/musl/COPYRIGHT");
    stage(&program, &staged, &third_party::licences(&crates, &[("musl", musl)])?)?;
    archive::pack(out, &name)?;
    let in_place = |error| format!("{}: {error}", out.display());
    let bill = out.join(format!("urlid-{version}.cdx.json"));
    std::fs::write(&bill, third_party::bill_of_materials("urlid-cli", &crates)).map_err(in_place)?;
    let package = debian_package(out, target, &staged)?;
    let files = vec![out.join(format!("{name}.tar.gz")), bill, package];
    let mut sums = String::new();
    for file in &files {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        sums.push_str(&format!("{digest}  {name}\n"));
    }
    std::fs::write(out.join("SHA256SUMS"), sums).map_err(in_place)?;
    Ok(files)
}

/// Copies the program into a folder, and writes the other files of the archive next to it.
fn stage(program: &Path, staged: &Path, licences: &str) -> Result<(), String> {
    let in_place = |error| format!("{}: {error}", staged.display());
    if staged.exists() {
        std::fs::remove_dir_all(staged).map_err(in_place)?;
    }
    for part in ["man", "completions"] {
        std::fs::create_dir_all(staged.join(part)).map_err(in_place)?;
    }
    std::fs::copy(program, staged.join(program.file_name().unwrap_or_default())).map_err(in_place)?;
    finish(Command::new(program).args(["man", "--out"]).arg(staged.join("man")))?;
    for (shell, file) in [("bash", "urlid"), ("zsh", "_urlid"), ("fish", "urlid.fish")] {
        let script = finish_quietly(Command::new(program).args(["completions", shell]))?;
        std::fs::write(staged.join("completions").join(file), script).map_err(in_place)?;
    }
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md", "README.md"] {
        std::fs::copy(root()?.join(file), staged.join(file)).map_err(in_place)?;
    }
    std::fs::write(staged.join("LICENSE-THIRD-PARTY.txt"), licences).map_err(in_place)
}

/// Builds the program for this machine by its own linker and returns the path of its archive.
fn native_archive() -> Result<PathBuf, String> {
    let printed = finish_quietly(Command::new("rustc").args(["--print", "host-tuple"]))?;
    let (triple, out, target) = (printed.trim(), folder()?, target()?);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--profile", "dist", "--locked", "--package", "urlid-cli"]).current_dir(root()?);
    finish(cargo.env("CARGO_TARGET_DIR", &target))?;
    let program = target.join("dist").join(format!("urlid{}", std::env::consts::EXE_SUFFIX));
    let crates = third_party::crates(&root()?.join("crates/urlid-cli/Cargo.toml"), Some(triple))?;
    let name = format!("urlid-{}-{triple}", env!("CARGO_PKG_VERSION"));
    stage(&program, &out.join(&name), &third_party::licences(&crates, &[])?)?;
    // Without `archive::pack`, because the `tar` of macOS and Windows lacks its options. The names lack a folder,
    // because GNU tar mistakes the drive of a Windows path for a host.
    let packed = format!("{name}.tar.gz");
    finish(Command::new("tar").args(["-czf", &packed, &name]).current_dir(&out))?;
    Ok(out.join(packed))
}

/// Builds the program for musl and returns its path.
fn build(tools: &Tools, target: &Path) -> Result<PathBuf, String> {
    let home =
        std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    // Paths of this machine in the program would make its bytes depend on the place of the build.
    let mut places = vec![
        (root()?.display().to_string(), "/urlid"),
        (home.map_err(|_| "neither CARGO_HOME nor HOME is set")?, "/cargo"),
        (target.display().to_string(), "/target"),
    ];
    let mut cargo = if has_target(TRIPLE)? {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["zigbuild", "--target", TRIPLE]).current_dir(root()?);
        cargo
    } else {
        let toolchain = Toolchain::install()?;
        places.push((toolchain.folder().display().to_string(), "/rust"));
        toolchain.cargo("zigbuild", TRIPLE, "std")?
    };
    let rust: Vec<String> =
        places.iter().map(|(from, to)| format!("--remap-path-prefix={from}={to}")).collect();
    let c: Vec<String> = places.iter().map(|(from, to)| format!("-ffile-prefix-map={from}={to}")).collect();
    cargo
        .args(["--profile", "dist", "--locked", "--package", "urlid-cli"])
        .env("PATH", tools.paths()?)
        .env("CARGO_TARGET_DIR", target)
        // Flags of a target count only without it, and a release must not depend on the caller's flags.
        .env_remove("RUSTFLAGS")
        .env("CFLAGS_x86_64_unknown_linux_musl", c.join(" "))
        .env(
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS",
            format!("-Clink-self-contained=no {}", rust.join(" ")),
        );
    finish(&mut cargo)?;
    Ok(target.join(TRIPLE).join("dist/urlid"))
}

fn check_is_static(program: &Path) -> Result<(), String> {
    let printed = finish_quietly(Command::new("readelf").arg("--program-headers").arg(program))?;
    if printed.contains("INTERP") { Err(format!("{} is not static", program.display())) } else { Ok(()) }
}

/// Packs the staged files for Debian and returns the path of the package.
fn debian_package(out: &Path, target: &Path, staged: &Path) -> Result<PathBuf, String> {
    let cargo_deb = tool("cargo-deb", "3.8.0", &[])?;
    // The manifest refers to the staged files by this path.
    let link = root()?.join("target/deb");
    finish(Command::new("ln").args(["--symbolic", "--force", "--no-dereference"]).arg(staged).arg(&link))?;
    let package = out.join(format!("urlid_{}_amd64.deb", env!("CARGO_PKG_VERSION")));
    let mut command = Command::new(cargo_deb);
    command
        .args(["--no-build", "--no-strip", "--package", "urlid-cli", "--target", TRIPLE, "--output"])
        .arg(&package)
        .env("CARGO_TARGET_DIR", target)
        .env("SOURCE_DATE_EPOCH", archive::time()?)
        .current_dir(root()?);
    finish(&mut command)?;
    Ok(package)
}

/// Prints paths.
#[expect(clippy::print_stdout, reason = "the paths are the output")]
fn list(files: &[PathBuf]) -> Result<(), String> {
    files.iter().for_each(|file| println!("{}", file.display()));
    Ok(())
}
