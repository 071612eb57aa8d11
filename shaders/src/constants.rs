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
    /// Of the difference tables of runs, and of all kernels that read them.
    tables, table_constants:
    /// Entries of betas in a run's tables: −R and its differences Δ, Δ², Δ³.
    BETAS: u32 = 4;
    /// Entries of slopes, which follow: R' and Δ, Δ² of it.
    SLOPES: u32 = 3;
    /// Entries.
    ENTRIES: u32 = BETAS + SLOPES;
}

constants! {
    /// Of `walk/walk.wgsl`.
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
    /// Points more than so many arguments along their line are outside the domain: 2^14 steps of
    /// 2^14 arguments (Lemma G.4).
    OUTSIDE: u32 = 1 << (2 * FAR);
}

constants! {
    /// Of `lattice3/lattice3.wgsl`; why each is what it is: docs/proofs/lattice3.md, section 7.
    lattice3, lattice3_constants:
    /// Bits after the point of a row's entries; the high words have 32 less.
    ROW_BITS: u32 = 52;
    /// … of rows of 32 bits, phases and coordinates.
    SHORT_BITS: u32 = 26;
    /// … of cross products of these.
    CROSS_BITS: u32 = 28;
    /// … of edges and points.
    POINT_BITS: u32 = 24;
    /// … of reaches and edges where bounds are looked at.
    BOUND_BITS: u32 = 10;
    /// Bits of the rows of which products are taken.
    GRAM_BITS: u32 = 14;
    /// Quotients are below 2 to this.
    QUOTIENT_BITS: u32 = 10;
    /// Entries of a row that is changed stay below this: 2^10, in units of 2^-10.
    ROOM: u32 = 1 << 20;
    /// log2 of what a window shears by.
    SHEAR_BITS: u32 = 3;
    /// What high words of a row are off after the shear: one each, of which ν's counts eight times.
    SHEARED_OFF: u32 = (1 << SHEAR_BITS) + 1;
    /// Runs of a block of the tables, in which each word of theirs is beside that of the next.
    BLOCK: u32 = 32;
    /// Words of a row in the tables, or of its differences, or of a target's phases; rows come
    /// first.
    ROW_WORDS: u32 = 6;
    /// Where in the tables the differences begin, to 64 bits after the point, …
    DIFFERENCES: u32 = 18;
    /// … the next 32 bits of each row's second and third one …
    LOWS: u32 = 36;
    /// … the shear's cubic part.
    CUBIC: u32 = 42;
    /// … the determinant: its mantissa …
    MANTISSA: u32 = 44;
    /// … and its shift.
    SHIFT: u32 = 45;
    /// … the number of windows.
    WINDOWS: u32 = 46;
    /// … what separates a case's point from the parabola …
    MODEL: u32 = 47;
    /// … and what the reaches' product adds to it, a factor and a shift …
    SCALE: u32 = 48;
    /// … of which the factor has so many bits.
    SCALE_BITS: u32 = 8;
    /// … the phases.
    PHASES: u32 = 49;
    /// Bits of a window's number in a hit; the target is above them.
    STEP_BITS: u32 = 16;
    /// Words of a hit's rows and of their phases, …
    HIT_WORDS: u32 = 24;
    /// … which begin here.
    HIT_PHASES: u32 = 18;
    /// A reach of 16 or more (in units of 2^-26) excludes nothing.
    FARTHEST: u32 = 1 << 30;
    /// Ranges are wider by 2^-10 of their length, …
    WIDER_BITS: u32 = 10;
    /// … and by 2^-10 and a unit, in units of 2^-26.
    WIDER: u32 = (1 << 16) + 1;
    /// 1/16, in units of 2^-26: what a reach has more where bounds are looked at.
    SIXTEENTH: u32 = 1 << 22;
    /// Longest edges in τ, in units of 2^-10: 16 …
    LONGEST_TAU: u32 = 16 << 10;
    /// … and in ν: 64.
    LONGEST_NU: u32 = 64 << 10;
    /// The product of two reaches is below this: 128, in units of 2^-10.
    LARGEST_TWO: u32 = 128 << 10;
    /// Rows whose largest entry is below this (16, in units of 2^-20) are looked at in 32 bits;
    /// others make a hit.
    TAMEST: i32 = (16 << 20) - 2;
    /// A run ends where an entry is so large: 112, in units of 2^-20. The shear makes it nine times
    /// as large, below 2^10.
    LONGEST: i32 = 112 << 20;
    /// Most points of a box.
    MOST_POINTS: u32 = 128;
    /// Largest number of integers in a range, minus one.
    MOST_MORE: i32 = 31;
    /// Products of reaches and edges in τ, in units of 2^-20: 8 …
    WIDEST_TAU: u32 = 8 << 20;
    /// … and in ν: 32.
    WIDEST_NU: u32 = 32 << 20;
    /// Points within 2^-TOLERANCE_BITS of the parabola count as near, at most …
    TOLERANCE_BITS: u32 = 11;
    /// … which is so many units of 2^-24: …
    TOLERANCE: i32 = 1 << (POINT_BITS - TOLERANCE_BITS);
    /// … where it is less, the model's units, so many for each reach times an edge in τ …
    TAU_UNITS: u32 = 90;
    /// … and in ν, …
    NU_UNITS: u32 = 20;
    /// … so many for the three reaches and the determinant together, …
    VOLUME_UNITS: u32 = 20;
    /// … so many for each reach and a sixteenth, …
    SLACK_UNITS: u32 = 21;
    /// … and so many more.
    REST_UNITS: u32 = 20;
    /// Points further away in τ are not in the window.
    EDGE: u32 = (1 << POINT_BITS) + (1 << (POINT_BITS - TOLERANCE_BITS));
}

constants! {
    /// Of the kernels that test, refine and exhaust, and of their lists.
    lists, list_constants:
    /// log2 of the parts of a domain.
    LOG2_PARTS: u32 = 3;
    /// Parts of a domain, which phase 2 tests one by one.
    PARTS: u32 = 1 << LOG2_PARTS;
    /// In the count of a list: an invocation was cut off.
    UNFINISHED: u32 = 1 << 31;
}
