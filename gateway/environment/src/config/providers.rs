//! The secrets of the providers that sign their notices (`Config::providers`).

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
