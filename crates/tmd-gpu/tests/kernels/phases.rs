//! The phases of a search on a device against their twins, and the twins against every argument's
//! exact value.

use tmd_core::exist::{AnyTest, LastQuotient, Logms, Reductions};
use tmd_gpu::{
    Buffer,
    cpu::phases::{self, FailingDomain, FailingPart, HalfWidths, Hit, List, Parameters, Tables},
};
use tmd_shaders::{ExistenceTest, Kernel};

use crate::common::{self, Device, POISON, RandomWords};

/// The tests on the CPU, with the options of `constants`.
fn twin(kind: ExistenceTest) -> AnyTest {
    common::twin(kind, Reductions::DividedBothSides, LastQuotient::Whole, Logms::INSTRUCTION)
}

/// The words of tables whose runs have these entries.
fn interleaved(runs: &[[u64; Tables::ENTRIES]]) -> Vec<u32> {
    let limb = |entries: &[u64; 7], word: usize| (entries[word / 2] >> (32 * (word % 2))) as u32;
    (0..14).flat_map(|word| runs.iter().map(move |entries| limb(entries, word))).collect()
}

/// A search over tables.
struct Case {
    parameters: Parameters,
    words: Vec<u32>,
}

impl Case {
    /// Runs with these entries, in domains of 2^`log2_n` arguments.
    fn new(
        steps: u32,
        log2_n: u32,
        log2_stretch: u32,
        half_widths: [u64; 3],
        runs: &[[u64; Tables::ENTRIES]],
    ) -> Self {
        let [test, refine, exhaust] = half_widths;
        let half_widths = HalfWidths { test, refine, exhaust };
        let parameters =
            Parameters::new(runs.len() as u32, steps, log2_n, log2_stretch, half_widths).unwrap();
        Self { parameters, words: interleaved(runs) }
    }

    /// Entries without any relation; their domains fail with about the given probability.
    fn any(runs: u32, steps: u32, log2_n: u32, log2_stretch: u32, probability: f64) -> Self {
        let mut random = RandomWords::new(u64::from(runs));
        let words = (0..runs).map(|_| core::array::from_fn(|_| random.next())).collect::<Vec<_>>();
        let half = |log2_n: u32| (probability / 6.0 * 2f64.powi(64 - log2_n as i32)) as u64;
        Self::new(steps, log2_n, log2_stretch, [half(log2_n), half(log2_n - 1), half(log2_n)], &words)
    }

    /// Entries of a few units of 2^-64, where every rounding shows.
    fn small(runs: u32, steps: u32, log2_n: u32, log2_stretch: u32) -> Self {
        let mut random = RandomWords::new(5);
        let mut entry = |size: u64| random.below(2 * size + 1).wrapping_sub(size);
        let words: Vec<_> =
            (0..runs).map(|_| [entry(300), entry(40), entry(3000), 0, entry(4), entry(1), 0]).collect();
        Self::new(steps, log2_n, log2_stretch, [40, 20, 15], &words)
    }

    fn tables(&self) -> Tables<'_> {
        Tables::new(&self.parameters, &self.words).unwrap()
    }

    /// Parameters and tables on a device.
    fn upload(&self, device: &Device) -> [Buffer; 2] {
        [device.upload(&self.parameters.words()), device.upload(&self.words)]
    }

    /// What the three phases of the twin find.
    fn phases(&self, kind: ExistenceTest) -> (Vec<FailingDomain>, Vec<FailingPart>, Vec<Hit>) {
        let (test, parameters, tables) = (twin(kind), &self.parameters, &self.tables());
        let domains = phases::test_domains(&test, parameters, tables);
        let parts = phases::refine(&test, parameters, tables, &domains);
        let hits = sorted(phases::exhaust(parameters, tables, &parts));
        (domains, parts, hits)
    }

    /// A small one, one of a single run and step, one of several workgroups, one with large
    /// domains, two with small entries.
    fn all() -> Vec<(u32, u32, Self)> {
        let mut all: Vec<_> =
            [(70, 33, 6, 2, 0.3), (1, 1, 4, 0, 0.9), (300, 64, 9, 4, 0.1), (90, 100, 15, 7, 0.01)]
                .map(|(runs, steps, log2_n, log2_stretch, probability)| {
                    (runs, steps, Self::any(runs, steps, log2_n, log2_stretch, probability))
                })
                .into();
        all.push((200, 3, Self::small(200, 3, 4, 1)));
        all.push((200, 3, Self::small(200, 3, 6, 2)));
        all
    }
}

