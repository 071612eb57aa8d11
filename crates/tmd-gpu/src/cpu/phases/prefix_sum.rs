//! The bits of phase 1 compacted to a list: `phases/prefix_sum.wgsl`.

use super::{FailingDomain, Parameters};

/// The failing domains, word by word.
pub fn prefix_sum(parameters: &Parameters, flags: &[u32]) -> Vec<FailingDomain> {
    let mut before = 0;
    let mut offsets = Vec::with_capacity(flags.len());
    for word in flags {
        offsets.push(before);
        before += word.count_ones() as usize;
    }
    let mut failing = vec![FailingDomain { run: 0, step: 0 }; before];
    for (index, (&word, &offset)) in (0u32..).zip(flags.iter().zip(&offsets)) {
        let (mut word, mut place) = (word, offset);
        while word != 0 {
            let step = 32 * (index / parameters.runs) + word.trailing_zeros();
            failing[place] = FailingDomain { run: index % parameters.runs, step };
            place += 1;
            word &= word - 1;
        }
    }
    failing
}
