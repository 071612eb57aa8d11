//! [`Estimate`]: how many windows a family has, before any of them is searched.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use tmd_core::{ArgumentRange, Families, Problem, difftable::power_of_two};
use tmd_functions::Function;

use super::{FamilySearch, FamilyVia, Shape, Split, doubling::together, sweep::Sweep, whole_circle};
use crate::{
    DriverError,
    plan::{CONFIRMATION, RangePlan, WindowPlan},
};

/// Angles at which the width of windows is asked.
const SAMPLES: u32 = 48;

/// Samples in each of the stretches next to a pole, and how many stretches, each half of what is
/// left: what lies nearer has one in 200 of the windows.
const SAMPLES_BESIDE: u32 = 8;
const HALVINGS: u32 = 24;

/// Seconds that the polynomial of a segment takes, roughly.
const SEGMENT: f64 = 2.0e-4;

/// Angles over which windows are about as wide everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    from: f64,
    to: f64,
    windows: f64,
}

/// The windows of a search, estimated.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Estimate {
    /// All angles, in increasing order.
    stretches: Vec<Stretch>,
    /// The angle that the windows cover, how many windows there are, and the spans that are looked
    /// for in each.
    pub(crate) angle: f64,
    pub(crate) windows: f64,
    pub(crate) spans: usize,
    /// Arguments that are listed one by one.
    pub(crate) listed: f64,
    /// Arguments with points in a window, and the height of the parabola over one, both in the
    /// middle.
    pub(crate) domain: f64,
    pub(crate) height: f64,
}

impl Estimate {
    /// A pole, if there is one, is at the last angle.
    fn of(sweep: &Sweep, from: f64, to: f64, arguments: f64) -> Self {
        let mut estimate = Self { angle: to - from, spans: sweep.spans.len(), ..Self::default() };
        let middle = from + (f64::from(SAMPLES / 2) + 0.5) * ((to - from) / f64::from(SAMPLES));
        estimate.height = sweep.density(middle).1;
        let halvings = sweep.search.family.pole_half_turn().map_or(0, |_| HALVINGS);
        let mut begin = from;
        for k in 1..=halvings + 1 {
            let end = if k > halvings { to } else { to - (to - from) * power_of_two(-(k as i32)) };
            let samples = if k == 1 { SAMPLES } else { SAMPLES_BESIDE };
            let step = (end - begin) / f64::from(samples);
            let density = |n: u32| sweep.density(begin + (f64::from(n) + 0.5) * step).0;
            let windows = (0..samples).map(|n| density(n) * step).sum();
            estimate.stretches.push(Stretch { from: begin, to: end, windows });
            estimate.windows += windows;
            begin = end;
        }
        estimate.domain = arguments / estimate.windows.max(1.0);
        let reaches = sweep.singularities();
        estimate.listed = reaches.iter().map(|(_, reach)| arguments * reach / (to - from)).sum();
        estimate
    }

    /// Seconds on one core.
    pub(crate) fn seconds(&self, families: &Families) -> f64 {
        let segments = self.windows / f64::from(families.engine.windows().max(1));
        families.seconds(self.windows, self.spans) + segments * SEGMENT + self.listed * CONFIRMATION
    }

    /// The share of the windows that lies between two angles, from the first of which to the second
    /// it is so far.
    pub(crate) fn share(&self, from: f64, to: f64, length: f64) -> f64 {
        let windows = self.stretches.iter().map(|stretch| {
            // the difference of two angles may be nothing but rounding
            let is_inside = stretch.from <= from && to <= stretch.to;
            let common = if is_inside { length } else { to.min(stretch.to) - from.max(stretch.from) };
            stretch.windows * common.max(0.0) / (stretch.to - stretch.from)
        });
        (windows.sum::<f64>() / self.windows.max(f64::MIN_POSITIVE)).min(1.0)
    }

    /// The share of each stretch, and in how many of so many equal parts of all angles it is.
    fn shares(&self, parts: u64) -> impl Iterator<Item = (u64, f64)> {
        let length = self.stretches.iter().map(|stretch| stretch.to - stretch.from).sum::<f64>();
        let windows = self.windows.max(f64::MIN_POSITIVE);
        self.stretches.iter().map(move |stretch| {
            // exact: halves of halves
            let own = (stretch.to - stretch.from) / length * parts as f64;
            (own as u64, stretch.windows / windows)
        })
    }
}

/// Estimates of families of one function, by the indices of their ranges: where results are in
/// units of their own binades, they do not depend on the spacing.
#[derive(Default)]
pub(crate) struct Known(Mutex<HashMap<Indices, Vec<Estimate>>>);

/// Of each range the first index, how many there are, and by how much its spacing is wider than
/// that of the first, as a power of two.
type Indices = Vec<(i128, u64, i32)>;

