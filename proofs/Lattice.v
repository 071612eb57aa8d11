(* The lattice of a slope, its bases, and all points of a box.

   docs/proofs/walk.md. Everything is in exact integers: lengths and heights are in
   units of 1/D of the circle, so that D is the circle and also the determinant. D = 2^52 is the
   lanes' unit, 2^60 the GPU's, 2^64 that of the scalar walk.

   | name       | what it is                                                              |
   |------------|-------------------------------------------------------------------------|
   | D          | the circle, positive                                                    |
   | A          | the slope: arguments x have the height A*x modulo D                     |
   | (x, y)     | a lattice point: y = A*x - m*D for an integer m                         |
   | (u, p)     | the first basis vector, p = A*u - m1*D                                  |
   | (-v, q)    | the second one, q = m2*D - A*v                                          |
   | X, beta, h | the box: |x| <= X and |y - beta| <= h                                   |
*)

Require Import ZArith Lia Psatz.
Open Scope Z_scope.

Record basis := mk { u : Z; v : Z; p : Z; q : Z; m1 : Z; m2 : Z }.

Definition point (D A x y : Z) : Prop := exists m, y = A * x - m * D.

(* Definition W.1. A basis of the slope's lattice; nothing is said of signs or sizes. *)
Definition valid (D A : Z) (b : basis) : Prop :=
  p b = A * u b - m1 b * D /\ q b = m2 b * D - A * v b /\ m2 b * u b - m1 b * v b = 1.

(* Lemma W.1. The determinant is the circle. *)
Lemma determinant D A b : valid D A b -> u b * q b + v b * p b = D.
Proof.
  intros (Hp & Hq & Hm). rewrite Hp, Hq.
  replace (u b * (m2 b * D - A * v b) + v b * (A * u b - m1 b * D))
    with (D * (m2 b * u b - m1 b * v b)) by ring.
  rewrite Hm. ring.
Qed.

(* Lemma W.2. Every integer combination is a lattice point ... *)
Lemma combination D A b s t :
  valid D A b -> point D A (s * u b - t * v b) (s * p b + t * q b).
Proof.
  intros (Hp & Hq & _). exists (s * m1 b - t * m2 b). rewrite Hp, Hq. ring.
Qed.

(* ... and every lattice point is one. *)
Lemma span D A b x y :
  valid D A b -> point D A x y ->
  exists s t, x = s * u b - t * v b /\ y = s * p b + t * q b.
Proof.
  intros (Hp & Hq & Hm) (m & Hy).
  exists (m2 b * x - v b * m), (m1 b * x - u b * m). split.
  - replace ((m2 b * x - v b * m) * u b - (m1 b * x - u b * m) * v b)
      with (x * (m2 b * u b - m1 b * v b)) by ring.
    rewrite Hm. ring.
  - rewrite Hy, Hp, Hq.
    replace ((m2 b * x - v b * m) * (A * u b - m1 b * D) +
             (m1 b * x - u b * m) * (m2 b * D - A * v b))
      with ((m2 b * u b - m1 b * v b) * (A * x - m * D)) by ring.
    rewrite Hm. ring.
Qed.

(* Lemma W.3. The coordinates of a point: the line t from x and y, and the place s on it. *)
Lemma coordinates D A b x y s t :
  valid D A b -> x = s * u b - t * v b -> y = s * p b + t * q b ->
  t * D = u b * y - p b * x /\ s * D = v b * y + q b * x.
Proof.
  intros HV -> ->. pose proof (determinant _ _ _ HV) as HD. split; rewrite <- HD; ring.
Qed.

(* Moves of a basis. *)

(* Lemma W.4 (shear). The next domain has the slope A + delta, of either sign. *)
Definition sheared (delta : Z) (b : basis) : basis :=
  mk (u b) (v b) (p b + u b * delta) (q b - v b * delta) (m1 b) (m2 b).

Lemma shear_valid D A delta b : valid D A b -> valid D (A + delta) (sheared delta b).
Proof.
  intros (Hp & Hq & Hm). unfold valid, sheared; cbn. rewrite Hp, Hq.
  repeat split; [ring | ring | exact Hm].
Qed.

(* Lemma W.5 (crossing). Past the right neighbor, by any integer k; only for k = floor((M + u)/v) is
   the result a Farey pair of order M again, which no proof of completeness needs. *)
Definition crossed (k : Z) (b : basis) : basis :=
  mk (v b) (k * v b - u b) (- q b) (p b + k * q b) (m2 b) (k * m2 b - m1 b).

Lemma crossing_valid D A k b : valid D A b -> valid D A (crossed k b).
Proof.
  intros (Hp & Hq & Hm). unfold valid, crossed; cbn. rewrite Hp, Hq.
  repeat split; [ring | ring | rewrite <- Hm; ring].
Qed.

(* ... and past the left neighbor. *)
Definition crossed_left (k : Z) (b : basis) : basis :=
  mk (k * u b - v b) (u b) (q b + k * p b) (- p b) (k * m1 b - m2 b) (m1 b).

Lemma crossing_left_valid D A k b : valid D A b -> valid D A (crossed_left k b).
Proof.
  intros (Hp & Hq & Hm). unfold valid, crossed_left; cbn. rewrite Hp, Hq.
  repeat split; [ring | ring | rewrite <- Hm; ring].
Qed.

(* Lemma W.6 (mirror). Exchanging the vectors and the sign of x gives a basis of the slope -A. So
   the vector with the smaller length may be taken for the first one. *)
Definition mirrored (b : basis) : basis := mk (v b) (u b) (q b) (p b) (- m2 b) (- m1 b).

Lemma mirror_valid D A b : valid D A b -> valid D (- A) (mirrored b).
Proof.
  intros (Hp & Hq & Hm). unfold valid, mirrored; cbn. rewrite Hp, Hq.
  repeat split; [ring | ring | rewrite <- Hm; ring].
Qed.

Lemma mirror_point D A x y : point D A x y <-> point D (- A) (- x) y.
Proof.
  split; intros (m & ->); exists m; ring.
Qed.

(* Definition W.2. What a walk can make of a basis: any number of shears and crossings, in any
   order. *)
Inductive reaches (D : Z) : Z -> basis -> Z -> basis -> Prop :=
  | stay A b : reaches D A b A b
  | shear A b A' b' delta :
      reaches D A b A' b' -> reaches D A b (A' + delta) (sheared delta b')
  | cross A b A' b' k : reaches D A b A' b' -> reaches D A b A' (crossed k b')
  | cross_left A b A' b' k : reaches D A b A' b' -> reaches D A b A' (crossed_left k b').

