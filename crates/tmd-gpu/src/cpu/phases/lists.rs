//! What the phases hand on: `phases/lists.wgsl`.

use tmd_shaders::constants::lists::UNFINISHED;

/// A domain that may hold a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailingDomain {
    /// Number of its run.
    pub run: u32,
    /// Number in its run.
    pub step: u32,
}

/// One of the [`PARTS`](tmd_shaders::constants::lists::PARTS) of a failing domain that may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailingPart {
    /// Number of the run.
    pub run: u32,
    /// Number of the domain in its run.
    pub step: u32,
    /// Number in its domain.
    pub part: u32,
}

/// An argument whose tabulated value is within the window of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hit {
    /// Number of the run.
    pub run: u32,
    /// Number of the domain in its run.
    pub step: u32,
    /// Number in its domain, below N.
    pub argument: u32,
}

/// A list as a kernel leaves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T> {
    /// How many items there would be with room for all, or about 2^30 if more.
    pub count: u32,
    /// Whether every invocation came to the end of its work. Where a driver ends loops
    /// ([`loop_rounds`](crate::Gpu::loop_rounds)) one may not: the list is then worth nothing.
    pub is_finished: bool,
    /// Those that had room.
    pub items: Vec<T>,
}

impl<T> List<T> {
    /// Out of a kernel's buffer: the count, and `WORDS` words for each item that there is room for.
    fn from_words<const WORDS: usize>(words: &[u32], item: impl Fn([u32; WORDS]) -> T) -> Self {
        let (first, rest) = words.split_first().unwrap_or((&0, &[]));
        let (count, is_finished) = (first & !UNFINISHED, first & UNFINISHED == 0);
        let items = rest.as_chunks().0.iter().take(count as usize).map(|&words| item(words)).collect();
        Self { count, is_finished, items }
    }

    /// Whether everything was done, and there was room for all.
    pub fn is_complete(&self) -> bool {
        self.is_finished && self.items.len() == self.count as usize
    }
}

impl FailingDomain {
    /// The list in a kernel's buffer.
    pub fn list(words: &[u32]) -> List<Self> {
        List::from_words(words, |[run, step]| Self { run, step })
    }
}

impl FailingPart {
    /// The list in a kernel's buffer.
    pub fn list(words: &[u32]) -> List<Self> {
        List::from_words(words, |[run, step, part]| Self { run, step, part })
    }
}

impl Hit {
    /// The list in a kernel's buffer.
    pub fn list(words: &[u32]) -> List<Self> {
        List::from_words(words, |[run, step, argument]| Self { run, step, argument })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_with_room_and_without() {
        let list = FailingDomain::list(&[1, 5, 6, 99, 99]);
        assert_eq!(list.items, [FailingDomain { run: 5, step: 6 }]);
        assert!(list.is_complete());
        // three words of the last item have no room
        let list = FailingPart::list(&[3, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!((list.count, list.items.len()), (3, 2));
        assert_eq!(list.items[1], FailingPart { run: 4, step: 5, part: 6 });
        assert!(!list.is_complete());
        assert_eq!(Hit::list(&[]).items, []);
        let list = Hit::list(&[UNFINISHED + 1, 7, 8, 9]);
        assert_eq!((list.count, list.items.len()), (1, 1));
        assert!(!list.is_finished && !list.is_complete());
    }
}
