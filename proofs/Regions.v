(* Regions that are not searched as they are: known without a search, searched through an inverse
   function, sieved; and all kinds of regions of a certificate together.

   tmd-driver::{regions, inverse, search::sieve, coverage}; docs/proofs/domain.md. With a format's
   numbers (Composition), Taylor's theorem (Taylor) and what follows from where (Maps).

   | name         | what it is                                                                          |
   |--------------|-------------------------------------------------------------------------------------|
   | emin, prec   | the format of the results; ea, pa that of the arguments                              |
   | grid         | B of Definition M.10: the numbers, or the numbers and midpoints                      |
   | f, g         | the function, and its inverse                                                        |
   | x, y, b      | an argument, its result, and the breakpoint next to it                               |
   | U            | the ulp at b                                                                         |
   | spacing      | from an argument to the next                                                         |
*)

Require Import ZArith Reals Lia Lra Psatz List.
From Flocq Require Import Core.Core.
Require Import TMD.Existence TMD.Taylor TMD.Composition TMD.Maps.
Open Scope R_scope.

(* Numbers of any format next to a result. *)

(* On the own grid of y two numbers that are both nearer than half a unit are the same. *)
Lemma one_on_own_grid em pr y b z (Hpr : Prec_gt_0 pr) :
  y <> 0 -> generic_format radix2 (FLT_exp em pr) b -> generic_format radix2 (FLT_exp em pr) z ->
  Rabs (y - b) < bpow radix2 (cexp radix2 (FLT_exp em pr) y) / 2 ->
  Rabs (y - z) < bpow radix2 (cexp radix2 (FLT_exp em pr) y) / 2 -> z = b.
