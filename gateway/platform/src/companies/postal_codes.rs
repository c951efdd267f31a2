//! The address of a postal code, from an HTTP service of ViaCEP's shape (`GET {url}/{code}/json/`).
//!
//! A stored address is used for 30 days. The latest unknown codes are kept in memory for a day.
//!
//! A public service blocks clients that ask too often. So a process has at most `POSTAL_QUESTIONS_MAX` questions under
//! way at a time, and a further one is `Unanswered`.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gateway_formats::plain_text;
use ledger_domain::documents::Cep;
use ledger_rows::{FromRow, execute, fetch_opt, params, row};
use ledger_store::Causes;
use lru::LruCache;
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio_postgres::{Error, GenericClient};

use crate::providers::calls;

/// How long a stored address is used. Streets are renamed rarely.
const KEPT_FOR: TimeDelta = TimeDelta::days(30);
/// How long a code counts as unknown. New codes are rare too, but a user who waits for one tries again soon.
const UNKNOWN_FOR: TimeDelta = TimeDelta::days(1);
/// The unknown codes in memory: about 1 MB.
const UNKNOWN_KEPT_MAX: NonZeroUsize = NonZeroUsize::new(10_000).expect("more than none");

/// The questions that may be under way.
pub const POSTAL_QUESTIONS_MAX: usize = 4;
/// An answer has about 300 bytes.
const ANSWER_BYTES_MAX: usize = 16 * 1024;

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PostalAddress {
        /// The street. It and the district are empty for a code that covers a whole town.
        pub address: String,
        pub district: String,
        pub city: String,
        pub state: String,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PostalAnswer {
    Found(PostalAddress),
    /// The service has no valid address of the code.
    Unknown,
    /// The service gave no usable answer, too many questions are under way, or no service is configured.
    Unanswered,
}

/// The client of the service.
#[derive(Debug, Clone)]
pub struct PostalCodes {
    client: reqwest::Client,
    /// The sandbox's address is known only once it listens.
    url: Arc<OnceLock<String>>,
    /// When the service answered that it does not know the code.
    unknown: Arc<Mutex<LruCache<String, DateTime<Utc>>>>,
    places: Arc<Semaphore>,
}

#[derive(Debug, thiserror::Error)]
enum AskError {
    #[error(transparent)]
    Http(#[from] reqwest::Error),
    #[error("the answer is longer than {ANSWER_BYTES_MAX} bytes")]
    TooLong,
    #[error("the answer is not of the expected shape")]
    Shape(#[from] serde_json::Error),
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
    /// Until `set_service_url`, every question is `Unanswered`.
    pub fn new(timeout: Duration) -> Result<Self, reqwest::Error> {
        // It follows no redirects: a service that is taken over must not choose what this server calls.
        Ok(Self {
            client: calls::client(timeout)?,
            url: Arc::default(),
            unknown: Arc::new(Mutex::new(LruCache::sparse(UNKNOWN_KEPT_MAX))),
            places: Arc::new(Semaphore::new(POSTAL_QUESTIONS_MAX)),
        })
    }

    /// Sets the address of the service. Only the first address counts.
    pub fn set_service_url(&self, url: &str) {
        self.url.get_or_init(|| url.trim_end_matches('/').to_owned());
    }

    /// Asks the service, unless the code is kept as unknown. The caller holds no database connection during the call.
    pub async fn ask(&self, code: &Cep, now: DateTime<Utc>) -> PostalAnswer {
        let Some(url) = self.url.get() else {
            return PostalAnswer::Unanswered;
        };
        if self.is_unknown(code, now) {
            return PostalAnswer::Unknown;
        }
        let Ok(_place) = self.places.try_acquire() else {
            metrics::counter!("razao_postal_codes_unanswered_total").increment(1);
            return PostalAnswer::Unanswered;
        };
        match self.answer(&format!("{url}/{}/json/", code.unmasked())).await {
            Ok(answer) => {
                let answer = answer.read();
                if answer == PostalAnswer::Unknown {
                    self.keep_unknown(code, now);
                }
                answer
            }
            Err(error) => {
                metrics::counter!("razao_postal_codes_unanswered_total").increment(1);
                tracing::warn!(error = %Causes(&error), "the postal code service gave no usable answer");
                PostalAnswer::Unanswered
            }
        }
    }

    async fn answer(&self, url: &str) -> Result<ServiceAnswer, AskError> {
        let read = async {
            let mut response = self.client.get(url).send().await?.error_for_status()?;
            let mut body = vec![];
            while let Some(chunk) = response.chunk().await? {
                body.extend_from_slice(&chunk);
                if body.len() > ANSWER_BYTES_MAX {
                    return Ok(Err(AskError::TooLong));
                }
            }
            Ok(Ok(body))
        };
        let body = read.await.map_err(reqwest::Error::without_url)??;
        Ok(serde_json::from_slice(&body)?)
    }

    fn is_unknown(&self, code: &Cep, now: DateTime<Utc>) -> bool {
        let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        let answered_at = unknown.get(code.unmasked());
        answered_at.is_some_and(|answered_at| now - *answered_at < UNKNOWN_FOR)
    }

    fn keep_unknown(&self, code: &Cep, now: DateTime<Utc>) {
        let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        unknown.put(code.unmasked().to_owned(), now);
    }
}

impl ServiceAnswer {
    fn read(self) -> PostalAnswer {
        let is_state = |text: &String| ledger_domain::documents::State::parse(text).is_ok();
        let city = self.localidade.map(|city| printable(&city));
        let city = city.filter(|city| !city.is_empty());
        match (city, self.uf.filter(is_state)) {
            (Some(city), Some(state)) => PostalAnswer::Found(PostalAddress {
                address: printable(&self.logradouro),
                district: printable(&self.bairro),
                city,
                state,
            }),
            _ => PostalAnswer::Unknown,
        }
    }
}

/// The service's texts fill a form whose fields take 120 characters.
fn printable(text: &str) -> String {
    let printable = plain_text::clean(text);
    let printable: String = printable.chars().filter(|c| !c.is_control()).take(120).collect();
    printable.trim().to_owned()
}

/// The stored address of a code, if it is not too old.
pub async fn postal_address_fetch(
    client: &impl GenericClient,
    code: &Cep,
    now: DateTime<Utc>,
) -> Result<Option<PostalAddress>, Error> {
    let sql = format!(
        "SELECT {} FROM postal_code WHERE postal_code = $1 AND found_at > $2",
        PostalAddress::COLUMNS
    );
    fetch_opt(client, &sql, params![code.unmasked(), now - KEPT_FOR]).await
}

/// Stores an address, in place of an older one of the code.
pub async fn postal_address_keep(
    client: &impl GenericClient,
    code: &Cep,
    found: &PostalAddress,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = "INSERT INTO postal_code (postal_code, address, district, city, state, found_at)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (postal_code) DO UPDATE
                  SET address = excluded.address, district = excluded.district, city = excluded.city,
                      state = excluded.state, found_at = excluded.found_at";
    let code = code.unmasked();
    let parameters = params![code, found.address, found.district, found.city, found.state, now];
    execute(client, sql, parameters).await.map(drop)
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
            r#"{"localidade":"\u0001","uf":"SP"}"#,
        ] {
            assert_eq!(read(unknown), PostalAnswer::Unknown, "{unknown}");
        }
    }
}
