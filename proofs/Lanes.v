(* The walk in three dimensions in lanes and on a GPU: lemmas L.11 to L.23 and L.28.

   docs/proofs/lattice3.md; tmd-core::lattice3::{frame, shape, enumerate}, tmd-simd::lattice3,
   tmd-gpu::search::lattice3. What an engine keeps is a matrix T of integers and numbers with
   errors; that a window is told empty only if no case is in it follows from bounds of these errors,
   which the code computes. How single operations round is a hypothesis here.

   | name          | what it is                                                                         |
   |---------------|------------------------------------------------------------------------------------|
   | i, j, q       | integers of a row of a frame: a dual vector is `row i j q` in any window            |
   | X, omega, kappa | units of the coordinates x, tau = y/omega, nu = v/kappa; kappa with its sign      |
   | k             | number of a window, from the run's first one                                       |
   | c, N          | a row's phase; the integer that a point has there: c - N = <row, point>            |
   | beta_j        | bound of a vector of the basis, over the shears                                    |
   | u             | 2^-24, the unit of the budgets of points                                           |
*)

Require Import ZArith Reals Lia Lra Psatz List.
From Flocq Require Import Core.Core.
Require Import TMD.Doubles TMD.Existence TMD.Taylor TMD.Composition TMD.Families.
Open Scope R_scope.

(* Vectors of the lanes: x, tau, nu. *)
Record triple := T3 { tx : R; tt : R; tn : R }.

Definition prod (a b : triple) : R := tx a * tx b + tt a * tt b + tn a * tn b.
Definition size (a : triple) : R := Rabs (tx a) + Rabs (tt a) + Rabs (tn a).
Definition scaled (r : R) (a : triple) : triple := T3 (r * tx a) (r * tt a) (r * tn a).
Definition sum3 (a b c : triple) : triple := T3 (tx a + tx b + tx c) (tt a + tt b + tt c) (tn a + tn b + tn c).
Definition combined (p q r : R) (a b c : triple) : triple := sum3 (scaled p a) (scaled q b) (scaled r c).
Definition less (a b : triple) : triple := T3 (tx a - tx b) (tt a - tt b) (tn a - tn b).
Definition within (a b c : R) (z : triple) : Prop := Rabs (tx z) <= a /\ Rabs (tt z) <= b /\ Rabs (tn z) <= c.

Ltac triples := unfold prod, combined, sum3, scaled, less; cbn [tx tt tn].

Lemma triple_eq a b : tx a = tx b -> tt a = tt b -> tn a = tn b -> a = b.
Proof. destruct a, b. cbn. intros -> -> ->. reflexivity. Qed.

Lemma sum_bound a b c A B C : Rabs a <= A -> Rabs b <= B -> Rabs c <= C -> Rabs (a + b + c) <= A + B + C.
Proof.
  intros. pose proof (Rabs_triang (a + b) c). pose proof (Rabs_triang a b). lra.
Qed.

Lemma mult_bound a b A B : Rabs a <= A -> Rabs b <= B -> Rabs (a * b) <= A * B.
Proof. intros. rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption. Qed.

Lemma prod_bound d z a b c : within a b c z -> Rabs (prod d z) <= Rabs (tx d) * a + Rabs (tt d) * b + Rabs (tn d) * c.
Proof.
  intros (Ha & Hb & Hc). unfold prod. apply sum_bound; apply mult_bound; try assumption; apply Rle_refl.
Qed.

Lemma size_pos d : 0 <= size d.
Proof. unfold size. pose proof (Rabs_pos (tx d)). pose proof (Rabs_pos (tt d)). pose proof (Rabs_pos (tn d)). lra. Qed.

(* Where a run begins. *)

Section frames.

Variables (alpha beta c X omega kappa u0 m : R).
Hypothesis beta_not_0 : beta <> 0.
Hypothesis omega_not_0 : omega <> 0.
Hypothesis kappa_not_0 : kappa <> 0.
Hypothesis X_not_0 : X <> 0.

(* A dual vector from its three integers, where the polynomial has this slope; the generators; both
   in units of their own. *)
Definition dual_vector (slope i j q : R) : triple := T3 (i - alpha / beta * j - c * q) (j / beta - slope * q) q.
Definition generator1 (slope : R) : triple := T3 1 alpha (slope * alpha + c).
Definition generator2 (slope : R) : triple := T3 0 beta (slope * beta).
Definition generator3 : triple := T3 0 0 1.

(* Lemma L.11 (frames). The dual lattice in any window: vectors of three integers, which are the
   products with the generators. *)
Theorem frames slope d :
  (exists i j q : Z, prod d (generator1 slope) = IZR i /\ prod d (generator2 slope) = IZR j /\ prod d generator3 = IZR q) <->
  (exists i j q : Z, d = dual_vector slope (IZR i) (IZR j) (IZR q)).
Proof.
  split; intros (i & j & q & H); exists i, j, q.
  - destruct H as (H1 & H2 & H3). unfold generator1, generator2, generator3 in *. revert H1 H2 H3. triples. intros H1 H2 H3.
    assert (Eq : tn d = IZR q) by lra.
    assert (Et : tt d = IZR j / beta - slope * IZR q).
    { apply Rmult_eq_reg_r with beta; [|exact beta_not_0]. rewrite <- H2, <- Eq. field. exact beta_not_0. }
    apply triple_eq; unfold dual_vector; cbn [tx tt tn]; try assumption.
    rewrite Et, Eq in H1. rewrite <- H1. field. exact beta_not_0.
  - rewrite H. unfold dual_vector, generator1, generator2, generator3. triples. repeat split; field; exact beta_not_0.
Qed.

(* Row operations on vectors are those on integers: the map is linear, whatever the window. *)
Lemma frames_linear slope a b e i1 j1 q1 i2 j2 q2 i3 j3 q3 :
  combined a b e (dual_vector slope i1 j1 q1) (dual_vector slope i2 j2 q2) (dual_vector slope i3 j3 q3) =
  dual_vector slope (a * i1 + b * i2 + e * i3) (a * j1 + b * j2 + e * j3) (a * q1 + b * q2 + e * q3).
Proof. unfold dual_vector. triples. apply triple_eq; cbn [tx tt tn]; field; exact beta_not_0. Qed.

(* In the lanes' coordinates, where the polynomial has this value and slope at the angle u: a row,
   its phase, a point of the family. *)
Definition row (slope i j q : R) : triple := let d := dual_vector slope i j q in T3 (tx d * X) (tt d * omega) (tn d * kappa).
Definition phase (value u j q : R) : R := (m * alpha - u) / beta * j + q * (value + kappa + m * c).
Definition point (value slope u idx a l : R) : triple :=
  T3 ((idx - m) / X) ((a - u) / omega) ((value + kappa + slope * (a - u) + c * idx - l) / kappa).

(* A point of the family, of index idx and angle idx*alpha + n*beta. *)
Lemma phases value slope u i j q idx n l :
  prod (row slope i j q) (point value slope u idx (idx * alpha + n * beta) l) =
  phase value u j q - - (i * (idx - m) + j * n - q * l).
Proof.
  unfold row, phase, point, dual_vector. triples. field. repeat split; assumption.
Qed.

