//! The existence tests on a device against tmd-exist's: the same verdict after the same number of
//! turns on every segment.

use std::sync::OnceLock;

use tmd_core::exist::{
    CountingProbe, Exact, ExistenceTest as _, LastQuotient, Logms, Reductions, Segment, Verdict,
};
use tmd_shaders::{ExistenceTest, Kernel};
use tmd_testkit::{by_turns, one_in};

use crate::common::{Device, POISON, RandomWords, twin};

/// Segments of one invocation, at most.
const MOST_DOMAINS: u32 = 7;

/// A segment and the width that it is tested with.
#[derive(Clone, Copy, Debug)]
struct TestedSegment {
    segment: Segment,
    width: u64,
}

/// One test with its options, on both sides.
#[derive(Clone, Copy, Debug)]
struct Form {
    test: ExistenceTest,
    reductions: Reductions,
    last: LastQuotient,
}

impl Form {
    /// Half of them, the same for all tests, and the other half next time: each is compiled for
    /// each threshold.
    fn some() -> Vec<Self> {
        static SOME: OnceLock<Vec<Form>> = OnceLock::new();
        SOME.get_or_init(|| one_in(2, Self::all()).collect()).clone()
    }

    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for test in ExistenceTest::ALL {
            let form = Self { test, reductions: Reductions::OneByOne, last: LastQuotient::Whole };
            if matches!(test, ExistenceTest::Regular | ExistenceTest::RegularUnrolled) {
                all.extend([form, Self { last: LastQuotient::Trimmed, ..form }]);
            } else {
                let each = [Reductions::OneByOne, Reductions::Divided, Reductions::DividedBothSides];
                all.extend(each.map(|reductions| Self { reductions, ..form }));
            }
        }
        all
    }

    /// Whether no quotient, however large, is taken turn by turn.
    fn is_fast(self) -> bool {
        matches!(self.test, ExistenceTest::Regular | ExistenceTest::RegularUnrolled)
            || self.reductions == Reductions::DividedBothSides
    }

    fn constants(self, logms: u32) -> Vec<(&'static str, f64)> {
        let own = match self.test {
            ExistenceTest::Regular | ExistenceTest::RegularUnrolled => {
                ("TRIMMED", f64::from(u32::from(self.last == LastQuotient::Trimmed)))
            }
            _ => ("REDUCTIONS", f64::from(self.reductions as u32)),
        };
        vec![own, ("LOGMS", f64::from(logms))]
    }

    /// What tmd-exist says: the verdict and the number of turns. `None` if that takes too many
    /// turns for llvmpipe, which leaves every loop when an invocation has made 65,535 turns, all
    /// its loops together (Mesa's `LP_MAX_TGSI_LOOP_ITERATIONS`).
    fn expected(self, logms: u32, question: TestedSegment) -> Option<(u32, u32)> {
        let TestedSegment { segment, width } = question;
        let mut probe = CountingProbe::default();
        let twin = twin(self.test, self.reductions, self.last, Logms::new(logms).unwrap());
        let verdict = twin.test(segment, width, &mut probe);
        let turns = probe.iterations + 4 * probe.divisions + probe.subtractions;
        let answer = (u32::from(verdict == Verdict::MayHold), probe.iterations as u32);
        (turns <= 65_000 / u64::from(MOST_DOMAINS)).then_some(answer)
    }
}

/// Widths that decide: the least that holds the minimum, and the greatest that does not; and any.
fn question(random: &mut RandomWords, a: u64, b: u64, n: u64) -> TestedSegment {
    let segment = Segment::new(a, b, n).unwrap();
    let minimum = Exact::minimum(segment).distance;
    let width = match random.below(4) {
        0 => minimum,
        1 => minimum.saturating_add(1),
        2 => [0, 1, u64::MAX][random.below(3) as usize],
        _ => random.of_any_length(),
    };
    TestedSegment { segment, width }
}

/// Values where short orbits and huge quotients are.
fn corners() -> Vec<u64> {
    let mut corners =
        vec![0, 1, 2, 3, 5, u64::MAX, u64::MAX - 1, u64::MAX - 2, u64::MAX / 3, u64::MAX / 5 * 2];
    for bit in [8, 31, 32, 33, 48, 62, 63] {
        corners.extend([(1 << bit) - 1, 1 << bit, (1 << bit) + 1, (1u64 << bit).wrapping_neg()]);
    }
    corners
}

/// Corners against corners, for the given numbers of arguments.
fn at_corners(arguments: &[u64]) -> Vec<TestedSegment> {
    let (mut random, corners) = (RandomWords::new(11), corners());
    let mut questions = Vec::new();
    for &a in &corners {
        for &b in &corners {
            questions.extend(arguments.iter().map(|&n| question(&mut random, a, b, n)));
        }
        // b next to a point
        for &n in arguments {
            for offset in [-1, 0, 1] {
                let b = a.wrapping_mul(random.below(n)).wrapping_add_signed(offset);
                questions.push(question(&mut random, a, b, n));
            }
        }
    }
    questions
}

