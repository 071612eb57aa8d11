//! The papers' numbers: TOMS 2016, tables IV to VII. Seconds for all 2^53 arguments of a binade;
//! for log, of [1, 3.17).
//!
//! MPI is one Xeon X5650 with six cores (twelve processes), CPU-GPU that and one Fermi C2070.

/// Table IV, exp on [1, 2): what, one core, six cores.
pub(super) const TABLE_IV: [(&str, f64, f64); 3] = [
    ("polynomial generation", 43_300.81, 5_251.53),
    ("Lefèvre's search", 36_816.10, 5_292.67),
    ("regular search", 34_039.94, 4_716.97),
];

/// A column of table V: exponent of the binade of exp, or `None` for sin on [1/2, 1); MPI and
/// CPU-GPU of each row.
pub(super) struct TableV {
    pub(super) exponent: Option<i32>,
    pub(super) generation: [f64; 2],
    pub(super) lefevre: [f64; 2],
    /// MPI is left out where it takes too long
    pub(super) regular: (Option<f64>, f64),
}

const fn table_v(
    exponent: Option<i32>,
    generation: [f64; 2],
    lefevre: [f64; 2],
    regular: (Option<f64>, f64),
) -> TableV {
    TableV { exponent, generation, lefevre, regular }
}

/// Table V.
pub(super) const TABLE_V: [TableV; 4] = [
    table_v(Some(0), [5_336.81, 785.14], [5_292.67, 2_446.78], (Some(4_716.96), 711.8)),
    table_v(Some(4), [8_475.11, 1_619.72], [29_595.04, 14_009.58], (None, 7_766.16)),
    table_v(Some(7), [11_243.26, 1_612.03], [169_911.90, 57_021.67], (None, 47_356.01)),
    table_v(None, [5_469.77, 1_065.01], [5_408.10, 2_758.05], (None, 895.37)),
];

/// Arguments and seconds of phases 1 to 3 on the GPU.
type Phases = [(f64, f64); 3];

/// Table VI: exponent of the binade of exp; Lefèvre's search, and the regular one.
pub(super) const TABLE_VI: [(i32, Phases, Phases); 2] = [
    (
        0,
        [(9.01e15, 2_372.60), (3.19e13, 61.31), (7.65e10, 11.02)],
        [(9.01e15, 583.97), (1.62e14, 91.41), (5.14e11, 35.17)],
    ),
    (
        7,
        [(9.01e15, 2_750.58), (8.97e15, 21_162.87), (9.55e14, 33_106.43)],
        [(9.01e15, 1_726.06), (9.01e15, 20_872.52), (9.00e14, 24_756.96)],
    ),
];

/// A column of table VII: exponent of the binade of exp, or `None` for log; polynomial generation,
/// Lefèvre's search, the regular search, by CPU and GPU together.
pub(super) struct TableVii {
    pub(super) exponent: Option<i32>,
    pub(super) generation: f64,
    pub(super) lefevre: f64,
    pub(super) regular: f64,
}

impl TableVii {
    /// Generation's share, with a search of so many seconds.
    pub(super) fn share_with(&self, search: f64) -> f64 {
        self.generation / (self.generation + search)
    }
}

const fn column(exponent: Option<i32>, generation: f64, lefevre: f64, regular: f64) -> TableVii {
    TableVii { exponent, generation, lefevre, regular }
}

/// Table VII.
pub(super) const TABLE_VII: [TableVii; 10] = [
    column(None, 1_293.15, 13_015.16, 12_566.92),
    column(Some(-1), 1_029.84, 3_287.35, 1_060.72),
    column(Some(0), 785.14, 2_446.78, 711.8),
    column(Some(1), 910.58, 3_104.59, 1_061.39),
    column(Some(2), 1_240.63, 3_901.89, 1_777.57),
    column(Some(3), 1_239.36, 6_768.26, 3_691.28),
    column(Some(4), 1_619.72, 14_009.58, 7_766.16),
    column(Some(5), 2_282.22, 20_175.37, 16_359.27),
    column(Some(6), 2_891.29, 31_484.65, 29_124.52),
    column(Some(7), 2_961.42, 57_021.67, 47_356.01),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Quotients that the papers print must come out of what is copied here.
    #[test]
    fn printed_quotients() {
        let printed = [1.04, 3.10, 3.44, 2.93, 2.20, 1.83, 1.80, 1.23, 1.08, 1.20];
        for (column, printed) in TABLE_VII.iter().zip(printed) {
            let quotient = column.lefevre / column.regular;
            // some are cut and some are rounded
            assert!((quotient - printed).abs() < 0.01, "{:?}: {quotient}", column.exponent);
        }
        for ((what, one, six), printed) in TABLE_IV.iter().zip([8.25, 6.96, 7.22]) {
            assert!((one / six - printed).abs() < 0.01, "{what}");
        }
        let printed = [[6.74, 2.16, 7.44], [5.23, 2.11, 3.81], [6.97, 2.98, 3.59], [5.14, 1.96, 6.04]];
        for (column, [generation, lefevre, regular]) in TABLE_V.iter().zip(printed) {
            for (quotient, printed) in [
                (column.generation[0] / column.generation[1], generation),
                (column.lefevre[0] / column.lefevre[1], lefevre),
                (column.lefevre[0] / column.regular.1, regular),
            ] {
                assert!((quotient - printed).abs() < 0.06, "{:?}: {quotient} for {printed}", column.exponent);
            }
        }
    }

    /// Table VI's times are table VII's searches, a little more for what lies between the phases.
    #[test]
    fn phases_make_the_searches() {
        for (exponent, lefevre, regular) in &TABLE_VI {
            let column = TABLE_VII.iter().find(|column| column.exponent == Some(*exponent)).unwrap();
            for (phases, whole) in [(lefevre, column.lefevre), (regular, column.regular)] {
                let sum: f64 = phases.iter().map(|(_, seconds)| seconds).sum();
                assert!((sum / whole - 1.0).abs() < 0.005, "{exponent}: {sum} of {whole}");
                assert!(phases.iter().all(|(arguments, _)| *arguments <= 2f64.powi(53) * 1.001));
            }
        }
    }
}
