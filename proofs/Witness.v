(* Witnesses: a lattice basis for each domain lets a checker confirm "no argument but these is near
   an integer" without a walk.

   docs/certificate.md, "Witnesses". Everything is in exact integers, with no bound on their size,
   and rests on no axiom: the function `piece` below is what is extracted (proofs/extracted), and
   transcribed in tools/check_witness.py.

   | name     | what it is                                                                          |
   |----------|-------------------------------------------------------------------------------------|
   | D        | 1, in units of the coefficients' last digit                                         |
   | cs       | coefficients of a polynomial, the constant term first                               |
   | w        | half-width: values within it of a multiple of D are asked for                       |
   | X        | half a domain: |x| <= X about its center                                            |
   | u, v     | the witness: counts of a basis of the lattice of the domain's slope; u > 0          |
*)

Require Import ZArith Lia Psatz List Bool.
Require Import TMD.Lattice.
Import ListNotations.
Open Scope Z_scope.

Fixpoint eval (cs : list Z) (x : Z) : Z :=
  match cs with [] => 0 | c :: rest => c + x * eval rest x end.

(* c + (y + x)*s(x) *)
Fixpoint times (y c : Z) (s : list Z) : list Z :=
  match s with [] => [c] | s0 :: rest => (c + y * s0) :: times y s0 rest end.

(* Definition G.1. The polynomial about another center. *)
Fixpoint shift (cs : list Z) (y : Z) : list Z :=
  match cs with [] => [] | c :: rest => times y c (shift rest y) end.

Lemma times_value y c s x : eval (times y c s) x = c + (y + x) * eval s x.
Proof.
  revert c. induction s as [|s0 rest IH]; intros c; cbn [times eval]; [ring | rewrite IH; ring].
Qed.

Lemma shift_value cs y x : eval (shift cs y) x = eval cs (y + x).
Proof.
  induction cs as [|c rest IH]; cbn [shift eval]; [reflexivity | rewrite times_value, IH; ring].
Qed.

(* Bound of |cs(x)| for |x| <= X. *)
Fixpoint most (cs : list Z) (X : Z) : Z :=
  match cs with [] => 0 | c :: rest => Z.abs c + X * most rest X end.

Lemma most_holds cs X x : Z.abs x <= X -> Z.abs (eval cs x) <= most cs X.
Proof.
  intros Hx. induction cs as [|c rest IH]; cbn [most eval]; [lia|].
  pose proof (Z.abs_triangle c (x * eval rest x)). rewrite Z.abs_mul in H.
  pose proof (Z.abs_nonneg (eval rest x)). pose proof (Z.abs_nonneg x). nia.
Qed.

Fixpoint count_from (a : Z) (n : nat) : list Z :=
  match n with O => [] | S n => a :: count_from (a + 1) n end.

Definition range (a b : Z) : list Z := count_from a (Z.to_nat (b + 1 - a)).

Lemma in_range a b x : a <= x <= b -> In x (range a b).
Proof.
  intros H. unfold range. remember (Z.to_nat (b + 1 - a)) as n eqn:E.
  assert (Hn : Z.of_nat n = b + 1 - a) by lia. clear E. revert a H Hn.
  induction n as [|n IH]; intros a H Hn; [lia|]. cbn [count_from].
  destruct (Z.eq_dec x a) as [-> | N]; [left; reflexivity | right; apply IH; lia].
Qed.

Definition is_near (D w y : Z) : bool := let r := y mod D in (r <=? w) || (D - r <=? w).

Definition near_multiple (D w y : Z) : Prop := exists z, Z.abs (y - z * D) <= w.

Lemma is_near_holds D w y : 0 < D -> near_multiple D w y -> is_near D w y = true.
Proof.
  intros HD (z & Hz). unfold is_near. apply orb_true_iff. rewrite !Z.leb_le.
  pose proof (Z.div_mod y D ltac:(lia)) as E. pose proof (Z.mod_pos_bound y D HD) as B.
  set (r := y mod D) in *. set (k := y / D) in *.
  destruct (Z.le_gt_cases z k) as [L | L]; [left | right]; nia.
Qed.

(* The basis of a witness: its numerators are the one next to A*u/D, and what the determinant leaves
   for the other. *)
Definition basis_of (D A u v : Z) : basis :=
  let m1 := (2 * A * u + D) / (2 * D) in
  let m2 := (1 + m1 * v) / u in
  mk u v (A * u - m1 * D) (m2 * D - A * v) m1 m2.

