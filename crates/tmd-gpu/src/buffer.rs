//! Typed memory on the GPU.

use std::{any::type_name, fmt, marker::PhantomData, ops::Range};

use bytemuck::Pod;

use crate::{Gpu, GpuError};

/// Elements of `T` in the GPU's memory: for shaders (storage, uniform, arguments of an indirect
/// dispatch) and for copies both ways. A new one is zero. Cheap to clone: the same memory.
pub struct Buffer<T> {
    pub(crate) erased: ErasedBuffer,
    len: u64,
    element: PhantomData<fn() -> T>,
}

/// A buffer whatever its elements.
#[derive(Clone, Debug)]
pub struct ErasedBuffer {
    pub(crate) raw: wgpu::Buffer,
    pub(crate) gpu: u64,
    pub(crate) label: String,
}

/// What a dispatch can bind: buffers of any element.
pub trait Bind: sealed::Sealed {
    /// The buffer, whatever its elements.
    fn erased(&self) -> &ErasedBuffer;
}

mod sealed {
    pub trait Sealed {}
    impl<T> Sealed for super::Buffer<T> {}
}

impl<T> Bind for Buffer<T> {
    fn erased(&self) -> &ErasedBuffer {
        &self.erased
    }
}

impl<T> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        Self { erased: self.erased.clone(), len: self.len, element: PhantomData }
    }
}

impl<T> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({}: {} × {})", self.erased.label, self.len, type_name::<T>())
    }
}

impl<T: Pod> Buffer<T> {
    /// How many elements; never none.
    #[expect(clippy::len_without_is_empty, reason = "there are no empty ones")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// What it was called when made.
    pub fn label(&self) -> &str {
        &self.erased.label
    }

    /// The first byte and the number of bytes of a range of elements.
    pub(crate) fn bytes_of(&self, range: &Range<u64>) -> Result<(u64, u64), GpuError> {
        if range.start > range.end || range.end > self.len {
            return Err(GpuError::OutOfRange {
                label: self.erased.label.clone(),
                start: range.start,
                end: range.end,
                len: self.len,
            });
        }
        // no overflow: the whole buffer has its size in u64
        let size = size_of::<T>() as u64;
        Ok((range.start * size, (range.end - range.start) * size))
    }
}

impl Gpu {
    /// A new buffer of `len` elements, all zero bytes.
    ///
    /// `T` must be a multiple of 4 bytes, as copies and WGSL's types are; anything else does not
    /// compile.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] beyond the adapter's limits; [`GpuError::Validation`] if `len` is 0;
    /// [`GpuError::OutOfMemory`].
    pub fn buffer<T: Pod>(&self, label: &str, len: u64) -> Result<Buffer<T>, GpuError> {
        self.create(label, len, None)
    }

    /// A new buffer that holds `data`.
    ///
    /// # Errors
    /// As [`Gpu::buffer`].
    pub fn upload<T: Pod>(&self, label: &str, data: &[T]) -> Result<Buffer<T>, GpuError> {
        self.create(label, data.len() as u64, Some(data))
    }

    fn create<T: Pod>(&self, label: &str, len: u64, data: Option<&[T]>) -> Result<Buffer<T>, GpuError> {
        const {
            assert!(size_of::<T>() > 0 && size_of::<T>().is_multiple_of(4), "elements of 4, 8, 12, … bytes");
        }
        if len == 0 {
            return Err(GpuError::Validation { message: format!("{label}: a buffer without elements") });
        }
        let limits = &self.summary().limits;
        let allowed = limits.storage_binding_bytes.min(limits.buffer_bytes);
        let size = len.saturating_mul(size_of::<T>() as u64);
        if size > allowed {
            return Err(GpuError::TooLarge { what: label.into(), asked: size, allowed, unit: "bytes" });
        }
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::INDIRECT
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
        let erased = ErasedBuffer { raw, gpu: self.inner.id, label: label.into() };
        Ok(Buffer { erased, len, element: PhantomData })
    }
}
