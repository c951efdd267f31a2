//! What the program knows of an adapter before it is connected. Each adapter declares its own, and `ACQUIRERS` lists
//! them.

use gateway_environment::config::{AcquirerConfig, AcquirerContract, AcquirerServer};
use ledger_domain::sale::{PaymentType, Provider};
use thiserror::Error;

use crate::ACQUIRERS;
use crate::charge::ApiKey;
use crate::port::Acquirer;

pub struct Registration {
    pub contract: AcquirerContract,
    /// The folder of the sandbox that serves the contract, such as `zoop`.
    pub sandbox_folder: &'static str,
    /// The payment types for which it comes before the acquirers above it in `ACQUIRERS`, if staff have chosen no
    /// order.
    pub first_for: &'static [PaymentType],
    /// Makes the adapter for an acquirer at this address.
    pub adapter: MakeAdapter,
}

pub type MakeAdapter = fn(&AcquirerConfig, Address) -> Result<Box<dyn Acquirer>, ConnectError>;

/// The address of an acquirer without a slash at its end, and our key there.
pub struct Address {
    pub url: String,
    pub key: ApiKey,
}

#[derive(Debug, Error)]
pub enum ConnectError {
    #[error("a provider's client cannot be made: {0}")]
    Client(#[from] reqwest::Error),
    #[error("RAZAO_ACQUIRER_IUGU_SIGNING_KEY is not an RSA key in PKCS #8 and base64, of 2048 bits or more")]
    SigningKey,
}

impl Registration {
    /// `None` if the provider's contract has no adapter.
    pub fn of(provider: Provider) -> Option<&'static Self> {
        let mut all = ACQUIRERS.into_iter();
        all.find(|registration| registration.contract.provider == provider)
    }

    /// Connects to a configured acquirer. `sandbox` is the sandbox's address.
    pub fn connect(&self, config: &AcquirerConfig, sandbox: &str) -> Result<Box<dyn Acquirer>, ConnectError> {
        let url = match &config.server {
            AcquirerServer::Sandbox => format!("{sandbox}/{}", self.sandbox_folder),
            AcquirerServer::Url(url) => url.clone(),
        };
        let key = ApiKey(config.key.clone());
        (self.adapter)(config, Address { url, key })
    }
}

/// The contracts that the configuration reads.
pub fn contracts() -> Vec<AcquirerContract> {
    ACQUIRERS
        .iter()
        .map(|registration| registration.contract)
        .collect()
}

/// The order in which acquirers are asked to charge if staff have chosen none.
pub fn installation_order(payment_type: PaymentType) -> Vec<Provider> {
    let mut all = ACQUIRERS;
    all.sort_by_key(|registration| !registration.first_for.contains(&payment_type));
    all.iter()
        .map(|registration| registration.contract.provider)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_provider_is_registered_once_and_has_a_folder_of_the_sandbox() {
        for (at, registration) in ACQUIRERS.iter().enumerate() {
            let others = ACQUIRERS.iter().enumerate().filter(|(other, _)| *other != at);
            for (_, other) in others {
                assert_ne!(registration.contract.provider, other.contract.provider);
                assert_ne!(registration.sandbox_folder, other.sandbox_folder);
            }
        }
    }

    #[test]
    fn the_installation_order_puts_the_acquirers_of_the_payment_type_first() {
        assert_eq!(
            installation_order(PaymentType::Pix)[..2],
            [Provider::Zoop, Provider::Iugu]
        );
        assert_eq!(
            installation_order(PaymentType::Credit)[..2],
            [Provider::Iugu, Provider::Zoop]
        );
        assert_eq!(installation_order(PaymentType::Boleto).len(), ACQUIRERS.len());
    }
}
