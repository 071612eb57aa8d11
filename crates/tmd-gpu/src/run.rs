//! A batch's way through wgpu: encode, submit, wait, and hand out what it read.

use std::{
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::Duration,
};

use bytemuck::Pod;

use crate::{
    Gpu, GpuError, Read,
    batch::{Batch, Command},
    staging::Direction,
    timing::Stopwatch,
};

/// A batch that has run: what it read, and how long its dispatches took.
#[derive(Debug)]
pub struct Done {
    gpu: Gpu,
    batch: u64,
    /// Mapped, with the bytes read; `None` once taken.
    reads: Vec<Option<(wgpu::Buffer, u64)>>,
    times: Vec<(String, Duration)>,
}

/// Staging buffers of a batch under way, in the state that the encoder needs.
#[derive(Debug, Default)]
struct InFlight {
    uploads: Vec<wgpu::Buffer>,
    reads: Vec<(wgpu::Buffer, u64)>,
    stopwatch: Option<Stopwatch>,
}

impl Batch {
    /// Submits the batch, waits for it, at most for the time limit, and gives what it read.
    ///
    /// # Errors
    /// The first mistake made in recording; else what the GPU says. After an error nothing is known
    /// of what the batch wrote; buffers that it did not touch are unharmed unless the device was
    /// lost.
    pub fn run(mut self) -> Result<Done, GpuError> {
        if let Some(fault) = self.fault.take() {
            self.gpu.check()?;
            return Err(fault);
        }
        let (commands, gpu) = (self.commands, self.gpu);
        let (flight, commands) = encode(&gpu, commands)?;
        let queue = gpu.queue()?;
        let under_way = gpu.inner.occupancy.enter();
        let (submission, mapped) = gpu.scoped(|_| {
            let submission = queue.submit([commands]);
            (submission, flight.map())
        })?;
        gpu.wait(submission)?;
        received(&gpu, &mapped, flight.mappings())?;
        drop(under_way);
        for buffer in flight.uploads {
            gpu.inner.staging.give_back(Direction::Upload, buffer);
        }
        let times = flight.stopwatch.map_or(Ok(Vec::new()), |stopwatch| stopwatch.times(&gpu))?;
        let reads = flight.reads.into_iter().map(Some).collect();
        Ok(Done { gpu, batch: self.id, reads, times })
    }
}

impl Done {
    /// What the batch read there. The words of an empty range are no words.
    ///
    /// # Errors
    /// [`GpuError::Validation`] for a read of another batch; [`GpuError::DeviceLost`].
    #[expect(clippy::needless_pass_by_value, reason = "what is taken cannot be taken again")]
    pub fn take(&mut self, read: Read) -> Result<Vec<u32>, GpuError> {
        if read.batch != self.batch {
            return Err(GpuError::Validation { message: "this is a read of another batch".into() });
        }
        let Some((buffer, bytes)) = read.slot.and_then(|slot| self.reads.get_mut(slot)?.take()) else {
            return Ok(Vec::new());
        };
        let data = copied(&self.gpu, &buffer, bytes)?;
        release(&self.gpu, buffer);
        Ok(data)
    }

    /// How long each dispatch took on the GPU, by its label, in the order of the batch; empty where
    /// the adapter has no timestamps.
    pub fn times(&self) -> &[(String, Duration)] {
        &self.times
    }
}

impl Drop for Done {
    fn drop(&mut self) {
        for (buffer, _) in self.reads.drain(..).flatten() {
            release(&self.gpu, buffer);
        }
    }
}

/// The first bytes of a mapped buffer.
pub(crate) fn copied<T: Pod>(gpu: &Gpu, buffer: &wgpu::Buffer, bytes: u64) -> Result<Vec<T>, GpuError> {
    let view = gpu.scoped(|_| buffer.slice(..bytes).get_mapped_range())?;
    let view = view.map_err(|error| GpuError::Internal { message: error.to_string() })?;
    let mut data = vec![T::zeroed(); bytes as usize / size_of::<T>()];
    bytemuck::cast_slice_mut::<T, u8>(&mut data).copy_from_slice(&view);
    Ok(data)
}

