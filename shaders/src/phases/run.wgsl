// A run of domains, and the chord of each, by difference tables.
//
// R is the polynomial of a piece, mod 1, in units of 2^-64. About the center of a domain of N
// arguments, −N/2 ≤ x < N/2, it is b + a·x + c·x² and little else. The chord b + κ + a·x, κ =
// c·N²/8, lowered to the middle of what it leaves, differs from that by at most |c|·N²/8. Its value
// at the domain's first argument, b + κ − a·N/2, is a linear combination of two tables, and so are
// all its differences from domain to domain.
//
// c is that of the run's start: its `curvature`, 2c·N², is minus the second difference of the
// betas there.

// ENTRIES of 64 bits for each run, at the center of its first domain: BETAS of −R and its
// differences Δ, Δ², Δ³ from domain to domain; then SLOPES of R' (per argument) and Δ, Δ². Limb l
// (0: low) of entry e of run i is at index (2e + l)·R + i, so that neighboring invocations read
// neighboring words.
@group(0) @binding(1) var<storage, read> tables: array<u32>;

// The chord of a run's current domain, and its differences from domain to domain.
struct Run {
    // b + κ − a·N/2
    value: U64,
    value_1: U64,
    value_2: U64,
    value_3: U64,
    // −a
    fall: U64,
    fall_1: U64,
    fall_2: U64,
    // 2c·N², signed
    curvature: U64,
}

fn table_entry(entry: u32, run: u32) -> U64 {
    let low = 2u * entry * parameters.runs + run;
    return u64_from(tables[low], tables[low + parameters.runs]);
}

// b − a·N/2 out of −b and a; likewise for differences
fn first_value(beta: U64, slope: U64) -> U64 {
    return u64_neg(u64_add(beta, u64_shift_left(slope, parameters.log2_n - 1u)));
}

// κ = c·N²/8, rounded down
fn kappa(curvature: U64) -> U64 {
    return u64_shift_right_signed(curvature, 4u);
}

// a run at its first domain
fn run_start(run: u32) -> Run {
    let curvature = u64_neg(table_entry(2u, run));
    let slope = table_entry(BETAS, run);
    let slope_1 = table_entry(BETAS + 1u, run);
    let slope_2 = table_entry(BETAS + 2u, run);
    return Run(
        u64_add(first_value(table_entry(0u, run), slope), kappa(curvature)),
        first_value(table_entry(1u, run), slope_1),
        first_value(table_entry(2u, run), slope_2),
        u64_neg(table_entry(3u, run)),
        u64_neg(slope),
        u64_neg(slope_1),
        u64_neg(slope_2),
        curvature,
    );
}

// the run at its next domain
fn run_next(run: Run) -> Run {
    return Run(
        u64_add(run.value, run.value_1),
        u64_add(run.value_1, run.value_2),
        u64_add(run.value_2, run.value_3),
        run.value_3,
        u64_add(run.fall, run.fall_1),
        u64_add(run.fall_1, run.fall_2),
        run.fall_2,
        run.curvature,
    );
}
