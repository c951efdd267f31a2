//! Submits a parsed notice to the ledger. Builds the command for the sale and the company that `target` found. Repeats
//! it for another company if only the terminal determined the company and it was wrong.
//!
//! The common path (the notice names a company and a known terminal) runs no query here: the writer's look-up is the
//! only one. `processing` stores the notices that must wait.

use std::sync::Arc;

use chrono::{TimeDelta, Utc};
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::ids::Ids;
use gateway_environment::request_context;
use ledger_domain::business::{BusinessCommand, BusinessEvent, Refusal, SaleEvent};
use ledger_domain::sale::{Provider, RefundReference};
use ledger_domain::{BusinessId, SaleId};
use ledger_store::{Actor, Idempotency, Metadata, Outcome, Submission, Writer, log};
use serde_json::json;
use uuid::Uuid;

use super::decision::NoticeDecision;
use super::signed::SignedNotice;
use super::target::Target;
use crate::effects::refunds;
use crate::error::PlatformError;
use crate::exceptions::WaitReason;
use crate::providers::{Notice, NoticeContent, SaleReport};
use crate::terminals::Terminals;

/// The largest number of corrections of a company that the terminal determined: the terminal is read again, or the
/// ledger has the sale in another company. More would mean that the terminal changes its owner faster than a notice is
/// decided; the provider can send it again.
const CORRECTIONS_MAX: usize = 3;

/// Clocks differ by minutes. A notice dated further ahead than this reports a fact that has not happened yet.
const AHEAD_MAX: TimeDelta = TimeDelta::days(1);

pub struct Intake {
    pub(super) pool: Pool,
    pub(super) writer: Writer,
    pub(super) ids: Ids,
    pub(super) terminals: Terminals,
    pub(super) clock: BusinessClock,
}

impl Intake {
    /// Whether the notices of all companies can be recorded, here or by other processes.
    pub fn records_for_all(&self) -> bool {
        self.writer.records_for_all()
    }

    pub fn new(
        pool: Pool,
        writer: Writer,
        ids: Ids,
        terminals: Terminals,
        clock: BusinessClock,
    ) -> Arc<Self> {
        Arc::new(Self {
            pool,
            writer,
            ids,
            terminals,
            clock,
        })
    }

    /// The sale that the notice names: by our id if it has one, else by the provider's id.
    pub fn sale_id_of(&self, provider: Provider, notice: &Notice) -> Option<SaleId> {
        let reference = &notice.reference;
        reference
            .sale_id
            .or_else(|| Some(self.ids.sale(provider, reference.external_id.as_deref()?)))
    }

    /// The sale or transfer of a notice, if known. Notices of one subject are processed in order.
    pub fn subject(&self, signed: &SignedNotice) -> Option<Uuid> {
        match &signed.notice.content {
            NoticeContent::Payout(reported) => Some(reported.transfer_id.uuid()),
            NoticeContent::Sale(_) | NoticeContent::UnknownType => {
                self.sale_id_of(signed.provider, &signed.notice).map(SaleId::uuid)
            }
        }
    }

    /// Decides a notice. `assigned` is the company that staff assigned, if any.
    pub async fn decide(
        &self,
        signed: &SignedNotice,
        assigned: Option<BusinessId>,
    ) -> Result<NoticeDecision, PlatformError> {
        let notice = &signed.notice;
        let wait = |waits: WaitReason| {
            let business_id = assigned.or(notice.business_id);
            Ok(NoticeDecision::Waits(
                waits.about(business_id, self.undamaged_sale_id_of(signed)),
            ))
        };
        if let Some(waits) = self.reason_to_wait(signed) {
            return wait(waits);
        }
        match &notice.content {
            NoticeContent::Sale(reported) => self.decide_sale(signed, assigned, reported).await,
            NoticeContent::Payout(reported) => self.decide_payout(signed, assigned, reported).await,
            NoticeContent::UnknownType => wait(WaitReason::for_reason("unknown_type")),
        }
    }

