//! Seller users of all companies for staff.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::users::{SellerFilter, seller_batch, seller_list, seller_record};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use crate::AppState;
use crate::edge::{Db, FromQuery, Id, Json, Paging, Query, QueryReader};
use crate::openapi::params_of;
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};
use crate::users::bodies::seller_user::{StaffSellerUser, StaffSellerUserPage};
use crate::users::query;
use crate::users::query::NameOrderParam;
use crate::users::spreadsheets::SELLER_USERS;

/// List seller users
///
/// Users of all companies, by name. A spreadsheet has all users that match the filter.
#[utoipa::path(
    get, path = "/admin/sellers", tag = "sellers",
    responses((status = 200, body = StaffSellerUserPage))
)]
pub async fn list_sellers(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(SellerQuery { filter, paging }): Query<SellerQuery>,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = seller_list(&*db, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging);
            let data = page.rows.into_iter().map(StaffSellerUser::from).collect();
            Ok(Json(StaffSellerUserPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => file.respond(&SELLER_USERS, all_users(state, filter)).await,
    }
}

/// Get a seller user
#[utoipa::path(
    get, path = "/admin/sellers/{id}", tag = "sellers",
    responses((status = 200, body = StaffSellerUser))
)]
pub async fn get_seller_user(Id(id): Id<UserId>, db: Db) -> Result<Json<StaffSellerUser>> {
    find_user(&*db, id).await.map(Json)
}

/// Reads the user again, after a change.
pub async fn find_user(client: &impl GenericClient, person: UserId) -> Result<StaffSellerUser> {
    let record = seller_record(client, person).await?;
    record.map(StaffSellerUser::from).ok_or_else(Problem::not_found)
}

fn all_users(state: AppState, filter: SellerFilter) -> impl Stream<Item = Result<Vec<StaffSellerUser>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = seller_batch(&*db, &filter, after, PAGE_ROWS).await?;
            let rows = batch.rows.into_iter().map(StaffSellerUser::from).collect();
            Ok((rows, batch.next))
        }
    })
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct SellerParams {
    /// Part of the name, of the e-mail or of the CPF. Case, accents and masks are ignored.
    #[param(example = "ana", max_length = 120)]
    search: Option<String>,
    /// 1 for active users only, 0 for inactive users only. Both if left out.
    #[param(minimum = 0, maximum = 1, example = 1)]
    active: Option<u8>,
    /// Only users with access to this company.
    business_id: Option<String>,
    /// Order by name; the default is asc.
    #[param(inline)]
    order: Option<NameOrderParam>,
}

pub struct SellerQuery {
    filter: SellerFilter,
    paging: Paging,
}

impl FromQuery for SellerQuery {
    fn params() -> Vec<Parameter> {
        [params_of::<SellerParams>(), Paging::params()].concat()
    }

    fn read(query: &mut QueryReader) -> Self {
        let filter = SellerFilter {
            business_id: query.parsed("business_id", "Deve ser o id de uma empresa."),
            roles: vec![],
            search: query::search(query),
            active: query::active(query),
            order: query::order(query),
        };
        Self {
            filter,
            paging: Paging::read(query),
        }
    }
}
