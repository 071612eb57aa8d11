//! [`Classifier`]: what is known of the results over a range without a search, and where that
//! begins and ends.

use rug::Rational;
use tmd_core::{ArgumentRange, BreakpointKind, Format, Number};
use tmd_functions::{Function, FunctionError, Interval, taylor::float_of};

use super::{
    Class,
    gap::Gap,
    line::{Offset, Tangent, offset},
};

/// Precision of the enclosures in bits: results of 64 bits leave twice as many for the distance to
/// a breakpoint.
const PRECISION: u32 = 192;

/// Enclosures that a binade may cost: some ten poles can be isolated, and every number of a binade
/// of binary16 (Γ has a pole at each second one there). Where a function has more, the search meets
/// them; and the next binade, which has more still, gets half as many.
const MOST_ENCLOSURES: u32 = 4_096;

/// A space between breakpoints is worth a region if it holds so large a part of a range's results.
/// (Every single result is in some space.)
const PART: u64 = 8;

/// Whether this is worth a region even if it is known of one argument only: it is where the
/// function stops asking for a search.
fn is_of_few(class: &Class) -> bool {
    match class {
        Class::Between(Gap { below, above }) => {
            [below, above].iter().any(|end| end.is_none_or(|end| end == Number::ZERO))
        }
        _ => true,
    }
}

/// What a look at a range says.
enum Look {
    /// The same of all arguments.
    Known(Class),
    /// Nothing that holds of all.
    Unknown,
    /// There is no enclosure over all.
    Failed(FunctionError),
}

pub(super) struct Classifier<'a> {
    function: &'a dyn Function,
    format: Format,
    tangent: Option<Tangent>,
    enclosures: u32,
    /// enclosures that this binade may cost
    most: u32,
}

impl<'a> Classifier<'a> {
    pub(super) fn new(function: &'a dyn Function, format: Format) -> Self {
        Self {
            function,
            format,
            tangent: Tangent::of(function, PRECISION),
            enclosures: 0,
            most: MOST_ENCLOSURES,
        }
    }

    /// The range in parts about which the same is known, in increasing order.
    pub(super) fn parts(&mut self, range: ArgumentRange) -> Vec<(ArgumentRange, Class)> {
        let mut parts: Vec<(ArgumentRange, Class)> = Vec::new();
        self.enclosures = 0;
        self.split(range, &mut |part, class| match parts.last_mut() {
            // both consecutive and of the range's spacing
            Some((before, known)) if *known == class => {
                *before =
                    ArgumentRange::new(before.first(), before.exponent(), before.count() + part.count());
            }
            _ => parts.push((part, class)),
        });
        self.most = if self.enclosures > self.most { self.most / 2 } else { MOST_ENCLOSURES };
        parts
    }

    fn split(&mut self, range: ArgumentRange, add: &mut dyn FnMut(ArgumentRange, Class)) {
        let last = range.count() - 1;
        // 0 is alone: lines end there, and so do enclosures of logarithms
        if range.first() <= 0 && range.first() + i128::from(last) >= 0 && last > 0 {
            let zero = (-range.first()) as u64; // at most `last`
            for (start, count) in [(0, zero), (zero, 1), (zero + 1, last - zero)] {
                if count > 0 {
                    self.split(range.part(start, count), add);
                }
            }
            return;
        }
        let failed = match self.look(&range) {
            Look::Known(class) if range.count() > 1 || is_of_few(&class) => return add(range, class),
            Look::Known(_) | Look::Unknown => return self.trim(range, add),
            Look::Failed(error) => error,
        };
        // somewhere between there may be a pole at an argument, or the border of the domain
        let is_pierced = matches!(failed, FunctionError::Pole { .. } | FunctionError::OutsideDomain { .. });
        if last > 0 && self.enclosures <= self.most && (is_pierced || self.fails_at_one_end(&range)) {
            let (left, right) = range.halves();
            self.split(left, add);
            return self.split(right, add);
        }
        // more poles than can be isolated, or one that more precision would tell from a value: the
        // search will say
        add(range, if is_pierced { Class::Search } else { Class::refused(&failed) });
    }

    fn fails_at_one_end(&mut self, range: &ArgumentRange) -> bool {
        let ends = [0, range.count() - 1];
        ends.iter().any(|&k| !matches!(self.look(&range.part(k, 1)), Look::Failed(_)))
    }

    /// A range that has an enclosure: what is known at its ends, and a search of the rest.
    fn trim(&mut self, range: ArgumentRange, add: &mut dyn FnMut(ArgumentRange, Class)) {
        let first = self.end(&range, |count, wanted| (0, wanted.min(count)));
        let (start, below) = first.map_or((0, None), |(count, class)| (count, Some(class)));
        let rest = range.part(start, range.count());
        let last = self.end(&rest, |count, wanted| (count - wanted.min(count), wanted.min(count)));
        let (count, above) = last.map_or((0, None), |(count, class)| (count, Some(class)));
        let (searched, after) = (rest.part(0, rest.count() - count), rest.part(rest.count() - count, count));
        for (part, class) in [(range.part(0, start), below), (searched, Some(Class::Search)), (after, above)]
        {
            if let Some(class) = class
                && part.count() > 0
            {
                add(part, class);
            }
        }
    }

