//! Adds the rows of a page to the sums.

use ledger_domain::fees::{PlanTerms, sale_fees};
use projections::repricing::{ChargedSale, ChargedWithdrawal, RepricingCursor};

use super::{ImpactTotals, WithdrawalsQuestion};

/// The sums of this page and all before it, while the page is read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Page {
    pub totals: ImpactTotals,
    /// The row that was read last.
    pub last: Option<RepricingCursor>,
    /// The rows of this page so far.
    pub rows: i64,
}

impl Page {
    /// Counts a row. The rows are sorted by company, so a company is new if it differs from the last row's company.
    fn advance(&mut self, to: RepricingCursor) {
        let is_new = self.last.is_none_or(|last| last.business_id != to.business_id);
        self.totals.companies += u64::from(is_new);
        self.last = Some(to);
        self.rows += 1;
    }

    /// `current` are the terms in force of the sale's company.
    pub fn add_sale(&mut self, current: Option<&PlanTerms>, proposed: &PlanTerms, sale: &ChargedSale) {
        self.advance(sale.cursor);
        let price = |terms: &PlanTerms| sale_fees(terms, &sale.input).ok();
        match (current.and_then(price), price(proposed)) {
            (Some(current), Some(proposed)) => {
                self.totals.add(sale.input.amount);
                self.totals.charged.add_sale(sale.fees);
                self.totals.current.add_sale(current);
                self.totals.proposed.add_sale(proposed);
            }
            _ => self.totals.unpriced += 1,
        }
    }

    /// A withdrawal's fee is taken from its amount, so it cannot exceed the amount.
    pub fn add_withdrawal(&mut self, question: &WithdrawalsQuestion, withdrawal: &ChargedWithdrawal) {
        self.advance(withdrawal.cursor);
        let amount = withdrawal.amount;
        self.totals.add(amount);
        self.totals.charged.add_withdrawal(withdrawal.fee);
        self.totals.current.add_withdrawal(question.current.min(amount));
        self.totals.proposed.add_withdrawal(question.proposed.min(amount));
    }
}
