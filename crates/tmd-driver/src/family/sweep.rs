//! [`Sweep`]: angles cut into segments of windows, and these searched. That no angle is between two
//! of them is Theorem S.15 of `proofs/Families.v`, by Theorem S.12 for the windows of one width.

use rug::{Integer, integer::Order};
use tmd_core::{
    ErrorBudget, Interrupt, Number,
    difftable::power_of_two,
    lattice3::{Model, Segment, Span, Unwieldy, Walk, Wide},
};
use tmd_functions::{FamilyError, Place, Repetition, Scale};

use super::{FamilyOutcome, FamilySearch, Told};
use crate::DriverError;

/// Windows, in half-widths, next to a zero or a pole that are too wide for the function there: the
/// reach of its arc.
const REACH: u32 = 16;

/// Arguments of a window, on average, below which those of windows next to a zero or a pole are
/// listed: so many windows take no less time than one argument that is listed, in any lanes.
const FEW: f64 = 1.0 / 64.0;

/// A segment is at most this share of the distance to a zero or a pole.
const SHARE: f64 = 0.25;

/// Widest half of a window, and longest segment, in turns.
const WIDEST: f64 = 1.0 / 64.0;

/// Units in which results are.
pub(super) enum Scaling {
    /// Those of the unit function's binade.
    ByBinade,
    /// These.
    Fixed(Scale),
}

/// From an index and an angle to the argument; `None` if it is none of the family's.
pub(super) type Argument<'a> = dyn Fn(i128, Wide) -> Option<Number> + Sync + 'a;

/// What is swept.
pub(super) struct Sweep<'a> {
    pub(super) search: &'a FamilySearch<'a>,
    pub(super) model: Model,
    pub(super) alpha: Integer,
    pub(super) spans: Vec<Span>,
    pub(super) scaling: Scaling,
    pub(super) index_bits: u32,
    pub(super) argument: &'a Argument<'a>,
    /// bound of |δ|, where the function is only near its family's
    pub(super) perturbation: f64,
}

/// Who takes segments.
pub(super) trait Taker {
    /// Takes one; what is found at once are arguments.
    fn take(&mut self, segment: &Segment, arguments: &mut Vec<Number>) -> Result<(), Unwieldy>;

    /// What was taken of a place that is refused is not asked for any more.
    fn drop_place(&mut self) {}
}

/// A walk that searches them at once.
struct Walking<'a> {
    sweep: &'a Sweep<'a>,
    walk: Box<dyn Walk>,
}

impl Taker for Walking<'_> {
    fn take(&mut self, segment: &Segment, arguments: &mut Vec<Number>) -> Result<(), Unwieldy> {
        self.walk.search(segment, &mut |candidate| {
            arguments.extend((self.sweep.argument)(candidate.index, candidate.angle));
        })
    }
}

/// A place that is not for windows of this width, or not for so many.
struct Unfit;

impl From<FamilyError> for Unfit {
    fn from(_: FamilyError) -> Self {
        Self
    }
}

impl From<Unwieldy> for Unfit {
    fn from(_: Unwieldy) -> Self {
        Self
    }
}

