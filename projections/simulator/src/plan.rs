//! The sales plans of a run in whole numbers. The ledger gets them as `PlanTerms`, and the model uses them directly.

use std::sync::Arc;

use ledger_domain::fees::{MdrFees, PixFee, PlanKind, PlanTerms};
use ledger_domain::sale::Solution;
use ledger_domain::{Cents, Rate};

use crate::names;
use crate::rng::SimRng;

/// Percentages in hundredths of a percent, amounts in cents.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub version: u32,
    pub debit: i64,
    /// For credit in one installment.
    pub credit: i64,
    /// The percentage for credit in two or more installments.
    pub installments: i64,
    /// The monthly rate; zero means that nothing is advanced.
    pub advance: i64,
    /// A percentage of the rest of the amount after the fees of the payment type.
    pub percentage_rate: i64,
    /// An amount for each sale.
    pub flat: i64,
    pub settlement_days: i64,
    pub boleto: i64,
    pub pix: Pix,
}

#[derive(Debug, Clone, Copy)]
pub enum Pix {
    Percent(i64),
    Fixed(i64),
}

impl Plan {
    pub fn random(version: u32, rng: &mut SimRng) -> Self {
        Self {
            version,
            debit: rng.between(0, 250),
            credit: rng.between(50, 450),
            installments: rng.between(100, 700),
            advance: rng.pick(&[0, 0, 149, 299]),
            percentage_rate: rng.pick(&[0, 0, 15]),
            flat: rng.pick(&[0, 0, 39]),
            settlement_days: rng.pick(&[0, 0, 1, 2, 2, 14, 30]),
            boleto: rng.between(0, 399),
            pix: if rng.chance(50) {
                Pix::Percent(rng.between(0, 150))
            } else {
                Pix::Fixed(rng.between(0, 99))
            },
        }
    }

    pub fn terms(&self) -> Arc<PlanTerms> {
        let rate = |hundredths: i64| {
            let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
            Rate::parse(&text).expect("a rate of two places")
        };
        let fees = MdrFees {
            debit: rate(self.debit),
            credit_1: rate(self.credit),
            credit_2to6: rate(self.installments),
            credit_7to12: rate(self.installments),
            credit_13to21: rate(self.installments),
            advance: rate(self.advance),
        };
        Arc::new(PlanTerms {
            plan_id: names::plan(),
            name: format!("Plano {}", self.version),
            version: self.version,
            solution: Solution::CardMachine,
            kind: PlanKind::Mdr {
                visamaster: fees.clone(),
                others: fees,
            },
            percentage_rate: rate(self.percentage_rate),
            flat_rate: Cents::new(self.flat),
            settlement_days: u8::try_from(self.settlement_days).expect("few days"),
            boleto_fee: Cents::new(self.boleto),
            pix_fee: match self.pix {
                Pix::Percent(percent) => PixFee::Percent(rate(percent)),
                Pix::Fixed(fee) => PixFee::Fixed(Cents::new(fee)),
            },
        })
    }
}
