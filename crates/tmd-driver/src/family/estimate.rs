//! [`Estimate`]: how many windows a family has, before any of them is searched.

use tmd_core::Problem;
use tmd_core::{ArgumentRange, Families, difftable::power_of_two};
use tmd_functions::{Function, Repetition};

use super::{FamilySearch, FamilyVia, Shape, Split, sweep::Sweep};
use crate::{
    DriverError,
    plan::{CONFIRMATION, RangePlan},
};

/// Angles at which the width of windows is asked.
const SAMPLES: u32 = 48;

/// Seconds that the polynomial of a segment takes, roughly.
const SEGMENT: f64 = 2.0e-4;

/// What there is to do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Estimate {
    /// Windows, and those times the spans that are looked for in each.
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
    fn of(sweep: &Sweep, from: f64, to: f64, arguments: f64) -> Self {
        let mut estimate = Self { spans: sweep.spans.len(), ..Self::default() };
        let step = (to - from) / f64::from(SAMPLES);
        for k in 0..SAMPLES {
            let (density, height) = sweep.density(from + (f64::from(k) + 0.5) * step);
            estimate.windows += density * step;
            if k == SAMPLES / 2 {
                estimate.height = height;
            }
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
}

impl FamilySearch<'_> {
    /// What a search of these ranges would have to do; they are as [`run_over`](Self::run_over)
    /// takes them.
    pub(crate) fn estimate(&self, ranges: &[ArgumentRange]) -> Result<Vec<Estimate>, DriverError> {
        let arguments = ranges.iter().map(|range| range.count() as f64).sum();
        match self.family.repetition() {
            Repetition::Period => {
                let end = if self.family.is_symmetric() { 0.5 } else { 1.0 };
                self.with_sweep(ranges, |sweep, _| vec![Estimate::of(sweep, 0.0, end, arguments)])
            }
            Repetition::Doubling => self.with_doubling(&self.exponents(ranges)?, Some(ranges), |sweeps| {
                sweeps.iter().map(|sweep| Estimate::of(sweep, 0.5, 1.0, arguments)).collect()
            }),
        }
    }

    /// The plan of a search of these ranges.
    pub(crate) fn plan(
        &self,
        ranges: &[ArgumentRange],
        families: &Families,
    ) -> Result<RangePlan, DriverError> {
        let estimates = self.estimate(ranges)?;
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
        Ok(RangePlan {
            from,
            arguments,
            engine: Shape::of(families).engine,
            piece: (longest.domain * windows as f64) as u64,
            degree: 0,
            domain_size: longest.domain as u64,
            order: None,
            run: windows,
            log2_half_width: (longest.height / scale).log2(),
            core_seconds,
            seconds: core_seconds,
            is_family: true,
            rival: None,
        })
    }
}

/// Ranges of arguments that are searched as one family.
pub(crate) struct Whole {
    pub(crate) via: FamilyVia,
    /// all cells
    pub(crate) circle: ArgumentRange,
    pub(crate) plan: RangePlan,
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
        let search = FamilySearch { function, family, problem: *problem, engine, threads: 1, turns: None };
        let plan = match search.plan(&inside, families) {
            Ok(plan) => plan,
            Err(DriverError::Family { .. } | DriverError::Function(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let (via, circle) = FamilyVia::new(family, inside, Shape::of(families));
        Ok(Some(Self { via, circle, plan, left }))
    }
}
