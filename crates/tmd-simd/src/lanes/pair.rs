//! Twice as many lanes as a machine has: each vector is two of its own.
//!
//! The tests of segments and the walk in three dimensions decide by all lanes of a vector how to go
//! on, and what they count depends on its length. The walk in the plane does so where a lane is
//! stuck, which few are; it takes the two vectors one after the other, which is faster.

use super::{Kernel, Lanes, MAX_LANES, MAX_SINGLES, Row, Singles};

/// Two vectors of `L` for each of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<L>(pub(crate) L);

/// Methods that do the same in both halves.
macro_rules! halves {
    ($($name:ident($($x:ident: $type:ident),*) -> $result:ident;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $x: [L::$type; 2])*) -> [L::$result; 2] {
            [0, 1].map(|half: usize| self.0.$name($($x[half]),*))
        }
    )*};
}

/// A row for each half, which reads what is in front.
#[inline(always)]
fn split<L: Lanes, T: Copy + Default>(row: &Row<T>) -> [Row<T>; 2] {
    let mut high = [T::default(); MAX_LANES];
    high[..L::WIDTH].copy_from_slice(&row[L::WIDTH..2 * L::WIDTH]);
    [*row, high]
}

impl<L: Lanes> Pair<L> {
    /// Puts the row of the second half behind that of the first.
    #[inline(always)]
    fn join<T: Copy>(high: &Row<T>, row: &mut Row<T>) {
        row[L::WIDTH..2 * L::WIDTH].copy_from_slice(&high[..L::WIDTH]);
    }
}

impl<L: Lanes> Lanes for Pair<L> {
    const WIDTH: usize = 2 * L::WIDTH;
    type F = [L::F; 2];
    type U = [L::U; 2];
    type M = [L::M; 2];
    type S = [L::S; 2];
    type N = [L::N; 2];
    const TURN: f64 = L::TURN;

    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        self.0.run(InPairs(kernel))
    }

    halves! {
        add(x: F, y: F) -> F;
        sub(x: F, y: F) -> F;
        mul(x: F, y: F) -> F;
        div(x: F, y: F) -> F;
        fma(x: F, y: F, z: F) -> F;
        fnma(x: F, y: F, z: F) -> F;
        fms(x: F, y: F, z: F) -> F;
        min(x: F, y: F) -> F;
        max(x: F, y: F) -> F;
        min_abs(x: F, y: F) -> F;
        abs(x: F) -> F;
        floor_product(x: F, y: F) -> F;
        floor_quotient(x: F, y: F) -> F;
        reciprocal(y: F) -> F;
        le(x: F, y: F) -> M;
        select(mask: M, x: F, y: F) -> F;
        both(x: M, y: M) -> M;
        either(x: M, y: M) -> M;
        not(x: M) -> M;

        add_u(x: U, y: U) -> U;
        sub_u(x: U, y: U) -> U;
        le_u(x: U, y: U) -> M;
        and_u(x: U, y: U) -> U;
        or_u(x: U, y: U) -> U;
        shift_12(x: U) -> U;
        as_float(x: U) -> F;
        turns(x: U) -> F;

        add_s(x: S, y: S) -> S;
        sub_s(x: S, y: S) -> S;
        mul_s(x: S, y: S) -> S;
        fma_s(x: S, y: S, z: S) -> S;
        fnma_s(x: S, y: S, z: S) -> S;
        fms_s(x: S, y: S, z: S) -> S;
        min_s(x: S, y: S) -> S;
        max_s(x: S, y: S) -> S;
        abs_s(x: S) -> S;
        min_abs_s(x: S, y: S) -> S;
        copysign_s(x: S, y: S) -> S;
        rough_reciprocal_s(y: S) -> S;
        le_s(x: S, y: S) -> N;
        select_s(mask: N, x: S, y: S) -> S;
        both_s(x: N, y: N) -> N;
        either_s(x: N, y: N) -> N;
        not_s(x: N) -> N;
    }

    #[inline(always)]
    fn splat(self, x: f64) -> Self::F {
        [self.0.splat(x); 2]
    }

    #[inline(always)]
    fn splat_u(self, x: u64) -> Self::U {
        [self.0.splat_u(x); 2]
    }

    #[inline(always)]
    fn splat_s(self, x: f32) -> Self::S {
        [self.0.splat_s(x); 2]
    }

    #[inline(always)]
    fn load(self, row: &Row<f64>) -> Self::F {
        split::<L, f64>(row).map(|row| self.0.load(&row))
    }

    #[inline(always)]
    fn store(self, x: Self::F, row: &mut Row<f64>) {
        let mut high = [0.0; MAX_LANES];
        self.0.store(x[1], &mut high);
        self.0.store(x[0], row);
        Self::join(&high, row);
    }

    #[inline(always)]
    fn bits(self, mask: Self::M) -> u32 {
        self.0.bits(mask[0]) | self.0.bits(mask[1]) << L::WIDTH
    }

    #[inline(always)]
    fn load_u(self, row: &Row<u64>) -> Self::U {
        split::<L, u64>(row).map(|row| self.0.load_u(&row))
    }

    #[inline(always)]
    fn store_u(self, x: Self::U, row: &mut Row<u64>) {
        let mut high = [0; MAX_LANES];
        self.0.store_u(x[1], &mut high);
        self.0.store_u(x[0], row);
        Self::join(&high, row);
    }

    #[inline(always)]
    fn load_s(self, row: &Singles) -> Self::S {
        let mut high = [0.0; MAX_SINGLES];
        high[..2 * L::WIDTH].copy_from_slice(&row[2 * L::WIDTH..4 * L::WIDTH]);
        [self.0.load_s(row), self.0.load_s(&high)]
    }

    #[inline(always)]
    fn store_s(self, x: Self::S, row: &mut Singles) {
        let mut high = [0.0; MAX_SINGLES];
        self.0.store_s(x[1], &mut high);
        self.0.store_s(x[0], row);
        row[2 * L::WIDTH..4 * L::WIDTH].copy_from_slice(&high[..2 * L::WIDTH]);
    }

    #[inline(always)]
    fn compress_s(self, mask: Self::N, x: Self::S, row: &mut Singles) {
        let mut high = [0.0; MAX_SINGLES];
        self.0.compress_s(mask[1], x[1], &mut high);
        self.0.compress_s(mask[0], x[0], row);
        // as many as the first half left
        let next = self.0.bits_s(mask[0]).count_ones() as usize;
        row[next..next + 2 * L::WIDTH].copy_from_slice(&high[..2 * L::WIDTH]);
    }

    #[inline(always)]
    fn narrow(self, first: Self::F, second: Self::F) -> Self::S {
        [first, second].map(|[low, high]| self.0.narrow(low, high))
    }

    #[inline(always)]
    fn widen(self, x: Self::S) -> [Self::F; 2] {
        x.map(|x| self.0.widen(x))
    }

    #[inline(always)]
    fn bits_s(self, mask: Self::N) -> u32 {
        self.0.bits_s(mask[0]) | self.0.bits_s(mask[1]) << (2 * L::WIDTH)
    }
}

/// A kernel that is given pairs of a machine's lanes.
struct InPairs<K>(K);

impl<K: Kernel> Kernel for InPairs<K> {
    type Output = K::Output;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> K::Output {
        self.0.run(Pair(lanes))
    }
}
