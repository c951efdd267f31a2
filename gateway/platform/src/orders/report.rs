//! Tells the ledger what an acquirer answered about a charge. Every fact goes the way of a provider's notice, so that
//! there is one path for facts, with one queue of exceptions.

use gateway_acquirers::charge::{Charge, ChargeAnswer, ChargeRefund, ChargeState, Decline};
use gateway_acquirers::notice::NoticeHint;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{PaymentType, Provider, SaleStatus};
use ledger_domain::{Cents, SaleId};
use ledger_store::log;
use serde::Serialize;
use tokio_postgres::types::Type;

use super::Orders;
use super::attempt::{Attempt, AttemptEnd};
use super::charge_facts::{
    Unpaid, keep_acquirer_id, keep_payment, keep_unpaid, refuse_to_show, unknown_charge,
};
use super::codes::Shown;
use super::declines::DeclineText;
use super::fact_bodies;
use super::send::Ordered;
use crate::buyers::{OrderEmail, order_emails_queue};
use crate::error::Result;
use crate::notices::{NoticeOutcome, SignedNotice};
use crate::providers::calls::CallAnswer;
use crate::providers::{CanonicalNotice, CanonicalReversal, CanonicalSale};

/// What became of a charge's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reported {
    /// The charge is open at the acquirer.
    Open,
    /// What the acquirer answered must not be shown. The charge is to be canceled.
    Disagrees(&'static str),
    /// The ledger has the fact.
    Known(AttemptEnd),
    /// It waits for staff in the queue of exceptions.
    Waits(&'static str),
    /// The ledger cannot decide now.
    Unavailable,
}

/// What became of a notice that is only a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hinted {
    /// The acquirer was asked, and its answer is durable: recorded, or with staff.
    Recorded,
    /// No order has this charge. Staff see it.
    UnknownCharge,
    /// The acquirer or the ledger could not answer. The notice must be sent again.
    Failed,
}

impl Orders {
    /// Looks up the charge that a notice is about, and reports the answer.
    pub async fn hinted(&self, provider: Provider, hint: &NoticeHint) -> Result<Hinted> {
        let client = self.pool.get().await?;
        let mut found = match &hint.acquirer_id {
            Some(id) => Attempt::of_charge(&**client, provider, id).await?,
            None => None,
        };
        if found.is_none()
            && let Some(sale_id) = hint.sale_id
        {
            found = Attempt::fetch(&**client, sale_id).await?;
        }
        let Some(attempt) = found.filter(|attempt| attempt.provider == provider) else {
            unknown_charge(&**client, provider, hint).await?;
            return Ok(Hinted::UnknownCharge);
        };
        drop(client);
        let answer = match self.ask(&attempt).await {
            Some(CallAnswer::Answered(charge)) => charge,
            Some(CallAnswer::NotFound | CallAnswer::Unknown(_) | CallAnswer::Rejected(_)) | None => {
                return Ok(Hinted::Failed);
            }
        };
        if answer.state == ChargeState::Canceled && attempt.may_be_declined() {
            // The worker's answer tells why it was declined, so it comes first.
            self.look_soon(attempt.sale_id).await?;
            return Ok(Hinted::Recorded);
        }
        let reported = self.report(&attempt, &answer).await?;
        // The worker carries the end to the row.
        self.look_soon(attempt.sale_id).await?;
        Ok(match reported {
            Reported::Unavailable => Hinted::Failed,
            Reported::Open | Reported::Disagrees(_) | Reported::Known(_) | Reported::Waits(_) => {
                Hinted::Recorded
            }
        })
    }

    /// The charge as the acquirer has it now. An authorized one is captured, and one that is to end is canceled and
    /// looked up again, so that only the look-up says that it is unpaid. `None` if its acquirer is not configured.
    pub(super) async fn ask(&self, attempt: &Attempt) -> Option<ChargeAnswer> {
        let acquirer = self.acquirers.of(attempt.provider)?;
        let found = acquirer.look_up(&attempt.charge_key()).await;
        Some(self.settled(attempt, found).await)
    }

    /// Captures or cancels what an answer left to do.
    pub(super) async fn settled(&self, attempt: &Attempt, answer: ChargeAnswer) -> ChargeAnswer {
        let (CallAnswer::Answered(charge), Some(acquirer)) = (&answer, self.acquirers.of(attempt.provider))
        else {
            return answer;
        };
        let mut key = attempt.charge_key();
        key.acquirer_id = Some(charge.acquirer_id.clone());
        match charge.state {
            ChargeState::Pending | ChargeState::Authorized if attempt.cancel_asked => {
                let _canceled = acquirer.cancel(&key).await;
                acquirer.look_up(&key).await
            }
            ChargeState::Authorized => {
                let whole = ChargeRefund {
                    charge: key,
                    amount: attempt.total,
                };
                acquirer.capture(&whole).await
            }
            _ => answer,
        }
    }

