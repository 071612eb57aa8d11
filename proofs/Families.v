(* Searches of families: arguments with two indices, whose values see a lattice in space.

   tmd-functions::family, tmd-core::lattice3, tmd-driver::family; docs/proofs/lattice3.md. The box
   of a window (Space) is put together with the segment's polynomial (Taylor), with the lattice that
   a family's points make, and with windows that leave out no angle. That a function is a family,
   its period or doubling, is a hypothesis: the identities are in family.rs.

   | name         | what it is                                                                          |
   |--------------|-------------------------------------------------------------------------------------|
   | i, a         | a point: its index, its angle in units of du                                         |
   | alpha, beta  | angles are i*alpha + n*beta                                                          |
   | P            | a segment's polynomial; gain is what an index adds to it                             |
   | aw, W, omega | middle and half the width of a window, in units of angles; W*du                      |
   | one, dv      | 1 in units of the coordinate v; that unit                                            |
   | acc          | how near an integer a case's value is on the polynomial                              |
*)

Require Import ZArith Reals Lia Lra Psatz List.
From Flocq Require Import Core.Core.
Require Import TMD.Existence TMD.Taylor TMD.Space TMD.Composition TMD.Regions.
Open Scope R_scope.

(* The box. *)

(* Theorem S.9 (box of a window). A case's point is near the plane that is raised by kappa, half the
   curvature at the window's end: Lemma L.2 of docs/proofs/lattice3.md. eh, es and ec are what
   rounds value, slope and half the second derivative. *)
Theorem box_of_window r n y0 y omega third height slope curvature eh es ec gain i acc :
  no_term_above n r -> Rabs y <= omega -> 0 <= third ->
  (forall xi, y0 - omega <= xi <= y0 + omega -> Rabs (polynomials r n 3 xi / 6) <= third) ->
  Rabs (polynomial r n y0 - height) <= eh -> Rabs (polynomials r n 1 y0 - slope) <= es ->
  Rabs (polynomials r n 2 y0 / 2 - curvature) <= ec ->
  let kappa := curvature * (omega * omega) / 2 in
  let h := Rabs kappa + (eh + es * omega + ec * (omega * omega) + third * (omega * omega * omega)) + acc in
  forall l, Rabs (polynomial r n (y0 + y) + gain * i - l) < acc -> Rabs (height + kappa + slope * y + gain * i - l) < h.
Proof.
  intros Hends Hy H3 Hthird Hh Hs Hb kappa h l Hl.
  assert (Ho : 0 <= omega) by (eapply Rle_trans; [apply Rabs_pos | exact Hy]).
  pose proof (Rabs_le_inv _ _ Hy) as Hyy.
  pose proof (parabola_error r n (y0 - omega) (y0 + omega) y0 y omega third height slope curvature eh es ec
                Hends ltac:(lra) ltac:(lra) Hy H3 Hthird Hh Hs Hb) as HP.
  assert (HK : Rabs (kappa - curvature * (y * y)) <= Rabs kappa).
  { assert (Hsq : 0 <= y * y <= omega * omega) by (split; nra).
    replace (kappa - curvature * (y * y)) with (curvature * (omega * omega / 2 - y * y)) by (unfold kappa; field).
    replace kappa with (curvature * (omega * omega / 2)) by (unfold kappa; field). rewrite !Rabs_mult.
    apply Rmult_le_compat_l; [apply Rabs_pos|]. rewrite (Rabs_pos_eq (omega * omega / 2)) by lra. apply Rabs_le. lra. }
  replace (height + kappa + slope * y + gain * i - l)
    with ((kappa - curvature * (y * y)) + - (polynomial r n (y0 + y) - (height + slope * y + curvature * (y * y))) +
          (polynomial r n (y0 + y) + gain * i - l)) by ring.
  eapply Rle_lt_trans; [apply Rabs_triang|].
  pose proof (Rabs_triang (kappa - curvature * (y * y)) (- (polynomial r n (y0 + y) - (height + slope * y + curvature * (y * y))))) as T.
  rewrite Rabs_Ropp in T. unfold h. lra.
