//! The payments that the ledger expects of acquirers: the gross of each installment of captured sales, on its due date.
//! `parts` has what refunds and chargebacks of a part take from it.

mod parts;

use ledger_domain::calendar::{Date, days_after, start_of};
use ledger_domain::sale::{PaymentName, PaymentType, Provider, SaleStatus};
use ledger_domain::{BusinessId, Cents, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use self::parts::Parts;
use crate::each_shard::{Cut, list_of_each_shard, rows_of_each_shard};
use crate::{Error, column_values};

/// The part of a sale's row that its acquirer's payments depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedSale {
    pub sale_id: SaleId,
    pub business_id: BusinessId,
    pub provider: Provider,
    pub payment_type: PaymentType,
    pub installments: u8,
    pub status: SaleStatus,
    /// The installments in the order of their numbers, which begin at 1. Empty until captured.
    pub schedule: Vec<ExpectedInstallment>,
    /// The gross of refunds and chargebacks of a part that the balance paid: the acquirer had paid it, and takes it back.
    pub taken_back: Cents,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedInstallment {
    pub gross: Cents,
    /// What the acquirer keeps of it for refunds and chargebacks of a part of the sale.
    pub kept: Cents,
    /// What a dispute of a part holds back until it ends.
    pub disputed: Cents,
    pub due_date: Date,
}

impl ExpectedSale {
    pub fn installment(&self, number: u8) -> Option<ExpectedInstallment> {
        let index = usize::from(number).checked_sub(1)?;
        self.schedule.get(index).copied()
    }
}

macro_rules! expected_columns {
    () => {
        "sale.sale_id, sale.business_id, sale.provider, sale.payment_type, sale.installments, sale.status, \
         sale.installment_gross, sale.due_dates, \
         CASE WHEN cardinality(sale.consumed_by) > 0 OR sale.refunded > 0 OR sale.charged_back > 0 \
              THEN sale.sequences END"
    };
}

/// The sales that have one of these ids. An unknown id has no entry.
pub async fn expected_sales(
    client: &impl GenericClient,
    sales: &[SaleId],
) -> Result<Vec<ExpectedSale>, Error> {
    let ids: Vec<Uuid> = sales.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(
            &rows_of_each_shard(concat!(
                "SELECT ",
                expected_columns!(),
                " FROM sale WHERE sale.sale_id = ANY ($1)"
            )),
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    with_parts(client, &rows).await
}

/// The sales of an acquirer on a day by their authorization codes. A code that several sales have is left out, because
/// it does not tell which sale is meant.
pub async fn sales_by_authorization(
    client: &impl GenericClient,
    provider: Provider,
    sold_on: Date,
    codes: &[String],
) -> Result<Vec<(String, SaleId)>, Error> {
    let sql = named_once(
        "SELECT authorization_code AS name, sale_id FROM sale
          WHERE occurred_at >= $1 AND occurred_at < $2 AND provider = $3 AND authorization_code = ANY ($4)",
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&start_of(sold_on), Type::TIMESTAMPTZ),
                (&start_of(days_after(sold_on, 1)), Type::TIMESTAMPTZ),
                (&i16::from(provider.number()), Type::INT2),
                (&codes, Type::TEXT_ARRAY),
            ],
        )
        .await?;
    Ok(rows
        .iter()
        .map(|row| (row.get(0), SaleId::from_uuid(row.get(1))))
        .collect())
}

/// The sales of an acquirer whose payment has one of these names. Only the names that one acquirer gives once count: the
/// TID of a card and the number of a boleto. An NSU repeats by day and machine. A name that several sales have is left
/// out, because it does not tell which sale is meant.
pub async fn sales_by_name(
    client: &impl GenericClient,
    provider: Provider,
    names: &[&str],
) -> Result<Vec<(String, SaleId)>, Error> {
    let keys: Vec<_> = names.iter().map(|name| PaymentName::search_key(name)).collect();
    let sql = named_once(
        "SELECT given.name, sale.sale_id
           FROM unnest($2::text[], $3::text[]) AS given (name, key)
           JOIN sale ON sale.search_names @> ARRAY[given.key] AND sale.provider = $1
          WHERE given.key IN (lower(sale.names ->> 'tid'), lower(sale.names ->> 'our_number'))",
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&i16::from(provider.number()), Type::INT2),
                (&names, Type::TEXT_ARRAY),
                (&keys, Type::TEXT_ARRAY),
            ],
        )
        .await?;
    Ok(rows
        .iter()
        .map(|row| (row.get(0), SaleId::from_uuid(row.get(1))))
        .collect())
}

/// The names that one sale has, over all companies, of a statement of names and sales.
fn named_once(names: &str) -> String {
    format!(
        "SELECT name, (array_agg(sale_id))[1] FROM ({}) AS named GROUP BY name HAVING count(*) = 1",
        rows_of_each_shard(names)
    )
}

