//! The bank's behavior for a payout. The cents of the amount select it, so that each case can be tried on purpose.

use ledger_domain::Cents;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayoutBehavior {
    Pays,
    FailsOnce,
    TimesOutAndPays,
    NoticeLost,
    NoticeTwice,
    LostOnce,
    NoticeFirst,
    PaysAfterFailing,
    Refuses,
    BreaksAndPays,
}

impl PayoutBehavior {
    /// The rules by the last two digits of the amount that the bank pays (the withdrawal less its fee). All other
    /// amounts are paid.
    pub const RULES: [(i64, Self, &'static str); 9] = [
        (
            1,
            Self::FailsOnce,
            "fails; a later payout of the same transfer is paid",
        ),
        (2, Self::TimesOutAndPays, "the call times out, and it is paid"),
        (3, Self::NoticeLost, "paid, and no notice is sent"),
        (4, Self::NoticeTwice, "paid, and the notice is sent twice"),
        (
            5,
            Self::LostOnce,
            "the call times out and the order is lost; sent again, it is paid",
        ),
        (
            6,
            Self::NoticeFirst,
            "paid, and the notice is sent before the call is answered",
        ),
        (
            7,
            Self::PaysAfterFailing,
            "reported as failed, but paid a moment later",
        ),
        (
            8,
            Self::Refuses,
            "refused in the answer to the call, every time, without a notice",
        ),
        (
            9,
            Self::BreaksAndPays,
            "the call fails with a 500, and it is paid",
        ),
    ];

    pub fn of_amount(amount: Cents) -> Self {
        let cents = amount.get().rem_euclid(100);
        Self::RULES
            .iter()
            .find(|(rule, ..)| *rule == cents)
            .map_or(Self::Pays, |(_, behavior, _)| *behavior)
    }

    /// Whether the bank reports this attempt at a transfer, counted from 1, as failed.
    pub const fn fails(self, attempt: u32) -> bool {
        match self {
            Self::FailsOnce => attempt == 1,
            Self::PaysAfterFailing | Self::Refuses => true,
            Self::Pays
            | Self::TimesOutAndPays
            | Self::NoticeLost
            | Self::NoticeTwice
            | Self::LostOnce
            | Self::NoticeFirst
            | Self::BreaksAndPays => false,
        }
    }

    /// How many notices report each result.
    pub const fn notices(self) -> usize {
        match self {
            Self::NoticeLost | Self::Refuses => 0,
            Self::NoticeTwice => 2,
            Self::Pays
            | Self::FailsOnce
            | Self::TimesOutAndPays
            | Self::LostOnce
            | Self::NoticeFirst
            | Self::PaysAfterFailing
            | Self::BreaksAndPays => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cents_alone_select_the_behavior_and_other_cents_are_paid() {
        assert_eq!(
            PayoutBehavior::of_amount(Cents::new(12_345_00)),
            PayoutBehavior::Pays
        );
        assert_eq!(PayoutBehavior::of_amount(Cents::new(10)), PayoutBehavior::Pays);
        for (cents, behavior, _) in PayoutBehavior::RULES {
            assert_eq!(PayoutBehavior::of_amount(Cents::new(700_00 + cents)), behavior);
        }
    }
}
