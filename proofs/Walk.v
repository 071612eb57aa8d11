(* A domain of the Farey walk: what it means that the lanes find nothing in it.

   docs/proofs/walk.md. Heights are in units of 1/D of the circle, as in Lattice.v; the
   parabola's value B and curvature c are real numbers in these units.

   | name    | what it is                                                                         |
   |---------|------------------------------------------------------------------------------------|
   | x       | an argument of the domain, |x| <= X = N/2 about its center                         |
   | B, A, c | the parabola B + A*x + c*x^2, c >= 0; A is an integer: the slope as the lanes have it |
   | kappa   | c*X^2/2 = c*N^2/8                                                                  |
   | beta    | the height of the box, an integer next to -(B + kappa)                             |
   | acc     | bound on everything that is neglected: epsilon, Taylor, tables, rounding of A, beta |
   | wide    | how far a case may be from the line B + kappa + A*x                                |
   | h       | half the height of the box, an integer, at least wide and the error of beta        |
*)

Require Import ZArith Reals Lia Lra Psatz.
Require Import TMD.Lattice.
Open Scope Z_scope.

Section domain.

Variables D A X beta h : Z.
Variables B c acc : R.

Definition kappa : R := (c * (IZR X * IZR X) / 2)%R.

Hypothesis circle : 0 < D.
Hypothesis X_positive : 0 <= X.
Hypothesis h_positive : 0 <= h.

(* How far the parabola is from the multiple m of the circle, as the lanes see it: with beta for
   -(B + kappa), y = A*x - m*D. *)
Definition g (x y : Z) : R := (c * (IZR x * IZR x) - kappa - (IZR beta - IZR y))%R.

