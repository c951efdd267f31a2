//! Companies for staff: the details of one company here, the list and changes in the submodules.

pub mod addresses;
pub mod bank_accounts;
pub mod change;
pub mod create;
pub mod list;

use axum::extract::State;
use gateway_identity::users::{SellerFilter, seller_list};
use gateway_platform::companies::{
    addresses_of, bank_accounts_of, company_fetch, documents_missing, plans_in_force, terminals_owned,
};
use ledger_domain::BusinessId;
use projections::sales::{SaleFilter, sale_list};
use projections::{Paging, SortOrder};
use tokio_postgres::GenericClient;

use super::bodies::detail::{
    AssignedPlan, BusinessAddress, BusinessBankAccount, BusinessDetail, BusinessProfile, BusinessTerminal,
    BusinessUser,
};
use super::decisions::decisions_of;
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
    read_detail(&state, &*state.db().await?, id).await.map(Json)
}

/// Reads the company's details. The client may be the transaction of a change: then the details include the change.
pub(crate) async fn read_detail(
    state: &AppState,
    client: &impl GenericClient,
    id: BusinessId,
) -> Result<BusinessDetail> {
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
    let settings = state.settings_at(client, state.clock.now()).await?;
    let missing = documents_missing(client, &settings, &company).await?;
    let (decision, pending_decision) = decisions_of(client, id).await?;
    Ok(BusinessDetail {
        id: id.to_string(),
        version: company.version,
        r#type: company.business_type.into(),
        approval: company.approval,
        missing_documents: missing,
        decision,
        pending_decision,
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
