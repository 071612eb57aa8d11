//! Memory that both sides can reach, kept for the next batch.

use std::sync::Mutex;

use crate::{Gpu, GpuError, device::locked};

/// Smaller ones are not worth a buffer of their own size.
const SMALLEST: u64 = 64 << 10;

/// Bytes kept for later, per direction: what four dispatches of the walk in three dimensions read.
const MOST_KEPT: u64 = 1 << 30;

/// Which way the bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To the GPU; free ones are mapped.
    Upload,
    /// From the GPU; free ones are not mapped.
    Readback,
}

/// Buffers that no batch uses now.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    upload: Mutex<Vec<wgpu::Buffer>>,
    readback: Mutex<Vec<wgpu::Buffer>>,
}

impl Pool {
    fn free(&self, direction: Direction) -> &Mutex<Vec<wgpu::Buffer>> {
        match direction {
            Direction::Upload => &self.upload,
            Direction::Readback => &self.readback,
        }
    }

    /// A buffer of at least so many bytes: the smallest free one, or a new one.
    pub(crate) fn take(&self, gpu: &Gpu, direction: Direction, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        let allowed = gpu.summary().limits.buffer_bytes;
        if bytes > allowed {
            return Err(GpuError::TooLarge { what: "a copy".into(), asked: bytes, allowed, unit: "bytes" });
        }
        {
            let mut free = locked(self.free(direction));
            let fits = (0..free.len()).filter(|&i| free[i].size() >= bytes);
            if let Some(best) = fits.min_by_key(|&i| free[i].size()) {
                return Ok(free.swap_remove(best));
            }
        }
        let size = bytes.max(SMALLEST).checked_next_power_of_two().map_or(bytes, |size| size.min(allowed));
        let usage = match direction {
            Direction::Upload => wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC,
            Direction::Readback => wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        };
        gpu.scoped(|device| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("staging"),
                size,
                usage,
                mapped_at_creation: direction == Direction::Upload,
            })
        })
    }

    /// Keeps a buffer, in its direction's state, unless enough are kept.
    pub(crate) fn give_back(&self, direction: Direction, buffer: wgpu::Buffer) {
        let mut free = locked(self.free(direction));
        let kept: u64 = free.iter().map(wgpu::Buffer::size).sum();
        if kept + buffer.size() <= MOST_KEPT {
            free.push(buffer);
        }
    }
}
