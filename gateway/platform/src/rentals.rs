//! The rental job: on the first day of each month it charges companies a month's rental of each terminal that they
//! rent.
//!
//! The job only submits commands. The tables of terminals have the renters. The ledger knows each rental by an id that
//! is derived from terminal and month. So any number of processes can run the job, and it can be repeated from any
//! point. Each charges the companies whose shards it owns.

use std::time::Duration;

use chrono::{Datelike, Months};
use deadpool_postgres::Pool;
use futures::{StreamExt, stream};
use gateway_environment::clock::BusinessClock;
use ledger_domain::business::{BusinessCommand, ChargeTerminalRental};
use ledger_domain::calendar::{Date, Instant, business_date, start_of};
use ledger_domain::{Cents, TerminalId, TransferId};
use ledger_store::log::{self, StateTable};
use ledger_store::{Actor, Job, LedgerPosition, Metadata, Outcome, Submission, Writer};
use thiserror::Error;
use uuid::Uuid;

use crate::reach::Reach;
use crate::settings::records::settings_lock_for_decision;
use crate::settings::{PlatformSettings, platform_settings_at};
use crate::terminals::{OwedRental, charged_month_add, months_charged, rentals_owed, rented_since};

/// Much less than the 256 commands of a batch, so that live commands do not wait behind a whole month's rentals.
const IN_FLIGHT: usize = 8;
/// How long after the start of a month its renters are final. A record takes effect at the start of its transaction,
/// and a request takes no longer than this by default (`RAZAO_HTTP_REQUEST_MS`).
const RENTERS_FINAL_AFTER: Duration = Duration::from_secs(60);

#[derive(Debug, Error)]
pub enum RentalError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
}

#[derive(Clone)]
pub struct Rentals {
    pub pool: Pool,
    pub writer: Writer,
    pub clock: BusinessClock,
    pub reach: Reach,
    /// The settings of an installation whose staff have set none.
    pub defaults: PlatformSettings,
}

/// The rentals that a run has charged.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RentalCounts {
    pub rentals: usize,
    /// The number of rentals that the ledger could not record. The program's log has the details.
    pub failed: usize,
    pub reached: LedgerPosition,
}

impl Rentals {
    /// Charges every month that has begun and is not fully charged, the oldest first.
    pub async fn run(&self) -> Result<RentalCounts, RentalError> {
        let mut charged = RentalCounts::default();
        if self.reach.is_empty(&self.writer) || self.clock.stops("rentals") {
            return Ok(charged);
        }
        for due_date in self.months_due().await? {
            let begins = start_of(due_date);
            let owed = self.missing(due_date).await?;
            if !owed.is_empty() {
                let usual_price = self.usual_price(begins).await?;
                self.charge(due_date, owed, usual_price, &mut charged).await;
            } else if self.clock.now() >= begins + RENTERS_FINAL_AFTER {
                charged_month_add(&**self.pool.get().await?, due_date).await?;
            }
        }
        Ok(charged)
    }

    /// The owed rentals that the ledger does not have, of all shards.
    async fn missing(&self, due_date: Date) -> Result<Vec<OwedRental>, RentalError> {
        let client = self.pool.get().await?;
        let owed = rentals_owed(&**client, start_of(due_date)).await?;
        let id = |owed: &OwedRental| rental_of(owed.terminal.id, due_date).uuid();
        let ids: Vec<_> = owed.iter().map(id).collect();
        let known = log::businesses_of(&**client, StateTable::Transfer, &ids).await?;
        Ok(owed
            .into_iter()
            .filter(|owed| !known.contains_key(&id(owed)))
            .collect())
    }

    /// The price of terminals without a price of their own. A transaction that changes the price may have begun before
    /// the month and may not be committed yet. The job waits for it, so that the month has one usual price.
    async fn usual_price(&self, begins: Instant) -> Result<Cents, RentalError> {
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        settings_lock_for_decision(&*transaction).await?;
        let settings = platform_settings_at(&*transaction, self.defaults, begins).await?;
        transaction.commit().await?;
        Ok(settings.terminal_rental)
    }

    /// The first days of the months to charge, the oldest first.
    async fn months_due(&self) -> Result<Vec<Date>, RentalError> {
        let client = self.pool.get().await?;
        let Some(since) = rented_since(&**client).await? else {
            return Ok(vec![]);
        };
        let begun: Vec<_> = first_days(business_date(since), self.clock.today())
            .filter(|day| start_of(*day) >= since)
            .collect();
        let Some(oldest) = begun.first() else {
            return Ok(vec![]);
        };
        let charged = months_charged(&**client, *oldest).await?;
        Ok(begun.into_iter().filter(|day| !charged.contains(day)).collect())
    }

