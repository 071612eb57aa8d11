//! [`exceptions`]: the arguments that a last phase does not decide, as source text.

use tmd_driver::{
    Certificate,
    certificate::expand,
    table::{Language, Rounding},
};

use super::{Accuracy, Known, exact_unlisted, function, kinds, known, nearness, unlisted_bits};
use crate::{
    ReportError, choice,
    export::{preamble, source::Table},
    list::{List, Listing},
    rounded::{MODES, kind_of},
    rows::rows,
};

/// The exceptions of a last phase of some accuracy, as source text: the arguments whose test may
/// fail in one of the modes, all of them, and those listed whose results are breakpoints; with
/// their results in the modes ([`MODES`] if there are none).
///
/// # Errors
/// [`ReportError::Reach`] if the certificate does not list all of them; [`ReportError::Mode`],
/// [`ReportError::Name`], [`ReportError::Type`]; and if it lists arguments that are no numbers.
pub fn exceptions(
    certificate: &Certificate,
    accuracy: &Accuracy,
    modes: &[Rounding],
    language: Language,
    name: &str,
    command: Option<&str>,
) -> Result<String, ReportError> {
    let least = unlisted_bits(certificate);
    if !accuracy.is_at_most(least) {
        let (accuracy, extra_bits) = (accuracy.to_string(), certificate.extra_bits);
        return Err(ReportError::Reach { accuracy, extra_bits, least });
    }
    choice::check(certificate, modes)?;
    let modes = if modes.is_empty() { &MODES } else { modes };
    let (function, format) = (function(certificate)?, certificate.format.format()?);
    let kinds =
        kinds(certificate)?.into_iter().filter(|kind| modes.iter().any(|mode| kind_of(*mode) == *kind));
    let names: Vec<String> = kinds.map(|kind| kind.to_string()).collect();
    // the exceptions only are kept: lists may be long
    let mut exceptions = Certificate { cases: Vec::new(), rules: Vec::new(), ..certificate.clone() };
    for expanded in expand(certificate)? {
        let is_exception = match nearness(&expanded.case, format)? {
            Some((_, nearness)) => {
                names.contains(&expanded.case.kind) && nearness.may_fail(&function, accuracy)
            }
            None => false,
        };
        if is_exception {
            exceptions.cases.push(expanded.case);
        }
    }
    let inexact = exceptions.cases.len();
    let short = List::new(&exceptions, Listing::Expanded)?;
    let mut rows = rows(&exceptions, &short)?;
    rows.retain(|row| names.iter().any(|name| row.kind == name));
    let exact = rows.iter().filter(|row| row.exact).count();
    let all = List::new(certificate, Listing::Short)?;
    let mut comment = preamble(certificate, &all, None, None)?;
    // what the list of a certificate says of lines that stand for others is not true of this one
    let note = all.note();
    comment.retain(|line| Some(line) != note.as_ref());
    comment.push(format!(
        "EXCEPTIONS of a last phase of accuracy {accuracy}: the rounding test of y with |y - f(x)| <= {accuracy} |y| may fail at these arguments, and passes at \
         all others of the regions that were searched, or that follow from them: {inexact} inexact ones and {exact} whose result is a breakpoint"
    ));
    comment.extend(exact_unlisted(certificate));
    for Known { first, last, because } in known(certificate) {
        comment
            .push(format!("not looked at, from {first} to {last}, and what follows from there: {because}"));
    }
    comment.extend(command.map(|command| format!("made by: {command}")));
    let table = Table::new(certificate, modes, comment, &rows)?;
    match language {
        Language::C => table.to_c(name),
        Language::Rust => table.to_rust(name),
    }
}
