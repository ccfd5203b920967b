//! Tests of the index, as one program; each module is named by what it promises.

mod care;
mod collisions;
mod combinations;
mod common;
mod cookbook;
mod forms;
mod hazards;
mod load;
mod others;
mod readable;
mod refusals;
