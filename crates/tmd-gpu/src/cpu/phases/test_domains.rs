//! Phase 1, an existence test of every domain: `phases/test_domains.wgsl`.

use tmd_core::exist::ExistenceTest;

use super::{FailingDomain, Parameters, Run, Tables, window::domain_may_hold};

/// The failing domains, run by run.
pub fn test_domains<T: ExistenceTest>(
    test: &T,
    parameters: &Parameters,
    tables: &Tables<'_>,
) -> Vec<FailingDomain> {
    let mut failing = Vec::new();
    for index in 0..parameters.runs {
        let mut run = Run::start(parameters, tables, index);
        for step in 0..parameters.steps {
            if domain_may_hold(test, parameters, &run) {
                failing.push(FailingDomain { run: index, step });
            }
            run = run.next();
        }
    }
    failing
}

/// The same as flags: word w of run i, at index w·`runs` + i, has bit s for the domain at step
/// 32·w + s.
pub fn test_domains_flagged<T: ExistenceTest>(
    test: &T,
    parameters: &Parameters,
    tables: &Tables<'_>,
) -> Vec<u32> {
    let mut flags = vec![0; parameters.words_of_flags() as usize];
    for index in 0..parameters.runs {
        let mut run = Run::start(parameters, tables, index);
        let mut word = 0;
        for step in 0..parameters.steps {
            word |= u32::from(domain_may_hold(test, parameters, &run)) << (step & 31);
            if step & 31 == 31 || step + 1 == parameters.steps {
                flags[((step >> 5) * parameters.runs + index) as usize] = word;
                word = 0;
            }
            run = run.next();
        }
    }
    flags
}