/// Random segments, with N up to the greatest, and slopes near fractions with small denominators.
fn at_random() -> Vec<TestedSegment> {
    let mut random = RandomWords::new(12);
    let mut questions = Vec::new();
    for _ in 0..3000 {
        let (a, b) = (random.next(), random.next());
        let any = (random.of_any_length() >> 32).max(1);
        questions.extend([u64::from(u32::MAX), 1 << 15, any].map(|n| question(&mut random, a, b, n)));
        let (numerator, denominator) = (u128::from(random.below(200)), u128::from(1 + random.below(200)));
        let near = ((numerator << 64) / denominator) as u64;
        let a = near.wrapping_add((random.below(7) << random.below(50)).wrapping_sub(3));
        let n = 1 + random.below(2000);
        questions.push(question(&mut random, a, b, n));
        let at_a_point = a.wrapping_mul(random.below(n));
        questions.push(question(&mut random, a, at_a_point, n));
    }
    questions
}

/// Neighboring domains of 2^15 arguments as in the papers' I₀: exp on [1, 1 + 2^-13), doubles,
/// where a domain's slope is e/2 per argument and grows by e/2·2^-52·2^15 from one to the next.
fn as_in_i0() -> Vec<TestedSegment> {
    let mut random = RandomWords::new(13);
    let (start, step) = (0.359_140_914_229_522_6 * 2f64.powi(64), 1.359 * 2f64.powi(64 - 52 + 15));
    let one = |i: u64| {
        let slope = (start as u64).wrapping_add(i * step as u64);
        question(&mut random, slope.wrapping_neg(), i.wrapping_mul(slope << 15) ^ 0x5555, 1 << 15)
    };
    (0..4096).map(one).collect()
}

/// Seven words for each segment, as `phases/segments.wgsl` wants them.
fn words(questions: &[TestedSegment]) -> Vec<u32> {
    let word = |w: usize, question: &TestedSegment| {
        let TestedSegment { segment, width } = question;
        let entry = [segment.a(), segment.b(), *width, segment.n()][w / 2];
        (entry >> (32 * (w % 2))) as u32
    };
    (0..7).flat_map(|w| questions.iter().map(move |question| word(w, question))).collect()
}

/// Segments of an invocation: by the threshold, so that tests share what is compiled for it, and
/// others next time.
fn several(logms: u32) -> u32 {
    static TURN: OnceLock<usize> = OnceLock::new();
    let turn = *TURN.get_or_init(|| by_turns(0..3).next().unwrap());
    [1, 4, MOST_DOMAINS][(logms.count_ones() as usize + turn) % 3]
}

/// The same, but one where most quotients are taken turn by turn: llvmpipe counts the turns of
/// the slowest of eight invocations, quotient by quotient, and ends loops before the last segment.
fn few(logms: u32) -> u32 {
    if logms < 32 { several(logms) } else { 1 }
}

fn check(
    devices: &[Device],
    all: &[TestedSegment],
    forms: &[Form],
    thresholds: &[u32],
    domains: fn(u32) -> u32,
) {
    let (mut held, mut asked) = (0, 0);
    for form in forms {
        for &logms in thresholds {
            let known = all.iter().filter_map(|&question| Some((question, form.expected(logms, question)?)));
            let (questions, expected): (Vec<_>, Vec<_>) = known.unzip();
            assert!(questions.len() * 10 >= all.len() * 9, "{form:?} {logms}: {} questions", questions.len());
            let places = questions.len() as u64;
            asked += questions.len();
            held += expected.iter().filter(|(verdict, _)| *verdict == 1).count();
            for device in devices {
                let domains = domains(logms);
                let mut constants = form.constants(logms);
                constants.extend([("DOMAINS", f64::from(domains)), ("WORKGROUP", 32.0)]);
                let pipeline = device.pipeline(Kernel::Segments(form.test), &constants);
                let segments = device.upload(&words(&questions));
                let results = device.upload(&vec![POISON; 2 * questions.len()]);
                let groups = (places as u32).div_ceil(domains).div_ceil(32);
                let found = device.run(&pipeline, &[&segments, &results], groups);
                for (i, (question, expected)) in questions.iter().zip(&expected).enumerate() {
                    let found = (found[i], found[questions.len() + i]);
                    assert_eq!(found, *expected, "{form:?} {logms} {:?} {question:?}", device.integers);
                }
            }
        }
    }
    assert!((asked / 20..asked * 19 / 20).contains(&held), "{held} of {asked} questions one way");
}

#[test]
fn at_corners_with_few_arguments() {
    let questions = at_corners(&[1, 2, 3, 16, 1000]);
    check(&Device::both(), &questions, &Form::some(), &[0, 3, 64], few);
}

#[test]
fn at_corners_with_many_arguments() {
    let questions = at_corners(&[1 << 20, (1 << 31) + 1, u64::from(u32::MAX)]);
    let forms: Vec<_> = Form::some().into_iter().filter(|form| form.is_fast()).collect();
    check(&Device::both(), &questions, &forms, &[0, 3], few);
}

#[test]
fn on_random_segments() {
    let thresholds: Vec<u32> = [0, 10, 64].into_iter().chain(by_turns([1, 7, 63])).collect();
    check(&Device::both(), &at_random(), &Form::some(), &thresholds, few);
}

#[test]
fn on_neighbors_as_in_i0() {
    check(&Device::both(), &as_in_i0(), &Form::some(), &[0, 3, 64], few);
}

#[test]
fn at_thresholds_around_words() {
    let form = Form {
        test: ExistenceTest::RegularUnrolled,
        reductions: Reductions::OneByOne,
        last: LastQuotient::Whole,
    };
    check(&Device::both(), &at_corners(&[16, 1000]), &[form], &[1, 2, 7, 31, 32, 33, 62, 63, 64], several);
}
