//! Tests a function of a library against correctly rounded results and flags, in all rounding
//! modes, at the cases that are hardest to round.
//!
//! A [`LibmTest`] says what is tested, its [`run`](LibmTest::run) makes a [`Report`]. The library
//! is loaded by a process of its own, the [`Server`], which calls the function with the
//! floating-point environment set; so a crash, a call that does not return, a trap, or a call that
//! ends the process is a finding and not the end. What is expected comes from a [`Reference`]:
//! rigorous enclosures of the function, refined until they say how the result is rounded and which
//! exceptions IEEE 754 signals.
//!
//! ```
//! use tmd_core::Format;
//! use tmd_libm::{Flags, Mode, Reference};
//!
//! let exp = Reference::new(&tmd_functions::parse("exp")?, Format::BINARY64)?;
//! let outcome = exp.outcome(1000f64.to_bits().into())?.ok_or("in doubt")?;
//! let expected = outcome.expected(Mode::Zero);
//! assert_eq!(f64::from_bits(expected.bits as u64), f64::MAX);
//! assert_eq!(expected.raised, Flags::OVERFLOW | Flags::INEXACT);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Encoding`], [`Class`]: bit patterns; [`Mode`], [`Flags`]: roundings and exceptions;
//! * [`Reference`], [`Outcome`], [`Expected`]: what is right;
//! * [`lists`]: where it is tested, hard cases from certificates and lists;
//! * [`LibmTest`], [`Server`], [`serve`]: the test, and the process that makes the calls;
//! * [`Report`]: what was found, as text, JSON and `JUnit` XML;
//! * [`adapter`]: source text that makes a static function callable.
//!
//! Unsafe code is in the module `native` only: the call itself.
// where nothing can be called, all but the reference and the adapters is without a use
#![cfg_attr(not(all(unix, target_arch = "x86_64")), allow(dead_code))]

pub mod adapter;
mod arguments;
mod block;
mod death;
mod error;
pub mod lists;
mod mode;
mod position;
mod reference;
pub mod report;
mod tally;
mod test;

#[cfg(all(unix, target_arch = "x86_64"))]
mod environment;
#[cfg(all(unix, target_arch = "x86_64"))]
mod native;
#[cfg(all(unix, target_arch = "x86_64"))]
mod run;
#[cfg(all(unix, target_arch = "x86_64"))]
mod serve;
#[cfg(all(unix, target_arch = "x86_64"))]
mod wire;
#[cfg(all(unix, target_arch = "x86_64"))]
mod worker;

pub use death::Death;
pub use error::LibmError;
pub use mode::{Flags, Mode};
pub use position::Expected;
pub use reference::{Outcome, Reference};
pub use report::Report;
pub use test::{FlagPolicy, LibmTest, Server, default_symbol, serve};
pub use tmd_driver::table::pattern::{Class, Encoding};
