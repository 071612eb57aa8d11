//! The walk in three dimensions, in exact integers: the engine `lattice3-scalar`, and the oracle of
//! all others of its kind.
//!
//! Where a search of one run of arguments meets a lattice in the plane, one of a *family* of
//! arguments (all periods of a sine, all binades of a logarithm) meets one in space. Definitions,
//! theorems and proofs: docs/proofs/lattice3.md, whose letter is L.
//!
//! * [`wide`]: [`Wide`], integers of 640 bits;
//! * [`model`]: [`Model`] and [`Segment`], a description in fixed point of what is searched: no
//!   function is known here;
//! * [`basis`]: three vectors, their reduction, and all lattice points of a box (theorem L.3);
//! * [`walker`]: [`Walker`], from window to window (theorem L.5);
//! * [`frame`]: [`Frame`] and [`Course`], where engines in lanes begin, in the narrower integers of
//!   [`fixed`];
//! * [`shape`]: how far from a segment their numbers may be; [`enumerate`]: the lattice points of a
//!   window, in doubles.
//!
//! Nothing here rounds where it could lose a point: a basis is exact, its determinant is a power of
//! two, ranges are floors and ceilings. Doubles only steer the reduction, which no list depends on,
//! and narrow a range by less than their error bounds allow.

pub mod basis;
pub mod enumerate;
pub mod fixed;
pub mod frame;
pub mod model;
pub mod shape;
#[cfg(test)]
mod tests;
pub mod walker;
pub mod wide;

use core::ops::Range;

pub use basis::{Basis, Counters, Dual, Vector};
pub use fixed::Fixed;
pub use frame::{Course, Digits, Frame, Gains, MAX_SPANS, Spot, Start, View};
pub use model::{COEFFICIENT_BITS, MAX_WINDOWS, Model, SLOPE_BITS, Segment, Span};
pub use shape::{Shape, TOLERANCE};
pub use walker::{Candidate, Walker};
pub use wide::Wide;

use crate::CoreError;

/// Numbers beyond what 640 bits hold, or a box with more lines than a search can look at: another
/// engine must search the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the segment's numbers do not fit the walk in three dimensions")]
pub struct Unwieldy;

/// An engine of the walk in three dimensions: makes a [`Walk`] over the spans of a model.
pub trait Engine: Sync {
    /// Its name.
    fn name(&self) -> String;

    /// How many lattice points a window is to hold on average, where so many spans are looked for:
    /// what its width follows from.
    fn volume(&self, spans: usize) -> f64;

    /// How many windows it likes a segment to have, at most, and no more than [`MAX_WINDOWS`].
    fn windows(&self) -> u32;

    /// Most windows from one exact basis to the next; `None` where all are exact.
    fn run(&self) -> Option<u32> {
        None
    }

    /// A fixed number of parts in which angles are swept, whatever the threads; `None`: as the
    /// caller likes.
    fn parts(&self) -> Option<u32> {
        None
    }

    /// A walk that has not begun.
    fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk>;

    /// Why its machine is not asked any more, if it failed: all segments since, and the one at
    /// which it did, were searched by its fallback, or refused.
    fn failure(&self) -> Option<CoreError> {
        None
    }

    /// Asked after every segment.
    ///
    /// # Errors
    /// The failure, where there is no fallback.
    fn check(&self) -> Result<(), CoreError> {
        Ok(())
    }
}

/// A walk from segment to segment.
pub trait Walk {
    /// Calls `found` for every candidate of the segment, in no particular order; the same one may
    /// come twice.
    ///
    /// # Errors
    /// [`Unwieldy`]: then the segment is not searched, whatever was found. The walk can go on
    /// elsewhere.
    fn search(&mut self, segment: &Segment, found: &mut dyn FnMut(Candidate)) -> Result<(), Unwieldy>;

    /// The same for some of its windows, or for more of them.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    fn part(
        &mut self,
        segment: &Segment,
        windows: Range<u32>,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        debug_assert!(windows.end <= segment.windows);
        self.search(segment, found)
    }

    /// Whether [`search`](Self::search) would refuse the segment, as far as is known before.
    ///
    /// # Errors
    /// [`Unwieldy`] if it would; without it, it still may.
    fn accepts(&self, _segment: &Segment) -> Result<(), Unwieldy> {
        Ok(())
    }

    /// What was done so far.
    fn counters(&self) -> Counters;
}

/// The engine `lattice3-scalar`: [`Walker`], exact integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact {
    /// Points per window.
    pub volume: f64,
    /// Windows per segment.
    pub windows: u32,
}

impl Default for Exact {
    fn default() -> Self {
        Self { volume: 1.0, windows: 256 }
    }
}

impl Engine for Exact {
    fn name(&self) -> String {
        "lattice3-scalar".into()
    }

    fn volume(&self, _spans: usize) -> f64 {
        self.volume
    }

    fn windows(&self) -> u32 {
        self.windows
    }

    fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk> {
        Box::new(Walker::new(*model, spans))
    }
}

impl Walk for Walker {
    fn search(&mut self, segment: &Segment, found: &mut dyn FnMut(Candidate)) -> Result<(), Unwieldy> {
        Walker::search(self, segment, found)
    }

    fn part(
        &mut self,
        segment: &Segment,
        mut windows: Range<u32>,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        windows.try_for_each(|number| self.window(segment, number, found))
    }

    fn counters(&self) -> Counters {
        *Walker::counters(self)
    }
}
