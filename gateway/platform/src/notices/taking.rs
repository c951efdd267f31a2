//! Takes notices: the ledger decides each one, or the exceptions queue stores it. A recorded notice wakes those that
//! wait for its sale.

use std::collections::HashMap;
use std::sync::Arc;

use deadpool_postgres::Pool;
use futures::future::join_all;
use ledger_domain::BusinessId;
use ledger_store::LedgerPosition;

use super::decision::{Decided, InLedger};
use super::intake::{Intake, Signed};
use crate::error::PlatformError;
use crate::exceptions::WaitingSales;
use crate::exceptions::queue::{self, NewException};

pub struct Notices {
    pub intake: Arc<Intake>,
    pub waiting_sales: WaitingSales,
    pool: Pool,
}

/// The result of taking a notice.
#[derive(Debug, Clone, PartialEq)]
pub enum Taken {
    /// It is durable in the log. A read that must show it needs this position.
    Recorded(LedgerPosition),
    /// The ledger had it before; nothing was added.
    Already(LedgerPosition),
    /// It is stored complete for staff and tried again. The code is the reason.
    Waiting(&'static str),
    /// It is not taken now. The provider sends it again.
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

    pub async fn take(&self, signed: &Signed) -> Result<Taken, PlatformError> {
        let before = self.waiting_sales.now();
        let decided = self.decide(signed, None).await?;
        Ok(match decided {
            Decided::Recorded(InLedger { position, .. }) => Taken::Recorded(position),
            Decided::Already(InLedger { position, .. }) => Taken::Already(position),
            Decided::Unavailable => Taken::Unavailable,
            Decided::WaitReason(waits) => {
                let client = self.pool.get().await?;
                let waiting = NewException {
                    provider: signed.provider,
                    notice_id: &signed.notice.id,
                    notice_type: &signed.notice.type_name,
                    fingerprint: signed.fingerprint(),
                    body: signed.kept_body(),
                    waits: &waits,
                };
                if queue::keep(&client, &waiting).await? {
                    waits.alarm();
                }
                self.waiting_sales.add_since(before, waits.sale_id);
                Taken::Waiting(waits.reason)
            }
        })
    }

    /// Returns the ledger's decision. If it changed a sale, the notices that wait for that sale are tried again at
    /// once.
    pub async fn decide(
        &self,
        signed: &Signed,
        assigned: Option<BusinessId>,
    ) -> Result<Decided, PlatformError> {
        let decided = self.intake.decide(signed, assigned).await?;
        if let (Decided::Recorded(_), Some(sale_id)) =
            (&decided, self.intake.sale_named(signed.provider, &signed.notice))
        {
            self.waiting_sales.changed(sale_id);
        }
        Ok(decided)
    }

    /// Takes many notices: those of one sale or transfer in order, the others concurrently.
    pub async fn take_all(&self, notices: &[Signed]) -> Vec<Result<Taken, PlatformError>> {
        let mut by_subject: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, signed) in notices.iter().enumerate() {
            let subject = self.intake.subject(signed).ok_or(index);
            by_subject.entry(subject).or_default().push(index);
        }
        let one_subject = |indices: Vec<usize>| async move {
            let mut taken = Vec::with_capacity(indices.len());
            for index in indices {
                taken.push((index, self.take(&notices[index]).await));
            }
            taken
        };
        let mut taken: Vec<_> = join_all(by_subject.into_values().map(one_subject))
            .await
            .into_iter()
            .flatten()
            .collect();
        taken.sort_by_key(|(index, _)| *index);
        taken.into_iter().map(|(_, taken)| taken).collect()
    }
}
