(* Arguments next to a Farey fraction, and the roots that cases are next to.

   docs/proofs/arcs.md. Values are real numbers in units of the breakpoints' spacing; near an
   integer is near a breakpoint.

   | name      | what it is                                                               |
   |-----------|--------------------------------------------------------------------------|
   | A, v      | the fraction A/v next to the slope at the window's argument              |
   | u         | an inverse of A mod v                                                    |
   | b, e, c   | value, slope less A/v, half the second derivative: b + (A/v + e) x + c x^2 |
   | y         | v (b + e x + c x^2)                                                      |
   | n         | an integer that y meets                                                  |
*)

Require Import ZArith Reals Lia Lra Psatz.
From Flocq Require Import Core.Core.
From Flocq.Prop Require Import Relative.
Open Scope R_scope.

(* The function whose roots are looked for. *)
Definition y (v b e c x : R) : R := v * (b + e * x + c * (x * x)).

(* The value at x, before it is taken mod 1. *)
Definition value (A v : Z) (b e c : R) (x : Z) : R :=
  b + (IZR A / IZR v + e) * IZR x + c * (IZR x * IZR x).

Lemma scaled A v b e c x m :
  (0 < v)%Z ->
  IZR v * (value A v b e c x - IZR m)
  = y (IZR v) b e c (IZR x) - IZR (v * m - A * x).
Proof.
  intros Hv. apply IZR_lt in Hv. unfold value, y.
  rewrite minus_IZR, 2!mult_IZR. field. lra.
Qed.

Lemma scaled_near A v b e c x m eps :
  (0 < v)%Z ->
  Rabs (value A v b e c x - IZR m) <= eps <->
  Rabs (y (IZR v) b e c (IZR x) - IZR (v * m - A * x)) <= IZR v * eps.
Proof.
  intros Hv. rewrite <- scaled by exact Hv. apply IZR_lt in Hv as Hr.
  rewrite Rabs_mult, (Rabs_pos_eq (IZR v)) by lra.
  split; intros H.
  - apply Rmult_le_compat_l; lra.
  - apply Rmult_le_reg_l with (IZR v); lra.
Qed.

(* The residue of the arguments that go with n. *)
Lemma residue A u v n x :
  (v | A * u - 1)%Z -> (v | n + A * x)%Z <-> (v | x + u * n)%Z.
Proof.
  intros (k & Hk). split; intros (m & Hm).
  - exists (m * u - k * x)%Z.
    replace (x + u * n)%Z with (u * (n + A * x) - (A * u - 1) * x)%Z by ring.
    rewrite Hk, Hm. ring.
  - exists (A * m - k * n)%Z.
    replace (n + A * x)%Z with (A * (x + u * n) - (A * u - 1) * n)%Z by ring.
    rewrite Hk, Hm. ring.
Qed.

(* Theorem A.1. The value at x is near an integer iff y is near an integer n, and x has the residue
   of -u n. *)
Theorem residues A u v b e c x eps :
  (0 < v)%Z -> (v | A * u - 1)%Z ->
  (exists m, Rabs (value A v b e c x - IZR m) <= eps) <->
  (exists n, (v | x + u * n)%Z /\ Rabs (y (IZR v) b e c (IZR x) - IZR n) <= IZR v * eps).
Proof.
  intros Hv Hu. split.
  - intros (m & Hm). exists (v * m - A * x)%Z. split.
    + apply (residue A u v _ x Hu). exists m. ring.
    + apply scaled_near in Hm; assumption.
  - intros (n & Hr & Hn). apply (residue A u v n x Hu) in Hr as (m & Hm).
    exists m. apply scaled_near; [assumption|].
    replace (v * m - A * x)%Z with n by (rewrite Z.mul_comm, <- Hm; ring). exact Hn.
Qed.

