//! Reads the stored rows of installments and compares them with the amounts that the ledger expects.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ledger_domain::calendar::Date;
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, SaleId};
use ledger_rows::{FromRow, fetch, params, row};
use projections::expected_payments::{ExpectedSale, expected_sales};
use tokio_postgres::GenericClient;

use super::compare::{Comparison, Expected, InstallmentDifference, ReportedRow, compare, unknown};
use super::differences::{self, LocatedDifference, Scope};
use super::reported::EntryKind;
use super::write::KnownSales;
use super::{Context, Result, rates};
use crate::orders::brands;

/// A stored row with the acquirer, charge, installment and day that it names.
pub(super) struct StoredRow {
    pub reported: ReportedRow,
    pub provider: Provider,
    pub reference: String,
    pub sale_id: Option<SaleId>,
    pub installment: u8,
    /// The settlement day to which the row belongs.
    pub day: Date,
}

/// A sale, and the number of one of its installments.
pub(super) type InstallmentKey = (SaleId, u8);

/// Compares the installments of these rows. Loads the sales that are not in `sales`. Returns the days that may have
/// changed.
pub(super) async fn compare_rows(
    client: &impl GenericClient,
    context: &Context,
    ids: &[i64],
    mut sales: KnownSales,
) -> Result<BTreeSet<(Provider, Date)>> {
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    brands::check_settled(client, ids).await?;
    let rows = stored_rows(client, ids).await?;
    let not_loaded: BTreeSet<SaleId> = rows
        .iter()
        .filter_map(|row| row.sale_id)
        .filter(|id| !sales.contains_key(id))
        .collect();
    let not_loaded: Vec<SaleId> = not_loaded.into_iter().collect();
    let found = expected_sales(client, &not_loaded).await?;
    sales.extend(found.into_iter().map(|sale| (sale.sale_id, sale)));
    let mut installments: BTreeMap<InstallmentKey, Vec<StoredRow>> = BTreeMap::new();
    let mut differences = vec![];
    let mut days = BTreeSet::new();
    for row in rows {
        days.insert((row.provider, row.day));
        match row.sale_id {
            Some(sale) => installments.entry((sale, row.installment)).or_default().push(row),
            None => {
                differences.extend(unknown(&row.reported).map(|found| difference_of_row(&row, None, found)))
            }
        }
    }
    let rates = rates::Rates::of(client).await?;
    for (key, rows) in &installments {
        let compared = compare_installment(context, &rates, sales.get(&key.0), *key, rows);
        differences.extend(compared.differences);
    }
    let installments: Vec<InstallmentKey> = installments.into_keys().collect();
    let scope = Scope {
        row_ids: ids,
        installments: &installments,
    };
    days.extend(differences::replace(client, context.now, scope, &differences).await?);
    Ok(days)
}

/// Compares one installment with the rows that name it. `rows` may be empty.
pub(super) fn compare_installment(
    context: &Context,
    rates: &rates::Rates,
    sale: Option<&ExpectedSale>,
    (_, number): InstallmentKey,
    rows: &[StoredRow],
) -> Comparison<LocatedDifference> {
    let installment = sale.and_then(|sale| Some((sale, sale.installment(number)?)));
    let Some((sale, installment)) = installment else {
        let found = rows
            .iter()
            .filter_map(|row| unknown(&row.reported).map(|found| difference_of_row(row, sale, found)));
        return Comparison {
            expected: 0,
            differences: found.collect(),
        };
    };
    let expected = Expected {
        installment,
        status: sale.status,
        is_overdue: context.is_complete(installment.due_date),
        rate: rates.of_sale(sale, installment.due_date),
        taken_back: sale.taken_back,
    };
    let reported: Vec<ReportedRow> = rows.iter().map(|row| row.reported).collect();
    let Comparison {
        expected,
        differences,
    } = compare(&expected, &reported);
    let found = differences.into_iter().map(|found| LocatedDifference {
        provider: sale.provider,
        day: installment.due_date,
        sale_id: Some(sale.sale_id),
        business_id: Some(sale.business_id),
        installment: number,
        reference: reference_of(rows, &found),
        found,
    });
    Comparison {
        expected,
        differences: found.collect(),
    }
}

fn reference_of(rows: &[StoredRow], found: &InstallmentDifference) -> Option<String> {
    let id = found.row_id?;
    let row = rows.iter().find(|row| row.reported.id == id)?;
    Some(row.reference.clone())
}

fn difference_of_row(
    row: &StoredRow,
    sale: Option<&ExpectedSale>,
    found: InstallmentDifference,
) -> LocatedDifference {
    LocatedDifference {
        provider: row.provider,
        day: row.day,
        sale_id: row.sale_id,
        business_id: sale.map(|sale| sale.business_id),
        installment: row.installment,
        reference: Some(row.reference.clone()),
        found,
    }
}

row! {
    impl FromRow for StoredRow {
        id: i64 = "r.id",
        provider: Provider = "r.provider",
        reference: String = "r.reference",
        installment: u8 = "r.installment",
        entry: EntryKind = "r.entry",
        sale_id: Option<SaleId> = "r.sale_id",
        gross: Cents = "r.gross",
        cost: Option<Cents> = "r.cost",
        paid_or_expected_on: Option<Date> = "coalesce(r.paid_on, r.expected_on)",
        canceled: bool = "r.canceled",
        day: Date = "r.day",
        repetitions: i32 = "cardinality(r.repeated_lines)",
    } => Self {
        reported: ReportedRow {
            id,
            entry,
            gross,
            cost,
            day: paid_or_expected_on,
            canceled,
            times: 1 + repetitions.unsigned_abs(),
        },
        provider,
        reference,
        sale_id,
        installment,
        day,
    }
}

/// The rows, and all others of their installments, the oldest first.
async fn stored_rows(client: &impl GenericClient, ids: &[i64]) -> Result<Vec<StoredRow>> {
    let sql = format!(
        "WITH named AS (SELECT id, sale_id, installment FROM acquirer_receivable WHERE id = ANY ($1))
         SELECT {} FROM acquirer_receivable r
          WHERE r.id IN (SELECT id FROM named WHERE sale_id IS NULL
                         UNION ALL
                         SELECT other.id
                           FROM (SELECT DISTINCT sale_id, installment FROM named WHERE sale_id IS NOT NULL) AS asked
                           JOIN acquirer_receivable other USING (sale_id, installment))
          ORDER BY r.id",
        StoredRow::COLUMNS
    );
    Ok(fetch(client, &sql, params![ids]).await?)
}

/// The rows of these installments, the oldest first.
pub(super) async fn rows_of_installments(
    client: &impl GenericClient,
    installments: &[InstallmentKey],
) -> Result<HashMap<InstallmentKey, Vec<StoredRow>>> {
    let (sales, numbers): (Vec<SaleId>, Vec<u8>) = installments.iter().copied().unzip();
    let sql = format!(
        "SELECT {} FROM unnest($1::uuid[], $2::int2[]) AS asked (sale_id, installment)
           JOIN acquirer_receivable r USING (sale_id, installment) ORDER BY r.id",
        StoredRow::COLUMNS
    );
    let rows: Vec<StoredRow> = fetch(client, &sql, params![sales, numbers]).await?;
    let mut found: HashMap<InstallmentKey, Vec<StoredRow>> = HashMap::new();
    for row in rows {
        if let Some(sale) = row.sale_id {
            found.entry((sale, row.installment)).or_default().push(row);
        }
    }
    Ok(found)
}