    /// The sale that a notice is about. `None` if a field was damaged, because the id may then name another sale.
    pub fn undamaged_sale_id_of(&self, signed: &SignedNotice) -> Option<SaleId> {
        match signed.notice.content {
            NoticeContent::Payout(_) => None,
            NoticeContent::Sale(_) | NoticeContent::UnknownType if signed.damaged => None,
            NoticeContent::Sale(_) | NoticeContent::UnknownType => {
                self.sale_id_of(signed.provider, &signed.notice)
            }
        }
    }

    /// The reasons to wait that do not need the ledger. `AHEAD_MAX` counts from the later of the business clock and the
    /// machine's. In development the sandbox and the business can have different days.
    fn reason_to_wait(&self, signed: &SignedNotice) -> Option<WaitReason> {
        if signed.damaged {
            return Some(WaitReason::for_reason("control_characters"));
        }
        let occurred_at = signed.notice.occurred_at;
        let now = self.clock.now().max(Utc::now());
        (occurred_at > now + AHEAD_MAX)
            .then(|| WaitReason::for_reason("dated_ahead").with(json!({ "occurred_at": occurred_at })))
    }

    async fn decide_sale(
        &self,
        signed: &SignedNotice,
        assigned: Option<BusinessId>,
        reported: &SaleReport,
    ) -> Result<NoticeDecision, PlatformError> {
        let mut target = match self.target(signed, assigned).await? {
            Ok(target) => target,
            Err(waits) => return Ok(NoticeDecision::Waits(waits)),
        };
        if let Some(refusal) = self.amount_refusal(signed, reported, target.sale_id).await? {
            let waits = WaitReason::refused(&refusal);
            return Ok(NoticeDecision::Waits(
                waits.about(Some(target.business_id), Some(target.sale_id)),
            ));
        }
        // The platform's own refund that this notice answers.
        let mut answered = None;
        for _ in 0..=CORRECTIONS_MAX {
            let about = |waits: WaitReason| waits.about(Some(target.business_id), Some(target.sale_id));
            let command = match &answered {
                Some(refund) => reported.answer(signed, &target, refund),
                None => reported.command(signed, &target),
            };
            let submission = self.submission(signed, target.business_id, command);
            match self.writer.submit(submission).await {
                Outcome::Recorded(receipt) => {
                    // Names alone: the ledger had the return before.
                    if receipt.events.iter().all(|recorded| is_name(&recorded.event)) {
                        self.end_own_refund(signed, reported, target.sale_id).await?;
                    }
                    return Ok(NoticeDecision::of(target.business_id, &receipt));
                }
                Outcome::Duplicate { position } => {
                    self.end_own_refund(signed, reported, target.sale_id).await?;
                    return Ok(NoticeDecision::duplicate(target.business_id, position));
                }
                // The sale is recorded for another company. The first writer wins.
                Outcome::BelongsToOther(business_id) if target.by_terminal => {
                    target = Target {
                        business_id,
                        by_terminal: false,
                        ..target
                    };
                }
                Outcome::BelongsToOther(other) => {
                    let waits = WaitReason::for_reason("sale_of_another_business");
                    return Ok(NoticeDecision::Waits(about(
                        waits.with(json!({ "business_id": other })),
                    )));
                }
                // The directory of terminals may be older than the ledger's own look-up.
                Outcome::Refused(Refusal::TerminalOfAnotherBusiness) if target.by_terminal => {
                    match self.corrected(signed, &target).await? {
                        Some(corrected) => target = corrected,
                        None => {
                            return Ok(NoticeDecision::Waits(about(WaitReason::refused(
                                &Refusal::TerminalOfAnotherBusiness,
                            ))));
                        }
                    }
                }
                Outcome::Refused(Refusal::RefundUnanswered(refund))
                    if self.was_refunded_by_hand(signed, &target, &refund).await? =>
                {
                    answered = Some(refund);
                }
                Outcome::Refused(refusal) => {
                    return Ok(NoticeDecision::Waits(about(WaitReason::refused(&refusal))));
                }
                Outcome::KeyReused => {
                    return Ok(NoticeDecision::Waits(about(WaitReason::for_reason(
                        "notice_id_reused",
                    ))));
                }
                Outcome::NotOwner | Outcome::Unknown => return Ok(NoticeDecision::Unavailable),
                Outcome::Rejected => {
                    return Err(PlatformError::NotAppended);
                }
            }
        }
        Ok(NoticeDecision::Unavailable)
    }

