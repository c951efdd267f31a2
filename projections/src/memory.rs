//! The rows of the read models in memory, with the follower's contract: what a window of the log adds to them, and the
//! checkpoint behind it, stand together or not at all.
//!
//! For simulations and tests. The folds are those of the follower, the rebuild and the audit; only what PostgreSQL does
//! for them, reading the rows that a window needs and storing what it made of them, is modelled here.

use std::collections::BTreeMap;
use std::fmt::Debug;

use ledger_domain::business::{Account, Accounts};
use ledger_domain::calendar::Date;
use ledger_domain::sale::SaleStatus;
use ledger_domain::transfer::TransferStatus;
use ledger_domain::{BusinessId, SaleId, TransferId};
use ledger_store::{Shard, StoredEvent};

use crate::error::Poison;
use crate::recorded::Recorded;
use crate::sale::{Book, SaleRecord};
use crate::statement::{Line, Lines, SumKey, Tail};
use crate::transfer::Transfer;
use crate::{agenda, balance, daily, journal, statement, transfer};

#[derive(Debug, Default)]
pub struct Rows {
    positions: BTreeMap<Shard, i64>,
    balance: balance::Sums,
    journal: BTreeMap<(BusinessId, i64), journal::Entry>,
    sales: BTreeMap<SaleId, SaleRecord>,
    agenda: agenda::Sums,
    daily: daily::Sums,
    lines: BTreeMap<(BusinessId, i64), Line>,
    statement_daily: BTreeMap<SumKey, statement::Sum>,
    transfers: BTreeMap<TransferId, Transfer>,
}

/// What falls due of a business on one day: sales and the numbers of their instalments.
pub type Due = (BusinessId, Date, Vec<(SaleId, u8)>);

/// A window's folds on the rows as they stood, before anything is stored.
#[derive(Debug)]
pub struct Window {
    shard: Shard,
    after: i64,
    last: i64,
    balance: balance::Sums,
    journal: journal::Entries,
    sales: Book,
    statement: Lines,
    transfers: transfer::Book,
}

impl Rows {
    /// The checkpoint: how far the shard was folded.
    pub fn position(&self, shard: Shard) -> i64 {
        self.positions.get(&shard).copied().unwrap_or(0)
    }

    /// Folds events of one shard that follow its checkpoint.
    ///
    /// # Errors
    /// Names the event that a fold can't take.
    pub fn fold(&self, shard: Shard, events: &[StoredEvent]) -> Result<Window, String> {
        let poisoned = |position: i64, poison: Poison| format!("{shard}:{position}: {poison}");
        let decoded = |stored: &StoredEvent| {
            Recorded::decode(stored).map_err(|poison| poisoned(stored.position, poison))
        };
        let events: Vec<_> = events.iter().map(decoded).collect::<Result<_, _>>()?;
        let mut window = self.open(shard, &events);
        for recorded in &events {
            window
                .take(recorded)
                .map_err(|poison| poisoned(recorded.position, poison))?;
        }
        Ok(window)
    }

    /// The rows that these events need, as the follower loads them.
    fn open(&self, shard: Shard, events: &[Recorded]) -> Window {
        let sales = events.iter().flat_map(|recorded| recorded.event.sale_ids());
        let transfers = events.iter().flat_map(|recorded| recorded.event.transfer_ids());
        let tails = events.iter().filter_map(|recorded| {
            let (_, last) = self.lines_of(recorded.business_id).next_back()?;
            let tail = Tail {
                number: last.number,
                balance: last.balance,
            };
            Some((recorded.business_id, tail))
        });
        let standing = events
            .iter()
            .map(|recorded| (recorded.business_id, self.accounts(recorded.business_id)));
        Window {
            shard,
            after: self.position(shard),
            last: events.last().map_or(0, |last| last.position),
            balance: balance::Sums::default(),
            journal: journal::Entries {
                standing: standing.collect(),
                entries: vec![],
            },
            sales: Book::of(
                sales
                    .filter_map(|id| self.sales.get(&id).cloned())
                    .collect::<Vec<_>>(),
            ),
            statement: Lines::after(tails.collect()),
            transfers: transfer::Book(
                transfers
                    .filter_map(|id| Some((id, self.transfers.get(&id)?.clone())))
                    .collect(),
            ),
        }
    }

