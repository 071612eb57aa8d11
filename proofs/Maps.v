(* Arguments from which others follow: functions that nearly repeat themselves, next to 0 and at
   large arguments.

   tmd_functions::repeating, tmd-driver::regions::translate; docs/proofs/domain.md, "What follows
   from where". An enclosure of f that is widened by delta at y holds a value v, of which f's result
   at another argument x is a multiple by a power of two, or from which it is an integer away:
   breakpoints, ulps and distances are those of v. With Taylor's theorem (Taylor) and the format's
   numbers (Composition).

   | name         | what it is                                                                          |
   |--------------|-------------------------------------------------------------------------------------|
   | emin, prec   | the format, as in Composition: its least normal number is 2^(emin + prec - 1)        |
   | f, f', f''   | the function and its derivatives                                                     |
   | y, x         | the argument that is searched, and one that follows from it                          |
   | v            | f(x), moved or multiplied to the size of f(y)                                        |
   | delta        | what enclosures of f(y) are widened by                                               |
*)

Require Import ZArith Reals Lia Lra Psatz.
From Flocq Require Import Core.Core.
Require Import TMD.Taylor TMD.Composition.
Open Scope R_scope.

(* Distances. *)

(* The distance from y to the next breakpoint, in ulps of y, is d. *)
Definition distance_is (emin prec : Z) (kind : breakpoints) (y d : R) : Prop :=
  (forall b, is_breakpoint emin prec kind b -> d * unit_of emin prec y <= Rabs (y - b)) /\
  (exists b, is_breakpoint emin prec kind b /\ Rabs (y - b) = d * unit_of emin prec y).

Lemma unit_positive emin prec y : 0 < unit_of emin prec y.
Proof. apply bpow_gt_0. Qed.

Lemma half_power e : bpow radix2 (e - 1) = bpow radix2 e / 2.
Proof. unfold Zminus. rewrite bpow_plus. cbn. lra. Qed.

Lemma next_power e : bpow radix2 (e + 1) = 2 * bpow radix2 e.
Proof. rewrite bpow_plus. cbn. lra. Qed.

Lemma power_cancels n y : bpow radix2 (- n) * (bpow radix2 n * y) = y.
Proof. rewrite <- Rmult_assoc, <- bpow_plus, Z.add_opp_diag_l. cbn. ring. Qed.

Lemma multiple_of_number em pr y c :
  generic_format radix2 (FLT_exp em pr) y -> (c <= cexp radix2 (FLT_exp em pr) y)%Z -> exists z, y = IZR z * bpow radix2 c.
Proof.
  intros Hy Hc. exists (Ztrunc (scaled_mantissa radix2 (FLT_exp em pr) y) * 2 ^ (cexp radix2 (FLT_exp em pr) y - c))%Z.
  rewrite mult_IZR. change (2 ^ (cexp radix2 (FLT_exp em pr) y - c))%Z with (Zpower radix2 (cexp radix2 (FLT_exp em pr) y - c)).
  rewrite IZR_Zpower by lia. rewrite Rmult_assoc, <- bpow_plus.
  replace (cexp radix2 (FLT_exp em pr) y - c + c)%Z with (cexp radix2 (FLT_exp em pr) y) by ring. exact Hy.
Qed.

(* Results that are multiplied by a power of two. *)

Lemma number_scaled em pr n b :
  (em + pr <= mag radix2 b)%Z -> (em + pr <= mag radix2 b + n)%Z ->
  generic_format radix2 (FLT_exp em pr) b -> generic_format radix2 (FLT_exp em pr) (bpow radix2 n * b).
Proof.
  intros H0 H1 Hb. destruct (Req_dec b 0) as [-> | N]; [rewrite Rmult_0_r; apply generic_format_0|].
  assert (Hc : cexp radix2 (FLT_exp em pr) (bpow radix2 n * b) = (n + cexp radix2 (FLT_exp em pr) b)%Z).
  { unfold cexp, FLT_exp. rewrite (Rmult_comm (bpow _ _)), mag_mult_bpow by exact N. lia. }
  assert (Hs : scaled_mantissa radix2 (FLT_exp em pr) (bpow radix2 n * b) = scaled_mantissa radix2 (FLT_exp em pr) b).
  { unfold scaled_mantissa. rewrite Hc, Z.opp_add_distr, bpow_plus.
    replace (bpow radix2 n * b * (bpow radix2 (- n) * bpow radix2 (- cexp radix2 (FLT_exp em pr) b)))
      with (bpow radix2 (- n) * (bpow radix2 n * b) * bpow radix2 (- cexp radix2 (FLT_exp em pr) b)) by ring.
    rewrite power_cancels. reflexivity. }
  unfold generic_format, F2R in *. cbn [Fnum Fexp] in *. rewrite Hs, Hc, bpow_plus.
  transitivity (bpow radix2 n * (IZR (Ztrunc (scaled_mantissa radix2 (FLT_exp em pr) b)) * bpow radix2 (cexp radix2 (FLT_exp em pr) b))).
  - f_equal. exact Hb.
  - ring.
Qed.

Section format.

Variables emin prec : Z.
Hypothesis some_bits : (1 < prec)%Z.

Lemma breakpoint_scaled kind n b :
  b <> 0 -> (emin + prec <= mag radix2 b)%Z -> (emin + prec <= mag radix2 b + n)%Z ->
  is_breakpoint emin prec kind b -> is_breakpoint emin prec kind (bpow radix2 n * b).
Proof.
  intros N H0 H1 Hb.
  assert (Hm : mag radix2 (bpow radix2 n * b) = (mag radix2 b + n)%Z :> Z) by (rewrite Rmult_comm; apply mag_mult_bpow; exact N).
  assert (Fine : number_or_midpoint emin prec b -> number_or_midpoint emin prec (bpow radix2 n * b))
    by (apply number_scaled; lia).
  destruct kind; cbn [is_breakpoint] in *.
  - apply number_scaled; assumption.
  - destruct Hb as (Hb & Nb). split; [apply Fine, Hb|]. intros H. apply Nb.
    rewrite <- (power_cancels n b). apply number_scaled; [lia | lia | exact H].
  - apply Fine, Hb.
Qed.

(* Half as large, or half as large again, is the next breakpoint away at most. *)
Lemma some_breakpoint kind v :
  v <> 0 -> (emin + prec <= mag radix2 v)%Z -> exists b, is_breakpoint emin prec kind b /\ Rabs (v - b) < Rabs v / 2.
