//! Phase 2, an existence test of the parts of every failing domain: `phases/refine.wgsl`.

use tmd_core::exist::ExistenceTest;
use tmd_shaders::constants::lists::PARTS;

use super::{FailingDomain, FailingPart, Parabola, Parameters, Tables, window::part_may_hold};

/// The failing parts, domain by domain.
pub fn refine<T: ExistenceTest>(
    test: &T,
    parameters: &Parameters,
    tables: &Tables<'_>,
    domains: &[FailingDomain],
) -> Vec<FailingPart> {
    let mut failing = Vec::new();
    for &FailingDomain { run, step } in domains {
        let parabola = Parabola::at(parameters, tables, run, step);
        for part in 0..PARTS {
            if part_may_hold(test, parameters, &parabola, part) {
                failing.push(FailingPart { run, step, part });
            }
        }
    }
    failing
}
