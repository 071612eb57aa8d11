// The sizes of a search, for all its kernels.
struct Parameters {
    // R, one invocation each
    runs: u32,
    // domains of a run, at most 2048 (`parabola_at`)
    steps: u32,
    // N = 2^log2_n, 4 to 24
    log2_n: u32,
    // arguments of a stretch, 0 to 16
    log2_stretch: u32,
    // (low, high), below 2^63: how far from an integer a domain's chord, a part's chord, a
    // tabulated value may be
    test_half_width: vec2<u32>,
    refine_half_width: vec2<u32>,
    exhaust_half_width: vec2<u32>,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