impl Known {
    /// As [`FamilySearch::estimate`], which is asked if this is not known.
    fn estimate(
        &self,
        search: &FamilySearch,
        ranges: &[ArgumentRange],
    ) -> Result<Vec<Estimate>, DriverError> {
        if !search.family.is_symmetric() {
            return search.estimate(ranges);
        }
        // what is refused for its spacing is refused here, too
        search.walks(ranges)?;
        let first = ranges.first().map_or(0, ArgumentRange::exponent);
        let own = |range: &ArgumentRange| (range.first(), range.count(), range.exponent() - first);
        let indices: Indices = ranges.iter().map(own).collect();
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(estimates) = known().get(&indices) {
            return Ok(estimates.clone());
        }
        let estimates = search.estimate(ranges)?;
        known().insert(indices, estimates.clone());
        Ok(estimates)
    }
}

impl FamilySearch<'_> {
    /// The numbers of spans of the walks that a search of these ranges is made of; they are as
    /// [`run_over`](Self::run_over) takes them.
    pub(crate) fn walks(&self, ranges: &[ArgumentRange]) -> Result<Vec<usize>, DriverError> {
        self.each_sweep(ranges, |sweep, _, _| Ok(sweep.spans.len()))
    }

    /// What a search of these ranges would have to do; they are as [`run_over`](Self::run_over)
    /// takes them.
    pub(crate) fn estimate(&self, ranges: &[ArgumentRange]) -> Result<Vec<Estimate>, DriverError> {
        let arguments = ranges.iter().map(|range| range.count() as f64).sum();
        self.each_sweep(ranges, |sweep, from, to| {
            Ok(Estimate::of(sweep, sweep.real(from), sweep.real(to), arguments))
        })
    }

    /// The plan of a search of these ranges, by its estimates.
    fn plan(
        &self,
        ranges: &[ArgumentRange],
        estimates: Vec<Estimate>,
        families: &Families,
        shape: &Shape,
    ) -> RangePlan {
        let arguments: u64 = ranges.iter().map(ArgumentRange::count).fold(0, u64::saturating_add);
        let breakpoints = self.problem.breakpoints();
        let cases = breakpoints.expected_cases(arguments as f64, self.problem.extra_bits());
        let seconds: f64 = estimates.iter().map(|estimate| estimate.seconds(families)).sum();
        let longest =
            estimates.into_iter().max_by(|a, b| a.windows.total_cmp(&b.windows)).unwrap_or_default();
        let from = ranges.first().map_or_else(String::new, |range| range.argument(0).to_string());
        let scale = power_of_two(breakpoints.scale_bits() as i32);
        let windows = u64::from(families.engine.windows());
        let core_seconds = seconds + cases * CONFIRMATION;
        RangePlan {
            from,
            arguments,
            engine: shape.engine.clone(),
            piece: (longest.domain * windows as f64) as u64,
            domain_size: longest.domain as u64,
            run: windows,
            log2_half_width: (longest.height / scale).log2(),
            core_seconds,
            seconds: core_seconds,
            is_family: true,
            windows: Some(WindowPlan {
                log2_width: (longest.angle / longest.windows).log2(),
                volume: shape.volume,
                targets: longest.spans,
                run: families.engine.run(),
                nanoseconds: (families.window_seconds)(longest.spans) * 1e9,
            }),
            ..RangePlan::default()
        }
    }
}

/// Ranges of arguments that are searched as one family.
pub(crate) struct Whole {
    pub(crate) via: FamilyVia,
    /// all cells
    pub(crate) circle: ArgumentRange,
    pub(crate) plan: RangePlan,
    /// consecutive cells, with their share of the time
    pub(crate) shares: Vec<(u64, f64)>,
    /// what of each range is not in the family
    pub(crate) left: Vec<Vec<ArgumentRange>>,
}

impl Whole {
    /// Ranges in increasing order as a family; `None` where there is none, or their numbers are too
    /// long for the walk.
    pub(crate) fn of(
        function: &dyn Function,
        problem: &Problem,
        ranges: &[ArgumentRange],
        families: &Families,
        known: &Known,
    ) -> Result<Option<Self>, DriverError> {
        let Some(family) = function.family() else { return Ok(None) };
        let (mut inside, mut left) = (Vec::with_capacity(ranges.len()), Vec::with_capacity(ranges.len()));
        for range in ranges {
            let Some(Split { inside: Some(own), left: rest }) = FamilyVia::split(function, problem, range)?
            else {
                return Ok(None);
            };
            inside.push(own);
            left.push(rest);
        }
        let engine = families.engine.as_ref();
        let binades = together(family, problem);
        let search =
            FamilySearch { function, family, problem: *problem, engine, threads: 1, turns: None, binades };
        let estimates = match known.estimate(&search, &inside) {
            Ok(estimates) => estimates,
            Err(DriverError::Family { .. } | DriverError::Function(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let circle = whole_circle(family);
        // for the walk that takes longest; others, of few windows, have the same
        let longest = estimates.iter().max_by(|a, b| a.windows.total_cmp(&b.windows));
        let spans = longest.map_or(1, |estimate| estimate.spans);
        let shape = Shape::of(families, spans, binades);
        let shares = match &estimates[..] {
            [estimate] => estimate.shares(circle.count()).collect(),
            _ => vec![(circle.count(), 1.0)],
        };
        let plan = search.plan(&inside, estimates, families, &shape);
        let (via, circle) = FamilyVia::new(family, inside, shape);
        Ok(Some(Self { via, circle, plan, shares, left }))
    }
}
