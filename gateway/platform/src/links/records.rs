//! The rows of payment links: added, read and changed. The caller writes the audit log.

use chrono::{DateTime, Utc};
use ledger_domain::{BusinessId, Cents, PaymentLinkId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};

use super::{LinkFields, PaymentLink};
use crate::columns;
use crate::companies::{Approval, NamedCompany};

pub(super) const COLUMNS: &str = "l.id, b.id, b.name, b.document, l.code, l.description, l.amount, l.amount_min, \
     l.amount_max, l.payment_types, l.installments_max, l.payer, l.expires_on, l.use_limit, l.active, l.uses, \
     l.version, l.created_at, l.updated_at";

pub struct NewLink<'a> {
    pub id: PaymentLinkId,
    pub business_id: BusinessId,
    pub code: &'a str,
    pub fields: &'a LinkFields,
    pub created_at: DateTime<Utc>,
}

/// The company that a buyer pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSeller {
    /// The name under which buyers know the company: its trade name, or else its registered name.
    pub name: String,
    pub approval: Approval,
}

/// Adds a link. Returns false if another link has its code.
pub async fn link_create(client: &impl GenericClient, new: &NewLink<'_>) -> Result<bool, Error> {
    let fields = new.fields;
    let created = client
        .execute_typed(
            "INSERT INTO payment_link (id, business_id, code, description, amount, amount_min, amount_max,
                                       payment_types, installments_max, payer, expires_on, use_limit, active,
                                       created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)
             ON CONFLICT (code) DO NOTHING",
            &[
                (&new.id.uuid(), Type::UUID),
                (&new.business_id.uuid(), Type::UUID),
                (&new.code, Type::TEXT),
                (&fields.description, Type::TEXT),
                (&fields.amount.map(Cents::get), Type::INT8),
                (&fields.amount_min.map(Cents::get), Type::INT8),
                (&fields.amount_max.map(Cents::get), Type::INT8),
                (&payment_words(fields), Type::TEXT_ARRAY),
                (&i16::from(fields.installments_max), Type::INT2),
                (&fields.payer.as_str(), Type::TEXT),
                (&fields.expires_on, Type::DATE),
                (&fields.use_limit, Type::INT4),
                (&fields.active, Type::BOOL),
                (&new.created_at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(created > 0)
}

pub async fn link_fetch(
    client: &impl GenericClient,
    id: PaymentLinkId,
) -> Result<Option<PaymentLink>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM payment_link l JOIN business b ON b.id = l.business_id WHERE l.id = $1"
    );
    let row = client.query_typed_opt(&sql, &[(&id.uuid(), Type::UUID)]).await?;
    row.as_ref().map(link).transpose()
}

/// The link, locked until the end of the transaction.
pub async fn link_locked(
    client: &impl GenericClient,
    id: PaymentLinkId,
) -> Result<Option<PaymentLink>, Error> {
    // The statement after the lock reads what the last holder of the lock committed.
    client
        .query_typed(
            "SELECT FROM payment_link WHERE id = $1 FOR NO KEY UPDATE",
            &[(&id.uuid(), Type::UUID)],
        )
        .await?;
    link_fetch(client, id).await
}

/// The link of a public address, and its seller. The case of the code is ignored.
pub async fn link_by_code(
    client: &impl GenericClient,
    code: &str,
) -> Result<Option<(PaymentLink, LinkSeller)>, Error> {
    let sql = format!(
        "SELECT {COLUMNS}, coalesce(b.trade_name, b.name), b.approval
           FROM payment_link l JOIN business b ON b.id = l.business_id WHERE l.code = upper($1)"
    );
    let row = client.query_typed_opt(&sql, &[(&code, Type::TEXT)]).await?;
    let Some(row) = row else { return Ok(None) };
    let seller = LinkSeller {
        name: row.get(19),
        approval: ledger_rows::get(&row, 20)?,
    };
    Ok(Some((link(&row)?, seller)))
}

/// Writes all fields and counts the change.
pub async fn link_update(
    client: &impl GenericClient,
    id: PaymentLinkId,
    fields: &LinkFields,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE payment_link
                SET description = $2, amount = $3, amount_min = $4, amount_max = $5, payment_types = $6,
                    installments_max = $7, payer = $8, expires_on = $9, use_limit = $10, active = $11,
                    version = version + 1, updated_at = greatest(updated_at, $12)
              WHERE id = $1",
            &[
                (&id.uuid(), Type::UUID),
                (&fields.description, Type::TEXT),
                (&fields.amount.map(Cents::get), Type::INT8),
                (&fields.amount_min.map(Cents::get), Type::INT8),
                (&fields.amount_max.map(Cents::get), Type::INT8),
                (&payment_words(fields), Type::TEXT_ARRAY),
                (&i16::from(fields.installments_max), Type::INT2),
                (&fields.payer.as_str(), Type::TEXT),
                (&fields.expires_on, Type::DATE),
                (&fields.use_limit, Type::INT4),
                (&fields.active, Type::BOOL),
                (&at, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// The company's approval, which says whether it may sell. The lock keeps it until the commit. An unknown company
/// counts as deleted.
pub async fn company_approval_locked(client: &impl GenericClient, id: BusinessId) -> Result<Approval, Error> {
    let row = client
        .query_typed_opt(
            "SELECT approval FROM business WHERE id = $1 FOR SHARE",
            &[(&id.uuid(), Type::UUID)],
        )
        .await?;
    row.map_or(Ok(Approval::Deleted), |row| ledger_rows::get(&row, 0))
}

fn payment_words(fields: &LinkFields) -> Vec<&'static str> {
    fields.payment_types.iter().map(|kind| kind.as_str()).collect()
}

pub(super) fn link(row: &Row) -> Result<PaymentLink, Error> {
    Ok(PaymentLink {
        id: PaymentLinkId::from_uuid(row.get(0)),
        company: NamedCompany {
            id: BusinessId::from_uuid(row.get(1)),
            name: row.get(2),
            document: row.get(3),
        },
        code: row.get(4),
        fields: LinkFields {
            description: row.get(5),
            amount: row.get::<_, Option<i64>>(6).map(Cents::new),
            amount_min: row.get::<_, Option<i64>>(7).map(Cents::new),
            amount_max: row.get::<_, Option<i64>>(8).map(Cents::new),
            payment_types: columns::read_all(row, 9)?,
            installments_max: columns::read(row, 10)?,
            payer: ledger_rows::get(row, 11)?,
            expires_on: row.get(12),
            use_limit: row.get(13),
            active: row.get(14),
        },
        uses: row.get(15),
        version: row.get(16),
        created_at: row.get(17),
        updated_at: row.get(18),
    })
}
