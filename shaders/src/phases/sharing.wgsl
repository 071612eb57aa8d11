// A list shared by any number of invocations, each item cut into equal pieces of work.

// The items first_item, first_item + items_apart, …, and of each the pieces first_piece,
// first_piece + pieces_apart, …
struct Share {
    first_item: u32,
    items_apart: u32,
    first_piece: u32,
    pieces_apart: u32,
}

// As many invocations as an item has pieces take one item together, neighbors the same one. (A
// number over all items and pieces might not fit 32 bits.) What is left over of the invocations
// gets pieces beyond the last one: nothing.
fn share_of_list(index: u32, workgroups: vec3<u32>, pieces: u32) -> Share {
    let invocations = workgroups.x * workgroups.y * WORKGROUP;
    let together = min(pieces, invocations);
    let items_apart = invocations / together;
    let is_left_over = index >= items_apart * together;
    return Share(index / together, items_apart, select(index % together, pieces, is_left_over), together);
}
