//! The story's plans as the domain's terms.

use ledger_domain::Rate;
use ledger_domain::fees::{FeeRow, FeeTable, PixFee, PlanKind, PlanTerms};
use ledger_domain::sale::{BrandGroup, CardBrand, PaymentType};
use rust_decimal::Decimal;

use super::story::{EffectiveFees, Plan, PlanVersion};

impl Plan {
    /// The terms of one of its versions, which are numbered from 1.
    pub fn terms(&self, version: u32, plan_version: &PlanVersion) -> PlanTerms {
        let kind = match (&plan_version.effective, &plan_version.mdr) {
            (Some(effective), None) => PlanKind::Effective {
                fees: effective.table(),
            },
            (None, Some(mdr)) => PlanKind::Mdr {
                visamaster: mdr.visamaster.clone(),
                others: mdr.others.clone(),
            },
            _ => panic!("{}: a plan is either effective or mdr", self.key),
        };
        let pix_fee = match (plan_version.pix_percent, plan_version.pix_fixed) {
            (Some(rate), None) => PixFee::Percent(rate),
            (None, Some(fee)) => PixFee::Fixed(fee),
            _ => panic!("{}: pix is either percent or fixed", self.key),
        };
        PlanTerms {
            plan_id: self.id(),
            name: self.description.clone(),
            version,
            solution: self.solution,
            kind,
            percentage_rate: plan_version.percentage_rate,
            flat_rate: plan_version.flat_rate,
            settlement_days: plan_version.settlement_days,
            boleto_fee: plan_version.boleto_fee,
            pix_fee,
        }
    }
}

impl EffectiveFees {
    /// For each brand, a row for debit and one for each number of credit installments.
    fn table(&self) -> FeeTable {
        let rows = CardBrand::IN_PLANS.iter().flat_map(|brand| {
            let group = match brand.brand_group() {
                BrandGroup::Visamaster => 0,
                BrandGroup::Others => 1,
            };
            let row = move |payment_type, number_installments, percent_amount| FeeRow {
                card_brand: brand.clone(),
                payment_type,
                number_installments,
                percent_amount,
            };
            let debit = row(PaymentType::Debit, 1, self.debit[group]);
            let credit = (1..=PaymentType::INSTALLMENTS_MAX).map(move |count| {
                let further = Decimal::from(count - 1) * self.credit_step[group].percent();
                let rate =
                    Rate::new(self.credit_first[group].percent() + further).expect("a rate of the story");
                row(PaymentType::Credit, count, rate)
            });
            std::iter::once(debit).chain(credit)
        });
        FeeTable::new(rows.collect()).expect("each brand and number of installments once")
    }
}

#[cfg(test)]
mod tests {
    use super::super::story::Story;

    #[test]
    fn every_version_of_every_plan_has_terms() {
        for plan in Story::read().plans {
            for (version, plan_version) in (1..).zip(&plan.versions) {
                let terms = plan.terms(version, plan_version);
                assert_eq!((terms.plan_id, terms.version), (plan.id(), version));
            }
        }
    }
}
