//! The journal's fold and its rows: one row for each event that has postings, however many accounts it changes.
//!
//! The balances of a window continue from the stored row of `balance`, which is written in the same transaction.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::business::{Account, Accounts, BusinessEvent};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::{BusinessId, Cents, EventId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::Error;
use crate::balance::{self, accounts_at};
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::finding::Columns;
use crate::read_model::{ReadModel, RowsOf};

/// The sums of an event's postings by account, and the balances of all accounts after the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub business_id: BusinessId,
    pub sequence: i64,
    pub event_id: EventId,
    pub event_type: &'static str,
    pub occurred_at: Instant,
    pub recorded_at: Instant,
    pub business_date: Date,
    /// The stored row has null instead of zero.
    pub amounts: Accounts,
    pub balances: Accounts,
}

/// The entries of a window, and each business's balances after them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Entries {
    pub account_balances: BTreeMap<BusinessId, Accounts>,
    pub entries: Vec<Entry>,
}

impl ReadModel for Entries {
    const TABLE: &'static str = "journal";
    type FirstOfGroup = balance::Current;
    type Key = (BusinessId, i64);
    type Row = Entry;

    async fn load(tx: &Transaction<'_>, events: &[DecodedEvent]) -> Result<Self, Error> {
        let mut businesses: Vec<_> = events
            .iter()
            .filter(|recorded| !recorded.event.postings().is_empty())
            .map(|recorded| recorded.business_id)
            .collect();
        businesses.sort_unstable();
        businesses.dedup();
        Ok(Self {
            account_balances: balance::accounts_of(tx, &businesses).await?,
            entries: vec![],
        })
    }

    fn fold(&mut self, recorded: &DecodedEvent, _: &balance::Current) -> Result<(), Poison> {
        let postings = recorded.event.postings();
        if postings.is_empty() {
            return Ok(());
        }
        let account_balances = self.account_balances.entry(recorded.business_id).or_default();
        *account_balances = account_balances.posted(&postings).ok_or(Poison::Overflow)?;
        self.entries.push(Entry {
            business_id: recorded.business_id,
            sequence: recorded.sequence,
            event_id: recorded.event_id,
            event_type: recorded.event.type_name(),
            occurred_at: recorded.occurred_at,
            recorded_at: recorded.recorded_at,
            business_date: recorded.occurred_on,
            amounts: Accounts::default().posted(&postings).ok_or(Poison::Overflow)?,
            balances: *account_balances,
        });
        Ok(())
    }

    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        if self.entries.is_empty() {
            return Ok(());
        }
        let statement = tx
            .prepare_cached(
                "INSERT INTO journal (business_id, sequence, event_id, event_type, occurred_at, recorded_at,
                                      business_date, receivable, available, in_transfer, held_by_staff, in_dispute,
                                      platform_fees, clearing, receivable_balance, available_balance,
                                      in_transfer_balance, held_by_staff_balance, in_dispute_balance,
                                      platform_fees_balance, clearing_balance)
                 SELECT * FROM unnest($1::uuid[], $2::int8[], $3::uuid[], $4::text[], $5::timestamptz[],
                                      $6::timestamptz[], $7::date[], $8::int8[], $9::int8[], $10::int8[], $11::int8[],
                                      $12::int8[], $13::int8[], $14::int8[], $15::int8[], $16::int8[], $17::int8[],
                                      $18::int8[], $19::int8[], $20::int8[], $21::int8[])",
            )
            .await?;
        let amounts = Account::ALL.map(|account| self.column(|entry| posted(entry.amounts.get(account))));
        let balances = Account::ALL.map(|account| self.column(|entry| entry.balances.get(account).get()));
        let [receivable, available, in_transfer, held, disputed, fees, clearing] = &amounts;
        let [
            receivable_after,
            available_after,
            in_transfer_after,
            held_after,
            disputed_after,
            fees_after,
            clearing_after,
        ] = &balances;
        tx.execute(
            &statement,
            &[
                &self.column(|entry| entry.business_id.uuid()),
                &self.column(|entry| entry.sequence),
                &self.column(|entry| entry.event_id.uuid()),
                &self.column(|entry| entry.event_type),
                &self.column(|entry| entry.occurred_at),
                &self.column(|entry| entry.recorded_at),
                &self.column(|entry| entry.business_date),
                receivable,
                available,
                in_transfer,
                held,
                disputed,
                fees,
                clearing,
                receivable_after,
                available_after,
                in_transfer_after,
                held_after,
                disputed_after,
                fees_after,
                clearing_after,
            ],
        )
        .await?;
        Ok(())
    }

    fn into_rows(self) -> RowsOf<Self> {
        let keyed = |entry: Entry| ((entry.business_id, entry.sequence), entry);
        self.entries.into_iter().map(keyed).collect()
    }

    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error> {
        rows_of(client, business).await
    }

    fn row_name((_, sequence): &Self::Key) -> String {
        format!("event {sequence}")
    }

    fn from_memory(stored: &RowsOf<Self>, events: &[DecodedEvent]) -> Self {
        let last = |business| {
            let (_, last) = stored
                .range((business, i64::MIN)..=(business, i64::MAX))
                .next_back()?;
            Some((business, last.balances))
        };
        Self {
            account_balances: events
                .iter()
                .filter_map(|recorded| last(recorded.business_id))
                .collect(),
            entries: vec![],
        }
    }
}

