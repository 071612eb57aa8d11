//! Memory on the GPU.

use std::ops::Range;

use crate::{Gpu, GpuError};

/// Bytes of a word.
const WORD_BYTES: u64 = 4;

/// Words of 32 bits in the GPU's memory: for shaders (storage, uniform) and for copies both ways. A
/// new one is zero. Cheap to clone: the same memory.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub(crate) raw: wgpu::Buffer,
    pub(crate) gpu: u64,
    pub(crate) label: String,
    len: u64,
}

impl Buffer {
    /// How many words; never none.
    #[expect(clippy::len_without_is_empty, reason = "there are no empty ones")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The first byte and the number of bytes of a range of words.
    pub(crate) fn bytes_of(&self, range: &Range<u64>) -> Result<(u64, u64), GpuError> {
        if range.start > range.end || range.end > self.len {
            return Err(GpuError::OutOfRange {
                label: self.label.clone(),
                start: range.start,
                end: range.end,
                len: self.len,
            });
        }
        // no overflow: the whole buffer has its size in u64
        Ok((range.start * WORD_BYTES, (range.end - range.start) * WORD_BYTES))
    }
}

impl Gpu {
    /// A new buffer of `len` words, all zero.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] beyond the adapter's limits; [`GpuError::Validation`] if `len` is 0;
    /// [`GpuError::OutOfMemory`].
    pub fn buffer(&self, label: &str, len: u64) -> Result<Buffer, GpuError> {
        self.create(label, len, None)
    }

    /// A new buffer that holds `data`.
    ///
    /// # Errors
    /// As [`Gpu::buffer`].
    pub fn upload(&self, label: &str, data: &[u32]) -> Result<Buffer, GpuError> {
        self.create(label, data.len() as u64, Some(data))
    }

    fn create(&self, label: &str, len: u64, data: Option<&[u32]>) -> Result<Buffer, GpuError> {
        if len == 0 {
            return Err(GpuError::Validation { message: format!("{label}: a buffer without elements") });
        }
        let limits = &self.summary().limits;
        let allowed = limits.storage_binding_bytes.min(limits.buffer_bytes);
        let size = len.saturating_mul(WORD_BYTES);
        if size > allowed {
            return Err(GpuError::TooLarge { what: label.into(), asked: size, allowed, unit: "bytes" });
        }
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let descriptor =
            wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: data.is_some() };
        let raw = self.scoped(|device| device.create_buffer(&descriptor))?;
        if let Some(data) = data {
            self.scoped(|_| {
                raw.slice(..).get_mapped_range_mut()?.copy_from_slice(bytemuck::cast_slice(data));
                raw.unmap();
                Ok::<(), wgpu::MapRangeError>(())
            })?
            .map_err(|error| GpuError::Internal { message: error.to_string() })?;
        }
        Ok(Buffer { raw, gpu: self.inner.id, label: label.into(), len })
    }
}
