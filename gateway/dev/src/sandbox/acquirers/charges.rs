//! The charges of all contracts: one list in memory, stored in a file if it has one. A contract is the API of an
//! acquirer.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use gateway_acquirers::charge::ChargeState;
use gateway_environment::clock::BusinessClock;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, SaleId};
use ledger_store::supervisor::spawn_once;
use tokio::sync::oneshot;

use super::behavior::{CardOutcome, ChargeBehavior};
use super::charge::{Change, RefundedPart, SandboxCharge};
use super::contract::Contract;
use super::notices;
use super::payouts::Payouts;
pub use super::stored_charges::NewCharge;
use super::stored_charges::StoredCharges;
use crate::sandbox::delivery::Deliveries;
use crate::sandbox::json_lines::JsonLines;
use crate::sandbox::server::{Refused, hang, refused};

#[derive(Debug, Clone, Default)]
pub struct ChargeOptions {
    /// The file of the charges, so that they survive a restart; in memory if `None`.
    pub file: Option<PathBuf>,
    /// The time until an accepted payout ends, or until a charge of a card that ends in 0259 is disputed.
    pub delay: Duration,
    /// Where the notices of a charge go if its order named no address.
    pub notice_urls: HashMap<Provider, String>,
    /// Whether searches and lists of charges leave out our sale ids. The sandbox's own contract ignores it.
    pub hides_sale_ids: bool,
    /// Whether a call whose answer is lost on purpose gets a 504 at once, instead of hanging. The server of the
    /// contract suite (`end_lost_call`) turns the 504 into a broken connection.
    pub ends_lost_calls: bool,
}

/// What a contract does with a repeated order of a charge or a payout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRepeat {
    /// Answers with the first charge or payout, if the orders agree.
    Answer,
    Refuse,
    /// The contract has no idempotency keys, so it charges again. A payout is refused.
    ChargeAgain,
}

pub enum NotTaken {
    Fault(Refused),
    Repeated,
    /// The idempotency key came with another order before.
    OtherOrder,
    TokenUsed,
}

#[derive(Clone)]
pub struct Charges(Arc<Inner>);

struct Inner {
    stored: Mutex<StoredCharges>,
    payouts: Payouts,
    deliveries: Deliveries,
    clock: BusinessClock,
    delay: Duration,
    hides_sale_ids: bool,
    ends_lost_calls: bool,
}

impl Charges {
    /// Opens the charges, and continues the payouts that have not ended.
    pub fn open(
        options: ChargeOptions,
        clock: BusinessClock,
        deliveries: Deliveries,
    ) -> std::io::Result<Self> {
        let (file, lines) = JsonLines::open::<SandboxCharge>(options.file.as_deref())?;
        let payouts_file = options.file.map(|file| file.with_extension("payouts"));
        let mut stored = StoredCharges {
            file,
            notice_urls: options.notice_urls,
            ..StoredCharges::default()
        };
        for line in lines {
            stored.keep(line);
        }
        let charges = Self(Arc::new(Inner {
            stored: Mutex::new(stored),
            payouts: Payouts::open(payouts_file.as_deref())?,
            deliveries,
            clock,
            delay: options.delay,
            hides_sale_ids: options.hides_sale_ids,
            ends_lost_calls: options.ends_lost_calls,
        }));
        for payout in charges.payouts().pending() {
            charges.end_payout_later(payout);
        }
        Ok(charges)
    }

    pub fn now(&self) -> Instant {
        self.0.clock.now()
    }

    pub(super) fn payouts(&self) -> &Payouts {
        &self.0.payouts
    }

    pub(super) fn hides_sale_ids(&self) -> bool {
        self.0.hides_sale_ids
    }

    pub(super) fn delay(&self) -> Duration {
        self.0.delay
    }

    /// Takes an order, with the failures that its amount asks for.
    pub async fn take(&self, new: NewCharge, repeat: OnRepeat) -> Result<SandboxCharge, NotTaken> {
        let behavior = ChargeBehavior::of_amount(new.amount);
        let sale_id = new.sale_id.to_string();
        if behavior == ChargeBehavior::LostOnce && self.first_time("lost", &sale_id) {
            return Err(NotTaken::Fault(self.lose_answer().await));
        }
        if behavior == ChargeBehavior::BreaksOnce && self.first_time("breaks", &sale_id) {
            return Err(NotTaken::Fault(broken()));
        }
        if behavior == ChargeBehavior::OrderHeld && self.first_time("held", &sale_id) {
            self.hold().await;
        }
        let known = self.stored().charge_of(new.contract, new.sale_id).cloned();
        let charge = match (known, repeat) {
            (Some(known), OnRepeat::Answer) if known.is_ordered_by(&new) => return Ok(known),
            (Some(_), OnRepeat::Answer) => return Err(NotTaken::OtherOrder),
            (Some(_), OnRepeat::Refuse) => return Err(NotTaken::Repeated),
            (Some(_), OnRepeat::ChargeAgain) | (None, _) => self.add(new)?,
        };
        match behavior {
            ChargeBehavior::TimesOutAndCharges => Err(NotTaken::Fault(self.lose_answer().await)),
            ChargeBehavior::BreaksAndCharges => Err(NotTaken::Fault(broken())),
            _ => Ok(charge),
        }
    }

