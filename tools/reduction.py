#!/usr/bin/env python3
"""How near binary64 numbers come to multiples of pi/2, binade by binade: what an argument reduction
loses.

    tools/reduction.py [--precision 53] [--from 13] [--to 1024] [--all]

Of m*2^e with 2^(p-1) <= m < 2^p the nearest to a multiple of pi/2 is found by exact integers: the
fraction of m*alpha, alpha = 2^e * 2/pi, is least where lattice points (m, m*alpha - k) are nearest
to an axis, and those are searched from a reduced basis. Needs nothing but Python.
"""

import argparse
import math

GUARD = 200


def pi_bits(bits):
    """floor(pi * 2^bits), by Machin's formula; the last bits may be wrong, which GUARD is for."""

    def atan_inverse(n, one):
        power, total, k = one // n, 0, 1
        while power:
            total += power // k if k % 4 == 1 else -(power // k)
            power //= n * n
            k += 2
        return total

    one = 1 << (bits + 32)
    return (4 * (4 * atan_inverse(5, one) - atan_inverse(239, one))) >> 32


def two_over_pi(bits):
    """floor(2/pi * 2^bits), nearly."""
    return (1 << (2 * bits + 1)) // pi_bits(bits)


def reduced(u, v, norm):
    """Gauss: a shortest vector and a second one."""
    while True:
        if norm(u) > norm(v):
            u, v = v, u
        dot = (norm((u[0] + v[0], u[1] + v[1])) - norm(u) - norm(v)) // 2
        q = (2 * dot + norm(u)) // (2 * norm(u))
        if q == 0:
            return u, v
        v = (v[0] - q * u[0], v[1] - q * u[1])


def nearest(precision, exponent, inverse, bits):
    """Least |m*alpha - k| over 2^(p-1) <= m < 2^p, times 2^bits, and its m; inverse is 2/pi *
    2^bits."""
    whole = 1 << bits
    alpha = ((inverse << exponent) if exponent >= 0 else (inverse >> -exponent)) % whole
    low, high = 1 << (precision - 1), 1 << precision
    # points (m, r), r = m*alpha - k*2^bits; scaled so that about one is in the box |m| < high, |r|
    # <= width
    width = whole >> (precision - 2)
    while True:
        norm = lambda v: (v[0] * width) ** 2 + (v[1] * high) ** 2
        u, v = reduced((1, alpha), (0, whole), norm)
        best = None
        # every point of the box is a combination of coefficients that this bounds
        square = (high * width) ** 2 * 2
        determinant = abs(u[0] * v[1] - u[1] * v[0]) * width * high
        most_u = math.isqrt(square * norm(v)) // determinant + 1
        most_v = math.isqrt(square * norm(u)) // determinant + 1
        for a in range(-most_u, most_u + 1):
            for b in range(-most_v, most_v + 1):
                m, r = a * u[0] + b * v[0], a * u[1] + b * v[1]
                if m < 0:
                    m, r = -m, -r
                if low <= m < high and abs(r) <= width and (best is None or abs(r) < best[0]):
                    best = (abs(r), m)
        if best:
            return best
        width *= 2


def binades(precision, start, end):
    """(binade, m, log2 of the distance to the nearest multiple of pi/2, log2 of that over pi/2)."""
    bits = max(end, 0) + 2 * precision + GUARD
    inverse = two_over_pi(bits)
    for binade in range(start, end):
        r, m = nearest(precision, binade - precision + 1, inverse, bits)
        turns = math.log2(r >> max(r.bit_length() - 60, 0)) + max(r.bit_length() - 60, 0) - bits
        yield binade, m, turns + math.log2(math.pi / 2), turns


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--precision", type=int, default=53)
    parser.add_argument("--from", dest="start", type=int, default=13)
    parser.add_argument("--to", type=int, default=1024)
    parser.add_argument("--all", action="store_true", help="every binade, not only the nearest of all")
    options = parser.parse_args()
    found = list(binades(options.precision, options.start, options.to))
    for binade, m, distance, turns in found if options.all else [min(found, key=lambda one: one[2])]:
        exponent = binade - options.precision + 1
        print(f"[2^{binade}, 2^{binade + 1}): {m}*2^{exponent}: log2(|x - k*pi/2|) = {distance:.3f}, log2(|x*2/pi - k|) = {turns:.3f}")


if __name__ == "__main__":
    main()