/// A list with room for so many words of items, empty and poisoned.
fn empty_list(device: &Device, words: usize) -> Buffer {
    let mut list = vec![POISON; 1 + words];
    list[0] = 0;
    device.upload(&list)
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}

fn whole<T: Ord>(list: List<T>) -> Vec<T> {
    assert!(list.is_complete(), "{} items do not fit", list.count);
    sorted(list.items)
}

const WORKGROUP: u32 = 32;
const WORKGROUP_CONSTANT: (&str, f64) = ("WORKGROUP", WORKGROUP as f64);

/// Lefèvre's tests take large quotients with divisions: llvmpipe cuts long loops off.
fn constants(kind: ExistenceTest) -> Vec<(&'static str, f64)> {
    match kind {
        ExistenceTest::LefevreDivision | ExistenceTest::LefevreSwap => {
            vec![WORKGROUP_CONSTANT, ("REDUCTIONS", 2.0)]
        }
        _ => vec![WORKGROUP_CONSTANT],
    }
}

#[test]
fn the_phases_agree_with_their_twins() {
    let devices = Device::both();
    let (mut domains_failed, mut hits_found) = (0, 0);
    for (runs, steps, case) in Case::all() {
        let (parameters, tables) = (&case.parameters, &case.tables());
        for kind in ExistenceTest::ALL {
            let (domains, parts, hits) = case.phases(kind);
            assert_eq!(hits, sorted(phases::one_kernel(&twin(kind), parameters, tables)));
            assert!(domains.len() < (runs * steps) as usize || steps == 1);
            let constants = constants(kind);
            (domains_failed, hits_found) = (domains_failed + domains.len(), hits_found + hits.len());
            for device in &devices {
                let pipeline = |kernel| device.pipeline(kernel, &constants);
                let (test_domains, refine) =
                    (pipeline(Kernel::TestDomains(kind)), pipeline(Kernel::Refine(kind)));
                let exhaust = device.pipeline(Kernel::Exhaust, &[WORKGROUP_CONSTANT]);
                let one_kernel = pipeline(Kernel::OneKernel(kind));
                let [given, words] = case.upload(device);
                let room = (domains.len().max(parts.len()).max(hits.len()) + 10) * 3;
                let [of_domains, of_parts, of_hits, of_one] = [(); 4].map(|()| empty_list(device, room));
                let groups = runs.div_ceil(WORKGROUP);
                let mut batch = device.gpu.batch();
                batch.dispatch("test", &test_domains, &[&given, &words, &of_domains], groups);
                // any number of invocations will do
                batch.dispatch("refine", &refine, &[&given, &words, &of_domains, &of_parts], 3);
                batch.dispatch("exhaust", &exhaust, &[&given, &words, &of_parts, &of_hits], 2);
                batch.dispatch("one kernel", &one_kernel, &[&given, &words, &of_one], groups);
                let reads =
                    [of_domains, of_parts, of_hits, of_one].map(|list| batch.read(&list, 0..list.len()));
                let mut done = batch.run().unwrap();
                let [found_domains, found_parts, found_hits, found_by_one] =
                    reads.map(|read| done.take(read).unwrap());
                assert_eq!(whole(FailingDomain::list(&found_domains)), domains, "{kind:?}");
                assert_eq!(whole(FailingPart::list(&found_parts)), sorted(parts.clone()), "{kind:?}");
                assert_eq!(whole(Hit::list(&found_hits)), hits, "{kind:?}");
                assert_eq!(whole(Hit::list(&found_by_one)), hits, "{kind:?}");
            }
        }
    }
    assert!(domains_failed > 1000 && hits_found > 300, "{domains_failed} domains, {hits_found} hits");
}

