//! What all programs that take figures share: tables, pictures, and the facts of the machine.

pub mod machine;
pub mod picture;
pub mod table;
