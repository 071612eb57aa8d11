//! Poisson's law, for the bands around expected numbers.

/// Above this mean the normal law stands in for Poisson's: its quantiles are off by less than one.
const LARGE: f64 = 10_000.0;

/// The 2.5 % and the 97.5 % quantile of Poisson's law of a mean: 95 % of its values lie between
/// them, these included.
pub(super) fn band(mean: f64) -> (f64, f64) {
    if mean <= 0.0 {
        return (0.0, 0.0);
    }
    if mean > LARGE {
        let half = 1.959_964 * mean.sqrt();
        return ((mean - half).floor(), (mean + half).ceil());
    }
    (quantile(mean, 0.025), quantile(mean, 0.975))
}

/// The least k with P(X ≤ k) ≥ p.
fn quantile(mean: f64, p: f64) -> f64 {
    // nothing below ten standard deviations under the mean matters; from there on terms do not
    // underflow
    let first = (mean - 10.0 * mean.sqrt()).floor().max(0.0);
    let log_factorial: f64 = (1..=first as u64).map(|k| (k as f64).ln()).sum();
    let mut term = (first * mean.ln() - mean - log_factorial).exp();
    let (mut sum, mut k) = (term, first);
    while sum < p && k < mean + 20.0 * mean.sqrt() + 20.0 {
        k += 1.0;
        term *= mean / k;
        sum += term;
    }
    k
}

#[cfg(test)]
mod tests {
    use super::band;

    #[test]
    fn bands_of_poissons_law() {
        assert_eq!(band(0.0), (0.0, 0.0));
        // e^-0.01 = 0.990: nothing is what is seen
        assert_eq!(band(0.01), (0.0, 0.0));
        // e^-3 = 0.050 and P(X ≤ 6) = 0.966, P(X ≤ 7) = 0.988, from tables
        assert_eq!(band(3.0), (0.0, 7.0));
        // P(X ≤ 3) = 0.010, P(X ≤ 4) = 0.029; P(X ≤ 16) = 0.973, P(X ≤ 17) = 0.986
        assert_eq!(band(10.0), (4.0, 17.0));
    }

    #[test]
    fn both_laws_agree_where_they_meet() {
        let ((a, b), (c, d)) = (band(9_999.9), band(10_000.1));
        assert!((a - c).abs() <= 2.0 && (b - d).abs() <= 2.0, "{a} {b} {c} {d}");
        assert!((a - 9804.0).abs() <= 1.0 && (b - 10_196.0).abs() <= 1.0, "{a} {b}");
    }
}