    /// Reports a charge's state to the ledger, and keeps what the buyer needs to pay.
    pub(super) async fn report(&self, attempt: &Attempt, charge: &Charge) -> Result<Reported> {
        let client = self.pool.get().await?;
        keep_acquirer_id(&**client, attempt, &charge.acquirer_id).await?;
        let ordered = Ordered::fetch(&**client, attempt).await?;
        drop(client);
        match charge.state {
            ChargeState::Pending | ChargeState::Authorized => self.show(attempt, charge).await,
            ChargeState::Paid => self.paid(attempt, charge, &ordered).await,
            ChargeState::Declined(decline) => self.declined(attempt, charge.at, decline, &ordered).await,
            ChargeState::Canceled => self.canceled(attempt, charge.at, &ordered).await,
            ChargeState::Refunded => {
                self.after_payment(attempt, charge, &ordered, "sale.refunded", "refunded")
                    .await
            }
            ChargeState::Reversed => {
                self.after_payment(attempt, charge, &ordered, "sale.reversed", "reversed")
                    .await
            }
            ChargeState::Disputed => {
                self.after_payment(attempt, charge, &ordered, "dispute.opened", "disputed")
                    .await
            }
            ChargeState::ChargedBack => {
                self.after_payment(attempt, charge, &ordered, "dispute.lost", "charged_back")
                    .await
            }
        }
    }

    async fn show(&self, attempt: &Attempt, charge: &Charge) -> Result<Reported> {
        let Some(to_pay) = &charge.to_pay else {
            return Ok(Reported::Open);
        };
        let mut client = self.pool.get().await?;
        match Shown::of(attempt, to_pay) {
            Ok(shown) => {
                let tx = client.transaction().await?;
                let is_new = shown.store(&*tx, attempt.sale_id).await?;
                if is_new && attempt.payment_type != PaymentType::Credit {
                    order_emails_queue(&*tx, OrderEmail::ToPay, attempt.sale_id).await?;
                }
                tx.commit().await?;
                if is_new {
                    self.changed(attempt.order_id);
                }
                Ok(Reported::Open)
            }
            Err(disagreement) => {
                refuse_to_show(&**client, attempt, &disagreement).await?;
                Ok(Reported::Disagrees(disagreement.reason))
            }
        }
    }

    /// The amount is the acquirer's: the ledger refuses another than was ordered, and staff see it.
    async fn paid(&self, attempt: &Attempt, charge: &Charge, ordered: &Ordered) -> Result<Reported> {
        let client = self.pool.get().await?;
        let payment = keep_payment(&**client, attempt, charge, self.clock.now()).await?;
        drop(client);
        let data = CanonicalSale {
            card_brand: payment.brand,
            card_last_four: payment.last_four,
            authorization_code: payment.authorization_code,
            ..fact_bodies::sale(attempt, charge.amount.unwrap_or(attempt.total), ordered)
        };
        self.tell(attempt, "sale.captured", "paid", payment.paid_at, data)
            .await
            .map(|told| told.into_reported(AttemptEnd::Paid))
    }

    async fn declined(
        &self,
        attempt: &Attempt,
        at: Option<Instant>,
        decline: Decline,
        ordered: &Ordered,
    ) -> Result<Reported> {
        // A PIX code or a boleto that an acquirer declines says nothing about the buyer: another one is asked.
        let end = match attempt.payment_type {
            PaymentType::Credit | PaymentType::Debit => AttemptEnd::Declined,
            PaymentType::Pix | PaymentType::Boleto => AttemptEnd::Failed,
        };
        let text = DeclineText::of(decline);
        self.failed(attempt, at, end, Some(text.code), text.message, ordered)
            .await
    }

    /// Nothing was charged, as a look-up has proven.
    pub(super) async fn never_charged(&self, attempt: &Attempt, end: AttemptEnd) -> Result<Reported> {
        let client = self.pool.get().await?;
        let known = !log::sale_states(&**client, &[attempt.sale_id]).await?.is_empty();
        let ordered = Ordered::fetch(&**client, attempt).await?;
        drop(client);
        if !known {
            let unpaid = self.keep_unpaid(attempt, None, end, None).await?;
            return Ok(Reported::Known(unpaid.end));
        }
        self.failed(attempt, None, end, None, "Não cobrada.", &ordered)
            .await
    }

