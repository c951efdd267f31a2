//! The read models of the balances, current and by business date: their folds and their rows.
//!
//! Rows are sums of postings. So a fold starts at zero without reading the stored rows, and `write` adds to them.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::business::{Account, Accounts};
use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::Error;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::finding::Columns;
use crate::read_model::{ReadModel, RowsOf};

/// The amounts that the folded events add to the current balance of each business.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Current(BTreeMap<BusinessId, Accounts>);

impl ReadModel for Current {
    const TABLE: &'static str = "balance";
    type FirstOfGroup = ();
    type Key = BusinessId;
    type Row = Accounts;

    fn fold(&mut self, recorded: &DecodedEvent, (): &()) -> Result<(), Poison> {
        let postings = recorded.event.postings();
        if postings.is_empty() {
            return Ok(());
        }
        let balance = self.0.entry(recorded.business_id).or_default();
        *balance = balance.posted(&postings).ok_or(Poison::Overflow)?;
        Ok(())
    }

    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        write_current(tx, &self.0).await
    }

    fn into_rows(self) -> RowsOf<Self> {
        self.0
    }

    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error> {
        let rows = client
            .query_typed(
                "SELECT receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees, clearing
                   FROM balance WHERE business_id = $1",
                &[(&business.uuid(), Type::UUID)],
            )
            .await?;
        Ok(rows.iter().map(|row| (business, accounts_at(row, 0))).collect())
    }

    /// A business has one row, so the name needs no key.
    fn row_name(_: &BusinessId) -> String {
        "now".to_owned()
    }

    fn merge(stored: &mut Accounts, row: Accounts) {
        merge(stored, row);
    }
}

/// The amounts that the folded events add to the row of each business date. A row is the sum of that date's postings,
/// not a balance.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct BalanceDays(BTreeMap<(BusinessId, Date), Accounts>);

impl ReadModel for BalanceDays {
    const TABLE: &'static str = "balance_daily";
    type FirstOfGroup = Current;
    type Key = (BusinessId, Date);
    type Row = Accounts;

    fn fold(&mut self, recorded: &DecodedEvent, _: &Current) -> Result<(), Poison> {
        let postings = recorded.event.postings();
        if postings.is_empty() {
            return Ok(());
        }
        let day = self
            .0
            .entry((recorded.business_id, recorded.occurred_on))
            .or_default();
        *day = day.posted(&postings).ok_or(Poison::Overflow)?;
        Ok(())
    }

    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        write_daily(tx, &self.0).await
    }

    fn into_rows(self) -> RowsOf<Self> {
        self.0
    }

    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error> {
        let rows = client
            .query_typed(
                "SELECT business_date, receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees,
                        clearing
                   FROM balance_daily WHERE business_id = $1",
                &[(&business.uuid(), Type::UUID)],
            )
            .await?;
        Ok(rows
            .iter()
            .map(|row| ((business, row.get(0)), accounts_at(row, 1)))
            .collect())
    }

    fn row_name((_, date): &Self::Key) -> String {
        date.to_string()
    }

    fn merge(stored: &mut Accounts, row: Accounts) {
        merge(stored, row);
    }
}

/// Adds to a row in memory, as `write` adds to a stored one. Only simulations do this.
fn merge(stored: &mut Accounts, row: Accounts) {
    *stored = plus(*stored, row).expect("the sums of a simulation fit into 64 bits");
}

async fn write_current(
    tx: &Transaction<'_>,
    balances: &BTreeMap<BusinessId, Accounts>,
) -> Result<(), tokio_postgres::Error> {
    if balances.is_empty() {
        return Ok(());
    }
    let statement = tx
        .prepare_cached(
            "INSERT INTO balance (business_id, receivable, available, in_transfer, held_by_staff, in_dispute,
                                  platform_fees, clearing)
             SELECT * FROM unnest($1::uuid[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[],
                                  $8::int8[])
             ON CONFLICT (business_id) DO UPDATE
                SET receivable = balance.receivable + excluded.receivable,
                    available = balance.available + excluded.available,
                    in_transfer = balance.in_transfer + excluded.in_transfer,
                    held_by_staff = balance.held_by_staff + excluded.held_by_staff,
                    in_dispute = balance.in_dispute + excluded.in_dispute,
                    platform_fees = balance.platform_fees + excluded.platform_fees,
                    clearing = balance.clearing + excluded.clearing",
        )
        .await?;
    let businesses: Vec<_> = balances.keys().map(|business| business.uuid()).collect();
    let [receivable, available, in_transfer, held, disputed, fees, clearing] =
        amounts_by_account(balances.values());
    tx.execute(
        &statement,
        &[
            &businesses,
            &receivable,
            &available,
            &in_transfer,
            &held,
            &disputed,
            &fees,
            &clearing,
        ],
    )
    .await?;
    Ok(())
}

