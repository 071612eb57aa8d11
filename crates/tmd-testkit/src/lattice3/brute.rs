//! Brute force: every point of a family in a segment, one after the other, in exact integers.

use tmd_core::lattice3::{COEFFICIENT_BITS, Counters, Engine, Wide};

use super::{PlantedSegment, Point};

/// Bits after the point of values here: more than those of an engine.
const VALUE_BITS: u32 = COEFFICIENT_BITS + 32;

/// What sums and products here may be off, in units of `2^-VALUE_BITS`: one for each product of a
/// polynomial of degree 9, one for the gain's.
const OFF: i128 = 16;

/// What those of an engine may be, in units of `2^-COEFFICIENT_BITS`: its accuracy is wider by 3
/// (section 4 of docs/proofs/lattice3.md), which stand for its roundings, twice.
const OFF_THERE: i128 = 6;

/// What a search of the segment must and may find, both in increasing order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Points whose values are within the accuracy of an integer.
    pub must: Vec<Point>,
    /// These, and those that may be, as engines round.
    pub may: Vec<Point>,
}

impl PlantedSegment {
    /// What there is to find.
    pub fn brute(&self) -> Expected {
        let Self { model, segment, .. } = self;
        let (start, end) = (segment.start, segment.end());
        let period = Wide::power_of_two(model.log2_period);
        let accuracy = Wide::ceil_scaled(segment.accuracy.get(), VALUE_BITS).expect("an accuracy is small");
        let (must, may) = (accuracy - Wide::from(OFF), accuracy + Wide::from(OFF + (OFF_THERE << 32)));
        let mut expected = Expected::default();
        for (number, span) in self.spans.iter().enumerate() {
            for index in span.first..=span.last {
                let own = Wide::from(if span.is_mirrored { -index } else { index });
                // the first angle that is no less than the segment's first
                let beyond = own * model.alpha - start;
                let mut angle = start + (beyond - ((beyond >> model.log2_period) << model.log2_period));
                while angle <= end {
                    let distance = self.distance(own, angle);
                    if distance <= must {
                        expected.must.push((number, index, angle));
                    }
                    if distance <= may {
                        expected.may.push((number, index, angle));
                    }
                    angle += period;
                }
            }
        }
        expected.must.sort_unstable();
        expected.may.sort_unstable();
        expected
    }

    /// How far the value of a point is from an integer, in units of `2^-VALUE_BITS`.
    fn distance(&self, own: Wide, angle: Wide) -> Wide {
        let Self { model, segment, .. } = self;
        let t = angle - segment.center();
        let mut value = Wide::ZERO;
        for &c in segment.coefficients.iter().rev() {
            value = ((value * t) >> model.angle_bits) + (c << (VALUE_BITS - COEFFICIENT_BITS));
        }
        let (gained, bits) = (segment.gain * own, model.value_bits());
        value +=
            if bits >= VALUE_BITS { gained >> (bits - VALUE_BITS) } else { gained << (VALUE_BITS - bits) };
        value.centered(VALUE_BITS).abs()
    }

    /// What an engine did, if it finds what it must, and no more than it may, in as many windows as
    /// there are.
    ///
    /// # Errors
    /// A sentence about the first point that is lost or too much, or about windows that are; or
    /// about the planted point, if brute force does not find it.
    pub fn check(&self, engine: &dyn Engine) -> Result<Counters, String> {
        let (found, counters) =
            self.candidates(engine).map_err(|error| format!("{}: {error}", engine.name()))?;
        let Expected { must, may } = self.brute();
        if !self.has_planted(&must) {
            return Err(format!("nothing was planted at {}", self.planted));
        }
        if let Some(lost) = must.iter().find(|point| found.binary_search(point).is_err()) {
            return Err(format!("{}: {lost:?} is lost, one of {}", engine.name(), must.len()));
        }
        if let Some(more) = found.iter().find(|point| may.binary_search(point).is_err()) {
            return Err(format!("{}: {more:?} is none", engine.name()));
        }
        if counters.windows != u64::from(self.segment.windows) {
            return Err(format!(
                "{}: {} windows of {}",
                engine.name(),
                counters.windows,
                self.segment.windows
            ));
        }
        Ok(counters)
    }
}

#[cfg(test)]
mod tests {
    use tmd_core::lattice3::{Candidate, Exact, Model, Segment, Span, Unwieldy, Walk, Walker};

    use super::*;
    use crate::lattice3::Small;

    /// An exact walk that loses a candidate, or makes one up.
    struct Wrong {
        is_forgetful: bool,
        at: i128,
    }

    struct WrongWalk(Walker, Wrong);

    impl Engine for Wrong {
        fn name(&self) -> String {
            "wrong".into()
        }
        fn volume(&self, _spans: usize) -> f64 {
            1.0
        }
        fn windows(&self) -> u32 {
            1
        }
        fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk> {
            Box::new(WrongWalk(Walker::new(*model, spans), Self { ..*self }))
        }
    }

    impl Walk for WrongWalk {
        fn search(&mut self, segment: &Segment, found: &mut dyn FnMut(Candidate)) -> Result<(), Unwieldy> {
            let Self(walker, Wrong { is_forgetful, at }) = self;
            walker.search(segment, |mut one| {
                if one.index == *at {
                    if *is_forgetful {
                        return;
                    }
                    found(one);
                    one.index += 1;
                }
                found(one);
            })
        }
        fn counters(&self) -> Counters {
            *self.0.counters()
        }
    }

    /// Brute force sees a point that is lost, and one that is none.
    #[test]
    fn wrong_engines_are_found_out() {
        let question = Small::ORDINARY.question();
        assert!(question.has_planted(&question.brute().must));
        let counters = question.check(&Exact::default()).unwrap();
        assert_eq!(counters.windows, u64::from(question.segment.windows));
        for (is_forgetful, word) in [(true, "is lost"), (false, "is none")] {
            let error = question.check(&Wrong { is_forgetful, at: question.planted }).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }
}
