#!/usr/bin/env python3
"""Confirms the list of a search by its witness, without a search: `tmd search … --witness FILE`,
then

    python3 tools/check_witness.py FILE     # without python-flint only what needs integers
    python3 tools/check_witness.py --extracted PROGRAM FILE

Three things make a list complete, and each is checked here by itself:

1. the parts hold all arguments of the interval, once;
2. each part's polynomial is the function, in units of the breakpoints' spacing, within the
   half-width less ε: Arb encloses Taylor coefficients at the center and the next one over all of
   the part, and the results' binade;
3. the arguments at which the polynomial is within the half-width of an integer are the candidates
   and no others. That is the function `piece` below, which is Definition G.3 of proofs/Witness.v in
   Python: Theorem G.2 says that it finds them all, whatever bases the witness has. With
   `--extracted` it is that definition as Rocq extracts it: PROGRAM is proofs/extracted, compiled
   (`cargo xtask check-witness` does both).

Then every candidate, and every argument that is alone, is decided by Arb: it is a case, an exact
case or neither, and the list says the same.

Exit codes: 0 it holds; 1 something is wrong; 2 it cannot be read; 3 it holds as far as it could be
checked.
"""

import json
import subprocess
import sys
from fractions import Fraction

BITS = 512
LIMIT = 4096
MOST = 1 << 23   # domains
MOST_PRECISION = 20_000


class Wrong(Exception):
    """The witness says what is not so."""


# proofs/Witness.v

def evaluate(cs, x):
    value = 0
    for c in reversed(cs):
        value = c + x * value
    return value


def shift(cs, y):
    """The polynomial about another center: Definition G.1."""
    shifted = []
    for c in reversed(cs):
        out = []
        for s in shifted:
            out.append(c + y * s)
            c = s
        shifted = out + [c]
    return shifted


def most(cs, x):
    value = 0
    for c in reversed(cs):
        value = abs(c) + x * value
    return value


