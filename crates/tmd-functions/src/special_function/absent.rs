//! Functions that are asked for and not there, with the reason.

/// Names of functions that are not there, and why, or what serves instead.
const ABSENT: [(&[&str], &str); 15] = [
    (&["sign", "sgn", "signum"], "write copysign(1,x)"),
    (
        &["floor", "ceil", "round", "trunc", "rint", "nearbyint", "frac", "mod", "fmod"],
        "a function with steps is searched step by step, as what it is between them",
    ),
    (
        &["pow", "powr", "atan2", "fma", "beta", "hyp2f1"],
        "functions are of one variable: x^n, rootn(x,n), exp(b*log(a))",
    ),
    (&["erfinv", "erfcinv", "probit"], "inverses of the error functions have no enclosures here"),
    (&["zeta"], "Riemann's zeta function has no enclosures here"),
    (&["trigamma", "polygamma"], "of the polygamma functions only digamma is there"),
    (&["jn", "j2", "yn", "y2"], "of the Bessel functions j0, j1, y0 and y1 are there"),
    (&["i0", "i1", "k0", "k1", "besseli", "besselk"], "modified Bessel functions have no enclosures here"),
    (&["ai", "bi", "airy", "airyai", "airybi"], "Airy functions have no enclosures here"),
    (
        &["ei", "e1", "expint", "li", "si", "ci"],
        "integrals of exponentials, logarithms and sines have no enclosures here",
    ),
    (&["li2", "dilog", "polylog"], "polylogarithms have no enclosures here"),
    (&["ellipk", "ellipe", "agm"], "elliptic integrals have no enclosures here"),
    (&["gammainc", "igamma", "gammaincc"], "incomplete gamma functions have no enclosures here"),
    (&["factorial"], "write gamma(x+1)"),
    (&["sinc"], "write sin(x)/x"),
];

/// Why a function with this name is not there, if it is known and not there.
pub(crate) fn why_absent(name: &str) -> Option<&'static str> {
    ABSENT.iter().find(|(names, _)| names.contains(&name)).map(|(_, why)| *why)
}
