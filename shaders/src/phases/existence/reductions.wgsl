// Several reductions of d at once in Lefèvre's tests; the twin of tmd-exist's `reductions.rs`,
// where the lemmas are.

// 0: one by one, 1: those at the left of b with a division, 2: those at either side
override REDUCTIONS: u32 = 0u;

// min(s, ⌈missing/each⌉)
fn at_most_missing(s: U64, each: u32, missing: u32) -> u32 {
    if count_product(s, each) <= missing {
        return u64_low(s);
    }
    return count_rounds(missing, each);
}

// further turns at the left of b to take at once, each placing `each` points, of which `missing`
// are wanted
fn reductions_at_left(d: U64, p: U64, each: u32, missing: u32) -> u32 {
    if REDUCTIONS == 0u || missing == 0u || u64_less(d, p) {
        return 0u;
    }
    return at_most_missing(divide(d, p, missing).quotient, each, missing);
}

// further turns at the right of b
fn reductions_at_right(d: U64, p: U64, q: U64, each: u32, missing: u32) -> u32 {
    let m = u64_select(d, q, u64_less(d, q));
    if REDUCTIONS != 2u || missing == 0u || !u64_less(m, p) {
        return 0u;
    }
    let rest = u64_sub(u64_sub(p, m), u64_one());
    return at_most_missing(u64_add(divide(rest, q, missing).quotient, u64_one()), each, missing);
}
