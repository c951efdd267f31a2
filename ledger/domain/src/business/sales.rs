//! Decisions on sales: created, captured, failed. Reversals are in `cancellation` and `disputes`.
//!
//! Acquirers' notices arrive late, repeatedly and out of order. A notice whose state is already reached, or that a
//! later capture supersedes, adds no event. A notice that contradicts the state or comes too early is refused; the
//! caller keeps it and tries again.

use super::cancellation::Reversal;
use super::command::{CaptureSale, CompanyStatus, CreateSale, FailSale, SaleContext};
use super::event::{BusinessEvent, SaleCaptured, SaleCreated, SaleFailed};
use super::refusal::Refusal;
use super::reserve::Reserving;
use super::settlement;
use super::state::{Business, Sale};
use super::withdrawals::must_be_in_range;
use crate::calendar::{Instant, business_date};
use crate::fees::{PlanTerms, PricingInput, Quote, QuoteError, quote};
use crate::sale::{Cancellation, NamedPayment, PaymentType, SaleFacts, SaleStatus};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn create_sale(&self, command: &CreateSale) -> Decision {
        let CreateSale {
            sale: facts,
            occurred_at,
            context,
        } = command;
        if self.sales.contains_key(&facts.sale_id) {
            return Ok(vec![]);
        }
        context.must_be_active()?;
        context.must_own_terminal()?;
        must_be_well_formed(facts)?;
        let awaits_buyer = matches!(facts.payment_type, PaymentType::Boleto | PaymentType::Pix);
        Ok(vec![BusinessEvent::from(SaleCreated {
            occurred_at: *occurred_at,
            sale: facts.clone(),
            awaits_buyer,
        })])
    }

    pub(super) fn capture_sale(&self, command: &CaptureSale) -> Decision {
        let CaptureSale {
            sale: facts,
            occurred_at,
            context,
        } = command;
        let known = self.sales.get(&facts.sale_id);
        if let Some(sale) = known {
            sale.must_match(facts)?;
            if sale.captured_at.is_some() {
                sale.must_be_the_same_payment(facts)?;
                return sale.named(facts.sale_id, NamedPayment::Payment, &facts.names, *occurred_at);
            }
            if sale.voided_at == Some(*occurred_at) {
                return Err(Refusal::CaptureAndVoidAtOnce);
            }
        }
        // A capture is a fact even if the company is not active. Its money is then held when it settles.
        context.must_be_known()?;
        // The sale's first event decided its owner. The terminal may have changed owners since.
        if known.is_none() {
            context.must_own_terminal()?;
        }
        must_be_well_formed(facts)?;
        let terms_at = known.and_then(|sale| sale.created_at).unwrap_or(*occurred_at);
        let terms = context.terms_as_of(terms_at, facts)?;
        let reserving = Reserving {
            terms: context.reserve.as_ref(),
            held: self.reserve_held(),
        };
        let mut events = capture(facts, *occurred_at, terms, context, reserving)?;
        let returned = known.and_then(|sale| sale.reversal_by_void(command, &events));
        events.extend(returned.into_iter().flatten());
        Ok(events)
    }

    pub(super) fn fail_sale(&self, command: &FailSale) -> Decision {
        let FailSale {
            sale: facts,
            occurred_at,
            reason,
            context,
        } = command;
        let known = self.sales.get(&facts.sale_id);
        if let Some(sale) = known {
            if sale.status == SaleStatus::Failed || sale.was_captured_after(*occurred_at) {
                return Ok(vec![]);
            }
            sale.must_be_unpaid()?;
            sale.must_match(facts)?;
        }
        // A failure moves no money, so it is recorded for every known company.
        context.must_be_known()?;
        if known.is_none() {
            context.must_own_terminal()?;
        }
        must_be_well_formed(facts)?;
        Ok(vec![BusinessEvent::from(SaleFailed {
            occurred_at: *occurred_at,
            sale: facts.clone(),
            reason: reason.clone(),
        })])
    }
}

/// The capture, and the settlement of installments that are due at once (a plan of zero days).
fn capture(
    facts: &SaleFacts,
    occurred_at: Instant,
    terms: &PlanTerms,
    context: &SaleContext,
    reserving: Reserving<'_>,
) -> Decision {
    let captured_on = business_date(occurred_at);
    let priced = PricingInput {
        amount: facts.amount,
        payment_type: facts.payment_type,
        card_brand: facts.card_brand.clone(),
        installments: facts.installments,
    };
    let Quote {
        fees,
        net,
        receivables,
    } = quote(terms, &priced, captured_on, &context.calendar).map_err(|error| match error {
        QuoteError::Amount(_) => Refusal::AmountOutOfRange,
        QuoteError::NoFee => Refusal::NoFee,
        QuoteError::Installments => Refusal::Installments(facts.installments),
    })?;
    let captured = SaleCaptured {
        occurred_at,
        sale: facts.clone(),
        plan: terms.plan_ref(),
        fees,
        net,
        receivables,
        held: context.company_status != CompanyStatus::Active,
        until_approved: context.company_status == CompanyStatus::Pending,
    };
    let at_once = settlement::due_at_capture(&captured, captured_on, reserving)?;
    let captured = BusinessEvent::from(captured);
    Ok(std::iter::once(captured).chain(at_once).collect())
}

