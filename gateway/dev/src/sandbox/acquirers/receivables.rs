//! The sandbox's receivables: one for each installment of each charge that was paid. Charges from before the
//! sandbox began have none.

use gateway_acquirers::charge::ChargeState;
use ledger_domain::Cents;
use ledger_domain::calendar::{Calendar, Date, business_date};
use ledger_domain::money::split;
use ledger_domain::schedule::DueDateRule;

use super::charge::{ChargedMethod, SandboxCharge};
use super::charges::Charges;
use super::contract::Contract;

pub struct SandboxReceivable {
    pub charge: SandboxCharge,
    /// From 1.
    pub installment: u8,
    pub gross: Cents,
    pub cost: Cents,
    pub net: Cents,
    pub expected_on: Date,
    pub paid_on: Option<Date>,
    pub canceled: bool,
}

/// The sandbox's cost of a card or PIX, in hundredths of a percent.
const COST_OF_CARD: i64 = 250;
const COST_OF_PIX: i64 = 90;
/// The amount that a boleto costs.
const COST_OF_BOLETO: Cents = Cents::new(1_99);

/// The receivables of a contract, in the order in which their charges arrived.
pub fn of_contract(charges: &Charges, contract: Contract) -> Vec<SandboxReceivable> {
    let today = business_date(charges.now());
    let charges = charges.list();
    let of_contract = charges
        .iter()
        .filter(|charge| charge.contract == contract && !charge.settled_before);
    of_contract.flat_map(|charge| of_charge(charge, today)).collect()
}

/// The receivables of a charge. An installment that is due by today counts as paid, unless the charge was refunded,
/// reversed or charged back. One that parts took whole is canceled.
fn of_charge(charge: &SandboxCharge, today: Date) -> Vec<SandboxReceivable> {
    let Some(paid_at) = charge.paid_at else {
        return Vec::new();
    };
    let mut parts = split(charge.amount, charge.installments());
    // The last installments pay what went back to the buyer.
    let mut refunded = charge.refunded();
    for part in parts.iter_mut().rev() {
        let taken = refunded.min(*part);
        refunded = refunded.checked_sub(taken).unwrap_or(Cents::ZERO);
        *part = part.checked_sub(taken).unwrap_or(Cents::ZERO);
    }
    let canceled = matches!(
        charge.state,
        ChargeState::Refunded | ChargeState::Reversed | ChargeState::ChargedBack
    );
    (1..)
        .zip(parts)
        .map(|(installment, gross)| {
            let canceled = canceled || gross == Cents::ZERO;
            let cost = cost(&charge.payment_method, gross);
            let expected_on = expected_on(charge, installment, business_date(paid_at));
            SandboxReceivable {
                charge: charge.clone(),
                installment,
                gross,
                cost,
                net: gross.checked_sub(cost).unwrap_or(Cents::ZERO),
                expected_on,
                paid_on: (!canceled && expected_on <= today).then_some(expected_on),
                canceled,
            }
        })
        .collect()
}

fn cost(payment_method: &ChargedMethod, gross: Cents) -> Cents {
    let rate = match payment_method {
        ChargedMethod::Card { .. } => COST_OF_CARD,
        ChargedMethod::Pix { .. } => COST_OF_PIX,
        ChargedMethod::Boleto { .. } => return COST_OF_BOLETO.min(gross),
    };
    Cents::new(gross.get() * rate / 10_000)
}

fn expected_on(charge: &SandboxCharge, installment: u8, paid_on: Date) -> Date {
    let rule = match charge.payment_method {
        ChargedMethod::Card { .. } => DueDateRule::Monthly,
        ChargedMethod::Pix { .. } | ChargedMethod::Boleto { .. } => DueDateRule::AllAfter { days: 1 },
    };
    rule.due_date(installment, paid_on, &Calendar::default())
}