(* More lines of a box, or places on one, are not looked at: the witness is refused. *)
Definition limit : Z := 4096.

Definition places (X beta h : Z) (b : basis) (t : Z) : option (list Z) :=
  let first := ceil_div (t * v b - X) (u b) in
  let last := (t * v b + X) / u b in
  let off := (beta - t * q b) * Z.sgn (p b) in
  let '(first, last) :=
    if p b =? 0 then (if Z.abs (beta - t * q b) <=? h then (first, last) else (1, 0))
    else (Z.max first (ceil_div (off - h) (Z.abs (p b))), Z.min last ((off + h) / Z.abs (p b))) in
  if last - first <? limit then Some (map (fun s => s * u b - t * v b) (range first last)) else None.

Fixpoint all_places (X beta h : Z) (b : basis) (ts : list Z) : option (list Z) :=
  match ts with
  | [] => Some []
  | t :: rest =>
      match places X beta h b t, all_places X beta h b rest with
      | Some xs, Some others => Some (xs ++ others)
      | _, _ => None
      end
  end.

(* Definition G.2. The arguments of a domain that are within w: cs is the polynomial about its
   center. None: the witness is no basis, or a useless one. *)
Definition domain (D w X : Z) (cs : list Z) (u0 v0 : Z) : option (list Z) :=
  let '(c0, c1, c2, rest) :=
    match cs with
    | c0 :: c1 :: c2 :: rest => (c0, c1, c2, rest)
    | [c0; c1] => (c0, c1, 0, [])
    | [c0] => (c0, 0, 0, [])
    | [] => (0, 0, 0, [])
    end in
  let half_curvature := c2 * X * X / 2 in
  let h := w + (Z.abs c2 * X * X / 2 + 1) + X * X * X * most rest X in
  let beta := - (c0 + half_curvature) in
  let b := basis_of D c1 u0 v0 in
  if (0 <? u0) && (m2 b * u b - m1 b * v b =? 1) then
    let s := spread X h b in
    let first := ceil_div (u b * beta - s) D in
    let last := (u b * beta + s) / D in
    if last - first <? limit then
      match all_places X beta h b (range first last) with
      | Some xs => Some (filter (fun x => (Z.abs x <=? X) && is_near D w (eval cs x)) xs)
      | None => None
      end
    else None
  else None.

Lemma all_places_hold X beta h b ts xs :
  all_places X beta h b ts = Some xs ->
  forall t s, In t ts ->
    (exists l, places X beta h b t = Some l /\ In (s * u b - t * v b) l) -> In (s * u b - t * v b) xs.
Proof.
  revert xs. induction ts as [|t0 rest IH]; intros xs E t s Ht (l & El & Hl); [destruct Ht|].
  cbn [all_places] in E. destruct (places X beta h b t0) as [ys|] eqn:E0; [|discriminate].
  destruct (all_places X beta h b rest) as [others|] eqn:E1; [|discriminate]. injection E as <-.
  apply in_or_app. destruct Ht as [-> | Ht].
  - left. rewrite E0 in El. injection El as ->. exact Hl.
  - right. apply (IH others eq_refl t s Ht). exists l. split; assumption.
Qed.

Lemma all_places_some X beta h b ts xs t :
  all_places X beta h b ts = Some xs -> In t ts -> exists l, places X beta h b t = Some l.
Proof.
  revert xs. induction ts as [|t0 rest IH]; intros xs E Ht; [destruct Ht|].
  cbn [all_places] in E. destruct (places X beta h b t0) as [ys|] eqn:E0; [|discriminate].
  destruct (all_places X beta h b rest) as [others|]; [|discriminate].
  destruct Ht as [-> | Ht]; [exists ys; exact E0 | exact (IH others eq_refl Ht)].
Qed.

Lemma places_hold D X beta h b t s l :
  visits D X beta h b s t -> places X beta h b t = Some l -> In (s * u b - t * v b) l.
