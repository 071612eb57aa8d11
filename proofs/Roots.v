(* Square roots by congruences, without a search.

   tmd-driver::congruence; docs/proofs/domain.md, "Square roots". A breakpoint M*2^s is next to the
   root of x = X*2^e only if M^2 - X*2^K is a small integer D: so all cases are among the roots of a
   few integers D modulo 2^K, which are a few residue classes.

   | name         | what it is                                                                          |
   |--------------|-------------------------------------------------------------------------------------|
   | emin, prec   | the format of results, as in Composition                                            |
   | x = X*2^e    | an argument                                                                         |
   | b            | results are from 2^b on and below 2^(b+1)                                           |
   | M*2^s        | a breakpoint; 2^(s+1) is the results' ulp                                           |
   | T, K         | b + 1 - s and e - 2*s: roots are below 2^T*2^s, congruences modulo 2^K              |
*)

Require Import ZArith Znumtheory Zpow_facts Reals Lia Lra Psatz.
From Flocq Require Import Core.Core.
Require Import TMD.Composition.
Open Scope Z_scope.

(* Squares and powers of two. *)

Lemma odd_has_no_twos n k : Z.odd n = true -> 0 < k -> ~ (2 ^ k | n).
Proof.
  intros Hn Hk (q & E). rewrite E in Hn. replace k with (1 + (k - 1)) in Hn by ring.
  rewrite Z.pow_add_r in Hn by lia. rewrite Z.odd_mul, Z.odd_mul in Hn.
  change (Z.odd (2 ^ 1)) with false in Hn. cbn in Hn. rewrite Bool.andb_false_r in Hn. discriminate.
Qed.

Lemma odd_square n : Z.odd n = true -> exists q, n * n = 8 * q + 1.
Proof.
  intros Hn. apply Z.odd_spec in Hn. destruct Hn as (t & ->).
  assert (E : exists q, t * (t + 1) = 2 * q).
  { destruct (Z.Even_or_Odd t) as [(q & ->) | (q & ->)]; [exists (q * (2 * q + 1)) | exists ((2 * q + 1) * (q + 1))]; ring. }
  destruct E as (q & E). exists q. lia.
Qed.

(* The factors 2 of a number: n = 2^j*m with an odd m. *)
Lemma twos_of n : n <> 0 -> exists j m, 0 <= j /\ Z.odd m = true /\ n = 2 ^ j * m.
Proof.
  intros N. remember (Z.abs_nat n) as a eqn:Ea. revert n N Ea.
  induction a as [a IH] using (well_founded_induction lt_wf). intros n N Ea.
  destruct (Z.odd n) eqn:P.
  - exists 0, n. split; [lia|]. split; [exact P|]. rewrite Z.pow_0_r. ring.
  - assert (Ev : Z.even n = true) by (rewrite <- Z.negb_odd, P; reflexivity).
    apply Z.even_spec in Ev. destruct Ev as (h & Eh).
    destruct (IH (Z.abs_nat h) ltac:(lia) h ltac:(lia) eq_refl) as (j & m & Hj & Hm & Em).
    exists (j + 1), m. split; [lia|]. split; [exact Hm|].
    rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2. rewrite Eh, Em. ring.
Qed.

Lemma power_divides j k m : Z.odd m = true -> 0 <= j -> 0 <= k -> (2 ^ k | 2 ^ j * m) -> k <= j.
Proof.
  intros Hm Hj Hk (q & E). apply Z.nlt_ge. intros L. apply (odd_has_no_twos m (k - j) Hm ltac:(lia)).
  exists q. apply (Z.mul_cancel_l _ _ (2 ^ j)); [apply Z.pow_nonzero; lia|].
  rewrite E. replace k with (j + (k - j)) at 1 by ring. rewrite Z.pow_add_r by lia. ring.
Qed.

(* Square roots modulo 2^k, of an integer that 2^k divides: multiples of 2^h, h being half of k,
   rounded up. The first part of M.24; the others follow. *)
