//! The papers' three phases: a search by existence tests goes over `runs` runs of `steps` domains
//! of N = 2^`log2_n` arguments each. (The existence tests' twins are `tmd-exist`'s.)
//!
//! * [`Parameters`], [`Tables`]: what it is given; [`FailingDomain`], [`FailingPart`], [`Hit`]:
//!   what its phases hand on;
//! * [`test_domains`] (or [`test_domains_flagged`] and [`prefix_sum`]), [`refine`], [`exhaust`]:
//!   the phases;
//! * [`one_kernel`]: all of them in one.

mod exhaust;
mod lists;
mod one_kernel;
mod parabola;
mod parameters;
mod prefix_sum;
mod refine;
mod run;
mod tabulation;
mod test_domains;
mod window;

pub use exhaust::exhaust;
pub use lists::{FailingDomain, FailingPart, Hit, List};
pub use one_kernel::one_kernel;
pub use parabola::{Chord, Parabola};
pub use parameters::{HalfWidths, Parameters};
pub use prefix_sum::prefix_sum;
pub use refine::refine;
pub use run::{Run, Tables};
pub use test_domains::{test_domains, test_domains_flagged};
