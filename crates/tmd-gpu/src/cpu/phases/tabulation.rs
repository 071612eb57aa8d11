//! Tabulated differences: `phases/tabulation.wgsl`, where the rounding is.

use super::{FailingPart, Hit, Parabola, Parameters};

/// Stretch number `stretch` of a part.
pub(super) fn tabulate(
    parameters: &Parameters,
    parabola: &Parabola,
    of: FailingPart,
    stretch: u32,
    hits: &mut Vec<Hit>,
) {
    let FailingPart { run, step, part } = of;
    let half_width = parameters.half_widths.exhaust;
    let first = (part << parameters.log2_part()) + (stretch << parameters.log2_of_stretch());
    let mut value = parabola.value(parameters, first).wrapping_add(half_width);
    let mut difference = parabola.difference(parameters, first);
    let second = parabola.second_difference(parameters);
    for argument in first..first + (1 << parameters.log2_of_stretch()) {
        if value <= 2 * half_width {
            hits.push(Hit { run, step, argument });
        }
        value = value.wrapping_add(difference);
        difference = difference.wrapping_add(second);
    }
}