(* Theorem W.16 (walk). Whatever a walk makes of a basis is one of the slope where it stands. *)
Theorem walk_valid D A b A' b' : reaches D A b A' b' -> valid D A b -> valid D A' b'.
Proof.
  induction 1; intro HV; auto using shear_valid, crossing_valid, crossing_left_valid.
Qed.

(* Few lines. *)

Definition in_box (X beta h x y : Z) : Prop := Z.abs x <= X /\ Z.abs (y - beta) <= h.

(* rho of docs/proofs/walk.md, times D *)
Definition spread (X h : Z) (b : basis) : Z := Z.abs (p b) * X + Z.abs (u b) * h.

(* Lemma W.7. The lines that meet the box. *)
Lemma line_near D A b X beta h x y s t :
  valid D A b -> 0 <= X -> 0 <= h -> in_box X beta h x y ->
  x = s * u b - t * v b -> y = s * p b + t * q b ->
  Z.abs (t * D - u b * beta) <= spread X h b.
Proof.
  intros HV HX Hh (Hx & Hy) Ex Ey.
  destruct (coordinates _ _ _ _ _ _ _ HV Ex Ey) as (Ht & _).
  rewrite Ht. unfold spread.
  replace (u b * y - p b * x - u b * beta) with (u b * (y - beta) + - (p b) * x) by ring.
  etransitivity; [apply Z.abs_triangle|].
  rewrite !Z.abs_mul, Z.abs_opp.
  pose proof (Z.abs_nonneg (u b)). pose proof (Z.abs_nonneg (p b)).
  pose proof (Z.abs_nonneg (y - beta)). pose proof (Z.abs_nonneg x). nia.
Qed.

(* Theorem W.8 (two lines). t0 is the floor of u*beta/D, or the next integer if u*beta is within eta
   below it, as lanes may round; then spread has to stay below D - eta. With eta = 0: spread < D. *)
Theorem two_lines D A b X beta h x y s t t0 eta :
  0 < D -> valid D A b -> 0 <= X -> 0 <= h -> in_box X beta h x y ->
  x = s * u b - t * v b -> y = s * p b + t * q b ->
  t0 * D - eta <= u b * beta < (t0 + 1) * D -> 0 <= eta -> spread X h b < D - eta ->
  t = t0 \/ t = t0 + 1.
Proof.
  intros HD HV HX Hh HB Ex Ey Ht0 Heta Hs.
  pose proof (line_near _ _ _ _ _ _ _ _ _ _ HV HX Hh HB Ex Ey) as HL. nia.
Qed.

(* Lemma W.9. A line is skipped for good if it is farther than spread: what `relevant` asks. *)
Lemma line_far D A b X beta h x y s t :
  valid D A b -> 0 <= X -> 0 <= h -> in_box X beta h x y ->
  x = s * u b - t * v b -> y = s * p b + t * q b ->
  ~ spread X h b < Z.abs (t * D - u b * beta).
Proof.
  intros HV HX Hh HB Ex Ey. pose proof (line_near _ _ _ _ _ _ _ _ _ _ HV HX Hh HB Ex Ey). lia.
Qed.

(* Theorem W.10 (one point per line). On a line the points are |p| apart. If |p| > 2h one of them at
   most is within h, and it is the only one that is nearer than |p|/2: the one that rounding
   finds. *)
