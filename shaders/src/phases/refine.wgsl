// Phase 2: an existence test of the parts of every failing domain. Any number of invocations
// share the list.

@group(0) @binding(2) var<storage, read> failing_domains: FailingDomains;
@group(0) @binding(4) var<storage, read_write> failing_parts: GrowingParts;

@compute @workgroup_size(WORKGROUP)
fn refine(at: Invocation) {
    let index = invocation_index(at);
    let share = share_of_list(index, at.workgroups, PARTS);
    // what is left of an unfinished list is unfinished
    if (failing_domains.count & UNFINISHED) != 0u {
        atomicOr(&failing_parts.count, UNFINISHED);
    }
    let count = min(failing_domains.count & ~UNFINISHED, arrayLength(&failing_domains.items));
    var is_finished = false;
    for (var item = share.first_item; ; item += share.items_apart) {
        if item >= count {
            is_finished = true;
            break;
        }
        let domain = failing_domains.items[item];
        let parabola = parabola_at(domain.run, domain.step);
        for (var part = share.first_piece; part < PARTS; part += share.pieces_apart) {
            if part_may_hold(parabola, part) {
                let place = atomicAdd(&failing_parts.count, 1u) & ~UNFINISHED;
                if place < arrayLength(&failing_parts.items) {
                    failing_parts.items[place] = FailingPart(domain.run, domain.step, part);
                }
            }
        }
    }
    if !is_finished {
        atomicOr(&failing_parts.count, UNFINISHED);
    }
}
