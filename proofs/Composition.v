(* From budgets and empty domains to the list: nothing is lost, and what that rests on.

   docs/certificate.md, "What has to be trusted"; docs/proofs/phases.md, Theorem E.20. The chapters
   before are put together here: Taylor (a piece's polynomial), Tables and Taylor (a domain's
   parabola), Walk, Lattice, Existence (a domain's verdict). What nobody proves here are the
   hypotheses of the last theorem, and they are these:

   | hypothesis | who says so                                                                            |
   |------------|----------------------------------------------------------------------------------------|
   | enclosed   | MPFR, and what tmd-functions makes of it: coefficients, remainder, the results' ulp    |
   | settled    | the code: that a domain's numbers are what the chapters compute (tests compare them)   |
   | decided    | MPFR again: an argument that confirmation refutes is no HR-case                        |

   | name         | what it is                                                                          |
   |--------------|-------------------------------------------------------------------------------------|
   | emin, prec   | the format: numbers are z*2^e, |z| < 2^prec, e >= emin                               |
   | eps          | epsilon, in ulps of the result                                                      |
   | F k          | scale*f(X_k)/ulp + shift: breakpoints are integers                                   |
   | k, x         | number of an argument in its piece; the same from its domain's center                |
*)

Require Import ZArith Reals Lia Lra Psatz List.
From Flocq Require Import Core.Core.
Require Import TMD.Lattice TMD.Walk TMD.Existence TMD.Tables TMD.Taylor.
Open Scope R_scope.

(* Breakpoints. *)

Inductive breakpoints := Directed | Nearest | All.

Section format.

Variables emin prec : Z.
Hypothesis some_bits : (1 < prec)%Z.

Instance prec_positive : Prec_gt_0 prec.
Proof. unfold Prec_gt_0. lia. Qed.

Instance finer_positive : Prec_gt_0 (prec + 1).
Proof. unfold Prec_gt_0. lia. Qed.

Definition number (b : R) : Prop := generic_format radix2 (FLT_exp emin prec) b.

(* numbers and midpoints are the numbers with a bit more *)
Definition number_or_midpoint (b : R) : Prop := generic_format radix2 (FLT_exp (emin - 1) (prec + 1)) b.

(* Definition C.1. The breakpoints of a rounding, an ulp, and an HR-case: a result other than 0 that
   is closer than eps of its ulps to a breakpoint of the format, and not on it. *)
Definition is_breakpoint (kind : breakpoints) (b : R) : Prop :=
  match kind with
  | Directed => number b
  | Nearest => number_or_midpoint b /\ ~ number b
  | All => number_or_midpoint b
  end.

Definition unit_of (y : R) : R := bpow radix2 (cexp radix2 (FLT_exp emin prec) y).

Definition hr_case (kind : breakpoints) (eps y : R) : Prop :=
  y <> 0 /\ exists b, is_breakpoint kind b /\ 0 < Rabs (y - b) < eps * unit_of y.

Definition scale (kind : breakpoints) : R := match kind with All => 2 | _ => 1 end.
Definition shift (kind : breakpoints) : R := match kind with Nearest => / 2 | _ => 0 end.

(* A number of a format that is less than half a unit of y from y is a multiple of y's unit: also
   where it is in the binade below. *)
Lemma own_grid em pr y b (Hpr : Prec_gt_0 pr) :
  y <> 0 -> generic_format radix2 (FLT_exp em pr) b ->
  Rabs (y - b) < bpow radix2 (cexp radix2 (FLT_exp em pr) y) / 2 ->
  exists z, b = IZR z * bpow radix2 (cexp radix2 (FLT_exp em pr) y).
Proof.
  intros Hy Hb Hd. set (c := cexp radix2 (FLT_exp em pr) y) in *.
  destruct (Req_dec b 0) as [-> | Nb]; [exists 0%Z; ring|].
  destruct (Z.le_gt_cases c (cexp radix2 (FLT_exp em pr) b)) as [L | L].
  - exists (Ztrunc (scaled_mantissa radix2 (FLT_exp em pr) b) * 2 ^ (cexp radix2 (FLT_exp em pr) b - c))%Z.
    rewrite mult_IZR. change (2 ^ (cexp radix2 (FLT_exp em pr) b - c))%Z
      with (Zpower radix2 (cexp radix2 (FLT_exp em pr) b - c)).
    rewrite IZR_Zpower by lia. rewrite Rmult_assoc, <- bpow_plus.
    replace (cexp radix2 (FLT_exp em pr) b - c + c)%Z with (cexp radix2 (FLT_exp em pr) b) by ring.
    exact Hb.
  - exfalso.
    assert (Hm : (mag radix2 b < mag radix2 y)%Z).
    { destruct (Z.lt_ge_cases (mag radix2 b) (mag radix2 y)) as [|G]; [assumption | exfalso].
      unfold c, cexp, FLT_exp in *. lia. }
    set (e := (mag radix2 y - 1)%Z).
    assert (Hye : bpow radix2 e <= Rabs y) by (apply bpow_mag_le; assumption).
    assert (Hbe : Rabs b < bpow radix2 e).
    { eapply Rlt_le_trans; [apply bpow_mag_gt|]. apply bpow_le. unfold e. lia. }
    assert (Hfe : FLT_exp em pr e = (c - 1)%Z).
    { unfold c, cexp, FLT_exp, e in *. lia. }
    assert (Fe : generic_format radix2 (FLT_exp em pr) (bpow radix2 e)).
    { apply generic_format_bpow. unfold c, cexp, FLT_exp, e in *. unfold Prec_gt_0 in Hpr. lia. }
    pose proof (pred_ge_gt radix2 (FLT_exp em pr) (Rabs b) (bpow radix2 e)
                  (generic_format_abs _ _ _ Hb) Fe Hbe) as Hp.
    rewrite pred_bpow, Hfe in Hp.
    assert (Hhalf : bpow radix2 (c - 1) = bpow radix2 c / 2).
    { unfold Zminus. rewrite bpow_plus. cbn. lra. }
    pose proof (Rabs_triang_inv y b). lra.
Qed.

Lemma small_multiple z c :
  (Z.abs z <= 2 ^ prec)%Z -> (emin <= c)%Z -> number (IZR z * bpow radix2 c).
Proof.
  intros Hz Hc. unfold number. destruct (Z.eq_dec (Z.abs z) (2 ^ prec)) as [E | N].
  - assert (H : generic_format radix2 (FLT_exp emin prec) (bpow radix2 (prec + c))).
    { apply generic_format_bpow. unfold FLT_exp. lia. }
    assert (P : IZR (2 ^ prec) * bpow radix2 c = bpow radix2 (prec + c)).
    { rewrite bpow_plus. f_equal. rewrite <- (IZR_Zpower radix2) by lia. reflexivity. }
    destruct (Z.abs_eq_cases z (2 ^ prec)) as [-> | ->]; [rewrite E; symmetry; apply Z.abs_eq; lia | |].
    + rewrite P. exact H.
    + rewrite opp_IZR, Ropp_mult_distr_l_reverse, P. apply generic_format_opp. exact H.
  - apply generic_format_FLT. exists (Float radix2 z c); cbn [Fnum Fexp]; [reflexivity | | exact Hc].
    change (Z.abs z < 2 ^ prec)%Z. lia.
Qed.

(* Theorem C.1 (own grid). For eps up to 1/4, an HR-case is near an integer, in the units of its own
   ulp: no breakpoint of the binade below is overlooked. *)
Theorem case_near_integer kind eps y :
  eps <= / 4 -> hr_case kind eps y ->
  exists z, Rabs (scale kind / unit_of y * y + shift kind - IZR z) < scale kind * eps.
Proof.
  intros Heps (Hy & b & Hb & _ & Hd).
  set (w := unit_of y) in *. assert (Hw : 0 < w) by apply bpow_gt_0.
  assert (Hfine : bpow radix2 (cexp radix2 (FLT_exp (emin - 1) (prec + 1)) y) = w / 2).
  { unfold w, unit_of, cexp, FLT_exp.
    replace (Z.max (mag radix2 y - (prec + 1)) (emin - 1)) with (Z.max (mag radix2 y - prec) emin + - (1))%Z by lia.
    rewrite bpow_plus. cbn. lra. }
  assert (Hquarter : Rabs (y - b) < w / 4) by nra.
  assert (Hdiv : forall a t, Rabs (y - a) < eps * w -> 0 < t ->
             Rabs (t / w * y - t / w * a) < t * eps).
  { intros a t Ha Ht. replace (t / w * y - t / w * a) with (t / w * (y - a)) by ring.
    rewrite Rabs_mult, Rabs_pos_eq.
    - replace (t * eps) with (t / w * (eps * w)) by (field; lra).
      apply Rmult_lt_compat_l; [apply Rdiv_lt_0_compat; lra | exact Ha].
    - apply Rlt_le, Rdiv_lt_0_compat; lra. }
  assert (Fine : number_or_midpoint b -> exists z, b = IZR z * (w / 2)).
  { intros H. rewrite <- Hfine. apply own_grid; [exact _ | assumption | exact H |]. rewrite Hfine. lra. }
  destruct kind; cbn [scale shift is_breakpoint] in *.
  - destruct (own_grid emin prec y b _ Hy Hb) as (z & Ez); [fold (unit_of y); fold w; lra|].
    fold (unit_of y) in Ez. fold w in Ez. exists z.
    replace (IZR z) with (1 / w * b) by (rewrite Ez; field; lra).
    rewrite Rplus_0_r. apply Hdiv; [assumption | lra].
  - destruct Hb as (Hb & Nb). destruct (Fine Hb) as (z & Ez).
    destruct (Z.Even_or_Odd z) as [(z' & ->) | (z' & ->)].
    + exfalso. apply Nb.
      replace b with (IZR z' * w) by (rewrite Ez, mult_IZR; field).
      unfold w, unit_of. apply small_multiple; [| unfold cexp, FLT_exp; lia].
      assert (Hz : Rabs (IZR z') * w < bpow radix2 prec * w + w / 4).
      { replace (Rabs (IZR z') * w) with (Rabs b).
        - assert (Rabs y <= bpow radix2 prec * w).
          { eapply Rle_trans; [apply Rlt_le, bpow_mag_gt|]. unfold w, unit_of. rewrite <- bpow_plus.
            apply bpow_le. unfold cexp, FLT_exp. lia. }
          pose proof (Rabs_triang_inv b y). rewrite Rabs_minus_sym in H0. lra.
        - rewrite Ez, mult_IZR. replace (2 * IZR z' * (w / 2)) with (IZR z' * w) by field.
          rewrite Rabs_mult, (Rabs_pos_eq w) by lra. reflexivity. }
      assert (Hz' : Rabs (IZR z') < IZR (2 ^ prec + 1)).
      { rewrite plus_IZR. change (2 ^ prec)%Z with (Zpower radix2 prec). rewrite IZR_Zpower by lia.
        apply Rmult_lt_reg_r with w; [assumption|]. nra. }
      rewrite <- abs_IZR in Hz'. apply lt_IZR in Hz'. lia.
    + exists (z' + 1)%Z.
      replace (1 / w * y + / 2 - IZR (z' + 1)) with (1 / w * y - 1 / w * b).
      * apply Hdiv; [assumption | lra].
      * rewrite Ez, !plus_IZR, mult_IZR. field. lra.
  - destruct (Fine Hb) as (z & Ez). exists z.
    replace (IZR z) with (2 / w * b) by (rewrite Ez; field; lra).
    rewrite Rplus_0_r. apply Hdiv; [assumption | lra].
Qed.

(* Theorem C.2 (one ulp). Results in one binade share their ulp, and so do all results below the
   smallest normal number. *)
Theorem one_unit e y :
  bpow radix2 e <= Rabs y < bpow radix2 (e + 1) -> unit_of y = bpow radix2 (Z.max (e + 1 - prec) emin).
Proof.
  intros H. unfold unit_of, cexp, FLT_exp. rewrite (mag_unique radix2 y (e + 1)); [reflexivity|].
  replace (e + 1 - 1)%Z with e by ring. exact H.
Qed.

Corollary one_unit_below y :
  y <> 0 -> Rabs y < bpow radix2 (emin + prec) -> unit_of y = bpow radix2 emin.
Proof.
  intros Hy H. unfold unit_of, cexp, FLT_exp. f_equal.
  pose proof (mag_le_bpow radix2 y (emin + prec) Hy H). lia.
Qed.

End format.

(* A breakpoint next to y, times a power of two, is one next to that power of two times y, where
   both results are normal. *)
Lemma grid_scaled em pr y b n (Hpr : Prec_gt_0 pr) (Hpr1 : (1 < pr)%Z) :
  y <> 0 -> generic_format radix2 (FLT_exp em pr) b ->
  Rabs (y - b) < bpow radix2 (cexp radix2 (FLT_exp em pr) y) / 2 ->
  (em <= mag radix2 y - pr)%Z -> (em <= mag radix2 y + n - pr)%Z ->
  generic_format radix2 (FLT_exp em pr) (bpow radix2 n * b).
Proof.
  intros Hy Hb Hd H0 H1. destruct (own_grid em pr y b Hpr Hy Hb Hd) as (z & Ez).
  assert (Hc : cexp radix2 (FLT_exp em pr) y = (mag radix2 y - pr)%Z) by (unfold cexp, FLT_exp; lia).
  rewrite Hc in Ez, Hd. set (c := (mag radix2 y - pr)%Z) in *.
  assert (Hw : 0 < bpow radix2 c) by apply bpow_gt_0.
  assert (Hz : (Z.abs z <= 2 ^ pr)%Z).
  { assert (HyB : Rabs y <= bpow radix2 pr * bpow radix2 c).
    { eapply Rle_trans; [apply Rlt_le, bpow_mag_gt|]. rewrite <- bpow_plus. apply bpow_le. unfold c. lia. }
    assert (HbB : Rabs (IZR z) * bpow radix2 c = Rabs b)
      by (rewrite Ez, Rabs_mult, (Rabs_pos_eq (bpow radix2 c)) by lra; reflexivity).
    pose proof (Rabs_triang_inv b y) as T. rewrite Rabs_minus_sym in T.
    assert (L : Rabs (IZR z) < IZR (2 ^ pr + 1)).
    { rewrite plus_IZR. change (2 ^ pr)%Z with (Zpower radix2 pr). unfold Prec_gt_0 in Hpr. rewrite IZR_Zpower by lia.
      apply Rmult_lt_reg_r with (bpow radix2 c); [assumption|]. lra. }
    rewrite <- abs_IZR in L. apply lt_IZR in L. lia. }
  replace (bpow radix2 n * b) with (IZR z * bpow radix2 (n + c)).
  - apply small_multiple; [exact Hpr1 | exact Hz | unfold c; lia].
  - rewrite Ez, bpow_plus. ring.
Qed.

(* Theorem C.10 (translation by a power of two). 2^n*y is an HR-case where y is one, if both are
   normal. *)
Theorem case_scaled emin prec kind eps n y :
  (1 < prec)%Z -> eps <= / 4 ->
  (emin + prec <= mag radix2 y)%Z -> (emin + prec <= mag radix2 y + n)%Z ->
  hr_case emin prec kind eps y -> hr_case emin prec kind eps (bpow radix2 n * y).
Proof.
  intros Hprec Heps H0 H1 (Hy & b & Hb & Hd).
  assert (P0 : Prec_gt_0 prec) by (unfold Prec_gt_0; lia).
  assert (P1 : Prec_gt_0 (prec + 1)) by (unfold Prec_gt_0; lia).
  assert (Hn : 0 < bpow radix2 n) by apply bpow_gt_0.
  assert (Hy' : bpow radix2 n * y <> 0) by (apply Rmult_integral_contrapositive_currified; lra).
  assert (Hmag : mag radix2 (bpow radix2 n * y) = (mag radix2 y + n)%Z :> Z).
  { rewrite Rmult_comm. apply mag_mult_bpow. exact Hy. }
  assert (Hu : unit_of emin prec y = bpow radix2 (mag radix2 y - prec)).
  { unfold unit_of, cexp, FLT_exp. f_equal. lia. }
  assert (Hu' : unit_of emin prec (bpow radix2 n * y) = bpow radix2 n * unit_of emin prec y).
  { unfold unit_of, cexp, FLT_exp. rewrite Hmag, <- bpow_plus. f_equal. lia. }
  assert (Hw : 0 < unit_of emin prec y) by apply bpow_gt_0.
  assert (Hfine : bpow radix2 (cexp radix2 (FLT_exp (emin - 1) (prec + 1)) y) = unit_of emin prec y / 2).
  { rewrite Hu. unfold cexp, FLT_exp.
    replace (Z.max (mag radix2 y - (prec + 1)) (emin - 1)) with (mag radix2 y - prec + - (1))%Z by lia.
    rewrite bpow_plus. cbn. lra. }
  assert (Hq : Rabs (y - b) < unit_of emin prec y / 4) by nra.
  assert (N : number emin prec b -> number emin prec (bpow radix2 n * b)).
  { intros H. apply (grid_scaled emin prec y); [exact P0 | lia | exact Hy | exact H | fold (unit_of emin prec y); lra | lia | lia]. }
  assert (M : number_or_midpoint emin prec b -> number_or_midpoint emin prec (bpow radix2 n * b)).
  { intros H. apply (grid_scaled (emin - 1) (prec + 1) y); [exact P1 | lia | exact Hy | exact H | rewrite Hfine; lra | lia | lia]. }
  assert (Hd' : Rabs (bpow radix2 n * y - bpow radix2 n * b) = bpow radix2 n * Rabs (y - b)).
  { replace (bpow radix2 n * y - bpow radix2 n * b) with (bpow radix2 n * (y - b)) by ring.
    rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 n)) by lra. reflexivity. }
  split; [exact Hy'|]. exists (bpow radix2 n * b). split.
  - destruct kind; cbn [is_breakpoint] in *; [apply N, Hb | | apply M, Hb].
    destruct Hb as (Hb & Nb). split; [apply M, Hb|]. intros H. apply Nb.
    replace b with (bpow radix2 (- n) * (bpow radix2 n * b))
      by (rewrite <- Rmult_assoc, <- bpow_plus, Z.add_opp_diag_l; cbn; ring).
    apply (grid_scaled emin prec (bpow radix2 n * y)); [exact P0 | lia | exact Hy' | exact H | | lia | lia].
    fold (unit_of emin prec (bpow radix2 n * y)). rewrite Hu', Hd'. nra.
  - rewrite Hu', Hd'. split; [apply Rmult_lt_0_compat; lra|].
    replace (eps * (bpow radix2 n * unit_of emin prec y)) with (bpow radix2 n * (eps * unit_of emin prec y)) by ring.
    apply Rmult_lt_compat_l; lra.
Qed.

(* Theorem C.11 (translation by integers). y + a is an HR-case where y is one, if both have the same
   ulp, and a is a multiple of it: log2 over exponents whose logarithms share an ulp. *)
Theorem case_moved emin prec kind eps a y :
  (1 < prec)%Z -> eps <= / 4 -> y + a <> 0 -> unit_of emin prec (y + a) = unit_of emin prec y ->
  (exists k, a = IZR k * unit_of emin prec y) ->
  hr_case emin prec kind eps y -> hr_case emin prec kind eps (y + a).
Proof.
  intros Hprec Heps Hya Hu (k & Ha) (Hy & b & Hb & Hd).
  assert (P0 : Prec_gt_0 prec) by (unfold Prec_gt_0; lia).
  assert (P1 : Prec_gt_0 (prec + 1)) by (unfold Prec_gt_0; lia).
  set (w := unit_of emin prec y) in *. assert (Hw : 0 < w) by apply bpow_gt_0.
  set (c := cexp radix2 (FLT_exp emin prec) y).
  assert (Ew : w = bpow radix2 c) by reflexivity.
  assert (Hc : cexp radix2 (FLT_exp emin prec) (y + a) = c).
  { unfold unit_of in Hu. fold c in Hu. apply bpow_inj in Hu. exact Hu. }
  assert (Hce : (emin <= c)%Z) by (unfold c, cexp, FLT_exp; lia).
  assert (HB : forall x, cexp radix2 (FLT_exp emin prec) x = c -> Rabs x <= bpow radix2 prec * w).
  { intros x Hx. eapply Rle_trans; [apply Rlt_le, bpow_mag_gt|]. rewrite Ew, <- bpow_plus. apply bpow_le.
    unfold cexp, FLT_exp in Hx. lia. }
  (* multiples of a unit that is w or half of it, next to a number of that size, are numbers *)
  assert (G : forall em pr v x z, (1 < pr)%Z -> (em <= v)%Z -> (pr + v = prec + c)%Z ->
              cexp radix2 (FLT_exp emin prec) x = c -> Rabs (x - IZR z * bpow radix2 v) < bpow radix2 v / 2 ->
              number em pr (IZR z * bpow radix2 v)).
  { intros em pr v x z Hpr Hem Hv Hx Hz. apply small_multiple; [exact Hpr | | exact Hem].
    assert (Hv0 : 0 < bpow radix2 v) by apply bpow_gt_0.
    assert (E : bpow radix2 prec * w = bpow radix2 pr * bpow radix2 v) by (rewrite Ew, <- !bpow_plus; f_equal; lia).
    pose proof (HB x Hx) as Hxb. rewrite E in Hxb.
    assert (L : Rabs (IZR z) < IZR (2 ^ pr + 1)).
    { rewrite plus_IZR. change (2 ^ pr)%Z with (Zpower radix2 pr). rewrite IZR_Zpower by lia.
      apply Rmult_lt_reg_r with (bpow radix2 v); [exact Hv0|].
      replace (Rabs (IZR z) * bpow radix2 v) with (Rabs (IZR z * bpow radix2 v))
        by (rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 v)) by lra; reflexivity).
      pose proof (Rabs_triang_inv (IZR z * bpow radix2 v) x) as T. rewrite Rabs_minus_sym in T. lra. }
    rewrite <- abs_IZR in L. apply lt_IZR in L. lia. }
  assert (Ehalf : bpow radix2 (c - 1) = w / 2).
  { rewrite Ew. unfold Zminus. rewrite bpow_plus. cbn. lra. }
  assert (Hq : Rabs (y - b) < w / 4) by nra.
  assert (Hfine : bpow radix2 (cexp radix2 (FLT_exp (emin - 1) (prec + 1)) y) = w / 2).
  { rewrite <- Ehalf. f_equal. unfold c, cexp, FLT_exp. lia. }
  assert (Moved : forall s x, (s = 1%Z \/ s = (-1)%Z) -> cexp radix2 (FLT_exp emin prec) x = c -> x <> 0 ->
            cexp radix2 (FLT_exp emin prec) (x + IZR s * a) = c -> forall d, Rabs (x - d) < w / 4 ->
            (number emin prec d -> number emin prec (d + IZR s * a)) /\
            (number_or_midpoint emin prec d -> number_or_midpoint emin prec (d + IZR s * a))).
  { intros s x Hs Hx Nx Hxa d Hdx.
    assert (Near : Rabs (x + IZR s * a - (d + IZR s * a)) < w / 4)
      by (replace (x + IZR s * a - (d + IZR s * a)) with (x - d) by ring; exact Hdx).
    split; intros Hn.
    - destruct (own_grid emin prec x d P0 Nx Hn) as (z & Ez); [rewrite Hx, <- Ew; lra|]. rewrite Hx, <- Ew in Ez.
      assert (E : d + IZR s * a = IZR (z + s * k) * bpow radix2 c).
      { rewrite Ez, Ha, plus_IZR, mult_IZR, <- Ew. ring. }
      rewrite E in *. apply (G emin prec c (x + IZR s * a)); [lia | lia | lia | exact Hxa | rewrite <- Ew in *; lra].
    - assert (Hf : bpow radix2 (cexp radix2 (FLT_exp (emin - 1) (prec + 1)) x) = w / 2).
      { rewrite <- Ehalf. f_equal. rewrite <- Hx. unfold cexp, FLT_exp. lia. }
      destruct (own_grid (emin - 1) (prec + 1) x d P1 Nx Hn) as (z & Ez); [rewrite Hf; lra|]. rewrite Hf in Ez.
      assert (E : d + IZR s * a = IZR (z + s * (2 * k)) * bpow radix2 (c - 1)).
      { rewrite Ez, Ha, plus_IZR, !mult_IZR, Ehalf. field. }
      rewrite E in *. apply (G (emin - 1)%Z (prec + 1)%Z (c - 1)%Z (x + IZR s * a)); [lia | lia | lia | exact Hxa | rewrite Ehalf in *; lra]. }
  split; [exact Hya|]. exists (b + a).
  replace (y + a - (b + a)) with (y - b) by ring. rewrite Hu. split; [|exact Hd].
  destruct (Moved 1%Z y (or_introl eq_refl) eq_refl Hy ltac:(rewrite Rmult_1_l; exact Hc) b Hq) as (M0 & M1).
  rewrite Rmult_1_l in M0, M1.
  destruct kind; cbn [is_breakpoint] in *; [apply M0, Hb | | apply M1, Hb].
  destruct Hb as (Hb & Nb). split; [apply M1, Hb|]. intros Hn. apply Nb.
  destruct (Moved (-1)%Z (y + a) (or_intror eq_refl) Hc Hya
              ltac:(replace (y + a + IZR (-1) * a) with y by ring; reflexivity) (b + a)
              ltac:(replace (y + a - (b + a)) with (y - b) by ring; exact Hq)) as (M2 & _).
  replace b with (b + a + IZR (-1) * a) by ring. apply M2, Hn.
Qed.

(* Theorem C.12 (inverse, the lemma's steps 3 and 4). If g is the inverse of f at x, and changes by
   at most G per unit between f(x) and the breakpoint y next to it, then g(y) is as near to x as m'
   says, and x is the multiple of any spacing v that is next to it. *)
Theorem inverse_near f g x y G eps U m' v :
  0 <= G -> g (f x) = x -> Rabs (f x - y) < eps * U -> Rabs (g (f x) - g y) <= G * Rabs (f x - y) ->
  G * (eps * U) <= m' * v -> m' <= / 4 -> 0 < v ->
  Rabs (x - g y) <= m' * v /\ forall z, Rabs (IZR z * v - g y) <= v / 4 -> forall k, x = IZR k * v -> z = k.
Proof.
  intros HG Hg Hy Hlip Hm Hm4 Hv. rewrite Hg in Hlip.
  assert (Hx : Rabs (x - g y) <= m' * v).
  { eapply Rle_trans; [exact Hlip|]. eapply Rle_trans; [|exact Hm]. apply Rmult_le_compat_l; [exact HG | lra]. }
  split; [exact Hx|]. intros z Hz k Hk.
  assert (Hd : Rabs (IZR z * v - IZR k * v) <= v / 2).
  { rewrite <- Hk. replace (IZR z * v - x) with ((IZR z * v - g y) + - (x - g y)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. nra. }
  replace (IZR z * v - IZR k * v) with (IZR (z - k) * v) in Hd by (rewrite minus_IZR; ring).
  rewrite Rabs_mult, (Rabs_pos_eq v) in Hd by lra.
  assert (L : Rabs (IZR (z - k)) < 1) by (apply Rmult_lt_reg_r with v; lra).
  rewrite <- abs_IZR in L. apply lt_IZR in L. lia.
Qed.

(* Theorem C.13 (between). Every rounding of a result between two numbers is between them: where
   they are neighbors, it is one of the two. *)
Theorem between_known emin prec rnd (Hrnd : Valid_rnd rnd) a b y :
  (1 < prec)%Z -> number emin prec a -> number emin prec b -> a <= y <= b ->
  a <= round radix2 (FLT_exp emin prec) rnd y <= b.
Proof.
  intros Hprec Ha Hb Hy. assert (P0 : Prec_gt_0 prec) by (unfold Prec_gt_0; lia).
  split; [apply round_ge_generic | apply round_le_generic]; try assumption; try (apply FLT_exp_valid; exact P0); apply Hy.
Qed.

(* Nearness to an integer, which is all that F is asked for. *)

Definition near (width y : R) : Prop := exists z, Rabs (y - IZR z) < width.

Lemma near_moved width e y y' : near width y -> Rabs (y - y') <= e -> near (width + e) y'.
Proof.
  intros (z & H) He. exists z.
  replace (y' - IZR z) with ((y - IZR z) + - (y - y')) by ring.
  pose proof (Rabs_triang (y - IZR z) (- (y - y'))). rewrite Rabs_Ropp in H0. lra.
Qed.

Definition sign (s : Z) : Prop := s = 1%Z \/ s = (-1)%Z.

Lemma near_signed width s y : sign s -> near width y -> near width (IZR s * y).
Proof.
  intros [-> | ->] (z & H).
  - exists z. rewrite Rmult_1_l. exact H.
  - exists (- z)%Z. rewrite opp_IZR. replace (IZR (-1) * y - - IZR z) with (- (y - IZR z)) by ring.
    rewrite Rabs_Ropp. exact H.
Qed.

(* A piece. *)

Record piece := Piece {
  arguments : Z;        (* how many *)
  center : Z;           (* number of the one about which the polynomial is *)
  place : R;            (* that argument *)
  spacing : R;          (* from an argument to the next *)
  low : R;
  high : R;             (* an interval that holds all of them *)
  results : R;          (* the ulp of all results *)
  degree : nat;
  used : nat -> R;      (* coefficients of the polynomial that is used, in powers of k - center *)
  radius : nat -> R;    (* how far they may be from Taylor's *)
  remainder : R;        (* bound on the next coefficient over the piece *)
  farthest : R          (* bound on |k - center| *)
}.

Definition argument (p : piece) (k : Z) : R := place p + spacing p * IZR (k - center p).

(* R of docs/proofs/piece.md (Definition P.5), at the argument number k *)
Definition value (p : piece) (k : Z) : R := polynomial (used p) (degree p) (IZR (k - center p)).

Section chain.

Variables emin prec : Z.
Hypothesis some_bits : (1 < prec)%Z.
Variable kind : breakpoints.
Variable eps : R.
Hypothesis eps_small : eps <= / 4.
Variable f : R -> R.

(* Definition C.2. What enclosures by MPFR say of a piece. *)
Record enclosed (p : piece) (d : nat -> R -> R) : Prop := {
  function : forall x, low p <= x <= high p -> d O x = f x;
  smooth : derivatives d (degree p) (low p) (high p);
  inside : low p <= place p <= high p;
  all_inside : forall k, (0 <= k < arguments p)%Z -> low p <= argument p k <= high p;
  all_near : forall k, (0 <= k < arguments p)%Z -> Rabs (IZR (k - center p)) <= farthest p;
  one_ulp : forall k, (0 <= k < arguments p)%Z -> f (argument p k) <> 0 ->
              unit_of emin prec (f (argument p k)) = results p;
  next_coefficient : forall xi, low p <= xi <= high p ->
              Rabs (d (S (degree p)) xi / INR (fact (S (degree p)))) <= remainder p;
  coefficients : forall k, (k <= degree p)%nat ->
              Rabs (scale kind / results p * (d k (place p) / INR (fact k)) * spacing p ^ k +
                    (match k with O => shift kind | _ => 0 end) - used p k) <= radius p k
}.

(* the lines *taylor* and *coefficients* *)
Definition neglected (p : piece) : R :=
  Rabs (scale kind / results p) * remainder p * (Rabs (spacing p) * farthest p) ^ S (degree p) +
  polynomial (radius p) (degree p) (farthest p).

(* Theorem C.3 (piece). An HR-case is near an integer on the polynomial that is used. *)
Theorem piece_near p d k :
  enclosed p d -> 0 <= farthest p -> (0 <= k < arguments p)%Z -> hr_case emin prec kind eps (f (argument p k)) ->
  near (scale kind * eps + neglected p) (value p k).
Proof.
  intros E Hfar Hk HC.
  destruct (case_near_integer emin prec some_bits kind eps _ eps_small HC) as (z & Hz).
  pose proof HC as (Hy & _).
  rewrite (one_ulp p d E k Hk Hy) in Hz.
  apply near_moved with (y := scale kind / results p * f (argument p k) + shift kind).
  - exists z. exact Hz.
  - unfold neglected, value.
    rewrite <- (function p d E _ (all_inside p d E k Hk)). unfold argument.
    apply (piece_polynomial d (degree p) (low p) (high p) (place p) (spacing p)); try apply E; assumption.
Qed.

(* A domain. *)

Record domain := Domain {
  middle : Z;           (* number of its center *)
  slope : Z;            (* A: in units of 1/D of the circle, mod the circle *)
  level : R;            (* B *)
  curvature : R;             (* c *)
  height : Z            (* beta *)
}.

(* What all domains of a piece have in common. *)
Record layout := Layout {
  circle : Z;           (* D *)
  half : Z;             (* N/2 *)
  side : Z;             (* 1, or -1 where the tables follow -R *)
  line_width : Z;       (* h *)
  accepted : R;         (* acc *)
  off : R;              (* how far beta may be from -(B + kappa) *)
  stray : R;            (* how far a domain's own curvature may be from kappa *)
  eh : R; es : R; ec : R;  (* errors of value, slope and half the second derivative *)
  third : R             (* bound on the third derivative, over 6 *)
}.

Definition signed (l : layout) (p : piece) : nat -> R := fun k => IZR (side l) * used p k.

(* the lines *tables* and *dropped*, with the part of *quantization* that is about values and
   slopes *)
Definition lost (l : layout) : R :=
  eh l + es l * IZR (half l) + ec l * (IZR (half l) * IZR (half l)) +
  third l * (IZR (half l) * IZR (half l) * IZR (half l)).

Definition near_accepted (l : layout) (p : piece) : R := scale kind * eps + neglected p + lost l.

(* the same with *linear*, and with less of *tables*: for the line at kappa the curvature's error
   counts as far as it makes kappa *)
Definition near_line (l : layout) (p : piece) : R :=
  scale kind * eps + neglected p +
  (eh l + es l * IZR (half l) + stray l + third l * (IZR (half l) * IZR (half l) * IZR (half l))).

Definition in_domain (l : layout) (t : domain) (k : Z) : Prop := (middle t - half l <= k < middle t + half l)%Z.

(* Definition C.3. A layout whose half-widths are sums of the budget's lines. *)
Record widths (l : layout) (p : piece) : Prop := {
  circle_positive : (0 < circle l)%Z;
  half_positive : (0 <= half l)%Z;
  side_is : sign (side l);
  ends_there : no_term_above (degree p) (used p);
  third_positive : 0 <= third l;
  accepted_holds : IZR (circle l) * near_accepted l p + off l <= accepted l;
  line_holds : IZR (circle l) * near_line l p + off l <= IZR (line_width l);
  line_positive : (0 <= line_width l)%Z
}.

(* Definition C.4. A domain's parabola, as the tables have it: value and slope are known mod 1.
   What bounds eh, es, ec and stray, and what the sum of all of them is, Theorem B.8 says. *)
Record tabulated (l : layout) (p : piece) (t : domain) : Prop := {
  value_holds : exists m, Rabs (polynomial (signed l p) (degree p) (IZR (middle t - center p)) -
                                (level t / IZR (circle l) + IZR m)) <= eh l;
  slope_holds : exists m, Rabs (polynomials (signed l p) (degree p) 1 (IZR (middle t - center p)) -
                                (IZR (slope t) / IZR (circle l) + IZR m)) <= es l;
  curvature_holds : Rabs (polynomials (signed l p) (degree p) 2 (IZR (middle t - center p)) / 2 -
                     curvature t / IZR (circle l)) <= ec l;
  third_holds : forall xi,
    IZR (middle t - center p) - IZR (half l) <= xi <= IZR (middle t - center p) + IZR (half l) ->
    Rabs (polynomials (signed l p) (degree p) 3 xi / 6) <= third l;
  stray_holds : forall x, Rabs x <= IZR (half l) ->
    Rabs (polynomials (signed l p) (degree p) 2 (IZR (middle t - center p)) / 2 * (x * x) -
          kappa (half l) (curvature t) / IZR (circle l)) <= stray l;
  height_holds : Rabs (IZR (height t) + (level t + kappa (half l) (curvature t))) <= off l
}.

Lemma polynomial_scaled s r n x : polynomial (fun k => s * r k) n x = s * polynomial r n x.
Proof. induction n as [|n IH]; cbn [polynomial]; [reflexivity|]. rewrite IH. ring. Qed.

(* Theorem C.4 (domain). Near an integer on the polynomial is a case on the domain's parabola. *)
Theorem domain_case l p t k :
  widths l p -> tabulated l p t -> in_domain l t k ->
  near (scale kind * eps + neglected p) (value p k) ->
  exists m, case (circle l) (slope t) (half l) (level t) (curvature t)
              (IZR (circle l) * near_accepted l p) (IZR (circle l) * near_line l p) (k - middle t) m.
Proof.
  intros W T Hk HN.
  pose proof (circle_positive l p W) as HD. pose proof (IZR_lt _ _ HD) as HD'.
  destruct (value_holds l p t T) as (m0 & H0). destruct (slope_holds l p t T) as (m1 & H1).
  set (x := (k - middle t)%Z).
  assert (Hx : (Z.abs x <= half l)%Z) by (unfold in_domain in Hk; unfold x; lia).
  assert (HxR : Rabs (IZR x) <= IZR (half l)) by (rewrite <- abs_IZR; apply IZR_le; exact Hx).
  set (y0 := IZR (middle t - center p)).
  assert (Hin : y0 - IZR (half l) <= y0 + IZR x <= y0 + IZR (half l)) by (apply Rabs_le_inv in HxR; lra).
  assert (Hends : no_term_above (degree p) (signed l p)).
  { intros j Hj. unfold signed. rewrite (ends_there l p W j Hj). ring. }
  assert (Hc : y0 - IZR (half l) <= y0 <= y0 + IZR (half l)).
  { pose proof (IZR_le _ _ (half_positive l p W)). lra. }
  pose proof (parabola_error (signed l p) (degree p) _ _ y0 (IZR x) (IZR (half l)) (third l) _ _ _ _ _ _
                Hends Hc Hin HxR (third_positive l p W) (third_holds l p t T) H0 H1 (curvature_holds l p t T)) as HP.
  assert (HV : polynomial (signed l p) (degree p) (y0 + IZR x) = IZR (side l) * value p k).
  { unfold signed. rewrite polynomial_scaled. unfold value, y0, x. f_equal. f_equal.
    rewrite <- plus_IZR. f_equal. ring. }
  (* the same for the line that is raised by kappa: a parabola without curvature *)
  assert (HL : Rabs (polynomial (signed l p) (degree p) (y0 + IZR x) -
                     (level t / IZR (circle l) + IZR m0 + (IZR (slope t) / IZR (circle l) + IZR m1) * IZR x +
                      kappa (half l) (curvature t) / IZR (circle l))) <=
               eh l + es l * IZR (half l) + stray l + third l * (IZR (half l) * IZR (half l) * IZR (half l))).
  { pose proof (parabola_error (signed l p) (degree p) _ _ y0 (IZR x) (IZR (half l)) (third l) _ _
                  (polynomials (signed l p) (degree p) 2 y0 / 2) (eh l) (es l) 0
                  Hends Hc Hin HxR (third_positive l p W) (third_holds l p t T) H0 H1
                  ltac:(rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; lra)) as HQ.
    pose proof (stray_holds l p t T (IZR x) HxR) as HT. fold y0 in HT.
    match type of HQ with Rabs (?a - ?b) <= _ => match type of HT with Rabs ?c <= _ =>
      match goal with |- Rabs ?g <= _ => replace g with ((a - b) + c) by ring end end end.
    eapply Rle_trans; [apply Rabs_triang|]. lra. }
  rewrite HV in HP, HL.
  pose proof (near_signed _ _ _ (side_is l p W) HN) as (z & Hz).
  assert (Hsum : forall a e, Rabs (IZR (side l) * value p k - a) <= e ->
            Rabs (IZR (circle l) * (a - IZR z)) <= IZR (circle l) * (scale kind * eps + neglected p + e)).
  { intros a e He. rewrite Rabs_mult, (Rabs_pos_eq (IZR (circle l))) by lra. apply Rmult_le_compat_l; [lra|].
    replace (a - IZR z) with ((IZR (side l) * value p k - IZR z) + - (IZR (side l) * value p k - a)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  exists (z - m0 - m1 * x)%Z. split; [exact Hx|]. split.
  - replace (level t + IZR (slope t) * IZR x + curvature t * (IZR x * IZR x) - IZR (z - m0 - m1 * x) * IZR (circle l))
      with (IZR (circle l) * (level t / IZR (circle l) + IZR m0 +
              (IZR (slope t) / IZR (circle l) + IZR m1) * IZR x +
              curvature t / IZR (circle l) * (IZR x * IZR x) - IZR z)).
    + apply Hsum. exact HP.
    + rewrite !minus_IZR, mult_IZR. field. lra.
  - replace (level t + kappa (half l) (curvature t) + IZR (slope t) * IZR x - IZR (z - m0 - m1 * x) * IZR (circle l))
      with (IZR (circle l) * (level t / IZR (circle l) + IZR m0 +
              (IZR (slope t) / IZR (circle l) + IZR m1) * IZR x +
              kappa (half l) (curvature t) / IZR (circle l) - IZR z)).
    + apply Hsum. exact HL.
    + rewrite !minus_IZR, mult_IZR. field. lra.
Qed.

(* Definition C.5. The ways in which a domain is settled, `candidates` being the argument numbers
   that are then confirmed:
   - the walk finds it empty, from any valid first basis, by any shears and crossings, with either
     vector first;
   - its box is enumerated from a basis, and each point is a candidate unless the polynomial's exact
     value is away from integers;
   - an existence test finds a segment empty that is within `lag` of the polynomial raised by
     `raised`;
   - all of it is confirmed, one by one. *)
Definition oriented (b b' : basis) (s : Z) : Prop :=
  (s = 1%Z /\ b' = b) \/ (s = (-1)%Z /\ b' = mirrored b).

Inductive settled (l : layout) (p : piece) (t : domain) (candidates : Z -> Prop) : Prop :=
  | empty_walk A0 b0 b b' s t0 eta :
      valid (circle l) A0 b0 -> reaches (circle l) A0 b0 (slope t) b -> oriented b b' s ->
      clear (circle l) (half l) (height t) (line_width l) (curvature t) (accepted l) b' t0 eta ->
      tabulated l p t -> settled l p t candidates
  | enumerated A0 b0 b b' s :
      valid (circle l) A0 b0 -> reaches (circle l) A0 b0 (slope t) b -> oriented b b' s ->
      (0 < u b')%Z ->
      (forall i j k, visits (circle l) (half l) (height t) (line_width l) b' i j ->
         k = (middle t + s * (i * u b' - j * v b'))%Z -> in_domain l t k -> (0 <= k < arguments p)%Z ->
         near (scale kind * eps + neglected p) (value p k) -> candidates k) ->
      tabulated l p t -> settled l p t candidates
  | empty_segment a b0 width raised lag (turns : Z -> Z) :
      (forall x, (0 <= x < 2 * half l)%Z -> (width <= distance (circle l) a b0 x)%Z) ->
      (forall x, (0 <= x < 2 * half l)%Z ->
         Rabs (IZR (circle l) * (IZR (side l) * value p (middle t - half l + x)) + raised -
               IZR (b0 - a * x + turns x * circle l)) <= lag) ->
      IZR (circle l) * (scale kind * eps + neglected p) + lag <= raised ->
      2 * raised < IZR width -> (width <= circle l)%Z -> settled l p t candidates
  | one_by_one :
      (forall k, in_domain l t k -> (0 <= k < arguments p)%Z -> candidates k) -> settled l p t candidates.

Lemma oriented_valid D A b b' s : valid D A b -> oriented b b' s -> sign s /\ valid D (s * A) b'.
Proof.
  intros HV [(-> & ->) | (-> & ->)].
  - split; [left; reflexivity | rewrite Z.mul_1_l; exact HV].
  - split; [right; reflexivity|]. replace (-1 * A)%Z with (- A)%Z by ring. apply mirror_valid. exact HV.
Qed.

Lemma case_signed s D A X B c tolerance wide x m :
  sign s -> case D A X B c tolerance wide x m -> case D (s * A) X B c tolerance wide (s * x) m.
Proof.
  intros Hs (Hx & Hm & Hl).
  assert (E : IZR (s * A) * IZR (s * x) = IZR A * IZR x)
    by (rewrite <- !mult_IZR; f_equal; destruct Hs as [-> | ->]; ring).
  assert (E2 : IZR (s * x) * IZR (s * x) = IZR x * IZR x)
    by (rewrite <- !mult_IZR; f_equal; destruct Hs as [-> | ->]; ring).
  unfold case. rewrite E, E2. split; [destruct Hs as [-> | ->]; lia | split; assumption].
Qed.

(* Theorem C.5 (nothing is lost in a domain). Whatever settles it, an argument near an integer is a
   candidate. *)
Theorem settled_complete l p t candidates k :
  widths l p -> settled l p t candidates -> in_domain l t k -> (0 <= k < arguments p)%Z ->
  near (scale kind * eps + neglected p) (value p k) -> candidates k.
Proof.
  intros W S Hk Hin HN.
  pose proof (circle_positive l p W) as HD. pose proof (half_positive l p W) as HX.
  destruct S as [A0 b0 b b' s t0 eta HV HR HO HC T | A0 b0 b b' s HV HR HO Hu Hall T |
                 a b0 width raised lag turns Hempty Hline Hwide Hwidth Hcirc | Hall].
  - exfalso. destruct (domain_case l p t k W T Hk HN) as (m & Hm).
    destruct (oriented_valid _ _ _ _ _ (walk_valid _ _ _ _ _ HR HV) HO) as (Hs & HV').
    eapply (clear_sound_here (circle l) (s * slope t) (half l) (height t) (line_width l) (level t) (curvature t) (accepted l));
      [exact HD | exact HX | apply W | apply T | apply (accepted_holds l p W) | apply (line_holds l p W) | exact HV' | exact HC |].
    apply (case_signed s); [exact Hs | exact Hm].
  - destruct (domain_case l p t k W T Hk HN) as (m & Hm).
    destruct (oriented_valid _ _ _ _ _ (walk_valid _ _ _ _ _ HR HV) HO) as (Hs & HV').
    pose proof (case_signed s _ _ _ _ _ _ _ _ _ Hs Hm) as Hm'.
    destruct (case_near (circle l) (s * slope t) (half l) (height t) (line_width l) (level t) (curvature t) (accepted l)
                (off l) _ _ (height_holds l p t T) (accepted_holds l p W) (line_holds l p W) _ _ Hm') as (_ & HB).
    destruct (proj1 (near_complete (circle l) (s * slope t) b' (half l) (height t) (line_width l) (s * (k - middle t)) _
                HD Hu HV' HX (line_positive l p W)) (conj (ex_intro _ m eq_refl) HB))
      as (i & j & Hvis & Ex & _).
    apply (Hall i j); try assumption.
    rewrite <- Ex. destruct Hs as [-> | ->]; ring.
  - exfalso. set (x := (k - (middle t - half l))%Z).
    assert (Hx : (0 <= x < 2 * half l)%Z) by (unfold in_domain in Hk; unfold x; lia).
    pose proof (Hempty x Hx) as He. pose proof (Hline x Hx) as Hl.
    replace (middle t - half l + x)%Z with k in Hl by (unfold x; ring).
    destruct (near_signed _ _ _ (side_is l p W) HN) as (z & Hz).
    set (r := (b0 - a * x + (turns x - z) * circle l)%Z).
    assert (HDR : 0 < IZR (circle l)) by (apply IZR_lt; exact HD).
    assert (Hr : 0 <= IZR r <= 2 * raised).
    { assert (Er : IZR r = IZR (b0 - a * x + turns x * circle l) - IZR (circle l) * IZR z).
      { unfold r. rewrite !plus_IZR, !minus_IZR, !mult_IZR, !minus_IZR. ring. }
      set (val := IZR (side l) * value p k) in *.
      set (line := IZR (b0 - a * x + turns x * circle l)) in *.
      assert (Hzz : Rabs (IZR (circle l) * val - IZR (circle l) * IZR z) <=
                    IZR (circle l) * (scale kind * eps + neglected p)).
      { replace (IZR (circle l) * val - IZR (circle l) * IZR z) with (IZR (circle l) * (val - IZR z)) by ring.
        rewrite Rabs_mult, Rabs_pos_eq by lra. apply Rmult_le_compat_l; lra. }
      apply Rabs_le_inv in Hzz. apply Rabs_le_inv in Hl. rewrite Er. lra. }
    assert (Hr0 : (0 <= r)%Z) by (apply le_IZR; apply Hr).
    assert (Hr1 : (r < width)%Z) by (apply lt_IZR; lra).
    assert (Hd : distance (circle l) a b0 x = r).
    { unfold distance. symmetry.
      apply Z.mod_unique with (z - turns x)%Z; [left; lia |]. unfold r. ring. }
    lia.
  - apply Hall; assumption.
Qed.

(* From pieces to the list. *)

(* the region's arguments by their number; which of them the certificate lists, as cases or as
   undecided *)
Variable numbered : Z -> R.
Variables listed undecided : Z -> Prop.

Definition accounted (j : Z) : Prop :=
  hr_case emin prec kind eps (f (numbered j)) -> listed j \/ undecided j.

(* Definition C.6. Arguments s to s + n - 1 are searched: by a polynomial whose domains are settled,
   and whose candidates are confirmed; or one by one. *)
Inductive searched (s n : Z) : Prop :=
  | by_polynomial (p : piece) d l (domains : Z -> domain) (count : Z) (candidates : Z -> Prop) :
      arguments p = n -> (forall k, (0 <= k < n)%Z -> argument p k = numbered (s + k)) -> 0 <= farthest p ->
      enclosed p d -> widths l p -> (0 < half l)%Z ->
      (n <= count * (2 * half l))%Z ->
      (forall i, (0 <= i < count)%Z -> middle (domains i) = (i * (2 * half l) + half l)%Z) ->
      (forall i, (0 <= i < count)%Z -> settled l p (domains i) candidates) ->
      (forall k, (0 <= k < n)%Z -> candidates k -> accounted (s + k)) -> searched s n
  | by_confirmation : (forall j, (s <= j < s + n)%Z -> accounted j) -> searched s n.

(* Theorem C.6 (piece). Domains next to each other hold every argument. *)
Theorem searched_complete s n j : searched s n -> (s <= j < s + n)%Z -> accounted j.
Proof.
  intros [p d l domains count candidates En HX Hfar HE HW Hhalf Hn Hmid Hset Hconf | H] Hj; [|apply H; exact Hj].
  intros HC. set (k := (j - s)%Z). assert (Hk : (0 <= k < n)%Z) by (unfold k; lia).
  replace j with (s + k)%Z in * by (unfold k; ring).
  set (i := (k / (2 * half l))%Z).
  pose proof (Z.div_mod k (2 * half l) ltac:(lia)) as Hd. fold i in Hd.
  pose proof (Z.mod_pos_bound k (2 * half l) ltac:(lia)) as Hm.
  assert (Hi : (0 <= i < count)%Z) by nia.
  apply Hconf; [exact Hk | | exact HC].
  apply (settled_complete l p (domains i) candidates k HW (Hset i Hi)).
  - unfold in_domain. rewrite Hmid by exact Hi. lia.
  - rewrite En. exact Hk.
  - apply (piece_near p d k HE Hfar); [rewrite En; exact Hk|]. rewrite HX by exact Hk. exact HC.
Qed.

(* Definition C.7. Parts that tile the numbers from a to b - 1: each begins where the one before it
   ends. *)
Fixpoint tile (a b : Z) (parts : list (Z * Z)) : Prop :=
  match parts with
  | nil => a = b
  | (s, n) :: rest => s = a /\ tile (a + n) b rest
  end%list.

(* Theorem C.7 (tiling). Every number is in a part. *)
Theorem tile_complete a b parts j :
  tile a b parts -> (a <= j < b)%Z -> exists s n, In (s, n) parts /\ (s <= j < s + n)%Z.
Proof.
  revert a. induction parts as [|(s, n) rest IH]; intros a HT Hj; cbn [tile] in HT; [lia|].
  destruct HT as (-> & HT).
  destruct (Z.lt_ge_cases j (a + n)) as [L | L].
  - exists a, n. split; [left; reflexivity | lia].
  - destruct (IH _ HT ltac:(lia)) as (s & m & HI & Hs). exists s, m. split; [right; exact HI | exact Hs].
Qed.

(* Theorem C.8 (composition). If units tile a region that is searched, pieces tile each unit, and
   each piece is searched, then every HR-case of the region is in the list, or among the arguments
   that are listed as undecided. *)
Theorem certificate_complete first last (units : list (Z * Z)) (pieces : Z * Z -> list (Z * Z)) :
  tile first last units ->
  (forall s n, In (s, n) units -> tile s (s + n) (pieces (s, n))) ->
  (forall unit s n, In unit units -> In (s, n) (pieces unit) -> searched s n) ->
  forall j, (first <= j < last)%Z -> hr_case emin prec kind eps (f (numbered j)) -> listed j \/ undecided j.
Proof.
  intros HU HP HS j Hj HC.
  destruct (tile_complete _ _ _ _ HU Hj) as (s & n & Hunit & Hs).
  destruct (tile_complete _ _ _ _ (HP s n Hunit) Hs) as (s' & n' & Hpiece & Hs').
  exact (searched_complete s' n' j (HS _ _ _ Hunit Hpiece) Hs' HC).
Qed.

(* Theorem C.9 (mirror). -y is an HR-case where y is one: what is known at x is known at -x, if f is
   even or odd. *)
Theorem case_opposite y : hr_case emin prec kind eps y -> hr_case emin prec kind eps (- y).
Proof.
  intros (Hy & b & Hb & Hd). split; [lra|]. exists (- b). split.
  - assert (Hn : forall c, number emin prec c -> number emin prec (- c)) by (intros c; apply generic_format_opp).
    assert (Hm : forall c, number_or_midpoint emin prec c -> number_or_midpoint emin prec (- c))
      by (intros c; apply generic_format_opp).
    destruct kind; cbn [is_breakpoint] in *; [apply Hn, Hb | | apply Hm, Hb].
    destruct Hb as (Hb & Nb). split; [apply Hm, Hb|]. intros H. apply Nb.
    replace b with (- - b) by ring. apply Hn, H.
  - unfold unit_of. rewrite cexp_opp. replace (- y - - b) with (- (y - b)) by ring. rewrite Rabs_Ropp. exact Hd.
Qed.

Corollary mirrored_complete j j' :
  numbered j = - numbered j' -> f (numbered j) = f (numbered j') \/ f (numbered j) = - f (numbered j') ->
  (listed j' -> listed j) -> (undecided j' -> undecided j) -> accounted j' -> accounted j.
Proof.
  intros _ Hf Hl Hu Ha HC.
  assert (HC' : hr_case emin prec kind eps (f (numbered j'))).
  { destruct Hf as [E | E]; rewrite E in HC; [exact HC|].
    replace (f (numbered j')) with (- - f (numbered j')) by ring. apply case_opposite. exact HC. }
  destruct (Ha HC'); auto.
Qed.

(* What is translated: a result that is 2^n times another one, with either sign, both normal. *)
Corollary translated_complete j j' n :
  f (numbered j) = bpow radix2 n * f (numbered j') \/ f (numbered j) = - (bpow radix2 n * f (numbered j')) ->
  (emin + prec <= mag radix2 (f (numbered j)))%Z -> (emin + prec <= mag radix2 (f (numbered j')))%Z ->
  (listed j' -> listed j) -> (undecided j' -> undecided j) -> accounted j' -> accounted j.
Proof.
  intros Hf H1 H0 Hl Hu Ha HC.
  assert (Hy : f (numbered j) <> 0) by (destruct HC as (Hy & _); exact Hy).
  assert (HC1 : hr_case emin prec kind eps (bpow radix2 n * f (numbered j'))).
  { destruct Hf as [E | E]; [rewrite E in HC; exact HC|].
    replace (bpow radix2 n * f (numbered j')) with (- f (numbered j)) by (rewrite E; ring). apply case_opposite. exact HC. }
  assert (N' : f (numbered j') <> 0).
  { intros E. apply Hy. destruct Hf as [-> | ->]; rewrite E; ring. }
  assert (Hm : mag radix2 (bpow radix2 n * f (numbered j')) = (mag radix2 (f (numbered j')) + n)%Z :> Z)
    by (rewrite Rmult_comm; apply mag_mult_bpow; exact N').
  assert (Hm' : mag radix2 (f (numbered j)) = (mag radix2 (f (numbered j')) + n)%Z :> Z).
  { rewrite <- Hm. destruct Hf as [-> | ->]; [reflexivity | rewrite mag_opp; reflexivity]. }
  assert (HC2 : hr_case emin prec kind eps (f (numbered j'))).
  { replace (f (numbered j')) with (bpow radix2 (- n) * (bpow radix2 n * f (numbered j')))
      by (rewrite <- Rmult_assoc, <- bpow_plus, Z.add_opp_diag_l; cbn; ring).
    apply case_scaled; try assumption; rewrite Hm; lia. }
  destruct (Ha HC2); auto.
Qed.

End chain.
