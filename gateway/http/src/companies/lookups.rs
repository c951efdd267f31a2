//! Looks up the banks, and the address of a postal code, for forms about companies. For users of both panels.

use axum::extract::State as FromState;
use axum::http::StatusCode;
use gateway_platform::companies::{
    PostalAddress, PostalAnswer, banks, postal_address_fetch, postal_address_keep,
};
use ledger_domain::documents::{Cep, State};
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::edge::{Id, Json, PathParam};
use crate::problem::{Problem, Result};

#[derive(Debug, Serialize, ToSchema)]
pub struct Options {
    /// Ordered by code.
    pub banks: Vec<BankOption>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BankOption {
    /// COMPE code.
    #[schema(example = "341")]
    pub code: String,
    #[schema(example = "ITAÚ UNIBANCO S.A.")]
    pub name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PostalCodeAnswer {
    pub response: PostalCodeAddress,
    /// False if the service gave no answer. Then only the state is known, from the range of the postal code.
    pub complete: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PostalCodeAddress {
    /// The street. Empty for a code that covers a whole town, and if `complete` is false.
    #[schema(example = "Praça da Sé")]
    pub address: String,
    /// Empty if `complete` is false.
    #[schema(example = "São Paulo")]
    pub city: String,
    /// Empty for a code that covers a whole town, and if `complete` is false.
    #[schema(example = "Sé")]
    pub district: String,
    #[schema(example = "SP")]
    pub state: String,
}

/// List the options of forms
///
/// Every bank with its COMPE code.
#[utoipa::path(get, path = "/options", tag = "options", responses((status = 200, body = Options)))]
pub(crate) async fn get_options() -> Json<Options> {
    let option = |bank: &gateway_platform::companies::Bank| BankOption {
        code: bank.code.clone(),
        name: bank.name.clone(),
    };
    Json(Options {
        banks: banks().iter().map(option).collect(),
    })
}

/// Find the address of a postal code
///
/// If the service of postal codes gives no answer, returns the state only, and `complete` is false.
#[utoipa::path(
    get, path = "/postalcode/{postalCode}", tag = "options",
    responses(
        (status = 200, body = PostalCodeAnswer),
        (status = 404, description = "The postal code is invalid or does not exist; `state` is that of its range"),
        (status = 503, description = "The service gives no answer, and the code's range has no state"),
    )
)]
pub(crate) async fn find_postal_code(
    FromState(state): FromState<AppState>,
    Id(PostalCode(code)): Id<PostalCode>,
) -> Result<Json<PostalCodeAnswer>> {
    let code = code.ok_or_else(|| {
        let message = "CEP inválido. Confira os 8 números.";
        Problem::new(StatusCode::NOT_FOUND, message)
    })?;
    let now = state.clock.now();
    if let Some(kept) = postal_address_fetch(&*state.db().await?, &code, now).await? {
        return Ok(Json(complete(kept)));
    }
    match state.postal_codes.ask(&code, now).await {
        PostalAnswer::Found(found) => {
            postal_address_keep(&*state.db().await?, &code, &found, now).await?;
            Ok(Json(complete(found)))
        }
        PostalAnswer::Unknown => Err(unknown(&code)),
        PostalAnswer::Unanswered => {
            let known = code.state().ok_or_else(Problem::unavailable)?;
            Ok(Json(PostalCodeAnswer {
                response: PostalCodeAddress {
                    address: String::new(),
                    city: String::new(),
                    district: String::new(),
                    state: known.as_str().to_owned(),
                },
                complete: false,
            }))
        }
    }
}

/// The state is known also of a code that the service does not know.
fn unknown(code: &Cep) -> Problem {
    let hint = "Confira o número ou preencha o endereço.";
    let message = match code.state() {
        Some(state) => format!(
            "O CEP {code} não é conhecido. Pelo número, ele é de {}. {hint}",
            state.as_str()
        ),
        None => format!("O CEP {code} não é conhecido. {hint}"),
    };
    Problem {
        state: code.state().map(State::as_str),
        ..Problem::new(StatusCode::NOT_FOUND, message)
    }
}

fn complete(found: PostalAddress) -> PostalCodeAnswer {
    PostalCodeAnswer {
        response: PostalCodeAddress {
            address: found.address,
            city: found.city,
            district: found.district,
            state: found.state,
        },
        complete: true,
    }
}

/// A CEP in a path, with or without its mask. `None` if the text is no CEP.
#[derive(Debug)]
pub struct PostalCode(pub Option<Cep>);

impl PathParam for PostalCode {
    const NOUN: &'static str = "postal code";
    const EXAMPLE: &'static str = "01001-000";
    const DESCRIPTION: Option<&'static str> = Some("CEP, with or without its mask.");

    fn parse(text: &str) -> Option<Self> {
        Some(Self(Cep::parse(text).ok()))
    }
}
