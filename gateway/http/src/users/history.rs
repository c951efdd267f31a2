//! Histories of records from the audit log: actor, action, IP address, values before and after. `HistoryViewer` says what
//! a reader sees.

use std::collections::{BTreeSet, HashMap};

use gateway_identity::audit::Actor;
use gateway_identity::users::{
    AuditEntry, HistoryQuery, HistoryScope, HistoryViewer, admin_ever_existed, history_page,
    seller_ever_existed, user_names,
};
use ledger_domain::ids::UserId;
use projections::Page;
use tokio_postgres::GenericClient;

use super::bodies::history::{HistoryActor, HistoryActorKind, HistoryEntry, HistoryPage};
use super::bodies::seller_user::Viewer;
use super::team::team_member;
use crate::edge::{CurrentBusiness, Db, Id, Json, Paging, Query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;

/// List the history of a user of the company
///
/// Latest first. Changes of access are listed for the companies that the caller manages. Changes of the user's fields
/// and sign-ins are listed only if the caller manages the user in all of the user's companies, or is the user.
#[utoipa::path(
    get, path = "/business/users/{id}/history", tag = "team",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_business_user_history(
    business: CurrentBusiness,
    viewer: Viewer,
    Id(id): Id<UserId>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    let record = team_member(&*db, &business, id).await?;
    let can_manage = viewer.authority.can_manage(&record.accesses());
    let managed = viewer.authority.assigned_companies();
    let history = HistoryQuery {
        subject: "seller_user",
        subject_id: Some(&record.id.to_string()),
        scope: HistoryScope::Companies {
            companies: &managed,
            record_entries: can_manage || record.id == viewer.user,
        },
    };
    let reader = HistoryViewer::Seller {
        id: viewer.user,
        can_manage,
    };
    read(&*db, history, paging, reader).await.map(Json)
}

/// List the history of a seller user
///
/// Latest first. Deleted users are included.
#[utoipa::path(
    get, path = "/admin/sellers/{id}/history", tag = "sellers",
    responses(
        (status = 200, body = HistoryPage),
        (status = 404, description = "The user never existed"),
    )
)]
pub(crate) async fn list_seller_user_history(
    Id(id): Id<UserId>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    if !seller_ever_existed(&*db, id).await? {
        return Err(Problem::not_found());
    }
    staff_history(&db, "seller_user", Some(&id.to_string()), paging)
        .await
        .map(Json)
}

/// List the history of an admin user
///
/// Latest first. Deleted users are included.
#[utoipa::path(
    get, path = "/admin/users/{id}/history", tag = "staff",
    responses(
        (status = 200, body = HistoryPage),
        (status = 404, description = "The user never existed"),
    )
)]
pub(crate) async fn list_admin_user_history(
    Id(id): Id<UserId>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    if !admin_ever_existed(&*db, id).await? {
        return Err(Problem::not_found());
    }
    staff_history(&db, "admin_user", Some(&id.to_string()), paging)
        .await
        .map(Json)
}

/// The full history of one record, or of all records of a kind, for staff.
pub(crate) async fn staff_history(
    db: &Db,
    subject: &str,
    subject_id: Option<&str>,
    paging: Paging,
) -> Result<HistoryPage> {
    let history = HistoryQuery {
        subject,
        subject_id,
        scope: HistoryScope::All,
    };
    read(&**db, history, paging, HistoryViewer::Staff).await
}

async fn read(
    client: &impl GenericClient,
    history: HistoryQuery<'_>,
    paging: Paging,
    viewer: HistoryViewer,
) -> Result<HistoryPage> {
    let page: Page<AuditEntry> = history_page(client, history, paging.into()).await?;
    let meta = PageMeta::numbered(&page, paging);
    let user_ids: BTreeSet<UserId> = page
        .rows
        .iter()
        .filter_map(|entry| entry.actor.user_id())
        .collect();
    let user_ids: Vec<UserId> = user_ids.into_iter().collect();
    let names = user_names(client, viewer.audience(), &user_ids).await?;
    let entries = page.rows.into_iter().map(|entry| body_of(viewer, entry, &names));
    Ok(HistoryPage {
        data: entries.collect(),
        meta,
    })
}

fn body_of(viewer: HistoryViewer, entry: AuditEntry, names: &HashMap<UserId, String>) -> HistoryEntry {
    let address = entry.address.filter(|_| viewer.sees_address(entry.actor));
    HistoryEntry {
        id: entry.id.to_string(),
        at: entry.at,
        action: entry.action,
        actor: actor_of(viewer, entry.actor, &entry.subject_id, names),
        subject_id: entry.subject_id,
        address: address.map(|address| address.to_string()),
        before: entry.before,
        after: entry.after,
    }
}

fn actor_of(
    viewer: HistoryViewer,
    actor: Actor,
    subject_id: &str,
    names: &HashMap<UserId, String>,
) -> HistoryActor {
    let kind = match actor {
        Actor::Seller(_) => HistoryActorKind::Seller,
        Actor::Admin(_) => HistoryActorKind::Admin,
        Actor::System => HistoryActorKind::System,
    };
    let user = actor.user_id();
    let seen = user.filter(|_| viewer.sees_actor(actor));
    HistoryActor {
        kind,
        name: seen.and_then(|id| names.get(&id).cloned()),
        is_subject: user.is_some_and(|id| id.to_string() == subject_id),
        id: seen.map(|id| id.to_string()),
    }
}
