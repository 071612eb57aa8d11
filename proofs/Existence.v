(* The existence tests: when they answer "empty", no argument of the segment is within the width.

   docs/proofs/phases.md; crates/tmd-exist. Everything is in exact integers, in units of
   1/D of the circle (D = 2^64 in the scalar code, 2^52 in lanes).

   | name    | what it is                                                                         |
   |---------|------------------------------------------------------------------------------------|
   | A, b0   | the segment: the distance at the argument x is (b0 - A*x) modulo D                 |
   | p, v    | the gaps of length p begin at the point x and end at x + v                         |
   | q, u    | the gaps of length q begin at the point x and end at x - u                         |
   | u, v    | also: the numbers of gaps of length p and q; the points 0 ... u + v - 1 are placed |
   | d       | the distance from b0 down to the nearest point                                     |
   | w, N    | width and number of arguments                                                      |

   A configuration is a basis of Lattice.v whose first vector is (v, p) and whose second is (-u,
   q). *)

Require Import ZArith Lia Psatz.
Require Import TMD.Lattice.
Open Scope Z_scope.

Section segment.

Variables D A b0 : Z.
Hypothesis circle : 0 < D.

Definition distance (x : Z) : Z := (b0 - A * x) mod D.

(* A two-length configuration: counts and lengths that are not negative. The start, a single point
   with one gap of the length of the circle, has u = 0. *)
Record conf := Conf { cu : Z; cv : Z; cp : Z; cq : Z }.

Definition valid_conf (s : conf) : Prop :=
  (exists m1 m2, valid D A (mk (cv s) (cu s) (cp s) (cq s) m1 m2)) /\
  0 <= cu s /\ 0 < cv s /\ 0 <= cp s /\ 0 <= cq s.

(* Lemma E.1. u*p + v*q is the circle. *)
Lemma conf_total s : valid_conf s -> cu s * cp s + cv s * cq s = D.
Proof.
  intros ((m1 & m2 & HV) & _). pose proof (determinant _ _ _ HV) as H. cbn in H. lia.
Qed.

Inductive gap := InP | InQ.

