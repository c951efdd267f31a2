//! What falls due: the question of the settlement job.
//!
//! Only a suggestion, and possibly late: the ledger settles each instalment once, by the state of its own.

use std::collections::BTreeMap;

use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::{Error, spelling};

/// The open instalments of at most `limit` sales that are due by `today`, oldest day first, by business.
///
/// A sale is listed under its oldest open day only; its later days follow once that one is settled.
pub async fn due_instalments(
    client: &impl GenericClient,
    today: Date,
    limit: u32,
) -> Result<Vec<(BusinessId, Date, Vec<(SaleId, u8)>)>, Error> {
    let rows = client
        .query_typed(
            "SELECT due.next_due_date, due.business_id, due.sale_id, instalment.number::int2
               FROM (SELECT * FROM sale_schedule
                      WHERE next_due_date <= $1
                      ORDER BY next_due_date, business_id, sale_id
                      LIMIT $2) AS due
              CROSS JOIN LATERAL unnest(due.due_dates, due.settled_by)
                                 WITH ORDINALITY AS instalment (due_date, settled_by, number)
              WHERE instalment.due_date = due.next_due_date AND instalment.settled_by IS NULL
              ORDER BY due.next_due_date, due.business_id, due.sale_id, instalment.number",
            &[(&today, Type::DATE), (&i64::from(limit), Type::INT8)],
        )
        .await?;
    let mut due: BTreeMap<(Date, BusinessId), Vec<(SaleId, u8)>> = BTreeMap::new();
    for row in rows {
        let key = (row.get(0), BusinessId::from_uuid(row.get(1)));
        let number = spelling::small("sale_schedule.due_dates", row.get(3))?;
        due.entry(key)
            .or_default()
            .push((SaleId::from_uuid(row.get(2)), number));
    }
    Ok(due
        .into_iter()
        .map(|((date, business), instalments)| (business, date, instalments))
        .collect())
}
