// Invocations of a workgroup.
override WORKGROUP: u32 = 64u;

// What an entry point is told of its invocation.
struct Invocation {
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local_index: u32,
}

// The number of this invocation in a dispatch of a plane of workgroups, row by row: more than
// 65,535 workgroups do not fit one row.
fn invocation_index(at: Invocation) -> u32 {
    return (at.workgroup.y * at.workgroups.x + at.workgroup.x) * WORKGROUP + at.local_index;
}
