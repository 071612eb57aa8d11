(* From a function to a polynomial: Taylor's remainder by an enclosed derivative, and differences by
   derivatives.

   tmd-functions::taylor, tmd-difftable::bounds; docs/proofs/piece.md. With the standard library's
   mean value theorem only.

   | name   | what it is                                                                     |
   |--------|--------------------------------------------------------------------------------|
   | d k    | the derivative of order k; d 0 is the function                                 |
   | low, high | the ends of the piece                                                       |
   | taylor n t x | the polynomial of degree n about t, at x                                 |
   | remainder | bound on |d (n + 1)|/(n + 1)! over the piece, from an enclosure              |
*)

Require Import ZArith Reals Lra Lia Arith Psatz.
Require Import TMD.Tables.
Open Scope R_scope.

(* Definition R.1. A function with its derivatives up to the order n + 1, over an interval. *)
Definition derivatives (d : nat -> R -> R) (n : nat) (low high : R) : Prop :=
  forall k t, (k <= n)%nat -> low <= t <= high -> derivable_pt_lim (d k) t (d (S k) t).

Lemma lim_eq f g t l m : (forall s, f s = g s) -> l = m -> derivable_pt_lim f t l -> derivable_pt_lim g t m.
Proof.
  intros E <- H eps He. destruct (H eps He) as (delta & Hd). exists delta. intros h H0 Hh.
  rewrite <- !E. apply Hd; assumption.
Qed.

Fixpoint taylor (d : nat -> R -> R) (n : nat) (t x : R) : R :=
  match n with
  | O => d O t
  | S m => taylor d m t x + d n t / INR (fact n) * (x - t) ^ n
  end.

Lemma taylor_here d n x : taylor d n x x = d O x.
Proof.
  induction n as [|n IH]; cbn [taylor]; [reflexivity|]. rewrite IH, Rminus_diag_eq by reflexivity.
  rewrite pow_i by lia. ring.
Qed.

Lemma power_lim n x t : derivable_pt_lim (fun s => (x - s) ^ n) t (- (INR n * (x - t) ^ pred n)).
Proof.
  apply lim_eq with (f := comp (fun y => y ^ n) (fun s => x - s)) (l := INR n * (x - t) ^ pred n * (0 - 1)).
  - intros s. reflexivity.
  - ring.
  - apply derivable_pt_lim_comp.
    + apply derivable_pt_lim_minus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    + apply derivable_pt_lim_pow.
Qed.

