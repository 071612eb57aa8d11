// The papers' deployment in one kernel: an invocation that finds a failing domain refines and
// exhausts it at once, while its neighbors wait.
@compute @workgroup_size(WORKGROUP)
fn one_kernel(at: Invocation) {
    let index = invocation_index(at);
    if index >= parameters.runs {
        return;
    }
    let stretches = 1u << (parameters.log2_n - LOG2_PARTS - log2_of_stretch());
    var run = run_start(index);
    var is_finished = false;
    for (var step = 0u; ; step++) {
        if step == parameters.steps {
            is_finished = true;
            break;
        }
        if domain_may_hold(run) {
            let parabola = parabola_of(run);
            for (var part = 0u; part < PARTS; part++) {
                if part_may_hold(parabola, part) {
                    for (var stretch = 0u; stretch < stretches; stretch++) {
                        tabulate(parabola, index, step, part, stretch);
                    }
                }
            }
        }
        run = run_next(run);
    }
    if !is_finished {
        atomicOr(&hits.count, UNFINISHED);
    }
}