#[test]
fn full_lists_go_on_counting() {
    let (runs, _, case) = Case::all().remove(0);
    let kind = ExistenceTest::Regular;
    let (domains, parts, _) = case.phases(kind);
    for device in Device::both() {
        let pipeline = |kernel| device.pipeline(kernel, &constants(kind));
        let (test, refine) = (pipeline(Kernel::TestDomains(kind)), pipeline(Kernel::Refine(kind)));
        let [given, words] = case.upload(&device);
        let (short, short_parts, long) =
            (empty_list(&device, 2 * 5), empty_list(&device, 3 * 4), empty_list(&device, 2 * domains.len()));
        let mut batch = device.gpu.batch();
        let groups = runs.div_ceil(WORKGROUP);
        batch.dispatch("test", &test, &[&given, &words, &short], groups);
        batch.dispatch("test", &test, &[&given, &words, &long], groups);
        batch.dispatch("refine", &refine, &[&given, &words, &long, &short_parts], 1);
        let lists = [&short, &short_parts].map(|list| batch.read(list, 0..list.len()));
        let mut done = batch.run().unwrap();
        let [of_domains, of_parts] = lists.map(|read| done.take(read).unwrap());
        let list = FailingDomain::list(&of_domains);
        assert_eq!((list.count as usize, list.items.len()), (domains.len(), 5));
        assert!(list.items.iter().all(|item| domains.contains(item)) && !list.is_complete());
        let list = FailingPart::list(&of_parts);
        assert_eq!((list.count as usize, list.items.len()), (parts.len(), 4));
        assert!(list.items.iter().all(|item| parts.contains(item)));
    }
}

/// Slopes next to 0, which Lefèvre's test one by one takes in as many turns as there are arguments:
/// a driver that ends loops early is found out, in every kernel.
#[test]
fn a_driver_that_ends_loops_is_noticed() {
    // R = 1/2 + x·2^-64
    let entries = [1 << 63, 0u64.wrapping_sub(1 << 16), 0, 0, 1, 0, 0];
    let case = Case::new(40, 16, 16, [1; 3], &[entries; 8]);
    let (parameters, kind) = (&case.parameters, ExistenceTest::LefevreDivision);
    let expected = phases::test_domains(&twin(kind), parameters, &case.tables());
    for device in Device::both() {
        let ends_loops = device.gpu.loop_rounds().unwrap().is_some();
        let [given, tables] = case.upload(&device);
        let flags = device.gpu.buffer("flags", u64::from(parameters.words_of_flags()) + 1).unwrap();
        // eight domains of each run, for phase 2, and parts for phase 3
        let listed: Vec<u32> = [64].into_iter().chain((0..64).flat_map(|i| [i % 8, i / 8])).collect();
        let domains = device.upload(&listed);
        let listed = [256].into_iter().chain((0..256).flat_map(|i| [i % 8, 0, i / 8 % 8]));
        let parts = device.upload(&listed.collect::<Vec<u32>>());
        let lists = [(); 4].map(|()| empty_list(&device, 100));
        let pipeline = |kernel| device.pipeline(kernel, &[WORKGROUP_CONSTANT]);
        let flagged = device.entry(Kernel::TestDomains(kind), "test_domains_flagged", &[WORKGROUP_CONSTANT]);
        let mut batch = device.gpu.batch();
        batch.dispatch("test", &pipeline(Kernel::TestDomains(kind)), &[&given, &tables, &lists[0]], 1);
        batch.dispatch("refine", &pipeline(Kernel::Refine(kind)), &[&given, &tables, &domains, &lists[1]], 1);
        batch.dispatch("exhaust", &pipeline(Kernel::Exhaust), &[&given, &tables, &parts, &lists[2]], 1);
        batch.dispatch("one kernel", &pipeline(Kernel::OneKernel(kind)), &[&given, &tables, &lists[3]], 1);
        batch.dispatch("flags", &flagged, &[&given, &tables, &flags], 1);
        let reads = lists.map(|list| batch.read(&list, 0..list.len()));
        let mut done = batch.run().unwrap();
        let counts = reads.map(|read| FailingDomain::list(&done.take(read).unwrap()));
        assert!(counts.iter().all(|list| list.is_finished != ends_loops), "{counts:?}");
        let compacted = FailingDomain::list(&compacted(&device, parameters, &flags, 400, 64));
        assert_eq!(compacted.is_finished, !ends_loops);
        if !ends_loops {
            assert_eq!(sorted(compacted.items), expected);
        }
    }
}