Theorem one_point b beta h t s s' :
  2 * h < Z.abs (p b) ->
  Z.abs (s * p b + t * q b - beta) <= h ->
  2 * Z.abs (s' * p b + t * q b - beta) <= Z.abs (p b) ->
  s' = s.
Proof.
  intros Hp Hs Hs'.
  assert (Hd : Z.abs ((s' - s) * p b) < Z.abs (p b)).
  { replace ((s' - s) * p b) with ((s' * p b + t * q b - beta) + - (s * p b + t * q b - beta)) by ring.
    pose proof (Z.abs_triangle (s' * p b + t * q b - beta) (- (s * p b + t * q b - beta))).
    rewrite Z.abs_opp in H. lia. }
  rewrite Z.abs_mul in Hd. nia.
Qed.

(* All points of a box (LatticeBasis::near). *)

Definition ceil_div (a b : Z) : Z := - ((- a) / b).

Lemma floor_spec a b x : 0 < b -> (x <= a / b <-> x * b <= a).
Proof.
  intros Hb. split; intros H.
  - pose proof (Z.mul_div_le a b Hb). nia.
  - apply Z.div_le_lower_bound; lia.
Qed.

Lemma ceil_spec a b x : 0 < b -> (ceil_div a b <= x <-> a <= x * b).
Proof.
  intros Hb. unfold ceil_div.
  assert (- x <= (- a) / b <-> - x * b <= - a) by (apply floor_spec; assumption). lia.
Qed.

(* What the loops of `near` visit: the lines t and on each the places s. *)
Definition visits (D X beta h : Z) (b : basis) (s t : Z) : Prop :=
  ceil_div (u b * beta - spread X h b) D <= t <= (u b * beta + spread X h b) / D /\
  ceil_div (t * v b - X) (u b) <= s <= (t * v b + X) / u b /\
  (p b = 0 -> Z.abs (beta - t * q b) <= h) /\
  (p b <> 0 ->
    ceil_div ((beta - t * q b) * Z.sgn (p b) - h) (Z.abs (p b)) <= s <=
    ((beta - t * q b) * Z.sgn (p b) + h) / Z.abs (p b)).

(* Theorem W.11 (enumeration). `near` finds the lattice points of the box, all and only those,
   whatever the signs of the lengths and wherever the basis comes from. *)
Theorem near_complete D A b X beta h x y :
  0 < D -> 0 < u b -> valid D A b -> 0 <= X -> 0 <= h ->
  (point D A x y /\ in_box X beta h x y <->
   exists s t, visits D X beta h b s t /\ x = s * u b - t * v b /\ y = s * p b + t * q b).
Proof.
  intros HD Hu HV HX Hh.
  (* the two conditions of a box, as ranges of s *)
  assert (Habs : forall s t, Z.abs (s * u b - t * v b) <= X <->
      ceil_div (t * v b - X) (u b) <= s <= (t * v b + X) / u b).
  { intros s t. rewrite ceil_spec, floor_spec by assumption. lia. }
  assert (Hlen : forall s t, Z.abs (s * p b + t * q b - beta) <= h <->
      (p b = 0 -> Z.abs (beta - t * q b) <= h) /\
      (p b <> 0 ->
        ceil_div ((beta - t * q b) * Z.sgn (p b) - h) (Z.abs (p b)) <= s <=
        ((beta - t * q b) * Z.sgn (p b) + h) / Z.abs (p b))).
  { intros s t. destruct (Z.eq_dec (p b) 0) as [E | N].
    - rewrite E. split; [intros; split; [intros _; lia | congruence] | intros [H _]; specialize (H eq_refl); lia].
    - rewrite ceil_spec, floor_spec by lia.
      destruct (Z.lt_total (p b) 0) as [L | [L | L]]; [| congruence |].
      + rewrite Z.sgn_neg, (Z.abs_neq (p b)) by lia.
        split; [intros; split; [congruence | intros _; lia] | intros [_ H]; specialize (H N); lia].
      + rewrite Z.sgn_pos, (Z.abs_eq (p b)) by lia.
        split; [intros; split; [congruence | intros _; lia] | intros [_ H]; specialize (H N); lia]. }
  split.
  - intros (HP & HB). destruct (span _ _ _ _ _ HV HP) as (s & t & Ex & Ey).
    exists s, t. repeat split; auto.
    + pose proof (line_near _ _ _ _ _ _ _ _ _ _ HV HX Hh HB Ex Ey). apply ceil_spec; lia.
    + pose proof (line_near _ _ _ _ _ _ _ _ _ _ HV HX Hh HB Ex Ey). apply floor_spec; lia.
    + destruct HB as (Hx & _). rewrite Ex in Hx. apply Habs in Hx. lia.
    + destruct HB as (Hx & _). rewrite Ex in Hx. apply Habs in Hx. lia.
    + destruct HB as (_ & Hy). rewrite Ey in Hy. apply Hlen in Hy. apply Hy.
    + destruct HB as (_ & Hy). rewrite Ey in Hy. apply Hlen in Hy. apply Hy; assumption.
    + destruct HB as (_ & Hy). rewrite Ey in Hy. apply Hlen in Hy. apply Hy; assumption.
  - intros (s & t & (_ & Hs & H0 & H1) & -> & ->). split.
    + apply combination; assumption.
    + split; [apply Habs; assumption | apply Hlen; split; assumption].
Qed.