Proof.
  intros (_ & Hs & H0 & H1) E. unfold places in E.
  destruct (Z.eqb_spec (p b) 0) as [Z0 | NZ].
  - destruct (Z.leb_spec (Z.abs (beta - t * q b)) h) as [L | L]; [|specialize (H0 Z0); lia].
    destruct (_ <? limit) in E; [|discriminate]. injection E as <-.
    apply (in_map (fun s => s * u b - t * v b)). apply in_range. exact Hs.
  - specialize (H1 NZ). destruct (_ <? limit) in E; [|discriminate]. injection E as <-.
    apply (in_map (fun s => s * u b - t * v b)). apply in_range. lia.
Qed.

(* Theorem G.1 (domain). What the checker returns are all arguments of the domain whose value is
   within w of a multiple of D. *)
Theorem domain_complete D w X cs u0 v0 xs :
  0 < D -> 0 <= w -> 0 <= X -> domain D w X cs u0 v0 = Some xs ->
  forall x, Z.abs x <= X -> near_multiple D w (eval cs x) -> In x xs.
Proof.
  intros HD Hw HX E x Hx HN.
  assert (Hcs : exists c0 c1 c2 rest,
            (forall y, eval cs y = c0 + c1 * y + c2 * (y * y) + y * y * y * eval rest y) /\
            match cs with
            | c0 :: c1 :: c2 :: rest => (c0, c1, c2, rest)
            | [c0; c1] => (c0, c1, 0, [])
            | [c0] => (c0, 0, 0, [])
            | [] => (0, 0, 0, [])
            end = (c0, c1, c2, rest)).
  { destruct cs as [|c0 [|c1 [|c2 rest]]]; do 4 eexists; (split; [|reflexivity]); intros y; cbn [eval]; ring. }
  destruct Hcs as (c0 & c1 & c2 & rest & Hval & Hmatch).
  unfold domain in E. rewrite Hmatch in E.
  set (half_curvature := c2 * X * X / 2) in *.
  set (h := w + (Z.abs c2 * X * X / 2 + 1) + X * X * X * most rest X) in *.
  set (beta := - (c0 + half_curvature)) in *. set (b := basis_of D c1 u0 v0) in *.
  destruct (Z.ltb_spec 0 u0) as [Hu|]; [|discriminate].
  destruct (Z.eqb_spec (m2 b * u b - m1 b * v b) 1) as [Hdet|]; [|discriminate]. cbn [andb] in E.
  destruct (_ <? limit) in E; [|discriminate].
  destruct (all_places X beta h b _) as [all|] eqn:EA in E; [|discriminate]. injection E as <-.
  apply filter_In. split.
  2:{ apply andb_true_iff. split; [apply Z.leb_le; exact Hx | apply is_near_holds; assumption]. }
  assert (HV : valid D c1 b).
  { unfold valid, b, basis_of in *; cbn [u v p q m1 m2] in *. repeat split; exact Hdet. }
  assert (Hub : 0 < u b) by exact Hu.
  assert (Hrest : Z.abs (x * x * x * eval rest x) <= X * X * X * most rest X).
  { rewrite !Z.abs_mul. pose proof (most_holds rest X x Hx) as M. pose proof (Z.abs_nonneg x) as A0.
    pose proof (Z.abs_nonneg (eval rest x)) as A1.
    apply Z.mul_le_mono_nonneg; [| | exact A1 | exact M].
    - repeat apply Z.mul_nonneg_nonneg; assumption.
    - repeat apply Z.mul_le_mono_nonneg; try assumption; repeat apply Z.mul_nonneg_nonneg; assumption. }
  assert (Hmost : 0 <= X * X * X * most rest X) by (pose proof (Z.abs_nonneg (x * x * x * eval rest x)); lia).
  assert (Hsq : 0 <= x * x <= X * X) by (pose proof (Z.abs_spec x); nia).
  assert (Hcurvature : Z.abs (c2 * (x * x) - half_curvature) <= Z.abs c2 * X * X / 2 + 1).
  { unfold half_curvature.
    pose proof (Z.div_mod (c2 * X * X) 2 ltac:(lia)) as D1. pose proof (Z.mod_pos_bound (c2 * X * X) 2 ltac:(lia)) as B1.
    pose proof (Z.div_mod (Z.abs c2 * X * X) 2 ltac:(lia)) as D2. pose proof (Z.mod_pos_bound (Z.abs c2 * X * X) 2 ltac:(lia)) as B2.
    destruct (Z.abs_spec c2) as [(P & Ea) | (P & Ea)]; rewrite Ea in *.
    - assert (0 <= c2 * (x * x) <= c2 * (X * X)) by nia. lia.
    - assert (c2 * (X * X) <= c2 * (x * x) <= 0) by nia. lia. }
  destruct HN as (z & Hz).
  assert (HB : in_box X beta h x (c1 * x - z * D)).
  { split; [exact Hx|]. rewrite Hval in Hz. unfold beta, h. lia. }
  destruct (proj1 (near_complete D c1 b X beta h x _ HD Hub HV HX
                     ltac:(unfold h; pose proof (Z.div_pos (Z.abs c2 * X * X) 2 ltac:(repeat apply Z.mul_nonneg_nonneg; lia) ltac:(lia)); lia))
              (conj (ex_intro _ z eq_refl) HB)) as (s & t & Hvis & Ex & _).
  rewrite Ex. pose proof Hvis as (Ht & _).
  assert (Hin : In t (range (ceil_div (u b * beta - spread X h b) D) ((u b * beta + spread X h b) / D))) by (apply in_range; exact Ht).
  destruct (all_places_some _ _ _ _ _ _ t EA Hin) as (l & El).
  apply (all_places_hold _ _ _ _ _ _ EA t s Hin). exists l. split; [exact El|].
  eapply places_hold; eassumption.
