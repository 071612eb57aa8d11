// The Farey walk, one run of domains per invocation, in integers: tmd-gpu's src/cpu/walk, where
// everything is explained and proved. All fractions are in units of 2^-60 (`FRACTION_BITS`), two's
// complement.

struct WalkConstants {
    runs: u32,
    steps: u32,
    half_domain: u32,
    order: u32,
    half_width: vec2<u32>,
    acceptance: vec2<u32>,
    square_shift: u32,
    capacity: u32,
    reciprocal: vec2<u32>,
}

struct Flagged {
    run: u32,
    step: u32,
    u: u32,
    v: u32,
    p: vec2<u32>,
    q: vec2<u32>,
    beta: vec2<u32>,
    kappa: vec2<u32>,
}

@group(0) @binding(0) var<storage, read> constants: WalkConstants;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read_write> progress: Progress;
@group(0) @binding(3) var<storage, read_write> flagged: array<Flagged>;

fn number(words: vec2<u32>) -> U64 {
    return u64_from(words.x, words.y);
}

fn words(x: U64) -> vec2<u32> {
    return vec2<u32>(u64_low(x), u64_high(x));
}

// entry `number` of a run's tables
fn table_entry(number: u32, run: u32) -> U64 {
    let low = 2u * number * constants.runs + run;
    return u64_from(tables[low], tables[low + constants.runs]);
}

// 2^FRACTION_BITS
fn one() -> U64 {
    return u64_from(0u, 1u << (FRACTION_BITS - 32u));
}

fn is_negative(x: U64) -> bool {
    return (u64_high(x) >> 31u) == 1u;
}

fn is_zero(x: U64) -> bool {
    return (u64_low(x) | u64_high(x)) == 0u;
}

fn magnitude(x: U64) -> U64 {
    return u64_select(x, u64_neg(x), is_negative(x));
}

struct Pair {
    u: u32,
    v: u32,
    p: U64,
    q: U64,
}

fn start_pair(slope: U64, order: u32) -> Pair {
    var pair = Pair(1u, 1u, slope, u64_sub(one(), slope));
    while pair.u + pair.v <= order {
        let right = u64_less(pair.p, pair.q);
        // the length and count that are reduced and raised, and those by which
        let length = u64_select(pair.p, u64_sub(pair.q, u64_one()), right);
        let by = u64_select(pair.q, pair.p, right);
        let count = select(pair.u, pair.v, right);
        let by_count = select(pair.v, pair.u, right);
        var k = (order - count) / by_count;
        if !is_zero(by) {
            let quotient = u64_div_rem(length, by).quotient;
            k = select(k, min(k, u64_low(quotient)), u64_high(quotient) == 0u);
        }
        let rest = u64_mul_u32_low(by, k);
        if right {
            pair.v += k * by_count;
            pair.q = u64_sub(pair.q, rest);
        } else {
            pair.u += k * by_count;
            pair.p = u64_sub(pair.p, rest);
        }
    }
    return pair;
}

struct Curvature {
    kappa: U64,
    factor: U64,
}

fn curvature_of(second_difference: U64) -> Curvature {
    let curved = u64_neg(second_difference);
    let kappa = u64_select(u64_shift_right(curved, 4u + BELOW), u64_zero(), is_negative(curved));
    return Curvature(kappa, u64_mul_high(u64_shift_left(kappa, 2u), number(constants.reciprocal)));
}

// c·x², |x| ≤ N/2
fn curvature_square(curvature: Curvature, x: u32) -> U64 {
    let square = u64_high(u64_shift_left(u32_mul_wide(x, x), constants.square_shift));
    return u64_from(u64_high(u64_mul_u32_low(curvature.factor, square)), u64_mul_u32_high(curvature.factor, square));
}

// Whether the nearest point to β on a line, e from it and at x, is a hit or far.
fn is_hit(curvature: Curvature, e: U64, x: u32, p_min: U64, u_min: u32) -> bool {
    let n = magnitude(e);
    let d = magnitude(p_min);
    if !u64_less(u64_shift_right(n, FAR), d) {
        return u_min < FEW;
    }
    // ⌊n/d⌋ or one less, as the quotient is at most 2^14 and the estimate off by 2^-16 of it
    var steps = u32(u64_quotient_estimate(n, d));
    var rest = u64_sub(n, u64_mul_u32_low(d, steps));
    let one_less = !u64_less(rest, d);
    steps += u32(one_less);
    rest = u64_select(rest, u64_sub(rest, d), one_less);
    // to nearest
    let up = !u64_less(u64_shift_left(rest, 1u), d);
    steps += u32(up);
    rest = u64_select(rest, u64_sub(rest, d), up);
    // beyond the domain in any case
    if f32(steps) * f32(u_min) > f32(OUTSIDE) {
        return false;
    }
    let along = is_negative(e) == is_negative(p_min);
    let place = select(x - steps * u_min, x + steps * u_min, along);
    let distance = select(place, 0u - place, (place >> 31u) == 1u);
    let off = u64_select(rest, u64_neg(rest), is_negative(e));
    let g = u64_sub(u64_sub(curvature_square(curvature, min(distance, constants.half_domain)), curvature.kappa), off);
    return (distance <= constants.half_domain) & !u64_less(number(constants.acceptance), magnitude(g));
}

