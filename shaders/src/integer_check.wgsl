// One operation on 64-bit integers, applied to every pair of a buffer: what the tests compare with
// Rust's u64 and u128.

// Which operation: the number of a case below.
override OPERATION: u32;

// x and y of each pair as (x low, x high, y low, y high)
@group(0) @binding(0) var<storage, read> pairs: array<vec4<u32>>;
// the result's words, lowest first; 0 where there are fewer than four
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

fn check_words(x: U64, y: U64) -> vec4<u32> {
    return vec4<u32>(u64_low(x), u64_high(x), u64_low(y), u64_high(y));
}

fn check_one(x: U64) -> vec4<u32> {
    return check_words(x, u64_zero());
}

fn check_u32(x: u32) -> vec4<u32> {
    return vec4<u32>(x, 0u, 0u, 0u);
}

fn check_division(division: U64Division) -> vec4<u32> {
    return check_words(division.quotient, division.remainder);
}

// The carry, the shift count and the factor of 32 bits come out of y.
fn check(x: U64, y: U64) -> vec4<u32> {
    let k = u64_low(y);
    switch OPERATION {
        case 0u: {
            return check_one(u64_add(x, y));
        }
        case 1u: {
            return check_one(u64_sub(x, y));
        }
        case 2u: {
            return check_one(u64_neg(x));
        }
        case 3u: {
            let carried = u64_add_carry(x, y, 1u);
            return check_words(carried.sum, u64_from(carried.carry, 0u));
        }
        case 4u: {
            let without = u64_add_carry(x, y, 0u);
            return check_words(without.sum, u64_from(without.carry, 0u));
        }
        case 5u: {
            let carried = u64_sub_borrow(x, y, 1u);
            return check_words(carried.difference, u64_from(carried.borrow, 0u));
        }
        case 6u: {
            let without = u64_sub_borrow(x, y, 0u);
            return check_words(without.difference, u64_from(without.borrow, 0u));
        }
        case 7u: {
            return check_u32(u32(u64_less(x, y)));
        }
        case 8u: {
            return check_u32(u32(u64_less_signed(x, y)));
        }
        case 9u: {
            return check_u32(u32(u64_equal(x, y)));
        }
        case 10u: {
            return check_one(u64_select(x, y, (k & 1u) == 1u));
        }
        case 11u: {
            return check_one(u64_shift_left(x, k & 63u));
        }
        case 12u: {
            return check_one(u64_shift_right(x, k & 63u));
        }
        case 13u: {
            return check_one(u64_shift_right_signed(x, k & 63u));
        }
        case 14u: {
            return check_u32(u64_leading_zeros(x));
        }
        case 15u: {
            return check_words(u64_mul_low(x, y), u64_mul_high(x, y));
        }
        case 16u: {
            return check_words(u64_mul_u32_low(x, k), u64_from(u64_mul_u32_high(x, k), 0u));
        }
        case 17u: {
            return check_words(u32_mul_wide(u64_low(x), k), u64_from(u32_mul_high(u64_low(x), k), 0u));
        }
        // y ≥ 1
        case 18u: {
            return check_division(u64_div_rem(x, y));
        }
        case 19u: {
            return check_division(u64_div_rem_by_subtraction(x, y, 20u));
        }
        case 20u: {
            return check_words(u64_one(), u64_from(u64_high(x), k));
        }
        case 21u: {
            return check_words(i32_mul_wide(bitcast<i32>(u64_low(x)), bitcast<i32>(k)), u64_mul_i32_low(x, bitcast<i32>(k)));
        }
        default: {
            return vec4<u32>(0xdeadbeefu);
        }
    }
}

@compute @workgroup_size(WORKGROUP)
fn integer_check(at: Invocation) {
    let index = invocation_index(at);
    if index >= arrayLength(&pairs) {
        return;
    }
    let pair = pairs[index];
    results[index] = check(u64_from(pair.x, pair.y), u64_from(pair.z, pair.w));
}
