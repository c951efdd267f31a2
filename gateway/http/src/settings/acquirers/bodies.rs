//! The bodies of the acquirers' settings. They contain no keys, accounts or secrets.

use chrono::{DateTime, Utc};
use gateway_environment::config::{AcquirerConfig, AcquirerServer};
use ledger_domain::BusinessId;
use ledger_domain::sale::{PaymentType, Provider};
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::schemas::Word;

ledger_domain::words! {
    /// sandbox: the simulator for development. test: the acquirer's test mode, in which no money moves. live: the real
    /// acquirer.
    pub enum AcquirerMode {
        Sandbox = "sandbox",
        Test = "test",
        Live = "live",
    }
}

ledger_domain::words! {
    /// installation: no list of staff is in force, so the installation's order applies. all: the list of all companies.
    /// company: the company's own list.
    pub enum AcquirerRouteSource {
        Installation = "installation",
        All = "all",
        Company = "company",
    }
}

pub type AcquirerModeWord = Word<AcquirerMode>;
pub type AcquirerRouteSourceWord = Word<AcquirerRouteSource>;

/// The configured acquirers, and the route of each payment type: for all companies, or for one.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcquirerSettings {
    pub acquirers: Vec<ConfiguredAcquirer>,
    pub routes: Vec<AcquirerRoute>,
    /// The companies that have their own lists, in the order of their names. At most 500.
    pub companies: Vec<RoutedBusiness>,
}

/// An acquirer that this installation has configured.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConfiguredAcquirer {
    #[schema(example = "zoop")]
    pub provider: &'static str,
    #[schema(example = "Zoop")]
    pub label: &'static str,
    pub mode: AcquirerModeWord,
    /// The host of its server. Null for the sandbox.
    #[schema(required = true, example = "api.zoop.ws")]
    pub host: Option<String>,
    /// The payment types that it supports in a checkout: credit, pix, boleto.
    #[schema(example = json!(["pix", "boleto"]))]
    pub payment_types: Vec<&'static str>,
}

/// The route of a solution's sales by a payment type: the list of acquirers that are asked to charge them.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcquirerRoute {
    /// 4 payment link.
    #[schema(example = 4)]
    pub solution: u8,
    /// credit, pix or boleto.
    #[schema(example = "pix")]
    pub payment_type: &'static str,
    pub source: AcquirerRouteSourceWord,
    /// In the order in which they are asked. Empty: the payment type is not offered.
    pub acquirers: Vec<RoutedAcquirer>,
    /// UTC instant since which the list is in force. Null if `source` is installation.
    #[schema(required = true)]
    pub valid_from: Option<DateTime<Utc>>,
    /// The name of the user who set the list, if it is known. Null if `source` is installation.
    #[schema(required = true, example = "Regina Duque")]
    pub set_by: Option<String>,
    /// Grows with each change of the requested list: the company's own list if a company is requested, else the list of
    /// all companies. An edit sends the revision that it started from.
    #[schema(example = 0)]
    pub revision: i32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RoutedAcquirer {
    #[schema(example = "zoop")]
    pub provider: &'static str,
    #[schema(example = "Zoop")]
    pub label: &'static str,
    /// False if the acquirer is not configured or does not take the payment type. It is then not asked.
    pub usable: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RoutedBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
}

impl ConfiguredAcquirer {
    pub fn of(config: &AcquirerConfig, payment_types: &[PaymentType]) -> Self {
        Self {
            provider: config.provider.slug(),
            label: config.provider.label(),
            mode: match (&config.server, config.test) {
                (AcquirerServer::Sandbox, _) => AcquirerMode::Sandbox,
                (AcquirerServer::Url(_), true) => AcquirerMode::Test,
                (AcquirerServer::Url(_), false) => AcquirerMode::Live,
            }
            .into(),
            host: match &config.server {
                AcquirerServer::Sandbox => None,
                AcquirerServer::Url(url) => host(url).map(str::to_owned),
            },
            payment_types: payment_types.iter().map(|each| each.as_str()).collect(),
        }
    }
}

/// The configuration has checked that the address has a scheme and a host.
fn host(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split('/').next()
}

impl RoutedAcquirer {
    pub fn of(provider: Provider, usable: bool) -> Self {
        Self {
            provider: provider.slug(),
            label: provider.label(),
            usable,
        }
    }
}

impl RoutedBusiness {
    pub fn of(id: BusinessId, name: &str) -> Self {
        Self {
            id: id.to_string(),
            name: name.to_owned(),
        }
    }
}
