//! The number and the amounts of transfers by status.
//!
//! Whole business dates are read from the sums by day. The parts of dates at the two ends of a range are read row by
//! row.

use ledger_domain::BusinessId;
use ledger_domain::transfer::{TransferKind, TransferStatus};
use tokio_postgres::GenericClient;
use tokio_postgres::types::{ToSql, Type};

use super::daily::TransferSum;
use crate::each_shard::sums_of_each_shard;
use crate::range::TimeRange;
use crate::{Error, column_values};

/// The transfers of one status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusTotals {
    pub status: TransferStatus,
    pub sum: TransferSum,
}

/// The totals of each status, also of those without a transfer. The range restricts the instant of the request. Without
/// a business, the totals cover all companies; without a kind, every kind.
pub async fn totals_by_status(
    client: &impl GenericClient,
    business: Option<BusinessId>,
    kind: Option<TransferKind>,
    range: TimeRange,
) -> Result<Vec<StatusTotals>, Error> {
    let split = range.split();
    let business = business.map(BusinessId::uuid);
    let kind = kind.map(|kind| i16::from(kind.number()));
    let (head_from, head_until) = split.head.unzip();
    let (tail_from, tail_until) = split.tail.unzip();
    let whole_days = match business {
        Some(_) => "daily_transfers WHERE business_id = $1 AND",
        // `$1` is null here, so the condition is always true.
        None => "platform_transfers_daily WHERE $1::uuid IS NULL AND",
    };
    let rows_between = |from: &str, until: &str| {
        format!(
            "SELECT status, 1, amount, fee FROM transfer
              WHERE requested_at >= {from} AND requested_at < {until}
                AND ($2::int2 IS NULL OR kind = $2) AND ($1::uuid IS NULL OR business_id = $1)"
        )
    };
    let sql = format!(
        "SELECT status, sum(transfers)::int8, sum(amount)::int8, sum(fee)::int8
           FROM (SELECT status, transfers, amount, fee FROM {whole_days} ($2::int2 IS NULL OR kind = $2)
                    AND ($3::date IS NULL OR business_date >= $3) AND ($4::date IS NULL OR business_date < $4)
                 UNION ALL {head} UNION ALL {tail}) AS parts (status, transfers, amount, fee)
          GROUP BY status",
        head = rows_between("$5::timestamptz", "$6::timestamptz"),
        tail = rows_between("$7::timestamptz", "$8::timestamptz"),
    );
    let sql = sums_of_each_shard(&sql, 1, 3, "");
    let parameters: [(&(dyn ToSql + Sync), Type); 8] = [
        (&business, Type::UUID),
        (&kind, Type::INT2),
        (&split.first, Type::DATE),
        (&split.end, Type::DATE),
        (&head_from, Type::TIMESTAMPTZ),
        (&head_until, Type::TIMESTAMPTZ),
        (&tail_from, Type::TIMESTAMPTZ),
        (&tail_until, Type::TIMESTAMPTZ),
    ];
    let none = |status: &TransferStatus| StatusTotals {
        status: *status,
        sum: TransferSum::default(),
    };
    let mut totals: Vec<_> = TransferStatus::ALL.iter().map(none).collect();
    for row in client.query_typed(&sql, &parameters).await? {
        let status = column_values::transfer_status(row.get(0))?;
        if let Some(found) = totals.iter_mut().find(|totals| totals.status == status) {
            found.sum = TransferSum::from_row(&row, 1);
        }
    }
    Ok(totals)
}
