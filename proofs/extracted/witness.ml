
type bool =
| True
| False

type nat =
| O
| S of nat

type 'a option =
| Some of 'a
| None

type ('a, 'b) prod =
| Pair of 'a * 'b

type 'a list =
| Nil
| Cons of 'a * 'a list

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | Nil -> m
  | Cons (a, l1) -> Cons (a, (app l1 m))

type comparison =
| Eq
| Lt
| Gt

(** val compOpp : comparison -> comparison **)

let compOpp = function
| Eq -> Eq
| Lt -> Gt
| Gt -> Lt

module Coq__1 = struct
 (** val add : nat -> nat -> nat **)
 let rec add n m =
   match n with
   | O -> m
   | S p0 -> S (add p0 m)
end
include Coq__1

type positive =
| XI of positive
| XO of positive
| XH

type z =
| Z0
| Zpos of positive
| Zneg of positive

module Pos =
 struct
  (** val succ : positive -> positive **)

  let rec succ = function
  | XI p0 -> XO (succ p0)
  | XO p0 -> XI p0
  | XH -> XO XH

  (** val add : positive -> positive -> positive **)

  let rec add x y =
    match x with
    | XI p0 ->
      (match y with
       | XI q0 -> XO (add_carry p0 q0)
       | XO q0 -> XI (add p0 q0)
       | XH -> XO (succ p0))
    | XO p0 ->
      (match y with
       | XI q0 -> XI (add p0 q0)
       | XO q0 -> XO (add p0 q0)
       | XH -> XI p0)
    | XH -> (match y with
             | XI q0 -> XO (succ q0)
             | XO q0 -> XI q0
             | XH -> XO XH)

  (** val add_carry : positive -> positive -> positive **)

  and add_carry x y =
    match x with
    | XI p0 ->
      (match y with
       | XI q0 -> XI (add_carry p0 q0)
       | XO q0 -> XO (add_carry p0 q0)
       | XH -> XI (succ p0))
    | XO p0 ->
      (match y with
       | XI q0 -> XO (add_carry p0 q0)
       | XO q0 -> XI (add p0 q0)
       | XH -> XO (succ p0))
    | XH ->
      (match y with
       | XI q0 -> XI (succ q0)
       | XO q0 -> XO (succ q0)
       | XH -> XI XH)

  (** val pred_double : positive -> positive **)

  let rec pred_double = function
  | XI p0 -> XI (XO p0)
  | XO p0 -> XI (pred_double p0)
  | XH -> XH

  (** val mul : positive -> positive -> positive **)

  let rec mul x y =
    match x with
    | XI p0 -> add y (XO (mul p0 y))
    | XO p0 -> XO (mul p0 y)
    | XH -> y

  (** val compare_cont : comparison -> positive -> positive -> comparison **)

  let rec compare_cont r x y =
    match x with
    | XI p0 ->
      (match y with
       | XI q0 -> compare_cont r p0 q0
       | XO q0 -> compare_cont Gt p0 q0
       | XH -> Gt)
    | XO p0 ->
      (match y with
       | XI q0 -> compare_cont Lt p0 q0
       | XO q0 -> compare_cont r p0 q0
       | XH -> Gt)
    | XH -> (match y with
             | XH -> r
             | _ -> Lt)

  (** val compare : positive -> positive -> comparison **)

  let compare =
    compare_cont Eq

  (** val eqb : positive -> positive -> bool **)

  let rec eqb p0 q0 =
    match p0 with
    | XI p1 -> (match q0 with
                | XI q1 -> eqb p1 q1
                | _ -> False)
    | XO p1 -> (match q0 with
                | XO q1 -> eqb p1 q1
                | _ -> False)
    | XH -> (match q0 with
             | XH -> True
             | _ -> False)

  (** val iter_op : ('a1 -> 'a1 -> 'a1) -> positive -> 'a1 -> 'a1 **)

  let rec iter_op op p0 a =
    match p0 with
    | XI p1 -> op a (iter_op op p1 (op a a))
    | XO p1 -> iter_op op p1 (op a a)
    | XH -> a

  (** val to_nat : positive -> nat **)

  let to_nat x =
    iter_op Coq__1.add x (S O)
 end

module Z =
 struct
  (** val double : z -> z **)

  let double = function
  | Z0 -> Z0
  | Zpos p0 -> Zpos (XO p0)
  | Zneg p0 -> Zneg (XO p0)

  (** val succ_double : z -> z **)

  let succ_double = function
  | Z0 -> Zpos XH
  | Zpos p0 -> Zpos (XI p0)
  | Zneg p0 -> Zneg (Pos.pred_double p0)

  (** val pred_double : z -> z **)

  let pred_double = function
  | Z0 -> Zneg XH
  | Zpos p0 -> Zpos (Pos.pred_double p0)
  | Zneg p0 -> Zneg (XI p0)

  (** val pos_sub : positive -> positive -> z **)

  let rec pos_sub x y =
    match x with
    | XI p0 ->
      (match y with
       | XI q0 -> double (pos_sub p0 q0)
       | XO q0 -> succ_double (pos_sub p0 q0)
       | XH -> Zpos (XO p0))
    | XO p0 ->
      (match y with
       | XI q0 -> pred_double (pos_sub p0 q0)
       | XO q0 -> double (pos_sub p0 q0)
       | XH -> Zpos (Pos.pred_double p0))
    | XH ->
      (match y with
       | XI q0 -> Zneg (XO q0)
       | XO q0 -> Zneg (Pos.pred_double q0)
       | XH -> Z0)

  (** val add : z -> z -> z **)

  let add x y =
    match x with
    | Z0 -> y
    | Zpos x' ->
      (match y with
       | Z0 -> x
       | Zpos y' -> Zpos (Pos.add x' y')
       | Zneg y' -> pos_sub x' y')
    | Zneg x' ->
      (match y with
       | Z0 -> x
       | Zpos y' -> pos_sub y' x'
       | Zneg y' -> Zneg (Pos.add x' y'))

  (** val opp : z -> z **)

  let opp = function
  | Z0 -> Z0
  | Zpos x0 -> Zneg x0
  | Zneg x0 -> Zpos x0

  (** val sub : z -> z -> z **)

  let sub m n =
    add m (opp n)

  (** val mul : z -> z -> z **)

  let mul x y =
    match x with
    | Z0 -> Z0
    | Zpos x' ->
      (match y with
       | Z0 -> Z0
       | Zpos y' -> Zpos (Pos.mul x' y')
       | Zneg y' -> Zneg (Pos.mul x' y'))
    | Zneg x' ->
      (match y with
       | Z0 -> Z0
       | Zpos y' -> Zneg (Pos.mul x' y')
       | Zneg y' -> Zpos (Pos.mul x' y'))

  (** val compare : z -> z -> comparison **)

  let compare x y =
    match x with
    | Z0 -> (match y with
             | Z0 -> Eq
             | Zpos _ -> Lt
             | Zneg _ -> Gt)
    | Zpos x' -> (match y with
                  | Zpos y' -> Pos.compare x' y'
                  | _ -> Gt)
    | Zneg x' ->
      (match y with
       | Zneg y' -> compOpp (Pos.compare x' y')
       | _ -> Lt)

  (** val sgn : z -> z **)

  let sgn = function
  | Z0 -> Z0
  | Zpos _ -> Zpos XH
  | Zneg _ -> Zneg XH

  (** val leb : z -> z -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> False
    | _ -> True

  (** val ltb : z -> z -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> True
    | _ -> False

  (** val eqb : z -> z -> bool **)

  let eqb x y =
    match x with
    | Z0 -> (match y with
             | Z0 -> True
             | _ -> False)
    | Zpos p0 -> (match y with
                  | Zpos q0 -> Pos.eqb p0 q0
                  | _ -> False)
    | Zneg p0 -> (match y with
                  | Zneg q0 -> Pos.eqb p0 q0
                  | _ -> False)

  (** val max : z -> z -> z **)

  let max n m =
    match compare n m with
    | Lt -> m
    | _ -> n

  (** val min : z -> z -> z **)

  let min n m =
    match compare n m with
    | Gt -> m
    | _ -> n

  (** val abs : z -> z **)

  let abs = function
  | Zneg p0 -> Zpos p0
  | x -> x

  (** val to_nat : z -> nat **)

  let to_nat = function
  | Zpos p0 -> Pos.to_nat p0
  | _ -> O

  (** val pos_div_eucl : positive -> z -> (z, z) prod **)

  let rec pos_div_eucl a b =
    match a with
    | XI a' ->
      let Pair (q0, r) = pos_div_eucl a' b in
      let r' = add (mul (Zpos (XO XH)) r) (Zpos XH) in
      (match ltb r' b with
       | True -> Pair ((mul (Zpos (XO XH)) q0), r')
       | False -> Pair ((add (mul (Zpos (XO XH)) q0) (Zpos XH)), (sub r' b)))
    | XO a' ->
      let Pair (q0, r) = pos_div_eucl a' b in
      let r' = mul (Zpos (XO XH)) r in
      (match ltb r' b with
       | True -> Pair ((mul (Zpos (XO XH)) q0), r')
       | False -> Pair ((add (mul (Zpos (XO XH)) q0) (Zpos XH)), (sub r' b)))
    | XH ->
      (match leb (Zpos (XO XH)) b with
       | True -> Pair (Z0, (Zpos XH))
       | False -> Pair ((Zpos XH), Z0))

  (** val div_eucl : z -> z -> (z, z) prod **)

  let div_eucl a b =
    match a with
    | Z0 -> Pair (Z0, Z0)
    | Zpos a' ->
      (match b with
       | Z0 -> Pair (Z0, a)
       | Zpos _ -> pos_div_eucl a' b
       | Zneg b' ->
         let Pair (q0, r) = pos_div_eucl a' (Zpos b') in
         (match r with
          | Z0 -> Pair ((opp q0), Z0)
          | _ -> Pair ((opp (add q0 (Zpos XH))), (add b r))))
    | Zneg a' ->
      (match b with
       | Z0 -> Pair (Z0, a)
       | Zpos _ ->
         let Pair (q0, r) = pos_div_eucl a' b in
         (match r with
          | Z0 -> Pair ((opp q0), Z0)
          | _ -> Pair ((opp (add q0 (Zpos XH))), (sub b r)))
       | Zneg b' ->
         let Pair (q0, r) = pos_div_eucl a' (Zpos b') in Pair (q0, (opp r)))

  (** val div : z -> z -> z **)

  let div a b =
    let Pair (q0, _) = div_eucl a b in q0

  (** val modulo : z -> z -> z **)

  let modulo a b =
    let Pair (_, r) = div_eucl a b in r
 end

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| Nil -> Nil
| Cons (a, t) -> Cons ((f a), (map f t))

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| Nil -> Nil
| Cons (x, l0) ->
  (match f x with
   | True -> Cons (x, (filter f l0))
   | False -> filter f l0)

type basis = { u : z; v : z; p : z; q : z; m1 : z; m2 : z }

(** val spread : z -> z -> basis -> z **)

let spread x h b =
  Z.add (Z.mul (Z.abs b.p) x) (Z.mul (Z.abs b.u) h)

(** val ceil_div : z -> z -> z **)

let ceil_div a b =
  Z.opp (Z.div (Z.opp a) b)

(** val eval : z list -> z -> z **)

let rec eval cs x =
  match cs with
  | Nil -> Z0
  | Cons (c, rest) -> Z.add c (Z.mul x (eval rest x))

(** val times : z -> z -> z list -> z list **)

let rec times y c = function
| Nil -> Cons (c, Nil)
| Cons (s0, rest) -> Cons ((Z.add c (Z.mul y s0)), (times y s0 rest))

(** val shift : z list -> z -> z list **)

let rec shift cs y =
  match cs with
  | Nil -> Nil
  | Cons (c, rest) -> times y c (shift rest y)

(** val most : z list -> z -> z **)

let rec most cs x =
  match cs with
  | Nil -> Z0
  | Cons (c, rest) -> Z.add (Z.abs c) (Z.mul x (most rest x))

(** val count_from : z -> nat -> z list **)

let rec count_from a = function
| O -> Nil
| S n0 -> Cons (a, (count_from (Z.add a (Zpos XH)) n0))

(** val range : z -> z -> z list **)

let range a b =
  count_from a (Z.to_nat (Z.sub (Z.add b (Zpos XH)) a))

(** val is_near : z -> z -> z -> bool **)

let is_near d w y =
  let r = Z.modulo y d in
  (match Z.leb r w with
   | True -> True
   | False -> Z.leb (Z.sub d r) w)

(** val basis_of : z -> z -> z -> z -> basis **)

let basis_of d a u0 v0 =
  let m3 =
    Z.div (Z.add (Z.mul (Z.mul (Zpos (XO XH)) a) u0) d)
      (Z.mul (Zpos (XO XH)) d)
  in
  let m4 = Z.div (Z.add (Zpos XH) (Z.mul m3 v0)) u0 in
  { u = u0; v = v0; p = (Z.sub (Z.mul a u0) (Z.mul m3 d)); q =
  (Z.sub (Z.mul m4 d) (Z.mul a v0)); m1 = m3; m2 = m4 }

(** val limit : z **)

let limit =
  Zpos (XO (XO (XO (XO (XO (XO (XO (XO (XO (XO (XO (XO XH))))))))))))

(** val places : z -> z -> z -> basis -> z -> z list option **)

let places x beta h b t =
  let first = ceil_div (Z.sub (Z.mul t b.v) x) b.u in
  let last = Z.div (Z.add (Z.mul t b.v) x) b.u in
  let off = Z.mul (Z.sub beta (Z.mul t b.q)) (Z.sgn b.p) in
  (match Z.eqb b.p Z0 with
   | True ->
     (match Z.leb (Z.abs (Z.sub beta (Z.mul t b.q))) h with
      | True ->
        (match Z.ltb (Z.sub last first) limit with
         | True ->
           Some
             (map (fun s -> Z.sub (Z.mul s b.u) (Z.mul t b.v))
               (range first last))
         | False -> None)
      | False ->
        let first0 = Zpos XH in
        let last0 = Z0 in
        (match Z.ltb (Z.sub last0 first0) limit with
         | True ->
           Some
             (map (fun s -> Z.sub (Z.mul s b.u) (Z.mul t b.v))
               (range first0 last0))
         | False -> None))
   | False ->
     let first0 = Z.max first (ceil_div (Z.sub off h) (Z.abs b.p)) in
     let last0 = Z.min last (Z.div (Z.add off h) (Z.abs b.p)) in
     (match Z.ltb (Z.sub last0 first0) limit with
      | True ->
        Some
          (map (fun s -> Z.sub (Z.mul s b.u) (Z.mul t b.v))
            (range first0 last0))
      | False -> None))

(** val all_places : z -> z -> z -> basis -> z list -> z list option **)

let rec all_places x beta h b = function
| Nil -> Some Nil
| Cons (t, rest) ->
  (match places x beta h b t with
   | Some xs ->
     (match all_places x beta h b rest with
      | Some others -> Some (app xs others)
      | None -> None)
   | None -> None)

(** val domain : z -> z -> z -> z list -> z -> z -> z list option **)

let domain d w x cs u0 v0 =
  match cs with
  | Nil ->
    let p0 = Pair ((Pair (Z0, Z0)), Z0) in
    let rest = Nil in
    let Pair (p1, c2) = p0 in
    let Pair (c0, c1) = p1 in
    let half_curvature = Z.div (Z.mul (Z.mul c2 x) x) (Zpos (XO XH)) in
    let h =
      Z.add
        (Z.add w
          (Z.add (Z.div (Z.mul (Z.mul (Z.abs c2) x) x) (Zpos (XO XH))) (Zpos
            XH))) (Z.mul (Z.mul (Z.mul x x) x) (most rest x))
    in
    let beta = Z.opp (Z.add c0 half_curvature) in
    let b = basis_of d c1 u0 v0 in
    (match match Z.ltb Z0 u0 with
           | True -> Z.eqb (Z.sub (Z.mul b.m2 b.u) (Z.mul b.m1 b.v)) (Zpos XH)
           | False -> False with
     | True ->
       let s = spread x h b in
       let first = ceil_div (Z.sub (Z.mul b.u beta) s) d in
       let last = Z.div (Z.add (Z.mul b.u beta) s) d in
       (match Z.ltb (Z.sub last first) limit with
        | True ->
          (match all_places x beta h b (range first last) with
           | Some xs ->
             Some
               (filter (fun x0 ->
                 match Z.leb (Z.abs x0) x with
                 | True -> is_near d w (eval cs x0)
                 | False -> False) xs)
           | None -> None)
        | False -> None)
     | False -> None)
  | Cons (c0, l) ->
    (match l with
     | Nil ->
       let p0 = Pair ((Pair (c0, Z0)), Z0) in
       let rest = Nil in
       let Pair (p1, c2) = p0 in
       let Pair (c1, c3) = p1 in
       let half_curvature = Z.div (Z.mul (Z.mul c2 x) x) (Zpos (XO XH)) in
       let h =
         Z.add
           (Z.add w
             (Z.add (Z.div (Z.mul (Z.mul (Z.abs c2) x) x) (Zpos (XO XH)))
               (Zpos XH))) (Z.mul (Z.mul (Z.mul x x) x) (most rest x))
       in
       let beta = Z.opp (Z.add c1 half_curvature) in
       let b = basis_of d c3 u0 v0 in
       (match match Z.ltb Z0 u0 with
              | True ->
                Z.eqb (Z.sub (Z.mul b.m2 b.u) (Z.mul b.m1 b.v)) (Zpos XH)
              | False -> False with
        | True ->
          let s = spread x h b in
          let first = ceil_div (Z.sub (Z.mul b.u beta) s) d in
          let last = Z.div (Z.add (Z.mul b.u beta) s) d in
          (match Z.ltb (Z.sub last first) limit with
           | True ->
             (match all_places x beta h b (range first last) with
              | Some xs ->
                Some
                  (filter (fun x0 ->
                    match Z.leb (Z.abs x0) x with
                    | True -> is_near d w (eval cs x0)
                    | False -> False) xs)
              | None -> None)
           | False -> None)
        | False -> None)
     | Cons (c1, l0) ->
       (match l0 with
        | Nil ->
          let p0 = Pair ((Pair (c0, c1)), Z0) in
          let rest = Nil in
          let Pair (p1, c2) = p0 in
          let Pair (c3, c4) = p1 in
          let half_curvature = Z.div (Z.mul (Z.mul c2 x) x) (Zpos (XO XH)) in
          let h =
            Z.add
              (Z.add w
                (Z.add (Z.div (Z.mul (Z.mul (Z.abs c2) x) x) (Zpos (XO XH)))
                  (Zpos XH))) (Z.mul (Z.mul (Z.mul x x) x) (most rest x))
          in
          let beta = Z.opp (Z.add c3 half_curvature) in
          let b = basis_of d c4 u0 v0 in
          (match match Z.ltb Z0 u0 with
                 | True ->
                   Z.eqb (Z.sub (Z.mul b.m2 b.u) (Z.mul b.m1 b.v)) (Zpos XH)
                 | False -> False with
           | True ->
             let s = spread x h b in
             let first = ceil_div (Z.sub (Z.mul b.u beta) s) d in
             let last = Z.div (Z.add (Z.mul b.u beta) s) d in
             (match Z.ltb (Z.sub last first) limit with
              | True ->
                (match all_places x beta h b (range first last) with
                 | Some xs ->
                   Some
                     (filter (fun x0 ->
                       match Z.leb (Z.abs x0) x with
                       | True -> is_near d w (eval cs x0)
                       | False -> False) xs)
                 | None -> None)
              | False -> None)
           | False -> None)
        | Cons (c2, rest) ->
          let p0 = Pair ((Pair (c0, c1)), c2) in
          let Pair (p1, c3) = p0 in
          let Pair (c4, c5) = p1 in
          let half_curvature = Z.div (Z.mul (Z.mul c3 x) x) (Zpos (XO XH)) in
          let h =
            Z.add
              (Z.add w
                (Z.add (Z.div (Z.mul (Z.mul (Z.abs c3) x) x) (Zpos (XO XH)))
                  (Zpos XH))) (Z.mul (Z.mul (Z.mul x x) x) (most rest x))
          in
          let beta = Z.opp (Z.add c4 half_curvature) in
          let b = basis_of d c5 u0 v0 in
          (match match Z.ltb Z0 u0 with
                 | True ->
                   Z.eqb (Z.sub (Z.mul b.m2 b.u) (Z.mul b.m1 b.v)) (Zpos XH)
                 | False -> False with
           | True ->
             let s = spread x h b in
             let first = ceil_div (Z.sub (Z.mul b.u beta) s) d in
             let last = Z.div (Z.add (Z.mul b.u beta) s) d in
             (match Z.ltb (Z.sub last first) limit with
              | True ->
                (match all_places x beta h b (range first last) with
                 | Some xs ->
                   Some
                     (filter (fun x0 ->
                       match Z.leb (Z.abs x0) x with
                       | True -> is_near d w (eval cs x0)
                       | False -> False) xs)
                 | None -> None)
              | False -> None)
           | False -> None)))

(** val repeated :
    z -> z -> z -> z list -> z -> z -> z -> nat -> ((z list, z list) prod, z)
    prod option **)

let rec repeated d w x cs first u0 v0 = function
| O -> Some (Pair ((Pair (Nil, cs)), first))
| S count0 ->
  (match domain d w x cs u0 v0 with
   | Some xs ->
     (match repeated d w x (shift cs (Z.mul (Zpos (XO XH)) x))
              (Z.add first (Z.mul (Zpos (XO XH)) x)) u0 v0 count0 with
      | Some p0 ->
        let Pair (p1, first') = p0 in
        let Pair (others, cs') = p1 in
        Some (Pair ((Pair
        ((app (map (fun x0 -> Z.add (Z.add first x) x0) xs) others), cs')),
        first'))
      | None -> None)
   | None -> None)

(** val domains :
    z -> z -> z -> z list -> z -> ((z, z) prod, z) prod list -> (z list, z)
    prod option **)

let rec domains d w x cs first = function
| Nil -> Some (Pair (Nil, first))
| Cons (p0, rest) ->
  let Pair (p1, count) = p0 in
  let Pair (u0, v0) = p1 in
  (match repeated d w x cs first u0 v0 (Z.to_nat count) with
   | Some p2 ->
     let Pair (p3, first') = p2 in
     let Pair (xs, cs') = p3 in
     (match domains d w x cs' first' rest with
      | Some p4 ->
        let Pair (others, last) = p4 in Some (Pair ((app xs others), last))
      | None -> None)
   | None -> None)

(** val piece :
    z -> z -> z -> z list -> z -> z -> ((z, z) prod, z) prod list -> z list
    option **)

let piece d w x cs center arguments bases =
  match match match Z.ltb Z0 d with
              | True -> Z.leb Z0 w
              | False -> False with
        | True -> Z.ltb Z0 x
        | False -> False with
  | True ->
    (match domains d w x (shift cs (Z.sub x center)) Z0 bases with
     | Some p0 ->
       let Pair (xs, last) = p0 in
       (match Z.leb arguments last with
        | True ->
          Some
            (filter (fun k ->
              match Z.leb Z0 k with
              | True -> Z.ltb k arguments
              | False -> False) xs)
        | False -> None)
     | None -> None)
  | False -> None
