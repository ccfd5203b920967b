//! Sets the name of the shared library inside itself. A program that is linked with the library looks for
//! this name when it starts. The number changes when programs have to be compiled again.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liburlid.so.0");
    }
}
