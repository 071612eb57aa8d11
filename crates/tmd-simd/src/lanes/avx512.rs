//! Eight lanes of AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512, __m512d, __m512i, __mmask8, __mmask16, _CMP_LE_OQ, _MM_FROUND_NO_EXC, _MM_FROUND_TO_NEG_INF,
    _mm256_castpd_ps, _mm256_castps_pd, _mm512_abs_pd, _mm512_abs_ps, _mm512_add_epi64, _mm512_add_pd,
    _mm512_add_ps, _mm512_and_si512, _mm512_castpd_ps, _mm512_castpd256_pd512, _mm512_castps_pd,
    _mm512_castps_si512, _mm512_castps512_ps256, _mm512_castsi512_pd, _mm512_castsi512_ps,
    _mm512_cmp_pd_mask, _mm512_cmp_ps_mask, _mm512_cmple_epu64_mask, _mm512_cvtepi64_pd, _mm512_cvtpd_ps,
    _mm512_cvtps_pd, _mm512_div_pd, _mm512_extractf64x4_pd, _mm512_fmadd_pd, _mm512_fmadd_ps,
    _mm512_fmadd_round_pd, _mm512_fmsub_pd, _mm512_fmsub_ps, _mm512_fnmadd_pd, _mm512_fnmadd_ps,
    _mm512_insertf64x4, _mm512_loadu_pd, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mask_blend_pd,
    _mm512_mask_blend_ps, _mm512_maskz_compress_ps, _mm512_max_pd, _mm512_max_ps, _mm512_min_pd,
    _mm512_min_ps, _mm512_mul_pd, _mm512_mul_ps, _mm512_or_si512, _mm512_range_pd, _mm512_range_ps,
    _mm512_rcp14_pd, _mm512_rcp14_ps, _mm512_roundscale_pd, _mm512_set1_epi32, _mm512_set1_epi64,
    _mm512_set1_pd, _mm512_set1_ps, _mm512_srli_epi64, _mm512_storeu_pd, _mm512_storeu_ps,
    _mm512_storeu_si512, _mm512_sub_epi64, _mm512_sub_pd, _mm512_sub_ps, _mm512_ternarylogic_epi32,
};

use super::{BELOW_ONE, Kernel, Lanes, ROUNDING, Row, Singles, on_line_boundaries};

/// The token: this machine has AVX-512 F, DQ and VL, and FMA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The token, if the machine has the instructions.
    pub(crate) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("fma");
        has.then_some(Self(()))
    }
}