    pub(super) async fn lose_answer(&self) -> Refused {
        if self.0.ends_lost_calls {
            return refused(StatusCode::GATEWAY_TIMEOUT, "lost on purpose");
        }
        hang().await
    }

    /// Waits until the held orders are released.
    async fn hold(&self) {
        let (release, released) = oneshot::channel();
        self.stored().held.push(release);
        released.await.ok();
    }

    /// Releases the held orders, and says how many of them still had a caller.
    pub fn release_held(&self) -> usize {
        let held = std::mem::take(&mut self.stored().held);
        held.into_iter().filter_map(|order| order.send(()).ok()).count()
    }

    fn add(&self, new: NewCharge) -> Result<SandboxCharge, NotTaken> {
        let outcome = new.outcome();
        let now = self.now();
        let charge = SandboxCharge {
            state: match outcome {
                CardOutcome::Becomes(state) => state,
                CardOutcome::Challenged => ChargeState::Pending,
                CardOutcome::PaidAndDisputed => ChargeState::Paid,
            },
            id: new.id,
            contract: new.contract,
            sale_id: new.sale_id,
            amount: new.amount,
            payment_method: new.payment_method,
            at: now,
            created_at: now,
            paid_at: None,
            notice_url: new.notice_url,
            settled_before: false,
            parts: vec![],
        };
        let charge = SandboxCharge {
            paid_at: (charge.state == ChargeState::Paid).then_some(now),
            ..charge
        };
        {
            let mut stored = self.stored();
            if stored.has_used_token_of(&charge) {
                return Err(NotTaken::TokenUsed);
            }
            stored.write(charge.clone());
        }
        if charge.state != ChargeState::Pending {
            self.report(&charge);
        }
        if outcome == CardOutcome::PaidAndDisputed {
            let (charges, id) = (self.clone(), charge.id.clone());
            spawn_once("sandbox dispute", async move {
                tokio::time::sleep(charges.0.delay).await;
                charges.change(&id, Change::Dispute);
            });
        }
        Ok(charge)
    }

    /// Adds charges that it does not know yet, without a notice.
    pub fn remember(&self, charges: impl Iterator<Item = SandboxCharge>) {
        let mut stored = self.stored();
        for charge in charges {
            if !stored.charges.iter().any(|known| known.id == charge.id) {
                stored.write(charge);
            }
        }
    }

    /// Changes a charge and reports it. `None` if the charge is unknown or the change is not possible now.
    pub fn change(&self, id: &str, change: Change) -> Option<SandboxCharge> {
        let now = self.now();
        let charge = {
            let mut stored = self.stored();
            let known = stored.charges.iter().find(|charge| charge.id == id)?;
            let changed = known.after(change)?;
            let charge = SandboxCharge {
                state: changed,
                at: if changed == known.state { known.at } else { now },
                paid_at: known
                    .paid_at
                    .or_else(|| (changed == ChargeState::Paid).then_some(now)),
                ..known.clone()
            };
            stored.write(charge.clone());
            charge
        };
        self.report(&charge);
        Some(charge)
    }

    /// Refunds a charge, with the failures that its amount asks for.
    pub async fn refund(&self, charge: &SandboxCharge) -> Result<SandboxCharge, Refused> {
        let behavior = ChargeBehavior::of_amount(charge.amount);
        let refunded = if behavior == ChargeBehavior::RefusesRefunds {
            None
        } else {
            self.change(&charge.id, Change::Refund)
        };
        let refunded = refunded
            .ok_or_else(|| refused(StatusCode::UNPROCESSABLE_ENTITY, "this charge cannot be refunded"))?;
        self.answer_refund(behavior, refunded).await
    }

