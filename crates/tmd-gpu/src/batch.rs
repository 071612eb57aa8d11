//! Work recorded first, then run in one go.

use std::ops::Range;

use crate::{Buffer, Gpu, GpuError, Pipeline, device::fresh_id, staging::Direction};

/// Writes, dispatches and reads in the order in which they were recorded; nothing happens before
/// [`Batch::run`].
///
/// Recording does not fail: the first mistake is kept, what follows it is ignored, and `run`
/// returns it.
#[derive(Debug)]
pub struct Batch {
    pub(crate) gpu: Gpu,
    pub(crate) id: u64,
    pub(crate) commands: Vec<Command>,
    /// How many of the commands are reads.
    pub(crate) reads: usize,
    pub(crate) fault: Option<GpuError>,
}

/// Where a batch will put what it reads: give it to [`Done::take`](crate::Done::take).
#[derive(Debug)]
pub struct Read {
    pub(crate) batch: u64,
    /// `None` for an empty range.
    pub(crate) slot: Option<usize>,
}

#[derive(Debug)]
pub(crate) enum Command {
    /// The staging buffer is mapped and filled.
    Write {
        staging: wgpu::Buffer,
        target: wgpu::Buffer,
        offset: u64,
        bytes: u64,
    },
    Zero {
        target: wgpu::Buffer,
    },
    Dispatch {
        label: String,
        pipeline: Pipeline,
        buffers: Vec<wgpu::Buffer>,
        /// workgroups in each dimension of a plane
        groups: (u32, u32),
    },
    Read {
        staging: wgpu::Buffer,
        source: wgpu::Buffer,
        offset: u64,
        bytes: u64,
    },
}

impl Gpu {
    /// A new batch. Any number of threads may record and run batches on one `Gpu`; each batch's
    /// commands run in order.
    pub fn batch(&self) -> Batch {
        Batch { gpu: self.clone(), id: fresh_id(), commands: Vec::new(), reads: 0, fault: None }
    }
}

impl Batch {
    /// Copies `data` to the words of `buffer` from number `offset` on.
    pub fn write(&mut self, buffer: &Buffer, offset: u64, data: &[u32]) {
        self.write_all(buffer, offset, &[data]);
    }

    /// Copies pieces of data, one after the other, to the words of `buffer` from number `offset`
    /// on.
    pub fn write_all(&mut self, buffer: &Buffer, offset: u64, pieces: &[&[u32]]) {
        self.record(|gpu| {
            owned(gpu, buffer)?;
            let words: u64 = pieces.iter().map(|data| data.len() as u64).sum();
            let end = offset.saturating_add(words);
            let (offset, bytes) = buffer.bytes_of(&(offset..end))?;
            if bytes == 0 {
                return Ok(None);
            }
            let staging = gpu.inner.staging.take(gpu, Direction::Upload, bytes)?;
            gpu.scoped(|_| {
                let mut view = staging.slice(..bytes).get_mapped_range_mut()?;
                let mut at = 0;
                for data in pieces {
                    let data: &[u8] = bytemuck::cast_slice(data);
                    view.slice(at..at + data.len()).copy_from_slice(data);
                    at += data.len();
                }
                Ok::<(), wgpu::MapRangeError>(())
            })?
            .map_err(|error| GpuError::Internal { message: error.to_string() })?;
            let target = buffer.raw.clone();
            Ok(Some(Command::Write { staging, target, offset, bytes }))
        });
    }

    /// Sets every byte of the buffer to zero.
    pub fn fill_zero(&mut self, buffer: &Buffer) {
        self.record(|gpu| {
            owned(gpu, buffer)?;
            Ok(Some(Command::Zero { target: buffer.raw.clone() }))
        });
    }

