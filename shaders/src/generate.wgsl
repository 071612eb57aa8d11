// The difference tables of all runs, from those of the packets' first runs: tmd-gpu's
// src/cpu/generate.rs, where the layouts are described.

struct GenerateConstants {
    packets: u32,
    runs: u32,
    degrees: array<u32, ENTRIES>,
}

@group(0) @binding(0) var<storage, read> constants: GenerateConstants;
@group(0) @binding(1) var<storage, read_write> outer: array<u32>;
@group(0) @binding(2) var<storage, read_write> tables: array<u32>;
@group(0) @binding(3) var<storage, read_write> progress: Progress;

fn outer_pair(word: u32, packets: u32) -> U64 {
    return u64_from(outer[word], outer[word + packets]);
}

@compute @workgroup_size(WORKGROUP)
fn generate(at: Invocation) {
    let index = invocation_index(at);
    let packets = constants.packets;
    if index >= ENTRIES * packets {
        return;
    }
    let entry = index / packets;
    let packet = index % packets;
    var first = 0u; // of the entry's differences
    for (var before = 0u; before < entry; before++) {
        first += constants.degrees[before] + 1u;
    }
    let degree = constants.degrees[entry];
    let all = packets * constants.runs;
    let start = 4u * first * packets + packet; // of limb 0 of difference 0
    var steps = 0u;
    for (var r = 0u; r < constants.runs; r++) {
        var word = start;
        var low = outer_pair(word, packets);
        var high = outer_pair(word + 2u * packets, packets);
        let run = r * packets + packet;
        tables[2u * entry * all + run] = u64_low(high);
        tables[(2u * entry + 1u) * all + run] = u64_high(high);
        for (var difference = 0u; difference < degree; difference++) {
            let next = word + 4u * packets;
            let next_low = outer_pair(next, packets);
            let next_high = outer_pair(next + 2u * packets, packets);
            let sum_low = u64_add_carry(low, next_low, 0u);
            let sum_high = u64_add_carry(high, next_high, sum_low.carry);
            outer[word] = u64_low(sum_low.sum);
            outer[word + packets] = u64_high(sum_low.sum);
            outer[word + 2u * packets] = u64_low(sum_high.sum);
            outer[word + 3u * packets] = u64_high(sum_high.sum);
            low = next_low;
            high = next_high;
            word = next;
            steps++;
        }
        steps++;
    }
    if steps == constants.runs * (degree + 1u) {
        atomicAdd(&progress.generated, 1u);
    }
}
