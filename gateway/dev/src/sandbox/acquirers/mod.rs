//! The sandbox's acquirers for online payments: one list of charges, which four APIs create and show (`Contract`). Test
//! cards and the cents of the amount select an outcome or a failure to simulate (`CardOutcome`, `ChargeBehavior`).

mod barte;
mod behavior;
mod charge;
mod charges;
mod codes;
#[cfg(test)]
mod contract_suite;
mod controls;
mod iugu;
mod keys;
mod notices;
mod own;
mod past;
mod payouts;
mod receivables;
mod stored_charges;
mod tokens;
mod zoop;

use axum::Router;

pub use behavior::{CardOutcome, ChargeBehavior};
pub use charges::{ChargeOptions, Charges};
pub use past::{ChargeBook, PastCharge, PastMethod};

pub fn router(charges: Charges) -> Router {
    own::router(charges.clone())
        .merge(iugu::router(charges.clone()))
        .merge(zoop::router(charges.clone()))
        .merge(barte::router(charges.clone()))
        .merge(controls::router(charges))
}