    /// Runs a kernel. The buffers come in the order of [`Pipeline::bindings`]. More workgroups than
    /// one dimension takes are spread over a plane, which may hold a few more: see
    /// [`INVOCATION_INDEX`](tmd_shaders::INVOCATION_INDEX). The label is what
    /// [`Done::times`](crate::Done::times) calls it.
    pub fn dispatch(&mut self, label: &str, pipeline: &Pipeline, buffers: &[&Buffer], workgroups: u32) {
        self.record(|gpu| {
            let buffers = bound(gpu, label, pipeline, buffers)?;
            let groups = spread(label, workgroups, gpu.summary().limits.workgroups_per_dimension)?;
            Ok(Some(Command::Dispatch { label: label.into(), pipeline: pipeline.clone(), buffers, groups }))
        });
    }

    /// Reads a range of words as they are at this point of the batch.
    pub fn read(&mut self, buffer: &Buffer, range: Range<u64>) -> Read {
        let before = self.reads;
        self.record(|gpu| {
            owned(gpu, buffer)?;
            let (offset, bytes) = buffer.bytes_of(&range)?;
            if bytes == 0 {
                return Ok(None);
            }
            let staging = gpu.inner.staging.take(gpu, Direction::Readback, bytes)?;
            let source = buffer.raw.clone();
            Ok(Some(Command::Read { staging, source, offset, bytes }))
        });
        let slot = (self.reads > before).then_some(before);
        Read { batch: self.id, slot }
    }

    fn record(&mut self, command: impl FnOnce(&Gpu) -> Result<Option<Command>, GpuError>) {
        if self.fault.is_some() {
            return;
        }
        match command(&self.gpu) {
            Ok(None) => {}
            Ok(Some(command)) => {
                self.reads += usize::from(matches!(command, Command::Read { .. }));
                self.commands.push(command);
            }
            Err(fault) => self.fault = Some(fault),
        }
    }
}

/// Buffers of another device are not only useless here: wgpu must not see them.
fn owned(gpu: &Gpu, buffer: &Buffer) -> Result<(), GpuError> {
    if buffer.gpu == gpu.inner.id {
        return Ok(());
    }
    Err(GpuError::Validation { message: format!("{} is a buffer of another device", buffer.label) })
}

fn bound(
    gpu: &Gpu,
    label: &str,
    pipeline: &Pipeline,
    buffers: &[&Buffer],
) -> Result<Vec<wgpu::Buffer>, GpuError> {
    if pipeline.compiled.gpu != gpu.inner.id {
        return Err(GpuError::Validation { message: format!("{label}: a pipeline of another device") });
    }
    let bindings = pipeline.bindings();
    if buffers.len() != bindings.len() {
        return Err(GpuError::Validation {
            message: format!(
                "{label}: the kernel uses the bindings {bindings:?}, {} buffers given",
                buffers.len()
            ),
        });
    }
    let one = |buffer: &&Buffer| owned(gpu, buffer).map(|()| buffer.raw.clone());
    buffers.iter().map(one).collect()
}

/// A rectangle of at least so many workgroups with as few left over as can be.
fn spread(label: &str, workgroups: u32, per_dimension: u32) -> Result<(u32, u32), GpuError> {
    let rows = workgroups.div_ceil(per_dimension.max(1));
    if rows > per_dimension {
        let allowed = u64::from(per_dimension).pow(2);
        let asked = u64::from(workgroups);
        return Err(GpuError::TooLarge { what: label.into(), asked, allowed, unit: "workgroups" });
    }
    Ok((workgroups.div_ceil(rows.max(1)), rows.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles() {
        for (workgroups, expected) in [
            (0, (0, 1)),
            (1, (1, 1)),
            (65_535, (65_535, 1)),
            (65_536, (32_768, 2)),
            (65_535 * 2 + 1, (43_691, 3)),
            (65_535 * 65_535, (65_535, 65_535)),
        ] {
            assert_eq!(spread("it", workgroups, 65_535), Ok(expected), "{workgroups}");
        }
        let error = spread("it", u32::MAX, 65_535).unwrap_err();
        assert!(
            matches!(error, GpuError::TooLarge { allowed: 4_294_836_225, unit: "workgroups", .. }),
            "{error}"
        );
    }
}
