(* Difference tables and chords: what tabulation makes of dropped digits, and how far a parabola is
   from its line.

   tmd-difftable, tmd-core::partition; docs/proofs/piece.md. In exact integers, in units of the
   table's last digit.

   | name  | what it is                                                     |
   |-------|----------------------------------------------------------------|
   | d l   | the entry of order l: value, first difference, second, ...     |
   | n     | the highest order; the table has no entries beyond             |
   | i     | steps                                                          |
*)

Require Import ZArith Lia Psatz Arith.
Open Scope Z_scope.

Fixpoint binomial (i l : nat) : Z :=
  match i, l with
  | _, O => 1
  | O, S _ => 0
  | S i, S l => binomial i l + binomial i (S l)
  end.

Lemma binomial_nonneg i l : 0 <= binomial i l.
Proof.
  revert l. induction i as [|i IH]; intros [|l]; cbn [binomial]; try lia.
  pose proof (IH l). pose proof (IH (S l)). lia.
Qed.

Lemma binomial_step i l : binomial i l <= binomial (S i) l.
Proof.
  destruct l as [|l].
  - destruct i; cbn; lia.
  - cbn [binomial]. pose proof (binomial_nonneg i l). lia.
Qed.

Lemma binomial_mono i k l : (i <= k)%nat -> binomial i l <= binomial k l.
Proof.
  induction 1; [lia|]. pose proof (binomial_step m l). lia.
Qed.

(* The sum of f 0 ... f n. *)
Fixpoint sum (f : nat -> Z) (n : nat) : Z :=
  match n with O => f O | S n => sum f n + f (S n) end.

Lemma sum_ext f g n : (forall l, (l <= n)%nat -> f l = g l) -> sum f n = sum g n.
Proof.
  induction n as [|n IH]; intros H; cbn; [apply H; lia|]. rewrite IH, (H (S n)); auto.
Qed.

Lemma sum_add f g n : sum (fun l => f l + g l) n = sum f n + sum g n.
Proof. induction n as [|n IH]; cbn; [reflexivity|]. rewrite IH. ring. Qed.

Lemma sum_le f g n : (forall l, (l <= n)%nat -> f l <= g l) -> sum f n <= sum g n.
Proof.
  induction n as [|n IH]; intros H; cbn; [apply H; lia|].
  pose proof (IH ltac:(intros; apply H; lia)). pose proof (H (S n) ltac:(lia)). lia.
Qed.

(* A step of the table: every entry takes in the one of the next order. *)
Definition step (d : nat -> Z) : nat -> Z := fun l => d l + d (S l).
Fixpoint steps (i : nat) (d : nat -> Z) : nat -> Z :=
  match i with O => d | S i => steps i (step d) end.

Definition ends (n : nat) (d : nat -> Z) : Prop := forall l, (n < l)%nat -> d l = 0.

Lemma step_ends n d : ends n d -> ends n (step d).
Proof. intros H l Hl. unfold step. rewrite !H; lia. Qed.

Lemma sum_shift (f : nat -> Z) n : sum (fun l => f (S l)) n = sum f (S n) - f O.
Proof. induction n as [|n IH]; cbn [sum] in *; [lia|]. rewrite IH. lia. Qed.

(* Theorem T.1 (tabulation). After i steps the value is the sum of binomial(i, l)*d l: steps are
   exact. *)
Theorem tabulation n i d : ends n d -> steps i d O = sum (fun l => binomial i l * d l) n.
Proof.
  revert d. induction i as [|i IH]; intros d H.
  - cbn [steps]. clear. induction n as [|n IHn]; cbn [sum].
    + cbn [binomial]. ring.
    + rewrite <- IHn. cbn [binomial]. ring.
  - cbn [steps]. rewrite (IH _ (step_ends _ _ H)). unfold step.
    rewrite (sum_ext _ (fun l => binomial i l * d l + binomial i l * d (S l))) by (intros; ring).
    rewrite sum_add.
    assert (E : sum (fun l => binomial i l * d (S l)) n =
                sum (fun l => match l with O => 0 | S k => binomial i k * d l end) n).
    { pose proof (sum_shift (fun l => match l with O => 0 | S k => binomial i k * d l end) n) as S.
      cbn [sum] in S. rewrite S. rewrite (H (Datatypes.S n)) by lia. ring. }
    rewrite E, <- sum_add. apply sum_ext. intros [|l] _.
    + destruct i; cbn; ring.
    + cbn [binomial]. ring.
