//! What the kernel is given, and what it hands back.

use tmd_core::{difftable::power_of_two, lattice3::Gains};
use tmd_shaders::constants::lattice3::{
    BLOCK, BOUND_BITS, CROSS_BITS, CUBIC, DIFFERENCES, HIT_PHASES, HIT_WORDS, LOWS, MANTISSA, MODEL, PHASES,
    POINT_BITS, ROW_WORDS, SCALE, SCALE_BITS, SHIFT, STEP_BITS, VOLUME_UNITS, WINDOWS,
};

/// What all runs have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lattice3Constants {
    /// Runs.
    pub runs: u32,
    /// Targets of each; where there are several, two make an invocation.
    pub targets: u32,
    /// Hits there is room for.
    pub capacity: u32,
}

impl Lattice3Constants {
    /// Number of words.
    pub const WORDS: usize = 3;

    /// As the kernel reads them.
    pub const fn to_words(&self) -> [u32; Self::WORDS] {
        [self.runs, self.targets, self.capacity]
    }

    /// Pairs of targets.
    pub const fn groups(&self) -> u32 {
        self.targets.div_ceil(2)
    }

    /// How many invocations there are.
    pub const fn invocations(&self) -> u32 {
        self.runs * self.groups()
    }

    /// Words of the tables: whole blocks.
    pub const fn table_words(&self) -> usize {
        Beginning::words(self.targets) * self.runs.next_multiple_of(BLOCK) as usize
    }
}

/// A window and target that need another look, and what the kernel knows of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lattice3Hit {
    /// The run.
    pub run: u32,
    /// Number of the window in it.
    pub step: u32,
    /// The target.
    pub target: u32,
    /// Rows of the dual basis, (x, τ, ν), in units of 2^-52; τ is without the shear's cubic part.
    pub rows: [[i64; 3]; 3],
    /// The target's phases in these rows, in turns of 2^-64.
    pub phases: [u64; 3],
}

impl Lattice3Hit {
    /// Number of words.
    pub const WORDS: usize = 2 + HIT_WORDS as usize;

    /// As the kernel writes it.
    pub fn of_words(words: &[u32; Self::WORDS]) -> Self {
        let [run, place, words @ ..] = *words;
        let long = |word: u32| u64::from(words[word as usize]) | u64::from(words[word as usize + 1]) << 32;
        let three = |word: u32| [long(word), long(word + 2), long(word + 4)];
        Self {
            run,
            step: place & ((1 << STEP_BITS) - 1),
            target: place >> STEP_BITS,
            rows: [0, 1, 2].map(|row| three(ROW_WORDS * row).map(|x| x as i64)),
            phases: three(HIT_PHASES),
        }
    }
}

/// Where a run begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// Rows of the dual basis, (x, τ, ν), in units of 2^-52.
    pub rows: [[i64; 3]; 3],
    /// What the rows' phases gain.
    pub gains: [Gains; 3],
    /// 1.5·g in units of 2^-64.
    pub cubic: i64,
    /// The determinant is `mantissa·2^-shift`, with a mantissa of 31 bits.
    pub mantissa: i32,
    /// 22 ≤ shift ≤ 58
    pub shift: u32,
    /// Windows.
    pub windows: u32,
    /// What separates a case's point from the parabola (Lemma L.15), in units of 2^-24, rounded up.
    pub model: u32,
    /// What the product of the three reaches, in units of 2^-10, adds to a window's tolerance, in
    /// units of 2^-24: a factor below 2^8, and how many bits the product is shifted down, above it.
    pub scale: u32,
    /// Of every target the rows' phases, in turns of 2^-64.
    pub phases: Vec<[u64; 3]>,
}

impl Beginning {
    /// [`scale`](Self::scale) for determinants up to this size, between 2^-10 and 2^5.
    pub fn scale_of(size: f64) -> u32 {
        let units = size * f64::from(VOLUME_UNITS) * power_of_two(-(BOUND_BITS as i32));
        // units = m·2^exponent, 1 ≤ m < 2
        let exponent = ((units.to_bits() >> 52) as i32) - 1023;
        let factor = (units * power_of_two(6 - exponent)).ceil() as u32;
        debug_assert!(factor <= 128 && (7..=22).contains(&(6 - exponent)), "{size}");
        factor | ((6 - exponent) as u32) << SCALE_BITS
    }

    /// The factor of [`scale`](Self::scale).
    pub(crate) const fn factor(&self) -> u32 {
        self.scale & ((1 << SCALE_BITS) - 1)
    }

    /// Its shift.
    pub(crate) const fn factor_shift(&self) -> u32 {
        self.scale >> SCALE_BITS
    }

    /// Words of a run.
    pub const fn words(targets: u32) -> usize {
        (PHASES + ROW_WORDS * targets) as usize
    }

    /// Where the first word of a run is; the next ones are [`BLOCK`] words from each other.
    const fn first(run: u32, targets: u32) -> usize {
        Self::words(targets) * (run / BLOCK * BLOCK) as usize + (run % BLOCK) as usize
    }

    /// Writes a run into the tables.
    pub fn put(&self, run: u32, targets: u32, tables: &mut [u32]) {
        let mut at = Self::first(run, targets);
        let mut word = |word: u32| {
            tables[at] = word;
            at += BLOCK as usize;
        };
        let mut long = |x: u64| {
            word(x as u32);
            word((x >> 32) as u32);
        };
        self.rows.iter().flatten().for_each(|&x| long(x as u64));
        for Gains { first, second, third } in self.gains {
            [first, (second >> 64) as u64, (third >> 64) as u64].into_iter().for_each(&mut long);
        }
        for Gains { second, third, .. } in self.gains {
            // multiples of 2^-96
            debug_assert!((second | third) as u32 == 0);
            long((second as u64) >> 32 | third as u64);
        }
        long(self.cubic as u64);
        let shift = self.shift + (CROSS_BITS - POINT_BITS);
        [self.mantissa as u32, shift, self.windows, self.model, self.scale].into_iter().for_each(&mut word);
        for x in self.phases.iter().flatten() {
            word(*x as u32);
            word((*x >> 32) as u32);
        }
    }

    /// Reads a run from the tables.
    pub fn get(run: u32, constants: &Lattice3Constants, tables: &[u32]) -> Self {
        let first = Self::first(run, constants.targets);
        let word = |w: u32| tables[first + (w * BLOCK) as usize];
        let long = |w: u32| u64::from(word(w)) | u64::from(word(w + 1)) << 32;
        let three = |w: u32| [long(w), long(w + 2), long(w + 4)];
        let nine = |w: u32| [three(w), three(w + ROW_WORDS), three(w + 2 * ROW_WORDS)];
        Self {
            rows: nine(0).map(|row| row.map(|x| x as i64)),
            gains: [0, 1, 2].map(|row| {
                let [first, second, third] = three(DIFFERENCES + ROW_WORDS * row);
                let long = |high: u64, low: u32| u128::from(high) << 64 | u128::from(low) << 32;
                let low = LOWS + 2 * row;
                Gains { first, second: long(second, word(low)), third: long(third, word(low + 1)) }
            }),
            cubic: long(CUBIC) as i64,
            mantissa: word(MANTISSA) as i32,
            shift: word(SHIFT) - (CROSS_BITS - POINT_BITS),
            windows: word(WINDOWS),
            model: word(MODEL),
            scale: word(SCALE),
            phases: (0..constants.targets).map(|t| three(PHASES + ROW_WORDS * t)).collect(),
        }
    }
}
