//! What is known in memory of the back office, as of one value of its version counter.
//!
//! Pure: rows in, contexts out. Who reads the rows, and when they are stale, is `contexts`' matter.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use ledger_domain::business::{ContextRequest, SaleContext, Standing};
use ledger_domain::calendar::{Calendar, Date, Instant};
use ledger_domain::fees::PlanTerms;
use ledger_domain::{BusinessId, PlanId, TerminalId};

use super::history::History;

/// Companies and terminals kept at once. Beyond it they are forgotten together and read again as sales name them:
/// a hundred bytes each, so some tens of megabytes at most.
const KEPT_MAX: usize = 100_000;

#[derive(Debug, Default)]
pub struct Facts {
    calendar: Arc<Calendar>,
    /// By the solution's number, as the rows have it.
    defaults: BTreeMap<u8, History<PlanId>>,
    plans: HashMap<PlanId, History<Arc<PlanTerms>>>,
    businesses: HashMap<BusinessId, Company>,
    terminals: HashMap<TerminalId, History<Option<BusinessId>>>,
}

#[derive(Debug)]
struct Company {
    standing: Standing,
    assignments: BTreeMap<u8, History<PlanId>>,
}

/// One row of the back office, whatever its table.
#[derive(Debug)]
pub enum Fact {
    Default {
        solution: u8,
        plan_id: PlanId,
        valid_from: Instant,
    },
    Terms {
        plan_id: PlanId,
        terms: Box<PlanTerms>,
        valid_from: Instant,
    },
    Company {
        business_id: BusinessId,
        standing: Standing,
    },
    Assignment {
        business_id: BusinessId,
        solution: u8,
        plan_id: PlanId,
        valid_from: Instant,
    },
    Owner {
        terminal_id: TerminalId,
        business_id: Option<BusinessId>,
        valid_from: Instant,
    },
}

/// What a batch of requests names and memory does not hold.
#[derive(Debug, Default)]
pub struct Missing {
    pub businesses: BTreeSet<BusinessId>,
    pub terminals: BTreeSet<TerminalId>,
}

impl Missing {
    pub fn is_empty(&self) -> bool {
        self.businesses.is_empty() && self.terminals.is_empty()
    }

    /// Everything that the requests name: for a fresh start.
    pub fn all(requests: &[ContextRequest]) -> Self {
        Self {
            businesses: requests.iter().map(|request| request.business_id).collect(),
            terminals: requests
                .iter()
                .filter_map(|request| request.terminal_id)
                .collect(),
        }
    }
}

impl Facts {
    pub fn missing(&self, requests: &[ContextRequest]) -> Missing {
        let mut missing = Missing::all(requests);
        missing.businesses.retain(|id| !self.businesses.contains_key(id));
        missing.terminals.retain(|id| !self.terminals.contains_key(id));
        missing
    }

    pub fn set_holidays(&mut self, holidays: BTreeSet<Date>) {
        self.calendar = Arc::new(Calendar::new(holidays));
    }

    /// Remembers that these were asked for, so that what does not exist is not asked for again.
    pub fn expect(&mut self, asked: Missing) {
        if self.businesses.len() + self.terminals.len() > KEPT_MAX {
            self.businesses.clear();
            self.terminals.clear();
        }
        for business_id in asked.businesses {
            let unknown = Company {
                standing: Standing::Unknown,
                assignments: BTreeMap::new(),
            };
            self.businesses.insert(business_id, unknown);
        }
        for terminal_id in asked.terminals {
            self.terminals.insert(terminal_id, History::default());
        }
    }

    pub fn learn(&mut self, fact: Fact) {
        match fact {
            Fact::Default {
                solution,
                plan_id,
                valid_from,
            } => {
                self.defaults
                    .entry(solution)
                    .or_default()
                    .add(valid_from, plan_id);
            }
            Fact::Terms {
                plan_id,
                terms,
                valid_from,
            } => {
                self.plans
                    .entry(plan_id)
                    .or_default()
                    .add(valid_from, Arc::from(terms));
            }
            Fact::Company {
                business_id,
                standing,
            } => {
                if let Some(company) = self.businesses.get_mut(&business_id) {
                    company.standing = standing;
                }
            }
            Fact::Assignment {
                business_id,
                solution,
                plan_id,
                valid_from,
            } => {
                if let Some(company) = self.businesses.get_mut(&business_id) {
                    company
                        .assignments
                        .entry(solution)
                        .or_default()
                        .add(valid_from, plan_id);
                }
            }
            Fact::Owner {
                terminal_id,
                business_id,
                valid_from,
            } => {
                if let Some(owners) = self.terminals.get_mut(&terminal_id) {
                    owners.add(valid_from, business_id);
                }
            }
        }
    }

    /// The context of one request; of a company that is not held, as of one that does not exist.
    pub fn context(&self, request: &ContextRequest) -> SaleContext {
        let solution = request.solution.number();
        let company = self.businesses.get(&request.business_id);
        // The company's own plan for the solution, else the solution's default.
        let plan_id = company
            .and_then(|company| company.assignments.get(&solution))
            .and_then(|own| own.at(request.terms_at))
            .or_else(|| {
                self.defaults
                    .get(&solution)
                    .and_then(|default| default.at(request.terms_at))
            });
        let terms = plan_id
            .and_then(|plan_id| self.plans.get(plan_id))
            .and_then(|plan| plan.at(request.terms_at));
        let owner = request
            .terminal_id
            .and_then(|terminal_id| self.terminals.get(&terminal_id))
            .and_then(|owners| owners.at(request.occurred_at));
        SaleContext {
            business_id: request.business_id,
            standing: company.map_or(Standing::Unknown, |company| company.standing),
            terms: terms.cloned(),
            terms_at: request.terms_at,
            terminal_owner: owner.copied().flatten(),
            calendar: Arc::clone(&self.calendar),
        }
    }
}
