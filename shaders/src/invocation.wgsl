// Invocations of a workgroup.
override WORKGROUP: u32 = 64u;

// The number of this invocation in a dispatch of a plane of workgroups, row by row: more than
// 65,535 workgroups do not fit one row.
fn invocation_index(workgroup: vec3<u32>, workgroups: vec3<u32>, local_index: u32) -> u32 {
    return (workgroup.y * workgroups.x + workgroup.x) * WORKGROUP + local_index;
}
