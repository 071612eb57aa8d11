//! [`Workers`]: who searches, and who is the fallback for a machine that fails.

use std::{num::NonZero, thread::available_parallelism};

use tmd_core::{Backend, Families};

/// Threads per device unless said otherwise: while the device works on one thread's part, the other
/// one confirms the candidates of its last part, makes the Taylor polynomial of the next piece and
/// hands the next part over.
pub const STREAMS: usize = 2;

/// Most threads that feed a device with the runs of a family's unit: each holds some megabytes.
const MOST_FEEDING: usize = 32;

/// Who searches: threads of the CPU, devices, or both from one queue.
#[derive(Clone)]
pub struct Workers<'a> {
    cpu: Option<Cpu<'a>>,
    devices: Vec<&'a dyn Backend>,
    streams: usize,
}

/// The CPU's part in it.
#[derive(Clone, Copy)]
struct Cpu<'a> {
    backend: &'a dyn Backend,
    threads: usize,
    role: CpuRole,
}

/// What the CPU's threads do beside devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuRole {
    /// They search as the devices do. A device that fails ends the search.
    Search,
    /// They prepare pieces, and search only what a device failed at; all the rest too once no
    /// device is left.
    Fallback,
    /// They search as the devices do, and what a device failed at.
    Both,
}

/// Threads that share a backend.
#[derive(Clone, Copy)]
pub(crate) struct Group<'a> {
    pub(crate) backend: &'a dyn Backend,
    pub(crate) threads: usize,
    pub(crate) role: Role,
}

/// What a group is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// its threads wait for a device
    Device,
    /// each has a core
    Cpu(CpuRole),
}

impl Role {
    pub(crate) fn is_device(self) -> bool {
        self == Self::Device
    }

    /// Whether it takes rests of pieces, beside devices or where there is none.
    pub(crate) fn searches(self, has_device: bool) -> bool {
        self != Self::Cpu(CpuRole::Fallback) || !has_device
    }

    /// Whether it takes what a device failed at.
    pub(crate) fn is_fallback(self) -> bool {
        matches!(self, Self::Cpu(CpuRole::Fallback | CpuRole::Both))
    }
}

impl<'a> Workers<'a> {
    /// Threads of the CPU, 0 for one per core.
    pub const fn cpu(backend: &'a dyn Backend, threads: usize) -> Self {
        let cpu = Some(Cpu { backend, threads, role: CpuRole::Search });
        Self { cpu, devices: Vec::new(), streams: STREAMS }
    }

    /// Devices side by side. Without [`with_cpu`](Self::with_cpu) the first failure ends the
    /// search.
    pub const fn devices(devices: Vec<&'a dyn Backend>) -> Self {
        Self { cpu: None, devices, streams: STREAMS }
    }

    /// The same with threads of the CPU (0 for one per core) in this role.
    #[must_use]
    pub fn with_cpu(self, backend: &'a dyn Backend, threads: usize, role: CpuRole) -> Self {
        Self { cpu: Some(Cpu { backend, threads, role }), ..self }
    }

    /// The same with this many threads per device, at least one.
    #[must_use]
    pub fn with_streams(self, streams: usize) -> Self {
        Self { streams: streams.max(1), ..self }
    }

    /// Names of those who search, for reports.
    pub fn name(&self) -> String {
        let names: Vec<String> = self.searching().map(|group| group.backend.name()).collect();
        names.join(" + ")
    }

    /// The CPU's backend and threads, if nobody else searches.
    pub(crate) fn only_cpu(&self) -> Option<(&'a dyn Backend, usize)> {
        match (&self.devices[..], self.groups().as_slice()) {
            ([], [group]) => Some((group.backend, group.threads)),
            _ => None,
        }
    }

    /// The walk in three dimensions, with threads: a device's, which hands over to the CPU what it
    /// does not do, or the CPU's.
    pub(crate) fn families(&self) -> Option<(Families, usize)> {
        let groups = self.groups();
        let threads =
            groups.iter().filter(|group| !group.role.is_device()).map(|group| group.threads).sum::<usize>();
        let device = groups.iter().filter(|group| group.role.is_device());
        let cpu = groups.iter().filter(|group| !group.role.is_device());
        // most of them wait for the device, which takes what many have for it
        let device = device.map(|group| (group, (4 * threads).clamp(1, MOST_FEEDING)));
        let cpu = cpu.map(|group| (group, threads.max(1)));
        device.chain(cpu).find_map(|(group, threads)| Some((group.backend.families()?, threads)))
    }

    /// Whether somebody searches what a device failed at. Threads of the CPU do not fail.
    pub(crate) fn has_fallback(&self) -> bool {
        self.devices.is_empty() || self.groups().iter().any(|group| group.role.is_fallback())
    }

    /// Threads of the CPU.
    pub fn threads(&self) -> usize {
        self.groups().iter().filter(|group| !group.role.is_device()).map(|group| group.threads).sum()
    }

    /// Those who search from the start: devices first.
    pub(crate) fn searching(&self) -> impl Iterator<Item = Group<'a>> {
        let has_device = !self.devices.is_empty();
        self.groups().into_iter().filter(move |group| group.role.searches(has_device))
    }

    /// One group per device, then the CPU's.
    pub(crate) fn groups(&self) -> Vec<Group<'a>> {
        let device = |&backend| Group { backend, threads: self.streams, role: Role::Device };
        let mut groups: Vec<Group<'a>> = self.devices.iter().map(device).collect();
        if let Some(Cpu { backend, threads, role }) = self.cpu {
            let threads =
                if threads == 0 { available_parallelism().map_or(1, NonZero::get) } else { threads };
            groups.push(Group { backend, threads, role: Role::Cpu(role) });
        }
        groups
    }
}