    /// How many arguments at an end share what is known of the outermost one, or of an eighth of
    /// the range; `part` says where so many of them begin. Enclosures over fewer arguments are
    /// narrower, so that what is left may begin with more of the same.
    fn end(&mut self, range: &ArgumentRange, part: impl Fn(u64, u64) -> (u64, u64)) -> Option<(u64, Class)> {
        let (mut known, class) = self.some_at_end(range, &part)?;
        while known < range.count() && self.enclosures <= self.most {
            let (start, _) = part(range.count(), known);
            let rest = if start == 0 { range.part(known, range.count()) } else { range.part(0, start) };
            match self.some_at_end(&rest, &part) {
                Some((more, same)) if same == class => known += more,
                _ => break,
            }
        }
        Some((known, class))
    }

    /// As many of them as one enclosure shows.
    fn some_at_end(
        &mut self,
        range: &ArgumentRange,
        part: &impl Fn(u64, u64) -> (u64, u64),
    ) -> Option<(u64, Class)> {
        let count = range.count();
        let mut look = |wanted: u64| {
            let (start, wanted) = part(count, wanted);
            match self.look(&range.part(start, wanted)) {
                Look::Known(class) => Some(class),
                _ => None,
            }
        };
        let alone = (count > 0).then(|| look(1)).flatten().filter(is_of_few);
        let (mut known, class) = match alone {
            Some(class) => (1, class),
            None if count / PART > 1 => (count / PART, look(count / PART)?),
            None => return None,
        };
        // what is known of some arguments is known of fewer: halving finds how many
        let mut unknown = count + 1;
        while unknown - known > 1 {
            let middle = known + (unknown - known) / 2;
            if look(middle).as_ref() == Some(&class) { known = middle } else { unknown = middle }
        }
        Some((known, class))
    }

    fn look(&mut self, range: &ArgumentRange) -> Look {
        self.enclosures += 1;
        if range.count() == 1
            && let Some(class) = self.exactly(range)
        {
            return Look::Known(class);
        }
        match self.enclose(range) {
            Ok(Some(class)) => Look::Known(class),
            Ok(None) => Look::Unknown,
            Err(
                FunctionError::OutsideDomain { everywhere: true, .. }
                | FunctionError::Pole { everywhere: true, .. },
            ) => Look::Known(Class::Undefined),
            Err(error) => Look::Failed(error),
        }
    }

    fn enclose(&self, range: &ArgumentRange) -> Result<Option<Class>, FunctionError> {
        let [first, last] = [0, range.count() - 1].map(|k| float_of(range.argument(k)));
        let whole = Interval::new(first, last)?.round_to(PRECISION)?;
        let values = self.function.range(&whole, PRECISION)?;
        if let Some(gap) = Gap::of(&values, self.format) {
            return Ok(Some(Class::Between(gap)));
        }
        let before = |offset: Offset| offset.before_breakpoints(range, self.format);
        // the series over the hull may fail where the function does not
        let own = || self.tangent.as_ref()?.offset(self.function, range, PRECISION).unwrap_or(None);
        let beside = super::piece::offset(self.function, &whole, range, PRECISION).and_then(before);
        let beside = beside.or_else(|| own().and_then(before));
        let beside = beside.or_else(|| offset(self.function, range, PRECISION).and_then(before));
        Ok(beside.map(Class::Beside))
    }

    /// The class of a single argument whose result is a breakpoint by theory.
    fn exactly(&self, range: &ArgumentRange) -> Option<Class> {
        // only at 0: elsewhere exact results are among the cases of a search
        if range.first() != 0 {
            return None;
        }
        let value = self.function.exact(&Rational::new())?;
        let is_finite = Rational::from(value.abs_ref()) <= super::gap::largest(self.format);
        if Gap::around(&value, self.format).is_some() || !is_finite {
            return None;
        }
        let kind =
            if is_number(&value, self.format) { BreakpointKind::Number } else { BreakpointKind::Midpoint };
        Some(Class::Exact { value, kind })
    }
}

/// Whether a breakpoint is a number.
pub(super) fn is_number(breakpoint: &Rational, format: Format) -> bool {
    let exponent = crate::interval::floor_log2(breakpoint)
        .map_or(format.min_exponent(), |e| e.max(format.min_exponent()));
    (breakpoint / crate::interval::power_of_two(format.ulp_exponent(exponent))).is_integer()
}