(* Definition E.1. d is the distance from b0 down to the placed point j, and b0 is in j's gap. *)
Definition located (s : conf) (w : gap) (d : Z) : Prop :=
  exists j l, 0 <= j < cu s + cv s /\ b0 - A * j = d + l * D /\ 0 <= d /\
    match w with InP => j < cu s /\ d < cp s | InQ => cu s <= j /\ d < cq s end.

(* The distance at x is d less a lattice point's height. *)
Lemma distance_point j l d x :
  b0 - A * j = d + l * D -> point D A (x - j) (d - distance x).
Proof.
  intros H. unfold distance, point.
  pose proof (Z.div_mod (b0 - A * x) D ltac:(lia)) as E.
  exists ((l - (b0 - A * x) / D)). 
  replace ((b0 - A * x) mod D) with (b0 - A * x - D * ((b0 - A * x) / D)) by lia.
  replace d with (b0 - A * j - l * D) by lia. ring.
Qed.

(* Theorem E.2 (nearest point). Of the placed points none is nearer than d. *)
Theorem located_nearest s w d :
  valid_conf s -> located s w d ->
  forall x, 0 <= x < cu s + cv s -> d <= distance x.
Proof.
  intros ((m1 & m2 & HV) & Hu & Hv & Hp & Hq) (j & l & Hj & Hd & Hd0 & Hw) x Hx.
  pose proof (distance_point _ _ _ x Hd) as HP.
  destruct (Z.le_gt_cases d (distance x)) as [|Hlt]; [assumption | exfalso].
  assert (H0 : 0 <= distance x) by (apply Z.mod_pos_bound; assumption).
  destruct (span _ _ _ _ _ HV HP) as (a & t & Ez & Ee). cbn in Ez, Ee.
  remember (d - distance x) as e eqn:He.
  assert (He0 : 0 < e <= d) by lia. clear HP Hd He HV.
  destruct (Z.le_gt_cases a 0) as [Ha | Ha]; destruct (Z.le_gt_cases t 0) as [Ht | Ht].
  - nia.
  - (* a <= 0 < t *)
    destruct w; destruct Hw as (Hj' & Hd').
    + nia.
    + destruct (Z.eq_dec a 0) as [-> | Ha0]; nia.
  - (* t <= 0 < a *)
    destruct w; destruct Hw as (Hj' & Hd').
    + destruct (Z.eq_dec t 0) as [-> | Ht0]; nia.
    + nia.
  - (* both positive *)
    destruct w; destruct Hw as (Hj' & Hd'); nia.
Qed.

(* Theorem E.3 (complete orbit). Where a length is 0 the gaps repeat for ever, and none of all the
   multiples is nearer than d. *)
Theorem located_nearest_of_all s w d :
  valid_conf s -> located s w d -> cp s = 0 \/ cq s = 0 ->
  forall x, d <= distance x.
Proof.
  intros ((m1 & m2 & HV) & Hu & Hv & Hp & Hq) (j & l & Hj & Hd & Hd0 & Hw) Hz x.
  pose proof (distance_point _ _ _ x Hd) as HP.
  destruct (Z.le_gt_cases d (distance x)) as [|Hlt]; [assumption | exfalso].
  assert (H0 : 0 <= distance x) by (apply Z.mod_pos_bound; assumption).
  destruct (span _ _ _ _ _ HV HP) as (a & t & Ez & Ee). cbn in Ez, Ee.
  destruct w; destruct Hw as (Hj' & Hd'); destruct Hz as [Hz | Hz]; rewrite Hz in *; try lia.
  - assert (0 < a) by nia. nia.
  - assert (0 < t) by nia. nia.
Qed.

(* Splits. *)

Definition split_q (t : Z) (s : conf) : conf := Conf (cu s + t * cv s) (cv s) (cp s) (cq s - t * cp s).
Definition split_p (t : Z) (s : conf) : conf := Conf (cu s) (cv s + t * cu s) (cp s - t * cq s) (cq s).

(* Lemma E.4. Any number of rounds that the length bears leaves a configuration of two lengths. *)
Lemma split_q_valid t s :
  valid_conf s -> 0 <= t -> t * cp s <= cq s -> valid_conf (split_q t s).
Proof.
  intros ((m1 & m2 & HV) & Hu & Hv & Hp & Hq) Ht Hl.
  split; [| cbn; repeat split; nia].
  exists m1, (m2 + t * m1). destruct HV as (E1 & E2 & E3). unfold valid, split_q in *; cbn in *.
  repeat split; [exact E1 | rewrite E2, E1; ring | rewrite <- E3; ring].
Qed.

Lemma split_p_valid t s :
  valid_conf s -> 0 <= t -> t * cq s <= cp s -> valid_conf (split_p t s).
Proof.
  intros ((m1 & m2 & HV) & Hu & Hv & Hp & Hq) Ht Hl.
  split; [| cbn; repeat split; nia].
  exists (m1 + t * m2), m2. destruct HV as (E1 & E2 & E3). unfold valid, split_p in *; cbn in *.
  repeat split; [rewrite E1, E2; ring | exact E2 | rewrite <- E3; ring].
Qed.

(* The height of the point j + i*v is i*p above that of j; i*u instead is i*q below. *)
Lemma height_v s : valid_conf s -> exists m, A * cv s = cp s + m * D.
Proof.
  intros ((m1 & m2 & (E1 & _)) & _). cbn in E1. exists m1. lia.
Qed.

Lemma height_u s : valid_conf s -> exists m, A * cu s = - cq s + m * D.
Proof.
  intros ((m1 & m2 & (_ & E2 & _)) & _). cbn in E2. exists m2. lia.
Qed.

(* Lemma E.5. A split of the other length leaves b0 where it is. *)
Lemma split_q_in_p t s d :
  valid_conf s -> 0 <= t -> located s InP d -> located (split_q t s) InP d.
Proof.
  intros (_ & Hu & Hv & _) Ht (j & l & Hj & Hd & Hd0 & Hj' & Hd').
  exists j, l. unfold split_q; cbn. repeat split; try assumption; nia.
Qed.

Lemma split_p_in_q t s d :
  valid_conf s -> 0 <= t -> located s InQ d -> located (split_p t s) InQ d.
Proof.
  intros (_ & Hu & Hv & _) Ht (j & l & Hj & Hd & Hd0 & Hj' & Hd').
  exists j, l. unfold split_p; cbn. repeat split; try assumption; nia.
Qed.

(* Lemma E.6. A split of q from the left: of the t points in b0's gap, i are at or below b0. *)
Lemma split_q_in_q t i s d :
  valid_conf s -> 0 <= i <= t -> i * cp s <= d ->
  (i < t -> d < (i + 1) * cp s) -> located s InQ d ->
  located (split_q t s) (if i <? t then InP else InQ) (d - i * cp s).
Proof.
  intros HV Hi Hid Hnext (j & l & Hj & Hd & Hd0 & Hj' & Hd').
  destruct (height_v _ HV) as (m & Hm). destruct HV as (_ & Hu & Hv & _).
  exists (j + i * cv s), (l - i * m). unfold split_q; cbn [cu cv cp cq].
  split; [nia|]. split; [nia|]. split; [nia|].
  destruct (Z.ltb_spec i t) as [L | L].
  - specialize (Hnext L). split; nia.
  - assert (i = t) by lia. subst i. split; nia.
Qed.

(* Lemma E.7. A split of p from the right: the remainder is at the left, then t pieces of length q.
   Either b0 is in the remainder, or it is in the piece whose left end is i*q below the gap's right
   end. *)
Lemma split_p_in_p_rest t s d :
  valid_conf s -> 0 <= t -> d < cp s - t * cq s -> located s InP d -> located (split_p t s) InP d.
Proof.
  intros (_ & Hu & Hv & _) Ht Hr (j & l & Hj & Hd & Hd0 & Hj' & Hd').
  exists j, l. unfold split_p; cbn. repeat split; try assumption; nia.
Qed.

Lemma split_p_in_p t i s d :
  valid_conf s -> 1 <= i <= t -> cp s - i * cq s <= d < cp s - (i - 1) * cq s ->
  located s InP d -> located (split_p t s) InQ (d - (cp s - i * cq s)).
Proof.
  intros HV Hi Hr (j & l & Hj & Hd & Hd0 & Hj' & Hd').
  destruct (height_v _ HV) as (m & Hm). destruct (height_u _ HV) as (n & Hn).
  destruct HV as (_ & Hu & Hv & _).
  exists (j + cv s + i * cu s), (l - m - i * n). unfold split_p; cbn [cu cv cp cq].
  split; [nia|]. split; [nia|]. split; [nia|]. split; nia.
Qed.

(* Corollary E.8. How the code reduces d: by a remainder. *)
Lemma split_p_in_p_mod t s d :
  valid_conf s -> 0 < cq s -> 0 <= t -> t * cq s <= cp s -> cp s - t * cq s <= d ->
  located s InP d -> located (split_p t s) InQ ((d - (cp s - t * cq s)) mod cq s).
Proof.
  intros HV Hq Ht Hl Hr HL.
  assert (Hd : d < cp s) by (destruct HL as (j & l & _ & _ & _ & _ & H); exact H).
  set (k := (d - (cp s - t * cq s)) / cq s).
  assert (Hk : d - (cp s - t * cq s) = cq s * k + (d - (cp s - t * cq s)) mod cq s)
    by (apply Z.div_mod; lia).
  pose proof (Z.mod_pos_bound (d - (cp s - t * cq s)) (cq s) Hq) as Hm.
  assert (0 <= k < t) by nia.
  replace ((d - (cp s - t * cq s)) mod cq s) with (d - (cp s - (t - k) * cq s)) by lia.
  apply split_p_in_p; [assumption | lia | nia | assumption].
Qed.

Lemma split_q_in_q_mod t s d :
  valid_conf s -> 0 < cp s -> 0 <= t -> t * cp s <= cq s ->
  d < t * cp s -> located s InQ d -> located (split_q t s) InP (d mod cp s).
Proof.
  intros HV Hp Ht Hl Hr HL.
  assert (Hd : 0 <= d) by (destruct HL as (j & l & _ & _ & H & _); exact H).
  pose proof (Z.div_mod d (cp s) ltac:(lia)) as Hk.
  pose proof (Z.mod_pos_bound d (cp s) Hp) as Hm.
  set (k := d / cp s) in *.
  assert (0 <= k < t) by nia.
  replace (d mod cp s) with (d - k * cp s) by lia.
  pose proof (split_q_in_q t k s d HV ltac:(lia) ltac:(nia) ltac:(nia) HL) as H0.
  destruct (Z.ltb_spec k t); [exact H0 | lia].
Qed.

(* The verdict. *)

(* Theorem E.9. d >= w at a configuration of N points or more: nothing is within the width. *)
Theorem empty_sound s w d width N :
  valid_conf s -> located s w d -> N <= cu s + cv s \/ cp s = 0 \/ cq s = 0 -> width <= d ->
  forall x, 0 <= x < N -> width <= distance x.
Proof.
  intros HV HL [HN | HZ] Hw x Hx.
  - pose proof (located_nearest _ _ _ HV HL x ltac:(lia)). lia.
  - pose proof (located_nearest_of_all _ _ _ HV HL HZ x). lia.
Qed.

(* Lefevre's test. The quotients k are whatever a division strategy makes of them: any number of
   rounds that leaves a remainder the next split can use. *)

(* Definition E.2. The top of a turn: the last split cut b0's gap into a part of length p at the
   left and one of length q at the right; d is the distance to the left end of the whole. *)
Definition cut (s : conf) (d : Z) : Prop :=
  exists j l, 0 <= j < cu s /\ cu s <= j + cv s /\ b0 - A * j = d + l * D /\ 0 <= d < cp s + cq s.

Lemma cut_left s d : valid_conf s -> cut s d -> d < cp s -> located s InP d.
Proof.
  intros (_ & Hu & Hv & _) (j & l & Hj & Hj' & Hd & Hd0) Hp.
  exists j, l. repeat split; try lia.
Qed.

Lemma cut_right s d : valid_conf s -> cut s d -> cp s <= d -> located s InQ (d - cp s).
Proof.
  intros HV (j & l & Hj & Hj' & Hd & Hd0) Hp.
  destruct (height_v _ HV) as (m & Hm). destruct HV as (_ & Hu & Hv & _).
  exists (j + cv s), (l - m). repeat split; try lia; nia.
Qed.

(* Lemma E.10. The split of b0's own gap, of length p by q from the right, or of length q by p from
   the left, is again the top of a turn. *)
Lemma cut_p s d :
  valid_conf s -> cq s <= cp s -> located s InP d -> cut (split_p 1 s) d.
Proof.
  intros (_ & Hu & Hv & _) Hl (j & l & Hj & Hd & Hd0 & Hj' & Hd').
  exists j, l. unfold split_p; cbn [cu cv cp cq]. repeat split; lia.
Qed.

Lemma cut_q s d :
  valid_conf s -> cp s <= cq s -> located s InQ d -> cut (split_q 1 s) d.
Proof.
  intros (_ & Hu & Hv & _) Hl (j & l & Hj & Hd & Hd0 & Hj' & Hd').
  exists j, l. unfold split_q; cbn [cu cv cp cq]. repeat split; lia.
Qed.

Inductive verdict := Empty | MayHold.

(* One turn of 2016, Algorithm 1, with the remainder and the end of the orbit as in the code;
   `quotient` is the division strategy. None: the next turn. *)
Variable quotient : Z -> Z -> Z.
Hypothesis quotient_holds : forall a b, 0 <= a -> 0 < b -> quotient a b = a / b.

Fixpoint lefevre (fuel : nat) (N width : Z) (s : conf) (d : Z) : verdict :=
  match fuel with
  | O => MayHold
  | S fuel =>
      if d <? cp s then
        let s1 := split_q (quotient (cq s) (cp s)) s in
        if cq s1 =? 0 then Empty
        else if N <=? cu s1 + cv s1 then Empty
        else lefevre fuel N width (split_p 1 s1) d
      else
        let d := d - cp s in
        if d <? width then MayHold
        else
          let s1 := split_p (quotient (cp s) (cq s)) s in
          if cp s1 =? 0 then Empty
          else if N <=? cu s1 + cv s1 then Empty
          else lefevre fuel N width (split_q 1 s1) d
  end.

(* Theorem E.13. From the top of any turn, "empty" is true. *)
Theorem lefevre_sound fuel N width s d :
  valid_conf s -> 0 < cp s -> 0 < cq s -> cut s d -> width <= d ->
  lefevre fuel N width s d = Empty -> forall x, 0 <= x < N -> width <= distance x.
Proof.
  revert s d. induction fuel as [|fuel IH]; intros s d HV Hp Hq HC Hw E; [discriminate|].
  cbn [lefevre] in E. destruct (Z.ltb_spec d (cp s)) as [L | L].
  - (* b0 is in the part of length p *)
    pose proof (cut_left _ _ HV HC L) as HL.
    assert (HQ : quotient (cq s) (cp s) = cq s / cp s) by (apply quotient_holds; lia).
    rewrite HQ in E. set (k := cq s / cp s) in *.
    assert (Hk : 0 <= k) by (apply Z.div_pos; lia).
    assert (Hm : cq s = cp s * k + cq s mod cp s) by (apply Z.div_mod; lia).
    pose proof (Z.mod_pos_bound (cq s) (cp s) Hp) as Hr.
    assert (HV1 : valid_conf (split_q k s)) by (apply split_q_valid; try assumption; nia).
    assert (HL1 : located (split_q k s) InP d) by (apply split_q_in_p; assumption).
    destruct (Z.eqb_spec (cq (split_q k s)) 0) as [Z0 | NZ].
    + eapply empty_sound; eauto.
    + destruct (Z.leb_spec N (cu (split_q k s) + cv (split_q k s))) as [LN | LN].
      * eapply empty_sound; eauto.
      * assert (Hle : cq (split_q k s) < cp (split_q k s)) by (unfold split_q; cbn [cp cq]; nia).
        assert (Hq1 : 0 < cq (split_q k s)) by (destruct HV1 as (_ & _ & _ & _ & ?); lia).
        eapply IH; [| | | | | exact E].
        -- apply split_p_valid; [assumption | lia | lia].
        -- unfold split_p; cbn [cp]. lia.
        -- unfold split_p; cbn [cq]. lia.
        -- apply cut_p; [assumption | lia | assumption].
        -- assumption.
  - (* ... of length q *)
    destruct (Z.ltb_spec (d - cp s) width) as [W | W]; [discriminate|].
    pose proof (cut_right _ _ HV HC L) as HL.
    assert (HQ : quotient (cp s) (cq s) = cp s / cq s) by (apply quotient_holds; lia).
    rewrite HQ in E. set (k := cp s / cq s) in *.
    assert (Hk : 0 <= k) by (apply Z.div_pos; lia).
    assert (Hm : cp s = cq s * k + cp s mod cq s) by (apply Z.div_mod; lia).
    pose proof (Z.mod_pos_bound (cp s) (cq s) Hq) as Hr.
    assert (HV1 : valid_conf (split_p k s)) by (apply split_p_valid; try assumption; nia).
    assert (HL1 : located (split_p k s) InQ (d - cp s)) by (apply split_p_in_q; assumption).
    destruct (Z.eqb_spec (cp (split_p k s)) 0) as [Z0 | NZ].
    + eapply empty_sound; eauto.
    + destruct (Z.leb_spec N (cu (split_p k s) + cv (split_p k s))) as [LN | LN].
      * eapply empty_sound; eauto.
      * assert (Hle : cp (split_p k s) < cq (split_p k s)) by (unfold split_p; cbn [cp cq]; nia).
        assert (Hp1 : 0 < cp (split_p k s)) by (destruct HV1 as (_ & _ & _ & ? & _); lia).
        eapply IH; [| | | | | exact E].
        -- apply split_q_valid; [assumption | lia | lia].
        -- unfold split_q; cbn [cp]. lia.
        -- unfold split_q; cbn [cq]. lia.
        -- apply cut_q; [assumption | lia | assumption].
        -- assumption.
Qed.

(* The start of Lefevre's test: two points, 0 and 1. *)
Lemma lefevre_start :
  0 < A < D -> 0 <= b0 < D ->
  valid_conf (Conf 1 1 A (D - A)) /\ cut (Conf 1 1 A (D - A)) b0.
Proof.
  intros HA Hb. split.
  - split; [| cbn [cu cv cp cq]; lia]. exists 0, 1. unfold valid; cbn [u v p q m1 m2 cu cv cp cq]. lia.
  - exists 0, 0. cbn [cu cv cp cq]. lia.
Qed.

(* Theorem E.11 (Lefevre's test). *)
Theorem lefevre_test_sound fuel N width :
  0 < A < D -> 0 <= b0 < D -> width <= b0 ->
  lefevre fuel N width (Conf 1 1 A (D - A)) b0 = Empty ->
  forall x, 0 <= x < N -> width <= distance x.
Proof.
  intros HA Hb Hw E. destruct (lefevre_start HA Hb) as (HV & HC).
  eapply lefevre_sound; eauto; cbn; lia.
Qed.

(* One split at a time: what the test with subtractions only makes, and what a quotient, however it
   is taken, and several reductions of d at once are made of. *)

Inductive place := Top | Inside (w : gap).

(* Definition E.7. A run of single splits that ends in "empty": from the top of a turn, or inside of
   one. *)
Inductive run (N width : Z) : place -> conf -> Z -> Prop :=
  | run_left s d : d < cp s -> run N width (Inside InP) s d -> run N width Top s d
  | run_right s d : cp s <= d -> width <= d - cp s -> run N width (Inside InQ) s (d - cp s) -> run N width Top s d
  | run_other_q s d : cp s <= cq s -> run N width (Inside InP) (split_q 1 s) d -> run N width (Inside InP) s d
  | run_other_p s d : cq s <= cp s -> run N width (Inside InQ) (split_p 1 s) d -> run N width (Inside InQ) s d
  | run_own_p s d : cq s <= cp s -> run N width Top (split_p 1 s) d -> run N width (Inside InP) s d
  | run_own_q s d : cp s <= cq s -> run N width Top (split_q 1 s) d -> run N width (Inside InQ) s d
  | run_end w s d : N <= cu s + cv s \/ cp s = 0 \/ cq s = 0 \/ cp s = cq s -> run N width (Inside w) s d.

Definition stands (t : place) (s : conf) (d : Z) : Prop :=
  match t with Top => cut s d | Inside w => located s w d end.

(* Theorem E.26 (single splits). Whatever splits a run is made of, in whatever order, "empty" is
   true. *)
Theorem run_sound N width t s d :
  run N width t s d -> valid_conf s -> stands t s d -> width <= d -> forall x, 0 <= x < N -> width <= distance x.
Proof.
  intros H. induction H as [s d L _ IH | s d L Hw _ IH | s d L _ IH | s d L _ IH | s d L _ IH | s d L _ IH | w s d HE];
    intros HV HS Hd; cbn [stands] in *.
  - apply IH; [exact HV | apply cut_left; assumption | exact Hd].
  - apply IH; [exact HV | apply cut_right; assumption | exact Hw].
  - apply IH; [apply split_q_valid; [exact HV | lia | lia] | apply split_q_in_p; [exact HV | lia | exact HS] | exact Hd].
  - apply IH; [apply split_p_valid; [exact HV | lia | lia] | apply split_p_in_q; [exact HV | lia | exact HS] | exact Hd].
  - apply IH; [apply split_p_valid; [exact HV | lia | lia] | apply cut_p; assumption | exact Hd].
  - apply IH; [apply split_q_valid; [exact HV | lia | lia] | apply cut_q; assumption | exact Hd].
  - destruct HE as [HN | [HP | [HQ | HE]]]; [| | |destruct w].
    + apply (empty_sound s w d); [exact HV | exact HS | left; exact HN | exact Hd].
    + apply (empty_sound s w d); [exact HV | exact HS | right; left; exact HP | exact Hd].
    + apply (empty_sound s w d); [exact HV | exact HS | right; right; exact HQ | exact Hd].
    + apply (empty_sound (split_q 1 s) InP d); [apply split_q_valid; [exact HV | lia | lia] | apply split_q_in_p; [exact HV | lia | exact HS] | | exact Hd].
      right; right. unfold split_q; cbn [cq]. lia.
    + apply (empty_sound (split_p 1 s) InQ d); [apply split_p_valid; [exact HV | lia | lia] | apply split_p_in_q; [exact HV | lia | exact HS] | | exact Hd].
      right; left. unfold split_p; cbn [cp]. lia.
Qed.

(* 2012, Algorithm 1, with the code's end of the orbit: one subtraction after the other, with a look
   at the number of points before each. *)
Fixpoint subtractive (fuel : nat) (N width : Z) (t : place) (s : conf) (d : Z) : verdict :=
  match fuel with
  | O => MayHold
  | S fuel =>
      match t with
      | Top =>
          if d <? cp s then subtractive fuel N width (Inside InP) s d
          else if d - cp s <? width then MayHold
          else subtractive fuel N width (Inside InQ) s (d - cp s)
      | Inside w =>
          if N <=? cu s + cv s then Empty
          else if cp s =? cq s then Empty
          else match w, cp s <? cq s with
               | InP, true => subtractive fuel N width (Inside InP) (split_q 1 s) d
               | InP, false => subtractive fuel N width Top (split_p 1 s) d
               | InQ, true => subtractive fuel N width Top (split_q 1 s) d
               | InQ, false => subtractive fuel N width (Inside InQ) (split_p 1 s) d
               end
      end
  end.

Lemma subtractive_run fuel N width t s d : subtractive fuel N width t s d = Empty -> run N width t s d.
Proof.
  revert t s d. induction fuel as [|fuel IH]; intros t s d E; [discriminate|]. cbn [subtractive] in E. destruct t as [|w].
  - destruct (Z.ltb_spec d (cp s)); [apply run_left; [assumption | apply IH; exact E]|].
    destruct (Z.ltb_spec (d - cp s) width); [discriminate|]. apply run_right; [assumption | assumption | apply IH; exact E].
  - destruct (Z.leb_spec N (cu s + cv s)); [apply run_end; left; assumption|].
    destruct (Z.eqb_spec (cp s) (cq s)); [apply run_end; right; right; right; assumption|].
    destruct w; destruct (Z.ltb_spec (cp s) (cq s)).
    + apply run_other_q; [lia | apply IH; exact E].
    + apply run_own_p; [lia | apply IH; exact E].
    + apply run_own_q; [lia | apply IH; exact E].
    + apply run_other_p; [lia | apply IH; exact E].
Qed.

(* Corollary E.27 (subtractions only). *)
Theorem subtractive_test_sound fuel N width :
  0 < A < D -> 0 <= b0 < D -> width <= b0 ->
  subtractive fuel N width Top (Conf 1 1 A (D - A)) b0 = Empty ->
  forall x, 0 <= x < N -> width <= distance x.
Proof.
  intros HA Hb Hw E. destruct (lefevre_start HA Hb) as (HV & HC).
  apply (run_sound N width Top (Conf 1 1 A (D - A)) b0); [apply (subtractive_run fuel); exact E | exact HV | exact HC | exact Hw].
Qed.

(* The regular test: whole quotients, and d kept at every configuration. *)

(* The last quotient may be cut to any number of rounds that comes to N points: `rounds k needed` is
   k (whole) or less (trimmed). *)
Variable rounds : Z -> Z -> Z.
Hypothesis rounds_hold :
  forall k needed, 0 <= k -> Z.min k needed <= rounds k needed /\ 0 <= rounds k needed <= k.

Definition ceil (a b : Z) : Z := - ((- a) / b).

(* d after t rounds of a split *)
Definition after_q (t : Z) (s : conf) (w : gap) (d : Z) : gap * Z :=
  match w with
  | InP => (InP, d)
  | InQ => if d <? t * cp s then (InP, d mod cp s) else (InQ, d - t * cp s)
  end.

Definition after_p (t : Z) (s : conf) (w : gap) (d : Z) : gap * Z :=
  match w with
  | InQ => (InQ, d)
  | InP => let r := cp s - t * cq s in if d <? r then (InP, d) else (InQ, (d - r) mod cq s)
  end.

Fixpoint regular (fuel : nat) (N width : Z) (s : conf) (w : gap) (d : Z) : verdict :=
  match fuel with
  | O => MayHold
  | S fuel =>
      if cp s <? cq s then
        let k := quotient (cq s) (cp s) in
        let s1 := split_q k s in
        if ((cq s1 =? 0) || (N <=? cu s1 + cv s1))%bool then
          let t := rounds k (ceil (N - cu s - cv s) (cv s)) in
          if snd (after_q t s w d) <? width then MayHold else Empty
        else let wd := after_q k s w d in regular fuel N width s1 (fst wd) (snd wd)
      else
        let k := quotient (cp s) (cq s) in
        let s1 := split_p k s in
        if ((cp s1 =? 0) || (N <=? cu s1 + cv s1))%bool then
          let t := rounds k (ceil (N - cu s - cv s) (cu s)) in
          if snd (after_p t s w d) <? width then MayHold else Empty
        else let wd := after_p k s w d in regular fuel N width s1 (fst wd) (snd wd)
  end.

Lemma after_q_located t s w d :
  valid_conf s -> 0 < cp s -> 0 <= t -> t * cp s <= cq s -> located s w d ->
  located (split_q t s) (fst (after_q t s w d)) (snd (after_q t s w d)).
Proof.
  intros HV Hp Ht Hl HL. destruct w; cbn [after_q fst snd].
  - apply split_q_in_p; assumption.
  - destruct (Z.ltb_spec d (t * cp s)) as [L | L]; cbn [fst snd].
    + apply split_q_in_q_mod; assumption.
    + pose proof (split_q_in_q t t s d HV ltac:(lia) ltac:(lia) ltac:(lia) HL) as H.
      rewrite Z.ltb_irrefl in H. exact H.
Qed.

Lemma after_p_located t s w d :
  valid_conf s -> 0 < cq s -> 0 <= t -> t * cq s <= cp s -> located s w d ->
  located (split_p t s) (fst (after_p t s w d)) (snd (after_p t s w d)).
Proof.
  intros HV Hq Ht Hl HL. destruct w; cbn [after_p fst snd].
  - destruct (Z.ltb_spec d (cp s - t * cq s)) as [L | L]; cbn [fst snd].
    + apply split_p_in_p_rest; assumption.
    + apply split_p_in_p_mod; assumption.
  - apply split_p_in_q; assumption.
Qed.

Lemma ceil_enough a b t : 0 < b -> ceil a b <= t -> a <= t * b.
Proof.
  intros Hb Ht. unfold ceil in Ht.
  pose proof (Z.div_mod (- a) b ltac:(lia)). pose proof (Z.mod_pos_bound (- a) b Hb). nia.
Qed.

(* Rounds that come to N points, or all that there are if these do. a is what a round does not
   change. *)
Lemma enough_rounds N a b k t :
  0 < b -> N <= a + k * b + b -> 0 <= t -> Z.min k (ceil (N - a - b) b) <= t -> t <= k ->
  N <= a + t * b + b.
Proof.
  intros Hb HN Ht Hmin Htk.
  destruct (Z.le_gt_cases k (ceil (N - a - b) b)).
  - assert (t = k) by lia. subst t. assumption.
  - pose proof (ceil_enough (N - a - b) b t Hb ltac:(lia)). lia.
Qed.

(* The last quotient: N points are there, or the orbit is complete with all k rounds. *)
Lemma rounds_end N a b k t r :
  0 < b -> Z.min k (ceil (N - a - b) b) <= t -> 0 <= t <= k ->
  ((r =? 0) || (N <=? a + k * b + b))%bool = true ->
  N <= a + t * b + b \/ (t = k /\ r = 0).
Proof.
  intros Hb Hmin Ht HE. apply Bool.orb_true_iff in HE. destruct HE as [HE | HE].
  - apply Z.eqb_eq in HE. destruct (Z.le_gt_cases k (ceil (N - a - b) b)).
    + right. lia.
    + left. pose proof (ceil_enough (N - a - b) b t Hb ltac:(lia)). lia.
  - left. apply Z.leb_le in HE. apply (enough_rounds _ _ _ k); lia.
Qed.

(* Theorem E.14. From any configuration, "empty" is true. *)
Theorem regular_sound fuel N width s w d :
  valid_conf s -> 0 < cp s -> 0 < cq s -> cp s < cq s \/ 0 < cu s -> located s w d ->
  regular fuel N width s w d = Empty -> forall x, 0 <= x < N -> width <= distance x.
Proof.
  revert s w d. induction fuel as [|fuel IH]; intros s w d HV Hp Hq Hs HL E; [discriminate|].
  cbn [regular] in E. pose proof HV as (_ & Hu0 & Hv & _ & _).
  destruct (Z.ltb_spec (cp s) (cq s)) as [L | L].
  - assert (HQ : quotient (cq s) (cp s) = cq s / cp s) by (apply quotient_holds; lia).
    rewrite HQ in E. set (k := cq s / cp s) in *.
    assert (Hk : 0 <= k) by (apply Z.div_pos; lia).
    assert (Hm : cq s = cp s * k + cq s mod cp s) by (apply Z.div_mod; lia).
    pose proof (Z.mod_pos_bound (cq s) (cp s) Hp) as Hr.
    assert (HV1 : forall t, 0 <= t <= k -> valid_conf (split_q t s))
      by (intros; apply split_q_valid; try assumption; nia).
    assert (HL1 : forall t, 0 <= t <= k ->
              located (split_q t s) (fst (after_q t s w d)) (snd (after_q t s w d)))
      by (intros; apply after_q_located; try assumption; nia).
    destruct ((cq (split_q k s) =? 0) || (N <=? cu (split_q k s) + cv (split_q k s)))%bool eqn:End.
      * set (t := rounds k (ceil (N - cu s - cv s) (cv s))) in *.
        destruct (Z.ltb_spec (snd (after_q t s w d)) width); [discriminate|].
        destruct (rounds_hold k (ceil (N - cu s - cv s) (cv s)) Hk) as (R1 & R2). fold t in R1, R2.
        apply (empty_sound (split_q t s) (fst (after_q t s w d)) (snd (after_q t s w d)));
          [apply HV1; lia | apply HL1; lia | | assumption].
        unfold split_q in *; cbn [cu cv cp cq] in *.
        destruct (rounds_end N (cu s) (cv s) k t (cq s - k * cp s) Hv R1 R2 End) as [HN | (-> & HZ)];
          [left; exact HN | right; right; exact HZ].
      * apply Bool.orb_false_iff in End. destruct End as (EndZ & EndN).
        apply Z.eqb_neq in EndZ. apply Z.leb_gt in EndN.
        cbv zeta in E. eapply IH; [apply (HV1 k); lia | | | | apply (HL1 k); lia | exact E].
        -- unfold split_q; cbn [cp]. lia.
        -- destruct (HV1 k ltac:(lia)) as (_ & _ & _ & _ & ?). lia.
        -- right. unfold split_q; cbn [cu]. assert (1 <= k) by (apply Z.div_le_lower_bound; lia). nia.
  - assert (Hu : 0 < cu s) by lia. destruct (Z.eq_dec (cp s) (cq s)) as [Eq | Ne].
    2: assert (L' : cq s < cp s) by lia.
    all: assert (HQ : quotient (cp s) (cq s) = cp s / cq s) by (apply quotient_holds; lia).
    all: rewrite HQ in E; set (k := cp s / cq s) in *.
    all: assert (Hk : 0 <= k) by (apply Z.div_pos; lia).
    all: assert (Hm : cp s = cq s * k + cp s mod cq s) by (apply Z.div_mod; lia).
    all: pose proof (Z.mod_pos_bound (cp s) (cq s) Hq) as Hr.
    all: assert (HV1 : forall t, 0 <= t <= k -> valid_conf (split_p t s))
      by (intros; apply split_p_valid; try assumption; nia).
    all: assert (HL1 : forall t, 0 <= t <= k ->
              located (split_p t s) (fst (after_p t s w d)) (snd (after_p t s w d)))
      by (intros; apply after_p_located; try assumption; nia).
    all: destruct ((cp (split_p k s) =? 0) || (N <=? cu (split_p k s) + cv (split_p k s)))%bool eqn:End.
    1, 3: set (t := rounds k (ceil (N - cu s - cv s) (cu s))) in *;
      destruct (Z.ltb_spec (snd (after_p t s w d)) width); [discriminate|];
      destruct (rounds_hold k (ceil (N - cu s - cv s) (cu s)) Hk) as (R1 & R2); fold t in R1, R2;
      apply (empty_sound (split_p t s) (fst (after_p t s w d)) (snd (after_p t s w d)));
        [apply HV1; lia | apply HL1; lia | | assumption];
      unfold split_p in *; cbn [cu cv cp cq] in *;
      replace (N - cu s - cv s) with (N - cv s - cu s) in R1 by lia;
      replace (cu s + (cv s + k * cu s)) with (cv s + k * cu s + cu s) in End by lia;
      destruct (rounds_end N (cv s) (cu s) k t (cp s - k * cq s) Hu R1 R2 End) as [HN | (-> & HZ)];
      [left; lia | right; left; exact HZ].
    all: apply Bool.orb_false_iff in End; destruct End as (EndZ & EndN);
      apply Z.eqb_neq in EndZ; apply Z.leb_gt in EndN.
    all: cbv zeta in E; eapply IH; [apply (HV1 k); lia | | | | apply (HL1 k); lia | exact E].
    1, 4: destruct (HV1 k ltac:(lia)) as (_ & _ & _ & ? & _); lia.
    1, 3: unfold split_p; cbn [cq]; lia.
    all: right; unfold split_p; cbn [cu]; lia.
Qed.

(* The corrected start, (u, v) = (0, 1): the point 0, and a gap of the length of the circle. *)
Lemma regular_start :
  0 < A < D -> 0 <= b0 < D -> valid_conf (Conf 0 1 A D) /\ located (Conf 0 1 A D) InQ b0.
Proof.
  intros HA Hb. split.
  - split; [| cbn [cu cv cp cq]; lia].
    exists 0, 1. unfold valid; cbn [u v p q m1 m2 cu cv cp cq]. lia.
  - exists 0, 0. cbn [cu cv cp cq]. lia.
Qed.

(* Theorem E.12 (regular test). *)
Theorem regular_test_sound fuel N width :
  0 < A < D -> 0 <= b0 < D ->
  regular fuel N width (Conf 0 1 A D) InQ b0 = Empty ->
  forall x, 0 <= x < N -> width <= distance x.
Proof.
  intros HA Hb E. destruct (regular_start HA Hb) as (HV & HL).
  eapply regular_sound; eauto; cbn; lia.
Qed.

(* The printed start, (u, v) = (1, 0) with the lengths A and 1, has counts that are too small. *)
Lemma printed_start_violates : 0 < A < D -> 1 * A + 0 * D <> D.
Proof. lia. Qed.

(* The regular test as the lanes have it: they do not know in which kind of gap b0 is, and their
   quotients may be too small.

   Configurations come one after the other: the longer length is split by the shorter one. What the
   lanes keep is the distance to the nearest point of their configuration or of a later one. *)

Definition next (s : conf) : conf := if cp s <=? cq s then split_q 1 s else split_p 1 s.
Fixpoint later (n : nat) (s : conf) : conf := match n with O => s | S n => later n (next s) end.

Lemma later_add n m s : later (n + m) s = later m (later n s).
Proof. revert s. induction n as [|n IH]; intros s; cbn [Nat.add later]; [reflexivity | apply IH]. Qed.

Lemma later_grows n s :
  valid_conf s ->
  valid_conf (later n s) /\ cp (later n s) <= cp s /\ cq (later n s) <= cq s /\
  cu s + cv s <= cu (later n s) + cv (later n s) /\ (cq s = 0 -> cq (later n s) = 0).
Proof.
  revert s. induction n as [|n IH]; intros s HV; cbn [later]; [split; [exact HV | lia]|].
  assert (HN : valid_conf (next s) /\ cp (next s) <= cp s /\ cq (next s) <= cq s /\
               cu s + cv s <= cu (next s) + cv (next s) /\ (cq s = 0 -> cq (next s) = 0)).
  { pose proof HV as (_ & Hu & Hv & Hp & Hq). unfold next. destruct (Z.leb_spec (cp s) (cq s)).
    - split; [apply split_q_valid; [assumption | lia | lia]|]. unfold split_q; cbn [cu cv cp cq]. lia.
    - split; [apply split_p_valid; [assumption | lia | lia]|]. unfold split_p; cbn [cu cv cp cq]. lia. }
  destruct HN as (HV' & H1 & H2 & H3 & H4). destruct (IH _ HV') as (I0 & I1 & I2 & I3 & I4).
  split; [exact I0 | lia].
Qed.

Lemma later_q t s : 0 <= t -> t * cp s <= cq s -> 0 <= cp s -> later (Z.to_nat t) s = split_q t s.
Proof.
  intros Ht Hl Hp. rewrite <- (Z2Nat.id t) in Hl |- * at 2 by assumption. clear Ht.
  induction (Z.to_nat t) as [|n IH].
  - cbn [later]. destruct s. unfold split_q; cbn [cu cv cp cq]. f_equal; ring.
  - rewrite <- Nat.add_1_r, later_add, IH by nia. cbn [later]. unfold next.
    rewrite Nat2Z.inj_add in *. unfold split_q; cbn [cu cv cp cq].
    destruct (Z.leb_spec (cp s) (cq s - Z.of_nat n * cp s)); [f_equal; lia | lia].
Qed.

Lemma later_p t s : 0 <= t -> t * cq s < cp s \/ t = 0 -> 0 <= cq s -> later (Z.to_nat t) s = split_p t s.
Proof.
  intros Ht Hl Hq. rewrite <- (Z2Nat.id t) in Hl |- * at 2 by assumption. clear Ht.
  induction (Z.to_nat t) as [|n IH].
  - cbn [later]. destruct s. unfold split_p; cbn [cu cv cp cq]. f_equal; ring.
  - rewrite <- Nat.add_1_r, later_add, IH by nia. cbn [later]. unfold next.
    rewrite Nat2Z.inj_add in *. unfold split_p; cbn [cu cv cp cq].
    destruct (Z.leb_spec (cp s - Z.of_nat n * cq s) (cq s)); [lia | f_equal; lia].
Qed.

(* Definition E.3. What a lane's d is: the distance to the nearest point of a configuration that is
   not before the lane's, or of all. *)
Definition ahead (s : conf) (d : Z) : Prop :=
  0 <= d /\ ((exists n w, located (later n s) w d) \/ forall x, d <= distance x).

Lemma located_below s w d : located s w d -> 0 <= d < Z.max (cp s) (cq s).
Proof. intros (j & l & _ & _ & H & Hw). destruct w; destruct Hw; lia. Qed.

(* Lemma E.15. d modulo p, after any number of rounds k <= q/p. *)
Lemma ahead_q k s d :
  valid_conf s -> 0 < cp s -> 0 <= k -> k * cp s <= cq s -> ahead s d -> ahead (split_q k s) (d mod cp s).
Proof.
  intros HV Hp Hk Hl (Hd & HA). pose proof HV as (_ & _ & _ & _ & Hq).
  pose proof (Z.mod_pos_bound d (cp s) Hp) as Hm. split; [lia|].
  destruct HA as [(n & w & HL) | HA].
  2: { right. intros x. pose proof (HA x). pose proof (Z.mod_le d (cp s) Hd Hp). lia. }
  left. set (K := cq s / cp s).
  assert (HK : cq s = cp s * K + cq s mod cp s) by (apply Z.div_mod; lia).
  pose proof (Z.mod_pos_bound (cq s) (cp s) Hp) as Hr.
  assert (HkK : k <= K) by nia. assert (HK0 : 0 <= K) by lia.
  assert (Hchain : forall t, 0 <= t <= K -> later (Z.to_nat t) s = split_q t s) by (intros; apply later_q; nia).
  destruct (Nat.le_gt_cases n (Z.to_nat K)) as [Ln | Ln].
  - (* the same gaps: whole rounds from there *)
    set (t := Z.of_nat n). assert (Ht : 0 <= t <= K) by (unfold t; lia).
    replace n with (Z.to_nat t) in HL by (unfold t; lia). rewrite Hchain in HL by assumption.
    assert (HVt : valid_conf (split_q t s)) by (apply split_q_valid; [assumption | lia | nia]).
    exists (Z.to_nat (K - k)), (fst (after_q (K - t) (split_q t s) w d)).
    assert (HE : later (Z.to_nat (K - k)) (split_q k s) = split_q (K - t) (split_q t s)).
    { rewrite <- Hchain, <- later_add by lia.
      replace (Z.to_nat k + Z.to_nat (K - k))%nat with (Z.to_nat K) by lia. rewrite Hchain by lia.
      unfold split_q; cbn [cu cv cp cq]. f_equal; ring. }
    rewrite HE.
    pose proof (after_q_located (K - t) (split_q t s) w d HVt Hp ltac:(lia)
                  ltac:(unfold split_q; cbn [cp cq]; nia) HL) as H.
    assert (HD : snd (after_q (K - t) (split_q t s) w d) = d mod cp s).
    { pose proof HL as HL'. destruct HL' as (j & l & _ & _ & _ & Hw).
      unfold after_q, split_q in *; cbn [cu cv cp cq] in *. destruct w.
      - cbn [snd]. symmetry. apply Z.mod_small. lia.
      - destruct (Z.ltb_spec d ((K - t) * cp s)); cbn [snd]; [reflexivity|].
        apply Z.mod_unique with (K - t); [left; nia | ring]. }
    rewrite HD in H. exact H.
  - (* later gaps are shorter than p *)
    assert (HE : later n s = later (n - Z.to_nat K) (split_q K s)).
    { rewrite <- (Hchain K) by lia. rewrite <- later_add. f_equal. lia. }
    assert (HVK : valid_conf (split_q K s)) by (apply split_q_valid; [assumption | lia | nia]).
    destruct (later_grows (n - Z.to_nat K) _ HVK) as (_ & G1 & G2 & _).
    rewrite <- HE in G1, G2. unfold split_q in G1, G2; cbn [cp cq] in G1, G2.
    pose proof (located_below _ _ _ HL) as HB.
    rewrite Z.mod_small by nia.
    exists (n - Z.to_nat k)%nat, w.
    rewrite <- (Hchain k) by lia. rewrite <- later_add.
    replace (Z.to_nat k + (n - Z.to_nat k))%nat with n by lia. exact HL.
Qed.

(* Lemma E.16. d in the other half of a turn: `if d >= p then (d - p) mod q`, after any number of
   rounds k <= p/q. *)
Lemma ahead_p k s d :
  valid_conf s -> 0 < cp s -> 0 < cq s -> 0 <= k -> k * cq s <= cp s -> ahead s d ->
  ahead (split_p k s) (let p := cp s - k * cq s in if p <=? d then (d - p) mod cq s else d).
Proof.
  intros HV Hp Hq Hk Hl (Hd & HA). cbv zeta. set (p1 := cp s - k * cq s).
  assert (HVt : forall t, 0 <= t -> t * cq s <= cp s -> valid_conf (split_p t s))
    by (intros; apply split_p_valid; assumption).
  assert (Hmod : 0 <= (if p1 <=? d then (d - p1) mod cq s else d) <= d).
  { destruct (Z.leb_spec p1 d); [|lia].
    pose proof (Z.mod_pos_bound (d - p1) (cq s) Hq). pose proof (Z.mod_le (d - p1) (cq s) ltac:(lia) Hq). unfold p1 in *. lia. }
  split; [apply Hmod|].
  destruct HA as [(n & w & HL) | HA].
  2: { right. intros x. pose proof (HA x). lia. }
  pose proof (located_below _ _ _ HL) as HB.
  assert (Hchain : forall t, 0 <= t -> t * cq s < cp s \/ t = 0 -> later (Z.to_nat t) s = split_p t s)
    by (intros; apply later_p; lia).
  destruct (Z.eq_dec p1 0) as [Z1 | N1].
  - (* the orbit is complete *)
    right. assert (HVk : valid_conf (split_p k s)) by (apply HVt; assumption).
    assert (Hk1 : 1 <= k) by (unfold p1 in Z1; nia).
    destruct (Nat.le_gt_cases n (Z.to_nat (k - 1))) as [Ln | Ln].
    + set (t := Z.of_nat n). replace n with (Z.to_nat t) in HL by (unfold t; lia).
      assert (Ht : 0 <= t <= k - 1) by (unfold t; lia).
      rewrite Hchain in HL by (try left; unfold p1 in *; nia).
      assert (HVt' : valid_conf (split_p t s)) by (apply HVt; unfold p1 in *; nia).
      assert (HE : split_p (k - t) (split_p t s) = split_p k s) by (unfold split_p; cbn [cu cv cp cq]; f_equal; ring).
      rewrite Z1. replace (0 <=? d) with true by (symmetry; apply Z.leb_le; lia).
      assert (HL1 : exists w', located (split_p k s) w' ((d - 0) mod cq s)).
      { rewrite <- HE. exists InQ. destruct w.
        - replace ((d - 0) mod cq s) with ((d - (cp (split_p t s) - (k - t) * cq (split_p t s))) mod cq (split_p t s)).
          + apply split_p_in_p_mod; try assumption; unfold split_p; cbn [cp cq]; unfold p1 in *; nia.
          + unfold split_p; cbn [cp cq]. f_equal. unfold p1 in *. nia.
        - pose proof HL as (j & l & _ & _ & _ & _ & Hdq). unfold split_p in Hdq; cbn [cq] in Hdq.
          rewrite Z.mod_small by lia. replace (d - 0) with d by ring.
          apply split_p_in_q; [assumption | lia | exact HL]. }
      destruct HL1 as (w' & HL1). apply (located_nearest_of_all _ _ _ HVk HL1). left.
      unfold split_p; cbn [cp]. unfold p1 in Z1. lia.
    + (* beyond the last but one configuration, which is that of two equal lengths *)
      set (s0 := split_p (k - 1) s).
      assert (H0 : later (Z.to_nat (k - 1)) s = s0) by (apply Hchain; unfold p1 in *; nia).
      assert (HV0 : valid_conf s0) by (apply HVt; unfold p1 in *; nia).
      assert (Hs0 : cp s0 = cq s0) by (unfold s0, split_p; cbn [cp cq]; unfold p1 in *; nia).
      assert (HE : later n s = later (n - Z.to_nat k) (split_q 1 s0)).
      { replace n with (Z.to_nat (k - 1) + S (n - Z.to_nat k))%nat at 1 by lia.
        rewrite later_add, H0. cbn [later]. unfold next.
        destruct (Z.leb_spec (cp s0) (cq s0)); [reflexivity | lia]. }
      assert (HV1 : valid_conf (split_q 1 s0)) by (apply split_q_valid; [assumption | lia | lia]).
      assert (HZ : cq (split_q 1 s0) = 0) by (unfold split_q; cbn [cq]; lia).
      destruct (later_grows (n - Z.to_nat k) _ HV1) as (HVn & _ & _ & _ & G). rewrite <- HE in HVn, G.
      intros x. pose proof (located_nearest_of_all _ _ _ HVn HL (or_intror (G HZ)) x). lia.
  - assert (Hlt : k * cq s < cp s) by (unfold p1 in *; lia).
    assert (Hpos : 0 < p1) by (unfold p1 in *; lia).
    left. assert (HV1 : valid_conf (split_p k s)) by (apply HVt; lia).
    assert (H1 : later (Z.to_nat k) s = split_p k s) by (apply Hchain; lia).
    (* from b0 in a gap of length q: one point more *)
    assert (Hmore : forall m, valid_conf (later m (split_p k s)) -> cp (later m (split_p k s)) = p1 ->
              located (later m (split_p k s)) InQ d -> p1 <= d -> d - p1 < cq s ->
              exists n w, located (later n (split_p k s)) w ((d - p1) mod cq s)).
    { intros m HVm Ep HLm Hle Hls. exists (m + 1)%nat, InQ. rewrite later_add. cbn [later]. unfold next.
      pose proof HLm as (j & l & _ & _ & _ & _ & Hdq).
      destruct (Z.leb_spec (cp (later m (split_p k s))) (cq (later m (split_p k s)))); [|lia].
      rewrite Z.mod_small by lia.
      pose proof (split_q_in_q 1 1 _ d HVm ltac:(lia) ltac:(lia) ltac:(lia) HLm) as H2.
      rewrite Z.ltb_irrefl in H2. rewrite Ep in H2. replace (d - p1) with (d - 1 * p1) by ring. exact H2. }
    destruct (Nat.le_gt_cases n (Z.to_nat k)) as [Ln | Ln].
    + set (t := Z.of_nat n). replace n with (Z.to_nat t) in HL by (unfold t; lia).
      assert (Ht : 0 <= t <= k) by (unfold t; lia).
      rewrite Hchain in HL by (try left; nia).
      assert (HVt' : valid_conf (split_p t s)) by (apply HVt; nia).
      assert (HE : split_p (k - t) (split_p t s) = split_p k s) by (unfold split_p; cbn [cu cv cp cq]; f_equal; ring).
      assert (Ep : cp (split_p t s) - (k - t) * cq (split_p t s) = p1)
        by (unfold split_p; cbn [cp cq]; unfold p1; ring).
      destruct w.
      * exists O. destruct (Z.leb_spec p1 d) as [L | L].
        -- exists InQ. cbn [later]. rewrite <- HE, <- Ep.
           apply (split_p_in_p_mod (k - t) (split_p t s) d); try assumption; unfold split_p; cbn [cp cq]; try lia; unfold p1 in *; nia.
        -- exists InP. cbn [later]. rewrite <- HE.
           apply split_p_in_p_rest; [assumption | lia | lia | exact HL].
      * assert (HLk : located (split_p k s) InQ d) by (rewrite <- HE; apply split_p_in_q; [assumption | lia | exact HL]).
        destruct (Z.leb_spec p1 d) as [L | L]; [|exists O, InQ; exact HLk].
        pose proof HLk as (j & l & _ & _ & _ & _ & Hdq). unfold split_p in Hdq; cbn [cq] in Hdq.
        apply (Hmore O); cbn [later]; try assumption; [reflexivity | lia].
    + set (m := (n - Z.to_nat k)%nat).
      assert (HE : later n s = later m (split_p k s)).
      { rewrite <- H1, <- later_add. f_equal. unfold m. lia. }
      rewrite HE in HL, HB.
      destruct (later_grows m _ HV1) as (HVm & G1 & G2 & _). change (cp (split_p k s)) with p1 in G1.
      change (cq (split_p k s)) with (cq s) in G2.
      destruct (Z.leb_spec p1 d) as [L | L]; [|exists m, w; exact HL].
      (* p is as long as it was, and d is in a gap of length q *)
      assert (Hw : w = InQ).
      { destruct w; [|reflexivity]. destruct HL as (j & l & _ & _ & _ & _ & Hdp). lia. }
      subst w. pose proof HL as (j & l & _ & _ & _ & _ & Hdq).
      apply (Hmore m); try assumption; [|lia].
      (* else q is below p1 *)
      destruct (Z.eq_dec (cp (later m (split_p k s))) p1) as [|Ne]; [assumption | exfalso].
      clear - circle Hq Hpos HV1 Ne Hdq L G1.
      assert (I : forall m s1, valid_conf s1 -> 0 < cp s1 -> cp (later m s1) < cp s1 -> cq (later m s1) <= cp s1).
      { clear - circle. induction m as [|m IH]; intros s1 HV Hp Hlt; cbn [later] in *; [lia|].
        pose proof HV as (_ & _ & _ & _ & Hq). unfold next in *.
        destruct (Z.leb_spec (cp s1) (cq s1)) as [L | L].
        - assert (HV' : valid_conf (split_q 1 s1)) by (apply split_q_valid; [assumption | lia | lia]).
          exact (IH (split_q 1 s1) HV' Hp Hlt).
        - assert (HV' : valid_conf (split_p 1 s1)) by (apply split_p_valid; [assumption | lia | lia]).
          destruct (later_grows m _ HV') as (_ & _ & G & _). change (cq (split_p 1 s1)) with (cq s1) in G. lia. }
      pose proof (I m (split_p k s) HV1 Hpos ltac:(change (cp (split_p k s)) with p1; lia)) as H.
      change (cp (split_p k s)) with p1 in H. lia.
Qed.

(* A turn of the lanes; `less a b` is any number of rounds up to a/b. A lane is done when it has N
   points, or a length of 0. *)
Variable less : Z -> Z -> Z.
Hypothesis less_holds : forall a b, 0 <= a -> 0 < b -> 0 <= less a b /\ less a b * b <= a.

Definition answer (width d : Z) : verdict := if width <=? d then Empty else MayHold.

Fixpoint lane (turns : nat) (N width : Z) (s : conf) (d : Z) : verdict :=
  match turns with
  | O => MayHold
  | S turns =>
      let s1 := split_q (less (cq s) (cp s)) s in
      let d1 := d mod cp s in
      if ((cq s1 =? 0) || (N <=? cu s1 + cv s1))%bool then answer width d1
      else
        let s2 := split_p (less (cp s1) (cq s1)) s1 in
        let d2 := if cp s2 <=? d1 then (d1 - cp s2) mod cq s1 else d1 in
        if N <=? cu s2 + cv s2 then answer width d2
        else if cp s2 =? 0 then MayHold
        else lane turns N width s2 d2
  end.

Lemma ahead_empty s d N width :
  valid_conf s -> ahead s d -> cq s = 0 \/ N <= cu s + cv s -> answer width d = Empty ->
  forall x, 0 <= x < N -> width <= distance x.
Proof.
  intros HV (_ & HA) HN E x Hx. unfold answer in E. destruct (Z.leb_spec width d) as [L | L]; [|discriminate].
  destruct HA as [(n & w & HL) | HA]; [|pose proof (HA x); lia].
  destruct (later_grows n s HV) as (HVn & _ & _ & G & GZ).
  apply (empty_sound _ _ _ _ N HVn HL); [|assumption|assumption].
  destruct HN as [HZ | HN]; [right; right; apply GZ, HZ | left; lia].
Qed.

(* Theorem E.17 (quotients that are too small do not matter). In lanes "empty" is true whatever the
   quotients are, as long as none is too large and d is reduced exactly. *)
Theorem lane_sound turns N width s d :
  valid_conf s -> 0 < cp s -> 0 < cq s -> ahead s d ->
  lane turns N width s d = Empty -> forall x, 0 <= x < N -> width <= distance x.
Proof.
  revert s d. induction turns as [|turns IH]; intros s d HV Hp Hq HA E; [discriminate|].
  cbn [lane] in E. set (k := less (cq s) (cp s)) in *.
  destruct (less_holds (cq s) (cp s) ltac:(lia) Hp) as (Hk & Hkl). fold k in Hk, Hkl.
  pose proof (ahead_q k s d HV Hp Hk Hkl HA) as HA1.
  assert (HV1 : valid_conf (split_q k s)) by (apply split_q_valid; assumption).
  set (s1 := split_q k s) in *. set (d1 := d mod cp s) in *.
  destruct ((cq s1 =? 0) || (N <=? cu s1 + cv s1))%bool eqn:End.
  - apply Bool.orb_true_iff in End.
    apply (ahead_empty s1 d1); try assumption.
    destruct End as [Z0 | L]; [left; apply Z.eqb_eq; assumption | right; apply Z.leb_le; assumption].
  - apply Bool.orb_false_iff in End. destruct End as (NZ & _). apply Z.eqb_neq in NZ.
    assert (Hq1 : 0 < cq s1) by (pose proof HV1 as (_ & _ & _ & _ & ?); lia).
    assert (Hp1 : 0 < cp s1) by exact Hp.
    set (k2 := less (cp s1) (cq s1)) in *.
    destruct (less_holds (cp s1) (cq s1) ltac:(lia) Hq1) as (Hk2 & Hkl2). fold k2 in Hk2, Hkl2.
    pose proof (ahead_p k2 s1 d1 HV1 Hp1 Hq1 Hk2 Hkl2 HA1) as HA2. cbv zeta in HA2.
    assert (HV2 : valid_conf (split_p k2 s1)) by (apply split_p_valid; assumption).
    change (cp (split_p k2 s1)) with (cp s1 - k2 * cq s1) in E.
    set (d2 := if cp s1 - k2 * cq s1 <=? d1 then (d1 - (cp s1 - k2 * cq s1)) mod cq s1 else d1) in *.
    destruct (Z.leb_spec N (cu (split_p k2 s1) + cv (split_p k2 s1))) as [L | L].
    + apply (ahead_empty (split_p k2 s1) d2); try assumption. right. assumption.
    + destruct (Z.eqb_spec (cp s1 - k2 * cq s1) 0) as [Z0 | NZ2]; [discriminate|].
      apply (IH (split_p k2 s1) d2); try assumption.
      unfold split_p; cbn [cp]. pose proof HV2 as (_ & _ & _ & H & _). unfold split_p in H; cbn [cp] in H. lia.
Qed.

(* Theorem E.18 (the lanes' regular test), from the corrected start. *)
Theorem lane_test_sound turns N width :
  0 < A < D -> 0 <= b0 < D ->
  lane turns N width (Conf 0 1 A D) b0 = Empty ->
  forall x, 0 <= x < N -> width <= distance x.
Proof.
  intros HA Hb E. destruct (regular_start HA Hb) as (HV & HL).
  eapply lane_sound; eauto; cbn [cp cq]; try lia.
  split; [lia|]. left. exists O, InQ. exact HL.
Qed.

(* Lefevre's test as the lanes have it, with masks or with swap: runs of points that fall one after
   the other into b0's gap are taken at once, on either side, and may be too short; the split's
   quotient is exact, or so huge that it ends the test. *)

Variable at_left : Z -> Z -> Z.
Hypothesis at_left_holds : forall a b, 0 <= a -> 0 < b -> 0 <= at_left a b /\ at_left a b * b <= a.

Variable at_right : conf -> Z -> Z.
Hypothesis at_right_holds : forall s d,
  0 <= at_right s d /\ (at_right s d = 0 \/ Z.max d (cq s) < cp s - (at_right s d - 1) * cq s).

Variable divided : Z -> Z -> Z.
Variable N : Z.
Hypothesis divided_holds : forall a b, 0 <= a -> 0 < b ->
  0 <= divided a b /\ divided a b * b <= a /\ (a - divided a b * b < b \/ N <= divided a b).

Fixpoint lefevre_lane (turns : nat) (width : Z) (s : conf) (d : Z) : verdict :=
  match turns with
  | O => MayHold
  | S turns =>
      if cp s <=? d then
        let k := at_left (d - cp s) (cp s) in
        let s1 := split_q k s in
        let d1 := d - cp s - k * cp s in
        if d1 <? width then MayHold
        else
          let s2 := split_p (divided (cp s1) (cq s1)) s1 in
          if ((cp s2 =? 0) || (N <=? cu s2 + cv s2))%bool then Empty
          else lefevre_lane turns width (split_q 1 s2) d1
      else
        let s1 := split_q (divided (cq s) (cp s)) s in
        if ((cq s1 =? 0) || (N <=? cu s1 + cv s1))%bool then Empty
        else
          let s2 := split_p 1 s1 in
          lefevre_lane turns width (split_p (at_right s2 d) s2) d
  end.

(* Points at the right of b0, one after the other. *)
Lemma cut_p_times k s d :
  valid_conf s -> 0 <= k -> k = 0 \/ Z.max d (cq s) < cp s - (k - 1) * cq s -> cut s d ->
  valid_conf (split_p k s) /\ cut (split_p k s) d.
Proof.
  intros HV Hk. rewrite <- (Z2Nat.id k) by assumption. clear Hk.
  induction (Z.to_nat k) as [|n IH]; intros Hr HC.
  - replace (split_p (Z.of_nat 0) s) with s; [split; assumption|]. destruct s. unfold split_p; cbn [cu cv cp cq]. f_equal; ring.
  - pose proof HV as (_ & Hu & Hv & Hp & Hq). rewrite Nat2Z.inj_succ in *. set (m := Z.of_nat n) in *.
    assert (Hm : 0 <= m) by lia.
    assert (Hmax : Z.max d (cq s) < cp s - m * cq s) by (destruct Hr; [lia | replace m with (Z.succ m - 1) by ring; assumption]).
    destruct IH as (HVm & HCm); [destruct (Z.eq_dec m 0); [left; assumption | right; nia] | assumption |].
    assert (E : split_p (Z.succ m) s = split_p 1 (split_p m s)) by (unfold split_p; cbn [cu cv cp cq]; f_equal; ring).
    rewrite E.
    assert (Hpm : cp (split_p m s) = cp s - m * cq s) by reflexivity.
    assert (Hqm : cq (split_p m s) = cq s) by reflexivity.
    split; [apply split_p_valid; [assumption | lia | lia]|].
    apply cut_p; [assumption | lia |]. apply cut_left; [assumption | assumption | lia].
Qed.

(* Theorem E.19 (Lefevre's lanes). "Empty" is true, from the top of any turn; also where quotients
   are huge. *)
Theorem lefevre_lane_sound turns width s d :
  valid_conf s -> 0 < cp s -> 0 < cq s -> 0 < cu s -> cut s d -> width <= d ->
  lefevre_lane turns width s d = Empty -> forall x, 0 <= x < N -> width <= distance x.
Proof.
  revert s d. induction turns as [|turns IH]; intros s d HV Hp Hq Hu HC Hw E; [discriminate|].
  pose proof HV as (_ & _ & Hv & _ & _).
  assert (Hd : 0 <= d < cp s + cq s) by (destruct HC as (j & l & _ & _ & _ & H); exact H).
  cbn [lefevre_lane] in E. destruct (Z.leb_spec (cp s) d) as [L | L].
  - pose proof (cut_right _ _ HV HC L) as HL.
    destruct (at_left_holds (d - cp s) (cp s) ltac:(lia) Hp) as (Hk & Hkl). set (k := at_left (d - cp s) (cp s)) in *.
    assert (HV1 : valid_conf (split_q k s)) by (apply split_q_valid; [assumption | assumption | lia]).
    assert (HL1 : located (split_q k s) InQ (d - cp s - k * cp s)).
    { pose proof (split_q_in_q k k s (d - cp s) HV ltac:(lia) Hkl ltac:(lia) HL) as H. rewrite Z.ltb_irrefl in H. exact H. }
    set (s1 := split_q k s) in *. set (d1 := d - cp s - k * cp s) in *.
    assert (Hp1 : 0 < cp s1) by exact Hp.
    assert (Hq1 : 0 < cq s1) by (unfold s1, split_q; cbn [cq]; lia).
    assert (Hu1 : 0 < cu s1) by (unfold s1, split_q; cbn [cu]; nia).
    assert (Hv1 : 0 < cv s1) by exact Hv.
    destruct (Z.ltb_spec d1 width) as [W | W]; [discriminate|].
    destruct (divided_holds (cp s1) (cq s1) ltac:(lia) Hq1) as (Hm & Hml & Hme). set (m := divided (cp s1) (cq s1)) in *.
    assert (HV2 : valid_conf (split_p m s1)) by (apply split_p_valid; assumption).
    assert (HL2 : located (split_p m s1) InQ d1) by (apply split_p_in_q; assumption).
    destruct ((cp (split_p m s1) =? 0) || (N <=? cu (split_p m s1) + cv (split_p m s1)))%bool eqn:End.
    + apply Bool.orb_true_iff in End. apply (empty_sound _ _ _ width N HV2 HL2); [|assumption].
      destruct End as [Z0 | LN]; [right; left; apply Z.eqb_eq; assumption | left; apply Z.leb_le; assumption].
    + apply Bool.orb_false_iff in End. destruct End as (EndZ & EndN). apply Z.eqb_neq in EndZ. apply Z.leb_gt in EndN.
      unfold split_p in EndZ, EndN; cbn [cu cv cp cq] in EndZ, EndN.
      assert (Hrest : cp s1 - m * cq s1 < cq s1) by (destruct Hme as [|HN]; [assumption | exfalso; nia]).
      apply (IH (split_q 1 (split_p m s1)) d1); try assumption.
      * apply split_q_valid; [assumption | lia |]. unfold split_p; cbn [cp cq]. lia.
      * unfold split_q, split_p; cbn [cp]. lia.
      * unfold split_q, split_p; cbn [cp cq]. lia.
      * unfold split_q, split_p; cbn [cu cv]. nia.
      * apply cut_q; [assumption | unfold split_p; cbn [cp cq]; lia | assumption].
  - pose proof (cut_left _ _ HV HC L) as HL.
    destruct (divided_holds (cq s) (cp s) ltac:(lia) Hp) as (Hm & Hml & Hme). set (m := divided (cq s) (cp s)) in *.
    assert (HV1 : valid_conf (split_q m s)) by (apply split_q_valid; assumption).
    assert (HL1 : located (split_q m s) InP d) by (apply split_q_in_p; assumption).
    destruct ((cq (split_q m s) =? 0) || (N <=? cu (split_q m s) + cv (split_q m s)))%bool eqn:End.
    + apply Bool.orb_true_iff in End. apply (empty_sound _ _ _ width N HV1 HL1); [|assumption].
      destruct End as [Z0 | LN]; [right; right; apply Z.eqb_eq; assumption | left; apply Z.leb_le; assumption].
    + apply Bool.orb_false_iff in End. destruct End as (EndZ & EndN). apply Z.eqb_neq in EndZ. apply Z.leb_gt in EndN.
      unfold split_q in EndZ, EndN; cbn [cu cv cp cq] in EndZ, EndN.
      assert (Hrest : cq s - m * cp s < cp s) by (destruct Hme as [|HN]; [assumption | exfalso; nia]).
      set (s1 := split_q m s) in *.
      assert (Hle : cq s1 < cp s1) by (unfold s1, split_q; cbn [cp cq]; lia).
      assert (Hq1 : 0 < cq s1) by (unfold s1, split_q; cbn [cq]; lia).
      assert (Hu1 : 0 < cu s1) by (unfold s1, split_q; cbn [cu]; nia).
      assert (HV2 : valid_conf (split_p 1 s1)) by (apply split_p_valid; [assumption | lia | lia]).
      assert (HC2 : cut (split_p 1 s1) d) by (apply cut_p; [assumption | lia | assumption]).
      set (s2 := split_p 1 s1) in *. destruct (at_right_holds s2 d) as (Hr & Hr').
      destruct (cut_p_times (at_right s2 d) s2 d HV2 Hr Hr' HC2) as (HV3 & HC3).
      apply (IH (split_p (at_right s2 d) s2) d); try assumption.
      unfold split_p at 1; cbn [cp]. assert (0 < cp s2) by (unfold s2, split_p; cbn [cp]; lia).
      assert (cq s2 = cq s1) by reflexivity. destruct Hr' as [-> | Hr']; lia.
Qed.

(* Theorem E.20 (Lefevre's lanes, from the start). *)
Theorem lefevre_lane_test_sound turns width :
  0 < A < D -> 0 <= b0 < D -> width <= b0 ->
  lefevre_lane turns width (Conf 1 1 A (D - A)) b0 = Empty ->
  forall x, 0 <= x < N -> width <= distance x.
Proof.
  intros HA Hb Hw E. destruct (lefevre_start HA Hb) as (HV & HC).
  eapply lefevre_lane_sound; eauto; cbn; lia.
Qed.

(* Theorem E.21 (huge quotients). The regular lanes' distance need not be reduced exactly where N
   points or more fall at b0's left in one turn: the lane is done then, and what was subtracted for
   N of them is enough. *)
Theorem huge_distance_sound s d j width :
  valid_conf s -> 0 < cp s -> ahead s d -> N <= j -> 0 <= j -> j * cp s <= d -> width <= d - j * cp s ->
  forall x, 0 <= x < N -> width <= distance x.
Proof.
  intros HV Hp (Hd & HA) HN Hj Hjd Hw x Hx. pose proof HV as (_ & Hu & Hv & _ & Hq).
  destruct HA as [(n & w & HL) | HA]; [|pose proof (HA x); nia].
  set (K := cq s / cp s).
  assert (HK : cq s = cp s * K + cq s mod cp s) by (apply Z.div_mod; lia).
  pose proof (Z.mod_pos_bound (cq s) (cp s) Hp) as Hr. assert (HK0 : 0 <= K) by (apply Z.div_pos; lia).
  assert (Hchain : forall t, 0 <= t <= K -> later (Z.to_nat t) s = split_q t s) by (intros; apply later_q; nia).
  destruct (Nat.le_gt_cases n (Z.to_nat K)) as [Ln | Ln].
  - set (t := Z.of_nat n). assert (Ht : 0 <= t <= K) by (unfold t; lia).
    replace n with (Z.to_nat t) in HL by (unfold t; lia). rewrite Hchain in HL by assumption.
    assert (HVt : valid_conf (split_q t s)) by (apply split_q_valid; [assumption | lia | nia]).
    pose proof HL as (j0 & l & _ & _ & _ & Hwd).
    destruct w.
    + (* d is less than p: no point was subtracted *)
      unfold split_q in Hwd; cbn [cp] in Hwd. assert (j = 0) by nia. lia.
    + unfold split_q in Hwd; cbn [cq] in Hwd.
      pose proof (split_q_in_q j j (split_q t s) d HVt ltac:(lia) ltac:(unfold split_q; cbn [cp]; lia) ltac:(lia) HL) as H.
      rewrite Z.ltb_irrefl in H. unfold split_q at 2 in H; cbn [cp] in H.
      assert (HVj : valid_conf (split_q j (split_q t s))).
      { apply split_q_valid; [assumption | assumption |]. unfold split_q; cbn [cp cq]. lia. }
      apply (empty_sound _ _ _ width N HVj H); [|assumption|assumption].
      left. unfold split_q; cbn [cu cv]. nia.
  - (* later gaps are shorter than p *)
    assert (HE : later n s = later (n - Z.to_nat K) (split_q K s)).
    { rewrite <- (Hchain K) by lia. rewrite <- later_add. f_equal. lia. }
    assert (HVK : valid_conf (split_q K s)) by (apply split_q_valid; [assumption | lia | nia]).
    destruct (later_grows (n - Z.to_nat K) _ HVK) as (_ & G1 & G2 & _).
    rewrite <- HE in G1, G2. unfold split_q in G1, G2; cbn [cp cq] in G1, G2.
    pose proof (located_below _ _ _ HL) as HB.
    assert (d < cp s) by nia. assert (j = 0) by nia. lia.
Qed.

End segment.

(* Quotients as the code takes them: by the division instruction, or by subtractions, `limit` of
   them at most before the instruction does the rest. *)
Fixpoint by_subtraction (limit : nat) (quotient remainder divisor : Z) : Z :=
  if remainder <? divisor then quotient
  else match limit with
       | O => quotient + remainder / divisor
       | S limit => by_subtraction limit (quotient + 1) (remainder - divisor) divisor
       end.

(* Corollary E.28 (one by one). Such a quotient is the floor: so the tests that divide are sound
   with it (Theorems E.11 and E.12), whichever quotients are taken by the instruction. *)
Theorem by_subtraction_holds limit (wants_instruction : Z -> Z -> bool) a b :
  0 <= a -> 0 < b -> (if wants_instruction a b then a / b else by_subtraction limit 0 a b) = a / b.
Proof.
  intros Ha Hb. destruct (wants_instruction a b); [reflexivity|].
  enough (H : forall q, by_subtraction limit q a b = q + a / b) by (rewrite H; ring).
  revert a Ha. induction limit as [|limit IH]; intros a Ha q; cbn [by_subtraction]; destruct (Z.ltb_spec a b).
  - rewrite Z.div_small by lia. ring.
  - reflexivity.
  - rewrite Z.div_small by lia. ring.
  - rewrite IH by lia. replace a with (a - b + 1 * b) at 2 by ring. rewrite Z.div_add by lia. ring.
Qed.

Corollary lefevre_by_subtraction_sound D A b0 (circle : 0 < D) limit (wants : Z -> Z -> bool) fuel N width :
  0 < A < D -> 0 <= b0 < D -> width <= b0 ->
  lefevre (fun a b => if wants a b then a / b else by_subtraction limit 0 a b) fuel N width (Conf 1 1 A (D - A)) b0 = Empty ->
  forall x, 0 <= x < N -> width <= distance D A b0 x.
Proof.
  intros HA Hb Hw E. eapply lefevre_test_sound; [exact circle | | exact HA | exact Hb | exact Hw | exact E].
  intros a b Ha Hb'. apply by_subtraction_holds; assumption.
Qed.
