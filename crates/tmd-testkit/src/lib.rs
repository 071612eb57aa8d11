//! Generators, known answers and the backend conformance suite of the tmd workspace
