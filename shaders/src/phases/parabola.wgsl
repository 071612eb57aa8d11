// One domain's parabola b + a·x + c·x², |x| ≤ N/2; arguments y = x + N/2 are counted from the first
// one.

struct Parabola {
    // b − a·N/2
    base: U64,
    // a
    slope: U64,
    // 2c·N², signed, |2c·N²| ≤ 2^62 units: a quarter
    curvature: U64,
}

// of the run's current domain
fn parabola_of(run: Run) -> Parabola {
    return Parabola(u64_sub(run.value, kappa(run.curvature)), u64_neg(run.fall), run.curvature);
}

// of the domain at `step` ≤ 2047 of a run: Σ C(step, l)·Δ^l, what so many additions lead to,
// exactly.
//
// C(2047, 2)·2045 < 2^32: the binomials are exact in 32 bits.
fn parabola_at(run: u32, step: u32) -> Parabola {
    let start = run_start(run);
    let once = step;
    let twice = once * (max(step, 1u) - 1u) / 2u;
    let thrice = twice * (max(step, 2u) - 2u) / 3u;
    var here = start;
    here.value = u64_add(
        u64_add(start.value, u64_mul_u32_low(start.value_1, once)),
        u64_add(u64_mul_u32_low(start.value_2, twice), u64_mul_u32_low(start.value_3, thrice)),
    );
    here.fall = u64_add(
        start.fall,
        u64_add(u64_mul_u32_low(start.fall_1, once), u64_mul_u32_low(start.fall_2, twice)),
    );
    return parabola_of(here);
}

// ±curvature·m/2^shift to nearest, 1 ≤ shift ≤ 63, for a result below 2^63: off by at most 1/2.
fn share_of_curvature(curvature: U64, m: U64, shift: u32, is_negated: bool) -> U64 {
    let is_negative = u64_less_signed(curvature, u64_zero());
    let magnitude = u64_select(curvature, u64_neg(curvature), is_negative);
    let low = u64_mul_low(magnitude, m);
    // the high half without what a shift drops, so that 64 − shift ≤ 63 bits of it are in place
    let high = u64_shift_left(u64_mul_high(magnitude, m), 64u - shift);
    // low/2^(shift − 1), then half of it, rounded
    let doubled = u64_shift_right(low, shift - 1u);
    let half = u64_add(u64_shift_right(doubled, 1u), u64_from(u64_low(doubled) & 1u, 0u));
    let share = u64_add(high, half);
    return u64_select(share, u64_neg(share), is_negative != is_negated);
}

// The chord of a part: value at the part's first argument, −slope.
struct Chord {
    value: U64,
    fall: U64,
}

// The chord of part j of P = PARTS, n = N/P arguments from s = (j − P/2)·n on, lowered to the
// middle of what it leaves.
//
// About the middle m = s + n/2, c·x² = c·m² + 2c·m·(x − m) + c·(x − m)², and the last term lies
// within |c|·n²/8 of c·n²/8. So the chord of c·x² has at x = s the value c·(s² − n²/8) =
// 2c·N²·(8·(j − P/2)² − 1)/(16·P²), and the slope c·(2s + n) = 2c·N²·(2j + 1 − P)/(2·P·N).
//
// *Rounding.* The value is off by at most 1/2, the slope by at most 1/2 for each argument:
// altogether at most n/2 units of 2^-64 at any argument of the part.
fn part_chord(parabola: Parabola, j: u32) -> Chord {
    let middle = PARTS / 2u;
    let square = 8u * (max(j, middle) - min(j, middle)) * (max(j, middle) - min(j, middle));
    // 8·(j − P/2)² − 1, which is −1 for j = P/2
    let of_value = u64_from(select(square - 1u, 1u, j == middle), 0u);
    let value = share_of_curvature(parabola.curvature, of_value, 4u + 2u * LOG2_PARTS, j == middle);
    let of_slope = u64_from(select(PARTS - 1u - 2u * j, 2u * j + 1u - PARTS, j >= middle), 0u);
    let slope = share_of_curvature(parabola.curvature, of_slope, parameters.log2_n + 1u + LOG2_PARTS, j < middle);
    let first = j << (parameters.log2_n - LOG2_PARTS);
    return Chord(
        u64_add(u64_add(parabola.base, u64_mul_u32_low(parabola.slope, first)), value),
        u64_neg(u64_add(parabola.slope, slope)),
    );
}

// The value at argument y < N, off by at most 1/2: c·x² = 2c·N²·x²/(2N²).
fn parabola_value(parabola: Parabola, y: u32) -> U64 {
    let half = 1u << (parameters.log2_n - 1u);
    let x = max(y, half) - min(y, half);
    let curved = share_of_curvature(parabola.curvature, u32_mul_wide(x, x), 2u * parameters.log2_n + 1u, false);
    return u64_add(u64_add(parabola.base, u64_mul_u32_low(parabola.slope, y)), curved);
}

// The first difference, from y to y + 1, off by at most 1/2: c·(2x + 1) = 2c·N²·(2x + 1)/(2N²).
fn parabola_difference(parabola: Parabola, y: u32) -> U64 {
    let half = 1u << (parameters.log2_n - 1u);
    let is_left = y < half;
    let m = select(2u * (y - half) + 1u, 2u * (half - y) - 1u, is_left);
    let curved = share_of_curvature(parabola.curvature, u64_from(m, 0u), 2u * parameters.log2_n + 1u, is_left);
    return u64_add(parabola.slope, curved);
}

// The second difference, off by at most 1/2: 2c = 2c·N²/N².
fn parabola_second_difference(parabola: Parabola) -> U64 {
    return share_of_curvature(parabola.curvature, u64_one(), 2u * parameters.log2_n, false);
}
