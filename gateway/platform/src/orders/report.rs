//! Reports what an acquirer answered about a charge. Each fact is submitted as a notice of that provider, so that all
//! facts take one path and one exceptions queue.

use gateway_acquirers::charge::{Charge, ChargeAnswer, ChargeState, Decline, NextAction, WholeCharge};
use gateway_acquirers::notice::NoticeHint;
use gateway_acquirers::port::Acquirer;
use ledger_domain::business::{BusinessCommand, RefundSale, Refunded};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{NamedPayment, PaymentType, Provider, SaleStatus};
use ledger_domain::{Cents, SaleId};
use ledger_store::{Actor, Metadata, Outcome, Submission, log};
use serde::Serialize;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::Orders;
use super::attempt::{Attempt, AttemptEnd};
use super::charge_facts::{
    Doubt, Unpaid, keep_charge_id, keep_fact_time, keep_payment, keep_unpaid, refuse_to_show,
    report_brand_difference, report_disagreement, report_doubt, report_invalid, report_unknown_charge,
};
use super::codes::Shown;
use super::declines::DeclineText;
use super::ends;
use super::fact_bodies;
use super::names::names_of;
use super::send::ChargeDetails;
use super::transitions::{AfterPayment, Finding, RecordedCharge, Stage};
use crate::buyers::{OrderEmail, order_emails_queue};
use crate::error::Result;
use crate::notices::{NoticeOutcome, SignedNotice};
use crate::providers::calls::CallOutcome;
use crate::providers::{CanonicalNotice, CanonicalSale, CanonicalSaleReference};

/// The result of reporting a charge's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReportOutcome {
    /// The charge is open at the acquirer.
    Open,
    /// The acquirer's PIX code, boleto or challenge does not agree with the order. The charge is to be canceled.
    CodesDiffer(&'static str),
    /// The attempt has ended: the ledger has the fact, or the sale was never created there.
    Ended(AttemptEnd),
    /// The notice is in the exceptions queue, or the answer was not a valid fact and was logged.
    WithStaff(&'static str),
    /// The ledger gave no answer.
    LedgerUnavailable,
    /// The answer contradicts the ledger, and a second look-up had no answer.
    Unconfirmed,
}

/// The result of a notice hint: an unsigned notice, which only says that a charge may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HintOutcome {
    /// The acquirer has answered. The notice need not be sent again.
    Handled,
    /// No attempt at this acquirer was found for the charge. Staff see it.
    UnknownCharge,
    /// The look-up did not return the charge, or the ledger gave no answer. The notice must be sent again.
    Failed,
}

impl Orders {
    /// Looks up the charge that a notice is about, and reports the answer.
    pub async fn handle_hint(&self, provider: Provider, hint: &NoticeHint) -> Result<HintOutcome> {
        let client = self.pool.get().await?;
        let mut found = match &hint.charge_id {
            Some(id) => Attempt::of_charge(&**client, provider, id).await?,
            None => None,
        };
        if found.is_none()
            && let Some(sale_id) = hint.sale_id
        {
            found = Attempt::fetch(&**client, sale_id).await?;
        }
        let Some(attempt) = found.filter(|attempt| attempt.provider == provider) else {
            report_unknown_charge(&**client, provider, hint).await?;
            return Ok(HintOutcome::UnknownCharge);
        };
        drop(client);
        let answer = match self.look_up_and_complete(&attempt).await {
            Some(CallOutcome::Answered(charge)) => charge,
            Some(CallOutcome::NotFound | CallOutcome::Unknown(_) | CallOutcome::Rejected(_)) | None => {
                return Ok(HintOutcome::Failed);
            }
        };
        let is_open = self.recorded(&attempt).await?.stage == Stage::Open;
        if is_open && answer.state == ChargeState::Canceled && attempt.may_be_declined() {
            // The answer to the charge itself has the reason of a decline, and the worker may still be recording it. So
            // the worker reports this charge.
            self.look_up_soon(attempt.sale_id).await?;
            return Ok(HintOutcome::Handled);
        }
        let outcome = self.report(&attempt, &answer).await?;
        // If the charge has ended, the worker then ends the attempt's row.
        self.look_up_soon(attempt.sale_id).await?;
        Ok(match outcome {
            ReportOutcome::LedgerUnavailable | ReportOutcome::Unconfirmed => HintOutcome::Failed,
            ReportOutcome::Open
            | ReportOutcome::CodesDiffer(_)
            | ReportOutcome::Ended(_)
            | ReportOutcome::WithStaff(_) => HintOutcome::Handled,
        })
    }

