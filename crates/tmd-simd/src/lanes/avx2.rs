//! Four lanes of AVX2 and FMA.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256, __m256d, __m256i, _CMP_LE_OQ, _CMP_LT_OQ, _mm256_add_epi64, _mm256_add_pd, _mm256_add_ps,
    _mm256_and_pd, _mm256_and_ps, _mm256_and_si256, _mm256_andnot_pd, _mm256_andnot_ps, _mm256_blendv_pd,
    _mm256_blendv_ps, _mm256_castps256_ps128, _mm256_castsi256_pd, _mm256_castsi256_ps, _mm256_cmp_pd,
    _mm256_cmp_ps, _mm256_cmpgt_epi64, _mm256_cvtpd_ps, _mm256_cvtps_pd, _mm256_div_pd,
    _mm256_extractf128_ps, _mm256_floor_pd, _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_fmsub_pd,
    _mm256_fmsub_ps, _mm256_fnmadd_pd, _mm256_fnmadd_ps, _mm256_loadu_pd, _mm256_loadu_ps,
    _mm256_loadu_si256, _mm256_max_pd, _mm256_max_ps, _mm256_min_pd, _mm256_min_ps, _mm256_movemask_pd,
    _mm256_movemask_ps, _mm256_mul_pd, _mm256_mul_ps, _mm256_or_pd, _mm256_or_ps, _mm256_or_si256,
    _mm256_permutevar8x32_ps, _mm256_rcp_ps, _mm256_set_m128, _mm256_set1_epi64x, _mm256_set1_pd,
    _mm256_set1_ps, _mm256_srli_epi64, _mm256_storeu_pd, _mm256_storeu_ps, _mm256_storeu_si256,
    _mm256_sub_epi64, _mm256_sub_pd, _mm256_sub_ps, _mm256_xor_pd, _mm256_xor_ps, _mm256_xor_si256,
};

use super::{BELOW_ONE, Kernel, Lanes, Row, Singles, on_line_boundaries};

/// Where the lanes of each mask are, one after the other.
const COMPRESSED: [[u32; 8]; 256] = {
    let mut all = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut next) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                all[mask][next] = lane;
                next += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    all
};

/// The token: this machine has AVX2 and FMA.
///
/// With exact floors [`Lanes::floor_product`] is that of the exact product, as in AVX-512: else
/// one domain in some 10^10 would be flagged that is not flagged there, or the other way round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2<const EXACT_FLOORS: bool = false>(());

impl<const EXACT_FLOORS: bool> Avx2<EXACT_FLOORS> {
    /// The token, if the machine has the instructions.
    pub(crate) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }
}

/// SAFETY of every intrinsic below: an `Avx2` is made by `detect` only, after the features were
/// found.
macro_rules! op {
    ($intrinsic:expr) => {
        // SAFETY: see the macro
        unsafe { $intrinsic }
    };
}

#[target_feature(enable = "avx2,fma")]
fn compiled<K: Kernel, const EXACT_FLOORS: bool>(lanes: Avx2<EXACT_FLOORS>, kernel: K) -> K::Output {
    on_line_boundaries();
    kernel.run(lanes)
}

