// The walk in three dimensions, one run of windows and two targets per invocation, in integers:
// tmd-gpu's src/cpu/lattice3, where every step is explained. Proof: docs/proofs/lattice3.md,
// section 7.

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

// A row of the dual basis in units of 2^-52, where τ lacks the cubic part of the shear; what its
// phases gain, and phases, in turns.
struct Line {
    x: U64,
    tau: U64,
    nu: U64,
    first: U64,
    second: U64,
    third: U64,
    phase0: U64,
    phase1: U64,
}

struct Gram {
    aa: i32,
    bb: i32,
    cc: i32,
    ab: i32,
    bc: i32,
    ac: i32,
}

// The same rows in units of 2^-26.
struct Short {
    x: i32,
    tau: i32,
    nu: i32,
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
    is_bounded: bool,
    is_tame: bool,
}

// Points of a box, for a target, on their way: how many, whether one is near the parabola, and
// whether all were looked at.
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

fn signed(n: i32) -> U64 {
    return u64_from(bitcast<u32>(n), bitcast<u32>(n >> 31u));
}

fn top(x: U64) -> i32 {
    return bitcast<i32>(u64_high(x));
}

// x·y, exact
fn product(x: i32, y: i32) -> U64 {
    let wide = u32_mul_wide(bitcast<u32>(abs(x)), bitcast<u32>(abs(y)));
    return u64_select(wide, u64_neg(wide), (x ^ y) < 0);
}

fn longest_of(line: Line) -> i32 {
    return max(abs(top(line.x)), max(abs(top(line.tau)), abs(top(line.nu))));
}

fn scaled(line: Line, by: u32) -> Short {
    return Short(top(line.x) >> by, top(line.tau) >> by, top(line.nu) >> by);
}

fn dot3(a: Short, b: Short) -> i32 {
    return a.x * b.x + a.tau * b.tau + a.nu * b.nu;
}

