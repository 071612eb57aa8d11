//! Every fast answer of the crate against brute force in exact integers: exhaustively for small
//! moduli, by random segments for moduli up to 2^64.

mod expansion;
mod farey;
mod hits;
mod location;
mod model;
mod oracle;
mod rotation;
mod strategies;
mod three_distance;
mod two_length;