Qed.

(* Theorem T.2 (lag of dropped digits). Entries that are too small by e l, from 0 to just below 1
   last digit of theirs, u, make values that are too small by a lag from 0 to less than the sum of
   binomial(nu - 1, l) units, for all of the first nu steps. *)
Theorem lag_of_digits n i nu (d c : nat -> Z) u :
  (i < nu)%nat -> ends n d -> ends n c -> 0 <= u -> (forall l, (l <= n)%nat -> 0 <= d l - c l <= u) ->
  0 <= steps i d O - steps i c O <= u * sum (binomial (nu - 1)) n.
Proof.
  intros Hi Hd Hc Hu He. rewrite (tabulation n i d Hd), (tabulation n i c Hc).
  assert (E : sum (fun l => binomial i l * d l) n - sum (fun l => binomial i l * c l) n =
              sum (fun l => binomial i l * (d l - c l)) n).
  { clear. induction n as [|n IH]; cbn; [ring|]. rewrite <- IH. ring. }
  rewrite E. split.
  - transitivity (sum (fun _ => 0) n); [clear; induction n; cbn; lia|].
    apply sum_le. intros l Hl. pose proof (binomial_nonneg i l). pose proof (He l Hl). nia.
  - transitivity (sum (fun l => u * binomial (nu - 1) l) n).
    + apply sum_le. intros l Hl. pose proof (binomial_nonneg i l). pose proof (He l Hl).
      pose proof (binomial_mono i (nu - 1) l ltac:(lia)). nia.
    + clear. induction n as [|n IH]; cbn; lia.
Qed.

(* Theorem T.5 (errors of entries). Entries that are off by at most e l, whatever the reason, make
   values that are off by at most the sum of binomial(nu - 1, l)*e l for all of the first nu steps.
   An entry that is left out is off by its own magnitude. *)
Theorem errors_of_entries n i nu (d c e : nat -> Z) :
  (i < nu)%nat -> ends n d -> ends n c -> (forall l, (l <= n)%nat -> Z.abs (d l - c l) <= e l) ->
  Z.abs (steps i d O - steps i c O) <= sum (fun l => binomial (nu - 1) l * e l) n.
Proof.
  intros Hi Hd Hc He. rewrite (tabulation n i d Hd), (tabulation n i c Hc). clear Hd Hc.
  induction n as [|n IH]; cbn [sum].
  - pose proof (He O ltac:(lia)). destruct i, (nu - 1)%nat; cbn [binomial]; lia.
  - pose proof (IH ltac:(intros; apply He; lia)) as IH'. pose proof (He (S n) ltac:(lia)) as HS.
    pose proof (binomial_nonneg i (S n)). pose proof (binomial_mono i (nu - 1) (S n) ltac:(lia)). nia.
Qed.

