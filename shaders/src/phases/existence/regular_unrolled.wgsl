// The regular test, unrolled by two (TOMS 2016, Algorithm 4); the twin of tmd-exist's
// `regular_unrolled.rs`. N ≥ 1.
fn test_segment(a: U64, b: U64, n: u32, width: U64) -> Tested {
    var configuration = first_configuration(a, b, n);
    var iterations = 1u;
    while !configuration.is_last {
        iterations++;
        split_p(&configuration, n);
        if configuration.is_last {
            break;
        }
        iterations++;
        split_q(&configuration, n);
    }
    return Tested(u64_less(configuration.d, width), iterations);
}
