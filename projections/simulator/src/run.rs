//! A run: a number of random steps, then the closing comparison.
//!
//! Most weights of the activities (such as faults, or days that pass) are chosen for each run. With the same weights in
//! every run, rare events would hardly ever combine.

use chrono::TimeDelta;

use crate::Checked;
use crate::delivery::Delivery;
use crate::network::{FAULTS, Fault};
use crate::rng::SimRng;
use crate::user_actions::USER_ACTIONS;
use crate::world::World;

/// The maximum number of sales in a run, because each is compared in full.
pub const SALES_MAX: usize = 14;

/// A kind of step.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// Sends a delivery that is due.
    Send,
    /// Carries a message between a process and the database.
    Carry,
    /// A sale begins at the acquirer.
    Sell,
    /// A buyer places an order of a payment link, or tries to pay an open one in another way.
    Buy,
    UserAction,
    /// A follower takes a step.
    Read,
    InjectFault,
    /// Up to a minute passes.
    Tick,
    /// Up to 12 days pass.
    AdvanceClock,
    ChangeReferenceData,
    /// Sends a notice that must not be recorded.
    Contradict,
}

struct ActivityWeights {
    acts: [(u64, Act); 11],
    /// The faults that this run allows.
    faults: Vec<Fault>,
}

impl ActivityWeights {
    fn random(rng: &mut SimRng) -> Self {
        let acts = [
            (26, Act::Send),
            (rng.pick(&[20, 34, 60]), Act::Carry),
            (rng.pick(&[3, 6, 12]), Act::Sell),
            (rng.pick(&[0, 4, 12]), Act::Buy),
            (rng.pick(&[4, 9, 16]), Act::UserAction),
            (rng.pick(&[2, 6]), Act::Read),
            (rng.pick(&[0, 1, 3, 8]), Act::InjectFault),
            (8, Act::Tick),
            (rng.pick(&[1, 2, 4]), Act::AdvanceClock),
            (rng.pick(&[0, 1, 4]), Act::ChangeReferenceData),
            (1, Act::Contradict),
        ];
        let faults = FAULTS.into_iter().filter(|_| rng.chance(60)).collect();
        Self { acts, faults }
    }
}

impl World {
    pub fn live(&mut self) -> Checked {
        let activity = ActivityWeights::random(&mut self.rng);
        for at in 0..self.companies.businesses.len() {
            if self.rng.chance(60) {
                self.pay_in(self.companies.businesses[at].id);
            }
        }
        let steps = self.rng.between(100, 420).unsigned_abs();
        for step in 1..=steps {
            self.trace.step = step;
            let act = self.rng.weighted(&activity.acts);
            self.act(act, &activity)?;
        }
        self.trace.step = steps + 1;
        self.stop_faults()?;
        self.compare()?;
        if self.rng.chance(50) {
            // Everything becomes due.
            self.now += TimeDelta::days(400);
            self.stop_faults()?;
            self.compare()?;
        }
        self.trace.step = steps + 2;
        self.last_questions()?;
        self.stop_faults()?;
        self.count_orders();
        self.count_windows();
        self.compare()
    }

    fn act(&mut self, act: Act, activity: &ActivityWeights) -> Checked {
        match act {
            Act::Send => self.send_some(),
            Act::Carry => {
                let node = self.rng.below(self.nodes.len());
                self.carry(node)
            }
            Act::Sell => {
                if self.sales.len() < SALES_MAX {
                    self.new_sale();
                    self.advance_outside()?;
                }
                Ok(())
            }
            Act::Buy => self.buy(),
            Act::UserAction => {
                let user_action = self.rng.weighted(&USER_ACTIONS);
                self.user_action(user_action);
                Ok(())
            }
            Act::Read => {
                let recorded = self.memory_of_any();
                self.readers.step(&self.log, &recorded, &mut self.rng)
            }
            Act::InjectFault if activity.faults.is_empty() => Ok(()),
            Act::InjectFault => {
                let (fault, node) = (self.rng.pick(&activity.faults), self.rng.below(self.nodes.len()));
                self.inject_fault(fault, node)
            }
            Act::Tick => {
                self.now += TimeDelta::seconds(self.rng.between(1, 60));
                self.advance_outside()
            }
            Act::AdvanceClock => {
                self.now += TimeDelta::seconds(self.rng.between(3_600, 12 * 86_400));
                self.advance_outside()?;
                self.settle_receivables();
                Ok(())
            }
            Act::ChangeReferenceData => {
                // An unknown business becomes known first. So businesses are known most of the time, and sales are
                // recorded.
                let unknown = self.companies.unknown();
                let business = match unknown.as_slice() {
                    [] => self.rng.below(self.companies.businesses.len()),
                    unknown => self.rng.pick(unknown),
                };
                self.change_reference_data(business);
                Ok(())
            }
            Act::Contradict => {
                if self.rng.chance(50) {
                    self.contradict();
                } else {
                    self.reuse_notice();
                }
                Ok(())
            }
        }
    }

    /// Staff change the reference data of a business. The processes are not told.
    pub fn change_reference_data(&mut self, business: usize) {
        self.log.reference_version += 1;
        self.companies.toggle_known(business, self.log.reference_version);
        self.trace.line(self.now, || {
            let company = &self.companies.businesses[business];
            let known = if company.is_unknown_at(i64::MAX) {
                "unknown"
            } else {
                "known"
            };
            format!(
                "reference data {}: {} is {known}",
                self.log.reference_version,
                self.companies.name(company.id)
            )
        });
    }

    fn send_some(&mut self) -> Checked {
        let is_due =
            |delivery: &Delivery| delivery.due_at <= self.now && (delivery.is_open() || delivery.repeats > 0);
        let due: Vec<_> = (0..self.deliveries.len())
            .filter(|at| is_due(&self.deliveries[*at]))
            .collect();
        if due.is_empty() {
            return Ok(());
        }
        let delivery = self.rng.pick(&due);
        self.send(delivery)
    }
}
