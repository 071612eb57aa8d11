(* The walk in three dimensions: all lattice points of a box, from any basis and its dual.

   tmd-core::lattice3::basis. Everything is in exact integers: x in arguments, y and v in units of
   their fixed points; the basis has the determinant +-det, a power of two.

   | name        | what it is                                                               |
   |-------------|--------------------------------------------------------------------------|
   | b1, b2, b3  | the basis                                                                |
   | d1, d2, d3  | its dual times the determinant: cross products                           |
   | target      | a point of the coset                                                     |
   | reach       | half the sides of the box                                                |
   | z           | a point target - n1*b1 - n2*b2 - n3*b3 with integers n1, n2, n3          |
*)

Require Import ZArith Lia Psatz.
Require Import TMD.Lattice.
Open Scope Z_scope.

Record vector := V { vx : Z; vy : Z; vv : Z }.

Definition dot (a b : vector) : Z := vx a * vx b + vy a * vy b + vv a * vv b.
Definition cross3 (a b : vector) : vector :=
  V (vy a * vv b - vv a * vy b) (vv a * vx b - vx a * vv b) (vx a * vy b - vy a * vx b).
Definition minus (n : Z) (b a : vector) : vector := V (vx a - n * vx b) (vy a - n * vy b) (vv a - n * vv b).

Record basis3 := B3 { b1 : vector; b2 : vector; b3 : vector }.

Definition d1 (b : basis3) := cross3 (b2 b) (b3 b).
Definition d2 (b : basis3) := cross3 (b3 b) (b1 b).
Definition d3 (b : basis3) := cross3 (b1 b) (b2 b).
Definition det (b : basis3) : Z := dot (b1 b) (d1 b).

Definition place (b : basis3) (target : vector) (n1 n2 n3 : Z) : vector :=
  minus n3 (b3 b) (minus n2 (b2 b) (minus n1 (b1 b) target)).

(* Definition S.1. The coset of a point: what a search looks through. *)
Definition coset (b : basis3) (target z : vector) : Prop :=
  exists n1 n2 n3, z = place b target n1 n2 n3.

Ltac space := unfold det, place, coset, d1, d2, d3, cross3, minus, dot; cbn [vx vy vv b1 b2 b3].

(* Lemma S.1. The dual reads off the integers of a point. *)
Lemma dual_coordinates b target n1 n2 n3 :
  dot (d1 b) (place b target n1 n2 n3) = dot (d1 b) target - n1 * det b /\
  dot (d2 b) (place b target n1 n2 n3) = dot (d2 b) target - n2 * det b /\
  dot (d3 b) (place b target n1 n2 n3) = dot (d3 b) target - n3 * det b.
Proof.
  destruct b as [[x1 y1 v1] [x2 y2 v2] [x3 y3 v3]], target as [x y v]. space.
  repeat split; ring.
Qed.

Definition inside (reach z : vector) : Prop :=
  Z.abs (vx z) <= vx reach /\ Z.abs (vy z) <= vy reach /\ Z.abs (vv z) <= vv reach.

Definition radius (d reach : vector) : Z :=
  Z.abs (vx d) * vx reach + Z.abs (vy d) * vy reach + Z.abs (vv d) * vv reach.

Lemma dot_inside d reach z : inside reach z -> Z.abs (dot d z) <= radius d reach.
Proof.
  intros (Hx & Hy & Hv). unfold dot, radius.
  pose proof (Z.abs_triangle (vx d * vx z + vy d * vy z) (vv d * vv z)).
  pose proof (Z.abs_triangle (vx d * vx z) (vy d * vy z)).
  rewrite !Z.abs_mul in *.
  pose proof (Z.mul_le_mono_nonneg_l _ _ _ (Z.abs_nonneg (vx d)) Hx).
  pose proof (Z.mul_le_mono_nonneg_l _ _ _ (Z.abs_nonneg (vy d)) Hy).
  pose proof (Z.mul_le_mono_nonneg_l _ _ _ (Z.abs_nonneg (vv d)) Hv).
  lia.
Qed.