Lemma roots_of_zero k d M :
  1 <= k -> (2 ^ k | d) -> ((2 ^ k | M * M - d) <-> (2 ^ ((k + 1) / 2) | M)).
Proof.
  intros Hk Hd. set (h := (k + 1) / 2).
  assert (Hh : k <= 2 * h <= k + 1) by (unfold h; pose proof (Z.div_mod (k + 1) 2 ltac:(lia)); pose proof (Z.mod_pos_bound (k + 1) 2 ltac:(lia)); lia).
  split.
  - intros H. assert (Hs : (2 ^ k | M * M)) by (replace (M * M) with (M * M - d + d) by ring; apply Z.divide_add_r; assumption).
    destruct (Z.eq_dec M 0) as [-> | N]; [apply Z.divide_0_r|].
    destruct (twos_of M N) as (j & m & Hj & Hm & Em).
    assert (Hmm : Z.odd (m * m) = true) by (rewrite Z.odd_mul, Hm; reflexivity).
    assert (L : k <= 2 * j).
    { apply (power_divides (2 * j) k (m * m) Hmm); [lia | lia|].
      replace (2 ^ (2 * j) * (m * m)) with (M * M); [exact Hs|].
      rewrite Em. replace (2 * j) with (j + j) by ring. rewrite Z.pow_add_r by lia. ring. }
    exists (2 ^ (j - h) * m). rewrite Em. replace j with ((j - h) + h) at 1 by ring.
    rewrite Z.pow_add_r by lia. ring.
  - intros (q & ->). apply Z.divide_sub_r; [|exact Hd].
    exists (q * q * 2 ^ (2 * h - k)). replace (q * 2 ^ h * (q * 2 ^ h)) with (q * q * (2 ^ h * 2 ^ h)) by ring.
    rewrite <- Z.pow_add_r by lia. replace (h + h) with ((2 * h - k) + k) by ring. rewrite Z.pow_add_r by lia. ring.
Qed.

(* Of an integer with v factors of 2, fewer than k: v is even, and what is left is a
   question about odd numbers. *)
