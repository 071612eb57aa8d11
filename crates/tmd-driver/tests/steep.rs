//! Pieces that bend as much as next to a pole: walks through domains of a few arguments, and the
//! regular test in lanes, list what the scalar search lists.

mod testing;

use testing::{agreeing, problem, walk, walk_through_flat};
use tmd_core::{Breakpoints, Format};

/// At distances from a pole of tan, and of its like, at which domains are short, too short for a
/// walk, and too short for lanes.
#[test]
fn short_domains_list_what_the_scalar_search_lists() {
    let problem = problem(Format::BINARY64, Breakpoints::All, 24);
    // the tables of costs of before leave to the scalar search what has no domains of 256 arguments
    let (short, scalar) = (walk(), walk_through_flat());
    let (mut cases, mut walked) = (0, 0);
    for (function, from, to) in [
        ("tan", "17.27945958", "17.27945968"),
        ("tan", "17.279059", "17.2790591"),
        ("tan", "17.2788595", "17.2788596"),
        ("tan", "17.27876", "17.2787601"),
        ("tan", "17.278759656", "17.278759658"),
        ("tan(x)+x", "17.27945958", "17.27945962"),
        ("tanpi", "1.5+2^-14", "1.5+2^-14+2^-22"),
        ("1/x", "2^-20", "2^-20+2^-44"),
    ] {
        let [found, expected] = agreeing(function, [from, to], problem, [&short, &scalar]);
        cases += found.cases.len();
        let least = found.domain_sizes.0;
        walked += usize::from((8..256).contains(&least) && least < expected.domain_sizes.0);
    }
    assert!(cases > 50 && walked > 3, "{cases} cases, {walked}");
}
