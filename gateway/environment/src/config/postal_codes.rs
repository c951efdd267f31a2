//! The service that knows the address of a postal code.

use std::time::Duration;

use super::Variables;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PostalCodeService {
    /// The sandbox knows a few codes.
    Sandbox,
    /// A service with ViaCEP's API at this address.
    Url(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostalCodesConfig {
    /// `RAZAO_POSTAL_CODES`: the address of a service with ViaCEP's API, such as `https://viacep.com.br/ws`; `sandbox`
    /// (the default in development, not allowed in production); or `none` (the default in production). With `none`,
    /// only the state of a code is known.
    pub service: Option<PostalCodeService>,
    /// `RAZAO_POSTAL_CODE_TIMEOUT_MS`, default 10000: how long to wait for the service's answer.
    pub timeout: Duration,
}

impl PostalCodesConfig {
    pub(super) fn read(variables: &mut Variables<'_>) -> Self {
        let name = "RAZAO_POSTAL_CODES";
        let url = variables.get(name).filter(|text| text.contains("://"));
        let service = match url {
            Some(url)
                if url.starts_with("https://") || (url.starts_with("http://") && !variables.production()) =>
            {
                Some(PostalCodeService::Url(url))
            }
            Some(_) => {
                variables.fault(name, "is not an address such as https://viacep.com.br/ws");
                None
            }
            None => variables.sandbox_or_none(name, PostalCodeService::Sandbox),
        };
        Self {
            service,
            timeout: variables.timeout("RAZAO_POSTAL_CODE_TIMEOUT_MS"),
        }
    }
}
