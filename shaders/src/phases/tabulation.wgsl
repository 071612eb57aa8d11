// Tabulated differences: every argument of a stretch, two additions and a comparison each.

@group(0) @binding(5) var<storage, read_write> hits: GrowingHits;

// Arguments of a stretch, m: no more than a part has.
fn log2_of_stretch() -> u32 {
    return min(parameters.log2_stretch, parameters.log2_n - LOG2_PARTS);
}

// Stretch number `stretch` of a part.
//
// *Rounding.* At its argument number j the table is off by 1/2 for the value, j/2 for the first
// difference, C(j, 2)/2 for the second one: less than m²/4 + 1 units of 2^-64 over m arguments.
fn tabulate(parabola: Parabola, run: u32, step: u32, part: u32, stretch: u32) {
    let half_width = u64_from(parameters.exhaust_half_width.x, parameters.exhaust_half_width.y);
    let width = u64_shift_left(half_width, 1u);
    let first = (part << (parameters.log2_n - LOG2_PARTS)) + (stretch << log2_of_stretch());
    var value = u64_add(parabola_value(parabola, first), half_width);
    var difference = parabola_difference(parabola, first);
    let second = parabola_second_difference(parabola);
    for (var y = first; y < first + (1u << log2_of_stretch()); y++) {
        // far beyond any list's length the count stops: it must not come to 2^32 and look small
        // again
        if !u64_less(width, value) && (atomicLoad(&hits.count) & ~UNFINISHED) < 0x40000000u {
            let place = atomicAdd(&hits.count, 1u) & ~UNFINISHED;
            if place < arrayLength(&hits.items) {
                hits.items[place] = Hit(run, step, y);
            }
        }
        value = u64_add(value, difference);
        difference = u64_add(difference, second);
    }
}
