//! [`Planner`]: what a lane-packed backend would do, on machines that lack its lanes.

use std::sync::Arc;

use tmd_core::{
    Backend, CoreError, Interrupt, Piece, PieceOutcome, PiecePlan, engine_name,
    exist::Logms,
    partition::{Unfit, subdivide::PieceSearch},
};

use crate::{CostTable, Fallback, SimdEngine, scalar};

/// Plans, budgets and domain sizes of a [`Simd`](crate::Simd), bit by bit, by the number of its
/// lanes alone: a certificate's budgets can be derived again wherever it was written. It searches
/// nothing.
#[derive(Clone, Copy, Debug)]
pub struct Planner {
    engine: SimdEngine,
    level: &'static str,
    lanes: u64,
    logms: Logms,
    domain_size: Option<u64>,
    costs: CostTable,
}

/// All levels that there are on any machine, and their lanes.
const LEVELS: [(&str, u64); 3] = [("avx512", 8), ("avx2", 4), ("portable", 4)];

impl Planner {
    /// One for each engine and each level, with this threshold of divisions, these domains and
    /// these costs ([`Simd::with_logms`](crate::Simd::with_logms),
    /// [`Simd::with_domain_size`](crate::Simd::with_domain_size),
    /// [`Simd::with_costs`](crate::Simd::with_costs)).
    pub fn all(logms: Logms, domain_size: Option<u64>, costs: CostTable) -> impl Iterator<Item = Self> {
        let of_level = move |(level, lanes): (&'static str, u64)| {
            let of_engine = move |engine| Self { engine, level, lanes, logms, domain_size, costs };
            SimdEngine::ALL.into_iter().map(of_engine)
        };
        LEVELS.into_iter().flat_map(of_level)
    }
}

impl PieceSearch for Planner {
    fn label(&self) -> String {
        engine_name(&self.engine.name_on(self.level, self.costs), self.logms, self.domain_size)
    }

    fn search_whole(&self, _: &Piece, _: &Interrupt) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
        let reason = format!("this machine is not asked for its {} lanes", self.level);
        Ok(Err(CoreError::Backend { backend: self.label(), reason }))
    }

    fn plan_whole(&self, piece: &Piece) -> Result<PiecePlan, Unfit> {
        self.engine.plan(piece, self.lanes, self.domain_size, self.costs)
    }

    fn fallback(&self, unfit: Unfit) -> Arc<dyn Backend + Send + Sync> {
        match self.engine.fallback(unfit, self.costs) {
            Fallback::Lanes(engine) => Arc::new(Self { engine, domain_size: None, ..*self }),
            Fallback::Scalar(engine) => Arc::new(scalar(engine, self.logms)),
        }
    }
}

#[cfg(test)]
mod tests {
    use tmd_core::difftable::Fixed;
    use tmd_testkit::generators::Spec;

    use super::*;
    use crate::{Level, Simd};

    /// The levels of this machine say the same of pieces as their planners do, bit by bit; also of
    /// one with an inflection point, and of those that bend too much for the walk, or for lanes,
    /// which other engines take.
    #[test]
    fn a_planner_derives_what_the_lanes_do() {
        let piece = |slope: i64, curvature: i64, bits: u32| {
            let third = Fixed::from_limbs([u64::MAX / 3; 8]);
            let coefficients = vec![(1, 0), (slope, 63), (curvature, bits)];
            let spec = Spec { coefficients, arguments: 1 << 20, center: 0, tolerance_bits: 30, slack: 0 };
            spec.planted(0, third)
        };
        let mut compared = 0;
        for (size, costs) in [
            (None, CostTable::Fifth),
            (Some(300), CostTable::Fifth),
            (None, CostTable::Fourth),
            (None, CostTable::First),
        ] {
            for planner in Planner::all(Logms::INSTRUCTION, size, costs) {
                for level in Level::with_pairs().into_iter().filter(|level| level.name() == planner.level) {
                    assert_eq!(planner.lanes, level.width());
                    let simd = Simd::new(planner.engine, level).with_domain_size(size).with_costs(costs);
                    assert_eq!(Backend::name(&simd), Backend::name(&planner));
                    for piece in [
                        (0x4f1b_bcdc_bfa5_3e0b, 1, 92),
                        (0x4f1b_bcdc_bfa5_3e0b, 0, 92),
                        (3, 1 << 30, 92),
                        (0x4f1b_bcdc_bfa5_3e0b, 3, 24),
                        (0x4f1b_bcdc_bfa5_3e0b, 3, 16),
                        (0x4f1b_bcdc_bfa5_3e0b, 1, 5),
                    ]
                    .map(|(slope, curvature, bits)| piece(slope, curvature, bits))
                    {
                        assert_eq!(Backend::derive(&simd, &piece), Backend::derive(&planner, &piece));
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared >= 60, "{compared}");
        let one = piece(3, 1, 92);
        let mut planners = Planner::all(Logms::INSTRUCTION, None, CostTable::default());
        let found = Backend::search(&planners.next().unwrap(), &one, &Interrupt::new());
        assert!(matches!(found, Err(CoreError::Backend { .. })), "it does not search");
    }
}