impl Entries {
    fn column<Value>(&self, value: impl Fn(&Entry) -> Value) -> Vec<Value> {
        self.entries.iter().map(value).collect()
    }
}

/// The stored amount of an account. It is null instead of zero, because most amounts are zero and a null takes no room.
fn posted(amount: Cents) -> Option<i64> {
    (amount != Cents::ZERO).then_some(amount.get())
}

async fn rows_of(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Entries>, Error> {
    let rows = client
        .query_typed(
            "SELECT sequence, event_id, event_type, occurred_at, recorded_at, business_date, coalesce(receivable, 0),
                    coalesce(available, 0), coalesce(in_transfer, 0), coalesce(held_by_staff, 0),
                    coalesce(in_dispute, 0), coalesce(platform_fees, 0), coalesce(clearing, 0), receivable_balance,
                    available_balance, in_transfer_balance, held_by_staff_balance, in_dispute_balance,
                    platform_fees_balance, clearing_balance
               FROM journal WHERE business_id = $1",
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    let entry = |row: &Row| {
        let entry = Entry {
            business_id: business,
            sequence: row.get(0),
            event_id: EventId::from_uuid(row.get(1)),
            event_type: event_type(row.get(2))?,
            occurred_at: row.get(3),
            recorded_at: row.get(4),
            business_date: row.get(5),
            amounts: accounts_at(row, 6),
            balances: accounts_at(row, 13),
        };
        Ok(((business, entry.sequence), entry))
    };
    rows.iter().map(entry).collect()
}

fn event_type(word: &str) -> Result<&'static str, Error> {
    BusinessEvent::TYPES
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(name, _)| *name)
        .ok_or_else(|| Error::unreadable("journal.event_type", word))
}

impl Columns for Entry {
    fn columns(&self) -> Vec<(&'static str, String)> {
        let mut columns = vec![
            ("event_id", self.event_id.to_string()),
            ("event_type", self.event_type.to_owned()),
            ("occurred_at", self.occurred_at.to_string()),
            ("recorded_at", self.recorded_at.to_string()),
            ("business_date", self.business_date.to_string()),
        ];
        columns.extend(self.amounts.columns());
        let balances = Account::ALL.map(|account| {
            let name = match account {
                Account::Receivable => "receivable_balance",
                Account::Available => "available_balance",
                Account::InTransfer => "in_transfer_balance",
                Account::HeldByStaff => "held_by_staff_balance",
                Account::InDispute => "in_dispute_balance",
                Account::PlatformFees => "platform_fees_balance",
                Account::Clearing => "clearing_balance",
            };
            (name, self.balances.get(account).get().to_string())
        });
        columns.extend(balances);
        columns
    }
}

