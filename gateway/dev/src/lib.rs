//! Parts for development, tests and measurements, which production does not have: the embedded PostgreSQL, the demo's
//! story, the sandbox's acquirers and bank, the benchmarks, the torture trials (faults under load).
//!
//! The binary has them behind the feature `dev`.

pub mod bench;
pub mod demo;
pub mod embedded;
pub mod installation;
pub mod sandbox;
pub mod torture;
