// Lefèvre's test with quotients (TOMS 2016, Algorithm 1); the twin of tmd-exist's
// `lefevre_division.rs`, where the variables, the invariant and the deviations from the paper are.
// N ≥ 1.
fn test_segment(a: U64, b: U64, n: u32, width: U64) -> Tested {
    if u64_less(b, width) {
        return Tested(true, 0u);
    }
    if n == 1u || u64_equal(a, u64_zero()) {
        return Tested(false, 0u);
    }
    var p = a;
    var q = u64_neg(a);
    var d = b;
    var u = 1u;
    var v = 1u;
    var iterations = 0u;
    var may_hold = false;
    loop {
        iterations++;
        if u64_less(d, p) {
            let division = divide(q, p, n);
            q = division.remainder;
            u = count_sum(u, count_product(division.quotient, v));
            if u64_equal(q, u64_zero()) || count_sum(u, v) >= n {
                break;
            }
            p = u64_sub(p, q);
            v += u;
            let s = reductions_at_right(d, p, q, u, count_missing(u, v, n));
            p = u64_sub(p, u64_mul_u32_low(q, s));
            v += s * u;
        } else {
            d = u64_sub(d, p);
            if u64_less(d, width) {
                may_hold = true;
                break;
            }
            let s = reductions_at_left(d, p, v, count_missing(u, v, n));
            let reduction = u64_mul_u32_low(p, s);
            d = u64_sub(d, reduction);
            q = u64_sub(q, reduction);
            u += s * v;
            if u64_less(d, width) {
                may_hold = true;
                break;
            }
            let division = divide(p, q, n);
            p = division.remainder;
            v = count_sum(v, count_product(division.quotient, u));
            if u64_equal(p, u64_zero()) || count_sum(u, v) >= n {
                break;
            }
            q = u64_sub(q, p);
            u += v;
        }
    }
    return Tested(may_hold, iterations);
}
