//! [`Work`]: how the time that a range takes is spread over it, and where to cut it.

/// Consecutive parts of a range, each with the core-seconds that are spread evenly over it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Work(Vec<(u64, f64)>);

impl Work {
    /// So many arguments, each as expensive as any other.
    pub(super) fn even(count: u64, core_seconds: f64) -> Self {
        Self(vec![(count, core_seconds)])
    }

    /// So many core-seconds, of which each part has a share.
    pub(super) fn shared(shares: &[(u64, f64)], core_seconds: f64) -> Self {
        Self(shares.iter().map(|&(count, share)| (count, share * core_seconds)).collect())
    }

    /// Where pieces begin that take about as long as each other, so many or fewer: none is empty.
    pub(super) fn starts(&self, pieces: u64) -> Vec<u64> {
        let pieces = pieces.max(1);
        if let [(count, _)] = self.0[..] {
            let size = count.div_ceil(pieces).max(1);
            return (0..count.div_ceil(size)).map(|i| i * size).collect();
        }
        let total: f64 = self.0.iter().map(|(_, seconds)| seconds).sum();
        let end: u64 = self.0.iter().map(|(count, _)| count).sum();
        // the first piece has what takes no time before it
        let (mut starts, mut first, mut before) = (vec![0], 0, 0.0);
        let mut parts = self.0.iter().filter(|(count, _)| *count != 0).peekable();
        for i in 1..pieces {
            let wanted = total * (i as f64 / pieces as f64);
            while let Some((count, seconds)) = parts.next_if(|(_, seconds)| before + seconds <= wanted) {
                first += count;
                before += seconds;
            }
            let Some((count, seconds)) = parts.peek() else { break };
            let start = first + ((wanted - before) / seconds * *count as f64) as u64;
            if start < end && starts.last().is_none_or(|last| *last < start) {
                starts.push(start);
            }
        }
        starts
    }

    /// Core-seconds from number `start` to before `end`.
    pub(super) fn between(&self, start: u64, end: u64) -> f64 {
        let mut first = 0;
        let own = self.0.iter().map(|&(count, seconds)| {
            let (from, to) = (start.max(first), end.min(first + count));
            first += count;
            // none of a part that is empty
            seconds * (to.saturating_sub(from) as f64 / count.max(1) as f64)
        });
        own.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_work_is_cut_in_equal_pieces() {
        let work = Work::even(10, 5.0);
        assert_eq!(work.starts(3), [0, 4, 8]);
        assert_eq!((work.between(0, 4), work.between(8, 10)), (2.0, 1.0));
        assert_eq!(work.starts(100).len(), 10);
        assert_eq!(Work::even(10, 0.0).starts(1), [0]);
    }

    /// A thousand cells, of which the last ten take nine tenths of the time.
    #[test]
    fn uneven_work_is_cut_in_pieces_of_the_same_time() {
        let work = Work::shared(&[(990, 0.1), (0, 0.0), (10, 0.9)], 100.0);
        for pieces in [1, 2, 3, 7, 11] {
            let starts = work.starts(pieces);
            assert_eq!((starts.len() as u64, starts[0]), (pieces, 0));
            assert!(starts.is_sorted_by(|a, b| a < b) && starts.last() < Some(&1000), "{starts:?}");
            let ends = starts[1..].iter().copied().chain([1000]);
            let seconds: Vec<f64> = starts.iter().zip(ends).map(|(&a, b)| work.between(a, b)).collect();
            assert!((seconds.iter().sum::<f64>() - 100.0).abs() < 1e-9);
            // but for a cell, which takes nine seconds
            let even = 100.0 / pieces as f64;
            assert!(seconds.iter().all(|s| (s - even).abs() <= 9.1), "{pieces}: {seconds:?}");
        }
        // what takes no time is in the first piece, or in the last
        assert_eq!(Work::shared(&[(10, 0.0), (10, 1.0)], 4.0).starts(2), [0, 15]);
        assert_eq!(Work::shared(&[(10, 1.0), (10, 0.0)], 4.0).starts(2), [0, 5]);
        assert_eq!(Work::shared(&[(10, 0.0), (10, 0.0)], 0.0).starts(3), [0]);
        assert_eq!(Work::shared(&[(10, f64::NAN), (10, 1.0)], 1.0).starts(3), [0]);
        // more pieces than cells: each is one
        let starts = work.starts(100_000);
        assert!(
            starts.len() <= 1000
                && starts[starts.len() - 10..] == [990, 991, 992, 993, 994, 995, 996, 997, 998, 999]
        );
    }
}