    async fn charge(
        &self,
        due_date: Date,
        owed: Vec<OwedRental>,
        usual_price: Cents,
        charged: &mut RentalCounts,
    ) {
        let own = owed
            .into_iter()
            .filter(|owed| self.reach.includes(&self.writer, owed.business_id));
        let mut answers = stream::iter(own)
            .map(|owed| async move {
                let submission = self.submission(due_date, &owed, usual_price);
                (owed, self.writer.submit(submission).await)
            })
            .buffered(IN_FLIGHT);
        while let Some((owed, outcome)) = answers.next().await {
            match outcome {
                Outcome::Recorded(receipt) => {
                    charged.rentals += 1;
                    charged.reached.merge(&receipt.position());
                }
                // It is charged, or the shard was lost just now, or the next run sees whether it was recorded.
                Outcome::Duplicate { .. } | Outcome::NotOwner | Outcome::Unknown => {}
                Outcome::Refused(_) | Outcome::BelongsToOther(_) | Outcome::KeyReused | Outcome::Rejected => {
                    // A failure of one company must not delay the others.
                    tracing::error!(
                        code = "rental_not_charged", business_id = %owed.business_id, %due_date,
                        terminal = owed.terminal.serial_number, ?outcome, "a rental could not be recorded"
                    );
                    charged.failed += 1;
                }
            }
        }
    }

    fn submission(&self, due_date: Date, owed: &OwedRental, usual_price: Cents) -> Submission {
        let command = BusinessCommand::ChargeTerminalRental(ChargeTerminalRental {
            transfer_id: rental_of(owed.terminal.id, due_date),
            terminal: owed.terminal.clone(),
            due_date,
            amount: owed.price.unwrap_or(usual_price),
            occurred_at: start_of(due_date),
        });
        Submission {
            command_id: Uuid::now_v7(),
            business_id: owed.business_id,
            command,
            metadata: Metadata::by(Actor::Job(Job::Rentals)),
            // The rental's id prevents a second charge.
            idempotency: None,
        }
    }

    /// One run of the scheduled job.
    pub async fn tick(&self) -> Result<(), RentalError> {
        let charged = self.run().await?;
        if charged.rentals > 0 {
            tracing::info!(rentals = charged.rentals, "terminal rentals charged");
        }
        Ok(())
    }
}

/// The id of a terminal's rental of a month. It depends on these two only, so that every process computes the same id.
pub fn rental_of(terminal_id: TerminalId, due_date: Date) -> TransferId {
    let month = due_date.format("%Y-%m").to_string();
    TransferId::from_uuid(Uuid::new_v5(&terminal_id.uuid(), month.as_bytes()))
}

/// The first days of the months between two days, both included.
fn first_days(from: Date, to: Date) -> impl Iterator<Item = Date> {
    let month = from.with_day(1).unwrap_or(from);
    std::iter::successors(Some(month), |day| day.checked_add_months(Months::new(1)))
        .skip_while(move |day| *day < from)
        .take_while(move |day| *day <= to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(from: &str, to: &str) -> Vec<String> {
        let date = |text: &str| text.parse().expect("a date");
        first_days(date(from), date(to))
            .map(|day| day.to_string())
            .collect()
    }

    #[test]
    fn each_months_first_day_counts_once_and_both_ends_count() {
        assert_eq!(
            days("2026-11-02", "2027-02-01"),
            ["2026-12-01", "2027-01-01", "2027-02-01"]
        );
        assert_eq!(days("2026-11-01", "2026-11-30"), ["2026-11-01"]);
        assert!(days("2026-11-02", "2026-11-30").is_empty());
    }

    #[test]
    fn a_rental_is_known_by_terminal_and_month() {
        let terminal = |number| TerminalId::from_uuid(Uuid::from_u128(number));
        let day = |text: &str| text.parse().expect("a date");
        let november = rental_of(terminal(1), day("2026-11-01"));
        assert_eq!(november, rental_of(terminal(1), day("2026-11-01")));
        assert_ne!(november, rental_of(terminal(1), day("2026-12-01")));
        assert_ne!(november, rental_of(terminal(2), day("2026-11-01")));
    }
}
