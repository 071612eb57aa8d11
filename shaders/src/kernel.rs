//! The kernels, and what each is composed of.

/// Where 64-bit integers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integers {
    /// Pairs of 32-bit words: no demands on the adapter.
    Emulated,
    /// The adapter's own (wgpu's `SHADER_INT64`).
    Native,
}

impl Integers {
    /// Both variants.
    pub const ALL: [Self; 2] = [Self::Emulated, Self::Native];
}

/// Both sources of one kernel.
struct Composed {
    emulated: &'static str,
    native: &'static str,
}

/// The given files behind either variant of the integers.
macro_rules! composed {
    ($($file:literal),+ $(,)?) => {
        Composed {
            emulated: concat!(
                include_str!("integer/emulated.wgsl"),
                include_str!("integer/shared.wgsl"),
                include_str!("invocation.wgsl"),
                $(include_str!($file)),+
            ),
            native: concat!(
                include_str!("integer/native.wgsl"),
                include_str!("integer/shared.wgsl"),
                include_str!("invocation.wgsl"),
                $(include_str!($file)),+
            ),
        }
    };
}

/// A compute shader: its entry point and its source. Sizes and options are pipeline constants (`override`), named in the
/// kernel's file; all have `WORKGROUP`, the invocations of a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// One operation on 64-bit integers for every pair of a buffer, for tests.
    IntegerCheck,
    /// The difference tables of all runs of a piece.
    Generate,
    /// The Farey walk, one run of domains per invocation.
    Farey,
}

impl Kernel {
    /// Every kernel.
    pub const ALL: [Self; 3] = [Self::IntegerCheck, Self::Generate, Self::Farey];

    /// The name: that of the entry point and of the kernel's file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IntegerCheck => "integer_check",
            Self::Generate => "generate",
            Self::Farey => "farey",
        }
    }

    /// The whole WGSL source.
    pub const fn source(self, integers: Integers) -> &'static str {
        let composed = self.composed();
        match integers {
            Integers::Emulated => composed.emulated,
            Integers::Native => composed.native,
        }
    }

    const fn composed(self) -> Composed {
        match self {
            Self::IntegerCheck => composed!("integer_check.wgsl"),
            Self::Generate => composed!("progress.wgsl", "generate.wgsl"),
            Self::Farey => composed!("progress.wgsl", "farey.wgsl"),
        }
    }
}