Proof.
  intros Hv Hm.
  assert (P0 : Prec_gt_0 prec) by (unfold Prec_gt_0; lia). assert (P1 : Prec_gt_0 (prec + 1)) by (unfold Prec_gt_0; lia).
  assert (Pos : forall v, 0 < v -> (emin + prec <= mag radix2 v)%Z ->
            exists b, is_breakpoint emin prec kind b /\ Rabs (v - b) < Rabs v / 2).
  { clear v Hv Hm. intros v Hv Hm. set (e := mag radix2 v) in *.
    assert (Hlow : bpow radix2 (e - 1) <= v) by (rewrite <- (Rabs_pos_eq v) by lra; apply bpow_mag_le; lra).
    assert (Hhigh : v < 2 * bpow radix2 (e - 1)).
    { rewrite half_power. replace (2 * (bpow radix2 e / 2)) with (bpow radix2 e) by field.
      eapply Rle_lt_trans; [apply Rle_abs | apply bpow_mag_gt]. }
    assert (Hone : number emin prec (bpow radix2 (e - 1))).
    { apply generic_format_bpow. unfold FLT_exp. lia. }
    assert (Hone' : number_or_midpoint emin prec (bpow radix2 (e - 1))).
    { apply generic_format_bpow. unfold FLT_exp. lia. }
    set (w := bpow radix2 (e - 1 - prec)).
    assert (Ew : bpow radix2 (e - 1) = IZR (2 ^ prec) * w).
    { change (2 ^ prec)%Z with (Zpower radix2 prec). rewrite IZR_Zpower by lia. unfold w. rewrite <- bpow_plus. f_equal. ring. }
    assert (Hw : 0 < w) by apply bpow_gt_0.
    assert (H4 : 4 <= IZR (2 ^ prec)).
    { apply IZR_le. change 4%Z with (2 ^ 2)%Z. apply Z.pow_le_mono_r; lia. }
    assert (Power : exists b, (number emin prec b /\ number_or_midpoint emin prec b) /\ Rabs (v - b) < Rabs v / 2).
    { exists (bpow radix2 (e - 1)). split; [split; assumption|]. rewrite !Rabs_pos_eq by lra. lra. }
    destruct kind; cbn [is_breakpoint].
    - destruct Power as (b & (H & _) & Hd). exists b. split; assumption.
    - exists (IZR (2 ^ prec + 1) * w). split; [split|].
      + unfold number_or_midpoint. apply generic_format_FLT. exists (Float radix2 (2 ^ prec + 1) (e - 1 - prec)); cbn [Fnum Fexp].
        * reflexivity.
        * change (Zpower radix2 (prec + 1)) with (2 ^ (prec + 1))%Z. rewrite Z.pow_add_r, Z.abs_eq by lia.
          assert (1 < 2 ^ prec)%Z by (apply Z.pow_gt_1; lia). lia.
        * lia.
      + intros H.
        assert (Hmag : mag radix2 (IZR (2 ^ prec + 1) * w) = e :> Z).
        { apply mag_unique_pos. rewrite plus_IZR. rewrite Rmult_plus_distr_r, <- Ew. split; [lra|].
          apply Rlt_le_trans with (2 * bpow radix2 (e - 1)); [rewrite Ew; nra | rewrite half_power; lra]. }
        destruct (multiple_of_number _ _ _ (e - prec) H) as (z & Hz); [unfold cexp, FLT_exp; rewrite Hmag; lia|].
        assert (Hz2 : bpow radix2 (e - prec) = 2 * w).
        { unfold w. rewrite <- next_power. f_equal. ring. }
        rewrite Hz2 in Hz.
        assert (Hodd : IZR (2 ^ prec + 1) = IZR (2 * z)).
        { rewrite mult_IZR. apply Rmult_eq_reg_r with w; [|lra]. rewrite Hz. ring. }
        apply eq_IZR in Hodd. replace prec with (Z.succ (prec - 1)) in Hodd by ring. rewrite Z.pow_succ_r in Hodd by lia. lia.
      + rewrite plus_IZR, Rmult_plus_distr_r, <- Ew, (Rabs_pos_eq v) by lra. apply Rabs_lt. rewrite Ew in *. split; nra.
    - destruct Power as (b & (_ & H) & Hd). exists b. split; assumption. }
  destruct (Rlt_le_dec 0 v) as [L | L]; [apply Pos; assumption|].
  destruct (Pos (- v)) as (b & Hb & Hd); [lra | rewrite mag_opp; exact Hm |].
  exists (- b). split.
  - destruct kind; cbn [is_breakpoint] in *; [apply generic_format_opp, Hb | | apply generic_format_opp, Hb].
    destruct Hb as (Hb & Nb). split; [apply generic_format_opp, Hb|]. intros H. apply Nb.
    rewrite <- (Ropp_involutive b). apply generic_format_opp, H.
  - rewrite Rabs_Ropp in Hd. replace (v - - b) with (- (- v - b)) by ring. rewrite Rabs_Ropp. exact Hd.
Qed.

(* v and 2^n*v with a binade or more to the subnormal numbers. *)
Section scaled.

Variables (n : Z) (v : R).
Hypothesis not_zero : v <> 0.
Hypothesis here_normal : (emin + prec + 1 <= mag radix2 v)%Z.
Hypothesis there_normal : (emin + prec + 1 <= mag radix2 v + n)%Z.

Lemma mag_scaled : mag radix2 (bpow radix2 n * v) = (mag radix2 v + n)%Z :> Z.
Proof. rewrite Rmult_comm. apply mag_mult_bpow. exact not_zero. Qed.

Lemma unit_scaled : unit_of emin prec (bpow radix2 n * v) = bpow radix2 n * unit_of emin prec v.
Proof. unfold unit_of, cexp, FLT_exp. rewrite mag_scaled, <- bpow_plus. f_equal. lia. Qed.

Lemma distance_scaled b : Rabs (bpow radix2 n * v - bpow radix2 n * b) = bpow radix2 n * Rabs (v - b).
Proof.
  rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq (bpow _ _)) by apply bpow_ge_0. reflexivity.
Qed.

Lemma breakpoints_scaled kind b :
  Rabs (v - b) <= Rabs v / 2 -> is_breakpoint emin prec kind b <-> is_breakpoint emin prec kind (bpow radix2 n * b).
