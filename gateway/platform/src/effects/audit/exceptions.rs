//! Compares the rows of `exception` with the log. A notice that the queue calls recorded must have its event, with the
//! same idempotency key and fingerprint. The log has nothing about waiting or closed notices.

use std::collections::HashMap;

use ledger_domain::BusinessId;
use ledger_store::{Idempotency, Shard};
use projections::replay::{Reporter, Subject};
use tokio_postgres::Row;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::{Audit, PAGE};
use crate::error::PlatformError;
use crate::exceptions::queue::provider;

pub(super) async fn compare(audit: &mut Audit<'_>) -> Result<(), PlatformError> {
    recorded_notices(audit).await?;
    refused_refunds(audit).await
}

/// The event's company is the one that staff assigned, that of the notice, or that of the sale.
async fn recorded_notices(audit: &mut Audit<'_>) -> Result<(), PlatformError> {
    let limit = i64::try_from(PAGE).unwrap_or(i64::MAX);
    let mut after = Uuid::nil();
    loop {
        let rows = audit
            .client
            .query_typed(
                "SELECT exception.id, exception.provider, exception.notice_id, exception.fingerprint,
                        exception.assigned_to, exception.business_id, sale_state.business_id
                   FROM exception LEFT JOIN sale_state ON sale_state.sale_id = exception.sale_id
                  WHERE exception.status = 'resolved' AND exception.resolution = 'recorded'
                    AND exception.refund_id IS NULL AND exception.id > $1
                  ORDER BY exception.id LIMIT $2",
                &[(&after, Type::UUID), (&limit, Type::INT8)],
            )
            .await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = last.get(0);
        let notices: Vec<_> = rows.iter().filter_map(RecordedNotice::read).collect();
        let recorded = fingerprints(audit, &notices).await?;
        for notice in &notices {
            compare_notice(&mut audit.to, notice, recorded.get(&notice.id));
        }
    }
}

/// A notice that is recorded according to the queue.
struct RecordedNotice<'a> {
    id: Uuid,
    notice_id: &'a str,
    key: Uuid,
    fingerprint: &'a [u8],
    /// The companies that may own the event, most likely first.
    businesses: Vec<Uuid>,
}

impl<'a> RecordedNotice<'a> {
    fn read(row: &'a Row) -> Option<Self> {
        let (provider, notice_id) = (provider(row.get(1))?, row.get(2));
        Some(Self {
            id: row.get(0),
            notice_id,
            key: Uuid::from_bytes(Idempotency::new(provider.slug(), notice_id, &[]).key),
            fingerprint: row.get(3),
            businesses: (4..7).filter_map(|column| row.get(column)).collect(),
        })
    }
}

fn compare_notice(to: &mut Reporter<'_>, notice: &RecordedNotice<'_>, recorded: Option<&Uuid>) {
    let RecordedNotice {
        id,
        notice_id,
        fingerprint,
        ..
    } = notice;
    to.of(notice.businesses.first().copied().map(BusinessId::from_uuid));
    match recorded {
        None => to.finding(
            Subject::Exception,
            id,
            format_args!("an event of notice {notice_id}"),
            "no event",
        ),
        Some(recorded) if !fingerprint.starts_with(recorded.as_bytes()) => to.finding(
            Subject::Exception,
            format_args!("{id} fingerprint"),
            hex::encode(recorded.as_bytes()),
            hex::encode(fingerprint),
        ),
        Some(_) => {}
    }
}

/// The fingerprint under which one of its companies first used each notice's key.
async fn fingerprints(
    audit: &Audit<'_>,
    notices: &[RecordedNotice<'_>],
) -> Result<HashMap<Uuid, Uuid>, PlatformError> {
    let asked = || {
        notices
            .iter()
            .flat_map(|notice| notice.businesses.iter().map(move |business| (notice, *business)))
    };
    let ids: Vec<_> = asked().map(|(notice, _)| notice.id).collect();
    let keys: Vec<_> = asked().map(|(notice, _)| notice.key).collect();
    let businesses: Vec<_> = asked().map(|(_, business)| business).collect();
    let shards: Vec<_> = businesses
        .iter()
        .map(|id| Shard::of(BusinessId::from_uuid(*id)).sql())
        .collect();
    let rows = audit
        .client
        .query_typed(
            "SELECT asked.id, event.fingerprint
               FROM unnest($1::uuid[], $2::uuid[], $3::int2[], $4::uuid[]) AS asked (id, key, shard, business_id)
               JOIN event ON event.shard = asked.shard AND event.business_id = asked.business_id
                         AND event.idempotency_key = asked.key",
            &[
                (&ids, Type::UUID_ARRAY),
                (&keys, Type::UUID_ARRAY),
                (&shards, Type::INT2_ARRAY),
                (&businesses, Type::UUID_ARRAY),
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// A refused refund in the queue must have its refund row. `refunds` compares the sale and the company of that row with
/// the log.
async fn refused_refunds(audit: &mut Audit<'_>) -> Result<(), PlatformError> {
    let rows = audit
        .client
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
        let to = audit
            .to
            .of(row.get::<_, Option<Uuid>>(1).map(BusinessId::from_uuid));
        let id: Uuid = row.get(0);
        to.finding(Subject::Exception, id, "a refund of that sale", "no such refund");
    }
    Ok(())
}
