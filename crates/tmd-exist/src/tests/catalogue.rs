//! The catalogue, the constructors and the probes.

use crate::*;
use std::collections::HashSet;

#[test]
fn names_are_unique_and_lead_back() {
    let names: HashSet<_> = AnyTest::all().iter().map(ExistenceTest::name).collect();
    assert_eq!(names.len(), AnyTest::COUNT);
    for test in AnyTest::all_with(Logms::PAPERS) {
        assert_eq!(AnyTest::from_name(test.name(), Logms::PAPERS), Ok(test));
    }
    assert_eq!("regular-folded".parse::<AnyTest>(), Err(ExistError::UnknownTest("regular-folded".into())));
}

#[test]
fn segments_are_checked() {
    assert_eq!(Segment::new(1, 2, 0), Err(ExistError::NoArguments));
    let too_many = Segment::MAX_ARGUMENTS + 1;
    assert_eq!(Segment::new(1, 2, too_many), Err(ExistError::TooManyArguments(too_many)));
    let segment = Segment::new(3, 1, Segment::MAX_ARGUMENTS).unwrap();
    assert_eq!((segment.a(), segment.b(), segment.n()), (3, 1, 1 << 32));
    assert_eq!(segment.distance(0), Some(1));
    assert_eq!(segment.distance(2), Some(u64::MAX - 4));
    assert_eq!(segment.distance(1 << 32), None);
}

/// The division strategy reaches the quotients of every test that has one.
#[test]
fn the_division_strategy_is_used() {
    let counts = |test: AnyTest| {
        let mut probe = CountingProbe::default();
        for b in 1..200 {
            let segment = Segment::new(0x9e37_79b9_7f4a_7c15, b << 56, 1000).unwrap();
            let _ = test.test(segment, 0, &mut probe);
        }
        (probe.divisions > 0, probe.subtractions > 0)
    };
    let tests = AnyTest::all_with(Logms::INSTRUCTION).into_iter().zip(AnyTest::all_with(Logms::SUBTRACTION));
    for (by_instruction, by_subtraction) in tests {
        if !matches!(by_instruction, AnyTest::LefevreSubtractive(_) | AnyTest::Exact(_)) {
            assert_eq!(counts(by_instruction), (true, false), "{}", by_instruction.name());
            assert_eq!(counts(by_subtraction), (false, true), "{}", by_subtraction.name());
        }
    }
}
