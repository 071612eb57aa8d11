//! Lines beside which a piece of a function runs: |sin x| is beside x for x > 0, and beside −x for
//! x < 0.
//!
//! Where a function is one of its pieces over a whole range ([`Function::piece`]), what is proved
//! of the piece's results is proved of its own. The piece is a function on both sides of 0, and has
//! its tangent there.

use tmd_core::ArgumentRange;
use tmd_functions::{Function, Interval};

use super::line::{Offset, Tangent};

/// How far the results over a range are from the tangent of the function's piece, if it has pieces
/// and is one of them all over the range.
pub(super) fn offset(
    function: &dyn Function,
    whole: &Interval,
    range: &ArgumentRange,
    precision: u32,
) -> Option<Offset> {
    let piece = function.piece(whole)?;
    Tangent::of(&piece, precision)?.offset(&piece, range, precision).ok()?
}
