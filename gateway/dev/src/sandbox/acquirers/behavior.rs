//! The result of a charge by its card and amount, so that each case can be tried on purpose.

use gateway_acquirers::charge::{ChargeState, Decline};
use ledger_domain::Cents;

/// The result of a charge of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardOutcome {
    Becomes(ChargeState),
    /// A 3-D Secure challenge comes first, where the contract has one.
    Challenged,
    /// Paid, and disputed a moment later.
    PaidAndDisputed,
}

impl CardOutcome {
    /// The rules by the last four digits. All other cards pay.
    pub const RULES: [(&'static str, Self, &'static str); 15] = [
        ("0002", declined(Decline::Other), "declined by the issuer"),
        (
            "9995",
            declined(Decline::InsufficientFunds),
            "declined: no funds or limit",
        ),
        (
            "0101",
            declined(Decline::CardData),
            "declined: wrong number or holder",
        ),
        (
            "0127",
            declined(Decline::SecurityCode),
            "declined: wrong security code",
        ),
        ("0069", declined(Decline::ExpiredCard), "declined: expired"),
        (
            "9987",
            declined(Decline::BlockedCard),
            "declined: lost or blocked",
        ),
        ("0150", declined(Decline::CallIssuer), "declined: call the issuer"),
        (
            "0168",
            declined(Decline::Installments),
            "declined: installments not allowed",
        ),
        ("0019", declined(Decline::Risk), "declined: risk of fraud"),
        (
            "0119",
            declined(Decline::Temporary),
            "declined: the issuer is out of reach",
        ),
        ("0077", Self::Becomes(ChargeState::Canceled), "canceled"),
        ("0341", Self::Becomes(ChargeState::Pending), "stays pending"),
        (
            "0036",
            Self::Becomes(ChargeState::Authorized),
            "authorized, to be captured",
        ),
        (
            "0321",
            Self::Challenged,
            "a 3-D Secure challenge; without one, paid",
        ),
        ("0259", Self::PaidAndDisputed, "paid, and disputed a moment later"),
    ];

    pub fn of_card(last_four: &str) -> Self {
        Self::RULES
            .iter()
            .find(|(rule, ..)| *rule == last_four)
            .map_or(Self::Becomes(ChargeState::Paid), |(_, outcome, _)| *outcome)
    }
}

/// When the sandbox tells the brand of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrandTold {
    /// By the token, and with the charge.
    Always,
    /// Only once the card is charged.
    WithCharge,
    Never,
}

impl BrandTold {
    /// The rules by the last four digits. The brand of all other cards is always told.
    pub const RULES: [(&'static str, Self, &'static str); 2] = [
        ("0440", Self::Never, "paid, and its brand is never told"),
        (
            "0457",
            Self::WithCharge,
            "paid, and its brand is told with the charge only",
        ),
    ];

    pub fn of_card(last_four: &str) -> Self {
        Self::RULES
            .iter()
            .find(|(rule, ..)| *rule == last_four)
            .map_or(Self::Always, |(_, told, _)| *told)
    }

    pub const fn before_charge(self) -> bool {
        matches!(self, Self::Always)
    }

    pub const fn with_charge(self) -> bool {
        matches!(self, Self::Always | Self::WithCharge)
    }
}

const fn declined(decline: Decline) -> CardOutcome {
    CardOutcome::Becomes(ChargeState::Declined(decline))
}

/// A failure to simulate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChargeBehavior {
    Works,
    RefusesRefunds,
    RefundTimesOut,
    RefundBreaks,
    TimesOutAndCharges,
    BreaksAndCharges,
    LostOnce,
    BreaksOnce,
    NoticeTwice,
    NoticeLost,
    WrongCode,
    LookUpBreaksOnce,
    PaysAnotherAmount,
    OrderHeld,
}

impl ChargeBehavior {
    /// The rules by the last two digits of the amount. 11 to 13 resemble those of `RefundBehavior`, which is for sales
    /// that the platform did not charge. Unlike there, a refund of 12 sends its notice.
    pub const RULES: [(i64, Self, &'static str); 13] = [
        (11, Self::RefusesRefunds, "a refund is refused"),
        (
            12,
            Self::RefundTimesOut,
            "a refund is made, and its call times out",
        ),
        (
            13,
            Self::RefundBreaks,
            "a refund is made, and its call fails with a 500",
        ),
        (
            21,
            Self::TimesOutAndCharges,
            "the charge is made, and its call times out",
        ),
        (
            22,
            Self::BreaksAndCharges,
            "the charge is made, and its call fails with a 500",
        ),
        (
            23,
            Self::LostOnce,
            "the call times out and the request is lost; sent again, it is charged",
        ),
        (
            24,
            Self::BreaksOnce,
            "the call fails with a 500 and nothing is charged; sent again, it is charged",
        ),
        (25, Self::NoticeTwice, "each notice is sent twice"),
        (26, Self::NoticeLost, "no notice is sent"),
        (27, Self::WrongCode, "the PIX code or boleto is of another amount"),
        (28, Self::LookUpBreaksOnce, "the first look-up fails with a 500"),
        (
            29,
            Self::PaysAnotherAmount,
            "once it is paid, a look-up states a cent more",
        ),
        (
            30,
            Self::OrderHeld,
            "nothing is charged or answered until /sandbox/held-orders/release; sent again, it is charged",
        ),
    ];

    pub fn of_amount(amount: Cents) -> Self {
        let cents = amount.get().rem_euclid(100);
        Self::RULES
            .iter()
            .find(|(rule, ..)| *rule == cents)
            .map_or(Self::Works, |(_, behavior, _)| *behavior)
    }

    /// How many times each notice is sent.
    pub const fn notices(self) -> usize {
        match self {
            Self::NoticeLost => 0,
            Self::NoticeTwice => 2,
            Self::Works
            | Self::RefusesRefunds
            | Self::RefundTimesOut
            | Self::RefundBreaks
            | Self::TimesOutAndCharges
            | Self::BreaksAndCharges
            | Self::LostOnce
            | Self::BreaksOnce
            | Self::WrongCode
            | Self::LookUpBreaksOnce
            | Self::PaysAnotherAmount
            | Self::OrderHeld => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_select_a_rule_and_other_amounts_and_cards_work() {
        assert_eq!(
            ChargeBehavior::of_amount(Cents::new(12_345_00)),
            ChargeBehavior::Works
        );
        for (cents, behavior, _) in ChargeBehavior::RULES {
            assert_eq!(ChargeBehavior::of_amount(Cents::new(700_00 + cents)), behavior);
        }
        assert_eq!(
            CardOutcome::of_card("4242"),
            CardOutcome::Becomes(ChargeState::Paid)
        );
        for (last_four, outcome, _) in CardOutcome::RULES {
            assert_eq!(CardOutcome::of_card(last_four), outcome);
        }
    }
}