Qed.

(* Definition G.3. A piece: domains of 2*X arguments next to each other, from number `first` on; cs
   is about the center of the first of them. `count` is how many a basis is for. *)
Fixpoint repeated (D w X : Z) (cs : list Z) (first : Z) (u0 v0 : Z) (count : nat) : option (list Z * list Z * Z) :=
  match count with
  | O => Some ([], cs, first)
  | S count =>
      match domain D w X cs u0 v0 with
      | None => None
      | Some xs =>
          match repeated D w X (shift cs (2 * X)) (first + 2 * X) u0 v0 count with
          | None => None
          | Some (others, cs', first') => Some (map (fun x => first + X + x) xs ++ others, cs', first')
          end
      end
  end.

Fixpoint domains (D w X : Z) (cs : list Z) (first : Z) (bases : list (Z * Z * Z)) : option (list Z * Z) :=
  match bases with
  | [] => Some ([], first)
  | (u0, v0, count) :: rest =>
      match repeated D w X cs first u0 v0 (Z.to_nat count) with
      | None => None
      | Some (xs, cs', first') =>
          match domains D w X cs' first' rest with
          | None => None
          | Some (others, last) => Some (xs ++ others, last)
          end
      end
  end.

(* cs about the argument number `center`; `arguments` of them, from 0 on *)
Definition piece (D w X : Z) (cs : list Z) (center arguments : Z) (bases : list (Z * Z * Z)) : option (list Z) :=
  if (0 <? D) && (0 <=? w) && (0 <? X) then
    match domains D w X (shift cs (X - center)) 0 bases with
    | Some (xs, last) => if arguments <=? last then Some (filter (fun k => (0 <=? k) && (k <? arguments)) xs) else None
    | None => None
    end
  else None.