(* The range of an integer, as the code takes it: c and r over the determinant, rounded outward. s
   is the determinant's sign. *)
Definition first (s c r D : Z) : Z := - ((r - s * c) / D).
Definition last (s c r D : Z) : Z := (s * c + r) / D.

Lemma range_holds s c r n D e :
  0 < D -> (s = 1 \/ s = -1) -> e = c - n * (s * D) -> Z.abs e <= r ->
  first s c r D <= n <= last s c r D.
Proof.
  intros HD Hs -> He. unfold first, last.
  assert (- n <= (r - s * c) / D /\ n <= (s * c + r) / D); [|lia].
  split; apply Z.div_le_lower_bound; destruct Hs as [-> | ->]; nia.
Qed.

(* Theorem S.2 (box). Every point of the coset in the box has its three integers in their ranges,
   from any basis; so a search through the ranges finds it. If one range is empty, so is the box. *)
Theorem box_complete b target reach z s D :
  0 < D -> (s = 1 \/ s = -1) -> det b = s * D ->
  coset b target z -> inside reach z ->
  exists n1 n2 n3, z = place b target n1 n2 n3 /\
    first s (dot (d1 b) target) (radius (d1 b) reach) D <= n1 <=
      last s (dot (d1 b) target) (radius (d1 b) reach) D /\
    first s (dot (d2 b) target) (radius (d2 b) reach) D <= n2 <=
      last s (dot (d2 b) target) (radius (d2 b) reach) D /\
    first s (dot (d3 b) target) (radius (d3 b) reach) D <= n3 <=
      last s (dot (d3 b) target) (radius (d3 b) reach) D.
Proof.
  intros HD Hs Hdet (n1 & n2 & n3 & ->) Hz.
  exists n1, n2, n3. split; [reflexivity|].
  destruct (dual_coordinates b target n1 n2 n3) as (E1 & E2 & E3). rewrite Hdet in E1, E2, E3.
  split; [|split]; (eapply range_holds; [exact HD | exact Hs | | apply dot_inside; exact Hz]).
  - exact E1.
  - exact E2.
  - exact E3.
Qed.

(* Moves of a basis: none changes the coset's points, nor the size of the determinant. *)

(* Lemma S.3 (row operation). One vector less a multiple of another. The others are the same by the
   turn of S.4. *)
Definition row (q : Z) (b : basis3) : basis3 := B3 (minus q (b2 b) (b1 b)) (b2 b) (b3 b).

Lemma row_det q b : det (row q b) = det b.
Proof. destruct b as [[x1 y1 v1] [x2 y2 v2] [x3 y3 v3]]. unfold row. space. ring. Qed.

Lemma vector_eq a b : vx a = vx b -> vy a = vy b -> vv a = vv b -> a = b.
Proof. destruct a, b; cbn. intros -> -> ->. reflexivity. Qed.

Lemma row_coset q b target z : coset (row q b) target z <-> coset b target z.
Proof.
  split; intros (n1 & n2 & n3 & ->).
  - exists n1, (n2 - q * n1), n3. unfold row. space. apply vector_eq; cbn; ring.
  - exists n1, (n2 + q * n1), n3. unfold row. space. apply vector_eq; cbn; ring.
Qed.

(* Lemma S.4 (turn, exchange). *)
Definition turn (b : basis3) : basis3 := B3 (b2 b) (b3 b) (b1 b).
Definition exchange (b : basis3) : basis3 := B3 (b2 b) (b1 b) (b3 b).

Lemma turn_det b : det (turn b) = det b.
Proof. destruct b as [[x1 y1 v1] [x2 y2 v2] [x3 y3 v3]]. unfold turn. space. ring. Qed.

Lemma exchange_det b : det (exchange b) = - det b.
Proof. destruct b as [[x1 y1 v1] [x2 y2 v2] [x3 y3 v3]]. unfold exchange. space. ring. Qed.

Lemma turn_coset b target z : coset (turn b) target z <-> coset b target z.
Proof.
  split; intros (n1 & n2 & n3 & ->).
  - exists n3, n1, n2. unfold turn. space. apply vector_eq; cbn; ring.
  - exists n2, n3, n1. unfold turn. space. apply vector_eq; cbn; ring.
Qed.

Lemma exchange_coset b target z : coset (exchange b) target z <-> coset b target z.
Proof.
  split; intros (n1 & n2 & n3 & ->); exists n2, n1, n3; unfold exchange; space; apply vector_eq; cbn; ring.
Qed.

(* Lemma S.5 (target). The target may be moved by the basis. *)
Lemma target_coset b target n1 n2 n3 z : coset b (place b target n1 n2 n3) z <-> coset b target z.
Proof.
  split; intros (k1 & k2 & k3 & ->).
  - exists (n1 + k1), (n2 + k2), (n3 + k3). space. apply vector_eq; cbn; ring.
  - exists (k1 - n1), (k2 - n2), (k3 - n3). space. apply vector_eq; cbn; ring.
Qed.

(* Lemma S.6 (shear). From window to window v grows by k times y, for the basis, the target and the
   point alike, and y moves by a constant: the points of a coset go to those of a coset. *)
Definition shear3 (k : Z) (a : vector) : vector := V (vx a) (vy a) (vv a + k * vy a).
Definition sheared3 (k : Z) (b : basis3) : basis3 := B3 (shear3 k (b1 b)) (shear3 k (b2 b)) (shear3 k (b3 b)).

Lemma shear_det k b : det (sheared3 k b) = det b.
Proof. destruct b as [[x1 y1 v1] [x2 y2 v2] [x3 y3 v3]]. unfold sheared3, shear3. space. ring. Qed.

Lemma shear_coset k b target z :
  coset b target z -> coset (sheared3 k b) (shear3 k target) (shear3 k z).
Proof.
  intros (n1 & n2 & n3 & ->). exists n1, n2, n3.
  unfold sheared3, shear3. space. apply vector_eq; cbn; ring.
Qed.

(* Lemma S.7 (translation). *)
Definition translated (c a : vector) : vector := V (vx a + vx c) (vy a + vy c) (vv a + vv c).

Lemma translation_coset c b target z :
  coset b target z -> coset b (translated c target) (translated c z).
Proof.
  intros (n1 & n2 & n3 & ->). exists n1, n2, n3.
  unfold translated. space. apply vector_eq; cbn; ring.
Qed.

(* Definition S.2. What a walk can do with a basis, a target and a point, in any order. *)
Inductive moved : basis3 -> vector -> vector -> basis3 -> vector -> vector -> Prop :=
  | moved_not b t z : moved b t z b t z
  | moved_row b t z b' t' z' q : moved b t z b' t' z' -> moved b t z (row q b') t' z'
  | moved_turn b t z b' t' z' : moved b t z b' t' z' -> moved b t z (turn b') t' z'
  | moved_exchange b t z b' t' z' : moved b t z b' t' z' -> moved b t z (exchange b') t' z'
  | moved_target b t z b' t' z' n1 n2 n3 :
      moved b t z b' t' z' -> moved b t z b' (place b' t' n1 n2 n3) z'
  | moved_shear b t z b' t' z' k :
      moved b t z b' t' z' -> moved b t z (sheared3 k b') (shear3 k t') (shear3 k z')
  | moved_by b t z b' t' z' c :
      moved b t z b' t' z' -> moved b t z b' (translated c t') (translated c z').

(* Theorem S.8 (walk). After any number of moves the basis generates what the shears made of the
   lattice, its determinant is +-D still, and the box theorem holds of it. *)
Theorem walk_complete b t z b' t' z' reach D s :
  moved b t z b' t' z' -> coset b t z -> 0 < D -> (s = 1 \/ s = -1) -> det b = s * D ->
  inside reach z' ->
  exists s' n1 n2 n3, (s' = 1 \/ s' = -1) /\ det b' = s' * D /\ z' = place b' t' n1 n2 n3 /\
    first s' (dot (d1 b') t') (radius (d1 b') reach) D <= n1 <=
      last s' (dot (d1 b') t') (radius (d1 b') reach) D /\
    first s' (dot (d2 b') t') (radius (d2 b') reach) D <= n2 <=
      last s' (dot (d2 b') t') (radius (d2 b') reach) D /\
    first s' (dot (d3 b') t') (radius (d3 b') reach) D <= n3 <=
      last s' (dot (d3 b') t') (radius (d3 b') reach) D.
