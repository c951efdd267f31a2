//! The acquirers that take payments online: those that this installation has configured, and which of them takes a
//! company's sales.

pub mod records;

use std::sync::OnceLock;

use gateway_acquirers::charge::SecretUrl;
use gateway_acquirers::port::Acquirer;
use gateway_acquirers::registration::installation_order;
use gateway_environment::config::{AcquirersConfig, Live, ProviderSecrets};
use ledger_domain::BusinessId;
use ledger_domain::sale::{PaymentType, Provider, Solution};
use tokio_postgres::{Error, GenericClient};

use records::{RouteKey, route_in_force};

/// The solutions whose sales the platform itself charges. Sales of the others are charged by the acquirer, and
/// reported.
pub const CHARGED_SOLUTIONS: [Solution; 1] = [Solution::PaymentLink];

/// The configured acquirers. They are set once the program has started, because the sandbox starts after the listeners.
#[derive(Default)]
pub struct Acquirers {
    adapters: OnceLock<Vec<Box<dyn Acquirer>>>,
    notice_addresses: OnceLock<NoticeAddresses>,
}

/// The addresses to which the configured acquirers send their notices. The secret in their paths may be replaced while
/// the program runs.
#[derive(Debug)]
pub struct NoticeAddresses {
    base: String,
    secrets: Live<ProviderSecrets>,
}

impl NoticeAddresses {
    /// Under `RAZAO_ACQUIRER_NOTICE_URL`, or else under `gateway_url`.
    pub fn of(config: &AcquirersConfig, gateway_url: Option<&str>) -> Option<Self> {
        let base = config.notice_url.as_deref().or(gateway_url)?;
        Some(Self {
            base: base.to_owned(),
            secrets: config.notice_secrets.clone(),
        })
    }

    /// `None` if the acquirer has no secret for notices.
    pub fn url(&self, provider: Provider) -> Option<SecretUrl> {
        let secrets = self.secrets.get();
        let secret = std::str::from_utf8(secrets.current(provider)?).ok()?;
        let url = format!("{}/api/webhooks/{}/{secret}", self.base, provider.slug());
        Some(SecretUrl(url))
    }
}

impl Acquirers {
    /// Sets the adapters, and the addresses that notices come to. A second call changes nothing.
    pub fn set(&self, adapters: Vec<Box<dyn Acquirer>>, notices: Option<NoticeAddresses>) {
        if let Some(notices) = notices {
            let _already_set = self.notice_addresses.set(notices);
        }
        let _already_set = self.adapters.set(adapters);
    }

    pub fn of(&self, provider: Provider) -> Option<&dyn Acquirer> {
        self.all().find(|acquirer| acquirer.provider() == provider)
    }

    pub fn all(&self) -> impl Iterator<Item = &dyn Acquirer> {
        self.adapters.get().into_iter().flatten().map(Box::as_ref)
    }

    /// The address for this acquirer's notices, which the request of a charge names. `None` if there is none: staff
    /// then enter one in the acquirer's own panel.
    pub fn notice_url(&self, provider: Provider) -> Option<SecretUrl> {
        self.of(provider)?;
        self.notice_addresses.get()?.url(provider)
    }

    /// The origins that a checkout's page calls with card data, each once.
    pub fn token_origins(&self) -> Vec<String> {
        let tokens = self.all().filter_map(Acquirer::card_tokens);
        let mut origins: Vec<String> = tokens.map(|tokens| tokens.origin).collect();
        origins.sort();
        origins.dedup();
        origins
    }

    /// The configured acquirers that support the payment type in a checkout.
    pub fn supporting(&self, payment_type: PaymentType) -> Vec<Provider> {
        self.all()
            .filter(|acquirer| acquirer.payment_types().contains(&payment_type))
            .map(Acquirer::provider)
            .collect()
    }

    /// The acquirers for the company's sales by payment links, in the order in which they are asked. Empty: the payment
    /// type cannot be offered.
    pub async fn route(
        &self,
        client: &impl GenericClient,
        business_id: BusinessId,
        payment_type: PaymentType,
    ) -> Result<Vec<Provider>, Error> {
        let key = RouteKey {
            solution: Solution::PaymentLink,
            payment_type,
        };
        let chosen = route_in_force(client, key, business_id).await?;
        Ok(self.usable(payment_type, chosen.as_deref()))
    }

    /// Leaves out the acquirers that are no longer configured, or do not support the payment type. No other acquirer
    /// replaces them, because staff chose the list. If staff have chosen no list, the installation's order applies.
    pub fn usable(&self, payment_type: PaymentType, chosen: Option<&[Provider]>) -> Vec<Provider> {
        in_order(payment_type, chosen, &self.supporting(payment_type))
    }
}

fn in_order(
    payment_type: PaymentType,
    chosen: Option<&[Provider]>,
    supporting: &[Provider],
) -> Vec<Provider> {
    let mut order = chosen.map_or_else(|| installation_order(payment_type), <[Provider]>::to_vec);
    order.retain(|provider| supporting.contains(provider));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_acquirers_that_support_the_type_are_asked_in_the_chosen_order() {
        use Provider::{Barte, Iugu, Valori, Zoop};
        let pix = |chosen: Option<&[Provider]>, supporting: &[Provider]| {
            in_order(PaymentType::Pix, chosen, supporting)
        };
        let supporting = [Iugu, Valori, Zoop];
        assert_eq!(
            pix(Some(&[Valori, Barte, Zoop]), &supporting),
            [Valori, Zoop],
            "Barte is not among the supporting ones"
        );
        assert_eq!(
            pix(Some(&[Barte]), &supporting),
            [],
            "no other acquirer replaces it"
        );
        assert_eq!(pix(Some(&[]), &supporting), [], "staff chose none");
        assert_eq!(
            pix(None, &supporting),
            [Zoop, Iugu, Valori],
            "the installation's order of PIX"
        );
        assert_eq!(
            in_order(PaymentType::Credit, None, &[Valori, Iugu]),
            [Iugu, Valori],
            "the installation's order of cards"
        );
    }

    #[test]
    fn a_program_without_acquirers_has_no_routes_and_no_origins() {
        let none = Acquirers::default();
        assert!(none.token_origins().is_empty() && none.supporting(PaymentType::Pix).is_empty());
        assert_eq!(none.usable(PaymentType::Pix, Some(&[Provider::Zoop])), []);
        assert!(none.of(Provider::Zoop).is_none() && none.notice_url(Provider::Zoop).is_none());
    }
}