(* Moving the place of a Taylor polynomial changes it by its last term's derivative. *)
Lemma taylor_lim d n low high x t :
  derivatives d n low high -> low <= t <= high ->
  derivable_pt_lim (fun s => taylor d n s x) t (d (S n) t / INR (fact n) * (x - t) ^ n).
Proof.
  intros Hd Ht. induction n as [|n IH].
  - apply lim_eq with (f := d O) (l := d 1%nat t); [reflexivity | cbn; field | apply Hd; [lia | assumption]].
  - assert (IH' := IH ltac:(intros k s Hk Hs; apply Hd; [lia | assumption])). clear IH.
    cbn [taylor].
    pose proof (INR_fact_neq_0 n) as F0. pose proof (INR_fact_neq_0 (S n)) as F1.
    apply lim_eq with
      (f := plus_fct (fun s => taylor d n s x)
              (mult_fct (mult_real_fct (/ INR (fact (S n))) (d (S n))) (fun s => (x - s) ^ S n)))
      (l := d (S n) t / INR (fact n) * (x - t) ^ n +
            (/ INR (fact (S n)) * d (S (S n)) t * (x - t) ^ S n +
             / INR (fact (S n)) * d (S n) t * (- (INR (S n) * (x - t) ^ n)))).
    + intros s. unfold plus_fct, mult_fct, mult_real_fct. field. exact F1.
    + replace (INR (fact n)) with (INR (fact (S n)) / INR (S n)).
      * pose proof (not_0_INR (S n) ltac:(lia)). field. split; assumption.
      * rewrite fact_simpl, mult_INR. field. apply not_0_INR. lia.
    + apply derivable_pt_lim_plus; [exact IH'|].
      apply (derivable_pt_lim_mult (mult_real_fct (/ INR (fact (S n))) (d (S n))) (fun s => (x - s) ^ S n) t
               (/ INR (fact (S n)) * d (S (S n)) t) (- (INR (S n) * (x - t) ^ n))).
      * apply derivable_pt_lim_scal. apply Hd; [lia | assumption].
      * apply (power_lim (S n)).
Qed.

(* Theorem R.1 (Taylor, with Lagrange's remainder). On either side of the center. *)
Theorem taylor_remainder d n low high t x :
  derivatives d n low high -> low <= t <= high -> low <= x <= high ->
  exists xi, low <= xi <= high /\
    d O x = taylor d n t x + d (S n) xi / INR (fact (S n)) * (x - t) ^ S n.
Proof.
  intros Hd Ht Hx.
  destruct (Req_dec t x) as [<- | N].
  { exists t. split; [assumption|]. rewrite taylor_here, Rminus_diag_eq, pow_i by (reflexivity || lia). ring. }
  pose (gain := taylor d n x x - taylor d n t x).
  pose (phi := plus_fct (mult_real_fct ((x - t) ^ S n) (fun s => taylor d n s x))
                        (mult_real_fct gain (fun s => (x - s) ^ S n))).
  pose (phi' := fun s => (x - t) ^ S n * (d (S n) s / INR (fact n) * (x - s) ^ n) +
                         gain * (- (INR (S n) * (x - s) ^ n))).
  assert (Hphi : forall s, low <= s <= high -> derivable_pt_lim phi s (phi' s)).
  { intros s Hs. apply derivable_pt_lim_plus; apply derivable_pt_lim_scal.
    - eapply taylor_lim; eassumption.
    - apply (power_lim (S n)). }
  assert (Hends : phi t = phi x).
  { unfold phi, plus_fct, mult_real_fct, gain. rewrite (Rminus_diag_eq x x), (pow_i (S n)) by (reflexivity || lia). ring. }
  assert (Hc : exists c, low <= c <= high /\ c <> x /\ phi' c = 0).
  { destruct (Rlt_le_dec t x) as [L | L].
    - destruct (MVT_cor2 phi phi' t x L) as (c & E & Hc); [intros; apply Hphi; lra|].
      exists c. repeat split; try lra. rewrite Hends in E.
      apply Rmult_eq_reg_r with (x - t); lra.
    - destruct (MVT_cor2 phi phi' x t ltac:(lra)) as (c & E & Hc); [intros; apply Hphi; lra|].
      exists c. repeat split; try lra. rewrite Hends in E.
      apply Rmult_eq_reg_r with (t - x); lra. }
  destruct Hc as (c & Hc & Nc & Z).
  exists c. split; [assumption|].
  rewrite <- (taylor_here d n x).
  enough (gain = d (S n) c / INR (fact (S n)) * (x - t) ^ S n) by (unfold gain in *; lra).
  pose proof (INR_fact_neq_0 n) as F0. pose proof (not_0_INR (S n) ltac:(lia)) as F2.
  assert (P : (x - c) ^ n <> 0) by (apply pow_nonzero; lra).
  rewrite fact_simpl, mult_INR.
  apply Rmult_eq_reg_r with (INR (S n) * (x - c) ^ n); [|apply Rmult_integral_contrapositive_currified; assumption].
  unfold phi' in Z.
  transitivity ((x - t) ^ S n * (d (S n) c / INR (fact n) * (x - c) ^ n)); [lra|].
  field. split; assumption.
Qed.

(* The polynomial that is used: coefficients r k in powers of the argument's number, instead of
   those that Taylor's are. *)
Fixpoint polynomial (r : nat -> R) (n : nat) (x : R) : R :=
  match n with O => r O | S m => polynomial r m x + r n * x ^ n end.

Lemma polynomial_ext r s n x : (forall k, (k <= n)%nat -> r k = s k) -> polynomial r n x = polynomial s n x.
Proof.
  induction n as [|n IH]; intros H; cbn [polynomial]; [apply H; lia|]. rewrite IH, (H (S n)); auto.
Qed.

Lemma power_bound x reach n : Rabs x <= reach -> Rabs (x ^ n) <= reach ^ n.
Proof.
  intros H. rewrite <- RPow_abs. apply pow_incr. split; [apply Rabs_pos | exact H].
Qed.

(* Lemma R.2 (coefficients). Radii of enclosures and the rounding of their midpoints. *)
Lemma polynomial_error r s radius n x reach :
  Rabs x <= reach -> (forall k, (k <= n)%nat -> Rabs (r k - s k) <= radius k) ->
  Rabs (polynomial r n x - polynomial s n x) <= polynomial radius n reach.
Proof.
  intros Hx. induction n as [|n IH]; intros H; cbn [polynomial]; [apply H; lia|].
  replace (polynomial r n x + r (S n) * x ^ S n - (polynomial s n x + s (S n) * x ^ S n))
    with (polynomial r n x - polynomial s n x + (r (S n) - s (S n)) * x ^ S n) by ring.
  eapply Rle_trans; [apply Rabs_triang|].
  apply Rplus_le_compat; [apply IH; intros; apply H; lia|].
  rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; [apply H; lia|].
  apply (power_bound x reach (S n) Hx).
Qed.

(* Theorem R.3 (piece). Arguments t + u*x for |x| <= reach, all of them in the piece: what
   `taylor_piece` encloses are the coefficients d k t/k! (within radius k, after scaling and
   rounding to r k) and the next one over the whole piece. Then scale*f + shift is within the lines
   *taylor* + *coefficients* of the polynomial that is used. *)
Theorem piece_polynomial d n low high t u scale shift r radius remainder reach :
  derivatives d n low high -> low <= t <= high -> 0 <= reach ->
  (forall xi, low <= xi <= high -> Rabs (d (S n) xi / INR (fact (S n))) <= remainder) ->
  (forall k, (k <= n)%nat ->
     Rabs (scale * (d k t / INR (fact k)) * u ^ k + (match k with O => shift | _ => 0 end) - r k) <= radius k) ->
  forall x, Rabs x <= reach -> low <= t + u * x <= high ->
  Rabs (scale * d O (t + u * x) + shift - polynomial r n x) <=
    Rabs scale * remainder * (Rabs u * reach) ^ S n + polynomial radius n reach.
Proof.
  intros Hd Ht Hreach Hrem Hcoef x Hx Hin.
  destruct (taylor_remainder d n low high t (t + u * x) Hd Ht Hin) as (xi & Hxi & E).
  set (c k := scale * (d k t / INR (fact k)) * u ^ k + (match k with O => shift | _ => 0 end)).
  assert (P : forall m, scale * taylor d m t (t + u * x) + shift = polynomial c m x).
  { induction m as [|m IH]; cbn [taylor polynomial].
    - unfold c. cbn. field.
    - rewrite <- IH. unfold c.
      replace (t + u * x - t) with (u * x) by ring. rewrite Rpow_mult_distr. ring. }
  replace (scale * d O (t + u * x) + shift - polynomial r n x)
    with (scale * (d (S n) xi / INR (fact (S n)) * (t + u * x - t) ^ S n) +
          (polynomial c n x - polynomial r n x)) by (rewrite <- P, E; ring).
  eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat.
  - rewrite !Rabs_mult, <- Rmult_assoc.
    apply Rmult_le_compat.
    + apply Rmult_le_pos; apply Rabs_pos.
    + apply Rabs_pos.
    + apply Rmult_le_compat_l; [apply Rabs_pos | apply Hrem; assumption].
    + apply power_bound. replace (t + u * x - t) with (u * x) by ring. rewrite Rabs_mult.
      apply Rmult_le_compat_l; [apply Rabs_pos | exact Hx].
  - apply polynomial_error; [exact Hx | exact Hcoef].
Qed.

(* Differences by derivatives. *)

Definition difference (h : R) (f : R -> R) : R -> R := fun x => f (x + h) - f x.
Fixpoint differences (l : nat) (h : R) (f : R -> R) : R -> R :=
  match l with O => f | S m => differences m h (difference h f) end.

(* Theorem R.4 (dropped differences). A difference of order l with the step h is at most h^l times
   the largest derivative of that order over all places that it touches. *)
Theorem difference_bound l d h low high most x :
  0 <= h -> derivatives d l low high -> low <= x -> x + INR l * h <= high ->
  (forall t, low <= t <= high -> Rabs (d l t) <= most) ->
  Rabs (differences l h (d O) x) <= h ^ l * most.
Proof.
  intros Hh. revert d high most x. induction l as [|l IH]; intros d high most x Hd Hlow Hhigh Hmost.
  - cbn [differences pow]. cbn [INR] in Hhigh. rewrite Rmult_1_l. apply Hmost. lra.
  - cbn [differences]. rewrite S_INR in Hhigh.
    assert (Hn : 0 <= INR l * h) by (apply Rmult_le_pos; [apply pos_INR | assumption]).
    replace (h ^ S l * most) with (h ^ l * (h * most)) by (cbn [pow]; ring).
    apply (IH (fun k => difference h (d k)) (high - h)).
    + intros k t Hk Ht. unfold difference.
      apply lim_eq with (f := minus_fct (comp (d k) (fun s => s + h)) (d k)) (l := d (S k) (t + h) * (1 + 0) - d (S k) t);
        [reflexivity | ring |].
      apply derivable_pt_lim_minus; [|apply Hd; [lia | lra]].
      apply derivable_pt_lim_comp.
      * apply derivable_pt_lim_plus; [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
      * apply Hd; [lia | lra].
    + exact Hlow.
    + lra.
    + intros t Ht. unfold difference.
      destruct (Req_dec h 0) as [-> | N].
      { rewrite Rplus_0_r, Rminus_diag_eq, Rabs_R0 by reflexivity. lra. }
      destruct (MVT_cor2 (d l) (d (S l)) t (t + h) ltac:(lra)) as (c & E & Hc).
      { intros c Hc. apply Hd; [lia | lra]. }
      rewrite E. replace (t + h - t) with h by ring. rewrite Rabs_mult, (Rabs_pos_eq h), Rmult_comm by lra.
      apply Rmult_le_compat_l; [lra | apply Hmost; lra].
Qed.

(* Newton's form: what a table of differences makes after i steps, for any function. *)
Lemma newton i n h f x :
  (i <= n)%nat ->
  f (x + INR i * h) = sum_f_R0 (fun l => IZR (binomial i l) * differences l h f x) n.
Proof.
  revert n f. induction i as [|i IH]; intros n f Hn.
  - replace (x + INR 0 * h) with x by (cbn; ring). clear Hn. induction n as [|n IHn]; cbn [sum_f_R0].
    + cbn. ring.
    + rewrite <- IHn. cbn [binomial]. ring.
  - destruct n as [|n]; [lia|].
    assert (E : f (x + INR (S i) * h) = f (x + INR i * h) + difference h f (x + INR i * h)).
    { unfold difference. rewrite S_INR. replace (x + (INR i + 1) * h) with (x + INR i * h + h) by ring. ring. }
    rewrite E, (IH (S n) f ltac:(lia)), (IH n (difference h f) ltac:(lia)).
    rewrite (decomp_sum _ (S n)) by lia. rewrite (decomp_sum (fun l => IZR (binomial (S i) l) * _) (S n)) by lia.
    cbn [pred]. rewrite Rplus_assoc, <- sum_plus. f_equal.
    + destruct i; reflexivity.
    + apply sum_eq. intros l _. cbn [binomial differences]. rewrite plus_IZR. ring.
Qed.

Lemma sum_R_le f g n : (forall l, (l <= n)%nat -> f l <= g l) -> sum_f_R0 f n <= sum_f_R0 g n.
Proof. intros H. apply sum_Rle. exact H. Qed.

(* Theorem R.5 (table). Entry l of a table is within `off l` of the difference of f of that order.
   After i < nu steps its value is off by at most the sum of binomial(nu - 1, l) * off l: the lines
   *tables* and *dropped*. An entry that is left out is 0, and its off l is h^l times the largest
   derivative of that order (Theorem R.4). *)
Theorem table_error nu i n h f x (entry off : nat -> R) :
  (i < nu)%nat -> (i <= n)%nat ->
  (forall l, (l <= n)%nat -> Rabs (differences l h f x - entry l) <= off l) ->
  Rabs (f (x + INR i * h) - sum_f_R0 (fun l => IZR (binomial i l) * entry l) n) <=
  sum_f_R0 (fun l => IZR (binomial (nu - 1) l) * off l) n.
Proof.
  intros Hi Hn Hoff. rewrite (newton i n h f x Hn), <- minus_sum.
  eapply Rle_trans; [apply Rsum_abs|]. apply sum_R_le. intros l Hl.
  replace (IZR (binomial i l) * differences l h f x - IZR (binomial i l) * entry l)
    with (IZR (binomial i l) * (differences l h f x - entry l)) by ring.
  pose proof (IZR_le _ _ (binomial_nonneg i l)) as B0.
  pose proof (IZR_le _ _ (binomial_mono i (nu - 1) l ltac:(lia))) as B1.
  rewrite Rabs_mult, (Rabs_pos_eq (IZR _)) by exact B0.
  apply Rmult_le_compat; [exact B0 | apply Rabs_pos | exact B1 | apply Hoff; assumption].
Qed.

(* Derivatives of the polynomial that is used. *)

Definition derived (r : nat -> R) : nat -> R := fun k => INR (S k) * r (S k).
Fixpoint derived_times (m : nat) (r : nat -> R) : nat -> R :=
  match m with O => r | S m => derived (derived_times m r) end.
Definition no_term_above (n : nat) (r : nat -> R) : Prop := forall k, (n < k)%nat -> r k = 0.

Lemma polynomial_lim r n x : derivable_pt_lim (polynomial r (S n)) x (polynomial (derived r) n x).
Proof.
  induction n as [|n IH].
  - apply lim_eq with (f := plus_fct (fun _ => r O) (mult_real_fct (r 1%nat) (fun y => y))) (l := 0 + r 1%nat * 1).
    + intros s. unfold plus_fct, mult_real_fct. cbn. ring.
    + unfold derived. cbn. ring.
    + apply derivable_pt_lim_plus; [apply derivable_pt_lim_const|].
      apply derivable_pt_lim_scal. apply derivable_pt_lim_id.
  - apply lim_eq with (f := plus_fct (polynomial r (S n)) (mult_real_fct (r (S (S n))) (fun y => y ^ S (S n))))
      (l := polynomial (derived r) n x + r (S (S n)) * (INR (S (S n)) * x ^ S n)).
    + reflexivity.
    + cbn [polynomial]. unfold derived. ring.
    + apply derivable_pt_lim_plus; [exact IH|]. apply derivable_pt_lim_scal. apply (derivable_pt_lim_pow x (S (S n))).
Qed.

Lemma derived_ends n r : no_term_above n r -> no_term_above n (derived r).
Proof. intros H k Hk. unfold derived. rewrite H by lia. ring. Qed.

Lemma derived_times_ends m n r : no_term_above n r -> no_term_above n (derived_times m r).
Proof. induction m as [|m IH]; intros H; cbn [derived_times]; [assumption | apply derived_ends, IH, H]. Qed.

Definition polynomials (r : nat -> R) (n : nat) : nat -> R -> R := fun m => polynomial (derived_times m r) n.

Lemma polynomial_derivatives r n m low high : no_term_above n r -> derivatives (polynomials r n) m low high.
Proof.
  intros H k t _ _. unfold polynomials.
  pose proof (derived_times_ends k n r H) as E.
  apply lim_eq with (f := polynomial (derived_times k r) (S n)) (l := polynomial (derived_times (S k) r) n t).
  - intros s. cbn [polynomial]. rewrite E by lia. ring.
  - reflexivity.
  - cbn [derived_times]. apply polynomial_lim.
Qed.

(* Theorem R.6 (parabola). About any center, a polynomial is off the parabola with its value, slope
   and half its second derivative by at most the third derivative's bound: the terms that *dropped*
   has, the first of which is enough. With what is used instead of the three. *)
Theorem parabola_error r n low high center x X third height slope curvature eh es ec :
  no_term_above n r -> low <= center <= high -> low <= center + x <= high -> Rabs x <= X -> 0 <= third ->
  (forall xi, low <= xi <= high -> Rabs (polynomials r n 3 xi / 6) <= third) ->
  Rabs (polynomial r n center - height) <= eh ->
  Rabs (polynomials r n 1 center - slope) <= es ->
  Rabs (polynomials r n 2 center / 2 - curvature) <= ec ->
  Rabs (polynomial r n (center + x) - (height + slope * x + curvature * (x * x))) <=
  eh + es * X + ec * (X * X) + third * (X * X * X).
Proof.
  intros Hends Hc Hx HX H3 Hthird Hh Hs Hb.
  destruct (taylor_remainder (polynomials r n) 2 low high center (center + x)
              (polynomial_derivatives r n 2 low high Hends) Hc Hx) as (xi & Hxi & E).
  unfold polynomials at 1 in E. cbn [derived_times] in E. rewrite E. cbn [taylor].
  replace (center + x - center) with x by ring.
  pose proof (Hthird xi Hxi) as H6. pose proof (Rabs_pos x) as X0.
  set (p3 := polynomials r n 3 xi) in *. set (p2 := polynomials r n 2 center) in *. set (p1 := polynomials r n 1 center) in *.
  change (polynomials r n 0 center) with (polynomial r n center).
  replace (INR (fact 1)) with 1 by reflexivity.
  replace (INR (fact 2)) with 2 by reflexivity.
  replace (INR (fact 3)) with 6 by (cbn; ring).
  replace (polynomial r n center + p1 / 1 * x ^ 1 + p2 / 2 * x ^ 2 + p3 / 6 * x ^ 3 -
           (height + slope * x + curvature * (x * x)))
    with ((polynomial r n center - height) + (p1 - slope) * x + (p2 / 2 - curvature) * (x * x) + p3 / 6 * (x * x * x)) by field.
  eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat.
  - eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat.
    + eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; [exact Hh|].
      rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption.
    + rewrite !Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; [apply Rmult_le_pos; apply Rabs_pos | assumption |].
      apply Rmult_le_compat; assumption.
  - rewrite !Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; [| assumption |].
    + apply Rmult_le_pos; [apply Rmult_le_pos|]; apply Rabs_pos.
    + apply Rmult_le_compat; try apply Rabs_pos; [apply Rmult_le_pos; apply Rabs_pos | | assumption].
      apply Rmult_le_compat; assumption.
Qed.