fn gram_of(a: Line, b: Line, c: Line) -> Gram {
    let most = max(longest_of(a), max(longest_of(b), longest_of(c)));
    let bits = 32u - countLeadingZeros(bitcast<u32>(most));
    let by = max(bits, GRAM_BITS) - GRAM_BITS;
    let p = scaled(a, by);
    let q = scaled(b, by);
    let r = scaled(c, by);
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

// a row's largest entry in units of 2^-BOUND_BITS, rounded up
fn coarse(line: Line) -> u32 {
    return bitcast<u32>(longest_of(line) >> (ROW_BITS - 32u - BOUND_BITS)) + 1u;
}

fn less_times(long: Line, short: Line, q: i32) -> Line {
    let n = signed(q);
    return Line(
        u64_sub(long.x, u64_mul_low(short.x, n)),
        u64_sub(long.tau, u64_mul_low(short.tau, n)),
        u64_sub(long.nu, u64_mul_low(short.nu, n)),
        u64_sub(long.first, u64_mul_low(short.first, n)),
        u64_sub(long.second, u64_mul_low(short.second, n)),
        u64_sub(long.third, u64_mul_low(short.third, n)),
        u64_sub(long.phase0, u64_mul_low(short.phase0, n)),
        u64_sub(long.phase1, u64_mul_low(short.phase1, n)),
    );
}

// The rows' pair a and b: the longer one minus a multiple of the other, if it stays below 2^10.
// Both are changed, one of them by 0 times the other: of the invocations of a subgroup hardly ever
// all would take the same branch, and selecting rows is no less work than changing them.
fn pair(a: ptr<function, Line>, b: ptr<function, Line>, gram: Gram) -> Gram {
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

// `curvature` is 1.5·g·k² in units of 2^-32
fn shortened(line: Line, curvature: i32) -> Short {
    let nu = rounded(line.nu);
    let more = u64_add(product(curvature, nu), u64_from(1u << 31u, 0u));
    return Short(rounded(line.x), rounded(line.tau) - top(more), nu);
}

fn side_of(row: Short) -> Side {
    let x = bitcast<u32>(abs(row.x));
    let y = bitcast<u32>(abs(row.tau));
    let v = bitcast<u32>(abs(row.nu));
    let reach = x + y + v + (v >> TOLERANCE_BITS) + 1u;
    let part = y >> 3u;
    let spared = min(3u * part, min(v, (v >> 1u) + part));
    let rest = min(reach, FARTHEST) - min(spared, FARTHEST / 2u);
    let width = bitcast<i32>(rest + (rest >> WIDER_BITS) + WIDER);
    let by = select(bitcast<i32>(spared), -bitcast<i32>(spared), row.nu < 0);
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
    let cross = narrowed(u64_shift_right_signed(u64_sub(product(p, s), product(q, r)), by));
    let size = narrowed(u64_shift_right_signed(product(cross.value, mantissa), shift));
    return Component(size.value, cross.fits & size.fits);
}

fn edge_of(a: Short, b: Short, mantissa: i32, shift: u32) -> Edge {
    let tau = component(a.nu, b.x, a.x, b.nu, mantissa, shift);
    let nu = component(a.x, b.tau, a.tau, b.x, mantissa, shift);
    return Edge(tau.value, nu.value, tau.fits & nu.fits);
}

// reach + 1/16 in units of 2^-BOUND_BITS, rounded up
fn slack_of(side: Side) -> u32 {
    return ((side.reach + SIXTEENTH) >> (SHORT_BITS - BOUND_BITS)) + 1u;
}

fn is_tame_edge(side: Side, edge: Edge) -> bool {
    let reach = slack_of(side);
    let by = POINT_BITS - BOUND_BITS;
    let tau = (bitcast<u32>(abs(edge.tau)) >> by) + 1u;
    let nu = (bitcast<u32>(abs(edge.nu)) >> by) + 1u;
    let is_small = (side.reach < FARTHEST) & (tau <= LONGEST_TAU) & (nu <= LONGEST_NU) & edge.fits;
    return is_small & (reach * tau <= WIDEST_TAU) & (reach * nu <= WIDEST_NU);
}

fn box_of(a: Short, b: Short, c: Short, mantissa: i32, shift: u32, loosest: u32) -> Box {
    let sides = array<Side, 3>(side_of(a), side_of(b), side_of(c));
    let edges = array<Edge, 3>(
        edge_of(b, c, mantissa, shift),
        edge_of(c, a, mantissa, shift),
        edge_of(a, b, mantissa, shift),
    );
    let is_tame = is_tame_edge(sides[0], edges[0])
        & is_tame_edge(sides[1], edges[1])
        & is_tame_edge(sides[2], edges[2]);
    let two = ((slack_of(sides[0]) * slack_of(sides[1])) >> BOUND_BITS) + 1u;
    let volume = ((two * slack_of(sides[2])) >> BOUND_BITS) + 1u;
    let is_bounded = max(sides[0].reach, max(sides[1].reach, sides[2].reach)) < FARTHEST;
    return Box(sides, edges, is_bounded, is_tame & (two < LARGEST_TWO) & (volume <= loosest));
}

// |ν − 1 + 2τ²| ≤ 2^-11 and |τ| ≤ 1 + 2^-11
fn is_near(y: i32, v: i32) -> bool {
    let size = bitcast<u32>(abs(y));
    let h = min(size, (1u << POINT_BITS) - 1u);
    let high = h >> SPLIT_BITS;
    let low = h & ((1u << SPLIT_BITS) - 1u);
    let squared = (high * high) >> (POINT_BITS - 1u - 2u * SPLIT_BITS);
    let square = squared + ((high * low) >> (POINT_BITS - 2u - SPLIT_BITS));
    return (size <= (1u << POINT_BITS) + u32(TOLERANCE)) & (abs(v + bitcast<i32>(square)) <= TOLERANCE);
}

fn sum3(z: vec3<i32>, x: vec3<i32>) -> i32 {
    let sum = u64_add(product(z.x, x.x), u64_add(product(z.y, x.y), product(z.z, x.z)));
    return bitcast<i32>(u64_low(u64_shift_right_signed(sum, SHORT_BITS)));
}

// The points of a box for a target, or what is known without them: then there are none.
fn points_of(box: Box, phase: vec3<i32>) -> Points {
    let none = vec2<i32>(0);
    let hit = Points(0u, true, true, vec3<i32>(0), none, none, none, 0, 0);
    if !box.is_bounded {
        return hit;
    }
    let below = vec3<i32>(box.sides[0].below, box.sides[1].below, box.sides[2].below);
    let above = vec3<i32>(box.sides[0].above, box.sides[1].above, box.sides[2].above);
    let by = vec3<u32>(SHORT_BITS);
    let center = phase >> vec3<u32>(32u - SHORT_BITS);
    let first = (center - below + vec3<i32>((1 << SHORT_BITS) - 1)) >> by;
    let more = ((center + above) >> by) - first;
    if min(more.x, min(more.y, more.z)) < 0 {
        return Points(0u, false, true, vec3<i32>(0), none, none, none, 0, 0);
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
    return Points(count, false, false, more, point, point, point, 0, 0);
}

// looks at point number i, if there is one
fn look(points: ptr<function, Points>, box: Box, i: u32) {
    if i >= (*points).count {
        return;
    }
    if is_near((*points).point.x, (*points).point.y) {
        (*points).is_hit = true;
    }
    (*points).is_whole = (i + 1u) == (*points).count;
    (*points).point -= vec2<i32>(box.edges[2].tau, box.edges[2].nu);
    (*points).c++;
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

fn start(run: u32, row: u32, group: u32) -> Line {
    let targets = constants.targets;
    let entries = ROW_WORDS * row;
    let differences = DIFFERENCES + entries;
    let one = PHASES + ROW_WORDS * min(2u * group, targets - 1u) + 2u * row;
    let other = PHASES + ROW_WORDS * min(2u * group + 1u, targets - 1u) + 2u * row;
    return Line(
        load(entries, run),
        load(entries + 2u, run),
        load(entries + 4u, run),
        load(differences, run),
        load(differences + 2u, run),
        load(differences + 4u, run),
        load(one, run),
        load(other, run),
    );
}

fn next(line: Line) -> Line {
    return Line(
        line.x,
        u64_sub(line.tau, u64_shift_left(line.nu, SHEAR_BITS)),
        line.nu,
        u64_add(line.first, line.second),
        u64_add(line.second, line.third),
        line.third,
        u64_add(line.phase0, line.first),
        u64_add(line.phase1, line.first),
    );
}

fn store(place: u32, at: u32, x: U64) {
    hits[place].words[at] = u64_low(x);
    hits[place].words[at + 1u] = u64_high(x);
}

fn store_row(place: u32, row: u32, line: Line, phase: U64) {
    store(place, ROW_WORDS * row, line.x);
    store(place, ROW_WORDS * row + 2u, line.tau);
    store(place, ROW_WORDS * row + 4u, line.nu);
    store(place, HIT_PHASES + 2u * row, phase);
}

// false if there is no room
fn put(run: u32, place: u32, a: Line, b: Line, c: Line, p: U64, q: U64, r: U64) -> bool {
    let number = atomicAdd(&progress, 1u);
    let is_room = number < constants.capacity;
    if is_room {
        hits[number].run = run;
        hits[number].place = place;
        store_row(number, 0u, a, p);
        store_row(number, 1u, b, q);
        store_row(number, 2u, c, r);
    }
    return is_room;
}

@compute @workgroup_size(WORKGROUP)
fn lattice3(at: Invocation) {
    let invocation = invocation_index(at);
    let groups = (constants.targets + 1u) / 2u;
    if invocation >= constants.runs * groups {
        return;
    }
    let run = invocation % constants.runs;
    let group = invocation / constants.runs;
    var a = start(run, 0u, group);
    var b = start(run, 1u, group);
    var c = start(run, 2u, group);
    let cubic = load(CUBIC, run);
    let mantissa = bitcast<i32>(load_word(MANTISSA, run));
    let shift = load_word(SHIFT, run);
    let windows = load_word(WINDOWS, run);
    let loosest = load_word(LOOSEST_WORD, run);
    var curvature = u64_zero();
    var curvature_step = cubic;
    var step = 0u;
    for (; step < windows; step++) {
        var g = gram_of(a, b, c);
        g = pair(&a, &b, g);
        g = turned_back(pair(&b, &c, turned(g)));
        g = crossed(pair(&a, &c, crossed(g)));
        g = pair(&a, &b, g);
        g = turned_back(pair(&b, &c, turned(g)));
        g = crossed(pair(&a, &c, crossed(g)));

        let most = max(longest_of(a), max(longest_of(b), longest_of(c)));
        if most >= LONGEST {
            break;
        }
        let turn = top(curvature);
        var box = box_of(shortened(a, turn), shortened(b, turn), shortened(c, turn), mantissa, shift, loosest);
        let is_small = most < TAMEST;
        box.is_bounded = box.is_bounded & is_small;
        var one = points_of(box, vec3<i32>(top(a.phase0), top(b.phase0), top(c.phase0)));
        var other = points_of(box, vec3<i32>(top(a.phase1), top(b.phase1), top(c.phase1)));
        // both in one loop: subgroups wait for the most points
        let count = max(one.count, other.count);
        for (var i = 0u; i < count; i++) {
            look(&one, box, i);
            look(&other, box, i);
        }
        let has_other = (2u * group + 1u) < constants.targets;
        if !(one.is_whole && other.is_whole) {
            break;
        }
        if one.is_hit {
            if !put(run, step | ((2u * group) << STEP_BITS), a, b, c, a.phase0, b.phase0, c.phase0) {
                break;
            }
        }
        if other.is_hit && has_other {
            if !put(run, step | ((2u * group + 1u) << STEP_BITS), a, b, c, a.phase1, b.phase1, c.phase1) {
                break;
            }
        }
        a = next(a);
        b = next(b);
        c = next(c);
        curvature = u64_add(curvature, curvature_step);
        curvature_step = u64_add(curvature_step, u64_shift_left(cubic, 1u));
    }
    finished[invocation] = step;
}
