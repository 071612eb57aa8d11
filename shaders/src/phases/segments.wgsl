// An existence test of every segment of a buffer: the kernel for which the tests are compared with
// tmd-exist's.

// Segments of one invocation.
override DOMAINS: u32 = 1u;

// Seven words for each segment: a, b and the width, 64 bits each (low, high), and N. Word w of the
// segment at place i of I is at index w·I + i, so that neighboring invocations read neighboring
// words.
@group(0) @binding(0) var<storage, read> segment_words: array<u32>;
// for each place whether a case is not excluded (1) or it is (0); then for each place the turns of
// the main loop
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

fn segment_limbs(entry: u32, place: u32, places: u32) -> U64 {
    return u64_from(segment_words[2u * entry * places + place], segment_words[(2u * entry + 1u) * places + place]);
}

// Of J invocations number i takes the places i, i + J, i + 2J, …: there belong consecutive
// segments, whose quotients are alike.
@compute @workgroup_size(WORKGROUP)
fn segments(at: Invocation) {
    let index = invocation_index(at);
    let places = arrayLength(&results) / 2u;
    let invocations = (places + DOMAINS - 1u) / DOMAINS;
    if index >= invocations {
        return;
    }
    for (var place = index; place < places; place += invocations) {
        let a = segment_limbs(0u, place, places);
        let b = segment_limbs(1u, place, places);
        let width = segment_limbs(2u, place, places);
        let tested = test_segment(a, b, segment_words[6u * places + place], width);
        results[place] = u32(tested.may_hold);
        results[places + place] = tested.iterations;
    }
}