/// The three dispatches of a compaction; the list's words, with room for so many items.
fn compacted(
    device: &Device,
    parameters: &Parameters,
    flags: &Buffer,
    items: usize,
    workgroup: u32,
) -> Vec<u32> {
    let entry = |name| device.entry(Kernel::PrefixSum, name, &[("WORKGROUP", f64::from(workgroup))]);
    let blocks = parameters.words_of_flags().div_ceil(workgroup);
    let given = device.upload(&parameters.words());
    let poisoned = |words| device.upload(&vec![POISON; words]);
    let [offsets, totals] = [flags.len() as usize, blocks as usize].map(poisoned);
    let list = poisoned(1 + 2 * items);
    let mut batch = device.gpu.batch();
    batch.dispatch("blocks", &entry("prefix_sum_blocks"), &[&given, flags, &offsets, &totals], blocks);
    batch.dispatch("totals", &entry("prefix_sum_totals"), &[&given, &list, flags, &totals], 1);
    let scatter = entry("prefix_sum_scatter");
    batch.dispatch("scatter", &scatter, &[&given, &list, flags, &offsets, &totals], blocks);
    let read = batch.read(&list, 0..list.len());
    batch.run().unwrap().take(read).unwrap()
}

/// So many runs and steps whose flags alone matter.
fn of_flags(runs: u32, steps: u32) -> Parameters {
    Parameters::new(runs, steps, 4, 0, HalfWidths { test: 0, refine: 0, exhaust: 0 }).unwrap()
}

/// A compaction of flags, with a word behind them.
fn compact(
    device: &Device,
    parameters: &Parameters,
    flags: &[u32],
    items: usize,
    workgroup: u32,
) -> Vec<u32> {
    compacted(device, parameters, &device.upload(&[flags, &[0]].concat()), items, workgroup)
}

#[test]
fn prefix_sums_compact_any_flags() {
    let mut random = RandomWords::new(3);
    let devices = Device::both();
    for (runs, steps, workgroup) in [(1, 1, 16), (1, 32, 64), (7, 33, 16), (1000, 2048, 64), (333, 700, 256)]
    {
        let parameters = of_flags(runs, steps);
        for density in [0, 1, 2, 3] {
            // none, few, half, all of the bits
            let mut word = || match density {
                0 => 0,
                1 => (random.next() & random.next() & random.next() & random.next()) as u32,
                2 => random.next() as u32,
                _ => u32::MAX,
            };
            let flags: Vec<u32> = (0..parameters.words_of_flags()).map(|_| word()).collect();
            let expected = phases::prefix_sum(&parameters, &flags);
            let bits: u32 = flags.iter().map(|word| word.count_ones()).sum();
            assert_eq!(expected.len(), bits as usize);
            for device in &devices {
                let words = compact(device, &parameters, &flags, expected.len() + 3, workgroup);
                let list = FailingDomain::list(&words);
                assert!(list.is_complete() && list.items == expected, "{runs} {steps} {workgroup} {density}");
                assert_eq!(words[1 + 2 * expected.len()..], [POISON; 6], "nothing behind the last item");
                if expected.len() > 1 {
                    let short = FailingDomain::list(&compact(device, &parameters, &flags, 1, workgroup));
                    assert_eq!((short.count, &short.items[..]), (bits, &expected[..1]));
                }
            }
        }
    }
}