(* Theorem T.6 (two levels). The entries of a run's table are values of tables over the runs: entry
   l of run r is that of the outer table D l, whose entries are off by at most f l m, and is cut by
   at most u. Then the run's values are off by at most what both levels make of it. *)
Theorem two_levels n m r runs i nu (outer used : nat -> nat -> Z) (c : nat -> Z) (f : nat -> nat -> Z) u :
  (r < runs)%nat -> (i < nu)%nat ->
  (forall l, (n < l)%nat -> forall k, outer l k = 0) -> ends n c ->
  (forall l, ends m (outer l)) -> (forall l, ends m (used l)) ->
  (forall l k, (l <= n)%nat -> (k <= m)%nat -> Z.abs (outer l k - used l k) <= f l k) ->
  (forall l, (l <= n)%nat -> Z.abs (steps r (used l) O - c l) <= u) ->
  Z.abs (steps i (fun l => steps r (outer l) O) O - steps i c O) <=
  sum (fun l => binomial (nu - 1) l * (sum (fun k => binomial (runs - 1) k * f l k) m + u)) n.
Proof.
  intros Hr Hi Hout Hc Houter Hused Hf Hu.
  apply errors_of_entries; [assumption | | assumption |].
  - intros l Hl. rewrite (tabulation m r (outer l) (Houter l)).
    clear - Hout Hl. induction m as [|k IH]; cbn [sum]; rewrite Hout by assumption; [ring | rewrite IH; ring].
  - intros l Hl.
    pose proof (errors_of_entries m r runs (outer l) (used l) (f l) Hr (Houter l) (Hused l) ltac:(intros; apply Hf; assumption)).
    pose proof (Hu l Hl). lia.
Qed.

(* Theorem T.3 (chord). Over n arguments the product x*(n - 1 - x) is between 0 and (n - 1)^2/4: the
   parabola r2*x*(x - 1)/2 stays within |r2|*(n - 1)^2/16 of its chord moved to the middle. In
   16ths. *)
Theorem chord n x r2 :
  0 <= x <= n - 1 ->
  Z.abs (8 * r2 * (x * (x - 1)) - (8 * r2 * (x * (n - 2)) - r2 * ((n - 1) * (n - 1)))) <=
  Z.abs r2 * ((n - 1) * (n - 1)).
Proof.
  intros Hx.
  replace (8 * r2 * (x * (x - 1)) - (8 * r2 * (x * (n - 2)) - r2 * ((n - 1) * (n - 1))))
    with (r2 * ((n - 1) * (n - 1) - 8 * (x * (n - 1 - x)))) by ring.
  rewrite Z.abs_mul.
  assert (H : Z.abs ((n - 1) * (n - 1) - 8 * (x * (n - 1 - x))) <= (n - 1) * (n - 1)).
  { assert (0 <= x * (n - 1 - x)) by (apply Z.mul_nonneg_nonneg; lia).
    assert (4 * (x * (n - 1 - x)) <= (n - 1) * (n - 1)).
    { pose proof (Z.square_nonneg (n - 1 - 2 * x)) as S.
      replace ((n - 1 - 2 * x) * (n - 1 - 2 * x))
        with ((n - 1) * (n - 1) - 4 * (x * (n - 1 - x))) in S by ring. lia. }
    lia. }
  apply Z.mul_le_mono_nonneg_l; [apply Z.abs_nonneg | exact H].
Qed.

(* Theorem T.4 (segment). What is within e of an integer on the parabola is within e plus that on
   the line: with the half-width on both sides, no argument is lost. *)
Theorem segment_sound n x r0 r1 r2 m e :
  0 <= x <= n - 1 ->
  Z.abs (16 * r0 + 16 * r1 * x + 8 * r2 * (x * (x - 1)) - 16 * m) <= e ->
  Z.abs (16 * r0 - r2 * ((n - 1) * (n - 1)) + (16 * r1 + 8 * r2 * (n - 2)) * x - 16 * m) <=
  e + Z.abs r2 * ((n - 1) * (n - 1)).
Proof.
  intros Hx He. pose proof (chord n x r2 Hx) as Hc.
  replace (16 * r0 - r2 * ((n - 1) * (n - 1)) + (16 * r1 + 8 * r2 * (n - 2)) * x - 16 * m)
    with ((16 * r0 + 16 * r1 * x + 8 * r2 * (x * (x - 1)) - 16 * m) +
          - (8 * r2 * (x * (x - 1)) - (8 * r2 * (x * (n - 2)) - r2 * ((n - 1) * (n - 1))))) by ring.
  lia.
Qed.