/// SAFETY of every intrinsic below: an `Avx512` is made by `detect` only, after the features were
/// found.
macro_rules! op {
    ($intrinsic:expr) => {
        // SAFETY: see the macro
        unsafe { $intrinsic }
    };
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
fn compiled<K: Kernel>(lanes: Avx512, kernel: K) -> K::Output {
    on_line_boundaries();
    kernel.run(lanes)
}

impl Lanes for Avx512 {
    const WIDTH: usize = 8;
    type F = __m512d;
    type U = __m512i;
    type M = __mmask8;
    type S = __m512;
    type N = __mmask16;

    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        op!(compiled(self, kernel))
    }

    methods! { op;
        splat(x: f64) -> __m512d = _mm512_set1_pd(x);
        // a row has eight lanes: the load is inside
        load(row: &Row<f64>) -> __m512d = _mm512_loadu_pd(row.as_ptr());
        store(x: __m512d, row: &mut Row<f64>) = _mm512_storeu_pd(row.as_mut_ptr(), x);
        add(x: __m512d, y: __m512d) -> __m512d = _mm512_add_pd(x, y);
        sub(x: __m512d, y: __m512d) -> __m512d = _mm512_sub_pd(x, y);
        mul(x: __m512d, y: __m512d) -> __m512d = _mm512_mul_pd(x, y);
        div(x: __m512d, y: __m512d) -> __m512d = _mm512_div_pd(x, y);
        fma(x: __m512d, y: __m512d, z: __m512d) -> __m512d = _mm512_fmadd_pd(x, y, z);
        fnma(x: __m512d, y: __m512d, z: __m512d) -> __m512d = _mm512_fnmadd_pd(x, y, z);
        fms(x: __m512d, y: __m512d, z: __m512d) -> __m512d = _mm512_fmsub_pd(x, y, z);
        min(x: __m512d, y: __m512d) -> __m512d = _mm512_min_pd(x, y);
        max(x: __m512d, y: __m512d) -> __m512d = _mm512_max_pd(x, y);
        // the smaller magnitude (2), with its sign cleared (2 << 2)
        min_abs(x: __m512d, y: __m512d) -> __m512d = _mm512_range_pd::<0b1010>(x, y);
        abs(x: __m512d) -> __m512d = _mm512_abs_pd(x);
        le(x: __m512d, y: __m512d) -> __mmask8 = _mm512_cmp_pd_mask::<_CMP_LE_OQ>(x, y);
        select(mask: __mmask8, x: __m512d, y: __m512d) -> __m512d = _mm512_mask_blend_pd(mask, y, x);

        splat_u(x: u64) -> __m512i = _mm512_set1_epi64(x as i64);
        load_u(row: &Row<u64>) -> __m512i = _mm512_loadu_si512(row.as_ptr().cast());
        store_u(x: __m512i, row: &mut Row<u64>) = _mm512_storeu_si512(row.as_mut_ptr().cast(), x);
        add_u(x: __m512i, y: __m512i) -> __m512i = _mm512_add_epi64(x, y);
        sub_u(x: __m512i, y: __m512i) -> __m512i = _mm512_sub_epi64(x, y);
        le_u(x: __m512i, y: __m512i) -> __mmask8 = _mm512_cmple_epu64_mask(x, y);
        and_u(x: __m512i, y: __m512i) -> __m512i = _mm512_and_si512(x, y);
        or_u(x: __m512i, y: __m512i) -> __m512i = _mm512_or_si512(x, y);
        shift_12(x: __m512i) -> __m512i = _mm512_srli_epi64::<12>(x);
        as_float(x: __m512i) -> __m512d = _mm512_castsi512_pd(x);

        splat_s(x: f32) -> __m512 = _mm512_set1_ps(x);
        // sixteen lanes: the load is inside
        load_s(row: &Singles) -> __m512 = _mm512_loadu_ps(row.as_ptr());
        store_s(x: __m512, row: &mut Singles) = _mm512_storeu_ps(row.as_mut_ptr(), x);
        // in a register: compressing stores are slow on some machines
        compress_s(mask: __mmask16, x: __m512, row: &mut Singles) =
            _mm512_storeu_ps(row.as_mut_ptr(), _mm512_maskz_compress_ps(mask, x));
        add_s(x: __m512, y: __m512) -> __m512 = _mm512_add_ps(x, y);
        sub_s(x: __m512, y: __m512) -> __m512 = _mm512_sub_ps(x, y);
        mul_s(x: __m512, y: __m512) -> __m512 = _mm512_mul_ps(x, y);
        fma_s(x: __m512, y: __m512, z: __m512) -> __m512 = _mm512_fmadd_ps(x, y, z);
        fnma_s(x: __m512, y: __m512, z: __m512) -> __m512 = _mm512_fnmadd_ps(x, y, z);
        fms_s(x: __m512, y: __m512, z: __m512) -> __m512 = _mm512_fmsub_ps(x, y, z);
        min_s(x: __m512, y: __m512) -> __m512 = _mm512_min_ps(x, y);
        max_s(x: __m512, y: __m512) -> __m512 = _mm512_max_ps(x, y);
        abs_s(x: __m512) -> __m512 = _mm512_abs_ps(x);
        // as for doubles
        min_abs_s(x: __m512, y: __m512) -> __m512 = _mm512_range_ps::<0b1010>(x, y);
        rough_reciprocal_s(y: __m512) -> __m512 = _mm512_rcp14_ps(y);
        le_s(x: __m512, y: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(x, y);
        select_s(mask: __mmask16, x: __m512, y: __m512) -> __m512 = _mm512_mask_blend_ps(mask, y, x);
    }

    methods! { plain;
        both(x: __mmask8, y: __mmask8) -> __mmask8 = x & y;
        either(x: __mmask8, y: __mmask8) -> __mmask8 = x | y;
        not(x: __mmask8) -> __mmask8 = !x;
        bits(mask: __mmask8) -> u32 = u32::from(mask);

        both_s(x: __mmask16, y: __mmask16) -> __mmask16 = x & y;
        either_s(x: __mmask16, y: __mmask16) -> __mmask16 = x | y;
        not_s(x: __mmask16) -> __mmask16 = !x;
        bits_s(mask: __mmask16) -> u32 = u32::from(mask);
    }

    #[inline(always)]
    fn floor_product(self, x: __m512d, y: __m512d) -> __m512d {
        // exact x·y + 1.5·2^52, rounded down to an integer: the floor
        let magic = self.splat(ROUNDING);
        let sum = op!(_mm512_fmadd_round_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x, y, magic));
        self.sub(sum, magic)
    }
    #[inline(always)]
    fn floor_quotient(self, x: __m512d, y: __m512d) -> __m512d {
        // 1/y to a relative 2^-14, after one Newton step 2^-27.9; x/y is at least 1/(2y) from every
        // integer, that is a relative 1/(2x) > 2^-27.1: the floor is the exact one
        let r = op!(_mm512_rcp14_pd(y));
        let r = self.fma(r, self.fnma(y, r, self.splat(1.0)), r);
        op!(_mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(self.mul(x, r)))
    }
    #[inline(always)]
    fn reciprocal(self, y: __m512d) -> __m512d {
        // r = (1 − e)/y with |e| ≤ 2^-14; one Newton step towards (1 − 2^-40)/y gives (1 − e² −
        // 2^-40·(1 − e))/y, below (1 − 2^-40 + 2^-54)/y whatever e, and two roundings of at most
        // 2^-53 do not make up for that
        let r = op!(_mm512_rcp14_pd(y));
        self.fma(r, self.fnma(y, r, self.splat(BELOW_ONE)), r)
    }

    // 2^64
    const TURN: f64 = 18_446_744_073_709_551_616.0;
    #[inline(always)]
    fn turns(self, x: __m512i) -> __m512d {
        op!(_mm512_cvtepi64_pd(x))
    }
    #[inline(always)]
    fn narrow(self, first: __m512d, second: __m512d) -> __m512 {
        op!({
            let (first, second) = (_mm512_cvtpd_ps(first), _mm512_cvtpd_ps(second));
            let first = _mm512_castpd256_pd512(_mm256_castps_pd(first));
            _mm512_castpd_ps(_mm512_insertf64x4::<1>(first, _mm256_castps_pd(second)))
        })
    }
    #[inline(always)]
    fn widen(self, x: __m512) -> [__m512d; 2] {
        op!({
            let second = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(x)));
            [_mm512_cvtps_pd(_mm512_castps512_ps256(x)), _mm512_cvtps_pd(second)]
        })
    }
    #[inline(always)]
    fn copysign_s(self, x: __m512, y: __m512) -> __m512 {
        // bitwise: the sign bit from y, the others from x
        op!({
            let sign = _mm512_set1_epi32(i32::MIN);
            let (x, y) = (_mm512_castps_si512(x), _mm512_castps_si512(y));
            _mm512_castsi512_ps(_mm512_ternarylogic_epi32::<0b1101_1000>(x, y, sign))
        })
    }
}
