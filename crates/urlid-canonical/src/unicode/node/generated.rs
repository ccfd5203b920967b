//! What Node 20 has otherwise. Written by `cargo xtask unicode`; do not edit.

use crate::unicode::idna::Joining;
use crate::unicode::tables::{Case, MappedRange, run};

/// What UTS 46 rejects here.
#[rustfmt::skip]
pub(super) static REJECTED: [(char, char); 140] = [
('\u{4c0}','\u{4c0}'),('\u{558}','\u{558}'),('\u{58b}','\u{58c}'),('\u{5c8}','\u{5c9}'),('\u{88f}','\u{88f}'),
('\u{897}','\u{897}'),('\u{b53}','\u{b54}'),('\u{c5c}','\u{c5c}'),('\u{cdc}','\u{cdc}'),('\u{10a0}','\u{10c5}'),
('\u{115f}','\u{1160}'),('\u{17b4}','\u{17b5}'),('\u{1806}','\u{1806}'),('\u{180e}','\u{180e}'),('\u{1acf}','\u{1af0}'),
('\u{1b4e}','\u{1b4f}'),('\u{1b7f}','\u{1b7f}'),('\u{1c89}','\u{1c8a}'),('\u{2061}','\u{2063}'),('\u{206a}','\u{206f}'),
('\u{208f}','\u{208f}'),('\u{209d}','\u{209f}'),('\u{20c1}','\u{20c4}'),('\u{2132}','\u{2132}'),('\u{2183}','\u{2183}'),
('\u{2427}','\u{2429}'),('\u{2b96}','\u{2b96}'),('\u{2e60}','\u{2e63}'),('\u{3164}','\u{3164}'),('\u{31e4}','\u{31e5}'),
('\u{a7cb}','\u{a7cf}'),('\u{a7d2}','\u{a7d2}'),('\u{a7d4}','\u{a7d4}'),('\u{a7da}','\u{a7dd}'),('\u{a7e2}','\u{a7e2}'),
('\u{a7f1}','\u{a7f1}'),('\u{ab6c}','\u{ab6d}'),('\u{fbc3}','\u{fbd2}'),('\u{fd90}','\u{fd91}'),('\u{fdc8}','\u{fdce}'),
('\u{ffa0}','\u{ffa0}'),('\u{105c0}','\u{105f3}'),('\u{107bb}','\u{107bf}'),('\u{10940}','\u{10959}'),
('\u{10d40}','\u{10d65}'),('\u{10d69}','\u{10d85}'),('\u{10d8e}','\u{10d8f}'),('\u{10ec2}','\u{10ec7}'),
('\u{10ec9}','\u{10eee}'),('\u{10ef0}','\u{10efc}'),('\u{11380}','\u{11389}'),('\u{1138b}','\u{1138b}'),
('\u{1138e}','\u{1138e}'),('\u{11390}','\u{113b5}'),('\u{113b7}','\u{113c0}'),('\u{113c2}','\u{113c2}'),
('\u{113c5}','\u{113c5}'),('\u{113c7}','\u{113ca}'),('\u{113cc}','\u{113d5}'),('\u{113d7}','\u{113d8}'),
('\u{113e1}','\u{113e2}'),('\u{116d0}','\u{116e3}'),('\u{11b0a}','\u{11b0a}'),('\u{11b60}','\u{11b67}'),
('\u{11bc0}','\u{11be1}'),('\u{11bf0}','\u{11bf9}'),('\u{11db0}','\u{11ddb}'),('\u{11de0}','\u{11de9}'),
('\u{11df0}','\u{11df1}'),('\u{11f5a}','\u{11f5a}'),('\u{1246f}','\u{1246f}'),('\u{12475}','\u{1247f}'),
('\u{12550}','\u{12686}'),('\u{13460}','\u{143fa}'),('\u{16100}','\u{16139}'),('\u{16d40}','\u{16d79}'),
('\u{16ea0}','\u{16eb8}'),('\u{16ebb}','\u{16ed3}'),('\u{16ff2}','\u{16ff6}'),('\u{187f8}','\u{187ff}'),
('\u{18cd6}','\u{18cda}'),('\u{18cff}','\u{18cff}'),('\u{18d09}','\u{18d20}'),('\u{18d80}','\u{18df2}'),
('\u{18e00}','\u{19191}'),('\u{191a0}','\u{191d2}'),('\u{1b123}','\u{1b128}'),('\u{1b168}','\u{1b168}'),
('\u{1cc00}','\u{1ccfc}'),('\u{1cd00}','\u{1ceb3}'),('\u{1ceba}','\u{1ced0}'),('\u{1ced2}','\u{1ced4}'),
('\u{1cedd}','\u{1cefd}'),('\u{1d127}','\u{1d128}'),('\u{1d173}','\u{1d17a}'),('\u{1d1eb}','\u{1d1ff}'),
('\u{1d250}','\u{1d281}'),('\u{1d6a6}','\u{1d6a6}'),('\u{1db00}','\u{1db1c}'),('\u{1df1f}','\u{1df24}'),
('\u{1df2b}','\u{1df81}'),('\u{1df90}','\u{1df96}'),('\u{1dfcd}','\u{1dfff}'),('\u{1e5d0}','\u{1e5fa}'),
('\u{1e5ff}','\u{1e5ff}'),('\u{1e6c0}','\u{1e6de}'),('\u{1e6e0}','\u{1e6f5}'),('\u{1e6fe}','\u{1e6ff}'),
('\u{1f1ae}','\u{1f1ae}'),('\u{1f6d8}','\u{1f6d9}'),('\u{1f777}','\u{1f77a}'),('\u{1f7da}','\u{1f7db}'),
('\u{1f7f1}','\u{1f7ff}'),('\u{1f8b2}','\u{1f8bb}'),('\u{1f8c0}','\u{1f8c1}'),('\u{1f8d0}','\u{1f8d8}'),
('\u{1fa54}','\u{1fa57}'),('\u{1fa89}','\u{1fa8f}'),('\u{1fabe}','\u{1fabe}'),('\u{1fac6}','\u{1fac6}'),
('\u{1fac8}','\u{1fac8}'),('\u{1facc}','\u{1facd}'),('\u{1fadc}','\u{1fadd}'),('\u{1fadf}','\u{1fadf}'),
('\u{1fae9}','\u{1faeb}'),('\u{1faef}','\u{1faef}'),('\u{1faf9}','\u{1fafa}'),('\u{1fbcb}','\u{1fbef}'),
('\u{1fbfa}','\u{1fbfa}'),('\u{2b73a}','\u{2b73f}'),('\u{2b81e}','\u{2b81e}'),('\u{2cea2}','\u{2cead}'),
('\u{2ebf0}','\u{2ee5d}'),('\u{2f868}','\u{2f868}'),('\u{2f874}','\u{2f874}'),('\u{2f91f}','\u{2f91f}'),
('\u{2f95f}','\u{2f95f}'),('\u{2f9bf}','\u{2f9bf}'),('\u{323b0}','\u{33479}'),('\u{3d000}','\u{3fc3f}'),
];

