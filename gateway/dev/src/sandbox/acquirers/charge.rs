//! A charge at the sandbox, and how its state changes.

use gateway_acquirers::charge::ChargeState;
use gateway_acquirers::names::ReportedNames;
use ledger_domain::calendar::{Date, Instant, days_after, start_of};
use ledger_domain::sale::{CardBrand, PaymentType};
use ledger_domain::{Cents, SaleId};
use serde::{Deserialize, Serialize};

use super::contract::Contract;
use crate::sandbox::names;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SandboxCharge {
    pub id: String,
    pub contract: Contract,
    pub sale_id: SaleId,
    pub amount: Cents,
    pub payment_method: ChargedMethod,
    pub state: ChargeState,
    /// When the state was reached.
    pub at: Instant,
    pub created_at: Instant,
    pub paid_at: Option<Instant>,
    pub notice_url: Option<String>,
    /// It is from before the sandbox began, and no receivables of it are listed.
    #[serde(default)]
    pub settled_before: bool,
    /// What went back to the buyer in parts.
    #[serde(default)]
    pub parts: Vec<RefundedPart>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundedPart {
    /// The idempotency key of its request, if the contract has keys.
    pub key: Option<String>,
    pub amount: Cents,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ChargedMethod {
    Card {
        token: String,
        brand: CardBrand,
        last_four: String,
        installments: u8,
        /// The address to which a challenge sends the browser back. `None` if there can be no challenge.
        return_url: Option<String>,
    },
    Pix {
        code: String,
        expires_at: Instant,
    },
    Boleto {
        line: String,
        barcode: String,
        due_on: Date,
        /// The same charge by PIX.
        pix: Option<String>,
    },
}

/// A change of a charge after it was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    Pay,
    Decline,
    Expire,
    Cancel,
    Capture,
    Refund,
    Reverse,
    Dispute,
    WinDispute,
    ChargeBack,
    /// A part of the amount goes back to the buyer.
    RefundPart,
    /// A status that is in no adapter's table.
    Unlist,
}

/// How long a boleto can be paid after its due date.
const BOLETO_GRACE_DAYS: u64 = 3;

impl SandboxCharge {
    /// The state after a change, or `None` if the change is not possible now.
    pub fn after(&self, change: Change) -> Option<ChargeState> {
        use ChargeState as State;
        let takes_late = self.contract.0.takes_late_payments;
        match (change, self.state) {
            (Change::Pay | Change::Capture, State::Authorized)
            // A second payment is reported again and changes nothing else.
            | (Change::Pay, State::Pending | State::Paid)
            // A charge back that the seller contests with success is paid again.
            | (Change::WinDispute, State::Disputed | State::ChargedBack) => Some(State::Paid),
            (Change::Pay, State::Canceled) => Some(if takes_late { State::Paid } else { State::Canceled }),
            (Change::Decline, State::Pending) => {
                Some(State::Declined(gateway_acquirers::charge::Decline::Other))
            }
            (Change::Expire | Change::Cancel, State::Pending | State::Authorized) => Some(State::Canceled),
            // A repeated cancellation or refund leaves the state.
            (Change::Cancel, State::Canceled) => Some(State::Canceled),
            (Change::Refund, State::Paid | State::Disputed | State::Refunded) => Some(State::Refunded),
            (Change::Reverse, State::Paid) => Some(State::Reversed),
            (Change::Dispute, State::Paid) => Some(State::Disputed),
            (Change::ChargeBack, State::Paid | State::Disputed) => Some(State::ChargedBack),
            (Change::RefundPart, State::Paid) => Some(State::PartlyRefunded),
            (Change::Unlist, State::Pending | State::Paid | State::Disputed) => Some(State::Unlisted),
            _ => None,
        }
    }

    /// The charge after a part went back to the buyer; the same charge if the part's key was used before. `None` if less
    /// is left.
    pub fn after_part(&self, part: RefundedPart, now: Instant) -> Option<Self> {
        if part.key.is_some() && self.parts.iter().any(|known| known.key == part.key) {
            return self.parts.contains(&part).then(|| self.clone());
        }
        let refunded = self.refunded().checked_add(part.amount)?;
        let is_paid = matches!(self.state, ChargeState::Paid | ChargeState::PartlyRefunded);
        if !is_paid || part.amount <= Cents::ZERO || refunded > self.amount {
            return None;
        }
        let mut parts = self.parts.clone();
        parts.push(part);
        Some(Self {
            state: if refunded == self.amount {
                ChargeState::Refunded
            } else {
                ChargeState::PartlyRefunded
            },
            at: now,
            parts,
            ..self.clone()
        })
    }

    /// The sum of the parts that went back.
    pub fn refunded(&self) -> Cents {
        let amounts = self.parts.iter().map(|part| part.amount.get());
        Cents::new(amounts.sum())
    }

    /// Whether it is still pending at the end of the time to pay it.
    pub fn has_expired(&self, now: Instant) -> bool {
        let end = match &self.payment_method {
            ChargedMethod::Card { .. } => return false,
            ChargedMethod::Pix { expires_at, .. } => *expires_at,
            ChargedMethod::Boleto { due_on, .. } => start_of(days_after(*due_on, BOLETO_GRACE_DAYS + 1)),
        };
        self.state == ChargeState::Pending && end <= now
    }

    pub const fn installments(&self) -> u8 {
        match &self.payment_method {
            ChargedMethod::Card { installments, .. } => *installments,
            ChargedMethod::Pix { .. } | ChargedMethod::Boleto { .. } => 1,
        }
    }

    pub const fn payment_type(&self) -> PaymentType {
        match &self.payment_method {
            ChargedMethod::Card { .. } => PaymentType::Credit,
            ChargedMethod::Pix { .. } => PaymentType::Pix,
            ChargedMethod::Boleto { .. } => PaymentType::Boleto,
        }
    }

    pub fn names(&self) -> ReportedNames {
        match self.paid_at {
            Some(at) => names::of_payment(self.payment_type(), true, &self.id, at),
            None => names::of_charge(self.payment_type(), &self.id),
        }
    }

    /// The names of the last amount that went back; none if nothing did.
    pub fn return_names(&self) -> ReportedNames {
        match self.state {
            ChargeState::Refunded | ChargeState::PartlyRefunded => {
                let seed = format!("{}/{}", self.id, self.parts.len());
                names::of_return(self.payment_type(), &seed, self.at)
            }
            _ => ReportedNames::default(),
        }
    }

    pub fn authorization_code(&self) -> String {
        let digits: String = self.id.chars().filter(char::is_ascii_digit).collect();
        format!("{digits:0>6}").chars().take(6).collect()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::{own, zoop};
    use super::*;

    fn instant(text: &str) -> Instant {
        text.parse().expect("an instant")
    }

    fn waiting(payment_method: ChargedMethod) -> SandboxCharge {
        let at = instant("2026-11-23T15:00:00Z");
        SandboxCharge {
            id: "chg_1".to_owned(),
            contract: own::CONTRACT,
            sale_id: SaleId::from_uuid(Uuid::from_u128(1)),
            amount: Cents::new(100_00),
            payment_method,
            state: ChargeState::Pending,
            at,
            created_at: at,
            paid_at: None,
            notice_url: None,
            settled_before: false,
            parts: vec![],
        }
    }

    #[test]
    fn a_pix_expires_at_its_time_and_a_boleto_some_days_after_its_due_date() {
        let pix = waiting(ChargedMethod::Pix {
            code: String::new(),
            expires_at: instant("2026-11-23T15:30:00Z"),
        });
        assert!(!pix.has_expired(instant("2026-11-23T15:29:59Z")));
        assert!(pix.has_expired(instant("2026-11-23T15:30:00Z")));
        let boleto = waiting(ChargedMethod::Boleto {
            line: String::new(),
            barcode: String::new(),
            pix: None,
            due_on: "2026-11-26".parse().expect("a date"),
        });
        assert!(!boleto.has_expired(instant("2026-11-30T02:59:59Z")));
        assert!(boleto.has_expired(instant("2026-11-30T03:00:00Z")));
        let paid = SandboxCharge {
            state: ChargeState::Paid,
            ..boleto
        };
        assert!(!paid.has_expired(instant("2027-11-30T03:00:00Z")));
    }

    #[test]
    fn a_late_payment_counts_if_the_contract_takes_it_and_an_expired_charge_has_no_refund() {
        for (contract, after_payment) in [
            (own::CONTRACT, ChargeState::Paid),
            (zoop::CONTRACT, ChargeState::Canceled),
        ] {
            let expired = SandboxCharge {
                contract,
                state: ChargeState::Canceled,
                ..waiting(ChargedMethod::Pix {
                    code: String::new(),
                    expires_at: instant("2026-11-23T15:30:00Z"),
                })
            };
            assert_eq!(expired.after(Change::Pay), Some(after_payment));
            assert_eq!(expired.after(Change::Refund), None);
        }
    }
}
