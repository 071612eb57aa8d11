#!/usr/bin/env python3
"""tools/reduction.py against all numbers of small formats, and against the nearest one of binary64
(Muller).

    python3 tools/test_reduction.py
"""

import unittest

from reduction import GUARD, binades, nearest, two_over_pi


class Small(unittest.TestCase):
    def test_all_numbers_of_small_formats(self):
        for precision in (4, 8, 11):
            bits = 64 + 2 * precision + GUARD
            inverse, whole = two_over_pi(bits), 1 << bits
            for exponent in range(-precision + 1, 60):
                alpha = inverse << exponent if exponent >= 0 else inverse >> -exponent

                def distance(m):
                    r = m * alpha % whole
                    return min(r, whole - r)

                expected = min(range(1 << (precision - 1), 1 << precision), key=distance)
                r, m = nearest(precision, exponent, inverse, bits)
                self.assertEqual((m, r), (expected, distance(expected)), (precision, exponent))

    def test_binary64(self):
        [(binade, m, distance, turns)] = binades(53, 849, 850)
        self.assertEqual((binade, m), (849, 6381956970095103))
        self.assertAlmostEqual(distance, -60.888, 3)
        self.assertAlmostEqual(turns, -61.539, 3)


if __name__ == "__main__":
    unittest.main()
