// The bits of phase 1 compacted to a list of failing domains: where each word's domains go is the
// number of bits before it.
//
// Three dispatches: `prefix_sum_blocks` scans the counts of WORKGROUP words in each workgroup,
// `prefix_sum_totals` the totals of all workgroups in a single one, `prefix_sum_scatter` writes the
// list. Any number of words.

@group(0) @binding(2) var<storage, read_write> failing_domains: FailingDomains;
// as phase 1 leaves them
@group(0) @binding(3) var<storage, read> flags: array<u32>;
// for each word the number of bits before it in its block
@group(0) @binding(4) var<storage, read_write> offsets: array<u32>;
// for each block of WORKGROUP words the number of its bits; after `prefix_sum_totals` of those
// before it
@group(0) @binding(5) var<storage, read_write> totals: array<u32>;

fn words_of_flags() -> u32 {
    return ((parameters.steps + 31u) / 32u) * parameters.runs;
}

var<workgroup> partial: array<u32, WORKGROUP>;

// The sum of the values of this invocation and of those before it in the workgroup: in round r of
// Hillis and Steele's scan each adds what stands 2^r places before it. Every invocation of the
// workgroup must come here.
fn scan_workgroup(value: u32, local_index: u32) -> u32 {
    partial[local_index] = value;
    workgroupBarrier();
    for (var offset = 1u; offset < WORKGROUP; offset <<= 1u) {
        var before = 0u;
        if local_index >= offset {
            before = partial[local_index - offset];
        }
        workgroupBarrier();
        partial[local_index] += before;
        workgroupBarrier();
    }
    return partial[local_index];
}

@compute @workgroup_size(WORKGROUP)
fn prefix_sum_blocks(at: Invocation) {
    let index = invocation_index(at);
    var count = 0u;
    if index < words_of_flags() {
        count = countOneBits(flags[index]);
    }
    let sum = scan_workgroup(count, at.local_index);
    if index < words_of_flags() {
        offsets[index] = sum - count;
    }
    let block = index / WORKGROUP;
    if at.local_index == WORKGROUP - 1u && block < arrayLength(&totals) {
        totals[block] = sum;
    }
}

// for one workgroup
@compute @workgroup_size(WORKGROUP)
fn prefix_sum_totals(@builtin(local_invocation_index) local_index: u32) {
    let blocks = (words_of_flags() + WORKGROUP - 1u) / WORKGROUP;
    var before = 0u;
    var is_finished = false;
    for (var first = 0u; ; first += WORKGROUP) {
        if first >= blocks {
            is_finished = true;
            break;
        }
        let index = first + local_index;
        var total = 0u;
        if index < blocks {
            total = totals[index];
        }
        let sum = scan_workgroup(total, local_index);
        if index < blocks {
            totals[index] = before + sum - total;
        }
        before += partial[WORKGROUP - 1u];
        // nobody writes `partial` again before all have read it
        workgroupBarrier();
    }
    if local_index == 0u {
        failing_domains.count = before | flags[arrayLength(&flags) - 1u] | select(UNFINISHED, 0u, is_finished);
    }
}

@compute @workgroup_size(WORKGROUP)
fn prefix_sum_scatter(at: Invocation) {
    let index = invocation_index(at);
    if index >= words_of_flags() {
        return;
    }
    var place = totals[index / WORKGROUP] + offsets[index];
    var word = flags[index];
    while word != 0u {
        if place < arrayLength(&failing_domains.items) {
            let step = 32u * (index / parameters.runs) + countTrailingZeros(word);
            failing_domains.items[place] = FailingDomain(index % parameters.runs, step);
        }
        place++;
        word &= word - 1u;
    }
}
