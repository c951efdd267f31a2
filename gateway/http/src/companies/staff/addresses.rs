//! Staff change the addresses of a company.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::{lock_version, save_address};
use ledger_domain::BusinessId;

use super::read_detail;
use crate::companies::bodies::detail::BusinessDetail;
use crate::companies::forms::AddressForm;
use crate::companies::{AddressId, editor};
use crate::edge::{Id, Ids};
use crate::problem::Result;
use crate::shared::change::{Change, Changed};
use crate::shared::form::{Form, IdempotentForm};

/// Add an address to a company
#[utoipa::path(
    post, path = "/admin/businesses/{id}/addresses", tag = "businesses",
    responses(
        (status = 201, body = BusinessDetail),
        (status = 409, description = "The company was changed since `version`; or it has 20 addresses"),
    )
)]
pub(crate) async fn create_address(
    Id(id): Id<BusinessId>,
    change: Change<StaffCaller, IdempotentForm<AddressForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            lock_version(&**work, id, form.version).await?;
            save_address(&**work, editor(work), id, None, &form.address).await?;
            Ok(Changed::recorded(read_detail(&work.state, &**work, id).await?))
        })
        .await
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
    Ids(id, AddressId(address)): Ids<BusinessId, AddressId>,
    change: Change<StaffCaller, Form<AddressForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            lock_version(&**work, id, form.version).await?;
            save_address(&**work, editor(work), id, Some(address), &form.address).await?;
            Ok(Changed::recorded(read_detail(&work.state, &**work, id).await?))
        })
        .await
}
