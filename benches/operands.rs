//! Operands of divisions as the existence tests divide them.

/// Quotients that end a test: the tests' divisions are exact below this.
const LARGEST_QUOTIENT: u64 = 1 << 26;

/// Lengths of 52 bits, as in the lanes.
const BITS: u32 = 52;

/// How far Euclid's algorithm goes on: as a test of 2^15 arguments does on average, 16 quotients
/// (TOMS 2016, table III).
const STEPS: usize = 16;

/// So many pairs (dividend, divisor): successive lengths of the continued fractions of random
/// slopes, in random order, so that no branch predictor learns them.
pub fn euclid(count: usize) -> Vec<(u64, u64)> {
    let mut state = 0u64;
    // SplitMix64
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let mut pairs = Vec::with_capacity(count + STEPS);
    while pairs.len() < count {
        // both below 2^52, the first one larger
        let (mut x, mut y) = (random() >> (64 - BITS), random() >> (64 - BITS));
        (x, y) = (x.max(y), x.min(y));
        for _ in 0..STEPS {
            let Some(k) = x.checked_div(y) else { break };
            if k < LARGEST_QUOTIENT {
                pairs.push((x, y));
            }
            (x, y) = (y, x % y);
        }
    }
    for i in (1..pairs.len()).rev() {
        pairs.swap(i, (random() % (i as u64 + 1)) as usize);
    }
    pairs.truncate(count);
    pairs
}
