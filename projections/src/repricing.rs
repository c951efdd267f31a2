//! Reads captured sales and paid withdrawals of a period, in pages by company, to price them again under other plans.
//!
//! A sale is read if the platform keeps its fees (`FEES_KEPT`). A withdrawal is read if it is paid.

use ledger_domain::calendar::Instant;
use ledger_domain::fees::{PricingInput, SaleFees};
use ledger_domain::sale::{SaleStatus, Solution};
use ledger_domain::transfer::{TransferKind, TransferStatus};
use ledger_domain::{BusinessId, Cents};
use ledger_store::layout::of_company;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use crate::each_shard::{Cut, list_of_each_shard};
use crate::{Error, column_values};

/// The statuses of captured sales whose fees the platform keeps. A dispute and a chargeback do not give the fees back.
pub const FEES_KEPT: [SaleStatus; 3] = [
    SaleStatus::Succeeded,
    SaleStatus::Dispute,
    SaleStatus::ChargedBack,
];

/// The companies whose rows are read, and their time: from `from` on and before `until`.
#[derive(Debug, Clone, Copy)]
pub struct Period<'a> {
    pub companies: &'a [BusinessId],
    pub from: Instant,
    pub until: Instant,
}

/// The place of a row in the order of the list. The next page begins after the cursor of the last row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepricingCursor {
    pub business_id: BusinessId,
    pub at: Instant,
    pub id: Uuid,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargedSale {
    pub cursor: RepricingCursor,
    pub input: PricingInput,
    /// The fees that the sale was charged.
    pub fees: SaleFees,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargedWithdrawal {
    pub cursor: RepricingCursor,
    pub amount: Cents,
    pub fee: Cents,
}

impl RepricingCursor {
    fn from_row(row: &Row) -> Self {
        Self {
            business_id: BusinessId::from_uuid(row.get(0)),
            at: row.get(1),
            id: row.get(2),
        }
    }
}

/// At most `limit` sales, by company and time of capture.
pub async fn charged_sales(
    client: &impl GenericClient,
    period: Period<'_>,
    solution: Solution,
    after: Option<RepricingCursor>,
    limit: i64,
) -> Result<Vec<ChargedSale>, Error> {
    let order = "business_id, occurred_at, sale_id";
    let sales = |limit: &str| {
        format!(
            "SELECT business_id, occurred_at, sale_id, amount, payment_type, card_brand, installments, percentage_fee,
                    flat_fee, percentage_rate, flat_rate
               FROM sale
              WHERE business_id = ANY ($1) AND occurred_at >= $2 AND occurred_at < $3
                AND ($4::uuid IS NULL OR ({order}) > ($4, $5, $6))
                AND net IS NOT NULL AND solution = $8 AND status = ANY ($9)
              ORDER BY {order} {limit}"
        )
    };
    let sql = match period.companies {
        [company] => of_company(*company, &sales("LIMIT $7")),
        _ => list_of_each_shard(order, Cut::first("$7"), sales),
    };
    let rows = client
        .query_typed(
            &sql,
            &[
                (&uuids(period.companies), Type::UUID_ARRAY),
                (&period.from, Type::TIMESTAMPTZ),
                (&period.until, Type::TIMESTAMPTZ),
                (&after.map(|after| after.business_id.uuid()), Type::UUID),
                (&after.map(|after| after.at), Type::TIMESTAMPTZ),
                (&after.map(|after| after.id), Type::UUID),
                (&limit, Type::INT8),
                (&i16::from(solution.number()), Type::INT2),
                (&FEES_KEPT.map(SaleStatus::as_str).as_slice(), Type::TEXT_ARRAY),
            ],
        )
        .await?;
    rows.iter().map(sale).collect()
}

/// At most `limit` withdrawals, by company and time of the request.
pub async fn charged_withdrawals(
    client: &impl GenericClient,
    period: Period<'_>,
    after: Option<RepricingCursor>,
    limit: i64,
) -> Result<Vec<ChargedWithdrawal>, Error> {
    let order = "business_id, requested_at, transfer_id";
    let sql = list_of_each_shard(order, Cut::first("$7"), |limit| {
        format!(
            "SELECT business_id, requested_at, transfer_id, amount, fee
               FROM transfer
              WHERE business_id = ANY ($1) AND requested_at >= $2 AND requested_at < $3
                AND ($4::uuid IS NULL OR ({order}) > ($4, $5, $6))
                AND kind = $8 AND status = $9
              ORDER BY {order} {limit}"
        )
    });
    let rows = client
        .query_typed(
            &sql,
            &[
                (&uuids(period.companies), Type::UUID_ARRAY),
                (&period.from, Type::TIMESTAMPTZ),
                (&period.until, Type::TIMESTAMPTZ),
                (&after.map(|after| after.business_id.uuid()), Type::UUID),
                (&after.map(|after| after.at), Type::TIMESTAMPTZ),
                (&after.map(|after| after.id), Type::UUID),
                (&limit, Type::INT8),
                (&i16::from(TransferKind::Withdrawal.number()), Type::INT2),
                (&i16::from(TransferStatus::Approved.number()), Type::INT2),
            ],
        )
        .await?;
    let withdrawal = |row: &Row| ChargedWithdrawal {
        cursor: RepricingCursor::from_row(row),
        amount: Cents::new(row.get(3)),
        fee: Cents::new(row.get(4)),
    };
    Ok(rows.iter().map(withdrawal).collect())
}

fn uuids(companies: &[BusinessId]) -> Vec<Uuid> {
    companies.iter().map(|id| id.uuid()).collect()
}

fn sale(row: &Row) -> Result<ChargedSale, Error> {
    Ok(ChargedSale {
        cursor: RepricingCursor::from_row(row),
        input: PricingInput {
            amount: Cents::new(row.get(3)),
            payment_type: column_values::payment_type(row.get(4))?,
            card_brand: column_values::optional_brand(row.get(5))?,
            installments: column_values::small_number("sale.installments", row.get(6))?,
        },
        fees: SaleFees {
            percentage_fee: Cents::new(row.get(7)),
            flat_fee: Cents::new(row.get(8)),
            percentage_rate: Cents::new(row.get(9)),
            flat_rate: Cents::new(row.get(10)),
        },
    })
}
