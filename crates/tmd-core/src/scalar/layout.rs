//! Domain size of a scalar search: [`partition`], and its cost model.

use tmd_difftable::{Upper, power_of_two};

use crate::{
    CoreError, Piece,
    coarse::Coarse,
    partition::{OneLevel, Partition, SUBDOMAINS},
};

/// Costs in nanoseconds, for the choice of N only: what one core of the 2020s takes, roughly.
struct Costs {
    /// per domain: difference tables and existence test
    domain: f64,
    /// per run: straightforward shifts
    run: f64,
    /// per argument in phase 3: tabulated, or passed over in 32 bits
    argument: f64,
    coarse: f64,
    /// per candidate: confirmation with MPFR
    candidate: f64,
}

const COSTS: Costs = Costs { domain: 110.0, run: 3000.0, argument: 1.2, coarse: 0.1, candidate: 10_000.0 };

/// How a scalar search divides a piece; `domain` asks for an N, which is halved while a domain's
/// parabola strays from the polynomial by more than ε (candidates would be mostly false, each of
/// them confirmed with MPFR).
///
/// # Errors
/// [`CoreError::DomainSize`] when `domain` is 0 or above 2^32.
pub fn partition(piece: &Piece, domain: Option<u64>) -> Result<Partition<OneLevel>, CoreError> {
    match domain {
        Some(size) if size == 0 || size > 1 << 32 => Err(CoreError::DomainSize { size }),
        Some(size) => {
            let mut partition = Partition::one_level(piece, size);
            while partition.domain > 1 && partition.budget.dropped > piece.tolerance() {
                partition = Partition::one_level(piece, partition.domain / 2);
            }
            Ok(partition)
        }
        None => {
            let sizes = (4..=24).map(|bits| 1u64 << bits);
            let partitions =
                sizes.take_while(|&n| n < 2 * piece.arguments()).map(|n| Partition::one_level(piece, n));
            let best = partitions.min_by(|x, y| {
                cost_per_argument(x, piece, true).total_cmp(&cost_per_argument(y, piece, true))
            });
            Ok(best.unwrap_or_else(|| Partition::one_level(piece, 16)))
        }
    }
}

/// Expected nanoseconds per argument by the cost model, of a search by an existence test or of an
/// exhaustive one.
pub(super) fn cost_per_argument(partition: &Partition<OneLevel>, piece: &Piece, is_tested: bool) -> f64 {
    let Partition { domain, run, budget, tables, .. } = partition;
    // a test looks at up to 2n points: it fails with probability about 2n·(2·half-width)
    let fails = |n: f64, half_width: Upper| (4.0 * n * half_width.get()).min(1.0);
    let candidates = (2.0 * budget.exhaust_half_width().get()).min(1.0);
    let units = |x: Upper| (x.get() * power_of_two(64)) as u64;
    let is_coarse =
        Coarse::new(units(budget.exhaust_half_width()), units(tables.second_difference)).is_some();
    let argument = if is_coarse { COSTS.coarse } else { COSTS.argument };
    let last = argument + candidates * COSTS.candidate;
    let n = *domain as f64;
    let generate = COSTS.run / *run as f64;
    let searched = if tables.is_linear && is_tested {
        let sub = n / SUBDOMAINS as f64;
        let (first, second) = (budget.test_half_width(), budget.refine_half_width());
        let parts = SUBDOMAINS as f64;
        // what makes a sub-domain fail makes its domain fail, so the last product does not have
        // that probability, too
        COSTS.domain * (1.0 + fails(n, first) * parts) + parts * fails(sub, second) * sub * last
    } else {
        n * last
    };
    // the last domain counts whole, however few arguments it has
    (generate + searched) * partition.domains(piece) as f64 / piece.arguments() as f64
}
