//! The reference data in memory (companies, plans, terminals, calendar), as of one value of the version counter.
//!
//! It is pure: rows and changes in, contexts out. `contexts` reads the rows. Nothing is evicted between reading a
//! batch's data and building its contexts: `trim` comes afterwards.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use ledger_domain::business::{CompanyStatus, ContextRequest, SaleContext};
use ledger_domain::calendar::{Calendar, Date, Instant, business_date};
use ledger_domain::fees::PlanTerms;
use ledger_domain::reserve::ReserveRules;
use ledger_domain::{BusinessId, PlanId, TerminalId};
use lru::LruCache;

use crate::reserves::CompanyReserve;
use crate::validity::History;

/// The limit for companies in memory, and the same for terminals. Each takes about a hundred bytes, so all take some
/// tens of megabytes.
pub const KEPT_MAX: usize = 100_000;

#[derive(Debug)]
pub struct ReferenceDataCache {
    /// `None` before the first read and after a change. The same holds for the defaults and the plans.
    calendar: Option<Arc<Calendar>>,
    /// The default plans, by the number of the solution.
    defaults: Option<BTreeMap<u8, History<PlanId>>>,
    /// A history's `None` means a version with unreadable terms.
    plans: Option<HashMap<PlanId, History<Option<Arc<PlanTerms>>>>>,
    /// How many companies, and how many terminals, a `trim` leaves.
    kept_max: usize,
    businesses: LruCache<BusinessId, Company>,
    terminals: LruCache<TerminalId, History<Option<BusinessId>>>,
}

#[derive(Debug)]
struct Company {
    company_status: CompanyStatus,
    /// By the number of the solution. A history's `None` means the solution's default from then on.
    assignments: BTreeMap<u8, History<Option<PlanId>>>,
    reserve: CompanyReserve,
}

/// One row of a table of reference data.
#[derive(Debug)]
pub enum Fact {
    Holiday(Date),
    Default {
        solution: u8,
        plan_id: PlanId,
        valid_from: Instant,
    },
    Terms {
        plan_id: PlanId,
        /// `None`: unreadable.
        terms: Option<Box<PlanTerms>>,
        valid_from: Instant,
    },
    Company {
        business_id: BusinessId,
        company_status: CompanyStatus,
    },
    Assignment {
        business_id: BusinessId,
        solution: u8,
        plan_id: Option<PlanId>,
        valid_from: Instant,
    },
    Reserve {
        business_id: BusinessId,
        /// Whether the rules are the company's, and not its receiving plan's.
        own: bool,
        version: i64,
        valid_from: Date,
        rules: ReserveRules,
    },
    Owner {
        terminal_id: TerminalId,
        business_id: Option<BusinessId>,
        valid_from: Instant,
    },
}

/// A change since the rows in memory were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Company(BusinessId),
    Terminal(TerminalId),
    Plans,
    Defaults,
    Holidays,
    /// It is unknown what changed.
    Anything,
}

/// The data that a batch of requests needs and that is not in memory.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Missing {
    pub businesses: BTreeSet<BusinessId>,
    pub terminals: BTreeSet<TerminalId>,
    pub calendar: bool,
    pub defaults: bool,
    pub plans: bool,
}

impl ReferenceDataCache {
    pub fn new(kept_max: usize) -> Self {
        Self {
            calendar: None,
            defaults: None,
            plans: None,
            kept_max,
            businesses: LruCache::unbounded(),
            terminals: LruCache::unbounded(),
        }
    }

    pub fn missing(&self, requests: &[ContextRequest]) -> Missing {
        let businesses = requests.iter().map(|request| request.business_id);
        let terminals = requests.iter().filter_map(|request| request.terminal_id);
        Missing {
            businesses: businesses.filter(|id| !self.businesses.contains(id)).collect(),
            terminals: terminals.filter(|id| !self.terminals.contains(id)).collect(),
            calendar: self.calendar.is_none(),
            defaults: self.defaults.is_none(),
            plans: self.plans.is_none(),
        }
    }

    /// Drops the data that the change may have made stale.
    pub fn forget(&mut self, change: Change) {
        match change {
            Change::Company(business_id) => drop(self.businesses.pop(&business_id)),
            Change::Terminal(terminal_id) => drop(self.terminals.pop(&terminal_id)),
            Change::Plans => self.plans = None,
            Change::Defaults => self.defaults = None,
            Change::Holidays => self.calendar = None,
            Change::Anything => {
                (self.calendar, self.defaults, self.plans) = (None, None, None);
                self.businesses.clear();
                self.terminals.clear();
            }
        }
    }

