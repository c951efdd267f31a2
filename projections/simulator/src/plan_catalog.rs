//! The reference data of a run: company statuses, plan versions and terminal owners.

use std::sync::Arc;

use chrono::TimeDelta;
use ledger_domain::BusinessId;
use ledger_domain::Cents;
use ledger_domain::business::{CompanyStatus, ContextRequest, SaleContext, WithdrawalContext};
use ledger_domain::calendar::{Calendar, Instant};
use ledger_domain::fees::PlanTerms;
use ledger_domain::transfer::Destination;

use crate::names;
use crate::plan::Plan;
use crate::rng::SimRng;

#[derive(Debug, Clone)]
pub struct PlanCatalog {
    pub businesses: Vec<Company>,
    calendar: Arc<Calendar>,
}

#[derive(Debug, Clone)]
pub struct Company {
    pub id: BusinessId,
    /// Denied for the whole run: its sales are recorded, and held.
    pub is_denied: bool,
    /// The two versions of its plan, and the start of the second.
    plans: [(Plan, Arc<PlanTerms>); 2],
    changed_at: Instant,
    pub withdrawal_fee: i64,
}

impl PlanCatalog {
    pub fn random(seed: u64, now: Instant, rng: &mut SimRng) -> Self {
        let count = rng.pick(&[1, 2, 2, 3]);
        let company = |number: usize| {
            let mut plan = |version| {
                let plan = Plan::random(version, rng);
                (plan, plan.terms())
            };
            let plans = [plan(1), plan(2)];
            Company {
                id: names::business(seed, number),
                is_denied: rng.percent(12),
                plans,
                changed_at: now + TimeDelta::seconds(rng.between(-1_000, 20 * 86_400)),
                withdrawal_fee: rng.pick(&[0, 0, 1, 199, 367]),
            }
        };
        Self {
            businesses: (0..count).map(company).collect(),
            calendar: Arc::default(),
        }
    }

    pub fn company(&self, business: BusinessId) -> &Company {
        self.businesses
            .iter()
            .find(|company| company.id == business)
            .expect("every business has a company")
    }

    pub fn name(&self, business: BusinessId) -> String {
        let number = self.businesses.iter().position(|company| company.id == business);
        number.map_or_else(|| business.to_string(), |number| format!("business {number}"))
    }

    /// The context that a look-up finds; a named terminal belongs to `owner`.
    pub fn context(&self, request: &ContextRequest, owner: Option<BusinessId>) -> SaleContext {
        let company = self.company(request.business_id);
        SaleContext {
            business_id: request.business_id,
            company_status: if company.is_denied {
                CompanyStatus::Denied
            } else {
                CompanyStatus::Active
            },
            terms: Some(company.version(request.terms_at).1.clone()),
            terms_at: request.terms_at,
            terminal_owner: owner,
            calendar: self.calendar.clone(),
        }
    }
}

impl Company {
    fn version(&self, at: Instant) -> &(Plan, Arc<PlanTerms>) {
        &self.plans[usize::from(at >= self.changed_at)]
    }

    pub fn plan(&self, at: Instant) -> &Plan {
        &self.version(at).0
    }

    pub fn withdrawal(&self) -> WithdrawalContext {
        WithdrawalContext {
            company_status: CompanyStatus::Active,
            fee: Some(Cents::new(self.withdrawal_fee)),
            destination: Some(Destination::Pix {
                key: "12345678909".to_owned(),
            }),
        }
    }
}
