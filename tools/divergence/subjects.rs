//! [`Subject`]: whose turns are counted.

use tmd_core::{
    contfrac::{FareyWalk, Rotation},
    exist::{AnyTest, ExistenceTest, Segment},
    scalar::parabola::Parabola,
};

use super::{special::SpecialLefevre, trace::Trace};
use crate::ToolError;

/// A test of `tmd-exist`, or one that only the papers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A test of the catalogue.
    Catalogue(AnyTest),
    /// Lefèvre's test with the papers' special instructions.
    Special(SpecialLefevre),
}

impl Subject {
    /// All tests with a loop to count, Lefèvre's before the regular ones.
    pub fn all() -> Vec<Self> {
        let mut all: Vec<Self> = AnyTest::all()
            .into_iter()
            .filter(|test| !matches!(test, AnyTest::Exact(_)))
            .map(Self::Catalogue)
            .collect();
        let first_regular = all.iter().position(|subject| subject.name().starts_with("regular"));
        all.insert(first_regular.unwrap_or(all.len()), Self::Special(SpecialLefevre));
        all
    }

    /// The subjects with these names.
    pub fn named(names: &[&str]) -> Vec<Self> {
        Self::all().into_iter().filter(|subject| names.contains(&subject.name())).collect()
    }

    /// Name, as in `tmd-exist`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Catalogue(test) => test.name(),
            Self::Special(test) => test.name(),
        }
    }

    /// What the lanes do with one segment each, tested against `width` (0: until N points are
    /// placed).
    pub fn trace(&self, segments: &[Segment], width: u64, trace: &mut Trace) {
        fn all<T: ExistenceTest>(test: &T, segments: &[Segment], width: u64, trace: &mut Trace) {
            for (lane, &segment) in segments.iter().enumerate() {
                // the turns are what is asked for, not the verdict
                let _ = test.test(segment, width, &mut trace.probe(lane));
            }
        }
        trace.clear();
        match self {
            Self::Catalogue(test) => all(test, segments, width, trace),
            Self::Special(test) => all(test, segments, width, trace),
        }
    }
}

/// Name of the walk in reports.
pub const FAREY_WALK: &str = "farey-walk";

/// The crossings of a walk of `order` along consecutive domains of `domain` arguments: one number
/// per step, so one less than there are domains.
///
/// # Errors
/// If the order is 0 or above 2^61.
pub fn crossings(order: u64, domain: u64, parabolas: &[Parabola]) -> Result<Vec<u64>, ToolError> {
    let slopes = parabolas.iter().map(|parabola| {
        // slope at the center, where C(x, 2) has the derivative x − 1/2
        let centered = parabola.shifted(domain / 2);
        let curvature = parabola.r2 as i128;
        (centered.r1.wrapping_sub((curvature >> 1) as u128) >> 64) as u64
    });
    let draw = |error: tmd_core::contfrac::Error| ToolError::failed(format!("no Farey walk: {error}"));
    let mut walk: Option<(FareyWalk, u64)> = None;
    let mut crossed = Vec::with_capacity(parabolas.len());
    for slope in slopes {
        walk = Some(match walk {
            None => (FareyWalk::new(Rotation::from_q64(slope), order).map_err(draw)?, slope),
            Some((mut walk, before)) => {
                // the shorter way around the circle
                crossed.push(walk.advance(i128::from(slope.wrapping_sub(before) as i64)).map_err(draw)?);
                (walk, slope)
            }
        });
    }
    Ok(crossed)
}

/// What the crossing loop of the lanes does in one step: a pass for each crossing, but one at
/// least, as the walk's first pass is masked and not a branch. The main condition: is the lane past
/// its neighbor?
pub fn trace_crossings(crossings: impl Iterator<Item = u64>, trace: &mut Trace) {
    trace.clear();
    for (lane, crossings) in crossings.enumerate() {
        for pass in 0..crossings.max(1) {
            trace.record(lane, pass as usize, pass < crossings);
        }
    }
}
