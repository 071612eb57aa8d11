(* How the lines of a partition's budget add up: from two levels of difference tables to a domain's parabola, and to the box.

   tmd-core::partition, whose formulas these are; Taylor.v has each kind of error, here is their sum. The tables know everything mod 1.

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

(* Definition B.1. What a table of degree `degree` is off by at most, after up to `steps` steps of h: its entries by `u l` each, and what it leaves
   out, orders above the degree, by h^l*M l. `tabulation` and `dropped_differences` of tmd-difftable::bounds. *)
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

(* The partition: inner tables of heights, of degree 3, and of slopes, of degree 2, one step per domain; their entries come from outer
   tables, one step per run. *)

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

(* Definition B.2. What the entry l of the inner table of d j is off by: its own last digit, those of the outer table (`lag`), and what that one
   leaves out (`drop`). `weight` is how often an entry counts at the end of a run; the second difference of heights makes the curvature, too. *)
Definition lag (j l : nat) : R := kept (deg j l) (runs - 1) (fun _ => eps_out) top.
Definition drop (j l : nat) : R :=
  left_out (deg j l) (runs - 1) span_of_run (fun m => N ^ l * (INR (fact (l + m + j)) * B (l + m + j)%nat)) top.
Definition off_entry (j l : nat) : R := eps_in + lag j l + drop j l.

(* What the code keeps: entries rounded to their last digits, mod 1, the inner ones at the start of each run. *)
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

(* Definition B.3. What the tabulated value of d j is off by at the end of a run, its inner table being of degree n. *)
Definition off_value (j n : nat) : R :=
  kept n (nu - 1) (off_entry j) top + left_out n (nu - 1) N (fun l => INR (fact (l + j)) * B (l + j)%nat) top.

(* Theorem B.3 (values). Heights are that of j = 0 and n = 3, slopes that of j = 1 and n = 2. *)
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

(* Theorem B.4 (curvature). c is half the second difference at the run's start over N^2, the residue next to 0 being meant. *)
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

(* The lines. `weights` are those of the code: the second difference counts 1/8 in c*(N/2)^2 and 1/16 in what kappa is made of: 3/16. *)

Definition summed (part : nat -> nat -> R) : R :=
  kept 3 (nu - 1) (part O) top + 3 / 16 * part O 2%nat + N / 2 * kept 2 (nu - 1) (part 1%nat) top.

Definition tables : R :=
  summed (fun j l => eps_in + lag j l) + 3 * B 3%nat * (INR (nu + 2) * N) * (N / 2 * (N / 2)).

Definition inner_left_out : R :=
  left_out 3 (nu - 1) N (fun l => INR (fact (l + 0)) * B (l + 0)%nat) top +
  N / 2 * left_out 2 (nu - 1) N (fun l => INR (fact (l + 1)) * B (l + 1)%nat) top.

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

(* Theorem B.6 (acceptance). What a domain's parabola is off by is the sum of the lines *tables* and *dropped*. *)
Theorem lines_add_up :
  off_value 0 3 + off_value 1 2 * (N / 2) +
  (3 * B 3%nat * (INR reach * N) + off_entry 0 2 / (2 * (N * N))) * (N / 2 * (N / 2)) +
  B 3%nat * (N / 2 * (N / 2) * (N / 2)) <= tables + dropped.
Proof.
  pose proof terms_hold as HT. pose proof off_entry_positive as HO. pose proof (B_positive 3) as HB.
  destruct reach_bound as (HR & _).
  assert (E : off_value 0 3 + off_value 1 2 * (N / 2) + off_entry 0 2 / 8 + off_entry 0 2 / 16 =
              summed (fun j l => eps_in + lag j l) + summed drop + inner_left_out).
  { unfold off_value, summed, inner_left_out.
    replace (kept 3 (nu - 1) (off_entry 0) top) with (kept 3 (nu - 1) (fun l => eps_in + lag 0 l) top + kept 3 (nu - 1) (drop 0) top)
      by (rewrite <- kept_split; reflexivity).
    replace (kept 2 (nu - 1) (off_entry 1) top) with (kept 2 (nu - 1) (fun l => eps_in + lag 1 l) top + kept 2 (nu - 1) (drop 1) top)
      by (rewrite <- kept_split; reflexivity).
    unfold off_entry at 1 2. field. }
  replace ((3 * B 3%nat * (INR reach * N) + off_entry 0 2 / (2 * (N * N))) * (N / 2 * (N / 2)))
    with (3 * B 3%nat * (INR reach * N) * (N / 2 * (N / 2)) + off_entry 0 2 / 8) by (field; lra).
  assert (3 * B 3%nat * (INR reach * N) * (N / 2 * (N / 2)) <= 3 * B 3%nat * (INR (nu + 2) * N) * (N / 2 * (N / 2))).
  { apply Rmult_le_compat_r; [nra|]. apply Rmult_le_compat_l; [lra | exact HR]. }
  unfold tables, dropped. lra.
Qed.

(* What the line at kappa = c*N^2/8 is off by instead, in a domain whose center is within N/2 of the piece, C being a bound of the curvature
   over the *piece*: also where the run's own c is more than C. *)
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

(* Theorem B.7 (box). *linear*, which is C*N^2/8, together with *tables* and *dropped* is enough for the line. *)
Theorem box_adds_up C :
  off_value 0 3 + off_value 1 2 * (N / 2) + stray_most C + B 3%nat * (N / 2 * (N / 2) * (N / 2)) <=
  C * (N * N) / 8 + tables + dropped.
Proof.
  pose proof terms_hold as HT. pose proof off_entry_positive as HO. pose proof (B_positive 3) as HB.
  destruct reach_bound as (_ & HR).
  assert (E : off_value 0 3 + off_value 1 2 * (N / 2) + off_entry 0 2 / 8 + off_entry 0 2 / 16 =
              summed (fun j l => eps_in + lag j l) + summed drop + inner_left_out).
  { unfold off_value, summed, inner_left_out.
    replace (kept 3 (nu - 1) (off_entry 0) top) with (kept 3 (nu - 1) (fun l => eps_in + lag 0 l) top + kept 3 (nu - 1) (drop 0) top)
      by (rewrite <- kept_split; reflexivity).
    replace (kept 2 (nu - 1) (off_entry 1) top) with (kept 2 (nu - 1) (fun l => eps_in + lag 1 l) top + kept 2 (nu - 1) (drop 1) top)
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
Variables (top : nat) (B : nat -> R) (low high x0 eps_in eps_out : R) (nu runs : nat) (deg : nat -> nat -> nat).
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
Hypothesis digits : 0 <= eps_in /\ 0 <= eps_out.
Hypothesis nu_holds : (i < nu)%nat.
Hypothesis runs_hold : (r < runs)%nat.
Hypothesis low_holds : low <= x0 - size / 2.
Hypothesis high_holds : x0 + INR (runs - 1) * span_of_run size nu + (INR (reach nu) + / 2) * size <= high.
Hypothesis outer_ok : forall j k m, (k <= reach nu)%nat -> (m <= deg j k)%nat ->
  mod1 eps_out (differences m (span_of_run size nu) (differences k size (poly j)) x0) (outer j k m).
Hypothesis inner_ok : forall j k s, (s < runs)%nat ->
  mod1 eps_in (tabulated_value (deg j k) s (outer j k) top) (inner j k s).

(* The domain: the middle number i of the run number r of its lane. Its level and slope are those of the tables, rounded: q0 and q1, the line
   *quantization*. Its bend is made of the run's second difference; beta is rounded, and what it is made of. *)
Hypothesis middle_is : IZR (middle t - center p) = middle_of x0 size nu r i.
Hypothesis level_is : mod1 q0 (tabulated_value 3 i (fun k => inner 0%nat k r) top) (level t / IZR (circle l)).
Hypothesis slope_is : mod1 q1 (tabulated_value 2 i (fun k => inner 1%nat k r) top) (IZR (slope t) / IZR (circle l)).
Hypothesis bend_is : Rabs (differences 2 size (poly 0) (start x0 size nu r) - 2 * (size * size) * (bend t / IZR (circle l))) <=
  off_entry top B size eps_in eps_out nu runs deg 0 2.
Hypothesis height_is : Rabs (IZR (height t) + (level t + kappa (half l) (bend t))) <= off l.
Hypothesis piece_bends : Rabs (poly 2 (middle_of x0 size nu r i) / 2) <= C + 3 * B 3%nat * (size / 2).

Let value j n := off_value top B size eps_in eps_out nu runs deg j n.
Let entry := off_entry top B size eps_in eps_out nu runs deg 0 2.

Hypothesis eh_is : eh l = value 0 3 + q0.
Hypothesis es_is : es l = value 1 2 + q1.
Hypothesis ec_is : ec l = 3 * B 3%nat * (INR (reach nu) * size) + entry / (2 * (size * size)).
Hypothesis third_is : third l = B 3%nat.
Hypothesis stray_is : stray l = stray_most top B size eps_in eps_out nu runs deg C.

(* Theorem B.8 (the sum of the lines). A domain of a partition is tabulated as the composition asks, and what it asks of acc and h are the sums of
   the budget's lines: *tables*, *dropped* and *quantization* for the one, these and *linear* for the other. *)
Theorem partition_is_tabulated :
  tabulated l p t /\
  lost l <= tables top B size eps_in eps_out nu runs deg + dropped top B size nu runs deg + (q0 + q1 * IZR (half l)) /\
  eh l + es l * IZR (half l) + stray l + third l * (IZR (half l) * IZR (half l) * IZR (half l)) <=
    C * (size * size) / 8 + tables top B size eps_in eps_out nu runs deg + dropped top B size nu runs deg + (q0 + q1 * IZR (half l)).
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
  assert (Hci : Rabs (poly 2 (middle_of x0 size nu r i) / 2 - bend t / IZR (circle l)) <= ec l).
  { rewrite ec_is. unfold entry.
    apply (curvature_holds poly top B low high Hsmooth B_holds x0 size eps_in eps_out nu runs deg HN N1 R1 top_holds low_holds high_holds);
      assumption. }
  assert (Hkappa : kappa (half l) (bend t) / IZR (circle l) = bend t / IZR (circle l) * (size / 2 * (size / 2)) / 2).
  { unfold kappa. rewrite Hsize. field. apply Rgt_not_eq, IZR_lt. exact circle_positive'. }
  destruct (middle_inside top low high x0 size nu runs HN N1 R1 top_holds low_holds high_holds r i runs_hold nu_holds) as (_ & Hlow & Hhigh).
  split; [|split].
  - constructor; rewrite ?middle_is.
    + rewrite eh_is. unfold value. eapply mod1_moved; [apply (HV 0%nat 3%nat r i); [exact runs_hold | exact nu_holds | exact top_holds] | exact level_is].
    + rewrite es_is. unfold value. eapply mod1_moved; [apply (HV 1%nat 2%nat r i); [exact runs_hold | exact nu_holds | lia] | exact slope_is].
    + exact Hci.
    + intros xi Hxi. rewrite third_is. replace 6 with (INR (fact 3)) by (cbn; ring). apply B_holds. lra.
    + intros x Hx. rewrite stray_is, Hkappa. unfold poly in *.
      apply stray_bound; [exact HN | exact piece_bends | | lra]. unfold entry in ec_is. rewrite <- ec_is. exact Hci.
    + exact height_is.
  - unfold lost. rewrite eh_is, es_is, ec_is, third_is. unfold value, entry.
    pose proof (lines_add_up poly top B low high Hsmooth B_holds B_ends x0 size eps_in eps_out nu runs deg outer inner
                  HN N1 R1 deg_holds top_holds low_holds high_holds outer_ok inner_ok) as HA.
    replace (size / 2) with (IZR (half l)) in HA by lra. lra.
  - rewrite eh_is, es_is, stray_is, third_is. unfold value.
    pose proof (box_adds_up poly top B low high Hsmooth B_holds B_ends x0 size eps_in eps_out nu runs deg outer inner
                  HN N1 R1 deg_holds top_holds low_holds high_holds outer_ok inner_ok C) as HA.
    replace (size / 2) with (IZR (half l)) in HA by lra. lra.
Qed.

End domains.

(* Theorem B.9 (outward). The code adds and multiplies bounds in binary64 and takes the number next above: never less than the exact sum or product of
   what they bound. `Upper` of tmd-difftable::bounds; whichever way the operation rounds. *)
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
