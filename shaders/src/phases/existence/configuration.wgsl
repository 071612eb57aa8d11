// The two-length configurations that the regular test walks through; the twin of tmd-exist's
// `configuration.rs` (corrected start), where the theorem and the variables are.
//
// Where the twin divides only if there is something to reduce, here the division is made in any
// case: its quotient is then 0, and neighboring invocations stay together.

// whether the last quotient is trimmed to the first configuration with N points, or taken whole as
// printed
override TRIMMED: bool = false;

struct Configuration {
    p: U64,
    q: U64,
    u: u32,
    v: u32,
    d: U64,
    // whether b is in an interval of length q
    b_in_q: bool,
    // whether there are N points: d is then the answer
    is_last: bool,
}

// the first quotient: the interval of length 1 split from the left by {a}
fn first_configuration(a: U64, b: U64, n: u32) -> Configuration {
    if u64_equal(a, u64_zero()) {
        // the orbit is the single point 0
        return Configuration(a, a, 0u, 0u, b, false, true);
    }
    // 1 = (1 − {a}) + {a}: the same remainder, and a quotient k that is larger by 1
    let division = divide(u64_neg(a), a, n);
    let r = division.remainder;
    let k_minus_1 = count_from(division.quotient);
    let of_b = divide(b, a, n);
    if u64_equal(r, u64_zero()) || count_sum(k_minus_1, 2u) >= n {
        var d = of_b.remainder;
        if TRIMMED {
            // the points are placed one by one: exactly N of them
            d = u64_sub(b, u64_mul_u32_low(a, min(count_from(of_b.quotient), n - 1u)));
        }
        return Configuration(a, r, 0u, 0u, d, false, true);
    }
    // b ≥ 1 − r = k·a
    let b_in_q = !u64_less(b, u64_neg(r));
    return Configuration(a, r, k_minus_1 + 1u, 1u, of_b.remainder, b_in_q, false);
}

// the quotient ⌊q/p⌋, for p < q: every interval of length q is split from the left into k pieces of
// length p and the rest
fn split_q(configuration: ptr<function, Configuration>, n: u32) {
    let p = (*configuration).p;
    let q = (*configuration).q;
    let u = (*configuration).u;
    let v = (*configuration).v;
    let d = (*configuration).d;
    let division = divide(q, p, n);
    let r = division.remainder;
    let of_d = divide(d, p, n);
    let count = count_sum(u, count_product(division.quotient, v));
    if u64_equal(r, u64_zero()) || count_sum(count, v) >= n {
        var last = of_d.remainder;
        if TRIMMED {
            let t = min(count_from(of_d.quotient), count_rounds(count_missing(u, v, n), v));
            last = u64_sub(d, u64_mul_u32_low(p, t));
        }
        (*configuration).d = last;
        (*configuration).is_last = true;
        return;
    }
    (*configuration).u = count;
    (*configuration).q = r;
    // The new pieces begin at 0, p, …, (k−1)·p, the rest at k·p = q − r.
    (*configuration).b_in_q = !u64_less(d, u64_sub(q, r));
    (*configuration).d = of_d.remainder;
}

// the quotient ⌊p/q⌋, for q < p: every interval of length p is split from the right into the rest
// and k pieces of length q
fn split_p(configuration: ptr<function, Configuration>, n: u32) {
    let p = (*configuration).p;
    let q = (*configuration).q;
    let u = (*configuration).u;
    let v = (*configuration).v;
    let d = (*configuration).d;
    let b_in_q = (*configuration).b_in_q;
    let division = divide(p, q, n);
    let r = division.remainder;
    let count = count_sum(v, count_product(division.quotient, u));
    if u64_equal(r, u64_zero()) || count_sum(count, u) >= n {
        // where the pieces of length q begin
        var start = r;
        var is_beyond = !u64_less(d, r);
        if TRIMMED {
            let t = min(count_from(division.quotient), count_rounds(count_missing(u, v, n), u));
            start = u64_sub(p, u64_mul_u32_low(q, t));
            is_beyond = !b_in_q & !u64_less(d, start);
        }
        if is_beyond {
            (*configuration).d = divide(u64_sub(d, start), q, n).remainder;
        }
        (*configuration).is_last = true;
        return;
    }
    (*configuration).v = count;
    (*configuration).p = r;
    // The new pieces begin at r, r + q, … Without b in them d < q, be it that b was in an interval
    // of length q or that d < r: the division changes nothing.
    let is_beyond = !b_in_q & !u64_less(d, r);
    (*configuration).d = divide(u64_select(d, u64_sub(d, r), is_beyond), q, n).remainder;
    (*configuration).b_in_q = b_in_q | is_beyond;
}
