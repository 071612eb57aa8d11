(* What the lanes compute in binary64: which operations are exact, and why the others do not matter.

   docs/proofs/walk.md, Lemma W.26; crates/tmd-simd/src/walk/stages.rs. A fused multiply-add
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

(* Theorem F.5 (quotients). From a reciprocal that is too small by a relative 2^-41 to 2^-27, and a
   product that is rounded by 2^-53, a quotient below 2^26 is never too large, and too small by one
   at most. What that may do is Theorem W.14's business (nothing, for a walk) and Theorem E.17's
   (nothing, for the regular test). *)
Theorem quotient_estimate x y r product :
  0 <= x -> 0 < y -> x / y < bpow radix2 26 ->
  (1 - bpow radix2 (-27)) / y <= r <= (1 - bpow radix2 (-41)) / y ->
  x * r * (1 - bpow radix2 (-53)) <= product <= x * r * (1 + bpow radix2 (-53)) ->
  (Zfloor (x / y) - 1 <= Zfloor product <= Zfloor (x / y))%Z.
Proof.
  intros Hx Hy Hq (Hr0 & Hr1) (Hp0 & Hp1).
  set (e := bpow radix2 (-53)) in *.
  assert (E27 : bpow radix2 (-27) = / 134217728) by reflexivity.
  assert (E41 : bpow radix2 (-41) = / 2199023255552) by reflexivity.
  assert (E53 : e = / 9007199254740992) by reflexivity.
  assert (E26 : bpow radix2 26 = 67108864) by reflexivity.
  rewrite E27, E41, E26 in *. rewrite E53 in *. clear E27 E41 E53 E26.
  assert (H0 : 0 <= x / y) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]).
  set (w := x / y) in *.
  assert (L : w * (1 - / 134217728) <= x * r).
  { replace (w * (1 - / 134217728)) with (x * ((1 - / 134217728) / y)) by (unfold w; field; lra).
    apply Rmult_le_compat_l; lra. }
  assert (U : x * r <= w * (1 - / 2199023255552)).
  { replace (w * (1 - / 2199023255552)) with (x * ((1 - / 2199023255552) / y)) by (unfold w; field; lra).
    apply Rmult_le_compat_l; lra. }
  assert (Hle : product <= w).
  { apply Rle_trans with (1 := Hp1). nra. }
  assert (Hge : w - 1 < product).
  { apply Rlt_le_trans with (2 := Hp0). nra. }
  split; [|apply Zfloor_le; exact Hle].
  apply Zfloor_lub. rewrite minus_IZR. pose proof (Zfloor_lb w). lra.
Qed.

(* Theorem F.6 (places). near/P is known to 2^-25, and rounded to nearest: if a point of the line is
   within h, and |P| > 2h*(1 + 2^-20), it is that point. Otherwise none is within h, and any place
   will do. *)
Theorem place_found near_ P h estimate s choice :
  0 <= h -> 2 * h * (1 + bpow radix2 (-20)) < Rabs P -> Rabs (estimate - near_ / P) <= bpow radix2 (-25) ->
  Rabs (near_ - IZR s * P) <= h -> Znearest choice estimate = s.
Proof.
  intros Hh HP He Hs. apply Znearest_imp.
  assert (E20 : bpow radix2 (-20) = / 1048576) by reflexivity.
  assert (E25 : bpow radix2 (-25) = / 33554432) by reflexivity.
  rewrite E20, E25 in *. clear E20 E25.
  assert (HP0 : 0 < Rabs P) by lra.
  assert (NP : P <> 0) by (intros ->; rewrite Rabs_R0 in HP0; lra).
  assert (Hd : Rabs (near_ / P - IZR s) <= h / Rabs P).
  { replace (near_ / P - IZR s) with ((near_ - IZR s * P) / P) by (field; exact NP).
    unfold Rdiv. rewrite Rabs_mult, Rabs_inv. apply Rmult_le_compat_r; [|exact Hs].
    apply Rlt_le, Rinv_0_lt_compat. exact HP0. }
  assert (Hq : h / Rabs P <= (1 - / 2097152) / 2).
  { apply Rmult_le_reg_r with (Rabs P); [exact HP0|].
    replace (h / Rabs P * Rabs P) with h by (field; lra). nra. }
  replace (estimate - IZR s) with ((estimate - near_ / P) + (near_ / P - IZR s)) by ring.
  eapply Rle_lt_trans; [apply Rabs_triang|]. lra.
Qed.
