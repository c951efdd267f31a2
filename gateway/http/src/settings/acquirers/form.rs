//! The form of a list of acquirers.

use gateway_platform::acquirers::records::RouteKey;
use gateway_platform::acquirers::{Acquirers, CHARGED_SOLUTIONS};
use gateway_platform::links::PAYMENT_TYPES;
use ledger_domain::BusinessId;
use ledger_domain::sale::{PaymentType, Provider, Solution};
use serde_json::json;

use crate::problem::{Problem, Result};
use crate::shared::form::{form, given, int32, required, required_nullable};

pub struct AcquirerRouteForm {
    pub key: RouteKey,
    /// `None`: all companies.
    pub business_id: Option<BusinessId>,
    /// The names of the acquirers. `None` withdraws the list.
    acquirers: Option<Vec<String>>,
    pub revision: i32,
}

form! {
    /// A new list of acquirers, in force from now.
    impl FromBody for AcquirerRouteForm {
        /// The company with its own list. Null: all companies.
        #[example = json!(null)]
        business_id: Option<BusinessId> = required_nullable(given::<String, String>().then(company), "requerido"),
        /// 4 payment link. The platform charges the sales of no other solution.
        #[example = 4]
        solution: Solution = required(given::<i64, i64>().then(solution), SOLUTION_INVALID),
        /// credit, pix or boleto.
        #[example = "pix"]
        payment_type: PaymentType = required(given::<String, String>().then(payment_type), PAYMENT_TYPE_INVALID),
        /// In the order in which they are asked. Empty: the payment type is not offered. Null withdraws the list. A company
        /// without its own list has the list of all companies; if that is missing too, the installation's order applies.
        #[example = json!(["zoop", "iugu"])]
        acquirers: Option<Vec<String>> = required_nullable(given::<Vec<String>, Vec<String>>(), "requerido"),
        /// The revision of the list that the edit started from.
        #[example = 0]
        revision: i32 = required(int32(), "requerido"),
    } => Self {
        key: RouteKey { solution, payment_type },
        business_id,
        acquirers,
        revision,
    }
}

const SOLUTION_INVALID: &str = "Escolha uma solução da lista.";
const PAYMENT_TYPE_INVALID: &str = "Escolha uma forma de pagamento da lista.";
pub const UNKNOWN_COMPANY: &str = "Empresa não encontrada.";

fn company(id: String) -> Result<BusinessId, &'static str> {
    id.parse().map_err(|_| UNKNOWN_COMPANY)
}

fn solution(number: i64) -> Result<Solution, &'static str> {
    let found = CHARGED_SOLUTIONS
        .into_iter()
        .find(|solution| i64::from(solution.number()) == number);
    found.ok_or(SOLUTION_INVALID)
}

fn payment_type(word: String) -> Result<PaymentType, &'static str> {
    let found = PAYMENT_TYPES.into_iter().find(|each| each.as_str() == word);
    found.ok_or(PAYMENT_TYPE_INVALID)
}

impl AcquirerRouteForm {
    /// The acquirers of the list. `None` withdraws it.
    pub fn providers(&self, acquirers: &Acquirers) -> Result<Option<Vec<Provider>>> {
        let Some(names) = &self.acquirers else {
            return Ok(None);
        };
        let read = read_acquirers(names, self.key.payment_type, acquirers);
        read.map(Some)
            .map_err(|message| Problem::field("acquirers", &message))
    }
}

fn read_acquirers(
    names: &[String],
    payment_type: PaymentType,
    acquirers: &Acquirers,
) -> Result<Vec<Provider>, String> {
    let mut providers = vec![];
    for name in names {
        let provider = Provider::from_slug(name).map_err(|_| "Escolha adquirentes da lista.".to_owned())?;
        let label = provider.label();
        if providers.contains(&provider) {
            return Err(format!("{label} aparece duas vezes."));
        }
        let Some(acquirer) = acquirers.of(provider) else {
            return Err(format!("{label} não está configurada nesta instalação."));
        };
        if !acquirer.payment_types().contains(&payment_type) {
            return Err(format!("{label} não recebe {}.", payment_type.label()));
        }
        providers.push(provider);
    }
    Ok(providers)
}