impl Sweep<'_> {
    pub(super) fn real(&self, angle: &Integer) -> f64 {
        let bits = self.model.angle_bits;
        rug::Float::with_val(64, angle).to_f64()
            * power_of_two(-(bits as i32 / 2))
            * power_of_two(bits as i32 / 2 - bits as i32)
    }

    fn units(&self, angle: f64) -> Integer {
        let bits = self.model.angle_bits;
        (rug::Float::with_val(64, angle) << bits).to_integer().unwrap_or_default()
    }

    /// Windows per turn about an angle, and the height of the parabola over one, in the units of
    /// results there.
    pub(super) fn density(&self, angle: f64) -> (f64, f64) {
        let half = self.half_width(angle);
        let volume = self.volume();
        (0.5 / half, volume * self.determinant() / (8.0 * self.most_indices() * half))
    }

    /// Points per window.
    fn volume(&self) -> f64 {
        self.search.engine.volume(self.spans.len())
    }

    fn determinant(&self) -> f64 {
        power_of_two(self.model.log2_period as i32 - self.model.angle_bits as i32)
    }

    /// Half the indices of the longest span.
    fn most_indices(&self) -> f64 {
        self.spans.iter().map(|span| span.last - span.first + 1).max().unwrap_or(1) as f64 / 2.0
    }

    /// Half the width of a window about an angle that makes it hold the engine's number of points:
    /// `V = 2·X·|F2|·half³/det`.
    fn half_width(&self, angle: f64) -> f64 {
        let family = self.search.family;
        let log2 = match &self.scaling {
            Scaling::Fixed(scale) => scale.log2,
            Scaling::ByBinade => {
                let place = Place {
                    start: self.units(angle),
                    half: Integer::from(1),
                    windows: 1,
                    angle_bits: self.model.angle_bits,
                };
                let binade = family.binades(&place, 0).ok().flatten().map_or(0, |(_, most)| most);
                self.search.scale(binade, self.index_bits, 0.0).log2
            }
        };
        let curvature = family.curvature(angle) * power_of_two(log2);
        let determinant = self.determinant();
        let half = (self.volume() * determinant / (2.0 * self.most_indices() * curvature)).cbrt();
        if half.is_finite() && half < WIDEST { half } else { WIDEST }
    }

    /// Whether windows about an angle hold so few arguments that these are better listed: next to
    /// a pole windows become narrower and their parabolas higher, until each box holds an argument
    /// many times and most hold none.
    fn is_sparse(&self, angle: f64) -> bool {
        4.0 * self.most_indices() * self.half_width(angle) < FEW * self.determinant()
    }

    /// The zeros and poles of the unit function in [0, 1/2], each with how far from it windows are
    /// no use.
    pub(super) fn singularities(&self) -> Vec<(f64, f64)> {
        let halves = self.search.family.singular_half_turns().iter();
        halves
            .map(|&k| {
                let at = f64::from(k) / 2.0;
                let is_pole = self.search.family.pole_half_turn() == Some(k);
                let mut reach = WIDEST;
                // the nearer, the narrower windows are, or as wide: until they fit, or are too
                // narrow
                loop {
                    let beside = if k == 0 { reach } else { at - reach };
                    let wanted = f64::from(REACH) * self.half_width(beside);
                    if wanted >= reach || is_pole && self.is_sparse(beside) {
                        return (at, reach);
                    }
                    reach /= 2.0;
                }
            })
            .collect()
    }

    /// The arguments next to the zeros and poles whose angles, or those of their mirror images, are
    /// between two, one by one: their indices, of each place by itself. One of a place may come
    /// twice.
    pub(super) fn singular(
        &self,
        first: &Integer,
        last: &Integer,
        interrupt: &Interrupt,
    ) -> Result<Vec<Vec<i128>>, DriverError> {
        let mut found = Vec::new();
        for (at, reach) in self.singularities() {
            let (middle, reach) = (self.units(at), self.units(reach));
            let (from, to) = (Integer::from(&middle - &reach), middle + reach);
            let (from, to) = (from.max(first.clone()), to.min(last.clone()));
            if from <= to {
                found.push(self.arcs(&from, &to, true, interrupt)?);
            }
        }
        Ok(found)
    }

    /// The windows between two angles.
    pub(super) fn run(
        &self,
        from: &Integer,
        to: &Integer,
        told: &Told,
        interrupt: &Interrupt,
    ) -> Result<FamilyOutcome, DriverError> {
        let mut found = FamilyOutcome::default();
        let mut walk = Walking { sweep: self, walk: self.search.engine.start(&self.model, &self.spans) };
        let singularities = self.singularities();
        let (mut from, to) = self.windows_between(from, to, &singularities);
        while from < to {
            interrupt.check()?;
            let end = self.segment(&mut walk, &from, &to, &singularities, &mut found, interrupt)?;
            self.search.engine.check()?;
            told(&Integer::from(&end - &from), self.model.angle_bits);
            from = end;
        }
        found.counters = walk.walk.counters();
        Ok(found)
    }

    /// Where windows between two angles begin and end: what an arc covers is no window's.
    pub(super) fn windows_between(
        &self,
        from: &Integer,
        to: &Integer,
        singularities: &[(f64, f64)],
    ) -> (Integer, Integer) {
        let (mut from, mut to) = (from.clone(), to.clone());
        for &(at, reach) in singularities {
            let (middle, reach) = (self.units(at), self.units(reach));
            if at == 0.0 {
                from = from.max(middle + reach);
            } else {
                to = to.min(middle - reach);
            }
        }
        (from, to)
    }

    /// Gives a segment that begins at an angle to who takes it, and says where it ends.
    pub(super) fn segment(
        &self,
        taker: &mut dyn Taker,
        from: &Integer,
        to: &Integer,
        singularities: &[(f64, f64)],
        found: &mut FamilyOutcome,
        interrupt: &Interrupt,
    ) -> Result<Integer, DriverError> {
        let (start, length) = (self.real(from), self.real(&Integer::from(to - from)));
        let free = singularities.iter().map(|&(at, _)| (at - start).abs() * SHARE).fold(WIDEST, f64::min);
        let longest = length.min(free);
        let mut half = self.half_width(start).min(longest / 2.0);
        let wanted = (longest / (2.0 * half)).ceil().max(1.0);
        let mut windows = wanted.min(f64::from(self.search.engine.windows().max(1))) as u32;
        if wanted <= f64::from(windows) && longest == length {
            // the last segment: its windows end where it ends, or a unit later
            half = length / (2.0 * f64::from(windows));
        }
        let mut half = self.units(half) + 1u32;
        // next to no argument is expected in so narrow a window
        let narrow = match self.search.family.repetition() {
            Repetition::Period => self.model.angle_bits.saturating_sub(self.index_bits + 3),
            Repetition::Doubling => self.model.log2_period,
        };
        let narrow = Integer::from(1) << narrow;
        loop {
            let place =
                Place { start: from.clone(), half: half.clone(), windows, angle_bits: self.model.angle_bits };
            match self.place(taker, &place, found) {
                Ok(()) => return Ok(place.end()),
                Err(Unfit) if windows > 1 => windows /= 2,
                Err(Unfit) if half > narrow => half = (half + 1u32) / 2u32,
                Err(Unfit) => {
                    let end = place.end();
                    self.list(from, &end, self.search.family.is_symmetric(), found, interrupt)?;
                    return Ok(end);
                }
            }
        }
    }

    /// Gives one place to who takes it, in each binade that results there may have: all of them or
    /// none.
    fn place(&self, taker: &mut dyn Taker, place: &Place, found: &mut FamilyOutcome) -> Result<(), Unfit> {
        let search = self.search;
        let scales = match &self.scaling {
            Scaling::Fixed(scale) => vec![*scale],
            Scaling::ByBinade => {
                let (least, most) = search.family.binades(place, self.index_bits)?.ok_or(Unfit)?;
                // a place that is near no zero has a few binades
                if most - least > 8 {
                    return Err(Unfit);
                }
                let mut scales: Vec<Scale> = (least..=most)
                    .map(|binade| search.scale(binade, self.index_bits, self.perturbation))
                    .collect();
                scales.dedup();
                scales
            }
        };
        let segments: Vec<(Segment, ErrorBudget)> =
            scales.iter().map(|scale| search.family.segment(place, scale)).collect::<Result<_, _>>()?;
        let before = found.arguments.len();
        for (segment, _) in &segments {
            found.asked += 1;
            if let Err(unwieldy) = taker.take(segment, &mut found.arguments) {
                found.arguments.truncate(before);
                taker.drop_place();
                found.refused.push(found.asked - 1);
                return Err(unwieldy.into());
            }
        }
        found.segments += segments.len() as u64;
        found.add_windows((place.windows, place.windows));
        for (_, budget) in &segments {
            found.budget = found.budget.max(budget);
        }
        Ok(())
    }

    /// The arguments with angles in an arc, or also in its mirror image, one by one.
    pub(super) fn list(
        &self,
        from: &Integer,
        to: &Integer,
        and_mirrored: bool,
        found: &mut FamilyOutcome,
        interrupt: &Interrupt,
    ) -> Result<(), DriverError> {
        let before = found.arguments.len();
        match self.search.family.repetition() {
            Repetition::Period => {
                let indices = self.arcs(from, to, and_mirrored, interrupt)?;
                found.arguments.extend(indices.into_iter().filter_map(|index| self.argument_of(index)));
            }
            Repetition::Doubling => {
                let unit = self.model.log2_period;
                let (mut significand, last) = (Integer::from(from >> unit), Integer::from(to >> unit));
                while significand <= last {
                    interrupt.check()?;
                    let angle = wide(&Integer::from(&significand << unit));
                    let angle =
                        angle.ok_or_else(|| self.search.refuse("their significands have too many bits"))?;
                    let in_binade = significand.significant_bits() + unit == self.model.angle_bits;
                    for span in self.spans.iter().filter(|_| in_binade) {
                        let indices = span.first..=span.last;
                        found.arguments.extend(indices.filter_map(|index| (self.argument)(index, angle)));
                    }
                    significand += 1u32;
                }
            }
        }
        found.listed += (found.arguments.len() - before) as u64;
        Ok(())
    }
}

/// An integer of the driver's as one of the walk's, if it fits.
pub(super) fn wide(x: &Integer) -> Option<Wide> {
    if x.significant_bits() > Wide::BITS - 64 {
        return None;
    }
    let mut limbs = [0u64; (Wide::BITS / 64) as usize];
    Integer::from(x.abs_ref()).write_digits(&mut limbs, Order::Lsf);
    let magnitude = Wide::from_limbs(limbs);
    Some(if *x < 0 { -magnitude } else { magnitude })
}
