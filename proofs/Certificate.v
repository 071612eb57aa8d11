(* A whole certificate: every kind of region that it has, and what each rests on.

   docs/certificate.md, "What has to be trusted"; docs/proofs/domain.md, Theorem M.12. Composition
   has what is searched as it is, Regions and Maps what is known, what follows and what is searched
   through an inverse function, Families what is searched as a family. The scalar engines' segments
   of one level of tables (Budget) are put together with their existence tests here.

   | name           | what it is                                                                        |
   |----------------|-----------------------------------------------------------------------------------|
   | numbered j     | the region's argument number j                                                    |
   | listed, undecided | which of them the certificate lists                                            |
   | told j a b     | that the certificate says: f of argument j is between a and b                     |
   | overflow       | the largest number of the format and half an ulp                                  |
   | points j       | the breakpoints through which an inverse function is searched, by their number    |
*)

Require Import ZArith Reals Lia Lra Psatz List.
From Flocq Require Import Core.Core.
Require Import TMD.Existence TMD.Taylor TMD.Budget TMD.Space TMD.Composition TMD.Regions TMD.Families TMD.Roots.
Open Scope R_scope.

(* One level of tables: segments and existence tests. *)

(* Theorem B.11 (from the line to the test). Value and slope of a segment's line are multiples of
   1/D, known mod 1: raised, and with the slope's sign changed, it is the question that an existence
   test answers, off by D times what Lemma P.15 adds up. *)
Theorem segment_line D e v sl raised a b0 x y :
  (0 < D)%Z -> mod1 e y (v + sl * IZR x) ->
  (exists m, IZR b0 = IZR D * v + raised + IZR D * IZR m) -> (exists m, IZR a = - (IZR D * sl) + IZR D * IZR m) ->
  exists turns, Rabs (IZR D * y + raised - IZR (b0 - a * x + turns * D)) <= IZR D * e.
Proof.
  intros HD (z & Hz) (m0 & E0) (m1 & E1). apply IZR_lt in HD. exists (z - m0 + m1 * x)%Z.
  replace (IZR D * y + raised - IZR (b0 - a * x + (z - m0 + m1 * x) * D)) with (IZR D * (y - (v + sl * IZR x + IZR z))).
  - rewrite Rabs_mult, Rabs_pos_eq by lra. apply Rmult_le_compat_l; lra.
  - rewrite plus_IZR, minus_IZR, !mult_IZR, plus_IZR, minus_IZR, mult_IZR, E0, E1. ring.
Qed.

Section certificate.

Variables emin prec : Z.
Hypothesis some_bits : (1 < prec)%Z.
Variable kind : breakpoints.
Variable eps : R.
Hypothesis eps_small : 0 < eps <= / 4.
Variable f : R -> R.
Variable numbered : Z -> R.
Variables listed undecided : Z -> Prop.

(* Definition C.15. How a segment of a piece, its arguments `start` to `start` + n - 1, is settled:
   an existence test finds its line empty, or all are candidates. *)
Inductive segment_settled (p : piece) (start n : Z) (candidates : Z -> Prop) : Prop :=
  | line_is_empty D sgn a b0 width raised lag :
      (0 < D)%Z -> sign sgn ->
      (forall x, (0 <= x < n)%Z -> (width <= distance D a b0 x)%Z) ->
      (forall x, (0 <= x < n)%Z -> exists turns, Rabs (IZR D * (IZR sgn * value p (start + x)) + raised - IZR (b0 - a * x + turns * D)) <= lag) ->
      IZR D * (scale kind * eps + neglected kind p) + lag <= raised ->
      2 * raised < IZR width -> (width <= D)%Z -> segment_settled p start n candidates
  | all_candidates : (forall k, (start <= k < start + n)%Z -> candidates k) -> segment_settled p start n candidates.

Lemma segment_complete p start n candidates k :
  segment_settled p start n candidates -> (start <= k < start + n)%Z -> near (scale kind * eps + neglected kind p) (value p k) -> candidates k.