    /// Stores a window and moves the checkpoint. `false`, and nothing is stored, where another follower was faster.
    pub fn store(&mut self, window: Window) -> bool {
        let Window {
            shard,
            after,
            last,
            balance,
            journal,
            sales,
            statement,
            transfers,
        } = window;
        if self.position(shard) != after {
            return false;
        }
        self.positions.insert(shard, last.max(after));
        self.store_balance(balance);
        for entry in journal.entries {
            self.journal.insert((entry.business_id, entry.sequence), entry);
        }
        self.store_sales(sales);
        for line in statement.lines {
            self.lines.insert((line.business_id, line.number), line);
        }
        add(&mut self.statement_daily, statement.sums, |row, sum| {
            row.amount += sum.amount;
            row.lines += sum.lines;
        });
        self.transfers.extend(transfers.0);
        true
    }

    fn store_balance(&mut self, window: balance::Sums) {
        let plus = |row: &mut Accounts, sum| {
            *row = balance::plus(*row, sum).expect("sums of 64 bits, which a column holds too");
        };
        add(&mut self.balance.now, window.now, plus);
        add(&mut self.balance.daily, window.daily, plus);
    }

    /// The list's row and the schedule are two rows, and each is stored only where the window changed it.
    fn store_sales(&mut self, window: Book) {
        for (id, entry) in window.sales {
            match self.sales.get_mut(&id) {
                None => {
                    self.sales.insert(id, entry.record);
                }
                Some(stored) => {
                    if entry.row_changed {
                        stored.row = entry.record.row;
                    }
                    if entry.schedule_changed {
                        stored.schedule = entry.record.schedule;
                        stored.brought_forward_by = entry.record.brought_forward_by;
                    }
                }
            }
        }
        add(&mut self.agenda.0, window.agenda.0, |row, sum| {
            row.expected += sum.expected;
            row.settled += sum.settled;
            row.brought_forward += sum.brought_forward;
            row.instalments += sum.instalments;
            row.settled_count += sum.settled_count;
            row.brought_forward_count += sum.brought_forward_count;
            row.captured_on.extend(sum.captured_on);
        });
        add(&mut self.daily.0, window.daily.0, |row, sum| {
            row.sales += sum.sales;
            row.gross += sum.gross;
            row.percentage_fee += sum.percentage_fee;
            row.flat_fee += sum.flat_fee;
            row.percentage_rate += sum.percentage_rate;
            row.flat_rate += sum.flat_rate;
            row.net += sum.net;
            row.cancels += sum.cancels;
            row.canceled_gross += sum.canceled_gross;
            row.canceled_net += sum.canceled_net;
            row.disputes += sum.disputes;
            row.disputed += sum.disputed;
            row.disputes_won += sum.disputes_won;
            row.won += sum.won;
            row.chargebacks += sum.chargebacks;
            row.charged_back += sum.charged_back;
        });
    }

    // ------------------------------------------------------------ what the rows say

    pub fn accounts(&self, business: BusinessId) -> Accounts {
        self.balance.now.get(&business).copied().unwrap_or_default()
    }

    /// The sum of the days of one account.
    pub fn sum_of_days(&self, business: BusinessId, account: Account) -> i64 {
        let days = self.balance.daily.iter().filter(|((of, _), _)| *of == business);
        days.map(|(_, accounts)| accounts.get(account).get()).sum()
    }

    /// Every account after the journal's last entry.
    pub fn journal_end(&self, business: BusinessId) -> Accounts {
        let entries = self.journal.range((business, i64::MIN)..=(business, i64::MAX));
        entries
            .last()
            .map_or_else(Accounts::default, |(_, entry)| entry.balances)
    }

    /// The balance after the last line of the statement, and the sum of its lines by day.
    pub fn statement_end(&self, business: BusinessId) -> (i64, i64) {
        let last = self
            .lines_of(business)
            .next_back()
            .map_or(0, |(_, line)| line.balance);
        let by_day = self
            .statement_daily
            .iter()
            .filter(|((of, ..), _)| *of == business);
        (last, by_day.map(|(_, sum)| sum.amount).sum())
    }

    /// The instalments that sales are still to receive, and what the agenda still expects.
    pub fn open_instalments(&self, business: BusinessId) -> (i64, i64) {
        let schedules = self
            .sales
            .values()
            .filter(|sale| sale.row.business_id == business);
        let open = schedules
            .flat_map(|sale| &sale.schedule)
            .filter(|part| part.settled_by.is_none());
        let agenda = self.agenda.0.iter().filter(|((of, ..), _)| *of == business);
        (
            open.map(|part| part.net.get()).sum(),
            agenda
                .map(|(_, sum)| sum.expected - sum.settled - sum.brought_forward)
                .sum(),
        )
    }

