//! The installments that are due, for the settlement job.
//!
//! The result is only a suggestion and may be out of date: the ledger settles each installment once, by its own state.

use std::collections::BTreeMap;

use ledger_domain::calendar::{Date, days_after, start_of};
use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::{Error, column_values};

/// A place in the list of due installments.
pub type DueDay = (Date, BusinessId);

/// At most `limit` open installments that are due by `today`, grouped and ordered by day and business, after `after`.
///
/// A sale is listed under its oldest open day only. Its later days follow once that day is settled.
///
/// The receivables schedule knows which days are open and on which dates their sales were captured. So no index of
/// installments is needed.
pub async fn due_installments(
    client: &impl GenericClient,
    today: Date,
    after: Option<DueDay>,
    limit: u32,
) -> Result<Vec<(BusinessId, Date, Vec<(SaleId, u8)>)>, Error> {
    let days = client
        .query_typed(
            "SELECT due_date, business_id, array_agg(DISTINCT captured_on.date)
               FROM agenda CROSS JOIN LATERAL unnest(captured_on) AS captured_on (date)
              WHERE open AND due_date <= $1
                AND ($3::date IS NULL OR (due_date, business_id) > ($3, $4))
              GROUP BY due_date, business_id ORDER BY due_date, business_id LIMIT $2",
            &[
                (&today, Type::DATE),
                (&i64::from(limit), Type::INT8),
                (&after.map(|(date, _)| date), Type::DATE),
                (&after.map(|(_, business)| business.uuid()), Type::UUID),
            ],
        )
        .await?;
    let mut due: BTreeMap<(Date, BusinessId), Vec<(SaleId, u8)>> = BTreeMap::new();
    let mut rest = i64::from(limit);
    for day in days {
        let (due_date, business) = (day.get(0), BusinessId::from_uuid(day.get(1)));
        let captured_on: Vec<Date> = day.get(2);
        let found = due_of(client, business, due_date, &captured_on, rest).await?;
        rest -= i64::try_from(found.len()).unwrap_or(i64::MAX);
        if !found.is_empty() {
            due.insert((due_date, business), found);
        }
        if rest <= 0 {
            break;
        }
    }
    Ok(due
        .into_iter()
        .map(|((date, business), installments)| (business, date, installments))
        .collect())
}

/// The open installments of one day of a business, from the sales of the dates on which they were captured.
///
/// Two cheap conditions on the arrays of a sale skip sales that are settled or have nothing due on the day.
async fn due_of(
    client: &impl GenericClient,
    business: BusinessId,
    due_date: Date,
    captured_on: &[Date],
    limit: i64,
) -> Result<Vec<(SaleId, u8)>, Error> {
    let from: Vec<_> = captured_on.iter().map(|date| start_of(*date)).collect();
    let until: Vec<_> = captured_on
        .iter()
        .map(|date| start_of(days_after(*date, 1)))
        .collect();
    let rows = client
        .query_typed(
            "SELECT due.sale_id, due.number::int2
               FROM unnest($3::timestamptz[], $4::timestamptz[]) AS captured (start, until)
              CROSS JOIN LATERAL (
                    SELECT sale.sale_id, installment.number
                      FROM sale
                     CROSS JOIN LATERAL unnest(sale.due_dates, sale.settled_by)
                                        WITH ORDINALITY AS installment (due_date, settled_by, number)
                     WHERE sale.business_id = $1
                       AND sale.occurred_at >= captured.start AND sale.occurred_at < captured.until
                       AND $2 = ANY (sale.due_dates) AND array_position(sale.settled_by, NULL) IS NOT NULL
                       AND installment.due_date = $2 AND installment.settled_by IS NULL
                       AND NOT EXISTS (SELECT FROM unnest(sale.due_dates, sale.settled_by)
                                                   AS earlier (due_date, paid_by)
                                        WHERE earlier.due_date < $2 AND earlier.paid_by IS NULL)
                     LIMIT $5) AS due
              LIMIT $5",
            &[
                (&business.uuid(), Type::UUID),
                (&due_date, Type::DATE),
                (&from, Type::TIMESTAMPTZ_ARRAY),
                (&until, Type::TIMESTAMPTZ_ARRAY),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    let mut due = rows
        .iter()
        .map(|row| {
            let number = column_values::small_number("sale.due_dates", row.get(1))?;
            Ok((SaleId::from_uuid(row.get(0)), number))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    due.sort_unstable();
    Ok(due)
}
