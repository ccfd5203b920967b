//! SHA-256 and SHA-1 of many short messages, byte classes and hex, with a portable twin of each.
//!
//! This crate is the lowest layer, and the only one with `unsafe` among the crates that `urlid` depends on in
//! this workspace. It works on bytes and does not depend on URLs. Every kernel exists in a portable form. The
//! faster twins are reached through [`Kernels`], a value that can only be built on a machine that can run
//! them. [`Cpu`] names the choices.
//!
//! ```
//! use urlid_simd::{MessageBlock, Cpu, Kernels, Label};
//!
//! let kernels = Kernels::new(Cpu::detect()).expect("a detected path is available");
//! let mut blocks = [MessageBlock([0; 64])];
//! Label::EMPTY.write(b"abc", 0..3, &mut blocks);
//! let mut digest = [[0_u8; 32]];
//! kernels.hash(&blocks, 1, &mut digest);
//! assert_eq!(digest[0][..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```
//!
//! Without the feature `std`, the machine is not examined, and the build's target features choose the path.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(any(feature = "std", test)), no_std)]

mod arch;
mod cpu;
mod digest;
mod hash;
mod kernels;
mod message;
mod path;
mod window;

pub use cpu::{Cpu, UnknownCpu};
pub use digest::HEX_LINE;
pub use kernels::{DigestPart, Kernels, prefetch};
pub use message::{Label, MessageBlock, first_bytes};
pub use window::{AsciiSet, Simd, Task, Window, ascii_text};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
