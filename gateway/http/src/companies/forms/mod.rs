//! The forms about companies. The rules over several fields are in `gateway_platform::companies`.

mod change;
mod create;
mod parts;
#[cfg(test)]
mod tests;

pub use change::{BusinessChange, OwnBusinessChange};
pub use create::{NewSellerAndBusiness, Owner};
pub use parts::{AddressForm, BankAccountForm, NewBankAccount};

use crate::shared::form::{form, line, optional};

/// The limit of most reasons.
const REASON_CHARACTERS_MAX: usize = 500;

form! {
    /// The second person's answer to a requested approval.
    pub struct BusinessDecisionAnswer {
        /// Required for a rejection.
        #[example = "Documentos conferidos."]
        reason: Option<String> = optional(line(REASON_CHARACTERS_MAX)),
    }
}