    /// Looks a charge up at its acquirer, and captures or cancels it as `capture_or_cancel` does. `None` if the
    /// acquirer is not configured.
    pub(super) async fn look_up_and_complete(&self, attempt: &Attempt) -> Option<ChargeAnswer> {
        let acquirer = self.acquirers.of(attempt.provider)?;
        let found = acquirer.look_up(&attempt.charge_key()).await;
        Some(self.capture_or_cancel(attempt, found).await)
    }

    /// Cancels an open charge whose cancel was requested, and looks it up again, because only a look-up proves that it
    /// is unpaid. Captures any other authorized charge.
    pub(super) async fn capture_or_cancel(&self, attempt: &Attempt, answer: ChargeAnswer) -> ChargeAnswer {
        let (CallOutcome::Answered(charge), Some(acquirer)) = (&answer, self.acquirers.of(attempt.provider))
        else {
            return answer;
        };
        let mut key = attempt.charge_key();
        key.charge_id = Some(charge.charge_id.clone());
        match charge.state {
            ChargeState::Pending | ChargeState::Authorized if attempt.cancel_asked => {
                // The look-up decides; the cancel's own answer may still be pending.
                let _pending = acquirer.cancel(&key).await;
                acquirer.look_up(&key).await
            }
            ChargeState::Authorized => {
                let whole = WholeCharge {
                    key,
                    amount: attempt.total,
                };
                acquirer.capture(&whole).await
            }
            _ => answer,
        }
    }

    /// Reports a charge's state to the ledger, and keeps what the buyer needs to pay.
    pub(super) async fn report(&self, attempt: &Attempt, charge: &Charge) -> Result<ReportOutcome> {
        let client = self.pool.get().await?;
        keep_charge_id(&**client, attempt, &charge.charge_id).await?;
        let details = ChargeDetails::fetch(&**client, attempt).await?;
        drop(client);
        let recorded = self.recorded(attempt).await?;
        let shown = self.shown_state(attempt, charge, &recorded);
        match Finding::of(recorded.stage, shown) {
            Finding::Contradiction => self.confirm(attempt, charge, &details).await,
            finding => {
                self.report_finding(attempt, charge, &details, &recorded, finding)
                    .await
            }
        }
    }

    /// Looks a charge up again that contradicts the ledger. Another process may have recorded a newer state between the
    /// first look-up and the read of the ledger.
    async fn confirm(
        &self,
        attempt: &Attempt,
        first: &Charge,
        details: &ChargeDetails,
    ) -> Result<ReportOutcome> {
        let Some(acquirer) = self.acquirers.of(attempt.provider) else {
            return Ok(ReportOutcome::Unconfirmed);
        };
        let recorded = self.recorded(attempt).await?;
        let mut key = attempt.charge_key();
        key.charge_id = Some(first.charge_id.clone());
        let CallOutcome::Answered(charge) = acquirer.look_up(&key).await else {
            return Ok(ReportOutcome::Unconfirmed);
        };
        let shown = self.shown_state(attempt, &charge, &recorded);
        let finding = Finding::of(recorded.stage, shown);
        self.report_finding(attempt, &charge, details, &recorded, finding)
            .await
    }

