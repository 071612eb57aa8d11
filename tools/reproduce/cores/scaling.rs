//! The same work by more and more threads.

use rayon::ThreadPool;
use tmd_core::{Backend, Breakpoints, CoreError, Format, Interrupt, Piece, Problem};
use tmd_driver::{Search, Workers};
use tmd_functions::{parse, parse_number};
use tmd_simd::{Level, Simd};

use crate::{
    ToolError,
    figures::{pool, timed},
    reproduce::race::within,
};

/// Hits of a search: piece, and argument in it.
type List = Vec<(usize, u64)>;

/// A search, and how it is laid out over threads.
pub(super) struct Subject {
    pub(super) title: String,
    pub(super) layout: Layout,
}

/// How threads come by their work.
pub(super) enum Layout {
    /// As the papers' processes do: of n threads the first one searches pieces 0, n, 2n, …
    Cyclic {
        /// who searches
        backend: Box<dyn Backend>,
        /// all that is searched
        pieces: Vec<Piece>,
    },
    /// As `tmd search` does: a whole search by the Farey walk, from one queue, with polynomials and
    /// confirmation.
    Queue {
        /// how many arguments of exp after 1 + 2^-4, the middle of `I_0..1023`
        log2_arguments: u32,
    },
}

/// Seconds of a subject by the number of threads.
#[derive(Clone, Debug)]
pub(super) struct Scaling {
    pub(super) title: String,
    /// (threads, seconds), threads rising from 1
    pub(super) seconds: Vec<(usize, f64)>,
}

impl Scaling {
    pub(super) fn at(&self, threads: usize) -> Option<f64> {
        self.seconds.iter().find(|point| point.0 == threads).map(|point| point.1)
    }

    /// How many times as fast as one thread so many are.
    pub(super) fn speed_up(&self, threads: usize) -> Option<f64> {
        Some(self.at(1)? / self.at(threads)?)
    }
}

/// Powers of two below the most threads, and those.
pub(super) fn numbers_of_threads(most: usize) -> Vec<usize> {
    let powers = (0..usize::BITS).map(|bit| 1 << bit).take_while(|&threads| threads < most);
    powers.chain([most.max(1)]).collect()
}

/// What one of so many threads searches of so many pieces.
fn share(pieces: usize, threads: usize, thread: usize) -> impl Iterator<Item = usize> {
    (thread..pieces).step_by(threads)
}

impl Subject {
    /// How many arguments it searches.
    pub(super) fn arguments(&self) -> u64 {
        match &self.layout {
            Layout::Cyclic { pieces, .. } => pieces.iter().map(Piece::arguments).sum(),
            Layout::Queue { log2_arguments } => 1 << log2_arguments,
        }
    }

    /// Searches everything with the threads of a pool; in order.
    fn search(&self, pool: &ThreadPool) -> Result<List, ToolError> {
        match &self.layout {
            Layout::Cyclic { backend, pieces } => cyclic(&**backend, pieces, pool),
            Layout::Queue { log2_arguments } => queue(*log2_arguments, pool.current_num_threads()),
        }
    }

    /// The list that every number of threads must find, and who says so.
    fn expected(&self, one: &ThreadPool, most: &ThreadPool) -> Result<(String, List), ToolError> {
        match &self.layout {
            Layout::Cyclic { pieces, .. } => {
                let walk = Simd::farey(Level::best());
                Ok((walk.name(), cyclic(&walk, pieces, most)?))
            }
            Layout::Queue { .. } => Ok((format!("{} by one thread", self.title), self.search(one)?)),
        }
    }
}

fn cyclic(backend: &dyn Backend, pieces: &[Piece], pool: &ThreadPool) -> Result<List, ToolError> {
    let lists = pool.broadcast(|thread| {
        let mut list = List::new();
        for i in share(pieces.len(), thread.num_threads(), thread.index()) {
            let found = backend.search(&pieces[i], &Interrupt::new())?;
            list.extend(within(&pieces[i], found.candidates).into_iter().map(|k| (i, k)));
        }
        Ok(list)
    });
    let mut all = lists.into_iter().collect::<Result<Vec<_>, CoreError>>()?.concat();
    all.sort_unstable();
    Ok(all)
}

fn queue(log2_arguments: u32, threads: usize) -> Result<List, ToolError> {
    let (function, walk) = (parse("exp")?, Simd::farey(Level::best()));
    let formats = Format::BINARY64.with_precision(54)?;
    let end = format!("1+2^-4+2^{}", log2_arguments.cast_signed() - 53);
    let search = Search {
        function: &function,
        from: parse_number("1+2^-4")?,
        to: parse_number(&end)?,
        problem: Problem::new(formats, Format::BINARY64, Breakpoints::Directed, 33)?,
        workers: Workers::cpu(&walk, threads),
    };
    let cases = search.run(&(), &Interrupt::new())?.cases;
    // arguments below 2 with 54 bits: multiples of 2^-53
    let number = |case: &tmd_core::HrCase| case.argument.significand() << (case.argument.exponent() + 53);
    Ok(cases.iter().map(|case| (0, number(case) as u64)).collect())
}

