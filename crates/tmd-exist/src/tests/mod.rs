//! Tests of all existence tests against brute force.

mod catalogue;
mod exhaustive;
mod generators;
mod model;
mod naive;
mod printed;
mod soundness;
mod tightness;
