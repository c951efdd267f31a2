//! A run: a number of random steps, then the closing comparison.
//!
//! Every seed has its own activity weights (number of faults, speed), because otherwise rare events would hardly ever
//! combine.

use chrono::TimeDelta;

use crate::Checked;
use crate::chance::Chance;
use crate::errand::Errand;
use crate::network::{FAULTS, Fault};
use crate::people::WISHES;
use crate::world::World;

/// The maximum number of sales in a run, because each is compared in full.
const SALES: usize = 14;

#[derive(Debug, Clone, Copy)]
enum Act {
    Send,
    Carry,
    Sell,
    Wish,
    Read,
    Suffer,
    Tick,
    Leap,
    Contradict,
}

struct Habits {
    acts: [(u64, Act); 9],
    /// The faults that this run allows.
    faults: Vec<Fault>,
}

impl Habits {
    fn by_chance(chance: &mut Chance) -> Self {
        let acts = [
            (26, Act::Send),
            (chance.pick(&[20, 34, 60]), Act::Carry),
            (chance.pick(&[3, 6, 12]), Act::Sell),
            (chance.pick(&[4, 9, 16]), Act::Wish),
            (chance.pick(&[2, 6]), Act::Read),
            (chance.pick(&[0, 1, 3, 8]), Act::Suffer),
            (8, Act::Tick),
            (chance.pick(&[1, 2, 4]), Act::Leap),
            (1, Act::Contradict),
        ];
        let faults = FAULTS.into_iter().filter(|_| chance.percent(60)).collect();
        Self { acts, faults }
    }
}

impl World {
    pub fn live(&mut self) -> Checked {
        let habits = Habits::by_chance(&mut self.chance);
        for at in 0..self.back_office.businesses.len() {
            if self.chance.percent(60) {
                self.pay_in(self.back_office.businesses[at].id);
            }
        }
        let steps = self.chance.between(100, 420).unsigned_abs();
        for step in 1..=steps {
            self.trace.step = step;
            let act = self.chance.weighted(&habits.acts);
            self.act(act, &habits)?;
        }
        self.trace.step = steps + 1;
        self.calm_down()?;
        self.compare()?;
        if self.chance.percent(50) {
            // Everything becomes due.
            self.now += TimeDelta::days(400);
            self.calm_down()?;
            self.compare()?;
        }
        self.trace.step = steps + 2;
        self.last_questions()?;
        self.calm_down()?;
        self.compare()
    }

    fn act(&mut self, act: Act, habits: &Habits) -> Checked {
        match act {
            Act::Send => self.send_some(),
            Act::Carry => {
                let node = self.chance.below(self.nodes.len());
                self.carry(node)
            }
            Act::Sell => {
                if self.sales.len() < SALES {
                    self.new_sale();
                    self.outside_goes_on();
                }
                Ok(())
            }
            Act::Wish => {
                let wish = self.chance.weighted(&WISHES);
                self.wish(wish);
                Ok(())
            }
            Act::Read => self.readers.step(&self.log, &mut self.chance),
            Act::Suffer if habits.faults.is_empty() => Ok(()),
            Act::Suffer => {
                let (fault, node) = (
                    self.chance.pick(&habits.faults),
                    self.chance.below(self.nodes.len()),
                );
                self.suffer(fault, node)
            }
            Act::Tick => {
                self.now += TimeDelta::seconds(self.chance.between(1, 60));
                self.outside_goes_on();
                Ok(())
            }
            Act::Leap => {
                self.now += TimeDelta::seconds(self.chance.between(3_600, 12 * 86_400));
                self.outside_goes_on();
                self.settle_receivables();
                Ok(())
            }
            Act::Contradict => {
                self.contradict();
                Ok(())
            }
        }
    }

    fn send_some(&mut self) -> Checked {
        let is_due = |errand: &Errand| errand.due_at <= self.now && (errand.is_open() || errand.repeats > 0);
        let due: Vec<_> = (0..self.errands.len())
            .filter(|at| is_due(&self.errands[*at]))
            .collect();
        if due.is_empty() {
            return Ok(());
        }
        let errand = self.chance.pick(&due);
        self.send(errand)
    }
}
