(* How the lines of a partition's budget add up: from two levels of difference tables to a domain's
   parabola, and to the box.

   tmd-core::partition, whose formulas these are; Taylor.v has each kind of error, here is their
   sum. The tables know everything mod 1.

   | name          | what it is                                                                          |
   |---------------|-------------------------------------------------------------------------------------|
   | d m           | the derivative of order m of the polynomial that is used; d 0 is the polynomial     |
   | top           | its degree; d m is 0 beyond                                                         |
   | B m           | bound of |d m/m!| over all arguments touched                                        |
   | N, nu, runs   | arguments of a domain, domains of a run, runs of a lane                             |
   | deg j l       | degree of the outer table of entry l of the inner table of d j                      |
   | eps_in, eps_out | last digits of the inner and outer tables: 2^-64, 2^-128                          |
*)

Require Import ZArith Reals Lia Lra Psatz Arith.
From Flocq Require Import Core.Core.
Require Import TMD.Lattice TMD.Walk TMD.Tables TMD.Taylor TMD.Composition.
Open Scope R_scope.

(* Numbers mod 1. *)
Definition mod1 (e x y : R) : Prop := exists z, Rabs (x - (y + IZR z)) <= e.

Lemma mod1_moved e e' x y y' : mod1 e x y -> mod1 e' y y' -> mod1 (e + e') x y'.
Proof.
  intros (z & H) (z' & H'). exists (z + z')%Z. rewrite plus_IZR.
  replace (x - (y' + (IZR z + IZR z'))) with ((x - (y + IZR z)) + (y - (y' + IZR z'))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Lemma sum_zero f n : (forall l, (l <= n)%nat -> f l = 0) -> sum_f_R0 f n = 0.
Proof.
  induction n as [|n IH]; intros H; cbn [sum_f_R0]; [apply H; lia|].
  rewrite IH, H by (intros; try apply H; lia). ring.
Qed.

Lemma sum_shrinks f n top : (top <= n)%nat -> (forall l, (top < l)%nat -> f l = 0) -> sum_f_R0 f n = sum_f_R0 f top.
Proof.
  intros Hn H. induction Hn as [|n Hn IH]; [reflexivity|]. cbn [sum_f_R0]. rewrite IH, (H (S n)) by lia. ring.
Qed.

(* Definition B.1. What a table of degree `degree` is off by at most, after up to `steps` steps of
   h: its entries by `u l` each, and what it leaves out, orders above the degree, by h^l*M l.
   `tabulation` and `dropped_differences` of tmd-difftable::bounds. *)
Definition kept (degree steps : nat) (u : nat -> R) (top : nat) : R :=
  sum_f_R0 (fun l => if (l <=? degree)%nat then IZR (binomial steps l) * u l else 0) top.
Definition left_out (degree steps : nat) (h : R) (M : nat -> R) (top : nat) : R :=
  sum_f_R0 (fun l => if (l <=? degree)%nat then 0 else IZR (binomial steps l) * (h ^ l * M l)) top.

(* what a table of degree `degree` says after i steps *)
Definition tabulated_value (degree i : nat) (entry : nat -> R) (top : nat) : R :=
  sum_f_R0 (fun l => if (l <=? degree)%nat then IZR (binomial i l) * entry l else 0) top.

Lemma binomial_above i l : (i < l)%nat -> binomial i l = 0%Z.
Proof.
  revert l. induction i as [|i IH]; intros [|l] H; cbn [binomial]; try lia.
  rewrite !IH by lia. reflexivity.
Qed.

(* Theorem B.1 (a table, mod 1). *)
Theorem table_mod1 f h x (M u entry : nat -> R) degree steps top i :
  (i <= steps)%nat -> (degree <= top)%nat ->
  (forall l, (l <= steps)%nat -> Rabs (differences l h f x) <= h ^ l * M l) -> (forall l, (top < l)%nat -> M l = 0) ->
  (forall l, (l <= degree)%nat -> (l <= steps)%nat -> mod1 (u l) (differences l h f x) (entry l)) ->
  mod1 (kept degree steps u top + left_out degree steps h M top) (f (x + INR i * h)) (tabulated_value degree i entry top).
Proof.
  intros Hi Hdeg HM Htop He.
  assert (Hz : exists z : nat -> Z, forall l, (l <= degree)%nat -> (l <= steps)%nat ->
                 Rabs (differences l h f x - (entry l + IZR (z l))) <= u l).
  { clear - He. induction degree as [|degree IH].
    - destruct (He O ltac:(lia) ltac:(lia)) as (z & Hz). exists (fun _ => z). intros l Hl _. replace l with O by lia. exact Hz.
    - destruct IH as (z & Hz); [intros; apply He; lia|].
      destruct (Nat.le_gt_cases (S degree) steps) as [L | L].
      + destruct (He (S degree) ltac:(lia) L) as (z' & Hz').
        exists (fun l => if (l <=? degree)%nat then z l else z'). intros l Hl Hs.
        destruct (Nat.leb_spec l degree); [apply Hz; assumption|]. replace l with (S degree) by lia. exact Hz'.
      + exists z. intros l Hl Hs. apply Hz; lia. }
  destruct Hz as (z & Hz).
  set (n := Nat.max i top).
  set (entry' l := if (steps <? l)%nat then differences l h f x else if (l <=? degree)%nat then entry l + IZR (z l) else 0).
  set (off l := if (steps <? l)%nat then 0 else if (l <=? degree)%nat then u l else h ^ l * M l).
  assert (T : Rabs (f (x + INR i * h) - sum_f_R0 (fun l => IZR (binomial i l) * entry' l) n) <=
              sum_f_R0 (fun l => IZR (binomial (S steps - 1) l) * off l) n).
  { apply (table_error (S steps) i n h f x entry' off); [lia | unfold n; lia |].
    intros l _. unfold entry', off. destruct (Nat.ltb_spec steps l).
    - rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
    - destruct (Nat.leb_spec l degree); [apply Hz; assumption|]. rewrite Rminus_0_r. apply HM. assumption. }
  replace (S steps - 1)%nat with steps in T by lia.
  exists (sum (fun l => if (l <=? degree)%nat then binomial i l * z l else 0)%Z top).
  assert (E1 : sum_f_R0 (fun l => IZR (binomial i l) * entry' l) n =
               tabulated_value degree i entry top +
               IZR (sum (fun l => if (l <=? degree)%nat then binomial i l * z l else 0)%Z top)).
  { assert (E : forall l, IZR (binomial i l) * entry' l =
                  if (l <=? degree)%nat then IZR (binomial i l) * (entry l + IZR (z l)) else 0).
    { intros l. unfold entry'. destruct (Nat.ltb_spec steps l).
      - rewrite binomial_above by lia. destruct (l <=? degree)%nat; ring.
      - destruct (l <=? degree)%nat; ring. }
    rewrite (sum_eq _ (fun l => if (l <=? degree)%nat then IZR (binomial i l) * (entry l + IZR (z l)) else 0)) by (intros; apply E).
    rewrite (sum_shrinks _ n top) by (solve [unfold n; lia] || (intros l Hl; destruct (Nat.leb_spec l degree); lia || ring)).
    unfold tabulated_value. clear. induction top as [|top IH]; cbn [sum_f_R0 sum].
    - destruct (0 <=? degree)%nat; [rewrite mult_IZR|]; ring.
    - rewrite IH, plus_IZR. destruct (S top <=? degree)%nat; [rewrite mult_IZR|]; ring. }
  assert (E2 : sum_f_R0 (fun l => IZR (binomial steps l) * off l) n =
               kept degree steps u top + left_out degree steps h M top).
  { rewrite (sum_eq _ (fun l => if (l <=? degree)%nat then IZR (binomial steps l) * u l
                                else IZR (binomial steps l) * (h ^ l * M l))).
    - rewrite (sum_shrinks _ n top).
      + unfold kept, left_out. rewrite <- sum_plus. apply sum_eq. intros l _. destruct (l <=? degree)%nat; ring.
      + unfold n. lia.
      + intros l Hl. destruct (Nat.leb_spec l degree); [lia | rewrite Htop by assumption; ring].
    - intros l _. unfold off. destruct (Nat.ltb_spec steps l).
      + rewrite binomial_above by lia. destruct (l <=? degree)%nat; ring.
      + destruct (l <=? degree)%nat; ring. }
  rewrite E1, E2 in T. exact T.
Qed.

(* Differences of differences. *)

Lemma differences_derivatives l d n h low high :
  0 <= h -> derivatives d n low high -> derivatives (fun k => differences l h (d k)) n low (high - INR l * h).
Proof.
  intros Hh. revert d high. induction l as [|l IH]; intros d high Hd.
  - cbn [differences INR]. replace (high - 0 * h) with high by ring. exact Hd.
  - cbn [differences]. rewrite S_INR. replace (high - (INR l + 1) * h) with ((high - h) - INR l * h) by ring.
    apply (IH (fun k => difference h (d k))).
    intros k t Hk Ht. unfold difference.
    apply lim_eq with (f := minus_fct (comp (d k) (fun s => s + h)) (d k)) (l := d (S k) (t + h) * (1 + 0) - d (S k) t);
      [reflexivity | ring |].
    apply derivable_pt_lim_minus; [|apply Hd; [exact Hk | lra]].
    apply derivable_pt_lim_comp.
    + apply derivable_pt_lim_plus; [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
    + apply Hd; [exact Hk | lra].
Qed.

Section cut.

Variables (d : nat -> R -> R) (top : nat) (B : nat -> R) (low high : R).
Hypothesis smooth : forall n, derivatives d n low high.
Hypothesis bounds : forall m t, low <= t <= high -> Rabs (d m t / INR (fact m)) <= B m.
Hypothesis ends_there : forall m, (top < m)%nat -> B m = 0.

Lemma derivative_bound m t : low <= t <= high -> Rabs (d m t) <= INR (fact m) * B m.
Proof.
  intros Ht. pose proof (bounds m t Ht) as H. pose proof (lt_0_INR _ (lt_O_fact m)) as F.
  replace (d m t) with (INR (fact m) * (d m t / INR (fact m))) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (INR (fact m))) by lra. apply Rmult_le_compat_l; [lra | exact H].
Qed.

Lemma shifted_derivatives j n : derivatives (fun k => d (k + j)%nat) n low high.
Proof. intros k t Hk Ht. apply (smooth (k + j)%nat); [lia | exact Ht]. Qed.

(* Lemma B.10 (differences, twice). *)
Lemma difference_once j l h x :
  0 <= h -> low <= x -> x + INR l * h <= high ->
  Rabs (differences l h (d j) x) <= h ^ l * (INR (fact (l + j)) * B (l + j)%nat).
Proof.
  intros Hh Hx Hhigh.
  apply (difference_bound l (fun k => d (k + j)%nat) h low high); try assumption.
  - apply shifted_derivatives.
  - intros t Ht. apply derivative_bound. exact Ht.
Qed.

Lemma difference_twice j l m h H x :
  0 <= h -> 0 <= H -> low <= x -> x + INR m * H + INR l * h <= high ->
  Rabs (differences m H (differences l h (d j)) x) <= H ^ m * (h ^ l * (INR (fact (l + m + j)) * B (l + m + j)%nat)).
Proof.
  intros Hh HH Hx Hhigh.
  apply (difference_bound m (fun k => differences l h (d (k + j)%nat)) H low (high - INR l * h)); try assumption; try lra.
  - apply differences_derivatives; [exact Hh | apply shifted_derivatives].
  - intros t Ht. pose proof (difference_once (m + j) l h t Hh ltac:(lra) ltac:(lra)) as D.
    replace (l + (m + j))%nat with (l + m + j)%nat in D by lia. exact D.
Qed.

(* The partition: inner tables of heights, of degree 3, and of slopes, of degree 2 or 1, one step
   per domain; their entries come from outer tables, one step per run. *)

Variables (x0 N eps_in eps_out : R) (nu runs : nat) (deg : nat -> nat -> nat).
Variables (outer : nat -> nat -> nat -> R) (inner : nat -> nat -> nat -> R).
Hypothesis N_positive : 0 < N.
Hypothesis eps_positive : 0 <= eps_in /\ 0 <= eps_out.
Hypothesis some_domains : (1 <= nu)%nat.
Hypothesis some_runs : (1 <= runs)%nat.
Hypothesis degrees : forall j l, (deg j l <= top)%nat.
Hypothesis cubic : (3 <= top)%nat.

Definition reach : nat := Nat.max (nu - 1) 2.
Definition span_of_run : R := INR nu * N.
Definition start (r : nat) : R := x0 + INR r * span_of_run.
Definition middle_of (r i : nat) : R := start r + INR i * N.

Hypothesis touched_below : low <= x0 - N / 2.
Hypothesis touched_above : x0 + INR (runs - 1) * span_of_run + (INR reach + / 2) * N <= high.

(* Definition B.2. What the entry l of the inner table of d j is off by: its own last digit, those
   of the outer table (`lag`), and what that one leaves out (`drop`). `weight` is how often an entry
   counts at the end of a run; the second difference of heights makes the curvature, too. *)
Definition lag (j l : nat) : R := kept (deg j l) (runs - 1) (fun _ => eps_out) top.
Definition drop (j l : nat) : R :=
  left_out (deg j l) (runs - 1) span_of_run (fun m => N ^ l * (INR (fact (l + m + j)) * B (l + m + j)%nat)) top.
Definition off_entry (j l : nat) : R := eps_in + lag j l + drop j l.

(* What the code keeps: entries rounded to their last digits, mod 1, the inner ones at the start of
   each run. *)
Hypothesis outer_holds : forall j l m, (l <= reach)%nat -> (m <= deg j l)%nat ->
  mod1 eps_out (differences m span_of_run (differences l N (d j)) x0) (outer j l m).
Hypothesis inner_holds : forall j l r, (r < runs)%nat ->
  mod1 eps_in (tabulated_value (deg j l) r (outer j l) top) (inner j l r).

Lemma start_inside r : (r < runs)%nat -> x0 <= start r /\ start r + (INR reach + / 2) * N <= high.
Proof.
  intros Hr. unfold start. assert (Hs : 0 <= span_of_run).
  { unfold span_of_run. apply Rmult_le_pos; [apply pos_INR | lra]. }
  pose proof (le_INR r (runs - 1) ltac:(lia)). pose proof (pos_INR r).
  split; [nra|]. assert (INR r * span_of_run <= INR (runs - 1) * span_of_run) by (apply Rmult_le_compat_r; assumption). lra.
Qed.

(* Theorem B.2 (entries). At the start of any run. *)
Theorem entry_holds j l r :
  (r < runs)%nat -> (l <= reach)%nat -> mod1 (off_entry j l) (differences l N (d j) (start r)) (inner j l r).
Proof.
  intros Hr Hl.
  assert (Hs : 0 <= span_of_run) by (unfold span_of_run; apply Rmult_le_pos; [apply pos_INR | lra]).
  replace (off_entry j l) with ((lag j l + drop j l) + eps_in) by (unfold off_entry; ring).
  eapply mod1_moved; [|apply inner_holds; exact Hr].
  apply (table_mod1 (differences l N (d j)) span_of_run x0
           (fun m => N ^ l * (INR (fact (l + m + j)) * B (l + m + j)%nat)) (fun _ => eps_out) (outer j l));
    [lia | apply degrees | | |].
  - intros m Hm. apply difference_twice; try lra.
    pose proof (le_INR m (runs - 1) Hm). pose proof (le_INR l reach Hl).
    assert (INR m * span_of_run <= INR (runs - 1) * span_of_run) by (apply Rmult_le_compat_r; assumption).
    assert (INR l * N <= INR reach * N) by (apply Rmult_le_compat_r; lra). lra.
  - intros m Hm. rewrite ends_there by lia. ring.
  - intros m Hm _. apply outer_holds; assumption.
Qed.

(* Definition B.3. What the tabulated value of d j is off by at the end of a run, its inner table
   being of degree n. *)
Definition off_value (j n : nat) : R :=
  kept n (nu - 1) (off_entry j) top + left_out n (nu - 1) N (fun l => INR (fact (l + j)) * B (l + j)%nat) top.

(* Theorem B.3 (values). Heights are that of j = 0 and n = 3, slopes that of j = 1 and n = 2, or of
   n = 1 where their second differences are left out. *)
Theorem value_mod1 j n r i :
  (r < runs)%nat -> (i < nu)%nat -> (n <= top)%nat ->
  mod1 (off_value j n) (d j (middle_of r i)) (tabulated_value n i (fun l => inner j l r) top).
Proof.
  intros Hr Hi Hn. pose proof (start_inside r Hr) as (H0 & H1).
  apply (table_mod1 (d j) N (start r) (fun l => INR (fact (l + j)) * B (l + j)%nat) (off_entry j)); [lia | exact Hn | | |].
  - intros l Hl. apply difference_once; try lra.
    assert (INR l * N <= INR reach * N) by (apply Rmult_le_compat_r; [lra | apply le_INR; unfold reach; lia]). lra.
  - intros l Hl. rewrite ends_there by lia. ring.
  - intros l _ Hl. apply entry_holds; [exact Hr | unfold reach; lia].
Qed.

(* The curvature of a run. *)

Lemma middle_inside r i :
  (r < runs)%nat -> (i < nu)%nat ->
  start r <= middle_of r i <= start r + INR reach * N /\ low <= middle_of r i - N / 2 /\ middle_of r i + N / 2 <= high.
Proof.
  intros Hr Hi. pose proof (start_inside r Hr) as (H0 & H1). unfold middle_of.
  assert (INR i * N <= INR reach * N) by (apply Rmult_le_compat_r; [lra | apply le_INR; unfold reach; lia]).
  pose proof (pos_INR i). assert (0 <= INR i * N) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma second_moves s t : low <= s <= high -> low <= t <= high -> Rabs (d 2%nat s - d 2%nat t) <= 6 * B 3%nat * Rabs (s - t).
Proof.
  intros Hs Ht.
  destruct (taylor_remainder (fun k => d (k + 2)%nat) 0 low high t s (shifted_derivatives 2 0) Ht Hs) as (xi & Hxi & E).
  cbn [Nat.add taylor pow] in E. change (fact 1) with 1%nat in E. rewrite E.
  replace (d 2%nat t + d 3%nat xi / INR 1 * ((s - t) * 1) - d 2%nat t) with (d 3%nat xi * (s - t)) by (cbn [INR]; field).
  rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|].
  pose proof (derivative_bound 3 xi Hxi) as H. replace (INR (fact 3)) with 6 in H by (cbn; ring). exact H.
Qed.

(* Theorem B.4 (curvature). c is half the second difference at the run's start over N^2, the residue
   next to 0 being meant. *)
Theorem curvature_holds r i c :
  (r < runs)%nat -> (i < nu)%nat ->
  Rabs (differences 2 N (d O) (start r) - 2 * (N * N) * c) <= off_entry 0 2 ->
  Rabs (d 2%nat (middle_of r i) / 2 - c) <= 3 * B 3%nat * (INR reach * N) + off_entry 0 2 / (2 * (N * N)).
Proof.
  intros Hr Hi Hc. pose proof (start_inside r Hr) as (H0 & H1). pose proof (middle_inside r i Hr Hi) as (Hy & Hlow & Hhigh).
  set (y := middle_of r i) in *. set (x := start r) in *.
  assert (R2 : 2 * N <= INR reach * N).
  { apply Rmult_le_compat_r; [lra|]. replace 2 with (INR 2) by (cbn; ring). apply le_INR. unfold reach. lia. }
  assert (B0 : 0 <= B 3%nat).
  { eapply Rle_trans; [apply Rabs_pos | apply (bounds 3%nat y)]. lra. }
  (* the function less the parabola of y's second derivative *)
  pose (p := fun k t => match k with
                        | O => d O t - d 2%nat y * (t * t) / 2
                        | 1%nat => d 1%nat t - d 2%nat y * t
                        | 2%nat => d 2%nat t - d 2%nat y
                        | _ => d k t end).
  assert (Hp : derivatives p 2 x (x + 2 * N)).
  { intros k t Hk Ht. assert (Hd : derivable_pt_lim (d k) t (d (S k) t)) by (apply (smooth k k t); [lia | lra]).
    destruct k as [|[|[|k]]]; [| | |lia]; cbn [p].
    - apply lim_eq with (f := minus_fct (d O) (mult_real_fct (d 2%nat y / 2) (fun s => pow s 2)))
        (l := d 1%nat t - d 2%nat y / 2 * (INR 2 * pow t (Nat.pred 2))).
      + intros s. unfold minus_fct, mult_real_fct, p. cbn [pow]. field.
      + cbn. field.
      + apply derivable_pt_lim_minus; [exact Hd|]. apply derivable_pt_lim_scal. apply derivable_pt_lim_pow.
    - apply lim_eq with (f := minus_fct (d 1%nat) (mult_real_fct (d 2%nat y) (fun s => s))) (l := d 2%nat t - d 2%nat y * 1).
      + intros s. reflexivity.
      + ring.
      + apply derivable_pt_lim_minus; [exact Hd|]. apply derivable_pt_lim_scal. apply derivable_pt_lim_id.
    - apply lim_eq with (f := minus_fct (d 2%nat) (fun _ => d 2%nat y)) (l := d 3%nat t - 0).
      + intros s. reflexivity.
      + ring.
      + apply derivable_pt_lim_minus; [exact Hd | apply derivable_pt_lim_const]. }
  assert (HD : Rabs (differences 2 N (p O) x) <= N ^ 2 * (6 * B 3%nat * (INR reach * N))).
  { apply (difference_bound 2 p N x (x + 2 * N)); [lra | exact Hp | lra | cbn [INR]; lra |].
    intros t Ht. cbn [p]. eapply Rle_trans; [apply second_moves; lra|].
    apply Rmult_le_compat_l; [lra|]. apply Rabs_le. lra. }
  assert (E : differences 2 N (p O) x = differences 2 N (d O) x - N * N * d 2%nat y).
  { cbn [differences p]. unfold difference, p. field. }
  rewrite E in HD.
  assert (HNN : 0 < 2 * (N * N)) by (apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]).
  apply Rmult_le_reg_l with (2 * (N * N)); [exact HNN|].
  rewrite <- (Rabs_pos_eq (2 * (N * N))) at 1 by lra. rewrite <- Rabs_mult.
  replace (2 * (N * N) * (d 2%nat y / 2 - c))
    with (- (differences 2 N (d O) x - N * N * d 2%nat y) + (differences 2 N (d O) x - 2 * (N * N) * c)) by field.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp.
  replace (2 * (N * N) * (3 * B 3%nat * (INR reach * N) + off_entry 0 2 / (2 * (N * N))))
    with (N ^ 2 * (6 * B 3%nat * (INR reach * N)) + off_entry 0 2) by (field; lra).
  lra.
Qed.

(* Lemma B.5 (residue). The residue next to 0 is the number itself, if that is small. *)
Lemma residue_next_to_0 e x y z z' size :
  Rabs (x - (y + IZR z)) <= e -> Rabs x <= size -> size + e < / 2 -> Rabs (y + IZR z') <= / 2 -> z' = z.
Proof.
  intros H Hx Hs Hz. apply Rabs_le_inv in H, Hx, Hz.
  assert (- 1 < IZR z - IZR z' < 1) by lra. rewrite <- minus_IZR in H0.
  destruct H0 as (L & U). apply lt_IZR in L, U. lia.
Qed.

(* The lines. `weights` are those of the code: the second difference counts 1/8 in c*(N/2)^2 and
   1/16 in what kappa is made of: 3/16. `slopes` is the degree of the inner table of slopes. *)

Variable slopes : nat.

Definition summed (part : nat -> nat -> R) : R :=
  kept 3 (nu - 1) (part O) top + 3 / 16 * part O 2%nat + N / 2 * kept slopes (nu - 1) (part 1%nat) top.

Definition tables : R :=
  summed (fun j l => eps_in + lag j l) + 3 * B 3%nat * (INR (nu + 2) * N) * (N / 2 * (N / 2)).

Definition inner_left_out : R :=
  left_out 3 (nu - 1) N (fun l => INR (fact (l + 0)) * B (l + 0)%nat) top +
  N / 2 * left_out slopes (nu - 1) N (fun l => INR (fact (l + 1)) * B (l + 1)%nat) top.

Definition terms : R := sum_f_R0 (fun m => B (3 + m)%nat * (N / 2) ^ (3 + m)) (top - 3).

Definition dropped : R := summed drop + terms + inner_left_out.

Lemma kept_split n steps u w : kept n steps (fun l => u l + w l) top = kept n steps u top + kept n steps w top.
Proof. unfold kept. rewrite <- sum_plus. apply sum_eq. intros l _. destruct (l <=? n)%nat; ring. Qed.

Lemma B_positive m : 0 <= B m.
Proof.
  pose proof (middle_inside 0 0 ltac:(lia) ltac:(lia)) as (_ & L & H).
  eapply Rle_trans; [apply Rabs_pos | apply (bounds m (middle_of 0 0))]. lra.
Qed.

Lemma terms_hold : B 3%nat * (N / 2 * (N / 2) * (N / 2)) <= terms.
Proof.
  unfold terms. rewrite <- (Rplus_0_r (B 3%nat * _)).
  assert (H : forall n, B 3%nat * (N / 2 * (N / 2) * (N / 2)) + 0 <= sum_f_R0 (fun m => B (3 + m)%nat * (N / 2) ^ (3 + m)) n).
  { induction n as [|n IH]; cbn [sum_f_R0].
    - cbn [Nat.add pow]. lra.
    - assert (0 <= B (3 + S n)%nat * (N / 2) ^ (3 + S n)); [|lra].
      apply Rmult_le_pos; [apply B_positive | apply pow_le; lra]. }
  apply H.
Qed.

Lemma off_entry_positive : 0 <= off_entry 0 2.
Proof.
  destruct (entry_holds 0 2 0 ltac:(lia) ltac:(unfold reach; lia)) as (z & H).
  eapply Rle_trans; [apply Rabs_pos | exact H].
Qed.

Lemma reach_bound : INR reach * N <= INR (nu + 2) * N /\ (/ 2 + INR reach) * N <= 2 * (INR (nu + 2) * N).
Proof.
  assert (INR reach <= INR (nu + 2)) by (apply le_INR; unfold reach; lia).
  assert (INR 2 <= INR (nu + 2)) by (apply le_INR; lia). cbn [INR] in H0. split; nra.
Qed.

(* Theorem B.6 (acceptance). What a domain's parabola is off by is the sum of the lines *tables* and
   *dropped*. *)
Theorem lines_add_up :
  off_value 0 3 + off_value 1 slopes * (N / 2) +
  (3 * B 3%nat * (INR reach * N) + off_entry 0 2 / (2 * (N * N))) * (N / 2 * (N / 2)) +
  B 3%nat * (N / 2 * (N / 2) * (N / 2)) <= tables + dropped.
Proof.
  pose proof terms_hold as HT. pose proof off_entry_positive as HO. pose proof (B_positive 3) as HB.
  destruct reach_bound as (HR & _).
  assert (E : off_value 0 3 + off_value 1 slopes * (N / 2) + off_entry 0 2 / 8 + off_entry 0 2 / 16 =
              summed (fun j l => eps_in + lag j l) + summed drop + inner_left_out).
  { unfold off_value, summed, inner_left_out.
    replace (kept 3 (nu - 1) (off_entry 0) top) with (kept 3 (nu - 1) (fun l => eps_in + lag 0 l) top + kept 3 (nu - 1) (drop 0) top)
      by (rewrite <- kept_split; reflexivity).
    replace (kept slopes (nu - 1) (off_entry 1) top) with (kept slopes (nu - 1) (fun l => eps_in + lag 1 l) top + kept slopes (nu - 1) (drop 1) top)
      by (rewrite <- kept_split; reflexivity).
    unfold off_entry at 1 2. field. }
  replace ((3 * B 3%nat * (INR reach * N) + off_entry 0 2 / (2 * (N * N))) * (N / 2 * (N / 2)))
    with (3 * B 3%nat * (INR reach * N) * (N / 2 * (N / 2)) + off_entry 0 2 / 8) by (field; lra).
  assert (3 * B 3%nat * (INR reach * N) * (N / 2 * (N / 2)) <= 3 * B 3%nat * (INR (nu + 2) * N) * (N / 2 * (N / 2))).
  { apply Rmult_le_compat_r; [nra|]. apply Rmult_le_compat_l; [lra | exact HR]. }
  unfold tables, dropped. lra.
Qed.

(* What the line at kappa = c*N^2/8 is off by instead, in a domain whose center is within N/2 of the
   piece, C being a bound of the curvature over the *piece*: also where the run's own c is more than
   C. *)
Definition stray_most (C : R) : R := (C + 3 * B 3%nat * ((/ 2 + INR reach) * N)) * (N * N / 8) + off_entry 0 2 / 16.

Lemma stray_bound c ci C x :
  Rabs ci <= C + 3 * B 3%nat * (N / 2) ->
  Rabs (ci - c) <= 3 * B 3%nat * (INR reach * N) + off_entry 0 2 / (2 * (N * N)) -> Rabs x <= N / 2 ->
  Rabs (ci * (x * x) - c * (N / 2 * (N / 2)) / 2) <= stray_most C.
Proof.
  intros Hci Hd Hx.
  assert (Hxx : 0 <= x * x <= N * N / 4).
  { split; [apply Rle_0_sqr|]. apply Rabs_le_inv in Hx. nra. }
  replace (ci * (x * x) - c * (N / 2 * (N / 2)) / 2) with (ci * (x * x - N * N / 8) + (ci - c) * (N * N / 8)) by field.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq (N * N / 8)) by nra.
  assert (H8 : Rabs (x * x - N * N / 8) <= N * N / 8) by (apply Rabs_le; lra).
  apply Rle_trans with ((C + 3 * B 3%nat * (N / 2)) * (N * N / 8) +
                        (3 * B 3%nat * (INR reach * N) + off_entry 0 2 / (2 * (N * N))) * (N * N / 8)).
  - apply Rplus_le_compat.
    + apply Rmult_le_compat; try apply Rabs_pos; assumption.
    + apply Rmult_le_compat_r; [nra | exact Hd].
  - right. unfold stray_most. field. lra.
Qed.

(* Theorem B.7 (box). *linear*, which is C*N^2/8, together with *tables* and *dropped* is enough for
   the line. *)
Theorem box_adds_up C :
  off_value 0 3 + off_value 1 slopes * (N / 2) + stray_most C + B 3%nat * (N / 2 * (N / 2) * (N / 2)) <=
  C * (N * N) / 8 + tables + dropped.
Proof.
  pose proof terms_hold as HT. pose proof off_entry_positive as HO. pose proof (B_positive 3) as HB.
  destruct reach_bound as (_ & HR).
  assert (E : off_value 0 3 + off_value 1 slopes * (N / 2) + off_entry 0 2 / 8 + off_entry 0 2 / 16 =
              summed (fun j l => eps_in + lag j l) + summed drop + inner_left_out).
  { unfold off_value, summed, inner_left_out.
    replace (kept 3 (nu - 1) (off_entry 0) top) with (kept 3 (nu - 1) (fun l => eps_in + lag 0 l) top + kept 3 (nu - 1) (drop 0) top)
      by (rewrite <- kept_split; reflexivity).
    replace (kept slopes (nu - 1) (off_entry 1) top) with (kept slopes (nu - 1) (fun l => eps_in + lag 1 l) top + kept slopes (nu - 1) (drop 1) top)
      by (rewrite <- kept_split; reflexivity).
    unfold off_entry at 1 2. field. }
  assert (3 * B 3%nat * ((/ 2 + INR reach) * N) * (N * N / 8) <= 3 * B 3%nat * (2 * (INR (nu + 2) * N)) * (N * N / 8)).
  { apply Rmult_le_compat_r; [nra|]. apply Rmult_le_compat_l; [lra | exact HR]. }
  unfold tables, dropped, stray_most.
  replace (3 * B 3%nat * (INR (nu + 2) * N) * (N / 2 * (N / 2)))
    with (3 * B 3%nat * (2 * (INR (nu + 2) * N)) * (N * N / 8)) by field.
  lra.
Qed.

End cut.

(* What the composition asks of a domain. *)

Section domains.

Variables (p : piece) (l : layout) (t : domain) (r i : nat).
Variables (top : nat) (B : nat -> R) (low high x0 eps_in eps_out : R) (nu runs slopes : nat) (deg : nat -> nat -> nat).
Variables (outer inner : nat -> nat -> nat -> R) (C q0 q1 : R).

Definition poly : nat -> R -> R := polynomials (signed l p) (degree p).
Definition size : R := IZR (2 * half l).

Hypothesis half_positive' : (0 < half l)%Z.
Hypothesis circle_positive' : (0 < circle l)%Z.
Hypothesis ends : no_term_above (degree p) (used p).
Hypothesis B_holds : forall m x, low <= x <= high -> Rabs (poly m x / INR (fact m)) <= B m.
Hypothesis B_ends : forall m, (top < m)%nat -> B m = 0.
Hypothesis deg_holds : forall j k, (deg j k <= top)%nat.
Hypothesis top_holds : (3 <= top)%nat.
Hypothesis slopes_hold : (slopes <= top)%nat.
Hypothesis digits : 0 <= eps_in /\ 0 <= eps_out.
Hypothesis nu_holds : (i < nu)%nat.
Hypothesis runs_hold : (r < runs)%nat.
Hypothesis low_holds : low <= x0 - size / 2.
Hypothesis high_holds : x0 + INR (runs - 1) * span_of_run size nu + (INR (reach nu) + / 2) * size <= high.
Hypothesis outer_ok : forall j k m, (k <= reach nu)%nat -> (m <= deg j k)%nat ->
  mod1 eps_out (differences m (span_of_run size nu) (differences k size (poly j)) x0) (outer j k m).
Hypothesis inner_ok : forall j k s, (s < runs)%nat ->
  mod1 eps_in (tabulated_value (deg j k) s (outer j k) top) (inner j k s).

(* The domain: the middle number i of the run number r of its lane. Its level and slope are those of
   the tables, rounded: q0 and q1, the line *quantization*. Its curvature is made of the run's
   second difference; beta is rounded, and what it is made of. *)
Hypothesis middle_is : IZR (middle t - center p) = middle_of x0 size nu r i.
Hypothesis level_is : mod1 q0 (tabulated_value 3 i (fun k => inner 0%nat k r) top) (level t / IZR (circle l)).
Hypothesis slope_is : mod1 q1 (tabulated_value slopes i (fun k => inner 1%nat k r) top) (IZR (slope t) / IZR (circle l)).
Hypothesis curvature_is : Rabs (differences 2 size (poly 0) (start x0 size nu r) - 2 * (size * size) * (curvature t / IZR (circle l))) <=
  off_entry top B size eps_in eps_out nu runs deg 0 2.
Hypothesis height_is : Rabs (IZR (height t) + (level t + kappa (half l) (curvature t))) <= off l.
Hypothesis piece_curves : Rabs (poly 2 (middle_of x0 size nu r i) / 2) <= C + 3 * B 3%nat * (size / 2).

Let value j n := off_value top B size eps_in eps_out nu runs deg j n.
Let entry := off_entry top B size eps_in eps_out nu runs deg 0 2.

Hypothesis eh_is : eh l = value 0 3 + q0.
Hypothesis es_is : es l = value 1 slopes + q1.
Hypothesis ec_is : ec l = 3 * B 3%nat * (INR (reach nu) * size) + entry / (2 * (size * size)).
Hypothesis third_is : third l = B 3%nat.
Hypothesis stray_is : stray l = stray_most top B size eps_in eps_out nu runs deg C.

(* Theorem B.8 (the sum of the lines). A domain of a partition is tabulated as the composition asks,
   and what it asks of acc and h are the sums of the budget's lines: *tables*, *dropped* and
   *quantization* for the one, these and *linear* for the other. *)
Theorem partition_is_tabulated :
  tabulated l p t /\
  lost l <= tables top B size eps_in eps_out nu runs deg slopes + dropped top B size nu runs deg slopes + (q0 + q1 * IZR (half l)) /\
  eh l + es l * IZR (half l) + stray l + third l * (IZR (half l) * IZR (half l) * IZR (half l)) <=
    C * (size * size) / 8 + tables top B size eps_in eps_out nu runs deg slopes + dropped top B size nu runs deg slopes + (q0 + q1 * IZR (half l)).
Proof.
  assert (HhR : 0 < IZR (half l)) by (apply IZR_lt; exact half_positive').
  assert (Hsize : size = 2 * IZR (half l)) by (unfold size; rewrite mult_IZR; reflexivity).
  assert (HN : 0 < size) by lra.
  assert (Hends : no_term_above (degree p) (signed l p)).
  { intros j Hj. unfold signed. rewrite (ends j Hj). ring. }
  assert (Hsmooth : forall n, derivatives poly n low high) by (intros n; apply polynomial_derivatives; exact Hends).
  assert (N1 : (1 <= nu)%nat) by lia. assert (R1 : (1 <= runs)%nat) by lia.
  pose proof (value_mod1 poly top B low high Hsmooth B_holds B_ends x0 size eps_in eps_out nu runs deg outer inner
                HN N1 R1 deg_holds top_holds low_holds high_holds outer_ok inner_ok) as HV.
  assert (Hci : Rabs (poly 2 (middle_of x0 size nu r i) / 2 - curvature t / IZR (circle l)) <= ec l).
  { rewrite ec_is. unfold entry.
    apply (curvature_holds poly top B low high Hsmooth B_holds x0 size eps_in eps_out nu runs deg HN N1 R1 top_holds low_holds high_holds);
      assumption. }
  assert (Hkappa : kappa (half l) (curvature t) / IZR (circle l) = curvature t / IZR (circle l) * (size / 2 * (size / 2)) / 2).
  { unfold kappa. rewrite Hsize. field. apply Rgt_not_eq, IZR_lt. exact circle_positive'. }
  destruct (middle_inside top low high x0 size nu runs HN N1 R1 top_holds low_holds high_holds r i runs_hold nu_holds) as (_ & Hlow & Hhigh).
  split; [|split].
  - constructor; rewrite ?middle_is.
    + rewrite eh_is. unfold value. eapply mod1_moved; [apply (HV 0%nat 3%nat r i); [exact runs_hold | exact nu_holds | exact top_holds] | exact level_is].
    + rewrite es_is. unfold value. eapply mod1_moved; [apply (HV 1%nat slopes r i); [exact runs_hold | exact nu_holds | exact slopes_hold] | exact slope_is].
    + exact Hci.
    + intros xi Hxi. rewrite third_is. replace 6 with (INR (fact 3)) by (cbn; ring). apply B_holds. lra.
    + intros x Hx. rewrite stray_is, Hkappa. unfold poly in *.
      apply stray_bound; [exact HN | exact piece_curves | | lra]. unfold entry in ec_is. rewrite <- ec_is. exact Hci.
    + exact height_is.
  - unfold lost. rewrite eh_is, es_is, ec_is, third_is. unfold value, entry.
    pose proof (lines_add_up poly top B low high Hsmooth B_holds B_ends x0 size eps_in eps_out nu runs deg outer inner
                  HN N1 R1 deg_holds top_holds low_holds high_holds outer_ok inner_ok slopes) as HA.
    replace (size / 2) with (IZR (half l)) in HA by lra. lra.
  - rewrite eh_is, es_is, stray_is, third_is. unfold value.
    pose proof (box_adds_up poly top B low high Hsmooth B_holds B_ends x0 size eps_in eps_out nu runs deg outer inner
                  HN N1 R1 deg_holds top_holds low_holds high_holds outer_ok inner_ok slopes C) as HA.
    replace (size / 2) with (IZR (half l)) in HA by lra. lra.
Qed.

End domains.

(* Theorem B.9 (outward). The code adds and multiplies bounds in binary64 and takes the number next
   above: never less than the exact sum or product of what they bound. `Upper` of
   tmd-difftable::bounds; whichever way the operation rounds. *)
Theorem upper_sum rnd (Hrnd : Valid_rnd rnd) x y a b :
  x <= a -> y <= b -> x + y <= succ radix2 (FLT_exp (-1074) 53) (round radix2 (FLT_exp (-1074) 53) rnd (a + b)).
Proof.
  intros Hx Hy. eapply Rle_trans; [|apply succ_round_ge_id; [apply FLT_exp_valid; reflexivity | exact Hrnd]]. lra.
Qed.

Corollary upper_product rnd (Hrnd : Valid_rnd rnd) x y a b :
  0 <= x <= a -> 0 <= y <= b -> x * y <= succ radix2 (FLT_exp (-1074) 53) (round radix2 (FLT_exp (-1074) 53) rnd (a * b)).
Proof.
  intros Hx Hy. eapply Rle_trans; [|apply succ_round_ge_id; [apply FLT_exp_valid; reflexivity | exact Hrnd]].
  apply Rmult_le_compat; lra.
Qed.

(* One level of tables, as the scalar engines have them: rows of values, first and second
   differences at domains' first arguments. *)

Lemma mod1_scaled e x y c : (0 <= c)%Z -> mod1 e x y -> mod1 (IZR c * e) (IZR c * x) (IZR c * y).
Proof.
  intros Hc (z & H). apply IZR_le in Hc. exists (c * z)%Z. rewrite mult_IZR.
  replace (IZR c * x - (IZR c * y + IZR c * IZR z)) with (IZR c * (x - (y + IZR z))) by ring.
  rewrite Rabs_mult, (Rabs_pos_eq (IZR c)) by exact Hc. apply Rmult_le_compat_l; assumption.
Qed.

Lemma mod1_plus e e' x x' y y' : mod1 e x y -> mod1 e' x' y' -> mod1 (e + e') (x + x') (y + y').
Proof.
  intros (z & H) (z' & H'). exists (z + z')%Z. rewrite plus_IZR.
  replace (x + x' - (y + y' + (IZR z + IZR z'))) with ((x - (y + IZR z)) + (x' - (y' + IZR z'))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Lemma mod1_near e e' x x' y y' : mod1 e x y -> Rabs (x' - x) + Rabs (y' - y) <= e' -> mod1 (e + e') x' y'.
Proof.
  intros (z & H) H'. exists z. replace (x' - (y' + IZR z)) with ((x - (y + IZR z)) + ((x' - x) + - (y' - y))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_triang (x' - x) (- (y' - y))) as T. rewrite Rabs_Ropp in T. lra.
Qed.

Lemma mod1_weaker e e' x y : e <= e' -> mod1 e x y -> mod1 e' x y.
Proof. intros He (z & H). exists z. lra. Qed.

(* Polynomials with coefficients that are 0 or more: so are all their differences, at 0 and
   above. *)
Inductive growing : (R -> R) -> Prop :=
  | growing_const c : 0 <= c -> growing (fun _ => c)
  | growing_id : growing (fun x => x)
  | growing_sum f g : growing f -> growing g -> growing (fun x => f x + g x)
  | growing_product f g : growing f -> growing g -> growing (fun x => f x * g x)
  | growing_same f g : (forall x, f x = g x) -> growing f -> growing g.

Lemma growing_positive f : growing f -> forall x, 0 <= x -> 0 <= f x.
Proof.
  induction 1 as [c Hc | | f g _ IHf _ IHg | f g _ IHf _ IHg | f g E _ IH]; intros x Hx.
  - exact Hc.
  - exact Hx.
  - specialize (IHf x Hx). specialize (IHg x Hx). lra.
  - apply Rmult_le_pos; auto.
  - rewrite <- E. auto.
Qed.

Lemma growing_shift h f : 0 <= h -> growing f -> growing (fun x => f (x + h)).
Proof.
  intros Hh. induction 1 as [c Hc | | f g _ IHf _ IHg | f g _ IHf _ IHg | f g E _ IH].
  - apply (growing_const c Hc).
  - apply growing_sum; [apply growing_id | apply (growing_const h Hh)].
  - apply (growing_sum _ _ IHf IHg).
  - apply (growing_product _ _ IHf IHg).
  - eapply growing_same; [|exact IH]. intros x. apply E.
Qed.

Lemma growing_difference h f : 0 <= h -> growing f -> growing (difference h f).
Proof.
  intros Hh. induction 1 as [c Hc | | f g Hf IHf Hg IHg | f g Hf IHf Hg IHg | f g E _ IH].
  - apply growing_same with (fun _ => 0); [intros; unfold difference; ring | apply growing_const; lra].
  - apply growing_same with (fun _ => h); [intros; unfold difference; ring | apply growing_const; exact Hh].
  - apply growing_same with (fun x => difference h f x + difference h g x); [intros; unfold difference; ring | apply growing_sum; assumption].
  - apply growing_same with (fun x => difference h f x * g (x + h) + f x * difference h g x); [intros; unfold difference; ring|].
    apply growing_sum; apply growing_product; try assumption. apply growing_shift; assumption.
  - apply growing_same with (difference h f); [|exact IH]. intros x. unfold difference. rewrite !E. reflexivity.
Qed.

Lemma growing_differences l h f : 0 <= h -> growing f -> growing (differences l h f).
Proof.
  intros Hh. revert f. induction l as [|l IH]; intros f Hf; cbn [differences]; [exact Hf | apply IH, growing_difference; assumption].
Qed.

Lemma growing_polynomial r n : (forall k, 0 <= r k) -> growing (polynomial r n).
Proof.
  intros Hr. induction n as [|n IH].
  - apply (growing_const (r O) (Hr O)).
  - apply growing_same with (fun x => polynomial r n x + r (S n) * x ^ S n); [reflexivity|].
    apply growing_sum; [exact IH|]. apply growing_product; [apply (growing_const _ (Hr (S n)))|].
    generalize (S n). clear. intros n. induction n as [|n IH]; cbn [pow]; [apply growing_const; lra|].
    apply growing_product; [apply growing_id | exact IH].
Qed.

Lemma polynomial_increases r r' n x reach :
  (forall k, 0 <= r k <= r' k) -> 0 <= x <= reach -> polynomial r n x <= polynomial r' n reach.
Proof.
  intros Hr Hx. induction n as [|n IH]; cbn [polynomial]; [apply Hr|].
  apply Rplus_le_compat; [exact IH|]. apply Rmult_le_compat; [apply Hr | apply pow_le; lra | apply Hr | apply pow_incr; exact Hx].
Qed.

Lemma differences_same l h f g : (forall x, f x = g x) -> forall x, differences l h f x = differences l h g x.
Proof.
  revert f g. induction l as [|l IH]; intros f g E x; cbn [differences]; [apply E|].
  apply IH. intros y. unfold difference. rewrite !E. reflexivity.
Qed.

Lemma differences_minus l h f g x : differences l h (fun y => f y - g y) x = differences l h f x - differences l h g x.
Proof.
  revert f g x. induction l as [|l IH]; intros f g x; cbn [differences]; [reflexivity|].
  rewrite <- IH. apply differences_same. intros y. unfold difference. ring.
Qed.

(* Some of the terms of a sum, none of them negative. *)
Lemma fewer_terms f (some : nat -> bool) m n :
  (m <= n)%nat -> (forall l, 0 <= f l) ->
  0 <= sum_f_R0 (fun l => if some l then f l else 0) m <= sum_f_R0 f n.
Proof.
  intros Hm Hf.
  assert (P : forall k, 0 <= sum_f_R0 (fun l => if some l then f l else 0) k <= sum_f_R0 f k).
  { induction k as [|k IH]; cbn [sum_f_R0].
    - pose proof (Hf O). destruct (some O); lra.
    - pose proof (Hf (S k)). destruct (some (S k)); lra. }
  split; [apply P|]. eapply Rle_trans; [apply P|].
  induction Hm as [|n Hm IH]; [lra|]. cbn [sum_f_R0]. pose proof (Hf (S n)). lra.
Qed.

Section one_level.

Variables (d : nat -> R -> R) (top : nat) (B I : nat -> R) (low inside high : R).
Hypothesis smooth : forall n, derivatives d n low high.
Hypothesis touched : forall m t, low <= t <= high -> Rabs (d m t / INR (fact m)) <= B m.
Hypothesis within : forall m t, low <= t <= inside -> Rabs (d m t / INR (fact m)) <= I m.
Hypothesis B_ends : forall m, (top < m)%nat -> B m = 0.
Hypothesis I_ends : forall m, (top < m)%nat -> I m = 0.
Hypothesis quadratic : (2 <= top)%nat.

(* A run of nu domains of N arguments from s on, s counted from the piece's first argument.
   Coefficients about that one are too small by `less`, none by more than the last digit of the
   outer limbs; entries, made of these, are off by at most that of the inner limbs. *)
Variables (s : R) (N nu : nat) (deg : nat -> nat) (eps_in eps_out : R) (count : nat) (less : nat -> R) (reach_out : R) (entry : nat -> nat -> R).
Hypothesis some_arguments : (1 <= N)%nat.
Hypothesis some_domains_here : (1 <= nu)%nat.
Hypothesis degrees_here : forall j, (deg j <= top)%nat.
Hypothesis eps_in_positive : 0 <= eps_in.
Hypothesis digits_out : forall k, 0 <= less k <= eps_out.
Hypothesis from_first : 0 <= s.
Hypothesis s_low : low <= s.
Hypothesis inside_high : inside <= high.
Hypothesis s_high : s + INR (nu - 1) * INR N + 2 <= high.

(* what a domain has to be within: the last ones of a run may be beyond the piece, and are not asked
   for *)
Definition domain_within (i : nat) : Prop :=
  (i < nu)%nat /\ s + INR i * INR N + (INR N - 1) <= inside /\ s + INR i * INR N + (INR N - 1) <= reach_out.

Definition cut_off : R -> R := polynomial less count.

Hypothesis entry_holds_here : forall j l, (j <= 2)%nat -> (l <= deg j)%nat -> (l <= nu - 1)%nat ->
  mod1 eps_in (differences l (INR N) (differences j 1 (fun x => d 0%nat x - cut_off x)) s) (entry j l).

(* the lines, row by row *)
Definition weight (j : nat) : R := IZR (binomial (N - 1) j).
Definition row_lag (j : nat) : R := kept (deg j) (nu - 1) (fun _ => eps_in) top.
Definition row_drop (j : nat) : R := left_out (deg j) (nu - 1) (INR N) (fun l => INR (fact (l + j)) * B (l + j)%nat) top.
Definition over_rows (f : nat -> R) : R := weight 0 * f 0%nat + weight 1 * f 1%nat + weight 2 * f 2%nat.
Definition terms_left_out : R := sum_f_R0 (fun j => if (j <=? 2)%nat then 0 else weight j * (INR (fact j) * I j)) top.

Definition line_tables : R := over_rows row_lag + polynomial (fun _ => eps_out) count reach_out.
Definition line_dropped : R := over_rows row_drop + terms_left_out.

(* the table of row j says this of domain i, and the parabola of the three rows this of its argument
   x *)
Definition row (j i : nat) : R := tabulated_value (deg j) i (entry j) top.
Definition parabola (i x : nat) : R :=
  IZR (binomial x 0) * row 0 i + IZR (binomial x 1) * row 1 i + IZR (binomial x 2) * row 2 i.

Definition cut_entry (j l : nat) : R := differences l (INR N) (differences j 1 cut_off) s.
Definition cut_row (j i : nat) : R := tabulated_value (deg j) i (cut_entry j) top.

Lemma size_positive : 1 <= INR N.
Proof. change 1 with (INR 1). apply le_INR. exact some_arguments. Qed.

Lemma domain_inside i x : (i < nu)%nat -> (x < N)%nat ->
  0 <= INR i * INR N <= INR (nu - 1) * INR N /\ 0 <= INR x <= INR N - 1.
Proof.
  intros Hi Hx. pose proof size_positive. pose proof (pos_INR i). pose proof (pos_INR x).
  assert (INR i <= INR (nu - 1)) by (apply le_INR; lia).
  assert (INR x + 1 <= INR N) by (rewrite <- S_INR; apply le_INR; lia). split; nra.
Qed.

Lemma tabulated_mod1 degree i steps u e e' n :
  (i <= steps)%nat -> 0 <= u -> (forall l, (l <= degree)%nat -> (l <= steps)%nat -> mod1 u (e l) (e' l)) ->
  mod1 (kept degree steps (fun _ => u) n) (tabulated_value degree i e n) (tabulated_value degree i e' n).
Proof.
  intros Hi Hu He.
  assert (Term : forall l, mod1 (if (l <=? degree)%nat then IZR (binomial steps l) * u else 0)
                  (if (l <=? degree)%nat then IZR (binomial i l) * e l else 0) (if (l <=? degree)%nat then IZR (binomial i l) * e' l else 0)).
  { intros l. destruct (Nat.leb_spec l degree) as [L | L].
    - destruct (Nat.le_gt_cases l i) as [Li | Li].
      + eapply mod1_weaker; [|apply mod1_scaled; [apply binomial_nonneg | apply He; [exact L | lia]]].
        apply Rmult_le_compat_r; [exact Hu | apply IZR_le, binomial_mono; exact Hi].
      + rewrite (binomial_above i l) by exact Li. exists 0%Z.
        replace (0 * e l - (0 * e' l + 0)) with 0 by ring. rewrite Rabs_R0.
        apply Rmult_le_pos; [apply IZR_le, binomial_nonneg | exact Hu].
    - exists 0%Z. rewrite Rplus_0_r, Rminus_0_r, Rabs_R0. lra. }
  unfold kept, tabulated_value. induction n as [|n IH]; cbn [sum_f_R0]; [apply Term | apply mod1_plus; [exact IH | apply Term]].
Qed.

(* What a row's table says of a domain, what inner limbs and outer limbs take from it, and dropped
   differences. *)
Lemma row_exactly j i :
  (j <= 2)%nat -> (i < nu)%nat ->
  exists z lag dd, Rabs lag <= row_lag j /\ Rabs dd <= row_drop j /\
    differences j 1 (d 0%nat) (s + INR i * INR N) = row j i + IZR z + cut_row j i + lag + dd.
Proof.
  intros Hj Hi. pose proof size_positive as HN.
  set (exact l := differences l (INR N) (differences j 1 (d 0%nat)) s).
  assert (Drop : mod1 (row_drop j) (differences j 1 (d 0%nat) (s + INR i * INR N)) (tabulated_value (deg j) i exact top)).
  { eapply mod1_weaker;
      [|apply (table_mod1 (differences j 1 (d 0%nat)) (INR N) s (fun l => INR (fact (l + j)) * B (l + j)%nat) (fun _ => 0) exact (deg j) (nu - 1))].
    - unfold row_drop, kept. rewrite sum_zero by (intros l _; destruct (l <=? deg j)%nat; ring). lra.
    - lia.
    - apply degrees_here.
    - intros l Hl. assert (HlN : INR l * INR N <= INR (nu - 1) * INR N) by (apply Rmult_le_compat_r; [lra | apply le_INR; exact Hl]).
      assert (Hj2 : INR j <= 2) by (change 2 with (INR 2); apply le_INR; exact Hj).
      pose proof (difference_twice d B low high smooth touched 0 j l 1 (INR N) s ltac:(lra) ltac:(lra) s_low ltac:(lra)) as D.
      rewrite pow1, Rmult_1_l, Nat.add_0_r, (Nat.add_comm j l) in D. exact D.
    - intros l Hl. rewrite B_ends by lia. ring.
    - intros l Hl Hs. exists 0%Z. unfold exact. rewrite Rplus_0_r, Rminus_diag_eq, Rabs_R0 by reflexivity. lra. }
  assert (Lag : mod1 (row_lag j) (tabulated_value (deg j) i exact top) (tabulated_value (deg j) i (fun l => entry j l + cut_entry j l) top)).
  { apply tabulated_mod1; [lia | apply eps_in_positive |]. intros l Hl Hs.
    destruct (entry_holds_here j l Hj Hl Hs) as (z & Hz). exists z. unfold exact.
    replace (differences l (INR N) (differences j 1 (d 0%nat)) s - (entry j l + cut_entry j l + IZR z))
      with (differences l (INR N) (differences j 1 (fun x => d 0%nat x - cut_off x)) s - (entry j l + IZR z)); [exact Hz|].
    unfold cut_entry.
    rewrite (differences_same l (INR N) _ (fun y => differences j 1 (d 0%nat) y - differences j 1 cut_off y))
      by (intros y; apply differences_minus).
    rewrite differences_minus. ring. }
  assert (E : row j i + cut_row j i = tabulated_value (deg j) i (fun l => entry j l + cut_entry j l) top).
  { unfold row, cut_row, tabulated_value. rewrite <- sum_plus. apply sum_eq. intros l _. destruct (l <=? deg j)%nat; ring. }
  rewrite <- E in Lag. destruct Drop as (z & Hd). destruct Lag as (z' & Hl).
  exists (z + z')%Z, (tabulated_value (deg j) i exact top - (row j i + cut_row j i + IZR z')),
    (differences j 1 (d 0%nat) (s + INR i * INR N) - (tabulated_value (deg j) i exact top + IZR z)).
  split; [exact Hl|]. split; [exact Hd|]. rewrite plus_IZR. ring.
Qed.

Lemma row_holds j i :
  (j <= 2)%nat -> (i < nu)%nat ->
  mod1 (row_lag j + row_drop j) (differences j 1 (d 0%nat) (s + INR i * INR N)) (row j i + cut_row j i).
Proof.
  intros Hj Hi. destruct (row_exactly j i Hj Hi) as (z & lag & dd & Hl & Hd & E). exists z.
  replace (differences j 1 (d 0%nat) (s + INR i * INR N) - (row j i + cut_row j i + IZR z)) with (lag + dd) by (rewrite E; ring).
  eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma cut_off_grows : growing cut_off.
Proof. apply growing_polynomial. intros k. apply digits_out. Qed.

(* What outer limbs cut off never counts more than at the argument itself. *)
Lemma cut_rows_hold i x :
  domain_within i -> (x < N)%nat ->
  0 <= IZR (binomial x 0) * cut_row 0 i + IZR (binomial x 1) * cut_row 1 i + IZR (binomial x 2) * cut_row 2 i <=
  polynomial (fun _ => eps_out) count reach_out.
Proof.
  intros (Hi & Hin & Hout) Hx. pose proof size_positive as HN. destruct (domain_inside i x Hi Hx) as (Hs & Hxs).
  assert (Bin : forall a b, 0 <= IZR (binomial a b)) by (intros; apply IZR_le, binomial_nonneg).
  assert (Entry : forall j l, 0 <= cut_entry j l).
  { intros j l. apply growing_positive; [|exact from_first].
    apply growing_differences; [lra|]. apply growing_differences; [lra | apply cut_off_grows]. }
  assert (Row : forall j, 0 <= cut_row j i <= differences j 1 cut_off (s + INR i * INR N)).
  { intros j. rewrite (newton i (Nat.max i top) (INR N)) by lia. unfold cut_row, tabulated_value.
    apply (fewer_terms (fun l => IZR (binomial i l) * cut_entry j l) (fun l => (l <=? deg j)%nat)); [lia|].
    intros l. apply Rmult_le_pos; [apply Bin | apply Entry]. }
  assert (Sum : sum_f_R0 (fun j => IZR (binomial x j) * cut_row j i) 2 <= cut_off (s + INR i * INR N + INR x * 1)).
  { rewrite (newton x (Nat.max x 2) 1) by lia.
    eapply Rle_trans; [apply (fewer_terms (fun j => IZR (binomial x j) * cut_row j i) (fun _ => true) 2 2); [lia|]|].
    - intros j. apply Rmult_le_pos; [apply Bin | apply Row].
    - apply Rle_trans with (sum_f_R0 (fun j => IZR (binomial x j) * differences j 1 cut_off (s + INR i * INR N)) 2).
      + apply sum_Rle. intros j _. apply Rmult_le_compat_l; [apply Bin | apply Row].
      + apply (fewer_terms (fun j => IZR (binomial x j) * differences j 1 cut_off (s + INR i * INR N)) (fun _ => true) 2); [lia|].
        intros j. apply Rmult_le_pos; [apply Bin|]. apply growing_positive; [|lra].
        apply growing_differences; [lra | apply cut_off_grows]. }
  cbn [sum_f_R0] in Sum. split.
  - pose proof (Row 0%nat). pose proof (Row 1%nat). pose proof (Row 2%nat).
    pose proof (Bin x 0%nat). pose proof (Bin x 1%nat). pose proof (Bin x 2%nat). nra.
  - eapply Rle_trans; [exact Sum|]. apply polynomial_increases; [apply digits_out | lra].
Qed.

Lemma tail_holds i x :
  domain_within i -> (x < N)%nat ->
  Rabs (d 0%nat (s + INR i * INR N + INR x) -
        (IZR (binomial x 0) * differences 0 1 (d 0%nat) (s + INR i * INR N) +
         IZR (binomial x 1) * differences 1 1 (d 0%nat) (s + INR i * INR N) +
         IZR (binomial x 2) * differences 2 1 (d 0%nat) (s + INR i * INR N))) <= terms_left_out.
Proof.
  intros (Hi & Hin & Hout) Hx. pose proof size_positive as HN. destruct (domain_inside i x Hi Hx) as (Hs & Hxs).
  set (S0 := s + INR i * INR N) in *.
  set (g j := IZR (binomial x j) * differences j 1 (d 0%nat) S0).
  set (n := Nat.max x top).
  assert (Split : forall f n, (2 <= n)%nat -> sum_f_R0 f n = f 0%nat + f 1%nat + f 2%nat + sum_f_R0 (fun j => if (j <=? 2)%nat then 0 else f j) n).
  { clear. intros f n H. induction H as [|n H IH]; [cbn; ring|]. cbn [sum_f_R0]. rewrite IH.
    destruct (Nat.leb_spec (S n) 2); [lia | ring]. }
  replace (d 0%nat (S0 + INR x)) with (sum_f_R0 g n).
  2:{ unfold g. rewrite <- (newton x n 1) by (unfold n; lia). f_equal. ring. }
  rewrite (Split g n) by (unfold n; lia). fold (g 0%nat) (g 1%nat) (g 2%nat).
  replace (g 0%nat + g 1%nat + g 2%nat + sum_f_R0 (fun j => if (j <=? 2)%nat then 0 else g j) n - (g 0%nat + g 1%nat + g 2%nat))
    with (sum_f_R0 (fun j => if (j <=? 2)%nat then 0 else g j) n) by ring.
  eapply Rle_trans; [apply Rsum_abs|].
  apply Rle_trans with (sum_f_R0 (fun j => if (j <=? 2)%nat then 0 else weight j * (INR (fact j) * I j)) n).
  - apply sum_Rle. intros j _. destruct (Nat.leb_spec j 2); [rewrite Rabs_R0; lra|]. unfold g, weight.
    pose proof (IZR_le _ _ (binomial_nonneg x j)) as B0.
    destruct (Nat.le_gt_cases j x) as [L | L].
    + pose proof (IZR_le _ _ (binomial_mono x (N - 1) j ltac:(lia))) as B1.
      assert (Hj : INR j <= INR x) by (apply le_INR; exact L).
      rewrite Rabs_mult, (Rabs_pos_eq (IZR _)) by exact B0.
      apply Rmult_le_compat; [exact B0 | apply Rabs_pos | exact B1 |].
      pose proof (difference_once d I low inside ltac:(intros m k t Hk Ht; apply (smooth m k t Hk); lra) within 0 j 1 S0
                    ltac:(lra) ltac:(unfold S0; lra) ltac:(unfold S0 in *; lra)) as D.
      rewrite pow1, Rmult_1_l, Nat.add_0_r in D. exact D.
    + rewrite binomial_above by exact L. rewrite Rmult_0_l, Rabs_R0.
      apply Rmult_le_pos; [apply IZR_le, binomial_nonneg|]. apply Rmult_le_pos; [apply pos_INR|].
      eapply Rle_trans; [apply Rabs_pos | apply (within j s)]. unfold S0 in *. lra.
  - right. unfold terms_left_out. apply sum_shrinks; [unfold n; lia|].
    intros j Hj. destruct (j <=? 2)%nat; [reflexivity|]. rewrite I_ends by exact Hj. ring.
Qed.

Lemma row_errors_positive j : (j <= 2)%nat -> 0 <= row_lag j + row_drop j.
Proof.
  intros Hj. destruct (row_holds j 0 Hj ltac:(lia)) as (z & H). eapply Rle_trans; [apply Rabs_pos | exact H].
Qed.

(* Corollary P.13 (the lines of one level). At every argument of a domain its parabola is within
   *tables* + *dropped* of the polynomial, mod 1. *)
Theorem one_level_lines i x :
  domain_within i -> (x < N)%nat ->
  mod1 (line_tables + line_dropped) (d 0%nat (s + INR i * INR N + INR x)) (parabola i x).
Proof.
  intros HD Hx. assert (Hi : (i < nu)%nat) by apply HD.
  pose proof (cut_rows_hold i x HD Hx) as HC. pose proof (tail_holds i x HD Hx) as HT.
  pose proof (mod1_scaled _ _ _ _ (binomial_nonneg x 0) (row_holds 0 i ltac:(lia) Hi)) as H0.
  pose proof (mod1_scaled _ _ _ _ (binomial_nonneg x 1) (row_holds 1 i ltac:(lia) Hi)) as H1.
  pose proof (mod1_scaled _ _ _ _ (binomial_nonneg x 2) (row_holds 2 i ltac:(lia) Hi)) as H2.
  pose proof (mod1_plus _ _ _ _ _ _ (mod1_plus _ _ _ _ _ _ H0 H1) H2) as H. clear H0 H1 H2.
  assert (W : forall j, (j <= 2)%nat -> IZR (binomial x j) * (row_lag j + row_drop j) <= weight j * (row_lag j + row_drop j)).
  { intros j Hj. apply Rmult_le_compat_r; [apply row_errors_positive; exact Hj|]. apply IZR_le, binomial_mono. lia. }
  pose proof (W 0%nat ltac:(lia)) as W0. pose proof (W 1%nat ltac:(lia)) as W1. pose proof (W 2%nat ltac:(lia)) as W2.
  eapply mod1_weaker; [|eapply (mod1_near _ (terms_left_out + polynomial (fun _ => eps_out) count reach_out)); [exact H|]].
  - unfold line_tables, line_dropped, over_rows. lra.
  - apply Rplus_le_compat; [exact HT|]. unfold parabola.
    match goal with |- Rabs ?e <= _ => replace e with (- (IZR (binomial x 0) * cut_row 0 i + IZR (binomial x 1) * cut_row 1 i +
      IZR (binomial x 2) * cut_row 2 i)) by ring end.
    rewrite Rabs_Ropp, Rabs_pos_eq; apply HC.
Qed.

(* The segment of n arguments from argument o of a domain on. The values that are used are those of
   the rows but for the digits that are not read (q0, q1, q2); r2 is the residue next to 0. Halves
   and sixteenths of it are rounded (qh, qs), and so are slope and value of the line (q). *)

(* The coefficient of r2 in the line, at argument o + x of the domain: C(o + x, 2) but for the
   chord. Numbers of arguments as reals. *)
Lemma line_weight O X n size :
  0 <= O * (O - 1) -> 0 <= (O + X) * (O + X - 1) -> 0 <= O -> 0 <= X -> X + 1 <= n -> O + n <= size -> 3 <= size -> n = 1 \/ 2 <= n ->
  let W := O * (O - 1) / 2 + O * X + (n - 2) * X / 2 - (n - 1) ^ 2 / 16 in
  let C := (O + X) * (O + X - 1) / 2 in
  let E := (O + n - 1) * (O + n - 1 - 1) / 2 in
  let last := (size - 1) * (size - 1 - 1) / 2 in
  Rabs (C - W) <= (n - 1) ^ 2 / 16 /\ Rabs W <= last /\ Rabs C <= last /\ W <= E /\ - last <= W /\ 1 <= last.
Proof.
  intros HO HOX O0 X0 Xn On N3 N12 W C E last.
  assert (Chord : 0 <= X * (n - 1 - X) /\ X * (n - 1 - X) <= (n - 1) ^ 2 / 4).
  { split; [apply Rmult_le_pos; lra|]. pose proof (pow2_ge_0 (n - 1 - 2 * X)) as P. clear - P. lra. }
  pose proof (pow2_ge_0 (n - 1)) as S0.
  assert (WE : W <= E).
  { assert (Eq : E - W = (n - 1 - X) * (O + (n - 2) / 2) + (n - 1) ^ 2 / 16) by (unfold E, W; field).
    assert (P : 0 <= (n - 1 - X) * (O + (n - 2) / 2)); [|clear - Eq P S0; lra].
    destruct N12 as [H1 | H2]; [|apply Rmult_le_pos; lra]. replace (n - 1 - X) with 0 by lra. lra. }
  assert (W0 : - ((n - 1) ^ 2 / 16) <= W).
  { assert (P : 0 <= O * X) by (apply Rmult_le_pos; lra).
    assert (Q : 0 <= (n - 2) * X); [|unfold W; clear - P Q HO; lra].
    destruct N12 as [H1 | H2]; [replace X with 0 by lra; lra | apply Rmult_le_pos; lra]. }
  assert (N16 : (n - 1) ^ 2 / 16 <= last).
  { assert (P : (n - 1) ^ 2 <= (size - 1) ^ 2) by (apply pow_incr; lra).
    assert (Q : 0 <= (size - 1) * (7 * size - 15)) by (apply Rmult_le_pos; lra).
    unfold last. clear - P Q. lra. }
  assert (Last1 : 1 <= last).
  { assert (Q : 0 <= size * (size - 3)) by (apply Rmult_le_pos; lra). unfold last. clear - Q N3. lra. }
  assert (EL : E <= last).
  { destruct (Rle_lt_dec 2 (O + n)) as [L | L].
    - assert (Q : 0 <= (size - (O + n)) * (size + (O + n) - 3)) by (apply Rmult_le_pos; lra). unfold E, last. clear - Q. lra.
    - assert (Q : 0 <= (O + n - 1) * (2 - (O + n))) by (apply Rmult_le_pos; lra). clearbody last. unfold E. clear - Q Last1. lra. }
  assert (CL : C <= E).
  { assert (Q : 0 <= (n - 1 - X) * (2 * O + X + n - 2)); [|unfold C, E; clear - Q; lra].
    destruct N12 as [H1 | H2]; [replace (n - 1 - X) with 0 by lra; lra | apply Rmult_le_pos; lra]. }
  assert (C0 : 0 <= C) by (unfold C; clear - HOX; lra).
  assert (CW : C - W = (n - 1) ^ 2 / 16 - X * (n - 1 - X) / 2) by (unfold C, W; field).
  clearbody W C E last.
  split; [|split; [|split; [|split; [|split]]]]; try assumption.
  - rewrite CW. apply Rabs_le. clear - Chord. lra.
  - apply Rabs_le. clear - W0 N16 WE EL. lra.
  - apply Rabs_le. clear - C0 CL EL Last1. lra.
  - clear - W0 N16. lra.
Qed.

Definition second_difference : R := 2 * I 2%nat + row_lag 2.
Definition outer_lag : R := polynomial (fun _ => eps_out) count reach_out.

Lemma binomial_1 x : IZR (binomial x 1) = INR x.
Proof.
  induction x as [|x IH]; [reflexivity|]. cbn [binomial]. rewrite plus_IZR, IH, S_INR.
  destruct x; cbn [binomial]; ring.
Qed.

Lemma binomial_2 x : IZR (binomial x 2) = INR x * (INR x - 1) / 2.
Proof.
  induction x as [|x IH]; [cbn; field|]. cbn [binomial]. rewrite plus_IZR, IH, binomial_1, S_INR. field.
Qed.

Lemma binomial_0 x : IZR (binomial x 0) = 1.
Proof. destruct x; reflexivity. Qed.

(* Lemma P.15 (the line). Any segment's line is within *tables*, *dropped*, *linear* and what
   rounding makes of it, whatever dropped differences and outer limbs do to r2: they move the line
   by no more than the value at the domain's end. *)
Theorem one_level_segment i o n x a0 a1 r2 half sixteenth value slope q0 q1 q2 qh qs q :
  domain_within i -> (3 <= N)%nat -> (o + n <= N)%nat -> (x < n)%nat ->
  mod1 q0 (row 0 i) a0 -> mod1 q1 (row 1 i) a1 -> mod1 q2 (row 2 i) r2 ->
  Rabs r2 <= / 2 -> second_difference + row_drop 2 + outer_lag + q2 < / 2 ->
  Rabs (r2 / 2 - half) <= qh -> Rabs (r2 / 16 - sixteenth) <= qs ->
  mod1 q (a0 + a1 * INR o + r2 * IZR (binomial o 2) - sixteenth * (INR n - 1) ^ 2) value ->
  mod1 q (a1 + r2 * INR o + half * (INR n - 2)) slope ->
  mod1 (line_tables + line_dropped + second_difference * (INR n - 1) ^ 2 / 16 +
        (q * INR N + q0 + q1 * (INR N - 1) + q2 * weight 2 + (qh + qs) * INR N ^ 2))
       (d 0%nat (s + INR i * INR N + INR (o + x))) (value + slope * INR x).
Proof.
  intros HD HN3 Hon Hxn (z0 & A0) (z1 & A1) (z2 & A2) Hr2 Hlinear Hhalf Hsix (m0 & V) (m1 & L).
  assert (Hi : (i < nu)%nat) by apply HD.
  assert (N3 : 3 <= INR N) by (replace 3 with (INR 3) by (cbn; ring); apply le_INR; exact HN3).
  assert (On : INR o + INR n <= INR N) by (rewrite <- plus_INR; apply le_INR; exact Hon).
  assert (Xn : INR x + 1 <= INR n) by (rewrite <- S_INR; apply le_INR; lia).
  pose proof (pos_INR o) as O0. pose proof (pos_INR x) as X0.
  assert (HS : 0 <= INR i * INR N) by (apply Rmult_le_pos; apply pos_INR).
  destruct (row_exactly 0 i ltac:(lia) Hi) as (w0 & lag0 & dd0 & L0 & D0 & E0).
  destruct (row_exactly 1 i ltac:(lia) Hi) as (w1 & lag1 & dd1 & L1 & D1 & E1).
  destruct (row_exactly 2 i ltac:(lia) Hi) as (w2 & lag2 & dd2 & L2 & D2 & E2).
  pose proof (tail_holds i (o + x) HD ltac:(lia)) as HT.
  pose proof (cut_rows_hold i (o + n - 1) HD ltac:(lia)) as HCe.
  pose proof (cut_rows_hold i (N - 1) HD ltac:(lia)) as HCN.
  rewrite !binomial_0, !binomial_1, !binomial_2 in *. unfold over_rows, line_tables, line_dropped, over_rows, weight in *.
  rewrite !binomial_0, !binomial_1, !binomial_2.
  assert (EN : INR (N - 1) = INR N - 1) by (rewrite minus_INR by lia; reflexivity).
  assert (Ee : INR (o + n - 1) = INR o + INR n - 1) by (rewrite minus_INR, plus_INR by lia; reflexivity).
  rewrite EN in *. rewrite Ee in HCe. rewrite plus_INR in *. fold outer_lag in HCe, HCN |- *.
  assert (Hsecond : Rabs (differences 2 1 (d 0%nat) (s + INR i * INR N)) <= 2 * I 2%nat).
  { destruct HD as (_ & Hin & _).
    pose proof (difference_once d I low inside ltac:(intros m k t Hk Ht; apply (smooth m k t Hk); lra) within 0 2 1 (s + INR i * INR N)
                  ltac:(lra) ltac:(lra) ltac:(cbn [INR]; lra)) as D.
    cbn [Nat.add fact Nat.mul] in D. replace (INR 2) with 2 in D by (cbn; ring). rewrite pow1 in D. lra. }
  set (rho0 := differences 0 1 (d 0%nat) (s + INR i * INR N)) in *.
  set (rho1 := differences 1 1 (d 0%nat) (s + INR i * INR N)) in *.
  set (rho2 := differences 2 1 (d 0%nat) (s + INR i * INR N)) in *.
  set (c0 := cut_row 0 i) in *. set (c1 := cut_row 1 i) in *. set (c2 := cut_row 2 i) in *.
  set (result := d 0%nat (s + INR i * INR N + (INR o + INR x))) in *.
  set (O := INR o) in *. set (X := INR x) in *. set (n' := INR n) in *. set (NN := INR N) in *.
  assert (CP : 0 <= c0 /\ 0 <= c1 /\ 0 <= c2).
  { assert (P : forall j, 0 <= cut_row j i); [|split; [|split]; apply P].
    intros j. unfold cut_row, tabulated_value. apply (fewer_terms (fun l => IZR (binomial i l) * cut_entry j l) (fun l => (l <=? deg j)%nat) top top); [lia|].
    intros l. apply Rmult_le_pos; [apply IZR_le, binomial_nonneg|]. apply growing_positive; [|exact from_first]. pose proof size_positive.
    apply growing_differences; [lra|]. apply growing_differences; [lra | apply cut_off_grows]. }
  destruct CP as (C0 & C1 & C2).
  assert (OO : 0 <= O * (O - 1)).
  { pose proof (IZR_le _ _ (binomial_nonneg o 2)) as P. rewrite binomial_2 in P. fold O in P. clear - P. lra. }
  assert (N12 : (n = 1%nat /\ X = 0) \/ 2 <= n').
  { destruct (Nat.eq_dec n 1) as [-> | Hn]; [left; split; [reflexivity | unfold X; replace x with 0%nat by lia; reflexivity]|].
    right. unfold n'. change 2 with (INR 2). apply le_INR. lia. }
  (* the coefficient of r2 in the line *)
  assert (CC : 0 <= (O + X) * (O + X - 1)).
  { pose proof (IZR_le _ _ (binomial_nonneg (o + x) 2)) as P. rewrite binomial_2, plus_INR in P. fold O X in P. clear - P. lra. }
  assert (N12' : n' = 1 \/ 2 <= n').
  { destruct N12 as [(-> & _) | H2]; [left; reflexivity | right; exact H2]. }
  destruct (line_weight O X n' NN OO CC O0 X0 Xn On N3 N12') as (CW & WL & C' & WE & WN & Last1).
  set (W := O * (O - 1) / 2 + O * X + (n' - 2) * X / 2 - (n' - 1) ^ 2 / 16) in *.
  set (C := (O + X) * (O + X - 1) / 2) in *.
  set (E := (O + n' - 1) * (O + n' - 1 - 1) / 2) in *.
  set (last := (NN - 1) * (NN - 1 - 1) / 2) in *.
  (* r2 is the real one *)
  assert (HC2 : c2 <= outer_lag).
  { assert (0 <= c1 * (NN - 1)) by (apply Rmult_le_pos; [exact C1 | clear - N3; lra]). assert (c2 * 1 <= c2 * last) by (apply Rmult_le_compat_l; assumption). clear - HCN H H0 C0. lra. }
  set (delta2 := row 2 i - (r2 + IZR z2)) in *. set (sigma := rho2 - lag2).
  assert (Hsigma : Rabs sigma <= second_difference).
  { unfold sigma, second_difference. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. apply Rplus_le_compat; assumption. }
  assert (Ez : (z2 + w2 = 0)%Z).
  { assert (Eq : IZR (z2 + w2) = sigma - r2 - delta2 - c2 - dd2) by (unfold sigma; rewrite E2, plus_IZR; unfold delta2; ring).
    assert (Hz : -1 < IZR (z2 + w2) < 1).
    { rewrite Eq. apply Rabs_le_inv in Hsigma, Hr2, A2, D2. clear - Hsigma Hr2 A2 D2 HC2 C2 Hlinear. lra. }
    destruct Hz as (Za & Zb). apply lt_IZR in Za, Zb. lia. }
  assert (R2 : r2 = sigma - delta2 - c2 - dd2).
  { assert (Eq : IZR (z2 + w2) = sigma - r2 - delta2 - c2 - dd2) by (unfold sigma; rewrite E2, plus_IZR; unfold delta2; ring).
    rewrite Ez in Eq. clear - Eq. lra. }
  (* each error *)
  assert (Times : forall a b m w, Rabs a <= m -> Rabs b <= w -> Rabs (a * b) <= m * w).
  { intros a b m w Ha Hb. rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption. }
  assert (Y : Rabs (O + X) <= NN - 1) by (apply Rabs_le; clear - O0 X0 Xn On; lra).
  assert (XN : Rabs X <= NN - 1) by (apply Rabs_le; clear - O0 X0 Xn On; lra).
  set (delta0 := row 0 i - (a0 + IZR z0)) in *. set (delta1 := row 1 i - (a1 + IZR z1)) in *.
  set (theta0 := a0 + a1 * O + r2 * (O * (O - 1) / 2) - sixteenth * (n' - 1) ^ 2 - (value + IZR m0)) in *.
  set (theta1 := a1 + r2 * O + half * (n' - 2) - (slope + IZR m1)) in *.
  pose proof (Times _ _ _ _ L1 Y) as B1. pose proof (Times _ _ _ _ L2 C') as B2.
  pose proof (Times _ _ _ _ D1 Y) as B3. pose proof (Times _ _ _ _ D2 WL) as B4.
  pose proof (Times _ _ _ _ Hsigma CW) as B5.
  pose proof (Times _ _ _ _ A1 Y) as B6. pose proof (Times _ _ _ _ A2 WL) as B7.
  pose proof (Times _ _ _ _ L XN) as B8.
  assert (B9 : Rabs ((r2 / 16 - sixteenth) * (n' - 1) ^ 2) <= qs * NN ^ 2).
  { apply Times; [exact Hsix|]. rewrite Rabs_pos_eq by apply pow2_ge_0. apply pow_incr. clear - O0 X0 Xn On. lra. }
  assert (B10 : Rabs ((r2 / 2 - half) * ((n' - 2) * X)) <= qh * NN ^ 2).
  { apply Times; [exact Hhalf|]. replace (NN ^ 2) with (NN * NN) by ring. apply Times; apply Rabs_le; clear - O0 X0 Xn On N3; lra. }
  assert (B11 : Rabs (c0 + c1 * (O + X) + c2 * W) <= outer_lag).
  { assert (U1 : c1 * (O + X) <= c1 * (O + n' - 1)) by (apply Rmult_le_compat_l; [exact C1 | clear - Xn; lra]).
    assert (U2 : c2 * W <= c2 * E) by (apply Rmult_le_compat_l; assumption).
    assert (U3 : c2 * - last <= c2 * W) by (apply Rmult_le_compat_l; assumption).
    assert (U4 : 0 <= c1 * (O + X)) by (apply Rmult_le_pos; [exact C1 | clear - O0 X0; lra]).
    assert (U5 : 0 <= c1 * (NN - 1)) by (apply Rmult_le_pos; [exact C1 | clear - N3; lra]).
    clearbody W E last. apply Rabs_le. clear - U1 U2 U3 U4 U5 HCe HCN C0. lra. }
  exists (z0 + w0 + (z1 + w1) * (Z.of_nat o + Z.of_nat x) + m0 + m1 * Z.of_nat x)%Z.
  set (tail := result - (1 * rho0 + (O + X) * rho1 + C * rho2)) in *.
  assert (Eres : result = tail + (1 * rho0 + (O + X) * rho1 + C * rho2)) by (unfold tail; ring).
  assert (Eval : value = a0 + a1 * O + r2 * (O * (O - 1) / 2) - sixteenth * (n' - 1) ^ 2 - IZR m0 - theta0) by (unfold theta0; ring).
  assert (Eslope : slope = a1 + r2 * O + half * (n' - 2) - IZR m1 - theta1) by (unfold theta1; ring).
  assert (Erho0 : rho0 = a0 + IZR z0 + delta0 + IZR w0 + c0 + lag0 + dd0) by (rewrite E0; unfold delta0; ring).
  assert (Erho1 : rho1 = a1 + IZR z1 + delta1 + IZR w1 + c1 + lag1 + dd1) by (rewrite E1; unfold delta1; ring).
  assert (Erho2 : rho2 = r2 + delta2 + c2 + dd2 + lag2) by (rewrite R2; unfold sigma; ring).
  assert (Esigma : sigma = r2 + delta2 + c2 + dd2) by (rewrite R2; ring).
  match goal with |- Rabs ?e <= _ => replace e with
    (tail + lag0 + lag1 * (O + X) + lag2 * C + dd0 + dd1 * (O + X) + dd2 * W + sigma * (C - W) + (c0 + c1 * (O + X) + c2 * W) +
     delta0 + delta1 * (O + X) + delta2 * W + theta0 + theta1 * X -
     (r2 / 16 - sixteenth) * (n' - 1) ^ 2 + (r2 / 2 - half) * ((n' - 2) * X)) end.
  2:{ rewrite !plus_IZR, !mult_IZR, !plus_IZR, <- !INR_IZR_INZ. fold O X.
      rewrite Eres, Eval, Eslope, Erho0, Erho1, Erho2, Esigma. unfold C, W. clear. field. }
  apply Rabs_le. apply Rabs_le_inv in HT, L0, D0, A0, V, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11.
  clearbody tail theta0 theta1 delta0 delta1 delta2.
  clear - HT L0 D0 A0 V B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11. clearbody W C last. lra.
Qed.

(* Lemma P.16 (quantization). Digits below `fine` are not read, halves and sixteenths are rounded
   down there, slope and value at `coarse`: 2^-128 and 2^-64. *)
Theorem one_level_quantization fine coarse :
  (3 <= N)%nat -> 0 <= fine -> 0 <= coarse ->
  coarse * INR N + fine + fine * (INR N - 1) + fine * weight 2 + (fine / 2 + fine) * INR N ^ 2 <=
  (INR N + 1) * coarse + 2 * (INR N * INR N) * fine.
Proof.
  intros HN Hf Hc. assert (N3 : 3 <= INR N) by (replace 3 with (INR 3) by (cbn; ring); apply le_INR; exact HN).
  unfold weight. rewrite binomial_2, minus_INR by lia. change (INR 1) with 1.
  assert (P : 0 <= fine * (INR N - 2)) by (apply Rmult_le_pos; lra). clear - P Hc. lra.
Qed.

End one_level.
