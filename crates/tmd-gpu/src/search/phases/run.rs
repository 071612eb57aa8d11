//! One piece's way over the GPU: outer tables up, the phases, hits down. The lists between the
//! phases never leave the GPU.

use std::time::{Duration, Instant};

use tmd_core::{MAX_CANDIDATES, Piece};
use tmd_shaders::constants::lists::PARTS;

use super::{
    super::{Packets, times::KernelTimes},
    GpuPhases, Kernels, MANY,
    layout::PhasesLayout,
};
use crate::{
    Buffer, Gpu, GpuError,
    cpu::{
        generate::GenerateConstants,
        phases::{FailingDomain, FailingPart, Hit},
        progress::Progress,
    },
};

/// Invocations that share a list, at most.
const SHARERS: u64 = 1 << 16;

/// Most hits of a piece; some of them are no candidates, so more than a piece may have of these.
const MOST_HITS: u64 = 4 * MAX_CANDIDATES as u64;

/// Words of the kernels' parameters.
const PARAMETERS: u64 = 10;

/// Room in the lists, in items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    domains: u64,
    parts: u64,
    hits: u64,
}

impl Room {
    /// Twice what is expected, and something for short pieces.
    pub(super) fn expected(layout: &PhasesLayout) -> Self {
        let domains = (layout.domains() as f64 * layout.failing * 2.0) as u64 + 1024;
        Self { domains: domains.min(layout.domains()), parts: domains, hits: 1 << 14 }
    }

    /// Whether an adapter with bindings of so many bytes has it, and the host can look at what may
    /// come.
    pub(super) fn is_sane(&self, binding: u64) -> bool {
        let words = [1 + 2 * self.domains, 1 + 3 * self.parts, 1 + 3 * self.hits];
        words.iter().all(|words| 4 * words <= binding) && self.hits <= MOST_HITS
    }

    /// Room for what turned out to be wanted.
    fn grown(self, domains: u32, parts: u32, hits: u32) -> Self {
        let grown =
            |room: u64, wanted: u32| if u64::from(wanted) > room { u64::from(wanted) * 5 / 4 } else { room };
        Self {
            domains: grown(self.domains, domains),
            parts: grown(self.parts, parts),
            hits: grown(self.hits, hits),
        }
    }
}

/// The buffers of a search. A list is its count and its items' words.
pub(super) struct PhasesBuffers {
    generate: Buffer,
    parameters: Buffer,
    outer: Buffer,
    tables: Buffer,
    progress: Buffer,
    domains: Buffer,
    flags: Buffer,
    parts: Buffer,
    hits: Buffer,
    offsets: Buffer,
    totals: Buffer,
    room: Room,
}

/// Words of the buffers that depend on the piece.
struct Sizes {
    outer: u64,
    tables: u64,
    flags: u64,
    totals: u64,
}

impl Sizes {
    fn of(layout: &PhasesLayout) -> Self {
        let PhasesLayout { packets: Packets { generate, .. }, parameters, workgroup, .. } = layout;
        let flags = u64::from(parameters.words_of_flags());
        Self {
            outer: generate.outer_words() as u64,
            tables: generate.table_words() as u64,
            flags,
            totals: flags.div_ceil(u64::from(*workgroup)),
        }
    }
}

impl PhasesBuffers {
    pub(super) fn new(gpu: &Gpu, layout: &PhasesLayout, room: &Room) -> Result<Self, GpuError> {
        let sizes = Sizes::of(layout);
        Ok(Self {
            generate: gpu.buffer("generate constants", GenerateConstants::WORDS as u64)?,
            parameters: gpu.buffer("parameters", PARAMETERS)?,
            outer: gpu.buffer("outer tables", sizes.outer)?,
            tables: gpu.buffer("tables", sizes.tables)?,
            progress: gpu.buffer("progress", Progress::WORDS as u64)?,
            domains: gpu.buffer("failing domains", 1 + 2 * room.domains)?,
            flags: gpu.buffer("flags", sizes.flags + 1)?,
            parts: gpu.buffer("failing parts", 1 + 3 * room.parts)?,
            hits: gpu.buffer("hits", 1 + 3 * room.hits)?,
            offsets: gpu.buffer("offsets", sizes.flags)?,
            totals: gpu.buffer("totals", sizes.totals)?,
            room: *room,
        })
    }

    /// Whether they are what this layout asks for. The flags' last word must be the word behind
    /// those of this piece.
    pub(super) fn fit(&self, layout: &PhasesLayout, room: &Room) -> bool {
        let sizes = Sizes::of(layout);
        self.outer.len() >= sizes.outer
            && self.tables.len() >= sizes.tables
            && self.flags.len() == sizes.flags + 1
            && self.totals.len() >= sizes.totals
            && self.room.domains >= room.domains
            && self.room.parts >= room.parts
            && self.room.hits >= room.hits
    }
}