/// More workgroups than a row has, in a rectangle with one too many, which must leave the last
/// totals alone.
#[test]
fn prefix_sums_in_several_rows() {
    let parameters = of_flags(16 * 65_541, 1);
    let flags: Vec<u32> = (0..16 * 65_541).map(|run| u32::from(run % 5 == 0)).collect();
    let expected = phases::prefix_sum(&parameters, &flags);
    for device in Device::both() {
        let list = FailingDomain::list(&compact(&device, &parameters, &flags, expected.len(), 16));
        assert!(list.is_complete() && list.items == expected, "{} listed", list.count);
    }
}

/// More stretches than invocations, and numbers of invocations that are no multiple of them: every
/// hit once.
#[test]
fn any_number_of_invocations_shares_a_list() {
    let case = Case::any(3, 2, 12, 0, 400.0);
    let (parameters, tables) = (&case.parameters, &case.tables());
    let parts: Vec<FailingPart> = (0..3)
        .flat_map(|run| [(run, 0, 7), (run, 1, 2)])
        .map(|(run, step, part)| FailingPart { run, step, part })
        .collect();
    let hits = sorted(phases::exhaust(parameters, tables, &parts));
    assert!(hits.len() > 20, "{}", hits.len());
    let words: Vec<u32> =
        [6].into_iter().chain(parts.iter().flat_map(|part| [part.run, part.step, part.part])).collect();
    for device in Device::both() {
        let ([given, tables], parts) = (case.upload(&device), device.upload(&words));
        let exhaust = device.pipeline(Kernel::Exhaust, &[("WORKGROUP", 64.0)]);
        // an eighth of the 512 stretches, all and some, two parts and some, more than there are
        for groups in [1, 9, 20, 70] {
            let list = empty_list(&device, 3 * hits.len() + 3);
            let found = device.run(&exhaust, &[&given, &tables, &parts, &list], groups);
            assert_eq!(whole(Hit::list(&found)), hits, "{groups} workgroups");
        }
    }
}

/// What a phase takes from an unfinished list is unfinished, whatever it comes to.
#[test]
fn unfinished_lists_stay_unfinished() {
    let case = Case::new(2, 4, 0, [1; 3], &[[1 << 63, 0, 0, 0, 0, 0, 0]; 2]);
    for device in Device::both() {
        let [given, tables] = case.upload(&device);
        for unfinished in [0, 1 << 31] {
            let listed = device.upload(&[unfinished | 1, 0, 0, 0]); // domains or parts
            for kernel in [Kernel::Refine(ExistenceTest::Regular), Kernel::Exhaust] {
                let pipeline = device.pipeline(kernel, &[WORKGROUP_CONSTANT]);
                let found = device.run(&pipeline, &[&given, &tables, &listed, &empty_list(&device, 100)], 1);
                assert_eq!(found[0], unfinished, "nothing is near an integer");
            }
        }
    }
}

/// The scan of the blocks' totals is a loop, too: one round for each block in workgroups of one
/// invocation.
#[test]
fn a_scan_that_is_cut_off_is_noticed() {
    let parameters = of_flags(1 << 17, 1);
    let flags: Vec<u32> = (0..1 << 17).map(|run| u32::from(run % 3 == 0)).collect();
    let expected = phases::prefix_sum(&parameters, &flags);
    for device in Device::both() {
        let is_cut_off = device.gpu.loop_rounds().unwrap().is_some_and(|rounds| rounds < 1 << 17);
        let list = FailingDomain::list(&compact(&device, &parameters, &flags, expected.len(), 1));
        assert_eq!(list.is_finished, !is_cut_off);
        assert!(is_cut_off || list.is_complete() && list.items == expected);
    }
}