Proof.
  intros Hy Hb Hz Db Dz.
  destruct (own_grid em pr y b Hpr Hy Hb Db) as (k & Ek). destruct (own_grid em pr y z Hpr Hy Hz Dz) as (m & Em).
  set (w := bpow radix2 (cexp radix2 (FLT_exp em pr) y)) in *. assert (Hw : 0 < w) by apply bpow_gt_0.
  assert (D : Rabs (z - b) < w).
  { replace (z - b) with ((y - b) + - (y - z)) by ring. eapply Rle_lt_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  rewrite Ek, Em in *. replace (IZR m * w - IZR k * w) with (IZR (m - k) * w) in D by (rewrite minus_IZR; ring).
  rewrite Rabs_mult, (Rabs_pos_eq w) in D by lra.
  assert (L : Rabs (IZR (m - k)) < 1) by (apply Rmult_lt_reg_r with w; lra).
  rewrite <- abs_IZR in L. apply lt_IZR in L. replace m with k by lia. reflexivity.
Qed.

Lemma none_between em pr y b z (Hpr : Prec_gt_0 pr) :
  y <> 0 -> generic_format radix2 (FLT_exp em pr) b -> generic_format radix2 (FLT_exp em pr) z ->
  Rabs (y - b) < bpow radix2 (cexp radix2 (FLT_exp em pr) y) / 2 -> (z <= y -> z <= b) /\ (y <= z -> b <= z).
Proof.
  intros Hy Hb Hz Db. split; intros Hzy; apply Rnot_lt_le; intros L.
  - assert (Dz : Rabs (y - z) < bpow radix2 (cexp radix2 (FLT_exp em pr) y) / 2) by (rewrite Rabs_pos_eq in * by lra; lra).
    pose proof (one_on_own_grid em pr y b z Hpr Hy Hb Hz Db Dz). lra.
  - assert (Dz : Rabs (y - z) < bpow radix2 (cexp radix2 (FLT_exp em pr) y) / 2) by (rewrite Rabs_left1 in * by lra; lra).
    pose proof (one_on_own_grid em pr y b z Hpr Hy Hb Hz Db Dz). lra.
Qed.

(* A function that changes by at most G per unit. *)
Lemma changes_slowly g g' b r G :
  (forall z, Rabs (z - b) <= r -> derivable_pt_lim g z (g' z)) -> (forall z, Rabs (z - b) <= r -> Rabs (g' z) <= G) ->
  forall y, Rabs (y - b) <= r -> Rabs (g y - g b) <= G * Rabs (y - b).
Proof.
  intros Hd HG y Hy.
  assert (In : forall s, (y <= s <= b \/ b <= s <= y) -> Rabs (s - b) <= r).
  { intros s Hs. apply Rabs_le_inv in Hy. apply Rabs_le. lra. }
  destruct (Rtotal_order y b) as [L | [-> | L]].
  - destruct (MVT_cor2 g g' y b L) as (s & E & Hs); [intros s Hs; apply Hd, In; lra|].
    replace (g y - g b) with (g' s * (y - b)) by lra. rewrite Rabs_mult.
    apply Rmult_le_compat_r; [apply Rabs_pos | apply HG, In; lra].
  - rewrite !Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
  - destruct (MVT_cor2 g g' b y L) as (s & E & Hs); [intros s Hs; apply Hd, In; lra|].
    rewrite E, Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos | apply HG, In; lra].
Qed.

(* Theorem M.14 (errors of the sieve). Entries of tables are wrong by u/2 at most, a product is
   rounded by u/2 and the fused sum by u. A quotient is off by what its two parts are. *)
Theorem sieve_errors S C s c S' C' s' c' product sum u :
  S * S + C * C = 1 -> s * s + c * c = 1 -> 0 < u <= / 100 ->
  Rabs (S' - S) <= u / 2 -> Rabs (C' - C) <= u / 2 -> Rabs (s' - s) <= u / 2 -> Rabs (c' - c) <= u / 2 ->
  Rabs (product - C' * s') <= u / 2 -> Rabs (sum - (S' * c' + product)) <= u ->
  Rabs (sum - (S * c + C * s)) < 3 * u.
Proof.
  intros H1 H2 Hu DS DC Ds Dc Hp Hsum.
  assert (Norm : forall a b, a * a + b * b = 1 -> Rabs a + Rabs b <= 1415 / 1000).
  { clear. intros a b H. pose proof (Rabs_pos a). pose proof (Rabs_pos b).
    assert (Ea : Rabs a * Rabs a = a * a) by (rewrite <- Rabs_mult; apply Rabs_pos_eq; nra).
    assert (Eb : Rabs b * Rabs b = b * b) by (rewrite <- Rabs_mult; apply Rabs_pos_eq; nra).
    pose proof (pow2_ge_0 (Rabs a - Rabs b)). apply Rnot_lt_le. intros L. nra. }
  assert (Part : forall a b a' b', Rabs (a' - a) <= u / 2 -> Rabs (b' - b) <= u / 2 ->
            Rabs (a' * b' - a * b) <= (Rabs a + Rabs b) * (u / 2) + u / 2 * (u / 2)).
  { clear - Hu. intros a b a' b' Ha Hb.
    replace (a' * b' - a * b) with (a * (b' - b) + (b * (a' - a) + (a' - a) * (b' - b))) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_triang (b * (a' - a)) ((a' - a) * (b' - b))) as T. rewrite !Rabs_mult in *.
    pose proof (Rmult_le_compat_l (Rabs a) _ _ (Rabs_pos a) Hb). pose proof (Rmult_le_compat_l (Rabs b) _ _ (Rabs_pos b) Ha).
    pose proof (Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos _) Ha Hb). lra. }
  pose proof (Part S c S' c' DS Dc) as P1. pose proof (Part C s C' s' DC Ds) as P2.
  pose proof (Norm S C H1) as N1. pose proof (Norm s c H2) as N2.
  assert (Square : u / 2 * (u / 2) <= u / 400) by nra.
  assert (Sum : (Rabs S + Rabs c) * (u / 2) + (Rabs C + Rabs s) * (u / 2) <= 1415 / 1000 * u) by nra.
  replace (sum - (S * c + C * s)) with ((sum - (S' * c' + product)) + ((product - C' * s') + ((S' * c' - S * c) + (C' * s' - C * s)))) by ring.
  apply Rabs_le_inv in P1, P2, Hp, Hsum. apply Rabs_lt. lra.
Qed.

Corollary sieve_quotient s c s' c' :
  c <> 0 -> c' <> 0 -> Rabs (s' / c' - s / c) <= (Rabs (s' - s) + Rabs (s / c) * Rabs (c' - c)) / Rabs c'.
Proof.
  intros Hc Hc'. replace (s' / c' - s / c) with ((s' - s + - (s / c * (c' - c))) / c') by (field; split; assumption).
  unfold Rdiv at 1. rewrite Rabs_mult, Rabs_inv. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Rabs_pos_lt; exact Hc'|].
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, Rabs_mult. lra.
Qed.

Section format.

Variables emin prec : Z.
Hypothesis some_bits : (1 < prec)%Z.

Instance bits_positive : Prec_gt_0 prec.
Proof. unfold Prec_gt_0. lia. Qed.

Instance more_bits_positive : Prec_gt_0 (prec + 1).
Proof. unfold Prec_gt_0. lia. Qed.

Instance format_valid : Valid_exp (FLT_exp emin prec).
Proof. apply FLT_exp_valid. exact _. Qed.

Instance finer_valid : Valid_exp (FLT_exp (emin - 1) (prec + 1)).
Proof. apply FLT_exp_valid. exact _. Qed.

Lemma finer b : number emin prec b -> number_or_midpoint emin prec b.
Proof.
  intros Hb. destruct (FLT_format_generic radix2 emin prec b Hb) as [x Ex Hm He].
  apply generic_format_FLT. exists x; [exact Ex | | lia].
  eapply Z.lt_trans; [exact Hm|]. apply (Zpower_lt radix2); lia.
Qed.

Lemma finer_unit y : bpow radix2 (cexp radix2 (FLT_exp (emin - 1) (prec + 1)) y) = unit_of emin prec y / 2.
Proof.
  unfold unit_of. rewrite <- half_power. f_equal. unfold cexp, FLT_exp. lia.
Qed.

(* Known without a search. *)

(* Definition C.14. A gap: two neighbors among the numbers and midpoints, and a result strictly
   between them. *)
Definition gap (a b y : R) : Prop :=
  number_or_midpoint emin prec a /\ number_or_midpoint emin prec b /\ a < y < b /\
  forall z, number_or_midpoint emin prec z -> z <= a \/ b <= z.

(* the roundings: down, up, toward zero, away from it, and to nearest, whichever way ties go *)
Inductive rounds_alike : (R -> Z) -> Prop :=
  | down : rounds_alike Zfloor
  | up : rounds_alike Zceil
  | toward_zero : rounds_alike Ztrunc
  | away : rounds_alike Zaway
  | nearest choice : rounds_alike (Znearest choice).

Lemma gap_floor a b y y' : gap a b y -> gap a b y' ->
  round radix2 (FLT_exp emin prec) Zfloor y = round radix2 (FLT_exp emin prec) Zfloor y'.
Proof.
  intros (_ & _ & Hy & Hn) (_ & _ & Hy' & _).
  assert (H : forall u v, a < u < b -> a < v < b ->
            round radix2 (FLT_exp emin prec) Zfloor u <= round radix2 (FLT_exp emin prec) Zfloor v).
  { intros u v Hu Hv.
    destruct (round_DN_pt radix2 (FLT_exp emin prec) u) as (Fu & Lu & _). destruct (round_DN_pt radix2 (FLT_exp emin prec) v) as (_ & _ & Mv).
    apply Mv; [exact Fu|]. destruct (Hn _ (finer _ Fu)); lra. }
  apply Rle_antisym; apply H; assumption.
Qed.

Lemma gap_opposite a b y : gap a b y -> gap (- b) (- a) (- y).
Proof.
  intros (Ha & Hb & Hy & Hn). split; [apply generic_format_opp; exact Hb|]. split; [apply generic_format_opp; exact Ha|].
  split; [lra|]. intros z Hz. destruct (Hn (- z)); [apply generic_format_opp; exact Hz | right; lra | left; lra].
Qed.

Lemma gap_ceil a b y y' : gap a b y -> gap a b y' ->
  round radix2 (FLT_exp emin prec) Zceil y = round radix2 (FLT_exp emin prec) Zceil y'.
Proof.
  intros Hy Hy'. rewrite <- (Ropp_involutive y), <- (Ropp_involutive y'), !round_UP_opp. f_equal.
  apply (gap_floor (- b) (- a)); apply gap_opposite; assumption.
Qed.

(* Where a result is no number, its midpoint is one of the finer format. *)
Lemma midpoint_of y :
  ~ number emin prec y ->
  let d := round radix2 (FLT_exp emin prec) Zfloor y in
  let u := round radix2 (FLT_exp emin prec) Zceil y in
  d < y < u /\ number_or_midpoint emin prec ((d + u) / 2).
Proof.
  intros Hn d u.
  pose proof (round_UP_DN_ulp radix2 (FLT_exp emin prec) y Hn) as E. fold d u in E.
  destruct (round_DN_UP_lt radix2 (FLT_exp emin prec) y Hn) as (L1 & L2). fold d in L1. fold u in L2.
  split; [split; assumption|].
  assert (Ny : y <> 0) by (intros ->; apply Hn, generic_format_0).
  rewrite ulp_neq_0 in E by exact Ny. set (c := cexp radix2 (FLT_exp emin prec) y) in *.
  set (z := Zfloor (scaled_mantissa radix2 (FLT_exp emin prec) y)).
  assert (Ed : d = IZR z * bpow radix2 c) by reflexivity.
  replace ((d + u) / 2) with (IZR (2 * z + 1) * bpow radix2 (c - 1))
    by (rewrite half_power, E, Ed, plus_IZR, mult_IZR; field).
  apply small_multiple; [lia | | unfold c, cexp, FLT_exp; lia].
  assert (Hz : (- 2 ^ prec <= z < 2 ^ prec)%Z).
  { assert (HB : Rabs (scaled_mantissa radix2 (FLT_exp emin prec) y) < IZR (2 ^ prec)).
    { change (2 ^ prec)%Z with (Zpower radix2 prec). rewrite IZR_Zpower by lia. unfold scaled_mantissa. fold c.
      rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 (- c))) by apply bpow_ge_0.
      apply Rmult_lt_reg_r with (bpow radix2 c); [apply bpow_gt_0|].
      rewrite Rmult_assoc, <- bpow_plus, Z.add_opp_diag_l, Rmult_1_r, <- bpow_plus.
      eapply Rlt_le_trans; [apply bpow_mag_gt|]. apply bpow_le. unfold c, cexp, FLT_exp. lia. }
    apply Rabs_lt_inv in HB. pose proof (Zfloor_lb (scaled_mantissa radix2 (FLT_exp emin prec) y)) as F1.
    pose proof (Zfloor_ub (scaled_mantissa radix2 (FLT_exp emin prec) y)) as F2. fold z in F1, F2.
    split.
    - apply Z.lt_succ_r, lt_IZR. rewrite opp_IZR, succ_IZR. lra.
    - apply lt_IZR. lra. }
  rewrite Z.pow_add_r by lia. lia.
Qed.

(* Theorem M.1 (between). All results in a gap have the same rounding, in every mode: it is that of
   any number in it. *)
Theorem same_roundings a b y y' rnd :
  rounds_alike rnd -> gap a b y -> gap a b y' ->
  round radix2 (FLT_exp emin prec) rnd y = round radix2 (FLT_exp emin prec) rnd y'.
Proof.
  intros Hr Hy Hy'.
  assert (No : forall v, gap a b v -> ~ number_or_midpoint emin prec v).
  { intros v (_ & _ & Hv & Hn) H. destruct (Hn v H); lra. }
  assert (Sign : (0 < y /\ 0 < y') \/ (y < 0 /\ y' < 0)).
  { destruct Hy as (_ & _ & Hy & Hn), Hy' as (_ & _ & Hy' & _).
    destruct (Hn 0 (generic_format_0 _ _)); [left | right]; lra. }
  destruct Hr as [| | | | choice].
  - apply (gap_floor a b); assumption.
  - apply (gap_ceil a b); assumption.
  - destruct Sign as [(S & S') | (S & S')].
    + rewrite !round_ZR_DN by lra. apply (gap_floor a b); assumption.
    + rewrite !round_ZR_UP by lra. apply (gap_ceil a b); assumption.
  - destruct Sign as [(S & S') | (S & S')].
    + rewrite !round_AW_UP by lra. apply (gap_ceil a b); assumption.
    + rewrite !round_AW_DN by lra. apply (gap_floor a b); assumption.
  - pose proof (gap_floor a b y y' Hy Hy') as ED. pose proof (gap_ceil a b y y' Hy Hy') as EU.
    assert (Ny : ~ number emin prec y) by (intros H; apply (No y Hy), finer, H).
    destruct (midpoint_of y Ny) as (Hdu & Hm).
    set (d := round radix2 (FLT_exp emin prec) Zfloor y) in *. set (u := round radix2 (FLT_exp emin prec) Zceil y) in *.
    assert (Side : forall v, gap a b v -> (d + u) / 2 < v \/ v < (d + u) / 2).
    { intros v Hv. destruct (Rtotal_order v ((d + u) / 2)) as [L | [E | L]]; [right; lra | | left; lra].
      exfalso. apply (No v Hv). rewrite E. exact Hm. }
    assert (Same : (y < (d + u) / 2 /\ y' < (d + u) / 2) \/ ((d + u) / 2 < y /\ (d + u) / 2 < y')).
    { destruct Hy as (_ & _ & Hy & Hn), Hy' as (_ & _ & Hy' & _). destruct (Hn _ Hm); [right | left]; lra. }
    destruct Same as [(L & L') | (L & L')].
    + rewrite (round_N_eq_DN radix2 (FLT_exp emin prec) choice y), (round_N_eq_DN radix2 (FLT_exp emin prec) choice y');
        [exact ED | rewrite <- ED, <- EU; exact L' | exact L].
    + rewrite (round_N_eq_UP radix2 (FLT_exp emin prec) choice y), (round_N_eq_UP radix2 (FLT_exp emin prec) choice y');
        [exact EU | rewrite <- ED, <- EU; exact L' | exact L].
Qed.

(* How far the next number or midpoint is from one that is not 0. *)
Lemma next_to_breakpoint b z :
  b <> 0 -> number_or_midpoint emin prec b -> number_or_midpoint emin prec z -> z <> b ->
  unit_of emin prec b / 4 <= Rabs (z - b) /\ (Rabs b <= Rabs z -> unit_of emin prec b / 2 <= Rabs (z - b)).
Proof.
  intros Nb Hb Hz Nz.
  assert (Hw : 0 < unit_of emin prec b) by apply unit_positive.
  split.
  - apply Rnot_lt_le. intros L. apply Nz.
    apply (one_on_own_grid (emin - 1) (prec + 1) b b z); [exact _ | exact Nb | exact Hb | exact Hz | |].
    + rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. rewrite finer_unit. lra.
    + rewrite finer_unit, Rabs_minus_sym. lra.
  - intros Hbig. set (c := cexp radix2 (FLT_exp (emin - 1) (prec + 1)) b).
    destruct (multiple_of_number _ _ b c Hb ltac:(unfold c; lia)) as (k & Ek).
    destruct (multiple_of_number _ _ z c Hz) as (m & Em).
    { pose proof (mag_le_abs radix2 b z Nb Hbig). unfold c, cexp, FLT_exp. lia. }
    rewrite <- finer_unit. fold c. rewrite Ek, Em in Nz |- *.
    replace (IZR m * bpow radix2 c - IZR k * bpow radix2 c) with (IZR (m - k) * bpow radix2 c) by (rewrite minus_IZR; ring).
    rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 c)) by apply bpow_ge_0.
    rewrite <- (Rmult_1_l (bpow radix2 c)) at 1. apply Rmult_le_compat_r; [apply bpow_ge_0|].
    rewrite <- abs_IZR. apply IZR_le. assert (m <> k) by (intros ->; apply Nz; reflexivity). lia.
Qed.

(* The gaps next to a number or midpoint a, on either side. *)
Lemma gap_above a y :
  number_or_midpoint emin prec a -> a < y < succ radix2 (FLT_exp (emin - 1) (prec + 1)) a ->
  gap a (succ radix2 (FLT_exp (emin - 1) (prec + 1)) a) y.
Proof.
  intros Ha Hy. split; [exact Ha|]. split; [apply generic_format_succ; [exact _ | exact Ha]|]. split; [exact Hy|].
  intros z Hz. destruct (Rle_lt_dec z a) as [L | L]; [left; exact L | right].
  apply succ_le_lt; [exact _ | exact Ha | exact Hz | exact L].
Qed.

Lemma gap_below a y :
  number_or_midpoint emin prec a -> pred radix2 (FLT_exp (emin - 1) (prec + 1)) a < y < a ->
  gap (pred radix2 (FLT_exp (emin - 1) (prec + 1)) a) a y.
Proof.
  intros Ha Hy. split; [apply generic_format_pred; [exact _ | exact Ha]|]. split; [exact Ha|]. split; [exact Hy|].
  intros z Hz. destruct (Rle_lt_dec a z) as [L | L]; [right; exact L | left].
  apply pred_ge_gt; [exact _ | exact Hz | exact Ha | exact L].
Qed.

(* Theorem M.2 (beside). d k are the derivatives of f; those below n make the line l(x), what the
   next one adds has a sign and does not reach the next number or midpoint: f(x) is strictly between
   l(x), if that is a number or midpoint, and the next one on the side that the sign says. A quarter
   of the ulp of l(x) is enough, and half of it away from 0. *)
Theorem beside_a_line d n low high line x most :
  derivatives d n low high -> low <= 0 <= high -> low <= x <= high ->
  taylor d n 0 x = line -> number_or_midpoint emin prec line -> line <> 0 ->
  (forall xi, low <= xi <= high -> Rabs (d (S n) xi / INR (fact (S n))) <= most) ->
  most * Rabs x ^ S n < unit_of emin prec line / 4 \/
    (most * Rabs x ^ S n < unit_of emin prec line / 2 /\ Rabs line <= Rabs (d O x)) ->
  ((forall xi, low <= xi <= high -> 0 < d (S n) xi / INR (fact (S n)) * x ^ S n) ->
     gap line (succ radix2 (FLT_exp (emin - 1) (prec + 1)) line) (d O x)) /\
  ((forall xi, low <= xi <= high -> d (S n) xi / INR (fact (S n)) * x ^ S n < 0) ->
     gap (pred radix2 (FLT_exp (emin - 1) (prec + 1)) line) line (d O x)).
Proof.
  intros Hd H0 Hx Hline Hl Nl Hc Hfar.
  destruct (taylor_remainder d n low high 0 x Hd H0 Hx) as (xi & Hxi & E). rewrite Hline, Rminus_0_r in E.
  set (r := d (S n) xi / INR (fact (S n)) * x ^ S n) in *.
  assert (Hr : Rabs r <= most * Rabs x ^ S n).
  { unfold r. rewrite Rabs_mult, <- RPow_abs. apply Rmult_le_compat_r; [apply pow_le, Rabs_pos | apply Hc; exact Hxi]. }
  assert (Hw : 0 < unit_of emin prec line) by apply unit_positive.
  assert (Far : forall z, number_or_midpoint emin prec z -> z <> line -> (line < z /\ line < d O x) \/ (z < line /\ d O x < line) ->
            Rabs r < Rabs (z - line)).
  { intros z Hz Nz Hside. destruct (next_to_breakpoint line z Nl Hl Hz Nz) as (Quarter & Half).
    destruct Hfar as [F | (F & Hout)]; [lra|].
    destruct (Rle_lt_dec (Rabs line) (Rabs z)) as [L | L]; [specialize (Half L); lra|].
    (* z is on the side of 0, and f(x) is not *)
    destruct (Rtotal_order line 0) as [Neg | [Zero | Pos]]; [| contradiction |].
    - rewrite (Rabs_left line) in * by exact Neg.
      destruct Hside as [(Hs & Hs') | (Hs & Hs')]; [|exfalso; rewrite (Rabs_left z) in L; lra].
      destruct (Rle_lt_dec (d O x) 0) as [T | T]; [rewrite Rabs_left1 in Hout; lra|].
      exfalso. rewrite Rabs_pos_eq in Hout by lra.
      assert (Rabs r = r) by (apply Rabs_pos_eq; lra).
      assert (Hsmall : unit_of emin prec line <= - line * 2).
      { destruct (multiple_of_number _ _ line (cexp radix2 (FLT_exp (emin - 1) (prec + 1)) line) Hl ltac:(lia)) as (k & Ek).
        rewrite finer_unit in Ek. assert (k < 0)%Z.
        { apply lt_IZR. apply Rmult_lt_reg_r with (unit_of emin prec line / 2); [lra|]. rewrite <- Ek. lra. }
        assert (IZR k <= -1) by (apply IZR_le; lia). nra. }
      lra.
    - rewrite (Rabs_pos_eq line) in * by lra.
      destruct Hside as [(Hs & Hs') | (Hs & Hs')]; [exfalso; rewrite (Rabs_pos_eq z) in L; lra|].
      destruct (Rle_lt_dec 0 (d O x)) as [T | T]; [rewrite Rabs_pos_eq in Hout; lra|].
      exfalso. rewrite Rabs_left in Hout by lra.
      assert (Rabs r = - r) by (apply Rabs_left; lra).
      assert (Hsmall : unit_of emin prec line <= line * 2).
      { destruct (multiple_of_number _ _ line (cexp radix2 (FLT_exp (emin - 1) (prec + 1)) line) Hl ltac:(lia)) as (k & Ek).
        rewrite finer_unit in Ek. assert (0 < k)%Z.
        { apply lt_IZR. apply Rmult_lt_reg_r with (unit_of emin prec line / 2); [lra|]. rewrite <- Ek. lra. }
        assert (1 <= IZR k) by (apply IZR_le; lia). nra. }
      lra. }
  split; intros Hsign; specialize (Hsign xi Hxi); fold r in Hsign; [clear Hr Hfar Hc | clear Hr Hfar Hc].
  - apply gap_above; [exact Hl|]. split; [lra|].
    set (z := succ radix2 (FLT_exp (emin - 1) (prec + 1)) line) in *.
    assert (Hz : line < z) by (apply succ_gt_id; exact Nl).
    pose proof (Far z ltac:(apply generic_format_succ; [exact _ | exact Hl]) ltac:(lra) ltac:(left; lra)) as F.
    rewrite (Rabs_pos_eq r), (Rabs_pos_eq (z - line)) in F by lra. lra.
  - apply gap_below; [exact Hl|]. split; [|lra].
    set (z := pred radix2 (FLT_exp (emin - 1) (prec + 1)) line) in *.
    assert (Hz : z < line) by (apply pred_lt_id; exact Nl).
    pose proof (Far z ltac:(apply generic_format_pred; [exact _ | exact Hl]) ltac:(lra) ltac:(right; lra)) as F.
    rewrite (Rabs_left r), (Rabs_left (z - line)) in F by lra. lra.
Qed.


(* Lemma M.3 (other slopes). Multiples of 2^i/q and of 2^h are equal, or 2^min(i, h)/q apart: where
   the numbers and midpoints as near to l(x) as what is added are multiples of 2^h, and l(x) is none
   of them, f(x) is in the gap of l(x). *)
Theorem other_slopes a b line r q m i h :
  (0 < q)%Z -> line = IZR m * bpow radix2 i / IZR q -> gap a b line -> Rabs r < bpow radix2 (Z.min i h) / IZR q ->
  (forall z, number_or_midpoint emin prec z -> Rabs (z - line) <= Rabs r -> exists k, z = IZR k * bpow radix2 h) ->
  gap a b (line + r).
Proof.
  intros Hq Hline (Ha & Hb & Hin & Hn) Hr Hgrid. apply IZR_lt in Hq.
  assert (Whole : forall e, (Z.min i h <= e)%Z -> exists k, bpow radix2 e = IZR k * bpow radix2 (Z.min i h)).
  { intros e He. exists (2 ^ (e - Z.min i h))%Z. change (2 ^ (e - Z.min i h))%Z with (Zpower radix2 (e - Z.min i h)).
    rewrite IZR_Zpower by lia. rewrite <- bpow_plus. f_equal. ring. }
  destruct (Whole i ltac:(lia)) as (ki & Ei). destruct (Whole h ltac:(lia)) as (kh & Eh).
  assert (Far : forall z, number_or_midpoint emin prec z -> z <> line -> Rabs r < Rabs (z - line)).
  { intros z Hz Nz. apply Rnot_le_lt. intros L. destruct (Hgrid z Hz L) as (k & Ez).
    set (w := bpow radix2 (Z.min i h) / IZR q) in *.
    assert (Hw : 0 < w) by (apply Rdiv_lt_0_compat; [apply bpow_gt_0 | exact Hq]).
    assert (E : z - line = IZR (k * kh * q - m * ki) * w).
    { rewrite Ez, Hline, Ei, Eh, minus_IZR, !mult_IZR. unfold w. field. lra. }
    rewrite E, Rabs_mult, (Rabs_pos_eq w) in L by lra.
    assert (N0 : (k * kh * q - m * ki <> 0)%Z) by (intros Z; rewrite Z, Rmult_0_l in E; apply Nz; lra).
    assert (1 <= Rabs (IZR (k * kh * q - m * ki))) by (rewrite <- abs_IZR; apply IZR_le; lia).
    pose proof (Rmult_le_compat_r w _ _ ltac:(lra) H). lra. }
  pose proof (Far a Ha ltac:(lra)) as Fa. pose proof (Far b Hb ltac:(lra)) as Fb.
  rewrite (Rabs_left (a - line)) in Fa by lra. rewrite (Rabs_pos_eq (b - line)) in Fb by lra.
  pose proof (Rle_abs r). pose proof (Rle_abs (- r)) as R2. rewrite Rabs_Ropp in R2.
  split; [exact Ha|]. split; [exact Hb|]. split; [lra | exact Hn].
Qed.

(* Two results near each other. *)

(* Where their ulps differ, a power of two is between their sizes, a multiple of both ulps and a
   number. *)
Lemma power_between y t :
  y <> 0 -> t <> 0 -> unit_of emin prec y <> unit_of emin prec t ->
  exists e, (emin <= e)%Z /\ Rabs (Rabs y - bpow radix2 e) <= Rabs (y - t) /\ Rabs (Rabs t - bpow radix2 e) <= Rabs (y - t) /\
    (exists m, bpow radix2 e = IZR m * unit_of emin prec y) /\ (exists m, bpow radix2 e = IZR m * unit_of emin prec t).
Proof.
  assert (Less : forall y t, y <> 0 -> t <> 0 ->
            (cexp radix2 (FLT_exp emin prec) y < cexp radix2 (FLT_exp emin prec) t)%Z ->
            exists e, (emin <= e)%Z /\ Rabs y < bpow radix2 e <= Rabs t /\
              (cexp radix2 (FLT_exp emin prec) y <= e)%Z /\ (cexp radix2 (FLT_exp emin prec) t <= e)%Z).
  { clear y t. intros y t Hy Ht L. exists (mag radix2 t - 1)%Z. unfold cexp, FLT_exp in *. split; [lia|]. split; [|lia].
    split; [|apply bpow_mag_le; exact Ht]. eapply Rlt_le_trans; [apply bpow_mag_gt|]. apply bpow_le. lia. }
  assert (Multiple : forall z e, (cexp radix2 (FLT_exp emin prec) z <= e)%Z -> exists m, bpow radix2 e = IZR m * unit_of emin prec z).
  { clear. intros z e H. exists (2 ^ (e - cexp radix2 (FLT_exp emin prec) z))%Z.
    change (2 ^ (e - cexp radix2 (FLT_exp emin prec) z))%Z with (Zpower radix2 (e - cexp radix2 (FLT_exp emin prec) z)).
    rewrite IZR_Zpower by lia. unfold unit_of. rewrite <- bpow_plus. f_equal. ring. }
  intros Hy Ht N.
  assert (Nc : cexp radix2 (FLT_exp emin prec) y <> cexp radix2 (FLT_exp emin prec) t)
    by (intros E; apply N; unfold unit_of; rewrite E; reflexivity).
  pose proof (Rabs_triang_inv y t) as T1. pose proof (Rabs_triang_inv t y) as T2. rewrite (Rabs_minus_sym t y) in T2.
  destruct (Z.lt_gt_cases (cexp radix2 (FLT_exp emin prec) y) (cexp radix2 (FLT_exp emin prec) t)) as [H _].
  destruct (H Nc) as [L | L].
  - destruct (Less y t Hy Ht L) as (e & He & Hb & H1 & H2). exists e. split; [exact He|].
    split; [apply Rabs_le; lra|]. split; [apply Rabs_le; lra|]. split; apply Multiple; assumption.
  - destruct (Less t y Ht Hy L) as (e & He & Hb & H1 & H2). exists e. split; [exact He|].
    split; [apply Rabs_le; lra|]. split; [apply Rabs_le; lra|]. split; apply Multiple; assumption.
Qed.

Lemma signed_size t P : exists s, (s = 1 \/ s = -1) /\ Rabs (t - s * P) = Rabs (Rabs t - P).
Proof.
  destruct (Rle_lt_dec 0 t) as [H | H].
  - exists 1. rewrite (Rabs_pos_eq t) by exact H. split; [left; reflexivity | f_equal; ring].
  - exists (-1). rewrite (Rabs_left t) by exact H. split; [right; reflexivity|].
    replace (t - -1 * P) with (- (- t - P)) by ring. apply Rabs_Ropp.
Qed.

(* Results next to a midpoint are a quarter of their ulp away from all multiples of it. *)
Lemma far_from_multiples eps y m :
  eps <= / 4 -> hr_case emin prec Nearest eps y -> unit_of emin prec y / 4 < Rabs (y - IZR m * unit_of emin prec y).
Proof.
  intros He HC. destruct (case_near_integer emin prec some_bits Nearest eps y He HC) as (z & Hz). cbn [scale shift] in Hz.
  set (w := unit_of emin prec y) in *. assert (Hw : 0 < w) by apply unit_positive.
  assert (Q : / 4 < Rabs (1 / w * y - IZR m)).
  { assert (Hi : (z <= m)%Z \/ (m + 1 <= z)%Z) by lia. apply Rabs_lt_inv in Hz.
    destruct Hi as [Hi | Hi]; apply IZR_le in Hi; rewrite ?plus_IZR in Hi.
    - rewrite Rabs_left1; lra.
    - rewrite Rabs_pos_eq; lra. }
  replace (y - IZR m * w) with (w * (1 / w * y - IZR m)) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq w) by lra. pose proof (Rmult_lt_compat_l w _ _ Hw Q). lra.
Qed.

(* Theorem C.14 (perturbation). f's result y is within delta of g's: where it is near a breakpoint,
   g's is near an integer in the units of its own ulp, also where a power of two is between the two.
   See Lemma L.25 of docs/proofs/lattice3.md. *)
Theorem perturbed_case kind eps delta y t :
  0 < eps <= / 4 -> t <> 0 -> Rabs (y - t) <= delta -> (kind = Nearest -> delta <= unit_of emin prec y / 4) ->
  hr_case emin prec kind eps y ->
  near (scale kind * (eps + delta / unit_of emin prec t)) (scale kind / unit_of emin prec t * t + shift kind).
Proof.
  intros He Ht Hd Hn HC. pose proof HC as (Hy & _).
  assert (Hw : 0 < unit_of emin prec t) by apply unit_positive.
  assert (Hs : 0 < scale kind) by (destruct kind; cbn; lra).
  assert (D0 : 0 <= delta) by (eapply Rle_trans; [apply Rabs_pos | exact Hd]).
  destruct (Req_dec (unit_of emin prec y) (unit_of emin prec t)) as [E | N].
  - pose proof (case_near_integer emin prec some_bits kind eps y ltac:(lra) HC) as (z & Hz). rewrite E in Hz.
    rewrite Rmult_plus_distr_l. apply Composition.near_moved with (y := scale kind / unit_of emin prec t * y + shift kind); [exists z; exact Hz|].
    replace (scale kind / unit_of emin prec t * y + shift kind - (scale kind / unit_of emin prec t * t + shift kind))
      with (scale kind / unit_of emin prec t * (y - t)) by ring.
    rewrite Rabs_mult, Rabs_pos_eq by (apply Rlt_le, Rdiv_lt_0_compat; assumption).
    replace (scale kind * (delta / unit_of emin prec t)) with (scale kind / unit_of emin prec t * delta) by (field; lra).
    apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; assumption | exact Hd].
  - destruct (power_between y t Hy Ht N) as (e & _ & Dy & Dt & (my & Ey) & (mt & Et)).
    destruct (signed_size t (bpow radix2 e)) as (s & Hsign & Es). rewrite <- Es in Dt.
    destruct (signed_size y (bpow radix2 e)) as (s' & Hsign' & Es'). rewrite <- Es' in Dy.
    assert (Int : exists m, s * bpow radix2 e = IZR m * unit_of emin prec t).
    { destruct Hsign as [-> | ->]; [exists mt | exists (- mt)%Z; rewrite opp_IZR]; rewrite Et; ring. }
    destruct Int as (m & Em).
    assert (Near : Rabs (scale kind / unit_of emin prec t * t - scale kind * IZR m) <= scale kind * (delta / unit_of emin prec t)).
    { replace (scale kind / unit_of emin prec t * t - scale kind * IZR m)
        with (scale kind / unit_of emin prec t * (t - s * bpow radix2 e)) by (rewrite Em; field; lra).
      rewrite Rabs_mult, Rabs_pos_eq by (apply Rlt_le, Rdiv_lt_0_compat; assumption).
      replace (scale kind * (delta / unit_of emin prec t)) with (scale kind / unit_of emin prec t * delta) by (field; lra).
      apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; assumption | lra]. }
    destruct kind; cbn [scale shift] in *.
    + exists m. rewrite Rplus_0_r. replace (IZR m) with (1 * IZR m) by ring. lra.
    + exfalso. specialize (Hn eq_refl).
      assert (Int : exists k, s' * bpow radix2 e = IZR k * unit_of emin prec y).
      { destruct Hsign' as [-> | ->]; [exists my | exists (- my)%Z; rewrite opp_IZR]; rewrite Ey; ring. }
      destruct Int as (k & Ek). rewrite Ek in Dy.
      pose proof (far_from_multiples eps y k ltac:(lra) HC). lra.
    + exists (2 * m)%Z. rewrite Rplus_0_r, mult_IZR. lra.
Qed.

(* Theorem M.15 (the sieve loses no case). t is within bound of the result y. An argument is passed
   over where t is farther than that and eps from each breakpoint, in the ulps of t. *)
Theorem sieve_complete kind eps bound y t :
  0 < eps <= / 4 -> t <> 0 -> Rabs (y - t) <= bound -> (kind = Nearest -> bound <= unit_of emin prec t / 2) ->
  (forall b, is_breakpoint emin prec kind b -> eps * unit_of emin prec t + bound <= Rabs (t - b)) ->
  ~ hr_case emin prec kind eps y.
Proof.
  intros He Ht Hd Hn Hpass HC. pose proof HC as (Hy & b & Hb & Hyb).
  assert (Hwt : 0 < unit_of emin prec t) by apply unit_positive.
  assert (Hwy : 0 < unit_of emin prec y) by apply unit_positive.
  destruct (Rle_lt_dec (unit_of emin prec y) (unit_of emin prec t)) as [L | L].
  - specialize (Hpass b Hb). assert (eps * unit_of emin prec y <= eps * unit_of emin prec t) by (apply Rmult_le_compat_l; lra).
    assert (Rabs (t - b) <= Rabs (y - t) + Rabs (y - b)); [|lra].
    replace (t - b) with (- (y - t) + (y - b)) by ring. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
  - destruct (power_between y t Hy Ht ltac:(lra)) as (e & Hemin & Dy & Dt & (my & Ey) & _).
    destruct (signed_size t (bpow radix2 e)) as (s & Hsign & Es). rewrite <- Es in Dt.
    destruct (signed_size y (bpow radix2 e)) as (s' & Hsign' & Es'). rewrite <- Es' in Dy.
    assert (Num : number emin prec (s * bpow radix2 e)).
    { assert (Hp : number emin prec (bpow radix2 e)) by (apply generic_format_bpow; unfold FLT_exp; lia).
      destruct Hsign as [-> | ->]; [rewrite Rmult_1_l; exact Hp|].
      replace (-1 * bpow radix2 e) with (- bpow radix2 e) by ring. apply generic_format_opp. exact Hp. }
    assert (Power : is_breakpoint emin prec kind (s * bpow radix2 e) -> False).
    { intros H. specialize (Hpass _ H). assert (0 < eps * unit_of emin prec t) by (apply Rmult_lt_0_compat; lra). lra. }
    destruct kind; cbn [is_breakpoint] in *; [apply Power, Num | | apply Power, finer, Num].
    specialize (Hn eq_refl).
    assert (Twice : 2 * unit_of emin prec t <= unit_of emin prec y).
    { unfold unit_of in *. rewrite <- next_power. apply bpow_le. apply lt_bpow in L. lia. }
    assert (Int : exists k, s' * bpow radix2 e = IZR k * unit_of emin prec y).
    { destruct Hsign' as [-> | ->]; [exists my | exists (- my)%Z; rewrite opp_IZR]; rewrite Ey; ring. }
    destruct Int as (k & Ek). rewrite Ek in Dy.
    pose proof (far_from_multiples eps y k ltac:(lra) HC). lra.
Qed.

(* Inverse. *)

(* B of Definition M.10 *)
Definition grid (kind : breakpoints) (b : R) : Prop :=
  match kind with Directed => number emin prec b | _ => number_or_midpoint emin prec b end.

Definition ulp_at (b : R) : R := if Req_EM_T b 0 then bpow radix2 emin else unit_of emin prec b.

Lemma unit_at_least y : bpow radix2 emin <= unit_of emin prec y.
Proof. apply bpow_le. unfold cexp, FLT_exp. lia. Qed.

Lemma breakpoint_on_grid kind b : is_breakpoint emin prec kind b -> grid kind b.
Proof. destruct kind; cbn; tauto. Qed.

(* Theorem C.18 (hull). The breakpoint next to a result is between any numbers of B that the result
   is between, and its ulp is no smaller: steps 1 and 2 of the inverse's lemma. *)
Theorem breakpoint_in_hull kind eps y b :
  eps <= / 4 -> y <> 0 -> is_breakpoint emin prec kind b -> Rabs (y - b) < eps * unit_of emin prec y ->
  (forall z, grid kind z -> z <= y -> z <= b) /\ (forall z, grid kind z -> y <= z -> b <= z) /\
  unit_of emin prec y <= ulp_at b.
Proof.
  intros He Hy Hb Hd.
  assert (Hw : 0 < unit_of emin prec y) by apply unit_positive.
  assert (Hq : Rabs (y - b) < unit_of emin prec y / 4) by nra.
  assert (Near : forall z, grid kind z -> (z <= y -> z <= b) /\ (y <= z -> b <= z)).
  { intros z Hz. apply breakpoint_on_grid in Hb. destruct kind; cbn [grid] in *.
    - apply (none_between emin prec); [exact _ | exact Hy | exact Hb | exact Hz | fold (unit_of emin prec y); lra].
    - apply (none_between (emin - 1) (prec + 1)); [exact _ | exact Hy | exact Hb | exact Hz | rewrite finer_unit; lra].
    - apply (none_between (emin - 1) (prec + 1)); [exact _ | exact Hy | exact Hb | exact Hz | rewrite finer_unit; lra]. }
  split; [intros z Hz; apply Near; exact Hz|]. split; [intros z Hz; apply Near; exact Hz|].
  set (c := cexp radix2 (FLT_exp emin prec) y).
  destruct (Z.eq_dec c emin) as [E | N].
  { unfold ulp_at. replace (unit_of emin prec y) with (bpow radix2 emin) by (unfold unit_of; fold c; rewrite E; reflexivity).
    destruct (Req_EM_T b 0); [lra | apply unit_at_least]. }
  assert (Hc : c = (mag radix2 y - prec)%Z /\ (emin < c)%Z) by (unfold c, cexp, FLT_exp in *; lia).
  assert (Hone : forall s, s = 1 \/ s = -1 -> grid kind (s * bpow radix2 (mag radix2 y - 1))).
  { assert (H1 : number emin prec (bpow radix2 (mag radix2 y - 1))) by (apply generic_format_bpow; unfold FLT_exp; lia).
    assert (H2 : forall s, s = 1 \/ s = -1 -> number emin prec (s * bpow radix2 (mag radix2 y - 1))).
    { intros s [-> | ->]; [rewrite Rmult_1_l; exact H1|].
      replace (-1 * bpow radix2 (mag radix2 y - 1)) with (- bpow radix2 (mag radix2 y - 1)) by ring. apply generic_format_opp. exact H1. }
    intros s Hs. destruct kind; cbn [grid]; [apply H2; exact Hs | apply finer, H2; exact Hs | apply finer, H2; exact Hs]. }
  pose proof (bpow_mag_le radix2 y Hy) as Hlow. pose proof (bpow_gt_0 radix2 (mag radix2 y - 1)) as Hp.
  assert (Hbig : bpow radix2 (mag radix2 y - 1) <= Rabs b).
  { destruct (Rle_lt_dec 0 y) as [S | S].
    - rewrite (Rabs_pos_eq y) in Hlow by exact S. destruct (Near _ (Hone 1 (or_introl eq_refl))) as (U & _). rewrite Rmult_1_l in U.
      specialize (U Hlow). rewrite Rabs_pos_eq; lra.
    - rewrite (Rabs_left y) in Hlow by exact S. destruct (Near _ (Hone (-1) (or_intror eq_refl))) as (_ & U).
      assert (b <= -1 * bpow radix2 (mag radix2 y - 1)) by (apply U; lra). rewrite Rabs_left1; lra. }
  unfold ulp_at. destruct (Req_EM_T b 0) as [-> | Nb]; [rewrite Rabs_R0 in Hbig; lra|].
  apply bpow_le. pose proof (mag_ge_bpow radix2 b (mag radix2 y) Hbig). unfold cexp, FLT_exp. lia.
Qed.

End format.

(* Theorem M.11 (inverse). x is a number of the format of arguments (ea, pa), not 0, v the least ulp
   of these and of those next below |x| if that is a power of two; g is the inverse of f, and its
   derivative at most G as near to b as the case is. Then b is a case of g for results next to
   numbers, x is its breakpoint, and the multiple of any spacing s that is next to an enclosure of
   g(b) of an eighth of s or less. *)
Theorem inverse_case emin prec ea pa kind eps f g g' x b G v m' :
  (1 < prec)%Z -> (1 < pa)%Z -> 0 < eps <= / 4 -> 0 < m' <= / 4 ->
  number ea pa x -> x <> 0 -> 0 < v <= unit_of ea pa x ->
  (Rabs x = bpow radix2 (mag radix2 x - 1) -> v <= bpow radix2 (FLT_exp ea pa (mag radix2 x - 1))) ->
  is_breakpoint emin prec kind b -> 0 < Rabs (f x - b) < eps * unit_of emin prec (f x) -> f x <> 0 ->
  g (f x) = x -> f (g b) = b ->
  (forall z, Rabs (z - b) <= eps * ulp_at emin prec b -> derivable_pt_lim g z (g' z)) ->
  (forall z, Rabs (z - b) <= eps * ulp_at emin prec b -> Rabs (g' z) <= G) ->
  G * (eps * ulp_at emin prec b) <= m' * v ->
  hr_case ea pa Directed m' (g b) /\ Rabs (x - g b) <= m' * v /\
  (forall s, v <= s -> forall center z, Rabs (center - g b) <= s / 16 -> Rabs (IZR z * s - center) <= s / 2 ->
     forall k, x = IZR k * s -> z = k).
Proof.
  intros Hprec Hpa He Hm Hx Nx Hv Hpow Hb Hd Hy Hg Hf Hder HG Hsmall.
  assert (Pa : Prec_gt_0 pa) by (unfold Prec_gt_0; lia).
  destruct (breakpoint_in_hull emin prec Hprec kind eps (f x) b ltac:(lra) Hy Hb (proj2 Hd)) as (_ & _ & HU).
  set (U := ulp_at emin prec b) in *.
  assert (Hin : Rabs (f x - b) < eps * U).
  { eapply Rlt_le_trans; [apply Hd|]. apply Rmult_le_compat_l; lra. }
  pose proof (changes_slowly g g' b (eps * U) G Hder HG (f x) ltac:(lra)) as Hlip. rewrite Hg in Hlip.
  assert (HG0 : 0 <= G).
  { eapply Rle_trans; [apply Rabs_pos | apply (HG b)]. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity.
    eapply Rle_trans; [apply Rabs_pos | apply Rlt_le; exact Hin]. }
  assert (Hxt : Rabs (x - g b) <= m' * v).
  { eapply Rle_trans; [exact Hlip|]. eapply Rle_trans; [|exact Hsmall]. apply Rmult_le_compat_l; lra. }
  assert (Hstrict : Rabs (x - g b) < m' * v).
  { destruct (Req_dec G 0) as [-> | NG].
    - rewrite Rmult_0_l in Hlip. pose proof (Rmult_lt_0_compat m' v ltac:(lra) ltac:(lra)). lra.
    - eapply Rle_lt_trans; [exact Hlip|]. eapply Rlt_le_trans; [|exact Hsmall]. apply Rmult_lt_compat_l; lra. }
  assert (Hquarter : m' * v <= v / 4).
  { replace (v / 4) with (/ 4 * v) by field. apply Rmult_le_compat_r; lra. }
  set (t := g b) in *.
  assert (Nxt : x <> t) by (intros E; rewrite E, Hf, Rminus_diag_eq, Rabs_R0 in Hd by reflexivity; lra).
  (* x is a multiple of its ulp, so not smaller *)
  assert (Hux : unit_of ea pa x <= Rabs x).
  { destruct (multiple_of_number ea pa x (cexp radix2 (FLT_exp ea pa) x) Hx ltac:(lia)) as (k & Ek).
    fold (unit_of ea pa x) in Ek. assert (Hw : 0 < unit_of ea pa x) by apply unit_positive.
    rewrite Ek at 2. rewrite Rabs_mult, (Rabs_pos_eq (unit_of ea pa x)) by lra.
    rewrite <- (Rmult_1_l (unit_of ea pa x)) at 1. apply Rmult_le_compat_r; [lra|]. rewrite <- abs_IZR. apply IZR_le.
    assert (k <> 0%Z) by (intros ->; apply Nx; rewrite Ek; ring). lia. }
  assert (Ht : Rabs x - v / 4 < Rabs t).
  { pose proof (Rabs_triang_inv x t). lra. }
  assert (Nt : t <> 0) by (intros E; rewrite E, Rabs_R0 in Ht; lra).
  assert (Hut : v <= unit_of ea pa t).
  { destruct (Rle_lt_dec (bpow radix2 (mag radix2 x - 1)) (Rabs t)) as [L | L].
    - eapply Rle_trans; [apply Hv|]. apply bpow_le. pose proof (mag_ge_bpow radix2 t (mag radix2 x) L). unfold cexp, FLT_exp. lia.
    - pose proof (bpow_mag_le radix2 x Nx) as Lx.
      destruct (Req_dec (Rabs x) (bpow radix2 (mag radix2 x - 1))) as [E | N].
      + eapply Rle_trans; [apply Hpow; exact E|]. apply bpow_le.
        assert (Hhalf : bpow radix2 (mag radix2 x - 1 - 1) <= Rabs t) by (rewrite half_power, <- E; lra).
        pose proof (mag_ge_bpow radix2 t (mag radix2 x - 1) Hhalf). unfold cexp, FLT_exp. lia.
      + exfalso. destruct (Z.le_gt_cases (cexp radix2 (FLT_exp ea pa) x) (mag radix2 x - 1)) as [C | C].
        2:{ assert (bpow radix2 (mag radix2 x) <= unit_of ea pa x) by (apply bpow_le; lia).
            pose proof (bpow_mag_gt radix2 x). lra. }
        assert (F : generic_format radix2 (FLT_exp ea pa) (bpow radix2 (mag radix2 x - 1))).
        { apply generic_format_bpow. unfold cexp, FLT_exp in *. lia. }
        assert (M1 : exists k, Rabs x = IZR k * unit_of ea pa x).
        { apply multiple_of_number with (em := ea) (pr := pa); [apply generic_format_abs; exact Hx | rewrite cexp_abs; lia]. }
        assert (M2 : exists k, bpow radix2 (mag radix2 x - 1) = IZR k * unit_of ea pa x).
        { exists (2 ^ (mag radix2 x - 1 - cexp radix2 (FLT_exp ea pa) x))%Z.
          change (2 ^ (mag radix2 x - 1 - cexp radix2 (FLT_exp ea pa) x))%Z with (Zpower radix2 (mag radix2 x - 1 - cexp radix2 (FLT_exp ea pa) x)).
          rewrite IZR_Zpower by lia. unfold unit_of. rewrite <- bpow_plus. f_equal. ring. }
        destruct M1 as (k1 & E1). destruct M2 as (k2 & E2). assert (Hw : 0 < unit_of ea pa x) by apply unit_positive.
        assert (Hk : (k2 < k1)%Z) by (apply lt_IZR; apply Rmult_lt_reg_r with (unit_of ea pa x); [exact Hw | lra]).
        assert (IZR k2 + 1 <= IZR k1) by (rewrite <- plus_IZR; apply IZR_le; lia).
        assert ((IZR k2 + 1) * unit_of ea pa x <= IZR k1 * unit_of ea pa x) by (apply Rmult_le_compat_r; lra). lra. }
  split; [|split; [exact Hxt|]].
  - split; [exact Nt|]. exists x. split; [exact Hx|]. rewrite Rabs_minus_sym. split; [apply Rabs_pos_lt; lra|].
    eapply Rlt_le_trans; [exact Hstrict|]. apply Rmult_le_compat_l; lra.
  - intros s Hs center z Hc Hz k Hk.
    assert (D : Rabs (IZR z * s - IZR k * s) < s).
    { rewrite <- Hk. replace (IZR z * s - x) with ((IZR z * s - center) + (center - t) + - (x - t)) by ring.
      eapply Rle_lt_trans; [apply Rabs_triang|]. pose proof (Rabs_triang (IZR z * s - center) (center - t)). rewrite Rabs_Ropp. lra. }
    replace (IZR z * s - IZR k * s) with (IZR (z - k) * s) in D by (rewrite minus_IZR; ring).
    rewrite Rabs_mult, (Rabs_pos_eq s) in D by lra.
    assert (L : Rabs (IZR (z - k)) < 1) by (apply Rmult_lt_reg_r with s; lra).
    rewrite <- abs_IZR in L. apply lt_IZR in L. lia.
Qed.

(* Theorem M.22 (lists). x is in the hull of what g makes of the numbers that are as near to b as
   the case is. *)
Theorem inverse_listed emin prec kind eps f g x b low high :
  (1 < prec)%Z -> 0 < eps <= / 4 -> is_breakpoint emin prec kind b -> Rabs (f x - b) < eps * unit_of emin prec (f x) -> f x <> 0 ->
  g (f x) = x -> (forall z, Rabs (z - b) <= eps * ulp_at emin prec b -> low <= g z <= high) -> low <= x <= high.
Proof.
  intros Hprec He Hb Hd Hy Hg Hhull.
  destruct (breakpoint_in_hull emin prec Hprec kind eps (f x) b ltac:(lra) Hy Hb Hd) as (_ & _ & HU).
  rewrite <- Hg. apply Hhull. eapply Rle_trans; [apply Rlt_le; exact Hd|]. apply Rmult_le_compat_l; lra.
Qed.