    async fn failed(
        &self,
        attempt: &Attempt,
        at: Option<Instant>,
        end: AttemptEnd,
        decline: Option<&str>,
        reason: &str,
        ordered: &Ordered,
    ) -> Result<Reported> {
        let unpaid = self.keep_unpaid(attempt, at, end, decline).await?;
        if self.ended_unpaid(attempt).await? {
            return Ok(Reported::Known(unpaid.end));
        }
        // The reason that was told first stays, so that the same fact is the same notice.
        let told = unpaid.decline.map_or(reason, |text| text.message);
        let data = CanonicalSale {
            reason: Some(told.to_owned()),
            ..fact_bodies::sale(attempt, attempt.total, ordered)
        };
        self.tell(attempt, "sale.failed", "declined", unpaid.at, data)
            .await
            .map(|told| told.into_reported(unpaid.end))
    }

    async fn canceled(&self, attempt: &Attempt, at: Option<Instant>, ordered: &Ordered) -> Result<Reported> {
        if attempt.may_be_declined() {
            return self.declined(attempt, at, Decline::Other, ordered).await;
        }
        let end = if self.clock.now() >= attempt.expires_at {
            AttemptEnd::Expired
        } else {
            AttemptEnd::Canceled
        };
        let unpaid = self.keep_unpaid(attempt, at, end, None).await?;
        if self.ended_unpaid(attempt).await? {
            return Ok(Reported::Known(unpaid.end));
        }
        let data = CanonicalReversal {
            reason: None,
            amount: None,
            ..fact_bodies::reversal(attempt)
        };
        self.tell(attempt, "sale.canceled", "canceled", unpaid.at, data)
            .await
            .map(|told| told.into_reported(unpaid.end))
    }

    /// What happens to a paid charge. Its payment may not be known yet.
    async fn after_payment(
        &self,
        attempt: &Attempt,
        charge: &Charge,
        ordered: &Ordered,
        notice_type: &'static str,
        state: &'static str,
    ) -> Result<Reported> {
        let paid = self.paid(attempt, charge, ordered).await?;
        if !matches!(paid, Reported::Known(_)) {
            return Ok(paid);
        }
        let is_dispute = notice_type.starts_with("dispute.");
        let data = CanonicalReversal {
            amount: charge.amount.map(Cents::get),
            dispute_id: is_dispute.then(|| charge.acquirer_id.clone()),
            ..fact_bodies::reversal(attempt)
        };
        let at = charge.at.unwrap_or_else(|| self.clock.now());
        self.tell(attempt, notice_type, state, at, data)
            .await
            .map(|told| told.into_reported(AttemptEnd::Paid))
    }

    /// Whether the ledger has the end of a sale that was not paid. Iugu, for one, answers that a charge is declined, and
    /// shows it as canceled from then on: the second word is no second fact.
    async fn ended_unpaid(&self, attempt: &Attempt) -> Result<bool> {
        let client = self.pool.get().await?;
        let states = log::sale_states(&**client, &[attempt.sale_id]).await?;
        let ended = |status| matches!(status, SaleStatus::Failed | SaleStatus::Canceled);
        Ok(states.iter().any(|(_, found)| ended(found.state.status)))
    }

    /// Has a notice with a fact decided. Its id is the same whenever the fact is told again.
    async fn tell<Data: Serialize>(
        &self,
        attempt: &Attempt,
        notice_type: &'static str,
        state: &str,
        occurred_at: Instant,
        data: Data,
    ) -> Result<Told> {
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
                    "what an acquirer answered is no valid fact: staff must check it"
                );
                return Ok(Told::Waits("notice_invalid"));
            }
        };
        Ok(match self.notices.process(&signed).await? {
            NoticeOutcome::Recorded(_) | NoticeOutcome::Duplicate(_) => Told::Known,
            NoticeOutcome::Waiting(reason) => Told::Waits(reason),
            NoticeOutcome::Unavailable => Told::Unavailable,
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

    /// Has the worker look the attempt up at once, if it is open.
    async fn look_soon(&self, sale_id: SaleId) -> Result<()> {
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

enum Told {
    Known,
    Waits(&'static str),
    Unavailable,
}

impl Told {
    fn into_reported(self, end: AttemptEnd) -> Reported {
        match self {
            Self::Known => Reported::Known(end),
            Self::Waits(reason) => Reported::Waits(reason),
            Self::Unavailable => Reported::Unavailable,
        }
    }
}
