// Phase 3: every argument of the failing parts, by stretches. Any number of invocations share the
// list.

@group(0) @binding(4) var<storage, read> failing_parts: FailingParts;

@compute @workgroup_size(WORKGROUP)
fn exhaust(at: Invocation) {
    let index = invocation_index(at);
    let stretches = 1u << (parameters.log2_n - LOG2_PARTS - log2_of_stretch());
    let share = share_of_list(index, at.workgroups, stretches);
    // what is left of an unfinished list is unfinished
    if (failing_parts.count & UNFINISHED) != 0u {
        atomicOr(&hits.count, UNFINISHED);
    }
    let count = min(failing_parts.count & ~UNFINISHED, arrayLength(&failing_parts.items));
    var is_finished = false;
    for (var item = share.first_item; ; item += share.items_apart) {
        if item >= count {
            is_finished = true;
            break;
        }
        let part = failing_parts.items[item];
        let parabola = parabola_at(part.run, part.step);
        for (var stretch = share.first_piece; stretch < stretches; stretch += share.pieces_apart) {
            tabulate(parabola, part.run, part.step, part.part, stretch);
        }
    }
    if !is_finished {
        atomicOr(&hits.count, UNFINISHED);
    }
}
