//! The slow and obviously right answers. Points are placed one by one, by addition.

/// The points `a·x mod modulus` for `0 ≤ x < n`, in the order of `x`.
pub(crate) fn points(a: u128, modulus: u128, n: u64) -> Vec<u128> {
    let mut point = 0;
    let mut points = Vec::new();
    for _ in 0..n {
        points.push(point);
        point = (point + a % modulus) % modulus;
    }
    points
}

/// The distances `(b − a·x) mod modulus` for `0 ≤ x < n`, in the order of `x`.
pub(crate) fn distances(a: u128, b: u128, modulus: u128, n: u64) -> Vec<u128> {
    points(a, modulus, n).into_iter().map(|point| (b % modulus + modulus - point) % modulus).collect()
}

/// The pairs (x, distance) with a distance less than `width`, in the order of `x`.
pub(crate) fn hits(a: u128, b: u128, modulus: u128, n: u64, width: u128) -> Vec<(u64, u128)> {
    (0..n).zip(distances(a, b, modulus, n)).filter(|&(_, d)| d < width).collect()
}

/// The smallest distance and the smallest `x` that attains it, as (x, distance).
pub(crate) fn minimum(a: u128, b: u128, modulus: u128, n: u64) -> Option<(u64, u128)> {
    (0..n).zip(distances(a, b, modulus, n)).min_by_key(|&(x, d)| (d, x))
}

/// The intervals between the distinct points, from left to right, as (index of the left end, index
/// of the right end, length). A point is called by its smallest index.
pub(crate) fn intervals(a: u128, modulus: u128, n: u64) -> Vec<(u64, u64, u128)> {
    let mut sorted: Vec<(u128, u64)> = points(a, modulus, n).into_iter().zip(0..n).collect();
    sorted.sort_unstable();
    sorted.dedup_by_key(|&mut (point, _)| point);
    let rotated = sorted.iter().cycle().skip(1);
    sorted
        .iter()
        .zip(rotated)
        .map(|(&(left, x), &(right, y))| {
            let length = (right + modulus - left) % modulus;
            (x, y, if length == 0 { modulus } else { length })
        })
        .collect()
}

/// The Farey fractions of order `order` in [0, 1], ascending, as (numerator, denominator).
pub(crate) fn farey_fractions(order: u64) -> Vec<(u64, u64)> {
    let gcd = |mut x: u64, mut y: u64| {
        while y != 0 {
            (x, y) = (y, x % y);
        }
        x
    };
    let mut fractions: Vec<(u64, u64)> = (1..=order)
        .flat_map(|denominator| (0..=denominator).map(move |numerator| (numerator, denominator)))
        .filter(|&(numerator, denominator)| gcd(numerator, denominator) == 1)
        .collect();
    fractions.sort_unstable_by_key(|&(numerator, denominator)| {
        // exact: two Farey fractions of an order below 2^20 differ by more than 2^-40
        assert!(order < 1 << 20);
        (u128::from(numerator) << 64) / u128::from(denominator)
    });
    fractions
}
