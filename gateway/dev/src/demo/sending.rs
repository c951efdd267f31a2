//! Sends the story's notices to the intake.

use chrono::{DateTime, Utc};
use futures::future::try_join_all;
use gateway_platform::notices::{NoticeOutcome, SignedNotice};
use ledger_store::LedgerPosition;
use ledger_store::log::shard_positions;

use super::loader::{DemoError, Loader};
use super::trade::{Attempt, DemoNotice, unregistered_machine};

/// Notices sent concurrently: enough to fill the writer's batches.
const CONCURRENT_NOTICES: usize = 512;

impl Loader {
    /// Sends the notices in chunks of concurrent ones. The notices of one sale stay in order.
    pub(super) async fn send(&self, notices: &[DemoNotice]) -> Result<LedgerPosition, DemoError> {
        let mut reached = LedgerPosition::default();
        for chunk in notices.chunks(CONCURRENT_NOTICES) {
            let (created, reported): (Vec<_>, Vec<_>) =
                chunk.iter().partition(|notice| notice.creates().is_some());
            self.create_sales(created.into_iter().filter_map(DemoNotice::creates))
                .await?;
            let signed: Vec<_> = reported.into_iter().map(to_signed).collect::<Result<_, _>>()?;
            for (outcome, signed) in self.notices.process_all(&signed).await.into_iter().zip(&signed) {
                match outcome.map_err(|error| not_recorded(signed, &error.to_string()))? {
                    NoticeOutcome::Recorded(position) | NoticeOutcome::Duplicate(position) => {
                        reached.merge(&position)
                    }
                    other => return Err(not_recorded(signed, &format!("{other:?}"))),
                }
            }
        }
        // The position includes the sales that were created.
        reached.merge(&shard_positions(&**self.pool.get().await?).await?);
        Ok(reached)
    }

    /// Makes the sales of attempts known to the ledger, as the worker of orders does.
    async fn create_sales<'a>(&self, attempts: impl Iterator<Item = &'a Attempt>) -> Result<(), DemoError> {
        let creating = attempts.map(|attempt| async move {
            let created = self.orders.sale_create(attempt.sale_id).await;
            match created.map_err(|error| error.to_string()) {
                Ok(true) => Ok(()),
                Ok(false) => Err("refused".to_owned()),
                Err(why) => Err(why),
            }
            .map_err(|why| DemoError::NotRecorded {
                id: attempt.sale_id.to_string(),
                why,
            })
        });
        try_join_all(creating).await.map(drop)
    }

    /// A sale of an unregistered card machine, which staff find in the exceptions queue.
    pub(super) async fn report_unregistered_machine(&self, at: DateTime<Utc>) -> Result<(), DemoError> {
        let signed = to_signed(&unregistered_machine(at))?;
        let outcome = self.notices.process(&signed).await;
        match outcome.map_err(|error| not_recorded(&signed, &error.to_string()))? {
            NoticeOutcome::Waiting(_) => Ok(()),
            other => Err(not_recorded(&signed, &format!("{other:?}"))),
        }
    }
}

pub(super) fn to_signed(notice: &DemoNotice) -> Result<SignedNotice, DemoError> {
    SignedNotice::read(notice.provider, &notice.to_json()).map_err(|errors| DemoError::NotRecorded {
        id: notice.content.id.clone(),
        why: format!("{errors:?}"),
    })
}

fn not_recorded(signed: &SignedNotice, why: &str) -> DemoError {
    DemoError::NotRecorded {
        id: signed.notice.id.clone(),
        why: why.to_owned(),
    }
}
