//! Companies for staff: the details of one company here, the list and changes in the submodules.

pub mod addresses;
pub mod bank_accounts;
pub mod change;
pub mod create;
pub mod list;
pub mod options;

use axum::extract::State;
use gateway_identity::users::{SellerFilter, seller_list};
use gateway_platform::companies::{
    addresses_of, bank_accounts_of, company_fetch, plans_in_force, terminals_owned,
};
use ledger_domain::BusinessId;
use projections::sales::{SaleFilter, sale_list};
use projections::{Paging, SortOrder};
use tokio_postgres::GenericClient;

use super::bodies::BusinessType;
use super::bodies::detail::{
    AssignedPlan, BusinessAddress, BusinessBankAccount, BusinessDetail, BusinessProfile, BusinessTerminal,
    BusinessUser,
};
use crate::AppState;
use crate::edge::{Id, Json};
use crate::problem::{Problem, Result};
use crate::sales::bodies::list::SaleRow;

const USERS: Paging = Paging {
    page: 1,
    per_page: 50,
};
const LATEST_SALES: Paging = Paging { page: 1, per_page: 5 };

/// Get a company
///
/// With its addresses, bank accounts, plans, terminals, users and latest sales.
#[utoipa::path(
    get, path = "/admin/businesses/{id}", tag = "businesses",
    responses((status = 200, body = BusinessDetail))
)]
pub(crate) async fn get_business(
    State(state): State<AppState>,
    Id(id): Id<BusinessId>,
) -> Result<Json<BusinessDetail>> {
    business_detail(&state, id).await.map(Json)
}

/// Like `read_detail`, with a connection of the pool.
pub(crate) async fn business_detail(state: &AppState, id: BusinessId) -> Result<BusinessDetail> {
    read_detail(&*state.db().await?, id).await
}

/// Reads the company's details. The client may be the transaction of a change: then the details include the change.
pub(crate) async fn read_detail(client: &impl GenericClient, id: BusinessId) -> Result<BusinessDetail> {
    let company = company_fetch(client, id).await?.ok_or_else(Problem::not_found)?;
    let with_access = SellerFilter {
        business_id: Some(id),
        order: SortOrder::Asc,
        ..SellerFilter::default()
    };
    let users = seller_list(client, &with_access, USERS).await?.rows;
    let of_company = SaleFilter {
        business_id: Some(id),
        ..SaleFilter::default()
    };
    let sales = sale_list(client, &of_company, LATEST_SALES).await?.rows;
    let addresses = addresses_of(client, id).await?;
    let accounts = bank_accounts_of(client, id).await?;
    let plans = plans_in_force(client, id).await?;
    let terminals = terminals_owned(client, id).await?;
    Ok(BusinessDetail {
        id: id.to_string(),
        version: company.version,
        r#type: BusinessType::of(company.is_person),
        approval: company.approval.as_str().to_owned(),
        profile: BusinessProfile::of(&company),
        name: company.name,
        document: company.document,
        statement_descriptor: company.statement_descriptor,
        receiving_plan: company.receiving_plan.into(),
        addresses: addresses
            .into_iter()
            .map(|one| BusinessAddress::of(id, one))
            .collect(),
        bank_accounts: accounts.into_iter().map(BusinessBankAccount::from).collect(),
        plans: plans.into_iter().map(AssignedPlan::from).collect(),
        terminals: terminals.into_iter().map(BusinessTerminal::from).collect(),
        users: users
            .into_iter()
            .filter_map(|user| BusinessUser::of(id, user))
            .collect(),
        latest_sales: sales.into_iter().map(SaleRow::from).collect(),
        created_at: company.created_at,
    })
}