Qed.

(* The lattice. *)

Section lattice.

Variables (alpha beta one : Z) (ic aw : Z) (h0 s0 g0 : Z).

(* a family's angles *)
Definition of_family (i a : Z) : Prop := exists n, a = (i * alpha + n * beta)%Z.

(* Definition S.3. The point of an argument in a window, for the integer l: height and kappa, slope
   and gain in units of v. *)
Definition point (i a l : Z) : vector := V (i - ic) (a - aw) (h0 + s0 * (a - aw) + g0 * i - l * one)%Z.

(* Definition S.4. The three generators of a window's lattice. *)
Definition generators : basis3 := B3 (V 1 alpha (s0 * alpha + g0)) (V 0 beta (s0 * beta)) (V 0 0 one).

(* Theorem S.10 (coset). The points of a family are in one coset of the lattice, whichever of them
   is the target. *)
Theorem points_are_a_coset i0 a0 i a l :
  of_family i0 a0 -> of_family i a -> coset generators (point i0 a0 0) (point i a l).
Proof.
  intros (n0 & ->) (n & ->). exists (i0 - i)%Z, (n0 - n)%Z, l.
  unfold Space.place, generators, point, minus. cbn [vx vy vv Space.b1 Space.b2 Space.b3]. apply vector_eq; cbn [vx vy vv]; ring.
Qed.

Lemma generators_det : det generators = (beta * one)%Z.
Proof. unfold det, d1, generators, cross3, dot. cbn [vx vy vv Space.b1 Space.b2 Space.b3]. ring. Qed.

End lattice.

(* The lattice and the points of the next window, or of another segment's, are those of this one,
   sheared and moved: so the moves of Theorem S.8 lead from one to the other. *)
Lemma window_to_window alpha beta one ic aw h0 s0 g0 aw' h0' s0' i a l :
  let k := (s0' - s0)%Z in
  sheared3 k (generators alpha beta one s0 g0) = generators alpha beta one s0' g0 /\
  translated (V 0 (aw - aw') (h0' - h0 + s0' * (aw - aw'))) (shear3 k (point one ic aw h0 s0 g0 i a l)) = point one ic aw' h0' s0' g0 i a l.
Proof.
  intros k. split.
  - unfold sheared3, generators, shear3. cbn [vx vy vv Space.b1 Space.b2 Space.b3]. unfold k. f_equal; apply vector_eq; cbn [vx vy vv]; ring.
  - unfold translated, shear3, point. unfold k. apply vector_eq; cbn [vx vy vv]; ring.
Qed.

(* Windows. *)

(* What a segment's windows have in common, and what each has. *)
Record segment3 := Segment3 {
  coefficient : nat -> R;   (* of P, in powers of the angle from the segment's middle *)
  degree3 : nat;
  middle3 : Z;              (* that angle *)
  gain3 : R;                (* what an index adds *)
  acc3 : R                  (* tolerance, and how far a case's value may be from P *)
}.

Record window3 := Window3 {
  at3 : Z;                  (* the angle of its middle *)
  wide3 : Z;                (* W *)
  height3 : R; slope3 : R; curvature3 : R;
  eh3 : R; es3 : R; ec3 : R; third3 : R;
  h3 : Z; s3 : Z; g3 : Z    (* height and kappa, slope, gain, in units of v *)
}.

Section windows.

Variables (alpha beta one : Z) (du dv : R) (ic X : Z).
Hypothesis du_positive : 0 < du.
Hypothesis dv_positive : 0 < dv.
Hypothesis one_is : IZR one * dv = 1.

Definition on_polynomial (s : segment3) (i a : Z) : R :=
  polynomial (coefficient s) (degree3 s) (IZR (a - middle3 s) * du) + gain3 s * IZR i.

Definition omega3 (w : window3) : R := IZR (wide3 w) * du.
Definition kappa3 (w : window3) : R := curvature3 w * (omega3 w * omega3 w) / 2.
Definition high3 (s : segment3) (w : window3) : R :=
  Rabs (kappa3 w) + (eh3 w + es3 w * omega3 w + ec3 w * (omega3 w * omega3 w) + third3 w * (omega3 w * omega3 w * omega3 w)) + acc3 s.

Definition in_window (w : window3) (a : Z) : Prop := (Z.abs (a - at3 w) <= wide3 w)%Z.

Definition point_of (w : window3) : Z -> Z -> Z -> vector := point one ic (at3 w) (h3 w) (s3 w) (g3 w).

(* Definition S.5. A window's numbers are within the errors that its box has, in units of v
   exactly. *)
Record tabulated3 (s : segment3) (w : window3) : Prop := {
  ends3 : no_term_above (degree3 s) (coefficient s);
  third3_positive : 0 <= third3 w;
  third3_holds : forall xi,
    IZR (at3 w - middle3 s) * du - omega3 w <= xi <= IZR (at3 w - middle3 s) * du + omega3 w ->
    Rabs (polynomials (coefficient s) (degree3 s) 3 xi / 6) <= third3 w;
  height3_holds : Rabs (polynomial (coefficient s) (degree3 s) (IZR (at3 w - middle3 s) * du) - height3 w) <= eh3 w;
  slope3_holds : Rabs (polynomials (coefficient s) (degree3 s) 1 (IZR (at3 w - middle3 s) * du) - slope3 w) <= es3 w;
  curvature3_holds : Rabs (polynomials (coefficient s) (degree3 s) 2 (IZR (at3 w - middle3 s) * du) / 2 - curvature3 w) <= ec3 w;
  h3_is : IZR (h3 w) * dv = height3 w + kappa3 w;
  s3_is : IZR (s3 w) * dv = slope3 w * du;
  g3_is : IZR (g3 w) * dv = gain3 s
}.

(* Definition S.6. A window is searched: from any basis of its lattice and any target of the points'
   coset all points of the box are enumerated, and each is a candidate unless its value on the
   polynomial is away from integers; or its arguments are listed; or lanes tell that it is empty
   (Theorems S.17 and S.18 of Lanes). *)
Inductive searched3 (s : segment3) (w : window3) (candidate : Z -> Z -> Prop) : Prop :=
  | box_enumerated b target reach sgn D :
      (0 < D)%Z -> (sgn = 1 \/ sgn = -1)%Z -> det b = (sgn * D)%Z ->
      (forall i a l, of_family alpha beta i a -> coset b target (point_of w i a l)) ->
      (X <= vx reach)%Z -> (wide3 w <= vy reach)%Z -> high3 s w <= IZR (vv reach) * dv ->
      tabulated3 s w ->
      (forall n1 n2 n3 i a l, Space.place b target n1 n2 n3 = point_of w i a l -> Space.inside reach (point_of w i a l) ->
         (Space.first sgn (dot (d1 b) target) (Space.radius (d1 b) reach) D <= n1 <= Space.last sgn (dot (d1 b) target) (Space.radius (d1 b) reach) D)%Z ->
         (Space.first sgn (dot (d2 b) target) (Space.radius (d2 b) reach) D <= n2 <= Space.last sgn (dot (d2 b) target) (Space.radius (d2 b) reach) D)%Z ->
         (Space.first sgn (dot (d3 b) target) (Space.radius (d3 b) reach) D <= n3 <= Space.last sgn (dot (d3 b) target) (Space.radius (d3 b) reach) D)%Z ->
         near (acc3 s) (on_polynomial s i a) -> candidate i a) ->
      searched3 s w candidate
  | arc_listed : (forall i a, of_family alpha beta i a -> in_window w a -> candidate i a) -> searched3 s w candidate
  | told_empty :
      (forall i a, of_family alpha beta i a -> (Z.abs (i - ic) <= X)%Z -> in_window w a -> ~ near (acc3 s) (on_polynomial s i a)) ->
      searched3 s w candidate.

(* Theorem S.11 (window). Whatever settles a window, a point in it whose value on the polynomial is
   near an integer is a candidate. *)
Theorem window_complete s w candidate i a :
  searched3 s w candidate -> of_family alpha beta i a -> (Z.abs (i - ic) <= X)%Z -> in_window w a ->
  near (acc3 s) (on_polynomial s i a) -> candidate i a.
Proof.
  intros [b target reach sgn D HD Hs Hdet Hcoset HX HW HH T Hall | Hall | Hnone] Hf Hi Ha HN;
    [|apply Hall; assumption | exfalso; exact (Hnone i a Hf Hi Ha HN)].
  destruct HN as (l & Hl).
  set (y0 := IZR (at3 w - middle3 s) * du). set (y := IZR (a - at3 w) * du).
  assert (Hy : Rabs y <= omega3 w).
  { unfold y, omega3. rewrite Rabs_mult, (Rabs_pos_eq du) by lra. apply Rmult_le_compat_r; [lra|].
    rewrite <- abs_IZR. apply IZR_le. exact Ha. }
  assert (Ey : IZR (a - middle3 s) * du = y0 + y).
  { unfold y0, y. rewrite <- Rmult_plus_distr_r, <- plus_IZR. do 2 f_equal. ring. }
  pose proof Hl as Hl'. unfold on_polynomial in Hl'. rewrite Ey in Hl'.
  pose proof (box_of_window (coefficient s) (degree3 s) y0 y (omega3 w) (third3 w) (height3 w) (slope3 w) (curvature3 w) (eh3 w) (es3 w) (ec3 w)
                (gain3 s) (IZR i) (acc3 s) (ends3 s w T) Hy (third3_positive s w T) (third3_holds s w T) (height3_holds s w T) (slope3_holds s w T)
                (curvature3_holds s w T) (IZR l) Hl') as HB.
  fold (kappa3 w) in HB. fold (high3 s w) in HB.
  assert (Hin : Space.inside reach (point_of w i a l)).
  { unfold Space.inside, point_of, point. cbn [vx vy vv]. unfold in_window in Ha. split; [lia|]. split; [lia|].
    apply le_IZR. rewrite abs_IZR. apply Rmult_le_reg_r with dv; [exact dv_positive|].
    rewrite <- (Rabs_pos_eq dv) at 1 by lra. rewrite <- Rabs_mult.
    replace (IZR (h3 w + s3 w * (a - at3 w) + g3 w * i - l * one) * dv)
      with (height3 w + kappa3 w + slope3 w * y + gain3 s * IZR i - IZR l); [lra|].
    rewrite minus_IZR, !plus_IZR, !mult_IZR. unfold y.
    transitivity (IZR (h3 w) * dv + IZR (s3 w) * dv * IZR (a - at3 w) + IZR (g3 w) * dv * IZR i - IZR l * (IZR one * dv)); [|ring].
    rewrite (h3_is s w T), (s3_is s w T), (g3_is s w T), one_is. ring. }
  destruct (box_complete b target reach _ sgn D HD Hs Hdet (Hcoset i a l Hf) Hin) as (n1 & n2 & n3 & E & R1 & R2 & R3).
  apply (Hall n1 n2 n3 i a l); try assumption; [symmetry; exact E | exists l; exact Hl].
Qed.

End windows.

(* Tiling. *)

(* Theorem S.12 (windows). Windows of one width, each beginning where the last one ended, hold every
   angle of their place. *)
Theorem windows_tile start count W a :
  (0 < W)%Z -> (start <= a <= start + count * (2 * W))%Z -> (0 < count)%Z ->
  exists k, (0 <= k < count)%Z /\ (Z.abs (a - (start + k * (2 * W) + W)) <= W)%Z.
Proof.
  intros HW Ha Hc. pose proof (Z.div_mod (a - start) (2 * W) ltac:(lia)) as E.
  pose proof (Z.mod_pos_bound (a - start) (2 * W) ltac:(lia)) as M. set (q := ((a - start) / (2 * W))%Z) in *.
  destruct (Z.eq_dec q count) as [Eq | N].
  - exists (count - 1)%Z. rewrite Eq in E. split; [lia|]. apply Z.abs_le. nia.
  - exists q. split; [nia|]. apply Z.abs_le. nia.
Qed.

(* Parts of a tiling that are not empty hold every number once. *)
Lemma tile_from a b parts s n : tile a b parts -> (forall s n, In (s, n) parts -> (0 < n)%Z) -> In (s, n) parts -> (a <= s /\ s + n <= b)%Z.
Proof.
  revert a. induction parts as [|(s', n') rest IH]; intros a HT Hpos HI; [destruct HI|].
  cbn [tile] in HT. destruct HT as (-> & HT). pose proof (Hpos a n' (or_introl eq_refl)) as P.
  assert (Rest : forall s n, In (s, n) rest -> (0 < n)%Z) by (intros; eapply Hpos; right; eassumption).
  destruct HI as [E | HI].
  - injection E as -> ->. split; [lia|].
    clear - HT Rest. revert HT. generalize (s + n)%Z. induction rest as [|(s', n') rest IH]; intros c HT; cbn [tile] in HT; [lia|].
    destruct HT as (-> & HT). pose proof (Rest c n' (or_introl eq_refl)).
    specialize (IH ltac:(intros; eapply Rest; right; eassumption) _ HT). lia.
  - specialize (IH _ HT Rest HI). lia.
Qed.

Lemma tile_once a b parts j s n s' n' :
  tile a b parts -> (forall s n, In (s, n) parts -> (0 < n)%Z) ->
  In (s, n) parts -> In (s', n') parts -> (s <= j < s + n)%Z -> (s' <= j < s' + n')%Z -> (s, n) = (s', n').
Proof.
  revert a. induction parts as [|(s0, n0) rest IH]; intros a HT Hpos H H' Hj Hj'; [destruct H|].
  cbn [tile] in HT. destruct HT as (-> & HT).
  assert (Rest : forall s n, In (s, n) rest -> (0 < n)%Z) by (intros; eapply Hpos; right; eassumption).
  destruct H as [E | H], H' as [E' | H'].
  - congruence.
  - injection E as -> ->. pose proof (tile_from _ _ _ _ _ HT Rest H'). lia.
  - injection E' as -> ->. pose proof (tile_from _ _ _ _ _ HT Rest H). lia.
  - eapply IH; eassumption.
Qed.

(* Theorem S.13 (units). The circle of turns is cut into ranges of cells: every argument's turn is
   in exactly one of them, and the model's angle, which is `off` units from it at most, is in that
   range widened by as many: Theorem L.9 of docs/proofs/lattice3.md. *)
Theorem one_unit_each cells ranges turn per_cell angle off :
  tile 0 cells ranges -> (forall s n, In (s, n) ranges -> (0 < n)%Z) -> 0 <= turn < IZR cells -> 0 < per_cell ->
  Rabs (angle - turn * per_cell) <= off ->
  exists s n, In (s, n) ranges /\ (s <= Zfloor turn < s + n)%Z /\
    IZR s * per_cell - off <= angle <= IZR (s + n) * per_cell + off /\
    forall s' n', In (s', n') ranges -> (s' <= Zfloor turn < s' + n')%Z -> (s', n') = (s, n).
Proof.
  intros HT Hpos Hturn Hper Hoff.
  pose proof (Zfloor_lb turn) as L. pose proof (Zfloor_ub turn) as U.
  assert (Hc : (0 <= Zfloor turn < cells)%Z).
  { split; [apply Zfloor_lub; cbn; lra | apply lt_IZR; lra]. }
  destruct (tile_complete _ _ _ _ HT Hc) as (s & n & HI & Hs). exists s, n. split; [exact HI|]. split; [exact Hs|]. split.
  - apply Rabs_le_inv in Hoff.
    assert (IZR s <= turn) by (apply Rle_trans with (IZR (Zfloor turn)); [apply IZR_le; lia | exact L]).
    assert (turn <= IZR (s + n)).
    { apply Rle_trans with (IZR (Zfloor turn) + 1); [lra|]. rewrite <- plus_IZR. apply IZR_le. lia. }
    assert (IZR s * per_cell <= turn * per_cell) by (apply Rmult_le_compat_r; lra).
    assert (turn * per_cell <= IZR (s + n) * per_cell) by (apply Rmult_le_compat_r; lra). lra.
  - intros s' n' HI' Hs'. symmetry. eapply tile_once; eassumption.
Qed.

(* From an argument to its point. *)

(* Definition S.7. An argument is a point of a family: its result y is within delta of t, a result
   of the family (t is y itself where f is one, and not only nearly: Lemma L.25); t in units of its
   ulp is, but for its sign and an integer, what the segment has at the point, and `blur`. The
   period or the doubling of the function says so, and an enclosure: of the binade of results whose
   segment it is, or of one that is `more` binades below t's. *)
Record of_point emin prec kind eps (s : segment3) (du : R) (y t : R) (i a more : Z) (delta blur : R) : Prop := {
  result_positive : t <> 0;
  near_relative : Rabs (y - t) <= delta;
  relative_small : kind = Nearest -> delta <= unit_of emin prec y / 4;
  wider : (0 <= more)%Z;
  (* midpoints of a binade are none of those below *)
  wider_grid : kind = Nearest -> more = 0%Z;
  identity : exists sgn z, sign sgn /\
    Rabs (IZR (2 ^ more) * (scale kind / unit_of emin prec t * t) + shift kind -
      (IZR sgn * on_polynomial du s i a + IZR z)) <= blur;
  acc_holds : IZR (2 ^ more) * (scale kind * (eps + delta / unit_of emin prec t)) + blur <= acc3 s
}.

(* Theorem S.23 (binades together). What is near an integer in units of its own ulp is near one in
   those of a binade below, within as many times as much: Theorem L.10 of
   docs/proofs/lattice3.md. *)
Theorem near_below kind width x more :
  (0 <= more)%Z -> (kind = Nearest -> more = 0%Z) -> near width (x + shift kind) ->
  near (IZR (2 ^ more) * width) (IZR (2 ^ more) * x + shift kind).
Proof.
  intros Hmore Hkind (z & Hz). destruct kind.
  2: { rewrite (Hkind eq_refl). exists z. cbn [Z.pow]. rewrite !Rmult_1_l. exact Hz. }
  all: cbn [shift] in *; exists (2 ^ more * z)%Z; rewrite mult_IZR, !Rplus_0_r in *.
  all: replace (IZR (2 ^ more) * x - IZR (2 ^ more) * IZR z) with (IZR (2 ^ more) * (x - IZR z)) by ring.
  all: assert (Hp : 0 < IZR (2 ^ more)) by (apply IZR_lt; apply Z.pow_pos_nonneg; lia).
  all: rewrite Rabs_mult, (Rabs_pos_eq (IZR (2 ^ more))) by lra.
  all: apply Rmult_lt_compat_l; assumption.
Qed.

(* Theorem S.14 (family). Every HR-case that is a point of a family, in one of the windows, is a
   candidate. *)
Theorem family_complete emin prec kind eps alpha beta one du dv ic X s w candidate y t i a more delta blur :
  (1 < prec)%Z -> 0 < eps <= / 4 -> 0 < du -> 0 < dv -> IZR one * dv = 1 ->
  of_point emin prec kind eps s du y t i a more delta blur ->
  of_family alpha beta i a -> (Z.abs (i - ic) <= X)%Z -> in_window w a ->
  searched3 alpha beta one du dv ic X s w candidate ->
  hr_case emin prec kind eps y -> candidate i a.
Proof.
  intros Hprec He Hdu Hdv Hone HP Hf Hi Ha HS HC.
  apply (window_complete alpha beta one du dv ic X Hdu Hdv Hone s w candidate i a HS Hf Hi Ha).
  pose proof (perturbed_case emin prec Hprec kind eps delta y t He (result_positive _ _ _ _ _ _ _ _ _ _ _ _ _ HP)
                (near_relative _ _ _ _ _ _ _ _ _ _ _ _ _ HP) (relative_small _ _ _ _ _ _ _ _ _ _ _ _ _ HP) HC) as HN.
  destruct (identity _ _ _ _ _ _ _ _ _ _ _ _ _ HP) as (sgn & z & Hs & Hid).
  apply (near_below kind _ _ more (wider _ _ _ _ _ _ _ _ _ _ _ _ _ HP) (wider_grid _ _ _ _ _ _ _ _ _ _ _ _ _ HP)) in HN.
  pose proof (Composition.near_moved _ _ _ _ HN Hid) as HN'.
  assert (HN2 : near (IZR (2 ^ more) * (scale kind * (eps + delta / unit_of emin prec t)) + blur) (IZR sgn * on_polynomial du s i a)).
  { destruct HN' as (m & Hm). exists (m - z)%Z. rewrite minus_IZR.
    replace (IZR sgn * on_polynomial du s i a - (IZR m - IZR z)) with (IZR sgn * on_polynomial du s i a + IZR z - IZR m) by ring. exact Hm. }
  apply (near_signed _ sgn _ Hs) in HN2. destruct HN2 as (m & Hm). exists m.
  replace (IZR sgn * (IZR sgn * on_polynomial du s i a)) with (on_polynomial du s i a) in Hm
    by (destruct Hs as [-> | ->]; ring).
  pose proof (acc_holds _ _ _ _ _ _ _ _ _ _ _ _ _ HP). lra.
Qed.

(* Theorem S.15 (every argument is met). Of the unit that holds its turn the places, each of windows
   of one width, reach as far beyond the cells as the model's angle may be from the turn: an
   argument's point is in a window of that unit, and the unit is the only one. With Theorem S.14
   every HR-case of a family is a candidate in exactly one unit. *)
Theorem every_angle_met cells ranges (places : Z * Z -> list (Z * Z)) (count half : Z * Z -> Z) (lowest highest : Z * Z -> Z) turn per_cell a off :
  tile 0 cells ranges -> (forall s n, In (s, n) ranges -> (0 < n)%Z) -> 0 <= turn < IZR cells -> 0 < per_cell ->
  Rabs (IZR a - turn * per_cell) <= off ->
  (forall s n, In (s, n) ranges ->
     IZR (lowest (s, n)) <= IZR s * per_cell - off /\ IZR (s + n) * per_cell + off < IZR (highest (s, n)) /\
     tile (lowest (s, n)) (highest (s, n)) (places (s, n))) ->
  (forall range place, In range ranges -> In place (places range) -> (0 < half place /\ 0 < count place /\ snd place <= count place * (2 * half place))%Z) ->
  exists range place k, In range ranges /\ (fst range <= Zfloor turn < fst range + snd range)%Z /\
    In place (places range) /\ (0 <= k < count place)%Z /\
    (Z.abs (a - (fst place + k * (2 * half place) + half place)) <= half place)%Z /\
    forall other, In other ranges -> (fst other <= Zfloor turn < fst other + snd other)%Z -> other = range.
Proof.
  intros HT Hpos Hturn Hper Hoff Hreach Hwindows.
  destruct (one_unit_each cells ranges turn per_cell (IZR a) off HT Hpos Hturn Hper Hoff) as (s & n & HI & Hs & Hin & Honly).
  destruct (Hreach s n HI) as (Hlow & Hhigh & HP).
  assert (Ha : (lowest (s, n) <= a < highest (s, n))%Z) by (split; [apply le_IZR | apply lt_IZR]; lra).
  destruct (tile_complete _ _ _ _ HP Ha) as (start & m & HIp & Hm).
  destruct (Hwindows (s, n) (start, m) HI HIp) as (HW & Hc & Hcover). cbn [snd] in Hcover.
  destruct (windows_tile start (count (start, m)) (half (start, m)) a HW ltac:(lia) Hc) as (k & Hk & Hd).
  exists (s, n), (start, m), k. cbn [fst snd]. do 5 (split; [assumption|]).
  intros (s', n') HI' Hs'. apply Honly; assumption.
Qed.
