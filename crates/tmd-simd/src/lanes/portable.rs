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

    methods! { plain;
        splat(x: f64) -> f64x4 = f64x4::splat(x);
        load(row: &Row<f64>) -> f64x4 = f64x4::new([row[0], row[1], row[2], row[3]]);
        store(x: f64x4, row: &mut Row<f64>) = row[..4].copy_from_slice(&x.to_array());
        add(x: f64x4, y: f64x4) -> f64x4 = x + y;
        sub(x: f64x4, y: f64x4) -> f64x4 = x - y;
        mul(x: f64x4, y: f64x4) -> f64x4 = x * y;
        div(x: f64x4, y: f64x4) -> f64x4 = x / y;
        fma(x: f64x4, y: f64x4, z: f64x4) -> f64x4 = fused(x, y, z);
        fnma(x: f64x4, y: f64x4, z: f64x4) -> f64x4 = fused(-x, y, z);
        fms(x: f64x4, y: f64x4, z: f64x4) -> f64x4 = fused(x, y, -z);
        min(x: f64x4, y: f64x4) -> f64x4 = x.fast_min(y);
        max(x: f64x4, y: f64x4) -> f64x4 = x.fast_max(y);
        abs(x: f64x4) -> f64x4 = x.abs();
        floor_product(x: f64x4, y: f64x4) -> f64x4 = (x * y).floor();
        // x/y is at least 1/(2y) from every integer, far more than the quotient's rounding
        floor_quotient(x: f64x4, y: f64x4) -> f64x4 = (x / y).floor();
        reciprocal(y: f64x4) -> f64x4 = f64x4::splat(BELOW_ONE) / y;
        le(x: f64x4, y: f64x4) -> f64x4 = x.simd_le(y);
        select(mask: f64x4, x: f64x4, y: f64x4) -> f64x4 = mask.bitselect(x, y);
        both(x: f64x4, y: f64x4) -> f64x4 = x & y;
        either(x: f64x4, y: f64x4) -> f64x4 = x | y;
        not(x: f64x4) -> f64x4 = x ^ f64x4::splat(f64::from_bits(u64::MAX));
        bits(mask: f64x4) -> u32 = mask.to_bitmask();

        splat_u(x: u64) -> u64x4 = u64x4::splat(x);
        load_u(row: &Row<u64>) -> u64x4 = u64x4::new([row[0], row[1], row[2], row[3]]);
        store_u(x: u64x4, row: &mut Row<u64>) = row[..4].copy_from_slice(&x.to_array());
        add_u(x: u64x4, y: u64x4) -> u64x4 = x + y;
        sub_u(x: u64x4, y: u64x4) -> u64x4 = x - y;
        and_u(x: u64x4, y: u64x4) -> u64x4 = x & y;
        or_u(x: u64x4, y: u64x4) -> u64x4 = x | y;
        shift_12(x: u64x4) -> u64x4 = x >> 12u64;

        splat_s(x: f32) -> f32x8 = f32x8::splat(x);
        load_s(row: &Singles) -> f32x8 = f32x8::new(core::array::from_fn(|lane| row[lane]));
        store_s(x: f32x8, row: &mut Singles) = row[..8].copy_from_slice(&x.to_array());
        add_s(x: f32x8, y: f32x8) -> f32x8 = x + y;
        sub_s(x: f32x8, y: f32x8) -> f32x8 = x - y;
        mul_s(x: f32x8, y: f32x8) -> f32x8 = x * y;
        fma_s(x: f32x8, y: f32x8, z: f32x8) -> f32x8 = fused_s(x, y, z);
        fnma_s(x: f32x8, y: f32x8, z: f32x8) -> f32x8 = fused_s(-x, y, z);
        fms_s(x: f32x8, y: f32x8, z: f32x8) -> f32x8 = fused_s(x, y, -z);
        min_s(x: f32x8, y: f32x8) -> f32x8 = x.fast_min(y);
        max_s(x: f32x8, y: f32x8) -> f32x8 = x.fast_max(y);
        abs_s(x: f32x8) -> f32x8 = x.abs();
        rough_reciprocal_s(y: f32x8) -> f32x8 = f32x8::splat(1.0) / y;
        le_s(x: f32x8, y: f32x8) -> f32x8 = x.simd_le(y);
        select_s(mask: f32x8, x: f32x8, y: f32x8) -> f32x8 = mask.bitselect(x, y);
        both_s(x: f32x8, y: f32x8) -> f32x8 = x & y;
        either_s(x: f32x8, y: f32x8) -> f32x8 = x | y;
        not_s(x: f32x8) -> f32x8 = x ^ f32x8::splat(f32::from_bits(u32::MAX));
        bits_s(mask: f32x8) -> u32 = mask.to_bitmask();
    }

    #[inline(always)]
    fn le_u(self, x: u64x4, y: u64x4) -> f64x4 {
        self.as_float(x.simd_le(y))
    }
    #[inline(always)]
    fn as_float(self, x: u64x4) -> f64x4 {
        let x = x.to_array();
        f64x4::new(core::array::from_fn(|lane| f64::from_bits(x[lane])))
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
    fn copysign_s(self, x: f32x8, y: f32x8) -> f32x8 {
        let sign = f32x8::splat(-0.0);
        x.abs() | (y & sign)
    }
}
