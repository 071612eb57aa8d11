//! The kernels' CPU twins: one file for each, of the same name, comparable line by line, with the same results to the last
//! bit. What a device returns is tested against these, and these against the searches of the other crates.

pub mod farey;
pub mod generate;
pub mod progress;
