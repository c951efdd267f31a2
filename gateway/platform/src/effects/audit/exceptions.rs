//! Compares the rows of `exception`. A notice that the queue calls recorded must have its event in the log, with the
//! same idempotency key and fingerprint. A refused refund must have its row in `refund`.

use std::collections::HashMap;

use ledger_domain::BusinessId;
use ledger_store::Idempotency;
use ledger_store::log::{self, StateTable};
use projections::replay::{Reporter, Subject};
use tokio_postgres::Row;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::{Audit, PAGE};
use crate::error::PlatformError;
use crate::exceptions::ExceptionResolution;
use crate::exceptions::queue::provider_of_number;

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
                "SELECT id, provider, notice_id, fingerprint, assigned_to, business_id, sale_id
                   FROM exception
                  WHERE status = 'resolved' AND resolution = $3 AND refund_id IS NULL AND id > $1
                  ORDER BY id LIMIT $2",
                &[
                    (&after, Type::UUID),
                    (&limit, Type::INT8),
                    (&ExceptionResolution::Recorded.as_str(), Type::TEXT),
                ],
            )
            .await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = last.get(0);
        let sales: Vec<Uuid> = rows.iter().filter_map(|row| row.get(6)).collect();
        let owners = log::businesses_of(&**audit.client, StateTable::Sale, &sales).await?;
        let notices: Vec<_> = rows
            .iter()
            .filter_map(|row| RecordedNotice::read(row, &owners))
            .collect();
        let recorded = fingerprints(audit, &notices).await?;
        for notice in &notices {
            compare_notice(&mut audit.reporter, notice, recorded.get(&notice.id));
        }
    }
}

/// A notice that is recorded according to the queue.
struct RecordedNotice<'a> {
    id: Uuid,
    notice_id: &'a str,
    /// The idempotency key of its event.
    key: [u8; 16],
    /// SHA-256 of the canonical notice. The log has its first 16 bytes.
    fingerprint: &'a [u8],
    /// The companies that may own the event, most likely first.
    businesses: Vec<BusinessId>,
}

impl<'a> RecordedNotice<'a> {
    /// `owners` has the companies of the sales in the column `sale_id`.
    fn read(row: &'a Row, owners: &HashMap<Uuid, BusinessId>) -> Option<Self> {
        let (provider, notice_id) = (provider_of_number(row.get(1))?, row.get(2));
        let named = (4..6)
            .filter_map(|column| row.get(column))
            .map(BusinessId::from_uuid);
        let owner = row
            .get::<_, Option<Uuid>>(6)
            .and_then(|sale| owners.get(&sale).copied());
        Some(Self {
            id: row.get(0),
            notice_id,
            // The key does not depend on the body.
            key: Idempotency::new(provider.slug(), notice_id, &[]).key,
            fingerprint: row.get(3),
            businesses: named.chain(owner).collect(),
        })
    }
}

fn compare_notice(reporter: &mut Reporter<'_>, notice: &RecordedNotice<'_>, recorded: Option<&[u8; 16]>) {
    let RecordedNotice {
        id,
        notice_id,
        fingerprint,
        ..
    } = notice;
    reporter.set_business(notice.businesses.first().copied());
    match recorded {
        None => reporter.finding(
            Subject::Exception,
            id,
            format_args!("an event of notice {notice_id}"),
            "no event",
        ),
        Some(recorded) if !fingerprint.starts_with(recorded) => reporter.finding(
            Subject::Exception,
            format_args!("{id} fingerprint"),
            hex::encode(recorded),
            hex::encode(fingerprint),
        ),
        Some(_) => {}
    }
}

/// The fingerprint of each notice's key in the log, from the first of its companies that used the key.
async fn fingerprints(
    audit: &Audit<'_>,
    notices: &[RecordedNotice<'_>],
) -> Result<HashMap<Uuid, [u8; 16]>, PlatformError> {
    let keys_of = |notice: &RecordedNotice<'_>| {
        let key = notice.key;
        notice
            .businesses
            .iter()
            .map(move |business| (*business, key))
            .collect::<Vec<_>>()
    };
    let keys: Vec<_> = notices.iter().flat_map(keys_of).collect();
    let used = log::used_keys(&**audit.client, &keys).await?;
    let found = |notice: &RecordedNotice<'_>| {
        let fingerprint = keys_of(notice)
            .iter()
            .find_map(|key| used.get(key))?
            .key
            .fingerprint;
        Some((notice.id, fingerprint))
    };
    Ok(notices.iter().filter_map(found).collect())
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
        let reporter = audit
            .reporter
            .set_business(row.get::<_, Option<Uuid>>(1).map(BusinessId::from_uuid));
        let id: Uuid = row.get(0);
        reporter.finding(Subject::Exception, id, "a refund of that sale", "no such refund");
    }
    Ok(())
}
