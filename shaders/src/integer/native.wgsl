// 64-bit integers of the adapter (SHADER_INT64).
//
// The same function names as emulated.wgsl; shared.wgsl goes with either. All arithmetic is modulo
// 2^64. naga's u64 has neither `countLeadingZeros` nor a `bitcast` from vec2<u32>: words are taken
// apart with shifts.

alias U64 = u64;

fn u64_from(low: u32, high: u32) -> U64 {
    return u64(low) | (u64(high) << 32u);
}

fn u64_low(x: U64) -> u32 {
    return u32(x & 0xfffffffflu);
}

fn u64_high(x: U64) -> u32 {
    return u32(x >> 32u);
}

fn u64_add(x: U64, y: U64) -> U64 {
    return x + y;
}

fn u64_sub(x: U64, y: U64) -> U64 {
    return x - y;
}

// −x
fn u64_neg(x: U64) -> U64 {
    return 0lu - x;
}

// x + y + carry, carry ≤ 1. Of the two additions at most one overflows.
fn u64_add_carry(x: U64, y: U64, carry: u32) -> U64Sum {
    let partial = x + y;
    let sum = partial + u64(carry);
    return U64Sum(sum, u32(partial < x) | u32(sum < partial));
}

// x − y − borrow, borrow ≤ 1; likewise
fn u64_sub_borrow(x: U64, y: U64, borrow: u32) -> U64Difference {
    let partial = x - y;
    return U64Difference(partial - u64(borrow), u32(x < y) | u32(partial < u64(borrow)));
}

fn u64_less(x: U64, y: U64) -> bool {
    return x < y;
}

// two's complement: the sign bit exchanged
fn u64_less_signed(x: U64, y: U64) -> bool {
    return (x ^ 0x8000000000000000lu) < (y ^ 0x8000000000000000lu);
}

fn u64_equal(x: U64, y: U64) -> bool {
    return x == y;
}

// x·2^n, 0 ≤ n ≤ 63
fn u64_shift_left(x: U64, n: u32) -> U64 {
    return x << n;
}

// ⌊x/2^n⌋, 0 ≤ n ≤ 63
fn u64_shift_right(x: U64, n: u32) -> U64 {
    return x >> n;
}

// ⌊x/2^n⌋ in two's complement, 0 ≤ n ≤ 63
fn u64_shift_right_signed(x: U64, n: u32) -> U64 {
    return bitcast<u64>(bitcast<i64>(x) >> n);
}

// ⌊x·y/2^32⌋, exact
fn u32_mul_high(x: u32, y: u32) -> u32 {
    return u32((u64(x) * u64(y)) >> 32u);
}

// x·y, exact
fn u32_mul_wide(x: u32, y: u32) -> U64 {
    return u64(x) * u64(y);
}

// x·y in two's complement, exact
fn i32_mul_wide(x: i32, y: i32) -> U64 {
    return bitcast<u64>(i64(x) * i64(y));
}

// x·y mod 2^64
fn u64_mul_low(x: U64, y: U64) -> U64 {
    return x * y;
}

// the low 64 bits of x·k
fn u64_mul_u32_low(x: U64, k: u32) -> U64 {
    return x * u64(k);
}

// x·k mod 2^64, k in two's complement
fn u64_mul_i32_low(x: U64, k: i32) -> U64 {
    return x * bitcast<u64>(i64(k));
}

// x as a float; from its words, so that the bounds are those of emulated.wgsl on every driver:
// x·(1 − 2^-22) ≤ f ≤ x·(1 + 2^-22 + 2^-46).
fn u64_to_f32(x: U64) -> f32 {
    return f32(u64_high(x)) * 4294967296.0 + f32(u64_low(x));
}
