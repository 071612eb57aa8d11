//! The papers' deployment in one kernel: `phases/one_kernel.wgsl`.

use tmd_core::exist::ExistenceTest;
use tmd_shaders::constants::lists::PARTS;

use super::{
    FailingPart, Hit, Parabola, Parameters, Run, Tables,
    tabulation::tabulate,
    window::{domain_may_hold, part_may_hold},
};

/// The hits, run by run.
pub fn one_kernel<T: ExistenceTest>(test: &T, parameters: &Parameters, tables: &Tables<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for index in 0..parameters.runs {
        let mut run = Run::start(parameters, tables, index);
        for step in 0..parameters.steps {
            if domain_may_hold(test, parameters, &run) {
                let parabola = Parabola::of(&run);
                for part in 0..PARTS {
                    if part_may_hold(test, parameters, &parabola, part) {
                        for stretch in 0..parameters.stretches() {
                            let of = FailingPart { run: index, step, part };
                            tabulate(parameters, &parabola, of, stretch, &mut hits);
                        }
                    }
                }
            }
            run = run.next();
        }
    }
    hits
}