    /// The same for a part of a charge.
    pub async fn refund_part(
        &self,
        charge: &SandboxCharge,
        part: RefundedPart,
    ) -> Result<SandboxCharge, Refused> {
        let behavior = ChargeBehavior::of_amount(charge.amount);
        let refunded = if behavior == ChargeBehavior::RefusesRefunds {
            None
        } else {
            self.give_back(&charge.id, part)
        };
        let refunded = refunded
            .ok_or_else(|| refused(StatusCode::UNPROCESSABLE_ENTITY, "this part cannot be refunded"))?;
        self.answer_refund(behavior, refunded).await
    }

    /// Gives back a part and reports it, unless its key was used before. `None` if it is not possible.
    pub fn give_back(&self, id: &str, part: RefundedPart) -> Option<SandboxCharge> {
        let now = self.now();
        let (before, charge) = {
            let mut stored = self.stored();
            let known = stored.charges.iter().find(|charge| charge.id == id)?;
            let (before, charge) = (known.refunded(), known.after_part(part, now)?);
            stored.write(charge.clone());
            (before, charge)
        };
        if charge.refunded() != before {
            self.report(&charge);
        }
        Some(charge)
    }

    async fn answer_refund(
        &self,
        behavior: ChargeBehavior,
        refunded: SandboxCharge,
    ) -> Result<SandboxCharge, Refused> {
        match behavior {
            ChargeBehavior::RefundTimesOut if self.first_time("refund_times_out", &refunded.id) => {
                Err(self.lose_answer().await)
            }
            ChargeBehavior::RefundBreaks if self.first_time("refund_breaks", &refunded.id) => Err(broken()),
            _ => Ok(refunded),
        }
    }

    /// Looks up a charge by its id.
    pub fn find(&self, contract: Contract, id: &str) -> Result<Option<SandboxCharge>, Refused> {
        let found = {
            let stored = self.stored();
            let mut charges = stored.charges.iter();
            charges
                .find(|charge| charge.contract == contract && charge.id == id)
                .cloned()
        };
        found.map(|charge| self.looked_up(charge)).transpose()
    }

    /// Looks up the charges of a sale, the oldest first.
    pub fn find_of_sale(&self, contract: Contract, sale_id: SaleId) -> Result<Vec<SandboxCharge>, Refused> {
        let found: Vec<_> = {
            let stored = self.stored();
            let charges = stored.charges.iter();
            charges
                .filter(|charge| charge.contract == contract && charge.sale_id == sale_id)
                .cloned()
                .collect()
        };
        found.into_iter().map(|charge| self.looked_up(charge)).collect()
    }

    fn looked_up(&self, charge: SandboxCharge) -> Result<SandboxCharge, Refused> {
        let behavior = ChargeBehavior::of_amount(charge.amount);
        let breaks = behavior == ChargeBehavior::LookUpBreaksOnce;
        if breaks && self.first_time("look_up_breaks", &charge.id) {
            return Err(broken());
        }
        if behavior == ChargeBehavior::PaysAnotherAmount && charge.paid_at.is_some() {
            let amount = Cents::new(charge.amount.get() + 1);
            return Ok(SandboxCharge { amount, ..charge });
        }
        if charge.has_expired(self.now()) {
            return Ok(self.change(&charge.id, Change::Expire).unwrap_or(charge));
        }
        Ok(charge)
    }

    /// The latest charge with this id or of this sale, in any contract.
    pub fn named(&self, id: &str) -> Option<SandboxCharge> {
        let sale_id: Option<SaleId> = id.parse().ok();
        let stored = self.stored();
        let mut latest = stored.charges.iter().rev();
        latest
            .find(|charge| charge.id == id || Some(charge.sale_id) == sale_id)
            .cloned()
    }

    /// All charges, the oldest first.
    pub fn list(&self) -> Vec<SandboxCharge> {
        self.stored().charges.clone()
    }

    pub fn set_notice_url(&self, provider: Provider, url: String) {
        self.stored().notice_urls.insert(provider, url);
    }

    /// Sends a notice of the charge's state, as often as its amount asks for.
    fn report(&self, charge: &SandboxCharge) {
        let provider = charge.contract.0.provider;
        let configured = self.stored().notice_urls.get(&provider).cloned();
        let Some(url) = charge.notice_url.clone().or(configured) else {
            return;
        };
        let notices = ChargeBehavior::of_amount(charge.amount).notices();
        let scheduled = notices::scheduled(charge, &url, notices);
        self.0.deliveries.send(provider, scheduled);
    }

    fn first_time(&self, failure: &'static str, key: &str) -> bool {
        self.stored().happened.insert((failure, key.to_owned()))
    }

    fn stored(&self) -> MutexGuard<'_, StoredCharges> {
        self.0.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn broken() -> Refused {
    refused(StatusCode::INTERNAL_SERVER_ERROR, "broken on purpose")
}
