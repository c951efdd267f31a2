//! The fees of a sale and its due dates, computed by the specification's rules with whole cents.

use ledger_domain::calendar::Date;
use ledger_domain::sale::PaymentType;

use super::calendar::due;
use crate::plan::{Pix, Plan};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    pub fees: i64,
    pub net: i64,
    /// The net and the due date of each installment.
    pub parts: Vec<(i64, Date)>,
}

impl Price {
    /// The seller's share of what refunds gave back in parts of the gross, rounded half up.
    pub const fn net_of_parts(&self, refunded: i64) -> i64 {
        let gross = self.net + self.fees;
        (2 * self.net * refunded + gross) / (2 * gross)
    }
}

/// A share of the amount, given in hundredths of a percent. Half a cent is rounded up.
const fn part_of(amount: i64, hundredths: i64) -> i64 {
    (amount * hundredths + 5_000) / 10_000
}

/// Equal parts. The first part also gets the remainder.
fn split(amount: i64, parts: i64) -> Vec<i64> {
    let mut split = vec![amount / parts; usize::try_from(parts).unwrap_or(1)];
    split[0] += amount % parts;
    split
}

/// The price of a sale under a plan. Credit installments fall due every 30 days, unless they are advanced.
pub fn price(plan: &Plan, amount: i64, payment: PaymentType, installments: u8, captured_on: Date) -> Price {
    let count = i64::from(installments);
    let (percent, flat) = match (payment, plan.pix) {
        (PaymentType::Debit, _) => (plan.debit, 0),
        (PaymentType::Credit, _) if count == 1 => (plan.credit, 0),
        (PaymentType::Credit, _) => (plan.installments, 0),
        (PaymentType::Boleto, _) => (0, plan.boleto),
        (PaymentType::Pix, Pix::Percent(percent)) => (percent, 0),
        (PaymentType::Pix, Pix::Fixed(fee)) => (0, fee),
    };
    let percentage = part_of(amount, percent);
    // Advanced installments are all paid to the seller after the settlement days. The seller pays for each day that an
    // installment is paid early.
    let advanced = payment == PaymentType::Credit && plan.advance > 0;
    let gross = split(amount, count);
    let cost = |(number, (gross, fee)): (i64, (&i64, i64))| {
        let days = (30 * number - plan.settlement_days).max(0);
        // The rate for a day is a thirtieth of the monthly rate: 10,000 hundredths of a percent × 30 days = 300,000.
        // Both sides are doubled, so that adding 300,000 rounds half a cent up.
        ((gross - fee) * plan.advance * days * 2 + 300_000) / 600_000
    };
    let costs: Vec<i64> = match advanced {
        true => (1..)
            .zip(gross.iter().zip(split(percentage, count)))
            .map(cost)
            .collect(),
        false => vec![0; gross.len()],
    };
    // No fee takes more than what is left of the amount.
    let mut left = amount;
    for fee in [percentage + costs.iter().sum::<i64>(), flat] {
        left -= fee.min(left);
    }
    left -= part_of(left, plan.percentage_rate).min(left);
    left -= plan.flat.min(left);
    let fees = amount - left;
    // Each installment bears its own cost and an equal part of the other fees.
    let shared = split(fees - costs.iter().sum::<i64>(), count);
    let mut nets: Vec<i64> = (0..gross.len())
        .map(|at| gross[at] - shared[at] - costs[at])
        .collect();
    // No installment may be negative. Then the net is split evenly.
    if nets.iter().any(|net| *net < 0) {
        nets = split(left, count);
    }
    let monthly = payment == PaymentType::Credit && !advanced;
    let days = |number: u64| {
        if monthly {
            30 * number
        } else {
            plan.settlement_days.unsigned_abs()
        }
    };
    let parts = nets
        .into_iter()
        .zip(1..)
        .map(|(net, number)| (net, due(captured_on, days(number))));
    Price {
        fees,
        net: left,
        parts: parts.collect(),
    }
}
