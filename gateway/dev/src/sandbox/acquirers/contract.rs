//! The APIs of acquirers that the sandbox serves. Each server declares its own, and `CONTRACTS` lists them.

use std::borrow::Cow;
use std::fmt;

use axum::Router;
use ledger_domain::sale::Provider;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::CONTRACTS;
use super::charge::SandboxCharge;
use super::charges::Charges;
use super::notices::ContractNotice;

/// The API by which a charge is created and shown.
#[derive(Clone, Copy)]
pub struct Contract(pub &'static Server);

pub struct Server {
    /// Its folder, and its name in the file of charges.
    pub name: &'static str,
    pub provider: Provider,
    pub router: fn(Charges) -> Router,
    /// A notice of the charge's state.
    pub notice: fn(&SandboxCharge) -> ContractNotice,
    /// Whether a charge that was canceled becomes paid by a late payment.
    pub takes_late_payments: bool,
    #[cfg(test)]
    pub suite: Expectations,
}

/// How the contract differs from others in the cases of the contract suite.
#[cfg(test)]
pub struct Expectations {
    /// An order names the address of its notices.
    pub takes_notice_url: bool,
    /// A boleto has a PIX code of the same charge.
    pub adds_pix_to_boletos: bool,
    /// An unpaid PIX can be canceled.
    pub cancels_pix: bool,
    /// A card can ask for a 3-D Secure challenge.
    pub challenges: bool,
    /// The charge of a sale is found in a list of charges.
    pub searches_lists: bool,
    /// A repeated change is answered like the first, so the adapter may request it twice.
    pub repeats_safely: bool,
    /// The last part of the path that refunds a PIX.
    pub refund_path: &'static str,
    /// A notice about something else than a charge.
    pub unrelated_notice: &'static [u8],
}

impl Contract {
    /// `None` if the sandbox has no API of the provider.
    pub fn of(provider: Provider) -> Option<Self> {
        CONTRACTS
            .into_iter()
            .find(|contract| contract.0.provider == provider)
    }
}

impl PartialEq for Contract {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Contract {}

impl fmt::Debug for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl Serialize for Contract {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

impl<'de> Deserialize<'de> for Contract {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        let known = CONTRACTS.into_iter().find(|contract| contract.0.name == name);
        known.ok_or_else(|| D::Error::custom("not a contract of the sandbox"))
    }
}