(* About the vertex: S is the distance of s from s0, z the square of the root's. *)
Lemma about_product S r tau : Rabs (S * S - r * r) <= tau -> Rabs (S - r) * Rabs (S + r) <= tau.
Proof.
  intros H. rewrite <- Rabs_mult. replace ((S - r) * (S + r)) with (S * S - r * r) by ring. exact H.
Qed.

(* Theorem A.2. With d no more than the distance of s from the root, d r <= tau ... *)
Theorem about S r d tau :
  0 <= S -> 0 <= r -> Rabs (S * S - r * r) <= tau -> 0 <= d <= Rabs (S - r) -> d * r <= tau.
Proof.
  intros HS Hr H Hd. apply about_product in H.
  rewrite (Rabs_pos_eq (S + r)) in H by lra.
  apply Rle_trans with (Rabs (S - r) * (S + r)); [|exact H].
  apply Rmult_le_compat; lra.
Qed.

(* ... and s is within the root of tau, too. *)
Lemma about_root S r tau :
  0 <= S -> 0 <= r -> Rabs (S * S - r * r) <= tau -> (S - r) * (S - r) <= tau.
Proof.
  intros HS Hr H. apply about_product in H.
  rewrite (Rabs_pos_eq (S + r)) in H by lra.
  apply Rle_trans with (Rabs (S - r) * (S + r)); [|exact H].
  unfold Rabs. destruct (Rcase_abs (S - r)); nra.
Qed.

(* An n just below the least value. *)
Lemma about_below S z tau : z < 0 -> Rabs (S * S - z) <= tau -> S * S <= tau.
Proof.
  intros Hz H. apply Rle_trans with (S * S - z); [lra|].
  apply Rle_trans with (Rabs (S * S - z)); [apply RRle_abs|exact H].
Qed.

(* Off the vertex: y - v b is alpha s + beta s^2, zeta is n - v b, and root the position s'. *)
Definition root (alpha zeta D : R) : R := 2 * zeta / (alpha + D).

Lemma root_derivative alpha beta zeta D :
  0 < alpha + D -> D * D = alpha * alpha + 4 * beta * zeta ->
  alpha + 2 * beta * root alpha zeta D = D.
Proof.
  intros Ha HD. unfold root.
  apply Rmult_eq_reg_r with (alpha + D); [|lra].
  replace ((alpha + 2 * beta * (2 * zeta / (alpha + D))) * (alpha + D))
    with (alpha * (alpha + D) + 4 * beta * zeta) by (field; lra).
  nra.
Qed.

Lemma root_is_one alpha beta zeta D :
  0 < alpha + D -> D * D = alpha * alpha + 4 * beta * zeta ->
  alpha * root alpha zeta D + beta * (root alpha zeta D * root alpha zeta D) = zeta.
Proof.
  intros Ha HD. pose proof (root_derivative alpha beta zeta D Ha HD) as H.
  assert (root alpha zeta D * (alpha + D) = 2 * zeta) as Hs by (unfold root; field; lra).
  set (s := root alpha zeta D) in *. nra.
Qed.

(* Theorem A.3. Where y grows by m and more per unit, what is near n is near the root. *)
Theorem off alpha beta zeta D s m t :
  0 < alpha + D -> 0 <= D -> D * D = alpha * alpha + 4 * beta * zeta ->
  0 < m <= alpha + 2 * beta * s ->
  Rabs (alpha * s + beta * (s * s) - zeta) <= t ->
  Rabs (s - root alpha zeta D) <= 2 * t / m.
Proof.
  intros Ha HD0 HD Hm H.
  pose proof (root_derivative alpha beta zeta D Ha HD) as Hd.
  pose proof (root_is_one alpha beta zeta D Ha HD) as Hr.
  set (r := root alpha zeta D) in *.
  replace (alpha * s + beta * (s * s) - zeta)
    with ((s - r) * (alpha + beta * (s + r))) in H by (rewrite <- Hr; ring).
  rewrite Rabs_mult in H.
  assert (m / 2 <= alpha + beta * (s + r)) as Hg by lra.
  rewrite (Rabs_pos_eq (alpha + beta * (s + r))) in H by lra.
  apply Rmult_le_reg_r with (m / 2); [lra|].
  replace (2 * t / m * (m / 2)) with t by (field; lra).
  apply Rle_trans with (Rabs (s - r) * (alpha + beta * (s + r))); [|exact H].
  apply Rmult_le_compat_l; [apply Rabs_pos|exact Hg].
Qed.

(* Theorem A.7. What the lanes of a vector ask about the vertex, with r0 below their radii and w the
   root of tau: if the distance is off by e at most, what is computed is no more than the smaller
   one of tau / r0 and w, and e. *)
Theorem passes_about d r r0 d' e tau w :
  0 <= d -> 0 < r0 <= r -> d * r <= tau -> 0 <= w -> tau = w * w -> d * d <= tau ->
  Rabs (d' - d) <= e -> d' <= Rmin (tau / r0) w + e.
Proof.
  intros Hd (Hp & Hr) H Hw Ht Hs Hd'.
  assert (d' <= d + e) by (unfold Rabs in Hd'; destruct (Rcase_abs (d' - d)); lra).
  assert (d <= tau / r0).
  { apply Rmult_le_reg_r with r0; [exact Hp|].
    replace (tau / r0 * r0) with tau by (field; lra).
    apply Rle_trans with (d * r); [apply Rmult_le_compat_l; lra|exact H]. }
  assert (d <= w) by (destruct (Rle_or_lt d w); [assumption|nra]).
  unfold Rmin. destruct (Rle_dec (tau / r0) w); lra.
Qed.

(* Theorem A.8. With residues next to 0, the difference of the magnitudes is no more than the
   distance of the sum, or of the difference, from any integer. *)
Theorem nearer a b k :
  Rabs a <= 1 / 2 -> Rabs b <= 1 / 2 ->
  Rabs (Rabs a - Rabs b) <= Rabs (a + b - IZR k) /\ Rabs (Rabs a - Rabs b) <= Rabs (a - b - IZR k).
Proof.
  intros Ha Hb.
  assert (IZR k <= -1 \/ IZR k = 0 \/ 1 <= IZR k) as Hk.
  { destruct (Z.lt_trichotomy k 0) as [H | [H | H]].
    - left. apply (IZR_le k (-1)). lia.
    - right. left. now rewrite H.
    - right. right. apply (IZR_le 1 k). lia. }
  unfold Rabs in *.
  destruct (Rcase_abs a), (Rcase_abs b); split; destruct Hk as [Hk | [Hk | Hk]];
    repeat match goal with |- context [Rcase_abs ?x] => destruct (Rcase_abs x) end; lra.
Qed.

Lemma below_by_squares a b : 0 <= b -> a * a <= b * b -> a <= b.
Proof. intros Hb H. destruct (Rle_or_lt a b); [assumption | nra]. Qed.

(* Rounding off the vertex: v is the relative error of an operation, primes are computed. D D is
   no less than half of alpha alpha, and beta no more than 4 alpha alpha, in the windows that are
   searched so. *)
Section off_rounding.
Variables v alpha beta zeta D alpha' S' Q' zeta' p' q' D' g' w' : R.
Hypothesis v_small : 0 < v <= / 1048576.
Hypothesis alpha_pos : 0 < alpha.
Hypothesis beta_pos : 0 <= beta <= 4 * (alpha * alpha).
Hypothesis D_pos : 0 < D.
Hypothesis D_is : D * D = alpha * alpha + 4 * beta * zeta.
Hypothesis D_large : alpha * alpha <= 2 * (D * D).

Hypothesis zeta_near : Rabs (zeta' - zeta) <= v * (Rabs zeta + 0.51).
Hypothesis alpha_near : Rabs (alpha' - alpha) <= v * alpha.
Hypothesis S_near : Rabs (S' - alpha * alpha) <= 3.01 * v * (alpha * alpha).
Hypothesis Q_near : Rabs (Q' - 4 * beta) <= 3.01 * v * (4 * beta).
Hypothesis p_near : Rabs (p' - zeta' * Q') <= v * Rabs (zeta' * Q').
Hypothesis q_near : Rabs (q' - (p' + S')) <= v * Rabs (p' + S').

Let M := Rabs zeta.

Lemma product_off : Rabs (p' - 4 * beta * zeta) <= v * (5.02 * (4 * beta * M) + 2.05 * beta).
Proof.
  pose proof (Rabs_pos zeta) as HM. fold M in HM, zeta_near.
  set (E := v * (M + 0.51) * (4 * beta * (1 + 3.01 * v)) + M * (3.01 * v * (4 * beta))).
  assert (Rabs (zeta' * Q' - 4 * beta * zeta) <= E) as H.
  { replace (zeta' * Q' - 4 * beta * zeta)
      with ((zeta' - zeta) * Q' + zeta * (Q' - 4 * beta)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). rewrite 2!Rabs_mult. fold M.
    apply Rplus_le_compat.
    - apply Rmult_le_compat; [apply Rabs_pos | apply Rabs_pos | exact zeta_near |].
      replace Q' with (Q' - 4 * beta + 4 * beta) by ring.
      apply Rle_trans with (1 := Rabs_triang _ _). rewrite (Rabs_pos_eq (4 * beta)) by lra. lra.
    - apply Rmult_le_compat_l; [exact HM | exact Q_near]. }
  assert (Rabs (zeta' * Q') <= 4 * beta * M + E) as HQ.
  { replace (zeta' * Q') with (zeta' * Q' - 4 * beta * zeta + 4 * beta * zeta) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _).
    rewrite (Rabs_mult (4 * beta) zeta), (Rabs_pos_eq (4 * beta)) by lra. fold M. lra. }
  replace (p' - 4 * beta * zeta)
    with (p' - zeta' * Q' + (zeta' * Q' - 4 * beta * zeta)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _).
  apply Rle_trans with (v * (4 * beta * M + E) + E).
  { apply Rplus_le_compat; [|exact H]. apply Rle_trans with (1 := p_near).
    apply Rmult_le_compat_l; lra. }
  set (t := 4 * beta * M). assert (0 <= t) as Ht by (unfold t; apply Rmult_le_pos; lra).
  replace E with (v * (t * (3.01 + (1 + 3.01 * v)) + 4 * 0.51 * beta * (1 + 3.01 * v)))
    by (unfold E, t; field).
  replace (v * (t + v * (t * (3.01 + (1 + 3.01 * v)) + 4 * 0.51 * beta * (1 + 3.01 * v)))
           + v * (t * (3.01 + (1 + 3.01 * v)) + 4 * 0.51 * beta * (1 + 3.01 * v)))
    with (v * (t * (1 + (1 + v) * (3.01 + (1 + 3.01 * v)))
               + beta * (4 * 0.51 * (1 + v) * (1 + 3.01 * v)))) by ring.
  apply Rmult_le_compat_l; [lra|].
  assert (1 + (1 + v) * (3.01 + (1 + 3.01 * v)) <= 5.02) by nra.
  assert (4 * 0.51 * (1 + v) * (1 + 3.01 * v) <= 2.05) by nra.
  apply Rplus_le_compat.
  - rewrite Rmult_comm. apply Rmult_le_compat_r; assumption.
  - rewrite (Rmult_comm 2.05). apply Rmult_le_compat_l; lra.
Qed.

(* The square of D, less and more than this. *)
Lemma square_off :
  Rabs (q' - D * D)
  <= v * (3.02 * (alpha * alpha) + 5.03 * (4 * beta * M) + 1.01 * (D * D) + 2.06 * beta).
Proof.
  pose proof product_off as P. pose proof (Rabs_pos zeta) as HM. fold M in HM.
  set (t := 4 * beta * M) in *. assert (0 <= t) as Ht by (unfold t; apply Rmult_le_pos; lra).
  set (A := alpha * alpha) in *. assert (0 < A) as HA by (unfold A; nra).
  set (F := v * (5.02 * t + 2.05 * beta) + 3.01 * v * A).
  assert (Rabs (p' + S' - D * D) <= F) as H.
  { replace (p' + S' - D * D) with (p' - 4 * beta * zeta + (S' - A))
      by (rewrite D_is; unfold A; ring).
    apply Rle_trans with (1 := Rabs_triang _ _). unfold F. lra. }
  assert (Rabs (p' + S') <= D * D + F) as HS.
  { replace (p' + S') with (p' + S' - D * D + D * D) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). rewrite (Rabs_pos_eq (D * D)) by nra. lra. }
  replace (q' - D * D) with (q' - (p' + S') + (p' + S' - D * D)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _).
  apply Rle_trans with (v * (D * D + F) + F).
  { apply Rplus_le_compat; [|exact H]. apply Rle_trans with (1 := q_near).
    apply Rmult_le_compat_l; lra. }
  assert (0 < D * D) by (apply Rmult_lt_0_compat; lra).
  unfold F.
  replace (v * (D * D + (v * (5.02 * t + 2.05 * beta) + 3.01 * v * A))
           + (v * (5.02 * t + 2.05 * beta) + 3.01 * v * A))
    with (v * (D * D + (1 + v) * (5.02 * t) + (1 + v) * (2.05 * beta) + (1 + v) * (3.01 * A)))
      by ring.
  apply Rmult_le_compat_l; [lra|].
  assert ((1 + v) * (5.02 * t) <= 5.03 * t) by nra.
  assert ((1 + v) * (2.05 * beta) <= 2.06 * beta) by nra.
  assert ((1 + v) * (3.01 * A) <= 3.02 * A) by nra.
  lra.
Qed.
Hypothesis D_near : Rabs (D' - sqrt q') <= v * sqrt q'.

Let K := 3.02 * (alpha * alpha) + 5.03 * (4 * beta * M) + 1.01 * (D * D) + 2.06 * beta.

(* 4 beta zeta is the difference of two squares. *)
Lemma product_is : 4 * beta * M = Rabs (D * D - alpha * alpha).
Proof.
  rewrite D_is. replace (alpha * alpha + 4 * beta * zeta - alpha * alpha) with (4 * beta * zeta)
    by ring.
  rewrite Rabs_mult, (Rabs_pos_eq (4 * beta)) by lra. reflexivity.
Qed.

Lemma K_bound : 0 <= K <= 30 * (D * D).
Proof.
  unfold K. rewrite product_is. pose proof (Rabs_pos (D * D - alpha * alpha)) as H.
  assert (0 < D * D) by (apply Rmult_lt_0_compat; lra).
  assert (0 < alpha * alpha) by (apply Rmult_lt_0_compat; lra).
  assert (Rabs (D * D - alpha * alpha) <= D * D) by (apply Rabs_le; lra).
  split; lra.
Qed.

Lemma D_off : D * Rabs (D' - D) <= v * (0.51 * K + 1.01 * (D * D)).
Proof.
  pose proof square_off as Q. fold K in Q. pose proof K_bound as HK.
  assert (0 < D * D) as Hd by (apply Rmult_lt_0_compat; lra).
  assert (Rabs (q' - D * D) <= 30 * v * (D * D)) as Q30 by nra.
  apply Rabs_le_inv in Q30.
  assert (0 <= q') as Hq by nra.
  pose proof (sqrt_pos q') as Hc. pose proof (sqrt_sqrt q' Hq) as Ec.
  set (c := sqrt q') in *.
  assert (D * (1 - 30 * v) <= c) as Low.
  { apply below_by_squares; [exact Hc|]. rewrite Ec.
    replace (D * (1 - 30 * v) * (D * (1 - 30 * v))) with (D * D * ((1 - 30 * v) * (1 - 30 * v)))
      by ring.
    assert ((1 - 30 * v) * (1 - 30 * v) <= 1 - 30 * v) by nra. nra. }
  assert (c <= D * (1 + 30 * v)) as High.
  { apply below_by_squares; [nra|]. rewrite Ec.
    replace (D * (1 + 30 * v) * (D * (1 + 30 * v))) with (D * D * ((1 + 30 * v) * (1 + 30 * v)))
      by ring.
    assert (1 + 30 * v <= (1 + 30 * v) * (1 + 30 * v)) by nra. nra. }
  assert (D * Rabs (c - D) <= 0.51 * (v * K)) as HC.
  { assert (Rabs (c - D) * (c + D) <= v * K) as P.
    { rewrite <- (Rabs_pos_eq (c + D)) by lra. rewrite <- Rabs_mult.
      replace ((c - D) * (c + D)) with (q' - D * D) by (rewrite <- Ec; ring). exact Q. }
    pose proof (Rabs_pos (c - D)).
    assert (D * (30 * v) <= D * 0.01) by (apply Rmult_le_compat_l; lra).
    assert (D * 1.99 <= c + D) by lra.
    assert (Rabs (c - D) * (D * 1.99) <= v * K).
    { apply Rle_trans with (2 := P). apply Rmult_le_compat_l; assumption. }
    nra. }
  assert (D * Rabs (D' - c) <= v * (1.01 * (D * D))) as HD.
  { apply Rle_trans with (D * (v * c)); [apply Rmult_le_compat_l; lra|].
    replace (D * (v * c)) with (v * (D * c)) by ring. apply Rmult_le_compat_l; [lra|].
    assert (D * (1 + 30 * v) <= D * 1.01) by (apply Rmult_le_compat_l; lra).
    assert (D * c <= D * (D * 1.01)) by (apply Rmult_le_compat_l; lra). lra. }
  replace (D' - D) with (D' - c + (c - D)) by ring.
  apply Rle_trans with (D * (Rabs (D' - c) + Rabs (c - D))).
  { apply Rmult_le_compat_l; [lra | apply Rabs_triang]. }
  lra.
Qed.

Hypothesis g_near : Rabs (g' - (alpha' + D')) <= v * Rabs (alpha' + D').

Let g := alpha + D.

Lemma sum_off : D * Rabs (g' - g) <= v * (5.2 * (g * D) + 1.06 * beta).
Proof.
  pose proof D_off as HD. pose proof K_bound as HK.
  assert (0 < g) as Hg by (unfold g; lra).
  set (X := Rabs (D' - D)) in *.
  assert (0 <= X) as HX by apply Rabs_pos.
  assert (Rabs (alpha' + D' - g) <= v * alpha + X) as H.
  { replace (alpha' + D' - g) with (alpha' - alpha + (D' - D)) by (unfold g; ring).
    apply Rle_trans with (1 := Rabs_triang _ _). unfold X. lra. }
  assert (Rabs (alpha' + D') <= g + (v * alpha + X)) as HS.
  { replace (alpha' + D') with (alpha' + D' - g + g) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). rewrite (Rabs_pos_eq g) by lra. lra. }
  assert (Rabs (g' - g) <= (1 + v) * (v * alpha + X) + v * g) as HG.
  { replace (g' - g) with (g' - (alpha' + D') + (alpha' + D' - g)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _).
    assert (v * Rabs (alpha' + D') <= v * (g + (v * alpha + X))) by (apply Rmult_le_compat_l; lra).
    lra. }
  apply Rle_trans with (D * ((1 + v) * (v * alpha + X) + v * g)).
  { apply Rmult_le_compat_l; lra. }
  replace (D * ((1 + v) * (v * alpha + X) + v * g))
    with ((1 + v) * (v * (alpha * D) + D * X) + v * (g * D)) by ring.
  apply Rle_trans with (1.001 * (v * (alpha * D) + v * (0.51 * K + 1.01 * (D * D))) + v * (g * D)).
  { apply Rplus_le_compat_r. apply Rmult_le_compat; [lra | | lra | lra].
    apply Rplus_le_le_0_compat; [|apply Rmult_le_pos; lra].
    apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra. }
  replace (1.001 * (v * (alpha * D) + v * (0.51 * K + 1.01 * (D * D))) + v * (g * D))
    with (v * (1.001 * (alpha * D + 0.51 * K + 1.01 * (D * D)) + g * D)) by ring.
  apply Rmult_le_compat_l; [lra|].
  unfold K. rewrite product_is. unfold g.
  assert (0 < D * D) by (apply Rmult_lt_0_compat; lra).
  assert (0 < alpha * alpha) by (apply Rmult_lt_0_compat; lra).
  assert (0 < alpha * D) by (apply Rmult_lt_0_compat; lra).
  unfold Rabs. destruct (Rcase_abs (D * D - alpha * alpha)) as [N | N].
  - assert (D <= alpha) by (apply below_by_squares; lra).
    assert (D * D <= alpha * D) by (apply Rmult_le_compat_r; lra). lra.
  - lra.
Qed.

Hypothesis w_near : Rabs (w' - 2 * zeta' / g') <= v * Rabs (2 * zeta' / g').

Let s := 2 * zeta / (alpha + D).

Lemma root_beta : Rabs s * beta <= D / 2.
Proof.
  assert (s * beta = (D - alpha) / 2) as E.
  { unfold s. apply Rmult_eq_reg_r with (alpha + D); [|lra].
    replace (2 * zeta / (alpha + D) * beta * (alpha + D)) with (2 * beta * zeta) by (field; lra).
    replace ((D - alpha) / 2 * (alpha + D)) with ((D * D - alpha * alpha) / 2) by field.
    rewrite D_is. field. }
  rewrite <- (Rabs_pos_eq beta) at 1 by lra. rewrite <- Rabs_mult, E.
  apply Rabs_le. split; [|lra].
  assert (alpha <= 2 * D) by (apply below_by_squares; nra). lra.
Qed.

(* What is computed is off by a part of the root, and of 1 / alpha. *)
Lemma root_off : Rabs (w' - s) <= v * (7.5 * Rabs s + 2 / alpha).
Proof.
  pose proof sum_off as HG. pose proof root_beta as HB. pose proof (Rabs_pos s) as Hs.
  assert (0 < g) as Hg by (unfold g; lra).
  set (G := Rabs (g' - g)) in *. assert (0 <= G) as HG0 by apply Rabs_pos.
  assert (s * g = 2 * zeta) as Es by (unfold s, g; field; lra).
  assert (beta <= 8 * (g * D)) as HBg.
  { assert (0 < alpha * D) by (apply Rmult_lt_0_compat; lra). unfold g. nra. }
  assert (D * G <= D * (14 * v * g)) as HG14.
  { apply Rle_trans with (1 := HG).
    replace (D * (14 * v * g)) with (v * (14 * (g * D))) by ring. apply Rmult_le_compat_l; lra. }
  assert (G <= 14 * v * g) as Gs by (apply Rmult_le_reg_l with D; assumption).
  assert (g <= 1.001 * g') as Hg'.
  { unfold G in Gs. apply Rabs_le_inv in Gs. nra. }
  assert (0 < g') as Hgp by lra.
  set (x := 2 * zeta' / g') in *.
  assert (Rabs s * G <= v * (5.2 * (Rabs s * g) + 0.53)) as HsG.
  { apply Rmult_le_reg_l with D; [exact D_pos|].
    replace (D * (Rabs s * G)) with (Rabs s * (D * G)) by ring.
    apply Rle_trans with (Rabs s * (v * (5.2 * (g * D) + 1.06 * beta))).
    { apply Rmult_le_compat_l; assumption. }
    replace (Rabs s * (v * (5.2 * (g * D) + 1.06 * beta)))
      with (v * (5.2 * (Rabs s * g) * D + 1.06 * (Rabs s * beta))) by ring.
    replace (D * (v * (5.2 * (Rabs s * g) + 0.53)))
      with (v * (5.2 * (Rabs s * g) * D + 0.53 * D)) by ring.
    apply Rmult_le_compat_l; lra. }
  assert (Rabs (x - s) * g' <= v * (6.2 * (Rabs s * g) + 1.55)) as HX.
  { rewrite <- (Rabs_pos_eq g') at 1 by lra. rewrite <- Rabs_mult.
    replace ((x - s) * g') with (2 * (zeta' - zeta) + s * (g - g')).
    2: { unfold x. replace ((2 * zeta' / g' - s) * g') with (2 * zeta' - s * g') by (field; lra).
         replace (2 * (zeta' - zeta)) with (2 * zeta' - s * g) by (rewrite Es; ring). ring. }
    apply Rle_trans with (1 := Rabs_triang _ _). rewrite 2!Rabs_mult, (Rabs_pos_eq 2) by lra.
    rewrite (Rabs_minus_sym g g'). fold G.
    assert (2 * Rabs zeta = Rabs s * g) as Ez.
    { rewrite <- (Rabs_pos_eq g) by lra.
        rewrite <- Rabs_mult, Es, Rabs_mult, (Rabs_pos_eq 2) by lra.
      reflexivity. }
    assert (2 * Rabs (zeta' - zeta) <= v * (Rabs s * g + 1.02)) by (rewrite <- Ez; lra).
    lra. }
  set (m := Rabs s * g) in *.
  assert (0 <= m) as Hm by (unfold m; apply Rmult_le_pos; lra).
  assert (Rabs (x - s) * g <= v * (6.21 * m + 1.56)) as HXg.
  { pose proof (Rabs_pos (x - s)).
    apply Rle_trans with (Rabs (x - s) * (1.001 * g')); [apply Rmult_le_compat_l; assumption|].
    assert (0 <= v * m) by (apply Rmult_le_pos; lra). lra. }
  assert (Rabs (w' - s) * g <= v * (7.22 * m + 1.57)) as HW.
  { apply Rle_trans with ((v * (Rabs s + Rabs (x - s)) + Rabs (x - s)) * g).
    - apply Rmult_le_compat_r; [lra|].
      replace (w' - s) with (w' - x + (x - s)) by ring.
      apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat_r.
      apply Rle_trans with (1 := w_near). apply Rmult_le_compat_l; [lra|].
      replace x with (s + (x - s)) at 1 by ring. apply Rabs_triang.
    - replace ((v * (Rabs s + Rabs (x - s)) + Rabs (x - s)) * g)
        with (v * m + (1 + v) * (Rabs (x - s) * g)) by (unfold m; ring).
      assert (0 <= v * m) by (apply Rmult_le_pos; lra).
      assert ((1 + v) * (Rabs (x - s) * g) <= (1 + v) * (v * (6.21 * m + 1.56)))
        by (apply Rmult_le_compat_l; lra).
      assert (v * (v * (6.21 * m + 1.56)) <= 0.000001 * (v * (6.21 * m + 1.56))).
      { apply Rmult_le_compat_r; [|lra]. apply Rmult_le_pos; lra. }
      lra. }
  apply Rmult_le_reg_r with g; [exact Hg|].
  apply Rle_trans with (1 := HW).
  replace (v * (7.5 * Rabs s + 2 / alpha) * g) with (v * (7.5 * m + 2 * (g / alpha)))
    by (unfold m; field; lra).
  apply Rmult_le_compat_l; [lra|].
  assert (1 <= g / alpha).
  { apply Rmult_le_reg_r with alpha; [exact alpha_pos|].
    replace (g / alpha * alpha) with g by (field; lra). unfold g. lra. }
  lra.
Qed.
End off_rounding.

(* Rounding about the vertex: singles (24 digits) or doubles (53), to nearest, ties to even. *)
Section rounding.
Variables prec emin : Z.
Hypothesis precision : (1 < prec)%Z.
Hypothesis range : (emin + prec - 1 <= 0)%Z.

Local Notation u := (bpow radix2 (- prec)).
Local Notation format := (FLT_exp emin prec).
Definition near (x : R) : R := round radix2 format ZnearestE x.

(* What is 0, or a normal number's magnitude. *)
Definition normal (x : R) : Prop := x = 0 \/ bpow radix2 (emin + prec - 1) <= Rabs x.

Instance prec_positive : Prec_gt_0 prec.
Proof. unfold Prec_gt_0. lia. Qed.

Lemma u_small : 0 < u <= / 4.
Proof.
  split; [apply bpow_gt_0|].
  change (/ 4) with (bpow radix2 (-2)). apply bpow_le. lia.
Qed.

(* Half a unit in the last place of 1, as a part of what is rounded. *)
Lemma near_part x : normal x -> Rabs (near x - x) <= u * Rabs x.
Proof.
  intros [-> | Hx]; unfold near.
  - rewrite round_0, Rminus_0_r, Rabs_R0 by auto with typeclass_instances. lra.
  - replace u with (/ 2 * bpow radix2 (- prec + 1)).
    + apply relative_error_N_FLT; [apply prec_positive | exact Hx].
    + rewrite bpow_plus. change (bpow radix2 1) with 2. lra.
Qed.

Lemma near_bounds x : 0 <= x -> normal x -> x * (1 - u) <= near x <= x * (1 + u).
Proof.
  intros Hx Hn. pose proof (near_part x Hn) as H. rewrite (Rabs_pos_eq x) in H by exact Hx.
  apply Rabs_le_inv in H. split; lra.
Qed.

(* Of the square of r five roundings are a part, and those of 1 + 5u, up to squares of u. *)
Lemma five_above v : 0 <= v <= / 512 -> (1 + v) ^ 5 <= (1 + 2.52 * v) * (1 + 2.52 * v).
Proof.
  intros H. assert (0 <= v * v) by nra. assert (0 <= v * v * v <= v * v) by nra.
  assert (v * v * (v * v) <= v * v) by nra. assert (v * v * v * (v * v) <= v * v) by nra.
  replace ((1 + v) ^ 5) with
    (1 + 5 * v + 10 * (v * v) + 10 * (v * v * v) + 5 * (v * v * (v * v)) + v * v * v * (v * v))
    by ring.
  nra.
Qed.

Lemma five_below v : 0 <= v <= / 512 -> (1 - 2.52 * v) * (1 - 2.52 * v) <= (1 - v) ^ 5.
Proof.
  intros H. assert (0 <= v * v) by nra. assert (0 <= v * v * v <= v * v) by nra.
  assert (0 <= v * v * (v * v)) by nra. assert (v * v * v * (v * v) <= v * v) by nra.
  replace ((1 - v) ^ 5) with
    (1 - 5 * v + 10 * (v * v) - 10 * (v * v * v) + 5 * (v * v * (v * v)) - v * v * v * (v * v))
    by ring.
  nra.
Qed.

(* What a lane computes: z0' and b' are z and B as numbers of the format, k the lane's number. *)
Definition lane_root (z0' b' k : R) : R := near (sqrt (near (z0' + near (k * b')))).

(* The root is off by a part of itself. *)
Lemma root_rounded z0 z0' b b' k :
  (9 <= prec)%Z -> 0 <= z0 -> 0 <= b -> 0 <= k ->
  z0 * (1 - u) <= z0' <= z0 * (1 + u) -> b * (1 - u) <= b' <= b * (1 + u) ->
  normal (k * b') -> normal (z0' + near (k * b')) -> normal (sqrt (near (z0' + near (k * b')))) ->
  Rabs (lane_root z0' b' k - sqrt (z0 + k * b)) <= 2.52 * u * sqrt (z0 + k * b).
Proof.
  intros Hp Hz Hb Hk Hz' Hb' N1 N2 N3. unfold lane_root.
  assert (0 < u <= / 512) as Hu.
  { split; [apply bpow_gt_0|]. change (/ 512) with (bpow radix2 (-9)). apply bpow_le. lia. }
  set (v := u) in *.
  assert (0 <= b') by nra. assert (0 <= z0') by nra.
  assert (0 <= k * b') as Hkb by nra. assert (0 <= k * b) as Hkb0 by nra.
  pose proof (near_bounds _ Hkb N1) as P. fold v in P. set (p := near (k * b')) in *.
  assert (k * b * ((1 - v) * (1 - v)) <= p <= k * b * ((1 + v) * (1 + v))) as P2.
  { assert (k * b * (1 - v) <= k * b' <= k * b * (1 + v)) by (split; nra). split; nra. }
  assert (0 <= p) by (assert (0 <= (1 - v) * (1 - v)) by nra; nra).
  set (s := z0 + k * b).
  assert (0 <= s) as Hs by (unfold s; lra).
  assert (s * ((1 - v) * (1 - v)) <= z0' + p <= s * ((1 + v) * (1 + v))) as T.
  { assert (z0 * ((1 - v) * (1 - v)) <= z0 * (1 - v)) by (apply Rmult_le_compat_l; nra).
    assert (z0 * (1 + v) <= z0 * ((1 + v) * (1 + v))) by (apply Rmult_le_compat_l; nra).
    unfold s. rewrite 2!Rmult_plus_distr_r. lra. }
  assert (0 <= z0' + p) as Ht by lra.
  pose proof (near_bounds _ Ht N2) as Q. fold v in Q. set (q := near (z0' + p)) in *.
  assert (s * (1 - v) ^ 3 <= q <= s * (1 + v) ^ 3) as Q3.
  { replace (s * (1 - v) ^ 3) with (s * ((1 - v) * (1 - v)) * (1 - v)) by ring.
    replace (s * (1 + v) ^ 3) with (s * ((1 + v) * (1 + v)) * (1 + v)) by ring.
    split.
    - apply Rle_trans with ((z0' + p) * (1 - v)); [apply Rmult_le_compat_r; lra | lra].
    - apply Rle_trans with ((z0' + p) * (1 + v)); [lra | apply Rmult_le_compat_r; lra]. }
  assert (0 <= q) as Hq.
  { apply Rle_trans with (s * (1 - v) ^ 3); [|lra].
    apply Rmult_le_pos; [exact Hs|]. apply pow_le. lra. }
  pose proof (near_bounds _ (sqrt_pos q) N3) as R5. fold v in R5.
  pose proof (sqrt_pos s) as Hss. pose proof (sqrt_pos q) as Hqs.
  pose proof (sqrt_sqrt s Hs) as Es. pose proof (sqrt_sqrt q Hq) as Eq.
  set (a := sqrt s) in *. set (c := sqrt q) in *.
  assert (c * (1 + v) <= a * (1 + 2.52 * v)) as Up.
  { apply below_by_squares; [nra|].
    replace (c * (1 + v) * (c * (1 + v))) with (c * c * ((1 + v) * (1 + v))) by ring.
    replace (a * (1 + 2.52 * v) * (a * (1 + 2.52 * v)))
      with (a * a * ((1 + 2.52 * v) * (1 + 2.52 * v))) by ring.
    rewrite Es, Eq.
    apply Rle_trans with (s * (1 + v) ^ 3 * ((1 + v) * (1 + v))).
    - apply Rmult_le_compat_r; nra.
    - replace (s * (1 + v) ^ 3 * ((1 + v) * (1 + v))) with (s * (1 + v) ^ 5) by ring.
      apply Rmult_le_compat_l; [exact Hs|]. apply five_above. lra. }
  assert (a * (1 - 2.52 * v) <= c * (1 - v)) as Down.
  { apply below_by_squares; [nra|].
    replace (c * (1 - v) * (c * (1 - v))) with (c * c * ((1 - v) * (1 - v))) by ring.
    replace (a * (1 - 2.52 * v) * (a * (1 - 2.52 * v)))
      with (a * a * ((1 - 2.52 * v) * (1 - 2.52 * v))) by ring.
    rewrite Es, Eq.
    apply Rle_trans with (s * (1 - v) ^ 3 * ((1 - v) * (1 - v))).
    - replace (s * (1 - v) ^ 3 * ((1 - v) * (1 - v))) with (s * (1 - v) ^ 5) by ring.
      apply Rmult_le_compat_l; [exact Hs|]. apply five_below. lra.
    - apply Rmult_le_compat_r; nra. }
  apply Rabs_le. lra.
Qed.

(* A sum with the exponent e: a multiple of 2^(e + 1 - prec), and off by half of that. *)
Lemma sum_rounded x e :
  (0 <= e)%Z -> bpow radix2 e <= x < bpow radix2 (e + 1) ->
  Rabs (near x - x) <= bpow radix2 (e - prec) /\
  exists m : Z, near x = IZR m * bpow radix2 (e + 1 - prec).
Proof.
  intros He Hx. pose proof (bpow_gt_0 radix2 e) as Hpos.
  assert (cexp radix2 format x = (e + 1 - prec)%Z) as E.
  { unfold cexp. rewrite (mag_unique_pos radix2 x (e + 1)).
    - unfold FLT_exp. lia.
    - replace (e + 1 - 1)%Z with e by ring. exact Hx. }
  split.
  - replace (bpow radix2 (e - prec)) with (/ 2 * bpow radix2 (e + 1 - prec)).
    + rewrite <- E, <- ulp_neq_0 by lra. apply error_le_half_ulp. auto with typeclass_instances.
    + replace (e + 1 - prec)%Z with (e - prec + 1)%Z by ring. rewrite bpow_plus.
      change (bpow radix2 1) with 2. lra.
  - exists (ZnearestE (scaled_mantissa radix2 format x)).
    unfold near, round, F2R. cbn [Fnum Fexp]. now rewrite E.
Qed.

(* Theorem A.9 (rounding about the vertex). The root as a turn: less the anchor, an integer, the sum
   is off by u (2.52 r + 2^e), where 2^e is the sum's exponent; and its bits below 1 are a multiple
   of 2^(e + 1 - prec). *)
Theorem turn_rounded z0 z0' b b' k anchor e :
  (9 <= prec)%Z -> (0 <= e)%Z -> 0 <= z0 -> 0 <= b -> 0 <= k ->
  z0 * (1 - u) <= z0' <= z0 * (1 + u) -> b * (1 - u) <= b' <= b * (1 + u) ->
  normal (k * b') -> normal (z0' + near (k * b')) -> normal (sqrt (near (z0' + near (k * b')))) ->
  bpow radix2 e <= lane_root z0' b' k + anchor < bpow radix2 (e + 1) ->
  let r := sqrt (z0 + k * b) in
  let t := near (lane_root z0' b' k + anchor) in
  Rabs (t - (r + anchor)) <= u * (2.52 * r + bpow radix2 e) /\
  exists m : Z, t = IZR m * bpow radix2 (e + 1 - prec).
Proof.
  intros Hp He Hz Hb Hk Hz' Hb' N1 N2 N3 Ha r t.
  pose proof (root_rounded z0 z0' b b' k Hp Hz Hb Hk Hz' Hb' N1 N2 N3) as Hr. fold r in Hr.
  destruct (sum_rounded _ e He Ha) as (Hs & Hm). fold t in Hs, Hm.
  split; [|exact Hm].
  replace (t - (r + anchor))
    with (t - (lane_root z0' b' k + anchor) + (lane_root z0' b' k - r)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _).
  replace (u * (2.52 * r + bpow radix2 e)) with (bpow radix2 (e - prec) + 2.52 * u * r); [lra|].
  unfold Z.sub. rewrite bpow_plus. ring.
Qed.

Lemma near_sqrt x : normal (sqrt x) -> Rabs (near (sqrt x) - sqrt x) <= u * sqrt x.
Proof.
  intros H. pose proof (near_part _ H) as P. rewrite (Rabs_pos_eq (sqrt x)) in P by apply sqrt_pos.
  exact P.
Qed.

(* Theorem A.10 (rounding off the vertex). The position s' that is computed is off by less than
   u (7.5 |s'| + 2 / alpha): alpha is rounded once, 4 beta three times, zeta by its fraction and a
   sum. *)
Theorem off_rounded alpha beta zeta D alpha' Q' zeta' :
  (20 <= prec)%Z -> 0 < alpha -> 0 <= beta <= 4 * (alpha * alpha) -> 0 < D ->
  D * D = alpha * alpha + 4 * beta * zeta -> alpha * alpha <= 2 * (D * D) ->
  Rabs (zeta' - zeta) <= u * (Rabs zeta + 0.51) ->
  Rabs (alpha' - alpha) <= u * alpha ->
  Rabs (Q' - 4 * beta) <= 3.01 * u * (4 * beta) ->
  let S' := near (alpha' * alpha') in
  let p' := near (zeta' * Q') in
  let q' := near (p' + S') in
  let D' := near (sqrt q') in
  let g' := near (alpha' + D') in
  normal (alpha' * alpha') -> normal (zeta' * Q') -> normal (p' + S') -> normal (sqrt q') ->
  normal (alpha' + D') -> normal (2 * zeta' / g') ->
  let s := 2 * zeta / (alpha + D) in
  Rabs (near (2 * zeta' / g') - s) <= u * (7.5 * Rabs s + 2 / alpha).
Proof.
  intros Hp Ha Hb HD ED HL Hz Hal HQ S' p' q' D' g' N1 N2 N3 N4 N5 N6 s.
  assert (0 < u <= / 1048576) as Hu.
  { split; [apply bpow_gt_0|]. change (/ 1048576) with (bpow radix2 (-20)). apply bpow_le. lia. }
  assert (Rabs (S' - alpha * alpha) <= 3.01 * u * (alpha * alpha)) as HS.
  { pose proof (near_part _ N1) as H. fold S' in H.
    assert (0 < alpha * alpha) as HA by nra.
    apply Rabs_le_inv in Hal.
    assert (0 < alpha') by nra.
    rewrite (Rabs_pos_eq (alpha' * alpha')) in H by nra.
    assert (alpha * alpha * ((1 - u) * (1 - u)) <= alpha' * alpha'
            <= alpha * alpha * ((1 + u) * (1 + u))) as P.
    { replace (alpha * alpha * ((1 - u) * (1 - u))) with (alpha * (1 - u) * (alpha * (1 - u)))
        by ring.
      replace (alpha * alpha * ((1 + u) * (1 + u))) with (alpha * (1 + u) * (alpha * (1 + u)))
        by ring.
      assert (0 <= alpha * (1 - u)) by nra.
      split; apply Rmult_le_compat; nra. }
    set (A := alpha * alpha) in *. set (B := alpha' * alpha') in *. set (v := u) in *.
    apply Rabs_le_inv in H. destruct P as (P1 & P2).
    assert (0 <= A * v) by (apply Rmult_le_pos; lra).
    assert (0 <= A * v * v) by (apply Rmult_le_pos; lra).
    assert (A * v * v <= A * v * / 1048576) by (apply Rmult_le_compat_l; lra).
    assert (v * B <= v * (A * ((1 + v) * (1 + v)))) by (apply Rmult_le_compat_l; lra).
    assert (A * v * v * v <= A * v * v) by (rewrite <- (Rmult_1_r (A * v * v)) at 2;
      apply Rmult_le_compat_l; lra).
    apply Rabs_le. split; nra. }
  exact (root_off u alpha beta zeta D alpha' S' Q' zeta' p' q' D' g' (near (2 * zeta' / g'))
    Hu Ha Hb HD ED HL Hz Hal HS HQ (near_part _ N2) (near_part _ N3)
    (near_sqrt _ N4) (near_part _ N5) (near_part _ N6)).
Qed.
End rounding.