    async fn report_finding(
        &self,
        attempt: &Attempt,
        charge: &Charge,
        details: &ChargeDetails,
        recorded: &RecordedCharge,
        finding: Finding,
    ) -> Result<ReportOutcome> {
        match finding {
            Finding::Open if attempt.cancel_asked => self.give_up(attempt).await,
            Finding::Open => {
                let shown = self.show(attempt, charge).await?;
                self.name_boleto(attempt, charge, recorded, shown).await
            }
            // Only a sale that was paid has a state that is known already.
            Finding::Known => Ok(ReportOutcome::Ended(AttemptEnd::Paid)),
            Finding::Paid => self.paid(attempt, charge, details).await,
            Finding::Declined(decline) => self.declined(attempt, charge.at, decline, details).await,
            Finding::Canceled => self.canceled(attempt, charge.at, details).await,
            Finding::After(change) => {
                self.after_payment(attempt, charge, details, recorded, change)
                    .await
            }
            Finding::PartlyRefunded => {
                let paid = self.paid(attempt, charge, details).await?;
                if !matches!(paid, ReportOutcome::Ended(_)) {
                    return Ok(paid);
                }
                match charge.refunded {
                    Some(sum) => self.refunded_in_parts(attempt, charge, recorded, sum).await,
                    None => {
                        self.ask_staff(attempt, charge, recorded, Doubt::PartlyRefunded)
                            .await?;
                        Ok(paid)
                    }
                }
            }
            Finding::Contradiction => {
                self.ask_staff(attempt, charge, recorded, Doubt::Contradiction)
                    .await
            }
            Finding::Unlisted => self.ask_staff(attempt, charge, recorded, Doubt::Unlisted).await,
        }
    }

    async fn ask_staff(
        &self,
        attempt: &Attempt,
        charge: &Charge,
        recorded: &RecordedCharge,
        doubt: Doubt,
    ) -> Result<ReportOutcome> {
        let client = self.pool.get().await?;
        report_doubt(&**client, attempt, charge, recorded.stage, doubt).await?;
        Ok(ReportOutcome::WithStaff(doubt.reason()))
    }

    async fn recorded(&self, attempt: &Attempt) -> Result<RecordedCharge> {
        let client = self.pool.get().await?;
        let states = log::sale_states(&**client, &[attempt.sale_id]).await?;
        Ok(RecordedCharge::of(states.first().map(|(_, found)| &found.state)))
    }

    /// The state for the table. An acquirer without a word for its own reversals shows them as refunded. A return that
    /// the platform did not ask for is then a reversal. A charge whose returned parts are recorded is like a paid one.
    fn shown_state(&self, attempt: &Attempt, charge: &Charge, recorded: &RecordedCharge) -> ChargeState {
        let acquirer = self.acquirers.of(attempt.provider);
        let tells = acquirer.is_none_or(Acquirer::tells_reversals);
        match charge.state {
            ChargeState::Refunded if !tells && recorded.stage != Stage::Canceled => ChargeState::Reversed,
            ChargeState::PartlyRefunded
                if matches!(recorded.stage, Stage::Paid | Stage::Canceled)
                    && recorded.has_refunded(charge.refunded) =>
            {
                ChargeState::Paid
            }
            state => state,
        }
    }

    /// The acquirer was asked to cancel the charge and answers that it is still open.
    async fn give_up(&self, attempt: &Attempt) -> Result<ReportOutcome> {
        let mut client = self.pool.get().await?;
        let tx = client.transaction().await?;
        let given_up = ends::give_up(&*tx, attempt.sale_id).await?;
        tx.commit().await?;
        if let Some(order_id) = given_up {
            self.changed(order_id);
            // The next acquirer may have been asked.
            self.wake();
        }
        Ok(ReportOutcome::Open)
    }

    async fn show(&self, attempt: &Attempt, charge: &Charge) -> Result<ReportOutcome> {
        let Some(next_action) = &charge.next_action else {
            return Ok(ReportOutcome::Open);
        };
        // A boleto that is not registered yet may come with its PIX code alone.
        let is_early =
            matches!(next_action, NextAction::Pix { .. }) && attempt.payment_type != PaymentType::Pix;
        if is_early {
            return Ok(ReportOutcome::Open);
        }
        let mut client = self.pool.get().await?;
        match Shown::of(attempt, next_action) {
            Ok(shown) => {
                let tx = client.transaction().await?;
                let is_new = shown.store(&*tx, attempt.sale_id).await?;
                if let Some(part) = shown.refused_part().filter(|_| is_new) {
                    report_disagreement(&*tx, attempt, part).await?;
                }
                if is_new && attempt.payment_type != PaymentType::Credit {
                    order_emails_queue(&*tx, OrderEmail::ToPay, attempt.sale_id).await?;
                }
                tx.commit().await?;
                if is_new {
                    self.changed(attempt.order_id);
                }
                Ok(ReportOutcome::Open)
            }
            Err(disagreement) => {
                refuse_to_show(&**client, attempt, &disagreement).await?;
                Ok(ReportOutcome::CodesDiffer(disagreement.reason))
            }
        }
    }

