// The answer of an existence test, and its counts of points in 32 bits.
//
// tmd-exist counts points in 64 bits. Here N < 2^32, and the counts saturate at 2^32 − 1. *Lemma
// (saturated counts).* Neither a verdict nor the number of turns changes. *Proof.* A test forms
// counts in two ways. It adds points to those of a configuration: u + k·v, which it looks at only
// to compare u + k·v + v with N before it goes on; a sum that saturates is at least 2^32 − 1 ≥ N in
// either arithmetic, the comparison has the same outcome, and a test that goes on has an exact sum,
// as it is below N. Or it moves on without a comparison: v + u, with u + v < N just compared; and
// v + s·u with s ≤ ⌈(N − u − v)/u⌉, so that u + v + s·u < N + u and v + s·u < N. So the counts u
// and v are exact wherever they are kept, and only their sum, which may reach 2N, is taken
// saturated, to be compared with N or to say how many are missing (none). ∎

struct Tested {
    // whether a case is not excluded
    may_hold: bool,
    // turns of the main loop
    iterations: u32,
}

// min(k, 2^32 − 1)
fn count_from(k: U64) -> u32 {
    return select(0xffffffffu, u64_low(k), u64_high(k) == 0u);
}

// min(u + v, 2^32 − 1)
fn count_sum(u: u32, v: u32) -> u32 {
    let sum = u + v;
    return select(sum, 0xffffffffu, sum < u);
}

// min(k·v, 2^32 − 1), for v ≥ 1
fn count_product(k: U64, v: u32) -> u32 {
    let product = u32_mul_wide(u64_low(k), v);
    return select(0xffffffffu, u64_low(product), (u64_high(k) | u64_high(product)) == 0u);
}

// how many points of N there are not yet
fn count_missing(u: u32, v: u32, n: u32) -> u32 {
    return n - min(count_sum(u, v), n);
}

// ⌈missing/each⌉, each ≥ 1
fn count_rounds(missing: u32, each: u32) -> u32 {
    let rounds = missing / each;
    return rounds + u32(rounds * each != missing);
}
