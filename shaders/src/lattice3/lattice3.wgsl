// The walk in three dimensions, one run of windows and one or two targets per invocation, in
// integers: tmd-gpu's src/cpu/lattice3, where every step is explained. Proof:
// docs/proofs/lattice3.md, section 7.

// whether invocations have two targets each; of one alone the second would be the same again
override HAS_PAIRS: bool = true;

struct Lattice3Constants {
    runs: u32,
    targets: u32,
    capacity: u32,
}

struct Lattice3Hit {
    run: u32,
    // step + 2^STEP_BITS·target
    place: u32,
    // of each row x, τ without the cubic part and ν; of each its phase
    words: array<u32, HIT_WORDS>,
}

@group(0) @binding(0) var<storage, read> constants: Lattice3Constants;
// word w of a run of a block is at w·BLOCK + run
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read_write> progress: atomic<u32>;
// windows done, per pair of targets and run
@group(0) @binding(3) var<storage, read_write> finished: array<u32>;
@group(0) @binding(4) var<storage, read_write> hits: array<Lattice3Hit>;

// A row that the run began with, in units of 2^-52, sheared by 8 windows' ν; its phases and what
// they gain, in turns, of the second and third difference with 32 bits more.
struct Source {
    x: U64,
    tau: U64,
    nu: U64,
    first: U64,
    second: U64,
    third: U64,
    phase0: U64,
    phase1: U64,
    second_low: u32,
    third_low: u32,
}

// A row of the dual basis: high words of its entries x, τ, ν, what they are off at most, and the
// integers that it is of the sources.
struct Row {
    entries: vec3<i32>,
    off: u32,
    t: vec3<i32>,
}

// The same, exact, in units of 2^-52; τ is without the cubic part of the shear.
struct Exact {
    x: U64,
    tau: U64,
    nu: U64,
}

struct Gram {
    aa: i32,
    bb: i32,
    cc: i32,
    ab: i32,
    bc: i32,
    ac: i32,
}

struct Side {
    below: i32,
    above: i32,
    reach: u32,
}

struct Component {
    value: i32,
    fits: bool,
}

// Units of 2^-24.
struct Edge {
    tau: i32,
    nu: i32,
    fits: bool,
}

struct Box {
    sides: array<Side, 3>,
    edges: array<Edge, 3>,
    // for points near the parabola, in units of 2^-24; is_tame says whether it is one
    tolerance: u32,
    is_tame: bool,
    // 2τ² and 4τ² of the last edge, mod 2^8
    half_square: i32,
    square: i32,
}

// Points of a box, for a target, on their way: how many times four, whether one is near the
// parabola, and whether all were looked at.
struct Points {
    count: u32,
    is_hit: bool,
    is_whole: bool,
    more: vec3<i32>,
    // (τ, ν − 1) of the next one, of the line's first one, of the plane's
    point: vec2<i32>,
    line: vec2<i32>,
    plane: vec2<i32>,
    b: i32,
    c: i32,
}

fn load_word(word: u32, run: u32) -> u32 {
    let words = PHASES + ROW_WORDS * constants.targets;
    return tables[(run / BLOCK * words + word) * BLOCK + run % BLOCK];
}

fn load(word: u32, run: u32) -> U64 {
    return u64_from(load_word(word, run), load_word(word + 1u, run));
}

fn top(x: U64) -> i32 {
    return bitcast<i32>(u64_high(x));
}

// ⌊x·y/2^by⌋ mod 2^32
fn shifted(x: i32, y: i32, by: u32) -> i32 {
    return bitcast<i32>(u64_low(u64_shift_right_signed(i32_mul_wide(x, y), by)));
}

// t·(x, y, z) mod 2^64
fn sum_of(t: vec3<i32>, x: U64, y: U64, z: U64) -> U64 {
    return u64_add(u64_mul_i32_low(x, t.x), u64_add(u64_mul_i32_low(y, t.y), u64_mul_i32_low(z, t.z)));
}

fn largest(x: vec3<i32>) -> i32 {
    let size = abs(x);
    return max(size.x, max(size.y, size.z));
}