/// Rejects facts that are invalid in every state.
fn must_be_well_formed(facts: &SaleFacts) -> Result<(), Refusal> {
    must_be_in_range(facts.amount)?;
    if !facts.payment_type.takes_installments(facts.installments) {
        return Err(Refusal::Installments(facts.installments));
    }
    Ok(())
}

impl Sale {
    fn must_match(&self, facts: &SaleFacts) -> Result<(), Refusal> {
        if self.amount != facts.amount {
            return Err(Refusal::AmountDiffers {
                recorded: self.amount,
                reported: facts.amount,
            });
        }
        let recorded = (self.solution, self.payment_type, self.installments);
        if recorded != (facts.solution, facts.payment_type, facts.installments) {
            return Err(Refusal::SaleDiffers);
        }
        Ok(())
    }

    /// A buyer may pay one charge twice. The provider then reports the second payment under another id.
    fn must_be_the_same_payment(&self, facts: &SaleFacts) -> Result<(), Refusal> {
        if self.provider == facts.provider && self.external_id == facts.external_id {
            Ok(())
        } else {
            Err(Refusal::SecondPayment)
        }
    }

    pub(super) fn must_be_unpaid(&self) -> Result<(), Refusal> {
        match self.status {
            SaleStatus::New | SaleStatus::Created | SaleStatus::Pending => Ok(()),
            SaleStatus::Succeeded
            | SaleStatus::Failed
            | SaleStatus::Canceled
            | SaleStatus::Refunded
            | SaleStatus::Reversed
            | SaleStatus::Dispute
            | SaleStatus::ChargedBack => Err(Refusal::StatusForbids(self.status)),
        }
    }

    /// A capture that is dated before the sale's void is reversed at once, so that it is never paid out.
    fn reversal_by_void(
        &self,
        command: &CaptureSale,
        captured: &[BusinessEvent],
    ) -> Option<Vec<BusinessEvent>> {
        let voided_at = self
            .voided_at
            .filter(|voided_at| *voided_at > command.occurred_at)?;
        let sale_id = command.sale.sale_id;
        let mut business = Business::default();
        business.sales.insert(sale_id, self.clone());
        captured.iter().for_each(|event| business.apply(event));
        let reversal = Reversal {
            sale_id,
            outcome: Cancellation::Canceled,
            initiator: self.voided_by,
            occurred_at: voided_at,
            refund: None,
            names: None,
            reason: None,
        };
        let sale = business.sales.get(&sale_id)?;
        Some(business.with_hold_released(sale, sale.canceled_event(reversal)))
    }

    /// A failure dated before the capture but reported after it is superseded by the capture.
    fn was_captured_after(&self, instant: Instant) -> bool {
        self.captured_at.is_some_and(|captured_at| captured_at > instant)
    }
}

impl SaleContext {
    fn must_be_known(&self) -> Result<(), Refusal> {
        match self.company_status {
            CompanyStatus::Unknown => Err(Refusal::UnknownBusiness),
            CompanyStatus::Pending
            | CompanyStatus::Active
            | CompanyStatus::Denied
            | CompanyStatus::Deleted => Ok(()),
        }
    }

    fn must_be_active(&self) -> Result<(), Refusal> {
        match self.company_status {
            CompanyStatus::Unknown => Err(Refusal::UnknownBusiness),
            CompanyStatus::Pending | CompanyStatus::Denied | CompanyStatus::Deleted => {
                Err(Refusal::BusinessNotActive)
            }
            CompanyStatus::Active => Ok(()),
        }
    }

    fn must_own_terminal(&self) -> Result<(), Refusal> {
        match self.terminal_owner {
            Some(owner) if owner != self.business_id => Err(Refusal::TerminalOfAnotherBusiness),
            Some(_) | None => Ok(()),
        }
    }

    fn terms_as_of(&self, instant: Instant, facts: &SaleFacts) -> Result<&PlanTerms, Refusal> {
        if self.terms_at != instant {
            return Err(Refusal::TermsNeededAt(instant));
        }
        self.terms.as_deref().ok_or(Refusal::NoPlan(facts.solution))
    }
}
