//! [`Candidates`]: the arguments that an engine could not rule out, decided by the polynomial's
//! exact value.

use crate::{CoreError, Piece, Window};

/// Candidates per piece beyond which a search stops: 2^22 arguments of 8 bytes.
pub const MAX_CANDIDATES: usize = 1 << 22;

/// The candidates of a piece, as an engine finds them. What is kept is within the piece's own
/// half-width of an integer, so that it does not depend on how the engine came to look at it.
#[derive(Clone, Debug)]
pub struct Candidates<'a> {
    piece: &'a Piece,
    /// of the piece's own half-width
    window: Window,
    found: Vec<u64>,
}

impl<'a> Candidates<'a> {
    /// None yet; `None` if the piece's window is the whole circle.
    pub fn new(piece: &'a Piece) -> Option<Self> {
        Some(Self { piece, window: Window::new(piece.half_width())?, found: Vec::new() })
    }

    /// None yet, of a piece with this window.
    pub(crate) const fn within(piece: &'a Piece, window: Window) -> Self {
        Self { piece, window, found: Vec::new() }
    }

    /// Looks at argument number `k` of the piece exactly, and keeps it if it is a candidate. What
    /// is beyond the piece is none.
    pub fn look_at(&mut self, k: u64) {
        if k < self.piece.arguments() && self.window.holds(self.piece.value(k).high64()) {
            self.found.push(k);
        }
    }

    /// The same with argument `x`, counted from the center of the domain of `2·half` arguments that
    /// begins at `first`, `|x| ≤ half`. The domain's end, `x = half`, belongs to the next one.
    pub fn look_at_point(&mut self, first: u64, half: i64, x: i64) {
        debug_assert!(x.abs() <= half, "{x} is outside a domain of {}", 2 * half);
        if x < half {
            self.look_at((first as i64 + half + x) as u64);
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.found.len() as u64
    }

    /// # Errors
    /// [`CoreError::TooManyCandidates`] for more than [`MAX_CANDIDATES`].
    pub fn check(&self) -> Result<(), CoreError> {
        check(&self.found, self.piece.arguments())
    }

    /// All of them, ascending.
    pub fn into_sorted(self) -> Vec<u64> {
        let Self { mut found, .. } = self;
        found.sort_unstable();
        found
    }
}

/// Whether a list of candidates of so many arguments is short enough.
///
/// # Errors
/// [`CoreError::TooManyCandidates`] for more than [`MAX_CANDIDATES`].
pub fn check(candidates: &[u64], arguments: u64) -> Result<(), CoreError> {
    if candidates.len() <= MAX_CANDIDATES {
        return Ok(());
    }
    Err(CoreError::TooManyCandidates { limit: MAX_CANDIDATES, arguments })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_difftable::{Fixed, Polynomial, Upper};

    /// `x/16` over 40 arguments, within 2^-8 of an integer: 0, 16 and 32.
    fn piece() -> Piece {
        let polynomial = Polynomial::new(vec![Fixed::ZERO, Fixed::from_ratio_pow2(1, 4)]);
        let magnitudes = vec![Upper::ZERO, Upper::power_of_two(-4)];
        let half_width = Upper::power_of_two(-8);
        Piece::new(polynomial, magnitudes, 40, 0, half_width, Upper::ZERO, Upper::ZERO).unwrap()
    }

    #[test]
    fn candidates_are_decided_by_their_value() {
        let piece = piece();
        let mut candidates = Candidates::new(&piece).unwrap();
        for k in (0..100).rev() {
            candidates.look_at(k);
        }
        assert_eq!((candidates.count(), candidates.check()), (3, Ok(())));
        assert_eq!(candidates.into_sorted(), [0, 16, 32]);
    }

    /// Domains side by side: every argument of the piece once, also at their seams.
    #[test]
    fn points_of_domains_are_counted_once() {
        let piece = piece();
        let mut candidates = Candidates::new(&piece).unwrap();
        for first in [0, 16, 32] {
            (-8..=8).for_each(|x| candidates.look_at_point(first, 8, x));
        }
        assert_eq!(candidates.into_sorted(), [0, 16, 32]);
    }

    #[test]
    fn a_crowd_is_an_error() {
        let most = vec![0; MAX_CANDIDATES];
        assert_eq!(check(&most, 7), Ok(()));
        let crowd = CoreError::TooManyCandidates { limit: MAX_CANDIDATES, arguments: 7 };
        assert_eq!(check(&[most, vec![0]].concat(), 7), Err(crowd));
    }
}