    /// Adds the names of a boleto that the buyer has not paid, so that the company finds the sale by what the buyer asks
    /// about. PIX codes and cards are named when they are paid.
    async fn name_boleto(
        &self,
        attempt: &Attempt,
        charge: &Charge,
        recorded: &RecordedCharge,
        shown: ReportOutcome,
    ) -> Result<ReportOutcome> {
        let is_shown = matches!(shown, ReportOutcome::Open) && charge.next_action.is_some();
        let names = names_of(charge);
        let (checked, _) = names.checked();
        // Names that differ wait for the payment, at which staff decide.
        let adds =
            !checked.missing_in(&recorded.names).is_empty() && checked.difference(&recorded.names).is_none();
        if attempt.payment_type != PaymentType::Boleto || !is_shown || !adds {
            return Ok(shown);
        }
        let added = self
            .add_names(attempt, charge, NamedPayment::Payment, &names)
            .await?;
        Ok(added.unwrap_or(shown))
    }

    /// Reports a payment with the acquirer's amount, if it names one. The ledger refuses another amount than was
    /// ordered, and staff see it.
    async fn paid(
        &self,
        attempt: &Attempt,
        charge: &Charge,
        details: &ChargeDetails,
    ) -> Result<ReportOutcome> {
        let client = self.pool.get().await?;
        let payment = keep_payment(&**client, attempt, charge, self.clock.now()).await?;
        report_brand_difference(&**client, attempt, charge).await?;
        drop(client);
        let first_names = payment.names.clone();
        let data = CanonicalSale {
            card_brand: payment.brand,
            card_last_four: payment.last_four,
            authorization_code: payment.authorization_code,
            names: payment.names,
            ..fact_bodies::sale(attempt, charge.amount.unwrap_or(attempt.total), details)
        };
        let fact = ("sale.captured", "paid", payment.paid_at);
        let outcome = self.submit_notice(attempt, fact, AttemptEnd::Paid, data).await?;
        let now = names_of(charge);
        if !matches!(outcome, ReportOutcome::Ended(_)) || now == first_names {
            return Ok(outcome);
        }
        let added = self
            .add_names(attempt, charge, NamedPayment::Payment, &now)
            .await?;
        Ok(added.unwrap_or(outcome))
    }

    async fn declined(
        &self,
        attempt: &Attempt,
        at: Option<Instant>,
        decline: Decline,
        details: &ChargeDetails,
    ) -> Result<ReportOutcome> {
        // A PIX code or a boleto is declined for no reason of the buyer's, so the next acquirer is asked.
        let end = match attempt.payment_type {
            PaymentType::Credit | PaymentType::Debit => AttemptEnd::Declined,
            PaymentType::Pix | PaymentType::Boleto => AttemptEnd::Failed,
        };
        let text = DeclineText::of(decline);
        self.failed(attempt, at, end, Some(text.code), text.message, details)
            .await
    }

    /// Ends an attempt that was not charged: it was never sent, or a look-up did not find it.
    pub(super) async fn never_charged(&self, attempt: &Attempt, end: AttemptEnd) -> Result<ReportOutcome> {
        let client = self.pool.get().await?;
        let known = !log::sale_states(&**client, &[attempt.sale_id]).await?.is_empty();
        let details = ChargeDetails::fetch(&**client, attempt).await?;
        drop(client);
        if !known {
            let unpaid = self.keep_unpaid(attempt, None, end, None).await?;
            return Ok(ReportOutcome::Ended(unpaid.end));
        }
        self.failed(attempt, None, end, None, "Não cobrada.", &details)
            .await
    }

