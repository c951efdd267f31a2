//! Looks again for the sales of stored rows. Rows that are marked to be compared (`NOT compared`) are matched by their
//! ids. Rows whose ids name no sale are matched by the authorization code and the day of the sale.

use std::collections::BTreeSet;

use ledger_domain::SaleId;
use ledger_domain::calendar::Date;
use ledger_domain::sale::Provider;
use ledger_rows::{FromRow, execute, fetch, params, row};
use ledger_store::log::sale_states;
use projections::expected_payments::{expected_sales, sales_by_authorization};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::charges::Charges;
use super::write::KnownSales;
use super::{Context, Result, provider_number};

/// The most codes of one day that are looked up after an import. Further ones can be looked up after the next import.
const CODES_MAX: i64 = 50_000;

struct MarkedRow {
    id: i64,
    provider: Provider,
    /// The ids that the row's sale may have, the likeliest first.
    candidates: Vec<SaleId>,
    installment: u8,
    day: Date,
}

/// Unmarks at most `limit` marked rows, and sets the sale and the day of those whose sale is known now. Returns the
/// rows that it unmarked, and the days that they had before. A row whose sale is in the log but not yet in the read
/// model stays marked, and is not returned.
pub(super) async fn rematch_marked(
    client: &impl GenericClient,
    context: &Context,
    limit: i64,
) -> Result<(Vec<i64>, BTreeSet<(Provider, Date)>)> {
    let sql = format!(
        "SELECT {} FROM acquirer_receivable WHERE NOT compared ORDER BY id LIMIT $1 FOR UPDATE",
        UnmatchedRow::COLUMNS
    );
    let rows: Vec<UnmatchedRow> = fetch(client, &sql, params![limit]).await?;
    let named: Vec<(Provider, &str)> = rows
        .iter()
        .flat_map(|row| row.external_ids.iter().map(|name| (row.provider, name.as_str())))
        .collect();
    let charges = Charges::read(client, &named).await?;
    let mut marked: Vec<MarkedRow> = rows.iter().map(|row| row.marked(context, &charges)).collect();
    let candidates: BTreeSet<SaleId> = marked.iter().flat_map(|row| row.candidates.clone()).collect();
    let candidates: Vec<SaleId> = candidates.into_iter().collect();
    let found = expected_sales(client, &candidates).await?;
    let sales: KnownSales = found.into_iter().map(|sale| (sale.sale_id, sale)).collect();
    let unprojected = unprojected_sales(client, &candidates, &sales).await?;
    marked.retain(|row| {
        sale_of(row, &sales).is_some()
            || row
                .candidates
                .iter()
                .all(|candidate| !unprojected.contains(candidate))
    });
    let ids: Vec<i64> = marked.iter().map(|row| row.id).collect();
    let chosen: Vec<_> = marked.iter().map(|row| sale_of(row, &sales)).collect();
    let sale_ids: Vec<Option<SaleId>> = chosen.iter().map(|found| found.map(|(sale, _)| sale)).collect();
    let days: Vec<Option<Date>> = chosen
        .iter()
        .map(|found| found.and_then(|(_, day)| day))
        .collect();
    let sql = "UPDATE acquirer_receivable r
                  SET sale_id = coalesce(given.sale_id, r.sale_id), day = coalesce(given.day, r.day), compared = true
                 FROM unnest($1::int8[], $2::uuid[], $3::date[]) AS given (id, sale_id, day)
                WHERE r.id = given.id";
    execute(client, sql, params![ids, sale_ids, days]).await?;
    let former = marked.iter().map(|row| (row.provider, row.day)).collect();
    Ok((ids, former))
}

row! {
    struct UnmatchedRow {
        id: i64,
        provider: Provider,
        sale_id: Option<SaleId>,
        external_ids: Vec<String>,
        installment: u8,
        day: Date,
    }
}

impl UnmatchedRow {
    fn marked(&self, context: &Context, charges: &Charges) -> MarkedRow {
        MarkedRow {
            id: self.id,
            provider: self.provider,
            candidates: match self.sale_id {
                Some(known) => vec![known],
                None => context.candidates(self.provider, &self.external_ids, charges),
            },
            installment: self.installment,
            day: self.day,
        }
    }
}

/// The candidates that are sales in the log but not yet in the read model.
async fn unprojected_sales(
    client: &impl GenericClient,
    candidates: &[SaleId],
    sales: &KnownSales,
) -> Result<BTreeSet<SaleId>> {
    let absent: Vec<SaleId> = candidates
        .iter()
        .copied()
        .filter(|id| !sales.contains_key(id))
        .collect();
    let recorded = sale_states(client, &absent).await?;
    Ok(recorded.into_iter().map(|(id, _)| id).collect())
}

/// The first candidate that is a sale of the acquirer, and the day on which its installment is due.
fn sale_of(row: &MarkedRow, sales: &KnownSales) -> Option<(SaleId, Option<Date>)> {
    let sale = row
        .candidates
        .iter()
        .filter_map(|id| sales.get(id))
        .find(|sale| sale.provider == row.provider)?;
    let due = sale.installment(row.installment);
    Some((sale.sale_id, due.map(|due| due.due_date)))
}

/// Marks the rows without a sale that name the charge, so that they are compared again. Call it after the charge's id
/// at the acquirer has been stored with the order's attempt. Rows that are already marked are updated too. A comparison
/// that began before the id was stored may have them locked. Then this statement waits for it and marks them again.
pub async fn mark_rows_of_charge(
    client: &impl GenericClient,
    provider: Provider,
    charge_id: &str,
) -> std::result::Result<(), tokio_postgres::Error> {
    client
        .execute_typed(
            "UPDATE acquirer_receivable SET compared = false
              WHERE provider = $1 AND sale_id IS NULL
                AND (reference = $2 OR (entry = 'partial' AND $2 = ANY (external_ids)))",
            &[(&provider_number(provider), Type::INT2), (&charge_id, Type::TEXT)],
        )
        .await
        .map(drop)
}

/// Finds the sales of one day's rows by their authorization codes, and marks those rows, so that they are compared.
pub(super) async fn match_authorizations_of_day(
    client: &impl GenericClient,
    provider: Provider,
    day: Date,
) -> Result<()> {
    const UNKNOWN: &str =
        "r.provider = $1 AND r.sold_on = $2 AND r.sale_id IS NULL AND r.authorization_code IS NOT NULL";
    let number = provider_number(provider);
    let codes = client
        .query_typed(
            &format!(
                "SELECT DISTINCT r.authorization_code FROM acquirer_receivable r WHERE {UNKNOWN} LIMIT $3"
            ),
            &[
                (&number, Type::INT2),
                (&day, Type::DATE),
                (&CODES_MAX, Type::INT8),
            ],
        )
        .await?;
    let codes: Vec<String> = codes.iter().map(|row| row.get(0)).collect();
    let found = sales_by_authorization(client, provider, day, &codes).await?;
    let (codes, sales): (Vec<String>, Vec<Uuid>) =
        found.into_iter().map(|(code, sale)| (code, sale.uuid())).unzip();
    client
        .execute_typed(
            &format!(
                "UPDATE acquirer_receivable r SET sale_id = found.sale_id, compared = false
                   FROM unnest($3::text[], $4::uuid[]) AS found (code, sale_id)
                  WHERE {UNKNOWN} AND r.authorization_code = found.code"
            ),
            &[
                (&number, Type::INT2),
                (&day, Type::DATE),
                (&codes, Type::TEXT_ARRAY),
                (&sales, Type::UUID_ARRAY),
            ],
        )
        .await?;
    Ok(())
}
