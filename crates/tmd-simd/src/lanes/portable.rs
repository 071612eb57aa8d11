//! Four lanes of `wide`: every machine.
//!
//! `wide` chooses its instructions at compile time, and its `mul_add` is fused only where the
//! target the program was compiled for has FMA; elsewhere it multiplies and adds with two
//! roundings, which loses the exactness that the kernels live by. There each lane calls
//! [`f64::mul_add`], which is fused always (in software where it must).

use wide::{f32x8, f64x4, u64x4};

use super::{BELOW_ONE, Kernel, Lanes, Row, Singles};

/// The token: nothing is needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// Whether `wide`'s `mul_add` rounds once in this program.
const FUSED: bool = cfg!(any(target_feature = "fma", all(target_arch = "aarch64", target_feature = "neon")));

#[inline(always)]
fn fused(x: f64x4, y: f64x4, z: f64x4) -> f64x4 {
    if FUSED {
        return x.mul_add(y, z);
    }
    let (x, y, z) = (x.to_array(), y.to_array(), z.to_array());
    f64x4::new(core::array::from_fn(|lane| x[lane].mul_add(y[lane], z[lane])))
}

#[inline(always)]
fn fused_s(x: f32x8, y: f32x8, z: f32x8) -> f32x8 {
    if FUSED {
        return x.mul_add(y, z);
    }
    let (x, y, z) = (x.to_array(), y.to_array(), z.to_array());
    f32x8::new(core::array::from_fn(|lane| x[lane].mul_add(y[lane], z[lane])))
}

impl Lanes for Portable {
    const WIDTH: usize = 4;
    type F = f64x4;
    type U = u64x4;
    type M = f64x4;
    type S = f32x8;
    type N = f32x8;

    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn splat(self, x: f64) -> f64x4 {
        f64x4::splat(x)
    }
    #[inline(always)]
    fn load(self, row: &Row<f64>) -> f64x4 {
        f64x4::new([row[0], row[1], row[2], row[3]])
    }
    #[inline(always)]
    fn store(self, x: f64x4, row: &mut Row<f64>) {
        row[..4].copy_from_slice(&x.to_array());
    }
    #[inline(always)]
    fn add(self, x: f64x4, y: f64x4) -> f64x4 {
        x + y
    }
    #[inline(always)]
    fn sub(self, x: f64x4, y: f64x4) -> f64x4 {
        x - y
    }
    #[inline(always)]
    fn mul(self, x: f64x4, y: f64x4) -> f64x4 {
        x * y
    }
    #[inline(always)]
    fn div(self, x: f64x4, y: f64x4) -> f64x4 {
        x / y
    }
    #[inline(always)]
    fn fma(self, x: f64x4, y: f64x4, z: f64x4) -> f64x4 {
        fused(x, y, z)
    }
    #[inline(always)]
    fn fnma(self, x: f64x4, y: f64x4, z: f64x4) -> f64x4 {
        fused(-x, y, z)
    }
    #[inline(always)]
    fn fms(self, x: f64x4, y: f64x4, z: f64x4) -> f64x4 {
        fused(x, y, -z)
    }
    #[inline(always)]
    fn min(self, x: f64x4, y: f64x4) -> f64x4 {
        x.fast_min(y)
    }
    #[inline(always)]
    fn max(self, x: f64x4, y: f64x4) -> f64x4 {
        x.fast_max(y)
    }
    #[inline(always)]
    fn abs(self, x: f64x4) -> f64x4 {
        x.abs()
    }
    #[inline(always)]
    fn floor_product(self, x: f64x4, y: f64x4) -> f64x4 {
        (x * y).floor()
    }
    #[inline(always)]
    fn floor_quotient(self, x: f64x4, y: f64x4) -> f64x4 {
        // x/y is at least 1/(2y) from every integer, far more than the quotient's rounding
        (x / y).floor()
    }
    #[inline(always)]
    fn reciprocal(self, y: f64x4) -> f64x4 {
        f64x4::splat(BELOW_ONE) / y
    }
    #[inline(always)]
    fn le(self, x: f64x4, y: f64x4) -> f64x4 {
        x.simd_le(y)
    }
    #[inline(always)]
    fn select(self, mask: f64x4, x: f64x4, y: f64x4) -> f64x4 {
        mask.bitselect(x, y)
    }
    #[inline(always)]
    fn both(self, x: f64x4, y: f64x4) -> f64x4 {
        x & y
    }
    #[inline(always)]
    fn either(self, x: f64x4, y: f64x4) -> f64x4 {
        x | y
    }
    #[inline(always)]
    fn not(self, x: f64x4) -> f64x4 {
        x ^ f64x4::splat(f64::from_bits(u64::MAX))
    }
    #[inline(always)]
    fn bits(self, mask: f64x4) -> u32 {
        mask.to_bitmask()
    }