@compute @workgroup_size(WORKGROUP)
fn walk(at: Invocation) {
    let run = invocation_index(at);
    if run >= constants.runs {
        return;
    }
    var b0 = table_entry(0u, run);
    var b1 = table_entry(1u, run);
    var b2 = table_entry(2u, run);
    let b3 = table_entry(3u, run);
    var a0 = table_entry(BETAS, run);
    var a1 = table_entry(BETAS + 1u, run);
    let a2 = table_entry(BETAS + 2u, run);

    let curvature = curvature_of(b2);
    b0 = u64_sub(b0, u64_shift_left(curvature.kappa, BELOW));
    let order = constants.order;
    let half_domain = constants.half_domain;
    let half_width = number(constants.half_width);
    var slope = u64_shift_right(a0, BELOW);
    var pair = start_pair(slope, order);
    var u = pair.u;
    var v = pair.v;
    var p = pair.p;
    var q = pair.q;

    var step = 0u;
    for (; step < constants.steps; step++) {
        let next_slope = u64_shift_right(a0, BELOW);
        let delta = u64_shift_right_signed(u64_shift_left(u64_sub(next_slope, slope), BELOW), BELOW);
        slope = next_slope;
        p = u64_add(p, u64_mul_u32_low(delta, u));
        q = u64_sub(q, u64_mul_u32_low(delta, v));

        var u_min: u32;
        var other: u32;
        var p_min: U64;
        var other_length: U64;
        var spread: U64;
        var stuck: bool;
        var passes = 0u;
        loop {
            let past = is_negative(q) | is_zero(q);
            if past {
                let k = (order + u) / v;
                let next = u64_add(p, u64_mul_u32_low(q, k));
                let count = k * v - u;
                u = v;
                v = count;
                p = u64_neg(q);
                q = next;
            }
            let is_left = !u64_less(magnitude(q), magnitude(p));
            u_min = select(v, u, is_left);
            other = select(u, v, is_left);
            p_min = u64_select(q, p, is_left);
            other_length = u64_select(p, q, is_left);
            let share = u64_mul_u32_low(half_width, u_min);
            let length = magnitude(p_min);
            let product = u64_mul_u32_low(length, half_domain);
            stuck = (u64_mul_u32_high(length, half_domain) != 0u) | !u64_less(product, u64_sub(one(), share));
            spread = u64_add(product, share);
            passes++;
            if !(stuck & (is_negative(q) | is_zero(q))) | (passes == PASSES) {
                break;
            }
        }

        let beta = u64_shift_right(b0, BELOW);
        let line = u64_mul_u32_low(beta, u_min);
        let t = (u64_mul_u32_high(beta, u_min) << BELOW) | (u64_high(line) >> (32u - BELOW));
        let f = u64_from(u64_low(line), u64_high(line) & (0xffffffffu >> BELOW));
        let across = u64_mul_u32_low(beta, other);
        let s = (u64_mul_u32_high(beta, other) << BELOW) | (u64_high(across) >> (32u - BELOW));
        let e = u64_sub(
            u64_sub(beta, u64_mul_u32_low(p_min, s)),
            u64_mul_u32_low(other_length, t),
        );
        let x = s * u_min - t * other;

        let gap = u64_sub(one(), f);
        let nearer = u64_select(f, gap, u64_less(gap, f));
        let dense = !u64_less(u64_shift_left(half_width, 1u), magnitude(p_min)) & !u64_less(spread, nearer);
        let hit = is_hit(curvature, e, x, p_min, u_min)
            || is_hit(curvature, u64_sub(e, other_length), x - other, p_min, u_min);
        if stuck | dense | hit {
            let place = atomicAdd(&progress.flagged, 1u);
            if place < constants.capacity {
                flagged[place] =
                    Flagged(run, step, u, v, words(p), words(q), words(beta), words(curvature.kappa));
            }
        }

        b0 = u64_add(b0, b1);
        b1 = u64_add(b1, b2);
        b2 = u64_add(b2, b3);
        a0 = u64_add(a0, a1);
        a1 = u64_add(a1, a2);
    }
    if step == constants.steps {
        atomicAdd(&progress.walked, 1u);
    }
}
