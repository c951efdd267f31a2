//! The history of a terminal: its companies and its billing, each with the period in which it was in force.

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents, TerminalId};
use ledger_rows::{FromRow, fetch, params, row, value};
use tokio_postgres::{Error, GenericClient};

use super::billing::{Acquisition, Billing, BillingType};
use crate::companies::NamedCompany;
use crate::validity::History;

/// The most rows that a history reads; older ones are left out. A terminal changes a few times in its life.
const PERIODS_MAX: i64 = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerPeriod {
    /// `None`: in stock.
    pub company: Option<NamedCompany>,
    pub since: Instant,
    /// `None`: until now.
    pub until: Option<Instant>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingPeriod {
    pub billing: Billing,
    /// The usual price at the period's beginning. A rental without an individual price has it during the whole period.
    pub platform_rental_price: Cents,
    pub since: Instant,
    /// `None`: until now.
    pub until: Option<Instant>,
}

row! {
    impl FromRow for OwnerPeriod {
        business_id: Option<BusinessId> = "b.id",
        name: Option<String> = "b.name",
        document: Option<String> = "b.document",
        since: Instant = "o.valid_from",
        until: Option<Instant> = "lag(o.valid_from) OVER (ORDER BY o.valid_from DESC)",
    } => Self { company: NamedCompany::of_columns(business_id, name, document), since, until }
}

/// The terminal's companies, the latest first.
pub async fn terminal_owner_periods(
    client: &impl GenericClient,
    id: TerminalId,
) -> Result<Vec<OwnerPeriod>, Error> {
    let sql = format!(
        "SELECT {} FROM terminal_owner o LEFT JOIN business b ON b.id = o.business_id
          WHERE o.terminal_id = $1 ORDER BY o.valid_from DESC LIMIT $2",
        OwnerPeriod::COLUMNS
    );
    fetch(client, &sql, params![id, PERIODS_MAX]).await
}

row! {
    impl FromRow for BillingPeriod {
        billing_type: BillingType,
        acquisition: Acquisition,
        rental_cents: Option<Cents>,
        since: Instant = "valid_from",
        until: Option<Instant> = "lag(valid_from) OVER (ORDER BY valid_from DESC)",
    } => Self {
        billing: Billing::new(billing_type, acquisition, rental_cents),
        // Set by `by_usual_price`.
        platform_rental_price: Cents::ZERO,
        since,
        until,
    }
}

impl BillingPeriod {
    /// Splits a rental without an individual price into a period for each usual price, the latest first. Other billings
    /// stay one period.
    fn by_usual_price(self, prices: &History<Cents>) -> Vec<Self> {
        let price_at = |instant| prices.at(instant).copied().unwrap_or(Cents::ZERO);
        let changes = match self.billing {
            Billing::Rental(None) => prices.changes_between(self.since, self.until).collect(),
            Billing::Rental(Some(_)) | Billing::Adhesion(_) => vec![],
        };
        let mut periods: Vec<Self> = vec![];
        for since in [self.since].into_iter().chain(changes) {
            let platform_rental_price = price_at(since);
            match periods.last_mut() {
                // The same price set again.
                Some(last) if last.platform_rental_price == platform_rental_price => continue,
                Some(last) => last.until = Some(since),
                None => {}
            }
            periods.push(Self {
                platform_rental_price,
                since,
                ..self
            });
        }
        periods.reverse();
        periods
    }
}

/// The terminal's billing periods, the latest first. `prices` are the usual prices until now.
pub async fn terminal_billings(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    prices: &History<Cents>,
) -> Result<Vec<BillingPeriod>, Error> {
    let sql = format!(
        "SELECT {} FROM terminal_billing WHERE terminal_id = $1 ORDER BY valid_from DESC LIMIT $2",
        BillingPeriod::COLUMNS
    );
    let periods: Vec<BillingPeriod> = fetch(client, &sql, params![terminal_id, PERIODS_MAX]).await?;
    let periods = periods.into_iter();
    Ok(periods.flat_map(|period| period.by_usual_price(prices)).collect())
}

/// Whether the company ever had the terminal.
pub async fn terminal_was_owned_by(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    business_id: BusinessId,
) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT FROM terminal_owner WHERE business_id = $2 AND terminal_id = $1)";
    value(client, sql, params![terminal_id, business_id]).await
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn second(seconds: i64) -> Instant {
        DateTime::from_timestamp(seconds, 0).expect("in range")
    }

    /// Splits a period from second 40 on. Returns the start, end and usual price of each part. The usual price is 10
    /// from second 0 on, 20 from 50 on (set again at 60), and 30 from 70 on.
    fn parts(billing: Billing, until: Option<i64>) -> Vec<(i64, Option<i64>, i64)> {
        let mut prices = History::default();
        for (since, cents) in [(0, 10), (50, 20), (60, 20), (70, 30)] {
            prices.add(second(since), Cents::new(cents));
        }
        let period = BillingPeriod {
            billing,
            platform_rental_price: Cents::ZERO,
            since: second(40),
            until: until.map(second),
        };
        let periods = period.by_usual_price(&prices).into_iter();
        let seconds = |instant: Instant| instant.timestamp();
        periods
            .map(|part| {
                (
                    seconds(part.since),
                    part.until.map(seconds),
                    part.platform_rental_price.get(),
                )
            })
            .collect()
    }

    #[test]
    fn only_a_rental_without_an_individual_price_has_a_period_for_each_usual_price() {
        assert_eq!(parts(Billing::Rental(None), Some(45)), [(40, Some(45), 10)]);
        assert_eq!(parts(Billing::Rental(None), Some(50)), [(40, Some(50), 10)]);
        let all = [(70, None, 30), (50, Some(70), 20), (40, Some(50), 10)];
        assert_eq!(parts(Billing::Rental(None), None), all);
        let ended = [(50, Some(65), 20), (40, Some(50), 10)];
        assert_eq!(parts(Billing::Rental(None), Some(65)), ended);
        let individual = Billing::Rental(Some(Cents::new(5)));
        assert_eq!(parts(individual, None), [(40, None, 10)]);
        assert_eq!(parts(Billing::NEW, None), [(40, None, 10)]);
    }
}