(* Lemma L.12 (phases). Its product with a row is the row's phase, but for an integer. *)
Theorem phases_integer value slope u (i j q idx n l : Z) (mi : Z) :
  m = IZR mi -> exists N : Z,
  prod (row slope (IZR i) (IZR j) (IZR q)) (point value slope u (IZR idx) (IZR idx * alpha + IZR n * beta) (IZR l)) =
  phase value u (IZR j) (IZR q) - IZR N.
Proof.
  intros E. exists (- (i * (idx - mi) + j * n - q * l))%Z.
  rewrite phases, E. rewrite opp_IZR, minus_IZR, plus_IZR, !mult_IZR, minus_IZR. reflexivity.
Qed.

(* From one window of a run to the next: value, slope, half the curvature of a cubic polynomial
   (f0, f1, f2, f3 are its Taylor coefficients at the first window's middle). *)
Variables f0 f1 f2 f3 : R.
Definition cubic (y : R) : R := f0 + f1 * y + f2 * (y * y) + f3 * (y * y * y).
Definition cubic_slope (y : R) : R := f1 + 2 * f2 * y + 3 * f3 * (y * y).
Definition angle (k : R) : R := u0 + 2 * k * omega.
Hypothesis kappa_is : kappa = f2 * (omega * omega) / 2.
Definition gain : R := f3 * (8 * (omega * omega * omega)) / kappa.
Definition shears (k : R) : R := 8 * k + 3 / 2 * gain * (k * k).

Definition row_at (k i j q : R) : triple := row (cubic_slope (2 * k * omega)) i j q.
Definition phase_at (k j q : R) : R := phase (cubic (2 * k * omega)) (angle k) j q.

(* Lemma L.13 (closed form). Rows and phases of window k, from those of window 0. *)
Theorem closed_form k i j q :
  let e := row_at 0 i j q in
  row_at k i j q = T3 (tx e) (tt e - shears k * tn e) (tn e) /\
  phase_at k j q = phase_at 0 j q + k * (-2 * tt e) + k * k * (8 * tn e) + k * k * k * (gain * tn e).
Proof.
  cbn zeta. unfold row_at, phase_at, row, phase, dual_vector, shears, gain, cubic, cubic_slope, angle. cbn [tx tt tn].
  assert (F : f2 <> 0) by (intros E; apply kappa_not_0; rewrite kappa_is, E; unfold Rdiv; ring).
  split; [apply triple_eq; cbn [tx tt tn]; [reflexivity | | reflexivity] |]; rewrite ?kappa_is; field; repeat split; assumption.
Qed.

(* Lemma L.15 (model). In window k the point of a case is so near the parabola. V is the polynomial,
   `off` how far it is from its cubic part, acc how near an integer a case's value is. *)
Theorem model k V idx a l acc off third K :
  let y := a - angle k in
  Rabs (V + c * idx - l) <= acc -> Rabs (V - cubic (2 * k * omega + y)) <= off -> Rabs f3 <= third ->
  0 < omega -> Rabs y <= omega -> 0 <= k <= K ->
  let z := point (cubic (2 * k * omega)) (cubic_slope (2 * k * omega)) (angle k) idx a l in
  Rabs (tt z) <= 1 /\
  Rabs (tn z - (1 - 2 * (tt z * tt z))) <= (acc + third * (omega * omega * omega)) / Rabs kappa + 3 / 4 * Rabs gain * K + off / Rabs kappa.
Proof.
  intros y Hacc Hoff Hthird Ho Hy Hk z.
  assert (Ht : Rabs (tt z) <= 1).
  { unfold z, point. cbn [tt]. fold y. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ omega)) by (apply Rlt_le, Rinv_0_lt_compat; exact Ho).
    apply Rmult_le_reg_r with omega; [exact Ho|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  split; [exact Ht|].
  assert (Hka : 0 < Rabs kappa) by (apply Rabs_pos_lt; exact kappa_not_0).
  set (t := tt z) in *.
  assert (Ey : y = t * omega) by (unfold t, z, point; cbn [tt]; fold y; field; exact omega_not_0).
  assert (E : tn z - (1 - 2 * (t * t)) =
              (V + c * idx - l) / kappa + - ((V - cubic (2 * k * omega + y)) / kappa) +
              (- (3 / 4 * gain * k * (t * t)) + - (f3 * (omega * omega * omega) / kappa * (t * t * t)))).
  { unfold z, point. cbn [tn]. fold y. rewrite Ey. unfold cubic, cubic_slope, gain.
    assert (F : f2 = 2 * kappa / (omega * omega)) by (rewrite kappa_is; field; exact omega_not_0).
    rewrite F. field. split; assumption. }
  rewrite E.
  assert (Ht2 : Rabs (t * t) <= 1) by (pose proof (mult_bound t t 1 1 Ht Ht); lra).
  assert (Ht3 : Rabs (t * t * t) <= 1) by (pose proof (mult_bound (t * t) t 1 1 Ht2 Ht); lra).
  assert (Hinv : Rabs (/ kappa) = / Rabs kappa) by (apply Rabs_inv).
  assert (Ipos : 0 < / Rabs kappa) by (apply Rinv_0_lt_compat; exact Hka).
  assert (O3 : 0 < omega * omega * omega) by (repeat apply Rmult_lt_0_compat; exact Ho).
  assert (A1 : Rabs ((V + c * idx - l) / kappa) <= acc / Rabs kappa).
  { unfold Rdiv. rewrite Rabs_mult, Hinv. apply Rmult_le_compat_r; lra. }
  assert (A2 : Rabs (- ((V - cubic (2 * k * omega + y)) / kappa)) <= off / Rabs kappa).
  { rewrite Rabs_Ropp. unfold Rdiv. rewrite Rabs_mult, Hinv. apply Rmult_le_compat_r; lra. }
  assert (A3 : Rabs (- (3 / 4 * gain * k * (t * t))) <= 3 / 4 * Rabs gain * K).
  { rewrite Rabs_Ropp. replace (3 / 4 * Rabs gain * K) with (3 / 4 * Rabs gain * K * 1) by ring.
    apply mult_bound; [|exact Ht2]. apply mult_bound; [|rewrite Rabs_pos_eq; lra].
    rewrite Rabs_mult, (Rabs_pos_eq (3 / 4)) by lra. lra. }
  assert (A4 : Rabs (- (f3 * (omega * omega * omega) / kappa * (t * t * t))) <= third * (omega * omega * omega) / Rabs kappa).
  { rewrite Rabs_Ropp. replace (third * (omega * omega * omega) / Rabs kappa) with (third * (omega * omega * omega) * / Rabs kappa * 1) by (field; lra).
    apply mult_bound; [|exact Ht3]. unfold Rdiv. apply mult_bound; [|rewrite Hinv; lra].
    apply mult_bound; [exact Hthird|]. rewrite Rabs_pos_eq; lra. }
  eapply Rle_trans; [apply Rabs_triang|].
  eapply Rle_trans; [apply Rplus_le_compat; apply Rabs_triang|].
  replace ((acc + third * (omega * omega * omega)) / Rabs kappa) with (acc / Rabs kappa + third * (omega * omega * omega) / Rabs kappa) by (field; lra).
  lra.
Qed.

End frames.

(* The matrix T of row operations. *)

(* A shear of the basis, and the same of its dual. *)
Definition sheared (s : R) (d : triple) : triple := T3 (tx d) (tt d - s * tn d) (tn d).
Definition sheared_back (s : R) (b : triple) : triple := T3 (tx b) (tt b) (tn b + s * tt b).

(* Lemma L.14 (T). Rows of window k are combinations of those of window 0, sheared. Each coefficient
   is at most the row's size times a bound of the vectors of window 0's basis, with the shear. *)
Theorem entries e1 e2 e3 b1 b2 b3 t1 t2 t3 s most B1 B2 B3 :
  prod e1 b1 = 1 -> prod e1 b2 = 0 -> prod e1 b3 = 0 ->
  prod e2 b1 = 0 -> prod e2 b2 = 1 -> prod e2 b3 = 0 ->
  prod e3 b1 = 0 -> prod e3 b2 = 0 -> prod e3 b3 = 1 -> Rabs s <= most ->
  let vector_bound b B := Rabs (tx b) <= B /\ Rabs (tt b) <= B /\ Rabs (tn b) + most * Rabs (tt b) <= B in
  vector_bound b1 B1 -> vector_bound b2 B2 -> vector_bound b3 B3 ->
  let d := combined t1 t2 t3 (sheared s e1) (sheared s e2) (sheared s e3) in
  Rabs t1 <= size d * B1 /\ Rabs t2 <= size d * B2 /\ Rabs t3 <= size d * B3.
Proof.
  intros E11 E12 E13 E21 E22 E23 E31 E32 E33 Hs vb V1 V2 V3 d.
  assert (G : forall b B, vb b B -> Rabs (prod d (sheared_back s b)) <= size d * B).
  { intros b B (Hx & Ht & Hn). eapply Rle_trans; [apply (prod_bound d _ B B B)|].
    - unfold within, sheared_back. cbn [tx tt tn]. repeat split; try assumption.
      eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
      pose proof (Rmult_le_compat_r (Rabs (tt b)) _ _ (Rabs_pos _) Hs). lra.
    - unfold size. lra. }
  assert (P : forall b, prod d (sheared_back s b) = t1 * prod e1 b + t2 * prod e2 b + t3 * prod e3 b).
  { intros b. unfold d, sheared, sheared_back. triples. ring. }
  split; [|split].
  - replace t1 with (prod d (sheared_back s b1)) by (rewrite P, E11, E21, E31; ring). apply G. exact V1.
  - replace t2 with (prod d (sheared_back s b2)) by (rewrite P, E12, E22, E32; ring). apply G. exact V2.
  - replace t3 with (prod d (sheared_back s b3)) by (rewrite P, E13, E23, E33; ring). apply G. exact V3.
Qed.

(* A row operation: row i less q times row j. What it makes of a column of T, of the same in
   doubles, and of bounds. *)
Definition operation := (nat * nat * Z)%type.
Definition set {A} (i : nat) (v : A) (f : nat -> A) : nat -> A := fun n => if Nat.eqb n i then v else f n.

Fixpoint column (ops : list operation) (t : nat -> Z) : nat -> Z :=
  match ops with nil => t | (i, j, q) :: rest => column rest (set i (t i - q * t j)%Z t) end.

Fixpoint bounds (ops : list operation) (s : nat -> R) : nat -> R :=
  match ops with nil => s | (i, j, q) :: rest => bounds rest (set i (s i + Rabs (IZR q) * s j) s) end.

(* No bound, times B, was above this at any time. *)
Fixpoint never_above (most B : R) (ops : list operation) (s : nat -> R) : Prop :=
  match ops with
  | nil => True
  | (i, j, q) :: rest =>
      B * (s i + Rabs (IZR q) * s j) <= most /\ never_above most B rest (set i (s i + Rabs (IZR q) * s j) s)
  end.

Section in_doubles.
Variable rnd : R -> Z.
Context {valid_rnd : Valid_rnd rnd}.

Fixpoint column_in_doubles (ops : list operation) (t : nat -> R) : nat -> R :=
  match ops with nil => t | (i, j, q) :: rest => column_in_doubles rest (set i (fma rnd (- IZR q) (t j) (t i)) t) end.

(* Theorem S.19 (T is exact), the other half of L.14. While the bounds are below 2^53 the doubles
   are T, exactly: so T is a matrix of integers, and the bounds are true of it. *)
Theorem T_is_exact B ops : forall (t : nat -> Z) (s : nat -> R),
  (forall n, Rabs (IZR (t n)) <= B * s n) -> never_above (IZR (2 ^ 53)) B ops s ->
  forall n, column_in_doubles ops (fun n => IZR (t n)) n = IZR (column ops t n) /\ Rabs (IZR (column ops t n)) <= B * bounds ops s n.
Proof.
  induction ops as [|((i, j), q) rest IH]; intros t s Ht Hall n; [split; [reflexivity | apply Ht]|].
  destruct Hall as (Hnow & Hrest). cbn [column bounds column_in_doubles].
  assert (Hi : Rabs (IZR (t i - q * t j)) <= B * (s i + Rabs (IZR q) * s j)).
  { rewrite minus_IZR, mult_IZR. unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, Rabs_mult.
    pose proof (Ht i). pose proof (Rmult_le_compat_l (Rabs (IZR q)) _ _ (Rabs_pos _) (Ht j)). lra. }
  assert (E : forall n, set i (fma rnd (- IZR q) (IZR (t j)) (IZR (t i))) (fun n => IZR (t n)) n = IZR (set i (t i - q * t j)%Z t n)).
  { intros k. unfold set. destruct (Nat.eqb k i); [|reflexivity].
    replace (t i - q * t j)%Z with (- q * t j + t i)%Z by ring. rewrite <- opp_IZR. apply integers_exact; [exact valid_rnd|].
    apply le_IZR. rewrite abs_IZR. replace (- q * t j + t i)%Z with (t i - q * t j)%Z by ring. lra. }
  assert (X : forall ops f g, (forall n, f n = g n) -> forall n, column_in_doubles ops f n = column_in_doubles ops g n).
  { clear. induction ops as [|((i, j), q) rest IH]; intros f g H n; cbn [column_in_doubles]; [apply H|].
    apply IH. intros k. unfold set. destruct (Nat.eqb k i); [|apply H]. rewrite !H. reflexivity. }
  rewrite (X rest _ _ E). apply IH; [|exact Hrest].
  intros k. unfold set. destruct (Nat.eqb k i); [exact Hi | apply Ht].
Qed.

End in_doubles.

(* What numbers are off. *)

Definition two (e : Z) : R := bpow radix2 e.
Lemma two_50 : two (-50) = 8 * two (-53). Proof. unfold two. rewrite <- (bpow_plus radix2 3 (-53)) || idtac. cbn. lra. Qed.
Lemma two_49 : two (-49) = 16 * two (-53). Proof. unfold two. cbn. lra. Qed.
Lemma two_52 : two (-52) = 2 * two (-53). Proof. unfold two. cbn. lra. Qed.
Lemma two_53_pos : 0 < two (-53) <= / 1024. Proof. unfold two. cbn. lra. Qed.

(* A product and two fused operations, each rounded once. *)
Lemma three_roundings u a b c m f1 f2 :
  0 <= u <= / 16 -> Rabs (m - a) <= u * Rabs a -> Rabs (f1 - (b + m)) <= u * Rabs (b + m) -> Rabs (f2 - (c + f1)) <= u * Rabs (c + f1) ->
  Rabs (f2 - (a + b + c)) <= 4 * u * (Rabs a + Rabs b + Rabs c).
Proof.
  intros Hu Hm H1 H2.
  set (A := Rabs a) in *. set (B := Rabs b). set (C := Rabs c).
  assert (A0 : 0 <= A) by apply Rabs_pos. assert (B0 : 0 <= B) by apply Rabs_pos. assert (C0 : 0 <= C) by apply Rabs_pos.
  assert (M : Rabs m <= (1 + u) * A). { replace m with ((m - a) + a) by ring. eapply Rle_trans; [apply Rabs_triang|]. fold A. lra. }
  assert (M1 : Rabs (b + m) <= B + (1 + u) * A). { eapply Rle_trans; [apply Rabs_triang|]. fold B. lra. }
  assert (F1 : Rabs f1 <= (1 + u) * (B + (1 + u) * A)).
  { replace f1 with ((f1 - (b + m)) + (b + m)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    pose proof (Rmult_le_compat_l u _ _ (proj1 Hu) M1). lra. }
  assert (F2 : Rabs (c + f1) <= C + (1 + u) * (B + (1 + u) * A)). { eapply Rle_trans; [apply Rabs_triang|]. fold C. lra. }
  replace (f2 - (a + b + c)) with ((f2 - (c + f1)) + (f1 - (b + m)) + (m - a)) by ring.
  eapply Rle_trans; [apply sum_bound; [exact H2 | exact H1 | exact Hm]|].
  pose proof (Rmult_le_compat_l u _ _ (proj1 Hu) M1) as K1. pose proof (Rmult_le_compat_l u _ _ (proj1 Hu) F2) as K2.
  assert (u * u <= u / 16) by nra. assert (0 <= u * A) by nra. assert (0 <= u * B) by nra. assert (u * u * A <= u * A / 16) by nra.
  assert (u * u * B <= u * B / 16) by nra. assert (u * u * u * A <= u * A / 16) by nra. nra.
Qed.

(* Sums with the coefficients of a row of T. *)
Lemma row_error t1 t2 t3 a1 a2 a3 b1 b2 b3 L B1 B2 B3 h1 h2 h3 :
  Rabs t1 <= L * B1 -> Rabs t2 <= L * B2 -> Rabs t3 <= L * B3 ->
  Rabs (b1 - a1) <= h1 -> Rabs (b2 - a2) <= h2 -> Rabs (b3 - a3) <= h3 ->
  Rabs ((t1 * b1 + t2 * b2 + t3 * b3) - (t1 * a1 + t2 * a2 + t3 * a3)) <= L * (B1 * h1 + B2 * h2 + B3 * h3).
Proof.
  intros T1 T2 T3 H1 H2 H3.
  replace ((t1 * b1 + t2 * b2 + t3 * b3) - (t1 * a1 + t2 * a2 + t3 * a3)) with (t1 * (b1 - a1) + t2 * (b2 - a2) + t3 * (b3 - a3)) by ring.
  replace (L * (B1 * h1 + B2 * h2 + B3 * h3)) with (L * B1 * h1 + L * B2 * h2 + L * B3 * h3) by ring.
  apply sum_bound; apply mult_bound; assumption.
Qed.

Lemma row_magnitude t1 t2 t3 a1 a2 a3 L B1 B2 B3 h1 h2 h3 :
  Rabs t1 <= L * B1 -> Rabs t2 <= L * B2 -> Rabs t3 <= L * B3 -> Rabs a1 <= h1 -> Rabs a2 <= h2 -> Rabs a3 <= h3 ->
  Rabs (t1 * a1) + Rabs (t2 * a2) + Rabs (t3 * a3) <= L * (B1 * h1 + B2 * h2 + B3 * h3).
Proof.
  intros T1 T2 T3 H1 H2 H3. replace (L * (B1 * h1 + B2 * h2 + B3 * h3)) with (L * B1 * h1 + L * B2 * h2 + L * B3 * h3) by ring.
  pose proof (mult_bound _ _ _ _ T1 H1). pose proof (mult_bound _ _ _ _ T2 H2). pose proof (mult_bound _ _ _ _ T3 H3). lra.
Qed.

(* One component of a row in lanes: entries are off by a relative `per`, and the sum is rounded. *)
Lemma component t1 t2 t3 a1 a2 a3 b1 b2 b3 L B1 B2 B3 h1 h2 h3 per r :
  Rabs t1 <= L * B1 -> Rabs t2 <= L * B2 -> Rabs t3 <= L * B3 ->
  Rabs a1 <= h1 -> Rabs a2 <= h2 -> Rabs a3 <= h3 ->
  0 <= per <= 11 * two (-53) -> Rabs (b1 - a1) <= per * h1 -> Rabs (b2 - a2) <= per * h2 -> Rabs (b3 - a3) <= per * h3 ->
  Rabs (r - (t1 * b1 + t2 * b2 + t3 * b3)) <= 4 * two (-53) * (Rabs (t1 * b1) + Rabs (t2 * b2) + Rabs (t3 * b3)) ->
  Rabs (r - (t1 * a1 + t2 * a2 + t3 * a3)) <= L * ((B1 * h1 + B2 * h2 + B3 * h3) * (31 / 2 * two (-53))).
Proof.
  intros T1 T2 T3 A1 A2 A3 Hper H1 H2 H3 Hr. pose proof two_53_pos as U.
  pose proof (row_error t1 t2 t3 a1 a2 a3 b1 b2 b3 L B1 B2 B3 _ _ _ T1 T2 T3 H1 H2 H3) as E.
  assert (M : forall a b h, Rabs a <= h -> Rabs (b - a) <= per * h -> Rabs b <= (1 + / 16) * h).
  { intros a b h Ha Hb. replace b with ((b - a) + a) by ring. eapply Rle_trans; [apply Rabs_triang|].
    assert (0 <= h) by (pose proof (Rabs_pos a); lra). assert (per * h <= / 16 * h) by (apply Rmult_le_compat_r; lra). lra. }
  pose proof (row_magnitude t1 t2 t3 b1 b2 b3 L B1 B2 B3 _ _ _ T1 T2 T3 (M _ _ _ A1 H1) (M _ _ _ A2 H2) (M _ _ _ A3 H3)) as G.
  pose proof (row_magnitude t1 t2 t3 a1 a2 a3 L B1 B2 B3 _ _ _ T1 T2 T3 A1 A2 A3) as G0.
  set (S := L * (B1 * h1 + B2 * h2 + B3 * h3)) in *.
  assert (S0 : 0 <= S) by (pose proof (Rabs_pos (t1 * a1)); pose proof (Rabs_pos (t2 * a2)); pose proof (Rabs_pos (t3 * a3)); lra).
  replace (L * (B1 * (per * h1) + B2 * (per * h2) + B3 * (per * h3))) with (per * S) in E by (unfold S; ring).
  replace (L * (B1 * ((1 + / 16) * h1) + B2 * ((1 + / 16) * h2) + B3 * ((1 + / 16) * h3))) with ((1 + / 16) * S) in G by (unfold S; ring).
  replace (L * ((B1 * h1 + B2 * h2 + B3 * h3) * (31 / 2 * two (-53)))) with (31 / 2 * two (-53) * S) by (unfold S; ring).
  replace (r - (t1 * a1 + t2 * a2 + t3 * a3))
    with ((r - (t1 * b1 + t2 * b2 + t3 * b3)) + ((t1 * b1 + t2 * b2 + t3 * b3) - (t1 * a1 + t2 * a2 + t3 * a3))) by ring.
  eapply Rle_trans; [apply Rabs_triang|].
  assert (per * S <= 11 * two (-53) * S) by (apply Rmult_le_compat_r; lra).
  assert (4 * two (-53) * (Rabs (t1 * b1) + Rabs (t2 * b2) + Rabs (t3 * b3)) <= 4 * two (-53) * ((1 + / 16) * S)) by (apply Rmult_le_compat_l; lra).
  assert (0 <= two (-53) * S) by (apply Rmult_le_pos; lra). lra.
Qed.

(* Lemma L.16 (doubles). A row and a phase in lanes: e are the exact rows of window 0, sheared; f
   those in doubles; c_j exact phases, g_j what the table has of them, mod 1. phi bounds x and nu,
   eps the sheared tau. What row and phase are off together, over the row's size L. *)
Theorem lanes_numbers (t1 t2 t3 : Z) e1 e2 e3 f1 f2 f3 L B1 B2 B3 phi1 phi2 phi3 eps1 eps2 eps3 r c1 c2 c3 g1 g2 g3 (z1 z2 z3 z0 : Z) tab sum g :
  Rabs (IZR t1) <= L * B1 -> Rabs (IZR t2) <= L * B2 -> Rabs (IZR t3) <= L * B3 ->
  within phi1 eps1 phi1 e1 -> within phi2 eps2 phi2 e2 -> within phi3 eps3 phi3 e3 ->
  within (8 * two (-53) * phi1) (11 * two (-53) * eps1) (8 * two (-53) * phi1) (less f1 e1) ->
  within (8 * two (-53) * phi2) (11 * two (-53) * eps2) (8 * two (-53) * phi2) (less f2 e2) ->
  within (8 * two (-53) * phi3) (11 * two (-53) * eps3) (8 * two (-53) * phi3) (less f3 e3) ->
  let rounded_sum s a1 a2 a3 :=
    Rabs (s - (IZR t1 * a1 + IZR t2 * a2 + IZR t3 * a3)) <= 4 * two (-53) * (Rabs (IZR t1 * a1) + Rabs (IZR t2 * a2) + Rabs (IZR t3 * a3)) in
  rounded_sum (tx r) (tx f1) (tx f2) (tx f3) -> rounded_sum (tt r) (tt f1) (tt f2) (tt f3) -> rounded_sum (tn r) (tn f1) (tn f2) (tn f3) ->
  0 <= g1 < 1 -> 0 <= g2 < 1 -> 0 <= g3 < 1 ->
  Rabs (g1 - (c1 + IZR z1)) <= tab + two (-52) -> Rabs (g2 - (c2 + IZR z2)) <= tab + two (-52) -> Rabs (g3 - (c3 + IZR z3)) <= tab + two (-52) ->
  rounded_sum sum g1 g2 g3 -> g = sum - IZR z0 ->
  let flat := (B1 * phi1 + B2 * phi2 + B3 * phi3) * two (-49) in
  let off := (B1 * eps1 + B2 * eps2 + B3 * eps3) * two (-49) + 2 * flat + (B1 + B2 + B3) * (tab + two (-50)) in
  let d := combined (IZR t1) (IZR t2) (IZR t3) e1 e2 e3 in
  let c := IZR t1 * c1 + IZR t2 * c2 + IZR t3 * c3 in
  Rabs (tx r - tx d) <= L * flat /\ Rabs (tn r - tn d) <= L * flat /\
  forall z (N : Z), within 1 1 (1 + / 2048) z -> prod d z = c - IZR N ->
  exists M : Z, Rabs (g - IZR M - prod r z) <= L * off.
Proof.
  intros T1 T2 T3 (X1 & Y1 & V1) (X2 & Y2 & V2) (X3 & Y3 & V3) (x1 & y1 & v1) (x2 & y2 & v2) (x3 & y3 & v3)
    rs Rx Rt Rn G1 G2 G3 C1 C2 C3 Rsum Eg flat off d c.
  unfold less in *. cbn [tx tt tn] in *. pose proof two_53_pos as U.
  assert (P8 : 0 <= 8 * two (-53) <= 11 * two (-53)) by lra. assert (P11 : 0 <= 11 * two (-53) <= 11 * two (-53)) by lra.
  pose proof (component _ _ _ _ _ _ _ _ _ L B1 B2 B3 _ _ _ _ (tx r) T1 T2 T3 X1 X2 X3 P8 x1 x2 x3 Rx) as Ex.
  pose proof (component _ _ _ _ _ _ _ _ _ L B1 B2 B3 _ _ _ _ (tt r) T1 T2 T3 Y1 Y2 Y3 P11 y1 y2 y3 Rt) as Et.
  pose proof (component _ _ _ _ _ _ _ _ _ L B1 B2 B3 _ _ _ _ (tn r) T1 T2 T3 V1 V2 V3 P8 v1 v2 v3 Rn) as En.
  pose proof (row_magnitude _ _ _ _ _ _ L B1 B2 B3 _ _ _ T1 T2 T3 X1 X2 X3) as Mx.
  pose proof (row_magnitude _ _ _ _ _ _ L B1 B2 B3 _ _ _ T1 T2 T3 Y1 Y2 Y3) as My.
  assert (F0 : 0 <= L * (B1 * phi1 + B2 * phi2 + B3 * phi3)).
  { pose proof (Rabs_pos (IZR t1 * tx e1)). pose proof (Rabs_pos (IZR t2 * tx e2)). pose proof (Rabs_pos (IZR t3 * tx e3)). lra. }
  assert (S0 : 0 <= L * (B1 * eps1 + B2 * eps2 + B3 * eps3)).
  { pose proof (Rabs_pos (IZR t1 * tt e1)). pose proof (Rabs_pos (IZR t2 * tt e2)). pose proof (Rabs_pos (IZR t3 * tt e3)). lra. }
  assert (Flat : L * flat = 16 * two (-53) * (L * (B1 * phi1 + B2 * phi2 + B3 * phi3))) by (unfold flat; rewrite two_49; ring).
  fold d in Ex, Et, En.
  assert (Dx : tx d = IZR t1 * tx e1 + IZR t2 * tx e2 + IZR t3 * tx e3) by (unfold d; triples; ring).
  assert (Dt : tt d = IZR t1 * tt e1 + IZR t2 * tt e2 + IZR t3 * tt e3) by (unfold d; triples; ring).
  assert (Dn : tn d = IZR t1 * tn e1 + IZR t2 * tn e2 + IZR t3 * tn e3) by (unfold d; triples; ring).
  rewrite <- Dx in Ex. rewrite <- Dt in Et. rewrite <- Dn in En.
  set (FF := L * (B1 * phi1 + B2 * phi2 + B3 * phi3)) in *. set (SS := L * (B1 * eps1 + B2 * eps2 + B3 * eps3)) in *.
  replace (L * ((B1 * phi1 + B2 * phi2 + B3 * phi3) * (31 / 2 * two (-53)))) with (31 / 2 * two (-53) * FF) in Ex, En by (unfold FF; ring).
  replace (L * ((B1 * eps1 + B2 * eps2 + B3 * eps3) * (31 / 2 * two (-53)))) with (31 / 2 * two (-53) * SS) in Et by (unfold SS; ring).
  assert (UF : 0 <= two (-53) * FF) by (apply Rmult_le_pos; lra). assert (US : 0 <= two (-53) * SS) by (apply Rmult_le_pos; lra).
  split; [lra|]. split; [lra|].
  intros z N Hz HN. exists (N + t1 * z1 + t2 * z2 + t3 * z3 - z0)%Z.
  pose proof (row_error (IZR t1) (IZR t2) (IZR t3) _ _ _ _ _ _ L B1 B2 B3 _ _ _ T1 T2 T3 C1 C2 C3) as Ec.
  assert (H1 : forall x, 0 <= x < 1 -> Rabs x <= 1) by (intros x Hx; rewrite Rabs_pos_eq; lra).
  pose proof (row_magnitude _ _ _ _ _ _ L B1 B2 B3 _ _ _ T1 T2 T3 (H1 _ G1) (H1 _ G2) (H1 _ G3)) as Mg.
  unfold rs in Rsum.
  assert (K : 4 * two (-53) * (Rabs (IZR t1 * g1) + Rabs (IZR t2 * g2) + Rabs (IZR t3 * g3)) <= 4 * two (-53) * (L * (B1 * 1 + B2 * 1 + B3 * 1)))
    by (apply Rmult_le_compat_l; lra).
  assert (Z : Rabs (prod (less r d) z) <= 31 / 2 * two (-53) * FF * 1 + 31 / 2 * two (-53) * SS * 1 + 31 / 2 * two (-53) * FF * (1 + / 2048)).
  { destruct Hz as (Zx & Zt & Zn). unfold prod, less. cbn [tx tt tn]. apply sum_bound; apply mult_bound; assumption. }
  assert (PD : prod r z = prod d z + prod (less r d) z) by (unfold prod, less; cbn [tx tt tn]; ring).
  rewrite PD, HN, Eg. unfold c.
  rewrite !minus_IZR, !plus_IZR, !mult_IZR.
  replace (sum - IZR z0 - (IZR N + IZR t1 * IZR z1 + IZR t2 * IZR z2 + IZR t3 * IZR z3 - IZR z0) -
           (IZR t1 * c1 + IZR t2 * c2 + IZR t3 * c3 - IZR N + prod (less r d) z))
    with ((sum - (IZR t1 * g1 + IZR t2 * g2 + IZR t3 * g3)) +
          ((IZR t1 * g1 + IZR t2 * g2 + IZR t3 * g3) - (IZR t1 * (c1 + IZR z1) + IZR t2 * (c2 + IZR z2) + IZR t3 * (c3 + IZR z3))) +
          - prod (less r d) z) by ring.
  eapply Rle_trans; [apply sum_bound; [exact Rsum | exact Ec | rewrite Rabs_Ropp; exact Z]|].
  unfold off. rewrite two_50, two_49, two_52 in *.
  replace (L * ((B1 * eps1 + B2 * eps2 + B3 * eps3) * (16 * two (-53)) + 2 * flat + (B1 + B2 + B3) * (tab + 8 * two (-53))))
    with (16 * two (-53) * SS + 2 * (L * flat) + L * (B1 + B2 + B3) * tab + 8 * two (-53) * (L * (B1 + B2 + B3))) by (unfold SS; ring).
  rewrite Flat.
  assert (BB : 0 <= L * (B1 + B2 + B3)).
  { pose proof (Rabs_pos (IZR t1)). pose proof (Rabs_pos (IZR t2)). pose proof (Rabs_pos (IZR t3)). lra. }
  assert (0 <= two (-53) * (L * (B1 + B2 + B3))) by (apply Rmult_le_pos; lra).
  lra.
Qed.

(* Which integers. *)

Lemma spared_is_spare A b s :
  0 <= A -> 0 <= b -> 0 <= s <= 1 -> Rmin (3 / 4 * A) (Rmin (b + A / 4) (2 * b)) <= A * (1 - s) + 2 * b * (s * s).
Proof.
  intros HA Hb Hs. set (f := A * (1 - s) + 2 * b * (s * s)).
  destruct (Rle_lt_dec (3 / 4 * A) f) as [L | L1]; [eapply Rle_trans; [apply Rmin_l | exact L]|].
  eapply Rle_trans; [apply Rmin_r|].
  destruct (Rle_lt_dec (b + A / 4) f) as [L | L2]; [eapply Rle_trans; [apply Rmin_l | exact L]|].
  eapply Rle_trans; [apply Rmin_r|]. apply Rnot_lt_le. intros L3. unfold f in *.
  assert (H1 : 2 * b * (s * s) < A * (s - / 4)) by lra.
  assert (H2 : A * (3 / 4 - s) < b * (1 - 2 * (s * s))) by lra.
  assert (Hq : 0 < s - / 4) by nra.
  destruct (Rle_lt_dec s (3 / 4)) as [Ls | Ls].
  - assert (2 * b * (s * s) * (3 / 4 - s) <= A * (s - / 4) * (3 / 4 - s)) by (apply Rmult_le_compat_r; lra).
    assert (A * (3 / 4 - s) * (s - / 4) < b * (1 - 2 * (s * s)) * (s - / 4)) by (apply Rmult_lt_compat_r; lra).
    assert (0 <= b * ((s - / 2) * (s - / 2))) by (apply Rmult_le_pos; [exact Hb | exact (Rle_0_sqr (s - / 2))]).
    lra.
  - assert (H3 : A * (1 - s) < 2 * b * (1 - s * s)) by lra.
    assert (s < 1). { destruct (Req_dec s 1) as [-> | N]; lra. }
    assert (H4 : A < 2 * b * (1 + s)) by (apply Rmult_lt_reg_r with (1 - s); [lra|]; replace (2 * b * (1 + s) * (1 - s)) with (2 * b * (1 - s * s)) by ring; exact H3).
    assert (A * (s - 3 / 4) < 2 * b * (1 + s) * (s - 3 / 4)) by (apply Rmult_lt_compat_r; lra).
    assert (0 <= b * (1 - s)) by (apply Rmult_le_pos; lra).
    nra.
Qed.

Definition spared (d : triple) : R := Rmin (3 / 4 * Rabs (tt d)) (Rmin (Rabs (tn d) + Rabs (tt d) / 4) (2 * Rabs (tn d))).
Definition reach (tol : R) (d : triple) : R := Rabs (tx d) + Rabs (tt d) + Rabs (tn d) * (1 + tol).

(* Where the point of a case is. *)
Definition on_parabola (tol : R) (z : triple) : Prop :=
  Rabs (tx z) <= 1 /\ Rabs (tt z) <= 1 /\ Rabs (tn z - (1 - 2 * (tt z * tt z))) <= tol.

Lemma on_parabola_within tol z : 0 <= tol -> on_parabola tol z -> within 1 1 (1 + tol) z.
Proof.
  intros Ht (Hx & Hy & Hv). repeat split; try assumption.
  assert (T : 0 <= tt z * tt z <= 1) by (apply Rabs_le_inv in Hy; nra).
  apply Rabs_le. apply Rabs_le_inv in Hv. lra.
Qed.

Lemma on_parabola_mono a b z : a <= b -> on_parabola a z -> on_parabola b z.
Proof. intros H (Hx & Hy & Hv). repeat split; try assumption. lra. Qed.

(* Lemma L.17 (the parabola in a box). *)
Theorem parabola_in_a_box tol d z :
  0 <= tol -> on_parabola tol z ->
  (0 <= tn d -> - reach tol d <= prod d z <= reach tol d - spared d) /\
  (tn d <= 0 -> - (reach tol d - spared d) <= prod d z <= reach tol d).
Proof.
  intros Htol (Hx & Hy & Hv).
  assert (P : forall d, 0 <= tn d -> - reach tol d <= prod d z <= reach tol d - spared d).
  { clear d. intros d Hd. unfold reach, spared, prod. rewrite (Rabs_pos_eq (tn d)) by exact Hd.
    set (A := Rabs (tt d)). set (b := tn d) in *. set (s := Rabs (tt z)).
    assert (A0 : 0 <= A) by apply Rabs_pos. assert (s0 : 0 <= s <= 1) by (split; [apply Rabs_pos | exact Hy]).
    assert (Mx : Rabs (tx d * tx z) <= Rabs (tx d)).
    { rewrite Rabs_mult. pose proof (Rabs_pos (tx d)). pose proof (Rmult_le_compat_l _ _ _ H Hx). lra. }
    assert (Mt : Rabs (tt d * tt z) <= A * s) by (rewrite Rabs_mult; apply Rle_refl).
    assert (Es : tt z * tt z = s * s) by (unfold s; rewrite <- Rabs_mult, Rabs_pos_eq by nra; reflexivity).
    rewrite Es in Hv. apply Rabs_le_inv in Mx, Mt, Hv.
    assert (V1 : b * (1 - 2 * (s * s) - tol) <= b * tn z) by (apply Rmult_le_compat_l; lra).
    assert (V2 : b * tn z <= b * (1 - 2 * (s * s) + tol)) by (apply Rmult_le_compat_l; lra).
    pose proof (spared_is_spare A b s A0 Hd s0) as Sp. split; [|nra].
    assert (A * s <= A) by nra. assert (0 <= b * (1 - s * s)) by (apply Rmult_le_pos; nra). nra. }
  split; [apply P|]. intros Hd.
  pose (o := T3 (- tx d) (- tt d) (- tn d)).
  pose proof (P o ltac:(unfold o; cbn; lra)) as Q.
  assert (E1 : prod o z = - prod d z) by (unfold o, prod; cbn [tx tt tn]; ring).
  assert (E2 : reach tol o = reach tol d) by (unfold o, reach; cbn [tx tt tn]; rewrite !Rabs_Ropp; reflexivity).
  assert (E3 : spared o = spared d) by (unfold o, spared; cbn [tx tt tn]; rewrite !Rabs_Ropp; reflexivity).
  rewrite E1, E2, E3 in Q. lra.
Qed.

Lemma spared_bound tol d : 0 <= tol -> 0 <= spared d /\ spared d <= reach tol d.
Proof.
  intros Ht. unfold spared, reach.
  pose proof (Rabs_pos (tx d)). pose proof (Rabs_pos (tt d)). pose proof (Rabs_pos (tn d)).
  assert (0 <= Rabs (tn d) * tol) by (apply Rmult_le_pos; assumption). split.
  - apply Rmin_glb; [lra|]. apply Rmin_glb; lra.
  - eapply Rle_trans; [apply Rmin_l|]. lra.
Qed.

(* How far a range reaches below and above a phase, with margins: a share and a constant. *)
Definition width (margin tol : R) (d : triple) : R := (reach tol d - spared d / 2) * (1 + margin) + margin.
Definition below (margin tol : R) (d : triple) : R := if Rle_lt_dec 0 (tn d) then width margin tol d - spared d / 2 else width margin tol d + spared d / 2.
Definition above (margin tol : R) (d : triple) : R := if Rle_lt_dec 0 (tn d) then width margin tol d + spared d / 2 else width margin tol d - spared d / 2.

(* Theorem L.18 (emptiness). d is a row as the lanes have it, g its phase: together they are off by
   err. The ends of the range are rounded, off by e, of reaches that are off by slop, which are
   rounded to the nearest integer. The integer of a case's point is in the range: if the range has
   none, no case is in the window. *)
Theorem integers_in_ranges choice margin tol d z g N err e slop low high first last :
  0 <= margin -> 0 <= tol -> on_parabola tol z -> Rabs (g - IZR N - prod d z) <= err ->
  Rabs (low - below margin tol d) <= slop -> Rabs (high - above margin tol d) <= slop ->
  Rabs (first - (g - low + / 2)) <= e -> Rabs (last - (g + high - / 2)) <= e ->
  err + e + slop < margin * (size d / 2 + 1) ->
  (Znearest choice first <= N <= Znearest choice last)%Z.
Proof.
  intros Hm Ht Hz Hg Hlow Hhigh Hf Hl Hsum.
  destruct (parabola_in_a_box tol d z Ht Hz) as (Hp & Hn). destruct (spared_bound tol d Ht) as (S0 & S1).
  apply Rabs_le_inv in Hg, Hlow, Hhigh, Hf, Hl.
  assert (Hr : size d <= reach tol d).
  { unfold size, reach. assert (0 <= Rabs (tn d) * tol) by (apply Rmult_le_pos; [apply Rabs_pos | exact Ht]). lra. }
  assert (M : margin * (size d / 2 + 1) <= (reach tol d - spared d / 2) * margin + margin).
  { assert (margin * (size d / 2) <= margin * (reach tol d - spared d / 2)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (R : forall x, IZR (Znearest choice x) <= x + / 2 /\ x - / 2 <= IZR (Znearest choice x)).
  { intros x. pose proof (Znearest_half choice x) as H. apply Rabs_le_inv in H. lra. }
  pose proof (R first) as (R1 & _). pose proof (R last) as (_ & R2).
  enough (IZR (Znearest choice first) < IZR N + 1 /\ IZR N < IZR (Znearest choice last) + 1) as (H1 & H2).
  { rewrite <- plus_IZR in H1, H2. apply lt_IZR in H1, H2. lia. }
  unfold below, above, width in *. destruct (Rle_lt_dec 0 (tn d)) as [L | L].
  - specialize (Hp L). lra.
  - specialize (Hn ltac:(lra)). lra.
Qed.

(* Rows and phases are rounded to singles, or to fewer bits, after L.16. *)
Lemma rounded_rows r d z g g' N L off relative phase_off :
  0 <= relative -> within 1 1 (1 + / 2048) z ->
  Rabs (g - IZR N - prod r z) <= L * off ->
  within (relative * Rabs (tx r)) (relative * Rabs (tt r)) (relative * Rabs (tn r)) (less d r) -> Rabs (g' - g) <= phase_off ->
  Rabs (g' - IZR N - prod d z) <= L * off + relative * (1 + / 2048) * size r + phase_off.
Proof.
  intros Hr (Zx & Zt & Zn) Hg (Dx & Dt & Dn) Hp.
  replace (g' - IZR N - prod d z) with ((g' - g) + (g - IZR N - prod r z) + - prod (less d r) z) by (unfold prod, less; cbn [tx tt tn]; ring).
  assert (H : Rabs (- prod (less d r) z) <= relative * (1 + / 2048) * size r).
  { rewrite Rabs_Ropp. unfold prod.
    eapply Rle_trans; [apply sum_bound; apply mult_bound; [exact Dx | exact Zx | exact Dt | exact Zt | exact Dn | exact Zn]|].
    unfold size. assert (0 <= relative * Rabs (tx r)) by (apply Rmult_le_pos; [exact Hr | apply Rabs_pos]).
    assert (0 <= relative * Rabs (tt r)) by (apply Rmult_le_pos; [exact Hr | apply Rabs_pos]). nra. }
  pose proof (sum_bound _ _ _ _ _ _ Hp Hg H). lra.
Qed.

(* Which points. *)

Definition cross (a b : triple) : triple := T3 (tt a * tn b - tn a * tt b) (tn a * tx b - tx a * tn b) (tx a * tt b - tt a * tx b).
Definition det3 (a b c : triple) : R := prod a (cross b c).
Ltac crosses := unfold det3, cross; triples.

(* The vectors of rows, times anything. *)
Lemma coordinates d1 d2 d3 z :
  combined (prod d1 z) (prod d2 z) (prod d3 z) (cross d2 d3) (cross d3 d1) (cross d1 d2) = scaled (det3 d1 d2 d3) z.
Proof. apply triple_eq; crosses; ring. Qed.

(* What is added to coordinates: *)
Lemma moved_point d1 d2 d3 z w1 w2 w3 delta rho :
  delta * det3 d1 d2 d3 = 1 + rho ->
  let b1 := scaled delta (cross d2 d3) in let b2 := scaled delta (cross d3 d1) in let b3 := scaled delta (cross d1 d2) in
  let y := combined w1 w2 w3 b1 b2 b3 in
  let e := combined (w1 - prod d1 z) (w2 - prod d2 z) (w3 - prod d3 z) b1 b2 b3 in
  y = T3 ((1 + rho) * tx z + tx e) ((1 + rho) * tt z + tt e) ((1 + rho) * tn z + tn e).
Proof.
  intros H b1 b2 b3 y e. pose proof (coordinates d1 d2 d3 z) as C. rewrite <- H.
  assert (Ex := f_equal tx C). assert (Et := f_equal tt C). assert (En := f_equal tn C).
  revert Ex Et En. unfold y, e, b1, b2, b3. unfold combined, sum3, scaled. cbn [tx tt tn]. intros Ex Et En.
  apply triple_eq; cbn [tx tt tn].
  - replace (delta * det3 d1 d2 d3 * tx z) with (delta * (det3 d1 d2 d3 * tx z)) by ring. rewrite <- Ex. ring.
  - replace (delta * det3 d1 d2 d3 * tt z) with (delta * (det3 d1 d2 d3 * tt z)) by ring. rewrite <- Et. ring.
  - replace (delta * det3 d1 d2 d3 * tn z) with (delta * (det3 d1 d2 d3 * tn z)) by ring. rewrite <- En. ring.
Qed.

(* The value that lanes compute at a point: 0 on the parabola. *)
Definition value_at (y : triple) : R := tn y - 1 + 2 * (tt y * tt y).

(* Theorem S.20 (a case's value), the exact part of L.19, L.20 and L.23. Coordinates w_i that are
   off by e_i, vectors of the rows at hand, whose determinant is not quite delta's inverse: what
   that makes of a case's value. *)
Theorem point_value d1 d2 d3 z w1 w2 w3 delta rho e1 e2 e3 model ET EN :
  on_parabola model z -> delta * det3 d1 d2 d3 = 1 + rho ->
  Rabs (w1 - prod d1 z) <= e1 -> Rabs (w2 - prod d2 z) <= e2 -> Rabs (w3 - prod d3 z) <= e3 ->
  let b1 := scaled delta (cross d2 d3) in let b2 := scaled delta (cross d3 d1) in let b3 := scaled delta (cross d1 d2) in
  e1 * Rabs (tt b1) + e2 * Rabs (tt b2) + e3 * Rabs (tt b3) <= ET ->
  e1 * Rabs (tn b1) + e2 * Rabs (tn b2) + e3 * Rabs (tn b3) <= EN ->
  Rabs (value_at (combined w1 w2 w3 b1 b2 b3)) <=
  model + Rabs rho * (3 + model + 2 * Rabs rho) + EN + 4 * (1 + Rabs rho) * ET + 2 * (ET * ET).
Proof.
  intros (_ & Hy & Hv) Hd W1 W2 W3 b1 b2 b3 HT HN.
  pose proof (moved_point d1 d2 d3 z w1 w2 w3 delta rho Hd) as E. cbn zeta in E. fold b1 b2 b3 in E.
  set (e := combined (w1 - prod d1 z) (w2 - prod d2 z) (w3 - prod d3 z) b1 b2 b3) in *.
  assert (Ht : Rabs (tt e) <= ET).
  { eapply Rle_trans; [|exact HT]. unfold e, combined, sum3, scaled. cbn [tt].
    apply sum_bound; apply mult_bound; try assumption; apply Rle_refl. }
  assert (Hn : Rabs (tn e) <= EN).
  { eapply Rle_trans; [|exact HN]. unfold e, combined, sum3, scaled. cbn [tn].
    apply sum_bound; apply mult_bound; try assumption; apply Rle_refl. }
  rewrite E. unfold value_at. cbn [tt tn].
  set (t := tt z) in *. set (v := tn z) in *. set (a := tt e) in *. set (b := tn e) in *.
  assert (T2 : 0 <= t * t <= 1) by (apply Rabs_le_inv in Hy; nra).
  replace ((1 + rho) * v + b - 1 + 2 * (((1 + rho) * t + a) * ((1 + rho) * t + a)))
    with ((v - (1 - 2 * (t * t))) + (rho * ((v - (1 - 2 * (t * t))) + (1 + 2 * (t * t)) + rho * (2 * (t * t))) + b) + (4 * (1 + rho) * (t * a) + 2 * (a * a))) by ring.
  assert (M0 : 0 <= model) by (pose proof (Rabs_pos (v - (1 - 2 * (t * t)))); lra).
  assert (R0 : 0 <= Rabs rho) by apply Rabs_pos. assert (A0 : 0 <= Rabs a) by apply Rabs_pos.
  assert (K1 : Rabs (rho * ((v - (1 - 2 * (t * t))) + (1 + 2 * (t * t)) + rho * (2 * (t * t)))) <= Rabs rho * (3 + model + 2 * Rabs rho)).
  { apply mult_bound; [apply Rle_refl|]. replace (3 + model + 2 * Rabs rho) with (model + 3 + Rabs rho * 2) by ring.
    apply sum_bound; [exact Hv | rewrite Rabs_pos_eq; lra | apply mult_bound; [apply Rle_refl | rewrite Rabs_pos_eq; lra]]. }
  assert (K2 : Rabs (4 * (1 + rho) * (t * a)) <= 4 * (1 + Rabs rho) * ET).
  { apply mult_bound.
    - rewrite Rabs_mult, (Rabs_pos_eq 4) by lra. apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_R1. lra.
    - rewrite Rabs_mult. pose proof (Rmult_le_compat _ _ _ _ (Rabs_pos t) A0 Hy Ht). lra. }
  assert (K3 : Rabs (2 * (a * a)) <= 2 * (ET * ET)).
  { apply mult_bound; [rewrite Rabs_pos_eq; lra | apply mult_bound; assumption]. }
  eapply Rle_trans; [apply sum_bound; [exact Hv | apply Rabs_triang | apply Rabs_triang]|]. lra.
Qed.

(* What the determinant of the rows at hand is off. *)
Lemma cofactors d1 d2 d3 f1 f2 f3 :
  let D1 := less f1 d1 in let D2 := less f2 d2 in let D3 := less f3 d3 in
  det3 f1 f2 f3 - det3 d1 d2 d3 =
  (prod D1 (cross f2 f3) + prod D2 (cross f3 f1) + prod D3 (cross f1 f2)) +
  - (prod f1 (cross D2 D3) + prod f2 (cross D3 D1) + prod f3 (cross D1 D2)) + det3 D1 D2 D3.
Proof. crosses. ring. Qed.

Lemma cross_bound a b A B : within A A A a -> within B B B b -> within (2 * (A * B)) (2 * (A * B)) (2 * (A * B)) (cross a b).
Proof.
  intros (A1 & A2 & A3) (B1 & B2 & B3). unfold cross. repeat split; cbn [tx tt tn].
  - pose proof (mult_bound _ _ _ _ A2 B3). pose proof (mult_bound _ _ _ _ A3 B2). unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
  - pose proof (mult_bound _ _ _ _ A3 B1). pose proof (mult_bound _ _ _ _ A1 B3). unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
  - pose proof (mult_bound _ _ _ _ A1 B2). pose proof (mult_bound _ _ _ _ A2 B1). unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
Qed.

Lemma sum_of_sizes d z A : within A A A z -> Rabs (prod d z) <= size d * A.
Proof. intros H. eapply Rle_trans; [apply (prod_bound d z A A A H)|]. unfold size. lra. Qed.

(* A row's part: of the shares of its size, and of the relative errors. r bounds the size, Bx, Bt,
   Bn what r times the vector's coordinates are. *)
Lemma row_part f d b r flat off relative Bx Bt Bn volume :
  0 <= flat -> 0 <= off -> 0 <= relative ->
  Rabs (tx f - tx d) <= flat * r + relative * Rabs (tx f) -> Rabs (tt f - tt d) <= off * r + relative * Rabs (tt f) ->
  Rabs (tn f - tn d) <= flat * r + relative * Rabs (tn f) ->
  r * Rabs (tx b) <= Bx -> r * Rabs (tt b) <= Bt -> r * Rabs (tn b) <= Bn ->
  Rabs (tx f) * Rabs (tx b) + Rabs (tt f) * Rabs (tt b) + Rabs (tn f) * Rabs (tn b) <= volume ->
  Rabs (prod (less f d) b) <= flat * (Bx + Bn) + off * Bt + relative * volume.
Proof.
  intros Hf Ho Hr Dx Dt Dn HX HT HN HV. unfold prod, less. cbn [tx tt tn].
  eapply Rle_trans.
  { apply sum_bound; [apply (mult_bound _ _ _ _ Dx (Rle_refl (Rabs (tx b)))) | apply (mult_bound _ _ _ _ Dt (Rle_refl (Rabs (tt b)))) | apply (mult_bound _ _ _ _ Dn (Rle_refl (Rabs (tn b))))]. }
  pose proof (Rmult_le_compat_l flat _ _ Hf HX). pose proof (Rmult_le_compat_l flat _ _ Hf HN).
  pose proof (Rmult_le_compat_l off _ _ Ho HT). pose proof (Rmult_le_compat_l relative _ _ Hr HV).
  replace ((flat * r + relative * Rabs (tx f)) * Rabs (tx b) + (off * r + relative * Rabs (tt f)) * Rabs (tt b) + (flat * r + relative * Rabs (tn f)) * Rabs (tn b))
    with (flat * (r * Rabs (tx b)) + flat * (r * Rabs (tn b)) + off * (r * Rabs (tt b)) +
          relative * (Rabs (tx f) * Rabs (tx b) + Rabs (tt f) * Rabs (tt b) + Rabs (tn f) * Rabs (tn b))) by ring.
  lra.
Qed.

(* Theorem S.21 (scale), steps (e) of L.19 and (b) of L.23. The rows are off by a share of their
   sizes, a larger one in tau, and by a relative error. *)
Theorem scale_is_near d1 d2 d3 f1 f2 f3 delta r1 r2 r3 flat off relative worst wide1 wide2 wide3 tall1 tall2 tall3 loose :
  delta * det3 d1 d2 d3 = 1 -> 0 <= r1 -> 0 <= r2 -> 0 <= r3 ->
  0 <= flat -> 0 <= off -> 0 <= relative -> flat + relative <= worst -> off + relative <= worst -> worst <= 1 ->
  let near_row f d r := size f <= r /\ Rabs (tx f - tx d) <= flat * r + relative * Rabs (tx f) /\
    Rabs (tt f - tt d) <= off * r + relative * Rabs (tt f) /\ Rabs (tn f - tn d) <= flat * r + relative * Rabs (tn f) in
  near_row f1 d1 r1 -> near_row f2 d2 r2 -> near_row f3 d3 r3 ->
  let b1 := scaled delta (cross f2 f3) in let b2 := scaled delta (cross f3 f1) in let b3 := scaled delta (cross f1 f2) in
  r1 * Rabs (tt b1) <= wide1 -> r2 * Rabs (tt b2) <= wide2 -> r3 * Rabs (tt b3) <= wide3 ->
  r1 * Rabs (tn b1) <= tall1 -> r2 * Rabs (tn b2) <= tall2 -> r3 * Rabs (tn b3) <= tall3 ->
  Rabs delta * (r1 * r2 * r3) <= loose ->
  Rabs (delta * det3 f1 f2 f3 - 1) <= flat * (3 * loose + (tall1 + tall2 + tall3)) + off * (wide1 + wide2 + wide3) + 3 * (relative * loose) +
    12 * (worst * worst) * loose.
Proof.
  intros Hdet P1 P2 P3 Hf Ho Hr Hw1 Hw2 Hw near_row (S1 & X1 & Y1 & V1) (S2 & X2 & Y2 & V2) (S3 & X3 & Y3 & V3) b1 b2 b3
    T1 T2 T3 N1 N2 N3 HL.
  assert (W0 : 0 <= worst) by lra. assert (D0 : 0 <= Rabs delta) by apply Rabs_pos.
  assert (vol : forall f g h r s t, size f <= r -> size g <= s -> size h <= t -> 0 <= r -> 0 <= s -> 0 <= t ->
     Rabs delta * (r * s * t) <= loose ->
     r * Rabs (tx (scaled delta (cross g h))) <= loose /\
     Rabs (tx f) * Rabs (tx (scaled delta (cross g h))) + Rabs (tt f) * Rabs (tt (scaled delta (cross g h))) + Rabs (tn f) * Rabs (tn (scaled delta (cross g h))) <= loose).
  { intros f g h r s t Sf Sg Sh Pr Ps Pt HV.
    assert (C : forall c, (c = Rabs (tx (cross g h)) \/ c = Rabs (tt (cross g h)) \/ c = Rabs (tn (cross g h))) -> c <= s * t).
    { intros c Hc. apply Rle_trans with (size g * size h); [|apply Rmult_le_compat; try apply size_pos; assumption].
      unfold size. pose proof (Rabs_pos (tx g)). pose proof (Rabs_pos (tt g)). pose proof (Rabs_pos (tn g)).
      pose proof (Rabs_pos (tx h)). pose proof (Rabs_pos (tt h)). pose proof (Rabs_pos (tn h)).
      repeat match goal with
        | A : 0 <= ?a, B : 0 <= ?b |- _ =>
            lazymatch goal with
            | _ : 0 <= a * b |- _ => fail
            | _ => lazymatch a with Rabs (_ g) => lazymatch b with Rabs (_ h) => pose proof (Rmult_le_pos a b A B) end end
            end
        end.
      destruct Hc as [-> | [-> | ->]]; unfold cross; cbn [tx tt tn]; unfold Rminus; (eapply Rle_trans; [apply Rabs_triang|]); rewrite Rabs_Ropp, !Rabs_mult; lra. }
    assert (Cx := C _ (or_introl eq_refl)). assert (Ct := C _ (or_intror (or_introl eq_refl))). assert (Cn := C _ (or_intror (or_intror eq_refl))).
    unfold scaled. cbn [tx tt tn]. rewrite !Rabs_mult.
    assert (G : forall c, 0 <= c -> c <= s * t -> Rabs delta * c <= Rabs delta * (s * t)) by (intros; apply Rmult_le_compat_l; lra).
    pose proof (G _ (Rabs_pos _) Cx) as Gx. pose proof (G _ (Rabs_pos _) Ct) as Gt. pose proof (G _ (Rabs_pos _) Cn) as Gn.
    assert (Q0 : 0 <= Rabs delta * (s * t)) by (apply Rmult_le_pos; [exact D0 | apply Rmult_le_pos; assumption]).
    split.
    - apply Rle_trans with (r * (Rabs delta * (s * t))); [apply Rmult_le_compat_l; assumption|]. lra.
    - apply Rle_trans with (size f * (Rabs delta * (s * t))).
      + unfold size. pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos (tx f)) Gx). pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos (tt f)) Gt).
        pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos (tn f)) Gn). lra.
      + apply Rle_trans with (r * (Rabs delta * (s * t))); [apply Rmult_le_compat_r; assumption|]. lra. }
  destruct (vol f1 f2 f3 r1 r2 r3 S1 S2 S3 P1 P2 P3 HL) as (Lx1 & L1).
  destruct (vol f2 f3 f1 r2 r3 r1 S2 S3 S1 P2 P3 P1 ltac:(replace (r2 * r3 * r1) with (r1 * r2 * r3) by ring; exact HL)) as (Lx2 & L2).
  destruct (vol f3 f1 f2 r3 r1 r2 S3 S1 S2 P3 P1 P2 ltac:(replace (r3 * r1 * r2) with (r1 * r2 * r3) by ring; exact HL)) as (Lx3 & L3).
  fold b1 in Lx1, L1. fold b2 in Lx2, L2. fold b3 in Lx3, L3.
  pose proof (row_part f1 d1 b1 r1 flat off relative _ _ _ _ Hf Ho Hr X1 Y1 V1 Lx1 T1 N1 L1) as Q1.
  pose proof (row_part f2 d2 b2 r2 flat off relative _ _ _ _ Hf Ho Hr X2 Y2 V2 Lx2 T2 N2 L2) as Q2.
  pose proof (row_part f3 d3 b3 r3 flat off relative _ _ _ _ Hf Ho Hr X3 Y3 V3 Lx3 T3 N3 L3) as Q3.
  assert (W : forall f d r, size f <= r -> 0 <= r -> Rabs (tx f - tx d) <= flat * r + relative * Rabs (tx f) ->
     Rabs (tt f - tt d) <= off * r + relative * Rabs (tt f) -> Rabs (tn f - tn d) <= flat * r + relative * Rabs (tn f) ->
     within (worst * r) (worst * r) (worst * r) (less f d)).
  { intros f d r Sf Pr Hx Ht Hn. unfold size in Sf.
    pose proof (Rabs_pos (tx f)). pose proof (Rabs_pos (tt f)). pose proof (Rabs_pos (tn f)).
    assert (forall share c, share + relative <= worst -> 0 <= c -> c <= r -> share * r + relative * c <= worst * r).
    { intros share c Hs Hc Hcr. apply Rle_trans with ((share + relative) * r); [|apply Rmult_le_compat_r; assumption].
      pose proof (Rmult_le_compat_l _ _ _ Hr Hcr). lra. }
    unfold less. repeat split; cbn [tx tt tn]; (eapply Rle_trans; [eassumption|]); auto with real;
      match goal with H : forall share c, _ |- _ => apply H; lra end. }
  pose proof (W f1 d1 r1 S1 P1 X1 Y1 V1) as W1. pose proof (W f2 d2 r2 S2 P2 X2 Y2 V2) as W2. pose proof (W f3 d3 r3 S3 P3 X3 Y3 V3) as W3.
  pose proof (cofactors d1 d2 d3 f1 f2 f3) as C. cbn zeta in C.
  set (D1 := less f1 d1) in *. set (D2 := less f2 d2) in *. set (D3 := less f3 d3) in *.
  assert (second : forall f D E r s t, size f <= r -> 0 <= r -> 0 <= s -> 0 <= t -> within (worst * s) (worst * s) (worst * s) D -> within (worst * t) (worst * t) (worst * t) E ->
     Rabs (prod f (cross D E)) <= 2 * (worst * worst) * (r * s * t)).
  { intros f D E r s t Sf Pr Ps Pt HD HE. pose proof (cross_bound D E _ _ HD HE) as CB.
    eapply Rle_trans; [apply (sum_of_sizes f _ _ CB)|].
    apply Rle_trans with (r * (2 * (worst * s * (worst * t)))); [apply Rmult_le_compat_r; [|exact Sf]|right; ring].
    assert (0 <= worst * s) by (apply Rmult_le_pos; assumption). assert (0 <= worst * t) by (apply Rmult_le_pos; assumption).
    assert (0 <= worst * s * (worst * t)) by (apply Rmult_le_pos; assumption). lra. }
  pose proof (second f1 D2 D3 r1 r2 r3 S1 P1 P2 P3 W2 W3) as Z1.
  pose proof (second f2 D3 D1 r2 r3 r1 S2 P2 P3 P1 W3 W1) as Z2.
  pose proof (second f3 D1 D2 r3 r1 r2 S3 P3 P1 P2 W1 W2) as Z3.
  assert (Z4 : Rabs (det3 D1 D2 D3) <= 6 * (worst * worst) * (r1 * r2 * r3)).
  { unfold det3. pose proof (cross_bound D2 D3 _ _ W2 W3) as CB.
    eapply Rle_trans; [apply (sum_of_sizes D1 _ _ CB)|].
    assert (Sz : size D1 <= 3 * r1).
    { destruct W1 as (A & B & E). unfold size. pose proof (Rmult_le_compat_r r1 worst 1 P1 Hw). lra. }
    assert (0 <= worst * r2) by (apply Rmult_le_pos; assumption). assert (0 <= worst * r3) by (apply Rmult_le_pos; assumption).
    assert (0 <= worst * r2 * (worst * r3)) by (apply Rmult_le_pos; assumption).
    apply Rle_trans with (3 * r1 * (2 * (worst * r2 * (worst * r3)))); [apply Rmult_le_compat_r; lra|right; ring]. }
  replace (delta * det3 f1 f2 f3 - 1) with (delta * (det3 f1 f2 f3 - det3 d1 d2 d3)) by (rewrite <- Hdet; ring).
  rewrite C.
  replace (delta * (prod D1 (cross f2 f3) + prod D2 (cross f3 f1) + prod D3 (cross f1 f2) + - (prod f1 (cross D2 D3) + prod f2 (cross D3 D1) + prod f3 (cross D1 D2)) + det3 D1 D2 D3))
    with ((prod D1 b1 + prod D2 b2 + prod D3 b3) + delta * (- (prod f1 (cross D2 D3) + prod f2 (cross D3 D1) + prod f3 (cross D1 D2)) + det3 D1 D2 D3))
    by (unfold b1, b2, b3, prod, scaled; cbn [tx tt tn]; ring).
  eapply Rle_trans; [apply Rabs_triang|].
  pose proof (sum_bound _ _ _ _ _ _ Q1 Q2 Q3) as Q.
  assert (K : Rabs (- (prod f1 (cross D2 D3) + prod f2 (cross D3 D1) + prod f3 (cross D1 D2)) + det3 D1 D2 D3) <= 12 * (worst * worst) * (r1 * r2 * r3)).
  { eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. pose proof (sum_bound _ _ _ _ _ _ Z1 Z2 Z3). lra. }
  rewrite (Rabs_mult delta).
  assert (K2 : Rabs delta * Rabs (- (prod f1 (cross D2 D3) + prod f2 (cross D3 D1) + prod f3 (cross D1 D2)) + det3 D1 D2 D3) <= 12 * (worst * worst) * loose).
  { apply Rle_trans with (Rabs delta * (12 * (worst * worst) * (r1 * r2 * r3))); [apply Rmult_le_compat_l; assumption|].
    replace (Rabs delta * (12 * (worst * worst) * (r1 * r2 * r3))) with (12 * (worst * worst) * (Rabs delta * (r1 * r2 * r3))) by ring.
    apply Rmult_le_compat_l; [pose proof (Rle_0_sqr worst) as Sq; unfold Rsqr in Sq; lra | exact HL]. }
  lra.
Qed.

(* The determinant is that of window 0: T is a product of row operations. *)
Fixpoint rows_after (ops : list operation) (r : nat -> triple) : nat -> triple :=
  match ops with nil => r | (i, j, q) :: rest => rows_after rest (set i (less (r i) (scaled (IZR q) (r j))) r) end.

Definition of_two_rows (o : operation) : Prop := let '(i, j, _) := o in i <> j /\ (i < 3)%nat /\ (j < 3)%nat.

Lemma rows_are_of_T ops : forall t1 t2 t3 r e1 e2 e3,
  (forall n, r n = combined (IZR (t1 n)) (IZR (t2 n)) (IZR (t3 n)) e1 e2 e3) ->
  forall n, rows_after ops r n = combined (IZR (column ops t1 n)) (IZR (column ops t2 n)) (IZR (column ops t3 n)) e1 e2 e3.
Proof.
  induction ops as [|((i, j), q) rest IH]; intros t1 t2 t3 r e1 e2 e3 H n; cbn [rows_after column]; [apply H|].
  apply IH. intros k. unfold set. destruct (Nat.eqb k i); [|apply H].
  rewrite !H, !minus_IZR, !mult_IZR. triples. apply triple_eq; cbn [tx tt tn]; ring.
Qed.

Lemma determinant_of_rows ops : Forall of_two_rows ops -> forall r,
  det3 (rows_after ops r 0%nat) (rows_after ops r 1%nat) (rows_after ops r 2%nat) = det3 (r 0%nat) (r 1%nat) (r 2%nat).
Proof.
  induction 1 as [|((i, j), q) rest (Nij & Hi & Hj) _ IH]; intros r; cbn [rows_after]; [reflexivity|].
  rewrite IH. unfold set.
  destruct i as [|[|[|i]]]; destruct j as [|[|[|j]]]; try lia; cbn [Nat.eqb]; crosses; ring.
Qed.

(* Theorem S.22 (determinant). Rows of any window of a run have the determinant of the first one. *)
Theorem determinant_is_kept ops t1 t2 t3 e1 e2 e3 s :
  Forall of_two_rows ops ->
  (forall n, t1 n = if Nat.eqb n 0 then 1%Z else 0%Z) -> (forall n, t2 n = if Nat.eqb n 1 then 1%Z else 0%Z) -> (forall n, t3 n = if Nat.eqb n 2 then 1%Z else 0%Z) ->
  let row n := combined (IZR (column ops t1 n)) (IZR (column ops t2 n)) (IZR (column ops t3 n)) (sheared s e1) (sheared s e2) (sheared s e3) in
  det3 (row 0%nat) (row 1%nat) (row 2%nat) = det3 e1 e2 e3.
Proof.
  intros Hops H1 H2 H3 row.
  pose (r := fun n => combined (IZR (t1 n)) (IZR (t2 n)) (IZR (t3 n)) (sheared s e1) (sheared s e2) (sheared s e3)).
  assert (E : forall n, row n = rows_after ops r n) by (intros n; symmetry; apply rows_are_of_T; intros k; reflexivity).
  rewrite !E, determinant_of_rows by exact Hops. unfold r. rewrite !H1, !H2, !H3. cbn [Nat.eqb]. unfold sheared. crosses. ring.
Qed.

(* Budgets of points, in units of 2^-24; TOLERANCE has 8,192 of them, and the model a quarter. *)

Definition u : R := two (-24).
Definition tolerance : R := 8192 * u.
Lemma u_is : u = / 16777216. Proof. unfold u, two. cbn. lra. Qed.

(* Steps (a) and (e) of L.19, (a) and (b) of L.23: 1,092 units, and three times what the scale is
   off. *)
Lemma coordinates_and_scale d1 d2 d3 z w1 w2 w3 delta r1 r2 r3 scale :
  on_parabola (2048 * u) z -> Rabs (delta * det3 d1 d2 d3 - 1) <= scale * u -> 0 <= scale <= 512 ->
  Rabs (w1 - prod d1 z) <= 13 * (r1 + / 16) * u -> Rabs (w2 - prod d2 z) <= 13 * (r2 + / 16) * u ->
  Rabs (w3 - prod d3 z) <= 13 * (r3 + / 16) * u ->
  let b1 := scaled delta (cross d2 d3) in let b2 := scaled delta (cross d3 d1) in let b3 := scaled delta (cross d1 d2) in
  (r1 + / 16) * Rabs (tt b1) <= 3 -> (r2 + / 16) * Rabs (tt b2) <= 3 -> (r3 + / 16) * Rabs (tt b3) <= 3 ->
  (r1 + / 16) * Rabs (tn b1) <= 16 -> (r2 + / 16) * Rabs (tn b2) <= 16 -> (r3 + / 16) * Rabs (tn b3) <= 16 ->
  let y := combined w1 w2 w3 b1 b2 b3 in
  Rabs (value_at y) <= (2048 + 1092 + 3 * scale + / 4) * u /\ Rabs (tt y) <= 1 + 1024 * u.
Proof.
  intros Hz Hd Hs W1 W2 W3 b1 b2 b3 T1 T2 T3 N1 N2 N3 y.
  assert (U : u = / 16777216) by apply u_is.
  set (rho := delta * det3 d1 d2 d3 - 1) in *.
  assert (Hrho : delta * det3 d1 d2 d3 = 1 + rho) by (unfold rho; ring).
  assert (ET : 13 * (r1 + / 16) * u * Rabs (tt b1) + 13 * (r2 + / 16) * u * Rabs (tt b2) + 13 * (r3 + / 16) * u * Rabs (tt b3) <= 117 * u).
  { rewrite U. lra. }
  assert (EN : 13 * (r1 + / 16) * u * Rabs (tn b1) + 13 * (r2 + / 16) * u * Rabs (tn b2) + 13 * (r3 + / 16) * u * Rabs (tn b3) <= 624 * u).
  { rewrite U. lra. }
  pose proof (point_value d1 d2 d3 z w1 w2 w3 delta rho _ _ _ (2048 * u) (117 * u) (624 * u) Hz Hrho W1 W2 W3 ET EN) as P.
  fold b1 b2 b3 in P. fold y in P.
  assert (R0 : 0 <= Rabs rho) by apply Rabs_pos. set (R := Rabs rho) in *. rewrite U in *.
  assert (R1 : R <= 512 / 16777216) by lra.
  split.
  - eapply Rle_trans; [exact P|].
    assert (R * (3 + 2048 * / 16777216 + 2 * R) <= 3 * R + (2048 + 1024) / 16777216 * R) by nra.
    assert ((2048 + 1024) / 16777216 * R <= / 8 * / 16777216) by lra.
    assert (4 * (1 + R) * (117 * / 16777216) <= 468 * / 16777216 + / 16 * / 16777216) by lra.
    lra.
  - pose proof (moved_point d1 d2 d3 z w1 w2 w3 delta rho Hrho) as E. cbn zeta in E. fold b1 b2 b3 in E. fold y in E. rewrite E. cbn [tt].
    destruct Hz as (_ & Hy & _).
    assert (H : Rabs (tt (combined (w1 - prod d1 z) (w2 - prod d2 z) (w3 - prod d3 z) b1 b2 b3)) <= 117 * / 16777216).
    { eapply Rle_trans; [|exact ET]. unfold combined, sum3, scaled. cbn [tt]. apply sum_bound; apply mult_bound; try assumption; apply Rle_refl. }
    eapply Rle_trans; [apply Rabs_triang|].
    assert (Rabs ((1 + rho) * tt z) <= (1 + R) * 1).
    { apply mult_bound; [|exact Hy]. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_R1. fold R. lra. }
    lra.
Qed.

(* Points whose vectors are off. *)
Lemma other_vectors w1 w2 w3 b1 b2 b3 c1 c2 c3 A B h1 h2 h3 k1 k2 k3 :
  Rabs (tt (combined w1 w2 w3 b1 b2 b3)) <= 1 + 1024 * u ->
  Rabs (tt c1 - tt b1) <= h1 -> Rabs (tt c2 - tt b2) <= h2 -> Rabs (tt c3 - tt b3) <= h3 ->
  Rabs (tn c1 - tn b1) <= k1 -> Rabs (tn c2 - tn b2) <= k2 -> Rabs (tn c3 - tn b3) <= k3 ->
  Rabs w1 * h1 + Rabs w2 * h2 + Rabs w3 * h3 <= A -> Rabs w1 * k1 + Rabs w2 * k2 + Rabs w3 * k3 <= B -> A <= 512 * u ->
  Rabs (value_at (combined w1 w2 w3 c1 c2 c3) - value_at (combined w1 w2 w3 b1 b2 b3)) <= B + 4 * A + / 2 * u.
Proof.
  intros Hy H1 H2 H3 K1 K2 K3 HA HB Hmost. rewrite u_is in *.
  set (y := combined w1 w2 w3 b1 b2 b3) in *. set (x := combined w1 w2 w3 c1 c2 c3).
  assert (Dt : Rabs (tt x - tt y) <= A).
  { eapply Rle_trans; [|exact HA]. unfold x, y, combined, sum3, scaled. cbn [tt].
    replace (w1 * tt c1 + w2 * tt c2 + w3 * tt c3 - (w1 * tt b1 + w2 * tt b2 + w3 * tt b3))
      with (w1 * (tt c1 - tt b1) + w2 * (tt c2 - tt b2) + w3 * (tt c3 - tt b3)) by ring.
    apply sum_bound; apply mult_bound; try assumption; apply Rle_refl. }
  assert (Dn : Rabs (tn x - tn y) <= B).
  { eapply Rle_trans; [|exact HB]. unfold x, y, combined, sum3, scaled. cbn [tn].
    replace (w1 * tn c1 + w2 * tn c2 + w3 * tn c3 - (w1 * tn b1 + w2 * tn b2 + w3 * tn b3))
      with (w1 * (tn c1 - tn b1) + w2 * (tn c2 - tn b2) + w3 * (tn c3 - tn b3)) by ring.
    apply sum_bound; apply mult_bound; try assumption; apply Rle_refl. }
  unfold value_at.
  replace (tn x - 1 + 2 * (tt x * tt x) - (tn y - 1 + 2 * (tt y * tt y)))
    with ((tn x - tn y) + 4 * (tt y * (tt x - tt y)) + 2 * ((tt x - tt y) * (tt x - tt y))) by ring.
  set (a := tt x - tt y) in *. assert (A0 : 0 <= Rabs a) by apply Rabs_pos.
  assert (F : Rabs (4 * (tt y * a)) <= 4 * ((1 + 1024 * / 16777216) * A)).
  { rewrite Rabs_mult, (Rabs_pos_eq 4) by lra. apply Rmult_le_compat_l; [lra|]. apply mult_bound; assumption. }
  assert (G : Rabs (2 * (a * a)) <= 2 * (A * A)).
  { rewrite Rabs_mult, (Rabs_pos_eq 2) by lra. apply Rmult_le_compat_l; [lra|]. apply mult_bound; assumption. }
  eapply Rle_trans; [apply sum_bound; [exact Dn | exact F | exact G]|].
  assert (A * A <= 512 / 16777216 * A) by nra. lra.
Qed.

(* Step (b): a vector's component in singles, p - m times the determinant, each operation
   rounded. *)
Lemma vector_rounding per p m delta m' x' t' volume :
  0 <= per <= / 65536 -> Rabs (m' - m) <= per * Rabs m -> Rabs (x' - (p - m')) <= per * Rabs (p - m') -> Rabs (t' - x' * delta) <= per * Rabs (x' * delta) ->
  Rabs delta * Rabs m <= volume ->
  Rabs (t' - delta * (p - m)) <= 3 * per * Rabs (delta * (p - m)) + (1 + / 16384) * per * volume.
Proof.
  intros Hu Hm Hx Ht HV.
  set (D := Rabs delta) in *. set (M := Rabs m) in *. set (B := Rabs (p - m)).
  assert (D0 : 0 <= D) by apply Rabs_pos. assert (M0 : 0 <= M) by apply Rabs_pos. assert (B0 : 0 <= B) by apply Rabs_pos.
  assert (X1 : Rabs (p - m') <= B + per * M).
  { replace (p - m') with ((p - m) + - (m' - m)) by ring. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. fold B. lra. }
  assert (X2 : Rabs (x' - (p - m)) <= per * (B + per * M) + per * M).
  { replace (x' - (p - m)) with ((x' - (p - m')) + - (m' - m)) by ring. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp.
    pose proof (Rmult_le_compat_l per _ _ (proj1 Hu) X1). lra. }
  assert (X3 : Rabs x' <= B + (per * (B + per * M) + per * M)).
  { replace x' with ((p - m) + (x' - (p - m))) at 1 by ring. eapply Rle_trans; [apply Rabs_triang|]. fold B. lra. }
  replace (t' - delta * (p - m)) with ((t' - x' * delta) + delta * (x' - (p - m))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_mult x') in Ht. rewrite !Rabs_mult. fold D in Ht. fold D. fold B.
  assert (T1 : per * (Rabs x' * D) <= per * ((B + (per * (B + per * M) + per * M)) * D)).
  { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; assumption. }
  assert (T2 : D * Rabs (x' - (p - m)) <= D * (per * (B + per * M) + per * M)) by (apply Rmult_le_compat_l; assumption).
  assert (P2 : 0 <= per * per <= per * / 65536) by nra.
  assert (DB : 0 <= D * B) by (apply Rmult_le_pos; assumption). assert (DM : 0 <= D * M) by (apply Rmult_le_pos; assumption).
  assert (Q1 : per * per * (D * B) <= per * / 65536 * (D * B)) by (apply Rmult_le_compat_r; lra).
  assert (Q2 : per * per * (D * M) <= per * / 65536 * (D * M)) by (apply Rmult_le_compat_r; lra).
  assert (Q3 : per * per * per * (D * M) <= per * / 65536 * (D * M)).
  { apply Rle_trans with (per * per * (D * M)); [|exact Q2]. apply Rmult_le_compat_r; [exact DM|]. nra. }
  assert (Q4 : per * (D * M) <= per * volume) by (apply Rmult_le_compat_l; lra).
  assert (0 <= per * (D * B)) by (apply Rmult_le_pos; lra). assert (0 <= per * (D * M)) by (apply Rmult_le_pos; lra).
  lra.
Qed.

(* Steps (c) and (d) of L.19: how lanes come to a point's value. An operation is off by a relative
   2^-24. *)
Definition single (x exact : R) : Prop := Rabs (x - exact) <= u * Rabs exact.

Lemma single_step x p q E M :
  single x p -> Rabs (p - q) <= E * u -> Rabs q <= M -> 0 <= E <= 1024 -> M <= 256 -> Rabs (x - q) <= (E + M + / 64) * u.
Proof.
  intros Hx Hp Hq HE HM. unfold single in Hx.
  assert (P : Rabs p <= M + E * u). { replace p with (q + (p - q)) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
  replace (x - q) with ((x - p) + (p - q)) by ring. eapply Rle_trans; [apply Rabs_triang|].
  rewrite u_is in *. assert (/ 16777216 * Rabs p <= / 16777216 * (M + E * / 16777216)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* Step (c): the point of the first integers, and at most three steps from there: a and b to other
   integers of two rows, c to a line of the third. k is 0 for tau, 1 for nu. *)
Lemma sum_in_singles z0 z1 z2 t0 t1 t2 k a b c T y1 y2 y3 y4 y5 y6 :
  0 <= k <= 1 -> 0 <= T <= 32 ->
  Rabs (z0 * t0) <= T -> Rabs (z1 * t1) <= T -> Rabs (z2 * t2) <= T ->
  Rabs ((z0 - a) * t0) <= T -> Rabs ((z1 - b) * t1) <= T -> Rabs ((z2 - c) * t2) <= T ->
  single y1 (z0 * t0 - k) -> single y2 (z1 * t1 + y1) -> single y3 (z2 * t2 + y2) ->
  single y4 (y3 - a * t0) -> single y5 (y4 - b * t1) -> single y6 (y5 - c * t2) ->
  Rabs (y6 - ((z0 - a) * t0 + (z1 - b) * t1 + (z2 - c) * t2 - k)) <= (15 * T + 6 * k + / 8) * u.
Proof.
  intros Hk HT Z0 Z1 Z2 A B C S1 S2 S3 S4 S5 S6.
  assert (U : u = / 16777216) by apply u_is.
  pose proof single_step as Step.
  assert (M1 : Rabs (z0 * t0 - k) <= T + k).
  { unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, (Rabs_pos_eq k) by lra. lra. }
  assert (M2 : Rabs (z1 * t1 + (z0 * t0 - k)) <= 2 * T + k) by (eapply Rle_trans; [apply Rabs_triang|]; lra).
  assert (M3 : Rabs (z2 * t2 + (z1 * t1 + (z0 * t0 - k))) <= 3 * T + k) by (eapply Rle_trans; [apply Rabs_triang|]; lra).
  assert (Mk : forall p q r, Rabs p <= T -> Rabs q <= T -> Rabs r <= T -> Rabs (p + q + r - k) <= 3 * T + k).
  { intros p q r Hp Hq Hr. unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, (Rabs_pos_eq k) by lra.
    pose proof (sum_bound p q r T T T Hp Hq Hr). lra. }
  pose proof (Step _ _ (z0 * t0 - k) 0 (T + k) S1 ltac:(rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; lra) M1 ltac:(lra) ltac:(lra)) as E1.
  pose proof (Step _ _ (z1 * t1 + (z0 * t0 - k)) (0 + (T + k) + / 64) (2 * T + k) S2
    ltac:(replace (z1 * t1 + y1 - (z1 * t1 + (z0 * t0 - k))) with (y1 - (z0 * t0 - k)) by ring; exact E1) M2 ltac:(lra) ltac:(lra)) as E2.
  pose proof (Step _ _ (z2 * t2 + (z1 * t1 + (z0 * t0 - k))) _ (3 * T + k) S3
    ltac:(replace (z2 * t2 + y2 - (z2 * t2 + (z1 * t1 + (z0 * t0 - k)))) with (y2 - (z1 * t1 + (z0 * t0 - k))) by ring; exact E2) M3 ltac:(lra) ltac:(lra)) as E3.
  pose proof (Step _ _ ((z0 - a) * t0 + z1 * t1 + z2 * t2 - k) _ (3 * T + k) S4
    ltac:(replace (y3 - a * t0 - ((z0 - a) * t0 + z1 * t1 + z2 * t2 - k)) with (y3 - (z2 * t2 + (z1 * t1 + (z0 * t0 - k)))) by ring; exact E3) (Mk _ _ _ A Z1 Z2) ltac:(lra) ltac:(lra)) as E4.
  pose proof (Step _ _ ((z0 - a) * t0 + (z1 - b) * t1 + z2 * t2 - k) _ (3 * T + k) S5
    ltac:(replace (y4 - b * t1 - ((z0 - a) * t0 + (z1 - b) * t1 + z2 * t2 - k)) with (y4 - ((z0 - a) * t0 + z1 * t1 + z2 * t2 - k)) by ring; exact E4) (Mk _ _ _ A B Z2) ltac:(lra) ltac:(lra)) as E5.
  pose proof (Step _ _ ((z0 - a) * t0 + (z1 - b) * t1 + (z2 - c) * t2 - k) _ (3 * T + k) S6
    ltac:(replace (y5 - c * t2 - ((z0 - a) * t0 + (z1 - b) * t1 + (z2 - c) * t2 - k)) with (y5 - ((z0 - a) * t0 + (z1 - b) * t1 + z2 * t2 - k)) by ring; exact E5) (Mk _ _ _ A B C) ltac:(lra) ltac:(lra)) as E6.
  eapply Rle_trans; [exact E6|]. apply Rmult_le_compat_r; [rewrite U|]; lra.
Qed.

(* Step (d): four points of a line, (t, n) apart, by differences; v is nu - 1. *)
Definition on_line (y v t n j : R) : R := 2 * ((y - j * t) * (y - j * t)) + (v - j * n).

Lemma line_of_four y v t n q0 curvature first by1 q1 by2 q2 by3 q3 (m : nat) :
  single q0 (2 * y * y + v) -> single curvature (2 * t * (2 * t)) -> single first (/ 2 * curvature - n) ->
  single by1 (first - 4 * t * y) -> single q1 (q0 + by1) -> single by2 (by1 + curvature) -> single q2 (q1 + by2) ->
  single by3 (by2 + curvature) -> single q3 (q2 + by3) ->
  (m <= 3)%nat -> Rabs (INR m * t) <= 61 / 10 -> Rabs (INR m * n) <= 161 / 5 -> Rabs (y - INR m * t) <= 1 + / 1024 ->
  Rabs (on_line y v t n (INR m)) <= / 4 ->
  Rabs (nth m (q0 :: q1 :: q2 :: q3 :: nil) 0 - on_line y v t n (INR m)) <= 902 * u.
Proof.
  intros S0 SC SF S1 T1 S2 T2 S3 T3 Hm Ht Hn Ha Hq.
  pose proof u_is as U.
  set (a := y - INR m * t) in *. set (w := on_line y v t n (INR m)) in *.
  destruct m as [|[|[|[|m]]]]; [ | | | | lia].
  - cbn [nth]. eapply Rle_trans; [apply (single_step _ _ w 0 1 S0)|].
    + replace (2 * y * y + v - w) with 0 by (unfold w, on_line; cbn [INR]; ring). rewrite Rabs_R0. lra.
    + lra.
    + lra.
    + lra.
    + rewrite U. lra.
  - assert (Ey : y = a + 1 * t) by (unfold a; cbn [INR]; ring).
    assert (Rt : Rabs t <= 61 / 10) by (replace t with ((INR 1 * t) / 1) by (cbn [INR]; field); unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ 1)) by lra; lra).
    assert (Rn : Rabs n <= 161 / 5) by (replace n with ((INR 1 * n) / 1) by (cbn [INR]; field); unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ 1)) by lra; lra).
    assert (Rat : Rabs (a * t) <= 611 / 100) by (pose proof (mult_bound a t _ _ Ha Rt); lra).
    assert (Rtt : 0 <= t * t <= 3721 / 100) by (split; [exact (Rle_0_sqr t) | apply Rabs_le_inv in Rt; nra]).
    apply Rabs_le_inv in Rat, Rn, Hq.
    assert (Hq0 : Rabs (q0 - (w + (4 * (a * t) + 2 * (t * t) + 1 * n))) <= 133 * u).
    { eapply Rle_trans; [apply (single_step _ _ (w + (4 * (a * t) + 2 * (t * t) + 1 * n)) 0 132 S0)|].
      - replace (2 * y * y + v - (w + (4 * (a * t) + 2 * (t * t) + 1 * n))) with 0 by (unfold w, on_line; cbn [INR]; rewrite Ey; ring). rewrite Rabs_R0. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hcurvature : Rabs (curvature - (4 * (t * t))) <= 150 * u).
    { eapply Rle_trans; [apply (single_step _ _ (4 * (t * t)) 0 149 SC)|].
      - replace (2 * t * (2 * t) - 4 * (t * t)) with 0 by ring. rewrite Rabs_R0. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hfirst : Rabs (first - (2 * (t * t) - n)) <= 183 * u).
    { eapply Rle_trans; [apply (single_step _ _ (2 * (t * t) - n) 75 107 SF)|].
      - replace (/ 2 * curvature - n - (2 * (t * t) - n)) with (/ 2 * (curvature - 4 * (t * t))) by field. rewrite Rabs_mult, (Rabs_pos_eq (/ 2)) by lra. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hby1 : Rabs (by1 - (- (4 * (a * t) + 2 * (t * t) + n))) <= 316 * u).
    { eapply Rle_trans; [apply (single_step _ _ (- (4 * (a * t) + 2 * (t * t) + n)) 183 132 S1)|].
      - replace (first - 4 * t * y - (- (4 * (a * t) + 2 * (t * t) + n))) with (first - (2 * (t * t) - n)) by (rewrite Ey; ring). lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hq1 : Rabs (q1 - (w + (0 * (a * t) + 0 * (t * t) + 0 * n))) <= 451 * u).
    { eapply Rle_trans; [apply (single_step _ _ (w + (0 * (a * t) + 0 * (t * t) + 0 * n)) 449 1 T1)|].
      - replace (q0 + by1 - (w + (0 * (a * t) + 0 * (t * t) + 0 * n))) with ((q0 - (w + (4 * (a * t) + 2 * (t * t) + 1 * n))) + (by1 - (- (4 * (a * t) + 2 * (t * t) + n)))) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    cbn [nth]. replace (q1 - w) with (q1 - (w + (0 * (a * t) + 0 * (t * t) + 0 * n))) by ring. eapply Rle_trans; [exact Hq1|]. rewrite U. lra.
  - assert (Ey : y = a + 2 * t) by (unfold a; cbn [INR]; ring).
    assert (Rt : Rabs t <= 61 / 20) by (replace t with ((INR 2 * t) / 2) by (cbn [INR]; field); unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ 2)) by lra; lra).
    assert (Rn : Rabs n <= 161 / 10) by (replace n with ((INR 2 * n) / 2) by (cbn [INR]; field); unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ 2)) by lra; lra).
    assert (Rat : Rabs (a * t) <= 153 / 50) by (pose proof (mult_bound a t _ _ Ha Rt); lra).
    assert (Rtt : 0 <= t * t <= 931 / 100) by (split; [exact (Rle_0_sqr t) | apply Rabs_le_inv in Rt; nra]).
    apply Rabs_le_inv in Rat, Rn, Hq.
    assert (Hq0 : Rabs (q0 - (w + (8 * (a * t) + 8 * (t * t) + 2 * n))) <= 133 * u).
    { eapply Rle_trans; [apply (single_step _ _ (w + (8 * (a * t) + 8 * (t * t) + 2 * n)) 0 132 S0)|].
      - replace (2 * y * y + v - (w + (8 * (a * t) + 8 * (t * t) + 2 * n))) with 0 by (unfold w, on_line; cbn [INR]; rewrite Ey; ring). rewrite Rabs_R0. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hcurvature : Rabs (curvature - (4 * (t * t))) <= 39 * u).
    { eapply Rle_trans; [apply (single_step _ _ (4 * (t * t)) 0 38 SC)|].
      - replace (2 * t * (2 * t) - 4 * (t * t)) with 0 by ring. rewrite Rabs_R0. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hfirst : Rabs (first - (2 * (t * t) - n)) <= 56 * u).
    { eapply Rle_trans; [apply (single_step _ _ (2 * (t * t) - n) 20 35 SF)|].
      - replace (/ 2 * curvature - n - (2 * (t * t) - n)) with (/ 2 * (curvature - 4 * (t * t))) by field. rewrite Rabs_mult, (Rabs_pos_eq (/ 2)) by lra. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hby1 : Rabs (by1 - (- (4 * (a * t) + 6 * (t * t) + n))) <= 142 * u).
    { eapply Rle_trans; [apply (single_step _ _ (- (4 * (a * t) + 6 * (t * t) + n)) 56 85 S1)|].
      - replace (first - 4 * t * y - (- (4 * (a * t) + 6 * (t * t) + n))) with (first - (2 * (t * t) - n)) by (rewrite Ey; ring). lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hq1 : Rabs (q1 - (w + (4 * (a * t) + 2 * (t * t) + 1 * n))) <= 324 * u).
    { eapply Rle_trans; [apply (single_step _ _ (w + (4 * (a * t) + 2 * (t * t) + 1 * n)) 275 48 T1)|].
      - replace (q0 + by1 - (w + (4 * (a * t) + 2 * (t * t) + 1 * n))) with ((q0 - (w + (8 * (a * t) + 8 * (t * t) + 2 * n))) + (by1 - (- (4 * (a * t) + 6 * (t * t) + n)))) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hby2 : Rabs (by2 - (- (4 * (a * t) + 2 * (t * t) + n))) <= 229 * u).
    { eapply Rle_trans; [apply (single_step _ _ (- (4 * (a * t) + 2 * (t * t) + n)) 181 47 S2)|].
      - replace (by1 + curvature - (- (4 * (a * t) + 2 * (t * t) + n))) with ((by1 - (- (4 * (a * t) + 6 * (t * t) + n))) + (curvature - 4 * (t * t))) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hq2 : Rabs (q2 - (w + (0 * (a * t) + 0 * (t * t) + 0 * n))) <= 555 * u).
    { eapply Rle_trans; [apply (single_step _ _ (w + (0 * (a * t) + 0 * (t * t) + 0 * n)) 553 1 T2)|].
      - replace (q1 + by2 - (w + (0 * (a * t) + 0 * (t * t) + 0 * n))) with ((q1 - (w + (4 * (a * t) + 2 * (t * t) + 1 * n))) + (by2 - (- (4 * (a * t) + 2 * (t * t) + n)))) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    cbn [nth]. replace (q2 - w) with (q2 - (w + (0 * (a * t) + 0 * (t * t) + 0 * n))) by ring. eapply Rle_trans; [exact Hq2|]. rewrite U. lra.
  - assert (Ey : y = a + 3 * t) by (unfold a; cbn [INR]; ring).
    assert (Rt : Rabs t <= 61 / 30) by (replace t with ((INR 3 * t) / 3) by (cbn [INR]; field); unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ 3)) by lra; lra).
    assert (Rn : Rabs n <= 537 / 50) by (replace n with ((INR 3 * n) / 3) by (cbn [INR]; field); unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ 3)) by lra; lra).
    assert (Rat : Rabs (a * t) <= 51 / 25) by (pose proof (mult_bound a t _ _ Ha Rt); lra).
    assert (Rtt : 0 <= t * t <= 207 / 50) by (split; [exact (Rle_0_sqr t) | apply Rabs_le_inv in Rt; nra]).
    apply Rabs_le_inv in Rat, Rn, Hq.
    assert (Hq0 : Rabs (q0 - (w + (12 * (a * t) + 18 * (t * t) + 3 * n))) <= 133 * u).
    { eapply Rle_trans; [apply (single_step _ _ (w + (12 * (a * t) + 18 * (t * t) + 3 * n)) 0 132 S0)|].
      - replace (2 * y * y + v - (w + (12 * (a * t) + 18 * (t * t) + 3 * n))) with 0 by (unfold w, on_line; cbn [INR]; rewrite Ey; ring). rewrite Rabs_R0. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hcurvature : Rabs (curvature - (4 * (t * t))) <= 18 * u).
    { eapply Rle_trans; [apply (single_step _ _ (4 * (t * t)) 0 17 SC)|].
      - replace (2 * t * (2 * t) - 4 * (t * t)) with 0 by ring. rewrite Rabs_R0. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hfirst : Rabs (first - (2 * (t * t) - n)) <= 30 * u).
    { eapply Rle_trans; [apply (single_step _ _ (2 * (t * t) - n) 9 20 SF)|].
      - replace (/ 2 * curvature - n - (2 * (t * t) - n)) with (/ 2 * (curvature - 4 * (t * t))) by field. rewrite Rabs_mult, (Rabs_pos_eq (/ 2)) by lra. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hby1 : Rabs (by1 - (- (4 * (a * t) + 10 * (t * t) + n))) <= 92 * u).
    { eapply Rle_trans; [apply (single_step _ _ (- (4 * (a * t) + 10 * (t * t) + n)) 30 61 S1)|].
      - replace (first - 4 * t * y - (- (4 * (a * t) + 10 * (t * t) + n))) with (first - (2 * (t * t) - n)) by (rewrite Ey; ring). lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hq1 : Rabs (q1 - (w + (8 * (a * t) + 8 * (t * t) + 2 * n))) <= 298 * u).
    { eapply Rle_trans; [apply (single_step _ _ (w + (8 * (a * t) + 8 * (t * t) + 2 * n)) 225 72 T1)|].
      - replace (q0 + by1 - (w + (8 * (a * t) + 8 * (t * t) + 2 * n))) with ((q0 - (w + (12 * (a * t) + 18 * (t * t) + 3 * n))) + (by1 - (- (4 * (a * t) + 10 * (t * t) + n)))) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hby2 : Rabs (by2 - (- (4 * (a * t) + 6 * (t * t) + n))) <= 155 * u).
    { eapply Rle_trans; [apply (single_step _ _ (- (4 * (a * t) + 6 * (t * t) + n)) 110 44 S2)|].
      - replace (by1 + curvature - (- (4 * (a * t) + 6 * (t * t) + n))) with ((by1 - (- (4 * (a * t) + 10 * (t * t) + n))) + (curvature - 4 * (t * t))) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hq2 : Rabs (q2 - (w + (4 * (a * t) + 2 * (t * t) + 1 * n))) <= 482 * u).
    { eapply Rle_trans; [apply (single_step _ _ (w + (4 * (a * t) + 2 * (t * t) + 1 * n)) 453 28 T2)|].
      - replace (q1 + by2 - (w + (4 * (a * t) + 2 * (t * t) + 1 * n))) with ((q1 - (w + (8 * (a * t) + 8 * (t * t) + 2 * n))) + (by2 - (- (4 * (a * t) + 6 * (t * t) + n)))) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hby3 : Rabs (by3 - (- (4 * (a * t) + 2 * (t * t) + n))) <= 202 * u).
    { eapply Rle_trans; [apply (single_step _ _ (- (4 * (a * t) + 2 * (t * t) + n)) 173 28 S3)|].
      - replace (by2 + curvature - (- (4 * (a * t) + 2 * (t * t) + n))) with ((by2 - (- (4 * (a * t) + 6 * (t * t) + n))) + (curvature - 4 * (t * t))) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    assert (Hq3 : Rabs (q3 - (w + (0 * (a * t) + 0 * (t * t) + 0 * n))) <= 686 * u).
    { eapply Rle_trans; [apply (single_step _ _ (w + (0 * (a * t) + 0 * (t * t) + 0 * n)) 684 1 T3)|].
      - replace (q2 + by3 - (w + (0 * (a * t) + 0 * (t * t) + 0 * n))) with ((q2 - (w + (4 * (a * t) + 2 * (t * t) + 1 * n))) + (by3 - (- (4 * (a * t) + 2 * (t * t) + n)))) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra.
      - apply Rabs_le. lra.
      - lra.
      - lra.
      - rewrite U. lra. }
    cbn [nth]. replace (q3 - w) with (q3 - (w + (0 * (a * t) + 0 * (t * t) + 0 * n))) by ring. eapply Rle_trans; [exact Hq3|]. rewrite U. lra.
Qed.

(* Steps (a), (b) and (e) together. r_i bounds the size of row i, V_i the product of the determinant
   and the sizes of the other two. The vectors are c_i in place of b_i. *)
Lemma but_for_sums d1 d2 d3 z w1 w2 w3 delta r1 r2 r3 V1 V2 V3 c1 c2 c3 computed :
  on_parabola (2048 * u) z -> Rabs (delta * det3 d1 d2 d3 - 1) <= 326 * u ->
  Rabs (w1 - prod d1 z) <= 13 * (r1 + / 16) * u -> Rabs (w2 - prod d2 z) <= 13 * (r2 + / 16) * u ->
  Rabs (w3 - prod d3 z) <= 13 * (r3 + / 16) * u ->
  let b1 := scaled delta (cross d2 d3) in let b2 := scaled delta (cross d3 d1) in let b3 := scaled delta (cross d1 d2) in
  (r1 + / 16) * Rabs (tt b1) <= 3 -> (r2 + / 16) * Rabs (tt b2) <= 3 -> (r3 + / 16) * Rabs (tt b3) <= 3 ->
  (r1 + / 16) * Rabs (tn b1) <= 16 -> (r2 + / 16) * Rabs (tn b2) <= 16 -> (r3 + / 16) * Rabs (tn b3) <= 16 ->
  Rabs w1 <= r1 + / 16 -> Rabs w2 <= r2 + / 16 -> Rabs w3 <= r3 + / 16 ->
  Rabs w1 * V1 <= 64 + / 8 -> Rabs w2 * V2 <= 64 + / 8 -> Rabs w3 * V3 <= 64 + / 8 ->
  let rounded_vector c b V :=
    Rabs (tt c - tt b) <= 3 * u * Rabs (tt b) + (1 + / 16384) * u * V /\ Rabs (tn c - tn b) <= 3 * u * Rabs (tn b) + (1 + / 16384) * u * V in
  rounded_vector c1 b1 V1 -> rounded_vector c2 b2 V2 -> rounded_vector c3 b3 V3 ->
  Rabs (computed - value_at (combined w1 w2 w3 c1 c2 c3)) <= (433 + 902) * u ->
  Rabs computed < tolerance * (1 - / 16).
Proof.
  intros Hz Hd W1 W2 W3 b1 b2 b3 T1 T2 T3 N1 N2 N3 A1 A2 A3 L1 L2 L3 rv (C1 & D1) (C2 & D2) (C3 & D3) Hc.
  destruct (coordinates_and_scale d1 d2 d3 z w1 w2 w3 delta r1 r2 r3 326 Hz Hd ltac:(lra) W1 W2 W3 T1 T2 T3 N1 N2 N3) as (HV & Hy).
  fold b1 b2 b3 in HV, Hy.
  assert (S : forall w r x most V, Rabs w <= r + / 16 -> (r + / 16) * Rabs x <= most -> Rabs w * V <= 64 + / 8 ->
     Rabs w * (3 * u * Rabs x + (1 + / 16384) * u * V) <= (3 * most + 64 + / 4) * u).
  { intros w r x most V Hw Hx HVV. rewrite u_is.
    assert (Rabs w * Rabs x <= most) by (eapply Rle_trans; [apply Rmult_le_compat_r; [apply Rabs_pos | exact Hw] | exact Hx]). lra. }
  pose proof (S _ _ _ _ _ A1 T1 L1) as ST1. pose proof (S _ _ _ _ _ A2 T2 L2) as ST2. pose proof (S _ _ _ _ _ A3 T3 L3) as ST3.
  pose proof (S _ _ _ _ _ A1 N1 L1) as SN1. pose proof (S _ _ _ _ _ A2 N2 L2) as SN2. pose proof (S _ _ _ _ _ A3 N3 L3) as SN3.
  pose proof (other_vectors w1 w2 w3 b1 b2 b3 c1 c2 c3 (220 * u) (337 * u) _ _ _ _ _ _ Hy C1 C2 C3 D1 D2 D3) as HO.
  specialize (HO ltac:(rewrite u_is in *; lra) ltac:(rewrite u_is in *; lra) ltac:(rewrite u_is; lra)).
  set (yc := combined w1 w2 w3 c1 c2 c3) in *. set (yb := combined w1 w2 w3 b1 b2 b3) in *.
  replace computed with ((computed - value_at yc) + (value_at yc - value_at yb) + value_at yb) by ring.
  eapply Rle_lt_trans; [apply sum_bound; [exact Hc | exact HO | exact HV]|]. unfold tolerance. rewrite u_is. lra.
Qed.

(* Lemma L.19 (singles). What lanes compute at the point of a case is below TOLERANCE, and a
   sixteenth of it is left. z_i are the coordinates of the first integers, a_i leads to the line of
   four points of which the point is the m-th, counted from 0. *)
Theorem points_in_singles d1 d2 d3 z z1 z2 z3 a1 a2 a3 (m : nat) delta r1 r2 r3 V1 V2 V3 c1 c2 c3
    y1 y2 y3 y4 y5 y v1 v2 v3 v4 v5 v q0 curvature first by1 q1 by2 q2 by3 q3 :
  let w1 := z1 - a1 in let w2 := z2 - a2 in let w3 := z3 - a3 - INR m in
  on_parabola (2048 * u) z -> Rabs (delta * det3 d1 d2 d3 - 1) <= 326 * u ->
  Rabs (w1 - prod d1 z) <= 13 * (r1 + / 16) * u -> Rabs (w2 - prod d2 z) <= 13 * (r2 + / 16) * u ->
  Rabs (w3 - prod d3 z) <= 13 * (r3 + / 16) * u ->
  let b1 := scaled delta (cross d2 d3) in let b2 := scaled delta (cross d3 d1) in let b3 := scaled delta (cross d1 d2) in
  (r1 + / 16) * Rabs (tt b1) <= 3 -> (r2 + / 16) * Rabs (tt b2) <= 3 -> (r3 + / 16) * Rabs (tt b3) <= 3 ->
  (r1 + / 16) * Rabs (tn b1) <= 16 -> (r2 + / 16) * Rabs (tn b2) <= 16 -> (r3 + / 16) * Rabs (tn b3) <= 16 ->
  Rabs w1 <= r1 + / 16 -> Rabs w2 <= r2 + / 16 -> Rabs w3 <= r3 + / 16 ->
  Rabs w1 * V1 <= 64 + / 8 -> Rabs w2 * V2 <= 64 + / 8 -> Rabs w3 * V3 <= 64 + / 8 ->
  let rounded_vector c b V :=
    Rabs (tt c - tt b) <= 3 * u * Rabs (tt b) + (1 + / 16384) * u * V /\ Rabs (tn c - tn b) <= 3 * u * Rabs (tn b) + (1 + / 16384) * u * V in
  rounded_vector c1 b1 V1 -> rounded_vector c2 b2 V2 -> rounded_vector c3 b3 V3 ->
  (* the coordinates of all points of the ranges *)
  let in_box x c := Rabs (x * tt c) <= 303 / 100 /\ Rabs (x * tn c) <= 161 / 10 in
  in_box z1 c1 -> in_box z2 c2 -> in_box z3 c3 -> in_box w1 c1 -> in_box w2 c2 -> in_box (z3 - a3) c3 -> in_box w3 c3 ->
  single y1 (z1 * tt c1 - 0) -> single y2 (z2 * tt c2 + y1) -> single y3 (z3 * tt c3 + y2) ->
  single y4 (y3 - a1 * tt c1) -> single y5 (y4 - a2 * tt c2) -> single y (y5 - a3 * tt c3) ->
  single v1 (z1 * tn c1 - 1) -> single v2 (z2 * tn c2 + v1) -> single v3 (z3 * tn c3 + v2) ->
  single v4 (v3 - a1 * tn c1) -> single v5 (v4 - a2 * tn c2) -> single v (v5 - a3 * tn c3) ->
  single q0 (2 * y * y + v) -> single curvature (2 * tt c3 * (2 * tt c3)) -> single first (/ 2 * curvature - tn c3) ->
  single by1 (first - 4 * tt c3 * y) -> single q1 (q0 + by1) -> single by2 (by1 + curvature) -> single q2 (q1 + by2) ->
  single by3 (by2 + curvature) -> single q3 (q2 + by3) -> (m <= 3)%nat ->
  Rabs (nth m (q0 :: q1 :: q2 :: q3 :: nil) 0) < tolerance * (1 - / 16).
Proof.
  intros w1 w2 w3 Hz Hd W1 W2 W3 b1 b2 b3 T1 T2 T3 N1 N2 N3 A1 A2 A3 L1 L2 L3 rv C1 C2 C3 ib (Z1t & Z1n) (Z2t & Z2n) (Z3t & Z3n)
    (I1t & I1n) (I2t & I2n) (I3t & I3n) (J3t & J3n) Y1 Y2 Y3 Y4 Y5 Y6 V1' V2' V3' V4 V5 V6 Q0 QC QF B1 Q1 B2 Q2 B3 Q3 Hm.
  pose proof u_is as U.
  pose proof (sum_in_singles z1 z2 z3 (tt c1) (tt c2) (tt c3) 0 a1 a2 a3 (303 / 100) y1 y2 y3 y4 y5 y ltac:(lra) ltac:(lra) Z1t Z2t Z3t I1t I2t I3t Y1 Y2 Y3 Y4 Y5 Y6) as EY.
  pose proof (sum_in_singles z1 z2 z3 (tn c1) (tn c2) (tn c3) 1 a1 a2 a3 (161 / 10) v1 v2 v3 v4 v5 v ltac:(lra) ltac:(lra) Z1n Z2n Z3n I1n I2n I3n V1' V2' V3' V4 V5 V6) as EV.
  set (x := combined w1 w2 w3 c1 c2 c3).
  assert (Dt : Rabs (y - INR m * tt c3 - tt x) <= 46 * u).
  { eapply Rle_trans; [|eapply Rle_trans; [exact EY|]].
    - right. f_equal. unfold x, combined, sum3, scaled, w1, w2, w3. cbn [tt]. ring.
    - rewrite U. lra. }
  assert (Dn : Rabs (v - INR m * tn c3 - (tn x - 1)) <= 248 * u).
  { eapply Rle_trans; [|eapply Rle_trans; [exact EV|]].
    - right. f_equal. unfold x, combined, sum3, scaled, w1, w2, w3. cbn [tn]. ring.
    - rewrite U. lra. }
  (* the exact value of the rounded vectors is small, and its tau near 1 *)
  destruct (coordinates_and_scale d1 d2 d3 z w1 w2 w3 delta r1 r2 r3 326 Hz Hd ltac:(lra) W1 W2 W3 T1 T2 T3 N1 N2 N3) as (_ & Hy).
  assert (Small : Rabs (value_at x) < tolerance * (1 - / 16)).
  { apply (but_for_sums d1 d2 d3 z w1 w2 w3 delta r1 r2 r3 V1 V2 V3 c1 c2 c3 (value_at x) Hz Hd W1 W2 W3 T1 T2 T3 N1 N2 N3 A1 A2 A3 L1 L2 L3 C1 C2 C3).
    fold x. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. rewrite U. lra. }
  assert (Near : Rabs (tt x) <= 1 + / 2048).
  { destruct C1 as (K1 & _), C2 as (K2 & _), C3 as (K3 & _). fold b1 b2 b3 in Hy.
    set (yb := combined w1 w2 w3 b1 b2 b3) in *.
    replace (tt x) with (tt yb + (w1 * (tt c1 - tt b1) + w2 * (tt c2 - tt b2) + w3 * (tt c3 - tt b3)))
      by (unfold x, yb, combined, sum3, scaled; cbn [tt]; ring).
    assert (G : forall w r b c V, Rabs w <= r + / 16 -> (r + / 16) * Rabs b <= 3 -> Rabs w * V <= 64 + / 8 ->
       Rabs (c - b) <= 3 * u * Rabs b + (1 + / 16384) * u * V -> Rabs (w * (c - b)) <= 74 * u).
    { intros w r b c V Hw Hb HV Hc. rewrite Rabs_mult. eapply Rle_trans; [apply Rmult_le_compat_l; [apply Rabs_pos | exact Hc]|].
      assert (Rabs w * Rabs b <= 3) by (eapply Rle_trans; [apply Rmult_le_compat_r; [apply Rabs_pos | exact Hw] | exact Hb]). rewrite U. lra. }
    pose proof (sum_bound _ _ _ _ _ _ (G _ _ _ _ _ A1 T1 L1 K1) (G _ _ _ _ _ A2 T2 L2 K2) (G _ _ _ _ _ A3 T3 L3 K3)).
    eapply Rle_trans; [apply Rabs_triang|]. rewrite U in *. lra. }
  assert (Line : Rabs (on_line y v (tt c3) (tn c3) (INR m) - value_at x) <= 433 * u).
  { set (e := y - INR m * tt c3 - tt x) in *. set (f := v - INR m * tn c3 - (tn x - 1)) in *.
    replace (on_line y v (tt c3) (tn c3) (INR m) - value_at x) with (f + 4 * (tt x * e) + 2 * (e * e)) by (unfold on_line, value_at, e, f; ring).
    pose proof (mult_bound _ _ _ _ Near Dt) as P1. pose proof (mult_bound _ _ _ _ Dt Dt) as P2.
    assert (Rabs (4 * (tt x * e)) <= 4 * ((1 + / 2048) * (46 * u))) by (rewrite Rabs_mult, (Rabs_pos_eq 4) by lra; lra).
    assert (Rabs (2 * (e * e)) <= 2 * (46 * u * (46 * u))) by (rewrite Rabs_mult, (Rabs_pos_eq 2) by lra; lra).
    eapply Rle_trans; [apply sum_bound; eassumption|]. rewrite U. lra. }
  assert (Ha : Rabs (y - INR m * tt c3) <= 1 + / 1024).
  { replace (y - INR m * tt c3) with ((y - INR m * tt c3 - tt x) + tt x) by ring. eapply Rle_trans; [apply Rabs_triang|]. rewrite U in *. lra. }
  assert (Hq : Rabs (on_line y v (tt c3) (tn c3) (INR m)) <= / 4).
  { replace (on_line y v (tt c3) (tn c3) (INR m)) with ((on_line y v (tt c3) (tn c3) (INR m) - value_at x) + value_at x) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. unfold tolerance in Small. rewrite U in *. lra. }
  assert (Mt : Rabs (INR m * tt c3) <= 61 / 10).
  { replace (INR m * tt c3) with ((z3 - a3) * tt c3 + - (w3 * tt c3)) by (unfold w3; ring). eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  assert (Mn : Rabs (INR m * tn c3) <= 161 / 5).
  { replace (INR m * tn c3) with ((z3 - a3) * tn c3 + - (w3 * tn c3)) by (unfold w3; ring). eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  pose proof (line_of_four y v (tt c3) (tn c3) q0 curvature first by1 q1 by2 q2 by3 q3 m Q0 QC QF B1 Q1 B2 Q2 B3 Q3 Hm Mt Mn Ha Hq) as E.
  apply (but_for_sums d1 d2 d3 z w1 w2 w3 delta r1 r2 r3 V1 V2 V3 c1 c2 c3 _ Hz Hd W1 W2 W3 T1 T2 T3 N1 N2 N3 A1 A2 A3 L1 L2 L3 C1 C2 C3).
  fold x.
  set (q := nth m (q0 :: q1 :: q2 :: q3 :: nil) 0) in *.
  replace (q - value_at x) with ((q - on_line y v (tt c3) (tn c3) (INR m)) + (on_line y v (tt c3) (tn c3) (INR m) - value_at x)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite U in *. lra.
Qed.

(* Of a short row the coordinate is mostly error, and the product of the other two is bounded by
   the ranges that lanes look at (8, 8 and 32 integers: sizes below 7.2, 7.2 and 26.4) and by the
   largest determinant, 2^13. *)
Lemma products_in_lanes w r V :
  0 <= V <= 1600000 -> r * V <= 64 -> Rabs w <= r + 13 * (r + / 16) * u -> Rabs w * V <= 64 + / 8.
Proof.
  intros HV Hr Hw. rewrite u_is in Hw.
  apply Rle_trans with ((r + 13 * (r + / 16) * / 16777216) * V); [apply Rmult_le_compat_r; lra|]. lra.
Qed.

(* Step (e) in lanes: 324 units, and two for the determinant's rounding. *)
Corollary scale_in_lanes d1 d2 d3 f1 f2 f3 delta0 delta r1 r2 r3 :
  delta0 * det3 d1 d2 d3 = 1 -> 0 <= r1 -> 0 <= r2 -> 0 <= r3 ->
  let near_row f d r := size f <= r /\ Rabs (tx f - tx d) <= / 4 * u * r + u * Rabs (tx f) /\
    Rabs (tt f - tt d) <= 8 * u * r + u * Rabs (tt f) /\ Rabs (tn f - tn d) <= / 4 * u * r + u * Rabs (tn f) in
  near_row f1 d1 r1 -> near_row f2 d2 r2 -> near_row f3 d3 r3 ->
  let b1 := scaled delta0 (cross f2 f3) in let b2 := scaled delta0 (cross f3 f1) in let b3 := scaled delta0 (cross f1 f2) in
  r1 * Rabs (tt b1) <= 3 -> r2 * Rabs (tt b2) <= 3 -> r3 * Rabs (tt b3) <= 3 ->
  r1 * Rabs (tn b1) <= 16 -> r2 * Rabs (tn b2) <= 16 -> r3 * Rabs (tn b3) <= 16 ->
  Rabs delta0 * (r1 * r2 * r3) <= 64 -> Rabs (delta - delta0) <= 3 / 2 * u * Rabs delta0 ->
  Rabs (delta * det3 f1 f2 f3 - 1) <= 326 * u.
Proof.
  intros Hdet P1 P2 P3 near_row R1 R2 R3 b1 b2 b3 T1 T2 T3 N1 N2 N3 HL Hd.
  pose proof (scale_is_near d1 d2 d3 f1 f2 f3 delta0 r1 r2 r3 (/ 4 * u) (8 * u) u (9 * u) 3 3 3 16 16 16 64 Hdet P1 P2 P3
    ltac:(rewrite u_is; lra) ltac:(rewrite u_is; lra) ltac:(rewrite u_is; lra) ltac:(rewrite u_is; lra) ltac:(rewrite u_is; lra) ltac:(rewrite u_is; lra)
    R1 R2 R3 T1 T2 T3 N1 N2 N3 HL) as S.
  set (D := det3 f1 f2 f3) in *.
  assert (E : Rabs (delta0 * D - 1) <= (324 + / 64) * u) by (rewrite u_is in *; lra).
  replace (delta * D - 1) with ((delta - delta0) * D + (delta0 * D - 1)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
  assert (F : Rabs (delta - delta0) * Rabs D <= 3 / 2 * u * Rabs (delta0 * D)).
  { rewrite Rabs_mult. pose proof (Rmult_le_compat_r (Rabs D) _ _ (Rabs_pos D) Hd). lra. }
  assert (G : Rabs (delta0 * D) <= 1 + (324 + / 64) * u).
  { replace (delta0 * D) with (1 + (delta0 * D - 1)) by ring. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_R1. lra. }
  rewrite u_is in *. lra.
Qed.

(* Step (a) in lanes. L is the size of the exact row. *)
Corollary coordinate_in_lanes r d z g g' w N L off size_bound :
  on_parabola (2048 * u) z -> off <= 8 * u -> 0 <= L -> L * off <= 8 * u * size_bound + / 16 * u -> size r <= (1 + / 2048) * size_bound -> size d <= size_bound ->
  Rabs (g - IZR N - prod r z) <= L * off ->
  within (u * Rabs (tx r)) (u * Rabs (tt r)) (u * Rabs (tn r)) (less d r) -> Rabs (g' - g) <= / 4 * u ->
  Rabs (w - (g' - IZR N)) <= (1 + / 256) * u * (size_bound + / 16) ->
  Rabs (w - prod d z) <= 13 * (size_bound + / 16) * u.
Proof.
  intros Hz Hoff HL HLo Sr Sd Hg Hd Hp Hw.
  assert (HU : 0 <= 2048 * u <= / 2048) by (rewrite u_is; lra).
  assert (Hz1 : within 1 1 (1 + / 2048) z).
  { destruct (on_parabola_within _ _ (proj1 HU) Hz) as (A & B & C). repeat split; try assumption. lra. }
  pose proof (rounded_rows r d z g g' N L off u (/ 4 * u) ltac:(rewrite u_is; lra) Hz1 Hg Hd Hp) as E.
  assert (M : Rabs (prod d z) <= size_bound * (1 + / 2048)).
  { eapply Rle_trans; [apply (prod_bound d z _ _ _ Hz1)|]. unfold size in Sd.
    pose proof (Rabs_pos (tx d)). pose proof (Rabs_pos (tt d)). lra. }
  assert (B0 : 0 <= size_bound) by (pose proof (size_pos d); lra).
  pose proof (size_pos r) as Sp. rewrite u_is in *.
  assert (K : Rabs (g' - IZR N - prod d z) <= (10 * size_bound + / 2) * / 16777216) by lra.
  assert (Q : Rabs (g' - IZR N) <= size_bound * (1 + / 2048) + (10 * size_bound + / 2) * / 16777216).
  { replace (g' - IZR N) with (prod d z + (g' - IZR N - prod d z)) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
  replace (w - prod d z) with ((w - (g' - IZR N)) + (g' - IZR N - prod d z)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(* Lemma L.20 (enumeration). Row i and its phase are off by e_i together; the vectors are those of
   the rows at hand, EX, ET and EN what that moves a point; what is rounded is a hypothesis. *)
Theorem points_in_doubles d1 d2 d3 z w1 w2 w3 model e1 e2 e3 EX ET EN roundings computed :
  on_parabola model z -> det3 d1 d2 d3 <> 0 -> 0 <= ET <= / 32 ->
  Rabs (w1 - prod d1 z) <= e1 -> Rabs (w2 - prod d2 z) <= e2 -> Rabs (w3 - prod d3 z) <= e3 ->
  let delta := / det3 d1 d2 d3 in
  let b1 := scaled delta (cross d2 d3) in let b2 := scaled delta (cross d3 d1) in let b3 := scaled delta (cross d1 d2) in
  e1 * Rabs (tx b1) + e2 * Rabs (tx b2) + e3 * Rabs (tx b3) <= EX ->
  e1 * Rabs (tt b1) + e2 * Rabs (tt b2) + e3 * Rabs (tt b3) <= ET ->
  e1 * Rabs (tn b1) + e2 * Rabs (tn b2) + e3 * Rabs (tn b3) <= EN ->
  let y := combined w1 w2 w3 b1 b2 b3 in
  Rabs (computed - value_at y) <= roundings ->
  Rabs computed <= model + EN + (4 + / 16) * ET + roundings /\ Rabs (tx y) <= 1 + EX /\ Rabs (tt y) <= 1 + ET.
Proof.
  intros Hz Hd HE W1 W2 W3 delta b1 b2 b3 HX HT HN y Hc.
  assert (Hdet : delta * det3 d1 d2 d3 = 1 + 0) by (unfold delta; rewrite Rinv_l by exact Hd; ring).
  pose proof (point_value d1 d2 d3 z w1 w2 w3 delta 0 e1 e2 e3 model ET EN Hz Hdet W1 W2 W3 HT HN) as P.
  pose proof (moved_point d1 d2 d3 z w1 w2 w3 delta 0 Hdet) as E. cbn zeta in E.
  fold b1 b2 b3 in P, E. fold y in P, E. rewrite Rabs_R0 in P. destruct Hz as (Zx & Zt & _).
  set (m := combined (w1 - prod d1 z) (w2 - prod d2 z) (w3 - prod d3 z) b1 b2 b3) in *.
  assert (Mx : Rabs (tx m) <= EX).
  { eapply Rle_trans; [|exact HX]. unfold m, combined, sum3, scaled. cbn [tx]. apply sum_bound; apply mult_bound; try assumption; apply Rle_refl. }
  assert (Mt : Rabs (tt m) <= ET).
  { eapply Rle_trans; [|exact HT]. unfold m, combined, sum3, scaled. cbn [tt]. apply sum_bound; apply mult_bound; try assumption; apply Rle_refl. }
  repeat split.
  - replace computed with ((computed - value_at y) + value_at y) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. assert (ET * ET <= / 32 * ET) by (apply Rmult_le_compat_r; lra). lra.
  - rewrite E. cbn [tx]. eapply Rle_trans; [apply Rabs_triang|]. replace ((1 + 0) * tx z) with (tx z) by ring. lra.
  - rewrite E. cbn [tt]. eapply Rle_trans; [apply Rabs_triang|]. replace ((1 + 0) * tt z) with (tt z) by ring. lra.
Qed.

(* The walk on a GPU. *)

(* Integers mod 2^64 are those of Z while these are in range. *)
Lemma no_wrap a b : (- 2 ^ 63 <= a < 2 ^ 63)%Z -> (- 2 ^ 63 <= b < 2 ^ 63)%Z -> (a mod 2 ^ 64 = b mod 2 ^ 64)%Z -> a = b.
Proof.
  intros Ha Hb E. pose proof (Z.div_mod a (2 ^ 64) ltac:(lia)). pose proof (Z.div_mod b (2 ^ 64) ltac:(lia)).
  pose proof (Z.mod_pos_bound a (2 ^ 64) ltac:(lia)). rewrite E in *. lia.
Qed.

(* Lemma L.21 (integers). Rows of window 0 are rounded to the nearest multiples of 2^-52, and what
   follows is exact; phases are multiples of 2^-64, off by tab. *)
Theorem gpu_numbers (t1 t2 t3 : Z) e1 e2 e3 f1 f2 f3 shear s L B1 B2 B3 c1 c2 c3 g1 g2 g3 (z1 z2 z3 z0 : Z) tab g :
  Rabs (IZR t1) <= L * B1 -> Rabs (IZR t2) <= L * B2 -> Rabs (IZR t3) <= L * B3 -> Rabs shear <= s - 1 ->
  let unit := two (-53) in
  within unit unit unit (less f1 e1) -> within unit unit unit (less f2 e2) -> within unit unit unit (less f3 e3) ->
  Rabs (g1 - (c1 + IZR z1)) <= tab -> Rabs (g2 - (c2 + IZR z2)) <= tab -> Rabs (g3 - (c3 + IZR z3)) <= tab ->
  g = IZR t1 * g1 + IZR t2 * g2 + IZR t3 * g3 - IZR z0 ->
  let r := combined (IZR t1) (IZR t2) (IZR t3) (sheared shear f1) (sheared shear f2) (sheared shear f3) in
  let d := combined (IZR t1) (IZR t2) (IZR t3) (sheared shear e1) (sheared shear e2) (sheared shear e3) in
  let c := IZR t1 * c1 + IZR t2 * c2 + IZR t3 * c3 in
  forall z (N : Z), within 1 1 (1 + / 2048) z -> prod d z = c - IZR N ->
  exists M : Z, Rabs (g - IZR M - prod r z) <= L * ((B1 + B2 + B3) * ((3 + s) * unit + tab)).
Proof.
  intros T1 T2 T3 Hs unit F1 F2 F3 C1 C2 C3 Eg r d c z N (Zx & Zt & Zn) HN.
  exists (N + t1 * z1 + t2 * z2 + t3 * z3 - z0)%Z.
  assert (U : 0 <= unit) by (unfold unit, two; apply bpow_ge_0).
  assert (P : forall f e, within unit unit unit (less f e) -> Rabs (prod (sheared shear f) z - prod (sheared shear e) z) <= (3 + s) * unit).
  { intros f e (Fx & Ft & Fn). unfold less in *. cbn [tx tt tn] in *.
    replace (prod (sheared shear f) z - prod (sheared shear e) z)
      with ((tx f - tx e) * tx z + ((tt f - tt e) - shear * (tn f - tn e)) * tt z + (tn f - tn e) * tn z) by (unfold prod, sheared; cbn [tx tt tn]; ring).
    assert (Q : Rabs ((tt f - tt e) - shear * (tn f - tn e)) <= unit + (s - 1) * unit).
    { unfold Rminus at 1. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. apply Rplus_le_compat; [exact Ft|]. apply mult_bound; assumption. }
    eapply Rle_trans; [apply sum_bound; apply mult_bound; [exact Fx | exact Zx | exact Q | exact Zt | exact Fn | exact Zn]|]. lra. }
  pose proof (row_error _ _ _ _ _ _ _ _ _ L B1 B2 B3 _ _ _ T1 T2 T3 (P _ _ F1) (P _ _ F2) (P _ _ F3)) as E1.
  pose proof (row_error _ _ _ _ _ _ _ _ _ L B1 B2 B3 _ _ _ T1 T2 T3 C1 C2 C3) as E2.
  assert (Er : prod r z = IZR t1 * prod (sheared shear f1) z + IZR t2 * prod (sheared shear f2) z + IZR t3 * prod (sheared shear f3) z).
  { unfold r. triples. ring. }
  assert (Ed : prod d z = IZR t1 * prod (sheared shear e1) z + IZR t2 * prod (sheared shear e2) z + IZR t3 * prod (sheared shear e3) z).
  { unfold d. triples. ring. }
  rewrite <- Er, <- Ed in E1. rewrite HN in E1. rewrite Eg. unfold c in E1.
  rewrite !minus_IZR, !plus_IZR, !mult_IZR.
  replace (IZR t1 * g1 + IZR t2 * g2 + IZR t3 * g3 - IZR z0 - (IZR N + IZR t1 * IZR z1 + IZR t2 * IZR z2 + IZR t3 * IZR z3 - IZR z0) - prod r z)
    with ((IZR t1 * g1 + IZR t2 * g2 + IZR t3 * g3 - (IZR t1 * (c1 + IZR z1) + IZR t2 * (c2 + IZR z2) + IZR t3 * (c3 + IZR z3))) +
          - (prod r z - (IZR t1 * c1 + IZR t2 * c2 + IZR t3 * c3 - IZR N))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
Qed.

(* The smallest cubic and parabola on [0, 1] that begin at 0, nearly: for the balanced differences
   of Lemma L.16. *)
Lemma small_cubic t : 0 <= t <= 1 -> Rabs (t * t * t - 7 / 5 * (t * t) + 11 / 25 * t) <= / 25.
Proof.
  intros [T0 T1]. apply Rabs_le. split.
  - assert (H : t * t * t - 7 / 5 * (t * t) + 11 / 25 * t + / 25
      = (t - 147 / 200) * (t - 147 / 200) * (t + 7 / 100) + (107 / 40000 * t + 17474 / 8000000)) by field.
    assert (0 <= (t - 147 / 200) * (t - 147 / 200) * (t + 7 / 100)) by (apply Rmult_le_pos; [apply Rle_0_sqr | lra]). lra.
  - assert (H : / 25 - (t * t * t - 7 / 5 * (t * t) + 11 / 25 * t) = (t - / 5) * (t - / 5) * (1 - t)) by field.
    assert (0 <= (t - / 5) * (t - / 5) * (1 - t)) by (apply Rmult_le_pos; [apply Rle_0_sqr | lra]). lra.
Qed.

Lemma small_parabola t : 0 <= t <= 1 -> Rabs (t * t - 5 / 6 * t) <= 25 / 144.
Proof.
  intros [T0 T1].
  assert (0 <= (t - 5 / 12) * (t - 5 / 12)) by apply Rle_0_sqr.
  assert (0 <= t * (1 - t)) by (apply Rmult_le_pos; lra). apply Rabs_le. split; lra.
Qed.

(* What differences of the orders one to three make after k windows, if these are off by e1, e2 and
   e3, and what the third one's and the second one's make is balanced by the lower ones, but for r2
   and r1. *)
Lemma differences_off k n c0 a b c g0 ga gb gc e3 r2 r1 h unit :
  0 < n -> 0 <= k <= n -> 0 <= unit -> Rabs (g0 - c0) <= unit ->
  Rabs e3 <= h * unit -> Rabs r2 <= h * unit -> Rabs r1 <= h * unit ->
  gc - c = e3 -> gb - b = e3 * (1 - 7 / 15 * n) + r2 ->
  ga - a = e3 * (11 / 150 * (n * n) - / 3) + (gb - b) / 2 - 5 / 12 * n * r2 + r1 ->
  let after p q r s := p + k * q + k * (k - 1) / 2 * r + k * (k - 1) * (k - 2) / 6 * s in
  Rabs (after g0 ga gb gc - after c0 a b c) <= (1 + h * (n + n * n * (25 / 288) + n * n * n / 150)) * unit.
Proof.
  intros Hn Hk Hu H0 H3 H2 H1 Ec Eb Ea after.
  set (t := k / n).
  assert (Ht : 0 <= t <= 1).
  { unfold t. split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with n; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (K : k = t * n) by (unfold t; field; lra).
  replace (after g0 ga gb gc - after c0 a b c)
    with ((g0 - c0) + (t * n * r1 + (n * n / 2 * (t * t - 5 / 6 * t)) * r2 + (n * n * n / 6 * (t * t * t - 7 / 5 * (t * t) + 11 / 25 * t)) * e3)).
  2: { unfold after.
       replace ga with (a + (e3 * (11 / 150 * (n * n) - / 3) + (gb - b) / 2 - 5 / 12 * n * r2 + r1)) by (rewrite <- Ea; ring).
       replace gb with (b + (e3 * (1 - 7 / 15 * n) + r2)) by (rewrite <- Eb; ring).
       replace gc with (c + e3) by (rewrite <- Ec; ring). rewrite K. field. }
  assert (N2 : 0 <= n * n) by (apply Rle_0_sqr).
  assert (N3 : 0 <= n * n * n) by (apply Rmult_le_pos; lra).
  pose proof (small_cubic t Ht) as P3. pose proof (small_parabola t Ht) as P2.
  assert (B1 : Rabs (t * n * r1) <= n * (h * unit)).
  { apply mult_bound; [|exact H1]. rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra). nra. }
  assert (B2 : Rabs (n * n / 2 * (t * t - 5 / 6 * t) * r2) <= (n * n * (25 / 288)) * (h * unit)).
  { apply mult_bound; [|exact H2]. rewrite Rabs_mult, (Rabs_pos_eq (n * n / 2)) by lra.
    replace (n * n * (25 / 288)) with (n * n / 2 * (25 / 144)) by field. apply Rmult_le_compat_l; lra. }
  assert (B3 : Rabs (n * n * n / 6 * (t * t * t - 7 / 5 * (t * t) + 11 / 25 * t) * e3) <= (n * n * n / 150) * (h * unit)).
  { apply mult_bound; [|exact H3]. rewrite Rabs_mult, (Rabs_pos_eq (n * n * n / 6)) by lra.
    replace (n * n * n / 150) with (n * n * n / 6 * / 25) by field. apply Rmult_le_compat_l; lra. }
  eapply Rle_trans; [apply Rabs_triang|]. pose proof (sum_bound _ _ _ _ _ _ B1 B2 B3). lra.
Qed.

(* Lemma L.28 (gains). A phase gains the first difference from one window to the next, this the
   second one's multiples of 2^-64, and the second the third one: in units of 2^-64 these multiples
   are at most half a unit off, and by what the second and the third difference are cut by, which is
   less than eps each. *)
Theorem gains_off (p f t : nat -> R) c a b d eps n :
  (forall k, p (S k) = p k + f k) -> (forall k, f (S k) = f k + t k) ->
  (forall k, Rabs (t k - (b + INR k * d)) <= / 2 + eps * (1 + INR k)) ->
  Rabs (p O - c) <= 1 -> Rabs (f O - a) <= 1 -> 0 <= eps -> INR n * INR n * eps <= 3 / 2 ->
  let exact := c + INR n * a + INR n * (INR n - 1) / 2 * b + INR n * (INR n - 1) * (INR n - 2) / 6 * d in
  Rabs (p n - exact) <= 1 + INR n + INR n * INR n / 4.
Proof.
  intros Hp Hf Ht P0 F0 He Hn exact.
  assert (F : forall k, Rabs (f k - (a + INR k * b + INR k * (INR k - 1) / 2 * d)) <= 1 + INR k / 2 + eps * (INR k * (INR k + 1) / 2)).
  { induction k as [|k IH].
    - cbn [INR]. replace (f O - (a + 0 * b + 0 * (0 - 1) / 2 * d)) with (f O - a) by field. lra.
    - rewrite Hf, S_INR. specialize (Ht k). set (x := INR k) in *.
      replace (f k + t k - (a + (x + 1) * b + (x + 1) * (x + 1 - 1) / 2 * d))
        with ((f k - (a + x * b + x * (x - 1) / 2 * d)) + (t k - (b + x * d))) by field.
      eapply Rle_trans; [apply Rabs_triang|]. lra. }
  assert (P : forall k, Rabs (p k - (c + INR k * a + INR k * (INR k - 1) / 2 * b + INR k * (INR k - 1) * (INR k - 2) / 6 * d))
      <= 1 + INR k + INR k * (INR k - 1) / 4 + eps * ((INR k * INR k - 1) * INR k / 6)).
  { induction k as [|k IH].
    - cbn [INR]. replace (p O - (c + 0 * a + 0 * (0 - 1) / 2 * b + 0 * (0 - 1) * (0 - 2) / 6 * d)) with (p O - c) by field. lra.
    - rewrite Hp, S_INR. specialize (F k). set (x := INR k) in *.
      replace (p k + f k - (c + (x + 1) * a + (x + 1) * (x + 1 - 1) / 2 * b + (x + 1) * (x + 1 - 1) * (x + 1 - 2) / 6 * d))
        with ((p k - (c + x * a + x * (x - 1) / 2 * b + x * (x - 1) * (x - 2) / 6 * d)) + (f k - (a + x * b + x * (x - 1) / 2 * d))) by field.
      eapply Rle_trans; [apply Rabs_triang|]. lra. }
  specialize (P n). fold exact in P. pose proof (pos_INR n) as N0. set (x := INR n) in *.
  assert (eps * ((x * x - 1) * x / 6) <= x / 4).
  { replace (eps * ((x * x - 1) * x / 6)) with ((x * x * eps) * (x / 6) - eps * x / 6) by field.
    assert ((x * x * eps) * (x / 6) <= 3 / 2 * (x / 6)) by (apply Rmult_le_compat_r; lra).
    assert (0 <= eps * x) by (apply Rmult_le_pos; lra). lra. }
  lra.
Qed.

(* The second difference in units of 2^-96, cut, and half a unit of 2^-64 more; the third one, cut:
   multiples of 2^-64 that are rounded down. *)
Lemma gain_of_a_window (s d : R) (cut_s cut_d k : Z) : (0 <= k)%Z ->
  IZR cut_s <= s * 4294967296 < IZR cut_s + 1 -> IZR cut_d <= d * 4294967296 < IZR cut_d + 1 ->
  Rabs (IZR ((cut_s + 2 ^ 31 + k * cut_d) / 2 ^ 32) - (s + IZR k * d)) <= / 2 + / 4294967296 * (1 + IZR k).
Proof.
  intros Hk Hs Hd. set (n := (cut_s + 2 ^ 31 + k * cut_d)%Z).
  pose proof (Z.div_mod n (2 ^ 32) ltac:(lia)) as E. pose proof (Z.mod_pos_bound n (2 ^ 32) ltac:(lia)) as [M0 M1].
  apply IZR_le in M0. apply IZR_lt in M1. apply (f_equal IZR) in E. rewrite plus_IZR, mult_IZR in E.
  unfold n in E at 1. rewrite !plus_IZR, mult_IZR in E. apply IZR_le in Hk.
  change (IZR (2 ^ 32)) with 4294967296 in *. change (IZR (2 ^ 31)) with 2147483648 in *.
  set (q := IZR (n / 2 ^ 32)) in *. set (m := IZR (n mod 2 ^ 32)) in *. set (x := IZR k) in *.
  assert (D : x * IZR cut_d <= x * (d * 4294967296) <= x * (IZR cut_d + 1)) by (split; apply Rmult_le_compat_l; lra).
  apply Rabs_le. split; lra.
Qed.

(* With so many bits, and in runs of less than 2^16 windows. *)
Lemma gains_are_fine n : 0 <= n <= 65536 -> n * n * / 4294967296 <= 3 / 2.
Proof. intros H. assert (n * n <= 65536 * 65536) by (apply Rmult_le_compat; lra). lra. Qed.

(* Lemma L.22 (ranges). As before, with ends that are rounded down and up. *)
Theorem integers_in_floors margin tol d z g N err slop low high :
  0 <= margin -> 0 <= tol -> on_parabola tol z -> Rabs (g - IZR N - prod d z) <= err ->
  Rabs (low - below margin tol d) <= slop -> Rabs (high - above margin tol d) <= slop ->
  err + slop <= margin * (size d / 2 + 1) ->
  (Zceil (g - low) <= N <= Zfloor (g + high))%Z.
Proof.
  intros Hm Ht Hz Hg Hlow Hhigh Hsum.
  destruct (parabola_in_a_box tol d z Ht Hz) as (Hp & Hn). destruct (spared_bound tol d Ht) as (S0 & S1).
  apply Rabs_le_inv in Hg, Hlow, Hhigh.
  assert (Hr : size d <= reach tol d).
  { unfold size, reach. assert (0 <= Rabs (tn d) * tol) by (apply Rmult_le_pos; [apply Rabs_pos | exact Ht]). lra. }
  assert (M : margin * (size d / 2 + 1) <= (reach tol d - spared d / 2) * margin + margin).
  { assert (margin * (size d / 2) <= margin * (reach tol d - spared d / 2)) by (apply Rmult_le_compat_l; lra). lra. }
  unfold below, above, width in *. destruct (Rle_lt_dec 0 (tn d)) as [L | L].
  - specialize (Hp L). split; [apply Zceil_glb | apply Zfloor_lub]; lra.
  - specialize (Hn ltac:(lra)). split; [apply Zceil_glb | apply Zfloor_lub]; lra.
Qed.

(* Lemma L.23 (points). r_i + 1/16 times the vectors have the sums ST in tau and SN in nu, the
   product of the three and the determinant is at most V, and coordinates have the sum W. Components
   of vectors are off by four units; floors of the first point and of the values are a hypothesis.
   *)
Theorem points_on_a_gpu d1 d2 d3 z w1 w2 w3 delta r1 r2 r3 c1 c2 c3 computed model ST SN V W :
  0 <= model <= 2048 -> 0 <= ST <= 24 -> 0 <= SN <= 96 -> 0 <= V <= 410 -> W <= 64 ->
  on_parabola (model * u) z -> Rabs (delta * det3 d1 d2 d3 - 1) <= (6 * V + 2 * SN + 12 * ST + / 4) * u ->
  Rabs (w1 - prod d1 z) <= 13 * (r1 + / 16) * u -> Rabs (w2 - prod d2 z) <= 13 * (r2 + / 16) * u ->
  Rabs (w3 - prod d3 z) <= 13 * (r3 + / 16) * u ->
  let b1 := scaled delta (cross d2 d3) in let b2 := scaled delta (cross d3 d1) in let b3 := scaled delta (cross d1 d2) in
  (r1 + / 16) * Rabs (tt b1) + (r2 + / 16) * Rabs (tt b2) + (r3 + / 16) * Rabs (tt b3) <= ST ->
  (r1 + / 16) * Rabs (tn b1) + (r2 + / 16) * Rabs (tn b2) + (r3 + / 16) * Rabs (tn b3) <= SN ->
  Rabs w1 + Rabs w2 + Rabs w3 <= W ->
  let floored c b := Rabs (tt c - tt b) <= 4 * u /\ Rabs (tn c - tn b) <= 4 * u in
  floored c1 b1 -> floored c2 b2 -> floored c3 b3 ->
  let y := combined w1 w2 w3 c1 c2 c3 in
  Rabs (computed - value_at y) <= (5 + 7) * u ->
  Rabs computed <= (model + 20 * SN + 90 * ST + 20 * V + (20 + / 2) * W + 15) * u /\
  Rabs (tt y) <= 1 + (6 * V + 2 * SN + 25 * ST + 4 * W + / 4) * u.
Proof.
  intros Hm HST HSN HV HW Hz Hd W1 W2 W3 b1 b2 b3 T N HWs fl (C1 & D1) (C2 & D2) (C3 & D3) y Hc.
  assert (U : u = / 16777216) by apply u_is.
  set (rho := delta * det3 d1 d2 d3 - 1) in *.
  assert (Hrho : delta * det3 d1 d2 d3 = 1 + rho) by (unfold rho; ring).
  assert (W0 : 0 <= W) by (pose proof (Rabs_pos w1); pose proof (Rabs_pos w2); pose proof (Rabs_pos w3); lra).
  assert (ET : 13 * (r1 + / 16) * u * Rabs (tt b1) + 13 * (r2 + / 16) * u * Rabs (tt b2) + 13 * (r3 + / 16) * u * Rabs (tt b3) <= 13 * ST * u).
  { rewrite U. lra. }
  assert (EN : 13 * (r1 + / 16) * u * Rabs (tn b1) + 13 * (r2 + / 16) * u * Rabs (tn b2) + 13 * (r3 + / 16) * u * Rabs (tn b3) <= 13 * SN * u).
  { rewrite U. lra. }
  pose proof (point_value d1 d2 d3 z w1 w2 w3 delta rho _ _ _ (model * u) (13 * ST * u) (13 * SN * u) Hz Hrho W1 W2 W3 ET EN) as P.
  pose proof (moved_point d1 d2 d3 z w1 w2 w3 delta rho Hrho) as E. cbn zeta in E.
  fold b1 b2 b3 in P, E. set (x := combined w1 w2 w3 b1 b2 b3) in *.
  assert (R0 : 0 <= Rabs rho) by apply Rabs_pos. set (R := Rabs rho) in *.
  set (most := 6 * V + 2 * SN + 12 * ST + / 4) in *.
  assert (M0 : / 4 <= most <= 2941) by (unfold most; lra).
  assert (R1 : R <= 2941 / 16777216) by (rewrite U in Hd; lra).
  (* the value of the point of the exact vectors, and its tau *)
  assert (Q1 : R * (3 + model * u + 2 * R) <= (3 + / 1024) * (most * u)).
  { apply Rle_trans with (R * (3 + / 1024)); [apply Rmult_le_compat_l; [exact R0|]; rewrite U; lra|].
    rewrite Rmult_comm. apply Rmult_le_compat_l; [lra | exact Hd]. }
  assert (Q2 : 4 * (1 + R) * (13 * ST * u) <= (4 + / 1024) * (13 * ST * u)).
  { apply Rmult_le_compat_r; [rewrite U; lra | lra]. }
  assert (Q3 : 2 * (13 * ST * u * (13 * ST * u)) <= / 16 * u).
  { assert (13 * ST * u <= 312 * u) by (rewrite U; lra). assert (0 <= 13 * ST * u) by (rewrite U; lra).
    apply Rle_trans with (2 * (312 * u * (312 * u))); [|rewrite U; lra].
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; assumption. }
  assert (X1 : Rabs (value_at x) <= (model + 20 * SN + 90 * ST + 20 * V + 2) * u).
  { eapply Rle_trans; [exact P|]. unfold most in Q1. rewrite U in *. lra. }
  assert (X2 : Rabs (tt x) <= 1 + (most + 13 * ST) * u).
  { rewrite E. cbn [tt]. destruct Hz as (_ & Hy & _).
    assert (H : Rabs (tt (combined (w1 - prod d1 z) (w2 - prod d2 z) (w3 - prod d3 z) b1 b2 b3)) <= 13 * ST * u).
    { eapply Rle_trans; [|exact ET]. unfold combined, sum3, scaled. cbn [tt]. apply sum_bound; apply mult_bound; try assumption; apply Rle_refl. }
    eapply Rle_trans; [apply Rabs_triang|].
    assert (Rabs ((1 + rho) * tt z) <= (1 + R) * 1).
    { apply mult_bound; [|exact Hy]. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_R1. fold R. lra. }
    lra. }
  (* what the vectors' floors move *)
  assert (D : forall p1 p2 p3 q1 q2 q3, Rabs (p1 - q1) <= 4 * u -> Rabs (p2 - q2) <= 4 * u -> Rabs (p3 - q3) <= 4 * u ->
     Rabs (w1 * p1 + w2 * p2 + w3 * p3 - (w1 * q1 + w2 * q2 + w3 * q3)) <= 4 * W * u).
  { intros p1 p2 p3 q1 q2 q3 P1 P2 P3.
    replace (w1 * p1 + w2 * p2 + w3 * p3 - (w1 * q1 + w2 * q2 + w3 * q3)) with (w1 * (p1 - q1) + w2 * (p2 - q2) + w3 * (p3 - q3)) by ring.
    apply Rle_trans with (Rabs w1 * (4 * u) + Rabs w2 * (4 * u) + Rabs w3 * (4 * u)); [|rewrite U; lra].
    apply sum_bound; apply mult_bound; try assumption; apply Rle_refl. }
  assert (Dt : Rabs (tt y - tt x) <= 4 * W * u) by (exact (D _ _ _ _ _ _ C1 C2 C3)).
  assert (Dn : Rabs (tn y - tn x) <= 4 * W * u) by (exact (D _ _ _ _ _ _ D1 D2 D3)).
  split.
  - set (a := tt y - tt x) in *. assert (A0 : 0 <= Rabs a) by apply Rabs_pos.
    assert (A1 : 4 * W * u <= 256 * u) by (rewrite U; lra).
    assert (F : Rabs (4 * (tt x * a)) <= (4 + / 512) * (4 * W * u)).
    { rewrite Rabs_mult, (Rabs_pos_eq 4) by lra.
      apply Rle_trans with (4 * ((1 + / 2048) * (4 * W * u))); [|right; field].
      apply Rmult_le_compat_l; [lra|]. apply mult_bound; [|exact Dt]. eapply Rle_trans; [exact X2|]. unfold most. rewrite U. lra. }
    assert (G : Rabs (2 * (a * a)) <= / 16 * u).
    { rewrite Rabs_mult, (Rabs_pos_eq 2) by lra.
      assert (Rabs (a * a) <= 256 * u * (256 * u)) by (apply mult_bound; lra). rewrite U in *. lra. }
    assert (X3 : Rabs (value_at y - value_at x) <= ((20 + / 2) * W + 1) * u).
    { unfold value_at.
      replace (tn y - 1 + 2 * (tt y * tt y) - (tn x - 1 + 2 * (tt x * tt x)))
        with ((tn y - tn x) + 4 * (tt x * (tt y - tt x)) + 2 * ((tt y - tt x) * (tt y - tt x))) by ring.
      fold a. eapply Rle_trans; [apply sum_bound; [exact Dn | exact F | exact G]|]. rewrite U. lra. }
    replace computed with ((computed - value_at y) + (value_at y - value_at x) + value_at x) by ring.
    eapply Rle_trans; [apply sum_bound; [exact Hc | exact X3 | exact X1]|]. rewrite U. lra.
  - replace (tt y) with (tt x + (tt y - tt x)) by ring. eapply Rle_trans; [apply Rabs_triang|]. unfold most in X2. rewrite U in *. lra.
Qed.

(* Its step (b): rows are off by a twelfth of 12 units in x and nu, 12 in tau, and by 1/8 and 11/32
   of a unit: together at most 2 and 12 units of r_i + 1/16. *)
Corollary scale_on_a_gpu d1 d2 d3 f1 f2 f3 delta r1 r2 r3 wide1 wide2 wide3 tall1 tall2 tall3 V :
  delta * det3 d1 d2 d3 = 1 -> 0 <= r1 -> 0 <= r2 -> 0 <= r3 -> V <= 410 ->
  let near_row f d r := size f <= r + / 16 /\ Rabs (tx f - tx d) <= u * r + / 8 * u /\
    Rabs (tt f - tt d) <= 12 * u * r + 11 / 32 * u /\ Rabs (tn f - tn d) <= u * r + / 8 * u in
  near_row f1 d1 r1 -> near_row f2 d2 r2 -> near_row f3 d3 r3 ->
  let b1 := scaled delta (cross f2 f3) in let b2 := scaled delta (cross f3 f1) in let b3 := scaled delta (cross f1 f2) in
  (r1 + / 16) * Rabs (tt b1) <= wide1 -> (r2 + / 16) * Rabs (tt b2) <= wide2 -> (r3 + / 16) * Rabs (tt b3) <= wide3 ->
  (r1 + / 16) * Rabs (tn b1) <= tall1 -> (r2 + / 16) * Rabs (tn b2) <= tall2 -> (r3 + / 16) * Rabs (tn b3) <= tall3 ->
  Rabs delta * ((r1 + / 16) * (r2 + / 16) * (r3 + / 16)) <= V ->
  Rabs (delta * det3 f1 f2 f3 - 1) <= (6 * V + 2 * (tall1 + tall2 + tall3) + 12 * (wide1 + wide2 + wide3) + / 4) * u.
Proof.
  intros Hdet P1 P2 P3 HV near_row R1 R2 R3 b1 b2 b3 T1 T2 T3 N1 N2 N3 HL.
  assert (S : forall f d r, 0 <= r -> near_row f d r ->
     size f <= r + / 16 /\ Rabs (tx f - tx d) <= 2 * u * (r + / 16) + 0 * Rabs (tx f) /\
     Rabs (tt f - tt d) <= 12 * u * (r + / 16) + 0 * Rabs (tt f) /\ Rabs (tn f - tn d) <= 2 * u * (r + / 16) + 0 * Rabs (tn f)).
  { intros f d r Hr (Sz & X & Y & Z). rewrite u_is in *. repeat split; try assumption; lra. }
  pose proof (scale_is_near d1 d2 d3 f1 f2 f3 delta (r1 + / 16) (r2 + / 16) (r3 + / 16) (2 * u) (12 * u) 0 (12 * u)
    wide1 wide2 wide3 tall1 tall2 tall3 V Hdet
    ltac:(lra) ltac:(lra) ltac:(lra)
    ltac:(rewrite u_is; lra) ltac:(rewrite u_is; lra) ltac:(lra) ltac:(rewrite u_is; lra) ltac:(rewrite u_is; lra) ltac:(rewrite u_is; lra)
    (S _ _ _ P1 R1) (S _ _ _ P2 R2) (S _ _ _ P3 R3) T1 T2 T3 N1 N2 N3 HL) as Q.
  rewrite u_is in *. lra.
Qed.

(* From a window of a family to its lanes. *)

(* Taylor's theorem for the third order: how far a polynomial is from the cubic that a run goes on
   with; e_n are roundings of its coefficients. Lemma L.15's third term. *)
Lemma cubic_error r n low high y0 x most fourth f0 f1 f2 f3 e0 e1 e2 e3 :
  no_term_above n r -> low <= y0 <= high -> low <= y0 + x <= high -> Rabs x <= most -> 0 <= fourth ->
  (forall xi, low <= xi <= high -> Rabs (polynomials r n 4 xi / 24) <= fourth) ->
  Rabs (polynomial r n y0 - f0) <= e0 -> Rabs (polynomials r n 1 y0 - f1) <= e1 ->
  Rabs (polynomials r n 2 y0 / 2 - f2) <= e2 -> Rabs (polynomials r n 3 y0 / 6 - f3) <= e3 ->
  Rabs (polynomial r n (y0 + x) - cubic f0 f1 f2 f3 x) <=
  e0 + e1 * most + e2 * (most * most) + e3 * (most * most * most) + fourth * (most * most * most * most).
Proof.
  intros Hends H0 Hx Hm F0 Hfourth E0 E1 E2 E3.
  destruct (taylor_remainder (polynomials r n) 3 low high y0 (y0 + x)
              (polynomial_derivatives r n 3 low high Hends) H0 Hx) as (xi & Hxi & E).
  unfold polynomials at 1 in E. cbn [derived_times] in E. rewrite E. cbn [taylor].
  replace (y0 + x - y0) with x by ring. pose proof (Hfourth xi Hxi) as H4.
  set (p4 := polynomials r n 4 xi) in *. set (p3 := polynomials r n 3 y0) in *. set (p2 := polynomials r n 2 y0) in *. set (p1 := polynomials r n 1 y0) in *.
  change (polynomials r n 0 y0) with (polynomial r n y0).
  replace (INR (fact 1)) with 1 by reflexivity. replace (INR (fact 2)) with 2 by reflexivity.
  replace (INR (fact 3)) with 6 by (cbn; ring). replace (INR (fact 4)) with 24 by (cbn; ring).
  unfold cubic.
  replace (polynomial r n y0 + p1 / 1 * x ^ 1 + p2 / 2 * x ^ 2 + p3 / 6 * x ^ 3 + p4 / 24 * x ^ 4 - (f0 + f1 * x + f2 * (x * x) + f3 * (x * x * x)))
    with ((polynomial r n y0 - f0) + (p1 - f1) * x + (p2 / 2 - f2) * (x * x) + ((p3 / 6 - f3) * (x * x * x) + p4 / 24 * (x * x * x * x))) by field.
  assert (M2 : Rabs (x * x) <= most * most) by (apply mult_bound; assumption).
  assert (M3 : Rabs (x * x * x) <= most * most * most) by (apply mult_bound; assumption).
  assert (M4 : Rabs (x * x * x * x) <= most * most * most * most) by (apply mult_bound; assumption).
  eapply Rle_trans; [apply Rabs_triang|].
  pose proof (sum_bound _ _ _ _ _ _ E0 (mult_bound _ _ _ _ E1 Hm) (mult_bound _ _ _ _ E2 M2)).
  pose proof (mult_bound _ _ _ _ E3 M3). pose proof (mult_bound _ _ _ _ H4 M4).
  pose proof (Rabs_triang ((p3 / 6 - f3) * (x * x * x)) (p4 / 24 * (x * x * x * x))). lra.
Qed.

Section a_window.

Variables (alpha beta : Z) (du dv : R) (one ic X : Z) (s : segment3) (w : window3).
Hypothesis du_positive : 0 < du.
Hypothesis beta_not_0 : beta <> 0%Z.
Hypothesis X_positive : (0 < X)%Z.
Hypothesis wide_positive : (0 < wide3 w)%Z.

(* The run: its first window's middle, the number of this window, the cubic polynomial. *)
Variables (u0 k f0 f1 f2 f3 kappa off third : R).
Let omega := omega3 du w.
Hypothesis kappa_not_0 : kappa <> 0.
Hypothesis kappa_is : kappa = f2 * (omega * omega) / 2.
Hypothesis k_positive : 0 <= k.
Hypothesis middle_is : IZR (at3 w) * du = angle omega u0 k.
Hypothesis third_holds : Rabs f3 <= third.
Hypothesis cubic_near : forall a, in_window w a ->
  Rabs (polynomial (coefficient s) (degree3 s) (IZR (a - middle3 s) * du) - cubic f0 f1 f2 f3 (2 * k * omega + (IZR a * du - angle omega u0 k))) <= off.

Definition model_of : R := (acc3 s + third * (omega * omega * omega)) / Rabs kappa + 3 / 4 * Rabs (gain omega kappa f3) * k + off / Rabs kappa.

(* A row of the run's frame in this window, and its phase. *)
Definition row_of (i j q : Z) : triple := row_at (IZR alpha * du) (IZR beta * du) (gain3 s) (IZR X) omega kappa f1 f2 f3 k (IZR i) (IZR j) (IZR q).
Definition phase_of (j q : Z) : R := phase_at (IZR alpha * du) (IZR beta * du) (gain3 s) omega kappa u0 (IZR ic) f0 f1 f2 f3 k (IZR j) (IZR q).

(* Definition S.8. A point that lanes look for: on the parabola, and for each row of any frame an
   integer away from the row's phase. *)
Definition looked_for (z : triple) : Prop :=
  on_parabola model_of z /\ forall i j q : Z, exists N : Z, prod (row_of i j q) z = phase_of j q - IZR N.

(* Theorem S.16 (lanes see every case). Lemmas L.12, L.13 and L.15 together. *)
Theorem case_is_looked_for i a :
  of_family alpha beta i a -> (Z.abs (i - ic) <= X)%Z -> in_window w a -> near (acc3 s) (on_polynomial du s i a) ->
  exists z, looked_for z.
Proof.
  intros (n & Ea) Hi Ha (l & Hl).
  assert (Hb : IZR beta * du <> 0) by (apply Rmult_integral_contrapositive_currified; [apply not_0_IZR; exact beta_not_0 | lra]).
  assert (Ho : 0 < omega) by (unfold omega, omega3; apply Rmult_lt_0_compat; [apply IZR_lt; exact wide_positive | exact du_positive]).
  assert (HX : 0 < IZR X) by (apply IZR_lt; exact X_positive).
  set (y := 2 * k * omega).
  exists (point (gain3 s) (IZR X) omega kappa (IZR ic) (cubic f0 f1 f2 f3 y) (cubic_slope f1 f2 f3 y) (angle omega u0 k) (IZR i) (IZR a * du) (IZR l)).
  split.
  - assert (Hy : Rabs (IZR a * du - angle omega u0 k) <= omega).
    { rewrite <- middle_is, <- Rmult_minus_distr_r, <- minus_IZR, Rabs_mult, (Rabs_pos_eq du) by lra. unfold omega, omega3.
      apply Rmult_le_compat_r; [lra|]. rewrite <- abs_IZR. apply IZR_le. exact Ha. }
    pose proof (model (gain3 s) (IZR X) omega kappa u0 (IZR ic) ltac:(lra) kappa_not_0 f0 f1 f2 f3 kappa_is k
      (polynomial (coefficient s) (degree3 s) (IZR (a - middle3 s) * du)) (IZR i) (IZR a * du) (IZR l) (acc3 s) off third k
      ltac:(apply Rlt_le; exact Hl) (cubic_near a Ha) third_holds Ho Hy ltac:(lra)) as (M1 & M2).
    split; [|split].
    + unfold point. cbn [tx]. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ IZR X)) by (apply Rlt_le, Rinv_0_lt_compat; exact HX).
      apply Rmult_le_reg_r with (IZR X); [exact HX|]. rewrite Rmult_assoc, Rinv_l by lra. rewrite <- minus_IZR, <- abs_IZR, Rmult_1_r, Rmult_1_l.
      apply IZR_le. exact Hi.
    + exact M1.
    + exact M2.
  - intros i' j' q'.
    destruct (phases_integer (IZR alpha * du) (IZR beta * du) (gain3 s) (IZR X) omega kappa (IZR ic) Hb ltac:(lra) kappa_not_0 ltac:(lra)
      (cubic f0 f1 f2 f3 y) (cubic_slope f1 f2 f3 y) (angle omega u0 k) i' j' q' i n l ic eq_refl) as (N & E).
    exists N. unfold row_of, phase_of, row_at, phase_at. fold y. rewrite <- E. do 2 f_equal.
    rewrite Ea, plus_IZR, !mult_IZR. ring.
Qed.

(* Theorem S.17 (a range without an integer). If what lanes have of a row, d and g, is within err
   (L.16, and rounding), and the range of L.18 is empty, the window is searched. *)
Theorem told_by_a_range candidate choice margin tol i j q d g err e slop low high first last :
  0 <= margin -> 0 <= tol -> model_of <= tol ->
  (forall z N, on_parabola model_of z -> prod (row_of i j q) z = phase_of j q - IZR N -> exists M : Z, Rabs (g - IZR M - prod d z) <= err) ->
  Rabs (low - below margin tol d) <= slop -> Rabs (high - above margin tol d) <= slop ->
  Rabs (first - (g - low + / 2)) <= e -> Rabs (last - (g + high - / 2)) <= e ->
  err + e + slop < margin * (size d / 2 + 1) ->
  (Znearest choice last < Znearest choice first)%Z ->
  searched3 alpha beta one du dv ic X s w candidate.
Proof.
  intros Hm Ht Hmodel Hrow Hlow Hhigh Hf Hl Hsum Hempty. apply told_empty. intros i' a Hfam Hi Ha HN.
  destruct (case_is_looked_for i' a Hfam Hi Ha HN) as (z & Hz & Hrows). destruct (Hrows i j q) as (N & E).
  destruct (Hrow z N Hz E) as (M & HM).
  pose proof (integers_in_ranges choice margin tol d z g M err e slop low high first last Hm Ht (on_parabola_mono _ _ _ Hmodel Hz) HM Hlow Hhigh Hf Hl Hsum). lia.
Qed.

(* Theorem S.18 (no point is near). If for the integers of a case, which are in the ranges (L.18),
   the computed value is below a bound (L.19, L.20, L.23), and no integers of the ranges have such a
   value, the window is searched. *)
Theorem told_by_points candidate i1 j1 q1 i2 j2 q2 i3 j3 q3 (in_ranges : Z -> Z -> Z -> Prop) (computed : Z -> Z -> Z -> R) bound :
  (forall z N1 N2 N3, on_parabola model_of z ->
     prod (row_of i1 j1 q1) z = phase_of j1 q1 - IZR N1 -> prod (row_of i2 j2 q2) z = phase_of j2 q2 - IZR N2 ->
     prod (row_of i3 j3 q3) z = phase_of j3 q3 - IZR N3 ->
     exists M1 M2 M3, in_ranges M1 M2 M3 /\ Rabs (computed M1 M2 M3) < bound) ->
  (forall M1 M2 M3, in_ranges M1 M2 M3 -> bound <= Rabs (computed M1 M2 M3)) ->
  searched3 alpha beta one du dv ic X s w candidate.
Proof.
  intros Hpoint Hfar. apply told_empty. intros i' a Hfam Hi Ha HN.
  destruct (case_is_looked_for i' a Hfam Hi Ha HN) as (z & Hz & Hrows).
  destruct (Hrows i1 j1 q1) as (N1 & E1). destruct (Hrows i2 j2 q2) as (N2 & E2). destruct (Hrows i3 j3 q3) as (N3 & E3).
  destruct (Hpoint z N1 N2 N3 Hz E1 E2 E3) as (M1 & M2 & M3 & Hin & Hv). specialize (Hfar M1 M2 M3 Hin). lra.
Qed.

End a_window.
