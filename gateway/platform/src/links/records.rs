//! The rows of payment links: added, read and changed. The caller writes the audit log.

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::sale::PaymentType;
use ledger_domain::{BusinessId, Cents, PaymentLinkId};
use ledger_rows::{FromRow, execute, fetch_opt, get, params, row};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::{FeePayer, LinkFields, PaymentLink};
use crate::companies::{Approval, NamedCompany};

row! {
    impl FromRow for PaymentLink {
        id: PaymentLinkId = "l.id",
        company_id: BusinessId = "b.id",
        company_name: String = "b.name",
        company_document: String = "b.document",
        code: String = "l.code",
        description: String = "l.description",
        amount: Option<Cents> = "l.amount",
        amount_min: Option<Cents> = "l.amount_min",
        amount_max: Option<Cents> = "l.amount_max",
        payment_types: Vec<PaymentType> = "l.payment_types",
        installments_max: u8 = "l.installments_max",
        payer: FeePayer = "l.payer",
        expires_on: Option<Date> = "l.expires_on",
        use_limit: Option<i32> = "l.use_limit",
        active: bool = "l.active",
        uses: i32 = "l.uses",
        version: i32 = "l.version",
        created_at: DateTime<Utc> = "l.created_at",
        updated_at: DateTime<Utc> = "l.updated_at",
    } => Self {
        id,
        company: NamedCompany { id: company_id, name: company_name, document: company_document },
        code,
        fields: LinkFields {
            description,
            amount,
            amount_min,
            amount_max,
            payment_types,
            installments_max,
            payer,
            expires_on,
            use_limit,
            active,
        },
        uses,
        version,
        created_at,
        updated_at,
    }
}

row! {
    /// The company that a buyer pays.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LinkSeller {
        /// The name under which buyers know the company: its trade name, or else its registered name.
        pub name: String = "coalesce(b.trade_name, b.name)",
        pub approval: Approval = "b.approval",
    }
}

pub struct NewLink<'a> {
    pub id: PaymentLinkId,
    pub business_id: BusinessId,
    pub code: &'a str,
    pub fields: &'a LinkFields,
    pub created_at: DateTime<Utc>,
}

/// Adds a link. Returns false if another link has its code.
pub async fn link_create(client: &impl GenericClient, new: &NewLink<'_>) -> Result<bool, Error> {
    let fields = new.fields;
    let created = execute(
        client,
        "INSERT INTO payment_link (id, business_id, code, description, amount, amount_min, amount_max,
                                   payment_types, installments_max, payer, expires_on, use_limit, active,
                                   created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)
         ON CONFLICT (code) DO NOTHING",
        params![
            new.id,
            new.business_id,
            new.code,
            fields.description,
            fields.amount,
            fields.amount_min,
            fields.amount_max,
            fields.payment_types,
            fields.installments_max,
            fields.payer,
            fields.expires_on,
            fields.use_limit,
            fields.active,
            new.created_at,
        ],
    );
    Ok(created.await? > 0)
}

pub async fn link_fetch(
    client: &impl GenericClient,
    id: PaymentLinkId,
) -> Result<Option<PaymentLink>, Error> {
    let sql = format!(
        "SELECT {} FROM payment_link l JOIN business b ON b.id = l.business_id WHERE l.id = $1",
        PaymentLink::COLUMNS
    );
    fetch_opt(client, &sql, params![id]).await
}

/// The link, locked until the end of the transaction.
pub(super) async fn link_locked(
    client: &impl GenericClient,
    id: PaymentLinkId,
) -> Result<Option<PaymentLink>, Error> {
    // The statement after the lock reads what the last holder of the lock committed.
    let lock = "SELECT FROM payment_link WHERE id = $1 FOR NO KEY UPDATE";
    execute(client, lock, params![id]).await?;
    link_fetch(client, id).await
}

/// The link of a public address, and its seller. The case of the code is ignored.
pub async fn link_by_code(
    client: &impl GenericClient,
    code: &str,
) -> Result<Option<(PaymentLink, LinkSeller)>, Error> {
    let sql = format!(
        "SELECT {}, {} FROM payment_link l JOIN business b ON b.id = l.business_id WHERE l.code = upper($1)",
        PaymentLink::COLUMNS,
        LinkSeller::COLUMNS
    );
    let row = client.query_typed_opt(&sql, &[(&code, Type::TEXT)]).await?;
    row.map(|row| Ok((PaymentLink::from_row(&row)?, LinkSeller::from_row(&row)?)))
        .transpose()
}

/// Writes all fields and counts the change.
pub(super) async fn link_update(
    client: &impl GenericClient,
    id: PaymentLinkId,
    fields: &LinkFields,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    execute(
        client,
        "UPDATE payment_link
            SET description = $2, amount = $3, amount_min = $4, amount_max = $5, payment_types = $6,
                installments_max = $7, payer = $8, expires_on = $9, use_limit = $10, active = $11,
                version = version + 1, updated_at = greatest(updated_at, $12)
          WHERE id = $1",
        params![
            id,
            fields.description,
            fields.amount,
            fields.amount_min,
            fields.amount_max,
            fields.payment_types,
            fields.installments_max,
            fields.payer,
            fields.expires_on,
            fields.use_limit,
            fields.active,
            at,
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
    row.map_or(Ok(Approval::Deleted), |row| get(&row, 0))
}