    async fn failed(
        &self,
        attempt: &Attempt,
        at: Option<Instant>,
        end: AttemptEnd,
        decline: Option<&str>,
        reason: &str,
        details: &ChargeDetails,
    ) -> Result<ReportOutcome> {
        let unpaid = self.keep_unpaid(attempt, at, end, decline).await?;
        if self.ended_unpaid(attempt).await? {
            return Ok(ReportOutcome::Ended(unpaid.end));
        }
        // The first recorded reason stays, so that a repeat is the same notice.
        let recorded = unpaid.decline.map_or(reason, |text| text.message);
        let data = CanonicalSale {
            reason: Some(recorded.to_owned()),
            ..fact_bodies::sale(attempt, attempt.total, details)
        };
        let fact = ("sale.failed", "declined", unpaid.at);
        self.submit_notice(attempt, fact, unpaid.end, data).await
    }

    async fn canceled(
        &self,
        attempt: &Attempt,
        at: Option<Instant>,
        details: &ChargeDetails,
    ) -> Result<ReportOutcome> {
        if attempt.may_be_declined() {
            return self.declined(attempt, at, Decline::Other, details).await;
        }
        let end = if self.clock.now() >= attempt.expires_at {
            AttemptEnd::Expired
        } else {
            AttemptEnd::Canceled
        };
        let unpaid = self.keep_unpaid(attempt, at, end, None).await?;
        if self.ended_unpaid(attempt).await? {
            return Ok(ReportOutcome::Ended(unpaid.end));
        }
        let data = fact_bodies::reversal(attempt);
        let fact = ("sale.canceled", "canceled", unpaid.at);
        self.submit_notice(attempt, fact, unpaid.end, data).await
    }

    /// Reports what happened after the payment. The payment is reported first, in case the ledger does not have it yet.
    async fn after_payment(
        &self,
        attempt: &Attempt,
        charge: &Charge,
        details: &ChargeDetails,
        recorded: &RecordedCharge,
        change: AfterPayment,
    ) -> Result<ReportOutcome> {
        if matches!(recorded.stage, Stage::Open | Stage::Unpaid) {
            let paid = self.paid(attempt, charge, details).await?;
            if !matches!(paid, ReportOutcome::Ended(_)) {
                return Ok(paid);
            }
        }
        let data = CanonicalSaleReference {
            // After a part, what happened is about what was left, and the ledger knows how much that is.
            amount: charge
                .amount
                .filter(|_| recorded.refunded == Cents::ZERO)
                .map(Cents::get),
            dispute_id: change
                .is_dispute()
                .then(|| recorded.dispute_id(&charge.charge_id)),
            ..fact_bodies::reversal(attempt)
        };
        // A charge that is paid again shows the time of its payment, which is not the end of the dispute.
        let shown_at = charge
            .at
            .filter(|at| change != AfterPayment::DisputeWon || recorded.was_captured_before(*at));
        let state = change.state(recorded);
        let client = self.pool.get().await?;
        let at = shown_at.unwrap_or_else(|| self.clock.now());
        let at = keep_fact_time(&**client, attempt.sale_id, &state, at).await?;
        drop(client);
        let fact = (change.notice_type(), state.as_str(), at);
        let outcome = self.submit_notice(attempt, fact, AttemptEnd::Paid, data).await?;
        if change.is_dispute() || !matches!(outcome, ReportOutcome::Ended(_)) {
            return Ok(outcome);
        }
        // Not in the notice: a repeated one must have the same content, and a later answer may name more.
        let names = &charge.return_names;
        let added = self
            .add_names(attempt, charge, NamedPayment::Return, names)
            .await?;
        Ok(added.unwrap_or(outcome))
    }