    /// The amounts of the transfers that are neither with the seller nor gone.
    pub fn open_transfers(&self, business: BusinessId) -> i64 {
        let open = self.transfers.values().filter(|transfer| {
            transfer.business_id == business
                && match transfer.status {
                    TransferStatus::Pending | TransferStatus::Processing => true,
                    TransferStatus::Approved | TransferStatus::Refused | TransferStatus::Failed => false,
                }
        });
        open.map(|transfer| transfer.amount.get()).sum()
    }

    /// How many sales were captured and their gross, by the roll-up and by the sales themselves.
    pub fn captured(&self, business: BusinessId) -> [(i64, i64); 2] {
        let days = self.daily.0.iter().filter(|(key, _)| key.business_id == business);
        let rolled_up = days.fold((0, 0), |(sales, gross), (_, sum)| {
            (sales + sum.sales, gross + sum.gross)
        });
        let captured = self.sales.values().map(|sale| &sale.row);
        let captured = captured.filter(|row| row.business_id == business && row.captured_at.is_some());
        let summed = captured.fold((0, 0), |(sales, gross), row| {
            (sales + 1, gross + row.amount.get())
        });
        [rolled_up, summed]
    }

    pub fn sale_status(&self, sale: SaleId) -> Option<SaleStatus> {
        self.sales.get(&sale).map(|record| record.row.status)
    }

    pub fn transfer(&self, transfer: TransferId) -> Option<&Transfer> {
        self.transfers.get(&transfer)
    }

    /// What the settlement job is told: each sale's open instalments of its oldest open day, where that has come.
    pub fn due(&self, today: Date) -> Vec<Due> {
        let mut due: BTreeMap<(Date, BusinessId), Vec<(SaleId, u8)>> = BTreeMap::new();
        for (id, record) in &self.sales {
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

    /// The first row in which two sets of rows differ.
    pub fn difference(&self, other: &Self) -> Option<String> {
        differ("checkpoint", &self.positions, &other.positions)
            .or_else(|| differ("balance", &self.balance.now, &other.balance.now))
            .or_else(|| differ("balance_daily", &self.balance.daily, &other.balance.daily))
            .or_else(|| differ("journal", &self.journal, &other.journal))
            .or_else(|| differ("sale", &self.sales, &other.sales))
            .or_else(|| differ("agenda", &self.agenda.0, &other.agenda.0))
            .or_else(|| differ("daily_sales", &self.daily.0, &other.daily.0))
            .or_else(|| differ("statement_line", &self.lines, &other.lines))
            .or_else(|| differ("statement_daily", &self.statement_daily, &other.statement_daily))
            .or_else(|| differ("transfer", &self.transfers, &other.transfers))
    }

    fn lines_of(&self, business: BusinessId) -> impl DoubleEndedIterator<Item = (&(BusinessId, i64), &Line)> {
        self.lines.range((business, i64::MIN)..=(business, i64::MAX))
    }
}

impl Window {
    fn take(&mut self, recorded: &Recorded) -> Result<(), Poison> {
        self.balance.fold(recorded)?;
        self.journal.fold(recorded)?;
        self.sales.fold(recorded)?;
        self.statement.fold(recorded)?;
        self.transfers.fold(recorded)
    }
}

/// An upsert that adds.
fn add<Key: Ord, Sum: Default>(
    rows: &mut BTreeMap<Key, Sum>,
    window: BTreeMap<Key, Sum>,
    plus: impl Fn(&mut Sum, Sum),
) {
    for (key, sum) in window {
        plus(rows.entry(key).or_default(), sum);
    }
}

fn differ<Key: Ord + Debug, Row: PartialEq + Debug>(
    table: &str,
    left: &BTreeMap<Key, Row>,
    right: &BTreeMap<Key, Row>,
) -> Option<String> {
    let keys = left.keys().chain(right.keys());
    let key = keys.filter(|key| left.get(key) != right.get(key)).min()?;
    Some(format!(
        "{table} {key:?}: {:?} and {:?}",
        left.get(key),
        right.get(key)
    ))
}