/// Combining classes that are not those of Unicode 14.0.
#[rustfmt::skip]
pub(super) static MARKS: [(char, u8); 10] = [
('\u{10efd}',220),('\u{10efe}',220),('\u{10eff}',220),('\u{11f41}',9),('\u{11f42}',9),('\u{1e08f}',230),
('\u{1e4ec}',232),('\u{1e4ed}',232),('\u{1e4ee}',220),('\u{1e4ef}',230),
];

/// Joining types, of what is not transparent.
#[rustfmt::skip]
pub(super) static JOINING: [(char, char, Joining); 59] = [
('\u{620}','\u{620}',Joining::Dual),('\u{622}','\u{625}',Joining::Right),('\u{626}','\u{626}',Joining::Dual),
('\u{627}','\u{627}',Joining::Right),('\u{628}','\u{628}',Joining::Dual),('\u{629}','\u{629}',Joining::Right),
('\u{62a}','\u{62e}',Joining::Dual),('\u{62f}','\u{632}',Joining::Right),('\u{633}','\u{63f}',Joining::Dual),
('\u{641}','\u{647}',Joining::Dual),('\u{648}','\u{648}',Joining::Right),('\u{649}','\u{64a}',Joining::Dual),
('\u{66e}','\u{66f}',Joining::Dual),('\u{671}','\u{673}',Joining::Right),('\u{679}','\u{687}',Joining::Dual),
('\u{688}','\u{699}',Joining::Right),('\u{69a}','\u{6bf}',Joining::Dual),('\u{6c0}','\u{6c0}',Joining::Right),
('\u{6c1}','\u{6c2}',Joining::Dual),('\u{6c3}','\u{6cb}',Joining::Right),('\u{6cc}','\u{6cc}',Joining::Dual),
('\u{6cd}','\u{6cd}',Joining::Right),('\u{6ce}','\u{6ce}',Joining::Dual),('\u{6cf}','\u{6cf}',Joining::Right),
('\u{6d0}','\u{6d1}',Joining::Dual),('\u{6d2}','\u{6d3}',Joining::Right),('\u{6d5}','\u{6d5}',Joining::Right),
('\u{6ee}','\u{6ef}',Joining::Right),('\u{6fa}','\u{6fc}',Joining::Dual),('\u{6ff}','\u{6ff}',Joining::Dual),
('\u{710}','\u{710}',Joining::Right),('\u{712}','\u{714}',Joining::Dual),('\u{715}','\u{719}',Joining::Right),
('\u{71a}','\u{71d}',Joining::Dual),('\u{71e}','\u{71e}',Joining::Right),('\u{71f}','\u{727}',Joining::Dual),
('\u{728}','\u{728}',Joining::Right),('\u{729}','\u{729}',Joining::Dual),('\u{72a}','\u{72a}',Joining::Right),
('\u{72b}','\u{72b}',Joining::Dual),('\u{72c}','\u{72c}',Joining::Right),('\u{72d}','\u{72e}',Joining::Dual),
('\u{72f}','\u{72f}',Joining::Right),('\u{74d}','\u{74d}',Joining::Right),('\u{74e}','\u{758}',Joining::Dual),
('\u{759}','\u{75b}',Joining::Right),('\u{75c}','\u{766}',Joining::Dual),('\u{850}','\u{853}',Joining::Dual),
('\u{854}','\u{854}',Joining::Right),('\u{855}','\u{855}',Joining::Dual),('\u{8a0}','\u{8a0}',Joining::Dual),
('\u{8a2}','\u{8a9}',Joining::Dual),('\u{8aa}','\u{8ac}',Joining::Right),('\u{1807}','\u{1807}',Joining::Dual),
('\u{1820}','\u{1877}',Joining::Dual),('\u{1887}','\u{18a8}',Joining::Dual),('\u{18aa}','\u{18aa}',Joining::Dual),
('\u{a840}','\u{a871}',Joining::Dual),('\u{a872}','\u{a872}',Joining::Left),
];