/// At most `limit` companies that have installments of the acquirer due on the day, by id, after the company `after`.
/// Each has the dates on which the sales of these installments were captured.
pub async fn companies_due(
    client: &impl GenericClient,
    provider: Provider,
    day: Date,
    after: Option<BusinessId>,
    limit: i64,
) -> Result<Vec<(BusinessId, Vec<Date>)>, Error> {
    let sql = list_of_each_shard("business_id", Cut::first("$4"), |limit| {
        format!(
            "SELECT business_id, array_agg(DISTINCT captured_on.date)
               FROM receivables_schedule CROSS JOIN LATERAL unnest(captured_on) AS captured_on (date)
              WHERE due_date = $1 AND provider = $2 AND ($3::uuid IS NULL OR business_id > $3)
              GROUP BY business_id ORDER BY business_id {limit}"
        )
    });
    let rows = client
        .query_typed(
            &sql,
            &[
                (&day, Type::DATE),
                (&i16::from(provider.number()), Type::INT2),
                (&after.map(BusinessId::uuid), Type::UUID),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    Ok(rows
        .iter()
        .map(|row| (BusinessId::from_uuid(row.get(0)), row.get(1)))
        .collect())
}

/// At most `limit` sales with an installment due on the day, by company and sale, after `after`. `companies` are those
/// of `companies_due`: only sales that were captured on their dates are read.
pub async fn sales_due(
    client: &impl GenericClient,
    provider: Provider,
    day: Date,
    companies: &[(BusinessId, Vec<Date>)],
    after: Option<(BusinessId, SaleId)>,
    limit: i64,
) -> Result<Vec<ExpectedSale>, Error> {
    let captured = companies
        .iter()
        .flat_map(|(company, dates)| dates.iter().map(|date| (company.uuid(), *date)));
    let (ids, dates): (Vec<Uuid>, Vec<Date>) = captured.unzip();
    let from: Vec<_> = dates.iter().map(|date| start_of(*date)).collect();
    let until: Vec<_> = dates.iter().map(|date| start_of(days_after(*date, 1))).collect();
    let sql = list_of_each_shard("business_id, sale_id", Cut::first("$8"), |limit| {
        let columns = expected_columns!();
        format!(
            "SELECT {columns}
               FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS captured (business_id, start, until)
               JOIN sale ON sale.business_id = captured.business_id
                        AND sale.occurred_at >= captured.start AND sale.occurred_at < captured.until
              WHERE sale.provider = $4 AND $5 = ANY (sale.due_dates)
                AND ($6::uuid IS NULL OR (sale.business_id, sale.sale_id) > ($6, $7))
              ORDER BY sale.business_id, sale.sale_id {limit}"
        )
    });
    let rows = client
        .query_typed(
            &sql,
            &[
                (&ids, Type::UUID_ARRAY),
                (&from, Type::TIMESTAMPTZ_ARRAY),
                (&until, Type::TIMESTAMPTZ_ARRAY),
                (&i16::from(provider.number()), Type::INT2),
                (&day, Type::DATE),
                (&after.map(|(company, _)| company.uuid()), Type::UUID),
                (&after.map(|(_, sale)| sale.uuid()), Type::UUID),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    with_parts(client, &rows).await
}

/// The sales of the rows. Few have parts, and only their events are read.
async fn with_parts(client: &impl GenericClient, rows: &[Row]) -> Result<Vec<ExpectedSale>, Error> {
    let mut sales = Vec::with_capacity(rows.len());
    for row in rows {
        let mut sale = expected_sale(row)?;
        if let Some(sequences) = row.get::<_, Option<Vec<i64>>>(8) {
            let parts = Parts::of(client, sale.business_id, &sequences).await?;
            for (number, installment) in (1..).zip(&mut sale.schedule) {
                installment.kept = parts.kept_of(number);
                installment.disputed = parts.disputed_of(number);
            }
            sale.taken_back = parts.taken_back();
        }
        sales.push(sale);
    }
    Ok(sales)
}

fn expected_sale(row: &Row) -> Result<ExpectedSale, Error> {
    let gross: Option<Vec<i64>> = row.get(6);
    let due_dates: Option<Vec<Date>> = row.get(7);
    let schedule = gross
        .unwrap_or_default()
        .into_iter()
        .zip(due_dates.unwrap_or_default());
    Ok(ExpectedSale {
        sale_id: SaleId::from_uuid(row.get(0)),
        business_id: BusinessId::from_uuid(row.get(1)),
        provider: column_values::provider(row.get(2))?,
        payment_type: column_values::payment_type(row.get(3))?,
        installments: column_values::small_number("sale.installments", row.get(4))?,
        status: column_values::sale_status(row.get(5))?,
        schedule: schedule
            .map(|(gross, due_date)| ExpectedInstallment {
                gross: Cents::new(gross),
                kept: Cents::ZERO,
                disputed: Cents::ZERO,
                due_date,
            })
            .collect(),
        taken_back: Cents::ZERO,
    })
}