#[test]
fn flags_and_prefix_sums_give_the_same_domains() {
    for (runs, _, case) in Case::all() {
        for kind in ExistenceTest::ALL {
            let (parameters, tables) = (&case.parameters, &case.tables());
            let expected = phases::test_domains(&twin(kind), parameters, tables);
            let flags = phases::test_domains_flagged(&twin(kind), parameters, tables);
            assert_eq!(sorted(phases::prefix_sum(parameters, &flags)), expected);
            for device in Device::both() {
                let pipeline =
                    device.entry(Kernel::TestDomains(kind), "test_domains_flagged", &constants(kind));
                let [given, words] = case.upload(&device);
                let flagged = device.upload(&[&vec![POISON; flags.len()][..], &[0]].concat());
                let found = device.run(&pipeline, &[&given, &words, &flagged], runs.div_ceil(WORKGROUP));
                assert_eq!(found.split_last(), Some((&0, &flags[..])), "{kind:?}");
                let list = compacted(&device, parameters, &flagged, expected.len() + 1, 64);
                assert_eq!(whole(FailingDomain::list(&list)), expected, "{kind:?}");
            }
        }
    }
}

/// Parabolas b + a·x + c·x² with c = k/(2N), so that the tables are whole numbers and values are in
/// units of 2^-64/(2N): the search must find every argument within the window, up to its stated
/// rounding, and nothing else.
#[test]
fn nothing_is_lost_and_nothing_is_added() {
    let (runs, steps, log2_n, log2_stretch) = (60, 20, 9, 4);
    let n = 1i64 << log2_n;
    let mut random = RandomWords::new(21);
    let most = 1u64 << 55;
    let coefficients: Vec<(u64, u64, i64)> = (0..runs)
        .map(|_| {
            let curvature = (random.below(2 * most) as i64) - most as i64;
            (random.next(), random.next(), curvature / n)
        })
        .collect();
    let entries = |&(b, a, k): &(u64, u64, i64)| {
        let height_1 = a.wrapping_mul(n as u64).wrapping_add((k * n / 2) as u64).wrapping_neg();
        [b.wrapping_neg(), height_1, (-k * n) as u64, 0, a, k as u64, 0]
    };
    // m²/4 + 1 units over a stretch of 2^4 arguments
    let (epsilon, rounding) = (1u64 << 52, 65);
    let half_widths =
        [epsilon + most / 16 + 2, epsilon + most / 1024 + n as u64 / 16 + 2, epsilon + rounding];
    let entries: Vec<_> = coefficients.iter().map(entries).collect();
    let case = Case::new(steps, log2_n, log2_stretch, half_widths, &entries);

    let (mut certain, mut possible) = (Vec::new(), Vec::new());
    for (run, &(b, a, k)) in (0..runs).zip(&coefficients) {
        for step in 0..steps {
            for argument in 0..n as u32 {
                let x = i128::from(i64::from(step) * n + i64::from(argument) - n / 2);
                let unit = 2 * i128::from(n);
                let value = (i128::from(b) + i128::from(a) * x) * unit + i128::from(k) * x * x;
                let fraction = value.rem_euclid(unit << 64);
                let distance = fraction.min((unit << 64) - fraction);
                let within = |h: u64| distance <= i128::from(h) * unit;
                let hit = Hit { run, step, argument };
                if within(epsilon) {
                    certain.push(hit);
                }
                if within(epsilon + 2 * rounding) {
                    possible.push(hit);
                }
            }
        }
    }
    assert!((100..10_000).contains(&certain.len()), "{}", certain.len());
    for kind in ExistenceTest::ALL {
        let (domains, parts, hits) = case.phases(kind);
        assert!(certain.iter().all(|hit| hits.binary_search(hit).is_ok()), "{kind:?}: a case is lost");
        let is_possible = |hit| possible.binary_search(hit).is_ok();
        assert!(hits.iter().all(is_possible), "{kind:?}: not within the window");
        // the phases do not just let everything through
        assert!(domains.len() * 10 < (runs * steps) as usize * 9, "{kind:?}: {} domains", domains.len());
        assert!(parts.len() * 2 < domains.len() * 8, "{kind:?}: {} parts", parts.len());
    }
}
