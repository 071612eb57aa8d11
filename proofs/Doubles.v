(* What the lanes compute in binary64: which operations are exact, and why the others do not matter.

   docs/algorithms.md, "Exactness in f64"; crates/tmd-simd/src/farey/stages.rs. A fused multiply-add
   is one rounding of the exact value, so it is exact when that value is a number of the format.
   Overflow is no matter: all magnitudes are below 2^54. *)

Require Import ZArith Reals Lia Lra Psatz.
From Flocq Require Import Core.Core.
Open Scope R_scope.

Definition f64 : Z -> Z := FLT_exp (-1074) 53.
Definition number (x : R) : Prop := generic_format radix2 f64 x.

(* Any rounding: to nearest, down, to zero. *)
Section rounding.
Variable rnd : R -> Z.
Context {valid_rnd : Valid_rnd rnd}.
Definition rounded (x : R) : R := round radix2 f64 rnd x.
Definition fma (a b c : R) : R := rounded (a * b + c).

(* Definition F.1. Multiples of 2^-e. *)
Definition multiple (e : Z) (x : R) : Prop := exists k : Z, x = IZR k * bpow radix2 (- e).

Lemma multiple_add e x y : multiple e x -> multiple e y -> multiple e (x + y).
Proof. intros (k & ->) (l & ->). exists (k + l)%Z. rewrite plus_IZR. ring. Qed.

Lemma multiple_opp e x : multiple e x -> multiple e (- x).
Proof. intros (k & ->). exists (- k)%Z. rewrite opp_IZR. ring. Qed.

Lemma multiple_scale e n x : multiple e x -> multiple e (IZR n * x).
Proof. intros (k & ->). exists (n * k)%Z. rewrite mult_IZR. ring. Qed.

(* Lemma F.1. A multiple of 2^-e of magnitude at most 2^(53 - e) is a number. *)
Lemma multiple_number e x :
  (0 <= e <= 1074)%Z -> multiple e x -> Rabs x <= bpow radix2 (53 - e) -> number x.
Proof.
  intros He (k & ->) Hx.
  assert (Hk : (Z.abs k <= 2 ^ 53)%Z).
  { apply le_IZR. rewrite abs_IZR.
    replace (IZR (2 ^ 53)) with (bpow radix2 53) by (rewrite <- (IZR_Zpower radix2) by lia; reflexivity).
    apply Rmult_le_reg_r with (bpow radix2 (- e)); [apply bpow_gt_0|].
    rewrite <- bpow_plus. rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 (- e))) in Hx by apply bpow_ge_0.
    exact Hx. }
  destruct (Z.eq_dec (Z.abs k) (2 ^ 53)) as [E | N].
  - (* the end of the range is a power of two *)
    assert (Hb : generic_format radix2 f64 (bpow radix2 (53 - e))).
    { apply generic_format_bpow. unfold f64, FLT_exp. lia. }
    assert (Hp : IZR (2 ^ 53) * bpow radix2 (- e) = bpow radix2 (53 - e)).
    { replace (IZR (2 ^ 53)) with (bpow radix2 53)
        by (rewrite <- (IZR_Zpower radix2) by lia; reflexivity).
      rewrite <- bpow_plus. f_equal. }
    destruct (Z.abs_eq_cases k (2 ^ 53)) as [Ek | Ek]; [rewrite E; reflexivity | |]; rewrite Ek.
    + unfold number. rewrite Hp. exact Hb.
    + unfold number. rewrite opp_IZR, Ropp_mult_distr_l_reverse, Hp.
      apply generic_format_opp. exact Hb.
  - apply generic_format_FLT.
    exists (Float radix2 k (- e)); cbn [Fnum Fexp]; [reflexivity | | lia].
    change (Z.abs k < 2 ^ 53)%Z. lia.
Qed.

