//! [`Samples`]: places at which a range is asked how long it takes, more of them where that
//! changes.

/// Cells of a range at first.
const CELLS: u64 = 8;

/// Cells of a range at most.
const MOST_CELLS: usize = 256;

/// A cell is halved if an argument in it takes so many times more or less than one in the next …
const UNEVEN: f64 = 1.25;

/// … and the cell takes more than this share of the range.
const SHARE: f64 = 1.0 / 512.0;

/// A range shorter than this is asked at [`CELLS`] places only, in seconds.
const SHORT: f64 = 2.0;

/// Consecutive arguments of a range, with what was found near their middle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell<T> {
    first: u64,
    pub(super) count: u64,
    pub(super) found: T,
    /// seconds of an argument
    density: f64,
}

/// All cells of a range, in increasing order.
#[derive(Clone, Debug)]
pub(super) struct Samples<T>(pub(super) Vec<Cell<T>>);

impl<T> Cell<T> {
    /// Asks next to the middle, but at no number that is a multiple of a power of two: 2^x − 1 has
    /// its exact results there, and next to them pieces are short.
    fn new<E>(first: u64, count: u64, ask: &mut impl FnMut(u64) -> Result<(T, f64), E>) -> Result<Self, E> {
        let (found, density) = ask(first + (u128::from(count) * 527 / 1000) as u64)?;
        Ok(Self { first, count, found, density })
    }

    /// Seconds of all its arguments.
    pub(super) fn seconds(&self) -> f64 {
        self.density * self.count as f64
    }

    /// Whether its arguments take a time that is not about that of another cell's.
    fn is_unlike(&self, other: &Self) -> bool {
        self.density.max(other.density) > UNEVEN * self.density.min(other.density)
    }
}

impl<T> Samples<T> {
    /// Asks a range of so many arguments, one at least; `ask` says of one of them what is found
    /// there, and the seconds that such an argument takes.
    ///
    /// Next to a pole, or where a function is flat, an argument may take a hundred times as long as
    /// elsewhere, in a stretch that equally spaced samples miss. The cell that takes longest is
    /// halved as long as it is unlike one beside it.
    pub(super) fn of<E>(count: u64, mut ask: impl FnMut(u64) -> Result<(T, f64), E>) -> Result<Self, E> {
        let cells = CELLS.min(count);
        let start = |i: u64| (u128::from(count) * u128::from(i) / u128::from(cells.max(1))) as u64;
        let mut all = Vec::with_capacity(cells as usize);
        for i in 0..cells {
            all.push(Cell::new(start(i), start(i + 1) - start(i), &mut ask)?);
        }
        while all.len() < MOST_CELLS {
            let total: f64 = all.iter().map(Cell::seconds).sum();
            let is_uneven = |i: usize| {
                let beside = [i.checked_sub(1), Some(i + 1)].into_iter().flatten();
                beside.filter_map(|j| all.get(j)).any(|other| all[i].is_unlike(other))
            };
            let longest = (0..all.len())
                .filter(|&i| all[i].count > 1 && all[i].seconds() > SHARE * total && is_uneven(i))
                .max_by(|&i, &j| all[i].seconds().total_cmp(&all[j].seconds()));
            let Some(longest) = longest.filter(|_| total > SHORT) else { break };
            let Cell { first, count, .. } = all[longest];
            let half = count / 2;
            let halves =
                [Cell::new(first, half, &mut ask)?, Cell::new(first + half, count - half, &mut ask)?];
            all.splice(longest..=longest, halves);
        }
        Ok(Self(all))
    }

    /// The cell in the middle.
    pub(super) fn middle(&self) -> Option<&Cell<T>> {
        let half = self.0.iter().map(|cell| cell.count).sum::<u64>() / 2;
        self.0.iter().find(|cell| cell.first + cell.count > half)
    }

    /// Consecutive parts of the range with their shares of its time: one, if it was not worth a
    /// closer look.
    pub(super) fn shares(&self) -> Vec<(u64, f64)> {
        let total: f64 = self.0.iter().map(Cell::seconds).sum();
        if self.0.len() as u64 <= CELLS || total <= 0.0 {
            return vec![(self.0.iter().map(|cell| cell.count).sum(), 1.0)];
        }
        self.0.iter().map(|cell| (cell.count, cell.seconds() / total)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The samples of a range of 2^52 arguments where an argument at x in [0, 1) takes so long.
    fn samples(density: impl Fn(f64) -> f64) -> Samples<u64> {
        let count = 1u64 << 52;
        let scale = 1.0 / count as f64;
        Samples::of(count, |k| Ok::<_, ()>((k, density(k as f64 * scale) * scale))).unwrap()
    }

    fn seconds(samples: &Samples<u64>) -> f64 {
        samples.0.iter().map(Cell::seconds).sum()
    }

    /// Cells are consecutive, cover the range, and are asked inside.
    fn check(samples: &Samples<u64>, count: u64) {
        let mut next = 0;
        for cell in &samples.0 {
            assert_eq!(cell.first, next);
            next += cell.count;
            assert!((cell.first..next).contains(&cell.found), "{cell:?}");
        }
        assert_eq!(next, count);
        let shares = samples.shares();
        assert_eq!(shares.iter().map(|(count, _)| count).sum::<u64>(), count);
        assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_changes_little_is_asked_eight_times() {
        for scale in [1e-3, 1e3] {
            let samples = samples(|x| scale * (1.0 + x));
            check(&samples, 1 << 52);
            assert_eq!((samples.0.len(), samples.shares().len()), (8, 1));
            assert!((seconds(&samples) / (1.5 * scale) - 1.0).abs() < 0.02, "{}", seconds(&samples));
        }
        // a range that takes no time is not asked again, whatever it looks like
        assert_eq!(samples(|x| 1e-6 / (1e-9 + x)).0.len(), 8);
        let few = Samples::of(3, |k| Ok::<_, ()>((k, 1e9 * (1.0 + k as f64)))).unwrap();
        check(&few, 3);
        assert_eq!(few.0.len(), 3);
    }

    /// Five poles between samples, next to which an argument at the distance d takes 1/(d + 10^-6).
    #[test]
    fn poles_are_found() {
        let poles = [0.08, 0.2763, 0.4726, 0.6689, 0.8652];
        let each = |d: f64| 1.0 / (d.abs() + 1e-6);
        let density = |x: f64| poles.iter().map(|pole| each(x - pole)).sum::<f64>();
        let samples = samples(density);
        check(&samples, 1 << 52);
        let side = |d: f64| (1.0 + d * 1e6).ln();
        let exact: f64 = poles.iter().map(|pole| side(1.0 - pole) + side(*pole)).sum();
        let ratio = seconds(&samples) / exact;
        assert!((0.8..1.1).contains(&ratio), "{ratio} with {} samples", samples.0.len());
        let even = (0..8).map(|i| density((f64::from(i) + 0.527) / 8.0) / 8.0).sum::<f64>() / exact;
        assert!(even < 0.6, "equally spaced samples miss them: {even}");
    }
}
