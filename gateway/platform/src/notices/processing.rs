//! Processes notices: the ledger decides each one, or the exceptions queue stores it. A recorded notice wakes those
//! that wait for its sale.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use deadpool_postgres::Pool;
use futures::future::join_all;
use ledger_domain::BusinessId;
use ledger_store::LedgerPosition;

use super::decision::{NoticeDecision, RecordedInLedger};
use super::intake::Intake;
use super::signed::SignedNotice;
use crate::buyers::{buyer_erased, known_fields};
use crate::error::PlatformError;
use crate::exceptions::queue::{self, NewWaitingNotice};
use crate::exceptions::{WaitingSales, unreadable_names};

pub struct Notices {
    pub intake: Arc<Intake>,
    pub waiting_sales: WaitingSales,
    pub(super) pool: Pool,
}

/// The result of a notice.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeOutcome {
    /// It is durable in the log. A read that must show it needs this position.
    Recorded(LedgerPosition),
    /// The ledger had it before; nothing was added.
    Duplicate(LedgerPosition),
    /// It is stored for staff and tried again. The code is the reason.
    Waiting(&'static str),
    /// It cannot be processed now. The provider sends it again.
    Unavailable,
}

impl Notices {
    pub fn new(intake: Arc<Intake>, pool: Pool) -> Arc<Self> {
        Arc::new(Self {
            intake,
            waiting_sales: WaitingSales::default(),
            pool,
        })
    }

    /// Decides a notice, and stores it in the exceptions queue if it must wait.
    pub async fn process(&self, signed: &SignedNotice) -> Result<NoticeOutcome, PlatformError> {
        let before = self.waiting_sales.now();
        let decided = self.decide(signed, None).await?;
        Ok(match decided {
            NoticeDecision::Recorded(RecordedInLedger { position, .. }) => NoticeOutcome::Recorded(position),
            NoticeDecision::Duplicate(RecordedInLedger { position, .. }) => {
                NoticeOutcome::Duplicate(position)
            }
            NoticeDecision::Unavailable => NoticeOutcome::Unavailable,
            NoticeDecision::Waits(waits) => {
                let client = self.pool.get().await?;
                let sale_id = waits.sale_id.or_else(|| self.intake.undamaged_sale_id_of(signed));
                let body = match sale_id {
                    Some(sale_id) if buyer_erased(&**client, sale_id).await? => {
                        Cow::Owned(known_fields(signed.kept_body()))
                    }
                    Some(_) | None => Cow::Borrowed(signed.kept_body()),
                };
                let waiting = NewWaitingNotice {
                    provider: signed.provider,
                    notice_id: &signed.notice.id,
                    notice_type: &signed.notice.type_name,
                    fingerprint: signed.fingerprint(),
                    body: &body,
                    waits: &waits,
                };
                if queue::keep(&client, &waiting).await? {
                    waits.alarm();
                }
                self.waiting_sales.watch_since(before, waits.sale_id);
                NoticeOutcome::Waiting(waits.reason)
            }
        })
    }

    /// Returns the ledger's decision. If it changed a sale, the notices that wait for that sale are tried again at
    /// once. `assigned` is the company that staff assigned, if any.
    pub async fn decide(
        &self,
        signed: &SignedNotice,
        assigned: Option<BusinessId>,
    ) -> Result<NoticeDecision, PlatformError> {
        let decided = self.intake.decide(signed, assigned).await?;
        if let (NoticeDecision::Recorded(_), Some(sale_id)) =
            (&decided, self.intake.sale_id_of(signed.provider, &signed.notice))
        {
            self.waiting_sales.changed(sale_id);
        }
        self.keep_unreadable_names(signed, &decided).await?;
        Ok(decided)
    }

    /// A notice that waits keeps its names in its body.
    async fn keep_unreadable_names(
        &self,
        signed: &SignedNotice,
        decided: &NoticeDecision,
    ) -> Result<(), PlatformError> {
        let names = &signed.notice.unreadable_names;
        let recorded = match decided {
            NoticeDecision::Recorded(recorded) | NoticeDecision::Duplicate(recorded) => recorded,
            NoticeDecision::Waits(_) | NoticeDecision::Unavailable => return Ok(()),
        };
        if names.is_empty() {
            return Ok(());
        }
        let client = self.pool.get().await?;
        let about = (
            Some(recorded.business_id),
            self.intake.undamaged_sale_id_of(signed),
        );
        Ok(unreadable_names::add(&**client, signed.provider, &signed.notice.id, about, names).await?)
    }

    /// Processes many notices: those of one sale or transfer in order, the others concurrently.
    pub async fn process_all(&self, notices: &[SignedNotice]) -> Vec<Result<NoticeOutcome, PlatformError>> {
        let mut by_subject: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, signed) in notices.iter().enumerate() {
            // A notice without a subject is alone under its index.
            let subject = self.intake.subject(signed).ok_or(index);
            by_subject.entry(subject).or_default().push(index);
        }
        let one_subject = |indices: Vec<usize>| async move {
            let mut processed = Vec::with_capacity(indices.len());
            for index in indices {
                processed.push((index, self.process(&notices[index]).await));
            }
            processed
        };
        let mut processed: Vec<_> = join_all(by_subject.into_values().map(one_subject))
            .await
            .into_iter()
            .flatten()
            .collect();
        processed.sort_by_key(|(index, _)| *index);
        processed.into_iter().map(|(_, processed)| processed).collect()
    }
}