/// What is beside a sigma, where it is not that of Unicode 14.0.
#[rustfmt::skip]
pub(super) static CASE: [(char, char, Case); 53] = [
('\u{295}','\u{295}',Case::Other),('\u{897}','\u{897}',Case::Ignorable),('\u{ece}','\u{ece}',Case::Ignorable),
('\u{1acf}','\u{1add}',Case::Ignorable),('\u{1ae0}','\u{1aeb}',Case::Ignorable),('\u{1c89}','\u{1c8a}',Case::Cased),
('\u{a7cb}','\u{a7cf}',Case::Cased),('\u{a7d2}','\u{a7d2}',Case::Cased),('\u{a7d4}','\u{a7d4}',Case::Cased),
('\u{a7da}','\u{a7dc}',Case::Cased),('\u{a7f1}','\u{a7f1}',Case::Ignorable),('\u{10d4e}','\u{10d4e}',Case::Ignorable),
('\u{10d50}','\u{10d65}',Case::Cased),('\u{10d69}','\u{10d6d}',Case::Ignorable),
('\u{10d6f}','\u{10d6f}',Case::Ignorable),('\u{10d70}','\u{10d85}',Case::Cased),
('\u{10ec5}','\u{10ec5}',Case::Ignorable),('\u{10efa}','\u{10eff}',Case::Ignorable),
('\u{11241}','\u{11241}',Case::Ignorable),('\u{113bb}','\u{113c0}',Case::Ignorable),
('\u{113ce}','\u{113ce}',Case::Ignorable),('\u{113d0}','\u{113d0}',Case::Ignorable),
('\u{113d2}','\u{113d2}',Case::Ignorable),('\u{113e1}','\u{113e2}',Case::Ignorable),
('\u{1171e}','\u{1171e}',Case::Other),('\u{11b60}','\u{11b60}',Case::Ignorable),
('\u{11b62}','\u{11b64}',Case::Ignorable),('\u{11b66}','\u{11b66}',Case::Ignorable),
('\u{11dd9}','\u{11dd9}',Case::Ignorable),('\u{11f00}','\u{11f01}',Case::Ignorable),
('\u{11f36}','\u{11f3a}',Case::Ignorable),('\u{11f40}','\u{11f40}',Case::Ignorable),
('\u{11f42}','\u{11f42}',Case::Ignorable),('\u{11f5a}','\u{11f5a}',Case::Ignorable),
('\u{13439}','\u{13440}',Case::Ignorable),('\u{13447}','\u{13455}',Case::Ignorable),
('\u{1611e}','\u{16129}',Case::Ignorable),('\u{1612d}','\u{1612f}',Case::Ignorable),
('\u{16d40}','\u{16d42}',Case::Ignorable),('\u{16d6b}','\u{16d6c}',Case::Ignorable),
('\u{16ea0}','\u{16eb8}',Case::Cased),('\u{16ebb}','\u{16ed3}',Case::Cased),('\u{16ff2}','\u{16ff3}',Case::Ignorable),
('\u{1df25}','\u{1df2a}',Case::Cased),('\u{1e030}','\u{1e06d}',Case::Ignorable),
('\u{1e08f}','\u{1e08f}',Case::Ignorable),('\u{1e4eb}','\u{1e4ef}',Case::Ignorable),
('\u{1e5ee}','\u{1e5ef}',Case::Ignorable),('\u{1e6e3}','\u{1e6e3}',Case::Ignorable),
('\u{1e6e6}','\u{1e6e6}',Case::Ignorable),('\u{1e6ee}','\u{1e6ef}',Case::Ignorable),
('\u{1e6f5}','\u{1e6f5}',Case::Ignorable),('\u{1e6ff}','\u{1e6ff}',Case::Ignorable),
];

/// Lower case that Unicode 14.0 does not have.
#[rustfmt::skip]
pub(super) static LOWER: [MappedRange; 8] = [
run(0x1c89,1,1,1),run(0xa7cb,1,1,-42343),run(0xa7cc,2,2,1),run(0xa7d2,2,2,1),run(0xa7da,1,1,1),run(0xa7dc,1,1,-42561),
run(0x10d50,22,1,32),run(0x16ea0,25,1,27),
];