async fn write_daily(
    tx: &Transaction<'_>,
    daily: &BTreeMap<(BusinessId, Date), Accounts>,
) -> Result<(), tokio_postgres::Error> {
    if daily.is_empty() {
        return Ok(());
    }
    let statement = tx
        .prepare_cached(
            "INSERT INTO balance_daily (business_id, business_date, receivable, available, in_transfer, held_by_staff,
                                        in_dispute, platform_fees, clearing)
             SELECT * FROM unnest($1::uuid[], $2::date[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[],
                                  $8::int8[], $9::int8[])
             ON CONFLICT (business_id, business_date) DO UPDATE
                SET receivable = balance_daily.receivable + excluded.receivable,
                    available = balance_daily.available + excluded.available,
                    in_transfer = balance_daily.in_transfer + excluded.in_transfer,
                    held_by_staff = balance_daily.held_by_staff + excluded.held_by_staff,
                    in_dispute = balance_daily.in_dispute + excluded.in_dispute,
                    platform_fees = balance_daily.platform_fees + excluded.platform_fees,
                    clearing = balance_daily.clearing + excluded.clearing",
        )
        .await?;
    let (businesses, dates): (Vec<_>, Vec<_>) = daily
        .keys()
        .map(|(business, date)| (business.uuid(), *date))
        .unzip();
    let [receivable, available, in_transfer, held, disputed, fees, clearing] =
        amounts_by_account(daily.values());
    tx.execute(
        &statement,
        &[
            &businesses,
            &dates,
            &receivable,
            &available,
            &in_transfer,
            &held,
            &disputed,
            &fees,
            &clearing,
        ],
    )
    .await?;
    Ok(())
}

/// One array for each account, in the order of `Account::ALL`.
fn amounts_by_account<'a>(rows: impl Iterator<Item = &'a Accounts> + Clone) -> [Vec<i64>; 7] {
    Account::ALL.map(|account| rows.clone().map(|accounts| accounts.get(account).get()).collect())
}

/// The seven accounts of a row, from its column `first` on.
pub(crate) fn accounts_at(row: &Row, first: usize) -> Accounts {
    let cents = |index: usize| Cents::new(row.get(first + index));
    Accounts {
        receivable: cents(0),
        available: cents(1),
        in_transfer: cents(2),
        held_by_staff: cents(3),
        in_dispute: cents(4),
        platform_fees: cents(5),
        clearing: cents(6),
    }
}

/// The stored current accounts of each of these businesses. The fold of the journal continues from them.
pub(crate) async fn accounts_of(
    tx: &Transaction<'_>,
    businesses: &[BusinessId],
) -> Result<BTreeMap<BusinessId, Accounts>, tokio_postgres::Error> {
    if businesses.is_empty() {
        return Ok(BTreeMap::new());
    }
    let statement = tx
        .prepare_cached(
            "SELECT business_id, receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees, clearing
               FROM balance WHERE business_id = ANY ($1)",
        )
        .await?;
    let businesses: Vec<_> = businesses.iter().map(|business| business.uuid()).collect();
    let rows = tx.query(&statement, &[&businesses]).await?;
    let row_accounts = |row: &Row| (BusinessId::from_uuid(row.get(0)), accounts_at(row, 1));
    Ok(rows.iter().map(row_accounts).collect())
}

impl Columns for Accounts {
    fn columns(&self) -> Vec<(&'static str, String)> {
        Account::ALL
            .into_iter()
            .map(|account| (account.as_str(), self.get(account).get().to_string()))
            .collect()
    }
}

pub(crate) fn plus(left: Accounts, right: Accounts) -> Option<Accounts> {
    Some(Accounts {
        receivable: left.receivable.checked_add(right.receivable)?,
        available: left.available.checked_add(right.available)?,
        in_transfer: left.in_transfer.checked_add(right.in_transfer)?,
        held_by_staff: left.held_by_staff.checked_add(right.held_by_staff)?,
        in_dispute: left.in_dispute.checked_add(right.in_dispute)?,
        platform_fees: left.platform_fees.checked_add(right.platform_fees)?,
        clearing: left.clearing.checked_add(right.clearing)?,
    })
}

pub(crate) fn minus(left: Accounts, right: Accounts) -> Option<Accounts> {
    Some(Accounts {
        receivable: left.receivable.checked_sub(right.receivable)?,
        available: left.available.checked_sub(right.available)?,
        in_transfer: left.in_transfer.checked_sub(right.in_transfer)?,
        held_by_staff: left.held_by_staff.checked_sub(right.held_by_staff)?,
        in_dispute: left.in_dispute.checked_sub(right.in_dispute)?,
        platform_fees: left.platform_fees.checked_sub(right.platform_fees)?,
        clearing: left.clearing.checked_sub(right.clearing)?,
    })
}
