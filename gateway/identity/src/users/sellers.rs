//! Seller users, and the companies that each may act for.

use gateway_environment::request_context;
use gateway_environment::time_zone::TimeZone;
use gateway_platform::companies::BusinessType;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_rows::{FromRow, fetch, params, row};
use serde_json::json;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::profile::{Theme, zone_of_column};
use super::{Credentials, UserError};
use crate::audit::{Actor, Change, record};
use crate::email_address::normalize_email;
use crate::roles::SellerRole;

#[derive(Debug, Clone, Copy)]
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
    pub business_type: BusinessType,
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
            "INSERT INTO seller_user (id, name, email, password_hash, document, active, created_at, email_since)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
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
    let sql = format!(
        "SELECT {} FROM seller_user u
           LEFT JOIN business_access a ON a.seller_id = u.id
           LEFT JOIN business b ON b.id = a.business_id
          WHERE u.id = $1 AND u.deleted_at IS NULL
          ORDER BY b.name, b.id",
        ProfileRow::COLUMNS
    );
    let rows: Vec<ProfileRow> = fetch(client, &sql, params![seller]).await?;
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    Ok(Some(SellerProfile {
        id: seller,
        name: first.name.clone(),
        email: first.email.clone(),
        theme: Theme::of_column(&first.theme),
        time_zone: zone_of_column(first.time_zone.as_deref()),
        paid_link_emails: first.paid_link_emails,
        businesses: rows.into_iter().filter_map(ProfileRow::business).collect(),
    }))
}

row! {
    /// A user with one of the user's companies, if there is one.
    struct ProfileRow {
        name: String = "u.name",
        email: String = "u.email",
        theme: String = "u.theme",
        time_zone: Option<String> = "u.time_zone",
        paid_link_emails: bool = "u.paid_link_emails",
        business_id: Option<BusinessId> = "b.id",
        business_name: Option<String> = "b.name",
        document: Option<String> = "b.document",
        business_type: Option<BusinessType> = "b.type",
        statement_descriptor: Option<String> = "b.statement_descriptor",
        role_id: Option<i16> = "a.role_id",
    }
}

impl ProfileRow {
    fn business(self) -> Option<SellerBusinessRow> {
        Some(SellerBusinessRow {
            id: self.business_id?,
            name: self.business_name?,
            document: self.document?,
            business_type: self.business_type?,
            statement_descriptor: self.statement_descriptor,
            // A role that only a newer version of the program knows permits nothing.
            role: SellerRole::from_id(self.role_id?)?,
        })
    }
}