/// Back to the pool, unmapped; buffers of a lost device just go.
pub(crate) fn release(gpu: &Gpu, buffer: wgpu::Buffer) {
    if gpu.scoped(|_| buffer.unmap()).is_ok() {
        gpu.inner.staging.give_back(Direction::Readback, buffer);
    }
}

fn encode(gpu: &Gpu, commands: Vec<Command>) -> Result<(InFlight, wgpu::CommandBuffer), GpuError> {
    let dispatches = commands.iter().filter(|command| matches!(command, Command::Dispatch { .. })).count();
    let mut flight = InFlight { stopwatch: Stopwatch::new(gpu, dispatches)?, ..InFlight::default() };
    let encoded = gpu.scoped(|device| {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for command in commands {
            match command {
                Command::Write { staging, target, offset, bytes } => {
                    staging.unmap();
                    encoder.copy_buffer_to_buffer(&staging, 0, &target, offset, bytes);
                    flight.uploads.push(staging);
                }
                Command::Zero { target } => encoder.clear_buffer(&target, 0, None),
                Command::Read { staging, source, offset, bytes } => {
                    encoder.copy_buffer_to_buffer(&source, offset, &staging, 0, bytes);
                    flight.reads.push((staging, bytes));
                }
                Command::Dispatch { label, pipeline, buffers, groups } => {
                    let entries: Vec<_> = std::iter::zip(pipeline.bindings(), &buffers)
                        .map(|(&binding, buffer)| wgpu::BindGroupEntry {
                            binding,
                            resource: buffer.as_entire_binding(),
                        })
                        .collect();
                    let group = pipeline.compiled.layout.as_ref().map(|layout| {
                        let label = Some(label.as_str());
                        device.create_bind_group(&wgpu::BindGroupDescriptor {
                            label,
                            layout,
                            entries: &entries,
                        })
                    });
                    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                        label: Some(&label),
                        timestamp_writes: flight.stopwatch.as_mut().and_then(|watch| watch.next(&label)),
                    });
                    pass.set_pipeline(&pipeline.compiled.raw);
                    pass.set_bind_group(0, group.as_ref(), &[]);
                    pass.dispatch_workgroups(groups.0, groups.1, 1);
                }
            }
        }
        if let Some(stopwatch) = &flight.stopwatch {
            stopwatch.resolve(&mut encoder);
        }
        encoder.finish()
    })?;
    Ok((flight, encoded))
}

impl InFlight {
    /// How many messages `map` will cause.
    fn mappings(&self) -> usize {
        self.uploads.len() + self.reads.len() + usize::from(self.stopwatch.is_some())
    }

    /// Asks for all staging buffers to be mapped when the GPU is done with them.
    fn map(&self) -> Receiver<Result<(), wgpu::BufferAsyncError>> {
        let (sender, receiver) = channel();
        let ask = |buffer: &wgpu::Buffer, mode| {
            let sender = sender.clone();
            // nobody listens any more if the batch gave up
            buffer.slice(..).map_async(mode, move |result| drop(sender.send(result)));
        };
        for buffer in &self.uploads {
            ask(buffer, wgpu::MapMode::Write);
        }
        for (buffer, _) in &self.reads {
            ask(buffer, wgpu::MapMode::Read);
        }
        if let Some(stopwatch) = &self.stopwatch {
            ask(stopwatch.staging(), wgpu::MapMode::Read);
        }
        receiver
    }
}

/// The work is done; the messages may still be under way from another thread that polled for us.
fn received(
    gpu: &Gpu,
    mapped: &Receiver<Result<(), wgpu::BufferAsyncError>>,
    count: usize,
) -> Result<(), GpuError> {
    for _ in 0..count {
        match mapped.recv_timeout(gpu.time_limit()) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                gpu.check()?;
                return Err(GpuError::Internal { message: error.to_string() });
            }
            Err(RecvTimeoutError::Timeout) => return Err(gpu.timed_out()),
            Err(RecvTimeoutError::Disconnected) => {
                gpu.check()?;
                return Err(GpuError::Internal { message: "a mapping was dropped".into() });
            }
        }
    }
    Ok(())
}
