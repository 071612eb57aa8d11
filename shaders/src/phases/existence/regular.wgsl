// The regular test, looped (TOMS 2016, Algorithm 2); the twin of tmd-exist's `regular.rs`. N ≥ 1.
fn test_segment(a: U64, b: U64, n: u32, width: U64) -> Tested {
    if u64_less(b, width) {
        return Tested(true, 0u);
    }
    var configuration = first_configuration(a, b, n);
    var iterations = 1u;
    while !configuration.is_last {
        iterations++;
        if u64_less(configuration.p, configuration.q) {
            split_q(&configuration, n);
        } else {
            split_p(&configuration, n);
        }
    }
    return Tested(u64_less(configuration.d, width), iterations);
}