impl<const EXACT_FLOORS: bool> Lanes for Avx2<EXACT_FLOORS> {
    const WIDTH: usize = 4;
    type F = __m256d;
    type U = __m256i;
    type M = __m256d;
    type S = __m256;
    type N = __m256;

    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        op!(compiled(self, kernel))
    }

    methods! { op;
        splat(x: f64) -> __m256d = _mm256_set1_pd(x);
        // a row has eight lanes: the load is inside
        load(row: &Row<f64>) -> __m256d = _mm256_loadu_pd(row.as_ptr());
        store(x: __m256d, row: &mut Row<f64>) = _mm256_storeu_pd(row.as_mut_ptr(), x);
        add(x: __m256d, y: __m256d) -> __m256d = _mm256_add_pd(x, y);
        sub(x: __m256d, y: __m256d) -> __m256d = _mm256_sub_pd(x, y);
        mul(x: __m256d, y: __m256d) -> __m256d = _mm256_mul_pd(x, y);
        div(x: __m256d, y: __m256d) -> __m256d = _mm256_div_pd(x, y);
        fma(x: __m256d, y: __m256d, z: __m256d) -> __m256d = _mm256_fmadd_pd(x, y, z);
        fnma(x: __m256d, y: __m256d, z: __m256d) -> __m256d = _mm256_fnmadd_pd(x, y, z);
        fms(x: __m256d, y: __m256d, z: __m256d) -> __m256d = _mm256_fmsub_pd(x, y, z);
        min(x: __m256d, y: __m256d) -> __m256d = _mm256_min_pd(x, y);
        max(x: __m256d, y: __m256d) -> __m256d = _mm256_max_pd(x, y);
        abs(x: __m256d) -> __m256d = _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
        // x/y is at least 1/(2y) from every integer, far more than the quotient's rounding
        floor_quotient(x: __m256d, y: __m256d) -> __m256d = _mm256_floor_pd(_mm256_div_pd(x, y));
        le(x: __m256d, y: __m256d) -> __m256d = _mm256_cmp_pd::<_CMP_LE_OQ>(x, y);
        select(mask: __m256d, x: __m256d, y: __m256d) -> __m256d = _mm256_blendv_pd(y, x, mask);
        both(x: __m256d, y: __m256d) -> __m256d = _mm256_and_pd(x, y);
        either(x: __m256d, y: __m256d) -> __m256d = _mm256_or_pd(x, y);
        not(x: __m256d) -> __m256d = _mm256_xor_pd(x, _mm256_castsi256_pd(_mm256_set1_epi64x(-1)));
        bits(mask: __m256d) -> u32 = _mm256_movemask_pd(mask) as u32;

        splat_u(x: u64) -> __m256i = _mm256_set1_epi64x(x as i64);
        load_u(row: &Row<u64>) -> __m256i = _mm256_loadu_si256(row.as_ptr().cast());
        store_u(x: __m256i, row: &mut Row<u64>) = _mm256_storeu_si256(row.as_mut_ptr().cast(), x);
        add_u(x: __m256i, y: __m256i) -> __m256i = _mm256_add_epi64(x, y);
        sub_u(x: __m256i, y: __m256i) -> __m256i = _mm256_sub_epi64(x, y);
        and_u(x: __m256i, y: __m256i) -> __m256i = _mm256_and_si256(x, y);
        or_u(x: __m256i, y: __m256i) -> __m256i = _mm256_or_si256(x, y);
        shift_12(x: __m256i) -> __m256i = _mm256_srli_epi64::<12>(x);
        as_float(x: __m256i) -> __m256d = _mm256_castsi256_pd(x);

        splat_s(x: f32) -> __m256 = _mm256_set1_ps(x);
        // a row has sixteen lanes: the load is inside
        load_s(row: &Singles) -> __m256 = _mm256_loadu_ps(row.as_ptr());
        store_s(x: __m256, row: &mut Singles) = _mm256_storeu_ps(row.as_mut_ptr(), x);
        narrow(first: __m256d, second: __m256d) -> __m256 =
            _mm256_set_m128(_mm256_cvtpd_ps(second), _mm256_cvtpd_ps(first));
        widen(x: __m256) -> [__m256d; 2] =
            [_mm256_cvtps_pd(_mm256_castps256_ps128(x)), _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(x))];
        add_s(x: __m256, y: __m256) -> __m256 = _mm256_add_ps(x, y);
        sub_s(x: __m256, y: __m256) -> __m256 = _mm256_sub_ps(x, y);
        mul_s(x: __m256, y: __m256) -> __m256 = _mm256_mul_ps(x, y);
        fma_s(x: __m256, y: __m256, z: __m256) -> __m256 = _mm256_fmadd_ps(x, y, z);
        fnma_s(x: __m256, y: __m256, z: __m256) -> __m256 = _mm256_fnmadd_ps(x, y, z);
        fms_s(x: __m256, y: __m256, z: __m256) -> __m256 = _mm256_fmsub_ps(x, y, z);
        min_s(x: __m256, y: __m256) -> __m256 = _mm256_min_ps(x, y);
        max_s(x: __m256, y: __m256) -> __m256 = _mm256_max_ps(x, y);
        abs_s(x: __m256) -> __m256 = _mm256_andnot_ps(_mm256_set1_ps(-0.0), x);
        // within a relative 1.5·2^-12
        rough_reciprocal_s(y: __m256) -> __m256 = _mm256_rcp_ps(y);
        le_s(x: __m256, y: __m256) -> __m256 = _mm256_cmp_ps::<_CMP_LE_OQ>(x, y);
        select_s(mask: __m256, x: __m256, y: __m256) -> __m256 = _mm256_blendv_ps(y, x, mask);
        both_s(x: __m256, y: __m256) -> __m256 = _mm256_and_ps(x, y);
        either_s(x: __m256, y: __m256) -> __m256 = _mm256_or_ps(x, y);
        not_s(x: __m256) -> __m256 = _mm256_xor_ps(x, _mm256_castsi256_ps(_mm256_set1_epi64x(-1)));
        bits_s(mask: __m256) -> u32 = _mm256_movemask_ps(mask) as u32;
    }

    #[inline(always)]
    fn floor_product(self, x: __m256d, y: __m256d) -> __m256d {
        let floor = op!(_mm256_floor_pd(_mm256_mul_pd(x, y)));
        if !EXACT_FLOORS {
            return floor;
        }
        // one too large where x·y − ⌊…⌋ is negative: it is rounded once, and so has its sign
        let one = op!(_mm256_and_pd(
            _mm256_cmp_pd::<_CMP_LT_OQ>(self.fms(x, y, floor), self.splat(0.0)),
            self.splat(1.0)
        ));
        self.sub(floor, one)
    }

    #[inline(always)]
    fn reciprocal(self, y: __m256d) -> __m256d {
        self.div(self.splat(BELOW_ONE), y)
    }

    #[inline(always)]
    fn le_u(self, x: __m256i, y: __m256i) -> __m256d {
        // there is only a signed "greater": both operands lowered by 2^63
        let half = op!(_mm256_set1_epi64x(i64::MIN));
        let greater = op!(_mm256_cmpgt_epi64(_mm256_xor_si256(x, half), _mm256_xor_si256(y, half)));
        self.not(self.as_float(greater))
    }

    #[inline(always)]
    fn compress_s(self, mask: __m256, x: __m256, row: &mut Singles) {
        static ORDER: [[u32; 8]; 256] = COMPRESSED;
        let order = &ORDER[(self.bits_s(mask) & 0xff) as usize];
        // eight integers, and room for sixteen lanes: both are inside
        op!({
            let order = _mm256_loadu_si256(order.as_ptr().cast());
            _mm256_storeu_ps(row.as_mut_ptr(), _mm256_permutevar8x32_ps(x, order));
        });
    }
    #[inline(always)]
    fn copysign_s(self, x: __m256, y: __m256) -> __m256 {
        op!({
            let sign = _mm256_set1_ps(-0.0);
            _mm256_or_ps(_mm256_andnot_ps(sign, x), _mm256_and_ps(sign, y))
        })
    }
}
