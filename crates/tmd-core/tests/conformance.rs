//! The scalar backend through the conformance suite: engines, division thresholds and domain sizes.

use tmd_core::{Scalar, ScalarEngine, exist::Logms};
use tmd_testkit::conformance;

fn scalar(engine: ScalarEngine, logms: u32, domain_size: Option<u64>) -> Scalar {
    Scalar { engine, logms: Logms::new(logms).unwrap(), domain_size }
}

conformance!(exhaustive, scalar(ScalarEngine::Exhaustive, 0, None));
conformance!(exhaustive_17, scalar(ScalarEngine::Exhaustive, 0, Some(17)));
conformance!(regular, scalar(ScalarEngine::Regular, 0, None));
conformance!(regular_64, scalar(ScalarEngine::Regular, 64, None));
conformance!(regular_domains_of_1, scalar(ScalarEngine::Regular, 0, Some(1)));
conformance!(regular_domains_of_2, scalar(ScalarEngine::Regular, 3, Some(2)));
conformance!(regular_domains_of_15, scalar(ScalarEngine::Regular, 0, Some(15)));
conformance!(regular_domains_of_16, scalar(ScalarEngine::Regular, 0, Some(16)));
conformance!(regular_domains_of_1000, scalar(ScalarEngine::Regular, 0, Some(1000)));
conformance!(regular_one_domain, scalar(ScalarEngine::Regular, 0, Some(1 << 30)));
conformance!(lefevre, scalar(ScalarEngine::Lefevre, 0, None));
conformance!(lefevre_3, scalar(ScalarEngine::Lefevre, 3, None));
conformance!(lefevre_64, scalar(ScalarEngine::Lefevre, 64, Some(4096)));
conformance!(lefevre_domains_of_3, scalar(ScalarEngine::Lefevre, 0, Some(3)));
conformance!(lefevre_domains_of_17, scalar(ScalarEngine::Lefevre, 0, Some(17)));
conformance!(farey, scalar(ScalarEngine::Farey, 0, None));
conformance!(farey_domains_of_17, scalar(ScalarEngine::Farey, 0, Some(17)));
conformance!(farey_domains_of_1000, scalar(ScalarEngine::Farey, 0, Some(1000)));
conformance!(farey_one_domain, scalar(ScalarEngine::Farey, 0, Some(1 << 30)));
