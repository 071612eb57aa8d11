(* Answers of the extracted `piece` to questions on the standard input, a line each: hexadecimal numbers with spaces between them,
   D w X center arguments, the number of coefficients and these, then u, v and count of each basis. *)

open Witness

let rec list_of = function [] -> Nil | x :: rest -> Cons (x, list_of rest)
let rec of_list = function Nil -> [] | Cons (x, rest) -> x :: of_list rest

(* binary digits, the most significant first *)
let rec positive p = function
  | [] -> p
  | b :: rest -> positive (if b then XI p else XO p) rest

let rec natural = function [] -> Z0 | false :: rest -> natural rest | true :: rest -> Zpos (positive XH rest)

let number text =
  let digit c = int_of_string ("0x" ^ String.make 1 c) in
  let bits c = let d = digit c in [ d land 8 <> 0; d land 4 <> 0; d land 2 <> 0; d land 1 <> 0 ] in
  let digits = List.concat_map bits (List.filter (fun c -> c <> '-') (List.of_seq (String.to_seq text))) in
  match natural digits with
  | Zpos p when text.[0] = '-' -> Zneg p
  | z -> z

let rec print_positive p place = match p with
  | XH -> place
  | XO q -> print_positive q (2 * place)
  | XI q -> place + print_positive q (2 * place)

(* argument numbers are small *)
let text = function Z0 -> "0" | Zpos p -> string_of_int (print_positive p 1) | Zneg p -> string_of_int (- print_positive p 1)

let rec take n l = if n = 0 then ([], l) else match l with
  | x :: rest -> let a, b = take (n - 1) rest in (x :: a, b)
  | [] -> failwith "a question that is too short"

let rec bases = function
  | [] -> []
  | u :: v :: count :: rest -> Pair (Pair (number u, number v), number count) :: bases rest
  | _ -> failwith "a basis that is none"

let answer line =
  match List.filter (fun word -> word <> "") (String.split_on_char ' ' line) with
  | d :: w :: x :: center :: arguments :: n :: rest ->
    let cs, rest = take (int_of_string ("0x" ^ n)) rest in
    let found = piece (number d) (number w) (number x) (list_of (List.map number cs)) (number center) (number arguments)
        (list_of (bases rest)) in
    (match found with
     | None -> "none"
     | Some ks -> String.concat " " ("some" :: List.map text (of_list ks)))
  | _ -> failwith "no question"

let () =
  try
    while true do print_endline (answer (input_line stdin)) done
  with End_of_file -> ()
