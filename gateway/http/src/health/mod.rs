//! Liveness, readiness and metrics for operators.

pub mod probes;
pub mod readiness;
