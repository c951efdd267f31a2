//! Whether one person may make an adjustment alone. What is above the limit becomes a request for a second person.
//!
//! The limit counts what was moved without a second person in the last 24 hours: by this person in all companies, and by
//! everybody in this company. Users who do not count as two people for a decision count as one person here too.

use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::ids::Ids;
use ledger_domain::Cents;
use ledger_domain::business::{
    Accounts, Business, BusinessCommand, MANUAL_REMOVAL_MIN, TransferRefusal, WriteOffDebt,
};
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_store::{Idempotency, log};
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::alone::{alone_add, alone_by_key, alone_delete, alone_lock, alone_sums, alone_users};
use super::requests::{NewRequest, RequestRecord, request_add, request_by_key, request_fetch};
use super::{Adjustment, AdjustmentKind, AdjustmentRefusal, Result, SUBJECT, holds};
use crate::audit::{Actor, Change, record};
use crate::commands::{CommandFailure, CommandReceipt};
use crate::error::PlatformError;
use crate::settings::records::settings_lock_for_decision;
use crate::settings::{PlatformSettings, platform_settings_at};

/// How an adjustment goes on.
pub enum Way {
    /// One person may make it. The caller submits it, and then calls `Counted::after`.
    Alone(Counted),
    /// It waits for a second person. Nothing is submitted.
    Requested(RequestRecord),
    /// An earlier request with the same key waits, or is decided by now.
    RequestedBefore(RequestRecord),
}

/// An adjustment that counts against the limit.
pub struct Counted {
    /// `None` if the ledger's rules refuse every adjustment of this amount.
    row: Option<Uuid>,
    adjustment: Adjustment,
    by: UserId,
    at: Instant,
    idempotency: Option<Idempotency>,
    /// Whether an earlier request with the same key wrote the row.
    is_repeat: bool,
}

/// The member of staff who wants to make an adjustment, and the key of the request.
#[derive(Clone, Copy)]
pub struct AskedBy<'a> {
    pub user: UserId,
    pub idempotency: Option<Idempotency>,
    pub ids: &'a Ids,
    pub clock: BusinessClock,
    /// The settings of an installation whose staff have set none.
    pub defaults: PlatformSettings,
}

/// The limit of an adjustment, read under a lock of what others move alone.
pub struct Limited {
    now: Instant,
    /// `None`: any sum.
    limit: Option<Cents>,
    /// The other users who moved something alone in the last 24 hours. The caller keeps those who do not count as other
    /// people than the one who asks.
    pub others: Vec<UserId>,
}

/// Begins the decision on an adjustment, within the transaction of `client`. Returns its way if the limit has no say.
pub async fn limited(
    client: &impl GenericClient,
    asked_by: AskedBy<'_>,
    adjustment: &Adjustment,
) -> Result<std::result::Result<Limited, Way>> {
    settings_lock_for_decision(client).await?;
    alone_lock(client).await?;
    // Read under the lock, so that later adjustments have later times.
    let now = asked_by.clock.now();
    if let Some(way) = way_before(client, asked_by, adjustment, now).await? {
        return Ok(Err(way));
    }
    let settings = platform_settings_at(client, asked_by.defaults, now).await?;
    let limit = adjustment.kind.alone_up_to(&settings);
    let mut others = match limit {
        Some(_) => alone_users(client, adjustment.kind, now).await?,
        None => vec![],
    };
    others.retain(|user| *user != asked_by.user);
    Ok(Ok(Limited { now, limit, others }))
}

/// Counts the adjustment against the limit, or requests it, within the same transaction.
pub async fn way_of(
    client: &impl GenericClient,
    asked_by: AskedBy<'_>,
    adjustment: &Adjustment,
    limited: Limited,
) -> Result<Way> {
    let Limited { now, limit, others } = limited;
    let person = [vec![asked_by.user], others].concat();
    let sums = alone_sums(client, adjustment.kind, adjustment.business_id, &person, now).await?;
    if !adjustment.kind.needs_two_people() && sums.allow(adjustment.amount, limit) {
        count(client, asked_by, adjustment, now).await.map(Way::Alone)
    } else {
        request(client, asked_by, adjustment, now)
            .await
            .map(Way::Requested)
    }
}

impl Counted {
    fn new(asked_by: AskedBy<'_>, adjustment: &Adjustment, at: Instant) -> Self {
        Self {
            row: None,
            adjustment: adjustment.clone(),
            by: asked_by.user,
            at,
            idempotency: asked_by.idempotency,
            is_repeat: false,
        }
    }

    /// Counts the adjustment no more if the ledger has recorded nothing. If that is not certain, it goes on counting.
    pub async fn after(
        self,
        pool: &Pool,
        outcome: &std::result::Result<CommandReceipt, CommandFailure>,
    ) -> Result<(), PlatformError> {
        let Some(row) = self.row else {
            return Ok(());
        };
        match outcome {
            Ok(_) if self.is_repeat => {
                // The first request may have deleted the row since, after a refusal.
                let by = (self.by, self.at);
                let client = pool.get().await?;
                alone_add(&**client, row, &self.adjustment, by, self.idempotency.as_ref()).await?;
            }
            Err(failure) if failure.recorded_nothing() && !self.is_repeat => {
                alone_delete(&**pool.get().await?, row).await?;
            }
            Ok(_) | Err(_) => {}
        }
        Ok(())
    }
}

