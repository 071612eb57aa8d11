// 64-bit integers on pairs of 32-bit words, for every GPU.
//
// The same function names as native.wgsl; shared.wgsl goes with either. All arithmetic is modulo
// 2^64. Conditions are combined with `select`, `&` and `|`, which leave no branches behind; `&&`
// and `||` do.

// x = the low 32 bits, y = the high 32 bits
alias U64 = vec2<u32>;

fn u64_from(low: u32, high: u32) -> U64 {
    return vec2<u32>(low, high);
}

fn u64_low(x: U64) -> u32 {
    return x.x;
}

fn u64_high(x: U64) -> u32 {
    return x.y;
}

fn u64_add(x: U64, y: U64) -> U64 {
    let low = x.x + y.x;
    return vec2<u32>(low, x.y + y.y + u32(low < x.x));
}

fn u64_sub(x: U64, y: U64) -> U64 {
    return vec2<u32>(x.x - y.x, x.y - y.y - u32(x.x < y.x));
}

// −x, the complement plus one
fn u64_neg(x: U64) -> U64 {
    return vec2<u32>(~x.x + 1u, ~x.y + u32(x.x == 0u));
}

// x + y + carry, carry ≤ 1. Of the two additions to a word at most one overflows: x + y ≤ 2^33 − 2.
fn u64_add_carry(x: U64, y: U64, carry: u32) -> U64Sum {
    let partial = x + y;
    let low = partial.x + carry;
    let middle = u32(partial.x < x.x) | u32(low < carry);
    let high = partial.y + middle;
    return U64Sum(vec2<u32>(low, high), u32(partial.y < x.y) | u32(high < middle));
}

// x − y − borrow, borrow ≤ 1; likewise
fn u64_sub_borrow(x: U64, y: U64, borrow: u32) -> U64Difference {
    let partial = x - y;
    let middle = u32(x.x < y.x) | u32(partial.x < borrow);
    let last = u32(x.y < y.y) | u32(partial.y < middle);
    return U64Difference(vec2<u32>(partial.x - borrow, partial.y - middle), last);
}

fn u64_less(x: U64, y: U64) -> bool {
    return select(x.y < y.y, x.x < y.x, x.y == y.y);
}

// two's complement
fn u64_less_signed(x: U64, y: U64) -> bool {
    return select(bitcast<i32>(x.y) < bitcast<i32>(y.y), x.x < y.x, x.y == y.y);
}

fn u64_equal(x: U64, y: U64) -> bool {
    return all(x == y);
}

// x·2^n, 0 ≤ n ≤ 63. No shift is by 32 or more: what crosses the words goes by 1 and by 31 − (n mod
// 32).
fn u64_shift_left(x: U64, n: u32) -> U64 {
    let m = n & 31u;
    let low = x.x << m;
    let high = (x.y << m) | ((x.x >> 1u) >> (m ^ 31u));
    return select(vec2<u32>(low, high), vec2<u32>(0u, low), n >= 32u);
}

// ⌊x/2^n⌋, 0 ≤ n ≤ 63
fn u64_shift_right(x: U64, n: u32) -> U64 {
    let m = n & 31u;
    let high = x.y >> m;
    let low = (x.x >> m) | ((x.y << 1u) << (m ^ 31u));
    return select(vec2<u32>(low, high), vec2<u32>(high, 0u), n >= 32u);
}

// ⌊x/2^n⌋ in two's complement, 0 ≤ n ≤ 63
fn u64_shift_right_signed(x: U64, n: u32) -> U64 {
    let m = n & 31u;
    let high = bitcast<u32>(bitcast<i32>(x.y) >> m);
    let low = (x.x >> m) | ((x.y << 1u) << (m ^ 31u));
    let sign = bitcast<u32>(bitcast<i32>(x.y) >> 31u);
    return select(vec2<u32>(low, high), vec2<u32>(high, sign), n >= 32u);
}

// ⌊x·y/2^32⌋, exact. With B = 2^16, x = xh·B + xl and y alike: xh·yl + ⌊xl·yl/B⌋ ≤ (B − 1)² + B − 2
//   < 2^32, and xl·yh + (middle mod B) ≤ (B − 1)² + B − 1 = B² − B < 2^32.
fn u32_mul_high(x: u32, y: u32) -> u32 {
    let xl = x & 0xffffu;
    let xh = x >> 16u;
    let yl = y & 0xffffu;
    let yh = y >> 16u;
    let middle = xh * yl + ((xl * yl) >> 16u);
    let last = xl * yh + (middle & 0xffffu);
    return xh * yh + (middle >> 16u) + (last >> 16u);
}

// x·y, exact
fn u32_mul_wide(x: u32, y: u32) -> U64 {
    return vec2<u32>(x * y, u32_mul_high(x, y));
}

// x·y in two's complement, exact: each is 2^32 more as an unsigned integer where it is negative
fn i32_mul_wide(x: i32, y: i32) -> U64 {
    let p = bitcast<u32>(x);
    let q = bitcast<u32>(y);
    return vec2<u32>(p * q, u32_mul_high(p, q) - select(0u, q, x < 0) - select(0u, p, y < 0));
}

// x·y mod 2^64
fn u64_mul_low(x: U64, y: U64) -> U64 {
    return vec2<u32>(x.x * y.x, u32_mul_high(x.x, y.x) + x.x * y.y + x.y * y.x);
}

// the low 64 bits of x·k
fn u64_mul_u32_low(x: U64, k: u32) -> U64 {
    return vec2<u32>(x.x * k, u32_mul_high(x.x, k) + x.y * k);
}

// x·k mod 2^64, k in two's complement
fn u64_mul_i32_low(x: U64, k: i32) -> U64 {
    let n = bitcast<u32>(k);
    return vec2<u32>(x.x * n, u32_mul_high(x.x, n) + x.y * n - select(0u, x.x, k < 0));
}

// x as a float. WGSL lets a conversion and an addition of floats round either way: each is off by
// less than 2^-23 of its result, the product is exact, so x·(1 − 2^-22) ≤ f ≤ x·(1 + 2^-22 +
// 2^-46).
fn u64_to_f32(x: U64) -> f32 {
    return f32(x.y) * 4294967296.0 + f32(x.x);
}