Proof.
  intros [D sgn a b0 width raised lag HD Hs Hempty Hline Hwide Hwidth Hcirc | H] Hk HN; [exfalso | apply H; exact Hk].
  set (x := (k - start)%Z). assert (Hx : (0 <= x < n)%Z) by (unfold x; lia).
  pose proof (Hempty x Hx) as He. destruct (Hline x Hx) as (turns & Hl). replace (start + x)%Z with k in Hl by (unfold x; ring).
  destruct (near_signed _ _ _ Hs HN) as (z & Hz).
  set (r := (b0 - a * x + (turns - z) * D)%Z). assert (HDR : 0 < IZR D) by (apply IZR_lt; exact HD).
  assert (Er : IZR r = IZR (b0 - a * x + turns * D) - IZR D * IZR z).
  { unfold r. rewrite !plus_IZR, !minus_IZR, !mult_IZR, !minus_IZR. ring. }
  assert (Hzz : Rabs (IZR D * (IZR sgn * value p k) - IZR D * IZR z) <= IZR D * (scale kind * eps + neglected kind p)).
  { rewrite <- Rmult_minus_distr_l, Rabs_mult, Rabs_pos_eq by lra. apply Rmult_le_compat_l; lra. }
  apply Rabs_le_inv in Hzz, Hl.
  assert (Hr0 : (0 <= r)%Z) by (apply le_IZR; rewrite Er; lra).
  assert (Hr1 : (r < width)%Z) by (apply lt_IZR; rewrite Er; lra).
  assert (Hd : distance D a b0 x = r).
  { unfold distance. symmetry. apply Z.mod_unique with (z - turns)%Z; [left; lia |]. unfold r. ring. }
  lia.
Qed.

(* Theorem C.15 (segments). A piece whose segments follow on one another, each settled, holds no
   case but its candidates. *)
Theorem segments_complete (report : Z -> Prop) s n p d (segments : list (Z * Z)) candidates :
  arguments p = n -> (forall k, (0 <= k < n)%Z -> argument p k = numbered (s + k)) -> 0 <= farthest p ->
  enclosed emin prec kind f p d -> tile 0 n segments ->
  (forall start m, In (start, m) segments -> segment_settled p start m candidates) ->
  (forall k, (0 <= k < n)%Z -> candidates k -> accounted emin prec kind eps f numbered report undecided (s + k)) ->
  forall j, (s <= j < s + n)%Z -> accounted emin prec kind eps f numbered report undecided j.
Proof.
  intros En HX Hfar HE HT Hset Hconf j Hj HC. set (k := (j - s)%Z). assert (Hk : (0 <= k < n)%Z) by (unfold k; lia).
  replace j with (s + k)%Z in * by (unfold k; ring).
  destruct (tile_complete _ _ _ _ HT Hk) as (start & m & HI & Hm).
  apply Hconf; [exact Hk | | exact HC]. apply (segment_complete p start m candidates k (Hset _ _ HI) Hm).
  apply (piece_near emin prec some_bits kind eps (proj2 eps_small) f p d k HE Hfar); [rewrite En; exact Hk|]. rewrite HX by exact Hk. exact HC.
Qed.

(* Through an inverse function. *)

Section inverse.

Variables ea pa : Z.
Hypothesis argument_bits : (1 < pa)%Z.
Variable g : R -> R.
(* where a search of g finds something, by the number of the breakpoint *)
Variables found left_open : Z -> Prop.
Variable points : Z -> R.
Variable report : Z -> Prop.

(* Argument j was looked at with the breakpoint b as its own. *)
Definition looked_at (j : Z) (b : R) : Prop :=
  is_breakpoint emin prec kind b -> 0 < Rabs (f (numbered j) - b) < eps * unit_of emin prec (f (numbered j)) -> report j \/ undecided j.

(* Definition C.17. How a breakpoint is done with: a search of g for results next to numbers
   accounts for it, and what it finds is looked at; or all arguments in the hull around it are. *)
