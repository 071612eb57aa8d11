//! Flat pieces, passed over in steps: the lists are those of the walk through their domains.

mod testing;

use testing::{agreeing, problem, walk, walk_through_flat};
use tmd_core::{Breakpoints, Format};

/// Rising and falling, with many turns and with less than one, and around an extremum.
#[test]
fn passing_over_finds_what_the_walk_finds() {
    let x87 = Format::named("x87").unwrap();
    let problem = problem(x87, Breakpoints::All, 36);
    let (passing, walk) = (walk(), walk_through_flat());
    let mut cases = 0;
    for (function, from, to) in [
        ("sin", "2^-17", "2^-17+2^-39"),
        ("sin", "2^-24", "2^-24+2^-46"),
        ("atan", "-2^-18", "-2^-18+2^-40"),
        ("exp2", "2^-34", "2^-34+2^-56"),
        ("exp", "-2^-40", "-2^-40+2^-62"),
        ("cos", "2^-18", "2^-18+2^-40"),
        ("sin", "1.5707963267948966-2^-36", "1.5707963267948966+2^-36"),
    ] {
        let [found, expected] = agreeing(function, [from, to], problem, [&passing, &walk]);
        assert!(expected.domain_sizes.1 <= 1 << 24, "{function}: {:?}", expected.domain_sizes);
        assert!(found.domain_sizes.1 > 1 << 24, "{function}: {:?}", found.domain_sizes);
        cases += found.cases.len();
    }
    assert!(cases > 300, "{cases}");
}
