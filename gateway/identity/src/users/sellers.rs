//! Seller users, and the companies that each may act for.

use gateway_environment::request_context;
use gateway_environment::time_zone::TimeZone;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde_json::json;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::profile::{Theme, zone_of_column};
use super::{Credentials, UserError};
use crate::audit::{Actor, Change, record};
use crate::email_address::normalize_email;
use crate::roles::SellerRole;

pub struct NewSeller<'a> {
    pub id: UserId,
    pub name: &'a str,
    pub email: &'a str,
    /// Made by `credentials::passwords`.
    pub password_hash: &'a str,
    /// CPF, digits only.
    pub document: &'a str,
    pub active: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellerProfile {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub theme: Theme,
    /// The user's own choice. Without one, the tenant's zone applies.
    pub time_zone: Option<TimeZone>,
    pub businesses: Vec<SellerBusinessRow>,
    /// Whether the user wants an e-mail for each paid link.
    pub paid_link_emails: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellerBusinessRow {
    pub id: BusinessId,
    pub name: String,
    /// CPF or CNPJ, without its mask.
    pub document: String,
    /// `PF`, a natural person, or `PJ`, a company.
    pub business_type: String,
    pub statement_descriptor: Option<String>,
    pub role: SellerRole,
}

pub async fn seller_insert(
    client: &impl GenericClient,
    actor: Actor,
    seller: &NewSeller<'_>,
) -> Result<(), UserError> {
    let email = normalize_email(seller.email);
    client
        .execute(
            "INSERT INTO seller_user (id, name, email, password_hash, document, active, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                &seller.id.uuid(),
                &seller.name,
                &email,
                &seller.password_hash,
                &seller.document,
                &seller.active,
                &request_context::now(),
            ],
        )
        .await?;
    let change = Change {
        action: "create",
        subject: "seller_user",
        subject_id: &seller.id.to_string(),
        before: None,
        after: Some(json!({
            "name": seller.name, "email": email, "document": seller.document, "active": seller.active,
        })),
    };
    Ok(record(client, actor, change).await?)
}

pub async fn seller_credentials(
    client: &impl GenericClient,
    email: &str,
) -> Result<Option<Credentials>, Error> {
    let row = client
        .query_typed(
            "SELECT id, password_hash, active FROM seller_user WHERE email = $1 AND deleted_at IS NULL",
            &[(&normalize_email(email), Type::TEXT)],
        )
        .await?;
    Ok(row.first().map(|row| Credentials {
        user_id: UserId::from_uuid(row.get(0)),
        password_hash: row.get(1),
        active: row.get(2),
    }))
}

pub async fn seller_profile(
    client: &impl GenericClient,
    seller: UserId,
) -> Result<Option<SellerProfile>, Error> {
    let rows = client
        .query_typed(
            "SELECT u.name, u.email, u.theme, u.time_zone,
                    b.id, b.name, b.document, b.type, b.statement_descriptor, a.role_id, u.paid_link_emails
               FROM seller_user u
               LEFT JOIN business_access a ON a.seller_id = u.id
               LEFT JOIN business b ON b.id = a.business_id
              WHERE u.id = $1 AND u.deleted_at IS NULL
              ORDER BY b.name, b.id",
            &[(&seller.uuid(), Type::UUID)],
        )
        .await?;
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let businesses = rows.iter().filter_map(|row| {
        Some(SellerBusinessRow {
            id: BusinessId::from_uuid(row.get::<_, Option<_>>(4)?),
            name: row.get(5),
            document: row.get(6),
            business_type: row.get(7),
            statement_descriptor: row.get(8),
            role: SellerRole::from_id(row.get(9))?,
        })
    });
    Ok(Some(SellerProfile {
        id: seller,
        name: first.get(0),
        email: first.get(1),
        theme: Theme::of_column(first.get(2)),
        time_zone: zone_of_column(first.get(3)),
        paid_link_emails: first.get(10),
        businesses: businesses.collect(),
    }))
}
