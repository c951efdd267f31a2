//! The sandbox's acquirers for online payments: one list of charges, which several APIs create and show (`Contract`). Test
//! cards and the cents of the amount select an outcome or a failure to simulate (`CardOutcome`, `ChargeBehavior`).

mod barte;
mod behavior;
mod charge;
mod charges;
mod codes;
mod contract;
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

use self::contract::Contract;

pub use behavior::{BrandTold, CardOutcome, ChargeBehavior};
pub use charges::{ChargeOptions, Charges};
pub use past::{ChargeBook, PastCharge, PastMethod};

/// The APIs that the sandbox serves.
const CONTRACTS: [Contract; 4] = [own::CONTRACT, iugu::CONTRACT, zoop::CONTRACT, barte::CONTRACT];

pub fn router(charges: Charges) -> Router {
    CONTRACTS
        .iter()
        .fold(controls::router(charges.clone()), |all, contract| {
            all.merge((contract.0.router)(charges.clone()))
        })
}
