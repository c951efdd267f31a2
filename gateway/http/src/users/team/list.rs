//! A company's users, for users who manage the company.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::roles::SellerRole;
use gateway_identity::sessions::SignedInSeller;
use gateway_identity::users::authority::Authority;
use gateway_identity::users::{
    Search, SellerFilter, SellerRecord, seller_export_page, seller_list, seller_record,
};
use ledger_domain::ids::UserId;
use projections::SortOrder;
use tokio_postgres::GenericClient;

use crate::AppState;
use crate::edge::{CurrentBusiness, CurrentSeller, Db, Id, Json, Paging, Query, query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};
use crate::users::bodies::seller_user::{SellerUser, SellerUserPage, Viewer};
use crate::users::spreadsheets::TEAM;

/// List the company's users
///
/// By name. A spreadsheet has all users that match the filter.
#[utoipa::path(get, path = "/business/users", tag = "team", responses((status = 200, body = SellerUserPage)))]
pub(crate) async fn list_business_users(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    business: CurrentBusiness,
    format: ResponseFormat,
    Query(TeamQuery { filter, paging }): Query<TeamQuery>,
) -> Result<Response> {
    let filter = SellerFilter {
        business_id: Some(business.id),
        ..filter
    };
    let viewer = Viewer::of(&seller, &business);
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = seller_list(&*db, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging);
            let data = page
                .rows
                .into_iter()
                .map(|row| SellerUser::for_viewer(row, &viewer))
                .collect();
            Ok(Json(SellerUserPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => file.respond(&TEAM, all_users(state, viewer, filter)).await,
    }
}

/// Get a user of the company
#[utoipa::path(
    get, path = "/business/users/{id}", tag = "team",
    responses((status = 200, body = SellerUser))
)]
pub(crate) async fn get_business_user(
    CurrentSeller(seller): CurrentSeller,
    business: CurrentBusiness,
    Id(id): Id<UserId>,
    db: Db,
) -> Result<Json<SellerUser>> {
    let record = team_member(&*db, &business, id).await?;
    let viewer = Viewer::of(&seller, &business);
    Ok(Json(SellerUser::for_viewer(record, &viewer)))
}

/// A user with access to the company. Users of other companies are a 404.
pub(crate) async fn team_member(
    client: &impl GenericClient,
    business: &CurrentBusiness,
    id: UserId,
) -> Result<SellerRecord> {
    seller_record(client, id)
        .await?
        .filter(|record| record.accesses().contains_key(&business.id))
        .ok_or_else(Problem::not_found)
}

impl Viewer {
    pub fn of(seller: &SignedInSeller, business: &CurrentBusiness) -> Self {
        let own = seller
            .accesses
            .iter()
            .map(|access| (access.business_id, access.role));
        Self {
            user: seller.id,
            authority: Authority::Seller(own.collect()),
            company: business.id,
        }
    }

    /// Reads the user after a change, in the transaction of the change.
    pub(crate) async fn find_user(&self, client: &impl GenericClient, user: UserId) -> Result<SellerUser> {
        let record = seller_record(client, user).await?;
        record
            .map(|record| SellerUser::for_viewer(record, self))
            .ok_or_else(Problem::not_found)
    }
}

fn all_users(
    state: AppState,
    viewer: Viewer,
    filter: SellerFilter,
) -> impl Stream<Item = Result<Vec<SellerUser>>> {
    let viewer = std::sync::Arc::new(viewer);
    pages(move |after| {
        let (state, filter, viewer) = (state.clone(), filter.clone(), std::sync::Arc::clone(&viewer));
        async move {
            let db = state.db().await?;
            let batch = seller_export_page(&*db, &filter, after, PAGE_ROWS).await?;
            let rows = batch
                .rows
                .into_iter()
                .map(|row| SellerUser::for_viewer(row, &viewer))
                .collect();
            Ok((rows, batch.next))
        }
    })
}

pub struct TeamQuery {
    filter: SellerFilter,
    paging: Paging,
}

query! {
    impl FromQuery for TeamQuery {
        /// Roles, comma-separated: owner, admin, operator.
        #[example = "admin,operator"]
        roles: Option<Vec<SellerRole>>,
        /// The beginnings of words of the name or the e-mail, or the beginning of the e-mail or the CPF. Case, accents
        /// and masks are ignored.
        #[example = "ana"]
        search: Option<Search>,
        /// 1 for active users only, 0 for inactive users only. Left out: both.
        #[example = 1]
        active: Option<bool>,
        /// Order by name; the default is asc.
        order: SortOrder = SortOrder::Asc,
        paging: ..Paging,
    } => Self {
        filter: SellerFilter {
            business_id: None,
            roles: roles.unwrap_or_default(),
            search,
            active,
            order,
        },
        paging,
    }
}