Inductive looked_through (first last j : Z) : Prop :=
  | by_search g' G v m' s :
      0 < m' <= / 4 -> 0 < v <= s ->
      (forall i, (first <= i < last)%Z -> v <= unit_of ea pa (numbered i) /\ (exists k, numbered i = IZR k * s) /\
         (Rabs (numbered i) = bpow radix2 (mag radix2 (numbered i) - 1) -> v <= bpow radix2 (FLT_exp ea pa (mag radix2 (numbered i) - 1)))) ->
      f (g (points j)) = points j ->
      (forall z, Rabs (z - points j) <= eps * ulp_at emin prec (points j) -> derivable_pt_lim g z (g' z)) ->
      (forall z, Rabs (z - points j) <= eps * ulp_at emin prec (points j) -> Rabs (g' z) <= G) ->
      G * (eps * ulp_at emin prec (points j)) <= m' * v ->
      accounted ea pa Directed m' g points found left_open j ->
      (found j \/ left_open j -> exists center z, Rabs (center - g (points j)) <= s / 16 /\ Rabs (IZR z * s - center) <= s / 2 /\
         forall i, (first <= i < last)%Z -> numbered i = IZR z * s -> looked_at i (points j)) ->
      looked_through first last j
  | by_list low high :
      (forall z, Rabs (z - points j) <= eps * ulp_at emin prec (points j) -> low <= g z <= high) ->
      (forall i, (first <= i < last)%Z -> low <= numbered i <= high -> looked_at i (points j)) -> looked_through first last j.

(* Theorem M.12 (the same list). If every breakpoint between two numbers of B that the region's
   results are between is done with, then so is every HR-case of the region. *)
Theorem inverse_complete first last from to low high :
  (forall i, (first <= i < last)%Z -> number ea pa (numbered i) /\ numbered i <> 0 /\ g (f (numbered i)) = numbered i /\ low <= f (numbered i) <= high) ->
  grid emin prec kind low -> grid emin prec kind high ->
  (forall b, grid emin prec kind b -> low <= b <= high -> exists j, (from <= j < to)%Z /\ b = points j) ->
  (forall j, (from <= j < to)%Z -> looked_through first last j) ->
  forall i, (first <= i < last)%Z -> accounted emin prec kind eps f numbered report undecided i.
Proof.
  intros Hargs Hlow Hhigh Hpoints Hall i Hi HC. destruct (Hargs i Hi) as (Hx & Nx & Hg & Hends).
  pose proof HC as (Hy & b & Hb & Hd).
  destruct (breakpoint_in_hull emin prec some_bits kind eps _ b (proj2 eps_small) Hy Hb (proj2 Hd)) as (HL & HH & _).
  destruct (Hpoints b (breakpoint_on_grid emin prec kind b Hb)
              (conj (HL low Hlow (proj1 Hends)) (HH high Hhigh (proj2 Hends)))) as (j & Hj & ->).
  destruct (Hall j Hj) as [g' G v m' s Hm Hv Hunits Hf Hder HG Hsmall Hacc Hfound | l h Hhull Hlist].
  - destruct (Hunits i Hi) as (Hvx & (k & Ek) & Hpow).
    destruct (inverse_case emin prec ea pa kind eps f g g' (numbered i) (points j) G v m' some_bits argument_bits eps_small Hm Hx Nx
                (conj (proj1 Hv) Hvx) Hpow Hb Hd Hy Hg Hf Hder HG Hsmall) as (HCg & _ & Hnext).
    destruct (Hfound (Hacc HCg)) as (center & z & Hc & Hz & Hlook).
    apply (Hlook i Hi); [| exact Hb | exact Hd].
    rewrite Ek. f_equal. f_equal. symmetry. apply (Hnext s (proj2 Hv) center z Hc Hz k Ek).
  - apply (Hlist i Hi); [| exact Hb | exact Hd].
    apply (inverse_listed emin prec kind eps f g (numbered i) (points j) l h some_bits eps_small Hb (proj2 Hd) Hy Hg Hhull).
Qed.

End inverse.

(* Everything together. *)

Variable told : Z -> R -> R -> Prop.

(* the largest number and half an ulp: beyond, IEEE 754 says what a result is rounded to *)
Variable overflow : R.

(* The certificate says between which two neighbors, numbers or midpoints, the result is: every
   rounding of it is known, by Theorem M.1; or that it is beyond all of them. *)
Definition known (j : Z) : Prop :=
  (exists a b, told j a b /\ gap emin prec a b (f (numbered j))) \/ overflow < Rabs (f (numbered j)).

Definition reported (j : Z) : Prop := listed j \/ known j.

Let accounted_for := accounted emin prec kind eps f numbered reported undecided.

(* Definition C.16. Why nothing is lost at an argument: what a certificate has regions for. *)
Inductive covered (j : Z) : Prop :=
  (* searched: by domains (the walk and the lanes' engines), or by segments (the scalar ones); or
     one by one *)
  | in_piece s n : searched emin prec kind eps f numbered reported undecided s n -> (s <= j < s + n)%Z -> covered j
  | in_segments s n p d segments candidates :
      arguments p = n -> (forall k, (0 <= k < n)%Z -> argument p k = numbered (s + k)) -> 0 <= farthest p ->
      enclosed emin prec kind f p d -> tile 0 n segments ->
      (forall start m, In (start, m) segments -> segment_settled p start m candidates) ->
      (forall k, (0 <= k < n)%Z -> candidates k -> accounted_for (s + k)%Z) -> (s <= j < s + n)%Z -> covered j
  | confirmed : accounted_for j -> covered j
  (* searched through the inverse function *)
  | through_inverse ea pa g found left_open points first last from to low high :
      (1 < pa)%Z ->
      (forall i, (first <= i < last)%Z -> number ea pa (numbered i) /\ numbered i <> 0 /\ g (f (numbered i)) = numbered i /\ low <= f (numbered i) <= high) ->
      grid emin prec kind low -> grid emin prec kind high ->
      (forall b, grid emin prec kind b -> low <= b <= high -> exists j, (from <= j < to)%Z /\ b = points j) ->
      (forall j, (from <= j < to)%Z -> looked_through ea pa g found left_open points reported first last j) ->
      (first <= j < last)%Z -> covered j
  (* searched as one of a family *)
  | in_family alpha beta one du dv ic X s w candidate t i a more delta blur :
      0 < du -> 0 < dv -> IZR one * dv = 1 ->
      of_point emin prec kind eps s du (f (numbered j)) t i a more delta blur ->
      of_family alpha beta i a -> (Z.abs (i - ic) <= X)%Z -> in_window w a ->
      searched3 alpha beta one du dv ic X s w candidate ->
      (candidate i a -> accounted_for j) -> covered j
  (* a square root, among the solutions of its congruences *)
  | by_congruences b e X X1 X2 :
      (emin + prec <= b + 1)%Z -> (1 <= e - 2 * (b - prec))%Z ->
      f (numbered j) = sqrt (numbered j) -> 0 < numbered j -> numbered j = IZR X * bpow radix2 e -> (X1 <= X <= X2)%Z ->
      bpow radix2 b <= sqrt (numbered j) < bpow radix2 (b + 1) ->
      (forall M D, solution prec kind eps b e X X1 X2 M D -> accounted_for j) -> covered j
  (* passed over by a sieve *)
  | sieved bound t :
      t <> 0 -> Rabs (f (numbered j) - t) <= bound -> (kind = Nearest -> bound <= unit_of emin prec t / 2) ->
      (forall b, is_breakpoint emin prec kind b -> eps * unit_of emin prec t + bound <= Rabs (t - b)) -> covered j
  (* known without a search: between two neighbors, those of the region (Theorem M.1) or those of
     the line (Theorem M.2); or apart from all breakpoints *)
  | told_between a b : told j a b -> gap emin prec a b (f (numbered j)) -> covered j
  | told_beyond : overflow < Rabs (f (numbered j)) -> covered j
  | apart : (forall b, is_breakpoint emin prec kind b -> eps * unit_of emin prec (f (numbered j)) <= Rabs (f (numbered j) - b)) -> covered j
  (* what follows from another argument: mirrored, translated by a power of two, by an integer, or
     nearly (Theorems M.19 to M.21: f' has at argument j' the value that follows, and a search with
     widened enclosures is one of f', too) *)
  | mirrored j' :
      covered j' -> f (numbered j) = f (numbered j') \/ f (numbered j) = - f (numbered j') ->
      (reported j' -> reported j) -> (undecided j' -> undecided j) -> covered j
  | translated_by_power j' n :
      covered j' -> f (numbered j) = bpow radix2 n * f (numbered j') \/ f (numbered j) = - (bpow radix2 n * f (numbered j')) ->
      (emin + prec <= mag radix2 (f (numbered j)))%Z -> (emin + prec <= mag radix2 (f (numbered j')))%Z ->
      (reported j' -> reported j) -> (undecided j' -> undecided j) -> covered j
  | translated_by_integer j' m s :
      covered j' -> sign s -> f (numbered j) = IZR s * (f (numbered j') + m) -> f (numbered j') <> 0 ->
      unit_of emin prec (f (numbered j') + m) = unit_of emin prec (f (numbered j')) ->
      (exists k, m = IZR k * unit_of emin prec (f (numbered j'))) ->
      (reported j' -> reported j) -> (undecided j' -> undecided j) -> covered j
  | follows_nearly j' f' s n :
      searched emin prec kind eps f' numbered reported undecided s n -> (s <= j' < s + n)%Z ->
      (hr_case emin prec kind eps (f (numbered j)) -> hr_case emin prec kind eps (f' (numbered j'))) ->
      (reported j' -> reported j) -> (undecided j' -> undecided j) -> covered j.

(* Theorem C.16 (every kind of region). Whatever covers an argument, if it is an HR-case it is
   listed or undecided, or all roundings of its result are known. *)
Theorem covered_complete j :
  covered j -> hr_case emin prec kind eps (f (numbered j)) -> listed j \/ known j \/ undecided j.
Proof.
  intros H. enough (A : accounted_for j) by (intros HC; destruct (A HC) as [[L | K] | U]; tauto).
  induction H as [j s n HS Hj | j s n p d segments candidates En HX Hfar HE HT Hset Hconf Hj | j A |
                  j ea pa g found left_open points first last from to low high Hpa Hargs Hl Hh Hpoints Hall Hj |
                  j alpha beta one du dv ic X s w candidate t i a more delta blur Hdu Hdv Hone HP Hf Hi Ha HS Hconf |
                  j b e X X1 X2 Hb HK Ef Px Ex HX Hr HS |
                  j bound t Nt Hd Hn Hpass | j a b Ht Hg | j Hbeyond | j Hapart |
                  j j' _ IH Hf Hr Hu | j j' n _ IH Hf H1 H0 Hr Hu | j j' m s _ IH Hs Hf N0 Hunit Hm Hr Hu |
                  j j' f' s n HS Hj' Hcase Hr Hu].
  - exact (searched_complete emin prec some_bits kind eps (proj2 eps_small) f numbered reported undecided s n j HS Hj).
  - exact (segments_complete reported s n p d segments candidates En HX Hfar HE HT Hset Hconf j Hj).
  - exact A.
  - exact (inverse_complete ea pa Hpa g found left_open points reported first last from to low high Hargs Hl Hh Hpoints Hall j Hj).
  - intros HC. apply Hconf; [|exact HC].
    apply (family_complete emin prec kind eps alpha beta one du dv ic X s w candidate (f (numbered j)) t i a more delta blur); assumption.
  - intros HC. assert (HC' : hr_case emin prec kind eps (sqrt (numbered j))) by (rewrite <- Ef; exact HC).
    destruct (root_has_remainder emin prec some_bits kind eps ltac:(lra) b e Hb HK (numbered j) X X1 X2 Px Ex HX Hr HC') as (M & D & H).
    exact (HS M D H HC).
  - intros HC. exfalso. exact (sieve_complete emin prec some_bits kind eps bound _ t eps_small Nt Hd Hn Hpass HC).
  - intros _. left. right. left. exists a, b. split; assumption.
  - intros _. left. right. right. exact Hbeyond.
  - intros (_ & b & Hb & Hd). exfalso. specialize (Hapart b Hb). lra.
  - intros HC. assert (HC' : hr_case emin prec kind eps (f (numbered j'))).
    { destruct Hf as [E | E]; rewrite E in HC; [exact HC|].
      replace (f (numbered j')) with (- - f (numbered j')) by ring. apply case_opposite. exact HC. }
    destruct (IH HC'); auto.
  - exact (translated_complete emin prec some_bits kind eps (proj2 eps_small) f numbered reported undecided j j' n Hf H1 H0 Hr Hu IH).
  - intros HC. assert (HC1 : hr_case emin prec kind eps (f (numbered j') + m)).
    { destruct Hs as [-> | ->].
      - rewrite Rmult_1_l in Hf. rewrite <- Hf. exact HC.
      - replace (f (numbered j') + m) with (- f (numbered j)) by (rewrite Hf; ring). apply case_opposite. exact HC. }
    assert (HC2 : hr_case emin prec kind eps (f (numbered j'))).
    { replace (f (numbered j')) with (f (numbered j') + m + - m) by ring.
      apply case_moved; [exact some_bits | exact (proj2 eps_small) | replace (f (numbered j') + m + - m) with (f (numbered j')) by ring; exact N0 | | | exact HC1].
      - replace (f (numbered j') + m + - m) with (f (numbered j')) by ring. symmetry. exact Hunit.
      - rewrite Hunit. destruct Hm as (k & ->). exists (- k)%Z. rewrite opp_IZR. ring. }
    destruct (IH HC2); auto.
  - intros HC. destruct (searched_complete emin prec some_bits kind eps (proj2 eps_small) f' numbered reported undecided s n j' HS Hj' (Hcase HC)); auto.
Qed.

(* Theorem C.17 (certificate). Regions that tile the numbers of all arguments, each of whose
   arguments is covered: every HR-case is listed or undecided, or all roundings of it are known. *)
Theorem every_region_complete first last (regions : list (Z * Z)) :
  tile first last regions ->
  (forall s n, In (s, n) regions -> forall j, (s <= j < s + n)%Z -> covered j) ->
  forall j, (first <= j < last)%Z -> hr_case emin prec kind eps (f (numbered j)) -> listed j \/ known j \/ undecided j.
Proof.
  intros HT Hall j Hj. destruct (tile_complete _ _ _ _ HT Hj) as (s & n & HI & Hs).
  apply covered_complete. exact (Hall s n HI j Hs).
Qed.

End certificate.
