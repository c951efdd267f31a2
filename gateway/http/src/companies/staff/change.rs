//! Staff change a company: its data, and whether it is approved.

use axum::extract::State;
use gateway_identity::audit::Actor;
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::{Approval, CompanyFields, receiving_plan_active, terminals_owned};
use ledger_domain::sale::SaleStatus;
use ledger_domain::{BusinessId, Cents};
use ledger_store::log;
use projections::Paging;
use projections::sales::{SaleFilter, sale_list};
use tokio_postgres::GenericClient;

use super::business_detail;
use crate::AppState;
use crate::companies::bodies::change_form::BusinessChange;
use crate::companies::bodies::detail::BusinessDetail;
use crate::companies::save::{check_version, lock, save_fields};
use crate::edge::{Id, Json};
use crate::problem::{Problem, Result};

/// Update a company
///
/// Changes the given fields only. `approval` decides on the company: `enabled` releases the sales that were held while
/// it was not approved. A company with a balance that is not zero, open sales or terminals cannot be deleted.
#[utoipa::path(
    patch, path = "/admin/businesses/{id}", tag = "businesses",
    responses(
        (status = 200, body = BusinessDetail),
        (status = 409, description = "The company was changed since `version`, or it cannot be deleted; the message says what"),
    )
)]
pub(crate) async fn update_business(
    State(state): State<AppState>,
    staff: StaffCaller,
    Id(id): Id<BusinessId>,
    Json(form): Json<BusinessChange>,
) -> Result<Json<BusinessDetail>> {
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    let locked = lock(&*tx, id).await?;
    let before = &locked.fields;
    let after = form.read(before, locked.is_person, state.clock.today())?;
    check_version(&*tx, id, &locked, form.version.unwrap_or_default()).await?;
    check_rules(&*tx, id, before, &after).await?;
    save_fields(&*tx, Actor::Admin(staff.id), id, before, &after).await?;
    tx.commit().await?;
    if after.approval == Approval::Enabled && before.approval != Approval::Enabled {
        release_holds(&state, id).await;
    }
    business_detail(&state, id).await.map(Json)
}

async fn check_rules(
    client: &impl GenericClient,
    company: BusinessId,
    before: &CompanyFields,
    after: &CompanyFields,
) -> Result<()> {
    let plan = after.receiving_plan_id;
    if plan != before.receiving_plan_id && !receiving_plan_active(client, plan).await? {
        return Err(Problem::field(
            "receiving_plan_id",
            "Escolha um plano de recebimento ativo.",
        ));
    }
    if after.approval == Approval::Deleted && before.approval != Approval::Deleted {
        let blockers = deletion_blockers(client, company).await?;
        if !blockers.is_empty() {
            return Err(Problem::conflict(format!(
                "A empresa não pode ser deletada enquanto tiver: {}.",
                blockers.join(", ")
            )));
        }
    }
    Ok(())
}

/// The reasons why a company cannot be deleted.
async fn deletion_blockers(client: &impl GenericClient, company: BusinessId) -> Result<Vec<&'static str>> {
    let mut blockers = vec![];
    if let Some(head) = log::head(client, company).await? {
        let accounts = head.accounts;
        for (amount, what) in [
            (accounts.available, "saldo disponível"),
            (accounts.receivable, "saldo a receber"),
            (accounts.in_transfer, "saques em andamento"),
            (accounts.held_by_staff, "saldo bloqueado"),
            (accounts.in_dispute, "vendas contestadas"),
        ] {
            if amount != Cents::ZERO {
                blockers.push(what);
            }
        }
    }
    let open = SaleFilter {
        business_id: Some(company),
        statuses: vec![SaleStatus::New, SaleStatus::Created, SaleStatus::Pending],
        ..SaleFilter::default()
    };
    let one = Paging { page: 1, per_page: 1 };
    if !sale_list(client, &open, one).await?.rows.is_empty() {
        blockers.push("vendas em aberto");
    }
    if !terminals_owned(client, company).await?.is_empty() {
        blockers.push("maquininhas");
    }
    Ok(blockers)
}

/// The job `release of holds` also releases them, so a failure here only delays the release and is logged.
async fn release_holds(state: &AppState, company: BusinessId) {
    if let Err(error) = state.hold_release().release(company).await {
        tracing::warn!(%error, %company, "the holds of an approved company wait for the job");
    }
}
