//! Constants that a kernel shares with its twin and with the host: written here, once. Their WGSL
//! is made of the same tokens when this crate is compiled, and stands before the kernel's file.

/// A module of constants, and a macro for their WGSL.
macro_rules! constants {
    ($(#[$about:meta])* $module:ident, $text:ident: $($(#[$docs:meta])* $name:ident: $type:ident = $value:expr;)+) => {
        $(#[$about])*
        pub mod $module {
            $($(#[$docs])* pub const $name: $type = $value;)+
        }

        macro_rules! $text {
            () => {
                concat!($("const ", stringify!($name), ": ", stringify!($type), " = ", stringify!($value), ";\n"),+)
            };
        }
    };
}

constants! {
    /// Of `walk.wgsl`.
    walk, walk_constants:
    /// Fractions are in units of 2^-60.
    FRACTION_BITS: u32 = 60;
    /// Bits below a unit in the tables' fractions.
    BELOW: u32 = 64 - FRACTION_BITS;
    /// Crossings in one step after which a pair counts as stuck (Theorem G.6).
    PASSES: u32 = 64;
    /// Points 2^14 steps away or more are not looked for on their line (Lemma G.4).
    FAR: u32 = 14;
    /// Counts below this with a far point are looked at exactly.
    FEW: u32 = 1 << FAR;
}

constants! {
    /// Of `lattice3.wgsl`.
    lattice3, lattice3_constants:
    /// Rows whose largest entry is below this (16, in units of 2^-20) are looked at in 32 bits;
    /// others make a hit.
    TAMEST: i32 = (16 << 20) - 2;
    /// A run ends where an entry is so large: 112, in units of 2^-20. The shear makes it nine times
    /// as large, below 2^10.
    LONGEST: i32 = 112 << 20;
    /// Most points of a box.
    MOST_POINTS: u32 = 128;
    /// Most of a range, less one.
    MOST_MORE: i32 = 31;
    /// Products of reaches and edges in τ, in units of 2^-20: 3 …
    WIDEST_TAU: u32 = 3 << 20;
    /// … and in ν: 16.
    WIDEST_NU: u32 = 16 << 20;
    /// Half-width of what is near, in units of 2^-24.
    TOLERANCE: i32 = 8192;
}

constants! {
    /// Of `search/lists.wgsl`.
    lists, list_constants:
    /// In the count of a list: an invocation was cut off.
    UNFINISHED: u32 = 1 << 31;
}
