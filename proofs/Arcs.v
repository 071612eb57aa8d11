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
