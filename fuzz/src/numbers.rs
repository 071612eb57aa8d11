//! Exact numbers from text: read again from what is printed, and put between their neighbors in
//! each format.

use tmd_core::Format;
use tmd_driver::{DriverError, interval::argument};
use tmd_functions::parse_number;

/// Longer numbers are read, and no more: what is printed of them may be more text than is read.
const MOST_BITS: u32 = 10_000;

/// Reads a number.
pub fn fuzz(text: &str) {
    let Ok(x) = parse_number(text) else { return };
    if x.numer().significant_bits().max(x.denom().significant_bits()) > MOST_BITS {
        return;
    }
    let printed = format!("[{}/{}]", x.numer(), x.denom());
    assert_eq!(parse_number(&printed).as_ref(), Ok(&x), "{printed}");
    for format in [Format::BINARY16, Format::BINARY64, Format::X87_EXTENDED] {
        match argument(&x, format) {
            Ok(number) => {
                assert_eq!(parse_number(&number.to_string()).as_ref(), Ok(&x), "{number} in {format}");
            }
            Err(DriverError::NotRepresentable { below, above, .. }) => {
                let [below, above] =
                    [below, above].map(|end| parse_number(&end).expect("a neighbor is a number"));
                assert!(below < x && x < above, "{x} is not between its neighbors in {format}");
            }
            Err(_) => {}
        }
    }
}