fn dot3(a: vec3<i32>, b: vec3<i32>) -> i32 {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

fn gram_of(a: vec3<i32>, b: vec3<i32>, c: vec3<i32>) -> Gram {
    let most = max(largest(a), max(largest(b), largest(c)));
    let bits = 32u - countLeadingZeros(bitcast<u32>(most));
    let by = vec3<u32>(max(bits, GRAM_BITS) - GRAM_BITS);
    let p = a >> by;
    let q = b >> by;
    let r = c >> by;
    return Gram(dot3(p, p), dot3(q, q), dot3(r, r), dot3(p, q), dot3(q, r), dot3(p, r));
}

// n/d rounded, 0 if d is, and below 2^QUOTIENT_BITS
fn quotient(n: i32, d: i32) -> i32 {
    let size = bitcast<u32>(abs(n));
    let by = bitcast<u32>(d);
    if d <= 0 {
        return 0;
    }
    let most = (1u << QUOTIENT_BITS) - 1u;
    var q = most;
    if (size >> QUOTIENT_BITS) < by {
        q = u32(f32(size) / f32(by));
        // one too many or too few
        var rest = bitcast<i32>(size - q * by);
        let less = rest < 0;
        q = select(q, q - 1u, less);
        rest = select(rest, rest + d, less);
        let more = rest >= d;
        q = select(q, q + 1u, more);
        rest = select(rest, rest - d, more);
        q = select(q, q + 1u, 2u * bitcast<u32>(rest) > by);
        q = min(q, most);
    }
    return select(bitcast<i32>(q), -bitcast<i32>(q), n < 0);
}

// what a row's largest entry is at most, in units of 2^-BOUND_BITS
fn coarse(row: Row) -> u32 {
    return ((bitcast<u32>(largest(row.entries)) + row.off) >> (ROW_BITS - 32u - BOUND_BITS)) + 1u;
}

fn less_times(long: Row, short: Row, q: i32) -> Row {
    return Row(
        long.entries - q * short.entries,
        long.off + bitcast<u32>(abs(q)) * short.off,
        long.t - q * short.t,
    );
}

// The rows' pair a and b: the longer one minus a multiple of the other, if it stays below 2^10.
// Both are changed, one of them by 0 times the other: of the invocations of a subgroup hardly ever
// all would take the same branch, and selecting rows is no less work than changing them.
fn pair(a: ptr<function, Row>, b: ptr<function, Row>, gram: Gram) -> Gram {
    let a_is_short = gram.aa <= gram.bb;
    let least = min(gram.aa, gram.bb);
    let all = quotient(gram.ab, least);
    let of_a = coarse(*a);
    let of_b = coarse(*b);
    let long = select(of_a, of_b, a_is_short) + bitcast<u32>(abs(all)) * select(of_b, of_a, a_is_short);
    let q = select(0, all, long < ROOM);
    *a = less_times(*a, *b, select(q, 0, a_is_short));
    *b = less_times(*b, *a, select(0, q, a_is_short));
    let ab = gram.ab - q * least;
    let square = max(gram.aa, gram.bb) - q * (gram.ab + ab);
    let across = select(gram.bc, gram.ac, a_is_short);
    let other = select(gram.ac, gram.bc, a_is_short) - q * across;
    return Gram(
        select(square, gram.aa, a_is_short),
        select(gram.bb, square, a_is_short),
        gram.cc,
        ab,
        select(across, other, a_is_short),
        select(other, across, a_is_short),
    );
}

// b, c, a in the places of a, b, c
fn turned(g: Gram) -> Gram {
    return Gram(g.bb, g.cc, g.aa, g.bc, g.ac, g.ab);
}

fn turned_back(g: Gram) -> Gram {
    return Gram(g.cc, g.aa, g.bb, g.ac, g.ab, g.bc);
}

// a, c, b in the places of a, b, c
fn crossed(g: Gram) -> Gram {
    return Gram(g.aa, g.cc, g.bb, g.ac, g.bc, g.ab);
}

// to units of 2^-26, rounded
fn rounded(x: U64) -> i32 {
    let by = ROW_BITS - SHORT_BITS;
    let half = u64_from(1u << (by - 1u), 0u);
    return bitcast<i32>(u64_low(u64_shift_right_signed(u64_add(x, half), by)));
}

// in units of 2^-26; `curvature` is 1.5·g·k² in units of 2^-32
fn shortened(row: Exact, curvature: i32) -> vec3<i32> {
    let nu = rounded(row.nu);
    let more = u64_add(i32_mul_wide(curvature, nu), u64_from(1u << 31u, 0u));
    return vec3<i32>(rounded(row.x), rounded(row.tau) - top(more), nu);
}

fn size_of(row: vec3<i32>) -> u32 {
    let size = vec3<u32>(abs(row));
    return size.x + size.y + size.z;
}

fn side_of(row: vec3<i32>) -> Side {
    let y = bitcast<u32>(abs(row.y));
    let v = bitcast<u32>(abs(row.z));
    let reach = size_of(row) + (v >> TOLERANCE_BITS) + 1u;
    let part = y >> 3u;
    let spared = min(3u * part, min(v, (v >> 1u) + part));
    let rest = min(reach, FARTHEST) - min(spared, FARTHEST / 2u);
    let width = bitcast<i32>(rest + (rest >> WIDER_BITS) + WIDER);
    let by = select(bitcast<i32>(spared), -bitcast<i32>(spared), row.z < 0);
    return Side(width - by, width + by, reach);
}

// whether x is an integer of 32 bits, and which
fn narrowed(x: U64) -> Component {
    let low = bitcast<i32>(u64_low(x));
    return Component(low, (low >> 31u) == top(x));
}

// (p·s − q·r)·det in units of 2^-24
fn component(p: i32, s: i32, q: i32, r: i32, mantissa: i32, shift: u32) -> Component {
    let by = 2u * SHORT_BITS - CROSS_BITS;
    let cross = narrowed(u64_shift_right_signed(u64_sub(i32_mul_wide(p, s), i32_mul_wide(q, r)), by));
    let size = narrowed(u64_shift_right_signed(i32_mul_wide(cross.value, mantissa), shift));
    return Component(size.value, cross.fits & size.fits);
}

fn edge_of(a: vec3<i32>, b: vec3<i32>, mantissa: i32, shift: u32) -> Edge {
    let tau = component(a.z, b.x, a.x, b.z, mantissa, shift);
    let nu = component(a.x, b.y, a.y, b.x, mantissa, shift);
    return Edge(tau.value, nu.value, tau.fits & nu.fits);
}

// reach + 1/16 in units of 2^-BOUND_BITS, rounded up
fn slack_of(side: Side) -> u32 {
    return ((side.reach + SIXTEENTH) >> (SHORT_BITS - BOUND_BITS)) + 1u;
}

// A reach and an edge multiplied, in units of 2^-20, if that is small.
struct Weight {
    tau: u32,
    nu: u32,
    is_small: bool,
}

fn weight_of(side: Side, edge: Edge) -> Weight {
    let reach = slack_of(side);
    let by = POINT_BITS - BOUND_BITS;
    let tau = (bitcast<u32>(abs(edge.tau)) >> by) + 1u;
    let nu = (bitcast<u32>(abs(edge.nu)) >> by) + 1u;
    let fits = (side.reach < FARTHEST) & (tau <= LONGEST_TAU) & (nu <= LONGEST_NU) & edge.fits;
    let is_small = (reach * tau <= WIDEST_TAU) & (reach * nu <= WIDEST_NU);
    return Weight(reach * tau, reach * nu, fits & is_small);
}

// Of a run: the determinant is mantissa·2^-shift. What separates a case's point from the parabola,
// and what the product of the three reaches adds to it.
struct Scale {
    mantissa: i32,
    shift: u32,
    model: u32,
    factor: u32,
    factor_shift: u32,
}

// the last row is the longest one
fn box_of(a: vec3<i32>, b: vec3<i32>, c: vec3<i32>, mantissa: i32, scale: Scale) -> Box {
    let sides = array<Side, 3>(side_of(a), side_of(b), side_of(c));
    let edges = array<Edge, 3>(
        edge_of(b, c, mantissa, scale.shift),
        edge_of(c, a, mantissa, scale.shift),
        edge_of(a, b, mantissa, scale.shift),
    );
    let one = weight_of(sides[0], edges[0]);
    let other = weight_of(sides[1], edges[1]);
    let last = weight_of(sides[2], edges[2]);
    let slacks = vec3<u32>(slack_of(sides[0]), slack_of(sides[1]), slack_of(sides[2]));
    let two = ((slacks.x * slacks.y) >> BOUND_BITS) + 1u;
    let volume = ((two * slacks.z) >> BOUND_BITS) + 1u;
    let tau = one.tau + other.tau + last.tau;
    let nu = one.nu + other.nu + last.nu;
    let vectors = (TAU_UNITS * tau + NU_UNITS * nu) >> (2u * BOUND_BITS);
    let roundings = (SLACK_UNITS * (slacks.x + slacks.y + slacks.z)) >> BOUND_BITS;
    let part = (volume * scale.factor) >> scale.factor_shift;
    let tolerance = scale.model + vectors + roundings + part + REST_UNITS;
    let is_small = one.is_small & other.is_small & last.is_small;
    let is_tame = is_small & (two < LARGEST_TWO) & (tolerance <= u32(TOLERANCE));
    let half_square = shifted(edges[2].tau, edges[2].tau, POINT_BITS - 1u);
    let square = shifted(edges[2].tau, edges[2].tau, POINT_BITS - 2u);
    return Box(sides, edges, tolerance, is_tame, half_square, square);
}

fn sum3(z: vec3<i32>, x: vec3<i32>) -> i32 {
    let sum = u64_add(i32_mul_wide(z.x, x.x), u64_add(i32_mul_wide(z.y, x.y), i32_mul_wide(z.z, x.z)));
    return bitcast<i32>(u64_low(u64_shift_right_signed(sum, SHORT_BITS)));
}

fn no_points() -> Points {
    let none = vec2<i32>(0);
    return Points(0u, false, true, vec3<i32>(0), none, none, none, 0, 0);
}

// The points of a box for a target, or what is known without them: then there are none. Rows of 16
// or more say nothing.
fn points_of(box: Box, phase: vec3<i32>, is_small: bool) -> Points {
    var hit = no_points();
    hit.is_hit = true;
    if !is_small {
        return hit;
    }
    let below = vec3<i32>(box.sides[0].below, box.sides[1].below, box.sides[2].below);
    let above = vec3<i32>(box.sides[0].above, box.sides[1].above, box.sides[2].above);
    let by = vec3<u32>(SHORT_BITS);
    let center = phase >> vec3<u32>(32u - SHORT_BITS);
    let first = (center - below + vec3<i32>((1 << SHORT_BITS) - 1)) >> by;
    let more = ((center + above) >> by) - first;
    if min(more.x, min(more.y, more.z)) < 0 {
        return no_points();
    }
    if !box.is_tame || max(more.x, max(more.y, more.z)) > MOST_MORE {
        return hit;
    }
    let count = bitcast<u32>((more.x + 1) * (more.y + 1) * (more.z + 1));
    if count > MOST_POINTS {
        return hit;
    }
    let z = center - (first << by);
    let tau = vec3<i32>(box.edges[0].tau, box.edges[1].tau, box.edges[2].tau);
    let nu = vec3<i32>(box.edges[0].nu, box.edges[1].nu, box.edges[2].nu);
    let point = vec2<i32>(sum3(z, tau), sum3(z, nu) - (1 << POINT_BITS));
    let fours = bitcast<u32>((more.x + 1) * (more.y + 1) * ((more.z >> 2u) + 1));
    return Points(fours, false, false, more, point, point, point, 0, 0);
}

// whether one of a line's four points that there are is near: their values
fn is_near(points: Points, box: Box, values: vec4<i32>) -> bool {
    let number = vec4<i32>(0, 1, 2, 3);
    let tau = vec4<u32>(abs(points.point.x - number * box.edges[2].tau));
    let is_inside = tau <= vec4<u32>(EDGE);
    let is_there = points.c + number <= vec4<i32>(points.more.z);
    return any(is_inside & is_there & (vec4<u32>(abs(values)) <= vec4<u32>(box.tolerance)));
}

// looks at four points of a line, number i of them, if there are some: ν − 1 + 2τ² by differences,
// mod 2^8
fn look(points: ptr<function, Points>, box: Box, i: u32) {
    if i >= (*points).count {
        return;
    }
    let edge = vec2<i32>(box.edges[2].tau, box.edges[2].nu);
    let y = (*points).point.x;
    let step = box.half_square - edge.y - shifted(y, edge.x, POINT_BITS - 2u);
    let first = (*points).point.y + shifted(y, y, POINT_BITS - 1u);
    let second = first + step;
    let third = second + step + box.square;
    let fourth = third + step + 2 * box.square;
    let values = vec4<i32>(first, second, third, fourth);
    let sizes = vec4<u32>(abs(values));
    if min(min(sizes.x, sizes.y), min(sizes.z, sizes.w)) <= box.tolerance {
        (*points).is_hit = (*points).is_hit | is_near(*points, box, values);
    }
    (*points).is_whole = (i + 1u) == (*points).count;
    (*points).point -= 4 * edge;
    (*points).c += 4;
    if (*points).c > (*points).more.z {
        (*points).c = 0;
        (*points).line -= vec2<i32>(box.edges[1].tau, box.edges[1].nu);
        (*points).b++;
        if (*points).b > (*points).more.y {
            (*points).b = 0;
            (*points).plane -= vec2<i32>(box.edges[0].tau, box.edges[0].nu);
            (*points).line = (*points).plane;
        }
        (*points).point = (*points).line;
    }
}

fn start(run: u32, row: u32, own: u32) -> Source {
    let last = constants.targets - 1u;
    let entries = ROW_WORDS * row;
    let differences = DIFFERENCES + entries;
    let one = PHASES + ROW_WORDS * own + 2u * row;
    let other = PHASES + ROW_WORDS * min(own + 1u, last) + 2u * row;
    return Source(
        load(entries, run),
        load(entries + 2u, run),
        load(entries + 4u, run),
        load(differences, run),
        load(differences + 2u, run),
        load(differences + 4u, run),
        load(one, run),
        load(other, run),
        load_word(LOWS + 2u * row, run),
        load_word(LOWS + 2u * row + 1u, run),
    );
}

fn next(source: Source) -> Source {
    let low = source.second_low + source.third_low;
    let carry = u64_from(select(0u, 1u, low < source.third_low), 0u);
    return Source(
        source.x,
        u64_sub(source.tau, u64_shift_left(source.nu, SHEAR_BITS)),
        source.nu,
        u64_add(source.first, source.second),
        u64_add(u64_add(source.second, source.third), carry),
        source.third,
        u64_add(source.phase0, source.first),
        u64_add(source.phase1, source.first),
        low,
        source.third_low,
    );
}

fn exact(row: Row, a: Source, b: Source, c: Source) -> Exact {
    return Exact(
        sum_of(row.t, a.x, b.x, c.x),
        sum_of(row.t, a.tau, b.tau, c.tau),
        sum_of(row.t, a.nu, b.nu, c.nu),
    );
}

// the high words of a row's phases, for both targets
fn phases_of(row: Row, a: Source, b: Source, c: Source) -> vec2<i32> {
    return vec2<i32>(
        top(sum_of(row.t, a.phase0, b.phase0, c.phase0)),
        top(sum_of(row.t, a.phase1, b.phase1, c.phase1)),
    );
}

fn tops(row: Exact) -> vec3<i32> {
    return vec3<i32>(top(row.x), top(row.tau), top(row.nu));
}

// the same row in the next window, from its exact entries' high words
fn sheared(row: Row, entries: vec3<i32>) -> Row {
    return Row(vec3<i32>(entries.x, entries.y - (entries.z << SHEAR_BITS), entries.z), SHEARED_OFF, row.t);
}

fn store(place: u32, at: u32, x: U64) {
    hits[place].words[at] = u64_low(x);
    hits[place].words[at + 1u] = u64_high(x);
}

fn store_row(place: u32, at: u32, row: Row, a: Source, b: Source, c: Source, is_other: bool) {
    let entries = exact(row, a, b, c);
    store(place, ROW_WORDS * at, entries.x);
    store(place, ROW_WORDS * at + 2u, entries.tau);
    store(place, ROW_WORDS * at + 4u, entries.nu);
    let phase = sum_of(
        row.t,
        u64_select(a.phase0, a.phase1, is_other),
        u64_select(b.phase0, b.phase1, is_other),
        u64_select(c.phase0, c.phase1, is_other),
    );
    store(place, HIT_PHASES + 2u * at, phase);
}

// false if there is no room
fn put(run: u32, place: u32, rows: array<Row, 3>, a: Source, b: Source, c: Source, is_other: bool) -> bool {
    let number = atomicAdd(&progress, 1u);
    let is_room = number < constants.capacity;
    if is_room {
        hits[number].run = run;
        hits[number].place = place;
        store_row(number, 0u, rows[0], a, b, c, is_other);
        store_row(number, 1u, rows[1], a, b, c, is_other);
        store_row(number, 2u, rows[2], a, b, c, is_other);
    }
    return is_room;
}

@compute @workgroup_size(WORKGROUP)
fn lattice3(at: Invocation) {
    let invocation = invocation_index(at);
    let groups = select(constants.targets, (constants.targets + 1u) / 2u, HAS_PAIRS);
    if invocation >= constants.runs * groups {
        return;
    }
    let run = invocation % constants.runs;
    // its target, or the first of two
    let own = select(1u, 2u, HAS_PAIRS) * (invocation / constants.runs);
    var a = start(run, 0u, own);
    var b = start(run, 1u, own);
    var c = start(run, 2u, own);
    let cubic = load(CUBIC, run);
    let scale_word = load_word(SCALE, run);
    let scale = Scale(
        bitcast<i32>(load_word(MANTISSA, run)),
        load_word(SHIFT, run),
        load_word(MODEL, run),
        scale_word & ((1u << SCALE_BITS) - 1u),
        scale_word >> SCALE_BITS,
    );
    let windows = load_word(WINDOWS, run);
    var p = Row(vec3<i32>(top(a.x), top(a.tau), top(a.nu)), SHEARED_OFF, vec3<i32>(1, 0, 0));
    var q = Row(vec3<i32>(top(b.x), top(b.tau), top(b.nu)), SHEARED_OFF, vec3<i32>(0, 1, 0));
    var r = Row(vec3<i32>(top(c.x), top(c.tau), top(c.nu)), SHEARED_OFF, vec3<i32>(0, 0, 1));
    var curvature = u64_zero();
    var curvature_step = cubic;
    var step = 0u;
    for (; step < windows; step++) {
        var g = gram_of(p.entries, q.entries, r.entries);
        g = pair(&p, &q, g);
        g = turned_back(pair(&q, &r, turned(g)));
        g = crossed(pair(&p, &r, crossed(g)));
        g = pair(&p, &q, g);
        g = turned_back(pair(&q, &r, turned(g)));
        g = crossed(pair(&p, &r, crossed(g)));
        g = pair(&p, &q, g);

        let one_row = exact(p, a, b, c);
        let other_row = exact(q, a, b, c);
        let last_row = exact(r, a, b, c);
        let most = max(largest(tops(one_row)), max(largest(tops(other_row)), largest(tops(last_row))));
        if most >= LONGEST {
            break;
        }
        // short rows, with the phases' high words; the longest one last
        let turn = top(curvature);
        var first = shortened(one_row, turn);
        var second = shortened(other_row, turn);
        var third = shortened(last_row, turn);
        var first_phases = phases_of(p, a, b, c);
        var second_phases = phases_of(q, a, b, c);
        var third_phases = phases_of(r, a, b, c);
        let is_first = size_of(first) > size_of(third);
        let long = select(third, first, is_first);
        let long_phases = select(third_phases, first_phases, is_first);
        first = select(first, third, is_first);
        first_phases = select(first_phases, third_phases, is_first);
        let is_second = size_of(second) > size_of(long);
        third = select(long, second, is_second);
        third_phases = select(long_phases, second_phases, is_second);
        second = select(second, long, is_second);
        second_phases = select(second_phases, long_phases, is_second);
        let mantissa = select(scale.mantissa, -scale.mantissa, is_first != is_second);

        let box = box_of(first, second, third, mantissa, scale);
        let is_small = most < TAMEST;
        var one = points_of(box, vec3<i32>(first_phases.x, second_phases.x, third_phases.x), is_small);
        var other = no_points();
        if HAS_PAIRS {
            let phases = vec3<i32>(first_phases.y, second_phases.y, third_phases.y);
            other = points_of(box, phases, is_small);
        }
        // both in one loop: subgroups wait for the most points
        let count = max(one.count, other.count);
        for (var i = 0u; i < count; i++) {
            look(&one, box, i);
            if HAS_PAIRS {
                look(&other, box, i);
            }
        }
        let has_other = HAS_PAIRS && (own + 1u) < constants.targets;
        if !(one.is_whole && other.is_whole) {
            break;
        }
        if one.is_hit {
            if !put(run, step | (own << STEP_BITS), array<Row, 3>(p, q, r), a, b, c, false) {
                break;
            }
        }
        if other.is_hit && has_other {
            if !put(run, step | ((own + 1u) << STEP_BITS), array<Row, 3>(p, q, r), a, b, c, true) {
                break;
            }
        }
        p = sheared(p, tops(one_row));
        q = sheared(q, tops(other_row));
        r = sheared(r, tops(last_row));
        a = next(a);
        b = next(b);
        c = next(c);
        curvature = u64_add(curvature, curvature_step);
        curvature_step = u64_add(curvature_step, u64_shift_left(cubic, 1u));
    }
    finished[invocation] = step;
}