def ceil_div(a, b):
    return -(-a // b)


def is_near(d, w, y):
    r = y % d
    return r <= w or d - r <= w


def places(x, beta, h, basis, t):
    u, v, p, q = basis
    first, last = ceil_div(t * v - x, u), (t * v + x) // u
    if p == 0:
        if abs(beta - t * q) > h:
            first, last = 1, 0
    else:
        off = (beta - t * q) * (1 if p > 0 else -1)
        first, last = max(first, ceil_div(off - h, abs(p))), min(last, (off + h) // abs(p))
    if not last - first < LIMIT:
        return None
    return [s * u - t * v for s in range(first, last + 1)]


def domain(d, w, x, cs, u, v):
    """Definition G.2: the arguments of a domain that are within w of a multiple of d; None if the
    witness is no basis."""
    c0, c1, c2 = (cs + [0, 0, 0])[:3]
    square = x * x
    half_curvature = c2 * square // 2
    h = w + (abs(c2) * square // 2 + 1) + x * square * most(cs[3:], x)
    beta = -(c0 + half_curvature)
    if u <= 0:
        return None
    m1 = (2 * c1 * u + d) // (2 * d)
    m2 = (1 + m1 * v) // u
    if m2 * u - m1 * v != 1:
        return None
    basis = u, v, c1 * u - m1 * d, m2 * d - c1 * v
    spread = abs(basis[2]) * x + u * h
    first, last = ceil_div(u * beta - spread, d), (u * beta + spread) // d
    if not last - first < LIMIT:
        return None
    found = []
    for t in range(first, last + 1):
        xs = places(x, beta, h, basis, t)
        if xs is None:
            return None
        found += [y for y in xs if abs(y) <= x and is_near(d, w, evaluate(cs, y))]
    return found


def piece(d, w, x, cs, center, arguments, bases):
    """Definition G.3: the numbers of all arguments at which the polynomial is within w of a
    multiple of d, or None."""
    if not (d > 0 and w >= 0 and x > 0):
        return None
    cs, first, found = shift(cs, x - center), 0, []
    for u, v, count in bases:
        for _ in range(count):
            here = domain(d, w, x, cs, u, v)
            if here is None:
                return None
            found += [first + x + y for y in here]
            cs, first = shift(cs, 2 * x), first + 2 * x
    return [k for k in found if 0 <= k < arguments] if arguments <= first else None


class Extracted:
    """`piece` by the program that Rocq extracts: a question on its input, a line on its output."""

    def __init__(self, program):
        self.program = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, d, w, x, cs, center, arguments, bases):
        words = [d, w, x, center, arguments, len(cs), *cs, *(number for basis in bases for number in basis)]
        if not all(type(word) is int for word in words):
            raise Wrong("a number that is no integer")
        self.program.stdin.write(" ".join(f"{word:x}" for word in words) + "\n")
        self.program.stdin.flush()
        answer = self.program.stdout.readline().split()
        if answer[:1] not in (["none"], ["some"]):
            raise OSError("the extracted checker has no answer")
        return None if answer[0] == "none" else [int(word) for word in answer[1:]]


# The document.

def integer(text, radix=10):
    if not isinstance(text, str):
        raise Wrong(f"{text!r} is no integer")
    return int(text, radix)


def refuse(text):
    """All numbers are integers: others would be rounded."""
    raise ValueError(f"{text} is no integer")


class Checker:
    def __init__(self, document, find):
        self.document, self.find, self.left = document, find, []
        if document["schema"] != "tmd-witness-1":
            raise Wrong(f"no such schema: {document['schema']}")
        self.parts = [(integer(part["first"]), part["spacing"], part["arguments"], part["by"]) for part in document["parts"]]
        self.candidates = []   # (significand, exponent)

    def tiling(self):
        """The parts hold the numbers of the interval, once."""
        p, emin, emax = self.document["arguments"]
        at, end = Fraction(self.document["from"]), Fraction(self.document["to"])
        for first, spacing, count, _ in self.parts:
            unit = Fraction(2) ** spacing
            start = first * unit
            if count < 1 or start < at or start + (count - 1) * unit >= end:
                raise Wrong(f"a part begins at {first}*2^{spacing}, and should at {at}")
            if first_number(at, p, emin) != start:
                raise Wrong(f"between {at} and {start} there are numbers in no part")
            last = start + (count - 1) * unit
            if not (is_number(start, p, emin, emax) and is_number(last, p, emin, emax)) or spacing != least_spacing(start, last, p, emin):
                raise Wrong(f"the part at {start} has not the spacing of the format")
            at = next_number(last, p, emin)
        if first_number(at, p, emin) < end and abs(at) < Fraction(2) ** (emax + 1):
            raise Wrong(f"from {at} on there are numbers in no part")

    def polynomials(self):
        """3. Returns the number of domains."""
        domains = 0
        for first, spacing, count, by in self.parts:
            if by["is"] == "single":
                if count > 64:
                    raise Wrong("too many arguments that are alone")
                self.candidates += [(first + k, spacing) for k in range(count)]
            elif by["is"] == "polynomial":
                if not 0 <= by["center"] < count:
                    raise Wrong("a polynomial about an argument of another part")
                bases = [tuple(base) for base in by["bases"]]
                if any(len(base) != 3 or base[2] < 1 for base in bases):
                    raise Wrong("a basis of no domain")
                domains += sum(base[2] for base in bases)
                if domains > MOST:
                    raise Wrong("too many domains")
                cs = [integer(c, 16) for c in by["coefficients"]]
                found = self.find(1 << BITS, integer(by["half_width"], 16), by["half_domain"], cs, by["center"], count, bases)
                if found is None:
                    raise Wrong(f"the bases of the part at {first}*2^{spacing} prove nothing")
                if sorted(set(found)) != by["candidates"]:
                    raise Wrong(f"the part at {first}*2^{spacing} has other candidates")
                self.candidates += [(first + k, spacing) for k in by["candidates"]]
            elif by["is"] == "known":
                self.left.append(f"{count} arguments from {first}*2^{spacing} on: {by['because']}")
            else:
                raise Wrong(f"a part by {by['is']}")
        return domains

    def enclosures(self):
        """2. by Arb."""
        from verify_certificate import Expression, ball, two_to
        from flint import arb, ctx
        document = self.document
        f = Expression(document["function"])
        p, emin, _ = document["results"]
        m = document["extra_bits"]
        doubled = document["rounding"] == "all"
        for first, spacing, count, by in self.parts:
            if by["is"] != "polynomial":
                continue
            cs = [integer(c, 16) for c in by["coefficients"]]
            n, unit = len(cs) - 1, two_to(spacing)
            center = (first + by["center"]) * unit
            low, high = first * unit, (first + count - 1) * unit
            reach = ball(Fraction(max(by["center"], count - 1 - by["center"])))
            ctx.prec = 1200
            point = f.series(ball(center), n)
            ctx.prec = 300
            hull = f.series(ball(low).union(ball(high)), n + 1)
            e = one_exponent(f, low, high, emin, ball, two_to)
            if e is None:
                raise Wrong(f"results of the part at {low} may have several ulps")
            scale = two_to((1 if doubled else 0) - (e - p + 1))
            ctx.prec = 1200
            off = abs(hull[n + 1]) * ball(scale) * (reach * ball(unit)) ** (n + 1)
            for k, c in enumerate(cs):
                true = point[k] * ball(scale * unit ** k)
                if k == 0 and document["rounding"] == "nearest":
                    true += ball(Fraction(1, 2))
                error = true - ball(Fraction(c) / 2 ** BITS)
                # coefficients are known mod 1
                turns = (error.mid() + arb(0.5)).floor().unique_fmpz()
                off += abs(error - turns) * reach ** k
            epsilon = ball(two_to((1 if doubled else 0) - m))
            if not off + epsilon <= ball(Fraction(integer(by["half_width"], 16)) / 2 ** BITS):
                raise Wrong(f"the polynomial of the part at {low} is farther from the function than its half-width allows")

    def cases(self):
        """Every candidate is decided by Arb."""
        from verify_certificate import Expression, ball, two_to
        from flint import arb, ctx
        document = self.document
        f = Expression(document["function"])
        p, emin, _ = document["results"]
        epsilon = two_to(-document["extra_bits"])
        lists = [[Fraction(integer(x)) * two_to(e) for x, e in document[key]] for key in ("cases", "exact_cases", "undecided")]
        if any(not x < y for those in lists for x, y in zip(those, those[1:])):
            raise Wrong("a list is not in increasing order")
        listed, exact, undecided = map(set, lists)
        places = {Fraction(x) * two_to(e) for x, e in self.candidates}
        for what, those in (("case", listed), ("exact case", exact), ("undecided argument", undecided)):
            for x in those - places:
                raise Wrong(f"the {what} {float(x).hex()} is no candidate")
        for x in undecided:
            self.left.append(f"{float(x).hex()} is undecided")
        for x in places - undecided:
            answer = decide(f, x, document["rounding"], p, emin, epsilon, ctx, arb, ball, two_to)
            if answer == "open":
                if f(ball(x)).contains(0):
                    continue   # 0, or nothing that Arb tells from it: no case
                if x in exact or document["exact_count"] > len(exact):
                    # agrees with a breakpoint as far as Arb was asked: the list says that it is one
                    continue
                raise Wrong(f"{float(x).hex()} may be exact, and is not listed as that")
            if (answer == "case") != (x in listed) or x in exact:
                raise Wrong(f"{float(x).hex()} is {'a case' if answer == 'case' else 'no case'}, and the list says something else")


def one_exponent(f, low, high, emin, ball, two_to):
    """The exponent of all results from low to high, at least emin, or None: by the mean value, in
    ever smaller parts."""
    found, left = set(), [(low, high)]
    for _ in range(4_000):
        if not left:
            return found.pop() if len(found) == 1 else None
        a, b = left.pop()
        hull, middle = ball(a).union(ball(b)), (a + b) / 2
        slope = f.series(hull, 1)[1]
        if slope > 0 or slope < 0:
            y = f(ball(a)).union(f(ball(b)))   # monotonic
        else:
            y = f(ball(middle)) + slope * ball(a - middle).union(ball(b - middle))
        # what agrees with a power of two to so many bits is taken for it: at an end it is a
        # candidate, and decided by itself
        size, margin = abs(y), ball(1 + two_to(-200))
        if y.is_finite() and (not y.contains(0) or (size * margin).upper() < ball(two_to(emin + 1))):
            least = emin if y.contains(0) else exponent((size * margin).lower(), emin)
            most_ = exponent((size / margin).upper(), emin)
            if least == most_:
                found.add(least)
                continue
        if len(found) > 1 or a == b:
            return None
        left += [(a, middle), (middle, b)]
    return None


def decide(f, x, rounding, p, emin, epsilon, ctx, arb, ball, two_to):
    """case, none or open"""
    ctx.prec = 2 * p + 200
    while ctx.prec <= MOST_PRECISION:
        y = f(ball(x))
        if y.is_finite() and not y.contains(0):
            e = exponent(abs(y).lower(), emin)
            if e == exponent(abs(y).upper(), emin):
                halves = y * ball(two_to(p - e))   # in units of ulp/2
                if rounding == "nearest":
                    nearest = 2 * (halves / 2).floor() + 1
                elif rounding == "directed":
                    nearest = 2 * (halves / 2 + arb(0.5)).floor()
                else:
                    nearest = (halves + arb(0.5)).floor()
                whole = nearest.unique_fmpz()
                if whole is not None:
                    distance = abs(halves - whole) / 2
                    if distance > ball(epsilon) or distance >= ball(epsilon):
                        return "none"
                    if distance > 0 and distance < ball(epsilon):
                        return "case"
        ctx.prec *= 2
    return "open"


def exponent(y, emin):
    """⌊log2 y⌋ of an exact ball, at least emin."""
    if y == 0:
        return emin
    m, e = y.man_exp()
    return max(int(m).bit_length() + int(e) - 1, emin)


def log2_floor(x):
    e = abs(x.numerator).bit_length() - x.denominator.bit_length()
    return e if abs(x) >= Fraction(2) ** e else e - 1


def ulp(x, p, emin):
    return (emin if x == 0 else max(log2_floor(x), emin)) - p + 1


def is_number(x, p, emin, emax):
    return (x / Fraction(2) ** ulp(x, p, emin)).denominator == 1 and abs(x) < Fraction(2) ** (emax + 1)


def first_number(x, p, emin):
    """The least number that is at least x."""
    unit = Fraction(2) ** ulp(x, p, emin)
    return -(-x // unit) * unit


def next_number(x, p, emin):
    """The number after a number."""
    unit = Fraction(2) ** ulp(x, p, emin)
    if x < 0 and abs(x) == Fraction(2) ** log2_floor(x) and log2_floor(x) > emin:
        unit /= 2
    return x + unit


def least_spacing(start, last, p, emin):
    return min(ulp(start, p, emin), ulp(last, p, emin)) if start * last > 0 or start == last else ulp(start or last, p, emin)


def answers():
    """Answers of `piece` to questions on the standard input, a line each, as
    proofs/extracted/main.ml has them."""
    for line in sys.stdin:
        numbers = [int(word, 16) for word in line.split()]
        d, w, x, center, arguments, n = numbers[:6]
        cs, rest = numbers[6:6 + n], numbers[6 + n:]
        found = piece(d, w, x, cs, center, arguments, list(zip(rest[::3], rest[1::3], rest[2::3])))
        print("none" if found is None else " ".join(map(str, ["some", *found])))


def questions(count):
    """Random ones: polynomials of any degree up to 6, Farey pairs of the slopes, and bases that are
    none, or too few."""
    import random
    chance = random.Random(count)
    d = 1 << BITS
    for i in range(count):
        x = chance.randrange(1, 40)
        size, domains = 2 * x, chance.randrange(1, 6)
        # coefficient j is such that it moves a domain's values by a part of a box or so
        cs = [chance.randrange(-d, d), chance.randrange(-d, d)]
        cs += [chance.randrange(-d, d) // (4 * size ** (j + 2 + i % 2)) for j in range(chance.randrange(5))]
        cs = cs[:chance.randrange(0, 4)] if i % 11 == 0 else cs
        center, w = chance.randrange(0, size * domains), d >> chance.randrange(3, 9)
        local, bases = shift(cs, x - center), []
        for _ in range(domains):
            # the neighbors of the slope among fractions with denominators up to the order
            slope = local[1] % d if len(local) > 1 else 0
            (a, u), (b, v) = (slope * 0, 1), (1, 1)
            while u + v <= x + 2:
                if (a + b) * d <= slope * (u + v):
                    a, u = a + b, u + v
                else:
                    b, v = a + b, u + v
            kind = chance.randrange(40)
            pair = (u + 1, v) if kind == 0 else (-u, v) if kind == 1 else (v, -u) if abs(b * d - slope * v) < abs(slope * u - a * d) else (u, v)
            bases.append((*pair, 1))
            local = shift(local, size)
        arguments = size * domains - chance.randrange(size) + (size if i % 13 == 0 else 0)
        words = [d, w, x, center, arguments, len(cs), *cs, *(number for basis in bases for number in basis)]
        print(" ".join(f"{word:x}" for word in words))


def main():
    if sys.argv[1:] == ["--answers"]:
        answers()
        return
    if sys.argv[1:2] == ["--questions"] and len(sys.argv) == 3:
        questions(int(sys.argv[2]))
        return
    is_extracted = sys.argv[1:2] == ["--extracted"]
    if len(sys.argv) != (4 if is_extracted else 2):
        print(__doc__)
        sys.exit(2)
    try:
        find = Extracted(sys.argv[2]) if is_extracted else piece
    except OSError as error:
        print(f"{sys.argv[2]} cannot be started: {error}", file=sys.stderr)
        sys.exit(2)
    try:
        with open(sys.argv[-1], encoding="utf-8") as file:
            document = json.load(file, parse_float=refuse, parse_constant=refuse)
    except (OSError, ValueError) as error:
        print(f"{sys.argv[-1]} cannot be read: {error}", file=sys.stderr)
        sys.exit(2)
    try:
        checker = Checker(document, find)
        checker.tiling()
        domains = checker.polynomials()
        by = ", by what Rocq extracts" if is_extracted else ""
        print(f"checked: {len(checker.parts)} parts hold the interval; {domains} domains hold these {len(checker.candidates)} candidates and no others{by}")
        try:
            import flint  # noqa: F401
        except ImportError:
            checker.left.append("that the polynomials are the function's, and what the candidates are: there is no python-flint")
        else:
            checker.enclosures()
            checker.cases()
            print(f"checked: polynomials are the function's, by Arb; {len(document['cases'])} of the candidates are the cases")
    except Wrong as reason:
        print(f"WRONG: {reason}\ndoes NOT hold")
        sys.exit(1)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OSError) as error:
        print(f"it cannot be read: {type(error).__name__} {error}", file=sys.stderr)
        sys.exit(2)
    for sentence in checker.left:
        print(f"not checked: {sentence}")
    print("holds as far as it goes" if checker.left else "holds")
    sys.exit(3 if checker.left else 0)


if __name__ == "__main__":
    main()
