//! The installments of a sale: how gross and net are split, and when each part is due.
//!
//! `fees` computes the fees. The schedule is stored with the sale and never changes.

use crate::Cents;
use crate::calendar::{Calendar, Date, days_after};
use crate::money::split;
use crate::sale::Receivable;

/// Acquirers pay one card installment every 30 days.
pub const DAYS_PER_INSTALLMENT: u16 = 30;

/// When the installments of a sale are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueDateRule {
    /// All of them this many days after the capture.
    AllAfter { days: u8 },
    /// Installment k is due k times 30 days after the capture, when the acquirer pays it.
    Monthly,
}

impl DueDateRule {
    /// Counted from the capture, never from an adjusted date. Zero days are the day of the capture, even if banks are
    /// closed.
    pub fn due_date(self, installment: u8, captured_on: Date, calendar: &Calendar) -> Date {
        match self {
            Self::AllAfter { days: 0 } => captured_on,
            Self::AllAfter { .. } | Self::Monthly => {
                calendar.roll_forward(self.nominal_due_date(installment, captured_on))
            }
        }
    }

    /// The due date if banks were open every day.
    pub fn nominal_due_date(self, installment: u8, captured_on: Date) -> Date {
        let days = match self {
            Self::AllAfter { days } => u16::from(days),
            Self::Monthly => DAYS_PER_INSTALLMENT * u16::from(installment),
        };
        days_after(captured_on, u64::from(days))
    }
}

/// The amounts of a priced sale. `gross` is the sum of `shared_fees`, `own_costs` and `net`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InstallmentSplit<'a> {
    pub gross: Cents,
    pub net: Cents,
    /// Split over all installments.
    pub shared_fees: Cents,
    /// The advance cost of each installment; empty if there is none.
    pub own_costs: &'a [Cents],
}

impl InstallmentSplit<'_> {
    /// The net of each installment.
    ///
    /// The shared fees are split like the gross. If a part would be below zero, the net is split instead, so that no
    /// installment takes money from the seller.
    pub(crate) fn net_parts(&self, gross_parts: &[Cents], parts: u8) -> Vec<Cents> {
        self.nets_after_fees(gross_parts, parts)
            .unwrap_or_else(|| split(self.net, parts))
    }

    /// `None` if a part would be below zero.
    pub(crate) fn nets_after_fees(&self, gross_parts: &[Cents], parts: u8) -> Option<Vec<Cents>> {
        let own_costs = self
            .own_costs
            .iter()
            .copied()
            .chain(std::iter::repeat(Cents::ZERO));
        gross_parts
            .iter()
            .zip(split(self.shared_fees, parts))
            .zip(own_costs)
            .map(|((gross, fee), own)| gross.checked_sub(fee)?.checked_sub(own))
            .map(|net| net.filter(|net| !net.is_negative()))
            .collect()
    }

    pub(crate) fn receivables(
        &self,
        installments: u8,
        due: DueDateRule,
        captured_on: Date,
        calendar: &Calendar,
    ) -> Vec<Receivable> {
        let gross_parts = split(self.gross, installments);
        let net_parts = self.net_parts(&gross_parts, installments);
        (1..=installments)
            .zip(gross_parts)
            .zip(net_parts)
            .map(|((number, gross), net)| Receivable {
                number,
                gross,
                net,
                due_date: due.due_date(number, captured_on, calendar),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
