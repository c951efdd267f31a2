//! The accountant's month: the sums of a company's month, from read models that are computed apart from each other.

mod month;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use deadpool_postgres::{Client, Transaction};
use ledger_domain::BusinessId;
use ledger_domain::business::{Account, Accounts};
use ledger_domain::calendar::{Date, business_date};
use ledger_store::Shard;
use ledger_store::audit::checkpoint::{self, CheckpointError};
use ledger_store::layout::search_path;
use projections::balance::closing::{OpenReceivables, PostingSum, open_receivables, postings_by_event};
use projections::balance::{PlatformFeeSum, accounts_before, platform_fees_by_day};
use projections::daily_sales::{FigureFilter, Figures, Within, figures_by_slot};
use razao_verify::note::Checkpoint;
use thiserror::Error;
use tokio_postgres::{GenericClient, IsolationLevel};

pub use month::Month;

use crate::companies::{NamedCompany, companies_by_id};
use crate::error::DatabaseCause;

#[derive(Debug, Error)]
pub enum ClosingError {
    #[error("the database failed: {}", DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error("the read models could not be read: {0}")]
    ReadModels(#[from] projections::Error),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the company is unknown")]
    CompanyUnknown,
    #[error("O mês ainda não terminou.")]
    NotEnded,
    #[error("the sums of a month do not fit into 64 bits")]
    TooLarge,
}

pub type Result<T, E = ClosingError> = std::result::Result<T, E>;

/// All of a closing that is not a list of sales, of movements or of withdrawals.
#[derive(Debug)]
pub struct Closing {
    pub company: NamedCompany,
    pub month: Month,
    /// By the business clock.
    pub made_at: DateTime<Utc>,
    /// The accounts at the end of the day before the month. Events count when they happened, not when recorded.
    pub opening_accounts: Accounts,
    /// The accounts at the end of the month's last day.
    pub closing_accounts: Accounts,
    pub postings: Vec<PostingSum>,
    /// The days with figures or fees, oldest first.
    pub days: Vec<(Date, Figures, PlatformFeeSum)>,
    pub open: Vec<OpenReceivables>,
    /// The last checkpoint of the log that covers the company's events, from the same snapshot.
    pub checkpoint: Option<Checkpoint>,
}

async fn last_checkpoint(client: &impl GenericClient, business: BusinessId) -> Result<Option<Checkpoint>> {
    let note = checkpoint::latest(client, Shard::of(business)).await?;
    Ok(note.map(|note| note.checkpoint))
}

impl Closing {
    /// The client must have one snapshot for all queries, such as that of `begin_snapshot`.
    pub async fn read(
        client: &impl GenericClient,
        business: BusinessId,
        month: Month,
        made_at: DateTime<Utc>,
    ) -> Result<Self> {
        let company = companies_by_id(client, &[business]).await?.remove(&business);
        let filter = FigureFilter {
            businesses: Some(vec![business]),
            ..FigureFilter::default()
        };
        let figures = figures_by_slot(client, &filter, Within::Days(month.dates())).await?;
        let fees = platform_fees_by_day(client, Some(&[business]), month.dates()).await?;
        let mut days: BTreeMap<Date, (Figures, PlatformFeeSum)> = BTreeMap::new();
        for (day, sums) in figures {
            days.entry(business_date(day)).or_default().0 = sums;
        }
        for (day, sums) in fees {
            days.entry(business_date(day)).or_default().1 = sums;
        }
        let (_, until) = month.instants();
        Ok(Self {
            company: company.ok_or(ClosingError::CompanyUnknown)?,
            month,
            made_at,
            opening_accounts: accounts_before(client, business, month.first()).await?,
            closing_accounts: accounts_before(client, business, month.next()).await?,
            postings: postings_by_event(client, business, month.instants()).await?,
            days: days
                .into_iter()
                .map(|(date, (figures, fees))| (date, figures, fees))
                .collect(),
            open: open_receivables(client, business, until).await?,
            checkpoint: last_checkpoint(client, business).await?,
        })
    }

    pub fn figures(&self) -> Result<Figures> {
        let mut days = self.days.iter();
        let sum = days.try_fold(Figures::default(), |sum, (_, figures, _)| sum.plus(*figures));
        sum.ok_or(ClosingError::TooLarge)
    }

    pub fn platform_fees(&self) -> Result<PlatformFeeSum> {
        let mut days = self.days.iter();
        let sum = days.try_fold(PlatformFeeSum::default(), |sum, (_, _, fees)| sum.plus(*fees));
        sum.ok_or(ClosingError::TooLarge)
    }

    /// The credits and debits of an account in the month. Debits are zero or negative.
    pub fn credits_and_debits(&self, account: Account) -> (i64, i64) {
        let of_account = self.postings.iter().filter(|sum| sum.account == account);
        of_account.fold((0, 0), |(credits, debits), sum| {
            (credits + sum.credits.get(), debits + sum.debits.get())
        })
    }

    /// The sum that events of one type posted to an account in the month.
    pub fn posted(&self, account: Account, event_type: &str) -> i64 {
        let mut sums = self.postings.iter();
        let found = sums.find(|sum| sum.account == account && sum.event_type == event_type);
        found.map_or(0, |sum| sum.credits.get() + sum.debits.get())
    }

    pub fn open_net(&self) -> i64 {
        self.open.iter().map(|unit| unit.net.get()).sum()
    }

    /// Whether each account's opening balance and postings add up to its closing balance, and the open receivables to
    /// the closing balance of the account receivable.
    pub fn is_balanced(&self) -> bool {
        let adds_up = |account: &Account| {
            let (credits, debits) = self.credits_and_debits(*account);
            let opening = balance_of(&self.opening_accounts, *account);
            opening + credits + debits == balance_of(&self.closing_accounts, *account)
        };
        let receivable = balance_of(&self.closing_accounts, Account::Receivable);
        Account::ALL.iter().all(adds_up) && self.open_net() == receivable
    }
}

/// Refuses a month that has not ended. It has no closing yet.
pub fn check_ended(month: Month, today: Date) -> Result<()> {
    if month.next() <= today {
        return Ok(());
    }
    Err(ClosingError::NotEnded)
}

/// Begins a transaction whose queries all see the same rows of the company. Otherwise an event that a read model takes up
/// between two queries would be in one sum and not in another.
pub async fn begin_snapshot(client: &mut Client, business: BusinessId) -> Result<Transaction<'_>> {
    let snapshot = client
        .build_transaction()
        .isolation_level(IsolationLevel::RepeatableRead)
        .read_only(true)
        .start()
        .await?;
    let path = search_path(Shard::of(business));
    snapshot
        .batch_execute(&format!("SET LOCAL search_path = {path}"))
        .await?;
    Ok(snapshot)
}

/// An amount of an account, in cents.
pub const fn balance_of(accounts: &Accounts, account: Account) -> i64 {
    accounts.get(account).get()
}