    /// Records what is missing to the sum of the parts that went back.
    async fn refunded_in_parts(
        &self,
        attempt: &Attempt,
        charge: &Charge,
        recorded: &RecordedCharge,
        sum: Cents,
    ) -> Result<ReportOutcome> {
        let sale_id = attempt.sale_id;
        let submission = Submission {
            command_id: Uuid::now_v7(),
            business_id: attempt.business_id,
            command: BusinessCommand::RefundSale(RefundSale {
                sale_id,
                refunded: Refunded::Total(sum),
                occurred_at: charge.at.unwrap_or_else(|| self.clock.now()),
                reason: None,
                names: charge.return_names.checked().0,
            }),
            metadata: Metadata {
                cause: Some(charge.charge_id.clone()),
                ..Metadata::by(Actor::Provider(attempt.provider))
            },
            // A repeated sum adds nothing.
            idempotency: None,
        };
        match self.writer.submit(submission).await {
            Outcome::Recorded(_) | Outcome::Duplicate { .. } => {
                self.notices.waiting_sales.changed(sale_id);
                Ok(ReportOutcome::Ended(AttemptEnd::Paid))
            }
            Outcome::NotOwner | Outcome::Unknown => Ok(ReportOutcome::LedgerUnavailable),
            Outcome::Refused(_) | Outcome::BelongsToOther(_) | Outcome::KeyReused | Outcome::Rejected => {
                self.ask_staff(attempt, charge, recorded, Doubt::PartlyRefunded)
                    .await
            }
        }
    }

    /// Whether the ledger has the sale as failed or canceled. Iugu answers a charge with a decline, and later look-ups
    /// show the same charge as canceled. So such a sale is not reported again.
    async fn ended_unpaid(&self, attempt: &Attempt) -> Result<bool> {
        let client = self.pool.get().await?;
        let states = log::sale_states(&**client, &[attempt.sale_id]).await?;
        let ended = |status| matches!(status, SaleStatus::Failed | SaleStatus::Canceled);
        Ok(states.iter().any(|(_, found)| ended(found.state.status)))
    }

    /// Submits a fact as a notice: its type, the charge's state and when it occurred. The same fact always has the same
    /// notice id, so a repeat is a duplicate. `end` is the attempt's end once the ledger has the fact.
    async fn submit_notice<Data: Serialize>(
        &self,
        attempt: &Attempt,
        (notice_type, state, occurred_at): (&'static str, &str, Instant),
        end: AttemptEnd,
        data: Data,
    ) -> Result<ReportOutcome> {
        let notice = CanonicalNotice {
            id: format!("lookup-{}-{state}", attempt.sale_id),
            r#type: notice_type,
            occurred_at,
            data,
        };
        let signed = match SignedNotice::read(attempt.provider, &notice.to_json()) {
            Ok(signed) => signed,
            Err(errors) => {
                tracing::error!(
                    code = "order_notice_invalid", sale_id = %attempt.sale_id, notice_type, ?errors,
                    "an acquirer's answer is not a valid fact: staff must check it"
                );
                let client = self.pool.get().await?;
                report_invalid(&**client, attempt, notice_type, &errors).await?;
                return Ok(ReportOutcome::WithStaff("notice_invalid"));
            }
        };
        Ok(match self.notices.process(&signed).await? {
            NoticeOutcome::Recorded(_) | NoticeOutcome::Duplicate(_) => ReportOutcome::Ended(end),
            NoticeOutcome::Waiting(reason) => ReportOutcome::WithStaff(reason),
            NoticeOutcome::Unavailable => ReportOutcome::LedgerUnavailable,
        })
    }

    async fn keep_unpaid(
        &self,
        attempt: &Attempt,
        at: Option<Instant>,
        end: AttemptEnd,
        decline: Option<&str>,
    ) -> Result<Unpaid> {
        let client = self.pool.get().await?;
        let at = at.unwrap_or_else(|| self.clock.now());
        Ok(keep_unpaid(&**client, attempt.sale_id, at, end, decline).await?)
    }

    /// Makes the worker look a sent attempt up at once.
    async fn look_up_soon(&self, sale_id: SaleId) -> Result<()> {
        let client = self.pool.get().await?;
        client
            .execute_typed(
                "UPDATE order_attempt SET next_try_at = now()
                  WHERE sale_id = $1 AND status = 'sent' AND next_try_at > now()",
                &[(&sale_id.uuid(), Type::UUID)],
            )
            .await?;
        self.wake();
        Ok(())
    }
}
