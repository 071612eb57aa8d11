//! [`Workforce`]: who searches, and who stands in for a machine that fails.

use std::{num::NonZero, thread::available_parallelism};

use tmd_core::{Backend, Families};

/// Threads per device unless said otherwise: while the device works on one thread's part, the other one confirms the
/// candidates of its last part, makes the Taylor polynomial of the next piece and hands the next part over.
pub const STREAMS: usize = 2;

/// Who searches: threads of the CPU, devices, or both from one queue.
#[derive(Clone)]
pub struct Workforce<'a> {
    cpu: Option<Cpu<'a>>,
    devices: Vec<&'a dyn Backend>,
    streams: usize,
}

/// The CPU's part in it.
#[derive(Clone, Copy)]
struct Cpu<'a> {
    backend: &'a dyn Backend,
    threads: usize,
    duty: Duty,
}

/// What the CPU's threads do beside devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// They search as the devices do. A device that fails ends the search.
    Search,
    /// They prepare pieces, and search only what a device failed at; all the rest too once no device is left.
    StandIn,
    /// They search as the devices do, and what a device failed at.
    Both,
}

/// Threads that share a backend.
#[derive(Clone, Copy)]
pub(crate) struct Crew<'a> {
    pub(crate) backend: &'a dyn Backend,
    pub(crate) threads: usize,
    pub(crate) role: Role,
}

/// What a crew is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// its threads wait for a device
    Device,
    /// each has a core
    Cpu(Duty),
}

impl Role {
    pub(crate) fn is_device(self) -> bool {
        self == Self::Device
    }

    /// Whether it takes rests of pieces, beside devices or where there is none.
    pub(crate) fn searches(self, has_device: bool) -> bool {
        self != Self::Cpu(Duty::StandIn) || !has_device
    }

    /// Whether it takes what a device failed at.
    pub(crate) fn stands_in(self) -> bool {
        matches!(self, Self::Cpu(Duty::StandIn | Duty::Both))
    }
}

impl<'a> Workforce<'a> {
    /// Threads of the CPU, 0 for one per core.
    pub const fn cpu(backend: &'a dyn Backend, threads: usize) -> Self {
        let cpu = Some(Cpu { backend, threads, duty: Duty::Search });
        Self { cpu, devices: Vec::new(), streams: STREAMS }
    }

    /// Devices side by side. Without [`with_cpu`](Self::with_cpu) the first failure ends the search.
    pub const fn devices(devices: Vec<&'a dyn Backend>) -> Self {
        Self { cpu: None, devices, streams: STREAMS }
    }

    /// The same with threads of the CPU (0 for one per core) at this duty.
    #[must_use]
    pub fn with_cpu(self, backend: &'a dyn Backend, threads: usize, duty: Duty) -> Self {
        Self { cpu: Some(Cpu { backend, threads, duty }), ..self }
    }

    /// The same with this many threads per device, at least one.
    #[must_use]
    pub fn with_streams(self, streams: usize) -> Self {
        Self { streams: streams.max(1), ..self }
    }

    /// Names of those who search, for reports.
    pub fn name(&self) -> String {
        let names: Vec<String> = self.searching().map(|crew| crew.backend.name()).collect();
        names.join(" + ")
    }

    /// The CPU's backend and threads, if nobody else searches.
    pub(crate) fn only_cpu(&self) -> Option<(&'a dyn Backend, usize)> {
        match (&self.devices[..], self.crews().as_slice()) {
            ([], [crew]) => Some((crew.backend, crew.threads)),
            _ => None,
        }
    }

    /// The walk in three dimensions, with threads: a device's, which hands over to the CPU what it does not do, or the CPU's.
    pub(crate) fn families(&self) -> Option<(Families, usize)> {
        let crews = self.crews();
        let threads =
            crews.iter().filter(|crew| !crew.role.is_device()).map(|crew| crew.threads).sum::<usize>();
        let device = crews.iter().filter(|crew| crew.role.is_device());
        let cpu = crews.iter().filter(|crew| !crew.role.is_device());
        device.chain(cpu).find_map(|crew| Some((crew.backend.families()?, threads.max(1))))
    }

    /// Threads of the CPU.
    pub(crate) fn threads(&self) -> usize {
        self.crews().iter().filter(|crew| !crew.role.is_device()).map(|crew| crew.threads).sum()
    }

    /// Those who search from the start: devices first.
    pub(crate) fn searching(&self) -> impl Iterator<Item = Crew<'a>> {
        let has_device = !self.devices.is_empty();
        self.crews().into_iter().filter(move |crew| crew.role.searches(has_device))
    }

    /// One crew per device, then the CPU's.
    pub(crate) fn crews(&self) -> Vec<Crew<'a>> {
        let device = |&backend| Crew { backend, threads: self.streams, role: Role::Device };
        let mut crews: Vec<Crew<'a>> = self.devices.iter().map(device).collect();
        if let Some(Cpu { backend, threads, duty }) = self.cpu {
            let threads =
                if threads == 0 { available_parallelism().map_or(1, NonZero::get) } else { threads };
            crews.push(Crew { backend, threads, role: Role::Cpu(duty) });
        }
        crews
    }
}