/// The way of an adjustment on which the limit has no say: one that the ledger always refuses, and a repeat.
async fn way_before(
    client: &impl GenericClient,
    asked_by: AskedBy<'_>,
    adjustment: &Adjustment,
    now: Instant,
) -> Result<Option<Way>> {
    let counted = Counted::new(asked_by, adjustment, now);
    if is_always_refused(adjustment) {
        return Ok(Some(Way::Alone(counted)));
    }
    let Some(key) = &asked_by.idempotency else {
        return Ok(None);
    };
    if let Some(request) = request_by_key(client, adjustment.business_id, key).await? {
        let is_same = request
            .idempotency
            .is_some_and(|first| first.fingerprint == key.fingerprint);
        return if is_same {
            Ok(Some(Way::RequestedBefore(request)))
        } else {
            Err(AdjustmentRefusal::KeyReused.into())
        };
    }
    match alone_by_key(client, adjustment.business_id, key).await? {
        None => Ok(None),
        Some(row) if row.is_same => Ok(Some(Way::Alone(Counted {
            row: Some(row.id),
            is_repeat: true,
            ..counted
        }))),
        Some(_) => Err(AdjustmentRefusal::KeyReused.into()),
    }
}

/// Whether the ledger refuses this amount in every state of the company. Its answer then names the rule.
fn is_always_refused(adjustment: &Adjustment) -> bool {
    let lifts_empty_order =
        adjustment.kind == AdjustmentKind::CourtRelease && adjustment.amount == Cents::ZERO;
    (Cents::checked_amount(adjustment.amount.get()).is_err() && !lifts_empty_order)
        || (adjustment.kind == AdjustmentKind::Removal && adjustment.amount < MANUAL_REMOVAL_MIN)
}

async fn count(
    client: &impl GenericClient,
    asked_by: AskedBy<'_>,
    adjustment: &Adjustment,
    now: Instant,
) -> Result<Counted> {
    let row = asked_by.ids.new_uuid();
    let by = (asked_by.user, now);
    alone_add(client, row, adjustment, by, asked_by.idempotency.as_ref()).await?;
    Ok(Counted {
        row: Some(row),
        ..Counted::new(asked_by, adjustment, now)
    })
}

async fn request(
    client: &impl GenericClient,
    asked_by: AskedBy<'_>,
    adjustment: &Adjustment,
    now: Instant,
) -> Result<RequestRecord> {
    check_balance(client, adjustment, now).await?;
    let new = NewRequest {
        id: asked_by.ids.new_uuid(),
        adjustment,
        requested_by: asked_by.user,
        requested_at: now,
        idempotency: asked_by.idempotency,
    };
    if !request_add(client, &new).await? {
        return Err(AdjustmentRefusal::PlansPending.into());
    }
    let change = Change {
        action: "request",
        subject: SUBJECT,
        subject_id: &new.id.to_string(),
        before: None,
        after: Some(json!({
            "business_id": adjustment.business_id, "kind": adjustment.kind,
            "amount": adjustment.amount, "reason": adjustment.reason, "allow_negative": adjustment.allow_negative,
            "hold": adjustment.hold,
        })),
    };
    record(client, Actor::Admin(new.requested_by), change).await?;
    metrics::counter!("razao_adjustments_requested_total", "kind" => adjustment.kind.as_str()).increment(1);
    tracing::warn!(
        code = "adjustment_requested", request = %new.id, kind = adjustment.kind.as_str(),
        business_id = %adjustment.business_id, amount = adjustment.amount.get(),
        "an adjustment is above what one person may make alone"
    );
    let request = request_fetch(client, new.id).await?;
    Ok(request.ok_or(AdjustmentRefusal::NotFound)?)
}

/// A second person is asked only about an adjustment that the balance covers. The balance is the ledger's, because the
/// read model's may lack events. The ledger decides again after the approval.
async fn check_balance(client: &impl GenericClient, adjustment: &Adjustment, now: Instant) -> Result<()> {
    if let Some(action) = &adjustment.hold {
        return holds::check_now(client, adjustment, action, now).await;
    }
    let head = log::head(client, adjustment.business_id)
        .await
        .map_err(PlatformError::from)?;
    let accounts = head.map_or_else(Accounts::default, |head| head.accounts);
    let refusal = match adjustment.kind {
        AdjustmentKind::Removal if !adjustment.allow_negative && accounts.available < adjustment.amount => {
            TransferRefusal::AboveAvailable.into()
        }
        AdjustmentKind::WriteOff => {
            let business = Business {
                accounts,
                ..Business::default()
            };
            let write_off = BusinessCommand::WriteOffDebt(WriteOffDebt {
                amount: adjustment.amount,
                reason: adjustment.reason.clone(),
                occurred_at: now,
            });
            match business.decide(&write_off) {
                Ok(_) => return Ok(()),
                Err(refusal) => refusal,
            }
        }
        _ => return Ok(()),
    };
    Err(AdjustmentRefusal::Ledger(refusal).into())
}
