(* A block's polynomial and the parabolas that windows take from it.

   docs/proofs/arcs.md. Values are real numbers in units of the breakpoints' spacing.

   | name       | what it is                                                                |
   |------------|---------------------------------------------------------------------------|
   | u          | half a unit in the last place of 1                                        |
   | X          | an integer, how far from the block's center; H is the most                |
   | c0, c1, c2 | the first coefficients of the polynomial about its center                 |
   | cs, ds, es | those beyond, of the polynomial, its derivative and half the second one   |
*)

Require Import ZArith Reals Lia Lra Psatz List.
From Flocq Require Import Core.Core.
Open Scope R_scope.

Section tails.
Variables (u X : R).
Hypothesis u_positive : 0 < u.

(* What is computed is off by the part (1 + u)^k - 1 of m, which is no less than what it is for. *)
Definition of_part (k : nat) (computed exact m : R) : Prop :=
  Rabs exact <= m /\ Rabs (computed - exact) <= ((1 + u) ^ k - 1) * m.

Lemma power_grows k l : (k <= l)%nat -> (1 + u) ^ k <= (1 + u) ^ l.
Proof. intros H. apply Rle_pow; [lra|exact H]. Qed.

Lemma power_from_1 k : 1 <= (1 + u) ^ k.
Proof. apply (power_grows 0 k). lia. Qed.

Lemma part_later k l a' a m : (k <= l)%nat -> of_part k a' a m -> of_part l a' a m.
Proof.
  intros H (B & O). split; [exact B|]. pose proof (power_grows k l H).
  pose proof (Rabs_pos a). eapply Rle_trans; [exact O|]. apply Rmult_le_compat_r; lra.
Qed.