    #[inline(always)]
    fn splat_u(self, x: u64) -> u64x4 {
        u64x4::splat(x)
    }
    #[inline(always)]
    fn load_u(self, row: &Row<u64>) -> u64x4 {
        u64x4::new([row[0], row[1], row[2], row[3]])
    }
    #[inline(always)]
    fn store_u(self, x: u64x4, row: &mut Row<u64>) {
        row[..4].copy_from_slice(&x.to_array());
    }
    #[inline(always)]
    fn add_u(self, x: u64x4, y: u64x4) -> u64x4 {
        x + y
    }
    #[inline(always)]
    fn sub_u(self, x: u64x4, y: u64x4) -> u64x4 {
        x - y
    }
    #[inline(always)]
    fn le_u(self, x: u64x4, y: u64x4) -> f64x4 {
        self.as_float(x.simd_le(y))
    }
    #[inline(always)]
    fn and_u(self, x: u64x4, y: u64x4) -> u64x4 {
        x & y
    }
    #[inline(always)]
    fn or_u(self, x: u64x4, y: u64x4) -> u64x4 {
        x | y
    }
    #[inline(always)]
    fn shift_12(self, x: u64x4) -> u64x4 {
        x >> 12u64
    }
    #[inline(always)]
    fn as_float(self, x: u64x4) -> f64x4 {
        let x = x.to_array();
        f64x4::new(core::array::from_fn(|lane| f64::from_bits(x[lane])))
    }

    #[inline(always)]
    fn splat_s(self, x: f32) -> f32x8 {
        f32x8::splat(x)
    }
    #[inline(always)]
    fn load_s(self, row: &Singles) -> f32x8 {
        f32x8::new(core::array::from_fn(|lane| row[lane]))
    }
    #[inline(always)]
    fn store_s(self, x: f32x8, row: &mut Singles) {
        row[..8].copy_from_slice(&x.to_array());
    }
    #[inline(always)]
    fn compress_s(self, mask: f32x8, x: f32x8, row: &mut Singles) {
        let (bits, x) = (self.bits_s(mask), x.to_array());
        let held = (0..8).filter(|lane| bits >> lane & 1 == 1);
        for (place, lane) in row.iter_mut().zip(held) {
            *place = x[lane];
        }
    }
    #[inline(always)]
    fn narrow(self, first: f64x4, second: f64x4) -> f32x8 {
        let (first, second) = (first.to_array(), second.to_array());
        f32x8::new(core::array::from_fn(|k| if k < 4 { first[k] } else { second[k - 4] } as f32))
    }
    #[inline(always)]
    fn widen(self, x: f32x8) -> [f64x4; 2] {
        let x = x.to_array();
        [0, 4].map(|first| f64x4::new(core::array::from_fn(|k| f64::from(x[first + k]))))
    }
    #[inline(always)]
    fn add_s(self, x: f32x8, y: f32x8) -> f32x8 {
        x + y
    }
    #[inline(always)]
    fn sub_s(self, x: f32x8, y: f32x8) -> f32x8 {
        x - y
    }
    #[inline(always)]
    fn mul_s(self, x: f32x8, y: f32x8) -> f32x8 {
        x * y
    }
    #[inline(always)]
    fn fma_s(self, x: f32x8, y: f32x8, z: f32x8) -> f32x8 {
        fused_s(x, y, z)
    }
    #[inline(always)]
    fn fnma_s(self, x: f32x8, y: f32x8, z: f32x8) -> f32x8 {
        fused_s(-x, y, z)
    }
    #[inline(always)]
    fn fms_s(self, x: f32x8, y: f32x8, z: f32x8) -> f32x8 {
        fused_s(x, y, -z)
    }
    #[inline(always)]
    fn min_s(self, x: f32x8, y: f32x8) -> f32x8 {
        x.fast_min(y)
    }
    #[inline(always)]
    fn max_s(self, x: f32x8, y: f32x8) -> f32x8 {
        x.fast_max(y)
    }
    #[inline(always)]
    fn abs_s(self, x: f32x8) -> f32x8 {
        x.abs()
    }
    #[inline(always)]
    fn copysign_s(self, x: f32x8, y: f32x8) -> f32x8 {
        let sign = f32x8::splat(-0.0);
        x.abs() | (y & sign)
    }
    #[inline(always)]
    fn rough_reciprocal_s(self, y: f32x8) -> f32x8 {
        f32x8::splat(1.0) / y
    }
    #[inline(always)]
    fn le_s(self, x: f32x8, y: f32x8) -> f32x8 {
        x.simd_le(y)
    }
    #[inline(always)]
    fn select_s(self, mask: f32x8, x: f32x8, y: f32x8) -> f32x8 {
        mask.bitselect(x, y)
    }
    #[inline(always)]
    fn both_s(self, x: f32x8, y: f32x8) -> f32x8 {
        x & y
    }
    #[inline(always)]
    fn either_s(self, x: f32x8, y: f32x8) -> f32x8 {
        x | y
    }
    #[inline(always)]
    fn not_s(self, x: f32x8) -> f32x8 {
        x ^ f32x8::splat(f32::from_bits(u32::MAX))
    }
    #[inline(always)]
    fn bits_s(self, mask: f32x8) -> u32 {
        mask.to_bitmask()
    }
}
