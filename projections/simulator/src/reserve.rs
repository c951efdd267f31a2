//! The reserves of a run's companies, and what is checked of them: each share, the maximum, the day of each release.
//!
//! The arithmetic is in whole numbers and shares no code with the ledger.

use std::collections::BTreeMap;

use chrono::Days;
use ledger_domain::business::{ReceivablesSettled, ReserveReleased};
use ledger_domain::calendar::Date;
use ledger_domain::reserve::{ReserveReleaseCause, ReserveRules};
use ledger_domain::{BusinessId, Cents, Rate, SaleId};

use crate::Checked;
use crate::companies::Companies;
use crate::model::calendar::{day_of, due};
use crate::rng::SimRng;
use crate::watch::ensure;

/// The reserve of a company for the whole run, from a day on.
#[derive(Debug, Clone, Copy)]
pub struct Reserve {
    /// In hundredths of a percent.
    pub percentage: i64,
    pub days: u16,
    pub maximum: Option<i64>,
    pub from: Date,
    pub until: Option<Date>,
}

/// The installments of which the reserve holds a part: the amount, and the day of its release.
#[derive(Debug, Default)]
pub struct WatchedReserve {
    held: BTreeMap<(BusinessId, SaleId, u8), (i64, Date)>,
    /// The reserve of each company that has one.
    companies: BTreeMap<BusinessId, Reserve>,
    denied: Vec<BusinessId>,
}

impl Reserve {
    /// Half of the companies have one.
    pub fn random(today: Date, rng: &mut SimRng) -> Option<Self> {
        let days = |rng: &mut SimRng, most| rng.between(0, most).unsigned_abs();
        let reserve = Self {
            percentage: rng.pick(&[500, 1_000, 3_333, 9_900]),
            days: rng.pick(&[1, 3, 14, 30]),
            maximum: rng.pick(&[None, None, Some(1), Some(40_00), Some(300_00)]),
            from: today + Days::new(days(rng, 6)),
            until: rng.chance(20).then(|| today + Days::new(6 + days(rng, 30))),
        };
        rng.chance(50).then_some(reserve)
    }

    pub fn rules(&self) -> ReserveRules {
        let text = format!("{}.{:02}", self.percentage / 100, self.percentage % 100);
        ReserveRules {
            percentage: Rate::parse(&text).expect("a rate of two places"),
            days: self.days,
            maximum: self.maximum.map(Cents::new),
            ends_on: self.until,
        }
    }

    fn share(&self, net: i64, held: i64) -> i64 {
        let share = ((net * self.percentage + 5_000) / 10_000).min(net - 1).max(0);
        share.min(self.maximum.map_or(share, |maximum| (maximum - held).max(0)))
    }
}

impl WatchedReserve {
    pub fn know(&mut self, companies: &Companies) {
        for company in &companies.businesses {
            if let Some(reserve) = company.reserve {
                self.companies.insert(company.id, reserve);
            }
            if company.is_denied {
                self.denied.push(company.id);
            }
        }
    }

    pub fn of(&self, business: BusinessId) -> i64 {
        let own = self.held.iter().filter(|((owner, ..), _)| *owner == business);
        own.map(|(_, (amount, _))| amount).sum()
    }

    pub fn of_sale(&self, sale: SaleId) -> i64 {
        let own = self.held.iter().filter(|((_, of, _), _)| *of == sale);
        own.map(|(_, (amount, _))| amount).sum()
    }

    /// Each installment's share is that of its day. A company that is denied has none: all of its money is held.
    pub fn settle(&mut self, business: BusinessId, event: &ReceivablesSettled) -> Checked {
        let day = event.due_date;
        let in_force =
            |reserve: &&Reserve| reserve.from <= day && reserve.until.is_none_or(|until| day <= until);
        let reserve = self.companies.get(&business).filter(in_force).copied();
        let reserve = reserve.filter(|_| !self.denied.contains(&business));
        for settled in &event.settled {
            let held = self.of(business);
            let expected = reserve.map_or(0, |reserve| reserve.share(settled.net.get(), held));
            let reserved = settled.reserved.get();
            ensure(expected == reserved, || {
                format!("reserves {reserved} of {}, expected {expected}", settled.net)
            })?;
            let Some(reserve) = reserve.filter(|_| expected > 0) else {
                continue;
            };
            let release_on = event.reserve.as_ref().map(|reserve| reserve.release_on);
            let expected_day = due(day, u64::from(reserve.days));
            ensure(release_on == Some(expected_day), || {
                format!("holds until {release_on:?}, expected {expected_day}")
            })?;
            let piece = (business, settled.sale_id, settled.number);
            self.held.insert(piece, (expected, expected_day));
        }
        Ok(())
    }

    /// On its day all of a piece is released. A reversal may use a part of it before.
    pub fn release(&mut self, business: BusinessId, event: &ReserveReleased) -> Checked {
        let mut total = 0;
        for released in &event.released {
            let (key, amount) = (
                (business, released.sale_id, released.number),
                released.amount.get(),
            );
            let held = self.held.get_mut(&key).ok_or("releases what is not held")?;
            let (before, release_on) = *held;
            ensure(
                release_on == released.release_on && 0 < amount && amount <= before,
                || format!("releases {amount} of {before}, held until {release_on}"),
            )?;
            if event.cause == ReserveReleaseCause::Due {
                let day = day_of(event.occurred_at);
                ensure(amount == before && day == release_on, || {
                    format!("releases {amount} of {before} on {day}, held until {release_on}")
                })?;
            }
            held.0 -= amount;
            if held.0 == 0 {
                self.held.remove(&key);
            }
            total += amount;
        }
        if event.cause == ReserveReleaseCause::Reversal {
            self.check_longest_first(business, event)?;
        }
        ensure(total == event.total.get(), || {
            format!("releases {total}, in all {}", event.total)
        })
    }

    /// A reversal uses what is held longest first, so what is left of the sale is released no later than what it used.
    fn check_longest_first(&self, business: BusinessId, event: &ReserveReleased) -> Checked {
        for released in &event.released {
            let of_sale = self.held.iter().filter(|((owner, sale, number), _)| {
                (*owner, *sale) == (business, released.sale_id) && *number != released.number
            });
            for ((.., number), (_, release_on)) in of_sale {
                let used = (released.release_on, released.number);
                ensure((*release_on, *number) < used, || {
                    format!("uses {used:?} before ({release_on}, {number})")
                })?;
            }
        }
        Ok(())
    }

    /// In the end, nothing is held beyond its day, or of a sale whose money went back.
    pub fn check_end(&self, today: Date, has_returned: impl Fn(SaleId) -> bool) -> Checked {
        for ((_, sale, number), (amount, release_on)) in &self.held {
            ensure(*release_on > today && !has_returned(*sale), || {
                format!("{amount} of installment {number} of {sale} is still held until {release_on}")
            })?;
        }
        Ok(())
    }
}
