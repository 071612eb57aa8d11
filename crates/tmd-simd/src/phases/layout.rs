//! Domain size of an existence test's search over a piece, its partition and its budget.
//!
//! Two lines are added to what [`partition`](tmd_core::partition) neglects, both under
//! *quantization*:
//!
//! * *segments* of 52 bits, unless the search is exhaustive: the slope is rounded to nearest,
//!   `2^-53·N`, the value down, `2^-52` ([`quantization`]);
//! * *stretches* of m arguments, tabulated in 64 bits: the second difference is rounded to nearest,
//!   `2^-65·C(m, 2)`, the first one to `2^-64`, times m; the value, and the roundings to 53 bits of
//!   what is formed from c before (c, κ, `c·x²`, all below 2^-5, chords' slopes below `2^-4/N`), to
//!   less than 2^-52 ([`stretches`]).

use tmd_core::{
    Piece,
    coarse::Coarse,
    difftable::{Upper, power_of_two},
    partition::{Chords, Curvature, Partition, PartitionRequest, SUBDOMAINS, Unfit},
    walk::MAX_DOMAIN,
};

use super::exhaustive;
use crate::tables::quantization;

/// Second differences `2c·N²` stay below 1/2, and the lines' half-widths small.
const CHORDS: Chords = Chords::HALF;

/// Smallest domain that the cost model looks at, and the size of domains for an exhaustive search.
const SMALLEST: f64 = 16.0;
const EXHAUSTIVE: u64 = 1 << 15;

/// Smallest domain of an exhaustive search: below, most of the time goes into starting the lanes.
const EXHAUSTIVE_LEAST: u64 = 256;

/// Shortest and longest stretch of an exhaustive tabulation in a lane.
const STRETCH: (f64, f64) = (512.0, 4096.0);

/// What the parts of a search cost on one core with eight lanes, in nanoseconds, roughly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    /// per segment
    pub(super) test: f64,
    /// points that a test looks at, in N
    pub(super) points: f64,
}

/// Costs that all tests share: a failing domain is unpacked into sub-domains, a failing sub-domain
/// into stretches; an argument is tabulated, or passed over in 32 bits; a hit is evaluated exactly.
const DOMAIN: f64 = 60.0;
const SUBDOMAIN: f64 = 120.0;
const ARGUMENT: f64 = 0.2;
const COARSE_ARGUMENT: f64 = 0.03;
const HIT: f64 = 300.0;

/// What an argument near a breakpoint costs: more domains and sub-domains fail, and it is
/// evaluated.
const POINT: f64 = 1000.0;

/// Sizes, cut and budget of one part of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExistenceLayout {
    pub(super) partition: Partition,
    /// arguments of a sub-domain (of a domain, if the search is exhaustive)
    pub(super) part: u64,
    /// arguments per stretch, m
    pub(super) stretch: u64,
    /// expected nanoseconds per argument
    pub(super) cost: f64,
}

impl ExistenceLayout {
    /// The layout of `piece` in `lanes` lanes for a test of these costs, or for none: an exhaustive
    /// search. `domain` asks for an even N, which is lowered as far as the piece bends.
    pub(super) fn new(
        piece: &Piece,
        lanes: u64,
        costs: Option<Costs>,
        domain: Option<u64>,
    ) -> Result<Self, Unfit> {
        let model = Model { piece, lanes, costs, curvature: Curvature::of(piece)? };
        let n = match domain {
            Some(n) if costs.is_none() => model.fitting(n.max(EXHAUSTIVE_LEAST)),
            Some(n) => model.fitting(n),
            None => model.cheapest(),
        };
        let n = n.ok_or(Unfit::CurvatureTooLarge)?;
        let Curvature { most, .. } = model.curvature;
        let quantization = model.quantization(n);
        let cost = model.cost(n);
        let (time, point) = (cost * n as f64, POINT);
        let (negated, may_be_straight) = (false, false);
        let request =
            PartitionRequest { domain: n, most, negated, may_be_straight, quantization, time, point };
        let partition = Partition::new(piece, lanes, request)?;
        CHORDS.check(&partition.budget)?;
        Ok(Self { partition, part: model.part(n), stretch: model.stretch(n), cost })
    }
}

