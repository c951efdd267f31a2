//! Staff create a company with its seller user, or for an existing one.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::roles::SellerRole;
use gateway_identity::users::{
    ActingUser, NewSeller, NewTeamMember, StaffCaller, UserError, team_access_grant, team_member_create,
};
use gateway_platform::companies::{
    Approval, NewBusiness, address_put, business_create, company_with_document_exists, receiving_plan_active,
    receiving_plan_default,
};
use gateway_platform::plans::{PlanRecord, assignment_add, plan_fetch, solution_plans_lock};
use gateway_platform::validity::{Since, set_business_now};
use ledger_domain::ids::UserId;
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, PlanId};
use serde_json::json;
use tokio_postgres::GenericClient;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::read_detail;
use crate::AppState;
use crate::companies::bodies::detail::BusinessDetail;
use crate::companies::bodies::new_business::{
    NewSellerAndBusiness, Owner, ValidNewBusiness, document_known_problem,
};
use crate::companies::save::{DestinationMark, add_bank_account, write_audit};
use crate::edge::{IdempotentJson, PanelUrl, Tx};
use crate::problem::{Problem, Result};
use crate::users::emails::EmailRecipient;

/// Create a company
///
/// Also creates the seller user who owns it, or gives it to the user of `seller_id`. The company is pending until staff
/// decide on it. In errors, the fields of a part have its prefix: `seller.`, `business.`, `address.` or
/// `bank_account.`.
#[utoipa::path(
    post, path = "/admin/sellers/create", tag = "businesses",
    responses(
        (status = 201, body = BusinessDetail),
        (status = 422, description = "Invalid values, by field; or a known document; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn create_seller_and_business(
    State(state): State<AppState>,
    staff: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    IdempotentJson { body, idempotency }: IdempotentJson<NewSellerAndBusiness>,
) -> Result<Response> {
    let form = body.read(state.clock.today())?;
    let password_hash = match &form.owner {
        Owner::New { password, .. } => state.accounts.passwords.hash(password).await?,
        Owner::Existing(_) => String::new(),
    };
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    staff.lock_and_check_allowed(&*tx).await?;
    let id = create_company(&state, &*tx, Actor::Admin(staff.id), &form).await?;
    let sellers_url = state.config.hosts.seller_url(&panel_url);
    give_to_owner(
        &state,
        &mut tx,
        staff,
        (id, &form.owner),
        &password_hash,
        &sellers_url,
    )
    .await?;
    let detail = read_detail(&*tx, id).await?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &detail)
        .await?;
    tx.commit().await?;
    Ok(answer)
}

async fn create_company(
    state: &AppState,
    client: &impl GenericClient,
    actor: Actor,
    form: &ValidNewBusiness,
) -> Result<BusinessId> {
    if company_with_document_exists(client, form.document.unmasked()).await? {
        return Err(document_known_problem(&form.document));
    }
    let id = BusinessId::from_uuid(state.ids.new_uuid());
    let business = NewBusiness {
        id,
        name: form.name.clone(),
        document: form.document.clone(),
        statement_descriptor: form.statement_descriptor.clone(),
        receiving_plan_id: receiving_plan(client, form.receiving_plan_id).await?,
        approval: Approval::Pending,
        profile: form.profile.clone(),
        created_at: Since::At(state.clock.now()),
    };
    // Another request may have added the document since the check.
    business_create(client, &business)
        .await
        .map_err(|error| match error.code() {
            Some(&SqlState::UNIQUE_VIOLATION) => document_known_problem(&form.document),
            _ => error.into(),
        })?;
    let after = json!({
        "name": form.name, "document": form.document.unmasked(), "approval": Approval::Pending.as_str(),
        "statement_descriptor": form.statement_descriptor, "receiving_plan_id": business.receiving_plan_id,
        "version": 1,
    });
    write_audit(client, actor, id, "create", None, Some(after)).await?;
    address_put(client, id, state.ids.new_uuid(), &form.address).await?;
    let address = Some(form.address.as_json());
    write_audit(client, actor, id, "add-address", None, address).await?;
    if let Some(account) = &form.bank_account {
        // Withdrawals to a new destination are marked for staff for some days, also those to the first one.
        let new = (state.ids.new_uuid(), DestinationMark::read(state, client).await?);
        // The owners get no e-mail about this account: the company is new, so it replaces no other account.
        let _email = add_bank_account(client, actor, id, new, account.clone()).await?;
    }
    if !form.plans.is_empty() {
        // Other changes that take several of these locks take them in this order. So two changes cannot deadlock.
        for solution in Solution::ALL {
            solution_plans_lock(client, *solution).await?;
        }
    }
    let now = state.clock.now();
    let since = set_business_now(client, now).await?;
    for (solution, plan) in &form.plans {
        check_plan(client, *solution, *plan, now).await?;
        assignment_add(client, id, *solution, Some(*plan), since).await?;
        let after = json!({ "solution": solution.number(), "plan_id": plan.to_string() });
        write_audit(client, actor, id, "assign-plan", None, Some(after)).await?;
    }
    Ok(id)
}

async fn receiving_plan(client: &impl GenericClient, chosen: Option<Uuid>) -> Result<Uuid> {
    let field = "business.receiving_plan_id";
    match chosen {
        Some(plan) if receiving_plan_active(client, plan).await? => Ok(plan),
        Some(_) => Err(Problem::field(field, "Escolha um plano de recebimento ativo.")),
        None => receiving_plan_default(client)
            .await?
            .ok_or_else(|| Problem::field(field, "Escolha um plano de recebimento.")),
    }
}

/// The plan must be active, for the solution, and have a version in force. Without one the company could not sell,
/// because an assigned plan hides the solution's default plan.
async fn check_plan(
    client: &impl GenericClient,
    solution: Solution,
    plan: PlanId,
    now: DateTime<Utc>,
) -> Result<()> {
    let plan = plan_fetch(client, plan, now).await?;
    let usable = |plan: &PlanRecord| plan.active && plan.solution == solution && plan.current.is_some();
    plan.filter(usable)
        .map(drop)
        .ok_or_else(|| Problem::field("plans", "Escolha planos ativos e em vigor, um por solução."))
}

/// Gives an existing user access as an owner, or creates the owner and sends a welcome e-mail.
async fn give_to_owner(
    state: &AppState,
    tx: &mut Tx,
    staff: StaffCaller,
    (company, owner): (BusinessId, &Owner),
    password_hash: &str,
    sellers_url: &str,
) -> Result<()> {
    let by = ActingUser::Staff(staff);
    let (name, email, document) = match owner {
        Owner::Existing(seller) => {
            let granted = team_access_grant(&**tx, by, *seller, company, SellerRole::Owner).await;
            return granted.map_err(|error| match error {
                UserError::Unknown => Problem::field("seller_id", "Usuário não encontrado."),
                other => other.into(),
            });
        }
        Owner::New {
            name,
            email,
            document,
            ..
        } => (name, email, document),
    };
    let id = UserId::from_uuid(state.ids.new_uuid());
    let new = NewTeamMember {
        seller: NewSeller {
            id,
            name,
            email,
            password_hash,
            document,
            active: true,
        },
        role: SellerRole::Owner,
        companies: [company].into(),
    };
    team_member_create(&**tx, by, &new).await?;
    let recipient = EmailRecipient {
        audience: Audience::Seller,
        user: id,
        panel_url: sellers_url,
        caused_by: staff.id,
    };
    recipient.welcome(state, tx, email).await
}
