//! The providers' secrets: `RAZAO_PROVIDER_<NAME>_SECRETS`, for example `RAZAO_PROVIDER_ZOOP_V2_SECRETS`. A variable
//! has one secret, or two during a rotation (`current,previous`). A provider without a secret is not set up, and its
//! notices are rejected. In development such providers get derived secrets.

use ledger_domain::sale::Provider;

use super::{Keys, ProviderSecrets, Variables};

pub(super) fn read(variables: &mut Variables<'_>, keys: &Keys) -> ProviderSecrets {
    let mut secrets = if variables.production() {
        ProviderSecrets::default()
    } else {
        ProviderSecrets::derived(keys.refresh.reveal())
    };
    for provider in Provider::ALL {
        let name = format!("RAZAO_PROVIDER_{}_SECRETS", provider.slug().to_ascii_uppercase());
        if let Some(Err(error)) = variables.get(&name).map(|text| secrets.set(*provider, &text)) {
            variables.fault(&name, &format!("is invalid: {error}"));
        }
    }
    secrets
}
