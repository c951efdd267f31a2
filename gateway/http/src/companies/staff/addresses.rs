//! Staff change the addresses of a company.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audit::Actor;
use gateway_identity::users::StaffCaller;
use ledger_domain::BusinessId;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::{business_detail, read_detail};
use crate::AppState;
use crate::companies::bodies::detail::BusinessDetail;
use crate::companies::bodies::forms::{AddressForm, FormPart};
use crate::companies::save::{check_version, lock, save_address};
use crate::edge::{FormErrors, Id, IdempotentJson, Ids, Json};
use crate::problem::Result;

/// Add an address to a company
#[utoipa::path(
    post, path = "/admin/businesses/{id}/addresses", tag = "businesses",
    responses(
        (status = 201, body = BusinessDetail),
        (status = 409, description = "The company was changed since `version`; or it has 20 addresses"),
    )
)]
pub(crate) async fn create_address(
    State(state): State<AppState>,
    staff: StaffCaller,
    Id(id): Id<BusinessId>,
    IdempotentJson { body, idempotency }: IdempotentJson<AddressForm>,
) -> Result<Response> {
    let address = read(&body)?;
    let tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    staff.lock_and_check_allowed(&*tx).await?;
    lock_version(&*tx, id, body.version).await?;
    let new_id = state.ids.new_uuid();
    save_address(&*tx, Actor::Admin(staff.id), id, (None, new_id), &address).await?;
    let detail = read_detail(&*tx, id).await?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &detail)
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Update an address of a company
#[utoipa::path(
    patch, path = "/admin/businesses/{business_id}/addresses/{address_id}", tag = "businesses",
    responses(
        (status = 200, body = BusinessDetail),
        (status = 409, description = "The company was changed since `version`; the message says what"),
    )
)]
pub(crate) async fn update_address(
    State(state): State<AppState>,
    staff: StaffCaller,
    Ids(id, address_id): Ids<BusinessId, AddressId>,
    Json(body): Json<AddressForm>,
) -> Result<Json<BusinessDetail>> {
    let address = read(&body)?;
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    lock_version(&*tx, id, body.version).await?;
    let ids = (Some(address_id.0), address_id.0);
    save_address(&*tx, Actor::Admin(staff.id), id, ids, &address).await?;
    tx.commit().await?;
    business_detail(&state, id).await.map(Json)
}

/// Locks the company. A version in the request that is not the current one is a 409.
async fn lock_version(client: &impl GenericClient, company: BusinessId, read: Option<i32>) -> Result<()> {
    let locked = lock(client, company).await?;
    match read {
        Some(read) => check_version(client, company, &locked, read).await,
        None => Ok(()),
    }
}

/// Errors have the names of the address's fields, without a prefix.
pub fn read(form: &AddressForm) -> Result<gateway_platform::companies::Address> {
    let mut errors = FormErrors::default();
    let mut part = FormPart {
        errors: &mut errors,
        prefix: "",
    };
    let address = part.address(form);
    errors.finish()?;
    Ok(address)
}

/// The id of an address in a path.
#[derive(Debug, Clone, Copy)]
pub struct AddressId(pub Uuid);

impl crate::edge::PathParam for AddressId {
    const NOUN: &'static str = "address";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a";

    fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}
