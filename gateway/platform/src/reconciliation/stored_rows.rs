//! Compares stored rows with what the ledger expects, an installment at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ledger_domain::SaleId;
use ledger_domain::calendar::Date;
use ledger_domain::sale::Provider;
use projections::expected_payments::{ExpectedSale, expected_sales};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::compare::{Compared, Expected, Found, Reported, compare, unknown};
use super::differences::{self, DifferenceFound, Scope};
use super::write::Sales;
use super::{Context, Result, rates};
use crate::columns;

/// A stored row with its place.
pub(super) struct StoredRow {
    pub reported: Reported,
    pub provider: Provider,
    pub reference: String,
    pub sale_id: Option<SaleId>,
    pub installment: u8,
    pub day: Date,
}

pub(super) type Group = (SaleId, u8);

/// Compares the installments of these rows anew. Returns the days that may have changed.
pub(super) async fn compare_rows(
    client: &impl GenericClient,
    context: &Context,
    ids: &[i64],
    mut sales: Sales,
) -> Result<BTreeSet<(Provider, Date)>> {
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    let rows = stored_rows(client, ids).await?;
    let unread: BTreeSet<SaleId> = rows
        .iter()
        .filter_map(|row| row.sale_id)
        .filter(|id| !sales.contains_key(id))
        .collect();
    let unread: Vec<SaleId> = unread.into_iter().collect();
    let found = expected_sales(client, &unread).await?;
    sales.extend(found.into_iter().map(|sale| (sale.sale_id, sale)));
    let mut groups: BTreeMap<Group, Vec<StoredRow>> = BTreeMap::new();
    let mut differences = vec![];
    let mut days = BTreeSet::new();
    for row in rows {
        days.insert((row.provider, row.day));
        match row.sale_id {
            Some(sale) => groups.entry((sale, row.installment)).or_default().push(row),
            None => differences.extend(unknown(&row.reported).map(|found| of_row(&row, None, found))),
        }
    }
    let rates = rates::Rates::of(client).await?;
    for (group, rows) in &groups {
        let compared = compare_group(context, &rates, sales.get(&group.0), *group, rows);
        differences.extend(compared.1);
    }
    let groups: Vec<Group> = groups.into_keys().collect();
    let scope = Scope {
        receivables: ids,
        groups: &groups,
    };
    days.extend(differences::replace(client, context.now, scope, &differences).await?);
    Ok(days)
}

/// What the installment adds to its day's expected gross, and its differences. `rows` may be empty.
pub(super) fn compare_group(
    context: &Context,
    rates: &rates::Rates,
    sale: Option<&ExpectedSale>,
    (_, number): Group,
    rows: &[StoredRow],
) -> (i64, Vec<DifferenceFound>) {
    let installment = sale.and_then(|sale| Some((sale, sale.installment(number)?)));
    let Some((sale, installment)) = installment else {
        let found = rows
            .iter()
            .filter_map(|row| unknown(&row.reported).map(|found| of_row(row, sale, found)));
        return (0, found.collect());
    };
    let expected = Expected {
        installment,
        status: sale.status,
        is_overdue: context.is_complete(installment.due_date),
        rate: rates.of_sale(sale, installment.due_date),
    };
    let reported: Vec<Reported> = rows.iter().map(|row| row.reported).collect();
    let Compared {
        expected,
        differences,
    } = compare(&expected, &reported);
    let found = differences.into_iter().map(|found| DifferenceFound {
        provider: sale.provider,
        day: installment.due_date,
        sale_id: Some(sale.sale_id),
        business_id: Some(sale.business_id),
        installment: number,
        reference: reference_of(rows, &found),
        found,
    });
    (expected, found.collect())
}

fn reference_of(rows: &[StoredRow], found: &Found) -> Option<String> {
    let id = found.receivable?;
    let row = rows.iter().find(|row| row.reported.id == id)?;
    Some(row.reference.clone())
}

fn of_row(row: &StoredRow, sale: Option<&ExpectedSale>, found: Found) -> DifferenceFound {
    DifferenceFound {
        provider: row.provider,
        day: row.day,
        sale_id: row.sale_id,
        business_id: sale.map(|sale| sale.business_id),
        installment: row.installment,
        reference: Some(row.reference.clone()),
        found,
    }
}

const ROW_COLUMNS: &str = "r.id, r.provider, r.reference, r.installment, r.entry, r.sale_id, r.gross, r.cost,
                           coalesce(r.paid_on, r.expected_on), r.canceled, r.day, cardinality(r.repeated_lines)";

/// The rows, and all others of their installments, the oldest first.
async fn stored_rows(client: &impl GenericClient, ids: &[i64]) -> Result<Vec<StoredRow>> {
    let sql = format!(
        "WITH named AS (SELECT id, sale_id, installment FROM acquirer_receivable WHERE id = ANY ($1))
         SELECT {ROW_COLUMNS} FROM acquirer_receivable r
          WHERE r.id IN (SELECT id FROM named WHERE sale_id IS NULL
                         UNION ALL
                         SELECT other.id
                           FROM (SELECT DISTINCT sale_id, installment FROM named WHERE sale_id IS NOT NULL) AS asked
                           JOIN acquirer_receivable other USING (sale_id, installment))
          ORDER BY r.id"
    );
    let rows = client.query_typed(&sql, &[(&ids, Type::INT8_ARRAY)]).await?;
    rows.iter().map(stored_row).collect()
}

/// The rows of these installments, the oldest first.
pub(super) async fn rows_of_groups(
    client: &impl GenericClient,
    groups: &[Group],
) -> Result<HashMap<Group, Vec<StoredRow>>> {
    let sales: Vec<Uuid> = groups.iter().map(|(sale, _)| sale.uuid()).collect();
    let installments: Vec<i16> = groups.iter().map(|(_, number)| i16::from(*number)).collect();
    let sql = format!(
        "SELECT {ROW_COLUMNS} FROM unnest($1::uuid[], $2::int2[]) AS asked (sale_id, installment)
           JOIN acquirer_receivable r USING (sale_id, installment) ORDER BY r.id"
    );
    let rows = client
        .query_typed(
            &sql,
            &[(&sales, Type::UUID_ARRAY), (&installments, Type::INT2_ARRAY)],
        )
        .await?;
    let mut found: HashMap<Group, Vec<StoredRow>> = HashMap::new();
    for row in &rows {
        let row = stored_row(row)?;
        if let Some(sale) = row.sale_id {
            found.entry((sale, row.installment)).or_default().push(row);
        }
    }
    Ok(found)
}

fn stored_row(row: &tokio_postgres::Row) -> Result<StoredRow> {
    let cents = |index| ledger_domain::Cents::new(row.get(index));
    Ok(StoredRow {
        reported: Reported {
            id: row.get(0),
            entry: columns::read(row, 4)?,
            gross: cents(6),
            cost: cents(7),
            day: row.get(8),
            canceled: row.get(9),
            times: 1 + row.get::<_, i32>(11).unsigned_abs(),
        },
        provider: columns::read(row, 1)?,
        reference: row.get(2),
        sale_id: row.get::<_, Option<Uuid>>(5).map(SaleId::from_uuid),
        installment: columns::read(row, 3)?,
        day: row.get(10),
    })
}