(* A factor that is off by a part u itself, or not at all. *)
Lemma part_scaled k a' a m q' q :
  Rabs (q' - q) <= u * Rabs q -> of_part k a' a m -> of_part (S k) (a' * q') (a * q) (m * Rabs q).
Proof.
  intros Q (B & O). pose proof (power_from_1 k) as G. unfold of_part. cbn [pow].
  set (g := (1 + u) ^ k) in *.
  split; [rewrite Rabs_mult; apply Rmult_le_compat_r; [apply Rabs_pos|exact B]|].
  replace (a' * q' - a * q) with ((a' - a) * q + (a + (a' - a)) * (q' - q)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite 2!Rabs_mult.
  pose proof (Rabs_pos q) as P. pose proof (Rabs_pos a) as PA.
  assert (Rabs (a + (a' - a)) <= g * m) as A.
  { eapply Rle_trans; [apply Rabs_triang|]. lra. }
  assert (Rabs (a' - a) * Rabs q <= (g - 1) * m * Rabs q) as E
    by (apply Rmult_le_compat_r; assumption).
  assert (Rabs (a + (a' - a)) * Rabs (q' - q) <= g * m * (u * Rabs q)) as F.
  { apply Rmult_le_compat; [apply Rabs_pos|apply Rabs_pos|exact A|exact Q]. }
  lra.
Qed.

Lemma part_rounded k a' a m r :
  Rabs (r - a') <= u * Rabs a' -> of_part k a' a m -> of_part (S k) r a m.
Proof.
  intros H (B & O). split; [exact B|]. pose proof (power_from_1 k) as G. cbn [pow].
  set (g := (1 + u) ^ k) in *. pose proof (Rabs_pos a) as PA.
  assert (Rabs a' <= g * m) as A.
  { replace a' with (a + (a' - a)) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
  replace (r - a) with ((r - a') + (a' - a)) by ring.
  eapply Rle_trans; [apply Rabs_triang|].
  assert (u * Rabs a' <= u * (g * m)) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Lemma part_sum k a' a m b' b n :
  of_part k a' a m -> of_part k b' b n -> of_part k (a' + b') (a + b) (m + n).
Proof.
  intros (B & O) (B2 & O2). split.
  - eapply Rle_trans; [apply Rabs_triang|]. lra.
  - replace (a' + b' - (a + b)) with ((a' - a) + (b' - b)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(* A polynomial of X, its first coefficient first; and the sum of its terms' magnitudes at H. *)
Fixpoint polynomial (cs : list R) : R :=
  match cs with nil => 0 | c :: rest => c + polynomial rest * X end.

Fixpoint magnitude (H : R) (cs : list R) : R :=
  match cs with nil => 0 | c :: rest => Rabs c + magnitude H rest * H end.

(* What is computed of it from its last coefficient on, coefficients off by (1 + u)^j - 1 of
   themselves, each product and each sum by a part u. *)
Inductive horner (j : nat) : list R -> R -> Prop :=
| horner_nil : horner j nil 0
| horner_cons c c' rest h p s :
    horner j rest h -> of_part j c' c (Rabs c) ->
    Rabs (p - h * X) <= u * Rabs (h * X) -> Rabs (s - (p + c')) <= u * Rabs (p + c') ->
    horner j (c :: rest) s.

(* Theorem A.11 (tails). With n coefficients, that is off by (1 + u)^(2 n + j) - 1 of the sum of
   the terms' magnitudes. *)
Theorem horner_off j cs h :
  horner j cs h -> of_part (2 * length cs + j) h (polynomial cs) (magnitude (Rabs X) cs).
Proof.
  induction 1 as [|c c' rest h p s _ IH C P F]; simpl length.
  - split; simpl; rewrite ?Rminus_0_r, Rabs_R0; lra.
  - replace (2 * S (length rest) + j)%nat with (S (S (2 * length rest + j))) by lia.
    apply (part_rounded _ _ _ _ _ F). cbn [polynomial magnitude].
    rewrite (Rplus_comm c), (Rplus_comm (Rabs c)).
    apply part_sum.
    + apply (part_rounded _ _ _ _ _ P). destruct IH as (B & O). split.
      * rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|exact B].
      * replace (h * X - polynomial rest * X) with ((h - polynomial rest) * X) by ring.
        rewrite Rabs_mult, <- Rmult_assoc. apply Rmult_le_compat_r; [apply Rabs_pos|exact O].
    + apply (part_later j); [lia|exact C].
Qed.

Lemma magnitude_grows H cs : Rabs X <= H -> 0 <= magnitude (Rabs X) cs <= magnitude H cs.
Proof.
  intros L. pose proof (Rabs_pos X). induction cs as [|c rest IH]; cbn [magnitude]; [lra|].
  pose proof (Rabs_pos c). split; [assert (0 <= magnitude (Rabs X) rest * Rabs X) by
    (apply Rmult_le_pos; lra); lra|].
  apply Rplus_le_compat_l. apply Rmult_le_compat; lra.
Qed.
End tails.

Lemma power_bound u m : 0 <= u -> INR m * u < 1 -> (1 + u) ^ m * (1 - INR m * u) <= 1.
Proof.
  intros Hu. induction m as [|m IH]; [simpl; lra|].
  rewrite S_INR. intros H. simpl pow.
  assert (INR m * u < 1) as L by lra.
  pose proof (pos_INR m) as P. assert (0 <= INR m * u) by (apply Rmult_le_pos; lra).
  assert (0 < (1 + u) ^ m) as Q by (apply pow_lt; lra).
  specialize (IH L). set (g := (1 + u) ^ m) in *. set (n := INR m) in *.
  assert ((1 + u) * (1 - (n + 1) * u) <= 1 - n * u) as E by nra.
  assert (g * ((1 + u) * (1 - (n + 1) * u)) <= g * (1 - n * u)) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(* 120 roundings of doubles are less than 2^-46. *)
Lemma many_roundings k : (k <= 120)%nat -> (1 + bpow radix2 (-53)) ^ k - 1 <= bpow radix2 (-46).
Proof.
  intros H. set (u := bpow radix2 (-53)).
  assert (0 < u) as U by apply bpow_gt_0.
  assert (bpow radix2 (-46) = 128 * u) as E.
  { unfold u. change 128 with (bpow radix2 7). rewrite <- bpow_plus. reflexivity. }
  assert (u <= / 1048576) as Us.
  { change (/ 1048576) with (bpow radix2 (-20)). apply bpow_le. lia. }
  assert ((1 + u) ^ k <= (1 + u) ^ 120) as G by (apply Rle_pow; [lra|exact H]).
  assert (INR 120 = 120) as I by (rewrite INR_IZR_INZ; reflexivity).
  pose proof (power_bound u 120 (Rlt_le _ _ U)) as B. rewrite I in B.
  assert (120 * u < 1) as L by lra. specialize (B L).
  assert (1 <= (1 + u) ^ 120) by (apply (power_from_1 u U 120)).
  set (g := (1 + u) ^ 120) in *. rewrite E.
  (* g (1 - 120 u) <= 1 and 1 <= (1 + 128 u)(1 - 120 u) *)
  assert (1 <= (1 + 128 * u) * (1 - 120 * u)) as F by nra.
  assert (g <= 1 + 128 * u); [|lra].
  apply Rmult_le_reg_r with (1 - 120 * u); lra.
Qed.

(* Theorem A.4 (a window's parabola). Of a block's polynomial c0, c1 and c2 are cut to 128 bits, and
   coefficients beyond are doubles. At a distance of X from its center, H at the most, b is cut
   twice to 64 bits, the slope's tail to 96, and tails are Horner's, of less than 58 terms, with a
   product or two or three behind: so far off are b, the slope, and c, which is a double. *)
Theorem parabola_off (c0 c1 c2 c0' c1' c2' X H : R) (cs ds es : list R) (h d e : R) :
  let u := bpow radix2 (-53) in
  Rabs X <= H ->
  Rabs (c0' - c0) <= bpow radix2 (-128) -> Rabs (c1' - c1) <= bpow radix2 (-128) ->
  Rabs (c2' - c2) <= bpow radix2 (-128) ->
  (length cs <= 57)%nat -> (length ds <= 57)%nat -> (length es <= 57)%nat ->
  horner u X 2 cs h -> horner u X 3 ds d -> horner u X 3 es e ->
  (forall square t1 t2 whole tail b,
    Rabs (square - X * X) <= u * Rabs (X * X) ->
    Rabs (t1 - h * square) <= u * Rabs (h * square) ->
    Rabs (t2 - t1 * X) <= u * Rabs (t1 * X) ->
    Rabs (whole - (c0' + (c1' + c2' * X) * X)) <= bpow radix2 (-64) ->
    Rabs (tail - t2) <= bpow radix2 (-64) -> b = whole + tail ->
    Rabs (b - (c0 + (c1 + c2 * X) * X + polynomial X cs * (X * X) * X))
    <= bpow radix2 (-128) * (1 + H + H * H) + bpow radix2 (-63)
       + bpow radix2 (-46) * (magnitude H cs * (H * H) * H)) /\
  (forall square t1 tail slope,
    Rabs (square - X * X) <= u * Rabs (X * X) ->
    Rabs (t1 - d * square) <= u * Rabs (d * square) ->
    Rabs (tail - t1) <= bpow radix2 (-96) -> slope = c1' + 2 * c2' * X + tail ->
    Rabs (slope - (c1 + 2 * c2 * X + polynomial X ds * (X * X)))
    <= bpow radix2 (-128) * (1 + 2 * H) + bpow radix2 (-95)
       + bpow radix2 (-46) * (magnitude H ds * (H * H))) /\
  (forall q t c,
    Rabs (q - c2) <= 2 * u * Rabs c2 -> Rabs (t - e * X) <= u * Rabs (e * X) ->
    Rabs (c - (q + t)) <= u * Rabs (q + t) ->
    Rabs (c - (c2 + polynomial X es * X))
    <= bpow radix2 (-50) * Rabs c2 + bpow radix2 (-46) * (magnitude H es * H)).
Proof.
  intros u HX H0 H1 H2 Lc Ld Le Hh Hd He.
  assert (0 < u) as U by apply bpow_gt_0.
  assert (bpow radix2 (-50) = 8 * u) as E50.
  { unfold u. change 8 with (bpow radix2 3). rewrite <- bpow_plus. reflexivity. }
  assert (bpow radix2 (-63) = 2 * bpow radix2 (-64)) as E63.
  { change 2 with (bpow radix2 1). rewrite <- bpow_plus. reflexivity. }
  assert (bpow radix2 (-95) = 2 * bpow radix2 (-96)) as E95.
  { change 2 with (bpow radix2 1). rewrite <- bpow_plus. reflexivity. }
  assert (0 < bpow radix2 (-96)) as P96 by apply bpow_gt_0.
  assert (u <= / 1048576) as Us.
  { change (/ 1048576) with (bpow radix2 (-20)). apply bpow_le. lia. }
  set (z := bpow radix2 (-128)) in *.
  assert (0 < z) as Z by apply bpow_gt_0.
  pose proof (Rabs_pos X) as PX.
  assert (Rabs X * Rabs X <= H * H) as HS by (apply Rmult_le_compat; lra).
  assert (0 <= Rabs X * Rabs X) as PS by (apply Rmult_le_pos; lra).
  pose proof (horner_off u X U 2 cs h Hh) as Oh.
  pose proof (horner_off u X U 3 ds d Hd) as Od.
  pose proof (horner_off u X U 3 es e He) as Oe.
  pose proof (magnitude_grows X H cs HX) as Mc.
  pose proof (magnitude_grows X H ds HX) as Md.
  pose proof (magnitude_grows X H es HX) as Me.
  assert (forall m M, 0 <= m <= M -> m * (Rabs X * Rabs X) <= M * (H * H)) as Two.
  { intros m M ?. apply Rmult_le_compat; lra. }
  split; [|split].
  - intros square t1 t2 whole tail b Q T1 T2 W T ->.
    apply (part_scaled u U _ _ _ _ _ _ Q) in Oh.
    apply (part_rounded u U _ _ _ _ _ T1) in Oh.
    assert (Rabs (X - X) <= u * Rabs X) as QX.
    { rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. apply Rmult_le_pos; lra. }
    apply (part_scaled u U _ _ _ _ _ _ QX) in Oh.
    apply (part_rounded u U _ _ _ _ _ T2) in Oh.
    destruct Oh as (_ & O). rewrite Rabs_mult in O.
    set (m := magnitude (Rabs X) cs) in *. set (M := magnitude H cs) in *.
    assert (m * (Rabs X * Rabs X) * Rabs X <= M * (H * H) * H) as Three.
    { apply Rmult_le_compat; [apply Rmult_le_pos; lra|lra|apply Two; lra|lra]. }
    assert (0 <= m * (Rabs X * Rabs X) * Rabs X) as P3
      by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
    assert (Rabs (t2 - polynomial X cs * (X * X) * X)
            <= bpow radix2 (-46) * (M * (H * H) * H)) as O'.
    { eapply Rle_trans; [exact O|]. apply Rmult_le_compat; try lra.
      - pose proof (power_from_1 u U (S (S (S (S (2 * length cs + 2)))))). lra.
      - apply many_roundings. lia. }
    assert (Rabs ((c0' - c0) + ((c1' - c1) + (c2' - c2) * X) * X) <= z * (1 + H + H * H)) as C.
    { eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
      assert (Rabs (c1' - c1 + (c2' - c2) * X) <= z + z * H) as C1.
      { eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
        assert (Rabs (c2' - c2) * Rabs X <= z * H) by
          (apply Rmult_le_compat; [apply Rabs_pos|lra|lra|lra]). lra. }
      assert (Rabs (c1' - c1 + (c2' - c2) * X) * Rabs X <= (z + z * H) * H) by
        (apply Rmult_le_compat; [apply Rabs_pos|lra|lra|lra]). lra. }
    replace (whole + tail - (c0 + (c1 + c2 * X) * X + polynomial X cs * (X * X) * X)) with
      ((whole - (c0' + (c1' + c2' * X) * X)) + (tail - t2)
       + (t2 - polynomial X cs * (X * X) * X)
       + ((c0' - c0) + ((c1' - c1) + (c2' - c2) * X) * X)) by ring.
    eapply Rle_trans; [apply Rabs_triang|].
    eapply Rle_trans; [apply Rplus_le_compat_r; apply Rabs_triang|].
    eapply Rle_trans; [apply Rplus_le_compat_r; apply Rplus_le_compat_r; apply Rabs_triang|]. lra.
  - intros square t1 tail slope Q T1 T ->.
    apply (part_scaled u U _ _ _ _ _ _ Q) in Od.
    apply (part_rounded u U _ _ _ _ _ T1) in Od.
    destruct Od as (_ & O). rewrite Rabs_mult in O.
    set (m := magnitude (Rabs X) ds) in *. set (M := magnitude H ds) in *.
    assert (0 <= m * (Rabs X * Rabs X)) as P2 by (apply Rmult_le_pos; lra).
    pose proof (Two m M Md) as T2.
    assert (Rabs (t1 - polynomial X ds * (X * X)) <= bpow radix2 (-46) * (M * (H * H))) as O'.
    { eapply Rle_trans; [exact O|]. apply Rmult_le_compat; try lra.
      - pose proof (power_from_1 u U (S (S (2 * length ds + 3)))). lra.
      - apply many_roundings. lia. }
    assert (Rabs ((c1' - c1) + 2 * (c2' - c2) * X) <= z * (1 + 2 * H)) as C.
    { eapply Rle_trans; [apply Rabs_triang|]. rewrite 2!Rabs_mult, (Rabs_pos_eq 2) by lra.
      assert (2 * Rabs (c2' - c2) * Rabs X <= 2 * z * H) by
        (apply Rmult_le_compat; [pose proof (Rabs_pos (c2' - c2)); lra|lra|lra|lra]). lra. }
    replace (c1' + 2 * c2' * X + tail - (c1 + 2 * c2 * X + polynomial X ds * (X * X))) with
      ((tail - t1) + (t1 - polynomial X ds * (X * X)) + ((c1' - c1) + 2 * (c2' - c2) * X)) by ring.
    eapply Rle_trans; [apply Rabs_triang|].
    eapply Rle_trans; [apply Rplus_le_compat_r; apply Rabs_triang|]. lra.
  - intros q t c Q T C.
    assert (of_part u 2 q c2 (Rabs c2)) as Oq.
    { split; [lra|]. simpl. pose proof (Rabs_pos c2).
      assert (0 <= u * u * Rabs c2) by (apply Rmult_le_pos; [nra|lra]). lra. }
    destruct Oe as (Be & Oe).
    assert (of_part u (2 * length es + 3) (e * X) (polynomial X es * X)
              (magnitude (Rabs X) es * Rabs X)) as Ot.
    { split.
      - rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|exact Be].
      - replace (e * X - polynomial X es * X) with ((e - polynomial X es) * X) by ring.
        rewrite Rabs_mult, <- Rmult_assoc. apply Rmult_le_compat_r; [apply Rabs_pos|exact Oe]. }
    apply (part_rounded u U _ _ _ _ _ T) in Ot.
    set (m := magnitude (Rabs X) es) in *. set (M := magnitude H es) in *.
    destruct Oq as (_ & Oq). destruct Ot as (Bt & Ot).
    pose proof (power_from_1 u U (S (2 * length es + 3))) as G.
    assert ((1 + u) ^ S (S (2 * length es + 3)) - 1 <= bpow radix2 (-46)) as K
      by (apply many_roundings; lia).
    change ((1 + u) ^ S (S (2 * length es + 3)))
      with ((1 + u) * (1 + u) ^ S (2 * length es + 3)) in K.
    set (g := (1 + u) ^ S (2 * length es + 3)) in *.
    set (w := m * Rabs X) in *.
    assert (0 <= w) as Pw by (apply Rmult_le_pos; lra).
    assert (w <= M * H) as Lw by (apply Rmult_le_compat; lra).
    pose proof (Rabs_pos c2) as P2.
    assert (Rabs (q + t) <= (1 + 2 * u) * Rabs c2 + g * w) as B.
    { replace (q + t) with ((q - c2) + (t - polynomial X es * X) + (c2 + polynomial X es * X))
        by ring.
      eapply Rle_trans; [apply Rabs_triang|].
      eapply Rle_trans; [apply Rplus_le_compat_r; apply Rabs_triang|].
      pose proof (Rabs_triang c2 (polynomial X es * X)). lra. }
    replace (c - (c2 + polynomial X es * X)) with
      ((c - (q + t)) + (q - c2) + (t - polynomial X es * X)) by ring.
    eapply Rle_trans; [apply Rabs_triang|].
    eapply Rle_trans; [apply Rplus_le_compat_r; apply Rabs_triang|].
    assert (u * Rabs (q + t) <= u * ((1 + 2 * u) * Rabs c2 + g * w)) by
      (apply Rmult_le_compat_l; lra).
    assert (u * (u * Rabs c2) <= / 1048576 * (u * Rabs c2)) by
      (apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|lra]).
    assert (((1 + u) * g - 1) * w <= bpow radix2 (-46) * (M * H)).
    { assert (1 * 1 <= (1 + u) * g) by (apply Rmult_le_compat; lra).
      apply Rmult_le_compat; lra. }
    assert (0 <= u * Rabs c2) by (apply Rmult_le_pos; lra).
    rewrite E50. lra.
Qed.
