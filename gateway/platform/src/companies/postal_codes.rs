//! The address of a postal code, from an HTTP service of ViaCEP's shape (`GET {url}/{code}/json/`).
//!
//! Answers are kept for a month. If the service does not answer, only the state is known, from the code's range.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use ledger_domain::documents::Cep;
use serde::Deserialize;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

/// Streets are renamed rarely.
const KEPT_FOR: TimeDelta = TimeDelta::days(30);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostalAddress {
    /// The street. Empty for a code that covers a whole town, like the district.
    pub address: String,
    pub district: String,
    pub city: String,
    pub state: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PostalAnswer {
    Found(PostalAddress),
    /// The service knows no such code.
    Unknown,
    /// The service did not answer, or none is configured.
    Unanswered,
}

/// The client of the service.
#[derive(Debug, Clone)]
pub struct PostalCodes {
    client: reqwest::Client,
    /// The sandbox's address is known only once it listens.
    url: Arc<OnceLock<String>>,
}

/// The service's answer. A code that does not exist has `erro` only.
#[derive(Debug, Deserialize)]
struct ServiceAnswer {
    #[serde(default)]
    logradouro: String,
    #[serde(default)]
    bairro: String,
    localidade: Option<String>,
    uf: Option<String>,
}

impl PostalCodes {
    /// Until `ask_at`, every question is `Unanswered`.
    pub fn new(timeout: Duration) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: reqwest::Client::builder().timeout(timeout).build()?,
            url: Arc::default(),
        })
    }

    /// Sets the address of the service. Only the first address counts.
    pub fn ask_at(&self, url: &str) {
        self.url.get_or_init(|| url.trim_end_matches('/').to_owned());
    }

    /// Asks the service. The caller holds no connection meanwhile.
    pub async fn ask(&self, code: &Cep) -> PostalAnswer {
        let Some(url) = self.url.get() else {
            return PostalAnswer::Unanswered;
        };
        let request = self.client.get(format!("{url}/{}/json/", code.digits()));
        let answer = async {
            request
                .send()
                .await?
                .error_for_status()?
                .json::<ServiceAnswer>()
                .await
        };
        match answer.await {
            Ok(answer) => answer.read(),
            Err(error) => {
                metrics::counter!("razao_postal_codes_unanswered_total").increment(1);
                tracing::warn!(error = %error.without_url(), "the postal code service did not answer");
                PostalAnswer::Unanswered
            }
        }
    }
}

impl ServiceAnswer {
    fn read(self) -> PostalAnswer {
        let is_state = |text: &String| ledger_domain::documents::State::parse(text).is_ok();
        match (self.localidade, self.uf.filter(is_state)) {
            (Some(city), Some(state)) if !city.trim().is_empty() => PostalAnswer::Found(PostalAddress {
                address: printable(&self.logradouro),
                district: printable(&self.bairro),
                city: printable(&city),
                state,
            }),
            _ => PostalAnswer::Unknown,
        }
    }
}

/// The service's texts fill a form whose fields take 120 characters.
fn printable(text: &str) -> String {
    let printable: String = text.chars().filter(|c| !c.is_control()).take(120).collect();
    printable.trim().to_owned()
}

/// An answer that is kept and not too old.
pub async fn postal_address_kept(
    client: &impl GenericClient,
    code: &Cep,
    now: DateTime<Utc>,
) -> Result<Option<PostalAddress>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT address, district, city, state FROM postal_code WHERE postal_code = $1 AND found_at > $2",
            &[
                (&code.digits(), Type::TEXT),
                (&(now - KEPT_FOR), Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(row.map(|row| PostalAddress {
        address: row.get(0),
        district: row.get(1),
        city: row.get(2),
        state: row.get(3),
    }))
}

pub async fn postal_address_keep(
    client: &impl GenericClient,
    code: &Cep,
    found: &PostalAddress,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO postal_code (postal_code, address, district, city, state, found_at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (postal_code) DO UPDATE
                SET address = excluded.address, district = excluded.district, city = excluded.city,
                    state = excluded.state, found_at = excluded.found_at",
            &[
                (&code.digits(), Type::TEXT),
                (&found.address, Type::TEXT),
                (&found.district, Type::TEXT),
                (&found.city, Type::TEXT),
                (&found.state, Type::TEXT),
                (&now, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> PostalAnswer {
        serde_json::from_str::<ServiceAnswer>(json)
            .expect("ViaCEP's shape")
            .read()
    }

    #[test]
    fn an_answer_of_the_service_is_an_address_or_an_unknown_code() {
        let found = PostalAddress {
            address: "Praça da Sé".to_owned(),
            district: "Sé".to_owned(),
            city: "São Paulo".to_owned(),
            state: "SP".to_owned(),
        };
        let json = r#"{"cep":"01001-000","logradouro":"Praça da Sé","complemento":"lado ímpar","bairro":"Sé",
                       "localidade":"São Paulo","uf":"SP","ibge":"3550308","ddd":"11"}"#;
        assert_eq!(read(json), PostalAnswer::Found(found));
        for unknown in [
            r#"{"erro":true}"#,
            r#"{"erro":"true"}"#,
            r#"{"localidade":"X","uf":"XX"}"#,
        ] {
            assert_eq!(read(unknown), PostalAnswer::Unknown, "{unknown}");
        }
    }
}