Proof.
  intros HM HC HD Hs Hdet Hin.
  assert (H : coset b' t' z' /\ exists s', (s' = 1 \/ s' = -1) /\ det b' = s' * D).
  { clear Hin. induction HM.
    - split; [assumption | exists s; auto].
    - destruct (IHHM HC Hdet) as (IC & s' & Hs' & E). split; [apply row_coset; assumption|].
      exists s'. rewrite row_det. auto.
    - destruct (IHHM HC Hdet) as (IC & s' & Hs' & E). split; [apply turn_coset; assumption|].
      exists s'. rewrite turn_det. auto.
    - destruct (IHHM HC Hdet) as (IC & s' & Hs' & E). split; [apply exchange_coset; assumption|].
      exists (- s'). rewrite exchange_det, E. split; [lia | ring].
    - destruct (IHHM HC Hdet) as (IC & s' & Hs' & E). split; [apply target_coset; assumption|].
      exists s'. auto.
    - destruct (IHHM HC Hdet) as (IC & s' & Hs' & E). split; [apply shear_coset; assumption|].
      exists s'. rewrite shear_det. auto.
    - destruct (IHHM HC Hdet) as (IC & s' & Hs' & E). split; [apply translation_coset; assumption|].
      exists s'. auto. }
  destruct H as (HC' & s' & Hs' & E).
  destruct (box_complete b' t' reach z' s' D HD Hs' E HC' Hin) as (n1 & n2 & n3 & Ez & R).
  exists s', n1, n2, n3. auto.
Qed.
