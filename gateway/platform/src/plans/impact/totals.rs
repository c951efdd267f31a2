//! The sums over the pages of an impact.

use ledger_domain::Cents;
use ledger_domain::fees::SaleFees;
use serde::{Deserialize, Serialize};

/// Sums in cents of the fees of sales (the fields of `SaleFees`) and of withdrawals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeSums {
    /// The percentages of the payment types.
    pub percentage_fee: i64,
    /// The fixed fees of the payment types.
    pub flat_fee: i64,
    /// The percentages of the plan.
    pub percentage_rate: i64,
    /// The fixed fees of the plan.
    pub flat_rate: i64,
    pub withdrawal_fee: i64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImpactTotals {
    /// The companies that have a sale or a withdrawal in the month.
    pub companies: u64,
    /// The sales or withdrawals in the sums.
    pub count: u64,
    /// Sales that the terms before or after the change cannot price. The sums leave them out.
    pub unpriced: u64,
    /// The gross amounts in cents.
    pub amount: i64,
    /// The fees that were charged.
    pub charged: FeeSums,
    /// The fees under the terms in force.
    pub current: FeeSums,
    /// The fees under the terms after the change.
    pub proposed: FeeSums,
}

impl FeeSums {
    pub fn total(&self) -> i64 {
        [
            self.percentage_fee,
            self.flat_fee,
            self.percentage_rate,
            self.flat_rate,
            self.withdrawal_fee,
        ]
        .into_iter()
        .fold(0, i64::saturating_add)
    }

    pub(super) fn add_sale(&mut self, fees: SaleFees) {
        for (sum, fee) in [
            (&mut self.percentage_fee, fees.percentage_fee),
            (&mut self.flat_fee, fees.flat_fee),
            (&mut self.percentage_rate, fees.percentage_rate),
            (&mut self.flat_rate, fees.flat_rate),
        ] {
            *sum = sum.saturating_add(fee.get());
        }
    }

    pub(super) const fn add_withdrawal(&mut self, fee: Cents) {
        self.withdrawal_fee = self.withdrawal_fee.saturating_add(fee.get());
    }
}

impl ImpactTotals {
    pub(super) const fn add(&mut self, amount: Cents) {
        self.count += 1;
        self.amount = self.amount.saturating_add(amount.get());
    }
}