(* Definition W.3. x is a case: the parabola comes to within acc of a multiple of the circle, with
   all that is neglected in acc (off is the error of beta), and so does, within wide, the line that
   is raised by kappa. Where c is below the bound that wide was made of, the second follows from the
   first (Theorem W.20); next to the end of a piece it may not be, and wide is Theorem B.7's. *)
Variables off tolerance wide : R.
Hypothesis beta_holds : (Rabs (IZR beta + (B + kappa)) <= off)%R.
Hypothesis acc_holds : (tolerance + off <= acc)%R.
Hypothesis h_holds : (wide + off <= IZR h)%R.

Definition case (x m : Z) : Prop :=
  Z.abs x <= X /\ (Rabs (B + IZR A * IZR x + c * (IZR x * IZR x) - IZR m * IZR D) <= tolerance)%R /\
  (Rabs (B + kappa + IZR A * IZR x - IZR m * IZR D) <= wide)%R.

(* Lemma W.12 (parabola). 0 <= c*x^2 <= 2*kappa inside the domain. *)
Lemma curvature_bounds x : (0 <= c)%R -> Z.abs x <= X -> (0 <= c * (IZR x * IZR x) <= 2 * kappa)%R.
Proof.
  intros curvature Hx. unfold kappa.
  assert (H : (IZR x * IZR x <= IZR X * IZR X)%R).
  { rewrite <- !mult_IZR. apply IZR_le. nia. }
  assert (H0 : (0 <= IZR x * IZR x)%R) by (rewrite <- mult_IZR; apply IZR_le; nia).
  split; nra.
Qed.

(* Theorem W.20 (line and parabola). Where c is not negative the line is within kappa of the
   parabola. *)
Theorem near_the_line x m :
  (0 <= c)%R -> Z.abs x <= X -> (Rabs (B + IZR A * IZR x + c * (IZR x * IZR x) - IZR m * IZR D) <= tolerance)%R ->
  (tolerance + kappa <= wide)%R -> case x m.
Proof.
  intros Hc Hx Ht Hw. pose proof (curvature_bounds x Hc Hx) as Hb. split; [exact Hx | split; [exact Ht|]].
  revert Ht. unfold Rabs. repeat destruct Rcase_abs; lra.
Qed.

(* Lemma W.13. A case has |g| <= acc, and its lattice point is in the box. *)
Lemma case_near x m :
  case x m ->
  (Rabs (g x (A * x - m * D)) <= acc)%R /\ in_box X beta h x (A * x - m * D).
Proof.
  intros (Hx & Hc & Hw).
  assert (Hg : (Rabs (g x (A * x - m * D)) <= acc)%R).
  { unfold g. rewrite minus_IZR, !mult_IZR. revert Hc beta_holds.
    unfold Rabs. repeat destruct Rcase_abs; lra. }
  split; [exact Hg | split; [exact Hx|]].
  apply le_IZR. rewrite abs_IZR, !minus_IZR, !mult_IZR.
  revert Hw beta_holds. unfold Rabs. repeat destruct Rcase_abs; lra.
Qed.

(* Definition W.4. The verdict "no case here", from a basis and a line number t0:
   - spread < D - eta, or the lane is *stuck*;
   - either both lines are farther than spread, or the domain is not *dense* and on each line the
     point that is looked at, the only one that may be within h, is off the parabola by more than
     acc. *)
Definition line_clear (b : basis) (t : Z) : Prop :=
  exists s, (forall s', Z.abs (s' * p b + t * q b - beta) <= h -> s' = s) /\
            (acc < Rabs (g (s * u b - t * v b) (s * p b + t * q b)))%R.

(* Theorem W.18 (places). In a domain that is not dense the nearest point is the one to look at.
   So is the one that lanes round to: Theorem F.6. *)
Theorem nearest_clear b t s :
  2 * h < Z.abs (p b) -> 2 * Z.abs (s * p b + t * q b - beta) <= Z.abs (p b) ->
  (acc < Rabs (g (s * u b - t * v b) (s * p b + t * q b)))%R -> line_clear b t.
Proof.
  intros Hp Hs Hg. exists s. split; [|exact Hg].
  intros s' Hs'. symmetry. exact (one_point b beta h t s' s Hp Hs' Hs).
Qed.

Definition clear (b : basis) (t0 eta : Z) : Prop :=
  0 <= eta /\ t0 * D - eta <= u b * beta < (t0 + 1) * D /\ spread X h b < D - eta /\
  ((spread X h b < Z.abs (t0 * D - u b * beta) /\
    spread X h b < Z.abs ((t0 + 1) * D - u b * beta)) \/
   (line_clear b t0 /\ line_clear b (t0 + 1))).

(* Theorem W.17. The verdict is sound for a basis of the domain's slope. *)
Theorem clear_sound_here b t0 eta :
  valid D A b -> clear b t0 eta -> forall x m, ~ case x m.
Proof.
  intros HV (Heta & Ht0 & Hs & Hv) x m HC.
  destruct (case_near _ _ HC) as (Hg & HB).
  assert (HP : point D A x (A * x - m * D)) by (exists m; reflexivity).
  destruct (span _ _ _ _ _ HV HP) as (s & t & Ex & Ey).
  pose proof (line_near _ _ _ _ _ _ _ _ _ _ HV X_positive h_positive HB Ex Ey) as HL.
  assert (HT : t = t0 \/ t = t0 + 1)
    by (apply (two_lines D A b X beta h x (A * x - m * D) s t t0 eta); assumption).
  assert (HN : forall t', t' = t -> line_clear b t' -> False).
  { intros t' -> (s' & Hs' & Hg').
    assert (Hy : Z.abs (s * p b + t * q b - beta) <= h) by (rewrite <- Ey; apply HB).
    rewrite <- (Hs' s Hy) in Hg'.
    rewrite <- Ex, <- Ey in Hg'. lra. }
  destruct Hv as [(H0 & H1) | (H0 & H1)]; destruct HT as [-> | ->];
    [lia | lia | eapply HN; eauto | eapply HN; eauto].
Qed.

End domain.

(* Theorem W.14. The verdict is sound for whatever basis the walk holds: any number of shears, of
   either sign, and of crossings, by whatever quotients, from any valid basis. *)
Theorem clear_sound D A X beta h B c acc off tolerance wide A0 b0 b t0 eta :
  0 < D -> 0 <= X -> 0 <= h ->
  (Rabs (IZR beta + (B + kappa X c)) <= off)%R -> (tolerance + off <= acc)%R -> (wide + off <= IZR h)%R ->
  valid D A0 b0 -> reaches D A0 b0 A b -> clear D X beta h c acc b t0 eta ->
  forall x m, ~ case D A X B c tolerance wide x m.
Proof.
  intros. eapply clear_sound_here; eauto using walk_valid.
Qed.

(* Theorem W.15. So it is for the mirrored basis, which is one of the slope -A, with the sign of x
   changed: the vector with the smaller length may always come first. *)
Theorem clear_mirrored_sound D A X beta h B c acc off tolerance wide b t0 eta :
  0 < D -> 0 <= X -> 0 <= h ->
  (Rabs (IZR beta + (B + kappa X c)) <= off)%R -> (tolerance + off <= acc)%R -> (wide + off <= IZR h)%R ->
  valid D A b -> clear D X beta h c acc (mirrored b) t0 eta ->
  forall x m, ~ case D A X B c tolerance wide x m.
Proof.
  intros HD HX Hh Hb Ha Hw HV HC x m (Hx & Hm & Hl).
  apply (clear_sound_here D (- A) X beta h B c acc HD HX Hh off tolerance wide Hb Ha Hw
           (mirrored b) t0 eta (mirror_valid _ _ _ HV) HC (- x) m).
  split; [lia|]. rewrite !opp_IZR.
  replace (- IZR A * - IZR x)%R with (IZR A * IZR x)%R by ring.
  replace (- IZR x * - IZR x)%R with (IZR x * IZR x)%R by ring. split; assumption.
Qed.

(* Lemma W.19. The verdict can be given: a domain of five arguments, with a slope of 2/5, that holds
   no case. *)
Lemma some_domain_is_clear :
  let b := mk 1 2 400 200 0 1 in
  valid 1000 400 b /\ clear 1000 2 500 10 0 5 b 0 0.
Proof.
  cbn zeta. split; [unfold valid; cbn; lia|].
  unfold clear, spread; cbn [u v p q]. repeat split; try lia. right.
  assert (H : forall x y, (IZR y = 400 \/ IZR y = 600)%R -> (5 < Rabs (g 2 500 0 x y))%R).
  { intros x y E. unfold g, kappa. unfold Rabs. destruct E as [E | E]; rewrite E; destruct Rcase_abs; lra. }
  split; exists 1; cbn [u v p q]; (split; [intros s' Hs; lia | apply H; (left; reflexivity) || (right; reflexivity)]).
Qed.