/// What is known of a piece when its N is chosen.
struct Model<'a> {
    piece: &'a Piece,
    lanes: u64,
    costs: Option<Costs>,
    curvature: Curvature,
}

impl Model<'_> {
    fn fits(&self, n: u64) -> bool {
        CHORDS.fit(self.curvature.most, n)
    }

    /// The largest even size up to `n`, halving.
    fn fitting(&self, n: u64) -> Option<u64> {
        let sizes = core::iter::successors(Some(n), |n| (*n > 2).then_some((n / 2).next_multiple_of(2)));
        sizes.into_iter().find(|&n| self.fits(n))
    }

    /// The cheapest size.
    fn cheapest(&self) -> Option<u64> {
        let most = self.piece.arguments().next_multiple_of(2).min(MAX_DOMAIN);
        if self.costs.is_none() {
            return self.fitting(EXHAUSTIVE.min(most));
        }
        // sizes are floats of at most 2^24, even after the cast
        let sizes = (0..=80).map(|quarter| SMALLEST * 2f64.powf(f64::from(quarter) / 4.0));
        let sizes = sizes.map(|n| ((n / 2.0) as u64 * 2).min(most)).filter(|&n| self.fits(n));
        sizes.min_by(|&x, &y| self.cost(x).total_cmp(&self.cost(y)))
    }

    fn part(&self, n: u64) -> u64 {
        if self.costs.is_some() { n.div_ceil(SUBDOMAINS) } else { n }
    }

    /// Arguments per stretch: so many that a part fills all lanes, unless that costs more precision
    /// than ε asks for.
    fn stretch(&self, n: u64) -> u64 {
        let precise = (self.piece.half_width().get() / 32.0 * power_of_two(66)).sqrt();
        let most = precise.clamp(STRETCH.0, STRETCH.1) as u64;
        self.part(n).div_ceil(exhaustive::VECTORS as u64 * self.lanes).clamp(1, most)
    }

    fn quantization(&self, n: u64) -> Upper {
        // an exhaustive search uses all 64 bits of the slope; the tables' own errors, aimed at a
        // share of this, need as much
        let of_segments = match self.costs {
            Some(_) => quantization(n),
            None => Upper::of_integer(n) * Upper::power_of_two(-60),
        };
        of_segments + stretches(self.stretch(n))
    }

    /// Expected nanoseconds per argument with domains of `n`.
    fn cost(&self, n: u64) -> f64 {
        let size = n as f64;
        let acceptance = self.piece.half_width() + self.quantization(n);
        let acceptance = acceptance.get() + self.curvature.third.get() * (size / 2.0).powi(3);
        let slower = 8.0 / self.lanes as f64;
        let units = |x: f64| (x * power_of_two(64)) as u64;
        let is_coarse = Coarse::new(units(acceptance), units(2.0 * self.curvature.most.get())).is_some();
        let argument = if is_coarse { COARSE_ARGUMENT } else { ARGUMENT } * slower + 2.0 * acceptance * HIT;
        let Some(costs) = self.costs else { return argument + SUBDOMAIN / size };
        // a test that looks at so many points fails with about this probability
        let fails = |n: f64| {
            let half_width = self.curvature.most.get() * n * n / 8.0 + acceptance;
            (costs.points * n * 2.0 * half_width).min(1.0)
        };
        let parts = SUBDOMAINS as f64;
        let part = size / parts;
        let test = costs.test * slower;
        let refine = fails(size) * (DOMAIN + parts * test);
        // what makes a sub-domain fail makes its domain fail, so this is not multiplied by that
        // again
        let exhaust = parts * fails(part) * (SUBDOMAIN + part * argument);
        (test + refine + exhaust) / size
    }
}

/// What 64 bits neglect over a stretch of `m` arguments.
fn stretches(m: u64) -> Upper {
    let m = Upper::of_integer(m);
    m * m * Upper::power_of_two(-66) + m * Upper::power_of_two(-64) + Upper::power_of_two(-52)
}
