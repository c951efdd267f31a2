//! What is usual of a company at the time of a request: its earlier withdrawals, and its disputes.

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::GenericClient;
use tokio_postgres::types::{ToSql, Type};

use crate::each_shard::rows_of_each_shard;
use crate::{Error, column_values};

/// How many of the last paid withdrawals say what is usual.
const LAST_PAID: i64 = 10;
/// Two periods of this many days are compared: the one before a request, and the one before that.
const DISPUTE_DAYS: i32 = 30;

/// The history of a company before an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UsualBefore {
    /// How many of the last ten paid withdrawals there are.
    pub paid: u64,
    /// Their sum.
    pub amount: Cents,
    /// Disputes in the 30 days before, and in the 30 days before those.
    pub disputes: u64,
    pub earlier_disputes: u64,
}

/// For each company and instant, in the order of the requests.
pub async fn usual_before(
    client: &impl GenericClient,
    requests: &[(BusinessId, Instant)],
) -> Result<Vec<UsualBefore>, Error> {
    let mut usual = vec![UsualBefore::default(); requests.len()];
    if requests.is_empty() {
        return Ok(usual);
    }
    let companies: Vec<_> = requests.iter().map(|(company, _)| company.uuid()).collect();
    let instants: Vec<Instant> = requests.iter().map(|(_, at)| *at).collect();
    // Kind 0 is a withdrawal, status 1 a paid one. Both subqueries read a few entries of an index of the company.
    let sql = rows_of_each_shard(
        "SELECT request.number, last.paid, last.amount, dispute.recent, dispute.earlier
           FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS request (business_id, at, number)
           JOIN balance ON balance.business_id = request.business_id,
                LATERAL (SELECT count(*) AS paid, coalesce(sum(paid.amount), 0)::int8 AS amount
                           FROM (SELECT amount FROM transfer
                                  WHERE transfer.business_id = request.business_id AND kind = 0 AND status = 1
                                    AND requested_at < request.at
                                  ORDER BY requested_at DESC, transfer_id DESC LIMIT $3) AS paid) AS last,
                LATERAL (SELECT count(*) FILTER (WHERE occurred_at >= request.at - $4 * interval '1 day') AS recent,
                                count(*) FILTER (WHERE occurred_at < request.at - $4 * interval '1 day') AS earlier
                           FROM journal
                          WHERE journal.business_id = request.business_id AND in_dispute IS NOT NULL AND in_dispute > 0
                            AND occurred_at >= request.at - $4 * interval '2 days' AND occurred_at < request.at
                        ) AS dispute",
    );
    let parameters: [(&(dyn ToSql + Sync), Type); 4] = [
        (&companies, Type::UUID_ARRAY),
        (&instants, Type::TIMESTAMPTZ_ARRAY),
        (&LAST_PAID, Type::INT8),
        (&DISPUTE_DAYS, Type::INT4),
    ];
    for row in client.query_typed(&sql, &parameters).await? {
        let number: i64 = row.get(0);
        let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
        if let Some(found) = usual.get_mut(index) {
            *found = UsualBefore {
                paid: column_values::count("transfer", row.get(1))?,
                amount: Cents::new(row.get(2)),
                disputes: column_values::count("journal", row.get(3))?,
                earlier_disputes: column_values::count("journal", row.get(4))?,
            };
        }
    }
    Ok(usual)
}