(* Theorem F.2 (exact fused operations). The lengths p, q, beta, the slope's step and every
   beta - t*Q - s*P are multiples of 2^-52; a count times one of them plus another is exact as
   long as the result's magnitude is at most 2. *)
Theorem fma_exact n x y :
  multiple 52 x -> multiple 52 y -> Rabs (IZR n * x + y) <= 2 -> fma (IZR n) x y = IZR n * x + y.
Proof.
  intros Hx Hy Hb. unfold fma, rounded.
  apply round_generic; [exact valid_rnd|].
  apply (multiple_number 52); [lia | apply multiple_add; [apply multiple_scale|]; assumption |].
  exact Hb.
Qed.

(* ... and so is the difference of a product, for `fnma`. *)
Corollary fnma_exact n x y :
  multiple 52 x -> multiple 52 y -> Rabs (- IZR n * x + y) <= 2 ->
  rounded (- IZR n * x + y) = - IZR n * x + y.
Proof.
  intros Hx Hy Hb. replace (- IZR n * x) with (IZR (- n) * x) in * by (rewrite opp_IZR; ring).
  apply fma_exact; assumption.
Qed.

(* Theorem F.3. Counts and arguments are integers: exact up to 2^53. *)
Theorem integers_exact a b c :
  (Z.abs (a * b + c) <= 2 ^ 53)%Z -> fma (IZR a) (IZR b) (IZR c) = IZR (a * b + c).
Proof.
  intros H. unfold fma, rounded. rewrite <- mult_IZR, <- plus_IZR.
  apply round_generic; [exact valid_rnd|].
  apply (multiple_number 0); [lia | exists (a * b + c)%Z; cbn; ring |].
  rewrite <- abs_IZR. replace (bpow radix2 (53 - 0)) with (IZR (2 ^ 53))
    by (rewrite <- (IZR_Zpower radix2) by lia; reflexivity).
  apply IZR_le. exact H.
Qed.

End rounding.

(* Theorem F.4 (floor). Between 2^52 and 2^53 the numbers are the integers, so rounding down is the
   floor: AVX-512's way to the line t = floor(U*beta), by adding 1.5*2^52. *)
Theorem round_down_floor x :
  bpow radix2 52 <= x < bpow radix2 53 -> round radix2 f64 Zfloor x = IZR (Zfloor x).
Proof.
  intros Hx.
  assert (Hc : cexp radix2 f64 x = 0%Z).
  { unfold cexp. rewrite (mag_unique_pos radix2 x 53); [reflexivity | exact Hx]. }
  unfold round, scaled_mantissa. rewrite Hc. cbn. unfold F2R; cbn.
  rewrite !Rmult_1_r. reflexivity.
Qed.

Corollary floor_by_shift y :
  Rabs y <= bpow radix2 50 ->
  round radix2 f64 Zfloor (y + IZR (3 * 2 ^ 51)) - IZR (3 * 2 ^ 51) = IZR (Zfloor y).
Proof.
  intros Hy. 
  assert (E52 : bpow radix2 52 = IZR (2 ^ 52)) by (rewrite <- (IZR_Zpower radix2) by lia; reflexivity).
  assert (E53 : bpow radix2 53 = IZR (2 ^ 53)) by (rewrite <- (IZR_Zpower radix2) by lia; reflexivity).
  assert (E50 : bpow radix2 50 = IZR (2 ^ 50)) by (rewrite <- (IZR_Zpower radix2) by lia; reflexivity).
  rewrite round_down_floor.
  - rewrite Zfloor_add_int || idtac.
    assert (H : Zfloor (y + IZR (3 * 2 ^ 51)) = (Zfloor y + 3 * 2 ^ 51)%Z).
    { apply Zfloor_imp. rewrite !plus_IZR.
      pose proof (Zfloor_lb y). pose proof (Zfloor_ub y). lra. }
    rewrite H, plus_IZR. ring.
  - rewrite E50 in Hy. rewrite E52, E53. apply Rabs_le_inv in Hy. 
    replace (IZR (2 ^ 52)) with 4503599627370496 by reflexivity.
    replace (IZR (2 ^ 53)) with 9007199254740992 by reflexivity.
    replace (IZR (3 * 2 ^ 51)) with 6755399441055744 by reflexivity.
    replace (IZR (2 ^ 50)) with 1125899906842624 in Hy by reflexivity.
    lra.
Qed.
