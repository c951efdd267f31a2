//! Liveness, readiness and metrics for operators.

mod owners;
pub mod probes;
pub mod readiness;
pub mod slow_figures;
