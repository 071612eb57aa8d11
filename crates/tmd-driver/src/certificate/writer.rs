//! [`writer`]: who wrote a certificate, by the name of its engine and of its program.

use tmd_core::{Backend, EngineName, Scalar, ScalarEngine};
use tmd_simd::{CostTable, Level, Planner, Simd, SimdEngine};

/// Who searched, as far as this machine can tell.
pub enum Writer {
    /// An engine of the CPU that this machine has: it derives budgets again, and searches.
    Here(Box<dyn Backend>),
    /// An engine of the CPU whose lanes this machine lacks: it derives budgets again.
    Elsewhere(Box<dyn Backend>),
    /// A device, alone or beside the CPU: what depends on it can be checked nowhere else.
    Device,
    /// Several engines of the CPU, each of which searched some of the units: which, nobody wrote
    /// down.
    Several,
}

impl Writer {
    /// The engine, if budgets can be derived again.
    pub fn engine(&self) -> Option<&dyn Backend> {
        match self {
            Self::Here(engine) | Self::Elsewhere(engine) => Some(engine.as_ref()),
            Self::Device | Self::Several => None,
        }
    }
}

/// What is between the names of several engines.
pub(super) const BETWEEN: &str = " + ";

/// The engine of a name, as [`Backend::name`] and [`Workers::name`](crate::Workers::name) write it;
/// `None` if there is no such engine.
pub fn writer(name: &str) -> Option<Writer> {
    let EngineName { logms, domain_size, costs, .. } = EngineName::parse(name).unwrap_or_default();
    // with a table that there is not, no name is the same
    let costs = CostTable::of_number(costs).unwrap_or_default();
    let mut here: Vec<Box<dyn Backend>> = Vec::new();
    for engine in
        [ScalarEngine::Farey, ScalarEngine::Regular, ScalarEngine::Lefevre, ScalarEngine::Exhaustive]
    {
        here.push(Box::new(Scalar { engine, logms, domain_size }));
    }
    for level in Level::available() {
        for engine in SimdEngine::ALL {
            let engine = Simd::new(engine, level).with_logms(logms).with_domain_size(domain_size);
            here.push(Box::new(engine.with_costs(costs)));
        }
    }
    if let Some(engine) = here.into_iter().find(|engine| engine.name() == name) {
        return Some(Writer::Here(engine));
    }
    if let Some(planner) = Planner::all(logms, domain_size, costs).find(|planner| planner.name() == name) {
        return Some(Writer::Elsewhere(Box::new(planner)));
    }
    if is_of_a_device(name) {
        return Some(Writer::Device);
    }
    // as a merge of certificates joins them
    let names: Vec<&str> = name.split(BETWEEN).collect();
    (names.len() > 1 && names.iter().all(|name| writer(name).is_some())).then_some(Writer::Several)
}

/// Whether a name begins as one of a device's engines does: `farey NAME (native integers)`, and
/// perhaps others after it. Names of adapters are free.
fn is_of_a_device(name: &str) -> bool {
    const ENGINES: [&str; 5] = ["farey", "regular", "regular-looped", "lefevre", "lefevre-swap"];
    let engine = name.split_once(' ').map(|(engine, _)| engine);
    engine.is_some_and(|engine| ENGINES.contains(&engine))
        && ["(native integers)", "(emulated integers)"].iter().any(|integers| name.contains(integers))
}

/// Which version of the program wrote a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// This one: all that it derives is the same, bit by bit.
    This,
    /// An earlier one, which may have cut arguments otherwise.
    Earlier,
    /// None that this one knows.
    Unknown,
}

/// The first version that wrote certificates.
const FIRST: [u64; 3] = [0, 1, 0];

/// The version that `program` names, seen from the version `own`.
pub(super) fn version(program: &str, own: &str) -> Version {
    let parts = |text: &str| -> Option<[u64; 3]> {
        let parts: Vec<u64> = text.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
        parts.try_into().ok()
    };
    let Some(number) = program.strip_prefix("tmd ") else { return Version::Unknown };
    if number == own {
        return Version::This;
    }
    match (parts(number), parts(own)) {
        // written as numbers are, without zeros before them
        (Some(written), Some(own))
            if FIRST <= written && written < own && number == written.map(|n| n.to_string()).join(".") =>
        {
            Version::Earlier
        }
        _ => Version::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_there_were() {
        for (program, own, expected) in [
            ("tmd 0.1.0", "0.1.0", Version::This),
            ("tmd 0.1.0", "0.2.0", Version::Earlier),
            ("tmd 0.9.0", "0.10.0", Version::Earlier),
            ("tmd 0.0.9", "0.1.0", Version::Unknown),
            ("tmd 0.0.9", "0.2.0", Version::Unknown),
            ("tmd 0.2.0", "0.1.0", Version::Unknown),
            ("tmd 0.01.0", "0.2.0", Version::Unknown),
            ("tmd 0.1", "0.2.0", Version::Unknown),
            ("tmd", "0.1.0", Version::Unknown),
            ("TMD 0.1.0", "0.1.0", Version::Unknown),
            ("tmd 0.1.0 (mine)", "0.2.0", Version::Unknown),
        ] {
            assert_eq!(version(program, own), expected, "{program} seen from {own}");
        }
    }

    #[test]
    fn engines_that_there_are() {
        for name in [
            "scalar regular",
            "farey portable",
            "farey portable, costs 2",
            "farey portable, costs 3",
            "farey portable, costs 4",
            "farey portable, costs 5",
            "regular-trimmed portable",
            "farey portable, costs 2, domain size 64",
            "lefevre-swap portable, domain size 64",
            "regular portable, domain size 64, LOGMS 3",
        ] {
            assert!(matches!(writer(name), Some(Writer::Here(engine)) if engine.name() == name), "{name}");
        }
        // here or not
        assert!(writer("farey avx512").and_then(|writer| writer.engine().map(Backend::name)).is_some());
        for device in ["farey A b, c (native integers)", "regular X (emulated integers) + farey avx2"] {
            assert!(matches!(writer(device), Some(Writer::Device)), "{device}");
        }
        for several in ["farey portable + regular portable", "farey avx2 + farey avx512"] {
            assert!(matches!(writer(several), Some(Writer::Several)), "{several}");
        }
        for none in [
            "",
            "farey portable + oracle portable",
            "farey portable + ",
            "farey",
            "farey avx9",
            "oracle portable",
            "farey avx512, domain size x",
            "farey portable, costs 1",
            "farey portable, costs 6",
            "regular portable, costs 2",
            "x (native integers)",
        ] {
            assert!(writer(none).is_none(), "{none}");
        }
    }
}