Lemma roots_of_power k v d' M :
  0 <= v < k -> Z.odd d' = true ->
  ((2 ^ k | M * M - 2 ^ v * d') <->
   exists j n, v = 2 * j /\ M = 2 ^ j * n /\ Z.odd n = true /\ (2 ^ (k - v) | n * n - d')).
Proof.
  intros Hv Hd. split.
  - intros H. assert (N : M <> 0).
    { intros ->. replace (0 * 0 - 2 ^ v * d') with (- (2 ^ v * d')) in H by ring.
      apply Z.divide_opp_r in H. rewrite ?Z.opp_involutive in H. pose proof (power_divides v k d' Hd ltac:(lia) ltac:(lia) H). lia. }
    destruct (twos_of M N) as (j & n & Hj & Hn & En).
    assert (Hnn : Z.odd (n * n) = true) by (rewrite Z.odd_mul, Hn; reflexivity).
    assert (Es : M * M = 2 ^ (2 * j) * (n * n)).
    { rewrite En. replace (2 * j) with (j + j) by ring. rewrite Z.pow_add_r by lia. ring. }
    assert (Ev : v = 2 * j).
    { destruct (Z.lt_trichotomy v (2 * j)) as [L | [E | L]]; [exfalso | exact E | exfalso].
      - assert (V : (2 ^ (v + 1) | 2 ^ v * d')).
        { replace (2 ^ v * d') with (M * M - (M * M - 2 ^ v * d')) by ring. apply Z.divide_sub_r.
          - rewrite Es. exists (2 ^ (2 * j - (v + 1)) * (n * n)). replace (2 * j) with ((2 * j - (v + 1)) + (v + 1)) at 1 by ring.
            rewrite Z.pow_add_r by lia. ring.
          - apply Z.divide_trans with (2 ^ k); [|exact H]. exists (2 ^ (k - (v + 1))).
            rewrite <- Z.pow_add_r by lia. f_equal. ring. }
        pose proof (power_divides v (v + 1) d' Hd ltac:(lia) ltac:(lia) V). lia.
      - assert (V : (2 ^ v | 2 ^ (2 * j) * (n * n))).
        { rewrite <- Es. replace (M * M) with (M * M - 2 ^ v * d' + 2 ^ v * d') by ring. apply Z.divide_add_r.
          - apply Z.divide_trans with (2 ^ k); [|exact H]. exists (2 ^ (k - v)). rewrite <- Z.pow_add_r by lia. f_equal. ring.
          - exists d'. ring. }
        pose proof (power_divides (2 * j) v (n * n) Hnn ltac:(lia) ltac:(lia) V). lia. }
    exists j, n. split; [exact Ev|]. split; [exact En|]. split; [exact Hn|].
    destruct H as (q & E). exists q. apply (Z.mul_cancel_l _ _ (2 ^ v)); [apply Z.pow_nonzero; lia|].
    replace (2 ^ v * (n * n - d')) with (M * M - 2 ^ v * d') by (rewrite Es, <- Ev; ring).
    rewrite E. replace k with (v + (k - v)) at 1 by ring. rewrite Z.pow_add_r by lia. ring.
  - intros (j & n & -> & -> & Hn & (q & E)). exists q.
    replace (2 ^ j * n * (2 ^ j * n)) with (2 ^ (2 * j) * (n * n))
      by (replace (2 * j) with (j + j) by ring; rewrite Z.pow_add_r by lia; ring).
    replace (2 ^ (2 * j) * (n * n) - 2 ^ (2 * j) * d') with (2 ^ (2 * j) * (n * n - d')) by ring.
    rewrite E. replace (2 ^ k) with (2 ^ (2 * j) * 2 ^ (k - 2 * j)); [ring|].
    rewrite <- Z.pow_add_r by lia. f_equal. ring.
Qed.

(* Of odd numbers modulo 2 and 4. *)
Lemma odd_roots_of_few_bits k d n :
  k = 1 \/ k = 2 -> Z.odd d = true -> Z.odd n = true -> ((2 ^ k | n * n - d) <-> k = 1 \/ d mod 4 = 1).
Proof.
  intros Hk Hd Hn. destruct (odd_square n Hn) as (q & Eq). apply Z.odd_spec in Hd. destruct Hd as (h & ->).
  destruct Hk as [-> | ->].
  - split; [left; reflexivity|]. intros _. exists (4 * q - h). change (2 ^ 1) with 2. lia.
  - change (2 ^ 2) with 4. pose proof (Z.div_mod (2 * h + 1) 4 ltac:(lia)) as E. pose proof (Z.mod_pos_bound (2 * h + 1) 4 ltac:(lia)).
    split.
    + intros (c & Ec). right. lia.
    + intros [F | R]; [discriminate|]. rewrite R in E. exists (2 * q - (2 * h + 1) / 4). lia.
Qed.

Lemma odd_coprime k a : Z.odd a = true -> 0 <= k -> Z.gcd (2 ^ k) a = 1.
Proof.
  intros Ha Hk. apply Zgcd_1_rel_prime, rel_prime_sym, rel_prime_Zpower_r; [exact Hk|].
  apply rel_prime_sym, prime_rel_prime; [exact prime_2|]. intros (q & E). rewrite E, Z.odd_mul in Ha.
  change (Z.odd 2) with false in Ha. rewrite Bool.andb_false_r in Ha. discriminate.
Qed.

(* A root modulo 2^i is one modulo 2^(i+1), or it is so with 2^(i-1) added. *)
Lemma next_bit i d r :
  3 <= i -> Z.odd r = true -> (2 ^ i | r * r - d) ->
  (2 ^ (i + 1) | r * r - d) \/ (2 ^ (i + 1) | (r + 2 ^ (i - 1)) * (r + 2 ^ (i - 1)) - d).
Proof.
  intros Hi Hr (q & E).
  destruct (Z.Even_or_Odd q) as [(h & Eh) | (h & Eh)].
  - left. exists h. rewrite E, Eh, Z.pow_add_r by lia. change (2 ^ 1) with 2. ring.
  - right. apply Z.odd_spec in Hr. destruct Hr as (g & Eg).
    (* r^2 + 2^i*r + 2^(2i-2), and q + r is even *)
    exists (h + g + 1 + 2 ^ (i - 3)).
    assert (P1 : 2 ^ i = 2 * 2 ^ (i - 1)) by (replace i with (1 + (i - 1)) at 1 by ring; rewrite Z.pow_add_r by lia; reflexivity).
    assert (P2 : 2 ^ (i - 1) * 2 ^ (i - 1) = 2 ^ (i - 3) * 2 ^ (i + 1)).
    { rewrite <- !Z.pow_add_r by lia. f_equal. ring. }
    assert (P3 : 2 ^ (i + 1) = 2 * 2 ^ i) by (rewrite Z.pow_add_r by lia; change (2 ^ 1) with 2; ring).
    replace ((r + 2 ^ (i - 1)) * (r + 2 ^ (i - 1)) - d) with ((r * r - d) + 2 * 2 ^ (i - 1) * r + 2 ^ (i - 1) * 2 ^ (i - 1)) by ring.
    rewrite E, P2, <- P1, Eh, Eg, P3. ring.
Qed.

(* Of odd numbers modulo 2^k: there is a root of a number that is 1 modulo 8. *)
Lemma odd_root_exists k d : 3 <= k -> d mod 8 = 1 -> exists r, Z.odd r = true /\ (2 ^ k | r * r - d).
Proof.
  intros Hk Hd. replace k with (3 + (k - 3)) by ring.
  apply (natlike_ind (fun n => exists r, Z.odd r = true /\ (2 ^ (3 + n) | r * r - d))); [| |lia].
  - exists 1. split; [reflexivity|]. pose proof (Z.div_mod d 8 ltac:(lia)) as E. rewrite Hd in E.
    exists (- (d / 8)). change (2 ^ (3 + 0)) with 8. lia.
  - intros n Hn (r & Hr & H). replace (3 + Z.succ n) with (3 + n + 1) by lia.
    destruct (next_bit (3 + n) d r ltac:(lia) Hr H) as [G | G]; [exists r; split; assumption|].
    exists (r + 2 ^ (3 + n - 1)). split; [|exact G].
    rewrite Z.odd_add, Hr. replace (3 + n - 1) with (1 + (1 + n)) by ring. rewrite Z.pow_add_r by lia.
    rewrite Z.odd_mul. reflexivity.
Qed.

(* Lemma M.24 (square roots modulo 2^k), its last part. Of odd numbers that are not 1 modulo 8 there
   are none; all of them are one of them or its negative modulo 2^(k-1). *)
Theorem odd_roots k d r n :
  3 <= k -> Z.odd r = true -> (2 ^ k | r * r - d) -> Z.odd n = true ->
  d mod 8 = 1 /\ ((2 ^ k | n * n - d) <-> (2 ^ (k - 1) | n - r) \/ (2 ^ (k - 1) | n + r)).
Proof.
  intros Hk Hr Hd Hn.
  assert (Pk : 2 ^ k = 2 * 2 ^ (k - 1)) by (replace k with (1 + (k - 1)) at 1 by ring; rewrite Z.pow_add_r by lia; reflexivity).
  split.
  - destruct (odd_square r Hr) as (q & Eq). destruct Hd as (c & Ec).
    replace k with ((k - 3) + 3) in Ec by ring. rewrite Z.pow_add_r in Ec by lia. change (2 ^ 3) with 8 in Ec.
    replace d with (1 + (q - c * 2 ^ (k - 3)) * 8) by lia. rewrite Z_mod_plus_full. reflexivity.
  - assert (Same : (2 ^ k | n * n - d) <-> (2 ^ k | (n - r) * (n + r))).
    { split; intros H.
      - replace ((n - r) * (n + r)) with ((n * n - d) - (r * r - d)) by ring. apply Z.divide_sub_r; assumption.
      - replace (n * n - d) with ((n - r) * (n + r) + (r * r - d)) by ring. apply Z.divide_add_r; assumption. }
    rewrite Same. clear Same Hd.
    apply Z.odd_spec in Hr, Hn. destruct Hr as (g & ->), Hn as (h & ->).
    (* n - r = 2*(h - g), n + r = 2*(h + g + 1), and one of the two factors is odd *)
    assert (Drop : forall a x, Z.odd a = true -> (2 ^ k | 2 * x * (2 * a)) -> (2 ^ (k - 1) | 2 * x)).
    { intros a x Ha (c & Ec). apply Z.gauss with a.
      - exists c. rewrite Pk in Ec. lia.
      - apply odd_coprime; [exact Ha | lia]. }
    replace (2 * h + 1 - (2 * g + 1)) with (2 * (h - g)) by ring.
    replace (2 * h + 1 + (2 * g + 1)) with (2 * (h + g + 1)) by ring. split.
    + intros H. destruct (Z.odd (h - g)) eqn:P.
      * right. apply (Drop (h - g)); [exact P|]. rewrite (Z.mul_comm (2 * (h + g + 1))). exact H.
      * left. apply (Drop (h + g + 1)); [|exact H].
        replace (h + g + 1) with ((h - g) + (2 * g + 1)) by ring. rewrite Z.odd_add, P, Z.odd_add, Z.odd_mul. reflexivity.
    + intros [(c & Ec) | (c & Ec)].
      * exists (c * (h + g + 1)). rewrite Ec, Pk. ring.
      * exists (c * (h - g)). rewrite (Z.mul_comm (2 * (h - g))), Ec, Pk. ring.
Qed.

(* Cases. *)

Open Scope R_scope.

Section roots.

Variables emin prec : Z.
Hypothesis some_bits : (1 < prec)%Z.
Variable kind : breakpoints.
Variable eps : R.
Hypothesis eps_small : 0 < eps <= / 4.

(* Results are normal, from 2^b on, arguments have the spacing 2^e. *)
Variables b e : Z.
Hypothesis normal : (emin + prec <= b + 1)%Z.
Let s : Z := (b - prec)%Z.
Let T : Z := (b + 1 - s)%Z.
Let K : Z := (e - 2 * s)%Z.
Hypothesis some_modulus : (1 <= K)%Z.

(* Which M are breakpoints: numbers have an even one, midpoints an odd one. *)
Definition is_asked (M : Z) : Prop :=
  match kind with Directed => Z.even M = true | Nearest => Z.even M = false | All => True end.

Lemma power_next c : bpow radix2 (c + 1) = 2 * bpow radix2 c.
Proof. rewrite bpow_plus. cbn. lra. Qed.

Lemma mag_of_root y : bpow radix2 b <= y < bpow radix2 (b + 1) -> mag radix2 y = (b + 1)%Z :> Z.
Proof.
  intros (H0 & H1). pose proof (bpow_gt_0 radix2 b). apply mag_unique. rewrite Rabs_pos_eq by lra.
  replace (b + 1 - 1)%Z with b by ring. split; assumption.
Qed.

Lemma unit_of_root y : bpow radix2 b <= y < bpow radix2 (b + 1) -> unit_of emin prec y = 2 * bpow radix2 s.
Proof.
  intros H. rewrite <- power_next. unfold unit_of, cexp, FLT_exp. rewrite (mag_of_root y H). f_equal. unfold s. lia.
Qed.

Lemma top_power : bpow radix2 (b + 1) = IZR (2 ^ T) * bpow radix2 s.
Proof.
  change (2 ^ T)%Z with (Zpower radix2 T). rewrite IZR_Zpower by (unfold T, s; lia). rewrite <- bpow_plus. f_equal. unfold T. ring.
Qed.

(* M*2^s next to a result is not below 0, and not above 2^T*2^s. *)
Lemma multiple_is_small y M :
  bpow radix2 b <= y < bpow radix2 (b + 1) -> Rabs (y - IZR M * bpow radix2 s) < eps * (2 * bpow radix2 s) ->
  (0 <= M <= 2 ^ T)%Z.
Proof.
  intros (H0 & H1) H. pose proof (bpow_gt_0 radix2 b) as Pb. pose proof (bpow_gt_0 radix2 s) as Ps.
  assert (H2 : Rabs (y - IZR M * bpow radix2 s) < bpow radix2 s).
  { eapply Rlt_le_trans; [exact H|]. assert (eps * bpow radix2 s <= / 4 * bpow radix2 s) by (apply Rmult_le_compat_r; lra). lra. }
  apply Rabs_def2 in H2. destruct H2 as (H2 & H3). rewrite top_power in H1.
  split.
  - apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. apply Rmult_lt_reg_r with (bpow radix2 s); lra.
  - apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. apply Rmult_lt_reg_r with (bpow radix2 s); lra.
Qed.

(* The breakpoint of a case is a multiple of half an ulp. *)
Lemma breakpoint_of_root y :
  bpow radix2 b <= y < bpow radix2 (b + 1) -> hr_case emin prec kind eps y ->
  exists M, is_asked M /\ 0 < Rabs (y - IZR M * bpow radix2 s) < eps * (2 * bpow radix2 s).
Proof.
  intros Hy (N & p & Hp & Hd & Hn). rewrite (unit_of_root y Hy) in Hn.
  pose proof (bpow_gt_0 radix2 b) as Pb. pose proof (bpow_gt_0 radix2 s) as Ps.
  assert (Hq : Rabs (y - p) < bpow radix2 s / 2).
  { eapply Rlt_le_trans; [exact Hn|]. assert (eps * bpow radix2 s <= / 4 * bpow radix2 s) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Fine : number_or_midpoint emin prec p -> exists z, p = IZR z * bpow radix2 s).
  { intros H. assert (C : cexp radix2 (FLT_exp (emin - 1) (prec + 1)) y = s).
    { unfold cexp, FLT_exp. rewrite (mag_of_root y Hy). unfold s. lia. }
    rewrite <- C. apply own_grid; [unfold Prec_gt_0; lia | exact N | exact H |]. rewrite C. exact Hq. }
  unfold is_asked. destruct kind; cbn [is_breakpoint] in Hp.
  - assert (C : cexp radix2 (FLT_exp emin prec) y = (s + 1)%Z).
    { unfold cexp, FLT_exp. rewrite (mag_of_root y Hy). unfold s. lia. }
    destruct (own_grid emin prec y p ltac:(unfold Prec_gt_0; lia) N Hp) as (z & Ez); rewrite C in *.
    { rewrite power_next. lra. }
    exists (2 * z)%Z. split; [rewrite Z.even_mul; reflexivity|].
    replace (IZR (2 * z) * bpow radix2 s) with p by (rewrite Ez, power_next, mult_IZR; ring). split; assumption.
  - destruct Hp as (Hf & Hnot). destruct (Fine Hf) as (z & Ez). exists z. rewrite <- Ez. split; [|split; assumption].
    destruct (Z.even z) eqn:P; [exfalso|reflexivity]. apply Hnot.
    apply Z.even_spec in P. destruct P as (h & Eh).
    assert (B : (0 <= z <= 2 ^ T)%Z) by (apply (multiple_is_small y); [exact Hy | rewrite <- Ez; exact Hn]).
    replace p with (IZR h * bpow radix2 (s + 1)) by (rewrite Ez, Eh, power_next, mult_IZR; ring).
    apply small_multiple; [exact some_bits | | unfold s; lia].
    assert (ET : (2 ^ T = 2 * 2 ^ prec)%Z) by (replace T with (1 + prec)%Z by (unfold T, s; ring); rewrite Z.pow_add_r by lia; reflexivity).
    lia.
  - destruct (Fine Hp) as (z & Ez). exists z. rewrite <- Ez. split; [exact I | split; assumption].
Qed.

(* Lemma M.23 (remainders). *)
Theorem remainder_is_small x X M :
  0 < x -> x = IZR X * bpow radix2 e -> bpow radix2 b <= sqrt x < bpow radix2 (b + 1) ->
  Rabs (sqrt x - IZR M * bpow radix2 s) < eps * (2 * bpow radix2 s) ->
  let D := (M * M - X * 2 ^ K)%Z in
  (0 <= M)%Z /\ Rabs (IZR D) < eps * bpow radix2 (T + 2) /\ (D = 0%Z <-> sqrt x = IZR M * bpow radix2 s).
Proof.
  intros Px Ex Hr Hd D. set (y := IZR M * bpow radix2 s) in *.
  destruct (multiple_is_small (sqrt x) M Hr Hd) as (M0 & M1).
  pose proof (bpow_gt_0 radix2 s) as Ps. pose proof (bpow_gt_0 radix2 b) as Pb.
  assert (Y : 0 <= y <= bpow radix2 (b + 1)).
  { rewrite top_power. apply IZR_le in M0, M1. unfold y. split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]. }
  assert (E : y * y - x = IZR D * (bpow radix2 s * bpow radix2 s)).
  { unfold y, D. rewrite minus_IZR, !mult_IZR, Ex. change (2 ^ K)%Z with (Zpower radix2 K). rewrite IZR_Zpower by lia.
    assert (P : bpow radix2 K * (bpow radix2 s * bpow radix2 s) = bpow radix2 e) by (rewrite <- !bpow_plus; f_equal; unfold K; ring).
    rewrite <- P. ring. }
  assert (F : y * y - x = (y - sqrt x) * (y + sqrt x)).
  { pose proof (sqrt_sqrt x ltac:(lra)) as Q. rewrite <- Q at 1. ring. }
  split; [exact M0|]. split.
  - apply Rmult_lt_reg_r with (bpow radix2 s * bpow radix2 s); [apply Rmult_lt_0_compat; exact Ps|].
    replace (Rabs (IZR D) * (bpow radix2 s * bpow radix2 s)) with (Rabs (y * y - x))
      by (rewrite E, Rabs_mult, (Rabs_pos_eq (bpow radix2 s * bpow radix2 s)) by (apply Rmult_le_pos; lra); reflexivity).
    rewrite F, Rabs_mult, Rabs_minus_sym, (Rabs_pos_eq (y + sqrt x)) by lra.
    apply Rle_lt_trans with (Rabs (sqrt x - y) * (2 * bpow radix2 (b + 1))).
    + apply Rmult_le_compat_l; [apply Rabs_pos | lra].
    + apply Rlt_le_trans with (eps * (2 * bpow radix2 s) * (2 * bpow radix2 (b + 1))).
      * apply Rmult_lt_compat_r; [pose proof (bpow_gt_0 radix2 (b + 1)); lra | exact Hd].
      * right. assert (P : bpow radix2 (T + 2) * bpow radix2 s = 4 * bpow radix2 (b + 1)).
        { rewrite <- bpow_plus. replace (T + 2 + s)%Z with (b + 1 + 1 + 1)%Z by (unfold T; ring). rewrite !power_next. ring. }
        replace (eps * bpow radix2 (T + 2) * (bpow radix2 s * bpow radix2 s)) with (eps * (bpow radix2 (T + 2) * bpow radix2 s) * bpow radix2 s) by ring.
        rewrite P. ring.
  - split; intros H.
    + rewrite H, Rmult_0_l in E. rewrite F in E. apply Rmult_integral in E. destruct E as [E | E]; lra.
    + assert (Z0 : IZR D * (bpow radix2 s * bpow radix2 s) = 0) by (rewrite <- E, F, H; ring).
      apply Rmult_integral in Z0. destruct Z0 as [Z0 | Z0]; [apply eq_IZR; exact Z0|].
      pose proof (Rmult_lt_0_compat _ _ Ps Ps). lra.
Qed.

(* What is looked at for X, if arguments from X1 to X2 are: D is a remainder, and M one of its roots
   modulo 2^K. *)
Definition solution X X1 X2 M D : Prop :=
  (M * M = X * 2 ^ K + D)%Z /\ is_asked M /\ D <> 0%Z /\ Rabs (IZR D) < eps * bpow radix2 (T + 2) /\
  (2 ^ K | M * M - D)%Z /\ (Z.sqrt (X1 * 2 ^ K + D) <= M <= Z.sqrt (X2 * 2 ^ K + D))%Z.

(* Theorem M.25 (congruences). A case among the arguments from X1 to X2 has a solution. *)
Theorem root_has_remainder x X X1 X2 :
  0 < x -> x = IZR X * bpow radix2 e -> (X1 <= X <= X2)%Z -> bpow radix2 b <= sqrt x < bpow radix2 (b + 1) ->
  hr_case emin prec kind eps (sqrt x) ->
  exists M D, solution X X1 X2 M D.
Proof.
  intros Px Ex HX Hr HC. destruct (breakpoint_of_root (sqrt x) Hr HC) as (M & Ha & H0 & H1).
  destruct (remainder_is_small x X M Px Ex Hr H1) as (M0 & HD & HZ). cbn zeta in HD, HZ.
  set (D := (M * M - X * 2 ^ K)%Z) in *.
  assert (E : (M * M = X * 2 ^ K + D)%Z) by (unfold D; ring).
  assert (P2 : (0 < 2 ^ K)%Z) by (apply Z.pow_pos_nonneg; lia).
  exists M, D. split; [exact E|]. split; [exact Ha|]. split.
  { intros N. apply HZ in N. rewrite N, Rminus_diag_eq, Rabs_R0 in H0 by reflexivity. lra. }
  split; [exact HD|]. split; [exists X; lia|].
  assert (S : Z.sqrt (M * M) = M) by (apply Z.sqrt_square; exact M0).
  assert (L1 : (X1 * 2 ^ K <= X * 2 ^ K)%Z) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (L2 : (X * 2 ^ K <= X2 * 2 ^ K)%Z) by (apply Z.mul_le_mono_nonneg_r; lia).
  split.
  - apply Z.le_trans with (Z.sqrt (M * M)); [apply Z.sqrt_le_mono; lia | rewrite S; apply Z.le_refl].
  - apply Z.le_trans with (Z.sqrt (M * M)); [rewrite S; apply Z.le_refl | apply Z.sqrt_le_mono; lia].
Qed.

(* Exact cases, the rest of M.25: those of D = 0, of multiples M of 2^(K/2), rounded up, and so of
   numbers. *)
Lemma exact_roots x X M :
  0 < x -> x = IZR X * bpow radix2 e -> bpow radix2 b <= sqrt x < bpow radix2 (b + 1) ->
  sqrt x = IZR M * bpow radix2 s -> (M * M = X * 2 ^ K)%Z /\ (2 ^ ((K + 1) / 2) | M)%Z /\ Z.even M = true.
Proof.
  intros Px Ex Hr E.
  assert (Hd : Rabs (sqrt x - IZR M * bpow radix2 s) < eps * (2 * bpow radix2 s)).
  { rewrite E, Rminus_diag_eq, Rabs_R0 by reflexivity. pose proof (bpow_gt_0 radix2 s). apply Rmult_lt_0_compat; lra. }
  destruct (remainder_is_small x X M Px Ex Hr Hd) as (_ & _ & HZ). cbn zeta in HZ. apply HZ in E.
  assert (V : (2 ^ ((K + 1) / 2) | M)%Z).
  { apply (roots_of_zero K 0 M some_modulus (Z.divide_0_r _)). exists X. lia. }
  split; [lia|]. split; [exact V|].
  destruct V as (q & ->). assert (1 <= (K + 1) / 2)%Z by (apply Z.div_le_lower_bound; lia).
  replace ((K + 1) / 2)%Z with (1 + ((K + 1) / 2 - 1))%Z by ring. rewrite Z.pow_add_r by lia.
  rewrite !Z.even_mul. change (Z.even (2 ^ 1)) with true. cbn. apply Bool.orb_true_r.
Qed.

End roots.
