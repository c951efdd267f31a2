//! The access of seller users to companies. Changes are written with their audit entries, whose subject is the user.

use std::collections::HashMap;

use gateway_environment::request_context;
use gateway_platform::companies::companies_by_id;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde_json::{Value, json};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::authority::{AccessPlan, Accesses};
use crate::audit::{Actor, Change, record};
use crate::roles::SellerRole;

/// The accesses of each of these users. Users without any are not in the map.
pub(super) async fn accesses_of(
    client: &impl GenericClient,
    users: &[UserId],
) -> Result<HashMap<UserId, Accesses>, Error> {
    let ids: Vec<Uuid> = users.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT seller_id, business_id, role_id FROM business_access WHERE seller_id = ANY ($1)",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    let mut accesses: HashMap<UserId, Accesses> = HashMap::new();
    for row in &rows {
        // A role that only a newer version of the program knows permits nothing.
        if let Some(role) = SellerRole::from_id(row.get(2)) {
            let of_user = accesses.entry(UserId::from_uuid(row.get(0))).or_default();
            of_user.insert(BusinessId::from_uuid(row.get(1)), role);
        }
    }
    Ok(accesses)
}

/// The companies to which a seller user has access.
pub async fn companies_of_seller(
    client: &impl GenericClient,
    seller: UserId,
) -> Result<Vec<BusinessId>, Error> {
    let rows = client
        .query_typed(
            "SELECT business_id FROM business_access WHERE seller_id = $1 ORDER BY business_id",
            &[(&seller.uuid(), Type::UUID)],
        )
        .await?;
    Ok(rows.iter().map(|row| BusinessId::from_uuid(row.get(0))).collect())
}

/// Grants access to a company, or changes the role in it. Only for the demo and tests: it takes no lock.
pub async fn access_upsert(
    client: &impl GenericClient,
    actor: Actor,
    seller: UserId,
    business: BusinessId,
    role: SellerRole,
) -> Result<(), Error> {
    let present = accesses_of(client, &[seller])
        .await?
        .remove(&seller)
        .unwrap_or_default();
    let wanted = Accesses::from([(business, role)]);
    let plan = match present.get(&business) {
        Some(before) if *before == role => return Ok(()),
        Some(_) => AccessPlan {
            changed: wanted,
            ..AccessPlan::default()
        },
        None => AccessPlan {
            granted: wanted,
            ..AccessPlan::default()
        },
    };
    access_change(client, actor, seller, &present, &plan).await
}

/// Applies the plan. `present` holds the accesses for which the plan was made.
pub(super) async fn access_change(
    client: &impl GenericClient,
    actor: Actor,
    seller: UserId,
    present: &Accesses,
    plan: &AccessPlan,
) -> Result<(), Error> {
    if plan.is_empty() {
        return Ok(());
    }
    upsert_accesses(client, seller, plan).await?;
    delete_accesses(client, seller, plan).await?;
    let companies: Vec<BusinessId> = plan.companies().copied().collect();
    let named = companies_by_id(client, &companies).await?;
    let audit_value = |business: BusinessId, role: Option<SellerRole>| -> Option<Value> {
        let name = named.get(&business).map(|company| company.name.as_str());
        role.map(
            |role| json!({ "business_id": business.to_string(), "business": name, "role": role.as_str() }),
        )
    };
    let after = plan.applied_to(present);
    for business in companies {
        let (before, now) = (present.get(&business).copied(), after.get(&business).copied());
        let action = match (before, now) {
            (None, _) => "grant-access",
            (_, None) => "remove-access",
            _ => "change-access",
        };
        let change = Change {
            action,
            subject: "seller_user",
            subject_id: &seller.to_string(),
            before: audit_value(business, before),
            after: audit_value(business, now),
        };
        record(client, actor, change).await?;
    }
    Ok(())
}

async fn upsert_accesses(
    client: &impl GenericClient,
    seller: UserId,
    plan: &AccessPlan,
) -> Result<(), Error> {
    let (companies, roles): (Vec<Uuid>, Vec<i16>) = plan
        .granted
        .iter()
        .chain(&plan.changed)
        .map(|(business, role)| (business.uuid(), role.id()))
        .unzip();
    client
        .execute_typed(
            "INSERT INTO business_access (seller_id, business_id, role_id, granted_at)
             SELECT $1, wanted.*, $4 FROM unnest($2::uuid[], $3::int2[]) AS wanted
             ON CONFLICT (seller_id, business_id) DO UPDATE SET role_id = excluded.role_id",
            &[
                (&seller.uuid(), Type::UUID),
                (&companies, Type::UUID_ARRAY),
                (&roles, Type::INT2_ARRAY),
                (&request_context::now(), Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

async fn delete_accesses(
    client: &impl GenericClient,
    seller: UserId,
    plan: &AccessPlan,
) -> Result<(), Error> {
    let companies: Vec<Uuid> = plan.removed.keys().map(|business| business.uuid()).collect();
    client
        .execute_typed(
            "DELETE FROM business_access WHERE seller_id = $1 AND business_id = ANY ($2)",
            &[(&seller.uuid(), Type::UUID), (&companies, Type::UUID_ARRAY)],
        )
        .await
        .map(drop)
}
