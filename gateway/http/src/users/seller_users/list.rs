//! All seller users, for staff.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::users::{Search, SellerFilter, seller_export_page, seller_list, seller_record};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use projections::SortOrder;
use tokio_postgres::GenericClient;

use crate::AppState;
use crate::edge::{Db, Id, Json, Paging, Query, query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};
use crate::users::bodies::seller_user::{StaffSellerUser, StaffSellerUserPage};
use crate::users::spreadsheets::SELLER_USERS;

/// List seller users
///
/// Users of all companies and users without a company, by name. A spreadsheet has all users that match the filter.
#[utoipa::path(
    get, path = "/admin/sellers", tag = "sellers",
    responses((status = 200, body = StaffSellerUserPage))
)]
pub(crate) async fn list_sellers(
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
pub(crate) async fn get_seller_user(Id(id): Id<UserId>, db: Db) -> Result<Json<StaffSellerUser>> {
    find_user(&*db, id).await.map(Json)
}

/// The user as it is now. A change reads it in its transaction.
pub(crate) async fn find_user(client: &impl GenericClient, user: UserId) -> Result<StaffSellerUser> {
    let record = seller_record(client, user).await?;
    record.map(StaffSellerUser::from).ok_or_else(Problem::not_found)
}

fn all_users(state: AppState, filter: SellerFilter) -> impl Stream<Item = Result<Vec<StaffSellerUser>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = seller_export_page(&*db, &filter, after, PAGE_ROWS).await?;
            let rows = batch.rows.into_iter().map(StaffSellerUser::from).collect();
            Ok((rows, batch.next))
        }
    })
}

pub struct SellerQuery {
    filter: SellerFilter,
    paging: Paging,
}

query! {
    impl FromQuery for SellerQuery {
        /// The beginnings of words of the name or the e-mail, or the beginning of the e-mail or the CPF. Case, accents
        /// and masks are ignored.
        #[example = "ana"]
        search: Option<Search>,
        /// 1 for active users only, 0 for inactive users only. Left out: both.
        #[example = 1]
        active: Option<bool>,
        /// Only users with access to this company.
        business_id: Option<BusinessId>,
        /// Order by name; the default is asc.
        order: SortOrder = SortOrder::Asc,
        paging: ..Paging,
    } => Self {
        filter: SellerFilter {
            business_id,
            roles: vec![],
            search,
            active,
            order,
        },
        paging,
    }
}
