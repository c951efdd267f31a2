//! Reads the form of a list of acquirers.

use gateway_platform::acquirers::records::RouteKey;
use gateway_platform::acquirers::{Acquirers, CHARGED_SOLUTIONS};
use gateway_platform::links::PAYMENT_TYPES;
use ledger_domain::BusinessId;
use ledger_domain::sale::{PaymentType, Provider, Solution};

use super::bodies::AcquirerRouteForm;
use crate::edge::FormErrors;
use crate::problem::Result;

#[derive(Debug, PartialEq, Eq)]
pub struct RouteChange {
    pub key: RouteKey,
    pub business_id: Option<BusinessId>,
    /// `None` withdraws the list.
    pub providers: Option<Vec<Provider>>,
    pub revision: i32,
}

pub fn read(form: AcquirerRouteForm, acquirers: &Acquirers) -> Result<RouteChange> {
    let mut errors = FormErrors::default();
    let solution = form.solution.and_then(|number| u8::try_from(number).ok());
    let solution = solution.and_then(|number| Solution::from_number(number).ok());
    let solution = solution.filter(|solution| CHARGED_SOLUTIONS.contains(solution));
    if solution.is_none() {
        errors.add("solution", "Escolha uma solução da lista.");
    }
    let payment_type = form.payment_type.as_deref();
    let payment_type = PAYMENT_TYPES
        .into_iter()
        .find(|each| Some(each.as_str()) == payment_type);
    if payment_type.is_none() {
        errors.add("payment_type", "Escolha uma forma de pagamento da lista.");
    }
    let business_id = match form.business_id.as_deref().map(str::parse::<BusinessId>) {
        None => None,
        Some(Ok(id)) => Some(id),
        Some(Err(_)) => {
            errors.add("business_id", UNKNOWN_COMPANY);
            None
        }
    };
    let providers = match form.acquirers {
        None => {
            errors.add("acquirers", "requerido");
            None
        }
        Some(None) => None,
        Some(Some(names)) => {
            let read = read_acquirers(&names, payment_type, acquirers);
            read.map_err(|message| errors.add("acquirers", &message)).ok()
        }
    };
    if form.revision.is_none() {
        errors.add("revision", "requerido");
    }
    errors.finish()?;
    Ok(RouteChange {
        key: RouteKey {
            // Missing or unknown values were reported above.
            solution: solution.unwrap_or(Solution::PaymentLink),
            payment_type: payment_type.unwrap_or(PaymentType::Pix),
        },
        business_id,
        providers,
        revision: form.revision.unwrap_or_default(),
    })
}

pub const UNKNOWN_COMPANY: &str = "Empresa não encontrada.";

fn read_acquirers(
    names: &[String],
    payment_type: Option<PaymentType>,
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
        if let Some(payment_type) = payment_type
            && !acquirer.payment_types().contains(&payment_type)
        {
            return Err(format!("{label} não recebe {}.", payment_type.label()));
        }
        providers.push(provider);
    }
    Ok(providers)
}
