// What emulated and native 64-bit integers have in common, written with the functions of
// emulated.wgsl or native.wgsl.

// x + y + carry = sum + carry·2^64
struct U64Sum {
    sum: U64,
    carry: u32,
}

// x − y − borrow = difference − borrow·2^64
struct U64Difference {
    difference: U64,
    borrow: u32,
}

// x = quotient·y + remainder, 0 ≤ remainder < y
struct U64Division {
    quotient: U64,
    remainder: U64,
}

fn u64_zero() -> U64 {
    return u64_from(0u, 0u);
}

fn u64_one() -> U64 {
    return u64_from(1u, 0u);
}

// y if the condition holds, otherwise x: the order of WGSL's `select`
fn u64_select(x: U64, y: U64, condition: bool) -> U64 {
    return select(x, y, condition);
}

// 64 for x = 0
fn u64_leading_zeros(x: U64) -> u32 {
    let high = u64_high(x);
    return select(countLeadingZeros(high), 32u + countLeadingZeros(u64_low(x)), high == 0u);
}

// ⌊x·y/2^64⌋, exact. With B = 2^32 the sums below are at most (B − 1)² + B − 1 = B² − B < 2^64.
fn u64_mul_high(x: U64, y: U64) -> U64 {
    let xl = u64_low(x);
    let xh = u64_high(x);
    let yl = u64_low(y);
    let yh = u64_high(y);
    let middle = u64_add(u32_mul_wide(xh, yl), u64_from(u32_mul_high(xl, yl), 0u));
    let last = u64_add(u32_mul_wide(xl, yh), u64_from(u64_low(middle), 0u));
    return u64_add(u32_mul_wide(xh, yh), u64_add(u64_from(u64_high(middle), 0u), u64_from(u64_high(last), 0u)));
}

// ⌊x·k/2^64⌋, the top 32 of the 96 bits; exact, with the same bound
fn u64_mul_u32_high(x: U64, k: u32) -> u32 {
    return u64_high(u64_add(u32_mul_wide(u64_high(x), k), u64_from(u32_mul_high(u64_low(x), k), 0u)));
}

// A float z that estimates x/y from below: x/y·(1 − 2^-16) ≤ z ≤ x/y, for y ≥ 1.
//
// Each conversion is off by at most 2^-22 of its result (`u64_to_f32`), and the quotient, which
// WGSL grants 2.5 units in the last place, by 2.5·2^-23; all values are 0 or between 2^-64 and
// 2^65, far from overflow and from subnormal numbers. The last product is off by 2^-23. All
// together that is less than 8·2^-23. The factor 1 − 2^-17 = 1 − 64·2^-23 makes it an estimate from
// below and leaves 56·2^-23 to drivers that divide less accurately (fast math).
fn u64_quotient_estimate(x: U64, y: U64) -> f32 {
    return (u64_to_f32(x) / u64_to_f32(y)) * 0.99999237060546875;
}

// ⌊x/y⌋ and x mod y for y ≥ 1, exact.
//
// No GPU divides 64-bit integers: a driver's own division is a loop or a long sequence. Nearly all
// quotients of a continued fraction are small, and one estimate and one correction are enough for
// them. (The condition around the loop saves them naga's counter, which it gives to every loop.)
//
// *Proof.* While z ≥ 2^15, ⌊z⌋·y ≤ x is taken from x (⌊z⌋ is exact: a float of 24 bits shifted),
// which leaves a quotient of less than 2^-16·x/y + 1: at most four rounds, 2^64 → 2^48 + 1 → 2^32 +
// 2 → 2^16 + 2 → 4. At the end z < 2^15, so that x/y < 2^15·(1 + 2^-15) and z > x/y − 2^-16·(2^15 +
// 1) > x/y − 1: ⌊z⌋ is ⌊x/y⌋ or one less. ∎
fn u64_div_rem(x: U64, y: U64) -> U64Division {
    var quotient = u64_zero();
    var remainder = x;
    var z = u64_quotient_estimate(x, y);
    if z >= 32768.0 {
        while z >= 32768.0 {
            let bits = bitcast<u32>(z);
            // z = mantissa·2^(exponent − 23), 15 ≤ exponent ≤ 63
            let mantissa = (bits & 0x7fffffu) | 0x800000u;
            let exponent = (bits >> 23u) - 127u;
            let up = max(exponent, 23u) - 23u;
            let down = 23u - min(exponent, 23u);
            let part = u64_shift_left(u64_from(mantissa >> down, 0u), up);
            quotient = u64_add(quotient, part);
            remainder = u64_sub(remainder, u64_mul_low(part, y));
            z = u64_quotient_estimate(remainder, y);
        }
    }
    let last = u32(z);
    let rest = u64_sub(remainder, u64_mul_u32_low(y, last));
    let one_less = !u64_less(rest, y);
    return U64Division(
        u64_add(quotient, u64_from(last + u32(one_less), 0u)),
        u64_select(rest, u64_sub(rest, y), one_less),
    );
}

// The same by repeated subtraction, y ≥ 1; after `limit` subtractions the rest is divided.
// (tmd-exist's `divide_by_subtraction`.)
fn u64_div_rem_by_subtraction(x: U64, y: U64, limit: u32) -> U64Division {
    var count = 0u;
    var remainder = x;
    while !u64_less(remainder, y) {
        if count == limit {
            let rest = u64_div_rem(remainder, y);
            return U64Division(u64_add(u64_from(count, 0u), rest.quotient), rest.remainder);
        }
        remainder = u64_sub(remainder, y);
        count++;
    }
    return U64Division(u64_from(count, 0u), remainder);
}
