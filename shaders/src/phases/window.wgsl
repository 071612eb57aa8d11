// The question of a search to an existence test: does a line come within a half-width of an
// integer?

// `a` falls from `value` on, over n arguments. Raised by h, the line is from 0 to 2h above an
// integer where it was within h.
fn comes_within(a: U64, value: U64, n: u32, half_width: U64) -> bool {
    let width = u64_add(u64_shift_left(half_width, 1u), u64_one());
    return test_segment(a, u64_add(value, half_width), n, width).may_hold;
}

// the chord of the run's current domain
fn domain_may_hold(run: Run) -> bool {
    let half_width = u64_from(parameters.test_half_width.x, parameters.test_half_width.y);
    return comes_within(run.fall, run.value, 1u << parameters.log2_n, half_width);
}

// the chord of part j of PARTS
fn part_may_hold(parabola: Parabola, j: u32) -> bool {
    let chord = part_chord(parabola, j);
    let half_width = u64_from(parameters.refine_half_width.x, parameters.refine_half_width.y);
    return comes_within(chord.fall, chord.value, 1u << (parameters.log2_n - LOG2_PARTS), half_width);
}
