//! One piece's way over the GPU: outer tables up, the phases, hits down. The lists between the phases never leave the GPU.

use std::time::{Duration, Instant};

use tmd_core::{Piece, scalar::MAX_CANDIDATES};

use super::{
    super::{Packets, times::KernelTimes},
    Deployment, Pipelines,
    layout::PhasesLayout,
};
use crate::{
    Buffer, Gpu, GpuError,
    cpu::{FailingDomain, FailingPart, Hit, generate::GenerateConstants, progress::Progress},
};

/// Invocations that share a list, at most.
const SHARERS: u64 = 1 << 16;

/// Most hits of a piece: of more than so many that a piece may have as candidates some are none.
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

    /// Whether an adapter with bindings of so many bytes has it, and the host can look at what may come.
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
    generate: Buffer<u32>,
    parameters: Buffer<u32>,
    outer: Buffer<u32>,
    tables: Buffer<u32>,
    progress: Buffer<u32>,
    domains: Buffer<u32>,
    flags: Buffer<u32>,
    parts: Buffer<u32>,
    hits: Buffer<u32>,
    offsets: Buffer<u32>,
    totals: Buffer<u32>,
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

    /// Whether they are what this layout asks for. The flags' last word must be the word behind those of this piece.
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

/// A piece to be searched.
pub(super) struct Job<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) pipelines: &'a Pipelines,
    pub(super) layout: &'a PhasesLayout,
    pub(super) piece: &'a Piece,
    pub(super) deployment: Deployment,
    /// list failing domains by flags and prefix sums
    pub(super) flags: bool,
}

/// How a job ended.
pub(super) enum Ran {
    /// A kernel's loop was cut off: nothing of it may be used.
    Unfinished,
    /// A list had too little room: once more with this.
    Crowded(Room),
    Complete(Found),
}

/// What a job found.
pub(super) struct Found {
    pub(super) hits: Vec<Hit>,
    /// 0 in one kernel, which lists none
    pub(super) failing_domains: u64,
    pub(super) failing_parts: u64,
    /// time on the host for the outer tables
    pub(super) preparing: Duration,
    pub(super) kernels: KernelTimes,
}

impl Job<'_> {
    pub(super) fn run(&self, buffers: &PhasesBuffers) -> Result<Ran, GpuError> {
        let PhasesLayout { packets, parameters, workgroup, .. } = self.layout;
        let started = Instant::now();
        let outer = packets.outer(self.piece);
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
        let kernels = self.pipelines;
        let packet_groups = groups(packets.generate.invocations().into());
        batch.dispatch("generate", &kernels.generate, &[generate, o, tables, progress], packet_groups);
        match self.deployment {
            Deployment::OneKernel => {
                batch.dispatch("one_kernel", &kernels.one_kernel, &[p, tables, hits], all);
            }
            Deployment::ThreeKernels => {
                if self.flags {
                    let PhasesBuffers { flags, offsets, totals, .. } = buffers;
                    let words = flags.len() - 1;
                    batch.write(flags, words, &[0]);
                    batch.dispatch("test_domains_flagged", &kernels.test_flagged, &[p, tables, flags], all);
                    let [blocks, sums, scatter] = &kernels.prefix_sums;
                    batch.dispatch("prefix_sum_blocks", blocks, &[p, flags, offsets, totals], groups(words));
                    batch.dispatch("prefix_sum_totals", sums, &[p, domains, flags, totals], 1);
                    let bound: [&dyn crate::Bind; 5] = [p, domains, flags, offsets, totals];
                    batch.dispatch("prefix_sum_scatter", scatter, &bound, groups(words));
                } else {
                    batch.dispatch("test_domains", &kernels.test, &[p, tables, domains], all);
                }
                let share = |items: u64| groups((8 * items).min(SHARERS));
                let refiners = share(buffers.room.domains);
                batch.dispatch("refine", &kernels.refine, &[p, tables, domains, parts], refiners);
                batch.dispatch("exhaust", &kernels.exhaust, &[p, tables, parts, hits], groups(SHARERS));
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
