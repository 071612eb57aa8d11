//! Lines beside which a piece of a function runs: |sin x| is beside x for x > 0, and beside −x for x < 0.
//!
//! Where a function is one of its pieces over a whole range ([`Function::piece`]), what is proved of the piece's results is proved
//! of its own. The piece is a function on both sides of 0, and has its tangent there.

use tmd_core::{ArgumentRange, Format};
use tmd_functions::{Function, Interval};

use super::line::{Beside, Tangent};

/// The line beside which the results over a range are, if the function has pieces and is one of them all over it.
pub(super) fn beside(
    function: &dyn Function,
    whole: &Interval,
    range: &ArgumentRange,
    format: Format,
    precision: u32,
) -> Option<Beside> {
    let piece = function.piece(whole)?;
    Tangent::of(&piece, precision)?.beside(&piece, range, format, precision).ok()?
}