    /// Adds the rows of all missing data. Also remembers the ids that have no row.
    pub fn learn(&mut self, missing: Missing, facts: Vec<Fact>) {
        for business_id in missing.businesses {
            let unknown = Company {
                company_status: CompanyStatus::Unknown,
                assignments: BTreeMap::new(),
                reserve: CompanyReserve::default(),
            };
            self.businesses.put(business_id, unknown);
        }
        for terminal_id in missing.terminals {
            self.terminals.put(terminal_id, History::default());
        }
        if missing.defaults {
            self.defaults = Some(BTreeMap::new());
        }
        if missing.plans {
            self.plans = Some(HashMap::new());
        }
        let mut holidays = BTreeSet::new();
        for fact in facts {
            self.learn_fact(fact, &mut holidays);
        }
        if missing.calendar {
            self.calendar = Some(Arc::new(Calendar::new(holidays)));
        }
    }

    fn learn_fact(&mut self, fact: Fact, holidays: &mut BTreeSet<Date>) {
        match fact {
            Fact::Holiday(date) => {
                holidays.insert(date);
            }
            Fact::Default {
                solution,
                plan_id,
                valid_from,
            } => {
                let defaults = self.defaults.get_or_insert_default();
                defaults.entry(solution).or_default().add(valid_from, plan_id);
            }
            Fact::Terms {
                plan_id,
                terms,
                valid_from,
            } => {
                let plans = self.plans.get_or_insert_default();
                plans
                    .entry(plan_id)
                    .or_default()
                    .add(valid_from, terms.map(Arc::from));
            }
            Fact::Company {
                business_id,
                company_status,
            } => {
                if let Some(company) = self.businesses.get_mut(&business_id) {
                    company.company_status = company_status;
                }
            }
            Fact::Assignment {
                business_id,
                solution,
                plan_id,
                valid_from,
            } => {
                if let Some(company) = self.businesses.get_mut(&business_id) {
                    let own = company.assignments.entry(solution).or_default();
                    own.add(valid_from, plan_id);
                }
            }
            Fact::Reserve {
                business_id,
                own,
                version,
                valid_from,
                rules,
            } => {
                if let Some(company) = self.businesses.get_mut(&business_id) {
                    company.reserve.add(own, version, valid_from, rules);
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

    /// Returns the context of a request whose data is complete.
    ///
    /// # Panics
    ///
    /// If data is missing. A company that was not read must not count as unknown. A terminal that was not read must not
    /// count as unowned.
    pub fn context(&mut self, request: &ContextRequest) -> SaleContext {
        const READ: &str = "the data of a batch is read before the batch is decided";
        let solution = request.solution.number();
        let company = self.businesses.get_mut(&request.business_id).expect(READ);
        let defaults = self.defaults.as_ref().expect(READ);
        // The company's plan for the solution, else the solution's default.
        let plan_id = company
            .assignments
            .get(&solution)
            .and_then(|own| own.at(request.terms_at)?.as_ref())
            .or_else(|| defaults.get(&solution)?.at(request.terms_at));
        let plans = self.plans.as_ref().expect(READ);
        let terms = plan_id
            .and_then(|plan_id| plans.get(plan_id))
            .and_then(|plan| plan.at(request.terms_at)?.as_ref());
        let owner = request
            .terminal_id
            .map(|terminal_id| self.terminals.get_mut(&terminal_id).expect(READ))
            .and_then(|owners| owners.at(request.occurred_at));
        let calendar = self.calendar.as_ref().expect(READ);
        let captured_on = business_date(request.occurred_at);
        SaleContext {
            business_id: request.business_id,
            company_status: company.company_status,
            terms: terms.cloned(),
            terms_at: request.terms_at,
            terminal_owner: owner.copied().flatten(),
            calendar: Arc::clone(calendar),
            reserve: company.reserve.terms_on(captured_on, calendar),
        }
    }

    /// Limits the memory. It must be called only between two batches.
    pub fn trim(&mut self) {
        trim(&mut self.businesses, self.kept_max);
        trim(&mut self.terminals, self.kept_max);
    }
}

fn trim<K: Eq + Hash, V>(cache: &mut LruCache<K, V>, kept_max: usize) {
    while cache.len() > kept_max {
        cache.pop_lru();
    }
}

impl Missing {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
