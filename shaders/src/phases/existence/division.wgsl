// Quotients by estimate, by repeated subtraction, or by a hybrid of both; the twin of tmd-exist's
// `division.rs`.

// 0: always `u64_div_rem`; 1 … 63: `u64_div_rem` if x > y·2^LOGMS, repeated subtraction otherwise;
// 64: always repeated subtraction.
override LOGMS: u32 = 0u;

// ⌊x/y⌋ and x mod y for y ≥ 1, by at most `limit` subtractions if by subtraction
fn divide(x: U64, y: U64, limit: u32) -> U64Division {
    if LOGMS == 0u {
        return u64_div_rem(x, y);
    }
    // for whole numbers x ≥ 1: x > y·2^L ⟺ ⌊(x − 1)/2^L⌋ ≥ y
    let scaled = u64_shift_right(u64_sub(x, u64_one()), LOGMS & 63u);
    if LOGMS < 64u && !u64_equal(x, u64_zero()) && !u64_less(scaled, y) {
        return u64_div_rem(x, y);
    }
    return u64_div_rem_by_subtraction(x, y, limit);
}
