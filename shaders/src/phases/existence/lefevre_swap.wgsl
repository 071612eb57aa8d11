// Lefèvre's test with swap (TOMS 2016, Algorithm 3; PDP 2012, Algorithm 2); the twin of
// tmd-exist's `lefevre_swap.rs`, where the variables and the deviations from the papers are. N ≥ 1.
fn test_segment(a: U64, b: U64, n: u32, width: U64) -> Tested {
    if u64_less(b, width) {
        return Tested(true, 0u);
    }
    if n == 1u || u64_equal(a, u64_zero()) {
        return Tested(false, 0u);
    }
    var are_swapped = !u64_less(b, a);
    let rest = u64_neg(a);
    var p = u64_select(a, rest, are_swapped);
    var q = u64_select(rest, a, are_swapped);
    var d = b;
    var u = 1u;
    var v = 1u;
    var iterations = 0u;
    var may_hold = false;
    loop {
        iterations++;
        if are_swapped {
            d = u64_sub(d, q);
            if u64_less(d, width) {
                may_hold = true;
                break;
            }
            let s = reductions_at_left(d, q, u, count_missing(u, v, n));
            let reduction = u64_mul_u32_low(q, s);
            d = u64_sub(d, reduction);
            p = u64_sub(p, reduction);
            v += s * u;
            if u64_less(d, width) {
                may_hold = true;
                break;
            }
        }
        let division = divide(q, p, n);
        q = division.remainder;
        u = count_sum(u, count_product(division.quotient, v));
        if u64_equal(q, u64_zero()) || count_sum(u, v) >= n {
            break;
        }
        p = u64_sub(p, q);
        v += u;
        if !are_swapped {
            let s = reductions_at_right(d, p, q, u, count_missing(u, v, n));
            p = u64_sub(p, u64_mul_u32_low(q, s));
            v += s * u;
        }
        // the length of the intervals that a point from the left made, which decides where b is
        let left = u64_select(p, q, are_swapped);
        let changes = are_swapped != !u64_less(d, left);
        are_swapped = are_swapped != changes;
        let length = p;
        p = u64_select(p, q, changes);
        q = u64_select(q, length, changes);
        let count = u;
        u = select(u, v, changes);
        v = select(v, count, changes);
    }
    return Tested(may_hold, iterations);
}
