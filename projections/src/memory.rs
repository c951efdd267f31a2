//! The rows of the read models in memory, with the follower's contract: a window's rows and its checkpoint are stored
//! together or not at all.
//!
//! For simulations and tests. The folds are those of the follower, the rebuild and the audit. This module models only
//! PostgreSQL's part: reading the rows that a window needs and storing its results.

use std::collections::BTreeMap;
use std::sync::Arc;

use ledger_domain::business::{Account, Accounts};
use ledger_domain::calendar::Date;
use ledger_domain::sale::SaleStatus;
use ledger_domain::transfer::TransferStatus;
use ledger_domain::{BusinessId, SaleId, TransferId};
use ledger_store::{LogEvent, Shard};

use crate::ReadModelGroup;
use crate::balance::statement::{Line, composition};
use crate::daily_sales::{DayKey, HourKey, MonthKey, Sum};
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model_groups::{self, Fold};
use crate::replay::listed_volume::{self, RollUp, RollUpKey, Source, Totals};
use crate::sales::SaleRecord;
use crate::withdrawals::Transfer;

#[derive(Debug, Default)]
pub struct Rows {
    positions: BTreeMap<Shard, i64>,
    rows: read_model_groups::Rows,
}

/// The due installments of a business on one day: sales and the numbers of their installments.
pub type Due = (BusinessId, Date, Vec<(SaleId, u8)>);

/// The result of folding a window over some shards, before it is stored.
#[derive(Debug)]
pub struct Window {
    /// For each shard, its positions before and after the window.
    ranges: BTreeMap<Shard, (i64, i64)>,
    folds: Vec<Fold>,
}

impl Rows {
    /// The checkpoint: how far the shard was folded.
    pub fn position(&self, shard: Shard) -> i64 {
        self.positions.get(&shard).copied().unwrap_or(0)
    }

    /// Folds events of some shards. Those of a shard are in order and begin right after its checkpoint.
    ///
    /// # Errors
    /// Returns the event that a fold cannot apply.
    pub fn fold(&self, events: &[Arc<LogEvent>]) -> Result<Window, String> {
        let poisoned =
            |event: &DecodedEvent, poison: Poison| format!("{}:{}: {poison}", event.shard, event.position);
        let decoded = |event: &Arc<LogEvent>| {
            DecodedEvent::of(event).map_err(|poison| format!("{}:{}: {poison}", event.shard, event.position))
        };
        let events: Vec<_> = events.iter().map(decoded).collect::<Result<_, _>>()?;
        let mut folds = ReadModelGroup::ALL.map(|model| Fold::from_memory(model, &self.rows, &events));
        let mut ranges = BTreeMap::new();
        for recorded in &events {
            for fold in &mut folds {
                fold.fold(recorded).map_err(|poison| poisoned(recorded, poison))?;
            }
            let before = self.position(recorded.shard);
            let (_, last) = ranges.entry(recorded.shard).or_insert((before, before));
            *last = recorded.position;
        }
        Ok(Window {
            ranges,
            folds: folds.into(),
        })
    }

    /// Stores a window and moves the checkpoints. Returns `false` and stores nothing if another follower was faster in
    /// one of its shards.
    pub fn store(&mut self, window: Window) -> bool {
        let Window { ranges, folds } = window;
        if ranges
            .iter()
            .any(|(shard, (before, _))| self.position(*shard) != *before)
        {
            return false;
        }
        for (shard, (_, last)) in ranges {
            self.positions.insert(shard, last);
        }
        for fold in folds {
            fold.merge(&mut self.rows);
        }
        true
    }

    // ------------------------------------------------------------ queries

    pub fn accounts(&self, business: BusinessId) -> Accounts {
        self.rows.balance.get(&business).copied().unwrap_or_default()
    }

    /// The sum of an account's changes by day.
    pub fn sum_of_days(&self, business: BusinessId, account: Account) -> i64 {
        let days = self
            .rows
            .balance_daily
            .iter()
            .filter(|((of, _), _)| *of == business);
        days.map(|(_, accounts)| accounts.get(account).get()).sum()
    }

    /// Every account after the journal's last entry.
    pub fn journal_end(&self, business: BusinessId) -> Accounts {
        let entries = self
            .rows
            .journal
            .range((business, i64::MIN)..=(business, i64::MAX));
        entries
            .last()
            .map_or_else(Accounts::default, |(_, entry)| entry.balances)
    }

    /// The balance after the last line of the statement, and the sum of its lines by day.
    pub fn statement_end(&self, business: BusinessId) -> (i64, i64) {
        let last = self.lines_of(business).next_back().map_or(0, |line| line.balance);
        let by_day = self
            .rows
            .statement_daily
            .iter()
            .filter(|(day, _)| day.business_id == business);
        (last, by_day.map(|(_, sum)| sum.amount).sum())
    }

    /// The net of the open installments of sales, and the net that the receivables schedule still expects.
    pub fn open_installments(&self, business: BusinessId) -> (i64, i64) {
        let schedules = self
            .rows
            .sale
            .values()
            .filter(|sale| sale.row.business_id == business);
        let scheduled = self
            .rows
            .receivables_schedule
            .iter()
            .filter(|((of, ..), _)| *of == business);
        (
            schedules.map(SaleRecord::open_net).sum(),
            scheduled
                .map(|(_, sum)| sum.expected - sum.settled - sum.accelerated)
                .sum(),
        )
    }

