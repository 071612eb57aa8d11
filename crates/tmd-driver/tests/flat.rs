//! Flat pieces, passed over in steps: the lists are those of the walk through their domains.

use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{Outcome, Search, Workers};
use tmd_functions::{parse, parse_number};
use tmd_simd::{CostTable, Level, Simd};

fn searched(function: &str, from: &str, to: &str, problem: Problem, engine: &Simd) -> Outcome {
    let function = parse(function).unwrap();
    let [from, to] = [from, to].map(|end| parse_number(end).unwrap());
    let search = Search { function: &function, from, to, problem, workers: Workers::cpu(engine, 2) };
    search.run(&(), &Interrupt::new()).unwrap()
}

/// Rising and falling, with many turns and with less than one, and around an extremum.
#[test]
fn passing_over_finds_what_the_walk_finds() {
    let x87 = Format::named("x87").unwrap();
    let problem = Problem::new(x87, x87, Breakpoints::All, 36).unwrap();
    let walk = Simd::farey(Level::best());
    let passing = walk.with_costs(CostTable::Third);
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
        let [expected, found] = [&walk, &passing].map(|engine| searched(function, from, to, problem, engine));
        assert_eq!(found.cases, expected.cases, "{function}");
        assert_eq!(found.exact_cases, expected.exact_cases, "{function}");
        assert_eq!((found.searched, found.failure), (expected.searched, None), "{function}");
        assert!(expected.domain_sizes.1 <= 1 << 24, "{function}: {:?}", expected.domain_sizes);
        assert!(found.domain_sizes.1 > 1 << 24, "{function}: {:?}", found.domain_sizes);
        cases += found.cases.len();
    }
    assert!(cases > 300, "{cases}");
}
