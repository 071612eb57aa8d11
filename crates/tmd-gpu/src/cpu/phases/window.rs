//! The question of a search to an existence test: `phases/window.wgsl`.

use tmd_core::exist::{ExistenceTest, NoProbe, Segment, Verdict};

use super::{Parabola, Parameters, Run};

/// Whether the line that falls by `a` from `value` on may come within a half-width of an integer in
/// 2^`log2_n` arguments.
fn comes_within<T: ExistenceTest>(test: &T, a: u64, value: u64, log2_n: u32, half_width: u64) -> bool {
    debug_assert!(half_width < 1 << 62, "a circle has 2^64");
    #[expect(
        clippy::expect_used,
        reason = "1 to 2^24 arguments: a domain has 2^4 to 2^24, a part an eighth of them"
    )]
    let segment = Segment::new(a, value.wrapping_add(half_width), 1 << log2_n).expect("allowed sizes");
    test.test(segment, 2 * half_width + 1, &mut NoProbe) == Verdict::MayHold
}

/// The chord of the run's current domain.
pub(super) fn domain_may_hold<T: ExistenceTest>(test: &T, parameters: &Parameters, run: &Run) -> bool {
    comes_within(test, run.fall[0], run.value[0], parameters.log2_n, parameters.half_widths.test)
}

/// The chord of part j of the domain's.
pub(super) fn part_may_hold<T: ExistenceTest>(
    test: &T,
    parameters: &Parameters,
    parabola: &Parabola,
    j: u32,
) -> bool {
    let chord = parabola.part_chord(parameters, j);
    comes_within(test, chord.fall, chord.value, parameters.log2_part(), parameters.half_widths.refine)
}
