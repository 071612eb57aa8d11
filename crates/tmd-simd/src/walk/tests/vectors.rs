//! Lanes of one number, in one vector or in two: whatever takes them, cases and counts are the
//! same.

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use tmd_core::{Interrupt, Piece, PieceOutcome, partition::subdivide::PieceSearch};
use tmd_testkit::generators::specs;

use super::run;
use crate::{
    CostTable, Simd, forced_domain,
    lanes::{Kernel, Lanes, MAX_LANES, pair::Pair, portable::Portable},
    level::Level,
    walk,
};

/// The levels with eight lanes.
fn with_eight_lanes() -> impl Iterator<Item = Level> {
    Level::with_pairs().into_iter().filter(|level| level.width() == 8)
}

/// The walk in so many portable vectors.
fn in_portable(vectors: usize, piece: &Piece, domain: Option<u64>) -> Option<PieceOutcome> {
    let domain = forced_domain(domain, piece);
    let found = walk::search(Portable, vectors, piece, domain, CostTable::Fifth, &Interrupt::new());
    found.ok().map(Result::unwrap)
}

/// The walk in eight lanes: of two portable vectors, and of all levels that have as many. `None`
/// where a piece cannot be walked.
fn outcomes(piece: &Piece, domain: Option<u64>) -> Option<Vec<PieceOutcome>> {
    let portable = in_portable(2, piece, domain)?;
    let levels = with_eight_lanes().map(|level| {
        let simd = Simd::farey(level).with_domain_size(domain);
        simd.search_whole(piece, &Interrupt::new()).unwrap().unwrap()
    });
    Some([portable].into_iter().chain(levels).collect())
}

#[test]
fn eight_lanes_are_eight_lanes() {
    let count = if cfg!(miri) { 2 } else { 1500 };
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let questions = (specs(18), prop_oneof![Just(None), (4u64..400).prop_map(|half| Some(2 * half))]);
    let (mut walked, mut enumerated, mut unlike_four) = (0, 0, 0);
    for _ in 0..count {
        let (spec, domain) = questions.new_tree(&mut runner).unwrap().current();
        let piece = spec.piece();
        let Some(outcomes) = outcomes(&piece, domain) else { continue };
        let counts = |outcome: &PieceOutcome| {
            outcome.phases.named().map(|(_, p)| (p.domains_in, p.domains_out, p.arguments_in))
        };
        let first = &outcomes[0];
        for other in &outcomes[1..] {
            assert_eq!(first.candidates, other.candidates, "{spec:?}, {domain:?}");
            assert_eq!(counts(first), counts(other), "{spec:?}, {domain:?}");
            assert_eq!(first.budget, other.budget, "{spec:?}, {domain:?}");
        }
        // a lane of one vector waits for all others of it: flags may be others, cases are not
        let sized = forced_domain(domain, &piece);
        let vector = Pair(Portable);
        let one = walk::search(vector, 1, &piece, sized, CostTable::Fifth, &Interrupt::new());
        let one = one.unwrap().unwrap();
        assert_eq!((&first.candidates, first.budget), (&one.candidates, one.budget), "{spec:?}, {domain:?}");
        let four = in_portable(1, &piece, domain);
        unlike_four += u32::from(four.is_some_and(|four| four.budget != first.budget));
        walked += 1;
        enumerated += first.phases.exhaust.domains_in;
    }
    assert!(
        cfg!(miri) || walked > count / 10 && enumerated > 1000 && unlike_four > 10,
        "{walked} {enumerated} {unlike_four}"
    );
}

/// Floors of products by fractions of 52 bits.
struct Floors<'a>(&'a [(u64, u64)]);

impl Kernel for Floors<'_> {
    type Output = Vec<Vec<f64>>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Output {
        let unit = 1.0 / (1u64 << 52) as f64;
        let floor = |&(n, fraction): &(u64, u64)| {
            let mut row = [0.0; MAX_LANES];
            l.store(l.floor_product(l.splat(n as f64), l.splat(fraction as f64 * unit)), &mut row);
            row[..L::WIDTH].to_vec()
        };
        self.0.iter().map(floor).collect()
    }
}

/// Eight lanes take the floor of the product itself, also where the product rounds up to an
/// integer; AVX2 for itself does not.
#[test]
fn floors_of_eight_lanes_are_exact() {
    // n·fraction is an integer less a few units of 2^-52, down to where doubles end
    let pairs: Vec<(u64, u64)> = (3..if cfg!(miri) { 40 } else { 4000 })
        .flat_map(|n: u64| [n, n << 9 | 1, n << 14 | 1])
        .flat_map(|n| [1, n / 2, n - 1].map(|whole| (n, ((u128::from(whole) << 52) / u128::from(n)) as u64)))
        .collect();
    let expected = |&(n, fraction): &(u64, u64)| ((u128::from(n) * u128::from(fraction)) >> 52) as f64;
    let mut compared = 0;
    for level in with_eight_lanes() {
        let (floors, width) = run(level, Floors(&pairs));
        for (pair, found) in pairs.iter().zip(floors) {
            assert_eq!(found, vec![expected(pair); width], "{level:?}: {pair:?}");
            compared += width;
        }
    }
    assert!(compared > 0 || with_eight_lanes().next().is_none());
    let (floors, _) = run(Level::named("portable").unwrap(), Floors(&pairs));
    let rounded = pairs.iter().zip(floors).filter(|(pair, found)| found[0] != expected(pair)).count();
    assert!(cfg!(miri) || rounded > 100, "{rounded} products round up to an integer");
}