/// How the search of a piece ended.
pub(super) enum Ran {
    /// A kernel's loop was cut off: nothing of it may be used.
    Unfinished,
    /// A list had too little room: once more with this.
    Crowded(Room),
    Complete(Found),
}

/// What it found.
pub(super) struct Found {
    pub(super) hits: Vec<Hit>,
    /// 0 in one kernel, which lists none
    pub(super) failing_domains: u64,
    pub(super) failing_parts: u64,
    /// time on the host for the outer tables
    pub(super) preparing: Duration,
    pub(super) kernels: KernelTimes,
}

impl GpuPhases {
    /// Runs the kernels and reads what they found.
    pub(super) fn dispatch(
        &self,
        piece: &Piece,
        layout: &PhasesLayout,
        kernels: Kernels,
        buffers: &PhasesBuffers,
    ) -> Result<Ran, GpuError> {
        let PhasesLayout { packets, parameters, workgroup, .. } = layout;
        let started = Instant::now();
        let outer = packets.outer(piece);
        let preparing = started.elapsed();
        let started = Instant::now();
        let PhasesBuffers {
            generate, parameters: p, outer: o, tables, progress, domains, parts, hits, ..
        } = buffers;
        let groups = |invocations: u64| invocations.div_ceil(u64::from(*workgroup)) as u32;
        let all = groups(packets.runs().into());

        let mut batch = self.gpu.batch();
        batch.write(generate, 0, &packets.generate.to_words());
        batch.write(p, 0, &parameters.words());
        batch.write(o, 0, &outer);
        batch.fill_zero(progress);
        for list in [domains, parts, hits] {
            batch.write(list, 0, &[0]);
        }
        let pipelines = &self.pipelines;
        let packet_groups = groups(packets.generate.invocations().into());
        batch.dispatch("generate", &pipelines.generate, &[generate, o, tables, progress], packet_groups);
        match kernels {
            Kernels::One => batch.dispatch("one_kernel", &pipelines.one_kernel, &[p, tables, hits], all),
            Kernels::Auto | Kernels::Atomics | Kernels::PrefixSum => {
                if kernels == Kernels::PrefixSum || kernels == Kernels::Auto && layout.failing > MANY {
                    let PhasesBuffers { flags, offsets, totals, .. } = buffers;
                    let words = flags.len() - 1;
                    batch.write(flags, words, &[0]);
                    batch.dispatch("test_domains_flagged", &pipelines.test_flagged, &[p, tables, flags], all);
                    let [blocks, sums, scatter] = &pipelines.prefix_sums;
                    batch.dispatch("prefix_sum_blocks", blocks, &[p, flags, offsets, totals], groups(words));
                    batch.dispatch("prefix_sum_totals", sums, &[p, domains, flags, totals], 1);
                    let bound = [p, domains, flags, offsets, totals];
                    batch.dispatch("prefix_sum_scatter", scatter, &bound, groups(words));
                } else {
                    batch.dispatch("test_domains", &pipelines.test, &[p, tables, domains], all);
                }
                let share = |items: u64| groups((u64::from(PARTS) * items).min(SHARERS));
                let refiners = share(buffers.room.domains);
                batch.dispatch("refine", &pipelines.refine, &[p, tables, domains, parts], refiners);
                batch.dispatch("exhaust", &pipelines.exhaust, &[p, tables, parts, hits], groups(SHARERS));
            }
        }
        let counts = [batch.read(domains, 0..1), batch.read(parts, 0..1)];
        let (progress, hits) = (batch.read(progress, 0..progress.len()), batch.read(hits, 0..hits.len()));
        let mut done = batch.run()?;
        let mut times = KernelTimes::default();
        times.add(&done, started.elapsed());

        let [domains, parts] = counts;
        let domains = FailingDomain::list(&done.take(domains)?);
        let parts = FailingPart::list(&done.take(parts)?);
        let hits = Hit::list(&done.take(hits)?);
        let generated = Progress::of(&done.take(progress)?).generated == packets.generate.invocations();
        if !(generated && domains.is_finished && parts.is_finished && hits.is_finished) {
            return Ok(Ran::Unfinished);
        }
        let room = buffers.room.grown(domains.count, parts.count, hits.count);
        if room != buffers.room {
            return Ok(Ran::Crowded(room));
        }
        Ok(Ran::Complete(Found {
            hits: hits.items,
            failing_domains: domains.count.into(),
            failing_parts: parts.count.into(),
            preparing,
            kernels: times,
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        sync::{Arc, atomic::Ordering},
    };

    use tmd_core::{Scalar, ScalarEngine, exist::Logms};
    use tmd_shaders::ExistenceTest;
    use tmd_testkit::generators::Spec;

    use super::{super::PhasesOptions, *};
    use crate::{
        Integers,
        cpu::phases::{HalfWidths, Parameters},
        search::Shape,
        testing,
    };

    /// `x·(√5 − 1)/2 + x²·2^-bits`.
    fn piece(bits: u32) -> Piece {
        let coefficients = vec![(0, 0), (0x4f1b_bcdc_bfa5_3e0b, 63), (1, bits)];
        Spec { coefficients, arguments: 1 << 22, center: 0, tolerance_bits: 16, slack: 0 }.piece()
    }

    fn phases(domain_size: u64) -> Option<GpuPhases> {
        phases_of(domain_size, 16)
    }

    fn phases_of(domain_size: u64, invocations: u32) -> Option<GpuPhases> {
        let scalar = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
        let options =
            PhasesOptions { domain_size: Some(domain_size), ..PhasesOptions::new(ExistenceTest::Regular) };
        testing::shared(Integers::Auto).map(|gpu| {
            let shape = Shape { invocations, ..Shape::of(gpu.summary()) };
            GpuPhases::new(&gpu, shape, options, Arc::new(scalar)).unwrap()
        })
    }

    fn run(phases: &GpuPhases, layout: &PhasesLayout, piece: &Piece, room: Room, kernels: Kernels) -> Ran {
        let buffers = PhasesBuffers::new(&phases.gpu, layout, &room).unwrap();
        phases.dispatch(piece, layout, kernels, &buffers).unwrap()
    }

    /// A list that is full is not taken for complete, whichever it is, and the room asked for then
    /// will do.
    #[test]
    fn no_list_may_be_full() {
        let Some(phases) = phases(1 << 8) else { return };
        let piece = piece(36);
        // three words of flags for a run
        phases.longest_run.store(80, Ordering::Relaxed);
        let layout = phases.layout(&piece).unwrap();
        assert_eq!(layout.packets.partition.run, 80);
        let mut expected = BTreeSet::new();
        for how in [Kernels::Atomics, Kernels::PrefixSum, Kernels::One] {
            let mut room = Room { domains: 1 << 14, parts: 1 << 14, hits: 1 << 14 };
            let Ran::Complete(all) = run(&phases, &layout, &piece, room, how) else { panic!("{how:?}") };
            if expected.is_empty() {
                expected.extend(all.hits);
                assert!(expected.len() > 50, "{}", expected.len());
            } else {
                assert_eq!(BTreeSet::from_iter(all.hits), expected, "{how:?}");
            }
            let short = [
                Room { domains: 9, ..room },
                Room { parts: 9, ..room },
                Room { hits: 9, ..room },
                Room { domains: 1, parts: 1, hits: 1 },
            ];
            // one kernel lists neither domains nor parts
            for start in short.into_iter().skip(if how == Kernels::One { 2 } else { 0 }) {
                room = start;
                let mut rounds = 0;
                let found = loop {
                    match run(&phases, &layout, &piece, room, how) {
                        Ran::Crowded(wanted) => room = wanted,
                        Ran::Complete(found) => break found,
                        Ran::Unfinished => panic!("{how:?}"),
                    }
                    rounds += 1;
                };
                assert!((1..5).contains(&rounds), "{rounds} for {start:?}");
                assert!(
                    found.hits.len() == expected.len() && found.hits.iter().all(|hit| expected.contains(hit))
                );
            }
        }
    }

    /// Kernels that did less than they were asked for found nothing.
    #[test]
    fn what_was_cut_off_does_not_count() {
        let Some(many) = phases_of(1 << 8, 1 << 12) else { return };
        let room = Room { domains: 1 << 14, parts: 1 << 14, hits: 1 << 14 };
        let how = Kernels::Atomics;
        // half of the workgroups are never started
        let mut fewer = many.layout(&piece(36)).unwrap();
        assert!(fewer.packets.generate.invocations() > fewer.workgroup, "{fewer:?}");
        assert!(matches!(run(&many, &fewer, &piece(36), room, how), Ran::Complete(_)));
        fewer.workgroup *= 2;
        assert!(matches!(run(&many, &fewer, &piece(36), room, how), Ran::Unfinished));

        // and on a device that ends loops, more rounds than it grants
        let Some(phases) = phases(1 << 20) else { return };
        let piece = piece(62);
        let layout = phases.layout(&piece).unwrap();
        let room = Room { domains: 1 << 10, parts: 1 << 10, hits: 1 << 14 };
        assert!(matches!(run(&phases, &layout, &piece, room, how), Ran::Complete(_)));
        let Some(rounds) = phases.gpu.loop_rounds().unwrap().filter(|&rounds| rounds < 1 << 16) else {
            return;
        };
        let mut short = layout;
        (short.packets.generate.packets, short.packets.generate.runs) = (1, rounds + 10);
        assert!(matches!(run(&phases, &short, &piece, room, how), Ran::Unfinished));
        // stretches of 2^16 arguments, for phase 3 alone
        let half_width = 1 << 40;
        let half_widths = HalfWidths { test: half_width, refine: half_width, exhaust: half_width };
        let mut long = layout;
        long.parameters =
            Parameters::new(layout.packets.runs(), layout.packets.partition.run as u32, 20, 16, half_widths)
                .unwrap();
        assert!(matches!(run(&phases, &long, &piece, room, how), Ran::Unfinished));
    }
}
