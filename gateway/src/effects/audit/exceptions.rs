//! The rows of `exception` against the log, as far as it knows them: a notice that the queue says was recorded has its
//! event, under its own key and of its own content. What waits or was closed the log does not know.

use ledger_domain::BusinessId;
use ledger_store::{Idempotency, Shard};
use projections::replay::Subject;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::{Audit, WorkError};
use crate::exceptions::queue::provider;

pub(super) async fn compare(audit: &mut Audit<'_>) -> Result<(), WorkError> {
    recorded_notices(audit).await?;
    refused_refunds(audit).await
}

/// The event is of the company that staff named, that the notice names, or that the sale belongs to.
async fn recorded_notices(audit: &mut Audit<'_>) -> Result<(), WorkError> {
    let rows = audit
        .tx
        .query_typed(
            "SELECT exception.id, exception.provider, exception.notice_id, exception.fingerprint,
                    exception.assigned_to, exception.business_id, sale_state.business_id
               FROM exception LEFT JOIN sale_state ON sale_state.sale_id = exception.sale_id
              WHERE exception.status = 'resolved' AND exception.resolution = 'recorded'
                AND exception.refund_id IS NULL ORDER BY exception.id",
            &[],
        )
        .await?;
    for row in &rows {
        let (id, notice_id): (Uuid, &str) = (row.get(0), row.get(2));
        let Some(provider) = provider(row.get(1)) else {
            continue;
        };
        let key = Idempotency::new(provider.slug(), notice_id, &[]).key;
        let fingerprint: &[u8] = row.get(3);
        let businesses: Vec<Uuid> = (4..7).filter_map(|column| row.get(column)).collect();
        let business = businesses.first().copied().map(BusinessId::from_uuid);
        let recorded = fingerprint_of(audit, &businesses, key).await?;
        match recorded {
            None => audit.finding(
                Subject::Exception,
                business,
                id,
                format_args!("an event of notice {notice_id}"),
                "no event",
            ),
            Some(recorded) if !fingerprint.starts_with(recorded.as_bytes()) => audit.finding(
                Subject::Exception,
                business,
                format_args!("{id} fingerprint"),
                hex::encode(recorded.as_bytes()),
                hex::encode(fingerprint),
            ),
            Some(_) => {}
        }
    }
    Ok(())
}

/// What the key was first used for, by one of these companies.
async fn fingerprint_of(
    audit: &Audit<'_>,
    businesses: &[Uuid],
    key: [u8; 16],
) -> Result<Option<Uuid>, WorkError> {
    let shards: Vec<i16> = businesses
        .iter()
        .map(|id| Shard::of(BusinessId::from_uuid(*id)).sql())
        .collect();
    let row = audit
        .tx
        .query_typed_opt(
            "SELECT event.fingerprint FROM unnest($1::int2[], $2::uuid[]) AS asked (shard, business_id)
               JOIN event USING (shard, business_id) WHERE event.idempotency_key = $3 LIMIT 1",
            &[
                (&shards, Type::INT2_ARRAY),
                (&businesses, Type::UUID_ARRAY),
                (&Uuid::from_bytes(key), Type::UUID),
            ],
        )
        .await?;
    Ok(row.map(|row| row.get(0)))
}

/// A refusal in the queue is a refusal among the refunds, whose sales and companies were compared with the log.
async fn refused_refunds(audit: &mut Audit<'_>) -> Result<(), WorkError> {
    let rows = audit
        .tx
        .query_typed(
            "SELECT exception.id, exception.business_id FROM exception
              WHERE exception.refund_id IS NOT NULL
                AND NOT EXISTS (SELECT FROM refund
                                 WHERE refund.refund_id = exception.refund_id
                                   AND refund.provider = exception.provider
                                   AND refund.sale_id = exception.sale_id
                                   AND refund.business_id = exception.business_id)
              ORDER BY exception.id",
            &[],
        )
        .await?;
    for row in &rows {
        let business = row.get::<_, Option<Uuid>>(1).map(BusinessId::from_uuid);
        let id: Uuid = row.get(0);
        audit.finding(
            Subject::Exception,
            business,
            id,
            "a refund of that sale",
            "no such refund",
        );
    }
    Ok(())
}