    /// If the platform canceled the sale, a report that adds nothing but names says that its refund is done.
    async fn end_own_refund(
        &self,
        signed: &SignedNotice,
        reported: &SaleReport,
        sale_id: SaleId,
    ) -> Result<(), PlatformError> {
        if self.is_end_of_own_refund(reported, sale_id).await? {
            let client = self.pool.get().await?;
            refunds::end_as_refunded(&**client, sale_id, signed.provider).await?;
        }
        Ok(())
    }

    /// Whether a report that adds nothing says that the sale's money went back, which the platform asked for. The
    /// repeated report of a part that the acquirer refunded by itself says nothing about the platform's request.
    async fn is_end_of_own_refund(
        &self,
        reported: &SaleReport,
        sale_id: SaleId,
    ) -> Result<bool, PlatformError> {
        let refund = match reported {
            SaleReport::Refunded { refund, .. } => refund.as_ref(),
            _ if reported.is_refunded_or_reversed() => return Ok(true),
            _ => return Ok(false),
        };
        let client = self.pool.get().await?;
        let known = log::sale_states(&**client, &[sale_id]).await?.pop();
        let is_recorded_part = |id| known.is_some_and(|(_, known)| known.state.has_refund(id));
        Ok(!refund.is_some_and(is_recorded_part))
    }

    /// Whether the notice reports the platform's own refund, although the platform's request did not make it.
    async fn was_refunded_by_hand(
        &self,
        signed: &SignedNotice,
        target: &Target,
        refund: &RefundReference,
    ) -> Result<bool, PlatformError> {
        let Some(amount) = signed.notice.amount else {
            return Ok(false);
        };
        let client = self.pool.get().await?;
        Ok(refunds::end_refunded_by_hand(&**client, target.sale_id, refund, amount).await?)
    }

    /// Finds a cancel, a reversal or a won dispute whose amount differs from what is left of the sale, or from what is
    /// disputed: a return of a part must not be recorded as one of the whole. The ledger decides on parts of refunds,
    /// disputes and chargebacks. A notice with an amount and an unknown sale waits for the sale.
    async fn amount_refusal(
        &self,
        signed: &SignedNotice,
        report: &SaleReport,
        sale_id: SaleId,
    ) -> Result<Option<Refusal>, PlatformError> {
        let Some(reported) = signed.notice.amount else {
            return Ok(None);
        };
        match report {
            SaleReport::Refunded { .. }
            | SaleReport::DisputeOpened { .. }
            | SaleReport::DisputeLost { .. } => {
                return Ok(None);
            }
            SaleReport::Created(_)
            | SaleReport::Captured(_)
            | SaleReport::Failed { .. }
            | SaleReport::Canceled { .. }
            | SaleReport::Reversed { .. }
            | SaleReport::DisputeWon { .. } => {}
        }
        let client = self.pool.get().await?;
        Ok(match log::sale_states(&**client, &[sale_id]).await?.pop() {
            None => Some(Refusal::UnknownSale),
            Some((_, known)) => {
                let recorded = known.state.disputed_or_left();
                (recorded != reported).then_some(Refusal::AmountDiffers { recorded, reported })
            }
        })
    }

    /// The submission of a notice's command, in its provider's name.
    pub(super) fn submission(
        &self,
        signed: &SignedNotice,
        business_id: BusinessId,
        command: BusinessCommand,
    ) -> Submission {
        let SignedNotice {
            provider,
            notice,
            canonical,
            ..
        } = signed;
        Submission {
            command_id: self.ids.new_uuid(),
            business_id,
            command,
            metadata: Metadata {
                request_id: Some(request_context::current().id),
                cause: Some(notice.id.clone()),
                ..Metadata::by(Actor::Provider(*provider))
            },
            idempotency: Some(Idempotency::new(
                provider.slug(),
                &notice.id,
                canonical.as_bytes(),
            )),
        }
    }
}

const fn is_name(event: &BusinessEvent) -> bool {
    matches!(event, BusinessEvent::Sale(SaleEvent::SaleNamed(_)))
}