Proof.
  intros Hb. pose proof (Rabs_pos_lt v not_zero) as Hv.
  assert (Hb2 : Rabs v / 2 <= Rabs b).
  { pose proof (Rabs_triang_inv v b). lra. }
  assert (Nb : b <> 0) by (intros ->; rewrite Rabs_R0 in Hb2; lra).
  assert (Hm : (mag radix2 v - 1 <= mag radix2 b)%Z).
  { apply mag_ge_bpow. eapply Rle_trans; [|exact Hb2]. rewrite half_power.
    pose proof (bpow_mag_le radix2 v not_zero). lra. }
  assert (Hm' : mag radix2 (bpow radix2 n * b) = (mag radix2 b + n)%Z :> Z) by (rewrite Rmult_comm; apply mag_mult_bpow; exact Nb).
  assert (Nb' : bpow radix2 n * b <> 0).
  { apply Rmult_integral_contrapositive_currified; [apply Rgt_not_eq, bpow_gt_0 | exact Nb]. }
  split; intros H.
  - apply breakpoint_scaled; [exact Nb | lia | lia | exact H].
  - rewrite <- (power_cancels n b). apply breakpoint_scaled; [exact Nb' | lia | lia | exact H].
Qed.

Lemma case_scaled_back kind eps :
  eps <= / 4 -> hr_case emin prec kind eps (bpow radix2 n * v) <-> hr_case emin prec kind eps v.
Proof.
  intros He. split; intros H.
  - rewrite <- (power_cancels n v). apply case_scaled; [exact some_bits | exact He | | | exact H]; rewrite mag_scaled; lia.
  - apply case_scaled; [exact some_bits | exact He | lia | lia | exact H].
Qed.

End scaled.

Lemma distances_scaled_up kind n v d :
  v <> 0 -> (emin + prec + 1 <= mag radix2 v)%Z -> (emin + prec + 1 <= mag radix2 v + n)%Z ->
  distance_is emin prec kind v d -> distance_is emin prec kind (bpow radix2 n * v) d.
Proof.
  intros Hv H0 H1 (Hall & b & Hb & Hd).
  assert (Hn : 0 < bpow radix2 n) by apply bpow_gt_0.
  destruct (some_breakpoint kind v Hv ltac:(lia)) as (b0 & Hb0 & Hd0).
  assert (Hclose : d * unit_of emin prec v < Rabs v / 2) by (eapply Rle_lt_trans; [apply (Hall b0 Hb0) | exact Hd0]).
  unfold distance_is. rewrite (unit_scaled n v Hv H0 H1).
  replace (d * (bpow radix2 n * unit_of emin prec v)) with (bpow radix2 n * (d * unit_of emin prec v)) by ring. split.
  - intros b' Hb'.
    replace b' with (bpow radix2 n * (bpow radix2 (- n) * b')) in Hb' |- *
      by (rewrite <- Rmult_assoc, <- bpow_plus, Z.add_opp_diag_r; cbn; ring).
    rewrite distance_scaled. apply Rmult_le_compat_l; [lra|].
    destruct (Rle_lt_dec (Rabs (v - bpow radix2 (- n) * b')) (Rabs v / 2)) as [L | L]; [|lra].
    apply Hall. apply (breakpoints_scaled n v Hv H0 H1 kind _ L). exact Hb'.
  - exists (bpow radix2 n * b). split.
    + apply (breakpoints_scaled n v Hv H0 H1 kind b); [lra | exact Hb].
    + rewrite distance_scaled, Hd. reflexivity.
Qed.

Lemma distances_scaled kind n v d :
  v <> 0 -> (emin + prec + 1 <= mag radix2 v)%Z -> (emin + prec + 1 <= mag radix2 v + n)%Z ->
  distance_is emin prec kind (bpow radix2 n * v) d <-> distance_is emin prec kind v d.
Proof.
  intros Hv H0 H1. split; [|apply distances_scaled_up; assumption].
  intros H. rewrite <- (power_cancels n v). pose proof (mag_scaled n v Hv) as Hm.
  apply distances_scaled_up; [| lia | lia | exact H].
  apply Rmult_integral_contrapositive_currified; [apply Rgt_not_eq, bpow_gt_0 | exact Hv].
Qed.


(* Next to 0. *)

Section next_to_zero.

Variables (f f' f'' : R -> R) (a : Z) (M : R).
Hypothesis zero : f 0 = 0.
Hypothesis first : forall z, Rabs z < bpow radix2 (a + 1) -> derivable_pt_lim f z (f' z).
Hypothesis second : forall z, Rabs z < bpow radix2 (a + 1) -> derivable_pt_lim f' z (f'' z).
Hypothesis bounded : forall z, Rabs z < bpow radix2 (a + 1) -> Rabs (f'' z / 2) <= M.

Definition around_zero (k : nat) : R -> R := match k with O => f | 1%nat => f' | _ => f'' end.

Lemma bound_positive : 0 <= M.
Proof.
  eapply Rle_trans; [apply Rabs_pos | apply (bounded 0)]. rewrite Rabs_R0. apply bpow_gt_0.
Qed.

Lemma taylor_next_to_zero t x reach :
  Rabs t <= reach -> Rabs x <= reach -> reach < bpow radix2 (a + 1) ->
  Rabs (f x - (f t + f' t * (x - t))) <= M * (x - t) ^ 2.
Proof.
  intros Ht Hx Hr. apply Rabs_le_inv in Ht, Hx.
  assert (In : forall z, - reach <= z <= reach -> Rabs z < bpow radix2 (a + 1)).
  { intros z Hz. apply Rabs_lt. lra. }
  destruct (taylor_remainder around_zero 1 (- reach) reach t x) as (xi & Hxi & E).
  - intros [|[|k]] s Hk Hs; [apply first | apply second | lia]; apply In; exact Hs.
  - lra.
  - lra.
  - cbn [taylor around_zero] in E. cbn [fact INR] in E. rewrite E.
    replace (f t + f' t / INR (1 * 1) * (x - t) ^ 1 + f'' xi / INR (2 * (1 * 1)) * (x - t) ^ 2 - (f t + f' t * (x - t)))
      with (f'' xi / 2 * (x - t) ^ 2) by (cbn; field).
    rewrite Rabs_mult, (Rabs_pos_eq ((x - t) ^ 2)) by apply pow2_ge_0.
    apply Rmult_le_compat_r; [apply pow2_ge_0 | apply bounded, In; exact Hxi].
Qed.

(* Lemma M.18 (next to 0). f(t*y)/t is near f(y); less than delta away unless f'' is 0
   everywhere. *)
Theorem next_to_zero y t :
  Rabs y < bpow radix2 (a + 1) -> 0 < t <= 1 ->
  Rabs (f (t * y) / t - f y) <= (1 - t) * M * y ^ 2 /\
  (1 - t) * M * y ^ 2 <= M * bpow radix2 (2 * (a + 1)) /\
  (0 < M -> (1 - t) * M * y ^ 2 < M * bpow radix2 (2 * (a + 1))).
Proof.
  intros Hy Ht. pose proof bound_positive as HM.
  assert (Hyy : 0 <= y ^ 2 < bpow radix2 (2 * (a + 1))).
  { replace (2 * (a + 1))%Z with (a + 1 + (a + 1))%Z by ring. rewrite bpow_plus. apply Rabs_lt_inv in Hy.
    replace (y ^ 2) with (y * y) by ring. split; nra. }
  assert (Hty : (1 - t) * y ^ 2 <= y ^ 2) by nra.
  split; [|split; [|intros HM0]]; [|rewrite (Rmult_comm (1 - t)), Rmult_assoc; apply Rmult_le_compat_l; lra
                                   |rewrite (Rmult_comm (1 - t)), Rmult_assoc; apply Rmult_lt_compat_l; lra].
  destruct (Req_dec t 1) as [-> | N].
  { replace (f (1 * y) / 1 - f y) with 0 by (rewrite Rmult_1_l; field). rewrite Rabs_R0. lra. }
  assert (Inside : forall s, t <= s <= 1 -> Rabs (s * y) <= Rabs y).
  { intros s Hs. rewrite Rabs_mult, (Rabs_pos_eq s) by lra. pose proof (Rabs_pos y). nra. }
  pose (g s := f (s * y) / s). pose (g' s := (s * y * f' (s * y) - f (s * y)) / s ^ 2).
  destruct (MVT_cor2 g g' t 1 ltac:(lra)) as (s & E & Hs).
  { intros s Hs.
    assert (Hsy : Rabs (s * y) < bpow radix2 (a + 1)) by (eapply Rle_lt_trans; [apply Inside; exact Hs | exact Hy]).
    apply lim_eq with (f := div_fct (comp f (fun s => s * y)) (fun s => s)) (l := (f' (s * y) * y * s - 1 * f (s * y)) / Rsqr s).
    - intros s'. reflexivity.
    - unfold g', Rsqr. field. lra.
    - apply (derivable_pt_lim_div (comp f (fun s => s * y)) (fun s => s) s (f' (s * y) * y) 1).
      + apply derivable_pt_lim_comp; [|apply first; exact Hsy].
        apply lim_eq with (f := mult_real_fct y (fun s => s)) (l := y * 1); [intros; unfold mult_real_fct; ring | ring |].
        apply derivable_pt_lim_scal, derivable_pt_lim_id.
      + apply derivable_pt_lim_id.
      + lra. }
  assert (Hg : Rabs (g' s) <= M * y ^ 2).
  { assert (HT := taylor_next_to_zero (s * y) 0 (Rabs y) (Inside s ltac:(lra)) ltac:(rewrite Rabs_R0; apply Rabs_pos) Hy).
    rewrite zero in HT. unfold g'.
    replace (s * y * f' (s * y) - f (s * y)) with (0 - (f (s * y) + f' (s * y) * (0 - s * y))) by ring.
    assert (Hs2 : 0 < s ^ 2) by (cbn; nra).
    unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ s ^ 2)) by (apply Rlt_le, Rinv_0_lt_compat; exact Hs2).
    apply Rmult_le_reg_r with (s ^ 2); [exact Hs2|].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    replace (M * y ^ 2 * s ^ 2) with (M * (0 - s * y) ^ 2) by ring. exact HT. }
  replace (f (t * y) / t - f y) with (- (g 1 - g t)) by (unfold g; rewrite Rmult_1_l; field; lra).
  rewrite E, Rabs_Ropp, Rabs_mult, (Rabs_pos_eq (1 - t)) by lra. nra.
Qed.

(* Theorem M.19 (one binade for all below). x = 2^n*y. Nothing is asked of y's bits, and of c =
   f'(0) only between which powers of two it is. *)
Theorem one_binade_for_all_below h H n k y :
  let delta := M * bpow radix2 (2 * (a + 1)) in
  let x := bpow radix2 n * y in
  let v := bpow radix2 (- n) * f x in
  bpow radix2 h <= Rabs (f' 0) < bpow radix2 H -> delta <= Rabs (f' 0) * bpow radix2 (a - 1) ->
  Rabs y < bpow radix2 (a + 1) -> (n <= 0)%Z -> bpow radix2 k <= Rabs x -> (emin + prec - 1 + 2 <= k + h)%Z ->
  Rabs (v - f y) <= delta /\
  bpow radix2 (emin + prec) <= Rabs (f x) <= Rabs v /\ Rabs v < bpow radix2 (a + H + 2) /\
  unit_of emin prec (f x) = bpow radix2 n * unit_of emin prec v /\
  (forall kind d, distance_is emin prec kind (f x) d <-> distance_is emin prec kind v d) /\
  (forall kind b, Rabs (v - b) <= Rabs v / 2 -> is_breakpoint emin prec kind b <-> is_breakpoint emin prec kind (bpow radix2 n * b)) /\
  (forall kind eps, eps <= / 4 -> hr_case emin prec kind eps (f x) <-> hr_case emin prec kind eps v).
Proof.
  intros delta x v Hc Hdelta Hy Hn Hk Hnormal.
  set (c := Rabs (f' 0)) in *. set (p := bpow radix2 (a + 1)) in *. set (t := bpow radix2 n).
  assert (Ht : 0 < t <= 1).
  { split; [apply bpow_gt_0|]. change 1 with (bpow radix2 0). apply bpow_le. exact Hn. }
  assert (Hp : 0 < p) by apply bpow_gt_0.
  pose proof bound_positive as HM.
  assert (Ev : v = f (t * y) / t).
  { unfold v. rewrite bpow_opp. unfold x, t. field. apply Rgt_not_eq, bpow_gt_0. }
  assert (Efx : f x = t * v).
  { rewrite Ev. unfold x. fold t. field. lra. }
  assert (Mem : Rabs (v - f y) <= delta).
  { rewrite Ev. destruct (next_to_zero y t Hy Ht) as (H0 & H1 & _). unfold delta. lra. }
  assert (Hxy : Rabs x <= Rabs y).
  { unfold x. fold t. rewrite Rabs_mult, (Rabs_pos_eq t) by lra. pose proof (Rabs_pos y). nra. }
  (* f(x) is within a quarter of c*x *)
  assert (Hquarter : M * p <= c / 4).
  { unfold delta in Hdelta. replace (2 * (a + 1))%Z with (a + 1 + (a + 1))%Z in Hdelta by ring. rewrite bpow_plus in Hdelta. fold p in Hdelta.
    replace (a - 1)%Z with (a + 1 - 1 - 1)%Z in Hdelta by ring. rewrite !half_power in Hdelta. fold p in Hdelta.
    apply Rmult_le_reg_r with p; [exact Hp|]. lra. }
  assert (Line : Rabs (f x - f' 0 * x) <= c / 4 * Rabs x).
  { assert (HT := taylor_next_to_zero 0 x (Rabs y) ltac:(rewrite Rabs_R0; apply Rabs_pos) Hxy Hy).
    rewrite zero, Rminus_0_r, Rplus_0_l in HT. eapply Rle_trans; [exact HT|].
    rewrite <- (Rabs_pos_eq (x ^ 2)) by apply pow2_ge_0. rewrite <- RPow_abs.
    pose proof (Rabs_pos x). replace (M * Rabs x ^ 2) with (M * Rabs x * Rabs x) by ring.
    apply Rmult_le_compat_r; [lra|]. eapply Rle_trans; [|exact Hquarter]. apply Rmult_le_compat_l; [exact HM | lra]. }
  assert (Size : 3 / 4 * (c * Rabs x) <= Rabs (f x) <= 5 / 4 * (c * Rabs x)).
  { assert (Ec : Rabs (f' 0 * x) = c * Rabs x) by apply Rabs_mult.
    pose proof (Rabs_triang_inv (f' 0 * x) (f x)) as T1. rewrite Rabs_minus_sym in T1.
    pose proof (Rabs_triang_inv (f x) (f' 0 * x)) as T2. lra. }
  assert (Hlow : bpow radix2 (emin + prec) <= Rabs (f x)).
  { apply Rle_trans with (bpow radix2 (k + h - 1)); [apply bpow_le; lia|].
    rewrite half_power, bpow_plus.
    assert (bpow radix2 k * bpow radix2 h <= Rabs x * c).
    { apply Rmult_le_compat; [apply bpow_ge_0 | apply bpow_ge_0 | exact Hk | apply Hc]. }
    pose proof (bpow_gt_0 radix2 k). pose proof (bpow_gt_0 radix2 h).
    assert (0 < bpow radix2 k * bpow radix2 h) by (apply Rmult_lt_0_compat; assumption). lra. }
  assert (Hpos : 0 < Rabs (f x)) by (eapply Rlt_le_trans; [apply bpow_gt_0 | exact Hlow]).
  assert (Efv : Rabs (f x) = t * Rabs v) by (rewrite Efx, Rabs_mult, (Rabs_pos_eq t) by lra; reflexivity).
  assert (Hv : Rabs (f x) <= Rabs v).
  { rewrite Efv. pose proof (Rabs_pos v). nra. }
  assert (Nv : v <> 0) by (intros E; rewrite E, Rabs_R0 in Hv; lra).
  assert (Hhigh : Rabs v < bpow radix2 (a + H + 2)).
  { assert (Rabs v <= 5 / 4 * (c * Rabs y)).
    { apply Rmult_le_reg_l with t; [lra|]. rewrite <- Efv.
      replace (t * (5 / 4 * (c * Rabs y))) with (5 / 4 * (c * Rabs x)); [apply Size|].
      unfold x. fold t. rewrite Rabs_mult, (Rabs_pos_eq t) by lra. ring. }
    replace (a + H + 2)%Z with (H + (a + 1) + 1)%Z by ring. rewrite next_power, bpow_plus. fold p.
    assert (0 < c) by (eapply Rlt_le_trans; [apply bpow_gt_0 | apply Hc]).
    pose proof (Rabs_pos y). assert (c * Rabs y <= bpow radix2 H * p) by (apply Rmult_le_compat; lra).
    assert (0 < bpow radix2 H * p) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (Mv : (emin + prec + 1 <= mag radix2 v)%Z).
  { apply mag_ge_bpow. replace (emin + prec + 1 - 1)%Z with (emin + prec)%Z by ring. lra. }
  assert (Mf : (emin + prec + 1 <= mag radix2 v + n)%Z).
  { rewrite <- (mag_scaled n v Nv). apply mag_ge_bpow. replace (emin + prec + 1 - 1)%Z with (emin + prec)%Z by ring.
    fold t. rewrite <- Efx. exact Hlow. }
  rewrite !Efx. fold t in Efx |- *. rewrite <- Efx.
  split; [exact Mem|]. split; [lra|]. split; [exact Hhigh|].
  rewrite Efx. split; [apply unit_scaled; assumption|]. split; [|split].
  - intros kind d. apply (distances_scaled kind n v); assumption.
  - intros kind b Hb. apply (breakpoints_scaled n v); assumption.
  - intros kind eps He. apply (case_scaled_back n v); assumption.
Qed.

End next_to_zero.

(* Results between the same two powers of two, an integer apart. *)

Section moved.

Variables (j z : Z) (v : R).
Hypothesis integers : (Z.max (j + 1 - prec) emin <= 0)%Z.

(* the ulp between 2^j and 2^(j+1), and 2^j in ulps *)
Definition unit_between : R := bpow radix2 (Z.max (j + 1 - prec) emin).

Lemma unit_between_is y : bpow radix2 j < y < bpow radix2 (j + 1) -> unit_of emin prec y = unit_between.
Proof.
  intros Hy. pose proof (bpow_gt_0 radix2 j). apply one_unit. rewrite Rabs_pos_eq by lra. lra.
Qed.

Lemma integer_in_units m : exists k, IZR m = IZR k * unit_between.
Proof.
  exists (m * 2 ^ (- Z.max (j + 1 - prec) emin))%Z. rewrite mult_IZR.
  change (2 ^ (- Z.max (j + 1 - prec) emin))%Z with (Zpower radix2 (- Z.max (j + 1 - prec) emin)).
  rewrite IZR_Zpower by lia. unfold unit_between. rewrite Rmult_assoc, <- bpow_plus, Z.add_opp_diag_l. cbn. ring.
Qed.

(* Between the two powers of two numbers are the multiples of the ulp, and with midpoints those of
   its half. *)
Lemma grid_between b :
  bpow radix2 j <= b <= bpow radix2 (j + 1) ->
  (number emin prec b <-> exists k, b = IZR k * unit_between) /\
  (number_or_midpoint emin prec b <-> exists k, b = IZR k * (unit_between / 2)).
Proof.
  intros Hb. pose proof (bpow_gt_0 radix2 j) as Hj.
  assert (P0 : Prec_gt_0 prec) by (unfold Prec_gt_0; lia). assert (P1 : Prec_gt_0 (prec + 1)) by (unfold Prec_gt_0; lia).
  assert (Hm : (j + 1 <= mag radix2 b)%Z).
  { apply mag_ge_bpow. replace (j + 1 - 1)%Z with j by ring. rewrite Rabs_pos_eq; lra. }
  set (c := Z.max (j + 1 - prec) emin).
  assert (Ec : unit_between = bpow radix2 c) by reflexivity.
  assert (Ec2 : unit_between / 2 = bpow radix2 (c - 1)) by (rewrite half_power; reflexivity).
  assert (Small : forall em pr k e, (1 < pr)%Z -> (em <= e)%Z -> (j + 1 <= pr + e)%Z -> b = IZR k * bpow radix2 e -> number em pr b).
  { intros em pr k e Hpr He Hje E. rewrite E. apply small_multiple; [exact Hpr | | exact He].
    apply le_IZR. rewrite abs_IZR. change (2 ^ pr)%Z with (Zpower radix2 pr). rewrite IZR_Zpower by lia.
    apply Rmult_le_reg_r with (bpow radix2 e); [apply bpow_gt_0|]. rewrite <- bpow_plus.
    replace (Rabs (IZR k) * bpow radix2 e) with (Rabs b)
      by (rewrite E, Rabs_mult, (Rabs_pos_eq (bpow _ _)) by apply bpow_ge_0; reflexivity).
    rewrite Rabs_pos_eq by lra. eapply Rle_trans; [apply Hb | apply bpow_le; lia]. }
  rewrite Ec2, Ec. split; split.
  - intros H. apply (multiple_of_number emin prec); [exact H | unfold c, cexp, FLT_exp; lia].
  - intros (k & E). apply (Small emin prec k c); [lia | unfold c; lia | unfold c; lia | exact E].
  - intros H. apply (multiple_of_number (emin - 1) (prec + 1)); [exact H | unfold c, cexp, FLT_exp; lia].
  - intros (k & E). apply (Small (emin - 1)%Z (prec + 1)%Z k (c - 1)%Z); [lia | unfold c; lia | unfold c; lia | exact E].
Qed.

Lemma breakpoints_moved_up kind b m :
  bpow radix2 j <= b <= bpow radix2 (j + 1) -> bpow radix2 j <= b + IZR m <= bpow radix2 (j + 1) ->
  is_breakpoint emin prec kind b -> is_breakpoint emin prec kind (b + IZR m).
Proof.
  intros H0 H1. destruct (grid_between b H0) as (N0 & M0). destruct (grid_between _ H1) as (N1 & M1).
  destruct (integer_in_units m) as (i & Ei).
  assert (N : number emin prec b <-> number emin prec (b + IZR m)).
  { rewrite N0, N1. split; intros (k & E); [exists (k + i)%Z; rewrite plus_IZR | exists (k - i)%Z; rewrite minus_IZR]; lra. }
  assert (Mid : number_or_midpoint emin prec b <-> number_or_midpoint emin prec (b + IZR m)).
  { rewrite M0, M1. split; intros (k & E); [exists (k + 2 * i)%Z; rewrite plus_IZR | exists (k - 2 * i)%Z; rewrite minus_IZR];
      rewrite mult_IZR; lra. }
  destruct kind; cbn [is_breakpoint]; tauto.
Qed.

Hypothesis here : bpow radix2 j < v < bpow radix2 (j + 1).
Hypothesis there : bpow radix2 j < v + IZR z < bpow radix2 (j + 1).

Lemma unit_moved : unit_of emin prec (v + IZR z) = unit_of emin prec v.
Proof. rewrite !unit_between_is by assumption. reflexivity. Qed.

End moved.

Lemma case_moved_up kind eps j z v :
  (Z.max (j + 1 - prec) emin <= 0)%Z -> bpow radix2 j < v < bpow radix2 (j + 1) -> bpow radix2 j < v + IZR z < bpow radix2 (j + 1) ->
  eps <= / 4 -> hr_case emin prec kind eps v -> hr_case emin prec kind eps (v + IZR z).
Proof.
  intros Hi H0 H1 He H. pose proof (bpow_gt_0 radix2 j). apply case_moved; [exact some_bits | exact He | lra | | | exact H].
  - apply (unit_moved j z v); assumption.
  - rewrite (unit_between_is j v H0). apply integer_in_units. exact Hi.
Qed.

(* A breakpoint that is less than a quarter of an ulp from v is a multiple of half an ulp, and so
   not in the binade below. *)
Lemma near_is_multiple kind j v b :
  bpow radix2 j < v < bpow radix2 (j + 1) -> is_breakpoint emin prec kind b -> Rabs (v - b) < unit_between j / 4 ->
  exists k, b = IZR k * (unit_between j / 2).
Proof.
  intros Hv Hb Hd. pose proof (bpow_gt_0 radix2 j) as Hj.
  assert (P1 : Prec_gt_0 (prec + 1)) by (unfold Prec_gt_0; lia). assert (P0 : Prec_gt_0 prec) by (unfold Prec_gt_0; lia).
  pose proof (unit_between_is j v Hv) as Hu.
  assert (Hfine : bpow radix2 (cexp radix2 (FLT_exp (emin - 1) (prec + 1)) v) = unit_between j / 2).
  { rewrite <- Hu. unfold unit_of, cexp, FLT_exp.
    replace (Z.max (mag radix2 v - (prec + 1)) (emin - 1)) with (Z.max (mag radix2 v - prec) emin - 1)%Z by lia. apply half_power. }
  assert (Hu0 : 0 < unit_between j) by apply bpow_gt_0.
  assert (Any : number_or_midpoint emin prec b).
  { destruct kind; cbn [is_breakpoint] in Hb; [|apply Hb | exact Hb].
    unfold number in Hb. unfold number_or_midpoint. apply generic_format_FLT.
    destruct (FLT_format_generic radix2 emin prec b Hb) as [g Eg Hm He]. exists g; [exact Eg | | lia].
    eapply Z.lt_le_trans; [exact Hm|]. apply Zpower_le. lia. }
  destruct (own_grid (emin - 1) (prec + 1) v b P1 ltac:(lra) Any) as (k & Ek); [rewrite Hfine; lra|].
  exists k. rewrite <- Hfine. exact Ek.
Qed.

Lemma multiple_is_between j v k :
  (Z.max (j + 1 - prec) emin <= j)%Z -> bpow radix2 j < v < bpow radix2 (j + 1) ->
  Rabs (v - IZR k * (unit_between j / 2)) < unit_between j / 4 -> bpow radix2 j <= IZR k * (unit_between j / 2) <= bpow radix2 (j + 1).
Proof.
  intros Hc Hv Hd. set (c := Z.max (j + 1 - prec) emin) in *.
  assert (Hu0 : 0 < unit_between j) by apply bpow_gt_0.
  assert (Power : forall e, (c <= e)%Z -> exists i, bpow radix2 e = IZR i * (unit_between j / 2)).
  { intros e He. exists (2 ^ (e - c + 1))%Z. change (2 ^ (e - c + 1))%Z with (Zpower radix2 (e - c + 1)). rewrite IZR_Zpower by lia.
    unfold unit_between. fold c. rewrite <- half_power, <- bpow_plus. f_equal. ring. }
  destruct (Power j Hc) as (i0 & E0). destruct (Power (j + 1)%Z ltac:(lia)) as (i1 & E1).
  assert (Step : forall i i', IZR i * (unit_between j / 2) < IZR i' * (unit_between j / 2) + unit_between j / 2 -> (i <= i')%Z).
  { intros i i' Hii. apply Zlt_succ_le. apply lt_IZR. rewrite succ_IZR. apply Rmult_lt_reg_r with (unit_between j / 2); lra. }
  apply Rabs_lt_inv in Hd. rewrite E0, E1 in *.
  assert (L : (i0 <= k)%Z) by (apply Step; lra). assert (U : (k <= i1)%Z) by (apply Step; lra).
  apply IZR_le in L, U. split; apply Rmult_le_compat_r; lra.
Qed.

(* Breakpoints less than a quarter of an ulp away move along. *)
Lemma near_moved kind j z v b :
  (Z.max (j + 1 - prec) emin <= 0)%Z -> (0 <= j)%Z ->
  bpow radix2 j < v < bpow radix2 (j + 1) -> bpow radix2 j < v + IZR z < bpow radix2 (j + 1) ->
  Rabs (v - b) < unit_between j / 4 -> is_breakpoint emin prec kind b -> is_breakpoint emin prec kind (b + IZR z).
Proof.
  intros Hi Hj Hv Hv' Hd Hb. destruct (near_is_multiple kind j v b Hv Hb Hd) as (k & Ek).
  destruct (integer_in_units j Hi z) as (m & Em).
  assert (E : b + IZR z = IZR (k + 2 * m) * (unit_between j / 2)) by (rewrite plus_IZR, mult_IZR, Ek, Em; field).
  apply (breakpoints_moved_up j Hi); [| | exact Hb].
  - rewrite Ek. apply (multiple_is_between j v); [lia | exact Hv | rewrite <- Ek; exact Hd].
  - rewrite E. apply (multiple_is_between j (v + IZR z)); [lia | exact Hv'|].
    rewrite <- E. replace (v + IZR z - (b + IZR z)) with (v - b) by ring. exact Hd.
Qed.

(* Distances are the same below 1/4; all are, where numbers are breakpoints. Of midpoints alone the
   next one may be in the binade below one result, a quarter of an ulp from a power of two, and half
   an ulp from the other's integer. *)
Lemma distances_moved_up kind j i z v d :
  (Z.max (j + 1 - prec) emin <= 0)%Z -> (0 <= j)%Z ->
  bpow radix2 j <= IZR i -> IZR (i + 1) <= bpow radix2 (j + 1) -> IZR i < v < IZR (i + 1) ->
  bpow radix2 j <= IZR (i + z) -> IZR (i + z + 1) <= bpow radix2 (j + 1) ->
  kind <> Nearest \/ d < / 4 ->
  distance_is emin prec kind v d -> distance_is emin prec kind (v + IZR z) d.
Proof.
  intros Hi Hj Hlow Hhigh Hv Hlow' Hhigh' Hkind (Hall & b & Hb & Hd).
  assert (Hv' : IZR (i + z) < v + IZR z < IZR (i + z + 1)) by (rewrite !plus_IZR in *; lra).
  assert (B : bpow radix2 j < v < bpow radix2 (j + 1)) by lra.
  assert (B' : bpow radix2 j < v + IZR z < bpow radix2 (j + 1)) by lra.
  unfold distance_is. rewrite (unit_moved j z v B B'). rewrite (unit_between_is j v B) in *.
  pose proof (bpow_gt_0 radix2 (Z.max (j + 1 - prec) emin)) as Hu. fold (unit_between j) in Hu.
  assert (Up : forall b, bpow radix2 j <= b <= bpow radix2 (j + 1) -> bpow radix2 j <= b + IZR z <= bpow radix2 (j + 1) ->
             is_breakpoint emin prec kind b -> is_breakpoint emin prec kind (b + IZR z))
    by (intros; apply (breakpoints_moved_up j Hi); assumption).
  assert (Down : forall b, bpow radix2 j <= b <= bpow radix2 (j + 1) -> bpow radix2 j <= b - IZR z <= bpow radix2 (j + 1) ->
             is_breakpoint emin prec kind b -> is_breakpoint emin prec kind (b - IZR z)).
  { intros b' H0 H1. unfold Rminus in *. rewrite <- opp_IZR in *. apply (breakpoints_moved_up j Hi); assumption. }
  destruct Hkind as [Hkind | Hsmall].
  - (* both integers next to v are breakpoints, and so are those next to v + z *)
    assert (Int : forall m, bpow radix2 j <= IZR m <= bpow radix2 (j + 1) -> is_breakpoint emin prec kind (IZR m)).
    { intros m Hm. destruct (grid_between j (IZR m) Hm) as (N & M). destruct (integer_in_units j Hi m) as (k & Ek).
      destruct kind; cbn [is_breakpoint]; [apply N; exists k; exact Ek | destruct Hkind; reflexivity|].
      apply M. exists (2 * k)%Z. rewrite mult_IZR, Ek. field. }
    assert (D0 := Hall _ (Int i ltac:(rewrite plus_IZR in *; lra))).
    assert (D1 := Hall _ (Int (i + 1)%Z ltac:(rewrite plus_IZR in *; lra))).
    rewrite Rabs_pos_eq in D0 by lra. rewrite Rabs_left in D1 by lra.
    rewrite !plus_IZR in *. split.
    + intros b' Hb'.
      destruct (Rlt_le_dec b' (IZR i + IZR z)) as [L | L]; [rewrite Rabs_pos_eq by lra; lra|].
      destruct (Rlt_le_dec (IZR i + IZR z + 1) b') as [U | U]; [rewrite Rabs_left by lra; lra|].
      replace (v + IZR z - b') with (v - (b' - IZR z)) by ring. apply Hall. apply Down; [lra | lra | exact Hb'].
    + destruct (Rlt_le_dec b (IZR i)) as [L | L].
      { rewrite Rabs_pos_eq in Hd by lra. lra. }
      destruct (Rlt_le_dec (IZR i + 1) b) as [U | U].
      { rewrite Rabs_left in Hd by lra. lra. }
      exists (b + IZR z). split; [apply Up; [lra | lra | exact Hb]|].
      replace (v + IZR z - (b + IZR z)) with (v - b) by ring. exact Hd.
  - split.
    + intros b' Hb'. destruct (Rle_lt_dec (d * unit_between j) (Rabs (v + IZR z - b'))) as [|L]; [assumption|].
      replace (v + IZR z - b') with (v - (b' + IZR (- z))) in L |- * by (rewrite opp_IZR; ring).
      apply Hall. apply (near_moved kind j (- z) (v + IZR z)); try assumption.
      * replace (v + IZR z + IZR (- z)) with v by (rewrite opp_IZR; ring). exact B.
      * replace (v + IZR z - b') with (v - (b' + IZR (- z))) by (rewrite opp_IZR; ring). nra.
    + exists (b + IZR z). replace (v + IZR z - (b + IZR z)) with (v - b) by ring. split; [|exact Hd].
      apply (near_moved kind j z v); try assumption. nra.
Qed.

Lemma distances_moved kind j i z v d :
  (Z.max (j + 1 - prec) emin <= 0)%Z -> (0 <= j)%Z ->
  bpow radix2 j <= IZR i -> IZR (i + 1) <= bpow radix2 (j + 1) -> IZR i < v < IZR (i + 1) ->
  bpow radix2 j <= IZR (i + z) -> IZR (i + z + 1) <= bpow radix2 (j + 1) ->
  kind <> Nearest \/ d < / 4 ->
  distance_is emin prec kind (v + IZR z) d <-> distance_is emin prec kind v d.
Proof.
  intros Hi Hj H0 H1 Hv H2 H3 Hkind. split; [|apply (distances_moved_up kind j i); assumption]. intros H.
  replace v with (v + IZR z + IZR (- z)) by (rewrite opp_IZR; ring).
  apply (distances_moved_up kind j (i + z)); try assumption.
  - rewrite !plus_IZR in *. lra.
  - replace (i + z + - z)%Z with i by ring. exact H0.
  - replace (i + z + - z)%Z with i by ring. exact H1.
Qed.

(* At large arguments. *)

Definition log2 (x : R) : R := ln x / ln 2.

Lemma ln2_size : / 2 < ln 2 < 1.
Proof.
  split; [apply ln_lt_2|]. rewrite <- (ln_exp 1). apply ln_increasing; [lra|].
  pose proof (exp_ineq1 1 ltac:(lra)). lra.
Qed.

Lemma ln_power k : ln (bpow radix2 k) = IZR k * ln 2.
Proof. rewrite bpow_exp, ln_exp. reflexivity. Qed.

Lemma log2_power k x : 0 < x -> log2 (bpow radix2 k * x) = IZR k + log2 x.
Proof.
  intros Hx. pose proof ln2_size. unfold log2. rewrite ln_mult, ln_power by (apply bpow_gt_0 || exact Hx). field. lra.
Qed.

Lemma log2_of_power k : log2 (bpow radix2 k) = IZR k.
Proof. pose proof ln2_size. unfold log2. rewrite ln_power. field. lra. Qed.

Lemma log2_less x y : 0 < x < y -> log2 x < log2 y.
Proof.
  intros Hx. pose proof ln2_size. unfold log2. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; lra|].
  apply ln_increasing; lra.
Qed.

Lemma log2_below_one t : 0 < t < 1 -> log2 (1 - t) < - t.
Proof.
  intros Ht. pose proof ln2_size as H2. unfold log2.
  assert (L : ln (1 - t) < - t).
  { rewrite <- (ln_exp (- t)). apply ln_increasing; [lra|]. pose proof (exp_ineq1 (- t) ltac:(lra)). lra. }
  apply Rmult_lt_reg_r with (ln 2); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra.
Qed.

(* Theorem M.20 (nearly log2). x is a number between 2^k and 2^(k+1), y the one with its bits
   between 2^a and 2^(a+1). *)
Theorem nearly_log2 f a j k x :
  let y := bpow radix2 (a - k) * x in
  let v := f x - IZR (k - a) in
  (forall x, 1 <= x -> 0 < f x - log2 x <= 2 / x) ->
  (emin <= 0)%Z -> (0 <= j < prec)%Z -> a = (2 ^ j)%Z -> (prec + 2 <= a)%Z -> (a <= k < 2 * a)%Z ->
  number emin prec x -> bpow radix2 k < x < bpow radix2 (k + 1) ->
  number emin prec y /\ Rabs (v - f y) < bpow radix2 (1 - a) /\
  IZR a < v < IZR (a + 1) /\ IZR k < f x < IZR (k + 1) /\
  unit_of emin prec (f x) = unit_of emin prec v /\ unit_of emin prec v = bpow radix2 (Z.max (j + 1 - prec) emin) /\
  (forall kind d, kind <> Nearest \/ d < / 4 -> distance_is emin prec kind (f x) d <-> distance_is emin prec kind v d) /\
  (forall kind eps, eps <= / 4 -> hr_case emin prec kind eps (f x) <-> hr_case emin prec kind eps v).
Proof.
  intros y v Hf Hemin Hj Ea Ha Hk Hx Hkx.
  assert (Hone : forall e, (0 <= e)%Z -> 1 <= bpow radix2 e) by (intros e He; change 1 with (bpow radix2 0); apply bpow_le; exact He).
  pose proof (Hone k ltac:(lia)) as Hk1. pose proof (Hone a ltac:(lia)) as Ha1.
  assert (Mx : mag radix2 x = (k + 1)%Z :> Z).
  { apply mag_unique_pos. replace (k + 1 - 1)%Z with k by ring. lra. }
  assert (Ny : number emin prec y) by (apply number_scaled; [lia | lia | exact Hx]).
  assert (Hay : bpow radix2 a < y).
  { unfold y. replace a with (a - k + k)%Z at 1 by ring. rewrite bpow_plus. apply Rmult_lt_compat_l; [apply bpow_gt_0 | lra]. }
  assert (Hyx : y <= x).
  { unfold y. rewrite <- (Rmult_1_l x) at 2. apply Rmult_le_compat_r; [lra|]. change 1 with (bpow radix2 0). apply bpow_le. lia. }
  assert (Elog : log2 y = IZR (a - k) + log2 x) by (apply log2_power; lra).
  destruct (Hf x ltac:(lra)) as (Fx0 & Fx1). destruct (Hf y ltac:(lra)) as (Fy0 & Fy1).
  assert (Hinv : forall u w, 0 < u <= w -> 2 / w <= 2 / u).
  { intros u w Hu. apply Rmult_le_compat_l; [lra|]. apply Rinv_le; lra. }
  pose proof (Hinv y x ltac:(lra)) as Hxy.
  assert (Hpow : forall e u, bpow radix2 e < u -> 2 / u < bpow radix2 (1 - e)).
  { intros e u Hu. pose proof (bpow_gt_0 radix2 e). unfold Zminus. rewrite bpow_plus, bpow_opp. change (bpow radix2 1) with 2.
    apply Rmult_lt_compat_l; [lra|]. apply Rinv_lt_contravar; [nra | exact Hu]. }
  (* membership *)
  assert (Mem : Rabs (v - f y) < bpow radix2 (1 - a)).
  { apply Rle_lt_trans with (2 / y); [|apply Hpow; exact Hay].
    assert (Ev : v - f y = (f x - log2 x) - (f y - log2 y)) by (unfold v; rewrite Elog, !minus_IZR; ring).
    rewrite Ev. apply Rabs_le. lra. }
  (* between k and k + 1 *)
  assert (Low : IZR k < f x).
  { rewrite <- (log2_of_power k). pose proof (log2_less (bpow radix2 k) x ltac:(lra)). lra. }
  assert (High : f x < IZR (k + 1)).
  { destruct (multiple_of_number emin prec x (k + 1 - prec) Hx) as (z & Ez); [unfold cexp, FLT_exp; lia|].
    set (t := bpow radix2 (- prec)).
    assert (Ht : 0 < t < 1).
    { split; [apply bpow_gt_0|]. change 1 with (bpow radix2 0). apply bpow_lt. lia. }
    assert (Eu : bpow radix2 (k + 1 - prec) = bpow radix2 (k + 1) * t) by (unfold t, Zminus; rewrite <- bpow_plus; reflexivity).
    assert (Et : IZR (2 ^ prec) * t = 1).
    { change (2 ^ prec)%Z with (Zpower radix2 prec). rewrite IZR_Zpower by lia. unfold t. rewrite <- bpow_plus, Z.add_opp_diag_r. reflexivity. }
    pose proof (bpow_gt_0 radix2 (k + 1)) as Hb.
    assert (Hz : (z <= 2 ^ prec - 1)%Z).
    { enough (z < 2 ^ prec)%Z by lia. apply lt_IZR. apply Rmult_lt_reg_r with (bpow radix2 (k + 1) * t); [nra|].
      rewrite <- Eu, <- Ez, Eu. replace (IZR (2 ^ prec) * (bpow radix2 (k + 1) * t)) with (bpow radix2 (k + 1) * (IZR (2 ^ prec) * t)) by ring.
      rewrite Et. lra. }
    apply IZR_le in Hz. rewrite minus_IZR in Hz.
    assert (Hxt : x <= bpow radix2 (k + 1) * (1 - t)).
    { rewrite Ez, Eu. apply Rle_trans with ((IZR (2 ^ prec) - 1) * (bpow radix2 (k + 1) * t)).
      - apply Rmult_le_compat_r; [nra | exact Hz].
      - replace ((IZR (2 ^ prec) - 1) * (bpow radix2 (k + 1) * t)) with (bpow radix2 (k + 1) * (IZR (2 ^ prec) * t - t)) by ring.
        rewrite Et. lra. }
    assert (Hlog : log2 x <= IZR (k + 1) + log2 (1 - t)).
    { rewrite <- log2_power by lra. destruct Hxt as [L | ->]; [left; apply log2_less; lra | right; reflexivity]. }
    pose proof (log2_below_one t Ht).
    assert (2 / x < t) by (eapply Rlt_le_trans; [apply Hpow; apply Hkx | apply bpow_le; lia]). lra. }
  assert (Efx : f x = v + IZR (k - a)) by (unfold v; ring).
  assert (Hv : IZR a < v < IZR (a + 1)).
  { unfold v. rewrite minus_IZR. rewrite plus_IZR in *. lra. }
  (* both between 2^j and 2^(j+1) *)
  assert (Ej : bpow radix2 j = IZR a) by (rewrite Ea; symmetry; apply (IZR_Zpower radix2); lia).
  assert (Ej1 : bpow radix2 (j + 1) = IZR (2 * a)) by (rewrite next_power, Ej, mult_IZR; reflexivity).
  assert (Hi : (Z.max (j + 1 - prec) emin <= 0)%Z) by lia.
  assert (Ha2 : IZR (a + 1) <= IZR (2 * a)) by (apply IZR_le; lia).
  assert (Hk2 : IZR (k + 1) <= IZR (2 * a)) by (apply IZR_le; lia).
  assert (Hk0 : IZR a <= IZR k) by (apply IZR_le; lia).
  assert (B : bpow radix2 j < v < bpow radix2 (j + 1)) by (rewrite Ej, Ej1; lra).
  assert (B' : bpow radix2 j < v + IZR (k - a) < bpow radix2 (j + 1)) by (rewrite <- Efx, Ej, Ej1; lra).
  split; [exact Ny|]. split; [exact Mem|]. split; [exact Hv|]. split; [split; assumption|].
  split; [rewrite Efx; apply (unit_moved j); assumption|]. split; [apply unit_between_is; exact B|]. split.
  - intros kind d Hd. rewrite Efx. apply (distances_moved kind j a); try assumption; try lia; rewrite ?Ej, ?Ej1; try lra.
    + replace (a + (k - a))%Z with k by ring. exact Hk0.
    + replace (a + (k - a) + 1)%Z with (k + 1)%Z by ring. exact Hk2.
  - intros kind eps He. rewrite Efx. split; intros H.
    + replace v with (v + IZR (k - a) + IZR (- (k - a))) by (rewrite opp_IZR; ring).
      apply (case_moved_up kind eps j); try assumption.
      replace (v + IZR (k - a) + IZR (- (k - a))) with v by (rewrite opp_IZR; ring). exact B.
    + apply (case_moved_up kind eps j); assumption.
Qed.

(* log2(1 + x) is such a function. *)
Corollary log2p1_is_nearly_log2 x : 1 <= x -> 0 < log2 (1 + x) - log2 x <= 2 / x.
Proof.
  intros Hx. pose proof ln2_size as H2. split; [pose proof (log2_less x (1 + x) ltac:(lra)); lra|].
  assert (H0 : 0 < / x) by (apply Rinv_0_lt_compat; lra).
  assert (L : ln (1 + x) - ln x < / x).
  { replace (1 + x) with (x * (1 + / x)) by (field; lra). rewrite ln_mult by lra.
    assert (ln (1 + / x) < / x); [|lra]. rewrite <- (ln_exp (/ x)) at 2. apply ln_increasing; [lra | apply exp_ineq1; lra]. }
  unfold log2. replace (ln (1 + x) / ln 2 - ln x / ln 2) with ((ln (1 + x) - ln x) * / ln 2) by (field; lra).
  assert (I2 : 0 < / ln 2 < 2).
  { split; [apply Rinv_0_lt_compat; lra|]. apply Rmult_lt_reg_r with (ln 2); [lra|]. rewrite Rinv_l; lra. }
  assert (P : 0 < ln (1 + x) - ln x) by (pose proof (ln_increasing x (1 + x)); lra).
  unfold Rdiv. nra.
Qed.

Lemma power_of_2 A u : Rpower 2 (IZR A + u) = bpow radix2 A * Rpower 2 u.
Proof. rewrite Rpower_plus. f_equal. rewrite bpow_exp. reflexivity. Qed.

Lemma power_above_one u : 0 < u -> 1 + u / 2 < Rpower 2 u.
Proof.
  intros Hu. pose proof ln2_size as H2. unfold Rpower. assert (0 < u * ln 2) by nra. pose proof (exp_ineq1 (u * ln 2) ltac:(lra)). nra.
Qed.

(* A number between two integers that are not both less than 1 is a multiple of 2^(1 - prec), and
   above the least one by that much. *)
Lemma between_integers A y :
  (1 <= A)%Z -> number emin prec y -> IZR A < y < IZR (A + 1) -> (emin < 0)%Z /\ IZR A + bpow radix2 (1 - prec) <= y.
Proof.
  intros HA Hy H. assert (H1 : 1 <= IZR A) by (apply IZR_le; exact HA).
  assert (Hm : (1 <= mag radix2 y)%Z).
  { apply mag_ge_bpow. rewrite Rabs_pos_eq by lra. change (bpow radix2 (1 - 1)) with 1. lra. }
  split.
  - apply Z.nle_gt. intros He.
    destruct (multiple_of_number emin prec y 0 Hy) as (z & Ez); [unfold cexp, FLT_exp; lia|].
    change (bpow radix2 0) with 1 in Ez. rewrite Rmult_1_r in Ez. rewrite Ez in H. destruct H as (L & U). apply lt_IZR in L, U. lia.
  - destruct (multiple_of_number emin prec y (1 - prec) Hy) as (z & Ez); [unfold cexp, FLT_exp; lia|].
    set (u := bpow radix2 (1 - prec)) in *. assert (Hu : 0 < u) by apply bpow_gt_0.
    assert (EA : IZR A = IZR (A * 2 ^ (prec - 1)) * u).
    { rewrite mult_IZR. change (2 ^ (prec - 1))%Z with (Zpower radix2 (prec - 1)). rewrite IZR_Zpower by lia.
      unfold u. rewrite Rmult_assoc, <- bpow_plus. replace (prec - 1 + (1 - prec))%Z with 0%Z by ring. cbn. ring. }
    assert (L : (A * 2 ^ (prec - 1) < z)%Z) by (apply lt_IZR; apply Rmult_lt_reg_r with u; lra).
    assert (L1 : IZR (A * 2 ^ (prec - 1)) + 1 <= IZR z) by (rewrite <- plus_IZR; apply IZR_le; lia).
    rewrite EA, Ez. nra.
Qed.

(* Theorem M.21 (nearly exp2). x = y + n. *)
Theorem nearly_exp2 f A n y :
  let x := y + IZR n in
  let v := bpow radix2 (- n) * f x in
  (forall x, 0 <= x -> 0 <= Rpower 2 x - f x <= 1) ->
  (prec + 1 <= A)%Z -> (1 <= n)%Z -> number emin prec y -> IZR A < y < IZR (A + 1) ->
  Rabs (v - f y) <= 1 /\ bpow radix2 A < v < bpow radix2 (A + 1) /\
  unit_of emin prec (f x) = bpow radix2 n * unit_of emin prec v /\ unit_of emin prec v = bpow radix2 (A + 1 - prec) /\
  (forall kind d, distance_is emin prec kind (f x) d <-> distance_is emin prec kind v d) /\
  (forall kind b, Rabs (v - b) <= Rabs v / 2 -> is_breakpoint emin prec kind b <-> is_breakpoint emin prec kind (bpow radix2 n * b)) /\
  (forall kind eps, eps <= / 4 -> hr_case emin prec kind eps (f x) <-> hr_case emin prec kind eps v).
Proof.
  intros x v Hf HA Hn Hy HAy.
  destruct (between_integers A y ltac:(lia) Hy HAy) as (Hemin & Hstep).
  assert (HA1 : 1 <= IZR A) by (apply IZR_le; lia). assert (Hn1 : 1 <= IZR n) by (apply IZR_le; lia).
  set (u := y - IZR A) in *.
  assert (Eu : y = IZR A + u) by (unfold u; ring).
  assert (Hu : bpow radix2 (1 - prec) <= u < 1) by (rewrite plus_IZR in HAy; unfold u; lra).
  pose proof (bpow_gt_0 radix2 (1 - prec)) as Hu0. pose proof (bpow_gt_0 radix2 A) as HbA.
  set (t := bpow radix2 (- n)).
  assert (Ht : 0 < t <= 1) by (split; [apply bpow_gt_0 | change 1 with (bpow radix2 0); apply bpow_le; lia]).
  assert (Ex : t * Rpower 2 x = Rpower 2 y).
  { unfold x. rewrite Rplus_comm, power_of_2. apply power_cancels. }
  destruct (Hf x ltac:(unfold x; lra)) as (Fx0 & Fx1). destruct (Hf y ltac:(lra)) as (Fy0 & Fy1).
  assert (Hv : Rpower 2 y - 1 <= v <= Rpower 2 y).
  { rewrite <- Ex. unfold v. fold t. split; nra. }
  assert (Low : bpow radix2 A < v).
  { rewrite Eu in Hv. rewrite power_of_2 in Hv. pose proof (power_above_one u ltac:(lra)) as HP.
    assert (Htwo : 2 <= bpow radix2 A * (u / 2)).
    { apply Rle_trans with (bpow radix2 A * (bpow radix2 (1 - prec) / 2)).
      - rewrite <- half_power, <- bpow_plus. change 2 with (bpow radix2 1). apply bpow_le. lia.
      - apply Rmult_le_compat_l; lra. }
    nra. }
  assert (High : v < bpow radix2 (A + 1)).
  { eapply Rle_lt_trans; [apply Hv|]. rewrite Eu, power_of_2, next_power, Rmult_comm. apply Rmult_lt_compat_r; [exact HbA|].
    rewrite <- (Rpower_1 2) at 2 by lra. apply Rpower_lt; lra. }
  assert (Mv : mag radix2 v = (A + 1)%Z :> Z).
  { apply mag_unique_pos. replace (A + 1 - 1)%Z with A by ring. lra. }
  assert (Nv : v <> 0) by lra.
  assert (Efx : f x = bpow radix2 n * v).
  { unfold v. rewrite <- Rmult_assoc, <- bpow_plus, Z.add_opp_diag_r. cbn. ring. }
  split; [apply Rabs_le; lra|]. split; [split; assumption|]. rewrite Efx.
  split; [apply unit_scaled; (exact Nv || lia)|].
  split; [unfold unit_of, cexp, FLT_exp; rewrite Mv; f_equal; lia|]. split; [|split].
  - intros kind d. apply (distances_scaled kind n v); (exact Nv || lia).
  - intros kind b Hb. apply (breakpoints_scaled n v); (exact Nv || exact Hb || lia).
  - intros kind eps He. apply (case_scaled_back n v); (exact Nv || exact He || lia).
Qed.

(* 2^x - 1 is such a function. *)
Corollary exp2m1_is_nearly_exp2 x : 0 <= Rpower 2 x - (Rpower 2 x - 1) <= 1.
Proof. lra. Qed.

(* Every number between A + n and A + n + 1 follows from a number. *)
Lemma fraction_is_number A n x :
  (1 <= A)%Z -> (0 <= n)%Z -> number emin prec x -> IZR (A + n) < x < IZR (A + n + 1) -> number emin prec (x - IZR n).
Proof.
  intros HA Hn Hx H. assert (P0 : Prec_gt_0 prec) by (unfold Prec_gt_0; lia).
  destruct (FLT_format_generic radix2 emin prec x Hx) as [g Eg Hm He]. destruct g as [z c]. cbn [Fnum Fexp] in *.
  unfold F2R in Eg. cbn [Fnum Fexp] in Eg.
  assert (Hc : (c < 0)%Z).
  { apply Z.nle_gt. intros L. rewrite <- (IZR_Zpower radix2) in Eg by exact L. rewrite <- mult_IZR in Eg. rewrite Eg in H.
    destruct H as (H0 & H1). apply lt_IZR in H0, H1. lia. }
  assert (En : IZR n = IZR (n * 2 ^ (- c)) * bpow radix2 c).
  { rewrite mult_IZR. change (2 ^ (- c))%Z with (Zpower radix2 (- c)). rewrite IZR_Zpower by lia.
    rewrite Rmult_assoc, <- bpow_plus, Z.add_opp_diag_l. cbn. ring. }
  replace (x - IZR n) with (IZR (z - n * 2 ^ (- c)) * bpow radix2 c) by (rewrite minus_IZR, Eg, En; ring).
  apply small_multiple; [exact some_bits | | exact He].
  assert (Hn2 : (0 <= n * 2 ^ (- c))%Z) by (apply Z.mul_nonneg_nonneg; [exact Hn | apply Z.pow_nonneg; lia]).
  assert (Hz : (n * 2 ^ (- c) <= z)%Z).
  { apply le_IZR. apply Rmult_le_reg_r with (bpow radix2 c); [apply bpow_gt_0|]. rewrite <- En, <- Eg.
    assert (IZR n <= IZR (A + n)) by (apply IZR_le; lia). lra. }
  change (Zpower radix2 prec) with (2 ^ prec)%Z in Hm. lia.
Qed.

(* What is known at y of every value of an enclosure is known at x: if each HR-case there would be
   in the list, or undecided, then f(x) is no HR-case, or what follows from y holds its case. *)
Corollary follows_complete kind eps fx v fy delta (known : Prop) :
  Rabs (v - fy) <= delta -> (hr_case emin prec kind eps fx <-> hr_case emin prec kind eps v) ->
  (forall w, Rabs (w - fy) <= delta -> hr_case emin prec kind eps w -> known) ->
  hr_case emin prec kind eps fx -> known.
Proof. intros Hv Hsame Hall H. apply (Hall v Hv), Hsame, H. Qed.

End format.
