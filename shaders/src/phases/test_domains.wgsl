// Phase 1: an existence test of every domain. Invocation i walks the domains of run i.
//
// Failing domains go, as they come, to a list by an atomic counter (`test_domains`: few of them),
// or as bits to a word, to be compacted by prefix_sum.wgsl (`test_domains_flagged`: many).

@group(0) @binding(2) var<storage, read_write> failing_domains: GrowingDomains;
// Word w of run i, at index w·R + i, has bit s for the domain at step 32·w + s. One more word
// follows: `UNFINISHED` or not.
@group(0) @binding(3) var<storage, read_write> flags: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn test_domains(at: Invocation) {
    let index = invocation_index(at);
    if index >= parameters.runs {
        return;
    }
    var run = run_start(index);
    var is_finished = false;
    for (var step = 0u; ; step++) {
        if step == parameters.steps {
            is_finished = true;
            break;
        }
        if domain_may_hold(run) {
            let place = atomicAdd(&failing_domains.count, 1u) & ~UNFINISHED;
            if place < arrayLength(&failing_domains.items) {
                failing_domains.items[place] = FailingDomain(index, step);
            }
        }
        run = run_next(run);
    }
    if !is_finished {
        atomicOr(&failing_domains.count, UNFINISHED);
    }
}

@compute @workgroup_size(WORKGROUP)
fn test_domains_flagged(at: Invocation) {
    let index = invocation_index(at);
    if index >= parameters.runs {
        return;
    }
    var run = run_start(index);
    var word = 0u;
    var is_finished = false;
    for (var step = 0u; ; step++) {
        if step == parameters.steps {
            is_finished = true;
            break;
        }
        word |= u32(domain_may_hold(run)) << (step & 31u);
        if (step & 31u) == 31u || step + 1u == parameters.steps {
            flags[(step >> 5u) * parameters.runs + index] = word;
            word = 0u;
        }
        run = run_next(run);
    }
    if !is_finished {
        flags[arrayLength(&flags) - 1u] = UNFINISHED;
    }
}