    /// The sum of the transfers that are pending or in processing.
    pub fn open_transfers(&self, business: BusinessId) -> i64 {
        let open = self.rows.transfer.values().filter(|transfer| {
            transfer.business_id == business
                && match transfer.status {
                    TransferStatus::Pending | TransferStatus::Processing => true,
                    TransferStatus::Approved | TransferStatus::Refused | TransferStatus::Failed => false,
                }
        });
        open.map(|transfer| transfer.amount.get()).sum()
    }

    /// Compares the volume by day, month and hour with the business's sales and statement lines. Returns the first
    /// difference as text with both totals.
    pub fn volume_difference(&self, business: BusinessId) -> Option<String> {
        let days = self.rows.daily_sales.iter();
        let days: Vec<(&DayKey, &Sum)> = days.filter(|(key, _)| key.business_id == business).collect();
        let hours = self.rows.hourly_sales.iter();
        let hours: Vec<(&HourKey, &Sum)> = hours.filter(|(key, _)| key.business_id == business).collect();
        let months = self.rows.monthly_sales.iter();
        let months: Vec<(&MonthKey, &Sum)> = months.filter(|(key, _)| key.business_id == business).collect();
        let kept = RollUp::hours(hours.iter().map(|(key, _)| *key));
        self.volume_pairs(business, &days, RollUp::Days)
            .into_iter()
            .chain(self.volume_pairs(business, &months, RollUp::Months))
            .chain(self.volume_pairs(business, &hours, kept))
            .find(|(listed, rolled_up)| listed != rolled_up)
            .map(|(listed, rolled_up)| format!("{listed:?} and {rolled_up:?}"))
    }

    /// The totals of the business's sales and of its statement lines, each with the same totals from a roll-up.
    fn volume_pairs<Of: RollUpKey>(
        &self,
        business: BusinessId,
        rows: &[(&Of, &Sum)],
        roll_up: RollUp,
    ) -> [(Totals, Totals); 2] {
        let sales = &self.rows.sale;
        let of_business = sales.values().filter(|sale| sale.row.business_id == business);
        let sale = |sale| sales.get(&sale).map(|sale| &sale.row);
        let pieces = self.rows.reserve_piece.iter();
        let pieces = pieces.filter(|(piece, _)| piece.business_id == business);
        let reserved = listed_volume::reserved(pieces, |sale| sales.get(&sale));
        let rolled_up = |source| listed_volume::from_rows(rows.iter().copied(), source);
        [
            (
                listed_volume::from_sales(of_business, roll_up),
                rolled_up(Source::Sales),
            ),
            (
                listed_volume::from_lines(self.lines_of(business), reserved, sale, roll_up),
                rolled_up(Source::Statement),
            ),
        ]
    }

    /// The sum of the business's holds.
    pub fn held(&self, business: BusinessId) -> i64 {
        let own = self
            .rows
            .hold
            .values()
            .filter(|hold| hold.business_id == business);
        own.map(|hold| hold.amount.get()).sum()
    }

    /// Compares the composition of the business's debits with the amounts of its lines. Returns the first difference.
    pub fn composition_difference(&self, business: BusinessId) -> Option<String> {
        let lines: Vec<_> = self.lines_of(business).collect();
        let first = composition::differences(&lines).into_iter().next()?;
        Some(format!("{}: {} and {}", first.key, first.expected, first.found))
    }

    pub fn sale_status(&self, sale: SaleId) -> Option<SaleStatus> {
        self.rows.sale.get(&sale).map(|record| record.row.status)
    }

    pub fn transfer(&self, transfer: TransferId) -> Option<&Transfer> {
        self.rows.transfer.get(&transfer)
    }

    /// The settlement job's input: each sale's open installments of its oldest open day, if that day is due.
    pub fn due(&self, today: Date) -> Vec<Due> {
        let mut due: BTreeMap<(Date, BusinessId), Vec<(SaleId, u8)>> = BTreeMap::new();
        for (id, record) in &self.rows.sale {
            let Some(next) = record.next_due_date().filter(|next| *next <= today) else {
                continue;
            };
            let parts = record.schedule.iter().zip(1..);
            let parts = parts.filter(|(part, _)| part.settled_by.is_none() && part.due_date == next);
            let of_day = due.entry((next, record.row.business_id)).or_default();
            of_day.extend(parts.map(|(_, number)| (*id, number)));
        }
        due.into_iter()
            .map(|((date, business), parts)| (business, date, parts))
            .collect()
    }

    /// The job's input for the reserve: what is held until today or an earlier day.
    pub fn reserve_due(&self, today: Date) -> Vec<Due> {
        let mut due: BTreeMap<(Date, BusinessId), Vec<(SaleId, u8)>> = BTreeMap::new();
        for (piece, sum) in &self.rows.reserve_piece {
            let number = u8::try_from(piece.number).ok();
            if let Some(number) = number.filter(|_| piece.release_on <= today && sum.left() > 0) {
                let of_day = due.entry((piece.release_on, piece.business_id)).or_default();
                of_day.push((piece.sale_id, number));
            }
        }
        due.into_iter()
            .map(|((date, business), parts)| (business, date, parts))
            .collect()
    }

    /// The first difference between two sets of checkpoints and rows.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.positions != other.positions {
            return Some(format!(
                "checkpoint: {:?} and {:?}",
                self.positions, other.positions
            ));
        }
        self.rows.difference(&other.rows)
    }

    fn lines_of(&self, business: BusinessId) -> impl DoubleEndedIterator<Item = &Line> {
        let lines = &self.rows.statement_line;
        lines
            .range((business, i64::MIN)..=(business, i64::MAX))
            .map(|(_, line)| line)
    }
}
