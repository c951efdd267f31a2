//! Decides a bank's notice of a payout: finds the company of the transfer and submits the command.
//!
//! A notice that the ledger refuses waits for staff. A notice that overrules an earlier result alarms staff
//! (`effects::payouts`).

use ledger_domain::business::{
    BusinessCommand, PayoutFailed, PayoutPaid, PayoutReturned, ReturnedFee, TransferRefusal,
};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, TransferId};
use ledger_store::Outcome;
use ledger_store::log::{self, StateTable};
use serde_json::json;

use super::decision::NoticeDecision;
use super::intake::Intake;
use super::signed::SignedNotice;
use crate::effects::payouts::{self, CallResult, SentThrough};
use crate::error::PlatformError;
use crate::exceptions::WaitReason;
use crate::providers::{PayoutReport, ReportedPayoutEnd};
use crate::settings::returned_withdrawal_fee_at;

impl Intake {
    pub(super) async fn decide_payout(
        &self,
        signed: &SignedNotice,
        assigned: Option<BusinessId>,
        reported: &PayoutReport,
    ) -> Result<NoticeDecision, PlatformError> {
        let named = assigned.or(signed.notice.business_id);
        let waits = |waits: WaitReason, business_id| {
            let about = json!({ "transfer_id": reported.transfer_id, "payout_id": reported.payout_id });
            Ok(NoticeDecision::Waits(waits.and(about).about(business_id, None)))
        };
        let business_id = match named {
            Some(business_id) => business_id,
            None => match self.business_of_transfer(reported.transfer_id).await? {
                Some(business_id) => business_id,
                None => {
                    return waits(
                        WaitReason::refused(&TransferRefusal::UnknownTransfer.into()),
                        None,
                    );
                }
            },
        };
        if let Some(reason) = self.not_asked_to_pay(signed, reported).await? {
            return waits(WaitReason::for_reason(reason), Some(business_id));
        }
        self.record_notice(signed, reported).await?;
        let occurred_at = signed.notice.occurred_at;
        let fee = self.returned_fee(reported, occurred_at).await?;
        let command = reported.command(occurred_at, fee);
        let submission = self.submission(signed, business_id, command);
        match self.writer.submit(submission).await {
            Outcome::Recorded(receipt) => Ok(NoticeDecision::of(business_id, &receipt)),
            Outcome::Duplicate { position } => Ok(NoticeDecision::duplicate(business_id, position)),
            Outcome::Refused(refusal) => waits(WaitReason::refused(&refusal), Some(business_id)),
            Outcome::BelongsToOther(other) => waits(
                WaitReason::for_reason("transfer_of_another_business").with(json!({ "business_id": other })),
                Some(business_id),
            ),
            Outcome::KeyReused => waits(WaitReason::for_reason("notice_id_reused"), Some(business_id)),
            Outcome::NotOwner | Outcome::Unknown => Ok(NoticeDecision::Unavailable),
            Outcome::Rejected => Err(PlatformError::NotAppended),
        }
    }

    /// A step of the payout, before the ledger decides: a notice that the ledger refuses is one too.
    async fn record_notice(
        &self,
        signed: &SignedNotice,
        reported: &PayoutReport,
    ) -> Result<(), PlatformError> {
        let said = match &reported.end {
            ReportedPayoutEnd::Paid => (CallResult::Paid, None),
            ReportedPayoutEnd::Failed { reason } => (CallResult::Failed, reason.as_deref()),
            ReportedPayoutEnd::Returned { reason } => (CallResult::Returned, reason.as_deref()),
        };
        let client = self.pool.get().await?;
        let id = &signed.notice.id;
        payouts::record_notice(&**client, reported.payout_id, id, said, self.clock.now()).await?;
        Ok(())
    }

    /// What becomes of the withdrawal's fee, if the report says that the money came back.
    async fn returned_fee(
        &self,
        reported: &PayoutReport,
        occurred_at: Instant,
    ) -> Result<ReturnedFee, PlatformError> {
        match reported.end {
            ReportedPayoutEnd::Paid => Ok(ReturnedFee::Kept),
            ReportedPayoutEnd::Failed { .. } | ReportedPayoutEnd::Returned { .. } => {
                let client = self.pool.get().await?;
                Ok(returned_withdrawal_fee_at(&**client, occurred_at).await?)
            }
        }
    }

    /// The company of a transfer, from `transfer_state`. No second company can record the same transfer.
    async fn business_of_transfer(
        &self,
        transfer_id: TransferId,
    ) -> Result<Option<BusinessId>, PlatformError> {
        let client = self.pool.get().await?;
        let id = transfer_id.uuid();
        Ok(log::businesses_of(&**client, StateTable::Transfer, &[id])
            .await?
            .remove(&id))
    }

    /// Why the signer cannot report this payout, if it cannot. Only the provider that was asked to pay it knows its
    /// result. An order has its row before it is sent, so a payout without a row was never ordered.
    async fn not_asked_to_pay(
        &self,
        signed: &SignedNotice,
        reported: &PayoutReport,
    ) -> Result<Option<&'static str>, PlatformError> {
        let client = self.pool.get().await?;
        let sent_through = payouts::sent_through(&**client, reported.payout_id, reported.transfer_id).await?;
        Ok(match sent_through {
            SentThrough::NoSuchPayout => Some("unknown_payout"),
            SentThrough::NoKnownProvider => Some("payout_of_another_provider"),
            SentThrough::Provider(payer) => {
                (payer != signed.provider).then_some("payout_of_another_provider")
            }
        })
    }
}

impl PayoutReport {
    fn command(&self, occurred_at: Instant, fee: ReturnedFee) -> BusinessCommand {
        let Self {
            transfer_id,
            payout_id,
            end,
            names,
        } = self.clone();
        match end {
            ReportedPayoutEnd::Paid => BusinessCommand::PayoutPaid(PayoutPaid {
                transfer_id,
                payout_id,
                names,
                occurred_at,
            }),
            ReportedPayoutEnd::Failed { reason } => BusinessCommand::PayoutFailed(PayoutFailed {
                transfer_id,
                payout_id,
                reason,
                occurred_at,
                fee,
            }),
            ReportedPayoutEnd::Returned { reason } => BusinessCommand::PayoutReturned(PayoutReturned {
                transfer_id,
                payout_id,
                reason,
                names,
                occurred_at,
                fee,
            }),
        }
    }
}
