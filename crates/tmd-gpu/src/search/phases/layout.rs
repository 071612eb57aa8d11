//! [`PhasesLayout`]: N, runs, stretches and the error budget of a search by an existence test.
//!
//! N is a power of two. The kernels' own rounding, in units of 2^-64 (`cpu::phases::parabola`,
//! `cpu::phases::tabulation`): κ is rounded down, less than 1; a part's chord is off by 1/2 for its
//! value and by 1/2 for its slope, times N/8 arguments; a stretch of m arguments by less than
//! `m²/4 + 1`; the half-widths are rounded up. All of it is counted under *quantization*.

use tmd_core::{
    Piece,
    difftable::{Upper, power_of_two},
    partition::{Chords, Curvature, PartitionRequest, Unfit},
    walk::MAX_DOMAIN,
};
use tmd_shaders::constants::lists::{LOG2_PARTS, PARTS};

use super::super::{Packets, Shape};
use crate::cpu::phases::{HalfWidths, Parameters};

/// Second differences `2c·N²` stay below a quarter, and the lines' half-widths small.
const CHORDS: Chords = Chords::QUARTER;

/// What a tabulated argument, and what the pieces of work around it, cost beside an existence test.
/// Choices of speed.
const ARGUMENT: f64 = 0.02;
const ENTRY: f64 = 0.5;

/// Points that a test looks at, in N.
const POINTS: f64 = 3.0;

/// An existence test costs about so many domains of a walk.
const TEST: f64 = 12.0;

/// Logarithms of the shortest and the longest stretch.
const STRETCH: (f64, f64) = (2.0, 10.0);

/// Sizes, budget and kernel parameters of one piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhasesLayout {
    pub(super) packets: Packets,
    pub(super) parameters: Parameters,
    /// share of the domains that fail the test, about
    pub(super) failing: f64,
    /// expected nanoseconds per argument
    pub(super) cost: f64,
    pub(super) workgroup: u32,
}

impl PhasesLayout {
    /// The layout of `piece`, with domains of at most `domain` arguments or of the cheapest size,
    /// in runs of at most `longest_run` domains of no more than `largest_domain` arguments.
    pub(super) fn new(
        piece: &Piece,
        domain: Option<u64>,
        (longest_run, largest_domain): (u32, u64),
        shape: &Shape,
    ) -> Result<Self, Unfit> {
        let curvature = Curvature::of(piece)?;
        let model = Model { piece, curvature, largest_domain };
        let log2_n = model.log2_n(domain).ok_or(Unfit::CurvatureTooLarge)?;
        let n = 1u64 << log2_n;
        let log2_stretch = model.log2_stretch();
        let domains = piece.arguments().div_ceil(n);
        let cost = model.cost(log2_n) * TEST * shape.costs.domain;
        Shape::check_dispatch(domains, cost * n as f64)?;

        let quantization = quantization(log2_n, log2_stretch);
        let time = TEST * shape.costs.domain;
        // a wider window lets more domains fail, and more hits reach the host
        let point = POINTS * (ENTRY + f64::from(PARTS)) * time + shape.costs.point;
        let most = curvature.most;
        let (negated, may_be_straight) = (false, false);
        let request =
            PartitionRequest { domain: n, most, negated, may_be_straight, quantization, time, point };
        let packets = Packets::new(piece, request, longest_run.into(), shape)?;
        let budget = &packets.partition.budget;
        CHORDS.check(budget)?;
        let units = |width: Upper| (width.get() * power_of_two(64)).ceil() as u64;
        let half_widths = HalfWidths {
            test: units(budget.test_half_width()),
            refine: units(budget.refine_half_width()),
            exhaust: units(budget.exhaust_half_width()),
        };
        let steps = packets.partition.run as u32;
        let parameters = Parameters::new(packets.runs(), steps, log2_n, log2_stretch, half_widths)
            .map_err(|_| if domains > 1 { Unfit::PieceTooLong } else { Unfit::CurvatureTooLarge })?;
        let failing = (POINTS * n as f64 * 2.0 * budget.test_half_width().get()).min(1.0);
        Ok(Self { packets, parameters, failing, cost, workgroup: shape.workgroup })
    }

    /// Domains, those beyond the piece included.
    pub(super) fn domains(&self) -> u64 {
        u64::from(self.packets.runs()) * self.packets.partition.run
    }
}

/// What the kernels neglect.
fn quantization(log2_n: u32, log2_stretch: u32) -> Upper {
    let stretch = Upper::of_integer(1 << log2_stretch.min(log2_n - LOG2_PARTS));
    let part = Upper::of_integer(1 << (log2_n - LOG2_PARTS));
    let chord = part * Upper::power_of_two(-1);
    (chord + stretch * stretch * Upper::new(0.25) + Upper::new(4.0)) * Upper::power_of_two(-64)
}

/// What is known of a piece when its N is chosen.
struct Model<'a> {
    piece: &'a Piece,
    curvature: Curvature,
    largest_domain: u64,
}

impl Model<'_> {
    /// The logarithm of the cheapest N, or of the largest up to `domain`, among those that fit.
    fn log2_n(&self, domain: Option<u64>) -> Option<u32> {
        let (least, most) = Parameters::LOG2_N;
        let longest = self.piece.arguments().next_power_of_two().min(MAX_DOMAIN).ilog2().clamp(least, most);
        let fits = |&log2_n: &u32| {
            let is_small = log2_n == least || 1 << log2_n <= self.largest_domain;
            is_small && CHORDS.fit(self.curvature.most, 1 << log2_n)
        };
        let mut sizes = (least..=longest).filter(fits);
        match domain {
            Some(n) => sizes.rfind(|&log2_n| log2_n == least || 1 << log2_n <= n),
            None => sizes.min_by(|&x, &y| self.cost(x).total_cmp(&self.cost(y))),
        }
    }

    /// The longest stretch whose rounding is far below the tolerance.
    fn log2_stretch(&self) -> u32 {
        let precise = (self.piece.half_width().get() / 16.0 * power_of_two(66)).log2() / 2.0;
        precise.clamp(STRETCH.0, STRETCH.1) as u32
    }

    /// Existence tests' worth of time per argument.
    fn cost(&self, log2_n: u32) -> f64 {
        let size = f64::from(log2_n).exp2();
        let acceptance = self.piece.half_width().get() + self.curvature.third.get() * (size / 2.0).powi(3);
        let fails =
            |n: f64| (POINTS * n * 2.0 * (self.curvature.most.get() * n * n / 8.0 + acceptance)).min(1.0);
        let parts = f64::from(PARTS);
        let part = size / parts;
        // what makes a part fail makes its domain fail, so the last product does not have that
        // probability, too
        (1.0 + fails(size) * (ENTRY + parts) + parts * fails(part) * (ENTRY + part * ARGUMENT)) / size
    }
}