/// The least seconds of every subject with each of these numbers of threads, of so many interleaved
/// runs of everything, scaled to so many arguments. What else the machine does hits all of them
/// alike, and every list is compared.
///
/// # Errors
/// If something cannot be searched, or the lists differ.
pub(super) fn measured(
    subjects: &[Subject],
    numbers_of_threads: &[usize],
    times: u32,
    arguments: u64,
) -> Result<Vec<Scaling>, ToolError> {
    let pools = numbers_of_threads.iter().map(|&threads| pool(threads)).collect::<Result<Vec<_>, _>>()?;
    let (Some(one), Some(most)) = (pools.first(), pools.last()) else { return Ok(Vec::new()) };
    let expected =
        subjects.iter().map(|subject| subject.expected(one, most)).collect::<Result<Vec<_>, _>>()?;
    let mut best = vec![vec![f64::INFINITY; pools.len()]; subjects.len()];
    for _ in 0..times {
        for ((subject, (reference, expected)), best) in subjects.iter().zip(&expected).zip(&mut best) {
            for (pool, best) in pools.iter().zip(best) {
                let (list, seconds) = timed(|| subject.search(pool));
                let list = list?;
                let who = format!("{}, {} threads", subject.title, pool.current_num_threads());
                ToolError::unless_same("its intervals", (&who, &list), (reference, expected))?;
                *best = best.min(seconds);
            }
        }
    }
    let scaled = |(subject, best): (&Subject, Vec<f64>)| {
        let scale = arguments as f64 / subject.arguments() as f64;
        let points = numbers_of_threads.iter().copied().zip(best.into_iter().map(|seconds| seconds * scale));
        Scaling { title: subject.title.clone(), seconds: points.collect() }
    };
    Ok(subjects.iter().zip(best).map(scaled).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{reproduce::simd::interval, testing::Forgetful};
    use proptest::prelude::*;

    #[test]
    fn powers_of_two_and_the_most() {
        for (most, expected) in
            [(0, vec![1]), (1, vec![1]), (2, vec![1, 2]), (6, vec![1, 2, 4, 6]), (8, vec![1, 2, 4, 8])]
        {
            assert_eq!(numbers_of_threads(most), expected);
        }
    }

    proptest! {
        /// Every piece has one thread, and none has more than one piece more than another.
        #[test]
        fn shares_are_equal(pieces in 0usize..300, threads in 1usize..40) {
            let shares: Vec<Vec<usize>> =
                (0..threads).map(|thread| share(pieces, threads, thread).collect()).collect();
            let mut all = shares.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..pieces).collect::<Vec<_>>());
            prop_assert!(shares.iter().all(|share| share.len().abs_diff(pieces / threads) <= 1));
            prop_assert!(shares.iter().flat_map(|share| share.windows(2)).all(|pair| pair[1] - pair[0] == threads));
        }
    }

    #[test]
    fn speed_ups() {
        let scaling = Scaling { title: "x".into(), seconds: vec![(1, 8.0), (2, 5.0), (3, 2.5)] };
        assert_eq!(scaling.speed_up(1), Some(1.0));
        assert_eq!(scaling.speed_up(3), Some(3.2));
        assert_eq!((scaling.at(2), scaling.speed_up(4)), (Some(5.0), None));
    }

    fn pieces() -> Vec<Piece> {
        (0..5).map(|k| interval(k).part(1 << 39, 1 << 34).unwrap()).collect()
    }

    /// More threads than pieces too.
    #[test]
    fn every_number_of_threads_finds_all() {
        let walk = Simd::farey(Level::best());
        let cyclic = Layout::Cyclic { backend: Box::new(Simd::farey(Level::best())), pieces: pieces() };
        let cyclic = Subject { title: "cyclic".into(), layout: cyclic };
        let one = pool(1).unwrap();
        let list = cyclic.search(&one).unwrap();
        for (i, piece) in pieces().iter().enumerate() {
            let found = within(piece, walk.search(piece, &Interrupt::new()).unwrap().candidates);
            let expected: List = found.into_iter().map(|k| (i, k)).collect();
            assert!(!expected.is_empty());
            assert_eq!(list.iter().filter(|hit| hit.0 == i).copied().collect::<List>(), expected);
        }
        let queue = Subject { title: "queue".into(), layout: Layout::Queue { log2_arguments: 38 } };
        assert!(queue.search(&one).unwrap().len() > 20);
        let subjects = [cyclic, queue];
        let all = measured(&subjects, &[1, 3, 7], 1, 5 << 36).unwrap();
        for scaling in &all {
            assert_eq!(scaling.seconds.iter().map(|point| point.0).collect::<Vec<_>>(), [1, 3, 7]);
            assert!(scaling.seconds.iter().all(|point| point.1 > 0.0 && point.1.is_finite()));
        }
        assert_eq!((subjects[0].arguments(), subjects[1].arguments()), (5 << 34, 1 << 38));
    }

    #[test]
    fn a_wrong_list_is_an_error() {
        let layout = Layout::Cyclic { backend: Box::new(Forgetful), pieces: pieces() };
        let subject = Subject { title: "forgetful".into(), layout };
        let error = measured(&[subject], &[1, 2], 1, 1).unwrap_err();
        assert!(
            matches!(&error, ToolError::Disagreement { engine, .. } if engine == "forgetful, 1 threads"),
            "{error}"
        );
    }
}
