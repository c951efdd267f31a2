//! The installments that are due, for the settlement job.
//!
//! The result is only a suggestion and may be out of date: the ledger settles each installment once, by its own state.

use ledger_domain::calendar::{Date, Instant, days_after, start_of};
use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::each_shard::{Cut, list_of_each_shard};
use crate::{Error, column_values};

/// The installments of one business with the same due date, each as its sale and number.
pub type DueInstallments = (BusinessId, Date, Vec<(SaleId, u8)>);

/// A page of the due installments, in the order of day, business, and the sale's capture. All have the same due date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuePage {
    pub days: Vec<DueInstallments>,
    /// Where the page ends. A page with an end may be empty; one without an end is empty, and no page follows it.
    pub end: Option<DuePlace>,
}

/// A place in the order of due installments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuePlace {
    due_date: Date,
    business: BusinessId,
    /// The last installment before the place. Without it, the place is after all that the business has on the due date.
    installment: Option<DueInstallment>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DueInstallment {
    captured_at: Instant,
    sale_id: SaleId,
    number: u8,
}

/// At most `limit` open installments that are due by `today`, after the place `after`.
///
/// A sale is listed under its oldest open day only. Its later days follow once that day is settled. A page with several
/// due dates could end after those later days and skip them, so a page has one.
///
/// The receivables schedule knows which days are open and on which dates their sales were captured. So no index of
/// installments is needed.
pub async fn due_installments(
    client: &impl GenericClient,
    today: Date,
    after: Option<DuePlace>,
    limit: u32,
) -> Result<DuePage, Error> {
    let in_day = after.filter(|place| place.installment.is_some());
    let sql = list_of_each_shard("due_date, business_id", Cut::first("$2"), |limit| {
        format!(
            "SELECT due_date, business_id, array_agg(DISTINCT captured_on.date)
               FROM receivables_schedule CROSS JOIN LATERAL unnest(captured_on) AS captured_on (date)
              WHERE open AND due_date <= $1
                AND ($3::date IS NULL OR (due_date, business_id) > ($3, $4)
                     OR $5 AND due_date = $3 AND business_id = $4)
              GROUP BY due_date, business_id ORDER BY due_date, business_id {limit}"
        )
    });
    let days = client
        .query_typed(
            &sql,
            &[
                (&today, Type::DATE),
                (&i64::from(limit), Type::INT8),
                (&after.map(|place| place.due_date), Type::DATE),
                (&after.map(|place| place.business.uuid()), Type::UUID),
                (&in_day.is_some(), Type::BOOL),
            ],
        )
        .await?;
    let mut page = DuePage {
        days: vec![],
        end: None,
    };
    let mut rest = i64::from(limit);
    for day in days {
        let (due_date, business) = (day.get(0), BusinessId::from_uuid(day.get(1)));
        if page.days.first().is_some_and(|(_, first, _)| *first != due_date) {
            break;
        }
        let captured_on: Vec<Date> = day.get(2);
        let begun = in_day.filter(|place| (place.due_date, place.business) == (due_date, business));
        let begun = begun.and_then(|place| place.installment);
        let found = due_of(client, (business, due_date), &captured_on, begun, rest).await?;
        rest -= i64::try_from(found.len()).unwrap_or(i64::MAX);
        page.end = Some(DuePlace {
            due_date,
            business,
            installment: found.last().copied().filter(|_| rest <= 0),
        });
        if !found.is_empty() {
            let found = found.iter().map(|due| (due.sale_id, due.number));
            page.days.push((business, due_date, found.collect()));
        }
        if rest <= 0 {
            break;
        }
    }
    Ok(page)
}

/// The open installments of one day of a business, from the sales of the dates on which they were captured.
///
/// Two cheap conditions on the arrays of a sale skip sales that are settled or have nothing due on the day.
async fn due_of(
    client: &impl GenericClient,
    (business, due_date): (BusinessId, Date),
    captured_on: &[Date],
    after: Option<DueInstallment>,
    limit: i64,
) -> Result<Vec<DueInstallment>, Error> {
    // Captures before the place are not read again.
    let since = after.map(|after| after.captured_at);
    let captured = captured_on
        .iter()
        .map(|date| (start_of(*date), start_of(days_after(*date, 1))))
        .filter(|(_, until)| since.is_none_or(|since| since < *until))
        .map(|(from, until)| (since.map_or(from, |since| since.max(from)), until));
    let (from, until): (Vec<_>, Vec<_>) = captured.unzip();
    let rows = client
        .query_typed(
            "SELECT due.occurred_at, due.sale_id, due.number::int2
               FROM unnest($3::timestamptz[], $4::timestamptz[]) AS captured (start, until)
              CROSS JOIN LATERAL (
                    SELECT sale.occurred_at, sale.sale_id, installment.number
                      FROM sale
                     CROSS JOIN LATERAL unnest(sale.due_dates, sale.settled_by)
                                        WITH ORDINALITY AS installment (due_date, settled_by, number)
                     WHERE sale.business_id = $1
                       AND sale.occurred_at >= captured.start AND sale.occurred_at < captured.until
                       AND ($6::timestamptz IS NULL
                            OR (sale.occurred_at, sale.sale_id, installment.number) > ($6, $7, $8))
                       AND $2 = ANY (sale.due_dates) AND array_position(sale.settled_by, NULL) IS NOT NULL
                       AND installment.due_date = $2 AND installment.settled_by IS NULL
                       AND NOT EXISTS (SELECT 1 FROM unnest(sale.due_dates, sale.settled_by)
                                                   AS earlier (due_date, paid_by)
                                        WHERE earlier.due_date < $2 AND earlier.paid_by IS NULL)
                     ORDER BY sale.occurred_at, sale.sale_id, installment.number
                     LIMIT $5) AS due
              ORDER BY due.occurred_at, due.sale_id, due.number
              LIMIT $5",
            &[
                (&business.uuid(), Type::UUID),
                (&due_date, Type::DATE),
                (&from, Type::TIMESTAMPTZ_ARRAY),
                (&until, Type::TIMESTAMPTZ_ARRAY),
                (&limit, Type::INT8),
                (&since, Type::TIMESTAMPTZ),
                (&after.map(|after| after.sale_id.uuid()), Type::UUID),
                (&after.map(|after| i64::from(after.number)), Type::INT8),
            ],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(DueInstallment {
                captured_at: row.get(0),
                sale_id: SaleId::from_uuid(row.get(1)),
                number: column_values::small_number("sale.due_dates", row.get(2))?,
            })
        })
        .collect()
}
