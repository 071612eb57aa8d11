//! [`ParseError::hint`]: what there is instead.

use super::{Builtin, PairFunction, ParseError, SpecialFunction};

impl ParseError {
    /// All names that there are, for a name that is like none of them.
    pub fn hint(&self) -> Option<String> {
        let Self::UnknownName { suggestion: None, .. } = self else { return None };
        let names = Builtin::ALL.map(Builtin::name).into_iter();
        let names: Vec<_> = names.chain(SpecialFunction::ALL.map(SpecialFunction::name)).collect();
        let pairs = PairFunction::ALL.map(|function| format!("{function}(a, b)")).join(", ");
        let names = names.join(", ");
        Some(format!("the variable is x, the functions are {names}, rootn(a, n), pown(a, n), {pairs}"))
    }
}
