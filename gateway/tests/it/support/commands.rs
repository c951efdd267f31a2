//! Sends commands to the ledger without a user, as a job or an acquirer's notice does. Waits for the read models.

use ledger_domain::BusinessId;
use ledger_domain::business::BusinessCommand;
use ledger_store::{Actor, Job, LedgerPosition, Metadata, Outcome, Submission};
use projections::{Freshness, ReadModelGroup};
use uuid::Uuid;

use super::TestApp;
use super::companies::Company;
use super::wait::TIMEOUT;

/// A command without an idempotency key.
pub fn submission(business_id: BusinessId, command: BusinessCommand) -> Submission {
    Submission {
        command_id: Uuid::now_v7(),
        business_id,
        command,
        metadata: Metadata::by(Actor::Job(Job::Installation)),
        idempotency: None,
    }
}

impl TestApp {
    /// The ledger's answer to a command, which may be a refusal.
    pub async fn outcome_of(&self, business_id: BusinessId, command: BusinessCommand) -> Outcome {
        let submission = submission(business_id, command);
        self.app.state.writer.submit(submission).await
    }

    /// Submits a command that the ledger must record.
    pub async fn submit(&self, company: &Company, command: BusinessCommand) -> LedgerPosition {
        match self.outcome_of(company.id, command).await {
            Outcome::Recorded(receipt) => receipt.position(),
            other => panic!("not recorded: {other:?}"),
        }
    }

    /// The end of the log.
    pub async fn ledger_position(&self) -> LedgerPosition {
        let client = self.app.state.pool.get().await.expect("a connection");
        ledger_store::log::shard_positions(&**client)
            .await
            .expect("positions")
    }

    /// Waits until every read model has read all recorded events.
    pub async fn until_projected(&self) {
        let reached = self.ledger_position().await;
        let waited =
            projections::wait_for(&self.app.state.pool, &ReadModelGroup::ALL, &reached, TIMEOUT).await;
        assert_eq!(waited.expect("checkpoints"), Freshness::Fresh);
    }

    /// Settles everything that is due by today.
    pub async fn settle_due(&self) {
        self.until_projected().await;
        let settlement = self.app.settlement();
        settlement.run(|_| ()).await.expect("a settlement");
    }
}
