//! What the kernel is given, and what it hands back.

use tmd_shaders::constants::lattice3::{
    BLOCK, CROSS_BITS, CUBIC, DIFFERENCES, HIT_PHASES, HIT_WORDS, LOOSEST_WORD, MANTISSA, PHASES, POINT_BITS,
    ROW_WORDS, SHIFT, STEP_BITS, WINDOWS,
};

/// What all runs have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lattice3Constants {
    /// Runs.
    pub runs: u32,
    /// Targets of each; two make an invocation.
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
    /// First to third differences of the rows' phases, in turns of 2^-64.
    pub differences: [[u64; 3]; 3],
    /// 1.5·g in units of 2^-64.
    pub cubic: i64,
    /// The determinant is `mantissa·2^-shift`, with a mantissa of 31 bits.
    pub mantissa: i32,
    /// 22 ≤ shift ≤ 58
    pub shift: u32,
    /// Windows.
    pub windows: u32,
    /// [`LOOSEST`](super::LOOSEST) over the determinant, in units of 2^-10.
    pub loosest: u32,
    /// Of every target the rows' phases, in turns of 2^-64.
    pub phases: Vec<[u64; 3]>,
}

impl Beginning {
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
        self.differences.iter().flatten().for_each(|&x| long(x));
        long(self.cubic as u64);
        [self.mantissa as u32, self.shift + (CROSS_BITS - POINT_BITS), self.windows, self.loosest]
            .into_iter()
            .for_each(&mut word);
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
            differences: nine(DIFFERENCES),
            cubic: long(CUBIC) as i64,
            mantissa: word(MANTISSA) as i32,
            shift: word(SHIFT) - (CROSS_BITS - POINT_BITS),
            windows: word(WINDOWS),
            loosest: word(LOOSEST_WORD),
            phases: (0..constants.targets).map(|t| three(PHASES + ROW_WORDS * t)).collect(),
        }
    }
}
