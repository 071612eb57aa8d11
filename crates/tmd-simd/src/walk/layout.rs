//! Domain size and order of a walk over a piece, and its partition and budget ([`Partition`]).
//!
//! Of the budget's lines *line* is κ; *quantization* is that of [`quantization`], where the error
//! of κ cancels in g and is covered by h, and `g` is formed with three roundings.

use tmd_core::{
    Piece, WalkPlan,
    difftable::{Upper, power_of_two},
    flat::Flat,
    partition::{Partition, PartitionRequest, Unfit},
    walk::{
        self, MIN_DOMAIN, WalkCosts,
        contract::{PairContract, max_order},
    },
};

use crate::tables::quantization;

/// What the parts of a walk cost on one core with eight lanes, in nanoseconds, roughly: what N is
/// chosen by. Budgets and counts depend on N, so tables that certificates were made with stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CostTable {
    /// With flagged domains enumerated one by one: until November 2026, and in engines' names that
    /// name no table.
    First,
    /// With flagged domains enumerated in lanes.
    Second,
    /// The second one, and flat pieces are passed over in steps ([`Flat`](tmd_core::flat::Flat)).
    Third,
    /// The third one, with domains of less than [`MIN_DOMAIN`](walk::MIN_DOMAIN) arguments where
    /// functions bend as much as next to a pole, and the regular test in lanes, its last quotient
    /// trimmed, where even those are too long.
    Fourth,
    /// The fourth one, with slopes that grow by the same step all over a run where that neglects
    /// less ([`PartitionRequest::may_be_straight`]): longer runs in x87.
    #[default]
    Fifth,
}

impl CostTable {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::First, Self::Second, Self::Third, Self::Fourth, Self::Fifth];

    /// Its number in engines' names and in `--costs`, 1 to 5.
    pub const fn number(self) -> u32 {
        match self {
            Self::First => 1,
            Self::Second => 2,
            Self::Third => 3,
            Self::Fourth => 4,
            Self::Fifth => 5,
        }
    }

    /// The table of a number, the first if none is named; `None` of one that there is not.
    pub fn of_number(number: Option<u32>) -> Option<Self> {
        let number = number.unwrap_or(Self::First.number());
        Self::ALL.into_iter().find(|table| table.number() == number)
    }

    /// How a piece is passed over, if it is: one that is flat, in domains of no other size.
    pub(super) fn flat(self, piece: &Piece, domain: Option<u64>) -> Option<Flat> {
        if self >= Self::Third && domain.is_none() { Flat::of(piece) } else { None }
    }

    const fn costs(self) -> WalkCosts {
        let (domain, point) = (2.0, 150.0);
        match self {
            Self::First => WalkCosts { domain, dense: 100.0, point, least: MIN_DOMAIN },
            Self::Second | Self::Third => WalkCosts { domain, dense: 36.0, point, least: MIN_DOMAIN },
            Self::Fourth | Self::Fifth => WalkCosts { domain, dense: 36.0, point, least: SHORT_DOMAIN },
        }
    }
}

/// Smallest domain of the fourth table: below, the regular test takes less time.
const SHORT_DOMAIN: u64 = 8;

/// Smallest domain (Definition W.6): from here on plans have `M ≤ 5N/4` (Lemma W.28).
const LEAST_DOMAIN: u64 = 4;

/// Steps of a slope from one domain to the next are below this, as lanes take them (Definition
/// W.6).
const SLOPE_STEPS: f64 = power_of_two(-13);

/// Plan, cut and budget of one part of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkLayout {
    pub(super) plan: WalkPlan,
    pub(super) partition: Partition,
    /// bound of `|c|` over the piece
    pub(super) most: Upper,
}

impl WalkLayout {
    /// The layout of `piece` in `lanes` lanes, with domains of `domain` arguments or of the
    /// cheapest size by these costs.
    pub(super) fn new(
        piece: &Piece,
        lanes: u64,
        domain: Option<u64>,
        costs: CostTable,
    ) -> Result<Self, Unfit> {
        let (plan, request) = walk::request(piece, domain, costs.costs(), |n, _| quantization(n))?;
        let request = PartitionRequest { may_be_straight: costs >= CostTable::Fifth, ..request };
        let mut partition = Partition::new(piece, lanes, request)?;
        partition.budget.refined = Upper::ZERO; // there are no sub-domains
        Ok(Self { plan, partition, most: request.most })
    }

    /// Whether all that Definition W.6 of docs/proofs/walk.md asks for is so, and half-widths leave
    /// room outside.
    pub(super) fn is_valid(&self) -> bool {
        // what a step of the slope from one domain to the next adds to a length or takes from it:
        // M·δ
        let slope = self.partition.slope_step(self.most);
        let step = Upper::of_integer(self.plan.order) * slope;
        slope.get() < SLOPE_STEPS
            && self.partition.budget.test_half_width().get() < 0.25
            && step.get() <= PairContract::LANES.longest_step()
            && self.plan.domain >= LEAST_DOMAIN
            && self.plan.order <= max_order(self.plan.domain)
    }
}
