//! Timestamps at the borders of a batch's dispatches.

use std::time::Duration;

use crate::{
    Gpu, GpuError,
    run::{copied, release},
    staging::Direction,
};

/// Two timestamps each: as many as one query set holds.
const DISPATCHES_PER_SET: usize = wgpu::QUERY_SET_MAX_QUERIES as usize / 2;

/// Bytes of one timestamp.
const STAMP: u64 = size_of::<u64>() as u64;

/// Takes the times of one batch.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    labels: Vec<String>,
    /// Full ones first; each resolved at a multiple of 256 bytes, as wgpu demands, because a full
    /// one's size is one.
    sets: Vec<wgpu::QuerySet>,
    resolved: wgpu::Buffer,
    staging: wgpu::Buffer,
    bytes: u64,
}

impl Stopwatch {
    /// `None` where there is nothing to time, or no timestamps.
    pub(crate) fn new(gpu: &Gpu, dispatches: usize) -> Result<Option<Self>, GpuError> {
        if dispatches == 0 || !gpu.summary().features.timestamps {
            return Ok(None);
        }
        let bytes = 2 * STAMP * dispatches as u64;
        let staging = gpu.inner.staging.take(gpu, Direction::Readback, bytes)?;
        let (sets, resolved) = gpu.scoped(|device| {
            let set = |first: usize| {
                let count = 2 * (dispatches - first).min(DISPATCHES_PER_SET) as u32;
                let ty = wgpu::QueryType::Timestamp;
                device.create_query_set(&wgpu::QuerySetDescriptor { label: Some("times"), ty, count })
            };
            let sets = (0..dispatches).step_by(DISPATCHES_PER_SET).map(set).collect();
            let resolved = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("times"),
                size: bytes,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            });
            (sets, resolved)
        })?;
        Ok(Some(Self { labels: Vec::with_capacity(dispatches), sets, resolved, staging, bytes }))
    }

    /// Where the next dispatch writes its timestamps.
    pub(crate) fn next(&mut self, label: &str) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let number = self.labels.len();
        let query_set = self.sets.get(number / DISPATCHES_PER_SET)?;
        self.labels.push(label.into());
        let first = 2 * (number % DISPATCHES_PER_SET) as u32;
        Some(wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// After the last dispatch.
    pub(crate) fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut offset = 0;
        for set in &self.sets {
            encoder.resolve_query_set(set, 0..set.count(), &self.resolved, offset);
            offset += STAMP * u64::from(set.count());
        }
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.staging, 0, self.bytes);
    }

    /// Where the timestamps go in the end.
    pub(crate) fn staging(&self) -> &wgpu::Buffer {
        &self.staging
    }

    /// The times, once the staging buffer is mapped.
    pub(crate) fn times(self, gpu: &Gpu) -> Result<Vec<(String, Duration)>, GpuError> {
        let stamps: Vec<u64> = copied(gpu, &self.staging, self.bytes)?;
        release(gpu, self.staging);
        let period = f64::from(gpu.queue()?.get_timestamp_period());
        // a clock that ran backwards (some drivers', after a change of frequency) shows as zero
        let time =
            |pair: &[u64]| Duration::from_nanos((pair[1].saturating_sub(pair[0]) as f64 * period) as u64);
        Ok(self.labels.into_iter().zip(stamps.chunks_exact(2).map(time)).collect())
    }
}
