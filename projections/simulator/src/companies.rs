//! The companies of a run. They are its reference data, except for the owners of terminals.

use std::sync::Arc;

use chrono::TimeDelta;
use ledger_domain::BusinessId;
use ledger_domain::Cents;
use ledger_domain::business::{CompanyStatus, ContextRequest, SaleContext, WithdrawalContext};
use ledger_domain::calendar::{Calendar, Date, Instant};
use ledger_domain::fees::PlanTerms;
use ledger_domain::reserve::ReserveTerms;
use ledger_domain::transfer::Destination;

use crate::model::calendar::day_of;
use crate::names;
use crate::plan::Plan;
use crate::reserve::Reserve;
use crate::rng::SimRng;

#[derive(Debug, Clone)]
pub struct Companies {
    pub businesses: Vec<Company>,
    calendar: Arc<Calendar>,
}

#[derive(Debug, Clone)]
pub struct Company {
    pub id: BusinessId,
    /// Denied for the whole run: its sales are recorded, and their money is held.
    pub is_denied: bool,
    /// The two versions of its plan, and the start of the second.
    plans: [(Plan, Arc<PlanTerms>); 2],
    changed_at: Instant,
    pub withdrawal_fee: i64,
    pub reserve: Option<Reserve>,
    /// The versions of the reference data that changed whether the company is known: unknown from the first on, known
    /// again from the second on, and so on.
    known_changes: Vec<i64>,
}

impl Companies {
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
                is_denied: rng.chance(12),
                plans,
                changed_at: now + TimeDelta::seconds(rng.between(-1_000, 20 * 86_400)),
                withdrawal_fee: rng.pick(&[0, 0, 1, 199, 367]),
                reserve: Reserve::random(day_of(now), rng),
                known_changes: vec![],
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

    /// The terms of a settlement on that day.
    pub fn reserve_terms(&self, business: BusinessId, day: Date) -> Option<ReserveTerms> {
        let reserve = self
            .company(business)
            .reserve
            .filter(|reserve| reserve.from <= day)?;
        reserve.rules().terms_on(day, &self.calendar)
    }

    /// From this version on, a known business is unknown, or an unknown one is known again. The simulator changes
    /// nothing else of the reference data. An answer shows whether its decision knew the business, so the simulator can
    /// check which version the decision used.
    pub fn toggle_known(&mut self, business: usize, version: i64) {
        self.businesses[business].known_changes.push(version);
    }

    /// The businesses that the reference data does not know at its latest version.
    pub fn unknown(&self) -> Vec<usize> {
        let businesses = self.businesses.iter().enumerate();
        let unknown = businesses.filter(|(_, company)| company.is_unknown_at(i64::MAX));
        unknown.map(|(at, _)| at).collect()
    }

    /// The context that a look-up finds at a version of the reference data. `owner` is the owner of the request's
    /// terminal, if it names one.
    pub fn context(&self, request: &ContextRequest, owner: Option<BusinessId>, version: i64) -> SaleContext {
        let company = self.company(request.business_id);
        if company.is_unknown_at(version) {
            return SaleContext::unknown(request.business_id, request.terms_at);
        }
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
            reserve: self.reserve_terms(request.business_id, day_of(request.occurred_at)),
        }
    }
}

impl Company {
    pub fn is_unknown_at(&self, version: i64) -> bool {
        self.known_changes.partition_point(|change| *change <= version) % 2 == 1
    }

    fn version(&self, at: Instant) -> &(Plan, Arc<PlanTerms>) {
        &self.plans[usize::from(at >= self.changed_at)]
    }

    pub fn plan(&self, at: Instant) -> &Plan {
        &self.version(at).0
    }

    /// The context of a withdrawal: always that of an active company. The simulator applies the denial to sales only.
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