Lemma repeated_complete D w X cs first u0 v0 count xs cs' first' :
  0 < D -> 0 <= w -> 0 < X -> repeated D w X cs first u0 v0 count = Some (xs, cs', first') ->
  first <= first' /\ (forall y, eval cs' y = eval cs (first' - first + y)) /\
  forall k, first <= k < first' -> near_multiple D w (eval cs (k - first - X)) -> In k xs.
Proof.
  intros HD Hw HX. revert cs first xs cs' first'. induction count as [|count IH]; intros cs first xs cs' first' E; cbn [repeated] in E.
  - injection E as <- <- <-. repeat split; [lia | intros y; f_equal; lia | intros; lia].
  - destruct (domain D w X cs u0 v0) as [here|] eqn:E0; [|discriminate].
    destruct (repeated D w X (shift cs (2 * X)) (first + 2 * X) u0 v0 count) as [((others, c'), f')|] eqn:E1; [|discriminate].
    injection E as <- <- <-. destruct (IH _ _ _ _ _ E1) as (L & HV & HC). repeat split; [lia | |].
    + intros y. rewrite HV, shift_value. f_equal. lia.
    + intros k Hk HN. apply in_or_app. destruct (Z.lt_ge_cases k (first + 2 * X)) as [Lk | Lk].
      * left. replace k with (first + X + (k - first - X)) by ring.
        apply (in_map (fun x => first + X + x)). apply (domain_complete D w X cs u0 v0 here HD Hw ltac:(lia) E0); [lia | exact HN].
      * right. apply HC; [lia|]. rewrite shift_value. replace (2 * X + (k - (first + 2 * X) - X)) with (k - first - X) by ring. exact HN.
Qed.

Lemma domains_complete D w X cs first bases xs last :
  0 < D -> 0 <= w -> 0 < X -> domains D w X cs first bases = Some (xs, last) ->
  first <= last /\ forall k, first <= k < last -> near_multiple D w (eval cs (k - first - X)) -> In k xs.
Proof.
  intros HD Hw HX. revert cs first xs last. induction bases as [|((u0, v0), count) rest IH]; intros cs first xs last E; cbn [domains] in E.
  - injection E as <- <-. split; [lia | intros; lia].
  - destruct (repeated D w X cs first u0 v0 (Z.to_nat count)) as [((here, cs'), first')|] eqn:E0; [|discriminate].
    destruct (domains D w X cs' first' rest) as [(others, l)|] eqn:E1; [|discriminate]. injection E as <- <-.
    destruct (repeated_complete _ _ _ _ _ _ _ _ _ _ _ HD Hw HX E0) as (L0 & HV & HC).
    destruct (IH _ _ _ _ E1) as (L1 & HC'). split; [lia|].
    intros k Hk HN. apply in_or_app. destruct (Z.lt_ge_cases k first') as [Lk | Lk].
    + left. apply HC; [lia | exact HN].
    + right. apply HC'; [lia|]. rewrite HV. replace (first' - first + (k - first' - X)) with (k - first - X) by ring. exact HN.
Qed.

(* Theorem G.2 (piece). Every argument of the piece at which the polynomial is within w of a
   multiple of D is in the list, whatever bases the witness has. *)
Theorem piece_complete D w X cs center arguments bases xs :
  piece D w X cs center arguments bases = Some xs ->
  forall k, 0 <= k < arguments -> near_multiple D w (eval cs (k - center)) -> In k xs.
Proof.
  unfold piece. intros E k Hk HN.
  destruct (Z.ltb_spec 0 D) as [HD|]; [|discriminate]. destruct (Z.leb_spec 0 w) as [Hw|]; [|discriminate].
  destruct (Z.ltb_spec 0 X) as [HX|]; [|discriminate]. cbn [andb] in E.
  destruct (domains D w X (shift cs (X - center)) 0 bases) as [(all, last)|] eqn:E0; [|discriminate].
  destruct (Z.leb_spec arguments last) as [L|]; [|discriminate]. injection E as <-.
  apply filter_In. split.
  - destruct (domains_complete _ _ _ _ _ _ _ _ HD Hw HX E0) as (_ & HC). apply HC; [lia|].
    rewrite shift_value. replace (X - center + (k - 0 - X)) with (k - center) by ring. exact HN.
  - apply andb_true_iff. split; [apply Z.leb_le | apply Z.ltb_lt]; lia.
Qed.

(* Theorem G.3 (nothing else). What is in the list is within w: a list that is as short as it can
   be. *)
Theorem domain_exact D w X cs u0 v0 xs x :
  0 < D -> domain D w X cs u0 v0 = Some xs -> In x xs -> near_multiple D w (eval cs x).
Proof.
  intros HD E Hx. unfold domain in E.
  destruct (match cs with c0 :: c1 :: c2 :: rest => (c0, c1, c2, rest) | [c0; c1] => (c0, c1, 0, []) | [c0] => (c0, 0, 0, []) | [] => (0, 0, 0, []) end)
    as (((c0, c1), c2), rest).
  destruct (_ && _)%bool in E; [|discriminate]. destruct (_ <? limit) in E; [|discriminate].
  destruct (all_places _ _ _ _ _) as [all|] in E; [|discriminate]. injection E as <-.
  apply filter_In in Hx. destruct Hx as (_ & Hx). apply andb_true_iff in Hx. destruct Hx as (_ & Hx).
  unfold is_near in Hx. apply orb_true_iff in Hx. rewrite !Z.leb_le in Hx.
  pose proof (Z.div_mod (eval cs x) D ltac:(lia)) as Ed. pose proof (Z.mod_pos_bound (eval cs x) D HD) as B.
  destruct Hx as [Hx | Hx]; [exists (eval cs x / D) | exists (eval cs x / D + 1)]; lia.
Qed.