#[cfg(test)]
mod tests {
    use ledger_domain::SaleId;
    use ledger_domain::business::{AmountHeld, AmountReleased, SaleVoided};
    use ledger_domain::sale::Initiator;
    use ledger_store::Shard;

    use super::*;

    fn noon() -> Instant {
        Instant::from_timestamp(1_795_000_000, 0).expect("an instant")
    }

    fn recorded(sequence: i64, event: BusinessEvent) -> DecodedEvent {
        DecodedEvent {
            shard: Shard::new(3).expect("a shard"),
            position: sequence,
            sequence,
            business_id: BusinessId::from_uuid(uuid::Uuid::from_u128(1)),
            event_id: EventId::from_uuid(uuid::Uuid::from_u128(9)),
            recorded_at: noon(),
            occurred_at: noon(),
            occurred_on: ledger_domain::calendar::business_date(noon()),
            actor: None,
            event: event.into(),
        }
    }

    fn held(cents: i64) -> BusinessEvent {
        BusinessEvent::from(AmountHeld {
            occurred_at: noon(),
            amount: Cents::new(cents),
            reason: "em análise".to_owned(),
        })
    }

    #[test]
    fn balances_continue_from_the_stored_ones_and_change_by_postings_only() {
        let before = Accounts {
            available: Cents::new(500_00),
            clearing: Cents::new(-500_00),
            ..Accounts::default()
        };
        let first = recorded(7, held(40_00));
        let mut entries = Entries {
            account_balances: BTreeMap::from([(first.business_id, before)]),
            entries: vec![],
        };
        entries
            .fold(&first, &balance::Current::default())
            .expect("it folds");
        let released = BusinessEvent::from(AmountReleased {
            occurred_at: noon(),
            amount: Cents::new(15_00),
            reason: "análise concluída".to_owned(),
            sales: vec![],
        });
        entries
            .fold(&recorded(8, released), &balance::Current::default())
            .expect("it folds");
        let of = |entry: &Entry, account| {
            (
                posted(entry.amounts.get(account)),
                entry.balances.get(account).get(),
            )
        };
        let [hold, release] = entries.entries.as_slice() else {
            panic!("two entries: {entries:?}");
        };
        assert_eq!((hold.event_type, hold.sequence), ("AmountHeld", 7));
        assert_eq!(of(hold, Account::Available), (Some(-40_00), 460_00));
        assert_eq!(of(hold, Account::HeldByStaff), (Some(40_00), 40_00));
        assert_eq!(of(hold, Account::Clearing), (None, -500_00));
        assert_eq!(of(release, Account::Available), (Some(15_00), 475_00));
        assert_eq!(of(release, Account::HeldByStaff), (Some(-15_00), 25_00));
    }

    #[test]
    fn an_event_without_postings_has_no_entry() {
        let voided = BusinessEvent::from(SaleVoided {
            occurred_at: noon(),
            sale_id: SaleId::from_uuid(uuid::Uuid::from_u128(2)),
            initiator: Initiator::Platform,
            reason: None,
        });
        let mut entries = Entries::default();
        entries
            .fold(&recorded(1, voided), &balance::Current::default())
            .expect("it folds");
        entries
            .fold(&recorded(2, held(0)), &balance::Current::default())
            .expect("it folds");
        assert_eq!(entries, Entries::default());
    }

    #[test]
    fn an_event_that_raises_a_balance_beyond_64_bits_is_poison() {
        let first = recorded(1, held(1));
        let full = Accounts {
            held_by_staff: Cents::new(i64::MAX),
            ..Accounts::default()
        };
        let mut entries = Entries {
            account_balances: BTreeMap::from([(first.business_id, full)]),
            entries: vec![],
        };
        assert_eq!(
            entries.fold(&first, &balance::Current::default()),
            Err(Poison::Overflow)
        );
    }
}
