//! Generators, known answers and the backend conformance suite of the workspace; for its tests
//! only.
//!
//! ```
//! use tmd_core::{Scalar, ScalarEngine, exist::Logms};
//! use tmd_testkit::conformance;
//!
//! conformance::edges(&Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None });
//! ```
//!
//! * [`generators`]: pieces of every shape, as readable specifications that shrink;
//! * [`oracle`]: brute force over a piece, exact to 512 bits;
//! * [`mod@conformance`]: the suite that every backend is put through, instantiated by
//!   [`macro@conformance`];
//! * [`lattice3`]: families of arguments for the walk in three dimensions, brute force over small
//!   ones, and the suite of its engines, instantiated by [`macro@conformance_lattice3`];
//! * [`known`]: worst cases and counts of the literature;
//! * [`results`]: the certificates of the repository;
//! * [`walk_model`]: the walk and its verdict as `proofs/` has them.
#![forbid(unsafe_code)]
// a check that fails panics: that is what it is for
#![allow(clippy::missing_panics_doc)]

pub mod conformance;
pub mod generators;
pub mod known;
pub mod lattice3;
pub mod oracle;
pub mod results;
pub mod walk_model;

/// Whether larger samples are asked for: `cargo xtask test --long` sets `TMD_LONG`.
pub fn is_long() -> bool {
    std::env::var_os("TMD_LONG").is_some_and(|value| !value.is_empty())
}

/// A third of many; see [`one_in`].
pub fn by_turns<T>(many: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    one_in(3, many)
}

/// Whether what is asked for by this name is to be looked at this time: once in three times, see
/// [`one_in`]. A third of many names each time; and what goes by [thirds](by_turns) itself has each
/// of them at some turn of a name's.
pub fn is_its_turn(name: &str) -> bool {
    let sum = name.bytes().map(usize::from).sum::<usize>();
    one_in(9, 0..9).any(|turn| turn / 3 == sum / 3 % 3)
}

/// One in so many, from one on that the clock decides, another one each time; all of them with
/// `TMD_TURN=all`, or where [larger samples](is_long) are asked for. For what takes long and hardly
/// differs from its neighbours. After so many turns all have been looked at.
///
/// # Panics
/// If `TMD_TURN` is neither `all` nor a number; if they are so few that some turns had none.
pub fn one_in<T>(turns: usize, many: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let many: Vec<T> = many.into_iter().collect();
    assert!(many.len() >= turns, "some turns would have nothing");
    let turn = match std::env::var("TMD_TURN") {
        Ok(all) if all == "all" => None,
        Ok(turn) => Some(turn.parse::<usize>().expect("TMD_TURN is `all` or a number")),
        Err(_) if is_long() => None,
        Err(_) => {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            Some(now.expect("a clock after 1970").subsec_micros() as usize)
        }
    };
    let (first, step) = turn.map_or((0, 1), |turn| (turn % turns, turns));
    println!("TMD_TURN={} takes the same", if turn.is_some() { first.to_string() } else { "all".into() });
    many.into_iter().skip(first).step_by(step)
}

#[cfg(test)]
mod tests {
    use super::{by_turns, one_in};

    /// One environment for the whole process: so whatever it says, and no variable is set here.
    #[test]
    fn a_third_or_all() {
        for count in [3, 7, 30] {
            let some: Vec<i32> = by_turns(0..count).collect();
            let is_third = some.windows(2).all(|pair| pair[1] - pair[0] == 3) && some[0] < 3;
            let is_all = some.len() == count as usize;
            assert!(is_all || is_third && some[some.len() - 1] + 3 >= count, "{some:?}");
        }
        let some = one_in(5, 0..5).count();
        assert!(some == 1 || some == 5);
    }
}
